//! A C++ compiler's messages, and places in C++ texts.

use aiec_cpp_text::{Directive, Kind, Token, blanked, code, directives, line_of, opened};

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

/// True if an error quotes the namespace of the design's numbers.
pub(super) fn names_numbers(text: &str) -> bool {
    let is_it = |word: &str| matches!(word.split("::").next(), Some("design" | "design_numbers"));
    text.split(['‘', '’', '\'']).any(is_it)
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
/// attributes. Returns None when the line holds a macro or is behind the end.
pub(super) fn declaration(text: &str, line: usize) -> Option<String> {
    /// A declaration of more lines is no help in a message.
    const MOST_LINES: usize = 8;
    let code = blanked(text, |kind| kind == Kind::Comment);
    let lines = code.lines().skip(line.checked_sub(1)?).take(MOST_LINES);
    let words: Vec<&str> = lines.flat_map(str::split_whitespace).collect();
    let words = words.join(" ");
    let (declaration, _) = words.split_once([';', '{'])?;
    let declaration = declaration.replace("[[maybe_unused]] ", "");
    let declaration = declaration.trim().trim_end_matches(" const");
    declaration.ends_with(')').then(|| declaration.to_owned())
}

/// An error with the places that lead to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fault<'a> {
    /// The words behind `error:`.
    pub(super) text: &'a str,
    /// Its file and line, where the compiler names them.
    pub(super) at: Option<Place<'a>>,
    /// The places that instantiate its line, innermost first.
    pub(super) required: Vec<Place<'a>>,
    /// The places of its notes.
    pub(super) notes: Vec<Place<'a>>,
}

impl<'a> Fault<'a> {
    /// All errors of a compiler. GCC names the lines that instantiate before the error
    /// (`required from here`), Clang behind it (`requested here`).
    pub(super) fn all(words: &'a str) -> Vec<Self> {
        let mut found: Vec<Self> = Vec::new();
        let mut required = Vec::new();
        for line in words.lines() {
            let at = place(line);
            if let Some((_, text)) = line.split_once("error: ") {
                let required = std::mem::take(&mut required);
                found.push(Self { text: text.trim(), at, required, notes: Vec::new() });
            } else if line.contains("required from") {
                required.extend(at);
            } else if line.contains("warning: ") {
                required.clear(); // these places led to the warning
            } else if let Some(last) = found.last_mut() {
                let list = match line.contains("requested here") {
                    true => &mut last.required,
                    false => &mut last.notes,
                };
                list.extend(at.filter(|_| line.contains("note: ")));
            }
        }
        found
    }

    /// The line of `file` that causes the error: its own, the outermost that instantiates it, or
    /// one of the notes, as for a macro.
    pub(super) fn cause(&self, file: &str) -> Option<usize> {
        let places = self.at.iter().chain(self.required.iter().rev()).chain(&self.notes);
        places.filter(|at| at.file == file).map(|at| at.line).next()
    }

    /// The first place of the user's, its own or one of its notes.
    pub(super) fn place_in(&self, is_users: impl Fn(&str) -> bool) -> Option<Place<'a>> {
        self.at.iter().chain(&self.notes).copied().find(|at| is_users(at.file))
    }
}

/// The statement of a generated text to which `line` (from 1) belongs, in one line. Returns None
/// when the line is behind the end.
pub(super) fn statement(lines: &[&str], line: usize) -> Option<String> {
    let at = line.checked_sub(1).filter(|&at| at < lines.len())?;
    let is_end = |line: &&str| line.trim_end().ends_with([';', '{', '}']);
    let first = lines[..at].iter().rposition(is_end).map_or(0, |end| end + 1);
    let last = lines[at..].iter().position(is_end).map_or(lines.len() - 1, |end| at + end);
    let mut whole = String::new();
    let code = lines[first..=last].iter().map(|line| line.trim()).filter(|line| !line.starts_with("//"));
    for part in code {
        let space = if whole.is_empty() || whole.ends_with('(') { "" } else { " " };
        whole += space;
        whole += part;
    }
    Some(whole.trim_end_matches(';').to_owned())
}

