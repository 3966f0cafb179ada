//! Rates: what a connection brings in one iteration of the graph, its consumer takes.
//!
//! A kernel takes one window of each synchronous port in every run, and the stated elements of each
//! stream. An asynchronous port passes as many windows as its code acquires; the design may state
//! that number (`windows`). `aiec_ir::rates` chooses the runs of each kernel in an iteration. This
//! check knows nothing of how: it compares both sides of every balance equation. Amounts that the
//! design does not state have no equation.
//!
//! A collective sends `chunks x calls` windows of its result in a run, and its consumer takes them
//! in one run. Windows that a consumer does not take stay in the buffers: the producer then waits
//! for ever for an empty buffer, or the windows belong to another run by then. An input or output
//! moves what its kernels pass, the same for all readers of an input. An ADF graph leaves the
//! amounts of inputs and outputs to its host program and data movers.
//!
//! The branches of a split take together what its trunk sends, and the trunk of a merge takes what
//! its branches send. A cascade states no amount. If its ends run unequally often, its kernels must
//! make up for it, so that is a warning.

use std::collections::{BTreeMap, BTreeSet};

use aiec_diag::Diagnostic;

use super::context::{Context, grouped};
use crate::errors::rates as errors;
use aiec_collectives::Direction;
use aiec_ir::expanded::{Expanded, PacketSwitch, PortRole, SwitchKind, Windows};
use aiec_ir::{Carries, ConnectionId, KernelId, PortId};

pub(super) fn check(context: &Context) -> Vec<Diagnostic> {
    let mut found = results(context);
    found.extend(stated(context));
    found.extend(unbalanced(context));
    if !context.expanded.is_adf() {
        found.extend(switches(context));
        found.extend(cascades(context));
        found.extend(readers(context));
        found.extend(amounts(context));
    }
    found
}

/// Connections between kernels whose balance equation does not hold.
fn unbalanced(context: &Context) -> Vec<Diagnostic> {
    let design = context.expanded;
    let faults = design.connections.enumerate().filter_map(|(id, connection)| {
        let [sent, taken] = [connection.from, connection.to].map(|port| end(context, port));
        let (sent, taken) = sent.zip(taken)?;
        let is_result = matches!(design.ports[connection.from].role, PortRole::Result(_));
        let free = connection.switch.is_some() || connection.collective.is_some() || is_result;
        (!free && sent.total() != taken.total()).then_some((connection.span, (id, sent, taken)))
    });
    let mut found: Vec<_> = grouped(faults).values().map(|ends| errors::unbalanced(design, ends)).collect();
    found.extend(design.collectives.iter().filter_map(|collective| {
        let runs = |kernel: KernelId| design.kernels[kernel].repetitions;
        let pair = collective.ranks.windows(2).find(|pair| runs(pair[0]) != runs(pair[1]))?;
        Some(errors::ranks_disagree(design, collective, [pair[0], pair[1]]))
    }));
    found
}

/// Splits and merges whose branches pass another amount in an iteration than the trunk, once for
/// each trunk.
fn switches(context: &Context) -> Vec<Diagnostic> {
    let (design, mut reported) = (context.expanded, BTreeSet::new());
    let faults = design.switches.iter().filter_map(|switch| {
        // A window as the trunk of a split is another fault.
        let writes_headers = design.ports[switch.trunk].window().is_none();
        let trunk =
            end(context, switch.trunk).filter(|_| writes_headers || switch.kind != SwitchKind::Split)?;
        let branches = whole(design, switch).into_iter();
        let branches = branches.map(|wire| end(context, design.connections[wire].other(switch.trunk)));
        let branches: Vec<errors::End> = branches.collect::<Option<_>>()?;
        let sum: u128 = branches.iter().map(|end| end.total()).sum();
        let is_fault = sum != trunk.total() && reported.insert(switch.trunk);
        is_fault.then_some((switch.span, (switch, trunk, branches)))
    });
    let groups = grouped(faults);
    groups
        .values()
        .map(|group| errors::switch_unbalanced(design, group[0].0, group[0].1, &group[0].2))
        .collect()
}

