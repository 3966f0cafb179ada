//! The checker of overfull crossings. It shares no code with the search for them and counts a
//! crossing again from the requests and the device.

use std::collections::BTreeSet;

use aiec_device::Device;

use crate::cuts::{Boundary, Crossing};
use crate::fabric::Side;
use crate::request::{NetKind, Request};
use crate::switch::Switch;

/// Counts a crossing again: its nets are distinct, all must cross (streams of one packet group
/// count once), and they exceed the wires.
///
/// # Errors
/// Returns the first fault of the crossing.
pub fn check_crossing(crossing: &Crossing, requests: &[Request], device: &Device) -> Result<(), String> {
    let capacity = wires(&crossing.boundary, device);
    if crossing.capacity != capacity {
        return Err(format!("{capacity} wires cross, not {}", crossing.capacity));
    }
    let (mut nets, mut groups) = (BTreeSet::new(), BTreeSet::new());
    for net in &crossing.nets {
        let Some(request) = requests.get(net.index()) else {
            return Err(format!("there is no net {}", net.0));
        };
        let source = leaves(&crossing.boundary, request.source.switch);
        if !source || request.sinks.iter().all(|sink| leaves(&crossing.boundary, sink.switch)) {
            return Err(format!("net {} need not cross", net.0));
        }
        let again = match request.kind {
            NetKind::Circuit => !nets.insert(net),
            NetKind::Packet { group, .. } => !groups.insert(group),
        };
        if again || request.optional {
            return Err(format!("net {} does not count", net.0));
        }
    }
    let demand = crossing.nets.len();
    if demand as u64 <= u64::from(capacity) {
        return Err(format!("{demand} nets fit {capacity} wires"));
    }
    Ok(())
}

/// True for the switches on the source side.
fn leaves(boundary: &Boundary, switch: Switch) -> bool {
    let Switch { column, row } = switch;
    match boundary {
        Boundary::Column { column: line, towards: Side::East } => column <= *line,
        Boundary::Column { column: line, .. } => column >= *line,
        Boundary::Row { row: line, towards: Side::North } => row <= *line,
        Boundary::Row { row: line, .. } => row >= *line,
        Boundary::Region { low, high, outwards } => {
            let inside = low.column <= column && column <= high.column && low.row <= row && row <= high.row;
            inside == *outwards
        }
        Boundary::Area { switches, outwards } => switches.contains(&switch) == *outwards,
    }
}

/// Number of wires from the source side to the other side.
fn wires(boundary: &Boundary, device: &Device) -> u32 {
    let rows = device.first_hardware_row + device.rows;
    let mut sum = 0;
    for column in 0..device.columns {
        for row in 0..rows {
            let switch = Switch { column, row };
            let masters = match &device.switch.memory {
                _ if row == 0 => &device.switch.shim.masters,
                Some(memory) if row < device.first_hardware_row => &memory.masters,
                _ => &device.switch.core.masters,
            };
            let east = (column + 1 < device.columns).then_some((column + 1, row, masters.east));
            let west = column.checked_sub(1).map(|column| (column, row, masters.west));
            let north = (row + 1 < rows).then_some((column, row + 1, masters.north));
            let south = row.checked_sub(1).map(|row| (column, row, masters.south));
            for (column, row, wires) in [east, west, north, south].into_iter().flatten() {
                let crosses = leaves(boundary, switch) && !leaves(boundary, Switch { column, row });
                sum += if crosses { wires } else { 0 };
            }
        }
    }
    sum
}
