//! Checks the interface row: columns, channels and South ports.

use std::collections::BTreeMap;

use aiec_device::Device;
use aiec_diag::Diagnostic;
use aiec_ir::design::Endpoint;
use aiec_ir::expanded::External;
use aiec_ir::{Direction, ExternalId};

use super::Case;
use super::errors::shim_channel;
use crate::placement::ShimSpot;

impl Case<'_> {
    /// Diagnostics of the table of shim channels.
    pub(super) fn shim_faults(&self) -> Vec<Diagnostic> {
        let (checked, shims) = (self.checked, &self.placement.shims);
        let places = checked.shims.iter().filter(|place| {
            let spot = shims[place.external];
            !place.allows(spot.column) || place.channel.is_some_and(|stated| stated != spot.channel)
        });
        let ties = checked
            .shim_ties
            .iter()
            .filter(|tie| tie.column(self.tile(tie.kernel).column) != i64::from(shims[tie.external].column));
        let places = places.map(|place| self.shim_broken(place));
        let mut found: Vec<Diagnostic> = places.chain(ties.map(|tie| self.shim_untied(tie))).collect();
        let mut taken: BTreeMap<(Direction, u16, u32), ExternalId> = BTreeMap::new();
        for (id, external) in checked.externals.enumerate() {
            let spot = shims[id];
            match south_ports(external, self.device, spot) {
                Err(reason) => found.push(shim_channel(external, spot, &reason)),
                Ok(ports) => found.extend(ports.into_iter().filter_map(|port| {
                    let other = taken.insert((external.direction, spot.column, port), id)?;
                    Some(self.shim_conflict(id, other, port))
                })),
            }
        }
        found
    }
}

/// The South ports of the shim switch that `external` takes.
///
/// # Errors
/// Returns the reason why `external` cannot use `spot`.
pub(crate) fn south_ports(external: &External, device: &Device, spot: ShimSpot) -> Result<Vec<u32>, String> {
    match &external.endpoint {
        Endpoint::Plio { bits, .. } => plio_ports(external.direction, device, spot, bits.value),
        Endpoint::Gmio { .. } => gmio_port(external.direction, device, spot).map(|port| vec![port]),
    }
}

fn plio_ports(direction: Direction, device: &Device, spot: ShimSpot, bits: u32) -> Result<Vec<u32>, String> {
    let shim = &device.shim;
    if !shim.has_plio(spot.column) {
        let columns = shim.pl_columns.map_or_else(
            || "unknown columns".to_owned(),
            |columns| format!("columns {} to {}", columns.first, columns.last),
        );
        return Err(format!("PLIO are in {columns}"));
    }
    let (channels, pairs) = match direction {
        Direction::Out => (shim.plio_in_channels, &shim.plio_in_pairs),
        Direction::In => (shim.plio_out_channels, &shim.plio_out_pairs),
    };
    if spot.channel >= channels {
        return Err(format!("the column has {channels} channels in this direction"));
    }
    if shim.channels_of(bits) == 1 {
        return Ok(vec![spot.channel]);
    }
    let pair = pairs.iter().find(|[first, _]| *first == spot.channel);
    pair.map(|pair| pair.to_vec())
        .ok_or_else(|| format!("a PLIO of {bits} bits takes an even channel and the odd one after it"))
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
