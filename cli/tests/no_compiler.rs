//! What works without a C++ compiler: a build, and what concerns the machine. Golden data need
//! one, since they come from a run.
#![allow(clippy::disallowed_methods, reason = "tests start programs")]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};

#[test]
fn a_plain_build_starts_no_program_and_golden_data_need_a_compiler() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let design = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/pipeline.dsl");
    let out = folder.path().join("project");
    let build = |extra: &[&str]| -> Output {
        let mut aiec = Command::new(env!("CARGO_BIN_EXE_aiec"));
        aiec.arg("build").arg(&design).arg("-o").arg(&out).args(extra);
        // No program is found by its name.
        aiec.env("PATH", folder.path()).output().expect("aiec starts")
    };
    let plain = build(&[]);
    assert!(plain.status.success(), "{}", String::from_utf8_lossy(&plain.stderr));
    assert!(out.join("sw/host.cpp").is_file() && !out.join("data/golden").exists());
    let golden = build(&["--golden"]);
    let said = String::from_utf8_lossy(&golden.stderr).into_owned();
    assert!(golden.status.code() == Some(1) && said.contains("sim/compiler"), "{said}");
    assert!(!out.join("data/golden").exists(), "nothing is half written");
}

/// A program in a folder that is all of PATH: a solver, and a compiler that says its version.
#[test]
fn the_doctor_finds_what_is_in_the_path_and_says_what_it_enables() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    for (name, text) in [("cbc", ""), ("my-cxx", "#!/bin/sh\necho my-cxx 12.2\necho more\n")] {
        let file = folder.path().join(name);
        fs::write(&file, text).expect("writable");
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).expect("it is there");
    }
    let mut aiec = Command::new(env!("CARGO_BIN_EXE_aiec"));
    aiec.args(["doctor", "--cxx", "my-cxx"]).env("PATH", folder.path());
    let ran = aiec.env_remove("XILINX_VITIS").output().expect("aiec starts");
    let said = String::from_utf8_lossy(&ran.stdout).into_owned();
    assert!(ran.status.success(), "{said}");
    let lines: Vec<String> =
        said.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    let cbc = folder.path().join("cbc").display().to_string();
    for line in [
        "C++ compiler: my-cxx 12.2 sim, graphs in C++, the C++ of kernels in check, build --golden",
        "Vitis: not found make x86sim, aiesim and hw in projects",
        &format!("cbc: {cbc} --solver cbc"),
        "glpsol: not found --solver glpk",
    ] {
        assert!(lines.iter().any(|said| said == line), "{line}\n{said}");
    }
}

/// `script` gives the command a terminal. The compiler takes its time, and then fails.
#[test]
#[ignore = "long: waits for a slow compiler"]
fn a_terminal_shows_what_a_simulation_waits_for() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let (graph, slow) = (folder.path().join("graph.cpp"), folder.path().join("slow-cxx"));
    fs::write(&graph, "#include <adf.h>\n").expect("writable");
    fs::write(&slow, "#!/bin/sh\nsleep 2\nexit 1\n").expect("writable");
    fs::set_permissions(&slow, fs::Permissions::from_mode(0o755)).expect("it is there");
    let aiec = env!("CARGO_BIN_EXE_aiec");
    let command = format!("{aiec} sim --cxx {} {}", slow.display(), graph.display());
    let mut script = Command::new("script");
    script.args(["-qec", &command, "/dev/null"]).env_remove("CI").env("XDG_CACHE_HOME", folder.path());
    let ran = script.output().expect("script of util-linux");
    let said = String::from_utf8_lossy(&ran.stdout).into_owned();
    assert!(said.contains("compiling the graph [1s]"), "{said}");
}

#[test]
fn shells_and_the_manual_know_every_command() {
    let aiec = |arguments: &[&str]| -> Output {
        let mut aiec = Command::new(env!("CARGO_BIN_EXE_aiec"));
        aiec.args(arguments).output().expect("aiec starts")
    };
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = aiec(&["completions", shell]);
        let text = String::from_utf8_lossy(&script.stdout).into_owned();
        assert!(script.status.success(), "{shell}");
        for word in ["check", "doctor", "deny", "import"] {
            assert!(text.contains(word), "{shell} does not complete `{word}`");
        }
    }
    for (commands, title) in
        [(&[][..], "aiec"), (&["check"], "aiec-check"), (&["new", "kernel"], "aiec-new-kernel")]
    {
        let page = aiec(&[&["man"], commands].concat());
        let text = String::from_utf8_lossy(&page.stdout).into_owned();
        assert!(page.status.success() && text.contains(&format!(".TH {title} 1")), "{text}");
    }
    let unknown = aiec(&["man", "nonsense"]);
    let said = String::from_utf8_lossy(&unknown.stderr).into_owned();
    assert!(unknown.status.code() == Some(2) && said.contains("no command `nonsense`"), "{said}");
}
