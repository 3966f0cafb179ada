//! Ownership of files: what `aiec build` writes to a folder, leaves there, protects and prints.
#![allow(clippy::disallowed_methods, reason = "tests prepare and read files")]

#[path = "ownership/products.rs"]
mod products;

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use aiec_test_support::folder::{DESIGN, Folder, kernel};
use aiec_tests::{Ran, aiec};
use serde_json::Value;

/// Values of the input of [`DESIGN`] for all its iterations.
const NUMBERS: &str = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n16\n17\n18\n19\n20\n21\n22\n23\n24\n25\n26\n27\n28\n29\n30\n31\n32\n";

aiec_test_support::workshop! {
    /// A design with its sources and data in a separate folder, and a folder for projects beside
    /// it.
    Workshop
}

impl Workshop {
    fn new() -> Self {
        Self(Folder::with(&[
            ("design/d.dsl", DESIGN),
            ("design/kernels/a.cc", &kernel("a")),
            ("design/kernels/b.cc", &kernel("b")),
            ("design/data/i.txt", NUMBERS),
        ]))
    }

    /// Replaces `from` in a file.
    fn edit(&self, relative: &str, from: &str, to: &str) {
        let text = self.read(relative);
        assert!(text.contains(from), "{text}");
        self.write(relative, &text.replace(from, to));
    }

    /// Builds `design` into `out` with more arguments.
    fn build_of(&self, design: &str, extra: &[&str]) -> Ran {
        let [design, out] = [design, "out"].map(|path| self.name(path));
        aiec([&["build", &design, "-o", &out], extra].concat())
    }

    fn build(&self, extra: &[&str]) -> Ran {
        self.build_of("design/d.dsl", extra)
    }

    /// Builds, which must work.
    fn built(&self, extra: &[&str]) -> String {
        let ran = self.build(extra);
        assert_eq!(ran.status, 0, "{}{}", ran.out, ran.err);
        ran.out
    }

    /// Every file of the project: which file it is, when it was written, and its text.
    fn tree(&self) -> BTreeMap<String, (u64, i64, i64, String)> {
        let mut tree = BTreeMap::new();
        if self.path("out").exists() {
            collect(&self.path("out"), &self.path("out"), &mut tree);
        }
        tree
    }

    /// The files that `work` wrote, made or removed.
    fn touched(&self, work: impl FnOnce()) -> Vec<String> {
        let before = self.tree();
        work();
        let after = self.tree();
        let names = before.keys().chain(after.keys());
        let mut touched: Vec<String> =
            names.filter(|name| before.get(*name) != after.get(*name)).cloned().collect();
        touched.sort();
        touched.dedup();
        touched
    }
}

fn collect(root: &Path, folder: &Path, tree: &mut BTreeMap<String, (u64, i64, i64, String)>) {
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(root, &path, tree);
        } else {
            let (metadata, name) =
                (entry.metadata().expect("there"), path.strip_prefix(root).expect("below"));
            let text = fs::read_to_string(&path).expect("text");
            let value = (metadata.ino(), metadata.mtime(), metadata.mtime_nsec(), text);
            tree.insert(name.display().to_string(), value);
        }
    }
}

const LIST: &str = ".aiec-manifest.json";

