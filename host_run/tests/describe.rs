//! Descriptions of ADF graphs: the statements of the constructors of a file, with their lines.
//! Graphs of `tests/graphs/` and all of `examples/adf` are compared with golden texts.
#![allow(clippy::disallowed_methods, reason = "this test writes graphs")]

use std::path::{Path, PathBuf};

use aiec_adf::description::Owner;
use aiec_diag::{RenderStyle, Sources, render};
use aiec_host_run::describe::{DescribeRequest, Described, describe};

/// The top of the repository.
fn top() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().expect("the repository")
}

/// The description of a graph, or the refusal as text, with paths below the repository.
fn described(graph: &Path, include: &[PathBuf], flags: &[&str]) -> Result<(Described, Sources), String> {
    let scratch = tempfile::tempdir().expect("a temporary directory");
    let flags: Vec<String> = flags.iter().map(|&flag| flag.to_owned()).collect();
    let directory = graph.parent().expect("a folder");
    let request =
        DescribeRequest { cxx: "g++", graph, include, flags: &flags, directory, scratch: scratch.path() };
    let mut sources = Sources::default();
    match describe(&request, &mut sources) {
        Ok(described) => Ok((described, sources)),
        Err(refusals) => Err(render(&refusals, &sources, RenderStyle { color: false, width: 1000 })),
    }
}

/// The golden text of a graph.
fn dump(graph: &Path) -> String {
    match described(graph, &[], &[]) {
        Ok((described, sources)) => described.description.dump(&sources),
        Err(refusal) => refusal,
    }
    .replace(&format!("{}/", top().display()), "")
}

/// The refusal of a text, which is the file of a graph.
fn refusal(text: &str) -> String {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let graph = folder.path().join("graph.cpp");
    std::fs::write(&graph, text).expect("writable");
    let said = described(&graph, &[], &[]).map(|_| ()).expect_err("it is refused");
    said.replace(&format!("{}", folder.path().display()), "FOLDER")
}

