//! What a header of the user declares, read from its text: a class or a function, the parameters
//! of its template, and the constructors of a class. A compiler has refused the header before, so
//! this only chooses the words of the message.

use aiec_cpp_text::blanked_code;
use aiec_ir::design::Argument;

/// A class or function of a header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Declared {
    /// The line of its name, from 1.
    pub(super) line: usize,
    /// True for a class.
    pub(super) is_class: bool,
    /// The parameters of its template, such as `typename T`. Empty for what is no template.
    pub(super) template: Vec<String>,
    /// The constructors that a class declares, such as `fir(int gain)`.
    pub(super) constructors: Vec<String>,
}

impl Declared {
    /// The class or function `name` of the header `text`. Returns None when it declares neither.
    pub(super) fn of(text: &str, name: &str) -> Option<Self> {
        let code = blanked_code(text);
        let of_class = class(&code, name);
        let called = |at: &usize| code[at + name.len()..].trim_start().starts_with('(');
        let at = of_class.map(|(at, _)| at).or_else(|| words(&code, name).find(called))?;
        let start = keyword(&code[..at]).filter(|_| of_class.is_some()).unwrap_or(at);
        Some(Self {
            line: code[..at].matches('\n').count() + 1,
            is_class: of_class.is_some(),
            template: template(&code[..start]),
            constructors: of_class.map_or_else(Vec::new, |(_, inside)| constructors(&code[inside..], name)),
        })
    }

    /// True if `arguments` are not what the template takes: another number of them, or a type
    /// instead of a number.
    pub(super) fn refuses(&self, arguments: &[Argument]) -> bool {
        let is_pack = |parameter: &String| parameter.contains("...");
        let needed = self.template.iter().filter(|one| !one.contains('=') && !is_pack(one)).count();
        let most = if self.template.iter().any(is_pack) { usize::MAX } else { self.template.len() };
        let is_type = |parameter: &str| ["typename", "class"].iter().any(|word| parameter.starts_with(word));
        let differs = |(parameter, argument): (&String, &Argument)| {
            is_type(parameter) != matches!(argument, Argument::Type(_))
        };
        arguments.len() < needed || arguments.len() > most || self.template.iter().zip(arguments).any(differs)
    }

    /// The head of its template, such as `template <typename T>`. Returns None when it is no
    /// template.
    pub(super) fn head(&self) -> Option<String> {
        (!self.template.is_empty()).then(|| format!("template <{}>", self.template.join(", ")))
    }
}

/// What the function `registerKernelClass` of a class registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Registered {
    /// The line of its name, from 1.
    pub(super) line: usize,
    /// The number of members that it registers (`REGISTER_PARAMETER`).
    pub(super) parameters: usize,
    /// The members that refer to arrays, and that it does not register.
    pub(super) others: Vec<String>,
}

impl Registered {
    /// That of the class `name` of the header `text`. Returns None when the class does not define
    /// the function, or when the function does more than register, as with a macro.
    pub(super) fn of(text: &str, name: &str) -> Option<Self> {
        let code = blanked_code(text);
        let (_, start) = class(&code, name)?;
        let inside = until_closed(&code[start..], ['{', '}']);
        let at = words(inside, "registerKernelClass").next()?;
        let rest = inside[at..].trim_start_matches("registerKernelClass").trim_start();
        let rest = rest.strip_prefix('(')?.trim_start().strip_prefix(')')?.trim_start();
        let parameters = parameters(until_closed(rest.strip_prefix('{')?, ['{', '}']))?;
        let members = references(inside).into_iter();
        Some(Self {
            line: code[..start + at].matches('\n').count() + 1,
            parameters: parameters.len(),
            others: members.filter(|member| !parameters.contains(&member.as_str())).collect(),
        })
    }
}

/// The members in the `REGISTER_PARAMETER` of the body of a function. Returns None when the body
/// has other statements than registrations.
fn parameters(mut body: &str) -> Option<Vec<&str>> {
    let mut found = Vec::new();
    loop {
        body = body.trim_start_matches(|c: char| c.is_whitespace() || c == ';');
        let (name, rest) = match body.split_once('(') {
            None => return body.is_empty().then_some(found),
            Some(parts) => parts,
        };
        let inside = until_closed(rest, ['(', ')']);
        match name.trim() {
            "REGISTER_FUNCTION" => {}
            "REGISTER_PARAMETER" => found.push(inside.trim()),
            _ => return None,
        }
        body = rest.get(inside.len() + 1..)?;
    }
}

/// The members of a class that refer to arrays, such as `int32 (&taps)[4];`.
fn references(inside: &str) -> Vec<String> {
    let found = inside.match_indices("(&").filter_map(|(at, open)| {
        let (name, rest) = inside[at + open.len()..].split_once(')')?;
        let (_, behind) = rest.trim_start().strip_prefix('[')?.split_once(']')?;
        let is_member = depth(inside, at) == 0 && behind.trim_start().starts_with(';');
        is_member.then(|| name.trim().to_owned())
    });
    found.collect()
}

