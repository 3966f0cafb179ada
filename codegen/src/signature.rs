//! A lexical look at the source of a kernel: are the ports of its function windows or buffers?
//!
//! Takes the text of the source and the function's name. Returns the kind of ports if it is
//! unambiguous. This is no parser: it counts the words between comments and literals. It gives
//! no answer for sources with macros, templates or several signatures.

mod declared;

use aiec_cpp_text::opened;
use aiec_ir::PortKind;

pub(crate) use declared::is_declared_once;

/// The macro by which a source selects windows or buffers.
const SWITCH: &str = "AIEC_BUFFER_PORTS";

/// The kind of ports in the definitions of `function` in `text`. Returns None when there is no
/// definition, when definitions differ, when they name no kind of port, or when the source itself
/// states a kind.
pub(crate) fn written_for(text: &str, function: &str) -> Option<PortKind> {
    let tokens = tokens(text);
    if tokens.contains(&SWITCH) {
        return None;
    }
    let mut kinds = definitions(&tokens, function).map(kind);
    let first = kinds.next()??;
    kinds.all(|kind| kind == Some(first)).then_some(first)
}

/// The first byte of the name in the first definition of `function` in `text`.
pub(crate) fn defined_at(text: &str, function: &str) -> Option<usize> {
    let tokens = tokens(text);
    let (at, _) = defined(&tokens, function).next()?;
    opened(text).filter(|token| token.kind.is_code()).nth(at).map(|token| token.start)
}

/// The `usual` parameters of `function`, but a reference to a constant where its definition in
/// `text` takes one instead of a value (UG1079's table of inferred ports: `const T &` is an input).
/// Returns None when the text defines no function with as many parameters.
pub(crate) fn with_references(usual: &[String], text: &str, function: &str) -> Option<Vec<String>> {
    let tokens = tokens(text);
    let all = definitions(&tokens, function).map(separated);
    let found = all.into_iter().find(|found| found.len() == usual.len())?;
    let is_reference = |words: &[&str]| {
        let marks = ["&", "*", "(", "["].map(|mark| words.iter().filter(|word| **word == mark).count());
        words.contains(&"const") && marks == [1, 0, 0, 0]
    };
    let written = usual.iter().zip(found).map(|(usual, words)| match usual.rsplit_once(' ') {
        Some((class, name)) if !usual.contains(['&', '*']) && is_reference(words) => {
            format!("const {class} &{name}")
        }
        _ => usual.clone(),
    });
    Some(written.collect())
}

/// The parameters of a function, between the commas outside of all brackets.
fn separated<'t, 'a>(parameters: &'t [&'a str]) -> Vec<&'t [&'a str]> {
    let mut depth = 0_i32;
    let is_comma = |word: &&str| {
        depth += i32::from("(<[{".contains(*word)) - i32::from(")>]}".contains(*word));
        *word == "," && depth == 0
    };
    parameters.split(is_comma).collect()
}

/// The public member function without overloads that class `class` of the header `text` registers
/// as its kernel (`REGISTER_FUNCTION`, UG1079, "C++ Kernel Class Support"). Returns None when the
/// text leaves it open.
pub(crate) fn registered<'a>(text: &'a str, class: &str) -> Option<&'a str> {
    let tokens = tokens(text);
    let name = registration(&tokens, class)?;
    let is_declared = |at: usize| {
        let before = at.checked_sub(1).and_then(|at| tokens.get(at));
        tokens[at] == name && before == Some(&"void") && tokens.get(at + 1) == Some(&"(")
    };
    let declared: Vec<usize> = (0..tokens.len()).filter(|&at| is_declared(at)).collect();
    let [only] = declared.as_slice() else { return None };
    is_public(&tokens, class, *only).then_some(name)
}

/// The name in the only `REGISTER_FUNCTION(CLASS::NAME)` of a text.
fn registration<'a>(tokens: &[&'a str], class: &str) -> Option<&'a str> {
    let mut found = tokens.iter().enumerate().filter(|(_, token)| **token == "REGISTER_FUNCTION");
    let (at, _) = found.next()?;
    let rest = tokens.get(at + 1..)?;
    let inner = rest.get(1..closing(rest)?)?;
    let is_class = inner.first() == Some(&class) && found.next().is_none();
    match inner {
        [_, .., ":", ":", name] if is_class => Some(name),
        _ => None,
    }
}

