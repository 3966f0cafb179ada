//! The files that a design refers to: C++ sources with the headers beside them, and data.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

use aiec_check::Checked;
use aiec_codegen::{DataFile, UserSource};
use aiec_cpp_text::quoted_includes;
use aiec_diag::{Diagnostic, Spanned};
use aiec_ir::{Expanded, Operator};

use crate::errors;
use aiec_system::files::{Kind, MAX_DATA, MAX_TEXT, is_inside, kind, read_source, read_text};

/// Limit on the user's sources and headers of one project.
const MAX_SOURCES: usize = 4096;

/// Texts that the emitted project copies. Paths are relative to the design file's directory.
#[derive(Debug, Default)]
pub(crate) struct UserFiles {
    pub(crate) sources: Vec<UserSource>,
    pub(crate) data: Vec<DataFile>,
    /// The sources that do not exist, each as a fault of what needs them.
    pub(crate) missing: Vec<Diagnostic>,
}

/// Reads every kernel source, every header of an operator, the files that these include from their
/// own folder, and the data of the inputs.
///
/// Fails for a source that is there but cannot be read, or that lies outside the design's folder.
pub(crate) fn read_user_files(checked: &Checked, design: &Path) -> Result<UserFiles, Vec<Diagnostic>> {
    let base = design.parent().unwrap_or(Path::new("")).to_path_buf();
    let reader = SourceReader::of(checked, &base);
    if !reader.diagnostics.is_empty() {
        return Err(reader.diagnostics);
    }
    let sources =
        reader.texts.into_iter().map(|(path, text)| UserSource { path, text, file: None }).collect();
    Ok(UserFiles { sources, data: read_data(checked, &base), missing: reader.missing })
}

/// The paths of those files of [`read_user_files`] that exist.
pub(crate) fn user_paths(expanded: &Expanded, design: &Path) -> Vec<PathBuf> {
    let base = design.parent().unwrap_or(Path::new(""));
    let data = data_files(expanded).into_iter().map(|path| base.join(path));
    source_paths(expanded, design).into_iter().chain(data).collect()
}

/// The paths of the sources and headers that a design names.
pub(crate) fn source_paths(expanded: &Expanded, design: &Path) -> Vec<PathBuf> {
    let base = design.parent().unwrap_or(Path::new(""));
    SourceReader::of(expanded, base).texts.into_keys().map(|path| base.join(path)).collect()
}

struct SourceReader {
    base: PathBuf,
    texts: BTreeMap<String, String>,
    /// Paths that were named before: instances of a component name the same files.
    named: BTreeSet<String>,
    missing: Vec<Diagnostic>,
    diagnostics: Vec<Diagnostic>,
}

impl SourceReader {
    /// All sources and headers that a design in the folder `base` names.
    fn of(expanded: &Expanded, base: &Path) -> Self {
        let mut reader = Self {
            base: base.to_path_buf(),
            texts: BTreeMap::new(),
            named: BTreeSet::new(),
            missing: Vec::new(),
            diagnostics: Vec::new(),
        };
        for family in expanded.families.iter().filter(|family| !family.is_outside()) {
            for body in &family.bodies {
                std::iter::once(&body.source).chain(&body.header).for_each(|file| reader.read_kernel(file));
            }
        }
        for op in expanded.collectives.iter().filter_map(|collective| collective.op.as_ref()) {
            if let Operator::User { header, .. } = &op.value {
                reader.read_kernel(&Spanned::new(header.clone(), op.span));
            }
        }
        reader
    }

    fn read_kernel(&mut self, source: &Spanned<String>) {
        let path = &source.value;
        if !self.named.insert(path.clone()) {
            return;
        }
        if !is_inside(path) {
            self.diagnostics.push(errors::source_outside(source));
            return;
        }
        match self.read(path) {
            Ok(()) => self.follow_includes(path.clone()),
            Err(reason) => {
                let why = reason.strip_prefix(&format!("cannot read `{path}`: ")).unwrap_or(&reason);
                let fault = errors::missing_source(path, why, source.span);
                let is_there = !matches!(kind(&self.base.join(path)), Ok(Kind::Missing));
                if is_there { self.diagnostics.push(fault) } else { self.missing.push(fault) }
            }
        }
    }

    fn read(&mut self, path: &str) -> Result<(), String> {
        if !self.texts.contains_key(path) {
            let text = read_source(&self.base.join(path), MAX_TEXT, None).map_err(|d| d.message)?;
            self.texts.insert(path.to_owned(), text);
        }
        Ok(())
    }

    /// Reads the files that `path` includes with quotes, if they lie in the design's directory. The
    /// C++ compiler finds the others.
    fn follow_includes(&mut self, path: String) {
        let mut pending = vec![path];
        while let Some(path) = pending.pop() {
            let included: Vec<String> = self
                .texts
                .get(&path)
                .map_or_else(Vec::new, |text| quoted_includes(text).map(str::to_owned).collect());
            for name in included {
                let Some(beside) = beside(&path, &name) else { continue };
                let new =
                    is_inside(&beside) && !self.texts.contains_key(&beside) && self.texts.len() < MAX_SOURCES;
                if new && self.read(&beside).is_ok() {
                    pending.push(beside);
                }
            }
        }
    }
}

/// The path of the file that the one at `path` includes as `name`. Returns None when it lies
/// outside of the folder of the design.
pub(crate) fn beside(path: &str, name: &str) -> Option<String> {
    normalised(&Path::new(path).parent().unwrap_or(Path::new("")).join(name))
}

/// `path` without `.` and `..`. Returns None when it leaves the directory it is relative to.
fn normalised(path: &Path) -> Option<String> {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.components() {
        match part {
            Component::Normal(name) => parts.push(name.to_str()?),
            Component::CurDir => {}
            Component::ParentDir => {
                parts.pop()?;
            }
            Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    Some(parts.join("/"))
}

/// The data files of the inputs and of the parameters that take values from one.
pub(crate) fn data_files(expanded: &Expanded) -> BTreeSet<String> {
    let files = aiec_codegen::file_inputs(expanded).map(|end| aiec_codegen::data_file(expanded, end));
    files.filter(|file| is_inside(file)).collect()
}

fn read_data(checked: &Checked, base: &Path) -> Vec<DataFile> {
    let text = |path: &str| read_text(&base.join(path), MAX_DATA, None).ok();
    let files = data_files(checked).into_iter();
    files.filter_map(|path| Some(DataFile { text: text(&path)?, path })).collect()
}

#[cfg(test)]
mod tests {
    use super::normalised;
    use std::path::Path;

    #[test]
    fn includes_may_climb_within_the_directory_of_the_design() {
        assert_eq!(normalised(Path::new("k/util/../deep.h")).as_deref(), Some("k/deep.h"));
        assert_eq!(normalised(Path::new("./k/x.h")).as_deref(), Some("k/x.h"));
        assert_eq!(normalised(Path::new("k/../../x.h")), None);
    }
}
