//! Kinds of ports: the ends of a connection carry the same, or what a DMA or a packet switch
//! converts (UG1079, "Connections", "Explicit Packet Switching").

use std::collections::BTreeMap;

use aiec_diag::Diagnostic;

use super::context::{Context, grouped};
use crate::errors::kinds::{self as errors, Misfit};
use aiec_ir::expanded::{Connection, Expanded, Owner, PacketSwitch, SwitchKind};
use aiec_ir::{Carries, ConnectionId, PortId, SubgraphId, SwitchId};

pub(super) fn check(context: &Context) -> Vec<Diagnostic> {
    let design = context.expanded;
    // aiec itself makes those of collectives.
    let users = design.connections.enumerate().filter(|(_, connection)| connection.collective.is_none());
    let misfits = users.filter_map(|(id, connection)| {
        let misfit = misfit(design, connection)?;
        Some(((connection.span, misfit), (id, misfit)))
    });
    let groups = grouped(misfits);
    let mut found: Vec<Diagnostic> = groups
        .values()
        .map(|connections| {
            errors::kind_mismatch(design, connections[0].0, connections[0].1, connections.len())
        })
        .collect();
    found.extend(cascade_types(context));
    found.extend(shared_ends(context));
    found.extend(branch_types(context));
    if !design.is_adf() {
        found.extend(gaps(design));
        found.extend(stream_types(context));
    }
    found
}

fn misfit(design: &Expanded, connection: &Connection) -> Option<Misfit> {
    let ends = [connection.from, connection.to];
    let [from, to] = ends.map(|port| design.ports[port].carries);
    let outside = ends.map(|port| matches!(design.ports[port].owner, Owner::External(_)));
    let (from, to) = (from?, to?);
    if [from, to].iter().any(|end| matches!(end, Carries::Parameter(_))) {
        return None; // the check of parameters compares both ends
    }
    let is = |test: fn(&Carries) -> bool| (test(&from), test(&to));
    if let (true, _) | (_, true) = is(|end| matches!(end, Carries::Cascade(_))) {
        let both = design.is_cascade(connection.from) && design.is_cascade(connection.to);
        return (!both || connection.switch.is_some()).then_some(Misfit::Cascade);
    }
    let is_stream = |end: Carries, outside: bool| matches!(end, Carries::Stream(_)) && !outside;
    let is_packets = |end: Carries| matches!(end, Carries::Packets(_));
    match connection.switch.map(|switch| design.switches[switch].kind) {
        None => (is_packets(from) != is_packets(to)).then_some(Misfit::Packets),
        Some(SwitchKind::Split) if !is_packets(from) => Some(Misfit::Split),
        Some(SwitchKind::Split) => is_stream(to, outside[1]).then_some(Misfit::Branch),
        Some(SwitchKind::Merge | SwitchKind::OrderedMerge) => match () {
            () if is_stream(to, outside[1]) => Some(Misfit::Merge),
            () => is_stream(from, outside[0]).then_some(Misfit::Branch),
        },
    }
}

/// Cascades whose ends have different types.
fn cascade_types(context: &Context) -> Vec<Diagnostic> {
    let design = context.expanded;
    let faults = design.connections.enumerate().filter_map(|(id, connection)| {
        let ends = [connection.from, connection.to].map(|port| match design.ports[port].carries {
            Some(Carries::Cascade(lanes)) => Some(lanes),
            _ => None,
        });
        let [Some(from), Some(to)] = ends else { return None };
        (from != to && !design.is_adf()).then_some((connection.span, id))
    });
    let groups = grouped(faults);
    groups.values().map(|connections| errors::cascade_types(design, connections)).collect()
}

/// Splits of an input and merges into an output whose branches have different element types: data
/// and host have one type.
fn branch_types(context: &Context) -> Vec<Diagnostic> {
    let design = context.expanded;
    let fault = |switch: &PacketSwitch| {
        let is_outside = matches!(design.ports[switch.trunk].owner, Owner::External(_));
        let far = switch.branches.iter().map(|&id| design.connections[id].other(switch.trunk));
        let mut typed = far.filter_map(|port| Some((port, design.ports[port].carries?.element()?)));
        let first = typed.next().filter(|_| is_outside && !design.is_adf())?;
        let other = typed.find(|(_, element)| *element != first.1)?;
        Some(errors::branch_types(design, switch, [first, other]))
    };
    design.switches.iter().filter_map(fault).collect()
}

