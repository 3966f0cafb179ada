//! A store of folders. Takes a name and a function that makes the files, and returns a folder that
//! has them, complete and undamaged.
//!
//! The name determines the content. A list of hashes lies beside the files, and a request compares
//! the files with it. The store makes a folder anew that a full disk, a crash or another program
//! has damaged. Files that are unchanged since the last comparison are not read again: precompiled
//! headers have 140 MB.
#![allow(clippy::disallowed_methods, reason = "this module stores results of compilers")]

use std::env;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, SystemTime};

use aiec_diag::Diagnostic;
use twox_hash::XxHash3_128;

use crate::errors;
use aiec_system::files;
use aiec_system::locks;
use aiec_system::passing::scratch::Scratch;

/// The list of hashes in a stored folder: a line for each file, with its path.
const SUMS: &str = "sums";

/// The file beside it with the state of all files when they matched the list.
const MATCHED: &str = "matched";

/// A file that changed less than this before a comparison may change again without another time:
/// the clock of a file system ticks every few milliseconds.
const SETTLED: Duration = Duration::from_secs(1);

/// Attempts to move a folder into place, or to hold it, while other processes move theirs.
const ATTEMPTS: usize = 64;

/// A path in a stored folder. The folder stays while this value lives, whatever others are used.
#[derive(Clone)]
pub(crate) struct Held {
    path: PathBuf,
    /// The folder, with a lock that processes share.
    _folder: Arc<File>,
}

impl Held {
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The file `name` of a folder.
    pub(crate) fn file(self, name: &str) -> Self {
        Self { path: self.path.join(name), ..self }
    }
}

/// A folder of stored folders.
pub(crate) struct Store {
    folder: PathBuf,
    /// Folder for unfinished work.
    work: Scratch,
    /// Number of folders begun.
    begun: AtomicUsize,
}

impl Store {
    /// Opens the store in `folder`, which it creates if necessary.
    pub(crate) fn open(folder: PathBuf) -> Result<Self, Diagnostic> {
        let work = fs::create_dir_all(&folder).and_then(|()| Scratch::new(&folder, "work-"));
        let work = work.map_err(|error| unwritable(&folder, &error))?;
        Ok(Self { folder, work, begun: AtomicUsize::new(0) })
    }

    /// This process's own folder, which is removed with the process.
    pub(crate) fn work(&self) -> &Path {
        self.work.path()
    }

    /// A path in this process's own folder, for files that are removed with it.
    pub(crate) fn passing(&self, ending: &str) -> PathBuf {
        self.work.path().join(format!("{}{ending}", self.begun.fetch_add(1, Ordering::Relaxed)))
    }

    /// The folder `name`. Returns None when it does not exist or is damaged.
    pub(crate) fn there(&self, name: &str) -> Option<PathBuf> {
        Some(self.folder.join(name)).filter(|kept| self.is_whole(kept, SystemTime::now()))
    }

    /// True if the files of a folder match its list, or have not changed since they did.
    fn is_whole(&self, folder: &Path, now: SystemTime) -> bool {
        let Ok(State { text, changed }) = State::of(folder) else { return false };
        if files::read_there(&folder.join(MATCHED)).is_some_and(|matched| matched == text) {
            return true;
        }
        let whole = matches(folder);
        if whole && now.duration_since(changed).is_ok_and(|since| since > SETTLED) {
            let note = self.passing("-matched");
            // Without the note, the next comparison reads the files again.
            let _ = fs::write(&note, text).and_then(|()| fs::rename(note, folder.join(MATCHED)));
        }
        whole
    }

