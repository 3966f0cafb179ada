//! What `aiec import` writes of an ADF graph, and what the commands say of that design.
#![allow(clippy::disallowed_methods, reason = "tests write files")]

use std::fs;

use aiec_test_support::folder::Folder;
use aiec_tests::{Ran, aiec, path};

/// A folder with a graph.
struct Project(tempfile::TempDir);

impl Project {
    fn of(graph: &str) -> Self {
        let folder = tempfile::tempdir().expect("a temporary directory");
        fs::write(folder.path().join("graph.cpp"), graph).expect("writable");
        Self(folder)
    }

    fn at(&self, name: &str) -> String {
        self.0.path().join(name).display().to_string()
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.at(name)).expect("written")
    }

    /// Writes the design `x.dsl` of the graph.
    fn import(&self) -> Ran {
        aiec(["import", &self.at("graph.cpp"), "-o", &self.at("x.dsl")])
    }
}

/// The locations of the design at `design` as constraints for `graph`.
fn given_back(design: &str, graph: &str) {
    let file = format!("{design}.aiecst");
    let placed = aiec(["place", design, "--effort", "1", "--aiecst", &file]);
    assert!(placed.status == 0, "{placed:?}");
    let back = aiec(["place", graph, "--constraints", &file]);
    assert!(back.status == 0 && back.err.is_empty(), "{back:?}");
    assert!(!back.out.contains("not taken into account"), "{back:?}");
}

/// The locations of an imported design fit the graph that it was imported from.
#[test]
fn locations_of_an_import_have_the_names_of_the_graph() {
    let example =
        |file: &str| fs::read_to_string(path(&format!("examples/adf/subgraphs/{file}"))).expect("an example");
    let project = Project::of(&example("graph.cpp"));
    // No clock of a design is above half the array's.
    fs::write(project.at("graph.h"), example("graph.h").replace("312.5", "1000")).expect("written");
    fs::write(project.at("kernels.h"), example("kernels.h")).expect("written");
    let imported = project.import();
    assert!(imported.status == 0, "{imported:?}");
    let text = project.read("x.dsl");
    assert!(text.contains("\nports own \"top\"\n") && text.contains(" called \"In{}\""), "{text}");
    given_back(&project.at("x.dsl"), &project.at("graph.cpp"));
}

/// Members that are called by words of the language, elements of an array that differ, and, with
/// `FLAT`, sub-graphs that become no components.
const NAMES: &str = r#"#include <adf.h>
using namespace adf;
void one(input_stream<int32> *in, output_stream<int32> *out);
void two(input_stream<int32> *a, input_stream<int32> *b, output_stream<int32> *out);
struct Pair : graph {
    kernel bank[2], step_;
    input_port in;
    output_port out;
    Pair() {
        for (kernel *k : {&bank[0], &bank[1], &step_}) {
            *k = kernel::create(one);
            source(*k) = "one.cc";
        }
        connect<stream> net(in, bank[0].in[0]);
#ifdef FLAT
        fifo_depth(net) = 64;
        location<fifo>(net) = dma_fifo(aie_tile, 20 + at++, 2, 0x0, 64);
#endif
        connect<>(bank[0].out[0], bank[1].in[0]);
        connect<>(bank[1].out[0], step_.in[0]);
        connect<>(step_.out[0], out);
    }
    static inline int at = 0;
};
struct Top : graph {
    Pair place[2];
    std::array<kernel, 2> m;
    input_plio in;
    output_plio out;
    Top() {
        m[0] = kernel::create(one);
        m[1] = kernel::create(two);
        for (kernel &k : m) {
            source(k) = "one.cc";
        }
        in = input_plio::create("x.txt", plio_32_bits, "x.txt");
        out = output_plio::create(plio_32_bits, "out.txt");
        connect<>(in.out[0], place[0].in);
        connect<>(place[0].out, m[0].in[0]);
        connect<>(m[0].out[0], m[1].in[0]);
        connect<>(in.out[0], place[1].in);
        connect<>(place[1].out, m[1].in[1]);
        connect<>(m[1].out[0], out.in[0]);
    }
};
Top top;
"#;

