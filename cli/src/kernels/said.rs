//! A C++ compiler's messages, and places in C++ texts.

/// The macro by which a source selects windows or buffers.
const SWITCH: &str = "AIEC_BUFFER_PORTS";

/// The functions by which a graph creates kernels begin with this.
const CREATE: &str = "adf::kernel::create";

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

/// The words of an error without the names and types that it quotes: equal faults of wrappers with
/// other template arguments have equal kinds. GCC quotes as ‘x’, or as 'x' without Unicode; Clang
/// as 'x'.
pub(super) fn kind(text: &str) -> String {
    let mut depth = 0_usize;
    let mut is_plain = true;
    let mut outside = String::new();
    for c in text.chars() {
        match c {
            '‘' => depth += 1,
            '’' => depth = depth.saturating_sub(1),
            '\'' => is_plain = !is_plain,
            _ if depth == 0 && is_plain => outside.push(c),
            _ => {}
        }
    }
    outside
}

/// The places of the declarations that a call was compared with, in the notes to the first error.
pub(super) fn candidates(words: &str) -> Vec<Place<'_>> {
    let mut places = Vec::new();
    let mut errors = 0;
    for line in words.lines() {
        errors += usize::from(line.contains("error: "));
        let is_candidate = line.split_once("note: ").is_some_and(|(_, note)| note.starts_with("candidate"));
        if errors == 1 && is_candidate {
            places.extend(place(line).filter(|at| !places.contains(at)));
        }
    }
    places
}

/// The declaration that begins in line `line` (from 1) of a text, up to its body, without
/// attributes. Returns None for a macro and behind the end.
pub(super) fn declaration(text: &str, line: usize) -> Option<String> {
    /// A declaration of more lines is no help in a message.
    const MOST_LINES: usize = 8;
    let lines = text.lines().skip(line.checked_sub(1)?).take(MOST_LINES);
    let words: Vec<&str> = lines.flat_map(str::split_whitespace).collect();
    let words = words.join(" ");
    let (declaration, _) = words.split_once([';', '{'])?;
    let declaration = declaration.replace("[[maybe_unused]] ", "");
    let declaration = declaration.trim().trim_end_matches(" const");
    declaration.ends_with(')').then(|| declaration.to_owned())
}

/// An error in what a line of a generated file instantiates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Caused<'a> {
    /// The line, from 1.
    pub(super) line: usize,
    /// The words behind `error:`.
    pub(super) text: &'a str,
    /// The first place behind the error that is the user's.
    pub(super) place: Option<Place<'a>>,
}

/// The errors that lines of `file` cause, the first of each line. GCC names the line before the
/// error (`required from here`), Clang behind it (`requested here`). `is_users` knows the files of
/// the user.
pub(super) fn caused<'a>(words: &'a str, file: &str, is_users: impl Fn(&str) -> bool) -> Vec<Caused<'a>> {
    let mut found: Vec<(Option<usize>, &str, Option<Place<'a>>)> = Vec::new();
    let mut required = None;
    for line in words.lines() {
        let at = place(line);
        let here = at.filter(|at| at.file == file).map(|at| at.line);
        if let Some((_, text)) = line.split_once("error: ") {
            found.push((here.or(required.take()), text.trim(), at.filter(|at| is_users(at.file))));
        } else if line.contains("required from") {
            required = here.or(required);
        } else if let Some((cause, _, users)) = found.last_mut() {
            if line.contains("requested here") {
                *cause = cause.or(here);
            }
            let noted = at.filter(|at| line.contains("note: ") && is_users(at.file));
            *users = users.or(noted);
        }
    }
    let mut first: Vec<Caused<'a>> = Vec::new();
    for (cause, text, place) in found {
        let Some(line) = cause else { continue };
        if first.iter().all(|other| other.line != line) {
            first.push(Caused { line, text, place });
        }
    }
    first
}

/// What the statement that ends in `line` (from 1) creates, such as
/// `adf::kernel::create_object<::fir>(1)`. Returns None when the lines before it create no kernel.
pub(super) fn statement(lines: &[&str], line: usize) -> Option<String> {
    let above = lines.get(..line)?;
    let first = above.iter().rposition(|line| line.contains(CREATE))?;
    let rest = lines.get(first..)?.iter().map(|line| line.trim());
    let mut whole = String::new();
    for part in rest {
        let space = if whole.is_empty() || whole.ends_with('(') { "" } else { " " };
        whole += space;
        whole += part;
        if part.ends_with(';') {
            break;
        }
    }
    let whole = &whole[whole.find(CREATE)?..];
    Some(whole.trim_end_matches(';').to_owned())
}

