//! Changes many files as a whole, whenever the process ends.
//!
//! ```text
//! new texts  ->  .aiec-work/new-0, ...    nothing is changed yet; the next run removes them
//! journal    ->  .aiec-work/journal       from here on the change happens
//! for each:      what is there -> old-N, new-N -> its place
//! journal removed                         the change is done; the next run removes the rest
//! ```
//!
//! The next run finishes a journal, or undoes it where a file was edited meanwhile or cannot be
//! written. It never replaces a file that was edited meanwhile.

use std::io;

use serde::{Deserialize, Serialize};

use super::calls::{self, Above, Kind};
use super::lock::{Locked, WORK};
use aiec_system::files::hash;

/// A change to finish.
const JOURNAL: &str = "journal";
/// A change to undo.
const UNDO: &str = "undo";
/// An incomplete journal.
const DRAFT: &str = "draft";

/// A file and its new text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Text<'a> {
    /// Its path in the folder.
    pub(crate) path: &'a str,
    /// Its new text. None when the file is to be removed.
    pub(crate) text: Option<&'a str>,
}

/// The change of one file: its content before and after, in the form of
/// [`present`](super::Dir::present).
#[derive(Debug, Serialize, Deserialize)]
struct Step {
    path: String,
    was: Option<String>,
    will: Option<String>,
}

/// A change of several files.
#[derive(Debug, Serialize, Deserialize)]
struct Journal {
    /// Tells a user who opens the file its purpose.
    about: String,
    steps: Vec<Step>,
    /// Folders made for the change, the innermost last.
    folders: Vec<String>,
}

fn new(number: usize) -> String {
    format!("new-{number}")
}

fn old(number: usize) -> String {
    format!("old-{number}")
}

