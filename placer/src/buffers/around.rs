//! Bank layout of a module with blocks at stated offsets.
//!
//! The blocks at stated offsets leave gaps, and bank borders cut the gaps into segments. Every
//! layout can be pushed to the left within each segment, so the search assigns the other blocks to
//! segments by branch and bound, the largest first. If the blocks do not fit into segments, it
//! assigns them to whole gaps, where they may straddle banks.

use super::layout::{Contents, Layout, Ruler};

/// The best layout found with `nodes` search nodes. Where none fits, blocks overlap, at a cost that
/// exceeds all others.
pub(super) fn pack(ruler: Ruler, contents: &Contents, nodes: u64) -> Option<Layout> {
    let gaps = gaps(ruler, contents);
    let cut = gaps.iter().flat_map(|&gap| segments(ruler, gap)).collect();
    let found = search(ruler, contents, cut, nodes).or_else(|| search(ruler, contents, gaps, nodes));
    Some(found.unwrap_or_else(|| {
        let starts = contents.in_sequence(ruler).starts.into_iter().zip(&contents.stated);
        contents.at(ruler, starts.map(|(start, stated)| stated.unwrap_or(start)).collect())
    }))
}

/// The free bytes of a module around the blocks at stated offsets.
fn gaps(ruler: Ruler, contents: &Contents) -> Vec<(u64, u64)> {
    let blocks = contents.stated.iter().zip(&contents.bytes);
    let mut taken: Vec<(u64, u64)> =
        blocks.filter_map(|(start, bytes)| start.map(|start| (start, start + bytes))).collect();
    taken.sort_unstable();
    let (mut gaps, mut free) = (Vec::new(), 0);
    for (start, end) in taken {
        if start > free {
            gaps.push((free, start));
        }
        free = free.max(end);
    }
    if free < ruler.module() {
        gaps.push((free, ruler.module()));
    }
    gaps
}

/// A gap cut at the borders of banks.
fn segments(ruler: Ruler, (begin, end): (u64, u64)) -> Vec<(u64, u64)> {
    let borders = (0..=ruler.banks as u64).map(|bank| bank * ruler.bank);
    let inner = borders.filter(|&border| begin < border && border < end);
    let points: Vec<u64> = std::iter::once(begin).chain(inner).chain([end]).collect();
    points.windows(2).map(|pair| (pair[0], pair[1])).collect()
}

/// The best assignment of the blocks without stated offset to `segments`. None when none was found.
fn search(ruler: Ruler, contents: &Contents, segments: Vec<(u64, u64)>, nodes: u64) -> Option<Layout> {
    let mut order: Vec<usize> = (0..contents.bytes.len()).collect();
    order.retain(|&block| contents.stated[block].is_none());
    order.sort_by_key(|&block| (std::cmp::Reverse(contents.bytes[block]), block));
    let starts = contents.stated.iter().map(|start| start.unwrap_or(0)).collect();
    let mut search = Search { ruler, contents, order, segments, starts, best: None, nodes };
    search.descend(0);
    search.best
}

struct Search<'a> {
    ruler: Ruler,
    contents: &'a Contents,
    /// Blocks in the order of assignment.
    order: Vec<usize>,
    /// The free bytes of each segment.
    segments: Vec<(u64, u64)>,
    /// The offsets so far.
    starts: Vec<u64>,
    best: Option<Layout>,
    /// Remaining nodes.
    nodes: u64,
}

