//! Releases of Vitis and boards: one design builds for all of them, and its Makefile's calls equal
//! those of the documents.
//!
//! The tests run without vendor tools. Stand-ins in a separate folder record their calls and create
//! the files that the next command needs. make runs normally.
#![allow(clippy::disallowed_methods, reason = "tests prepare files and run make")]
#![allow(clippy::panic, reason = "a test fails by panicking")]

use crate::snapshot::assert_snapshot;
use std::fmt::Write as _;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use aiec_device::release::{Packaging, RELEASES};
use aiec_device::{Board, Release};
use aiec_tests::{aiec, root};

/// A design with ports in both kinds of clock domains, for which the search has only one choice.
const DESIGN: &str = "design copies
device xcvc1902
iterations 2
kernel copy(in x: window int32[64], out y: window int32[64]) { source \"kernels/copy.cc\" }
kernel twin(in x: window int32[64], out y: window int32[64]) { source \"kernels/copy.cc\" }
input samples from plio(64, \"data/in.txt\")
output results to plio(128, \"data/out.txt\")
connect samples -> copy.x
connect copy.y -> twin.x
connect twin.y -> results
place copy at (24, 0)
place twin at (24, 1)
";

/// A source with ports of both kinds.
const SOURCE: &str = "#include <adf.h>
#include <aiec/design.h>
#if AIEC_BUFFER_PORTS
void copy(adf::input_buffer<int32> &x, adf::output_buffer<int32> &y) {
    for (unsigned i = 0; i < 64; ++i) y.data()[i] = x.data()[i];
}
void twin(adf::input_buffer<int32> &x, adf::output_buffer<int32> &y) { copy(x, y); }
#else
void copy(input_window<int32> *x, output_window<int32> *y) {
    for (unsigned i = 0; i < 64; ++i) window_writeincr(y, window_readincr(x));
}
void twin(input_window<int32> *x, output_window<int32> *y) { copy(x, y); }
#endif
";

/// The design in a separate folder.
struct Workshop {
    folder: tempfile::TempDir,
}

impl Workshop {
    fn new(design: &str) -> Self {
        let folder = tempfile::tempdir().expect("a temporary directory");
        fs::create_dir(folder.path().join("kernels")).expect("writable");
        fs::write(folder.path().join("design.dsl"), design).expect("writable");
        fs::write(folder.path().join("kernels/copy.cc"), SOURCE).expect("writable");
        fs::create_dir(folder.path().join("data")).expect("writable");
        fs::write(folder.path().join("data/in.txt"), "1 2\n".repeat(64)).expect("writable");
        Self { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// `aiec build` with more arguments.
    fn build(&self, extra: &[&str]) -> aiec_tests::Ran {
        let (design, out) = (self.path("design.dsl"), self.path("project"));
        let (design, out) = (design.display().to_string(), out.display().to_string());
        aiec([&["build", &design, "-o", &out], extra].concat())
    }

    /// Puts the stand-ins beside the project.
    fn tools(&self) {
        let tools = self.path("tools");
        fs::create_dir(&tools).expect("writable");
        for name in [
            "aiecompiler",
            "v++",
            "x86simulator",
            "aiesimulator",
            "aarch64-linux-gnu-g++",
            "g++",
            "emconfigutil",
            "aiec",
        ] {
            script(&tools.join(name), STAND_IN);
        }
    }

    /// Runs make in the project with only the stand-ins, and the variables that settings64.sh sets.
    fn make(&self, arguments: &[&str]) -> Output {
        let path = format!("{}:/usr/local/bin:/usr/bin:/bin", self.path("tools").display());
        let mut make = Command::new("make");
        make.arg("-C").arg(self.path("project")).arg("--no-print-directory").args(arguments);
        make.env_clear().env("PATH", path).env("XILINX_VITIS", "/vitis").env("CALLS", self.path("calls.txt"));
        make.output().expect("make is there")
    }

    /// The calls that the stand-ins recorded since the last time.
    fn calls(&self) -> String {
        let file = self.path("calls.txt");
        let calls = fs::read_to_string(&file).unwrap_or_default();
        fs::write(&file, "").expect("writable");
        calls
    }
}

/// Writes its call to `$CALLS` and makes the outputs of the tool it replaces: the file of `-o`, the
/// folder of results, `libadf.a`, the emulator's launcher, the host program.
const STAND_IN: &str = r#"#!/bin/sh
name=$(basename "$0")
echo "$name $*" >> "$CALLS"
out= target= folder=
previous=
for word in "$@"; do
    case "$previous" in -o) out=$word;; -t) target=$word;; --package.out_dir) folder=$word;; esac
    case "$word" in --target=*) target=${word#--target=};; --workdir=*) mkdir -p "${word#--workdir=}";; --work_dir=*) mkdir -p "${word#--work_dir=}";; esac
    previous=$word
done
case "$name $*" in
aiecompiler*|*"--mode aie"*) echo "$target" > libadf.a;;
*x86simulator*|*aiesimulator*|aiec\ *|emconfigutil*) ;;
*) printf '#!/bin/sh\necho "host.exe $*" >> "$CALLS"\n' > "$out"; chmod +x "$out";;
esac
if [ -n "$folder" ]; then
    mkdir -p "$folder"
    printf '#!/bin/sh\necho "launch_hw_emu.sh in $(basename "$PWD")" >> "$CALLS"\n' > "$folder/launch_hw_emu.sh"
    chmod +x "$folder/launch_hw_emu.sh"
