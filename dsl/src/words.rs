//! From the grammar's rules to words that a user knows.
//!
//! Takes the parser's error, which lists the rules that could continue. Returns a diagnostic that
//! names what was expected, what was found, and the construct's syntax.

use aiec_diag::{Diagnostic, SourceFile, Span};
use pest::error::{Error, ErrorVariant};

use crate::errors::{self, Advice};
use crate::grammar::Rule;
use crate::scan::{Scan, found_at, last_of};
use crate::{ITEM_WORDS, RESERVED, joined};
use values::is_property;

/// The rules that could follow behind a text, by the grammar. Faults before the given byte count as
/// left out.
pub type RulesBehind = fn(&SourceFile, Option<usize>) -> Vec<Rule>;

/// The diagnostic for a syntax error at byte `position`.
pub fn syntax_error(
    file: &SourceFile,
    scan: &Scan,
    position: usize,
    error: &Error<Rule>,
    rules_behind: RulesBehind,
) -> Diagnostic {
    let context = Context { file, scan, position, rules_behind };
    let rules = match &error.variant {
        ErrorVariant::ParsingError { positives, .. } => positives.as_slice(),
        ErrorVariant::CustomError { .. } => &[],
    };
    let expected = context.expected(rules);
    let missing = context.is_missing(rules);
    let (found, span) = match missing {
        true => ("the end of the line".to_owned(), last_of(file, scan.before(position, 0))),
        false => found_at(file, scan, position),
    };
    if let Some((span, word, amount)) = context.without_unit(rules) {
        return errors::no_unit(span, &word, &amount);
    }
    if let Some((span, number)) = context.exponent() {
        return errors::exponent(span, &number);
    }
    if let Some((span, name)) = context.unquoted_name().filter(|_| !missing) {
        return errors::unquoted_name(span, name);
    }
    if let Some(fault) = context.misspelt_name().filter(|_| !missing) {
        return fault;
    }
    if context.begins_no_item(rules) {
        let instead = vendor::advice(context.found(), "", "", rules).map(str::to_owned);
        let instead = instead.or_else(|| places::advice(context.found(), rules));
        return errors::no_such_item(span, &found, instead, vendor::item_word(context.found()));
    }
    let advice = match missing {
        true => context.syntax(rules).into(),
        false => context.advice(rules),
    };
    errors::unexpected(span, &expected, &found, advice)
}

/// The surroundings of the error.
struct Context<'a> {
    file: &'a SourceFile,
    scan: &'a Scan,
    position: usize,
    rules_behind: RulesBehind,
}

