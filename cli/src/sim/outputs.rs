//! Puts the outputs of a graph into the user's folder.
//!
//! The program writes below aiec's own folder. aiec then moves the outputs into the user's folder
//! file by file, each whole. Files of numbers have no room for a mark, so [`LIST`] beside them
//! records which of them aiec wrote. Other files are not replaced without `--overwrite`, and inputs
//! of the run never are.
#![allow(clippy::disallowed_methods, reason = "this module writes outputs")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use aiec_diag::Diagnostic;
use serde::{Deserialize, Serialize};

use crate::args::{GraphRun, Sim};
use crate::disk;
use crate::errors;
use aiec_host_run::build::Listing;
use aiec_host_run::program::absolute;
use aiec_system::files::{self, hash};

/// Name of the list in the folder of outputs.
const LIST: &str = ".aiec-outputs.json";

/// In the place of a hash: a run writes the file, and was killed if the list still says so.
const BEGUN: &str = "begun";

/// The files in a folder that aiec wrote.
#[derive(Debug, Serialize, Deserialize)]
struct List {
    /// Tells a user who opens the file its purpose.
    about: String,
    /// SHA-256 of every text that aiec wrote to a file, by path; two while one replaces the other.
    files: BTreeMap<String, BTreeSet<String>>,
}

/// The outputs of a graph.
pub(crate) struct Outputs<'a> {
    args: &'a GraphRun,
    /// The path of each file, relative to the user's folder.
    files: BTreeSet<&'a str>,
}

impl<'a> Outputs<'a> {
    /// The outputs of a graph that writes these files. Fails if one of them may not be written.
    /// `originals` are the inputs of the run.
    pub(crate) fn new(
        args: &'a GraphRun,
        files: impl IntoIterator<Item = &'a str>,
        originals: &[PathBuf],
    ) -> Result<Self, Diagnostic> {
        let files = files.into_iter().collect();
        let outputs = Self { args, files };
        let (folder, list) = (outputs.folder(), outputs.list());
        for file in &outputs.files {
            let (path, shown) = (folder.join(file), outputs.shown(file));
            if originals.iter().any(|original| disk::is_same(original, &path)) {
                return Err(errors::result_is_source(&shown));
            }
            let there = fs::metadata(&path).is_ok_and(|metadata| metadata.is_file() && metadata.len() > 0);
            let ours = || {
                let text = fs::read(&path).unwrap_or_default();
                let is_ours =
                    |texts: &BTreeSet<String>| texts.contains(BEGUN) || texts.contains(&hash(&text));
                list.files.get(*file).is_some_and(is_ours)
            };
            if there && !args.overwrite && !ours() {
                return Err(errors::result_occupied(&shown, list.files.contains_key(*file)));
            }
        }
        Ok(outputs)
    }

    /// The user's folder.
    fn folder(&self) -> PathBuf {
        absolute(&self.args.output)
    }

    /// A file of the user's folder, by the path that the user would write.
    fn shown(&self, file: &str) -> String {
        self.args.output.join(file).display().to_string()
    }

    fn list(&self) -> List {
        let text = files::read_there(&self.folder().join(LIST));
        text.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_else(|| List {
            about: "What `aiec sim` wrote here: the SHA-256 of every file.".into(),
            files: BTreeMap::new(),
        })
    }

    /// Notes that a run writes the outputs. It shows them in the user's folder as it goes on.
    pub(crate) fn begin(&self) -> Result<(), Diagnostic> {
        let mut list = self.list();
        for file in &self.files {
            list.files.entry((*file).to_owned()).or_default().insert(BEGUN.to_owned());
        }
        self.put_list(&list).map_err(|failed| self.unwritable(&failed))
    }

    fn unwritable(&self, (file, error): &(String, io::Error)) -> Diagnostic {
        aiec_system::errors::output_unwritable(&self.shown(file), &error.to_string())
    }

    /// Moves the outputs of a run to the user's folder. `from` gives the path of each file.
    pub(crate) fn put(&self, from: impl Fn(&str) -> PathBuf) -> Result<(), Diagnostic> {
        // A file with an absolute path is in its place already, and a file that was not written has
        // no text.
        let written = self.files.iter().filter(|file| !Path::new(file).is_absolute());
        let texts: Vec<(&str, Vec<u8>)> =
            written.filter_map(|file| Some((*file, fs::read(from(file)).ok()?))).collect();
        self.put_texts(&texts).map_err(|failed| self.unwritable(&failed))
    }

    fn put_texts(&self, texts: &[(&str, Vec<u8>)]) -> Result<(), (String, io::Error)> {
        let mut list = self.list();
        for (file, text) in texts {
            list.files.entry((*file).to_owned()).or_default().insert(hash(text));
        }
        // The list first: after a kill it has the old and the new text.
        self.put_list(&list)?;
        for (file, text) in texts {
            self.put_one(file, text).map_err(|error| ((*file).to_owned(), error))?;
        }
        for (file, text) in texts {
            list.files.insert((*file).to_owned(), BTreeSet::from([hash(text)]));
        }
        list.files.values_mut().for_each(|texts| {
            texts.remove(BEGUN);
        });
        list.files.retain(|_, texts| !texts.is_empty());
        self.put_list(&list)
    }

    fn put_list(&self, list: &List) -> Result<(), (String, io::Error)> {
        let text = serde_json::to_string_pretty(list).unwrap_or_default() + "\n";
        self.put_one(LIST, text.as_bytes()).map_err(|error| (LIST.to_owned(), error))
    }

    fn put_one(&self, file: &str, text: &[u8]) -> io::Result<()> {
        let path = self.folder().join(file);
        if files::bytes_there(&path).is_some_and(|there| there == text) {
            return Ok(());
        }
        fs::create_dir_all(files::folder_of(&path))?;
        disk::put(&path, text)
    }
}

/// The inputs of a run of a graph: the graph, its kernels' sources, its input files, and golden
/// files. `inputs` are the names of its input files with their paths.
pub(crate) fn originals(
    args: &Sim,
    graph: &Path,
    inputs: &[(String, PathBuf)],
    listing: &Listing,
) -> Vec<PathBuf> {
    let folders = || {
        let beside = [files::folder_of(graph), Path::new(".")];
        beside.into_iter().chain(args.code.include.iter().map(PathBuf::as_path))
    };
    let sources = listing.sources.iter().flat_map(|file| folders().map(move |folder| folder.join(file)));
    let inputs = inputs.iter().map(|(_, path)| path.clone());
    let golden = |argument: &String| {
        PathBuf::from(argument.split_once('=').map_or(argument.as_str(), |(_, file)| file))
    };
    let goldens = args.golden.iter().map(golden);
    sources.chain(inputs).chain(goldens).chain([graph.to_path_buf()]).collect()
}
