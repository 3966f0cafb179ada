//! The header library of emitted projects, `aie/include/aiec/`: plain C++, equal in every project.
//!
//! Takes the names of the headers that a project's own files include. Returns these headers and all
//! headers they include.

/// A header: its name below `include/`, with forward slashes, and its text.
pub type Header = (&'static str, &'static str);

macro_rules! headers {
    ($($name:literal),+ $(,)?) => { &[$((concat!("aiec/", $name), include_str!(concat!("../templates/aiec/", $name)))),+] };
}

/// Every header, sorted by name. Ports are windows.
pub const HEADERS: &[Header] = headers![
    "allgather.h",
    "allgather_merge.h",
    "allreduce.h",
    "allreduce_merge.h",
    "alltoall.h",
    "barrier.h",
    "barrier_merge.h",
    "broadcast.h",
    "cascade_ports.h",
    "cleared.h",
    "computed.h",
    "connect.h",
    "element.h",
    "gather.h",
    "gather_headed.h",
    "gather_merge.h",
    "link.h",
    "list.h",
    "member.h",
    "memory.h",
    "ops.h",
    "packets.h",
    "place.h",
    "ports.h",
    "ranks.h",
    "reduce.h",
    "reduce_cascade.h",
    "reduce_merge.h",
    "reduce_scatter.h",
    "root_array.h",
    "scan.h",
    "scatter.h",
    "sendrecv.h",
    "signals.h",
    "timed.h",
    "windows.h",
];

/// Replacements of some headers for buffer ports.
pub const BUFFER_VARIANTS: [Header; 2] = [
    ("aiec/link.h", include_str!("../templates/aiec/buffers/link.h")),
    ("aiec/ports.h", include_str!("../templates/aiec/buffers/ports.h")),
];

/// Replacements of some headers for releases that write cascades as streams of accumulators.
pub const STREAM_VARIANTS: [Header; 1] =
    [("aiec/cascade_ports.h", include_str!("../templates/aiec/streams/cascade_ports.h"))];

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
    text.lines().filter_map(|line| line.strip_prefix("#include \"")?.strip_suffix('"'))
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
        for (name, text) in HEADERS {
            for included in included_by(text) {
                let path = format!("aiec/{included}");
                assert!(HEADERS.iter().any(|(known, _)| *known == path), "{name} includes {included}");
            }
        }
    }

    /// Users read these headers in their project.
    #[test]
    fn headers_are_tidy_and_say_what_they_are_for() {
        for (name, text) in HEADERS {
            assert!(text.starts_with("// "), "{name}");
            assert!(text.lines().all(|line| line.trim_end() == line && line.len() <= 120), "{name}");
            assert!(text.ends_with("} // namespace aiec\n"), "{name}");
            assert!(text.lines().count() <= 400, "{name} is for one sitting");
            assert!(!text.contains("initializer_list") && !text.contains('\t'), "{name}");
        }
    }
}
