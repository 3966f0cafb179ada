//! The promises of `chess_loop_range`, held by one execution of a loop: in goes preprocessed C++ in which the directive is
//! still a word, out comes the same text with a counter around every loop that has one. Lines stay where they are.
//!
//! `for (a; b; c) chess_loop_range(4, 8) body` becomes
//!
//! ```text
//! if (::adf::sim::loop_run r{4, 8}; false) {} else for (a; b; r.went(), c) if (r.turn()) {} else body
//! ```
//!
//! and `while` and `do` in the same way: the counter lives as long as the statement, so that `break`, `continue`, `return`
//! and labels mean what they did. A directive that is nowhere near a loop goes away, and so does one of an outer loop: software
//! pipelining, which relies on the promise, is of innermost loops (UG1079, "Loops").

use std::ops::Range;

use crate::looping::Looping;

/// The word that stands for the directive in preprocessed text (`adf/chess.h`).
const MARK: &str = "aiec_marked_loop_range";

/// The text with counters; nothing if it has no directive.
pub(crate) fn counted(text: &str) -> Option<String> {
    if !text.contains(MARK) {
        return None;
    }
    let mut edits = Vec::new();
    let mut number = 0;
    let looping = Looping::of(text);
    for region in regions(text) {
        let Some(part) = text.get(region.clone()).filter(|part| part.contains(MARK)) else { continue };
        let source = Source { text: part, tokens: tokens(part), looping: &looping };
        for at in 0..source.tokens.len() {
            if source.word(at) == Some(MARK) {
                number += 1;
                edits.extend(source.edits(at, number).into_iter().map(|edit| edit.behind(region.start)));
            }
        }
    }
    Some(applied(text, edits))
}

/// Text between the places where a file begins or goes on: no statement lies across one.
pub(super) fn regions(text: &str) -> Vec<Range<usize>> {
    let mut all = Vec::new();
    let mut start = 0;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if line.starts_with("# ")
            && line.rsplit_once('"').is_some_and(|(_, flags)| flags.contains(['1', '2']))
        {
            all.push(start..at);
            start = at;
        }
        at += line.len();
    }
    all.push(start..at);
    all
}

// --- edits -----------------------------------------------------------------------------------------------------------

/// Text that takes the place of a range.
#[derive(Debug)]
struct Edit {
    range: Range<usize>,
    text: String,
}

impl Edit {
    fn insert(at: usize, text: String) -> Self {
        Self { range: at..at, text }
    }

    fn behind(self, offset: usize) -> Self {
        Self { range: self.range.start + offset..self.range.end + offset, ..self }
    }
}

/// `# 12 "file"`: what follows comes from there. Compilers write it between the words of a macro's expansion, too.
fn is_marker(line: &str) -> bool {
    line.starts_with("# ")
}

fn applied(text: &str, mut edits: Vec<Edit>) -> String {
    edits.sort_by_key(|edit| edit.range.start);
    let mut out = String::with_capacity(text.len() + 100 * edits.len());
    let mut done = 0;
    for edit in &edits {
        out += text.get(done..edit.range.start).unwrap_or_default();
        out += &edit.text;
        // Lines that the directive went over stay as many as they were, and keep their markers.
        let gone = text.get(edit.range.clone()).unwrap_or_default();
        for line in gone.split('\n').skip(1) {
            out.push('\n');
            out += if is_marker(line) { line } else { "" };
        }
        done = done.max(edit.range.end);
    }
    out + text.get(done..).unwrap_or_default()
}

// --- words and signs -------------------------------------------------------------------------------------------------

/// A word, a literal, or one sign.
pub(super) type Token = Range<usize>;

/// The tokens of preprocessed text; line markers are none.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let bytes = text.as_bytes();
    let mut all = Vec::new();
    let mut at = 0;
    let mut fresh = true;
    while let Some(&byte) = bytes.get(at) {
        if byte == b'\n' {
            fresh = true;
            at += 1;
        } else if byte.is_ascii_whitespace() {
            at += 1;
        } else if byte == b'#' && fresh {
            at += bytes[at..].iter().position(|&b| b == b'\n').unwrap_or(bytes.len() - at);
        } else {
            fresh = false;
            let end = end_of_token(bytes, at).max(at + 1);
            all.push(at..end);
            at = end;
        }
    }
    all
}

fn of_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || byte >= 0x80
}

