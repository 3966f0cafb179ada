//! ADF graphs as designs: what `check`, `place` and `report` print for the examples, and that none
//! of these is refused or warned about.
#![allow(clippy::disallowed_methods, reason = "tests list the examples")]

use crate::snapshot::assert_snapshot;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use aiec_diag::catalogue;
use aiec_tests::{Ran, aiec, path, root};
use serde_json::Value;

fn ran(command: &str, example: &str, more: &[&str]) -> Ran {
    let graph = path(&format!("examples/adf/{example}/graph.cpp"));
    aiec([&[command, &graph], more].concat())
}

/// Compares what a command prints with `cases/graphs/NAME.snap`.
fn golden(name: &str, ran: &Ran) {
    let result = format!("exit status {}\n--- output\n{}--- diagnostics\n{}", ran.status, ran.out, ran.err);
    let result = result.replace(&format!("{}/", root().display()), "");
    assert_snapshot("tests/cases/graphs", name, &result);
}

#[test]
fn a_check_names_what_it_assumes() {
    golden("check_class_kernels", &ran("check", "class_kernels", &[]));
}

#[test]
fn stack_sizes_come_from_the_command_line() {
    let ran = ran("check", "fft", &["--stacksize", "2048"]);
    assert!(
        ran.status == 0 && ran.out.contains("a stack of 2048 bytes of transform and magnitude"),
        "{ran:?}"
    );
}

#[test]
fn fixed_kernels_stay_where_the_graph_puts_them() {
    golden("place_adder_tree", &ran("place", "adder_tree", &["--effort", "1"]));
}

#[test]
fn a_report_lists_rates_and_assumptions() {
    golden("report_multirate", &ran("report", "multirate", &["--effort", "1"]));
}

#[test]
fn the_folder_of_a_project_is_its_graph() {
    let folder = path("examples/adf/softmax");
    let ran = aiec(["check", &folder]);
    assert!(ran.status == 0 && ran.out.starts_with("SoftmaxGraph: 1 kernel"), "{ran:?}");
}

const SMALL: &str = "#include <adf.h>\nusing namespace adf;\nvoid work(output_stream<int32> *out);\n\
    struct Top : graph {\n    kernel k[N];\n    Top() {\n        for (auto &one : k) {\n            \
    one = kernel::create(work);\n            source(one) = \"work.cc\";\n            \
    runtime<ratio>(one) = 0.9;\n        }\n    }\n};\nTop g;\n";

#[test]
fn the_options_of_the_project_are_those_of_its_file() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("writable");
    let at = |name: &str| folder.path().join(name).display().to_string();
    write("top.cpp", SMALL);
    write("aiecompiler.cfg", "[aie]\ninclude=lib\nXpreproc=-DN=3\nstacksize=2048\nconstraints=c.aiecst\n");
    fs::create_dir(folder.path().join("lib")).expect("writable");
    write("lib/work.cc", "");
    write("c.aiecst", r#"{"NodeConstraints": {"g.k[1]": {"tile": {"column": 20, "row": 5}}}, "Colour": 1}"#);
    let named = folder.path().display().to_string();
    let ran = aiec(["check", &named]);
    assert_eq!(ran.status, 0, "{ran:?}");
    assert!(ran.out.starts_with("Top: 3 kernels"), "{}", ran.out);
    assert!(ran.out.contains("a stack of 2048 bytes of k[0], k[1] and k[2]"), "{}", ran.out);
    assert!(ran.out.contains("not taken into account: the entry `Colour`"), "{}", ran.out);
    let imported = aiec(["import", &named]);
    assert!(imported.out.contains("source   \"lib/work.cc\""), "{imported:?}");
    let placed = aiec(["place", &named, "--effort", "1", "--json", &at("plan.json")]);
    assert_eq!(placed.status, 0, "{placed:?}");
    let plan: Value =
        serde_json::from_str(&fs::read_to_string(at("plan.json")).expect("a file")).expect("JSON");
    let kernels = plan["kernels"].as_array().expect("a list");
    let placed = kernels.iter().find(|kernel| kernel["name"] == "k[1]").expect("the kernel");
    assert_eq!(placed["tile"], serde_json::json!([20, 5]), "{placed}");
}

