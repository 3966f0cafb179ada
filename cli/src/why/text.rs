//! The answer as text.

use aiec_codegen::report::Report;
use aiec_event_model::{Floors, Leg, LegKind, Path, Spent};

use super::{Answer, Gain, Why};
use crate::models::Models;
use crate::table::Table;

/// Limit on the kernels and connections that a path lists: those with the most cycles.
const LEGS: usize = 24;

/// The answer for a design.
pub(crate) fn text(report: &Report, answer: &Answer) -> String {
    let (design, device) = (&report.design.name, &report.device.name);
    let why = match answer {
        Answer::Known(why) => why,
        Answer::Silent { no_statement } => {
            return format!("{design} on {device}: no statement, since {no_statement}\n");
        }
    };
    let microseconds = why.total_cycles / f64::from(report.estimate.array_mhz.max(1));
    let title = format!(
        "{design} on {device}: {:.0} cycles, {microseconds:.2} us, by the event model with profile {}\ncounted are {}\n",
        why.total_cycles, why.profile, why.holds
    );
    let floors = why.floors.as_ref().map(|floors| self::floors(floors, why.total_cycles));
    let note = format!("{}\n", why.note);
    let models = (!why.models.is_empty()).then(|| models(&why.models));
    let sections = [Some(title), floors, Some(path(&why.path)), models, Some(changes(why)), Some(note)];
    sections.into_iter().flatten().collect::<Vec<_>>().join("\n")
}

/// The floors, the cycles that each adds to the one before, and what they assume.
fn floors(floors: &Floors, total: f64) -> String {
    let mut table = Table::new(&["cycles", "more", "holds for"]);
    let mut before = 0.0;
    let all = floors.all();
    let rows = all.iter().map(|floor| (floor.cycles, floor.holds)).chain([(total, "the design")]);
    for (cycles, holds) in rows {
        table.row([self::cycles(cycles), self::cycles(cycles - before), holds.to_owned()]);
        before = cycles;
    }
    let assumes = all.iter().map(|floor| format!("  {}: {}\n", floor.holds, floor.assumes));
    format!("Floors (more: cycles beyond the line before)\n{}{}", table.text(), assumes.collect::<String>())
}

/// The first call of each collective by both models.
fn models(models: &[Models]) -> String {
    let mut table = Table::new(&["collective", "closed form", "events", "cycles rest on"]);
    for one in models {
        let events = one.event_cycles.map_or_else(|| "-".to_owned(), cycles);
        table.row([one.collective.clone(), one.closed_cycles.to_string(), events, one.rests_on()]);
    }
    format!(
        "Collectives (cycles of the first call by both models; -: its ranks begin apart)\n{}",
        table.text()
    )
}

/// The critical path.
fn path(path: &Path) -> String {
    let parts = path.cycles.parts().map(|(name, part)| format!("{name} {}", cycles(part)));
    let mut table = Table::new(&[
        "visits",
        "cycles",
        "compute",
        "locks",
        "DMA",
        "hops",
        "waiting",
        "kernel or connection",
    ]);
    let shown = longest(&path.legs);
    shown.iter().for_each(|leg| table.row(row(leg)));
    let left = path.legs.len() - shown.len();
    let mut text = format!(
        "Critical path ({} cycles: {})\n{}",
        cycles(path.cycles.total()),
        parts.join(", "),
        table.text()
    );
    if left > 0 {
        text += &format!("  and {left} more with fewer cycles\n");
    }
    if !path.complete {
        text += "  the run has more steps than are kept: its end is missing\n";
    }
    text
}

/// The legs with the most cycles, in the order of the path.
fn longest(legs: &[Leg]) -> Vec<&Leg> {
    let mut shown: Vec<(usize, &Leg)> = legs.iter().enumerate().collect();
    shown.sort_by(|(_, a), (_, b)| b.cycles.total().total_cmp(&a.cycles.total()));
    shown.truncate(LEGS);
    shown.sort_by_key(|(at, _)| *at);
    shown.into_iter().map(|(_, leg)| leg).collect()
}

fn row(leg: &Leg) -> Vec<String> {
    let Spent { compute, locks, dma, hops, waiting } = leg.cycles;
    let times = [leg.cycles.total(), compute, locks, dma, hops, waiting].map(cycles);
    let through = match leg.kind {
        LegKind::Kernel => "",
        LegKind::Memory => " (shared memory)",
        LegKind::Net => " (net)",
    };
    let name = format!("{}{through}", leg.name);
    std::iter::once(leg.visits.to_string()).chain(times).chain([name]).collect()
}

/// The changes that help most.
fn changes(why: &Why) -> String {
    let variants = if why.built == 1 { "variant" } else { "variants" };
    let mut built = format!("{} {variants} built, placed and timed", why.built);
    if why.not_built > 0 {
        built += &format!("; {} not, since --time-limit left no time", why.not_built);
    }
    if why.changes.is_empty() {
        return format!("Changes ({built})\n  none is faster\n");
    }
    let mut table = Table::new(&["before", "after", "change"]);
    for Gain { change, before, after } in &why.changes {
        table.row([cycles(*before), cycles(*after), change.clone()]);
    }
    format!("Changes ({built}; the best first)\n{}", table.text())
}

/// Whole cycles.
fn cycles(cycles: f64) -> String {
    format!("{cycles:.0}")
}
