//! Every emitted host program against XRT: the headers of 2022.1 if Debian's `libxrt-dev` has them,
//! and the witness for every release.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::RELEASES;
use crate::compiler::{Unit, errors, fresh, grouped, release_macro, witness};
use crate::projects::projects;

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

#[test]
#[ignore = "long: builds every design for four releases"]
fn host_programs_are_programs_of_xrt() {
    let mut all = Vec::new();
    for release in &RELEASES {
        // Places do not change a host program: many programs are equal.
        let mut seen = BTreeSet::new();
        for (name, project) in projects(release) {
            if !seen.insert(fs::read_to_string(project.join("sw/host.cpp")).expect("a project has a host")) {
                continue;
            }
            let faults = faults(&project.join("sw/host.cpp"), release.number);
            all.extend(faults.into_iter().map(|fault| (fault, name.clone())));
        }
    }
    let found = grouped(all.iter().map(|(fault, name)| (fault.clone(), name.as_str())));
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
/// own headers.
#[test]
#[ignore = "long: compiles every line"]
fn the_witness_of_xrt_is_neither_laxer_nor_stricter_than_xrt() {
    let folder = fresh("xrt");
    for (at, (number, line, refusal)) in LINES.into_iter().enumerate() {
        let context = if number >= 20231 { "#include \"xrt/xrt_hw_context.h\"\n" } else { "" };
        let parameter = if number >= 20231 { ", [[maybe_unused]] xrt::hw_context &context" } else { "" };
        let text = format!(
            "#include <chrono>\n#include <string>\n#include \"xrt/xrt_aie.h\"\n#include \"xrt/xrt_bo.h\"\n#include \"xrt/xrt_device.h\"\n#include \"xrt/xrt_graph.h\"
#include \"xrt/xrt_kernel.h\"\n#include \"experimental/xrt_xclbin.h\"\n{context}void use([[maybe_unused]] xrt::aie::device &array, [[maybe_unused]] const xrt::uuid &id, [[maybe_unused]] xrt::aie::bo &memory{parameter}) {{
    {line}\n}}\n"
        );
        let file = folder.join(format!("line{at}.cpp"));
        fs::write(&file, text).expect("writable");
        for judge in judges(number) {
            let macros = vec![release_macro(number)];
            let unit = Unit {
                file: file.clone(),
                standard: "c++17",
                system: vec![judge.1],
                macros,
                ..Unit::default()
            };
            let said = unit.faults().map(|said| said.replace(['\u{2018}', '\u{2019}'], "'"));
            let as_meant = match (&said, refusal) {
                (None, None) => true,
                (Some(said), Some(words)) => said.contains(words),
                _ => false,
            };
            assert!(as_meant, "{line}\n{}: {}", judge.0, said.as_deref().unwrap_or("it compiles"));
        }
    }
}