/// Two kernels on one core: a stream from PLIO, a window between them, a stream to PLIO.
const TURNS: &str = "#include <adf.h>
using namespace adf;
void first(input_stream<int32> *x, output_window<int32> *y);
void second(input_window<int32> *x, output_stream<int32> *y);
struct Turns : graph {
    kernel a = kernel::create(first), b = kernel::create(second);
    input_plio in = input_plio::create(\"in\", plio_32_bits, \"in.txt\");
    output_plio out = output_plio::create(\"out\", plio_32_bits, \"out.txt\");
    Turns() {
        source(a) = \"a.cc\", source(b) = \"b.cc\";
        runtime<ratio>(a) = 0.4, runtime<ratio>(b) = 0.4;
        connect<stream>(in.out[0], a.in[0]);
        connect<window<256>>(a.out[0], b.in[0]);
        connect<stream>(b.out[0], out.in[0]);
        location<kernel>(a) = tile(10, 0);
        location<kernel>(b) = tile(10, 0);
    }
} turns;
";

// UG1079, "Interface Considerations".
#[test]
#[ignore = "long: compiles a graph"]
fn kernels_with_streams_share_the_core_that_the_graph_names() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let graph = folder.path().join("turns.cpp").display().to_string();
    fs::write(&graph, TURNS).expect("writable");
    let ran = aiec(["route", &graph, "--effort", "1"]);
    assert!(ran.status == 0 && ran.err.is_empty(), "{}", ran.err);
    assert!(ran.out.contains("nets        2"), "{}", ran.out);
}

/// What `aiec place` prints and writes for a graph with all its locations fixed.
fn placed_again(graph: &str, more: &[&str], folder: &Path) -> String {
    let file = folder.join("again.aiecst").display().to_string();
    let ran = aiec([&["place", graph, "--effort", "1", "--overwrite", "--aiecst", &file], more].concat());
    assert!(ran.status == 0 && ran.err.is_empty(), "{graph}: {}", ran.err);
    fs::read_to_string(file).expect("written")
}

/// Places an example, and places it again with the constraints and with the C++ that this wrote.
fn locations_come_back(example: &str) {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let at = |name: &str| folder.path().join(name).display().to_string();
    let (first, header) = (at("first.aiecst"), at("locations.h"));
    let ran = ran("place", example, &["--effort", "1", "--aiecst", &first, "--cpp", &header]);
    assert_eq!(ran.status, 0, "{example}: {}", ran.err);
    let text = fs::read_to_string(&first).expect("written");
    let graph = path(&format!("examples/adf/{example}/graph.cpp"));
    assert_eq!(placed_again(&graph, &["--constraints", &first], folder.path()), text, "{example}");
    let read = |name: &str| {
        fs::read_to_string(path(&format!("examples/adf/{example}/{name}"))).expect("the example")
    };
    fs::write(at("graph.cpp"), located(&read("graph.cpp"))).expect("writable");
    fs::write(at("graph.h"), open(&read("graph.h"))).expect("writable");
    let own = path(&format!("examples/adf/{example}"));
    assert_eq!(placed_again(&at("graph.cpp"), &["-I", &own], folder.path()), text, "{example}");
}

/// The text of a graph whose object also has the locations of `locations.h`.
fn located(graph: &str) -> String {
    let mut objects = graph.lines().filter_map(|line| line.strip_suffix(';')?.split_once(' '));
    let is_object = |(class, name): &(&str, &str)| {
        !class.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_')
    };
    let (class, name) = objects.find(is_object).expect("an object");
    let derived = format!(
        "struct Located : {class} {{\n    Located() {{\n#include \"locations.h\"\n    }}\n}};\nLocated {name};"
    );
    graph.replace(&format!("{class} {name};"), &derived)
}

/// The text of classes whose members others reach.
fn open(header: &str) -> String {
    header.replace("private:", "public:").replace("graph {", "graph {\npublic:\n")
}

#[test]
#[ignore = "long: compiles a graph"]
fn locations_of_a_graph_are_read_back() {
    locations_come_back("subgraphs");
}

#[test]
#[ignore = "long: compiles and places every example three times"]
fn locations_of_every_example_are_read_back() {
    let examples = fs::read_dir(root().join("examples/adf")).expect("the examples").flatten();
    let all = examples.map(|example| locations_come_back(&example.file_name().to_string_lossy()));
    assert!(all.count() >= 17, "all examples");
}

#[test]
fn inputs_and_outputs_of_streams_without_amounts_have_places_too() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let at = |name: &str| folder.path().join(name).display().to_string();
    let placed = ran("place", "adder_tree", &["--effort", "1", "--aiecst", &at("c"), "--cpp", &at("c.h")]);
    assert_eq!(placed.status, 0, "{}", placed.err);
    let constraints: Value =
        serde_json::from_str(&fs::read_to_string(at("c")).expect("written")).expect("JSON");
    let nodes = constraints["NodeConstraints"].as_object().expect("an object");
    let shims = nodes.values().filter(|node| node.get("shim").is_some()).count();
    let header = fs::read_to_string(at("c.h")).expect("written");
    assert_eq!((shims, header.matches("location<adf::PLIO>").count()), (17, 17), "16 inputs and the sum");
    let report = ran("report", "adder_tree", &["--effort", "1", "--json"]);
    let report: Value = serde_json::from_str(&report.out).expect("JSON");
    let externals = report["externals"].as_array().expect("a list");
    assert_eq!(externals.len(), 17);
    assert!(externals.iter().any(|external| external["window"].is_null()), "some state no amount");
}

