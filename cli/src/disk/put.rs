//! Writes one file whole: writes a temporary file beside it, and renames that.
#![allow(clippy::disallowed_methods, reason = "this module writes files")]

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::calls::{self, Dir};
use super::lock::locked_file;
use aiec_system::files::{folder_of, hash};

/// Limit on the links in a chain, as on Linux.
const MAX_LINKS: usize = 40;

/// The target of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// A file, which may exist: the canonical path of its folder, and its name. Not a link.
    File(PathBuf),
    /// Something other than a regular file, such as a pipe: text is written to it directly.
    Stream(PathBuf),
}

/// The target of `path`, with links resolved.
pub(super) fn place(path: &Path) -> io::Result<Place> {
    let stream = ["/dev", "/proc"].iter().any(|folder| path.starts_with(folder));
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() => {
            return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a directory"));
        }
        Ok(metadata) if stream || !metadata.is_file() => return Ok(Place::Stream(path.to_path_buf())),
        _ => {}
    }
    let mut path = path.to_path_buf();
    for _ in 0..MAX_LINKS {
        match fs::read_link(&path) {
            Ok(target) => path = folder_of(&path).join(target),
            Err(_) => break,
        }
    }
    let name =
        path.file_name().ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "it names no file"))?;
    Ok(Place::File(fs::canonicalize(folder_of(&path))?.join(name)))
}

/// Writes one file, new or in place of an existing one. A link stays a link. Text for something
/// other than a regular file, such as a pipe, is written to it directly. After a kill the next run
/// that writes the file removes the temporary file.
pub(crate) fn put(path: &Path, bytes: &[u8]) -> io::Result<()> {
    match place(path)? {
        Place::File(target) => put_file(&target, bytes),
        Place::Stream(path) => calls::pour(&path, bytes),
    }
}

/// Writes one file as [`put`] does, and makes its folder if there is none.
pub(crate) fn put_below(path: &Path, bytes: &[u8]) -> io::Result<()> {
    fs::create_dir_all(folder_of(path))?;
    put(path, bytes)
}

fn put_file(target: &Path, bytes: &[u8]) -> io::Result<()> {
    let name = target.file_name().unwrap_or_default();
    let folder = Dir::open(folder_of(target))?;
    let part = format!(".aiec-{}.part", &hash(name.as_encoded_bytes())[..16]);
    let mode = folder.mode(name)?;
    let mut file = locked_file(&folder, &part)?;
    let written =
        calls::fill(&mut file, bytes, mode).and_then(|()| folder.rename(part.as_str(), &folder, name));
    written.inspect_err(|_| drop(folder.remove(&part)))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};

    use super::*;

    #[test]
    fn a_text_is_put_in_the_place_of_what_is_there() {
        let folder = tempfile::tempdir().expect("a temporary directory");
        let (file, link) = (folder.path().join("b.txt"), folder.path().join("link"));
        put(&file, b"one").expect("writable");
        let mode = |path: &Path| fs::metadata(path).expect("there").permissions().mode() & 0o777;
        fs::write(folder.path().join("plain"), "").expect("writable");
        assert_eq!(mode(&file), mode(&folder.path().join("plain")), "open to whom other files are");
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).expect("own file");
        symlink(&file, &link).expect("writable");
        put(&link, b"two").expect("writable");
        assert_eq!((fs::read(&file).expect("there"), mode(&file)), (b"two".to_vec(), 0o640));
        assert!(fs::symlink_metadata(&link).expect("there").is_symlink());
        assert_eq!(fs::read_dir(folder.path()).expect("there").count(), 3, "nothing else is left");
    }

    #[test]
    fn what_is_no_file_is_written_to_and_stays() {
        put(Path::new("/dev/null"), b"gone").expect("a device");
        assert!(fs::metadata("/dev/null").expect("there").file_type().is_char_device());
        let folder = tempfile::tempdir().expect("a temporary directory");
        let (file, link) = (folder.path().join("later"), folder.path().join("link"));
        symlink("later", &link).expect("writable");
        put(&link, b"now").expect("writable");
        assert_eq!(fs::read(&file).expect("there"), b"now");
    }

    #[test]
    fn what_a_killed_process_left_is_taken() {
        let folder = tempfile::tempdir().expect("a temporary directory");
        let part = format!(".aiec-{}.part", &hash(b"a.svg")[..16]);
        fs::write(folder.path().join(&part), "a longer text than the new one").expect("writable");
        put(&folder.path().join("a.svg"), b"short").expect("writable");
        assert_eq!(fs::read(folder.path().join("a.svg")).expect("there"), b"short");
        assert!(!folder.path().join(part).exists());
    }
}
