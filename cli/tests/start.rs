//! `aiec new NAME` makes a folder whose commands pass, and `aiec test` runs the designs of folders.
#![allow(clippy::disallowed_methods, reason = "tests prepare folders and start programs")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

const TEMPLATES: [&str; 4] = ["reduce", "pipeline", "gemm", "stencil"];

fn aiec(folder: &Path, arguments: &[&str]) -> Output {
    let mut aiec = Command::new(env!("CARGO_BIN_EXE_aiec"));
    aiec.args(arguments).current_dir(folder).output().expect("aiec starts")
}

/// What a run printed, with its status.
fn said(ran: &Output) -> (Option<i32>, String) {
    (ran.status.code(), String::from_utf8_lossy(&[&ran.stdout[..], &ran.stderr].concat()).into_owned())
}

fn succeeds(folder: &Path, arguments: &[&str]) -> String {
    let (status, said) = said(&aiec(folder, arguments));
    assert_eq!(status, Some(0), "{arguments:?}: {said}");
    said
}

#[test]
fn every_template_gives_a_design_in_canonical_form_that_passes_its_checks() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    for template in TEMPLATES {
        let name = format!("my_{template}");
        succeeds(folder.path(), &["new", &name, "--template", template]);
        let (made, file) = (folder.path().join(&name), format!("{name}.dsl"));
        succeeds(&made, &["fmt", "--check", &file]);
        let checked = succeeds(&made, &["check", "--no-cxx", "--deny", "warnings", &file]);
        assert!(checked.starts_with(&format!("{name}: ")), "{checked}");
        let workflow = fs::read_to_string(made.join(".github/workflows/aiec.yml")).expect("a workflow");
        assert!(workflow.contains(&format!("aiec check --message-format github {file}")), "{workflow}");
    }
    let left = fs::read_dir(folder.path()).expect("there").count();
    assert_eq!(left, TEMPLATES.len(), "nothing lies beside the folders");
}

/// Templates with a kernel, a port or a file of the new name.
#[test]
fn a_name_that_the_template_has_in_another_place_is_refused() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    for (template, name) in
        [("reduce", "worker"), ("pipeline", "scale"), ("stencil", "top"), ("gemm", "matmul")]
    {
        let (status, refused) = said(&aiec(folder.path(), &["new", name, "--template", template]));
        assert_eq!(status, Some(1), "{refused}");
        assert!(refused.contains(&format!("the template has `{name}` in another place")), "{refused}");
    }
    assert_eq!(fs::read_dir(folder.path()).expect("there").count(), 0, "nothing was made");
}

/// A test without a golden says what it has not compared.
#[test]
#[ignore = "long: simulates"]
fn an_output_without_a_golden_is_named() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    succeeds(folder.path(), &["new", "without", "--template", "pipeline"]);
    let design = folder.path().join("without/without.dsl");
    let text = fs::read_to_string(&design).expect("a design");
    let (with, golden) = text.split_once(" golden ").expect("a golden");
    let without = format!("{with}\n{}", golden.split_once('\n').expect("a line").1);
    fs::write(&design, without).expect("writable");
    let passed = succeeds(folder.path(), &["test"]);
    assert!(passed.contains("without.dsl: ok, not compared: `"), "{passed}");
}

#[test]
fn a_folder_stands_for_its_only_design() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    succeeds(folder.path(), &["new", "first"]);
    let made = folder.path().join("first");
    let named = succeeds(&made, &["check", "--no-cxx", "first.dsl"]);
    assert_eq!(succeeds(&made, &["check", "--no-cxx"]), named);
    assert_eq!(succeeds(folder.path(), &["check", "--no-cxx", "first"]), named);
    succeeds(&made, &["fmt", "--check"]);
    // The project holds a graph of its own, and records the design by its name.
    succeeds(&made, &["build", "-o", "out"]);
    assert_eq!(succeeds(&made, &["check", "--no-cxx"]), named);
    succeeds(&made, &["build", "--check", "-o", "out", "first.dsl"]);
    assert!(succeeds(&made, &["report", "--json"]).starts_with('{'));
    assert_eq!(said(&aiec(&made, &["diff", "out", "."])).0, Some(0));
    fs::copy(made.join("first.dsl"), made.join("second.dsl")).expect("copied");
    for command in ["build", "fmt"] {
        let (status, several) = said(&aiec(&made, &[command]));
        let several = several.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(status == Some(1), "{several}");
        assert!(several.contains("several designs: `first.dsl` and `second.dsl`"), "{several}");
    }
}

#[test]
fn what_is_there_stays_and_a_name_is_one_of_the_language() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    succeeds(folder.path(), &["new", "first"]);
    let (status, again) = said(&aiec(folder.path(), &["new", "first", "--template", "gemm"]));
    assert!(status == Some(1) && again.contains("`first` exists"), "{again}");
    assert!(again.contains("take another name"), "{again}");
    assert!(!folder.path().join("first/matmul.dsl").exists());
    for name in ["a-b", "../up", "graph", "reduce", "3d", ""] {
        let (status, refused) = said(&aiec(folder.path(), &["new", name]));
        assert_eq!(status, Some(1), "{name}: {refused}");
        assert!(name != "a-b" || refused.contains("write `aiec new a_b`"), "{refused}");
    }
    assert_eq!(fs::read_dir(folder.path()).expect("there").count(), 1);
}

#[test]
#[ignore = "long: compiles and runs the designs of all templates"]
fn the_designs_of_all_templates_equal_their_goldens_and_a_wrong_one_fails() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    for template in TEMPLATES {
        succeeds(folder.path(), &["new", &format!("my_{template}"), "--template", template]);
    }
    let passed = succeeds(folder.path(), &["test"]);
    for template in TEMPLATES {
        assert!(passed.contains(&format!("my_{template}/my_{template}.dsl: ok")), "{passed}");
    }
    assert!(passed.contains("4 passed, 0 failed"), "{passed}");
    let golden = folder.path().join("my_pipeline/data/pipeline_golden.txt");
    let text = fs::read_to_string(&golden).expect("there");
    let (first, rest) = text.split_once('\n').expect("lines");
    fs::write(&golden, format!("{}1\n{rest}", first.trim())).expect("writable");
    let (status, failed) = said(&aiec(folder.path(), &["test", "my_pipeline"]));
    assert!(status == Some(1) && failed.contains("my_pipeline/my_pipeline.dsl: FAILED"), "{failed}");
    assert!(failed.contains("sim/wrong-data") && failed.contains("0 passed, 1 failed"), "{failed}");
    assert!(!folder.path().join("my_pipeline/x86simulator_output").exists(), "nothing is left");
}

#[test]
fn a_folder_without_designs_is_an_error() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let (status, nothing) = said(&aiec(folder.path(), &["test"]));
    assert!(status == Some(1) && nothing.contains("no design was found"), "{nothing}");
}

/// Two designs that cannot be read, and their folder: one list, and one log.
#[test]
fn messages_about_several_designs_are_one_document() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    for form in ["json", "sarif"] {
        let ran = aiec(folder.path(), &["test", "one.dsl", "two.dsl", "--message-format", form]);
        let said: serde_json::Value = serde_json::from_slice(&ran.stderr).expect("one document");
        let results = match form {
            "json" => said.as_array().expect("a list").clone(),
            _ => said["runs"]
                .as_array()
                .expect("runs")
                .iter()
                .flat_map(|run| run["results"].as_array().expect("results").clone())
                .collect(),
        };
        assert_eq!(results.len(), 2, "{said:#}");
    }
}
