//! The design as a graph of instances: one node per kernel and per input or output, one edge per
//! connection. Collectives have become connections and roles of ports.

use aiec_device::{Board, Device, Release, Tile};
use aiec_diag::{Span, Spanned};
use petgraph::graph::{DiGraph, NodeIndex};

use crate::constraints::Constraints;
use crate::design::{Endpoint, Family, Written};
use crate::formula::Formula;
use crate::ids::{
    CollectiveId, ConnectionId, ExternalFamilyId, ExternalId, FamilyId, IdVec, KernelId, PortId,
};
use aiec_collectives::{Buffering, Direction, Loops, Operator, PortKind, WindowType};
use aiec_collectives::{Combining, Operation, Plan, Shape, Step};

/// Every kernel instance with its ports, and the connections between them.
///
/// Invariants: ids are in range. A port lists exactly the connections that touch it. Connections go
/// from an `Out` to an `In` port. A kernel's ports are its user ports in declaration order, then
/// those of its collectives in declaration order. The graph has one node per kernel and per input
/// or output and one edge per connection.
#[derive(Clone, Debug)]
pub struct Expanded {
    /// The design's name.
    pub name: Spanned<String>,
    /// The device's name.
    pub device: Spanned<String>,
    /// The release of Vitis that the project is for.
    pub release: &'static Release,
    /// The board for which the project is built.
    pub board: Board,
    /// The values of the design's own lines for release and board, before the command line
    /// overrides them.
    pub written: Written,
    /// Runs of the graph, at least 1.
    pub iterations: u32,
    /// The C++ type of kernel ports: windows or buffers.
    pub port_kind: PortKind,
    /// Constants with their values after overriding, in declaration order.
    pub constants: Vec<(String, i64)>,
    /// Kernel families, as declared.
    pub families: IdVec<FamilyId, Family>,
    /// Kernels: all instances of the first family, then of the second, and so on.
    pub kernels: IdVec<KernelId, Kernel>,
    /// Inputs and outputs, all instances of each in declaration order.
    pub externals: IdVec<ExternalId, External>,
    /// Ports of all kernels, inputs and outputs.
    pub ports: IdVec<PortId, Port>,
    /// Connections: the user's in source order, then those of each collective in the order of its
    /// schedule.
    pub connections: IdVec<ConnectionId, Connection>,
    /// Collectives with their schedules.
    pub collectives: IdVec<CollectiveId, Collective>,
    /// Cascade streams between kernels: those of each collective in rank order.
    pub cascades: Vec<Cascade>,
    /// `place` constraints. A kernel may have several.
    pub places: Vec<Place>,
    /// All other placement constraints.
    pub constraints: Constraints<KernelId>,
    /// Kernels, inputs and outputs as nodes, connections as edges.
    pub graph: DiGraph<Owner, ConnectionId>,
    /// The node of each kernel, then of each input or output.
    pub nodes: Vec<NodeIndex>,
}

/// The owner of a port.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Owner {
    /// A kernel.
    Kernel(KernelId),
    /// An input or output of the array.
    External(ExternalId),
}

/// A kernel instance.
#[derive(Clone, Debug)]
pub struct Kernel {
    /// The family of the kernel.
    pub family: FamilyId,
    /// Row-major index in the family.
    pub index: u32,
    /// Its name, such as `worker[3]`.
    pub name: String,
    /// Input ports in C++ order: `in[0]`, `in[1]`, ...
    pub inputs: Vec<PortId>,
    /// Output ports in C++ order.
    pub outputs: Vec<PortId>,
    /// Its memberships, one for each collective that it takes part in, in declaration order.
    pub memberships: Vec<Membership>,
    /// Source location of the first words of the family's declaration.
    pub span: Span,
}

/// A kernel's part in a collective: its rank and its ports.
#[derive(Clone, Debug)]
pub struct Membership {
    /// The collective.
    pub collective: CollectiveId,
    /// Rank within the group.
    pub rank: u32,
    /// Input ports, in the order of the schedule's links.
    pub inputs: Vec<PortId>,
    /// Output ports, in the order of the schedule's links.
    pub outputs: Vec<PortId>,
    /// Output port of the result, at the root, if it is connected.
    pub result: Option<PortId>,
    /// Output port of the cycle counts, at the root, if it is connected.
    pub cycles: Option<PortId>,
}

