//! Connections and constraints as statements whose numbers stand apart from their words.

use aiec_dsl::ast::{
    Apart, Area, At, Connect, ConnectEnd, ConnectProperty, Distance, Expr, Fifo, FifoAt, FifoPlace, Index,
    Item, ItemKind, Pair, Place, Reference, Region, Shim, Spot, Switch, Within,
};
use aiec_ir::fifos::{self, FifoKind};

use super::linear::Linear;
use super::slices::{self, Moved, Turns};
use super::tree::{NOWHERE, at, ident, item, number, reference};

/// A statement, split into its words and its numbers.
#[derive(Clone, Debug)]
pub(super) struct Statement {
    /// Its words: statements with one key differ in numbers alone.
    pub key: String,
    /// Its numbers, in the order of the text.
    pub numbers: Vec<i64>,
    form: Form,
}

/// The words of a statement.
#[derive(Clone, Debug)]
pub(super) enum Form {
    /// `connect`
    Connect(Wires),
    /// `place NAME at (C, R)`
    Tile(Name),
    /// `place NAME.PORT at (C, R) bank B, (C, R) offset O`
    Memory {
        /// The port or the stack.
        of: Name,
        /// Its positions, in the order of its buffers.
        spots: Vec<Position>,
    },
    /// `place NAME at shim C channel N`
    Shim {
        /// The input or output.
        of: Name,
        /// True with a channel.
        has_channel: bool,
    },
    /// `place NAME at NAME + (C, R)`; without the distance if it is none.
    Offset {
        /// The kernel that is placed.
        of: Name,
        /// The kernel from which the distance counts.
        from: Name,
        /// True for the coordinates that are stated. None when the condition is the same tile.
        stated: Option<(bool, bool)>,
    },
    /// `region NAME, ... in (C, R) to (C, R), ...`
    Region {
        /// The kernels that stay in the rectangles.
        names: Vec<Name>,
        /// Number of rectangles of which a kernel may take any.
        areas: usize,
    },
    /// `keepout (C, R) to (C, R)`
    Keepout,
    /// `apart NAME, ...` or `apart NAME, ... by core`
    Apart {
        /// The kernels or ports.
        names: Vec<Name>,
        /// True with `by core`.
        by_core: bool,
    },
}

/// The words of a position in memory.
#[derive(Clone, Debug)]
pub(super) struct Position {
    /// True if it names a module.
    pub has_module: bool,
    /// What it says of that module.
    pub within: Inside,
}

/// What a position says of a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Inside {
    /// Nothing.
    Anywhere,
    /// The number of a bank.
    Bank,
    /// A number of bytes from its start.
    Offset,
}

/// The words of a `connect`.
#[derive(Clone, Debug)]
pub(super) struct Wires {
    pub from: Vec<End>,
    pub to: Vec<End>,
    pub switch: Option<Switch>,
    /// The number of the first branch of a split.
    pub first: u32,
    pub single: bool,
    pub fifo: Option<u32>,
    /// The places of the FIFO, with their numbers.
    pub fifo_places: Vec<fifos::FifoPlace>,
}

/// The words of an end.
#[derive(Clone, Debug)]
pub(super) struct End {
    pub name: Name,
    pub asynchronous: bool,
    pub windows: Option<u32>,
}

/// The words of a reference. Its numbers are indices, or both ends of a range.
#[derive(Clone, Debug)]
pub(super) struct Name {
    /// Instances of components, and what lies in the last one.
    pub parts: Vec<PartName>,
    pub port: Option<PartName>,
    /// The extents, counted over all parts, of which it has a range.
    pub ranges: Vec<usize>,
}

/// A part of a reference.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct PartName {
    pub name: String,
    /// The extents of the declaration.
    pub dims: Vec<u32>,
}

impl Name {
    /// The extents of all parts, in order.
    pub(super) fn dims(&self) -> impl Iterator<Item = u32> {
        self.parts.iter().chain(&self.port).flat_map(|part| part.dims.iter().copied())
    }

    /// True for a reference to several instances.
    pub(super) const fn has_range(&self) -> bool {
        !self.ranges.is_empty()
    }

    /// The reference with these indices of all parts.
    pub(super) fn with(&self, indices: Vec<Index>) -> Reference {
        let mut indices = indices.into_iter();
        let parts = self.parts.iter().chain(&self.port).map(|part| {
            let own: Vec<Index> = indices.by_ref().take(part.dims.len()).collect();
            let is_whole = own
                .iter()
                .all(|index| matches!(index, Index::Range { from: None, to: None, step: None, .. }));
            (part.name.as_str(), if is_whole { Vec::new() } else { own })
        });
        reference(parts.collect())
    }

