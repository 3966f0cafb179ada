//! Kernels that run in turn on one core: hand-made hangs, and random graphs against a simulator
//! that moves single words and begins the firings of a core one by one.

use aiec_collectives::Direction::{In, Out};
use aiec_ir::expanded::Expanded;
use aiec_ir::{Carries, KernelId, PortId};
use aiec_test_support::Builder;
use proptest::prelude::*;

use super::random::{Edge, KERNELS, Op, Wires, Words, builder, graph, programs};
use crate::context::Context;
use crate::orders;
use crate::testing::{rendered, slugs_on_toy, toy, window, words};

/// `first` and `last` are on one core, and `middle` on another.
fn on_one_core(mut builder: Builder) -> Builder {
    builder.runtime("first", 400).runtime("last", 400).place_relative("last", "first", (0, 0));
    builder
}

/// A stream leads through `middle`.
fn around(elements: u32, kind: fn(u32) -> Carries, fifo: u32) -> Builder {
    let mut builder = Builder::new("around", "toy");
    builder.gmio_input("i").gmio_output("o");
    builder.carrying("first", &[], &[(In, "x", window(elements)), (Out, "y", words(elements))]);
    builder.carrying("middle", &[], &[(In, "x", kind(elements)), (Out, "y", kind(elements))]);
    builder.carrying("last", &[], &[(In, "x", words(elements)), (Out, "y", window(elements))]);
    builder.connect("i", "first.x").connect("first.y", "middle.x").fifo(fifo);
    builder.connect("middle.y", "last.x").connect("last.y", "o");
    on_one_core(builder)
}

#[test]
fn a_stream_through_another_core_hangs_if_that_core_passes_it_on_in_step() {
    assert_eq!(slugs_on_toy(&around(512, words, 0)), ["check/may-hang"]);
    assert_eq!(slugs_on_toy(&around(512, words, 600)), [""; 0], "the FIFO takes what `first` writes");
    assert_eq!(slugs_on_toy(&around(512, window, 0)), [""; 0], "`middle` takes all before it gives");
    assert_eq!(slugs_on_toy(&around(8, words, 0)), [""; 0], "the ways hold as much");
    let text = rendered(&around(512, words, 0), &toy());
    for part in [
        "hangs if kernels read and write their streams in step: `first` and `last` run in turn on one core",
        "middle cannot write middle.y before last reads last.x; last begins only when first has ended",
        "give `last` a tile of its own",
    ] {
        assert!(text.replace("\n  \u{2502} ", " ").contains(part), "{part} is missing in\n{text}");
    }
}

/// One stream of `middle` to both kernels of the core.
fn multicast(elements: u32) -> Builder {
    let mut builder = Builder::new("both", "toy");
    builder.gmio_input("i").gmio_output("o").gmio_output("p");
    builder.carrying("middle", &[], &[(In, "x", window(elements)), (Out, "y", words(elements))]);
    builder.carrying("first", &[], &[(In, "x", words(elements)), (Out, "y", window(16))]);
    builder.carrying("last", &[], &[(In, "x", words(elements)), (Out, "y", window(16))]);
    builder.connect("i", "middle.x").connect("middle.y", "first.x").connect("middle.y", "last.x");
    builder.connect("first.y", "o").connect("last.y", "p");
    builder
}

#[test]
fn a_stream_to_two_kernels_of_a_core_hangs_in_every_order() {
    assert_eq!(slugs_on_toy(&on_one_core(multicast(8))), [""; 0], "the way holds as much");
    assert_eq!(slugs_on_toy(&on_one_core(multicast(64))), ["check/may-hang"], "on a short way");
    assert_eq!(slugs_on_toy(&on_one_core(multicast(512))), ["check/stream-hang"]);
    let text = rendered(&on_one_core(multicast(512)), &toy());
    let text = text.replace("\n  \u{2502} ", " ");
    for part in [
        "`first` and `last` run in turn on one core, and none of them ends, whichever begins",
        "first waits for data at first.x, which middle.y cannot send before last reads last.x",
    ] {
        assert!(text.contains(part), "{part} is missing in\n{text}");
    }
    assert_eq!(slugs_on_toy(&multicast(512)), [""; 0], "each has its own core");
}

#[test]
fn cores_of_equal_families_are_one_fault() {
    let mut builder = Builder::new("many", "toy");
    builder.gmio_input("i").carrying("first", &[3], &[(In, "x", window(512)), (Out, "y", words(512))]);
    builder.carrying("middle", &[3], &[(In, "x", words(512)), (Out, "y", words(512))]);
    builder.carrying("last", &[3], &[(In, "x", words(512))]);
    for at in 0..3 {
        builder.connect("i", &format!("first[{at}].x"));
        builder.connect(&format!("first[{at}].y"), &format!("middle[{at}].x"));
        builder.connect(&format!("middle[{at}].y"), &format!("last[{at}].x"));
        builder.place_relative(&format!("last[{at}]"), &format!("first[{at}]"), (0, 0));
    }
    builder.runtime("first", 400).runtime("last", 400);
    assert_eq!(slugs_on_toy(&builder), ["check/no-way-out", "check/may-hang"]);
    let text = rendered(&builder, &toy());
    assert!(text.contains("so do those of 2 more cores"), "{text}");
}

