//! "Did you mean": the known name closest to a misspelt one.

/// The candidate that differs from `name` by the fewest edits. Returns None when no candidate is
/// close.
///
/// Close means at most one edit in three characters, ignoring case. It takes the first of equally
/// close candidates.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let limit = (name.chars().count() / 3).clamp(1, 3);
    let wanted = name.to_lowercase();
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        if candidate.chars().count().abs_diff(wanted.chars().count()) > limit {
            continue; // more edits than the limit, whatever the letters are
        }
        let edits = strsim::osa_distance(&wanted, &candidate.to_lowercase());
        if edits <= limit && best.is_none_or(|(fewest, _)| edits < fewest) {
            best = Some((edits, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_of_the_fingers_finds_the_name() {
        let names = ["worker", "scale", "total"];
        assert_eq!(nearest("wroker", names), Some("worker"));
        assert_eq!(nearest("Scale", names), Some("scale"));
        assert_eq!(nearest("totl", names), Some("total"));
    }

    #[test]
    fn a_different_word_finds_nothing() {
        assert_eq!(nearest("samples", ["worker", "scale", "total"]), None);
        assert_eq!(nearest("x", []), None);
    }
}