#[test]
fn a_build_writes_only_what_changed_and_says_what() {
    let workshop = Workshop::new();
    let out = workshop.built(&[]);
    assert!(out.contains(" files, all new)"), "{out}");
    assert!(workshop.touched(|| drop(workshop.built(&[]))).is_empty(), "nothing to do");
    assert!(workshop.built(&[]).contains(" files, nothing changed)"));

    workshop.edit("design/kernels/b.cc", "i < 16", "i < 8 + 8");
    let mut out = String::new();
    let touched = workshop.touched(|| out = workshop.built(&[]));
    assert_eq!(touched, [LIST, "aie/kernels/b.cc"]);
    assert!(out.contains(": 0 new, 1 changed, "), "{out}");
    assert!(
        out.lines().any(|line| line.starts_with("changed ") && line.ends_with(" aie/kernels/b.cc")),
        "{out}"
    );

    workshop.edit("design/d.dsl", "kernel b", "// what does not reach a file\nkernel b");
    assert_eq!(workshop.touched(|| drop(workshop.built(&[]))), [LIST]);

    workshop.edit("design/d.dsl", "\"kernels/b.cc\"", "\"kernels/b.cc\" stack 2 KiB");
    let touched = workshop.touched(|| drop(workshop.built(&[])));
    assert!(
        touched.contains(&"aie/graph.h".to_owned()) && touched.contains(&"README.md".to_owned()),
        "{touched:?}"
    );
    for same in
        ["sw/host.cpp", "aie/kernels.h", "system.cfg", "pl_kernels/s2mm_32.cpp", "Makefile", "data/i.txt"]
    {
        assert!(!touched.contains(&same.to_owned()), "{same}: {touched:?}");
    }
}

#[test]
fn what_is_no_longer_part_of_the_project_goes_and_what_others_put_there_stays() {
    let workshop = Workshop::new();
    workshop.built(&[]);
    workshop.write("out/data/golden.txt", "measured");
    workshop.edit("design/d.dsl", "\"kernels/b.cc\"", "\"other/b.cc\"");
    workshop.write("design/other/b.cc", &kernel("b"));
    let out = workshop.built(&[]);
    // Sources outside of kernels/ keep their folders, all of them.
    assert!(out.contains("removed ") && out.contains("aie/kernels/b.cc"), "{out}");
    assert!(!workshop.path("out/aie/kernels/b.cc").exists());
    assert_eq!(workshop.read("out/aie/kernels/other/b.cc"), kernel("b"));
    assert_eq!(workshop.read("out/data/golden.txt"), "measured");
    workshop.edit("design/d.dsl", "\"other/b.cc\"", "\"kernels/b.cc\"");
    workshop.built(&[]);
    assert!(!workshop.path("out/aie/kernels/other").exists(), "no empty folder is left");
}

#[test]
fn an_edited_file_refuses_the_whole_build_and_shows_the_difference() {
    let workshop = Workshop::new();
    workshop.built(&[]);
    workshop.edit("out/system.cfg", "[connectivity]\n", "[connectivity]\nsp=mine:DDR\n");
    workshop.edit("design/kernels/a.cc", "i < 16", "i < 4 * 4");
    let mut ran = None;
    assert!(workshop.touched(|| ran = Some(workshop.build(&[]))).is_empty(), "never a mixture");
    let Ran { status, out, err } = ran.expect("it ran");
    assert_eq!(status, 1);
    assert!(err.contains("emit/output-occupied") && err.contains("system.cfg"), "{err}");
    assert!(err.contains("--overwrite"), "{err}");
    assert!(out.contains("\n [connectivity]\n-sp=mine:DDR\n"), "{out}");
    assert!(out.starts_with("--- ") && !out.contains("kernels/a.cc"), "only what would be lost: {out}");

    let touched = workshop.touched(|| drop(workshop.built(&["--overwrite"])));
    assert_eq!(touched, [LIST, "aie/kernels/a.cc", "system.cfg"]);
    assert!(!workshop.read("out/system.cfg").contains("mine"));
}

#[test]
fn an_edited_copy_is_protected_with_the_path_of_the_original() {
    let workshop = Workshop::new();
    workshop.built(&[]);
    workshop.edit("out/aie/kernels/a.cc", "i < 16", "i < 15");
    let ran = workshop.build(&[]);
    assert_eq!(ran.status, 1);
    let words: String = ran.err.split_whitespace().collect::<Vec<_>>().join("");
    let original = workshop.name("design/kernels/a.cc");
    assert!(words.replace('│', "").contains(&format!("isacopyof`{original}`")), "{}", ran.err);
    assert!(
        ran.out.contains("-    for (int i = 0; i < 15;") && ran.out.contains("+    for (int i = 0; i < 16;")
    );
    // The same change in the original: both files are equal, and nothing is lost.
    workshop.edit("design/kernels/a.cc", "i < 16", "i < 15");
    workshop.built(&[]);
}

