//! The syntax of designs: trees of right texts, and errors of wrong ones.

use aiec_diag::{Diagnostic, SourceFile, SourceId};
use aiec_dsl::ast::{Constant, Expr, ExprKind, ItemKind};
use aiec_dsl::{parse, print};

fn file(text: &str) -> SourceFile {
    SourceFile { id: SourceId(0), name: "a.dsl".into(), text: text.into() }
}

fn errors(text: &str) -> Vec<Diagnostic> {
    let outcome = parse(&file(text));
    assert_eq!(outcome.value().is_none(), !outcome.diagnostics().is_empty());
    outcome.diagnostics().to_vec()
}

/// The one error of `text` as `message [underlined]`.
fn error(text: &str) -> String {
    let found = errors(text);
    assert_eq!(found.len(), 1, "{found:#?}");
    let span = found[0].span().expect("syntax errors have a place");
    assert!(!found[0].help.is_empty());
    format!("{} [{}]", found[0].message, &text[span.start as usize..span.end as usize])
}

fn help(text: &str) -> String {
    errors(text).swap_remove(0).help
}

#[test]
fn what_was_expected_is_said_in_the_words_of_the_language() {
    for (text, wanted) in [
        ("design", "expected a name, found the end of the file [n]"),
        ("design 4", "expected a name, found `4` [4]"),
        ("const N 4", "expected `=`, found `4` [4]"),
        (
            "const N = ",
            "expected a number, a constant or an expression such as `4 * N`, found the end of the file [=]",
        ),
        ("kernel k source", "expected `[`, `(` or `{`, found `source` [source]"),
        ("kernel k(in x: window int32[])", "expected a size such as `1024` or `4 KiB`, found `]` []]"),
        ("kernel k(in x: window int32[4 kB])", "expected a unit (`B`, `KiB`, `MiB`) or `]`, found `kB` [kB]"),
        ("kernel k { stack }", "expected a size such as `8 KiB`, found `}` [}]"),
        ("kernel k { stack 8 }", "expected a unit behind `stack 8` [8]"),
        ("kernel k { heap 2 * N source \"k.cc\" }", "expected a unit behind `heap 2 * N` [2 * N]"),
        ("kernel k { stack 8 kB }", "expected a unit (`B`, `KiB`, `MiB`), found `kB` [kB]"),
        ("kernel k { init start }", "expected the name of a function in quotes, found `start` [start]"),
        ("vitis 2024.1", "expected a release in quotes, found `2024` [2024]"),
        ("kernel k { source k.cc }", "expected a file name in quotes, found `k` [k]"),
        (
            "kernel k(x: window int32[4]) { }",
            "expected a port (`in`, `out` or `inout`) or `)`, found `x` [x]",
        ),
        (
            "reduce r over a { op sum",
            "expected a property (`op`, `data`, `window`, `root`, `shape`, ...), `from` or `}`, found the end of the file [m]",
        ),
        ("reduce r { }", "expected `over`, found `{` [{]"),
        ("input a to gmio", "expected `from` or `[`, found `to` [to]"),
        ("allow hang", "expected the name of a diagnostic in quotes, found `hang` [hang]"),
        ("allow because \"b\"", "expected the name of a diagnostic in quotes, found `because` [because]"),
        ("input a from plio(32, \"a\") frequency F", "expected a number such as `0.4`, found `F` [F]"),
        ("input a from ddr", "expected `plio`, `gmio` or `host`, found `ddr` [ddr]"),
        ("connect a.x b.y", "expected `[`, `,` or `->`, found `b` [b]"),
        ("connect a[1 -> b", "expected `]` or `..`, found `->` [->]"),
        ("place k (1, 2)", "expected `at` or `[`, found `(` [(]"),
        ("for i in 0 { }", "expected `..`, found `{` [{]"),
        (
            "for i in 0..4 { kernel k { } }",
            "expected `connect`, `place`, another placement constraint, `for` or `if` or `}`, found `kernel` [kernel]",
        ),
        ("kernal k", "expected a declaration such as `design` or `kernel`, found `kernal` [kernal]"),
        ("design d }", "expected a declaration such as `kernel` or `connect`, found `}` [}]"),
    ] {
        assert_eq!(error(text), wanted, "{text}");
    }
}