impl Context<'_> {
    /// The word or symbol `back` tokens before the error.
    fn before(&self, back: usize) -> &str {
        let token = self.scan.before(self.position, back);
        token.and_then(|token| self.file.text.get(token.range.clone())).unwrap_or_default()
    }

    /// True if a word of another construct follows on a later line: the line before lacks
    /// something. A body or a list of ports goes on over lines, so there the word itself is the
    /// error.
    fn is_missing(&self, rules: &[Rule]) -> bool {
        let goes_on = |rule: &Rule| {
            is_item(*rule)
                || properties_of(*rule).is_some()
                || matches!(rule, Rule::sym_close_brace | Rule::port)
        };
        let tokens = self.scan.before(self.position, 0).zip(self.scan.at(self.position));
        let between = tokens.and_then(|(last, next)| self.file.text.get(last.range.end..next.range.start));
        let begins = ITEM_WORDS.contains(&self.found()) || RESERVED.contains(&self.found());
        begins && between.is_some_and(|blanks| blanks.contains('\n')) && !rules.iter().any(goes_on)
    }

    /// The text at the error.
    fn found(&self) -> &str {
        let token = self.scan.at(self.position);
        token.and_then(|token| self.file.text.get(token.range.clone())).unwrap_or_default()
    }

    /// Source location, property and size of a size of memory whose unit is missing here.
    fn without_unit(&self, rules: &[Rule]) -> Option<(Span, String, String)> {
        let is_size = rules.contains(&Rule::unit) && !rules.contains(&Rule::sym_close_bracket);
        let count = self.scan.tokens.partition_point(|token| token.range.start < self.position);
        let before = self.scan.tokens.get(..count).filter(|_| is_size)?;
        // A word on the same line may be a misspelt unit.
        let is_property = [Rule::kernel_property, Rule::collective_property].into_iter().flat_map(words_of);
        let begins = is_property.copied().any(|word| word == self.found());
        let found = self.scan.at(self.position).filter(|_| !begins);
        let between = found.and_then(|token| self.file.text.get(before.last()?.range.end..token.range.start));
        if between.is_some_and(|blanks| !blanks.contains('\n'))
            && self.found().starts_with(char::is_alphabetic)
        {
            return None;
        }
        let text = |range: &std::ops::Range<usize>| self.file.text.get(range.clone()).unwrap_or_default();
        let at = before.iter().rposition(|token| MEMORY_WORDS.contains(&text(&token.range)))?;
        let (first, last) = (before.get(at + 1)?, before.last()?);
        let amount = first.range.start..last.range.end;
        let word = text(&before.get(at)?.range).to_owned();
        Some((self.file.span_at(amount.clone()), word, text(&amount).to_owned()))
    }

    /// The phrases of all rules, joined. Leaves out phrases that merely continue if others are
    /// expected.
    fn expected(&self, rules: &[Rule]) -> String {
        // A number stands behind `=`; tables are the exception.
        let of_constant = self.before(0) == "=";
        let is_exception = |rule| of_constant && matches!(rule, Rule::kw_from | Rule::sym_open_bracket);
        let needed = self.phrases(rules, |rule| !is_optional(rule) && !is_exception(rule));
        let is_whole = rules.iter().any(|&rule| is_item(rule) || rule == Rule::EOI);
        match needed.is_empty() {
            false => aiec_diag::choice(needed),
            true if is_whole => "a declaration such as `kernel` or `connect`".to_owned(),
            // What could be left out elsewhere has to stand here.
            true => aiec_diag::choice(self.phrases(rules, |rule| rule != Rule::operator)),
        }
    }

    /// The phrases of the rules that `is_told`, each once.
    fn phrases(&self, rules: &[Rule], is_told: impl Fn(Rule) -> bool) -> Vec<String> {
        let mut phrases: Vec<String> = Vec::new();
        for &rule in rules.iter().filter(|&&rule| is_told(rule)) {
            let phrase = self.phrase(rule);
            if !phrases.contains(&phrase) {
                phrases.push(phrase);
            }
        }
        phrases
    }

    fn phrase(&self, rule: Rule) -> String {
        match rule {
            Rule::expr | Rule::operand => self.expression_phrase().to_owned(),
            Rule::bytes => "a size such as `8 KiB`".to_owned(),
            Rule::string => self.string_phrase().to_owned(),
            _ => phrase(rule),
        }
    }

    /// The phrase for a text in quotes, by its meaning here.
    fn string_phrase(&self) -> &'static str {
        match (self.before(0), self.item_word()) {
            (_, Some("assert")) => "a message in quotes",
            ("init", _) => "the name of a function in quotes",
            ("vitis", _) => "a release in quotes",
            ("allow", _) => "the name of a diagnostic in quotes",
            ("because", _) => "a reason in quotes",
            ("called" | ",", Some("kernel" | "instance")) => "the name of a member in quotes",
            (",", _) if self.opened() == "plio" => "a file name in quotes",
            ("called" | ",", _) => "the name of an object in quotes",
            (_, Some("ports")) => "the name of an object in quotes",
            _ => "a file name in quotes",
        }
    }

    /// The phrase for an expression, by its meaning here.
    fn expression_phrase(&self) -> &'static str {
        let in_window = self.before(0) == "[" && ["window", "data", "cycles"].contains(&self.before(2));
        match self.before(0) {
            "[" if in_window => "a size such as `1024` or `4 KiB`",
            "[" if !matches!(self.before(1), "=" | "initial") => "an index or extent such as `4` or `N`",
            "stack" | "heap" | "program" => "a size such as `8 KiB`",
            _ => "a number, a constant or an expression such as `4 * N`",
        }
    }

    /// The place of the text at the error.
    fn place(&self) -> Span {
        found_at(self.file, self.scan, self.position).1
    }

    /// The advice to write `text` in place of what was found.
    fn instead(&self, help: String, text: impl Into<String>) -> Advice {
        Advice { help, edit: Some((self.place(), text.into())) }
    }

    fn advice(&self, rules: &[Rule]) -> Advice {
        let found = self.found();
        if let Some(advice) = self.comparison(rules).or_else(|| self.of_list(rules)) {
            return advice;
        }
        if found == ";" {
            return self.instead("leave it out: items are not separated by anything".to_owned(), "");
        }
        let before = self.before(0);
        if matches!(found, "=" | ":") && is_property(before) {
            let help = "leave it out: a value follows its word, as in `source \"k.cc\"` or `fifo 64`";
            return self.instead(help.to_owned(), "");
        }
        if before != "." && rules.contains(&Rule::ident) && RESERVED.contains(&found) {
            return match nearest::lengthened(found, rules) {
                Some(word) => self.instead(format!("did you mean `{word}`?"), word),
                None => vendor::reserved(found).into(),
            };
        }
        if found == "}" && rules.contains(&Rule::EOI) {
            return "remove it, or write the `{` that it closes: no block is open here".to_owned().into();
        }
        if found == "else" {
            return "`else` follows the closing brace of an `if`".to_owned().into();
        }
        let quoted = found.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
        if let Some(word) = vendor::operator(quoted.unwrap_or(found)).filter(|_| before == "op") {
            return self.instead(format!("write `op {word}`: the operators have the names of MPI"), word);
        }
        let name = quoted.filter(|name| name.starts_with(|c: char| c.is_alphabetic() || c == '_'));
        if let (true, Some(name)) = (takes_name(rules) && is_property(before), name) {
            return self.instead(format!("write `{before} {name}`, without quotes"), name);
        }
        let is_word = found.starts_with(|c: char| c.is_alphabetic() || c == '_');
        if is_word && rules.contains(&Rule::string) && STRING_WORDS.contains(&before) {
            return self.in_quotes(before);
        }
        if found == "'" && rules.contains(&Rule::string) {
            return self.in_double_quotes();
        }
        // Behind an item a word shortens one of its properties, before it is one of other items.
        let shortened = || nearest::shortened(found, &parted(rules).1);
        if let Some(word) = vendor::begins_item(found).then(shortened).flatten() {
            return self.instead(format!("did you mean `{word}`?"), word);
        }
        let of_graphs = || vendor::advice(found, before, self.opened(), rules);
        if let Some(advice) = blocks::advice(found, rules).or_else(of_graphs) {
            let word = vendor::unit(found).filter(|_| rules.contains(&Rule::unit));
            return match word {
                Some(word) => self.instead(advice.to_owned(), word),
                None => advice.to_owned().into(),
            };
        }
        if let Some(word) = nearest::of(found, rules) {
            return self.instead(format!("did you mean `{word}`?"), word);
        }
        let elsewhere = places::advice(found, rules).map(Advice::from);
        let advice = elsewhere.or_else(|| self.missing_comma(rules));
        advice.unwrap_or_else(|| self.syntax(rules).into())
    }

    /// An example of the construct in which the error lies.
    fn syntax(&self, rules: &[Rule]) -> String {
        let at_item = rules.contains(&Rule::item);
        if let Some(part) = example_of_part(self.before(0), self.item_word(), rules) {
            return format!("write {part}");
        }
        match self.item_word().filter(|_| !at_item || self.position > 0) {
            Some(word) => example(word).to_owned(),
            None => "a design starts with `design NAME` and `device xcvc1902`".to_owned(),
        }
    }
}