impl Search<'_> {
    fn descend(&mut self, depth: usize) {
        if self.nodes == 0 || self.best.as_ref().is_some_and(|best| best.cost == 0) {
            return;
        }
        self.nodes -= 1;
        let Some(&block) = self.order.get(depth) else {
            let layout = self.contents.at(self.ruler, self.starts.clone());
            if self.best.as_ref().is_none_or(|best| layout.cost < best.cost) {
                self.best = Some(layout);
            }
            return;
        };
        let bytes = self.contents.bytes[block];
        let mut choices: Vec<(u64, usize)> = (0..self.segments.len())
            .filter(|&segment| self.fits(block, bytes, segment))
            .map(|segment| (self.added(depth, block, self.segments[segment].0), segment))
            .collect();
        choices.sort_unstable();
        for (_, segment) in choices {
            self.starts[block] = self.segments[segment].0;
            self.segments[segment].0 += bytes;
            self.descend(depth + 1);
            self.segments[segment].0 -= bytes;
        }
    }

    /// True if a segment has room for `block`, in its bank if the design states one.
    fn fits(&self, block: usize, bytes: u64, segment: usize) -> bool {
        let (begin, end) = self.segments[segment];
        let bank = self.contents.fixed[block];
        let whole = bytes > self.ruler.bank || !self.ruler.straddles(begin, bytes);
        let in_bank = |bank: usize| begin / self.ruler.bank == bank as u64 && whole;
        begin + bytes <= end && bank.is_none_or(in_bank)
    }

    /// What `block` at `start` costs beside the blocks that lie in its banks already.
    fn added(&self, depth: usize, block: usize, start: u64) -> u64 {
        let (first, last) = self.ruler.span(start, self.contents.bytes[block]);
        let is_set =
            |other: usize| self.contents.stated[other].is_some() || self.order[..depth].contains(&other);
        let others = (0..self.starts.len()).filter(|&other| other != block && is_set(other));
        let meets = |other: &usize| {
            let (low, high) = self.ruler.span(self.starts[*other], self.contents.bytes[*other]);
            first <= high && low <= last
        };
        others.filter(meets).map(|other| self.contents.clash[block][other]).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const RULER: Ruler = Ruler { bank: 8, banks: 4 };

    fn contents(bytes: &[u64], stated: &[Option<u64>]) -> Contents {
        let clash = vec![vec![0; bytes.len()]; bytes.len()];
        Contents { bytes: bytes.to_vec(), clash, fixed: vec![None; bytes.len()], stated: stated.to_vec() }
    }

    fn is_legal(contents: &Contents, layout: &Layout) -> bool {
        let all = || layout.starts.iter().zip(&contents.bytes).enumerate();
        let apart =
            |a: usize, (&s, &n): (&u64, &u64)| all().all(|(b, (&t, &m))| a == b || s + n <= t || t + m <= s);
        all().all(|(a, (s, n))| s + n <= 32 && apart(a, (s, n)))
            && layout.starts.iter().zip(&contents.stated).all(|(s, stated)| stated.is_none_or(|at| at == *s))
    }

    #[test]
    fn other_blocks_go_around_those_at_stated_offsets() {
        let contents = contents(&[4, 8, 8, 8], &[Some(2), None, None, None]);
        let found = pack(RULER, &contents, 1 << 12).expect("a layout");
        assert!(is_legal(&contents, &found) && found.cost == 0, "{found:?}");
    }

    #[test]
    fn blocks_straddle_only_if_they_must() {
        let contents = contents(&[2, 7, 7, 7, 7], &[Some(0), None, None, None, None]);
        let found = pack(RULER, &contents, 1 << 12).expect("a layout");
        assert!(is_legal(&contents, &found), "{found:?}");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(256))]

        /// Blocks of a hidden layout, some at their offsets: a layout is found, and keeps these.
        #[test]
        fn a_layout_that_exists_is_found(
            bytes in prop::collection::vec(1_u64..7, 1..6),
            fixed in prop::collection::vec(any::<bool>(), 6),
        ) {
            let (mut starts, mut next) = (Vec::new(), 0);
            for &block in &bytes {
                starts.push(next);
                next += block;
            }
            prop_assume!(next <= 32);
            let stated: Vec<Option<u64>> =
                starts.iter().zip(fixed).map(|(&start, fixed)| fixed.then_some(start)).collect();
            let contents = contents(&bytes, &stated);
            let found = pack(RULER, &contents, 1 << 16).expect("a layout");
            prop_assert!(is_legal(&contents, &found), "{found:?} {stated:?}");
        }
    }
}
