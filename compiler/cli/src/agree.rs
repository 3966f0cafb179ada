//! Placement and routing until they agree: a placement that cannot be routed is mended, so that fewer nets cross the lines that were too full,
//! which takes a part of the time of a new search.
//!
//! The number of placements is bounded and every one that failed is reported.

use std::collections::BTreeMap;

use aiec_diag::{Diagnostic, catalogue};
use aiec_placer::{Around, HotLine, Line, Pins, Placed, Tools};
use aiec_router_model::{
    Boundary, Crossing, Request, RouteOptions, Routes, Side, hot_lines, nets, route_nets,
};

use crate::pipeline::{self, Front, Log, Options};

/// Most placements that are tried.
const PLACEMENTS: u32 = 4;
/// How many fewer nets than before shall cross a line where the router found no way although there are wires enough.
const CROWDED: u32 = 2;

/// A placement of the search, its routes if it has any, and whether the search was cut short.
pub struct Agreed {
    /// The placement, verified.
    pub placed: Placed,
    /// Its routes, not verified yet.
    pub routes: Option<Routes>,
    /// True if the search for the placement was stopped before its work was done.
    pub cut_short: bool,
}

/// Searches for a placement that can be routed. Without routes, the last placement is returned for the router to say why.
pub fn search(
    front: &Front,
    pins: &Pins,
    options: &Options,
    tools: &Tools<'_>,
    log: &mut Log,
) -> Option<Agreed> {
    let place = |hot: &[HotLine], before: Option<&(Placed, bool)>, log: &mut Log| {
        let around = Around { hot, tiles: before.map(|(placed, _)| &placed.placement().kernels) };
        pipeline::search(front, pins, options, &around, tools, log)
    };
    let route = |(placed, _): &(Placed, bool)| routes(front, placed, &options.route);
    let size = (front.device.columns, front.device.rows);
    let same =
        |(a, _): &(Placed, bool), (b, _): &(Placed, bool)| a.placement().kernels == b.placement().kernels;
    let (agreed, failed) = negotiate(log, place, route, same, size);
    if !failed.is_empty() {
        let routed = agreed.as_ref().is_some_and(|(_, routes)| routes.is_some());
        log.diagnostics.push(placed_again(front, &failed, routed));
    }
    agreed.map(|((placed, cut_short), routes)| Agreed { placed, routes, cut_short })
}

/// The routes of a placement, or the lines at which there are too few wires.
fn routes(front: &Front, placed: &Placed, options: &RouteOptions) -> Result<Routes, Vec<Crossing>> {
    let nets = nets(&front.checked, placed, &front.device);
    route_nets(&nets, &front.device, options).map_err(|refusal| {
        let requests: Vec<Request> = nets.iter().map(Request::from).collect();
        hot_lines(&requests, &front.device, &refusal)
    })
}

/// Places and routes until a placement has routes, no line is to blame, the same lines would be as dear again, or all tries are over. The
/// last placement, and the hottest line of each that failed before it.
fn negotiate<P, R>(
    log: &mut Log,
    mut place: impl FnMut(&[HotLine], Option<&P>, &mut Log) -> Option<P>,
    mut route: impl FnMut(&P) -> Result<R, Vec<Crossing>>,
    same: impl Fn(&P, &P) -> bool,
    size: (u16, u16),
) -> (Option<(P, Option<R>)>, Vec<Crossing>) {
    let (mut spared, mut failed) = (BTreeMap::new(), Vec::new());
    let mut last: Option<(P, Option<R>)> = None;
    for placement in 1..=PLACEMENTS {
        let hot: Vec<HotLine> = spared.iter().map(|(&line, &wires)| (line, wires)).collect();
        // A search that finds nothing so says nothing about the design: the placement before counts.
        let mut said = Log::default();
        let Some(placed) = place(&hot, last.as_ref().map(|(before, _)| before), &mut said) else {
            if last.is_none() {
                log.diagnostics.extend(said.diagnostics);
            }
            return (last, failed);
        };
        match &last {
            None => log.diagnostics.extend(said.diagnostics),
            // Nothing can move: the failure of the placement before is the router's to tell.
            Some((before, _)) if same(before, &placed) => {
                failed.pop();
                return (last, failed);
            }
            Some(_) => {}
        }
        match route(&placed) {
            Ok(routes) => return (Some((placed, Some(routes))), failed),
            Err(hot) => {
                last = Some((placed, None));
                let lines: Vec<HotLine> =
                    hot.iter().filter_map(|cut| Some((line_of(cut)?, excess(cut)))).collect();
                if lines.is_empty() || placement == PLACEMENTS {
                    // The router's own message is about this placement.
                    return (last, failed);
                }
                failed.extend(hot.into_iter().next());
                // Nets that leave a full line cross the next ones: where one is too full, wires are spared on all of its kind.
                let mut excesses = BTreeMap::new();
                for (line, wires) in lines {
                    for like in alike(line, size) {
                        let most = excesses.entry(like).or_insert(0_u32);
                        *most = wires.max(*most);
                    }
                }
                for (line, wires) in excesses {
                    let sum = spared.entry(line).or_insert(0_u32);
                    *sum = sum.saturating_add(wires);
                }
            }
        }
    }
    (last, failed)
}