/// An instance of an input or output.
#[derive(Clone, Debug)]
pub struct External {
    /// The declaration.
    pub family: ExternalFamilyId,
    /// Index within the declaration.
    pub index: u32,
    /// Its name, such as `samples[3]`.
    pub name: String,
    /// A C++ identifier for it and its PLIO or GMIO name, such as `samples_3`.
    pub identifier: String,
    /// `Out` for an input of the array, `In` for an output.
    pub direction: Direction,
    /// The far end. `{}` in file names is replaced already.
    pub endpoint: Endpoint,
    /// Its one port. The window is that of the port it is connected to, and None if it is not
    /// connected.
    pub port: PortId,
    /// Source location of the declaration's first words.
    pub span: Span,
}

/// A port of a kernel, input or output.
#[derive(Clone, Debug)]
pub struct Port {
    /// The kernel, input or output that has the port.
    pub owner: Owner,
    /// Direction, seen from the owner.
    pub direction: Direction,
    /// Its name, such as `x` or `total_in0`; that of the input or output itself for externals.
    pub name: String,
    /// Index among the owner's ports of this direction, as in `k.in[slot]`.
    pub slot: u32,
    /// Its window. None for a packet stream, and for an input or output without a connection.
    pub window: Option<WindowType>,
    /// True if the kernel acquires and releases the window itself.
    pub asynchronous: bool,
    /// The reason why the port exists.
    pub role: PortRole,
    /// The connections that touch it, in order.
    pub connections: Vec<ConnectionId>,
    /// Source location of the construct that made the port.
    pub span: Span,
}

/// The reason why a port exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PortRole {
    /// Declared by the user; index into the family's ports.
    User(u32),
    /// The port of an input or output.
    External,
    /// From or to other ranks of a collective.
    Link(CollectiveId),
    /// A packet stream from several other ranks of a collective, merged: a stream port of the core,
    /// without a window.
    Packets(CollectiveId),
    /// The result of a collective.
    Result(CollectiveId),
    /// The cycle counts of a collective.
    Cycles(CollectiveId),
}

/// A window connection between two ports.
#[derive(Clone, Debug)]
pub struct Connection {
    /// The producing port.
    pub from: PortId,
    /// The consuming port.
    pub to: PortId,
    /// Buffers at each place the window is stored.
    pub buffering: Buffering,
    /// Windows that the kernels acquire in one run, as far as the design states it.
    pub windows: Windows,
    /// The collective that made the connection. None for the user's connections.
    pub collective: Option<CollectiveId>,
    /// Source location of the construct that made the connection.
    pub span: Span,
}

/// Windows that the kernels of a `connect` acquire in one run. Only asynchronous ends state it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Windows {
    /// At the producing end.
    pub from: Option<Spanned<u32>>,
    /// At the consuming end.
    pub to: Option<Spanned<u32>>,
}

/// A cascade stream from one core to the next one along the cascade (AM009). It has no window,
/// buffer, lock or net. At both ends it is the kernel's last port of its direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cascade {
    /// The kernel that writes.
    pub from: KernelId,
    /// The kernel that reads.
    pub to: KernelId,
    /// The collective that made the stream.
    pub collective: CollectiveId,
    /// Source location of the construct that made the stream.
    pub span: Span,
}

