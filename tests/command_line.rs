//! The command line as a user meets it: exit statuses, bad input, and directories that must stay
//! untouched.
#![allow(clippy::disallowed_methods, reason = "tests prepare files")]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use aiec_tests::{Ran, aiec, design, path};

/// Checks a design that must be refused with this slug, without panic and without result.
fn refused(text: impl AsRef<[u8]>, slug: &str) -> Ran {
    let (_directory, file) = design(text);
    let ran = aiec(["check", &file]);
    assert_eq!(ran.status, 1, "{}", ran.err);
    assert!(ran.err.contains(slug), "expected {slug} in\n{}", ran.err);
    assert!(ran.out.is_empty(), "{}", ran.out);
    ran
}

const MINIMAL: &str = "design d\ndevice toy\nports window\nkernel a(out y: window int32[16]) { source \"a.cc\" }\n\
    output o to plio(32, \"o.txt\")\nconnect a.y -> o\n";
const KERNEL: &str = "#include <adf.h>\nvoid a(output_window<int32> *y) {\n    for (int i = 0; i < 16; ++i) window_writeincr(y, i);\n}\n";

/// A small design that builds, with its source.
fn minimal() -> (tempfile::TempDir, String) {
    let (directory, file) = design(MINIMAL);
    fs::write(directory.path().join("a.cc"), KERNEL).expect("writable");
    (directory, file)
}

fn entries(directory: &Path) -> usize {
    fs::read_dir(directory).map_or(0, Iterator::count)
}

#[test]
fn standard_input_is_one_design() {
    for command in [&["check", "-", "-"][..], &["fmt", "-", "a.dsl", "-"], &["diff", "-", "-"]] {
        let ran = aiec(command.iter().copied());
        assert!(ran.status == 2 && ran.err.contains("`-` is given twice"), "{command:?}: {ran:?}");
    }
}

#[test]
fn wrong_usage_ends_with_2_and_help_with_0() {
    for arguments in [vec!["frobnicate"], vec!["diff"], vec!["build", "x.dsl", "--effort", "9"], vec![]] {
        let ran = aiec(&arguments);
        assert_eq!(ran.status, 2, "{arguments:?}");
        assert!(ran.err.contains("--help") || ran.err.contains("Usage"), "{}", ran.err);
    }
    for arguments in [["--help"], ["--version"]] {
        let ran = aiec(arguments);
        assert_eq!((ran.status, ran.err.as_str()), (0, ""));
        assert!(ran.out.contains("aiec"));
    }
}

#[test]
fn a_missing_file_is_named() {
    let ran = aiec(["check", "no/such/file.dsl"]);
    assert_eq!(ran.status, 1);
    assert!(ran.err.contains("input/unreadable-file") && ran.err.contains("no/such/file.dsl"), "{}", ran.err);
}

#[test]
fn a_folder_without_a_design_or_graph_is_refused_by_what_the_command_takes() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let folder = directory.path().display().to_string();
    fs::write(directory.path().join("parts.dsl"), "component c(in x: window int32[8]) { }\n")
        .expect("writable");
    for (command, found) in [
        ("check", "neither a design nor a graph"),
        ("build", "no design"),
        ("import", "no file that defines"),
    ] {
        let ran = aiec([command, &folder]);
        assert!(ran.status == 1 && ran.err.contains("input/which-design"), "{}", ran.err);
        assert!(ran.words().contains(found), "{command}: {}", ran.err);
    }
}

#[test]
fn an_endless_file_is_refused_without_reading_it() {
    let ran = aiec(["check", "/dev/zero"]);
    assert_eq!(ran.status, 1);
    assert!(ran.err.contains("input/unreadable-file") && ran.err.contains("a device"), "{}", ran.err);
}

#[test]
fn a_design_above_4_mib_is_refused_without_reading_it() {
    let ran = refused(design_of((4 << 20) + 1).as_bytes(), "input/file-too-large");
    assert!(ran.err.contains("4194305 bytes") && ran.err.contains("up to 4194304"), "{}", ran.err);
}

