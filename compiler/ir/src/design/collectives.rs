//! Collectives as written.

use aiec_collectives::{
    Buffering, Combining, ElementType, Loops, Operation, Operator, Relay, Services, Shape, WindowType,
};
use aiec_diag::{Span, Spanned};

use super::instance::Instance;
use crate::formula::Formula;

/// The smallest element type that a cycle count is stored in.
pub const CYCLES_ELEMENT: ElementType = ElementType::Int64;

/// A collective over a group of kernels.
#[derive(Clone, Debug)]
pub struct Collective {
    /// The name of the collective and of the member of `comm`.
    pub name: String,
    /// The operation: reduce, broadcast, and so on.
    pub operation: Operation,
    /// The shape, which determines the links between ranks. None when the compiler chooses.
    pub shape: Spanned<Option<Shape>>,
    /// The operator. None when the operation combines no data.
    pub op: Option<Spanned<Operator>>,
    /// The block of one rank.
    pub data: Spanned<WindowType>,
    /// The window that one transfer carries; same element type as `data`.
    pub window: Spanned<WindowType>,
    /// The group in rank order.
    pub group: Vec<Instance>,
    /// The root; may lie outside the group (checked later).
    pub root: Instance,
    /// Buffers of its connections.
    pub buffering: Buffering,
    /// Calls in one run of the kernels, at least 1.
    pub calls: u32,
    /// Window of int64 in which the root reports cycles, if the design connects it.
    pub cycles: Option<Spanned<WindowType>>,
    /// The formula for each rank's contribution. None when the design states none.
    pub reference: Option<Formula>,
    /// Properties that only some operations have.
    pub details: Details,
    /// Source location of the declaration's first words.
    pub span: Span,
}

impl Collective {
    /// Names of a collective's own ports, by port index in a
    /// [`Selection`](crate::links::Selection).
    pub const PORTS: [&'static str; 2] = ["result", "cycles"];
    /// Port index of the result.
    pub const RESULT: u32 = 0;
    /// Port index of the cycle counts.
    pub const CYCLES: u32 = 1;

    /// The kernels' loops over windows: the window, scalar or vectorised code, and the operator.
    pub fn loops(&self) -> Loops {
        Loops::of(self.window.value, self.details.scalar, self.op.as_ref().map(|op| &op.value))
    }

    /// The kernels' loops over all data at once, as along streams.
    pub fn data_loops(&self) -> Loops {
        Loops { window: self.data.value, ..self.loops() }
    }

    /// True if the design leaves something to the compiler.
    pub const fn is_open(&self) -> bool {
        self.shape.value.is_none() || self.details.open.window || self.details.open.root
    }

    /// The algebra of the operator: the orders in which contributions may combine.
    pub fn combining(&self) -> Combining {
        Combining::of(self.op.as_ref().map(|op| &op.value), self.data.value.element)
    }
}

/// Properties that only some operations have.
#[derive(Clone, Debug, Default)]
pub struct Details {
    /// Scan: each rank's result leaves out its own data.
    pub exclusive: bool,
    /// Gather: ranks send their counts ahead of their data, since a rank learns its count only at
    /// the call.
    pub headed: bool,
    /// Any operation: scalar instead of vectorised C++.
    pub scalar: bool,
    /// Sendrecv and channel: to whom `rank` sends. One outside the group means that `rank` sends
    /// nothing.
    pub partner: Option<Spanned<Partner>>,
    /// Sendrecv and channel: `partner` wraps around.
    pub wraps: bool,
    /// Channel with one receiver for each rank: FIFO words on the way of each link.
    pub fifo: Option<Spanned<u32>>,
    /// Channel to any peer: its packets.
    pub relay: Option<Relay>,
    /// Active messages: what the owner serves.
    pub services: Services,
    /// Gather and scatter: elements of each rank's block.
    pub counts: Option<Spanned<Formula>>,
    /// Gather and scatter: positions of each rank's elements in the root's array.
    pub stride: Option<Strided>,
    /// What the design leaves to the compiler beside the shape.
    pub open: Open,
}

/// The receiver of each rank of a sendrecv or channel.
#[derive(Clone, Debug)]
pub enum Partner {
    /// The rank of this number.
    Rank(Formula),
    /// The kernel with these indices in the sender's family.
    At(Vec<Formula>),
}

/// What a collective leaves to the compiler beside its shape, and what the compiler chose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Open {
    /// The arity of its tree. The shape is then open too, but only trees are compared.
    pub arity: bool,
    /// The window. Until another one is chosen it is that of the data.
    pub window: bool,
    /// The root. Until another one is chosen it is the first of the group.
    pub root: bool,
    /// The shape that was chosen after placement, where the shape is open.
    pub chosen: Option<Shape>,
}

/// Positions of blocks that are not contiguous in the root's array.
#[derive(Clone, Debug)]
pub struct Strided {
    /// Index of the first element of `rank`.
    pub base: Formula,
    /// Contiguous elements per run, at least 1.
    pub size: u32,
    /// Number of runs in the block of a rank.
    pub num: u32,
    /// Distance from the first element of a run to that of the next, in elements.
    pub stride: u32,
    /// Source location of the property that states the positions.
    pub span: Span,
}