macro_rules! goldens {
    ($($(#[$attribute:meta])* $name:ident: $graph:literal;)*) => {
        $(
            #[test]
            $(#[$attribute])*
            fn $name() {
                let mut settings = insta::Settings::clone_current();
                settings.set_prepend_module_to_snapshot(false);
                settings.set_omit_expression(true);
                settings.bind(|| insta::assert_snapshot!(stringify!($name), dump(&top().join($graph))));
            }
        )*
    };
}

goldens! {
    subgraphs: "examples/adf/subgraphs/graph.cpp";
    #[ignore = "long: compiles a graph"]
    adder_tree: "examples/adf/adder_tree/graph.cpp";
    #[ignore = "long: compiles a graph"]
    async_histogram: "examples/adf/async_histogram/graph.cpp";
    #[ignore = "long: compiles a graph"]
    cascade_fir: "examples/adf/cascade_fir/graph.cpp";
    #[ignore = "long: compiles a graph"]
    class_kernels: "examples/adf/class_kernels/graph.cpp";
    #[ignore = "long: compiles a graph"]
    fft: "examples/adf/fft/graph.cpp";
    #[ignore = "long: compiles a graph"]
    filter2d: "examples/adf/filter2d/graph.cpp";
    #[ignore = "long: compiles a graph"]
    fir_margin: "examples/adf/fir_margin/graph.cpp";
    #[ignore = "long: compiles a graph"]
    gmio_loopback: "examples/adf/gmio_loopback/graph.cpp";
    #[ignore = "long: compiles a graph"]
    inout_state: "examples/adf/inout_state/graph.cpp";
    #[ignore = "long: compiles a graph"]
    legacy_fir: "examples/adf/legacy_fir/graph.cpp";
    #[ignore = "long: compiles a graph"]
    matmul: "examples/adf/matmul/graph.cpp";
    #[ignore = "long: compiles a graph"]
    multirate: "examples/adf/multirate/graph.cpp";
    #[ignore = "long: compiles a graph"]
    packet_fanout: "examples/adf/packet_fanout/graph.cpp";
    #[ignore = "long: compiles a graph"]
    reconverge: "examples/adf/reconverge/graph.cpp";
    #[ignore = "long: compiles a graph"]
    softmax: "examples/adf/softmax/graph.cpp";
    #[ignore = "long: compiles a graph"]
    sort: "examples/adf/sort/graph.cpp";
    #[ignore = "long: compiles a graph"]
    templates: "host_run/tests/graphs/templates.cpp";
    #[ignore = "long: compiles a graph"]
    constraints: "host_run/tests/graphs/constraints.cpp";
    #[ignore = "long: compiles a graph"]
    local_graph: "host_run/tests/graphs/local.cpp";
}

/// AMD's tools accept main programs with names of the standard library that no header promises.
#[test]
#[ignore = "long: compiles a graph"]
fn a_main_program_that_does_not_compile_is_left_out() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let graph = folder.path().join("graph.cpp");
    let text = |guard: &str| {
        format!(
            "#include <adf.h>\nusing namespace adf;\nvoid f(input_stream<int32> *);\nstruct G : graph {{\n    \
             kernel k = kernel::create(f);\n}} g;\n{guard}\nint main() {{ unknown << endl; }}\n#endif\n"
        )
    };
    std::fs::write(&graph, text("#if defined(__AIESIM__) || defined(__X86SIM__)")).expect("writable");
    let (found, _) = described(&graph, &[], &[]).expect("it is described");
    assert_eq!(found.description.kernels.len(), 1);
    let said = refusal(&text("#if 1"));
    assert!(said.contains("sim/compile") && said.contains("graph.cpp:8:"), "{said}");
}

/// enyac-group/MaxEVA and rehohoho/onnx2versal, whose results were measured on a board.
#[test]
#[ignore = "long: compiles a graph"]
fn names_of_the_standard_library_need_no_namespace() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let graph = folder.path().join("graph.cpp");
    let text = "#include <adf.h>\nusing namespace adf;\nvoid f(output_stream<int> *out);\nstruct G : graph {\n    \
                kernel k = kernel::create(f);\n    output_plio out = output_plio::create(plio_32_bits, \"o.txt\");\n    \
                G() {\n        vector<kernel> all = {};\n        adf::vector<kernel> more;\n        \
                samples_per_iteration(k.out[0]) = 64;\n        all.push_back(k);\n        \
                connect<stream>(all[0].out[0], out.in[0]);\n        source(k) = \"f.cc\";\n    }\n} g;\n";
    std::fs::write(&graph, text).expect("writable");
    let (described, _) = described(&graph, &[], &[]).expect("it compiles");
    assert_eq!((described.description.kernels.len(), described.description.connections.len()), (1, 1));
}

#[test]
#[ignore = "long: compiles several graphs"]
fn a_constructor_that_fails_is_blamed_with_its_line() {
    let graph = |body: &str| {
        format!(
            "#include <adf.h>\n#include <stdexcept>\nusing namespace adf;\nvoid helper(int); void two(input_stream<int> *, output_stream<int> *, int &);\nstruct G : graph {{\n    kernel k;\n    G() {{\n        {body}\n    }}\n}} g;\n"
        )
    };
    for (body, reason) in [
        ("throw std::runtime_error(\"no such size\");", "no such size"),
        ("assert(1 > 2);", "calls abort"),
        ("for (volatile int i = 0;;) i = i;", "still running after 10 seconds"),
        ("helper(3);", "calls `helper`, which the graph's file does not define"),
        ("connect<stream>(k.out[2], k.out[2]);", "port out[2] of `g.k`, which was never created, is used"),
        (
            "k = kernel::create(two); connect<stream>(k.out[1], k.in[0]);",
            "`g.k` has no port out[1]: it has 1 in that direction; scalars by reference are ports inout[0]",
        ),
        (
            "std::vector<std::vector<char>> all; for (;;) all.emplace_back(1 << 26, 'x');",
            "needs more memory than 1024 MiB",
        ),
    ] {
        let said = refusal(&graph(body));
        assert!(
            said.contains("sim/failed") && said.contains(reason) && said.contains("graph.cpp:8:"),
            "{said}"
        );
    }
}

/// AMD's DSP library states properties of kernels that `if constexpr` leaves out.
#[test]
#[ignore = "long: compiles a graph"]
fn properties_of_a_kernel_that_is_left_out_mean_nothing() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let graph = folder.path().join("graph.cpp");
    let text = "#include <adf.h>\nusing namespace adf;\nvoid f(output_stream<int> *out);\nstruct G : graph {\n    \
                kernel used = kernel::create(f), left, others[2];\n    output_plio none;\n    \
                output_plio out = output_plio::create(plio_32_bits, \"o.txt\");\n    G() {\n        \
                source(used) = \"f.cc\";\n        runtime<ratio>(used) = 0.5;\n        \
                connect<stream>(used.out[0], out.in[0]);\n        source(left) = \"t.cc\";\n        \
                headers(left) = {\"t.h\"};\n        stack_size(left) = 512;\n        heap_size(left) = 64;\n        \
                repetition_count(left) = 2;\n        initialization_function(left) = \"init\";\n        \
                fabric<aiengine>(left);\n        location<kernel>(left) = tile(3, 1);\n        \
                location<stack>(left) = bank(3, 1, 0);\n        location<parameter>(left.param[0]) = bank(3, 1, 1);\n        \
                location<PLIO>(none) = shim(4);\n        \
                for (kernel &other : others) runtime<ratio>(other) = 0.4;\n    }\n} g;\n";
    std::fs::write(&graph, text).expect("writable");
    let (described, _) = described(&graph, &[], &[]).expect("it is described");
    let of = described.description;
    assert_eq!((of.kernels.len(), of.connections.len(), of.locations.len()), (1, 1, 0));
    assert_eq!((of.kernels[0].source.as_str(), of.kernels[0].runtime), ("f.cc", Some(0.5)));
}

