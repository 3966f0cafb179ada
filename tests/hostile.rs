//! File names that have a meaning to make, the shell, C++, JSON, Markdown or the linker are handled
//! as plain names.
#![allow(clippy::disallowed_methods, reason = "tests prepare files and run make")]

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, SystemTime};

use aiec_test_support::folder::Folder;
use aiec_tests::{Ran, aiec, aiec_on};

/// Each is used as the name of a kernel source, of a header, of an input file and of a folder for
/// outputs.
const NAMES: [&str; 104] = [
    "a",
    "a;touch PWNED;#.cc",
    "a b",
    " lead",
    "trail ",
    "two  blanks",
    "colon:x",
    "a|b",
    "$(touch PWNED)",
    "$(shell touch PWNED)",
    "`touch PWNED`",
    "${HOME}",
    "$HOME",
    "$@",
    "$<",
    "$$",
    "$",
    "$(",
    "a$",
    "#x",
    "x#y",
    "%",
    "%s%n",
    "a%b",
    "*",
    "?",
    "[a]",
    "{a,b}",
    "~",
    "~root",
    "!",
    "!!",
    "'",
    "it's",
    "''",
    "&",
    "a&&touch PWNED",
    "a&touch PWNED&",
    ">x",
    "<x",
    ">>PWNED",
    "(x)",
    "lib(x)",
    "a)",
    "(",
    "=",
    "a=b",
    "a:=b",
    "a?=b",
    "+",
    "-f",
    "--help",
    "-rf",
    "@file",
    "@",
    "^",
    "^x",
    ",",
    "-Wl,-x",
    "a,b",
    ";",
    ";;",
    "||",
    "|",
    "a||touch PWNED",
    "::",
    "a::b",
    ":=",
    "...",
    "..a",
    ".hidden",
    ".PHONY",
    "FORCE",
    "all",
    "clean",
    "define",
    "endif",
    "include",
    "makefile.am",
    "con",
    "\u{a0}",
    "é",
    "e\u{301}",
    "日本",
    "\u{5d0}\u{5d1}",
    "😀",
    "??/z",
    "x??!y",
    "c*/ int evil; /*",
    "q// x",
    "<iostream>",
    "#include",
    "R(x)",
    "%:define",
    "a\u{2028}b",
    "x.h",
    "x.s",
    "__",
    "a.b.c",
    "x y;z",
    "'; touch PWNED; '",
    "';touch PWNED;'",
    "$(error x)",
    "$(call need,X)",
];

/// The name of the design's file is in every generated file.
const DESIGN: &str = "`touch PWNED`$(touch PWNED);'touch PWNED'#??.dsl";

/// A function that the kernels call. Their sources are small, since they need no header of ADF.
const HELPER: &str = "#include <adf.h>
int take(input_window<int> *x) { return window_readincr(x); }
void give(output_window<int> *y, int value) { window_writeincr(y, value); }
void helper(input_window<int> *x, output_window<int> *y) { for (int i = 0; i < 4; ++i) give(y, take(x)); }
";

aiec_test_support::workshop! {
    /// A design with all of the names, in a separate folder.
    Workshop
}

/// The name without its folders, and the folders.
fn split(name: &str) -> (&str, &str) {
    name.rsplit_once('/').unwrap_or(("", name))
}

