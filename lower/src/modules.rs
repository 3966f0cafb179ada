//! The files of a design: its own, and those that it imports.
//!
//! Takes the design's tree and the texts of all imported files. Parses each file once, however it
//! is spelt, and finds the components that each file can use: its own and those of its imports.

use std::borrow::Cow;
use std::collections::BTreeMap;

use aiec_diag::{Diagnostic, SourceFile, SourceId, Span, Spanned};
use aiec_dsl::ast::{Component, Item, ItemKind, Program};
use aiec_ir::IdVec;

use crate::Options;
use crate::errors;

/// Most files that a design imports, directly or not.
pub const MAX_FILES: usize = 64;

aiec_ir::ids! {
    /// A file of the design, in the order of loading.
    pub FileId;
}

/// The file that the user named.
pub const OWN: FileId = FileId(0);

impl Default for FileId {
    fn default() -> Self {
        OWN
    }
}

/// A file with its components.
pub struct Module<'p> {
    /// The syntax tree of the file.
    pub program: Cow<'p, Program>,
    /// The folder of its paths, from the design's folder.
    pub folder: String,
    /// The imported files, with the place of each `import`.
    imports: Vec<(FileId, Span)>,
}

/// All files; the design's own is the first.
pub struct Modules<'p> {
    /// The design's own file, then those that files import.
    pub files: IdVec<FileId, Module<'p>>,
}

/// A component that a file can use.
#[derive(Clone, Copy)]
pub struct Known<'a> {
    /// The file that declares it.
    pub file: FileId,
    /// The declaration.
    pub component: &'a Component,
}

/// The components that a file can use, by name.
pub type Components<'a> = BTreeMap<&'a str, Known<'a>>;

impl<'p> Modules<'p> {
    /// Parses the imports of `program`.
    pub fn load(program: &'p Program, options: &Options) -> (Self, Vec<Diagnostic>) {
        let own = Module { program: Cow::Borrowed(program), folder: String::new(), imports: Vec::new() };
        let mut loader = Loader {
            options,
            modules: Self { files: [own].into_iter().collect() },
            known: BTreeMap::from([(program.span.source, OWN)]),
            open: vec![(OWN, String::new())],
            diagnostics: Vec::new(),
        };
        loader.imports(OWN);
        (loader.modules, loader.diagnostics)
    }

    /// The components of each file, and a diagnostic for each name that a file has twice.
    pub fn components(&self) -> (IdVec<FileId, Components<'_>>, Vec<Diagnostic>) {
        let mut found = Vec::new();
        let all = self.files.enumerate().map(|(at, file)| {
            let mut names: Components<'_> = BTreeMap::new();
            let mut places: BTreeMap<&str, Span> = BTreeMap::new();
            let imported = file.imports.iter().flat_map(|&(from, span)| {
                declared(&self.files[from].program.items).map(move |one| (from, one, span))
            });
            let own = declared(&file.program.items).map(|one| (at, one, one.name.span));
            for (from, component, span) in own.chain(imported) {
                let name = component.name.value.as_str();
                match places.get(name) {
                    // A file may be imported twice.
                    Some(_)
                        if names.get(name).is_some_and(|known| std::ptr::eq(known.component, component)) => {}
                    Some(first) => found.push(errors::duplicate_component(name, span, *first)),
                    None => {
                        names.insert(name, Known { file: from, component });
                        places.insert(name, span);
                    }
                }
            }
            names
        });
        (all.collect(), found)
    }
}

/// The names of the components that a file declares.
pub fn components(program: &Program) -> impl Iterator<Item = &str> {
    declared(&program.items).map(|component| component.name.value.as_str())
}

/// The components that items declare.
pub fn declared(items: &[Item]) -> impl Iterator<Item = &Component> {
    items.iter().filter_map(|item| match &item.kind {
        ItemKind::Component(component) => Some(component),
        _ => None,
    })
}