/// The connections that share the amount of the trunk: the branches of a split or merge, and those
/// with further ids of other splits there. Readers of one id get the same packets.
fn whole(design: &Expanded, switch: &PacketSwitch) -> Vec<ConnectionId> {
    let mut found: BTreeMap<u32, ConnectionId> = switch.numbered().collect();
    if switch.kind == SwitchKind::Split {
        for (id, readers) in design.branches_of_splits(switch.trunk) {
            readers.first().map(|&first| found.entry(id).or_insert(first));
        }
    }
    found.into_values().collect()
}

/// Cascades between kernels that run unequally often in an iteration. A design that states both
/// numbers of runs means them.
fn cascades(context: &Context) -> Vec<Diagnostic> {
    let design = context.expanded;
    let faults = design.connections.enumerate().filter_map(|(id, connection)| {
        let (from, to) = design.kernel_of(connection.from).zip(design.kernel_of(connection.to))?;
        let differ = design.kernels[from].repetitions != design.kernels[to].repetitions;
        let stated = [from, to].into_iter().all(|kernel| design.body(kernel).repetitions.is_some());
        (differ && !stated && design.goes_by_cascade(id)).then_some((connection.span, (id, [from, to])))
    });
    grouped(faults).values().map(|ends| errors::cascade_unbalanced(design, ends)).collect()
}

/// What a port passes. Returns None when it is an input or output, or its amount is unknown.
fn end(context: &Context, port: PortId) -> Option<errors::End> {
    let design = context.expanded;
    let runs = design.kernels[design.kernel_of(port)?].repetitions;
    Some(errors::End { port, bytes: design.bytes_per_run(port)?, runs })
}

/// Inputs and outputs whose amount nothing states: at streams without one, at the trunk of packets
/// without one, and as a branch, whose share is data. Host program and data movers must know it.
/// What a design connects with the ports of a component by itself may know more.
fn amounts(context: &Context) -> Vec<Diagnostic> {
    let design = context.expanded;
    if design.is_component {
        return Vec::new();
    }
    let is_open = |port: &PortId| design.is_stream(*port) && design.bytes_per_run(*port).is_none();
    let (mut open, mut branches) = (Vec::new(), Vec::new());
    for (id, external) in design.externals.enumerate() {
        let Some(&wire) = design.ports[external.port].connections.first() else { continue };
        let port = context.peer(external.port, wire);
        let found = match design.connections[wire].switch.map(|id| &design.switches[id]) {
            None => Some(port).filter(|&port| is_open(&port) && !design.joins_packets(port)),
            Some(switch) if switch.trunk != external.port => {
                branches.push(((external.family, switch.span), (id, switch)));
                None
            }
            Some(_) => {
                let peers = design.ports[external.port].connections.iter();
                let mut peers = peers.map(|&wire| context.peer(external.port, wire));
                peers.find(|port| {
                    let carries = design.ports[*port].carries;
                    matches!(carries, Some(Carries::Packets(_)))
                        && design.kernel_of(*port).is_some()
                        && is_open(port)
                })
            }
        };
        open.extend(found.map(|port| ((external.family, context.declaration(port)), (id, port))));
    }
    let open = grouped(open).into_values().map(|ends| errors::unknown_amount(design, &ends));
    let branches = grouped(branches).into_values().map(|ends| errors::unknown_share(design, &ends));
    open.chain(branches).collect()
}