impl Locked {
    /// Writes all of `texts`, or nothing.
    pub(crate) fn change(&self, texts: &[Text<'_>]) -> io::Result<()> {
        let journal = self.prepare(texts)?;
        let text = serde_json::to_string_pretty(&journal).map_err(io::Error::other)?;
        let mut draft = self.work.open_file(DRAFT)?;
        calls::fill(&mut draft, text.as_bytes(), None)?;
        draft.sync_all()?;
        self.work.rename(DRAFT, &self.work, JOURNAL)?;
        self.finish(&journal)
    }

    /// Writes the new texts beside their places, and the journal. Changes no file of the user yet.
    fn prepare(&self, texts: &[Text<'_>]) -> io::Result<Journal> {
        let mut steps = Vec::new();
        let mut folders: Vec<String> = Vec::new();
        for (number, Text { path, text }) in texts.iter().enumerate() {
            self.open_to_change(path)?;
            if let Some(text) = text {
                let mode = match self.root.above(path)? {
                    Above::There(folder, name) => folder.mode(name)?,
                    _ => None,
                };
                calls::fill(&mut self.work.open_file(&new(number))?, text.as_bytes(), mode)?;
                for folder in self.missing_above(path)? {
                    if !folders.contains(&folder) {
                        folders.push(folder);
                    }
                }
            }
            steps.push(Step {
                path: (*path).to_owned(),
                was: self.root.present(path)?,
                will: text.map(|text| hash(text.as_bytes())),
            });
        }
        let about =
            "A build of aiec was interrupted here; the next one into this folder finishes or undoes it.";
        Ok(Journal { about: about.into(), steps, folders })
    }

    /// Checks that a file can be written to `path`, as far as that is known before writing.
    fn open_to_change(&self, path: &str) -> io::Result<()> {
        match self.root.above(path)? {
            Above::There(folder, name) if folder.kind(name)? == Kind::Folder => {
                let reason = format!("`{path}` is a directory, and the project has a file of this name");
                Err(io::Error::new(io::ErrorKind::IsADirectory, reason))
            }
            Above::There(..) | Above::Missing => Ok(()),
            Above::Link(_) | Above::NoFolder => Err(calls::no_folder(path)),
        }
    }

    /// The missing folders above `path`, the outermost first.
    fn missing_above(&self, path: &str) -> io::Result<Vec<String>> {
        let mut missing = Vec::new();
        for (end, _) in path.match_indices('/') {
            let folder = &path[..end];
            if self.root.present(folder)?.is_none() {
                missing.push(folder.to_owned());
            }
        }
        Ok(missing)
    }

    /// Does the remaining steps of a change. Undoes the whole change when a step fails.
    fn finish(&self, journal: &Journal) -> io::Result<()> {
        let done =
            journal.steps.iter().enumerate().try_for_each(|(number, step)| self.take_step(number, step));
        match done {
            Ok(()) => {
                let gone = journal.steps.iter().filter(|step| step.will.is_none());
                gone.for_each(|step| self.remove_empty_above(&step.path));
                self.work.remove(JOURNAL)
            }
            Err(error) => {
                self.work.rename(JOURNAL, &self.work, UNDO)?;
                self.undo(journal)?;
                Err(error)
            }
        }
    }

    /// Does one step, unless it is done already.
    fn take_step(&self, number: usize, step: &Step) -> io::Result<()> {
        let (new, old) = (new(number), old(number));
        if step.will.is_none() {
            let Above::There(folder, name) = self.root.above(&step.path)? else { return Ok(()) };
            return ignore_missing(folder.rename(name, &self.work, &old));
        }
        if self.work.kind(&new)? == Kind::Missing {
            return Ok(());
        }
        let (folder, name) = self.root.make_above(&step.path)?;
        if step.was.is_some() && self.work.kind(&old)? == Kind::Missing {
            // A second name keeps the file in place all the time. Not every disk supports second
            // names.
            let kept = folder.link(name, &self.work, &old).or_else(|_| folder.rename(name, &self.work, &old));
            ignore_missing(kept)?;
        }
        self.work.rename(&new, &folder, name)
    }

    /// Restores the old contents, except for files that were edited since.
    fn undo(&self, journal: &Journal) -> io::Result<()> {
        for (number, step) in journal.steps.iter().enumerate().rev() {
            let (new, old) = (new(number), old(number));
            let present = self.root.present(&step.path)?;
            let kept = self.work.kind(&old)? != Kind::Missing;
            if kept && present != step.was && (present.is_none() || present == step.will) {
                let (folder, name) = self.root.make_above(&step.path)?;
                self.work.rename(&old, &folder, name)?;
            }
            let came = step.was.is_none() && present == step.will && self.work.kind(&new)? == Kind::Missing;
            if let (true, Above::There(folder, name)) = (came, self.root.above(&step.path)?) {
                folder.remove(name)?;
            }
        }
        journal.folders.iter().rev().for_each(|folder| self.remove_folder(folder));
        self.work.remove(UNDO)
    }

    /// Finishes or undoes the change of an earlier process, and removes its remains.
    pub(super) fn recover(&self) -> io::Result<()> {
        if let Some(journal) = self.journal(UNDO)? {
            self.undo(&journal)?;
        } else if let Some(journal) = self.journal(JOURNAL)? {
            if !self.can_finish(&journal)? {
                self.work.rename(JOURNAL, &self.work, UNDO)?;
                self.undo(&journal)?;
            } else if let Err(error) = self.finish(&journal) {
                // Undone, unless that failed as well.
                if self.work.kind(UNDO)? != Kind::Missing {
                    return Err(error);
                }
            }
        }
        self.tidy()
    }

    fn journal(&self, name: &str) -> io::Result<Option<Journal>> {
        if self.work.kind(name)? == Kind::Missing {
            return Ok(None);
        }
        let damaged = |error: serde_json::Error| {
            let reason = format!("`{WORK}/{name}` of an interrupted build is damaged: {error}");
            io::Error::new(io::ErrorKind::InvalidData, reason)
        };
        serde_json::from_slice(&self.work.read(name)?).map(Some).map_err(damaged)
    }

    /// True if the remaining new texts are complete, and the files that they would replace are
    /// unedited.
    fn can_finish(&self, journal: &Journal) -> io::Result<bool> {
        for (number, step) in journal.steps.iter().enumerate() {
            let ready = self.work.present(&new(number))?;
            let present = self.root.present(&step.path)?;
            let untouched =
                present == step.was || present.is_none() && self.work.present(&old(number))?.is_some();
            let done = match step.will {
                Some(_) => ready.is_none(),
                None => present.is_none(),
            };
            if !(done || untouched && ready == step.will) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Removes files that have no use without a journal. Fails while there is a journal.
    pub(super) fn tidy(&self) -> io::Result<()> {
        for name in [JOURNAL, UNDO] {
            if self.work.kind(name)? != Kind::Missing {
                return Err(io::Error::other("a change is under way"));
            }
        }
        let ours = |name: &String| name == DRAFT || name.starts_with("new-") || name.starts_with("old-");
        self.work.names()?.iter().filter(|name| ours(name)).try_for_each(|name| self.work.remove(name))
    }

    /// Removes the empty folders above `path`.
    fn remove_empty_above(&self, path: &str) {
        let mut path = path;
        while let Some((folder, _)) = path.rsplit_once('/') {
            self.remove_folder(folder);
            path = folder;
        }
    }

    /// Removes a folder if it is empty.
    fn remove_folder(&self, folder: &str) {
        if let Ok(Above::There(above, name)) = self.root.above(folder) {
            let _ = above.remove_folder(name);
        }
    }
}

fn ignore_missing(result: io::Result<()>) -> io::Result<()> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        result => result,
    }
}