#[test]
fn an_edited_file_that_is_no_longer_part_of_the_project_is_not_lost_silently() {
    let workshop = Workshop::new();
    workshop.built(&[]);
    workshop.edit("out/aie/kernels/b.cc", "i < 16", "i < 15");
    workshop.edit("design/d.dsl", "\"kernels/b.cc\"", "\"other/b.cc\"");
    workshop.write("design/other/b.cc", &kernel("b"));
    let ran = workshop.build(&[]);
    assert!(ran.status == 1 && ran.err.contains("aie/kernels/b.cc"), "{}", ran.err);
    assert!(ran.out.contains("would be removed: ") && ran.out.contains("b.cc (4 lines)"), "{}", ran.out);
    workshop.built(&["--overwrite"]);
    assert!(!workshop.path("out/aie/kernels/b.cc").exists());
}

#[test]
fn a_build_with_other_constants_is_refused_with_the_earlier_command() {
    let workshop = Workshop::new();
    workshop.built(&["-D", "N=8"]);
    for other in [&["-D", "N=32"][..], &[]] {
        let mut ran = None;
        assert!(workshop.touched(|| ran = Some(workshop.build(other))).is_empty());
        let ran = ran.expect("it ran");
        assert_eq!(ran.status, 1);
        assert!(ran.err.contains("emit/output-of-another"), "{}", ran.err);
        let words = ran.words();
        assert!(words.contains("`aiec build d.dsl -D N=8`") && words.contains("--overwrite"), "{}", ran.err);
    }
    assert!(workshop.touched(|| drop(workshop.built(&["-D", "N=0x8"]))).is_empty(), "the same number");
    assert!(workshop.built(&["-D", "N=32", "--overwrite"]).contains("changed"));
    assert!(workshop.read("out/README.md").contains("aiec build d.dsl -D N=32"));
}

#[test]
fn a_build_of_another_design_is_refused_and_leaves_nothing_behind_if_it_is_wanted() {
    let workshop = Workshop::new();
    workshop.built(&[]);
    let other = "design e\ndevice toy\nports window\nkernel c(out y: window int32[16]) { source \"kernels/c.cc\" }\noutput o to gmio\nconnect c.y -> o\n";
    workshop.write("design/e.dsl", other);
    workshop.write("design/kernels/c.cc", "#include <adf.h>\nvoid c(output_window<int32> *y) {}\n");
    // A renamed design is a different design, too: the default folder is equal for both.
    workshop.write("design/d2.dsl", DESIGN);
    for file in ["design/e.dsl", "design/d2.dsl"] {
        let mut ran = None;
        assert!(workshop.touched(|| ran = Some(workshop.build_of(file, &[]))).is_empty());
        let ran = ran.expect("it ran");
        assert!(ran.status == 1 && ran.err.contains("emit/output-of-another"), "{}", ran.err);
        assert!(ran.err.contains("aiec build d.dsl"), "{}", ran.err);
    }
    assert_eq!(workshop.build_of("design/e.dsl", &["--overwrite"]).status, 0);
    let tree = workshop.tree();
    assert!(
        !tree.contains_key("aie/kernels/a.cc") && tree.contains_key("aie/kernels/c.cc"),
        "{:?}",
        tree.keys()
    );
    assert!(!tree.contains_key("pl_kernels/s2mm_32.cpp"), "never a mixture: {:?}", tree.keys());
}

