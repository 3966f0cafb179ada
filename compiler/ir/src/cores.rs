//! The kernels that can share a core, and the order in which they then fire.
//!
//! Takes kernels with their declared shares of a core's time, and returns which kernels have a core
//! of their own, and why. Kernels on one core run in turn, each to the end of its firing (UG1079).
//! So a kernel that waits for another on its core would wait for ever. Fired in the order of the
//! data no kernel waits, if each passes exactly one window through each of its ports in a firing
//! and none is on a cycle. A kernel that may wait in the middle of its firing, at a stream or for
//! windows that it locks, shares a core only where constraints demand it. It does not share one
//! with the kernel at the other end of a stream.

use std::collections::{BTreeMap, BTreeSet};

use aiec_collectives::Direction;
use aiec_device::{Device, Memory};
use petgraph::algo::tarjan_scc;
use petgraph::graph::DiGraph;
use petgraph::unionfind::UnionFind;

use crate::blocks::{Block, BlockPlace, Within};
use crate::expanded::{CascadeOrigin, Expanded, Owner, PortRole};
use crate::ids::{CollectiveId, ConnectionId, Id, IdVec, KernelId, PortId};

/// The whole of a core's time, in the unit of `runtime`: 1/1000.
pub const WHOLE_CORE: u32 = 1000;

/// The reason why a kernel has a core of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alone {
    /// The design gives it no `runtime`.
    NoRuntime,
    /// The kernel locks the windows of this port itself, so the number of windows per firing is
    /// unknown. No constraint demands that it shares a core.
    Asynchronous(PortId),
    /// This collective passes several windows in one firing.
    SeveralWindows(CollectiveId),
    /// The kernel is on a cycle: its data comes back to it.
    Cycle,
    /// The kernel reads or writes a stream at this port in the middle of its firing. No constraint
    /// demands that it shares a core, or the other end of the stream is to be on the same core.
    Stream(PortId),
    /// The kernel waits on the cascade for other cores in the middle of its firing.
    Cascade(CascadeOrigin),
}

impl Expanded {
    /// Share of a core's time that the design gives `kernel`, in 1/1000. Returns None when the
    /// design states no `runtime`.
    pub fn runtime(&self, kernel: KernelId) -> Option<u32> {
        self.body(kernel).runtime.as_ref().map(|ratio| ratio.value)
    }

    /// Stream ports of its core that `kernel` takes, into the core and out of it.
    pub fn stream_ports(&self, kernel: KernelId) -> [u32; 2] {
        let of = |direction: Direction| {
            let streams = self.ports_of(kernel).filter(|&port| self.is_stream(port));
            streams.filter(|&port| self.ports[port].direction == direction).count() as u32
        };
        [of(Direction::In), of(Direction::Out)]
    }

    /// Bytes of program memory that the design gives `kernel`. Returns None when the design states
    /// no `program`.
    pub fn program_bytes(&self, kernel: KernelId) -> Option<u32> {
        self.body(kernel).program.as_ref().map(|bytes| bytes.value)
    }

    /// The kernels that constraints put on the core of another one: for each kernel the first of
    /// its core. Counts equal tiles, and offsets without a distance.
    pub fn core_mates(&self) -> IdVec<KernelId, KernelId> {
        let mut cores = UnionFind::<usize>::new(self.kernels.len());
        let mut at = BTreeMap::new();
        for place in &self.places {
            let first = *at.entry((place.column, place.row)).or_insert(place.kernel);
            cores.union(first.index(), place.kernel.index());
        }
        for offset in self.constraints.offsets.iter().filter(|offset| (offset.columns, offset.rows) == (0, 0))
        {
            cores.union(offset.from.index(), offset.kernel.index());
        }
        let mut firsts: BTreeMap<usize, KernelId> = BTreeMap::new();
        let first = |kernel: KernelId| *firsts.entry(cores.find(kernel.index())).or_insert(kernel);
        self.kernels.ids().map(first).collect()
    }

