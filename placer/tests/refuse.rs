//! A refusal names the resource, the demand and the supply.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::support::*;
use aiec_device::Device;
use aiec_diag::Outcome;
use aiec_ir::Buffering;
use aiec_placer::{Basis, Found, Placement, Tools, Watch, place, search};
use aiec_test_support::{Builder, Reduce, input, int32, output};

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

/// A chain of `kernels` kernels with windows of `words` words.
fn long_chain(kernels: u32, words: u32) -> Builder {
    let w = int32(words);
    let mut builder = Builder::new("chain", "xcvc1902");
    builder
        .kernels("first", &[], &[output("y", w)])
        .kernels("k", &[kernels - 2], &[input("x", w), output("y", w)])
        .kernels("last", &[], &[input("x", w)])
        .connect("first.y", "k[0].x")
        .connect(&format!("k[{}].y", kernels - 3), "last.x");
    (1..kernels - 2).for_each(|k| {
        builder.connect(&format!("k[{}].y", k - 1), &format!("k[{k}].x"));
    });
    builder
}

#[test]
#[ignore = "long: searches hundreds of kernels"]
fn buffers_that_leave_no_room_for_stacks_are_counted() {
    let device = vc1902();
    // At least 100 modules have stacks and hold at most one buffer of 15 KiB. The others hold two,
    // 700 in all. For 356 kernels 89 are enough.
    for (kernels, words, proved) in
        [(400, 3836, true), (357, 3840, true), (356, 3840, false), (400, 3832, false)]
    {
        let design = checked(&long_chain(kernels, words), &device);
        let tools = Tools { watch: &Hurried, ..Tools::ALONE };
        let outcome = search(&design, &device, &QUICK, &Basis::NOTHING, &tools);
        let first = outcome.diagnostics().first();
        let is_proved = first.is_some_and(|first| first.code.slug == "place/infeasible");
        assert_eq!(is_proved, proved, "{kernels} kernels, {words} words");
        assert!(
            !proved || first.is_some_and(|first| first.help.contains("no buffer is larger than 15328 bytes"))
        );
    }
}

/// A complete binary tree of `kernels` kernels, an odd number, each with a window of `words` words
/// to its parent.
fn binary_tree(kernels: u32, words: u32) -> Builder {
    let w = int32(words);
    let mut builder = Builder::new("tree", "xcvc1902");
    for kernel in 0..kernels {
        let up = (kernel > 0).then(|| output("up", w));
        let inner = 2 * kernel + 2 < kernels;
        let ports = inner.then(|| [input("left", w), input("right", w)]).into_iter().flatten().chain(up);
        builder.kernels(&format!("k{kernel}"), &[], &ports.collect::<Vec<_>>());
    }
    for kernel in 1..kernels {
        let side = if kernel % 2 == 1 { "left" } else { "right" };
        builder.connect(&format!("k{kernel}.up"), &format!("k{}.{side}", (kernel - 1) / 2));
    }
    builder
}

/// Stops a search when it begins, after the bound on connections through DMA.
struct Bounded(AtomicBool);

impl Watch for Bounded {
    fn stopped(&self) -> bool {
        self.0.swap(true, Ordering::Relaxed)
    }
}

/// The outcome of a search that has time only for proofs.
fn hurried(builder: &Builder, device: &Device) -> Outcome<Found> {
    let watch = &Bounded(AtomicBool::new(false));
    let tools = Tools { watch, ..Tools::ALONE };
    search(&checked(builder, device), device, &QUICK, &Basis::NOTHING, &tools)
}

#[test]
#[ignore = "long: searches hundreds of kernels"]
fn connections_that_go_by_dma_have_buffers_at_both_ends() {
    let device = vc1902();
    // At least five of the 398 connections cannot share memory. A module holds two buffers of more
    // than 10912 bytes, and three of that size.
    for (words, proved) in [(3072, true), (2736, true), (2720, false)] {
        let outcome = hurried(&binary_tree(399, words), &device);
        let first = outcome.diagnostics().first();
        let is_proved = first.is_some_and(|first| first.code.slug == "place/infeasible");
        assert_eq!(is_proved, proved, "{words} words");
    }
    let (slug, message) = no(&place(&checked(&binary_tree(399, 3072), &device), &device, &QUICK));
    let all = "there are at least 806 buffers of 12288 bytes or more, and room for 800 in 400 modules: a module holds 2 of them; 5 connections go by DMA \
               at least, with buffers at both ends (bound: pieces (cells))";
    assert_eq!((slug, message.as_str()), ("place/infeasible", all));
}

