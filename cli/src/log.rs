//! Diagnostics of the stages of one run.

use aiec_diag::{Diagnostic, Outcome};

use crate::instances::Instances;

/// Collects the diagnostics of stages.
#[derive(Debug, Default)]
pub struct Log {
    /// All diagnostics so far, stage by stage.
    pub diagnostics: Vec<Diagnostic>,
    /// The components and sub-graphs of the design, as far as they are known. Diagnostics that name
    /// one of them get labels for it.
    pub(crate) instances: Box<Instances>,
}

impl Log {
    /// The value of a stage. Its diagnostics go to the log.
    pub fn take<T>(&mut self, outcome: Outcome<T>) -> Option<T> {
        let (value, diagnostics) = outcome.into_parts();
        self.add(diagnostics);
        value
    }

    /// Adds diagnostics, with labels for the instances that they name. A fault of a file of
    /// components comes once, though each component is checked by itself. Those of a graph lose
    /// their fixes, which are text of the language.
    pub fn add(&mut self, diagnostics: Vec<Diagnostic>) {
        for mut diagnostic in diagnostics {
            self.instances.label(&mut diagnostic);
            if self.instances.of_graph {
                diagnostic.fixes.clear();
            }
            if !self.diagnostics.contains(&diagnostic) {
                self.diagnostics.push(diagnostic);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    use aiec_adf::description::{Call, Site};
    use aiec_diag::{SourceId, Span, catalogue};
    use aiec_ir::design::Subgraph;
    use aiec_ir::{IdVec, SubgraphId};

    fn line(start: u32) -> Span {
        Span::new(SourceId(0), start, start + 4)
    }

    /// A log of a graph with a member `left`, whose constructor states the location of `left.k`.
    fn of_a_graph() -> Log {
        let subgraphs: IdVec<SubgraphId, Subgraph> = [Subgraph {
            name: "left".to_owned(),
            component: "Stage<2>".to_owned(),
            constants: Vec::new(),
            parent: None,
            families: Vec::new(),
            collectives: Vec::new(),
            ports: Vec::new(),
            span: line(20),
        }]
        .into_iter()
        .collect();
        let call = Call { function: "Stage<2>::Stage".to_owned(), span: Some(line(30)) };
        let calls = vec![Site { span: line(10), calls: vec![call] }];
        Log {
            instances: Box::new(Instances { subgraphs, calls, of_graph: Some(BTreeSet::new()) }),
            ..Log::default()
        }
    }

    #[test]
    fn messages_of_every_stage_name_the_member_and_the_calls() {
        for code in [&catalogue::BAD_PLACEMENT, &catalogue::GAVE_UP, &catalogue::OVERFULL] {
            let fault =
                Diagnostic::new(code, "no room for `left.k`", "move it").label(line(10), "stated here");
            let mut log = of_a_graph();
            assert!(log.take::<()>(Outcome::error(fault)).is_none());
            let labels = log.diagnostics[0].labels.iter().map(|label| (label.span, label.text.as_str()));
            let expected = [
                (line(10), "stated here"),
                (line(30), "in `Stage<2>::Stage`, which is called here"),
                (line(20), "`left` is an instance of `Stage<2>`"),
            ];
            assert_eq!(labels.collect::<Vec<_>>(), expected, "{}", code.slug);
        }
    }
}
