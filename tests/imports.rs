//! Within a crate, no circle of imports leads from one folder into another and back, and folders
//! beside each other do not import each other.
//!
//! The test reads every path that begins with `crate`, `super` or `self`, in `use` items and in
//! code. Imports of unit tests do not count. The first rule holds for headers of C++ as well.
#![allow(clippy::disallowed_methods, reason = "tests read the sources")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use aiec_tests::{root, source_folders};

/// The path of a module below its crate, such as `tiles::fill`.
type Module = Vec<String>;

/// The files of a crate, each with the modules that it imports.
type Imports = BTreeMap<PathBuf, BTreeSet<PathBuf>>;

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

/// The paths that the text of a module imports from its own crate.
fn imports(module: &Module, text: &str) -> Vec<Module> {
    let text = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
    let code: Vec<&str> = text.lines().map(|line| line.split("//").next().unwrap_or_default()).collect();
    let code = code.join(" ");
    let (mut found, mut read) = (Vec::new(), 0);
    for (at, _) in code.match_indices("::") {
        let start =
            code[..at].rfind(|c: char| !c.is_alphanumeric() && c != '_').map_or(0, |before| before + 1);
        let is_macro = code[..start].ends_with('$');
        if start < read || is_macro || !["crate", "super", "self"].contains(&&code[start..at]) {
            continue;
        }
        let tree = use_tree(&code[start..]);
        read = start + tree.len();
        match tree.strip_prefix("crate::") {
            Some(rest) => found.extend(paths(&Vec::new(), rest)),
            None => found.extend(paths(module, tree)),
        }
    }
    found
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

/// The module of a file below `src`; that of `lib.rs` has no names. None for unit tests.
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
    let file_of = |path: &Module| (0..=path.len()).rev().find_map(|end| modules.get(&path[..end]).copied());
    let edges = modules.iter().map(|(module, &file)| {
        let text = fs::read_to_string(file).expect("readable");
        let to =
            imports(module, &text).iter().filter_map(file_of).filter(|to| *to != file).cloned().collect();
        (file.clone(), to)
    });
    edges.collect()
}

/// True if imports lead from `from` to `to`.
fn reaches(graph: &Imports, from: &Path, to: &Path) -> bool {
    let (mut seen, mut pending) = (BTreeSet::new(), vec![from]);
    while let Some(file) = pending.pop() {
        if file == to {
            return true;
        }
        if seen.insert(file) {
            pending.extend(graph.get(file).into_iter().flatten().map(PathBuf::as_path));
        }
    }
    false
}

/// Asserts that no circle of imports leads from one folder into another and back.
fn assert_no_circle_crosses_folders(graph: &Imports) {
    for (from, to) in graph.iter().flat_map(|(from, all)| all.iter().map(move |to| (from, to))) {
        let crosses = from.parent() != to.parent();
        let (from, to) = (from.as_path(), to.as_path());
        assert!(
            !crosses || !reaches(graph, to, from),
            "{} imports {}, which leads back to it",
            from.display(),
            to.display()
        );
    }
}

#[test]
fn no_circle_of_files_crosses_folders() {
    source_folders().iter().for_each(|src| assert_no_circle_crosses_folders(&graph(src)));
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
        assert_no_circle_crosses_folders(&edges.collect());
    }
}

/// The folders beside each other that hold two files. Returns None when one file is in a folder
/// above the other, or both are in the same folder.
fn folders(from: &Path, to: &Path) -> Option<(PathBuf, PathBuf)> {
    let (from, to) = (from.parent()?, to.parent()?);
    let common = from.iter().zip(to.iter()).take_while(|(one, other)| one == other).count();
    let folder = |path: &Path| (path.iter().count() > common).then(|| path.iter().take(common + 1).collect());
    folder(from).zip(folder(to))
}

#[test]
fn no_circle_joins_folders_beside_each_other() {
    for src in source_folders() {
        let files = graph(&src);
        let edges = files.iter().flat_map(|(from, all)| all.iter().filter_map(|to| folders(from, to)));
        let mut graph = Imports::new();
        edges.for_each(|(from, to)| _ = graph.entry(from).or_default().insert(to));
        for (from, to) in graph.iter().flat_map(|(from, all)| all.iter().map(move |to| (from, to))) {
            let (from, to) = (from.as_path(), to.as_path());
            assert!(!reaches(&graph, to, from), "{} and {} import each other", from.display(), to.display());
        }
    }
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
    let names: Vec<String> = imports(&module, text).iter().map(|path| path.join("::")).collect();
    assert_eq!(names, ["a::B", "a::c::D", "e", "tiles::order", "tiles::order::F"]);
}

#[test]
fn paths_in_code_are_imports() {
    let module = ["tiles".to_owned(), "fill".to_owned()].to_vec();
    let text =
        "let x: Vec<crate::a::B> = super::c::d(self.e); $crate::f!(); pub(super) fn my_crate::g() {}\n";
    let names: Vec<String> = imports(&module, text).iter().map(|path| path.join("::")).collect();
    assert_eq!(names, ["a::B", "tiles::c::d"]);
}
