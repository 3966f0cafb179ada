//! Statements of the constructors of emitted graphs: they are compiled as C++14 against a recorder
//! in place of ADF and run, and the record is compared with the connections and places of the
//! design.

#![allow(clippy::panic, reason = "a test fails by panicking")]
#![allow(clippy::disallowed_methods, reason = "these tests compile and run C++ programs")]

mod common;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use aiec_check::Checked;
use aiec_codegen::headers::{BUFFER_VARIANTS, HEADERS};
use aiec_codegen::{EmitOptions, Locations, Naming, OutputFile, UserSource, emit_unplaced, locations_header};
use aiec_collectives::{Operation, Shape};
use aiec_ir::expanded::Owner;
use aiec_ir::{Buffering, Carries, Direction, PortId, WHOLE_CORE};
use aiec_placer::{Placed, PortBuffers};
use aiec_test_support::{Builder, Reduce, input, int32, output, stream};

use common::{checked, decided, value, vc1902};

fn options(checked: &Checked, locations: Locations) -> EmitOptions {
    let source = |path: &str| UserSource::inside(path, "");
    let sources = checked.families.iter().map(|family| source(&family.body(0).source.value)).collect();
    EmitOptions { sources, locations, ..EmitOptions::default() }
}

fn text<'a>(files: &'a [OutputFile], path: &str) -> Option<&'a str> {
    files.iter().find(|file| file.path == path).map(|file| file.text.as_str())
}

fn graph_of(checked: &Checked) -> String {
    let files = value(emit_unplaced(checked, &vc1902(), &options(checked, Locations::All)));
    text(&files, "aie/graph.h").expect("every project has a graph").to_owned()
}

fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().expect("a file in a folder")).expect("writable");
    fs::write(path, text).expect("writable");
}

/// A folder with the recorder and the library.
fn folder(name: &str, buffers: bool) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("graphs").join(name);
    for (path, text) in HEADERS.iter() {
        let variant = BUFFER_VARIANTS.iter().find(|(name, _)| buffers && name == path);
        write(&folder.join(path), variant.map_or(*text, |(_, text)| text));
    }
    write(&folder.join("adf.h"), include_str!("graphs/adf.h"));
    folder
}

/// Compiles `source` in `folder` as C++14, runs it, and returns what it prints.
fn run(folder: &Path, source: &str) -> String {
    write(&folder.join("program.cpp"), source);
    let arguments =
        ["-std=c++14", "-pedantic", "-Wall", "-Wextra", "-Werror", "-I.", "program.cpp", "-o", "program"];
    let compiler =
        Command::new("g++").args(arguments).current_dir(folder).output().expect("g++ is installed");
    assert!(compiler.status.success(), "{}", String::from_utf8_lossy(&compiler.stderr));
    let program = Command::new(folder.join("program")).output().expect("the compiled program runs");
    let said = String::from_utf8_lossy(&program.stdout).into_owned();
    assert!(program.status.success(), "{said}");
    said
}

/// The texts between `before` and `end`, for each occurrence.
fn words<'a>(text: &'a str, before: &str, end: char) -> BTreeSet<&'a str> {
    text.split(before).skip(1).filter_map(|rest| rest.split(end).next()).collect()
}

/// Declarations of the kernels that a graph creates.
fn kernels_h(graph: &str) -> String {
    let classes = words(graph, "create_object<", '>').into_iter().map(|class| format!("class {class};\n"));
    let functions =
        words(graph, "create(::", ')').into_iter().map(|name| format!("inline void {name}() {{}}\n"));
    let declared: String = classes.chain(functions).collect();
    format!("#pragma once\n{declared}")
}