    /// True if the folder `name` exists. Its files may be damaged.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.folder.join(name).is_dir()
    }

    /// The folder `name`. If it does not exist or is damaged, `make` writes its files into a new
    /// folder.
    pub(crate) fn kept<E: From<Diagnostic>>(
        &self,
        name: &str,
        make: impl FnOnce(&Path) -> Result<(), E>,
    ) -> Result<PathBuf, E> {
        if let Some(kept) = self.there(name) {
            return Ok(kept);
        }
        let kept = self.folder.join(name);
        let new = self.passing("");
        fs::create_dir_all(&new).map_err(|error| unwritable(&new, &error))?;
        make(&new)?;
        let put =
            sums(&new).and_then(|sums| fs::write(new.join(SUMS), sums)).and_then(|()| self.put(&new, &kept));
        put.map_err(|error| unwritable(&kept, &error))?;
        Ok(kept)
    }

    /// The path of a file with this name and text. Both determine its folder, as equal texts may
    /// have different names.
    pub(crate) fn written(&self, name: &str, text: &str) -> Result<PathBuf, Diagnostic> {
        let hash = XxHash3_128::oneshot(format!("{name}\n{text}").as_bytes());
        let folder =
            self.kept(&format!("source-{hash:032x}"), |folder| files::write_all(folder, [(name, text)]))?;
        Ok(folder.join(name))
    }

    /// The folder `name`, like `kept`, for large folders: of those whose names begin with `start`,
    /// only the `most` recently used stay, and those that a process holds.
    pub(crate) fn kept_lately(
        &self,
        name: &str,
        start: &str,
        most: usize,
        make: impl Fn(&Path) -> Result<(), Diagnostic>,
    ) -> Result<Held, Diagnostic> {
        for _ in 0..ATTEMPTS {
            let path = self.kept(name, &make)?;
            match hold(&path) {
                Ok(Some(folder)) => {
                    self.remove_all_but(start, most);
                    return Ok(Held { path, _folder: Arc::new(folder) });
                }
                // Another process has just removed the folder.
                Ok(None) => {}
                Err(error) => return Err(unwritable(&path, &error)),
            }
        }
        Err(unwritable(&self.folder.join(name), &io::Error::other("other processes keep removing it")))
    }

    /// Removes the folders whose names begin with `start`. The `most` recently used ones stay, and
    /// those that a process holds.
    fn remove_all_but(&self, start: &str, most: usize) {
        for old in latest(&self.folder, start).into_iter().skip(most) {
            let Ok(folder) = File::open(&old) else { continue };
            // Some file systems lock no folder for one process alone.
            if locks::alone(&folder).unwrap_or(true) {
                let _ = fs::rename(old, self.passing("-old"));
            }
        }
    }

    /// Moves a folder into place. A folder that another process put there stays if it is whole.
    fn put(&self, new: &Path, kept: &Path) -> io::Result<()> {
        let mut last = Ok(());
        for _ in 0..ATTEMPTS {
            last = fs::rename(new, kept);
            if last.is_ok() || matches(kept) {
                return Ok(());
            }
            // The folder in place is damaged.
            let _ = fs::rename(kept, self.passing("-damaged"));
        }
        last
    }
}

/// Notes that a folder is used now, and locks it. Returns None when another process has removed it
/// or is about to.
fn hold(path: &Path) -> io::Result<Option<File>> {
    let held = |folder: File| -> io::Result<Option<File>> {
        let is_locked = locks::shared(&folder)?;
        folder.set_modified(SystemTime::now())?;
        Ok((is_locked && locks::is_at(&folder, path)).then_some(folder))
    };
    match File::open(path).and_then(held) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        result => result,
    }
}

/// The stored folders whose names begin with `start`, the most recently used first.
fn latest(folder: &Path, start: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let named = entries.filter(|entry| entry.file_name().to_string_lossy().starts_with(start));
    let used = |path: &PathBuf| fs::metadata(path).and_then(|folder| folder.modified()).ok();
    let mut all: Vec<_> = named.map(|entry| entry.path()).map(|path| (used(&path), path)).collect();
    all.sort();
    all.into_iter().rev().map(|(_, path)| path).collect()
}

fn unwritable(path: &Path, error: &io::Error) -> Diagnostic {
    errors::no_cache(&path.display().to_string(), &error.to_string())
}

/// The state of the files of a folder, as the file system tells it.
struct State {
    /// A line for each file and for the list: inode, bytes, time of the last change, path. No
    /// program can set that time, so a file that is written or replaced has another line.
    text: String,
    /// The last of these times.
    changed: SystemTime,
}

impl State {
    fn of(folder: &Path) -> io::Result<Self> {
        let mut state = Self { text: String::new(), changed: SystemTime::UNIX_EPOCH };
        for (path, name) in list(folder)? {
            let of = fs::symlink_metadata(path)?;
            let (seconds, nanos) = (of.ctime(), of.ctime_nsec());
            state.text += &format!("{} {} {seconds}.{nanos:09} {name}\n", of.ino(), of.size());
            let time = Duration::new(seconds.try_into().unwrap_or(0), nanos.try_into().unwrap_or(0));
            state.changed = state.changed.max(SystemTime::UNIX_EPOCH + time);
        }
        Ok(state)
    }
}