/// The first sample of the page is what the command prints, from the root of the project.
#[test]
fn the_page_of_graphs_shows_what_is_printed() {
    let page = fs::read_to_string(root().join("docs/graphs.md")).expect("the page");
    let (_, sample) = page.split_once("$ aiec check examples/adf/multirate\n").expect("the sample");
    let (sample, _) = sample.split_once("```").expect("a closed block");
    assert_eq!(sample, aiec(["check", &path("examples/adf/multirate")]).out);
}

/// The component of the page is what `aiec import` writes for that example.
#[test]
fn the_page_of_graphs_shows_what_is_imported() {
    let page = fs::read_to_string(root().join("docs/graphs.md")).expect("the page");
    let text = imported_and_checked("subgraphs");
    for line in [
        "component Pair(in in_port: window int32[128], out out_port[2]: window int32[64]) {",
        "    connect first.out_port -> out_port[..2]",
        "instance left of Column",
        "connect in_port[0] -> left.in_port",
    ] {
        assert!(
            page.contains(&format!("\n{line}\n")) && text.contains(&format!("{line}\n")),
            "{line}\n{text}"
        );
    }
}

/// A kernel of programmable logic between two of the array, a table, and buffers placed by kernels.
const OUTSIDE: &str = r#"
#include <adf.h>
using namespace adf;

void first(input_window<int32> *in, output_window<int32> *out);
void clip(input_stream<int32> *in, output_stream<int32> *out, const int32 *levels, int32 *log);
void last(input_stream<int32> *in, output_window<int32> *out);
static int16 taps[64] = {1};

class Outside : public graph {
public:
    kernel front, logic, back;
    port<direction::in> levels;
    port<direction::inout> log;
    input_plio in;
    output_plio out;

    Outside() {
        in = input_plio::create("In", plio_32_bits, "in.txt");
        out = output_plio::create("Out", plio_32_bits, "out.txt");
        front = kernel::create(first);
        logic = kernel::create(clip);
        back = kernel::create(last);
        fabric<pl>(logic);
        source(front) = "work.cc";
        source(back) = "work.cc";
        source(logic) = "clip.cpp";
        runtime<ratio>(front) = 0.5;
        runtime<ratio>(back) = 0.5;
        connect<window<256>>(in.out[0], front.in[0]);
        connect<window<256>, stream>(front.out[0], logic.in[0]);
        connect<stream>(logic.out[0], back.in[0]);
        connect<window<256>>(back.out[0], out.in[0]);
        connect<gmem>(levels, logic.in[1]);
        connect<gmem>(logic.inout[0], log);
        parameter &table = parameter::array(taps);
        connect<>(table, front);
        location<parameter>(front.param[0]) = bank(10, 2, 1);
        location<kernel>(front) = tile(10, 2);
        location<buffer>(front.in[0]) = location<kernel>(front);
        location<buffer>(back.out[0]) = location<kernel>(back);
        not_equal(location<buffer>(back.out[0]), location<stack>(back));
        location<stack>(back) = location<kernel>(back) + relative_offset({.col_offset = 0});
    }
};