/// A cast would make another value of them, or the connection would vanish.
#[test]
#[ignore = "long: compiles several graphs"]
fn values_out_of_range_are_refused_with_their_line() {
    for (statement, reason) in [
        ("fifo_depth(net) = -4;", "fifo_depth is -4; it must be a number of words, 0 or more"),
        ("fifo_depth(net) = 5000000000;", "fifo_depth is 5000000000; it must be a number of words"),
        ("runtime<ratio>(k) = -0.2;", "runtime<ratio> is -0.2; it must be between 0 and 1"),
        ("runtime<ratio>(k) = 1.5;", "runtime<ratio> is 1.5; it must be between 0 and 1"),
        ("stack_size(k) = -5;", "stack_size is -5; it must be a number of bytes, 0 or more"),
        ("heap_size(k) = -5;", "heap_size is -5; it must be a number of bytes, 0 or more"),
        ("repetition_count(k) = 0;", "repetition_count is 0; it must be 1 or more"),
        ("async_repetition(k.in[0]) = -1;", "async_repetition is -1; it must be 1 or more"),
        ("connect<window<0>>(k.out[0], k.in[0]);", "window<0> has no bytes; it must have 1 or more"),
    ] {
        let said = refusal(&format!(
            "#include <adf.h>\nusing namespace adf;\nvoid f(input_window<int> *in, output_window<int> *out);\n\
             struct G : graph {{\n    kernel k = kernel::create(f);\n    \
             connect<window<64>> net{{k.out[0], k.in[0]}};\n    G() {{\n        {statement}\n    }}\n}} g;\n"
        ));
        assert!(
            said.contains("sim/failed") && said.contains(reason) && said.contains("graph.cpp:8:"),
            "{said}"
        );
    }
}

/// Helpers of users' graphs take ports by reference.
#[test]
#[ignore = "long: compiles a graph"]
fn ports_of_nodes_are_objects_of_their_own() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let graph = folder.path().join("graph.cpp");
    let text = "#include <adf.h>\nusing namespace adf;\n\
                void f(input_window<int> *in, output_window<int> *out);\n\
                template <class S, class D> void link(S &s, D &d) { connect<window<64>>(s, d); }\n\
                void joined(port<output> &s, port<input> &d) { connect<window<64>>(s, d); }\n\
                struct G : graph {\n    \
                input_plio p = input_plio::create(\"p\", plio_32_bits, \"p.txt\");\n    \
                output_plio q = output_plio::create(\"q\", plio_32_bits, \"q.txt\");\n    \
                kernel a = kernel::create(f), b = kernel::create(f);\n    G() {\n        \
                for (kernel k : {a, b}) source(k) = \"f.cc\";\n        link(p.out[0], a.in[0]);\n        \
                joined(a.out[0], b.in[0]);\n        auto &last = b.out[0];\n        \
                for (auto &to : q.in) connect<window<64>>(last, to);\n        \
                for (const auto &from : a.out) single_buffer(from);\n    }\n} g;\n";
    std::fs::write(&graph, text).expect("writable");
    let (described, _) = described(&graph, &[], &[]).expect("it is described");
    let of = described.description;
    assert_eq!((of.kernels.len(), of.connections.len()), (2, 3));
    assert_eq!(of.ports.iter().filter(|port| port.is_single).count(), 1);
}

