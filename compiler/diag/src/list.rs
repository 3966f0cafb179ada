//! Lists in sentences.

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

#[cfg(test)]
mod tests {
    use super::listed;

    #[test]
    fn the_last_item_follows_an_and() {
        let listed = |items: &[&str]| listed(items.iter().copied(), 3);
        assert_eq!(listed(&[]), "");
        assert_eq!(listed(&["a"]), "a");
        assert_eq!(listed(&["a", "b", "c"]), "a, b and c");
        assert_eq!(listed(&["a", "b", "c", "d", "e"]), "a, b, c and 2 more");
    }
}