/// Results of collectives that synchronous ports take.
fn results(context: &Context) -> Vec<Diagnostic> {
    let design = context.expanded;
    let faults = design.connections.enumerate().filter_map(|(id, connection)| {
        let PortRole::Result(collective) = design.ports[connection.from].role else { return None };
        let waits = design.kernel_of(connection.to).is_some() && !design.ports[connection.to].asynchronous;
        (waits && windows(context, collective) != 1).then_some((collective, id))
    });
    let groups = grouped(faults);
    let groups = groups.iter();
    groups
        .map(|(&id, connections)| {
            errors::rate_mismatch(design, &design.collectives[id], windows(context, id), connections)
        })
        .collect()
}

/// Numbers that `windows` states: they must agree for one port, and for both ends of a connection.
fn stated(context: &Context) -> Vec<Diagnostic> {
    let design = context.expanded;
    let twice = design.connections.enumerate().flat_map(|(id, connection)| {
        let ends = [(connection.from, &connection.windows.from), (connection.to, &connection.windows.to)];
        ends.into_iter().filter_map(move |(port, windows)| {
            let second = windows.as_ref()?;
            let first = design.ports[port].windows.as_ref()?;
            (first.value != second.value).then_some(((first.span, second.span), (port, id)))
        })
    });
    let twice = grouped(twice);
    let mut found: Vec<Diagnostic> = twice
        .iter()
        .map(|((first, second), ports)| {
            let (port, id) = ports[0];
            let connection = &design.connections[id];
            let Windows { from, to } = &connection.windows;
            let other = if connection.from == port { from } else { to };
            let numbers = (design.ports[port].windows.as_ref(), other.as_ref());
            errors::stated_twice(design, port, numbers.0.zip(numbers.1), *first, *second)
        })
        .collect();
    let results = design
        .connections
        .enumerate()
        .filter(|(_, connection)| matches!(design.ports[connection.from].role, PortRole::Result(_)));
    let apart = results.filter_map(|(id, connection)| {
        let Windows { from, to } = &connection.windows;
        let span = to.as_ref().or(from.as_ref())?.span;
        let sent = design.windows_per_run(connection.from)?;
        let taken = design.windows_per_run(connection.to)?;
        (sent != taken).then_some((span, (id, sent, taken)))
    });
    found.extend(grouped(apart).values().map(|ends| errors::ends_disagree(design, ends)));
    found
}

/// Inputs whose readers take different amounts in an iteration. Each reader gets all data of an
/// input.
fn readers(context: &Context) -> Vec<Diagnostic> {
    let design = context.expanded;
    let faults = design.externals.iter().filter_map(|external| {
        let connections = &design.ports[external.port].connections;
        let ends: Vec<errors::End> = connections
            .iter()
            // Each packet of a split goes to one branch.
            .filter(|&&id| design.connections[id].switch.is_none())
            .filter_map(|&id| {
                let port = design.connections[id].to;
                let block = design.ports[port].carries?.per_run()?.bytes();
                let windows = design.windows_per_run(port).unwrap_or(1);
                let runs = design.kernels[design.kernel_of(port)?].repetitions;
                Some(errors::End { port, bytes: block.saturating_mul(windows), runs })
            })
            .collect();
        let first = *ends.first()?;
        // Windows of different elements at an input are another fault.
        let alike = |end: &errors::End| {
            let [one, other] = [first.port, end.port].map(|port| design.ports[port].window());
            one.zip(other).is_none_or(|(one, other)| one.element == other.element)
        };
        let other = *ends.iter().find(|other| alike(other) && other.total() != first.total())?;
        (external.direction == Direction::Out).then_some((external.span, (external.port, [first, other])))
    });
    grouped(faults)
        .values()
        .map(|inputs| errors::readers_disagree(design, inputs[0].0, inputs[0].1))
        .collect()
}

/// Windows of the result in one run.
fn windows(context: &Context, collective: aiec_ir::CollectiveId) -> u64 {
    let collective = &context.expanded.collectives[collective];
    u64::from(collective.chunks()) * u64::from(collective.calls)
}

