//! Choices that a design leaves to the compiler: `shape auto`, `arity auto`, `window auto` and
//! `root any`.
//!
//! The closed form ranks the candidates of each collective. A beam search combines those of several
//! collectives in source order, since an early one takes windows that a later one needs. The event
//! model runs the first combinations on a perfect placement. Where the closed form knows little, a
//! coordinate descent adds their neighbours. No placement of a combination is faster than its
//! perfect one, so most lose to the best. What is left gets quick placements. One or two get the
//! search of a design that leaves nothing open. So a command with choices seldom takes more than
//! twice the time of one without.

use aiec_collectives::Shape;
use aiec_diag::SourceFile;
use aiec_ir::{CollectiveId, Design};
use aiec_timing::ShapeGuide;

use crate::args::Placing;
use crate::candidates::{Candidate, Candidates, take};
use crate::contenders::{
    Choice, Contender, MANY, SAME, Tried, USUAL, by_floor, contenders, first_sparse, is_dense, race,
};
use crate::descent::Descent;
use crate::invocation::{Invocation, Search, placement_file, solver_works};
use crate::pipeline::{self, Front, Log, Options};
use crate::solver::Solving;
use crate::variant::{Builder, Built, is_alone};

/// Combinations of the candidates of earlier collectives that get candidates of the next one.
const BEAM: usize = 8;
/// A dense candidate gets a full search if its quick placement takes this many times less than the
/// best placement.
const WORTH: f64 = 1.05;
/// The most combinations that are checked.
const MOST: usize = 200;

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

/// The options with the device of a design and its limits, which are then read once for all
/// candidates.
fn with_device(options: &Options, design: &Design) -> Options {
    let device = options.device_of(design);
    Options { limits: Some(ShapeGuide::of(device.as_ref())), device, ..options.clone() }
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
    /// Array cycles on the best placement so far. Infinite when there is none.
    fn cycles(&self) -> f64 {
        self.best.as_ref().map_or(f64::INFINITY, |best| best.cycles)
    }

    /// True if a contender takes much longer to place than the best one.
    fn is_dense(&self, contender: &Contender) -> bool {
        self.best.as_ref().is_some_and(|best| is_dense(contender.links(), best.links))
    }

    /// Places a contender.
    fn place(&mut self, contender: &Contender) {
        self.number += 1;
        let Some(built) = self.builder.place(&contender.design, &contender.front) else { return };
        let cycles = contender.cycles(&built);
        if self.best.is_none() || cycles < self.cycles() {
            self.best = Some(Best { cycles, links: contender.links(), built });
        }
    }
}

