//! Texts of an array as one expression of C++.

/// One C++ expression for these texts: a literal, or one that joins parts with `index`, an
/// expression for the position of each text as a string. Returns None when no such expression
/// exists.
pub(super) fn numbered(texts: &[&str], index: &str) -> Option<String> {
    let (first, rest) = texts.split_first()?;
    if rest.iter().all(|text| text == first) {
        return Some(quoted(first));
    }
    let second = rest.first()?;
    let same = first.bytes().zip(second.bytes()).take_while(|(a, b)| a == b).count();
    let (head, tail) = (first.get(..same)?, first.get(same..)?.strip_prefix('0')?);
    let is_it = |(at, text): (usize, &&str)| **text == format!("{head}{at}{tail}");
    if head.is_empty() || !texts.iter().enumerate().all(is_it) {
        return None;
    }
    let tail = if tail.is_empty() { String::new() } else { format!(" + {}", quoted(tail)) };
    Some(format!("{} + {index}{tail}", quoted(head)))
}

/// `text` as a C++ literal. Escapes the second of two question marks in a row, which could start a
/// trigraph before C++17.
pub(super) fn quoted(text: &str) -> String {
    let mut literal = String::from("\"");
    let mut before = None;
    for c in text.chars() {
        if matches!(c, '"' | '\\') || (c == '?' && before == Some('?')) {
            literal.push('\\');
        }
        literal.push(c);
        before = Some(c);
    }
    literal.push('"');
    literal
}

/// `text` as Markdown code, between one backtick more than its longest row of backticks
/// (CommonMark, "Code spans").
pub(super) fn code(text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let pad = if text.starts_with(['`', ' ']) || text.ends_with(['`', ' ']) { " " } else { "" };
    format!("{fence}{pad}{text}{pad}{fence}")
}

/// `text` as code in a table cell, where a bar would end the cell.
pub(super) fn cell(text: &str) -> String {
    code(text).replace('|', "\\|")
}

#[cfg(test)]
mod tests {
    use super::{cell, code, numbered, quoted};

    #[test]
    fn a_literal_means_its_text() {
        assert_eq!(quoted("data/in.txt"), r#""data/in.txt""#);
        assert_eq!(quoted("a\"b\\c?d"), r#""a\"b\\c?d""#);
        assert_eq!(quoted("a??/b???"), r#""a?\?/b?\?\?""#);
    }

    #[test]
    fn code_of_markdown_shows_its_text() {
        assert_eq!(code("data/in.txt"), "`data/in.txt`");
        assert_eq!(code("a`b"), "``a`b``");
        assert_eq!(code("``x"), "``` ``x ```");
        assert_eq!(cell("a|b"), "`a\\|b`");
    }

    #[test]
    fn texts_that_differ_by_their_number_are_one_expression() {
        assert_eq!(numbered(&["a"], "i").as_deref(), Some("\"a\""));
        assert_eq!(numbered(&["a", "a"], "i").as_deref(), Some("\"a\""));
        assert_eq!(numbered(&["x[0]", "x[1]"], "i").as_deref(), Some("\"x[\" + i + \"]\""));
        let many: Vec<String> = (0..12).map(|i| format!("d/1_{i}.txt")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        assert_eq!(numbered(&many, "i").as_deref(), Some("\"d/1_\" + i + \".txt\""));
        assert_eq!(numbered(&["a_1", "a_2"], "i"), None);
        assert_eq!(numbered(&["a_0", "b_1"], "i"), None);
        assert_eq!(numbered(&["0a", "1a"], "i"), None, "the first part has to be a string");
    }
}
