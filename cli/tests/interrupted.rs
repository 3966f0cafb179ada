//! Kills the program before each of its calls that change a disk, and in the middle of every text.
//! The next run leaves the old project or the new one, and nothing else. Parallel runs do not mix.
#![allow(clippy::disallowed_methods, reason = "tests prepare files and start programs")]
// Release builds have no kill points.
#![cfg(debug_assertions)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

use aiec_test_support::folder::{DESIGN, Folder, kernel};

aiec_test_support::workshop! {
    /// Designs and projects in a folder of their own.
    Workshop
}

/// Folders, and files with their texts.
type Tree = BTreeMap<String, Option<String>>;

impl Workshop {
    /// With the designs `d.dsl`, `more.dsl` with the same name and a moved source, and `other.dsl`
    /// with another name.
    fn new() -> Self {
        let moved = DESIGN.replace("\"kernels/b.cc\"", "\"moved/b.cc\"");
        let data = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n16\n17\n18\n19\n20\n21\n22\n23\n24\n25\n26\n27\n28\n29\n30\n31\n32\n";
        Self(Folder::with(&[
            ("design/d.dsl", DESIGN),
            ("design/other.dsl", &DESIGN.replace("design d", "design other")),
            ("design/kernels/a.cc", &kernel("a")),
            ("design/kernels/b.cc", &kernel("b")),
            ("design/data/i.txt", data),
            ("moved/d.dsl", &moved),
            ("moved/kernels/a.cc", &kernel("a")),
            ("moved/moved/b.cc", &kernel("b")),
            ("moved/data/i.txt", data),
        ]))
    }

    /// The program with these arguments, in the folder of the workshop.
    fn aiec(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_aiec"));
        command.args(arguments).current_dir(self.path(""));
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.aiec(arguments).output().expect("it runs")
    }

    /// Runs aiec. The run must succeed.
    fn done(&self, arguments: &[&str]) {
        let ran = self.run(arguments);
        assert!(ran.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&ran.stderr));
    }

    /// Runs aiec up to the call with this number. Returns true when the run ended before.
    fn killed_at(&self, call: usize, arguments: &[&str]) -> bool {
        let ran = self.aiec(arguments).env("AIEC_TEST_KILL_AT", call.to_string()).output().expect("it runs");
        let status = ran.status.code();
        assert!(matches!(status, None | Some(0 | 1)), "{status:?}: {}", String::from_utf8_lossy(&ran.stderr));
        status.is_some()
    }

    /// Everything below `relative`: folders, and files with their texts.
    fn tree(&self, relative: &str) -> Tree {
        let mut tree = BTreeMap::new();
        collect(&self.path(relative), &self.path(relative), &mut tree);
        tree
    }

    /// Replaces `to` by a copy of `from`.
    fn copy(&self, from: &str, to: &str) {
        let _ = fs::remove_dir_all(self.path(to));
        fs::create_dir_all(self.path(to)).expect("writable");
        for (path, text) in self.tree(from) {
            let (from, to) = (self.path(from).join(&path), self.path(to).join(&path));
            match text {
                None => fs::create_dir_all(to).expect("writable"),
                Some(_) => drop(fs::copy(from, to).expect("writable")),
            }
        }
    }
}

fn collect(root: &Path, folder: &Path, tree: &mut Tree) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let name = path.strip_prefix(root).expect("below").display().to_string();
        if path.is_dir() {
            tree.insert(name, None);
            collect(root, &path, tree);
        } else {
            let mode = entry.metadata().expect("there").permissions().mode();
            let text = String::from_utf8_lossy(&fs::read(&path).expect("readable")).into_owned();
            tree.insert(name, Some(format!("{mode:o} {text}")));
        }
    }
}

/// The distance of two calls at which a run is killed. One test kills at every call, the others at
/// each fifth: where a run ends is not what they differ in.
const SOME: usize = 5;

/// Counts of runs that left the old project, and of runs that left the new one.
#[derive(Debug, Default)]
struct Left {
    old: usize,
    new: usize,
}

/// For each call: kills `arguments` there over a copy of the project `old`, runs `next`, which
/// changes nothing of its own, and then `arguments` again. A disk that an earlier call left alike
/// tells nothing new: not every call changes it.
fn kill_everywhere(workshop: &Workshop, arguments: &[&str], next: &[&str]) -> Left {
    let (old, new) = (workshop.tree("old"), workshop.tree("new"));
    assert_ne!(old, new);
    let mut left = Left::default();
    let mut seen = BTreeSet::new();
    for call in 0.. {
        workshop.copy("old", "out");
        if workshop.killed_at(call, arguments) {
            assert_eq!(workshop.tree("out"), new);
            return left;
        }
        if !seen.insert(workshop.tree("out")) {
            continue;
        }
        workshop.copy("out", "killed");
        let ran = workshop.run(next);
        assert!(!ran.status.success(), "it is refused");
        let tree = workshop.tree("out");
        assert!(tree == old || tree == new, "killed at {call}: a mixture: {:?}", tree.keys());
        if tree == old {
            left.old += 1;
        } else {
            left.new += 1;
        }
        workshop.copy("killed", "out");
        workshop.done(arguments);
        assert_eq!(workshop.tree("out"), new, "killed at {call}");
    }
    left
}

