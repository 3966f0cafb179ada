//! Advice for names that a compiler does not know. Takes the compiler's messages, and tells which
//! of the names aiec's headers should have, and which similar names they have.

use std::collections::BTreeSet;

use aiec_cpp_text::{Kind, opened};
use aiec_diag::nearest;

/// What to use instead of `bfloat16`.
pub const OF_FLOATS: &str = "AIE has no `bfloat16`, which is a type of AIE-ML (UG1079, \"AI Engine Data Types\"): use \
                             `float`, or `int16` with a shift";

/// Phrases of g++ and clang for an unknown name. The name stands in quotes behind the phrase, or
/// before it.
const BEHIND: [&str; 5] = [
    "use of undeclared identifier ",
    "unknown type name ",
    "no member named ",
    "no type named ",
    "no template named ",
];
const BEFORE: [&str; 5] = [
    " was not declared in this scope",
    " is not a member of ",
    " has not been declared",
    " does not name a type",
    " has no member named ",
];

/// Names of AIE-ML in public graphs.
const OF_AIE_ML: [&str; 1] = ["num_buffers"];

/// Limit on the names in a message.
const MOST: usize = 4;

/// Words of errors about names of the vendor's own, which follow from no other error.
const OF_THE_VENDOR: [&str; 5] = ["'adf'", "'aie'", "'adf::", "'aie::", "'class adf::"];

/// The advice for the unknown names in `said`: the one of the first error, and others that must be
/// the vendor's. Further names may be unknown because of the first error alone. Returns None when
/// the first error is about something else.
pub(crate) fn advice(said: &str) -> Option<String> {
    if said.lines().any(|line| line.contains("error: ") && line.contains("bfloat16")) {
        return Some(OF_FLOATS.to_owned());
    }
    let known = known();
    let mut errors = said.lines().filter(|line| line.contains("error: "));
    let mut names = vec![name_in(errors.next()?, &known)?];
    let is_the_vendors = |line: &&str| {
        let plain = line.replace(['‘', '’'], "'");
        OF_THE_VENDOR.iter().any(|of| plain.contains(of))
    };
    for name in errors.filter(is_the_vendors).filter_map(|line| name_in(line, &known)) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    if let Some(of_ml) = names.iter().find(|name| OF_AIE_ML.contains(&name.as_str())) {
        return Some(format!("memory tiles and types of AIE-ML are not modelled: `{of_ml}`"));
    }
    let one = |name: &String| {
        let like = nearest(name, known.iter().copied().filter(|known| known != name));
        let like = like.map_or_else(String::new, |like| format!(" (the nearest that they have is `{like}`)"));
        format!("`{name}`{like}")
    };
    let told: Vec<String> =
        names.iter().filter(|name| !known.contains(name.as_str())).take(MOST).map(one).collect();
    let end = "if a name is your own, give the folder of its header with -I, or its macro with -D; docs/runtime.md lists the \
               documented constructs that aiec supports";
    (!told.is_empty()).then(|| format!("aiec's headers have no {}; {end}", told.join(", no ")))
}

/// Macros that a compiler does not know.
pub(crate) struct Macros {
    /// What to do about them.
    pub(crate) advice: String,
    /// The first error of each. What follows from a missing macro is left out.
    pub(crate) said: String,
}

/// The unknown names of `said` that are spelled like macros. Returns None when the first error is
/// about something else.
pub(crate) fn macros(said: &str) -> Option<Macros> {
    let mut names: Vec<String> = Vec::new();
    let mut lines: Vec<&str> = Vec::new();
    let known = known();
    for line in said.lines().filter(|line| line.contains("error: ")) {
        let name = name_in(line, &known)
            .filter(|name| is_spelled_like_a_macro(name) && !known.contains(name.as_str()));
        if name.is_none() && names.is_empty() {
            return None; // the first error is another one
        }
        if let Some(name) = name.filter(|name| !names.contains(name)) {
            names.push(name);
            lines.push(line);
        }
    }
    let given: Vec<String> = names.iter().take(MOST).map(|name| format!("-D {name}=...")).collect();
    let advice = format!(
        "a macro that only a Makefile defines? give it with {}; if a header defines it, give the folder with -I",
        given.join(" ")
    );
    (!names.is_empty()).then(|| Macros { advice, said: lines.join("\n") })
}