/// The records of the constructors of these graphs, in any order: one set of lines for each. Every
/// graph comes with or without `placement.h`.
fn said(folder: &Path, graphs: &[(&Checked, &str, Option<&str>)]) -> Vec<BTreeSet<String>> {
    let (mut includes, mut bodies) = (String::new(), String::new());
    for (at, (checked, graph, placement)) in graphs.iter().enumerate() {
        let of = |file: &str| folder.join(format!("case_{at}/{file}"));
        write(&of("graph.h"), graph);
        write(&of("kernels.h"), &kernels_h(graph));
        if let Some(placement) = placement {
            write(&of("placement.h"), placement);
        }
        includes += &format!("#include \"case_{at}/graph.h\"\n");
        let name = |kernel: &str| format!("    name(graph.{kernel}, \"{kernel}\");\n");
        let names: String = checked.kernels.iter().map(|kernel| name(&kernel.name)).collect();
        let class = &checked.name.value;
        bodies += &format!("static void run_{at}() {{\n    static {class} graph;\n{names}    end();\n}}\n");
    }
    let helpers = "static void name(adf::kernel &k, const char *name) {\n    \
                   adf::recorder::names()[unsigned(k.in.owner.kernel)] = name;\n}\n\
                   static void end() {\n    adf::recorder::print();\n    std::puts(\"end\");\n}\n";
    let calls: String = (0..graphs.len()).map(|at| format!("    run_{at}();\n")).collect();
    let printed =
        run(folder, &format!("{includes}\n{helpers}{bodies}int main() {{\n{calls}    return 0;\n}}\n"));
    let sets = printed.split("end\n").map(|part| part.lines().map(str::to_owned).collect());
    sets.take(graphs.len()).collect()
}

/// A port as the recorder names it.
fn port(checked: &Checked, id: PortId) -> String {
    let port = &checked.ports[id];
    let owner = match port.owner {
        Owner::Kernel(kernel) => &checked.kernels[kernel].name,
        Owner::External(external) => &checked.externals[external].identifier,
    };
    format!("{owner}.{}[{}]", port.direction, port.slot)
}

/// The expected record of a graph without places: every connection, and the properties of the
/// ports.
fn expected(checked: &Checked) -> BTreeSet<String> {
    let windows = checked.port_kind.is_window();
    let mut lines = BTreeSet::new();
    let end = |id: PortId| {
        let asynchronous = windows && checked.ports[id].asynchronous && checked.kernel_of(id).is_some();
        format!("{}{}", port(checked, id), if asynchronous { "!" } else { "" })
    };
    for (id, connection) in checked.connections.enumerate() {
        let window = checked.ports[connection.from].window().or(checked.ports[connection.to].window());
        let bytes = window.expect("one end is a kernel's").bytes().to_string();
        let kind = if windows { bytes } else { "buffer".to_owned() };
        let (from, to) = (end(connection.from), end(connection.to));
        if checked.joins_packets(connection.to) {
            let senders = &checked.ports[connection.to].connections;
            let at = senders.iter().position(|&sender| sender == id).expect("it is one of them");
            let packets = if windows { "packets" } else { "buffer" };
            lines.insert(format!("{kind} {from} -> {packets} merge.in[{at}]"));
            lines.insert(format!("packets merge.out[0] -> packets {}", port(checked, connection.to)));
        } else {
            lines.insert(format!("{kind} {from} -> {kind} {to}"));
        }
        let kernels =
            [connection.from, connection.to].into_iter().filter(|&id| checked.kernel_of(id).is_some());
        for id in kernels.filter(|&id| !checked.joins_packets(id)) {
            if checked.buffering_of(id) == Buffering::Single {
                lines.insert(format!("single {}", port(checked, id)));
            }
            if !windows {
                let elements = checked.ports[id].window().expect("a kernel's port has one").elements;
                lines.insert(format!("elements {elements} {}", port(checked, id)));
            }
        }
    }
    for cascade in &checked.cascades {
        let (from, to) = (&checked.kernels[cascade.from], &checked.kernels[cascade.to]);
        let ports = (
            format!("{}.out[{}]", from.name, from.outputs.len()),
            format!("{}.in[{}]", to.name, to.inputs.len()),
        );
        lines.insert(format!("cascade {} -> cascade {}", ports.0, ports.1));
    }
    lines
}

/// Shapes of an operation with whether they take any number of ranks.
fn shapes(operation: Operation) -> Vec<Shape> {
    let trees = [
        Shape::Tree(1),
        Shape::Tree(2),
        Shape::Tree(3),
        Shape::Binomial,
        Shape::Chain,
        Shape::Flat,
        Shape::Hub(2),
    ];
    let others: &[Shape] = match operation {
        Operation::Reduce => &[Shape::Merge, Shape::Cascade],
        Operation::Gather => &[Shape::Merge],
        Operation::Allreduce => &[Shape::Merge, Shape::Ring, Shape::Butterfly],
        Operation::Barrier => &[Shape::Merge, Shape::Dissemination],
        Operation::Broadcast | Operation::Scatter => &[],
        Operation::Clock => {
            let trees = trees.into_iter().filter(|&shape| shape != Shape::Flat);
            return trees.chain([Shape::Butterfly]).collect();
        }
        Operation::Allgather => return vec![Shape::Merge, Shape::Ring, Shape::Butterfly],
        Operation::ReduceScatter => return vec![Shape::Ring, Shape::Butterfly],
        Operation::Alltoall => return vec![Shape::Flat, Shape::Ring, Shape::Butterfly],
        Operation::Scan => return vec![Shape::Chain, Shape::Butterfly],
        Operation::Sendrecv | Operation::Channel | Operation::Mailbox | Operation::Active => {
            return Vec::new();
        }
    };
    trees.iter().chain(others).copied().collect()
}

