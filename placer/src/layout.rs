//! Bank layout of the blocks of one module, by branch and bound.
//!
//! Takes the bytes of each block, the cost of two blocks in one bank, and the banks and offsets
//! that the design states. Returns offsets at which no block that fits a bank straddles two, if
//! such offsets exist, with the least cost found within the work limit. Otherwise as few blocks
//! straddle as were found.
//!
//! Blocks at stated offsets leave gaps, and borders of banks cut the gaps into segments. Every
//! packing can be pushed to the left: in each segment the blocks that lie inside it come first,
//! then at most one block that continues into the next segments. The search therefore assigns each
//! block to a segment, and decides whether it lies inside or continues.

use std::cmp::Reverse;

use aiec_device::Device;
use aiec_ir::blocks::Within;

/// What costs something in a bank or a module, the cheapest first. Each costs 64 of the one before.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Fault {
    /// A stack and a buffer of its core in one bank.
    Stack,
    /// An input and an output of a kernel in one bank.
    Across,
    /// Ping and pong of a port in one bank: the DMA fills one while the kernel reads the other. Of
    /// 328 pairs in public mapping reports none shares a bank.
    Halves,
    /// A part by DMA in a module that is farther from the other ends of its net than another.
    Farther,
    /// Two inputs in one bank that a kernel may read in one expression. A core loads twice per
    /// cycle (AM009). The windows from the children of a collective are such inputs, and so is a
    /// rank's own data if it arrives by a window.
    Inputs,
    /// A block that lies in two banks although one could hold it.
    Straddle,
    /// Buffers of two ports in one bank that the design keeps apart.
    Apart,
    /// Two blocks that overlap, since the design states offsets that leave them no room.
    Overlap,
}

impl Fault {
    /// 64 faults of one kind cost as much as one of the next.
    pub(crate) const fn cost(self) -> u64 {
        1 << (6 * self as u32)
    }
}

/// The banks of a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ruler {
    /// Bytes of a bank.
    pub(crate) bank: u64,
    /// Number of banks of a module.
    pub(crate) banks: usize,
}

impl Ruler {
    /// The banks of a module. A single bank when the alignment does not divide the bank size.
    pub(crate) fn of(device: &Device) -> Self {
        let memory = &device.memory;
        let bank = memory.bank_bytes();
        if bank > 0 && bank.is_multiple_of(memory.buffer_alignment.max(1)) {
            Self { bank: bank.into(), banks: memory.banks as usize }
        } else {
            Self { bank: memory.module_bytes.into(), banks: 1 }
        }
    }

    /// The first and the last bank of a block.
    pub(crate) const fn span(self, start: u64, bytes: u64) -> (u64, u64) {
        let last = if bytes == 0 { start } else { start + bytes - 1 };
        (start / self.bank, last / self.bank)
    }

    /// True if a block that one bank could hold lies in two.
    pub(crate) const fn straddles(self, start: u64, bytes: u64) -> bool {
        let (first, last) = self.span(start, bytes);
        bytes <= self.bank && first != last
    }

    pub(crate) const fn module(self) -> u64 {
        self.bank * self.banks as u64
    }

    /// The offsets of blocks, with those that go last moved to the end of their bank. Each has its
    /// bytes, and true if it goes last. Banks with a block that also lies in another bank stay
    /// unchanged.
    pub(crate) fn with_last(self, blocks: &[(u64, bool)], starts: &[u64]) -> Vec<u64> {
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

/// What the design states of a block's position in its module.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Stated {
    /// The bank in which it begins.
    pub(crate) bank: Option<usize>,
    /// Its offset in bytes.
    pub(crate) at: Option<u64>,
}

impl Stated {
    /// What one statement says.
    pub(crate) fn of(within: Within) -> Self {
        match within {
            Within::Module => Self::default(),
            Within::Bank(bank) => Self { bank: Some(bank as usize), at: None },
            Within::Offset(at) => Self { bank: None, at: Some(at.into()) },
        }
    }

