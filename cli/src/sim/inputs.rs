//! Finds a graph's input files: takes the folders in which they may lie and the graph's names of
//! them, and returns the path of each.
#![allow(clippy::disallowed_methods, reason = "this module looks for the files of a project")]

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use aiec_check::Checked;
use aiec_codegen::DataFile;
use aiec_diag::Diagnostic;

use crate::args::Sim;
use crate::project;
use aiec_host_run::build::Listing;
use aiec_host_run::errors;
use aiec_host_run::program::absolute;
use aiec_system::files::{self, MAX_DATA};

/// The folders in which inputs may lie, the likeliest first; at least one.
pub(crate) struct Inputs(Vec<PathBuf>);

/// The folder that the user named, or else the likely ones.
pub(crate) fn folders(args: &Sim, graph: &Path) -> Inputs {
    if let Some(folder) = &args.graph.input {
        return Inputs(vec![folder.clone()]);
    }
    let beside = absolute(files::folder_of(graph));
    let named = args.input.design.is_dir().then(|| args.input.design.clone());
    let others = [PathBuf::from("."), beside.clone(), beside.join("..")];
    Inputs(named.into_iter().chain(others).collect())
}

impl Inputs {
    /// The first folder to search; the current one when there is none.
    pub(crate) fn first(&self) -> &Path {
        self.0.first().map_or(Path::new("."), PathBuf::as_path)
    }

    /// Name and path of every input file. The diagnostic names the files that are in no folder. A
    /// folder that has all files is tried before the others.
    pub(crate) fn files(&self, listing: &Listing) -> Result<Vec<(String, PathBuf)>, Diagnostic> {
        let all = |folder: &&PathBuf| listing.inputs.iter().all(|(file, _)| within(folder, file).is_some());
        let folders: Vec<&PathBuf> = self.0.iter().find(all).into_iter().chain(&self.0).collect();
        let (mut found, mut missing) = (Vec::new(), Vec::new());
        for input in &listing.inputs {
            match folders.iter().find_map(|folder| within(folder, &input.0)) {
                Some(path) => found.push((input.0.clone(), absolute(&path))),
                None if missing.contains(input) => {}
                None => missing.push(input.clone()),
            }
        }
        missing.extend(ambiguous(&found, &listing.inputs));
        if missing.is_empty() {
            return Ok(found);
        }
        let folders: Vec<String> = self.0.iter().map(|folder| folder.display().to_string()).collect();
        Err(errors::no_input_files(&missing, &folders))
    }
}

/// The inputs with absolute names of another machine that end at one file with others: nothing says
/// whose file it is.
fn ambiguous(found: &[(String, PathBuf)], inputs: &[(String, String)]) -> Vec<(String, String)> {
    let is_elsewhere =
        |(name, path): &(String, PathBuf)| Path::new(name).is_absolute() && Path::new(name) != path;
    let is_shared = |one: &&(String, PathBuf)| {
        is_elsewhere(one) && found.iter().any(|other| other.0 != one.0 && other.1 == one.1)
    };
    let names: BTreeSet<&str> = found.iter().filter(is_shared).map(|(name, _)| name.as_str()).collect();
    inputs.iter().filter(|(name, _)| names.contains(name.as_str())).cloned().collect()
}

/// The texts of a design's data files in the folder of --input.
pub(crate) fn data_in(folder: &Path, checked: &Checked) -> Result<Vec<DataFile>, Diagnostic> {
    let files: Vec<String> = project::data_files(checked).into_iter().collect();
    let missing: Vec<(String, String)> = files
        .iter()
        .filter(|file| within(folder, file).is_none())
        .map(|file| (file.clone(), String::new()))
        .collect();
    if !missing.is_empty() {
        return Err(errors::no_input_files(&missing, &[folder.display().to_string()]));
    }
    let text = |path: String| {
        let file = within(folder, &path).unwrap_or_else(|| folder.join(&path));
        Ok(DataFile { text: files::read_text(&file, MAX_DATA, None)?, path })
    };
    files.into_iter().map(text).collect()
}

/// The file of this name in a folder: below the folder, or below the last folder in the name
/// (`data/x.txt`, `../data/x.txt`) if `folder` is that one. Absolute names of another machine stand
/// for the longest end that is there: `/home/ann/fir/data/x.txt` for `data/x.txt`.
pub(super) fn within(folder: &Path, file: &str) -> Option<PathBuf> {
    // A pipe does not count: a run would wait for its writer.
    let there = |path: PathBuf| path.is_file().then_some(path);
    there(folder.join(file)).or_else(|| {
        let whole = std::fs::canonicalize(folder).ok()?;
        let parts: Vec<Component<'_>> = Path::new(file).components().collect();
        (1..parts.len()).find_map(|cut| {
            let (above, below) = parts.split_at(cut);
            let above: PathBuf = above.iter().filter(|part| matches!(part, Component::Normal(_))).collect();
            let counts = whole.ends_with(&above) || Path::new(file).is_absolute();
            counts.then(|| there(folder.join(below.iter().collect::<PathBuf>())))?
        })
    })
}

/// The list in the runtime's format: a line for each file, name and path with a tab between.
pub(crate) fn lines(files: &[(String, PathBuf)]) -> String {
    files.iter().map(|(name, path)| format!("{name}\t{}\n", path.display())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_are_inputs() {
        let folder = tempfile::tempdir().expect("a temporary directory");
        let at = |name: &str| folder.path().join(name);
        std::fs::write(at("file"), "1\n").expect("writable");
        let made = std::process::Command::new("mkfifo").arg(at("pipe")).status().expect("mkfifo is there");
        assert!(made.success());
        std::os::unix::fs::symlink("file", at("link")).expect("writable");
        for (name, is_file) in
            [("file", true), ("link", true), ("pipe", false), (".", false), ("none", false)]
        {
            assert_eq!(within(folder.path(), name).is_some(), is_file, "{name}");
        }
    }

    #[test]
    fn absolute_names_of_another_machine_stand_for_their_longest_end_in_the_folder() {
        let folder = tempfile::tempdir().expect("a temporary directory");
        let files = [("x.txt", "1\n"), ("data/x.txt", "2\n")];
        files::write_all(folder.path(), files).expect("writable");
        let found = |name: &str| within(folder.path(), name);
        assert_eq!(found("/home/none/fir/data/x.txt"), Some(folder.path().join("data/x.txt")));
        assert_eq!(found("/home/none/fir/x.txt"), Some(folder.path().join("x.txt")));
        assert_eq!(found("/home/none/fir/y.txt"), None);
        assert_eq!(found("fir/x.txt"), None, "a relative name says where the file lies");
    }

    #[test]
    fn two_absolute_names_of_one_file_are_missing() {
        let input = |name: &str| (name.to_owned(), "i".to_owned());
        let inputs = ["/home/none/left/x.txt", "/home/none/right/x.txt", "y.txt"].map(input);
        let at = |name: &str, path: &str| (name.to_owned(), PathBuf::from(path));
        let found = [at("/home/none/left/x.txt", "/d/x.txt"), at("/home/none/right/x.txt", "/d/x.txt")];
        assert_eq!(ambiguous(&found, &inputs), inputs[..2]);
        let twice = [at("/d/x.txt", "/d/x.txt"), at("/d/x.txt", "/d/x.txt")];
        assert!(ambiguous(&twice, &[input("/d/x.txt"), input("/d/x.txt")]).is_empty());
    }
}
