//! Words and names that may stand at a place. The grammar tells which.

use std::collections::BTreeSet;

use aiec_collectives::{ElementType, ReduceOp, Shape};
use aiec_device::Board;
use aiec_dsl::{End, Names as Wanted, expected};
use aiec_ir::CascadeType;
use lsp_types::{
    CompletionItem, CompletionItemKind, CompletionParams, CompletionResponse, CompletionTextEdit, TextEdit,
};

use crate::names::{Kind, Symbol, SymbolId};
use crate::symbols::Cursor;
use crate::world::World;

/// What may be completed at a place. The client chooses by the letters that are there.
pub fn complete(world: &World, params: &CompletionParams) -> Option<CompletionResponse> {
    let cursor = Cursor::of(world, &params.text_document_position)?;
    let expected = expected(&world.files[cursor.file].source, cursor.offset);
    let range = world.lines(cursor.file).range(expected.start..cursor.offset);
    let mut found: BTreeSet<(String, &'static str)> = BTreeSet::new();
    for wanted in &expected.names {
        found.extend(named(world, &cursor, wanted, expected.end));
    }
    let words = expected.words.into_iter().map(|word| item(&word, "word", range));
    let names = found.iter().map(|(name, kind)| item(name, kind, range));
    Some(CompletionResponse::Array(names.chain(words).collect()))
}

fn item(label: &str, kind: &'static str, range: lsp_types::Range) -> CompletionItem {
    CompletionItem {
        label: label.to_owned(),
        kind: Some(match kind {
            "word" => CompletionItemKind::KEYWORD,
            "type" => CompletionItemKind::TYPE_PARAMETER,
            "const" => CompletionItemKind::CONSTANT,
            "kernel" => CompletionItemKind::FUNCTION,
            "port" => CompletionItemKind::FIELD,
            "component" => CompletionItemKind::CLASS,
            "value" => CompletionItemKind::ENUM_MEMBER,
            _ => CompletionItemKind::VARIABLE,
        }),
        detail: Some(kind.to_owned()).filter(|kind| kind != "word"),
        text_edit: Some(CompletionTextEdit::Edit(TextEdit::new(range, label.to_owned()))),
        ..CompletionItem::default()
    }
}

/// The names of a kind that are known at a place, with what they are. At an end of a connection
/// they are those of the right direction.
fn named(world: &World, cursor: &Cursor, wanted: &Wanted, end: Option<End>) -> Vec<(String, &'static str)> {
    let names = &world.names;
    let visible = names.visible(cursor.file, cursor.offset);
    let of = |symbols: Vec<SymbolId>, is_meant: fn(Kind) -> bool| -> Vec<(String, &'static str)> {
        let symbols = symbols.into_iter().map(|symbol| &names.symbols[symbol]);
        symbols
            .filter(|symbol| is_meant(symbol.kind))
            .map(|Symbol { name, kind, .. }| (name.clone(), kind.word()))
            .collect()
    };
    match wanted {
        Wanted::Values => {
            let symbols = visible.into_iter().chain(around(world, cursor)).collect();
            of(symbols, |kind| matches!(kind, Kind::Constant | Kind::Setting | Kind::Variable | Kind::Index))
        }
        Wanted::References => {
            of(visible.into_iter().filter(|one| is_end(world, *one, end, true)).collect(), is_reference)
        }
        Wanted::Members(path) => match names.resolve(cursor.file, cursor.offset, path) {
            Some(symbol) if names.symbols[symbol].kind == Kind::Collective => {
                let words = ["cycles", "result"].map(|word| (word.to_owned(), "port"));
                words.into_iter().filter(|_| end != Some(End::Consuming)).collect()
            }
            Some(symbol) => {
                let members = names.members(symbol).filter(|one| is_end(world, *one, end, false));
                of(members.collect(), is_reference)
            }
            None => Vec::new(),
        },
        Wanted::Types => ElementType::ALL.iter().map(|element| (element.name().to_owned(), "type")).collect(),
        Wanted::Behind(word) if word == "of" => components(world, cursor),
        Wanted::Behind(word) => values(word).into_iter().map(|value| (value, "value")).collect(),
    }
}

/// True if the symbol, or a port of it, can be at this end of a connection; always where no
/// connection is. The ports of a component are seen `inside` of it, or at an instance.
fn is_end(world: &World, symbol: SymbolId, end: Option<End>, inside: bool) -> bool {
    let Some(end) = end else { return true };
    let names = &world.names;
    let known = &names.symbols[symbol];
    match known.kind {
        Kind::Input | Kind::Collective => end == End::Producing,
        Kind::Output => end == End::Consuming,
        Kind::Port => match world.text(known.whole).split_whitespace().next() {
            Some("in") => inside == (end == End::Producing),
            Some("out") => inside == (end == End::Consuming),
            _ => true,
        },
        Kind::Kernel | Kind::Instance => {
            let mut ports = names.members(symbol).filter(|one| names.symbols[*one].kind == Kind::Port);
            ports.any(|port| is_end(world, port, Some(end), false))
        }
        _ => true,
    }
}

const fn is_reference(kind: Kind) -> bool {
    matches!(kind, Kind::Kernel | Kind::Port | Kind::Collective | Kind::Input | Kind::Output | Kind::Instance)
}

/// The loop variables and indices that hold at a place.
fn around<'a>(world: &'a World, cursor: &'a Cursor) -> impl Iterator<Item = SymbolId> + 'a {
    let holds = |symbol: &Symbol| {
        let holder = symbol.container.filter(|_| symbol.kind == Kind::Index);
        let whole = holder.map_or(symbol.whole, |holder| world.names.symbols[holder].whole);
        let bytes = whole.start as usize..=whole.end as usize;
        whole.source == cursor.file && bytes.contains(&cursor.offset)
    };
    let all = world.names.symbols.enumerate();
    let variables = all.filter(|(_, symbol)| matches!(symbol.kind, Kind::Variable | Kind::Index));
    variables.filter(move |(_, symbol)| holds(symbol)).map(|(id, _)| id)
}

/// The components of all files, of which some may need an `import`.
fn components(world: &World, cursor: &Cursor) -> Vec<(String, &'static str)> {
    let around = |symbol: &Symbol| {
        let bytes = symbol.whole.start as usize..=symbol.whole.end as usize;
        symbol.whole.source == cursor.file && bytes.contains(&cursor.offset)
    };
    let all = world.names.symbols.iter().filter(|symbol| symbol.kind == Kind::Component && !around(symbol));
    all.map(|symbol| (symbol.name.clone(), "component")).collect()
}

/// The names that the language gives a meaning behind a word.
fn values(word: &str) -> Vec<String> {
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
    match word {
        "device" => aiec_device::builtin_names().map(str::to_owned).collect(),
        "board" => Board::ALL.iter().map(|board| board.name().to_owned()).collect(),
        "ports" => words(&["buffer", "own", "window"]),
        "op" => ReduceOp::ALL.iter().map(|op| op.name().to_owned()).collect(),
        "shape" => {
            let kinds =
                Shape::KINDS.iter().filter(|shape| shape.is_one_word()).map(|shape| shape.word().to_owned());
            kinds.chain(["auto".to_owned()]).collect()
        }
        "buffer" => words(&["pingpong", "single"]),
        "style" => words(&["scalar", "vector"]),
        "cascade" => CascadeType::names().map(str::to_owned).collect(),
        _ => Vec::new(),
    }
}