#[test]
fn help_shows_how_the_construct_is_written_or_the_word_that_was_meant() {
    assert_eq!(help("design d;"), "leave it out: items are not separated by anything");
    assert_eq!(help("design d\nkernal k { }"), "did you mean `kernel`?");
    assert_eq!(help("kernal k { }"), "did you mean `kernel`?");
    assert_eq!(help("kernel k { sorce \"k.cc\" }"), "did you mean `source`?");
    assert_eq!(help("reduce r over k { windw int32[4] }"), "did you mean `window`?");
    assert!(help("kernel k { stack 4096 }").starts_with("write `stack 4096 B` or `stack 4 KiB`"));
    assert!(help("design d\nengine \"x.h\"").starts_with("a declaration begins with one of design, "));
    assert!(help("design d\ninclude \"x.h\"").starts_with("a file of components is imported with"));
    assert_eq!(help("kernel input { }"), "`input` is a word of the language; choose another name");
    assert!(help("output total -> gmio").contains("`output sum to gmio`"));
    assert!(help("connect a.x, b.y").contains("`connect scale.y -> async mix.a"));
    assert!(
        help("kernel k(in x: stream int32[8] async) { }").starts_with("windows and parameters alone are")
    );
    assert!(help("connect a -> split b.x id 3").starts_with("the vendor's compiler chooses the ids"));
    assert!(help("connect a.y -> o tlast").starts_with("write a line `TLAST` into the data file"));
    let shape =
        |shape: &str| help(&format!("reduce r over k {{ op sum data int32[8] shape {shape} arity 2 }}"));
    assert_eq!(shape("chain"), "a tree alone has an arity: `shape tree arity 2`");
    assert_eq!(shape("trees"), "did you mean `tree` instead of `trees`?");
    assert!(help("parameter gain to k.gain").contains("`input gain from host`"));
    assert_eq!(help("kernel k { source \"k.cc\" init start }"), "write `init \"start\"`, in quotes");
    assert_eq!(help("kernel k { init dsp::start }"), "write `init \"dsp::start\"`, in quotes");
    assert!(help("kernel k(in x: stream int32 margin 4) { }").starts_with("a window alone has a margin"));
    assert!(help("kernel k[2, 3] { }").starts_with("each extent and each index stands in brackets"));
    assert!(help("component c()(in x: window int32[8]) { }").starts_with("leave out an empty `()`"));
}

#[test]
fn a_number_with_an_exponent_is_one_with_a_point() {
    for text in ["const T = [1, 2.5e-3]", "const N = 1E+2", "const N = -0.25e1", "const N = 10e-1 // one"] {
        assert!(errors(text).is_empty(), "{text}: {}", error(text));
    }
    assert!(error("const N = 1e").contains("found `1e` ["), "no number: {}", error("const N = 1e"));
    // A share of time and a frequency have none.
    let plain = |number: &str| format!("a number has all its digits here and no exponent: write `{number}`");
    for (text, number, digits) in [
        ("kernel k { runtime 4e-1 }", "4e-1", "0.4"),
        ("input a from plio(32, \"a\") frequency 3.125e2", "3.125e2", "312.5"),
        ("input a from plio(32, \"a\") frequency 5e2 // MHz", "5e2", "500"),
    ] {
        let expected = format!("expected a number, found `{number}` with an exponent [{number}]");
        assert_eq!((error(text), help(text)), (expected, plain(digits)), "{text}");
    }
}

#[test]
fn words_of_graph_h_have_advice() {
    for (sign, word) in [("+", "sum"), ("\"+\"", "sum"), ("*", "prod"), ("^", "xor")] {
        let text = format!("reduce r over k {{ op {sign} data int32[4] }}");
        assert_eq!(help(&text), format!("write `op {word}`: the operators have the names of MPI"), "{text}");
    }
    for text in ["input x from gmio(64, 1000)", "input x from gmio(\"x\", 64, 1000)"] {
        assert!(help(text).ends_with("`gmio(\"data/x.txt\") burst 64 bandwidth 1000`"), "{}", help(text));
    }
    let template = help("kernel k { template <int16, 3> source \"k.cc\" }");
    assert_eq!(template, "a list of arguments stands in parentheses: `template (int16, 3)`");
    assert!(
        help("kernel k { class Foo source \"k.cc\" }").starts_with("`function NAME` with `arguments (...)`")
    );
}