/// One collective over kernels of one family, `size` of them.
fn over_one_family(name: &str, operation: Operation, shape: Shape, size: u32, root: u32) -> Builder {
    let mut builder = Builder::new(name, "xcvc1902");
    builder.kernels("worker", &[size], &[]);
    builder.reduce(
        Reduce::over("all", &["worker"], int32(4))
            .operation(operation, shape)
            .root(&format!("worker[{root}]")),
    );
    builder
}

/// The shapes over kernels of three families, of which one is a matrix with its own ports; the root
/// is in the middle.
fn over_three_families(name: &str, operation: Operation, shape: Shape) -> Builder {
    let mut builder = Builder::new(name, "xcvc1902");
    builder.kernels("head", &[], &[]).kernels("tail", &[2], &[output("y", int32(4))]);
    builder.kernels("pe", &[2, 2], &[input("x", int32(4)), output("y", int32(8))]);
    builder.plio("lanes", &[4], Direction::Out, 64);
    builder.plio("results", &[4], Direction::In, 64).plio("ends", &[2], Direction::In, 64);
    for i in 0..4 {
        let pe = format!("pe[{}][{}]", i / 2, i % 2);
        builder.connect(&format!("lanes[{i}]"), &format!("{pe}.x"));
        builder.connect(&format!("{pe}.y"), &format!("results[{i}]"));
    }
    (0..2).for_each(|i| _ = builder.connect(&format!("tail[{i}].y"), &format!("ends[{i}]")));
    let root = if shape == Shape::Cascade { "tail[1]" } else { "pe[1][0]" };
    builder.reduce(
        Reduce::over("all", &["head", "pe", "tail"], int32(4))
            .operation(operation, shape)
            .root(root)
            .single(),
    );
    builder
}

/// Designs with every shape of every operation.
fn designs() -> Vec<Builder> {
    let mut designs: Vec<Builder> = Vec::new();
    for operation in Operation::ALL {
        for shape in shapes(operation) {
            let halving = (operation, shape) == (Operation::ReduceScatter, Shape::Butterfly);
            for size in if halving { vec![2, 8] } else { vec![2, 6, 7] } {
                let root = if shape == Shape::Cascade { size - 1 } else { size / 2 };
                let name = format!("design_{}", designs.len());
                designs.push(over_one_family(
                    &name,
                    operation,
                    shape,
                    size,
                    if operation.has_root() { root } else { 0 },
                ));
            }
            if !halving {
                let name = format!("design_{}", designs.len());
                designs.push(over_three_families(&name, operation, shape));
            }
        }
    }
    for (shape, size, root) in [
        (Shape::Tree(2), 400, 0),
        (Shape::Tree(2), 400, 200),
        (Shape::Tree(13), 13, 6),
        (Shape::Tree(13), 400, 399),
        (Shape::Tree(1), 13, 12),
        (Shape::Binomial, 64, 5),
        (Shape::Hub(3), 13, 4),
    ] {
        let name = format!("design_{}", designs.len());
        designs.push(over_one_family(&name, Operation::Reduce, shape, size, root));
    }
    designs
}

/// Runs the graphs of `designs` and compares their records with the connections of the design.
fn compare(name: &str, designs: &[Builder]) {
    let checked: Vec<Checked> = designs.iter().map(checked).collect();
    let graphs: Vec<String> = checked.iter().map(graph_of).collect();
    let cases: Vec<(&Checked, &str, Option<&str>)> =
        checked.iter().zip(&graphs).map(|(checked, graph)| (checked, graph.as_str(), None)).collect();
    let buffers = checked.iter().any(|checked| !checked.port_kind.is_window());
    for ((checked, graph, _), said) in cases.iter().zip(said(&folder(name, buffers), &cases)) {
        assert_eq!(said, expected(checked), "{graph}");
    }
}

