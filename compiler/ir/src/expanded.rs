//! The design as a graph of instances: one node per kernel, one edge per connection.
//!
//! [`Expanded`] is the form that the checks, the placer, the router and the code generator read.
//! `aiec_lower::expand` makes it from a [`Design`](crate::Design). This page is its contract.
//!
//! # What it contains
//!
//! - A [`Kernel`] is one instance of a family. A firing is a *run* of the kernel. In one iteration
//!   of the graph it runs `repetitions` times: the least numbers that balance what connections send
//!   and take ([`crate::rates`]).
//! - A [`Port`] belongs to one kernel, input or output. Its [`PortRole`] says why it exists, and
//!   [`Carries`] what passes: a window in each acquisition, a stream, packets, a cascade, or the
//!   value of a parameter.
//! - A [`Connection`] is one producing and one consuming port. Several connections from one port
//!   are a broadcast. Several into one port exist only for packets.
//! - An [`External`] is a PLIO or GMIO port of the array. An *input* of the array produces, so its
//!   direction is `Out`.
//! - A [`HostParameter`] is a run-time parameter of the host. It reaches ports without a
//!   connection, since it takes neither net nor interface port.
//! - A [`PacketSwitch`] splits the packets of one port or merges those of several. Its branches are
//!   connections.
//! - A [`Subgraph`] is an instance of a component. It lists families and collectives that are in
//!   the tables like all others; later stages need it for C++ classes and messages alone.
//! - A [`Collective`] keeps its [`Plan`]: which ranks are linked, and what each rank does window by
//!   window. Its links are ordinary ports and connections. A [`Membership`] is the part of one
//!   kernel.
//! - A [`Cascade`] is a stream between cores. That of a collective has neither port nor connection.
//! - [`Windows`] are numbers of windows per run that the design states at asynchronous ends.
//! - A [`Place`] and the [`Constraints`] restrict tiles. They hold tiles as written.
//! - `graph` has the same edges as `connections`, for algorithms of petgraph.
//!
//! # Invariants
//!
//! `lower/src/validate.rs` checks those marked (v) after each expansion in a debug build. It
//! destructures the form, its ports and its connections, so a new field does not compile there
//! until the check names it. The constructors in `lower/src/expand/` guarantee the others, and what
//! stands in parentheses.
//!
//! ## Kernels and externals
//!
//! 1. (v) There are as many kernels as the families have instances. (They are in the order of
//!    families, then row by row: `index` counts from 0 in each family. Externals have the same
//!    order.) (v) A kernel runs at least once in an iteration. (`repetitions` are those of
//!    [`crate::rates`].) (v) A family has one [`Body`] for all instances, or one for each
//!    ([`Family::body`]). The instances of a family in a collective have one function, one source
//!    and neither header, template, constructor nor `init`. A body with `template` or `arguments`
//!    has a header.
//! 2. Names are unique and name an instance as the design does, such as `pe[1][2]`. `identifier` of
//!    an external is a C++ identifier. No two outputs write one file, and none that of an input.
//! 3. (v) `iterations` is at least 1. There are at most
//!    [`Design::MAX_INSTANCES`](crate::Design::MAX_INSTANCES) instances, and at most
//!    [`Design::MAX_CONNECTIONS`](crate::Design::MAX_CONNECTIONS) connections of the user. The
//!    links of collectives come on top. (The limits are checked on the `Design`.)
//!
//! ## Ports
//!
//! 4. (v) Each port is in exactly one list: `inputs`, `outputs` or `inouts` of its kernel, or
//!    `port` of its external. `slot` is its position there, and `direction` that of the list.
//!    `inouts` has the parameters that a kernel gives back.
//! 5. (v) In each list user ports come first, in declaration order. Those of collectives follow in
//!    declaration order: links in the order of [`Plan::ends`], then the result, then the cycle
//!    counts. (The order within a collective comes from its constructor.)
//! 6. (v) `connections` lists exactly the connections that touch the port, in the order of their
//!    ids. `windows` is the first number that they state for the port, and `switch` the first split
//!    or merge whose trunk it is.
//! 7. (v) `carries` is `None` for an unconnected external, and `Some` for every other port. (An
//!    external carries what the port at its first connection does. One at a split or merge carries
//!    packets.) The port where a collective merges carries packets. Only inputs have a margin.
//! 8. A result or cycle port exists only at the root, and only if the design connects it.
//!
//! ## Connections and graph
//!
//! 9. (v) A connection leads from an `Out` port to an `In` port.
//! 10. (v) `collective` is `Some` exactly for connections from a link port to a link or packet port
//!     of one collective. (It is the collective of both ports.) Results and cycle counts leave over
//!     connections of the user.
//! 11. (v) The ends of a collective's connection are asynchronous. The only exceptions are
//!     ranks that send into a merge once in a run ([`Collective::sends_once`]): their sending ends
//!     are synchronous.
//! 12. (v) A connection states `windows` only at an asynchronous port.
//! 13. Connections of the user come first, in source order, then those of each collective in the
//!     order of [`Plan::links`]. [`Expanded::link_ports`] gives the same pairs.
//! 14. (v) Edge `c` is connection `c` and joins the owners of its ports. There is one node for each
//!     kernel and external. (Node `k` is kernel `k`, and externals follow. `nodes` lists them in
//!     this order.)
//!
//! ## Collectives
//!
//! 15. (v) `ranks` has one kernel for each rank of the plan, and `ranks[plan.root]` is `root`.
//!     (There are at least two ranks, and no kernel has two of them.)
//! 16. (v) A membership is at its own rank. Its `inputs` and `outputs` have the lengths of
//!     [`Plan::port_counts`]: none along a cascade. Only the root has `result` or `cycles`.
//! 17. A kernel's memberships are in the order of collectives.
//! 18. The plan is legal ([`aiec_collectives::legal()`]), and its steps are at most 2^21
//!     ([`Plan::volume`]). `windows` has one number for each rank.
//! 19. `data` and `window` have one element type, at least one element each, and `calls` is at
//!     least 1. `op` is `Some` exactly for operations that combine. `layout` is `Some` exactly for
//!     gather and scatter.
//! 20. (v) `cascades` are those of all collectives, in order ([`Collective::cascades`]), then one
//!     for each connection between ports that carry a cascade.
//!
//! ## Packets and parameters
//!
//! 21. (v) A branch of a [`PacketSwitch`] touches its trunk and names the switch. (A trunk or
//!     branch that is an input or output carries packets.)
//! 22. (v) A [`HostParameter`] names ports of kernels that carry a parameter, in the opposite
//!     direction. (The checks add that these ports have no connection.)
//!
//! ## Constraints
//!
//! 23. (v) Each names kernels of the design. Tiles may lie outside the array until the checks. (The
//!     corners of an area are ordered. `together` and `apart` name at least two kernels.)
//! 24. (v) Constraints on memory name kernels and their ports. (A port has buffers after the
//!     checks.)
//!
//! ## Components
//!
//! 24. (v) The families and collectives of a [`Subgraph`] exist, and its parent comes before it.
//!     (Their names begin with its name.)
//!
//! # What it does not promise
//!
//! Before the checks the ends of a connection may have different windows, a port may have no
//! producer or two, and a window may fit no module. The device may be unknown. The graph may have
//! cycles, loops and parallel edges. The crate documentation lists what the checks add.
//!
//! # A worked example
//!
//! ```text
//! design sum3
//! device xcvc1902
//! kernel worker[3] { source "kernels/worker.cc" }
//! reduce total over worker {
//!     op     sum
//!     data   int32[64]
//!     window int32[16]
//!     root   worker[0]
//!     shape  tree arity 2
//! }
//! output sum to gmio
//! connect total.result -> sum
//! ```
//!
//! The block of a rank has 64 elements, which travel in four windows of 16. Ranks 1 and 2 send to
//! rank 0, which adds three windows at a time and gives the sum to the output.
//!
//! | port | role | window | connections |
//! |---|---|---|---|
//! | 0 `sum` | external | `int32[16]`, that of its producer | 0 |
//! | 1 `worker[0].total_in0` | link, asynchronous | `int32[16]` | 1 |
//! | 2 `worker[0].total_in1` | link, asynchronous | `int32[16]` | 2 |
//! | 3 `worker[0].total_result` | result, asynchronous | `int32[16]` | 0 |
//! | 4 `worker[1].total_out0` | link, asynchronous | `int32[16]` | 1 |
//! | 5 `worker[2].total_out0` | link, asynchronous | `int32[16]` | 2 |
//!
//! The builder of the tests makes the same design without text:
//!
//! ```
//! use aiec_ir::expanded::{Owner, PortRole};
//! use aiec_ir::{CollectiveId, ConnectionId, ExternalId, KernelId, PortId};
//! use aiec_test_support::{Builder, Reduce, int32};
//!
//! let design = Builder::new("sum3", "xcvc1902")
//!     .kernels("worker", &[3], &[])
//!     .gmio_output("sum")
//!     .reduce(Reduce::over("total", &["worker"], int32(16)).data(int32(64)))
//!     .connect("total.result", "sum")
//!     .expanded()?;
//!
//! // Ports: the external's, then those of each rank from the root down.
//! let ports: Vec<String> = design.ports.ids().map(|port| design.port_name(port)).collect();
//! assert_eq!(ports[..3], ["sum", "worker[0].total_in0", "worker[0].total_in1"]);
//! assert_eq!(
//!     ports[3..],
//!     ["worker[0].total_result", "worker[1].total_out0", "worker[2].total_out0"]
//! );
//! assert_eq!(design.ports[PortId(1)].role, PortRole::Link(CollectiveId(0)));
//! assert_eq!(design.ports[PortId(0)].window(), Some(int32(16)));
//!
//! // Connections: the user's, then the links.
//! let ends: Vec<(u32, u32)> = design.connections.iter().map(|c| (c.from.0, c.to.0)).collect();
//! assert_eq!(ends, [(3, 0), (4, 1), (5, 2)]);
//! assert_eq!(design.connections[ConnectionId(0)].collective, None);
//! assert_eq!(design.connections[ConnectionId(1)].collective, Some(CollectiveId(0)));
//!
//! // Nodes 0 to 2 are kernels, node 3 is the output; edge 0 leads to it.
//! let edge = design.graph.edge_indices().next().expect("three edges");
//! let (from, to) = design.graph.edge_endpoints(edge).expect("it joins two nodes");
//! assert_eq!((from.index(), to.index()), (0, 3));
//! assert_eq!(design.graph[to], Owner::External(ExternalId(0)));
//!
//! // The plan: two links into the root, whose program has one step for each of four windows.
//! let total = &design.collectives[CollectiveId(0)];
//! let links: Vec<_> = total.plan.links().into_iter().map(|link| (link.from, link.to)).collect();
//! assert_eq!(links, [(1, vec![0]), (2, vec![0])]);
//! let program = total.plan.program(0);
//! assert_eq!((program.len(), program[0].times, program[0].steps.len()), (1, 4, 1));
//! let step = &program[0].steps[0];
//! assert_eq!(step.take, [0, 1]);
//! assert!(step.give.is_empty() && step.result);
//! assert_eq!(total.plan.program(1)[0].steps[0].give, [0]);
//! assert_eq!((total.chunks(), total.depth()), (4, 2));
//!
//! // The root's part, and how often windows pass in one run.
//! let root = design.membership(KernelId(0), CollectiveId(0)).expect("worker[0] is a rank");
//! assert_eq!((root.rank, root.result), (0, Some(PortId(3))));
//! assert_eq!(root.inputs, [PortId(1), PortId(2)]);
//! assert_eq!(design.windows_per_run(PortId(3)), Some(4));
//! assert_eq!(design.windows_per_run(PortId(1)), None);
//! # Ok::<(), aiec_test_support::BuildError>(())
//! ```

