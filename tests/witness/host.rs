//! Every emitted host program against XRT: the headers of 2022.1 if Debian's `libxrt-dev` has them,
//! and the witness for every release.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::compiler::{Unit, errors, fresh, grouped, release_macro, witness};
use crate::projects::projects;
use crate::{RELEASES, Release};

#[allow(clippy::print_stderr, reason = "a judge that is left out is named")]
/// XRT's own headers, if they are installed and of 2022.1 (its version is 202210.2.13).
fn installed() -> Option<PathBuf> {
    let folder = PathBuf::from("/usr/include/xrt");
    let version = fs::read_to_string(folder.join("version.h")).unwrap_or_default();
    let found = version.contains("\"2.13.") && folder.join("xrt/xrt_device.h").is_file();
    if !found {
        eprintln!("left out: XRT's own headers of 2022.1 are not installed (Debian: libxrt-dev)");
    }
    found.then_some(folder)
}

/// The headers that check host programs of a release: their name and folder.
fn judges(number: u32) -> Vec<(String, PathBuf)> {
    let own = if number == 20221 { installed() } else { None };
    let own = own.into_iter().map(|folder| ("libxrt-dev".to_owned(), folder));
    own.chain([(format!("the witness of XRT {number}"), witness("xrt"))]).collect()
}

/// The faults of a host program, from each set of headers. XRT's documents compile as C++17, and so
/// does the Makefile of a project.
fn faults(file: &Path, number: u32) -> Vec<String> {
    let judge = |(name, folder): (String, PathBuf)| {
        let macros = vec![release_macro(number)];
        let unit = Unit {
            file: file.to_owned(),
            standard: "c++17",
            system: vec![folder],
            macros,
            ..Unit::default()
        };
        unit.faults()
            .map(|said| errors(&said).iter().map(|fault| format!("{name}: {fault}")).collect::<Vec<_>>())
    };
    judges(number).into_iter().filter_map(judge).flatten().collect()
}

/// Host programs with the same headers, as one file: the headers once, and each program in a
/// namespace of its own. Most of the compiler's time goes into headers.
#[derive(Default)]
struct Together {
    /// Names of the projects.
    names: Vec<String>,
    /// The programs without their headers.
    bodies: BTreeSet<String>,
}

/// The text of a program up to its last `#include`, and the rest.
fn parts(text: &str) -> (&str, &str) {
    let last = text.rfind("\n#include ").expect("a host program has headers") + 1;
    text.split_at(last + text[last..].find('\n').map_or(0, |end| end + 1))
}

/// The host programs of a release, by the headers that they include and the text of their own.
fn grouped_by_headers(release: &Release) -> BTreeMap<(String, String), Together> {
    let mut groups: BTreeMap<(String, String), Together> = BTreeMap::new();
    for (name, project) in projects(release) {
        let text = |file: &str| fs::read_to_string(project.join(file)).expect("a project has a host");
        let program = text("sw/host.cpp");
        let (headers, body) = parts(&program);
        let included = headers.lines().filter(|line| line.starts_with("#include"));
        let headers = included.map(|line| format!("{line}\n")).collect();
        // Its comments name the design.
        let own = text("sw/aiec_host.h");
        let own = own.lines().filter(|line| !line.starts_with("//")).map(|line| format!("{line}\n"));
        let group = groups.entry((headers, own.collect())).or_default();
        group.names.push(name);
        group.bodies.insert(body.to_owned());
    }
    groups
}

#[test]
#[ignore = "long: builds every design for four releases"]
fn host_programs_are_programs_of_xrt() {
    let mut all = Vec::new();
    for release in &RELEASES {
        for (at, ((headers, own), group)) in grouped_by_headers(release).into_iter().enumerate() {
            let folder = fresh(&format!("{}/hosts{at}", release.name));
            let bodies = group.bodies.iter().enumerate();
            let bodies: String =
                bodies.map(|(at, body)| format!("namespace program{at} {{\n{body}}}\n")).collect();
            fs::write(folder.join("aiec_host.h"), own).expect("writable");
            fs::write(folder.join("hosts.cpp"), headers + &bodies).expect("writable");
            let faults = faults(&folder.join("hosts.cpp"), release.number);
            all.extend(faults.into_iter().map(|fault| (fault, group.names.join(", "))));
        }
    }
    let found = grouped(all.iter().map(|(fault, names)| (fault.clone(), names.as_str())));
    assert!(found.is_empty(), "{found}");
}