    /// For each kernel the reason why it has a core of its own. An entry is None when the kernel
    /// may share one.
    pub fn alone(&self) -> IdVec<KernelId, Option<Alone>> {
        let cyclic = self.on_cycles();
        let mates = self.core_mates();
        let mut on_core: BTreeMap<KernelId, u32> = BTreeMap::new();
        mates.iter().for_each(|&first| *on_core.entry(first).or_default() += 1);
        // Constraints put other kernels on its core.
        let has_mates = |kernel: KernelId, port: PortId| {
            matches!(self.ports[port].role, PortRole::User(_)) && on_core[&mates[kernel]] > 1
        };
        // And none is at the other end of `port`.
        let is_demanded = |kernel: KernelId, port: PortId| {
            let is_mate = |other: KernelId| mates[other] == mates[kernel];
            let mut ends = self.ports[port].connections.iter().flat_map(|&id| {
                let connection = &self.connections[id];
                [connection.from, connection.to].into_iter().filter(|&end| end != port)
            });
            has_mates(kernel, port) && !ends.any(|end| self.kernel_of(end).is_some_and(is_mate))
        };
        let reason = |kernel: KernelId| {
            if self.runtime(kernel).is_none() {
                return Some(Alone::NoRuntime);
            }
            if let Some(member) = self.kernels[kernel].memberships.iter().find(|member| {
                let collective = &self.collectives[member.collective];
                u64::from(collective.chunks()) * u64::from(collective.calls) > 1
            }) {
                return Some(Alone::SeveralWindows(member.collective));
            }
            if let (Some(cascade), _) | (None, Some(cascade)) = self.cascades_of(kernel) {
                return Some(Alone::Cascade(cascade.origin));
            }
            let is_open = |port: &PortId| self.is_stream(*port) && !is_demanded(kernel, *port);
            if let Some(port) = self.ports_of(kernel).find(is_open) {
                return Some(Alone::Stream(port));
            }
            let own_locks = |port: &PortId| {
                let port = &self.ports[*port];
                port.asynchronous && port.window().is_some() && matches!(port.role, PortRole::User(_))
            };
            let mut locked = self.ports_of(kernel).filter(own_locks);
            let port = locked.find(|&port| !has_mates(kernel, port)).map(Alone::Asynchronous);
            port.or_else(|| cyclic.contains(&kernel).then_some(Alone::Cycle))
        };
        self.kernels.ids().map(reason).collect()
    }

    /// The ports at which kernels on one core may wait for each other: windows between two of
    /// them that the kernel of the port locks itself.
    pub fn locked_between(&self, kernels: &[KernelId]) -> Vec<PortId> {
        let is_mate = |port: PortId| self.kernel_of(port).is_some_and(|kernel| kernels.contains(&kernel));
        let ports = kernels.iter().flat_map(|&kernel| self.ports_of(kernel));
        let locked = ports.filter(|&port| {
            let own = &self.ports[port];
            let mut wires = own.connections.iter().map(|&id| &self.connections[id]);
            let is_own = matches!(own.role, PortRole::User(_));
            let is_locked = is_own && own.asynchronous && own.window().is_some();
            is_locked && wires.any(|wire| is_mate(wire.other(port)))
        });
        locked.collect()
    }

    /// Share of a core's time that each kernel takes, in 1/1000: all of it if the kernel has a core
    /// of its own.
    pub fn core_shares(&self) -> IdVec<KernelId, u32> {
        let alone = self.alone();
        let share = |kernel| match alone[kernel] {
            Some(_) => WHOLE_CORE,
            None => self.runtime(kernel).unwrap_or(WHOLE_CORE).clamp(1, WHOLE_CORE),
        };
        self.kernels.ids().map(share).collect()
    }

    /// All kernels in topological order: producers before consumers. Kernels on a cycle are in a
    /// fixed order.
    pub fn firing_order(&self) -> Vec<KernelId> {
        // Tarjan's algorithm finds the consumers first.
        let components = tarjan_scc(&self.graph).into_iter().rev();
        components
            .flat_map(|mut nodes| {
                nodes.sort_unstable();
                nodes
            })
            .filter_map(|node| match self.graph[node] {
                Owner::Kernel(kernel) => Some(kernel),
                Owner::External(_) => None,
            })
            .collect()
    }

    /// For each kernel the number of its strongly connected component: kernels in one may wait for
    /// each other in the middle of a firing. The ranks of a collective are in one, whatever its
    /// shape, and so are the ends of connections of which `waits` says so.
    pub fn components(&self, waits: impl Fn(ConnectionId) -> bool) -> IdVec<KernelId, usize> {
        let mut edges: Vec<(KernelId, KernelId)> = Vec::new();
        for (id, connection) in self.connections.enumerate() {
            let ends = self.kernel_of(connection.from).zip(self.kernel_of(connection.to));
            edges.extend(ends);
            edges.extend(ends.filter(|_| waits(id)).map(|(from, to)| (to, from)));
        }
        for collective in self.collectives.iter() {
            let next = collective.ranks.iter().cycle().skip(1);
            edges.extend(collective.ranks.iter().copied().zip(next.copied()));
        }
        // The node of a kernel has its number.
        let mut graph: DiGraph<(), (), usize> = DiGraph::default();
        self.kernels.ids().for_each(|_| {
            graph.add_node(());
        });
        graph.extend_with_edges(edges.into_iter().map(|(from, to)| (from.index(), to.index())));
        let mut components: IdVec<KernelId, usize> = IdVec::filled(0, self.kernels.len());
        for (number, members) in tarjan_scc(&graph).into_iter().enumerate() {
            members.into_iter().for_each(|node| components[KernelId::from_index(node.index())] = number);
        }
        components
    }

