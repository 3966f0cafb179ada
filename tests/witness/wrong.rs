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

/// One mistake of `wrong.txt`: its release, the correct lines, the wrong ones, and words of the
/// compiler's message.
struct Wrong {
    release: u32,
    place: Place,
    right: String,
    wrong: String,
    says: String,
}

/// All mistakes of `wrong.txt`.
fn mistakes() -> Vec<Wrong> {
    let cases = include_str!("wrong.txt").split("\n\n").filter(|case| !case.starts_with(['#', '/']));
    cases.map(mistake).collect()
}

fn mistake(case: &str) -> Wrong {
    let part = |mark: &str| {
        let lines: Vec<&str> = case.lines().filter_map(|line| line.strip_prefix(mark)).collect();
        assert!(!lines.is_empty(), "`{mark}` is missing: {case}");
        lines.join("\n")
    };
    let (release, place) = case.lines().next().and_then(|head| head.split_once(' ')).expect("two words");
    Wrong {
        release: release.replace('.', "").parse().expect("a release"),
        place: match place {
            "body" => Body,
            "member" => Member,
            "top" => Top,
            _ => unreachable!("no place of a line: {case}"),
        },
        right: part("+ "),
        wrong: part("- "),
        says: part("? "),
    }
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
    match said(folder, &format!("wrong{number}"), case.release, &file(&around(case.place, &case.wrong))) {
        None => Some(format!("{} compiles", case.wrong)),
        Some(said) if !plain(&said).contains(&case.says) => {
            Some(format!("{}: not for the reason meant:\n{said}", case.wrong))
        }
        Some(_) => None,
    }
}

/// The correct lines of all mistakes in one release, each in its own namespace.
fn meant(mistakes: &[Wrong], release: u32) -> String {
    let cases = mistakes.iter().enumerate().filter(|(_, case)| case.release == release);
    let one = |(number, case): (usize, &Wrong)| {
        format!("namespace n{number} {{\n{}}}\n", around(case.place, &case.right))
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
    let (folder, mistakes) = (fresh("wrong"), mistakes());
    assert_eq!(mistakes.len(), 38);
    for release in [20221, 20222, 20231] {
        assert_eq!(
            said(&folder, &format!("right{release}"), release, &meant(&mistakes, release)),
            None,
            "{release}"
        );
    }
    let half = |odd: usize| {
        let cases = mistakes.iter().enumerate().filter(move |(number, _)| number % 2 == odd);
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
