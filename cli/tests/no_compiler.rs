//! A build needs no C++ compiler. Golden data need one, since they come from a run.
#![allow(clippy::disallowed_methods, reason = "tests start programs")]

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