#[test]
fn a_check_writes_nothing_and_shows_what_differs() {
    let workshop = Workshop::new();
    let ran = workshop.build(&["--check"]);
    assert_eq!(ran.status, 1);
    assert!(ran.out.contains("would be written: ") && !workshop.path("out").exists(), "{}", ran.out);
    workshop.built(&[]);
    assert_eq!(workshop.build(&["--check"]).status, 0);

    workshop.edit("design/kernels/a.cc", "i < 16", "i < 4 * 4");
    let mut ran = None;
    assert!(workshop.touched(|| ran = Some(workshop.build(&["--check"]))).is_empty());
    let Ran { status, out, err } = ran.expect("it ran");
    assert_eq!(status, 1);
    assert!(
        err.contains("emit/output-stale") && err.contains("aie/kernels/a.cc and .aiec-manifest.json would"),
        "{err}"
    );
    assert!(
        out.contains("-    for (int i = 0; i < 16;") && out.contains("+    for (int i = 0; i < 4 * 4;"),
        "{out}"
    );

    let ran = workshop.build(&["--check", "-D", "N=8"]);
    assert!(ran.status == 1 && ran.err.contains("made what is there"), "{}", ran.err);
    // A design whose text differs only where no file depends on it.
    workshop.built(&[]);
    workshop.edit("design/d.dsl", "const N", "// elements\nconst N");
    let ran = workshop.build(&["--check"]);
    assert!(
        ran.status == 1 && ran.out.contains(LIST) && ran.out.contains("-  \"input_hash\": "),
        "{}",
        ran.out
    );
    workshop.built(&[]);
    let ran = workshop.build(&["--check"]);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{}", ran.out);
}

#[test]
fn every_file_says_where_it_comes_from_and_none_where_it_was_made() {
    let workshop = Workshop::new();
    workshop.built(&["-D", "N=8", "--seed", "3"]);
    let here = workshop.name("");
    let list: Value = serde_json::from_str(&workshop.read("out/.aiec-manifest.json")).expect("JSON");
    let copies = list["copies"].as_object().expect("copies");
    let expected = [
        ("aie/kernels/a.cc", "kernels/a.cc"),
        ("aie/kernels/b.cc", "kernels/b.cc"),
        ("data/i.txt", "data/i.txt"),
    ];
    assert_eq!(
        copies
            .iter()
            .map(|(copy, original)| (copy.as_str(), original.as_str().expect("a path")))
            .collect::<Vec<_>>(),
        expected
    );
    let stamp = format!(
        "Generated by aiec {} from the design d: aiec build d.dsl -D N=8; input ",
        env!("CARGO_PKG_VERSION")
    );
    for (path, (.., text)) in workshop.tree() {
        assert!(!text.contains(&here), "{path}");
        if copies.contains_key(&path) {
            assert_eq!(text, workshop.read(&format!("design/{}", copies[&path].as_str().expect("a path"))));
        } else if path != LIST {
            assert!(text.contains(&stamp), "{path}:\n{text}");
        }
    }
    assert!(workshop.read("out/README.md").contains("\n    aiec build d.dsl -D N=8 --seed 3\n"));
    assert!(workshop.read("out/README.md").contains("| `aie/kernels/a.cc` | `kernels/a.cc` |"));
}

