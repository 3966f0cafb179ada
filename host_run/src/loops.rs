//! Counters that check the promises of `chess_loop_range` for each execution of a loop. Takes
//! preprocessed C++ in which the directive is still a word, and returns the same text with a
//! counter around every loop that has one. Lines keep their numbers.
//!
//! `for (a; b; c) chess_loop_range(4, 8) body` becomes
//!
//! ```text
//! if (loop_run r{4, 8}; false) {} else for (a; b; r.went(), c) if (r.turn()) {} else body
//! ```
//!
//! and `while` and `do` likewise. The counter lives as long as the statement, so that `break`,
//! `continue`, `return` and labels keep their meaning. A directive without a loop beside it goes
//! away. So does the directive of an outer loop: software pipelining, which relies on the promise,
//! applies to innermost loops (UG1079, "Loops").

use std::ops::Range;

use aiec_cpp_text::is_word_byte;
use memchr::memmem;

use crate::looping::Looping;
use crate::tokens::{Source, regions, tokens};

/// The word that replaces the directive in preprocessed text (`adf/chess.h`).
pub(super) const MARK: &str = "aiec_marked_loop_range";

/// The text with counters. Returns None when it has no directive.
pub(crate) fn counted(text: &str) -> Option<String> {
    memmem::find(text.as_bytes(), MARK.as_bytes())?;
    let mut edits = Vec::new();
    let mut number = 0;
    let looping = Looping::of(text);
    for region in regions(text) {
        let Some(part) = text.get(region.clone()).filter(|part| part.contains(MARK)) else { continue };
        let source = Source { text: part, tokens: tokens(part) };
        for at in 0..source.tokens.len() {
            if source.word(at) == Some(MARK) {
                number += 1;
                edits.extend(
                    source.edits(at, number, &looping).into_iter().map(|edit| edit.behind(region.start)),
                );
            }
        }
    }
    Some(applied(text, edits))
}

// --- edits ---

/// A range of the text and its replacement.
#[derive(Debug)]
pub(super) struct Edit {
    pub(super) range: Range<usize>,
    pub(super) text: String,
}

impl Edit {
    pub(super) fn insert(at: usize, text: String) -> Self {
        Self { range: at..at, text }
    }

    pub(super) fn behind(self, offset: usize) -> Self {
        Self { range: self.range.start + offset..self.range.end + offset, ..self }
    }
}

/// True for a line marker such as `# 12 "file"`, which gives the origin of the next line. Compilers
/// write markers between the words of a macro's expansion, too.
fn is_marker(line: &str) -> bool {
    line.starts_with("# ")
}

pub(super) fn applied(text: &str, mut edits: Vec<Edit>) -> String {
    edits.sort_by_key(|edit| edit.range.start);
    let mut out = String::with_capacity(text.len() + 100 * edits.len());
    let mut done = 0;
    for edit in &edits {
        out += text.get(done..edit.range.start).unwrap_or_default();
        out += &edit.text;
        // The lines of a removed directive keep their number and their markers.
        let gone = text.get(edit.range.clone()).unwrap_or_default();
        for line in gone.split('\n').skip(1) {
            out.push('\n');
            out += if is_marker(line) { line } else { "" };
        }
        done = done.max(edit.range.end);
    }
    out + text.get(done..).unwrap_or_default()
}

// --- loops ---

/// The loop header before a directive.
enum Header {
    /// `for (` and `)`, as tokens.
    For(usize, usize),
    /// `while (` and `)`.
    While(usize, usize),
    /// `do`.
    Do(usize),
}

impl Source<'_> {
    /// The header of the loop whose directive begins at `mark`. Other directives may stand between
    /// the two.
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

    /// The first token behind the statement that begins at `at`.
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

    /// The edits for the directive at `mark`.
    fn edits(&self, mark: usize, number: usize, looping: &Looping) -> Vec<Edit> {
        let Some(close) = self.closing(mark + 1).filter(|_| self.is(mark + 1, "(")) else {
            return Vec::new();
        };
        let directive = self.start(mark)..self.start(close) + 1;
        let dropped = Edit { range: directive.clone(), text: String::new() };
        let Some(header) = self.header(mark).filter(|_| !self.is(close + 1, ";")) else {
            return vec![dropped];
        };
        if looping.within(self, close + 1..self.end_of_statement(close + 1)) {
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

    /// The two bounds. An absent bound is an empty call.
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

    /// Counts in the third part of a `for`. Returns None when the `for` has no three parts.
    fn step(&self, open: usize, close: usize, name: &str) -> Option<Edit> {
        let &[_, second] = self.signs(open, close, ";").as_slice() else { return None };
        let comma = if second + 1 == close { "" } else { "," };
        Some(Edit::insert(self.start(second) + 1, format!(" {name}.went(){comma}")))
    }

    /// Counts in a condition. Returns None when the condition declares a variable.
    fn test(&self, open: usize, close: usize, name: &str) -> Option<Edit> {
        let declares = |&at: &usize| {
            let sign = |at: usize| self.word(at).filter(|word| !word.bytes().all(is_word_byte));
            let plain = sign(at - 1).is_none() && !self.is(at + 1, "=");
            let typed = at > open + 2
                && (sign(at - 2).is_none() || ["*", "&", ">"].iter().any(|s| self.is(at - 2, s)));
            plain && typed
        };
        let declaration = self.signs(open, close, "=").iter().any(declares);
        (!declaration).then(|| Edit::insert(self.start(open) + 1, format!("{name}.went(), ")))
    }

    /// Counts in the condition behind the body that begins at `body`.
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

    // The outer loop is not pipelined; neither moves to another line.
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
        // Loops behind, and loops of the library, which the compiler unrolls.
        let library = "# 1 \"aie.hpp\" 1 3\nint add(int x) { for (;;) ; }\n# 2 \"a.cc\" 2\n";
        for body in ["{ f(); } for (;;) ;", "if (x) f(); while (y) g();", "x = add(x); do f(); while (x);"] {
            let done = short(&format!("{library}for (;;) aiec_marked_loop_range(1, ) {body}"));
            assert_eq!(done.matches("loop_run").count(), 1, "{done}");
        }
    }

    // Compilers mark text that comes from a macro of another file.
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
