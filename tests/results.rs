//! Files that options name (`--svg`, `--json`, `--aiecst`, `-o`): which files they may replace, and
//! which never.
#![allow(clippy::disallowed_methods, reason = "tests prepare and read files")]

use std::fs;
use std::os::unix::fs::symlink;

use aiec_test_support::folder::{Folder, GRAPH};
use aiec_tests::{Ran, aiec};

const DESIGN: &str = "design d
device toy
ports window
const N = 16
kernel a(in x: window int32[N], out y: window int32[N]) { source \"kernels/a.cc\" }
input i from plio(32, \"data/i.txt\")
output o to plio(32, \"data/o.txt\")
connect i -> a.x
connect a.y -> o
";
const KERNEL: &str = "#include <adf.h>
#include \"a.h\"
void a(input_window<int32> *x, output_window<int32> *y) {
    for (int i = 0; i < 16; ++i) window_writeincr(y, window_readincr(x));
}
";
const NETS: &str = "net0:100 S_MM2S_DMA_ch0_C8_R0 M_S2MM_DMA_ch0_C9_R0\n";

aiec_test_support::workshop! {
    /// A design with everything that it names.
    Workshop
}

impl Workshop {
    fn new() -> Self {
        Self(Folder::with(&[
            ("d.dsl", DESIGN),
            ("kernels/a.cc", KERNEL),
            ("kernels/a.h", "#pragma once\n"),
            ("data/i.txt", "1 2\n"),
            ("router.input", NETS),
            ("toy.toml", &aiec(["devices", "toy", "--toml"]).out),
        ]))
    }

    /// Runs one of [`COMMANDS`], with its result in `file`.
    fn run(&self, (command, option): (&str, &str), file: &str, more: &[&str]) -> Ran {
        let design = self.name("d.dsl");
        let nets = self.name("router.input");
        let input = match command {
            "import" => vec!["route", "--import", &nets],
            "place" => vec!["place", &design, "--effort", "1"],
            _ => vec![command, &design],
        };
        let more: Vec<String> = more.iter().map(|word| word.replace("DIR", &self.name(""))).collect();
        let more: Vec<&str> = more.iter().map(String::as_str).collect();
        aiec([&input[..], &more, &[option, &self.name(file)]].concat())
    }
}

/// Every option that names a file.
const COMMANDS: [(&str, &str); 11] = [
    ("place", "--svg"),
    ("place", "--json"),
    ("place", "--output"),
    ("place", "--aiecst"),
    ("place", "--cpp"),
    ("route", "--svg"),
    ("route", "--json"),
    ("route", "--output"),
    ("import", "--svg"),
    ("import", "--json"),
    ("report", "--json"),
];

#[test]
fn what_somebody_else_wrote_is_replaced_only_with_overwrite() {
    let workshop = Workshop::new();
    for command in COMMANDS {
        workshop.write("mine", "an hour of work");
        let ran = workshop.run(command, "mine", &[]);
        assert!(ran.status == 1 && ran.err.contains("emit/output-occupied"), "{command:?}: {}", ran.err);
        assert!(ran.err.contains("--overwrite"), "{}", ran.err);
        assert_eq!(workshop.read("mine"), "an hour of work", "{command:?}");
        let ran = workshop.run(command, "mine", &["--overwrite"]);
        assert_eq!(ran.status, 0, "{command:?}: {}", ran.err);
        assert_ne!(workshop.read("mine"), "an hour of work", "{command:?}");
    }
}

#[test]
#[ignore = "long: builds project after project"]
fn what_aiec_wrote_is_replaced_and_what_was_edited_since_is_not() {
    let workshop = Workshop::new();
    for (number, command) in COMMANDS.into_iter().enumerate() {
        let file = format!("result{number}");
        // An empty file, such as one of mktemp, holds nothing to lose.
        workshop.write(&file, "");
        for _ in 0..2 {
            let ran = workshop.run(command, &file, &[]);
            assert_eq!(ran.status, 0, "{command:?}: {}", ran.err);
        }
        // A file for aiecompiler cannot carry a mark: replacing equal text loses nothing, replacing
        // other text may. The header for a graph names aiec, but has no mark either.
        let marked = !["--aiecst", "--cpp"].contains(&command.1);
        assert_eq!(workshop.read(&file).contains("by aiec "), command.1 != "--aiecst", "{command:?}");
        if command.0 != "import" {
            workshop.write("d.dsl", &DESIGN.replace("N = 16", "N = 8"));
            let ran = workshop.run(command, &file, &[]);
            let changes = marked && command.1 != "--output";
            assert!(ran.status == 0 || !marked, "{command:?}: {}", ran.err);
            assert!(!changes || ran.status == 0, "{command:?}: {}", ran.err);
            workshop.write("d.dsl", DESIGN);
        }
        let edited = workshop.read(&file) + "\n";
        workshop.write(&file, &edited);
        let ran = workshop.run(command, &file, &[]);
        assert!(ran.status == 1 && ran.err.contains("emit/output-occupied"), "{command:?}: {}", ran.err);
        assert_eq!(workshop.read(&file), edited, "{command:?}");
    }
}

#[test]
fn what_a_result_is_made_from_is_never_replaced() {
    let workshop = Workshop::new();
    let placement = workshop.run(("place", "--output"), "p.json", &[]);
    assert_eq!(placement.status, 0, "{}", placement.err);
    symlink("d.dsl", workshop.path("link.svg")).expect("writable");
    symlink(".", workshop.path("again")).expect("writable");
    fs::hard_link(workshop.path("kernels/a.cc"), workshop.path("second.cc")).expect("writable");
    let originals = ["d.dsl", "kernels/a.cc", "kernels/a.h", "data/i.txt", "toy.toml", "p.json"];
    let others = ["link.svg", "again/kernels/../d.dsl", "second.cc"];
    let before = originals.map(|file| workshop.read(file));
    for command in COMMANDS.into_iter().filter(|(command, _)| *command != "import") {
        for file in originals.into_iter().chain(others) {
            let options = ["--device", "DIRtoy.toml", "--placement", "DIRp.json", "--overwrite"];
            let ran = workshop.run(
                command,
                file,
                &options.map(|word| word.replace("DIR", "DIR/")).each_ref().map(String::as_str),
            );
            // A report refuses the ending of designs before it reads anything.
            let refused = ran.status == 1 && ran.err.contains("emit/output-is-source")
                || ran.status == 2 && command.0 == "report";
            assert!(refused, "{command:?} {file}: {}", ran.err);
        }
    }
    for option in ["--svg", "--json"] {
        let ran = workshop.run(("import", option), "router.input", &["--overwrite"]);
        assert!(ran.status == 1 && ran.err.contains("emit/output-is-source"), "{}", ran.err);
    }
    assert_eq!(originals.map(|file| workshop.read(file)), before);
    assert_eq!(workshop.read("router.input"), NETS);
}

#[test]
fn refused_results_leave_nothing_behind_and_none_is_written_alone() {
    let workshop = Workshop::new();
    workshop.write("b.json", "mine");
    let (design, svg, json) = (workshop.name("d.dsl"), workshop.name("a.svg"), workshop.name("b.json"));
    let ran = aiec(["place", &design, "--effort", "1", "--svg", &svg, "--json", &json]);
    assert_eq!((ran.status, ran.out.as_str()), (1, ""), "{}", ran.err);
    assert!(!workshop.path("a.svg").exists(), "all or none");
    let ran = aiec(["place", &design, "--effort", "1", "--svg", &svg, "--json", &svg, "--overwrite"]);
    assert!(ran.status == 1 && ran.err.contains("emit/output-occupied"), "two in one: {}", ran.err);
    assert!(!workshop.path("a.svg").exists());
    let hidden = fs::read_dir(workshop.path("")).expect("there").flatten();
    assert_eq!(hidden.filter(|entry| entry.file_name().to_string_lossy().starts_with('.')).count(), 0);
}

#[test]
fn a_result_may_go_to_a_device() {
    let workshop = Workshop::new();
    for command in COMMANDS {
        let design = workshop.name("d.dsl");
        if command.0 != "import" {
            let ran = aiec([command.0, &design, command.1, "/dev/null"]);
            assert_eq!(ran.status, 0, "{command:?}: {}", ran.err);
        }
    }
}

#[test]
#[ignore = "long: simulates"]
fn outputs_of_a_graph_replace_those_of_an_earlier_run_and_nothing_else() {
    let workshop = Folder::with(&GRAPH);
    let sim = |extra: &[&str]| {
        let (graph, output) = (workshop.name("project.cpp"), workshop.name("got"));
        aiec([&["sim", &graph, "--output", &output], extra].concat())
    };
    assert_eq!(sim(&[]).status, 0);
    let wrote = workshop.read("got/data/out.txt");
    workshop.write("in.txt", "5\n6\n7\n8\n");
    let ran = sim(&[]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert_ne!(workshop.read("got/data/out.txt"), wrote);
    workshop.write("got/data/out.txt", "measured on the board");
    let ran = sim(&[]);
    assert!(ran.status == 1 && ran.err.contains("emit/output-occupied"), "{}", ran.err);
    assert_eq!(workshop.read("got/data/out.txt"), "measured on the board");
    // The golden file itself is not overwritten; otherwise the comparison would always succeed.
    let golden = format!("copied={}", workshop.name("got/data/out.txt"));
    let ran = sim(&["--golden", &golden, "--overwrite"]);
    assert!(ran.status == 1 && ran.err.contains("emit/output-is-source"), "{}", ran.err);
    assert_eq!(workshop.read("got/data/out.txt"), "measured on the board");
    assert_eq!(sim(&["--overwrite"]).status, 0);
    assert_eq!(sim(&[]).status, 0);
    let mut names: Vec<_> =
        fs::read_dir(workshop.path("got")).expect("there").flatten().map(|e| e.file_name()).collect();
    names.sort();
    assert_eq!(names, [".aiec-outputs.json", "data"]);
    for original in ["in.txt", "kernels/copy.cc", "project.cpp"] {
        workshop.write("project.cpp", &GRAPH[0].1.replace("\"data/out.txt\"", &format!("\"{original}\"")));
        let before = workshop.read(original);
        let (graph, output) = (workshop.name("project.cpp"), workshop.name(""));
        let ran = aiec(["sim", &graph, "--output", &output, "--overwrite"]);
        assert!(ran.status == 1 && ran.err.contains("emit/output-is-source"), "{original}: {}", ran.err);
        assert_eq!(workshop.read(original), before);
    }
}
