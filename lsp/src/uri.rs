//! Addresses of files: `file:///a/b.dsl` to `/a/b.dsl`, and back.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use lsp_types::Uri;

/// The path of a document. An address that names no file, such as that of a text without a name,
/// stands for itself.
pub fn path_of(uri: &Uri) -> PathBuf {
    let text = uri.as_str();
    let path = text.strip_prefix("file://").and_then(|rest| rest.find('/').map(|at| &rest[at..]));
    match path.and_then(decoded) {
        Some(path) => PathBuf::from(path),
        None => PathBuf::from(text),
    }
}

/// The address of a file. Returns None when the path does not begin at the root.
pub fn uri_of(path: &Path) -> Option<Uri> {
    let path = path.to_str().filter(|path| path.starts_with('/'))?;
    Uri::from_str(&aiec_diag::uri(path)).ok()
}

/// The text of an address without its escapes.
fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, behind @ ..] = rest {
        let escaped = (*first == b'%').then(|| behind.get(..2)).flatten();
        let value = escaped.and_then(|digits| u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok());
        bytes.push(value.unwrap_or(*first));
        rest = if value.is_some() { &behind[2..] } else { behind };
    }
    String::from_utf8(bytes).ok()
}

/// `path` without `.` and `..`, as far as names show it.
pub fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            std::path::Component::CurDir => {}
            std::path::Component::ParentDir if plain.file_name().is_some() => {
                plain.pop();
            }
            part => plain.push(part),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_and_paths_are_each_other() {
        for path in ["/a/b.dsl", "/with space/\u{e4}%41.dsl", "/#?/x"] {
            let uri = uri_of(Path::new(path)).expect("an absolute path");
            assert_eq!(path_of(&uri), Path::new(path));
        }
        assert_eq!(uri_of(Path::new("a/b")), None);
        let untitled = Uri::from_str("untitled:Untitled-1").expect("an address");
        assert_eq!(path_of(&untitled), Path::new("untitled:Untitled-1"));
        let colon = Uri::from_str("file:///c%3A/x%2").map(|uri| path_of(&uri));
        assert_eq!(colon.ok(), None, "no address: an escape is cut off");
    }

    #[test]
    fn detours_are_left_out() {
        assert_eq!(plain(Path::new("/a/./b/../c.dsl")), Path::new("/a/c.dsl"));
        assert_eq!(plain(Path::new("../c.dsl")), Path::new("../c.dsl"));
    }
}
