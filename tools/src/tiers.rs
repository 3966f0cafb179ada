//! Tests in tiers: those that need no C++ compiler, those that take long, and all. Cargo compiles
//! the test programs once. As many of them run at a time as there are processors, each on one
//! thread.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};
use std::time::Instant;

use aiec_system::Threads;
use cargo_metadata::{Message, MetadataCommand, PackageId};

use crate::root;

/// The compilers that a quick test must not start.
const COMPILERS: [&str; 6] = ["g++", "gcc", "c++", "cc", "clang++", "clang"];

/// Replaces the C++ compilers. Its message names the list that such a test belongs in.
const STAND_IN: &str = "#!/bin/sh
echo \"a test program that starts a C++ compiler stands in [package.metadata.cxx] of its Cargo.toml\" >&2
exit 77
";

/// Tests of the host runtime and of designs of each kind of port that run once more under
/// sanitizers: the test program and its arguments.
const SANITIZED: [(&str, &[&str]); 2] = [
    (
        "aiec_runtime host",
        &[
            "--include-ignored",
            "constructs::parameters",
            "constructs::buffers",
            "constructs::kernel",
            "locks::",
            "strays::iterators",
            "--skip",
            "clang",
        ],
    ),
    (
        "aiec_tests designs",
        &[
            "--include-ignored",
            "designs::kernel_classes_have_parameters_and_a_state_of_their_own",
            "designs::buffers_are_acquired_as_often_as_the_data_asks",
        ],
    ),
];

/// The programs that take longest. They start first, so that none of them ends long after all
/// others.
const FIRST: [&str; 19] = [
    "aiec_tests simulation",
    "aiec_tests examples",
    "aiec_runtime host",
    "aiec_tests projects",
    "aiec_tests witness",
    "aiec_tests adf_graphs",
    "aiec_host_run describe",
    "aiec_tests matrix",
    "aiec_codegen collectives",
    "aiec_tests foreign",
    "aiec_placer refuse",
    "aiec interrupted",
    "aiec_tests designs",
    "aiec_tests mangled",
    "aiec_tests choices",
    "aiec_event_model times",
    "aiec_placer constraints",
    "aiec_tests report",
    "aiec_tests why",
];

/// Seconds after which a test program hangs: several times what the longest takes on a slow
/// machine.
const PATIENCE: &str = "900";

/// The exit status of `timeout` for a program that took longer.
const HANGS: i32 = 124;

/// Selects the tests that take long.
const IGNORED: &str = "--ignored";

/// The main file of a program whose modules are test files. Each of them runs by itself.
const SEVERAL: &str = "all.rs";

/// Cargo in the folder of the workspace.
pub(crate) fn cargo<'a>(arguments: impl IntoIterator<Item = &'a str>) -> Command {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.current_dir(root()).args(arguments);
    cargo
}

/// A test program, or one test file of a program that has several.
struct Program {
    /// Its package, and its own name or that of the file.
    name: String,
    /// The folder of its package.
    folder: String,
    /// The executable.
    path: String,
    /// The tests of the file. Empty for a whole program.
    tests: Vec<String>,
    /// True if it is in a list `[package.metadata.cxx] tests` of a `Cargo.toml`.
    needs_compiler: bool,
}

/// A run of a program with arguments and a variable of the environment.
struct Run<'a> {
    /// The name of the test program, or what else is run.
    name: &'a str,
    /// The folder in which it runs.
    folder: &'a str,
    /// The executable and its arguments.
    command: Vec<&'a str>,
    variable: Option<(&'a str, &'a str)>,
}

/// Runs the test programs that need no C++ compiler. The compilers are replaced by stand-ins that
/// fail.
pub(crate) fn quick() -> Result<(), String> {
    let path = path_without_compilers()?;
    let programs = programs()?;
    let quick = programs.iter().filter(|program| !program.needs_compiler);
    let mut runs: Vec<Run<'_>> = quick.map(|program| program.run(&[], Some(("PATH", &path)))).collect();
    longest_first(&mut runs);
    run_all(&runs)
}

/// Writes the stand-ins for the compilers. Returns a search path that begins with their folder.
fn path_without_compilers() -> Result<String, String> {
    let tools = root().join("target/no_compiler");
    let unwritable = |error: std::io::Error| format!("{}: {error}", tools.display());
    fs::create_dir_all(&tools).map_err(unwritable)?;
    for name in COMPILERS {
        fs::write(tools.join(name), STAND_IN).map_err(unwritable)?;
        fs::set_permissions(tools.join(name), fs::Permissions::from_mode(0o755)).map_err(unwritable)?;
    }
    Ok(format!("{}:{}", tools.display(), std::env::var("PATH").unwrap_or_default()))
}

/// The tests that are ignored because they take long, and some others with sanitizers.
pub(crate) fn long() -> Result<(), String> {
    slow(IGNORED)
}

/// Every test, and some once more with sanitizers.
pub(crate) fn all() -> Result<(), String> {
    slow("--include-ignored")
}

/// Runs the tests of every program that `which` selects, and those with sanitizers. Tests of the
/// quick tier have no C++ compiler, as in [`quick`]. The long tests of their programs have one.
fn slow(which: &str) -> Result<(), String> {
    let path = path_without_compilers()?;
    let programs = programs()?;
    let mut runs = Vec::new();
    for (name, arguments) in SANITIZED {
        let program = programs.iter().find(|program| program.name == name).ok_or(name)?;
        runs.push(program.run(arguments, Some(("AIEC_SANITIZE", "1"))));
    }
    let arguments = &[which];
    for program in &programs {
        if program.needs_compiler || which == IGNORED {
            runs.push(program.run(arguments, None));
        } else {
            runs.push(program.run(&[], Some(("PATH", &path))));
            runs.push(program.run(&[IGNORED], None));
        }
    }
    let folder = root().display().to_string();
    if which != IGNORED {
        let command = vec![env!("CARGO"), "test", "--locked", "--doc"];
        // Not the last, since it runs by itself for half a minute.
        runs.insert(
            0,
            Run { name: "examples of the documentation", folder: &folder, command, variable: None },
        );
    }
    if let Some(name) = FIRST.iter().find(|name| programs.iter().all(|program| program.name != **name)) {
        return Err(format!("there is no test program {name}"));
    }
    longest_first(&mut runs);
    run_all(&runs)
}

