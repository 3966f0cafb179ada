//! The syntax tree of a design: the source text's structure, with the place of every part.
//!
//! Names are not resolved and expressions not evaluated here. The tree only guarantees the syntax.

use aiec_diag::{Span, Spanned};
use serde::Serialize;

/// A name as written.
pub type Ident = Spanned<String>;

/// A whole design file: its items in source order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Program {
    /// The declarations and statements.
    pub items: Vec<Item>,
    /// The whole text.
    #[serde(skip)]
    pub span: Span,
}

/// One declaration or statement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Item {
    /// The kind of item, with its contents.
    pub kind: ItemKind,
    /// The whole item.
    #[serde(skip)]
    pub span: Span,
}

/// The kinds of item.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ItemKind {
    /// `design NAME`
    Design(Ident),
    /// `device NAME`
    Device(Ident),
    /// `vitis "RELEASE"`: the release of the vendor's tools that the project is for.
    Vitis(Spanned<String>),
    /// `board NAME`
    Board(Ident),
    /// `iterations EXPR`: how often the graph runs.
    Iterations(Expr),
    /// `ports window` or `ports buffer`: which of the two APIs kernels have.
    Ports(Ident),
    /// `const NAME = EXPR`, `const NAME = [EXPR, ...]` or `const NAME = from "FILE"`
    Const {
        /// The constant's name.
        name: Ident,
        /// Its value.
        value: Constant,
    },
    /// `import "FILE"`: the components of another file.
    Import(Spanned<String>),
    /// `component NAME(constants)(ports) { items }`
    Component(Component),
    /// `instance NAME[dims] of COMPONENT(constants)`
    Instance(Instantiation),
    /// `kernel NAME[dims](ports) { properties }`
    Kernel(Kernel),
    /// `reduce NAME over GROUP { properties }`, or another operation.
    Collective(Collective),
    /// `input NAME[dims] from ENDPOINT` or `output NAME[dims] to ENDPOINT`
    External(External),
    /// `connect A -> B`
    Connect(Connect),
    /// `place REF at (column, row)` or `place REF at REF + (columns, rows)`
    Place(Place),
    /// `region REF, REF in (column, row) to (column, row)`
    Region(Region),
    /// `together REF, REF`
    Together(Vec<Reference>),
    /// `apart REF, REF`
    Apart(Vec<Reference>),
    /// `keepout (column, row) to (column, row)`
    KeepOut(Area),
    /// `for NAME in a..b { ... }`, around connections and placement constraints.
    For(For),
    /// `if EXPR { ... } else { ... }`
    If(Choice<Item>),
    /// `assert EXPR "message"`
    Assert(Assertion),
}

/// A component: a part of a design with ports, which may be there several times.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Component {
    /// The component's name.
    pub name: Ident,
    /// Constants that each instance may set, with their defaults.
    pub constants: Vec<Setting>,
    /// Its ports in declaration order.
    pub ports: Vec<Port>,
    /// Declarations and statements.
    pub body: Block<Item>,
}

/// `NAME = EXPR`: a constant of a component, or its value in an instance.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Setting {
    /// The constant's name.
    pub name: Ident,
    /// Its value.
    pub value: Expr,
}

/// One or more instances of a component.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Instantiation {
    /// The name of the instances.
    pub name: Ident,
    /// Extents: empty for a single instance, up to three.
    pub dims: Vec<Dim>,
    /// The component.
    pub component: Ident,
    /// Values of the component's constants, where they differ from the defaults.
    pub constants: Vec<Setting>,
}

/// The value of a constant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Constant {
    /// A number.
    Number(Expr),
    /// `[EXPR, EXPR, ...]`: a table of numbers.
    Table(Vec<Expr>),
    /// `from "FILE"`: a table of the numbers of a text file, relative to the design file.
    File(Spanned<String>),
}

/// A kernel family.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Kernel {
    /// The family's name.
    pub name: Ident,
    /// Extents: empty for a single kernel, up to three.
    pub dims: Vec<Dim>,
    /// User ports in declaration order.
    pub ports: Vec<Port>,
    /// Properties in source order.
    pub properties: Vec<Spanned<KernelProperty>>,
}

/// One extent of a kernel family: `[13]` or `[r: 13]`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Dim {
    /// The name of the index in this dimension, if it has one.
    pub index: Option<Ident>,
    /// The extent.
    pub extent: Expr,
}

