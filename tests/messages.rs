//! `aiec explain`, and `--message-format`: diagnostics for logs, code scanning and GitHub.
#![allow(clippy::disallowed_methods, reason = "the test prepares a design")]

use aiec_tests::schema::faults_of_sarif;
use aiec_tests::{aiec, aiec_on};
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
    let sarif = faults_as("sarif", false);
    assert!(faults_of_sarif(&sarif).is_empty(), "{:#?}", faults_of_sarif(&sarif));
    let sarif: Value = serde_json::from_str(&sarif).expect("JSON");
    assert_eq!(sarif["version"], "2.1.0");
    assert_eq!(sarif["runs"][0]["results"][0]["ruleId"], "lower/unknown-name");
    let none: Value = serde_json::from_str(&faults_as("sarif", true)).expect("JSON");
    assert_eq!(none["runs"][0]["results"], Value::Array(Vec::new()));
    assert_eq!(faults_as("github", true), "");
    assert_eq!(faults_as("json", true).trim(), "[]");
}

#[test]
fn the_schema_tells_a_wrong_log_from_a_right_one() {
    let right: Value = serde_json::from_str(&faults_as("sarif", false)).expect("JSON");
    let spoil: [fn(&mut Value); 8] = [
        |log| log["version"] = "2.1".into(),
        |log| log["runs"] = 1.into(),
        |log| log["runs"][0]["results"][0]["level"] = "fatal".into(),
        |log| log["runs"][0]["results"][0]["locations"][0]["place"] = "here".into(),
        |log| log["runs"][0]["results"][0]["ruleIndex"] = (-2).into(),
        |log| log["runs"][0]["tool"]["driver"]["informationUri"] = "no address".into(),
        |log| log["runs"][0]["tool"]["driver"]["rules"] = Value::Array(vec![serde_json::json!({})]),
        |log| drop(log["runs"][0].as_object_mut().expect("an object").remove("tool")),
    ];
    for (number, spoil) in spoil.iter().enumerate() {
        let mut wrong = right.clone();
        spoil(&mut wrong);
        assert!(!faults_of_sarif(&wrong.to_string()).is_empty(), "case {number}");
    }
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
    let designs =
        [file("a.dsl", "xcvc1902", "z"), file("b.dsl", "xcvc1902", "x"), file("c.dsl", "nothing", "x")];
    let check = |designs: &[String]| {
        let options = ["check", "--no-cxx", "--message-format", "json"].map(str::to_owned);
        aiec(options.iter().chain(designs))
    };
    let all = check(&designs);
    assert_eq!((all.status, all.out.as_str()), (1, ""));
    let found: Value = serde_json::from_str(&all.err).expect("one list");
    let slugs = found.as_array().expect("a list").iter().map(|one| (&one["slug"], &one["labels"][0]["file"]));
    let expected = [("lower/unknown-port", &designs[0]), ("input/unknown-device", &designs[2])];
    let slugs: Vec<_> = slugs.map(|(slug, file)| (slug.as_str(), file.as_str())).collect();
    assert_eq!(slugs, expected.map(|(slug, file)| (Some(slug), Some(file.as_str()))), "{found:#}");
    assert_eq!(check(&designs[1..2]).status, 0);
}