#[test]
#[ignore = "long: compiles a graph"]
fn of_400_kernels_all_have_names_and_lines_and_the_second_time_the_same() {
    let graph = top().join("host_run/tests/graphs/large.cpp");
    let (first, sources) = described(&graph, &[], &[]).expect("it is described");
    let of = &first.description;
    assert_eq!((of.kernels.len(), of.externals.len(), of.graphs.len()), (400, 100, 101));
    assert!(of.kernels.iter().all(|kernel| kernel.path.is_some() && kernel.site.is_some()));
    assert!(of.connections.iter().all(|connection| connection.site.is_some()));
    assert!(of.ports.iter().all(|port| port.owner != Owner::Graph || port.path.is_some()));
    let (again, other) = described(&graph, &[], &[]).expect("it is described");
    assert_eq!(of.dump(&sources), again.description.dump(&other));
}

#[test]
#[ignore = "long: compiles a graph"]
fn members_of_a_base_class_have_their_paths() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let graph = folder.path().join("graph.cpp");
    let text = "#include <adf.h>\nvoid work(output_stream<int> *out);\nstruct Base : adf::graph {\n    \
        adf::kernel k;\n    Base() {\n        k = adf::kernel::create(work);\n        \
        adf::source(k) = \"work.cc\";\n        adf::runtime<adf::ratio>(k) = 0.5;\n    }\n};\n\
        struct Top : Base {\n    Base inner;\n};\nTop g;\n";
    std::fs::write(&graph, text).expect("writable");
    let text = dump(&graph);
    let kernels = text.lines().filter_map(|line| line.strip_prefix("kernel ")?.split(',').next());
    assert_eq!(kernels.collect::<Vec<_>>(), ["g.k: work in g", "g.inner.k: work in g.inner"], "{text}");
}

#[test]
#[ignore = "long: compiles several graphs"]
fn a_graph_for_another_simulator_is_described() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let graph = folder.path().join("graph.cpp");
    for condition in [
        "#ifndef __AIESIM__\n#include \"of_the_board.h\"\n#endif",
        "#ifdef __AIESIM__",
        "#ifdef __ADF_FRONTEND__",
    ] {
        let end = if condition.ends_with("#endif") { "" } else { "#endif" };
        let text = format!("#include <adf.h>\n{condition}\nstruct G : adf::graph {{}} g;\n{end}\n");
        std::fs::write(&graph, text).expect("writable");
        let (described, _) = described(&graph, &[], &[]).expect("it is described");
        assert_eq!(described.description.graphs[0].path.as_deref(), Some("g"));
    }
}

#[test]
#[ignore = "long: compiles several graphs"]
fn what_does_not_compile_is_blamed_at_the_users_line() {
    let said = refusal("#include <adf.h>\n\n#include \"lost.h\"\n");
    assert!(
        said.contains("`graph.cpp` includes `lost.h` in line 3") && said.contains("`FOLDER/include`"),
        "{said}"
    );
    assert!(said.contains("graph.cpp:3:1") && said.contains("-I"), "{said}");
    let said =
        refusal("#include <adf.h>\nstruct G : adf::graph {\n    G() { adf::connect<>(1, 2); }\n} g;\n");
    assert!(said.contains("graph.cpp:3:") && said.contains("sim/compile"), "{said}");
    let of_array = "#include <adf.h>\n#include <array>\nusing namespace adf;\nstruct S : graph { std::array<port<input>, 1> in; };\n\
                    struct G : graph {\n    input_plio p;\n    S s;\n    G() {\n        connect<>(p.out[0], s.in);\n    }\n} g;\n";
    let said = refusal(of_array);
    assert!(
        said.contains("does not compile: an array of ports is connected: name one, as in `s.in[0]`"),
        "{said}"
    );
    assert!(said.contains("graph.cpp:9:") && !said.contains("-I"), "{said}");
    let said = refusal(
        "#include <adf.h>\nstruct G : adf::graph {\n    adf::shared_buffer<int> m;\n    \
         G() { num_buffers(m) = 2; }\n} g;\n",
    );
    assert!(said.contains("memory tiles of AIE-ML are not modelled"), "{said}");
    assert!(said.contains("graph.cpp:3:") && !said.contains("-I"), "{said}");
    let said = refusal(
        "#include <adf.h>\nstruct G : adf::graph {\n    adf::kernel k[MAT_ROWS * MAT_COLS];\n    \
         G() { k[0] = {}; }\n} g;\n",
    );
    assert!(said.contains("give it with -D MAT_ROWS=... -D MAT_COLS=..."), "{said}");
    assert!(said.contains("graph.cpp:3:") && !said.contains("aiec has no"), "{said}");
    let said = refusal("#include <adf.h>\nint main() { return 0; }\n");
    assert!(said.contains("constructs no graph"), "{said}");
}

