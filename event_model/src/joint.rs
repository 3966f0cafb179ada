//! Calls that all ranks of a collective make together: along the cascade, or over streams.

use aiec_collectives::{Carry, Costs, LinkId, Plan, Schedule, Step, StepCost, busy, finish_times};
use aiec_ir::expanded::Collective;
use aiec_ir::{CollectiveId, Loops};
use aiec_router_model::way_cycles;
use aiec_timing::Moves;

use crate::links::Sources;

/// The times of a call in cycles, by rank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Joint {
    /// From the call's start until the rank begins.
    pub(crate) begins: Vec<i64>,
    /// From its begin until the rank ends.
    pub(crate) lasts: Vec<i64>,
    /// Cycles in which the rank computes or moves data.
    pub(crate) busy: Vec<i64>,
}

impl Sources<'_> {
    /// The times of a call of a collective. Returns None when its ranks pass windows or open
    /// channels.
    pub(crate) fn joint(&self, id: CollectiveId, collective: &Collective) -> Option<Joint> {
        let loops = collective.data_loops();
        let loops = Loops { scalar: loops.scalar && !self.ideal.has_best_code(), ..loops };
        if collective.plan.is_cascade() {
            return self.along_cascade(loops, &collective.plan);
        }
        let steps = collective.plan.is_opened() && !collective.plan.row().is_channel();
        steps.then(|| self.over_streams(id, collective, loops))
    }

    /// Vectors follow each other at one pace everywhere, each rank some cycles after the one before
    /// it. The model ignores the FIFOs between cores, which hold four vectors.
    fn along_cascade(&self, loops: Loops, plan: &Plan) -> Option<Joint> {
        let times = self.profile.cascade(loops, plan.size)?;
        let ranks = plan.size as usize;
        Some(Joint {
            begins: (0..i64::from(plan.size)).map(|rank| times.rank.saturating_mul(rank)).collect(),
            lasts: vec![times.flow.saturating_add(times.rank); ranks],
            busy: vec![times.flow; ranks],
        })
    }

    /// The first words pass all ranks, then the others follow at the pace of the busiest rank.
    fn over_streams(&self, id: CollectiveId, collective: &Collective, loops: Loops) -> Joint {
        let schedule = collective.plan.paced(self.profile.words(loops));
        let words = Words { of: self, loops, ways: self.ways(id, &schedule) };
        let first = finish_times(&schedule, &words, &[]);
        let all: Vec<(i64, i64)> =
            schedule.programs.iter().map(|program| busy(program, &|step| words.further(step))).collect();
        let further = all.iter().map(|(round, all)| all.saturating_sub(*round)).max().unwrap_or(0);
        Joint {
            begins: vec![0; first.len()],
            lasts: first.into_iter().map(|first| first.saturating_add(further)).collect(),
            busy: all.into_iter().map(|(_, all)| all).collect(),
        }
    }

    /// Cycles of a word on the way to each receiver of each link.
    fn ways(&self, id: CollectiveId, schedule: &Schedule) -> Vec<Vec<i64>> {
        let connections = self.checked.connections.enumerate().filter(|(_, one)| one.collective == Some(id));
        let mut ways = connections.map(|(id, _)| {
            self.hops(id).map_or(0, |hops| i64::try_from(way_cycles(hops, self.device)).unwrap_or(i64::MAX))
        });
        schedule.links.iter().map(|link| ways.by_ref().take(link.to.len()).collect()).collect()
    }
}

/// Costs of words on streams.
struct Words<'a> {
    of: &'a Sources<'a>,
    loops: Loops,
    ways: Vec<Vec<i64>>,
}

impl Words<'_> {
    /// Cycles of a word that is not the first, or of a copy within the rank.
    fn further(&self, step: &Step) -> i64 {
        let (profile, moves) = (self.of.profile, Moves::of(step, false));
        match (step.carry, self.of.ideal.has_best_code()) {
            (Carry::Words, false) => profile.word(self.loops, &moves),
            (Carry::Words, true) => 1,
            (_, false) => profile.step(self.loops, step),
            (_, true) => profile.least_work(self.loops, &moves),
        }
    }
}

impl Costs for Words<'_> {
    fn step(&self, step: &Step) -> StepCost {
        let is_first_word = step.carry == Carry::Words && !self.of.ideal.has_best_code();
        let cycles = match is_first_word {
            true => self.of.profile.first_word(self.loops, &Moves::of(step, false)),
            false => self.further(step),
        };
        cycles.into()
    }

    fn link(&self, link: LinkId, sink: usize) -> i64 {
        self.ways.get(link.index()).and_then(|ways| ways.get(sink)).copied().unwrap_or(0)
    }
}
