//! Ports of components, and the ports to which they are connected.

use aiec_diag::Spanned;
use aiec_dsl::ast::{self, ConnectEnd};
use aiec_dsl::print_reference;
use aiec_ir::Carries;
use aiec_ir::design::UserPort;

use super::{Chosen, End};
use crate::errors;
use crate::lower::Context;

/// One end of a connection.
struct Sided<'a> {
    port: &'a UserPort,
    end: &'a ConnectEnd,
    /// True for a port of the component whose text has the connection.
    is_own: bool,
}

impl Context<'_> {
    /// Returns false and reports a port of the component around a `connect` that carries something
    /// else than the port inside that it is connected to. Outside, the port stands for the kernel's
    /// port inside, and the checks compare the kernels at both ends of the way.
    pub(super) fn types_agree(&mut self, connect: &ast::Connect, from: &End, to: &End) -> bool {
        let around = self.at.subgraph;
        let is_own =
            |one: &Chosen| matches!(one, Chosen::Boundary { subgraph, .. } if Some(*subgraph) == around);
        if !from.chosen().chain(to.chosen()).any(is_own) {
            return true;
        }
        let (producers, consumers) = (self.sided(from, &connect.from), self.sided(to, &connect.to));
        let differ = |(producer, consumer): &(&Sided<'_>, &Sided<'_>)| {
            let is_faulty = |one: &Sided<'_>| self.untyped.contains(&one.port.span);
            let concerns =
                (producer.is_own || consumer.is_own) && !is_faulty(producer) && !is_faulty(consumer);
            concerns && !agree(producer.port.carries, consumer.port.carries)
        };
        let pairs = (0..).zip(&consumers).filter_map(|(at, consumer)| {
            let producer = if producers.len() == 1 { producers.first() } else { producers.get(at) };
            producer?.as_ref().zip(consumer.as_ref())
        });
        let fault = { pairs }.find(differ).map(|pair| {
            let [given, taken] = <[_; 2]>::from(pair)
                .map(|one| Spanned::new(print_reference(&one.end.reference), one.end.reference.span));
            errors::other_type((pair.0.port, &given), (pair.1.port, &taken))
        });
        let is_sound = fault.is_none();
        fault.into_iter().for_each(|fault| self.report(fault));
        is_sound
    }

    /// The ends of a side, in the order in which they pair up. None for an input, output or
    /// collective, which declares no type of its own.
    fn sided<'a>(&'a self, side: &End, ends: &'a [ConnectEnd]) -> Vec<Option<Sided<'a>>> {
        let mut all = Vec::new();
        for (part, end) in side.parts.iter().zip(ends) {
            for chosen in &part.chosen {
                let (is_own, instances, count) = match chosen {
                    Chosen::Boundary { subgraph, ports } => {
                        (Some(*subgraph) == self.at.subgraph, 1, ports.len())
                    }
                    Chosen::Ports { ports, shape } => (false, shape.count(), ports.len()),
                };
                let ports = self.declared(chosen);
                for _ in 0..instances {
                    match ports.is_empty() {
                        true => all.extend((0..count).map(|_| None)),
                        false => all.extend(ports.iter().map(|port| Some(Sided { port, end, is_own }))),
                    }
                }
            }
        }
        all
    }
}

/// True if a port of a component carries the same as the port inside.
fn agree(one: Carries, other: Carries) -> bool {
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
    same && lanes && fit
}
