//! Questions about a design and its device that several rule families ask.

use std::collections::BTreeMap;
use std::iter::{RepeatN, repeat_n};

use aiec_device::{Device, Grid, TileId};
use aiec_diag::Span;

use super::packing::least_bins;
use crate::statement::{NO_PINS, Stated, Statement};
use aiec_collectives::{Buffering, Direction};
use aiec_ir::constraints::Offset;
use aiec_ir::expanded::{Expanded, Owner, Port, PortRole};
use aiec_ir::{Carries, WHOLE_CORE};
use aiec_ir::{CollectiveId, ConnectionId, FamilyId, IdVec, KernelId, PortId};

/// A design and its device, with the grid and the derived tables.
pub(super) struct Context<'a> {
    pub expanded: &'a Expanded,
    pub device: &'a Device,
    pub grid: Grid,
    /// The tile of each kernel that has a valid `place`.
    fixed: IdVec<KernelId, Option<TileId>>,
    /// The best reach of any tile.
    best: Room,
    /// Share of a core's time that each kernel takes, in 1/1000.
    pub shares: IdVec<KernelId, u32>,
    /// For each family the first one of the same declaration. Instances of a component have a
    /// family each.
    declared: IdVec<FamilyId, FamilyId>,
}

/// The modules and cores that a kernel reaches from its tile, or from the best tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Room {
    /// Memory modules the core reaches.
    pub modules: u64,
    /// Other cores that share a module with this core.
    pub partners: usize,
}

/// The construct that declares a window. One fault covers all ports with the same declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Declaration {
    /// A port of a family, by its number.
    Port(FamilyId, u32),
    /// The window that a collective sends.
    Window(CollectiveId),
    /// The cycle counts of a collective.
    Cycles(CollectiveId),
}

impl<'a> Context<'a> {
    /// The context of the checks of `expanded` on `device`, with the most room of an open tile.
    pub fn new(expanded: &'a Expanded, device: &'a Device) -> Self {
        let grid = expanded.open_grid(device);
        let room =
            |tile| Room { modules: grid.reach(tile).len() as u64, partners: grid.partners(tile).len() };
        let best = grid.ids().filter(|&tile| grid.is_open(tile)).map(room).fold(
            Room { modules: 0, partners: 0 },
            |best, room| Room {
                modules: best.modules.max(room.modules),
                partners: best.partners.max(room.partners),
            },
        );
        let mut fixed: IdVec<KernelId, Option<TileId>> = expanded.kernels.iter().map(|_| None).collect();
        for place in &expanded.places {
            let tile = tile_of(&grid, place.column, place.row);
            fixed[place.kernel] = fixed[place.kernel].or(tile);
        }
        let declared = first_of_declarations(expanded);
        Self { expanded, device, grid, fixed, best, shares: expanded.core_shares(), declared }
    }

    /// The reach of `kernel`: from the tile that a `place` fixes, else from the best tile.
    pub fn room(&self, kernel: KernelId) -> Room {
        self.fixed[kernel].map_or(self.best, |tile| Room {
            modules: self.grid.reach(tile).len() as u64,
            partners: self.grid.partners(tile).len(),
        })
    }

    /// The tile that a valid `place` fixes for `kernel`. Returns None when there is none.
    pub fn fixed_tile(&self, kernel: KernelId) -> Option<TileId> {
        self.fixed[kernel]
    }

