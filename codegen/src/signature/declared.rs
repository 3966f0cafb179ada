//! Is a function of a namespace the only one of its name in a header? Else `&NAME` in C++ is
//! ambiguous.
//!
//! Takes the text of the header and the function's name with its namespaces. Follows the brackets
//! and the heads of namespaces. Names in other scopes, such as bodies and classes, do not count.

use aiec_cpp_text::{code, directives};
use aiec_ir::design::scoped;

use super::{closing, separated};

/// What the names of a scope belong to: a namespace with its path, or something else (None).
type Scope<'a> = Option<Vec<&'a str>>;

/// True if the header `text` declares `function`, which returns nothing, and no other one of its
/// name in its namespace. A definition may repeat the declaration.
pub(crate) fn is_declared_once(text: &str, function: &str) -> bool {
    let (space, name) = scoped(function);
    let wanted: Vec<&str> = space.split("::").filter(|part| !part.is_empty()).collect();
    let tokens: Vec<&str> = code(text).map(|token| token.text).collect();
    let mut scopes: Vec<Scope<'_>> = vec![Some(Vec::new())];
    let mut statement = 0;
    let mut found: Vec<Vec<&[&str]>> = Vec::new();
    for (at, &token) in tokens.iter().enumerate() {
        let around = scopes.last().and_then(Option::as_ref);
        match (token, around) {
            ("{", around) => scopes.push(around.and_then(|path| opens(path, &tokens[statement..at]))),
            ("}", _) => {
                scopes.pop();
            }
            (token, Some(path)) if token == name => match declaration(&tokens, at, path, &wanted) {
                Named::Function(parameters) => found.push(parameters),
                Named::Elsewhere => {}
                Named::Other => return false,
            },
            _ => {}
        }
        if matches!(token, "{" | "}" | ";") {
            statement = at + 1;
        }
    }
    let is_macro = directives(text).any(|directive| directive.words().contains(&name));
    let [first, others @ ..] = found.as_slice() else { return false };
    !is_macro && others.iter().all(|other| are_alike(first, other))
}

/// The scope of a bracket behind the words `head`, in the namespace `around`.
fn opens<'a>(around: &[&'a str], head: &[&'a str]) -> Scope<'a> {
    // Without its literal, `extern "C" {` has this word alone.
    if head == ["extern"] {
        return Some(around.to_vec());
    }
    let (inline, names) = match head {
        ["inline", "namespace", names @ ..] => (true, names),
        ["namespace", names @ ..] => (false, names),
        _ => return None,
    };
    let is_name = |part: &&str| part.starts_with(|c: char| c.is_alphabetic() || c == '_');
    let names = names.iter().copied().filter(is_name).filter(|_| !inline);
    Some(around.iter().copied().chain(names).collect())
}

/// What a name in a namespace is.
enum Named<'t, 'a> {
    /// The function, with its parameters.
    Function(Vec<&'t [&'a str]>),
    /// A name of another namespace or class.
    Elsewhere,
    /// Something else with the function's name.
    Other,
}

/// What the name at `at` in the namespace `path` is, if the function is in the namespace `wanted`.
fn declaration<'t, 'a>(tokens: &'t [&'a str], at: usize, path: &[&str], wanted: &[&str]) -> Named<'t, 'a> {
    let mut start = at;
    let mut written: Vec<&str> = Vec::new();
    while let Some(&[outer, ":", ":"]) = start.checked_sub(3).map(|first| &tokens[first..start]) {
        if !outer.starts_with(|c: char| c.is_alphabetic() || c == '_') {
            return Named::Elsewhere;
        }
        written.insert(0, outer);
        start -= 3;
    }
    if !path.iter().chain(&written).eq(wanted) {
        return Named::Elsewhere;
    }
    let is_void = start.checked_sub(1).is_some_and(|before| tokens[before] == "void");
    let rest = &tokens[at + 1..];
    match closing(rest).filter(|_| is_void) {
        Some(end) => Named::Function(separated(&rest[1..end])),
        None => Named::Other,
    }
}