/// True if the files of a folder match its list.
fn matches(folder: &Path) -> bool {
    files::read_there(&folder.join(SUMS)).is_some_and(|listed| sums(folder).is_ok_and(|sums| sums == listed))
}

/// A line for each file below `folder`, in order of their paths, without the list itself.
fn sums(folder: &Path) -> io::Result<String> {
    let mut text = String::new();
    for (path, name) in list(folder)?.into_iter().filter(|(_, name)| name != SUMS) {
        // In pieces, the hash of precompiled headers takes 2 s more if aiec is not optimised.
        let bytes = files::bytes_there(&path).ok_or(io::ErrorKind::InvalidData)?;
        text += &format!("{:032x}  {name}\n", XxHash3_128::oneshot(&bytes));
    }
    Ok(text)
}

/// The files below `folder`, each with its path from there, in order of these paths. Without the
/// note of a comparison.
fn list(folder: &Path) -> io::Result<Vec<(PathBuf, String)>> {
    let mut paths = Vec::new();
    list_below(folder, &mut paths)?;
    paths.sort();
    let named = paths.into_iter().map(|path| {
        let name = path.strip_prefix(folder).unwrap_or(&path).display().to_string();
        (path, name)
    });
    Ok(named.filter(|(_, name)| name != MATCHED).collect())
}

fn list_below(folder: &Path, paths: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() { list_below(&entry.path(), paths)? } else { paths.push(entry.path()) }
    }
    Ok(())
}

/// The store in [`cache_folder`], or, where that cannot be written, in the directory for temporary
/// files.
pub(crate) fn open_store() -> Result<Store, Diagnostic> {
    Store::open(cache_folder()).or_else(|fault| {
        let temporary = env::temp_dir().join(format!("aiec-cache-{}", user()));
        Store::open(temporary).map_err(|_| fault)
    })
}

/// The number of the user who owns this process.
fn user() -> u32 {
    fs::metadata("/proc/self").map_or(0, |process| process.uid())
}

