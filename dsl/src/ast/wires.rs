//! What joins kernels: collectives, inputs and outputs, connections, references.

use aiec_diag::{Span, Spanned};
use serde::Serialize;

use super::{Bytes, Expr, Fifo, Flow, Ident, Window};

/// A collective over a group of kernels.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Collective {
    /// The operation: one of the words of the language, such as `reduce`.
    pub operation: Ident,
    /// The name that the collective declares.
    pub name: Ident,
    /// The group: kernels in rank order.
    pub over: Vec<Reference>,
    /// Properties in source order.
    pub properties: Vec<Spanned<CollectiveProperty>>,
    /// The kernel that serves active messages, whose clients are `over`. None for other operations.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub on: Option<Reference>,
    /// What the owner of active messages serves, in source order. Empty for other operations.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub services: Vec<Spanned<Service>>,
}

/// A line in the body of active messages.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Service {
    /// A function that clients call.
    Handler(Handler),
    /// `buffer table: int32[256]`: an array of the owner that clients put to and get from.
    Buffer(Ident, Window),
}

/// `handler get(idx: int32) -> int32`
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Handler {
    /// The name, which clients call.
    pub name: Ident,
    /// Arguments with their types in source order.
    pub arguments: Vec<(Ident, Flow)>,
    /// The type of the result. None without a reply.
    pub result: Option<Flow>,
}

/// A line in the body of a collective.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CollectiveProperty {
    /// `op sum`, or `op add_sat from "ops/add_sat.h" commutative`
    Op(Operator),
    /// `data int32[1024]`: the block of one rank.
    Data(Window),
    /// `window int32[1024]`: the data of one transfer. None when it is `window auto`.
    Window(Option<Window>),
    /// `root worker[0]`
    Root(Reference),
    /// `shape WORD`, `shape WORD merge`, `shape tree arity EXPR` or `shape hub EXPR`
    Shape(Shape),
    /// `buffer pingpong` or `buffer single`
    Buffer(Ident),
    /// `calls EXPR`: calls of the collective in one run of the kernel.
    Calls(Expr),
    /// `cycles int64[512]`: the window in which the root reports the cycles of each call.
    Cycles(Window),
    /// `reference EXPR`: the value of element `i` of rank `rank` in call `call`, for checking a
    /// simulation.
    Reference(Expr),
    /// `style scalar` or `style vector`
    Style(Ident),
    /// `exclusive`: a scan without the rank's own data.
    Exclusive,
    /// `shift EXPR`: a sendrecv or channel to the rank that is EXPR ranks further, wrapping around.
    Shift(Expr),
    /// `to EXPR` or `to (EXPR, EXPR)`: to whom `rank` of a sendrecv or channel sends.
    To(Target),
    /// `peers any`: the kernels of a channel choose receivers when they open it.
    Peers(Ident),
    /// `packet EXPR`: words of a packet of a channel to any peer.
    Packet(Expr),
    /// `max 256 B`: what one message of a mailbox has at most.
    Max(Bytes),
    /// `depth EXPR`: FIFO words on each way of a channel; with `peers any`, words of memory.
    Depth(Expr),
    /// `counts EXPR`: elements of the block of `rank`.
    Counts(Expr),
    /// `headed`: ranks know their counts only when they call, and send them ahead of their data.
    Headed,
    /// `base EXPR`: where the elements of `rank` start in the root's array.
    Base(Expr),
    /// `size EXPR`: how many of them lie side by side.
    Size(Expr),
    /// `num EXPR`: the number of runs of `size` elements.
    Num(Expr),
    /// `stride EXPR`: elements from one start to the next.
    Stride(Expr),
}

/// The receiver of a rank.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Target {
    /// The rank that the expression gives.
    Rank(Expr),
    /// The kernel of these indices in the family of the rank.
    At(Vec<Expr>),
}

/// The operator of a collective.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Operator {
    /// Its word, or the name of the user's struct.
    pub name: Ident,
    /// The user's header, and `commutative` or `ordered`.
    pub from: Option<(Spanned<String>, Ident)>,
}

/// The shape of a collective: its links between ranks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Shape {
    /// A word alone.
    Word(Ident),
    /// `tree arity EXPR`
    Tree(Expr),
    /// `hub EXPR`
    Hub(Expr),
    /// `WORD merge`
    Merge(Ident),
}

