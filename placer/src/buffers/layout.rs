//! Bank layout of the blocks of one module, by branch and bound.
//!
//! Takes the bytes of each block and the cost of two blocks in one bank. Returns offsets at which
//! no block that fits a bank straddles two, if such offsets exist, with the least cost found within
//! the work limit. Otherwise as few blocks straddle as were found.
//!
//! Every packing can be pushed to the left: in each bank the blocks that lie inside it come first,
//! then at most one block that continues into the next banks. The search therefore chooses the
//! continuing blocks and where they begin, and assigns the others to banks by branch and bound.

use aiec_device::Device;

use super::around;
use super::clash::Fault;

/// The banks of a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ruler {
    /// Bytes of a bank.
    pub(super) bank: u64,
    /// Number of banks of a module.
    pub(super) banks: usize,
}

impl Ruler {
    /// The banks of a module. A single bank when the alignment does not divide the bank size.
    pub(super) fn of(device: &Device) -> Self {
        let memory = &device.memory;
        let bank = memory.bank_bytes();
        if bank > 0 && bank.is_multiple_of(memory.buffer_alignment.max(1)) {
            Self { bank: bank.into(), banks: memory.banks as usize }
        } else {
            Self { bank: memory.module_bytes.into(), banks: 1 }
        }
    }

    /// The first and the last bank of a block.
    pub(super) const fn span(self, start: u64, bytes: u64) -> (u64, u64) {
        let last = if bytes == 0 { start } else { start + bytes - 1 };
        (start / self.bank, last / self.bank)
    }

    /// True if a block that one bank could hold lies in two.
    pub(super) const fn straddles(self, start: u64, bytes: u64) -> bool {
        let (first, last) = self.span(start, bytes);
        bytes <= self.bank && first != last
    }

    pub(super) const fn module(self) -> u64 {
        self.bank * self.banks as u64
    }

    /// The offsets of blocks, with the blocks marked `last` moved to the end of their bank. A block
    /// is given by its bytes and that mark. Banks with a block that also lies in another bank stay
    /// unchanged.
    pub(super) fn with_last(self, blocks: &[(u64, bool)], starts: &[u64]) -> Vec<u64> {
        let mut moved = starts.to_vec();
        let spans: Vec<(u64, u64)> =
            blocks.iter().zip(starts).map(|(&(bytes, _), &start)| self.span(start, bytes)).collect();
        for bank in 0..self.banks as u64 {
            let mut inside: Vec<usize> = (0..blocks.len()).filter(|&at| spans[at] == (bank, bank)).collect();
            if spans.iter().any(|&(first, last)| first != last && first <= bank && bank <= last) {
                continue;
            }
            inside.sort_by_key(|&at| starts[at]);
            let (mut left, mut right) = (self.bank * bank, self.bank * (bank + 1));
            for at in inside {
                let (bytes, goes_last) = blocks[at];
                if goes_last {
                    right -= bytes;
                    moved[at] = right;
                } else {
                    moved[at] = left;
                    left += bytes;
                }
            }
        }
        moved
    }
}

/// The blocks of a module.
#[derive(Clone, Debug)]
pub(super) struct Contents {
    /// Bytes of each block, multiples of the alignment.
    pub(super) bytes: Vec<u64>,
    /// What two blocks cost in one bank.
    pub(super) clash: Vec<Vec<u64>>,
    /// The bank in which each block must begin, if the design states one.
    pub(super) fixed: Vec<Option<usize>>,
    /// The offset of each block, if the design states one.
    pub(super) stated: Vec<Option<u64>>,
}

/// Offsets and their cost.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Layout {
    pub(super) cost: u64,
    /// The offset of each block, in bytes.
    pub(super) starts: Vec<u64>,
}

impl Contents {
    /// The same blocks with others behind them that lie at offsets: offset and bytes of each.
    pub(super) fn beside(mut self, taken: &[(u64, u64)]) -> Self {
        for &(offset, bytes) in taken {
            self.bytes.push(bytes);
            self.clash.iter_mut().for_each(|row| row.push(0));
            self.clash.push(vec![0; self.bytes.len()]);
            self.fixed.push(None);
            self.stated.push(Some(offset));
        }
        self
    }

