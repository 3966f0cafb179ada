//! Choices that a design leaves to the compiler: `shape auto`, `arity auto`, `window auto` and
//! `root any`.
//!
//! The closed form ranks the candidates of each collective. A beam search combines those of several
//! collectives in source order, since an early one takes windows that a later one needs. The event
//! model runs the first combinations, or almost all of them where the closed form knows little, on
//! a perfect placement: no placement of theirs is faster, so most lose to the first one that has
//! any placement. What is left gets quick placements, and the fastest on these gets the search of a
//! design that leaves nothing open. So a command with choices seldom takes more than twice the time
//! of one without.

use aiec_collectives::Shape;
use aiec_diag::SourceFile;
use aiec_ir::design::Instance;
use aiec_ir::{CollectiveId, Design, WindowType};

use crate::args::Placing;
use crate::invocation::{Invocation, Search, placement_file, solver_works};
use crate::pipeline::{self, Front, Log, Options};
use crate::solver::Solving;
use crate::variant::{Builder, Built, SMALLEST, is_alone, numbers_of_windows, shapes, with_hubs};

/// How many candidates are tried.
#[derive(Clone, Copy)]
struct Tried {
    /// Candidates that run on a perfect placement: the first by the closed form.
    ranked: usize,
    /// Candidates that get a quick placement: the first of these by their floors.
    raced: u32,
    /// Candidates that get a full search.
    placed: u32,
}

/// The usual numbers.
const USUAL: Tried = Tried { ranked: 6, raced: 4, placed: 2 };
/// Those of calls that are not alone, of which the closed form knows nothing, and of several
/// collectives. What the further runs take is saved in placements.
const MANY: Tried = Tried { ranked: 40, raced: 3, placed: 1 };

/// Combinations of the candidates of earlier collectives that get candidates of the next one.
const BEAM: usize = 8;
/// Combinations that are checked, and those that a descent runs.
const MOST: usize = 200;

/// Times within this factor are the same. The event model is less exact: within 4 % of the thesis's
/// measurements.
const SAME: f64 = 1.02;
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
    let (chosen, built) = choose(&Builder { search, options: &with_device(options, &design) }, &design);
    let mut front = pipeline::front_of(&chosen, options, &mut invocation.log)?;
    front.found = built.map(|built| Box::new(built.found));
    solver_works(&solving, placing, &front, &mut invocation.log);
    Some(front)
}

/// Text to checked design without a placement. The closed form makes the choices: it takes the
/// first ones that pass all checks.
pub(crate) fn unplaced(source: &SourceFile, options: &Options, log: &mut Log) -> Option<Front> {
    let design = pipeline::design(source, options, log)?;
    let (open, before) = (open_collectives(&design), log.diagnostics.len());
    let front = pipeline::front_of(&design, options, log);
    if open.is_empty() || front.is_some() {
        return front;
    }
    let options = &with_device(options, &design);
    let passes = |choice: &Choice| pipeline::front_of(&choice.design, options, &mut Log::default()).is_some();
    let passing = choices(options, &design, &open).into_iter().find(passes)?;
    log.diagnostics.truncate(before);
    pipeline::front_of(&passing.design, options, log)
}

/// The options with the device of a design, which is then read once for all candidates.
fn with_device(options: &Options, design: &Design) -> Options {
    let read = || aiec_device::builtin(&design.device.value).and_then(|outcome| outcome.into_parts().0);
    Options { device: options.device.clone().or_else(read), ..options.clone() }
}

/// A candidate for a collective.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Candidate {
    /// The links between its ranks.
    shape: Shape,
    /// The data of one transfer.
    window: WindowType,
    /// The kernel with the special part.
    root: Instance,
    /// Array cycles of a call by the closed form. Those of a further hub are those of another hub.
    cycles: i64,
}

/// A design in which some collectives have their candidates.
#[derive(Clone)]
struct Choice {
    design: Design,
    /// Array cycles of all calls of these collectives, by the closed form.
    cycles: i64,
}

