//! A "no" names the resource, what is asked for and what there is.

mod support;

use aiec_diag::Outcome;
use aiec_ir::build::{Builder, input, int32, output};
use aiec_placer::{Placement, place};
use support::*;

/// The slug and the message of the first diagnostic.
fn no(outcome: &Outcome<Placement>) -> (&'static str, String) {
    let first = outcome.diagnostics().first().expect("a reason");
    assert!(outcome.value().is_none() && !first.help.is_empty() && !first.labels.is_empty());
    (first.code.slug, first.message.clone())
}

#[test]
fn a_wide_tree_with_more_windows_around_its_root_than_channels() {
    let device = vc1902();
    let design = checked(&tree(255, 13, int32(4)), &device);
    let (slug, message) = no(&place(&design, &device, &QUICK));
    assert_eq!(slug, "place/infeasible");
    assert!(message.contains("13 windows, of which at most 8 by DMA"), "{message}");
}

#[test]
fn a_search_that_ends_without_an_answer_says_so_and_names_the_conflict() {
    // 48 buffers of 11776 bytes and 23 stacks of 9248 take less than all modules have, but a module with two of the buffers
    // has no room for a stack.
    let device = toy();
    let w = int32(2944);
    let mut builder = Builder::new("full", "toy");
    builder
        .kernels("k", &[23], &[input("x", w), output("y", w)])
        .stack("k", 8192)
        .gmio_output("end")
        .gmio_input("start")
        .connect("start", "k[0].x");
    for stage in 1..23 {
        builder.connect(&format!("k[{}].y", stage - 1), &format!("k[{stage}].x"));
    }
    builder.connect("k[22].y", "end");
    let design = checked(&builder, &device);
    let (slug, message) = no(&place(&design, &device, &QUICK));
    assert_eq!(slug, "place/gave-up");
    assert!(message.contains("bytes asked for"), "{message}");
}