#[test]
#[ignore = "long: reads megabytes"]
fn a_design_of_4_mib_is_read() {
    refused(design_of(4 << 20).as_bytes(), "lower/missing-item");
}

/// A design of as many bytes, with nothing behind its name.
fn design_of(bytes: usize) -> String {
    format!("design d\n{}", " ".repeat(bytes - 9))
}

#[test]
fn a_path_as_long_as_a_file_is_refused_and_not_printed_whole() {
    let design = |path: &str| {
        format!(
            "design d\ndevice toy\nkernel a(out y: window int32[4]) {{ source \"{path}\" }}\noutput o to gmio\nconnect a.y -> o\n"
        )
    };
    let ran = refused(design(&"k".repeat(300_000)).as_bytes(), "lower/bad-value");
    assert!(ran.err.contains("4096 bytes") && ran.err.len() < 4096, "{} bytes\n{}", ran.err.len(), ran.err);
}

#[test]
fn text_that_is_not_utf8_is_refused() {
    let ran = refused(b"design d\n\xff\xfe\n", "input/not-utf8");
    assert!(ran.err.contains("byte 9"), "{}", ran.err);
}

#[test]
fn an_empty_file_is_not_a_design() {
    for text in ["", "\n\n", "// nothing but a comment\n"] {
        refused(text, "parse/");
    }
}

#[test]
fn deep_nesting_is_refused_before_it_is_parsed() {
    let parentheses =
        format!("design d\ndevice toy\nconst N = {}1{}\n", "(".repeat(100_000), ")".repeat(100_000));
    refused(parentheses, "parse/nesting-too-deep");
    let loops = format!("design d\ndevice toy\n{}{}\n", "for i in 0..2 { ".repeat(5_000), "}".repeat(5_000));
    refused(loops, "parse/nesting-too-deep");
    let minuses = format!("design d\ndevice toy\nconst N = {}1\n", "-".repeat(100_000));
    refused(minuses, "parse/");
    let sum = format!("design d\ndevice toy\nconst N = 1{}\n", " + 1".repeat(100_000));
    refused(sum, "parse/");
}

#[test]
fn a_family_larger_than_any_array_is_refused_at_once() {
    let text = "design d\ndevice toy\nkernel w[1000000000] { source \"w.cc\" }\n";
    refused(text, "lower/too-many-instances");
    let loops = "design d\ndevice toy\nkernel w { source \"w.cc\" }\nfor i in 0..1000000000000 { place w at (i, 0) }\n";
    refused(loops, "lower/");
}

#[test]
fn an_override_must_make_sense() {
    let text =
        "design d\ndevice toy\nconst N = 3\nkernel w[N](out y: window int32[16]) { source \"w.cc\" }\n";
    let (_directory, file) = design(text);
    for (define, slug) in [
        ("N=-1", "lower/bad-value"),
        ("N=0", "lower/bad-value"),
        ("M=1", "input/bad-define"),
        ("N=x", "input/bad-define"),
        ("N", "input/bad-define"),
    ] {
        let ran = aiec(["check", &file, "-D", define]);
        assert_eq!(ran.status, 1, "{define}");
        assert!(ran.err.contains(slug), "{define}: expected {slug} in\n{}", ran.err);
    }
}

#[test]
fn a_kernel_for_windows_where_ports_are_buffers_is_refused_before_anything_is_placed() {
    let (directory, file) = design(MINIMAL.replace("ports window", "ports buffer"));
    fs::write(directory.path().join("a.cc"), KERNEL).expect("writable");
    for command in ["check", "build"] {
        let ran = aiec([command, &file]);
        assert_eq!(ran.status, 1, "{command}: {}", ran.out);
        assert!(
            ["emit/other-ports", "a.cc:", "a.dsl:4:"].iter().all(|part| ran.err.contains(part)),
            "{command}: {}",
            ran.err
        );
        assert!(ran.err.contains("a(adf::output_buffer<int32> &y)"), "{command}: {}", ran.err);
    }
}

