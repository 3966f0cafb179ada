//! Names of designs in the C++ of kernels, where a rename has to reach.
//!
//! Kernels name constants as `design::NAME`, collectives as `comm.NAME`, and what active messages
//! serve as members. The texts are those of `source` and `header`, and of the files that they
//! include with quotes. A place is certain if it is one of the first two, outside of comments and
//! strings. Where another place may mean the name, too, there is no rename.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

use aiec_cpp_text::{opened, quoted_includes};
use aiec_diag::SourceId;
use aiec_dsl::ast::{CollectiveProperty, ItemKind, Kernel, KernelProperty};

use crate::Texts;
use crate::names::{Kind, SymbolId, flat};
use crate::world::World;

/// Gives the text of a file. Returns None when there is none.
pub type Read<'a> = &'a dyn Fn(&Path) -> Option<String>;

/// Texts of C++ with the bytes where they have a name.
pub type Places = BTreeMap<PathBuf, (String, Vec<Range<usize>>)>;

/// The places of a symbol in the C++ of kernels.
///
/// # Errors
/// A text may mean the symbol at another place, or serves others as well: the reason names it.
pub fn places(world: &World, symbol: SymbolId, read: Read<'_>) -> Result<Places, String> {
    let known = &world.names.symbols[symbol];
    let name = known.name.as_str();
    let (texts, others) = match known.kind {
        Kind::Constant if known.container.is_none() => of_constant(world, symbol, read),
        Kind::Collective => {
            let same = world.names.symbols.enumerate().filter(|(id, other)| {
                *id != symbol && other.kind == Kind::Collective && other.name == known.name
            });
            let others = same.flat_map(|(id, _)| of_members(world, id, read)).collect();
            (of_members(world, symbol, read), others)
        }
        Kind::Handler | Kind::Buffer => {
            let active = known.container.map(|active| of_members(world, active, read));
            (active.unwrap_or_default(), Texts::new())
        }
        _ => return Ok(Places::new()),
    };
    let mut found = Places::new();
    for (path, text) in texts {
        let places = match known.kind {
            Kind::Constant => constant(&text, name),
            Kind::Collective => collective(&text, name),
            _ => served(&text, name),
        };
        let shown = path.display();
        let Some(places) = places else {
            return Err(format!(
                "`{shown}` may mean {} `{name}` where it writes the name; change it there first",
                known.kind.word()
            ));
        };
        if !places.is_empty() && others.contains_key(&path) {
            return Err(format!(
                "`{shown}` has the name `{name}`, and kernels that mean another {} have this file, too",
                known.kind.word()
            ));
        }
        found.insert(path, (text, places));
    }
    found.retain(|_, (_, places)| !places.is_empty());
    Ok(found)
}

/// The texts of the kernels that a design has, with those of the files that it imports, and the
/// texts of kernels of other files.
fn of_constant(world: &World, symbol: SymbolId, read: Read<'_>) -> (Texts, Texts) {
    let own = world.with_imports(world.names.symbols[symbol].whole.source);
    let of = |is_own: bool| {
        let files = world.files.ids().filter(|file| own.contains(file) == is_own);
        let paths = files.flat_map(|file| {
            let items = flat(&world.files[file].program.items);
            let paths = items.into_iter().flat_map(|item| match &item.kind {
                ItemKind::Kernel(kernel) => paths(world, file, kernel),
                ItemKind::Collective(collective) => {
                    let properties = collective.properties.iter();
                    let headers = properties.filter_map(|property| match &property.value {
                        CollectiveProperty::Op(operator) => operator.from.as_ref(),
                        _ => None,
                    });
                    headers.map(|(header, _)| world.beside(file, &header.value)).collect()
                }
                _ => Vec::new(),
            });
            paths.collect::<Vec<_>>()
        });
        with_includes(paths.collect(), read)
    };
    (of(true), of(false))
}

