//! `aiec sweep`: values, rows, files, and what a second sweep computes.
#![allow(clippy::disallowed_methods, reason = "tests prepare and read files")]

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use aiec_tests::{Ran, aiec};
use serde_json::Value;

/// A reduction along a chain of N kernels.
const CHAIN: &str = "design chain
device toy
import \"nothing.dsl\"

const TABLE = from \"table.txt\"
const N = 3
const WINDOW = 16

kernel worker[N] { source \"worker.cc\" }

reduce total over worker {
    op sum
    data int32[64]
    window int32[WINDOW]
    root worker[0]
    shape chain
}

output sum to plio(32, \"sum.txt\")
connect total.result -> sum
";

/// A file that the design imports and does not use.
const NOTHING: &str = "const SPARE = 1\n";

/// A folder with a design.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new(design: &str) -> Self {
        let folder = Self(tempfile::tempdir().expect("a temporary directory"));
        folder.write("d.dsl", design);
        folder.write("nothing.dsl", NOTHING);
        folder.write("table.txt", "1 2 3");
        folder
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).expect("writable");
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).expect(name)
    }

    /// Sweeps the design into `out`.
    fn sweep(&self, arguments: &[&str]) -> Ran {
        self.sweep_to("out", arguments)
    }

    fn sweep_to(&self, out: &str, arguments: &[&str]) -> Ran {
        let [design, out] = ["d.dsl", out].map(|name| self.path(name).display().to_string());
        aiec([&["sweep", &design, "-o", &out, "--effort", "1"], arguments].concat())
    }

    /// The rows of `sweep.json`.
    fn rows(&self) -> Vec<Value> {
        let whole: Value = serde_json::from_str(&self.read("out/sweep.json")).expect("JSON");
        whole["points"].as_array().expect("a list").clone()
    }

    /// The inodes of the files of points. A file that is written again gets another one.
    fn inodes(&self) -> BTreeMap<String, u64> {
        let entries = fs::read_dir(self.path("out/points")).expect("a folder").flatten();
        let inode = |entry: fs::DirEntry| {
            let name = entry.file_name().to_string_lossy().into_owned();
            (name, entry.metadata().expect("there").ino())
        };
        entries.map(inode).collect()
    }
}

fn succeeds(ran: &Ran) -> &Ran {
    assert_eq!(ran.status, 0, "{}{}", ran.out, ran.err);
    ran
}

/// All files below a folder, by their paths.
fn files(folder: &Path, found: &mut BTreeMap<String, String>, below: &str) {
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let name = format!("{below}/{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            files(&entry.path(), found, &name);
        } else {
            found.insert(name, fs::read_to_string(entry.path()).expect("text"));
        }
    }
}

fn all_files(folder: &Path) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    files(folder, &mut found, "");
    found
}

#[test]
fn every_combination_has_a_row_and_the_last_constant_changes_first() {
    let folder = Folder::new(CHAIN);
    let ran = folder.sweep(&["-D", "N=3,2", "-D", "WINDOW=8..64*2"]);
    succeeds(&ran);
    let csv = folder.read("out/sweep.csv");
    let points: Vec<&str> =
        csv.lines().skip(1).map(|line| line.split(",placed").next().unwrap_or("")).collect();
    assert_eq!(points, ["3,8", "3,16", "3,32", "3,64", "2,8", "2,16", "2,32", "2,64"]);
    assert!(ran.out.contains("8 points: 8 placed, 0 refused"), "{}", ran.out);
    assert_eq!(folder.inodes().len(), 8);
}

#[test]
fn a_row_has_the_figures_of_a_report() {
    let folder = Folder::new(CHAIN);
    succeeds(&folder.sweep(&["-D", "N=4"]));
    let design = folder.path("d.dsl").display().to_string();
    let report = aiec(["report", &design, "-D", "N=4", "--json", "--why", "--effort", "1"]);
    let report: Value = serde_json::from_str(&report.out).expect("JSON");
    let row = &folder.rows()[0];
    assert_eq!(row["constants"]["N"], 4);
    assert_eq!(row["outcome"], "placed");
    assert_eq!(row["dma_connections"], report["placement"]["connections"]);
    assert_eq!(row["dma_bound"], report["placement"]["bound"]);
    for figure in ["cores", "bytes"] {
        assert_eq!(row[figure], report["totals"][figure]["used"], "{figure}");
    }
    assert_eq!(row["nets"], report["totals"]["nets"]);
    let cycles = |value: &Value| value.as_f64().expect("a number");
    assert!((cycles(&row["total_cycles"]) - cycles(&report["why"]["total_cycles"])).abs() < 0.01);
    let (times, estimate) = (&row["collectives"][0], &report["estimate"]["collectives"][0]);
    assert_eq!(times["name"], "total");
    for figure in ["call_cycles", "total_cycles", "bound_cycles"] {
        assert_eq!(times[figure], estimate[figure], "{figure}");
    }
}

