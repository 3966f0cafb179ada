//! Ports of components, and the ports to which they are connected.

use aiec_diag::Spanned;
use aiec_dsl::ast::{self, ConnectEnd};
use aiec_dsl::print_reference;
use aiec_ir::design::UserPort;
use aiec_ir::{Carries, SubgraphId};

use super::{Chosen, End};
use crate::errors;
use crate::lower::Context;

/// One end of a connection.
struct Sided<'a> {
    port: &'a UserPort,
    end: &'a ConnectEnd,
    /// The instance of a component whose port it is. None at a kernel.
    of: Option<SubgraphId>,
}

impl Context<'_> {
    /// Returns false and reports a port of a component that carries something else than the port it
    /// is connected to. Inside the component the sizes must agree as well. Two kernels of a list
    /// are none of this.
    pub(super) fn types_agree(&mut self, connect: &ast::Connect, from: &End, to: &End) -> bool {
        let is_boundary = |end: &End| end.chosen().any(|one| matches!(one, Chosen::Boundary { .. }));
        if !is_boundary(from) && !is_boundary(to) {
            return true;
        }
        let is_own = |of: Option<SubgraphId>| of.is_some() && of == self.at.subgraph;
        let (producers, consumers) = (self.sided(from, &connect.from), self.sided(to, &connect.to));
        let differ = |(producer, consumer): &(&Sided<'_>, &Sided<'_>)| {
            let is_faulty = |one: &Sided<'_>| self.untyped.contains(&one.port.span);
            let concerns = (producer.of.is_some() || consumer.of.is_some())
                && !is_faulty(producer)
                && !is_faulty(consumer);
            let sized = is_own(producer.of) || is_own(consumer.of);
            concerns && !agree(producer.port.carries, consumer.port.carries, sized)
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
                let (of, instances, count) = match chosen {
                    Chosen::Boundary { subgraph, ports } => (Some(*subgraph), 1, ports.len()),
                    Chosen::Ports { ports, shape } => (None, shape.count(), ports.len()),
                };
                let ports = self.declared(chosen);
                for _ in 0..instances {
                    match ports.is_empty() {
                        true => all.extend((0..count).map(|_| None)),
                        false => all.extend(ports.iter().map(|port| Some(Sided { port, end, of }))),
                    }
                }
            }
        }
        all
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
