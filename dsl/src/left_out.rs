//! What the parts of a text that do not parse would declare.
//!
//! Takes the tokens alone. Faults of the other items may follow from a declaration that is left
//! out. A name that is merely used in such a part is declared elsewhere, and its faults stand.

use std::collections::BTreeSet;

use crate::ITEM_WORDS;

/// Words of items behind which a name is used, not declared.
const USING: [&str; 9] =
    ["design", "device", "board", "ports", "connect", "place", "region", "together", "apart"];

/// The parts of a text that its tree leaves out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// All words and signs of these parts.
    pub words: BTreeSet<String>,
    /// Names that they declare, and names whose number of instances they give.
    pub names: BTreeSet<String>,
    /// Ports and settings that they declare, each behind the name of its kernel or component.
    pub members: BTreeSet<(String, String)>,
}

impl LeftOut {
    /// The parts of the tokens `words` that are not `live`.
    pub(crate) fn of(words: &[&str], live: &[bool]) -> Self {
        let mut of = Self::default();
        let mut owner = "";
        for (at, &word) in words.iter().enumerate() {
            let before = |back: usize| at.checked_sub(back).map_or("", |at| words[at]);
            let behind = words.get(at + 1).copied().unwrap_or_default();
            if is_name(word) && matches!(before(1), "kernel" | "component") {
                owner = word;
            } else if word == "instance" {
                owner = "";
            }
            if live[at] {
                continue;
            }
            of.words.insert(word.to_owned());
            if word == "[" && is_declared(before(2), before(1)) {
                of.names.insert(before(1).to_owned());
            }
            if !is_name(word) {
                continue;
            }
            let is_variable = before(1) == "[" && behind == ":";
            if is_variable || is_declaring(before(1), behind) {
                of.names.insert(word.to_owned());
            }
            let is_setting = behind == "=" && matches!(before(1), "(" | ",");
            let is_port = matches!(before(1), "in" | "out" | "inout") && behind == ":";
            if !owner.is_empty() && (is_setting || is_port) {
                of.members.insert((owner.to_owned(), word.to_owned()));
            }
        }
        of
    }
}

fn is_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
}

/// True if the word `before` declares the name between it and `behind`.
fn is_declaring(before: &str, behind: &str) -> bool {
    match before {
        "buffer" => behind == ":",
        "handler" => true,
        _ => ITEM_WORDS.contains(&before) && !USING.contains(&before),
    }
}

/// True if `word` declares `name`, behind which a bracket opens.
fn is_declared(word: &str, name: &str) -> bool {
    is_name(name) && is_declaring(word, "[")
}