#[test]
#[ignore = "long: compiles a program for each shape"]
fn functions_of_shapes_make_the_links_of_the_schedule() {
    compare("windows", &designs());
}

#[test]
#[ignore = "long: compiles a program for each shape"]
fn buffers_have_the_same_links_and_sizes() {
    let mut designs = designs();
    designs.iter_mut().for_each(|design| _ = design.buffer_ports());
    compare("buffers", &designs);
}

#[test]
fn a_tree_may_have_any_arity_and_count() {
    run(&folder("trees", false), include_str!("graphs/trees.cpp"));
}

#[test]
fn every_collective_is_one_call_and_a_plain_array_needs_no_list() {
    for (size, arity) in [(2, 2), (13, 13), (63, 2), (400, 3)] {
        let graph =
            graph_of(&checked(&over_one_family("tree", Operation::Reduce, Shape::Tree(arity), size, 0)));
        assert!(graph.contains(&format!("aiec::connect_tree<16>(worker, {size}, {arity});")), "{graph}");
        assert_eq!(graph.matches("connect_").count() + graph.matches("adf::connect").count(), 1, "{graph}");
    }
    let graph = graph_of(&checked(&over_three_families("mixed", Operation::Allreduce, Shape::Tree(13))));
    let call = "aiec::connect_tree<16>(all_ranks, 7, 13, aiec::up_and_down, aiec::single_buffers);";
    assert_eq!(graph.matches(call).count(), 1, "{graph}");
}

/// With hundreds of kernels, too, the graph is one to be read.
/// `a` sends 128 elements, `b` takes 192 and sends a stream of 64, `peak` takes 16 of it.
fn multirate() -> Builder {
    let window = |elements| Carries::window_of(int32(elements));
    let mut builder = Builder::new("multirate", "xcvc1902");
    builder.gmio_input("s").gmio_output("o");
    builder.carrying("a", &[], &[(Direction::In, "x", window(128)), (Direction::Out, "y", window(128))]);
    let margin = Carries::Window { window: int32(192), margin: 8 };
    builder.carrying("b", &[], &[(Direction::In, "x", margin), (Direction::Out, "y", stream(Some(64)))]);
    builder.carrying(
        "peak",
        &[],
        &[(Direction::In, "x", stream(Some(16))), (Direction::Out, "y", window(4))],
    );
    builder.connect("s", "a.x").connect("a.y", "b.x").connect("b.y", "peak.x").connect("peak.y", "o");
    builder
}

#[test]
fn kernels_that_do_not_run_once_state_how_often() {
    let mut builder = multirate();
    let windows = graph_of(&checked(&builder));
    let graph = graph_of(&checked(builder.buffer_ports()));
    for text in [&windows, &graph] {
        for (kernel, runs) in [("a", 3), ("b", 2), ("peak", 8)] {
            assert!(text.contains(&format!("adf::repetition_count({kernel}) = {runs};")), "{text}");
        }
    }
    assert!(windows.contains("adf::connect<adf::window<512>, adf::window<768, 32>>(a.out[0], b.in[0]);"));
    assert!(graph.contains("adf::dimensions(a.out[0]) = {128};"), "{graph}");
    assert!(graph.contains("adf::dimensions(b.in[0]) = {192};"), "{graph}");
}

#[test]
fn graphs_are_short_whatever_the_number_of_kernels() {
    for (shape, size, root) in [
        (Shape::Tree(2), 400, 0),
        (Shape::Tree(2), 400, 200),
        (Shape::Chain, 400, 77),
        (Shape::Hub(12), 150, 0),
    ] {
        let graph = graph_of(&checked(&over_one_family("many", Operation::Reduce, shape, size, root)));
        assert!(graph.lines().count() < 80, "{graph}");
        assert!(graph.lines().all(|line| line.len() <= 120), "{graph}");
    }
}

