//! The graph of a project's folder. Takes a folder, and returns the files that define a global
//! object of a class derived from `adf::graph`.
//!
//! The search is textual: it knows the classes of the project's headers by their base classes, and
//! the variables of source files by their types. It compiles nothing.
#![allow(clippy::disallowed_methods, reason = "this module looks for the files of a project")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use aiec_system::files;

/// Limit on the files and folders of a walk.
const MOST_ENTRIES: usize = 4096;

/// Limit on the nesting of folders.
const DEEPEST: usize = 12;

/// Limit on the bytes of a file: larger ones are tables.
const MOST_BYTES: usize = 1 << 20;

/// Endings of the names of sources and headers.
const SOURCES: [&str; 4] = ["cpp", "cc", "cxx", "C"];
const HEADERS: [&str; 4] = ["h", "hpp", "hh", "hxx"];

/// Names of folders that the vendor's tools write.
const OUTPUTS: [&str; 8] =
    ["Work", "build", "_ide", "_x", "node_modules", "target", "x86simulator_output", "aiesimulator_output"];

/// The files that define a global graph, in order of their paths. Host programs define it, too:
/// they count if there are no other files.
pub fn graphs_in(folder: &Path) -> Vec<PathBuf> {
    let mut left = MOST_ENTRIES;
    let mut paths = Vec::new();
    walk(folder, 0, &mut left, &mut paths);
    paths.sort();
    let texts: BTreeMap<PathBuf, String> =
        paths.into_iter().filter_map(|path| Some((path.clone(), text(&path)?))).collect();
    let classes = graph_classes(&texts);
    let defines = |text: &str| defines_one_of(text, &classes);
    let all = texts.iter().filter(|(path, text)| is_source(path) && defines(text));
    let mut all: Vec<PathBuf> = all.map(|(path, _)| path.clone()).collect();
    if !all.iter().all(|path| is_host_program(path)) {
        all.retain(|path| !is_host_program(path));
    }
    all
}

/// True for host programs, which define the graph once more to control it through XRT.
fn is_host_program(path: &Path) -> bool {
    let text = files::bytes_there(path).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let mut included = aiec_cpp_text::includes(&text);
    included.any(|name| ["XRTConfig.h", "xrt/", "xrt.h"].iter().any(|part| name.contains(part)))
}

fn walk(folder: &Path, depth: usize, left: &mut usize, paths: &mut Vec<PathBuf>) {
    let Some(names) = files::entries(folder).ok().filter(|_| depth <= DEEPEST) else { return };
    for name in names {
        if *left == 0 {
            return;
        }
        *left -= 1;
        let path = folder.join(&name);
        let is_output =
            OUTPUTS.contains(&name.as_str()) || name.starts_with('.') || name.starts_with("build.");
        if path.is_dir() {
            // A link may lead to a folder above.
            if !is_output && !path.is_symlink() {
                walk(&path, depth + 1, left, paths);
            }
        } else if is_source(&path) || has_ending(&path, &HEADERS) {
            paths.push(path);
        }
    }
}

/// True for a path that ends as C++ sources do.
pub fn is_source(path: &Path) -> bool {
    has_ending(path, &SOURCES)
}

fn has_ending(path: &Path, endings: &[&str]) -> bool {
    path.extension().is_some_and(|ending| endings.iter().any(|known| ending == *known))
}

