//! Remedies of diagnostics that are edits of the text.

use std::collections::BTreeMap;
use std::path::PathBuf;

use lsp_types::{CodeActionParams, CodeActionResponse};

use crate::world::{Root, World};

/// The edits that cure the diagnostics of a range.
pub fn actions(
    _world: &World,
    _roots: &BTreeMap<PathBuf, Root>,
    _params: &CodeActionParams,
) -> Option<CodeActionResponse> {
    Some(Vec::new())
}