#[test]
#[ignore = "long: searches hundreds of kernels"]
fn small_windows_of_a_full_tree_are_placed() {
    let device = vc1902();
    assert!(place(&checked(&binary_tree(399, 2048), &device), &device, &QUICK).value().is_some());
}

#[test]
#[ignore = "long: searches for seconds"]
fn several_stacks_to_a_module_are_counted() {
    // Two buffers to a module, one beside one or two stacks of 9 KiB and a sync area. Of 24
    // modules, at least 11 have stacks of 21 kernels.
    let device = toy();
    let chain = |kernels| {
        let mut builder = long_chain(kernels, 2944);
        ["first", "k", "last"].iter().for_each(|name| {
            builder.stack(name, 8192);
        });
        hurried(&builder, &device)
    };
    assert!(chain(20).diagnostics().iter().all(|first| first.code.slug != "place/infeasible"));
    let outcome = chain(21);
    let first = outcome.diagnostics().first().expect("a reason");
    assert_eq!(first.code.slug, "place/infeasible");
    let all = "there are at least 40 buffers of 11776 bytes or more, and room for 37 in 24 modules: a module holds 2 of them, and beside \
               1, 2 and 3 stacks 1, 1 and 0; and 21 kernels have stacks of 9248 bytes or more, each in a module that its core reaches";
    assert_eq!(first.message, all);
    assert!(first.help.contains("no buffer is larger than 11744 bytes"), "{}", first.help);
}

#[test]
#[ignore = "long: searches for seconds"]
fn a_search_that_ends_without_an_answer_says_so_and_names_what_it_cannot_keep() {
    // A module with two of the buffers has no room for a stack; whether others have enough for all
    // is not proved.
    let device = toy();
    let builder = long_chain(21, 3836);
    let design = checked(&builder, &device);
    let (slug, message) = no(&place(&design, &device, &QUICK));
    assert_eq!(slug, "place/gave-up");
    let number = |before: &str| {
        let text = message.split(before).next().unwrap_or_default();
        text.rsplit(|c: char| !c.is_ascii_digit())
            .find(|word| !word.is_empty())
            .and_then(|word| word.parse::<u64>().ok())
    };
    assert!(number(" bytes of the module ") > Some(32_768), "{message}");
    assert!(message.contains("which has 32768"), "{message}");
    assert!(message.contains("; without 32768 bytes a module the search finds a placement"), "{message}");
}

/// Sinks that each receive a window from each of some placed sources.
fn sinks(builder: &mut Builder, sinks: u32, sources: &[(i64, i64)]) {
    const NAMES: [&str; 13] = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12"];
    let w = int32(4);
    let inputs: Vec<_> = NAMES.iter().take(sources.len()).map(|name| input(name, w)).collect();
    let outputs: Vec<_> = NAMES.iter().take(sinks as usize).map(|name| output(name, w)).collect();
    builder.kernels("sink", &[sinks], &inputs);
    builder.kernels("source", &[sources.len() as u32], &outputs);
    for (number, &(column, row)) in sources.iter().enumerate() {
        builder.place(&format!("source[{number}]"), column, row);
        for sink in 0..sinks {
            builder.connect(&format!("source[{number}].{sink}"), &format!("sink[{sink}].{number}"));
        }
    }
}

#[test]
fn windows_that_constraints_send_by_dma_are_counted_wherever_a_kernel_may_be() {
    // The tiles that 13 senders leave free share memory with at most four of them, and four modules
    // take eight windows by DMA.
    let device = toy();
    let mut builder = Builder::new("crowd", "toy");
    let sources: Vec<(i64, i64)> = (0..13).map(|number| (number / 4, number % 4)).collect();
    sinks(&mut builder, 1, &sources);
    let (slug, message) = no(&place(&checked(&builder, &device), &device, &QUICK));
    assert_eq!(slug, "place/infeasible");
    for part in ["`sink[0]` receives 13 windows", "9 for 8", "cannot share memory with it there"] {
        assert!(message.contains(part), "{message}");
    }
}

#[test]
fn windows_from_kernels_apart_take_channels() {
    let device = vc1902();
    let answer = |senders: u32| {
        let mut builder = Builder::new("far", "xcvc1902");
        builder.kernels("k", &[senders + 1], &[]);
        builder.reduce(Reduce::over("t", &["k"], int32(4)).arity(senders));
        (1..=senders).for_each(|sender| {
            builder.apart(&["k[0]", &format!("k[{sender}]")]);
        });
        let outcome = place(&checked(&builder, &device), &device, &QUICK);
        outcome.diagnostics().first().map(|d| (d.code.slug, d.message.clone()))
    };
    assert_eq!(answer(8), None);
    let (slug, message) = answer(9).expect("nine windows and eight channels");
    assert_eq!(slug, "place/infeasible");
    assert!(message.contains("`k[0]` receives 9 windows") && message.contains("9 for 8"), "{message}");
}