#[test]
fn several_errors_are_reported_at_once() {
    let text = "design d\nkernel k {\n  stack 8\n}\nconnect a.x b.y\nkernel good { source \"g.cc\" }\nplace k (1, 2)\n";
    let found: Vec<String> = errors(text).into_iter().map(|error| error.message).collect();
    let wanted = [
        "expected a unit behind `stack 8`",
        "expected `[`, `,` or `->`, found `b`",
        "expected `at` or `[`, found `(`",
    ];
    assert_eq!(found, wanted);
}

#[test]
fn errors_are_limited_in_number() {
    assert_eq!(errors(&"design 1\n".repeat(1000)).len(), 20);
}

#[test]
fn an_empty_file_is_no_design() {
    for text in ["", "\n\n", "// only a comment\n", "/* and */ // another", "\u{FEFF}"] {
        let found = errors(text);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].message, "the file holds no design");
    }
}

#[test]
fn numbers_fit_sixty_four_bits() {
    assert!(errors("const A = 9223372036854775807 const B = 0x7FFF_FFFF_FFFF_FFFF").is_empty());
    for number in ["9223372036854775808", "0x8000000000000000", "99999999999999999999999999"] {
        let found = errors(&format!("const A = {number}"));
        assert_eq!(found[0].code.slug, "parse/number-too-large");
    }
}

#[test]
fn families_have_at_most_three_dimensions_and_inputs_one() {
    assert_eq!(error("kernel k[1][2][3][4] { }"), "a kernel family has at most three dimensions [[4]]");
    assert_eq!(error("input a[1][2] from gmio"), "an input or output has at most one dimension [[2]]");
}

#[test]
fn depth_and_length_are_bounded() {
    let nested = |n: usize| format!("const A = {}1{}", "(".repeat(n), ")".repeat(n));
    assert!(errors(&nested(64)).is_empty());
    for text in [nested(65), nested(100_000), "for i in 0..1 { ".repeat(100_000), "[".repeat(100_000)] {
        assert_eq!(errors(&text)[0].code.slug, "parse/nesting-too-deep");
    }
    let calls = format!("const A = {}1{}", "min(".repeat(64), ")".repeat(64));
    assert!(errors(&calls).is_empty());
    let long = |part: &str, n: usize| format!("const A = 1{}", part.repeat(n));
    assert!(errors(&long(" + 1", 256)).is_empty());
    let minuses = format!("const A = {}1", "-".repeat(100_000));
    let arguments = format!("const A = min(1{})", ", 1".repeat(100_000));
    for text in [long(" + 1", 257), long(" + 1", 100_000), long(" << 1 * 2", 100_000), minuses, arguments] {
        assert_eq!(errors(&text)[0].code.slug, "parse/nesting-too-deep");
    }
    let comments = errors(&format!("design d {}", "/*".repeat(100_000)));
    assert!(comments.iter().any(|error| error.message == "a comment is never closed"), "{comments:?}");
    assert_eq!(errors(&format!("design d {}", "/".repeat(100_001))).len(), 0, "a line comment");
    assert_eq!(errors(&"\"".repeat(100_001))[0].message, "a string is never closed");
}