    /// The design's statements about tiles. No placement file belongs to a check.
    pub const fn stated(&self) -> Stated<'a> {
        Stated { design: self.expanded, pins: &NO_PINS }
    }

    /// The `place`, offsets, `region` and `keepout` of the design, without those of a kernel that
    /// do not lie on the array.
    pub fn statements(&self) -> Vec<Statement> {
        let on_array = |statement: &Statement| match *statement {
            Statement::Place(at) => {
                let place = &self.expanded.places[at];
                self.tile(place.column, place.row).is_some()
            }
            Statement::Offset(at) => self.fits_array(&self.expanded.constraints.offsets[at]),
            Statement::Region(_) | Statement::Keepout(_) => true,
            _ => false,
        };
        self.stated().all().into_iter().filter(on_array).collect()
    }

    /// True if two tiles of the array can have this offset. Larger ones are reported by themselves
    /// and left out, which also keeps sums small.
    pub fn fits_array(&self, offset: &Offset<KernelId>) -> bool {
        offset.columns.unsigned_abs() < u64::from(self.device.columns)
            && offset.rows.unsigned_abs() < u64::from(self.device.rows)
    }

    /// The tile at `column` and `row` as written. Returns None when the array has no such tile.
    pub fn tile(&self, column: i64, row: i64) -> Option<TileId> {
        tile_of(&self.grid, column, row)
    }

    /// True if a DMA fills or drains the port's buffers in every placement. This is so if the other
    /// end lies outside the array, if the window is broadcast (a DMA copies it even to neighbours,
    /// UG1079), or if it leaves as packets or as a stream. Streams need no DMA at the core, and
    /// parameters of the host none at all.
    pub fn crosses_dma(&self, port: PortId) -> bool {
        let is_kernel = matches!(self.expanded.ports[port].owner, Owner::Kernel(_));
        if is_kernel && !self.expanded.has_buffers(port) {
            return false;
        }
        let outside = |port: PortId| matches!(self.expanded.ports[port].owner, Owner::External(_));
        self.expanded.ports[port].connections.iter().any(|&id| {
            let connection = &self.expanded.connections[id];
            outside(connection.from)
                || outside(connection.to)
                || self.expanded.always_streams(connection.from)
        })
    }

    /// Ports of `kernel` whose windows take buffers that it touches, each window once. A window
    /// that a kernel sends to itself counts once: the kernel reads the buffers that it wrote.
    pub fn windows_of(&self, kernel: KernelId) -> impl Iterator<Item = PortId> + '_ {
        self.expanded
            .ports_of(kernel)
            .filter(|&port| !self.leads_back(port) && self.expanded.has_buffers(port))
    }

    /// True if every connection of `port` leads back to its own kernel.
    fn leads_back(&self, port: PortId) -> bool {
        let [connection] = self.expanded.ports[port].connections.as_slice() else { return false };
        let connection = &self.expanded.connections[*connection];
        let sender = self.expanded.kernel_of(connection.from);
        connection.from == port && sender.is_some() && sender == self.expanded.kernel_of(connection.to)
    }

    /// Bytes that one buffer of a kernel's port takes in a module.
    pub fn stored_bytes(&self, port: &Port) -> u64 {
        let block = port.carries.and_then(Carries::block);
        block.map_or(0, |block| self.device.memory.stored_bytes(block.bytes()))
    }

    /// The least number of buffers of a port. It is 0 for a stream of packets, and 1 where both
    /// kernels may be on one core (UG1079).
    pub fn copies(&self, port: PortId) -> u64 {
        match self.may_stay_on_core(port) {
            _ if !self.expanded.has_buffers(port) => 0,
            true => 1,
            false => u64::from(self.expanded.buffering_of(port).copies()),
        }
    }

    /// True if the port has one connection and both its kernels may be on one core.
    fn may_stay_on_core(&self, port: PortId) -> bool {
        let [connection] = self.expanded.ports[port].connections.as_slice() else { return false };
        let connection = &self.expanded.connections[*connection];
        let ends = [connection.from, connection.to].map(|end| self.expanded.kernel_of(end));
        let [Some(from), Some(to)] = ends else { return false };
        let both = self.shares[from] + self.shares[to] <= WHOLE_CORE;
        both && from != to && !self.crosses_dma(port)
    }

    /// A lower bound on the cores that `kernels` need, by their shares of a core's time and their
    /// program memory.
    pub fn least_cores(&self, kernels: impl Iterator<Item = KernelId> + Clone) -> u64 {
        let shares = kernels.clone().map(|kernel| u64::from(self.shares[kernel])).collect();
        let by_time = least_bins(shares, WHOLE_CORE.into());
        let programs = kernels.map(|kernel| u64::from(self.expanded.program_bytes(kernel).unwrap_or(0)));
        let by_program = least_bins(programs.collect(), self.device.core.program_bytes.max(1).into());
        by_time.max(by_program)
    }

    /// Buffers of a port, with its selector word. Each has its own locks. Nothing locks a table.
    pub fn locked(&self, port: PortId) -> u64 {
        if self.expanded.is_table(port) {
            return 0;
        }
        self.copies(port) + u64::from(self.expanded.selectors_of(port))
    }

    /// Locks of all buffers of a port and of its selector word.
    pub fn locks(&self, port: PortId) -> u64 {
        self.locked(port) * u64::from(self.device.costs.buffer_locks)
    }

    /// Buffer descriptors of all buffers of a port; 0 unless a DMA fills or drains them in every
    /// placement.
    pub fn bds(&self, port: PortId) -> u64 {
        self.copies(port) * u64::from(self.device.costs.dma_buffer_bds)
    }

    /// Bytes of all buffers of a kernel's port, with its selector word.
    pub fn buffer_bytes(&self, port: PortId) -> u64 {
        let word = self.device.memory.stored_bytes(self.device.tile.word_bytes.into());
        self.copies(port) * self.stored_bytes(&self.expanded.ports[port])
            + u64::from(self.expanded.selectors_of(port)) * word
    }

    /// Bytes that must lie in one module: one buffer, both buffers of a pair that a DMA serves,
    /// since a DMA serves one module (AM009, tile DMA), or a parameter of the host as a whole.
    pub fn indivisible_bytes(&self, port: PortId) -> u64 {
        let paired = self.crosses_dma(port) && self.expanded.buffering_of(port) == Buffering::Pingpong;
        let one = self.stored_bytes(&self.expanded.ports[port]);
        match self.expanded.stays_in_one_module(port) {
            true => {
                let selector = self.expanded.selector_bytes(port, self.device);
                self.copies(port) * self.device.memory.aligned(one) + selector
            }
            false if paired => self.buffer_bytes(port),
            false => one,
        }
    }

    /// Bytes of each indivisible part of a port's buffers.
    pub fn parts(&self, port: PortId) -> RepeatN<u64> {
        let (part, all) = (self.indivisible_bytes(port), self.buffer_bytes(port));
        // A part may be larger than its bytes, up to the next start.
        let number = all.checked_div(part).map_or(0, |number| number.max(1));
        repeat_n(part, usize::try_from(number).unwrap_or(usize::MAX))
    }

    /// Bytes of a memory module.
    pub fn module_bytes(&self) -> u64 {
        u64::from(self.device.memory.module_bytes)
    }

    /// Bytes of stack, heap and sync area of a kernel.
    pub fn system_bytes(&self, kernel: KernelId) -> u64 {
        let memory = &self.device.memory;
        let stack = self.expanded.stack_bytes(kernel, memory.default_stack);
        let heap = self.expanded.heap_bytes(kernel, memory);
        u64::from(stack) + u64::from(heap) + u64::from(memory.sync_bytes)
    }

    /// Bytes for a kernel's own variables: stack and heap.
    pub fn local_bytes(&self, kernel: KernelId) -> u64 {
        self.system_bytes(kernel) - u64::from(self.device.memory.sync_bytes)
    }

    /// Bytes of stack and heap that a kernel adds at least to those of the others on its core.
    pub fn added_bytes(&self, kernel: KernelId) -> u64 {
        self.expanded.added_bytes(kernel, self.shares[kernel], self.device)
    }

    /// True if some window or the stack of the kernel fits no module. Other rules report that
    /// fault.
    pub fn has_misfit(&self, kernel: KernelId) -> bool {
        let module = self.module_bytes();
        self.system_bytes(kernel) > module
            || self.expanded.ports_of(kernel).any(|port| self.indivisible_bytes(port) > module)
    }

    /// Ports of `kernel` in one direction.
    pub fn ports(&self, kernel: KernelId, direction: Direction) -> &'a [PortId] {
        let kernel = &self.expanded.kernels[kernel];
        if direction == Direction::In { &kernel.inputs } else { &kernel.outputs }
    }

    /// The other end of a connection, seen from `port`.
    pub fn peer(&self, port: PortId, connection: ConnectionId) -> PortId {
        let connection = &self.expanded.connections[connection];
        connection.other(port)
    }

    /// The construct that declares the window of a kernel's port. Returns None when the port is an
    /// input or output of the design: its window is that of the other end.
    pub fn declaration(&self, port: PortId) -> Option<Declaration> {
        let family = self.expanded.kernel_of(port).map(|kernel| self.expanded.kernels[kernel].family);
        let family = family.map(|family| self.declared[family]);
        match self.expanded.ports[port].role {
            PortRole::User(number) => family.map(|family| Declaration::Port(family, number)),
            PortRole::External | PortRole::Channel(_) => None,
            PortRole::Link(id) | PortRole::Packets(id) | PortRole::Result(id) => {
                Some(Declaration::Window(id))
            }
            PortRole::Cycles(id) => Some(Declaration::Cycles(id)),
        }
    }
}

