//! Checks emitted files against declarations that share nothing with `runtime/`: of ADF from AMD's
//! documents (`adf/include`), of XRT from its documents (`xrt/include`) and, if Debian's
//! `libxrt-dev` is installed, its own headers of 2022.1. `docs/witnesses.md` describes each check.
#![allow(clippy::disallowed_methods, reason = "these tests compile C++ programs")]

#[path = "../matrix/cases.rs"]
#[allow(dead_code, reason = "this test compiles graphs, not kernels")]
mod cases;

/// The limits that `cases` needs: over few ranks no shape has too many windows.
mod illegal {
    use aiec_collectives::{Operation, Shape};

    pub const fn refusal(_: Operation, _: Shape, _: u32) -> Option<&'static str> {
        None
    }
}

mod compiler;
mod emitted;
mod host;
mod projects;
mod routes;
mod wrong;

/// A release for which every design is built and compiled. Add a release here and nowhere else.
#[derive(Clone, Copy, Debug)]
pub struct Release {
    /// The name in Vitis.
    pub name: &'static str,
    /// The number for the witnesses: year and number.
    pub number: u32,
    /// The C++ standard of the graph front end.
    pub standard: &'static str,
    /// The options of `aiec build`.
    pub arguments: &'static [&'static str],
}

/// The releases: the oldest, with windows; the first with buffer ports and merges of 32; the
/// default of designs that name none; the newest. UG1079 2023.2, "Comparison between Buffer Ports
/// and Windows": windows need C++14, buffer ports C++17. No document states that the front end of
/// 2022.1 accepts more.
pub const RELEASES: [Release; 4] = [
    Release { name: "2022.1", number: 20221, standard: "c++14", arguments: &["--vitis", "2022.1"] },
    BUFFERS,
    Release { name: "2025.2", number: 20252, standard: "c++17", arguments: &[] },
    Release { name: "2026.1", number: 20261, standard: "c++17", arguments: &["--vitis", "2026.1"] },
];

/// A release with buffer ports, for designs with `ports buffer`.
pub const BUFFERS: Release =
    Release { name: "2023.2", number: 20232, standard: "c++17", arguments: &["--vitis", "2023.2"] };
