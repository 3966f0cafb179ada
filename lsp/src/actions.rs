//! Remedies of diagnostics that are edits of the text.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use aiec_diag::{Diagnostic, Fix, SourceFile, SourceId, Sources, Span};
use lsp_types::{CodeActionParams, TextEdit};
use serde_json::{Map, Value, json};

use crate::Found;
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
    let known = world.file(&path).map(|file| world.files[file].source.text.as_str());
    let mut all: Vec<Value> = Vec::new();
    for (design, root) in roots {
        let Some(document) = documents.get(design) else { continue };
        for (diagnostic, sources, span) in
            [&root.found, &root.with_cxx].into_iter().flat_map(|found| here(found, &path, known))
        {
            let text = sources.get(span.source).map_or("", |source| &source.text);
            let range = Lines::new(text, world.encoding).bytes(params.range);
            if span.start as usize > range.end || range.start > span.end as usize {
                continue;
            }
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

/// What a check found that has remedies and a place in the file at `path`, unless its text has
/// changed since: with the texts of the check and the first of these places. `known` is the text
/// of a design; that of a kernel's C++ is the one of the check. What cures a fault there may stand
/// in the design.
fn here<'f>(
    found: &'f Found,
    path: &Path,
    known: Option<&str>,
) -> impl Iterator<Item = (&'f Diagnostic, &'f Sources, Span)> {
    let is_file = |source: &&SourceFile| {
        plain(Path::new(&source.name)) == *path && known.is_none_or(|text| source.text == text)
    };
    let texts: Vec<SourceId> = found.sources.iter().filter(is_file).map(|source| source.id).collect();
    let curable = found.diagnostics.iter().filter(|diagnostic| !diagnostic.fixes.is_empty());
    curable.filter_map(move |diagnostic| {
        let label = diagnostic.labels.iter().find(|label| texts.contains(&label.span.source))?;
        Some((diagnostic, &found.sources, label.span))
    })
}

fn path_at(span: Span, sources: &Sources) -> Option<PathBuf> {
    sources.get(span.source).map(|source| plain(Path::new(&source.name)))
}

/// The edits of a fix by the addresses of their files. Returns None when one lies in no file.
fn changes(fix: &Fix, sources: &Sources, world: &World) -> Option<Map<String, Value>> {
    let mut changes = Map::new();
    for edit in &fix.edits {
        let path = path_at(edit.span, sources)?;
        let text = &sources.get(edit.span.source)?.text;
        let known = world.file(&path).map(|file| &world.files[file]);
        // A text that has changed since the check has other places.
        if known.is_some_and(|file| file.source.text != *text) {
            return None;
        }
        let known = known.map(|file| file.uri.clone());
        let uri = known.or_else(|| uri_of(&path))?;
        let lines = Lines::new(text, world.encoding);
        let range = lines.range(edit.span.start as usize..edit.span.end as usize);
        let edits = changes.entry(uri.as_str()).or_insert_with(|| json!([]));
        if let Value::Array(edits) = edits {
            edits.push(json!(TextEdit::new(range, edit.replacement.clone())));
        }
    }
    Some(changes)
}
