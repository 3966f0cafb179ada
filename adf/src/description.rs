//! What the constructors of an ADF graph created, connected and constrained, in the vendor's words.
//!
//! Everything stands as the graph says it: nothing is checked, no default is filled in, and
//! connections end at the ports that the `connect` statements name, those of graphs among them.
//! Lists are in the order of the statements. Sizes are in the unit of the vendor's call.

use std::collections::{BTreeMap, BTreeSet};

use aiec_collectives::{Direction, ElementType};
use aiec_diag::Span;

/// A graph after its constructors.
#[derive(Clone, Debug, Default)]
pub struct Description {
    /// Graphs and sub-graphs in order of construction: a graph comes before what lies in it.
    pub graphs: Vec<Graph>,
    /// Kernels in order of creation.
    pub kernels: Vec<Kernel>,
    /// PLIO and GMIO in order of creation.
    pub externals: Vec<External>,
    /// Splits and merges of packets in order of creation.
    pub switches: Vec<Switch>,
    /// Every port. Other tables refer to it by index.
    pub ports: Vec<Port>,
    /// Connections between ports of all graphs: the `connect` statements.
    pub connections: Vec<Connection>,
    /// Where statements `location<...>(x) = ...` put objects.
    pub locations: Vec<Location>,
    /// `not_equal(location<...>(a), location<...>(b))`
    pub not_equal: Vec<NotEqual>,
    /// Tiles that a constraints file closes: an area group that excludes everything.
    pub keepouts: Vec<Keepout>,
    /// What area groups mean for everything else.
    pub rules: Vec<AreaRules>,
    /// `connect<>(parameter::array(table), k)`
    pub tables: Vec<Table>,
    /// Member paths that no constructor of the global graph's class can write, such as `g.left.k`,
    /// each with the reason.
    pub hidden: BTreeMap<String, String>,
    /// Member paths of tuples, such as `g.lanes`. The path of an element is `g.lanes[3]`.
    pub tuples: BTreeSet<String>,
}

impl Description {
    /// True if an input or output is a PLIO. False without such an entry.
    pub fn is_plio(&self, external: ExternalIndex) -> bool {
        let external = self.externals.get(external.0 as usize);
        external.is_some_and(|one| matches!(one.kind, ExternalKind::Plio { .. }))
    }
}

/// Index of a port in [`Description::ports`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PortIndex(pub u32);

/// Index of a kernel in [`Description::kernels`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KernelIndex(pub u32);

/// Index of a PLIO or GMIO in [`Description::externals`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ExternalIndex(pub u32);

/// Index of a split or merge in [`Description::switches`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SwitchIndex(pub u32);

/// Index of a connection in [`Description::connections`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ConnectionIndex(pub u32);

/// Index of a graph in [`Description::graphs`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GraphIndex(pub u32);

/// Where a statement stands in the user's sources.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    /// The innermost line outside the vendor's and aiec's headers.
    pub span: Span,
    /// The calls that led there, the innermost first, without the line of `span` itself.
    pub calls: Vec<Call>,
}

/// A call on the way from the global graph object to a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The called function, such as `Column<6>::Column`.
    pub function: String,
    /// The line of the call. None when the line is outside the sources of the user.
    pub span: Option<Span>,
}

/// A graph or sub-graph.
#[derive(Clone, Debug)]
pub struct Graph {
    /// The member path from the global object, such as `g.left.first`. None when it is outside
    /// global objects.
    pub path: Option<String>,
    /// The class, such as `Pair<6, 1>`.
    pub class: String,
    /// The graph it is a member of. None when it is a global object.
    pub parent: Option<GraphIndex>,
    /// The global object, or the member in the class of its parent.
    pub site: Option<Site>,
}

/// A kernel that a constructor created.
#[derive(Clone, Debug)]
pub struct Kernel {
    /// The member path, such as `g.left.first.k[0]`. None when the kernel is outside global
    /// objects.
    pub path: Option<String>,
    /// The innermost graph in whose constructor it was created.
    pub graph: Option<GraphIndex>,
    /// The C++ function without arguments of templates, such as `stage` or `ns::stage`, or the
    /// class.
    pub function: String,
    /// Arguments of the template as C++ text, such as `int32`, `128`, `false`.
    pub template: Vec<String>,
    /// True for `create_object`: `function` is a class.
    pub is_class: bool,
    /// The arguments of the constructor of a class as C++ text. None when one has no text.
    pub arguments: Option<Vec<String>>,
    /// `source(k)`, as written. Empty when the graph states none.
    pub source: String,
    /// Headers that `headers(k)` lists, as written.
    pub headers: Vec<String>,
    /// The function that `initialization_function(k)` names.
    pub init: Option<String>,
    /// `runtime<ratio>(k)`. None when the graph states none.
    pub runtime: Option<f64>,
    /// `stack_size(k)` in bytes.
    pub stack: Option<u64>,
    /// `heap_size(k)` in bytes.
    pub heap: Option<u64>,
    /// Runs in one iteration of the graph: `repetition_count(k)`.
    pub repetitions: Option<u64>,
    /// Its ports in the order of the C++ parameters.
    pub ports: Vec<PortIndex>,
    /// The statement that created it.
    pub site: Option<Site>,
    /// The statements that set its properties.
    pub sites: KernelSites,
}

