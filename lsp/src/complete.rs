//! Words and names that may stand at a place. The grammar tells which.

use std::collections::{BTreeMap, BTreeSet};

use aiec_collectives::{ElementType, Operation, ReduceOp, Shape};
use aiec_device::{Board, Release};
use aiec_diag::{Severity, catalogue};
use aiec_dsl::ast::{Component, Constant, Item, ItemKind};
use aiec_dsl::{End, Expected, Names as Wanted, Variables, expected};
use aiec_ir::CascadeType;
use aiec_lower::has_property;
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
    let mut found: BTreeMap<String, &'static str> = BTreeMap::new();
    for wanted in &expected.names {
        for (name, kind) in named(world, &cursor, wanted, &expected) {
            found.entry(name).or_insert(kind);
        }
    }
    let words = expected.words.iter().filter(|word| is_word_of(&expected, word));
    let words = words.map(|word| item(word, "word", range));
    let names = found.iter().map(|(name, kind)| item(name, kind, range));
    Some(CompletionResponse::Array(names.chain(words).collect()))
}

fn item(label: &str, kind: &'static str, range: lsp_types::Range) -> CompletionItem {
    CompletionItem {
        label: label.to_owned(),
        kind: Some(match kind {
            "word" => CompletionItemKind::KEYWORD,
            "type" => CompletionItemKind::TYPE_PARAMETER,
            "const" | "table" => CompletionItemKind::CONSTANT,
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

/// False for a word of the grammar that the operation of the collective around has no use for: a
/// property, or a shape.
fn is_word_of(expected: &Expected, word: &str) -> bool {
    let operation = Operation::from_name(&expected.item).filter(|one| *one != Operation::Active);
    // In an expression the word is a function, such as `max`.
    let Some(operation) = operation.filter(|_| !expected.names.contains(&Wanted::Values)) else {
        return true;
    };
    let has_shape = |shape: &str| operation.row().shapes().contains(&shape);
    match word {
        "tree" | "hub" => has_shape(word),
        "merge" => has_shape(Shape::Merge.word()),
        _ => has_property(operation, word) != Some(false),
    }
}

/// The operation of a collective, which its declaration begins with.
fn operation_of(world: &World, symbol: &Symbol) -> Option<Operation> {
    Operation::from_name(world.text(symbol.whole).split_whitespace().next()?)
}

/// The ports of collectives of this operation.
fn ports_of(operation: Operation) -> impl Iterator<Item = &'static str> {
    let row = operation.row();
    let ports = [("cycles", !row.is_channel()), ("result", row.has_result)];
    ports.into_iter().filter(|(_, has)| *has).map(|(port, _)| port)
}

/// The names of a kind that are known at a place, with what they are. At an end of a connection
/// they are those of the right direction.
fn named(
    world: &World,
    cursor: &Cursor,
    wanted: &Wanted,
    expected: &Expected,
) -> Vec<(String, &'static str)> {
    let (names, end) = (&world.names, expected.end);
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
            let (tables, others) = visible.into_iter().partition(|one| is_table(world, *one));
            let symbols: Vec<SymbolId> = Vec::into_iter(others).chain(around(world, cursor)).collect();
            let values = |kind| matches!(kind, Kind::Constant | Kind::Setting | Kind::Variable | Kind::Index);
            let all = of(symbols, values).into_iter().chain(as_tables(world, tables));
            all.chain(variables(world, cursor, &expected.variables)).collect()
        }
        Wanted::Tables => as_tables(world, visible.into_iter().filter(|one| is_table(world, *one)).collect()),
        Wanted::Settings(component, set) => {
            let component = component_named(world, cursor, component);
            let members = component.into_iter().flat_map(|one| names.members(one));
            let is_free = |one: &SymbolId| !set.contains(&names.symbols[*one].name);
            of(members.filter(is_free).collect(), |kind| kind == Kind::Setting)
        }
        Wanted::References => {
            of(visible.into_iter().filter(|one| is_end(world, *one, end, true)).collect(), is_reference)
        }
        Wanted::Kernels => of(visible, is_of_kernels),
        Wanted::Placed => {
            of(visible, |kind| is_of_kernels(kind) || matches!(kind, Kind::Input | Kind::Output))
        }
        Wanted::KernelsIn(path) => {
            let holder = names.resolve(cursor.file, cursor.offset, path);
            of(holder.into_iter().flat_map(|one| names.members(one)).collect(), is_of_kernels)
        }
        Wanted::Members(path) => match names.resolve(cursor.file, cursor.offset, path) {
            Some(symbol) if names.symbols[symbol].kind == Kind::Collective => {
                let operation = operation_of(world, &names.symbols[symbol]);
                let ports = operation.filter(|_| end == Some(End::Producing)).map(ports_of);
                ports.into_iter().flatten().map(|port| (port.to_owned(), "port")).collect()
            }
            Some(symbol) => {
                let members = names.members(symbol).filter(|one| is_end(world, *one, end, false));
                of(members.collect(), is_reference)
            }
            None => Vec::new(),
        },
        Wanted::Types => ElementType::ALL.iter().map(|element| (element.name().to_owned(), "type")).collect(),
        Wanted::Behind(word) if word == "of" => components(world, cursor),
        Wanted::Behind(word) if word == "shape" => {
            let operation = Operation::from_name(&expected.item);
            let shapes = operation.map_or_else(Vec::new, shapes);
            shapes.into_iter().map(|shape| (shape.to_owned(), "value")).collect()
        }
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
        Kind::Input => end == End::Producing,
        Kind::Collective => {
            let operation = operation_of(world, known).filter(|_| end == End::Producing);
            operation.is_some_and(|operation| ports_of(operation).next().is_some())
        }
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

const fn is_of_kernels(kind: Kind) -> bool {
    matches!(kind, Kind::Kernel | Kind::Instance)
}

/// The shapes of an operation that are one word.
fn shapes(operation: Operation) -> Vec<&'static str> {
    let known = operation.row().shapes();
    let words = Shape::KINDS.iter().filter(|shape| shape.is_one_word()).map(|shape| shape.word());
    words.filter(|word| known.contains(word)).chain(["auto"]).collect()
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

/// True for a constant that is a table.
fn is_table(world: &World, symbol: SymbolId) -> bool {
    let Symbol { kind: Kind::Constant, whole, container, .. } = &world.names.symbols[symbol] else {
        return false;
    };
    let items = &world.files[whole.source].program.items;
    let is_around = |component: &&Component| {
        container.is_some_and(|holder| world.names.symbols[holder].declared.contains(&component.name.span))
    };
    let mut inside = items.iter().filter_map(|item| match &item.kind {
        ItemKind::Component(component) => Some(component),
        _ => None,
    });
    let items = inside.find(is_around).map_or(items, |one| &one.body.items);
    let is_it = |item: &&Item| item.span == *whole;
    items.iter().find(is_it).is_some_and(|item| {
        matches!(&item.kind, ItemKind::Const { value: Constant::Table(_) | Constant::File(_), .. })
    })
}

fn as_tables(world: &World, tables: Vec<SymbolId>) -> Vec<(String, &'static str)> {
    tables.into_iter().map(|table| (world.names.symbols[table].name.clone(), "table")).collect()
}

/// The variables that the language gives an expression, and the named indices that hold there.
fn variables(world: &World, cursor: &Cursor, known: &Variables) -> Vec<(String, &'static str)> {
    let names = &world.names;
    let indices = |path: &Vec<String>| -> BTreeSet<String> {
        let family = names.resolve(cursor.file, cursor.offset, path);
        let indices = family.into_iter().flat_map(|family| names.indices_of(family));
        indices.map(|index| names.symbols[index].name.clone()).collect()
    };
    let of_all = known.families.iter().map(indices).reduce(|all, other| &all & &other);
    let indices = known.indices.iter().cloned().chain(of_all.unwrap_or_default());
    let indices = indices.map(|name| (name, Kind::Index.word()));
    known.given.iter().map(|name| ((*name).to_owned(), "variable")).chain(indices).collect()
}

/// The component of this name: that of the file or one of its imports comes first.
fn component_named(world: &World, cursor: &Cursor, name: &str) -> Option<SymbolId> {
    let near = world.with_imports(cursor.file);
    let all = world.names.symbols.enumerate();
    let named = all.filter(|(_, symbol)| symbol.kind == Kind::Component && symbol.name == name);
    named.min_by_key(|(_, symbol)| !near.contains(&symbol.whole.source)).map(|(id, _)| id)
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
        "buffer" => words(&["pingpong", "single"]),
        "peers" => words(&["any"]),
        "vitis" => Release::names().map(str::to_owned).collect(),
        "allow" => {
            let warnings = catalogue::ALL.iter().filter(|code| code.severity == Severity::Warning);
            warnings.map(|code| code.slug.to_owned()).collect()
        }
        "style" => words(&["scalar", "vector"]),
        "cascade" => CascadeType::names().map(str::to_owned).collect(),
        _ => Vec::new(),
    }
}