/// A collective after expansion: kernels and their schedule.
#[derive(Clone, Debug)]
pub struct Collective {
    /// Its name.
    pub name: String,
    /// The schedule: transfers and their order, by rank.
    pub plan: Plan,
    /// The operator. None for operations that combine no data.
    pub op: Option<Spanned<Operator>>,
    /// The block of one rank.
    pub data: Spanned<WindowType>,
    /// The window that one transfer carries.
    pub window: Spanned<WindowType>,
    /// The group in rank order.
    pub ranks: Vec<KernelId>,
    /// The root as written. Rank 0 where the source names none.
    pub root: Spanned<KernelId>,
    /// Source location of the shape, or of the collective when the compiler chose the shape.
    pub shape_span: Span,
    /// Buffers of its connections.
    pub buffering: Buffering,
    /// Calls in one run of the kernels.
    pub calls: u32,
    /// Window of the cycle counts, if declared.
    pub cycles: Option<Spanned<WindowType>>,
    /// The formula for each rank's contribution. None when the design states none.
    pub reference: Option<Formula>,
    /// Gather and scatter: positions of the ranks' blocks in the root's array.
    pub layout: Option<Layout>,
    /// True for scalar instead of vectorised C++.
    pub scalar: bool,
    /// True if every rank but the root sends one window to a merge in each run of its kernel, and
    /// waits for nothing after it. These windows are synchronous.
    pub sends_once: bool,
    /// The shapes that the compiler compared, cheapest first. Empty when the source names the
    /// shape.
    pub compared: Vec<Compared>,
    /// Source location of the declaration's first words.
    pub span: Span,
}

/// Positions of the blocks of a gather or scatter in the root's array, in elements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Elements of each rank's block.
    pub counts: Vec<u32>,
    /// Index of the first element of each rank's block.
    pub firsts: Vec<u32>,
    /// Contiguous elements per run; 0 if the whole block is contiguous.
    pub run: u32,
    /// Distance from the first element of a run to that of the next.
    pub stride: u32,
}

impl Layout {
    /// Index of element `i` of the block of `rank`.
    pub fn position(&self, rank: u32, i: u32) -> u64 {
        let first = u64::from(self.firsts.get(rank as usize).copied().unwrap_or(0));
        match i.checked_div(self.run) {
            None => first + u64::from(i),
            Some(run) => first + u64::from(run) * u64::from(self.stride) + u64::from(i % self.run),
        }
    }

    /// Elements that the root's array must have.
    pub fn elements(&self) -> u64 {
        let ends = (0..).zip(&self.counts).map(|(rank, &count)| match count.checked_sub(1) {
            Some(last) => self.position(rank, last) + 1,
            None => 0,
        });
        ends.max().unwrap_or(0)
    }

    /// Two ranks whose blocks share an element, and the first such element. Returns None when the
    /// blocks are disjoint.
    pub fn overlap(&self) -> Option<(u32, u32, u64)> {
        let runs = (0..).zip(&self.counts).flat_map(|(rank, &count)| {
            let run = if self.run == 0 { count.max(1) } else { self.run };
            (0..count).step_by(run as usize).map(move |i| {
                let first = self.position(rank, i);
                (first, first + u64::from(run.min(count - i)), rank)
            })
        });
        let mut runs: Vec<(u64, u64, u32)> = runs.collect();
        runs.sort_unstable();
        runs.windows(2).find(|pair| pair[1].0 < pair[0].1).map(|pair| {
            let ranks = (pair[0].2.min(pair[1].2), pair[0].2.max(pair[1].2));
            (ranks.0, ranks.1, pair[1].0)
        })
    }

    /// True if all ranks have the same number of elements, each block contiguous.
    pub fn is_uniform(&self) -> bool {
        self.run == 0 && self.counts.windows(2).all(|pair| pair[0] == pair[1])
    }
}

/// A shape that the compiler considered for a collective.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compared {
    /// The shape.
    pub shape: Shape,
    /// Estimated array cycles of a call with all links through shared memory, or the reason why the
    /// shape was ruled out.
    pub cycles: Result<i64, String>,
}

/// A `place`: puts one kernel on a tile. The tile may lie outside the array (checked later).
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// The kernel.
    pub kernel: KernelId,
    /// The column as written.
    pub column: i64,
    /// The core row as written.
    pub row: i64,
    /// Source location of the `place`.
    pub span: Span,
}

impl Expanded {
    /// The kernel of a port. Returns None for a port of an input or output.
    pub fn kernel_of(&self, port: PortId) -> Option<KernelId> {
        match self.ports[port].owner {
            Owner::Kernel(kernel) => Some(kernel),
            Owner::External(_) => None,
        }
    }

