//! The rows of a family, in a file and in print.

use std::path::{Path, PathBuf};

use crate::sums::Sums;
use crate::trial::Ending;

/// The folder of the results, in the workspace.
const RESULTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../target/judges");

/// The columns of a file of results.
const HEAD: &str =
    "design\tprint\teffort\tseed\tkernels\tfill\tplio\thidden\tfound\tbound\trouted\tseconds\n";

/// What is known of a design before its search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subject {
    /// Its number or name.
    pub design: String,
    /// A hash of the design's text, so that a row of another design of that number does not count.
    pub print: u64,
    pub effort: u32,
    pub seed: u64,
    pub kernels: usize,
    /// Bytes of the modules of the hidden placement, in 1/1000.
    pub fill: Option<u64>,
    /// Connections to PLIO.
    pub plio: usize,
    /// Connections by DMA of the hidden placement. None when the design has no hidden placement.
    pub hidden: Option<usize>,
}

/// A design's result.
#[derive(Clone, Debug)]
pub struct Row {
    pub subject: Subject,
    pub ending: Ending,
    /// Lower bound on connections by DMA, if the search found a placement.
    pub bound: Option<u64>,
    /// True if the placement has routes. None when the router did not run.
    pub routed: Option<bool>,
    /// Processor time of the search.
    pub seconds: f64,
}

impl Row {
    fn line(&self) -> String {
        let Subject { design, print, effort, seed, kernels, fill, plio, hidden } = &self.subject;
        let (fill, hidden, bound) = (dash(*fill), dash(*hidden), dash(self.bound));
        let (routed, Self { ending, seconds, .. }) = (dash(self.routed), self);
        format!(
            "{design}\t{print:016x}\t{effort}\t{seed}\t{kernels}\t{fill}\t{plio}\t{hidden}\t{ending}\t{bound}\t{routed}\t{seconds:.2}\n"
        )
    }

    fn read(line: &str) -> Option<Self> {
        let cells: Vec<&str> = line.split('\t').collect();
        let [design, print, effort, seed, kernels, fill, plio, hidden, ending, bound, routed, seconds] =
            cells[..]
        else {
            return None;
        };
        let routed = routed.parse().ok();
        let subject = Subject {
            design: design.to_owned(),
            print: u64::from_str_radix(print, 16).ok()?,
            effort: effort.parse().ok()?,
            seed: seed.parse().ok()?,
            kernels: kernels.parse().ok()?,
            fill: fill.parse().ok(),
            plio: plio.parse().ok()?,
            hidden: hidden.parse().ok(),
        };
        let (ending, bound) = (ending.parse().ok()?, bound.parse().ok());
        Some(Self { subject, ending, bound, routed, seconds: seconds.parse().ok()? })
    }

    /// Adds the row to sums.
    pub fn count(&self, sums: &mut Sums) {
        sums.add(&self.ending, self.subject.hidden, self.subject.plio, self.seconds);
    }

    /// The row of a single design in Markdown.
    pub fn single(&self) -> String {
        let Subject { design, kernels, .. } = &self.subject;
        let routed = self.routed.map_or("-", |routed| if routed { "yes" } else { "no" });
        let bound = dash(self.bound);
        format!("| {design} | {kernels} | {} | {bound} | {routed} | {:.1} |\n", self.ending, self.seconds)
    }

    /// The row as printed.
    pub fn print(&self, family: &str) {
        let Subject { design, kernels, fill, plio, hidden, .. } = &self.subject;
        let fill = fill.map_or_else(|| "-".to_owned(), |fill| format!("{:.1}", fill as f64 / 10.0));
        println!(
            "{family} {design}: {kernels} kernels, {fill} % full, PLIO {plio}, DMA hidden {}, found {}, bound {}, {:.1} s",
            dash(*hidden),
            self.ending,
            dash(self.bound),
            self.seconds
        );
    }
}

/// The head of the table of sums.
pub const SUMS_HEAD: &str = "| family | designs | given up | DMA found | DMA hidden | excess | slowest, s |\n|---|---:|---:|---:|---:|---:|---:|\n";
/// The head of the table of single designs.
pub const SINGLES_HEAD: &str =
    "| design | kernels | DMA | bound | routed | seconds |\n|---|---:|---:|---:|---|---:|\n";

/// Puts a table into a file of `placer/benches`, between its marks, if `write` is true.
pub fn publish(write: bool, file: &str, table: &str) {
    if !write {
        return;
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../placer/benches").join(file);
    let text = std::fs::read_to_string(&path).unwrap();
    let (before, rest) = text.split_once("<!-- table -->\n").unwrap();
    let (_, after) = rest.split_once("<!-- /table -->\n").unwrap();
    std::fs::write(&path, format!("{before}<!-- table -->\n{table}<!-- /table -->\n{after}")).unwrap();
}

fn dash<T: ToString>(number: Option<T>) -> String {
    number.map_or_else(|| "-".to_owned(), |number| number.to_string())
}

/// The results of a family, in `target/judges/FAMILY.tsv`.
pub struct File {
    path: PathBuf,
    rows: Vec<Row>,
}

impl File {
    /// Reads the results of earlier runs.
    pub fn open(family: &str) -> Self {
        let path = Path::new(RESULTS).join(format!("{family}.tsv"));
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        Self { path, rows: text.lines().filter_map(Row::read).collect() }
    }

    /// The latest result of a design, if it was for the same design and options.
    pub fn find(&self, subject: &Subject) -> Option<&Row> {
        self.rows.iter().rev().find(|row| row.subject == *subject)
    }

    /// Appends a row.
    pub fn add(&mut self, row: Row) {
        std::fs::create_dir_all(RESULTS).unwrap();
        let mut text = std::fs::read_to_string(&self.path).unwrap_or_else(|_| HEAD.to_owned());
        text.push_str(&row.line());
        std::fs::write(&self.path, text).unwrap();
        self.rows.push(row);
    }
}
