//! The header library of emitted projects, `aie/include/aiec/`: plain C++, equal in every project.
//!
//! Takes the names of the headers that a project's own files include. Returns these headers and all
//! headers they include.

use std::sync::LazyLock;

use include_dir::{Dir, File, include_dir};

/// A header: its name below `include/`, with forward slashes, and its text.
pub type Header = (&'static str, &'static str);

static LIBRARY: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/library");

/// Every header, sorted by name. Ports are windows.
pub static HEADERS: LazyLock<Vec<Header>> = LazyLock::new(|| in_folder(""));

/// Replacements of some headers for buffer ports.
pub static BUFFER_VARIANTS: LazyLock<Vec<Header>> = LazyLock::new(|| in_folder("buffers/"));

/// Replacements of some headers for releases that write cascades as streams of accumulators.
pub static STREAM_VARIANTS: LazyLock<Vec<Header>> = LazyLock::new(|| in_folder("streams/"));

/// The headers in the folder `aiec` below a folder of the library, sorted by name.
fn in_folder(above: &str) -> Vec<Header> {
    let files = LIBRARY.get_dir(format!("{above}aiec")).into_iter().flat_map(Dir::files);
    let header =
        |file: &'static File<'_>| Some((file.path().to_str()?.strip_prefix(above)?, file.contents_utf8()?));
    let mut headers: Vec<Header> = files.filter_map(header).collect();
    headers.sort_unstable();
    headers
}

/// The headers with these names and the headers they include, sorted by name. Skips names that are
/// not in the library.
pub fn with_includes<'a>(names: impl IntoIterator<Item = &'a str>) -> Vec<Header> {
    let find = |name: &str| HEADERS.iter().position(|(known, _)| *known == name);
    let mut open: Vec<usize> = names.into_iter().filter_map(find).collect();
    let mut wanted = vec![false; HEADERS.len()];
    while let Some(at) = open.pop() {
        if std::mem::replace(&mut wanted[at], true) {
            continue;
        }
        open.extend(included_by(HEADERS[at].1).filter_map(|name| find(&format!("aiec/{name}"))));
    }
    HEADERS.iter().zip(wanted).filter(|(_, wanted)| *wanted).map(|(header, _)| *header).collect()
}

/// The headers that a header includes from its own folder.
fn included_by(text: &str) -> impl Iterator<Item = &str> {
    aiec_cpp_text::quoted_includes(text)
}

#[cfg(test)]
mod tests {
    use super::{HEADERS, included_by, with_includes};

    #[test]
    fn a_header_comes_with_everything_it_includes() {
        let names: Vec<&str> =
            with_includes(["aiec/broadcast.h"]).into_iter().map(|(name, _)| name).collect();
        assert_eq!(
            names,
            [
                "aiec/broadcast.h",
                "aiec/element.h",
                "aiec/ends.h",
                "aiec/list.h",
                "aiec/member.h",
                "aiec/memory.h",
                "aiec/ops.h",
                "aiec/ports.h",
                "aiec/windows.h"
            ]
        );
    }

    #[test]
    fn the_library_is_sorted_and_complete() {
        assert!(HEADERS.windows(2).all(|pair| pair[0].0 < pair[1].0));
        for (name, text) in HEADERS.iter() {
            for included in included_by(text) {
                let path = format!("aiec/{included}");
                assert!(HEADERS.iter().any(|(known, _)| *known == path), "{name} includes {included}");
            }
        }
    }

    /// Users read these headers in their project.
    #[test]
    fn headers_are_tidy_and_say_what_they_are_for() {
        for (name, text) in HEADERS.iter() {
            assert!(text.starts_with("// "), "{name}");
            assert!(text.lines().all(|line| line.trim_end() == line && line.len() <= 120), "{name}");
            assert!(text.ends_with("} // namespace aiec\n"), "{name}");
            assert!(text.lines().count() <= 400, "{name} is for one sitting");
            assert!(!text.contains("initializer_list") && !text.contains('\t'), "{name}");
        }
    }
}
