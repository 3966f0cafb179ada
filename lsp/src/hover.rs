//! What a name or a connection is: its declaration, and its facts from the last check.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use aiec_diag::{SourceId, Span};
use aiec_dsl::ast::{Component, ItemKind};
use aiec_ir::Expanded;
use lsp_types::{Hover, HoverContents, HoverParams, MarkupContent, MarkupKind};

use crate::facts::{self, Declared};
use crate::names::{Kind, Symbol, SymbolId, flat};
use crate::symbols::Cursor;
use crate::uri::plain;
use crate::world::{Root, World};

/// Numbers of a table that are shown.
const MOST_NUMBERS: usize = 16;

/// The hover at a place.
pub fn hover(world: &World, roots: &BTreeMap<PathBuf, Root>, params: &HoverParams) -> Option<Hover> {
    let cursor = Cursor::of(world, &params.text_document_position_params)?;
    let (span, head, lines) = match cursor.name(world) {
        Some((span, symbol)) => {
            (span, declaration(world, symbol), of_symbol(world, roots, &cursor, span, symbol))
        }
        None => {
            let span = connect_at(world, &cursor)?;
            let lines = of_connect(world, roots, span);
            (Span { end: span.start + "connect".len() as u32, ..span }, world.text(span).to_owned(), lines)
        }
    };
    let list: String = lines.iter().map(|line| format!("- {line}\n")).collect();
    let value = format!("```aiec\n{head}\n```\n{list}");
    let contents = HoverContents::Markup(MarkupContent { kind: MarkupKind::Markdown, value });
    Some(Hover { contents, range: Some(world.location(span).range) })
}

/// The first words of a declaration, up to its body.
fn declaration(world: &World, symbol: SymbolId) -> String {
    let symbol = &world.names.symbols[symbol];
    let text = world.text(symbol.whole);
    let head = match symbol.kind {
        Kind::Variable | Kind::Index => return format!("{} {}", symbol.kind.word(), symbol.name),
        Kind::Kernel | Kind::Collective | Kind::Component => text.split('{').next().unwrap_or(text),
        _ => text,
    };
    head.lines().map(str::trim).collect::<Vec<_>>().join(" ").trim().to_owned()
}

/// What is known of a symbol. `span` is the place of its name.
fn of_symbol(
    world: &World,
    roots: &BTreeMap<PathBuf, Root>,
    cursor: &Cursor,
    span: Span,
    symbol: SymbolId,
) -> Vec<String> {
    let at = &world.names.symbols[symbol];
    let file = at.whole.source;
    let container = at.container.map(|container| &world.names.symbols[container]);
    if at.kind == Kind::Constant && container.is_none() {
        let value = world.constants(file, roots).text(&at.name, MOST_NUMBERS);
        return value.map(|value| format!("value {value}")).into_iter().collect();
    }
    let component = container.filter(|container| container.kind == Kind::Component);
    let component = component.map(|container| container.name.as_str());
    let declared = Declared { name: &at.name, component };
    let of = |design: &Expanded| match at.kind {
        Kind::Kernel => facts::kernel(design, declared, instance_at(world, span).as_deref()),
        Kind::Collective => facts::collective(design, declared),
        Kind::Input | Kind::Output => facts::external(design, declared),
        Kind::Instance => facts::instances(design, &at.name),
        Kind::Setting | Kind::Constant => component.map_or_else(Vec::new, |component| {
            let set = facts::settings(design, component);
            match facts::is_alone(design, component) {
                true => Vec::new(),
                false => of_all(world, roots, (file, component), &set, &at.name).into_iter().collect(),
            }
        }),
        Kind::Port => container
            .filter(|container| container.kind == Kind::Kernel)
            .map_or_else(Vec::new, |kernel| facts::port(design, within(world, kernel), &at.name)),
        Kind::Handler | Kind::Buffer => {
            container.map_or_else(Vec::new, |active| facts::service(design, within(world, active), &at.name))
        }
        Kind::Design | Kind::Variable | Kind::Index | Kind::Component | Kind::Argument => Vec::new(),
    };
    let mut designs = designs_of(&world.files[file].path, &world.files[cursor.file].path, roots);
    let lines = designs.find_map(|design| Some(of(design)).filter(|lines| !lines.is_empty()));
    let is_of_component = matches!(at.kind, Kind::Setting | Kind::Constant);
    lines.unwrap_or_else(|| match component.filter(|_| is_of_component) {
        Some(component) => by_default(world, roots, (file, component), &at.name).into_iter().collect(),
        None => Vec::new(),
    })
}