use std::sync::Arc;

use aiec_device::{Board, Device, Grid, Release, Tile};
use aiec_diag::{Span, Spanned};
use petgraph::graph::{DiGraph, NodeIndex};

use crate::blocks::Blocks;
use crate::carries::Carries;
use crate::constraints::Constraints;
use crate::design::{Body, Endpoint, Family, HostValues, Subgraph, Written, port_identifier};
use crate::formula::Formula;
use crate::ids::{
    CollectiveId, ConnectionId, ExternalFamilyId, ExternalId, FamilyId, IdVec, KernelId, ParameterId, PortId,
    SubgraphId, SwitchId,
};
use aiec_collectives::{Buffering, Direction, Loops, Operator, PortKind, WindowType};
use aiec_collectives::{Combining, Data, Layout, Operation, Plan, Shape, Step};

/// Every kernel instance with its ports, and the connections between them.
///
/// The documentation of [this module](self) lists the invariants.
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
    /// Constant tables, in declaration order; none is empty.
    pub tables: Vec<(String, Arc<[i64]>)>,
    /// Kernel families, as declared.
    pub families: IdVec<FamilyId, Family>,
    /// Instances of components, each after the one it lies in.
    pub subgraphs: IdVec<SubgraphId, Subgraph>,
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
    /// Cascade streams between kernels: those of each collective in rank order, then those of the
    /// user's connections.
    pub cascades: Vec<Cascade>,
    /// Splits and merges of packets, in source order.
    pub switches: IdVec<SwitchId, PacketSwitch>,
    /// Run-time parameters of the host, all instances of each in declaration order.
    pub parameters: IdVec<ParameterId, HostParameter>,
    /// `place` constraints. A kernel may have several.
    pub places: Vec<Place>,
    /// All other placement constraints.
    pub constraints: Constraints<KernelId>,
    /// Constraints on buffers and stacks.
    pub blocks: Blocks<KernelId, PortId>,
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
    /// Parameters that the kernel gives back, in C++ order: `inout[0]`, `inout[1]`, ... Their
    /// direction is `Out`.
    pub inouts: Vec<PortId>,
    /// Its memberships, one for each collective that it takes part in, in declaration order.
    pub memberships: Vec<Membership>,
    /// Its runs in one iteration of the graph, at least 1 ([`rates::repetitions`]).
    ///
    /// [`rates::repetitions`]: crate::rates::repetitions
    pub repetitions: u32,
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
    /// The file of the data that an output is expected to get, relative to the design.
    pub golden: Option<Spanned<String>>,
    /// Its one port. It carries what the port at its first connection does, and None when it is
    /// not connected.
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
    /// Index in the owner's list of ports, as in `k.in[slot]`.
    pub slot: u32,
    /// What it carries. None for an input or output without a connection.
    pub carries: Option<Carries>,
    /// True if the kernel acquires and releases the window itself, or does not wait for a new value
    /// of the parameter.
    pub asynchronous: bool,
    /// The reason why the port exists.
    pub role: PortRole,
    /// The connections that touch it, in order.
    pub connections: Vec<ConnectionId>,
    /// The first number of windows that its connections state for one run, with its source
    /// location.
    pub windows: Option<Spanned<u32>>,
    /// The first split or merge whose trunk it is.
    pub switch: Option<SwitchId>,
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

