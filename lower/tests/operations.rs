//! The operations of the table stand in the grammar, the header library and the documents.

use std::collections::BTreeSet;

use aiec_collectives::Operation;

/// The text between the first `from` and the first `to` behind it.
fn between<'a>(text: &'a str, from: &str, to: &str) -> &'a str {
    let (_, rest) = text.split_once(from).expect("the text has the place");
    rest.split_once(to).expect("the place ends").0
}

/// The words in quotes.
fn quoted(text: &str) -> BTreeSet<&str> {
    text.split('"').skip(1).step_by(2).collect()
}

fn names() -> BTreeSet<&'static str> {
    Operation::ALL.into_iter().map(Operation::name).collect()
}

/// The operations that one call does. A channel is opened.
fn called() -> BTreeSet<&'static str> {
    let all = Operation::ALL.into_iter().filter(|operation| !operation.row().is_channel());
    all.map(|operation| operation.row().called()).collect()
}

#[test]
fn the_grammar_and_its_description_have_the_operations() {
    let grammar = include_str!("../../dsl/src/grammar.pest");
    let language = include_str!("../../docs/language.md");
    // Active messages are written in their own way.
    let over: BTreeSet<&str> = names().into_iter().filter(|&name| name != "active").collect();
    assert_eq!(quoted(between(grammar, "\noperation ", "!word")), over);
    assert_eq!(quoted(between(language, "\n    operation ", "\n    collective-property ")), over);
    let reserved: BTreeSet<&str> = aiec_dsl::RESERVED.into_iter().collect();
    let free: BTreeSet<&str> = names().difference(&reserved).copied().collect();
    let heads = between(grammar, "\nnew_exchange ", "\n").split("kw_").skip(1);
    let heads: BTreeSet<&str> = heads.filter_map(|word| word.split([' ', ')']).next()).collect();
    assert_eq!(&heads - &BTreeSet::from(["on", "over"]), free, "operations whose words may be names");
    assert_eq!(names().len() - free.len(), 11, "a new word may be a name: a design may have it as one");
    for name in names() {
        assert!(language.contains(&format!("\n| `{name}` |")), "`{name}` has a row of operations");
    }
}

#[test]
fn the_header_library_has_the_operations() {
    let header = include_str!("../../codegen/library/aiec/member.h");
    let list = between(header, "#define AIEC_OPERATIONS(each)", "\n\n");
    let words: BTreeSet<&str> =
        list.split("each(").skip(1).filter_map(|word| Some(word.split_once(')')?.0)).collect();
    assert_eq!(words, called());
}

#[test]
fn the_matrix_calls_every_operation() {
    let calls = include_str!("../../tests/matrix/mpi.h");
    for name in called() {
        assert!(calls.contains(&format!("comm.{name}(")), "mpi.h calls `{name}`");
    }
}