#[test]
fn matrices_stay_matrices() {
    let mut builder = Builder::new("grid", "xcvc1902");
    builder.kernels("mmul", &[3, 4], &[input("x", int32(4)), output("y", int32(4))]);
    builder.plio("left", &[3], Direction::Out, 64).plio("right", &[12], Direction::In, 64);
    for at in 0..12 {
        builder.connect(&format!("left[{}]", at / 4), &format!("mmul[{}][{}].x", at / 4, at % 4));
        builder.connect(&format!("mmul[{}][{}].y", at / 4, at % 4), &format!("right[{at}]"));
    }
    let graph = graph_of(&checked(&builder));
    for line in [
        "    adf::kernel mmul[3][4];",
        "        for (unsigned r = 0; r < 3; ++r) {",
        "            for (unsigned c = 0; c < 4; ++c) {",
        "                mmul[r][c] = adf::kernel::create(::mmul);",
        "                adf::stack_size(mmul[r][c]) = 1024;",
        "                adf::connect<adf::window<16>>(left[r].out[0], mmul[r][c].in[0]);",
        "                adf::connect<adf::window<16>>(mmul[r][c].out[0], right[4 * r + c].in[0]);",
    ] {
        assert!(graph.lines().any(|said| said == line), "{line} is missing in {graph}");
    }
    assert_eq!(
        graph.matches("for (").count(),
        2 + 2 + 2,
        "kernels, inputs and outputs, connections: {graph}"
    );
    compare("matrix", &[builder]);
}

/// Kernels of two arrays and a single one, with inputs and outputs of each kind.
fn mixed() -> Builder {
    let mut builder = Builder::new("mixed", "xcvc1902");
    let ports = [input("x", int32(16)), output("y", int32(16))];
    builder.kernels("first", &[3], &ports).kernels("grid", &[2, 2], &[]).kernels("last", &[], &ports);
    builder.plio("lanes", &[3], Direction::Out, 64).plio("results", &[3], Direction::In, 64);
    builder.gmio_input("samples").gmio_output("sum").plio_output("done", 64);
    for i in 0..3 {
        builder.connect(&format!("lanes[{i}]"), &format!("first[{i}].x"));
        builder.connect(&format!("first[{i}].y"), &format!("results[{i}]"));
    }
    builder.connect("samples", "last.x").connect("last.y", "done").connect("all.result", "sum");
    builder.reduce(Reduce::over("all", &["grid"], int32(16)).single());
    builder
}

/// The constraints of a placement, in the recorder's format.
fn places(checked: &Checked, placed: &Placed, locations: Locations) -> BTreeSet<String> {
    let mut lines = BTreeSet::new();
    for (id, kernel) in checked.kernels.enumerate() {
        let (tile, stack) = (placed.kernels[id], placed.stacks[id]);
        lines.insert(format!("kernel {} at tile({}, {})", kernel.name, tile.column, tile.row));
        lines.insert(format!(
            "stack {} at address({}, {}, {})",
            kernel.name, stack.tile.column, stack.tile.row, stack.offset
        ));
        for port_id in checked.ports_of(id) {
            let PortBuffers::Own(spots) = &placed.buffers[port_id] else { continue };
            let at = |spot: &aiec_placer::Spot| {
                format!("address({}, {}, {})", spot.tile.column, spot.tile.row, spot.offset)
            };
            let at: Vec<String> = spots.iter().map(at).collect();
            lines.insert(format!("buffer {} at {}", port(checked, port_id), at.join(", ")));
        }
    }
    for (id, external) in checked.externals.enumerate() {
        let (name, at) = (&external.identifier, placed.shims[id]);
        lines.insert(match external.endpoint {
            aiec_ir::design::Endpoint::Plio { .. } => {
                format!("PLIO {name} at shim({}, {})", at.column, at.channel)
            }
            aiec_ir::design::Endpoint::Gmio { .. } => format!("GMIO {name} at shim({})", at.column),
        });
    }
    lines.retain(|line| match locations {
        Locations::None => false,
        Locations::Kernels => line.starts_with("kernel "),
        Locations::All => true,
    });
    lines
}

/// All decisions about a design.
/// Kernels on one core use one buffer in turn (UG1079).
#[test]
fn ranks_on_one_core_share_a_single_buffer() {
    let mut builder = over_one_family("shared", Operation::Reduce, Shape::Tree(2), 7, 0);
    builder.runtime("worker", WHOLE_CORE / 2).place("worker[1]", 20, 2).place("worker[3]", 20, 2);
    let checked = checked(&builder);
    let decided = decided(&checked);
    let options = options(&checked, Locations::None);
    let files = value(decided.files(&checked, &options));
    let graph = text(&files, "aie/graph.h").expect("there is a graph");
    assert!(graph.contains("aiec::connect_tree<16>(worker, 7, 2);"), "{graph}");
    let said = said(&folder("shared", false), &[(&checked, graph, None)]);
    let single: Vec<&str> = said[0].iter().filter_map(|line| line.strip_prefix("single ")).collect();
    assert_eq!(single, ["worker[1].in[0]", "worker[3].out[0]"], "{graph}");
}

