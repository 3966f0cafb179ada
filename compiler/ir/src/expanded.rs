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
//!   the tables like all others; later stages need it for C++ classes and messages alone. So it is
//!   with the [`Way`] of a connection through ports of components.
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
//!    [`crate::rates`].) (v) A family has one [`Body`](crate::design::Body) for all instances, or
//!    one for each ([`Family::body`]). The instances of a family in a collective have one function,
//!    one source and neither header, template, constructor nor `init`. A body with `template` or
//!    `arguments` has a header.
//! 2. Names are unique and name an instance as the design does, such as `pe[1][2]`. `identifier` of
//!    an external is a C++ identifier. No two outputs write one file, and none that of an input.
//! 3. (v) `iterations` is at least 1. There are at most
//!    [`Design::MAX_INSTANCES`](crate::Design::MAX_INSTANCES) instances, and at most
//!    [`Design::MAX_CONNECTIONS`](crate::Design::MAX_CONNECTIONS) connections of the user. The
//!    links of collectives come on top. (The limits are checked on the `Design`.)
//!
//! ## Ports
//!
//! 4. (v) Each port is in exactly one list: `inputs`, `outputs`, `inouts` or `tables` of its
//!    kernel, or `port` of its external. `slot` is its position there, and `direction` that of the
//!    list. `inouts` has the parameters that a kernel gives back, `tables` those of an ADF graph.
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
//!     of one collective, or between the ports of a channel. (It is the collective of both ports.)
//!     Results and cycle counts leave over connections of the user.
//! 11. (v) The ends of a collective's connection are asynchronous. The only exceptions are
//!     ranks that send into a merge once in a run ([`Collective::sends_once`]): their sending ends
//!     are synchronous. The ends of a channel are streams or packets, which are not asynchronous.
//! 12. (v) A connection states `windows` only at an asynchronous port.
//! 13. Connections of the user come first, in source order, then those of each collective in the
//!     order of [`Plan::links`]. A link to several ranks is one connection for each receiver.
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
//!     branch that is an input or output carries packets.) The root of a channel may have two.
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
//! 25. (v) The families and collectives of a [`Subgraph`] exist, and its parent comes before it.
//!     (Their names begin with its name.) A [`Way`] names subgraphs and their ports.
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
//! use aiec_ir::{CollectiveId, ConnectionId, ExternalId, KernelId, PortId, Rank};
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
//! assert_eq!(links, [(Rank(1), vec![Rank(0)]), (Rank(2), vec![Rank(0)])]);
//! let program = total.plan.program(Rank(0));
//! assert_eq!((program.len(), program[0].times, program[0].steps.len()), (1, 4, 1));
//! let step = &program[0].steps[0];
//! assert_eq!(step.take, [0, 1]);
//! assert!(step.give.is_empty() && step.result);
//! assert_eq!(total.plan.program(Rank(1))[0].steps[0].give, [0]);
//! assert_eq!((total.chunks(), total.depth()), (4, 2));
//!
//! // The root's part, and how often windows pass in one run.
//! let root = design.membership(KernelId(0), CollectiveId(0)).expect("worker[0] is a rank");
//! assert_eq!((root.rank, root.result), (Rank(0), Some(PortId(3))));
//! assert_eq!(root.inputs, [PortId(1), PortId(2)]);
//! assert_eq!(design.windows_per_run(PortId(3)), Some(4));
//! assert_eq!(design.windows_per_run(PortId(1)), None);
//! # Ok::<(), aiec_test_support::BuildError>(())
//! ```

use std::collections::BTreeSet;
use std::sync::Arc;

mod answers;
mod fifo;
mod host;
mod packets;

use aiec_device::{Board, Release};
use aiec_diag::{Span, Spanned};
use petgraph::graph::{DiGraph, NodeIndex};