#[test]
fn members_with_names_that_a_design_cannot_have_keep_them_for_the_tools() {
    let whole =
        [" called \"bank\" {", " called \"step_\" {", " of Pair called \"place\"\n", " called \"m[0]\" {"];
    let flat = [" called \"place[0].bank\" {", " called \"place[1].step_\" {", " called \"m[1]\" {"];
    for (first, names) in [("", &whole[..]), ("#define FLAT\n", &flat[..])] {
        let project = Project::of(&format!("{first}{NAMES}"));
        let imported = project.import();
        assert!(imported.status == 0, "{imported:?}");
        let text = project.read("x.dsl");
        assert!(names.iter().all(|name| text.contains(name)), "{text}");
        given_back(&project.at("x.dsl"), &project.at("graph.cpp"));
    }
}

/// Arrays whose files count from 1: inputs without names, and outputs behind FIFOs in memory.
const COUNTED: &str = r#"#include <adf.h>
using namespace adf;
void one(input_stream<int32> *in, output_stream<int32> *out);
struct Top : graph {
    kernel k[2];
    input_plio src[2];
    output_plio res[2];
    Top() {
        for (int i = 0; i < 2; ++i) {
            k[i] = kernel::create(one);
            source(k[i]) = "one.cc";
            std::string number = std::to_string(i + 1);
            src[i] = input_plio::create(plio_32_bits, "i" + number + ".txt");
            res[i] = output_plio::create("Out" + number, plio_32_bits, "o" + number + ".txt");
            connect<stream>(src[i].out[0], k[i].in[0]);
            connect<stream> net(k[i].out[0], res[i].in[0]);
            fifo_depth(net) = 512;
        }
    }
};
Top top;
"#;

/// The tools call `src[1]` of `top` `top_src_1_`. The ports of FIFOs are those of members.
#[test]
fn arrays_whose_files_count_from_1_are_arrays_with_the_names_of_the_graph() {
    let project = Project::of(COUNTED);
    given_back(&project.at("graph.cpp"), &project.at("graph.cpp"));
    let constraints = project.read("graph.cpp.aiecst");
    let names = ["\"top_src_0_\"", "\"top_src_1_\"", "\"top.res[0].in[0]\"", "\"top.res[1].in[0]\""];
    assert!(names.iter().all(|name| constraints.contains(name)), "{constraints}");
    let imported = project.import();
    assert!(imported.status == 0, "{imported:?}");
    let text = project.read("x.dsl");
    let lines = [
        "input src[2] from plio(32, \"i{1..3}.txt\") called \"top_src_0_\", \"top_src_1_\"",
        "output res[2] to plio(32, \"o{1..3}.txt\") called \"Out1\", \"Out2\"",
    ];
    assert!(lines.iter().all(|line| text.contains(line)), "{text}");
    given_back(&project.at("x.dsl"), &project.at("graph.cpp"));
}

/// An array of kernels with two functions, one of which has two inputs.
const MIXED: &str = r#"
#include <adf.h>
using namespace adf;
void one(input_stream<int32> *in, output_stream<int32> *out);
void two(input_stream<int32> *a, input_stream<int32> *b, output_stream<int32> *out);
struct Mixed : graph {
    kernel m[9];
    input_plio in;
    output_plio out;
    Mixed() {
        in = input_plio::create("in", plio_32_bits, "in.txt");
        out = output_plio::create("out", plio_32_bits, "out.txt");
        for (int i = 0; i < 9; ++i) {
            m[i] = i % 3 == 0 ? kernel::create(two) : kernel::create(one);
            source(m[i]) = "one.cc";
            if (i == 0) connect<>(in.out[0], m[i].in[0]);
            else connect<>(m[i - 1].out[0], m[i].in[0]);
            if (i % 3 == 0) connect<>(in.out[0], m[i].in[1]);
        }
        connect<>(m[8].out[0], out.in[0]);
    }
};
Mixed mixed;
"#;