impl Workshop {
    fn new() -> Self {
        let shop = Self(Folder::with(&[]));
        let mut design = "design d device xcvc1902\n".to_owned();
        let mut add = |kernel: &str, source: &str, ports: [&str; 2]| {
            let _ = write!(
                design,
                "kernel {kernel}(in x: window int32[4], out y: window int32[4]) {{ source \"{source}\" }}\n\
                 input {kernel}_in from plio(64, \"{}\")\noutput {kernel}_out to plio(64, \"{}\")\n\
                 connect {kernel}_in -> {kernel}.x\nconnect {kernel}.y -> {kernel}_out\n",
                ports[0], ports[1]
            );
        };
        shop.write("k/helper.cc", HELPER);
        shop.write("in.txt", "7 7 7 7\n");
        add("helper", "k/helper.cc", ["in.txt", "out.txt"]);
        for (number, name) in NAMES.iter().enumerate() {
            let (folder, last) = split(name);
            let header = format!("k/{folder}{}h/{last}", if folder.is_empty() { "" } else { "/" });
            shop.write(&header, &format!("static const int number = {number};\n"));
            shop.write(
                &format!("k/{name}"),
                &format!(
                    "template <typename T> struct input_window;\ntemplate <typename T> struct output_window;\n\
                     int take(input_window<int> *);\nvoid give(output_window<int> *, int);\n#include \"h/{last}\"\n\
                     void k{number}(input_window<int> *x, output_window<int> *y) {{ for (int i = 0; i < 4; ++i) give(y, take(x) + number); }}\n"
                ),
            );
            shop.write(name, "1000 1000\n1000 1000\n");
            shop.write(&format!("golden/{name}"), &format!("{}\n", 1000 + number).repeat(4));
            add(&format!("k{number}"), &format!("k/{name}"), [name, &format!("out {name}/y.txt")]);
        }
        shop.write(DESIGN, &design);
        shop
    }

    fn aiec(&self, command: &str, extra: &[&str]) -> Ran {
        let design = self.name(DESIGN);
        aiec([&[command, &design, "--vitis", "2022.1"], extra].concat())
    }

    fn build(&self) {
        let project = self.name("project");
        let ran = self.aiec("build", &["-o", &project]);
        assert_eq!(ran.status, 0, "{}", ran.err);
    }

    /// Runs make in the project with stand-ins for the vendor's tools, which record their
    /// arguments, a line each.
    fn make(&self, arguments: &[&str]) -> Output {
        let tools = self.path("tools");
        fs::create_dir_all(&tools).expect("writable");
        for name in ["aiecompiler", "v++", "x86simulator", "aiesimulator", "aarch64-linux-gnu-g++"] {
            let text = "#!/bin/sh\nprintf '%s\\n' \"$@\" >> \"$CALLS\"\ntouch libadf.a host.exe\n\
                        for word in \"$@\"; do case \"$word\" in --workdir=*) mkdir -p \"${word#*=}\";; esac; done\n";
            fs::write(tools.join(name), text).expect("writable");
            fs::set_permissions(tools.join(name), fs::Permissions::from_mode(0o755)).expect("ours");
        }
        let mut make = Command::new("make");
        make.arg("-C").arg(self.path("project")).arg("--no-print-directory").args(arguments).env_clear();
        make.env("PATH", format!("{}:/usr/local/bin:/usr/bin:/bin", tools.display()));
        make.env("XILINX_VITIS", "/vitis").env("CALLS", self.path("calls.txt"));
        make.output().expect("make is there")
    }

    /// All paths below a folder, relative to it.
    fn files(&self, below: &str) -> BTreeSet<String> {
        let (root, mut pending) = (self.path(below), vec![self.path(below)]);
        let mut found = BTreeSet::new();
        while let Some(folder) = pending.pop() {
            for entry in fs::read_dir(folder).expect("a folder").flatten() {
                match entry.path() {
                    path if path.is_dir() => pending.push(path),
                    path => {
                        let below = path.strip_prefix(&root).expect("below");
                        found.insert(below.to_str().expect("text").to_owned());
                    }
                }
            }
        }
        found
    }

    fn assert_nobody_was_let_in(&self) {
        let strangers: Vec<String> =
            self.files("").into_iter().filter(|file| file.ends_with("/PWNED") || file == "PWNED").collect();
        assert_eq!(strangers, [""; 0]);
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn set_time(path: &Path, seconds: u64) {
    let file = File::options().append(true).open(path).expect("there");
    file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds)).expect("ours");
}