/// The design with its choices made, and the placement of the one that was taken. Without a
/// placement the closed form decides, and the stages report why there is none.
fn choose(builder: &Builder<'_>, design: &Design) -> (Design, Option<Built>) {
    let open = open_collectives(design);
    let tried = tried(design, &open);
    let mut choices = choices(builder.options, design, &open);
    match fastest(builder, &choices, &open, tried) {
        Some(built) => (built.found.design.clone(), Some(built)),
        None => (choices.swap_remove(0).design, None),
    }
}

/// The collectives that leave something to the compiler.
fn open_collectives(design: &Design) -> Vec<CollectiveId> {
    let open = design.collectives.enumerate().filter(|(_, collective)| collective.is_open());
    open.map(|(id, _)| id).collect()
}

/// The design with the candidates of the `open` collectives, as a beam search combines them: the
/// cheapest by the closed form first. A collective without candidates stays open.
fn choices(options: &Options, design: &Design, open: &[CollectiveId]) -> Vec<Choice> {
    let mut choices = vec![Choice { design: design.clone(), cycles: 0 }];
    for &id in open {
        let next = combined(options, &choices, id);
        if !next.is_empty() {
            choices = next;
        }
        if Some(&id) != open.last() {
            choices.truncate(BEAM);
        }
    }
    choices
}

/// How many candidates of these collectives are tried.
fn tried(design: &Design, open: &[CollectiveId]) -> Tried {
    let is_usual = open.len() == 1 && open.iter().all(|&id| is_alone(design, id));
    if is_usual { USUAL } else { MANY }
}

/// Each of `choices` with each candidate for a collective. The first ones are the cheapest by the
/// closed form, then the cheapest of each further shape.
fn combined(options: &Options, choices: &[Choice], id: CollectiveId) -> Vec<Choice> {
    let mut found = Vec::new();
    for choice in choices {
        for candidate in candidates(options, &choice.design, id) {
            let calls = i64::from(choice.design.collectives[id].calls);
            let cycles = choice.cycles.saturating_add(candidate.cycles.saturating_mul(calls));
            found.push((cycles, candidate, choice));
        }
    }
    found.sort_by_key(|(cycles, ..)| *cycles);
    let mut seen: Vec<Shape> = Vec::new();
    let mut rank = |at: usize, shape: Shape| {
        let is_new = !seen.contains(&shape);
        seen.push(shape);
        if at < USUAL.ranked {
            0
        } else if is_new {
            1
        } else {
            2
        }
    };
    let mut found: Vec<_> =
        found.into_iter().enumerate().map(|(at, one)| (rank(at, one.1.shape), one)).collect();
    found.sort_by_key(|(rank, _)| *rank);
    let choice = |(cycles, candidate, choice): (i64, Candidate, &Choice)| {
        let mut design = choice.design.clone();
        take(&mut design, id, &candidate);
        Choice { design, cycles }
    };
    found.into_iter().take(MOST).map(|(_, one)| choice(one)).collect()
}

/// A candidate that passes all checks.
struct Contender {
    design: Design,
    front: Front,
    /// Array cycles of all calls by the closed form.
    estimated: i64,
    /// Array cycles of a run on a perfect placement. None when the event model makes no statement.
    floor: Option<f64>,
}

impl Contender {
    /// True if no placement takes noticeably less than `cycles`.
    fn loses_to(&self, cycles: f64) -> bool {
        self.floor.is_some_and(|floor| floor * SAME >= cycles)
    }

    fn links(&self) -> usize {
        self.front.checked.connections.len()
    }

    /// Array cycles on a placement, by the closed form where the event model makes no statement.
    fn cycles(&self, built: &Built) -> f64 {
        match self.floor {
            Some(_) => built.total().unwrap_or(f64::INFINITY),
            None => built.estimated as f64,
        }
    }
}

