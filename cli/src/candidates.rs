//! The candidates of a collective that leaves its shape, arity, window or root to the compiler.

use aiec_collectives::Shape;
use aiec_ir::design::{Collective, Instance};
use aiec_ir::{CollectiveId, Design, WindowType};

use crate::pipeline::Options;
use crate::variant::{SMALLEST, has_connected_result, is_alone, numbers_of_windows, shapes, with_hubs};

/// A candidate for a collective.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Candidate {
    /// The links between its ranks.
    pub(crate) shape: Shape,
    /// The data of one transfer.
    pub(crate) window: WindowType,
    /// The kernel with the special part.
    pub(crate) root: Instance,
    /// Array cycles of a call by the closed form. Those of a further hub are those of another hub.
    pub(crate) cycles: i64,
}

/// Shapes and roots of all collectives but one: what its candidates depend on.
type Beside = Vec<(Option<Shape>, Instance)>;

/// The candidates of collectives, computed once beside the same others.
pub(crate) struct Candidates<'a> {
    options: &'a Options,
    known: Vec<(CollectiveId, Beside, Vec<Candidate>)>,
}

impl<'a> Candidates<'a> {
    /// None are known yet.
    pub(crate) const fn new(options: &'a Options) -> Self {
        Self { options, known: Vec::new() }
    }

    /// Those for a collective, the cheapest by the closed form first.
    pub(crate) fn of(&mut self, design: &Design, id: CollectiveId) -> Vec<Candidate> {
        let others = design.collectives.enumerate().filter(|(other, _)| *other != id);
        let beside: Beside = others.map(|(_, other)| (shape_of(other), other.root)).collect();
        let is_same = |one: &&(CollectiveId, Beside, _)| one.0 == id && one.1 == beside;
        if let Some((.., known)) = self.known.iter().find(is_same) {
            return known.clone();
        }
        let found = candidates(self.options, design, id);
        self.known.push((id, beside, found.clone()));
        found
    }
}

/// What a collective has of a candidate.
pub(crate) type Taken = (Option<Shape>, Option<Shape>, WindowType, Instance);

/// What each of these collectives has.
pub(crate) fn taken(design: &Design, open: &[CollectiveId]) -> Vec<Taken> {
    let of = |&id: &CollectiveId| {
        let collective = &design.collectives[id];
        let (given, chosen) = (collective.shape.value, collective.details.open.chosen);
        (given, chosen, collective.window.value, collective.root)
    };
    open.iter().map(of).collect()
}

/// The shape that the design states, or that was chosen.
pub(crate) fn shape_of(collective: &Collective) -> Option<Shape> {
    collective.shape.value.or(collective.details.open.chosen)
}

/// Makes the choices of a collective.
pub(crate) fn take(design: &mut Design, id: CollectiveId, candidate: &Candidate) {
    let collective = &mut design.collectives[id];
    match collective.shape.value {
        Some(_) => collective.shape.value = Some(candidate.shape),
        None => collective.details.open.chosen = Some(candidate.shape),
    }
    collective.window.value = candidate.window;
    collective.root = candidate.root;
}

/// All candidates for a collective, the cheapest by the closed form first. For each shape and
/// window the root is the first one with the fewest cycles.
fn candidates(options: &Options, design: &Design, id: CollectiveId) -> Vec<Candidate> {
    let collective = &design.collectives[id];
    let given = collective.shape.value;
    let has_hubs = given.is_none() && !is_alone(design, id);
    let mut found: Vec<Candidate> = Vec::new();
    for root in roots(design, id) {
        for window in windows(design, id) {
            let mut variant = design.clone();
            variant.collectives[id].root = root;
            variant.collectives[id].window.value = window;
            let shapes = shapes(&variant, options, id);
            let shapes = if has_hubs { with_hubs(design, id, shapes) } else { shapes };
            let legal = shapes.into_iter().filter(|one| given.is_none_or(|given| given == one.shape));
            for (shape, cycles) in legal.filter_map(|one| Some((one.shape, one.cycles.ok()?))) {
                let same = found.iter_mut().find(|one| one.shape == shape && one.window == window);
                let candidate = Candidate { shape, window, root, cycles };
                match same {
                    Some(known) if known.cycles <= cycles => {}
                    Some(known) => *known = candidate,
                    None => found.push(candidate),
                }
            }
        }
    }
    found.sort_by_key(|candidate| candidate.cycles);
    // Streams have no windows, nor has a cascade whose result stays. Their candidates differ in
    // nothing else.
    let leaves = has_connected_result(design, id);
    found.dedup_by(|one, kept| {
        let has_windows = leaves && one.shape != Shape::Stream;
        one.shape == kept.shape && one.cycles == kept.cycles && !has_windows
    });
    found
}

/// The roots to choose from: that of the design or, with `root any`, the first, the middle and the
/// last rank. A chain is shortest from the middle, and a cascade ends at the last rank.
fn roots(design: &Design, id: CollectiveId) -> Vec<Instance> {
    let collective = &design.collectives[id];
    if !collective.details.open.root {
        return vec![collective.root];
    }
    let group = &collective.group;
    [group.first(), group.get(group.len() / 2), group.last()].into_iter().flatten().copied().collect()
}

/// The windows to choose from: that of the design or, with `window auto`, the data and its halves,
/// quarters and so on without a rest.
fn windows(design: &Design, id: CollectiveId) -> Vec<WindowType> {
    let collective = &design.collectives[id];
    if !collective.details.open.window {
        return vec![collective.window.value];
    }
    let data = collective.data.value;
    let whole = numbers_of_windows().filter(|parts| data.elements.is_multiple_of(*parts));
    let windows = whole.map(|parts| WindowType { elements: data.elements / parts, ..data });
    windows.filter(|window| window.bytes() >= SMALLEST || window.elements == data.elements).collect()
}
