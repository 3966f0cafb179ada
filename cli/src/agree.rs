//! Alternates placement and routing until a placement can be routed. After a refusal the next
//! search starts from the refused placement and sends fewer nets across the lines that were too
//! full. That takes a part of the time of a new search.
//!
//! The number of placements is bounded, and the log reports every one that failed.

use std::collections::BTreeMap;

use aiec_diag::{Diagnostic, catalogue, count};
use aiec_placer::{Basis, HotLine, Line, Pins, Tools};
use aiec_router_model::{Boundary, Crossing, Request, Side, hot_lines};

use crate::pipeline::{self, Agreed, Front, Log, Options};

/// Limit on the placements that are tried.
const PLACEMENTS: u32 = 4;
/// The number of nets by which to relieve a line where the router found no route although there are
/// enough wires.
const CROWDED: u32 = 2;

/// Searches for a placement that can be routed. If there is none, it returns the last one with the
/// router's refusal.
pub fn search(
    front: &Front,
    pins: &Pins,
    options: &Options,
    tools: &Tools<'_>,
    log: &mut Log,
) -> Option<Agreed> {
    let place = |hot: &[HotLine], before: Option<&Agreed>, log: &mut Log| {
        let basis = Basis { pins, hot, tiles: before.map(|before| &before.placed.kernels) };
        let (placed, cut_short) = pipeline::search(front, options, &basis, tools, log)?;
        // The router would refuse the same tiles again.
        let moved = basis.tiles.is_none_or(|tiles| *tiles != placed.kernels);
        moved.then(|| pipeline::route(front, placed, cut_short, options, tools.solver))
    };
    let full = |agreed: &Agreed| full_lines(front, agreed);
    let extent = Extent { columns: front.device.columns, rows: front.device.rows };
    // A quick placement without routes is not worth a repair.
    let stopped = || options.place.effort == 0 || tools.watch.stopped();
    let (agreed, failed) = negotiate(log, place, full, stopped, extent);
    if !failed.is_empty() {
        let routed = agreed.as_ref().is_some_and(|agreed| agreed.routes.is_ok());
        log.add(vec![placed_again(front, &failed, routed)]);
    }
    agreed
}

/// The lines with too few wires for a refused placement. Returns None when the placement has
/// routes.
fn full_lines(front: &Front, agreed: &Agreed) -> Option<Vec<Crossing>> {
    let refusal = agreed.routes.as_ref().err()?;
    let requests: Vec<Request> = agreed.nets.iter().map(Request::from).collect();
    Some(hot_lines(&requests, &front.device, refusal))
}

/// Places and routes until a placement has routes (no `full` lines), no line causes the refusal,
/// the search finds no other placement, it is stopped, or all tries are used. Returns the last
/// placement, and the fullest line of each placement that failed before it.
fn negotiate<P>(
    log: &mut Log,
    mut place: impl FnMut(&[HotLine], Option<&P>, &mut Log) -> Option<P>,
    full: impl Fn(&P) -> Option<Vec<Crossing>>,
    stopped: impl Fn() -> bool,
    extent: Extent,
) -> (Option<P>, Vec<Crossing>) {
    let (mut spared, mut failed) = (BTreeMap::new(), Vec::new());
    let mut last: Option<P> = None;
    for placement in 1..=PLACEMENTS {
        let hot: Vec<HotLine> = spared.iter().map(|(&line, &wires)| HotLine { line, wires }).collect();
        let mut said = Log::default();
        let placed = place(&hot, last.as_ref(), &mut said);
        if last.is_none() {
            log.add(said.diagnostics);
        }
        let Some(placed) = placed else {
            // The search found no other placement, which proves nothing about the design. The
            // router reports the failure of the placement before.
            failed.pop();
            return (last, failed);
        };
        let hot = full(&placed);
        last = Some(placed);
        let Some(hot) = hot else { return (last, failed) };
        let hot_line = |cut: &Crossing| Some(HotLine { line: line_of(cut)?, wires: excess(cut) });
        let lines: Vec<HotLine> = hot.iter().filter_map(hot_line).collect();
        if lines.is_empty() || placement == PLACEMENTS || stopped() {
            // The router's own message is about this placement.
            return (last, failed);
        }
        failed.extend(hot.into_iter().next());
        spare(&mut spared, lines, extent);
    }
    (last, failed)
}

/// Adds the wires to leave free. Nets that leave a full line cross the next lines, so wires are
/// left free on all lines of the same direction.
fn spare(spared: &mut BTreeMap<Line, u32>, full: Vec<HotLine>, extent: Extent) {
    let mut excesses = BTreeMap::new();
    for HotLine { line, wires } in full {
        for like in extent.alike(line) {
            let most = excesses.entry(like).or_insert(0_u32);
            *most = wires.max(*most);
        }
    }
    for (line, wires) in excesses {
        let sum = spared.entry(line).or_insert(0_u32);
        *sum = sum.saturating_add(wires);
    }
}

/// The extent of an array of core tiles.
#[derive(Clone, Copy)]
struct Extent {
    columns: u16,
    rows: u16,
}

impl Extent {
    /// All lines of the array in the direction of `line`.
    fn alike(self, line: Line) -> Vec<Line> {
        match line {
            Line::East(_) => (0..self.columns).map(Line::East).collect(),
            Line::West(_) => (0..self.columns).map(Line::West).collect(),
            Line::North(_) => (0..self.rows).map(Line::North).collect(),
            Line::South(_) => (0..self.rows).map(Line::South).collect(),
        }
    }
}

/// The number of nets beyond the wires of a line.
fn excess(cut: &Crossing) -> u32 {
    cut.demand().saturating_sub(cut.capacity).max(CROWDED)
}

