//! The interface row: columns, channels and South ports.

use std::collections::BTreeMap;

use aiec_device::Device;
use aiec_diag::Diagnostic;
use aiec_ir::design::Endpoint;
use aiec_ir::expanded::External;
use aiec_ir::{Checked, Direction, ExternalId};

use super::errors;
use crate::placement::{Placement, ShimSpot};

/// Faults of the table of shim channels.
pub(super) fn faults(checked: &Checked, device: &Device, placement: &Placement) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let mut taken: BTreeMap<(Direction, u16, u32), ExternalId> = BTreeMap::new();
    for (id, external) in checked.externals.enumerate() {
        let spot = placement.shims[id];
        let ports = match south_ports(external, device, spot) {
            Ok(ports) => ports,
            Err(reason) => {
                found.push(errors::shim_channel(external, spot, &reason));
                continue;
            }
        };
        for port in ports {
            if let Some(other) = taken.insert((external.direction, spot.column, port), id) {
                found.push(errors::shim_conflict(checked, id, other, spot.column, port));
            }
        }
    }
    found
}

/// The South ports of the shim switch that `external` takes, or why it cannot be there.
pub(crate) fn south_ports(external: &External, device: &Device, spot: ShimSpot) -> Result<Vec<u32>, String> {
    match &external.endpoint {
        Endpoint::Plio { bits, .. } => plio_ports(external.direction, device, spot, bits.value),
        Endpoint::Gmio { .. } => gmio_port(external.direction, device, spot).map(|port| vec![port]),
    }
}

fn plio_ports(direction: Direction, device: &Device, spot: ShimSpot, bits: u32) -> Result<Vec<u32>, String> {
    let columns = device.shim.pl_columns;
    if !columns.contains(spot.column) {
        return Err(format!("PLIO are in columns {} to {}", columns.first, columns.last));
    }
    let channels = match direction {
        Direction::Out => device.shim.plio_in_channels,
        Direction::In => device.shim.plio_out_channels,
    };
    let wide = bits > 64;
    let last = spot.channel.checked_add(u32::from(wide)).filter(|&last| last < channels);
    let Some(last) = last else {
        return Err(format!("the column has {channels} channels in this direction"));
    };
    if wide && spot.channel % 2 == 1 {
        return Err("a PLIO of 128 bits takes an even channel and the odd one after it".to_owned());
    }
    Ok((spot.channel..=last).collect())
}

fn gmio_port(direction: Direction, device: &Device, spot: ShimSpot) -> Result<u32, String> {
    if !device.shim.noc_columns.contains(&spot.column) {
        let columns: Vec<String> = device.shim.noc_columns.iter().map(ToString::to_string).collect();
        return Err(format!("GMIO are in columns {}", columns.join(", ")));
    }
    let ports = match direction {
        Direction::Out => &device.shim.gmio_in_ports,
        Direction::In => &device.shim.gmio_out_ports,
    };
    let port = usize::try_from(spot.channel).ok().and_then(|channel| ports.get(channel));
    port.copied().ok_or_else(|| format!("the shim DMA has {} channels in this direction", ports.len()))
}
