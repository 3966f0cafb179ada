//! The tutorials: the commands in their blocks `console` are run, and print what the pages show.
//! The pictures are those that the commands write. `AIEC_BLESS=1` rewrites both. The commands of
//! `docs/ci.md` are run, too. Tests of the examples run the simulations in blocks `sh`.
#![allow(clippy::disallowed_methods, reason = "the test prepares a folder")]

use std::env;
use std::fs;
use std::path::Path;

use aiec_tests::{aiec, path, root};

/// The tutorials. `cargo run -p xtask -- docs site` lists the same.
const PAGES: [&str; 4] = [
    "docs/your-project.md",
    "docs/tutorials/reduction.md",
    "docs/tutorials/fir.md",
    "docs/tutorials/gemm.md",
];
/// The pictures of the first page.
const PICTURES: [&str; 2] = ["place.svg", "route.svg"];

/// What the commands of a `console` block print, below each of them. `cd` changes the working
/// folder.
fn run(block: &str) -> String {
    let commands = block.lines().filter_map(|line| line.strip_prefix("$ "));
    let shown = |command: &str| {
        if let Some(folder) = command.strip_prefix("cd ") {
            env::set_current_dir(folder).expect("a folder");
            return format!("$ {command}\n");
        }
        let command = command.strip_prefix("aiec ").expect("a command of aiec");
        let ran = aiec(command.split_whitespace());
        let lines: Vec<&str> = ran.out.lines().chain(ran.err.lines()).map(str::trim_end).collect();
        let printed = lines.join("\n");
        let end = if printed.trim().is_empty() { "" } else { "\n" };
        format!("$ aiec {command}\n{}{end}", printed.trim_matches('\n'))
    };
    commands.map(shown).collect()
}

/// The page with what its commands really print.
fn page(text: &str) -> String {
    let mut parts = text.split("```console\n");
    let mut page = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (block, rest) = part.split_once("```").expect("a closed block");
        page += &format!("```console\n{}```{rest}", run(block));
    }
    page
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("writable");
    for entry in fs::read_dir(from).expect("a folder").flatten() {
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        if from.is_dir() {
            copy(&from, &to);
        } else {
            fs::copy(&from, &to).expect("writable");
        }
    }
}

#[test]
#[ignore = "long: compiles two examples, and changes the working folder of the whole program"]
fn the_tutorials_show_what_is_printed() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    for example in ["examples/adf", "examples/fir_taps", "examples/ports", "examples/modules"] {
        copy(&root().join(example), &folder.path().join(example));
    }
    let bless = env::var_os("AIEC_BLESS").is_some();
    let compare = |shown: &Path, real: String| {
        if bless {
            fs::write(shown, &real).expect("writable");
        }
        let text = fs::read_to_string(shown).unwrap_or_default();
        assert!(text == real, "{} is stale: run this test with AIEC_BLESS=1\n{real}", shown.display());
    };
    for file in PAGES.map(|file| root().join(file)) {
        // `xtask` runs each test file by itself: no other test depends on the working folder.
        env::set_current_dir(folder.path()).expect("a folder");
        compare(&file, page(&fs::read_to_string(&file).expect("the page")));
    }
    for picture in PICTURES {
        let real = fs::read_to_string(folder.path().join(picture)).expect("the commands draw it");
        compare(&root().join("docs/your-project").join(picture), real);
    }
}

/// The `aiec` commands of the workflows of a page, without redirections.
fn workflow_commands(page: &str) -> Vec<&str> {
    let blocks = page.split("```yaml\n").skip(1).filter_map(|rest| rest.split_once("```"));
    let lines = blocks.flat_map(|(block, _)| block.lines());
    lines
        .filter_map(|line| {
            line.trim().trim_start_matches("- ").trim_start_matches("run: ").strip_prefix("aiec ")
        })
        .map(|command| command.split_once(" 2>").map_or(command, |(command, _)| command))
        .collect()
}

#[test]
#[ignore = "long: simulates an example"]
fn the_commands_of_the_workflows_succeed() {
    let page = fs::read_to_string(path("docs/ci.md")).expect("the page");
    let commands = workflow_commands(&page);
    assert_eq!(commands.len(), 7, "three of each service, and one for code scanning: {commands:?}");
    let design = path("examples/pipeline.dsl");
    for command in commands {
        let words =
            command.split(' ').map(|word| if word == "pipeline.dsl" { design.as_str() } else { word });
        let ran = aiec(words);
        assert_eq!(ran.status, 0, "{command}: {}", ran.err);
    }
}
