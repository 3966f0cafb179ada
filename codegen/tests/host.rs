//! The host program against a fake of XRT (`host/xrt.h`) in the three forms of the releases: its
//! results, the order of its calls, and its exit after an error.

#![allow(clippy::panic, reason = "a test fails by panicking")]
#![allow(clippy::disallowed_methods, reason = "the host program is compiled and run on files")]

mod common;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use aiec_codegen::OutputFile;
use aiec_device::Board;
use aiec_ir::release::Release;
use aiec_ir::{Direction, ElementType};
use aiec_test_support::{Builder, Reduce, input, int32, output};

use common::{ROUND_TRIP_ELEMENTS, ROUND_TRIPS, project, round_trip_files, round_trips, text, write};

/// A release for each form of the API, and its number in the fake.
const APIS: [(&str, u32); 3] = [("2022.1", 1), ("2023.2", 2), ("2026.1", 3)];

/// A compiled host program in a folder with the data of its inputs and a binary for the board.
struct Host {
    folder: PathBuf,
}

impl Host {
    /// Compiles the host program of `files` in a fresh folder.
    fn compile(name: &str, files: &[OutputFile], api: u32) -> Self {
        Self::compile_with(name, files, api, &[])
    }

    fn compile_with(name: &str, files: &[OutputFile], api: u32, macros: &[&str]) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("host_{name}_{api}"));
        let _ = fs::remove_dir_all(&folder);
        for header in ["aie", "bo", "device", "graph", "kernel", "hw_context", "xclbin"] {
            let below = if header == "xclbin" { "experimental/" } else { "" };
            write(&folder.join(format!("xrt/{below}xrt_{header}.h")), include_str!("host/xrt.h"));
        }
        for file in ["sw/host.cpp", "sw/aiec_host.h"] {
            write(&folder.join(file), text(files, file));
        }
        let standard = ["-std=c++17", "-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Werror", "-I."];
        let api = format!("-DXRT_API={api}");
        let rest = [&*api, "sw/host.cpp", "-o", "host.exe", "-pthread"];
        let compiler =
            Command::new("g++").args(standard).args(macros).args(rest).current_dir(&folder).output();
        let compiler = compiler.expect("g++ is installed");
        assert!(compiler.status.success(), "{}", String::from_utf8_lossy(&compiler.stderr));
        write(&folder.join("a.xclbin"), "");
        Self { folder }
    }

    fn run(&self, arguments: &[&str], faults: &[(&str, &str)]) -> Output {
        let mut command = Command::new(self.folder.join("host.exe"));
        command.current_dir(&self.folder).args(arguments).envs(faults.iter().copied());
        command.output().expect("it runs")
    }

    /// The program ends with this status and its output contains all of `words`.
    #[track_caller]
    fn ends(&self, arguments: &[&str], faults: &[(&str, &str)], status: i32, words: &[&str]) {
        let ran = self.run(arguments, faults);
        let said = String::from_utf8_lossy(&ran.stdout) + String::from_utf8_lossy(&ran.stderr);
        assert_eq!(ran.status.code(), Some(status), "{said}");
        words.iter().for_each(|word| assert!(said.contains(word), "expected `{word}` in\n{said}"));
    }

    fn write(&self, file: &str, text: &str) {
        write(&self.folder.join(file), text);
    }
}

fn trips(release: &str) -> Vec<OutputFile> {
    project(round_trips().release(Release::named(release).expect("a release")))
}

fn trip_data(element: ElementType, per_line: usize, numbers: [&str; 2]) -> String {
    let count = ROUND_TRIP_ELEMENTS as usize * if element.is_complex() { 2 } else { 1 };
    let all: Vec<&str> = numbers.into_iter().cycle().take(count).collect();
    all.chunks(per_line).map(|line| line.join(" ") + "\n").collect()
}

/// The host program of the round trips with the data of its inputs.
fn host_of_trips(name: &str, release: &str, api: u32) -> Host {
    let host = Host::compile(name, &trips(release), api);
    for (element, _, per_line, numbers) in ROUND_TRIPS {
        host.write(&round_trip_files(element)[0], &trip_data(element, per_line, numbers));
    }
    host
}

// PLIO data files have as many values in a line as the width holds (UG1076, PLIO data files). The
// fake passes data on only if the host starts outputs first, ends the graph, and synchronises
// memory in both directions.
#[test]
#[ignore = "long: compiles a host for each release"]
fn every_number_comes_back_as_it_was_with_the_api_of_each_release() {
    for (release, api) in APIS {
        let host = host_of_trips("trips", release, api);
        host.ends(&[], &[], 0, &["in 2048 bytes (512 elements), out 2048 bytes (512 elements)", "MB/s"]);
        for (element, _, per_line, numbers) in ROUND_TRIPS {
            let path = host.folder.join(&round_trip_files(element)[1]);
            let written = fs::read_to_string(path).expect("it is there");
            assert_eq!(written, trip_data(element, per_line, numbers), "{element} of {release}");
        }
        host.ends(&[], &[], 0, &["out_int8: 64 elements in results/all/out_int8.txt; not compared, there is no data/golden/results/all/out_int8.txt"]);
        hanging_transfers_are_named(&host);
        data_is_compared(&host);
        host.ends(&[], &[("FAKE_THROW", "g.in_uint8")], 1, &["error: XRT has no port g.in_uint8"]);
        host.ends(
            &[],
            &[("FAKE_FAULT", "s2mm_32:{s2mm_out_int8}")],
            1,
            &["output out_int8", "ended in state 5"],
        );
    }
}

