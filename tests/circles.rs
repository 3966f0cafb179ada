//! No circle of files across folders: a folder imports nothing that imports it.
#![allow(clippy::disallowed_methods, reason = "the test reads the sources")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use aiec_tests::packages;

/// The path of a module in its crate: empty for the root.
type Module = Vec<String>;

/// The modules of the files below `folder`, each with its text. Those of tests are left out.
fn modules(folder: &Path, above: &Module, found: &mut BTreeMap<Module, String>) {
    for path in fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()) {
        let name = path.file_stem().and_then(|name| name.to_str()).expect("a name").to_owned();
        let inner = above.iter().cloned().chain([name.clone()]).collect();
        if path.is_dir() && name != "bin" && name != "tests" {
            modules(&path, &inner, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") && name != "tests" {
            let module = if ["mod", "lib", "main"].contains(&name.as_str()) { above.clone() } else { inner };
            let text = fs::read_to_string(&path).expect("readable");
            let (text, _) = text.split_once("#[cfg(test)]\nmod tests {").unwrap_or((&text, ""));
            let code = text.lines().map(|line| line.split("//").next().unwrap_or_default());
            found.entry(module).or_default().push_str(&code.collect::<Vec<_>>().join("\n"));
        }
    }
}

/// The paths behind `prefix` in a text that begins there, with those in braces.
fn paths(text: &str, prefix: &Module, found: &mut Vec<Module>) {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut path = prefix.clone();
    let mut rest = text.trim_start();
    loop {
        let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
        let (word, behind) = rest.split_at(end);
        if !word.is_empty() {
            path.push(word.to_owned());
        }
        match behind.strip_prefix("::") {
            Some(more) if more.starts_with('{') => {
                parts(&more[1..]).into_iter().for_each(|part| paths(part, &path, found));
                return;
            }
            Some(more) => rest = more,
            None => break,
        }
    }
    found.push(path);
}

/// The parts between commas up to the brace that closes.
fn parts(text: &str) -> Vec<&str> {
    let (mut depth, mut start, mut found) = (0_i32, 0, Vec::new());
    for (at, c) in text.char_indices() {
        depth += i32::from(c == '{') - i32::from(c == '}');
        if depth < 0 || depth == 0 && c == ',' {
            found.push(&text[start..at]);
            start = at + 1;
        }
        if depth < 0 {
            break;
        }
    }
    found
}

/// The modules that `module` names by paths from `crate`, `super` or `self`.
fn named(module: &Module, text: &str, all: &BTreeMap<Module, String>) -> BTreeSet<Module> {
    let mut found = Vec::new();
    for word in ["crate", "super", "self"] {
        for (at, start) in text.match_indices(&format!("{word}::")) {
            if !text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':') {
                let mut of_word = Vec::new();
                paths(&text[at + start.len() - 2..], &Module::new(), &mut of_word);
                found.extend(of_word.into_iter().map(|path| whole(module, word, &path)));
            }
        }
    }
    let of = |mut path: Module| {
        while !path.is_empty() && !all.contains_key(&path) {
            path.pop();
        }
        path
    };
    let named: BTreeSet<Module> = found.into_iter().map(of).collect();
    named.into_iter().filter(|other| other != module && !other.is_empty()).collect()
}

/// The path from the root of the crate for one that begins with `first` in `module`.
fn whole(module: &Module, first: &str, path: &Module) -> Module {
    let up = path.iter().take_while(|word| *word == "super").count();
    let levels = match first {
        "crate" => return path.clone(),
        "super" => up + 1,
        _ => up,
    };
    let kept = module.len().saturating_sub(levels);
    module[..kept].iter().chain(&path[up..]).cloned().collect()
}

/// The modules to which `from` leads, over any number of imports.
fn reached<'a>(from: &Module, edges: &'a BTreeMap<Module, BTreeSet<Module>>) -> BTreeSet<&'a Module> {
    let (mut found, mut open) = (BTreeSet::new(), vec![from]);
    while let Some(at) = open.pop() {
        for next in edges.get(at).into_iter().flatten() {
            if found.insert(next) {
                open.push(next);
            }
        }
    }
    found
}

/// The folder of a module: its own if it has one.
fn folder<'a>(module: &'a Module, all: &BTreeMap<Module, BTreeSet<Module>>) -> &'a [String] {
    let has_own = all.keys().any(|other| other.len() > module.len() && other.starts_with(module));
    if has_own { module } else { &module[..module.len() - 1] }
}

#[test]
fn no_circle_of_files_crosses_folders() {
    let mut count = 0;
    for package in packages() {
        let folder_of_package = package.manifest_path.parent().expect("a folder").as_std_path();
        let mut all = BTreeMap::new();
        modules(&folder_of_package.join("src"), &Module::new(), &mut all);
        let edges: BTreeMap<Module, BTreeSet<Module>> = all
            .iter()
            .filter(|(module, _)| !module.is_empty())
            .map(|(module, text)| (module.clone(), named(module, text, &all)))
            .collect();
        count += edges.values().map(BTreeSet::len).sum::<usize>();
        let reach: BTreeMap<&Module, BTreeSet<&Module>> =
            edges.keys().map(|module| (module, reached(module, &edges))).collect();
        for (module, leads_to) in &reach {
            let circle: Vec<&Module> =
                leads_to.iter().copied().filter(|other| reach[other].contains(module)).collect();
            let folders: BTreeSet<&[String]> = circle.iter().map(|one| folder(one, &edges)).collect();
            let names: Vec<String> = circle.iter().map(|one| one.join("::")).collect();
            assert!(folders.len() < 2, "{}: {} import each other", package.name, names.join(", "));
        }
    }
    assert!(count > 1000, "{count} imports of files");
}

#[test]
fn imports_are_read_with_braces_and_from_any_start() {
    let names = ["a", "a::b", "a::b::c", "d"];
    let all: BTreeMap<Module, String> =
        names.iter().map(|name| (name.split("::").map(str::to_owned).collect(), String::new())).collect();
    let of = |text: &str| -> Vec<String> {
        let module = vec!["a".to_owned(), "b".to_owned()];
        named(&module, text, &all).iter().map(|path| path.join("::")).collect()
    };
    assert_eq!(of("use crate::{a::b::{c::X, Y}, d};"), ["a::b::c", "d"]);
    assert_eq!(of("use super::Z; self::c::f(); super::super::d::g()"), ["a", "a::b::c", "d"]);
}
