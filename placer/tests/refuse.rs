//! A "no" names the resource, what is asked for and what there is.

mod support;

use aiec_diag::Outcome;
use aiec_ir::build::{Builder, input, int32, output};
use aiec_placer::{Pins, Placement, Tools, Watch, place, search};
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
    let number = |before: &str| {
        let text = message.split(before).next().unwrap_or_default();
        text.rsplit(|c: char| !c.is_ascii_digit())
            .find(|word| !word.is_empty())
            .and_then(|word| word.parse::<u64>().ok())
    };
    let (demand, supply) = (number(" bytes asked for"), number(" there"));
    assert!(demand > Some(0) && supply.is_some(), "{message}");
    let pieces = message.contains("enough in sum but not for each in one piece");
    assert_eq!(demand <= supply, pieces, "a demand that the supply covers is explained: {message}");
    assert!(message.contains("against 32768 bytes a module alone"), "{message}");
}

#[test]
fn constraints_that_stand_against_each_other_are_named_and_no_others() {
    // 13 windows go to a kernel, and the tiles that their senders leave free share memory with at most four of them; the other nine
    // windows would come by DMA, of which four modules take eight. Kernels with fixed tiles alone find room, so no count says no.
    let device = toy();
    let w = int32(4);
    let names: Vec<String> = (0..13).map(|number| format!("x{number}")).collect();
    let inputs: Vec<_> = names.iter().map(|name| input(name, w)).collect();
    let mut builder = Builder::new("crowd", "toy");
    builder.kernels("sink", &[], &inputs).kernels("source", &[13], &[output("y", w)]);
    for number in 0..13_i64 {
        builder.connect(&format!("source[{number}].y"), &format!("sink.x{number}"));
        builder.place(&format!("source[{number}]"), number / 4, number % 4);
    }
    let design = checked(&builder, &device);
    let (slug, message) = no(&place(&design, &device, &QUICK));
    assert_eq!(slug, "place/gave-up");
    let both = "the 13 `place` and 2 and 2 DMA channels a module stand against each other";
    assert!(message.contains(both), "{message}");
}

/// What is said of a chain of three under constraints that no placement keeps.
fn contradiction(constrain: impl Fn(&mut Builder)) -> String {
    let device = toy();
    let mut builder = pipelines(1, 3);
    constrain(&mut builder);
    let (slug, message) = no(&place(&checked(&builder, &device), &device, &QUICK));
    assert_eq!(slug, "place/contradiction", "{message}");
    message
}

#[test]
fn a_region_too_small_for_kernels_apart_is_named_with_them() {
    // Only one pair of cores of the rectangle shares no memory: a second kernel apart from one of them has no tile.
    let message = contradiction(|builder| {
        builder.region(&["stage"], (2, 0), (3, 1)).apart(&["stage[0][0]", "stage[0][1]"]);
        builder.apart(&["stage[0][1]", "stage[0][2]"]).apart(&["stage[0][2]", "stage[0][0]"]);
        builder.keepout((5, 3), (5, 3));
    });
    let all = "`stage[0][0]`, `stage[0][1]` and `stage[0][2]` need tiles for 3 kernels, but 1 `region` and 2 `apart` leave tiles for at \
               most 2 of them on toy";
    assert_eq!(message, all);
}

#[test]
fn kernels_that_are_together_over_others_cannot_be_far_from_each_other() {
    // Two steps of the sharing relation bridge at most four tiles.
    let message = contradiction(|builder| {
        builder.together(&["stage[0][0]", "stage[0][1]"]).together(&["stage[0][1]", "stage[0][2]"]);
        builder.place("stage[0][0]", 0, 0).place("stage[0][2]", 5, 3);
    });
    assert!(message.contains("2 `together` and 2 `place` leave tiles for at most 2"), "{message}");
}

#[test]
fn kernels_beside_each_other_need_a_module_that_is_not_left_free() {
    // (2, 1) and (2, 3) both reach the module between them and no other.
    let message = contradiction(|builder| {
        builder.together(&["stage[0][0]", "stage[0][1]"]).keepout((2, 2), (2, 2));
        builder.region(&["stage[0][0]", "stage[0][1]"], (2, 1), (2, 3)).keepout((0, 0), (0, 0));
    });
    assert!(message.contains("1 `keepout`, 1 `region` and 1 `together`"), "{message}");
}

#[test]
fn contradictions_are_found_among_hundreds_of_kernels_and_constraints() {
    let device = vc1902();
    let mut builder = pipelines(90, 4);
    for lane in 0..90 {
        builder.region(&[&format!("stage[{lane}][0]"), &format!("stage[{lane}][1]")], (lane / 2, 0), (49, 7));
        builder.together(&[&format!("stage[{lane}][0]"), &format!("stage[{lane}][1]")]);
    }
    builder.together(&["stage[89][1]", "stage[7][2]"]).region(&["stage[7][2]"], (0, 0), (41, 7));
    builder.apart(&["stage[3][3]", "stage[4][3]"]);
    let (slug, message) = no(&place(&checked(&builder, &device), &device, &QUICK));
    assert_eq!(slug, "place/contradiction", "{message}");
    let all =
        "`stage[7][2]` and `stage[89][1]` need tiles for 2 kernels, but 2 `region` and 1 `together` leave";
    assert!(message.starts_with(all), "{message}");
}

#[test]
fn in_large_designs_the_statements_that_stand_in_the_way_are_named_too() {
    // As above, among 136 kernels in pipelines of which some are placed too.
    let device = vc1902();
    let w = int32(4);
    let names: Vec<String> = (0..13).map(|number| format!("x{number}")).collect();
    let inputs: Vec<_> = names.iter().map(|name| input(name, w)).collect();
    let mut builder = pipelines(34, 4);
    builder.kernels("sink", &[], &inputs).kernels("source", &[13], &[output("y", w)]);
    for number in 0..13_i64 {
        builder.connect(&format!("source[{number}].y"), &format!("sink.x{number}"));
        builder.place(&format!("source[{number}]"), 5 * (number % 2), number / 2);
        builder.place(&format!("stage[{number}][2]"), 20 + number, 3);
    }
    let design = checked(&builder, &device);
    let (slug, message) = no(&place(&design, &device, &QUICK));
    assert_eq!(slug, "place/gave-up");
    assert!(
        message.contains("of the 26 `place` and 2 and 2 DMA channels a module stand against"),
        "{message}"
    );
}

/// Stops a search at once: what counting proves is said nevertheless.
struct Hurried;

impl Watch for Hurried {
    fn stopped(&self) -> bool {
        true
    }
}

#[test]
fn a_wide_tree_is_impossible_also_where_kernels_share_cores_but_not_many() {
    // Of kernels with 3/5 of a core no two share one; of those with a quarter, four do, and nine cores take all senders and theirs.
    let device = vc1902();
    let answer = |ratio: u32| {
        let mut builder = tree(200, 13, int32(4));
        builder.runtime("worker", ratio);
        let tools = Tools { watch: &Hurried, ..Tools::ALONE };
        search(&checked(&builder, &device), &device, &Pins::default(), &QUICK, &tools)
    };
    let proved = |ratio| answer(ratio).diagnostics().iter().any(|d| d.code.slug == "place/infeasible");
    assert_eq!([1000, 600, 250].map(proved), [true, true, false]);
}