#[test]
fn a_fault_of_no_line_is_at_its_own_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str| folder.path().join(name).display().to_string();
    let sound = "design d\ndevice toy\nkernel a(out y: window int32[8]) { source \"a.cc\" }\noutput o to gmio\n\
                 connect a.y -> o\n";
    std::fs::write(file("sound.dsl"), sound).expect("written");
    std::fs::write(file("bytes.dsl"), [0xff, 0xfe]).expect("written");
    let names = [file("nothere.dsl"), file("sound.dsl"), file("bytes.dsl")];
    let check = |format: &str| {
        let options = ["check", "--no-cxx", "--message-format", format].map(str::to_owned);
        aiec(options.iter().chain(&names)).err
    };
    let wrong = [&names[0], &names[2]].map(String::as_str);
    let sarif: Value = serde_json::from_str(&check("sarif")).expect("JSON");
    let results = sarif["runs"][0]["results"].as_array().expect("a list").iter();
    let places = results.map(|one| &one["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]);
    let places: Vec<_> = places.filter_map(Value::as_str).collect();
    assert_eq!(places, wrong.map(|name| format!("file://{name}")));
    let json: Value = serde_json::from_str(&check("json")).expect("JSON");
    let files: Vec<_> = json.as_array().expect("a list").iter().map(|one| one["file"].as_str()).collect();
    assert_eq!(files, wrong.map(Some));
    let github = check("github");
    assert!(wrong.iter().all(|name| github.contains(&format!(",file={name},line=1::"))), "{github}");
}

/// A graph that hangs on short ways, with one more line.
fn hanging(line: &str) -> String {
    let kernels = [
        "a(in x: window int32[24], out y: stream int32[24])",
        "b(in x: stream int32[24], out y: window int32[24])",
        "c(in late: window int32[24], in s: stream int32[24], out y: window int32[24])",
    ];
    let kernels = kernels.map(|kernel| format!("kernel {kernel} {{ source \"k.cc\" }}\n")).concat();
    format!(
        "design d\ndevice xcvc1902\n{line}\n{kernels}input i from plio(32, \"i.txt\")\noutput o to plio(32, \
         \"o.txt\")\nconnect i -> a.x\nconnect a.y -> b.x\nconnect a.y -> c.s\nconnect b.y -> c.late\nconnect \
         c.y -> o\n"
    )
}

/// Status and diagnostics, as severity and slug, of a check of [`hanging`].
fn check_of(line: &str, extra: &[&str]) -> (u8, Vec<(String, String)>) {
    let extra = [extra, &["--no-cxx", "--message-format", "json"]].concat();
    let ran = aiec_tests::aiec_on("check", &hanging(line), &[], &extra);
    let found: Vec<Value> = serde_json::from_str(&ran.err).expect("JSON");
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    (ran.status, found.iter().map(|one| (text(&one["severity"]), text(&one["slug"]))).collect())
}

fn one(severity: &str, slug: &str) -> Vec<(String, String)> {
    vec![(severity.to_owned(), slug.to_owned())]
}

#[test]
fn a_denied_warning_is_an_error() {
    assert_eq!(check_of("", &[]), (0, one("warning", "check/may-hang")));
    for denied in ["warnings", "check/may-hang", "may-hang"] {
        assert_eq!(check_of("", &["--deny", denied]), (1, one("error", "check/may-hang")), "{denied}");
    }
    assert_eq!(check_of("", &["--deny", "check/kernel-stack"]).0, 0);
    let unknown = aiec(["check", "--deny", "check/may-hangs", "d.dsl"]);
    assert!(unknown.status == 2 && unknown.err.contains("did you mean `check/may-hang`?"), "{}", unknown.err);
}

/// A window of 72 bytes is no whole number of vectors, which is a note. Other notes stay away.
#[test]
fn a_denied_note_is_an_error_without_further_options() {
    let design = "design d\ndevice xcvc1902\nkernel k(in x: window int32[18], out y: window int32[18]) \
                  { source \"k.cc\" }\ninput i from plio(32, \"i.txt\")\noutput o to plio(32, \"o.txt\")\n\
                  connect i -> k.x buffer single\nconnect k.y -> o\n";
    let denied = |flags: &[&str]| {
        let ran = aiec_tests::aiec_on(
            "check",
            design,
            &[],
            &[&["--no-cxx", "--message-format", "short"], flags].concat(),
        );
        (ran.status, ran.err.matches("check/odd-window").count(), ran.err.lines().count())
    };
    assert_eq!(denied(&[]), (0, 0, 0));
    let (status, odd, lines) = denied(&["--deny", "odd-window"]);
    assert!(status == 1 && odd > 0 && odd == lines, "{odd} of {lines}");
}

#[test]
fn an_allowed_warning_is_left_out_and_an_idle_allow_is_a_warning() {
    let allow = |slug: &str| format!("allow \"{slug}\" because \"it is known\"");
    for slug in ["check/may-hang", "may-hang"] {
        assert_eq!(check_of(&allow(slug), &["--deny", "warnings"]), (0, Vec::new()), "{slug}");
    }
    let idle = [("warning", "check/unused-allow"), ("warning", "check/may-hang")];
    let idle: Vec<_> = idle.map(|(severity, slug)| (severity.to_owned(), slug.to_owned())).to_vec();
    assert_eq!(check_of(&allow("check/gmio-of-card"), &[]), (0, idle));
    // Whether a source fits its stack depends on the compiler.
    assert_eq!(check_of(&allow("check/kernel-stack"), &[]), (0, one("warning", "check/may-hang")));
    assert_eq!(check_of(&allow("check/fan-in"), &[]), (1, one("error", "lower/bad-allow")));
}

#[test]
fn a_build_with_a_denied_warning_writes_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("k.cc"), "#include <adf.h>\n").expect("written");
    let design = folder.path().join("d.dsl");
    std::fs::write(&design, hanging("")).expect("written");
    let out = folder.path().join("out");
    let build = |extra: &[&str]| {
        let (design, out) = (design.display().to_string(), out.display().to_string());
        aiec([&["build", &design, "--output", &out], extra].concat())
    };
    let denied = build(&["--deny", "warnings"]);
    assert!(denied.status == 1 && !out.exists(), "{}", denied.err);
    assert_eq!(build(&[]).status, 0);
    // What is denied decides nothing in the project.
    assert_eq!(build(&["--check", "--deny", "check/kernel-stack"]).status, 0);
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
    for other in ["SYNC-CYCLE", "sync_cycle", "Check/Sync_Cycle"] {
        assert_eq!(aiec(["explain", other]).out, aiec(["explain", "check/sync-cycle"]).out, "{other}");
    }
    let both = aiec(["explain", "gave-up"]);
    assert!(both.status == 1 && both.err.contains("`place/gave-up` or `route/gave-up`"), "{}", both.err);
}

