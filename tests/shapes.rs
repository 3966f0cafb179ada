//! Collectives over links without windows, from the design to the results of the emitted C++.

use aiec_tests::{Ran, aiec_on};

/// Runs `aiec sim` on a design with some further files.
fn sim(design: &str, files: &[(&str, String)]) -> Ran {
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (*name, text.as_str())).collect();
    aiec_on("sim", &format!("design d\ndevice xcvc1902\n{design}"), &files, &[])
}

/// A kernel `name` that reduces `count` elements by `collective`, `calls` times; element `i` of
/// rank `r` is `value`.
fn reduces(name: &str, collective: &str, (element, count): (&str, u32), calls: u32, value: &str) -> String {
    format!(
        "#include <adf.h>
template <typename Comm>
void {name}(Comm &comm) {{
    for (int call = 0; call < {calls}; ++call) {{
        alignas(32) {element} data[{count}];
        const int r = int(comm.rank());
        for (int i = 0; i < {count}; ++i) data[i] = {value};
        comm.{collective}.reduce(data);
    }}
}}
"
    )
}

fn assert_lines(ran: &Ran, wanted: &[&str]) {
    assert_eq!(ran.status, 0, "{}", ran.err);
    for wanted in wanted {
        assert!(ran.out.lines().any(|line| line.contains(wanted)), "{wanted}:\n{}", ran.out);
    }
}

/// Several reductions along the cascade in one design: around the end of a row, with fewer elements
/// than a vector at the end, with types of each kind of accumulator, a non-commutative operator,
/// and a result and cycles that leave in windows.
#[test]
#[ignore = "long: simulates"]
fn reductions_along_the_cascade_equal_the_definition() {
    let design = "kernel a[16] { source \"a.cc\" stack 4 KiB }
kernel b[3] { source \"b.cc\" }
kernel c[3] { source \"c.cc\" }
kernel e[2] { source \"e.cc\" }
reduce t over a { op sum data int32[403] window int32[64] shape cascade calls 2 reference rank * 1000 + i - call }
reduce u over b { op min data int16[96] window int16[32] shape cascade cycles int64[2] }
reduce v over c { op first from \"first.h\" ordered data float[21] shape cascade }
reduce x over e { op sum data cint16[7] shape cascade style scalar }
output result to gmio
output cycles to gmio
connect u.result -> result
connect u.cycles -> cycles
place a[9] at (49, 0)
";
    let first =
        "#pragma once\nstruct first {\n    template <typename T> static T apply(T a, T) { return a; }\n};\n";
    let files = [
        ("a.cc", reduces("a", "t", ("int32", 403), 2, "int32(r * 1000 + i - call)")),
        ("b.cc", reduces("b", "u", ("int16", 96), 1, "int16((r * 37 + i * 11) % 101 - 50)")),
        ("c.cc", reduces("c", "v", ("float", 21), 1, "float(r) + float(i)")),
        ("e.cc", reduces("e", "x", ("cint16", 7), 1, "cint16{int16(r), int16(i)}")),
        ("first.h", first.to_owned()),
    ];
    let ran = sim(design, &files);
    assert_lines(
        &ran,
        &[
            "t: 806 values at 16 ranks equal the definition of reduce",
            "u: 96 values at 3 ranks equal",
            "x: 7 values at 2 ranks equal",
        ],
    );
}

/// `shape auto` takes no shape that is refused if the design states it.
#[test]
fn a_stated_window_leaves_out_the_shape_without_windows() {
    for (more, word) in [("window int32[32]", "window"), ("buffer single", "buffer")] {
        let with = |shape: &str| {
            let reduce = format!("reduce t over w {{ op sum data int32[64] shape {shape} {more} }}");
            let design = format!("design d\ndevice xcvc1902\nkernel w[8] {{ source \"w.cc\" }}\n{reduce}\n");
            aiec_on("report", &design, &[("w.cc", "#include <adf.h>\n")], &["--effort", "1"])
        };
        let left_out = format!("its `{word}` is about windows");
        let ran = with("auto");
        assert!(ran.status == 0 && ran.out.contains(&left_out), "{}{}", ran.out, ran.err);
        assert!(with("stream").err.contains("`shape stream` has none"), "{more}");
    }
}

/// With `shape auto` a reduction goes along the cascade if its root is the last rank and nothing
/// prevents it, and the report shows this.
#[test]
#[ignore = "long: searches for seconds"]
fn the_cheapest_shape_may_be_the_cascade() {
    let report = |more: &str| {
        let text = "design d\ndevice xcvc1902\nkernel w[8] { source \"w.cc\" }\nreduce t over w { op sum data int32[64] shape auto";
        let ran = aiec_on(
            "report",
            &format!("{text} {more}\n"),
            &[("w.cc", "#include <adf.h>\n")],
            &["--effort", "1"],
        );
        assert_eq!(ran.status, 0, "{}", ran.err);
        ran.out
    };
    let chosen = report("root w[7] }");
    assert!(chosen.lines().any(|line| line.contains("reduce") && line.contains("cascade")), "{chosen}");
    let reasons = [
        ("}", "the root is not the last rank"),
        ("root w[7] } keepout (0, 0)", "the design has placement constraints"),
        (
            "root w[7] } reduce u over w { op sum data int32[4] shape cascade }",
            "a rank is on another cascade",
        ),
    ];
    for (more, reason) in reasons {
        let report = report(more);
        assert!(report.contains(reason), "{more}:\n{report}");
    }
}