#[cfg(test)]
mod tests {
    use crate::testing::{pass_parameters, rendered, slugs_on_toy, toy};
    use aiec_collectives::Direction::{In, Out};
    use aiec_collectives::ElementType;
    use aiec_ir::{Accumulator, Carries, CascadeType, Flow, ParameterType};
    use aiec_test_support::{Builder, Reduce, input, int32, output};

    /// A reduction of `data` elements in windows of 64, `calls` times per run. Its result goes to
    /// `end`.
    fn design(data: u32, calls: u32, end: &str) -> Builder {
        let mut builder = Builder::new("rates", "toy");
        builder.kernels("worker", &[4], &[]).kernels("sink", &[], &[input("x", int32(64))]);
        let reduce = Reduce::over("total", &["worker"], int32(64)).data(int32(data)).calls(calls);
        builder.reduce(reduce).connect("total.result", end);
        builder
    }

    #[test]
    fn a_synchronous_port_takes_one_window_of_a_result() {
        assert_eq!(slugs_on_toy(&design(64, 1, "sink.x")), [""; 0]);
        assert_eq!(slugs_on_toy(&design(256, 1, "sink.x")), ["check/rate-mismatch"]);
        assert_eq!(slugs_on_toy(&design(64, 3, "sink.x")), ["check/rate-mismatch"]);
    }

    #[test]
    fn an_asynchronous_port_takes_what_it_acquires() {
        assert_eq!(slugs_on_toy(&design(256, 3, "async sink.x")), [""; 0]);
    }

    #[test]
    fn an_output_takes_every_window() {
        let mut builder = Builder::new("rates", "toy");
        builder.kernels("worker", &[4], &[]).gmio_output("sum");
        let reduce = Reduce::over("total", &["worker"], int32(64)).data(int32(256)).calls(3);
        builder.reduce(reduce).connect("total.result", "sum");
        assert_eq!(slugs_on_toy(&builder), [""; 0]);
    }

    /// An input that two kernels read, and a connection between kernels. `ends` states numbers of
    /// windows for their ends.
    fn edges(ends: &[(&str, &str)]) -> Builder {
        let mut builder = Builder::new("rates", "toy");
        builder.gmio_input("s").gmio_output("o");
        builder.kernels("a", &[], &[input("x", int32(64)), output("y", int32(64))]);
        builder.kernels("b", &[], &[input("x", int32(64)), output("y", int32(64))]);
        for (from, to) in ends {
            builder.connect(from, to);
        }
        builder
    }

    #[test]
    fn all_readers_of_an_input_take_the_same_number_of_windows() {
        let read = |a: &str, b: &str| {
            slugs_on_toy(edges(&[("s", a), ("s", b), ("a.y", "o"), ("b.y", "o2")]).gmio_output("o2"))
        };
        assert_eq!(read("async a.x windows 80", "async b.x windows 80"), [""; 0]);
        assert_eq!(read("async a.x", "b.x"), [""; 0], "both take one");
        assert_eq!(read("async a.x windows 80", "async b.x windows 40"), ["check/windows-disagree"]);
        assert_eq!(read("async a.x windows 80", "b.x"), ["check/windows-disagree"]);
        assert_eq!(read("async a.x", "async b.x windows 80"), ["check/windows-disagree"]);
    }

    /// The help states numbers of runs where no other equation gives them.
    #[test]
    fn a_reader_that_takes_less_in_a_run_can_run_more_often() {
        let read = |a: &str, b: &str| {
            let mut builder = edges(&[("s", a), ("s", b), ("a.y", "o"), ("b.y", "o2")]);
            rendered(builder.gmio_output("o2"), &toy()).split_whitespace().collect::<Vec<_>>().join(" ")
        };
        let text = read("async a.x windows 80", "b.x");
        assert!(text.contains("help: write `repetitions 80` in `b`, let all readers"), "{text}");
        let text = read("async a.x windows 4", "async b.x windows 6");
        assert!(text.contains("write `repetitions 3` in `a` and `repetitions 2` in `b`,"), "{text}");
        let mut joined = Builder::new("joined", "toy");
        joined.gmio_input("s").kernels("a", &[], &[input("x", int32(64)), output("y", int32(64))]);
        joined.kernels("b", &[], &[input("x", int32(64)), input("z", int32(64))]);
        joined.connect("s", "async a.x windows 4").connect("s", "b.x").connect("a.y", "b.z");
        let text = rendered(&joined, &toy());
        assert!(text.contains("sends all data to all its readers"), "{text}");
        assert!(!text.contains("repetitions"), "{text}");
    }

