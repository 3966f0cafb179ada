//! `aiec explain`, and `--message-format`: diagnostics for logs, code scanning and GitHub.
#![allow(clippy::disallowed_methods, reason = "the test prepares a design")]

use aiec_tests::aiec;
use serde_json::Value;

/// Standard error of a check of a design with a fault, in this format. Nothing else is printed.
fn faults_as(format: &str, good: bool) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("d.dsl");
    let to = if good { "b" } else { "c" };
    let text = format!(
        "design d\ndevice xcvc1902\nkernel a(out y: window int32[8]) {{ source \"a.cc\" }}\nkernel \
         b(in x: window int32[8]) {{ source \"b.cc\" }}\nconnect a.y -> {to}.x\n"
    );
    std::fs::write(&file, text).expect("written");
    let ran = aiec(["check", "--message-format", format, &file.display().to_string()]);
    assert_eq!((ran.status, ran.out.as_str()), (u8::from(!good), ""), "{}", ran.err);
    ran.err.replace(&folder.path().display().to_string(), "")
}

#[test]
fn faults_have_the_forms_of_compilers_code_scanning_and_annotations() {
    let short = faults_as("short", false);
    assert_eq!(
        short,
        "/d.dsl:5:16: error: there is no kernel, input or output called `c` [lower/unknown-name]\n"
    );
    let github = faults_as("github", false);
    assert!(github.starts_with("::error title=lower/unknown-name,file=/d.dsl,line=5,"), "{github}");
    let sarif: Value = serde_json::from_str(&faults_as("sarif", false)).expect("JSON");
    assert_eq!(sarif["version"], "2.1.0");
    assert_eq!(sarif["runs"][0]["results"][0]["ruleId"], "lower/unknown-name");
    let none: Value = serde_json::from_str(&faults_as("sarif", true)).expect("JSON");
    assert_eq!(none["runs"][0]["results"], Value::Array(Vec::new()));
    assert_eq!(faults_as("github", true), "");
    assert_eq!(faults_as("json", true).trim(), "[]");
}

#[test]
fn several_designs_are_checked_to_the_end_and_the_worst_decides() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str, device: &str, port: &str| {
        let path = folder.path().join(name).display().to_string();
        let text = format!(
            "design d\ndevice {device}\nkernel a(out y: window int32[8]) {{ source \"a.cc\" }}\nkernel b(in x: window \
             int32[8]) {{ source \"b.cc\" }}\nconnect a.y -> b.{port}\n"
        );
        std::fs::write(&path, text).expect("written");
        path
    };
    let designs = [file("a.dsl", "xcvc1902", "z"), file("b.dsl", "xcvc1902", "x"), file("c.dsl", "nothing", "x")];
    let check = |designs: &[String]| {
        let options = ["check", "--no-cxx", "--message-format", "json"].map(str::to_owned);
        aiec(options.iter().chain(designs))
    };
    let all = check(&designs);
    assert_eq!((all.status, all.out.as_str()), (1, ""));
    let found: Value = serde_json::from_str(&all.err).expect("one list");
    let slugs = found.as_array().expect("a list").iter().map(|one| (&one["slug"], &one["labels"][0]["file"]));
    let expected = [("lower/unknown-port", &designs[0]), ("input/unknown-device", &designs[2])];
    assert!(slugs.eq(expected.iter().map(|(slug, file)| (slug, file))), "{found:#}");
    assert_eq!(check(&designs[1..2]).status, 0);
}

#[test]
fn every_diagnostic_is_explained() {
    let list = aiec(["explain"]);
    assert!(list.out.lines().count() > 50);
    // Headings stand at the margin, slugs below them.
    for line in list.out.lines().filter(|line| line.starts_with(' ')) {
        let slug = line.split_whitespace().next().expect("a slug");
        assert_eq!(aiec(["explain", slug]).status, 0, "{slug}");
    }
    assert_eq!(aiec(["explain", "check/nothing"]).status, 1);
    let slip = aiec(["explain", "check/kernel-memry"]);
    assert!(slip.status == 1 && slip.err.contains("did you mean `check/kernel-memory`"), "{}", slip.err);
    assert_eq!(aiec(["explain", "sync-cycle"]).out, aiec(["explain", "check/sync-cycle"]).out);
    let both = aiec(["explain", "gave-up"]);
    assert!(both.status == 1 && both.err.contains("`place/gave-up` or `route/gave-up`"), "{}", both.err);
}
