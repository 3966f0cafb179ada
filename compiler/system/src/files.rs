//! Reads files, and manages aiec's own folders. The command line (`disk`) writes the user's files.
#![allow(clippy::disallowed_methods, reason = "this module reads and writes files")]

use std::fs::{self, File};
use std::io::{self, Read};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Component, Path, PathBuf};

use aiec_diag::{Diagnostic, Span};
use sha2::{Digest, Sha256};

use crate::errors;
use crate::passing::scratch::Scratch;

/// Limit on the size of a design, in bytes. Its tree takes up to a hundred times as much memory.
pub const MAX_DESIGN: u64 = 4 << 20;
/// Limit on the size of a device, placement or C++ file, in bytes.
pub const MAX_TEXT: u64 = 8 << 20;
/// Limit on the size of a file that AMD's tools wrote, in bytes. Routes of 237 kernels take about 8
/// MiB.
pub const MAX_VENDOR: u64 = 32 << 20;
/// Limit on the size of the file of a constant table, in bytes.
pub const MAX_TABLE: u64 = 2 << 20;
/// Limit on the size of a data file, in bytes.
pub const MAX_DATA: u64 = 256 << 20;

/// Reads a text of at most `limit` bytes. `named_at` is the source location that names the file, if
/// any.
pub fn read_text(path: &Path, limit: u64, named_at: Option<Span>) -> Result<String, Diagnostic> {
    let bytes = read(path, limit, named_at)?;
    let shown = || path.display().to_string();
    String::from_utf8(bytes).map_err(|error| errors::not_utf8(&shown(), error.utf8_error().valid_up_to()))
}

/// The argument that stands for standard input.
pub const STDIN: &str = "-";
/// The name of standard input in messages.
pub const STDIN_NAME: &str = "<stdin>";

/// What the user called the file at `path`: standard input has no name of its own.
pub fn shown(path: &Path) -> String {
    if path == Path::new(STDIN) { "standard input".to_owned() } else { path.display().to_string() }
}

/// Reads the text of standard input, at most `limit` bytes.
pub fn read_stdin(limit: u64) -> Result<String, Diagnostic> {
    String::from_utf8(stdin_bytes(limit)?)
        .map_err(|error| errors::not_utf8(STDIN_NAME, error.utf8_error().valid_up_to()))
}

