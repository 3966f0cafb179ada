//! Statements and their lines. Takes the call chains of a description and the debug information of
//! its program, and returns the places of statements in the user's sources.

use std::collections::BTreeMap;
use std::env;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use addr2line::{Context, Frame};
use aiec_adf::description::{Call, Site};
use aiec_cpp_text::{Kind, Token, opened};
use aiec_diag::{SourceId, Sources, Span};
use aiec_system::files::{self, MAX_TEXT};

use crate::build::SYSTEMS;
use crate::debug::{self, Slice};
use crate::functions;
use crate::objects::Declared;
use crate::probe::{Line, Statement};

/// Parts of the paths of the vendor's libraries, if the project is none of them.
const VENDORS: [&str; 4] = ["/dsplib/", "/Vitis_Libraries/", "/L1/include/", "/L2/include/"];

/// Start of the names of functions that the compiler makes of the constructors of all global
/// objects.
const MADE: &str = "_GLOBAL__";

/// The folders that tell whose a file is.
pub(super) struct Folders {
    /// The folder of the user's project.
    pub(super) project: PathBuf,
    /// Folders of headers outside the project, which the user gave.
    pub(super) libraries: Vec<PathBuf>,
    /// The folder of aiec's headers, whose lines are not the user's.
    pub(super) headers: PathBuf,
}

/// Whose a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Owner {
    /// aiec's or the compiler's.
    System,
    /// A library's, of the vendor or of the user.
    Library,
    /// Part of the graph's project.
    Project,
}

/// A call in a chain, in a file of a user or library.
#[derive(Clone, Debug)]
struct Step {
    /// The function in which the line lies.
    function: String,
    file: PathBuf,
    line: u32,
    /// Column in bytes, from 1. 0 if it is not known.
    column: u32,
    is_projects: bool,
}

/// The statements of a description.
pub(super) struct Sites<'s> {
    /// Call chains: the steps of each return address, the innermost first.
    chains: BTreeMap<Statement, Vec<Rc<[Step]>>>,
    folders: Folders,
    sources: &'s mut Sources,
    /// Files by their real paths. None when the file cannot be read.
    files: BTreeMap<PathBuf, Option<SourceId>>,
    /// Spans by source, line and column.
    spans: BTreeMap<(SourceId, u32, u32), Option<Span>>,
}

impl<'s> Sites<'s> {
    /// Looks up all chains at once. Without debug information there are no lines.
    pub(super) fn of(program: &[u8], lines: &[Line], folders: Folders, sources: &'s mut Sources) -> Self {
        let context = debug::load(program).and_then(|dwarf| Context::from_dwarf(dwarf).ok());
        let base = lines.iter().find_map(|line| if let Line::Base(base) = line { Some(*base) } else { None });
        let (known, owners) = (BTreeMap::new(), BTreeMap::new());
        let mut lookup = Lookup { context, base: base.unwrap_or(0), folders: &folders, known, owners };
        let chains =
            lines.iter().filter_map(|line| if let Line::Chain(chain) = line { Some(chain) } else { None });
        let steps = |frames: &[u64], lookup: &mut Lookup<'_, '_>| {
            frames.iter().map(|frame| lookup.steps(*frame)).filter(|steps| !steps.is_empty()).collect()
        };
        let chains = chains.map(|chain| (chain.number, steps(&chain.frames, &mut lookup))).collect();
        Self { chains, folders, sources, files: BTreeMap::new(), spans: BTreeMap::new() }
    }

    /// The place of a statement. Returns None when no line of the user leads there.
    pub(super) fn site(&mut self, statement: Statement) -> Option<Site> {
        let chain = self.chains.get(&statement)?.clone();
        let mut steps = chain.iter().flat_map(|steps| steps.iter());
        let own = steps.clone().position(|step| step.is_projects);
        let mut inner = steps.nth(own.unwrap_or(0))?;
        let span = self.span(&inner.file, inner.line, inner.column)?;
        let mut calls = Vec::new();
        for step in steps {
            let span = self.span(&step.file, step.line, step.column);
            calls.push(Call { function: inner.function.clone(), span });
            inner = step;
        }
        Some(Site { span, calls })
    }

