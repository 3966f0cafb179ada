//! The text files that a design names: files of components, and those of constant tables.

use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};

use aiec_diag::{Diagnostic, SourceFile, Sources, nearest};
use aiec_dsl::without_detours;
use aiec_system::files::{Kind, MAX_DESIGN, MAX_TABLE, entries, kind, real_path};

use crate::open::Open;

/// Texts by their paths, or why they cannot be read.
type Texts = BTreeMap<String, Result<SourceFile, String>>;

/// Most files that are read before lowering counts the imports.
const MOST_FILES: usize = 256;

/// The texts of the files that a design names.
#[derive(Default)]
pub struct Named {
    /// Files of constant tables (`const NAME = from "FILE"`).
    pub tables: Texts,
    /// Files of components. Two spellings of one file have the same text.
    pub imports: Texts,
}

/// Reads the files that the design at `design` and its imports name. Adds them to `sources`.
pub fn read(source: &SourceFile, design: &Path, sources: &mut Sources) -> Named {
    read_over(source, design, &Open::default(), sources)
}

/// As [`read`]; texts of an editor take the place of files.
pub(crate) fn read_over(source: &SourceFile, design: &Path, open: &Open, sources: &mut Sources) -> Named {
    let base = design.parent().unwrap_or(Path::new(""));
    let mut named = Named::default();
    let mut known: BTreeMap<PathBuf, SourceFile> = BTreeMap::new();
    known.extend(real_path(design).map(|path| (path, source.clone())));
    let mut room = MAX_DESIGN;
    let mut pending = VecDeque::from([(String::new(), source.clone())]);
    while let Some((folder, file)) = pending.pop_front() {
        for name in aiec_dsl::table_files(&file) {
            let name = aiec_dsl::beside(&folder, &name);
            let path = base.join(&name);
            named.tables.entry(name).or_insert_with(|| text(&path, MAX_TABLE, open, sources));
        }
        for name in aiec_dsl::imports(&file) {
            let name = aiec_dsl::beside(&folder, &name);
            if named.imports.contains_key(&name) || named.imports.len() == MOST_FILES {
                continue;
            }
            let path = base.join(&name);
            let real = real_path(&path).unwrap_or_else(|| path.clone());
            let found = match known.get(&real) {
                Some(file) => Ok(file.clone()),
                None => text(&path, room, open, sources).map_err(|reason| reason + &meant(&path, &name)),
            };
            if let (Ok(file), false) = (&found, known.contains_key(&real)) {
                room = room.saturating_sub(file.text.len() as u64);
                known.insert(real, file.clone());
                pending.push_back((aiec_dsl::folder_of(&name), file.clone()));
            }
            named.imports.insert(name, found);
        }
    }
    named
}

/// The file beside a missing one whose name resembles its name, as a part of a sentence, with the
/// folder that `import` gives. Empty for a file that is there, and when no name is near.
fn meant(path: &Path, import: &str) -> String {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let is_missing = matches!(kind(path), Ok(Kind::Missing));
    let mut names = if is_missing { entries(folder).unwrap_or_default() } else { Vec::new() };
    names.retain(|name| !matches!(kind(&folder.join(name)), Ok(Kind::Folder)));
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let with_ending = names.iter().find(|whole| whole.strip_suffix(".dsl") == Some(name));
    let close = with_ending.map(String::as_str).or_else(|| nearest(name, names.iter().map(String::as_str)));
    let folder = import.strip_suffix(name).unwrap_or_default();
    close.map_or_else(String::new, |close| format!("; did you mean `{folder}{close}`?"))
}

fn text(path: &Path, limit: u64, open: &Open, sources: &mut Sources) -> Result<SourceFile, String> {
    let unread = format!("cannot read `{}`: ", path.display());
    let reason = |d: Diagnostic| d.message.strip_prefix(&unread).unwrap_or(&d.message).to_owned();
    open.read(path, limit, None).map_err(reason).and_then(|text| {
        let id = sources.add(without_detours(&path.display().to_string()), text);
        sources.get(id).cloned().ok_or_else(|| "it is too large".to_owned())
    })
}
