//! Whole projects: what every emitted project has in common, whatever the design.

#![allow(clippy::panic, reason = "a test fails by panicking")]

mod common;

use aiec_codegen::{EmitOptions, OutputFile, emit_unplaced, translation_units};
use aiec_ir::build::{Builder, Reduce, input, int32, output};
use aiec_ir::schedule::{Operation, Shape};
use aiec_ir::{Buffering, Direction, ElementType, WindowType, check};

use common::{checked, outcome, paths, project, reduction, round_trips, sources, text, value, vc1902};

fn pipeline() -> Builder {
    let mut builder = Builder::new("pipeline", "xcvc1902");
    let ports = [input("x", int32(64)), output("y", int32(64))];
    builder.kernels("scale", &[], &ports).kernels("clip", &[], &ports);
    builder.plio_input("samples", 64).plio_output("clipped", 64);
    builder.connect("samples", "scale.x").connect_with("scale.y", "clip.x", Buffering::Single);
    builder.connect("clip.y", "clipped");
    builder
}

#[test]
fn a_project_has_everything_a_reviewer_expects() {
    let files = project(&reduction());
    for path in [
        "Makefile",
        "README.md",
        "aie/graph.cpp",
        "aie/graph.h",
        "aie/include/aiec/member.h",
        "aie/include/aiec/reduce.h",
        "aie/kernels.h",
        "aie/kernels/collectives.h",
        "aie/kernels/worker.cc",
        "aie/kernels/worker_interior.cc",
        "aie/kernels/worker_interior.h",
        "aie/kernels/worker_leaf.cc",
        "aie/kernels/worker_root.cc",
        "aiec-report.json",
        "data/README.md",
        "constraints/aiec.aiecst",
        "sw/host.cpp",
        "system.cfg",
    ] {
        assert!(!text(&files, path).is_empty(), "{path}");
    }
}

#[test]
fn a_design_without_collectives_has_no_library_and_no_wrappers() {
    let files = project(&pipeline());
    assert!(!paths(&files).iter().any(|path| path.starts_with("aie/include")), "{:?}", paths(&files));
    assert!(text(&files, "aie/graph.h").contains("scale_kernel = adf::kernel::create(scale);"));
    assert!(
        text(&files, "aie/kernels.h")
            .contains("void scale(input_window<int32> *x, output_window<int32> *y);")
    );
}

#[test]
fn user_sources_are_copied_as_they_are() {
    let files = project(&pipeline());
    assert_eq!(text(&files, "aie/kernels/clip.cc"), "// The user's kernels/clip.cc,\tas it is. \n");
}

#[test]
fn our_own_text_is_tidy() {
    for builder in [reduction(), pipeline()] {
        let files = project(&builder);
        let ours = files.iter().filter(|file| !file.text.starts_with("// The user's"));
        for OutputFile { path, text } in ours {
            assert!(text.ends_with('\n') && !text.ends_with("\n\n"), "{path}");
            assert!(!text.contains("\n\n\n"), "{path}");
            assert!(text.lines().all(|line| line.trim_end() == line), "{path}");
            assert!(!text.contains("{{") || path.ends_with(".cc") || path.ends_with("host.cpp"), "{path}");
            assert!(path == "Makefile" || !text.contains('\t'), "{path}");
        }
    }
}

#[test]
fn files_are_sorted_and_paths_stay_within_the_project() {
    let files = project(&reduction());
    assert!(files.windows(2).all(|pair| pair[0].path < pair[1].path));
    assert!(paths(&files).iter().all(|path| !path.starts_with('/') && !path.contains("..")));
}

#[test]
fn without_places_a_project_has_what_the_host_runs_and_the_same_kernels() {
    let checked = checked(&reduction());
    let options = EmitOptions { sources: sources(&checked), ..EmitOptions::default() };
    let files = value(emit_unplaced(&checked, &vc1902(), &options));
    assert!(!text(&files, "aie/graph.h").contains("adf::location"), "nothing lies anywhere");
    let placed = value(outcome(&checked, &options));
    let others: Vec<&OutputFile> = files.iter().filter(|file| file.path != "aie/graph.h").collect();
    assert!(others.len() > 10 && others.iter().all(|file| placed.contains(file)), "{:?}", paths(&files));
}

#[test]
fn equal_designs_give_equal_bytes() {
    assert_eq!(project(&reduction()), project(&reduction()));
}

