//! "Did you mean": the known name closest to a misspelt one.

/// The candidate that differs from `name` by the fewest edits. Returns None when no candidate is
/// close, or when several are equally close.
///
/// Close means at most one edit in three characters, ignoring case. A name of two characters may
/// have one edit, a name of one character none.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let limit = match name.chars().count() {
        0 | 1 => 0,
        count => (count / 3).clamp(1, 3),
    };
    let wanted = name.to_lowercase();
    // The fewest edits, with the candidate unless there are several.
    let mut best: Option<(usize, Option<&str>)> = None;
    for candidate in candidates {
        if candidate.chars().count().abs_diff(wanted.chars().count()) > limit {
            continue; // more edits than the limit, whatever the letters are
        }
        let edits = strsim::osa_distance(&wanted, &candidate.to_lowercase());
        best = match best {
            _ if edits > limit => best,
            Some((fewest, _)) if fewest < edits => best,
            Some((fewest, known)) if fewest == edits => {
                Some((fewest, known.filter(|known| *known == candidate)))
            }
            _ => Some((edits, Some(candidate))),
        };
    }
    best.and_then(|(_, candidate)| candidate)
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

    #[test]
    fn one_character_is_a_slip_for_no_other() {
        assert_eq!(nearest("p", ["a", "i", "o"]), None);
        assert_eq!(nearest("p", ["p1", "pq"]), None);
        assert_eq!(nearest("P", ["a", "p"]), Some("p"), "the same letter");
        assert_eq!(nearest("pp", ["p", "abc"]), Some("p"));
    }

    #[test]
    fn of_equally_close_names_none_is_meant() {
        assert_eq!(nearest("gain2", ["gain0", "gain1"]), None);
        assert_eq!(nearest("gain2", ["gain0", "gain1", "Gain2"]), Some("Gain2"));
        assert_eq!(nearest("gain2", ["gain1", "gain1"]), Some("gain1"), "one name twice");
    }
}