    /// The layout with these offsets, and its cost.
    pub(super) fn at(&self, ruler: Ruler, starts: Vec<u64>) -> Layout {
        let spans: Vec<(u64, u64)> =
            starts.iter().zip(&self.bytes).map(|(&start, &bytes)| ruler.span(start, bytes)).collect();
        let straddling =
            starts.iter().zip(&self.bytes).filter(|&(&start, &bytes)| ruler.straddles(start, bytes)).count();
        let mut cost = Fault::Straddle.cost() * straddling as u64;
        for (at, &(first, last)) in spans.iter().enumerate() {
            for (other, &(low, high)) in spans.iter().enumerate().skip(at + 1) {
                if first <= high && low <= last {
                    cost += self.clash[at][other];
                }
                let ends = |block: usize| starts[block] + self.bytes[block];
                if starts[at] < ends(other) && starts[other] < ends(at) {
                    cost += Fault::Overlap.cost();
                }
            }
        }
        Layout { cost, starts }
    }

    /// Blocks larger than a bank.
    fn large(&self, ruler: Ruler) -> Vec<usize> {
        (0..self.bytes.len()).filter(|&block| self.bytes[block] > ruler.bank).collect()
    }

    /// Places the blocks one after the other, large ones first. Fits whenever the sum is at most a
    /// module.
    pub(super) fn in_sequence(&self, ruler: Ruler) -> Layout {
        let mut order: Vec<usize> = (0..self.bytes.len()).collect();
        order.sort_by_key(|&block| (u64::MAX - self.bytes[block], block));
        let (mut starts, mut next) = (vec![0; order.len()], 0);
        for block in order {
            starts[block] = next;
            next += self.bytes[block];
        }
        self.at(ruler, starts)
    }
}

/// The best layout found with `nodes` search nodes for each number of straddling blocks. Returns
/// None when every layout costs at least `limit`.
pub(super) fn pack(ruler: Ruler, contents: &Contents, limit: u64, nodes: u64) -> Option<Layout> {
    if contents.stated.iter().any(Option::is_some) {
        return around::pack(ruler, contents, nodes).filter(|layout| layout.cost < limit);
    }
    let large = contents.large(ruler);
    let boundaries = ruler.banks.saturating_sub(1).saturating_sub(large.len());
    for straddling in 0..=boundaries {
        if Fault::Straddle.cost() * straddling as u64 >= limit {
            return None;
        }
        let sets = loose_sets(contents, &large, straddling);
        let mut best: Option<Layout> = None;
        let share = (nodes / sets.len().max(1) as u64).max(64);
        for loose in &sets {
            let crossing: Vec<usize> = large.iter().chain(loose).copied().collect();
            let limit = best.as_ref().map_or(limit, |best| best.cost);
            best = pack_with(ruler, contents, &crossing, limit, share).or(best);
        }
        if best.is_some() {
            return best;
        }
    }
    Some(contents.in_sequence(ruler)).filter(|layout| layout.cost < limit)
}

/// Sets of `count` blocks that are not `large`. Of several sets with the same sizes it returns one.
fn loose_sets(contents: &Contents, large: &[usize], count: usize) -> Vec<Vec<usize>> {
    let mut small: Vec<usize> = (0..contents.bytes.len()).filter(|block| !large.contains(block)).collect();
    small.sort_by_key(|&block| (contents.bytes[block], block));
    let mut sets: Vec<Vec<usize>> = vec![Vec::new()];
    for _ in 0..count {
        let mut grown: Vec<Vec<usize>> = Vec::new();
        for set in &sets {
            let after = set.last().and_then(|last| small.iter().position(|block| block == last));
            let mut size = None;
            for &block in &small[after.map_or(0, |at| at + 1)..] {
                if size.replace(contents.bytes[block]) != Some(contents.bytes[block]) {
                    grown.push(set.iter().copied().chain([block]).collect());
                }
            }
        }
        sets = grown;
    }
    sets
}

/// The best layout in which only the given blocks may continue from bank to bank.
fn pack_with(
    ruler: Ruler,
    contents: &Contents,
    crossing: &[usize],
    limit: u64,
    nodes: u64,
) -> Option<Layout> {
    let degree = |block: usize| contents.clash[block].iter().sum::<u64>();
    let mut order: Vec<usize> = (0..contents.bytes.len()).filter(|block| !crossing.contains(block)).collect();
    order.sort_by_key(|&block| (u64::MAX - contents.bytes[block], u64::MAX - degree(block), block));
    let arrangements = arrangements(crossing, ruler.banks, &contents.fixed);
    let share = (nodes / arrangements.len().max(1) as u64).max(64);
    let mut search = Search {
        ruler,
        contents,
        order,
        crossing: vec![None; ruler.banks],
        held: vec![Vec::new(); ruler.banks],
        best: None,
        limit,
        nodes: 0,
    };
    for arrangement in arrangements {
        (search.crossing, search.nodes) = (arrangement, share);
        if search.starts().is_some() {
            search.descend(0, 0);
        }
    }
    search.best
}