#[test]
fn every_kernel_is_placed_and_its_shared_outputs_are_not() {
    let files = project(&reduction());
    let constraints: serde_json::Value =
        serde_json::from_str(text(&files, "constraints/aiec.aiecst")).expect("JSON");
    for i in 0..7 {
        let tile = &constraints["NodeConstraints"][format!("g.worker[{i}]")]["tile"];
        assert!(tile["column"].is_u64() && tile["row"].is_u64(), "worker[{i}]");
        let buffers = &constraints["PortConstraints"][format!("g.worker[{i}].in[0]")]["buffers"];
        assert_eq!(buffers.as_array().map(Vec::len), Some(2), "ping and pong of worker[{i}].x");
    }
    let report: serde_json::Value = serde_json::from_str(text(&files, "aiec-report.json")).expect("JSON");
    let connections = report["connections"].as_array().expect("a list");
    assert_eq!(connections.len(), 21);
    for connection in connections.iter().filter(|connection| connection["by"] == "shared memory") {
        let producer = connection["from"].as_str().expect("a name");
        let ports = report["kernels"].as_array().expect("a list").iter().flat_map(|kernel| {
            let name = kernel["name"].as_str().unwrap_or_default();
            let ports = kernel["ports"].as_array().cloned().unwrap_or_default();
            ports
                .into_iter()
                .map(move |port| (format!("{name}.{}", port["name"].as_str().unwrap_or_default()), port))
        });
        let port = ports.into_iter().find(|(name, _)| name == producer).expect("the port is listed").1;
        assert!(port["buffers"].is_null(), "{producer} writes into its consumer's buffers");
    }
}

#[test]
fn single_buffers_are_said_at_both_ends() {
    let files = project(&pipeline());
    let graph = text(&files, "aie/graph.h");
    assert!(graph.contains("adf::single_buffer(scale_kernel.out[0]);"));
    assert!(graph.contains("adf::single_buffer(clip_kernel.in[0]);"));
}

// UG1079, buffer ports: a size at each kernel's port instead of one in the connection; the parameter's type says what is async.
#[test]
fn buffer_ports_have_sizes_of_their_own_and_leave_no_window() {
    let mut builder = reduction();
    builder.buffer_ports();
    let files = project(&builder);
    let graph = text(&files, "aie/graph.h");
    assert!(graph.contains("adf::connect<>(lanes[3].out[0], worker[3].in[0]);"), "{graph}");
    assert!(graph.contains("adf::dimensions(worker[3].in[0]) = {16};"), "{graph}");
    assert!(!graph.contains("adf::async") && !graph.contains("adf::window<"), "{graph}");
    let root = text(&files, "aie/kernels/worker_root.cc");
    assert!(root.contains("adf::input_buffer<int32> &__restrict x"), "{root}");
    assert!(root.contains("adf::input_async_buffer<int32> &__restrict total_in0"), "{root}");
    assert!(root.contains("{&total_in0, &total_in1}, {&total_result}"), "{root}");
    assert_eq!(text(&files, "aie/include/aiec/ports.h"), aiec_codegen::headers::BUFFER_PORTS);
}

#[test]
fn regular_connections_become_loops() {
    let files = project(&reduction());
    let graph = text(&files, "aie/graph.h");
    assert!(graph.contains("worker[i] = adf::kernel::create_object<worker_leaf>(i);"));
    assert!(graph.contains("adf::async(worker[2 * i + 1].out[1]), adf::async(worker[i].in["), "{graph}");
    assert!(graph.contains("lanes[i] = adf::input_plio::create(\"lanes_\" + std::to_string(i),"));
}

#[test]
fn merged_packets_go_through_a_merge_of_the_graph_into_one_port_of_the_root() {
    let mut builder = Builder::new("phases", "xcvc1902");
    builder.kernels("worker", &[16], &[]);
    let done = Reduce::over("done", &["worker"], int32(4)).operation(Operation::Barrier, Shape::Merge);
    builder.reduce(done.root("worker[3]"));
    let files = project(&builder);
    let graph = text(&files, "aie/graph.h");
    for line in [
        "adf::pktmerge<15> done_merge;",
        "done_merge = adf::pktmerge<15>::create();",
        "adf::connect<adf::window<16>, adf::pktstream>(adf::async(worker[i].out[0]), done_merge.in[i]);",
        "adf::connect<adf::window<16>, adf::pktstream>(adf::async(worker[i].out[0]), done_merge.in[i - 1]);",
        "adf::connect<adf::pktstream>(done_merge.out[0], worker[3].in[0]);",
    ] {
        assert!(graph.contains(line), "{line} is not in\n{graph}");
    }
    let root = text(&files, "aie/kernels/worker_root.cc");
    assert!(
        root.contains("run(input_pktstream *done_in0, output_window<int32> *__restrict done_out0)"),
        "{root}"
    );
    assert!(root.contains("communicator comm{{rank_, done_in0, {done_out0}}};"), "{root}");
    assert!(root.contains("aiec::barrier_merge<collectives::done, 15> done;"), "{root}");
    assert!(
        text(&files, "aie/kernels/worker_leaf.cc")
            .contains("aiec::barrier_tree<collectives::done, 0, 1, 1, 0>")
    );
    assert!(paths(&files).contains(&"aie/include/aiec/barrier_merge.h"));
    let readme = text(&files, "README.md");
    assert!(readme.contains("The graph has a `pktmerge<15>`."), "older tools refuse it:\n{readme}");
}

