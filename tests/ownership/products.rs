//! Results beside the project: files written on request, and what git passes over.

use std::fs;
use std::process::Command;

use aiec_test_support::folder::DESIGN;
use aiec_tests::aiec;
use serde_json::Value;

use super::Workshop;

/// The text of a file without the line by which aiec knows it.
fn without_mark(text: &str) -> String {
    let (mark, data): (Vec<&str>, Vec<&str>) =
        text.lines().partition(|line| line.starts_with("  \"generated\": \"by aiec "));
    assert_eq!(mark.len(), 1, "{text}");
    data.iter().map(|line| format!("{line}\n")).collect()
}

#[test]
fn constraints_and_reports_of_ones_own_are_written_on_request() {
    let workshop = Workshop::new();
    workshop.built(&[]);
    let tree = workshop.tree();
    assert!(!tree.keys().any(|path| path.contains("aiecst")), "{:?}", tree.keys());
    let in_project: Value = serde_json::from_str(&workshop.read("out/aiec-report.json")).expect("JSON");
    let [design, report, aiecst] =
        ["design/d.dsl", "report.json", "d.aiecst"].map(|path| workshop.name(path));
    for arguments in [["report", &design, "--json", &report], ["report", "--json", &report, &design]] {
        let ran = aiec(arguments);
        assert_eq!((ran.status, ran.out.as_str()), (0, ""), "{}", ran.err);
        for printed in [["report", "--json", &design], ["report", &design, "--json"]] {
            assert_eq!(aiec(printed).out, without_mark(&workshop.read("report.json")));
        }
        let mut written: Value = serde_json::from_str(&workshop.read("report.json")).expect("JSON");
        written["generated"] = in_project["generated"].clone();
        assert_eq!(written, in_project, "the project has the same report");
        fs::remove_file(workshop.path("report.json")).expect("written");
    }
    let ran = aiec(["report", "--json", &design, &design]);
    assert_eq!(ran.status, 2, "a design is not written over: {}", ran.err);
    assert_eq!(workshop.read("design/d.dsl"), DESIGN);

    let ran = aiec(["place", &design, "--aiecst", &aiecst]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    let constraints: Value = serde_json::from_str(&workshop.read("d.aiecst")).expect("JSON");
    assert!(constraints["NodeConstraints"]["g.a"]["reserved_memory"]["bankId"].is_u64(), "{constraints:#}");
    let shim = &constraints["NodeConstraints"]["i"]["shim"];
    assert!(shim["column"].is_u64() && shim["channel"].is_null(), "a GMIO: {shim}");
}

#[test]
#[allow(clippy::print_stderr, reason = "a test that is left out says so")]
fn git_passes_over_what_tools_and_runs_leave_and_over_nothing_else() {
    let workshop = Workshop::new();
    workshop.built(&[]);
    let git =
        |arguments: &[&str]| Command::new("git").arg("-C").arg(workshop.path("out")).args(arguments).output();
    if git(&["init", "-q"]).is_err() {
        eprintln!("left out: there is no git");
        return;
    }
    let ignored = |path: &str| git(&["check-ignore", "-q", path]).expect("git runs").status.success();
    for product in [
        "Work/ps/c_rts/aie_control.cpp",
        "Work_x86/.done",
        "libadf.a",
        "s2mm_32.xo",
        "design.xsa",
        "design.xclbin",
        "host.exe",
        "package/sd_card.img",
        "package_hw_emu/a.txt",
        "_x/link.log",
        "x86simulator_output/data/o.txt",
        "aiesimulator_output/default.aierun_summary",
        "AIECompiler.log",
        "data/o.txt",
    ] {
        assert!(ignored(product), "{product}");
    }
    for file in workshop.tree().keys().filter(|file| !file.starts_with(".git/")) {
        assert!(!ignored(file), "{file}");
    }
    assert!(ignored("data/o.txt") && !ignored("data/o2.txt"));
}
