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
pub use paths::{beside, folder_of};
pub use print::{print, print_end};
pub use scan::{imports, table_files};
pub use variables::Variables;

/// The reserved words, which cannot be names in a design. Words that begin an item come first.
pub const RESERVED: [&str; 35] = [
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
    "in",
    "out",
    "over",
    "from",
    "to",
    "at",
    "async",
];

/// The reserved words that begin an item.
const RESERVED_ITEM_WORDS: &[&str] = RESERVED.split_at(28).0;

/// The words that begin an item: the first of [`RESERVED`], and ten that may also be names.
const ITEM_WORDS: [&str; 38] = {
    let mut words = ["if"; 38];
    let mut at = 0;
    while at < 28 {
        words[at] = RESERVED[at];
        at += 1;
    }
    words[28] = "assert";
    words[29] = "import";
    words[30] = "component";
    words[31] = "instance";
    words[32] = "allow";
    words[33] = "channel";
    words[34] = "mailbox";
    words[35] = "active";
    words[36] = "clock";
    words
};
