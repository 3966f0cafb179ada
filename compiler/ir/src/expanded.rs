//! The design as a graph of instances: one node per kernel, one edge per connection, no collectives left but as roles.

use aiec_device::{Device, Tile};
use aiec_diag::{Span, Spanned};
use petgraph::graph::{DiGraph, NodeIndex};

use crate::constraints::Constraints;
use crate::design::{Endpoint, Family};
use crate::formula::Formula;
use crate::ids::{
    CollectiveId, ConnectionId, ExternalFamilyId, ExternalId, FamilyId, IdVec, KernelId, PortId,
};
use crate::types::{Buffering, Direction, ReduceOp, WindowType};

/// Every kernel instance with its ports, and the connections between them.
///
/// Invariants: ids are in range; a port lists exactly the connections that touch it; connections go from an `Out` to an
/// `In` port; a kernel's ports are its user ports in declaration order, then those of its collectives in declaration
/// order; the graph has one node per kernel and per input or output and one edge per connection.
#[derive(Clone, Debug)]
pub struct Expanded {
    /// The design's name.
    pub name: Spanned<String>,
    /// The device's name.
    pub device: Spanned<String>,
    /// How often the graph runs.
    pub iterations: u32,
    /// Kernel families, as declared.
    pub families: IdVec<FamilyId, Family>,
    /// Kernels: all instances of the first family, then of the second, and so on.
    pub kernels: IdVec<KernelId, Kernel>,
    /// Inputs and outputs, all instances of each in declaration order.
    pub externals: IdVec<ExternalId, External>,
    /// Ports of all of them.
    pub ports: IdVec<PortId, Port>,
    /// Connections: the user's in source order, then those of each collective from the root down.
    pub connections: IdVec<ConnectionId, Connection>,
    /// Collectives with their trees.
    pub collectives: IdVec<CollectiveId, Collective>,
    /// Kernels that are put on tiles, possibly several times.
    pub places: Vec<Place>,
    /// All other placement constraints.
    pub constraints: Constraints<KernelId>,
    /// Kernels, inputs and outputs as nodes, connections as edges.
    pub graph: DiGraph<Owner, ConnectionId>,
    /// The node of each kernel, then of each input or output.
    pub nodes: Vec<NodeIndex>,
}

/// What a port belongs to.
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
    /// Its family.
    pub family: FamilyId,
    /// Row-major index in the family.
    pub index: u32,
    /// Its name, such as `worker[3]`.
    pub name: String,
    /// Input ports in C++ order: `in[0]`, `in[1]`, ...
    pub inputs: Vec<PortId>,
    /// Output ports in C++ order.
    pub outputs: Vec<PortId>,
    /// Its part in each collective it takes part in, in declaration order.
    pub memberships: Vec<Membership>,
    /// The first words of the family's declaration.
    pub span: Span,
}

/// A kernel's part in a collective.
#[derive(Clone, Debug)]
pub struct Membership {
    /// The collective.
    pub collective: CollectiveId,
    /// Rank within the group.
    pub rank: u32,
    /// Input ports from the children, in tree order.
    pub children: Vec<PortId>,
    /// Output port to the parent; none at the root.
    pub parent: Option<PortId>,
    /// Output port of the result, at the root, if it is connected.
    pub result: Option<PortId>,
    /// Output port of the cycle counts, at the root, if it is connected.
    pub cycles: Option<PortId>,
}

/// An instance of an input or output.
#[derive(Clone, Debug)]
pub struct External {
    /// What it is an instance of.
    pub family: ExternalFamilyId,
    /// Its index there.
    pub index: u32,
    /// Its name, such as `samples[3]`.
    pub name: String,
    /// A C++ identifier for it and its PLIO or GMIO name, such as `samples_3`.
    pub identifier: String,
    /// `Out` for an input of the array, `In` for an output.
    pub direction: Direction,
    /// What is at the other end; `{}` in file names already replaced.
    pub endpoint: Endpoint,
    /// Its one port; the window is that of the port it is connected to, none if unconnected.
    pub port: PortId,
    /// The declaration's first words.
    pub span: Span,
}

/// A port.
#[derive(Clone, Debug)]
pub struct Port {
    /// What it belongs to.
    pub owner: Owner,
    /// Direction, seen from the owner.
    pub direction: Direction,
    /// Its name, such as `x` or `total_in0`; that of the input or output itself for externals.
    pub name: String,
    /// Index among the owner's ports of this direction, as in `k.in[slot]`.
    pub slot: u32,
    /// Its window; none only for an input or output that nothing is connected to.
    pub window: Option<WindowType>,
    /// True if the kernel acquires and releases the window itself.
    pub asynchronous: bool,
    /// Why the port exists.
    pub role: PortRole,
    /// The connections that touch it, in order.
    pub connections: Vec<ConnectionId>,
    /// The construct it came from.
    pub span: Span,
}

