//! The South ports of the shim switches behind the channels of inputs and outputs.

use aiec_collectives::Direction;
use aiec_device::Device;
use aiec_ir::design::Endpoint;
use aiec_ir::expanded::External;

/// The South ports of the shim switch that `external` takes at a channel of a column.
///
/// # Errors
/// Returns the reason why `external` cannot use the channel.
pub fn south_ports(
    external: &External,
    device: &Device,
    column: u16,
    channel: u32,
) -> Result<Vec<u32>, String> {
    let spot = Spot { column, channel };
    match &external.endpoint {
        Endpoint::Plio { bits, .. } => plio_ports(external.direction, device, spot, bits.value),
        Endpoint::Gmio { .. } => gmio_port(external.direction, device, spot).map(|port| vec![port]),
    }
}

/// A channel of a column.
#[derive(Clone, Copy)]
struct Spot {
    column: u16,
    channel: u32,
}

fn plio_ports(direction: Direction, device: &Device, spot: Spot, bits: u32) -> Result<Vec<u32>, String> {
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

fn gmio_port(direction: Direction, device: &Device, spot: Spot) -> Result<u32, String> {
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
