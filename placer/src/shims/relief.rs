//! Moves inputs and outputs whose nets cross full lines between columns.
//!
//! The nearest channel serves a single net best, but many broadcasts in the middle of their
//! readers fill the lines on both sides. Hill climbing: an input or output moves to the free
//! channel that takes most nets off full lines, as long as one does. A row whose lines have enough
//! wires stays as it is.

use aiec_check::{channels_for, columns_for};
use aiec_ir::{Direction, ExternalId, IdVec};

use super::Row;
use crate::placement::ShimSpot;

/// Limit on the passes over all inputs and outputs. Few designs need more than three.
const PASSES: u32 = 16;

/// A line between two columns: the column west of it, and the way across.
type Line = (u16, Way);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    East,
    West,
}

/// The nets of inputs and outputs across each line, and its wires. To the east, then to the west.
struct Loads {
    lines: [Vec<u32>; 2],
    wires: [u32; 2],
}

impl Loads {
    fn of(row: &Row<'_>, spots: &IdVec<ExternalId, ShimSpot>) -> Self {
        let cuts = row.device.cuts();
        let none = vec![0; usize::from(row.device.columns)];
        let mut loads = Self { lines: [none.clone(), none], wires: [cuts.east, cuts.west] };
        for (id, spot) in spots.enumerate() {
            loads.change(row, id, spot.column, true);
        }
        loads
    }

    fn change(&mut self, row: &Row<'_>, id: ExternalId, column: u16, adds: bool) {
        let step = |count: &mut u32| *count = if adds { *count + 1 } else { count.saturating_sub(1) };
        for (line, way) in crossed(row, id, column) {
            self.lines[way as usize].get_mut(usize::from(line)).map(step);
        }
    }

    /// True if a line has more nets than wires.
    fn is_overfull(&self) -> bool {
        (0..2).any(|way| self.lines[way].iter().any(|&nets| nets > self.wires[way]))
    }

    /// Lines without a wire to spare that an input or output in `column` crosses, and the nets of
    /// that column beyond its wires. An eighth of a line is left to the nets between kernels.
    fn cost(&self, row: &Row<'_>, id: ExternalId, column: u16) -> usize {
        let is_full = |&(line, way): &Line| {
            let wires = self.wires[way as usize];
            self.lines[way as usize].get(usize::from(line)).is_some_and(|&nets| nets >= wires - wires / 8)
        };
        let lines = crossed(row, id, column).filter(is_full).count();
        lines + row.excess(row.checked.externals[id].direction, column) as usize
    }
}

/// The lines that the nets of an input or output in `column` cross.
fn crossed(row: &Row<'_>, id: ExternalId, column: u16) -> impl Iterator<Item = Line> + use<> {
    let is_input = row.checked.externals[id].direction == Direction::Out;
    let (to_east, to_west) = if is_input { (Way::East, Way::West) } else { (Way::West, Way::East) };
    let columns = row.columns(id);
    let east = columns.iter().copied().max().unwrap_or(column);
    let west = columns.iter().copied().min().unwrap_or(column);
    (column..east).map(move |line| (line, to_east)).chain((west..column).map(move |line| (line, to_west)))
}

/// Moves those of `free` off full lines.
pub(super) fn relieve(row: &mut Row<'_>, free: &[ExternalId], spots: &mut IdVec<ExternalId, ShimSpot>) {
    let mut loads = Loads::of(row, spots);
    if !loads.is_overfull() {
        return;
    }
    for _ in 0..PASSES {
        let mut has_moved = false;
        for &id in free {
            let before = spots[id];
            let direction = row.checked.externals[id].direction;
            row.leave(direction, before.column, &ports(row, id, before.channel));
            loads.change(row, id, before.column, false);
            let after = better(row, &loads, id, before).unwrap_or(before);
            row.enter(direction, after.column, &ports(row, id, after.channel));
            loads.change(row, id, after.column, true);
            has_moved |= after != before;
            spots[id] = after;
        }
        if !has_moved {
            return;
        }
    }
}

/// The free channel that costs less than `before`, of those the cheapest and nearest.
fn better(row: &Row<'_>, loads: &Loads, id: ExternalId, before: ShimSpot) -> Option<ShimSpot> {
    let (external, target) = (&row.checked.externals[id], row.target(id));
    let own = loads.cost(row, id, before.column);
    if own == 0 {
        return None;
    }
    let channels = channels_for(row.device, external, None);
    let columns = columns_for(row.checked, row.device, id).into_iter();
    let spots = columns.filter_map(|column| {
        let mut channels = channels.iter();
        let free = channels.find(|(_, ports)| row.is_free(external.direction, column, ports))?;
        Some(ShimSpot { column, channel: free.0 })
    });
    let costs = spots.map(|spot| (loads.cost(row, id, spot.column), spot.column.abs_diff(target), spot));
    costs.filter(|&(cost, ..)| cost < own).min().map(|(.., spot)| spot)
}

/// The South ports of a channel.
fn ports(row: &Row<'_>, id: ExternalId, channel: u32) -> Vec<u32> {
    let all = channels_for(row.device, &row.checked.externals[id], Some(channel));
    all.into_iter().flat_map(|(_, ports)| ports).collect()
}
