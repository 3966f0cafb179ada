//! Reading and writing files: the only file IO of aiec but the processes of a simulation. [`put`] is the one way to write a text.
#![allow(clippy::disallowed_methods, reason = "this module is where file IO belongs")]

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Component, Path, PathBuf};

use aiec_diag::{Diagnostic, Span};
use sha2::{Digest, Sha256};

use crate::errors;
use crate::passing::scratch::Scratch;

/// Largest design that is read, in bytes. Its tree takes up to a hundred times as much memory.
pub(crate) const MAX_DESIGN: u64 = 4 << 20;
/// Largest device, placement or C++ file that is read, in bytes.
pub(crate) const MAX_TEXT: u64 = 8 << 20;
/// Largest data file that is read, in bytes.
pub(crate) const MAX_DATA: u64 = 256 << 20;

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
    let file = open(path).map_err(ReadError::Io)?;
    let metadata = file.metadata().map_err(ReadError::Io)?;
    if metadata.len() > limit {
        return Err(ReadError::TooLarge(metadata.len()));
    }
    // What is handed over open may have no length: read one byte more than allowed to tell.
    let mut bytes = Vec::new();
    file.take(limit + 1).read_to_end(&mut bytes).map_err(ReadError::Io)?;
    if bytes.len() as u64 > limit { Err(ReadError::TooLarge(bytes.len() as u64)) } else { Ok(bytes) }
}

/// Opens a file for reading. Pipes, devices and sockets are none: they may never end, or never begin. Those that who started aiec has opened
/// for it (`/dev/stdin`, `<(command)` of a shell) are read like files.
fn open(path: &Path) -> io::Result<File> {
    let is_open =
        path == Path::new("/dev/stdin") || path.starts_with("/dev/fd") || path.starts_with("/proc/self/fd");
    let mut options = File::options();
    options.read(true);
    if !is_open {
        // A pipe opens although nobody writes to it.
        options.custom_flags(i32::try_from(rustix::fs::OFlags::NONBLOCK.bits()).unwrap_or(0));
    }
    let file = options.open(path)?;
    let kind = file.metadata()?.file_type();
    if kind.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a directory"));
    }
    if !kind.is_file() && !is_open {
        return Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "it is a pipe, a device or a socket, and no file",
        ));
    }
    Ok(file)
}

/// Writes `files` below `directory`, which is ours: a scratch directory of a simulation.
pub(crate) fn write_all<'a>(
    directory: &Path,
    files: impl IntoIterator<Item = (&'a str, &'a str)>,
) -> Result<(), Diagnostic> {
    for (path, text) in files {
        put(&directory.join(path), text.as_bytes()).map_err(|error| {
            errors::output_unwritable(&directory.display().to_string(), &error.to_string())
        })?;
    }
    Ok(())
}

/// Writes one file and the folders above it, new or in place of what is there, through a file beside it: it is never half written. A link
/// stays one; what is no file, such as a pipe, is written to as it is.
pub(crate) fn put(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let (target, permissions) = match fs::metadata(path) {
        Ok(metadata) if metadata.is_file() => (fs::canonicalize(path)?, Some(metadata.permissions())),
        Ok(_) => return fs::write(path, bytes),
        // A link to what is not there yet.
        Err(_) if fs::symlink_metadata(path).is_ok() => return fs::write(path, bytes),
        Err(error) if error.kind() == io::ErrorKind::NotFound => (path.to_path_buf(), None),
        Err(error) => return Err(error),
    };
    let folder = folder_of(&target);
    fs::create_dir_all(folder)?;
    let mut staged = tempfile::Builder::new();
    staged.prefix(".aiec-");
    // A temporary file is closed to others, which a result is not.
    #[cfg(unix)]
    staged.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut staged = staged.tempfile_in(folder)?;
    staged.write_all(bytes)?;
    if let Some(permissions) = permissions {
        fs::set_permissions(staged.path(), permissions)?;
    }
    staged.persist(&target).map(drop).map_err(|error| error.error)
}

/// Replaces the text of one file that is there.
pub(crate) fn replace(path: &Path, text: &str) -> Result<(), Diagnostic> {
    put(path, text.as_bytes())
        .map_err(|error| errors::output_unwritable(&path.display().to_string(), &error.to_string()))
}

/// Writes one file, new or in place of what is there, into a folder that is there: a mistyped path makes none.
pub(crate) fn create(path: &Path, text: &str) -> Result<(), Diagnostic> {
    let written = fs::metadata(folder_of(path)).and_then(|_| put(path, text.as_bytes()));
    written.map_err(|error| errors::output_unwritable(&path.display().to_string(), &error.to_string()))
}

/// Moves a file or folder, and makes the folders above its new place.
pub(crate) fn move_to(from: &Path, to: &Path) -> io::Result<()> {
    if let Some(above) = to.parent() {
        fs::create_dir_all(above)?;
    }
    fs::rename(from, to)
}

/// Removes a file, if it is there and can be.
pub(crate) fn remove(path: &Path) {
    let _ = fs::remove_file(path);
}

