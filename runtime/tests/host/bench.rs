//! Compiles a case once per test run and runs it any number of times, each time in a separate
//! folder. Takes the name of a case, returns its exit code, its outputs and its events.
#![allow(
    clippy::disallowed_methods,
    reason = "these tests compile and run C++ programs, and look at their files"
)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex, OnceLock};

use aiec_runtime::{HEADERS, LINKED, RUN};
use serde_json::Value;
use tempfile::TempDir;

/// The programs and objects compiled so far, by the sources and flags they are made of.
static PROGRAMS: Mutex<BTreeMap<String, Arc<OnceLock<PathBuf>>>> = Mutex::new(BTreeMap::new());

/// Flags that detect accesses outside of objects and undefined arithmetic.
const SANITIZERS: [&str; 2] = ["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"];

/// Flags for every program.
const OPTIONS: [&str; 5] = ["-Wall", "-Wextra", "-Werror", "-O0", "-g1"];

/// Flags for the cases, without those of sanitizers.
const CASE: [&str; 2] = ["-std=c++20", LINKED];

/// A compiled case and the folder it runs in.
pub struct Case {
    program: PathBuf,
    folder: TempDir,
}

/// The results of one run.
#[derive(Debug, PartialEq)]
pub struct Run {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
    /// Without the end event's bytes of memory, which differ from compiler to compiler.
    pub events: Vec<Value>,
    /// The events that count the windows of asynchronous ports, which every run has.
    pub windows: Vec<Value>,
    /// Bytes of the largest kernel and of all, if the run came to its end.
    pub memory: Option<(u64, u64)>,
}

impl Case {
    /// Compiles `cases/<name>.cpp`, and links it to the object of the runtime.
    pub fn new(name: &str) -> Self {
        Self::linked(&[name], &[])
    }

    /// Compiles several sources with these flags besides, and links them to that object.
    pub fn linked(names: &[&str], more: &[&str]) -> Self {
        Self::with(names, &[&CASE, more].concat())
    }

    /// Compiles several sources together, with these flags alone. Without [`LINKED`] each contains
    /// the whole runtime, which takes several times as long.
    ///
    /// With `AIEC_SANITIZE` in the environment, under AddressSanitizer and
    /// UndefinedBehaviorSanitizer.
    pub fn with(names: &[&str], flags: &[&str]) -> Self {
        let flags = [flags, sanitizers()].concat();
        let flags = flags.as_slice();
        let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
        let mut sources: Vec<PathBuf> =
            names.iter().map(|name| cases.join(name).with_extension("cpp")).collect();
        if flags.contains(&LINKED) {
            sources.push(object_of_the_runtime());
        }
        let program = once(&[names, flags].concat().join("_"), |folder| compile(folder, &sources, flags));
        let folder = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).expect("the target folder takes a new one");
        Self { program, folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Puts an input file where the program will look for it.
    pub fn input(&self, name: &str, text: &str) {
        write(&self.path(name), text);
    }

    /// A PLIO output file of the last run.
    pub fn output(&self, name: &str) -> String {
        fs::read_to_string(self.path("x86simulator_output").join(name)).expect("the run wrote this file")
    }

    pub fn run(&self) -> Run {
        self.run_with(&[])
    }

    /// Runs the program with these environment variables.
    pub fn run_with(&self, variables: &[(&str, &str)]) -> Run {
        let events = self.path("events.jsonl");
        let run = Command::new(&self.program)
            .current_dir(self.folder.path())
            .env("AIEC_SIM_EVENTS", &events)
            .envs(variables.iter().copied())
            .output()
            .expect("the compiled program runs");
        // A program without a graph writes no events.
        let lines = fs::read_to_string(&events).unwrap_or_default();
        let mut memory = None;
        let mut event = |line: &str| {
            let mut event: Value = serde_json::from_str(line).expect("every event is JSON");
            let mut take = |name| event.as_object_mut()?.remove(name)?.as_u64();
            memory = take("largest").zip(take("memory")).or(memory);
            event
        };
        // What streams moved is in every run, and its tests are those of `aiec sim`.
        let all = lines.lines().map(&mut event).filter(|event| event["event"] != "moved");
        let (windows, events) = all.partition(|event| event["event"] == "windows");
        Run {
            code: run.status.code().expect("the program ends by itself"),
            stdout: String::from_utf8(run.stdout).expect("the program prints text"),
            stderr: without_warning(&String::from_utf8(run.stderr).expect("the program complains in text")),
            events,
            windows,
            memory,
        }
    }
}

impl Run {
    /// The run succeeded and wrote nothing to standard error.
    #[track_caller]
    pub fn assert_clean(&self) {
        assert_eq!((self.code, self.stderr.as_str()), (0, ""));
    }