    /// This and what another statement adds.
    pub(crate) fn or(self, other: Self) -> Self {
        Self { bank: self.bank.or(other.bank), at: self.at.or(other.at) }
    }

    /// True if nothing is stated.
    pub(crate) fn is_free(self) -> bool {
        self == Self::default()
    }
}

/// The blocks of a module.
#[derive(Clone, Debug)]
pub(crate) struct Contents {
    /// Bytes of each block, multiples of the alignment.
    pub(crate) bytes: Vec<u64>,
    /// What two blocks cost in one bank.
    pub(crate) clash: Vec<Vec<u64>>,
    /// What the design states of each block's position.
    pub(crate) stated: Vec<Stated>,
}

/// Offsets and their cost.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Layout {
    pub(crate) cost: u64,
    /// The offset of each block, in bytes.
    pub(crate) starts: Vec<u64>,
}

impl Layout {
    /// True if two blocks overlap: the design states offsets that leave them no room.
    pub(crate) const fn overlaps(&self) -> bool {
        self.cost >= Fault::Overlap.cost()
    }
}

impl Contents {
    /// The layout with these offsets, and its cost.
    pub(crate) fn at(&self, ruler: Ruler, starts: Vec<u64>) -> Layout {
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

    /// The free bytes of each bank around the blocks at stated offsets.
    fn segments(&self, ruler: Ruler) -> Vec<Segment> {
        let blocks = self.stated.iter().zip(&self.bytes);
        let mut taken: Vec<(u64, u64)> =
            blocks.filter_map(|(stated, bytes)| stated.at.map(|start| (start, start + bytes))).collect();
        taken.sort_unstable();
        taken.push((ruler.module(), ruler.module()));
        let (mut segments, mut begin) = (Vec::new(), 0);
        for (taken, after) in taken {
            while begin < taken {
                let bank = begin / ruler.bank;
                let end = (ruler.bank * (bank + 1)).min(taken);
                segments.push(Segment { bank, begin, end, taken, inside: Vec::new(), crossing: None });
                begin = end;
            }
            begin = begin.max(after);
        }
        segments
    }

    /// Places the blocks one after the other, large ones first. Fits whenever the sum is at most a
    /// module and no block has a stated offset.
    fn in_sequence(&self, ruler: Ruler) -> Layout {
        let mut order: Vec<usize> = (0..self.bytes.len()).collect();
        order.sort_by_key(|&block| (u64::MAX - self.bytes[block], block));
        let (mut starts, mut next) = (vec![0; order.len()], 0);
        for block in order {
            starts[block] = self.stated[block].at.unwrap_or(next);
            next += self.bytes[block];
        }
        self.at(ruler, starts)
    }
}

/// The best layout found with `nodes` search nodes for each number of straddling blocks. Returns
/// None when every layout costs at least `limit`.
pub(crate) fn pack(ruler: Ruler, contents: &Contents, limit: u64, nodes: u64) -> Option<Layout> {
    let search = Search::new(ruler, contents, limit, nodes);
    for straddling in 0..=search.straddling {
        if Fault::Straddle.cost() * straddling as u64 >= limit {
            return None;
        }
        let best = Search { straddling, ..search.clone() }.run();
        if best.is_some() {
            return best;
        }
    }
    let any = fitted(ruler, contents, nodes).unwrap_or_else(|| contents.in_sequence(ruler));
    Some(any).filter(|layout| layout.cost < limit)
}

/// The first layout without overlaps that `nodes` search nodes find; any blocks may straddle.
pub(crate) fn fitted(ruler: Ruler, contents: &Contents, nodes: u64) -> Option<Layout> {
    Search { is_first: true, ..Search::new(ruler, contents, u64::MAX, nodes) }.run()
}

/// Free bytes of a bank, and the blocks that begin there so far.
#[derive(Clone, Debug)]
struct Segment {
    bank: u64,
    begin: u64,
    end: u64,
    /// The next byte after `begin` that is taken, in this bank or a later one.
    taken: u64,
    /// Blocks inside, from left to right.
    inside: Vec<usize>,
    /// The block that continues into the next segments, if any.
    crossing: Option<usize>,
}

/// Branch and bound over the segments of the blocks without stated offset.
#[derive(Clone)]
struct Search<'a> {
    ruler: Ruler,
    contents: &'a Contents,
    /// Blocks in the order of assignment.
    order: Vec<usize>,
    segments: Vec<Segment>,
    /// The bank in which each block begins, if it has an offset or a segment.
    bank: Vec<Option<u64>>,
    /// Remaining number of blocks that may straddle.
    straddling: usize,
    /// True if empty segments are interchangeable: all are whole banks, the design states none, and
    /// no block continues.
    are_alike: bool,
    /// True if any layout will do.
    is_first: bool,
    best: Option<Layout>,
    /// A layout must cost less than this.
    limit: u64,
    /// Remaining nodes.
    nodes: u64,
}

