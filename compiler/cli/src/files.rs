//! Reading texts and writing projects: the only file IO of aiec.
#![allow(clippy::disallowed_methods, reason = "this module is where file IO belongs")]

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

use aiec_codegen::OutputFile;
use aiec_diag::{Diagnostic, Span};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::errors;

/// Largest design that is read, in bytes. Its tree takes up to a hundred times as much memory.
pub(crate) const MAX_DESIGN: u64 = 4 << 20;
/// Largest device, placement or C++ file that is read, in bytes.
pub(crate) const MAX_TEXT: u64 = 8 << 20;
/// Largest data file that is read, in bytes.
pub(crate) const MAX_DATA: u64 = 256 << 20;
/// Name of the list of written files in an output directory.
pub(crate) const MANIFEST: &str = ".aiec-manifest.json";

/// Reads a text of at most `limit` bytes. `named_at` is the place in the design that names the file, if any.
pub(crate) fn read_text(path: &Path, limit: u64, named_at: Option<Span>) -> Result<String, Diagnostic> {
    let shown = path.display().to_string();
    let bytes = read_bytes(path, limit).map_err(|error| match error {
        ReadError::Io(reason) => errors::unreadable(&shown, &reason.to_string(), named_at),
        ReadError::TooLarge(bytes) => errors::too_large(&shown, bytes, limit),
    })?;
    String::from_utf8(bytes).map_err(|error| errors::not_utf8(&shown, error.utf8_error().valid_up_to()))
}

enum ReadError {
    Io(io::Error),
    TooLarge(u64),
}

fn read_bytes(path: &Path, limit: u64) -> Result<Vec<u8>, ReadError> {
    let file = File::open(path).map_err(ReadError::Io)?;
    let metadata = file.metadata().map_err(ReadError::Io)?;
    if metadata.is_dir() {
        return Err(ReadError::Io(io::Error::new(io::ErrorKind::IsADirectory, "it is a directory")));
    }
    if metadata.len() > limit {
        return Err(ReadError::TooLarge(metadata.len()));
    }
    // A device or pipe has no length: read one byte more than allowed to tell.
    let mut bytes = Vec::new();
    file.take(limit + 1).read_to_end(&mut bytes).map_err(ReadError::Io)?;
    if bytes.len() as u64 > limit { Err(ReadError::TooLarge(bytes.len() as u64)) } else { Ok(bytes) }
}

/// The files aiec wrote to a directory: path and SHA-256 of the content.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Manifest {
    /// Says what the file is for whoever finds it.
    about: String,
    /// Content hash by path.
    files: BTreeMap<String, String>,
}

/// What writing a project would do to its directory.
#[derive(Debug)]
pub(crate) struct Plan<'a> {
    directory: &'a Path,
    files: &'a [OutputFile],
    manifest: Manifest,
    /// Files that exist and are not as aiec wrote them.
    pub(crate) foreign: Vec<String>,
    /// Files that would be created, changed or removed.
    pub(crate) changes: Vec<String>,
    /// Files of an earlier run that are no longer part of the project.
    stale: Vec<String>,
}

/// Compares `files` with what `directory` holds.
pub(crate) fn plan<'a>(directory: &'a Path, files: &'a [OutputFile]) -> Result<Plan<'a>, Diagnostic> {
    let unwritable = |reason: &str| errors::output_unwritable(&directory.display().to_string(), reason);
    let written: BTreeMap<String, String> =
        files.iter().map(|f| (f.path.clone(), hash(f.text.as_bytes()))).collect();
    if let Some(bad) = files.iter().find(|file| !is_inside(&file.path)) {
        return Err(unwritable(&format!("`{}` would lie outside of it", bad.path)));
    }
    let mut plan = Plan {
        directory,
        files,
        manifest: Manifest { about: "Files written by aiec; do not edit.".into(), files: written },
        foreign: Vec::new(),
        changes: Vec::new(),
        stale: Vec::new(),
    };
    match fs::metadata(directory) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            plan.changes = files.iter().map(|file| file.path.clone()).collect();
            return Ok(plan);
        }
        Err(error) => return Err(unwritable(&error.to_string())),
        Ok(metadata) if !metadata.is_dir() => return Err(unwritable("it exists and is not a directory")),
        Ok(_) => {}
    }
    plan.compare_with(&read_manifest(directory)).map_err(|error| unwritable(&error.to_string()))?;
    Ok(plan)
}

