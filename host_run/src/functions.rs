//! Names of functions and classes. Takes the names of the linker and the compiler, and returns them
//! as C++ spells them, with the names of types as kernels spell them (`int32`, not `int`).

use cpp_demangle::{DemangleOptions, Symbol};

/// Types of C++ by their names in kernels (`runtime/include/adf/types.h`), longer names first.
const TYPES: [(&str, &str); 20] = [
    ("adf::sim::complex<short>", "cint16"),
    ("adf::sim::complex<int>", "cint32"),
    ("adf::sim::complex<float>", "cfloat"),
    ("unsigned long long", "uint64"),
    ("unsigned long", "uint64"),
    ("unsigned int", "uint32"),
    ("unsigned short", "uint16"),
    ("unsigned char", "uint8"),
    ("signed char", "int8"),
    ("long long", "int64"),
    ("long", "int64"),
    ("int", "int32"),
    ("short", "int16"),
    ("(uint64)", ""),
    ("(uint32)", ""),
    ("(uint16)", ""),
    ("(uint8)", ""),
    ("(int16)", ""),
    ("(int8)", ""),
    ("(int64)", ""),
];

/// A name without the arguments of its template, and these.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Named {
    pub(crate) name: String,
    pub(crate) template: Vec<String>,
}

/// The whole name of a symbol. Returns None when the name is not C++.
pub(crate) fn demangled(symbol: &str) -> Option<String> {
    Symbol::new(symbol).ok()?.demangle().ok()
}

/// The name of a function without its parameters, such as `Column<6>::Column`. A name that is not
/// C++ stays.
pub(crate) fn function(symbol: &str) -> String {
    let options = DemangleOptions::new().no_params().no_return_type();
    let name = Symbol::new(symbol).ok().and_then(|symbol| symbol.demangle_with_options(&options).ok());
    name.map_or_else(|| symbol.to_owned(), |name| spelled(&name))
}

/// The name of a class by its compiler name, as `typeid` has it.
pub(crate) fn class(name: &str) -> String {
    let whole = demangled(&format!("_ZTI{name}"));
    whole
        .and_then(|whole| Some(spelled(whole.strip_prefix("typeinfo for ")?)))
        .unwrap_or_else(|| name.to_owned())
}

/// Splits the arguments of a template off the end of a name.
pub(crate) fn split(name: &str) -> Named {
    let whole = || Named { name: name.to_owned(), template: Vec::new() };
    let Some(inner) = name.strip_suffix('>') else { return whole() };
    let mut depth = 1_usize;
    for (at, c) in inner.char_indices().rev() {
        match c {
            '>' | ')' | '}' => depth += 1,
            '<' | '(' | '{' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            let (before, arguments) = (&inner[..at], &inner[at + 1..]);
            return Named { name: before.trim_end().to_owned(), template: arguments_of(arguments) };
        }
    }
    whole()
}

/// The arguments of a list, without empty ones.
fn arguments_of(text: &str) -> Vec<String> {
    let all = aiec_cpp_text::arguments(text).into_iter();
    all.filter(|argument| !argument.is_empty()).map(str::to_owned).collect()
}

/// The name with types as kernels spell them, and numbers without their types.
fn spelled(name: &str) -> String {
    let mut text = name.replace("(bool)0", "false").replace("(bool)1", "true");
    for (cpp, kernel) in TYPES {
        text = replaced(&text, cpp, kernel);
    }
    without_suffixes(&text).replace(" >", ">")
}

/// Replaces whole words.
fn replaced(text: &str, from: &str, to: &str) -> String {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let (mut done, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(at) = rest.find(from) {
        let (before, after) = (&rest[..at], &rest[at + from.len()..]);
        let joins_before = from.starts_with(is_word)
            && (before.ends_with(is_word) || before.is_empty() && done.ends_with(is_word));
        let joins = joins_before || from.ends_with(is_word) && after.starts_with(is_word);
        done.push_str(before);
        done.push_str(if joins { from } else { to });
        rest = after;
    }
    done + rest
}

/// Drops the suffixes of integers: `128u` is `128`.
fn without_suffixes(text: &str) -> String {
    let mut done = String::with_capacity(text.len());
    let mut word = String::new();
    for c in text.chars().chain(['\0']) {
        if c.is_ascii_alphanumeric() || c == '_' {
            word.push(c);
            continue;
        }
        let digits = word.trim_end_matches(['u', 'l']);
        let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        done.push_str(if is_number { digits } else { &word });
        word.clear();
        done.extend((c != '\0').then_some(c));
    }
    done
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_have_the_types_of_kernels_and_no_parameters() {
        let name = function("_Z5stageIiLj128ELb1EEvP12input_windowIT_EP13output_windowIS1_E");
        assert_eq!(name, "stage<int32, 128, true>");
        assert_eq!(
            split(&name),
            Named { name: "stage".into(), template: vec!["int32".into(), "128".into(), "true".into()] }
        );
        assert_eq!(function("plain_c"), "plain_c");
        assert_eq!(function("_ZN6ColumnILi6EEC1Ev"), "Column<6>::Column");
    }

    #[test]
    fn classes_are_named_as_written() {
        assert_eq!(class("3IirILj2EE"), "Iir<2>");
        assert_eq!(class("N2ns3FirINS_4PartIsEELi3EEE"), "ns::Fir<ns::Part<int16>, 3>");
        assert_eq!(class("1FIN3adf3sim7complexIsEEE"), "F<cint16>");
    }

    #[test]
    fn only_the_last_arguments_are_split_off() {
        let name = |text| split(text).name;
        assert_eq!(
            ["A<1>::run", "A<1>::run<B<2>, 3>", "x", "ns::f<int>"].map(name),
            ["A<1>::run", "A<1>::run", "x", "ns::f"]
        );
        assert_eq!(split("A<1>::run<B<2, 4>, 3>").template, ["B<2, 4>", "3"]);
    }
}
