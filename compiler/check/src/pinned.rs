//! Kernels at fixed tiles, in regions and on one core: the modules around them suffice for all of
//! them at once.
//!
//! The modules that a core reaches hold all that its kernel needs in any placement. So kernels that
//! a `place` fixes or a `region` keeps on few tiles compete for the modules around them. Whether
//! these suffice is a maximum flow from kernels to modules. By Hall's theorem, either everything
//! fits, or some kernels, a Hall violator, need more than all modules within their reach have. The
//! flow may split indivisible parts and leaves other kernels out, so the check is a lower bound,
//! like all checks of resources.

use std::collections::{BTreeMap, BTreeSet};

use aiec_device::TileId;
use aiec_diag::{Diagnostic, Span};
use petgraph::Direction::{Incoming, Outgoing};
use petgraph::algo::dinics;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::EdgeRef;

use super::context::Context;
use super::rigid::allowed;
use crate::errors::pinned::{self as errors, Bond, Crowd, Resource};
use crate::statement::Allowed;
use aiec_collectives::Direction;
use aiec_ir::fifos::{DESCRIPTORS, MemoryFifo, WORD_BYTES, in_memory};
use aiec_ir::{ConnectionId, KernelId, PortId};

/// The resources. A message reports at most one of each row: the first that is short.
const RESOURCES: [&[Resource]; 5] = [
    &[
        Resource::Bytes,
        Resource::Pieces(1),
        Resource::Pieces(2),
        Resource::Pieces(3),
        Resource::Pieces(4),
        Resource::Pieces(5),
        Resource::Pieces(6),
        Resource::Pieces(7),
    ],
    &[Resource::Locks],
    &[Resource::Descriptors],
    &[Resource::Channels(Direction::In)],
    &[Resource::Channels(Direction::Out)],
];

/// Limit on the edges between sets of tiles and modules in the flow network. The smallest sets come
/// first.
const MOST_EDGES: usize = 1 << 15;

pub(super) fn check(context: &Context) -> Vec<Diagnostic> {
    let bound = Bound { context, allowed: allowed(context, &context.statements()), fifos: fifos(context) };
    let crowds = RESOURCES.iter().filter_map(|row| row.iter().find_map(|&resource| bound.crowd(resource)));
    crowds.map(|crowd| errors::crowd(context.expanded, &crowd, context.device)).collect()
}

/// The resource of which kernels on one core need too much, if the core has no fixed tile.
pub(super) fn of_core(context: &Context, kernels: &[KernelId]) -> Option<Crowd> {
    if kernels.iter().any(|&kernel| context.fixed_tile(kernel).is_some()) {
        return None;
    }
    let modules = kernels.iter().map(|&kernel| context.room(kernel).modules).min()?;
    let by_dma = |port: PortId| context.crosses_dma(port);
    // The core reaches all buffers of its kernels. Those between two of them count at the reader.
    let within = |port: PortId| {
        let port = &context.expanded.ports[port];
        port.direction == Direction::Out
            && port.connections.iter().any(|&connection| {
                let reader = context.expanded.kernel_of(context.expanded.connections[connection].to);
                reader.is_some_and(|reader| kernels.contains(&reader))
            })
    };
    let is_here = |port: PortId| by_dma(port) || !within(port);
    RESOURCES.into_iter().flatten().find_map(|&resource| {
        let need = |&kernel: &KernelId| (kernel, certain(context, kernel, resource, is_here, by_dma));
        let kernels: Vec<(KernelId, u64)> = kernels.iter().map(need).collect();
        let each = supply(context, resource);
        let demand: u64 = kernels.iter().map(|(_, need)| need).sum();
        let fifos = Vec::new();
        let crowd = Crowd { bond: Bond::Core, resource, kernels, modules, each, fifos };
        (demand > modules * each).then_some(crowd)
    })
}

/// The FIFOs with stated places in modules of the array.
fn fifos<'a>(context: &Context<'a>) -> Vec<(TileId, MemoryFifo<'a>)> {
    let place = |fifo: MemoryFifo<'a>| Some((context.tile(fifo.place.column, fifo.place.row?)?, fifo));
    in_memory(context.expanded).into_iter().filter_map(place).collect()
}