#[test]
#[ignore = "long: builds and runs projects with many names"]
fn make_and_the_shell_take_names_as_names() {
    let shop = Workshop::new();
    shop.build();
    let ran = shop.make(&["x86sim"]);
    assert!(ran.status.success(), "{}", text(&ran.stderr));
    let ran = shop.make(&["package"]);
    assert!(ran.status.success(), "{}", text(&ran.stderr));
    let calls = fs::read_to_string(shop.path("calls.txt")).expect("called");
    let words: Vec<&str> = calls.lines().collect();
    let told = |option: &str, name: &str| words.windows(2).any(|pair| pair[0] == option && pair[1] == name);
    for name in NAMES {
        let (folder, data) = (name.split_once('/').map(|(folder, _)| folder), format!("out {name}"));
        let safe = |name: &str| {
            if name.starts_with(['-', '@']) { format!("./{name}") } else { name.to_owned() }
        };
        let (option, word) =
            folder.map_or(("--package.sd_file", name), |folder| ("--package.sd_dir", folder));
        assert!(told(option, &safe(word)), "{name}: not handed to v++");
        let data = data.split('/').next().unwrap_or_default();
        assert!(shop.path("project").join(data).is_dir() && told("--package.sd_dir", data), "{data}");
    }
    shop.assert_nobody_was_let_in();
}

#[test]
#[ignore = "long: builds and runs projects with many names"]
fn make_builds_again_when_a_source_is_newer_whatever_its_name() {
    let shop = Workshop::new();
    shop.build();
    assert!(shop.make(&["x86sim"]).status.success());
    let project = shop.path("project");
    let sources: Vec<PathBuf> =
        shop.files("project/aie").into_iter().map(|file| project.join("aie").join(file)).collect();
    sources.iter().for_each(|source| set_time(source, 1_000_000));
    set_time(&project.join("build_x86sim/.done"), 1_500_000_000);
    // A folder has the time of its newest entry; the result is newer.
    let is_old = || !shop.make(&["-q", "build_x86sim/.done"]).status.success();
    set_folders(&project.join("aie"), 1_000_000);
    assert!(!is_old(), "nothing is newer");
    for source in &sources {
        set_time(source, 1_600_000_000);
        assert!(is_old(), "{}", source.display());
        set_time(source, 1_000_000);
    }
    assert!(!is_old());
    fs::remove_file(&sources[0]).expect("there");
    assert!(is_old(), "a file is gone");
    shop.assert_nobody_was_let_in();
}

fn set_folders(folder: &Path, seconds: u64) {
    let below = fs::read_dir(folder).expect("a folder").flatten().map(|entry| entry.path());
    below.filter(|path| path.is_dir()).for_each(|path| set_folders(&path, seconds));
    let file = File::open(folder).expect("there");
    file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds)).expect("ours");
}

#[test]
fn every_file_is_in_the_project_and_in_its_list() {
    let shop = Workshop::new();
    shop.build();
    let files = shop.files("project");
    let manifest = fs::read_to_string(shop.path("project/.aiec-manifest.json")).expect("there");
    let manifest: serde_json::Value = serde_json::from_str(&manifest).expect("JSON");
    let strings = all_strings(&manifest);
    for name in NAMES {
        let (folder, last) = split(name);
        let header =
            Path::new("k").join(folder).join("h").join(last).display().to_string().replace("//", "/");
        let source = format!("k/{}", name.replace("//", "/"));
        for file in
            [format!("aie/kernels/{source}"), format!("aie/kernels/{header}"), name.replace("//", "/")]
        {
            assert!(files.contains(&file), "{file} is not in the project");
            assert!(strings.contains(&file), "{file} is not in the list");
        }
    }
}

/// All strings and keys of a value.
fn all_strings(value: &serde_json::Value) -> BTreeSet<String> {
    match value {
        serde_json::Value::String(text) => BTreeSet::from([text.clone()]),
        serde_json::Value::Array(values) => values.iter().flat_map(all_strings).collect(),
        serde_json::Value::Object(fields) => fields
            .iter()
            .flat_map(|(key, value)| all_strings(value).into_iter().chain([key.clone()]))
            .collect(),
        _ => BTreeSet::new(),
    }
}