/// The fastest of the first candidates. A candidate with faults is known in milliseconds and does
/// not count. The fastest on a quick placement is placed by the full search, then the next one that
/// may still be faster and is not dense.
fn fastest(builder: &Builder<'_>, choices: &[Choice], open: &[CollectiveId], tried: Tried) -> Option<Built> {
    // The race has as much time as a full search.
    let builder = Builder { search: builder.search.share(tried.placed + 1), ..*builder };
    let mut all = contenders(&builder, choices, tried);
    if tried.ranked > USUAL.ranked {
        all = descended(&builder, all, open);
    }
    let contenders = race(&builder, all, tried.raced);
    let mut best: Option<(f64, usize, Built)> = None;
    let mut placed = 0;
    for contender in contenders {
        let links = contender.links();
        let is_beaten = |&(cycles, fewest, _): &(f64, usize, Built)| {
            contender.loses_to(cycles) || links > fewest.saturating_mul(DENSE)
        };
        if placed == tried.placed || best.as_ref().is_some_and(is_beaten) {
            continue;
        }
        placed += 1;
        let Some(built) = builder.place(&contender.design, &contender.front) else { continue };
        let cycles = contender.cycles(&built);
        if best.as_ref().is_none_or(|(least, ..)| cycles < *least) {
            best = Some((cycles, links, built));
        }
    }
    best.map(|(.., built)| built)
}

/// The first choices that pass all checks, those with the lowest floors first. If the event model
/// makes no statement about one, no floor counts.
fn contenders(builder: &Builder<'_>, choices: &[Choice], tried: Tried) -> Vec<Contender> {
    let mut is_timed = true;
    let checked = choices.iter().filter_map(|choice| {
        let contender = contender(builder, choice.clone(), is_timed)?;
        is_timed = contender.floor.is_some();
        Some(contender)
    });
    let mut contenders: Vec<Contender> = checked.take(tried.ranked).collect();
    if !is_timed {
        contenders.iter_mut().for_each(|contender| contender.floor = None);
        contenders.dedup_by_key(|contender| contender.estimated);
        contenders.truncate(USUAL.ranked);
    }
    sort(&mut contenders);
    contenders
}

/// A choice that passes all checks, with a floor if it is to be timed.
fn contender(builder: &Builder<'_>, choice: Choice, is_timed: bool) -> Option<Contender> {
    let Choice { design, cycles: estimated } = choice;
    let front = pipeline::front_of(&design, builder.options, &mut Log::default())?;
    let floor = is_timed.then(|| builder.floor(&front)).flatten();
    Some(Contender { design, front, estimated, floor })
}

/// Those with the lowest floors first.
fn sort(contenders: &mut [Contender]) {
    contenders.sort_by(|a, b| a.floor.unwrap_or_default().total_cmp(&b.floor.unwrap_or_default()));
}

/// Coordinate descent by floors: the contender with the lowest one, with each other candidate for
/// one of the `open` collectives, as long as that lowers the floor. What it meets joins the
/// contenders.
fn descended(builder: &Builder<'_>, mut contenders: Vec<Contender>, open: &[CollectiveId]) -> Vec<Contender> {
    let mut met: Vec<Vec<Taken>> = contenders.iter().map(|one| taken(&one.design, open)).collect();
    let mut runs = 0;
    while let Some(best) = contenders.first().filter(|best| best.floor.is_some()) {
        let (floor, start) = (best.floor, Choice { design: best.design.clone(), cycles: best.estimated });
        for &id in open {
            for candidate in candidates(builder.options, &start.design, id) {
                let mut choice = start.clone();
                take(&mut choice.design, id, &candidate);
                let taken = taken(&choice.design, open);
                if runs < MOST && !met.contains(&taken) {
                    runs += 1;
                    met.push(taken);
                    contenders.extend(contender(builder, choice, true).filter(|one| one.floor.is_some()));
                }
            }
        }
        sort(&mut contenders);
        contenders.truncate(MANY.ranked);
        if runs >= MOST || contenders.first().is_none_or(|best| best.floor >= floor) {
            break;
        }
    }
    contenders
}

/// What a collective has of a candidate.
type Taken = (Option<Shape>, Option<Shape>, WindowType, Instance);

/// What each of these collectives has.
fn taken(design: &Design, open: &[CollectiveId]) -> Vec<Taken> {
    let of = |&id: &CollectiveId| {
        let collective = &design.collectives[id];
        let (given, chosen) = (collective.shape.value, collective.details.open.chosen);
        (given, chosen, collective.window.value, collective.root)
    };
    open.iter().map(of).collect()
}

