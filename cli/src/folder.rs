//! A folder of results: data as JSON, the same rows as CSV, and two plots.
//!
//! Each file is written whole, and carries aiec's mark. A CSV file has no room for a mark, so the
//! JSON file has its hash under `csv`.

use std::path::{Path, PathBuf};

use aiec_diag::Diagnostic;
use aiec_system::files::{hash, read_there};
use serde_json::Value;

use crate::disk::{self, Form, Wanted};
use crate::errors;

/// The names of the files.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Names {
    /// The data.
    pub(crate) json: &'static str,
    /// The rows.
    pub(crate) csv: &'static str,
    /// The pictures.
    pub(crate) plots: [&'static str; 2],
}

/// Where a command writes its results.
pub(crate) struct Folder<'a> {
    /// Where it lies, from the command line.
    pub(crate) path: &'a Path,
    /// Input files, which are never replaced.
    pub(crate) originals: Vec<PathBuf>,
    /// True if files that aiec did not write, or that were edited, may be replaced.
    pub(crate) overwrite: bool,
    /// The names of its files.
    pub(crate) names: Names,
}

impl Folder<'_> {
    /// Fails if a file of the folder, or one of `more` JSON files, cannot be written.
    pub(crate) fn check(&self, more: &[PathBuf]) -> Result<(), Diagnostic> {
        let [first, second] = self.plots();
        let json = self.path.join(self.names.json);
        let more = more.iter().map(|path| Wanted { path, form: Form::Json });
        let plots = [&first, &second].map(|path| Wanted { path, form: Form::Svg });
        let whole = Wanted { path: &json, form: Form::Json };
        let wanted: Vec<Wanted<'_>> = more.chain(plots).chain([whole]).collect();
        disk::check(&wanted, &self.originals, self.overwrite)?;
        self.check_csv()
    }

    /// The path of the CSV file.
    pub(crate) fn csv(&self) -> PathBuf {
        self.path.join(self.names.csv)
    }

    fn plots(&self) -> [PathBuf; 2] {
        self.names.plots.map(|name| self.path.join(name))
    }

    /// Fails if the CSV file is not as the JSON file says that aiec wrote it.
    fn check_csv(&self) -> Result<(), Diagnostic> {
        let path = self.csv();
        let wanted = Wanted { path: &path, form: Form::Foreign };
        disk::check(&[wanted], &self.originals, self.overwrite)?;
        let Some(text) = read_there(&path).filter(|text| !text.is_empty() && !self.overwrite) else {
            return Ok(());
        };
        let whole = read_there(&self.path.join(self.names.json)).filter(|text| disk::is_unchanged(text));
        let whole: Option<Value> = whole.and_then(|text| serde_json::from_str(&text).ok());
        let digits = whole.as_ref().and_then(|whole| whole["csv"].as_str());
        if digits.is_some_and(|digits| digits == hash(text.as_bytes())) {
            return Ok(());
        }
        Err(errors::result_occupied(&path.display().to_string(), digits.is_some()))
    }

    /// Writes all files. `json` is the data with the hash of `csv`. The CSV file is empty until the
    /// JSON file has its hash, so that the next command may replace it wherever this one is killed.
    pub(crate) fn write(&self, json: &str, csv: &str, plots: &[String; 2]) -> Result<(), Diagnostic> {
        self.check_csv()?;
        self.put_csv("")?;
        let whole = self.path.join(self.names.json);
        let [first, second] = self.plots();
        let [one, two] = plots;
        let marked = [
            (Wanted { path: &whole, form: Form::Json }, json),
            (Wanted { path: &first, form: Form::Svg }, one.as_str()),
            (Wanted { path: &second, form: Form::Svg }, two.as_str()),
        ];
        disk::write(&marked, &self.originals, self.overwrite)?;
        self.put_csv(csv)
    }

    fn put_csv(&self, text: &str) -> Result<(), Diagnostic> {
        let path = self.csv();
        disk::put(&path, text.as_bytes()).map_err(|error| {
            aiec_system::errors::output_unwritable(&path.display().to_string(), &error.to_string())
        })
    }
}