    #[test]
    fn what_one_kernel_sends_the_other_takes() {
        let between = |from: &str, to: &str| slugs_on_toy(&edges(&[("s", "a.x"), (from, to), ("b.y", "o")]));
        assert_eq!(between("async a.y windows 3", "async b.x windows 3"), [""; 0]);
        assert_eq!(between("async a.y windows 3", "async b.x"), [""; 0], "nobody says what b takes");
        assert_eq!(between("a.y", "async b.x windows 1"), [""; 0]);
    }

    /// The runs in an iteration of every kernel.
    fn runs(builder: &Builder) -> Vec<u32> {
        builder.expanded().unwrap().kernels.iter().map(|kernel| kernel.repetitions).collect()
    }

    #[test]
    fn kernels_run_as_often_as_balances_their_amounts() {
        let between = |from: &str, to: &str| {
            let design = edges(&[("s", "a.x"), (from, to), ("b.y", "o")]);
            assert_eq!(slugs_on_toy(&design), [""; 0]);
            runs(&design)
        };
        assert_eq!(between("async a.y windows 3", "async b.x windows 4"), [4, 3]);
        assert_eq!(between("async a.y windows 3", "b.x"), [1, 3]);
        assert_eq!(between("a.y", "async b.x windows 3"), [3, 1]);
    }

    /// `a` sends a window to `b`, and one over `c` to `b`.
    fn diamond(sizes: [u32; 6]) -> Builder {
        let [direct, way, c_in, c_out, b_direct, b_way] = sizes.map(int32);
        let mut builder = Builder::new("diamond", "toy");
        builder.kernels("a", &[], &[output("d", direct), output("w", way)]);
        builder.kernels("c", &[], &[input("x", c_in), output("y", c_out)]);
        builder.kernels("b", &[], &[input("d", b_direct), input("w", b_way)]);
        builder.connect("a.d", "b.d").connect("a.w", "c.x").connect("c.y", "b.w");
        builder
    }

    #[test]
    fn the_vendors_example_runs_three_and_two_times() {
        // UG1079, "Buffer Port Connection for Multirate Processing": 128 into 192.
        let mut builder = Builder::new("multirate", "toy");
        builder.kernels("a", &[], &[output("y", int32(128))]).kernels("b", &[], &[input("x", int32(192))]);
        builder.connect("a.y", "b.x");
        assert_eq!((slugs_on_toy(&builder), runs(&builder)), (vec![], vec![3, 2]));
    }

    #[test]
    fn two_paths_of_different_ratios_have_no_rates() {
        let even = diamond([64, 32, 16, 8, 64, 16]);
        assert_eq!((slugs_on_toy(&even), runs(&even)), (vec![], vec![1, 2, 1]));
        let odd = diamond([64, 32, 16, 8, 64, 32]);
        assert_eq!(slugs_on_toy(&odd), ["check/rate-mismatch"]);
        let text = rendered(&odd, &toy()).split_whitespace().collect::<Vec<_>>().join(" ").replace("│ ", "");
        assert!(text.contains("`c.y` sends 2 runs x 32 B = 64 B in an iteration"), "{text}");
        assert!(text.contains("`b.w` takes 1 run x 128 B = 128 B"), "{text}");
    }