/// The fastest of the first candidates. A candidate with faults is known in milliseconds and does
/// not count. Usually the one with the lowest floor gets the full search first: in most designs all
/// others lose to it. Those that do not get quick placements, and the fastest on these the full
/// search. Dense ones come later, and only if their quick placement is faster than the best.
fn fastest(
    builder: &Builder<'_>,
    choices: &[Choice],
    (of, open): (&mut Candidates<'_>, &[CollectiveId]),
    tried: Tried,
) -> Option<Built> {
    // The race has as much time as a full search.
    let builder = Builder { search: builder.search.share(tried.placed + 1), ..*builder };
    let mut all = contenders(&builder, choices, tried);

    let mut places = Places { builder: &builder, number: 0, best: None };
    let mut raced = if tried.is_by_floors {
        if let Some(at) = first_sparse(all.iter().take(tried.raced as usize)) {
            places.place(&all.remove(at));
        }
        all.retain(|contender| !contender.loses_to(places.cycles()));
        race(&builder, all, tried.raced)
    } else {
        let mut descent = Descent { builder: &builder, of, open, met: Vec::new(), runs: 0 };
        all = descent.by_floors(all);
        descent.by_quick_placements(race(&builder, all, tried.raced), tried.raced)
    };
    let mut is_believed = raced.iter().any(|(quick, _)| *quick < places.cycles());
    if places.number == 0 && !raced.is_empty() {
        let first = first_sparse(raced.iter().map(|(_, contender)| contender)).unwrap_or(0);
        let (quick, contender) = raced.remove(first);
        places.place(&contender);
        is_believed = contender.floor.is_none() || places.cycles() * SAME >= quick;
    }
    if !is_believed {
        // Quick placements say nothing about a full search here: their floors do.
        raced.sort_by(|(_, a), (_, b)| by_floor(a, b));
    }
    for (quick, contender) in raced {
        let is_wanted = if places.is_dense(&contender) {
            quick * WORTH < places.cycles()
        } else {
            tried.is_by_floors || !is_believed || quick < places.cycles()
        };
        if is_wanted && places.number < tried.placed && !contender.loses_to(places.cycles()) {
            places.place(&contender);
        }
    }
    places.best.map(|best| best.built)
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
        with_builder(text, |builder, design, id| {
            let names = |contenders: &[Contender]| {
                let shape = |one: &Contender| one.front.checked.collectives[id].plan.shape.to_string();
                contenders.iter().map(shape).collect()
            };
            let tried = tried(&design, &[id]);
            let start = [Choice { design, cycles: 0, longest: 0 }];
            let choices = combined(&mut Candidates::new(builder.options), &start, id);
            let contenders = contenders(builder, &choices, tried);
            let all = names(&contenders);
            let left: Vec<Contender> =
                race(builder, contenders, tried.raced).into_iter().map(|one| one.1).collect();
            [all, names(&left)]
        })
    }

    /// What a function of the first collective of a design returns.
    fn with_builder<T>(text: String, function: impl FnOnce(&Builder<'_>, Design, CollectiveId) -> T) -> T {
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
        function(&builder, design, id)
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
    fn in_a_row_shapes_of_all_kinds_are_placed() {
        let [all, left] = shapes_of(
            "design one\ndevice xcvc1902\nkernel w[10] { source \"w.cc\" stack 6 KiB }\n\
             allreduce c over w { op sum data int32[256] calls 8 shape auto }\n\
             region w in (10, 0) to (19, 0)\n"
                .to_owned(),
        );
        let hubs = all[..3].iter().filter(|one| one.starts_with("hub")).count();
        assert!(hubs > 1, "the fastest on a perfect placement: {all:?}");
        for kind in ["hub", "butterfly", "tree"] {
            assert!(left.iter().any(|one| one.starts_with(kind)), "{kind} in {left:?}");
        }
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

    /// A butterfly of 8 ranks has 24 connections, and a tree has 14.
    #[test]
    fn the_first_that_is_placed_is_not_dense() {
        let text = "design one\ndevice xcvc1902\nkernel w[8] { source \"w.cc\" stack 6 KiB }\n\
                    allreduce c over w { op sum data int32[256] shape auto }\n";
        with_builder(text.to_owned(), |builder, design, id| {
            let start = [Choice { design, cycles: 0, longest: 0 }];
            let choices = combined(&mut Candidates::new(builder.options), &start, id);
            let contenders = contenders(builder, &choices, USUAL);
            let shape = |one: &Contender| one.front.checked.collectives[id].plan.shape;
            assert_eq!(shape(&contenders[0]), Shape::Butterfly, "the fastest on a perfect placement");
            let first = first_sparse(contenders.iter()).expect("it has a floor");
            assert_ne!(shape(&contenders[first]), Shape::Butterfly);
        });
    }

    /// The cascade of 8 ranks is one connection.
    #[test]
    fn a_stream_is_not_dense_beside_a_cascade() {
        let text = "design one\ndevice xcvc1902\nkernel w[8] { source \"w.cc\" stack 6 KiB }\n\
                    reduce c over w { op sum data int32[16] root any shape auto }\n";
        with_builder(text.to_owned(), |builder, design, id| {
            let start = [Choice { design, cycles: 0, longest: 0 }];
            let choices = combined(&mut Candidates::new(builder.options), &start, id);
            let contenders = contenders(builder, &choices, USUAL);
            let shape = |one: &Contender| one.front.checked.collectives[id].plan.shape;
            assert_eq!([shape(&contenders[0]), shape(&contenders[1])], [Shape::Stream, Shape::Cascade]);
            assert_eq!(first_sparse(contenders.iter()), Some(0));
        });
    }

    /// The closed form has no time for a result to leave, so it ranks large windows first.
    #[test]
    fn a_descent_finds_windows_that_the_closed_form_ranks_late() {
        let text = "design one\ndevice xcvc1902\nkernel w[4] { source \"w.cc\" stack 20 KiB }\n\
                    reduce c over w { op sum data int32[4096] shape auto window auto root any }\n\
                    output sum to gmio\nconnect c.result -> sum\n";
        with_builder(text.to_owned(), |builder, design, id| {
            let tried = tried(&design, &[id]);
            let start = [Choice { design, cycles: 0, longest: 0 }];
            let mut of = Candidates::new(builder.options);
            let choices = combined(&mut of, &start, id);
            let ranked = contenders(builder, &choices, tried);
            let before = ranked[0].floor.expect("a floor");
            let mut descent = Descent { builder, of: &mut of, open: &[id], met: Vec::new(), runs: 0 };
            let after = descent.by_floors(ranked)[0].floor.expect("a floor");
            assert!(after < before, "{after} after {before}");
        });
    }

    #[test]
    fn a_butterfly_that_loses_on_quick_placements_is_not_placed_first() {
        let [all, left] = shapes("allreduce", 16, "int32[1024]");
        assert_eq!(all[0], "butterfly", "the fastest on a perfect placement");
        assert_eq!(left, ["hub 4", "butterfly"]);
    }
}