pub use self::host::HostParameter;
pub use self::packets::BranchPackets;
use crate::blocks::Blocks;
use crate::carries::Carries;
pub use crate::cascades::{Cascade, CascadeOrigin};
use crate::constraints::{Constraints, ShimPlace, ShimTie};
use crate::design::{Allowance, Decimals, Endpoint, Family, Language, Subgraph, Written};
use crate::fifos::{FifoMemory, FifoPlace};
use crate::formula::Formula;
use crate::ids::{
    CollectiveId, ConnectionId, ExternalFamilyId, ExternalId, FamilyId, IdVec, KernelId, ParameterId, PortId,
    SubgraphId, SwitchId,
};
pub use crate::links::{Marks, SwitchKind, Windows};
use crate::ways::Way;
use aiec_collectives::{Buffering, Direction, Layout, Operator, Plan, PortKind, Rank, Shape, WindowType};

/// Every kernel instance with its ports, and the connections between them.
///
/// The documentation of [this module](self) lists the invariants.
#[derive(Clone, Debug)]
pub struct Expanded {
    /// The name in the `design` line.
    pub name: Spanned<String>,
    /// The name in the `device` line.
    pub device: Spanned<String>,
    /// The release of Vitis that the project is for.
    pub release: &'static Release,
    /// The board for which the project is built.
    pub board: Board,
    /// The values of the design's own lines for release and board, before the command line
    /// overrides them.
    pub written: Written,
    /// The language that it is written in.
    pub language: Language,
    /// True for a component by itself: its inputs and outputs stand for what designs connect.
    pub is_component: bool,
    /// Runs of the graph, at least 1.
    pub iterations: u32,
    /// The C++ type of kernel ports: windows or buffers.
    pub port_kind: PortKind,
    /// Constants with their values after overriding, in declaration order.
    pub constants: Vec<(String, i64)>,
    /// Constant tables, in declaration order; none is empty.
    pub tables: Vec<(String, Arc<[i64]>)>,
    /// Constants and tables of numbers with a point, in declaration order.
    pub decimals: Vec<(String, Decimals)>,
    /// Names of constants that the file of an instance's component gives another value.
    pub ambiguous: BTreeSet<String>,
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
    /// Splits and merges of packets: the user's in source order, then those of channels.
    pub switches: IdVec<SwitchId, PacketSwitch>,
    /// Run-time parameters of the host, all instances of each in declaration order.
    pub parameters: IdVec<ParameterId, HostParameter>,
    /// `place` constraints. A kernel may have several.
    pub places: Vec<Place>,
    /// All other placement constraints.
    pub constraints: Constraints<KernelId>,
    /// Constraints on buffers and stacks.
    pub blocks: Blocks<KernelId, PortId>,
    /// Inputs and outputs in columns of the interface row.
    pub shims: Vec<ShimPlace<ExternalId>>,
    /// Inputs and outputs whose columns follow from those of kernels.
    pub shim_ties: Vec<ShimTie<ExternalId, KernelId>>,
    /// Inputs and outputs whose columns follow from those of other inputs and outputs.
    pub shim_links: Vec<ShimTie<ExternalId, ExternalId>>,
    /// Warnings that the design does not want.
    pub allowances: Vec<Allowance>,
    /// Kernels, inputs and outputs as nodes, connections as edges.
    pub graph: DiGraph<Owner, ConnectionId>,
    /// The node of each kernel, then of each input or output.
    pub nodes: Vec<NodeIndex>,
}

/// The owner of a port.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Owner {
    /// An instance of a family.
    Kernel(KernelId),
    /// An input or output of the array.
    External(ExternalId),
}