/// The bytes of standard input, at most `limit`.
fn stdin_bytes(limit: u64) -> Result<Vec<u8>, Diagnostic> {
    let unreadable = |reason: io::Error| errors::unreadable(STDIN_NAME, &reason.to_string(), None);
    let mut bytes = Vec::new();
    io::stdin().lock().take(limit + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() as u64 > limit {
        return Err(errors::too_large(STDIN_NAME, bytes.len() as u64, limit));
    }
    Ok(bytes)
}

/// The paths in their order, each once: standard input can be read only once.
pub fn each(paths: &[PathBuf]) -> impl Iterator<Item = &Path> {
    let is_first = |at: usize| !paths[..at].contains(&paths[at]);
    (0..paths.len()).filter(move |&at| is_first(at)).map(|at| paths[at].as_path())
}

/// Reads a text of at most `limit` bytes, such as a log. Bytes that are no UTF-8 become U+FFFD.
pub fn read_lossy(path: &Path, limit: u64) -> Result<String, Diagnostic> {
    Ok(String::from_utf8_lossy(&read(path, limit, None)?).into_owned())
}

/// Reads such a text from standard input.
pub fn read_stdin_lossy(limit: u64) -> Result<String, Diagnostic> {
    Ok(String::from_utf8_lossy(&stdin_bytes(limit)?).into_owned())
}

/// Reads a C++ source of at most `limit` bytes. Compilers take any bytes in comments and strings,
/// so a byte that is no UTF-8 becomes `?`, which keeps all offsets. `named_at` is the source
/// location that names the file, if any.
pub fn read_source(path: &Path, limit: u64, named_at: Option<Span>) -> Result<String, Diagnostic> {
    let bytes = read(path, limit, named_at)?;
    let chunks = bytes.utf8_chunks().map(|chunk| (chunk.valid(), "?".repeat(chunk.invalid().len())));
    Ok(chunks.flat_map(|(valid, others)| [valid.to_owned(), others]).collect())
}

/// The bytes of a file of at most `limit` bytes.
fn read(path: &Path, limit: u64, named_at: Option<Span>) -> Result<Vec<u8>, Diagnostic> {
    let shown = path.display().to_string();
    read_bytes(path, limit).map_err(|error| match error {
        ReadError::Io(reason) => errors::unreadable(&shown, &reason.to_string(), named_at),
        ReadError::TooLarge(bytes) => errors::too_large(&shown, bytes, limit),
    })
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
    // A file handed over open may have no length: read one byte more than allowed to tell.
    let mut bytes = Vec::new();
    file.take(limit + 1).read_to_end(&mut bytes).map_err(ReadError::Io)?;
    if bytes.len() as u64 > limit { Err(ReadError::TooLarge(bytes.len() as u64)) } else { Ok(bytes) }
}

/// Opens a file for reading. Pipes, devices and sockets are refused: they may never end, or never
/// begin. Those that the caller of aiec opened for it (`/dev/stdin`, `<(command)` of a shell) are
/// read like files.
fn open(path: &Path) -> io::Result<File> {
    let is_open =
        path == Path::new("/dev/stdin") || path.starts_with("/dev/fd") || path.starts_with("/proc/self/fd");
    let mut options = File::options();
    options.read(true);
    if !is_open {
        // Without this flag, opening a pipe waits for a writer.
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

/// Writes `files` below `directory`, the scratch directory of a simulation.
pub fn write_all<'a>(
    directory: &Path,
    files: impl IntoIterator<Item = (&'a str, &'a str)>,
) -> Result<(), Diagnostic> {
    for (path, text) in files {
        let path = directory.join(path);
        let written = fs::create_dir_all(folder_of(&path)).and_then(|()| fs::write(&path, text));
        written.map_err(|error| {
            errors::output_unwritable(&directory.display().to_string(), &error.to_string())
        })?;
    }
    Ok(())
}

/// The kind of a directory entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// No entry.
    Missing,
    /// A folder, or a link to one.
    Folder,
    /// A file, or another kind of entry.
    Other,
}

/// The kind of the entry at `path`. Follows links.
pub fn kind(path: &Path) -> io::Result<Kind> {
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() => Ok(Kind::Folder),
        Ok(_) => Ok(Kind::Other),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Kind::Missing),
        Err(error) => Err(error),
    }
}

/// The names in a folder, sorted. Returns None when there is no such folder.
pub fn entries(directory: &Path) -> io::Result<Vec<String>> {
    if kind(directory)? == Kind::Missing {
        return Ok(Vec::new());
    }
    let names = fs::read_dir(directory)?.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()));
    let mut names: Vec<String> = names.collect::<io::Result<_>>()?;
    names.sort();
    Ok(names)
}

/// The text of a file. Returns None when there is no such file or it is not text.
pub fn read_there(path: &Path) -> Option<String> {
    String::from_utf8(bytes_there(path)?).ok()
}

/// The content of a file. Returns None when it is anything but a file, without waiting for it.
pub fn bytes_there(path: &Path) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    open(path).ok()?.read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

/// The canonical path of an existing file, with links resolved.
pub fn real_path(path: &Path) -> Option<PathBuf> {
    fs::canonicalize(path).ok()
}

/// The directory of a simulation.
pub enum Folder {
    /// A folder that the user wants to keep.
    Kept(PathBuf),
    /// A new folder, removed when dropped.
    Passing(Scratch),
}

impl Folder {
    /// Makes `keep`, which must be new or empty, or else a new temporary folder.
    pub fn new(keep: Option<&Path>) -> Result<Self, Diagnostic> {
        match keep {
            Some(directory) => claim_empty(directory).map(|()| Self::Kept(directory.to_path_buf())),
            None => scratch().map(Self::Passing),
        }
    }

    /// The path of the folder.
    pub fn path(&self) -> &Path {
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
pub fn is_inside(path: &str) -> bool {
    !path.is_empty() && Path::new(path).components().all(|part| matches!(part, Component::Normal(_)))
}

/// The folder of a file. For a bare file name it is the working folder.
pub fn folder_of(file: &Path) -> &Path {
    file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// SHA-256 in hexadecimal digits.
pub fn hash(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// Bytes as hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
