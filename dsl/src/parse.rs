//! Text to syntax tree: runs the grammar, and continues after errors.

use aiec_diag::{Diagnostic, Outcome, SourceFile};
use pest::Parser;
use pest::error::{Error, InputLocation};

use crate::ast::Program;
use crate::errors;
use crate::grammar::{Grammar, Rule};
use crate::left_out::LeftOut;
use crate::recover::Recovery;
use crate::scan::{Scan, scan};
use crate::tree::Builder;

/// What parses of a text that may have syntax errors.
#[derive(Clone, Debug)]
pub struct Recovered {
    /// The tree of everything that has no error. Positions are those of the file.
    pub program: Program,
    /// The syntax errors: at most 20 of them, and faults against the limits of the language.
    pub diagnostics: Vec<Diagnostic>,
    /// The parts of the text that the tree leaves out.
    pub left_out: LeftOut,
}

/// The syntax tree of a design, or the syntax errors.
pub fn parse(file: &SourceFile) -> Outcome<Program> {
    let Recovered { program, diagnostics, .. } = recover(file);
    Outcome::new(program, diagnostics)
}

/// The syntax tree of a text as far as it has one. A half-typed line costs the item that it belongs
/// to.
pub fn recover(file: &SourceFile) -> Recovered {
    let (scan, fault) = match scan(file) {
        Ok(scan) => (scan, None),
        Err(diagnostic) => (Scan::default(), Some(diagnostic)),
    };
    let once = scan.once(&file.text);
    let of = |items, diagnostics, left_out| Recovered {
        program: Program { items, span: file.span(), once },
        diagnostics,
        left_out,
    };
    if let Some(fault) = fault {
        return of(Vec::new(), vec![fault], LeftOut::default());
    }
    if scan.comment.is_some() || !scan.strings.is_empty() {
        let (items, diagnostics, left_out) = Recovery::new(file, &scan).run(None);
        return of(items, diagnostics, left_out);
    }
    if scan.tokens.is_empty() {
        return of(Vec::new(), vec![errors::empty(file.span())], LeftOut::default());
    }
    match Grammar::parse(Rule::file, &file.text) {
        Ok(pairs) => {
            let mut builder = Builder::new(file, &scan, 0);
            let items = builder.items(pairs);
            of(items, builder.diagnostics, LeftOut::default())
        }
        Err(error) => {
            let (items, diagnostics, left_out) =
                Recovery::new(file, &scan).run(Some((offset_of(&error), Box::new(error))));
            of(items, diagnostics, left_out)
        }
    }
}

/// The byte of an error, from the start of the text that was parsed.
pub(crate) fn offset_of(error: &Error<Rule>) -> usize {
    match error.location {
        InputLocation::Pos(offset) | InputLocation::Span((offset, _)) => offset,
    }
}