/// What a statement creates, such as `adf::kernel::create_object<::fir>(1)`. Returns None when it
/// creates no kernel.
pub(super) fn created(statement: &str) -> Option<&str> {
    statement.find(CREATE).map(|at| &statement[at..])
}

/// The type and the expected function in a line that compares the function of a class with the
/// design. Returns None when the line compares no function.
pub(super) fn compared(line: &str) -> Option<(&str, &str)> {
    let (types, rest) = line.strip_prefix("static_assert(aiec::has_ports<")?.split_once(">::value, \"")?;
    Some((types, rest.strip_suffix("\");")?))
}

/// What a line compares with the constructor of a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Given<'a> {
    /// The lengths of tables.
    Lengths,
    /// The types of tables: the constructor that the design wants.
    Types(&'a str),
    /// These numbers, which not every type has.
    Numbers(&'a str),
}

/// The class and what it is constructed with, in a line that compares its constructor with tables
/// or numbers. Returns None when the line compares no constructor.
pub(super) fn constructed(line: &str) -> Option<(&str, Given<'_>)> {
    let rest = line.strip_prefix("static_assert(aiec::takes_")?;
    let (kind, rest) = rest.split_once('<')?;
    let (types, words) = rest.strip_suffix("\");")?.split_once(">::value, \"")?;
    let given = match kind {
        "tables" => Given::Lengths,
        _ if words.ends_with(')') => Given::Types(words),
        _ => Given::Numbers(words),
    };
    Some((types, given))
}

/// The function that a class registers, `CLASS::NAME`, in the words about one that is no kernel,
/// and whether it is static: only a pointer to a member begins with `&`.
pub(super) fn registered(words: &str) -> Option<(&str, bool)> {
    let incomplete = words.contains("incomplete type") || words.contains("undefined template");
    let (_, rest) = words.split_once("member_kernel<").filter(|_| incomplete)?;
    let function = rest.split(['’', '\'']).next()?.trim_end().strip_suffix('>')?;
    Some((function.trim_start_matches('&'), !function.starts_with('&')))
}

/// The name of the function in `CLASS::NAME(PARAMETERS)`.
pub(super) fn last_name(function: &str) -> &str {
    let name = function.split('(').next().unwrap_or(function);
    name.rsplit("::").next().unwrap_or(name)
}

/// True if the words of a compiler name a class, structure or other type called `name`.
pub(super) fn names_type(words: &str, name: &str) -> bool {
    let parts = words.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|part| !part.is_empty());
    let parts: Vec<&str> = parts.collect();
    let is_kind =
        |part: &str| ["class", "struct", "union", "enum", "typedef", "using", "type"].contains(&part);
    parts.windows(2).any(|pair| is_kind(pair[0]) && pair[1] == name)
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

/// The line (from 1) of the first word `name` with an opening bracket behind it. Directives count
/// where the code has none.
pub(super) fn definition(text: &str, name: &str) -> Option<usize> {
    let first = |tokens: &[Token<'_>]| called(tokens, name).next().map(|at| line_of(text, tokens[at].start));
    let tokens: Vec<Token<'_>> = code(text).collect();
    first(&tokens).or_else(|| first(&opened(text).filter(|token| token.kind.is_code()).collect::<Vec<_>>()))
}

/// The line (from 1) of the name of a function that its definition makes `static`. Returns None
/// when there is no such definition. A compiler makes no symbol for a static function that nothing
/// calls.
pub(super) fn static_definition(text: &str, name: &str) -> Option<usize> {
    let tokens: Vec<Token<'_>> = code(text).collect();
    let at = called(&tokens, name).find(|at| {
        let before = tokens[..*at].iter().rev().take_while(|token| !matches!(token.text, ";" | "{" | "}"));
        let statement: Vec<&str> = before.map(|token| token.text).collect();
        // Behind `=` and brackets the name is a call in an initial value.
        let is_declared = statement.first().is_some_and(|last| !matches!(*last, "(" | "," | "=" | ":"));
        is_declared && statement.contains(&"static") && !statement.contains(&"=")
    })?;
    Some(line_of(text, tokens[at].start))
}

/// The positions of the word `name` with an opening bracket behind it.
fn called<'t>(tokens: &'t [Token<'_>], name: &'t str) -> impl Iterator<Item = usize> + 't {
    let pairs = tokens.windows(2).enumerate();
    pairs.filter(move |(_, pair)| pair[0].text == name && pair[1].text == "(").map(|(at, _)| at)
}

/// The first line (from 1) with a directive that reads `AIEC_BUFFER_PORTS`. Returns None when the
/// text has none, or when a header may define the macro: that of aiec, or one of the user's.
pub(super) fn undefined_switch(text: &str) -> Option<usize> {
    let names = |directive: &Directive<'_>| directive.words().contains(&SWITCH);
    let may_define = |directive: &Directive<'_>| {
        let header = |name: &str| !name.starts_with('<') || name.contains("aiec/");
        directive.included().is_some_and(header) || directive.name == "define" && names(directive)
    };
    if directives(text).any(|directive| may_define(&directive)) {
        return None;
    }
    directives(text).find(names).map(|directive| line_of(text, directive.whole.start))
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
            g.h:35:1:   required from here\n\
            aie/kernels/c.h:9:1: warning: unused parameter\n\
            aie/kernels/c.h:3:1: error: of the user alone\n";
        let clang = "adf/kernel.h:337:22: error: no matching constructor\n\
            g.h:31:60: note: in instantiation of x requested here\n\
            aie/kernels/c.h:5:5: note: candidate constructor\n";
        let lines = |words| -> Vec<(Option<usize>, Option<usize>)> {
            let all = Fault::all(words);
            let place = |one: &Fault<'_>| one.place_in(|file| file == "aie/kernels/c.h").map(|at| at.line);
            all.iter().map(|one| (one.cause("g.h"), place(one))).collect()
        };
        let here = Some(31);
        assert_eq!(lines(gcc), [(here, Some(5)), (here, None), (Some(40), None), (None, Some(3))]);
        assert_eq!(lines(clang), [(here, Some(5))]);
    }

    #[test]
    fn a_line_belongs_to_a_statement_which_may_create_a_kernel() {
        let lines =
            ["for (;;) {", "  k =", "    adf::kernel::create(", "      ::f);", "  adf::connect(x);", "}"];
        for line in [2, 3, 4] {
            let whole = statement(&lines, line).expect("a statement");
            assert_eq!(whole, "k = adf::kernel::create(::f)");
            assert_eq!(created(&whole), Some("adf::kernel::create(::f)"));
        }
        let other = statement(&lines, 5).expect("a statement");
        assert_eq!((other.as_str(), created(&other)), ("adf::connect(x)", None));
        assert_eq!(statement(&lines, 7), None);
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
        let text = "template <typename T>\nvoid f(const T &one, // a; b\n       [[maybe_unused]] int two) const {\n}\nint x;\n";
        assert_eq!(declaration(text, 2).as_deref(), Some("void f(const T &one, int two)"));
        assert_eq!(declaration(text, 5), None);
        assert_eq!(declaration(text, 9), None);
    }

    #[test]
    fn a_static_definition_says_so_before_its_name() {
        for (text, line) in [
            ("int f;\nstatic void f(int x) {}\n", 2),
            ("#define N 4\nstatic\nvoid f(int x) {}\n", 3),
            ("void f(int);\nint y;\nstatic inline __attribute__((noinline)) int *f(int x) {}\n", 3),
        ] {
            assert_eq!(static_definition(text, "f"), Some(line), "{text}");
        }
        for text in [
            "static int x;\nvoid f(int x) {}\n",
            "/* static void f(int) was the draft. */\nvoid g(int x) {}\n",
            "static int x = f(3);\nstatic T y(f(3)), z{f(1)};\n",
            "static void g() { f(1); }\n",
        ] {
            assert_eq!(static_definition(text, "f"), None, "{text}");
        }
    }

    #[test]
    fn a_definition_is_a_name_with_a_bracket() {
        assert_eq!(definition("// f(\nint ff(int);\nvoid f (int x) {}\n", "f"), Some(3));
        assert_eq!(definition("int f;\n", "f"), None);
        assert_eq!(definition("#define f(x) x\n/* f( */ \"f(\";\nvoid f(int x) {}\n", "f"), Some(3));
        assert_eq!(definition("#define DEFINE void f()\nDEFINE {}\n", "f"), Some(1));
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