    /// The number of windows that the design states for a port's kernel and one run: the first such
    /// number, with its source location. Returns None when the design states none.
    pub fn stated_windows(&self, port: PortId) -> Option<&Spanned<u32>> {
        let connections = self.ports[port].connections.iter().map(|&id| &self.connections[id]);
        connections
            .flat_map(|c| [(c.from, &c.windows.from), (c.to, &c.windows.to)])
            .filter(|(end, _)| *end == port)
            .find_map(|(_, windows)| windows.as_ref())
    }

    /// Windows that a kernel passes through its port in one run, as far as the design determines
    /// it: one of a synchronous port, one for each chunk of every call of a result, one of cycle
    /// counts, and the stated `windows` of an asynchronous port. Returns None for inputs, outputs
    /// and the links of a collective.
    pub fn windows_per_run(&self, port: PortId) -> Option<u64> {
        let end = &self.ports[port];
        match end.role {
            PortRole::External | PortRole::Link(_) | PortRole::Packets(_) => None,
            PortRole::Result(id) => {
                let collective = &self.collectives[id];
                Some(u64::from(collective.chunks()) * u64::from(collective.calls))
            }
            PortRole::Cycles(_) => Some(1),
            PortRole::User(_) if !end.asynchronous => Some(1),
            PortRole::User(_) => self.stated_windows(port).map(|windows| windows.value.into()),
        }
    }

    /// Windows that pass through an input or output in one run: those that the kernel at its first
    /// connection passes, or one if the design does not determine it. Returns None when nothing is
    /// connected.
    pub fn windows_through(&self, external: ExternalId) -> Option<u64> {
        let port = self.externals[external].port;
        let connection = &self.connections[*self.ports[port].connections.first()?];
        let kernel = if connection.from == port { connection.to } else { connection.from };
        Some(self.windows_per_run(kernel).unwrap_or(1))
    }

    /// A port's name with its owner's, such as `worker[3].total_in0`, or `sum` for an output.
    pub fn port_name(&self, port: PortId) -> String {
        let port = &self.ports[port];
        match port.owner {
            Owner::Kernel(kernel) => format!("{}.{}", self.kernels[kernel].name, port.name),
            Owner::External(external) => self.externals[external].name.clone(),
        }
    }

    /// The name of a port's owner.
    pub fn owner_name(&self, owner: Owner) -> &str {
        match owner {
            Owner::Kernel(kernel) => &self.kernels[kernel].name,
            Owner::External(external) => &self.externals[external].name,
        }
    }

    /// Bytes of stack of `kernel`: the stated number or `default`.
    pub fn stack_bytes(&self, kernel: KernelId, default: u32) -> u32 {
        self.families[self.kernels[kernel].family].stack.as_ref().map_or(default, |stack| stack.value)
    }

    /// Bytes of heap of `kernel`: the stated number or `default`.
    pub fn heap_bytes(&self, kernel: KernelId, default: u32) -> u32 {
        self.families[self.kernels[kernel].family].heap.as_ref().map_or(default, |heap| heap.value)
    }

    /// True if a keepout of the design or of the device covers `tile`.
    pub fn is_closed(&self, device: &Device, tile: Tile) -> bool {
        device.keepout.contains(&tile) || self.constraints.keeps_out(tile.column.into(), tile.row.into())
    }