/// The run of a graph word by word, with two kernels on one core.
#[derive(Clone)]
struct Cores<'a> {
    programs: &'a [Vec<Op>],
    /// Operations of one firing of each kernel.
    firing: &'a [usize],
    core: &'a [KernelId],
    /// The kernel that has the core.
    turn: Option<KernelId>,
    wires: Wires,
    at: Vec<usize>,
}

impl Cores<'_> {
    fn settle(&mut self) {
        let mut moved = true;
        while moved {
            moved = false;
            for kernel in 0..self.programs.len() {
                let id = KernelId(u32::try_from(kernel).expect("few"));
                let shares = self.core.contains(&id);
                while (!shares || self.turn == Some(id))
                    && self.programs[kernel].get(self.at[kernel]).is_some_and(|&op| self.wires.carry_out(op))
                {
                    (moved, self.at[kernel]) = (true, self.at[kernel] + 1);
                    if shares && self.at[kernel].is_multiple_of(self.firing[kernel]) {
                        self.turn = None;
                    }
                }
            }
            moved |= self.wires.copy_windows();
        }
    }

    /// Begins any firing that ends, as long as there is one.
    fn finishes(mut self) -> bool {
        self.settle();
        loop {
            let begun = |&kernel: &KernelId| {
                let mut next = self.clone();
                next.turn = Some(kernel);
                let is_open = next.at[kernel.index()] < next.programs[kernel.index()].len();
                next.settle();
                (is_open && next.turn.is_none()).then_some(next)
            };
            match self.core.iter().find_map(begun) {
                Some(next) => self = next,
                None => break,
            }
        }
        self.at.iter().zip(self.programs).all(|(at, program)| *at == program.len())
    }
}

fn finishes(design: &Expanded, in_flight: u32, order: Words, in_memory: bool, core: &[KernelId]) -> bool {
    let nets: Vec<PortId> = design.ports.ids().filter(|&port| design.ports[port].direction == Out).collect();
    let programs = programs(design, &nets, order);
    let runs = design.kernels.iter().map(|kernel| 3 * kernel.repetitions as usize);
    let firing: Vec<usize> = programs.iter().zip(runs).map(|(program, runs)| program.len() / runs).collect();
    let wires = Wires::new(design, &nets, in_flight, in_memory);
    let at = vec![0; programs.len()];
    Cores { programs: &programs, firing: &firing, core, turn: None, wires, at }.finishes()
}

/// A graph with two of its kernels on one core.
fn shared() -> impl Strategy<Value = (Vec<Edge>, Vec<u32>, (usize, usize))> {
    let forward = |(edges, runs, _): (Vec<Edge>, Vec<u32>, bool)| {
        // Data that comes back to a core is another fault.
        let edges = edges
            .into_iter()
            .map(|(from, to, factor, a, b, fifo)| (from.min(to), from.max(to), factor, a, b, fifo));
        (edges.collect::<Vec<Edge>>(), runs)
    };
    let core = (0..KERNELS, 0..KERNELS).prop_filter("two kernels", |(a, b)| a != b);
    (graph().prop_map(forward), core).prop_map(|((edges, runs), core)| (edges, runs, core))
}

fn agrees((edges, runs, (a, b)): &(Vec<Edge>, Vec<u32>, (usize, usize))) -> Result<(), TestCaseError> {
    let mut builder = builder(&(edges.clone(), runs.clone(), false));
    let kernels = [format!("k{a}"), format!("k{b}")];
    kernels.iter().for_each(|kernel| {
        builder.runtime(kernel, 400);
    });
    builder.place_relative(&kernels[1], &kernels[0], (0, 0));
    let (design, device) = (builder.expanded().expect("every name is declared"), toy());
    let context = Context::new(&design, &device);
    let alone = design.alone();
    let Some(core) = orders::turns(&design).into_iter().next() else { return Ok(()) };
    if core.iter().any(|&kernel| alone[kernel].is_some()) {
        return Ok(());
    }
    let found = super::check(&context);
    let slugs: Vec<&str> = found.iter().map(|diagnostic| diagnostic.code.slug).collect();
    let most = device.switch.hop_words * u32::from(device.columns + device.rows);
    if slugs.contains(&"check/stream-hang") {
        for seed in 0..8 {
            let ends = finishes(&design, most, Words::Drawn(seed), false, &core);
            prop_assert!(!ends, "an order finishes: {found:?}");
        }
    } else if slugs.is_empty() {
        let steps = [Words::ReadsFirst, Words::WritesFirst];
        let ends = steps.iter().any(|&order| finishes(&design, 8, order, true, &core));
        prop_assert!(ends, "it stops: {edges:?} {runs:?} {core:?}");
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]
    #[test]
    fn verdicts_about_a_core_hold_in_a_run_word_by_word(graph in shared()) {
        agrees(&graph)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2048))]
    #[test]
    #[ignore = "long: 2048 random graphs"]
    fn verdicts_about_cores_of_many_graphs_hold_in_a_run_word_by_word(graph in shared()) {
        agrees(&graph)?;
    }
}
