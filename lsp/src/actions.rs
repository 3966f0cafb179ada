//! Remedies of diagnostics that are edits of the text.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use aiec_diag::{Diagnostic, Fix, Sources, Span};
use lsp_types::{CodeActionParams, TextEdit};
use serde_json::{Map, Value, json};

use crate::publish::{Address, published};
use crate::text::Lines;
use crate::uri::{path_of, plain, uri_of};
use crate::world::{Document, Root, World};

/// The `CodeAction`s that cure the diagnostics of a range, as JSON with files in their order.
pub fn actions(
    world: &World,
    documents: &BTreeMap<PathBuf, Document>,
    roots: &BTreeMap<PathBuf, Root>,
    params: &CodeActionParams,
) -> Vec<Value> {
    let path = path_of(&params.text_document.uri);
    let Some(file) = world.file(&path) else { return Vec::new() };
    let range = world.lines(file).bytes(params.range);
    let mut all: Vec<Value> = Vec::new();
    for (design, root) in roots {
        let Some(document) = documents.get(design) else { continue };
        let sources = &root.found.sources;
        let is_meant = |span: Span| {
            let bytes = span.start as usize..=span.end as usize;
            path_at(span, sources).as_deref() == Some(path.as_path())
                && *bytes.start() <= range.end
                && range.start <= *bytes.end()
        };
        let meant =
            |diagnostic: &&Diagnostic| diagnostic.labels.first().is_some_and(|label| is_meant(label.span));
        for diagnostic in root.found.diagnostics.iter().filter(meant) {
            let shown = published(
                std::slice::from_ref(diagnostic),
                sources,
                Address { path: design, uri: &document.uri },
                world.encoding,
            );
            let shown: Vec<_> = shown.into_values().flatten().collect();
            for (at, fix) in diagnostic.fixes.iter().enumerate() {
                let Some(changes) = changes(fix, sources, world) else { continue };
                let action = json!({
                    "title": fix.title,
                    "kind": "quickfix",
                    "diagnostics": shown,
                    "isPreferred": at == 0,
                    "edit": { "changes": changes },
                });
                if !all.contains(&action) {
                    all.push(action);
                }
            }
        }
    }
    all
}

fn path_at(span: Span, sources: &Sources) -> Option<PathBuf> {
    sources.get(span.source).map(|source| plain(Path::new(&source.name)))
}

/// The edits of a fix by the addresses of their files. Returns None when one lies in no file.
fn changes(fix: &Fix, sources: &Sources, world: &World) -> Option<Map<String, Value>> {
    let mut changes = Map::new();
    for edit in &fix.edits {
        let path = path_at(edit.span, sources)?;
        let known = world.file(&path).map(|file| world.files[file].uri.clone());
        let uri = known.or_else(|| uri_of(&path))?;
        let lines = Lines::new(&sources.get(edit.span.source)?.text, world.encoding);
        let range = lines.range(edit.span.start as usize..edit.span.end as usize);
        let edits = changes.entry(uri.as_str()).or_insert_with(|| json!([]));
        if let Value::Array(edits) = edits {
            edits.push(json!(TextEdit::new(range, edit.replacement.clone())));
        }
    }
    Some(changes)
}
