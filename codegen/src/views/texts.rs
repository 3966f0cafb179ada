//! Texts of an array as one expression of C++.

/// One C++ expression of these texts: a literal, or one that joins parts with `index`, an expression for the position of each as a
/// string. None if there is no such.
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

/// A literal of C++. Names and paths hold nothing that it would have to escape.
fn quoted(text: &str) -> String {
    format!("\"{text}\"")
}

#[cfg(test)]
mod tests {
    use super::numbered;

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