const BUILD: [&str; 4] = ["build", "design/d.dsl", "-o", "out"];
const REFUSED: [&str; 4] = ["build", "design/other.dsl", "-o", "out"];

#[test]
#[ignore = "long: starts aiec hundreds of times"]
fn a_build_that_is_killed_leaves_the_old_project_or_the_new_one() {
    let workshop = Workshop::new();
    workshop.done(&["build", "design/d.dsl", "-o", "old", "-D", "N=8"]);
    workshop.write("old/notes/mine.txt", "nobody else's");
    workshop.copy("old", "new");
    workshop.done(&["build", "moved/d.dsl", "-o", "new", "--overwrite"]);
    let left = kill_everywhere(&workshop, &["build", "moved/d.dsl", "-o", "out", "--overwrite"], &REFUSED);
    assert!(left.old > 50 && left.new > 50, "{left:?}");
    let names = fs::read_dir(workshop.path("")).expect("there").flatten();
    let mut names: Vec<String> =
        names.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    assert_eq!(names, ["design", "killed", "moved", "new", "old", "out"], "nothing lies beside the projects");
}

#[test]
#[ignore = "long: starts aiec hundreds of times"]
fn a_first_build_that_is_killed_is_made_good_by_the_next() {
    let workshop = Workshop::new();
    workshop.done(&["build", "design/d.dsl", "-o", "new"]);
    let mut seen = BTreeSet::new();
    for call in (0..).step_by(SOME) {
        let _ = fs::remove_dir_all(workshop.path("deep"));
        let build = ["build", "design/d.dsl", "-o", "deep/er/out"];
        let end = workshop.killed_at(call, &build);
        if !end && !seen.insert(workshop.tree("deep")) {
            continue;
        }
        workshop.done(&build);
        assert_eq!(workshop.tree("deep/er/out"), workshop.tree("new"), "killed at {call}");
        assert_eq!(fs::read_dir(workshop.path("deep/er")).expect("there").count(), 1);
        if end {
            assert!(call > 100, "{call} calls");
            return;
        }
    }
}

#[test]
#[ignore = "long: starts aiec hundreds of times"]
fn a_run_that_is_killed_while_it_makes_good_what_was_killed_is_made_good_as_well() {
    let workshop = Workshop::new();
    workshop.done(&["build", "design/d.dsl", "-o", "old"]);
    workshop.copy("old", "new");
    workshop.done(&["build", "moved/d.dsl", "-o", "new"]);
    let (old, new) = (workshop.tree("old"), workshop.tree("new"));
    let build = ["build", "moved/d.dsl", "-o", "out"];
    let (mut killed, mut seen) = (BTreeSet::new(), BTreeSet::new());
    for first in (0..).step_by(SOME) {
        workshop.copy("old", "out");
        let end = workshop.killed_at(first, &build);
        if end {
            break;
        }
        if !killed.insert(workshop.tree("out")) {
            continue;
        }
        workshop.copy("out", "killed");
        for second in (0..).step_by(SOME) {
            workshop.copy("killed", "out");
            let end = workshop.killed_at(second, &REFUSED);
            if seen.insert(workshop.tree("out")) {
                workshop.run(&REFUSED);
                let tree = workshop.tree("out");
                assert!(tree == old || tree == new, "killed at {first} and {second}: {:?}", tree.keys());
            }
            if end {
                break;
            }
        }
    }
    assert!(killed.len() > 12 && seen.len() > 12, "{} and {}", killed.len(), seen.len());
}

