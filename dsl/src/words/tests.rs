//! The lists of words agree with the text of the grammar.

use std::collections::{BTreeMap, BTreeSet};

use aiec_diag::Sources;
use pest_meta::ast::Expr;
use pest_meta::parser;

use super::{MEMORY_WORDS, STRING_WORDS, example, is_optional, places, vendor, words_of};
use crate::grammar::Rule;
use crate::{Behind, FREE_ITEM_WORDS, ITEM_WORDS, RESERVED};

/// The rules of the grammar by name.
struct Grammar(BTreeMap<String, Expr>);

impl Grammar {
    fn read() -> Self {
        let pairs = parser::parse(parser::Rule::grammar_rules, include_str!("../grammar.pest"));
        let rules = parser::consume_rules(pairs.expect("a grammar")).expect("rules");
        Self(rules.into_iter().map(|rule| (rule.name, rule.expr)).collect())
    }

    /// The words that can begin a rule.
    fn words(&self, rule: &str) -> BTreeSet<&str> {
        self.first(&self.0[rule]).0
    }

    /// The words that can begin an expression, and whether it can be empty.
    fn first<'a>(&'a self, expr: &'a Expr) -> (BTreeSet<&'a str>, bool) {
        match expr {
            Expr::Str(word) => (BTreeSet::from([word.as_str()]), false),
            Expr::Ident(rule) => self.0.get(rule).map_or_else(Default::default, |expr| self.first(expr)),
            Expr::Choice(one, other) => {
                let ((mut words, empty), (more, void)) = (self.first(one), self.first(other));
                words.extend(more);
                (words, empty || void)
            }
            Expr::Seq(head, rest) => match self.first(head) {
                (words, false) => (words, false),
                (mut words, true) => {
                    let (more, empty) = self.first(rest);
                    words.extend(more);
                    (words, empty)
                }
            },
            Expr::Opt(inner) | Expr::Rep(inner) => (self.first(inner).0, true),
            Expr::PosPred(_) | Expr::NegPred(_) => (BTreeSet::new(), true),
            _ => (BTreeSet::new(), false),
        }
    }
}

/// The rules that begin a part of this expression which may be absent.
fn begin_optional<'a>(expr: &'a Expr, found: &mut BTreeSet<&'a str>) {
    match expr {
        Expr::Opt(inner) | Expr::Rep(inner) => {
            begin(inner, found);
            begin_optional(inner, found);
        }
        Expr::Choice(one, other) | Expr::Seq(one, other) => {
            begin_optional(one, found);
            begin_optional(other, found);
        }
        _ => {}
    }
}

/// The rules that begin this expression.
fn begin<'a>(expr: &'a Expr, found: &mut BTreeSet<&'a str>) {
    match expr {
        Expr::Ident(rule) => {
            found.insert(rule);
        }
        Expr::Choice(one, other) => {
            begin(one, found);
            begin(other, found);
        }
        Expr::Seq(head, _) => begin(head, found),
        Expr::Opt(inner) | Expr::Rep(inner) => begin(inner, found),
        _ => {}
    }
}

