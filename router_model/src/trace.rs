//! Trace streams: the event trace of a placed design, routed over the wires that its data leaves.
//!
//! Takes a verified placement and the nets of the design. Returns optional requests, one packet
//! stream from the trace unit of every core that runs a kernel. The streams of neighbouring tiles
//! are merged into groups. Each group leaves by one free port of a shim DMA, as with
//! `--event-trace` of `aiecompiler` (options `num-trace-streams` and `skipunroutabletracenets`; its
//! router takes trace nets last).

use std::collections::BTreeSet;

use aiec_device::{Device, Tile};
use aiec_placer::Placed;

use crate::net::{EndPort, Net, NetEnd};
use crate::nets::switch_of;
use crate::request::Request;
use crate::switch::Switch;

/// The trace unit of the core (AM009, event broadcast and trace). Unit 1 is that of the memory
/// module.
const CORE_TRACE: u32 = 0;

/// One optional packet stream for each tile that runs a kernel, in at most `streams` groups.
///
/// Tiles are taken by columns. A group has as many as a slave port has packet rules (AM009), so
/// that no rule needs a mask, and as the tools let share one port (`slave_nets`). Each group ends
/// at the free South port of a shim DMA that is nearest to its middle tile. Tiles beyond the last
/// group and groups beyond the last free port are not traced: the second value counts these tiles.
pub fn trace_requests(placed: &Placed, nets: &[Net], device: &Device, streams: u32) -> (Vec<Request>, usize) {
    let tiles: BTreeSet<Tile> = placed.kernels.enumerate().map(|(_, &tile)| tile).collect();
    let tiles: Vec<Tile> = tiles.into_iter().collect();
    let size = device.most_merged_streams().min(device.switch.packet.rules).max(1) as usize;
    // Groups of the design's own packets have other numbers.
    let own = nets.iter().filter_map(|net| net.kind.group());
    let first = own.max().map_or(0, |last| last.saturating_add(1));
    let mut free = free_ports(nets, device);
    let mut requests = Vec::new();
    for (group, tiles) in (first..first.saturating_add(streams)).zip(tiles.chunks(size)) {
        let middle = tiles.get(tiles.len() / 2).map_or(0, |tile| tile.column);
        let Some(sink) = free.iter().copied().min_by_key(|end| end.switch.column.abs_diff(middle)) else {
            break;
        };
        free.remove(&sink);
        let source =
            |tile: &Tile| NetEnd { switch: switch_of(*tile, device), port: EndPort::Trace(CORE_TRACE) };
        let stream = |tile| Request { optional: true, ..Request::packet(group, source(tile), vec![sink]) };
        requests.extend(tiles.iter().map(stream));
    }
    let untraced = tiles.len() - requests.len();
    (requests, untraced)
}

/// South ports into a shim DMA that no net uses.
fn free_ports(nets: &[Net], device: &Device) -> BTreeSet<NetEnd> {
    let taken: BTreeSet<NetEnd> = nets.iter().flat_map(|net| &net.sinks).map(|&(_, end)| end).collect();
    let ports = &device.shim.gmio_out_ports;
    let ends = device.shim.noc_columns.iter().flat_map(|&column| {
        ports
            .iter()
            .map(move |&port| NetEnd { switch: Switch { column, row: 0 }, port: EndPort::South(port) })
    });
    ends.filter(|end| !taken.contains(end)).collect()
}