/// A property of a kernel family.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum KernelProperty {
    /// `source "path"`: the C++ file, relative to the design file.
    Source(Spanned<String>),
    /// `stack SIZE`
    Stack(Bytes),
    /// `heap SIZE`
    Heap(Bytes),
    /// `runtime RATIO`: the share of a core's time, as written.
    Runtime(Spanned<String>),
    /// `program SIZE`: program memory.
    Program(Bytes),
    /// `function NAME`: the C++ function or class, if it is not called like the family.
    Function(Ident),
    /// `header "path"`: the C++ header that declares the function or class.
    Header(Spanned<String>),
    /// `init "function"`: the C++ function that runs once before the first run of the kernel.
    Init(Spanned<String>),
    /// `template (ARGUMENT, ...)`: arguments of the function's or class's template.
    Template(Vec<Argument>),
    /// `arguments (ARGUMENT, ...)`: the kernel is an object of a class, constructed with these.
    Arguments(Vec<Argument>),
    /// `if EXPR { properties } else { properties }`
    If(Choice<Spanned<KernelProperty>>),
}

/// An argument of a template or constructor: `EXPR` or `EXPR as TYPE`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Argument {
    /// An expression, the name of a table, or in a template the name of a type.
    pub value: Expr,
    /// The C++ type that it is converted to.
    pub class: Option<Ident>,
}

/// A user port: `in x: window int16[512]`, or an array of ports: `in x[4]: ...`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Port {
    /// The direction of its data.
    pub direction: PortDirection,
    /// The port's name.
    pub name: Ident,
    /// Number of ports, for an array of ports.
    pub extent: Option<Expr>,
    /// What it carries.
    pub carries: PortType,
    /// The whole port.
    #[serde(skip)]
    pub span: Span,
}

/// The direction of a port.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PortDirection {
    /// `in`
    In,
    /// `out`
    Out,
    /// `inout`: a parameter that the kernel changes.
    Inout,
}

impl PortDirection {
    /// The word as written.
    pub const fn word(self) -> &'static str {
        match self {
            Self::In => "in",
            Self::Out => "out",
            Self::Inout => "inout",
        }
    }
}

/// What a port carries.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PortType {
    /// `window TYPE[SIZE]` or `window TYPE[SIZE] margin SIZE`
    Window {
        /// The window.
        window: Window,
        /// The margin in front of it.
        margin: Option<Size>,
    },
    /// `stream TYPE` or `stream TYPE[SIZE]`: SIZE in one run.
    Stream(Flow),
    /// `packets TYPE` or `packets TYPE[SIZE]`
    Packets(Flow),
    /// `cascade TYPE`: accumulator lanes such as `acc48`, or an element type.
    Cascade(Ident),
    /// `parameter TYPE` or `parameter TYPE[SIZE]`, possibly `async` or `sync`.
    Parameter {
        /// The values.
        values: Flow,
        /// True with `async` behind it, false with `sync`. None leaves it to the direction.
        asynchronous: Option<bool>,
    },
}

/// A number of elements, or of bytes with a unit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Size {
    /// The number.
    pub amount: Expr,
    /// The unit behind it; without one, `amount` counts elements.
    pub unit: Option<Spanned<Unit>>,
}

/// `TYPE` or `TYPE[SIZE]`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Flow {
    /// Element type as written.
    pub element: Ident,
    /// The size in the brackets, where it is stated.
    pub size: Option<Size>,
    /// The whole type.
    #[serde(skip)]
    pub span: Span,
}

/// `TYPE[SIZE]`: elements, or bytes with a unit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Window {
    /// Element type as written, such as `int32`.
    pub element: Ident,
    /// The size in the brackets.
    pub size: Expr,
    /// The unit behind it; without one, `size` counts elements.
    pub unit: Option<Spanned<Unit>>,
    /// The whole type.
    #[serde(skip)]
    pub span: Span,
}

/// A size in bytes: an expression with a unit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Bytes {
    /// The number before the unit.
    pub amount: Expr,
    /// The unit.
    pub unit: Unit,
    /// Both.
    #[serde(skip)]
    pub span: Span,
}

/// A unit of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Unit {
    /// `B`: 1 byte.
    #[serde(rename = "B")]
    Byte,
    /// `KiB`: 1024 bytes.
    KiB,
    /// `MiB`: 1024 KiB.
    MiB,
}

impl Unit {
    /// Bytes in one of this unit.
    pub const fn bytes(self) -> i64 {
        match self {
            Self::Byte => 1,
            Self::KiB => 1 << 10,
            Self::MiB => 1 << 20,
        }
    }

    /// The unit as written.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Byte => "B",
            Self::KiB => "KiB",
            Self::MiB => "MiB",
        }
    }
}

/// A collective over a group of kernels.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Collective {
    /// The operation: one of the words of the language, such as `reduce`.
    pub operation: Ident,
    /// The collective's name.
    pub name: Ident,
    /// The group: kernels in rank order.
    pub over: Vec<Reference>,
    /// Properties in source order.
    pub properties: Vec<Spanned<CollectiveProperty>>,
}

