//! Kernels at fixed tiles: the modules around them suffice for all of them at once.
//!
//! What a kernel needs in any placement lies in the modules its core reaches, so kernels that a `place` fixes compete for those around
//! them. Whether there is enough for all is a question of flow from kernels to modules: by Hall's theorem some kernels need more than
//! all modules within their reach have, or it all fits. What flows can be cut and other kernels are left out, so this is a lower
//! bound, as all checks of resources are.

use std::collections::BTreeMap;

use aiec_device::TileId;
use aiec_diag::Diagnostic;
use petgraph::Direction::{Incoming, Outgoing};
use petgraph::algo::dinics;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::EdgeRef;

use super::context::Context;
use crate::errors::pinned as errors;
use crate::ids::{KernelId, PortId};
use crate::types::Direction;

/// Something a module has some of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Resource {
    /// Bytes of memory.
    Bytes,
    /// Locks of buffers.
    Locks,
    /// Descriptors of buffers that a DMA fills or drains.
    Descriptors,
    /// DMA channels of one direction, seen from the kernel.
    Channels(Direction),
}

/// Kernels at fixed tiles that together need more than there is around them.
#[derive(Clone, Debug)]
pub(crate) struct Crowd {
    /// What they need too much of.
    pub resource: Resource,
    /// The kernels with what each needs at least, in their order.
    pub kernels: Vec<(KernelId, u64)>,
    /// Modules that any of them reaches.
    pub modules: u64,
    /// What one module has.
    pub each: u64,
}

const RESOURCES: [Resource; 5] = [
    Resource::Bytes,
    Resource::Locks,
    Resource::Descriptors,
    Resource::Channels(Direction::In),
    Resource::Channels(Direction::Out),
];

pub(super) fn check(context: &Context) -> Vec<Diagnostic> {
    let crowds = RESOURCES.into_iter().filter_map(|resource| crowd(context, resource));
    crowds.map(|crowd| errors::crowd(context.expanded, &crowd)).collect()
}

/// The kernels for whose needs of `resource` the modules they reach do not suffice, if there are such.
fn crowd(context: &Context, resource: Resource) -> Option<Crowd> {
    let mut tiles: BTreeMap<TileId, Vec<(KernelId, u64)>> = BTreeMap::new();
    for kernel in context.expanded.kernels.ids() {
        let needed = need(context, kernel, resource);
        if let Some(tile) = context.fixed_tile(kernel).filter(|_| needed > 0) {
            tiles.entry(tile).or_default().push((kernel, needed));
        }
    }
    let each = supply(context, resource);
    let demand: Vec<(TileId, u64)> =
        tiles.iter().map(|(&tile, kernels)| (tile, kernels.iter().map(|(_, need)| need).sum())).collect();
    let (short, modules) = shortage(context, &demand, each)?;
    let mut kernels: Vec<_> = short.iter().filter_map(|tile| tiles.get(tile)).flatten().copied().collect();
    kernels.sort_unstable();
    Some(Crowd { resource, kernels, modules, each })
}

/// Tiles that need more than the modules they reach have, with the number of these modules; none if there is enough.
fn shortage(context: &Context, demand: &[(TileId, u64)], each: u64) -> Option<(Vec<TileId>, u64)> {
    let mut network: DiGraph<Option<TileId>, u64> = DiGraph::new();
    let (source, sink) = (network.add_node(None), network.add_node(None));
    let all: u64 = demand.iter().map(|(_, need)| need).sum();
    let mut modules: BTreeMap<TileId, NodeIndex> = BTreeMap::new();
    for &(tile, need) in demand {
        let core = network.add_node(Some(tile));
        network.add_edge(source, core, need);
        for &module in context.grid.reach(tile) {
            let node = *modules.entry(module).or_insert_with(|| {
                let node = network.add_node(None);
                network.add_edge(node, sink, each);
                node
            });
            network.add_edge(core, node, need);
        }
    }
    let (flow, flows) = dinics(&network, source, sink);
    if flow >= all {
        return None;
    }
    let reached = residual(&network, &flows, source);
    let tiles = reached.iter().filter_map(|&node| network[node]).collect();
    let modules = modules.values().filter(|node| reached.contains(node)).count() as u64;
    Some((tiles, modules))
}

