//! References to many instances: ranges of indices that loops move.

use std::ops::Range;

use aiec_dsl::ast::{Index, Reference};

use super::linear::Linear;
use super::statements::{Name, range};
use super::tree::number;

/// The steps of an index, and how often it has a new value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moves {
    step: i64,
    count: usize,
}

/// A loop: its rounds, and what each number gains in a round.
pub(super) type Turns<'n> = (usize, &'n [i64]);

/// What moves each index of a reference.
pub(super) type Moved = Vec<Option<Moves>>;

/// What moves the indices in `slots` in these loops, the outermost first. Also returns the number
/// of loops that move any. Returns None when no reference selects these instances in this order:
/// its last index runs fastest.
pub(super) fn moves(slots: Range<usize>, nest: &[Turns<'_>]) -> Option<(Moved, usize)> {
    let mut found: Moved = vec![None; slots.len()];
    let (mut last, mut moving) = (0, 0);
    for (rounds, steps) in nest {
        let own = steps.get(slots.clone())?;
        let mut moved = (0..own.len()).filter(|&at| own[at] != 0);
        let Some(at) = moved.next() else { continue };
        if moved.next().is_some() || own[at] < 0 || at < last {
            return None;
        }
        found[at] = Some(match found[at] {
            Some(outer) => outer.with(own[at], *rounds)?,
            None => Moves { step: own[at], count: *rounds },
        });
        (last, moving) = (at, moving + 1);
    }
    Some((found, moving))
}

impl Moves {
    /// The moves of two loops in one another, if they are those of one loop.
    fn with(self, step: i64, count: usize) -> Option<Self> {
        let whole = step.checked_mul(i64::try_from(count).ok()?)?;
        (self.step == whole).then_some(())?;
        Some(Self { step, count: self.count.checked_mul(count)? })
    }
}

/// The reference to all instances that have `numbers` first, and move so.
pub(super) fn reference(
    name: &Name,
    numbers: &[Linear],
    moves: &[Option<Moves>],
    variables: &[String],
) -> Option<Reference> {
    let indices = name.dims().zip(numbers).zip(moves).map(|((extent, first), moves)| match moves {
        None => Some(Index::At(first.written(variables))),
        Some(moves) => index(extent, first, *moves, variables),
    });
    Some(name.with(indices.collect::<Option<_>>()?))
}

/// The range of one index.
fn index(extent: u32, first: &Linear, Moves { step, count }: Moves, variables: &[String]) -> Option<Index> {
    let way = step.checked_mul(i64::try_from(count).ok()? - 1)?;
    let end = first.plus(way.checked_add(1)?)?;
    let has_from = first.constant != 0 || !first.is_constant();
    let has_to = first.constant.checked_add(way)?.checked_add(step)? < extent.into() || !first.is_constant();
    let from = has_from.then(|| first.written(variables));
    let to = has_to.then(|| end.written(variables));
    Some(range(from, to, (step != 1).then(|| number(step))))
}

/// Instances that follow each other.
pub(super) struct Joined<T> {
    /// Their words.
    pub of: T,
    /// Their indices: both ends of each range, and one number otherwise.
    pub numbers: Vec<i64>,
    /// The indices that are ranges.
    pub ranges: Vec<usize>,
}

/// Neighbours in a list of words with indices as one, if `alike` holds for their words and ranges
/// select them in their order.
pub(super) fn joined<T>(
    all: impl IntoIterator<Item = (T, Vec<i64>)>,
    alike: impl Fn(&T, &T) -> bool,
) -> Vec<Joined<T>> {
    let single = |at: i64| at..at.saturating_add(1);
    let mut found: Vec<(T, Vec<Range<i64>>)> =
        all.into_iter().map(|(of, indices)| (of, indices.into_iter().map(single).collect())).collect();
    let most = found.iter().map(|(_, slots)| slots.len()).max().unwrap_or(0);
    for slot in (0..most).rev() {
        found = found.into_iter().fold(Vec::new(), |mut found: Vec<(T, Vec<Range<i64>>)>, (next, slots)| {
            let last = found.last_mut().filter(|(last, _)| alike(last, &next));
            let range = last.and_then(|(_, range)| follows(range, &slots, slot).then_some(range));
            match range {
                Some(range) => range[slot].end = slots[slot].end,
                None => found.push((next, slots)),
            }
            found
        });
    }
    let is_range = |range: &Range<i64>| range.end != range.start.saturating_add(1);
    let joined = |(of, slots): (T, Vec<Range<i64>>)| Joined {
        of,
        ranges: (0..slots.len()).filter(|&at| is_range(&slots[at])).collect(),
        numbers: slots
            .iter()
            .flat_map(|range| std::iter::once(range.start).chain(is_range(range).then_some(range.end)))
            .collect(),
    };
    found.into_iter().map(joined).collect()
}

/// True if `next` continues `range` at index `slot`, and is equal to it elsewhere.
fn follows(range: &[Range<i64>], next: &[Range<i64>], slot: usize) -> bool {
    range.len() == next.len()
        && range.get(slot).zip(next.get(slot)).is_some_and(|(range, next)| range.end == next.start)
        && range.iter().zip(next).enumerate().all(|(at, (range, next))| at == slot || range == next)
}
