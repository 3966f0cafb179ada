//! Open folders, and every call that changes their content. Names below a folder are resolved one
//! by one, and no link is followed (POSIX.1-2017, `openat` with `O_NOFOLLOW`), so that no call
//! leaves the folder.
#![allow(clippy::disallowed_methods, reason = "this module writes files")]

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::OwnedFd;
use std::path::Path;

use rustix::fs::{self, AtFlags, FileType, Mode, OFlags, Stat};
use rustix::io::Errno;
use rustix::path::Arg;

use aiec_system::files::hash;

/// The kind of a directory entry. Links are not followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// No entry.
    Missing,
    /// A regular file.
    File,
    /// A real folder, not a link to one.
    Folder,
    /// A symbolic link.
    Link,
    /// A device, pipe or socket.
    Other,
}

/// The folder above a path.
pub(crate) enum Above<'p> {
    /// The folder exists; the last part of the path is a name in it.
    There(Dir, &'p str),
    /// The folder, or one above it, does not exist.
    Missing,
    /// This part of the path is a link.
    Link(&'p str),
    /// A part of the path is no folder.
    NoFolder,
}

/// An open folder, to which paths of the calls are relative.
#[derive(Debug)]
pub(crate) struct Dir(OwnedFd);

const FOLDER: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);
const OPEN_TO_ALL: Mode = Mode::from_raw_mode(0o666);

