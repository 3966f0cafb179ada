//! The classes of sub-graphs that components become, in `simulated/components`: their text, the
//! data that passes their ports, and the graph that C++ makes of them.
#![allow(clippy::disallowed_methods, reason = "tests read what aiec wrote")]

use crate::snapshot::assert_snapshot;
use std::fs;
use std::path::Path;

use aiec_tests::{aiec, aiec_on, path};

/// Builds the design into a folder and returns the text of the graph.
#[track_caller]
fn graph(project: &Path) -> String {
    let design = path("tests/simulated/components/d.dsl");
    let ran = aiec(["build", &design, "--effort", "1", "-o", &project.display().to_string()]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    fs::read_to_string(project.join("aie/graph.h")).expect("a project has a graph")
}

#[test]
fn instances_share_a_class_whose_constructor_takes_what_differs() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let graph = graph(&folder.path().join("project"));
    assert_eq!(graph.matches("class pair :").count(), 1, "four instances, one class");
    assert_snapshot("tests/cases/projects", "components", &graph);
}

#[test]
#[ignore = "long: describes a graph"]
fn the_emitted_classes_make_the_graph_of_the_design() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let project = folder.path().join("project");
    graph(&project);
    let expanded = |file: &str| {
        let ran = aiec(["check", file, "--no-cxx"]);
        assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{file}");
        ran.out.lines().next().and_then(|line| line.split_once(':')).map(|(_, sizes)| sizes.to_owned())
    };
    let sizes = expanded(&path("tests/simulated/components/d.dsl")).expect("a line");
    assert!(sizes.starts_with(" 25 kernels, 54 connections"), "{sizes}");
    let emitted = expanded(&project.join("aie/graph.cpp").display().to_string()).expect("a line");
    assert!(emitted.starts_with(" 25 kernels, 54 connections"), "{emitted}");
}

/// The numbers of an output file.
fn numbers(file: &Path) -> Vec<i64> {
    let text = fs::read_to_string(file).expect("an output");
    text.split_whitespace().filter_map(|word| word.parse().ok()).collect()
}

#[test]
#[ignore = "long: simulates"]
fn data_pass_the_ports_of_classes() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let output = folder.path().display().to_string();
    let ran = aiec(["sim", &path("tests/simulated/components/d.dsl"), "--output", &output]);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{}", ran.out);
    let written = |file: &str| numbers(&folder.path().join(file));
    let scaled = |factor: i64, bias: i64| (1..=32).map(|x| factor * x + bias).collect::<Vec<i64>>();
    for (at, factor) in [0, 1, 1, 2, 10, 11, 11, 12].into_iter().enumerate() {
        assert_eq!(written(&format!("y_{at}.txt")), scaled(factor, 3), "output y[{at}]");
    }
    for file in ["same_0.txt", "same_3.txt", "spy.txt", "z.txt"] {
        assert_eq!(written(file), scaled(1, 0), "{file}");
    }
    for file in ["mixed_0.txt", "mixed_1.txt"] {
        assert_eq!(written(file), scaled(1, 0), "{file}: a stream into a window, a window into a stream");
    }
    assert_eq!(written("sum.txt"), scaled(1 + 2 + 3, 0), "the sum over the ranks");
    assert_eq!(written("q.txt").len(), 2 * 2 * 17, "two packets of a header and 16 words in each run");
}

