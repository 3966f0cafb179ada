//! The assignment of parts of FIFOs to memory modules: each gets one module, within the channels,
//! descriptors and bytes that are left there, on as short a way as possible.
//!
//! First each part takes the best module that still has room. If that is a best module of every
//! part, no other assignment is better. Otherwise an integer program looks for a better one.

use aiec_ilp::Solver;

use crate::program;

/// Modules near each part that the first integer program considers.
const NEAREST: usize = 8;
/// Limit on the variables of an integer program.
const MOST_VARIABLES: usize = 8_000;

/// A column and a row of the array, of which row 0 is the interface row.
pub(crate) type Position = (i64, i64);

/// Links between switches on a shortest way.
pub(crate) fn hops(from: Position, to: Position) -> u64 {
    from.0.abs_diff(to.0) + from.1.abs_diff(to.1)
}

/// Free bytes of a module in one piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Gap {
    /// The first byte.
    pub(crate) start: u64,
    /// The byte behind the last one.
    pub(crate) end: u64,
}

impl Gap {
    /// Bytes of the piece.
    pub(crate) const fn bytes(self) -> u64 {
        self.end.saturating_sub(self.start)
    }
}

/// What is left of a memory module and its DMA.
#[derive(Clone, Debug)]
pub(crate) struct Module {
    pub(crate) at: Position,
    /// Free pieces in the order of preference, each from a possible start of a FIFO on.
    pub(crate) gaps: Vec<Gap>,
    /// FIFOs for which the DMA has channels and descriptors left.
    pub(crate) fifos: usize,
    /// True if anything else lies here: of equally short ways, one over an empty module is better.
    pub(crate) is_used: bool,
}

/// A FIFO, or a part of one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    /// Bytes in one piece.
    pub(crate) bytes: u64,
    /// Where the data come from and where they go.
    pub(crate) ends: [Position; 2],
}

/// Parts and the modules that may hold them.
#[derive(Clone, Debug)]
pub(crate) struct Problem {
    pub(crate) modules: Vec<Module>,
    pub(crate) parts: Vec<Part>,
    /// Bytes of which an offset is a multiple.
    pub(crate) alignment: u64,
}

/// There is no assignment, or none was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Unplaced {
    /// The number of a part that found no room.
    pub(crate) part: usize,
    /// Modules with room for it alone.
    pub(crate) modules: usize,
    /// True if it is proved that there is none.
    pub(crate) proved: bool,
}

impl Problem {
    /// The module of each part and its offset there. Each assignment of least cost is as good.
    ///
    /// # Errors
    /// Fails with a part for which nothing is left.
    pub(crate) fn assign(&self, solver: &dyn Solver) -> Result<Vec<(usize, u64)>, Unplaced> {
        let lists: Vec<Vec<usize>> = (0..self.parts.len()).map(|part| self.candidates(part)).collect();
        if let Some(part) = lists.iter().position(Vec::is_empty) {
            return Err(Unplaced { part, modules: 0, proved: true });
        }
        let least: u64 = lists.iter().enumerate().map(|(part, list)| self.cost(part, list[0])).sum();
        let found = match self.one_by_one(&lists) {
            Ok(found) if self.total(&found) == least => found,
            Ok(found) => {
                let better = program::solve(self, &nearest(&lists, NEAREST), solver).found();
                let better = better.filter(|better| self.total(better) < self.total(&found));
                better.unwrap_or(found)
            }
            Err(part) => self.together(&lists, solver).map_err(|proved| Unplaced {
                part,
                modules: lists[part].len(),
                proved,
            })?,
        };
        Ok(self.offsets(&found))
    }

    /// Twice the hops on the way over a module, and one more if anything lies there.
    pub(crate) fn cost(&self, part: usize, module: usize) -> u64 {
        let (ends, module) = (self.parts[part].ends, &self.modules[module]);
        2 * ends.into_iter().map(|end| hops(end, module.at)).sum::<u64>() + u64::from(module.is_used)
    }

