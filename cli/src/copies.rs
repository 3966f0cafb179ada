//! Copies of the user's files in a project, and the source locations of their lines.

use std::collections::BTreeMap;
use std::path::PathBuf;

use aiec_codegen::OutputFile;
use aiec_diag::{SourceId, Sources, Span};
use aiec_dsl::without_detours;

/// The files of a project. The originals of copies become sources of diagnostics when a label needs
/// them.
pub(crate) struct Copies<'a> {
    files: &'a [OutputFile],
    /// The folder of the design.
    folder: PathBuf,
    sources: &'a mut Sources,
    known: BTreeMap<String, SourceId>,
}

impl<'a> Copies<'a> {
    /// The copies among `files`, of a design in `folder`.
    pub(crate) fn new(files: &'a [OutputFile], folder: PathBuf, sources: &'a mut Sources) -> Self {
        Self { files, folder, sources, known: BTreeMap::new() }
    }

    /// The copy with this path in the project. The path may have folders in front.
    fn copy(&self, path: &str) -> Option<&'a OutputFile> {
        self.files.iter().find(|file| file.copy_of.is_some() && is_path(path, &file.path))
    }

    /// True if the place is a line of an emitted file, which the user has not written.
    pub(crate) fn is_emitted(&self, place: &str) -> bool {
        let file = place.rsplit_once(':').map_or(place, |(file, _)| file);
        self.files.iter().any(|emitted| emitted.copy_of.is_none() && is_path(file, &emitted.path))
    }

    /// The user's path of a file of the project, as the design names it, if the file is a copy.
    pub(crate) fn original(&self, file: &str) -> Option<&'a str> {
        self.copy(file)?.copy_of.as_deref()
    }

    /// The source location of a line of a copy, from `column` on. Columns count from 1; 0 is the
    /// whole line.
    pub(crate) fn span(&mut self, file: &str, line: usize, column: usize) -> Option<Span> {
        let copy = self.copy(file)?;
        let id = *self.known.entry(copy.path.clone()).or_insert_with(|| {
            let original = copy.copy_of.as_deref().unwrap_or(file);
            let name = without_detours(&self.folder.join(original).display().to_string());
            // A check of several components reads a file for each of them.
            let same = self.sources.iter().find(|file| file.name == name && *file.text == *copy.text);
            let same = same.map(|file| file.id);
            same.unwrap_or_else(|| self.sources.add(name, copy.text.as_str()))
        });
        let (start, length) = line_in(&copy.text, line, column)?;
        Some(Span::of_bytes(id, start..start + length))
    }

    /// The source location of a place such as `aie/kernels/fir.cc:12`.
    pub(crate) fn place(&mut self, place: &str) -> Option<Span> {
        let (file, line) = place.rsplit_once(':')?;
        self.span(file, line.parse().ok()?, 0)
    }

    /// The source location of `value` behind the property `word`, in the same braces as `near`.
    pub(crate) fn property(&self, near: Span, word: &str, value: &str) -> Option<Span> {
        let text = &self.sources.get(near.source)?.text;
        let (before, behind) = (text.get(..near.start as usize)?, text.get(near.end as usize..)?);
        let start = before.rfind('{')?;
        let end = near.end as usize + behind.find('}')?;
        let inside = text.get(start..end)?;
        let mut found = inside.match_indices(word).filter_map(|(at, _)| {
            let rest = &inside[at + word.len()..];
            let blanks = rest.len() - rest.trim_start().len();
            let is_it = blanks > 0 && rest.trim_start().starts_with(value);
            is_it.then_some(start + at + word.len() + blanks)
        });
        found.next().map(|at| Span::of_bytes(near.source, at..at + value.len()))
    }

    /// A place with the user's path instead of the copy's.
    pub(crate) fn shown(&self, place: &str) -> String {
        let shown =
            place.rsplit_once(':').and_then(|(file, line)| Some(format!("{}:{line}", self.original(file)?)));
        shown.unwrap_or_else(|| place.to_owned())
    }
}

/// True if `path` is the path of a file in the project. It may have folders in front.
fn is_path(path: &str, in_project: &str) -> bool {
    path.strip_suffix(in_project).is_some_and(|before| before.is_empty() || before.ends_with('/'))
}

/// Start and length of line `line` of a text (from 1), from `column` on. Columns count bytes from
/// 1; 0 means the whole line. White space at both ends is left out. Returns None when the line is
/// behind the end.
fn line_in(text: &str, line: usize, column: usize) -> Option<(usize, usize)> {
    let whole = text.split_inclusive('\n').nth(line.checked_sub(1)?)?;
    let start: usize = text.split_inclusive('\n').take(line - 1).map(str::len).sum();
    // A column behind a tab or another wide character may count otherwise.
    let before = whole.get(..column.saturating_sub(1)).filter(|before| before.is_ascii());
    let before = before.filter(|before| !before.contains('\t')).map_or(0, str::len);
    let rest = &whole[before..];
    let skipped = before + rest.len() - rest.trim_start().len();
    Some((start + skipped, rest.trim().len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_the_rest_of_its_line() {
        let text = "one\n  two three\n\tfour\n";
        assert_eq!(line_in(text, 2, 7), Some((10, 5)));
        assert_eq!(line_in(text, 2, 0), Some((6, 9)));
        assert_eq!(line_in(text, 3, 9), Some((17, 4)));
        assert_eq!(line_in(text, 9, 1), None);
    }

    #[test]
    fn a_line_of_a_copy_is_a_line_of_the_original() {
        let file = |path: &str, copy_of: Option<&str>| OutputFile {
            path: path.into(),
            text: "one\ntwo\n".into(),
            copy_of: copy_of.map(str::to_owned),
        };
        let files = [file("aie/kernels/k.cc", Some("src/k.cc")), file("aie/kernels/w.cc", None)];
        let mut none = Sources::default();
        let copies = Copies::new(&files, PathBuf::new(), &mut none);
        assert!(copies.is_emitted("/x/aie/kernels/w.cc:2") && !copies.is_emitted("aie/kernels/k.cc:2"));
        let mut sources = Sources::default();
        let mut copies = Copies::new(&files, PathBuf::from("d"), &mut sources);
        assert_eq!(copies.shown("/tmp/x/project/aie/kernels/k.cc:2"), "src/k.cc:2");
        assert_eq!(copies.shown("aie/kernels/w.cc:2"), "aie/kernels/w.cc:2");
        let span = copies.place("aie/kernels/k.cc:2").expect("a copy");
        assert_eq!((span.start, span.end), (4, 7));
        assert!(
            copies.place("aie/kernels/ak.cc:2").is_none() && copies.place("aie/kernels/k.cc:9").is_none()
        );
        assert_eq!(sources.iter().next().map(|file| file.name.as_str()), Some("d/src/k.cc"));
    }
}