impl Plan<'_> {
    fn compare_with(&mut self, old: &Option<Manifest>) -> io::Result<()> {
        let Some(old) = old else {
            // No manifest: whatever is here is not ours.
            for entry in fs::read_dir(self.directory)? {
                self.foreign.push(entry?.file_name().to_string_lossy().into_owned());
            }
            self.foreign.sort();
            self.changes = self.files.iter().map(|file| file.path.clone()).collect();
            return Ok(());
        };
        for file in self.files {
            let present = read_hash(&self.directory.join(&file.path))?;
            let wanted = self.manifest.files.get(&file.path);
            if present.as_ref() != wanted {
                self.changes.push(file.path.clone());
                if present.is_some() && present.as_ref() != old.files.get(&file.path) {
                    self.foreign.push(file.path.clone());
                }
            }
        }
        for (path, written) in old.files.iter().filter(|(path, _)| is_inside(path)) {
            let gone = !self.manifest.files.contains_key(path);
            if gone && read_hash(&self.directory.join(path))?.as_ref() == Some(written) {
                self.stale.push(path.clone());
                self.changes.push(path.clone());
            }
        }
        Ok(())
    }

    /// Writes the project: everything is first written beside the directory and then moved, so that a failure leaves the
    /// directory as it was.
    pub(crate) fn write(&self) -> Result<(), Diagnostic> {
        self.try_write().map_err(|error| {
            errors::output_unwritable(&self.directory.display().to_string(), &error.to_string())
        })
    }

    fn try_write(&self) -> io::Result<()> {
        let exists = self.directory.is_dir();
        // Beside the project or, if it exists, inside it: the directory above may be on another disk or closed to us.
        let beside = if exists { self.directory.to_path_buf() } else { existing_ancestor(self.directory) };
        let staging = tempfile::Builder::new().prefix(".aiec-").tempdir_in(beside)?;
        let staged = staging.path().join("project");
        for file in self.files {
            write_file(&staged.join(&file.path), file.text.as_bytes())?;
        }
        let manifest = serde_json::to_string_pretty(&self.manifest).map_err(io::Error::other)?;
        write_file(&staged.join(MANIFEST), format!("{manifest}\n").as_bytes())?;
        if !exists {
            if let Some(above) = self.directory.parent() {
                fs::create_dir_all(above)?;
            }
            return fs::rename(&staged, self.directory);
        }
        let mut swap =
            Swap { staged, backup: staging.path().join("backup"), target: self.directory, done: Vec::new() };
        let moved = self
            .files
            .iter()
            .map(|file| file.path.as_str())
            .chain([MANIFEST])
            .try_for_each(|path| swap.put(path));
        let moved = moved.and_then(|()| self.stale.iter().try_for_each(|path| swap.take_away(path)));
        moved.inspect_err(|_| swap.undo())
    }
}

/// Files moved into a directory one by one, which can be moved back.
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
        if let Some(above) = target.parent() {
            fs::create_dir_all(above)?;
        }
        if target.is_dir() {
            let reason = format!("`{path}` is a directory, and the project has a file of this name");
            return Err(io::Error::new(io::ErrorKind::IsADirectory, reason));
        }
        self.take_away(path)?;
        fs::rename(self.staged.join(path), target)
    }

    /// Moves `path`, if it exists, to the backup.
    fn take_away(&mut self, path: &str) -> io::Result<()> {
        let kept = self.backup.join(path);
        if let Some(above) = kept.parent() {
            fs::create_dir_all(above)?;
        }
        match fs::rename(self.target.join(path), kept) {
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
            let _ = fs::remove_file(&target);
            let _ = fs::rename(self.backup.join(path), target);
        }
    }
}

/// Writes `files` below `directory`, which is ours: a scratch directory of a simulation.
pub(crate) fn write_all<'a>(
    directory: &Path,
    files: impl IntoIterator<Item = (&'a str, &'a str)>,
) -> Result<(), Diagnostic> {
    for (path, text) in files {
        write_file(&directory.join(path), text.as_bytes()).map_err(|error| {
            errors::output_unwritable(&directory.display().to_string(), &error.to_string())
        })?;
    }
    Ok(())
}

