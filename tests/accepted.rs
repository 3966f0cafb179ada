//! Forms of public graphs that the vendor's tools compile: aiec accepts them, and keeps the names
//! of their objects.
#![allow(clippy::disallowed_methods, reason = "tests prepare files")]

use std::fs;

use aiec_test_support::folder::Folder;
use aiec_tests::{Ran, aiec};

/// What `aiec check` says of a graph with these members and statements of its constructor, behind
/// these lines.
fn checked(above: &str, members: &str, statements: &str) -> Ran {
    let folder = Folder::with(&[("graph.cpp", &graph(above, members, statements))]);
    aiec(["check", &folder.name("graph.cpp")])
}

/// A graph `g` with an input `in` and an output `out`.
fn graph(above: &str, members: &str, statements: &str) -> String {
    format!(
        "#include <adf.h>
using namespace adf;
void carry(input_window<int32> *in, output_window<int32> *out);
void pass(input_stream<int32> *in, output_stream<int32> *out);
{above}
struct top : graph {{
    input_plio in = input_plio::create(\"in\", plio_32_bits, \"in.txt\");
    output_plio out = output_plio::create(\"out\", plio_32_bits, \"out.txt\");
    {members}
    top() {{ {statements} }}
}} g;
"
    )
}

/// A kernel between two windows.
const KERNEL: &str = "kernel k = kernel::create(carry);";

const WINDOWS: &str = "source(k) = \"k.cc\"; runtime<ratio>(k) = 0.6;
    connect<window<64>>(in.out[0], k.in[0]);
    connect<window<64>>(k.out[0], out.in[0]);";

// abuqiqi/CCC2023, fft_8k: both namespaces have a `tile`.
#[test]
#[ignore = "long: compiles a graph"]
fn a_tile_is_one_name_in_both_namespaces() {
    let above = "#include <aie_api/aie.hpp>\nusing namespace aie;";
    let placed = format!("{WINDOWS} location<kernel>(k) = tile(22, 2);");
    let ran = checked(above, KERNEL, &placed);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{}", ran.out);
}

// The main program is for another simulator, so the file is compiled twice.
#[test]
#[ignore = "long: simulates"]
fn a_graph_that_means_a_tile_of_both_namespaces_runs() {
    let graph = "#include <adf.h>
#include <aie_api/aie.hpp>
using namespace aie;
using namespace adf;
void carry(input_window<int32> *in, output_window<int32> *out);
struct top : graph {
    input_plio in = input_plio::create(\"in\", plio_32_bits, \"in.txt\");
    output_plio out = output_plio::create(\"out\", plio_32_bits, \"out.txt\");
    kernel k = kernel::create(carry);
    top() {
        source(k) = \"k.cc\"; runtime<ratio>(k) = 0.6; location<kernel>(k) = tile(22, 2);
        connect<window<16>>(in.out[0], k.in[0]);
        connect<window<16>>(k.out[0], out.in[0]);
    }
} g;
#ifdef __AIESIM__
int main() { g.init(); g.run(1); g.end(); }
#endif
";
    let kernel = "#include <adf.h>
#include <aie_api/aie.hpp>
void carry(input_window<int32> *in, output_window<int32> *out) {
    const bool counts = aie::tile::current().cycles() > 0;
    for (int i = 0; i < 4; ++i) window_writeincr(out, window_readincr(in) + counts);
}
";
    let files =
        [("graph.cpp", graph), ("k.cc", kernel), ("in.txt", "1 2 3 4\n"), ("golden.txt", "2 3 4 5\n")];
    let folder = Folder::with(&files);
    let graph = folder.name("graph.cpp");
    let ran =
        aiec(["sim", &graph, "--golden", &folder.name("golden.txt"), "--output", &folder.name("written")]);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{}", ran.out);
    assert!(ran.out.contains("4 values equal"), "{}", ran.out);
}

// rehohoho/onnx2versal, graph_pool: the statement gives the size of the window at the other end.
#[test]
#[ignore = "long: compiles a graph"]
fn a_stream_is_connected_to_a_window_with_the_size_of_the_window() {
    let joined = |second: &str| {
        let members = format!("kernel a = kernel::create(pass); kernel b = kernel::create({second});");
        let statements = "source(a) = source(b) = \"k.cc\"; runtime<ratio>(a) = runtime<ratio>(b) = 0.6;
            connect<stream>(in.out[0], a.in[0]);
            connect<window<256>>(a.out[0], b.in[0]);
            connect<>(b.out[0], out.in[0]);";
        checked("", &members, statements)
    };
    let ran = joined("carry");
    assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{}", ran.out);
    let ran = joined("pass");
    assert!(ran.status == 1 && ran.words().contains("says it is a window or buffer"), "{}", ran.err);
}

#[test]
#[ignore = "long: compiles a graph"]
fn members_of_a_tuple_have_names_of_their_own() {
    let above = "#include <tuple>
static int column = FIRST;
struct part : graph {
    port<input> in;
    port<output> out;
    kernel k = kernel::create(carry);
    part() {
        source(k) = \"k.cc\"; runtime<ratio>(k) = 0.6; location<kernel>(k) = tile(column++, 0);
        connect<window<64>>(in, k.in[0]);
        connect<window<64>>(k.out[0], out);
    }
};";
    let statements = "connect<>(in.out[0], std::get<0>(parts).in);
        connect<>(std::get<0>(parts).out, std::get<1>(parts).in);
        connect<>(std::get<1>(parts).out, out.in[0]);";
    // The last member is constructed first. Tiles of one statement outside the array are one fault.
    for (first, fault) in [
        ("49", "`parts[0].k` is placed at (50, 0), but xcvc1902 has no such tile ╭"),
        ("60", "`parts[0].k` is placed at (61, 0), but xcvc1902 has no such tile; and so in `parts[1]`"),
    ] {
        let ran = checked(&above.replace("FIRST", first), "std::tuple<part, part> parts;", statements);
        assert!(ran.status == 1 && ran.words().contains(fault), "{fault}: {}", ran.err);
    }
}

/// UG1079: `offset` is relative to the tile that is allocated, so the statement before still says
/// which one that is.
#[test]
#[ignore = "long: compiles graphs"]
fn an_offset_adds_to_the_place_of_another_statement() {
    let below = "location<buffer>(k.in[0]) =
            location<kernel>(k) + relative_offset({.col_offset = 0, .row_offset = -1});";
    let offset = "location<buffer>(k.in[0]) = {offset(0x1000), offset(0x3000)};";
    for both in [[below, offset], [offset, below]] {
        let statements = format!("{WINDOWS} location<kernel>(k) = tile(20, 4); {}", both.join(" "));
        let folder = Folder::with(&[("graph.cpp", &graph("", KERNEL, &statements))]);
        let placed = ["place", &folder.name("graph.cpp"), "--effort", "1", "--aiecst", &folder.name("a")];
        let ran = aiec(placed);
        assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{}", ran.out);
        let text = fs::read_to_string(folder.path("a")).expect("written");
        let all: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        let at = |offset: u32| serde_json::json!({"column": 20, "row": 3, "offset": offset});
        let buffers = &all["PortConstraints"]["g.k.in[0]"]["buffers"];
        assert_eq!(*buffers, serde_json::json!([at(0x1000), at(0x3000)]), "{text}");
    }
}

// What a file lacks besides names of the standard library is the fault.
#[test]
#[ignore = "long: compiles a graph"]
fn a_fault_behind_names_of_the_standard_library_is_the_one_that_is_named() {
    let statements = format!(
        "{WINDOWS} adf::vector<int> sizes(4); adf::vector<int> more(4); static_assert(sizeof(sizes) == 1, \"no room\");"
    );
    let ran = checked("", KERNEL, &statements);
    assert!(ran.status == 1 && ran.words().contains("no room"), "{}", ran.err);
    assert!(!ran.words().contains("does not name a"), "{}", ran.err);
}

// UG1079: the tools choose the channels of GMIO.
#[test]
#[ignore = "long: compiles a graph"]
fn a_channel_of_gmio_is_not_kept_and_named() {
    let members = format!("{KERNEL} input_gmio from = input_gmio::create(\"from\", 64, 1000);");
    let statements = WINDOWS.replace("in.out[0]", "from.out[0]");
    let ran = checked("", &members, &format!("{statements} location<GMIO>(from) = shim(26, 1);"));
    let left_out = "not taken into account: the channel of `g.from`: the tools choose those of GMIO (UG1079)";
    assert!(ran.status == 0 && ran.out.contains(left_out), "{}{}", ran.out, ran.err);
}