    #[test]
    fn ranks_of_a_collective_run_equally_often() {
        let mut builder = Builder::new("ranks", "toy");
        builder.kernels("a", &[], &[output("y", int32(64))]).kernels("b", &[], &[input("x", int32(16))]);
        builder.connect("a.y", "b.x");
        assert_eq!(runs(&builder), [1, 4]);
        builder.reduce(Reduce::over("total", &["a", "b"], int32(16)));
        assert!(slugs_on_toy(&builder).contains(&"check/rate-mismatch"));
    }

    #[test]
    fn every_equation_of_random_chains_holds_and_no_smaller_numbers_do() {
        // Sizes of a chain of windows, drawn by a linear congruential generator.
        let mut state = 7_u32;
        let mut draw = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            4 * (1 + (state >> 24) % 12)
        };
        for _ in 0..200 {
            let sizes: Vec<(u32, u32)> = (0..4).map(|_| (draw(), draw())).collect();
            let mut builder = Builder::new("chain", "toy");
            for at in 0..5_usize {
                let name = format!("k{at}");
                let into = (at > 0).then(|| input("x", int32(sizes[at - 1].1)));
                let out = (at < 4).then(|| output("y", int32(sizes[at].0)));
                let ports: Vec<_> = into.into_iter().chain(out).collect();
                builder.kernels(&name, &[], &ports);
            }
            for at in 0..4 {
                builder.connect(&format!("k{at}.y"), &format!("k{}.x", at + 1));
            }
            let runs = runs(&builder);
            for (at, &(sent, taken)) in sizes.iter().enumerate() {
                assert_eq!(runs[at] * sent, runs[at + 1] * taken, "{sizes:?}");
            }
            let divisor = runs.iter().fold(0, |d, &n| aiec_ir::rates::gcd(d, n.into()));
            assert_eq!(divisor, 1, "{sizes:?}");
        }
    }

    #[test]
    fn a_port_has_one_number_however_often_it_is_said() {
        let twice = |second: &str| {
            slugs_on_toy(
                edges(&[("s", "a.x"), ("async a.y windows 3", "async b.x"), (second, "o"), ("b.y", "p")])
                    .gmio_output("p"),
            )
        };
        assert_eq!(twice("async a.y windows 3"), [""; 0]);
        assert_eq!(twice("async a.y"), [""; 0]);
        assert_eq!(twice("async a.y windows 4"), ["check/windows-disagree"]);
    }

    #[test]
    fn a_result_and_its_reader_agree() {
        assert_eq!(slugs_on_toy(&design(256, 3, "async sink.x windows 12")), [""; 0]);
        assert_eq!(slugs_on_toy(&design(256, 3, "async sink.x windows 4")), ["check/rate-mismatch"]);
    }

    #[test]
    fn both_numbers_and_the_way_out_are_named() {
        let text = rendered(&design(256, 3, "sink.x"), &toy());
        assert!(text.contains("sends 12 windows in every run (4 for each of 3 calls)"), "{text}");
        assert!(text.contains("`connect total.result -> async sink.x`"), "{text}");
    }

    /// `deal` sends packets of `sent` words in a run to two workers, which take 16 each.
    fn dealt(sent: u32) -> Builder {
        let packets = |words| Carries::Packets(Flow { element: ElementType::Int32, per_run: Some(words) });
        let window = |elements| Carries::window_of(int32(elements));
        let mut builder = Builder::new("dealt", "toy");
        builder.gmio_input("i").gmio_output("o");
        builder.carrying("deal", &[], &[(In, "x", window(64)), (Out, "p", packets(sent))]);
        builder.carrying("w", &[2], &[(In, "x", packets(16)), (Out, "y", packets(16))]);
        builder.carrying("join", &[], &[(In, "x", packets(32)), (Out, "y", window(64))]);
        builder.connect("i", "deal.x").split("deal.p", &["w[0].x", "w[1].x"]);
        builder.merge(&["w[0].y", "w[1].y"], "join.x").connect("join.y", "o");
        builder
    }

    #[test]
    fn readers_of_one_number_take_their_amount_once() {
        let packets = |words| Carries::Packets(Flow { element: ElementType::Int32, per_run: Some(words) });
        let slugs = |sent: u32| {
            let mut builder = Builder::new("shared", "toy");
            builder.gmio_input("i").plio("o", &[4], In, 32);
            builder.carrying(
                "deal",
                &[],
                &[(In, "x", Carries::window_of(int32(64))), (Out, "p", packets(sent))],
            );
            builder.carrying("w", &[4], &[(In, "x", packets(16)), (Out, "y", Carries::window_of(int32(16)))]);
            builder.connect("i", "deal.x").split("deal.p", &["w[0].x", "w[1].x"]);
            builder.split_from(1, "deal.p", &["w[2].x", "w[3].x"]);
            (0..4).for_each(|at| _ = builder.connect(&format!("w[{at}].y"), &format!("o[{at}]")));
            slugs_on_toy(&builder)
        };
        assert_eq!(slugs(48), [""; 0]);
        assert_eq!(slugs(64), ["check/rate-mismatch"]);
    }

    #[test]
    fn the_branches_of_a_split_take_what_its_trunk_sends() {
        assert_eq!(slugs_on_toy(&dealt(32)), [""; 0]);
        assert_eq!(slugs_on_toy(&dealt(64)), ["check/rate-mismatch"]);
        let text = rendered(&dealt(64), &toy());
        for part in
            ["1 run x 256 B = 256 B", "128 B in all", "write `repetitions 2` in the kernels of the branches"]
        {
            assert!(text.contains(part), "{part} is missing in\n{text}");
        }
        assert!(rendered(&dealt(16), &toy()).contains("write `repetitions 2` in `deal`"));
        let text = rendered(&dealt(48), &toy());
        assert!(text.contains("let a run of each pass other amounts"), "{text}");
    }

    #[test]
    fn the_share_of_a_branch_outside_the_array_is_unknown() {
        let packets = Carries::Packets(Flow { element: ElementType::Int32, per_run: Some(16) });
        let mut split = Builder::new("outside", "toy");
        split.gmio_input("i").plio("o", &[2], In, 32);
        split.carrying("a", &[], &[(In, "x", Carries::window_of(int32(16))), (Out, "p", packets)]);
        split.connect("i", "a.x").split("a.p", &["o[0]", "o[1]"]);
        assert_eq!(slugs_on_toy(&split), ["check/stream-amount"]);
        let text = rendered(&split, &toy());
        assert!(
            text.contains("the output `o[0]` and 1 more") && text.contains("branch of a split"),
            "{text}"
        );
        let mut merge = Builder::new("outside", "toy");
        merge.plio("i", &[2], Out, 32).gmio_output("o");
        let window = Carries::window_of(int32(16));
        merge.carrying("a", &[], &[(In, "p", window), (Out, "y", window)]);
        merge.merge(&["i[0]", "i[1]"], "a.p").connect("a.y", "o");
        assert_eq!(slugs_on_toy(&merge), ["check/stream-amount"]);
    }

    /// `a` runs once in an iteration and `b` four times. Both have a synchronous parameter.
    #[test]
    fn a_kernel_that_runs_several_times_needs_a_value_for_each_run() {
        let value = Carries::Parameter(ParameterType { element: ElementType::Int32, elements: None });
        let window = |elements| Carries::window_of(int32(elements));
        let design = |asynchronous: bool| {
            let mut builder = Builder::new("values", "toy");
            builder.gmio_input("i").gmio_output("o");
            builder.carrying("a", &[], &[(In, "x", window(16)), (Out, "y", window(16)), (Out, "p", value)]);
            builder.carrying("b", &[], &[(In, "x", window(4)), (In, "p", value), (Out, "y", window(4))]);
            builder.connect("i", "a.x").connect("a.y", "b.x").connect("a.p", "b.p").connect("b.y", "o");
            let mut design = builder.expanded().expect("a design");
            pass_parameters(&mut design, asynchronous);
            crate::check(design, &toy())
        };
        let held_up = design(false);
        let [fault] = held_up.diagnostics() else { panic!("{:?}", held_up.diagnostics()) };
        assert_eq!(fault.code.slug, "check/rate-mismatch");
        assert!(fault.message.contains("`b` runs 4 times in an iteration"), "{}", fault.message);
        assert!(fault.message.contains("gets 1 value"), "{}", fault.message);
        assert!(fault.help.contains("`p: parameter int32 async`"), "{}", fault.help);
        assert!(design(true).diagnostics().is_empty(), "it keeps its value");
    }

    /// `a` runs four times in an iteration and `b` once, with a parameter from `a` to `b`.
    #[test]
    fn a_kernel_waits_for_the_reader_of_its_parameter_when_both_buffers_are_full() {
        let value = Carries::Parameter(ParameterType { element: ElementType::Int32, elements: None });
        let window = |elements| Carries::window_of(int32(elements));
        let slugs = |iterations: u32, ways: [bool; 2]| {
            let mut builder = Builder::new("values", "toy");
            builder.gmio_input("i").gmio_output("o");
            builder.carrying("a", &[], &[(In, "x", window(4)), (Out, "y", window(4)), (Out, "p", value)]);
            builder.carrying("b", &[], &[(In, "x", window(16)), (In, "p", value), (Out, "y", window(16))]);
            builder.connect("i", "a.x").connect("a.y", "b.x").connect("a.p", "b.p").connect("b.y", "o");
            let mut design = builder.expanded().expect("a design");
            design.iterations = iterations;
            let ends = [
                design.kernels[aiec_ir::KernelId(0)].outputs[1],
                design.kernels[aiec_ir::KernelId(1)].inputs[1],
            ];
            ends.into_iter().zip(ways).for_each(|(port, way)| design.ports[port].asynchronous = way);
            let outcome = crate::check(design, &toy());
            outcome.diagnostics().iter().map(|fault| fault.code.slug).collect::<Vec<_>>()
        };
        assert_eq!(slugs(2, [false, false]), ["check/rate-mismatch"], "6 values are left, and 2 fit");
        assert_eq!(slugs(2, [true, true]), [""; 0], "nobody waits");
        assert_eq!(slugs(2, [true, false]), ["check/parameter-type"], "one waits for the other");
    }

    #[test]
    fn the_ends_of_a_cascade_run_equally_often() {
        let window = |elements| Carries::window_of(int32(elements));
        let cascade = Carries::Cascade(CascadeType::Accumulator(Accumulator::Acc48));
        let design = |taken| {
            let mut builder = Builder::new("unequal", "toy");
            builder.gmio_input("i").gmio_input("j").gmio_output("o");
            builder.carrying("a", &[], &[(In, "x", window(64)), (Out, "c", cascade)]);
            builder.carrying("b", &[], &[(In, "c", cascade), (In, "x", window(64)), (Out, "y", window(128))]);
            builder.carrying("d", &[], &[(In, "y", window(taken)), (Out, "z", window(64))]);
            builder.connect("i", "a.x").connect("j", "b.x").connect("a.c", "b.c");
            builder.connect("b.y", "d.y").connect("d.z", "o");
            builder
        };
        assert_eq!(slugs_on_toy(&design(128)), [""; 0]);
        assert_eq!(slugs_on_toy(&design(384)), ["check/may-hang"]);
        let text = rendered(&design(384), &toy());
        assert!(text.contains("`a` runs 1 time") && text.contains("write `repetitions 3` in `a`"), "{text}");
    }
}