/// Puts the programs of [`FIRST`] first.
fn longest_first(runs: &mut [Run<'_>]) {
    runs.sort_by_key(|run| FIRST.iter().position(|name| run.name == *name).unwrap_or(FIRST.len()));
}

/// Runs test programs. Prints a line for each, and the output of those that fail.
fn run_all(runs: &[Run]) -> Result<(), String> {
    let started = Instant::now();
    let threads = Threads::new(None);
    let failed: Vec<&str> = threads.map(runs.len(), |at| runs[at].failure()).into_iter().flatten().collect();
    println!("{} test programs in {:.0} s", runs.len(), started.elapsed().as_secs_f64());
    if failed.is_empty() { Ok(()) } else { Err(format!("failed: {}", failed.join(", "))) }
}

impl Program {
    /// A run of its tests, each after the other. Arguments that name tests replace those of the
    /// file.
    fn run<'a>(&'a self, arguments: &'a [&'a str], variable: Option<(&'a str, &'a str)>) -> Run<'a> {
        let names_tests = arguments.iter().any(|argument| !argument.starts_with("--"));
        let tests = if names_tests { &[] } else { self.tests.as_slice() };
        let exact = (!tests.is_empty()).then_some("--exact");
        let mut command = vec![self.path.as_str(), "--test-threads=1"];
        command.extend(
            exact.into_iter().chain(tests.iter().map(String::as_str)).chain(arguments.iter().copied()),
        );
        Run { name: &self.name, folder: &self.folder, command, variable }
    }
}

impl Run<'_> {
    /// The name of the program if it fails.
    fn failure(&self) -> Option<&str> {
        let started = Instant::now();
        // A test that hangs would leave no word about which one it is.
        let mut test = Command::new("timeout");
        test.current_dir(self.folder)
            .args(["--kill-after=5", PATIENCE])
            .args(&self.command)
            .envs(self.variable);
        let (code, said) = match test.output() {
            Ok(output) => (output.status.code(), [output.stdout, output.stderr].concat()),
            Err(error) => (None, error.to_string().into_bytes()),
        };
        let name = self.name;
        println!("{name}: {:.1} s", started.elapsed().as_secs_f64());
        if code == Some(0) {
            return None;
        }
        println!("{}", String::from_utf8_lossy(&said));
        if code == Some(HANGS) {
            println!("{name} was still running after {PATIENCE} s");
        }
        Some(name)
    }
}

/// The test files of a program that has several, with their tests, whose names begin with that of
/// the file.
fn files(program: &str) -> Result<BTreeMap<String, Vec<String>>, String> {
    let list = Command::new(program).args(["--list", "--format=terse"]).output();
    let list = list.map_err(|error| error.to_string())?.stdout;
    let mut files: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for name in String::from_utf8_lossy(&list).lines().filter_map(|line| line.strip_suffix(": test")) {
        if let Some((file, _)) = name.split_once("::") {
            files.entry(file.to_owned()).or_default().push(name.to_owned());
        }
    }
    Ok(files)
}

/// Compiles all test programs.
fn programs() -> Result<Vec<Program>, String> {
    let metadata = MetadataCommand::new().manifest_path(root().join("Cargo.toml")).no_deps().exec();
    let metadata = metadata.map_err(|error| error.to_string())?;
    let packages: BTreeMap<&PackageId, _> =
        metadata.packages.iter().map(|package| (&package.id, package)).collect();
    let mut build = cargo(["test", "--locked", "--workspace", "--lib", "--bins", "--tests", "--no-run"]);
    // With features of criterion's dependencies, cargo would compile all once more.
    build.args(["--exclude", "aiec_event_model_benches", "--exclude", "aiec_fuzz"]);
    build.arg("--message-format=json-render-diagnostics");
    build.stderr(Stdio::inherit());
    let output = build.output().map_err(|error| error.to_string())?;
    if !output.status.success() {
        return Err("the tests do not compile".into());
    }
    let mut programs = Vec::new();
    for message in Message::parse_stream(output.stdout.as_slice()) {
        let Message::CompilerArtifact(artifact) = message.map_err(|error| error.to_string())? else {
            continue;
        };
        let (Some(path), Some(package)) = (&artifact.executable, packages.get(&artifact.package_id)) else {
            continue;
        };
        if !artifact.profile.test {
            continue;
        }
        let listed = package.metadata["cxx"]["tests"].as_array();
        let is_listed = |name: &str| listed.is_some_and(|names| names.iter().any(|listed| *listed == name));
        let folder = package.manifest_path.parent().map_or_else(String::new, ToString::to_string);
        let target = &artifact.target;
        let program = |name: &str, tests: Vec<String>| Program {
            name: format!("{} {name}", package.name),
            folder: folder.clone(),
            path: path.to_string(),
            tests,
            needs_compiler: target.is_test() && is_listed(name),
        };
        if target.src_path.file_name() == Some(SEVERAL) {
            programs.extend(files(path.as_str())?.into_iter().map(|(file, tests)| program(&file, tests)));
        } else {
            programs.push(program(&target.name, Vec::new()));
        }
    }
    programs.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(programs)
}
