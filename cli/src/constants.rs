//! The text files of a design's constant tables.

use std::collections::BTreeMap;
use std::path::Path;

use aiec_diag::{Diagnostic, SourceFile, Sources};
use aiec_system::files::{MAX_TABLE, read_text};

/// The files that the constant tables of the design at `design` name, by their paths as written; or
/// why they cannot be read. Adds the files to `sources`.
pub fn read(
    source: &SourceFile,
    design: &Path,
    sources: &mut Sources,
) -> BTreeMap<String, Result<SourceFile, String>> {
    let base = design.parent().unwrap_or(Path::new(""));
    let mut tables = BTreeMap::new();
    for name in aiec_dsl::table_files(source) {
        if tables.contains_key(&name) {
            continue;
        }
        let path = base.join(&name);
        let unread = format!("cannot read `{}`: ", path.display());
        let reason = |d: Diagnostic| d.message.strip_prefix(&unread).unwrap_or(&d.message).to_owned();
        let file = read_text(&path, MAX_TABLE, None).map_err(reason).and_then(|text| {
            let id = sources.add(path.display().to_string(), text);
            sources.get(id).cloned().ok_or_else(|| "it is too large".to_owned())
        });
        tables.insert(name, file);
    }
    tables
}
