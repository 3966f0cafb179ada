//! Positions that follow from those of other objects: blocks beside kernels, graphs placed alike.

use aiec_diag::Span;
use aiec_ir::blocks::{Anchor, Block, BlockTie};
use aiec_ir::constraints::{Area, Offset};
use aiec_ir::design::{Instance, Place};

use super::Adoption;
use crate::description::{self, GraphIndex, KernelIndex, Location, Subject};

impl Adoption<'_> {
    /// The tile of a kernel, or the module of a block, that the graph fixes, by itself or by
    /// distances from what it fixes.
    pub(super) fn fixed(&self, subject: Subject) -> Option<(i64, i64)> {
        match self.known(subject)? {
            Known::At(column, row) => Some((column, row)),
            Known::Beside(..) => None,
        }
    }

    /// The position `columns` and `rows` from that of an object.
    pub(super) fn beyond(&self, subject: Subject, columns: i64, rows: i64) -> Option<Known> {
        self.known(subject)?.shifted(columns, rows)
    }

    /// A kernel at a position that follows from a block: `location<kernel>(a) =
    /// location<stack>(b)`. The block follows the core if nothing fixes it.
    pub(super) fn core_beside(&mut self, kernel: Instance, at: Known, span: Span) -> Option<()> {
        let (to, columns, rows) = match at {
            Known::At(column, row) => {
                self.found.places.push(Place { instance: kernel, column, row, span });
                return Some(());
            }
            Known::Beside(to, columns, rows) => (to, columns, rows),
        };
        if let Subject::Kernel(other) = to {
            let from = self.kernel(other, span)?;
            let is_itself = (from.family, from.index) == (kernel.family, kernel.index);
            if !is_itself {
                self.found.constraints.offsets.push(Offset { kernel, from, columns, rows, span });
            }
            return (!is_itself || (columns, rows) == (0, 0)).then_some(());
        }
        let Anchor::Block(block) = self.anchor(to, span)? else { return None };
        let distance = Some((columns.checked_neg()?, rows.checked_neg()?));
        self.found.blocks.ties.push(BlockTie { block, from: Anchor::Core(kernel), distance, span });
        Some(())
    }

    /// What the graph says of the position of a kernel or block.
    fn known(&self, subject: Subject) -> Option<Known> {
        let mut known = Known::of(subject);
        let mut at = subject;
        let mut of_core = None;
        for _ in 0..LONGEST {
            if matches!(at, Subject::Kernel(_)) {
                of_core = Some(known);
            }
            match self.own(at).map(|one| one.places.as_slice()) {
                Some(
                    &[
                        description::Place::Tile { column, row }
                        | description::Place::Bank { column, row, .. }
                        | description::Place::Address { column, row, .. },
                    ],
                ) => return known.moved(column, row).map(|(column, row)| Known::At(column, row)),
                Some(&[description::Place::Shim { column, .. }]) => {
                    return known.moved(column, 0).map(|(column, row)| Known::At(column, row));
                }
                Some(&[description::Place::Relative { to, columns: Some(columns), rows }])
                    if rows.is_some() || matches!(at, Subject::External(_)) =>
                {
                    let rows = rows.unwrap_or(0);
                    let (column, row) = known.moved(columns, rows)?;
                    (known, at) = (Known::Beside(to, column, row), to);
                }
                _ => break,
            }
        }
        // A core says more than a block that follows it.
        let is_block = matches!(at, Subject::Stack(_) | Subject::Port(_) | Subject::Table(..));
        Some(of_core.filter(|_| is_block).unwrap_or(known))
    }

    /// The statement that says most of the position of an object. All those of a kernel, input or
    /// output hold, so a place goes before distances. The last one of a block replaces the others.
    fn own(&self, at: Subject) -> Option<&Location> {
        let mut all =
            self.description().locations.iter().rev().filter(|one| one.subject == at && is_point(one));
        if !matches!(at, Subject::Kernel(_) | Subject::External(_)) {
            return all.find(|one| !is_offset(one));
        }
        all.max_by_key(|one| match one.places.as_slice() {
            [description::Place::Relative { columns: Some(_), rows: Some(_), .. }] => 1,
            [description::Place::Relative { .. }] => 0,
            _ => 2,
        })
    }

    /// True for a relative place of a block that a later statement replaces: a graph may place the
    /// blocks of its members anew. Offsets add to such a place.
    pub(super) fn is_replaced(&self, location: &Location) -> bool {
        let is_block = matches!(location.subject, Subject::Stack(_) | Subject::Port(_) | Subject::Table(..));
        let is_relative = matches!(location.places.as_slice(), [description::Place::Relative { .. }]);
        let mut later =
            self.description().locations.iter().rev().take_while(|one| !std::ptr::eq(*one, location));
        is_block
            && is_relative
            && later.any(|one| one.subject == location.subject && is_point(one) && !is_offset(one))
    }

    /// The places of a block, with both distances from its own core. A core reaches modules in its
    /// row or in its column, so one step along an axis leaves the other distance no choice. UG1079
    /// ("Relative Constraints") leaves an omitted one open.
    pub(super) fn within_reach(
        &self,
        block: &Block<Instance, (Instance, u32)>,
        places: &[description::Place],
    ) -> Vec<description::Place> {
        let complete = |place: &description::Place| match *place {
            description::Place::Relative { to, columns, rows } if self.is_own_core(block, to) => {
                let (columns, rows) = match (columns, rows) {
                    (Some(step @ (-1 | 1)), None) => (Some(step), Some(0)),
                    (None, Some(step @ (-1 | 1))) => (Some(0), Some(step)),
                    stated => stated,
                };
                description::Place::Relative { to, columns, rows }
            }
            _ => place.clone(),
        };
        places.iter().map(complete).collect()
    }

    /// True for the kernel that has the block.
    fn is_own_core(&self, block: &Block<Instance, (Instance, u32)>, to: Subject) -> bool {
        let (Block::Stack(of) | Block::Buffers((of, _))) = block;
        let Subject::Kernel(kernel) = to else { return false };
        let own = self.instances.get(kernel.0 as usize);
        own.is_some_and(|one| (one.family, one.index) == (of.family, of.index))
    }

    /// The distance of a block from the core of its kernel, if all its places say the same one, and
    /// nothing fixes that core.
    pub(super) fn beside(
        &self,
        block: &Block<Instance, (Instance, u32)>,
        places: &[description::Place],
    ) -> Option<(i64, i64)> {
        let distance = |place: &description::Place| {
            let description::Place::Relative { to, columns: Some(columns), rows: Some(rows) } = *place else {
                return None;
            };
            match self.known(to)?.shifted(columns, rows)? {
                Known::Beside(to, columns, rows) if self.is_own_core(block, to) => Some((columns, rows)),
                _ => None,
            }
        };
        let all: Vec<(i64, i64)> = places.iter().map(distance).collect::<Option<_>>()?;
        let first = *all.first()?;
        all.iter().all(|&one| one == first).then_some(first)
    }

    /// A block whose place follows from that of a block, or of the core of another kernel, which
    /// nothing fixes.
    pub(super) fn tie(
        &self,
        block: Block<Instance, (Instance, u32)>,
        places: &[description::Place],
        span: Span,
    ) -> Option<BlockTie<Instance, (Instance, u32)>> {
        let &[description::Place::Relative { to, columns: Some(columns), rows: Some(rows) }] = places else {
            return None;
        };
        let Known::Beside(to, columns, rows) = self.beyond(to, columns, rows)? else { return None };
        Some(BlockTie { block, from: self.anchor(to, span)?, distance: Some((columns, rows)), span })
    }

    /// The core or block that others may follow.
    pub(super) fn anchor(&self, to: Subject, span: Span) -> Option<Anchor<Instance, (Instance, u32)>> {
        Some(match to {
            Subject::Kernel(kernel) => Anchor::Core(self.kernel(kernel, span)?),
            Subject::Stack(kernel) => Anchor::Block(Block::Stack(self.kernel(kernel, span)?)),
            Subject::Port(port) => Anchor::Block(Block::Buffers(self.port(port, span)?)),
            Subject::Table(kernel, number) => match *self.tables(kernel, number, span).as_slice() {
                [table] => Anchor::Block(Block::Buffers(table)),
                _ => return None,
            },
            Subject::External(_) | Subject::Fifo(_) | Subject::Graph(_) | Subject::Other => return None,
        })
    }

    /// The kernels of `graph` as those of `other`: each at the same distance from its counterpart,
    /// if the graph states one, or if the areas of both graphs do, else with the same distances
    /// between them (`stamp`). Returns None when nothing states any.
    pub(super) fn stamp(
        &mut self,
        graph: GraphIndex,
        other: GraphIndex,
        distance: Option<(i64, i64)>,
        span: Span,
    ) -> Option<()> {
        let pairs = self.counterparts(graph, other)?;
        let offset = |kernel: KernelIndex, from: KernelIndex, (columns, rows): (i64, i64)| {
            let (kernel, from) = (self.kernel(kernel, span)?, self.kernel(from, span)?);
            Some(Offset { kernel, from, columns, rows, span })
        };
        let at = |distance: (i64, i64)| -> Option<Vec<Offset<Instance>>> {
            pairs.iter().map(|&(own, like)| offset(own, like, distance)).collect()
        };
        let inside = || -> Option<Vec<Offset<Instance>>> {
            let (&(first, like), rest) = pairs.split_first()?;
            let origin = self.known(Subject::Kernel(like))?;
            let same = |&(own, like): &(KernelIndex, KernelIndex)| {
                offset(own, first, origin.distance_to(self.known(Subject::Kernel(like))?)?)
            };
            rest.iter().map(same).collect()
        };
        let offsets = match distance {
            Some(distance) => at(distance),
            None => self.between_stamps(graph, other, &pairs).and_then(at).or_else(inside),
        }?;
        if offsets.is_empty() {
            return None;
        }
        self.found.constraints.offsets.extend(offsets);
        Some(())
    }

    /// The distance from the kernels of a graph to those of its stamp: that of two kernels with
    /// known places, or else that of the areas. All graphs of a stamp have areas of one size
    /// (UG1079, "IsomorphicGraphGroup Constraint"). Returns None when they do not.
    fn between_stamps(
        &self,
        graph: GraphIndex,
        other: GraphIndex,
        pairs: &[(KernelIndex, KernelIndex)],
    ) -> Option<(i64, i64)> {
        let known = |&(own, like): &(KernelIndex, KernelIndex)| {
            let [own, like] = [own, like].map(|kernel| self.known(Subject::Kernel(kernel)));
            like?.distance_to(own?)
        };
        let areas = |of: Subject| -> Vec<Area> {
            let own = self.description().locations.iter().filter(|one| one.subject == of);
            own.filter_map(super::only_areas)
                .flatten()
                .filter_map(|(area, is_cores)| is_cores.then_some(area))
                .collect()
        };
        let of_areas = |(own, like): (Subject, Subject)| {
            let (own, like) = (areas(own), areas(like));
            let step = |a: (i64, i64), b: (i64, i64)| Some((b.0.checked_sub(a.0)?, b.1.checked_sub(a.1)?));
            let first = step(like.first()?.from, own.first()?.from)?;
            let is_alike = |(a, b): (&Area, &Area)| {
                step(a.from, b.from) == Some(first) && step(a.to, b.to) == Some(first)
            };
            (own.len() == like.len() && like.iter().zip(&own).all(is_alike)).then_some(first)
        };
        let graphs = (Subject::Graph(graph), Subject::Graph(other));
        let kernels = pairs.iter().map(|&(own, like)| (Subject::Kernel(own), Subject::Kernel(like)));
        pairs.iter().find_map(known).or_else(|| std::iter::once(graphs).chain(kernels).find_map(of_areas))
    }

    /// The kernels of two graphs by their paths in them.
    fn counterparts(&self, graph: GraphIndex, other: GraphIndex) -> Option<Vec<(KernelIndex, KernelIndex)>> {
        let all = self.description();
        let own = |graph: GraphIndex| -> Option<Vec<(&str, KernelIndex)>> {
            let path = all.graphs.get(graph.0 as usize)?.path.as_deref()?;
            let name =
                |kernel: KernelIndex| all.kernels.get(kernel.0 as usize)?.path.as_deref()?.strip_prefix(path);
            self.members(graph).into_iter().map(|kernel| Some((name(kernel)?, kernel))).collect()
        };
        let (mut mine, mut theirs) = (own(graph)?, own(other)?);
        mine.sort_unstable();
        theirs.sort_unstable();
        let is_alike = mine.iter().map(|one| one.0).eq(theirs.iter().map(|one| one.0));
        is_alike.then(|| mine.iter().zip(&theirs).map(|(a, b)| (a.1, b.1)).collect())
    }
}