    /// Takes its numbers from the front of `numbers`.
    fn reference(&self, numbers: &mut &[Expr]) -> Reference {
        let mut next = || {
            let (first, rest) = numbers.split_first()?;
            *numbers = rest;
            Some(first.clone())
        };
        let index = |(slot, extent): (usize, u32)| {
            let first = next()?;
            if !self.ranges.contains(&slot) {
                return Some(Index::At(first));
            }
            let (from, to) = (Some(first), Some(next()?));
            let is_whole = from == Some(number(0)) && to == Some(number(extent.into()));
            Some(if is_whole { range(None, None, None) } else { range(from, to, None) })
        };
        let indices = self.dims().enumerate().filter_map(index).collect();
        self.with(indices)
    }
}

pub(super) fn range(from: Option<Expr>, to: Option<Expr>, step: Option<Expr>) -> Index {
    Index::Range { from, to, step, span: NOWHERE }
}

impl Statement {
    pub(super) fn new(form: Form, numbers: Vec<i64>) -> Self {
        Self { key: format!("{form:?}"), numbers, form }
    }

    /// True for a split or a merge, whose branches have an order.
    pub(super) const fn is_switch(&self) -> bool {
        matches!(&self.form, Form::Connect(Wires { switch: Some(_), .. }))
    }

    /// The statement with these numbers.
    pub(super) fn item(&self, numbers: &[Expr]) -> Item {
        let mut rest = numbers;
        let rest = &mut rest;
        let kind = match &self.form {
            Form::Connect(wires) => {
                let from = wires.from.iter().map(|end| end.tree(end.name.reference(rest))).collect();
                let to = wires.to.iter().map(|end| end.tree(end.name.reference(rest))).collect();
                ItemKind::Connect(wires.tree(from, to))
            }
            Form::Tile(of) => {
                let reference = of.reference(rest);
                ItemKind::Place(Place { reference, at: At::Tile(pair(rest)) })
            }
            Form::Memory { of, spots } => {
                let reference = of.reference(rest);
                ItemKind::Place(Place { reference, at: memory(spots, rest) })
            }
            Form::Shim { of, has_channel } => {
                let reference = of.reference(rest);
                let column = next(rest);
                let channel = has_channel.then(|| next(rest));
                ItemKind::Place(Place { reference, at: At::Shim(Shim { column, channel }) })
            }
            Form::Offset { of, from, stated } => {
                let (reference, of) = (of.reference(rest), from.reference(rest));
                let offset = stated.map(|(columns, rows)| Distance {
                    columns: columns.then(|| next(rest)),
                    rows: rows.then(|| next(rest)),
                });
                ItemKind::Place(Place { reference, at: At::Kernel { of, offset } })
            }
            Form::Region { names, areas } => {
                let references = names.iter().map(|name| name.reference(rest)).collect();
                let area = |_| Area { from: pair(rest), to: Some(pair(rest)) };
                ItemKind::Region(Region { references, areas: (0..*areas).map(area).collect() })
            }
            Form::Keepout => ItemKind::KeepOut(Area { from: pair(rest), to: Some(pair(rest)) }),
            Form::Apart { names, by_core } => {
                let references = names.iter().map(|name| name.reference(rest)).collect();
                ItemKind::Apart(Apart { references, by_core: *by_core })
            }
        };
        item(kind)
    }

