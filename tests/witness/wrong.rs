//! The witness of ADF, tested with wrong code: lines that real tools refuse do not compile, for the
//! intended reason; the corrected line does.

use std::fs;
use std::path::Path;
use std::thread;

use crate::compiler::{Unit, fresh, release_macro, witness};

/// The position of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// In the constructor of the graph.
    Body,
    /// Among the members of the graph.
    Member,
    /// Above the graph.
    Top,
}

use Place::{Body, Member, Top};

/// One mistake: its release, the correct line, the wrong line, and words of the compiler's message.
struct Wrong {
    release: u32,
    place: Place,
    right: &'static str,
    wrong: &'static str,
    says: &'static str,
}

const fn wrong(
    release: u32,
    place: Place,
    right: &'static str,
    wrong: &'static str,
    says: &'static str,
) -> Wrong {
    Wrong { release, place, right, wrong, says }
}

/// The context of the lines: kernels `a` and `b` with windows, `s` and `t` with streams, an input
/// and an output of each kind.
fn around(place: Place, line: &str) -> String {
    let at = |here: Place| if here == place { line } else { "" };
    format!(
        "void block(input_window<int32> *x, output_window<int32> *y);
void words(input_stream<int32> *x, output_stream<int32> *y, int32 gain);
{}
class design : public adf::graph {{
public:
    adf::kernel a, b, s, t;
    adf::input_plio in;
    adf::output_plio out;
    adf::input_gmio from;
    adf::output_gmio to;
    adf::port<adf::input> gain;
    adf::port<adf::inout> state;
{}
    design() {{
{}
    }}
}};
design g;
",
        at(Top),
        at(Member),
        at(Body)
    )
}