/// True where a name stands.
fn takes_name(rules: &[Rule]) -> bool {
    [Rule::ident, Rule::code_name].iter().any(|rule| rules.contains(rule))
}

/// True for rules that could follow almost anywhere and do not show what is missing.
const fn is_optional(rule: Rule) -> bool {
    matches!(
        rule,
        Rule::operator
            | Rule::EOI
            | Rule::minus
            | Rule::sym_dot
            | Rule::sym_scope
            | Rule::kw_merge
            | Rule::windows
            | Rule::kw_windows
            | Rule::switch
            | Rule::first
            | Rule::margin
            | Rule::connect_property
            | Rule::external_property
            | Rule::graph_object
            | Rule::member
            | Rule::called
            | Rule::kw_called
            | Rule::result
            | Rule::kw_async
            | Rule::kw_sync
            | Rule::not
            | Rule::step
            | Rule::kw_step
            | Rule::kw_else
            | Rule::kw_as
            | Rule::by
            | Rule::kw_by
            | Rule::channel
            | Rule::kw_channel
            | Rule::kw_number
            | Rule::offset
            | Rule::kw_offset
            | Rule::kw_shim
            | Rule::kw_switch
    )
}

/// The words that begin a rule, to find a misspelt one. Empty where none are compared.
pub const fn words_of(rule: Rule) -> &'static [&'static str] {
    match rule {
        Rule::file | Rule::item => &ITEM_WORDS,
        Rule::component_item => &COMPONENT_WORDS,
        Rule::choice_item => &CHOICE_WORDS,
        Rule::loop_item => &LOOP_WORDS,
        Rule::kernel_property => &KERNEL_WORDS,
        Rule::collective_property => &COLLECTIVE_WORDS,
        Rule::endpoint => &["plio", "gmio", "host"],
        Rule::carries => &["window", "stream", "packets", "cascade", "parameter"],
        Rule::external_property => &["initial", "frequency", "burst", "bandwidth", "golden", "called"],
        Rule::connect_property => &["buffer", "fifo"],
        Rule::margin | Rule::kw_margin => &["margin"],
        Rule::kw_async => &["async"],
        Rule::handler | Rule::kw_handler => &["handler"],
        Rule::served_buffer => &["buffer"],
        Rule::kw_sync => &["sync"],
        _ => &[],
    }
}