/// All lines of the array in the direction of `line`.
fn alike(line: Line, (columns, rows): (u16, u16)) -> Vec<Line> {
    match line {
        Line::East(_) => (0..columns).map(Line::East).collect(),
        Line::West(_) => (0..columns).map(Line::West).collect(),
        Line::North(_) => (0..rows).map(Line::North).collect(),
        Line::South(_) => (0..rows).map(Line::South).collect(),
    }
}

/// Nets that a line has too many.
fn excess(cut: &Crossing) -> u32 {
    cut.demand().saturating_sub(cut.capacity).max(CROWDED)
}

/// The line in the placer's terms; none for other regions, and for the lines at the interface row, which placement cannot avoid.
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

/// Every placement that failed, with its hottest line.
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
    format!("placement {number} of {PLACEMENTS}: {line} had {} nets for {}", cut.demand(), cut.capacity)
}

#[cfg(test)]
mod tests {
    use super::*;
    use aiec_router_model::NetId;

    /// Columns and rows.
    const SIZE: (u16, u16) = (50, 8);

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
        let route = |&number: &usize| if number < 3 { Err(vec![full(8, 46)]) } else { Ok(()) };
        let (agreed, failed) = negotiate(&mut Log::default(), place, route, |a, b| a == b, SIZE);
        assert_eq!(agreed, Some((3, Some(()))));
        assert_eq!(failed.len(), 2);
        assert_eq!(failure(2, &failed[1]), "placement 2 of 4: column 8 EAST had 46 nets for 36");
        assert!(
            seen[1].iter().map(|&(line, _)| line).eq((0..50).map(Line::East)),
            "all lines in the direction"
        );
        let spared: Vec<_> = seen.iter().map(|hot| hot.iter().map(|&(_, wires)| wires).max()).collect();
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
            negotiate(&mut Log::default(), place, |_| Err::<(), _>(vec![full(8, 46)]), |a, b| a == b, SIZE);
        assert_eq!(agreed, Some((4, None)));
        assert_eq!(failed.len(), 3);
    }

    #[test]
    fn without_a_line_to_blame_nothing_is_placed_again() {
        let place = |_: &[HotLine], _: Option<&_>, _: &mut Log| Some(1);
        let (agreed, failed) =
            negotiate(&mut Log::default(), place, |_| Err::<(), _>(Vec::new()), |a, b| a == b, SIZE);
        assert_eq!((agreed, failed), (Some((1, None)), Vec::new()));
    }

    #[test]
    fn a_placement_that_cannot_change_is_not_tried_again() {
        let mut tries = 0;
        let place = |_: &[HotLine], _: Option<&_>, _: &mut Log| {
            tries += 1;
            Some("fixed")
        };
        let route = |_: &&str| Err::<(), _>(vec![full(8, 46)]);
        let (agreed, failed) = negotiate(&mut Log::default(), place, route, |a, b| a == b, SIZE);
        assert_eq!((agreed, failed.len(), tries), (Some(("fixed", None)), 0, 2));
    }

    #[test]
    fn the_lines_at_the_interface_row_are_not_the_placements_fault() {
        let row = |row, towards| Crossing { boundary: Boundary::Row { row, towards }, ..full(0, 0) };
        assert_eq!(line_of(&row(3, Side::North)), Some(Line::North(3)));
        assert_eq!(line_of(&row(0, Side::North)), None);
        assert_eq!(line_of(&row(1, Side::South)), None);
    }
}