/// Why a port exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PortRole {
    /// Declared by the user; index into the family's ports.
    User(u32),
    /// The port of an input or output.
    External,
    /// From a child in a collective's tree.
    Child(CollectiveId),
    /// To the parent in a collective's tree.
    Parent(CollectiveId),
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
    /// The collective whose tree it belongs to, if any.
    pub collective: Option<CollectiveId>,
    /// The construct it came from.
    pub span: Span,
}

/// A collective after expansion: a tree of kernels.
#[derive(Clone, Debug)]
pub struct Collective {
    /// Its name.
    pub name: String,
    /// The operator.
    pub op: Spanned<ReduceOp>,
    /// What one rank contributes to one call.
    pub data: Spanned<WindowType>,
    /// What travels at once.
    pub window: Spanned<WindowType>,
    /// The group in rank order.
    pub ranks: Vec<KernelId>,
    /// The root, as written.
    pub root: Spanned<KernelId>,
    /// The complete tree in heap order: the root first, the parent of `i` at `(i - 1) / arity` (thesis 4.4.3 for arity 2). Holds
    /// the root and then the other ranks in rank order.
    pub tree: Vec<KernelId>,
    /// Children per interior node.
    pub arity: Spanned<u32>,
    /// Buffers of the tree's connections.
    pub buffering: Buffering,
    /// Calls in one run of the kernels.
    pub calls: u32,
    /// Window of the cycle counts, if declared.
    pub cycles: Option<Spanned<WindowType>>,
    /// What each rank contributes, if the design says.
    pub reference: Option<Formula>,
    /// The declaration's first words.
    pub span: Span,
}

/// A placement constraint.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// The kernel.
    pub kernel: KernelId,
    /// The column as written.
    pub column: i64,
    /// The core row as written.
    pub row: i64,
    /// The `place`.
    pub span: Span,
}

impl Expanded {
    /// The kernel a port belongs to, if it is not that of an input or output.
    pub fn kernel_of(&self, port: PortId) -> Option<KernelId> {
        match self.ports[port].owner {
            Owner::Kernel(kernel) => Some(kernel),
            Owner::External(_) => None,
        }
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

    /// Bytes of stack of `kernel`: what the design says or `default`.
    pub fn stack_bytes(&self, kernel: KernelId, default: u32) -> u32 {
        self.families[self.kernels[kernel].family].stack.as_ref().map_or(default, |stack| stack.value)
    }

    /// Bytes of heap of `kernel`: what the design says or `default`.
    pub fn heap_bytes(&self, kernel: KernelId, default: u32) -> u32 {
        self.families[self.kernels[kernel].family].heap.as_ref().map_or(default, |heap| heap.value)
    }

    /// True if nothing may be placed on `tile`: the design or the device says so.
    pub fn is_closed(&self, device: &Device, tile: Tile) -> bool {
        device.keepout.contains(&tile) || self.constraints.keeps_out(tile.column.into(), tile.row.into())
    }

    /// All ports of `kernel`, inputs first.
    pub fn ports_of(&self, kernel: KernelId) -> impl Iterator<Item = PortId> + '_ {
        let kernel = &self.kernels[kernel];
        kernel.inputs.iter().chain(&kernel.outputs).copied()
    }

    /// Buffers a port's window has at each place it is stored: ping-pong unless all its connections are single.
    pub fn buffering_of(&self, port: PortId) -> Buffering {
        let connections = &self.ports[port].connections;
        let single = connections.iter().all(|&c| self.connections[c].buffering == Buffering::Single);
        if single && !connections.is_empty() { Buffering::Single } else { Buffering::Pingpong }
    }

    /// The collective that `port` is part of: its own, or that whose result or cycle counts it takes in. So both ends of a connection,
    /// and everything it costs, belong to the same collective or to none.
    pub fn collective_of(&self, port: PortId) -> Option<CollectiveId> {
        let own = |port: PortId| match self.ports[port].role {
            PortRole::Child(id) | PortRole::Parent(id) | PortRole::Result(id) | PortRole::Cycles(id) => {
                Some(id)
            }
            PortRole::User(_) | PortRole::External => None,
        };
        let mut ends = self.ports[port].connections.iter().map(|&id| &self.connections[id]);
        own(port).or_else(|| ends.find_map(|connection| own(connection.from)))
    }

    /// True if the port produces for several consumers. A broadcast window is copied by DMA even to neighbours (UG1079).
    pub fn is_broadcast(&self, port: PortId) -> bool {
        self.ports[port].direction == Direction::Out && self.ports[port].connections.len() > 1
    }
}

impl Collective {
    /// Windows per call: data divided by window, rounded up.
    pub const fn chunks(&self) -> u32 {
        self.data.value.elements.div_ceil(self.window.value.elements)
    }

    /// Levels of the tree: 1 for the root alone.
    pub fn depth(&self) -> u32 {
        let arity = u64::from(self.arity.value.max(1));
        let mut position = self.tree.len().saturating_sub(1) as u64;
        let mut depth = 1;
        while position > 0 {
            position = (position - 1) / arity;
            depth += 1;
        }
        depth
    }
}