/// Nodes to which more could flow from `source`, in the order of their numbers: one side of a smallest cut.
fn residual(network: &DiGraph<Option<TileId>, u64>, flows: &[u64], source: NodeIndex) -> Vec<NodeIndex> {
    let mut reached = vec![false; network.node_count()];
    let mut open = vec![source];
    while let Some(node) = open.pop() {
        if std::mem::replace(&mut reached[node.index()], true) {
            continue;
        }
        let onward = network.edges_directed(node, Outgoing);
        let onward =
            onward.filter(|edge| flows[edge.id().index()] < *edge.weight()).map(|edge| edge.target());
        let back = network.edges_directed(node, Incoming);
        let back = back.filter(|edge| flows[edge.id().index()] > 0).map(|edge| edge.source());
        open.extend(onward.chain(back));
    }
    network.node_indices().filter(|node| reached[node.index()]).collect()
}

/// What one module has.
fn supply(context: &Context, resource: Resource) -> u64 {
    let tile = &context.device.tile;
    match resource {
        Resource::Bytes => context.module_bytes(),
        Resource::Locks => tile.locks.into(),
        Resource::Descriptors => tile.bds.into(),
        Resource::Channels(Direction::In) => tile.s2mm.into(),
        Resource::Channels(Direction::Out) => tile.mm2s.into(),
    }
}

/// What `kernel` at its fixed tile needs within its reach, whatever the other kernels do.
fn need(context: &Context, kernel: KernelId, resource: Resource) -> u64 {
    let ports = context.expanded.ports_of(kernel);
    let certain = ports.map(|port| match resource {
        Resource::Bytes if is_here(context, port) => context.buffer_bytes(port),
        Resource::Locks if is_here(context, port) => context.locks(port),
        Resource::Descriptors if by_dma(context, port) => context.bds(port),
        Resource::Channels(direction) if by_dma(context, port) => {
            u64::from(context.expanded.ports[port].direction == direction)
        }
        _ => 0,
    });
    // The sync area is left out: kernels on one core have one between them.
    let system = if resource == Resource::Bytes { context.local_bytes(kernel) } else { 0 };
    certain.sum::<u64>() + system
}

/// True if buffers of the port's window lie within the reach of its kernel and are counted nowhere else: a window that its kernels could
/// share is counted at the consumer, or at the producer if only that has a fixed tile.
fn is_here(context: &Context, port: PortId) -> bool {
    let receives = context.expanded.ports[port].direction == Direction::In;
    receives || by_dma(context, port) || partner(context, port).is_none()
}

/// True if a DMA fills or drains the port's buffers: always, or because the kernel at the other end has a tile from which it shares no
/// module with this one.
fn by_dma(context: &Context, port: PortId) -> bool {
    let apart = || {
        let here = context.expanded.kernel_of(port).and_then(|kernel| context.fixed_tile(kernel))?;
        Some(context.grid.shared(here, partner(context, port)?).next().is_none())
    };
    context.crosses_dma(port) || (!context.expanded.is_packets(port) && apart().unwrap_or(false))
}

/// The fixed tile of the kernel at the other end of the port's one connection.
fn partner(context: &Context, port: PortId) -> Option<TileId> {
    let [connection] = context.expanded.ports[port].connections.as_slice() else { return None };
    context.expanded.kernel_of(context.peer(port, *connection)).and_then(|kernel| context.fixed_tile(kernel))
}

#[cfg(test)]
mod tests {
    use crate::build::{Builder, input, int32, output};
    use crate::check::testing::{device, rendered, slugs_on, slugs_on_toy, toy};
    use crate::types::Direction;

    const NAMES: [&str; 6] = ["x0", "x1", "x2", "x3", "x4", "x5"];

