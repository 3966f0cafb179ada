//! `aiec fmt`.
#![allow(clippy::disallowed_methods, reason = "tests prepare and read files")]

use std::fs;
use std::path::Path;

use aiec_tests::{aiec, design, path};

#[test]
fn formatting_a_link_formats_the_file_it_points_to() {
    let (directory, file) = design("design   d\ndevice toy\n");
    let link = directory.path().join("link.dsl");
    std::os::unix::fs::symlink(&file, &link).expect("writable");
    assert_eq!(aiec(["fmt", "--write", &link.display().to_string()]).status, 0);
    assert!(fs::symlink_metadata(&link).expect("there").is_symlink());
    assert!(fs::read_to_string(&file).expect("there").starts_with("design d\n"));
}

#[test]
fn the_formatter_is_idempotent_and_its_check_agrees() {
    let (_directory, file) = design("design   d\ndevice toy // the small one\nconst N=1+2\n");
    assert_eq!(aiec(["fmt", "--check", &file]).status, 1);
    assert_eq!(aiec(["fmt", "--write", &file]).status, 0);
    let once = fs::read_to_string(&file).expect("there");
    assert!(once.contains("const N = 1 + 2") && once.contains("// the small one"), "{once}");
    assert_eq!(aiec(["fmt", "--check", &file]).status, 0);
    assert_eq!(aiec(["fmt", &file]).out, once);
}

#[test]
fn several_files_are_formatted_whatever_the_faults_of_others_are() {
    let (_first, wide) = design("design   d\n");
    let (_second, broken) = design("design\n");
    let (_third, sound) = design("design d\n");
    let ran = aiec(["fmt", "--check", &wide, &broken, &sound, &sound]);
    assert_eq!(ran.status, 1);
    assert!(ran.err.contains("input/not-canonical") && ran.err.contains("parse/syntax"), "{}", ran.err);
    assert_eq!(aiec(["fmt", &sound, &sound]).out, "design d\n", "each once");
}

#[test]
fn examples_are_in_canonical_form() {
    let designs = designs_below(Path::new(&path("examples")));
    assert!(designs.iter().any(|file| file.ends_with("modules/spread.dsl")), "folders are read, too");
    for file in designs {
        let ran = aiec(["fmt", "--check", &file]);
        assert_eq!(ran.status, 0, "{}", ran.err);
    }
}

/// Every design in `folder` and in the folders below it.
fn designs_below(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder").flatten().map(|entry| entry.path());
    let (folders, files): (Vec<_>, Vec<_>) = entries.partition(|entry| entry.is_dir());
    let names = files.iter().map(|file| file.display().to_string()).filter(|file| file.ends_with(".dsl"));
    names.chain(folders.iter().flat_map(|folder| designs_below(folder))).collect()
}