/// The type and the expected function in a line that compares the function of a class with the
/// design. Returns None for other lines.
pub(super) fn compared(line: &str) -> Option<(&str, &str)> {
    let (types, rest) = line.strip_prefix("static_assert(aiec::has_ports<")?.split_once(">::value, \"")?;
    Some((types, rest.strip_suffix("\");")?))
}

/// The name of the function in `CLASS::NAME(PARAMETERS)`.
pub(super) fn last_name(function: &str) -> &str {
    let name = function.split('(').next().unwrap_or(function);
    name.rsplit("::").next().unwrap_or(name)
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
    text.lines().position(|line| before_name(line, name).is_some()).map(|at| at + 1)
}

/// True if `static` stands before the name in the line of its definition. A compiler makes no
/// symbol for a static function that nothing calls.
pub(super) fn is_static(text: &str, name: &str) -> bool {
    let before = text.lines().find_map(|line| before_name(line, name));
    before.is_some_and(|before| before.split_whitespace().any(|word| word == "static"))
}

/// What stands before the word `name` that an opening bracket follows, in a line without comment.
fn before_name<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let code = line.split("//").next().unwrap_or(line);
    code.match_indices(name).find_map(|(at, _)| {
        let (before, after) = (&code[..at], code[at + name.len()..].trim_start());
        (!before.ends_with(is_word) && after.starts_with('(')).then_some(before)
    })
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
    fn an_error_belongs_to_the_line_that_instantiates_it() {
        let gcc = "g.h: In instantiation of 'x':\n\
            g.h:31:60:   required from here\n\
            adf/kernel.h:337:22: error: no matching function for call to 'C::C(int)'\n\
            aie/kernels/c.h:5:5: note: candidate: 'C::C(int, int)'\n\
            g.h:31:60:   required from here\n\
            adf/kernel.h:340:9: error: another of the line\n\
            g.h:40:8: error: 'D' is not a member of '::'\n\
            aie/kernels/c.h:9:1: warning: unused parameter\n";
        let clang = "adf/kernel.h:337:22: error: no matching constructor\n\
            g.h:31:60: note: in instantiation of x requested here\n\
            aie/kernels/c.h:5:5: note: candidate constructor\n";
        let lines = |words| -> Vec<(usize, Option<usize>)> {
            let all = caused(words, "g.h", |file| file == "aie/kernels/c.h");
            all.iter().map(|one| (one.line, one.place.map(|place| place.line))).collect()
        };
        assert_eq!(lines(gcc), [(31, Some(5)), (40, None)]);
        assert_eq!(lines(clang), [(31, Some(5))]);
    }

    #[test]
    fn equal_faults_of_wrappers_have_one_kind() {
        let kinds =
            ["call to ‘tree<2, ‘x’>::reduce(int)’; did", "call to ‘tree<0>::reduce()’; did"].map(kind);
        assert_eq!(kinds[0], kinds[1]);
        assert_eq!(kind("no member 'reduc' in 'a<2>'; did"), kind("no member 'reduc' in 'b'; did"));
        assert_ne!(kind("‘x’ was not declared"), kind("no match for ‘x’"));
    }

    #[test]
    fn candidates_are_the_declarations_that_the_first_error_notes() {
        let words = "k.cc:3:1: error: no matching function\n\
            h.h:2:6: note: candidate: ‘template<class T> void f(T&&)’\n\
            k.cc:3:1: note:   candidate expects 1 argument, 2 provided\n\
            h.h:2:6: note: candidate: ‘template<class T> void f(T&&)’\n\
            k.cc:9:1: error: another\n\
            h.h:9:6: note: candidate function not viable\n";
        let places: Vec<(&str, usize)> = candidates(words).iter().map(|at| (at.file, at.line)).collect();
        assert_eq!(places, [("h.h", 2)]);
    }

    #[test]
    fn a_declaration_ends_before_its_body() {
        let text = "template <typename T>\nvoid f(const T &one,\n       [[maybe_unused]] int two) const {\n}\nint x;\n";
        assert_eq!(declaration(text, 2).as_deref(), Some("void f(const T &one, int two)"));
        assert_eq!(declaration(text, 5), None);
        assert_eq!(declaration(text, 9), None);
    }

    #[test]
    fn a_static_definition_says_so_before_its_name() {
        assert!(is_static("int f;\nstatic void f(int x) {}\n", "f"));
        assert!(!is_static("static int x;\nvoid f(int x) {}\n", "f"));
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