fi
"#;

fn script(file: &Path, text: &str) {
    fs::write(file, text).expect("writable");
    fs::set_permissions(file, fs::Permissions::from_mode(0o755)).expect("it is ours");
}

/// Every release and board that is not refused.
fn all() -> impl Iterator<Item = (&'static Release, Board)> {
    let boards = |release: &'static Release| Board::ALL.map(|board| (release, board));
    RELEASES.iter().flat_map(boards).filter(|(release, board)| {
        release.platform(*board).value != Some(aiec_device::release::Platform::None)
    })
}

const TARGETS: [&[&str]; 9] = [
    &["x86sim"],
    &["aiesim"],
    &["sim"],
    &["host"],
    &["hw_emu"],
    &["run", "TARGET=hw_emu"],
    &["hw"],
    &["package"],
    &["run"],
];

/// Variables that make needs with this release and board.
fn asked(release: &Release, board: Board) -> Vec<&'static str> {
    let is_open = release.packaging(board).value.is_none();
    if is_open { vec!["PACKAGE_OPTIONS=--package.out_dir package_$(TARGET)"] } else { Vec::new() }
}

#[test]
#[ignore = "long: builds for every release and board"]
fn one_design_builds_for_every_release_and_board_and_make_calls_what_the_documents_say() {
    let mut golden = String::new();
    let mut count = 0;
    for (release, board) in all() {
        let workshop = Workshop::new(DESIGN);
        let ran = workshop.build(&["--vitis", release.name, "--board", board.name()]);
        assert_eq!(ran.status, 0, "{release} {board}: {}", ran.err);
        assert!(ran.out.contains(&format!("made for     Vitis {release}, {board}\n")), "{}", ran.out);
        workshop.tools();
        let _ = writeln!(golden, "\n======== {release} {board}");
        for target in TARGETS {
            let arguments = [target, asked(release, board).as_slice()].concat();
            let shown = workshop.make(&[&["-n"], arguments.as_slice()].concat());
            assert!(shown.status.success(), "{release} {board} make -n {target:?}: {}", text(&shown.stderr));
            assert_eq!(workshop.calls(), "", "make -n only shows");
            let ran = workshop.make(&arguments);
            assert!(ran.status.success(), "{release} {board} make {target:?}: {}", text(&ran.stderr));
            let calls = workshop.calls();
            let shown = squeezed(&text(&shown.stdout));
            for call in
                calls.lines().filter(|call| call.starts_with("v++") || call.starts_with("aiecompiler"))
            {
                assert!(
                    shown.contains(&squeezed(call)),
                    "{release} {board} {target:?}: {call}\nis not in\n{shown}"
                );
            }
            let _ = writeln!(golden, "-------- make {}", target.join(" "));
            golden += &calls;
            if board == Board::Vck190 && target == ["run"] {
                assert!(text(&ran.stdout).contains("sd_card.img"), "{}", text(&ran.stdout));
            }
        }
        // The compiler writes libadf.a for every target. The one for hardware must be linked and
        // packaged.
        let archive = fs::read_to_string(workshop.path("project/build_aie/libadf.a")).expect("compiled");
        assert_eq!(archive, "hw\n", "{release} {board}");
        assert!(!workshop.path("project/libadf.a").exists(), "{release} {board}");
        assert!(workshop.make(&["clean"]).status.success());
        for gone in ["host.exe", "build_x86sim", "build_aie", "build_hw", "build_hw_emu", "package_hw"] {
            assert!(!workshop.path("project").join(gone).exists(), "{gone}");
        }
        count += 1;
    }
    assert_eq!(count, 11, "nine for the VCK190, two for the VCK5000");
    assert_snapshot("tests/cases/projects", "make", &golden);
}

