//! A design as one page for a browser: the array, the graph beside it, and a run over time.
//!
//! Takes the results of the stages for a design and returns a [`View`]. This is plain data, which
//! [`page()`] puts into one HTML file with its styles and scripts. A design that failed at a stage
//! has the data of the stages before it. The page computes nothing that a stage computes: it shows
//! the [`Report`] and the [`RoutingPlan`] as they are.

mod graph;
mod layered;
mod model;
mod page;
mod trace;

use aiec_check::Checked;
use aiec_codegen::report::Report;
use aiec_device::Device;
use aiec_draw::RoutingPlan;
use aiec_event_model::Trace;
use aiec_ir::Expanded;
use aiec_ir::fifos::{MemoryFifo, WORD_BYTES, in_memory_at};
use aiec_placer::Placed;
use aiec_router_model::Net;

pub use self::model::{
    Array, Block, Edge, Graph, Group, NetTrack, Node, NodeKind, Positions, Run, Slice, View, What,
};
pub use self::page::page;

/// The results of the stages for a design. Those after a failed stage are missing.
#[derive(Clone, Copy, Debug)]
pub struct Known<'a> {
    /// The instances and connections.
    pub expanded: &'a Expanded,
    /// The array and the placed design.
    pub placed: Option<Placement<'a>>,
    /// The report of the routed design.
    pub report: Option<&'a Report>,
    /// What kernels and nets did in the event model.
    pub trace: Option<&'a Trace>,
    /// Diagnostics as text, empty without any.
    pub messages: &'a str,
}

/// A placed design with its nets.
#[derive(Clone, Copy, Debug)]
pub struct Placement<'a> {
    /// The design, which has passed all checks.
    pub checked: &'a Checked,
    /// The array that `checked` was checked against.
    pub device: &'a Device,
    /// The placement, which has passed verification.
    pub placed: &'a Placed,
    /// The nets that the placement needs, in the order of `plan`.
    pub nets: &'a [Net],
    /// The floorplan, the nets and their trees, and the cuts.
    pub plan: &'a RoutingPlan,
}

/// The data of the page of a design.
pub fn view<'a>(known: &Known<'a>) -> View<'a> {
    let design = known.expanded;
    View {
        format: "aiec-view",
        version: 1,
        name: &design.name.value,
        device: &design.device.value,
        messages: known.messages,
        graph: graph::graph(design),
        groups: graph::groups(design),
        positions: known.placed.map(|placement| positions(&placement)),
        routing: known.placed.map(|placement| placement.plan),
        report: known.report,
        run: known.trace.map(|trace| trace::run(design, trace)),
    }
}

/// Where the parts of a design lie that a floorplan does not have one by one.
fn positions(placement: &Placement<'_>) -> Positions {
    let &Placement { checked, device, placed, nets, .. } = placement;
    let mut nets_of = vec![Vec::new(); checked.connections.len()];
    for (number, net) in (0..).zip(nets) {
        let sinks = aiec_router_model::Request::from(net).sinks;
        for (connection, end) in &net.sinks {
            let sink = (0..).zip(&sinks).find(|(_, sink)| *sink == end).map_or(0, |(sink, _)| sink);
            nets_of[connection.index()].push((number, sink));
        }
    }
    let block = |block: aiec_placer::Stored| Block {
        at: block.spot.tile,
        offset: block.spot.offset,
        bytes: block.bytes,
        what: block.name(checked),
        kernel: Some(block.kernel.0),
        edges: block.port.map_or_else(Vec::new, |port| graph::edges_of(checked, port)),
    };
    let fifo = |fifo: MemoryFifo<'_>| {
        let (at, offset, words) = fifo.place.module()?;
        let what = format!("FIFO of `{}`", checked.connection_name(fifo.connection));
        let edges = vec![fifo.connection.0];
        Some(Block { at, offset, bytes: u64::from(words) * WORD_BYTES, what, kernel: None, edges })
    };
    let fifos = in_memory_at(checked, |id| placed.fifo_places(checked, id)).into_iter().filter_map(fifo);
    let blocks = aiec_placer::stored(checked, device, placed).into_iter().map(block);
    Positions {
        array: Array {
            columns: device.columns,
            rows: device.rows,
            first_row: device.first_hardware_row,
            module_bytes: device.memory.module_bytes,
            banks: device.memory.banks,
        },
        tiles: placed.kernels.iter().copied().collect(),
        shims: placed.shims.iter().map(|shim| shim.column).collect(),
        blocks: blocks.chain(fifos).collect(),
        nets_of,
    }
}
