//! A stopped search returns a placement if one is at hand, and a message about the time otherwise.
//! It keeps earlier results: neither more time nor more effort gives a worse placement.

#![allow(clippy::disallowed_methods, reason = "a test bounds the time of a stopped search")]

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Instant;

use crate::support::*;
use aiec_check::Checked;
use aiec_device::Device;
use aiec_diag::Outcome;
use aiec_ir::WindowType;
use aiec_placer::{
    Basis, Found, Objective, PlaceOptions, Progress, Terms, Tools, Watch, Workers, place, search, verify,
};
use aiec_test_support::{Builder, input, int32, output};

/// Stops a search after N questions.
struct Impatient(AtomicU32);

impl Watch for Impatient {
    fn stopped(&self) -> bool {
        let left = |questions: u32| Some(questions.saturating_sub(1));
        self.0.fetch_update(Ordering::SeqCst, Ordering::SeqCst, left) == Ok(0)
    }

    fn progress(&self, _: &Progress) {}
}

/// A search whose time is over asks a few times in each part, and does little between two
/// questions. To find memory for the windows of the tree takes tens of millions of moves. Where a
/// placement is at hand, the layout of its buffers asks once for each of the 400 modules.
#[test]
fn a_search_whose_time_is_over_ends_every_part_at_once() {
    let device = vc1902();
    let mut bound = tree(31, 2, int32(256));
    bound.region(&["worker"], (3, 0), (8, 7)).apart(&["worker[3]", "worker[4]"]);
    for (builder, questions) in [(bound, 420), (heavy_tree(300), 16)] {
        let design = checked(&builder, &device);
        let watch = &Past(AtomicU32::new(0));
        let outcome = search(&design, &device, &QUICK, &Basis::NOTHING, &Tools { watch, ..Tools::ALONE });
        assert!(outcome.value().is_none_or(|found| found.cut_short), "{}", design.name.value);
        let asked = watch.0.load(Ordering::SeqCst);
        assert!(asked < questions, "{} asks {asked} times", design.name.value);
    }
}

/// Stops a search from the start, and counts its questions.
struct Past(AtomicU32);

impl Watch for Past {
    fn stopped(&self) -> bool {
        self.0.fetch_add(1, Ordering::SeqCst);
        true
    }
}

/// A search that is stopped after `questions`.
fn stopped(design: &Checked, device: &Device, questions: u32) -> Outcome<Found> {
    let watch = &Impatient(AtomicU32::new(questions));
    let tools = Tools { watch, ..Tools::ALONE };
    search(design, device, &QUICK, &Basis::NOTHING, &tools)
}

#[test]
fn where_windows_need_most_of_the_memory_the_first_placement_lies_along_rows() {
    let device = vc1902();
    let design = checked(&heavy_tree(200), &device);
    let found = value(stopped(&design, &device, 131_072));
    value(verify(&design, &device, found.placement));
}

/// A binary tree of `kernels` kernels with windows of 12 KiB. A module holds the two buffers of one
/// window.
fn heavy_tree(kernels: u32) -> Builder {
    let window = int32(3072);
    let mut builder = Builder::new("tree", "xcvc1902");
    for kernel in 0..kernels {
        let children = [("l", 2 * kernel + 1), ("r", 2 * kernel + 2)];
        let children = children.into_iter().filter(|&(_, child)| child < kernels);
        let mut ports: Vec<_> = children.map(|(port, _)| input(port, window)).collect();
        ports.extend((kernel > 0).then(|| output("y", window)));
        builder.kernels(&format!("k{kernel}"), &[], &ports);
    }
    for child in 1..kernels {
        let port = if child % 2 == 1 { "l" } else { "r" };
        builder.connect(&format!("k{child}.y"), &format!("k{}.{port}", (child - 1) / 2));
    }
    builder
}

#[test]
#[ignore = "long: searches for seconds"]
fn a_search_of_a_small_design_is_stopped_with_a_legal_placement() {
    let mut bound = tree(31, 2, int32(256));
    bound.region(&["worker"], (3, 0), (8, 7)).apart(&["worker[3]", "worker[4]"]);
    stop_and_verify([bound]);
}