/// The contenders that may be the fastest, the first one on quick placements first. One without a
/// quick placement is hard to place, and counts only if all others are. Without floors all are
/// left, as the closed form ranks them.
fn race(builder: &Builder<'_>, contenders: Vec<Contender>, most: u32) -> Vec<Contender> {
    if contenders.len() < 2 || contenders.iter().any(|contender| contender.floor.is_none()) {
        return contenders;
    }
    let mut options = builder.options.clone();
    options.place.effort = 0;
    let quick = Builder { search: builder.search.share(most), options: &options };
    let (mut least, mut raced) = (f64::INFINITY, Vec::new());
    for contender in contenders.into_iter().take(most as usize) {
        if contender.loses_to(least) {
            break;
        }
        let built = quick.place(&contender.design, &contender.front);
        let cycles = built.map_or(f64::INFINITY, |built| contender.cycles(&built));
        least = least.min(cycles);
        raced.push((cycles, contender));
    }
    raced.retain(|(cycles, _)| cycles.is_finite() || least.is_infinite());
    raced.sort_by(|a, b| a.0.total_cmp(&b.0));
    raced.into_iter().map(|(_, contender)| contender).collect()
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Placing;
    use aiec_diag::Sources;
    use clap::Parser;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        placing: Placing,
    }

    /// The shapes of the contenders of a collective over `ranks` kernels, and those that are left
    /// after the race.
    fn shapes(operation: &str, ranks: u32, data: &str) -> [Vec<String>; 2] {
        shapes_of(format!(
            "design one\ndevice xcvc1902\nkernel w[{ranks}] {{ source \"w.cc\" stack 6 KiB }}\n\
             {operation} c over w {{ op sum data {data} shape auto cycles int64[1] }}\n\
             output times to gmio\nconnect c.cycles -> times\n"
        ))
    }

    /// The same for a design.
    fn shapes_of(text: String) -> [Vec<String>; 2] {
        let mut sources = Sources::default();
        let id = sources.add("d.dsl".to_owned(), text);
        let source = sources.get(id).expect("added");
        let (options, line) = (Options::default(), Line::parse_from(["aiec", "--jobs", "1"]));
        let design = pipeline::design(source, &options, &mut Log::default()).expect("a design");
        let solving = Solving::with(line.placing.solver);
        // Several tests search at a time, so none of them listens to Ctrl-C.
        let invocation = Invocation { is_one_of_many: true, ..Invocation::default() };
        let search = Search::of(&line.placing, &solving, &invocation);
        let builder = Builder { search, options: &options };
        let (id, _) = design.collectives.enumerate().next().expect("a collective");
        let names = |contenders: &[Contender]| {
            let shape = |one: &Contender| one.front.checked.collectives[id].plan.shape.to_string();
            contenders.iter().map(shape).collect()
        };
        let tried = tried(&design, &[id]);
        let start = [Choice { design, cycles: 0 }];
        let contenders = contenders(&builder, &combined(&options, &start, id), tried);
        let all = names(&contenders);
        [all, names(&race(&builder, contenders, tried.raced))]
    }

    #[test]
    fn a_candidate_that_loses_on_a_perfect_placement_is_not_placed() {
        let [all, left] = shapes("reduce", 16, "float[16]");
        assert_eq!(all.len(), USUAL.ranked);
        assert_eq!(left, ["stream"], "of {all:?}");
    }

    /// Each rank works 100 cycles longer than the one before, so the last one should be alone.
    #[test]
    fn ranks_that_begin_at_different_times_have_more_hubs() {
        let [all, _] = shapes_of(
            "design one\ndevice xcvc1902\nkernel w[r: 9] { source \"w.cc\" stack 6 KiB cycles 100 * r }\n\
             reduce c over w { op sum data int32[128] shape auto }\n\
             output sum to gmio\nconnect c.result -> sum\n"
                .to_owned(),
        );
        assert!(all.len() > USUAL.ranked && all.contains(&"hub 5".to_owned()), "{all:?}");
        let place = |shape: &str| all.iter().position(|one| one == shape);
        assert!(place("hub 5") < place("tree arity 2"), "{all:?}");
    }

    #[test]
    fn a_butterfly_that_loses_on_quick_placements_is_not_placed_first() {
        let [all, left] = shapes("allreduce", 16, "int32[1024]");
        assert_eq!(all[0], "butterfly", "the fastest on a perfect placement");
        assert_eq!(left, ["hub 4", "butterfly"]);
    }
}
