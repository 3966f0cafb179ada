//! Every construct of the ADF interface in use: streams, buffer ports, parameters, kernel classes,
//! packets, cascades, and the spellings of older designs.

use crate::bench::Case;

fn lines(range: std::ops::RangeInclusive<i64>) -> String {
    range.map(|i| format!("{i}\n")).collect()
}

fn streams() -> Case {
    let case = Case::new("streams");
    case.input("a.txt", &lines(0..=15));
    case.input("b.txt", &lines(100..=115));
    case.input("shorts.txt", "1 2\n3 4\n5 6\nTLAST\n7 8\n9 10 11 12 13 14 15 16\n");
    case.input("marked.txt", "1\n2\nTLAST\n3\n4\n5\n6\n7\nTLAST\n8\n1\n2\n3\n4\n5\n6\n7\n8\n");
    case.input("floats.txt", "0.5 1 1.5 2 2.5 3 3.5 4");
    case.run().assert_clean();
    case
}

#[test]
#[ignore = "long: compiles a program of its own"]
fn streams_carry_elements_and_vectors_to_every_reader() {
    let sums: Vec<String> = (0..16).map(|i| (2 * (100 + 2 * i)).to_string()).collect();
    let pairs: String = sums.chunks(2).map(|pair| format!("{} {}\n", pair[0], pair[1])).collect();
    assert_eq!(streams().output("out0.txt"), pairs);
}

// UG1076: a TLAST line precedes the line whose last word carries it.
/// Public designs rely on the implicit includes of the vendor's `adf.h`.
#[test]
#[ignore = "long: compiles a program of its own"]
fn adf_h_brings_what_designs_do_not_include() {
    for flags in [&["-fno-strict-aliasing"] as &[&str], &["-fno-strict-aliasing", "-DSTANDARD_FIRST"]] {
        let case = Case::linked(&["vendor_names"], flags);
        case.input("in.txt", &lines(0..=15));
        let run = case.run();
        run.assert_clean();
        assert_eq!(run.stdout, "counted 1 4 7\n");
        let squares = [0, 1, 4, 9, 16, 25, 36, 50, 64, 81, 100, 121, 144, 169, 196, 226];
        let words: Vec<i32> =
            case.output("second.txt").split_whitespace().map(|w| w.parse().expect("a number")).collect();
        assert_eq!(words, squares, "{flags:?}");
    }
}

#[test]
#[ignore = "long: compiles a program of its own"]
fn accesses_that_do_not_wait_say_whether_they_were_done() {
    let case = Case::new("polling");
    case.input("words.txt", "1 2 3 4");
    case.input("floats.txt", "1 2 3 4 5 6 7 8");
    case.run().assert_clean();
    assert_eq!(case.output("words_out.txt"), "101\n102\n103\n104\n1\n");
    assert_eq!(case.output("floats_out.txt"), "5\n6\n7\n8\n1\n2\n3\n4\n0.5\n16\n-12\n2\n7\n");
    // A kernel that polls for ever counts as blocked, and the report names it.
    let starved = case.run_with(&[("STARVED", "1")]);
    starved.assert_fails("nothing can go on");
    starved.assert_fails("kernel 0 (polling.cc)");
}

#[test]
#[ignore = "long: compiles a program of its own"]
fn tlast_travels_with_its_word_from_file_to_file() {
    let case = streams();
    let negated = case.output("out1.txt");
    assert!(negated.starts_with("TLAST\n1 2 3 4\nTLAST\n5 6 7 -8\n"), "{negated}");
    assert!(case.output("out2.txt").starts_with("10 20\nTLAST\n30\n40 50\n60 70\nTLAST\n80\n"));
}

#[test]
#[ignore = "long: compiles a program of its own"]
fn a_window_goes_to_a_kernel_and_to_a_stream_alike() {
    let case = streams();
    assert_eq!(case.output("out3.txt"), "0.5 1\n1.5 2\n2.5 3\n3.5 4\n");
    assert_eq!(case.output("out4.txt"), case.output("out3.txt"));
}

