//! The numbers of a design reach its kernels: `#include <aiec/design.h>` has the constants with
//! their `-D`s, the sizes of ports, and the kind of ports. Kernel sources need no change when these
//! change.
#![allow(clippy::disallowed_methods, reason = "tests prepare files and read the project")]

use std::fs;
use std::path::Path;

use aiec_tests::{Ran, aiec, aiec_on, path, root};

/// Windows of `W` elements; `class` is a word of C++, and `scale` shares its name with nothing.
const DESIGN: &str = "design d
device toy
ports window
const W = 8
const class = -3
const BIG = 1 << 40
kernel ramp(out y: window int32[2 * W]) { source \"ramp.cc\" }
output ramps to plio(32, \"ramps.txt\")
connect ramp.y -> ramps
";
/// Counts from 0 to the end of the window, then prints its numbers.
const RAMP: &str = "#include <adf.h>
#include <aiec/design.h>

static void counted(int32 *__restrict y) {
    static_assert(design::ramp::y_elements == 2 * design::W, \"the port follows the constant\");
    static_assert(design::BIG == 1LL << 40, \"constants are as wide as they must be\");
    for (unsigned i = 0; i < design::ramp::y_elements; ++i) y[i] = int32(i) + design::class_;
    y[0] = 100 * design::W + AIEC_BUFFER_PORTS;
}

#if AIEC_BUFFER_PORTS
void ramp(adf::output_buffer<int32> &y) { counted(y.data()); }
#else
void ramp(output_window<int32> *y) { counted(y->ptr); }
#endif
";

fn simulated(folder: &Path, design: &str, golden: &str, flags: &[&str]) -> Ran {
    let file = folder.join("golden.txt");
    fs::write(&file, golden).expect("writable");
    let compare = format!("ramps={}", file.display());
    aiec_on("sim", design, &[("ramp.cc", RAMP)], &[&["--golden", &compare], flags].concat())
}

#[test]
#[ignore = "long: simulates"]
fn a_constant_changes_and_no_kernel_source() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let golden = |w: i32, buffers: i32| {
        let first = 100 * w + buffers;
        let rest = (1..2 * w).map(|i| (i - 3).to_string());
        std::iter::once(first.to_string()).chain(rest).collect::<Vec<_>>().join(" ")
    };
    let buffers = DESIGN.replace("ports window", "ports buffer");
    for (design, w, kind, flags) in [
        (DESIGN, 8, 0, &[][..]),
        (DESIGN, 20, 0, &["-D", "W=20"][..]),
        (buffers.as_str(), 12, 1, &["-D", "W=12"][..]),
    ] {
        let ran = simulated(folder.path(), design, &golden(w, kind), flags);
        assert_eq!(ran.status, 0, "W = {w}: {}{}", ran.out, ran.err);
        assert!(ran.out.contains(&format!("{} values equal", 2 * w)), "W = {w}: {}", ran.out);
        let other = simulated(folder.path(), design, &golden(w + 1, kind), flags);
        assert_eq!(other.status, 1, "W = {w}: other data is noticed: {}", other.out);
    }
}

/// Floats of the host, with more digits than a float has.
const LARGE: &str = "design large
device toy
kernel k(in p: parameter float async, in q: parameter cfloat[2] async, out y: window float[8]) { source \"k.cc\" }
input  p from host initial 100000001
input  q from host initial [5000000001, -3, 16777216, 2.5]
output y to plio(32, \"y.txt\")
connect p -> k.p
connect q -> k.q
connect k.y -> y
";

#[test]
#[ignore = "long: simulates"]
fn a_float_of_the_host_is_the_nearest_to_its_number() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let golden = folder.path().join("golden.txt");
    fs::write(&golden, "100000000 5000000000 -3 16777216 2.5 0 0 0\n").expect("writable");
    let kernel = "#include <adf.h>
void k(float p, const cfloat (&q)[2], adf::output_buffer<float> &y) {
    const float all[8] = {p, q[0].real, q[0].imag, q[1].real, q[1].imag};
    for (unsigned i = 0; i < 8; ++i) y.data()[i] = all[i];
}\n";
    let compare = format!("y={}", golden.display());
    let ran = aiec_on("sim", LARGE, &[("k.cc", kernel)], &["--golden", &compare]);
    assert!(ran.status == 0 && ran.out.contains("8 values equal"), "{}{}", ran.out, ran.err);
    let built = aiec_on(
        "build",
        LARGE,
        &[("k.cc", kernel)],
        &["-o", &folder.path().join("out").display().to_string()],
    );
    assert_eq!(built.status, 0, "{}", built.err);
    let host = fs::read_to_string(folder.path().join("out/sw/host.cpp")).expect("written");
    for value in ["float{100000001.0f}", "{{5000000001.0f, -3, 16777216, 2.5f}}"] {
        assert!(host.contains(value), "{value} is missing in\n{host}");
    }
}

/// The examples' kernels with ports of their own are written for windows and for buffers.
#[test]
#[ignore = "long: simulates"]
fn examples_serve_both_kinds_of_ports() {
    for (design, changed) in
        [("pipeline.dsl", "window"), ("pingpong.dsl", "window"), ("allports.dsl", "window")]
    {
        let folder = tempfile::tempdir().expect("a temporary directory");
        for part in ["kernels", "data"] {
            copy(&root().join("examples").join(part), &folder.path().join(part));
        }
        let text = fs::read_to_string(path(&format!("examples/{design}"))).expect("it is there");
        let text = text.replacen(
            "device xcvc1902",
            &format!("device xcvc1902\nvitis \"2023.2\"\nports {changed}"),
            1,
        );
        let file = folder.path().join(design);
        fs::write(&file, text).expect("writable");
        let ran = aiec(["sim", &file.display().to_string()]);
        assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{design}: {}", ran.out);
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("writable");
    for entry in fs::read_dir(from).expect("a folder") {
        let entry = entry.expect("readable");
        fs::copy(entry.path(), to.join(entry.file_name())).expect("writable");
    }
}

/// The graph's compiler may be one for C++14.
#[test]
fn the_header_is_cpp14() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let (design, out) = (folder.path().join("d.dsl"), folder.path().join("out"));
    fs::write(&design, DESIGN).expect("writable");
    fs::write(folder.path().join("ramp.cc"), RAMP).expect("writable");
    let shown = |path: &Path| path.display().to_string();
    let ran = aiec(["build", &shown(&design), "-o", &shown(&out), "-D", "W=5"]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    let header = out.join("aie/include/aiec/design.h");
    let text = fs::read_to_string(&header).expect("it is written");
    for line in [
        "#define AIEC_BUFFER_PORTS 0",
        "namespace design {",
        "constexpr int W = 5;",
        "constexpr int class_ = -3;",
        "constexpr long long BIG = 1099511627776LL;",
        "constexpr unsigned y_elements = 10; // int32",
    ] {
        assert!(text.lines().any(|found| found == line), "expected `{line}` in\n{text}");
    }
    let includer = folder.path().join("includer.cpp");
    fs::write(&includer, "#include <aiec/design.h>\n#include <aiec/design.h>\n").expect("writable");
    let mut compiler = std::process::Command::new("g++");
    compiler.args(["-std=c++14", "-Wall", "-Wextra", "-Werror", "-pedantic", "-fsyntax-only", "-I"]);
    let output = compiler.arg(out.join("aie/include")).arg(&includer).output().expect("g++ is installed");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Instances of a component have one source, which cannot know their different sizes.
#[test]
fn numbers_that_differ_between_instances_have_no_name() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let out = folder.path().join("out").display().to_string();
    let design = "design d\ndevice xcvc1902
component part(LEN = 16)(in x: window int32[LEN], out y: window int32[8]) {
    kernel k(in x: window int32[LEN], out y: window int32[8]) { source \"k.cc\" }
    connect x -> k.x\n    connect k.y -> y\n}
instance a of part\ninstance b of part(LEN = 32)
input x[2] from plio(32, \"x_{}.txt\")\noutput y[2] to plio(32, \"y_{}.txt\")
connect x[0] -> a.x\nconnect x[1] -> b.x\nconnect a.y -> y[0]\nconnect b.y -> y[1]\n";
    let kernel = "#include <adf.h>\nvoid k(adf::input_buffer<int32> &, adf::output_buffer<int32> &) {}\n";
    let ran = aiec_on("build", design, &[("k.cc", kernel)], &["-o", &out]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    let header = fs::read_to_string(format!("{out}/aie/include/aiec/design.h")).expect("written");
    let numbers: Vec<&str> = header.lines().filter(|line| line.contains("_elements")).collect();
    let name = "constexpr unsigned y_elements = 8; // int32";
    assert_eq!(numbers, [name; 2], "of `k` and of `part_k`: {header}");
}

/// No public project has an asynchronous window into a `pktmerge`: with one window per run it is
/// synchronous.
#[test]
fn a_rank_that_sends_once_into_a_merge_has_a_synchronous_window() {
    let async_ports = |operation: &str, rest: &str| {
        let text = format!(
            "design d\ndevice xcvc1902\nkernel w[4] {{ source \"w.cc\" }}\n\
             {operation} all over w {{ data int32[64] shape flat merge {rest} }}\n"
        );
        let ran = aiec_on("build", &text, &[], &["--emit=expanded"]);
        assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{operation} {rest}");
        let all: serde_json::Value = serde_json::from_str(&ran.out).expect("it is JSON");
        let kernels = all["kernels"].as_array().expect("kernels").clone();
        let outs = kernels.iter().skip(1).map(|kernel| {
            let port = kernel["outputs"].as_array().expect("outputs")[0].clone();
            port["async"].as_bool().unwrap_or(false)
        });
        outs.collect::<Vec<bool>>()
    };
    assert_eq!(async_ports("reduce", "op sum"), [false; 3]);
    assert_eq!(async_ports("gather", "root w[0]"), [false; 3]);
    assert_eq!(async_ports("reduce", "op sum calls 2"), [true; 3], "two windows in a run");
    assert_eq!(async_ports("reduce", "op sum window int32[32]"), [true; 3], "two windows in a call");
    assert_eq!(async_ports("allreduce", "op sum"), [true; 3], "the answer comes in the same run");
}

/// A name that kernels of two components share means no number in which they differ. Their longer
/// names do, and those of constants of which an imported file has another.
#[test]
fn a_name_means_the_numbers_of_one_kernel() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let component = |name: &str, len: u32| {
        let ports = "in x: window int32[LEN], out y: window int32[8]";
        format!(
            "device xcvc1902\nconst LEN = {len}\ncomponent {name}({ports}) {{
    kernel work({ports}) {{ source \"{name}.cc\" function {name} }}
    connect x -> work.x\n    connect work.y -> y\n}}\n"
        )
    };
    let kernel = |name: &str, numbers: &str| {
        format!(
            "#include <adf.h>\n#include <aiec/design.h>
void {name}(adf::input_buffer<int32> &, adf::output_buffer<int32> &y) {{ y.data()[0] = {numbers}; }}\n"
        )
    };
    let design = "design two\ndevice xcvc1902\nimport \"ca.dsl\"\nimport \"cb.dsl\"\nconst LEN = 7
instance p of ca\ninstance q of cb
input x[2] from plio(32, \"x{}.txt\")\noutput y[2] to plio(32, \"y{}.txt\")
connect x[0] -> p.x\nconnect x[1] -> q.x\nconnect p.y -> y[0]\nconnect q.y -> y[1]\n";
    let numbers = "design::cb_work::x_elements + design::work::y_elements + design::two_LEN";
    let (ca, cb) = (component("ca", 16), component("cb", 32));
    let right = kernel("cb", &format!("{numbers}; static_assert({numbers} == 32 + 8 + 7, \"its own\")"));
    let wrong = kernel("ca", "design::work::x_elements + design::LEN");
    for (name, text) in
        [("top.dsl", design), ("ca.dsl", &ca), ("cb.dsl", &cb), ("ca.cc", &wrong), ("cb.cc", &right)]
    {
        fs::write(folder.path().join(name), text).expect("writable");
    }
    let ran = aiec(["check", &folder.path().join("top.dsl").display().to_string()]);
    let words = ran.words();
    assert_eq!((ran.status, words.matches("check/kernel-compile").count()), (1, 1), "{words}");
    let remedy = "`design::ca_work` has the numbers of `work` in `ca` alone";
    assert!(words.contains("the C++ of kernel `p.work`") && words.contains(remedy), "{words}");
}