/// The number of braces that are open at `at`.
fn depth(body: &str, at: usize) -> usize {
    body[..at].matches('{').count().saturating_sub(body[..at].matches('}').count())
}

/// Words that a bracket may follow, and that name no function.
const NO_FUNCTION: [&str; 6] = ["alignas", "decltype", "noexcept", "requires", "sizeof", "static_assert"];

/// The classes, or else the functions, that the header `text` declares in its namespaces: their
/// names with these namespaces, each once. Names within classes and bodies are none.
pub(super) fn names(text: &str, classes: bool) -> Vec<String> {
    let code = blanked_code(text);
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let (mut found, mut start) = (Vec::<String>::new(), 0);
    // The namespace that each open bracket belongs to; None when it is something else.
    let mut open: Vec<Option<&str>> = Vec::new();
    for (at, c) in code.char_indices() {
        let statement = &code[start..at];
        match c {
            '{' => open.push(namespace(statement)),
            '}' => drop(open.pop()),
            _ => {}
        }
        if matches!(c, '{' | '}' | ';') {
            start = at + c.len_utf8();
        }
        let is_first = is_word(c) && !statement.ends_with(is_word);
        let Some(scope) = open.iter().copied().collect::<Option<Vec<&str>>>().filter(|_| is_first) else {
            continue;
        };
        let name = &code[at..][..code[at..].find(|c: char| !is_word(c)).unwrap_or(code.len() - at)];
        let is_class = keyword(statement).is_some();
        let is_called = code[at + name.len()..].trim_start().starts_with('(');
        let is_free =
            statement.matches('(').count() == statement.matches(')').count() && !statement.ends_with("::");
        let is_wanted = match classes {
            true => is_class && body(&code, at + name.len()).is_some(),
            false => !is_class && is_called && is_free && !NO_FUNCTION.contains(&name),
        };
        let whole =
            scope.into_iter().filter(|part| !part.is_empty()).chain([name]).collect::<Vec<_>>().join("::");
        if is_wanted && !found.contains(&whole) {
            found.push(whole);
        }
    }
    found
}

/// The namespace whose bracket opens behind `statement`, empty for one without a name and for
/// `extern "C"`. Returns None when the bracket belongs to something else.
fn namespace(statement: &str) -> Option<&str> {
    if let Some(at) = words(statement, "namespace").last() {
        return Some(statement[at..].trim_start_matches("namespace").trim());
    }
    (words(statement, "extern").next().is_some() && !statement.contains('(')).then_some("")
}

/// The positions of the name of the class `name`, and behind the bracket that opens its body.
fn class(code: &str, name: &str) -> Option<(usize, usize)> {
    let mut classes = words(code, name).filter(|&at| keyword(&code[..at]).is_some());
    classes.find_map(|at| Some((at, body(code, at + name.len())?)))
}

/// The positions of the word `name`.
pub(super) fn words<'a>(code: &'a str, name: &'a str) -> impl Iterator<Item = usize> + 'a {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    code.match_indices(name)
        .map(|(at, _)| at)
        .filter(move |&at| !code[..at].ends_with(is_word) && !code[at + name.len()..].starts_with(is_word))
}

/// The position of the word `class` or `struct` at the end of `before`.
fn keyword(before: &str) -> Option<usize> {
    let before = before.trim_end();
    let word = before.rsplit(|c: char| !c.is_alphanumeric()).next()?;
    ["class", "struct"].contains(&word).then(|| before.len() - word.len())
}

/// The position behind the bracket that opens the body of the class whose name ends at `at`.
/// Returns None when the code only declares the class.
fn body(code: &str, at: usize) -> Option<usize> {
    let stop = code[at..].find(['{', ';', ')', '>'])? + at;
    code[stop..].starts_with('{').then_some(stop + 1)
}

/// The parameters of the template whose head stands last in `before`, behind all other statements.
fn template(before: &str) -> Vec<String> {
    let statement = &before[before.rfind([';', '{', '}']).map_or(0, |at| at + 1)..];
    let Some(at) = words(statement, "template").next() else { return Vec::new() };
    let Some(open) = statement[at..].find('<').map(|open| at + open + 1) else { return Vec::new() };
    let inside = until_closed(&statement[open..], ['<', '>']);
    let (mut depth, mut parts) = (0_i32, vec![String::new()]);
    for c in inside.chars() {
        depth += i32::from("<(".contains(c)) - i32::from(">)".contains(c));
        match parts.last_mut() {
            Some(last) if c != ',' || depth > 0 => last.push(c),
            _ => parts.push(String::new()),
        }
    }
    let parts = parts.iter().map(|part| spaced(part));
    parts.filter(|part| !part.is_empty()).collect()
}

/// The part of a text before the bracket that closes one opened before it.
fn until_closed(text: &str, [open, close]: [char; 2]) -> &str {
    let mut depth = 1_i32;
    let end = text.char_indices().find(|&(_, c)| {
        depth += i32::from(c == open) - i32::from(c == close);
        depth == 0
    });
    &text[..end.map_or(text.len(), |(at, _)| at)]
}

