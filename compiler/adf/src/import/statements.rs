//! Connections and constraints as statements whose numbers stand apart from their words.

use aiec_dsl::ast::{Area, Reference, Region, Switch};
use aiec_dsl::ast::{At, Connect, ConnectEnd, ConnectProperty, Expr, Index, Item, ItemKind, Pair, Place};

use super::tree::{NOWHERE, at, ident, item, number, reference};

/// A statement.
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
    /// `place NAME at (C, R)` with as many banks.
    Tile {
        /// The kernel, or one of its ports or its stack.
        of: Name,
        /// Number of banks.
        banks: usize,
    },
    /// `place NAME at NAME + (C, R)`; without the distance if it is none.
    Offset {
        /// The kernel.
        of: Name,
        /// The kernel from which the distance counts.
        from: Name,
        /// True for a distance other than none.
        is_apart: bool,
    },
    /// `region NAME, ... in (C, R) to (C, R)`
    Region(Vec<Name>),
    /// `apart NAME, ...`
    Apart(Vec<Name>),
}

/// The words of a `connect`.
#[derive(Clone, Debug)]
pub(super) struct Wires {
    pub from: Vec<End>,
    pub to: Vec<End>,
    pub switch: Option<Switch>,
    pub single: bool,
    pub fifo: Option<u32>,
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
    pub name: String,
    pub port: Option<String>,
    /// The extents of the family.
    pub dims: Vec<u32>,
    /// True for a range of the one extent.
    pub is_range: bool,
}

impl Name {
    /// Takes its numbers from the front of `numbers`.
    fn reference(&self, numbers: &mut &[Expr]) -> Reference {
        let mut next = || {
            let (first, rest) = numbers.split_first()?;
            *numbers = rest;
            Some(first.clone())
        };
        let indices = match self.is_range {
            true => {
                next().zip(next()).into_iter().map(|(from, to)| range(Some(from), Some(to), None)).collect()
            }
            false => self.dims.iter().filter_map(|_| next()).map(Index::At).collect(),
        };
        reference(&self.name, indices, self.port.as_deref())
    }
}

fn range(from: Option<Expr>, to: Option<Expr>, step: Option<Expr>) -> Index {
    Index::Range { from, to, step, span: NOWHERE }
}

impl Statement {
    pub(super) fn new(form: Form, numbers: Vec<i64>) -> Self {
        Self { key: format!("{form:?}"), numbers, form }
    }

    /// Its own numbers.
    pub(super) fn constants(&self) -> Vec<Expr> {
        self.numbers.iter().map(|&value| number(value)).collect()
    }

    /// The difference of each number to that of `next`. None if the words differ.
    pub(super) fn step_to(&self, next: &Self) -> Option<Vec<i64>> {
        if self.key != next.key || self.numbers.len() != next.numbers.len() {
            return None;
        }
        self.numbers.iter().zip(&next.numbers).map(|(a, b)| b.checked_sub(*a)).collect()
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
            Form::Tile { of, banks } => {
                let reference = of.reference(rest);
                let at = At::Tile(pair(rest));
                let banks = rest.get(..*banks).unwrap_or_default().to_vec();
                ItemKind::Place(Place { reference, at, banks })
            }
            Form::Offset { of, from, is_apart } => {
                let (reference, of) = (of.reference(rest), from.reference(rest));
                let offset = is_apart.then(|| pair(rest));
                ItemKind::Place(Place { reference, at: At::Kernel { of, offset }, banks: Vec::new() })
            }
            Form::Region(names) => {
                let references = names.iter().map(|name| name.reference(rest)).collect();
                let area = Area { from: pair(rest), to: Some(pair(rest)) };
                ItemKind::Region(Region { references, area })
            }
            Form::Apart(names) => ItemKind::Apart(names.iter().map(|name| name.reference(rest)).collect()),
        };
        item(kind)
    }

    /// One `connect` with ranges for `rounds` of them. None if no ranges select these ports.
    pub(super) fn ranged(&self, steps: &[i64], rounds: usize) -> Option<Item> {
        let Form::Connect(wires @ Wires { switch: None, .. }) = &self.form else { return None };
        let ([from], [to]) = (wires.from.as_slice(), wires.to.as_slice()) else { return None };
        if from.name.is_range || to.name.is_range {
            return None;
        }
        let middle = from.name.dims.len();
        let part = |end: &End, slots: std::ops::Range<usize>| {
            let (numbers, steps) = (self.numbers.get(slots.clone())?, steps.get(slots)?);
            ranges(&end.name, numbers, steps, rounds)
        };
        let (sender, sends) = part(from, 0..middle)?;
        let (taker, takes) = part(to, middle..self.numbers.len())?;
        let legal = takes == rounds && (sends == 1 || sends == rounds);
        legal.then(|| item(ItemKind::Connect(wires.tree(vec![from.tree(sender)], vec![to.tree(taker)]))))
    }
}

fn pair(numbers: &mut &[Expr]) -> Pair {
    let mut next = || match numbers.split_first() {
        Some((first, rest)) => {
            *numbers = rest;
            first.clone()
        }
        None => number(0),
    };
    Pair { column: next(), row: next() }
}

impl End {
    fn tree(&self, reference: Reference) -> ConnectEnd {
        let windows = self.windows.map(|windows| number(windows.into()));
        ConnectEnd { asynchronous: self.asynchronous, reference, windows }
    }
}

impl Wires {
    fn tree(&self, from: Vec<ConnectEnd>, to: Vec<ConnectEnd>) -> Connect {
        let buffer = self.single.then(|| at(ConnectProperty::Buffer(ident("single"))));
        let fifo = self.fifo.map(|words| at(ConnectProperty::Fifo(number(words.into()))));
        let properties = buffer.into_iter().chain(fifo).collect();
        Connect { from, to, switch: self.switch.map(at), properties }
    }
}

/// A reference to `rounds` instances, at most one of whose indices moves forward. Also returns the
/// number of selected instances.
fn ranges(name: &Name, numbers: &[i64], steps: &[i64], rounds: usize) -> Option<(Reference, usize)> {
    let moving: Vec<usize> = (0..steps.len()).filter(|&at| steps[at] != 0).collect();
    let count = i64::try_from(rounds).ok()?;
    let index = |at: usize| {
        let (first, step, extent) = (numbers[at], steps[at], i64::from(name.dims[at]));
        if step == 0 {
            return Some(Index::At(number(first)));
        }
        let last = step.checked_mul(count - 1)?.checked_add(first)?;
        let from = (first != 0).then(|| number(first));
        let to = (last + step < extent).then(|| number(last + 1));
        let step = (step != 1).then(|| number(step));
        Some(range(from, to, step))
    };
    if moving.len() > 1 || moving.iter().any(|&at| steps[at] < 0) {
        return None;
    }
    let mut indices: Vec<Index> = (0..steps.len()).map(index).collect::<Option<_>>()?;
    let is_whole = |index: &Index| matches!(index, Index::Range { from: None, to: None, step: None, .. });
    if indices.len() == 1 && indices.iter().all(is_whole) {
        indices.clear();
    }
    let selected = if moving.is_empty() { 1 } else { rounds };
    Some((reference(&name.name, indices, name.port.as_deref()), selected))
}