#[test]
fn the_list_says_what_was_written_and_of_what() {
    let (one, two) = (Workshop::new(), Workshop::new());
    one.built(&["-D", "N=8"]);
    two.built(&["-D", "N=8"]);
    let text = one.read("out/.aiec-manifest.json");
    assert_eq!(text, two.read("out/.aiec-manifest.json"), "wherever it was made");
    let list: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(list["aiec"], env!("CARGO_PKG_VERSION"));
    assert_eq!((&list["design"], &list["design_file"]), (&"d".into(), &"d.dsl".into()));
    assert_eq!((&list["command"], &list["defines"]["N"]), (&"aiec build d.dsl -D N=8".into(), &8.into()));
    let inputs: Vec<&str> = list["inputs"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|input| input["file"].as_str())
        .collect();
    assert_eq!(inputs, ["d.dsl", "kernels/a.cc", "kernels/b.cc", "data/i.txt"]);
    let files = list["files"].as_object().expect("files").len();
    assert_eq!(files, one.tree().len() - 1, "every file but the list");
    let hash = |workshop: &Workshop| {
        let list: Value = serde_json::from_str(&workshop.read("out/.aiec-manifest.json")).expect("JSON");
        list["input_hash"].as_str().expect("a hash").to_owned()
    };
    let mut hashes = vec![hash(&one)];
    for (file, from, to) in [
        ("design/d.dsl", "const", "// x\nconst"),
        ("design/kernels/a.cc", "16", "8"),
        ("design/data/i.txt", "1\n2", "4\n2"),
    ] {
        one.edit(file, from, to);
        one.built(&["-D", "N=8"]);
        hashes.push(hash(&one));
    }
    one.built(&["-D", "N=8", "--seed", "2"]);
    hashes.push(hash(&one));
    one.built(&["-D", "N=4", "--overwrite"]);
    hashes.push(hash(&one));
    hashes.sort();
    hashes.dedup();
    assert_eq!(hashes.len(), 6, "every input counts: {hashes:?}");
    assert!(hashes.iter().all(|hash| hash.len() == 16));
}

/// All files below a folder of the workshop.
fn all_below(workshop: &Workshop, relative: &str) -> BTreeMap<String, (u64, i64, i64, String)> {
    let mut tree = BTreeMap::new();
    collect(&workshop.path(relative), &workshop.path(relative), &mut tree);
    tree
}

#[test]
#[ignore = "long: builds project after project"]
fn a_folder_with_sources_is_no_output_folder_whatever_the_options() {
    let workshop = Workshop::new();
    workshop.write("kernels/shared.cc", &kernel("a"));
    std::os::unix::fs::symlink(workshop.path("kernels/shared.cc"), workshop.path("design/linked.cc"))
        .expect("writable");
    workshop.edit("design/d.dsl", "\"kernels/a.cc\"", "\"linked.cc\"");
    std::os::unix::fs::symlink(workshop.path("design"), workshop.path("other_name")).expect("writable");
    let design = workshop.name("design/d.dsl");
    let before = all_below(&workshop, "");
    for folder in ["design", "design/kernels", "", "kernels", "other_name", "design/../design/kernels/.."] {
        for extra in [&[][..], &["--overwrite"], &["--check"]] {
            let out = workshop.name(folder);
            let ran = aiec([&["build", &design, "-o", &out], extra].concat());
            assert!(ran.status == 1 && ran.err.contains("emit/output-is-source"), "{folder}: {}", ran.err);
        }
    }
    assert_eq!(all_below(&workshop, ""), before);
    for beside in ["design/build/d", "design/out"] {
        let ran = aiec(["build", &design, "-o", &workshop.name(beside)]);
        assert_eq!(ran.status, 0, "{beside}: {}", ran.err);
    }
}

#[test]
fn data_and_other_files_in_the_output_folder_stay_the_users() {
    let workshop = Workshop::new();
    // A link by which the copy of the data would lie where the data is.
    workshop.write("out/notes.txt", "mine");
    fs::hard_link(workshop.path("design/data/i.txt"), workshop.path("hard.txt")).expect("writable");
    fs::create_dir_all(workshop.path("out/data")).expect("writable");
    fs::rename(workshop.path("hard.txt"), workshop.path("out/data/i.txt")).expect("writable");
    workshop.write("out/aie/kernels/a.cc", &kernel("a"));
    assert_eq!(workshop.build(&[]).status, 1, "it is full of files");
    workshop.built(&["--overwrite"]);
    let list: Value = serde_json::from_str(&workshop.read("out/.aiec-manifest.json")).expect("JSON");
    for file in ["data/i.txt", "aie/kernels/a.cc", "notes.txt"] {
        assert!(list["files"].get(file).is_none() && list["copies"].get(file).is_none(), "{file}: {list:#}");
    }
    assert!(list["files"].get("aie/kernels/b.cc").is_some());
    workshop.built(&["--check"]);
    // Files that the design no longer uses are deleted, except files that existed before.
    workshop.edit("design/d.dsl", "gmio(\"data/i.txt\")", "gmio");
    for kernel in ["a", "b"] {
        workshop.edit("design/d.dsl", &format!("kernels/{kernel}.cc"), &format!("moved/{kernel}.cc"));
        workshop.write(&format!("design/moved/{kernel}.cc"), &self::kernel(kernel));
    }
    workshop.built(&[]);
    assert_eq!(workshop.read("out/data/i.txt"), NUMBERS);
    assert_eq!(workshop.read("out/aie/kernels/a.cc"), kernel("a"));
    assert!(!workshop.path("out/aie/kernels/b.cc").exists(), "that one aiec wrote");
    assert_eq!(workshop.read("design/data/i.txt"), NUMBERS);
}

