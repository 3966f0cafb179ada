//! Components: those of a file, and their instances in messages.

use aiec_diag::{Diagnostic, Label, Outcome, SourceFile};
use aiec_ir::design::Subgraph;
use aiec_ir::{IdVec, SubgraphId};

/// The components of a file that holds nothing else. Returns None for a design, and for a text with
/// faults.
pub fn components(source: &SourceFile) -> Option<Vec<String>> {
    let program = aiec_dsl::parse(source).into_parts().0?;
    let names = aiec_lower::library(&program)?;
    Some(names.into_iter().map(str::to_owned).collect())
}

/// The outcome with labels for the instances that its messages name.
pub(crate) fn named<T>(outcome: Outcome<T>, subgraphs: &IdVec<SubgraphId, Subgraph>) -> Outcome<T> {
    let (value, mut diagnostics) = outcome.into_parts();
    diagnostics.iter_mut().for_each(|diagnostic| label(diagnostic, subgraphs));
    Outcome::from_parts(value, diagnostics)
}

/// Adds labels for the instances of components whose names begin a name in the message.
pub(crate) fn label(diagnostic: &mut Diagnostic, subgraphs: &IdVec<SubgraphId, Subgraph>) {
    /// Messages list few names; more labels would hide the fault.
    const MOST: usize = 4;
    let is_named = |subgraph: &&Subgraph| diagnostic.message.contains(&format!("`{}.", subgraph.name));
    let named: Vec<&Subgraph> = subgraphs.iter().filter(is_named).take(MOST).collect();
    for subgraph in named {
        if !diagnostic.labels.iter().any(|label| label.span == subgraph.span) {
            let text = format!("`{}` is an instance of `{}`", subgraph.name, subgraph.component);
            diagnostic.labels.push(Label { span: subgraph.span, text });
        }
    }
}