/// A property of a collective.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CollectiveProperty {
    /// `op sum`, or `op add_sat from "ops/add_sat.h" commutative`
    Op(Operator),
    /// `data int32[1024]`: the block of one rank.
    Data(Window),
    /// `window int32[1024]`: the data of one transfer.
    Window(Window),
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
    /// `shift EXPR`: a sendrecv to the rank that is EXPR ranks further, wrapping around.
    Shift(Expr),
    /// `to EXPR`: a sendrecv to the rank that the expression gives for `rank`.
    To(Expr),
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
    /// True for `input`.
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
        /// Width in bits.
        width: Expr,
        /// Data file, relative to the design file; `{}` stands for the index in a family.
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
}

/// A connection.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Connect {
    /// The producing end.
    pub from: ConnectEnd,
    /// The consuming end.
    pub to: ConnectEnd,
    /// `split`, `merge` or `merge ordered` in front of the consuming end.
    pub switch: Option<Spanned<Switch>>,
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
    /// `fifo EXPR`: words of FIFO on the way.
    Fifo(Expr),
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
}

/// `name[indices].port[index]`: some or all instances of a family, and possibly one of their ports.
/// Instances of components stand in front, as in `bank[2].fir.x`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Reference {
    /// The names between the dots, each with its indices; never empty.
    pub parts: Vec<Part>,
    /// The whole reference.
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

/// A placement constraint on kernels, or on the buffers of a port or a stack.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Place {
    /// The kernels to place.
    pub reference: Reference,
    /// Their position.
    pub at: At,
    /// `bank EXPR, EXPR`: banks of the buffers or the stack.
    pub banks: Vec<Expr>,
}

/// The position of a kernel.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum At {
    /// `(column, row)`
    Tile(Pair),
    /// `REF + (columns, rows)`, or `REF` for the tile of REF itself.
    Kernel {
        /// The other kernel.
        of: Reference,
        /// Distance from that kernel.
        offset: Option<Pair>,
    },
}

/// `(column, row)`: a tile, or an offset in tiles.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Pair {
    /// The column, or columns to the east.
    pub column: Expr,
    /// The core row, 0 at the bottom, or rows to the north.
    pub row: Expr,
}

/// A rectangle of tiles.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Area {
    /// One corner.
    pub from: Pair,
    /// The opposite corner, inside the rectangle. None for a single tile.
    pub to: Option<Pair>,
}

/// Kernels within a rectangle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Region {
    /// The kernels.
    pub references: Vec<Reference>,
    /// The tiles of the region.
    pub area: Area,
}

/// A loop over connections and placement constraints.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct For {
    /// The loop variable.
    pub variable: Ident,
    /// First value.
    pub from: Expr,
    /// One past the last value.
    pub to: Expr,
    /// `connect`, placement constraints, `for`, `if` and `assert` items.
    pub body: Vec<Item>,
}

/// Items, or properties of a kernel, under conditions: those of the first branch whose condition is
/// not 0.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Choice<T> {
    /// `if` and every `else if`, in order.
    pub branches: Vec<Branch<T>>,
    /// `else`, if it is there.
    pub otherwise: Option<Block<T>>,
}

/// A condition and its items.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Branch<T> {
    /// The condition.
    pub condition: Expr,
    /// The items.
    pub block: Block<T>,
}

/// Items in braces.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Block<T> {
    /// The items.
    pub items: Vec<T>,
    /// From brace to brace.
    #[serde(skip)]
    pub span: Span,
}

/// A condition that must hold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Assertion {
    /// The condition: 0 means that it does not hold.
    pub condition: Expr,
    /// What the user reads if it does not.
    pub message: Spanned<String>,
}

/// An integer expression.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Expr {
    /// The kind of expression, with its operands.
    pub kind: ExprKind,
    /// The whole expression.
    #[serde(skip)]
    pub span: Span,
}

/// The kinds of expression.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ExprKind {
    /// A number.
    Int(i64),
    /// A constant or loop variable.
    Name(String),
    /// `-e`
    Neg(Box<Expr>),
    /// `!e`: 1 if `e` is 0, else 0.
    Not(Box<Expr>),
    /// `a OP b`
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `min(a, b)` or `max(a, b)`
    Call(Function, Vec<Expr>),
    /// `TABLE[e]`
    Item(Ident, Box<Expr>),
    /// `len(TABLE)`
    Len(Ident),
}

/// The binary operators, by falling precedence: `* / %`, `+ -`, `<< >>`, `&`, `^`, `|`, and the
/// comparisons, which give 0 or 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum BinaryOp {
    /// `*`
    Mul,
    /// `/`, rounding towards zero.
    Div,
    /// `%`, with the sign of the left side.
    Rem,
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `<<`
    Shl,
    /// `>>`, keeping the sign.
    Shr,
    /// `&`, bit by bit.
    And,
    /// `^`, bit by bit.
    Xor,
    /// `|`, bit by bit.
    Or,
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
}

/// The functions of expressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Function {
    /// The smallest argument.
    Min,
    /// The largest argument.
    Max,
}