/// The files and folders at the top of a project of `DESIGN` for this release and board are refused
/// as data, and described in its README.
fn places_are_refused_and_described(release: &Release, board: Board) {
    let workshop = Workshop::new(DESIGN);
    let ran = workshop.build(&["--vitis", release.name, "--board", board.name()]);
    assert_eq!(ran.status, 0, "{release} {board}: {}", ran.err);
    let readme = fs::read_to_string(workshop.path("project/README.md")).expect("emitted");
    let entries = fs::read_dir(workshop.path("project")).expect("emitted");
    let names = entries.map(|entry| entry.expect("readable").file_name().display().to_string());
    // The user's data lies in the same folder as a file of aiec.
    let places: Vec<String> = names.filter(|name| name != "data").chain(["data/README.md".into()]).collect();
    assert!(places.len() > 6, "{places:?}");
    for place in &places {
        let file = workshop.path("d.dsl");
        fs::write(&file, DESIGN.replace("data/in.txt", place)).expect("writable");
        let ran = aiec(["check", "--no-cxx", &file.display().to_string()]);
        let said = format!("`{place}` cannot be used as a path");
        assert!(ran.status == 1 && ran.err.contains(&said), "add `{place}` to PROJECT_FILES: {}", ran.err);
    }
    // Every reader knows the first three; the README names the last two in its text.
    let known = [".gitignore", "Makefile", "README.md", ".aiec-manifest.json", "data/README.md"];
    for place in places.iter().filter(|place| !known.contains(&place.as_str())) {
        let is_there = [format!("`{place}`"), format!("`{place}/")].iter().any(|name| readme.contains(name));
        assert!(is_there, "add `{place}` to codegen/templates/README.md.askama");
    }
}

#[test]
fn files_of_a_project_are_refused_as_data_and_described() {
    let (release, board) = all().last().expect("a release");
    places_are_refused_and_described(release, board);
}

