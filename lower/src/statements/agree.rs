//! Ports of components, and the ports to which they are connected.

use aiec_diag::Spanned;
use aiec_dsl::ast::{self, ConnectEnd};
use aiec_dsl::print_reference;
use aiec_ir::Carries;
use aiec_ir::design::UserPort;

use super::{Chosen, End};
use crate::errors;
use crate::lower::Context;

impl Context<'_> {
    /// Returns false and reports a port of a component that carries something else than the port it
    /// is connected to. Inside the component the sizes must agree as well.
    pub(super) fn types_agree(&mut self, connect: &ast::Connect, from: &End, to: &End) -> bool {
        let is_boundary = |end: &End| end.chosen().any(|one| matches!(one, Chosen::Boundary { .. }));
        if !is_boundary(from) && !is_boundary(to) {
            return true;
        }
        let own = |end: &End| {
            let inside = |one: &Chosen| match one {
                Chosen::Boundary { subgraph, .. } => Some(*subgraph) == self.at.subgraph,
                Chosen::Ports { .. } => false,
            };
            end.chosen().any(inside)
        };
        let sized = own(from) || own(to);
        let (producers, consumers) = (self.ports(from, &connect.from), self.ports(to, &connect.to));
        for (at, (consumer, taken)) in consumers.iter().enumerate() {
            let Some((producer, given)) = producers.get(at).or(producers.first()) else { return true };
            if !agree(producer.carries, consumer.carries, sized) {
                let [given, taken] = [given, taken]
                    .map(|end| Spanned::new(print_reference(&end.reference), end.reference.span));
                self.report(errors::other_type((producer, &given), (consumer, &taken)));
                return false;
            }
        }
        true
    }

    /// The declared ports at a side of a connection, each with its place among the written ends.
    fn ports<'e>(&self, side: &End, ends: &'e [ConnectEnd]) -> Vec<(UserPort, &'e ConnectEnd)> {
        let parts = side.parts.iter().zip(ends);
        let ports = parts.flat_map(|(part, end)| {
            let declared = part.chosen.iter().flat_map(|one| self.declared(one));
            declared.map(move |port| (port.clone(), end))
        });
        ports.collect()
    }
}

/// True if a port of a component may be connected to a port that carries `other`.
fn agree(one: Carries, other: Carries, sized: bool) -> bool {
    let same = one.word() == other.word() && one.element() == other.element();
    let sizes = |carries: Carries| carries.per_run().or_else(|| carries.block()).map(|block| block.elements);
    let fit = match (sizes(one), sizes(other)) {
        (Some(one), Some(other)) => one == other,
        _ => true,
    };
    let lanes = match (one, other) {
        (Carries::Cascade(one), Carries::Cascade(other)) => one == other,
        _ => true,
    };
    same && lanes && (fit || !sized)
}