/// Makes the folder `directory` with `files` in it appear at once. Where another process was faster, its folder stays:
/// the name of such a folder says what is in it.
pub(crate) fn appear<'a>(
    directory: &Path,
    files: impl IntoIterator<Item = (&'a str, &'a str)>,
) -> Result<(), Diagnostic> {
    let unwritable =
        |error: io::Error| errors::output_unwritable(&directory.display().to_string(), &error.to_string());
    let above = folder_of(directory);
    fs::create_dir_all(above).map_err(unwritable)?;
    let staged = tempfile::Builder::new().prefix("partial-").tempdir_in(above).map_err(unwritable)?;
    let ready = staged.path().join("ready");
    write_all(&ready, files)?;
    match fs::rename(&ready, directory) {
        Err(error) if !directory.exists() => Err(unwritable(error)),
        _ => Ok(()),
    }
}

fn write_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if let Some(above) = path.parent() {
        fs::create_dir_all(above)?;
    }
    fs::write(path, bytes)
}

/// Replaces the text of one file, through a file beside it, so that it is never half written.
pub(crate) fn replace(path: &Path, text: &str) -> Result<(), Diagnostic> {
    let write = || -> io::Result<()> {
        // Through links to the file itself, so that a link stays one.
        let path = &fs::canonicalize(path)?;
        let directory = folder_of(path);
        let staged = tempfile::Builder::new().prefix(".aiec-").tempfile_in(directory)?;
        fs::write(staged.path(), text)?;
        fs::set_permissions(staged.path(), fs::metadata(path)?.permissions())?;
        staged.persist(path).map(|_| ()).map_err(|error| error.error)
    };
    write().map_err(|error| errors::output_unwritable(&path.display().to_string(), &error.to_string()))
}

/// Writes one file, new or in place of what is there, into a folder that is there: a mistyped path makes none.
pub(crate) fn create(path: &Path, text: &str) -> Result<(), Diagnostic> {
    fs::write(path, text)
        .map_err(|error| errors::output_unwritable(&path.display().to_string(), &error.to_string()))
}

/// The directory of a simulation.
pub(crate) enum Folder {
    /// One that the user wants to keep.
    Kept(PathBuf),
    /// A fresh one, removed when dropped.
    Passing(tempfile::TempDir),
}

impl Folder {
    /// `keep`, which must be new or empty, or else a fresh one.
    pub(crate) fn new(keep: Option<&Path>) -> Result<Self, Diagnostic> {
        match keep {
            Some(directory) => claim_empty(directory).map(|()| Self::Kept(directory.to_path_buf())),
            None => scratch().map(Self::Passing),
        }
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        match self {
            Self::Kept(directory) => directory,
            Self::Passing(directory) => directory.path(),
        }
    }
}

fn scratch() -> Result<tempfile::TempDir, Diagnostic> {
    tempfile::Builder::new()
        .prefix("aiec-sim-")
        .tempdir()
        .map_err(|error| errors::output_unwritable("the temporary directory", &error.to_string()))
}

/// Creates `directory`, which must be new or empty.
fn claim_empty(directory: &Path) -> Result<(), Diagnostic> {
    let shown = directory.display().to_string();
    let unwritable = |error: io::Error| errors::output_unwritable(&shown, &error.to_string());
    fs::create_dir_all(directory).map_err(unwritable)?;
    let mut entries = fs::read_dir(directory).map_err(unwritable)?;
    match entries.next() {
        None => Ok(()),
        Some(entry) => {
            let name = entry.map_err(unwritable)?.file_name().to_string_lossy().into_owned();
            Err(errors::output_occupied(&shown, &[name]))
        }
    }
}

/// True for a relative path that does not leave the directory it is joined to.
pub(crate) fn is_inside(path: &str) -> bool {
    !path.is_empty() && Path::new(path).components().all(|part| matches!(part, Component::Normal(_)))
}

/// The folder that a file lies in; of a file named without one, the working folder.
pub(crate) fn folder_of(file: &Path) -> &Path {
    file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn existing_ancestor(directory: &Path) -> PathBuf {
    let above = directory.ancestors().skip(1).find(|path| path.is_dir());
    above.filter(|path| !path.as_os_str().is_empty()).unwrap_or(Path::new(".")).to_path_buf()
}

fn read_manifest(directory: &Path) -> Option<Manifest> {
    let text = read_text(&directory.join(MANIFEST), MAX_TEXT, None).ok()?;
    serde_json::from_str(&text).ok()
}

fn read_hash(path: &Path) -> io::Result<Option<String>> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(hash(&bytes))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        // Something is there that no file of ours can be.
        Err(error) if error.kind() == io::ErrorKind::IsADirectory => Ok(Some("a directory".into())),
        Err(error) => Err(error),
    }
}

fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