/// Removes the folders above `path`, which lies below `directory`, as far as nothing is in them.
pub(crate) fn remove_empty_above(path: &str, directory: &Path) {
    let above = Path::new(path).ancestors().skip(1).filter(|folder| !folder.as_os_str().is_empty());
    let _ = above.map(|folder| fs::remove_dir(directory.join(folder))).take_while(Result::is_ok).count();
}

/// What lies at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Nothing.
    Missing,
    /// A folder.
    Folder,
    /// A file, or something else.
    Other,
}

/// What lies at `path`, through links.
pub(crate) fn kind(path: &Path) -> io::Result<Kind> {
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() => Ok(Kind::Folder),
        Ok(_) => Ok(Kind::Other),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Kind::Missing),
        Err(error) => Err(error),
    }
}

/// The names in a folder, sorted; none if there is no such folder.
pub(crate) fn entries(directory: &Path) -> io::Result<Vec<String>> {
    if kind(directory)? == Kind::Missing {
        return Ok(Vec::new());
    }
    let names = fs::read_dir(directory)?.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()));
    let mut names: Vec<String> = names.collect::<io::Result<_>>()?;
    names.sort();
    Ok(names)
}

/// The text of a file, if there is one and it is text.
pub(crate) fn read_there(path: &Path) -> Option<String> {
    fs::read_to_string(path).ok()
}

/// The one name of a file that is there, whatever links lead to it.
pub(crate) fn real_path(path: &Path) -> Option<PathBuf> {
    fs::canonicalize(path).ok()
}

/// The directory of a simulation.
pub(crate) enum Folder {
    /// One that the user wants to keep.
    Kept(PathBuf),
    /// A fresh one, removed when dropped.
    Passing(Scratch),
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

fn scratch() -> Result<Scratch, Diagnostic> {
    Scratch::new(&std::env::temp_dir(), "aiec-sim-")
        .map_err(|error| errors::output_unwritable("the temporary directory", &error.to_string()))
}

/// Creates `directory`, which must be new or empty.
fn claim_empty(directory: &Path) -> Result<(), Diagnostic> {
    let shown = directory.display().to_string();
    let unwritable = |error: io::Error| errors::output_unwritable(&shown, &error.to_string());
    fs::create_dir_all(directory).map_err(unwritable)?;
    let entries = entries(directory).map_err(unwritable)?;
    if entries.is_empty() { Ok(()) } else { Err(errors::folder_occupied(&shown, &entries)) }
}

/// True for a relative path that does not leave the directory it is joined to.
pub(crate) fn is_inside(path: &str) -> bool {
    !path.is_empty() && Path::new(path).components().all(|part| matches!(part, Component::Normal(_)))
}

/// The folder that a file lies in; of a file named without one, the working folder.
pub(crate) fn folder_of(file: &Path) -> &Path {
    file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// The nearest folder above `directory` that is there.
pub(crate) fn existing_ancestor(directory: &Path) -> PathBuf {
    let above = directory.ancestors().skip(1).find(|path| path.is_dir());
    above.filter(|path| !path.as_os_str().is_empty()).unwrap_or(Path::new(".")).to_path_buf()
}

/// The hash of a file; none if there is none.
pub(crate) fn read_hash(path: &Path) -> io::Result<Option<String>> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(hash(&bytes))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        // Something is there that no file of ours can be.
        Err(error) if error.kind() == io::ErrorKind::IsADirectory => Ok(Some("a directory".into())),
        Err(error) => Err(error),
    }
}

/// SHA-256 in hexadecimal digits.
pub(crate) fn hash(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// Bytes as hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};

    use super::*;

    #[test]
    fn a_text_is_put_in_the_place_of_what_is_there() {
        let folder = tempfile::tempdir().expect("a temporary directory");
        let (file, link) = (folder.path().join("a/b.txt"), folder.path().join("link"));
        put(&file, b"one").expect("folders are made");
        let mode = |path: &Path| fs::metadata(path).expect("there").permissions().mode() & 0o777;
        fs::write(folder.path().join("plain"), "").expect("writable");
        assert_eq!(mode(&file), mode(&folder.path().join("plain")), "open to whom other files are");
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).expect("own file");
        symlink(&file, &link).expect("writable");
        put(&link, b"two").expect("writable");
        assert_eq!((read_there(&file).as_deref(), mode(&file)), (Some("two"), 0o640));
        assert!(fs::symlink_metadata(&link).expect("there").is_symlink());
        assert_eq!(entries(&folder.path().join("a")).expect("there"), ["b.txt"], "nothing else is left");
    }

    #[test]
    fn what_is_no_file_is_written_to_and_stays() {
        put(Path::new("/dev/null"), b"gone").expect("a device");
        assert!(fs::metadata("/dev/null").expect("there").file_type().is_char_device());
        let folder = tempfile::tempdir().expect("a temporary directory");
        let (file, link) = (folder.path().join("later"), folder.path().join("link"));
        symlink(&file, &link).expect("writable");
        put(&link, b"now").expect("writable");
        assert_eq!(read_there(&file).as_deref(), Some("now"));
    }
}