/// True if two lists of parameters have equal types: they differ in names alone.
fn are_alike(one: &[&[&str]], other: &[&[&str]]) -> bool {
    one.len() == other.len() && one.iter().zip(other).all(|(one, other)| is_alike(one, other))
}

fn is_alike(one: &[&str], other: &[&str]) -> bool {
    let is_type = |word: &&&str| !matches!(**word, "__restrict" | "__restrict__" | "restrict");
    let [one, other] = [one, other].map(|words| words.iter().filter(is_type).copied().collect::<Vec<_>>());
    if one == other {
        return true;
    }
    let same = one.iter().zip(&other).take_while(|(one, other)| one == other).count();
    let (one, other) = (behind_name(&one[same..]), behind_name(&other[same..]));
    let is_end = |rest: &[&str]| rest.first().is_none_or(|word| matches!(*word, ")" | "[" | "="));
    let is_default = |word: &&str| *word == "=";
    same > 0 && is_end(one) && is_end(other) && one.split(is_default).next() == other.split(is_default).next()
}

/// What follows the name of a parameter, which is its last word or lies before the length of an
/// array.
fn behind_name<'w, 'a>(words: &'w [&'a str]) -> &'w [&'a str] {
    match words {
        [name, rest @ ..] if name.starts_with(|c: char| c.is_alphabetic() || c == '_') => rest,
        rest => rest,
    }
}

#[cfg(test)]
mod tests {
    use super::is_declared_once;

    #[test]
    fn a_header_declares_a_function_once() {
        let template = "namespace a { class b {}; }\ntemplate <int N> void f(adf::input_buffer<int32> &x);";
        let twice = "void f(int32 *x, const int16 (&w)[4]);\n\
            void f(int32 *__restrict value, const int16 (&)[4]) { f(value, {}); }";
        for (function, text) in [
            ("f", template),
            ("f", twice),
            ("f", "void f();\nvoid f() {}"),
            ("f", "namespace a { void f(int32 x); }\nvoid f(int32 x);"),
            ("f", "extern \"C\" { void f(int32 x); }\nclass c { void f(float x); friend void f(int32 x); };"),
            ("f", "inline namespace v1 { void f(int32 x = 1); }\nnamespace { void g() { f(1); } }"),
            ("q::f", "namespace q { void f(int32 x); }"),
            ("q::f", "#pragma once\n#include <adf.h>\nnamespace q { void f(int32 x); }\nvoid f(float x);"),
            ("q::f", "namespace q { template <int N> void f(int32 x); }\nvoid q::f(int32 y) {}"),
            ("a::b::f", "namespace a { namespace b { void f(int32 x); } }"),
            ("a::b::f", "namespace a::b { void f(int32 x); }\nnamespace a { void f(float x); }"),
        ] {
            assert!(is_declared_once(text, function), "{function}: {text}");
        }
    }

    #[test]
    fn what_may_be_another_function_is_not_declared_once() {
        for (function, text) in [
            ("f", "void f(int32 x);\nvoid f(float x);"),
            ("f", "void f(int32 x);\nvoid f(int32 &x);"),
            ("f", "void f(int32 x);\nvoid f(int32 x, int32 y);"),
            ("f", "void f(int32 (&x)[4]);\nvoid f(int32 (&x)[5]);"),
            ("f", "void f(int32 x);\nint f(float x);"),
            ("f", "namespace a { void f(int32 x); }"),
            ("f", "class f { void f(int32 x); };"),
            ("f", "inline void g() { void f(int32 x); }"),
            ("f", "int f(int32 x);"),
            ("f", "#define f(x) g(x)\nvoid f(int32 x);"),
            ("f", "void f(int32 x"),
            ("f", ""),
            ("q::f", "void f(int32 x);"),
            ("q::f", "namespace q { using r::g; int f; }"),
            ("q::f", "namespace q { void f(int32 x); void f(float x); }"),
            ("q::f", "namespace q { void f(int32 x); }\nvoid q::f(float x) {}"),
            ("q::f", "namespace r { namespace q { void f(int32 x); } }"),
        ] {
            assert!(!is_declared_once(text, function), "{function}: {text}");
        }
    }
}