fn set(words: &[&'static str]) -> BTreeSet<&'static str> {
    words.iter().copied().collect()
}

#[test]
fn lists_of_words_have_the_words_that_begin_their_rule() {
    let grammar = Grammar::read();
    let listed: Vec<&Rule> = Rule::all_rules().iter().filter(|&&rule| !words_of(rule).is_empty()).collect();
    assert!(listed.len() >= 10, "{listed:?}");
    for rule in listed {
        let name = format!("{rule:?}");
        let of = if name == "file" { "item" } else { &name };
        assert_eq!(set(words_of(*rule)), grammar.words(of), "{name}");
    }
}

/// A new rule of items or properties is compared with misspelt words.
#[test]
fn every_rule_of_items_and_properties_has_a_list() {
    for rule in Rule::all_rules() {
        let name = format!("{rule:?}");
        if name.ends_with("_property") || name.ends_with("item") {
            assert!(!words_of(*rule).is_empty(), "{name}");
        }
    }
}

/// In a place where it cannot stand, the help of a word says where it does.
#[test]
fn words_within_constructs_are_told_their_place() {
    let rules =
        [Rule::kernel_property, Rule::collective_property, Rule::external_property, Rule::connect_property];
    let others =
        [Rule::carries, Rule::margin, Rule::handler, Rule::served_buffer, Rule::kw_async, Rule::kw_sync];
    for word in rules.into_iter().chain(others).flat_map(words_of) {
        assert!(places::advice(word, &[Rule::item]).is_some(), "{word}");
    }
    assert_eq!(places::advice("windows", &[Rule::ident]), None, "a name stands there");
    assert_eq!(places::advice("worker", &[Rule::item]), None, "no word of the language");
}

#[test]
fn reserved_words_are_those_of_the_grammar() {
    assert_eq!(set(&RESERVED), Grammar::read().words("reserved"));
}

/// A `place` and a `connect` may end with a kernel that is called like such a word.
#[test]
fn what_stands_behind_words_that_may_be_names_is_that_of_the_grammar() {
    let grammar = Grammar::read();
    assert_eq!(grammar.words("elsewhere"), FREE_ITEM_WORDS.into_iter().map(|(word, _)| word).collect());
    let exchanges = [Behind::Name(&["over"]), Behind::Name(&["on"])];
    let free = FREE_ITEM_WORDS.into_iter().filter(|(_, behind)| exchanges.contains(behind));
    assert_eq!(grammar.words("new_exchange"), free.clone().map(|(word, _)| word).collect());
    let mut last = BTreeMap::new();
    ends(&grammar.0["new_exchange"], &mut last);
    for (word, behind) in free {
        assert_eq!(behind, Behind::Name(last[format!("kw_{word}").as_str()]), "{word}");
    }
}

/// For each keyword that begins an alternative of this expression, the keyword that ends it.
fn ends<'a>(expr: &'a Expr, found: &mut BTreeMap<&'a str, &'static [&'static str]>) {
    match expr {
        Expr::Choice(one, other) => {
            ends(one, found);
            ends(other, found);
        }
        Expr::Seq(head, last) => {
            let mut heads = BTreeSet::new();
            begin(head, &mut heads);
            let is_over = matches!(&**last, Expr::Ident(rule) if rule == "kw_over");
            found.extend(heads.into_iter().map(|head| (head, if is_over { &["over"][..] } else { &["on"] })));
        }
        _ => {}
    }
}

#[test]
fn sizes_of_memory_are_the_properties_with_bytes() {
    let grammar = Grammar::read();
    let is_bytes = |expr: &Expr| matches!(expr, Expr::Ident(rule) if rule == "bytes");
    let sized = grammar.0.iter().filter(|(_, expr)| matches!(expr, Expr::Seq(_, last) if is_bytes(last)));
    let words: BTreeSet<&str> = sized.flat_map(|(name, _)| grammar.words(name)).collect();
    assert_eq!(set(&MEMORY_WORDS), words);
}

/// Messages take the word of a token from the name of its rule.
#[test]
fn tokens_are_named_after_their_words() {
    let grammar = Grammar::read();
    for name in grammar.0.keys() {
        if let Some(word) = name.strip_prefix("kw_") {
            assert_eq!(grammar.words(name), BTreeSet::from([word]), "{name}");
        }
    }
}

#[test]
fn a_text_in_quotes_is_called_by_its_meaning() {
    for (text, phrase) in [
        ("kernel k called 5 {}", "the name of a member"),
        ("instance a of b called 5", "the name of a member"),
        ("input i from gmio called 5", "the name of an object"),
        ("output o to host called \"a\", 5", "the name of an object"),
        ("ports own 5", "the name of an object"),
        ("input i from plio(32, 5)", "a file name"),
        ("kernel k { source 5 }", "a file name"),
        ("kernel k { init 5 }", "the name of a function"),
        ("const T = from 5", "a file name"),
        ("assert 1 == 1 5", "a message"),
        ("allow 5", "the name of a diagnostic"),
    ] {
        let mut sources = Sources::default();
        let id = sources.add("d.dsl", text);
        let outcome = crate::parse(sources.get(id).expect("added"));
        let message = &outcome.diagnostics()[0].message;
        assert!(message.contains(&format!("{phrase} in quotes, found `5`")), "{text}: {message}");
    }
}

#[test]
fn every_item_has_an_example() {
    for word in ITEM_WORDS.into_iter().filter(|&word| word != "for") {
        assert_ne!(example(word), example("for"), "{word}");
    }
}

/// Rules that may be absent and yet show what is missing, so that messages name them.
const SHOWN: [&str; 30] = [
    "argument",
    "bank",
    "choice_item",
    "collective_property",
    "component_item",
    "dim",
    "expr",
    "extent",
    "handled",
    "handler",
    "served_buffer",
    "ident",
    "index",
    "item",
    "kernel_property",
    "kw_at",
    "kw_to",
    "loop_item",
    "ordered",
    "port",
    "port_list",
    "range_end",
    "settings",
    "sym_comma",
    "sym_open_bracket",
    "sym_open_paren",
    "sym_plus",
    "unit",
    "user_op",
    "word",
];

/// A new part that may be absent is either left out of messages (`is_optional`) or shown.
#[test]
fn every_rule_that_may_be_absent_is_shown_or_left_out() {
    let grammar = Grammar::read();
    let mut absent = BTreeSet::new();
    grammar.0.values().for_each(|expr| begin_optional(expr, &mut absent));
    let is_known = |rule: &&str| SHOWN.contains(rule);
    for rule in Rule::all_rules() {
        let name = format!("{rule:?}");
        let named: Option<&str> = absent.get(name.as_str()).copied();
        let is_decided = named.is_none_or(|rule| is_known(&rule)) != is_optional(*rule);
        // The keyword that begins a part which is left out is left out as well.
        let is_keyword = name.starts_with("kw_");
        assert!(is_decided || (is_keyword && is_optional(*rule)), "{name}: is_optional or SHOWN?");
    }
    let stale: Vec<&&str> = SHOWN.iter().filter(|&&rule| !absent.contains(rule)).collect();
    assert!(stale.is_empty(), "{stale:?}");
}

/// The keyword that an expression begins with.
fn keyword(expr: &Expr) -> Option<&str> {
    match expr {
        Expr::Seq(first, _) => keyword(first),
        Expr::Ident(word) => word.strip_prefix("kw_"),
        _ => None,
    }
}

/// Rules that begin with a keyword and are not called after it: `const`, `for` and `if` are words
/// of Rust, `from`, `offset`, `switch`, `cycles` and `buffer` begin two rules, and `number` is a
/// token.
const CALLED_OTHERWISE: [&str; 14] = [
    "constant",
    "for_loop",
    "choice",
    "kernel_choice",
    "kernel_cycles",
    "loop_choice",
    "table_file",
    "user_op",
    "byte_offset",
    "in_switch",
    "first",
    "number_of",
    "served_buffer",
    "member",
];

#[test]
fn rules_are_called_as_the_keyword_that_begins_them() {
    let grammar = Grammar::read();
    let begun = grammar.0.iter().filter_map(|(rule, expr)| Some((rule.as_str(), keyword(expr)?)));
    let (named, others): (Vec<_>, Vec<_>) = begun.partition(|(rule, word)| rule == word);
    let others: BTreeSet<&str> = others.into_iter().map(|(rule, _)| rule).collect();
    assert!(named.len() > 40, "{named:?}");
    assert_eq!(others, BTreeSet::from(CALLED_OTHERWISE));
}

/// The first column of the table "What only `graph.h` says" in the description of the language.
fn words_of_graphs() -> BTreeSet<&'static str> {
    let text = include_str!("../../../docs/language.md");
    let section = text.split_once("## What only `graph.h` says").expect("the section").1;
    let table = section.split("\n## ").next().expect("its text");
    let cells = table.lines().filter_map(|line| line.strip_prefix("| ")?.split(" | ").next());
    let quoted = cells.flat_map(|cell| cell.split('`').skip(1).step_by(2));
    let is_word = |word: &&str| word.len() > 4 && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    quoted.filter(is_word).collect()
}

/// For each of these words in place of a declaration or of the kind of a port, the help says what
/// to write instead.
#[test]
fn words_that_only_graphs_have_get_an_answer() {
    let words = words_of_graphs();
    assert!(words.len() > 20 && words.contains("async_repetition"), "{words:?}");
    let places = [Rule::item, Rule::carries];
    let is_silent = |word: &&&str| places.iter().all(|&rule| vendor::advice(word, "", "", &[rule]).is_none());
    let silent: Vec<&&str> = words.iter().filter(is_silent).collect();
    assert!(silent.is_empty(), "{silent:?}");
}

#[test]
fn the_words_before_quotes_are_those_of_the_grammar() {
    let grammar = include_str!("../grammar.pest");
    let before = grammar.split(" ~ string").map(|text| text.rsplit(' ').next().unwrap_or_default());
    let words: BTreeSet<&str> = before.filter_map(|rule| rule.strip_prefix("kw_")).collect();
    assert_eq!(words, BTreeSet::from(STRING_WORDS));
}