    /// The classes whose functions were running, the innermost first.
    pub(super) fn classes(&self, statement: Statement) -> impl Iterator<Item = &str> {
        let steps = self.chains.get(&statement).into_iter().flatten().flat_map(|steps| steps.iter());
        steps.filter_map(|step| Some(step.function.rsplit_once("::")?.0))
    }

    /// The place of a variable or member.
    pub(super) fn declared(&mut self, declared: &Declared) -> Option<Site> {
        let file = real(Path::new(&declared.file));
        if owner(&file, &self.folders) == Owner::System {
            return None;
        }
        Some(Site { span: self.span(&file, declared.line, 0)?, calls: Vec::new() })
    }

    /// The statement at a line and column.
    fn span(&mut self, file: &Path, line: u32, column: u32) -> Option<Span> {
        let id = self.file(file)?;
        let text = &self.sources.get(id)?.text;
        *self.spans.entry((id, line, column)).or_insert_with(|| span_in(text, id, line, column))
    }

    fn file(&mut self, path: &Path) -> Option<SourceId> {
        if let Some(known) = self.files.get(path) {
            return *known;
        }
        let id = source(self.sources, path);
        self.files.insert(path.to_path_buf(), id);
        id
    }
}

/// The source with this path, which is read if it is not there yet.
pub(super) fn source(sources: &mut Sources, path: &Path) -> Option<SourceId> {
    let text = files::read_source(path, MAX_TEXT, None).ok()?;
    let name = shown(path);
    let known = sources
        .iter()
        .find(|file| file.text == text && (file.name == name || real(Path::new(&file.name)) == path));
    if let Some(known) = known {
        return Some(known.id);
    }
    Some(sources.add(name, text))
}

/// The span of the statement at a line, and at a column in bytes if that is not 0.
pub(super) fn span_in(text: &str, id: SourceId, line: u32, column: u32) -> Option<Span> {
    let before: usize =
        text.split_inclusive('\n').take(usize::try_from(line.checked_sub(1)?).ok()?).map(str::len).sum();
    let line = text.get(before..)?.lines().next()?;
    let statement = statement_in(line, usize::try_from(column.saturating_sub(1)).ok()?);
    Some(Span::of_bytes(id, before + statement.start..before + statement.end))
}

/// The bytes of a line that hold the statement around a column: semicolons end statements, and so
/// does the brace that opens a body. Comments and blanks at its ends do not count.
fn statement_in(line: &str, column: usize) -> Range<usize> {
    let tokens: Vec<Token<'_>> = opened(line).filter(|token| token.kind != Kind::Comment).collect();
    let (mut first, mut end) = (0, tokens.len());
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate() {
        let is_body = || at > first && tokens[at - 1].text == ")";
        let is_border = match token.text {
            "(" | "[" => {
                depth += 1;
                false
            }
            ")" | "]" => {
                depth = depth.saturating_sub(1);
                false
            }
            ";" => depth == 0,
            "{" => depth == 0 && is_body(),
            _ => false,
        };
        if is_border && token.start >= column {
            end = at + usize::from(token.text == ";");
            break;
        }
        if is_border && tokens[at + 1..].iter().any(|token| !matches!(token.text, "}" | ";")) {
            first = at + 1;
        }
    }
    match tokens.get(first..end) {
        Some([first, .., last]) => first.start..last.end(),
        Some([only]) => only.range(),
        _ => line.len() - line.trim_start().len()..line.trim_end().len(),
    }
}

/// The path as the user would write it: relative to the current folder if it lies below it.
fn shown(path: &Path) -> String {
    let here = env::current_dir().ok().map(|here| real(&here));
    let below = here.as_ref().and_then(|here| path.strip_prefix(here).ok());
    below.unwrap_or(path).display().to_string()
}

/// The path without links, `.` and `..`, if the file exists.
pub(super) fn real(path: &Path) -> PathBuf {
    files::real_path(path).unwrap_or_else(|| path.to_path_buf())
}

