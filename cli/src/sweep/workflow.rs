//! `aiec sweep --snakemake`: the points of a sweep as a workflow of Snakemake.
//!
//! `Snakefile` is the same for all sweeps. `snakemake.json` beside it has the command and the
//! points. Their paths are those of the command line, so the workflow runs in the same folder.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use aiec_diag::Diagnostic;
use serde::Serialize;

use super::values::{Point, file_name};
use crate::disk::{self, Form, Wanted};
use crate::report::json;

/// The rules.
const RULES: &str = include_str!("Snakefile");

/// What the rules read.
#[derive(Serialize)]
pub(crate) struct Workflow<'a> {
    format: &'static str,
    version: u32,
    /// The folder of projects and logs.
    folder: String,
    /// Arguments of `aiec build` for all points.
    build: Vec<&'a str>,
    /// Files that decide all projects, apart from kernel sources and data.
    inputs: Vec<&'a str>,
    /// Arguments of each point.
    points: BTreeMap<String, Vec<String>>,
}

impl<'a> Workflow<'a> {
    /// The workflow of these points.
    pub(crate) fn new(
        folder: &Path,
        build: Vec<&'a str>,
        inputs: impl Iterator<Item = &'a str>,
        points: &[Point],
    ) -> Self {
        let defines = |point: &Point| point.iter().map(|(name, value)| format!("-D{name}={value}")).collect();
        Self {
            format: "aiec-sweep-workflow",
            version: 1,
            folder: folder.display().to_string(),
            build,
            inputs: inputs.collect(),
            points: points.iter().map(|point| (file_name(point), defines(point))).collect(),
        }
    }

    /// Writes the files. Returns the path of the rules.
    pub(crate) fn write(
        &self,
        folder: &Path,
        originals: &[PathBuf],
        overwrite: bool,
    ) -> Result<PathBuf, Diagnostic> {
        disk::make_folder(folder)?;
        let (rules, data) = (folder.join("Snakefile"), folder.join("snakemake.json"));
        let files = [
            (Wanted { path: &rules, form: Form::Comment }, RULES),
            (Wanted { path: &data, form: Form::Json }, &json(self)),
        ];
        disk::write(&files, originals, overwrite)?;
        Ok(rules)
    }
}