/// A connection between two ports.
#[derive(Clone, Debug)]
pub struct Connection {
    /// The producing port.
    pub from: PortId,
    /// The consuming port.
    pub to: PortId,
    /// Buffers at each place the window is stored.
    pub buffering: Buffering,
    /// FIFO words that the design asks for on the way (`fifo_depth`, UG1079).
    pub fifo: Option<Spanned<u32>>,
    /// The split or merge of packets that the connection is a branch of.
    pub switch: Option<SwitchId>,
    /// Windows that the kernels acquire in one run, as far as the design states it.
    pub windows: Windows,
    /// The collective that made the connection. None for the user's connections.
    pub collective: Option<CollectiveId>,
    /// Source location of the construct that made the connection.
    pub span: Span,
}

impl Connection {
    /// The end that is not `port`.
    pub fn other(&self, port: PortId) -> PortId {
        if self.from == port { self.to } else { self.from }
    }
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
/// buffer, lock or net. That of a collective is the kernel's last port of its direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cascade {
    /// The kernel that writes.
    pub from: KernelId,
    /// The kernel that reads.
    pub to: KernelId,
    /// The construct that made the stream.
    pub origin: CascadeOrigin,
    /// Source location of the construct that made the stream.
    pub span: Span,
}

/// The construct that made a cascade stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CascadeOrigin {
    /// The links of a collective of shape `cascade`. They have no ports.
    Collective(CollectiveId),
    /// A connection of the user between two ports that carry a cascade.
    Connection(ConnectionId),
}

