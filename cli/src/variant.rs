//! Variants of a design, compared by their times: built, placed, routed and run in the event model.

use aiec_collectives::Shape;
use aiec_diag::Diagnostic;
use aiec_event_model::Timeline;
use aiec_ir::design::{Collective, Node};
use aiec_ir::expanded::Compared;
use aiec_ir::{CollectiveId, Design, FamilyId};

use crate::invocation::Search;
use crate::pipeline::{self, Agreed, Front, Log, Options};
use crate::unstated::silence;

/// The smallest window in bytes that was measured (thesis 3.3).
pub(crate) const SMALLEST: u64 = 16;
/// The most windows in the data of a call that are tried.
const MOST_WINDOWS: u32 = 64;

/// Numbers of windows that carry the data of a call: 1, 2, 4 and so on.
pub(crate) fn numbers_of_windows() -> impl Iterator<Item = u32> {
    (0..).map(|power| 1_u32 << power).take_while(|&parts| parts <= MOST_WINDOWS)
}

/// A placement that was found while the compiler chose.
#[derive(Debug)]
pub struct Found {
    /// The design with its choices made.
    pub design: Design,
    /// The placement and its routes, or the reason why there are none.
    pub agreed: Agreed,
    /// The diagnostics of the search.
    pub said: Vec<Diagnostic>,
}

/// True if a run has one call of a collective, no rank works or waits before it, and its result
/// stays. The closed form has the time of such a call alone. It knows nothing of calls that
/// overlap, of ranks that begin at different times, or of a result that leaves.
pub(crate) fn is_alone(design: &Design, id: CollectiveId) -> bool {
    let collective = &design.collectives[id];
    let is_idle = |family: FamilyId| {
        let family = &design.families[family];
        family.ports.is_empty() && family.bodies.iter().all(|body| body.cycles.is_none())
    };
    collective.calls == 1
        && design.iterations == 1
        && !has_connected_result(design, id)
        && collective.group.iter().all(|rank| is_idle(rank.family))
}

/// True if the design connects the result of a collective. It leaves window by window then, in all
/// shapes.
pub(crate) fn has_connected_result(design: &Design, id: CollectiveId) -> bool {
    let mut ends = design.graph.edge_weights().flat_map(|link| &link.from);
    ends.any(|end| end.node == Node::Collective(id) && end.ports.contains(&Collective::RESULT))
}

/// Builds variants of a design: places, routes and times them.
#[derive(Clone, Copy)]
pub(crate) struct Builder<'a> {
    /// The way to their placements.
    pub(crate) search: Search<'a>,
    /// The options of all of them.
    pub(crate) options: &'a Options,
}

/// A variant on its placement.
pub(crate) struct Built {
    /// The design of the variant with its placement and routes.
    pub(crate) found: Found,
    /// The times of the event model. None when it makes no statement.
    pub(crate) timeline: Option<Timeline>,
    /// Array cycles of all calls of all collectives in one run, by the closed form.
    pub(crate) estimated: i64,
}

impl Built {
    /// Array cycles of all runs in the event model.
    pub(crate) fn total(&self) -> Option<f64> {
        self.timeline.as_ref().map(|timeline| timeline.total_cycles)
    }
}

impl Builder<'_> {
    /// Builds a design. Returns None when it cannot be built.
    pub(crate) fn build(&self, design: &Design) -> Option<Built> {
        let front = pipeline::front_of(design, self.options, &mut Log::default())?;
        self.place(design, &front)
    }

    /// Places a checked design and runs it in the event model. Returns None when it cannot be
    /// placed.
    pub(crate) fn place(&self, design: &Design, front: &Front) -> Option<Built> {
        let mut log = Log::default();
        let agreed = self.search.run(front, self.options, &mut log)?;
        let said = std::mem::take(&mut log.diagnostics);
        let back = pipeline::back(front, agreed.clone(), &mut log)?;
        let timeline = pipeline::timeline(front, &back, &self.search.timing().watch(), &mut log);
        let timeline = timeline.filter(|timeline| silence(front, Some(timeline)).is_none());
        let estimates = back.estimate.collectives.iter().map(|collective| collective.total_cycles);
        Some(Built {
            found: Found { design: design.clone(), agreed, said },
            timeline,
            estimated: estimates.fold(0, i64::saturating_add),
        })
    }

    /// Array cycles that a checked design takes at least, whatever its placement. Returns None when
    /// the event model makes no statement.
    pub(crate) fn floor(&self, front: &Front) -> Option<f64> {
        let Front { device, profile, .. } = front;
        let watch = self.search.timing();
        let run = aiec_event_model::perfect(front.timed(), device, profile, &watch.watch());
        let timeline = run.into_parts().0.filter(|timeline| silence(front, Some(timeline)).is_none());
        timeline.map(|timeline| timeline.total_cycles)
    }

    /// The same with other options.
    pub(crate) const fn with<'b>(&'b self, options: &'b Options) -> Builder<'b> {
        Builder { search: self.search, options }
    }
}

/// Further hubs for a collective that may be one: of 2 clusters, and of a third more each
/// further one. They have the cycles of the hub that [`shapes`] compares.
pub(crate) fn with_hubs(design: &Design, id: CollectiveId, mut shapes: Vec<Compared>) -> Vec<Compared> {
    let is_hub = |one: &&Compared| matches!(one.shape, Shape::Hub(_)) && one.cycles.is_ok();
    let Some(known) = shapes.iter().find(is_hub).cloned() else { return shapes };
    let ranks = u32::try_from(design.collectives[id].group.len()).unwrap_or(u32::MAX);
    let next = |&clusters: &u32| Some(clusters.saturating_add((clusters / 3).max(1)));
    let numbers = std::iter::successors(Some(2), next).take_while(|&clusters| clusters < ranks);
    let hubs = numbers.map(Shape::Hub).filter(|&hub| hub != known.shape);
    shapes.extend(hubs.map(|shape| Compared { shape, ..known.clone() }));
    shapes
}

/// The design that states the shapes chosen in this one. Its expansion is the same, but compares no
/// shapes, which takes most of its time.
pub(crate) fn given(design: &Design) -> Design {
    let mut given = design.clone();
    for id in design.collectives.ids() {
        let collective = &mut given.collectives[id];
        collective.shape.value = collective.shape.value.or(collective.details.open.chosen);
    }
    given
}

/// The shapes that a collective may choose, with their cycles by the closed form, the cheapest
/// first. Empty for a design with faults.
pub(crate) fn shapes(design: &Design, options: &Options, id: CollectiveId) -> Vec<Compared> {
    let mut open = given(design);
    open.collectives[id].shape.value = None;
    let expanded = pipeline::expand(&open, options, &mut Log::default());
    expanded.map(|expanded| expanded.collectives[id].compared.clone()).unwrap_or_default()
}

/// The same for a collective that the design lets choose any shape, not its arity alone.
pub(crate) fn all_shapes(design: &Design, options: &Options, id: CollectiveId) -> Vec<Compared> {
    let mut open = design.clone();
    open.collectives[id].details.open.arity = false;
    shapes(&open, options, id)
}