#[test]
fn a_kernel_for_buffers_is_offered_a_release_that_has_them() {
    const BUFFERS: &str = "void a(adf::output_buffer<int32> &y) { y.data()[0] = 1; }\n";
    let (directory, file) = design(MINIMAL.replace("ports window\n", ""));
    fs::write(directory.path().join("a.cc"), BUFFERS).expect("writable");
    for (release, offer) in [
        ("2022.2", "write `ports buffer` and `vitis \"2023.1\"` or newer"),
        ("2023.1", "write `ports buffer` in the design"),
    ] {
        let ran = aiec(["build", &file, "--vitis", release]);
        assert_eq!(ran.status, 1, "{release}: {}", ran.out);
        let words = ran.words();
        assert!(words.contains("emit/other-ports") && words.contains(offer), "{release}: {}", ran.err);
        assert!(words.contains("`void a(output_window<int32> *y)`"), "{release}: {}", ran.err);
    }
}

#[test]
fn a_missing_kernel_source_points_at_the_design() {
    let (_directory, file) = design(MINIMAL);
    let ran = aiec(["build", &file]);
    assert_eq!(ran.status, 1);
    assert!(ran.err.contains("input/missing-source") && ran.err.contains("a.dsl:4:"), "{}", ran.err);
}

#[test]
fn a_design_without_its_sources_is_checked_placed_and_drawn() {
    let (directory, file) = design(MINIMAL);
    let at = |name: &str| directory.path().join(name).display().to_string();
    let checked = aiec(["check", &file]);
    assert_eq!((checked.status, checked.err.as_str()), (0, ""));
    assert!(checked.out.contains("not checked: `a.cc`, not there yet"), "{}", checked.out);
    let (picture, constraints) = (at("a.svg"), at("a.aiecst"));
    let drawn = aiec(["place", &file, "--svg", &picture, "--aiecst", &constraints]);
    assert_eq!((drawn.status, drawn.err.as_str()), (0, ""));
    assert_eq!(aiec(["report", &file]).status, 0);
    assert_eq!(aiec(["route", &file]).status, 0);
}

#[test]
fn a_new_source_has_the_signature_of_the_release_and_replaces_nothing() {
    let (directory, file) = design(MINIMAL.replace("ports window\n", "").replace("a.cc", "new/a.cc"));
    let ran = aiec(["new", "kernel", "a", &file, "--vitis", "2025.2"]);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""));
    let text = fs::read_to_string(directory.path().join("new/a.cc")).expect("written");
    assert!(text.contains("void a(adf::output_buffer<int32> &y) {"), "{text}");
    let again = aiec(["new", "kernel", "a", &file, "--vitis", "2022.1"]);
    assert!(again.status == 1 && again.err.contains("emit/output-occupied"), "{}", again.err);
    assert_eq!(fs::read_to_string(directory.path().join("new/a.cc")).expect("there"), text);
    let other = aiec(["new", "kernel", "b", &file]);
    assert!(other.status == 1 && other.err.contains("has no kernel `b`"), "{}", other.err);
}

/// What follows the number behind `label` at the start of a line.
fn behind_number<'a>(text: &'a str, label: &str) -> Option<&'a str> {
    let rest = text.lines().find_map(|line| line.strip_prefix(label))?.trim_start();
    let tail = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    (tail.len() < rest.len()).then_some(tail)
}

#[test]
fn lines_that_scripts_read_keep_their_form() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let (design, project) = (path("examples/reduce.dsl"), directory.path().join("project"));
    let placed = aiec(["place", &design, "--effort", "1"]).out;
    assert!(
        behind_number(&placed, "by DMA  ").is_some_and(|tail| tail.starts_with(" connection")),
        "{placed}"
    );
    let built = aiec(["build", &design, "--effort", "1", "--output", &project.display().to_string()]).out;
    assert!(behind_number(&built, "by DMA  ").is_some(), "{built}");
    assert!(
        behind_number(&built, "reduce total  ").is_some_and(|tail| tail.starts_with(" cycles")),
        "{built}"
    );
}

