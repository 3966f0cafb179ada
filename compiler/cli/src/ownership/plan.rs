//! What a build would do to a folder.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

use aiec_codegen::OutputFile;
use aiec_diag::Diagnostic;

use super::manifest::{Found, MANIFEST, Manifest};
use crate::errors;
use crate::files::{self, Kind as FileKind, hash, is_inside, read_hash};

/// What happens to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// It is not there yet.
    New,
    /// It is there with another content.
    Changed,
    /// It is no longer part of the project.
    Removed,
}

/// A file that would not stay as it is.
#[derive(Debug)]
pub(crate) struct Change<'a> {
    /// Its path in the folder.
    pub(crate) path: String,
    /// What happens to it.
    pub(crate) kind: Kind,
    /// True if aiec did not write what is there.
    pub(crate) edited: bool,
    /// What would be written.
    pub(super) text: Option<&'a str>,
    /// The file of the user's that it is a copy of.
    pub(crate) copy_of: Option<String>,
}

/// What writing a project would do to its folder.
#[derive(Debug)]
pub(crate) struct Plan<'a> {
    /// The folder.
    pub(crate) directory: &'a Path,
    /// How many files the project has.
    pub(crate) files: usize,
    /// What would not stay as it is, by path; what is removed comes last.
    pub(crate) changes: Vec<Change<'a>>,
    /// What lies in a folder without a list.
    unowned: Vec<String>,
    /// Why the list of the folder cannot be read, if so.
    unreadable: Option<String>,
    /// The command that made the folder, if it was of another design or set other constants.
    other: Option<String>,
    /// The list that would be written.
    pub(super) manifest: String,
    /// The list that is there.
    pub(super) manifest_there: String,
}

/// Compares `project` with what `directory` holds. `list` says of what the project is made, `originals` are the files it was made from,
/// which are never written or removed, nor listed if they lie in the folder.
pub(crate) fn plan<'a>(
    directory: &'a Path,
    project: &'a [OutputFile],
    list: Manifest,
    originals: &[PathBuf],
) -> Result<Plan<'a>, Diagnostic> {
    let unwritable = |reason: &str| errors::output_unwritable(&directory.display().to_string(), reason);
    if let Some(bad) = project.iter().find(|file| !is_inside(&file.path)) {
        return Err(unwritable(&format!("`{}` would lie outside of it", bad.path)));
    }
    match files::kind(directory).map_err(|error| unwritable(&error.to_string()))? {
        FileKind::Missing | FileKind::Folder => {}
        FileKind::Other => return Err(unwritable("it exists and is not a directory")),
    }
    let (old, unreadable) = match Manifest::read(directory) {
        Found::Nothing => (None, None),
        Found::Unreadable(reason) => (None, Some(reason)),
        Found::List(list) => (Some(*list), None),
    };
    let originals: BTreeSet<PathBuf> = originals.iter().filter_map(|path| files::real_path(path)).collect();
    let io = |error: io::Error| unwritable(&error.to_string());
    let unowned = if old.is_none() { files::entries(directory).map_err(io)? } else { Vec::new() };
    let other = old.as_ref().filter(|old| !old.is_of_same_design(&list)).map(|old| old.command.clone());
    let compared = Compared { directory, originals, old: old.unwrap_or_default(), list, changes: Vec::new() };
    let Compared { list, changes, .. } = compared.with(project)?;
    let manifest_there = files::read_there(&directory.join(MANIFEST)).unwrap_or_default();
    let manifest = list.text();
    Ok(Plan {
        directory,
        files: project.len(),
        changes,
        unowned,
        unreadable,
        other,
        manifest,
        manifest_there,
    })
}

impl Plan<'_> {
    /// True if the folder holds exactly the project, so that nothing would be written.
    pub(crate) fn is_current(&self) -> bool {
        self.changes.is_empty() && !self.changes_list()
    }

    /// True if the list of the folder would change.
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

    /// What `build --check` says of a folder that is not current.
    pub(crate) fn staleness(&self) -> Diagnostic {
        let files: Vec<&str> = self.changes.iter().map(|change| change.path.as_str()).collect();
        let list = if files.is_empty() { &[MANIFEST][..] } else { &files };
        errors::output_stale(&self.directory.display().to_string(), list, self.other.as_deref())
    }

    /// Everything that speaks against writing; `command` is the present one. Originals lie below `sources`.
    pub(crate) fn refusals(&self, command: &str, sources: &Path) -> Vec<Diagnostic> {
        let shown = self.directory.display().to_string();
        let other = self.other.as_deref().map(|earlier| errors::output_of_another(&shown, earlier, command));
        let unowned = (!self.unowned.is_empty())
            .then(|| errors::output_unowned(&shown, &self.unowned, self.unreadable.as_deref()));
        // Without a list, everything is somebody's.
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

/// A comparison under way.
struct Compared<'a> {
    directory: &'a Path,
    originals: BTreeSet<PathBuf>,
    old: Manifest,
    list: Manifest,
    changes: Vec<Change<'a>>,
}

impl<'a> Compared<'a> {
    fn with(mut self, project: &'a [OutputFile]) -> Result<Self, Diagnostic> {
        project.iter().try_for_each(|file| self.add(file))?;
        let paths: BTreeSet<&str> = project.iter().map(|file| file.path.as_str()).collect();
        let stale = self.old.files.clone().into_iter().filter(|(path, _)| !paths.contains(path.as_str()));
        stale
            .filter(|(path, _)| is_inside(path))
            .try_for_each(|(path, written)| self.remove(path, &written))?;
        Ok(self)
    }

    /// The hash of what is there, and whether it is an original.
    fn there(&self, path: &str) -> Result<(Option<String>, bool), Diagnostic> {
        let target = self.directory.join(path);
        let present = read_hash(&target).map_err(|error| {
            errors::output_unwritable(&self.directory.display().to_string(), &error.to_string())
        })?;
        let original = files::real_path(&target).is_some_and(|path| self.originals.contains(&path));
        Ok((present, original))
    }

    fn add(&mut self, file: &'a OutputFile) -> Result<(), Diagnostic> {
        let (wanted, (present, original)) = (hash(file.text.as_bytes()), self.there(&file.path)?);
        let same = present.as_ref() == Some(&wanted);
        if original {
            // A copy that would lie where the original is.
            let target = self.directory.join(&file.path).display().to_string();
            return if same { Ok(()) } else { Err(errors::output_is_source(&target)) };
        }
        if !same {
            let edited = present.is_some() && present.as_ref() != self.old.files.get(&file.path);
            let kind = if present.is_some() { Kind::Changed } else { Kind::New };
            let (path, text, copy_of) = (file.path.clone(), Some(file.text.as_str()), file.copy_of.clone());
            self.changes.push(Change { path, kind, edited, text, copy_of });
        }
        self.list.files.insert(file.path.clone(), wanted);
        self.list.copies.extend(file.copy_of.clone().map(|original| (file.path.clone(), original)));
        Ok(())
    }

    /// A file of an earlier build that is no longer part of the project.
    fn remove(&mut self, path: String, written: &String) -> Result<(), Diagnostic> {
        if let (Some(present), false) = self.there(&path)? {
            let (edited, copy_of) = (present != *written, self.old.copies.get(&path).cloned());
            self.changes.push(Change { path, kind: Kind::Removed, edited, text: None, copy_of });
        }
        Ok(())
    }
}