/// Where the token that begins at `at` ends.
fn end_of_token(bytes: &[u8], at: usize) -> usize {
    let rest = bytes.get(at..).unwrap_or_default();
    match rest {
        [b'"' | b'\'', ..] => at + literal(rest),
        [first, ..] if first.is_ascii_digit() => {
            // 1'000 is one number; 1.5e-3 may be three tokens, which does no harm here.
            let within = |i: &usize| {
                of_word(rest[*i]) || (rest[*i] == b'\'' && rest.get(i + 1).is_some_and(|&b| of_word(b)))
            };
            at + (0..rest.len()).take_while(within).count()
        }
        [first, ..] if of_word(*first) => {
            let length = rest.iter().take_while(|&&b| of_word(b)).count();
            let raw = rest.get(length) == Some(&b'"') && rest.get(length - 1) == Some(&b'R');
            if raw { at + length + raw_literal(&rest[length..]) } else { at + length }
        }
        _ => at + 1,
    }
}

/// The length of a literal in quotes.
fn literal(rest: &[u8]) -> usize {
    let mut escaped = false;
    for (i, &byte) in rest.iter().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            _ if Some(&byte) == rest.first() => return i + 1,
            _ => {}
        }
    }
    rest.len()
}

/// The length of `"word(...)word"`.
fn raw_literal(rest: &[u8]) -> usize {
    let open = rest.iter().position(|&b| b == b'(').unwrap_or(rest.len());
    let end = [b")", rest.get(1..open).unwrap_or_default(), b"\""].concat();
    let found = rest.windows(end.len()).position(|window| window == end);
    found.map_or(rest.len(), |at| at + end.len())
}

// --- loops -----------------------------------------------------------------------------------------------------------

/// A piece of text and its tokens.
pub(super) struct Source<'a> {
    pub(super) text: &'a str,
    pub(super) tokens: Vec<Token>,
    /// The functions that have loops.
    pub(super) looping: &'a Looping,
}

/// What comes before a directive.
enum Header {
    /// `for (` and `)`, as tokens.
    For(usize, usize),
    /// `while (` and `)`.
    While(usize, usize),
    /// `do`.
    Do(usize),
}