    fn total(&self, modules: &[usize]) -> u64 {
        modules.iter().enumerate().map(|(part, &module)| self.cost(part, module)).sum()
    }

    /// The modules with room for a part alone, the best first.
    fn candidates(&self, part: usize) -> Vec<usize> {
        let all = 0..self.modules.len();
        let mut found: Vec<usize> = all.filter(|&module| self.packed(module, &[part]).is_some()).collect();
        found.sort_by_key(|&module| (self.cost(part, module), self.modules[module].at, module));
        found
    }

    /// The offset of each of `parts` in a module that holds all of them, the largest first into the
    /// first piece with room. For two parts this finds room whenever there is any.
    pub(crate) fn packed(&self, module: usize, parts: &[usize]) -> Option<Vec<(usize, u64)>> {
        let module = &self.modules[module];
        if parts.len() > module.fifos {
            return None;
        }
        let (mut gaps, mut order) = (module.gaps.clone(), parts.to_vec());
        order.sort_by_key(|&part| (std::cmp::Reverse(self.parts[part].bytes), part));
        let put = |part: usize| {
            let bytes = self.parts[part].bytes;
            let gap = gaps.iter_mut().find(|gap| gap.bytes() >= bytes)?;
            let offset = gap.start;
            gap.start = (offset + bytes).next_multiple_of(self.alignment.max(1));
            Some((part, offset))
        };
        order.into_iter().map(put).collect()
    }

    /// Each part in turn takes the best module with room, the largest first.
    ///
    /// # Errors
    /// Returns the first part for which no module has room.
    fn one_by_one(&self, lists: &[Vec<usize>]) -> Result<Vec<usize>, usize> {
        let mut order: Vec<usize> = (0..self.parts.len()).collect();
        order.sort_by_key(|&part| (std::cmp::Reverse(self.parts[part].bytes), part));
        let mut here: Vec<Vec<usize>> = vec![Vec::new(); self.modules.len()];
        let mut found = vec![0; self.parts.len()];
        for part in order {
            let with = |module: usize| [here[module].as_slice(), &[part]].concat();
            let room = |&&module: &&usize| self.packed(module, &with(module)).is_some();
            let &module = lists[part].iter().find(room).ok_or(part)?;
            here[module].push(part);
            found[part] = module;
        }
        Ok(found)
    }

    /// An assignment of all parts, by integer programs over more and more modules.
    ///
    /// # Errors
    /// Returns true if it is proved that there is none.
    fn together(&self, lists: &[Vec<usize>], solver: &dyn Solver) -> Result<Vec<usize>, bool> {
        let longest = lists.iter().map(Vec::len).max().unwrap_or(0);
        let mut most = NEAREST;
        loop {
            let near = nearest(lists, most);
            if near.iter().map(|list| list.len()).sum::<usize>() > MOST_VARIABLES {
                return Err(false);
            }
            match program::solve(self, &near, solver) {
                program::Result::Found(found) => return Ok(found),
                program::Result::None if most >= longest => return Err(true),
                program::Result::Unknown if most >= longest => return Err(false),
                program::Result::None | program::Result::Unknown => most *= 2,
            }
        }
    }

    /// The modules with the offsets of all parts there.
    fn offsets(&self, found: &[usize]) -> Vec<(usize, u64)> {
        let here = |module: usize| {
            let parts = found.iter().enumerate().filter(move |(_, other)| **other == module);
            parts.map(|(part, _)| part).collect::<Vec<usize>>()
        };
        let offset = |(part, &module): (usize, &usize)| {
            let packed = self.packed(module, &here(module)).unwrap_or_default();
            let own = packed.into_iter().find(|(other, _)| *other == part);
            (module, own.map_or(0, |(_, offset)| offset))
        };
        found.iter().enumerate().map(offset).collect()
    }
}

/// The first modules of each list.
fn nearest(lists: &[Vec<usize>], most: usize) -> Vec<&[usize]> {
    lists.iter().map(|list| &list[..most.min(list.len())]).collect()
}
