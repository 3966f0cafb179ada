//! Choices that a design leaves to the compiler: `shape auto`, `arity auto`, `window auto` and
//! `root any`.
//!
//! The closed form ranks all candidates. The best [`PLACED`] are placed and timed by the event
//! model, and the fastest one is taken with its placement. So a command with choices takes at most
//! [`PLACED`] times as long as one without, unless a candidate that loses is much harder to place
//! than the winner.

use aiec_collectives::Shape;
use aiec_diag::SourceFile;
use aiec_ir::design::Instance;
use aiec_ir::{CollectiveId, Design, WindowType};

use crate::args::Placing;
use crate::invocation::{Invocation, Search, placement_file, solver_works};
use crate::pipeline::{self, Front, Log, Options};
use crate::solver::Solving;
use crate::variant::{Builder, Built, SMALLEST, numbers_of_windows};

/// Candidates that are placed.
const PLACED: usize = 3;
/// The closed form and the event model differ by no more than this factor on vector loops, where
/// they differ most (`event_model/tests/times.rs`).
pub(crate) const DIFFERENCE: f64 = 1.25;
/// A candidate is dense if its connections are more than N times those of another one: a
/// butterfly of 16 ranks has twice those of a tree, and takes five times as long to place.
const DENSE: usize = 2;

/// Text to checked design, with everything chosen that it leaves open. Choices fall after
/// placement, which is kept.
pub(crate) fn front(
    source: &SourceFile,
    options: &Options,
    placing: &Placing,
    invocation: &mut Invocation,
) -> Option<Front> {
    let design = pipeline::design(source, options, &mut invocation.log)?;
    if !design.collectives.iter().any(|collective| collective.is_open()) {
        return pipeline::front_of(&design, options, &mut invocation.log);
    }
    let file = placement_file(placing, invocation).ok()?;
    let solving = Solving::with(placing.solver);
    let search = Search::of(placing, &solving, invocation).around(file.as_ref());
    let (chosen, built) = choose(&Builder { search, options }, &design);
    let mut front = pipeline::front_of(&chosen, options, &mut invocation.log)?;
    front.found = built.map(|built| Box::new(built.found));
    solver_works(&solving, placing, &front, &mut invocation.log);
    Some(front)
}

/// A candidate for a collective.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Candidate {
    /// The links between its ranks.
    pub(crate) shape: Shape,
    /// The data of one transfer.
    pub(crate) window: WindowType,
    /// The kernel with the special part.
    pub(crate) root: Instance,
    /// Array cycles of a call by the closed form.
    pub(crate) cycles: i64,
}

/// The design with its choices made, and the placement of the one that was taken. Without a
/// placement the closed form decides, and the stages report why there is none.
fn choose(builder: &Builder<'_>, design: &Design) -> (Design, Option<Built>) {
    let mut chosen = design.clone();
    let mut slowest: Option<(i64, CollectiveId, Vec<Candidate>)> = None;
    for (id, collective) in design.collectives.enumerate().filter(|(_, collective)| collective.is_open()) {
        let candidates = candidates(builder, &chosen, id);
        let Some(first) = candidates.first() else { continue };
        take(&mut chosen, id, first);
        let all = first.cycles.saturating_mul(collective.calls.into());
        if slowest.as_ref().is_none_or(|(most, ..)| all > *most) {
            slowest = Some((all, id, candidates));
        }
    }
    let Some((_, id, candidates)) = slowest else { return (chosen, None) };
    match fastest(builder, &chosen, id, &candidates) {
        Some(built) => (built.found.design.clone(), Some(built)),
        None => (chosen, None),
    }
}

/// The fastest of the first candidates that can be built, the earlier one of equals. A candidate
/// with faults is known in milliseconds and does not count. A candidate is not built if its closed
/// form takes longer than the first call of one that was, and by more than [`DIFFERENCE`]. One with
/// many more connections is hard to place, and gets no such allowance.
fn fastest(
    builder: &Builder<'_>,
    design: &Design,
    id: CollectiveId,
    candidates: &[Candidate],
) -> Option<Built> {
    let share = u32::try_from(PLACED).unwrap_or(u32::MAX);
    let builder = Builder { search: builder.search.share(share), ..*builder };
    let mut built: Vec<Built> = Vec::new();
    let (mut placed, mut fewest) = (0, usize::MAX);
    for candidate in candidates {
        let fastest = built.iter().filter_map(|built| first_call(built, id)).reduce(f64::min);
        let slower = |factor: f64| fastest.is_some_and(|cycles| cycles * factor < candidate.cycles as f64);
        if placed == PLACED || slower(DIFFERENCE) {
            break;
        }
        let mut variant = design.clone();
        take(&mut variant, id, candidate);
        let front = pipeline::front_of(&variant, builder.options, &mut Log::default());
        let Some(front) = front else { continue };
        let links = front.checked.connections.len();
        if slower(1.0) && links > fewest.saturating_mul(DENSE) {
            continue;
        }
        fewest = fewest.min(links);
        placed += 1;
        built.extend(builder.place(&variant, &front));
    }
    let are_timed = built.iter().all(|built| built.timeline.is_some());
    let time = |built: &Built| match built.total() {
        Some(cycles) if are_timed => cycles,
        _ => built.estimated as f64,
    };
    built.into_iter().min_by(|a, b| time(a).total_cmp(&time(b)))
}

/// The cycle at which the first call of a collective returns at its root.
fn first_call(built: &Built, id: CollectiveId) -> Option<f64> {
    built.timeline.as_ref()?.collectives.get(id.index())?.first
}

/// Makes the choices of a collective.
fn take(design: &mut Design, id: CollectiveId, candidate: &Candidate) {
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
pub(crate) fn candidates(builder: &Builder<'_>, design: &Design, id: CollectiveId) -> Vec<Candidate> {
    let collective = &design.collectives[id];
    let given = collective.shape.value;
    let mut found: Vec<Candidate> = Vec::new();
    for root in roots(design, id) {
        for window in windows(design, id) {
            let mut variant = design.clone();
            variant.collectives[id].root = root;
            variant.collectives[id].window.value = window;
            let shapes = builder.shapes(&variant, id).into_iter();
            let legal = shapes.filter(|one| given.is_none_or(|given| given == one.shape));
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