    /// The run failed, saying this.
    #[track_caller]
    pub fn assert_fails(&self, message: &str) {
        assert_eq!(self.code, 1, "{}", self.stderr);
        assert!(self.stderr.contains(message), "wanted: {message}\ngot: {}", self.stderr);
    }
}

/// AddressSanitizer warns about every program that switches stacks; the runtime reports each switch
/// to it.
fn without_warning(text: &str) -> String {
    text.split_inclusive('\n').filter(|line| !line.contains("makecontext")).collect()
}

/// The command of clang. Without it a line says that the test is left out.
#[allow(clippy::print_stderr, reason = "a test that is left out says so")]
pub fn clang() -> Option<&'static str> {
    let there = |name: &&str| Command::new(name).arg("--version").output().is_ok();
    let found = ["clang++", "clang++-14", "clang++-16", "clang++-18"].into_iter().find(there);
    if found.is_none() {
        eprintln!("left out: clang++ is not installed");
    }
    found
}

/// `compiler` finds nothing wrong with a case, and with these flags.
#[track_caller]
pub fn assert_compiles(compiler: &str, name: &str, flags: &[&str]) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let output = Command::new(compiler)
        .args(["-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Werror"])
        .args(flags)
        .arg("-isystem")
        .arg(root.join("include"))
        .arg(root.join("tests/cases").join(name).with_extension("cpp"))
        .output()
        .expect("the compiler can be started");
    assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
}

/// The compiler's messages for a source that it must refuse.
#[track_caller]
pub fn refused(text: &str) -> String {
    let folder = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).expect("the target folder takes a new one");
    let source = folder.path().join("refused.cpp");
    write(&source, text);
    let mut compiler = Command::new("g++");
    compiler.args(["-std=c++20", "-fsyntax-only", LINKED, "-I"]).arg(headers()).arg(&source);
    let output = compiler.output().expect("g++ is installed");
    assert!(!output.status.success(), "{text} compiles");
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The result of `make` in a separate folder, which other tests may have made already.
fn once(key: &str, make: impl FnOnce(&Path) -> PathBuf) -> PathBuf {
    let slot = Arc::clone(
        PROGRAMS.lock().expect("no test panics while it holds this").entry(key.to_owned()).or_default(),
    );
    let made = slot.get_or_init(|| {
        let folder = work().join(key);
        fs::create_dir_all(&folder).expect("the tests' folder takes folders");
        make(&folder)
    });
    made.clone()
}

/// The flags for sanitizers, if the environment asks for them.
fn sanitizers() -> &'static [&'static str] {
    if std::env::var_os("AIEC_SANITIZE").is_some() { &SANITIZERS } else { &[] }
}

/// The folder of these tests. Tests with sanitizers have one of their own, since they may run at
/// the same time.
fn work() -> PathBuf {
    let name = if sanitizers().is_empty() { "host" } else { "host_sanitized" };
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

fn object_of_the_runtime() -> PathBuf {
    once("run", |folder| {
        let object = folder.join("run.o");
        let mut compiler = Command::new("g++");
        compiler.arg("-std=c++20").args(OPTIONS).arg("-c").args(sanitizers());
        compiled(compiler.arg(headers().join(RUN)).arg("-o").arg(&object));
        object
    })
}

fn compile(folder: &Path, sources: &[PathBuf], flags: &[&str]) -> PathBuf {
    let program = folder.join("program");
    let mut compiler = Command::new("g++");
    compiler.args(OPTIONS).args(["-rdynamic", "-I"]).arg(headers()).args(flags);
    compiled(compiler.args(sources).arg("-o").arg(&program));
    program
}

#[track_caller]
fn compiled(compiler: &mut Command) {
    let output = compiler.output().expect("g++ is installed");
    assert!(output.status.success(), "{compiler:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// The headers, laid out once: the runtime knows its own lines by the folder it was compiled in.
/// Beside them lies `adf.h`, precompiled with the flags of most cases; g++ ignores it where others
/// are given.
fn headers() -> &'static Path {
    static LAID_OUT: OnceLock<PathBuf> = OnceLock::new();
    LAID_OUT.get_or_init(|| {
        let include = work().join("include");
        for (path, text) in HEADERS.iter() {
            write(&include.join(path), text);
        }
        let mut compiler = Command::new("g++");
        compiler.args(OPTIONS).arg("-w").args(CASE).args(sanitizers()).args(["-x", "c++-header"]);
        compiled(compiler.arg(include.join("adf.h")).arg("-o").arg(include.join("adf.h.gch")));
        include
    })
}

fn write(path: &Path, text: &str) {
    let parent = path.parent().expect("files of a case lie in its folder");
    fs::create_dir_all(parent).expect("the case's folder takes folders");
    fs::write(path, text).expect("the case's folder takes files");
}
