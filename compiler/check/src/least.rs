//! As few of some things as still have a property together.

/// As few of `things`, in their order, as still are a contradiction: ever smaller runs of them are left out. At most about `4 log n` questions
/// for each thing that stays.
///
/// If leaving something out never makes a contradiction, none of those that stay can be left out, unless only one stays.
pub fn least<T: Copy>(things: &[T], mut is_impossible: impl FnMut(&[T]) -> bool) -> Vec<T> {
    let mut kept = things.to_vec();
    let mut run = kept.len().div_ceil(2);
    while run > 0 && kept.len() > 1 {
        let mut at = 0;
        while at < kept.len() && kept.len() > 1 {
            let end = (at + run).min(kept.len());
            let rest: Vec<T> = kept[..at].iter().chain(&kept[end..]).copied().collect();
            if is_impossible(&rest) { kept = rest } else { at = end }
        }
        run /= 2;
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::least;

    #[test]
    fn what_is_left_is_a_least_set_found_with_few_questions() {
        let things: Vec<u32> = (0..1000).collect();
        let mut questions = 0;
        let left = least(&things, |rest| {
            questions += 1;
            [17, 400, 999].iter().all(|thing| rest.contains(thing))
        });
        assert_eq!(left, [17, 400, 999]);
        assert!(questions < 120, "{questions}");
    }
}
