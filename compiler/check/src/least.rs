//! Minimal unsatisfiable subset (MUS) by deletion in halving chunks (ddmin).

/// A minimal subset of `things`, in their order, for which `is_impossible` holds.
///
/// A deletion filter: it leaves out chunks of half the things, then of a quarter, down to single
/// things. It asks at most about `4 log n` questions for each thing that stays. `is_impossible`
/// must be monotone: a superset of an impossible set is impossible. Then every thing of the result
/// is necessary; a result of one thing is not tested further.
pub fn least<T: Copy>(things: &[T], is_impossible: impl FnMut(&[T]) -> bool) -> Vec<T> {
    least_by(things, things.len().div_ceil(2), is_impossible)
}

/// Like [`least`], with chunks of at most `run` things. With 1 it asks one question for each thing,
/// which is less where most things stay.
pub fn least_by<T: Copy>(
    things: &[T],
    mut run: usize,
    mut is_impossible: impl FnMut(&[T]) -> bool,
) -> Vec<T> {
    let mut kept = things.to_vec();
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