/// True if the token at `at` lies in the public part of the class.
fn is_public(tokens: &[&str], class: &str, at: usize) -> bool {
    let is_head = |pair: &&[&str]| matches!(pair[0], "class" | "struct") && pair[1] == class;
    let mut heads = tokens.windows(2).enumerate().filter(|(_, pair)| is_head(pair));
    let Some((start, pair)) = heads.rfind(|(start, _)| *start < at) else { return false };
    let mut public = pair[0] == "struct";
    let mut depth = 0_i32;
    for pair in tokens[start..=at].windows(2) {
        match pair {
            ["{", _] => depth += 1,
            ["}", _] => depth -= 1,
            ["public", ":"] if depth == 1 => public = true,
            ["private" | "protected", ":"] if depth == 1 => public = false,
            _ => {}
        }
    }
    public && depth == 1
}

/// The parameters of each definition of `function`: the text between its name with `(` and `) {`.
fn definitions<'a>(tokens: &'a [&'a str], function: &str) -> impl Iterator<Item = &'a [&'a str]> {
    defined(tokens, function).map(|(_, parameters)| parameters)
}

/// The same, each with the position of its name.
fn defined<'a>(tokens: &'a [&'a str], function: &str) -> impl Iterator<Item = (usize, &'a [&'a str])> {
    let named = tokens.iter().enumerate().filter(move |(_, token)| **token == function);
    named.filter_map(|(at, _)| {
        let rest = tokens.get(at + 1..)?;
        let end = closing(rest)?;
        (rest.get(end + 1) == Some(&"{")).then(|| (at, &rest[1..end]))
    })
}

/// Position of the bracket that closes the first one of `tokens`.
fn closing(tokens: &[&str]) -> Option<usize> {
    if tokens.first() != Some(&"(") {
        return None;
    }
    let mut open = 0_usize;
    for (at, token) in tokens.iter().enumerate() {
        match *token {
            "(" => open += 1,
            ")" => open -= 1,
            _ => {}
        }
        if open == 0 {
            return Some(at);
        }
    }
    None
}

/// The kind of ports that parameters name. Returns None when they name neither kind, or both.
fn kind(parameters: &[&str]) -> Option<PortKind> {
    let window = parameters.iter().any(|word| is_window(word));
    let buffer = parameters.iter().any(|word| is_buffer(word));
    match (window, buffer) {
        (true, false) => Some(PortKind::Window),
        (false, true) => Some(PortKind::Buffer),
        _ => None,
    }
}

/// `input_window`, `output_window_int32` and so on (UG1079, "Window and Buffer Ports").
fn is_window(word: &str) -> bool {
    let rest = word.strip_prefix("input_window").or_else(|| word.strip_prefix("output_window"));
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('_'))
}

/// True for `input_buffer`, `output_async_circular_buffer` and so on.
fn is_buffer(word: &str) -> bool {
    let rest = word.strip_prefix("input_").or_else(|| word.strip_prefix("output_"));
    matches!(rest, Some("buffer" | "async_buffer" | "circular_buffer" | "async_circular_buffer"))
}

/// Words, numbers and marks of C++, those of directives as well.
fn tokens(text: &str) -> Vec<&str> {
    opened(text).filter(|token| token.kind.is_code()).map(|token| token.text).collect()
}

#[cfg(test)]
mod tests {
    use super::{defined_at, registered, with_references, written_for};
    use aiec_ir::PortKind::{Buffer, Window};

    #[test]
    fn a_definition_has_a_place() {
        let text = "// f\nvoid f(int);\nvoid f(input_window<int32> *x) { g(); }";
        assert_eq!(defined_at(text, "f"), Some(23));
        assert_eq!(defined_at(text, "g"), None);
    }

    #[test]
    fn definitions_name_windows_or_buffers() {
        for (text, kind) in [
            ("void f(input_window<int32> *x) { g(); }", Window),
            ("void f(input_window_int32 *__restrict x, output_window_int32 *y)\n{\n}", Window),
            ("void f(adf::input_buffer<int32> &x) {}", Buffer),
            (
                "template <typename C> void f(C &c, adf::output_async_buffer<float, adf::extents<(4)>> &x) {}",
                Buffer,
            ),
            ("void f(input_window<int32> *x);\nvoid f(input_window<int32> *x) {}", Window),
            ("// one's own\nvoid f(input_window<int32> *x /* not (adf::input_buffer */) {}", Window),
            ("int big = 1'000'000; void f(input_window<int32> *x) {}", Window),
            (
                "auto t = R\"x(void f(adf::input_buffer<int> &x) {})x\"; void f(output_window<int32> *y) {}",
                Window,
            ),
        ] {
            assert_eq!(written_for(text, "f"), Some(kind), "{text}");
        }
    }

    #[test]
    fn a_value_may_be_a_reference_to_a_constant() {
        let usual =
            ["input_stream<int32> *s", "const int16 (&c)[4]", "int32 g", "int32 &st"].map(str::to_owned);
        let written = |third: &str| {
            let text = format!(
                "void k(int);\nvoid k(input_stream<int32> *s, const int16 (&c)[4], {third}, int32 &st) {{}}"
            );
            with_references(&usual, &text, "k").map(|all| all[2].clone())
        };
        let value = Some("int32 g".to_owned());
        let reference = Some("const int32 &g".to_owned());
        for (third, wanted) in [
            ("int32 g", &value),
            ("const int32 g", &value),
            ("int32 &g", &value),
            ("const int32 (&g)[1]", &value),
            ("const int32 &g", &reference),
            ("int32 const &", &reference),
            ("int32, int32 g", &None),
        ] {
            assert_eq!(&written(third), wanted, "{third}");
        }
    }

    #[test]
    fn a_class_registers_a_public_function() {
        let body = |inside: &str| format!("template <int N> class fir final : base {{ {inside} }};");
        let registers = "static void registerKernelClass() { REGISTER_FUNCTION(fir::filter); }";
        for inside in [
            format!("public: void filter(adf::input_buffer<int32> &x) {{ go(); }} {registers}"),
            format!("int a; public: fir(int) {{}} {registers} void filter(int32 x); private: int b;"),
        ] {
            assert_eq!(registered(&body(&inside), "fir"), Some("filter"), "{inside}");
        }
        for inside in [
            format!("void filter(int32 x); public: {registers}"),
            format!("public: {registers} private: void filter(int32 x);"),
            format!("public: {registers} void filter(int32 x); void filter(float x);"),
            format!("public: {registers} {registers} void filter(int32 x);"),
            format!("public: {registers}"),
            "public: void filter(int32 x);".to_owned(),
        ] {
            assert_eq!(registered(&body(&inside), "fir"), None, "{inside}");
        }
        let other = body(&format!("public: void filter(); {registers}"));
        assert_eq!(registered(&other, "iir"), None);
        assert_eq!(registered("REGISTER_FUNCTION(", "fir"), None);
    }

    #[test]
    fn whoever_is_in_doubt_says_nothing() {
        for text in [
            "",
            "void f(input_window<int32> *x);",
            "void g(input_window<int32> *x) {}",
            "template <typename In> void f(In x) {}",
            "void f(samples_in x) {}",
            "void f(int32 x) {}",
            "#if AIEC_BUFFER_PORTS\n#endif\nvoid f(input_window<int32> *x) {}",
            "#ifdef B\nvoid f(adf::input_buffer<int32> &x) {}\n#else\nvoid f(input_window<int32> *x) {}\n#endif",
            "void f(adf::input_buffer<int32> &x, input_window<int32> *y) {}",
            "// void f(input_window<int32> *x) {}\n\"void f(input_window<int32> *x) {}\"",
            "void f(input_window<int32> *x",
        ] {
            assert_eq!(written_for(text, "f"), None, "{text}");
        }
    }
}
