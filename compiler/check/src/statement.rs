//! Placement constraints as single statements that can be dropped: their kernels, tiles, ties and
//! words.
//!
//! Takes a design and the tiles that a placement file fixes, as [`Stated`]. Proofs ask what some of
//! the statements leave to kernels, and name a minimal unsatisfiable subset of them.

use std::collections::{BTreeMap, BTreeSet};

use aiec_device::{Device, Grid, Tile};
use aiec_diag::{Span, listed};
use aiec_ir::expanded::CascadeOrigin;
use aiec_ir::{Expanded, KernelId};

use crate::Checked;
use crate::formation::{Tie, Way};

/// Fixed tiles of some kernels. The search finds the other tiles.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pins {
    /// The fixed tile of each kernel.
    pub kernels: BTreeMap<KernelId, Tile>,
    /// The position in the file of each fixed tile.
    pub spans: BTreeMap<KernelId, Span>,
    /// The name of the file.
    pub file: String,
}

/// The pins of a design without a placement file.
pub static NO_PINS: Pins = Pins { kernels: BTreeMap::new(), spans: BTreeMap::new(), file: String::new() };

/// One statement of the design, by its index in its list, or one entry of a placement file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Statement {
    /// `keepout`
    Keepout(usize),
    /// `place k at l + (c, r)`
    Offset(usize),
    /// `place k at l + (c, *)`
    Aligned(usize),
    /// The cascade of a collective or of a connection.
    Cascade(CascadeOrigin),
    /// `region`
    Region(usize),
    /// `together`
    Together(usize),
    /// `apart`
    Apart(usize),
    /// `apart` with `by core`
    Distinct(usize),
    /// `place k at (c, r)`
    Place(usize),
    /// A kernel's tile in the placement file.
    Pin(KernelId),
}

impl Statement {
    /// The keyword of the statement. Empty for an entry of a file.
    pub const fn keyword(self) -> &'static str {
        match self {
            Self::Place(_) | Self::Offset(_) | Self::Aligned(_) => "place",
            Self::Pin(_) => "",
            Self::Cascade(CascadeOrigin::Collective(_)) => "shape cascade",
            Self::Cascade(CascadeOrigin::Connection(_)) => "cascade",
            Self::Region(_) => "region",
            Self::Together(_) => "together",
            Self::Apart(_) => "apart",
            Self::Distinct(_) => "apart by core",
            Self::Keepout(_) => "keepout",
        }
    }

    /// True if both are of one kind.
    pub fn is_like(self, other: Self) -> bool {
        std::mem::discriminant(&self) == std::mem::discriminant(&other)
    }
}

/// A design with the tiles that a placement file fixes.
#[derive(Clone, Copy)]
pub struct Stated<'a> {
    /// The design with the statements.
    pub design: &'a Expanded,
    /// The tiles of the placement file.
    pub pins: &'a Pins,
}

impl<'a> Stated<'a> {
    /// All statements, those of one kind next to each other. Proofs drop the first ones first, so
    /// those that name single kernels come last.
    pub fn all(self) -> Vec<Statement> {
        let constraints = &self.design.constraints;
        let numbers = |count: usize| 0..count;
        let mut chains: Vec<CascadeOrigin> =
            self.design.cascades.iter().map(|cascade| cascade.origin).collect();
        chains.dedup();
        let keepouts = numbers(constraints.keepouts.len()).map(Statement::Keepout);
        keepouts
            .chain(numbers(constraints.offsets.len()).map(Statement::Offset))
            .chain(numbers(constraints.aligned.len()).map(Statement::Aligned))
            .chain(chains.into_iter().map(Statement::Cascade))
            .chain(numbers(constraints.regions.len()).map(Statement::Region))
            .chain(numbers(constraints.together.len()).map(Statement::Together))
            .chain(numbers(constraints.apart.len()).map(Statement::Apart))
            .chain(numbers(constraints.distinct.len()).map(Statement::Distinct))
            .chain(numbers(self.design.places.len()).map(Statement::Place))
            .chain(self.pins.kernels.keys().copied().map(Statement::Pin))
            .collect()
    }

    /// The kernels that a statement names.
    pub fn kernels(self, statement: Statement) -> Vec<KernelId> {
        let constraints = &self.design.constraints;
        match statement {
            Statement::Place(at) => vec![self.design.places[at].kernel],
            Statement::Pin(kernel) => vec![kernel],
            Statement::Offset(at) => vec![constraints.offsets[at].kernel, constraints.offsets[at].from],
            Statement::Cascade(origin) => self.chain(origin),
            Statement::Aligned(at) => vec![constraints.aligned[at].kernel, constraints.aligned[at].from],
            Statement::Region(at) => constraints.regions[at].kernels.clone(),
            Statement::Together(at) => constraints.together[at].kernels.clone(),
            Statement::Apart(at) => constraints.apart[at].kernels.clone(),
            Statement::Distinct(at) => constraints.distinct[at].kernels.clone(),
            Statement::Keepout(_) => Vec::new(),
        }
    }