struct Loader<'o, 'p> {
    options: &'o Options,
    modules: Modules<'p>,
    /// The files so far, by their texts: two spellings of one file have one text.
    known: BTreeMap<SourceId, FileId>,
    /// The files whose imports are being read, outermost first, with their names.
    open: Vec<(FileId, String)>,
    diagnostics: Vec<Diagnostic>,
}

impl Loader<'_, '_> {
    /// Reads the imports of file `at`. The depth is at most the number of files.
    fn imports(&mut self, at: FileId) {
        let paths: Vec<(Spanned<String>, Span)> = (self.modules.files[at].program.items.iter())
            .filter_map(|item| match &item.kind {
                ItemKind::Import(path) => Some((path.clone(), item.span)),
                _ => None,
            })
            .collect();
        for (path, span) in paths {
            if let Some(file) = self.import(at, &path) {
                self.modules.files[at].imports.push((file, span));
            }
        }
    }

    fn import(&mut self, at: FileId, path: &Spanned<String>) -> Option<FileId> {
        let name = aiec_dsl::beside(&self.modules.files[at].folder, &path.value);
        let source = match self.options.imports.get(&name) {
            Some(Ok(source)) => source,
            Some(Err(reason)) => return self.fail(errors::unread_import(path.span, &path.value, reason)),
            None => {
                let reason = "only `aiec` itself reads files";
                return self.fail(errors::unread_import(path.span, &path.value, reason));
            }
        };
        if let Some(&known) = self.known.get(&source.id) {
            let Some(start) = self.open.iter().position(|(open, _)| *open == known) else {
                return Some(known);
            };
            let chain: Vec<&str> = self.open[start..].iter().map(|(_, name)| name.as_str()).collect();
            let diagnostic = errors::import_circle(path.span, &path.value, &chain);
            return self.fail(diagnostic);
        }
        if self.modules.files.len() > MAX_FILES {
            return self.fail(errors::too_many_files(path.span, MAX_FILES));
        }
        let (program, diagnostics) = aiec_dsl::parse(source).into_parts();
        self.diagnostics.extend(diagnostics);
        let program = program?;
        self.check_items(&program, path);
        let folder = aiec_dsl::folder_of(&name);
        let module = Module { program: Cow::Owned(program), folder, imports: Vec::new() };
        let file = self.modules.files.push(module);
        self.known.insert(source.id, file);
        self.open.push((file, path.value.clone()));
        self.imports(file);
        self.open.pop();
        Some(file)
    }

    fn fail<T>(&mut self, diagnostic: Diagnostic) -> Option<T> {
        self.diagnostics.push(diagnostic);
        None
    }

    /// Reports the first item that a file of components cannot hold.
    fn check_items(&mut self, program: &Program, path: &Spanned<String>) {
        let stray = program.items.iter().find(|item| !belongs(&item.kind));
        if let Some(item) = stray {
            let is_design = matches!(item.kind, ItemKind::Design(_));
            self.diagnostics.push(errors::no_library(path.span, &path.value, item.span, is_design));
        }
    }
}

/// True for what a file of components may hold. Its device, release and kind of ports count only
/// when it is checked by itself.
const fn belongs(kind: &ItemKind) -> bool {
    matches!(
        kind,
        ItemKind::Import(_)
            | ItemKind::Component(_)
            | ItemKind::Const { .. }
            | ItemKind::Assert(_)
            | ItemKind::Allow(_)
            | ItemKind::Device(_)
            | ItemKind::Vitis(_)
            | ItemKind::Board(_)
            | ItemKind::Ports(..)
    )
}

/// The components that a file declares, if it has neither a design's name nor kernels of its own:
/// each can be checked by itself.
pub fn library(program: &Program) -> Option<Vec<&str>> {
    let is_library = program.items.iter().all(|item| belongs(&item.kind));
    let names: Vec<&str> = components(program).collect();
    (is_library && !names.is_empty()).then_some(names)
}

/// The texts of imported files by their paths, or why there is none.
pub type Texts = BTreeMap<String, Result<SourceFile, String>>;
