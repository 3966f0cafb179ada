//! Loops: regular runs in a list of statements become loops, and rows of such runs nested loops.
//!
//! Takes items that name array elements by index and returns [`Block`]s: statements with the loops
//! around them. The order of the items is kept. Of all ways to cut the list into loops, it takes
//! the one with the fewest lines.

use std::ops::Range;

/// Something with a kind and the indices it uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Item<K> {
    /// Items of different kinds never share a loop.
    pub kind: K,
    /// The indices; items of one kind have equally many.
    pub indices: Vec<i64>,
}

/// A loop over a variable from `from` to one before `to`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Loop {
    variable: &'static str,
    from: i64,
    to: i64,
}

/// Statements with the loops around them, the outer one first; at most two.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Block {
    loops: Vec<Loop>,
    body: Vec<String>,
    /// Its items, in the order in which the loops come to them.
    items: Range<usize>,
}

impl Block {
    fn lines(&self) -> usize {
        self.body.len() + 2 * self.loops.len()
    }

    fn text(self) -> Vec<String> {
        self.loops.iter().rev().fold(self.body, |body, Loop { variable, from, to }| {
            let mut lines =
                vec![format!("for (unsigned {variable} = {from}; {variable} < {to}; ++{variable}) {{")];
            lines.extend(body.into_iter().map(|line| format!("    {line}")));
            lines.push("}".to_owned());
            lines
        })
    }
}

/// The statements that `body` makes for the kinds and indices of `items`, in loops. Indices inside
/// a loop are expressions in `i`; inside a nested loop, in `r` and `c`.
pub(crate) fn blocks<K: PartialEq>(
    items: &[Item<K>],
    body: impl Fn(&K, &[String]) -> Vec<String>,
) -> Vec<Block> {
    let cut = |shortest: usize| -> Vec<Block> {
        let nests = nests(items, shortest);
        nests.into_iter().map(|nest| nest.block(&items[nest.first], &body)).collect()
    };
    // Two statements of one line are shorter than a loop. Two statements of several lines, or two
    // rows, are not.
    let ways = [3, 2].map(cut);
    ways.into_iter().min_by_key(|way| way.iter().map(Block::lines).sum::<usize>()).unwrap_or_default()
}

/// The lines of all blocks. Consecutive blocks with equal loops share these.
pub(crate) fn text(blocks: Vec<Block>) -> Vec<String> {
    let joined = blocks.chunk_by(|a, b| a.loops == b.loops);
    let text = joined.flat_map(|blocks| {
        let body = match blocks {
            [only] if !only.loops.is_empty() => unscoped(&only.body),
            _ => blocks.iter().flat_map(|block| block.body.iter().cloned()).collect(),
        };
        Block { body, ..blocks[0].clone() }.text()
    });
    text.collect()
}

/// The lines of a body that is one scope without its braces: the loop around it is a scope.
fn unscoped(body: &[String]) -> Vec<String> {
    let inner = match body {
        [open, inner @ .., close] if open == "{" && close == "}" => inner,
        _ => &[],
    };
    let lines: Option<Vec<String>> =
        inner.iter().map(|line| line.strip_prefix("    ").map(str::to_owned)).collect();
    lines.filter(|lines| !lines.is_empty()).unwrap_or_else(|| body.to_vec())
}

/// The items of all blocks in the order in which the statements of [`text`] come to them.
pub(crate) fn order(blocks: &[Block]) -> Vec<usize> {
    let joined = blocks.chunk_by(|a, b| a.loops == b.loops);
    let turns = joined.flat_map(|blocks| {
        (0..blocks[0].items.len())
            .flat_map(move |turn| blocks.iter().map(move |block| block.items.start + turn))
    });
    turns.collect()
}

/// `count` items starting at position `first`, whose indices advance by `steps`.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Run {
    first: usize,
    /// 1, or at least the shortest loop.
    count: usize,
    steps: Vec<i64>,
}