/// A split or merge of packet streams (`pktsplit`, `pktmerge`, `pktorderedmerge`; UG1079, "Explicit
/// Packet Switching").
#[derive(Clone, Debug)]
pub struct PacketSwitch {
    /// Split or merge.
    pub kind: SwitchKind,
    /// The port whose packets are split, or where packets are merged.
    pub trunk: PortId,
    /// The connections in the order of packet ids: branch `i` is `out[i]` of the split, or `in[i]`
    /// of the merge.
    pub branches: Vec<ConnectionId>,
    /// Source location of the `connect`.
    pub span: Span,
}

/// The kinds of [`PacketSwitch`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SwitchKind {
    /// Each packet goes to the branch that its id names.
    Split,
    /// Packets of all branches follow each other in any order.
    Merge,
    /// Packets of the branches follow each other in the order of the branches.
    OrderedMerge,
}

/// A run-time parameter that the host writes (an input) or reads (an output).
#[derive(Clone, Debug)]
pub struct HostParameter {
    /// The declaration.
    pub family: ExternalFamilyId,
    /// Index within the declaration.
    pub index: u32,
    /// Its name, such as `gain[3]`.
    pub name: String,
    /// A C++ identifier for it, such as `gain_3`.
    pub identifier: String,
    /// `Out` for an input of the array, `In` for an output.
    pub direction: Direction,
    /// Its values. `{}` in the file name is replaced already.
    pub values: HostValues,
    /// The file of the values that an output is expected to get, relative to the design.
    pub golden: Option<Spanned<String>>,
    /// The ports of kernels that it is connected to.
    pub ports: Vec<PortId>,
    /// Source location of the declaration's first words.
    pub span: Span,
}

