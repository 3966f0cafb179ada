//! Constants that neither their design nor its kernels mention.
//!
//! Takes the text of a design, and those of its kernels with the headers that they include. Warns
//! of a constant of the design only if all texts that may name it are there: kernels take constants
//! from `aiec/design.h`. Constants of imported files and of components have other readers.

use aiec_codegen::UserSource;
use aiec_cpp_text::{includes, quoted_includes};
use aiec_diag::{Diagnostic, SourceFile, catalogue};
use aiec_dsl::ast::ItemKind;
use aiec_ir::Expanded;
use aiec_ir::allowances::settle;

use crate::errors;
use crate::project::beside;
use crate::stubs;

/// A warning for each constant of `design` that nothing mentions, or for an `allow` of that warning
/// in vain.
pub(crate) fn constants(design: &SourceFile, expanded: &Expanded, sources: &[UserSource]) -> Vec<Diagnostic> {
    if !are_all_known(expanded, sources) {
        return Vec::new();
    }
    let Some(program) = aiec_dsl::parse(design).into_parts().0 else { return Vec::new() };
    let named = program.items.iter().filter_map(|item| match &item.kind {
        ItemKind::Const { name, .. } => Some((name, item.span)),
        _ => None,
    });
    let unused = named.filter(|(name, _)| program.once.contains(&name.value));
    let unused = unused.filter(|(name, _)| !sources.iter().any(|source| mentions(&source.text, &name.value)));
    let warnings: Vec<_> = unused.map(|(name, whole)| errors::unused_constant(name, whole)).collect();
    // A stub mentions no constant that its kernel will use.
    if !warnings.is_empty() && stubs::are_left(expanded, sources) {
        return Vec::new();
    }
    settle(&expanded.allowances, warnings, &[&catalogue::UNUSED_CONSTANT])
}

/// True if every source of a kernel is there, with every file that one includes with quotes.
fn are_all_known(expanded: &Expanded, sources: &[UserSource]) -> bool {
    let is_known = |path: &str| sources.iter().any(|source| source.path == path);
    let families = expanded.families.iter().filter(|family| !family.is_outside());
    let mut named = families
        .flat_map(|family| &family.bodies)
        .flat_map(|body| std::iter::once(&body.source).chain(&body.header).map(|path| path.value.as_str()));
    let mut included = sources
        .iter()
        .flat_map(|source| quoted_includes(&source.text).map(|name| beside(&source.path, name)));
    named.all(is_known)
        && included.all(|path| is_known(&path))
        && !sources.iter().any(|source| makes_names(&source.text))
}

/// True if the preprocessor makes names, or names of files, that the text does not have.
fn makes_names(text: &str) -> bool {
    text.contains("##") || includes(text).any(|file| !file.starts_with(['"', '<']))
}

/// True if `text` has the word, even in a comment.
fn mentions(text: &str, word: &str) -> bool {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').any(|one| one == word)
}

#[cfg(test)]
mod tests {
    use super::makes_names;

    #[test]
    fn names_that_the_preprocessor_makes_are_in_no_text() {
        assert!(makes_names("#define OF(a, b) design::a##b\n"));
        assert!(makes_names("#define WHERE \"t.h\"\n  # include WHERE\n"));
        assert!(!makes_names("#include <adf.h>\n#include \"t.h\"\n#define N 4\n"));
    }
}