#[test]
fn locations_are_those_of_the_placement_as_far_as_they_are_wanted() {
    let checked = checked(&mixed());
    let decided = decided(&checked);
    for locations in [Locations::None, Locations::Kernels, Locations::All] {
        let options = options(&checked, locations);
        let files = value(decided.files(&checked, &options));
        let graph = text(&files, "aie/graph.h").expect("there is a graph");
        let placement = text(&files, "aie/placement.h");
        assert_eq!(placement.is_none(), locations == Locations::None);
        assert!(
            !graph.contains("adf::location") && !graph.contains("static"),
            "places have a header of their own"
        );
        assert_eq!(graph.contains("placement"), placement.is_some());
        let said = said(&folder(&format!("places_{locations:?}"), false), &[(&checked, graph, placement)]);
        let connections = expected(&checked);
        assert_eq!(
            said[0].difference(&connections).cloned().collect::<BTreeSet<_>>(),
            places(&checked, &decided.placed, locations)
        );
        assert!(said[0].is_superset(&connections));
        let readme = text(&files, "README.md").expect("there is one");
        assert_eq!(readme.contains("the mapper's choice"), locations != Locations::All, "{readme}");
        let host = |locations| {
            let files = value(decided.files(&checked, &EmitOptions { locations, ..options.clone() }));
            text(&files, "sw/host.cpp").map(str::to_owned)
        };
        assert_eq!(host(locations), host(Locations::All), "hosts know nothing of places");
    }
}

#[test]
fn a_graph_that_includes_all_locations_has_those_of_the_placement() {
    let checked = checked(&mixed());
    let decided = decided(&checked);
    let options = options(&checked, Locations::None);
    let files = value(decided.files(&checked, &options));
    let graph = text(&files, "aie/graph.h").expect("there is a graph");
    let header = locations_header(&checked, &decided.placed, &decided.device, &options, Naming::Emitted);
    let folder = folder("included", false);
    write(&folder.join("locations.h"), &header);
    // The user's own line.
    let end = graph.rfind("    }\n").expect("the end of the constructor");
    let graph = format!("{}#include \"locations.h\"\n{}", &graph[..end], &graph[end..]);
    let said = said(&folder, &[(&checked, &graph, None)]);
    let expected = &expected(&checked) | &places(&checked, &decided.placed, Locations::All);
    assert_eq!(said[0], expected, "{header}");
}

#[test]
fn constraints_on_memory_stand_in_the_vendors_words_unless_addresses_do() {
    let mut builder = Builder::new("memory", "xcvc1902");
    builder.plio("i", &[2], aiec_ir::Direction::Out, 64);
    builder.kernels("mix", &[], &[input("a", int32(64)), input("b", int32(64))]);
    builder.connect("i[0]", "mix.a").connect("i[1]", "mix.b");
    builder.place_buffers("mix.a", 24, 1, &[0, 1]).place_stack("mix", 24, 0, 3);
    builder.buffers_apart(&["mix.a", "mix.b"]);
    let checked = checked(&builder);
    let decided = decided(&checked);
    let placement = |locations| {
        let options = options(&checked, locations);
        let files = value(decided.files(&checked, &options));
        text(&files, "aie/placement.h").expect("there are places").to_owned()
    };
    let kernels = placement(Locations::Kernels);
    for line in [
        "adf::location<adf::buffer>(graph.mix.in[0]) = {adf::bank(24, 1, 0), adf::bank(24, 1, 1)};",
        "adf::location<adf::stack>(graph.mix) = adf::bank(24, 0, 3);",
        "adf::not_equal(adf::location<adf::buffer>(graph.mix.in[0]), adf::location<adf::buffer>(graph.mix.in[1]));",
    ] {
        assert!(kernels.contains(line), "{kernels}");
    }
    assert!(!placement(Locations::All).contains("adf::bank"), "addresses say more");
}

#[test]
fn the_runtime_ratio_is_explained_where_it_is_ours() {
    let graph = graph_of(&checked(&mixed()));
    assert_eq!(graph.matches("UG1079, \"Runtime Ratio\"").count(), 1, "{graph}");
    let mut builder = Builder::new("own", "xcvc1902");
    builder.kernels("one", &[], &[input("x", int32(4))]).plio_input("lane", 64).connect("lane", "one.x");
    builder.runtime("one", 400);
    assert!(!graph_of(&checked(&builder)).contains("Runtime Ratio"));
}
