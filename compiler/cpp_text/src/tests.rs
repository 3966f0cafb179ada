//! The tokens of texts, and what holds for the tokens of every text.

use proptest::prelude::*;

use super::Kind::{Character, Comment, Directive, Header, Mark, Number, Raw, Text, Word};
use super::{
    Kind, arguments, blanked_code, code, directives, includes, opened, quoted_includes, tokens,
    with_plain_blanks,
};

/// Kinds and texts of the tokens.
fn of(text: &str) -> Vec<(Kind, &str)> {
    tokens(text).map(|token| (token.kind, token.text)).collect()
}

fn words(text: &str) -> Vec<&str> {
    code(text).map(|token| token.text).collect()
}

#[test]
fn words_numbers_and_marks_are_code() {
    assert_eq!(of("a_1 ::b$"), [(Word, "a_1"), (Mark, ":"), (Mark, ":"), (Word, "b$")]);
    let numbers = "1'000u .5f 0x1p-3 1.5e+3 1..2";
    assert!(of(numbers).iter().all(|(kind, _)| *kind == Number), "{:?}", of(numbers));
    assert_eq!(words("x=1-2"), ["x", "=", "1", "-", "2"]);
}

#[test]
fn white_space_beyond_ascii_is_white_space_outside_of_literals_and_comments() {
    let text =
        "int\u{a0}é =\u{3000}1\u{2009};\n\u{a0}#\u{a0}define\u{a0}A\u{a0}1\n\"\u{a0}\" // \u{a0}\n\u{a0}";
    assert_eq!(words(text), ["int", "é", "=", "1", ";"]);
    assert_eq!(directives(text).next().expect("there").words(), ["A", "1"]);
    let plain = with_plain_blanks(text).expect("blanks");
    assert_eq!(plain.len(), text.len(), "columns in bytes stay");
    assert!(plain.starts_with("int  é =   1   ;\n  #"), "{plain}");
    assert!(plain.ends_with("\"\u{a0}\" // \u{a0}\n  "), "literals and comments stay: {plain}");
    for text in ["int é;", "\u{feff}int x;", "\"\u{a0}\"", "// \u{a0}", "a\u{200b}b"] {
        assert_eq!(with_plain_blanks(text), None, "{text}");
    }
}