/// True for the rules of an item at any level.
pub const fn is_item(rule: Rule) -> bool {
    matches!(rule, Rule::file | Rule::item | Rule::component_item | Rule::choice_item | Rule::loop_item)
}

/// The rules of items, and the others.
fn parted(rules: &[Rule]) -> (Vec<Rule>, Vec<Rule>) {
    rules.iter().partition(|rule| is_item(**rule))
}

/// The words that begin a property of this rule. Returns None when the rule has no properties.
pub const fn properties_of(rule: Rule) -> Option<&'static [&'static str]> {
    match rule {
        Rule::kernel_property | Rule::collective_property => Some(words_of(rule)),
        _ => None,
    }
}

/// The properties whose values are in quotes.
const STRING_WORDS: [&str; 10] =
    ["source", "header", "init", "import", "golden", "allow", "because", "called", "from", "vitis"];
/// The properties whose values are sizes of memory.
const MEMORY_WORDS: [&str; 4] = ["stack", "heap", "program", "max"];
/// The declarations of a level.
const DECLARATION_WORDS: [&str; 19] = [
    "instance",
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
    "clock",
    "sendrecv",
    "channel",
    "mailbox",
    "active",
    "input",
    "output",
];
/// The words of a loop.
const LOOP_WORDS: [&str; 9] =
    ["connect", "place", "region", "together", "apart", "keepout", "for", "if", "assert"];
const CHOICE_WORDS: [&str; 28] = joined(&DECLARATION_WORDS, &LOOP_WORDS);
const COMPONENT_WORDS: [&str; 29] = joined(&["const"], &CHOICE_WORDS);

const KERNEL_WORDS: [&str; 13] = [
    "source",
    "stack",
    "heap",
    "runtime",
    "program",
    "repetitions",
    "cycles",
    "function",
    "header",
    "init",
    "template",
    "arguments",
    "if",
];
const COLLECTIVE_WORDS: [&str; 23] = [
    "op",
    "data",
    "window",
    "root",
    "shape",
    "buffer",
    "calls",
    "cycles",
    "reference",
    "style",
    "exclusive",
    "shift",
    "to",
    "peers",
    "packet",
    "max",
    "depth",
    "counts",
    "headed",
    "base",
    "size",
    "num",
    "stride",
];

