//! Releases of Vitis: what each of them means for a project, in one table.
//!
//! Every cell says which document it is from. A cell that no document fills is [`Cell::unknown`]: what depends on it is left to
//! the user, as a variable of the Makefile. Sources are AMD's guides by number and release (UG1076 tools, UG1079 kernels and graphs,
//! UG1393 and UG1702 v++ and platforms, UG1701 embedded flow), tutorials (XD numbers), and the headers of XRT by release.

use std::fmt;

/// A fact about a release with the document that states it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell<T> {
    /// The fact; none if no document states it.
    pub value: Option<T>,
    /// The document, or for a fact that is unknown what was looked through.
    pub source: &'static str,
}

impl<T: Copy> Cell<T> {
    /// A fact that `source` states.
    const fn cited(value: T, source: &'static str) -> Self {
        Self { value: Some(value), source }
    }

    /// A fact that no document states; `source` says what was looked through.
    const fn unknown(source: &'static str) -> Self {
        Self { value: None, source }
    }
}

/// A board that projects are made for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Board {
    /// VCK190: an embedded board, whose host is the device's own processor.
    #[default]
    Vck190,
    /// VCK5000: a card in a server, whose host is the server.
    Vck5000,
}

impl Board {
    /// All boards.
    pub const ALL: [Self; 2] = [Self::Vck190, Self::Vck5000];

    /// The word for it in designs and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Vck190 => "vck190",
            Self::Vck5000 => "vck5000",
        }
    }

    /// The device on the board (UG1366, UG1428).
    pub const fn device(self) -> &'static str {
        "xcvc1902"
    }

    /// The board called `name`.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|board| board.name() == name)
    }
}

/// How a graph is compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GraphCompiler {
    /// `aiecompiler`
    Aiecompiler,
    /// `v++ -c --mode aie`
    Vpp,
}

/// The part of XRT's API that a host program uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum HostApi {
    /// `xrt::aie::bo::sync`, which blocks; there is no other way for GMIO.
    Sync,
    /// `xrt::aie::bo::async` with a handle to wait for.
    Async,
    /// The same on an `xrt::hw_context`.
    Context,
}

/// The platform that a release brings for a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Platform {
    /// Its name, as in `NAME/NAME.xpfm`.
    Named(&'static str),
    /// A document says that there is none.
    None,
}

/// What a release of Vitis means.
#[derive(Debug, PartialEq, Eq)]
pub struct Release {
    /// Its name, such as `2023.2`.
    pub name: &'static str,
    /// Whether buffer ports have their final names (`adf::input_buffer`).
    pub buffers: Cell<bool>,
    /// Whether window ports are deprecated; they exist in all releases.
    pub windows_deprecated: Cell<bool>,
    /// What compiles the graph.
    pub compiler: Cell<GraphCompiler>,
    /// The C++ standard of the graph's front end, such as 17.
    pub graph_standard: Cell<u32>,
    /// The platform for the VCK190.
    pub vck190: Cell<Platform>,
    /// The platform for the VCK5000.
    pub vck5000: Cell<Platform>,
    /// Most inputs of a `pktmerge`.
    pub merge_inputs: Cell<u32>,
    /// True if the compiler counts registered 128-bit PLIO inputs (AIE-PRE-MAPPER-11); how many there are is a fact of the device.
    pub counts_wide_plio: Cell<bool>,
    /// What the host program uses of XRT.
    pub host: Cell<HostApi>,
    /// Whether `v++ -p` makes the image of a board: true in all releases up to segmented configuration.
    pub packages_image: Cell<bool>,
    /// Whether the tools have the Python call `create_aie_component`.
    pub component: Cell<bool>,
}

impl Release {
    /// The release called `name`.
    pub fn named(name: &str) -> Option<&'static Self> {
        RELEASES.iter().find(|release| release.name == name)
    }

    /// The names of all releases, the oldest first.
    pub fn names() -> impl Iterator<Item = &'static str> {
        RELEASES.iter().map(|release| release.name)
    }

    /// The platform for a board.
    pub const fn platform(&self, board: Board) -> Cell<Platform> {
        match board {
            Board::Vck190 => self.vck190,
            Board::Vck5000 => self.vck5000,
        }
    }

    /// The release of designs that name none: the newest of which every cell for the default board cites a document.
    pub fn standard() -> &'static Self {
        RELEASES.iter().rev().find(|release| release.is_cited(Board::default())).unwrap_or(&RELEASES[0])
    }

    /// True if a document fills every cell that matters for `board`.
    pub fn is_cited(&self, board: Board) -> bool {
        self.buffers.value.is_some()
            && self.windows_deprecated.value.is_some()
            && self.compiler.value.is_some()
            && self.graph_standard.value.is_some()
            && self.platform(board).value.is_some()
            && self.merge_inputs.value.is_some()
            && self.counts_wide_plio.value.is_some()
            && self.host.value.is_some()
            && self.packages_image.value.is_some()
            && self.component.value.is_some()
    }

    /// True if `name` is this release or an older one.
    pub fn is_at_least(&self, name: &str) -> bool {
        let place = |wanted: &str| RELEASES.iter().position(|release| release.name == wanted);
        place(self.name) >= place(name)
    }
}

