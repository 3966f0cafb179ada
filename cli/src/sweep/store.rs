//! The folder of a sweep: a file for each point, and the files of the whole.
//!
//! | file | content |
//! |---|---|
//! | `points/N=15,WINDOW=64.json` | the row of a point, and the digest of its inputs |
//! | `sweep.json`, `sweep.csv` | all rows in the order of the points |
//! | `total_cycles.svg`, `dma_connections.svg` | plots |

use std::path::{Path, PathBuf};

use aiec_diag::Diagnostic;
use aiec_system::files::{hash, read_there};
use serde::{Deserialize, Serialize};

use super::point::{Row, constants};
use super::values::{Point, file_name};
use crate::disk::{self, Form, Wanted};
use crate::folder::{Folder, Names};
use crate::report::json;

/// The folder of points.
const POINTS: &str = "points";
/// The files of the whole.
fn names() -> Names {
    let pages = ["total_cycles.svg", "dma_connections.svg"].map(str::to_owned).to_vec();
    Names { json: "sweep.json", csv: "sweep.csv", pages }
}

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
    /// What cycles rest on.
    note: &'a str,
    /// SHA-256 of `sweep.csv`.
    csv: String,
    points: &'a [Row],
}

/// The texts of the files of the whole.
pub(crate) struct Texts<'a> {
    /// The file name of the design.
    pub(crate) design: &'a str,
    /// What cycles rest on.
    pub(crate) note: String,
    /// Names of the swept constants; the last one changes first.
    pub(crate) constants: Vec<&'a str>,
    /// The rows in the order of the points.
    pub(crate) rows: &'a [Row],
    /// The rows as CSV.
    pub(crate) csv: String,
    /// The plots of cycles and of connections.
    pub(crate) plots: [String; 2],
}

/// The folder of a sweep.
pub(crate) struct Store<'a>(Folder<'a>);

impl<'a> Store<'a> {
    /// Makes the folder if there is none, and checks that all files of the sweep can be written.
    pub(crate) fn open(
        path: &'a Path,
        originals: Vec<PathBuf>,
        overwrite: bool,
        points: &[Point],
    ) -> Result<Self, Diagnostic> {
        let store = Self(Folder { path, originals, overwrite, names: names() });
        disk::make_folder(&path.join(POINTS))?;
        let points: Vec<PathBuf> = points.iter().map(|point| store.path(point)).collect();
        store.0.check(&points)?;
        Ok(store)
    }

    /// The path of the rows.
    pub(crate) fn csv(&self) -> PathBuf {
        self.0.csv()
    }

    fn path(&self, point: &Point) -> PathBuf {
        self.0.path.join(POINTS).join(format!("{}.json", file_name(point)))
    }

    /// The row of a point from an earlier sweep with the same inputs. Returns None when its file is
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
        disk::write(&[(wanted, &json(&file))], &self.0.originals, self.0.overwrite)
    }

    /// Writes the files of the whole.
    pub(crate) fn finish(&self, texts: &Texts<'_>) -> Result<(), Diagnostic> {
        let whole = Whole {
            format: "aiec-sweep",
            version: VERSION,
            design: texts.design,
            constants: texts.constants.clone(),
            note: &texts.note,
            csv: hash(texts.csv.as_bytes()),
            points: texts.rows,
        };
        self.0.write(&json(&whole), &texts.csv, &texts.plots)
    }
}

/// Number of the format of all files.
const VERSION: u32 = 1;
