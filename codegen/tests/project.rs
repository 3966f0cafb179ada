//! Whole projects: common properties of all emitted projects.

#![allow(clippy::panic, reason = "a test fails by panicking")]
#![allow(clippy::disallowed_methods, reason = "these tests write projects and run make on them")]

mod common;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;

use aiec_check::check;
use aiec_codegen::report::report;
use aiec_codegen::stamp::{DIGITS, Origin};
use aiec_codegen::{
    EmitOptions, Naming, OutputFile, constraints, emit_unplaced, locations_header, translation_units,
};
use aiec_collectives::{Operation, Shape};
use aiec_device::Release;
use aiec_device::release::Cell;
use aiec_diag::{SourceFile, SourceId, Span, Spanned};
use aiec_ir::design::Endpoint;
use aiec_ir::{Carries, Direction, ElementType, WindowType};
use aiec_placer::{PlaceOptions, PortBuffers, Spot};
use aiec_test_support::{Builder, Reduce, input, int32, output, stream};
use aiec_vendor::aiecst::Address;
use sha2::{Digest, Sha256};

use common::{
    checked, decided, outcome, paths, pipeline, project, reduction, round_trips, sources, text, value, vc1902,
};

/// The project of [`reduction`], placed and routed once for all tests.
fn reduced() -> &'static [OutputFile] {
    static FILES: OnceLock<Vec<OutputFile>> = OnceLock::new();
    FILES.get_or_init(|| project(&reduction()))
}

/// The project of [`pipeline`], placed and routed once for all tests.
fn piped() -> &'static [OutputFile] {
    static FILES: OnceLock<Vec<OutputFile>> = OnceLock::new();
    FILES.get_or_init(|| project(&pipeline()))
}

/// The constraints and the report of a design, as data.
fn locations_and_report(builder: &Builder) -> [serde_json::Value; 2] {
    let checked = checked(builder);
    let options = EmitOptions { sources: sources(&checked), ..EmitOptions::default() };
    let decided = decided(&checked);
    let whole = decided.whole(&checked);
    let report = report(&whole, &aiec_router_model::estimate(&whole), &options);
    let report = serde_json::to_value(report).expect("plain data");
    [constraints(&checked, whole.placed, whole.device, &options, Naming::Emitted), report]
}

#[test]
fn a_project_has_everything_a_reviewer_expects() {
    let files = reduced();
    for path in [
        ".gitignore",
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
        "aie/placement.h",
        "data/README.md",
        "aiec-report.json",
        "sw/host.cpp",
        "system.cfg",
    ] {
        assert!(!text(files, path).is_empty(), "{path}");
    }
}

#[test]
fn a_design_without_collectives_has_its_numbers_and_no_other_header_or_wrapper() {
    let files = piped();
    let headers: Vec<_> = paths(files).into_iter().filter(|path| path.starts_with("aie/include")).collect();
    assert_eq!(headers, ["aie/include/aiec/design.h"]);
    assert!(text(files, "aie/graph.h").contains("scale = adf::kernel::create(::scale);"));
    assert!(
        text(files, "aie/kernels.h").contains("void scale(input_window<int32> *x, output_window<int32> *y);")
    );
}

#[test]
fn user_sources_are_copied_as_they_are() {
    let files = piped();
    assert_eq!(text(files, "aie/kernels/clip.cc"), "// The user's kernels/clip.cc,\tas it is. \n");
}

#[test]
fn our_own_text_is_tidy() {
    for files in [reduced(), piped()] {
        let ours = files.iter().filter(|file| !file.text.starts_with("// The user's"));
        for OutputFile { path, text, .. } in ours {
            assert!(text.ends_with('\n') && !text.ends_with("\n\n"), "{path}");
            assert!(!text.contains("\n\n\n"), "{path}");
            assert!(text.lines().all(|line| line.trim_end() == line), "{path}");
            assert!(
                !text.contains("{{") || [".cc", ".cpp", ".h"].iter().any(|cpp| path.ends_with(cpp)),
                "{path}"
            );
            assert!(path == "Makefile" || !text.contains('\t'), "{path}");
        }
    }
}