#[test]
fn a_design_without_a_statement_about_time_has_the_reason() {
    let folder = Folder::new(
        "design pair
device toy
const N = 16
kernel a(in x: window int32[N], out y: window int32[N]) { source \"a.cc\" }
kernel b(in x: window int32[N], out y: window int32[N]) { source \"b.cc\" }
input x from plio(32, \"x.txt\")
output y to plio(32, \"y.txt\")
connect x -> a.x
connect async a.y -> b.x
connect b.y -> y
",
    );
    succeeds(&folder.sweep(&["-D", "N=16,32"]));
    let row = &folder.rows()[0];
    assert!(row["total_cycles"].is_null());
    let reason = row["no_statement"].as_str().expect("a reason");
    assert!(reason.contains("a.y") && reason.contains("`windows N`"), "{reason}");
}

#[test]
fn a_refused_point_is_a_row() {
    let folder = Folder::new(CHAIN);
    let ran = folder.sweep(&["-D", "N=2,1000,3"]);
    succeeds(&ran);
    let rows = folder.rows();
    let outcomes: Vec<&str> = rows.iter().filter_map(|row| row["outcome"].as_str()).collect();
    assert_eq!(outcomes, ["placed", "refused", "placed"]);
    assert_eq!(rows[1]["code"], "check/too-many-kernels");
    assert!(rows[1]["message"].as_str().is_some_and(|message| message.contains("1000 kernels")));
    assert!(folder.read("out/sweep.csv").contains("\n1000,refused,check/too-many-kernels,"));
    assert!(ran.out.contains("3 points: 2 placed, 1 refused"), "{}", ran.out);
    assert!(folder.read("out/total_cycles.svg").contains("no value: refused"));
}

#[test]
fn a_second_sweep_computes_only_points_that_are_new_or_changed() {
    let folder = Folder::new(CHAIN);
    succeeds(&folder.sweep(&["-D", "N=2,3"]));
    let first = folder.inodes();
    let ran = folder.sweep(&["-D", "N=4,3,2"]);
    assert!(succeeds(&ran).out.contains("3 points: 3 placed, 0 refused, 2 of them kept"), "{}", ran.out);
    let second = folder.inodes();
    assert!(first.iter().all(|(name, inode)| second[name] == *inode), "{first:?} {second:?}");
    let order: Vec<i64> = folder.rows().iter().filter_map(|row| row["constants"]["N"].as_i64()).collect();
    assert_eq!(order, [4, 3, 2]);
    fs::remove_file(folder.path("out/points/N=3.json")).expect("there");
    let ran = folder.sweep(&["-D", "N=2..4"]);
    assert!(ran.out.contains("2 of them kept"), "{}", ran.out);
    assert_eq!(folder.inodes()["N=4.json"], second["N=4.json"]);
}

#[test]
fn a_point_is_stale_when_a_text_or_an_option_changed() {
    let folder = Folder::new(CHAIN);
    let kept = |arguments: &[&str]| {
        let ran = folder.sweep(&[&["-D", "N=2,3"], arguments].concat());
        succeeds(&ran).out.contains("2 of them kept")
    };
    assert!(!kept(&[]) && kept(&[]) && kept(&["--jobs", "1"]));
    folder.write("d.dsl", &CHAIN.replace("int32[64]", "int32[128]"));
    assert!(!kept(&[]) && kept(&[]), "the design");
    folder.write("nothing.dsl", &format!("// another text\n{NOTHING}"));
    assert!(!kept(&[]) && kept(&[]), "an import");
    folder.write("table.txt", "1 2 4");
    assert!(!kept(&[]) && kept(&[]), "a table");
    assert!(!kept(&["--seed", "2"]) && kept(&["--seed", "2"]), "an option");
    let device = aiec(["devices", "toy", "--toml"]).out;
    folder.write("mine.toml", &device);
    let mine = folder.path("mine.toml").display().to_string();
    assert!(!kept(&["--device", &mine]) && kept(&["--device", &mine]));
    folder.write("mine.toml", &format!("# another text\n{device}"));
    assert!(!kept(&["--device", &mine]), "the text of the device");
}

#[test]
fn the_order_of_constants_does_not_matter_to_the_files_of_points() {
    let folder = Folder::new(CHAIN);
    succeeds(&folder.sweep(&["-D", "WINDOW=16", "-D", "N=2"]));
    let ran = folder.sweep(&["-D", "N=2", "-D", "WINDOW=16"]);
    assert!(ran.out.contains("1 of them kept"), "{}", ran.out);
    assert!(folder.read("out/sweep.csv").starts_with("N,WINDOW,outcome"));
}

#[test]
fn files_are_the_same_with_any_number_of_threads_wherever_they_are() {
    let [one, two] = [Folder::new(CHAIN), Folder::new(CHAIN)];
    let constants = ["-D", "N=2..5", "-D", "WINDOW=16,32"];
    succeeds(&one.sweep(&[&constants[..], &["--jobs", "1"]].concat()));
    // The second one is ended after three points, and goes on with two threads.
    succeeds(&two.sweep(&["-D", "N=2..4", "-D", "WINDOW=32"]));
    succeeds(&two.sweep(&[&constants[..], &["--jobs", "2"]].concat()));
    let (first, second) = (all_files(&one.path("out")), all_files(&two.path("out")));
    assert_eq!(first.len(), 8 + 4);
    assert_eq!(first, second);
    let folder = one.0.path().display().to_string();
    assert!(first.values().all(|text| !text.contains(&folder)), "no absolute path");
}

/// Asserts that elements and quotes of a picture are in pairs, and that all of its numbers are
/// finite.
fn assert_well_formed(text: &str) {
    let mut open: Vec<&str> = Vec::new();
    let elements = text.split('<').skip(1).filter(|element| !element.starts_with("!--"));
    for element in elements {
        let (tag, _) = element.split_once('>').expect("an element ends");
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
        let name = tag.split([' ', '/']).find(|name| !name.is_empty()).unwrap_or_default();
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(name));
        } else if !tag.ends_with('/') {
            open.push(name);
        }
    }
    assert!(open.is_empty() && text.starts_with("<svg "), "{open:?}");
    assert!(!text.contains("NaN") && !text.contains("inf"));
}

#[test]
fn plots_have_a_line_for_each_combination_of_the_other_constants() {
    let folder = Folder::new(CHAIN);
    succeeds(&folder.sweep(&["-D", "WINDOW=8..64*2", "-D", "N=2,3,1000"]));
    for name in ["total_cycles.svg", "dma_connections.svg"] {
        let text = folder.read(&format!("out/{name}"));
        assert_well_formed(&text);
        assert!(text.contains("WINDOW (logarithmic)"), "{name}");
        assert_eq!(text.matches("<path ").count(), 2, "{name}: the third line has no point");
        assert!(["N=2", "N=3", "N=1000"].iter().all(|line| text.contains(&format!("\n{line}\n"))), "{name}");
    }
    succeeds(&folder.sweep(&["-D", "WINDOW=8,16", "-D", "N=2"]));
    let text = folder.read("out/total_cycles.svg");
    assert_well_formed(&text);
    assert!(text.contains("\nWINDOW\n") && !text.contains("logarithmic"), "{text}");
}

#[test]
fn wrong_constants_fail_before_anything_is_written() {
    let folder = Folder::new(CHAIN);
    for (arguments, reason) in [
        (&["-D", "M=1,2"][..], "the design has no constant called `M`"),
        (&["-D", "N=2,3", "-D", "TABLE=1,2"], "`TABLE` is a table of constants"),
        (&["-D", "N=9..3"], "the range `9..3` is empty"),
        (&["-D", "N=1..8*1"], "the factor of `1..8*1` is 1, and must be at least 2"),
        (&["-D", "N=1..8+0"], "the step of `1..8+0` is 0"),
        (&["-D", "N=1..200", "-D", "WINDOW=1..200"], "make 40000 points, and a sweep has at most 10000"),
        (&["-D", "N=2", "-D", "N=3"], "`N` has values already"),
        (&["-D", "N=two"], "`two` is no number"),
    ] {
        let ran = folder.sweep(arguments);
        assert_eq!(ran.status, 1, "{}", ran.out);
        assert!(ran.words().contains(reason) && ran.err.starts_with("input/bad-define"), "{}", ran.err);
        assert!(!folder.path("out").exists(), "{arguments:?}");
    }
    assert_eq!(folder.sweep(&[]).status, 2, "a sweep without constants is wrong usage");
}

#[test]
fn a_design_that_is_no_text_of_the_language_fails_once() {
    let folder = Folder::new("design d\nkernel {");
    let ran = folder.sweep(&["-D", "N=1,2"]);
    assert_eq!(ran.status, 1);
    assert!(ran.err.contains("parse/") && !folder.path("out").exists(), "{}", ran.err);
}

#[test]
fn files_of_others_are_not_replaced() {
    let names = ["sweep.csv", "sweep.json", "total_cycles.svg", "dma_connections.svg", "points/N=2.json"];
    for name in names {
        let folder = Folder::new(CHAIN);
        fs::create_dir_all(folder.path("out/points")).expect("writable");
        folder.write(&format!("out/{name}"), "mine");
        let ran = folder.sweep(&["-D", "N=2"]);
        assert_eq!(ran.status, 1, "{name}");
        assert!(ran.err.starts_with("emit/output-occupied") && ran.words().contains(name), "{}", ran.err);
        assert_eq!(folder.read(&format!("out/{name}")), "mine");
        succeeds(&folder.sweep(&["-D", "N=2", "--overwrite"]));
        assert_ne!(folder.read(&format!("out/{name}")), "mine");
    }
}

#[test]
fn files_that_were_edited_are_not_replaced_and_others_stay() {
    let folder = Folder::new(CHAIN);
    succeeds(&folder.sweep(&["-D", "N=2"]));
    folder.write("out/notes.txt", "mine");
    for name in ["sweep.csv", "sweep.json", "points/N=2.json"] {
        let (name, before) = (format!("out/{name}"), folder.read(&format!("out/{name}")));
        folder.write(&name, &before.replacen('2', "9", 1));
        let ran = folder.sweep(&["-D", "N=2"]);
        assert_eq!(ran.status, 1, "{name}");
        assert!(ran.words().contains("was edited since aiec wrote it"), "{name}: {}", ran.err);
        let ran = folder.sweep(&["-D", "N=2", "--overwrite"]);
        assert_eq!(succeeds(&ran).out.contains("kept"), !name.contains("points"), "{name}: {}", ran.out);
        assert_eq!(folder.read(&name), before);
    }
    assert_eq!(folder.read("out/notes.txt"), "mine");
}

#[test]
fn a_sweep_that_was_killed_while_it_wrote_the_table_goes_on() {
    let folder = Folder::new(CHAIN);
    succeeds(&folder.sweep(&["-D", "N=2"]));
    // `sweep.csv` is empty from before the change of `sweep.json` until its own text is there.
    folder.write("out/sweep.csv", "");
    succeeds(&folder.sweep(&["-D", "N=3"]));
    assert!(folder.read("out/sweep.csv").contains("\n3,placed,"));
}

#[test]
fn a_folder_that_cannot_be_made_is_an_error() {
    let folder = Folder::new(CHAIN);
    folder.write("file", "");
    let ran = folder.sweep_to("file", &["-D", "N=2"]);
    assert_eq!(ran.status, 1);
    assert!(ran.err.starts_with("emit/output-unwritable"), "{}", ran.err);
}

#[test]
fn a_workflow_names_the_command_and_the_points_and_compiles_nothing() {
    let folder = Folder::new(CHAIN);
    let swept = |arguments: &[&str]| folder.sweep(&[arguments, &["--snakemake"]].concat());
    let ran = swept(&["-D", "WINDOW=16..64*2", "-D", "N=0x3", "--seed", "3", "--jobs", "2"]);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""));
    assert!(ran.out.starts_with("3 points: ") && ran.out.ends_with("out/Snakefile\n"), "{}", ran.out);
    assert!(!folder.path("out/points").exists());
    let data: Value = serde_json::from_str(&folder.read("out/snakemake.json")).expect("JSON");
    let path = |name: &str| folder.path(name).display().to_string();
    assert_eq!(data["build"], serde_json::json!([path("d.dsl"), "--effort=1", "--seed=3"]));
    assert_eq!(data["folder"], path("out"));
    assert_eq!(data["points"]["N=3,WINDOW=32"], serde_json::json!(["-DWINDOW=32", "-DN=3"]));
    let inputs = data["inputs"].as_array().expect("a list");
    for name in ["d.dsl", "nothing.dsl"] {
        assert!(inputs.contains(&path(name).into()), "{name}: {inputs:?}");
    }

    assert_eq!(swept(&["-D", "N=4"]).status, 0, "files of aiec are replaced");
    folder.write("out/Snakefile", &(folder.read("out/Snakefile") + "\nX = 1\n"));
    let ran = swept(&["-D", "N=5"]);
    assert!(ran.status == 1 && ran.words().contains("--overwrite"), "{}", ran.err);
    assert_eq!(swept(&["-D", "N=5", "--overwrite"]).status, 0);
}