#[test]
fn operators_bind_as_documented() {
    fn shown(expr: &Expr) -> String {
        match &expr.kind {
            ExprKind::Int(n) => n.to_string(),
            ExprKind::Name(name) => name.clone(),
            ExprKind::Neg(inner) => format!("(-{})", shown(inner)),
            ExprKind::Binary(op, a, b) => format!("({}{}{})", shown(a), op.symbol(), shown(b)),
            ExprKind::Not(inner) => format!("(!{})", shown(inner)),
            ExprKind::Call(..) => "call".into(),
            ExprKind::Item(table, index) => format!("{}[{}]", table.value, shown(index)),
            ExprKind::Len(table) => format!("len {}", table.value),
            ExprKind::Decimal(text) => text.clone(),
        }
    }
    let grouped = |text: &str| {
        let outcome = parse(&file(&format!("const A = {text}")));
        match outcome.value().map(|program| program.items[0].kind.clone()) {
            Some(ItemKind::Const { value: Constant::Number(value), .. }) => shown(&value),
            other => format!("{other:?}"),
        }
    };
    assert_eq!(grouped("1 + 2 * 3 << 4 - 5"), "((1+(2*3))<<(4-5))");
    assert_eq!(grouped("8 - 4 - 2 / 2 / 1 % 3"), "((8-4)-(((2/2)/1)%3))");
    assert_eq!(grouped("-a * --b"), "((-a)*(-(-b)))");
    assert_eq!(grouped("min(1, 2) - (3 - 4)"), "(call-(3-4))");
    assert_eq!(grouped("1 | 2 ^ 3 & 4 << 5"), "(1|(2^(3&(4<<5))))");
    assert_eq!(grouped("a & 1 == b | 2"), "((a&1)==(b|2))");
    assert_eq!(grouped("!a == -!b"), "((!a)==(-(!b)))");
    assert_eq!(grouped("T[i + 1] * len(T)"), "(T[(i+1)]*len T)");
    assert_eq!(grouped("(a < b) != (c >= d)"), "((a<b)!=(c>=d))");
}

#[test]
fn comparisons_do_not_group() {
    for text in ["a < b < c", "a == b == c", "a <= b & 1 != c"] {
        let found = errors(&format!("const A = {text}"));
        assert_eq!(found[0].message, "two comparisons follow each other", "{text}");
    }
}

#[test]
fn a_step_is_no_reserved_word() {
    for (index, shown) in [
        ("..step", "[..step]"),
        ("..step - 1", "[..step - 1]"),
        ("..step step step", "[..step step step]"),
        ("..  step 2", "[.. step 2]"),
        ("1..8 step 2 * N", "[1..8 step 2 * N]"),
    ] {
        let file = file(&format!("place a[{index}] at b"));
        let outcome = parse(&file);
        let printed = outcome.value().map(|program| print(&file, program));
        assert_eq!(printed, Some(format!("place a{shown} at b\n")));
    }
}

