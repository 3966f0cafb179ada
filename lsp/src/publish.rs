//! Diagnostics of the compiler in the form of the protocol, by the files where they lie.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use aiec_diag::{Diagnostic, Severity, Sources, Span};
use lsp_types::{
    CodeDescription, DiagnosticRelatedInformation, DiagnosticSeverity, Location, NumberOrString, Uri,
};

use crate::text::{Encoding, Lines};
use crate::uri::{plain, uri_of};

/// Diagnostics by the paths of their files.
pub type Published = BTreeMap<PathBuf, Vec<lsp_types::Diagnostic>>;

/// The file of an open document.
#[derive(Clone, Copy)]
pub struct Address<'a> {
    /// Where the file lies.
    pub path: &'a Path,
    /// The same place, as the client writes it.
    pub uri: &'a Uri,
}

/// The diagnostics of a check of `design`. One without a place stands at the start of
/// the design.
pub fn published(
    diagnostics: &[Diagnostic],
    sources: &Sources,
    design: Address<'_>,
    encoding: Encoding,
) -> Published {
    let mut all = Published::new();
    for diagnostic in diagnostics {
        let found = diagnostic.span().and_then(|span| place(span, sources, design, encoding));
        let (path, range) = found.map_or_else(
            || (design.path.to_path_buf(), lsp_types::Range::default()),
            |(path, location)| (path, location.range),
        );
        let others = diagnostic.labels.iter().skip(1).filter_map(|label| {
            let (_, location) = place(label.span, sources, design, encoding)?;
            Some(DiagnosticRelatedInformation { location, message: label.text.clone() })
        });
        let others: Vec<_> = others.collect();
        let said = lsp_types::Diagnostic {
            range,
            severity: Some(severity(diagnostic.code.severity)),
            code: Some(NumberOrString::String(diagnostic.code.slug.to_owned())),
            code_description: Uri::from_str(&diagnostic.code.address())
                .ok()
                .map(|href| CodeDescription { href }),
            source: Some("aiec".to_owned()),
            message: format!("{}\nhelp: {}", diagnostic.message, diagnostic.help),
            related_information: Some(others).filter(|others| !others.is_empty()),
            tags: None,
            data: None,
        };
        let of_file = all.entry(path).or_default();
        if !of_file.contains(&said) {
            of_file.push(said);
        }
    }
    all
}

const fn severity(severity: Severity) -> DiagnosticSeverity {
    match severity {
        Severity::Error => DiagnosticSeverity::ERROR,
        Severity::Warning => DiagnosticSeverity::WARNING,
        Severity::Note => DiagnosticSeverity::INFORMATION,
    }
}

/// The file of a span and its place there. Returns None when the text is no file.
fn place(
    span: Span,
    sources: &Sources,
    design: Address<'_>,
    encoding: Encoding,
) -> Option<(PathBuf, Location)> {
    let source = sources.get(span.source)?;
    let path = plain(Path::new(&source.name));
    let uri = if path == design.path { design.uri.clone() } else { uri_of(&path)? };
    let range = Lines::new(&source.text, encoding).range(span.start as usize..span.end as usize);
    Some((path, Location::new(uri, range)))
}

/// The diagnostics of `more` that `known` does not have, such as those of the C++ of kernels.
pub fn beyond(more: Published, known: &Published) -> Published {
    let is_new =
        |path: &PathBuf, one: &lsp_types::Diagnostic| !known.get(path).is_some_and(|all| all.contains(one));
    let more = more.into_iter().map(|(path, all)| {
        let new = all.into_iter().filter(|one| is_new(&path, one)).collect();
        (path, new)
    });
    more.collect()
}
