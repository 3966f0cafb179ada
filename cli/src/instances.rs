//! Components: those of a file, and their instances in messages.

use std::collections::BTreeSet;

use crate::spelled::in_adf;
use aiec_adf::{Adopted, Called};
use aiec_diag::{Diagnostic, Label, SourceFile, Span};
use aiec_ir::design::{Design, Subgraph};
use aiec_ir::{IdVec, SubgraphId};

/// The components of a file that holds nothing else. Returns None when the text is a design, or has
/// faults.
pub fn components(source: &SourceFile) -> Option<Vec<String>> {
    let program = aiec_dsl::parse(source).into_parts().0?;
    let names = aiec_lower::library(&program)?;
    Some(names.into_iter().map(str::to_owned).collect())
}

/// The components of a design's own file without any of these instances.
pub(crate) fn unused(source: &SourceFile, instances: &IdVec<SubgraphId, Subgraph>) -> Vec<String> {
    let program = aiec_dsl::parse(source).into_parts().0;
    let names = program.iter().flat_map(aiec_lower::components);
    let is_used = |name: &&str| instances.iter().any(|instance| instance.component == **name);
    names.filter(|name| !is_used(name)).map(str::to_owned).collect()
}

/// The instances of a design, and the calls that led to statements of a graph.
#[derive(Clone, Debug, Default)]
pub(crate) struct Instances {
    /// Components and sub-graphs.
    pub(crate) subgraphs: IdVec<SubgraphId, Subgraph>,
    /// Statements of a graph to which calls led.
    pub(crate) calls: Vec<Called>,
    /// The names of kernels, inputs and outputs of a graph, whose messages quote C++. None when the
    /// file is a design.
    pub(crate) of_graph: Option<BTreeSet<String>>,
}

impl Instances {
    /// Those of a design, which `graph` gave.
    pub(crate) fn of(design: &Design, graph: Option<&Adopted>) -> Self {
        let calls = graph.map_or_else(Vec::new, |graph| graph.calls.clone());
        let of_graph = graph.map(|_| names(design));
        Self { subgraphs: design.subgraphs.clone(), calls, of_graph }
    }

    /// The innermost instance of a component that a message is about. Returns None when it names
    /// none, or one that has its component's name, as in a check of that component by itself.
    pub(crate) fn named(&self, diagnostic: &Diagnostic) -> Option<&str> {
        let is_named = |one: &&Subgraph| diagnostic.message.contains(&format!("`{}.", one.name));
        let named = self.subgraphs.iter().filter(is_named).max_by_key(|one| one.name.len())?;
        (named.name != named.component).then_some(named.name.as_str())
    }

    /// The places of a message but for the declarations and the `place` of instances.
    pub(crate) fn places(&self, diagnostic: &Diagnostic) -> Vec<Span> {
        let is_instance =
            |span: Span| self.subgraphs.iter().any(|one| one.span == span || one.placed == Some(span));
        let spans = diagnostic.labels.iter().map(|label| label.span);
        spans.filter(|&span| !is_instance(span)).collect()
    }

    /// Adds labels for the instances that a message names, and for the calls that led to its line.
    /// Messages about a graph are worded as its header.
    pub(crate) fn label(&self, diagnostic: &mut Diagnostic) {
        if let Some(names) = &self.of_graph {
            let labels = diagnostic.labels.iter_mut().map(|label| &mut label.text);
            for text in labels.chain([&mut diagnostic.message, &mut diagnostic.help]) {
                *text = in_adf(text, names);
            }
        }
        called(diagnostic, &self.calls);
        label(diagnostic, &self.subgraphs);
    }
}

/// The names of families, inputs and outputs.
fn names(design: &Design) -> BTreeSet<String> {
    let families = design.families.iter().map(|family| &family.name);
    families.chain(design.externals.iter().map(|external| &external.name)).cloned().collect()
}

/// Adds labels for the calls that led to the first statement of a message: those for the members
/// that the message names, if there are any. Statements to which several ways lead get none: the
/// labels of instances tell them apart.
fn called(diagnostic: &mut Diagnostic, calls: &[Called]) {
    /// Calls that a message shows; constructors of templates may lie deep.
    const MOST: usize = 3;
    let first = diagnostic.labels.first().map(|label| label.span);
    let all: Vec<&Called> = calls.iter().filter(|one| Some(one.site.span) == first).collect();
    let is_named =
        |name: &String| ["`", "."].iter().any(|end| diagnostic.message.contains(&format!("`{name}{end}")));
    let named: Vec<&Called> = all.iter().copied().filter(|one| one.of.iter().any(is_named)).collect();
    let mut of = if named.is_empty() { all } else { named }.into_iter().map(|one| &one.site.calls);
    let Some(site) = of.next().filter(|site| of.all(|other| other == *site)) else { return };
    let calls = site.iter().filter_map(|call| Some((call.span?, &call.function)));
    for (span, function) in calls.take(MOST) {
        diagnostic.labels.push(Label { span, text: format!("in `{function}`, which is called here") });
    }
}

/// Adds labels for the instances of components whose names begin a name in the message.
pub(crate) fn label(diagnostic: &mut Diagnostic, subgraphs: &IdVec<SubgraphId, Subgraph>) {
    /// Messages list few names; more labels would hide the fault.
    const MOST: usize = 4;
    let is_named = |subgraph: &&Subgraph| diagnostic.message.contains(&format!("`{}.", subgraph.name));
    // A component that is checked by itself has its own name.
    let is_instance = |subgraph: &&Subgraph| subgraph.name != subgraph.component;
    let named = subgraphs.iter().filter(|one| is_named(one) && is_instance(one));
    let named: Vec<&Subgraph> = named.take(MOST).collect();
    for subgraph in named {
        if !diagnostic.labels.iter().any(|label| label.span == subgraph.span) {
            let text = format!("`{}` is an instance of `{}`", subgraph.name, subgraph.component);
            diagnostic.labels.push(Label { span: subgraph.span, text });
        }
    }
}