/// Streams and packets between kernels with other elements at their two ends, which pass as the
/// bits that they are. Two windows of other types are an error.
fn stream_types(context: &Context) -> Vec<Diagnostic> {
    let design = context.expanded;
    let faults = design.connections.enumerate().filter_map(|(id, wire)| {
        let ends = [wire.from, wire.to];
        let is_inside =
            ends.iter().all(|&port| design.kernel_of(port).is_some()) && wire.collective.is_none();
        let [from, to] = ends.map(|port| design.ports[port].carries);
        let flows =
            |carries: Option<Carries>| matches!(carries, Some(Carries::Stream(_) | Carries::Packets(_)));
        let differ = from?.element()? != to?.element()? && (flows(from) || flows(to));
        (is_inside && differ).then_some((wire.span, id))
    });
    grouped(faults).values().map(|wires| errors::stream_types(design, wires)).collect()
}

/// Ports of a split or merge that have another connection besides: a trunk has the connections of
/// its merge, or of all splits that it feeds; a branch has one.
fn shared_ends(context: &Context) -> Vec<Diagnostic> {
    let design = context.expanded;
    let stray = |port: PortId| {
        let connections = &design.ports[port].connections;
        let switched = |&&id: &&ConnectionId| design.connections[id].switch.is_some();
        let branch = *connections.iter().find(switched)?;
        let switch = design.connections[branch].switch?;
        let is_trunk = design.switches[switch].trunk == port;
        let is_split = design.switches[switch].kind == SwitchKind::Split;
        // A stream that feeds several splits goes to all of them.
        let joins = |other: SwitchId| other == switch || (is_split && design.switches[other].trunk == port);
        let belongs =
            |id: ConnectionId| id == branch || (is_trunk && design.connections[id].switch.is_some_and(joins));
        let other = connections.iter().copied().find(|&id| !belongs(id))?;
        let spans = (design.connections[branch].span, design.connections[other].span);
        Some((spans, (port, branch, other)))
    };
    let groups = grouped(design.ports.ids().filter_map(stray));
    groups.values().map(|ports| errors::packet_ends(design, ports)).collect()
}

/// Splits that begin at a number while no split of their port and component has the one before it.
/// A graph may leave outputs of a `pktsplit` open.
fn gaps(design: &Expanded) -> Vec<Diagnostic> {
    let mut splits: BTreeMap<(PortId, Option<SubgraphId>), Vec<SwitchId>> = BTreeMap::new();
    for (id, switch) in design.switches.enumerate().filter(|(_, switch)| switch.kind == SwitchKind::Split) {
        splits.entry((switch.trunk, switch.way.level)).or_default().push(id);
    }
    let fault = |mut all: Vec<SwitchId>| {
        all.sort_by_key(|&id| design.switches[id].first);
        let mut next = 0;
        for switch in all.into_iter().map(|id| &design.switches[id]) {
            if switch.first > next {
                return Some((switch.span, (switch, next)));
            }
            next = next.max(switch.ways());
        }
        None
    };
    let groups = grouped(splits.into_values().filter_map(fault));
    groups.values().map(|faults| errors::branch_gap(design, faults[0].0, faults[0].1)).collect()
}

#[cfg(test)]
mod tests {
    use crate::testing::{rendered, slugs_on_toy, toy};
    use aiec_collectives::{Direction, ElementType, WindowType};
    use aiec_ir::{Accumulator, CascadeType};
    use aiec_ir::{Carries, Flow};
    use aiec_test_support::{Builder, input, int32, output};

    const INT32: Flow = Flow { element: ElementType::Int32, per_run: None };
    const LANES: Carries = Carries::Cascade(CascadeType::Accumulator(Accumulator::Acc48));

