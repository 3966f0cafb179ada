//! ADF graphs as designs: what `check`, `place` and `report` print for the examples, and that none
//! of these is refused or warned about.
#![allow(clippy::disallowed_methods, reason = "tests list the examples")]

use std::fs;

use aiec_tests::{Ran, aiec, path, root};

fn ran(command: &str, example: &str, more: &[&str]) -> Ran {
    let graph = path(&format!("examples/adf/{example}/graph.cpp"));
    aiec([&[command, &graph], more].concat())
}

/// Compares what a command prints with `cases/graphs/NAME.snap`.
fn golden(name: &str, ran: &Ran) {
    let result = format!("exit status {}\n--- output\n{}--- diagnostics\n{}", ran.status, ran.out, ran.err);
    let result = result.replace(&format!("{}/", root().display()), "");
    insta::with_settings!({
        snapshot_path => root().join("tests/cases/graphs"),
        prepend_module_to_snapshot => false,
        omit_expression => true,
    }, {
        insta::assert_snapshot!(name, result);
    });
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
    write("top.cpp", SMALL);
    write("aiecompiler.cfg", "[aie]\nXpreproc=-DN=3\nstacksize=2048\nconstraints=c.aiecst\n");
    let ran = aiec(["check", &folder.path().display().to_string()]);
    assert_eq!(ran.status, 0, "{ran:?}");
    assert!(ran.out.starts_with("Top: 3 kernels"), "{}", ran.out);
    assert!(ran.out.contains("a stack of 2048 bytes of k[0], k[1] and k[2]"), "{}", ran.out);
    assert!(ran.out.contains("not taken into account: the constraints of `"), "{}", ran.out);
}

#[test]
fn a_folder_with_several_graphs_lists_them() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    for name in ["one.cpp", "two.cpp"] {
        fs::write(folder.path().join(name), SMALL).expect("writable");
    }
    for command in ["check", "import"] {
        let ran = aiec([command, &folder.path().display().to_string()]);
        let words = ran.words();
        assert!(ran.status == 1 && words.contains("has several graphs"), "{command}: {}", ran.err);
        assert!(words.contains("one.cpp") && words.contains("two.cpp"), "{command}: {}", ran.err);
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
