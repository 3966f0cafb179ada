//! `aiec sim` leaves nothing behind when it is ended. After SIGKILL the next run removes the rest.
#![allow(clippy::disallowed_methods, reason = "tests prepare files and start programs")]

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use aiec_test_support::folder::Folder;

/// A compiler that never ends, starts a process that never ends, and has a temporary file of its
/// own. It writes down both process ids.
const COMPILER: &str = "#!/bin/sh
case \"$1\" in --version) echo stand-in; exit;; esac
: > \"$TMPDIR/cc$$.s\"
sleep 600 &
echo $! >> \"$PIDS\"
echo $$ >> \"$PIDS\"
wait
";

const HEEDED: &str = "--default-signal=HUP";

aiec_test_support::workshop! {
    /// The files of a test, in a folder of their own.
    Shop
}

impl Shop {
    fn new() -> Self {
        let shop = Self(Folder::with(&[("graph.cpp", "int main() {}\n")]));
        for name in ["tmp", "cache"] {
            fs::create_dir(shop.path(name)).expect("writable");
        }
        shop.program("cxx", COMPILER);
        shop
    }

    /// A run with this compiler. `hangup` is the handling of SIGHUP. The parent of the tests may
    /// ignore signals (nohup, jobs of a script), which programs inherit.
    fn sim(&self, compiler: &Path, hangup: &str) -> Command {
        let mut command = Command::new("env");
        command.arg("--default-signal=INT,TERM").arg(hangup).arg(env!("CARGO_BIN_EXE_aiec"));
        command.arg("sim").arg(self.path("graph.cpp")).arg("--cxx").arg(compiler);
        command.env("TMPDIR", self.path("tmp")).env("AIEC_CACHE", self.path("cache"));
        command.env("PIDS", self.path("pids"));
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command
    }

    /// The process ids of two compilations, as soon as they exist.
    fn compilers(&self) -> Vec<u32> {
        let mut pids = Vec::new();
        wait_for("the compilers", || {
            let text = fs::read_to_string(self.path("pids")).unwrap_or_default();
            pids = text.lines().filter_map(|line| line.parse().ok()).collect();
            pids.len() == 4
        });
        pids
    }

    /// A run that has started two compilations, and their process ids.
    fn running(&self) -> (Child, Vec<u32>) {
        let _ = fs::remove_file(self.path("pids"));
        let child = self.sim(&self.path("cxx"), HEEDED).spawn().expect("aiec starts");
        (child, self.compilers())
    }

    /// The folders of runs.
    fn left(&self) -> Vec<String> {
        let names =
            ["tmp", "cache"].into_iter().flat_map(|name| fs::read_dir(self.path(name)).expect("there"));
        let names = names.map(|entry| entry.expect("there").file_name().to_string_lossy().into_owned());
        names.filter(|name| !name.starts_with("headers-")).collect()
    }
}

fn wait_for(what: &str, mut done: impl FnMut() -> bool) {
    let started = Instant::now();
    while !done() {
        assert!(started.elapsed() < Duration::from_secs(60), "{what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// True while a process runs. A zombie counts as ended.
fn is_there(pid: u32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit(')').next().is_some_and(|rest| !rest.is_empty() && !rest.trim_start().starts_with('Z'))
}

fn signal(pid: u32, name: &str) {
    let status = Command::new("kill").args(["-s", name, &pid.to_string()]).status().expect("kill is there");
    assert!(status.success());
}

#[test]
fn at_a_signal_children_end_and_folders_go() {
    let shop = Shop::new();
    for (name, number) in [("INT", 2), ("TERM", 15), ("HUP", 1)] {
        let (mut child, pids) = shop.running();
        assert_eq!(shop.left().len(), 2, "a folder of the run and one in the cache");
        // The signal goes to aiec alone, as from a service manager or another terminal.
        signal(child.id(), name);
        wait_for(name, || child.try_wait().expect("ours").is_some());
        assert_eq!(child.wait().expect("ours").signal(), Some(number), "the status says which signal it was");
        wait_for(name, || !pids.iter().any(|pid| is_there(*pid)));
        assert_eq!(shop.left(), [""; 0], "{name}");
    }
}

#[test]
fn what_is_left_after_sigkill_goes_with_the_next_run_and_what_is_in_use_stays() {
    let shop = Shop::new();
    let (mut killed, orphans) = shop.running();
    signal(killed.id(), "KILL");
    killed.wait().expect("ours");
    let left = shop.left();
    assert_eq!(left.len(), 2, "nobody could do anything");
    let (mut other, pids) = shop.running();
    let now = shop.left();
    assert!(now.len() == 2 && now.iter().all(|name| !left.contains(name)), "{left:?} {now:?}");
    // A second run, which fails at once.
    assert!(!shop.sim(Path::new("/bin/false"), HEEDED).status().expect("aiec starts").success());
    assert_eq!(shop.left().len(), 2, "those of the run that goes on");
    signal(other.id(), "TERM");
    other.wait().expect("ours");
    wait_for("the end of the compilers", || !pids.iter().any(|pid| is_there(*pid)));
    assert_eq!(shop.left(), [""; 0]);
    for pid in orphans {
        signal(pid, "KILL");
    }
}

#[test]
fn a_signal_that_is_ignored_ends_nobody() {
    let shop = Shop::new();
    let mut child = shop.sim(&shop.path("cxx"), "--ignore-signal=HUP").spawn().expect("aiec starts");
    shop.compilers();
    signal(child.id(), "HUP");
    std::thread::sleep(Duration::from_millis(200));
    assert_eq!(child.try_wait().expect("ours"), None);
    signal(child.id(), "TERM");
    child.wait().expect("ours");
    assert_eq!(shop.left(), [""; 0]);
}
