//! Result files that the options of a command name, and the input files that they must not replace.

use std::path::{Path, PathBuf};

use aiec_ir::Expanded;

use crate::args::Placing;
use crate::disk::{self, Form, Wanted};
use crate::invocation::Invocation;
use crate::pipeline::Front;
use crate::project;

/// The permission to write the results of a command.
pub(crate) struct Results {
    /// Input files of the results.
    originals: Vec<PathBuf>,
    /// True if files that are not from aiec may be replaced.
    overwrite: bool,
}

impl Results {
    /// The results of a design. Their inputs are the files read so far, a placement file, sources
    /// and data.
    pub(crate) fn of(
        front: &Front,
        design: &Path,
        placing: &Placing,
        overwrite: bool,
        invocation: &Invocation,
    ) -> Self {
        Self::of_expanded(&front.checked, design, placing, overwrite, invocation)
    }

    /// The same for a design that need not have passed the checks.
    pub(crate) fn of_expanded(
        expanded: &Expanded,
        design: &Path,
        placing: &Placing,
        overwrite: bool,
        invocation: &Invocation,
    ) -> Self {
        let mut results = Self::of_files(overwrite, invocation);
        results.originals.extend(placing.placement.clone());
        results.originals.extend(project::user_paths(expanded, design));
        results
    }

    /// Results whose inputs are the files read so far.
    pub(crate) fn of_files(overwrite: bool, invocation: &Invocation) -> Self {
        let originals = invocation.sources.iter().map(|source| PathBuf::from(&source.name)).collect();
        Self { originals, overwrite }
    }

    /// Adds input files of the results.
    pub(crate) fn protect(&mut self, paths: impl IntoIterator<Item = PathBuf>) {
        self.originals.extend(paths);
    }

    /// Logs the reasons against writing the named files, before the user waits for their content.
    pub(crate) fn check(
        &self,
        files: &[(&Option<PathBuf>, Form)],
        invocation: &mut Invocation,
    ) -> Option<()> {
        let named =
            files.iter().filter_map(|(path, form)| Some(Wanted { path: path.as_deref()?, form: *form }));
        let wanted: Vec<Wanted<'_>> = named.collect();
        invocation.require(disk::check(&wanted, &self.originals, self.overwrite))
    }

    /// Writes each text to its file, if the user named one.
    pub(crate) fn write(
        &self,
        texts: &[(&Option<PathBuf>, Form, String)],
        invocation: &mut Invocation,
    ) -> Option<()> {
        let named = texts.iter().filter_map(|(path, form, text)| {
            Some((Wanted { path: path.as_deref()?, form: *form }, text.as_str()))
        });
        let texts: Vec<(Wanted<'_>, &str)> = named.collect();
        invocation.require(disk::write(&texts, &self.originals, self.overwrite))
    }
}
