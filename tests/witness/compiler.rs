//! g++ as a checker: it parses and checks, and writes no files.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use aiec_tests::root;

/// The input of one compilation.
#[derive(Clone, Debug, Default)]
pub struct Unit {
    /// The source to compile.
    pub file: PathBuf,
    /// The standard, such as `c++14`.
    pub standard: &'static str,
    /// Folders of headers, the first one first.
    pub folders: Vec<PathBuf>,
    /// Folders of headers whose own warnings do not count.
    pub system: Vec<PathBuf>,
    /// Macros, such as `AIEC_WITNESS_RELEASE=20221`.
    pub macros: Vec<String>,
}

impl Unit {
    /// The messages of g++. Returns None when it accepts the file without a warning.
    pub fn faults(&self) -> Option<String> {
        let mut command = Command::new("g++");
        command.arg(format!("-std={}", self.standard)).args(["-fsyntax-only", "-Wall", "-Wextra", "-Werror"]);
        command.arg("-fdiagnostics-color=never").args(self.macros.iter().map(|name| format!("-D{name}")));
        for (flag, folders) in [("-I", &self.folders), ("-isystem", &self.system)] {
            folders.iter().for_each(|folder| {
                command.arg(flag).arg(folder);
            });
        }
        let output = command.args(["-x", "c++"]).arg(&self.file).output().expect("g++ is installed");
        (!output.status.success()).then(|| String::from_utf8_lossy(&output.stderr).into_owned())
    }
}

/// The folder of a witness: `adf` or `xrt`.
pub fn witness(name: &str) -> PathBuf {
    root().join("tests/witness").join(name).join("include")
}

/// The macro that sets the release of a witness.
pub fn release_macro(number: u32) -> String {
    format!("AIEC_WITNESS_RELEASE={number}")
}

/// The error lines of g++'s output, each once, without places.
pub fn errors(said: &str) -> Vec<String> {
    let text = |line: &str| line.split_once("error: ").map(|(_, what)| what.to_owned());
    let mut errors: Vec<String> = said.lines().filter_map(text).collect();
    errors.sort();
    errors.dedup();
    errors
}

/// A folder of this test that is empty.
pub fn fresh(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("witness").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("writable");
    folder
}

/// Every fault once, with its projects, a line each. Takes pairs of fault and project, sorted by
/// project.
pub fn grouped<'a>(faults: impl IntoIterator<Item = (String, &'a str)>) -> String {
    let mut found: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for (fault, project) in faults {
        let projects = found.entry(fault).or_default();
        if projects.last() != Some(&project) {
            projects.push(project);
        }
    }
    found.iter().map(|(fault, projects)| format!("{fault}\n    {}\n", projects.join(", "))).collect()
}