/// A kernel of a family, with its ports.
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
    /// Tables that the graph gives it, in order: `param[0]`, `param[1]`, ... Their direction is
    /// `In`, and they have no connections.
    pub tables: Vec<PortId>,
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
    /// Where the kernel has its rank.
    pub collective: CollectiveId,
    /// Rank within the group.
    pub rank: Rank,
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
    /// The declaration that it is an instance of.
    pub family: ExternalFamilyId,
    /// Index within the declaration.
    pub index: u32,
    /// Its name, such as `samples[3]`.
    pub name: String,
    /// A C++ identifier for it, such as `samples_3`.
    pub identifier: String,
    /// Its PLIO or GMIO name: the identifier, or what an ADF graph gives to `create`, such as
    /// `DataIn1`. Empty where nobody knows the name of a graph without one.
    pub logical: String,
    /// `Out` for an input of the array, `In` for an output.
    pub direction: Direction,
    /// The far end. `{}` in file names is replaced already.
    pub endpoint: Endpoint,
    /// The file of the data that an output is expected to get, relative to the design.
    pub golden: Option<Spanned<String>>,
    /// Its one port. It carries what the port at its first connection does, and None when it is
    /// not connected.
    pub port: PortId,
    /// Source location of its whole declaration, if nothing else in the text mentions its name.
    pub alone: Option<Span>,
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
    /// What it carries. None when it belongs to an input or output without a connection.
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
    /// From or to another rank of a channel: a stream, whose amount follows from the channel's
    /// `data` and `calls`. Of a channel to any peer, packets of an unknown amount.
    Channel(CollectiveId),
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
    /// The port that produces the data.
    pub from: PortId,
    /// The port that consumes the data.
    pub to: PortId,
    /// Buffers at each place the window is stored.
    pub buffering: Buffering,
    /// FIFO words that the design states for the way (`fifo_depth`, UG1079).
    pub fifo: Option<Spanned<u32>>,
    /// The places of that FIFO that the design states. If it states none, those of a FIFO in memory
    /// are part of the placement, and those in stream switches of the routes.
    pub fifo_places: Vec<FifoPlace>,
    /// What is to hold that FIFO, if the design says it without a place.
    pub fifo_memory: Option<FifoMemory>,
    /// The split or merge of packets that the connection is a branch of.
    pub switch: Option<SwitchId>,
    /// Windows that the kernels acquire in one run, as far as the design states it.
    pub windows: Windows,
    /// The collective that made the connection. None when the user wrote the connection.
    pub collective: Option<CollectiveId>,
    /// Where it stands, and the ports of components that it passes.
    pub way: Way,
    /// Source locations that a remedy changes.
    pub marks: Marks,
    /// Source location of the construct that made the connection.
    pub span: Span,
}

impl Connection {
    /// The end that is not `port`.
    pub fn other(&self, port: PortId) -> PortId {
        if self.from == port { self.to } else { self.from }
    }
}

/// A split or merge of packet streams (`pktsplit`, `pktmerge`, `pktorderedmerge`; UG1079, "Explicit
/// Packet Switching").
#[derive(Clone, Debug)]
pub struct PacketSwitch {
    /// Whether it splits or merges, and in which order.
    pub kind: SwitchKind,
    /// The port whose packets are split, or where packets are merged.
    pub trunk: PortId,
    /// The connections in the order of packet ids: branch `i` is `out[first + i]` of the split, or
    /// `in[i]` of the merge.
    pub branches: Vec<ConnectionId>,
    /// The packet id of the first branch. 0 for merges, and for splits that have all branches of
    /// their trunk.
    pub first: u32,
    /// Source location of that number, where the design states it.
    pub first_span: Option<Span>,
    /// Where it stands, and the ports of components on the way of the trunk.
    pub way: Way,
    /// Source location of the `connect`.
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
    /// The name that the design declares.
    pub name: String,
    /// The schedule: transfers and their order, by rank.
    pub plan: Plan,
    /// The operator. None when the operation combines no data.
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
    /// FIFO words on the way of each link of a channel. None when the design states none.
    pub fifo: Option<Spanned<u32>>,
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
    /// One of the shapes to choose from.
    pub shape: Shape,
    /// Estimated array cycles of a call with all links through shared memory, or the reason why the
    /// shape was ruled out.
    pub cycles: Result<i64, String>,
}

/// A `place`: puts one kernel on a tile. The tile may lie outside the array (checked later).
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// What stands on the tile.
    pub kernel: KernelId,
    /// The column as written.
    pub column: i64,
    /// The core row as written.
    pub row: i64,
    /// Source location of the `place`.
    pub span: Span,
}