/// All ways to let each block of `crossing` begin in a bank of its own: for each bank the block
/// that continues from it, if any.
fn arrangements(crossing: &[usize], banks: usize, fixed: &[Option<usize>]) -> Vec<Vec<Option<usize>>> {
    let mut all = vec![vec![None; banks]];
    for &block in crossing {
        let put = |before: &Vec<Option<usize>>| {
            let may = |bank: usize| before[bank].is_none() && fixed[block].is_none_or(|fixed| fixed == bank);
            let free: Vec<usize> = (0..banks).filter(|&bank| may(bank)).collect();
            let with = |bank: usize| {
                let mut after = before.clone();
                after[bank] = Some(block);
                after
            };
            free.into_iter().map(with).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(put).collect();
    }
    all
}

/// Branch and bound over the banks of the blocks that lie inside one.
struct Search<'a> {
    ruler: Ruler,
    contents: &'a Contents,
    /// Blocks inside one bank, in the order of assignment.
    order: Vec<usize>,
    /// The block that continues from each bank, if any.
    crossing: Vec<Option<usize>>,
    /// The blocks in each bank so far.
    held: Vec<Vec<usize>>,
    best: Option<Layout>,
    /// A layout must cost less than this.
    limit: u64,
    /// Remaining nodes.
    nodes: u64,
}

