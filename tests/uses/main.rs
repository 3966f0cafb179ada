//! The uses of the AI Engine API and of the port functions in emitted kernels, with types and
//! lanes: the list `witness/aie_api.txt`.
//!
//! The test compiles every kernel and wrapper of the examples, and of designs with collectives of
//! each element type, against declarations that were written from the documents alone and define
//! nothing (`witness/kernel/`). The undefined symbols of an object are the uses of its source;
//! undeclared names do not compile. A use that the list lacks fails, and so does an entry that
//! nothing uses.
//!
//! `AIEC_BLESS=1 cargo test -p aiec_tests --test uses -- --include-ignored` rewrites the list.
#![allow(clippy::disallowed_methods, reason = "the test compiles emitted files")]

mod designs;
mod symbols;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use aiec::named;
use aiec::pipeline::{self, Log, Options};
use aiec_codegen::{EmitOptions, UserSource, emit_unplaced, translation_units};
use aiec_diag::Sources;
use aiec_tests::root;

use designs::Design;
use symbols::Use;

const HEADER: &str = "\
# Uses of the AI Engine API and of the port functions on AIE in emitted kernels. The last column is
# the device's implementation if that is more than one instruction for all lanes (Xilinx/aie_api,
# detail/aie1/ and the default implementations in detail/). `AIEC_BLESS=1
# cargo test -p aiec_tests --test uses -- --include-ignored` writes it. `tools/check_aie_api.py`
# compares it with the sources of the API.
#
# function | types | lanes | on the device
";

fn run(command: &mut Command) -> String {
    let output = command.env("LC_ALL", "C").output().expect("binutils and g++ are installed");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

/// The files of a design with its kernels, without placement, and the files to compile.
fn emitted(design: &Design) -> (Vec<(String, String)>, Vec<String>) {
    let mut sources = Sources::default();
    let id = sources.add(&design.name, &design.text);
    let source = sources.get(id).expect("added above").clone();
    let mut log = Log::default();
    let mut asked = Options::default();
    let texts = named::read(&source, Path::new(&design.name), &mut sources);
    (asked.lower.tables, asked.lower.imports) = (texts.tables, texts.imports);
    let front = pipeline::front(&source, &asked, &mut log);
    let front = front.ok_or((&design.name, log.diagnostics)).expect("the design is legal");
    let user = design.sources.iter().map(|(path, text)| UserSource::inside(path, text));
    let options = EmitOptions { sources: user.collect(), ..EmitOptions::default() };
    let files =
        emit_unplaced(&front.checked, &front.device, &options).into_parts().0.expect("sources are given");
    let units = translation_units(&front.checked, &options.sources);
    let kernels = units.into_iter().filter(|unit| unit != "aie/graph.cpp").collect();
    (files.into_iter().map(|file| (file.path, file.text)).collect(), kernels)
}

/// The uses of a design's kernels. All are one translation unit; each wrapper has its own
/// `communicator`.
fn uses(design: &Design) -> BTreeSet<Use> {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let write = |path: &str, text: &str| {
        let path: PathBuf = folder.path().join(path);
        fs::create_dir_all(path.parent().expect("a file in a folder")).expect("writable");
        fs::write(path, text).expect("writable");
    };
    let (files, units) = emitted(design);
    files.iter().for_each(|(path, text)| write(path, text));
    let mut all = String::new();
    for (at, unit) in units.iter().enumerate() {
        let _ =
            writeln!(all, "#define communicator communicator{at}\n#include \"{unit}\"\n#undef communicator");
    }
    write("all.cpp", &all);
    let witness = root().join("tests/witness/kernel");
    run(Command::new("g++")
        .current_dir(folder.path())
        .args(["-std=c++20", "-O0", "-w", "-c", "-fno-exceptions", "-I"])
        .arg(witness)
        .args(["-Iaie", "-Iaie/include", "-Iaie/kernels", "-I.", "all.cpp", "-o", "all.o"]));
    let asked = run(Command::new("nm").current_dir(folder.path()).args(["-C", "-u", "all.o"]));
    asked.lines().filter_map(|line| symbols::parsed(line.trim().strip_prefix("U ")?)).collect()
}

fn list(uses: &BTreeSet<Use>) -> String {
    let mut text = HEADER.to_owned();
    for one in uses {
        let line = format!("{:28} | {:16} | {:5} | {}", one.function, one.types, one.lanes, one.on_device());
        let _ = writeln!(text, "{}", line.trim_end());
    }
    text
}

fn path_of_list() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("witness/aie_api.txt")
}

#[test]
#[ignore = "long: compiles every design"]
fn emitted_kernels_use_what_the_list_says_and_nothing_else() {
    let designs: Vec<Design> = designs::examples().into_iter().chain(designs::of_every_type()).collect();
    let used: BTreeSet<Use> = designs.iter().flat_map(uses).collect();
    let now = list(&used);
    if std::env::var_os("AIEC_BLESS").is_some() {
        fs::write(path_of_list(), &now).expect("writable");
        return;
    }
    let committed = fs::read_to_string(path_of_list()).expect("the list is there");
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<BTreeSet<String>>();
    let (now, committed) = (lines(&now), lines(&committed));
    let new: Vec<&String> = now.difference(&committed).collect();
    let unused: Vec<&String> = committed.difference(&now).collect();
    assert!(
        new.is_empty() && unused.is_empty(),
        "used, but not in the list: {new:#?}\nin the list, but not used: {unused:#?}"
    );
}

/// A use that the list lacks would be found: one more function, type or number of lanes is one more
/// line.
#[test]
fn each_type_and_number_of_lanes_is_a_use_of_its_own() {
    let of = |kernel: &str| {
        let text = "design one\ndevice xcvc1902\nports window\nkernel k(in x: window int32[64]) { source \"k.cc\" }\ninput i from plio(64, \"i.txt\")\nconnect i -> k.x\n";
        let kernel = format!(
            "#include <adf.h>\n#include <aie_api/aie_adf.hpp>\nvoid k(input_window<int32> *x) {{ {kernel} }}\n"
        );
        uses(&Design { name: "one".into(), text: text.into(), sources: vec![("k.cc".into(), kernel)] })
    };
    let line = |one: &Use| format!("{} {} {} {}", one.function, one.types, one.lanes, one.on_device());
    let lines = |kernel: &str| of(kernel).iter().map(line).collect::<Vec<_>>();
    assert_eq!(lines("window_readincr(x);"), ["window_readincr int32  "]);
    assert_eq!(lines("window_readincr_v<8>(x);"), ["window_readincr_v int32 8 "]);
    assert_eq!(lines("window_readincr_v<4>(x);"), ["window_readincr_v int32 4 "]);
    let bits = "const int8 *p = nullptr; aie::bit_and(aie::load_v<16>(p), aie::load_v<16>(p));";
    assert_eq!(lines(bits), ["aie::bit_and int8 16 scalar, lane by lane", "aie::load_v int8 16 "]);
}
