//! The plan of a build: its changes in a folder.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};

use aiec_codegen::OutputFile;
use aiec_diag::Diagnostic;

use super::manifest::{Found, MANIFEST, Manifest};
use super::originals::Originals;
use crate::disk::{Above, Dir, Kind as FileKind, WORK};
use crate::errors;
use aiec_system::files::{self, hash, is_inside, read_there};

/// The kind of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The file is new.
    New,
    /// The file exists with another content.
    Changed,
    /// The file is no longer part of the project.
    Removed,
}

/// A file that the build would change.
#[derive(Debug)]
pub(crate) struct Change<'a> {
    /// Its path in the folder.
    pub(crate) path: String,
    /// The kind of its change.
    pub(crate) kind: Kind,
    /// True if aiec did not write the present content.
    pub(crate) edited: bool,
    /// The content to write. None when the file is to be removed.
    pub(super) text: Option<&'a str>,
    /// The user's file of which it is a copy.
    pub(crate) copy_of: Option<String>,
}

/// The changes that writing a project would make in its folder.
#[derive(Debug)]
pub(crate) struct Plan<'a> {
    /// The folder of the project.
    pub(crate) directory: &'a Path,
    /// Number of files of the project.
    pub(crate) files: usize,
    /// The changes, by path. Removals come last.
    pub(crate) changes: Vec<Change<'a>>,
    /// The content of a folder without a manifest.
    unowned: Vec<String>,
    /// The reason why the folder's manifest cannot be read.
    unreadable: Option<String>,
    /// True if a build is under way there, or was interrupted.
    unfinished: bool,
    /// The command that made the folder, if it had another design or other constants.
    other: Option<String>,
    /// The manifest to write.
    pub(super) manifest: String,
    /// The manifest in the folder; empty when there is none.
    pub(super) manifest_there: String,
}

/// Those of the files `paths` that an earlier build of the same inputs wrote to `directory` and
/// that are unchanged: golden data that this build would otherwise remove.
pub(crate) fn kept(
    directory: &Path,
    list: &Manifest,
    paths: impl Iterator<Item = String>,
) -> Vec<OutputFile> {
    let Found::List(old) = Manifest::read(directory) else { return Vec::new() };
    let old = Some(old).filter(|old| old.is_of_same_inputs(list));
    let file = |path: String| {
        let written = old.as_ref()?.files.get(&path)?;
        let text = read_there(&directory.join(&path)).filter(|text| hash(text.as_bytes()) == *written)?;
        Some(OutputFile { path, text, copy_of: None })
    };
    paths.filter_map(file).collect()
}

/// Compares `project` with the content of `directory`. `list` records the inputs of the project.
/// `originals` are the input files, which are never written or removed. The folder may neither hold
/// sources nor lie above one.
pub(crate) fn plan<'a>(
    directory: &'a Path,
    project: &'a [OutputFile],
    list: Manifest,
    originals: &Originals,
) -> Result<Plan<'a>, Diagnostic> {
    let shown = directory.display().to_string();
    let unwritable = |reason: &str| aiec_system::errors::output_unwritable(&shown, reason);
    let io = |error: io::Error| unwritable(&error.to_string());
    writable_names(project).map_err(|reason| unwritable(&reason))?;
    if let Some(source) = originals.inside(directory) {
        return Err(errors::output_around_source(&shown, &source.display().to_string()));
    }
    let root = match files::kind(directory).map_err(io)? {
        files::Kind::Missing => None,
        files::Kind::Folder => Some(Dir::open(directory).map_err(io)?),
        files::Kind::Other => return Err(unwritable("it exists and is not a directory")),
    };
    let (old, unreadable) = match Manifest::read(directory) {
        Found::Nothing => (None, None),
        Found::Unreadable(reason) => (None, Some(reason)),
        Found::List(list) => (Some(*list), None),
    };
    let mut unowned = if old.is_none() { files::entries(directory).map_err(io)? } else { Vec::new() };
    unowned.retain(|name| name != WORK);
    let unfinished = root.as_ref().map_or(Ok(FileKind::Missing), |root| root.kind(WORK)).map_err(io)?;
    let other = old.as_ref().filter(|old| !old.is_of_same_design(&list)).map(|old| old.command.clone());
    let originals = originals.real();
    let old = old.unwrap_or_default();
    let compared = Compared { directory, root, originals, old, list, changes: Vec::new() };
    let Compared { list, changes, .. } = compared.with(project)?;
    Ok(Plan {
        directory,
        files: project.len(),
        changes,
        unowned,
        unreadable,
        unfinished: unfinished != FileKind::Missing,
        other,
        manifest: list.text(),
        manifest_there: read_there(&directory.join(MANIFEST)).unwrap_or_default(),
    })
}