#[test]
fn literals_hide_what_looks_like_code() {
    assert_eq!(of("'\"' ';'"), [(Character, "'\"'"), (Character, "';'")]);
    assert_eq!(
        of(r#"'\'' u8"\"//" L'x'"#),
        [(Character, r"'\''"), (Text, r#"u8"\"//""#), (Character, "L'x'")]
    );
    assert_eq!(of("1'000'000;'1'"), [(Number, "1'000'000"), (Mark, ";"), (Character, "'1'")]);
    let raw = "R\"x(a)\" /*\n)x\"";
    assert_eq!(of(&format!("{raw}_s u8R\"()\"")), [(Raw, raw), (Word, "_s"), (Raw, "u8R\"()\"")]);
    assert_eq!(of("STR\"(\" R\"a b(\""), [(Word, "STR"), (Text, "\"(\""), (Word, "R"), (Text, "\"a b(\"")]);
}

#[test]
fn comments_end_where_they_do_for_a_compiler() {
    assert_eq!(
        of("/*/////\n{ */ a // b\nc"),
        [(Comment, "/*/////\n{ */"), (Word, "a"), (Comment, "// b"), (Word, "c")]
    );
    assert_eq!(of("// a \\\nb\nc"), [(Comment, "// a \\\nb"), (Word, "c")]);
    assert_eq!(of("/\\\n/ a\r\nb"), [(Comment, "/\\\n/ a"), (Word, "b")]);
    assert_eq!(of("/\\\n* a *\\ \n/b"), [(Comment, "/\\\n* a *\\ \n/"), (Word, "b")]);
}

#[test]
fn what_does_not_end_ends_with_its_line_or_the_text() {
    assert_eq!(of("\"a\nb"), [(Text, "\"a"), (Word, "b")]);
    assert_eq!(of("'a\r\nb"), [(Character, "'a"), (Word, "b")]);
    assert_eq!(of("\"a\\\nb\"c"), [(Text, "\"a\\\nb\""), (Word, "c")]);
    assert_eq!(of("/* a\nb"), [(Comment, "/* a\nb")]);
    assert_eq!(of("R\"(a\nb"), [(Raw, "R\"(a\nb")]);
    assert_eq!(of("\"a\\"), [(Text, "\"a\\")]);
}

#[test]
fn a_directive_is_one_token_with_its_continuations() {
    let define = "#define F(x) \\\n  x /* of\n two */ + 1";
    assert_eq!(
        of(&format!("{define}\n a # b")),
        [(Directive, define), (Word, "a"), (Mark, "#"), (Word, "b")]
    );
    assert_eq!(of("/* a */ # if 1\nb"), [(Comment, "/* a */"), (Directive, "# if 1"), (Word, "b")]);
    assert_eq!(of("#error don't\nb"), [(Directive, "#error don't"), (Word, "b")]);
    assert_eq!(of("# 1 \"a/*.cc\" 3\nb"), [(Directive, "# 1 \"a/*.cc\" 3"), (Word, "b")]);
    assert_eq!(of("\u{feff}#pragma once\r\n"), [(Directive, "#pragma once")]);
    let inside: Vec<(Kind, &str)> =
        opened("#include <a//b> // c\nd").map(|one| (one.kind, one.text)).collect();
    let wanted = [(Mark, "#"), (Word, "include"), (Header, "<a//b>"), (Comment, "// c"), (Word, "d")];
    assert_eq!(inside, wanted);
}

#[test]
fn directives_have_a_name_and_words_without_comments() {
    let text = "#ifdef A /* b */\n# 3 \"f\"\n#\n";
    let all: Vec<(&str, Vec<&str>)> = directives(text).map(|one| (one.name, one.words())).collect();
    assert_eq!(all, [("ifdef", vec!["A"]), ("", vec!["3", "\"f\""]), ("", vec![])]);
    let text = "#include <adf.h>\n  # include \"util.h\"\n// #include \"no.h\"\n/*\n#include \"no.h\"\n*/\n\
                #include \"sub/x.h\" // why\n#include FILE\n";
    assert_eq!(includes(text).collect::<Vec<_>>(), ["<adf.h>", "\"util.h\"", "\"sub/x.h\"", "FILE"]);
    assert_eq!(quoted_includes(text).collect::<Vec<_>>(), ["util.h", "sub/x.h"]);
}

#[test]
fn blanks_keep_bytes_and_lines() {
    assert_eq!(blanked_code("a /* ä\n */ \"x\" 1"), "a      \n        1");
}

/// Texts of pieces that begin, end and splice tokens.
fn texts() -> impl Strategy<Value = String> {
    const PIECES: [&str; 24] = [
        "a", "1", "R", "u8", "\"", "'", "\\", "\n", "\r\n", "/", "*", "#", "include ", "<", ">", "(", ")",
        "x", " ", ".", "e", "+", "ä", "\u{feff}",
    ];
    prop::collection::vec(prop::sample::select(&PIECES[..]), 0..40).prop_map(|pieces| pieces.concat())
}

fn holds(text: &str) {
    let mut done = 0;
    for token in tokens(text) {
        let between = &text[done..token.start];
        let is_blank = |c: char| c.is_whitespace() || matches!(c, '\\' | '\u{feff}' | '\u{180e}');
        assert!(between.chars().all(is_blank), "{text:?} loses {between:?}");
        assert!(!token.text.is_empty() && text[token.range()] == *token.text, "{text:?}: {token:?}");
        done = token.end();
    }
    assert!(opened(text).all(|token| text[token.range()] == *token.text), "{text:?}");
    let blanked = blanked_code(text);
    assert_eq!((blanked.len(), blanked.lines().count()), (text.len(), text.lines().count()), "{text:?}");
    for directive in directives(text) {
        assert!(directive.rest.iter().all(|token| token.end() <= directive.whole.end()), "{text:?}");
    }
}

proptest! {
    #[test]
    fn tokens_and_white_space_are_the_whole_of_every_text(text in texts()) {
        holds(&text);
    }

    #[test]
    fn any_bytes_have_tokens(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        holds(&String::from_utf8_lossy(&bytes));
    }
}

/// Each of these texts makes a lexer that looks back or ahead too far quadratic.
#[test]
fn a_long_text_takes_linear_time() {
    const PIECES: [&str; 14] = [
        "/*/",
        "R\"x(",
        "\"",
        "'",
        "\\\n",
        "/\\\n",
        "#",
        "#include <",
        "1'",
        "*\\ \n/",
        "R\"(",
        "u8R\"",
        "\\ ",
        "a",
    ];
    for first in ["", "//", "/*", "#", "\"", "a", "1"] {
        for piece in PIECES {
            let text = first.to_owned() + &piece.repeat(20_000);
            assert!(tokens(&text).count() <= text.len());
        }
    }
}

#[test]
fn arguments_stand_between_commas_outside_of_brackets() {
    assert_eq!(arguments("int, pair<int, 3>, f(1, 2), {1, 2}, a[x, y]").len(), 5);
    assert_eq!(arguments(" int ,, 3"), ["int", "", "3"]);
    assert_eq!(arguments("a> , b"), ["a>", "b"], "a bracket too many opens none");
    assert_eq!(arguments(""), [""]);
}