#[test]
#[ignore = "long: searches hundreds of kernels"]
fn whenever_a_search_is_stopped_there_is_a_legal_placement() {
    stop_and_verify([thesis(8192), random_graph(100, 1), pipelines(20, 8), tree(200, 3, int32(256))]);
}

/// Stops each search after the moves of a few hundredths of a second, and later, and verifies what
/// it found.
fn stop_and_verify<const N: usize>(designs: [Builder; N]) {
    let device = vc1902();
    for builder in designs {
        let design = checked(&builder, &device);
        for questions in [64, 640] {
            let found = value(stopped(&design, &device, questions));
            value(verify(&design, &device, found.placement));
            assert!(found.cut_short, "{} after {questions}", design.name.value);
        }
    }
}

/// A butterfly with `stages` layers of `1 << bits` lanes.
fn butterfly(bits: u32, stages: u32, window: WindowType) -> Builder {
    let lanes = 1 << bits;
    let mut builder = Builder::new("butterfly", "xcvc1902");
    for stage in 0..stages {
        let into = (stage > 0).then(|| [input("a", window), input("b", window)]).into_iter().flatten();
        let out = (stage + 1 < stages).then(|| [output("x", window), output("y", window)]);
        let ports: Vec<_> = into.chain(out.into_iter().flatten()).collect();
        builder.kernels(&format!("s{stage}"), &[lanes], &ports);
    }
    for (stage, lane) in (1..stages).flat_map(|stage| (0..lanes).map(move |lane| (stage, lane))) {
        let (before, across) = (format!("s{}[{lane}]", stage - 1), lane ^ 1 << (stage % bits));
        builder.connect(&format!("{before}.x"), &format!("s{stage}[{lane}].a"));
        builder.connect(&format!("{before}.y"), &format!("s{stage}[{across}].b"));
    }
    builder
}

/// Designs with structure, in which nearly all memory is taken. Unstopped, a first legal placement
/// of the trees takes a quarter of a minute. The bound on seconds is generous for loaded machines;
/// `tiles/tests.rs` counts the moves.
#[test]
#[ignore = "long: searches hundreds of kernels"]
fn a_search_of_known_structure_stops_soon() {
    let device = vc1902();
    let designs =
        [heavy_tree(300), heavy_tree(330), butterfly(5, 6, int32(2048)), butterfly(5, 10, int32(1200))];
    for builder in designs {
        let design = checked(&builder, &device);
        let begin = Instant::now();
        let outcome = stopped(&design, &device, 0);
        let seconds = begin.elapsed().as_secs_f64();
        assert!(seconds < 8.0, "{} took {seconds} s", design.name.value);
        match outcome.value() {
            Some(found) => assert!(found.cut_short),
            None => assert_eq!(slugs(&outcome), ["place/gave-up"]),
        }
    }
}

#[test]
#[ignore = "long: searches again and again"]
fn more_time_never_gives_a_worse_placement() {
    let device = vc1902();
    for builder in [random_graph(60, 1), tree(90, 3, int32(256)), thesis(8192)] {
        let design = checked(&builder, &device);
        let score_after = |questions: u32| {
            let found = value(stopped(&design, &device, questions));
            let placed = value(verify(&design, &device, found.placement));
            Terms::of(&design, &device, &placed).score(&Objective::USUAL)
        };
        let times: Vec<u32> = (1..13).step_by(2).map(|step| step * step * 256).collect();
        let scores: Vec<_> = times.iter().map(|&questions| score_after(questions)).collect();
        for (pair, time) in scores.windows(2).zip(times.windows(2)) {
            assert!(pair[1] <= pair[0], "{}, stopped after {time:?} questions: {pair:?}", design.name.value);
        }
    }
}

