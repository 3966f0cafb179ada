//! What may follow at a place in a text: for an editor that completes words.
//!
//! The grammar answers: the text up to the place is parsed with a token behind it that no rule
//! takes, and the parser lists the rules that could go on.

use aiec_diag::SourceFile;

use crate::grammar::Rule;
use crate::pieces::Pieces;
use crate::recover::{NOTHING, Recovery};
use crate::scan::{Scan, TokenKind, scan};
use crate::variables::{Variables, variables};
use crate::words::nearest::beginning;

/// What may stand at a place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Expected {
    /// First byte of the word that is being written.
    pub start: usize,
    /// Words of the language, sorted.
    pub words: Vec<String>,
    /// Names that are declared elsewhere.
    pub names: Vec<Names>,
    /// The end of a connection at the place.
    pub end: Option<End>,
    /// The word of the item that the place is in, such as `reduce`. Empty without one.
    pub item: String,
    /// What an expression knows there besides constants and loop variables.
    pub variables: Variables,
}

/// An end of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// In front of the arrow: what gives data.
    Producing,
    /// Behind the arrow: what takes data.
    Consuming,
}

/// A kind of names.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Names {
    /// Constants, loop variables and named indices, for an expression.
    Values,
    /// Ends of connections: kernels, collectives with a port, inputs, outputs, instances, and ports
    /// of the component around.
    References,
    /// Kernels, and instances that have some.
    Kernels,
    /// What has a place: kernels, inputs, outputs, and instances that have some.
    Placed,
    /// What these names, joined by dots, have inside: ports, or what a component declares.
    Members(Vec<String>),
    /// The kernels and instances that these names, joined by dots, have inside.
    KernelsIn(Vec<String>),
    /// Element types.
    Types,
    /// Constant tables.
    Tables,
    /// The constants of this component that no setting in front of the place sets.
    Settings(String, Vec<String>),
    /// The names that this word has behind it, such as those of devices behind `device`.
    Behind(String),
}

/// What may stand at byte `offset` of a text, in place of the word there. Nothing is expected
/// inside of comments, and of strings but those behind `allow` and `vitis`.
pub fn expected(file: &SourceFile, offset: usize) -> Expected {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let before = file.text.get(..offset).unwrap_or_default();
    let start = before.trim_end_matches(is_word).len();
    let nothing = Expected { start, ..Expected::default() };
    let text = format!("{}{NOTHING}", &before[..start]);
    let cut = SourceFile { id: file.id, name: file.name.clone(), text };
    let Ok(scan) = scan(&cut) else { return nothing };
    if let Some(quoted) = quoted(&cut, &scan) {
        return quoted;
    }
    // A string without an end, or a comment, takes the last character.
    let last = scan.tokens.last().filter(|token| token.range.start == start);
    if last.is_none_or(|token| token.kind != TokenKind::Symbol) {
        return nothing;
    }
    let rules = Recovery::new(&cut, &scan).expected_at_end(None);
    let tokens: Vec<&str> = scan.tokens.iter().map(|token| &cut.text[token.range.clone()]).collect();
    let pieces = Pieces::of(&cut.text, &scan.tokens);
    let item = (0..tokens.len()).rev().find(|at| pieces.begins(*at));
    let of_item = &tokens[item.unwrap_or(0)..tokens.len() - 1];
    let inside: Vec<&str> = of_item.iter().rev().copied().collect();
    let item = item.map_or("", |at| tokens[at]);
    let mut words: Vec<String> = rules.iter().flat_map(|rule| beginning(*rule)).collect();
    let mut names: Vec<Names> = rules.iter().filter_map(|rule| names_of(*rule, item, &inside)).collect();
    words.sort();
    words.dedup();
    names.sort();
    names.dedup();
    let end = if inside.contains(&"->") { End::Consuming } else { End::Producing };
    let is_expression = !item.is_empty() && names.contains(&Names::Values);
    let variables = if is_expression { variables(of_item) } else { Variables::default() };
    let end = (item == "connect").then_some(end);
    Expected { start, words, names, end, item: item.to_owned(), variables }
}

