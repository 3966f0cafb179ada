//! Choices that a design leaves to the compiler: `shape auto`, `arity auto`, `window auto` and
//! `root any`.
//!
//! The closed form ranks the candidates of each collective. A beam search combines those of several
//! collectives in source order, since an early one takes windows that a later one needs. The event
//! model runs the first combinations, or almost all of them where the closed form knows little, on
//! a perfect placement. The fastest there gets the search of a design that leaves nothing open. No
//! placement of the others is faster than their perfect one, so most lose to it. What is left gets
//! quick placements. So a command with choices seldom takes more than twice the time of one
//! without.

use std::cmp::Ordering;

use aiec_collectives::Shape;
use aiec_diag::SourceFile;
use aiec_ir::design::Collective;
use aiec_ir::{CollectiveId, Design};

use crate::args::Placing;
use crate::candidates::{Candidate, Candidates, Taken, shape_of, take, taken};
use crate::invocation::{Invocation, Search, placement_file, solver_works};
use crate::pipeline::{self, Front, Log, Options};
use crate::solver::Solving;
use crate::variant::{Builder, Built, given, is_alone};

/// How many candidates are tried.
#[derive(Clone, Copy)]
struct Tried {
    /// Candidates that run on a perfect placement: the first by the closed form.
    ranked: usize,
    /// Candidates that get a quick placement: the first of each kind of shape by their floors.
    raced: u32,
    /// Candidates that get a full search in any case.
    placed: u32,
}

/// The usual numbers.
const USUAL: Tried = Tried { ranked: 6, raced: 4, placed: 3 };
/// Those of calls that are not alone, of which the closed form knows nothing, and of several
/// collectives. What the further runs take is saved in placements.
const MANY: Tried = Tried { ranked: 20, raced: 3, placed: 1 };

/// Combinations of the candidates of earlier collectives that get candidates of the next one.
const BEAM: usize = 8;
/// Combinations that are checked, and those that a descent runs.
const MOST: usize = 200;

/// Times within this factor are the same. The event model is less exact: within 4 % of the thesis's
/// measurements.
const SAME: f64 = 1.02;
/// Of many candidates those are not checked of which one call alone takes this many times the
/// lowest floor, by the closed form. No placement of the others is known then, which may take
/// longer than their floors: a butterfly of 16 ranks takes 1.4 times as long.
const FAR: f64 = 2.0;
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
    let passing = choices(&mut Candidates::new(options), &design, &open).into_iter().find(passes)?;
    log.diagnostics.truncate(before);
    pipeline::front_of(&passing.design, options, log)
}

/// The options with the device of a design, which is then read once for all candidates.
fn with_device(options: &Options, design: &Design) -> Options {
    let read = || aiec_device::builtin(&design.device.value).and_then(|outcome| outcome.into_parts().0);
    Options { device: options.device.clone().or_else(read), ..options.clone() }
}

/// A design in which some collectives have their candidates.
#[derive(Clone)]
struct Choice {
    design: Design,
    /// Array cycles of all calls of these collectives, by the closed form.
    cycles: i64,
    /// Those of the longest single call.
    longest: i64,
}

impl Choice {
    /// True if one call of a collective alone takes far longer than a whole run of `least` cycles.
    fn is_far(&self, least: Option<f64>) -> bool {
        least.is_some_and(|least| self.longest as f64 > least * FAR)
    }
}