fn owner(file: &Path, folders: &Folders) -> Owner {
    let text = file.to_string_lossy();
    let is_system = |start: &&str| text.trim_start_matches('/').starts_with(*start);
    if !file.is_absolute() || file.starts_with(&folders.headers) || SYSTEMS.iter().any(is_system) {
        return Owner::System;
    }
    if file.starts_with(&folders.project) {
        return Owner::Project;
    }
    let is_library = folders.libraries.iter().any(|folder| file.starts_with(folder));
    let is_vendors = VENDORS.iter().any(|part| text.contains(part));
    if is_library || is_vendors { Owner::Library } else { Owner::Project }
}

/// A look-up of addresses.
struct Lookup<'a, 'f> {
    context: Option<Context<Slice<'a>>>,
    base: u64,
    folders: &'f Folders,
    known: BTreeMap<u64, Rc<[Step]>>,
    /// Real paths and owners of files, by their names in the debug information.
    owners: BTreeMap<String, (PathBuf, Owner)>,
}

impl Lookup<'_, '_> {
    /// The lines of a return address that are a user's or a library's, of inlined functions first.
    fn steps(&mut self, frame: u64) -> Rc<[Step]> {
        if let Some(known) = self.known.get(&frame) {
            return Rc::clone(known);
        }
        let found: Rc<[Step]> = self.look_up(frame).unwrap_or_default().into();
        self.known.insert(frame, Rc::clone(&found));
        found
    }

    /// One byte before a return address lies in the call.
    fn look_up(&mut self, frame: u64) -> Option<Vec<Step>> {
        let at = frame.checked_sub(self.base)?.checked_sub(1)?;
        let mut found = Vec::new();
        let mut frames = self.context.as_ref()?.find_frames(at).skip_all_loads().ok()?;
        while let Some(frame) = frames.next().ok()? {
            found.extend(named(&frame));
        }
        drop(frames);
        let mut steps = Vec::new();
        for (function, file, line, column) in found {
            let (file, owner) = self.owner(&file);
            if owner != Owner::System && !function.starts_with(MADE) {
                let function = functions::function(&function);
                steps.push(Step { function, file, line, column, is_projects: owner == Owner::Project });
            }
        }
        Some(steps)
    }

    fn owner(&mut self, file: &str) -> (PathBuf, Owner) {
        let new = || {
            let path = real(Path::new(file));
            let owner = owner(&path, self.folders);
            (path, owner)
        };
        self.owners.entry(file.to_owned()).or_insert_with(new).clone()
    }
}

/// Function, file, line and column of a frame. Returns None when the frame has no line.
fn named(frame: &Frame<'_, Slice<'_>>) -> Option<(String, String, u32, u32)> {
    let function = frame.function.as_ref().and_then(|function| function.raw_name().ok());
    let function = function.map(|name| name.into_owned()).unwrap_or_default();
    let location = frame.location.as_ref()?;
    Some((function, location.file?.to_owned(), location.line?, location.column.unwrap_or(0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_with_several_statements_gives_the_one_at_the_column() {
        let at =
            |line: &str, part: &str| line[statement_in(line, line.find(part).expect("a part"))].to_owned();
        let two = "    connect<>(a, b); connect<>(c, \"x;y\"); // both";
        assert_eq!(at(two, "a, b"), "connect<>(a, b);");
        assert_eq!(at(two, "c, "), "connect<>(c, \"x;y\");");
        assert_eq!(
            at("  for (int i = 0; i < 4; ++i) make(i);", "make"),
            "for (int i = 0; i < 4; ++i) make(i);"
        );
        assert_eq!(at("  G() { connect<>(a, b); }", "connect"), "connect<>(a, b);");
        assert_eq!(
            at("  location<buffer>(p) = {bank(0, 0, 1), bank(0, 0, 2)};", "location"),
            "location<buffer>(p) = {bank(0, 0, 1), bank(0, 0, 2)};"
        );
        assert_eq!(at("  Top() {", "Top"), "Top()");
        assert_eq!(at("  a(';'); /* b; */ c(); /* d; */", "c("), "c();");
    }
}
