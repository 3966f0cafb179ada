//! Feedback from a failed routing to the placer: the lines that were overfull.
//!
//! Takes requests and the refusal. Returns lines between columns or rows with their demand, for the
//! next placement search.

use aiec_device::Device;

use crate::cuts::{self, Boundary, Crossing};
use crate::fabric::Side;
use crate::pathfinder::Refusal;
use crate::request::Request;
use crate::switch::Switch;

/// The lines that fewer nets should cross, the largest excess of demand over wires first. Empty
/// when no line is the cause.
///
/// These are all overfull lines, or those around an overfull region, or those at the edges that
/// stayed overfull.
pub fn hot_lines(requests: &[Request], device: &Device, refusal: &Refusal) -> Vec<Crossing> {
    let lines = cuts::lines(requests, device);
    let is_hot = |line: &Crossing| match refusal {
        Refusal::Overfull(cut) => match &cut.boundary {
            Boundary::Column { .. } | Boundary::Row { .. } => line.is_overfull(),
            Boundary::Region { low, high, outwards } => borders(&line.boundary, *low, *high, *outwards),
            Boundary::Area { switches, outwards } => {
                let (low, high) = corners(switches);
                borders(&line.boundary, low, high, *outwards)
            }
        },
        Refusal::GaveUp { worst, .. } => worst.iter().any(|edge| match &line.boundary {
            Boundary::Column { column, towards } => edge.switch.column == *column && edge.side == *towards,
            Boundary::Row { row, towards } => edge.switch.row == *row && edge.side == *towards,
            _ => false,
        }),
        Refusal::NoSettings(_) | Refusal::Unreachable(_) => false,
    };
    let mut hot: Vec<Crossing> = lines.into_iter().filter(is_hot).collect();
    hot.sort_by_key(|line| (i64::from(line.capacity) - i64::from(line.demand()), line.boundary.clone()));
    hot
}

fn corners(switches: &[Switch]) -> (Switch, Switch) {
    let columns = || switches.iter().map(|s| s.column);
    let rows = || switches.iter().map(|s| s.row);
    let low = Switch { column: columns().min().unwrap_or(0), row: rows().min().unwrap_or(0) };
    (low, Switch { column: columns().max().unwrap_or(0), row: rows().max().unwrap_or(0) })
}

/// True if nets that leave (or enter) the rectangle cross the line at its border.
fn borders(line: &Boundary, low: Switch, high: Switch, outwards: bool) -> bool {
    match (line, outwards) {
        (Boundary::Column { column, towards: Side::East }, true) => *column == high.column,
        (Boundary::Column { column, .. }, true) => *column == low.column,
        (Boundary::Column { column, towards: Side::East }, false) => column + 1 == low.column,
        (Boundary::Column { column, .. }, false) => *column == high.column + 1,
        (Boundary::Row { row, towards: Side::North }, true) => *row == high.row,
        (Boundary::Row { row, .. }, true) => *row == low.row,
        (Boundary::Row { row, towards: Side::North }, false) => row + 1 == low.row,
        (Boundary::Row { row, .. }, false) => *row == high.row + 1,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{EndPort, NetEnd, RouteOptions, route_requests};

    type Place = (u16, u16);

    fn hot(pairs: &[(Place, Place)], device: &str) -> Vec<(Boundary, u32, u32)> {
        let device = aiec_device::builtin(device).and_then(|o| o.into_parts().0).expect("built in");
        let end = |(column, row)| NetEnd { switch: Switch { column, row }, port: EndPort::Dma(0) };
        let requests: Vec<Request> =
            pairs.iter().map(|&(from, to)| Request::circuit(end(from), vec![end(to)])).collect();
        let refusal =
            route_requests(&requests, &device, &RouteOptions::default()).expect_err("too many nets");
        let lines = hot_lines(&requests, &device, &refusal);
        lines.into_iter().map(|line| (line.boundary.clone(), line.demand(), line.capacity)).collect()
    }

    #[test]
    fn an_overfull_column_is_the_hottest_line() {
        // 46 nets from columns 0 to 5 to column 9: every line between is overfull.
        let pairs: Vec<_> = (0..46).map(|i| ((i / 8, 1 + i % 8), (9, 1 + i % 8))).collect();
        let lines = hot(&pairs, "xcvc1902");
        assert!(lines.iter().all(|(_, demand, capacity)| demand > capacity));
        assert_eq!(lines[0], (Boundary::Column { column: 5, towards: Side::East }, 46, 36));
    }

    #[test]
    fn the_lines_around_an_overfull_corner_are_hot() {
        let lines = hot(&[((0, 0), (5, 4)); 11], "toy");
        let boundaries: Vec<&Boundary> = lines.iter().map(|(boundary, ..)| boundary).collect();
        assert!(boundaries.contains(&&Boundary::Column { column: 0, towards: Side::East }), "{boundaries:?}");
        assert!(boundaries.contains(&&Boundary::Row { row: 0, towards: Side::North }), "{boundaries:?}");
    }
}
