//! Releases of Vitis: their consequences for a project, in one table.
//!
//! Every cell cites its document: AMD's guides by number and release (UG1076 tools, UG1079 kernels
//! and graphs, UG1393 and UG1702 v++ and platforms, UG1701 embedded flow), tutorials (XD numbers),
//! the headers of XRT by release, and public issues by number. A cell that no document fills is
//! unknown. The user must then set a variable of the Makefile, and the cell lists the sources
//! searched.

mod cells;
mod table;

pub use cells::{Board, BoardCells, Cell, ClockOption, GraphCompiler, HostApi, Packaging, Platform, Release};
pub use table::RELEASES;

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
