//! Lines of text: aligned lists, counted nouns, blanks.

/// Longest line of C++ that is not broken.
const WIDTH: usize = 120;

/// Parameters after `indent` columns: on one line if they fit, else one a line.
pub(crate) fn parameter_list(parameters: &[String], indent: usize) -> String {
    let line = parameters.join(", ");
    // Two more for the closing parenthesis and the character after it.
    if indent + line.len() + 2 <= WIDTH {
        line
    } else {
        parameters.join(&format!(",\n{}", " ".repeat(indent)))
    }
}

/// Items after commas, as many a line as fit; every line but the first after `indent` columns.
pub(crate) fn filled_list(items: &[String], indent: usize) -> String {
    const FIRST: usize = 60;
    let mut text = String::new();
    let mut column = FIRST;
    for (at, item) in items.iter().enumerate() {
        if at > 0 && column + item.len() + 2 > WIDTH {
            text.push_str(",\n");
            text.push_str(&" ".repeat(indent));
            column = indent;
        } else if at > 0 {
            text.push_str(", ");
        }
        text.push_str(item);
        column += item.len() + 2;
    }
    text
}

/// `count` of a noun, in English: `1 kernel`, `2 kernels`.
pub(crate) fn counted(count: usize, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

/// `text` with the layout of an emitted file: no blanks at line ends, no blank lines at either end,
/// never two in a row, one line break at the end.
pub(crate) fn tidy(text: &str) -> String {
    let mut tidied = String::with_capacity(text.len());
    let mut blanks = 0;
    for line in text.lines().map(str::trim_end) {
        if line.is_empty() {
            blanks += 1;
            continue;
        }
        if blanks > 0 && !tidied.is_empty() {
            tidied.push('\n');
        }
        blanks = 0;
        tidied.push_str(line);
        tidied.push('\n');
    }
    tidied
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_long_parameter_lists_are_broken() {
        let short = ["int a".to_owned(), "int b".to_owned()];
        assert_eq!(parameter_list(&short, 4), "int a, int b");
        let long = ["a".repeat(70), "b".repeat(70)];
        assert_eq!(parameter_list(&long, 2), format!("{},\n  {}", long[0], long[1]));
    }

    #[test]
    fn lists_fill_their_lines() {
        let items: Vec<String> = (0..100).map(|number| number.to_string()).collect();
        let text = filled_list(&items, 8);
        assert!(text.lines().count() == 4 && text.lines().skip(1).all(|line| line.starts_with("        ")));
        assert_eq!(text.split(',').count(), 100);
        assert_eq!(filled_list(&items[..3], 8), "0, 1, 2");
    }

    #[test]
    fn tidy_text_has_no_stray_blanks() {
        assert_eq!(tidy("\n\na  \n\n\n  b\n\n"), "a\n\n  b\n");
    }
}