#[test]
fn two_kernels_do_not_both_take_the_one_tile_that_has_channels_for_either() {
    let device = toy();
    let mut builder = Builder::new("crowd", "toy");
    let sources: Vec<(i64, i64)> = (0..10).map(|number| (number / 4, number % 4)).collect();
    sinks(&mut builder, 2, &sources);
    let (slug, message) = no(&place(&checked(&builder, &device), &device, &QUICK));
    assert_eq!(slug, "place/infeasible");
    let all = "`sink[0]` and `sink[1]` need 2 cores, but only the tile (2, 2) of `toy` has the resources that each of them needs";
    assert!(message.starts_with(all), "{message}");
}

#[test]
fn kernels_that_fill_four_modules_need_tiles_that_reach_so_many() {
    // Of 3 by 3 open tiles two reach four modules. A module holds one window of 17 KiB, and each
    // kernel has four.
    let device = toy();
    let answer = |bytes: u32| {
        let w = int32(bytes / 4);
        let mut builder = Builder::new("heavy", "toy");
        builder.kernels("a", &[], &[output("ab0", w), output("ab1", w), output("ac0", w), output("ac1", w)]);
        builder.kernels("b", &[], &[input("ab0", w), input("ab1", w), output("bc0", w), output("bc1", w)]);
        builder.kernels("c", &[], &[input("ac0", w), input("ac1", w), input("bc0", w), input("bc1", w)]);
        for (from, to) in [("a", "b"), ("a", "c"), ("b", "c")] {
            for number in 0..2 {
                let port = |kernel| format!("{kernel}.{from}{to}{number}");
                builder.connect_with(&port(from), &port(to), Buffering::Single);
            }
        }
        builder.keepout((0, 0), (1, 3)).keepout((5, 0), (5, 3)).keepout((2, 3), (4, 3));
        place(&checked(&builder, &device), &device, &QUICK)
    };
    assert!(answer(14 * 1024).value().is_some());
    let (slug, message) = no(&answer(17 * 1024));
    assert_eq!(slug, "place/infeasible");
    assert!(
        message.starts_with("`a`, `b` and `c` need 3 cores, but only 2 tiles of `toy` have the resources"),
        "{message}"
    );
}

/// Two sinks that each take eight channels of the four modules in reach. They share memory, so one
/// of these modules is the other sink's.
fn beside(builder: &mut Builder) {
    let sources: Vec<(i64, i64)> = (0..11).map(|number| (5 * (number % 2), number / 2)).collect();
    sinks(builder, 2, &sources);
    builder.together(&["sink[0]", "sink[1]"]);
}

#[test]
#[ignore = "long: searches for seconds"]
fn constraints_that_stand_against_each_other_are_named_and_no_others() {
    let device = vc1902();
    let mut builder = Builder::new("crowd", "xcvc1902");
    beside(&mut builder);
    builder.region(&["sink"], (0, 0), (40, 7));
    let (slug, message) = no(&place(&checked(&builder, &device), &device, &QUICK));
    assert_eq!(slug, "place/gave-up");
    let both =
        "`place` on a tile, the `together` and 2 and 2 DMA channels a module the search finds a placement";
    assert!(message.contains(both), "{message}");
}

/// The message for a chain of three under constraints that no placement keeps.
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
    // Only one pair of cores of the rectangle shares no memory. A second kernel apart from one of
    // them has no tile.
    let message = contradiction(|builder| {
        builder.region(&["stage"], (2, 0), (3, 1)).apart(&["stage[0][0]", "stage[0][1]"]);
        builder.apart(&["stage[0][1]", "stage[0][2]"]).apart(&["stage[0][2]", "stage[0][0]"]);
        builder.keepout((5, 3), (5, 3));
    });
    let all = "`stage[0][0]`, `stage[0][1]` and `stage[0][2]` cannot all be placed: 1 `region` and 2 `apart` leave no tiles of toy for all \
               3 at once, for 2 at most";
    assert_eq!(message, all);
}