Outside g;
"#;

/// A kernel of programmable logic whose function is written for HLS (UG1076 2020.2, "Using
/// High-Level Synthesis IP in Data Flow Graphs").
const SYNTHESISED: &str = "#include <adf.h>
using namespace adf;
#include <ap_int.h>
#include <hls_stream.h>
void clip(dir::in<hls::stream<ap_axis<32, 0, 0, 0>> &> in, dir::out<hls::stream<int> &> out, ap_int<32> most,
          const ap_int<128> *memory);
void work(input_stream<int32> *in, output_stream<int32> *out);
struct Mixed : graph {
    kernel a = kernel::create(work), logic = kernel::create(clip);
    port<input> most, memory;
    input_plio in = input_plio::create(\"In\", plio_32_bits, \"in.txt\");
    output_plio out = output_plio::create(\"Out\", plio_32_bits, \"out.txt\");
    Mixed() {
#ifndef INSIDE
        fabric<pl>(logic);
#endif
        source(a) = \"a.cc\", source(logic) = \"clip.cpp\";
        runtime<ratio>(a) = 0.5;
        connect<stream>(in.out[0], a.in[0]);
        connect<stream>(a.out[0], logic.in[0]);
        connect<stream>(logic.out[0], out.in[0]);
        connect<parameter>(most, async(logic.in[1]));
        connect<gmem>(memory, logic.in[2]);
    }
} mixed;
";

#[test]
#[ignore = "long: compiles two graphs"]
fn a_kernel_of_hls_lies_outside_the_array() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let graph = folder.path().join("mixed.cpp").display().to_string();
    fs::write(&graph, SYNTHESISED).expect("writable");
    let ran = aiec(["check", &graph]);
    assert!(ran.status == 0 && ran.err.is_empty(), "{}", ran.err);
    assert!(ran.out.starts_with("Mixed: 1 kernel, 2 connections"), "{}", ran.out);
    let ran = aiec(["check", &graph, "-D", "INSIDE"]);
    let words = "has a pointer to memory, which only kernels of fabric<pl> have";
    assert!(ran.status == 1 && ran.words().contains(words), "{}", ran.err);
}

#[test]
fn what_lies_outside_the_array_or_has_no_form_is_named() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let at = |name: &str| folder.path().join(name).display().to_string();
    fs::write(at("graph.cpp"), OUTSIDE).expect("writable");
    let left_out = ["that the place of the stack of `back` follows from that of `back`"];
    let names_all = |text: &str| left_out.iter().all(|what| text.contains(what));
    let checked = aiec(["check", &at("graph.cpp")]);
    assert!(checked.status == 0 && checked.err.is_empty(), "{checked:?}");
    assert!(checked.out.starts_with("Outside: 2 kernels, 4 connections"), "{}", checked.out);
    assert!(checked.out.contains("a stream of 32 bits to programmable logic of"), "{}", checked.out);
    assert!(names_all(&checked.out), "{}", checked.out);
    let placed =
        aiec(["place", &at("graph.cpp"), "--effort", "1", "--aiecst", &at("c"), "--cpp", &at("c.h")]);
    assert!(placed.status == 0 && names_all(&placed.out), "{placed:?}");
    let header = fs::read_to_string(at("c.h")).expect("written");
    assert!(header.contains("from the design Outside: aiec place graph.cpp;"), "{header}");
    assert!(names_all(&header), "{header}");
    let constraints: Value =
        serde_json::from_str(&fs::read_to_string(at("c")).expect("written")).expect("JSON");
    let nodes: Vec<&String> = constraints["NodeConstraints"].as_object().expect("an object").keys().collect();
    assert_eq!(nodes, ["g.front", "g.back", "In", "Out"], "the ports of programmable logic have no place");
    let ports = &constraints["PortConstraints"];
    assert_eq!(ports["g.front.in[0]"]["buffers"][0]["column"], 10);
    assert_eq!(ports["g.front.param[0]"]["buffers"][0]["column"], 10, "{ports}");
    let buffer = &ports["g.back.out[0]"]["buffers"][0];
    for axis in ["column", "row"] {
        assert_eq!(buffer[axis], constraints["NodeConstraints"]["g.back"]["tile"][axis], "{ports}");
    }
    let back = aiec(["place", &at("graph.cpp"), "--constraints", &at("c")]);
    assert!(back.status == 0 && !back.out.contains("states otherwise"), "{back:?}");
    let imported = aiec(["import", &at("graph.cpp"), "-o", &at("x.dsl")]);
    assert!(imported.status == 1 && names_all(&imported.err), "{imported:?}");
    for what in ["the table `param[0]` (128 bytes) of `front`", "the place of the buffers of `back.out[0]`"] {
        assert!(imported.err.contains(what), "{imported:?}");
    }
    let again = aiec(["check", &at("x.dsl")]);
    assert!(again.status == 0 && again.err.is_empty(), "{again:?}");
}

