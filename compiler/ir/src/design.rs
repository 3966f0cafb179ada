//! The design as written, with names and constants resolved. It holds families; expansion makes the
//! instances.

mod collectives;
mod instance;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use aiec_device::{Board, Release};
use aiec_diag::{Code, Span, Spanned};
use petgraph::graph::{DiGraph, NodeIndex};

use crate::blocks::Blocks;
use crate::carries::{Carries, CascadeType};
use crate::constraints::{Constraints, ShimPlace, ShimTie};
use crate::decimal::Decimal;
use crate::ids::{CollectiveId, ExternalFamilyId, FamilyId, IdVec, SubgraphId};
use aiec_collectives::{Direction, ElementType, PortKind};

pub use self::collectives::{CYCLES_ELEMENT, Collective, Details, Open, Partner, Strided};
pub use self::instance::Instance;
pub use crate::decimal::Decimals;
pub use crate::links::{Link, Node, Selection};

/// The values of a design's own `vitis` and `board` lines. The command line overrides them. An ADF
/// graph has no such lines; its release is that of the command line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// The release. None when there is no `vitis` line, or no `--vitis` for an ADF graph.
    pub release: Option<&'static Release>,
    /// Source location of the `vitis` line. None without one, and for an ADF graph.
    pub vitis: Option<Span>,
    /// The board. None when there is no `board` line.
    pub board: Option<Spanned<Board>>,
    /// The word behind `ports`. None when there is no `ports` line.
    pub ports: Option<Span>,
    /// The graph object that a design with `ports own` describes: `ports own "top"`. Hierarchical
    /// names begin with it.
    pub object: Option<String>,
    /// Members of that graph that are kernels, such as `bank.k[0]`, by the kernels' names, where
    /// the two differ.
    pub called: BTreeMap<String, String>,
}

/// The language that a design is written in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    /// That of aiec: the design states all that a project needs.
    #[default]
    Aiec,
    /// C++: an ADF graph, or a design with `ports own`, which describes one. Amounts of streams,
    /// runs and values of parameters are known to its kernels and its host program alone.
    Adf,
}

/// A design: the graph of kernel families, collectives, inputs and outputs.
///
/// Invariants: every id and port index is in range. Every selection names existing instances, at
/// most [`Design::MAX_INSTANCES`] of them. Sizes and extents are at least 1. Names are unique C++
/// identifiers, except in ADF graphs, where a family may be one element of an array, such as
/// `k[2]`. Types and directions of connections are resolved: every link goes from a producing
/// to a consuming port. Names of what belongs to an instance of a component begin with the
/// instance's name, as in `bank[2].mac`.
#[derive(Clone, Debug)]
pub struct Design {
    /// The design's name, which becomes the graph class.
    pub name: Spanned<String>,
    /// The name in the `device` line, which may be unknown.
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
    /// Runs of the graph, at least 1. An ADF graph leaves it to its host program: 1.
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
    /// Kernel families, in declaration order.
    pub families: IdVec<FamilyId, Family>,
    /// Declarations of inputs and outputs, in their order.
    pub externals: IdVec<ExternalFamilyId, ExternalFamily>,
    /// Every `reduce` and the like, in order of declaration.
    pub collectives: IdVec<CollectiveId, Collective>,
    /// Kernels that a `place` puts on tiles.
    pub places: Vec<Place>,
    /// All other placement constraints.
    pub constraints: Constraints<Instance>,
    /// Constraints on buffers and stacks. A port is an instance and the index of its family's port.
    pub blocks: Blocks<Instance, (Instance, u32)>,
    /// Inputs and outputs in columns of the interface row: the declaration and the instance.
    pub shims: Vec<ShimPlace<(ExternalFamilyId, u32)>>,
    /// Inputs and outputs whose columns follow from those of kernels.
    pub shim_ties: Vec<ShimTie<(ExternalFamilyId, u32), Instance>>,
    /// Inputs and outputs whose columns follow from those of other inputs and outputs.
    pub shim_links: Vec<ShimTie<(ExternalFamilyId, u32), (ExternalFamilyId, u32)>>,
    /// Instances of components, each after the one it lies in.
    pub subgraphs: IdVec<SubgraphId, Subgraph>,
    /// Warnings that the design does not want.
    pub allowances: Vec<Allowance>,
    /// Families, collectives, inputs and outputs as nodes, connections between them as edges. An
    /// edge joins the first nodes of its link.
    pub graph: DiGraph<Node, Link>,
}