/// Lines in a program that has a device, a uuid, buffers and, if the release has contexts, a
/// context: the release, the line, and the words of the refusal, or None when the line compiles.
const LINES: [(u32, &str, Option<&str>); 22] = [
    (
        20221,
        "xrt::graph g(array, id, \"g\"); g.reset(); g.run(4); g.wait(std::chrono::milliseconds(100)); g.end();",
        None,
    ),
    (
        20221,
        "memory.sync(\"in\", XCL_BO_SYNC_BO_GMIO_TO_AIE, 64, 0); memory.sync(\"in\", XCL_BO_SYNC_BO_AIE_TO_GMIO);",
        None,
    ),
    (
        20221,
        "xrt::kernel k(array, id, \"mm2s:{mm2s_0}\"); xrt::bo b(array, 64, k.group_id(0)); b.sync(XCL_BO_SYNC_BO_TO_DEVICE);",
        None,
    ),
    (
        20221,
        "xrt::kernel k(array, id, \"k\"); xrt::run r(k); r.set_arg(0, memory); r.set_arg(2, 16); r.start(); static_cast<void>(r.wait(1000) == ERT_CMD_STATE_COMPLETED);",
        None,
    ),
    (20221, "memory.map<int *>()[0] = 1;", None),
    (20221, "memory.async(\"in\", XCL_BO_SYNC_BO_GMIO_TO_AIE, 64, 0);", Some("no member named 'async'")),
    (20221, "xrt::bo::async_handle h;", Some("'async_handle' is not a member of 'xrt::")),
    (20221, "memory.sync(\"in\", 64, 0);", Some("no matching function")),
    (20221, "xrt::graph g(\"g\");", Some("no matching function")),
    (20221, "xrt::graph g(array, id, \"g\"); g.start();", Some("no member named 'start'")),
    (20221, "xrt::run r(id);", Some("no matching function")),
    (20221, "xrt::bo b(std::string(\"x\"));", Some("no matching function")),
    (20221, "xrt::device d = 0;", Some("conversion from 'int' to non-scalar type")),
    (20221, "xrt::graph g(array, id, \"g\"); int done = g.wait();", Some("void value not ignored")),
    (20222, "auto h = memory.async(\"in\", XCL_BO_SYNC_BO_GMIO_TO_AIE, 64, 0); h.wait();", None),
    (
        20222,
        "xrt::bo::async_handle h = memory.async(\"in\", XCL_BO_SYNC_BO_AIE_TO_GMIO, 64, 0); h.wait();",
        None,
    ),
    (20231, "xrt::graph g(context, \"g\");", Some("no matching function")),
    (
        20242,
        "xrt::graph g(context, \"g\"); xrt::kernel k(context, \"k\"); xrt::aie::bo b(context, 64, xrt::bo::flags::normal, 0);",
        None,
    ),
    (20251, "xrt::xclbin binary(\"a.xclbin\");", Some("is ambiguous")),
    (
        20261,
        "xrt::xclbin binary(std::string(\"a.xclbin\")); array.register_xclbin(binary); xrt::graph g(context, \"g\");",
        None,
    ),
    (20261, "array.load_xclbin(std::string(\"a.xclbin\"));", Some("is deprecated")),
    (20261, "xrt::graph g(array, id, \"g\");", Some("is deprecated")),
];

/// The witness accepts and refuses the same lines as XRT. For 2022.1 the test compares with XRT's
/// own headers. The lines of a release are functions of one file.
#[test]
#[ignore = "long: compiles every line"]
fn the_witness_of_xrt_is_neither_laxer_nor_stricter_than_xrt() {
    let folder = fresh("xrt");
    let releases: BTreeSet<u32> = LINES.iter().map(|(number, ..)| *number).collect();
    for number in releases {
        let context = if number >= 20231 { "#include \"xrt/xrt_hw_context.h\"\n" } else { "" };
        let parameter = if number >= 20231 { ", [[maybe_unused]] xrt::hw_context &context" } else { "" };
        let mut text = format!(
            "#include <chrono>\n#include <string>\n#include \"xrt/xrt_aie.h\"\n#include \"xrt/xrt_bo.h\"\n#include \"xrt/xrt_device.h\"\n#include \"xrt/xrt_graph.h\"
#include \"xrt/xrt_kernel.h\"\n#include \"experimental/xrt_xclbin.h\"\n{context}"
        );
        let mut places = Vec::new();
        for (at, (_, line, refusal)) in LINES.into_iter().filter(|line| line.0 == number).enumerate() {
            let parameters = format!(
                "[[maybe_unused]] xrt::aie::device &array, [[maybe_unused]] const xrt::uuid &id, [[maybe_unused]] xrt::aie::bo &memory{parameter}"
            );
            text += &format!("void use{at}({parameters}) {{\n    {line}\n}}\n");
            places.push((text.lines().count() - 1, line, refusal));
        }
        let file = folder.join(format!("lines_{number}.cpp"));
        fs::write(&file, text).expect("writable");
        for (name, headers) in judges(number) {
            let macros = vec![release_macro(number)];
            let unit = Unit {
                file: file.clone(),
                standard: "c++17",
                system: vec![headers],
                macros,
                ..Unit::default()
            };
            let said = unit.faults().unwrap_or_default().replace(['\u{2018}', '\u{2019}'], "'");
            for &(place, line, refusal) in &places {
                let here = format!("lines_{number}.cpp:{place}:");
                let said: Vec<&str> =
                    said.lines().filter(|said| said.contains(&here) && said.contains(": error: ")).collect();
                let as_meant =
                    refusal.map_or(said.is_empty(), |words| said.iter().any(|said| said.contains(words)));
                assert!(as_meant, "{line}\n{name}: {said:?}");
            }
        }
    }
}
