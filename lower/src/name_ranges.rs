//! Names of many members in few words: `k{1..4}` for `k1`, `k2` and `k3`, and `m[{0..9 step 4}]` for
//! `m[0]`, `m[4]` and `m[8]`.

/// The names that `text` stands for, in order. Without a range that is the text itself.
pub(crate) fn names(text: &str) -> Box<dyn Iterator<Item = String> + '_> {
    match range(text) {
        Some((front, (first, end, step), back)) => {
            Box::new((first..end).step_by(step).map(move |number| format!("{front}{number}{back}")))
        }
        None => Box::new(std::iter::once(text.to_owned())),
    }
}

/// The text before a range, its first number, end and step, and the text behind it.
fn range(text: &str) -> Option<(&str, (u32, u32, usize), &str)> {
    let (front, rest) = text.split_once('{')?;
    let (range, back) = rest.split_once('}')?;
    let (first, end) = range.split_once("..")?;
    let (end, step) = end.split_once(" step ").unwrap_or((end, "1"));
    let step: usize = step.parse().ok().filter(|step| *step > 0)?;
    Some((front, (first.parse().ok()?, end.parse().ok()?, step), back))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str) -> Vec<String> {
        names(text).collect()
    }

    #[test]
    fn a_range_stands_for_one_name_a_number() {
        assert_eq!(all("k{1..4}"), ["k1", "k2", "k3"]);
        assert_eq!(all("g.m[{0..9 step 4}].k"), ["g.m[0].k", "g.m[4].k", "g.m[8].k"]);
        assert_eq!(names("k{0..4000000000}").take(2).count(), 2, "no list is made");
    }

    #[test]
    fn other_braces_are_part_of_the_name() {
        for text in ["k", "k{}", "k{1..}", "k{1..2 step 0}", "k}1..2{", "k{-1..2}"] {
            assert_eq!(all(text), [text]);
        }
    }
}