/// A warning or note that the design does not want: no stage gives it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Allowance {
    /// The catalogue entry, no error, with the place of its slug.
    pub code: Spanned<&'static Code>,
    /// Source location of the whole `allow`.
    pub span: Span,
    /// Why it does not matter in this design.
    pub reason: String,
    /// True if the checks must find a reason for it. False where a component is checked by itself.
    pub is_expected: bool,
}

impl Design {
    /// Limit on kernel instances, inputs and outputs of a design; far more than any array holds.
    pub const MAX_INSTANCES: u64 = 16_384;
    /// Limit on point-to-point connections of a design.
    pub const MAX_CONNECTIONS: u64 = 65_536;
    /// Limit on the pairs of kernels of all `together` and `apart`: three times the pairs of all
    /// kernels of a full array.
    pub const MAX_PAIRS: u64 = 262_144;
    /// Limit on the numbers of one constant table. A core's data memory holds fewer.
    pub const MAX_TABLE: usize = 65_536;
    /// Limit on instances of components. A component without a kernel is of no use, and the largest
    /// array has 400 cores.
    pub const MAX_SUBGRAPHS: u64 = 4_096;

    /// Makes the graph: families, inputs and outputs, collectives, and the links between them.
    pub fn connect(&mut self, links: Vec<Link>) {
        let mut graph = DiGraph::new();
        let nodes = self.families.ids().map(Node::Family);
        let nodes = nodes.chain(self.externals.ids().map(Node::External));
        for node in nodes.chain(self.collectives.ids().map(Node::Collective)) {
            graph.add_node(node);
        }
        let index = |node: Node| {
            NodeIndex::new(match node {
                Node::Family(id) => id.index(),
                Node::External(id) => self.families.len() + id.index(),
                Node::Collective(id) => self.families.len() + self.externals.len() + id.index(),
            })
        };
        for link in links {
            let first = |ends: &[Selection]| ends.first().map(|end| index(end.node));
            if let (Some(from), Some(to)) = (first(&link.from), first(&link.to)) {
                graph.add_edge(from, to, link);
            }
        }
        self.graph = graph;
    }
}

/// An instance of a component: a sub-graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subgraph {
    /// The whole name, such as `bank[2]` or `left.bank[2]`.
    pub name: String,
    /// The name of the component that it instantiates.
    pub component: String,
    /// The component's constants with their values, in declaration order.
    pub constants: Vec<(String, i64)>,
    /// Its ports; those of an array of ports are several. A graph of an ADF project
    /// has those at which the kernels inside have one type.
    pub ports: Vec<UserPort>,
    /// The instance that it lies in. None when it is one of the design itself.
    pub parent: Option<SubgraphId>,
    /// The families that the component declares.
    pub families: Vec<FamilyId>,
    /// The collectives that the component declares.
    pub collectives: Vec<CollectiveId>,
    /// Source location of the declaration of the instance.
    pub span: Span,
    /// Source location of the `place` that gives it a tile. None without one.
    pub placed: Option<Span>,
}

/// The name within its component: without the instances in front.
pub fn local_name(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}

/// A name as a C++ identifier, such as `bank_2_mac` for `bank[2].mac`.
pub fn identifier(name: &str) -> String {
    name.replace(['[', '.'], "_").replace(']', "")
}

/// The namespaces around a C++ function or class, empty if there are none, and its own name: `a::b`
/// and `f` for `a::b::f`.
pub fn scoped(function: &str) -> (&str, &str) {
    function.rsplit_once("::").unwrap_or(("", function))
}

/// True if `name` is one name of C++, without scopes and arguments.
pub fn is_identifier(name: &str) -> bool {
    !name.is_empty()
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
        && !name.starts_with(|c: char| c.is_ascii_digit())
}

