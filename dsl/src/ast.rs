//! The syntax tree of a design: the source text's structure, with the place of every part.
//!
//! Names are not resolved and expressions not evaluated here. The tree only guarantees the syntax.

mod expr;
mod kernel;
mod places;
mod wires;

use std::collections::BTreeSet;

use aiec_diag::{Span, Spanned};
use serde::Serialize;

pub use expr::{BinaryOp, Expr, ExprKind, Function};
pub use kernel::{
    Argument, Bytes, Dim, Flow, Kernel, KernelProperty, Port, PortDirection, PortType, Size, Unit, Window,
};
pub use places::{
    Apart, Area, At, Distance, Fifo, FifoAt, FifoPlace, Pair, Place, Region, Shim, Spot, Within,
};
pub use wires::{
    Collective, CollectiveProperty, Connect, ConnectEnd, ConnectProperty, Endpoint, External,
    ExternalProperty, Handler, Index, Operator, Part, Reference, Service, Shape, Switch, Target,
};

/// A name as written.
pub type Ident = Spanned<String>;

/// A whole design file: its items in source order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Program {
    /// The declarations and statements.
    pub items: Vec<Item>,
    /// Source location of the whole text.
    #[serde(skip)]
    pub span: Span,
    /// The words that the text has once, strings and comments apart: a name among them is declared,
    /// and nothing mentions it. Empty without a text.
    #[serde(skip)]
    pub once: BTreeSet<String>,
}

/// One declaration or statement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Item {
    /// The kind of item, with its contents.
    pub kind: ItemKind,
    /// Source location of the whole item.
    #[serde(skip)]
    pub span: Span,
}

/// The declarations and statements of the language, by their first words.
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
    /// `ports window` or `ports buffer`: which of the two APIs kernels have. `ports own`: kernels
    /// have ports of their own, and aiec makes no project.
    Ports(Ident, Option<Spanned<String>>),
    /// `const NAME = EXPR`, `const NAME = [EXPR, ...]` or `const NAME = from "FILE"`
    Const {
        /// The name that the constant declares.
        name: Ident,
        /// The numbers or the file behind `=`.
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
    /// `place REF at (column, row)`, `place REF at REF + (columns, rows)` and other forms
    Place(Place),
    /// `region REF, REF in (column, row) to (column, row)`
    Region(Region),
    /// `together REF, REF`
    Together(Vec<Reference>),
    /// `apart REF, REF`
    Apart(Apart),
    /// `keepout (column, row) to (column, row)`
    KeepOut(Area),
    /// `for NAME in a..b { ... }`, around connections and placement constraints.
    For(For),
    /// `if EXPR { ... } else { ... }`
    If(Choice<Item>),
    /// `assert EXPR "message"`
    Assert(Assertion),
    /// `allow "SLUG" because "reason"`
    Allow(Allow),
}

/// A component: a part of a design with ports, which may be there several times.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Component {
    /// The name that the component declares.
    pub name: Ident,
    /// Constants that each instance may set, with their defaults.
    pub constants: Vec<Setting>,
    /// Its ports in declaration order.
    pub ports: Vec<Port>,
    /// Declarations and statements of its body, in source order.
    pub body: Block<Item>,
}

/// `NAME = EXPR`: a constant of a component, or its value in an instance.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Setting {
    /// The constant that is set.
    pub name: Ident,
    /// The expression behind `=`.
    pub value: Expr,
}

/// One or more instances of a component.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Instantiation {
    /// The name of the instances.
    pub name: Ident,
    /// Extents: empty for a single instance, up to three.
    pub dims: Vec<Dim>,
    /// The name of the component.
    pub component: Ident,
    /// Values of the component's constants, where they differ from the defaults.
    pub constants: Vec<Setting>,
    /// The name in the graph that a design with `ports own` describes, as written behind `called`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub called: Option<Ident>,
}

/// The value of a constant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Constant {
    /// `EXPR`: one number.
    Number(Expr),
    /// `[EXPR, EXPR, ...]`: a table of numbers.
    Table(Vec<Expr>),
    /// `from "FILE"`: a table of the numbers of a text file, relative to the design file.
    File(Spanned<String>),
}

/// A loop over connections and placement constraints.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct For {
    /// The name that the body uses for the value.
    pub variable: Ident,
    /// The first value of the variable.
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
    /// The expression behind `if`.
    pub condition: Expr,
    /// The items that are there if the condition holds.
    pub block: Block<T>,
}

/// Items between two braces.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Block<T> {
    /// What stands between the braces.
    pub items: Vec<T>,
    /// From brace to brace.
    #[serde(skip)]
    pub span: Span,
}

/// A warning that the design does not want.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Allow {
    /// The slug of the diagnostic, such as `check/may-hang`.
    pub slug: Spanned<String>,
    /// Why the warning does not matter here.
    pub reason: Spanned<String>,
}

/// A condition that must hold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Assertion {
    /// The condition: 0 means that it does not hold.
    pub condition: Expr,
    /// What the user reads if it does not.
    pub message: Spanned<String>,
}