    /// True if one `connect` with ranges stands for it in these loops.
    pub(super) fn has_ranges(&self, nest: &[Turns<'_>]) -> bool {
        self.ends(nest).is_some()
    }

    /// One `connect` with ranges for the statement in these loops, with `numbers` in their first
    /// rounds. Returns None when no ranges select these ports.
    pub(super) fn ranged(
        &self,
        nest: &[Turns<'_>],
        numbers: &[Linear],
        variables: &[String],
    ) -> Option<Item> {
        let (wires, [(from, moved), (to, taken)]) = self.ends(nest).filter(|_| !nest.is_empty())?;
        let (first, second) = numbers.split_at(moved.len());
        let from = from.tree(slices::reference(&from.name, first, &moved, variables)?);
        let to = to.tree(slices::reference(&to.name, second, &taken, variables)?);
        Some(item(ItemKind::Connect(wires.tree(vec![from], vec![to]))))
    }

    /// The ends of a connection, and what moves their indices in these loops. Returns None when no
    /// ranges select these ports.
    fn ends(&self, nest: &[Turns<'_>]) -> Option<(&Wires, [(&End, Moved); 2])> {
        let Form::Connect(wires @ Wires { switch: None, .. }) = &self.form else { return None };
        let ([from], [to]) = (wires.from.as_slice(), wires.to.as_slice()) else { return None };
        if from.name.has_range() || to.name.has_range() {
            return None;
        }
        let middle = from.name.dims().count();
        let (moved, sends) = slices::moves(0..middle, nest)?;
        let (taken, takes) = slices::moves(middle..self.numbers.len(), nest)?;
        let is_legal = takes == nest.len() && (sends == 0 || sends == nest.len());
        is_legal.then_some((wires, [(from, moved), (to, taken)]))
    }
}

fn next(numbers: &mut &[Expr]) -> Expr {
    match numbers.split_first() {
        Some((first, rest)) => {
            *numbers = rest;
            first.clone()
        }
        None => number(0),
    }
}

fn pair(numbers: &mut &[Expr]) -> Pair {
    Pair { column: next(numbers), row: next(numbers) }
}

/// Positions in memory: equal modules with banks, or with offsets, are one.
fn memory(spots: &[Position], numbers: &mut &[Expr]) -> At {
    if let [Position { has_module: true, within: Inside::Anywhere }] = spots {
        return At::Tile(pair(numbers));
    }
    if spots.iter().all(|spot| !spot.has_module && spot.within == Inside::Offset) {
        return At::Offsets(spots.iter().map(|_| next(numbers)).collect());
    }
    let mut found: Vec<Spot> = Vec::new();
    for position in spots {
        let tile = pair(numbers);
        let same = found.last_mut().filter(|spot| spot.tile == tile);
        match (position.within, same) {
            (Inside::Bank, Some(Spot { within: Within::Banks(banks), .. })) => banks.push(next(numbers)),
            (Inside::Offset, Some(Spot { within: Within::Offsets(all), .. })) => all.push(next(numbers)),
            (Inside::Bank, _) => found.push(Spot { tile, within: Within::Banks(vec![next(numbers)]) }),
            (Inside::Offset, _) => found.push(Spot { tile, within: Within::Offsets(vec![next(numbers)]) }),
            (Inside::Anywhere, _) => found.push(Spot { tile, within: Within::Module }),
        }
    }
    At::Memory(found)
}

fn fifo_place(place: &fifos::FifoPlace) -> FifoPlace {
    let tile = |row: i64| Pair { column: number(place.column), row: number(row) };
    let value = |value: u32| number(value.into());
    let at = match (place.kind, place.row) {
        (FifoKind::Dma { offset, .. }, row) => FifoAt::Memory(tile(row.unwrap_or(0)), value(offset)),
        (FifoKind::Switch { number }, Some(row)) => FifoAt::Switch(tile(row), value(number)),
        (FifoKind::Switch { number: id }, None) => FifoAt::Shim(number(place.column), value(id)),
    };
    FifoPlace { at, span: NOWHERE }
}

impl End {
    /// True for the same words, whatever their indices.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        let words = |end: &Self| (end.asynchronous, end.windows);
        let (a, b) = (&self.name, &other.name);
        words(self) == words(other) && a.parts == b.parts && a.port == b.port
    }

    fn tree(&self, reference: Reference) -> ConnectEnd {
        let windows = self.windows.map(|windows| number(windows.into()));
        ConnectEnd { asynchronous: self.asynchronous, reference, windows, span: NOWHERE }
    }
}

impl Wires {
    fn tree(&self, from: Vec<ConnectEnd>, to: Vec<ConnectEnd>) -> Connect {
        let buffer = self.single.then(|| at(ConnectProperty::Buffer(ident("single"))));
        let places = self.fifo_places.iter().map(fifo_place).collect();
        let fifo = self.fifo.map(|words| Fifo { words: number(words.into()), places });
        let fifo = fifo.map(|fifo| at(ConnectProperty::Fifo(fifo)));
        let properties = buffer.into_iter().chain(fifo).collect();
        let first = Some(self.first).filter(|&first| first > 0).map(|first| number(first.into()));
        Connect { from, to, switch: self.switch.map(at), first, properties }
    }
}
