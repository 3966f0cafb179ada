//! The table of documented constructs in `docs/runtime.md`. Takes the lists of
//! `runtime/tests/conformance`, which a test compiles. Returns a row for each document, and one for
//! each construct that is missing.

use std::collections::BTreeSet;

/// Between these the table stands.
const BEGIN: &str = "<!-- constructs -->\n";
const END: &str = "<!-- /constructs -->";

/// Words that are followed by a bracket and are no construct of ADF.
const WORDS: [&str; 12] = [
    "for", "if", "while", "switch", "return", "sizeof", "alignof", "alignas", "auto", "struct", "const",
    "decltype",
];

/// The document with its table written anew.
pub(crate) fn document(text: &str, lists: &[&str]) -> Result<String, String> {
    let missing = || format!("docs/runtime.md has no line `{}`", BEGIN.trim());
    let (before, rest) = text.split_once(BEGIN).ok_or_else(missing)?;
    let (_, after) = rest.split_once(END).ok_or_else(missing)?;
    let rows: String = lists.iter().flat_map(|list| rows(list)).collect();
    Ok(format!("{before}{BEGIN}| document | constructs | supported |\n|---|---|---|\n{rows}{END}{after}"))
}

fn rows(list: &str) -> Vec<String> {
    let (mut there, mut missing) = (Vec::new(), Vec::new());
    for section in list.split("\n= ").skip(1) {
        let (document, lines) = section.split_once('\n').unwrap_or((section, ""));
        // Outside backticks `<dma>` is HTML.
        let document = document.replace('<', "&lt;");
        let marked =
            |mark: &str| -> Vec<&str> { lines.lines().filter_map(|line| line.strip_prefix(mark)).collect() };
        let names: BTreeSet<String> = marked("+ ").into_iter().flat_map(names).collect();
        if !names.is_empty() {
            let names: Vec<String> = names.into_iter().map(|name| format!("`{name}`")).collect();
            there.push(format!("| {document} | {} | yes |\n", names.join(" ")));
        }
        missing.extend(marked("! ").into_iter().map(|line| format!("| {document} | `{line}` | not yet |\n")));
    }
    there.extend(missing);
    there
}

/// The names that a line of C++ uses: names behind `adf::` and `aie::`, and called functions.
fn names(line: &str) -> Vec<String> {
    let of_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == ':';
    let mut found = Vec::new();
    let mut rest = line;
    while let Some(at) = rest.find(of_word) {
        let member = rest.get(..at).is_some_and(|before| before.ends_with(['.', '>']));
        let word: String = rest.get(at..).unwrap_or_default().chars().take_while(|&c| of_word(c)).collect();
        rest = rest.get(at + word.len()..).unwrap_or_default();
        let called = rest.trim_start_matches(' ').starts_with('(');
        let of_library = word.starts_with("adf::") || word.starts_with("aie::");
        let function =
            called && !member && !word.contains("::") && word.starts_with(|c: char| c.is_ascii_lowercase());
        if of_library || (function && !WORDS.contains(&word.as_str())) {
            found.push(word.trim_end_matches(':').to_owned());
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_for_each_document_and_each_construct_that_is_missing() {
        let list = "# A list\n\n= UG1 \"A\"\n+ adf::tile(1, 2); v = byte(1); x.run(3); if (y) f (2);\n- adf::wrong;\n~ adf::right;\n! aie::later(v);\n";
        let text = format!("a\n{BEGIN}old{END}\nb");
        let table =
            "| UG1 \"A\" | `adf::tile` `byte` `f` | yes |\n| UG1 \"A\" | `aie::later(v);` | not yet |\n";
        let wanted =
            format!("a\n{BEGIN}| document | constructs | supported |\n|---|---|---|\n{table}{END}\nb");
        assert_eq!(document(&text, &[list]), Ok(wanted));
        assert!(document("a", &[list]).is_err());
    }
}
