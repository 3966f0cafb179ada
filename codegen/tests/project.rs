//! Whole projects: what every emitted project has in common, whatever the design.

#![allow(clippy::panic, reason = "a test fails by panicking")]

use aiec_codegen::{EmitOptions, OutputFile, UserSource, emit, translation_units};
use aiec_device::Device;
use aiec_diag::Outcome;
use aiec_ir::build::{Builder, Reduce, input, int32, output};
use aiec_ir::{Buffering, Checked, check};
use aiec_placer::PlaceOptions;
use aiec_router_model::RouteOptions;

fn value<T>(outcome: Outcome<T>) -> T {
    let (value, diagnostics) = outcome.into_parts();
    value.unwrap_or_else(|| panic!("{diagnostics:#?}"))
}

fn vc1902() -> Device {
    value(aiec_device::builtin("xcvc1902").expect("built in"))
}

/// Seven workers with a port each way and a reduction, results to global memory.
fn reduction() -> Builder {
    let mut builder = Builder::new("reduce7", "xcvc1902");
    builder.kernels("worker", &[7], &[input("x", int32(16)), output("y", int32(16))]).stack("worker", 2048);
    builder.plio("lanes", &[7], aiec_ir::Direction::Out, 64).plio(
        "doubled",
        &[7],
        aiec_ir::Direction::In,
        64,
    );
    builder.gmio_output("sum").connect("total.result", "sum");
    builder.reduce(Reduce::over("total", &["worker"], int32(64)));
    for i in 0..7 {
        builder.connect(&format!("lanes[{i}]"), &format!("worker[{i}].x"));
        builder.connect(&format!("worker[{i}].y"), &format!("doubled[{i}]"));
    }
    builder
}

fn pipeline() -> Builder {
    let mut builder = Builder::new("pipeline", "xcvc1902");
    let ports = [input("x", int32(64)), output("y", int32(64))];
    builder.kernels("scale", &[], &ports).kernels("clip", &[], &ports);
    builder.plio_input("samples", 64).plio_output("clipped", 64);
    builder.connect("samples", "scale.x").connect_with("scale.y", "clip.x", Buffering::Single);
    builder.connect("clip.y", "clipped");
    builder
}

fn checked(builder: &Builder) -> Checked {
    value(check(builder.expanded().expect("every name is declared"), &vc1902()))
}

fn sources(checked: &Checked) -> Vec<UserSource> {
    let text = |path: &str| UserSource {
        path: path.to_owned(),
        text: format!("// The user's {path},\tas it is. \n"),
    };
    checked.families.iter().map(|family| text(&family.source.value)).collect()
}

fn project(builder: &Builder) -> Vec<OutputFile> {
    let checked = checked(builder);
    let options = EmitOptions { sources: sources(&checked), ..EmitOptions::default() };
    value(outcome(&checked, &options))
}

fn outcome(checked: &Checked, options: &EmitOptions) -> Outcome<Vec<OutputFile>> {
    let device = vc1902();
    let placement = value(aiec_placer::place(checked, &device, &PlaceOptions { effort: 1, seed: 1 }));
    let placed = value(aiec_placer::verify(checked, &device, placement));
    let routes = value(aiec_router_model::route(checked, &placed, &device, &RouteOptions::default()));
    let routed = value(aiec_router_model::verify(checked, &placed, &device, routes));
    let estimate = aiec_router_model::estimate(checked, &placed, &routed, &device);
    emit(checked, &placed, &routed, &estimate, &device, options)
}

fn text<'a>(files: &'a [OutputFile], path: &str) -> &'a str {
    let file = files.iter().find(|file| file.path == path);
    &file.unwrap_or_else(|| panic!("no {path} among {:?}", paths(files))).text
}

fn paths(files: &[OutputFile]) -> Vec<&str> {
    files.iter().map(|file| file.path.as_str()).collect()
}

#[test]
fn a_project_has_everything_a_reviewer_expects() {
    let files = project(&reduction());
    for path in [
        "Makefile",
        "README.md",
        "aie/graph.cpp",
        "aie/graph.h",
        "aie/include/aiec/connect_tree.h",
        "aie/include/aiec/reduce.h",
        "aie/kernels.h",
        "aie/kernels/collectives.h",
        "aie/kernels/worker.cc",
        "aie/kernels/worker_interior.cc",
        "aie/kernels/worker_interior.h",
        "aie/kernels/worker_leaf.cc",
        "aie/kernels/worker_root.cc",
        "aiec-report.json",
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

#[test]
fn regular_connections_become_loops() {
    let files = project(&reduction());
    let graph = text(&files, "aie/graph.h");
    assert!(graph.contains("worker[i] = adf::kernel::create_object<worker_leaf>(i);"));
    assert!(graph.contains("aiec::connect_tree<256>(total_tree, 2);"));
    assert!(graph.contains("lanes[i] = adf::input_plio::create(\"lanes_\" + std::to_string(i),"));
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