impl<'a> Search<'a> {
    /// A search in which as many blocks may straddle as there are borders for them.
    fn new(ruler: Ruler, contents: &'a Contents, limit: u64, nodes: u64) -> Self {
        let all = (0..contents.bytes.len()).filter(|&block| contents.stated[block].at.is_none());
        let mut order: Vec<usize> = all.collect();
        let degree = |block: usize| contents.clash[block].iter().sum::<u64>();
        order.sort_by_key(|&block| (Reverse(contents.bytes[block]), Reverse(degree(block)), block));
        let segments = contents.segments(ruler);
        let large = order.iter().filter(|&&block| contents.bytes[block] > ruler.bank).count();
        let bank_of = |stated: &Stated| stated.at.map(|start| start / ruler.bank);
        Self {
            straddling: segments.len().saturating_sub(1).saturating_sub(large),
            are_alike: large == 0 && contents.stated.iter().all(|stated| stated.is_free()),
            bank: contents.stated.iter().map(bank_of).collect(),
            ruler,
            contents,
            order,
            segments,
            is_first: false,
            best: None,
            limit,
            nodes,
        }
    }

    /// Searches. Returns the best layout found.
    fn run(mut self) -> Option<Layout> {
        self.are_alike &= self.straddling == 0;
        self.descend(0, 0);
        self.best
    }

    /// Assigns the blocks from `depth` on to segments. The earlier blocks cost `cost` so far.
    fn descend(&mut self, depth: usize, cost: u64) {
        if cost >= self.limit || self.nodes == 0 {
            return;
        }
        self.nodes -= 1;
        let Some(&block) = self.order.get(depth) else {
            let layout = self.starts().map(|starts| self.contents.at(self.ruler, starts));
            if let Some(layout) = layout.filter(|layout| layout.cost < self.limit) {
                self.limit = if self.is_first { 0 } else { layout.cost };
                self.best = Some(layout);
            }
            return;
        };
        let choices = self.choices(block);
        // The first place of a large block must not take all nodes.
        let is_large = self.contents.bytes[block] > self.ruler.bank;
        let share = if is_large { self.nodes / choices.len().max(1) as u64 } else { self.nodes };
        for (added, at, crosses) in choices {
            let straddles = usize::from(crosses && !is_large);
            let segment = &mut self.segments[at];
            let (bank, inside) = (segment.bank, segment.inside.len());
            if crosses {
                segment.crossing = Some(block)
            } else {
                segment.inside.push(block)
            }
            self.bank[block] = Some(bank);
            self.straddling -= straddles;
            if self.starts().is_some() {
                let kept = self.nodes.saturating_sub(share);
                self.nodes -= kept;
                self.descend(depth + 1, cost + added);
                self.nodes += kept;
            }
            self.straddling += straddles;
            self.bank[block] = None;
            let segment = &mut self.segments[at];
            segment.inside.truncate(inside);
            segment.crossing = segment.crossing.filter(|_| !crosses);
        }
    }

