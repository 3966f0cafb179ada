//! `aiec route --emit=xaie`: the emitted files compile against the witness of aie-rt. They run
//! against its switches, which refuse what the driver refuses. Their calls are the settings of
//! `--emit=wiring`, and no others.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use aiec_tests::{aiec, path, root};
use serde_json::Value;

use crate::compiler::fresh;

/// Circuits with fan-out, packets, FIFOs, PLIO of every width with and without a mux, and GMIO.
const DESIGNS: [&str; 6] = [
    "examples/allports.dsl",
    "examples/ports/packets.dsl",
    "examples/ports/blur.dsl",
    "examples/adf/packet_fanout",
    "examples/adf/adder_tree",
    "examples/adf/gmio_loopback",
];

fn emitted(design: &str, form: &str) -> String {
    let ran = aiec(["route", "--effort", "1", form, &path(design)]);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{design}");
    ran.out
}

/// The function that a file defines.
fn function(text: &str) -> &str {
    let line = text.lines().find_map(|line| line.strip_suffix("(XAie_DevInst *device);"));
    line.and_then(|line| line.strip_prefix("AieRC ")).expect("a declaration")
}

/// Compiles files with the recording switches, runs each function, and returns its code and the
/// recorded settings, sorted.
fn run(folder: &Path, files: &[String]) -> Vec<(i32, Vec<String>)> {
    let witness = root().join("tests/witness/xaie");
    let mut main = String::from("#include <stdio.h>\n\n#include \"switches.h\"\n\n");
    let mut command = Command::new("gcc");
    command.args(["-std=c11", "-Wall", "-Wextra", "-Werror", "-o"]).arg(folder.join("routes"));
    command.arg("-I").arg(witness.join("include")).arg("-I").arg(&witness).arg(witness.join("switches.c"));
    for (at, text) in files.iter().enumerate() {
        // Variants of one design have functions of one name.
        let name = format!("routes_{at}");
        let file = folder.join(format!("{name}.c"));
        fs::write(&file, text).expect("writable");
        let object = folder.join(format!("{name}.o"));
        let mut compile = Command::new("gcc");
        compile.args(["-std=c11", "-Wall", "-Wextra", "-Werror", "-c", "-o"]).arg(&object);
        compile.arg(format!("-D{}={name}", function(text)));
        compile.arg("-I").arg(witness.join("include")).arg(&file);
        let output = compile.output().expect("gcc is installed");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        command.arg(object);
        main.push_str(&format!("AieRC {name}(XAie_DevInst *device);\n"));
    }
    main.push_str("\nint main(void)\n{\n");
    let calls = (0..files.len()).map(|at| format!("    printf(\"returns %d\\n\", run(routes_{at}));\n"));
    main.extend(calls);
    main.push_str("    return 0;\n}\n");
    fs::write(folder.join("main.c"), main).expect("writable");
    let output = command.arg(folder.join("main.c")).output().expect("gcc is installed");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let output = Command::new(folder.join("routes")).output().expect("it runs");
    assert!(output.status.success(), "{output:?}");
    let (mut runs, mut calls) = (Vec::new(), Vec::new());
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        match line.strip_prefix("returns ") {
            None => calls.push(line.to_owned()),
            Some(code) => {
                let mut calls = std::mem::take(&mut calls);
                calls.sort();
                runs.push((code.parse().expect("a code"), calls));
            }
        }
    }
    runs
}