/// The statements that set the properties of a kernel. Each is None when no statement sets the
/// property.
#[derive(Clone, Debug, Default)]
pub struct KernelSites {
    /// The statement `source(k)`.
    pub source: Option<Site>,
    /// The statement `runtime<ratio>(k)`.
    pub runtime: Option<Site>,
    /// The statement `stack_size(k)`.
    pub stack: Option<Site>,
    /// The statement `heap_size(k)`.
    pub heap: Option<Site>,
    /// The statement `repetition_count(k)`.
    pub repetitions: Option<Site>,
}

/// A PLIO or GMIO.
#[derive(Clone, Debug)]
pub struct External {
    /// The member path, such as `g.in[0]`. None when the object is outside global objects.
    pub path: Option<String>,
    /// The name for the tools, such as `In0`. Empty when the graph states none.
    pub logical: String,
    /// Its far end: PLIO or GMIO, with their properties.
    pub kind: ExternalKind,
    /// `Out` for an input of the array, `In` for an output.
    pub direction: Direction,
    /// What the graph connects.
    pub port: PortIndex,
    /// True for a port of a kernel in programmable logic (`fabric<pl>`).
    pub is_of_logic: bool,
    /// The statement that created it.
    pub site: Option<Site>,
}

/// The far end of a [`External`].
#[derive(Clone, Debug, PartialEq)]
pub enum ExternalKind {
    /// Programmable logic.
    Plio {
        /// Width in bits.
        bits: u32,
        /// Data file of the simulators. Empty when the graph states none.
        file: String,
        /// Clock in MHz. None when the graph states none.
        megahertz: Option<f64>,
    },
    /// Global memory.
    Gmio {
        /// Bytes of a burst.
        burst: u32,
        /// Bandwidth in MB/s.
        bandwidth: u64,
    },
}

/// A split or merge of packet streams.
#[derive(Clone, Debug)]
pub struct Switch {
    /// Split, merge or ordered merge.
    pub kind: SwitchKind,
    /// The one side: `in[0]` of a split, `out[0]` of a merge.
    pub trunk: PortIndex,
    /// The other side, in order of packet ids.
    pub branches: Vec<PortIndex>,
    /// The statement that created it.
    pub site: Option<Site>,
}

/// The statement that made a [`Switch`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SwitchKind {
    /// `pktsplit`
    Split,
    /// `pktmerge`
    Merge,
    /// `pktorderedmerge`
    OrderedMerge,
}

/// What has a port.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Owner {
    /// A kernel of the graph.
    Kernel(KernelIndex),
    /// A PLIO or GMIO.
    External(ExternalIndex),
    /// A split or merge.
    Switch(SwitchIndex),
    /// A graph: `port<input>`, `port<output>` or `port<inout>`.
    Graph,
}

/// A port of the graph or of one of its nodes.
#[derive(Clone, Debug)]
pub struct Port {
    /// The node or graph that has the port.
    pub owner: Owner,
    /// `In` or `Out`. A port of `inout` is `Out`, with `is_inout`.
    pub direction: Direction,
    /// True for a parameter that a kernel gives back by reference.
    pub is_inout: bool,
    /// Index among the ports of its direction, as in `k.in[index]`.
    pub index: u32,
    /// The member path of a port of a graph, such as `g.left.in`. None when the owner is no port of
    /// a graph.
    pub path: Option<String>,
    /// What the C++ parameter carries.
    pub carries: PortType,
    /// True if the kernel locks the buffer itself, or if `async` was called on a parameter.
    pub is_async: bool,
    /// True if `sync` was called on it.
    pub is_sync: bool,
    /// True after `single_buffer`.
    pub is_single: bool,
    /// True for the parameter `bp` of a bypass of the kernel, which its function does not have
    /// (UG1079, "Kernel Bypass").
    pub is_control: bool,
    /// True if a DMA moves its elements in an order of their own: `read_access`, `write_access`.
    pub is_patterned: bool,
    /// `async_repetition`: blocks in one run.
    pub async_repetitions: Option<u32>,
    /// Statements that set one of the above besides the parameter list.
    pub sites: Vec<Site>,
}

