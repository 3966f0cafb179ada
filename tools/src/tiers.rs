//! Tests in tiers: those that need no C++ compiler, all that `cargo test` runs, and those that take
//! long.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};
use std::time::Instant;

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
/// sanitizers.
const SANITIZED: [&[&str]; 2] = [
    &[
        "-p",
        "aiec_runtime",
        "--test",
        "host",
        "--",
        "--include-ignored",
        "constructs::parameters",
        "constructs::buffers",
        "constructs::kernel",
        "locks::",
        "strays::iterators",
        "--skip",
        "clang",
    ],
    &["-p", "aiec_tests", "--test", "designs", "--", "--include-ignored", "classes", "acquired"],
];

/// Cargo in the folder of the workspace.
pub(crate) fn cargo<'a>(arguments: impl IntoIterator<Item = &'a str>) -> Command {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.current_dir(root()).args(arguments);
    cargo
}

fn succeed(command: &mut Command, what: &str) -> Result<(), String> {
    let status = command.status().map_err(|error| format!("{what}: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{what}: {status}")) }
}

/// `cargo test`, then the tests that take long.
pub(crate) fn all() -> Result<(), String> {
    succeed(&mut cargo(["test", "--locked"]), "cargo test")?;
    long()
}

/// The tests that are ignored because they take long, and some others with sanitizers.
pub(crate) fn long() -> Result<(), String> {
    let ignored = ["test", "--locked", "--workspace", "--lib", "--bins", "--tests", "--", "--ignored"];
    succeed(&mut cargo(ignored), "long tests")?;
    for tests in SANITIZED {
        let mut test = cargo(["test", "--locked"]);
        succeed(test.args(tests).env("AIEC_SANITIZE", "1"), "tests with sanitizers")?;
    }
    Ok(())
}

/// A test program: the folder of its package, its name, and where it is.
struct Program {
    folder: String,
    name: String,
    path: String,
}

/// Runs the test programs that are not in a list `[package.metadata.cxx] tests` of a `Cargo.toml`.
/// C++ compilers are replaced by stand-ins that fail.
pub(crate) fn quick() -> Result<(), String> {
    let programs = programs()?;
    let tools = root().join("target/no_compiler");
    let unwritable = |error: std::io::Error| format!("{}: {error}", tools.display());
    fs::create_dir_all(&tools).map_err(unwritable)?;
    for name in COMPILERS {
        fs::write(tools.join(name), STAND_IN).map_err(unwritable)?;
        fs::set_permissions(tools.join(name), fs::Permissions::from_mode(0o755)).map_err(unwritable)?;
    }
    let path = format!("{}:{}", tools.display(), std::env::var("PATH").unwrap_or_default());
    let started = Instant::now();
    let mut failed = Vec::new();
    for program in &programs {
        let mut test = Command::new(&program.path);
        let test = test.current_dir(&program.folder).arg("--quiet").env("PATH", &path);
        if succeed(test, &program.name).is_err() {
            failed.push(program.name.as_str());
        }
    }
    println!("{} test programs in {:.0} s", programs.len(), started.elapsed().as_secs_f64());
    if failed.is_empty() { Ok(()) } else { Err(format!("failed: {}", failed.join(", "))) }
}

/// Compiles all test programs. Returns those that need no C++ compiler.
fn programs() -> Result<Vec<Program>, String> {
    let metadata = MetadataCommand::new().manifest_path(root().join("Cargo.toml")).no_deps().exec();
    let metadata = metadata.map_err(|error| error.to_string())?;
    let packages: BTreeMap<&PackageId, _> =
        metadata.packages.iter().map(|package| (&package.id, package)).collect();
    let mut build = cargo(["test", "--locked", "--workspace", "--lib", "--bins", "--tests", "--no-run"]);
    build.arg("--message-format=json-render-diagnostics").stderr(Stdio::inherit());
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
        let listed = package.metadata["cxx"]["tests"].as_array();
        let name = &artifact.target.name;
        let needs_compiler = artifact.target.is_test()
            && listed.is_some_and(|names| names.iter().any(|listed| *listed == name.as_str()));
        if artifact.profile.test && !needs_compiler {
            let folder = package.manifest_path.parent().map_or_else(String::new, ToString::to_string);
            programs.push(Program {
                folder,
                name: format!("{} {name}", package.name),
                path: path.to_string(),
            });
        }
    }
    programs.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(programs)
}
