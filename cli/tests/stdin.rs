//! Designs from standard input: `-` in place of a path.
#![allow(clippy::disallowed_methods, reason = "tests start programs")]

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

const KERNELS: &str = "kernel a(out y: window int32[8]) { source \"a.cc\" }\n\
                       kernel b(in x: window int32[8]) { source \"b.cc\" }\n\
                       connect a.y -> b.x\n";

/// Runs `aiec` in `folder` with these bytes as standard input.
fn aiec(arguments: &[&str], input: &[u8], folder: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_aiec"));
    command.args(arguments).current_dir(folder);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("aiec starts");
    // A command that refuses its arguments does not read.
    let _ = child.stdin.take().expect("a pipe").write_all(input);
    child.wait_with_output().expect("aiec ends")
}

#[test]
fn a_design_comes_from_a_pipe_with_paths_from_the_working_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("parts.dsl"), "component c(in x: window int32[8]) { }\n")
        .expect("written");
    let header = "design d\ndevice xcvc1902\n";
    let good = aiec(&["check", "--no-cxx", "-"], format!("{header}{KERNELS}").as_bytes(), folder.path());
    assert!(good.status.success(), "{}", String::from_utf8_lossy(&good.stderr));
    let text = format!("{header}import \"parts.dsl\"\n{KERNELS}connect a.z -> b.x\n");
    let bad = aiec(&["check", "--no-cxx", "--message-format", "short", "-"], text.as_bytes(), folder.path());
    assert_eq!(bad.status.code(), Some(1));
    let said = String::from_utf8_lossy(&bad.stderr).into_owned();
    assert!(said.starts_with("<stdin>:7:11: error: `a` has no port called `z`"), "{said}");
}

#[test]
fn a_project_of_a_piped_design_lies_in_the_working_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["a.cc", "b.cc"] {
        std::fs::write(folder.path().join(name), "#include <adf.h>\n").expect("written");
    }
    let text = format!("design d\ndevice xcvc1902\n{KERNELS}");
    let built = aiec(&["build", "-"], text.as_bytes(), folder.path());
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    assert!(folder.path().join("build/d/aie/graph.h").is_file());
    let again = aiec(&["build", "--check", "-"], text.as_bytes(), folder.path());
    assert!(again.status.success(), "{}", String::from_utf8_lossy(&again.stderr));
}

#[test]
fn a_piped_side_of_a_comparison_is_called_standard_input() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = format!("design d\ndevice xcvc1902\n{KERNELS}");
    std::fs::write(folder.path().join("d.dsl"), &text).expect("written");
    let ran = aiec(&["diff", "-", "d.dsl"], text.as_bytes(), folder.path());
    let said = String::from_utf8_lossy(&ran.stdout).into_owned();
    assert!(ran.status.success() && said.contains("standard input"), "{said}");
    assert!(said.lines().all(|line| line.split_whitespace().last() != Some("-")), "{said}");
}

#[test]
fn standard_input_is_formatted_but_not_written_and_has_a_limit() {
    let folder = tempfile::tempdir().expect("a folder");
    let formatted = aiec(&["fmt", "-"], b"design   d device toy", folder.path());
    assert_eq!(String::from_utf8_lossy(&formatted.stdout), "design d\ndevice toy\n");
    let written = aiec(&["fmt", "--write", "-"], b"design d device toy", folder.path());
    assert_eq!(written.status.code(), Some(1));
    for (bytes, slug) in [(vec![b' '; (4 << 20) + 1], "input/file-too-large"), (vec![0xff], "input/not-utf8")]
    {
        let refused = aiec(&["check", "-"], &bytes, folder.path());
        let said = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert!(refused.status.code() == Some(1) && said.contains(slug), "{said}");
    }
}