/// Imports an example to a folder of its own, and checks the design. Returns its text.
fn imported_and_checked(example: &str) -> String {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let design = folder.path().join("x.dsl").display().to_string();
    let written = ran("import", example, &["-o", &design]);
    assert!(written.status == 0 && written.err.is_empty(), "{example}: {written:?}");
    let checked = aiec(["check", &design]);
    assert!(checked.status == 0 && checked.err.is_empty(), "{example}: {checked:?}");
    fs::read_to_string(design).expect("written")
}

#[test]
fn an_import_passes_the_check_in_any_folder() {
    let text = imported_and_checked("multirate");
    assert!(text.contains("\nports own \"g\"\n"), "{text}");
    assert!(text.contains("// `ports own`, because of this: the amount of data of the output"), "{text}");
}

#[test]
#[ignore = "long: compiles every example"]
fn every_import_passes_the_check() {
    let examples = fs::read_dir(root().join("examples/adf")).expect("the examples").flatten();
    let all = examples.map(|example| imported_and_checked(&example.file_name().to_string_lossy()));
    assert!(all.count() >= 17, "all examples");
}

#[test]
fn files_and_names_of_another_project_are_taken_as_they_are() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let at = |name: &str| folder.path().join(name).display().to_string();
    let text = OUTSIDE.replace("\"in.txt\"", "\"../data/in.txt\"").replace("first", "_3first");
    fs::write(at("graph.cpp"), text).expect("writable");
    aiec(["import", &at("graph.cpp"), "-o", &at("x.dsl")]);
    let text = fs::read_to_string(at("x.dsl")).expect("written");
    assert!(text.contains("\"../data/in.txt\"") && text.contains("function _3first"), "{text}");
    let checked = aiec(["check", &at("x.dsl")]);
    assert!(checked.status == 0 && checked.err.is_empty(), "{checked:?}");
}

#[test]
#[ignore = "long: compiles for seconds"]
fn a_design_with_ports_of_its_own_is_no_project() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let design = folder.path().join("x.dsl").display().to_string();
    assert_eq!(ran("import", "multirate", &["-o", &design]).status, 0);
    for command in [&["build"][..], &["sim"], &["new", "kernel", "up"]] {
        let ran = aiec([command, &[design.as_str()]].concat());
        assert!(ran.status == 1 && ran.err.contains("has `ports own`"), "{command:?}: {ran:?}");
    }
}

#[test]
#[ignore = "long: compiles for seconds"]
fn an_import_in_the_folder_of_its_sources_can_be_built() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let from = root().join("examples/adf/filter2d");
    for part in ["graph.cpp", "graph.h", "kernels.h"].iter().filter(|part| from.join(part).is_file()) {
        fs::copy(from.join(part), folder.path().join(part)).expect("copied");
    }
    fs::create_dir(folder.path().join("kernels")).expect("a new folder");
    for kernel in fs::read_dir(from.join("kernels")).expect("the kernels").flatten() {
        fs::copy(kernel.path(), folder.path().join("kernels").join(kernel.file_name())).expect("copied");
    }
    let at = |name: &str| folder.path().join(name).display().to_string();
    let written = aiec(["import", &at("graph.cpp"), "-o", &at("x.dsl")]);
    assert_eq!(written.status, 0, "{written:?}");
    let text = fs::read_to_string(at("x.dsl")).expect("written");
    assert!(!text.contains("ports own"), "{text}");
    let checked = aiec(["check", &at("x.dsl")]);
    assert!(checked.status == 0 && !checked.out.contains("not checked"), "{checked:?}");
}