#[test]
#[ignore = "long: builds and runs projects with many names"]
fn the_compiler_and_the_linker_take_names_as_names() {
    let shop = Workshop::new();
    let golden = |(number, name): (usize, &&str)| {
        ["--golden".to_owned(), format!("k{number}_out={}", shop.path(&format!("golden/{name}")).display())]
    };
    let goldens: Vec<String> = NAMES.iter().enumerate().flat_map(golden).collect();
    let goldens: Vec<&str> = goldens.iter().map(String::as_str).collect();
    let ran = shop.aiec("sim", &[&["--unplaced"], goldens.as_slice()].concat());
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert_eq!(ran.out.matches("equal").count(), NAMES.len(), "{}", ran.out);
    shop.assert_nobody_was_let_in();
}

#[test]
fn names_that_no_tool_can_be_told_are_refused() {
    for name in ["a\\b", "a\tb", "a\u{1b}[31m", "a\u{85}b", "\u{7f}", "a\\", "\\", "\u{202e}gnp", "a\u{2066}"]
    {
        let text = format!(
            "design d device xcvc1902\nkernel k(in x: window int32[8], out y: window int32[8]) {{ source \"{name}\" }}\n\
             input i from plio(64, \"{name}.in\")\noutput o to plio(64, \"{name}.out\")\nconnect i -> k.x\nconnect k.y -> o\n"
        );
        let ran = aiec_on("check", &text, &[], &[]);
        assert_eq!(ran.status, 1, "{name:?}");
        assert_eq!(ran.err.matches("it holds a backslash or a control character").count(), 6, "{}", ran.err);
    }
}

#[test]
#[ignore = "long: simulates"]
fn pipes_and_devices_are_no_files_and_stop_nobody() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let path = |name: &str| folder.path().join(name).display().to_string();
    let made = Command::new("mkfifo").arg(path("pipe")).status().expect("mkfifo is there");
    assert!(made.success());
    let design = |source: &str| {
        format!(
            "design d device xcvc1902\nkernel k(in x: window int32[8], out y: window int32[8]) {{ source \"{source}\" }}\n\
             input i from plio(64, \"in.txt\")\noutput o to plio(64, \"out.txt\")\nconnect i -> k.x\nconnect k.y -> o\n"
        )
    };
    fs::write(path("d.dsl"), design("k.cc")).expect("writable");
    fs::write(path("piped.dsl"), design("pipe")).expect("writable");
    fs::write(path("k.cc"), "").expect("writable");
    let (design, piped, pipe, out) = (path("d.dsl"), path("piped.dsl"), path("pipe"), path("out"));
    for file in [pipe.as_str(), "/dev/zero", "/dev/tty"] {
        let calls: [&[&str]; 6] = [
            &["check", file],
            &["check", &design, "--device", file],
            &["place", &design, "--placement", file],
            &["build", &design, "--placement", file, "-o", &out],
            &["route", "--import", file],
            &["sim", &design, "--unplaced", "--golden", &format!("o={file}")],
        ];
        for call in calls.into_iter().take(if file == pipe { 6 } else { 5 }) {
            let ran = aiec(call);
            assert_ne!(ran.status, 0, "{call:?}");
            let is_said = ["no file", "cannot open", "cannot read", "cannot be read", "no data"]
                .iter()
                .any(|words| ran.err.contains(words));
            assert!(is_said, "{call:?}: {}", ran.err);
        }
    }
    let ran = aiec(["build", &piped, "-o", &out]);
    assert!(ran.status == 1 && ran.err.contains("it is a pipe"), "{}", ran.err);
}