/// Cuts `items` into runs, each as long as possible. Runs below `shortest` become single items.
fn runs<K: PartialEq>(items: &[Item<K>], shortest: usize) -> Vec<Run> {
    let mut found = Vec::new();
    let mut first = 0;
    while first < items.len() {
        let (count, steps) = longest(&items[first..]);
        let run = if count >= shortest {
            Run { first, count, steps }
        } else {
            Run { first, count: 1, steps: Vec::new() }
        };
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

/// Items starting at position `first`, in up to two loops, the outer loop first. Each loop has its
/// count and the steps of the indices.
struct Nest {
    first: usize,
    loops: Vec<(usize, Vec<i64>)>,
}

/// Finds runs, and runs of equally long runs whose first items are regular.
fn nests<K: PartialEq>(items: &[Item<K>], shortest: usize) -> Vec<Nest> {
    let inner = runs(items, shortest);
    let starts: Vec<Item<_>> = inner
        .iter()
        .map(|run| {
            let first = &items[run.first];
            Item { kind: (&first.kind, run.count, &run.steps), indices: first.indices.clone() }
        })
        .collect();
    let mut nests = Vec::new();
    for outer in runs(&starts, 2) {
        let run = &inner[outer.first];
        let once = |run: &Run| Nest {
            first: run.first,
            loops: if run.count > 1 { vec![(run.count, run.steps.clone())] } else { Vec::new() },
        };
        if outer.count > 1 && run.count > 1 {
            nests.push(Nest {
                first: run.first,
                loops: vec![(outer.count, outer.steps), (run.count, run.steps.clone())],
            });
        } else {
            nests.extend(inner[outer.first..outer.first + outer.count].iter().map(once));
        }
    }
    nests
}

impl Nest {
    fn block<K>(&self, first: &Item<K>, body: impl Fn(&K, &[String]) -> Vec<String>) -> Block {
        let variables: &[&'static str] = if self.loops.len() > 1 { &["r", "c"] } else { &["i"] };
        // A loop variable starts at the first index that advances by one, so that this index is the
        // variable itself.
        let from = |steps: &[i64]| {
            let by_one = (0..steps.len()).find(|&at| steps[at] == 1 && self.is_alone(at, steps));
            by_one.map_or(0, |at| first.indices[at])
        };
        let starts: Vec<i64> = self.loops.iter().map(|(_, steps)| from(steps)).collect();
        let index = |at: usize| {
            let terms = || self.loops.iter().map(|(_, steps)| steps[at]);
            let start: i64 = terms().zip(&starts).map(|(step, from)| step * from).sum();
            let terms: Vec<(i64, &str)> = terms().zip(variables.iter().copied()).collect();
            affine(&terms, first.indices[at] - start)
        };
        let indices: Vec<String> = (0..first.indices.len()).map(index).collect();
        let bounds = self.loops.iter().zip(&starts).zip(variables);
        let loops = bounds.map(|(((count, _), &from), &variable)| {
            let to = from.saturating_add(i64::try_from(*count).unwrap_or(i64::MAX));
            Loop { variable, from, to }
        });
        let count: usize = self.loops.iter().map(|(count, _)| count).product();
        Block {
            loops: loops.collect(),
            body: body(&first.kind, &indices),
            items: self.first..self.first + count,
        }
    }

    /// True if the index at `at` advances in the loop with these steps only.
    fn is_alone(&self, at: usize, steps: &[i64]) -> bool {
        self.loops.iter().all(|(_, others)| others[at] == 0 || std::ptr::eq(others.as_slice(), steps))
    }
}

/// The sum of products of variables, and `offset`, as one would write it.
fn affine(terms: &[(i64, &str)], offset: i64) -> String {
    let product = |step: i64, variable: &str| match step {
        1 => variable.to_owned(),
        step => format!("{step} * {variable}"),
    };
    let added = terms.iter().filter(|(step, _)| *step > 0).map(|&(step, variable)| product(step, variable));
    let mut sum: Vec<String> = added.collect();
    if offset > 0 || (sum.is_empty() && offset == 0) {
        sum.push(offset.to_string());
    }
    let taken = terms.iter().filter(|(step, _)| *step < 0).map(|&(step, variable)| product(-step, variable));
    let taken = taken.chain((offset < 0).then(|| (-offset).to_string()));
    taken.fold(sum.join(" + "), |sum, term| format!("{sum} - {term}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn items(indices: &[[i64; 2]]) -> Vec<Item<char>> {
        indices.iter().map(|pair| Item { kind: 'f', indices: pair.to_vec() }).collect()
    }

    fn call(kind: &char, indices: &[String]) -> Vec<String> {
        vec![format!("{kind}({});", indices.join(", "))]
    }

    fn written(items: &[Item<char>]) -> Vec<String> {
        text(blocks(items, call))
    }

    #[test]
    fn a_regular_stretch_is_one_loop() {
        let items = items(&[[4, 0], [5, 2], [6, 4], [7, 6]]);
        assert_eq!(written(&items), ["for (unsigned i = 4; i < 8; ++i) {", "    f(i, 2 * i - 8);", "}"]);
    }

    #[test]
    fn a_scope_alone_in_a_loop_is_the_scope_of_the_loop() {
        let scope = |kind: &char, indices: &[String]| {
            vec!["{".to_owned(), format!("    {}", call(kind, indices).concat()), "}".to_owned()]
        };
        let lines = text(blocks(&items(&[[0, 0], [1, 1], [2, 2]]), scope));
        assert_eq!(lines, ["for (unsigned i = 0; i < 3; ++i) {", "    f(i, i);", "}"]);
    }

    #[test]
    fn two_items_are_worth_a_loop_if_each_is_of_several_lines() {
        let items = items(&[[0, 0], [1, 1]]);
        assert_eq!(written(&items), ["f(0, 0);", "f(1, 1);"]);
        let three =
            |kind: &char, indices: &[String]| [0, 1, 2].map(|_| call(kind, indices).concat()).to_vec();
        let lines = text(blocks(&items, three));
        assert_eq!((lines.len(), lines[0].as_str()), (5, "for (unsigned i = 0; i < 2; ++i) {"));
    }

    #[test]
    fn an_irregular_start_does_not_spoil_the_rest() {
        let items = items(&[[9, 9], [0, 0], [1, 1], [2, 2]]);
        assert_eq!(written(&items), ["f(9, 9);", "for (unsigned i = 0; i < 3; ++i) {", "    f(i, i);", "}"]);
    }

    #[test]
    fn kinds_do_not_mix() {
        let mut items = items(&[[0, 0], [1, 1], [2, 2], [3, 3]]);
        items[3].kind = 'g';
        assert_eq!(written(&items).last().map(String::as_str), Some("g(3, 3);"));
    }

    /// A matrix, with the position of each element in a list: two nested loops, even where rows are
    /// short.
    #[test]
    fn rows_of_equal_length_are_two_loops() {
        for columns in [2, 5] {
            let element = |at: i64| Item { kind: 'f', indices: vec![at, at / columns, at % columns] };
            let items: Vec<Item<char>> = (0..4 * columns).map(element).collect();
            let expected = [
                "for (unsigned r = 0; r < 4; ++r) {".to_owned(),
                format!("    for (unsigned c = 0; c < {columns}; ++c) {{"),
                format!("        f({columns} * r + c, r, c);"),
                "    }".to_owned(),
                "}".to_owned(),
            ];
            assert_eq!(written(&items), expected);
        }
    }

    #[test]
    fn neighbours_with_the_same_loops_share_them() {
        let first = items(&[[0, 0], [1, 1], [2, 2]]);
        let mut both = blocks(&first, call);
        both.extend(blocks(&first, |_, indices| vec![format!("g({});", indices[1])]));
        both.push(Block { loops: Vec::new(), body: vec!["h();".to_owned()], items: 0..1 });
        let expected = ["for (unsigned i = 0; i < 3; ++i) {", "    f(i, i);", "    g(i);", "}", "h();"];
        assert_eq!(text(both), expected);
    }

    #[test]
    fn indices_are_written_as_a_person_would() {
        let one = |step, offset| affine(&[(step, "i")], offset);
        assert_eq!(one(0, 3), "3");
        assert_eq!(one(0, 0), "0");
        assert_eq!(one(1, 0), "i");
        assert_eq!(one(1, -4), "i - 4");
        assert_eq!(one(-1, 62), "62 - i");
        assert_eq!(one(3, 1), "3 * i + 1");
        assert_eq!(one(-2, 9), "9 - 2 * i");
        assert_eq!(affine(&[(-1, "r"), (4, "c")], 3), "4 * c + 3 - r");
    }
}
