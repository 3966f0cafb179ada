//! The data of a page, field by field as its script reads them. `docs/view.md` describes them.

use aiec_codegen::report::Report;
use aiec_device::Tile;
use aiec_draw::RoutingPlan;
use serde::Serialize;

/// Everything that a page shows.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct View<'a> {
    /// Always `aiec-view`.
    pub format: &'static str,
    /// Number of the format: additions keep it, anything else raises it.
    pub version: u32,
    /// The name in the `design` line.
    pub name: &'a str,
    /// The name of the device of the design.
    pub device: &'a str,
    /// Diagnostics as the command line prints them. Empty without any.
    pub messages: &'a str,
    /// Kernels, inputs, outputs and connections.
    pub graph: Graph<'a>,
    /// Collectives in the order of the design.
    pub groups: Vec<Group<'a>>,
    /// Where they lie. None when there is no placement.
    pub positions: Option<Positions>,
    /// The data of `aiec route --json`: floorplan, nets, loads and cuts. None when there is no
    /// placement.
    pub routing: Option<&'a RoutingPlan>,
    /// The data of `aiec report --json`. None when there are no routes.
    pub report: Option<&'a Report>,
    /// A run of the event model. None when there are no routes.
    pub run: Option<Run<'a>>,
}

/// The design as a graph, drawn in layers from left to right.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Graph<'a> {
    /// Kernels in the order of the design, then inputs and outputs.
    pub nodes: Vec<Node<'a>>,
    /// Connections in the order of the design, then cascades of collectives.
    pub edges: Vec<Edge>,
    /// Width and height of the picture in pixels.
    pub size: [f64; 2],
    /// Width and height of a node in pixels.
    pub node: [f64; 2],
}

/// A kernel, input or output.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Node<'a> {
    /// Its name in the design.
    pub name: &'a str,
    /// Whether it is a kernel, an input or an output.
    pub kind: NodeKind,
    /// The declaration that a kernel is an instance of. `plio` or `gmio` for the others.
    pub family: &'a str,
    /// The C++ source of a kernel. Empty for the others.
    pub source: &'a str,
    /// Its centre in the picture of the graph, in pixels from the upper left.
    pub at: [f64; 2],
}

/// What a node stands for. The page gives each its shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum NodeKind {
    /// An instance of a family of kernels.
    Kernel,
    /// An input of the array.
    Input,
    /// An output of the array.
    Output,
}

/// A connection between two nodes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Edge {
    /// The producing node, by position.
    pub from: u32,
    /// The consuming node, by position in the nodes.
    pub to: u32,
    /// Its two ports. The names of the nodes for a cascade of a collective.
    pub ports: [String; 2],
    /// What it carries, as designs write it.
    pub carries: String,
    /// Its collective, by position.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<u32>,
    /// Places between its ends, where it crosses layers.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub bends: Vec<[f64; 2]>,
}

/// A collective, with its nodes by level.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Group<'a> {
    /// Its name in the design.
    pub name: &'a str,
    /// Its operation and its shape.
    pub what: String,
    /// The nodes of each level, the root first. A shape without a tree has one level.
    pub levels: Vec<Vec<u32>>,
}

/// Where everything lies on the array.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Positions {
    /// Size of the array, and of its modules.
    pub array: Array,
    /// The tile of each kernel.
    pub tiles: Vec<Tile>,
    /// The column of each input and output.
    pub shims: Vec<u16>,
    /// Buffers, stacks, selector words and FIFOs.
    pub blocks: Vec<Block>,
    /// The nets of each connection in order, by position in the nets of the routing, each with the
    /// position of the sink. Empty when the connection is through shared memory; several when it
    /// passes FIFOs with places.
    pub nets_of: Vec<Vec<(u32, u32)>>,
}

/// The array that a design is placed on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Array {
    /// Number of columns of tiles.
    pub columns: u16,
    /// Number of core rows.
    pub rows: u16,
    /// The row of switches of core row 0; row 0 of switches is the interface row.
    pub first_row: u16,
    /// Bytes of a memory module.
    pub module_bytes: u32,
    /// Banks of a memory module.
    pub banks: u32,
}

/// A buffer, stack, selector word or FIFO.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Block {
    /// The tile of its module.
    pub at: Tile,
    /// Offset in the module, in bytes.
    pub offset: u32,
    /// Its size in bytes.
    pub bytes: u64,
    /// What it holds, in words.
    pub what: String,
    /// The kernel that owns it, by position. None when it is a FIFO.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kernel: Option<u32>,
    /// The connections through it, by position.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub edges: Vec<u32>,
}

/// What kernels and nets did in a run of the event model. Times are array cycles.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Run<'a> {
    /// The last time that is shown.
    pub end: f64,
    /// False if the run went on. A page holds a limited number of slices.
    pub complete: bool,
    /// What kernels do, by position.
    pub whats: Vec<What<'a>>,
    /// The slices of each kernel, by begin.
    pub kernels: Vec<Vec<Slice>>,
    /// What each net carried.
    pub nets: Vec<NetTrack>,
}

/// A thing that a kernel does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct What<'a> {
    /// As in the trace.
    pub name: &'a str,
    /// True if the kernel waits.
    pub waits: bool,
}

/// Begin, duration, and the position of what is done.
pub type Slice = (f64, f64, u32);

/// What a net carried.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NetTrack {
    /// Its connections, by position.
    pub edges: Vec<u32>,
    /// Begin and duration of each block.
    pub slices: Vec<(f64, f64)>,
}