/// The texts of the kernels that a collective names: its ranks, and the owner.
fn of_members(world: &World, collective: SymbolId, read: Read<'_>) -> Texts {
    let names = &world.names;
    let declared = &names.symbols[collective].declared;
    let is_it = |name: &aiec_diag::Span| declared.contains(name);
    let mut found = Vec::new();
    for file in world.files.ids() {
        for item in flat(&world.files[file].program.items) {
            match &item.kind {
                ItemKind::Collective(written) if is_it(&written.name.span) => {
                    let holds = |place: &aiec_diag::Span| {
                        place.source == file && item.span.start <= place.start && place.end <= item.span.end
                    };
                    let inside = names.uses.iter().filter(|(place, _)| holds(place));
                    let kernels = inside.filter(|(_, one)| names.symbols[*one].kind == Kind::Kernel);
                    found.extend(kernels.map(|(_, kernel)| *kernel));
                }
                _ => {}
            }
        }
    }
    let mut all = Vec::new();
    for kernel in found {
        let file = names.symbols[kernel].whole.source;
        for item in flat(&world.files[file].program.items) {
            match &item.kind {
                ItemKind::Kernel(written) if names.symbols[kernel].declared.contains(&written.name.span) => {
                    all.extend(paths(world, file, written));
                }
                _ => {}
            }
        }
    }
    with_includes(all, read)
}

/// The paths of the sources and headers of a kernel of a file.
fn paths(world: &World, file: SourceId, kernel: &Kernel) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut waiting: Vec<&KernelProperty> = kernel.properties.iter().map(|one| &one.value).collect();
    while let Some(property) = waiting.pop() {
        match property {
            KernelProperty::Source(path) | KernelProperty::Header(path) => {
                found.push(world.beside(file, &path.value));
            }
            KernelProperty::If(choice) => {
                let blocks = choice.branches.iter().map(|branch| &branch.block).chain(&choice.otherwise);
                waiting.extend(blocks.flat_map(|block| &block.items).map(|one| &one.value));
            }
            _ => {}
        }
    }
    found
}

/// The texts of files, and of those that they include with quotes.
fn with_includes(mut waiting: Vec<PathBuf>, read: Read<'_>) -> Texts {
    let mut texts = Texts::new();
    while let Some(path) = waiting.pop() {
        if texts.contains_key(&path) {
            continue;
        }
        let Some(text) = read(&path) else { continue };
        waiting.extend(quoted_includes(&text).map(|name| crate::uri::plain(&path.with_file_name(name))));
        texts.insert(path, text);
    }
    texts
}

/// The places of a constant. Returns None when the text may name it without `design::`.
fn constant(text: &str, name: &str) -> Option<Vec<Range<usize>>> {
    let tokens = tokens(text);
    let words: Vec<&str> = tokens.iter().map(|token| &text[token.clone()]).collect();
    let mut places = Vec::new();
    let mut has_bare = false;
    for at in (0..words.len()).filter(|at| words[*at] == name) {
        match words[..at] {
            [.., "design" | "design_numbers", ":", ":"] => places.push(tokens[at].clone()),
            [.., "."] | [.., "-", ">"] => {}
            _ => has_bare = true,
        }
    }
    let is_other_way = words.windows(3).any(|three| {
        matches!(
            three,
            ["namespace", "design" | "design_numbers", _] | ["=", "design" | "design_numbers", ";"]
        ) || matches!(three, ["using", "design" | "design_numbers", ":"])
    });
    (!has_bare || !is_other_way).then_some(places)
}

/// The places of a collective. Returns None when a member of something else than `comm` has the
/// name.
fn collective(text: &str, name: &str) -> Option<Vec<Range<usize>>> {
    let tokens = tokens(text);
    let words: Vec<&str> = tokens.iter().map(|token| &text[token.clone()]).collect();
    let mut places = Vec::new();
    for at in (0..words.len()).filter(|at| words[*at] == name) {
        match words[..at] {
            [.., "comm", "."] => places.push(tokens[at].clone()),
            [.., "."] | [.., "-", ">"] => return None,
            _ => {}
        }
    }
    Some(places)
}

/// No places of a handler or a buffer of active messages. Returns None when the text has the name:
/// clients call it, and the owner has a member of this name.
fn served(text: &str, name: &str) -> Option<Vec<Range<usize>>> {
    let names = [name.to_owned(), format!("put_{name}"), format!("get_{name}")];
    let mut all = tokens(text).into_iter();
    (!all.any(|token| names.iter().any(|one| *one == text[token.clone()]))).then(Vec::new)
}

/// The bytes of the words, numbers and marks of C++, those of directives as well.
fn tokens(text: &str) -> Vec<Range<usize>> {
    opened(text).filter(|token| token.kind.is_code()).map(|token| token.range()).collect()
}

#[cfg(test)]
mod tests;