#[test]
fn instances_of_a_component_share_a_new_source() {
    let text = "component part(in x: window int32[64], out y: window int32[64]) {
    kernel copy(in a: window int32[64], out b: window int32[64]) { source \"copy.cc\" }
    connect x -> copy.a
    connect copy.b -> y
}
design two
device xcvc1902
instance bank[2] of part
input i[2] from plio(64, \"a_{}.txt\")
output o[2] to plio(64, \"o_{}.txt\")
connect i -> bank.x
connect bank.y -> o
";
    let (directory, file) = design(text);
    let other = aiec(["new", "kernel", "none", &file]);
    assert!(other.err.contains("the kernels are bank[0].copy and bank[1].copy"), "{}", other.err);
    let checked = aiec(["check", &file]);
    assert!(checked.out.contains(&format!("`aiec new kernel bank[0].copy {file}`")), "{}", checked.out);
    assert_eq!(aiec(["new", "kernel", "copy", &file]).status, 0);
    let source = fs::read_to_string(directory.path().join("copy.cc")).expect("written");
    assert_eq!(source.matches("void copy(").count(), 1, "{source}");
}

#[test]
fn a_new_source_has_what_its_other_kernels_and_their_initialization_need() {
    let kernel = |name: &str| {
        format!(
            "kernel {name}(in x: window int32[64], out y: window int32[64]) {{ source \"k.cc\" init \"begin\" }}\n"
        )
    };
    let wires =
        "input x from gmio\noutput y to gmio\nconnect x -> a.x\nconnect a.y -> b.x\nconnect b.y -> y\n";
    let (directory, file) =
        design(format!("design d\ndevice xcvc1902\n{}{}{wires}", kernel("a"), kernel("b")));
    let at = directory.path().join("k.cc");
    assert_eq!(aiec(["new", "kernel", "a", &file]).status, 0);
    let text = fs::read_to_string(&at).expect("written");
    for signature in ["void begin() {", "void a(", "void b("] {
        assert_eq!(text.matches(signature).count(), 1, "{signature}: {text}");
    }
    let other = aiec(["new", "kernel", "b", &file]);
    assert!(other.status == 0 && other.out.contains("is the stub of `b` already"), "{}", other.err);
    fs::write(&at, format!("{text}// mine\n")).expect("writable");
    let changed = aiec(["new", "kernel", "b", &file]);
    assert!(changed.status == 1 && changed.err.contains("emit/output-occupied"), "{}", changed.err);
}

#[test]
fn a_kernel_of_a_component_needs_no_index_in_a_command() {
    let component = "design d device toy
        component twice(in x: window int32[64], out y: window int32[64]) {
            kernel add(in x: window int32[64], out y: window int32[64]) { source \"add.cc\" }
            connect x -> add.x
            connect add.y -> y
        }
        instance bank[2] of twice
        input x[2] from gmio output y[2] to gmio
        connect x -> bank.x connect bank.y -> y";
    let (_directory, file) = design(component);
    for near in ["bank.adt", "adt"] {
        let ran = aiec(["new", "kernel", near, &file]);
        assert!(ran.status == 1 && ran.err.contains("did you mean `bank[0].add`?"), "{}", ran.err);
    }
    assert_eq!(aiec(["new", "kernel", "bank.add", &file]).status, 0);
}

#[test]
fn a_check_without_a_compiler_says_what_it_left_out() {
    let (_directory, file) = minimal();
    let ran = aiec(["check", &file, "--cxx", "no-such-compiler"]);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""));
    assert!(ran.out.contains("not checked: the C++ of `a.cc`; the C++ compiler"), "{}", ran.out);
    assert_eq!(aiec(["check", &file, "--no-cxx"]).out.lines().count(), 1);
}

#[test]
fn an_unknown_device_is_refused_with_those_that_exist() {
    let ran = refused(MINIMAL.replace("toy", "xcvc9999"), "input/unknown-device");
    assert!(ran.err.contains("xcvc1902"), "{}", ran.err);
    let (_directory, file) = minimal();
    let ran = aiec(["check", &file, "--device", "xcvc9999"]);
    assert!(ran.status == 1 && ran.err.contains("input/unknown-device"), "{}", ran.err);
}

#[test]
fn a_device_file_of_ones_own_is_used() {
    let (directory, file) = minimal();
    let device = directory.path().join("mine.toml");
    let text = aiec(["devices", "toy", "--toml"]).out;
    fs::write(&device, text.replace("windows_per_kernel = 14", "windows_per_kernel = 0")).expect("writable");
    let ran = aiec(["check", &file, "--device", &device.display().to_string()]);
    assert!(ran.status == 1 && ran.err.contains("check/too-many-windows"), "{}", ran.err);
    fs::write(&device, text.replace("gmio_bds = 4", "gmio_bds = 40")).expect("writable");
    let ran = aiec(["devices", &device.display().to_string()]);
    assert!(
        ran.status == 1 && ran.err.contains("`shim.gmio_bds`") && ran.err.contains("mine.toml:"),
        "{}",
        ran.err
    );
    fs::write(&device, text.replace("\nrows = 4 ", "\nrows = \"x\" ")).expect("writable");
    let ran = aiec(["check", &file, "--device", &device.display().to_string()]);
    assert!(
        ran.status == 1 && ran.err.contains("device/bad-file") && ran.err.contains("mine.toml"),
        "{}",
        ran.err
    );
}

#[test]
fn a_second_build_replaces_the_first_but_never_foreign_files() {
    let (directory, file) = minimal();
    let out = directory.path().join("out");
    let build = |extra: &[&str]| {
        let out = out.display().to_string();
        aiec([&["build", &file, "-o", &out], extra].concat())
    };
    assert_eq!(build(&[]).status, 0);
    assert_eq!(build(&[]).status, 0, "a directory as aiec wrote it is replaced");

    let graph = out.join("aie/graph.h");
    let written = fs::read_to_string(&graph).expect("written");
    fs::write(&graph, "// edited by hand\n").expect("writable");
    let ran = build(&[]);
    assert!(
        ran.status == 1 && ran.err.contains("emit/output-occupied") && ran.err.contains("aie/graph.h"),
        "{}",
        ran.err
    );
    assert_eq!(fs::read_to_string(&graph).expect("still there"), "// edited by hand\n");
    assert_eq!(build(&["--check"]).status, 1);
    assert_eq!(build(&["--overwrite"]).status, 0);
    assert_eq!(fs::read_to_string(&graph).expect("written"), written);
    assert_eq!(build(&["--check"]).status, 0);
}

#[test]
fn a_directory_that_aiec_did_not_write_is_left_alone() {
    let (directory, file) = minimal();
    let out = directory.path().join("mine");
    fs::create_dir(&out).expect("writable");
    fs::write(out.join("thesis.tex"), "years of work").expect("writable");
    let ran = aiec(["build", &file, "-o", &out.display().to_string()]);
    assert!(
        ran.status == 1 && ran.err.contains("emit/output-occupied") && ran.err.contains("thesis.tex"),
        "{}",
        ran.err
    );
    assert_eq!(entries(&out), 1);
}

#[test]
fn an_output_directory_that_cannot_be_written_is_refused() {
    let (directory, file) = minimal();
    let blocked = directory.path().join("file");
    fs::write(&blocked, "").expect("writable");
    for out in [blocked.clone(), blocked.join("below")] {
        let ran = aiec(["build", &file, "-o", &out.display().to_string()]);
        assert!(ran.status == 1 && ran.err.contains("emit/output-unwritable"), "{}", ran.err);
    }
    let locked = directory.path().join("locked");
    fs::create_dir(&locked).expect("writable");
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o555)).expect("own directory");
    if fs::write(locked.join("probe"), "").is_err() {
        let ran = aiec(["build", &file, "-o", &locked.join("out").display().to_string()]);
        assert!(ran.status == 1 && ran.err.contains("emit/output-unwritable"), "{}", ran.err);
    }
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o755)).expect("own directory");
}