    /// The segments for `block`, the cheapest first, each with the added cost and true if the block
    /// continues from there. A block larger than a bank must continue; another one may where blocks
    /// straddle, unless the design states its bank.
    fn choices(&self, block: usize) -> Vec<(u64, usize, bool)> {
        let is_large = self.contents.bytes[block] > self.ruler.bank;
        let fixed = self.contents.stated[block].bank;
        let empty = self.segments.iter().position(|segment| segment.inside.is_empty());
        let mut choices = Vec::new();
        for (at, segment) in self.segments.iter().enumerate() {
            let is_copy = self.are_alike && segment.inside.is_empty() && Some(at) != empty;
            if is_copy || fixed.is_some_and(|fixed| fixed as u64 != segment.bank) {
                continue;
            }
            let beside = self.bank.iter().zip(&self.contents.clash[block]);
            let added: u64 =
                beside.filter(|(bank, _)| **bank == Some(segment.bank)).map(|(_, cost)| cost).sum();
            choices.extend((!is_large).then_some((added, at, false)));
            let may_straddle = self.straddling > 0 && fixed.is_none();
            if (is_large || may_straddle) && segment.crossing.is_none() && segment.taken > segment.end {
                let straddle = if is_large { 0 } else { Fault::Straddle.cost() };
                choices.push((added + straddle, at, true));
            }
        }
        choices.sort_unstable();
        choices
    }

    /// The offsets of the blocks with a segment so far, 0 for the rest, if they fit.
    fn starts(&self) -> Option<Vec<u64>> {
        let mut starts: Vec<u64> = self.contents.stated.iter().map(|stated| stated.at.unwrap_or(0)).collect();
        let mut next = 0;
        for segment in &self.segments {
            let mut at = segment.begin.max(next);
            for &block in &segment.inside {
                starts[block] = at;
                at += self.contents.bytes[block];
            }
            if !segment.inside.is_empty() && at > segment.end {
                return None;
            }
            if let Some(block) = segment.crossing {
                starts[block] = at;
                let begins_here = at < segment.end;
                at += self.contents.bytes[block];
                if !begins_here || at > segment.taken {
                    return None;
                }
            }
            next = at;
        }
        Some(starts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const RULER: Ruler = Ruler { bank: 8, banks: 4 };

    /// Checks that no two blocks overlap or leave the module, and that stated offsets are kept.
    fn is_legal(contents: &Contents, layout: &Layout) -> bool {
        let ends = |block: usize| layout.starts[block] + contents.bytes[block];
        let blocks = 0..contents.bytes.len();
        let keeps = |block: usize| contents.stated[block].at.is_none_or(|at| at == layout.starts[block]);
        blocks.clone().all(|a| {
            ends(a) <= 32
                && keeps(a)
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
        Contents { bytes: bytes.to_vec(), clash, stated: vec![Stated::default(); bytes.len()] }
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

        /// Blocks of a hidden layout, some at their offsets: a layout is found, and keeps these.
        #[test]
        fn a_layout_that_exists_is_found(
            bytes in prop::collection::vec(1_u64..7, 1..6),
            fixed in prop::collection::vec(any::<bool>(), 6),
        ) {
            let ends = bytes.iter().scan(0, |end, bytes| { *end += bytes; Some(*end) });
            let starts = ends.zip(&bytes).map(|(end, bytes)| end - bytes);
            let stated = starts.zip(fixed).map(|(start, fixed)| Stated { bank: None, at: fixed.then_some(start) }).collect();
            let contents = Contents { stated, ..contents(&bytes, &[]) };
            let found = pack(RULER, &contents, u64::MAX, 1 << 16).expect("a layout");
            prop_assert!(is_legal(&contents, &found), "{:?} {:?}", found, contents.stated);
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