/// The preprocessor of g++ refuses them, in code that no other compiler of the vendor refuses.
#[test]
#[ignore = "long: compiles several graphs"]
fn white_space_beyond_ascii_is_white_space_and_other_signs_have_numbers() {
    let with = |blank: &str, sign: &str| {
        format!(
            "#include <adf.h>\n#define MOST\u{a0}{blank}2\nstruct G :{blank}adf::graph {{\n    adf::port<adf::input> é[MOST];\n\
             \u{3000}   G()\u{a0}{{{sign}const char *s = \"a\u{a0}b\"; }} // \u{200b}\n}} g;\n#endif\u{a0}\n"
        )
    };
    let folder = tempfile::tempdir().expect("a temporary directory");
    let graph = folder.path().join("graph.cpp");
    std::fs::write(&graph, format!("#ifndef G\n{}", with("\u{2009}", ""))).expect("writable");
    assert_eq!(described(&graph, &[], &[]).map(|_| ()).err(), None);
    // A directive takes it along.
    let text = "#ifndef G\n#include <adf.h>\nstruct G : adf::graph {} g;\n#endif\u{a0}\u{a0}\n";
    std::fs::write(&graph, text).expect("writable");
    assert_eq!(described(&graph, &[], &[]).map(|_| ()).err(), None);
    let said = refusal(&with(" ", "\u{200b}").replace("#endif\u{a0}\n", ""));
    assert!(said.contains("<U+200B>const") && said.contains("graph.cpp:5:"), "{said}");
    assert!(said.contains("type a plain blank"), "{said}");
}

/// The vendor's front end compiles graphs by g++, too.
#[test]
#[ignore = "long: compiles several graphs"]
fn what_only_clang_accepts_is_refused_with_what_to_write() {
    let with = |member: &str, statement: &str| {
        refusal(&format!(
            "#include <adf.h>\nusing namespace adf;\nstruct G : graph {{\n    kernel a, b;\n    {member}\n    G() {{\n        {statement}\n    }}\n}} g;\n"
        ))
    };
    let offset =
        "location<kernel>(b) = location<kernel>(a) + relative_offset({.row_offset=0, .col_offset=1});";
    let said = with("", offset);
    assert!(said.contains("graph.cpp:7:") && said.contains("in the order of their declaration"), "{said}");
    let said = with("static const float share = 0.8f;", "");
    assert!(said.contains("graph.cpp:5:") && said.contains("declare it `static constexpr`"), "{said}");
    let said = with("", "static const int columns[3] = {[0] = 5, [2] = 7};");
    assert!(said.contains("graph.cpp:7:") && said.contains("without `[index] =`"), "{said}");
}

/// The functions of aiec's headers do not run before that constructor does.
#[test]
#[ignore = "long: compiles a graph"]
fn a_graph_whose_constructor_another_file_defines_is_told_by_its_name() {
    let said = refusal("#include <adf.h>\nstruct Top : adf::graph {\n    Top();\n};\nTop top;\n");
    assert!(said.contains("calls `Top::Top`, which the graph's file does not define"), "{said}");
    assert!(said.contains("graph.cpp:5"), "{said}");
}

#[test]
#[ignore = "long: compiles several graphs"]
fn a_fault_of_a_constructor_is_told_once_with_the_number_as_written() {
    let with = |statement: &str, types: &str| {
        refusal(&format!(
            "#include <adf.h>\n#include <aie_api/aie.hpp>\nusing namespace adf;\nvoid f(input_window<{types}> *in);\n\
             struct G : graph {{\n    kernel k;\n    G() {{\n        k = kernel::create(f);\n        {statement}\n    }}\n}} g;\n"
        ))
    };
    let said = with("runtime<ratio>(k) = 1.5;", "int32");
    assert_eq!(said.matches("runtime<ratio> is 1.5").count(), 1, "{said}");
    let said = with("location<buffer>(k.in[0]) = address(20, 2, -32);", "int32");
    assert!(said.contains("a location names -32") && said.contains("graph.cpp:9:"), "{said}");
    let said = with("", "bfloat16");
    assert!(said.contains("AIE has no bfloat16") && said.contains("use `float`"), "{said}");
}

