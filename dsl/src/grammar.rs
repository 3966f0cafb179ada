//! The generated parser and its rules, which `grammar.pest` documents.
#![allow(missing_docs, reason = "the rules are documented in grammar.pest")]

/// The parser of `grammar.pest`.
#[derive(pest_derive::Parser)]
#[grammar = "grammar.pest"]
pub struct Grammar;