    /// All ports of `kernel`, inputs first.
    pub fn ports_of(&self, kernel: KernelId) -> impl Iterator<Item = PortId> + '_ {
        let kernel = &self.kernels[kernel];
        kernel.inputs.iter().chain(&kernel.outputs).copied()
    }

    /// Buffers of a port's window at each place that stores it: ping-pong unless all its
    /// connections are single.
    pub fn buffering_of(&self, port: PortId) -> Buffering {
        let connections = &self.ports[port].connections;
        let single = connections.iter().all(|&c| self.connections[c].buffering == Buffering::Single);
        if single && !connections.is_empty() { Buffering::Single } else { Buffering::Pingpong }
    }

    /// The collective of `port`: its own, or the one whose result or cycle counts it takes in. So
    /// both ends of a connection, and all its costs, belong to the same collective or to none.
    pub fn collective_of(&self, port: PortId) -> Option<CollectiveId> {
        let own = |port: PortId| match self.ports[port].role {
            PortRole::Link(id) | PortRole::Packets(id) | PortRole::Result(id) | PortRole::Cycles(id) => {
                Some(id)
            }
            PortRole::User(_) | PortRole::External => None,
        };
        let mut ends = self.ports[port].connections.iter().map(|&id| &self.connections[id]);
        own(port).or_else(|| ends.find_map(|connection| own(connection.from)))
    }

    /// The part of `kernel` in a collective. Returns None when it has none.
    pub fn membership(&self, kernel: KernelId, collective: CollectiveId) -> Option<&Membership> {
        self.kernels[kernel].memberships.iter().find(|member| member.collective == collective)
    }

    /// The two ports of each connection of a collective, in the order of its links. The ranks must
    /// have their ports. A link to several ranks is one connection per receiver.
    pub fn link_ports(
        &self,
        collective: &Collective,
        id: CollectiveId,
    ) -> impl Iterator<Item = (PortId, PortId)> {
        let mut found = Vec::new();
        let links = collective.plan.links();
        for (link, ends) in links.iter().zip(collective.plan.ends(&links)) {
            let port = |rank: u32, at: usize, list: fn(&Membership) -> &[PortId]| {
                let kernel = collective.ranks.get(rank as usize)?;
                list(self.membership(*kernel, id)?).get(at).copied()
            };
            let from = port(link.from, ends.from, |member| &member.outputs);
            for (&to, at) in link.to.iter().zip(ends.to) {
                found.extend(from.zip(port(to, at, |member| &member.inputs)));
            }
        }
        found.into_iter()
    }

    /// The ports from which a step of a rank takes windows, and the ports to which it gives
    /// windows, the port of the result among them.
    pub fn step_ports(&self, member: &Membership, step: &Step) -> (Vec<PortId>, Vec<PortId>) {
        let at = |ports: &[PortId], number: &u32| ports.get(*number as usize).copied();
        let take = step.take.iter().filter_map(|port| at(&member.inputs, port)).collect();
        let give = step.give.iter().filter_map(|port| at(&member.outputs, port));
        (take, give.chain(member.result.filter(|_| step.result)).collect())
    }

    /// The cascade stream that `kernel` reads, and the one that it writes; the first of each. None
    /// where there is none.
    pub fn cascades_of(&self, kernel: KernelId) -> (Option<&Cascade>, Option<&Cascade>) {
        let into = self.cascades.iter().find(|cascade| cascade.to == kernel);
        (into, self.cascades.iter().find(|cascade| cascade.from == kernel))
    }

    /// True if a packet stream comes in by the port. Many ranks may send to it, and it has no
    /// buffers.
    pub fn is_packets(&self, port: PortId) -> bool {
        matches!(self.ports[port].role, PortRole::Packets(_))
    }

    /// True if the port's windows leave as packets of a merged stream: by DMA in every placement.
    pub fn is_merged(&self, port: PortId) -> bool {
        let port = &self.ports[port];
        let into = |&id: &ConnectionId| self.is_packets(self.connections[id].to);
        port.direction == Direction::Out && port.connections.iter().any(into)
    }

    /// Number of windows of a kernel: its ports without packet streams.
    pub fn window_count(&self, kernel: KernelId) -> usize {
        self.ports_of(kernel).filter(|&port| !self.is_packets(port)).count()
    }

    /// True if the port's windows are stored at both ends and carried by DMA even between
    /// neighbours: a broadcast (UG1079), or packets.
    pub fn always_streams(&self, port: PortId) -> bool {
        self.is_broadcast(port) || self.is_merged(port)
    }

    /// True if the port has several consumers. A DMA copies a broadcast window even to neighbours
    /// (UG1079).
    pub fn is_broadcast(&self, port: PortId) -> bool {
        self.ports[port].direction == Direction::Out && self.ports[port].connections.len() > 1
    }
}

impl Collective {
    /// The cascade streams of a collective with shape `cascade`, from every rank to the next one;
    /// empty for other shapes.
    pub fn cascades(&self, id: CollectiveId) -> impl Iterator<Item = Cascade> {
        let pairs = self.ranks.windows(2).filter(|_| self.plan.is_cascade());
        pairs.map(move |pair| Cascade { from: pair[0], to: pair[1], collective: id, span: self.shape_span })
    }