/// An input or output of the array.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct External {
    /// True for an `input`, false for an `output`.
    pub input: bool,
    /// The name, which becomes the PLIO or GMIO name.
    pub name: Ident,
    /// Extents: empty for a single port, at most one.
    pub dims: Vec<Expr>,
    /// The outside end: PLIO, GMIO or the host.
    pub endpoint: Spanned<Endpoint>,
    /// Properties in source order.
    pub properties: Vec<Spanned<ExternalProperty>>,
}

/// The far end of an input or output.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Endpoint {
    /// `plio(WIDTH, "file")`: programmable logic; the file is the simulator's data.
    Plio {
        /// Width of the port in bits.
        width: Expr,
        /// Data file, relative to the design file; `{}` stands for the index in a family, and
        /// `{1..4}` for 1, 2 and 3.
        file: Spanned<String>,
    },
    /// `gmio` or `gmio("file")`: global memory through the NoC.
    Gmio {
        /// Data file of an input, or where a simulation writes an output.
        file: Option<Spanned<String>>,
    },
    /// `host` or `host("file")`: a run-time parameter of the host program.
    Host {
        /// Values for each run of an input, or where a simulation writes an output.
        file: Option<Spanned<String>>,
    },
}

/// A property of an input or output.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ExternalProperty {
    /// `initial EXPR` or `initial [EXPR, ...]`: values of a parameter before the first run.
    Initial(Vec<Expr>),
    /// `frequency MHZ`: clock of a PLIO port.
    Frequency(Spanned<String>),
    /// `burst EXPR`: bytes of a GMIO burst.
    Burst(Expr),
    /// `bandwidth EXPR`: MB/s of a GMIO port.
    Bandwidth(Expr),
    /// `golden "file"`: the expected data of an output.
    Golden(Spanned<String>),
    /// `called "name", ...`: the names that an ADF graph gives the instances, one for each, or one
    /// with `{}` for the index.
    Called(Vec<Spanned<String>>),
}

/// A `connect`: connections between producing and consuming ends.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Connect {
    /// The producing ends in order, as a rule one; never empty.
    pub from: Vec<ConnectEnd>,
    /// The consuming ends in order; never empty.
    pub to: Vec<ConnectEnd>,
    /// `split`, `merge` or `merge ordered` in front of the consuming end.
    pub switch: Option<Spanned<Switch>>,
    /// `from EXPR` behind `split`: the number of the first branch.
    pub first: Option<Expr>,
    /// Properties behind the connection, in source order.
    pub properties: Vec<Spanned<ConnectProperty>>,
}

/// A split or merge of packets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Switch {
    /// `split`: each packet goes to one of the consumers.
    Split,
    /// `merge`: the packets of all producers, in any order.
    Merge,
    /// `merge ordered`: the packets of all producers, in turn.
    OrderedMerge,
}

/// A property of a connection.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ConnectProperty {
    /// `buffer pingpong` or `buffer single`
    Buffer(Ident),
    /// `fifo EXPR at TILE`: words of FIFO on the way.
    Fifo(Fifo),
}

/// One end of a connection.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ConnectEnd {
    /// True with `async` in front: the kernel acquires and releases the window itself.
    pub asynchronous: bool,
    /// The ports, inputs or outputs at this end.
    pub reference: Reference,
    /// `windows EXPR` behind it: how many windows the kernel acquires in one run.
    pub windows: Option<Expr>,
    /// The whole end, with `async` and `windows`.
    #[serde(skip)]
    pub span: Span,
}

impl ConnectEnd {
    /// Source location of `async` and what separates it from the reference.
    pub fn async_span(&self) -> Span {
        Span { end: self.reference.span.start, ..self.span }
    }
}

/// `name[indices].port[index]`: some or all instances of a family, and possibly one of their ports.
/// Instances of components stand in front, as in `bank[2].fir.x`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Reference {
    /// The names between the dots, each with its indices; never empty.
    pub parts: Vec<Part>,
    /// Source location of the whole reference.
    #[serde(skip)]
    pub span: Span,
}

/// A name of a reference with its indices.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Part {
    /// An instance of a component, a family, collective, input, output or port.
    pub name: Ident,
    /// One entry per dimension. Empty for all instances or a single one.
    pub indices: Vec<Index>,
}

/// The contents of one pair of brackets of a reference.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Index {
    /// `[e]`: one instance.
    At(Expr),
    /// `[a..b step s]`: from `a` up to but not including `b`; each part may be left out.
    Range {
        /// First index; 0 if left out.
        from: Option<Expr>,
        /// One past the last index; the extent if left out.
        to: Option<Expr>,
        /// Distance from one index to the next; 1 if left out.
        step: Option<Expr>,
        /// The range with its dots.
        #[serde(skip)]
        span: Span,
    },
}