#[test]
fn a_write_that_fails_half_way_is_undone() {
    let (directory, file) = minimal();
    let out = directory.path().join("out");
    let build = || aiec(["build", &file, "--overwrite", "-o", &out.display().to_string()]);
    assert_eq!(build().status, 0);
    let graph = fs::read_to_string(out.join("aie/graph.h")).expect("written");
    fs::remove_file(out.join("system.cfg")).expect("there");
    fs::create_dir_all(out.join("system.cfg/mine")).expect("writable");
    fs::write(&file, MINIMAL.replace("design d", "design other")).expect("writable");
    let ran = build();
    assert!(ran.status == 1 && ran.err.contains("emit/output-unwritable"), "{}", ran.err);
    assert!(ran.err.contains("`system.cfg` is a directory"), "{}", ran.err);
    assert_eq!(fs::read_to_string(out.join("aie/graph.h")).expect("still there"), graph);
    let hidden = fs::read_dir(&out).expect("there").flatten();
    let staging = hidden.filter(|entry| entry.file_name().to_string_lossy().starts_with(".aiec-"));
    assert_eq!(staging.count(), 1, "the manifest, and no staging directory");
}

#[test]
fn a_result_that_cannot_be_written_is_a_failure() {
    struct Full;
    impl std::io::Write for Full {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::Error::from(std::io::ErrorKind::StorageFull))
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let mut err = Vec::new();
    let terminal = aiec::Terminal { color: false, width: 100, progress: false };
    let status = aiec::run(["aiec", "explain"], terminal, &mut Full, &mut err);
    assert_eq!(status, 1);
    assert!(String::from_utf8_lossy(&err).contains("cannot write the result"));
}