#[test]
#[ignore = "long: starts aiec hundreds of times"]
fn what_was_edited_after_a_kill_is_kept() {
    let workshop = Workshop::new();
    workshop.done(&["build", "design/d.dsl", "-o", "old", "-D", "N=8"]);
    workshop.copy("old", "new");
    workshop.done(&["build", "design/d.dsl", "-o", "new", "--overwrite"]);
    let rest = |mut tree: Tree| {
        tree.remove("aie/graph.h");
        tree
    };
    let (old, new) = (rest(workshop.tree("old")), rest(workshop.tree("new")));
    let mut seen = BTreeSet::new();
    for call in (0..).step_by(SOME) {
        workshop.copy("old", "out");
        if workshop.killed_at(call, &["build", "design/d.dsl", "-o", "out", "--overwrite"]) {
            return;
        }
        if !seen.insert(workshop.tree("out")) {
            continue;
        }
        workshop.write("out/aie/graph.h", "an hour of work");
        let ran = workshop.run(&BUILD);
        assert!(!ran.status.success(), "killed at {call}");
        assert_eq!(workshop.read("out/aie/graph.h"), "an hour of work");
        let tree = rest(workshop.tree("out"));
        assert!(tree == old || tree == new, "killed at {call}: {:?}", tree.keys());
    }
}

#[test]
fn a_picture_is_never_half_written() {
    let workshop = Workshop::new();
    let place = |svg| ["place", "moved/d.dsl", "--effort", "1", "--svg", svg];
    workshop.done(&place("new.svg"));
    workshop.done(&["place", "design/d.dsl", "-D", "N=8", "--effort", "1", "--svg", "old.svg"]);
    let read = |file: &str| fs::read(workshop.path(file)).expect("there");
    workshop.write("old.svg", &String::from_utf8_lossy(&read("old.svg")).replace("</svg>", " </svg>"));
    let before = fs::read_dir(workshop.path("")).expect("there").count();
    for call in 0.. {
        fs::copy(workshop.path("old.svg"), workshop.path("a.svg")).expect("writable");
        let end = workshop.killed_at(call, &[&place("a.svg")[..], &["--overwrite"]].concat());
        let now = read("a.svg");
        assert!(now == read("old.svg") && !end || now == read("new.svg"), "killed at {call}");
        workshop.done(&[&place("a.svg")[..], &["--overwrite"]].concat());
        assert_eq!(read("a.svg"), read("new.svg"));
        assert_eq!(fs::read_dir(workshop.path("")).expect("there").count(), before + 1, "killed at {call}");
        if end {
            assert!(call >= 4, "{call} calls");
            return;
        }
    }
}

#[test]
#[ignore = "long: starts aiec hundreds of times"]
fn builds_into_one_folder_at_the_same_time_do_not_mix() {
    let workshop = Workshop::new();
    let projects = [("design/d.dsl", "old"), ("design/other.dsl", "new")];
    for (design, out) in projects {
        workshop.done(&["build", design, "-o", out]);
    }
    let (old, new) = (workshop.tree("old"), workshop.tree("new"));
    for round in 0..12 {
        let _ = fs::remove_dir_all(workshop.path("out"));
        let start = |number: usize| {
            let design = projects[number % 2].0;
            let mut command = workshop.aiec(&["build", design, "-o", "out", "--overwrite"]);
            command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("it runs")
        };
        let running: Vec<Child> = (0..4).map(start).collect();
        for child in running {
            let ran = child.wait_with_output().expect("it ends");
            assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
        }
        let tree = workshop.tree("out");
        assert!(tree == old || tree == new, "round {round}: {:?}", tree.keys());
    }
}

/// A sweep whose design changed since an earlier one, so that every file changes.
#[test]
#[ignore = "long: starts aiec a hundred times"]
fn a_sweep_that_is_killed_anywhere_goes_on_to_the_same_files() {
    let workshop = Workshop::new();
    let design = |runs: u32| {
        format!(
            "design d\ndevice toy\niterations {runs}\nconst N = 16\n\
             kernel a(in x: window int32[N], out y: window int32[N]) {{ source \"a.cc\" }}\n\
             input x from plio(32, \"x.txt\")\noutput y to plio(32, \"y.txt\")\n\
             connect x -> a.x\nconnect a.y -> y\n"
        )
    };
    let sweep = ["sweep", "s.dsl", "-D", "N=16,32", "-o", "out", "--jobs", "1"];
    for (runs, folder) in [(1, "old"), (2, "new")] {
        fs::write(workshop.path("s.dsl"), design(runs)).expect("writable");
        workshop.done(&sweep);
        workshop.copy("out", folder);
        fs::remove_dir_all(workshop.path("out")).expect("there");
    }
    let (old, new) = (workshop.tree("old"), workshop.tree("new"));
    assert!(old.keys().eq(new.keys()) && old != new);
    let mut killed = 0;
    for call in 0.. {
        workshop.copy("old", "out");
        if workshop.killed_at(call, &sweep) {
            break;
        }
        killed += 1;
        workshop.done(&sweep);
        assert_eq!(workshop.tree("out"), new, "killed at {call}");
    }
    assert!(killed > 10, "{killed} calls");
}
