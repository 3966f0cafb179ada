//! Errors that fail on hardware and that functional simulators accept: each finding names kernel,
//! port and line.

use serde_json::json;

use crate::bench::{Case, Run};

fn careless(what: &str) -> Run {
    let case = Case::new("careless");
    case.input("in.txt", &(1..=32).map(|i| format!("{i} ")).collect::<String>());
    case.run_with(&[("CARELESS", what)])
}

#[test]
fn careful_kernels_are_left_alone() {
    careless("nothing").assert_clean();
}

// AM009, data memory: vector accesses ignore the low bits of an address.
#[test]
fn a_misaligned_vector_access_names_the_line() {
    let run = careless("misaligned");
    run.assert_fails("kernel 0 (kernels/work.cc), port in[0]: read of a vector of 32 bytes at byte 4");
    run.assert_fails("careless.cpp:16");
}

// The rest of the window is stale data, on hardware too. A kernel that intends this needs a lenient
// run.
#[test]
fn a_window_that_is_not_filled_is_an_error_unless_lenient() {
    let words =
        "port out[0]: write short of the window: 12 bytes of 64 were not written, the first at byte 52";
    careless("short write").assert_fails(words);
    let case = Case::new("careless");
    case.input("in.txt", &(1..=32).map(|i| format!("{i} ")).collect::<String>());
    let run = case.run_with(&[("CARELESS", "short write"), ("AIEC_SIM_LENIENT", "1")]);
    assert!(run.stderr.contains(&format!("warning: kernel 0 (kernels/work.cc), {words}")), "{}", run.stderr);
}

// UG1079, chess_loop_range: the compiler believes it.
#[test]
#[ignore = "long: compiles a program of its own"]
fn a_loop_that_runs_less_often_than_promised_is_reported() {
    careless("short write").assert_fails("ran 13 times, chess_loop_range(16,)");
    careless("inner loop").assert_fails("ran 2 times, chess_loop_range(4,)");
}

// Three runs of three make nine. No number of such runs makes four.
#[test]
fn a_loop_that_runs_more_often_than_promised_is_reported() {
    careless("longer loop").assert_fails("ran 4 times, chess_loop_range(3,3)");
}

#[test]
fn a_read_of_words_that_the_other_end_never_wrote_names_the_line() {
    let run = careless("unwritten");
    run.assert_fails("kernel 1 (kernels/work.cc), port in[0]: read of 32 bytes at byte 32, some of which the other end never wrote, in iteration 0, at ");
    run.assert_fails("careless.cpp:41");
}

#[test]
fn a_sum_onto_a_fresh_buffer_reads_what_nobody_has_written() {
    let run = careless("unwritten sum");
    run.assert_fails("kernel 1 (kernels/work.cc), port out[0]: read of 32 bytes at byte 0, some of which have not been written since the buffer was acquired");
}

// UG1079, "Alignment": 128 bits are enough for vectors of 256 on AIE. UG1603 asks for 256 on
// AIE-ML.
#[test]
#[ignore = "long: compiles a program of its own"]
fn vectors_that_are_aligned_to_half_of_them_are_a_warning_on_aie_and_an_error_on_aie_ml_and_when_strict() {
    let aie = Case::new("careless");
    let aie_ml = Case::linked(&["careless"], &["-D__AIE_ARCH__=20"]);
    let words = [
        (
            "half aligned window",
            "kernel 0 (kernels/work.cc), port in[0]: read of a vector of 32 bytes at byte 16, which is not a multiple of 32",
            16,
        ),
        (
            "half aligned load",
            "kernel 1 (kernels/work.cc), port in[0]: a vector access of 32 bytes is not aligned to 32 bytes (it is 16 bytes off)",
            40,
        ),
    ];
    for case in [&aie, &aie_ml] {
        case.input("in.txt", &(1..=32).map(|i| format!("{i} ")).collect::<String>());
    }
    for (what, words, line) in words {
        let run = aie.run_with(&[("CARELESS", what)]);
        assert_eq!(run.code, 0, "{}", run.stderr);
        assert!(run.stderr.contains(&format!("warning: {words}")), "{}", run.stderr);
        assert!(run.stderr.contains(", in iteration 0, at "), "{}", run.stderr);
        assert!(run.stderr.contains(&format!("careless.cpp:{line}\n")), "{}", run.stderr);
        aie.run_with(&[("CARELESS", what), ("AIEC_SIM_STRICT", "1")]).assert_fails(words);
        aie_ml.run_with(&[("CARELESS", what)]).assert_fails(words);
    }
}

#[test]
fn a_window_that_is_not_read_to_its_end_is_noted_and_nothing_more() {
    let run = careless("short read");
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stderr.contains("note: kernel 0 (kernels/work.cc), port in[0]: read short of the window: elements from 8 to 15 were not read"), "{}", run.stderr);
}

// The initial contents of memory differ with the seed, so that results that depend on them differ
// too.
#[test]
fn words_that_nobody_writes_are_zero_for_the_first_seed_and_garbage_for_others() {
    let case = Case::new("careless");
    case.input("in.txt", &(1..=32).map(|i| format!("{i} ")).collect::<String>());
    let last = |seed| {
        case.run_with(&[("CARELESS", "short write"), ("AIEC_SIM_SEED", seed)]);
        case.output("out.txt").lines().nth(15).map(str::to_owned)
    };
    assert_eq!(last("0").as_deref(), Some("0"));
    assert_ne!(last("1"), last("0"));
    assert_ne!(last("1"), last("2"));
}