/// True for `MAT_COLS` and `N2`: capitals, digits and underlines, from two letters on.
fn is_spelled_like_a_macro(name: &str) -> bool {
    let is_of_macros = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
    name.len() > 1 && name.starts_with(|c: char| c.is_ascii_uppercase()) && name.chars().all(is_of_macros)
}

/// The unknown name of an error; for a missing header, its path below the library's folders.
/// Returns None for a name that is missing in a namespace or class of the user's.
fn name_in(line: &str, known: &BTreeSet<&str>) -> Option<String> {
    if let Some((before, _)) =
        line.split_once(": No such file or directory").or_else(|| line.split_once("' file not found"))
    {
        let header = before.rsplit([' ', '\'']).next()?;
        return ["adf/", "aie_api/", "adf.h"]
            .iter()
            .any(|own| header.starts_with(own))
            .then(|| header.to_owned());
    }
    let plain = line.replace(['‘', '’'], "'");
    if scope_in(&plain).is_some_and(|scope| !known.contains(scope)) {
        return None;
    }
    let behind =
        BEHIND.iter().find_map(|words| plain.split_once(words)?.1.split('\'').nth(1).map(str::to_owned));
    let before = || {
        BEFORE.iter().find_map(|words| {
            let (before, after) = plain.split_once(words)?;
            // `x' has no member named 'y'
            let named = if words.contains("named") {
                after.split('\'').nth(1)
            } else {
                before.strip_suffix('\'')?.rsplit('\'').next()
            };
            named.map(str::to_owned)
        })
    };
    let name = behind.or_else(before)?;
    let name = name.rsplit("::").next()?.split(['<', '(']).next()?.trim();
    (!name.is_empty()).then(|| name.to_owned())
}

/// The outermost namespace or class in which an error misses a name. Returns None when the error
/// tells none.
fn scope_in(plain: &str) -> Option<&str> {
    let of_namespace = [" is not a member of ", "' in namespace ", "' in "];
    let behind = of_namespace.iter().find_map(|words| {
        let at = plain.find(words)? + words.len();
        plain[at..].split('\'').find(|text| !text.is_empty())
    });
    let before = || {
        let (before, _) = plain.split_once(" has no member named ")?;
        before.strip_suffix('\'')?.rsplit('\'').next()
    };
    let scope = behind.or_else(before)?;
    let name = scope.trim_start_matches("::").split(['<', ':', '&', '*']).next()?;
    name.split_whitespace().next_back()
}