/// The line in the placer's terms. Returns None when the region is no line, or is the line at the
/// interface row, which placement cannot avoid.
fn line_of(cut: &Crossing) -> Option<Line> {
    if cut.is_the_interface() {
        return None;
    }
    match cut.boundary {
        Boundary::Column { column, towards: Side::West } => Some(Line::West(column)),
        Boundary::Column { column, .. } => Some(Line::East(column)),
        Boundary::Row { row, towards: Side::South } => Some(Line::South(row)),
        Boundary::Row { row, .. } => Some(Line::North(row)),
        Boundary::Region { .. } | Boundary::Area { .. } => None,
    }
}

/// The note about every placement that failed, with its fullest line.
fn placed_again(front: &Front, failed: &[Crossing], routed: bool) -> Diagnostic {
    let tried: Vec<String> = (1..).zip(failed).map(|(number, cut)| failure(number, cut)).collect();
    let last = failed.len() + 1;
    let end = if routed { "was routed" } else { "could not be routed either" };
    Diagnostic::new(
        &catalogue::PLACED_AGAIN,
        format!("{}; placement {last} {end}", tried.join("; ")),
        "keep a placement that was routed with `aiec place --output FILE` and give it with --placement FILE",
    )
    .label(front.checked.name.span, "this design was placed more than once")
}

fn failure(number: usize, cut: &Crossing) -> String {
    let line = match &cut.boundary {
        Boundary::Column { column, towards } => {
            format!("column {column} {}", towards.to_string().to_uppercase())
        }
        other => other.to_string(),
    };
    let nets = count(cut.demand().into(), "net");
    format!("placement {number} of {PLACEMENTS}: {line} had {nets} for {}", cut.capacity)
}

#[cfg(test)]
mod tests {
    use super::*;
    use aiec_router_model::NetId;
    use std::cell::Cell;

    const EXTENT: Extent = Extent { columns: 50, rows: 8 };

    fn full(column: u16, demand: u32) -> Crossing {
        let nets = (0..demand).map(NetId).collect();
        Crossing { boundary: Boundary::Column { column, towards: Side::East }, nets, capacity: 36 }
    }

    #[test]
    fn a_placement_that_fails_is_mended_with_fewer_nets_across_its_lines_until_one_is_routed() {
        let mut seen = Vec::new();
        let place = |hot: &[HotLine], before: Option<&usize>, _: &mut Log| {
            assert_eq!(before.copied(), (!seen.is_empty()).then_some(seen.len()), "from the one before");
            seen.push(hot.to_vec());
            Some(seen.len())
        };
        let hot = |&number: &usize| (number < 3).then(|| vec![full(8, 46)]);
        let (agreed, failed) = negotiate(&mut Log::default(), place, hot, || false, EXTENT);
        assert_eq!(agreed, Some(3));
        assert_eq!(failed.len(), 2);
        assert_eq!(failure(2, &failed[1]), "placement 2 of 4: column 8 EAST had 46 nets for 36");
        assert!(seen[1].iter().map(|hot| hot.line).eq((0..50).map(Line::East)), "all lines in the direction");
        let spared: Vec<_> = seen.iter().map(|hot| hot.iter().map(|hot| hot.wires).max()).collect();
        assert_eq!(spared, [None, Some(10), Some(20)], "46 nets for 36 wires, twice");
    }

    #[test]
    fn the_number_of_placements_is_bounded_and_the_last_failure_is_the_routers_to_tell() {
        let mut tries = 0;
        let place = |_: &[HotLine], _: Option<&_>, _: &mut Log| {
            tries += 1;
            Some(tries)
        };
        let (agreed, failed) =
            negotiate(&mut Log::default(), place, |_| Some(vec![full(8, 46)]), || false, EXTENT);
        assert_eq!(agreed, Some(4));
        assert_eq!(failed.len(), 3);
    }

    #[test]
    fn after_the_time_limit_nothing_is_placed_again() {
        for (stops_after, placements) in [(1, 1), (2, 2), (9, 4)] {
            let tries = Cell::new(0);
            let place = |_: &[HotLine], _: Option<&_>, _: &mut Log| {
                tries.set(tries.get() + 1);
                Some(tries.get())
            };
            let stopped = || tries.get() >= stops_after;
            let hot = |_: &_| Some(vec![full(8, 46)]);
            let (agreed, failed) = negotiate(&mut Log::default(), place, hot, stopped, EXTENT);
            assert_eq!((agreed, failed.len()), (Some(placements), placements - 1));
        }
    }

    #[test]
    fn without_a_line_to_blame_nothing_is_placed_again() {
        let place = |_: &[HotLine], _: Option<&_>, _: &mut Log| Some(1);
        let (agreed, failed) = negotiate(&mut Log::default(), place, |_| Some(Vec::new()), || false, EXTENT);
        assert_eq!((agreed, failed), (Some(1), Vec::new()));
    }

    #[test]
    fn where_nothing_else_is_found_the_placement_before_counts_and_was_not_placed_again() {
        let mut tries = 0;
        let place = |_: &[HotLine], before: Option<&&str>, _: &mut Log| {
            tries += 1;
            before.is_none().then_some("fixed")
        };
        let (agreed, failed) =
            negotiate(&mut Log::default(), place, |_| Some(vec![full(8, 46)]), || false, EXTENT);
        assert_eq!((agreed, failed.len(), tries), (Some("fixed"), 0, 2));
    }

    #[test]
    fn the_lines_at_the_interface_row_are_not_the_placements_fault() {
        let row = |row, towards| Crossing { boundary: Boundary::Row { row, towards }, ..full(0, 0) };
        assert_eq!(line_of(&row(3, Side::North)), Some(Line::North(3)));
        assert_eq!(line_of(&row(0, Side::North)), None);
        assert_eq!(line_of(&row(1, Side::South)), None);
    }
}
