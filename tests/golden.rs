//! Golden tests: every `cases/<stage>/<name>.dsl` is one test, with its result in `<name>.snap`
//! beside it.
//!
//! The first line of a case is its command: `//$ build --emit=expanded -D N=3` runs `aiec` with
//! these arguments and the case itself as the design. `{dir}` stands for the case's directory. Exit
//! status, output and diagnostics are the result. `cargo run -p xtask -- bless` accepts changed
//! results.
#![allow(clippy::disallowed_methods, reason = "tests read their cases")]

use std::fs;
use std::path::{Path, PathBuf};

use aiec_tests::schema::faults_of_sarif;
use aiec_tests::{aiec, root};
use libtest_mimic::{Arguments, Failed, Trial};

fn main() {
    let cases = root().join("tests/cases");
    let mut trials = Vec::new();
    for stage in sorted(&cases).into_iter().filter(|path| path.is_dir()) {
        let designs = sorted(&stage).into_iter().filter(|path| path.extension().is_some_and(|e| e == "dsl"));
        trials.extend(designs.map(|case| {
            let name = case.strip_prefix(&cases).unwrap_or(&case).with_extension("");
            Trial::test(name.display().to_string(), move || run(&case))
        }));
    }
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

fn sorted(directory: &Path) -> Vec<PathBuf> {
    let entries =
        fs::read_dir(directory).map(|entries| entries.flatten().map(|entry| entry.path()).collect());
    let mut paths: Vec<PathBuf> = entries.unwrap_or_default();
    paths.sort();
    paths
}

fn run(case: &Path) -> Result<(), Failed> {
    let text = fs::read_to_string(case)?;
    let command = text.lines().next().and_then(|line| line.strip_prefix("//$ "));
    let command = command.ok_or("the first line must say what to run, such as `//$ check`")?;
    let directory = case.parent().unwrap_or(Path::new(".")).display().to_string();
    let mut arguments: Vec<String> =
        command.split_whitespace().map(|word| word.replace("{dir}", &directory)).collect();
    arguments.push(case.display().to_string());
    let ran = aiec(&arguments);
    // The same diagnostics as a log of code scanning.
    let log = aiec(arguments.into_iter().chain(["--message-format".to_owned(), "sarif".to_owned()])).err;
    let faults = faults_of_sarif(&log);
    if !faults.is_empty() {
        return Err(format!("not as the schema of SARIF says: {faults:#?}").into());
    }
    let result = format!("exit status {}\n--- output\n{}--- diagnostics\n{}", ran.status, ran.out, ran.err);
    let result = result.replace(&format!("{directory}/"), "");
    let name = case.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
    insta::with_settings!({
        snapshot_path => &directory,
        prepend_module_to_snapshot => false,
        omit_expression => true,
        description => format!("aiec {command} {name}.dsl"),
    }, {
        insta::assert_snapshot!(name, result);
    });
    Ok(())
}