const WRONG: [Wrong; 38] = [
    // Functions, not types.
    wrong(
        20221,
        Body,
        "adf::location_constraint x = adf::address(1, 2, 0); static_cast<void>(x);",
        "adf::address x = adf::address(1, 2, 0); static_cast<void>(x);",
        "expected ';' before 'x'",
    ),
    wrong(
        20221,
        Member,
        "static adf::location_constraint at(int row) { return adf::address(0, row, 0); }",
        "static adf::address at(int row) { return adf::address(0, row, 0); }",
        "does not name a type",
    ),
    wrong(20221, Member, "adf::location_constraint place;", "adf::tile place;", "does not name a type"),
    wrong(20221, Member, "adf::location_constraint place;", "adf::bank place;", "does not name a type"),
    wrong(20221, Member, "adf::location_constraint place;", "adf::offset place;", "does not name a type"),
    wrong(
        20221,
        Member,
        "std::vector<adf::location_constraint> places;",
        "std::vector<adf::shim> places;",
        "type/value mismatch",
    ),
    // Locations.
    wrong(
        20221,
        Body,
        "adf::location<adf::GMIO>(from) = adf::shim(6);",
        "adf::location<adf::GMIO>(from) = adf::shim(6, 0);",
        "use of deleted function",
    ),
    wrong(
        20221,
        Body,
        "adf::location<adf::PLIO>(in) = adf::shim(6, 0);",
        "adf::location<adf::GMIO>(in) = adf::shim(6);",
        "no matching function",
    ),
    wrong(
        20221,
        Body,
        "adf::location<adf::GMIO>(to) = adf::shim(6);",
        "adf::location<adf::PLIO>(to) = adf::shim(6);",
        "no matching function",
    ),
    wrong(
        20221,
        Body,
        "adf::location<adf::kernel>(a) = adf::tile(1, 2);",
        "adf::location<adf::kernel>(a) = 12;",
        "no match for 'operator='",
    ),
    wrong(
        20221,
        Body,
        "adf::location<adf::kernel>(a) = adf::tile(1, 2);",
        "adf::location<adf::kernel>(a) = adf::tile(1);",
        "too few arguments",
    ),
    wrong(
        20221,
        Body,
        "adf::location<adf::kernel>(a) = adf::tile(1, 2);",
        "adf::location<adf::kernel>(a.in[0]) = adf::tile(1, 2);",
        "no matching function",
    ),
    wrong(
        20221,
        Body,
        "adf::location<adf::buffer>(a.in[0]) = adf::bank(1, 2, 3);",
        "adf::location<adf::buffer>(a) = adf::bank(1, 2, 3);",
        "no matching function",
    ),
    wrong(
        20221,
        Body,
        "adf::location<adf::buffer>(a.in[0]) = {adf::offset(0), adf::offset(8192)};",
        "adf::location<adf::buffer>(a.in[0]) = {0, 8192};",
        "no match for 'operator='",
    ),
    wrong(
        20221,
        Body,
        "adf::location<adf::stack>(a) = adf::address(1, 2, 0);",
        "adf::location<adf::stack>(a.in[0]) = adf::address(1, 2, 0);",
        "no matching function",
    ),
    wrong(
        20222,
        Body,
        "adf::location<adf::kernel>(b) = adf::location<adf::kernel>(a) + adf::relative_offset({.col_offset = 1, .row_offset = 0});",
        "adf::location<adf::kernel>(b) = adf::location<adf::kernel>(a) + 1;",
        "no match for 'operator+'",
    ),
    wrong(
        20221,
        Body,
        "adf::location<adf::kernel>(b) = adf::location<adf::kernel>(a);",
        "adf::location<adf::kernel>(b) = adf::location<adf::kernel>(a) + adf::relative_offset({1, 0});",
        "'relative_offset' is not a member of 'adf'",
    ),
    // Connections.
    wrong(
        20221,
        Body,
        "adf::connect<adf::window<64>>(a.out[0], b.in[0]);",
        "adf::connect<adf::window<64>>(b.in[0], a.out[0]);",
        "no matching function",
    ),
    wrong(
        20221,
        Body,
        "adf::connect<adf::window<64>>(in.out[0], a.in[0]);",
        "adf::connect<adf::window<64>>(in, a);",
        "no matching function",
    ),
    wrong(
        20221,
        Body,
        "adf::connect<adf::window<64>>(a.out[0], to.in[0]);",
        "adf::connect<adf::window<64>>(a.out[0]);",
        "no matching function",
    ),
    wrong(
        20221,
        Body,
        "adf::connect<adf::stream>(in.out[0], s.in[0]);",
        "adf::connect<adf::stream>(in.in[0], s.in[0]);",
        "has no member named 'in'",
    ),
    wrong(
        20221,
        Body,
        "adf::connect<adf::cascade>(a.out[0], b.in[0]);",
        "adf::connect<adf::cascade, adf::window<64>>(a.out[0], b.in[0]);",
        "no connection between ends of these kinds",
    ),
    wrong(
        20221,
        Body,
        "adf::connect<adf::window<64>>(a.out[0], b.in[0]);",
        "adf::connect<adf::window<0>>(a.out[0], b.in[0]);",
        "a window has bytes",
    ),
    wrong(
        20221,
        Body,
        "adf::connect<adf::window<64>>(a.out[0], b.in[0]);",
        "adf::connect<int32>(a.out[0], b.in[0]);",
        "no kind of connection",
    ),
    wrong(
        20221,
        Body,
        "adf::connect<adf::parameter>(gain, adf::async(s.in[1]));",
        "adf::connect<adf::parameter>(gain, adf::async(s));",
        "no matching function",
    ),
    wrong(
        20221,
        Body,
        "adf::connect<adf::window<64>>(a.out[0], b.in[0]);",
        "adf::connect(a.out[0], b.in[0]);",
        "missing template arguments",
    ),
    wrong(20221, Body, "adf::single_buffer(a.in[0]);", "adf::single_buffer(a);", "no matching function"),
    // Kernels.
    wrong(
        20221,
        Top,
        "void other(input_window<int32> *x, output_window<int32> *y);\nadf::kernel &k = adf::kernel::create(other);",
        "int other(input_window<int32> *x, output_window<int32> *y);\nadf::kernel &k = adf::kernel::create(other);",
        "no matching function",
    ),
    wrong(
        20221,
        Top,
        "void other(input_window<int32> *x);\nadf::kernel &k = adf::kernel::create(other);",
        "void other(int32 *x);\nadf::kernel &k = adf::kernel::create(other);",
        "no port of a documented type",
    ),
    wrong(
        20221,
        Top,
        "void other(input_window<int32> *x);\nadf::kernel &k = adf::kernel::create(other);",
        "void other(input_window<bool> *x);\nadf::kernel &k = adf::kernel::create(other);",
        "no port of a documented type",
    ),
    wrong(
        20221,
        Body,
        "a = adf::kernel::create(block);",
        "a = adf::kernel::create_object<int32>(1);",
        "'registerKernelClass' is not a member of 'int'",
    ),
    wrong(
        20221,
        Top,
        "struct part { explicit part(unsigned); void run(input_window<int32> *x); static void registerKernelClass() { REGISTER_FUNCTION(part::run); } };\nadf::kernel &k = adf::kernel::create_object<part>(1u);",
        "struct part { explicit part(unsigned); void run(input_window<int32> *x); static void registerKernelClass() { REGISTER_FUNCTION(part::run); } };\nadf::kernel &k = adf::kernel::create_object<part>(1u, 2u);",
        "no such constructor",
    ),
    wrong(20221, Body, "adf::source(a) = \"a.cc\";", "adf::source(a) = 1;", "no match for 'operator='"),
    wrong(
        20221,
        Body,
        "adf::headers(a) = {\"a.h\"};",
        "adf::headers(a) = \"a.h\";",
        "no match for 'operator='",
    ),
    // Features that a release lacks.
    wrong(
        20222,
        Member,
        "adf::pktmerge<4> merge;",
        "adf::pktmerge<8> merge;",
        "too many ways for this release",
    ),
    wrong(
        20221,
        Top,
        "void other(input_window<int32> *x);",
        "void other(adf::input_buffer<int32> &x);",
        "'input_buffer' is not a member of 'adf'",
    ),
    wrong(
        20222,
        Body,
        "adf::connect<adf::window<64>>(a.out[0], b.in[0]);",
        "adf::dimensions(a.in[0]) = {16};",
        "'dimensions' is not a member of 'adf'",
    ),
    wrong(
        20231,
        Top,
        "void other(input_stream<acc80> *x);",
        "void other(input_cascade<acc80> *x);",
        "'input_cascade'",
    ),
];