/// Checks that every file of a project has a name of its own inside the folder, and none that aiec
/// reserves.
fn writable_names(project: &[OutputFile]) -> Result<(), String> {
    let mut texts: BTreeMap<&str, &str> = BTreeMap::new();
    for OutputFile { path, text, .. } in project {
        if !is_inside(path) {
            return Err(format!("`{path}` would lie outside of it"));
        }
        if is_record(path) {
            return Err(format!("`{path}` is a name that aiec keeps for itself"));
        }
        if texts.insert(path, text).is_some_and(|other| other != text) {
            return Err(format!("two files of the project would be called `{path}`"));
        }
    }
    Ok(())
}

impl Plan<'_> {
    /// True if the folder holds exactly the project, so that nothing would be written.
    pub(crate) fn is_current(&self) -> bool {
        self.changes.is_empty() && !self.changes_list() && !self.unfinished
    }

    /// True if the manifest of the folder would change.
    pub(super) fn changes_list(&self) -> bool {
        self.manifest != self.manifest_there
    }

    /// The files that are not as aiec wrote them, or that it did not write.
    pub(crate) fn edited(&self) -> impl Iterator<Item = &Change<'_>> {
        self.changes.iter().filter(|change| change.edited)
    }

    /// The paths of one kind of change.
    pub(crate) fn paths(&self, kind: Kind) -> Vec<&str> {
        self.changes.iter().filter(|change| change.kind == kind).map(|change| change.path.as_str()).collect()
    }

    /// The diagnostic of `build --check` for a folder that is not current.
    pub(crate) fn staleness(&self) -> Diagnostic {
        let files = self.changes.iter().map(|change| change.path.as_str());
        let list = [(self.changes_list(), MANIFEST), (self.unfinished, WORK)];
        let list = list.into_iter().filter_map(|(changes, name)| changes.then_some(name));
        let all: Vec<&str> = files.chain(list).collect();
        errors::output_stale(&self.directory.display().to_string(), &all, self.other.as_deref())
    }

    /// The reasons against writing. `command` is the present command. Originals lie below
    /// `sources`.
    pub(crate) fn refusals(&self, command: &str, sources: &Path) -> Vec<Diagnostic> {
        let shown = self.directory.display().to_string();
        let other = self.other.as_deref().map(|earlier| errors::output_of_another(&shown, earlier, command));
        let unowned = (!self.unowned.is_empty())
            .then(|| errors::output_unowned(&shown, &self.unowned, self.unreadable.as_deref()));
        // Without a manifest, all files count as the user's.
        let edited = self.edited().map(|change| {
            let original =
                change.copy_of.as_ref().map(|original| sources.join(original).display().to_string());
            (change.path.as_str(), original)
        });
        let edited: Vec<(&str, Option<String>)> = edited.collect();
        let edited =
            (unowned.is_none() && !edited.is_empty()).then(|| errors::output_edited(&shown, &edited));
        other.into_iter().chain(unowned).chain(edited).collect()
    }
}

/// True for a path that aiec reserves: the manifest, and the folder in which changes are prepared.
fn is_record(path: &str) -> bool {
    path == MANIFEST || path.split('/').next() == Some(WORK)
}

/// A comparison in progress.
struct Compared<'a> {
    directory: &'a Path,
    /// The folder, if it exists.
    root: Option<Dir>,
    originals: BTreeSet<PathBuf>,
    old: Manifest,
    list: Manifest,
    changes: Vec<Change<'a>>,
}

/// The present entry at the place of a file.
enum There {
    Nothing,
    /// Its content, in the form of [`Dir::present`].
    Something(String),
    /// An input file of the project.
    Original,
}

