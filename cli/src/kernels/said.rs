//! A C++ compiler's messages, and places in C++ texts.

/// The macro by which a source selects windows or buffers.
const SWITCH: &str = "AIEC_BUFFER_PORTS";

/// A place that a compiler names: `FILE:LINE:COLUMN:`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place<'a> {
    pub(super) file: &'a str,
    pub(super) line: usize,
    pub(super) column: usize,
}

/// An error of a compiler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Said<'a> {
    /// The file in which it lies.
    pub(super) file: &'a str,
    /// The words behind `error:`.
    pub(super) text: &'a str,
}

impl<'a> Said<'a> {
    /// The errors in the messages of a compiler.
    pub(super) fn all(words: &'a str) -> impl Iterator<Item = Self> {
        words.lines().filter_map(|line| {
            let (before, text) = line.split_once("error: ")?;
            Some(Self { file: place(before)?.file, text: text.trim() })
        })
    }

    /// All places that the messages name: first those of errors, then those of other lines.
    pub(super) fn places(words: &'a str) -> impl Iterator<Item = Place<'a>> {
        let is_error = |line: &&str| line.contains("error: ");
        let others = words.lines().filter(move |line| !is_error(line));
        words.lines().filter(is_error).chain(others).filter_map(place)
    }
}

/// The place at the start of a line.
fn place(line: &str) -> Option<Place<'_>> {
    let line = line.trim_start().trim_start_matches("In file included from ").trim_start_matches("from ");
    let mut parts = line.splitn(4, ':');
    let file = parts.next()?;
    let line = parts.next()?.parse().ok()?;
    let column = parts.next().and_then(|column| column.trim().parse().ok()).unwrap_or(0);
    Some(Place { file, line, column })
}

/// The first line (from 1) with the word `name` and an opening bracket behind it, outside of line
/// comments.
pub(super) fn definition(text: &str, name: &str) -> Option<usize> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let defines = |line: &str| {
        let code = line.split("//").next().unwrap_or(line);
        code.match_indices(name).any(|(at, _)| {
            let (before, after) = (&code[..at], code[at + name.len()..].trim_start());
            !before.ends_with(is_word) && after.starts_with('(')
        })
    };
    text.lines().position(defines).map(|at| at + 1)
}

/// The first line (from 1) with a directive that reads `AIEC_BUFFER_PORTS`. Returns None when the
/// text has none, or when a header may define the macro: that of aiec, or one of the user's.
pub(super) fn undefined_switch(text: &str) -> Option<usize> {
    let lines = || text.lines().map(|line| line.trim_start());
    let may_define = |line: &str| {
        let included =
            line.strip_prefix('#').map(str::trim_start).and_then(|rest| rest.strip_prefix("include"));
        let defined =
            line.strip_prefix('#').map(str::trim_start).and_then(|rest| rest.strip_prefix("define"));
        let header = |rest: &str| rest.contains('"') || rest.contains("aiec/");
        included.is_some_and(header) || defined.is_some_and(|rest| rest.contains(SWITCH))
    };
    let asks = |line: &str| line.starts_with('#') && line.contains(SWITCH);
    if lines().any(may_define) {
        return None;
    }
    lines().position(asks).map(|at| at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_and_places_are_read_from_the_messages_of_compilers() {
        let words = "In file included from aie/kernels/w_root.cc:9:\n\
            aie/kernels/w.cc: In function 'void f()':\n\
            aie/include/aiec/x.h:4:9: error: no match\n\
            aie/kernels/w.cc:7:3:   required from here\n";
        let said: Vec<Said<'_>> = Said::all(words).collect();
        assert_eq!(said, [Said { file: "aie/include/aiec/x.h", text: "no match" }]);
        let places: Vec<(&str, usize)> = Said::places(words).map(|place| (place.file, place.line)).collect();
        let wanted = [("aie/include/aiec/x.h", 4), ("aie/kernels/w_root.cc", 9), ("aie/kernels/w.cc", 7)];
        assert_eq!(places, wanted);
    }

    #[test]
    fn a_definition_is_a_name_with_a_bracket() {
        assert_eq!(definition("// f(\nint ff(int);\nvoid f (int x) {}\n", "f"), Some(3));
        assert_eq!(definition("int f;\n", "f"), None);
    }
    #[test]
    fn a_switch_is_undefined_only_without_a_header_that_may_define_it() {
        let switch = "#if AIEC_BUFFER_PORTS\n#endif\n";
        let with = |line: &str| undefined_switch(&format!("{line}\n{switch}"));
        assert_eq!(with("#include <adf.h>"), Some(2));
        assert_eq!(with("#include <aiec/design.h>"), None);
        assert_eq!(with("  # include \"mine.h\""), None);
        assert_eq!(with("#define AIEC_BUFFER_PORTS 1"), None);
        assert_eq!(undefined_switch("// AIEC_BUFFER_PORTS\n"), None);
    }
}