/// True if `function` is a name of C++, possibly in namespaces, without arguments.
pub fn is_code_name(function: &str) -> bool {
    function.split("::").all(is_identifier)
}

/// A kernel declaration: one kernel or an array of kernels.
#[derive(Clone, Debug)]
pub struct Family {
    /// The name of the family.
    pub name: String,
    /// Extents: empty for a single kernel, else one to three.
    pub dims: Vec<u32>,
    /// User ports in declaration order.
    pub ports: Vec<UserPort>,
    /// The C++ and the memory of the instances: one for all of them, or one for each.
    pub bodies: Vec<Body>,
    /// Source location of the declaration's first words.
    pub span: Span,
}

/// The C++ and the memory of a kernel: its properties, with conditions and expressions resolved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Body {
    /// The C++ function or, with `arguments`, the class, with the namespaces around it.
    pub function: String,
    /// C++ source, relative to the design file. Empty for [kernels outside](Family::is_outside).
    pub source: Spanned<String>,
    /// The header that declares the function or class, relative to the design file. None when the
    /// generated code declares the function.
    pub header: Option<Spanned<String>>,
    /// Arguments of the template. Empty for what is no template.
    pub template: Vec<Argument>,
    /// Arguments of the constructor. None when the kernel is a function.
    pub arguments: Option<Vec<Argument>>,
    /// The function that runs once before the first run of the kernel, with its namespaces.
    pub init: Option<Spanned<String>>,
    /// Bytes of stack. None when the device's default holds.
    pub stack: Option<Spanned<u32>>,
    /// Bytes of heap. None when the device's default holds.
    pub heap: Option<Spanned<u32>>,
    /// Share of a core's time in 1/1000, at most 1000. None when the kernel has a core of its own.
    pub runtime: Option<Spanned<u32>>,
    /// Bytes of program memory. None when the design does not state it.
    pub program: Option<Spanned<u32>>,
    /// Runs in one iteration of the graph (`repetition_count`, UG1079). None when the amounts of
    /// its connections decide.
    pub repetitions: Option<Spanned<u32>>,
    /// Array cycles of one run beside its waits for windows and streams, and beside its
    /// collectives. None when the design does not state it.
    pub cycles: Option<Spanned<u32>>,
}

impl Body {
    /// The function `function` of a source, without any other property.
    pub const fn of(function: String, source: Spanned<String>) -> Self {
        Self {
            function,
            source,
            header: None,
            template: Vec::new(),
            arguments: None,
            init: None,
            stack: None,
            heap: None,
            runtime: None,
            program: None,
            repetitions: None,
            cycles: None,
        }
    }

    /// Bytes of each table that the constructor of the class takes, in the order of its parameters:
    /// `param[0]`, `param[1]`, ...
    pub fn tables(&self) -> impl Iterator<Item = u32> {
        self.arguments.iter().flatten().filter_map(Argument::table_bytes)
    }
}

/// An argument of a template or a constructor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Argument {
    /// A type that a port may carry; of templates only.
    Type(CascadeType),
    /// A constant.
    Number {
        /// The value of the constant.
        value: i64,
        /// The type that it is converted to. None when it is an `int`, or a `long long` if it needs
        /// one.
        class: Option<ElementType>,
    },
    /// All numbers of a constant table; of constructors only.
    Table {
        /// The numbers of the table, in order.
        values: Arc<[i64]>,
        /// The type that the numbers are converted to.
        class: ElementType,
    },
    /// Numbers with a point, of type `float`; of constructors only.
    Decimals(Decimals),
}

impl Argument {
    /// The numbers of a table and their type. Returns None when the argument is no table.
    pub fn table(&self) -> Option<(usize, ElementType)> {
        match self {
            Self::Table { values, class } => Some((values.len(), *class)),
            Self::Decimals(Decimals::Table(values)) => Some((values.len(), ElementType::Float)),
            Self::Type(_) | Self::Number { .. } | Self::Decimals(Decimals::One(_)) => None,
        }
    }