impl Source<'_> {
    pub(super) fn word(&self, at: usize) -> Option<&str> {
        self.text.get(self.tokens.get(at)?.clone())
    }

    pub(super) fn is(&self, at: usize, wanted: &str) -> bool {
        self.word(at) == Some(wanted)
    }

    fn start(&self, at: usize) -> usize {
        self.tokens.get(at).map_or(self.text.len(), |token| token.start)
    }

    /// The bracket that closes the one at `open`.
    pub(super) fn closing(&self, open: usize) -> Option<usize> {
        let mut depth = 0usize;
        (open..self.tokens.len()).find(|&at| {
            match self.word(at) {
                Some("(" | "[" | "{") => depth += 1,
                Some(")" | "]" | "}") => depth = depth.saturating_sub(1),
                _ => {}
            }
            depth == 0
        })
    }

    /// The bracket that opens what is closed at `close`.
    pub(super) fn opening(&self, close: usize) -> Option<usize> {
        let mut depth = 0usize;
        (0..=close).rev().find(|&at| {
            match self.word(at) {
                Some(")" | "]" | "}") => depth += 1,
                Some("(" | "[" | "{") => depth = depth.saturating_sub(1),
                _ => {}
            }
            depth == 0
        })
    }

    /// Tokens between `open` and `close` that are this sign and lie in no inner bracket.
    fn signs(&self, open: usize, close: usize, sign: &str) -> Vec<usize> {
        let mut all = Vec::new();
        let mut at = open + 1;
        while at < close {
            if matches!(self.word(at), Some("(" | "[" | "{")) {
                at = self.closing(at).unwrap_or(close);
            } else if self.is(at, sign) {
                all.push(at);
            }
            at += 1;
        }
        all
    }

    /// The loop whose directive begins at `mark`. Other directives may stand between the two.
    fn header(&self, mark: usize) -> Option<Header> {
        let mut before = mark.checked_sub(1)?;
        loop {
            if self.is(before, "do") {
                return Some(Header::Do(before));
            }
            if !self.is(before, ")") {
                return None;
            }
            let open = self.opening(before)?;
            match self.word(open.checked_sub(1)?)? {
                "for" => return Some(Header::For(open, before)),
                "while" => return Some(Header::While(open, before)),
                MARK => before = open.checked_sub(2)?,
                _ => return None,
            }
        }
    }

    /// Behind the last token of the statement that begins at `at`.
    fn end_of_statement(&self, at: usize) -> usize {
        let behind = |open: usize| self.closing(open).map_or(self.tokens.len(), |close| close + 1);
        match self.word(at) {
            Some("{") => behind(at),
            Some("if") => {
                let open = if self.is(at + 1, "(") { at + 1 } else { at + 2 }; // `if constexpr (`
                let end = self.end_of_statement(behind(open));
                if self.is(end, "else") { self.end_of_statement(end + 1) } else { end }
            }
            Some("for" | "while" | "switch" | MARK) => self.end_of_statement(behind(at + 1)),
            Some("do") => self.end_of_statement(self.end_of_statement(at + 1)),
            _ => self
                .signs(at.saturating_sub(1), self.tokens.len(), ";")
                .first()
                .map_or(self.tokens.len(), |end| end + 1),
        }
    }

    /// What the directive at `mark` changes.
    fn edits(&self, mark: usize, number: usize) -> Vec<Edit> {
        let Some(close) = self.closing(mark + 1).filter(|_| self.is(mark + 1, "(")) else {
            return Vec::new();
        };
        let directive = self.start(mark)..self.start(close) + 1;
        let dropped = Edit { range: directive.clone(), text: String::new() };
        let Some(header) = self.header(mark).filter(|_| !self.is(close + 1, ";")) else {
            return vec![dropped];
        };
        if self.looping.within(self, close + 1..self.end_of_statement(close + 1)) {
            return vec![dropped];
        }
        let name = format!("aiec_loop_{number}");
        let (first, kind, counting) = match header {
            Header::For(open, end) => (open - 1, "steps", self.step(open, end, &name)),
            Header::While(open, end) => (open - 1, "tests", self.test(open, end, &name)),
            Header::Do(at) => (at, "steps", self.test_behind(close + 1, &name)),
        };
        let kind = if counting.is_some() { kind } else { "unseen" };
        let bounds = self.bounds(mark + 1, close);
        let around = format!(
            "if (::adf::sim::loop_run {name}{{{bounds}, ::adf::sim::loop_kind::{kind}}}; false) {{}} else "
        );
        let turn = format!("if ({name}.turn()) {{}} else ");
        let mut all = vec![Edit::insert(self.start(first), around), Edit { range: directive, text: turn }];
        all.extend(counting);
        all
    }

    /// The two bounds; one that is not said is an empty call.
    fn bounds(&self, open: usize, close: usize) -> String {
        let comma = self.signs(open, close, ",").first().copied().unwrap_or(close);
        let text = |from: usize, to: usize| {
            let range = self.start(from) + 1..self.start(to);
            let lines = self.text.get(range).unwrap_or_default().lines().filter(|line| !is_marker(line));
            lines.map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
        };
        let most = if comma == close { String::new() } else { text(comma, close) };
        format!("::adf::sim::loop_bound({}), ::adf::sim::loop_bound({most})", text(open, comma))
    }

    /// Counts in the third part of a `for`, if it has three.
    fn step(&self, open: usize, close: usize, name: &str) -> Option<Edit> {
        let &[_, second] = self.signs(open, close, ";").as_slice() else { return None };
        let comma = if second + 1 == close { "" } else { "," };
        Some(Edit::insert(self.start(second) + 1, format!(" {name}.went(){comma}")))
    }

    /// Counts in a condition, if it declares nothing.
    fn test(&self, open: usize, close: usize, name: &str) -> Option<Edit> {
        let declares = |&at: &usize| {
            let sign = |at: usize| self.word(at).filter(|word| !word.bytes().all(of_word));
            let plain = sign(at - 1).is_none() && !self.is(at + 1, "=");
            let typed = at > open + 2
                && (sign(at - 2).is_none() || ["*", "&", ">"].iter().any(|s| self.is(at - 2, s)));
            plain && typed
        };
        let declaration = self.signs(open, close, "=").iter().any(declares);
        (!declaration).then(|| Edit::insert(self.start(open) + 1, format!("{name}.went(), ")))
    }

    /// The same in the condition behind the body that begins at `body`.
    fn test_behind(&self, body: usize, name: &str) -> Option<Edit> {
        let end = self.closing(body).filter(|_| self.is(body, "{"))?;
        let close = self.closing(end + 2).filter(|_| self.is(end + 1, "while"))?;
        self.test(end + 2, close, name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn short(text: &str) -> String {
        let text = counted(text).expect("the text has a directive");
        text.replace("::adf::sim::", "").replace("aiec_loop_", "r")
    }

    #[test]
    fn a_counter_stands_around_a_for_and_sees_every_step() {
        assert_eq!(
            short("x: for (int i = 0; i < n; ++i) aiec_marked_loop_range(4, ) f(i);"),
            "x: if (loop_run r1{loop_bound(4), loop_bound(), loop_kind::steps}; false) {} else \
             for (int i = 0; i < n; r1.went(), ++i) if (r1.turn()) {} else  f(i);"
        );
        assert!(short("for (;;) aiec_marked_loop_range(1) {}").contains("for (;; r1.went()) if"));
        assert!(short("for (auto x : {1, 2}) aiec_marked_loop_range(2, 2) {}").contains("loop_kind::unseen"));
    }

    #[test]
    fn conditions_count_unless_they_declare() {
        let plain = short("while (n-- > 0 && x == 1) aiec_marked_loop_range(1, 2) {}");
        assert!(plain.contains("while (r1.went(), n-- > 0 && x == 1) if (r1.turn()) {} else"), "{plain}");
        assert!(short("while (x = f()) aiec_marked_loop_range(1, 2) {}").contains("r1.went(), x = f()"));
        assert!(short("while (int x = f()) aiec_marked_loop_range(1, 2) {}").contains("loop_kind::unseen"));
        let after = short("do aiec_marked_loop_range(1, 2) { f(); } while (g());");
        assert!(after.ends_with("do if (r1.turn()) {} else  { f(); } while (r1.went(), g());"), "{after}");
    }

    // The outer one is not pipelined; neither moves to another line.
    #[test]
    fn nested_loops_and_lines_stay_as_they_are() {
        let text = "# 1 \"a.cc\"\nfor (;;)\naiec_marked_loop_range(1,\n 2) {\n for (;\"for (\";)\n aiec_marked_loop_range(3, 3) g();\n}\n";
        let done = short(text);
        assert_eq!(done.matches('\n').count(), text.matches('\n').count());
        assert!(done.contains("for (;\"for (\"; r2.went())\n if (r2.turn()) {} else  g();"), "{done}");
        assert!(done.starts_with("# 1 \"a.cc\"\nfor (;;)\n\n {\n if (loop_run r2"), "{done}");
    }

    #[test]
    fn loops_with_loops_inside_are_not_counted() {
        for body in [
            "{ for (;;) ; }",
            "if (x) { f(); } else do f(); while (x);",
            "if constexpr (x) while (y) f();",
            "for (;;) aiec_marked_loop_range(1, 2) f();",
            "{ steps(x); }",
            "total += outer<4>(x);",
            "each(x);",
        ] {
            let functions = "template <int N> int outer(int x) const { return steps(x); } void steps(int) { while (1) ; } \
                             void plain() {} auto each = [&](int x) { for (;;) ; };";
            let done = short(&format!(
                "{functions} for (;;) aiec_marked_loop_range(1, ) {body} aiec_marked_loop_range(1)"
            ));
            assert!(!done.contains("{loop_bound(1), loop_bound(),"), "{done}");
        }
        // Loops behind, and those of the library, which the compiler unrolls.
        let library = "# 1 \"aie.hpp\" 1 3\nint add(int x) { for (;;) ; }\n# 2 \"a.cc\" 2\n";
        for body in ["{ f(); } for (;;) ;", "if (x) f(); while (y) g();", "x = add(x); do f(); while (x);"] {
            let done = short(&format!("{library}for (;;) aiec_marked_loop_range(1, ) {body}"));
            assert_eq!(done.matches("loop_run").count(), 1, "{done}");
        }
    }

    // Compilers mark what comes from a macro of another file.
    #[test]
    fn markers_between_the_words_stay_where_they_are() {
        let text = "for (;;)\n# 2 \"a.cc\" 3\naiec_marked_loop_range(\n# 2 \"a.cc\"\n4, n\n# 2 \"a.cc\" 3\n)\n# 2 \"a.cc\"\n{}";
        let done = short(text);
        assert!(done.contains("{loop_bound(4), loop_bound(n), "), "{done}");
        assert!(
            done.ends_with("if (r1.turn()) {} else \n# 2 \"a.cc\"\n\n# 2 \"a.cc\" 3\n\n# 2 \"a.cc\"\n{}"),
            "{done}"
        );
    }

    #[test]
    fn a_directive_without_a_loop_goes_away() {
        assert_eq!(short("if (x) aiec_marked_loop_range(1, 2) f();"), "if (x)  f();");
        assert_eq!(short("do {} while (x) aiec_marked_loop_range(1);"), "do {} while (x) ;");
        assert_eq!(counted("for (;;) f();"), None);
    }

    #[test]
    fn literals_are_no_brackets() {
        let text = "f(')', 1'000, R\"x()\")x\"); for (;;) aiec_marked_loop_range(1'0, 2) f(\"\\\"(\");";
        assert!(short(text).contains("loop_bound(1'0)"), "{}", short(text));
    }
}