#[test]
fn the_help_names_what_to_write() {
    let component = "component c(in x: window int32[8], out y: window int32[8]) {\n\
                     kernel k(in x: window int32[8], out y: window int32[8]) { source \"k.cc\" }\n\
                     connect x -> k.x connect k.y -> y }\n";
    let array = "kernel p[2][3](in x: window int32[8], out y: window int32[8]) { source \"p.cc\" }\n";
    let inside = "component r(in x: window int32[8], out y: window int32[8]) {\n\
                  if 0 == 1 { instance z of r connect x -> z.x connect z.y -> y } else { instance z of r } }\n\
                  instance r of r\n";
    let packets = "kernel a(in x: window int32[8], out p: packets int32[8]) { source \"a.cc\" }\n\
                   input x from gmio output o[2] to plio(32, \"o_{}.txt\")\n\
                   connect x -> a.x connect a.p -> split o\n";
    for (text, words) in [
        (component.to_owned(), "add one of a component: `instance one of c`"),
        (format!("{array}place p[1][..] at (2, 2)"), "such as `p[0][0]`"),
        (
            format!("{array}input x from gmio connect x -> p[.. step -1][..].x"),
            "a slice goes up by 1 or more",
        ),
        (inside.to_owned(), "components hold each other in a circle: `r` holds `r`"),
        (packets.to_owned(), "let a kernel with a window take these packets"),
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("d.dsl");
        std::fs::write(&file, format!("design d\ndevice xcvc1902\n{text}")).expect("written");
        let ran = aiec(["check", "--message-format", "json", &file.display().to_string()]);
        assert!(ran.status == 1 && ran.err.contains(words), "expected {words} in\n{}", ran.err);
    }
}

#[test]
fn an_instance_that_a_fault_leaves_out_is_no_fault_of_its_place() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("d.dsl");
    let text = "design d\ndevice xcvc1902\ncomponent c(in stack: window int32[8], out y: window int32[8]) {\n\
                kernel k(in x: window int32[8], out y: window int32[8]) { source \"k.cc\" }\n\
                connect stack -> k.x connect k.y -> y place k.x at (0, 0) bank 0, 1 }\n\
                instance one of c\ninput x from gmio\noutput o to gmio\n\
                connect x -> one.stack\nconnect one.y -> o\nplace one at (10, 2)\n";
    std::fs::write(&file, text).expect("written");
    let ran = aiec(["check", "--message-format", "short", &file.display().to_string()]);
    let slugs: Vec<&str> =
        ran.err.lines().filter_map(|line| line.rsplit_once('[')).map(|(_, slug)| slug).collect();
    assert_eq!(slugs, ["lower/bad-identifier]"], "{}", ran.err);
}

#[test]
fn a_fault_in_a_round_of_a_loop_names_the_value() {
    let text = "design d\ndevice xcvc1902\n\
        component c(HAS = 0)(in x: window int32[8], out y: window int32[8]) {\n\
        kernel k[1 + HAS](in x: window int32[8], out y: window int32[8]) { source \"k.cc\" }\n\
        connect x -> k[0].x connect k[HAS].y -> y if HAS { connect k[0].y -> k[1].x } }\n\
        instance a[i: 3] of c(HAS = i < 2)\ninput i[3] from gmio connect i -> a.x\n\
        output o[3] to gmio connect a.y -> o\n";
    let line = "for j in 1..3 { place a[j].k[1] at (10, j) place a[0].k[5] at (4, 4) }\n";
    let ran = aiec_on("check", &format!("{text}{line}"), &[], &["--no-cxx"]);
    assert!(ran.err.matches("`j` is 1").count() == 0, "the first round fails for no value: {}", ran.err);
    let line = line.replace(" place a[0].k[5] at (4, 4)", "");
    let ran = aiec_on("check", &format!("{text}{line}"), &[], &["--no-cxx"]);
    assert!(ran.status == 1 && ran.err.contains("`j` is 2"), "{}", ran.err);
}

#[test]
fn a_source_with_an_absolute_path_is_told_so() {
    let text = "design d\ndevice xcvc1902\nkernel a(out y: window int32[8]) { source \"/opt/k.cc\" }\n\
                output o to gmio\nconnect a.y -> o\n";
    let ran = aiec_on("check", text, &[], &["--no-cxx"]);
    for words in ["input/missing-source", "does not say where it lies", "such as `../lib/fir.cc`"] {
        assert!(ran.status == 1 && ran.err.replace("\n  │ ", " ").contains(words), "{words}: {}", ran.err);
    }
}

#[test]
fn the_unconnected_elements_of_a_port_array_are_one_fault() {
    let text = "design d\ndevice xcvc1902\n\
                kernel sum[2](in a[4]: window int32[16], out y: window int32[16]) { source \"s.cc\" }\n\
                input i[2] from gmio\nconnect i -> sum.a[0]\noutput y[2] to gmio\nconnect sum.y -> y\n";
    let ran = aiec_on("check", text, &[], &["--no-cxx"]);
    assert_eq!(ran.err.matches("check/unconnected-port").count(), 1, "{}", ran.err);
    for words in ["`sum[0].a[1..4]` and 1 more are not connected", "take the ports `a[1..4]` away"] {
        assert!(ran.words().contains(words), "{words}: {}", ran.err);
    }
}