#[test]
fn headers_beside_and_above_a_source_come_along() {
    let (directory, file) = design(MINIMAL.replace("a.cc", "k/util/a.cc"));
    fs::create_dir_all(directory.path().join("k/util")).expect("writable");
    let source = format!("#include \"../deep.h\"\n{KERNEL}");
    fs::write(directory.path().join("k/util/a.cc"), source).expect("writable");
    fs::write(directory.path().join("k/deep.h"), "#pragma once\n").expect("writable");
    let out = directory.path().join("out");
    assert_eq!(aiec(["build", &file, "-o", &out.display().to_string()]).status, 0);
    assert!(out.join("aie/kernels/k/deep.h").is_file());
}

#[test]
fn a_failing_build_leaves_nothing_behind() {
    let (directory, file) = design(MINIMAL);
    let before = entries(directory.path());
    let out = directory.path().join("out");
    assert_eq!(aiec(["build", &file, "-o", &out.display().to_string()]).status, 1);
    assert_eq!(entries(directory.path()), before);
}

#[test]
fn diagnostics_come_as_json_for_editors() {
    let (_directory, file) = design(MINIMAL.replace("a.y -> o", "a.z -> o"));
    let ran = aiec(["check", &file, "--message-format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&ran.err).expect("an array");
    assert_eq!(json[0]["slug"], "lower/unknown-port");
    assert_eq!(json[0]["labels"][0]["line"], 6);
}

#[test]
fn a_result_does_not_go_to_a_file_named_dash() {
    let (_directory, file) = design(MINIMAL);
    let ran = aiec(["place", &file, "--output", "-"]);
    assert!(ran.status == 2 && ran.err.contains("name one, or write ./-"), "{}", ran.err);
}

#[test]
fn explain_names_the_diagnostics_with_a_word() {
    let ran = aiec(["explain", "Sync"]);
    assert_eq!(ran.status, 1);
    assert!(ran.words().contains("did you mean `check/sync-cycle`"), "{}", ran.err);
}

#[test]
fn devices_are_listed_and_printed() {
    let list = aiec(["devices"]);
    assert!(list.status == 0 && list.out.contains("xcvc1902") && list.out.contains("50 x 8"), "{}", list.out);
    assert!(list.out.contains("xcve2802") && list.out.contains("refuse to target"), "{}", list.out);
    let numbers = aiec(["devices", "xcvc1902"]).out;
    assert!(numbers.contains("36 / 36") && numbers.contains("294/104/2"), "{numbers}");
    assert!(aiec(["devices", "xcvc1902", "--toml"]).out.contains("noc_columns"));
    assert_eq!(aiec(["devices", "nope"]).status, 1);
    assert_eq!(aiec(["devices", "nope", "--toml"]).status, 1);
}

/// A file of a component with cascade ports: `kernels` is its inside, `ports` are more of its
/// ports.
fn chain(ports: &str, kernels: &str) -> String {
    format!(
        "device toy\ncomponent link(in older: cascade acc48, out newer: cascade acc48{ports}) {{\n{kernels}\n\
         connect older -> mac.older\nconnect mac.newer -> newer\n}}\n"
    )
}

#[test]
fn cascades_of_a_component_by_itself_lead_to_cores_outside() {
    let mac = "kernel mac(in older: cascade acc48, out newer: cascade acc48) { source \"mac.cc\" }";
    let (_directory, file) = design(chain("", mac));
    let ran = aiec(["check", &file]);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""));
    assert!(ran.out.starts_with("link: 1 kernel, 2 connections"), "{}", ran.out);
    assert!(!ran.out.contains("outside"), "{}", ran.out);
    // The rules of cascades hold: a core has one in and one out, and none is longer than the array.
    let twice = format!("{mac}\nkernel b(in x: cascade acc48) {{ source \"b.cc\" }}\nconnect older -> b.x");
    refused(chain("", &twice), "check/cascade-ends");
    let two = mac.replace("(in older", "(in more: cascade acc48, in older");
    refused(
        chain(", in more: cascade acc48", &format!("{two}\nconnect more -> mac.more")),
        "check/cascade-ends",
    );
    refused(
        chain("", &mac.replace("in older: cascade acc48", "in older: cascade acc80")),
        "lower/component-port",
    );
}

