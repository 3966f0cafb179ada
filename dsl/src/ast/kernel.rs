//! Kernel families: extents, ports and properties.

use aiec_diag::{Span, Spanned};
use serde::Serialize;

use super::{Choice, Expr, Ident};

/// A `kernel`: the declaration of a kernel family.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Kernel {
    /// The name that the family declares.
    pub name: Ident,
    /// Extents: empty for a single kernel, up to three.
    pub dims: Vec<Dim>,
    /// User ports in declaration order.
    pub ports: Vec<Port>,
    /// The name in the graph that a design with `ports own` describes, as written behind `called`:
    /// of the array, or one for each kernel. Empty when the graph has the name of the family.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub called: Vec<Ident>,
    /// Properties in source order.
    pub properties: Vec<Spanned<KernelProperty>>,
    /// The braces with all between them.
    #[serde(skip)]
    pub body: Span,
}

impl Kernel {
    /// The names of its indices, one for each extent; those without a name are None.
    pub fn indices(&self) -> impl Iterator<Item = Option<&Ident>> {
        self.dims.iter().map(|dim| dim.index.as_ref())
    }

    /// The properties under no condition and under any, in source order.
    pub fn all_properties(&self) -> Vec<&Spanned<KernelProperty>> {
        let mut found = Vec::new();
        let mut pending: Vec<&Spanned<KernelProperty>> = self.properties.iter().rev().collect();
        while let Some(property) = pending.pop() {
            match &property.value {
                KernelProperty::If(choice) => {
                    let branches = choice.branches.iter().map(|branch| &branch.block);
                    let items = branches.chain(&choice.otherwise).flat_map(|block| &block.items);
                    let items: Vec<_> = items.collect();
                    pending.extend(items.into_iter().rev());
                }
                _ => found.push(property),
            }
        }
        found
    }
}

/// One extent of a kernel family: `[13]` or `[r: 13]`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Dim {
    /// The name of the index in this dimension, if it has one.
    pub index: Option<Ident>,
    /// The number of instances in this dimension.
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
    /// `repetitions EXPR`: runs in one iteration of the graph.
    Repetitions(Expr),
    /// `cycles EXPR`: array cycles of one run, without its waits.
    Cycles(Expr),
    /// `function NAME` or `function NAMESPACE::NAME`: the C++ function or class, if it is not
    /// called like the family.
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
    /// The name of the port or the array.
    pub name: Ident,
    /// Number of ports, for an array of ports.
    pub extent: Option<Expr>,
    /// The type behind the colon: what each port carries.
    pub carries: PortType,
    /// Source location of the whole port.
    #[serde(skip)]
    pub span: Span,
}

/// The way of the data, as the kernel sees it.
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
        /// Type and number of the elements.
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
        /// Type and number of the elements.
        values: Flow,
        /// True with `async` behind it, false with `sync`. None when the direction decides.
        asynchronous: Option<bool>,
    },
}

/// A number of elements, or of bytes with a unit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Size {
    /// The number, in elements or in the unit.
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
    /// Source location of the whole type.
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
    /// Source location of the whole type.
    #[serde(skip)]
    pub span: Span,
}

/// A size in bytes: an expression with a unit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Bytes {
    /// The number before the unit.
    pub amount: Expr,
    /// What the number counts.
    pub unit: Unit,
    /// Source location of number and unit.
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
