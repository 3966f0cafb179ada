//! The cells of the table of releases, and their types.

use std::fmt;

/// A fact about a release with the document that states it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell<T> {
    /// The fact. None when no document states it.
    pub value: Option<T>,
    /// The document. For an unknown fact, the sources searched.
    pub source: &'static str,
}

impl<T: Copy> Cell<T> {
    /// A fact that `source` states.
    pub const fn cited(value: T, source: &'static str) -> Self {
        Self { value: Some(value), source }
    }

    /// A fact that no document states. `source` lists the sources searched.
    pub const fn unknown(source: &'static str) -> Self {
        Self { value: None, source }
    }
}

/// A board that projects are made for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Board {
    /// VCK190: an embedded board. Its host is the device's own processor.
    #[default]
    Vck190,
    /// VCK5000: a card in a server. Its host is the server.
    Vck5000,
}

impl Board {
    /// All boards, in the order of the enum.
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

    /// The default clock of programmable logic in kHz, on a device whose array runs at `array_mhz`
    /// and whose tools divide that by `divisor`. On the VCK190 it is the default of the AI Engine
    /// compiler, a quarter of the array's clock (UG1079 2023.1, "AI Engine to PL Interface
    /// Performance"). On the VCK5000 it is the first clock of the platform (Alveo Versal Platforms,
    /// "VCK5000 Gen4x8 QDMA Vitis Platform", DFX clocking: 300 MHz by default).
    pub const fn pl_khz(self, array_mhz: u32, divisor: u32) -> u32 {
        match self {
            Self::Vck190 => array_mhz.saturating_mul(1000) / if divisor == 0 { 1 } else { divisor },
            Self::Vck5000 => 300_000,
        }
    }

    /// The board called `name`.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|board| board.name() == name)
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Commands that compile a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GraphCompiler {
    /// `aiecompiler`, with the option `--workdir` for its output folder.
    Aiecompiler,
    /// `v++ -c --mode aie`, with the option `--work_dir` for its output folder.
    Vpp,
}

/// The options that set clocks of programmable logic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClockOption {
    /// `--pl-freq` for the graph, in MHz; `--hls.clock` for kernels and `--clock.defaultFreqHz`
    /// (fixed clocks) or `--kernel_frequency` (scalable ones) for the linker.
    Apart,
    /// `--freqhz` for all of them, in Hz.
    Freqhz,
}

/// The output of `v++ --package`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packaging {
    /// An SD card with an xclbin from a root file system and a kernel image:
    /// `--package.boot_mode=sd`, `--package.image_format=ext4`, `--package.rootfs`,
    /// `--package.kernel_image`; the host program starts the graph (`--package.defer_aie_run`).
    SdCard,
    /// An xclbin alone, for a card: `--package.boot_mode=ospi`; the graph starts when it is loaded.
    Xclbin,
}

/// The part of XRT's API that a host program uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum HostApi {
    /// `xrt::aie::bo::sync`, which blocks. GMIO has no other transfer.
    Sync,
    /// `xrt::aie::bo::async` with a handle to wait for.
    Async,
    /// Asynchronous transfers on an `xrt::hw_context`.
    Context,
}

/// The platform that a release brings for a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Platform {
    /// Its name, as in `NAME/NAME.xpfm`.
    Named(&'static str),
    /// No platform, as a document states.
    None,
}

/// The cells of a release for one board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoardCells {
    /// What the release brings for the board.
    pub platform: Cell<Platform>,
    /// The package's contents and format.
    pub packaging: Cell<Packaging>,
}

/// A release of Vitis and its consequences for a project.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Release {
    /// Its name, such as `2023.2`.
    pub name: &'static str,
    /// Whether buffer ports have their final names (`adf::input_buffer`).
    pub buffers: Cell<bool>,
    /// Whether window ports are deprecated; they exist in all releases.
    pub windows_deprecated: Cell<bool>,
    /// Whether cascades of kernels have types of their own (`input_cascade`, `output_cascade`).
    /// Streams of accumulators exist in all releases.
    pub cascade_ports: Cell<bool>,
    /// The compiler of graphs.
    pub compiler: Cell<GraphCompiler>,
    /// The C++ standard that graph code and kernel headers may use, such as 17.
    pub graph_standard: Cell<u32>,
    /// The options that set clocks.
    pub clock: Cell<ClockOption>,
    /// Most inputs of a `pktmerge`.
    pub merge_inputs: Cell<u32>,
    /// True if the compiler counts registered 128-bit PLIO inputs (AIE-PRE-MAPPER-11). The device
    /// states their number.
    pub counts_wide_plio: Cell<bool>,
    /// The XRT interface of the host program.
    pub host: Cell<HostApi>,
    /// Whether the tools have the Python call `create_aie_component`.
    pub component: Cell<bool>,
    /// The cells of the VCK190 evaluation kit.
    pub vck190: BoardCells,
    /// The cells of the VCK5000 card.
    pub vck5000: BoardCells,
}

impl fmt::Display for Release {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}
