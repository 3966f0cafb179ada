//! Connections and ports: every consumer has one producer, and every declared port, input, output
//! and kernel is connected. The graph of an ADF project may leave ports open.

use std::collections::BTreeSet;

use aiec_diag::Diagnostic;

use super::context::{Context, Declaration, grouped};
use crate::errors::wiring as errors;
use aiec_collectives::Direction;
use aiec_ir::expanded::{Owner, PortRole};
use aiec_ir::{KernelId, PortId};

pub(super) fn check(context: &Context) -> Vec<Diagnostic> {
    let mut found = fan_in(context);
    if !context.expanded.is_adf() {
        found.extend(unconnected(context));
        found.extend(unused(context));
        found.extend(idle(context));
    }
    found
}

/// Ports at which more than one connection ends. Windows have no merge, only packet streams have.
fn fan_in(context: &Context) -> Vec<Diagnostic> {
    let design = context.expanded;
    let faults = design.ports.enumerate().filter_map(|(id, port)| {
        let fault =
            port.direction == Direction::In && port.connections.len() > 1 && !design.joins_packets(id);
        let spans = port.connections.iter().map(|&connection| design.connections[connection].span);
        fault.then(|| (spans.collect::<Vec<_>>(), id))
    });
    let groups = grouped(faults);
    groups.values().map(|ports| errors::fan_in(design, ports)).collect()
}

/// Declared ports without a connection and without a parameter of the host.
fn unconnected(context: &Context) -> Vec<Diagnostic> {
    let design = context.expanded;
    let hosted: BTreeSet<PortId> =
        design.parameters.iter().flat_map(|host| host.ports.iter().copied()).collect();
    let faults = design.ports.enumerate().filter_map(|(id, port)| {
        let user = matches!(port.role, PortRole::User(_)) && port.connections.is_empty();
        let fault = user && !hosted.contains(&id) && !design.is_table(id);
        let family = match context.declaration(id) {
            Some(Declaration::Port(family, _)) => Some(family),
            _ => None,
        };
        // The elements of an array of ports are declared together.
        fault.then(|| ((family, port.name.split('[').next()), id))
    });
    let groups = grouped(faults);
    groups.values().map(|ports| errors::unconnected_port(design, ports)).collect()
}

/// Inputs and outputs without a connection, on which the vendor's tools crash.
fn unused(context: &Context) -> Vec<Diagnostic> {
    let design = context.expanded;
    let faults = design.ports.iter().filter_map(|port| match port.owner {
        Owner::External(external) if port.connections.is_empty() => {
            Some((design.externals[external].family, external))
        }
        _ => None,
    });
    let groups = grouped(faults);
    groups.values().map(|externals| errors::unused_external(design, externals)).collect()
}

/// Kernels without a port and outside every collective: nothing outside uses their results.
fn idle(context: &Context) -> Vec<Diagnostic> {
    let design = context.expanded;
    let is_idle = |&kernel: &KernelId| {
        design.ports_of(kernel).next().is_none() && design.kernels[kernel].memberships.is_empty()
    };
    let kernels = design.kernels.ids().filter(is_idle);
    let groups = grouped(kernels.map(|kernel| (design.kernels[kernel].family, kernel)));
    groups.values().map(|kernels| errors::idle_kernel(design, kernels)).collect()
}

#[cfg(test)]
mod tests {
    use crate::testing::{rendered, slugs_on_toy, toy};
    use aiec_collectives::Direction;
    use aiec_test_support::{Builder, Reduce, input, int32, output};

    #[test]
    fn windows_have_no_merge() {
        let mut builder = Builder::new("merge", "toy");
        builder.kernels("a", &[2], &[output("y", int32(4))]).kernels("b", &[], &[input("x", int32(4))]);
        builder.connect("a[0].y", "b.x").connect("a[1].y", "b.x");
        assert_eq!(slugs_on_toy(&builder), ["check/fan-in"]);
    }

    #[test]
    fn an_output_takes_from_one_port() {
        let mut builder = Builder::new("merge", "toy");
        builder.kernels("a", &[2], &[output("y", int32(4))]).gmio_output("sum");
        builder.connect("a[0].y", "sum").connect("a[1].y", "sum");
        assert_eq!(slugs_on_toy(&builder), ["check/fan-in"]);
    }

    #[test]
    fn a_broadcast_is_no_fan_in() {
        let mut builder = Builder::new("broadcast", "toy");
        builder.kernels("a", &[], &[output("y", int32(4))]).kernels("b", &[2], &[input("x", int32(4))]);
        builder.connect("a.y", "b[0].x").connect("a.y", "b[1].x");
        assert_eq!(slugs_on_toy(&builder), [""; 0]);
    }

    #[test]
    fn an_unconnected_port_of_many_kernels_is_one_diagnostic() {
        let mut builder = Builder::new("open", "toy");
        builder.kernels("a", &[3], &[output("y", int32(4))]);
        assert_eq!(slugs_on_toy(&builder), ["check/unconnected-port"]);
        let text = rendered(&builder, &toy());
        assert!(text.contains("`a[0].y` and 2 more"), "{text}");
    }

    #[test]
    fn an_input_or_output_that_nothing_is_connected_to_crashes_the_vendors_tools() {
        let mut builder = Builder::new("unused", "toy");
        builder.plio("lanes", &[4], Direction::Out, 64).gmio_output("sum");
        builder.kernels("a", &[], &[input("x", int32(4))]).connect("lanes[1]", "a.x");
        let outcome = crate::check(builder.expanded().unwrap(), &toy());
        assert!(outcome.value().is_none());
        assert_eq!(crate::testing::slugs(&outcome), ["check/unused-external"; 2]);
        let text = rendered(&builder, &toy());
        assert!(text.contains("`lanes[0]` and 2 more are not connected"), "{text}");
        assert!(text.contains("the output `sum` is not connected"), "{text}");
    }

    #[test]
    fn a_kernel_without_ports_and_collectives_does_nothing() {
        let mut builder = Builder::new("idle", "toy");
        builder.kernels("w", &[5], &[]).kernels("k", &[], &[]);
        builder.reduce(Reduce::over("total", &["w[0]", "w[1]", "w[2]"], int32(4)));
        assert_eq!(slugs_on_toy(&builder), ["check/idle-kernel"; 2]);
        let text = rendered(&builder, &toy());
        assert!(text.contains("`w[3]` and 1 more have no ports"), "{text}");
    }
}