impl Dir {
    /// Opens the folder at `path`. Follows a link to a folder.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        Ok(Self(fs::open(path, FOLDER, Mode::empty())?))
    }

    /// Opens the folder `name` in this one. Fails for a link.
    pub(crate) fn enter(&self, name: &str) -> io::Result<Self> {
        Ok(Self(fs::openat(&self.0, name, FOLDER | OFlags::NOFOLLOW, Mode::empty())?))
    }

    /// The kind of the entry `name`.
    pub(crate) fn kind(&self, name: &str) -> io::Result<Kind> {
        let Some(stat) = self.stat(name)? else { return Ok(Kind::Missing) };
        Ok(match FileType::from_raw_mode(stat.st_mode) {
            FileType::RegularFile => Kind::File,
            FileType::Directory => Kind::Folder,
            FileType::Symlink => Kind::Link,
            _ => Kind::Other,
        })
    }

    fn stat(&self, name: impl Arg) -> io::Result<Option<Stat>> {
        match fs::statat(&self.0, name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(stat) => Ok(Some(stat)),
            Err(Errno::NOENT) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// The folder above `path`, which lies below this one.
    pub(crate) fn above<'p>(&self, path: &'p str) -> io::Result<Above<'p>> {
        let mut folder = Self(self.0.try_clone()?);
        let mut from = 0;
        while let Some(length) = path[from..].find('/') {
            let (name, so_far) = (&path[from..from + length], &path[..from + length]);
            match folder.kind(name)? {
                Kind::Missing => return Ok(Above::Missing),
                Kind::Folder => folder = folder.enter(name)?,
                Kind::Link => return Ok(Above::Link(so_far)),
                Kind::File | Kind::Other => return Ok(Above::NoFolder),
            }
            from += length + 1;
        }
        Ok(Above::There(folder, &path[from..]))
    }

    /// The folder above `path` and the last part of `path`. Makes missing folders.
    pub(crate) fn make_above<'p>(&self, path: &'p str) -> io::Result<(Self, &'p str)> {
        let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
        let mut folder = Self(self.0.try_clone()?);
        for part in folders.split('/').filter(|part| !part.is_empty()) {
            folder.make(part)?;
            folder = folder.enter(part).map_err(|_| no_folder(path))?;
        }
        Ok((folder, name))
    }

    /// Makes the folder `name`, unless the name is taken.
    pub(crate) fn make(&self, name: &str) -> io::Result<()> {
        step();
        match fs::mkdirat(&self.0, name, Mode::from_raw_mode(0o777)) {
            Ok(()) | Err(Errno::EXIST) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// The content at `path` below this folder as text that tells contents apart: the hash of a
    /// file, or the kind of another entry. Returns None when the entry is missing, or behind a
    /// link.
    pub(crate) fn present(&self, path: &str) -> io::Result<Option<String>> {
        let Above::There(folder, name) = self.above(path)? else { return Ok(None) };
        Ok(match folder.kind(name)? {
            Kind::Missing => None,
            Kind::File => Some(hash(&folder.read(name)?)),
            Kind::Folder => Some("a directory".into()),
            Kind::Link => Some(format!("a link to {}", folder.target(name)?)),
            Kind::Other => Some("not a file".into()),
        })
    }

    /// The target of the link `name`.
    fn target(&self, name: &str) -> io::Result<String> {
        Ok(fs::readlinkat(&self.0, name, Vec::new())?.to_string_lossy().into_owned())
    }

    /// The content of the file `name`.
    pub(crate) fn read(&self, name: &str) -> io::Result<Vec<u8>> {
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let mut bytes = Vec::new();
        File::from(fs::openat(&self.0, name, flags, Mode::empty())?).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// The names in this folder, sorted.
    pub(crate) fn names(&self) -> io::Result<Vec<String>> {
        let mut names = Vec::new();
        for entry in fs::Dir::read_from(&self.0)? {
            let name = entry?.file_name().to_string_lossy().into_owned();
            if name != "." && name != ".." {
                names.push(name);
            }
        }
        names.sort();
        Ok(names)
    }

    /// The permissions of the file `name`. Returns None when it is not a regular file.
    pub(crate) fn mode(&self, name: impl Arg) -> io::Result<Option<Mode>> {
        let stat = self.stat(name)?.filter(|stat| FileType::from_raw_mode(stat.st_mode).is_file());
        Ok(stat.map(|stat| Mode::from_raw_mode(stat.st_mode)))
    }

    /// Opens the file `name` for writing. Makes it if it is missing.
    pub(crate) fn open_file(&self, name: &str) -> io::Result<File> {
        step();
        let flags = OFlags::RDWR | OFlags::CREATE | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        Ok(File::from(fs::openat(&self.0, name, flags, OPEN_TO_ALL)?))
    }

    /// True if `name` is the open `file`.
    pub(crate) fn is(&self, name: &str, file: &File) -> io::Result<bool> {
        let open = fs::fstat(file)?;
        Ok(self.stat(name)?.is_some_and(|stat| (stat.st_dev, stat.st_ino) == (open.st_dev, open.st_ino)))
    }

    /// True if `name` is the open folder.
    pub(crate) fn is_folder(&self, name: &str, folder: &Self) -> io::Result<bool> {
        let open = fs::fstat(&folder.0)?;
        Ok(self.stat(name)?.is_some_and(|stat| (stat.st_dev, stat.st_ino) == (open.st_dev, open.st_ino)))
    }

    /// Moves `name` to another folder, where it replaces an existing entry.
    pub(crate) fn rename(&self, name: impl Arg, to: &Self, new: impl Arg) -> io::Result<()> {
        step();
        Ok(fs::renameat(&self.0, name, &to.0, new)?)
    }

    /// Gives the file `name` a second name in another folder.
    pub(crate) fn link(&self, name: &str, to: &Self, new: &str) -> io::Result<()> {
        step();
        Ok(fs::linkat(&self.0, name, &to.0, new, AtFlags::empty())?)
    }

    /// Removes the file `name`. A missing file is no error.
    pub(crate) fn remove(&self, name: &str) -> io::Result<()> {
        step();
        match fs::unlinkat(&self.0, name, AtFlags::empty()) {
            Ok(()) | Err(Errno::NOENT) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// Removes the folder `name` if it is empty.
    pub(crate) fn remove_folder(&self, name: &str) -> io::Result<()> {
        step();
        Ok(fs::unlinkat(&self.0, name, AtFlags::REMOVEDIR)?)
    }
}

/// Makes the folder `path` in an existing folder. Returns false when the name is taken.
pub(super) fn make_folder(path: &Path) -> io::Result<bool> {
    step();
    match fs::mkdir(path, Mode::from_raw_mode(0o777)) {
        Ok(()) => Ok(true),
        Err(Errno::EXIST) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// Removes the folder `path` if it is empty.
pub(super) fn remove_folder(path: &Path) -> io::Result<()> {
    step();
    Ok(fs::rmdir(path)?)
}

/// Replaces the content of a file by `bytes`.
pub(super) fn fill(file: &mut File, bytes: &[u8], mode: Option<Mode>) -> io::Result<()> {
    step();
    file.set_len(0)?;
    if let Some(mode) = mode {
        step();
        fs::fchmod(&*file, mode)?;
    }
    // A process may end in the middle of a text.
    let (first, rest) = bytes.split_at(bytes.len() / 2);
    for part in [first, rest] {
        step();
        file.write_all(part)?;
    }
    Ok(())
}

/// Writes to something other than a regular file, such as a pipe or a terminal. A pipe without a
/// reader is an error: opening it for writing would wait for a reader (POSIX.1-2017, `open`,
/// `O_NONBLOCK`).
pub(super) fn pour(path: &Path, bytes: &[u8]) -> io::Result<()> {
    step();
    let flags = OFlags::WRONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let stream = fs::open(path, flags, Mode::empty()).map_err(|error| match error {
        Errno::NXIO => io::Error::new(io::ErrorKind::BrokenPipe, "this pipe has no reader"),
        error => error.into(),
    })?;
    // A slow reader is no error.
    fs::fcntl_setfl(&stream, fs::fcntl_getfl(&stream)? - OFlags::NONBLOCK)?;
    File::from(stream).write_all(bytes)
}

/// The error for a path that leads through something that is no folder.
pub(super) fn no_folder(path: &str) -> io::Error {
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    io::Error::new(
        io::ErrorKind::NotADirectory,
        format!("a part of `{folder}` is a link or no folder, and aiec follows no links there"),
    )
}

/// Called before every call that changes a disk. Tests set `AIEC_TEST_KILL_AT` to the number of a
/// call, counted from 0, before which the process ends as if killed. Release builds do not look.
#[cfg(debug_assertions)]
fn step() {
    use std::sync::OnceLock;
    use std::sync::atomic::{AtomicUsize, Ordering};
    static LAST: OnceLock<Option<usize>> = OnceLock::new();
    static STEPS: AtomicUsize = AtomicUsize::new(0);
    let last = LAST.get_or_init(|| std::env::var("AIEC_TEST_KILL_AT").ok()?.parse().ok());
    if last.is_some_and(|last| last == STEPS.fetch_add(1, Ordering::Relaxed)) {
        std::process::abort();
    }
}

#[cfg(not(debug_assertions))]
const fn step() {}