#[test]
fn a_missing_import_names_the_file_that_resembles_it() {
    let (directory, file) = design("import \"fir.dls\"\ndesign d\ndevice xcvc1902\n");
    fs::write(directory.path().join("fir.dsl"), "").expect("writable");
    let ran = aiec(["check", &file]);
    assert!(ran.err.contains("did you mean `fir.dsl`?"), "{}", ran.err);
    let (directory, file) = design("import \"fir\"\ndesign d\ndevice xcvc1902\n");
    fs::create_dir(directory.path().join("firs")).expect("writable");
    let ran = aiec(["check", &file]);
    assert!(!ran.err.contains("did you mean"), "a folder is no file: {}", ran.err);
    fs::write(directory.path().join("fir.dsl"), "").expect("writable");
    let ran = aiec(["check", &file]);
    assert!(ran.err.contains("did you mean `fir.dsl`?"), "{}", ran.err);
    let (directory, file) = design("import \"parts/fir\"\ndesign d\ndevice xcvc1902\n");
    fs::create_dir(directory.path().join("parts")).expect("writable");
    fs::write(directory.path().join("parts/fir.dsl"), "").expect("writable");
    let ran = aiec(["check", "--message-format", "short", &file]);
    assert!(ran.err.contains("did you mean `parts/fir.dsl`?"), "{}", ran.err);
}
