//! Files that the options of a command name, and what the command was given.

use std::path::{Path, PathBuf};

use crate::args::Placing;
use crate::commands::Invocation;
use crate::disk::{self, Form, Wanted};
use crate::pipeline::Front;
use crate::project;

/// What may be written over where a command writes its results.
pub(crate) struct Results {
    /// What they are made from.
    originals: Vec<PathBuf>,
    /// Whether files that are not aiec's may be replaced.
    overwrite: bool,
}

impl Results {
    /// The results of a design: made from what was read so far, a placement file, sources and data.
    pub(crate) fn of(
        front: &Front,
        design: &Path,
        placing: &Placing,
        overwrite: bool,
        invocation: &Invocation,
    ) -> Self {
        let mut results = Self::of_files(overwrite, invocation);
        results.originals.extend(placing.placement.clone());
        results.originals.extend(project::user_paths(&front.checked, design));
        results
    }

    /// Results that are made from what was read so far.
    pub(crate) fn of_files(overwrite: bool, invocation: &Invocation) -> Self {
        let originals = invocation.sources.iter().map(|source| PathBuf::from(&source.name)).collect();
        Self { originals, overwrite }
    }

    /// Says what speaks against writing the files that were named before anybody waits for what goes there.
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

    /// Writes each text to its file, if one was named.
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