#[test]
fn elements_of_one_function_are_a_family_with_the_names_of_the_graph() {
    let project = Project::of(MIXED);
    let imported = project.import();
    assert!(imported.status == 0, "{imported:?}");
    let text = project.read("x.dsl");
    let two = ") called \"m[{0..7 step 3}]\" {";
    assert!(text.contains("kernel two[3](") && text.contains(two), "{text}");
    let one = "called \"m[1]\", \"m[2]\", \"m[4]\", \"m[5]\", \"m[7]\", \"m[8]\" {";
    assert!(text.contains("kernel one[6](") && text.contains(one), "{text}");
    given_back(&project.at("x.dsl"), &project.at("graph.cpp"));
}

/// A graph that `check` refuses is written too, with its faults and exit status 1.
#[test]
fn an_import_of_a_graph_with_a_fault_prints_it() {
    let fault = "        location<kernel>(m[0]) = tile(70, 0);\n        in = input_plio";
    let project = Project::of(&NAMES.replacen("        in = input_plio", fault, 1));
    let imported = project.import();
    assert!(imported.status == 1 && imported.err.contains("check/place-outside"), "{imported:?}");
    assert!(imported.err.contains("graph.cpp:"), "the line of the graph: {imported:?}");
    assert!(project.read("x.dsl").contains("place m_0 at (70, 0)"), "{}", project.read("x.dsl"));
    let again = aiec(["check", &project.at("x.dsl")]);
    assert!(again.status == 1 && !again.err.contains("check/stream-amount"), "{again:?}");
}

/// A kernel whose ports have extents, or whose class stands beside that of the graph, without
/// `headers()`.
const BARE: &str = "#pragma once\n#include <adf.h>\n#ifdef CLASS\nstruct Scale {\n    int by;\n    Scale(int n);\n    \
    void run(input_window<int32> *in, output_window<int32> *out);\n    \
    static void registerKernelClass() { REGISTER_FUNCTION(Scale::run); }\n};\n#else\n#include \"scale.h\"\n#endif\n\
    struct Top : adf::graph {\n    adf::kernel k;\n    adf::input_plio in;\n    adf::output_plio out;\n    Top() {\n        \
    in = adf::input_plio::create(adf::plio_32_bits, \"in.txt\");\n        \
    out = adf::output_plio::create(adf::plio_32_bits, \"out.txt\");\n#ifdef CLASS\n        \
    k = adf::kernel::create_object<Scale>(3);\n#else\n        k = adf::kernel::create(scale);\n#endif\n        \
    adf::source(k) = \"scale.cc\";\n        adf::runtime<adf::ratio>(k) = 0.5;\n        \
    adf::connect<adf::window<64>>(in.out[0], k.in[0]);\n        \
    adf::connect<adf::window<64>>(k.out[0], out.in[0]);\n    }\n};\n";

/// Such an import needs no `ports own`, although the source has no `headers()`.
#[test]
#[ignore = "long: compiles for seconds"]
fn an_import_finds_the_headers_that_the_graph_does_not_name() {
    let ports =
        "adf::input_buffer<int32, adf::extents<16>> &in, adf::output_buffer<int32, adf::extents<16>> &out";
    let header = format!("#pragma once\n#include <adf.h>\nvoid scale({ports});\n");
    let function = format!("#include \"scale.h\"\nvoid scale({ports}) {{ out.data()[0] = in.data()[0]; }}\n");
    let class = "#define CLASS\n#include \"graph.h\"\nScale::Scale(int n) : by(n) {}\n\
        void Scale::run(input_window<int32> *in, output_window<int32> *out) {\n    \
        window_writeincr(out, by * window_readincr(in));\n}\n";
    let cases =
        [("", function.as_str(), "header   \"scale.h\""), ("#define CLASS\n", class, "design Top_graph\n")];
    for (first, source, wanted) in cases {
        let project = Project::of(&format!("{first}#include \"graph.h\"\nTop top;\n"));
        for (name, text) in [("graph.h", BARE), ("scale.h", header.as_str()), ("scale.cc", source)] {
            fs::write(project.at(name), text).expect("writable");
        }
        let imported = project.import();
        assert!(imported.status == 0, "{imported:?}");
        let text = project.read("x.dsl");
        assert!(!text.contains("ports own") && text.contains(wanted), "{text}");
        let checked = aiec(["check", &project.at("x.dsl")]);
        assert!(checked.status == 0 && checked.err.is_empty(), "{checked:?}");
    }
}