/// What the C++ parameter of a port carries. `None` elements are of types that no design has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PortType {
    /// Whatever is at the other end: PLIO, GMIO, splits, merges and ports of graphs.
    Open,
    /// A window or buffer.
    Block {
        /// Type of the elements.
        element: Option<ElementType>,
        /// Bytes without margin. None when only `connect` or the other end says it.
        bytes: Option<u64>,
        /// Bytes of margin besides `bytes`.
        margin: u64,
        /// True for a buffer (`adf::input_buffer`), false for a window.
        is_buffer: bool,
    },
    /// A stream of words.
    Stream {
        /// Type of the elements.
        element: Option<ElementType>,
    },
    /// Words behind headers with packet ids.
    Packets {
        /// Type of the elements.
        element: Option<ElementType>,
    },
    /// Accumulators or vectors from core to core.
    Cascade {
        /// The name of the type, such as `acc48` or `cint16`. None when the headers do not state
        /// it.
        lanes: Option<String>,
    },
    /// A run-time parameter.
    Parameter {
        /// Type of the values.
        element: Option<ElementType>,
        /// Number of values. None when it is a single value.
        elements: Option<u32>,
        /// `initial_value`, or the vectors of `kernel::create`: the bytes.
        initial: Option<Vec<u8>>,
    },
}

/// A `connect` statement between two ports.
#[derive(Clone, Debug)]
pub struct Connection {
    /// The producing port, by position in [`Description::ports`].
    pub from: PortIndex,
    /// The consuming port, by position in [`Description::ports`].
    pub to: PortIndex,
    /// What the statement says of the producing end.
    pub left: EndType,
    /// What the statement says of the consuming end.
    pub right: EndType,
    /// `fifo_depth(net)` in words.
    pub fifo: Option<u32>,
    /// The `connect` statement.
    pub site: Option<Site>,
    /// The statement that set the depth.
    pub fifo_site: Option<Site>,
}

/// What `connect<...>` says of one end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndType {
    /// Nothing: `connect<>`.
    Open,
    /// `window<BYTES, MARGIN>`
    Window {
        /// Bytes without margin.
        bytes: u64,
        /// Bytes of margin.
        margin: u64,
    },
    /// `stream`
    Stream,
    /// `pktstream`
    Packets,
    /// `cascade`
    Cascade,
    /// `parameter`
    Parameter,
}

/// The object of a `location<...>`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Subject {
    /// `location<kernel>(k)`
    Kernel(KernelIndex),
    /// `location<stack>(k)`
    Stack(KernelIndex),
    /// `location<parameter>(k.param[i])`: a table of the kernel by its number, or all of them:
    /// `location<parameter>(k)`
    Table(KernelIndex, Option<u32>),
    /// `location<buffer>(k.in[0])`, `location<parameter>(k.in[1])`
    Port(PortIndex),
    /// `location<PLIO>(x)`, `location<GMIO>(x)`
    External(ExternalIndex),
    /// `location<fifo>(net)`
    Fifo(ConnectionIndex),
    /// `location<dma>(x)`, `location<interconnect>(x)` of a kernel, port or switch
    Other,
    /// `location<graph>(g)`
    Graph(GraphIndex),
}

/// A `location<...>(subject) = places`.
#[derive(Clone, Debug)]
pub struct Location {
    /// What is placed: the argument of `location`.
    pub subject: Subject,
    /// The places: several for ping and pong, for parts of a FIFO, or for rectangles of an area.
    pub places: Vec<Place>,
    /// The statement that sets the location.
    pub site: Option<Site>,
}