fn port_buffers() -> Case {
    let case = Case::new("port_buffers");
    case.input("x.txt", &lines(1..=64));
    let run = case.run();
    run.assert_clean();
    // One firing of the kernel of 32 samples for two of those of 16, one of the asynchronous one
    // (UG1079, multirate).
    let firings = 2 * (1 + 2 + 2 + 2);
    assert_eq!(run.events.last(), Some(&serde_json::json!({"event": "end", "firings": firings})));
    case
}

#[test]
#[ignore = "long: compiles a program of its own"]
fn buffers_have_margins_and_rates() {
    let out = port_buffers().output("y.txt");
    let sums: Vec<i64> = out.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    let twice = |i: i64| if i < 1 { 0 } else { 2 * i };
    let expected: Vec<i64> = (1..=64).map(|i| (0..4).map(|k| twice(i - k)).sum()).collect();
    assert_eq!(sums, expected);
}

#[test]
#[ignore = "long: compiles a program of its own"]
fn asynchronous_and_circular_buffers() {
    assert!(
        port_buffers().output("z.txt").starts_with("8 10 12 14\n16 18 20 22\n24 26 28 30\n32 2 4 6\n40 ")
    );
}

// UG1079, "Run-Time Graph Control API": update and read name the ports of kernels, too.
#[test]
#[ignore = "long: compiles a program of its own"]
fn the_host_moves_parameters_of_kernels_without_ports_of_the_graph() {
    let case = Case::new("by_hand");
    case.run().assert_clean();
    assert_eq!(case.output("out.txt"), "31\n32\n33\n64\n65\n66\n");
    let forgetful = case.run_with(&[("FORGET", "1")]);
    forgetful.assert_fails("kernel 1 (kernels/count.cc) waits, before it can start, for an update at in[0] from the host program");
}

fn control() -> (Case, crate::bench::Run) {
    let case = Case::new("control");
    case.input("numbers.txt", &lines(1..=8));
    case.input("eight.txt", "1 2 3 4 5 6 7 8 1 1 1 1 1 1 1 1");
    let marked = "2147483648\n1\n2\n3\nTLAST\n4\n1\n5\n6\n7\nTLAST\n8\n1\n9\n10\n11\nTLAST\n12\n2147483648\nTLAST\n13\n";
    case.input("mixed.txt", marked);
    let run = case.run();
    (case, run)
}

#[test]
#[ignore = "long: compiles a program of its own"]
fn parameters_go_in_and_come_back() {
    let (case, run) = control();
    assert_eq!(run.stdout, "last 10 4\nlast 100 4\ncount 2, profile 1\n");
    assert_eq!(case.output("plain0.txt"), "0 6 11 17\n0 51 101 152\n"); // (factor * i + offset) >> 1
    assert_eq!(case.output("plain1.txt"), "505 505 505 505\n1010 1010 1010 1010\n"); // kernel to kernel
    assert!(run.stderr.contains("inconsistent with RTP port size 2"), "{}", run.stderr);
}

/// UG1079, "Kernel Bypass": 0 lets the kernel run, 1 copies its buffers; `negate` is the opposite.
#[test]
#[ignore = "long: compiles a program of its own"]
fn a_bypassed_kernel_copies_its_buffers() {
    let case = Case::new("bypass");
    case.input("in.txt", &lines(1..=16));
    case.run().assert_clean();
    // Past both, through both kernels, past both; then through the first and past the second.
    let want = ["2\n4\n6\n8\n", "20\n24\n28\n32\n", "18\n20\n22\n24\n", "26\n28\n30\n32\n"];
    assert_eq!(case.output("out.txt"), want.concat());
    let longer = case.run_with(&[("LONGER", "1")]);
    longer.assert_fails("16 bytes and 32, so the kernel has run instead");
}

#[test]
#[ignore = "long: compiles a program of its own"]
fn kernel_objects_have_arrays_state_and_an_initialization() {
    assert_eq!(control().0.output("filtered.txt"), "3002 23422 287622 290272\n292932 320732 738732 742928\n");
}

