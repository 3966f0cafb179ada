//! Names of many instances in few words: `k{1..4}` for `k1`, `k2` and `k3`, `m[{0..9 step 4}]` for
//! `m[0]`, `m[4]` and `m[8]`, and `in_{}.txt` for the index of each instance.

use std::iter;

/// The names that `text` stands for, in order. Without a range that is the text itself.
pub fn names(text: &str) -> Box<dyn Iterator<Item = String> + '_> {
    match range(text) {
        Some((front, (first, end, step), back)) => {
            Box::new((first..end).step_by(step).map(move |number| format!("{front}{number}{back}")))
        }
        None => Box::new(iter::once(text.to_owned())),
    }
}

/// True for a text that stands for one name a number.
pub fn has_range(text: &str) -> bool {
    range(text).is_some()
}

/// The name of instance `index`: that number of a range, counted from 0, and the index for `{}`.
/// A range that is too short goes on.
pub fn of_instance(text: &str, index: u32) -> String {
    let number = range(text).map(|(front, (first, _, step), back)| {
        let number = u64::from(first) + u64::from(index) * step as u64;
        format!("{front}{number}{back}")
    });
    number.as_deref().unwrap_or(text).replace("{}", &index.to_string())
}

/// The text before a range, its first number, end and step, and the text behind it.
fn range(text: &str) -> Option<(&str, (u32, u32, usize), &str)> {
    text.match_indices('{').find_map(|(at, _)| {
        let (range, back) = text[at + 1..].split_once('}')?;
        let (first, end) = range.split_once("..")?;
        let (end, step) = end.split_once(" step ").unwrap_or((end, "1"));
        let step: usize = step.parse().ok().filter(|step| *step > 0)?;
        Some((&text[..at], (first.parse().ok()?, end.parse().ok()?, step), back))
    })
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

    #[test]
    fn an_instance_has_its_number_of_the_range() {
        let of = |text: &str| [0, 2].map(|index| of_instance(text, index));
        assert_eq!(of("in_{1..4}.txt"), ["in_1.txt", "in_3.txt"]);
        assert_eq!(of("in_{0..9 step 4}.txt"), ["in_0.txt", "in_8.txt"]);
        assert_eq!(of("{}/in_{}.txt"), ["0/in_0.txt", "2/in_2.txt"]);
        assert_eq!(of("../{}/in_{1..4}.txt"), ["../0/in_1.txt", "../2/in_3.txt"]);
        assert_eq!(of("../in.txt"), ["../in.txt", "../in.txt"]);
    }
}