/// As for g++ and aiecompiler. The folder is named when a header is missing.
#[test]
#[ignore = "long: compiles several graphs"]
fn a_folder_of_headers_need_not_exist() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let graph = folder.path().join("graph.cpp");
    let include = [folder.path().join("gone")];
    let text = "#include <adf.h>\n#include \"adf/new_frontend/types.h\"\n#include \"adf/intrinsics.h\"\n\
                struct G : adf::graph {} g;\n";
    std::fs::write(&graph, text).expect("writable");
    assert!(described(&graph, &include, &[]).is_ok());
    std::fs::write(&graph, format!("#include \"lost.h\"\n{text}")).expect("writable");
    let said = described(&graph, &include, &[]).map(|_| ()).expect_err("a header is missing");
    assert!(said.contains("/gone` (which does not exist)"), "{said}");
}

#[test]
fn a_file_above_the_graph_hides_no_standard_header_and_gives_its_own() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    std::fs::create_dir(folder.path().join("aie")).expect("writable");
    let graph = folder.path().join("aie/graph.cpp");
    let text = "#include <list>\n#include <adf.h>\n#include \"common.h\"\nstruct G : adf::graph {} g;\n";
    std::fs::write(&graph, text).expect("writable");
    std::fs::write(folder.path().join("list"), "milk, bread\n").expect("writable");
    std::fs::write(folder.path().join("common.h"), "// constants\n").expect("writable");
    let told = described(&graph, &[], &[]).map(|_| ());
    assert_eq!(told, Ok(()));
}

#[test]
#[cfg(unix)]
#[ignore = "long: compiles a graph, and the runtime for it"]
fn a_first_graph_takes_three_compilations_and_none_of_the_simulator() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().expect("a temporary directory");
    let (compiler, log) = (folder.path().join("g++"), folder.path().join("calls"));
    // A version that no other run has, so that nothing comes from the cache.
    let script = format!(
        "#!/bin/sh\necho \"$@\" >> '{log}'\n[ \"$1\" != --version ] || echo '{log}'\nexec g++ \"$@\"\n",
        log = log.display()
    );
    std::fs::write(&compiler, script).expect("writable");
    std::fs::set_permissions(&compiler, std::fs::Permissions::from_mode(0o755)).expect("writable");
    let graph = top().join("examples/adf/multirate/graph.cpp");
    let cxx = compiler.display().to_string();
    let (scratch, directory) = (folder.path(), folder.path());
    let request = DescribeRequest { cxx: &cxx, graph: &graph, include: &[], flags: &[], directory, scratch };
    let described = describe(&request, &mut Sources::default()).expect("a graph");
    assert_eq!(described.description.kernels.len(), 3);
    let calls = std::fs::read_to_string(&log).expect("the calls");
    let compiled: Vec<&str> =
        calls.lines().filter(|call| call.contains(" -c ") || call.contains(" -E ")).collect();
    // The text of the graph, its object, and the part of the runtime.
    assert_eq!(compiled.len(), 3, "{calls}");
    assert!(calls.contains("sim/describe.cc") && !calls.contains("sim/run.cc"), "{calls}");
    assert!(!calls.contains("c++-header"), "{calls}");
}

// Each new type in a container of the standard library adds 60 functions, and 1 % to the time of
// the first check.
#[test]
#[cfg(unix)]
#[ignore = "long: compiles the runtime for descriptions"]
fn the_runtime_for_descriptions_has_few_functions() {
    let source = top().join("runtime/include").join(aiec_runtime::DESCRIBE);
    let output = std::process::Command::new("g++")
        .args(["-std=c++17", "-O0", "-D__X86SIM__", "-D__AIE_ARCH__=10", "-S", "-o", "-"])
        .arg(source)
        .output()
        .expect("g++ starts");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let functions = text.lines().filter(|line| line.trim_end().ends_with("function")).count();
    assert!((500..2000).contains(&functions), "{functions} functions");
}