#[test]
fn files_are_sorted_and_paths_stay_within_the_project() {
    let files = reduced();
    assert!(files.windows(2).all(|pair| pair[0].path < pair[1].path));
    assert!(paths(files).iter().all(|path| !path.starts_with('/') && !path.contains("..")));
}

#[test]
fn without_places_a_project_has_what_the_host_runs_and_the_same_kernels() {
    let checked = checked(&reduction());
    let options = EmitOptions { sources: sources(&checked), ..EmitOptions::default() };
    let files = value(emit_unplaced(&checked, &vc1902(), &options));
    assert!(!text(&files, "aie/graph.h").contains("adf::location"), "nothing lies anywhere");
    let placed = value(outcome(&checked, &options));
    assert!(
        !paths(&files).contains(&"aie/placement.h") && !paths(&files).contains(&"aie/include/aiec/place.h")
    );
    let others: Vec<&OutputFile> = files.iter().filter(|file| file.path != "aie/graph.h").collect();
    assert!(others.len() > 10 && others.iter().all(|file| placed.contains(file)), "{:?}", paths(&files));
}

#[test]
fn equal_designs_give_equal_bytes() {
    assert_eq!(project(&reduction()), reduced());
}

#[test]
fn every_kernel_is_placed_and_its_shared_outputs_are_not() {
    let [constraints, report] = locations_and_report(&reduction());
    for i in 0..7 {
        let tile = &constraints["NodeConstraints"][format!("g.worker[{i}]")]["tile"];
        assert!(tile["column"].is_u64() && tile["row"].is_u64(), "worker[{i}]");
        let buffers = &constraints["PortConstraints"][format!("g.worker[{i}].in[0]")]["buffers"];
        assert_eq!(buffers.as_array().map(Vec::len), Some(2), "ping and pong of worker[{i}].x");
    }
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

// UG1076 2022.1 and UG1079 2025.1: `{"column":24,"row":0,"bankId":0,"offset":0}`, the offset within
// that bank.
#[test]
fn reserved_memory_names_a_bank_and_an_offset_within_it() {
    let (checked, device) = (checked(&pipeline()), vc1902());
    let mut placement = value(aiec_placer::place(&checked, &device, &PlaceOptions::default()));
    // Bank 2 begins at byte 16384 of a module of four banks, 8 KiB each.
    for (at, kernel) in checked.kernels.ids().enumerate() {
        placement.stacks[kernel] =
            Spot { tile: placement.kernels[kernel], offset: 16384 + 32 * (at as u32 + 1) };
    }
    let placed = value(aiec_placer::verify(&checked, &device, placement));
    let constraints = constraints(&checked, &placed, &device, &EmitOptions::default(), Naming::Emitted);
    for (at, name) in ["g.scale", "g.clip"].into_iter().enumerate() {
        let node = &constraints["NodeConstraints"][name];
        let (column, row) = (&node["tile"]["column"], &node["tile"]["row"]);
        let expected =
            serde_json::json!({ "column": column, "row": row, "bankId": 2, "offset": 32 * (at + 1) });
        assert_eq!(node["reserved_memory"], expected);
    }
}

// UG1079 2023.1: "Do not use GMIO channel constraints for AI Engine compilation".
#[test]
fn global_memory_is_constrained_to_a_column_and_plio_to_a_channel() {
    let [constraints, _] = locations_and_report(&reduction());
    let shim = |name: &str| &constraints["NodeConstraints"][name]["shim"];
    assert!(shim("sum")["column"].is_u64() && shim("sum")["channel"].is_null(), "{}", shim("sum"));
    assert!(shim("lanes_0")["column"].is_u64() && shim("lanes_0")["channel"].is_u64());
}

#[test]
fn the_reader_of_constraints_gives_back_the_placement_that_was_written() {
    let (checked, device) = (checked(&reduction()), vc1902());
    let placed = decided(&checked).placed;
    let text = constraints(&checked, &placed, &device, &EmitOptions::default(), Naming::Emitted).to_string();
    let file = SourceFile { id: SourceId(0), name: "a.aiecst".to_owned(), text };
    let read = value(aiec_vendor::aiecst::read(&file));
    assert_eq!(read.unknown, []);
    let bank = device.memory.bank_bytes();
    let spot = |address: &Address| Some(Spot { tile: address.module?, offset: address.in_module(bank)? });
    for kernel in checked.kernels.ids() {
        let name = format!("g.{}", checked.kernels[kernel].name);
        let node = read.nodes.iter().find(|node| node.name.value == name);
        let node = node.unwrap_or_else(|| panic!("{name} has no entry"));
        assert_eq!(node.tile.as_ref().map(|tile| tile.value), Some(placed.kernels[kernel]), "{name}");
        let stack = node.reserved_memory.as_ref().and_then(|stack| spot(&stack.value));
        assert_eq!(stack, Some(placed.stacks[kernel]), "{name}");
    }
    let buffers: Vec<Spot> =
        read.ports.iter().flat_map(|port| &port.buffers).filter_map(|at| spot(&at.value)).collect();
    let own = |buffers: &PortBuffers| match buffers {
        PortBuffers::Own(spots) => spots.clone(),
        PortBuffers::None | PortBuffers::Shared => Vec::new(),
    };
    let all: BTreeSet<Spot> = placed.buffers.iter().flat_map(own).collect();
    let used: BTreeSet<Spot> = buffers.into_iter().collect();
    assert_eq!(used, all);
}

#[test]
fn a_fifo_with_a_place_has_it_in_the_vendors_words() {
    use aiec_ir::fifos::FifoKind;
    let mut builder = Builder::new("fifo", "xcvc1902");
    builder.plio_input("i", 64).plio_output("o", 64);
    let (window, words) = (Carries::window_of(int32(64)), stream(Some(64)));
    builder.carrying("a", &[], &[(Direction::In, "x", window), (Direction::Out, "y", words)]);
    builder.carrying("b", &[], &[(Direction::In, "x", words), (Direction::Out, "y", window)]);
    builder.connect("i", "a.x").connect("a.y", "b.x").fifo(64).connect("b.y", "o");
    builder.fifo_of("a.y", 24, Some(1), FifoKind::Dma { offset: 0x1000, words: 64 });
    builder.fifo_of("a.y", 25, None, FifoKind::Switch { number: 1 });
    let files = project(&builder);
    let graph = text(&files, "aie/graph.h");
    let line = "adf::location<adf::fifo>(net) = {adf::dma_fifo(adf::aie_tile, 24, 1, 0x1000, 64), \
                adf::ss_fifo(adf::shim_tile, 25, 0, 1)};";
    assert!(graph.contains(line), "{graph}");
    let (checked, device) = (checked(&builder), vc1902());
    let placed = decided(&checked).placed;
    let header = locations_header(&checked, &placed, &device, &EmitOptions::default(), Naming::Emitted);
    assert!(
        header.contains(&format!("// With the connection from `a.y` to `b.x` in place of `net`: {line}")),
        "{header}"
    );
    let text = constraints(&checked, &placed, &device, &EmitOptions::default(), Naming::Emitted).to_string();
    let file = SourceFile { id: SourceId(0), name: "a.aiecst".to_owned(), text };
    let read = value(aiec_vendor::aiecst::read(&file));
    let found: Vec<_> = read.fifos.iter().map(|f| (f.dma, f.tile.column, f.words, f.channel)).collect();
    assert_eq!((found, read.unknown), (vec![(true, 24, Some(64), None), (false, 25, None, Some(1))], vec![]));
    assert_eq!(read.fifos[1].tile.row, 1, "the interface row in the guide's example");
    let users: Vec<usize> = read.ports.iter().map(|port| port.fifo_locations.len()).collect();
    assert_eq!(users.iter().sum::<usize>(), 2);
}

/// The files of [`reduction`] with a command, one letter of the first source being `letter`.
fn stamped(letter: char) -> Vec<OutputFile> {
    let checked = checked(&reduction());
    let mut sources = sources(&checked);
    sources[0].text.push(letter);
    let command = "aiec build reduce7.dsl -D N=7".to_owned();
    let origin = Origin { command, whole_command: "aiec build reduce7.dsl -D N=7 --seed 3".into() };
    value(outcome(&checked, &EmitOptions { sources, origin, ..EmitOptions::default() }))
}

#[test]
fn every_file_of_ours_says_version_design_command_and_hash() {
    let start = format!(
        "Generated by aiec {} from the design reduce7: aiec build reduce7.dsl -D N=7; input ",
        env!("CARGO_PKG_VERSION")
    );
    let files = stamped('a');
    for OutputFile { path, text, .. } in files.iter().filter(|file| file.copy_of.is_none()) {
        let stamps: Vec<&str> = text.lines().filter(|line| line.contains(&start)).collect();
        let [stamp] = stamps.as_slice() else { panic!("{path} has {} stamps", stamps.len()) };
        let (_, after) = stamp.split_once("; input ").expect("just found");
        let (hash, end) = after.split_at(DIGITS);
        // In JSON the stamp is a string.
        assert_eq!(end.trim_end_matches("\","), "; do not edit.", "{path}");
        let blank = text.replace(&format!("input {hash}"), &format!("input {}", ".".repeat(DIGITS)));
        let found: String =
            Sha256::digest(blank.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect();
        assert!(found.starts_with(hash), "{path}: anybody can check the hash");
    }
    let readme = text(&files, "README.md");
    assert!(readme.contains("run this again:\n\n    aiec build reduce7.dsl -D N=7 --seed 3\n"), "{readme}");
}

#[test]
fn what_does_not_reach_a_file_does_not_change_it() {
    let (before, after) = (stamped('a'), stamped('b'));
    let changed = before.iter().zip(&after).filter(|(before, after)| before != after);
    let changed: Vec<&str> = changed.map(|(file, _)| file.path.as_str()).collect();
    assert_eq!(changed, ["aie/kernels/worker.cc"]);
}

#[test]
fn copies_are_marked_as_the_users_and_not_touched() {
    let files = piped();
    let copies = files.iter().filter_map(|file| Some((file.path.as_str(), file.copy_of.as_deref()?)));
    assert_eq!(
        copies.collect::<Vec<_>>(),
        [("aie/kernels/clip.cc", "kernels/clip.cc"), ("aie/kernels/scale.cc", "kernels/scale.cc")]
    );
    let readme = text(files, "README.md");
    assert!(readme.contains("| `aie/kernels/clip.cc` | `kernels/clip.cc` |"), "{readme}");
}

#[test]
fn single_buffers_are_said_at_both_ends() {
    let files = piped();
    let graph = text(files, "aie/graph.h");
    assert!(graph.contains("adf::single_buffer(scale.out[0]);"));
    assert!(graph.contains("adf::single_buffer(clip.in[0]);"));
}

// UG1079, buffer ports: a size at each kernel's port instead of one in the connection; the
// parameter's type makes it async.
#[test]
fn buffer_ports_have_sizes_of_their_own_and_leave_no_window() {
    let mut builder = reduction();
    builder.buffer_ports();
    let files = project(&builder);
    let graph = text(&files, "aie/graph.h");
    assert!(graph.contains("adf::connect<>(lanes[i].out[0], worker[i].in[0]);"), "{graph}");
    assert!(graph.contains("adf::dimensions(worker[i].in[0]) = {16};"), "{graph}");
    assert!(!graph.contains("adf::async") && !graph.contains("adf::window<"), "{graph}");
    let root = text(&files, "aie/kernels/worker_root.cc");
    assert!(root.contains("adf::input_buffer<int32> &__restrict x"), "{root}");
    assert!(root.contains("adf::input_async_buffer<int32> &__restrict total_in0"), "{root}");
    assert!(root.contains("{&total_in0, &total_in1}, {&total_result}"), "{root}");
    for (path, variant) in aiec_codegen::headers::BUFFER_VARIANTS.iter() {
        assert!(text(&files, &format!("aie/include/{path}")).ends_with(variant));
    }
}

#[test]
fn regular_connections_become_loops() {
    let files = reduced();
    let graph = text(files, "aie/graph.h");
    assert!(graph.contains("worker[i] = adf::kernel::create_object<worker_leaf>(i);"));
    assert!(graph.contains("adf::connect<adf::window<64>>(lanes[i].out[0], worker[i].in[0]);"), "{graph}");
    assert!(graph.contains("aiec::connect_tree<256>(aiec::with_ports(worker, 1, 1), 7, 2);"), "{graph}");
    assert!(graph.contains("lanes[i] = adf::input_plio::create(\"lanes_\" + std::to_string(i),"));
}

#[test]
fn further_readers_of_branches_are_connected_to_the_same_split() {
    let mut builder = Builder::new("shared", "xcvc1902");
    builder.kernels("w", &[5], &[input("x", int32(16)), output("y", int32(16))]);
    builder.plio_input("i", 32).plio_output("o", 32);
    builder.split("i", &["w[0].x", "w[1].x"]).split_from(1, "i", &["w[2].x", "w[3].x", "w[4].x"]);
    builder.merge(&["w[0].y", "w[1].y", "w[2].y", "w[3].y", "w[4].y"], "o");
    let files = project(&builder);
    let graph = text(&files, "aie/graph.h");
    for line in [
        "adf::pktsplit<4> i_split;",
        "i_split.out[0], w[0].in[0]",
        "i_split.out[1], w[1].in[0]",
        "i_split.out[i], w[i + 1].in[0]",
    ] {
        assert!(graph.contains(line), "{line} is not in\n{graph}");
    }
    assert_eq!(graph.matches("i_split.in[0]").count(), 1, "{graph}");
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
        "done_ranks[0] = {&worker[3], 0, 0};",
        "aiec::connect_merge<16>(done_merge, done_ranks, 16);",
        "aiec::connect_multicast<16>(done_ranks, 16);",
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
}

#[test]
fn the_readme_of_2022_1_says_what_amd_recommends_for_global_memory() {
    let said = |builder: &mut Builder, release: &str| {
        let files = project(builder.release(Release::named(release).expect("a release")));
        let text = text(&files, "README.md");
        text.contains("UG1076 2022.1 recommends the ADF API") && text.contains("each in its own thread")
    };
    let mut gmio = Builder::new("d", "xcvc1902");
    gmio.kernels("k", &[], &[output("y", int32(16))]).gmio_output("out").connect("k.y", "out");
    assert!(said(&mut gmio, "2022.1"));
    assert!(!said(&mut gmio, "2022.2"), "its transfers do not block");
    let mut plio = Builder::new("d", "xcvc1902");
    plio.kernels("k", &[], &[output("y", int32(16))]).plio_output("out", 64).connect("k.y", "out");
    assert!(!said(&mut plio, "2022.1"), "nothing goes to global memory");
}

#[test]
fn missing_data_is_named_in_the_readme() {
    let files = piped();
    assert!(text(files, "README.md").contains("`data/samples.txt` did not exist"));
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
    let files = reduced();
    let (title, rest) = text(files, "data/README.md").split_once("\n\nGenerated by aiec ").expect("a stamp");
    assert_eq!(title, "# Data of reduce7");
    let (_, rest) = rest.split_once("do not edit.\n\n").expect("a stamp");
    let expected = "Values are separated by blanks.\n\nInputs:\n\n\
        - `data/lanes_0.txt` to `data/lanes_6.txt`: 16 values of type int32 each, 2 a line\n\nOutputs:\n\n\
        - `data/doubled_0.txt` to `data/doubled_6.txt`: 16 values of type int32 each, 2 a line\n\
        - `data/sum.out.txt`: 64 values of type int32, 1 a line\n\n\
        The simulators write outputs through PLIO below `x86simulator_output/` and `aiesimulator_output/` instead.\n\n\
        `golden/` holds the expected outputs, which the host program compares with. `aiec build --golden` runs\nthe design and writes it.\n";
    assert_eq!(rest, expected);
}

#[test]
fn a_design_without_input_has_a_folder_for_its_output() {
    let mut builder = Builder::new("reduce7", "xcvc1902");
    builder.kernels("worker", &[7], &[]).gmio_output("sum").connect("total.result", "sum");
    builder.reduce(Reduce::over("total", &["worker"], int32(64)));
    let files = project(&builder);
    assert!(text(&files, "data/README.md").contains("No inputs."));
    assert!(text(&files, "Makefile").contains("--package.sd_dir data \\\n"));
}

#[test]
fn everything_that_the_host_reads_or_writes_is_packaged() {
    let files = project(&round_trips());
    let makefile = text(&files, "Makefile");
    assert!(makefile.contains("\tmkdir -p data lanes results\n\tv++ -p"), "{makefile}");
    assert!(
        makefile.contains(" --package.sd_dir data --package.sd_dir lanes --package.sd_dir results \\\n"),
        "{makefile}"
    );
    assert!(makefile.contains(" --package.sd_file host.exe --package.sd_file in_cint16.txt "), "{makefile}");
}

#[test]
fn the_clock_of_a_plio_and_the_bursts_of_a_gmio_are_emitted_as_stated() {
    let at = |value| Spanned { value, span: Span::new(SourceId(0), 0, 0) };
    let mut builder = Builder::new("ends", "xcvc1902");
    builder.kernels("k", &[2], &[input("x", int32(64)), output("y", int32(64))]);
    let plio = |file: &str, frequency| Endpoint::Plio { bits: at(64), file: file.into(), frequency };
    let gmio = |burst, bandwidth| Endpoint::Gmio { file: None, burst, bandwidth };
    builder.externals("a", &[], Direction::Out, plio("a.txt", Some(at(312_500))));
    builder.externals("b", &[], Direction::In, plio("b.txt", None));
    builder.externals("ddr", &[], Direction::Out, gmio(Some(at(128)), Some(at(500))));
    builder.externals("d", &[], Direction::In, gmio(Some(at(256)), None));
    builder.connect("a", "k[0].x").connect("k[0].y", "b").connect("ddr", "k[1].x").connect("k[1].y", "d");
    let files = project(&builder);
    let graph = text(&files, "aie/graph.h");
    for line in [
        "a = adf::input_plio::create(\"a\", adf::plio_64_bits, \"a.txt\", 312.5);",
        "b = adf::output_plio::create(\"b\", adf::plio_64_bits, \"b.txt\");",
        "ddr = adf::input_gmio::create(\"ddr\", 128, 500);",
        "d = adf::output_gmio::create(\"d\", 256, 1000);",
    ] {
        assert!(graph.contains(line), "{line} in {graph}");
    }
}

#[test]
fn sources_in_folders_of_their_own_are_built_again_when_they_change() {
    let files = piped();
    assert!(text(files, "Makefile").contains("newer = $(if $(shell find aie -newer $1 "));
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

/// Runs make in `folder`.
fn make(folder: &Path, arguments: &[&str]) -> (bool, String) {
    let ran = Command::new("make").arg("-C").arg(folder).args(arguments).output().expect("make is there");
    (ran.status.success(), String::from_utf8_lossy(&ran.stderr).into_owned())
}

#[test]
fn a_platform_that_no_document_names_is_a_variable_that_make_asks_for() {
    let mut open = *Release::named("2022.1").expect("there");
    open.vck190.platform = Cell::unknown("UG1393, looked through for #1 and 5$");
    let mut builder = pipeline();
    builder.release(Box::leak(Box::new(open)));
    let folder = tempfile::tempdir().expect("a temporary directory");
    let files = project(&builder);
    for file in &files {
        let path = folder.path().join(&file.path);
        fs::create_dir_all(path.parent().expect("in a folder")).expect("writable");
        fs::write(path, &file.text).expect("writable");
    }
    for target in ["x86sim", "aiesim", "hw", "hw_emu", "package", "run"] {
        let (done, said) = make(folder.path(), &["-n", target]);
        assert!(!done, "{target}");
        let why = "PLATFORM is not set: no document names the platform of Vitis 2022.1 for the vck190 (UG1393, looked through for #1 and 5$)";
        assert!(said.contains(why), "{target}: {said}");
        let (done, said) = make(folder.path(), &["-n", target, "PLATFORM=/mine.xpfm"]);
        assert!(done, "{target}: {said}");
    }
    for target in ["host", "sim", "clean"] {
        let (done, said) = make(folder.path(), &["-n", target]);
        assert!(done, "{target} needs no platform: {said}");
    }
    let readme = &files.iter().find(|file| file.path == "README.md").expect("written").text;
    assert!(readme.contains("`make` needs `PLATFORM`"), "{readme}");
}