/// An end of the design's data outside the array, which a file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DataEnd {
    /// An input or output of the array.
    External(ExternalId),
    /// A run-time parameter of the host.
    Parameter(ParameterId),
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

/// A shape that was considered for a collective.
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
            PortRole::User(_) => end.windows.as_ref().map(|windows| windows.value.into()),
        }
    }

    /// Windows that pass through an input or output in one iteration: those that all runs of the
    /// kernel at its first connection pass. A run passes one if the design does not determine it.
    /// Returns None when nothing is connected.
    pub fn windows_through(&self, external: ExternalId) -> Option<u64> {
        let port = self.externals[external].port;
        let connection = &self.connections[*self.ports[port].connections.first()?];
        let end = connection.other(port);
        let runs = self.kernel_of(end).map_or(1, |kernel| self.kernels[kernel].repetitions);
        Some(self.windows_per_run(end).unwrap_or(1).saturating_mul(runs.into()))
    }

    /// Bytes that a kernel passes through its port in one run: the windows of a run, or the stated
    /// amount of a stream. Returns None when the design does not determine it, for cascades and
    /// parameters, and for inputs and outputs.
    pub fn bytes_per_run(&self, port: PortId) -> Option<u64> {
        let block = self.ports[port].carries?.per_run()?.bytes();
        self.windows_per_run(port)?.checked_mul(block)
    }

    /// Runs of `kernel` in all iterations of the graph.
    pub fn firings(&self, kernel: KernelId) -> u64 {
        u64::from(self.iterations) * u64::from(self.kernels[kernel].repetitions)
    }

    /// All inputs or outputs (`direction` `Out` or `In`), then all parameters of the host.
    pub fn data_ends(&self, direction: Direction) -> impl Iterator<Item = DataEnd> + '_ {
        let externals = self.externals.enumerate().filter(move |(_, end)| end.direction == direction);
        let parameters = self.parameters.enumerate().filter(move |(_, end)| end.direction == direction);
        let externals = externals.map(|(id, _)| DataEnd::External(id));
        externals.chain(parameters.map(|(id, _)| DataEnd::Parameter(id)))
    }

    /// The name of a data end, such as `lanes[3]`.
    pub fn data_name(&self, end: DataEnd) -> &str {
        match end {
            DataEnd::External(id) => &self.externals[id].name,
            DataEnd::Parameter(id) => &self.parameters[id].name,
        }
    }

    /// The declaration of a data end.
    pub fn data_span(&self, end: DataEnd) -> Span {
        match end {
            DataEnd::External(id) => self.externals[id].span,
            DataEnd::Parameter(id) => self.parameters[id].span,
        }
    }

    /// The file that the design names for the expected data of an output.
    pub fn data_golden(&self, end: DataEnd) -> Option<&Spanned<String>> {
        match end {
            DataEnd::External(id) => self.externals[id].golden.as_ref(),
            DataEnd::Parameter(id) => self.parameters[id].golden.as_ref(),
        }
    }

    /// The ports of kernels at the other side of a data end.
    pub fn data_peers(&self, end: DataEnd) -> Vec<PortId> {
        match end {
            DataEnd::Parameter(id) => self.parameters[id].ports.clone(),
            DataEnd::External(id) => {
                let port = self.externals[id].port;
                let connections = self.ports[port].connections.iter().map(|&id| &self.connections[id]);
                connections.map(|wire| wire.other(port)).collect()
            }
        }
    }

    /// What passes through a data end. Returns None when nothing is connected to it.
    pub fn data_carries(&self, end: DataEnd) -> Option<Carries> {
        match end {
            DataEnd::External(id) => self.ports[self.externals[id].port].carries,
            DataEnd::Parameter(id) => self.ports[*self.parameters[id].ports.first()?].carries,
        }
    }

    /// The values of a parameter of the host in one run. Returns None when nothing is connected to
    /// it.
    pub fn parameter_block(&self, parameter: ParameterId) -> Option<WindowType> {
        self.data_carries(DataEnd::Parameter(parameter))?.block()
    }

    /// True if each run needs values of the parameter from its file, or gives some to it: all
    /// parameters but those with an initial value, which stays.
    pub fn changes_between_runs(&self, parameter: ParameterId) -> bool {
        self.parameters[parameter].values.initial.is_empty()
    }

    /// True if the host starts the runs of the graph one by one, since a parameter changes between
    /// them or is read after each.
    pub fn runs_one_by_one(&self) -> bool {
        let used = |id: &ParameterId| !self.parameters[*id].ports.is_empty();
        self.parameters.ids().filter(used).any(|id| self.changes_between_runs(id))
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

    /// The C++ and the memory of `kernel`.
    pub fn body(&self, kernel: KernelId) -> &Body {
        let Kernel { family, index, .. } = &self.kernels[kernel];

        self.families[*family].body(*index)
    }

    /// Bytes of stack of `kernel`: the stated number or `default`.
    pub fn stack_bytes(&self, kernel: KernelId, default: u32) -> u32 {
        self.body(kernel).stack.as_ref().map_or(default, |stack| stack.value)
    }

    /// Bytes of heap of `kernel`: the stated number or `default`.
    pub fn heap_bytes(&self, kernel: KernelId, default: u32) -> u32 {
        self.body(kernel).heap.as_ref().map_or(default, |heap| heap.value)
    }

    /// True if a keepout of the design or of the device covers `tile`.
    pub fn is_closed(&self, device: &Device, tile: Tile) -> bool {
        device.keepout.contains(&tile) || self.constraints.keeps_out(tile.column.into(), tile.row.into())
    }

    /// The grid of `device` without the tiles that a keepout covers.
    pub fn open_grid(&self, device: &Device) -> Grid {
        Grid::without(device, |tile| self.is_closed(device, tile))
    }

    /// All ports of `kernel`: inputs, outputs, parameters that it gives back.
    pub fn ports_of(&self, kernel: KernelId) -> impl Iterator<Item = PortId> + '_ {
        let kernel = &self.kernels[kernel];
        kernel.inputs.iter().chain(&kernel.outputs).chain(&kernel.inouts).copied()
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

    /// True if the streams of several ports are merged into this one as packets.
    pub fn joins_packets(&self, port: PortId) -> bool {
        let merges = matches!(self.switch_at(port), Some(SwitchKind::Merge | SwitchKind::OrderedMerge));
        merges || matches!(self.ports[port].role, PortRole::Packets(_))
    }

    /// True if the packets of this port are split: each goes to the branch that its id names.
    pub fn splits_packets(&self, port: PortId) -> bool {
        self.switch_at(port) == Some(SwitchKind::Split)
    }

    fn switch_at(&self, port: PortId) -> Option<SwitchKind> {
        self.ports[port].switch.map(|switch| self.switches[switch].kind)
    }

    /// True if what the port sends is merged with other streams as packets.
    pub fn is_merged(&self, port: PortId) -> bool {
        let port = &self.ports[port];
        let into = |&id: &ConnectionId| self.joins_packets(self.connections[id].to);
        port.direction == Direction::Out && port.connections.iter().any(into)
    }

    /// Selector words of a kernel's port: one for a parameter of the host, which says which buffer
    /// is new, and none for other ports. It has a lock as a buffer has (generated control tables of
    /// aiecompiler: selector, ping and pong with a lock each). No table shows one for a parameter
    /// between kernels.
    pub fn selectors_of(&self, port: PortId) -> u32 {
        let of_parameter = matches!(self.ports[port].carries, Some(Carries::Parameter(_)));
        let of_host = self.has_buffers(port) && self.ports[port].connections.is_empty();
        u32::from(of_parameter && of_host)
    }

    /// True if the port of a kernel has buffers in memory: it carries a window or a parameter.
    pub fn has_buffers(&self, port: PortId) -> bool {
        self.block(port).is_some()
    }

    /// The block that one buffer of a kernel's port holds. Returns None for streams, inputs and
    /// outputs.
    pub fn block(&self, port: PortId) -> Option<WindowType> {
        let port = &self.ports[port];
        port.carries.filter(|_| matches!(port.owner, Owner::Kernel(_)))?.block()
    }

    /// True if the port is a stream port of a core.
    pub fn is_stream(&self, port: PortId) -> bool {
        let port = &self.ports[port];
        let streams = matches!(port.carries, Some(Carries::Stream(_) | Carries::Packets(_)));
        streams && matches!(port.owner, Owner::Kernel(_))
    }

    /// True if the port of a kernel carries a cascade.
    pub fn is_cascade(&self, port: PortId) -> bool {
        let port = &self.ports[port];
        matches!((port.carries, port.owner), (Some(Carries::Cascade(_)), Owner::Kernel(_)))
    }

    /// True if the connection goes along the cascade, which is no net: both ends are ports of
    /// kernels that carry one.
    pub fn goes_by_cascade(&self, connection: ConnectionId) -> bool {
        let connection = &self.connections[connection];
        self.is_cascade(connection.from) && self.is_cascade(connection.to)
    }

    /// True if a tile's DMA moves the data unless the ends share memory: one of the ends is a
    /// buffer of a kernel. False from stream to stream and along the cascade.
    pub fn may_use_dma(&self, connection: ConnectionId) -> bool {
        let connection = &self.connections[connection];
        self.has_buffers(connection.from) || self.has_buffers(connection.to)
    }

    /// Number of windows of a kernel: its ports that carry one.
    pub fn window_count(&self, kernel: KernelId) -> usize {
        self.ports_of(kernel).filter(|&port| self.ports[port].window().is_some()).count()
    }

    /// True if what the port sends goes over the stream switches even between neighbours: a
    /// broadcast (UG1079), packets, a stream at one of the ends, or windows of different sizes,
    /// which have no buffer in common.
    pub fn always_streams(&self, port: PortId) -> bool {
        let streams = |&id: &ConnectionId| {
            let connection = &self.connections[id];
            let ends = [connection.from, connection.to];
            let windows = ends.map(|end| self.ports[end].window().filter(|_| self.kernel_of(end).is_some()));
            let differ = matches!(windows, [Some(from), Some(to)] if from != to);
            differ || connection.switch.is_some() || ends.iter().any(|&end| self.is_stream(end))
        };
        let sends = self.ports[port].direction == Direction::Out;
        self.is_broadcast(port)
            || self.is_merged(port)
            || (sends && self.ports[port].connections.iter().any(streams))
    }

    /// True if the port has several consumers. A DMA copies a broadcast window even to neighbours
    /// (UG1079).
    pub fn is_broadcast(&self, port: PortId) -> bool {
        let is_out = self.ports[port].direction == Direction::Out;
        is_out && self.ports[port].connections.len() > 1 && !self.splits_packets(port)
    }
}

