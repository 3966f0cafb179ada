//! `make sim` of an emitted project: aiec runs it in its folder, without the design. This file has
//! one test, since the working folder belongs to the whole process.
#![allow(clippy::disallowed_methods, reason = "tests prepare files and run make")]

use std::fs;
use std::process::Command;

use aiec_tests::{aiec, path};

/// The command of `make sim`.
fn command() -> Vec<String> {
    let shown = Command::new("make").args(["-n", "sim", "AIEC=aiec"]).output().expect("make is there");
    let shown = String::from_utf8_lossy(&shown.stdout).into_owned();
    let line = shown.lines().find(|line| line.starts_with("aiec sim ")).expect("make sim runs aiec sim");
    line.split_whitespace().skip(1).map(str::to_owned).collect()
}

#[test]
#[ignore = "long: compiles a whole project"]
fn a_project_runs_in_its_folder_without_vitis() {
    for (example, output, golden) in [
        ("pipeline", "aiec_output/data/pipeline_out.txt", "examples/data/pipeline_golden.txt"),
        ("allports", "data/allports_sum.txt", "examples/data/allports_sum_golden.txt"),
    ] {
        let folder = tempfile::tempdir().expect("a temporary directory");
        let out = folder.path().join("project").display().to_string();
        let placement = path(&format!("tests/cases/projects/{example}.placement.json"));
        let ran =
            aiec(["build", &path(&format!("examples/{example}.dsl")), "-o", &out, "--placement", &placement]);
        assert_eq!(ran.status, 0, "{}", ran.err);
        std::env::set_current_dir(&out).expect("it is there");
        let ran = aiec(command());
        assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{example}");
        let numbers = |file: String| {
            let text = fs::read_to_string(file).expect("written");
            text.split_whitespace().map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(numbers(output.to_owned()), numbers(path(golden)), "{example}");
    }
}