/// `$AIEC_CACHE`, `$XDG_CACHE_HOME/aiec`, `~/.cache/aiec`, or a folder in the directory for
/// temporary files.
fn cache_folder() -> PathBuf {
    let named = env::var_os("AIEC_CACHE").map(PathBuf::from);
    let xdg = env::var_os("XDG_CACHE_HOME").map(|folder| PathBuf::from(folder).join("aiec"));
    let home = env::var_os("HOME").map(|folder| PathBuf::from(folder).join(".cache/aiec"));
    let folder = named.or(xdg).or(home).unwrap_or_else(|| env::temp_dir().join("aiec-cache"));
    std::path::absolute(&folder).unwrap_or(folder)
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    fn make(text: &'static str) -> impl Fn(&Path) -> Result<(), Diagnostic> {
        move |folder| files::write_all(folder, [("deep/file", text), ("other", "")])
    }

    #[test]
    fn what_is_damaged_in_any_way_is_made_anew_and_what_is_whole_is_not() {
        let cache = tempfile::tempdir().expect("a temporary directory");
        let store = Store::open(cache.path().to_path_buf()).expect("writable");
        let kept = store.kept("a", make("first")).expect("writable");
        let again = |expected: &str| {
            let kept = store.kept("a", make("second")).expect("writable");
            assert_eq!(fs::read_to_string(kept.join("deep/file")).expect("there"), expected);
        };
        again("first");
        let pipe = |path: PathBuf| Command::new("mkfifo").arg(path).status().map(|_| ());
        let damage: [&dyn Fn() -> io::Result<()>; 7] = [
            &|| fs::write(kept.join("deep/file"), "fir"),
            &|| fs::write(kept.join("other"), "more"),
            &|| fs::remove_file(kept.join("other")),
            &|| fs::write(kept.join("stranger"), ""),
            &|| fs::write(kept.join(SUMS), ""),
            &|| fs::remove_file(kept.join("other")).and_then(|()| pipe(kept.join("other"))),
            &|| fs::remove_dir_all(&kept).and_then(|()| fs::write(&kept, "a file")),
        ];
        for (number, damage) in damage.into_iter().enumerate() {
            damage().expect("writable");
            again("second");
            assert!(matches(&kept), "number {number}");
            fs::remove_dir_all(&kept).expect("ours");
            store.kept("a", make("first")).expect("writable");
        }
        drop(store);
        assert_eq!(fs::read_dir(cache.path()).expect("there").count(), 1, "nothing else is left");
    }

    #[test]
    fn a_text_that_gets_another_name_is_there_under_both() {
        let cache = tempfile::tempdir().expect("a temporary directory");
        let store = Store::open(cache.path().to_path_buf()).expect("writable");
        let of = |name, text| store.written(name, text).expect("writable");
        let paths = [("a", "text"), ("b", "text"), ("b", "other")].map(|(name, text)| of(name, text));
        let texts = paths.each_ref().map(|path| fs::read_to_string(path).expect("there"));
        assert_eq!(texts, ["text", "text", "other"]);
        assert_eq!(of("a", "text"), paths[0]);
    }

    #[test]
    fn files_are_read_again_when_they_have_changed_since_they_matched() {
        let cache = tempfile::tempdir().expect("a temporary directory");
        let store = Store::open(cache.path().to_path_buf()).expect("writable");
        let kept = store.kept("a", make("first")).expect("writable");
        let later = SystemTime::now() + 2 * SETTLED;
        let noted = kept.join(MATCHED);
        assert!(store.is_whole(&kept, SystemTime::now()) && !noted.exists(), "a file may still change");
        assert!(store.is_whole(&kept, later) && noted.exists());
        fs::write(kept.join("deep/file"), "other").expect("writable");
        assert!(!store.is_whole(&kept, later), "another text of as many bytes");
        // With a forged note, nothing is compared.
        fs::write(&noted, State::of(&kept).expect("readable").text).expect("writable");
        assert!(store.is_whole(&kept, later) && !matches(&kept));
    }

    #[test]
    fn of_large_folders_those_used_last_stay() {
        let cache = tempfile::tempdir().expect("a temporary directory");
        let store = Store::open(cache.path().to_path_buf()).expect("writable");
        store.kept("other", make("text")).expect("writable");
        for name in ["large-a", "large-b", "large-a", "large-c"] {
            store.kept_lately(name, "large-", 2, make("text")).expect("writable");
        }
        let is_there = |name: &&str| cache.path().join(name).exists();
        let names = ["other", "large-a", "large-b", "large-c"];
        assert_eq!(names.into_iter().filter(is_there).collect::<Vec<_>>(), ["other", "large-a", "large-c"]);
    }

    #[test]
    fn large_folders_in_use_stay_whatever_is_used_later() {
        let cache = tempfile::tempdir().expect("a temporary directory");
        let (mine, others) =
            [(); 2].map(|()| Store::open(cache.path().to_path_buf()).expect("writable")).into();
        let used =
            |store: &Store, name| store.kept_lately(name, "large-", 1, make("text")).expect("writable");
        let held = used(&mine, "large-a").file("other");
        used(&others, "large-b");
        used(&others, "large-c");
        assert!(held.path().exists() && !cache.path().join("large-b").exists());
        drop(held);
        used(&others, "large-b");
        assert!(!cache.path().join("large-a").exists(), "nobody uses it");
    }

    #[test]
    fn large_folders_of_many_users_are_there_while_each_uses_its_own() {
        let cache = tempfile::tempdir().expect("a temporary directory");
        std::thread::scope(|scope| {
            for first in 0..6 {
                let cache = cache.path().to_path_buf();
                scope.spawn(move || {
                    let store = Store::open(cache).expect("writable");
                    for number in 0..40 {
                        let name = format!("large-{}", (first + number * 5) % 7);
                        let held = store.kept_lately(&name, "large-", 1, make("text")).expect("writable");
                        let text = fs::read_to_string(held.file("deep/file").path());
                        assert_eq!(text.expect("there"), "text");
                    }
                });
            }
        });
    }

    #[test]
    fn several_may_make_the_same_at_once() {
        let cache = tempfile::tempdir().expect("a temporary directory");
        std::thread::scope(|scope| {
            for _ in 0..6 {
                scope.spawn(|| {
                    let store = Store::open(cache.path().to_path_buf()).expect("writable");
                    for name in ["a", "b", "c", "d"] {
                        let kept = store.kept(name, make("text")).expect("writable");
                        assert!(matches(&kept));
                    }
                });
            }
        });
    }
}