    fn on_cycles(&self) -> BTreeSet<KernelId> {
        let components = tarjan_scc(&self.graph).into_iter().filter(|nodes| nodes.len() > 1);
        let owners = components.flatten().map(|node| self.graph[node]);
        owners
            .filter_map(|owner| match owner {
                Owner::Kernel(kernel) => Some(kernel),
                Owner::External(_) => None,
            })
            .collect()
    }

    /// Bytes of the one area of stacks, heaps and sync area on the core of `kernels`.
    ///
    /// The sizes of stack and heap are those "used by each AI Engine" (UG1702), and no document
    /// adds those of several kernels. Kernels of one core run after each other. So in a graph the
    /// largest stack and the largest heap count, which refuses nothing that the tools accept. In a
    /// design the sums count, which suffice either way. The sync area belongs to the core (linker
    /// scripts of aiecompiler).
    pub fn core_system_bytes(&self, kernels: &[KernelId], device: &Device) -> u64 {
        let sizes = kernels.iter().map(|&kernel| self.stack_and_heap(kernel, device));
        stacks_and_heaps(sizes, self.is_adf()) + u64::from(device.memory.sync_bytes)
    }

    /// Bytes of the stack and of the heap of a kernel.
    pub fn stack_and_heap(&self, kernel: KernelId, device: &Device) -> [u64; 2] {
        let stack = self.stack_bytes(kernel, device.memory.default_stack);
        [stack.into(), self.heap_bytes(kernel, &device.memory).into()]
    }

    /// Bytes of heap of `kernel`: the stated number or the default. The tools compute the heap of
    /// graphs that state none (UG1079, "AI Engine Memory"). So it takes what blocks of stated place
    /// leave.
    pub fn heap_bytes(&self, kernel: KernelId, memory: &Memory) -> u32 {
        let default = || {
            let room = if self.is_adf() { self.room_for_heap(kernel, memory) } else { None };
            room.unwrap_or(u32::MAX).min(memory.default_heap)
        };
        self.body(kernel).heap.as_ref().map_or_else(default, |heap| heap.value)
    }

    /// Bytes that a stack of stated place leaves to its heap: those up to the next block of stated
    /// offset, or those of its bank that other blocks of stated place leave.
    fn room_for_heap(&self, kernel: KernelId, memory: &Memory) -> Option<u32> {
        let is_own = |place: &&BlockPlace<KernelId, PortId>| place.block == Block::Stack(kernel);
        let mut spots = self.blocks.places.iter().filter(is_own).flat_map(|place| &place.spots);
        let (module, within) = spots.find_map(|spot| Some((spot.module?, spot.within)))?;
        let room = match within {
            Within::Module => return None,
            Within::Offset(stack) => {
                let offsets = self.blocks.places.iter().flat_map(|place| &place.spots);
                let behind = offsets.filter_map(|spot| match spot.within {
                    Within::Offset(offset) if spot.module == Some(module) => offset.checked_sub(stack),
                    _ => None,
                });
                behind.filter(|&bytes| bytes > 0).min()?
            }
            Within::Bank(bank) => {
                let taken = self.blocks.places.iter().map(|place| self.bytes_in(place, module, bank, memory));
                u64::from(memory.bank_bytes()).saturating_sub(taken.sum()).try_into().ok()?
            }
        };
        let before_heap = self.stack_bytes(kernel, memory.default_stack).saturating_add(memory.sync_bytes);
        Some(room.saturating_sub(before_heap))
    }

    /// Bytes of the buffers of a place that begin in a bank of a module. 0 for a stack.
    fn bytes_in(
        &self,
        place: &BlockPlace<KernelId, PortId>,
        module: (i64, i64),
        bank: u32,
        memory: &Memory,
    ) -> u64 {
        let Block::Buffers(port) = place.block else { return 0 };
        let is_there = |number: &u32| {
            let spot = place.spot_of(*number as usize);
            spot.module == Some(module) && spot.within.bank(memory.bank_bytes()) == Some(bank)
        };
        let buffers = (0..self.copies(port)).filter(is_there).count() as u64;
        buffers * memory.aligned(memory.stored_bytes(self.block(port).map_or(0, |block| block.bytes())))
    }

    /// Bytes of stack and heap that `kernel`, with this share of a core's time, adds at least to
    /// those of the others on its core.
    pub fn added_bytes(&self, kernel: KernelId, share: u32, device: &Device) -> u64 {
        let is_covered = self.is_adf() && share < WHOLE_CORE;
        if is_covered { 0 } else { self.stack_and_heap(kernel, device).iter().sum() }
    }
}

/// Bytes of stack and heap of a core whose kernels have these stacks and heaps, for an ADF graph or
/// a design ([`Expanded::core_system_bytes`]).
pub fn stacks_and_heaps(sizes: impl Iterator<Item = [u64; 2]>, is_adf: bool) -> u64 {
    let add = |a: u64, b: u64| if is_adf { a.max(b) } else { a + b };
    sizes.fold([0, 0], |[stack, heap], own| [add(stack, own[0]), add(heap, own[1])]).iter().sum()
}