#[test]
fn words_of_conditions_can_be_names() {
    let text = "const if = 1 const assert = if const len = 2 const else = len(len) + len const step = len[0]
                if if == 1 { assert assert \"if\" } else { connect if -> else }";
    assert!(errors(text).is_empty(), "{:?}", errors(text));
}

#[test]
fn spans_end_with_the_construct() {
    let text = "design d // name\nconnect a.x -> b /* behind */\n\nplace k at (1, 2)\n";
    let outcome = parse(&file(text));
    let items = outcome.value().map(|program| program.items.clone()).unwrap_or_default();
    let shown: Vec<&str> =
        items.iter().map(|item| &text[item.span.start as usize..item.span.end as usize]).collect();
    assert_eq!(shown, ["design d", "connect a.x -> b", "place k at (1, 2)"]);
}

#[test]
fn words_of_properties_can_be_names() {
    let text = "const window = 4 kernel data[window](in data: window int32[window], out source: window int32[stack]) { source \"d.cc\" }
                connect data[0].source -> data[1].data  const min = 3 const A = min + min(min, 2)";
    assert!(errors(text).is_empty(), "{:?}", errors(text));
}

#[test]
fn misspelt_properties_of_ends_and_connections_are_named() {
    for (text, word) in [
        ("output y to plio(64, \"y.txt\") frequncy 300", "frequency"),
        ("input x from gmio bandwith 100", "bandwidth"),
        ("connect x -> k.a bufer single", "buffer"),
        ("connect x -> k.y fifi 4", "fifo"),
        ("connect x -> k.y\nbufer single", "buffer"),
    ] {
        assert_eq!(help(text), format!("did you mean `{word}`?"), "{text}");
    }
}

/// The text with the first fix of its first error applied.
fn fixed(text: &str) -> String {
    let found = errors(text);
    let fix = found.first().and_then(|fault| fault.fixes.first()).expect("a fix");
    let mut text = text.to_owned();
    for edit in fix.edits.iter().rev() {
        text.replace_range(edit.span.start as usize..edit.span.end as usize, &edit.replacement);
    }
    text
}

#[test]
fn a_fix_of_a_syntax_error_removes_it() {
    let of_kernel = |body: &str| format!("design d\nkernel k(in x: window int32[8]) {{ {body} }}");
    for (text, right) in [
        ("kernal k { }".to_owned(), "kernel k { }".to_owned()),
        (
            "design d\nbcast b over k { data int32[4] }".to_owned(),
            "design d\nbroadcast b over k { data int32[4] }".to_owned(),
        ),
        ("design d;".to_owned(), "design d".to_owned()),
        ("connect a.y -> asinc b.x".to_owned(), "connect a.y -> async b.x".to_owned()),
        (of_kernel("runtime 4e-1"), of_kernel("runtime 0.4")),
        (
            "reduce r over k { op \"+\" data int32[4] }".to_owned(),
            "reduce r over k { op sum data int32[4] }".to_owned(),
        ),
        ("design d /* no end".to_owned(), "design d /* no end*/\n".to_owned()),
        ("device \"toy\"".to_owned(), "device toy".to_owned()),
        (
            "allow may-hang because \"in turn\"".to_owned(),
            "allow \"check/may-hang\" because \"in turn\"".to_owned(),
        ),
        (
            "allow lower/empty-loop because \"later\"".to_owned(),
            "allow \"lower/empty-loop\" because \"later\"".to_owned(),
        ),
        ("connect a -> b fifo = 64".to_owned(), "connect a -> b fifo  64".to_owned()),
        (of_kernel("sorce \"k.cc\""), of_kernel("source \"k.cc\"")),
        (of_kernel("source k"), of_kernel("source \"k\"")),
        (of_kernel("source \"k.cc\" stack 1024"), of_kernel("source \"k.cc\" stack 1024 B")),
        (of_kernel("source \"k.cc\" stack 4 KB"), of_kernel("source \"k.cc\" stack 4 KiB")),
    ] {
        assert_eq!(fixed(&text), right);
        assert!(errors(&right).is_empty(), "{right}: {:?}", errors(&right));
    }
}

/// The help of the first error in a design with this line, or nothing.
fn help_of_line(line: &str) -> String {
    let said = errors(&format!("design d\ndevice xcvc1902\n{line}\n"));
    said.first().map(|fault| fault.help.clone()).unwrap_or_default()
}

#[test]
fn words_of_the_vendor_say_what_to_write_instead() {
    let port = |carries: &str| help_of_line(&format!("kernel k(in x: {carries}) {{ source \"k.cc\" }}"));
    assert!(port("buffer int32[64]").contains("write `window int32[256]`"));
    assert!(port("rtp int32").contains("write `parameter int32`"));
    assert!(port("window int32[64] async").contains("`connect a -> async k.x`"));
    assert!(port("window int32[4][4]").contains("one dimension"));
    assert!(port("window unsigned int[4]").contains("`uint32`"));
    assert!(help_of_line("connect a -> b fifodepth 64").contains("write `fifo 64`"));
    assert!(help_of_line("connect a -> b single").contains("`buffer single`"));
    assert!(help_of_line("shared_buffer sb").contains("memory tile"));
    assert!(help_of_line("graph sub {\n}").contains("`component`"));
    assert!(help_of_line("location k").contains("`place k at (24, 0)`"));
    assert!(help_of_line("at w (1, 1)").contains("`place k at (24, 0)`"));
    assert!(help_of_line("relative_offset a, b").contains("`place b at a + (0, 1)`"));
    assert!(help_of_line("source \"k.cc\"").contains("stand in its braces"));
    for (word, ours) in [("bcast", "broadcast"), ("reduce_all", "allreduce"), ("prefix_sum", "scan")] {
        assert!(
            help_of_line(&format!("{word} b over w {{ data int32[4] }}")).contains(&format!("`{ours}`")),
            "{word}"
        );
    }
    for value in ["[(1, 2)]", "[1 + 2i]", "1j", "[cint16(1, 2)]"] {
        assert!(
            help_of_line(&format!("const W = {value}")).contains("a complex value is two numbers"),
            "{value}"
        );
    }
    for (block, part) in [
        ("for i in 0..4 { kernel k { source \"k.cc\" } }", "an extent makes a family"),
        ("for i in 0..4 { if i { input x from gmio } }", "an extent makes a family"),
        ("for i in 0..4 { barrier b over w[i] {} }", "with a name of its own"),
        ("if N { const M = 3 }", "its expression may choose"),
        ("for i in 0..4 { const M = i }", "its expression may choose"),
        ("component c(in x: stream int32) { iterations 3 }", "outside of all braces"),
    ] {
        assert!(help_of_line(block).contains(part), "{block}: {}", help_of_line(block));
    }
    assert!(help_of_line("input g from host initial {1, 2}").contains("`[1, 2, 3]`"));
    assert!(help_of_line("let N = 4").contains("`const N = 63`"));
    assert!(help_of_line("const HALF = .5").contains("`0.5`"));
    assert!(help_of_line("connect a.y -> b.x fifo 64 B").contains("words of 32 bits, without a unit"));
    let ports = |ports: &str| help_of_line(&format!("kernel k({ports}) {{ source \"k.cc\" }}"));
    assert!(ports("in x[2][3]: window int32[64]").contains("`in x[2 * 3]: window int32[64]`"));
    assert!(ports("out c: cascade acc48[8]").contains("a cascade has no size"));
    assert!(help_of_line("kernel k { source \"k.cc\" repetition_count 4 }").contains("`repetitions 4`"));
    let kernel = |property: &str| help_of_line(&format!("kernel k {{ source \"k.cc\" {property} }}"));
    assert!(kernel("stack 4 KB").contains("`KiB`"));
    assert!(kernel("stack 4 MB").contains("`MiB`"));
    assert!(kernel("stack_size 4096").contains("`stack 4 KiB`"));
    assert!(kernel("heap_size 4096").contains("`heap 1 KiB`"));
    assert!(kernel("location (1, 1)").contains("outside of the kernel"));
    assert!(kernel("header \"k.h\" args (1)").contains("`arguments (TAPS, 8)`"));
    assert!(kernel("init_function \"go\"").contains("`init \"NAME\"`"));
    assert!(port("param int32").contains("write `parameter int32`"));
    assert!(port("circular int32[64]").contains("write `window int32[256]`"));
    assert!(help_of_line("external_buffer b").contains("`gmio`"));
    assert!(port("pktcontrol int32").contains("control packets"));
    assert!(help_of_line("const N = (1 == 1) && (2 == 2)").contains("write `&` once"));
    assert!(help_of_line("assert N > 1 || N > 2 \"n\"").contains("write `|` once"));
    assert!(help_of_line("input x from plio(32, \"x\") freq 300").contains("`frequency 312.5`"));
    assert!(help_of_line("stamp a at (1, 1)").contains("instances of a component"));
    assert!(help_of_line("execution_order a, b").contains("connections alone"));
    assert!(
        help_of_line("kernel k(in x: window int32[8] marginn 8) { source \"k.cc\" }").contains("`margin`")
    );
    assert!(help_of_line("connect a -> k.x tiling 4").contains("memory tiles"));
    assert!(port("window int32[64] num_buffers 3").contains("`buffer single`"));
    assert!(port("window int32[16] dimensions 4").contains("one dimension"));
    assert!(help_of_line("kernel k { source \"k.cc\" fabric pl }").contains("programmable logic"));
    assert!(
        help_of_line("connect a -> k.x async_repetition 4").contains("`connect a -> async k.x windows 4`")
    );
    for (line, part) in [
        ("connect<stream> a.y -> b.x", "the ports say what passes"),
        ("connect(a.out[0], b.in[0])", "the producer first"),
        ("connect a.out[0] -> b.x", "the name that its kernel declares"),
        ("connect a.y => b.x", "an arrow leads"),
        ("connect a.y -> b.x -> c", "a `connect` for each step"),
        ("input x from plio_32_bits(\"x.txt\")", "`plio(32, \"data/x.txt\")`"),
        ("input x from plio(\"x.txt\", 32)", "the width in bits stands first"),
        ("for i in 0...4 { }", "`0..4`"),
        ("connect a[0:4].y -> b.x", "`0..4`"),
        ("connect a[0..=3].y -> b.x", "`0..4`"),
        ("connect a[*].y -> b.x", "`[..]`"),
        ("place a at tile(24, 0)", "`(24, 0)`"),
        ("connect a.y -> split(b.x, c.x)", "the branches are a list"),
        ("connect merge a.y, b.y -> c.x", "behind the arrow"),
        ("input x from file \"x.txt\"", "`gmio(\"data/x.txt\")`"),
        ("input x from gmio \"x.txt\"", "`gmio(\"data/x.txt\")`"),
        ("if 1 { } elif 2 { }", "`else if`"),
        ("#include <adf.h>", "a design is no C++"),
        ("using namespace adf;", "a design is no C++"),
        ("iterations = 4", "leave it out"),
        ("for i in range(4) { }", "`0..4`"),
        ("const M = N ? 3 : 4", "`? :`"),
        ("const M = 2 ** 3", "`1 << 3`"),
        ("assert N > 1 and M > 1 \"both\"", "write `&`"),
        ("kernel k(in x: window<int32, 64>) { }", "`window int32[64]`"),
        ("kernel k(in g: parameter int32 = 3) { }", "`input gain from host initial 3`"),
        ("kernel k { source = \"k.cc\" }", "leave it out"),
        ("connect a -> b fifo = 64", "leave it out"),
        ("kernel k { source \"k.cc\" runtime 40% }", "`runtime 0.4`"),
    ] {
        assert!(help_of_line(line).contains(part), "{line}: {}", help_of_line(line));
    }
    assert!(help_of_line("connect asynch a -> b").contains("`async` instead of `asynch`"));
    assert!(help_of_line("connect a -> asynk k.x").contains("`async` instead of `asynk`"));
    assert!(help_of_line("kernel k(in x: parameter int32 asynch) { source \"k.cc\" }").contains("`async`"));
}

/// The nearest word of what the grammar allows, also where it takes the misspelt one for a name.
#[test]
fn a_misspelt_word_is_told_the_nearest_that_may_stand_there() {
    for (line, found, word) in [
        ("connect k.y -> merg o", "merg", "merge"),
        ("connect a.y -> splitt b.x, c.x", "splitt", "split"),
        ("connect a.y, b.y -> merge orderd join.p", "orderd", "ordered"),
        ("connect k.y -> split form 1 o", "form", "from"),
        ("connect i -> asnc k.x", "asnc", "async"),
        ("connect i -> async k.x window 3", "window", "windows"),
        ("connect a[0..8 stp 2].y -> b.x", "stp", "step"),
        ("place k at shm 3", "shm", "shim"),
        ("place k at (3, 2) bnk 1", "bnk", "bank"),
        ("place k.x at (3, 2) ofset 64", "ofset", "offset"),
        ("region k in (0, 0) too (3, 3)", "too", "to"),
        ("if 1 { } els { }", "els", "else"),
        ("instance b[3] off c", "off", "of"),
        ("kernel k(inn x: window int32[64]) { source \"k.cc\" }", "inn", "in"),
        ("component c(in x: window int32[4]) { place k at shm 3 }", "shm", "shim"),
        ("fro i in 0..4 { }", "fro", "for"),
    ] {
        let text = format!("design d\ndevice xcvc1902\n{line}\n");
        let fault = errors(&text).into_iter().next().expect("a fault");
        assert!(fault.help.contains(&format!("did you mean `{word}`")), "{line}: {}", fault.help);
        let span = fault.labels[0].span;
        assert_eq!(&text[span.start as usize..span.end as usize], found, "{line}");
    }
    // With the word, the text does not go on either.
    for line in ["connect a.y -> merg )", "place k at shm )"] {
        let help = help_of_line(line);
        assert!(!help.contains("merge`") && !help.contains("shim`"), "{line}: {help}");
    }
}

/// Words of other languages are longer or shorter than those here.
#[test]
fn a_word_that_is_too_long_or_too_short_is_told_the_one_that_may_stand_there() {
    for (line, word) in [
        ("kernel k(input x: window int32[64]) { source \"k.cc\" }", "in"),
        ("kernel k(in x: window int32[64], output y: stream int32) { source \"k.cc\" }", "out"),
        ("component c(input x: window int32[64]) { connect x -> k.x }", "in"),
        ("input g from host init 3", "initial"),
        ("kernel k { source \"k.cc\" arg (3) }", "arguments"),
        ("connect a.y -> b.x buf single", "buffer"),
        ("comp c(in x: window int32[64]) { }", "component"),
        ("kernel k(in x: window int32[8],\n input y: window int32[8]) { source \"k.cc\" }", "in"),
        ("kernel k { source \"k.cc\" stacksize 2 KiB }", "stack"),
    ] {
        let found = errors(&format!("design d\ndevice xcvc1902\n{line}\n"));
        let [fault] = found.as_slice() else { panic!("{line}: {found:?}") };
        assert_eq!(fault.help, format!("did you mean `{word}`?"), "{line}");
    }
    let braces = "properties of a kernel stand in its braces";
    assert!(help_of_line("input g from host\ninit \"start\"").starts_with(braces), "on a line of its own");
}

/// The help is that of the item around the place: a block that is closed is over.
#[test]
fn a_number_without_digits_in_front_of_its_point_is_told_so() {
    let point = "a number has digits on both sides of its point: `0.5`, `2.0`";
    for line in [
        "kernel k { source \"k.cc\" runtime .5 }",
        "kernel k[i: 2] { source \"k.cc\" if i == 0 { stack 2 KiB } else { heap 1 KiB } runtime .5 }",
        "input i from plio(32, \"i.txt\") frequency .5",
        "const HALF = .5",
    ] {
        assert_eq!(help_of_line(line), point, "{line}");
    }
    let behind = "kernel k[i: 2] { source \"k.cc\" if i == 0 { stack 2 KiB } else { heap 1 KiB } runtime x }";
    assert!(help_of_line(behind).starts_with("a kernel family is written"), "{}", help_of_line(behind));
}

#[test]
fn what_a_line_lacks_is_missing_at_its_end() {
    for (text, shown, part) in [
        (
            "connect a -> b fifo 64 at (1, 1)\nplace a at b",
            "expected `offset`, found the end of the line [)]",
            "offset 16384",
        ),
        (
            "connect a -> b fifo 16 at switch (1, 1) // the first\n\nplace a at b",
            "expected `number`, found the end of the line [)]",
            "number 0",
        ),
        (
            "place a.x at (1, 1) bank\nconnect a -> b",
            "expected a number, a constant or an expression such as `4 * N`, found the end of the line [k]",
            "bank 1",
        ),
        (
            "connect a -> b fifo\nplace a at b",
            "expected a number, a constant or an expression such as `4 * N`, found the end of the line [o]",
            "`fifo 64`",
        ),
        (
            "kernel k(in x: window int32[8]\nout y: window int32[8]) { }",
            "expected `margin`, `)` or `,`, found the end of the line []]",
            "kernel scale",
        ),
        // A body goes on over lines, and a word on the same line is in the way.
        (
            "kernel k { source \"k.cc\"\nconnect a -> b",
            "expected a property (`source`, `stack`, `heap`, `runtime`, `arguments`, ...) or `}`, found `connect` [connect]",
            "stands outside of these braces",
        ),
        (
            "connect a -> b fifo 64 at (1, 1) place a at b",
            "expected `offset`, found `place` [place]",
            "offset 16384",
        ),
    ] {
        assert_eq!(error(text), shown, "{text}");
        assert!(help(text).contains(part), "{text}: {}", help(text));
    }
}

#[test]
fn a_place_in_the_interface_row_has_one_number() {
    for line in ["place x at shim (5, 1)", "connect a -> b fifo 16 at shim(5, 1) number 0"] {
        let said = help_of_line(line);
        assert!(said.contains("one number") && !said.contains("complex"), "{line}: {said}");
    }
    assert!(!help_of_line("place k at (max(1, 2), (3, 4))").contains("`shim`"));
}