impl Search<'_> {
    /// Assigns the blocks from `depth` on to banks. The earlier blocks cost `cost` among each
    /// other.
    fn descend(&mut self, depth: usize, cost: u64) {
        if cost >= self.limit || self.nodes == 0 {
            return;
        }
        self.nodes -= 1;
        let Some(&block) = self.order.get(depth) else {
            let layout = self.starts().map(|starts| self.contents.at(self.ruler, starts));
            if let Some(layout) = layout.filter(|layout| layout.cost < self.limit) {
                self.limit = layout.cost;
                self.best = Some(layout);
            }
            return;
        };
        let fixed = &self.contents.fixed;
        let is_open = self.crossing.iter().all(Option::is_none) && fixed.iter().all(Option::is_none);
        let empty = self.held.iter().position(Vec::is_empty);
        // Empty banks without continuing blocks are interchangeable.
        let differs = |bank: &usize| !is_open || !self.held[*bank].is_empty() || Some(*bank) == empty;
        let added =
            |bank: usize| self.held[bank].iter().map(|&other| self.contents.clash[block][other]).sum();
        let mut choices: Vec<(u64, usize)> =
            (0..self.ruler.banks).filter(differs).map(|bank| (added(bank), bank)).collect();
        choices.retain(|&(_, bank)| fixed[block].is_none_or(|fixed| fixed == bank));
        choices.sort_unstable();
        for (added, bank) in choices {
            self.held[bank].push(block);
            if self.starts().is_some() {
                self.descend(depth + 1, cost + added);
            }
            self.held[bank].pop();
        }
    }

    /// The offsets of the blocks with a bank so far, 0 for the rest. Returns None when they do not
    /// fit.
    fn starts(&self) -> Option<Vec<u64>> {
        let mut starts = vec![0; self.contents.bytes.len()];
        let mut next = 0;
        for (bank, (held, crossing)) in (0..).zip(self.held.iter().zip(&self.crossing)) {
            let (begin, end) = (self.ruler.bank * bank, self.ruler.bank * (bank + 1));
            let mut at = begin.max(next);
            for &block in held {
                starts[block] = at;
                at += self.contents.bytes[block];
            }
            if !held.is_empty() && at > end || crossing.is_some() && at >= end {
                return None;
            }
            if let &Some(block) = crossing {
                starts[block] = at;
                at += self.contents.bytes[block];
            }
            if !held.is_empty() || crossing.is_some() {
                next = at;
            }
        }
        (next <= self.ruler.module()).then_some(starts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const RULER: Ruler = Ruler { bank: 8, banks: 4 };

    /// Checks that no two blocks overlap or leave the module.
    fn is_legal(contents: &Contents, layout: &Layout) -> bool {
        let ends = |block: usize| layout.starts[block] + contents.bytes[block];
        let blocks = 0..contents.bytes.len();
        blocks.clone().all(|a| {
            ends(a) <= 32
                && blocks
                    .clone()
                    .all(|b| a == b || ends(a) <= layout.starts[b] || ends(b) <= layout.starts[a])
        })
    }

    /// The least cost over all offsets (exhaustive).
    fn least(contents: &Contents, starts: &mut Vec<u64>) -> Option<u64> {
        let block = starts.len();
        if block == contents.bytes.len() {
            return Some(contents.at(RULER, starts.clone()).cost);
        }
        let mut best: Option<u64> = None;
        for start in 0..=32 - contents.bytes[block] {
            let end = start + contents.bytes[block];
            let free = starts.iter().zip(&contents.bytes).all(|(&s, &bytes)| end <= s || s + bytes <= start);
            if free {
                starts.push(start);
                best = best.into_iter().chain(least(contents, starts)).min();
                starts.pop();
            }
        }
        best
    }

    fn contents(bytes: &[u64], clashes: &[(usize, usize, u64)]) -> Contents {
        let mut clash = vec![vec![0; bytes.len()]; bytes.len()];
        for &(a, b, cost) in clashes.iter().filter(|(a, b, _)| a != b && a.max(b) < &bytes.len()) {
            clash[a][b] += cost;
            clash[b][a] += cost;
        }
        Contents {
            bytes: bytes.to_vec(),
            clash,
            fixed: vec![None; bytes.len()],
            stated: vec![None; bytes.len()],
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(256))]

        #[test]
        fn no_offsets_cost_less(
            bytes in prop::collection::vec(1_u64..14, 1..5),
            clashes in prop::collection::vec((0_usize..5, 0_usize..5, 1_u64..9), 0..8),
        ) {
            let contents = contents(&bytes, &clashes);
            if bytes.iter().sum::<u64>() <= 32 {
                let found = pack(RULER, &contents, u64::MAX, 1 << 20).expect("it fits in sequence");
                prop_assert!(is_legal(&contents, &found), "{found:?}");
                prop_assert_eq!(found.cost, contents.at(RULER, found.starts.clone()).cost);
                let least = least(&contents, &mut Vec::new()).expect("it fits");
                // The number of straddling blocks is minimal. The clash cost is minimal when none
                // straddles.
                prop_assert_eq!(found.cost / Fault::Straddle.cost(), least / Fault::Straddle.cost(), "{:?}", found);
                if found.cost < Fault::Straddle.cost() && bytes.iter().all(|&b| b <= 8) {
                    prop_assert_eq!(found.cost, least, "{:?}", found);
                }
            }
        }

        /// Many blocks: what first fit packs without straddling must be packed without straddling.
        #[test]
        fn what_first_fit_packs_is_packed(bytes in prop::collection::vec(1_u64..9, 1..20)) {
            let mut sorted = bytes.clone();
            sorted.sort_unstable_by(|a, b| b.cmp(a));
            let mut banks = [8_u64; 4];
            let fits = sorted.iter().all(|&bytes| {
                let bank = banks.iter_mut().find(|room| **room >= bytes);
                bank.map(|room| *room -= bytes).is_some()
            });
            if fits {
                let contents = contents(&bytes, &[]);
                let found = pack(RULER, &contents, u64::MAX, 400).expect("there is a layout");
                prop_assert!(is_legal(&contents, &found) && found.cost == 0, "{found:?}");
            }
        }
    }

    #[test]
    fn blocks_that_clash_part_and_a_large_one_leaves_them_room() {
        // Two inputs of two buffers each, and a stack larger than a bank.
        let pairs = [(0, 2, 9), (0, 3, 9), (1, 2, 9), (1, 3, 9)];
        let contents = contents(&[2, 2, 2, 2, 12], &pairs);
        let found = pack(RULER, &contents, u64::MAX, 1 << 16).expect("it fits");
        assert_eq!(found.cost, 0, "{found:?}");
    }

    #[test]
    fn what_goes_last_ends_with_its_bank_and_large_blocks_stay() {
        let blocks = [(2, true), (3, false), (1, false), (12, true)];
        assert_eq!(RULER.with_last(&blocks, &[0, 2, 5, 8]), [6, 0, 3, 8]);
    }

    #[test]
    fn five_blocks_of_three_quarters_of_a_bank_straddle_twice() {
        let found = pack(RULER, &contents(&[6; 5], &[]), u64::MAX, 1 << 16).expect("it fits in sequence");
        assert_eq!(found.cost, 2 * Fault::Straddle.cost());
        assert_eq!(pack(RULER, &contents(&[6; 5], &[]), 2 * Fault::Straddle.cost(), 1 << 16), None);
    }
}
