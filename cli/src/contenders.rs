//! Contenders for the choices of a design: candidates that pass all checks. Each has the cycles of
//! a run on a perfect placement, its floor, and may get those of one on a quick placement.

use std::cmp::Ordering;

use aiec_ir::Design;
use aiec_ir::design::Collective;

use crate::candidates::shape_of;
use crate::pipeline::{self, Front, Log};
use crate::variant::{Builder, Built, given};

/// A design in which some collectives have their candidates.
#[derive(Clone)]
pub(crate) struct Choice {
    pub(crate) design: Design,
    /// Array cycles of all calls of these collectives, by the closed form.
    pub(crate) cycles: i64,
    /// Those of the longest single call.
    pub(crate) longest: i64,
}

impl Choice {
    /// True if one call of a collective alone takes far longer than a whole run of `least` cycles.
    pub(crate) fn is_far(&self, least: Option<f64>) -> bool {
        least.is_some_and(|least| self.longest as f64 > least * FAR)
    }
}

/// How many candidates are tried.
#[derive(Clone, Copy)]
pub(crate) struct Tried {
    /// Candidates that run on a perfect placement: the first by the closed form.
    pub(crate) ranked: usize,
    /// Candidates that get a quick placement: the first of each kind of shape by their floors.
    pub(crate) raced: u32,
    /// Candidates that get a full search.
    pub(crate) placed: u32,
    /// True if the first by the floors gets a full search before any quick placement.
    pub(crate) is_by_floors: bool,
}

/// The usual numbers. Of three searches one more goes to the first by the floors.
pub(crate) const USUAL: Tried = Tried { ranked: 6, raced: 4, placed: 3, is_by_floors: true };
/// Those of calls that are not alone, of which the closed form knows nothing, and of several
/// collectives. Ranks that wait for each other make the floors of these less close. What the
/// further runs and quick placements take is saved in searches.
pub(crate) const MANY: Tried = Tried { ranked: 20, raced: 8, placed: 2, is_by_floors: false };

/// Times within this factor are the same. The event model is less exact: within 4 % of the thesis's
/// measurements.
pub(crate) const SAME: f64 = 1.02;
/// Of many candidates those are not checked of which one call alone takes this many times the
/// lowest floor, by the closed form. No placement of the others is known then, which may take
/// longer than their floors: a butterfly of 16 ranks takes 1.4 times as long.
const FAR: f64 = 2.0;
/// Floors within this factor of the lowest one are near: other windows may change their order.
pub(crate) const NEAR: f64 = 1.15;
/// A candidate is dense if its connections are more than this many times those of another one. A
/// butterfly has 1.6 times those of a tree of 31 ranks and takes five times as long to place.
const DENSE: f64 = 1.5;

/// A candidate that passes all checks.
pub(crate) struct Contender {
    pub(crate) design: Design,
    pub(crate) front: Front,
    /// Array cycles of all calls by the closed form.
    pub(crate) estimated: i64,
    /// Those of the longest single call, and of those that others have had in its place.
    pub(crate) longest: i64,
    /// Array cycles of a run on a perfect placement. None when the event model makes no statement.
    pub(crate) floor: Option<f64>,
}

impl Contender {
    /// True if no placement takes noticeably less than `cycles`.
    pub(crate) fn loses_to(&self, cycles: f64) -> bool {
        self.floor.is_some_and(|floor| floor * SAME >= cycles)
    }

    /// Connections that placement has to serve. A cascade is one of them, but ties all its ranks.
    pub(crate) fn links(&self) -> usize {
        let Front { checked, .. } = &self.front;
        checked.connections.len().max(checked.kernels.len().saturating_sub(1))
    }

    /// Array cycles on a placement, by the closed form where the event model makes no statement.
    pub(crate) fn cycles(&self, built: &Built) -> f64 {
        match self.floor {
            Some(_) => built.total().unwrap_or(f64::INFINITY),
            None => built.estimated as f64,
        }
    }
}

/// True if N connections are much more than `fewest`.
pub(crate) fn is_dense(links: usize, fewest: usize) -> bool {
    links as f64 > fewest as f64 * DENSE
}

/// The place of the first contender that takes no longer to place than the others. Returns None
/// without floors.
pub(crate) fn first_sparse<'c>(contenders: impl Iterator<Item = &'c Contender> + Clone) -> Option<usize> {
    let fewest = contenders.clone().map(Contender::links).min()?;
    let is_first = |one: &Contender| one.floor.is_some() && !is_dense(one.links(), fewest);
    contenders.into_iter().position(is_first)
}

/// The first choices that pass all checks, those with the lowest floors first. If the event model
/// makes no statement about one, no floor counts.
pub(crate) fn contenders(builder: &Builder<'_>, choices: &[Choice], tried: Tried) -> Vec<Contender> {
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
pub(crate) fn contender(builder: &Builder<'_>, choice: Choice, is_timed: bool) -> Option<Contender> {
    let Choice { design, cycles: estimated, longest } = choice;
    let front = pipeline::front_of(&given(&design), builder.options, &mut Log::default())?;
    let floor = is_timed.then(|| builder.floor(&front)).flatten();
    Some(Contender { design, front, estimated, longest, floor })
}

/// Those with the lowest floors first.
pub(crate) fn sort(contenders: &mut [Contender]) {
    contenders.sort_by(by_floor);
}

pub(crate) fn by_floor(a: &Contender, b: &Contender) -> Ordering {
    a.floor.unwrap_or_default().total_cmp(&b.floor.unwrap_or_default())
}

/// Contenders with their cycles on quick placements, as [`quick`] returns them. Without floors all
/// are left, as the closed form ranks them.
pub(crate) fn race(builder: &Builder<'_>, contenders: Vec<Contender>, most: u32) -> Vec<(f64, Contender)> {
    match contenders.iter().all(|contender| contender.floor.is_some()) {
        true => quick(builder, contenders, most, f64::INFINITY),
        false => contenders.into_iter().map(|one| (f64::INFINITY, one)).collect(),
    }
}

/// Contenders with their cycles on quick placements, the fastest first: no more than `most`, and
/// none that cannot take less than others, or than `least`. One without a quick placement is hard
/// to place, and counts only if all others are.
pub(crate) fn quick(
    builder: &Builder<'_>,
    contenders: Vec<Contender>,
    most: u32,
    mut least: f64,
) -> Vec<(f64, Contender)> {
    let mut options = builder.options.clone();
    options.place.effort = 0;
    let quick = Builder { search: builder.search.share(most), options: &options };
    let mut raced = Vec::new();
    for contender in kinds_first(contenders) {
        if raced.len() < most as usize && !contender.loses_to(least) {
            let built = quick.place(&contender.design, &contender.front);
            let cycles = built.map_or(f64::INFINITY, |built| contender.cycles(&built));
            least = least.min(cycles);
            raced.push((cycles, contender));
        }
    }
    raced.retain(|(cycles, _)| cycles.is_finite() || least.is_infinite());
    sort_by_cycles(&mut raced);
    raced
}

/// Those with the fewest cycles first.
pub(crate) fn sort_by_cycles(raced: &mut [(f64, Contender)]) {
    raced.sort_by(|(one, _), (other, _)| one.total_cmp(other));
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