    /// Kernels with so many inputs from PLIO each, at tiles.
    fn pinned(kernels: &[(&str, usize, i64, i64)]) -> Builder {
        let mut builder = Builder::new("pinned", "xcvc1902");
        for &(name, inputs, column, row) in kernels {
            let ports: Vec<_> = NAMES.iter().take(inputs).map(|name| input(name, int32(16))).collect();
            let source = format!("{name}_in");
            builder.plio(&source, &[inputs as u32], Direction::Out, 32).kernels(name, &[], &ports);
            for (i, port) in NAMES.iter().take(inputs).enumerate() {
                builder.connect(&format!("{source}[{i}]"), &format!("{name}.{port}"));
            }
            builder.place(name, column, row);
        }
        builder
    }

    #[test]
    fn kernels_at_fixed_tiles_compete_for_the_channels_around_them() {
        // (0,0) reaches two modules, both of which (0,1) reaches too, with two more: 8 channels.
        let vc1902 = device("xcvc1902");
        let slugs = |n| slugs_on(&pinned(&[("a", 4, 0, 0), ("b", n, 0, 1)]), &vc1902);
        assert_eq!(slugs(4), [""; 0]);
        assert_eq!(slugs(5), ["check/place-crowded"]);
        let text = rendered(&pinned(&[("a", 4, 0, 0), ("b", 6, 0, 1), ("c", 1, 20, 4)]), &vc1902);
        for part in ["`a` and `b`", "need 10 S2MM channels", "4 memory", "8 S2MM", "`b` needs 6"] {
            assert!(text.contains(part), "{part} is missing in\n{text}");
        }
        assert!(!text.contains("`c`"), "it has room enough\n{text}");
    }

    #[test]
    fn a_kernel_between_two_others_is_part_of_the_crowd() {
        // Each pair fits; all three do not: 4 + 4 + 6 for the 10 channels of five modules.
        let vc1902 = device("xcvc1902");
        let slugs = |n| slugs_on(&pinned(&[("a", 4, 0, 0), ("d", 4, 1, 0), ("b", n, 1, 1)]), &vc1902);
        let reach = |column, row| {
            let grid = aiec_device::Grid::new(&vc1902);
            let id = grid.id(aiec_device::Tile::new(column, row)).expect("on the array");
            grid.reach(id).iter().map(|&module| grid.tile(module)).collect::<Vec<_>>()
        };
        let all: std::collections::BTreeSet<_> =
            [reach(0, 0), reach(1, 0), reach(1, 1)].into_iter().flatten().collect();
        assert_eq!(all.len(), 6, "{all:?}");
        assert_eq!(slugs(4), [""; 0]);
        assert_eq!(slugs(5), ["check/place-crowded"]);
    }

    #[test]
    fn windows_between_kernels_that_share_no_module_take_channels() {
        let link = |column: i64| {
            let mut builder = Builder::new("link", "toy");
            let windows = ["p0", "p1", "p2", "p3", "p4"];
            builder.kernels("a", &[], &windows.map(|name| output(name, int32(16))));
            builder.kernels("b", &[], &windows.map(|name| input(name, int32(16))));
            windows.iter().for_each(|name| {
                builder.connect(&format!("a.{name}"), &format!("b.{name}"));
            });
            builder.place("a", 0, 0).place("b", column, 0);
            slugs_on_toy(&builder)
        };
        assert_eq!(link(1), [""; 0], "they share the module at (0, 0)");
        assert_eq!(link(4), ["check/place-crowded"], "4 MM2S channels around the corner");
    }

    #[test]
    fn a_shared_window_is_counted_once() {
        let mut few = toy();
        few.tile.locks = 1;
        let mut builder = Builder::new("pair", "toy");
        builder.kernels("a", &[], &[output("y", int32(16))]).kernels("b", &[], &[input("x", int32(16))]);
        builder.connect("a.y", "b.x").place("a", 0, 0).place("b", 0, 1);
        assert_eq!(slugs_on(&builder, &few), [""; 0], "two locks, one in each module at (0, 0) and (0, 1)");
    }
}