impl<'a> Compared<'a> {
    fn with(mut self, project: &'a [OutputFile]) -> Result<Self, Diagnostic> {
        project.iter().try_for_each(|file| self.add(file))?;
        let paths: BTreeSet<&str> = project.iter().map(|file| file.path.as_str()).collect();
        let stale = self.old.files.clone().into_iter().filter(|(path, _)| !paths.contains(path.as_str()));
        stale
            .filter(|(path, _)| is_inside(path) && !is_record(path))
            .try_for_each(|(path, written)| self.remove(path, &written))?;
        Ok(self)
    }

    /// The entry at `path`. An entry behind a link counts as missing.
    fn there(&self, path: &str) -> io::Result<There> {
        let Some(root) = &self.root else { return Ok(There::Nothing) };
        let target = self.directory.join(path);
        Ok(match root.present(path)? {
            None => There::Nothing,
            Some(_) if files::real_path(&target).is_some_and(|path| self.originals.contains(&path)) => {
                There::Original
            }
            Some(what) => There::Something(what),
        })
    }

    fn unwritable(&self, error: &io::Error) -> Diagnostic {
        aiec_system::errors::output_unwritable(&self.directory.display().to_string(), &error.to_string())
    }

    fn add(&mut self, file: &'a OutputFile) -> Result<(), Diagnostic> {
        let path = file.path.as_str();
        let above = self.root.as_ref().map_or(Ok(Above::Missing), |root| root.above(path));
        if let Above::Link(link) = above.map_err(|error| self.unwritable(&error))? {
            return Err(errors::output_linked(&self.directory.join(link).display().to_string(), path));
        }
        let wanted = hash(file.text.as_bytes());
        let present = match self.there(path).map_err(|error| self.unwritable(&error))? {
            There::Nothing => None,
            There::Something(what) => Some(what),
            // A copy that would lie where its original is.
            There::Original if self.holds(file) => return Ok(()),
            There::Original => {
                return Err(errors::output_is_source(&self.directory.join(path).display().to_string()));
            }
        };
        let listed = self.old.files.get(path);
        // A file that was there before aiec is never aiec's. Only aiec stamps a file.
        let ours = listed.is_some() || file.text.contains(STAMP);
        if present.as_ref() != Some(&wanted)
            && !(present.is_some() && self.kind(path) == FileKind::Link && self.holds(file))
        {
            let edited = present.is_some() && present.as_ref() != listed;
            let kind = if present.is_some() { Kind::Changed } else { Kind::New };
            let (path, text, copy_of) = (file.path.clone(), Some(file.text.as_str()), file.copy_of.clone());
            self.changes.push(Change { path, kind, edited, text, copy_of });
        } else if !ours {
            return Ok(());
        }
        self.list.files.insert(file.path.clone(), wanted);
        self.list.copies.extend(file.copy_of.clone().map(|original| (file.path.clone(), original)));
        Ok(())
    }

    /// True if the entry at a file's place has its text, directly or through a link.
    fn holds(&self, file: &OutputFile) -> bool {
        read_there(&self.directory.join(&file.path)).is_some_and(|text| text == file.text)
    }

    /// The kind of the entry at `path`. An entry behind a link counts as missing.
    fn kind(&self, path: &str) -> FileKind {
        match self.root.as_ref().map(|root| root.above(path)) {
            Some(Ok(Above::There(folder, name))) => folder.kind(name).unwrap_or(FileKind::Missing),
            _ => FileKind::Missing,
        }
    }

    /// Plans to remove a file of an earlier build that is no longer part of the project.
    fn remove(&mut self, path: String, written: &String) -> Result<(), Diagnostic> {
        let there = self.there(&path).map_err(|error| self.unwritable(&error))?;
        // A folder or a device in its place was never aiec's.
        let file = matches!(self.kind(&path), FileKind::File | FileKind::Link);
        if let (There::Something(present), true) = (there, file) {
            let (edited, copy_of) = (present != *written, self.old.copies.get(&path).cloned());
            self.changes.push(Change { path, kind: Kind::Removed, edited, text: None, copy_of });
        }
        Ok(())
    }
}

/// Text in every file that aiec generated, and in no copy.
const STAMP: &str = "Generated by aiec ";
