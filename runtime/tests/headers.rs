//! The header table and the include folder agree.
#![allow(clippy::disallowed_methods, reason = "the test looks at the include folder itself")]

use std::fs;
use std::path::{Path, PathBuf};

use aiec_runtime::{DESCRIBE, HEADERS, RUN};

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).expect("the include folder is readable") {
        let path = entry.expect("its entries are readable").path();
        if path.is_dir() { files.extend(files_below(&path)) } else { files.push(path) }
    }
    files
}

#[test]
fn every_header_is_listed_once_and_in_order() {
    let include = Path::new(env!("CARGO_MANIFEST_DIR")).join("include");
    let mut on_disk: Vec<String> = files_below(&include)
        .iter()
        .map(|path| path.strip_prefix(&include).expect("below include").to_string_lossy().replace('\\', "/"))
        .collect();
    on_disk.sort();
    let listed: Vec<&str> = HEADERS.iter().map(|(path, _)| *path).collect();
    assert_eq!(listed, on_disk);
}

#[test]
fn every_header_says_what_it_is_and_is_guarded() {
    for (path, text) in HEADERS.iter() {
        assert!(text.starts_with("// "), "{path} starts with a sentence about itself");
        assert!(text.contains("\n#pragma once\n") || [RUN, DESCRIBE].contains(path), "{path} is guarded");
    }
}

#[test]
fn every_operation_that_the_documentation_lists_is_in_a_header() {
    let page = include_str!("../../docs/aie_api.md");
    let headers: String =
        HEADERS.iter().filter(|(path, _)| path.starts_with("aie_api/")).map(|(_, text)| *text).collect();
    let names = page.split('`').filter_map(|word| word.strip_prefix("aie::")).map(|name| {
        name.split(|c: char| !c.is_alphanumeric() && c != '_').next().expect("a split has a first part")
    });
    let missing: Vec<&str> = names.filter(|name| !mentions(&headers, name)).collect();
    assert!(missing.is_empty(), "docs/aie_api.md lists what no header has: {missing:?}");
}

/// The text has this name, not merely as a part of another.
fn mentions(text: &str, name: &str) -> bool {
    let part_of_name = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(name).any(|(at, _)| {
        !text[..at].ends_with(part_of_name) && !text[at + name.len()..].starts_with(part_of_name)
    })
}