/// The words of the headers, without comments, and the headers' paths.
fn known() -> BTreeSet<&'static str> {
    let mut all = BTreeSet::new();
    for (path, text) in aiec_runtime::HEADERS.iter() {
        all.insert(*path);
        if path.contains("/sim/") {
            continue;
        }
        let words = opened(text).filter(|token| token.kind == Kind::Word).map(|token| token.text);
        all.extend(words.filter(|word| word.len() > 2 && !word.ends_with('_') && !word.starts_with('_')));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_both_compilers_are_found_and_the_nearest_told() {
        for line in [
            "k.cc:3:5: error: ‘window_readincrement’ was not declared in this scope; did you mean ‘x’?",
            "k.cc:3:5: error: ‘window_readincrement’ is not a member of ‘adf’",
            "k.cc:3:5: error: ‘class adf::kernel’ has no member named ‘window_readincrement’",
            "k.cc:3:5: error: 'window_readincrement' does not name a type",
            "k.cc:3:5: error: use of undeclared identifier 'window_readincrement'",
            "k.cc:3:5: error: no member named 'window_readincrement' in namespace 'aie'",
        ] {
            assert_eq!(name_in(line, &known()).as_deref(), Some("window_readincrement"), "{line}");
        }
        let said = "k.cc:1:1: error: ‘window_readinc’ was not declared in this scope\nk.cc:2:1: error: ‘window_readinc’ was not declared in this scope";
        let advice = advice(said).expect("a name is missing");
        assert!(
            advice.starts_with(
                "aiec's headers have no `window_readinc` (the nearest that they have is `window_readincr`); if"
            ),
            "{advice}"
        );
    }

    #[test]
    fn names_of_the_users_own_namespaces_and_classes_are_no_gap_of_the_headers() {
        for line in [
            "u.cpp:4:9: error: ‘kCol’ is not a member of ‘cfg’",
            "u.cpp:4:9: error: ‘kCol’ is not a member of ‘cfg::inner’; did you mean ‘kRow’?",
            "u.cpp:4:9: error: ‘struct Settings’ has no member named ‘kCol’",
            "u.cpp:4:9: error: ‘class cfg::Settings<4>’ has no member named ‘kCol’",
            "u.cpp:4:9: error: no member named 'kCol' in namespace 'cfg'",
            "u.cpp:4:9: error: no member named 'kCol' in 'cfg::Settings'",
        ] {
            assert_eq!(advice(line), None, "{line}");
            assert!(macros(&line.replace("kCol", "K_COL")).is_none(), "{line}");
        }
        for line in [
            "u.cpp:4:9: error: ‘kCol’ is not a member of ‘adf’",
            "u.cpp:4:9: error: ‘class adf::kernel’ has no member named ‘kCol’",
            "u.cpp:4:9: error: ‘struct input_window<int>’ has no member named ‘kCol’",
            "u.cpp:4:9: error: no member named 'kCol' in namespace 'adf'",
        ] {
            assert!(advice(line).is_some(), "{line}");
        }
    }

    #[test]
    fn what_may_follow_from_another_error_is_no_gap_of_the_headers() {
        let syntax = "g.h:2:1: error: expected initializer before ‘using’\n\
                      g.h:4:9: error: ‘lidar’ was not declared in this scope\n";
        assert_eq!(advice(syntax), None);
        let first = "g.h:2:1: error: ‘packet_port’ does not name a type\n\
                     g.h:4:9: error: ‘lidar’ was not declared in this scope\n\
                     g.h:5:9: error: ‘node_group’ is not a member of ‘adf’\n";
        let said = advice(first).expect("two names are missing");
        assert!(said.contains("`packet_port`") && said.contains("no `node_group`"), "{said}");
        assert!(!said.contains("lidar"), "{said}");
    }

    #[test]
    fn macros_are_told_before_what_follows_from_them() {
        let said = "g.cpp:4:9: error: ‘MAT_ROWS’ was not declared in this scope\n\
                    g.cpp:4:20: error: ‘MAT_COLS’ was not declared in this scope; did you mean ‘MADV_COLD’?\n\
                    g.cpp:5:2: error: ‘MAT_ROWS’ was not declared in this scope\n\
                    g.cpp:6:2: error: ‘k’ was not declared in this scope\n";
        let found = macros(said).expect("two macros");
        assert!(found.advice.contains("give it with -D MAT_ROWS=... -D MAT_COLS=...;"), "{}", found.advice);
        assert_eq!(found.said.lines().count(), 2, "{}", found.said);
        assert!(macros("g.cpp:6:2: error: ‘Kernels’ was not declared in this scope").is_none());
        let advice = advice("g.cpp:4:59: error: ‘num_buffers’ was not declared in this scope");
        assert_eq!(
            advice.as_deref(),
            Some("memory tiles and types of AIE-ML are not modelled: `num_buffers`")
        );
    }

    #[test]
    fn other_errors_and_other_headers_are_no_gap_of_aiec() {
        assert_eq!(advice("k.cc:1:1: error: expected ‘;’ before ‘}’ token"), None);
        assert_eq!(advice("k.cc:1:10: fatal error: mine.h: No such file or directory"), None);
        let own = advice("k.cc:1:10: fatal error: adf/window/windows.h: No such file or directory")
            .expect("a header is missing");
        assert!(
            own.starts_with(
                "aiec's headers have no `adf/window/windows.h` (the nearest that they have is `adf/window/window.h`)"
            ),
            "{own}"
        );
    }
}