/// Limit on the distances that lead from one object to another. Those in a circle never end.
const LONGEST: usize = 64;

/// A position in terms of the array, or of another object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Known {
    /// Column and row.
    At(i64, i64),
    /// Columns and rows from an object.
    Beside(Subject, i64, i64),
}

impl Known {
    const fn of(subject: Subject) -> Self {
        Self::Beside(subject, 0, 0)
    }

    /// Its numbers after a move by `columns` and `rows`.
    fn moved(self, columns: i64, rows: i64) -> Option<(i64, i64)> {
        let (Self::At(column, row) | Self::Beside(_, column, row)) = self;
        column.checked_add(columns).zip(row.checked_add(rows))
    }

    /// Columns and rows from here to a position in the same terms.
    fn distance_to(self, other: Self) -> Option<(i64, i64)> {
        let is_same = match (self, other) {
            (Self::At(..), Self::At(..)) => true,
            (Self::Beside(a, ..), Self::Beside(b, ..)) => a == b,
            _ => false,
        };
        let (Self::At(column, row) | Self::Beside(_, column, row)) = self;
        let (columns, rows) = other.moved(column.checked_neg()?, row.checked_neg()?)?;
        is_same.then_some((columns, rows))
    }

    fn shifted(self, columns: i64, rows: i64) -> Option<Self> {
        let (column, row) = self.moved(columns, rows)?;
        Some(match self {
            Self::At(..) => Self::At(column, row),
            Self::Beside(to, ..) => Self::Beside(to, column, row),
        })
    }
}

/// True for a place or a distance, and false for an area.
fn is_point(location: &Location) -> bool {
    !location.places.iter().any(|place| matches!(place, description::Place::Area { .. }))
}

/// True for offsets, which are relative to the tile that is allocated, and state none (UG1079,
/// "Buffer Location Constraints").
fn is_offset(location: &Location) -> bool {
    location.places.iter().all(|place| matches!(place, description::Place::Offset(_)))
}