/// For each family the first one of the same declaration.
fn first_of_declarations(expanded: &Expanded) -> IdVec<FamilyId, FamilyId> {
    let mut declared: IdVec<FamilyId, FamilyId> = expanded.families.ids().collect();
    // One line of C++ may create kernels of several functions.
    let mut first: BTreeMap<(Span, &str, usize), FamilyId> = BTreeMap::new();
    for &id in expanded.subgraphs.iter().flat_map(|subgraph| &subgraph.families) {
        let family = &expanded.families[id];
        let key = (family.span, family.body(0).function.as_str(), family.ports.len());
        declared[id] = *first.entry(key).or_insert(id);
    }
    declared
}

fn tile_of(grid: &Grid, column: i64, row: i64) -> Option<TileId> {
    let (column, row) = (u16::try_from(column).ok()?, u16::try_from(row).ok()?);
    grid.id(aiec_device::Tile::new(column, row))
}

/// True if the port has buffers that no other port has. An input has its own buffers only if it
/// cannot share those of the output that feeds it, or if the host or nothing feeds it.
pub(super) fn is_own(context: &Context, port: PortId) -> bool {
    let of_host = context.expanded.selectors_of(port) > 0;
    let is_filled_outside = of_host || context.expanded.is_table(port) || context.crosses_dma(port);
    context.expanded.ports[port].direction == Direction::Out || is_filled_outside
}

/// Groups equal faults: keys in order, and for each key its items in their order.
pub(super) fn grouped<K: Ord, T>(faults: impl IntoIterator<Item = (K, T)>) -> BTreeMap<K, Vec<T>> {
    let mut groups: BTreeMap<K, Vec<T>> = BTreeMap::new();
    for (key, thing) in faults {
        groups.entry(key).or_default().push(thing);
    }
    groups
}