    /// Bytes of a table. Returns None when the argument is no table.
    fn table_bytes(&self) -> Option<u32> {
        let (numbers, class) = self.table()?;
        Some(u32::try_from(numbers).unwrap_or(u32::MAX).saturating_mul(class.bytes()))
    }
}

impl std::fmt::Display for Argument {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Type(class) => f.write_str(class.name()),
            Self::Number { value, class: None } => write!(f, "{value}"),
            Self::Number { value, class: Some(class) } => write!(f, "{value} as {class}"),
            Self::Table { values, class } => {
                let numbers: Vec<String> = values.iter().map(ToString::to_string).collect();
                write!(f, "[{}] as {class}", numbers.join(", "))
            }
            Self::Decimals(Decimals::One(value)) => write!(f, "{value} as float"),
            Self::Decimals(Decimals::Table(values)) => {
                let numbers: Vec<String> = values.iter().map(ToString::to_string).collect();
                write!(f, "[{}] as float", numbers.join(", "))
            }
        }
    }
}

impl Family {
    /// The name as the design or component declares it, without instances of components.
    pub fn local(&self) -> &str {
        local_name(&self.name)
    }

    /// True for the kernel at the outer end of a cascade of a component that is checked by itself.
    /// It has no source.
    pub fn is_outside(&self) -> bool {
        self.bodies.iter().all(|body| body.source.value.is_empty())
    }

    /// The instance of a component that it belongs to, such as `left.bank[2]`. Returns None when it
    /// is one of the design itself.
    pub fn instance(&self) -> Option<&str> {
        self.name.rsplit_once('.').map(|(instance, _)| instance)
    }

    /// The name as a C++ identifier.
    pub fn identifier(&self) -> String {
        identifier(&self.name)
    }

    /// The C++ and the memory of instance `index`.
    pub fn body(&self, index: u32) -> &Body {
        &self.bodies[if self.bodies.len() == 1 { 0 } else { index as usize }]
    }

    /// Number of instances: the product of the extents.
    pub fn instances(&self) -> u32 {
        self.dims.iter().product()
    }

    /// The indices of instance `index` (row-major): one for each extent.
    pub fn position(&self, index: u32) -> Vec<u32> {
        position(&self.dims, index)
    }

    /// The name of instance `index` (row-major over the extents): `worker[3]` or `pe[1][2]`.
    pub fn instance_name(&self, index: u32) -> String {
        instance_name(&self.name, &self.dims, index)
    }
}

/// The port of a kernel for table `number` of its source or of its constructor, as the vendor's
/// tools call it.
pub fn table_port(number: u32) -> String {
    format!("param[{number}]")
}

/// The name of instance `index` (row-major) of a family with the extents `dims`.
pub(crate) fn instance_name(name: &str, dims: &[u32], index: u32) -> String {
    position(dims, index).iter().fold(name.to_owned(), |name, at| format!("{name}[{at}]"))
}

/// The indices of instance `index` (row-major) of a family with the extents `dims`.
pub fn position(dims: &[u32], index: u32) -> Vec<u32> {
    let mut rest = index;
    let mut indices: Vec<u32> = dims
        .iter()
        .rev()
        .map(|&extent| {
            let at = rest % extent.max(1);
            rest /= extent.max(1);
            at
        })
        .collect();
    indices.reverse();
    indices
}

/// A port of a kernel family that the user declared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserPort {
    /// The name of the port, such as `x`, or `x[2]` in an array of ports.
    pub name: String,
    /// Direction, seen from the kernel.
    pub direction: Direction,
    /// The data of the port: a window, a stream, a cascade or a parameter.
    pub carries: Carries,
    /// True for a parameter whose kernel does not wait for a new value.
    pub asynchronous: bool,
    /// True for a parameter whose declaration says whether it is asynchronous. Between kernels a
    /// parameter that does not say passes as its other end does.
    pub says_how: bool,
    /// Source locations of its type.
    pub written: WrittenType,
    /// Source location of the declaration's first words.
    pub span: Span,
}

