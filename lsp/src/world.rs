//! The texts of open documents and of the files that they import, with their trees and names.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use aiec_diag::{SourceFile, SourceId, Span};
use aiec_dsl::ast::{ItemKind, Program};
use aiec_ir::Expanded;
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
    /// Diagnostics of the last check with the C++ of kernels, by the paths of their files.
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
    /// Its text; the number in `source.id` is that of the file.
    pub source: SourceFile,
    /// The tree of the text, as far as it has one.
    pub program: Program,
}

/// All files and their names.
pub struct World {
    /// Open documents first, then other files of the workspace, then what all of them import.
    pub files: Vec<File>,
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
        let mut files: Vec<File> = Vec::new();
        for (path, Document { uri, text, .. }) in documents {
            files.push(File::new(files.len(), path.clone(), uri.clone(), text.clone()));
        }
        for (path, text) in closed.iter().filter(|(path, _)| !documents.contains_key(*path)) {
            if let Some(uri) = uri_of(path) {
                files.push(File::new(files.len(), path.clone(), uri, text.clone()));
            }
        }
        let mut imports: Vec<Vec<usize>> = Vec::new();
        let mut at = 0;
        while at < files.len() {
            let mut of_file = Vec::new();
            for path in files[at].imports() {
                let known = files.iter().position(|file| file.path == path);
                let read = || Some((text_of(&path, roots)?, uri_of(&path)?));
                of_file.extend(known.or_else(|| {
                    let (text, uri) = read()?;
                    files.push(File::new(files.len(), path.clone(), uri, text));
                    Some(files.len() - 1)
                }));
            }
            imports.push(of_file);
            at += 1;
        }
        let programs: Vec<&Program> = files.iter().map(|file| &file.program).collect();
        let names = Names::of(&programs, &imports);
        Self { files, names, encoding }
    }

    /// The number of the file at `path`.
    pub fn file(&self, path: &Path) -> Option<usize> {
        self.files.iter().position(|file| file.path == path)
    }

    /// The lines of a file.
    pub fn lines(&self, file: usize) -> Lines<'_> {
        Lines::new(&self.files[file].source.text, self.encoding)
    }

    /// The place of a span for the client.
    pub fn location(&self, span: Span) -> Location {
        let file = span.source.0 as usize;
        let range = self.lines(file).range(span.start as usize..span.end as usize);
        Location::new(self.files[file].uri.clone(), range)
    }

    /// The text of a span.
    pub fn text(&self, span: Span) -> &str {
        let text = &self.files[span.source.0 as usize].source.text;
        text.get(span.start as usize..span.end as usize).unwrap_or_default()
    }

    /// The constants at the top of a file, with the tables of its check.
    pub fn constants(&self, file: usize, roots: &BTreeMap<PathBuf, Root>) -> Constants {
        let File { path, program, .. } = &self.files[file];
        match roots.get(path) {
            Some(root) => constants(program, &root.found.options),
            None => constants(program, &Options::default()),
        }
    }

    /// The file that is imported at byte `offset` of a file.
    pub fn import_at(&self, file: usize, offset: usize) -> Option<usize> {
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
    fn new(number: usize, path: PathBuf, uri: Uri, text: String) -> Self {
        let id = SourceId(u32::try_from(number).unwrap_or(u32::MAX));
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

/// The path of the file that the one at `path` imports as `name`.
fn imported(path: &Path, name: &str) -> PathBuf {
    plain(&path.parent().unwrap_or(Path::new("")).join(name))
}

/// The text of a file that a check has read.
fn text_of(path: &Path, roots: &BTreeMap<PathBuf, Root>) -> Option<String> {
    let mut sources = roots.values().flat_map(|root| root.found.sources.iter());
    sources.find(|source| plain(Path::new(&source.name)) == path).map(|source| source.text.clone())
}
