//! The designs in `docs/language.md` are complete and give no diagnostics.

use aiec_diag::SourceId;

use crate::common;

const TEXT: &str = include_str!("../../docs/language.md");

/// The fenced blocks marked `aiec`.
fn blocks() -> Vec<&'static str> {
    let blocks = TEXT.split("\n```aiec\n").skip(1);
    blocks.map(|rest| rest.split_once("\n```").map_or(rest, |(block, _)| block)).collect()
}

#[test]
fn every_design_lowers_and_expands_without_a_word() {
    let blocks = blocks();
    assert!(blocks.len() >= 10, "one for every construct");
    for block in blocks {
        let expanded = common::expanded(block);
        assert!(!expanded.kernels.is_empty());
    }
}

#[test]
fn every_port_of_the_designs_is_connected() {
    for block in blocks() {
        let expanded = common::expanded(block);
        for (id, port) in expanded.ports.enumerate() {
            let hosted = expanded.parameters.iter().any(|host| host.ports.contains(&id));
            let served = hosted || expanded.is_table(id) || !port.connections.is_empty();
            assert!(served, "{} in\n{block}", expanded.port_name(id));
        }
    }
}

#[test]
fn every_construct_has_an_example() {
    let text: String = blocks().join("\n");
    let words = "design device iterations ports const kernel reduce input output connect place for async source stack heap op \
                 data window root tree buffer calls cycles reference plio gmio host parameter initial min max << .. if else assert component instance step len == & ! [r:";
    for word in words.split_whitespace().filter(|word| *word != "min") {
        assert!(text.contains(word), "no example of `{word}`");
    }
}

#[test]
fn every_design_survives_the_formatter() {
    for block in blocks() {
        let sources = common::sources(block);
        let file = sources.get(SourceId(0)).expect("added above");
        let outcome = aiec_dsl::parse(file);
        let printed = aiec_dsl::print(file, outcome.value().expect("a design"));
        assert_eq!(
            printed.matches("//").count(),
            block.matches("//").count(),
            "comments are kept in\n{printed}"
        );
        let again = common::expanded(&printed);
        let before = common::expanded(block);
        assert_eq!(again.connections.len(), before.connections.len());
    }
}