/// Four kernels with other functions by row, and a larger stack on the diagonal: the loops of both
/// run over other kernels.
const DIAGONAL: &str = "design diagonal
device toy
ports buffer
kernel v[r: 2][c: 2](in x: window int32[8], out y: window int32[8]) {
    if r == 0 { source \"one.cc\" function one } else { source \"two.cc\" function two }
    if r == c { stack 2 KiB }
}
input a from plio(32, \"a.txt\")
output b[4] to plio(32, \"b_{}.txt\")
connect a -> v.x
connect v.y -> b
";

/// Sources and data of [`DIAGONAL`].
const DIAGONAL_FILES: [(&str, &str); 3] = [
    (
        "one.cc",
        "#include <adf.h>
void one(adf::input_buffer<int32> &x, adf::output_buffer<int32> &y) {
    for (int i = 0; i < 8; ++i) y.data()[i] = x.data()[i];
}
",
    ),
    (
        "two.cc",
        "#include <adf.h>
void two(adf::input_buffer<int32> &x, adf::output_buffer<int32> &y) {
    for (int i = 0; i < 8; ++i) y.data()[i] = 2 * x.data()[i];
}
",
    ),
    ("a.txt", "1\n2\n3\n4\n5\n6\n7\n8\n"),
];

#[test]
fn kernels_are_created_before_they_are_configured() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let project = folder.path().display().to_string();
    let ran = aiec_on("build", DIAGONAL, &DIAGONAL_FILES, &["--effort", "1", "-o", &project]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    let graph = fs::read_to_string(folder.path().join("aie/graph.h")).expect("a project has a graph");
    let last = graph.rfind("kernel::create").expect("kernels are created");
    assert!(graph.find("stack_size(").is_some_and(|first| first > last), "{graph}");
}

#[test]
#[ignore = "long: simulates"]
fn functions_and_stacks_differ_over_other_kernels() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let output = folder.path().display().to_string();
    let ran = aiec_on("sim", DIAGONAL, &DIAGONAL_FILES, &["--unplaced", "--output", &output]);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{}", ran.out);
    assert_eq!(numbers(&folder.path().join("b_0.txt")), [1, 2, 3, 4, 5, 6, 7, 8]);
    assert_eq!(numbers(&folder.path().join("b_3.txt")), [2, 4, 6, 8, 10, 12, 14, 16]);
}

/// Design, component, kernel and instance of one name.
const FIR: &str = "design fir
device toy
component fir(in x: window int32[8], out y: window int32[8]) {
    kernel fir(in x: window int32[8], out y: window int32[8]) { source \"fir.cc\" }
    connect x -> fir.x
    connect fir.y -> y
}
instance fir of fir
input a from plio(32, \"a.txt\")
output b to plio(32, \"b.txt\")
connect a -> fir.x
connect fir.y -> b
";

#[test]
#[ignore = "long: simulates"]
fn design_component_kernel_and_instance_may_have_one_name() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let output = folder.path().display().to_string();
    let source = "#include <adf.h>
void fir(adf::input_buffer<int32> &x, adf::output_buffer<int32> &y) {
    for (int i = 0; i < 8; ++i) y.data()[i] = 3 * x.data()[i];
}
";
    let files = [("fir.cc", source), ("a.txt", DIAGONAL_FILES[2].1)];
    let ran = aiec_on("sim", FIR, &files, &["--unplaced", "--output", &output]);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{}", ran.out);
    assert_eq!(numbers(&folder.path().join("b.txt")), [3, 6, 9, 12, 15, 18, 21, 24]);
}

/// A sum over the kernels of two of four instances.
const SOME: &str = "design some
device toy
component part(in x: window int32[8], out y: window int32[8]) {
    kernel w(in x: window int32[8], out y: window int32[8]) { source \"w.cc\" }
    connect x -> w.x
    connect w.y -> y
}
instance bank[4] of part
input a from plio(32, \"a.txt\")
output b[4] to plio(32, \"b_{}.txt\")
connect a -> bank.x
connect bank.y -> b
allreduce total over bank[1..3].w { op sum data int32[8] }
";

/// All instances have one source, as all kernels of a family have.
#[test]
#[ignore = "long: simulates"]
fn instances_outside_of_a_collective_call_it_as_outsiders() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let output = folder.path().display().to_string();
    let source = "#include <adf.h>
template <typename Comm> void w(Comm &comm, adf::input_buffer<int32> &x, adf::output_buffer<int32> &y) {
    alignas(32) int32 sum[8];
    for (int i = 0; i < 8; ++i) sum[i] = x.data()[i];
    comm.total.allreduce(sum);
    for (int i = 0; i < 8; ++i) y.data()[i] = sum[i] + (comm.total.is_member ? 100 : 0);
}
";
    let files = [("w.cc", source), ("a.txt", DIAGONAL_FILES[2].1)];
    let ran = aiec_on("sim", SOME, &files, &["--unplaced", "--output", &output]);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{}", ran.out);
    let written = |at: usize| numbers(&folder.path().join(format!("b_{at}.txt")));
    let ranks: Vec<i64> = (1..=8).map(|x| 2 * x + 100).collect();
    assert_eq!([written(0), written(3)], [[1, 2, 3, 4, 5, 6, 7, 8]; 2]);
    assert_eq!([written(1), written(2)], [ranks.clone(), ranks]);
    let lacks = source.replace("comm.total.allreduce(sum);", "comm.total.missing(sum);");
    let ran = aiec_on("check", SOME, &[("w.cc", &lacks), ("a.txt", "")], &[]);
    assert!(ran.words().contains("the C++ of kernel `bank[0].w` does not compile"), "{}", ran.err);
}

#[test]
fn a_component_without_instances_is_checked_beside_a_whole_design() {
    let check = |elements: &str| {
        let ports = "(in x: window int32[64], out y: window int32[64])";
        let design = format!(
            "design d device toy const LARGE = 9000
component spare(N = {elements})(in x: window int32[N], out y: window int32[64]) {{
    kernel s(in x: window int32[N], out y: window int32[64]) {{ source \"k.cc\" }}
    connect x -> s.x connect s.y -> y
}}
component used{ports} {{ kernel k{ports} {{ source \"k.cc\" }} connect x -> k.x connect k.y -> y }}
instance one of used input x from gmio output y to gmio connect x -> one.x connect one.y -> y\n"
        );
        aiec_on("check", &design, &[], &["--no-cxx"])
    };
    let sound = check("64");
    let named = ["d: 1 kernel", "components without instances", "spare: 1 kernel"];
    assert!(sound.status == 0 && named.iter().all(|line| sound.out.contains(line)), "{}", sound.out);
    assert!(!sound.out.contains("used: "), "{}", sound.out);
    let faulty = check("LARGE");
    assert!(faulty.status == 1 && faulty.err.contains("check/window-too-large"), "{}", faulty.err);
}

#[test]
fn a_fault_of_a_file_of_components_comes_once() {
    let ports = "(in x[4]: window int32[64], out y[4]: window int32[64])";
    let part = |name: &str, more: &str| {
        format!(
            "component {name}{ports} {{
    kernel k[4](in x: window int32[64], out y: window int32[64]) {{ source \"k.cc\" }}
    connect x -> k.x connect k.y -> y {more}
}}\n"
        )
    };
    let both = part("left", "") + &part("right", "");
    let nameless = aiec_on("check", &both, &[], &["--no-cxx"]);
    assert_eq!(
        (nameless.status, nameless.err.matches("has no `device`").count()),
        (1, 1),
        "{}",
        nameless.err
    );
    // Two ports with one fault are one message.
    let twice = part("left", "connect x[1..3] -> k[1..3].x") + "device toy\n" + &part("right", "");
    let twice = aiec_on("check", &twice, &[], &["--no-cxx"]);
    assert_eq!(twice.err.matches("check/fan-in").count(), 1, "{}", twice.err);
    let outer = format!(
        "{}component around{ports} {{
    instance one of left connect x -> one.x connect x[1..3] -> one.x[1..3] connect one.y -> y
}} device toy\n",
        part("left", "")
    );
    let outer = aiec_on("check", &outer, &[], &["--no-cxx"]);
    let words = outer.words();
    assert!(
        words.contains("`around.one.x[1]` and `around.one.x[2]` get data from two connections"),
        "{words}"
    );
    assert_eq!(words.matches("lower/component-port").count(), 1, "{words}");
}

#[test]
fn a_split_inside_a_component_behind_a_split_outside_is_one_fault_of_all_instances() {
    let design = "design d device toy
component c(in x: packets int32[16], out y: window int32[16]) {
    kernel w[2](in x: packets int32[8], out y: window int32[8]) { source \"w.cc\" }
    kernel j(in a[2]: window int32[8], out y: window int32[16]) { source \"w.cc\" }
    connect x -> split w.x connect w.y -> j.a connect j.y -> y
}
instance s[2] of c
kernel deal(in x: window int32[32], out p: packets int32[32]) { source \"w.cc\" }
input i from gmio output o[2] to plio(32, \"o_{}.txt\")
connect i -> deal.x connect deal.p -> split s.x connect s.y -> o\n";
    let ran = aiec_on("check", design, &[], &["--no-cxx"]);
    let words = ran.words();
    assert_eq!(words.matches("lower/component-port").count(), 1, "{words}");
    for part in
        ["`s[0].x` and `s[1].x` come from another split", "the second split or merge", "the first one"]
    {
        assert!(words.contains(part), "{part} is missing in {words}");
    }
}

/// The diagnostics of a design with three instances `one` of a component with this text in it.
fn check_instances(inside: &str, outside: &str) -> String {
    let design = format!(
        "design d device xcvc1902
component c(in x: window int32[64], out y: window int32[64]) {{
    kernel k(in x: window int32[64], out y: window int32[64]) {{ source \"k.cc\" }}
    connect k.y -> y
    {inside}
}}
instance one[3] of c
input i from gmio output o[3] to gmio
{outside}\n"
    );
    let ran = aiec_on("check", &design, &[], &["--no-cxx"]);
    assert_eq!(ran.status, 1, "{}", ran.out);
    ran.words()
}

#[test]
fn a_port_of_a_component_is_named_as_written() {
    let sound = "connect i -> one.x connect one.y -> o";
    for (inside, outside, said) in [
        ("connect y -> k.x", sound, "`y` is an output of the component"),
        ("connect x -> k.x", "connect one.x -> o", "`one.x` is an input of the instance"),
        ("connect x -> k.x", "connect one.x -> o", "write `one.x` on the right side"),
        ("connect x -> k.x", "connect i -> async one.x", "`one.x` is a port of a component"),
        ("connect x -> k.x connect x -> y", sound, "`y` gets data from two connections in the component `c`"),
        (
            "kernel l(in p: window int16[64]) { source \"k.cc\" } connect x -> k.x connect x -> l.p",
            sound,
            "`x` carries window int32[64], but `l.p` carries window int16[64]",
        ),
    ] {
        let words = check_instances(inside, outside);
        assert!(words.contains(said), "{said}: {words}");
    }
    // Outside, the kernels at both ends of the way are compared.
    let other = "kernel m(in p: window int16[64]) { source \"m.cc\" } connect one[1].y -> m.p";
    let typed = check_instances("connect x -> k.x", &format!("{sound} {other}"));
    assert!(typed.contains("the ends of `one[1].k.y -> m.p` have different element types"), "{typed}");
    // `inner` is declared in the text of `outer`, where it has no `outer.` in front.
    let nested = "design d device xcvc1902
component inner(in x: window int32[64], out y: window int32[64]) {
    kernel k(in x: window int32[64], out y: window int32[64]) { source \"k.cc\" }
    connect x -> k.x connect k.y -> y
}
component outer(in x: window int32[64]) { instance within of inner connect x -> within.x }
instance one of outer input i from gmio connect i -> one.x\n";
    let nested = aiec_on("check", nested, &[], &["--no-cxx"]).words();
    let named = ["nothing is connected to `one.within.y`", "connect it with `connect within.y -> ...`"];
    assert!(named.iter().all(|part| nested.contains(part)), "{nested}");
}

#[test]
fn tiles_of_a_component_outside_the_array_are_one_fault_of_all_instances() {
    let places = (0..3).map(|at| format!("place one[{at}] at ({}, 0)", 4 * at)).collect::<Vec<_>>().join(" ");
    let outside = format!("connect i -> one.x connect one.y -> o {places}");
    for (inside, said) in [
        ("place k at (0, 9)", "`one[0].k` is placed at (0, 9)"),
        ("region k in (0, 9) to (1, 12)", "the `region` of `one[0].k` goes from (0, 9)"),
        ("place k at (0, 1) place k at (1, 1)", "`one[0].k` is placed at (0, 1) and at (1, 1)"),
        ("place k.x at (0, 9)", "`one[0].k.x` is placed at (0, 9)"),
    ] {
        let words = check_instances(&format!("connect x -> k.x {inside}"), &outside);
        let slug = if inside.contains("(1, 1)") { "check/place-conflict" } else { "check/place-outside" };
        assert_eq!(words.matches(slug).count(), 1, "{words}");
        assert!(
            words.contains(said) && words.contains("; and so in `one[1]` and `one[2]`"),
            "{said}: {words}"
        );
    }
    let keepout = check_instances("connect x -> k.x keepout (0, 9) to (1, 12)", &outside);
    assert_eq!(keepout.matches("check/place-outside").count(), 1, "{keepout}");
    assert!(keepout.contains("the statement has 2 more of this kind"), "{keepout}");
}

/// Tiles in a component keep their distances, so an instance moves as a whole.
#[test]
fn a_cascade_of_an_instance_on_a_row_of_the_other_direction_says_how_it_moves() {
    let design = "design d device xcvc1902
component chain(in x: window int32[16], out y: window int32[16]) {
    kernel h(in x: window int32[16], out s: cascade acc48) { source \"k.cc\" }
    kernel t(in s: cascade acc48, out y: window int32[16]) { source \"k.cc\" }
    connect x -> h.x connect h.s -> t.s connect t.y -> y
    place h at (0, 0) place t at (1, 0)
}
instance a[2] of chain input x[2] from gmio output y[2] to gmio
connect x -> a.x connect a.y -> y
for i in 0..2 { place a[i] at (10, i) }\n";
    let ran = aiec_on("check", design, &[], &["--no-cxx"]);
    let words = ran.words();
    for part in ["`a[1].t` is the next core behind", "place `a[1]` one row higher or lower", "in an even row"]
    {
        assert!(words.contains(part), "{part} is missing in {words}");
    }
    assert!(ran.err.contains("`a[1]` is placed here") && !words.contains("write `place"), "{}", ran.err);
}

#[test]
fn instances_on_one_tile_show_where_they_are_placed() {
    let places = "place one[0] at (10, 2) place one[1] at (10, 2) place one[2] at (20, 2)";
    let outside = format!("connect i -> one.x connect one.y -> o {places}");
    let words = check_instances("connect x -> k.x place k at (0, 0)", &outside);
    assert_eq!(words.matches("check/core-overload").count(), 1, "{words}");
    for part in
        ["`one[0]` is placed here", "`one[1]` is placed here", "place one of these instances on other"]
    {
        assert!(words.contains(part), "{part} is missing in {words}");
    }
    assert!(!words.contains("`one[2]` is placed here"), "{words}");
}

#[test]
fn rates_that_do_not_balance_show_the_connection_between_components() {
    let design = "design d device xcvc1902
component pass(in x: window int32[64], out y: window int32[64]) { connect x -> y }
component fork(in x: window int32[64], out y: window int32[64], out z: window int32[64]) {
    kernel a(in x: window int32[64], out y: window int32[64], out z: window int32[64]) { source \"a.cc\" }
    connect x -> a.x connect a.y -> y connect a.z -> z
}
component join(in x: window int32[96], in w: window int32[64], out y: window int32[64]) {
    kernel b(in x: window int32[96], in w: window int32[64], out y: window int32[64]) { source \"b.cc\" }
    connect x -> b.x connect w -> b.w connect b.y -> y
}
instance f of fork
instance j of join
instance p of pass
input i from gmio output o to gmio
connect i -> f.x
connect f.y -> j.x
connect f.z -> p.x
connect p.y -> j.w
connect j.y -> o\n";
    let ran = aiec_on("check", design, &[], &["--no-cxx"]);
    assert!(ran.err.contains("check/rate-mismatch"), "{}", ran.err);
    let marked = ran.err.split("connect p.y -> j.w\n").nth(1).and_then(|rest| rest.lines().next());
    assert!(marked.is_some_and(|line| line.contains('┬')), "{}", ran.err);
}

#[test]
fn async_at_a_parameter_that_is_asynchronous_is_to_be_left_out() {
    let check = |says: &str| {
        let design = format!(
            "design d device toy
kernel k(in x: window int32[16], in g: parameter int16[4]{says}, out y: window int32[16]) {{ source \"k.cc\" }}
input g from host(\"g.txt\") input i from gmio output o to gmio
connect i -> k.x connect g -> async k.g connect k.y -> o\n"
        );
        aiec_on("check", &design, &[], &["--no-cxx"]).words()
    };
    assert!(check(" async").contains("leave `async` out: the declaration of `k.g` says it already"));
    assert!(check("").contains("in the declaration of `k.g`: `g: parameter int16[4] async`"));
}

#[test]
fn a_component_by_itself_leaves_open_what_designs_connect() {
    let text = "device xcvc1902
component open(in x: stream int32, out y: packets int32) {
    kernel k(in x: stream int32, out y: packets int32) { source \"k.cc\" }
    connect x -> k.x
    connect k.y -> y
}
component twice(in x: window int32[16], in g: parameter int32, out y: window int32[8]) {
    kernel a(in x: window int32[16], out y: window int32[16]) { source \"k.cc\" }
    kernel b(in x: window int32[8], in g: parameter int32, out y: window int32[8]) { source \"k.cc\" }
    connect x -> a.x
    connect a.y -> b.x
    connect g -> b.g
    connect b.y -> y
}
component dealt(in x: window int32[16], out q: packets int32, out y: window int32[16]) {
    kernel a(in x: window int32[16], out s: packets int32) { source \"k.cc\" }
    kernel b(in x: packets int32, out y: window int32[16]) { source \"k.cc\" }
    connect x -> a.x
    connect a.s -> split b.x, q
    connect b.y -> y
}
";
    let ran = aiec_on("check", text, &[], &["--no-cxx"]);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{}", ran.out);
    let design = text.replacen("device", "design d\ndevice", 1)
        + "instance t of twice\ninput i from gmio\ninput g from host\noutput o to gmio\n\
           connect i -> t.x\nconnect g -> t.g\nconnect t.y -> o\n";
    let ran = aiec_on("check", &design, &[], &["--no-cxx"]);
    assert!(ran.err.contains("check/rate-mismatch"), "the host of a design gives one value: {}", ran.err);
}

/// A design in `app` with a component of `lib` beside it. The sources of both include a header of
/// `lib` by its path from their own folders.
fn beside(folder: &Path) -> String {
    let kernel = |name: &str, header: &str| {
        format!(
            "#include <adf.h>\n#include \"{header}\"\nvoid {name}(input_window_int32 *x, output_window_int32 *y) {{\n\
             for (int i = 0; i < 8; ++i) window_writeincr(y, FACTOR * window_readincr(x));\n}}\n"
        )
    };
    let library = "component pair(in x: window int32[8], out y: window int32[8]) {\n\
                   kernel fir(in x: window int32[8], out y: window int32[8]) { source \"src/fir.cc\" }\n\
                   connect x -> fir.x connect fir.y -> y }\n";
    let design = "import \"../lib/pair.dsl\"\ndesign d\ndevice xcvc1902\nports window\ninstance u of pair\n\
                  kernel own(in x: window int32[8], out y: window int32[8]) { source \"kernels/own.cc\" }\n\
                  input i from plio(32, \"i.txt\")\noutput o to plio(32, \"o.txt\")\n\
                  connect i -> u.x\nconnect u.y -> own.x\nconnect own.y -> o\n";
    for (file, text) in [
        ("app/d.dsl", design),
        ("app/i.txt", "1\n2\n3\n4\n5\n6\n7\n8\n"),
        ("app/kernels/own.cc", &kernel("own", "../../lib/factor.h")),
        ("lib/pair.dsl", library),
        ("lib/src/fir.cc", &kernel("fir", "../factor.h")),
        ("lib/factor.h", "#define FACTOR 3\n"),
    ] {
        let path = folder.join(file);
        fs::create_dir_all(path.parent().expect("a folder")).expect("writable");
        fs::write(path, text).expect("writable");
    }
    folder.join("app/d.dsl").display().to_string()
}

#[test]
fn a_project_keeps_the_way_between_sources_of_folders_beside_each_other() {
    let folder = tempfile::tempdir().expect("a folder");
    let design = beside(folder.path());
    let project = folder.path().join("project");
    let ran = aiec(["build", &design, "--effort", "1", "-o", &project.display().to_string()]);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{}", ran.out);
    for copy in ["app/kernels/own.cc", "lib/src/fir.cc", "lib/factor.h"] {
        assert!(project.join("aie/kernels").join(copy).is_file(), "{copy}");
    }
    let graph = fs::read_to_string(project.join("aie/graph.h")).expect("a project has a graph");
    assert!(graph.contains("\"kernels/lib/src/fir.cc\""), "{graph}");
}

#[test]
#[ignore = "long: simulates"]
fn sources_of_folders_beside_each_other_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let design = beside(folder.path());
    let output = folder.path().join("out").display().to_string();
    let ran = aiec(["sim", &design, "--output", &output]);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{}", ran.out);
    let nine_times: Vec<i64> = (1..=8).map(|x| 9 * x).collect();
    assert_eq!(numbers(&folder.path().join("out/o.txt")), nine_times);
}