#[test]
fn an_unknown_name_of_a_constraints_file_is_pointed_at() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let file = folder.path().join("c.aiecst");
    let text = r#"{"NodeConstraints": {"tree.leef[0]": {"tile": {"column": 20, "row": 5}}}}"#;
    fs::write(&file, text).expect("writable");
    let file = file.display().to_string();
    let with = |more: &[&str]| ran("check", "adder_tree", &[&["--constraints", &file], more].concat());
    let warned = with(&[]);
    assert_eq!(warned.status, 0, "{warned:?}");
    assert!(warned.words().contains("did you mean `tree.leaf[0]`?"), "{}", warned.err);
    assert!(warned.err.contains("c.aiecst:1"), "{}", warned.err);
    assert_eq!(with(&["--deny", "input/unknown-node"]).status, 1);
    let allowed = with(&["--allow", "input/unknown-node"]);
    assert!(allowed.status == 0 && allowed.err.is_empty(), "{allowed:?}");
}

#[test]
fn what_is_stricter_than_the_vendor_has_a_switch() {
    let page = fs::read_to_string(root().join("docs/graphs.md")).expect("the page");
    let (_, section) = page.split_once("## Stricter than").expect("the section");
    let (section, _) = section.split_once("\n## ").expect("a section behind it");
    let listed: BTreeSet<&str> =
        section.split("`--allow ").skip(1).filter_map(|rest| rest.split('`').next()).collect();
    let all = || aiec_check::ALLOWABLE.into_iter().chain([&catalogue::UNKNOWN_NODE]);
    let known: BTreeSet<&str> = all().map(|code| code.slug).collect();
    assert_eq!(listed, known);
    for code in all() {
        assert!(code.page.contains(&format!("`--allow {}`", code.slug)), "{}", code.slug);
    }
    let design = path("examples/pingpong_sync.dsl");
    let refused = aiec(["check", "--no-cxx", &design]);
    assert!(refused.status == 1 && refused.err.contains("check/sync-cycle"), "{refused:?}");
    for slug in ["check/sync-cycle", "sync-cycle"] {
        let allowed = aiec(["check", "--no-cxx", "--allow", slug, &design]);
        assert!(allowed.status == 0 && allowed.err.is_empty(), "{allowed:?}");
    }
    let other = aiec(["check", "--allow", "check/system-memory", &design]);
    assert!(other.status == 2 && other.err.contains("only these are allowed"), "{other:?}");
}

#[test]
fn constraints_go_with_graphs_alone() {
    let design = path("examples/pipeline.dsl");
    for command in ["check", "place", "route", "report", "sim"] {
        let ran = aiec([command, &design, "--constraints", "c.aiecst"]);
        assert!(ran.status == 1 && ran.words().contains("goes with an ADF graph"), "{command}: {}", ran.err);
    }
}

#[test]
fn a_folder_with_several_graphs_lists_them() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    // The first is where projects have their graph.
    fs::create_dir(folder.path().join("aie")).expect("writable");
    for name in ["aie/graph.cpp", "two.cpp"] {
        fs::write(folder.path().join(name), SMALL).expect("writable");
    }
    for command in ["check", "import"] {
        let ran = aiec([command, &folder.path().display().to_string()]);
        let words = ran.words();
        assert!(ran.status == 1 && words.contains("has several graphs"), "{command}: {}", ran.err);
        assert!(words.contains("graph.cpp") && words.contains("two.cpp"), "{command}: {}", ran.err);
    }
}

