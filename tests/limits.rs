//! The limits that the thesis met (section 4.6), each reproduced through the command line: four of
//! memory, one of routing.
//!
//! A benchmark design like that of the thesis reduces over a binary tree. Its root has two inputs,
//! a result and cycle counts. Sizes are in bytes and can be set with `-D`: `WS` of a window, `DS`
//! of the data that a rank keeps on its stack.
#![allow(clippy::disallowed_methods, reason = "tests prepare files")]

use std::fs;

use aiec_tests::{Ran, aiec_on};
use serde_json::{Value, json};

const BENCHMARK: &str = "design benchmark
device xcvc1902
const N = 7
const WS = 8192
const DS = 8192
kernel worker[N] {
    source \"k.cc\"
    stack  DS + 960 B // with heap and sync area 1 KiB beside the data
    heap   32 B
}
reduce total over worker {
    op     sum
    data   int32[DS / 4]
    window int32[WS / 4]
    root   worker[0]
    cycles int64[WS / 8]
}
output sum to gmio
output cycles to gmio
connect total.result -> sum
connect total.cycles -> cycles
";

/// Runs `aiec` on `design`, beside an empty kernel source unless the command would compile it.
fn run(command: &str, design: &str, arguments: &[&str]) -> Ran {
    let files: &[(&str, &str)] = if command == "check" { &[] } else { &[("k.cc", "")] };
    aiec_on(command, design, files, arguments)
}

fn assert_refused(ran: &Ran, parts: &[&str]) {
    let text = ran.words();
    assert_eq!(ran.status, 1, "{text}");
    for part in parts {
        assert!(text.contains(part), "`{part}` is missing in\n{}", ran.err);
    }
}

#[test]
#[ignore = "long: places a full design"]
fn limit_1_windows_of_16_kib_exceed_what_the_root_reaches_and_of_8_kib_do_not() {
    let accepted = run("report", BENCHMARK, &["-D", "WS=8192"]);
    assert_eq!(accepted.status, 0, "placed and routed: {}", accepted.err);
    let refused = run("check", BENCHMARK, &["-D", "WS=16384", "-D", "DS=16384"]);
    assert_refused(
        &refused,
        &[
            "check/kernel-memory",
            "`worker[0]` needs 145 KiB: 128 KiB of window buffers and 17 KiB of stack, heap and sync area",
            "the 4 memory modules it reaches have 128 KiB",
            "[aiecompiler 77-5387]",
            "write `window int32[2048]` in `total`",
        ],
    );
}

#[test]
fn limit_2_local_data_lies_on_the_stack_which_fits_one_module_with_heap_and_sync_area() {
    // 32 KiB less 64 bytes of heap and sync area, and 960 bytes of other variables.
    let most = 32 * 1024 - 64 - 960;
    let data = |bytes: u32| run("check", BENCHMARK, &["-D", "WS=16", "-D", &format!("DS={bytes}")]);
    assert_eq!(data(most).status, 0, "{}", data(most).err);
    assert_refused(
        &data(32 * 1024),
        &[
            "check/system-memory",
            "take 33 KiB",
            "one memory module, which has 32 KiB",
            "write `stack 32704 B` or less",
        ],
    );
    assert_refused(&data(most + 16), &["check/system-memory", "worker"]);
}

#[test]
fn limit_3_total_memory_bounds_the_depth_of_the_tree_by_equation_4_9() {
    let size = ["-D", "WS=10240", "-D", "DS=30720"];
    let deep = |n: &'static str| run("check", BENCHMARK, &[&size[..], &["-D", n]].concat());
    assert_eq!(deep("N=127").status, 0, "{}", deep("N=127").err);
    assert_refused(
        &deep("N=255"),
        &[
            "check/total-memory",
            // 255 stacks of 31 KiB with heap and sync area; 254 windows of 2 x 10 KiB, a result and
            // cycle counts of the same size.
            "all kernels together need 13025 KiB, as much as 408 tiles have",
            "5120 KiB of window buffers and 7905 KiB of stacks, heaps and sync areas",
            "xcvc1902 has 400 tiles with 12800 KiB, enough for 250 kernels",
            "this tree has 8 levels",
            "at most 7 levels, 127 kernels",
            "equation 4.9",
        ],
    );
}

