//! Temporary folders that are removed with the process. A file in each is locked while its process
//! runs. A folder whose lock is free was left behind, and the next process that makes a folder of
//! its kind removes it.
#![allow(clippy::disallowed_methods, reason = "this module makes and removes folders")]

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::passing;
use crate::locks;

/// The locked file of a folder.
const LOCK: &str = ".lock";
/// Attempts to make a folder that another process took for one left behind.
const ATTEMPTS: usize = 16;
/// Attempts to remove a folder into which an ending process may still write.
const REMOVALS: usize = 100;
/// Time between two attempts to remove.
const PAUSE: Duration = Duration::from_millis(5);

/// A temporary folder. Dropping removes it.
#[derive(Debug)]
pub struct Scratch {
    path: PathBuf,
    _lock: File,
}

impl Scratch {
    /// Makes a new folder in `parent` whose name starts with `prefix`, and removes folders of the
    /// same kind that a process left behind.
    pub fn new(parent: &Path, prefix: &str) -> io::Result<Self> {
        sweep(parent, prefix);
        // Holding the list keeps `end` from running between the making of a folder and its entry.
        let mut all = passing();
        all.may_begin()?;
        for _ in 0..ATTEMPTS {
            let path = tempfile::Builder::new().prefix(prefix).tempdir_in(parent)?.keep();
            all.folders.insert(path.clone());
            match claim(&path) {
                Ok(Some(lock)) => return Ok(Self { path, _lock: lock }),
                Ok(None) => {}
                Err(error)
                    if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::AlreadyExists) => {}
                Err(error) => {
                    remove(&path);
                    return Err(error);
                }
            }
            all.folders.remove(&path);
        }
        Err(io::Error::other("other processes keep removing the new folder"))
    }

    /// The path of the folder.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        remove(&self.path);
        passing().folders.remove(&self.path);
    }
}

/// Makes and locks the lock file of a new folder. Returns None when another process was first,
/// which then removes the folder.
fn claim(folder: &Path) -> io::Result<Option<File>> {
    let path = folder.join(LOCK);
    let file = File::create_new(&path)?;
    let is_ours = locks::alone(&file)? && locks::is_at(&file, &path);
    Ok(is_ours.then_some(file))
}

/// Removes this user's folders in `parent` that start with `prefix` and were left behind.
fn sweep(parent: &Path, prefix: &str) {
    let entries = fs::read_dir(parent).into_iter().flatten().flatten();
    let named = entries.filter(|entry| entry.file_name().to_string_lossy().starts_with(prefix));
    // Links to folders do not count as folders.
    let folders = named.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
    let user = rustix::process::getuid().as_raw();
    for entry in folders.filter(|entry| entry.metadata().is_ok_and(|there| there.uid() == user)) {
        let path = entry.path();
        let lock = match File::open(path.join(LOCK)) {
            // The folder was made or removed halfway. The process that makes the lock file owns the
            // folder.
            Err(error) if error.kind() == io::ErrorKind::NotFound => File::create_new(path.join(LOCK)),
            opened => opened,
        };
        if lock.as_ref().is_ok_and(|lock| locks::alone(lock).unwrap_or(false)) {
            let _ = fs::remove_dir_all(&path);
        }
    }
}

/// Removes a folder with its content, also while recently ended processes still write.
pub(super) fn remove(folder: &Path) {
    for _ in 0..REMOVALS {
        match fs::remove_dir_all(folder) {
            Err(error) if error.kind() == io::ErrorKind::DirectoryNotEmpty => std::thread::sleep(PAUSE),
            _ => return,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_left_behind_go_and_those_in_use_stay() {
        let parent = tempfile::tempdir().expect("a temporary directory");
        let at = |name: &str| parent.path().join(name);
        for name in ["work-left", "work-halfway", "other"] {
            fs::create_dir_all(at(name).join("deep")).expect("writable");
        }
        fs::write(at("work-left").join(LOCK), "").expect("writable");
        fs::create_dir(at("work-empty")).expect("writable");
        fs::write(at("work-file"), "").expect("writable");
        std::os::unix::fs::symlink(at("other"), at("work-link")).expect("writable");
        let first = Scratch::new(parent.path(), "work-").expect("writable");
        fs::write(first.path().join("x"), "").expect("writable");
        let second = Scratch::new(parent.path(), "work-").expect("writable");
        assert!(first.path().join("x").is_file() && second.path().is_dir());
        for (name, stays) in [
            ("work-left", false),
            ("work-halfway", false),
            ("work-empty", false),
            ("work-file", true),
            ("work-link", true),
            ("other/deep", true),
        ] {
            assert_eq!(at(name).exists(), stays, "{name}");
        }
        let path = first.path().to_path_buf();
        drop(first);
        assert!(!path.exists() && second.path().is_dir());
    }

    #[test]
    fn many_at_once_do_not_take_each_others_folders() {
        let parent = tempfile::tempdir().expect("a temporary directory");
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..40 {
                        let folder = Scratch::new(parent.path(), "work-").expect("writable");
                        fs::write(folder.path().join("x"), "").expect("nobody removes it");
                    }
                });
            }
        });
        assert_eq!(fs::read_dir(parent.path()).expect("there").count(), 0);
    }
}
