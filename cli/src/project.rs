//! The files that a design refers to: C++ sources with the headers beside them, and data.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

use aiec_check::Checked;
use aiec_codegen::{DataFile, UserSource};
use aiec_cpp_text::quoted_includes;
use aiec_diag::{Diagnostic, Span, Spanned, catalogue};
use aiec_dsl::without_detours;
use aiec_ir::{Expanded, Operator};

use crate::errors;
use aiec_system::files::{Kind, MAX_DATA, MAX_TEXT, is_inside, kind, read_source, read_text, real_path};

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

/// Reads every kernel source, every header of an operator, the files that these include with a path
/// from their own folder, and the data of the inputs.
///
/// Fails for a source or data that is there but cannot be read, or a source that an absolute path
/// names.
pub(crate) fn read_user_files(checked: &Checked, design: &Path) -> Result<UserFiles, Vec<Diagnostic>> {
    let base = design.parent().unwrap_or(Path::new("")).to_path_buf();
    let reader = SourceReader::of(checked, &base);
    if !reader.diagnostics.is_empty() {
        return Err(reader.diagnostics);
    }
    let home = reader.home();
    let copy = |path: &str| without_detours(&format!("{home}/{path}")).trim_start_matches('/').to_owned();
    let source = |(path, text): (String, String)| UserSource { copy: copy(&path), path, text, file: None };
    let sources = reader.texts.into_iter().map(source).collect();
    Ok(UserFiles { sources, data: read_data(checked, &base)?, missing: reader.missing })
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
    /// The names of the folders from the root of the file system to the design's.
    folders: Vec<String>,
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
            folders: folders(base),
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
        if !self.can_copy(path) {
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

    /// True for a path from the design's folder that does not climb above the root.
    fn can_copy(&self, path: &str) -> bool {
        !path.is_empty() && !path.starts_with('/') && levels_up(path) <= self.folders.len()
    }

    /// The way to the design's folder from the nearest one that also holds all texts, such as
    /// `apps/fir` if a source is `../../lib/mac.cc`. Empty if all lie in the design's folder.
    fn home(&self) -> String {
        let up = self.texts.keys().map(|path| levels_up(path)).max().unwrap_or(0);
        self.folders[self.folders.len().saturating_sub(up)..].join("/")
    }

    /// Reads the files that `path` includes with quotes, if they lie where its folder says. The C++
    /// compiler finds the others.
    fn follow_includes(&mut self, path: String) {
        let mut pending = vec![path];
        while let Some(path) = pending.pop() {
            let included: Vec<String> = self
                .texts
                .get(&path)
                .map_or_else(Vec::new, |text| quoted_includes(text).map(str::to_owned).collect());
            for name in included {
                let beside = beside(&path, &name);
                let new = self.can_copy(&beside)
                    && !self.texts.contains_key(&beside)
                    && self.texts.len() < MAX_SOURCES;
                if new && self.read(&beside).is_ok() {
                    pending.push(beside);
                }
            }
        }
    }
}

/// The path of the file that the one at `path` includes as `name`. Both count from the design's
/// folder, unless `name` is absolute.
pub(crate) fn beside(path: &str, name: &str) -> String {
    without_detours(&aiec_dsl::beside(&aiec_dsl::folder_of(path), name))
}

/// The number of folders that a path without detours climbs.
fn levels_up(path: &str) -> usize {
    path.split('/').take_while(|part| *part == "..").count()
}

/// The names of the folders from the root of the file system to `folder`. Characters that no path
/// of a source may have become `_`.
fn folders(folder: &Path) -> Vec<String> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let real = real_path(folder).unwrap_or_default();
    let name = |part: Component<'_>| match part {
        Component::Normal(name) => Some(name.to_string_lossy().replace(is_barred, "_")),
        _ => None,
    };
    real.components().filter_map(name).collect()
}

/// True for a character that would not be itself in generated files.
fn is_barred(c: char) -> bool {
    c.is_control() || c == '\\' || c == char::REPLACEMENT_CHARACTER
}

/// The data files of the inputs and of the parameters that take values from one.
pub(crate) fn data_files(expanded: &Expanded) -> BTreeSet<String> {
    let files = aiec_codegen::file_inputs(expanded).map(|end| aiec_codegen::data_file(expanded, end));
    files.filter(|file| is_inside(file)).collect()
}

/// The data files that exist. A larger one than aiec reads counts as one that is not there, since
/// `aiec build` does without.
fn read_data(checked: &Checked, base: &Path) -> Result<Vec<DataFile>, Vec<Diagnostic>> {
    let (mut found, mut faults) = (Vec::new(), Vec::new());
    for path in data_files(checked) {
        let file = base.join(&path);
        if matches!(kind(&file), Ok(Kind::Missing)) {
            continue;
        }
        match read_text(&file, MAX_DATA, place_of_data(checked, &path)) {
            Ok(text) => found.push(DataFile { text, path }),
            Err(fault) if fault.code.slug == catalogue::FILE_TOO_LARGE.slug => {}
            Err(fault) => faults.push(fault),
        }
    }
    if faults.is_empty() { Ok(found) } else { Err(faults) }
}

/// Where the design declares the input that reads the data file `path`.
fn place_of_data(checked: &Checked, path: &str) -> Option<Span> {
    let mut ends = aiec_codegen::file_inputs(checked);
    ends.find(|end| aiec_codegen::data_file(checked, *end) == path).map(|end| checked.data_span(end))
}

#[cfg(test)]
mod tests {
    use super::{beside, levels_up};

    #[test]
    fn includes_count_from_the_folder_of_their_file() {
        assert_eq!(beside("k/a.cc", "util/../deep.h"), "k/deep.h");
        assert_eq!(beside("a.cc", "./k/x.h"), "k/x.h");
        assert_eq!(beside("k/a.cc", "../../lib/x.h"), "../lib/x.h");
        assert_eq!(beside("../lib/a.cc", "../app/x.h"), "../app/x.h");
        assert_eq!(levels_up("../../lib/x.h"), 2);
    }
}