#[test]
fn memory_beside_a_buffer_is_guarded() {
    careless("beside the buffer").assert_fails(
        "kernel 1 (kernels/work.cc), port out[0]: write past the end of the buffer, at byte 68 of 64",
    );
}

fn diamond() -> Case {
    let case = Case::new("reconverge");
    case.input("in.txt", &(1..=80).map(|i| format!("{i} ")).collect::<String>());
    case
}

// AM009, stream switch: a multicast waits for its fullest branch. Forty words, eight of them in the
// stream (mlir-aie, DeadlockModel.md).
#[test]
#[ignore = "long: compiles a program of its own"]
fn a_broadcast_that_meets_itself_again_needs_the_depth_that_the_report_says() {
    let case = diamond();
    let run = case.run_with(&[("DEPTH", "16")]);
    run.assert_fails("kernel 0 (kernels/diamond.cc) waits for space at out[0]");
    run.assert_fails("its FIFO holds 24 of 24 words");
    run.assert_fails("a fifo_depth of 32 words on the connection from kernel 0");
    run.assert_fails("unblocks it, and a FIFO that holds less does not (16 declared now)");
    assert_eq!(run.events[0]["depths"][0]["words"], 32);
    let cycle = json!([
        "kernel 0 (kernels/diamond.cc), port out[0]",
        "kernel 2 (kernels/diamond.cc), port in[1]",
        "kernel 1 (kernels/diamond.cc), port in[0]",
    ]);
    assert_eq!(run.events[0]["cycle"], cycle);
    case.run_with(&[("DEPTH", "32")]).assert_clean();
    assert_eq!(case.output("out.txt").lines().count(), 80);
}

// AM009: a switch has FIFOs of 16 words. UG1079, "Stream Switch FIFO": a depth below 40 is a chain
// of these, and from 40 on a FIFO lies in memory.
#[test]
#[ignore = "long: compiles a program of its own"]
fn a_chain_of_switch_fifos_holds_a_multiple_of_16_words() {
    let case = Case::linked(&["reconverge"], &["-DCOUNT=60"]);
    case.input("in.txt", &(1..=120).map(|i| format!("{i} ")).collect::<String>());
    for (depth, holds) in [("1", 16), ("16", 16), ("17", 32), ("39", 48), ("40", 40), ("41", 41)] {
        let run = case.run_with(&[("DEPTH", depth)]);
        let words = holds + 8;
        run.assert_fails(&format!("its FIFO holds {words} of {words} words"));
    }
    for (kind, holds) in [("switch", 48), ("memory", 33)] {
        let run = case.run_with(&[("DEPTH", "33"), ("KIND", kind)]);
        let words = holds + 8;
        run.assert_fails(&format!("its FIFO holds {words} of {words} words"));
    }
    diamond().run_with(&[("DEPTH", "17")]).assert_clean();
}

// Growing FIFOs that are full at one time makes some of them too deep, so each is tried with less.
#[test]
#[ignore = "long: compiles a program of its own"]
fn of_several_depths_none_can_be_smaller() {
    let case = Case::new("two_fifos");
    case.input("in.txt", &(1..=50).map(|i| format!("{i} ")).collect::<String>());
    for seed in ["0", "5"] {
        let run = case.run_with(&[("AIEC_SIM_SEED", seed)]);
        let words: Vec<u64> = run.events[0]["depths"]
            .as_array()
            .expect("the report has depths")
            .iter()
            .map(|depth| depth["words"].as_u64().expect("a number of words"))
            .collect();
        assert_eq!(words, [17, 17], "{}", run.stderr);
        run.assert_fails(
            "a fifo_depth of 17 words on the connection from kernel 0 (kernels/crossing.cc), port out[1]",
        );
        run.assert_fails(
            "with the others named here, unblocks it, and a FIFO that holds less does not (0 declared now)",
        );
    }
    for (depths, status) in [("17 0 17", 0), ("0 17 17", 0), ("16 16 17", 1), ("17 0 16", 1)] {
        assert_eq!(case.run_with(&[("DEPTHS", depths)]).code, status, "{depths}");
    }
    let unbounded = case.run_with(&[("MORE", "1"), ("AIEC_SIM_UNBOUNDED", "1")]);
    unbounded.assert_fails("waits for data at in[1] from kernel 0 (kernels/crossing.cc), port out[1]; its FIFO holds 0 words and is unbounded");
}

#[test]
#[ignore = "long: compiles a program of its own"]
fn the_same_seed_gives_the_same_deadlock_and_any_seed_gives_one() {
    let case = diamond();
    let words: Vec<String> =
        ["0", "7", "7", "8"].map(|seed| case.run_with(&[("AIEC_SIM_SEED", seed)]).stderr).to_vec();
    assert_eq!(words[1], words[2]);
    assert!(words.iter().all(|text| text.contains("a fifo_depth of 32 words")));
}

#[test]
#[ignore = "long: compiles a program of its own"]
fn without_bounds_the_same_graph_ends() {
    let case = diamond();
    case.run_with(&[("AIEC_SIM_UNBOUNDED", "1")]).assert_clean();
    assert_eq!(case.output("out.txt").lines().count(), 80);
}
