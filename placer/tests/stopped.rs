//! A search that is stopped gives what there is: a placement if one is to be had at once, and words about the time otherwise.

mod support;

use std::sync::atomic::{AtomicU32, Ordering};

use aiec_ir::build::{Builder, int32};
use aiec_placer::{Pins, Progress, Tools, Watch, search, verify};
use support::*;

/// Stops a search after so many questions.
struct Impatient(AtomicU32);

impl Watch for Impatient {
    fn stopped(&self) -> bool {
        let left = |questions: u32| Some(questions.saturating_sub(1));
        self.0.fetch_update(Ordering::SeqCst, Ordering::SeqCst, left) == Ok(0)
    }

    fn progress(&self, _: &Progress) {}
}

fn after(questions: u32) -> Impatient {
    Impatient(AtomicU32::new(questions))
}

#[test]
fn whenever_a_search_is_stopped_there_is_a_legal_placement() {
    let device = vc1902();
    let mut bound = tree(31, 2, int32(256));
    bound.region(&["worker"], (3, 0), (8, 7)).apart(&["worker[3]", "worker[4]"]);
    let designs: [Builder; 5] =
        [thesis(8192), random_graph(100, 1), pipelines(20, 8), tree(200, 3, int32(256)), bound];
    for builder in designs {
        let design = checked(&builder, &device);
        for questions in [0, 20] {
            let watch = after(questions);
            let tools = Tools { watch: &watch, ..Tools::ALONE };
            let found = value(search(&design, &device, &Pins::default(), &QUICK, &tools));
            value(verify(&design, &device, found.placement));
            assert!(found.cut_short, "{} after {questions}", design.name.value);
        }
    }
}

#[test]
fn without_a_placement_it_is_the_time_that_was_too_short() {
    // Not even a search without end finds one: a module with two of the buffers has no room for a stack.
    let device = toy();
    let mut builder = Builder::new("full", "toy");
    let w = int32(2944);
    builder
        .kernels("k", &[23], &[aiec_ir::build::input("x", w), aiec_ir::build::output("y", w)])
        .stack("k", 8192)
        .gmio_output("end")
        .gmio_input("start")
        .connect("start", "k[0].x")
        .connect("k[22].y", "end");
    (1..23).for_each(|stage| {
        builder.connect(&format!("k[{}].y", stage - 1), &format!("k[{stage}].x"));
    });
    let design = checked(&builder, &device);
    let watch = after(0);
    let outcome =
        search(&design, &device, &Pins::default(), &QUICK, &Tools { watch: &watch, ..Tools::ALONE });
    let first = outcome.diagnostics().first().expect("a reason");
    assert!(
        first
            .message
            .starts_with("the search was stopped before it found a placement; in what it tried last "),
        "{}",
        first.message
    );
    assert!(first.help.contains("--time-limit"), "{}", first.help);
}