/// Where the parts of a port's type stand, for remedies that rewrite one of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WrittenType {
    /// The element type, or that of a cascade. None in ADF graphs.
    pub element: Option<Span>,
    /// The number of elements. None when there is none, or when it is an expression or counts
    /// bytes.
    pub elements: Option<Span>,
}

/// A declared input or output of the array.
#[derive(Clone, Debug)]
pub struct ExternalFamily {
    /// The name of the port; also its PLIO or GMIO name.
    pub name: String,
    /// Extent: empty for a single port, else one.
    pub dims: Vec<u32>,
    /// `Out` for an input of the array (it produces), `In` for an output.
    pub direction: Direction,
    /// The far end: PLIO, GMIO or the host.
    pub end: FarEnd,
    /// The file of the data that an output is expected to get, relative to the design; `{}` stands
    /// for the instance's index.
    pub golden: Option<Spanned<String>>,
    /// The names of the instances for the vendor's tools, as an ADF graph gives them to `create`;
    /// an empty one is unknown. Without any, their identifiers serve.
    pub logical: Vec<String>,
    /// Source location of the whole declaration, if the text mentions the name nowhere else, even
    /// where a condition does not hold. None otherwise, and in ADF graphs.
    pub alone: Option<Span>,
    /// Source location of the declaration's first words.
    pub span: Span,
}

impl UserPort {
    /// The declared name: without the index in an array of ports.
    pub fn declared_name(&self) -> &str {
        self.name.split('[').next().unwrap_or(&self.name)
    }

    /// True for a port of an array of ports.
    pub fn is_of_array(&self) -> bool {
        self.name != self.declared_name()
    }

    /// The name of the C++ parameter, such as `x`, or `x_2` in an array of ports.
    pub fn identifier(&self) -> String {
        port_identifier(&self.name)
    }
}

/// The name of the C++ parameter of a port, such as `x_2` for `x[2]`.
pub(crate) fn port_identifier(name: &str) -> String {
    name.replace('[', "_").replace(']', "")
}

impl ExternalFamily {
    /// Number of instances: the extent, or 1.
    pub fn instances(&self) -> u32 {
        self.dims.iter().product()
    }

    /// The name of instance `index`, such as `samples[3]`.
    pub fn instance_name(&self, index: u32) -> String {
        instance_name(&self.name, &self.dims, index)
    }
}

/// A port of the interface row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Endpoint {
    /// Programmable logic.
    Plio {
        /// Width in bits. The checks before placement compare it with the widths of the device.
        bits: Spanned<u32>,
        /// Data file of the simulators, relative to the design; `{}` stands for the instance's
        /// index.
        file: String,
        /// Clock of the port's data in kHz. None when the default of the tools holds.
        frequency: Option<Spanned<u32>>,
    },
    /// Global memory through the NoC.
    Gmio {
        /// Data file: read for an input, written by a simulation for an output.
        file: Option<String>,
        /// Bytes of a burst. None when the shortest one of the device holds.
        burst: Option<Spanned<u32>>,
        /// Bandwidth in MB/s that the tools reserve. None when aiec's default holds.
        bandwidth: Option<Spanned<u32>>,
    },
}

impl Endpoint {
    /// A GMIO port without file, with the burst and the bandwidth that aiec chooses.
    pub const GMIO: Self = Self::Gmio { file: None, burst: None, bandwidth: None };
}

/// The values of a run-time parameter at the host.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HostValues {
    /// Values before the first run: none, or one for each value of the parameter.
    pub initial: Vec<Decimal>,
    /// Data file: values for each run of an input, or where a simulation writes an output.
    pub file: Option<String>,
}

/// Where the data of a declared input or output comes from or goes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FarEnd {
    /// A port of the interface row.
    Array(Endpoint),
    /// The host program: a run-time parameter.
    Host(HostValues),
}

/// A `place`: puts one kernel on a tile. The tile may lie outside the array (checked later).
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// The kernel that is placed.
    pub instance: Instance,
    /// The column as written.
    pub column: i64,
    /// The core row as written.
    pub row: i64,
    /// Source location of the `place`.
    pub span: Span,
}