/// What may stand in the string without an end that a text ends with.
fn quoted(file: &SourceFile, scan: &Scan) -> Option<Expected> {
    let [.., before, last] = scan.tokens.as_slice() else { return None };
    let is_open = scan.strings.iter().any(|(at, _)| at + 1 == scan.tokens.len());
    let word = &file.text[before.range.clone()];
    let is_meant = is_open && last.range.end == file.text.len() && matches!(word, "allow" | "vitis");
    is_meant.then(|| Expected {
        start: last.range.start + 1,
        names: vec![Names::Behind(word.to_owned())],
        ..Expected::default()
    })
}

/// The names that a rule begins with. `before` are the tokens of the item before it, the nearest
/// first.
fn names_of(rule: Rule, item: &str, before: &[&str]) -> Option<Names> {
    match rule {
        Rule::expr | Rule::operand | Rule::number => Some(Names::Values),
        Rule::connect_end => Some(Names::References),
        Rule::window_type | Rule::flow => Some(Names::Types),
        Rule::setting => settings(item, before),
        Rule::ident | Rule::part => behind(item, before),
        _ => None,
    }
}

/// The names at a place where a name stands. `before` are the tokens of the item before it, the
/// nearest first.
fn behind(item: &str, before: &[&str]) -> Option<Names> {
    let has_ends = item == "connect";
    let is_listed = matches!(item, "region" | "together" | "apart")
        || (before.iter().any(|word| matches!(*word, "over" | "from")) && !before.contains(&"{"));
    match *before.first()? {
        "(" if before.get(1) == Some(&"len") => Some(Names::Tables),
        "(" | "," if item == "instance" => settings(item, before),
        // A port has ends and a place.
        "." if matches!(item, "connect" | "place" | "apart") && !before.contains(&"at") => {
            Some(Names::Members(path(&before[1..])))
        }
        "." => Some(Names::KernelsIn(path(&before[1..]))),
        ":" | "->" if item == "active" => Some(Names::Types),
        "on" | "from" if item == "active" => Some(Names::Kernels),
        "window" | "data" | "cycles" | "stream" | "packets" | "parameter" | "as" => Some(Names::Types),
        word @ ("device" | "board" | "ports" | "of" | "op" | "shape" | "buffer" | "style" | "cascade"
        | "peers") => Some(Names::Behind(word.to_owned())),
        "," | "->" | "connect" | "async" | "split" | "merge" | "ordered" if has_ends => {
            Some(Names::References)
        }
        "place" => Some(Names::Placed),
        "," if is_listed => Some(Names::Kernels),
        "over" | "at" | "region" | "together" | "apart" | "root" => Some(Names::Kernels),
        _ => None,
    }
}

/// The constants that an instance may set. `before` are the tokens of the item before the place,
/// the nearest first.
fn settings(item: &str, before: &[&str]) -> Option<Names> {
    let of = before.iter().position(|word| *word == "of").filter(|of| item == "instance" && *of >= 2)?;
    let set = before[..of].windows(2).filter(|pair| pair[0] == "=").map(|pair| pair[1].to_owned());
    Some(Names::Settings(before[of - 1].to_owned(), set.collect()))
}

/// The names of a reference that ends before a dot, the first one first, without their indices.
fn path(before: &[&str]) -> Vec<String> {
    let mut names = Vec::new();
    let mut at = 0;
    loop {
        while before.get(at) == Some(&"]") {
            let Some(open) = before[at..].iter().position(|word| *word == "[") else { break };
            at += open + 1;
        }
        let Some(name) = before.get(at) else { break };
        names.push((*name).to_owned());
        if before.get(at + 1) != Some(&".") {
            break;
        }
        at += 2;
    }
    names.reverse();
    names
}
