//! Runs: regular stretches of a list of statements, which become loops.
//!
//! In come items that name array elements by index; out go runs of items that differ by constant steps only. Order is kept.

/// Shortest stretch that reads better as a loop than as single statements.
const SHORTEST_LOOP: usize = 3;

/// Something with a kind and the indices it uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Item<K> {
    /// Items of different kinds never share a run.
    pub kind: K,
    /// The indices; items of one kind have equally many.
    pub indices: Vec<i64>,
}

/// `count` items from position `first` on whose indices advance by `steps`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Run {
    /// Position of the first item.
    pub first: usize,
    /// Number of items; 1, or at least [`SHORTEST_LOOP`].
    pub count: usize,
    /// What each index advances by from item to item.
    pub steps: Vec<i64>,
}

/// Cuts `items` into runs, each as long as possible.
pub(crate) fn runs<K: PartialEq>(items: &[Item<K>]) -> Vec<Run> {
    let mut found = Vec::new();
    let mut first = 0;
    while first < items.len() {
        let (count, steps) = longest(&items[first..]);
        let looped = count >= SHORTEST_LOOP;
        let run =
            if looped { Run { first, count, steps } } else { Run { first, count: 1, steps: Vec::new() } };
        first += run.count;
        found.push(run);
    }
    found
}

/// The longest run that starts with the first of `items`, and its steps.
fn longest<K: PartialEq>(items: &[Item<K>]) -> (usize, Vec<i64>) {
    let [first, second, ..] = items else { return (items.len(), Vec::new()) };
    if first.kind != second.kind {
        return (1, Vec::new());
    }
    let steps = differences(first, second);
    let regular =
        |pair: &&[Item<K>]| pair[0].kind == pair[1].kind && differences(&pair[0], &pair[1]) == steps;
    let count = 1 + items.windows(2).take_while(regular).count();
    (count, steps)
}

fn differences<K>(a: &Item<K>, b: &Item<K>) -> Vec<i64> {
    a.indices.iter().zip(&b.indices).map(|(a, b)| b - a).collect()
}

impl Run {
    /// The loop header and index expressions of this run, or just the indices if it is a single item. `i` is chosen so that the
    /// first index that advances by one is `i` itself.
    pub(crate) fn to_loop<K>(&self, items: &[Item<K>]) -> (Option<(i64, i64)>, Vec<String>) {
        let indices = &items[self.first].indices;
        if self.count == 1 {
            return (None, indices.iter().map(i64::to_string).collect());
        }
        let by_one = self.steps.iter().position(|&step| step == 1);
        let from = by_one.map_or(0, |at| indices[at]);
        let to = from + i64::try_from(self.count).unwrap_or(i64::MAX);
        let indices =
            indices.iter().zip(&self.steps).map(|(&index, &step)| affine(step, index - step * from));
        (Some((from, to)), indices.collect())
    }
}

/// `step * i + offset` as one would write it.
fn affine(step: i64, offset: i64) -> String {
    let product = match step {
        0 => return offset.to_string(),
        1 => "i".to_owned(),
        -1 => return format!("{offset} - i"),
        step if step < 0 => return format!("{offset} - {} * i", -step),
        step => format!("{step} * i"),
    };
    match offset {
        0 => product,
        offset if offset > 0 => format!("{product} + {offset}"),
        offset => format!("{product} - {}", -offset),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn items(indices: &[[i64; 2]]) -> Vec<Item<char>> {
        indices.iter().map(|pair| Item { kind: 'a', indices: pair.to_vec() }).collect()
    }

    #[test]
    fn a_regular_stretch_is_one_run() {
        let items = items(&[[4, 0], [5, 2], [6, 4], [7, 6]]);
        let runs = runs(&items);
        assert_eq!(runs.len(), 1);
        let (bounds, indices) = runs[0].to_loop(&items);
        assert_eq!(bounds, Some((4, 8)));
        assert_eq!(indices, ["i", "2 * i - 8"]);
    }

    #[test]
    fn two_items_are_not_worth_a_loop() {
        let items = items(&[[0, 0], [1, 1], [5, 5]]);
        assert!(runs(&items).iter().all(|run| run.count == 1));
    }

    #[test]
    fn an_irregular_start_does_not_spoil_the_rest() {
        let items = items(&[[9, 9], [0, 0], [1, 1], [2, 2]]);
        let counts: Vec<usize> = runs(&items).iter().map(|run| run.count).collect();
        assert_eq!(counts, [1, 3]);
    }

    #[test]
    fn kinds_do_not_mix() {
        let mut items = items(&[[0, 0], [1, 1], [2, 2], [3, 3]]);
        items[3].kind = 'b';
        assert_eq!(runs(&items).iter().map(|run| run.count).collect::<Vec<_>>(), [3, 1]);
    }

    #[test]
    fn indices_are_written_as_a_person_would() {
        assert_eq!(affine(0, 3), "3");
        assert_eq!(affine(1, 0), "i");
        assert_eq!(affine(1, -4), "i - 4");
        assert_eq!(affine(-1, 62), "62 - i");
        assert_eq!(affine(3, 1), "3 * i + 1");
        assert_eq!(affine(-2, 9), "9 - 2 * i");
    }
}