    /// The kernels of a cascade, from the first to the last.
    fn chain(self, origin: CascadeOrigin) -> Vec<KernelId> {
        match origin {
            CascadeOrigin::Collective(id) => self.design.collectives[id].ranks.clone(),
            CascadeOrigin::Connection(id) => {
                let connection = &self.design.connections[id];
                let ends = [connection.from, connection.to];
                ends.into_iter().filter_map(|port| self.design.kernel_of(port)).collect()
            }
        }
    }

    /// The kernels that any of `statements` names.
    pub fn named(self, statements: &[Statement]) -> BTreeSet<KernelId> {
        statements.iter().flat_map(|&statement| self.kernels(statement)).collect()
    }

    /// True if `device` or a `keepout` among `statements` leaves `tile` free.
    pub fn closes(self, device: &Device, statements: &[Statement], tile: Tile) -> bool {
        let keepouts = &self.design.constraints.keepouts;
        let (column, row) = (tile.column.into(), tile.row.into());
        let closes = |statement: &Statement| match *statement {
            Statement::Keepout(at) => keepouts[at].area.contains(column, row),
            _ => false,
        };
        device.keepout.contains(&tile) || statements.iter().any(closes)
    }

    /// The tiles that `statements` leave to each kernel by itself, among the `open` ones (one entry
    /// per tile).
    pub fn allowed(self, grid: &Grid, open: Vec<bool>, statements: &[Statement]) -> Allowed {
        let mut allowed = Allowed { open, narrowed: BTreeMap::new() };
        for &statement in statements {
            match statement {
                Statement::Place(at) => {
                    let place = &self.design.places[at];
                    allowed.narrow(grid, place.kernel, |c, r| (c, r) == (place.column, place.row));
                }
                Statement::Pin(kernel) => {
                    let tile = self.pins.kernels.get(&kernel).map(|t| (t.column.into(), t.row.into()));
                    allowed.narrow(grid, kernel, |c, r| Some((c, r)) == tile);
                }
                Statement::Region(at) => {
                    let region = &self.design.constraints.regions[at];
                    for &kernel in &region.kernels {
                        allowed.narrow(grid, kernel, |c, r| region.contains(c, r));
                    }
                }
                _ => {}
            }
        }
        allowed
    }

    /// The ties that `statements` make between the kernels of `named`. The named ranks of a cascade
    /// keep their distances.
    pub fn ties(self, statements: &[Statement], named: &BTreeSet<KernelId>) -> Vec<Tie<KernelId>> {
        let mut ties = Vec::new();
        for &statement in statements {
            match statement {
                Statement::Offset(at) => {
                    let offset = &self.design.constraints.offsets[at];
                    let way = Way::Offset(offset.columns, offset.rows);
                    ties.push(Tie { from: offset.from, to: offset.kernel, way });
                }
                Statement::Cascade(origin) => {
                    let ranks = (0_i64..).zip(self.chain(origin));
                    let ranks: Vec<(i64, KernelId)> = ranks.filter(|(_, k)| named.contains(k)).collect();
                    let tie = |pair: &[(i64, KernelId)]| {
                        let way = Way::Cascade(pair[1].0 - pair[0].0);
                        Tie { from: pair[0].1, to: pair[1].1, way }
                    };
                    ties.extend(ranks.windows(2).map(tie));
                }
                _ => {}
            }
        }
        ties.retain(|tie| named.contains(&tie.from) && named.contains(&tie.to));
        ties
    }

    /// The source location and the words of a statement, seen from the kernels of `about`. Returns
    /// None when the statement is a fixed tile without a location.
    pub fn label(self, statement: Statement, about: &BTreeSet<KernelId>) -> Option<(Span, String)> {
        let name = |kernel: KernelId| &self.design.kernels[kernel].name;
        let constraints = &self.design.constraints;
        Some(match statement {
            Statement::Place(at) => {
                let place = &self.design.places[at];
                (place.span, format!("`{}` is at ({}, {})", name(place.kernel), place.column, place.row))
            }
            Statement::Pin(kernel) => {
                let (tile, span) = (self.pins.kernels.get(&kernel)?, self.pins.spans.get(&kernel)?);
                (*span, format!("`{}` is at {tile} in the placement file", name(kernel)))
            }
            Statement::Offset(at) => {
                let offset = &constraints.offsets[at];
                let (kernel, from) = (name(offset.kernel), name(offset.from));
                (offset.span, format!("`{kernel}` is here relative to `{from}`"))
            }
            Statement::Aligned(at) => {
                let aligned = &constraints.aligned[at];
                let (kernel, from) = (name(aligned.kernel), name(aligned.from));
                let (distance, word) = (aligned.distance, aligned.axis.word());
                (aligned.span, format!("`{kernel}` is {distance} {word} from `{from}`"))
            }
            Statement::Cascade(CascadeOrigin::Collective(id)) => {
                let span = self.design.collectives[id].shape_span;
                (span, "ranks follow each other along the cascade".to_owned())
            }
            Statement::Cascade(CascadeOrigin::Connection(id)) => {
                let words = match self.chain(CascadeOrigin::Connection(id)).as_slice() {
                    [from, to] => format!("`{}` follows `{}` along the cascade", name(*to), name(*from)),
                    _ => "along the cascade".to_owned(),
                };
                (self.design.connections[id].span, words)
            }
            Statement::Region(at) => {
                let region = &constraints.regions[at];
                let own = region.kernels.iter().find(|kernel| about.contains(kernel));
                let who = own.or(region.kernels.first()).map_or("", |&kernel| name(kernel));
                (region.span, format!("`{who}` is in this region"))
            }
            Statement::Together(at) => (constraints.together[at].span, "every two share memory".to_owned()),
            Statement::Apart(at) => (constraints.apart[at].span, "no two share memory".to_owned()),
            Statement::Distinct(at) => (constraints.distinct[at].span, "no two on one core".to_owned()),
            Statement::Keepout(at) => (constraints.keepouts[at].span, "these tiles are left free".to_owned()),
        })
    }