#[test]
#[ignore = "long: places a full design"]
fn limit_4_memory_that_is_there_but_out_of_reach_is_of_no_use() {
    // Stacks of 25 KiB fill modules whose spare room no pair of 4 KiB buffers fits: twelve kernels
    // need room around them.
    let spread = "design local
        device xcvc1902
        kernel worker[12] { source \"k.cc\" stack 24 KiB }
        reduce total over worker { op sum data int32[1024] window int32[1024] root worker[0] }
        output sum to gmio
        connect total.result -> sum\n";
    let packed = format!("{spread}for i in 0..12 {{ place worker[i] at (24 + i / 4, i % 4) }}\n");
    assert_eq!(run("report", spread, &[]).status, 0, "with room it can be placed");
    assert_eq!(run("check", &packed, &[]).status, 0, "counts alone allow it");
    let refused = run("report", &packed, &[]);
    assert_refused(&refused, &["place/", "its best attempt needs", "bytes of the module", "fewer `place`"]);
    assert!(refused.out.is_empty(), "{}", refused.out);
}

/// Connections from kernels in columns up to 8 to kernels from column 9 on.
const CROSSING: &str = "design crossing
device xcvc1902
const N = 37
kernel west[N](out y: window int32[4]) { source \"k.cc\" }
kernel east[N](in x: window int32[4]) { source \"k.cc\" }
connect west.y -> east.x
";

/// A placement of `CROSSING` with `n` connections, each of which must cross from column 8 to column
/// 9.
fn crossing(n: u16) -> Value {
    let (mut kernels, mut buffers) = (json!({}), json!({}));
    for i in 0..n {
        let tiles = [("west", "y", [8 - i / 8, i % 8]), ("east", "x", [9 + i / 8, i % 8])];
        for (family, port, tile) in tiles {
            let name = format!("{family}[{i}]");
            kernels[&name] = json!({ "tile": tile, "stack": { "tile": tile, "offset": 0 } });
            let at = |offset: u32| json!({ "tile": tile, "offset": offset });
            buffers[format!("{name}.{port}")] = json!([at(4096), at(4128)]);
        }
    }
    json!({
        "format": "aiec-placement", "version": 1, "design": "crossing", "device": "xcvc1902",
        "kernels": kernels, "buffers": buffers, "shims": {},
    })
}

/// A report on `CROSSING` with `n` connections.
fn cross(n: u16) -> Ran {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let file = directory.path().join("p.json");
    fs::write(&file, crossing(n).to_string()).expect("writable");
    let (file, n) = (file.display().to_string(), format!("N={n}"));
    run("report", CROSSING, &["-D", &n, "--placement", &file, "--cuts"])
}

#[test]
fn limit_5_thirty_six_nets_cross_a_column_one_way_and_thirty_seven_do_not() {
    let full = cross(36);
    assert_eq!(full.status, 0, "{}", full.err);
    let row = full.out.lines().find(|line| line.trim_start().starts_with("column 8 "));
    let words: Vec<&str> = row.into_iter().flat_map(str::split_whitespace).collect();
    assert_eq!(words, ["column", "8", "36/36", "36/36", "0/36", "0/36"], "demand and wires, EAST, then WEST");

    let refused = cross(37);
    assert_refused(
        &refused,
        &[
            "route/overfull",
            "37 nets must cross column 8 going east, which has 36 wires",
            "`west[0].y`, `west[1].y`, `west[2].y` and 34 more",
            "[aiecompiler 35-3253] AIE Router found too many nets on Column: 8 going EAST, 37/36",
            "place kernels that exchange windows where they share memory",
        ],
    );
    assert!(refused.err.contains("connect west.y -> east.x"), "the connection is shown: {}", refused.err);
}

#[test]
fn without_the_placement_file_the_same_connections_go_through_shared_memory() {
    let ran = run("report", CROSSING, &["--json"]);
    let report: Value = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!(report["totals"]["nets"], 0, "{}", ran.err);
    assert_eq!(report["estimate"]["resources"]["shared_connections"], 37);
}
