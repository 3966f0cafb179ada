//! The folder of a sweep: a file for each point, and the files of the whole.
//!
//! | file | content |
//! |---|---|
//! | `points/N=15,WINDOW=64.json` | the row of a point, and the digest of its inputs |
//! | `sweep.json`, `sweep.csv` | all rows in the order of the points |
//! | `total_cycles.svg`, `dma_connections.svg` | plots |
//!
//! Each file is written whole, and carries aiec's mark. A CSV file has no room for a mark, so
//! `sweep.json` has its hash.

use std::path::{Path, PathBuf};

use aiec_diag::Diagnostic;
use aiec_system::files::{hash, read_there};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::point::{Row, constants};
use super::values::{Point, file_name};
use crate::disk::{self, Form, Wanted};
use crate::errors;
use crate::report::json;

/// The folder of points.
const POINTS: &str = "points";
/// All rows as JSON.
const JSON: &str = "sweep.json";
/// All rows as CSV.
const CSV: &str = "sweep.csv";
/// The plot of cycles.
const CYCLES: &str = "total_cycles.svg";
/// The plot of connections by DMA.
const CONNECTIONS: &str = "dma_connections.svg";

/// The file of a point.
#[derive(Serialize, Deserialize)]
struct File {
    format: String,
    version: u32,
    /// The digest of everything that decides the row.
    digest: String,
    #[serde(flatten)]
    row: Row,
}

/// All rows.
#[derive(Serialize)]
struct Whole<'a> {
    format: &'static str,
    version: u32,
    design: &'a str,
    /// The swept constants; the last one changes first.
    constants: Vec<&'a str>,
    /// SHA-256 of `sweep.csv`.
    csv: String,
    points: &'a [Row],
}

/// The texts of the files of the whole.
pub(crate) struct Texts<'a> {
    /// The file name of the design.
    pub(crate) design: &'a str,
    /// The swept constants.
    pub(crate) constants: Vec<&'a str>,
    /// The rows in the order of the points.
    pub(crate) rows: &'a [Row],
    /// The rows as CSV.
    pub(crate) csv: String,
    /// The plots of cycles and of connections.
    pub(crate) plots: [String; 2],
}

/// The folder of a sweep.
pub(crate) struct Store<'a> {
    folder: &'a Path,
    /// Input files, which are never replaced.
    originals: Vec<PathBuf>,
    /// True if files that aiec did not write, or that were edited, may be replaced.
    overwrite: bool,
}

impl<'a> Store<'a> {
    /// Makes the folder if there is none, and checks that all files of the sweep can be written.
    pub(crate) fn open(
        folder: &'a Path,
        originals: Vec<PathBuf>,
        overwrite: bool,
        points: &[Point],
    ) -> Result<Self, Diagnostic> {
        let store = Self { folder, originals, overwrite };
        disk::make_folder(&folder.join(POINTS))?;
        let points: Vec<PathBuf> = points.iter().map(|point| store.path(point)).collect();
        let [cycles, connections, whole] = [CYCLES, CONNECTIONS, JSON].map(|name| folder.join(name));
        let points = points.iter().map(|path| Wanted { path, form: Form::Json });
        let plots = [&cycles, &connections].map(|path| Wanted { path, form: Form::Svg });
        let whole = Wanted { path: &whole, form: Form::Json };
        let wanted: Vec<Wanted<'_>> = points.chain(plots).chain([whole]).collect();
        disk::check(&wanted, &store.originals, overwrite)?;
        store.check_csv()?;
        Ok(store)
    }

    /// The path of a file of the whole.
    pub(crate) fn csv(&self) -> PathBuf {
        self.folder.join(CSV)
    }

    fn path(&self, point: &Point) -> PathBuf {
        self.folder.join(POINTS).join(format!("{}.json", file_name(point)))
    }

    /// Fails if `sweep.csv` is not as `sweep.json` says that aiec wrote it.
    fn check_csv(&self) -> Result<(), Diagnostic> {
        let path = self.csv();
        let wanted = Wanted { path: &path, form: Form::Foreign };
        disk::check(&[wanted], &self.originals, self.overwrite)?;
        let Some(text) = read_there(&path).filter(|text| !text.is_empty() && !self.overwrite) else {
            return Ok(());
        };
        let whole = read_there(&self.folder.join(JSON)).filter(|text| disk::is_unchanged(text));
        let whole: Option<Value> = whole.and_then(|text| serde_json::from_str(&text).ok());
        let digits = whole.as_ref().and_then(|whole| whole["csv"].as_str());
        if digits.is_some_and(|digits| digits == hash(text.as_bytes())) {
            return Ok(());
        }
        Err(errors::result_occupied(&path.display().to_string(), digits.is_some()))
    }

    /// The row of a point from an earlier sweep with the same inputs. None when its file is
    /// missing, was edited, or has another digest.
    pub(crate) fn kept(&self, point: &Point, digest: &str) -> Option<Row> {
        let text = read_there(&self.path(point)).filter(|text| disk::is_unchanged(text))?;
        let file: File = serde_json::from_str(&text).ok()?;
        let is_same = file.digest == digest && file.version == VERSION;
        // The order of constants is that of this command.
        is_same.then(|| Row { constants: constants(point), ..file.row })
    }

    /// Writes the file of a point.
    pub(crate) fn keep(&self, point: &Point, digest: &str, row: &Row) -> Result<(), Diagnostic> {
        let mut sorted = point.clone();
        sorted.sort_by(|(a, _), (b, _)| a.cmp(b));
        let row = Row { constants: constants(&sorted), ..row.clone() };
        let file =
            File { format: "aiec-sweep-point".to_owned(), version: VERSION, digest: digest.to_owned(), row };
        let wanted = Wanted { path: &self.path(point), form: Form::Json };
        disk::write(&[(wanted, &json(&file))], &self.originals, self.overwrite)
    }

    /// Writes the files of the whole. `sweep.csv` is empty until `sweep.json` has its hash, so that
    /// the next sweep may replace it wherever this one is killed.
    pub(crate) fn finish(&self, texts: &Texts<'_>) -> Result<(), Diagnostic> {
        let whole = Whole {
            format: "aiec-sweep",
            version: VERSION,
            design: texts.design,
            constants: texts.constants.clone(),
            csv: hash(texts.csv.as_bytes()),
            points: texts.rows,
        };
        let [cycles, connections, whole_path] =
            [CYCLES, CONNECTIONS, JSON].map(|name| self.folder.join(name));
        self.check_csv()?;
        self.put_csv("")?;
        let [first, second] = &texts.plots;
        let marked = [
            (Wanted { path: &whole_path, form: Form::Json }, json(&whole)),
            (Wanted { path: &cycles, form: Form::Svg }, first.clone()),
            (Wanted { path: &connections, form: Form::Svg }, second.clone()),
        ];
        let marked: Vec<(Wanted<'_>, &str)> =
            marked.iter().map(|(wanted, text)| (*wanted, text.as_str())).collect();
        disk::write(&marked, &self.originals, self.overwrite)?;
        self.put_csv(&texts.csv)
    }

    fn put_csv(&self, text: &str) -> Result<(), Diagnostic> {
        let path = self.csv();
        disk::put(&path, text.as_bytes()).map_err(|error| {
            aiec_system::errors::output_unwritable(&path.display().to_string(), &error.to_string())
        })
    }
}

/// Number of the format of all files.
const VERSION: u32 = 1;