impl Port {
    /// Its window. Returns None for streams, cascades and parameters, and for an input or output
    /// without a window at the other end.
    pub fn window(&self) -> Option<WindowType> {
        self.carries?.window()
    }

    /// The name of the C++ parameter, such as `x`, or `x_2` in an array of ports.
    pub fn identifier(&self) -> String {
        port_identifier(&self.name)
    }

    /// The list of the owner's ports that it is in: `in`, `out` or `inout`.
    pub fn list(&self) -> &'static str {
        match (self.carries, self.direction) {
            (Some(Carries::Parameter(_)), Direction::Out) => "inout",
            (_, Direction::In) => "in",
            (_, Direction::Out) => "out",
        }
    }
}

impl Collective {
    /// The cascade streams of a collective with shape `cascade`, from every rank to the next one;
    /// empty for other shapes.
    pub fn cascades(&self, id: CollectiveId) -> impl Iterator<Item = Cascade> {
        let pairs = self.ranks.windows(2).filter(|_| self.plan.is_cascade());
        pairs.map(move |pair| Cascade {
            from: pair[0],
            to: pair[1],
            origin: CascadeOrigin::Collective(id),
            span: self.shape_span,
        })
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

    /// The arrays of a call.
    pub fn arrays(&self) -> Data<'_> {
        Data { plan: &self.plan, window: self.data.value, layout: self.layout.as_ref() }
    }

    /// Elements of the arrays that `rank` hands to a call: what it reads and, apart from that, what
    /// it writes.
    pub fn array_elements(&self, rank: u32) -> (u64, u64) {
        self.arrays().arrays(rank)
    }

    /// Elements that `rank` hands in: all elements it reads, but 0 where only the root
    /// has data and `rank` is another one.
    pub fn given_elements(&self, rank: u32) -> u64 {
        let silent = self.plan.row().starts_at_root() && rank != self.plan.root;
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
