//! The rows of a family, in a file and in print, and what they sum up to.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use crate::hidden::Family;
use crate::trial::Ending;

/// The folder of the results, in the workspace.
const RESULTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../target/judges");

/// The columns of a file of results.
const HEAD: &str = "design\tprint\teffort\tseed\tkernels\tfill\tplio\thidden\tfound\tbound\tseconds\n";

/// The most that connections by DMA of all families may exceed those of the hidden placements, in
/// 1/100.
const MOST_EXCESS: f64 = 5.0;

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
    /// Connections by DMA of the hidden placement. None for designs without one.
    pub hidden: Option<usize>,
}

/// A design's result.
#[derive(Clone, Debug)]
pub struct Row {
    pub subject: Subject,
    pub ending: Ending,
    /// Lower bound on connections by DMA, if the search found a placement.
    pub bound: Option<u64>,
    /// Processor time of the search.
    pub seconds: f64,
}

impl Row {
    fn line(&self) -> String {
        let Subject { design, print, effort, seed, kernels, fill, plio, hidden } = &self.subject;
        let (fill, hidden, bound) = (dash(*fill), dash(*hidden), dash(self.bound));
        let Self { ending, seconds, .. } = self;
        format!(
            "{design}\t{print:016x}\t{effort}\t{seed}\t{kernels}\t{fill}\t{plio}\t{hidden}\t{ending}\t{bound}\t{seconds:.2}\n"
        )
    }

    fn read(line: &str) -> Option<Self> {
        let cells: Vec<&str> = line.split('\t').collect();
        let [design, print, effort, seed, kernels, fill, plio, hidden, ending, bound, seconds] = cells[..]
        else {
            return None;
        };
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
        Some(Self { subject, ending, bound, seconds: seconds.parse().ok()? })
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

/// The sums of several rows.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sums {
    designs: usize,
    given_up: usize,
    /// Designs called impossible, and results that are not legal.
    wrong: usize,
    slowest: f64,
    seconds: f64,
    /// Connections of the placed designs that have a hidden placement.
    found: usize,
    hidden: usize,
    plio: usize,
}

impl Sums {
    pub fn add(&mut self, row: &Row) {
        self.designs += 1;
        self.slowest = self.slowest.max(row.seconds);
        self.seconds += row.seconds;
        match (&row.ending, row.subject.hidden) {
            (Ending::Placed(found), Some(hidden)) => {
                self.found += found;
                self.hidden += hidden;
                self.plio += row.subject.plio;
            }
            (Ending::Placed(_), None) => {}
            (Ending::GaveUp, _) => self.given_up += 1,
            (Ending::Refused(_) | Ending::Illegal(_), _) => self.wrong += 1,
        }
    }

    /// The sums of both.
    pub fn and(self, other: Self) -> Self {
        Self {
            designs: self.designs + other.designs,
            given_up: self.given_up + other.given_up,
            wrong: self.wrong + other.wrong,
            slowest: self.slowest.max(other.slowest),
            seconds: self.seconds + other.seconds,
            found: self.found + other.found,
            hidden: self.hidden + other.hidden,
            plio: self.plio + other.plio,
        }
    }

    /// True if a design was called impossible, or a result is not legal.
    pub const fn is_wrong(&self) -> bool {
        self.wrong > 0
    }

    /// Connections by DMA beyond the hidden ones, in 1/100.
    pub fn excess(&self) -> f64 {
        percent(self.found, self.hidden)
    }

    /// The sums in words.
    pub fn text(&self) -> String {
        let Self { designs, given_up, wrong, slowest, seconds, found, hidden, plio } = self;
        let mut text = format!("{designs} designs, {given_up} given up");
        if *wrong > 0 {
            let _ = write!(text, ", {wrong} WRONG");
        }
        let _ = write!(text, ", slowest {slowest:.1} s, all {seconds:.0} s");
        if *hidden > 0 {
            let inner = percent(found - plio.min(found), hidden - plio.min(hidden));
            let _ = write!(
                text,
                "; of the others DMA found {found}, hidden {hidden}, excess {:+.1} %; without {plio} of PLIO {inner:+.1} %",
                self.excess()
            );
        }
        text
    }

    /// What the demands on the family say: the most given up in 100, and seconds of each design.
    pub fn verdict(&self, family: Option<Family>) -> String {
        let most = if family == Some(Family::B) { self.designs * 2 / 100 } else { 0 };
        let late = family == Some(Family::A) && self.slowest > 20.0;
        let faults = [
            (self.wrong > 0, "designs refused as impossible, or illegal results"),
            (self.given_up > most, "too many given up"),
            (late, "one takes more than 20 s"),
        ];
        let faults: Vec<&str> = faults.iter().filter(|(is, _)| *is).map(|(_, text)| *text).collect();
        if faults.is_empty() { "demands met".to_owned() } else { format!("MISSED: {}", faults.join(", ")) }
    }

    /// What the demand on the DMA of all families says.
    pub fn verdict_of_all(&self) -> String {
        let met = if self.excess() <= MOST_EXCESS { "met" } else { "MISSED" };
        format!("at most {MOST_EXCESS} % more DMA than hidden: {met}")
    }
}

/// How much `found` exceeds `hidden`, in 1/100.
fn percent(found: usize, hidden: usize) -> f64 {
    (found as f64 / hidden.max(1) as f64 - 1.0) * 100.0
}
