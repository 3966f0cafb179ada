//! Types in the messages of compilers and linkers, in the words of ADF. Takes such a text, and
//! replaces the names that types have in aiec's own headers: a user knows
//! `adf::input_buffer<int32>` and no `adf::io_buffer<int, (adf::sim::direction)0, false, false>`.

/// The class of all buffers in aiec's headers.
const BUFFER: &str = "adf::io_buffer<";

/// Spellings of compilers, and what users write.
const WORDS: [(&str, &str); 8] = [
    ("adf::sim::complex<short>", "cint16"),
    ("adf::sim::complex<int>", "cint32"),
    ("adf::sim::complex<float>", "cfloat"),
    ("(unsigned int)", ""),
    ("{anonymous}::communicator", "Comm"),
    ("(anonymous namespace)::communicator", "Comm"),
    (" >", ">"),
    (", >", ">"),
];

/// Templates of ports, whose first argument is an element.
const PORTS: [&str; 6] = ["_buffer<", "_window<", "_stream<", "_cascade<", "window<", "stream<"];

/// Elements as compilers spell them, and as ADF does.
const ELEMENTS: [(&str, &str); 8] = [
    ("signed char", "int8"),
    ("unsigned char", "uint8"),
    ("short int", "int16"),
    ("short", "int16"),
    ("unsigned short", "uint16"),
    ("unsigned int", "uint32"),
    ("int", "int32"),
    ("long", "int64"),
];

/// The text with types as ADF spells them.
pub(crate) fn adf_types(text: &str) -> String {
    let mut text = text.to_owned();
    for (spelled, written) in WORDS {
        text = text.replace(spelled, written);
    }
    while let Some((start, end)) =
        text.find(BUFFER).and_then(|at| Some((at, closing(&text, at + BUFFER.len())?)))
    {
        let Some(named) = buffer(&text[start + BUFFER.len()..end]) else { break };
        text.replace_range(start..=end, &named);
    }
    for port in PORTS {
        for (spelled, written) in ELEMENTS {
            for behind in [">", ","] {
                text = text.replace(&format!("{port}{spelled}{behind}"), &format!("{port}{written}{behind}"));
            }
        }
    }
    without_doubles(&text)
}

/// The position of the `>` that closes what is open at `from`.
fn closing(text: &str, from: usize) -> Option<usize> {
    let mut depth = 1_usize;
    for (at, c) in text[from..].char_indices() {
        match c {
            '<' | '(' => depth += 1,
            '>' | ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(from + at);
        }
    }
    None
}

/// The buffer with these arguments: element, direction, async, circular, and options. Returns None
/// when they are others.
fn buffer(arguments: &str) -> Option<String> {
    let parts = aiec_cpp_text::arguments(arguments);
    let [element, way, asynchronous, circular, options @ ..] = parts.as_slice() else { return None };
    let way = match way.trim_end_matches(|c: char| !c.is_ascii_alphanumeric()) {
        way if way.ends_with("inout") || way.ends_with('2') => "inout",
        way if way.ends_with("out") || way.ends_with('1') => "output",
        _ => "input",
    };
    let word = |is: &str, word: &'static str| if is == "true" { word } else { "" };
    let kind = format!("{}{}buffer", word(asynchronous, "async_"), word(circular, "circular_"));
    let all: Vec<&str> =
        std::iter::once(*element).chain(options.iter().copied().filter(|one| !one.is_empty())).collect();
    Some(format!("adf::{way}_{kind}<{}>", all.join(", ")))
}

/// The text without `{aka X}` behind X.
fn without_doubles(text: &str) -> String {
    let mut found = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(" {aka ") {
        let end = rest[at..].find('}').map_or(rest.len(), |end| at + end + 1);
        let alias = rest[at..end].trim_start_matches(" {aka ").trim_end_matches('}');
        found += &rest[..at];
        if !found.ends_with(alias) {
            found += &rest[at..end];
        }
        rest = &rest[end..];
    }
    found + rest
}

#[cfg(test)]
mod tests {
    use super::adf_types;

    #[test]
    fn buffers_and_elements_have_the_names_of_adf() {
        for (spelled, written) in [
            ("f(adf::io_buffer<int, (adf::sim::direction)0, false, false>&)", "f(adf::input_buffer<int32>&)"),
            (
                "adf::io_buffer<adf::sim::complex<short>, (adf::sim::direction)1, true, false, >&",
                "adf::output_async_buffer<cint16>&",
            ),
            (
                "adf::io_buffer<float, adf::sim::direction::in, false, true, adf::extents<(unsigned int)32>, \
                 adf::margin<(unsigned int)8> >&",
                "adf::input_circular_buffer<float, adf::extents<32>, adf::margin<8>>&",
            ),
            (
                "f(input_window<short>*, output_stream<int>*)",
                "f(input_window<int16>*, output_stream<int32>*)",
            ),
            (
                "‘adf::input_buffer<int>’ {aka ‘adf::io_buffer<int, adf::sim::direction::in, false, false>’} to ‘int*’",
                "‘adf::input_buffer<int32>’ to ‘int*’",
            ),
            ("‘int16*’ {aka ‘short int*’}", "‘int16*’ {aka ‘short int*’}"),
            ("to ‘w({anonymous}::communicator&)’", "to ‘w(Comm&)’"),
            ("adf::io_buffer<int", "adf::io_buffer<int"),
        ] {
            assert_eq!(adf_types(spelled), written);
        }
    }
}