#[test]
#[ignore = "long: searches again and again"]
fn more_effort_never_gives_a_worse_placement() {
    let device = vc1902();
    for builder in [random_graph(16, 3), tree(14, 3, int32(256)), pipelines(2, 7)] {
        let design = checked(&builder, &device);
        let score_at = |effort: u32| {
            let found = value(place(&design, &device, &PlaceOptions { effort, ..QUICK }));
            Terms::of(&design, &device, &value(verify(&design, &device, found))).score(&Objective::USUAL)
        };
        let scores: Vec<_> = (1..=3).map(score_at).collect();
        assert!(scores.is_sorted_by(|less, more| more <= less), "{}: {scores:?}", design.name.value);
    }
}

/// Annealing finds no legal tiles for this chain, and the enumeration of tiles does. It follows the
/// annealings of the first effort, whatever the effort that is asked for.
#[test]
#[ignore = "long: searches for seconds"]
fn a_patient_search_that_is_stopped_has_what_the_first_effort_finds() {
    let device = vc1902();
    let mut builder = pipelines(1, 12);
    for stage in 1..12 {
        builder.together(&[&format!("stage[0][{}]", stage - 1), &format!("stage[0][{stage}]")]);
    }
    builder.place_relative("stage[0][11]", "stage[0][0]", (11, 0));
    let design = checked(&builder, &device);
    let watch = &Impatient(AtomicU32::new(u32::MAX));
    value(search(&design, &device, &QUICK, &Basis::NOTHING, &Tools { watch, ..Tools::ALONE }));
    let questions = u32::MAX - watch.0.load(Ordering::SeqCst);
    let (watch, patient) = (&Impatient(AtomicU32::new(questions)), PlaceOptions { effort: 5, ..QUICK });
    let found = search(&design, &device, &patient, &Basis::NOTHING, &Tools { watch, ..Tools::ALONE });
    value(found);
}

/// Counts reports of progress.
struct Steps(AtomicU32);

impl Watch for Steps {
    fn stopped(&self) -> bool {
        false
    }

    fn progress(&self, _: &Progress) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

#[test]
fn without_effort_a_search_is_one_short_annealing() {
    let device = vc1902();
    let design = checked(&random_graph(16, 3), &device);
    let steps_at = |effort: u32| {
        let (watch, options) = (&Steps(AtomicU32::new(0)), PlaceOptions { effort, ..QUICK });
        let found = search(&design, &device, &options, &Basis::NOTHING, &Tools { watch, ..Tools::ALONE });
        value(verify(&design, &device, value(found).placement));
        watch.0.load(Ordering::SeqCst)
    };
    let (none, some) = (steps_at(0), steps_at(1));
    assert!(none > 0 && none < some, "{none} steps, and {some} with effort 1");
}

#[test]
#[ignore = "long: searches again and again"]
fn without_a_placement_it_is_the_time_that_was_too_short() {
    // Even a full search finds none: a module with two of the buffers has no room for a stack.
    let device = vc1902();
    let mut builder = Builder::new("full", "xcvc1902");
    let w = int32(3840);
    builder
        .kernels("k", &[350], &[input("x", w), output("y", w)])
        .gmio_output("end")
        .gmio_input("start")
        .connect("start", "k[0].x")
        .connect("k[349].y", "end");
    (1..350).for_each(|stage| {
        builder.connect(&format!("k[{}].y", stage - 1), &format!("k[{stage}].x"));
    });
    let design = checked(&builder, &device);
    let outcome = stopped(&design, &device, 0);
    let first = outcome.diagnostics().first().expect("a reason");
    assert!(
        first
            .message
            .starts_with("the search was stopped before it found a placement, which proves nothing; its best attempt needs "),
        "{}",
        first.message
    );
    assert!(first.help.contains("--time-limit"), "{}", first.help);
}

#[test]
fn results_come_in_the_order_of_the_tasks() {
    struct Backwards;
    impl Workers for Backwards {
        fn run(&self, tasks: usize, task: &(dyn Fn(usize) + Sync)) {
            (0..tasks).rev().for_each(task);
        }
    }
    let backwards: &dyn Workers = &Backwards;
    assert_eq!(backwards.map(4, |number| number * number), [0, 1, 4, 9]);
}
