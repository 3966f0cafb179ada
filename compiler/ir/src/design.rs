//! The design as written, with names and constants resolved: families, not yet instances.

use aiec_device::{Board, Release};
use aiec_diag::{Span, Spanned};
use petgraph::graph::DiGraph;

use crate::constraints::Constraints;
use crate::formula::Formula;
use crate::ids::{CollectiveId, ExternalFamilyId, FamilyId, IdVec};
use aiec_collectives::{Buffering, Direction, ElementType, Loops, Operator, PortKind, WindowType};
use aiec_collectives::{Combining, Operation, Shape};

/// What a design's `vitis` and `board` lines say: the command line may say otherwise, and then wins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// The release; none without such a line.
    pub release: Option<&'static Release>,
    /// The board; none without such a line.
    pub board: Option<Board>,
}

/// A design: the graph of kernel families, collectives, inputs and outputs.
///
/// Invariants: every id and port index is in range; every selection names instances that exist, at most
/// [`Design::MAX_INSTANCES`] of them; sizes are at least 1; extents are at least 1; names are unique and are C++ identifiers.
/// Types and directions of connections are resolved: every link goes from a producing to a consuming port.
#[derive(Clone, Debug)]
pub struct Design {
    /// The design's name, which becomes the graph class.
    pub name: Spanned<String>,
    /// The device's name.
    pub device: Spanned<String>,
    /// The release of Vitis that the project is for.
    pub release: &'static Release,
    /// The board that it is for.
    pub board: Board,
    /// What the design's own lines say about these two.
    pub written: Written,
    /// How often the graph runs, at least 1.
    pub iterations: u32,
    /// What the ports of kernels are in C++.
    pub port_kind: PortKind,
    /// Constants with their values after overriding, in declaration order.
    pub constants: Vec<(String, i64)>,
    /// Kernel families.
    pub families: IdVec<FamilyId, Family>,
    /// Inputs and outputs.
    pub externals: IdVec<ExternalFamilyId, ExternalFamily>,
    /// Collectives.
    pub collectives: IdVec<CollectiveId, Collective>,
    /// Kernels that are put on tiles.
    pub places: Vec<Place>,
    /// All other placement constraints.
    pub constraints: Constraints<Instance>,
    /// Families, collectives, inputs and outputs as nodes, connections between them as edges.
    pub graph: DiGraph<Node, Link>,
}

impl Design {
    /// Most kernel instances, inputs and outputs a design may have; far more than any array holds.
    pub const MAX_INSTANCES: u64 = 16_384;
    /// Most point-to-point connections a design may have.
    pub const MAX_CONNECTIONS: u64 = 65_536;
    /// Most pairs of kernels that `together` and `apart` may come to: three times those of all kernels of a full array.
    pub const MAX_PAIRS: u64 = 262_144;
}

/// A node of the design's graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Node {
    /// A kernel family.
    Family(FamilyId),
    /// An input or output.
    External(ExternalFamilyId),
    /// A collective, with the ports `result` (0) and `cycles` (1).
    Collective(CollectiveId),
}

/// One kernel declaration.
#[derive(Clone, Debug)]
pub struct Family {
    /// Its name, also that of the C++ function.
    pub name: String,
    /// Extents: empty for a single kernel, else one or two.
    pub dims: Vec<u32>,
    /// User ports in declaration order.
    pub ports: Vec<UserPort>,
    /// C++ source, relative to the design file.
    pub source: Spanned<String>,
    /// Bytes of stack, where the design says; else the device's default holds.
    pub stack: Option<Spanned<u32>>,
    /// Bytes of heap, where the design says.
    pub heap: Option<Spanned<u32>>,
    /// Share of a core's time in 1/1000, at most 1000, where the design says; else each instance has a core of its own.
    pub runtime: Option<Spanned<u32>>,
    /// Bytes of program memory, where the design says.
    pub program: Option<Spanned<u32>>,
    /// The declaration's first words.
    pub span: Span,
}

impl Family {
    /// Number of instances.
    pub fn instances(&self) -> u32 {
        self.dims.iter().product()
    }

    /// The name of instance `index` (row-major over the extents), such as `worker[3]` or `pe[1][2]`.
    pub fn instance_name(&self, index: u32) -> String {
        instance_name(&self.name, &self.dims, index)
    }
}

/// The name of instance `index` (row-major) of a family with the extents `dims`.
pub(crate) fn instance_name(name: &str, dims: &[u32], index: u32) -> String {
    match dims {
        [] => name.to_owned(),
        [_] => format!("{name}[{index}]"),
        [_, columns, ..] => format!("{name}[{}][{}]", index / columns, index % columns),
    }
}

/// A port of a kernel family that the user declared.
#[derive(Clone, Debug)]
pub struct UserPort {
    /// Its name, also that of the C++ parameter.
    pub name: String,
    /// Direction, seen from the kernel.
    pub direction: Direction,
    /// Its window.
    pub window: WindowType,
    /// The declaration's first words.
    pub span: Span,
}

/// A declared input or output of the array.
#[derive(Clone, Debug)]
pub struct ExternalFamily {
    /// Its name, also the PLIO or GMIO name.
    pub name: String,
    /// Extent: empty for a single port, else one.
    pub dims: Vec<u32>,
    /// `Out` for an input of the array (it produces), `In` for an output.
    pub direction: Direction,
    /// What is at the other end.
    pub endpoint: Endpoint,
    /// The declaration's first words.
    pub span: Span,
}