#[test]
fn nothing_is_written_or_removed_behind_a_link() {
    for extra in [&[][..], &["--overwrite"]] {
        let workshop = Workshop::new();
        workshop.built(&[]);
        workshop.write("outside/b.cc", "precious");
        workshop.write("outside/kernels/b.cc", "precious");
        fs::remove_dir_all(workshop.path("out/aie/kernels")).expect("there");
        std::os::unix::fs::symlink("../../outside", workshop.path("out/aie/kernels")).expect("writable");
        workshop.edit("design/kernels/b.cc", "i < 16", "i < 8 + 8");
        let before = all_below(&workshop, "outside");
        let ran = workshop.build(extra);
        assert!(ran.status == 1 && ran.err.contains("emit/output-unwritable"), "{}", ran.err);
        assert!(ran.err.contains("aie/kernels` is a link"), "{}", ran.err);
        // Files to delete are not searched there either.
        workshop.edit("design/d.dsl", "kernels/a.cc", "k/a.cc");
        workshop.edit("design/d.dsl", "kernels/b.cc", "k/b.cc");
        for name in ["a", "b"] {
            workshop.write(&format!("design/k/{name}.cc"), &kernel(name));
        }
        workshop.build(extra);
        assert_eq!(all_below(&workshop, "outside"), before);
    }
}

#[test]
fn an_entry_of_the_list_leads_nowhere_else() {
    let workshop = Workshop::new();
    workshop.built(&[]);
    workshop.write("outside/b.txt", "precious");
    std::os::unix::fs::symlink("../outside", workshop.path("out/linked")).expect("writable");
    let mut list: Value = serde_json::from_str(&workshop.read("out/.aiec-manifest.json")).expect("JSON");
    let hash = list["files"]["data/i.txt"].clone();
    workshop.write("outside/b.txt", "1\n2\n3\n");
    let absolute = workshop.name("outside/b.txt");
    let records = [".aiec-work/lock", LIST];
    let outside = ["linked/b.txt", "../outside/b.txt", "data/../../outside/b.txt", absolute.as_str()];
    for entry in outside.into_iter().chain(records) {
        list["files"][entry] = hash.clone();
    }
    workshop.write("out/.aiec-manifest.json", &list.to_string());
    for extra in [&[][..], &["--overwrite"]] {
        workshop.edit("design/kernels/a.cc", "\n}\n", "\n\n}\n");
        workshop.built(extra);
        assert_eq!(workshop.read("outside/b.txt"), "1\n2\n3\n");
    }
}

#[test]
fn a_file_that_is_a_link_is_replaced_itself_and_only_if_that_is_said() {
    let workshop = Workshop::new();
    workshop.built(&[]);
    workshop.write("outside.cfg", "precious");
    fs::remove_file(workshop.path("out/system.cfg")).expect("there");
    std::os::unix::fs::symlink("../outside.cfg", workshop.path("out/system.cfg")).expect("writable");
    let ran = workshop.build(&[]);
    assert!(ran.status == 1 && ran.err.contains("emit/output-occupied"), "{}", ran.err);
    workshop.built(&["--overwrite"]);
    assert_eq!(workshop.read("outside.cfg"), "precious");
    assert!(workshop.read("out/system.cfg").contains("[connectivity]"));
    // A link to the original edits both at once and causes no conflict.
    fs::remove_file(workshop.path("out/aie/kernels/a.cc")).expect("there");
    std::os::unix::fs::symlink(workshop.path("design/kernels/a.cc"), workshop.path("out/aie/kernels/a.cc"))
        .expect("writable");
    workshop.edit("design/kernels/a.cc", "i < 16", "i < 8 + 8");
    workshop.built(&[]);
    assert!(fs::symlink_metadata(workshop.path("out/aie/kernels/a.cc")).expect("there").is_symlink());
}