/// The lines that the switches record for settings in JSON, sorted.
fn expected(wiring: &str) -> Vec<String> {
    let wiring: Value = serde_json::from_str(wiring).expect("JSON");
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let port = |port: &Value| format!("{} {}", port["bundle"].as_str().expect("a bundle"), port["channel"]);
    let mut lines = Vec::new();
    for switch in list(&wiring["switches"]) {
        let tile = format!("{},{}", switch["column"], switch["row"]);
        for end in list(&switch["interface"]) {
            let (direction, mux) = if end["direction"] == "in" { ("in", "mux") } else { ("out", "demux") };
            let south = &end["port"]["channel"];
            if end["end"] == "dma" {
                lines.push(format!("{tile} {mux} dma {south}"));
                continue;
            }
            if end["mux"] == true {
                lines.push(format!("{tile} {mux} pl {south}"));
            }
            lines.push(format!("{tile} {direction} {south} width {}", end["width"]));
        }
        for circuit in list(&switch["circuits"]) {
            lines.push(format!("{tile} circuit {} to {}", port(&circuit["slave"]), port(&circuit["master"])));
        }
        let mut slots: BTreeMap<String, Vec<Value>> = BTreeMap::new();
        for slot in list(&switch["slots"]) {
            slots.entry(port(&slot["slave"])).or_default().push(slot);
        }
        for (slave, slots) in slots {
            lines.push(format!("{tile} packets {slave}"));
            lines.extend(slots.iter().map(|slot| {
                format!(
                    "{tile} slot {slave}.{} id {} mask {} to {}.{}",
                    slot["slot"], slot["id"], slot["mask"], slot["arbiter"], slot["msel"]
                )
            }));
        }
        for sends in list(&switch["masters"]) {
            let drop = if sends["drop_header"] == true { " drop" } else { "" };
            let (arbiter, msels) = (&sends["arbiter"], &sends["msels"]);
            lines.push(format!("{tile} master {} from {arbiter}.{msels}{drop}", port(&sends["master"])));
        }
    }
    lines.sort();
    lines
}

#[test]
fn emitted_routes_make_the_calls_of_their_settings_and_all_succeed() {
    let files: Vec<String> = DESIGNS.iter().map(|design| emitted(design, "--emit=xaie")).collect();
    let runs = run(&fresh("routes"), &files);
    assert_eq!(runs.len(), DESIGNS.len());
    for (design, (code, calls)) in DESIGNS.iter().zip(runs) {
        assert_eq!(code, 0, "{design}");
        assert_eq!(calls, expected(&emitted(design, "--emit=wiring")), "{design}");
    }
}

/// The place of a tile. In [`WRONG`], that of the first tile with a DMA.
const TILE: &str = "XAie_TileLoc(";

/// One change each, with the code of the driver. Code 0 is a setting that exists and is wrong.
const WRONG: [(&str, &str, &str, i32); 9] = [
    ("slot 4", "DMA, 0, 0, XAie_PacketInit(", "DMA, 0, 4, XAie_PacketInit(", 6),
    ("number 32", "XAie_PacketInit(0, 0)", "XAie_PacketInit(32, 0)", 4),
    ("arbiter 6", "XAIE_SS_PKT_DROP_HEADER, 1, 1)", "XAIE_SS_PKT_DROP_HEADER, 6, 1)", 4),
    ("select 4", "XAIE_SS_PKT_DROP_HEADER, 1, 1)", "XAIE_SS_PKT_DROP_HEADER, 1, 16)", 4),
    ("DMA port 2", "tile, DMA, 0));", "tile, DMA, 2));", 6),
    ("DMA port of a shim", TILE, "XAie_TileLoc(26, 0)", 6),
    ("input 8", "XAie_PlToAieIntfEnable(device, tile, 0,", "XAie_PlToAieIntfEnable(device, tile, 8,", 6),
    ("row 9", TILE, "XAie_TileLoc(26, 9)", 5),
    ("another select", "XAIE_SS_PKT_DROP_HEADER, 1, 1)", "XAIE_SS_PKT_DROP_HEADER, 1, 2)", 0),
];

#[test]
fn a_wrong_call_is_found() {
    let design = "examples/ports/packets.dsl";
    let right = emitted(design, "--emit=xaie");
    let dma = right.find("tile, DMA, 0));").expect("a tile with a DMA");
    let tile = right[..dma].rfind(TILE).expect("its place");
    let tile = right[tile..].split_inclusive(')').next().expect("column and row");
    let spoil = |&(what, from, to, _): &(&str, &str, &str, i32)| {
        let from = if from == TILE { tile } else { from };
        assert!(right.contains(from), "{what}");
        right.replacen(from, to, 1)
    };
    let files: Vec<String> = WRONG.iter().map(spoil).collect();
    let calls = expected(&emitted(design, "--emit=wiring"));
    for ((what, .., code), (returned, made)) in WRONG.iter().zip(run(&fresh("wrong_routes"), &files)) {
        assert_eq!(returned, *code, "{what}");
        assert_ne!(made, calls, "{what}");
    }
}
