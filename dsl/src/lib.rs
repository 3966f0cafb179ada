//! The language: text to syntax tree and back.
//!
//! [`parse()`] takes the text of a design and returns an [`ast::Program`] with the place of every
//! part; [`recover()`] does so for a text with errors, as far as it goes. [`print()`] turns the
//! program into its canonical form with its comments. Names are not resolved here and no value is
//! computed.

pub mod ast;
mod dump;
mod errors;
mod expect;
mod grammar;
mod left_out;
mod parse;
mod paths;
mod pieces;
mod print;
mod recover;
mod scan;
mod tree;
mod variables;
mod words;

pub use dump::dump;
pub use expect::{End, Expected, Names, expected};
pub use left_out::LeftOut;
pub use parse::{Recovered, parse, recover};
pub use paths::{beside, folder_of, without_detours};
pub use print::{print, print_end, print_reference};
pub use scan::{imports, table_files};
pub use variables::Variables;

/// The reserved words, which cannot be names in a design. Words that begin an item come first.
pub const RESERVED: [&str; RESERVED_ITEM_WORDS.len() + RESERVED_OTHERS.len()] =
    joined(&RESERVED_ITEM_WORDS, &RESERVED_OTHERS);

/// The reserved words that begin an item.
const RESERVED_ITEM_WORDS: [&str; 28] = [
    "design",
    "device",
    "vitis",
    "board",
    "iterations",
    "ports",
    "const",
    "kernel",
    "reduce",
    "allreduce",
    "broadcast",
    "gather",
    "allgather",
    "scatter",
    "reduce_scatter",
    "alltoall",
    "scan",
    "barrier",
    "sendrecv",
    "input",
    "output",
    "connect",
    "place",
    "region",
    "together",
    "apart",
    "keepout",
    "for",
];

/// The other reserved words.
const RESERVED_OTHERS: [&str; 7] = ["in", "out", "over", "from", "to", "at", "async"];

/// What stands behind a word in an item alone, so that there the word is no name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Behind {
    /// A name and then one of these.
    Name(&'static [&'static str]),
    /// A text in quotes.
    Text,
    /// An expression, as behind no name.
    Expression,
}

/// The words that begin an item and may also be names. A new word of the language is one of these,
/// so that every design keeps its meaning.
const FREE_ITEM_WORDS: [(&str, Behind); 10] = [
    ("assert", Behind::Expression),
    ("import", Behind::Text),
    ("component", Behind::Name(&["("])),
    ("instance", Behind::Name(&["of", "["])),
    ("allow", Behind::Text),
    ("channel", Behind::Name(&["over"])),
    ("mailbox", Behind::Name(&["over"])),
    ("active", Behind::Name(&["on"])),
    ("clock", Behind::Name(&["over"])),
    ("if", Behind::Expression),
];

/// The words that begin an item.
const ITEM_WORDS: [&str; RESERVED_ITEM_WORDS.len() + FREE_ITEM_WORDS.len()] = {
    let mut free = [""; FREE_ITEM_WORDS.len()];
    let mut at = 0;
    while at < free.len() {
        free[at] = FREE_ITEM_WORDS[at].0;
        at += 1;
    }
    joined(&RESERVED_ITEM_WORDS, &free)
};

/// `first` and then `rest`, which have `N` words together.
const fn joined<const N: usize>(first: &[&'static str], rest: &[&'static str]) -> [&'static str; N] {
    let mut words = [""; N];
    let mut at = 0;
    while at < N {
        words[at] = if at < first.len() { first[at] } else { rest[at - first.len()] };
        at += 1;
    }
    words
}