/// The kernels with a `place` or `region`.
struct Bound<'a> {
    context: &'a Context<'a>,
    allowed: Allowed,
    /// FIFOs with stated places in modules.
    fifos: Vec<(TileId, MemoryFifo<'a>)>,
}

impl Bound<'_> {
    /// The Hall violator for `resource`. Returns None when the modules suffice.
    fn crowd(&self, resource: Resource) -> Option<Crowd> {
        let context = self.context;
        let mut sets: BTreeMap<&[bool], Vec<(KernelId, u64)>> = BTreeMap::new();
        for kernel in context.expanded.kernels.ids() {
            let needed = self.need(kernel, resource);
            if let Some(tiles) = self.allowed.narrowed.get(&kernel).filter(|_| needed > 0) {
                sets.entry(tiles).or_default().push((kernel, needed));
            }
        }
        let mut sets: Vec<Set> =
            sets.into_iter().map(|(tiles, kernels)| Set::new(context, tiles, kernels)).collect();
        sets.sort_by_key(|set| set.modules.len());
        let edges = sets.iter().scan(0, |sum, set| {
            *sum += set.modules.len();
            Some(*sum)
        });
        let few = edges.take_while(|&sum| sum <= MOST_EDGES).count();
        let each = supply(context, resource);
        let taken = |module: TileId| -> u64 { self.taken(resource, module).map(|(_, need)| need).sum() };
        let (short, modules) = shortage(&sets[..few], |module| each.saturating_sub(taken(module)))?;
        let fifos = modules.iter().flat_map(|&module| self.taken(resource, module)).collect();
        let modules = modules.len() as u64;
        let mut kernels: Vec<_> = short.iter().flat_map(|&set| &sets[set].kernels).copied().collect();
        kernels.sort_unstable();
        let fixed = kernels.iter().all(|&(kernel, _)| context.fixed_tile(kernel).is_some());
        let bond = if fixed { Bond::Tiles } else { Bond::Regions };
        Some(Crowd { bond, resource, kernels, modules, each, fifos })
    }

    /// What each FIFO with a stated place takes of a module.
    fn taken(&self, resource: Resource, module: TileId) -> impl Iterator<Item = ((ConnectionId, Span), u64)> {
        let here = self.fifos.iter().filter(move |(place, _)| *place == module);
        let need = here.map(move |(_, fifo)| {
            let bytes = u64::from(fifo.words) * WORD_BYTES;
            let need = match resource {
                Resource::Bytes => bytes,
                Resource::Pieces(fit) => pieces(self.context, bytes, fit),
                Resource::Locks => 0,
                Resource::Descriptors => DESCRIPTORS.into(),
                Resource::Channels(_) => 1,
            };
            ((fifo.connection, fifo.place.span), need)
        });
        need.filter(|(_, need)| *need > 0)
    }

    /// The least that `kernel` needs within its reach, whatever the other kernels do.
    fn need(&self, kernel: KernelId, resource: Resource) -> u64 {
        certain(self.context, kernel, resource, |port| self.is_here(port), |port| self.by_dma(port))
    }

    /// True if buffers of the port's window lie within the reach of its kernel and count nowhere
    /// else. A window that two kernels could share counts at the consumer, or at the producer if
    /// only the producer is bound.
    fn is_here(&self, port: PortId) -> bool {
        let receives = self.context.expanded.ports[port].direction == Direction::In;
        receives || self.by_dma(port) || self.partner(port).is_none()
    }

    /// True if a DMA fills or drains the port's buffers: in every placement, or because no tile of
    /// the kernel at the other end shares a module with a tile of this kernel.
    fn by_dma(&self, port: PortId) -> bool {
        let context = self.context;
        let apart = || {
            let here =
                context.expanded.kernel_of(port).and_then(|kernel| self.allowed.narrowed.get(&kernel))?;
            let there = self.partner(port)?;
            let near = |tile: TileId| {
                there[tile.index()] || context.grid.partners(tile).iter().any(|other| there[other.index()])
            };
            Some(!context.grid.ids().any(|tile| here[tile.index()] && near(tile)))
        };
        context.crosses_dma(port) || (context.expanded.has_buffers(port) && apart().unwrap_or(false))
    }

    /// The tiles of the kernel at the other end of the port's one connection. Returns None when
    /// that kernel is not bound.
    fn partner(&self, port: PortId) -> Option<&[bool]> {
        let [connection] = self.context.expanded.ports[port].connections.as_slice() else { return None };
        let other = self.context.expanded.kernel_of(self.context.peer(port, *connection))?;
        self.allowed.narrowed.get(&other).map(Vec::as_slice)
    }
}

