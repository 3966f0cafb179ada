//! What the graph constructs: classes with their tables and numbers, and templates with their
//! arguments.

use std::fs;

use aiec_tests::aiec;

/// A design with the class `fir` and the function template `gain`, their headers and sources.
const TWO: [(&str, &str); 5] = [
    (
        "d.dsl",
        "design d device toy ports window const TAPS = [1, 2, 3, 4]
kernel fir(in x: window int32[16], out y: window int32[16]) {
    source \"fir.cc\" header \"fir.h\"
    template (len(TAPS))
    arguments (TAPS, 7)
}
kernel gain(in x: window int32[16], out y: window int32[16]) {
    source \"gain.cc\" header \"gain.h\" template (int32, 4)
}
input x from plio(32, \"x.txt\") output y to plio(32, \"y.txt\")
connect x -> fir.x connect fir.y -> gain.x connect gain.y -> y\n",
    ),
    (
        "fir.h",
        "#include <adf.h>
template <unsigned N> class fir {
public:
    fir(int32 (&taps)[N], int gain) : taps_(taps) {}
    void run(input_window<int32> *x, output_window<int32> *y);
    static void registerKernelClass() { REGISTER_FUNCTION(fir::run); REGISTER_PARAMETER(taps_); }
    int32 (&taps_)[N];
};\n",
    ),
    (
        "fir.cc",
        "#include \"fir.h\"
template <unsigned N> void fir<N>::run(input_window<int32> *, output_window<int32> *) {}\n",
    ),
    (
        "gain.h",
        "#include <adf.h>
template <typename T, int S> void gain(input_window<T> *x, output_window<T> *y);\n",
    ),
    (
        "gain.cc",
        "#include \"gain.h\"
template <typename T, int S> void gain(input_window<T> *, output_window<T> *) {}\n",
    ),
];

/// Checks these files after changes: file, old text and new text of each.
fn checked_after(changes: &[(&str, &str, &str)]) -> aiec_tests::Ran {
    let folder = tempfile::tempdir().expect("a temporary directory");
    for (name, text) in TWO {
        let mut text = text.to_owned();
        for (_, old, new) in changes.iter().filter(|(file, ..)| *file == name) {
            assert!(text.contains(old), "{old}");
            text = text.replace(old, new);
        }
        fs::write(folder.path().join(name), text).expect("writable");
    }
    aiec(["check", &folder.path().join("d.dsl").display().to_string()])
}

/// The words of the only fault after a change of the design.
fn only_fault(old: &str, new: &str) -> String {
    let ran = checked_after(&[("d.dsl", old, new)]);
    assert_eq!((ran.status, ran.err.matches("check/").count()), (1, 1), "{new}: {}", ran.err);
    ran.words()
}

#[test]
fn a_class_without_arguments_is_named_with_its_constructor() {
    let words = only_fault("    arguments (TAPS, 7)\n", "");
    let wanted = "kernel `fir` has no `arguments`, so `fir` is a function, but `fir.h` declares a class";
    assert!(words.contains(wanted) && words.contains("fir(int32 (&taps)[N], int gain)"), "{words}");
}

#[test]
#[ignore = "long: compiles kernels"]
fn wrong_arguments_of_classes_and_templates_stand_beside_the_right_ones() {
    let right = checked_after(&[]);
    assert_eq!((right.status, right.err.as_str()), (0, ""), "{}", right.out);
    let gain = "but `gain` in `gain.h` is a `template <typename T, int S>`";
    for (old, new, words) in [
        (
            "    template (len(TAPS))\n",
            "",
            "has no `template`, but `fir` in `fir.h` is a `template <unsigned N>`",
        ),
        ("(len(TAPS))", "(int32)", "has `template (int32)`, but `fir` in `fir.h`"),
        (
            "(len(TAPS))",
            "(5)",
            "constructed with (a table of 4 `int32`, an `int`), but `fir.h` declares `fir(int32 (&taps)[N], int gain)` \
             for another number of values with `template (5)`",
        ),
        ("(TAPS, 7)", "(7)", "with (an `int`), but `fir.h` declares `fir(int32 (&taps)[N], int gain)`"),
        ("(int32, 4)", "(int32)", gain),
        ("(int32, 4)", "(4, int32)", gain),
        ("(int32, 4)", "(int16, 4)", "`gain.h` declares other parameters with `template (int16, 4)`"),
        ("(int32, 4)", "(int32, 4) arguments (1)", "`gain` is a class, but `gain.h` declares a function"),
    ] {
        let found = only_fault(old, new);
        assert!(found.contains(words), "{new}: {found}");
    }
}

#[test]
#[ignore = "long: compiles kernels"]
fn a_class_registers_the_tables_that_it_gets() {
    let none = ("fir.h", " REGISTER_PARAMETER(taps_);", "");
    let two = ("d.dsl", "(TAPS, 7)", "(TAPS, TAPS, 7)");
    let takes_two = ("fir.h", "[N], int gain)", "[N], int32 (&more)[N], int gain)");
    let named = "write `REGISTER_PARAMETER(taps_);` in `registerKernelClass`";
    let other = "let a member refer to each table";
    let one = "constructed with 1 table, but the class `fir` in `fir.h` registers none";
    let second = "constructed with 2 tables, but the class `fir` in `fir.h` registers only 1";
    for (changes, message, help) in [
        (vec![none], one, named),
        (vec![two, takes_two], second, other),
        (vec![two, takes_two, none], "none", named),
    ] {
        let ran = checked_after(&changes);
        assert_eq!((ran.status, ran.err.matches("check/").count()), (1, 1), "{}", ran.err);
        let words = ran.words();
        assert!(words.contains(message) && words.contains(help), "{words}");
    }
}

#[test]
#[ignore = "long: compiles kernels"]
fn a_constructor_takes_the_types_of_tables_and_holds_the_numbers() {
    let number = |value: &'static str| ("d.dsl", "(TAPS, 7)", value);
    let gain = |class: &'static str| ("fir.h", "int gain", class);
    let types = "constructed with (a table of 4 `int32`, an `int`), but `fir.h` declares";
    for changes in [
        vec![("fir.h", "int32 (&taps", "uint32 (&taps")],
        vec![("fir.h", "int32 (&taps", "float (&taps"), number("(TAPS as float, 7)")],
        vec![
            ("fir.h", "int32 (&taps)", "const int32 (&taps)"),
            ("fir.h", "int32 (&taps_)", "const int32 (&taps_)"),
        ],
        vec![number("(TAPS, 70000)")],
        vec![number("(TAPS, 70000)"), gain("const float &gain")],
        vec![number("(TAPS, 40000)"), gain("uint16 gain")],
        vec![number("(TAPS, -1)"), gain("uint8 gain")],
        vec![number("(TAPS, -128)"), gain("const int8 gain")],
        vec![number("(TAPS, 0.5)"), gain("double gain")],
        vec![number("(TAPS, 7 as float)"), gain("float gain")],
        vec![number("(TAPS, 3)"), gain("bool gain")],
    ] {
        let ran = checked_after(&changes);
        assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{changes:?} {}", ran.out);
    }
    for (changes, words) in [
        (vec![("fir.h", "int32 (&taps", "int16 (&taps")], [types, "declare `fir(int32 (&)[4], int)`"]),
        (vec![("fir.h", "int32 (&taps", "const float (&taps")], [types, "`TABLE as int16`"]),
        (vec![number("(TAPS as int16, 7)")], ["a table of 4 `int16`", "declare `fir(int16 (&)[4], int)`"]),
        (
            vec![number("(TAPS, 70000)"), gain("int16 gain")],
            [
                "with the number 70000, but `fir.h` declares `fir(int32 (&taps)[N], int16 gain)`",
                "a type that has the number, such as `int`,",
            ],
        ),
        (vec![number("(TAPS, 40000)"), gain("int16 gain")], ["the number 40000", "such as `int`,"]),
        (vec![number("(TAPS, 3000000000)")], ["the number 3000000000", "such as `unsigned`,"]),
        (vec![number("(TAPS, 0.5)")], ["the number 0.5", "such as `float`,"]),
    ] {
        let ran = checked_after(&changes);
        assert_eq!((ran.status, ran.err.matches("check/").count()), (1, 1), "{changes:?} {}", ran.err);
        assert!(words.iter().all(|words| ran.words().contains(words)), "{words:?} {}", ran.err);
    }
}

#[test]
#[ignore = "long: compiles kernels"]
fn every_fault_of_the_graph_comes_out_at_its_own_place() {
    let ran = checked_after(&[
        ("d.dsl", "(int32, 4)", "(int16, 4)"),
        ("d.dsl", "(TAPS, 7)", "(7)"),
        ("gain.h", "#include <adf.h>", "#include <adf.h>\n#define connect broken"),
    ]);
    for words in ["is constructed with (an `int`)", "needs `void gain(", "`gain.h:2`", "‘broken’"] {
        assert!(ran.status == 1 && ran.words().contains(words), "{words}: {}", ran.err);
    }
}