/// The constructors in the body of the class `name`, up to its end.
fn constructors(inside: &str, name: &str) -> Vec<String> {
    let body = until_closed(inside, ['{', '}']);
    let found = words(body, name).filter_map(|at| {
        let parameters = body[at + name.len()..].trim_start().strip_prefix('(')?;
        let before = body[..at].trim_end();
        let is_own = depth(body, at) == 0 && !before.ends_with(['~', ',', '.']) && !follows_colon(before);
        is_own.then(|| format!("{name}({})", spaced(until_closed(parameters, ['(', ')']))))
    });
    found.collect()
}

/// True behind `::`, and behind the colon of a list of initial values: not behind `public:`.
fn follows_colon(before: &str) -> bool {
    let access = ["public", "protected", "private"];
    before.strip_suffix(':').is_some_and(|rest| !access.iter().any(|word| rest.trim_end().ends_with(word)))
}

/// The words of a text with one blank between them.
fn spaced(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use aiec_ir::{CascadeType, ElementType};

    const HEADER: &str = "#define fir(x) x
// class fir { fir(); };
class fir;
template <typename T, int N = f<2>(1, 2)>
class fir : public base {
public:
    explicit fir(T (&taps)[N],
                 int gain) : taps_(taps) { use(fir(1)); }
    fir();
    ~fir();
    void run(int x);
};
/* gain( */ template <int... S> void gain(int x);
void plain(int x);
";

    #[test]
    fn a_class_has_constructors_and_a_template() {
        let fir = Declared::of(HEADER, "fir").expect("a class");
        assert_eq!((fir.line, fir.is_class), (5, true));
        assert_eq!(fir.head().as_deref(), Some("template <typename T, int N = f<2>(1, 2)>"));
        assert_eq!(fir.constructors, ["fir(T (&taps)[N], int gain)", "fir()"]);
    }

    #[test]
    fn a_function_has_neither_constructors_nor_the_template_of_another() {
        let plain = Declared::of(HEADER, "plain").expect("a function");
        assert_eq!((plain.line, plain.is_class, plain.head()), (14, false, None));
        assert_eq!(
            Declared::of(HEADER, "gain").and_then(|gain| gain.head()).as_deref(),
            Some("template <int... S>")
        );
        assert_eq!(Declared::of(HEADER, "missing"), None);
    }

    #[test]
    fn a_header_declares_what_its_namespaces_hold() {
        let text = "#pragma once
extern \"C\" { void plain(int a); }
namespace flt { namespace inner {
template <class T, unsigned N> class F {
public:
    F(int g) : g_(g) { run(0); }
    void run(int x);
private:
    int g_;
};
class Known;
}
inline void twice(int x, int (*of)(int)) { of(x); }
}
namespace a::b { alignas(32) extern int taps[4]; struct Q {}; }
static_assert(sizeof(int) == 4);
void flt::inner::Known::run() {}
";
        assert_eq!(names(text, true), ["flt::inner::F", "a::b::Q"]);
        assert_eq!(names(text, false), ["plain", "flt::twice"]);
    }

    #[test]
    fn a_class_registers_members_that_refer_to_tables() {
        let of = |body: &str| {
            let members = "int32 (&taps)[N];\nconst float (& gains_) [4] ;\nint32 (&get())[N];";
            let text = format!(
                "class a {{}};\nstruct b {{\n{members}\nstatic void registerKernelClass() {{{body}}} }};"
            );
            Registered::of(&text, "b")
        };
        let registered = |parameters, others: &[&str]| {
            let others = others.iter().map(|&one| one.to_owned()).collect();
            Some(Registered { line: 6, parameters, others })
        };
        let function = "REGISTER_FUNCTION(b::run);";
        assert_eq!(of(function), registered(0, &["taps", "gains_"]));
        let one = format!("\n#if 1\n{function} REGISTER_PARAMETER ( taps ) ;\n#endif\n");
        assert_eq!(of(&one), registered(1, &["gains_"]));
        for other in ["TABLES(b);", "b::registers();", "if (x) { REGISTER_FUNCTION(b::run); }", "TABLES"] {
            assert_eq!(of(&format!("{function} {other}")), None, "{other}");
        }
        assert_eq!(Registered::of("class b { static void registerKernelClass(); };", "b"), None);
        assert_eq!(Registered::of("class b { void registerKernelClass() { REGISTER_FUNCTION(", "b"), None);
    }

    #[test]
    fn arguments_of_another_number_or_kind_are_refused() {
        let number = Argument::Number { value: 3, class: None };
        let class = Argument::Type(CascadeType::Vector(ElementType::Int16));
        let fir = Declared::of(HEADER, "fir").expect("a class");
        assert!(!fir.refuses(std::slice::from_ref(&class)) && !fir.refuses(&[class.clone(), number.clone()]));
        assert!(
            fir.refuses(&[])
                && fir.refuses(std::slice::from_ref(&number))
                && fir.refuses(&[class.clone(), class.clone()])
        );
        let gain = Declared::of(HEADER, "gain").expect("a function");
        assert!(!gain.refuses(&[]) && !gain.refuses(&vec![number; 5]) && gain.refuses(&[class]));
    }
}