/// The phrase for a rule.
fn phrase(rule: Rule) -> String {
    let words = match rule {
        Rule::file => "a declaration such as `design` or `kernel`",
        Rule::item => "a declaration such as `kernel` or `connect`",
        Rule::loop_item => "`connect`, `place`, another placement constraint, `for` or `if`",
        Rule::component_item => "`kernel`, `connect`, another declaration or constraint",
        Rule::choice_item => "`kernel`, `input`, `connect`, another declaration or constraint",
        Rule::kernel_property => "a property (`source`, `stack`, `heap`, `runtime`, `arguments`, ...)",
        Rule::collective_property => "a property (`op`, `data`, `window`, `root`, `shape`, ...)",
        Rule::ident | Rule::name | Rule::code_name => "a name",
        Rule::ratio => "a number such as `0.4`",
        Rule::tile | Rule::spot | Rule::area | Rule::fifo_place => "a tile such as `(24, 0)`",
        Rule::distance => "a distance such as `(0, 1)`",
        Rule::sym_star => "`*`",
        Rule::anchor => "a kernel",
        Rule::sym_plus => "`+`",
        Rule::settings | Rule::setting => "a constant such as `TAPS = 16`",
        Rule::selection | Rule::part | Rule::connect_end | Rule::connect_ends => "a kernel, input or output",
        Rule::port => "a port (`in`, `out` or `inout`)",
        Rule::carries => "`window`, `stream`, `packets`, `cascade` or `parameter`",
        Rule::flow => "a type such as `int32` or `int16[256]`",
        Rule::window_type => "a window type such as `int32[1024]`",
        Rule::automatic => "`auto`",
        Rule::handled => "an argument such as `idx: int32`",
        Rule::result => "`->`",
        Rule::values => "a number or a list such as `[1, 2]`",
        Rule::endpoint => "`plio`, `gmio` or `host`",
        Rule::unit => "a unit (`B`, `KiB`, `MiB`)",
        Rule::number | Rule::decimal => "a number",
        Rule::string => "a text in quotes",
        Rule::index | Rule::dim | Rule::extent | Rule::sym_open_bracket => "`[`",
        Rule::sym_close_bracket => "`]`",
        Rule::port_list | Rule::sym_open_paren => "`(`",
        Rule::sym_close_paren => "`)`",
        Rule::kernel_body
        | Rule::collective_body
        | Rule::active_body
        | Rule::for_body
        | Rule::component_body
        | Rule::choice_body
        | Rule::sym_open_brace => "`{`",
        Rule::sym_close_brace => "`}`",
        Rule::sym_comma => "`,`",
        Rule::sym_colon => "`:`",
        Rule::sym_scope => "`::`",
        Rule::sym_equals => "`=`",
        Rule::sym_arrow => "`->`",
        Rule::operation => "a collective such as `reduce`",
        Rule::sym_dots => "`..`",
        Rule::buffer => "`buffer`",
        Rule::first => "`from`",
        Rule::in_switch => "`switch`",
        Rule::number_of => "`number`",
        Rule::byte_offset => "`offset`",
        // The remaining tokens are words, and their rules are named after them.
        _ => return format!("`{}`", format!("{rule:?}").trim_start_matches("kw_")),
    };
    words.to_owned()
}

/// An example of the part of an item that goes on behind the word `before`.
fn example_of_part(before: &str, item: Option<&str>, rules: &[Rule]) -> Option<&'static str> {
    let of_fifo = item == Some("connect");
    Some(match before {
        "offset" if of_fifo => "`fifo 64 at (24, 0) offset 16384`: the first byte in the module",
        "offset" => "`place k.x at (24, 0) offset 16384`: the first byte in the module",
        "number" => "`fifo 16 at switch (24, 0) number 0`: which of the FIFOs of the switch",
        "bank" => "`place k.x at (24, 0) bank 1`: a bank of the module",
        "channel" => "`place x at shim 24 channel 2`: a channel of the column",
        "shim" if of_fifo => "`fifo 16 at shim 24 number 0`: the column of the interface row",
        "shim" => "`place x at shim 24`: the column of the interface row",
        "fifo" => "`fifo 64`: the depth in words of 32 bits",
        _ if of_fifo && rules.iter().any(|rule| matches!(rule, Rule::byte_offset | Rule::kw_offset)) => {
            "`fifo 64 at (24, 0) offset 16384` for a FIFO in memory, or `fifo 16 at switch (24, 0) number 0`"
        }
        _ if of_fifo && rules.iter().any(|rule| matches!(rule, Rule::number_of | Rule::kw_number)) => {
            "`fifo 16 at switch (24, 0) number 0`, or `shim 24 number 0`"
        }
        _ => return None,
    })
}

