//! What is left of texts with syntax errors, and what may be completed in them.

use std::collections::BTreeSet;

use aiec_diag::{SourceFile, SourceId};
use aiec_dsl::ast::{Item, ItemKind};
use aiec_dsl::{Expected, LeftOut, Names, Recovered, expected, recover};

fn file(text: &str) -> SourceFile {
    SourceFile { id: SourceId(0), name: "a.dsl".into(), text: text.into() }
}

/// The first two words of every item, with those of the items inside in brackets.
fn shown(items: &[Item], text: &str) -> String {
    let words = |item: &Item| {
        let whole = &text[item.span.start as usize..item.span.end as usize];
        let words: Vec<&str> =
            whole.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
        words[..words.len().min(2)].join(" ")
    };
    let one = |item: &Item| match &item.kind {
        ItemKind::Component(component) => format!("{} [{}]", words(item), shown(&component.body.items, text)),
        ItemKind::For(inner) => format!("{} [{}]", words(item), shown(&inner.body, text)),
        _ => words(item),
    };
    items.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// The items of `text` and the number of its errors.
fn kept(text: &str) -> (String, usize) {
    let Recovered { program, diagnostics, .. } = recover(&file(text));
    (shown(&program.items, text), diagnostics.len())
}

#[test]
fn a_half_typed_line_costs_its_item_alone() {
    for (text, items, errors) in [
        (
            "design d\nkernel a {\nkernel b { source \"b.cc\" }\nconnect a -> b",
            "design d, kernel b, connect a",
            1,
        ),
        ("design d\nconnect a[ -> b\nplace k at (1, 2)", "design d, place k", 1),
        ("design d\nconnect a ->\nplace k at (1, 2)\nconst N =", "design d, place k", 2),
        ("design d kernal k { source \"k.cc\" } connect a -> b", "design d, connect a", 1),
        ("design d }\nconnect a -> b", "design d, connect a", 1),
        ("kernel k { sorce \"k.cc\" stack 1 KiB }\nconnect a -> b", "kernel k, connect a", 1),
        ("kernel k { source \"k.cc }\ndesign d", "design d", 1),
        ("design d kernel k { } /* no end", "design d, kernel k", 1),
        ("design d kernel k { /* no end", "design d", 1),
        ("design d\nimport\nimport \"b.dsl\"", "design d, import b", 1),
    ] {
        assert_eq!(kept(text), (items.to_owned(), errors), "{text}");
    }
}

#[test]
fn an_item_whose_word_may_be_a_name_stays_behind_a_half_typed_line() {
    for half in [
        "connect a.",
        "connect a.q ->",
        "reduce t over",
        "reduce t over a { op",
        "input q from plio(64,",
        "together a,",
        "channel h over a { data int32[4] to (r,",
        "iterations",
        "allow",
    ] {
        for (item, words) in [
            ("mailbox box over a { root s max 64 B }", "mailbox box"),
            ("channel ch over a { data int32[4] shift 1 }", "channel ch"),
            ("clock time over a { }", "clock time"),
            ("active act on s from a { handler f(x: int32) }", "active act"),
            ("component part(in x: window int32[4]) { }", "component part []"),
            ("instance one of part", "instance one"),
            ("instance two[2] of part", "instance two"),
            ("import \"b.dsl\"", "import b"),
        ] {
            let text = format!("design d\n{half}\n{item}\nconnect a -> b\n");
            let Recovered { program, diagnostics, .. } = recover(&file(&text));
            assert_eq!(shown(&program.items, &text), format!("design d, {words}, connect a"), "{text}");
            let lines = diagnostics.iter().map(|fault| {
                let start = fault.span().map_or(0, |span| span.start as usize);
                text[..start].matches('\n').count()
            });
            assert_eq!(lines.collect::<Vec<_>>(), [1], "the fault stands in the half-typed line: {text}");
        }
    }
    // The words are still names.
    let text = "connect a ->\nchannel buffer single\nconnect b -> c\ndesign";
    assert_eq!(kept(text), ("connect a, connect b".to_owned(), 1));
}

#[test]
fn items_around_an_error_and_inside_of_its_neighbours_stay() {
    let of = |line: &str| {
        format!(
            "component c(in x: window int32[4]) {{\n  kernel a {{ }}\n  {line}\n  kernel b {{ }}\n}}\ndesign d\n"
        )
    };
    for line in ["connect a. -> ", "kernel k {", "kernel k(", "place k at (1, ", "} x {", "for i in 0.. {"] {
        let text = of(line);
        let (items, errors) = kept(&text);
        assert!(errors > 0 && items.contains("kernel a") && items.ends_with("design d"), "{line}: {items}");
        assert!(items.contains("kernel b"), "{line}: {items}");
    }
    let (items, errors) = kept("for i in 0..2 {\n connect a -> \n connect b -> c\n}\ndesign d");
    assert_eq!((items.as_str(), errors), ("for i [connect b], design d", 1));
    let open = "component c(in x: window int32[4]) {\n  kernel a { }\n  kernel b { }\n";
    assert_eq!(kept(open), ("kernel a, kernel b".to_owned(), 1), "no end");
}

#[test]
fn places_are_those_of_the_file_and_left_out_words_are_known() {
    let text = "connect a -> \u{e4}\nkernel k { stack }\nconnect p.y -> q.x\n";
    let Recovered { program, left_out, .. } = recover(&file(text));
    let last = program.items.last().unwrap().span;
    assert_eq!(&text[last.start as usize..last.end as usize], "connect p.y -> q.x");
    let words = ["->", "connect", "a", "kernel", "k", "stack", "{", "}", "\u{e4}"];
    assert_eq!(left_out.words, words.map(str::to_owned).into_iter().collect::<BTreeSet<_>>());
}

#[test]
fn what_is_left_out_declares_names_and_ports_and_only_uses_others() {
    let of = |text: &str| {
        let LeftOut { names, members, .. } = recover(&file(text)).left_out;
        let members = members.into_iter().map(|(owner, member)| format!("{owner}.{member}"));
        names.into_iter().chain(members).collect::<Vec<_>>().join(" ")
    };
    let rest = "\nconnect a.y -> b.x\n";
    for (half, declared) in [
        ("connect a.y -> ", ""),
        ("place a at (1, ", ""),
        ("device ", ""),
        ("const N = ", "N"),
        ("kernel b(in x: window", "b b.x"),
        ("kernel b[r: N {", "b r"),
        ("kernel b(in x: window int33, out y: window int32[4]) { source \"b.cc\" }", "b b.x b.y"),
        ("kernel b(in x: window int32[4]) { stack }", "b b.x"),
        ("kernel b(in x: window int32[4]) { stakc 4 KiB }", ""),
        ("kernel b[4] { source \"b.cc\" ", "b"),
        ("component c(T = ", "c c.T"),
        ("instance one of c(T = ", "one"),
        ("channel ring over ", "ring"),
        ("active s on a from b { handler put(slot: ", "put s"),
        ("input i[2] from gm", "i"),
        ("for k in 0.. {", "k"),
    ] {
        assert_eq!(of(&format!("{half}{rest}")), declared, "{half}");
    }
}

#[test]
fn the_time_does_not_grow_with_the_number_of_errors_squared() {
    for part in [
        "kernel k {\n",
        "connect a -> \n",
        "\"\n",
        "}\n",
        "for i in 0..1 { connect x\n}\n",
        "a b c\n",
        "if {\n",
    ] {
        let text = part.repeat(4_000);
        assert!(!recover(&file(&text)).diagnostics.is_empty());
    }
}

/// What may stand at `|`.
fn at(text: &str) -> Expected {
    let offset = text.find('|').expect("a mark");
    expected(&file(&text.replace('|', "")), offset)
}

#[test]
fn the_grammar_knows_words_and_names_that_may_follow() {
    let has = |text: &str, word: &str| at(text).words.contains(&word.to_owned());
    assert!(has("des|", "design") && has("design d\n|", "kernel") && has("design d\nkernel k { |", "source"));
    assert!(has("reduce r over k { sha|", "shape") && !has("reduce r over k { sha|", "source"));
    assert!(has("for i in 0..4 { |", "connect") && !has("for i in 0..4 { |", "kernel"));
    assert!(has("connect a -> b |", "buffer") && has("connect a -> |", "async"));
    assert!(has("kernel k(in x: |", "window") && has("kernel k(|", "inout"));
    assert!(has("input a from |", "gmio") && has("connect\nconnect a\nkernel k { stack 4 |", "KiB"));
    let names = |text: &str| at(text).names;
    assert_eq!(names("connect a -> |"), [Names::References]);
    assert_eq!(names("connect one[2].two[i + 1].|"), [Names::Members(vec!["one".into(), "two".into()])]);
    assert_eq!(names("const N = 2 * |"), [Names::Values]);
    assert_eq!(names("kernel k(in x: window |"), [Names::Types]);
    assert_eq!(names("instance a of |"), [Names::Behind("of".into())]);
    assert_eq!(names("kernel |"), [], "a new name");
    let active = "kernel k { }\nactive z on ";
    for (line, wanted) in [
        ("|", Names::Kernels),
        ("k from |", Names::Kernels),
        ("k from a, |", Names::Kernels),
        ("k from a { handler q(x: |", Names::Types),
        ("k from a { handler q(x: int32) -> |", Names::Types),
        ("k from a { buffer q: |", Names::Types),
    ] {
        assert_eq!(names(&format!("{active}{line}")), [wanted], "{line}");
    }
    assert_eq!(names("reduce r over a, |"), [Names::Kernels]);
    assert_eq!(names("mailbox m over a { root |"), [Names::Kernels]);
    assert_eq!(names("reduce r over one.|"), [Names::KernelsIn(vec!["one".into()])]);
    assert_eq!(names("place |"), [Names::Placed]);
    assert_eq!(names("channel c over a { peers |"), [Names::Behind("peers".into())]);
    assert_eq!(names("const N = len(|"), [Names::Tables]);
    let settings = |set: &[&str]| {
        let set = set.iter().map(|name| (*name).to_owned()).collect();
        vec![Names::Settings("fir".into(), set)]
    };
    assert_eq!(names("instance a[4] of fir(|"), settings(&[]));
    assert_eq!(names("instance a of fir(TAPS = min(1, 2), |"), settings(&["TAPS"]));
    assert_eq!(names("instance a of fir(TAPS = |"), [Names::Values]);
    assert_eq!(names("component fir(|"), [], "a new name");
    for word in ["allow", "vitis"] {
        let quoted = at(&format!("{word} \"che|"));
        assert_eq!((quoted.start, quoted.names), (word.len() + 2, vec![Names::Behind(word.into())]));
    }
    assert_eq!(at("kernel k { }\nclock c over k { |").item, "clock");
    for text in ["// con|", "/* con| */", "kernel k { source \"con|", "kernel k { source \"con|\" }"] {
        assert_eq!((at(text).words.len(), at(text).names.len()), (0, 0), "{text}");
    }
    assert_eq!(at("design d con|st").start, 9);
}

#[test]
fn expressions_know_the_variables_of_their_place() {
    let variables = |text: &str| at(text).variables;
    let given = |text: &str| variables(&format!("channel c over a, b[1..][i].k {{ {text}|")).given.to_vec();
    assert_eq!(given("to "), ["rank"]);
    assert_eq!(given("data int32[4] to (1, "), ["rank"]);
    assert_eq!(given("reference 3 + "), ["rank", "i", "call"]);
    assert_eq!(given("reference size * max(2, "), ["rank", "i", "call"], "`size` and `max` are operands");
    assert_eq!(given("op max reference "), ["rank", "i", "call"]);
    assert_eq!(given("op max from \"x.h\" size reference "), ["rank", "i", "call"]);
    assert_eq!(given("reference -"), ["rank", "i", "call"]);
    assert_eq!(given("reference 1 depth "), [""; 0]);
    assert_eq!(given("reference 1 data int32["), [""; 0]);
    assert_eq!(given("reference 1 headed root a["), [""; 0]);
    assert_eq!(given("to 1 depth 2 shift max("), ["rank"]);
    let families = variables("channel c over a, b[1..][i].k { to |").families;
    assert_eq!(families, [vec!["a"], vec!["b", "k"]]);
    let indices = |text: &str| variables(text).indices;
    assert_eq!(indices("kernel k[r: 2][4][c: 3](in x: stream int32) { repetitions |"), ["r", "c"]);
    assert_eq!(indices("kernel k[r: 2][c: |"), [""; 0], "they hold in the body alone");
    assert_eq!(indices("instance k[r: 2] of fir(N = |"), ["r"]);
}

#[test]
fn any_cut_of_a_design_has_a_tree_and_completions() {
    let text = include_str!("../../examples/modules/matmul.dsl");
    for cut in (0..text.len()).step_by(13) {
        let without = format!("{}{}", &text[..cut], &text[(cut + 4).min(text.len())..]);
        for broken in [&text[..cut], &without] {
            let Recovered { program, .. } = recover(&file(broken));
            let ends: Vec<(u32, u32)> =
                program.items.iter().map(|item| (item.span.start, item.span.end)).collect();
            assert!(ends.iter().all(|(start, end)| start < end && *end as usize <= broken.len()), "{cut}");
            assert!(ends.windows(2).all(|pair| pair[0].1 <= pair[1].0), "{cut}: items follow each other");
            expected(&file(broken), cut);
        }
    }
}
