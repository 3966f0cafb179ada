//! A folder of results: data as JSON, the same rows as CSV, and pages: plots, or text.
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
#[derive(Clone, Debug)]
pub(crate) struct Names {
    /// The file with all data as JSON.
    pub(crate) json: &'static str,
    /// The file with one line for each row.
    pub(crate) csv: &'static str,
    /// Files with the mark in a comment of XML: plots and Markdown.
    pub(crate) pages: Vec<String>,
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
        let pages = self.pages();
        let json = self.path.join(self.names.json);
        let more = more.iter().map(|path| Wanted { path, form: Form::Json });
        let pages = pages.iter().map(|path| Wanted { path, form: Form::Svg });
        let whole = Wanted { path: &json, form: Form::Json };
        let wanted: Vec<Wanted<'_>> = more.chain(pages).chain([whole]).collect();
        disk::check(&wanted, &self.originals, self.overwrite)?;
        self.check_csv()
    }

    /// The path of the CSV file.
    pub(crate) fn csv(&self) -> PathBuf {
        self.path.join(self.names.csv)
    }

    fn pages(&self) -> Vec<PathBuf> {
        self.names.pages.iter().map(|name| self.path.join(name)).collect()
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

    /// Writes all files, with a text for each page. `json` is the data with the hash of `csv`. The
    /// CSV file is empty until the JSON file has its hash, so that the next command may replace it
    /// wherever this one is killed.
    pub(crate) fn write(&self, json: &str, csv: &str, texts: &[String]) -> Result<(), Diagnostic> {
        self.check_csv()?;
        self.put_csv("")?;
        let whole = self.path.join(self.names.json);
        let pages = self.pages();
        let pages = pages.iter().map(|path| Wanted { path, form: Form::Svg });
        let marked = [(Wanted { path: &whole, form: Form::Json }, json)].into_iter();
        let marked: Vec<_> = marked.chain(pages.zip(texts.iter().map(String::as_str))).collect();
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