#[test]
#[ignore = "long: builds for every release and board"]
fn files_of_the_projects_of_all_releases_are_refused_as_data_and_described() {
    all().for_each(|(release, board)| places_are_refused_and_described(release, board));
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// `text` on one line, without the ends of broken lines.
fn squeezed(text: &str) -> String {
    text.replace("\\\n", " ").split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn make_says_which_variable_is_missing_and_why() {
    let (release, board) = all()
        .find(|(release, board)| release.packaging(*board).value.is_none())
        .expect("2026.1, whose documents disagree");
    let workshop = Workshop::new(DESIGN);
    let ran = workshop.build(&["--vitis", release.name, "--board", board.name()]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    workshop.tools();
    let stopped = workshop.make(&["hw"]);
    let said = text(&stopped.stderr);
    assert!(!stopped.status.success());
    assert!(said.contains("PACKAGE_OPTIONS is not set: no document settles how Vitis"), "{said}");
    assert!(said.contains(release.packaging(board).source), "{said}");
    assert!(workshop.make(&["x86sim", "aiesim", "host"]).status.success(), "what needs none of it runs");
    let readme = fs::read_to_string(workshop.path("project/README.md")).expect("written");
    assert!(readme.contains("`make` needs `PACKAGE_OPTIONS`"), "{readme}");
}

#[test]
fn the_card_is_packaged_without_a_deferred_graph_and_run_on_the_server() {
    let release = Release::named("2022.2").expect("there");
    assert_eq!(release.packaging(Board::Vck5000).value, Some(Packaging::Xclbin));
    let workshop = Workshop::new(DESIGN);
    assert_eq!(workshop.build(&["--vitis", "2022.2", "--board", "vck5000"]).status, 0);
    let makefile = fs::read_to_string(workshop.path("project/Makefile")).expect("written");
    assert!(!makefile.contains("defer_aie_run") && !makefile.contains("aarch64"), "{makefile}");
    assert!(makefile.contains("xilinx_vck5000_gen4x8_qdma_2_202220_1"), "{makefile}");
}

#[test]
fn a_release_without_a_platform_for_the_board_is_refused_and_the_newest_with_one_is_named() {
    let workshop = Workshop::new(DESIGN);
    for release in ["2023.1", "2023.2", "2024.1", "2024.2", "2025.1", "2025.2", "2026.1"] {
        let ran = workshop.build(&["--vitis", release, "--board", "vck5000"]);
        assert_eq!(ran.status, 1, "{release}");
        assert!(ran.err.contains("lower/no-platform") && ran.err.contains("2022.2"), "{}", ran.err);
    }
    assert!(!workshop.path("project").exists());
}

#[test]
fn unknown_releases_and_boards_are_refused_with_the_list() {
    let workshop = Workshop::new(DESIGN);
    let ran = workshop.build(&["--vitis", "2021.2"]);
    assert_eq!(ran.status, 2);
    assert!(ran.err.contains("the releases are 2022.1, 2022.2, 2023.1"), "{}", ran.err);
    let ran = workshop.build(&["--board", "zcu102"]);
    assert_eq!(ran.status, 2);
    assert!(ran.err.contains("the boards are vck190 and vck5000"), "{}", ran.err);
    let workshop = Workshop::new(&DESIGN.replace("iterations 2", "vitis \"2021.2\""));
    let ran = workshop.build(&[]);
    assert!(ran.status == 1 && ran.err.contains("`2022.1`") && ran.err.contains("`2026.1`"), "{}", ran.err);
}

#[test]
fn the_command_line_wins_over_the_design_and_says_so() {
    let workshop = Workshop::new(&DESIGN.replace("iterations 2", "vitis \"2022.2\"\nboard vck5000"));
    let plain = workshop.build(&[]);
    assert!(plain.out.contains("made for     Vitis 2022.2, vck5000\n"), "{}{}", plain.out, plain.err);
    let ran = workshop.build(&["--vitis", "2022.1", "--board", "vck190", "--overwrite"]);
    let said = "made for     Vitis 2022.1 by the command line, not 2022.2 as in the design, vck190 by the command line, not vck5000 as in the design\n";
    assert!(ran.out.contains(said), "{}{}", ran.out, ran.err);
    let report = fs::read_to_string(workshop.path("project/Makefile")).expect("written");
    assert!(report.contains("Vitis 2022.1 for the vck190"), "{report}");
}

#[test]
fn the_report_names_release_and_board() {
    let workshop = Workshop::new(DESIGN);
    let design = workshop.path("design.dsl").display().to_string();
    let ran = aiec(["report", &design, "--vitis", "2024.1"]);
    assert!(ran.out.contains("for Vitis 2024.1 and the vck190\n"), "{}{}", ran.out, ran.err);
    let json: serde_json::Value = serde_json::from_str(
        &aiec(["report", "--json", &design, "--vitis", "2022.2", "--board", "vck5000"]).out,
    )
    .expect("JSON");
    assert_eq!((&json["design"]["vitis"], &json["design"]["board"]), (&"2022.2".into(), &"vck5000".into()));
}

#[test]
fn the_script_of_the_newest_component_is_python_and_calls_what_the_guide_shows() {
    scripts_are_python(all().last());
}

#[test]
#[ignore = "long: builds for all releases and boards"]
fn the_script_of_each_component_is_python_and_calls_what_the_guide_shows() {
    scripts_are_python(all());
}

fn scripts_are_python(cases: impl IntoIterator<Item = (&'static Release, Board)>) {
    for (release, board) in cases {
        let workshop = Workshop::new(DESIGN);
        assert_eq!(workshop.build(&["--vitis", release.name, "--board", board.name()]).status, 0);
        let script = workshop.path("project/vitis_component.py");
        assert_eq!(script.exists(), release.component.value == Some(true), "{release}");
        assert_eq!(
            workshop.path("project/aie/aiecompiler.cfg").exists(),
            !["2022.1", "2022.2", "2023.1"].contains(&release.name),
            "{release}"
        );
        if !script.exists() {
            continue;
        }
        // A module with the name of Vitis's own records the calls.
        fs::write(workshop.path("vitis.py"), VITIS_MODULE).expect("writable");
        let compiled = Command::new("python3")
            .args(["-m", "py_compile"])
            .arg(&script)
            .output()
            .expect("python3 is there");
        assert!(compiled.status.success(), "{}", text(&compiled.stderr));
        let mut python = Command::new("python3");
        python.arg(&script).arg(workshop.path("workspace")).arg("hw");
        python.env("PYTHONPATH", workshop.folder.path()).env("XILINX_VITIS", "/vitis").env_remove("PLATFORM");
        let ran = python.output().expect("python3 is there");
        assert!(ran.status.success(), "{}", text(&ran.stderr));
        let called = text(&ran.stdout);
        let aiec_device::release::Platform::Named(name) = release.platform(board).value.expect("named")
        else {
            panic!()
        };
        for call in [
            format!(
                "create_aie_component name=copies platform=/vitis/base_platforms/{name}/{name}.xpfm template=empty_aie_component"
            ),
            "update_top_level_file top_level_file=src/graph.cpp".to_owned(),
            "build target=hw".to_owned(),
        ] {
            assert!(called.contains(&call), "{call} is not in\n{called}");
        }
        let options = fs::read_to_string(workshop.path("workspace/copies.cfg")).expect("written");
        // Headers are those of the component, so that edits in the IDE are compiled.
        let headers = workshop.path("workspace/copies/src/include");
        assert!(options.contains(&format!("include={}\n", headers.display())), "{options}");
        assert!(options.contains("freqhz=312500000\n") && options.contains("[aie]\n"), "{options}");
    }
}

const VITIS_MODULE: &str = "class Any:
    def __getattr__(self, name):
        def call(*given, **named):
            print(name, *given, *[f'{key}={value}' for key, value in named.items()])
            return Any()
        return call
def create_client():
    return Any()
def dispose():
    print('dispose')
";

#[test]
fn the_readme_says_which_release_is_the_default() {
    let standard = Release::standard();
    let text = fs::read_to_string(root().join("README.md")).expect("there");
    assert!(
        text.contains(&format!("Without it a project is for Vitis {standard}, the newest")),
        "{standard}"
    );
    let workshop = Workshop::new(DESIGN);
    let ran = workshop.build(&[]);
    assert!(ran.out.contains(&format!("Vitis {standard}, vck190\n")), "{}{}", ran.out, ran.err);
}

#[test]
fn docs_say_what_the_table_says() {
    let text = fs::read_to_string(root().join("docs/releases.md")).unwrap_or_default();
    assert!(
        text == aiec_device::release::document(),
        "stale: run `{}`",
        aiec_device::release::DOCUMENT_COMMAND
    );
}