fn hanging_transfers_are_named(host: &Host) {
    for (handle, name) in [
        ("g.out_uint8", "output out_uint8 (g.out_uint8)"),
        ("g.in_uint64", "input in_uint64 (g.in_uint64)"),
        ("s2mm_32:{s2mm_out_int8}", "output out_int8 (s2mm_32:{s2mm_out_int8})"),
    ] {
        let words = ["no end after 0.3 seconds", name, "the end of the graph", "--timeout SECONDS"];
        host.ends(&["--timeout", "0.3"], &[("FAKE_HANG", handle)], 3, &words);
    }
}

fn data_is_compared(host: &Host) {
    let golden = |element| format!("data/golden/{}", round_trip_files(element)[1]);
    for (element, _, per_line, numbers) in ROUND_TRIPS {
        host.write(&golden(element), &trip_data(element, per_line, numbers));
    }
    host.ends(&[], &[], 0, &["out_int8: 64 elements equal data/golden/results/all/out_int8.txt"]);
    let different = ["error: out_uint8 differs from", "1 of 64 numbers", "element 0 is 254, expected 255"];
    host.ends(&[], &[("FAKE_OTHER", "g.out_uint8")], 1, &different);
    let integers = trip_data(ElementType::Int16, 8, ["-32768", "32766"]);
    host.write(&golden(ElementType::Int16), &integers);
    host.ends(&[], &[], 1, &["out_int16 differs", "32 of 64 numbers", "element 1 is 32767, expected 32766"]);
    host.write(&golden(ElementType::Int16), &trip_data(ElementType::Int16, 8, ["-32768", "32767"]));
    // Floats may differ by a hundred-thousandth of the expected value, or by the user's tolerance.
    host.write(
        &golden(ElementType::Float),
        &trip_data(ElementType::Float, 4, ["-1.250001", "3.40282347e+38"]),
    );
    host.ends(&[], &[], 0, &["out_float: 64 elements equal"]);
    host.ends(
        &["--tolerance", "0"],
        &[],
        1,
        &["out_float differs", "element 0 is -1.25, expected -1.25000095"],
    );
    host.write(&golden(ElementType::Float), "-1.25\n");
    host.ends(&[], &[], 1, &["out_float.txt has only 1 of the 64 numbers of output out_float"]);
    fs::remove_dir_all(host.folder.join("data")).expect("removable");
}

#[test]
fn wrong_arguments_and_files_are_named() {
    let host = host_of_trips("arguments", "2023.2", 2);
    host.ends(&["--help"], &[], 0, &["usage: host.exe", "--timeout SECONDS"]);
    host.ends(&["--bogus"], &[], 2, &["there is no option --bogus", "usage: host.exe"]);
    host.ends(&["--timeout"], &[], 2, &["--timeout needs a number"]);
    host.ends(&["--timeout", "soon"], &[], 2, &["--timeout does not go with `soon`"]);
    host.ends(&["--device", "1.5"], &[], 2, &["--device takes a whole number"]);
    host.ends(&["a.xclbin", "b.xclbin"], &[], 2, &["one XCLBIN is enough"]);
    host.ends(&["b.xclbin"], &[], 1, &["b.xclbin does not exist"]);
    host.ends(&["--device", "7"], &[], 1, &["no such device: 7"]);
    host.ends(&["--device", "1", "a.xclbin"], &[], 0, &[]);
    let [file, _] = round_trip_files(ElementType::Int8);
    for (data, words) in [
        ("1 2 3", "in_int8.txt has only 3 of the 64 numbers of input in_int8"),
        ("1 2 x", "number 2, `x`, does not fit the type"),
        ("1 2 128", "number 2, `128`, does not fit the type"),
        (&"7 ".repeat(65), "in_int8.txt has more than the 64 numbers"),
    ] {
        host.write(&file, data);
        host.ends(&[], &[], 1, &[words]);
    }
    fs::remove_file(host.folder.join(&file)).expect("removable");
    host.ends(&[], &[], 1, &["in_int8.txt cannot be read"]);
}

#[test]
fn arrays_are_loops_and_numbers_have_names() {
    let files = project(&common::reduction());
    let host = text(&files, "sw/host.cpp");
    for part in [
        "constexpr unsigned iterations = 1;",
        "constexpr unsigned lanes_windows = 1; // in a run",
        "constexpr unsigned lanes_window = 16; // elements",
        "constexpr std::size_t lanes_elements = std::size_t{iterations} * lanes_windows * lanes_window;",
        "constexpr unsigned lanes_count = 7;",
        "port.handle = \"mm2s_64:{mm2s_lanes_\" + i + \"}\";",
        "for (unsigned at = 0; at < doubled_count; ++at) {",
    ] {
        assert!(host.contains(part), "expected `{part}` in\n{host}");
    }
    assert_eq!(host.matches("lanes_port").count(), 2, "one function and one loop for seven lanes: {host}");
}