#[test]
fn a_fault_of_a_member_names_its_instance_and_the_users_line() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("writable");
    write(
        "graph.h",
        "#include <adf.h>\nusing namespace adf;\nvoid work(input_window<int32> *in, output_window<int32> *out);\n\
         template <int BYTES> struct Stage : graph {\n    kernel k;\n    input_port in;\n    output_port out;\n    \
         Stage() {\n        k = kernel::create(work);\n        source(k) = \"work.cc\";\n        \
         runtime<ratio>(k) = 0.9;\n        connect<window<BYTES>>(in, k.in[0]);\n        \
         connect<window<BYTES>>(k.out[0], out);\n    }\n};\n",
    );
    write(
        "graph.cpp",
        "#include \"graph.h\"\nstruct Top : graph {\n    Stage<65536> big;\n    input_plio in;\n    output_plio out;\n    \
         Top() {\n        in = input_plio::create(\"In\", plio_32_bits, \"in.txt\");\n        \
         out = output_plio::create(\"Out\", plio_32_bits, \"out.txt\");\n        connect<>(in.out[0], big.in);\n        \
         connect<>(big.out, out.in[0]);\n    }\n};\nTop g;\n",
    );
    let ran = aiec(["check", &folder.path().join("graph.cpp").display().to_string()]);
    let words = ran.words();
    assert_eq!(ran.status, 1, "{ran:?}");
    assert!(words.contains("`big.k.in[0]`") && words.contains("graph.h"), "{}", ran.err);
    assert!(words.contains("`big` is an instance of `Stage<65536>`"), "{}", ran.err);
}

#[test]
#[ignore = "long: compiles and places every example"]
fn no_example_is_refused_or_warned_about() {
    let examples = fs::read_dir(root().join("examples/adf")).expect("the examples").flatten();
    let mut count = 0;
    for example in examples {
        let name = example.file_name().to_string_lossy().into_owned();
        for command in ["check", "place", "route", "report"] {
            let more: &[&str] = if command == "check" { &[] } else { &["--effort", "1"] };
            let ran = ran(command, &name, more);
            assert!(ran.status == 0 && ran.err.is_empty(), "{command} {name}: {}", ran.err);
        }
        count += 1;
    }
    assert!(count >= 17, "{count} examples");
}

/// Two graphs of classes of their own, and two of one class. With `locations` the first two take
/// theirs from `locations.h`.
fn several(locations: bool) -> String {
    let class = |class: &str, object: &str| {
        let include = format!(
            "#define AIEC_LOCATIONS_OF_{object}\n#include \"locations.h\"\n#undef AIEC_LOCATIONS_OF_{object}\n"
        );
        let include = if locations && object != "twin" { include } else { String::new() };
        SMALL
            .replace("Top g;\n", "")
            .replace("    }\n};", &format!("{include}    }}\n}};"))
            .replace("Top", class)
            + &format!("{class} {object};\n")
    };
    let rest = |text: String| text.lines().skip(3).map(|line| format!("{line}\n")).collect::<String>();
    class("Left", "left") + &rest(class("Right", "right")) + &rest(class("Pair", "twin")) + "Pair other;\n"
}

#[test]
#[ignore = "long: compiles a graph twice"]
fn of_several_graphs_each_class_has_a_section_of_the_header() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let at = |name: &str| folder.path().join(name).display().to_string();
    fs::write(at("graph.cpp"), several(false)).expect("writable");
    let command = ["place", &at("graph.cpp"), "-D", "N=2", "--effort", "1", "--aiecst", &at("all.aiecst")];
    let ran = aiec([&command[..], &["--cpp", &at("locations.h")]].concat());
    assert_eq!(ran.status, 0, "{ran:?}");
    let header = fs::read_to_string(at("locations.h")).expect("written");
    assert!(
        header.contains("// `twin.k[1]` is no member of the class; --aiecst writes its place."),
        "{header}"
    );
    assert!(header.contains("#ifdef AIEC_LOCATIONS_OF_left\n"), "{header}");
    let tiles = || fs::read_to_string(at("all.aiecst")).expect("written");
    let before: Value = serde_json::from_str(&tiles()).expect("JSON");
    fs::write(at("graph.cpp"), several(true)).expect("writable");
    let ran = aiec([&command[..], &["--overwrite", "--seed", "7"]].concat());
    assert_eq!(ran.status, 0, "{ran:?}");
    let after: Value = serde_json::from_str(&tiles()).expect("JSON");
    for name in ["left.k[0]", "left.k[1]", "right.k[0]", "right.k[1]"] {
        let node = |file: &Value| file["NodeConstraints"][name].clone();
        assert!(node(&before)["tile"].is_object() && node(&before) == node(&after), "{name}: {after}");
    }
}