    /// The number of statements of each kind: ``2 `place` and 1 `region` ``.
    pub fn counted(self, statements: &[Statement]) -> String {
        let mut words: Vec<(&str, usize)> = Vec::new();
        for word in statements.iter().map(|statement| statement.keyword()) {
            match words.iter_mut().find(|(known, _)| *known == word) {
                Some((_, count)) => *count += 1,
                None => words.push((word, 1)),
            }
        }
        let file = &self.pins.file;
        let text = |(word, count): (&str, usize)| match (word, count) {
            ("", 1) => format!("1 tile of the placement file `{file}`"),
            ("", count) => format!("{count} tiles of the placement file `{file}`"),
            (word, count) => format!("{count} `{word}`"),
        };
        listed(words.into_iter().map(text), usize::MAX)
    }
}

/// Tiles that each kernel may take by its own statements.
#[derive(Clone, Debug, Default)]
pub struct Allowed {
    /// The tiles of all other kernels, one entry per tile.
    pub open: Vec<bool>,
    /// The tiles of kernels with a `place`, a `region` or a fixed tile.
    pub narrowed: BTreeMap<KernelId, Vec<bool>>,
}

impl Allowed {
    fn narrow(&mut self, grid: &Grid, kernel: KernelId, keep: impl Fn(i64, i64) -> bool) {
        let tiles = self.narrowed.entry(kernel).or_insert_with(|| self.open.clone());
        for (allowed, id) in tiles.iter_mut().zip(grid.ids()).filter(|(allowed, _)| **allowed) {
            let Tile { column, row } = grid.tile(id);
            *allowed = keep(column.into(), row.into());
        }
    }

    /// One entry per tile: true if `kernel` may be there.
    pub fn of(&self, kernel: KernelId) -> &[bool] {
        self.narrowed.get(&kernel).unwrap_or(&self.open)
    }

    /// Kernels by the tiles that they may take, without the kernels that may take all open tiles.
    pub fn groups(&self) -> BTreeMap<&[bool], Vec<KernelId>> {
        let mut groups: BTreeMap<&[bool], Vec<KernelId>> = BTreeMap::new();
        for (&kernel, tiles) in &self.narrowed {
            groups.entry(tiles).or_default().push(kernel);
        }
        groups
    }
}

impl Checked {
    /// A copy of the design that keeps only these placement constraints. It keeps all cascades. The
    /// copy counts as checked: no check needs a constraint to pass.
    #[must_use]
    pub fn keeping(&self, statements: &[Statement]) -> Self {
        /// Keeps the items whose statements are kept.
        fn keep<T>(items: &mut Vec<T>, kept: &[Statement], statement: fn(usize) -> Statement) {
            let mut number = 0..;
            items.retain(|_| number.next().is_some_and(|number| kept.contains(&statement(number))));
        }
        let mut expanded = self.expanded().clone();
        keep(&mut expanded.places, statements, Statement::Place);
        let all = &mut expanded.constraints;
        keep(&mut all.offsets, statements, Statement::Offset);
        keep(&mut all.aligned, statements, Statement::Aligned);
        keep(&mut all.distinct, statements, Statement::Distinct);
        keep(&mut all.regions, statements, Statement::Region);
        keep(&mut all.together, statements, Statement::Together);
        keep(&mut all.apart, statements, Statement::Apart);
        keep(&mut all.keepouts, statements, Statement::Keepout);
        Self::new(expanded)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use aiec_test_support::{Builder, Reduce, int32};

    #[test]
    fn some_constraints_of_a_kind_can_be_kept() {
        let mut builder = Builder::new("d", "toy");
        builder.kernels("k", &[3], &[]).reduce(Reduce::over("t", &["k"], int32(4)));
        builder.place("k[0]", 0, 0).place("k[1]", 1, 0).place("k[2]", 2, 0).keepout((5, 3), (5, 3));
        let checked = Checked::new(builder.expanded().expect("names are right"));
        let fewer = checked.keeping(&[Statement::Place(0), Statement::Place(2), Statement::Keepout(0)]);
        assert_eq!(fewer.places.iter().map(|place| place.column).collect::<Vec<_>>(), [0, 2]);
        assert_eq!(fewer.constraints.keepouts.len(), 1);
        assert!(checked.keeping(&[Statement::Place(1)]).constraints.keepouts.is_empty());
    }
}