impl fmt::Display for Release {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// The releases, the oldest first.
pub static RELEASES: [Release; 9] = [
    Release {
        name: "2022.1",
        buffers: Cell::cited(false, "UG1076 2022.1: windows only"),
        windows_deprecated: Cell::cited(false, "UG1079 2022.2, Comparison of Buffer Ports and Windows"),
        compiler: Cell::cited(
            GraphCompiler::Aiecompiler,
            "UG1076 2022.1, Compiling an AI Engine Graph Application",
        ),
        graph_standard: Cell::unknown("UG1076 2022.1"),
        vck190: Cell::cited(
            Platform::Named("xilinx_vck190_base_202210_1"),
            "UG1393, Platform Naming Convention",
        ),
        vck5000: Cell::unknown("no document looked through yet"),
        merge_inputs: Cell::cited(4, "UG1079 2022.2, Explicit Packet Switching"),
        counts_wide_plio: Cell::cited(false, "Xilinx/mlir-aie#1902"),
        host: Cell::cited(HostApi::Sync, "XRT headers of 2022.1"),
        packages_image: Cell::unknown("no document looked through yet"),
        component: Cell::cited(false, "XD260 2025.2"),
    },
    Release {
        name: "2022.2",
        buffers: Cell::cited(false, "UG1079 2022.2: preview names only"),
        windows_deprecated: Cell::cited(false, "UG1079 2022.2, Comparison of Buffer Ports and Windows"),
        compiler: Cell::cited(
            GraphCompiler::Aiecompiler,
            "UG1076 2022.2, Compiling an AI Engine Graph Application",
        ),
        graph_standard: Cell::cited(17, "log of a public 2022.2 build"),
        vck190: Cell::cited(
            Platform::Named("xilinx_vck190_base_202220_1"),
            "UG1393, Platform Naming Convention",
        ),
        vck5000: Cell::unknown("no document looked through yet"),
        merge_inputs: Cell::cited(4, "UG1079 2022.2, Explicit Packet Switching"),
        counts_wide_plio: Cell::cited(false, "Xilinx/mlir-aie#1902"),
        host: Cell::cited(HostApi::Async, "XRT headers of 2022.2"),
        packages_image: Cell::unknown("no document looked through yet"),
        component: Cell::cited(false, "XD260 2025.2"),
    },
    Release {
        name: "2023.1",
        buffers: Cell::cited(true, "UG1079 2023.1, Input and Output Buffers"),
        windows_deprecated: Cell::cited(false, "UG1079 2023.1, Comparison of Buffer Ports and Windows"),
        compiler: Cell::cited(
            GraphCompiler::Aiecompiler,
            "UG1076 2023.1, Compiling an AI Engine Graph Application",
        ),
        graph_standard: Cell::cited(17, "log of a public 2022.2 build"),
        vck190: Cell::cited(
            Platform::Named("xilinx_vck190_base_202310_1"),
            "UG1393, Platform Naming Convention",
        ),
        vck5000: Cell::unknown("no document looked through yet"),
        merge_inputs: Cell::cited(4, "UG1079 2022.2, Explicit Packet Switching"),
        counts_wide_plio: Cell::cited(false, "Xilinx/mlir-aie#1902"),
        host: Cell::cited(HostApi::Async, "XRT headers of 2023.1"),
        packages_image: Cell::unknown("no document looked through yet"),
        component: Cell::cited(false, "XD260 2025.2"),
    },
    Release {
        name: "2023.2",
        buffers: Cell::cited(true, "UG1079 2023.1, Input and Output Buffers"),
        windows_deprecated: Cell::cited(true, "UG1079 2023.2, Comparison of Buffer Ports and Windows"),
        compiler: Cell::cited(GraphCompiler::Vpp, "UG1076 2023.2, Compiling an AI Engine Graph Application"),
        graph_standard: Cell::cited(17, "log of a public 2022.2 build"),
        vck190: Cell::cited(
            Platform::Named("xilinx_vck190_base_202320_1"),
            "UG1393, Platform Naming Convention",
        ),
        vck5000: Cell::unknown("no document looked through yet"),
        merge_inputs: Cell::cited(32, "UG1079 2023.2, Explicit Packet Switching"),
        counts_wide_plio: Cell::cited(true, "Xilinx/mlir-aie#1902"),
        host: Cell::cited(HostApi::Async, "XRT headers of 2023.2"),
        packages_image: Cell::unknown("no document looked through yet"),
        component: Cell::cited(true, "XD260 2025.2"),
    },
    Release {
        name: "2024.1",
        buffers: Cell::cited(true, "UG1079 2023.1, Input and Output Buffers"),
        windows_deprecated: Cell::cited(true, "UG1079 2024.1, Comparison of Buffer Ports and Windows"),
        compiler: Cell::cited(GraphCompiler::Vpp, "UG1076 2024.1, Compiling an AI Engine Graph Application"),
        graph_standard: Cell::cited(17, "log of a public 2022.2 build"),
        vck190: Cell::cited(
            Platform::Named("xilinx_vck190_base_202410_1"),
            "UG1393, Platform Naming Convention",
        ),
        vck5000: Cell::unknown("no document looked through yet"),
        merge_inputs: Cell::cited(32, "UG1079 2023.2, Explicit Packet Switching"),
        counts_wide_plio: Cell::cited(true, "Xilinx/mlir-aie#1902"),
        host: Cell::cited(HostApi::Async, "XRT headers of 2024.1"),
        packages_image: Cell::unknown("no document looked through yet"),
        component: Cell::cited(true, "XD260 2025.2"),
    },
    Release {
        name: "2024.2",
        buffers: Cell::cited(true, "UG1079 2023.1, Input and Output Buffers"),
        windows_deprecated: Cell::cited(true, "UG1079 2024.2, Comparison of Buffer Ports and Windows"),
        compiler: Cell::cited(GraphCompiler::Vpp, "UG1076 2024.2, Compiling an AI Engine Graph Application"),
        graph_standard: Cell::cited(17, "log of a public 2022.2 build"),
        vck190: Cell::cited(
            Platform::Named("xilinx_vck190_base_202420_1"),
            "UG1393, Platform Naming Convention",
        ),
        vck5000: Cell::unknown("no document looked through yet"),
        merge_inputs: Cell::cited(32, "UG1079 2023.2, Explicit Packet Switching"),
        counts_wide_plio: Cell::cited(true, "Xilinx/mlir-aie#1902"),
        host: Cell::cited(HostApi::Async, "XRT headers of 2024.2"),
        packages_image: Cell::unknown("no document looked through yet"),
        component: Cell::cited(true, "XD260 2025.2"),
    },
    Release {
        name: "2025.1",
        buffers: Cell::cited(true, "UG1079 2023.1, Input and Output Buffers"),
        windows_deprecated: Cell::cited(true, "UG1079 2025.1, Comparison of Buffer Ports and Windows"),
        compiler: Cell::cited(GraphCompiler::Vpp, "UG1076 2025.1, Compiling an AI Engine Graph Application"),
        graph_standard: Cell::cited(17, "log of a public 2022.2 build"),
        vck190: Cell::cited(
            Platform::Named("xilinx_vck190_base_202510_1"),
            "UG1393, Platform Naming Convention",
        ),
        vck5000: Cell::unknown("no document looked through yet"),
        merge_inputs: Cell::cited(32, "UG1079 2023.2, Explicit Packet Switching"),
        counts_wide_plio: Cell::cited(true, "Xilinx/mlir-aie#1902"),
        host: Cell::cited(HostApi::Async, "XRT headers of 2025.1"),
        packages_image: Cell::unknown("no document looked through yet"),
        component: Cell::cited(true, "XD260 2025.2"),
    },
    Release {
        name: "2025.2",
        buffers: Cell::cited(true, "UG1079 2023.1, Input and Output Buffers"),
        windows_deprecated: Cell::cited(true, "UG1079 2025.2, Comparison of Buffer Ports and Windows"),
        compiler: Cell::cited(GraphCompiler::Vpp, "UG1076 2025.2, Compiling an AI Engine Graph Application"),
        graph_standard: Cell::cited(17, "log of a public 2022.2 build"),
        vck190: Cell::cited(
            Platform::Named("xilinx_vck190_base_202520_1"),
            "UG1393, Platform Naming Convention",
        ),
        vck5000: Cell::unknown("no document looked through yet"),
        merge_inputs: Cell::cited(32, "UG1079 2023.2, Explicit Packet Switching"),
        counts_wide_plio: Cell::cited(true, "Xilinx/mlir-aie#1902"),
        host: Cell::cited(HostApi::Async, "XRT headers of 2025.2"),
        packages_image: Cell::unknown("no document looked through yet"),
        component: Cell::cited(true, "XD260 2025.2"),
    },
    Release {
        name: "2026.1",
        buffers: Cell::cited(true, "UG1079 2023.1, Input and Output Buffers"),
        windows_deprecated: Cell::cited(true, "UG1079 2026.1, Comparison of Buffer Ports and Windows"),
        compiler: Cell::cited(GraphCompiler::Vpp, "UG1076 2026.1, Compiling an AI Engine Graph Application"),
        graph_standard: Cell::cited(17, "log of a public 2022.2 build"),
        vck190: Cell::unknown("UG1702 2026.1"),
        vck5000: Cell::unknown("no document looked through yet"),
        merge_inputs: Cell::cited(32, "UG1079 2023.2, Explicit Packet Switching"),
        counts_wide_plio: Cell::cited(true, "Xilinx/mlir-aie#1902"),
        host: Cell::cited(HostApi::Context, "XRT headers of 2026.1"),
        packages_image: Cell::unknown("no document looked through yet"),
        component: Cell::cited(true, "XD260 2025.2"),
    },
];