/// Kernels that may be on the same tiles.
struct Set {
    /// Each kernel with its demand.
    kernels: Vec<(KernelId, u64)>,
    /// Modules within reach of any of the tiles.
    modules: Vec<TileId>,
}

impl Set {
    fn new(context: &Context, tiles: &[bool], kernels: Vec<(KernelId, u64)>) -> Self {
        let grid = &context.grid;
        let own = grid.ids().filter(|tile| tiles[tile.index()]);
        let modules: BTreeSet<TileId> = own.flat_map(|tile| grid.reach(tile).iter().copied()).collect();
        Self { kernels, modules: modules.into_iter().collect() }
    }
}

/// Indices of the sets that together need more than the modules within their reach have, with these
/// modules. Returns None when the flow meets every demand.
fn shortage(sets: &[Set], has: impl Fn(TileId) -> u64) -> Option<(Vec<usize>, Vec<TileId>)> {
    let mut network: DiGraph<Option<usize>, u64> = DiGraph::new();
    let (source, sink) = (network.add_node(None), network.add_node(None));
    let mut all = 0;
    let mut modules: BTreeMap<TileId, NodeIndex> = BTreeMap::new();
    for (number, set) in sets.iter().enumerate() {
        let need: u64 = set.kernels.iter().map(|(_, need)| need).sum();
        all += need;
        let core = network.add_node(Some(number));
        network.add_edge(source, core, need);
        for &module in &set.modules {
            let node = *modules.entry(module).or_insert_with(|| {
                let node = network.add_node(None);
                network.add_edge(node, sink, has(module));
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
    let sets = reached.iter().filter_map(|&node| network[node]).collect();
    modules.retain(|_, node| reached.contains(node));
    Some((sets, modules.into_keys().collect()))
}

/// The source side of a minimum cut: nodes to which more could flow from `source`, in the order of
/// their numbers.
fn residual(network: &DiGraph<Option<usize>, u64>, flows: &[u64], source: NodeIndex) -> Vec<NodeIndex> {
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

/// Supply of one module.
fn supply(context: &Context, resource: Resource) -> u64 {
    let tile = &context.device.tile;
    match resource {
        Resource::Bytes => context.module_bytes(),
        Resource::Pieces(fit) => fit,
        Resource::Locks => tile.locks.into(),
        Resource::Descriptors => tile.bds.into(),
        Resource::Channels(Direction::In) => tile.s2mm.into(),
        Resource::Channels(Direction::Out) => tile.mm2s.into(),
    }
}

/// The least that `kernel` needs within its reach: for the windows whose buffers are `here`, for
/// the windows that go `by_dma`, and for stack and heap.
fn certain(
    context: &Context,
    kernel: KernelId,
    resource: Resource,
    is_here: impl Fn(PortId) -> bool,
    by_dma: impl Fn(PortId) -> bool,
) -> u64 {
    let ports = context.expanded.ports_of(kernel);
    let certain = ports.map(|port| match resource {
        Resource::Bytes if is_here(port) => context.buffer_bytes(port),
        Resource::Pieces(fit) if is_here(port) && by_dma(port) => {
            pieces(context, context.buffer_bytes(port), fit)
        }
        Resource::Pieces(fit) if is_here(port) => {
            context.copies(port) * pieces(context, context.stored_bytes(&context.expanded.ports[port]), fit)
        }
        Resource::Locks if is_here(port) => context.locks(port),
        Resource::Descriptors if by_dma(port) => context.bds(port),
        Resource::Channels(direction) if by_dma(port) => {
            u64::from(context.expanded.ports[port].direction == direction)
        }
        _ => 0,
    });
    // The sync area is left out: kernels on one core have one between them.
    let system = match resource {
        Resource::Bytes => context.added_bytes(kernel),
        Resource::Pieces(fit) => pieces(context, context.added_bytes(kernel), fit),
        _ => 0,
    };
    certain.sum::<u64>() + system
}

/// The weight of one indivisible part of `bytes` where `fit` parts fit a module. Parts that fit a
/// module together weigh at most `fit`.
fn pieces(context: &Context, bytes: u64, fit: u64) -> u64 {
    ((fit + 1) * bytes).div_ceil(context.module_bytes().max(1)).saturating_sub(1)
}

#[cfg(test)]
mod tests {
    use crate::testing::{device, rendered, slugs_on, slugs_on_toy, toy};
    use aiec_collectives::{Buffering, Direction};
    use aiec_test_support::{Builder, input, int32, output};

    const NAMES: [&str; 6] = ["x0", "x1", "x2", "x3", "x4", "x5"];

    /// Kernels on tiles, each with a number of inputs from PLIO: name, inputs, column, row.
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
        // (0,0) reaches two modules. (0,1) reaches the same two and two more. They have 8 channels.
        let vc1902 = device("xcvc1902");
        let slugs = |n| slugs_on(&pinned(&[("a", 4, 0, 0), ("b", n, 0, 1)]), &vc1902);
        assert_eq!(slugs(4), [""; 0]);
        assert_eq!(slugs(5), ["check/place-crowded"]);
        let text = rendered(&pinned(&[("a", 4, 0, 0), ("b", 6, 0, 1), ("c", 1, 20, 4)]), &vc1902);
        for part in ["`a` and `b`", "need 10 S2MM channels", "4 memory", "8 S2MM", "`b` needs 6"] {
            assert!(text.contains(part), "{part} is missing in\n{text}");
        }
        assert!(!text.contains("`c`"), "it has room enough\n{text}");
        assert!(text.contains("put `b`, which needs the most"), "{text}");
        // 48 channels of 34: 14 are too many, which are those of 3 kernels.
        let row =
            ["a", "b", "c", "d", "e", "f", "g", "h"].iter().zip(8..).map(|(&name, at)| (name, 6, at, 0));
        let text = rendered(&pinned(&row.collect::<Vec<_>>()), &vc1902);
        assert!(text.contains("`a` first") && text.contains("at least 3 of"), "{text}");
    }

    /// (0, 0) reaches two modules, which have 4 S2MM channels.
    #[test]
    fn fifos_with_places_leave_less_to_the_kernels_around_them() {
        use aiec_ir::fifos::FifoKind::Dma;
        let vc1902 = device("xcvc1902");
        let with = |inputs| {
            let mut builder = pinned(&[("a", inputs, 0, 0)]);
            builder.plio_input("i", 32).plio_output("o", 32);
            builder.connect("i", "o").fifo(64).fifo_of("i", 0, Some(0), Dma { offset: 0, words: 64 });
            builder
        };
        assert_eq!(slugs_on(&with(3), &vc1902), [""; 0]);
        assert_eq!(slugs_on(&with(4), &vc1902), ["check/place-crowded"]);
        let text =
            rendered(&with(4), &vc1902).split_whitespace().collect::<Vec<_>>().join(" ").replace("│ ", "");
        for part in ["the FIFO with stated places (`i -> o`) takes 1 S2MM channel", "place FIFOs elsewhere"] {
            assert!(text.contains(part), "{part} is missing in\n{text}");
        }
    }

    #[test]
    fn a_kernel_between_two_others_is_part_of_the_crowd() {
        // Each pair fits, but all three do not: 4 + 4 + 6 channels, of 10 in five modules.
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
    fn kernels_in_a_region_compete_for_the_modules_around_it() {
        // From (2, 1) and (3, 1), on an odd row, the reach is six modules between rows 0 and 2, and
        // (4, 1).
        let in_region = |kernels: u32, inputs: usize| {
            let mut builder = Builder::new("region", "xcvc1902");
            let ports: Vec<_> = NAMES.iter().take(inputs).map(|name| input(name, int32(16))).collect();
            builder.kernels("k", &[kernels], &ports);
            for (i, port) in NAMES.iter().take(inputs).enumerate() {
                builder.plio(&format!("in{i}"), &[kernels], Direction::Out, 32);
                (0..kernels).for_each(|k| {
                    builder.connect(&format!("in{i}[{k}]"), &format!("k[{k}].{port}"));
                });
            }
            builder.region(&["k"], (2, 1), (3, 1));
            builder
        };
        let vc1902 = device("xcvc1902");
        assert_eq!(slugs_on(&in_region(2, 6), &vc1902), [""; 0], "12 of 14 channels");
        let mut three = in_region(3, 5);
        three.runtime("k", 300);
        let text = rendered(&three, &vc1902);
        for part in
            ["need 15 S2MM channels", "7 memory modules", "have 14 S2MM channels", "make the region larger"]
        {
            assert!(text.contains(part), "{part} is missing in\n{text}");
        }
        // Each kernel has 64 KiB of windows. There are 7 modules of 32 KiB.
        let mut wide = Builder::new("wide", "xcvc1902");
        let window = int32(4096);
        wide.kernels("k", &[4], &[input("x", window), input("y", window)]).runtime("k", 300);
        wide.plio("a", &[4], Direction::Out, 32).plio("b", &[4], Direction::Out, 32).region(
            &["k"],
            (2, 1),
            (3, 1),
        );
        (0..4).for_each(|k| {
            wide.connect(&format!("a[{k}]"), &format!("k[{k}].x"))
                .connect(&format!("b[{k}]"), &format!("k[{k}].y"));
        });
        assert_eq!(slugs_on(&wide, &vc1902), ["check/place-crowded"]);
    }

    #[test]
    fn kernels_in_a_region_compete_for_room_for_pieces_that_cannot_be_cut() {
        // (0, 0) and (1, 0) reach four modules. The two kernels have seven buffers of 9 KiB each,
        // 126 KiB in all, but a module holds only three buffers.
        let in_region = |bytes: u32| {
            let mut builder = Builder::new("region", "toy");
            let ports = ["x0", "x1", "x2", "x3"].map(|name| input(name, int32(bytes / 4)));
            builder.kernels("k", &[2], &ports).stack("k", 256).heap("k", 0);
            builder.kernels("s", &[8], &[output("y", int32(bytes / 4))]);
            for i in 0..8 {
                let buffers = if i % 4 == 0 { Buffering::Single } else { Buffering::Pingpong };
                builder.connect_with(&format!("s[{i}].y"), &format!("k[{}].x{}", i / 4, i % 4), buffers);
            }
            builder.region(&["k"], (0, 0), (1, 0));
            builder
        };
        assert_eq!(slugs_on_toy(&in_region(7 * 1024)), [""; 0], "four to a module");
        let text = rendered(&in_region(9 * 1024), &toy());
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ").replace("│ ", "");
        for part in [
            "check/place-crowded",
            "need room for 14 pieces of more than 8 KiB in any placement",
            "the 4 memory modules in reach from there have room for 12 pieces of more than 8 KiB, 3 each",
        ] {
            assert!(text.contains(part), "{part} is missing in\n{text}");
        }
    }

    #[test]
    fn kernels_on_one_core_have_the_channels_of_four_modules() {
        let on_one = |inputs: usize| {
            let mut builder = Builder::new("one", "xcvc1902");
            let ports: Vec<_> = NAMES.iter().take(inputs).map(|name| input(name, int32(16))).collect();
            builder.kernels("k", &[2], &ports).runtime("k", 400).place_relative("k[1]", "k[0]", (0, 0));
            for (i, port) in NAMES.iter().take(inputs).enumerate() {
                builder.plio(&format!("in{i}"), &[2], Direction::Out, 32);
                (0..2).for_each(|k| {
                    builder.connect(&format!("in{i}[{k}]"), &format!("k[{k}].{port}"));
                });
            }
            builder
        };
        let vc1902 = device("xcvc1902");
        assert_eq!(slugs_on(&on_one(4), &vc1902), [""; 0]);
        let text = rendered(&on_one(5), &vc1902);
        for part in ["`k[0]` and `k[1]`, which run on one core, need 10 S2MM channels", "8 S2MM channels"] {
            assert!(
                text.split_whitespace().collect::<Vec<_>>().join(" ").replace("│ ", "").contains(part),
                "{part} is missing in\n{text}"
            );
        }
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
