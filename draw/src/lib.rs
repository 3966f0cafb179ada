//! Pictures of the array: kernels, buffers and connections on tiles.
//!
//! Takes a checked design and its verified placement and returns a [`Floorplan`]. This is plain
//! data, serialised as it is, printed as [`text`] or drawn by [`svg()`]. Both use only the
//! floorplan. [`chart_svg`] draws lines over numbers.

mod chart;
mod colours;
mod legend;
mod plan;
mod routing;
mod sheet;
mod svg;
mod text;

use aiec_check::Checked;
use aiec_device::{Device, Tile};
use aiec_ir::design::Endpoint;
use aiec_ir::expanded::{Collective, Connection, Kernel, Owner};
use aiec_ir::fifos::FifoPlace;
use aiec_ir::{ConnectionId, PortId};
use aiec_placer::{Placed, PlacementEntry, PortBuffers, Terms, module_use};

pub use self::chart::{Chart, ChartLine, chart_svg};
pub use self::plan::{
    End, ExternalMark, FifoMark, Floorplan, KernelMark, Level, Line, Medium, ModuleMark, TermsEntry,
};
pub use self::routing::{CutMark, DrawnNet, NetMark, Pin, RoutingPlan, routing_plan, routing_svg};
pub use self::svg::svg;
pub use self::text::text;

/// The floorplan of `placed`.
pub fn floorplan(
    checked: &Checked,
    placed: &Placed,
    device: &Device,
    placement: PlacementEntry,
) -> Floorplan {
    let modules = module_use(checked, device, placed).into_iter();
    let available = u64::from(device.memory.module_bytes);
    Floorplan {
        format: "aiec-floorplan",
        version: 1,
        design: checked.name.value.clone(),
        device: device.name.clone(),
        columns: device.columns,
        rows: device.rows,
        placement: Some(placement),
        terms: Some(Terms::of(checked, device, placed).into()),
        kernels: kernels(checked, placed),
        modules: modules.map(|(tile, module)| ModuleMark { tile, bytes: module.bytes, available }).collect(),
        externals: externals(checked, placed),
        lines: lines(checked, placed),
        fifos: fifos(checked, placed),
    }
}

fn fifos(checked: &Checked, placed: &Placed) -> Vec<FifoMark> {
    let marks = |id: ConnectionId| {
        let modules = placed.fifo_places(checked, id).iter().filter_map(FifoPlace::module);
        modules.map(move |(tile, offset, words)| FifoMark {
            connection: checked.connection_name(id),
            tile,
            offset,
            words,
        })
    };
    checked.connections.ids().flat_map(marks).collect()
}

/// The level of each rank of a collective: links to the root, 0 for all in a shape without a tree.
pub fn levels(collective: &Collective) -> Vec<u32> {
    match collective.plan.has_tree() {
        true => collective.plan.tree().depths(),
        false => vec![0; collective.ranks.len()],
    }
}

fn kernels(checked: &Checked, placed: &Placed) -> Vec<KernelMark> {
    let levels: Vec<Vec<u32>> = checked.collectives.iter().map(levels).collect();
    let mark = |(id, kernel): (_, &Kernel)| KernelMark {
        name: kernel.name.clone(),
        family: checked.families[kernel.family].name.clone(),
        index: kernel.index,
        tile: placed.kernels[id],
        collective: kernel.memberships.first().map(|membership| {
            let level = levels[membership.collective.index()].get(membership.rank.index());
            Level {
                name: checked.collectives[membership.collective].name.clone(),
                level: level.copied().unwrap_or(0),
            }
        }),
    };
    checked.kernels.enumerate().map(mark).collect()
}

fn externals(checked: &Checked, placed: &Placed) -> Vec<ExternalMark> {
    let connected =
        checked.externals.enumerate().filter(|(_, e)| !checked.ports[e.port].connections.is_empty());
    let mark = |(id, external): (_, &aiec_ir::expanded::External)| ExternalMark {
        name: external.name.clone(),
        kind: match external.endpoint {
            Endpoint::Plio { .. } => "plio",
            Endpoint::Gmio { .. } => "gmio",
        },
        column: placed.shims[id].column,
        channel: placed.shims[id].channel,
    };
    connected.map(mark).collect()
}

/// The tile whose module holds the first buffer that is the port's own.
fn memory(placed: &Placed, port: PortId) -> Option<Tile> {
    match &placed.buffers[port] {
        PortBuffers::Own(spots) => spots.first().map(|spot| spot.tile),
        PortBuffers::None | PortBuffers::Shared => None,
    }
}

fn lines(checked: &Checked, placed: &Placed) -> Vec<Line> {
    let end = |port| {
        let (column, row) = match checked.ports[port].owner {
            Owner::Kernel(kernel) => (placed.kernels[kernel].column, Some(placed.kernels[kernel].row)),
            Owner::External(external) => (placed.shims[external].column, None),
        };
        End { port: checked.port_name(port), column, row, memory: memory(placed, port) }
    };
    let line = |(id, c): (ConnectionId, &Connection)| Line {
        from: end(c.from),
        to: end(c.to),
        by: medium(checked, placed, id),
    };
    checked.connections.enumerate().map(line).collect()
}

/// What moves the data of a connection. A stream to an input or output passes no DMA of a tile.
fn medium(checked: &Checked, placed: &Placed, id: ConnectionId) -> Medium {
    let Connection { from, to, .. } = checked.connections[id];
    let moves = |port| checked.is_stream(port) || checked.kernel_of(port).is_none();
    if placed.is_shared_port(from) {
        Medium::Shared
    } else if checked.goes_by_cascade(id) {
        Medium::Cascade
    } else if moves(from) && moves(to) {
        Medium::Stream
    } else {
        Medium::Dma
    }
}

#[cfg(test)]
mod tests;
