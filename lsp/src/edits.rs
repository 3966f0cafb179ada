//! Changes of texts: formatting and renaming.

use std::collections::BTreeSet;

use aiec_lower::{Served, Use, identifier_problem, taken_names};
use lsp_types::{
    DocumentFormattingParams, Location, PrepareRenameResponse, RenameParams, TextDocumentPositionParams,
    TextEdit,
};
use serde_json::{Map, Value, json};

use crate::kernels::{self, Read};
use crate::names::{Kind, SymbolId};
use crate::symbols::Cursor;
use crate::text::Lines;
use crate::uri::{path_of, uri_of};
use crate::world::World;

/// The lines that `aiec fmt` would change. Returns None when the text has errors.
pub fn format(world: &World, params: &DocumentFormattingParams) -> Option<Vec<TextEdit>> {
    let file = world.file(&path_of(&params.text_document.uri))?;
    let source = &world.files[file].source;
    let (program, diagnostics) = aiec_dsl::parse(source).into_parts();
    let program = program.filter(|_| diagnostics.is_empty())?;
    let new = aiec_dsl::print(source, &program);
    let old = &source.text;
    let common = |one: &str, other: &str| -> usize {
        let pairs = one.split_inclusive('\n').zip(other.split_inclusive('\n'));
        pairs.take_while(|(one, other)| one == other).map(|(line, _)| line.len()).sum()
    };
    let start = common(old, &new);
    if start == old.len() && start == new.len() {
        return Some(Vec::new());
    }
    let reversed =
        |text: &str| text[start..].split_inclusive('\n').rev().map(str::to_owned).collect::<Vec<_>>();
    let pairs = reversed(old).into_iter().zip(reversed(&new));
    let behind: usize = pairs.take_while(|(one, other)| one == other).map(|(line, _)| line.len()).sum();
    let range = world.lines(file).range(start..old.len() - behind);
    Some(vec![TextEdit::new(range, new[start..new.len() - behind].to_owned())])
}

/// The name at a place, if it can be changed.
pub fn prepare_rename(world: &World, at: &TextDocumentPositionParams) -> Option<PrepareRenameResponse> {
    let (span, symbol) = Cursor::of(world, at)?.name(world)?;
    let range = world.location(span).range;
    let placeholder = world.names.symbols[symbol].name.clone();
    Some(PrepareRenameResponse::RangeWithPlaceholder { range, placeholder })
}

/// The `WorkspaceEdit` that changes all places of a name, also those in the C++ of kernels, which
/// `read` gives. It is JSON, with files in their order.
///
/// # Errors
/// Why the new name is none, or why the places are not all known.
pub fn rename(world: &World, params: &RenameParams, read: Read<'_>) -> Result<Option<Value>, String> {
    let at = Cursor::of(world, &params.text_document_position);
    let Some((_, symbol)) = at.and_then(|at| at.name(world)) else { return Ok(None) };
    let new = &params.new_name;
    let is_word = new.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && new.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    if !is_word {
        return Err(format!(
            "`{new}` is no name: a name has letters, digits and `_`, and begins with no digit"
        ));
    }
    if aiec_dsl::RESERVED.contains(&new.as_str()) {
        return Err(format!("`{new}` is a word of the language; choose another name"));
    }
    let known = &world.names.symbols[symbol];
    if let Some(problem) = problem(world, symbol, new) {
        return Err(format!("`{new}` cannot be the name of {}: {problem}", with_article(known.kind)));
    }
    if known.is_shared {
        let name = &known.name;
        return Err(format!(
            "`{name}` is an index of several families of one collective; change each by hand"
        ));
    }
    if let Some(other) = clash(world, symbol, new) {
        return Err(format!("there is {} `{new}` already", with_article(other)));
    }
    let places: BTreeSet<_> = world.names.places(symbol).collect();
    let mut locations: Vec<Location> = places.into_iter().map(|span| world.location(span)).collect();
    for (path, (text, places)) in kernels::places(world, symbol, read)? {
        let Some(uri) = uri_of(&path) else { continue };
        let lines = Lines::new(&text, world.encoding);
        locations.extend(places.into_iter().map(|place| Location::new(uri.clone(), lines.range(place))));
    }
    let mut changes = Map::new();
    for location in locations {
        let edits = changes.entry(location.uri.as_str()).or_insert_with(|| json!([]));
        if let Value::Array(edits) = edits {
            edits.push(json!(TextEdit::new(location.range, new.clone())));
        }
    }
    Ok(Some(json!({ "changes": changes })))
}

/// The kind in words, with its article.
fn with_article(kind: Kind) -> String {
    let word = kind.word();
    format!("{} {word}", if word.starts_with(['a', 'i', 'o']) { "an" } else { "a" })
}

/// Why C++ does not allow the new name.
fn problem(world: &World, symbol: SymbolId, new: &str) -> Option<&'static str> {
    let served = match world.names.symbols[symbol].kind {
        Kind::Handler => Some(Served::Handler),
        Kind::Argument => Some(Served::Argument),
        Kind::Buffer => Some(Served::Buffer),
        _ => None,
    };
    if served.is_some_and(|served| taken_names(served).contains(&new)) {
        return Some("the header library uses this name in what clients call");
    }
    let known = &world.names.symbols[symbol];
    // `design.h` has a constant of another name then.
    if known.kind == Kind::Constant
        && known.container.is_none()
        && (new.starts_with('_') || new.contains("__"))
    {
        return Some("C++ reserves names with an underscore in front, or two in a row");
    }
    use_of(world, symbol).and_then(|used| identifier_problem(new, used))
}

/// What the emitted C++ makes of a name. Returns None for a name that the language does not hold
/// against C++.
fn use_of(world: &World, symbol: SymbolId) -> Option<Use> {
    let known = &world.names.symbols[symbol];
    let of_kernel = known.container.is_some_and(|one| world.names.symbols[one].kind == Kind::Kernel);
    match known.kind {
        Kind::Design | Kind::Kernel => Some(Use::Function),
        Kind::Collective => Some(Use::Member),
        Kind::Input | Kind::Output => Some(Use::Inside),
        Kind::Port if !of_kernel => Some(Use::Inside),
        Kind::Port | Kind::Instance | Kind::Handler | Kind::Argument | Kind::Buffer => Some(Use::Parameter),
        Kind::Constant if known.container.is_none() => Some(Use::Scoped),
        Kind::Constant | Kind::Setting | Kind::Variable | Kind::Index | Kind::Component => None,
    }
}

/// The kind of a name that is declared where the symbol is, and has the new name. A port and its
/// kernel have different names, too.
fn clash(world: &World, symbol: SymbolId, new: &str) -> Option<Kind> {
    let known = &world.names.symbols[symbol];
    let around = known.container.map(|one| &world.names.symbols[one]).filter(|_| known.kind == Kind::Port);
    if let Some(kernel) = around.filter(|one| one.kind == Kind::Kernel && one.name == new) {
        return Some(kernel.kind);
    }
    let ports = world.names.members(symbol).filter(|_| known.kind == Kind::Kernel);
    if let Some(port) = ports.map(|one| &world.names.symbols[one]).find(|one| one.name == new) {
        return Some(port.kind);
    }
    let all = world.names.symbols.iter();
    let mut beside = all.filter(|other| {
        other.container == known.container && other.whole.source == known.whole.source && other.name == new
    });
    beside.next().map(|other| other.kind)
}