#[test]
#[ignore = "long: compiles a program of its own"]
fn packets_find_their_kernel_and_come_back_whole() {
    let out = control().0.output("packets.txt");
    // The kernel on packets of any length passes them on; the one on windows gets no header and
    // sends one.
    assert!(out.starts_with("2147483648\n1001\n1002\n1003\nTLAST\n1004\n"), "{out}");
    assert!(out.contains("1\n2005\n2006\n2007\nTLAST\n2008\n"), "{out}");
    assert!(out.contains("2147483648\nTLAST\n1013\n"), "{out}");
}

#[test]
#[ignore = "long: compiles a program of its own"]
fn accumulators_cross_a_cascade() {
    assert_eq!(
        control().0.output("summed.txt"),
        "37 74 111 148\n185 222 259 296\n37 37 37 37\n37 37 37 37\n"
    );
}

#[test]
#[ignore = "long: compiles a program of its own"]
fn older_designs_have_platforms_and_several_graphs() {
    let case = Case::new("old_style");
    case.input("numbers.txt", &lines(1..=64));
    let run = case.run();
    run.assert_clean();
    assert_eq!(run.stdout, "120\n");
    assert_eq!(case.output("sums.txt"), "136\n492\n"); // the second with a margin of four
}

// A kernel network gives equal results in every order, as long as nothing in it depends on time.
#[test]
#[ignore = "long: compiles a program of its own"]
fn seeds_change_the_order_and_not_the_result() {
    let case = streams();
    let first: Vec<String> = (0..5).map(|i| case.output(&format!("out{i}.txt"))).collect();
    for seed in ["1", "2", "3"] {
        let run = case.run_with(&[("AIEC_SIM_SEED", seed)]);
        run.assert_clean();
        assert_eq!(run, case.run_with(&[("AIEC_SIM_SEED", seed)]));
        let now: Vec<String> = (0..5).map(|i| case.output(&format!("out{i}.txt"))).collect();
        assert_eq!(now, first, "seed {seed}");
    }
}

#[test]
#[ignore = "long: compiles a program of its own"]
fn clang_takes_the_headers_and_what_uses_them() {
    let Some(clang) = crate::bench::clang() else { return };
    for case in ["control", "careless", "old_style", "aie_lanes"] {
        crate::bench::assert_compiles(clang, case, &[]);
    }
}

#[test]
fn buffers_that_only_aie_ml_has_are_refused_by_name() {
    let words = crate::bench::refused(
        "#include <adf.h>
void k(adf::inout_buffer<int32, adf::extents<16>> &) {}
adf::kernel made = adf::kernel::create(k);
auto shared = adf::shared_buffer<int32>::create({16}, 1, 1);
auto external = adf::external_buffer<int32>::create({16}, 1, 1);
",
    );
    for what in ["has no inout buffers", "has no shared_buffer", "has no external_buffer"] {
        assert!(words.contains(what), "{what}: {words}");
    }
}

/// `#define N 16` before `#include <adf.h>`, or `-D N=16`, is every user's right.
#[test]
#[ignore = "long: compiles a program of its own"]
fn headers_leave_the_names_of_macros_to_users() {
    for flags in [&["-D__X86SIM__"], &["-std=c++17"], &["-D__AIE_ARCH__=20"]] {
        crate::bench::assert_compiles("g++", "users_macros", flags);
    }
}

/// `restrict` and the directives are words of the core's compiler, not of a header.
#[test]
#[ignore = "long: compiles a program of its own"]
fn every_header_brings_the_words_of_the_cores_compiler() {
    for first in ["aie_api/aie.hpp", "adf/window/types.h", "adf/stream/types.h", "adf/io_buffer/io_buffer.h"]
    {
        crate::bench::assert_compiles("g++", "core_words", &[&format!("-DFIRST=<{first}>")]);
    }
}

/// Kernels of a public project include the types of windows, and have streams
/// (parsamajidi21/TreeTensorNetworkVCK190, `contractions/contraction00.cpp`).
#[test]
#[ignore = "long: compiles a program of its own"]
fn the_types_of_windows_come_with_those_of_streams() {
    for first in ["adf/window/types.h", "adf/stream/types.h"] {
        crate::bench::assert_compiles("g++", "core_words", &[&format!("-DFIRST=<{first}>"), "-DSTREAMS"]);
    }
}