#[test]
fn a_changed_list_is_seen_and_shown_beside_other_changes() {
    let workshop = Workshop::new();
    workshop.built(&[]);
    workshop.edit("out/.aiec-manifest.json", "\"aiec\": ", "\"aiec\":  ");
    let ran = workshop.build(&["--check"]);
    assert!(ran.status == 1 && ran.err.contains(LIST) && ran.out.contains(LIST), "{}{}", ran.out, ran.err);
    workshop.edit("out/system.cfg", "[connectivity]\n", "[connectivity]\nsp=mine:DDR\n");
    let ran = workshop.build(&["--check"]);
    assert!(ran.status == 1 && ran.err.contains(LIST) && ran.err.contains("system.cfg"), "{}", ran.err);
    assert!(ran.out.contains("+  \"aiec\": ") && ran.out.contains("-sp=mine:DDR"), "{}", ran.out);
    workshop.built(&["--overwrite"]);
    fs::remove_file(workshop.path("out/.aiec-manifest.json")).expect("there");
    let ran = workshop.build(&["--check"]);
    assert!(ran.status == 1 && ran.err.contains(LIST), "{}", ran.err);
}

#[test]
fn a_folder_whose_list_is_lost_is_somebodys() {
    let workshop = Workshop::new();
    workshop.built(&[]);
    workshop.write("out/.aiec-manifest.json", "<<<<<<< HEAD\n");
    let mut ran = None;
    assert!(workshop.touched(|| ran = Some(workshop.build(&[]))).is_empty());
    let ran = ran.expect("it ran");
    assert!(ran.status == 1 && ran.err.contains("its list of what aiec wrote is lost"), "{}", ran.err);
    assert_eq!(workshop.touched(|| drop(workshop.built(&["--overwrite"]))), [LIST]);
}

#[test]
fn a_list_of_an_earlier_version_is_still_one() {
    let workshop = Workshop::new();
    workshop.built(&[]);
    let list: Value = serde_json::from_str(&workshop.read("out/.aiec-manifest.json")).expect("JSON");
    let mut files = list["files"].clone();
    let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    files["aiec-notes.json"] = empty.into();
    workshop.write("out/aiec-notes.json", "");
    let old = serde_json::json!({ "about": "Files written by aiec; do not edit.", "files": files });
    workshop.write("out/.aiec-manifest.json", &old.to_string());
    let out = workshop.built(&[]);
    assert!(out.contains("1 removed") && !workshop.path("out/aiec-notes.json").exists(), "{out}");
}

#[test]
#[ignore = "long: runs kernels for golden data"]
fn golden_data_stay_in_a_project_as_long_as_they_are_of_its_inputs() {
    let workshop = Workshop::new();
    let numbers = |first: u32| (first..first + 16).map(|n| format!("{n}\n")).collect::<String>();
    workshop.write("design/data/i.txt", &numbers(1));
    let ran = workshop.build(&["--golden"]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    let golden = "out/data/golden/o.txt";
    assert_eq!(workshop.read(golden), numbers(1));
    workshop.built(&[]);
    assert_eq!(workshop.read(golden), numbers(1), "a build that runs nothing keeps them");
    workshop.write("design/data/i.txt", &numbers(2));
    workshop.built(&[]);
    assert!(!workshop.path(golden).exists(), "they were of other data");
}
