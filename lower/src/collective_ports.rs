//! The ports that a collective has by itself, at an end of a connection.

use aiec_diag::Span;
use aiec_ir::design::{Collective, Node};

use crate::errors;
use crate::lower::Context;

impl Context<'_> {
    /// False for a collective whose result is not the root's alone: its ranks send it on through
    /// their own ports.
    pub fn has_result(&self, node: Node) -> bool {
        let Node::Collective(id) = node else { return true };
        let known = self.collectives.get(id).and_then(Option::as_ref);
        known.is_none_or(|collective| collective.operation.row().has_result)
    }

    /// Returns false and reports a diagnostic if the port is that of cycle counts and the
    /// collective has none.
    pub fn cycles_declared(&mut self, port: u32, node: Node, span: Span, declared: Span) -> bool {
        let Node::Collective(id) = node else { return true };
        match self.collectives.get(id) {
            Some(Some(collective)) if port == Collective::CYCLES && collective.cycles.is_none() => {
                let diagnostic = errors::cycles_undeclared(span, collective, declared);
                self.report(diagnostic);
                false
            }
            _ => true,
        }
    }
}