#[test]
fn missing_data_is_named_in_the_readme() {
    let files = project(&pipeline());
    assert!(text(&files, "README.md").contains("`data/samples.txt` was not there"));
}

#[test]
fn a_missing_source_is_an_error_at_its_path() {
    let checked = checked(&pipeline());
    let options =
        EmitOptions { sources: sources(&checked).into_iter().take(1).collect(), ..EmitOptions::default() };
    let outcome = outcome(&checked, &options);
    assert!(outcome.value().is_none());
    let slugs: Vec<&str> = outcome.diagnostics().iter().map(|diagnostic| diagnostic.code.slug).collect();
    assert_eq!(slugs, ["input/missing-source"]);
}

#[test]
fn wrappers_are_compiled_instead_of_the_sources_they_include() {
    let checked = checked(&reduction());
    let units = translation_units(&checked, &sources(&checked));
    assert_eq!(
        units,
        [
            "aie/graph.cpp",
            "aie/kernels/worker_root.cc",
            "aie/kernels/worker_interior.cc",
            "aie/kernels/worker_leaf.cc"
        ]
    );
}

#[test]
fn the_folder_of_the_data_is_there_and_says_what_goes_in_and_comes_out() {
    let files = project(&reduction());
    let expected = "# Data of reduce7\n\nValues are separated by blanks.\n\nGoes in:\n\n\
        - `data/lanes_0.txt` to `data/lanes_6.txt`: 16 values of type int32 each, 2 a line\n\nComes out:\n\n\
        - `data/doubled_0.txt` to `data/doubled_6.txt`: 16 values of type int32 each, 2 a line\n\
        - `data/sum.out.txt`: 64 values of type int32, 1 a line\n\n\
        The simulators write outputs through PLIO below `x86simulator_output/` and `aiesimulator_output/` instead.\n";
    assert_eq!(text(&files, "data/README.md"), expected);
}

#[test]
fn a_design_without_input_has_a_folder_for_its_output() {
    let mut builder = Builder::new("reduce7", "xcvc1902");
    builder.kernels("worker", &[7], &[]).gmio_output("sum").connect("total.result", "sum");
    builder.reduce(Reduce::over("total", &["worker"], int32(64)));
    let files = project(&builder);
    assert!(text(&files, "data/README.md").contains("Nothing goes in."));
    assert!(text(&files, "Makefile").contains("--package.sd_dir data design.xsa"));
}

#[test]
fn everything_that_the_host_reads_or_writes_is_packaged() {
    let files = project(&round_trips());
    let makefile = text(&files, "Makefile");
    assert!(makefile.contains("\tmkdir -p data lanes results\n\tv++ -p"), "{makefile}");
    assert!(
        makefile
            .contains(" --package.sd_dir data --package.sd_dir lanes --package.sd_dir results design.xsa"),
        "{makefile}"
    );
    assert!(makefile.contains(" --package.sd_file host.exe --package.sd_file in_cint16.txt "), "{makefile}");
}

#[test]
fn sources_in_folders_of_their_own_are_built_again_when_they_change() {
    let files = project(&pipeline());
    assert!(text(&files, "Makefile").contains("AIE_SOURCES := $(shell find aie -type f)\n"));
}

#[test]
fn a_line_has_one_element_if_it_is_as_wide_as_the_plio() {
    let mut builder = pipeline();
    let window = WindowType { element: ElementType::Cint32, elements: 32 };
    builder.kernels("wide", &[], &[input("x", window), output("y", window)]);
    builder.plio_input("narrow", 64).plio_output("narrowed", 64);
    builder.connect("narrow", "wide.x").connect("wide.y", "narrowed");
    let files = project(&builder);
    let host = text(&files, "sw/host.cpp");
    let (_, after) = host.split_once("narrowed_port() {").expect("the output has a function");
    let (described, _) = after.split_once("return port;").expect("which returns it");
    assert!(described.contains("port.parts = 2;") && !described.contains("per_line"), "{described}");
}

#[test]
fn what_nothing_is_connected_to_never_reaches_emission() {
    let mut builder = pipeline();
    let port = [input("x", int32(64))];
    builder.kernels("sink", &[2], &port).plio("lanes", &[4], Direction::Out, 64);
    builder.plio_input("unused_in", 64).gmio_output("unused_out");
    builder.connect("lanes[1]", "sink[0].x").connect("lanes[3]", "sink[1].x");
    let (accepted, diagnostics) =
        check(builder.expanded().expect("every name is declared"), &vc1902()).into_parts();
    assert!(diagnostics.iter().any(|diagnostic| diagnostic.code.slug == "check/unused-external"));
    assert!(accepted.is_none(), "emission never meets an input or output that nothing is connected to");
}