/// A place. Columns and core rows count from 0.
#[derive(Clone, Debug, PartialEq)]
pub enum Place {
    /// `tile(column, row)`
    Tile {
        /// Counted from the west.
        column: i64,
        /// The core row, counted from the south.
        row: i64,
    },
    /// `bank(column, row, bank)`
    Bank {
        /// The column of the module.
        column: i64,
        /// The core row of the module.
        row: i64,
        /// Number in the module.
        bank: u32,
    },
    /// `address(column, row, offset)`
    Address {
        /// The column of the module.
        column: i64,
        /// The core row of the module.
        row: i64,
        /// Byte offset in the module.
        offset: u32,
    },
    /// `offset(value)`: any module
    Offset(u32),
    /// `shim(column)` and `shim(column, channel)`
    Shim {
        /// Counted from the west.
        column: i64,
        /// The channel, if stated.
        channel: Option<u32>,
    },
    /// `location<...>(other)`, or that plus `relative_offset`. An omitted offset may be anything.
    Relative {
        /// The object from which the offset counts.
        to: Subject,
        /// Columns to the east.
        columns: Option<i64>,
        /// Rows to the north.
        rows: Option<i64>,
    },
    /// A rectangle of `bounding_box` or `area_group`, corners included.
    Area {
        /// Its tiles, corners included.
        area: Rectangle,
        /// False for rectangles of the interface row or of memory tiles.
        is_cores: bool,
    },
    /// `dma_fifo(aie_tile, column, row, address, words)`. None when it has no arguments.
    DmaFifo(Option<DmaFifo>),
    /// `ss_fifo(aie_tile, column, row, id)`. None when it has no arguments.
    SwitchFifo(Option<SwitchFifo>),
    /// `dma_channel(aie_tile, column, row, channel)`
    DmaChannel {
        /// Counted from the west.
        column: i64,
        /// The core row of the tile with the DMA.
        row: i64,
        /// Number in its direction.
        channel: u32,
    },
}

/// A FIFO in the memory of a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DmaFifo {
    /// Counted from the west.
    pub column: i64,
    /// The core row. None when the tile is a memory tile.
    pub row: Option<i64>,
    /// Byte offset in the module.
    pub address: u32,
    /// Depth in words of 32 bits.
    pub words: u32,
}

/// A FIFO of a stream switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SwitchFifo {
    /// Counted from the west.
    pub column: i64,
    /// The core row. None when the tile is in the interface row.
    pub row: Option<i64>,
    /// The number of the FIFO in the switch.
    pub id: u32,
}

/// A rectangle of tiles, corners included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rectangle {
    /// The westernmost column.
    pub column: i64,
    /// The lowest row.
    pub row: i64,
    /// The easternmost column.
    pub last_column: i64,
    /// The highest row.
    pub last_row: i64,
}

/// A `not_equal`: the two lie on different tiles, or in different banks.
#[derive(Clone, Debug)]
pub struct NotEqual {
    /// The object of the first `location`.
    pub a: Subject,
    /// The object of the second `location`.
    pub b: Subject,
    /// The `not_equal` statement.
    pub site: Option<Site>,
}

/// A table that the source of a kernel defines and that a statement gives to it. The tables of one
/// kernel are its `param[0]`, `param[1]`, ... in the order of the statements.
#[derive(Clone, Debug)]
pub struct Table {
    /// Who reads it. A shared table is listed once for each reader.
    pub kernel: KernelIndex,
    /// The member path of the parameter object, such as `g.taps`. None when the object is no
    /// member.
    pub path: Option<String>,
    /// Size in bytes, as `sizeof` has it.
    pub bytes: u64,
    /// True if the kernel reads the memory of another kernel's table (`share_parameter`).
    pub is_shared: bool,
    /// False for the array of a constructor whose class does not register a member for it
    /// (`REGISTER_PARAMETER`, UG1079, "C++ Kernel Class Support"): the graph has no name for it.
    pub is_registered: bool,
    /// The statement that gives the table to the kernel.
    pub site: Option<Site>,
}

/// Tiles on which nothing is placed.
#[derive(Clone, Debug)]
pub struct Keepout {
    /// The closed tiles.
    pub area: Rectangle,
    /// The entry of the constraints file.
    pub site: Option<Site>,
}

/// Rules of an area group for nets and for other nodes (UG1079, "Area Group Constraint").
#[derive(Clone, Debug)]
pub struct AreaRules {
    /// The nodes of the group.
    pub of: Vec<Subject>,
    /// Its rectangles of cores.
    pub tiles: Vec<Rectangle>,
    /// True if the nets of the nodes stay inside.
    pub contains_nets: bool,
    /// True if all other nets stay outside.
    pub excludes_nets: bool,
    /// True if all other nodes stay outside.
    pub excludes_nodes: bool,
    /// The statement or entry that assigns the group.
    pub site: Option<Site>,
}

impl AreaRules {
    /// The rules in words, and whether they hold.
    pub fn all(&self) -> [(bool, &'static str); 3] {
        [
            (self.contains_nets, "that nets stay inside"),
            (self.excludes_nets, "that other nets stay outside"),
            (self.excludes_nodes, "that other nodes stay outside"),
        ]
    }
}