impl ExternalFamily {
    /// Number of instances.
    pub fn instances(&self) -> u32 {
        self.dims.iter().product()
    }

    /// The name of instance `index`, such as `samples[3]`.
    pub fn instance_name(&self, index: u32) -> String {
        instance_name(&self.name, &self.dims, index)
    }
}

/// The far end of an input or output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Endpoint {
    /// Programmable logic.
    Plio {
        /// Width in bits, one the device offers (checked later).
        bits: Spanned<u32>,
        /// Data file of the simulators, relative to the design; `{}` stands for the instance's index.
        file: String,
    },
    /// Global memory through the NoC.
    Gmio {
        /// Data file of an input, or where a simulation writes an output.
        file: Option<String>,
    },
}

/// A collective over a group of kernels.
#[derive(Clone, Debug)]
pub struct Collective {
    /// Its name, also that of the member of `comm`.
    pub name: String,
    /// What it does.
    pub operation: Operation,
    /// Who is linked to whom; none if the compiler chooses.
    pub shape: Spanned<Option<Shape>>,
    /// The operator, where data is combined.
    pub op: Option<Spanned<Operator>>,
    /// The block of one rank.
    pub data: Spanned<WindowType>,
    /// What travels at once; same element type as `data`.
    pub window: Spanned<WindowType>,
    /// The group in rank order.
    pub group: Vec<Instance>,
    /// The rank with a part of its own; may lie outside the group (checked later).
    pub root: Instance,
    /// Buffers of its connections.
    pub buffering: Buffering,
    /// Calls in one run of the kernels, at least 1.
    pub calls: u32,
    /// Window of int64 in which the root reports cycles, if the design connects it.
    pub cycles: Option<Spanned<WindowType>>,
    /// What each rank contributes, if the design says.
    pub reference: Option<Formula>,
    /// What only some operations have.
    pub details: Details,
    /// The declaration's first words.
    pub span: Span,
}

impl Collective {
    /// How its kernels go over windows.
    pub fn loops(&self) -> Loops {
        Loops::of(self.window.value, self.details.scalar, self.op.as_ref().map(|op| &op.value))
    }

    /// What is known of how its contributions combine.
    pub fn combining(&self) -> Combining {
        let element = self.data.value.element;
        self.op.as_ref().map_or(Combining::FREE, |op| op.value.combining(element))
    }
}

/// What only some operations have.
#[derive(Clone, Debug, Default)]
pub struct Details {
    /// Scan: without the rank's own data.
    pub exclusive: bool,
    /// Gather: ranks send their counts ahead of their data, since they know them only when they call.
    pub headed: bool,
    /// Scalar instead of vectorised C++.
    pub scalar: bool,
    /// Sendrecv: the rank that `rank` sends to; a number outside the group is nobody.
    pub partner: Option<Spanned<Formula>>,
    /// Sendrecv: `partner` wraps around.
    pub wraps: bool,
    /// Gather and scatter: elements of each rank's block.
    pub counts: Option<Spanned<Formula>>,
    /// Gather and scatter: where each rank's elements lie in the root's array.
    pub stride: Option<Strided>,
}

/// Blocks that are not contiguous in the root's array.
#[derive(Clone, Debug)]
pub struct Strided {
    /// The first element of `rank`.
    pub base: Formula,
    /// Elements side by side, at least 1.
    pub size: u32,
    /// How many times so many.
    pub num: u32,
    /// From one first element to the next.
    pub stride: u32,
    /// The property that says where they start.
    pub span: Span,
}

impl Collective {
    /// Names of a collective's own ports, by port index in a [`Selection`].
    pub const PORTS: [&'static str; 2] = ["result", "cycles"];
    /// Port index of the result.
    pub const RESULT: u32 = 0;
    /// Port index of the cycle counts.
    pub const CYCLES: u32 = 1;
}

/// One kernel of a family.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Instance {
    /// The family.
    pub family: FamilyId,
    /// Row-major index in it.
    pub index: u32,
    /// Where the design names it.
    pub span: Span,
}

/// A connection between selections of ports.
///
/// Both select the same number of instances, which are then connected one by one, or `from` selects one, which is
/// broadcast to all of `to`.
#[derive(Clone, Debug)]
pub struct Link {
    /// The producing ports.
    pub from: Selection,
    /// The consuming ports.
    pub to: Selection,
    /// Buffers of each connection.
    pub buffering: Buffering,
    /// The `connect`.
    pub span: Span,
}

/// The same port of one or more instances of a node.
#[derive(Clone, Debug)]
pub struct Selection {
    /// The node.
    pub node: Node,
    /// The port: index into a family's ports, [`Collective::PORTS`], or 0 for inputs and outputs.
    pub port: u32,
    /// Row-major indices of the instances, never empty; `[0]` for a collective.
    pub instances: Vec<u32>,
    /// True if the kernel acquires and releases the window itself.
    pub asynchronous: bool,
    /// How many windows it acquires in one run, at least 1, where the design says.
    pub windows: Option<Spanned<u32>>,
    /// The reference.
    pub span: Span,
}

/// A placement constraint: this kernel on that tile. The tile may lie outside the array (checked later).
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// The kernel.
    pub instance: Instance,
    /// The column as written.
    pub column: i64,
    /// The core row as written.
    pub row: i64,
    /// The `place`.
    pub span: Span,
}

/// The smallest element type that a cycle count is stored in.
pub const CYCLES_ELEMENT: ElementType = ElementType::Int64;
