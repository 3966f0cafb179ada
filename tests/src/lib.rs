//! Support for the golden and end-to-end tests: runs `aiec` in this process, and checks the results
//! for mangled inputs.

pub mod fuzz;
pub mod random;
pub mod schema;

use std::fs;
use std::path::{Path, PathBuf};

use aiec::Terminal;

/// Output and exit status of one command.
#[derive(Debug)]
pub struct Ran {
    /// The exit status of the command.
    pub status: u8,
    /// What the command wrote to standard output.
    pub out: String,
    /// What the command wrote to standard error.
    pub err: String,
}

impl Ran {
    /// The words of standard error, without the frame and the line breaks that fit it to a
    /// terminal.
    pub fn words(&self) -> String {
        self.err.split_whitespace().filter(|word| *word != "│").collect::<Vec<_>>().join(" ")
    }
}

/// Writes `text` as a design into a fresh directory. Returns the directory and the design's path.
///
/// # Panics
/// If the directory cannot be written.
#[allow(clippy::disallowed_methods, clippy::expect_used, reason = "tests prepare files")]
pub fn design(text: impl AsRef<[u8]>) -> (tempfile::TempDir, String) {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let file = directory.path().join("a.dsl");
    fs::write(&file, text).expect("writable");
    let file = file.display().to_string();
    (directory, file)
}

/// Runs `aiec COMMAND d.dsl` with more arguments. A fresh folder has the design as `d.dsl`, and
/// these files with their texts.
///
/// # Panics
/// If the folder cannot be written.
#[allow(clippy::disallowed_methods, clippy::expect_used, reason = "tests prepare files")]
pub fn aiec_on(command: &str, design: &str, files: &[(&str, &str)], extra: &[&str]) -> Ran {
    let folder = tempfile::tempdir().expect("a temporary directory");
    for (name, text) in files.iter().chain(&[("d.dsl", design)]) {
        fs::write(folder.path().join(name), text).expect("writable");
    }
    let design = folder.path().join("d.dsl").display().to_string();
    aiec([&[command, &design], extra].concat())
}

/// Runs `aiec` with `arguments` (without the program's name): no colours, 100 columns.
///
/// ```
/// let ran = aiec_tests::aiec(["devices"]);
/// assert_eq!(ran.status, 0);
/// assert!(ran.out.contains("xcvc1902"));
/// ```
pub fn aiec<S: AsRef<str>>(arguments: impl IntoIterator<Item = S>) -> Ran {
    let mut all = vec!["aiec".to_owned()];
    all.extend(arguments.into_iter().map(|argument| argument.as_ref().to_owned()));
    // A simulation writes its outputs to the working folder; those of a test go elsewhere.
    let outputs = tempfile::tempdir().ok().filter(|_| writes_here(&all));
    if let Some(folder) = &outputs {
        all.extend(["--output".to_owned(), folder.path().display().to_string()]);
    }
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let status = aiec::run(all, Terminal { color: false, width: 100, progress: false }, &mut out, &mut err);
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    Ran { status, out: text(out), err: text(err) }
}

/// True for `aiec sim` without a folder for its outputs.
fn writes_here(arguments: &[String]) -> bool {
    let is_sim = arguments.get(1).is_some_and(|command| command == "sim");
    is_sim && arguments.iter().all(|argument| argument != "--output")
}

/// The folder of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new(".")).to_path_buf()
}

/// The packages of the workspace.
///
/// # Panics
/// If cargo cannot read the manifests.
#[allow(clippy::expect_used, reason = "tests read the manifests")]
pub fn packages() -> Vec<cargo_metadata::Package> {
    let metadata = cargo_metadata::MetadataCommand::new().manifest_path(path("Cargo.toml")).no_deps().exec();
    metadata.expect("cargo metadata").packages
}

/// The folders `src` of the workspace. A package of benches has none.
///
/// # Panics
/// If cargo cannot read the manifests.
pub fn source_folders() -> Vec<PathBuf> {
    let folder = |package: cargo_metadata::Package| {
        let folder = package.manifest_path.with_file_name("src");
        package.targets.iter().any(|target| target.src_path.starts_with(&folder)).then(|| folder.into())
    };
    packages().into_iter().filter_map(folder).collect()
}

/// The path of a file of the repository, as an argument.
pub fn path(relative: &str) -> String {
    root().join(relative).display().to_string()
}