/// The value of a component's constant, if all instances of a design agree on it: `set` are the
/// settings on which they do. A constant of the body needs all of them.
fn of_all(
    world: &World,
    roots: &BTreeMap<PathBuf, Root>,
    (file, component): (SourceId, &str),
    set: &BTreeMap<String, i64>,
    name: &str,
) -> Option<String> {
    let written = component_in(world, file, component)?;
    let value = match set.get(name) {
        Some(value) => value.to_string(),
        None if written.constants.is_empty() || set.len() < written.constants.len() => return None,
        None => world.inside((file, written), set, roots).text(name, MOST_NUMBERS)?,
    };
    Some(format!("value {value} in all instances"))
}

/// The value of a component's constant where no instance sets anything.
fn by_default(
    world: &World,
    roots: &BTreeMap<PathBuf, Root>,
    (file, component): (SourceId, &str),
    name: &str,
) -> Option<String> {
    let written = component_in(world, file, component)?;
    let value = world.inside((file, written), &BTreeMap::new(), roots).text(name, MOST_NUMBERS)?;
    let when = if written.constants.is_empty() { "" } else { " with the default settings" };
    Some(format!("value {value}{when}"))
}

fn component_in<'w>(world: &'w World, file: SourceId, name: &str) -> Option<&'w Component> {
    world.files[file].program.items.iter().find_map(|item| match &item.kind {
        ItemKind::Component(component) if component.name.value == name => Some(component),
        _ => None,
    })
}

/// The declaration of a symbol, with the component around it.
fn within<'a>(world: &'a World, symbol: &'a Symbol) -> Declared<'a> {
    let component = symbol.container.map(|outer| world.names.symbols[outer].name.as_str());
    Declared { name: &symbol.name, component }
}

/// The designs that a file takes part in: those of the file that is shown come first, then its own.
pub fn designs_of<'a>(
    file: &'a Path,
    shown: &'a Path,
    roots: &'a BTreeMap<PathBuf, Root>,
) -> impl Iterator<Item = &'a Expanded> {
    let reads = move |root: &Root| root.sources.iter().any(|source| plain(Path::new(&source.name)) == file);
    let first = roots.get(shown).into_iter().chain(roots.get(file));
    let others = roots.iter().filter(move |(path, root)| *path != shown && *path != file && reads(root));
    first.chain(others.map(|(_, root)| root)).flat_map(|root| &root.designs)
}

/// The name with its literal indices at a place, such as `worker[3]`.
fn instance_at(world: &World, span: Span) -> Option<String> {
    let text = &world.files[span.source].source.text;
    let mut rest = text.get(span.end as usize..)?;
    let mut name = world.text(span).to_owned();
    while let Some(inner) = rest.strip_prefix('[') {
        let (index, behind) = inner.split_once(']')?;
        let index: u32 = index.trim().parse().ok()?;
        name += &format!("[{index}]");
        rest = behind;
    }
    name.ends_with(']').then_some(name)
}

/// The `connect` whose first word or arrow is at a place.
fn connect_at(world: &World, cursor: &Cursor) -> Option<Span> {
    let items = flat(&world.files[cursor.file].program.items);
    let holds = |span: &Span| (span.start as usize..=span.end as usize).contains(&cursor.offset);
    let connects = items.iter().filter(|item| matches!(item.kind, ItemKind::Connect(_)));
    connects.map(|item| item.span).find(holds)
}

/// What a `connect` makes, if the last check saw the text as it is.
fn of_connect(world: &World, roots: &BTreeMap<PathBuf, Root>, span: Span) -> Vec<String> {
    let file = &world.files[span.source];
    let root = |root: &Root| {
        let source = root.sources.iter().find(|source| source.text == file.source.text)?;
        let is_here =
            |place: Span| place.source == source.id && span.start <= place.start && place.end <= span.end;
        let lines = root.designs.iter().map(|design| facts::connections(design, is_here));
        lines.into_iter().find(|lines| !lines.is_empty())
    };
    roots.values().find_map(root).unwrap_or_default()
}
