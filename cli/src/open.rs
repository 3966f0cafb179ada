//! Texts that an editor holds open, in place of the files.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use aiec_diag::{Diagnostic, Span};
use aiec_host_run::find::is_source;
use aiec_system::files::{read_source, read_text, real_path};

/// Texts by their paths. Empty for a command that reads files alone.
#[derive(Clone, Debug, Default)]
pub(crate) struct Open {
    texts: BTreeMap<PathBuf, String>,
}

impl Open {
    /// These texts, also under the paths that links lead to.
    pub(crate) fn new(texts: &BTreeMap<PathBuf, String>) -> Self {
        let real = texts.iter().filter_map(|(path, text)| Some((real_path(path)?, text.clone())));
        let mut all: BTreeMap<PathBuf, String> = real.collect();
        all.extend(texts.clone());
        Self { texts: all }
    }

    /// The open text at a path, or that of the file, which has at most `limit` bytes. `named_at` is
    /// the source location that names the file, if any.
    pub(crate) fn read(&self, path: &Path, limit: u64, named_at: Option<Span>) -> Result<String, Diagnostic> {
        let known = |path: &Path| self.texts.get(path).cloned();
        let real = || real_path(path).filter(|_| !self.texts.is_empty());
        match known(path).or_else(|| known(&real()?)) {
            Some(text) => Ok(text),
            None if is_source(path) => read_source(path, limit, named_at),
            None => read_text(path, limit, named_at),
        }
    }
}
