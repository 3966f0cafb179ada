//! Releases of Vitis: their consequences for a project, in one table.
//!
//! Every cell cites its document: AMD's guides by number and release (UG1076 tools, UG1079 kernels
//! and graphs, UG1393 and UG1702 v++ and platforms, UG1701 embedded flow), tutorials (XD numbers),
//! the headers of XRT by release, and public issues by number. A cell that no document fills is
//! unknown. The user must then set a variable of the Makefile, and the cell lists the sources
//! searched.

mod table;

use std::fmt;

pub use table::RELEASES;

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

/// The compiler of graphs.
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
    /// The platform.
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
    /// The VCK190.
    pub vck190: BoardCells,
    /// The VCK5000.
    pub vck5000: BoardCells,
}

/// One cell as text, for documents and tests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellText {
    /// The subject of the cell.
    pub what: &'static str,
    /// The board that the row is about. None when it is about all boards.
    pub board: Option<Board>,
    /// The fact in words. None when it is unknown.
    pub fact: Option<String>,
    /// The document, or the sources searched.
    pub source: &'static str,
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

    /// The release's cells for a board.
    pub const fn of(&self, board: Board) -> &BoardCells {
        match board {
            Board::Vck190 => &self.vck190,
            Board::Vck5000 => &self.vck5000,
        }
    }

    /// The platform for a board.
    pub const fn platform(&self, board: Board) -> Cell<Platform> {
        self.of(board).platform
    }

    /// The package for a board.
    pub const fn packaging(&self, board: Board) -> Cell<Packaging> {
        self.of(board).packaging
    }

    /// The default release: the newest one where every cell for the default board cites a document.
    pub fn standard() -> &'static Self {
        RELEASES.iter().rev().find(|release| release.is_cited(Board::default())).unwrap_or(&RELEASES[0])
    }

    /// True if a document fills every cell that matters for `board`.
    pub fn is_cited(&self, board: Board) -> bool {
        let cells = self.cells();
        cells.iter().all(|cell| cell.fact.is_some() || cell.board.is_some_and(|of| of != board))
    }

    /// Every cell as text, in the order of the documents.
    pub fn cells(&self) -> Vec<CellText> {
        let yes = |what: bool, yes: &str, no: &str| if what { yes.to_owned() } else { no.to_owned() };
        let mut cells = vec![
            text("buffer ports", self.buffers, |has| yes(has, "with their final names", "no")),
            text("window ports", self.windows_deprecated, |old| yes(old, "deprecated", "yes")),
            text("cascades of kernels", self.cascade_ports, |has| {
                yes(has, "`input_cascade`, `output_cascade`", "streams of accumulators")
            }),
            text("graph compiler", self.compiler, |compiler| match compiler {
                GraphCompiler::Aiecompiler => "`aiecompiler`".to_owned(),
                GraphCompiler::Vpp => "`v++ -c --mode aie`".to_owned(),
            }),
            text("C++ of graphs", self.graph_standard, |standard| format!("C++{standard}")),
            text("clocks", self.clock, |clock| match clock {
                ClockOption::Apart => "`--pl-freq`, `--clock.defaultFreqHz`".to_owned(),
                ClockOption::Freqhz => "`--freqhz`".to_owned(),
            }),
            text("inputs of `pktmerge`", self.merge_inputs, |most| format!("at most {most}")),
            text("registered 128-bit PLIO", self.counts_wide_plio, |counts| {
                yes(counts, "counted", "not counted")
            }),
            text("host program", self.host, |host| match host {
                HostApi::Sync => "`xrt::aie::bo::sync`".to_owned(),
                HostApi::Async => "`xrt::aie::bo::async`".to_owned(),
                HostApi::Context => "`async`, `xrt::hw_context`".to_owned(),
            }),
            text("`create_aie_component`", self.component, |has| yes(has, "yes", "no")),
        ];
        for board in Board::ALL {
            let BoardCells { platform, packaging } = *self.of(board);
            let platform = text("platform", platform, |platform| match platform {
                Platform::Named(name) => format!("`{name}`"),
                Platform::None => "none".to_owned(),
            });
            let packaging = text("packaging", packaging, |packaging| match packaging {
                Packaging::SdCard => "SD card".to_owned(),
                Packaging::Xclbin => "xclbin".to_owned(),
            });
            cells.extend([platform, packaging].map(|cell| CellText { board: Some(board), ..cell }));
        }
        cells
    }
}

fn text<T: Copy>(what: &'static str, cell: Cell<T>, fact: impl FnOnce(T) -> String) -> CellText {
    CellText { what, board: None, fact: cell.value.map(fact), source: cell.source }
}

impl fmt::Display for Release {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// The command that writes [`document`].
pub const DOCUMENT_COMMAND: &str = "cargo run -p xtask -- docs";

/// `docs/releases.md`: the table with its documents.
pub fn document() -> String {
    let standard = Release::standard();
    let mut text = format!(
        "# Releases of Vitis\n\n\
        Each table lists what a release means for a project. Each row cites its document.\n\
        `{DOCUMENT_COMMAND}` generates this page from `compiler/device/src/release/table.rs`, and a\n\
        test compares the two.\n\n\
        A design without a `vitis` line or `--vitis` is for {standard}. That is the newest release for which\n\
        every cell for the {} cites a document. If a cell is unknown, aiec builds the project all the\n\
        same, and the Makefile of the project asks for a variable. aiec refuses a release if a document says\n\
        that it has no platform for the board.\n",
        Board::default()
    );
    for release in &RELEASES {
        text += &format!("\n## {release}\n\n| | | source |\n|---|---|---|\n");
        for CellText { what, board, fact, source } in release.cells() {
            let what = board.map_or_else(|| what.to_owned(), |board| format!("{what}, {board}"));
            text += &format!("| {what} | {} | {source} |\n", fact.unwrap_or_else(|| "unknown".to_owned()));
        }
    }
    text
}

#[cfg(test)]
mod tests;
