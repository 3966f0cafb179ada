//! A header that a compiler does not find. Takes its messages, and tells which header that is, and
//! where the compiler looked for it.

use std::path::{Path, PathBuf};

use aiec_diag::Diagnostic;
use aiec_system::files;

use crate::complaints::{Message, message};
use crate::errors;
use crate::program::absolute;

/// The header that a message misses.
fn header_in(text: &str) -> Option<&str> {
    text.strip_suffix(": No such file or directory")
        .or_else(|| text.strip_prefix('\'')?.strip_suffix("' file not found"))
}

/// The message about a header of the user's that does not exist, and the diagnostic for it. `graph`
/// is the file of the graph, and `include` has the folders of headers in the order of the search.
/// Returns None when no message misses one.
pub(crate) fn missing_header<'a>(
    words: &'a str,
    graph: &Path,
    include: &[PathBuf],
) -> Option<(Message<'a>, Diagnostic)> {
    words.lines().filter_map(message).find_map(|message| {
        let header = header_in(message.text).filter(|header| !errors::is_own_header(header))?;
        let looked = looked(message.file, graph, include);
        let diagnostic = errors::missing_header(header, message.file, message.line, &looked);
        Some((message, diagnostic))
    })
}

/// The folders where the compiler looked for a header, in its order, in words.
fn looked(file: &str, graph: &Path, include: &[PathBuf]) -> Vec<String> {
    let real = |folder: &Path| files::real_path(folder).unwrap_or_else(|| folder.to_path_buf());
    let beside = real(files::folder_of(Path::new(file)));
    let graph = real(files::folder_of(&absolute(graph)));
    let above = real(&graph.join(".."));
    let own = [beside, graph.clone(), graph.join("include")];
    let mut all: Vec<PathBuf> = Vec::new();
    for folder in own.into_iter().chain(include.iter().map(|folder| real(folder))).chain([above]) {
        if !all.contains(&folder) {
            all.push(folder);
        }
    }
    let shown = |folder: &PathBuf| {
        let is_there = matches!(files::kind(folder), Ok(files::Kind::Folder));
        let missing = if is_there { "" } else { " (which does not exist)" };
        format!("`{}`{missing}", folder.display())
    };
    all.iter().map(shown).collect()
}
