//! The texts of open documents and of the files that they import, with their trees and names.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use aiec_diag::{SourceFile, SourceId, Span};
use aiec_dsl::ast::{Component, ItemKind, Program};
use aiec_ir::{Expanded, Id, IdVec};
use aiec_lower::{Constants, Options, constants};
use lsp_types::{Location, Uri};

use crate::names::Names;
use crate::text::{Encoding, Lines};
use crate::uri::{plain, uri_of};
use crate::{Found, Texts};

/// A document that the client has opened.
#[derive(Debug)]
pub struct Document {
    /// Its address, as the client writes it.
    pub uri: Uri,
    /// The text with all changes.
    pub text: String,
    /// The number that the client gives the text.
    pub version: i32,
}

/// The results for an open document, which is a design or a file of components.
#[derive(Debug, Default)]
pub struct Root {
    /// What the last check found.
    pub found: Found,
    /// The instances of the last check that had any.
    pub designs: Vec<Expanded>,
    /// The texts to which the spans of `designs` point.
    pub sources: aiec_diag::Sources,
    /// What the last check with the C++ of kernels found, for its remedies.
    pub with_cxx: Found,
    /// Its diagnostics as they are shown, by the paths of their files.
    pub inspected: BTreeMap<PathBuf, Vec<lsp_types::Diagnostic>>,
}

impl Root {
    /// True if the last check read the file at `path`.
    pub fn has_read(&self, path: &Path) -> bool {
        self.found.sources.iter().any(|source| plain(Path::new(&source.name)) == path)
    }
}

/// A file of the language.
pub struct File {
    /// The path of the file.
    pub path: PathBuf,
    /// The address (URI) of the file.
    pub uri: Uri,
    /// Its text; `source.id` is the id of the file.
    pub source: SourceFile,
    /// The tree of the text, as far as it has one.
    pub program: Program,
}

/// All files and their names.
pub struct World {
    /// Open documents first, then other files of the workspace, then what all of them import.
    pub files: IdVec<SourceId, File>,
    /// The names of all files.
    pub names: Names,
    /// The units of columns.
    pub encoding: Encoding,
}

impl World {
    /// The open documents and these texts of files, with the imported files that checks have read.
    /// An open document takes the place of its file.
    pub fn new(
        documents: &BTreeMap<PathBuf, Document>,
        closed: &Texts,
        roots: &BTreeMap<PathBuf, Root>,
        encoding: Encoding,
    ) -> Self {
        let mut files: IdVec<SourceId, File> = IdVec::new();
        for (path, Document { uri, text, .. }) in documents {
            files.push(File::new(SourceId::from_index(files.len()), path.clone(), uri.clone(), text.clone()));
        }
        for (path, text) in closed.iter().filter(|(path, _)| !documents.contains_key(*path)) {
            if let Some(uri) = uri_of(path) {
                files.push(File::new(SourceId::from_index(files.len()), path.clone(), uri, text.clone()));
            }
        }
        let mut imports: IdVec<SourceId, Vec<SourceId>> = IdVec::new();
        while imports.len() < files.len() {
            let mut of_file = Vec::new();
            for path in files[SourceId::from_index(imports.len())].imports() {
                let known = with_path(&files, &path);
                let read = || Some((text_of(&path, roots)?, uri_of(&path)?));
                of_file.extend(known.or_else(|| {
                    let (text, uri) = read()?;
                    Some(files.push(File::new(SourceId::from_index(files.len()), path.clone(), uri, text)))
                }));
            }
            imports.push(of_file);
        }
        let programs: IdVec<SourceId, &Program> = files.iter().map(|file| &file.program).collect();
        let names = Names::of(&programs, &imports);
        Self { files, names, encoding }
    }

    /// The file at `path`.
    pub fn file(&self, path: &Path) -> Option<SourceId> {
        with_path(&self.files, path)
    }

    /// The lines of a file.
    pub fn lines(&self, file: SourceId) -> Lines<'_> {
        Lines::new(&self.files[file].source.text, self.encoding)
    }

    /// The place of a span for the client.
    pub fn location(&self, span: Span) -> Location {
        let range = self.lines(span.source).range(span.start as usize..span.end as usize);
        Location::new(self.files[span.source].uri.clone(), range)
    }

    /// The text of a span.
    pub fn text(&self, span: Span) -> &str {
        let text = &self.files[span.source].source.text;
        text.get(span.start as usize..span.end as usize).unwrap_or_default()
    }

    /// The constants at the top of a file, with the tables of its check.
    pub fn constants(&self, file: SourceId, roots: &BTreeMap<PathBuf, Root>) -> Constants {
        let File { path, program, .. } = &self.files[file];
        match roots.get(path) {
            Some(root) => constants(program, &root.found.options),
            None => constants(program, &Options::default()),
        }
    }

    /// The constants that hold in a component of a file. Settings that are not among `set` have
    /// their defaults.
    pub fn inside(
        &self,
        (file, component): (SourceId, &Component),
        set: &BTreeMap<String, i64>,
        roots: &BTreeMap<PathBuf, Root>,
    ) -> Constants {
        let constants = self.constants(file, roots);
        match roots.get(&self.files[file].path) {
            Some(root) => constants.within(component, set, &root.found.options),
            None => constants.within(component, set, &Options::default()),
        }
    }

    /// A file, and all that it imports.
    pub fn with_imports(&self, file: SourceId) -> BTreeSet<SourceId> {
        let mut all = BTreeSet::new();
        let mut waiting = vec![file];
        while let Some(file) = waiting.pop() {
            if all.insert(file) {
                waiting.extend(self.files[file].imports().iter().filter_map(|path| self.file(path)));
            }
        }
        all
    }

    /// The path that a file writes as `name`.
    pub fn beside(&self, file: SourceId, name: &str) -> PathBuf {
        imported(&self.files[file].path, name)
    }

    /// The file that is imported at byte `offset` of a file.
    pub fn import_at(&self, file: SourceId, offset: usize) -> Option<SourceId> {
        let File { path, program, .. } = &self.files[file];
        program.items.iter().find_map(|item| match &item.kind {
            ItemKind::Import(name)
                if (name.span.start as usize..=name.span.end as usize).contains(&offset) =>
            {
                self.file(&imported(path, &name.value))
            }
            _ => None,
        })
    }
}

impl File {
    fn new(id: SourceId, path: PathBuf, uri: Uri, text: String) -> Self {
        let source = SourceFile { id, name: path.display().to_string(), text };
        let program = aiec_dsl::recover(&source).program;
        Self { path, uri, source, program }
    }

    fn imports(&self) -> Vec<PathBuf> {
        let names = self.program.items.iter().filter_map(|item| match &item.kind {
            ItemKind::Import(name) => Some(imported(&self.path, &name.value)),
            _ => None,
        });
        names.collect()
    }
}

/// The file at `path` among these.
fn with_path(files: &IdVec<SourceId, File>, path: &Path) -> Option<SourceId> {
    files.enumerate().find(|(_, file)| file.path == path).map(|(id, _)| id)
}

/// The path of the file that the one at `path` writes as `name`.
fn imported(path: &Path, name: &str) -> PathBuf {
    plain(&path.parent().unwrap_or(Path::new("")).join(name))
}

/// The text of a file that a check has read.
fn text_of(path: &Path, roots: &BTreeMap<PathBuf, Root>) -> Option<String> {
    let mut sources = roots.values().flat_map(|root| root.found.sources.iter());
    sources.find(|source| plain(Path::new(&source.name)) == path).map(|source| source.text.clone())
}