/// The syntax of the item that starts with `word`.
fn example(word: &str) -> &'static str {
    match word {
        "design" => "name the design: `design reduce63`",
        "device" => "name the device: `device xcvc1902`",
        "vitis" => "name the release of Vitis: `vitis \"2023.2\"`",
        "board" => "name the board: `board vck190`",
        "iterations" => "say how often the graph runs: `iterations 4`",
        "ports" => "say what the ports of kernels are: `ports window`, `ports buffer` or `ports own`",
        "import" => "a file of components is imported with `import \"fir.dsl\"`",
        "component" => {
            "a component is written `component fir(TAPS = 16)(in x: window int16[256], out y: window int16[256]) { kernel ... connect x -> mac.x }`"
        }
        "instance" => "instances of a component are written `instance bank[4] of fir(TAPS = 32)`",
        "const" => "a constant is written `const N = 63`",
        "kernel" => {
            "a kernel family is written `kernel scale[4](in x: window int16[512], out y: window int16[512]) { source \"kernels/scale.cc\" }`"
        }
        "reduce" | "allreduce" | "reduce_scatter" | "scan" => {
            "a collective that combines data is written `reduce total over worker { op sum  data int32[1024] }`"
        }
        "barrier" => "a barrier is written `barrier done over worker { shape dissemination }`",
        "clock" => "a clock is written `clock time over worker { shape tree arity 2 }`",
        "sendrecv" => "an exchange is written `sendrecv halo over worker { data int32[64]  shift 1 }`",
        "channel" => "a channel is written `channel halo over cell { data float[64]  to rank + 1 }`",
        "active" => {
            "active messages are written `active server on pe from clients { handler add(idx: int32, v: int32)  handler get(idx: int32) -> int32 }`"
        }
        "mailbox" => "a mailbox is written `mailbox inbox over clients { root server  max 256 B }`",
        "broadcast" | "gather" | "allgather" | "scatter" | "alltoall" => {
            "a collective that moves data is written `gather all over worker { data int32[64] }`"
        }
        "input" => {
            "an input is written `input samples from plio(64, \"data/in.txt\")` or `input samples from gmio`"
        }
        "output" => "an output is written `output sum to gmio` or `output sum to plio(64, \"data/out.txt\")`",
        "connect" => {
            "a connection is written `connect scale.y -> async mix.a buffer single`, or `connect x -> async mix.a windows 80`"
        }
        "place" => {
            "a placement is written `place k[0] at (24, 0)` or `place k[1] at k[0] + (0, 1)`, and that of a buffer `place k.x at (24, 0) bank 1`"
        }
        "region" => "a region is written `region worker[0..8] in (20, 0) to (27, 3)`",
        "together" => "kernels that share memory are written `together scale, mix`",
        "apart" => "kernels that share no memory are written `apart scale, mix`",
        "keepout" => "tiles to leave free are written `keepout (10, 0) to (12, 7)`",
        "if" => "a condition is written `if N % 2 == 0 { connect a.y -> b.x } else { connect a.y -> c.x }`",
        "allow" => {
            "a warning is left out with `allow \"check/may-hang\" because \"the kernels read in turn\"`"
        }
        "assert" => "an assertion is written `assert N % 4 == 0 \"N must be a multiple of 4\"`",
        _ => "a loop is written `for i in 0..N - 1 { connect stage[i].y -> stage[i + 1].x }`",
    }
}

mod around;
mod blocks;
mod lists;
pub mod nearest;
mod places;
#[cfg(test)]
mod tests;
mod values;
mod vendor;