#[test]
fn ports_of_an_array_with_different_windows_move_what_each_has() {
    let mut builder = Builder::new("mixed", "xcvc1902");
    for (at, elements) in [(0, 16), (1, 32), (2, 32)] {
        builder.kernels(&format!("k{at}"), &[], &[input("x", int32(16)), output("y", int32(elements))]);
    }
    builder.plio("x", &[3], Direction::Out, 64).plio("y", &[3], Direction::In, 64);
    for at in 0..3 {
        builder.connect(&format!("x[{at}]"), &format!("k{at}.x"));
        builder.connect(&format!("k{at}.y"), &format!("y[{at}]"));
    }
    let files = project(&builder);
    let host = text(&files, "sw/host.cpp");
    for part in [
        "constexpr unsigned x_count = 3;",
        "// Output y[0]: int32.",
        "constexpr unsigned y_0_window = 16; // elements",
        "constexpr unsigned y_1_window = 32; // elements",
        "port.elements = y_0_elements;",
        "port.elements = y_2_elements;",
    ] {
        assert!(host.contains(part), "expected `{part}` in\n{host}");
    }
    assert!(!host.contains("y_count"), "no loop over ports that differ: {host}");
}

// Xilinx/XRT#7010: xrt::graph is not there on the server.
#[test]
fn the_server_of_a_card_moves_data_and_starts_no_graph() {
    let mut builder = common::pipeline();
    let files = project(builder.release(Release::named("2022.2").expect("a release")).board(Board::Vck5000));
    let host = Host::compile_with("server", &files, 2, &["-DXRT_SERVER"]);
    let numbers = |last: u32| (1..=last).map(|n| format!("{n} ")).collect::<String>();
    host.write("data/samples.txt", &numbers(64));
    host.write("data/golden/clipped.txt", &"0 ".repeat(64));
    host.ends(&[], &[], 0, &["clipped: 64 elements equal data/golden/clipped.txt"]);
    host.ends(&["--timeout", "0.3"], &[("FAKE_HANG", "s2mm_64:{s2mm_clipped}")], 3, &["output clipped"]);
}

#[test]
fn cycle_counts_are_printed_and_not_compared() {
    let mut builder = Builder::new("timed", "xcvc1902");
    builder.kernels("worker", &[3], &[]).gmio_output("sum").gmio_output("counts").iterations(2);
    let cycles = aiec_ir::WindowType { element: ElementType::Int64, elements: 8 };
    builder.reduce(Reduce::over("total", &["worker"], int32(16)).calls(3).cycles(cycles));
    builder.connect("total.result", "sum").connect("total.cycles", "counts");
    let files = project(builder.release(Release::named("2023.2").expect("a release")));
    let host = Host::compile("timed", &files, 2);
    host.ends(&[], &[], 0, &["counts: 6 calls, least 0, mean 0, most 0 cycles", "differs from run to run"]);
    durations_are_logged(&host);
    let host = text(&files, "sw/host.cpp");
    assert!(!host.contains("golden/counts"));
    for part in [
        "constexpr unsigned counts_calls = 3; // in a run",
        "port.window = counts_window;",
        "port.calls = counts_calls;",
    ] {
        assert!(host.contains(part), "expected `{part}` in\n{host}");
    }
}

/// Three processes append a line each: lists of three calls for two runs, of int64 and int32.
fn durations_are_logged(host: &Host) {
    host.ends(&["--restarts", "3", "--log", "bench.log", "--counts", "sum"], &[], 0, &["counts: 6 calls"]);
    let log = fs::read_to_string(host.folder.join("bench.log")).expect("it is there");
    assert_eq!(log.lines().count(), 3, "{log}");
    for line in log.lines() {
        let run: serde_json::Value = serde_json::from_str(line).expect("JSON");
        assert_eq!(
            (&run["design"], &run["iterations"], &run["right"]),
            (&"timed".into(), &2.into(), &true.into())
        );
        assert_eq!(run["counts"]["counts"], serde_json::json!([[0, 0, 0], [0, 0, 0]]), "{line}");
        let sums = run["counts"]["sum"].as_array().expect("lists");
        assert!(sums.len() == 2 && sums.iter().all(|run| run.as_array().is_some_and(|run| run.len() == 48)));
        assert!(run["seconds"].as_f64() > Some(0.0), "{line}");
    }
    host.ends(
        &["--log", "bench.log", "--counts", "nothing"],
        &[],
        1,
        &["no output nothing of whole numbers"],
    );
    host.ends(&["--counts", "sum"], &[], 2, &["--counts needs --log"]);
    host.ends(&["--restarts", "3", "--device", "7"], &[], 1, &["no such device: 7"]);
    host.ends(&["--log", "no/such/folder/log"], &[], 1, &["no/such/folder/log cannot be written"]);
}
