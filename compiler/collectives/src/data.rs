//! The data of a call: which elements each rank hands over, and what each rank gets by definition.

use std::ops::Range;

use super::value::{Expected, Value, reduce_element};
use super::{Plan, Rank, ReduceOp, ReferenceError, WindowType};

/// Where the blocks of a gather or scatter lie in the root's array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Elements of each rank's block.
    pub counts: Vec<u32>,
    /// The first element of each.
    pub firsts: Vec<u32>,
    /// Elements side by side; 0 if all of a block are.
    pub run: u32,
    /// From the first of these to the first of the next ones.
    pub stride: u32,
}

impl Layout {
    /// Where element `i` of the block of `rank` lies.
    pub fn position(&self, rank: Rank, i: u32) -> u64 {
        let first = u64::from(self.firsts.get(rank.index()).copied().unwrap_or(0));
        match i.checked_div(self.run) {
            None => first + u64::from(i),
            Some(run) => first + u64::from(run) * u64::from(self.stride) + u64::from(i % self.run),
        }
    }

    /// Elements the root's array must have.
    pub fn elements(&self) -> u64 {
        let ends = (0..).map(Rank).zip(&self.counts).map(|(rank, &count)| match count.checked_sub(1) {
            Some(last) => self.position(rank, last) + 1,
            None => 0,
        });
        ends.max().unwrap_or(0)
    }

    /// Two ranks whose blocks share an element, and the element: the first that is shared.
    pub fn overlap(&self) -> Option<(Rank, Rank, u64)> {
        let runs = (0..).map(Rank).zip(&self.counts).flat_map(|(rank, &count)| {
            let run = if self.run == 0 { count.max(1) } else { self.run };
            (0..count).step_by(run as usize).map(move |i| {
                let first = self.position(rank, i);
                (first, first + u64::from(run.min(count - i)), rank)
            })
        });
        let mut runs: Vec<(u64, u64, Rank)> = runs.collect();
        runs.sort_unstable();
        runs.windows(2).find(|pair| pair[1].0 < pair[0].1).map(|pair| {
            let ranks = (pair[0].2.min(pair[1].2), pair[0].2.max(pair[1].2));
            (ranks.0, ranks.1, pair[1].0)
        })
    }

    /// True if every rank has as many elements, side by side.
    pub fn is_uniform(&self) -> bool {
        self.run == 0 && self.counts.windows(2).all(|pair| pair[0] == pair[1])
    }
}

/// The arrays of a call.
#[derive(Clone, Copy, Debug)]
pub struct Data<'a> {
    /// The plan of the collective.
    pub plan: &'a Plan,
    /// The block that a rank contributes or gets.
    pub window: WindowType,
    /// Where the blocks lie in the root's array, if the operation lays them out.
    pub layout: Option<&'a Layout>,
}

impl Data<'_> {
    /// Elements of the arrays that `rank` hands to a call: what it reads and, apart from that, what
    /// it writes.
    pub fn arrays(&self, rank: Rank) -> (u64, u64) {
        (self.plan.row().arrays)(self, rank)
    }

    pub(crate) const fn is_root(&self, rank: Rank) -> bool {
        rank.0 == self.plan.root.0
    }

    /// Elements of a block.
    pub(crate) fn block(&self) -> u64 {
        self.window.elements.into()
    }

    pub(crate) fn ranks(&self) -> u64 {
        self.plan.size.into()
    }

    /// Elements of the block of one rank.
    pub(crate) fn own(&self, rank: Rank) -> u64 {
        let count = |layout: &Layout| layout.counts.get(rank.index()).copied().unwrap_or(0).into();
        self.layout.map_or_else(|| self.block(), count)
    }

    /// Elements of the root's array.
    pub(crate) fn whole(&self) -> u64 {
        self.layout.map_or_else(|| self.block() * self.ranks(), Layout::elements)
    }

    fn position(&self, rank: Rank, i: usize) -> usize {
        let position = match self.layout {
            Some(layout) => layout.position(rank, narrow(i)),
            None => u64::from(rank.0) * self.block() + i as u64,
        };
        usize::try_from(position).unwrap_or(usize::MAX)
    }
}

/// What a rank has after a call.
pub(crate) type Found = Result<Vec<Expected>, ReferenceError>;

/// One call, with what every rank hands over, as MPI defines it. No shape, step or window occurs
/// here, so that an error in one of those cannot hide.
#[derive(Debug)]
pub struct Definition<'a> {
    /// The arrays that ranks hand over.
    pub data: Data<'a>,
    /// The operator, if the operation combines.
    pub op: Option<ReduceOp>,
    /// The elements that each rank hands over, in rank order.
    pub given: &'a [Vec<Value>],
}

impl Definition<'_> {
    /// What each rank has afterwards. An entry is None when the rank gets nothing.
    ///
    /// # Errors
    /// A value is not of the element type.
    pub fn results(&self) -> Result<Vec<Option<Vec<Expected>>>, ReferenceError> {
        let result = self.data.plan.row().result;
        Rank::all(narrow(self.given.len())).map(|rank| result(self, rank).transpose()).collect()
    }

    pub(crate) fn root(&self) -> Rank {
        self.data.plan.root
    }

    pub(crate) fn is_root(&self, rank: Rank) -> bool {
        rank == self.root()
    }

    pub(crate) const fn ranks(&self) -> usize {
        self.given.len()
    }

    const fn block(&self) -> usize {
        self.data.window.elements as usize
    }

    /// Block `block` of some ranks combined in rank order.
    pub(crate) fn combined(
        &self,
        ranks: Range<usize>,
        block: usize,
    ) -> Result<Vec<Expected>, ReferenceError> {
        let op = self.op.ok_or(ReferenceError::Kind)?;
        let element = self.data.window.element;
        let ranks = &self.given[ranks];
        let elements = block * self.block()..(block + 1) * self.block();
        elements.map(|i| reduce_element(op, element, ranks.iter().map(move |r| r[i]))).collect()
    }

    /// The data of one rank.
    pub(crate) fn of_rank(&self, rank: Rank) -> Vec<Expected> {
        exact(self.given[rank.index()].iter().copied())
    }

    /// The data of all ranks, one after the other.
    pub(crate) fn all(&self) -> Vec<Expected> {
        exact(self.given.iter().flatten().copied())
    }

    /// Block `block` of each rank.
    pub(crate) fn block_of_all(&self, block: usize) -> Vec<Expected> {
        let blocks =
            self.given.iter().flat_map(|values| &values[block * self.block()..(block + 1) * self.block()]);
        exact(blocks.copied())
    }

    /// The root's array; elements that no rank sends may be anything.
    pub(crate) fn gathered(&self) -> Vec<Expected> {
        let mut found = vec![Expected::Anything; usize::try_from(self.data.whole()).unwrap_or(0)];
        for (rank, values) in (0..).map(Rank).zip(self.given) {
            for (i, &value) in values.iter().enumerate() {
                if let Some(place) = found.get_mut(self.data.position(rank, i)) {
                    *place = Expected::exactly(value);
                }
            }
        }
        found
    }

    /// The block of `rank` in the root's array.
    pub(crate) fn scattered(&self, rank: Rank) -> Vec<Expected> {
        let whole = &self.given[self.root().index()];
        let count = usize::try_from(self.data.own(rank)).unwrap_or(0);
        exact((0..count).filter_map(|i| whole.get(self.data.position(rank, i)).copied()))
    }
}

fn narrow(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

fn exact(values: impl Iterator<Item = Value>) -> Vec<Expected> {
    values.map(Expected::exactly).collect()
}
