//! A coordinate descent over what a design leaves open.

use aiec_collectives::Shape;
use aiec_ir::CollectiveId;

use crate::candidates::{Candidates, Taken, shape_of, take, taken};
use crate::contenders::{Choice, Contender, MANY, NEAR, contender, quick, sort, sort_by_cycles};
use crate::variant::Builder;

/// The most combinations that a descent runs.
const MOST: usize = 200;

/// A coordinate descent over several collectives: the first contender, with each other candidate
/// for one of the open ones.
pub(crate) struct Descent<'a, 'b> {
    pub(crate) builder: &'a Builder<'a>,
    pub(crate) of: &'a mut Candidates<'b>,
    pub(crate) open: &'a [CollectiveId],
    /// The combinations that it has met.
    pub(crate) met: Vec<Vec<Taken>>,
    /// Runs on a perfect placement.
    pub(crate) runs: usize,
}

impl Descent<'_, '_> {
    /// Goes on as long as that lowers the lowest floor. What it meets joins the contenders.
    pub(crate) fn by_floors(&mut self, mut contenders: Vec<Contender>) -> Vec<Contender> {
        self.met.extend(contenders.iter().map(|one| taken(&one.design, self.open)));
        while let Some(floor) = contenders.first().and_then(|best| best.floor) {
            let beside = contenders.split_first().map(|(best, others)| self.beside(best, others));
            contenders.extend(beside.into_iter().flatten());
            sort(&mut contenders);
            contenders.truncate(MANY.ranked);
            if self.runs >= MOST || contenders.first().is_none_or(|best| best.floor >= Some(floor)) {
                break;
            }
        }
        contenders
    }

    /// The same from the fastest on quick placements, if there are several collectives. Of its
    /// neighbours those with the lowest floors get quick placements, as long as one of them is
    /// faster: `most` in all.
    pub(crate) fn by_quick_placements(
        &mut self,
        mut raced: Vec<(f64, Contender)>,
        most: u32,
    ) -> Vec<(f64, Contender)> {
        let mut left = most;
        while self.open.len() > 1
            && left > 0
            && let Some((least, best)) = raced.first()
            && best.floor.is_some()
        {
            let least = *least;
            let mut beside = self.beside(best, &[]);
            sort(&mut beside);
            let faster = quick(self.builder, beside, left, least);
            left = left.saturating_sub(u32::try_from(faster.len()).unwrap_or(left));
            let is_faster = faster.first().is_some_and(|(cycles, _)| *cycles < least);
            raced.extend(faster);
            sort_by_cycles(&mut raced);
            if !is_faster {
                break;
            }
        }
        raced
    }

    /// What differs from a contender in one collective and was not met before: in its shape or its
    /// window. In both, if another contender that is `near` has the shape.
    fn beside(&mut self, start: &Contender, others: &[Contender]) -> Vec<Contender> {
        let Contender { floor, estimated: cycles, longest, ref design, .. } = *start;
        let least = floor.unwrap_or(f64::INFINITY);
        let is_near = |one: &&Contender| one.floor.is_some_and(|floor| floor <= least * NEAR);
        let mut found = Vec::new();
        for &id in self.open {
            let now = &design.collectives[id];
            let near = others.iter().filter(is_near).map(|one| shape_of(&one.design.collectives[id]));
            let shapes: Vec<Option<Shape>> = near.chain([shape_of(now)]).collect();
            for candidate in self.of.of(design, id) {
                if candidate.window != now.window.value && !shapes.contains(&Some(candidate.shape)) {
                    continue;
                }
                let mut choice = Choice { design: design.clone(), cycles, longest };
                take(&mut choice.design, id, &candidate);
                choice.longest = choice.longest.max(candidate.cycles);
                let taken = taken(&choice.design, self.open);
                if self.runs < MOST && !choice.is_far(floor) && !self.met.contains(&taken) {
                    self.runs += 1;
                    self.met.push(taken);
                    found.extend(contender(self.builder, choice, true).filter(|one| one.floor.is_some()));
                }
            }
        }
        found
    }
}