#[test]
#[ignore = "long: simulates"]
fn pipes_where_files_are_to_be_written_stop_nobody() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let path = |name: &str| folder.path().join(name).display().to_string();
    let make_pipe = |at: &str| {
        assert!(Command::new("mkfifo").arg(at).status().expect("mkfifo is there").success());
    };
    let design = "design d device xcvc1902\nkernel k(in x: window int32[8], out y: window int32[8]) { source \"k.cc\" }\n\
        input i from plio(64, \"in.txt\")\noutput o to plio(64, \"out.txt\")\nconnect i -> k.x\nconnect k.y -> o\n";
    fs::write(path("d.dsl"), design).expect("writable");
    fs::write(path("k.cc"), "").expect("writable");
    let (design, pipe, out) = (path("d.dsl"), path("pipe"), path("out"));
    make_pipe(&pipe);
    for call in [
        ["place", &design, "--svg", &pipe],
        ["place", &design, "-o", &pipe],
        ["report", &design, "--json", &pipe],
    ] {
        let ran = aiec(call);
        assert!(ran.status == 1 && ran.err.contains("this pipe has no reader"), "{call:?}: {}", ran.err);
    }
    let reader = Command::new("cat").arg(&pipe).stdout(std::process::Stdio::piped()).spawn().expect("cat");
    // Until cat has opened it.
    while aiec(["place", &design, "--svg", &pipe]).status != 0 {}
    let read = reader.wait_with_output().expect("it runs").stdout;
    assert!(String::from_utf8_lossy(&read).contains("</svg>"), "a pipe with a reader is written to");
    for name in ["system.cfg", "data/README.md", ".aiec-manifest.json"] {
        assert_eq!(aiec(["build", &design, "-o", &out, "--overwrite"]).status, 0);
        let file = path(&format!("out/{name}"));
        fs::remove_file(&file).expect("a build wrote it");
        make_pipe(&file);
        for call in [&["--check"][..], &[], &["--overwrite"]] {
            let ran = aiec(["build", &design, "-o", &out].iter().chain(call));
            assert_eq!(ran.status, u8::from(call != ["--overwrite"]), "{name} {call:?}: {}", ran.err);
        }
        assert!(fs::metadata(&file).expect("written").is_file(), "{name}");
    }
}

#[test]
fn numbers_of_a_device_file_are_bounded_before_anything_is_made() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let path = |name: &str| folder.path().join(name).display().to_string();
    fs::write(path("d.dsl"), "design d device toy\n").expect("writable");
    let toy = aiec(["devices", "toy", "--toml"]).out;
    for (from, to) in [("arbiters = 6 ", "arbiters = 4294967295 "), ("selects = 4 ", "selects = 65536 ")] {
        let text = toy.replacen(from, to, 1);
        assert_ne!(text, toy);
        fs::write(path("toy.toml"), text).expect("writable");
        let ran = aiec(["check", &path("d.dsl"), "--device", &path("toy.toml")]);
        assert_eq!(ran.status, 1);
        assert!(ran.err.contains("device/inconsistent") && !ran.err.contains("bug/"), "{}", ran.err);
    }
}

#[test]
fn kernels_are_not_called_like_words_of_the_vendors_compiler() {
    for name in [
        "v8int32",
        "v16cint16",
        "v8acc48",
        "restrict",
        "chess_prepare_for_pipelining",
        "acc80",
        "window_incr",
    ] {
        let text = format!(
            "design d device xcvc1902\nkernel {name}(in x: window int32[8], out y: window int32[8]) {{ source \"k.cc\" }}\n\
             input i from plio(64, \"in\")\noutput o to plio(64, \"out\")\nconnect i -> {name}.x\nconnect {name}.y -> o\n"
        );
        let ran = aiec_on("check", &text, &[], &[]);
        assert!(ran.status == 1 && ran.err.contains("lower/bad-identifier"), "{name}: {}", ran.err);
    }
}

#[test]
fn no_label_points_into_a_byte_order_mark() {
    for text in [
        "design d device xcvc1902",
        "kernel k() { source \"k\" }",
        "",
        "\n",
        "\u{feff}design d",
        "x",
        "\"",
        "/*",
    ] {
        let text = format!("\u{feff}{text}");
        let ran = aiec_on("check", &text, &[], &["--message-format", "json"]);
        let said: serde_json::Value = serde_json::from_str(&format!("{}{}", ran.out, ran.err)).expect("JSON");
        let labels = said
            .as_array()
            .into_iter()
            .flatten()
            .flat_map(|one| one["labels"].as_array().into_iter().flatten());
        for label in labels {
            let at = |key: &str| usize::try_from(label[key].as_u64().expect("a number")).expect("small");
            assert!(text.get(at("start")..at("end")).is_some(), "{text:?}: {label}");
        }
    }
}