fn file(text: &str) -> String {
    format!("#include <adf.h>\n{text}")
}

/// Compiles text for a release: as C++14 for 2022.1.
fn said(folder: &Path, name: &str, release: u32, text: &str) -> Option<String> {
    let file = folder.join(format!("{name}.cpp"));
    fs::write(&file, text).expect("writable");
    let standard = if release == 20221 { "c++14" } else { "c++17" };
    let macros = vec![release_macro(release)];
    Unit { file, standard, system: vec![witness("adf")], macros, ..Unit::default() }.faults()
}

/// The fault of the witness for one of the mistakes.
fn judge(folder: &Path, number: usize, case: &Wrong) -> Option<String> {
    match said(folder, &format!("wrong{number}"), case.release, &file(&around(case.place, case.wrong))) {
        None => Some(format!("{} compiles", case.wrong)),
        Some(said) if !plain(&said).contains(case.says) => {
            Some(format!("{}: not for the reason meant:\n{said}", case.wrong))
        }
        Some(_) => None,
    }
}

/// The correct lines of all mistakes in one release, each in its own namespace.
fn meant(release: u32) -> String {
    let cases = WRONG.iter().enumerate().filter(|(_, case)| case.release == release);
    let one = |(number, case): (usize, &Wrong)| {
        format!("namespace n{number} {{\n{}}}\n", around(case.place, case.right))
    };
    file(&cases.map(one).collect::<String>())
}

/// With plain quotation marks, whatever the locale.
fn plain(said: &str) -> String {
    said.replace(['\u{2018}', '\u{2019}'], "'")
}

#[test]
#[ignore = "long: compiles every line"]
fn what_real_tools_refuse_does_not_compile_and_what_was_meant_does() {
    let folder = fresh("wrong");
    for release in [20221, 20222, 20231] {
        assert_eq!(said(&folder, &format!("right{release}"), release, &meant(release)), None, "{release}");
    }
    let half = |odd: usize| {
        let cases = WRONG.iter().enumerate().filter(move |(number, _)| number % 2 == odd);
        cases.filter_map(|(number, case)| judge(&folder, number, case)).collect::<Vec<String>>()
    };
    let faults = thread::scope(|scope| {
        let other = scope.spawn(|| half(1));
        [half(0), other.join().expect("no panic")].concat()
    });
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Features that are new in later releases.
#[test]
fn what_a_later_release_has_compiles_there() {
    let folder = fresh("later");
    let lines = [
        (
            20231,
            Top,
            "void other(adf::input_buffer<int32> &__restrict x, adf::output_async_buffer<int32> &__restrict y);\nadf::kernel &k = adf::kernel::create(other);",
        ),
        (
            20231,
            Body,
            "adf::dimensions(a.in[0]) = {16}; adf::connect(a.out[0], b.in[0]); adf::connect<> n(b.out[0], to.in[0]); adf::fifo_depth(n) = 32;",
        ),
        (20232, Member, "adf::pktmerge<32> merge;"),
        (
            20232,
            Top,
            "void other(input_cascade<acc80> *x, output_cascade<accfloat> *y);\nadf::kernel &k = adf::kernel::create(other);",
        ),
        (20261, Body, "adf::connect<adf::window<64>>(adf::async(a.out[0]), adf::async(b.in[0]));"),
    ];
    for (number, (release, place, line)) in lines.into_iter().enumerate() {
        assert_eq!(said(&folder, &number.to_string(), release, &file(&around(place, line))), None, "{line}");
    }
}
