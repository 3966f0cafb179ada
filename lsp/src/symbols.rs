//! Where names are declared and used.

use aiec_diag::{SourceId, Span};
use lsp_types::{
    DocumentHighlight, DocumentHighlightParams, DocumentSymbol, DocumentSymbolParams, DocumentSymbolResponse,
    GotoDefinitionParams, GotoDefinitionResponse, Location, Position, ReferenceParams, SymbolKind,
    TextDocumentPositionParams,
};

use crate::names::{Kind, SymbolId};
use crate::uri::path_of;
use crate::world::World;

/// A place in a file.
pub struct Cursor {
    /// The file among those of the world.
    pub file: SourceId,
    /// The byte in its text.
    pub offset: usize,
}

impl Cursor {
    /// The place that a client names. Returns None when the document is not open.
    pub fn of(world: &World, at: &TextDocumentPositionParams) -> Option<Self> {
        let file = world.file(&path_of(&at.text_document.uri))?;
        Some(Self { file, offset: world.lines(file).offset(at.position) })
    }

    /// The name at the place.
    pub fn name(&self, world: &World) -> Option<(Span, SymbolId)> {
        world.names.at(self.file, self.offset)
    }
}

/// The declarations of the name at a place, or the start of the file that is imported there.
pub fn definition(world: &World, params: &GotoDefinitionParams) -> Option<GotoDefinitionResponse> {
    let cursor = Cursor::of(world, &params.text_document_position_params)?;
    if let Some(file) = world.import_at(cursor.file, cursor.offset) {
        let start = lsp_types::Range::new(Position::default(), Position::default());
        return Some(GotoDefinitionResponse::Scalar(Location::new(world.files[file].uri.clone(), start)));
    }
    let (_, symbol) = cursor.name(world)?;
    let declared = world.names.symbols[symbol].declared.iter();
    Some(GotoDefinitionResponse::Array(declared.map(|span| world.location(*span)).collect()))
}

/// All places of the name at a place.
pub fn references(world: &World, params: &ReferenceParams) -> Option<Vec<Location>> {
    let cursor = Cursor::of(world, &params.text_document_position)?;
    let (_, symbol) = cursor.name(world)?;
    let declared = &world.names.symbols[symbol].declared;
    let places = world.names.places(symbol);
    let places = places.filter(|span| params.context.include_declaration || !declared.contains(span));
    Some(places.map(|span| world.location(span)).collect())
}

/// All places of the name at a place in the same file.
pub fn highlights(world: &World, params: &DocumentHighlightParams) -> Option<Vec<DocumentHighlight>> {
    let cursor = Cursor::of(world, &params.text_document_position_params)?;
    let (_, symbol) = cursor.name(world)?;
    let places = world.names.places(symbol).filter(|span| span.source == cursor.file);
    Some(places.map(|span| DocumentHighlight { range: world.location(span).range, kind: None }).collect())
}

/// The declarations of a file, with what they have inside.
pub fn symbols(world: &World, params: &DocumentSymbolParams) -> Option<DocumentSymbolResponse> {
    let file = world.file(&path_of(&params.text_document.uri))?;
    let all = world.names.symbols.enumerate();
    let top = all.filter(|(_, symbol)| symbol.container.is_none() && symbol.whole.source == file);
    let top = top.filter(|(_, symbol)| symbol.kind != Kind::Variable);
    Some(DocumentSymbolResponse::Nested(top.map(|(id, _)| document_symbol(world, id)).collect()))
}

#[allow(deprecated, reason = "the type has a field that only old clients read")]
fn document_symbol(world: &World, id: SymbolId) -> DocumentSymbol {
    let symbol = &world.names.symbols[id];
    let all = world.names.symbols.enumerate();
    let inside = all.filter(|(_, other)| other.container == Some(id) && other.kind != Kind::Index);
    let children: Vec<DocumentSymbol> = inside.map(|(other, _)| document_symbol(world, other)).collect();
    let range = world.location(symbol.whole).range;
    let name = symbol.declared.first().map_or(range, |span| world.location(*span).range);
    DocumentSymbol {
        name: symbol.name.clone(),
        detail: Some(symbol.kind.word().to_owned()),
        kind: kind(symbol.kind),
        tags: None,
        deprecated: None,
        range,
        selection_range: name,
        children: Some(children).filter(|children| !children.is_empty()),
    }
}

const fn kind(kind: Kind) -> SymbolKind {
    match kind {
        Kind::Design => SymbolKind::MODULE,
        Kind::Constant | Kind::Setting => SymbolKind::CONSTANT,
        Kind::Variable | Kind::Index | Kind::Argument => SymbolKind::VARIABLE,
        Kind::Kernel => SymbolKind::FUNCTION,
        Kind::Port => SymbolKind::FIELD,
        Kind::Handler => SymbolKind::METHOD,
        Kind::Buffer => SymbolKind::ARRAY,
        Kind::Collective => SymbolKind::OPERATOR,
        Kind::Input | Kind::Output => SymbolKind::INTERFACE,
        Kind::Component => SymbolKind::CLASS,
        Kind::Instance => SymbolKind::OBJECT,
    }
}
