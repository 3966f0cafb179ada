//! `aiec watch`: a scripted run that saves files and ends with Ctrl-C.
#![allow(clippy::disallowed_methods, reason = "tests write files, start programs and wait")]

use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use aiec_test_support::folder::Folder;

const DESIGN: &str = "import \"parts.dsl\"
design d
device toy
instance p of part
output o to plio(32, \"o.txt\")
connect p.y -> o
";
const PART: &str = "device toy
component part(out y: window int32[16]) {
    kernel a(out y: window int32[16]) { source \"a.cc\" }
    connect a.y -> y
}
";

/// A running `aiec watch`, and the lines that it prints.
struct Watching {
    child: Child,
    lines: Receiver<String>,
}

impl Watching {
    fn start(folder: &Folder, arguments: &[&str]) -> Self {
        // The parent of the tests may ignore signals.
        let mut command = Command::new("env");
        command.args(["--default-signal=INT", "sh", "-c", "exec \"$0\" watch \"$@\" 2>&1"]);
        command.arg(env!("CARGO_BIN_EXE_aiec")).args(arguments);
        command.current_dir(folder.path("")).stdin(Stdio::null());
        let mut child = command.stdout(Stdio::piped()).spawn().expect("aiec starts");
        let (sender, lines) = channel();
        forward(child.stdout.take().expect("a pipe"), sender);
        Self { child, lines }
    }

    /// Waits for a line that contains all words.
    fn wait_for(&self, words: &str) {
        let mut said = Vec::new();
        loop {
            let line = self.lines.recv_timeout(Duration::from_secs(60));
            assert!(line.is_ok(), "no line with {words:?} in {said:#?}");
            let line = line.unwrap_or_default();
            if line.contains(words) {
                return;
            }
            said.push(line);
        }
    }
}

fn forward(stream: impl std::io::Read + Send + 'static, sender: Sender<String>) {
    std::thread::spawn(move || {
        for line in BufReader::new(stream).lines().map_while(Result::ok) {
            let _ = sender.send(line);
        }
    });
}

#[test]
fn each_saved_file_is_checked_and_ctrl_c_ends_it() {
    let folder = Folder::with(&[("d.dsl", DESIGN), ("parts.dsl", PART), ("a.cc", "// a\n")]);
    let save = |file: &str, text: &str| fs::write(folder.path(file), text).expect("writable");
    let mut watching = Watching::start(&folder, &["--no-cxx", "d.dsl"]);
    watching.wait_for("no fault found");
    watching.wait_for("watching 3 files");

    save("d.dsl", &DESIGN.replace("p.y", "p.z"));
    watching.wait_for("d.dsl changed");
    watching.wait_for("lower/unknown-name");
    watching.wait_for("watching ");

    save("d.dsl", DESIGN);
    watching.wait_for("no fault found");
    watching.wait_for("watching ");

    // An imported file that goes and comes back.
    fs::remove_file(folder.path("parts.dsl")).expect("removed");
    watching.wait_for("parts.dsl");
    watching.wait_for("watching ");
    save("parts.dsl", PART);
    watching.wait_for("no fault found");
    watching.wait_for("watching ");

    // A kernel source, which the design names.
    save("a.cc", "// another text\n");
    watching.wait_for("a.cc changed");
    watching.wait_for("no fault found");
    watching.wait_for("watching ");

    let kill = Command::new("kill").args(["-INT", &watching.child.id().to_string()]).status();
    assert!(kill.expect("kill starts").success());
    let ended = watching.child.wait().expect("it ends");
    assert_eq!(ended.signal(), Some(2), "{ended:?}");
    let left = fs::read_dir(folder.path("")).expect("there").count();
    assert_eq!(left, 3, "nothing lies beside the files");
}

#[test]
fn a_design_that_is_not_there_at_the_start_ends_it_as_it_ends_check() {
    let folder = tempfile::tempdir().expect("a folder");
    let missing = folder.path().join("none.dsl");
    let run = |command: &str| {
        let ran = Command::new(env!("CARGO_BIN_EXE_aiec")).arg(command).arg(&missing).output();
        let ran = ran.expect("aiec starts");
        (ran.status.code(), String::from_utf8_lossy(&ran.stderr).into_owned())
    };
    let (status, said) = run("watch");
    assert!(said.contains("input/unreadable-file") && said.contains("none.dsl"), "{said}");
    assert_eq!((status, &said), (Some(1), &run("check").1));
}

#[test]
fn standard_input_is_no_file() {
    let ran = Command::new(env!("CARGO_BIN_EXE_aiec")).args(["watch", "-"]).output().expect("aiec starts");
    assert_eq!(ran.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&ran.stderr).contains("standard input"));
}
