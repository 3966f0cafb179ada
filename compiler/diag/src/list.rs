//! Lists and sizes in sentences.

/// Number of names that a sentence about files or kernels shows.
pub const LISTED: usize = 5;

/// `a`, `a and b`, `a, b and c`, or the first `most` items and the number of the others: `a, b and
/// 3 more`.
pub fn listed(items: impl IntoIterator<Item = impl Into<String>>, most: usize) -> String {
    let mut items: Vec<String> = items.into_iter().map(Into::into).collect();
    let last = match items.len().saturating_sub(most) {
        0 => items.pop().unwrap_or_default(),
        more => {
            items.truncate(most);
            format!("{more} more")
        }
    };
    if items.is_empty() { last } else { format!("{} and {last}", items.join(", ")) }
}

/// `1 thing`, or `N things`.
pub fn count(number: u64, thing: &str) -> String {
    if number == 1 { format!("1 {thing}") } else { format!("{number} {thing}s") }
}

/// `a`, `a or b`, or `a, b or c`.
pub fn choice(items: impl IntoIterator<Item = impl Into<String>>) -> String {
    let mut items: Vec<String> = items.into_iter().map(Into::into).collect();
    let last = items.pop().unwrap_or_default();
    if items.is_empty() { last } else { format!("{} or {last}", items.join(", ")) }
}

/// A size in bytes, in KiB where that is a whole number.
pub fn size(bytes: u64) -> String {
    if bytes >= 1024 && bytes.is_multiple_of(1024) {
        format!("{} KiB", bytes / 1024)
    } else {
        format!("{bytes} B")
    }
}

#[cfg(test)]
mod tests {
    use super::{choice, listed, size};

    #[test]
    fn the_last_choice_follows_an_or() {
        assert_eq!([choice([""; 0]), choice(["a"]), choice(["a", "b"])], ["", "a", "a or b"]);
        assert_eq!(choice(["a", "b", "c"]), "a, b or c");
    }

    #[test]
    fn a_size_is_in_kib_where_that_is_exact() {
        assert_eq!([0, 1000, 1024, 1025, 32_768].map(size), ["0 B", "1000 B", "1 KiB", "1025 B", "32 KiB"]);
    }

    #[test]
    fn the_last_item_follows_an_and() {
        let listed = |items: &[&str]| listed(items.iter().copied(), 3);
        assert_eq!(listed(&[]), "");
        assert_eq!(listed(&["a"]), "a");
        assert_eq!(listed(&["a", "b", "c"]), "a, b and c");
        assert_eq!(listed(&["a", "b", "c", "d", "e"]), "a, b, c and 2 more");
    }
}