/// A kernel of a graph in a folder `aie`, whose path is relative to the folder above.
const BELOW: &str = "#include <adf.h>
using namespace adf;
void one(input_stream<int32> *in, output_stream<int32> *out);
struct Top : graph {
    kernel k = kernel::create(one);
    input_plio in = input_plio::create(\"in\", plio_32_bits, \"in.txt\");
    output_plio out = output_plio::create(\"out\", plio_32_bits, \"out.txt\");
    Top() {
        source(k) = \"aie/kernels/one.cc\";
        headers(k) = {\"aie/kernels/one.h\"};
        runtime<ratio>(k) = 0.5;
        connect<stream>(in.out[0], k.in[0]);
        connect<stream>(k.out[0], out.in[0]);
    }
} top;
";

/// aiecompiler runs above the folder of the graph, and `aiec sim` looks for sources there, too. An
/// option for folders is no part of a design.
#[test]
#[ignore = "long: compiles a graph"]
fn sources_are_where_a_run_finds_them() {
    let header = "void one(input_stream<int32> *in, output_stream<int32> *out);\n";
    let folder = Folder::with(&[
        ("aie/graph.cpp", BELOW),
        ("aie/kernels/one.cc", "#include <adf.h>\n#include \"one.h\"\n"),
        ("aie/kernels/one.h", header),
        ("aiecompiler.cfg", "[aie]\ninclude=$PROJECT/aie\n"),
    ]);
    let design = folder.path("x.dsl").display().to_string();
    let ran = aiec(["import", &folder.path("aie/graph.cpp").display().to_string(), "-o", &design]);
    assert!(ran.status == 0 && ran.err.is_empty(), "{ran:?}");
    let text = fs::read_to_string(&design).expect("written");
    assert!(text.contains("\"aie/kernels/one.cc\"") && text.contains("\"aie/kernels/one.h\""), "{text}");
    assert!(!text.contains("aie/aie"), "{text}");
}

/// A template that the header of the graph declares, and a fault whose kernels an import groups.
const GRAPH_H: &str = "#pragma once
#include <adf.h>
template <int N> void scale(input_stream<int32> *in, output_stream<int32> *out);
struct Top : adf::graph {
    adf::kernel first = adf::kernel::create(scale<2>);
    adf::kernel k[3];
    adf::input_plio in = adf::input_plio::create(\"in\", adf::plio_32_bits, \"in.txt\");
    adf::output_plio out = adf::output_plio::create(\"out\", adf::plio_32_bits, \"out.txt\");
    Top() {
        using namespace adf;
        k[0] = kernel::create(scale<3>);
        k[1] = kernel::create(scale<4>);
        k[2] = kernel::create(scale<4>);
        for (kernel *each : {&first, &k[0], &k[1], &k[2]}) {
            source(*each) = \"none.cc\";
            runtime<ratio>(*each) = 0.9;
        }
        connect<stream>(in.out[0], first.in[0]);
        connect<stream>(first.out[0], k[0].in[0]);
        connect<stream>(k[0].out[0], k[1].in[0]);
        connect<stream>(k[1].out[0], k[2].in[0]);
        connect<stream>(k[2].out[0], out.in[0]);
        location<kernel>(k[2]) = tile(60, 0);
    }
};
";

#[test]
#[ignore = "long: compiles a graph"]
fn a_template_has_the_header_that_declares_it_and_faults_name_members() {
    let folder = Folder::with(&[("graph.h", GRAPH_H), ("graph.cpp", "#include \"graph.h\"\nTop top;\n")]);
    let design = folder.path("x.dsl").display().to_string();
    let graph = folder.path("graph.cpp").display().to_string();
    let ran = aiec(["import", &graph, "-o", &design]);
    assert!(ran.status == 1 && ran.words().contains("`k[2]` is placed at (60, 0)"), "{ran:?}");
    let text = fs::read_to_string(&design).expect("written");
    assert!(text.contains("\"graph.h\"") && !text.contains("header    \"none.cc\""), "{text}");
}
