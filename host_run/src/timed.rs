//! Objects around the loops of preprocessed C++, which tell the runtime where iterations begin and
//! end (`adf/counts.h`). Lines keep their numbers.
//!
//! `for (a; b; c) body` becomes
//!
//! ```text
//! if (counts::loop t{false, true}; false) {} else for (a; b; c) if (t.turn()) {} else body
//! ```
//!
//! The two flags state whether a directive requests software pipelining, and whether the file has
//! pointers with `restrict`. A loop that the core's compiler unrolls is no loop there: its
//! directive or `#pragma unroll` leaves it as it is. Loops of system headers are left, too: they
//! are over the lanes of a vector, for which a core has an instruction.

use crate::looping::is_of_the_system;
use crate::loops::{Edit, MARK, applied};
use crate::tokens::{Source, regions, tokens};

/// The words that replace the directives in preprocessed text (`adf/chess.h`).
const PIPELINED: &str = "aiec_marked_pipelined";
const UNROLLED: &str = "aiec_marked_unrolled";

/// The text with objects around its loops.
pub(crate) fn timed(text: &str) -> String {
    let mut edits = Vec::new();
    let mut number = 0;
    for region in regions(text) {
        let Some(part) = text.get(region.clone()) else { continue };
        let source = Source { text: part, tokens: tokens(part) };
        let own = !is_of_the_system(part);
        let restricted = part.contains("restrict");
        for at in 0..source.tokens.len() {
            match source.word(at) {
                Some("for" | "while" | "do") if own => {
                    number += 1;
                    edits.extend(
                        around(&source, at, number, restricted)
                            .into_iter()
                            .flatten()
                            .map(|edit| edit.behind(region.start)),
                    );
                }
                Some(PIPELINED | UNROLLED) => {
                    let end = source.start((at + 2).min(source.tokens.len())) + 1;
                    edits.push(
                        Edit { range: source.start(at)..end, text: String::new() }.behind(region.start),
                    );
                }
                _ => {}
            }
        }
    }
    applied(text, edits)
}

/// The edits for the loop whose keyword is at `at`. Returns None when the loop is unrolled, or is
/// the `while` of a `do`.
fn around(source: &Source<'_>, at: usize, number: usize, restricted: bool) -> Option<[Edit; 2]> {
    if source.is(at, "while") && ends_a_do(source, at) || is_unrolled_by_pragma(source, at) {
        return None;
    }
    let mut body = if source.is(at, "do") {
        at + 1
    } else {
        source.closing(at + 1).filter(|_| source.is(at + 1, "("))? + 1
    };
    let mut pipelined = false;
    loop {
        match source.word(body) {
            Some(PIPELINED) => pipelined = true,
            Some(UNROLLED) => return None,
            Some(MARK) => {}
            _ => break,
        }
        body = source.closing(body + 1)? + 1;
    }
    let name = format!("aiec_timed_{number}");
    let object =
        format!("if (::adf::sim::counts::loop {name}{{{pipelined}, {restricted}}}; false) {{}} else ");
    let turn = format!("if ({name}.turn()) {{}} else ");
    Some([Edit::insert(source.start(at), object), Edit::insert(source.start(body), turn)])
}

/// True if the `while` at `at` is behind the body of a `do`.
fn ends_a_do(source: &Source<'_>, at: usize) -> bool {
    let Some(before) = at.checked_sub(1) else { return false };
    let brace = source.is(before, "}").then(|| source.opening(before)).flatten();
    let Some(mut first) = brace.and_then(|open| open.checked_sub(1)) else { return false };
    // Directives may stand between.
    while source.is(first, ")") {
        let Some(word) = source.opening(first).and_then(|open| open.checked_sub(1)) else { return false };
        if !matches!(source.word(word), Some(MARK | PIPELINED | UNROLLED)) {
            return false;
        }
        let Some(before) = word.checked_sub(1) else { return false };
        first = before;
    }
    source.is(first, "do")
}

fn is_unrolled_by_pragma(source: &Source<'_>, at: usize) -> bool {
    let from = at.checked_sub(1).and_then(|before| source.tokens.get(before)).map_or(0, |token| token.end);
    let between = source.text.get(from..source.start(at)).unwrap_or_default();
    between.lines().any(|line| line.trim_start().starts_with("#pragma") && line.contains("unroll"))
}

#[cfg(test)]
mod tests {
    use super::timed;

    fn short(text: &str) -> String {
        timed(text).replace("::adf::sim::counts::", "").replace("aiec_timed_", "t")
    }

    #[test]
    fn an_object_stands_around_every_loop_and_sees_its_turns() {
        assert_eq!(
            short("for (;;) aiec_marked_pipelined() aiec_marked_loop_range(4) f();"),
            "if (loop t1{true, false}; false) {} else for (;;)  aiec_marked_loop_range(4) if (t1.turn()) {} else f();"
        );
        assert_eq!(
            short("int *restrict p; do { f(); } while (g()); while (h()) ;"),
            "int *restrict p; if (loop t1{false, true}; false) {} else do if (t1.turn()) {} else { f(); } while \
             (g()); if (loop t3{false, true}; false) {} else while (h()) if (t3.turn()) {} else ;"
        );
    }

    #[test]
    fn unrolled_loops_and_those_of_system_headers_stay_as_they_are() {
        let pragma = "f();\n#pragma unroll(4)\nfor (;;) {}\n";
        assert_eq!(short(pragma), pragma);
        assert_eq!(short("for (;;) aiec_marked_unrolled() {}"), "for (;;)  {}");
        let header = "# 1 \"adf.h\" 1 3\nfor (;;) {}\n";
        assert_eq!(short(header), header);
    }
}
