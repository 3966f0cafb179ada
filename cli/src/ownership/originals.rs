//! The input files of a project, which are never written or removed.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use aiec_system::files::{folder_of, real_path};

/// The user's files, by the paths that the user gave.
#[derive(Clone, Debug, Default)]
pub(crate) struct Originals {
    /// The design, the sources of its kernels, and the files that these include.
    pub(crate) sources: Vec<PathBuf>,
    /// Data, device and placement files.
    pub(crate) others: Vec<PathBuf>,
}

impl Originals {
    /// The paths of all files of the user: sources first.
    pub(crate) fn all(&self) -> Vec<PathBuf> {
        self.sources.iter().chain(&self.others).cloned().collect()
    }

    /// The canonical paths of all files, with links resolved.
    pub(super) fn real(&self) -> BTreeSet<PathBuf> {
        self.all().iter().filter_map(|path| real_path(path)).collect()
    }

    /// The first source that lies in `directory` or below it.
    pub(super) fn inside(&self, directory: &Path) -> Option<&Path> {
        let directory = real_path(directory)?;
        // A source that is a link counts in the folder of the link and in the folder of its target.
        let is_inside = |source: &&PathBuf| {
            let ways = [real_path(source), real_path(folder_of(source))];
            ways.into_iter().flatten().any(|path| path.starts_with(&directory))
        };
        self.sources.iter().find(is_inside).map(PathBuf::as_path)
    }
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "tests prepare files")]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_source_lies_in_every_folder_above_it_whatever_they_are_called() {
        let folder = tempfile::tempdir().expect("a temporary directory");
        let path = |relative: &str| folder.path().join(relative);
        fs::create_dir_all(path("design/k")).expect("writable");
        fs::create_dir_all(path("design/build/d")).expect("writable");
        fs::create_dir_all(path("elsewhere")).expect("writable");
        fs::write(path("elsewhere/shared.cc"), "").expect("writable");
        symlink(path("elsewhere/shared.cc"), path("design/k/a.cc")).expect("writable");
        symlink(path("design"), path("link")).expect("writable");
        let originals = Originals { sources: vec![path("design/k/a.cc")], others: Vec::new() };
        for around in ["design", "design/k", ".", "link", "link/k", "design/build/..", "elsewhere"] {
            assert!(originals.inside(&path(around)).is_some(), "{around}");
        }
        for beside in ["design/build/d", "design/build", "design/new", "new"] {
            assert_eq!(originals.inside(&path(beside)), None, "{beside}");
        }
    }
}
