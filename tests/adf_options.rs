//! Paths of a project: its options in `aiecompiler.cfg`, and arguments that are no graph.
#![allow(clippy::disallowed_methods, reason = "tests write files")]

use std::fs;

use aiec_test_support::folder::{Folder, GRAPH};
use aiec_tests::aiec;

#[test]
#[ignore = "long: compiles a graph"]
fn a_run_takes_the_options_of_the_project_too() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("writable");
    fs::create_dir(folder.path().join("lib")).expect("writable");
    let kernel = "#include <adf.h>\n#include \"step.h\"\nvoid work(input_stream<int32> *x, output_stream<int32> *y) {\n    \
                  writeincr(y, readincr(x) + STEP * N);\n}\n";
    write("lib/step.h", "enum { STEP = 10 };\n");
    write("work.cc", kernel);
    write("x.txt", "1\n2\n");
    write("y.txt", "31\n32\n");
    write(
        "top.cpp",
        "#include <adf.h>\n#include \"step.h\"\nusing namespace adf;\n\
         void work(input_stream<int32> *, output_stream<int32> *);\n\
         struct Top : graph {\n    kernel k = kernel::create(work);\n    \
         input_plio x = input_plio::create(\"x\", plio_32_bits, \"x.txt\");\n    \
         output_plio y = output_plio::create(\"y\", plio_32_bits, \"out.txt\");\n    Top() {\n        \
         source(k) = \"work.cc\";\n        runtime<ratio>(k) = 0.9;\n        \
         connect<stream>(x.out[0], k.in[0]);\n        connect<stream>(k.out[0], y.in[0]);\n    }\n};\n\
         Top g;\nint main() { g.init(); g.run(2); g.end(); }\n",
    );
    write("aiecompiler.cfg", "[aie]\ninclude=lib\nXpreproc=-DN=3\n");
    let named = folder.path().display().to_string();
    let golden = folder.path().join("y.txt").display().to_string();
    let ran = aiec(["sim", &named, "--golden", &format!("out.txt={golden}")]);
    assert_eq!(ran.status, 0, "{ran:?}");
    assert!(aiec(["sim", &named, "-D", "N=4", "--golden", &format!("out.txt={golden}")]).status == 1);
}

/// Types of AIE-ML do not compile.
#[test]
fn a_device_that_is_no_target_is_refused_before_the_graph_is_compiled() {
    let graph = "#include <adf.h>\nbfloat16 half = 1;\nstruct Top : adf::graph {} top;\n";
    let folder = Folder::with(&[("graph.cpp", graph)]);
    let ran = aiec(["check", &folder.path("graph.cpp").display().to_string(), "--device", "xcve2802"]);
    assert!(ran.status == 1 && ran.err.starts_with("check/unsupported-device"), "{ran:?}");
}

/// The folder of the graph and the graph itself stand for the same project.
#[test]
fn the_options_above_the_named_folder_are_those_of_the_project() {
    let folder =
        Folder::with(&[("src/graph.cpp", GRAPH[0].1), ("aiecompiler.cfg", "[aie]\nstacksize=large\n")]);
    for named in ["src", "src/graph.cpp"] {
        let ran = aiec(["check", &folder.path(named).display().to_string()]);
        assert!(ran.status == 1 && ran.err.contains("aiecompiler.cfg:2"), "{named}: {ran:?}");
    }
}

/// aiec knows no variables of make or of the environment.
#[test]
fn a_missing_header_comes_with_the_folders_that_were_left_out() {
    let graph = "#include <adf.h>\n#include \"fir.h\"\n";
    let config = "[aie]\ninclude=$XILINX/dsp\naie.include=lib\n";
    let folder =
        Folder::with(&[("graph.cpp", graph), ("aiecompiler.cfg", config), ("lib/other.h", "// empty\n")]);
    let ran = aiec(["check", &folder.path("graph.cpp").display().to_string()]);
    let said = ran.err.replace("\n  │ ", " ");
    assert_eq!(ran.status, 1, "{ran:?}");
    assert!(said.contains("aiec left out `include=$XILINX/dsp` of `aiecompiler.cfg`, whose"), "{said}");
    assert!(said.contains("aiecompiler.cfg:2:1") && said.contains("/lib`"), "{said}");
}

#[test]
fn a_missing_file_of_constraints_is_pointed_at_where_the_options_name_it() {
    let config = "[aie]\nconstraints=none.aiecst\n";
    let files = [&GRAPH[..], &[("aiecompiler.cfg", config)]].concat();
    let folder = Folder::with(&files);
    let ran = aiec(["check", &folder.path(GRAPH[0].0).display().to_string()]);
    assert!(ran.status == 1 && ran.err.contains("input/unreadable-file"), "{ran:?}");
    assert!(ran.err.contains("aiecompiler.cfg:2:1") && ran.err.contains("that names it"), "{}", ran.err);
}

#[test]
fn a_macro_without_a_name_and_a_program_that_is_no_compiler_are_told() {
    let config = "[aie]\nXpreproc=-D3X\n";
    let folder = Folder::with(&[("graph.cpp", GRAPH[0].1), ("bad/graph.cpp", GRAPH[0].1)]);
    fs::write(folder.path("bad/aiecompiler.cfg"), config).expect("writable");
    let check = |name: &str, more: &[&str]| {
        let path = folder.path(name).display().to_string();
        let ran = aiec(["check", path.as_str()].into_iter().chain(more.iter().copied()));
        assert_eq!(ran.status, 1, "{ran:?}");
        ran.err.replace("\n  │ ", " ")
    };
    let said = check("graph.cpp", &["-D", "3X=4"]);
    assert!(said.contains("input/bad-define") && said.contains("`-D 3X=4` defines no macro"), "{said}");
    let said = check("bad/graph.cpp", &[]);
    assert!(said.contains("`-D 3X` defines no macro") && said.contains("aiecompiler.cfg:2:1"), "{said}");
    let said = check("graph.cpp", &["--cxx", "/bin/false"]);
    assert!(said.contains("sim/compiler") && said.contains("fails for `--version`"), "{said}");
}

#[test]
fn a_header_in_the_place_of_a_graph_gets_the_file_that_is_meant() {
    let folder = Folder::with(&[("src/graph.cpp", GRAPH[0].1), ("src/graph.h", "#include <adf.h>\n")]);
    let at = |name: &str| folder.path(name).display().to_string();
    let ran = aiec(["check", &at("src/graph.h")]);
    assert_eq!(ran.err.matches('×').count(), 1, "{}", ran.err);
    assert!(ran.err.contains("is a C++ header") && ran.err.contains("graph.cpp`"), "{}", ran.err);
}

#[test]
fn of_a_folder_with_a_graph_and_a_design_compare_asks_for_one() {
    let folder = Folder::with(&[("graph.cpp", GRAPH[0].1), ("d.dsl", "design d\ndevice toy\n")]);
    let at = |name: &str| folder.path(name).display().to_string();
    let ran = aiec(["compare", &at("."), &at("d.dsl")]);
    assert!(ran.status == 1 && ran.err.contains("input/which-design"), "{}", ran.err);
}