#[test]
fn kernels_that_are_together_over_others_cannot_be_far_from_each_other() {
    // Two sharing steps bridge at most four tiles.
    let message = contradiction(|builder| {
        builder.together(&["stage[0][0]", "stage[0][1]"]).together(&["stage[0][1]", "stage[0][2]"]);
        builder.place("stage[0][0]", 0, 0).place("stage[0][2]", 5, 3);
    });
    assert!(
        message.contains("2 `together` and 2 `place` leave no tiles of toy for all 3 at once"),
        "{message}"
    );
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
#[ignore = "long: searches hundreds of kernels"]
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
        "`stage[7][2]` and `stage[89][1]` cannot both be placed: 2 `region` and 1 `together` leave no tiles";
    assert!(message.starts_with(all), "{message}");
}

#[test]
#[ignore = "long: searches hundreds of kernels"]
fn in_large_designs_the_statements_that_stand_in_the_way_are_named_too() {
    // As above, among 136 kernels in pipelines, some of them placed too.
    let device = vc1902();
    let mut builder = pipelines(34, 4);
    beside(&mut builder);
    (0..13).for_each(|lane| {
        builder.place(&format!("stage[{lane}][2]"), 20 + lane, 3);
    });
    let design = checked(&builder, &device);
    let (slug, message) = no(&place(&design, &device, &QUICK));
    assert_eq!(slug, "place/gave-up");
    let all = ["of the 24 `place`", "`together` and 2 and 2 DMA channels a module the search finds"];
    assert!(all.iter().all(|part| message.contains(part)), "{message}");
}

/// Stops a search at once. Proofs by counting are reported all the same.
struct Hurried;

impl Watch for Hurried {
    fn stopped(&self) -> bool {
        true
    }
}

#[test]
#[ignore = "long: searches hundreds of kernels"]
fn a_wide_tree_is_impossible_also_where_kernels_share_cores_but_not_many() {
    // Of kernels with 3/5 of a core no two share one. Of those with a quarter, four do, and nine
    // cores take all senders and their own senders.
    let device = vc1902();
    let answer = |ratio: u32| {
        let mut builder = tree(200, 13, int32(4));
        builder.runtime("worker", ratio);
        let tools = Tools { watch: &Hurried, ..Tools::ALONE };
        search(&checked(&builder, &device), &device, &QUICK, &Basis::NOTHING, &tools)
    };
    let proved = |ratio| answer(ratio).diagnostics().iter().any(|d| d.code.slug == "place/infeasible");
    assert_eq!([1000, 600, 250].map(proved), [true, true, false]);
}

#[test]
fn a_kernel_has_no_more_partners_than_cores_share_memory_with_its_own() {
    let device = vc1902();
    let star = |partners: u32| {
        let mut builder = Builder::new("star", "xcvc1902");
        builder.kernels("k", &[partners + 1], &[]).reduce(Reduce::over("t", &["k"], int32(4)));
        for partner in 1..=partners {
            builder.together(&["k[0]", &format!("k[{partner}]")]);
        }
        place(&checked(&builder, &device), &device, &QUICK)
    };
    assert!(star(8).value().is_some());
    let (slug, message) = no(&star(9));
    assert_eq!(slug, "place/contradiction");
    let all = "`k[0]`, `k[1]`, `k[2]`, `k[3]` and 6 more cannot all be placed: 9 `together` leave no tiles of xcvc1902 for all 10 at once";
    assert!(message.starts_with(all), "{message}");
}

#[test]
#[ignore = "long: searches for seconds"]
fn a_chain_of_kernels_that_are_together_reaches_only_so_far() {
    let device = vc1902();
    let chain = |constrain: &dyn Fn(&mut Builder)| {
        let mut builder = pipelines(1, 12);
        (1..12).for_each(|stage| {
            builder.together(&[&format!("stage[0][{}]", stage - 1), &format!("stage[0][{stage}]")]);
        });
        constrain(&mut builder);
        place(&checked(&builder, &device), &device, &QUICK)
    };
    let apart_by = |columns: i64| {
        let outcome = chain(&|builder| {
            builder.place_relative("stage[0][11]", "stage[0][0]", (columns, 0));
        });
        outcome.diagnostics().first().map(|d| d.code.slug)
    };
    assert_eq!([11, 12, 40].map(apart_by), [None, Some("place/contradiction"), Some("place/contradiction")]);
    let (slug, message) = no(&chain(&|builder| {
        builder.place("stage[0][0]", 2, 3).place("stage[0][11]", 42, 3);
    }));
    assert_eq!(slug, "place/contradiction");
    assert!(
        message.contains("11 `together` and 2 `place` leave no tiles of xcvc1902 for all 12"),
        "{message}"
    );
}