    /// The role of the ports that `kernel` has for its links in one direction.
    pub fn port_role(&self, id: CollectiveId, kernel: KernelId, direction: Direction) -> PortRole {
        let merged = self.plan.is_merged() && kernel == self.root.value && direction == Direction::In;
        if merged { PortRole::Packets(id) } else { PortRole::Link(id) }
    }

    /// The type of the windows of `rank` for its links in one direction.
    pub fn link_window(&self, rank: u32, direction: Direction) -> WindowType {
        let window = self.window.value;
        if self.plan.is_signal(rank, direction) { window.signal() } else { window }
    }

    /// The operation of its plan.
    pub const fn operation(&self) -> Operation {
        self.plan.operation
    }

    /// The rank of the root.
    pub const fn root_rank(&self) -> u32 {
        self.plan.root
    }

    /// Windows of the largest block, rounded up.
    pub fn chunks(&self) -> u32 {
        self.plan.windows.iter().copied().max().unwrap_or(1)
    }

    /// The algebra of the operator: the orders in which contributions may combine.
    pub fn combining(&self) -> Combining {
        let element = self.data.value.element;
        self.op.as_ref().map_or(Combining::FREE, |op| op.value.combining(element))
    }

    /// The kernels' loops over windows: the window, scalar or vectorised code, and the operator.
    pub fn loops(&self) -> Loops {
        Loops::of(self.window.value, self.scalar, self.op.as_ref().map(|op| &op.value))
    }

    /// The kernels' loops over all data at once, as along the cascade.
    pub fn data_loops(&self) -> Loops {
        Loops { window: self.data.value, ..self.loops() }
    }

    /// Elements of one part of the data in an allreduce over a ring. All parts are equal, and whole
    /// vectors of 32 bytes.
    pub const fn part_elements(data: WindowType, ranks: u32) -> u32 {
        let lanes = 32 / data.element.bytes();
        data.elements.div_ceil(ranks).div_ceil(lanes).saturating_mul(lanes)
    }

    /// Elements of the arrays that `rank` hands to a call: the array it reads and, if that is
    /// another one, the array it writes.
    pub fn array_elements(&self, rank: u32) -> (u64, u64) {
        let (block, all) = (u64::from(self.data.value.elements), self.ranks.len() as u64);
        let own = || {
            self.layout
                .as_ref()
                .map_or(block, |l| u64::from(l.counts.get(rank as usize).copied().unwrap_or(0)))
        };
        let whole = || self.layout.as_ref().map_or(block * all, Layout::elements);
        let at_root = rank == self.plan.root;
        match self.plan.operation {
            Operation::Barrier => (0, 0),
            Operation::Reduce | Operation::Allreduce | Operation::Broadcast | Operation::Scan => (block, 0),
            Operation::Gather => (own(), if at_root { whole() } else { 0 }),
            Operation::Scatter => (if at_root { whole() } else { 0 }, own()),
            Operation::Allgather => (block, block * all),
            Operation::ReduceScatter => (block * all, block),
            Operation::Alltoall => (block * all, block * all),
            Operation::Sendrecv => (block, block),
        }
    }

    /// Elements that `rank` hands in: all elements it reads, but 0 for a broadcast at any rank
    /// other than the root.
    pub fn given_elements(&self, rank: u32) -> u64 {
        let silent = self.plan.operation == Operation::Broadcast && rank != self.plan.root;
        if silent { 0 } else { self.array_elements(rank).0 }
    }

    /// Bytes of the arrays that `rank` hands to a call.
    pub fn array_bytes(&self, rank: u32) -> u64 {
        let (read, written) = self.array_elements(rank);
        read.saturating_add(written).saturating_mul(self.data.value.element.bytes().into())
    }

    /// Levels of the longest path from one rank to another: links plus one. For a tree, its levels.
    pub fn depth(&self) -> u32 {
        aiec_collectives::longest_way(&self.plan).saturating_add(1)
    }
}