/// The design with its choices made, and the placement of the one that was taken. Without a
/// placement the closed form decides, and the stages report why there is none.
fn choose(builder: &Builder<'_>, design: &Design) -> (Design, Option<Built>) {
    let open = open_collectives(design);
    let tried = tried(design, &open);
    let mut of = Candidates::new(builder.options);
    let mut choices = choices(&mut of, design, &open);
    match fastest(builder, &choices, (&mut of, &open), tried) {
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
fn choices(of: &mut Candidates<'_>, design: &Design, open: &[CollectiveId]) -> Vec<Choice> {
    let mut choices = vec![Choice { design: design.clone(), cycles: 0, longest: 0 }];
    for &id in open {
        let next = combined(of, &choices, id);
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
fn combined(of: &mut Candidates<'_>, choices: &[Choice], id: CollectiveId) -> Vec<Choice> {
    let mut found = Vec::new();
    for choice in choices {
        for candidate in of.of(&choice.design, id) {
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
        Choice { design, cycles, longest: choice.longest.max(candidate.cycles) }
    };
    found.into_iter().take(MOST).map(|(_, one)| choice(one)).collect()
}

/// A candidate that passes all checks.
struct Contender {
    design: Design,
    front: Front,
    /// Array cycles of all calls by the closed form.
    estimated: i64,
    /// Those of the longest single call, and of those that others have had in its place.
    longest: i64,
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

/// A placement of a contender.
struct Best {
    /// Array cycles on it.
    cycles: f64,
    /// The number of its connections.
    links: usize,
    built: Built,
}

/// Full searches, and the best placement that they found.
struct Places<'a> {
    builder: &'a Builder<'a>,
    /// The number of searches.
    number: u32,
    best: Option<Best>,
}

impl Places<'_> {
    /// True if a contender cannot be noticeably faster than the best, or takes long to place.
    fn beat(&self, contender: &Contender) -> bool {
        self.best.as_ref().is_some_and(|best| {
            contender.loses_to(best.cycles) || contender.links() > best.links.saturating_mul(DENSE)
        })
    }

    /// Places a contender.
    fn place(&mut self, contender: &Contender) {
        self.number += 1;
        let Some(built) = self.builder.place(&contender.design, &contender.front) else { return };
        let cycles = contender.cycles(&built);
        if self.best.as_ref().is_none_or(|best| cycles < best.cycles) {
            self.best = Some(Best { cycles, links: contender.links(), built });
        }
    }
}

/// The fastest of the first candidates. A candidate with faults is known in milliseconds and does
/// not count. The one with the lowest floor is placed by the full search, unless it is dense: in
/// most designs all others lose to it. Those that do not get quick placements, and the fastest on
/// these the full search.
fn fastest(
    builder: &Builder<'_>,
    choices: &[Choice],
    (of, open): (&mut Candidates<'_>, &[CollectiveId]),
    tried: Tried,
) -> Option<Built> {
    // The race has as much time as a full search.
    let builder = Builder { search: builder.search.share(USUAL.placed + 1), ..*builder };
    let mut all = contenders(&builder, choices, tried);
    if tried.ranked > USUAL.ranked {
        all = descended(&builder, all, of, open);
    }
    let mut places = Places { builder: &builder, number: 0, best: None };
    if is_first_sparse(&all, tried) {
        places.place(&all.remove(0));
    }
    all.retain(|contender| !places.beat(contender));
    let mut raced = race(&builder, all, tried.raced);
    if raced.iter().all(|(quick, _)| places.best.as_ref().is_some_and(|best| *quick >= best.cycles)) {
        // Quick placements say nothing about a full search here: their floors do.
        raced.sort_by(|(_, a), (_, b)| by_floor(a, b));
    }
    for (quick, contender) in raced {
        let is_faster = places.best.as_ref().is_none_or(|best| quick < best.cycles);
        let is_left = places.number < tried.placed || is_faster && places.number < USUAL.placed;
        if is_left && !places.beat(&contender) {
            places.place(&contender);
        }
    }
    places.best.map(|best| best.built)
}

/// True if the contender with the lowest floor takes no longer to place than the others.
fn is_first_sparse(contenders: &[Contender], tried: Tried) -> bool {
    let links = contenders.iter().take(tried.raced as usize).map(Contender::links);
    let fewest = links.min().unwrap_or(0);
    let is_sparse = |first: &Contender| first.links() <= fewest.saturating_mul(DENSE);
    contenders.first().filter(|first| first.floor.is_some()).is_some_and(is_sparse)
}

/// The first choices that pass all checks, those with the lowest floors first. If the event model
/// makes no statement about one, no floor counts.
fn contenders(builder: &Builder<'_>, choices: &[Choice], tried: Tried) -> Vec<Contender> {
    let (mut is_timed, mut least) = (true, None);
    let checked = choices.iter().filter_map(|choice| {
        if tried.ranked > USUAL.ranked && choice.is_far(least) {
            return None;
        }
        let contender = contender(builder, choice.clone(), is_timed)?;
        is_timed = contender.floor.is_some();
        least = contender.floor.map(|floor| least.map_or(floor, |least: f64| least.min(floor)));
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
    let Choice { design, cycles: estimated, longest } = choice;
    let front = pipeline::front_of(&given(&design), builder.options, &mut Log::default())?;
    let floor = is_timed.then(|| builder.floor(&front)).flatten();
    Some(Contender { design, front, estimated, longest, floor })
}

/// Those with the lowest floors first.
fn sort(contenders: &mut [Contender]) {
    contenders.sort_by(by_floor);
}

fn by_floor(a: &Contender, b: &Contender) -> Ordering {
    a.floor.unwrap_or_default().total_cmp(&b.floor.unwrap_or_default())
}

/// Coordinate descent by floors: the contender with the lowest one, with each other candidate for
/// one of the `open` collectives, as long as that lowers the floor. What it meets joins the
/// contenders.
fn descended(
    builder: &Builder<'_>,
    mut contenders: Vec<Contender>,
    of: &mut Candidates<'_>,
    open: &[CollectiveId],
) -> Vec<Contender> {
    let mut met: Vec<Vec<Taken>> = contenders.iter().map(|one| taken(&one.design, open)).collect();
    let mut runs = 0;
    while let Some(best) = contenders.first().filter(|best| best.floor.is_some()) {
        let Contender { floor, estimated: cycles, longest, .. } = *best;
        let start = Choice { design: best.design.clone(), cycles, longest };
        for &id in open {
            for candidate in of.of(&start.design, id) {
                let mut choice = start.clone();
                take(&mut choice.design, id, &candidate);
                choice.longest = choice.longest.max(candidate.cycles);
                let taken = taken(&choice.design, open);
                if runs < MOST && !choice.is_far(floor) && !met.contains(&taken) {
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

/// Contenders with their cycles on quick placements, the fastest first: no more than `most`, and
/// none that cannot be the fastest. One without a quick placement is hard to place, and counts only
/// if all others are. Without floors all are left, as the closed form ranks them.
fn race(builder: &Builder<'_>, contenders: Vec<Contender>, most: u32) -> Vec<(f64, Contender)> {
    if contenders.len() < 2 || contenders.iter().any(|contender| contender.floor.is_none()) {
        let floor = |one: &Contender| one.floor.unwrap_or(f64::INFINITY);
        return contenders.into_iter().map(|one| (floor(&one), one)).collect();
    }
    let mut options = builder.options.clone();
    options.place.effort = 0;
    let quick = Builder { search: builder.search.share(most), options: &options };
    let (mut least, mut raced) = (f64::INFINITY, Vec::new());
    for contender in kinds_first(contenders).into_iter().take(most as usize) {
        if contender.loses_to(least) {
            continue;
        }
        let built = quick.place(&contender.design, &contender.front);
        let cycles = built.map_or(f64::INFINITY, |built| contender.cycles(&built));
        least = least.min(cycles);
        raced.push((cycles, contender));
    }
    raced.retain(|(cycles, _)| cycles.is_finite() || least.is_infinite());
    raced.sort_by(|a, b| a.0.total_cmp(&b.0));
    raced
}

/// The first contender of each kind of shape, then the others: of like shapes the perfect placement
/// knows which is faster, but regions and partners may leave each kind another part of it.
fn kinds_first(contenders: Vec<Contender>) -> Vec<Contender> {
    let mut met = Vec::new();
    let (mut first, mut rest) = (Vec::new(), Vec::new());
    for contender in contenders {
        let kind = |collective: &Collective| shape_of(collective).map(|shape| std::mem::discriminant(&shape));
        let kinds: Vec<_> = contender.design.collectives.iter().map(kind).collect();
        if met.contains(&kinds) {
            rest.push(contender);
        } else {
            met.push(kinds);
            first.push(contender);
        }
    }
    first.extend(rest);
    first
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
        let start = [Choice { design, cycles: 0, longest: 0 }];
        let choices = combined(&mut Candidates::new(&options), &start, id);
        let contenders = contenders(&builder, &choices, tried);
        let all = names(&contenders);
        let left: Vec<Contender> =
            race(&builder, contenders, tried.raced).into_iter().map(|one| one.1).collect();
        [all, names(&left)]
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

    /// Hubs need many neighbours, which a row does not have.
    #[test]
    fn in_a_row_one_shape_of_each_kind_is_placed() {
        let [all, left] = shapes_of(
            "design one\ndevice xcvc1902\nkernel w[10] { source \"w.cc\" stack 6 KiB }\n\
             allreduce c over w { op sum data int32[256] calls 8 shape auto }\n\
             region w in (10, 0) to (19, 0)\n"
                .to_owned(),
        );
        let hubs = |shapes: &[String]| shapes.iter().filter(|one| one.starts_with("hub")).count();
        assert!(hubs(&all[..3]) > 1, "the fastest on a perfect placement: {all:?}");
        assert_eq!(hubs(&left), 1, "of {left:?}");
    }

    #[test]
    fn shapes_without_windows_are_tried_once() {
        let [all, _] = shapes_of(
            "design one\ndevice xcvc1902\nkernel w[8] { source \"w.cc\" stack 6 KiB }\n\
             reduce c over w { op sum data int32[256] calls 8 shape auto window auto }\n"
                .to_owned(),
        );
        assert_eq!(all.iter().filter(|&one| one == "stream").count(), 1, "{all:?}");
    }

    #[test]
    fn a_butterfly_that_loses_on_quick_placements_is_not_placed_first() {
        let [all, left] = shapes("allreduce", 16, "int32[1024]");
        assert_eq!(all[0], "butterfly", "the fastest on a perfect placement");
        assert_eq!(left, ["hub 4", "butterfly"]);
    }
}