    /// Kernel `a` gives to `b`, which gives to an output.
    fn pair(from: Carries, to: Carries) -> Builder {
        let mut builder = Builder::new("pair", "toy");
        builder.kernels("a", &[], &[output("y", int32(16))]).carries("a", "y", from);
        builder.kernels("b", &[], &[input("x", int32(16)), output("y", int32(16))]).carries("b", "x", to);
        builder.gmio_output("o").connect("b.y", "o");
        builder
    }

    fn connected(from: Carries, to: Carries) -> Vec<&'static str> {
        slugs_on_toy(pair(from, to).connect("a.y", "b.x"))
    }

    #[test]
    fn a_stream_of_other_elements_is_a_warning_that_names_both() {
        let float = Carries::Stream(Flow { element: ElementType::Float, per_run: None });
        let window = Carries::window_of(int32(16));
        assert_eq!(connected(Carries::Stream(INT32), float), ["check/stream-types"]);
        assert_eq!(connected(window, float), ["check/stream-types"]);
        let text = rendered(pair(Carries::Stream(INT32), float).connect("a.y", "b.x"), &toy());
        assert!(text.contains("`a.y -> b.x`: `stream int32` at one end and `stream float`"), "{text}");
    }

    #[test]
    fn a_dma_turns_streams_into_windows_and_nothing_else() {
        let window = Carries::window_of(int32(16));
        let (stream, packets) = (Carries::Stream(INT32), Carries::Packets(INT32));
        assert_eq!(connected(stream, window), [""; 0]);
        assert_eq!(connected(window, stream), [""; 0]);
        assert_eq!(connected(packets, packets), [""; 0]);
        assert_eq!(connected(LANES, LANES), [""; 0]);
        for (from, to) in [(packets, window), (stream, packets), (LANES, stream), (window, LANES)] {
            assert_eq!(connected(from, to), ["check/kind-mismatch"], "{from} to {to}");
        }
    }

    #[test]
    fn both_ends_of_a_cascade_have_one_type() {
        let other = Carries::Cascade(CascadeType::Accumulator(Accumulator::Acc80));
        assert_eq!(connected(LANES, other), ["check/type-mismatch"]);
    }

    #[test]
    fn a_cascade_reaches_no_output() {
        let mut builder = Builder::new("out", "toy");
        builder.kernels("a", &[], &[output("y", int32(16))]).carries("a", "y", LANES);
        builder.plio("o", &[], Direction::In, 32).connect("a.y", "o");
        assert_eq!(slugs_on_toy(&builder), ["check/kind-mismatch"]);
    }

    #[test]
    fn branches_are_windows_or_packets() {
        let design = |port: &str, carries: Carries| {
            let mut builder = Builder::new("split", "toy");
            builder.kernels("w", &[2], &[input("x", int32(16)), output("y", int32(16))]);
            builder.carries("w", port, carries).plio_input("i", 32).plio_output("o", 32);
            builder.split("i", &["w[0].x", "w[1].x"]).merge(&["w[0].y", "w[1].y"], "o");
            builder
        };
        let split = |carries: Carries| slugs_on_toy(&design("x", carries));
        assert_eq!(split(Carries::window_of(int32(16))), [""; 0]);
        assert_eq!(split(Carries::Packets(Flow { per_run: Some(16), ..INT32 })), [""; 0]);
        assert_eq!(split(Carries::Packets(INT32)), ["check/stream-amount"], "of the input");
        for (port, end) in [("x", "the input `i` is unknown"), ("y", "the output `o` is unknown")] {
            let text = rendered(&design(port, Carries::Packets(INT32)), &toy());
            let help = format!("write the elements of one run: `{port}: packets int32[N]`");
            assert!(text.contains(end) && text.contains(&help), "{text}");
        }
        assert_eq!(split(Carries::Stream(INT32)), ["check/kind-mismatch"]);
    }

    /// An input or output has one type: that of its data.
    #[test]
    fn branches_of_an_input_or_output_have_one_type() {
        let design = |element| {
            let window = WindowType { element, elements: 32 };
            let mut builder = Builder::new("split", "toy");
            builder.kernels("w", &[], &[input("x", int32(16)), output("y", int32(16))]);
            builder.kernels("v", &[], &[input("x", window), output("y", window)]);
            builder.plio_input("i", 32).plio_output("o", 32);
            builder.split("i", &["w.x", "v.x"]).merge(&["w.y", "v.y"], "o");
            builder
        };
        assert_eq!(slugs_on_toy(&design(ElementType::Int32)), [""; 0]);
        let mixed = design(ElementType::Int16);
        assert_eq!(slugs_on_toy(&mixed), ["check/type-mismatch", "check/type-mismatch"]);
        let text = rendered(&mixed, &toy());
        assert!(text.contains("the branches of `o` have different element types: int32 and int16"), "{text}");
    }

    #[test]
    fn the_producer_of_a_split_writes_headers() {
        let split = |carries: Carries| {
            let mut builder = Builder::new("split", "toy");
            builder.kernels("a", &[], &[output("y", int32(16))]).carries("a", "y", carries);
            builder.kernels("w", &[2], &[input("x", int32(16)), output("y", int32(16))]);
            builder.plio("o", &[2], Direction::In, 32).connect("w[0].y", "o[0]").connect("w[1].y", "o[1]");
            slugs_on_toy(builder.split("a.y", &["w[0].x", "w[1].x"]))
        };
        assert_eq!(split(Carries::Packets(INT32)), [""; 0]);
        assert_eq!(split(Carries::window_of(int32(16))), ["check/kind-mismatch"]);
    }

    #[test]
    fn a_port_feeds_several_splits_but_takes_one_merge() {
        let mut builder = Builder::new("multicast", "toy");
        builder.kernels("w", &[4], &[input("x", int32(16)), output("y", int32(16))]);
        builder.plio_input("i", 32).plio("o", &[2], Direction::In, 32);
        builder.split("i", &["w[0].x", "w[1].x"]).split("i", &["w[2].x", "w[3].x"]);
        builder.merge(&["w[0].y", "w[1].y"], "o[0]");
        let mut twice = builder.clone();
        assert_eq!(slugs_on_toy(builder.merge(&["w[2].y", "w[3].y"], "o[1]")), [""; 0]);
        assert!(slugs_on_toy(twice.merge(&["w[2].y", "w[3].y"], "o[0]")).contains(&"check/packet-ends"));
    }

    #[test]
    fn splits_of_a_port_share_its_numbers_without_a_gap() {
        let slugs = |first: [u32; 2]| {
            let mut builder = Builder::new("numbers", "toy");
            builder.kernels("w", &[4], &[input("x", int32(16)), output("y", int32(16))]);
            builder.plio_input("i", 32).plio("o", &[1], Direction::In, 32);
            builder.split_from(first[0], "i", &["w[0].x", "w[1].x"]);
            builder.split_from(first[1], "i", &["w[2].x", "w[3].x"]);
            slugs_on_toy(builder.merge(&["w[0].y", "w[1].y", "w[2].y", "w[3].y"], "o[0]"))
        };
        for legal in [[0, 0], [0, 1], [0, 2], [2, 0]] {
            assert_eq!(slugs(legal), [""; 0], "{legal:?}");
        }
        for gap in [[1, 1], [1, 2], [2, 1], [0, 31]] {
            assert_eq!(slugs(gap), ["check/branch-gap"], "{gap:?}");
        }
    }

    #[test]
    fn a_port_of_a_split_or_merge_has_no_other_connection() {
        let mut builder = Builder::new("both", "toy");
        builder.kernels("w", &[3], &[input("x", int32(16)), output("y", int32(16))]);
        builder.plio_input("i", 32).plio("o", &[3], Direction::In, 32);
        builder.split("i", &["w[0].x", "w[1].x"]).connect("i", "w[2].x");
        for at in 0..3 {
            builder.connect(&format!("w[{at}].y"), &format!("o[{at}]"));
        }
        assert!(slugs_on_toy(&builder).contains(&"check/packet-ends"));
    }
}