/// The text of a file. Returns None when the file cannot be read, or is larger than `MOST_BYTES`.
fn text(path: &Path) -> Option<String> {
    let bytes = files::bytes_there(path).filter(|bytes| bytes.len() <= MOST_BYTES)?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// The words, numbers and marks of a text, without those of directives.
fn tokens(text: &str) -> Vec<&str> {
    aiec_cpp_text::code(text).map(|token| token.text).collect()
}

/// The classes of these texts that derive from `graph`, themselves or through others, and names
/// that stand for them.
fn graph_classes(texts: &BTreeMap<PathBuf, String>) -> BTreeSet<String> {
    let mut bases: Vec<(String, Vec<String>)> = Vec::new();
    for text in texts.values() {
        let tokens = tokens(text);
        for (at, token) in tokens.iter().enumerate() {
            match *token {
                "class" | "struct" => bases.extend(class_at(&tokens[at + 1..])),
                "using" | "typedef" => bases.extend(alias_at(token, &tokens[at + 1..])),
                _ => {}
            }
        }
    }
    let mut known = BTreeSet::from(["graph".to_owned()]);
    loop {
        let derived = bases
            .iter()
            .filter(|(name, of)| !known.contains(name) && of.iter().any(|base| known.contains(base)));
        let new: Vec<String> = derived.map(|(name, _)| name.clone()).collect();
        if new.is_empty() {
            known.remove("graph");
            return known;
        }
        known.extend(new);
    }
}

/// Name and bases of the class at the start: `name : public a, b<c> {`.
fn class_at(tokens: &[&str]) -> Option<(String, Vec<String>)> {
    let name = tokens.first().filter(|token| token.starts_with(is_word))?;
    let end = tokens.iter().position(|token| matches!(*token, "{" | ";" | "(" | ")"))?;
    let colon = tokens[..end].iter().position(|token| *token == ":")?;
    let bases = tokens[colon + 1..end].iter().filter(|token| token.starts_with(is_word));
    Some(((*name).to_owned(), bases.map(|base| (*base).to_owned()).collect()))
}

/// `name = a<b>;` behind `using`, or `a<b> name;` behind `typedef`.
fn alias_at(kind: &str, tokens: &[&str]) -> Option<(String, Vec<String>)> {
    let end = tokens.iter().position(|token| *token == ";")?;
    let words: Vec<&str> = tokens[..end].iter().copied().filter(|token| token.starts_with(is_word)).collect();
    let (name, of) = if kind == "typedef" {
        words.split_last()?
    } else {
        (tokens[..end].get(1) == Some(&"=")).then(|| words.split_first()).flatten()?
    };
    Some(((*name).to_owned(), of.iter().map(|word| (*word).to_owned()).collect()))
}

/// True if a text defines a variable of one of these classes outside of functions and classes.
fn defines_one_of(text: &str, classes: &BTreeSet<String>) -> bool {
    let tokens = tokens(text);
    let (mut inside, mut start) = (0_usize, 0_usize);
    for (at, token) in tokens.iter().enumerate() {
        match *token {
            "{" if inside == 0 && opens_namespace(&tokens[start..at]) => start = at + 1,
            "{" => inside += 1,
            "}" if inside > 0 => {
                inside -= 1;
                // `class A : graph {} a;` defines `a`.
                let goes_on = tokens.get(at + 1).is_some_and(|next| next.starts_with(is_word));
                if inside == 0
                    && !(goes_on && is_class(&tokens[start..at]))
                    && tokens.get(at + 1) != Some(&";")
                {
                    start = at + 1;
                }
            }
            // The end of a namespace.
            "}" => start = at + 1,
            ";" if inside == 0 => {
                if is_definition(&tokens[start..at], classes) {
                    return true;
                }
                start = at + 1;
            }
            _ => {}
        }
    }
    false
}

fn opens_namespace(tokens: &[&str]) -> bool {
    tokens.contains(&"namespace") || tokens.first() == Some(&"extern")
}

fn is_class(tokens: &[&str]) -> bool {
    tokens.iter().take_while(|token| **token != "{").any(|token| matches!(*token, "class" | "struct"))
}

/// True for `Class name`, `ns::Class<1> name(2)`, `class Class : public graph { ... } name`.
fn is_definition(tokens: &[&str], classes: &BTreeSet<String>) -> bool {
    const OTHERS: [&str; 6] = ["extern", "using", "typedef", "template", "return", "friend"];
    if tokens.first().is_none_or(|first| OTHERS.contains(first)) {
        return false;
    }
    if is_class(tokens) && tokens.contains(&"{") {
        let class = tokens.iter().position(|token| matches!(*token, "class" | "struct"));
        let is_graph = class.and_then(|at| tokens.get(at + 1)).is_some_and(|name| classes.contains(*name));
        return is_graph && tokens.last() != Some(&"}");
    }
    let head: Vec<&str> = tokens
        .iter()
        .copied()
        .skip_while(|token| matches!(*token, "static" | "const" | "struct" | "class"))
        .collect();
    let of_type = head.iter().position(|token| classes.contains(*token));
    let Some(at) =
        of_type.filter(|at| head[..*at].iter().all(|token| token.starts_with(is_word) || *token == ":"))
    else {
        return false;
    };
    // The name stands behind the arguments of a template. It may be that of a pointer.
    let behind = after_template(&head[at + 1..]);
    let behind = &behind[behind.iter().take_while(|token| **token == "*").count()..];
    // `Class name()` declares a function.
    behind.first().is_some_and(|name| name.starts_with(is_word)) && behind.get(1..) != Some(&["(", ")"])
}

/// The tokens behind `<...>`, if they begin with that.
fn after_template<'t, 'a>(tokens: &'t [&'a str]) -> &'t [&'a str] {
    if tokens.first() != Some(&"<") {
        return tokens;
    }
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate() {
        match *token {
            "<" => depth += 1,
            ">" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return &tokens[at + 1..];
        }
    }
    &[]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The graphs of a folder with these files.
    fn found(all: &[(&str, &str)]) -> Vec<String> {
        let folder = tempfile::tempdir().expect("a temporary directory");
        files::write_all(folder.path(), all.iter().copied()).expect("writable");
        let below = |path: PathBuf| path.strip_prefix(folder.path()).expect("below").display().to_string();
        graphs_in(folder.path()).into_iter().map(below).collect()
    }

    #[test]
    fn the_file_with_a_global_graph_is_found_through_the_classes_of_headers() {
        let header = "#include <adf.h>\nclass Part : public adf::graph {};\ntemplate <int N>\nstruct Top : Part {};\nusing Four = Top<4>;";
        let sources = [
            ("aie/graph.cpp", "#include \"top.h\"\nTop<4> g;\nint main() { g.init(); }"),
            ("aie/graph_b.cc", "namespace x { static Four g(1, \"{\"); }"),
            ("aie/pointer.cpp", "#if 1\nauto f = 1;\nPart *p = new Part;\n#endif"),
            ("aie/at_once.cpp", "class Own : public graph { kernel k; } own;"),
            ("aie/kernel.cc", "void k(int *a) { Part inside; }"),
            (
                "aie/said.cpp",
                "// Part p;\n/* Part q; */ const char *s = \"Part r;\";\nextern Part t;\nPart f();",
            ),
            ("Work/copy.cpp", "Part g;"),
            (".hidden/copy.cpp", "Part g;"),
            ("host.cpp", "#include <experimental/xrt_bo.h>\n#include <adf/adf_api/XRTConfig.h>\nTop<4> g;"),
        ];
        let all: Vec<_> = sources.into_iter().chain([("aie/top.h", header)]).collect();
        let names = ["aie/at_once.cpp", "aie/graph.cpp", "aie/graph_b.cc", "aie/pointer.cpp"];
        assert_eq!(found(&all), names);
    }

    #[test]
    fn literals_and_comments_hide_no_graph() {
        let graph = "class A : public adf::graph {};\n";
        for before in [
            "static bool is_quote(char c) { return c == '\"'; }",
            "const int many = 1'000'000;",
            "const char *usage = R\"x(\n data/*.txt {\n)x\";",
            "/*/////////////\n * Top level { draft\n */",
            "// the next line as well \\\n {",
        ] {
            let text = format!("{graph}{before}\nA g;\n");
            assert_eq!(found(&[("top.cpp", &text)]), ["top.cpp"], "{text}");
        }
    }

    #[test]
    fn folders_without_graphs_and_broken_texts_give_none() {
        assert_eq!(
            found(&[("a.cpp", "class A : graph {"), ("b.h", "/* \" "), ("c.cpp", "} } ; < > \"")]),
            [""; 0]
        );
    }

    #[test]
    fn every_example_has_one() {
        let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/adf");
        for name in files::entries(&examples).expect("the examples") {
            let folder = examples.join(&name);
            if folder.is_dir() {
                assert_eq!(graphs_in(&folder), [folder.join("graph.cpp")]);
            }
        }
    }
}
