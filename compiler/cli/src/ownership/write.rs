//! Writing a project: everything that changed, or nothing.

use std::io;
use std::path::{Path, PathBuf};

use aiec_diag::Diagnostic;

use super::manifest::MANIFEST;
use super::plan::{Kind, Plan};
use crate::errors;
use crate::files;

impl Plan<'_> {
    /// Does what was planned. New texts are first written beside the files that they replace and then moved there, so that a failure
    /// leaves the folder as it was. Files with equal content are not touched.
    pub(crate) fn write(&self) -> Result<(), Diagnostic> {
        if self.is_current() {
            return Ok(());
        }
        self.try_write().map_err(|error| {
            errors::output_unwritable(&self.directory.display().to_string(), &error.to_string())
        })
    }

    fn try_write(&self) -> io::Result<()> {
        let exists = files::kind(self.directory)? == files::Kind::Folder;
        // Beside the project or, if it exists, inside it: the folder above may be on another disk or closed to us.
        let beside =
            if exists { self.directory.to_path_buf() } else { files::existing_ancestor(self.directory) };
        let staging = tempfile::Builder::new().prefix(".aiec-").tempdir_in(beside)?;
        let staged = staging.path().join("project");
        let texts = || self.changes.iter().filter_map(|change| Some((change.path.as_str(), change.text?)));
        let texts = || texts().chain(self.changes_list().then_some((MANIFEST, self.manifest.as_str())));
        for (path, text) in texts() {
            files::put(&staged.join(path), text.as_bytes())?;
        }
        if !exists {
            return files::move_to(&staged, self.directory);
        }
        let mut swap =
            Swap { staged, backup: staging.path().join("backup"), target: self.directory, done: Vec::new() };
        let moved = texts()
            .try_for_each(|(path, _)| swap.put(path))
            .and_then(|()| self.paths(Kind::Removed).into_iter().try_for_each(|path| swap.take_away(path)));
        moved.inspect_err(|_| swap.undo())?;
        self.paths(Kind::Removed)
            .into_iter()
            .for_each(|path| files::remove_empty_above(path, self.directory));
        Ok(())
    }
}

/// Files moved into a folder one by one, which can be moved back.
struct Swap<'a> {
    staged: PathBuf,
    /// Where files go that were there before.
    backup: PathBuf,
    target: &'a Path,
    done: Vec<String>,
}

impl Swap<'_> {
    /// Replaces `path` by the staged file.
    fn put(&mut self, path: &str) -> io::Result<()> {
        let target = self.target.join(path);
        if files::kind(&target)? == files::Kind::Folder {
            let reason = format!("`{path}` is a directory, and the project has a file of this name");
            return Err(io::Error::new(io::ErrorKind::IsADirectory, reason));
        }
        self.take_away(path)?;
        files::move_to(&self.staged.join(path), &target)
    }

    /// Moves `path`, if it exists, to the backup.
    fn take_away(&mut self, path: &str) -> io::Result<()> {
        match files::move_to(&self.target.join(path), &self.backup.join(path)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        self.done.push(path.to_owned());
        Ok(())
    }

    /// Puts everything back as it was, as far as the operating system lets us.
    fn undo(&self) {
        for path in self.done.iter().rev() {
            let target = self.target.join(path);
            files::remove(&target);
            let _ = files::move_to(&self.backup.join(path), &target);
        }
    }
}
