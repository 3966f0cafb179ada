//! Within a crate, no circle of imports leads from one folder into another and back, and folders
//! beside each other do not import each other.
//!
//! The test reads every path that begins with `crate`, `super`, `self` or a child module, in `use`
//! items and in code. A re-export is no import: who names it imports what it leads to. A file
//! belongs to the folder of its child modules. Imports of unit tests do not count. The first rule
//! holds for headers of C++ as well.
#![allow(clippy::disallowed_methods, reason = "tests read the sources")]

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fs;
use std::iter::successors;
use std::path::{Path, PathBuf};

use aiec_tests::{root, source_folders};

/// The path of a module below its crate, such as `tiles::fill`.
type Module = Vec<String>;

/// The files of a crate, each with the modules that it imports.
type Imports = BTreeMap<PathBuf, BTreeSet<PathBuf>>;

/// The paths that a module names.
#[derive(Default)]
struct Named {
    /// Those that it imports.
    imports: Vec<Module>,
    /// Those that it re-exports, by their last name.
    exports: Vec<Module>,
}

/// The branches of a use tree without the commas in inner braces.
fn branches(tree: &str) -> Vec<&str> {
    let (mut depth, mut start, mut found) = (0_u32, 0, Vec::new());
    for (at, letter) in tree.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                found.push(&tree[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    found.push(&tree[start..]);
    found.into_iter().map(str::trim).filter(|branch| !branch.is_empty()).collect()
}

/// The paths that a use tree names, each below `base`.
fn paths(base: &Module, tree: &str) -> Vec<Module> {
    let mut found = Vec::new();
    for branch in branches(tree) {
        let (head, rest) = branch.split_once("::").unwrap_or((branch, ""));
        match head {
            _ if branch.starts_with('{') => {
                found.extend(paths(base, branch.trim_start_matches('{').trim_end_matches('}')));
            }
            "super" => found.extend(paths(&base[..base.len().saturating_sub(1)].to_vec(), rest)),
            _ => {
                let name = head.split_whitespace().next().unwrap_or_default().to_owned();
                let inner = if name == "self" { base.clone() } else { [&base[..], &[name]].concat() };
                if rest.is_empty() {
                    found.push(inner);
                } else {
                    found.extend(paths(&inner, rest));
                }
            }
        }
    }
    found
}

/// The use tree at the start of `code`: a path, with the names in braces at its end.
fn use_tree(code: &str) -> &str {
    let is_path = |letter: char| letter.is_alphanumeric() || "_:".contains(letter);
    let end = code.find(|letter| !is_path(letter)).unwrap_or(code.len());
    if !(code[..end].ends_with("::") && code[end..].starts_with('{')) {
        return code[..end].trim_end_matches(':');
    }
    let mut depth = 0_u32;
    let is_last = |letter: char| {
        depth = if letter == '}' { depth.saturating_sub(1) } else { depth + u32::from(letter == '{') };
        depth == 0
    };
    code[end..].find(is_last).map_or(code, |last| &code[..=end + last])
}

/// The paths of its own crate that the text of a module names. `children` are its child modules.
fn named(module: &Module, text: &str, children: &BTreeSet<String>) -> Named {
    let text = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
    let code: Vec<&str> = text.lines().map(|line| line.split("//").next().unwrap_or_default()).collect();
    let code = code.join(" ");
    let (mut named, mut read) = (Named::default(), 0);
    for (at, _) in code.match_indices("::") {
        let start =
            code[..at].rfind(|c: char| !c.is_alphanumeric() && c != '_').map_or(0, |before| before + 1);
        let head = &code[start..at];
        let before = code[..start].trim_end();
        let is_inner = before.ends_with('$') || before.ends_with("::");
        if start < read
            || is_inner
            || !(["crate", "super", "self"].contains(&head) || children.contains(head))
        {
            continue;
        }
        let tree = use_tree(&code[start..]);
        read = start + tree.len();
        let found = match tree.strip_prefix("crate::") {
            Some(rest) => paths(&Vec::new(), rest),
            None => paths(module, tree),
        };
        if is_export(before) { named.exports.extend(found) } else { named.imports.extend(found) }
    }
    named
}

/// True if the code before a path begins a re-export, as `pub(crate) use` does.
fn is_export(before: &str) -> bool {
    let item = before.rsplit([';', '}']).next().unwrap_or_default();
    item.strip_suffix("use").is_some_and(|item| item.contains("pub"))
}

/// The files below a folder whose names end so.
fn files_below(folder: &Path, ending: &str, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("readable").path();
        if path.is_dir() {
            files_below(&path, ending, found);
        } else if path.extension().is_some_and(|its| its == ending) {
            found.push(path);
        }
    }
}

/// The module of a file below `src`; that of `lib.rs` has no names. Returns None when the file
/// holds unit tests.
fn module_of(src: &Path, file: &Path) -> Option<Module> {
    let below = file.strip_prefix(src).ok()?.with_extension("");
    let mut module: Module = below.iter().map(|part| part.to_string_lossy().into_owned()).collect();
    let is_test = module.iter().any(|part| part == "tests" || part.ends_with("_tests"));
    if module.last().is_some_and(|last| last == "mod") || module == ["lib"] {
        module.pop();
    }
    (!is_test).then_some(module)
}

/// The imports between the files below `src`.
fn graph(src: &Path) -> Imports {
    let mut files = Vec::new();
    files_below(src, "rs", &mut files);
    let modules: BTreeMap<Module, &PathBuf> =
        files.iter().filter_map(|file| Some((module_of(src, file)?, file))).collect();
    let children = |module: &Module| -> BTreeSet<String> {
        let below = modules.keys().filter(|key| key.len() == module.len() + 1 && key.starts_with(module));
        below.filter_map(|key| key.last().cloned()).collect()
    };
    let read = |(module, file): (&Module, &&PathBuf)| {
        let text = fs::read_to_string(file).expect("readable");
        (module.clone(), named(module, &text, &children(module)))
    };
    let all: BTreeMap<Module, Named> = modules.iter().map(read).collect();
    let edges = modules.iter().map(|(module, &file)| {
        let to = all[module].imports.iter().filter_map(|path| Some(modules[&origin(&all, path)?]));
        (file.clone(), to.filter(|to| *to != file).cloned().collect())
    });
    edges.collect()
}

/// The module that declares what `path` names, behind any re-exports. Returns None for a path that
/// leads out of the crate.
fn origin(all: &BTreeMap<Module, Named>, path: &Module) -> Option<Module> {
    let mut path = path.clone();
    for _ in 0..8 {
        let end = (0..=path.len()).rev().find(|end| all.contains_key(&path[..*end]))?;
        let Some(name) = path.get(end) else { return Some(path) };
        let exports = all[&path[..end]].exports.iter();
        let Some(export) =
            exports.filter(|export| **export != path).find(|export| export.last() == Some(name))
        else {
            return Some(path[..end].to_vec());
        };
        path = [&export[..], &path[end + 1..]].concat();
    }
    None
}

/// A shortest way of imports from `from` to `to`, both included. Returns None when there is none.
fn way<'g>(graph: &'g Imports, from: &'g Path, to: &Path) -> Option<Vec<&'g Path>> {
    let mut before: BTreeMap<&Path, &Path> = BTreeMap::from([(from, from)]);
    let mut pending = VecDeque::from([from]);
    while let Some(file) = pending.pop_front() {
        if file == to {
            let mut way: Vec<&Path> = successors(Some(file), |file| before.get(file).copied())
                .take_while(|file| *file != from)
                .collect();
            way.push(from);
            way.reverse();
            return Some(way);
        }
        for next in graph.get(file).into_iter().flatten() {
            before.entry(next).or_insert_with(|| {
                pending.push_back(next);
                file
            });
        }
    }
    None
}

/// The names of the files of a circle of imports, whose last one imports the first.
fn circle(files: &[&Path]) -> String {
    let name = |file: &&Path| {
        file.strip_prefix(root())
            .map_or_else(|_| file.display().to_string(), |file| file.display().to_string())
    };
    let names: Vec<String> = files.iter().map(name).collect();
    names.join(" -> ")
}

/// The folder that a file belongs to: that of its child modules, or else the one that it lies in.
fn folder_of(file: &Path) -> PathBuf {
    let own = file.with_extension("");
    if own.is_dir() { own } else { file.parent().map(Path::to_path_buf).unwrap_or_default() }
}

/// The circles of imports that lead from one folder into another and back, each as a line.
fn circles_across_folders(graph: &Imports) -> BTreeSet<String> {
    let edges = graph.iter().flat_map(|(from, all)| all.iter().map(move |to| (from, to)));
    let crossing =
        edges.filter(|(from, to)| from.parent() != to.parent() && folder_of(from) != folder_of(to));
    crossing.filter_map(|(from, to)| Some(circle(&way(graph, to, from)?))).collect()
}

/// Asserts that there are no circles, each a line.
fn assert_none(circles: &BTreeSet<String>) {
    let lines: Vec<&str> = circles.iter().map(String::as_str).collect();
    assert!(lines.is_empty(), "circles of imports:\n{}", lines.join("\n"));
}

#[test]
fn no_circle_of_files_crosses_folders() {
    assert_none(&source_folders().iter().flat_map(|src| circles_across_folders(&graph(src))).collect());
}

/// The files that a C++ file includes in quotes, and in angle brackets from `include`.
fn included(file: &Path, include: &Path) -> BTreeSet<PathBuf> {
    let text = fs::read_to_string(file).expect("readable");
    let names = text.lines().filter_map(|line| line.trim().strip_prefix("#include ")).map(str::trim_start);
    let paths = names.filter_map(|name| {
        let folder = if name.starts_with('"') { file.parent()? } else { include };
        let name = name.get(1..)?.split(['"', '>']).next()?;
        fs::canonicalize(folder.join(name)).ok()
    });
    paths.collect()
}

#[test]
fn no_circle_of_headers_crosses_folders() {
    for include in ["runtime/include", "codegen/library"].map(|folder| root().join(folder)) {
        let mut files = Vec::new();
        for ending in ["h", "hpp", "inl", "cc"] {
            files_below(&include, ending, &mut files);
        }
        let edges = files
            .iter()
            .map(|file| (fs::canonicalize(file).expect("the file is there"), included(file, &include)));
        assert_none(&circles_across_folders(&edges.collect()));
    }
}

/// The folders beside each other that hold two files. Returns None when one file is in a folder
/// above the other, or both are in the same folder.
fn folders(from: &Path, to: &Path) -> Option<(PathBuf, PathBuf)> {
    let (from, to) = (folder_of(from), folder_of(to));
    let common = from.iter().zip(to.iter()).take_while(|(one, other)| one == other).count();
    let folder = |path: &Path| (path.iter().count() > common).then(|| path.iter().take(common + 1).collect());
    folder(&from).zip(folder(&to))
}

#[test]
fn no_circle_joins_folders_beside_each_other() {
    let mut circles = BTreeSet::new();
    for src in source_folders() {
        let files = graph(&src);
        let edges = files.iter().flat_map(|(from, all)| all.iter().filter_map(|to| folders(from, to)));
        let mut graph = Imports::new();
        edges.for_each(|(from, to)| _ = graph.entry(from).or_default().insert(to));
        let edges = graph.iter().flat_map(|(from, all)| all.iter().map(move |to| (from, to)));
        circles.extend(edges.filter_map(|(from, to)| Some(circle(&way(&graph, to, from)?))));
    }
    assert_none(&circles);
}

#[test]
fn folders_beside_each_other_are_those_below_the_common_folder() {
    let both = |from: &str, to: &str| folders(Path::new(from), Path::new(to));
    let beside = Some((PathBuf::from("src/report"), PathBuf::from("src/views")));
    assert_eq!(both("src/report/a/x.rs", "src/views/y.rs"), beside);
    assert_eq!(both("src/report/x.rs", "src/report/a/y.rs"), None);
    assert_eq!(both("src/report/x.rs", "src/lib.rs"), None);
}

#[test]
fn imports_are_read_with_their_braces_and_parents() {
    let module = ["tiles".to_owned(), "fill".to_owned()].to_vec();
    let text =
        "use std::fmt;\nuse crate::{a::{B, c::D}, e};\nuse super::order::{self, F as G}; // use crate::h;\n";
    let names: Vec<String> =
        named(&module, text, &BTreeSet::new()).imports.iter().map(|path| path.join("::")).collect();
    assert_eq!(names, ["a::B", "a::c::D", "e", "tiles::order", "tiles::order::F"]);
}

#[test]
fn paths_in_code_are_imports() {
    let module = ["tiles".to_owned(), "fill".to_owned()].to_vec();
    let text =
        "let x: Vec<crate::a::B> = super::c::d(self.e); $crate::f!(); pub(super) fn my_crate::g() {}\n";
    let names: Vec<String> =
        named(&module, text, &BTreeSet::new()).imports.iter().map(|path| path.join("::")).collect();
    assert_eq!(names, ["a::B", "tiles::c::d"]);
}

#[test]
fn a_re_export_leads_to_the_module_that_declares_the_name() {
    let module = |path: &str| path.split("::").map(str::to_owned).collect::<Module>();
    let children = BTreeSet::from(["traffic".to_owned()]);
    let args = named(&module("args"), "pub use traffic::Traffic;\nlet all = traffic::all();", &children);
    let all = BTreeMap::from([(module("args"), args), (module("args::traffic"), Named::default())]);
    let origin = |path: &str| origin(&all, &module(path)).map(|module| module.join("::"));
    assert_eq!(origin("args::Traffic").as_deref(), Some("args::traffic"));
    assert_eq!(origin("args::Command").as_deref(), Some("args"));
    assert_eq!(origin("std::fmt"), None);
    assert_eq!(all[&module("args")].imports, [module("args::traffic::all")]);
}
