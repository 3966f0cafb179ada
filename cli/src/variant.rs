//! Variants of a design, compared by their times: built, placed, routed and simulated.

use aiec_ir::CollectiveId;
use aiec_ir::Design;
use aiec_ir::expanded::Compared;
use aiec_placer::Pins;

use crate::invocation::Search;
use crate::pipeline::{self, Agreed, Front, Log, Options};
use crate::summary::silence;

/// Builds variants.
pub(crate) struct Builder<'a> {
    /// The services for their placements.
    pub(crate) search: Search<'a>,
    /// The options of all of them.
    pub(crate) options: &'a Options,
}

/// A variant on its placement.
pub(crate) struct Built {
    /// The checked design.
    #[allow(dead_code)]
    pub(crate) front: Front,
    /// Placement and routes.
    #[allow(dead_code)]
    pub(crate) agreed: Agreed,
    /// Array cycles of all runs in the event model.
    pub(crate) cycles: f64,
}

impl Builder<'_> {
    /// Builds a design. Returns None if it cannot be built, or if the event model makes no
    /// statement about it.
    pub(crate) fn build(&self, design: &Design) -> Option<Built> {
        let log = &mut Log::default();
        let front = pipeline::front_of(design, self.options, log)?;
        let agreed = self.search.run(&front, &Pins::default(), self.options, log)?;
        let back = pipeline::back(&front, agreed.clone(), log)?;
        let timeline = pipeline::timeline(&front, &back, log);
        let timeline = timeline.filter(|timeline| silence(&front, Some(timeline)).is_none())?;
        Some(Built { front, agreed, cycles: timeline.total_cycles })
    }

    /// The same with other options.
    pub(crate) const fn with<'b>(&'b self, options: &'b Options) -> Builder<'b> {
        Builder { search: self.search, options }
    }

    /// All shapes of a collective with their cycles by the closed form, the cheapest first. Empty
    /// for a design with faults.
    pub(crate) fn shapes(&self, design: &Design, id: CollectiveId) -> Vec<Compared> {
        let mut open = design.clone();
        open.collectives[id].shape.value = None;
        let expanded = pipeline::expand_of(&open, self.options, &mut Log::default());
        expanded.map(|expanded| expanded.collectives[id].compared.clone()).unwrap_or_default()
    }
}
