//! The data of a report, field by field as `aiec report --json` writes them.
//! `docs/report.schema.json` describes the same fields.

use aiec_check::{DesignDemand, KernelDemand};
use aiec_collectives::Operation;
use aiec_device::Tile;
use aiec_ir::{Buffering, WindowType};
use aiec_placer::PlacementEntry;
use aiec_router_model::{CutUse, Estimate};
use serde::Serialize;

/// All decisions about a design, and its use of the array.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// Always `aiec-report`.
    pub format: &'static str,
    /// Number of the format: additions keep it, anything else raises it.
    pub version: u32,
    /// The program that made the report.
    pub tool: Tool,
    /// What the report repeats of the design.
    pub design: DesignEntry,
    /// The array that it is placed on.
    pub device: DeviceEntry,
    /// Kernels in the order of the design.
    pub kernels: Vec<KernelEntry>,
    /// Inputs and outputs that are connected, in the order of the design.
    pub externals: Vec<ExternalEntry>,
    /// Run-time parameters of the host that are connected, in the order of the design.
    pub parameters: Vec<ParameterEntry>,
    /// Connections, including those of collectives.
    pub connections: Vec<ConnectionEntry>,
    /// Collectives in the order of the design.
    pub collectives: Vec<CollectiveEntry>,
    /// Resources used outside collectives.
    pub others: OtherUses,
    /// Quality of the placement.
    pub placement: PlacementEntry,
    /// Least demand of any placement.
    pub demand: DesignDemand,
    /// Use of the whole array by this placement.
    pub totals: Totals,
    /// Tiles that run a kernel or whose module holds a buffer or stack, sorted by column, then by
    /// row.
    pub tiles: Vec<TileEntry>,
    /// Buffers that share a bank of memory, and buffers that lie in two banks.
    pub banks: BanksEntry,
    /// Columns of the interface row that are in use, from the west.
    pub shim: Vec<ShimEntry>,
    /// Every column cut, then every row cut.
    pub cuts: Vec<CutUse>,
    /// Cycles. `collectives` and `connections` are in the order of the fields above.
    pub estimate: Estimate,
    /// Values that an ADF graph does not state, and the members that got them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub assumed: Vec<String>,
    /// Statements of an ADF graph of which nothing here takes account, and connections that have no
    /// verdict.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<String>,
}

/// The program that made a report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Tool {
    /// Always `aiec`.
    pub name: &'static str,
    /// Version of the aiec that made the report.
    pub version: &'static str,
    /// Seed of the placement search.
    pub seed: u64,
}

/// What the report repeats of a design.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DesignEntry {
    /// The name in the `design` line.
    pub name: String,
    /// Runs of the graph.
    pub iterations: u32,
    /// The release of Vitis that the project is for.
    pub vitis: &'static str,
    /// The board of the project: `vck190` or `vck5000`.
    pub board: &'static str,
}

/// The array that a design is placed on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DeviceEntry {
    /// The name of the device file, such as `xcvc1902`.
    pub name: String,
    /// Columns of the array.
    pub columns: u16,
    /// Core rows of the array.
    pub rows: u16,
}

/// Used and available amount of a resource.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Use {
    /// Amount in use, in the unit of the resource.
    pub used: u64,
    /// Capacity: in use or free.
    pub available: u64,
}

/// A place in a memory module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct SpotEntry {
    /// The tile of the module.
    pub tile: Tile,
    /// Bytes from the start of the module.
    pub offset: u32,
}

/// A kernel with its place and its demand.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct KernelEntry {
    /// Its name in the design.
    pub name: String,
    /// Its hierarchical name in the graph.
    pub expression: String,
    /// The class that wraps it, if it takes part in a collective.
    pub role: Option<String>,
    /// Its C++ source, as in the design.
    pub source: String,
    /// Its runs in one iteration of the graph.
    pub repetitions: u32,
    /// Its stated share of the core's time, in thousandths.
    pub runtime_thousandths: Option<u32>,
    /// The tile it runs on.
    pub tile: Tile,
    /// Stack, heap and sync area.
    pub stack: StackEntry,
    /// Its least demand, independent of its place.
    pub demand: KernelDemand,
    /// Its ports, inputs first.
    pub ports: Vec<PortEntry>,
}

/// Stack, heap and sync area of a kernel, contiguous.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StackEntry {
    /// Where they begin.
    pub at: SpotEntry,
    /// As stated in the design, or the default of the device.
    pub stack_bytes: u32,
    /// As stated in the design, or the default of the device.
    pub heap_bytes: u32,
    /// Bytes of the sync area.
    pub sync_bytes: u32,
}

/// A port of a kernel.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PortEntry {
    /// Its name in the design.
    pub name: String,
    /// Its hierarchical name in the graph.
    pub expression: String,
    /// Why it exists: `user`, `child`, `parent`, `result` or `cycles`.
    pub role: &'static str,
    /// Type and number of the elements of a transfer.
    pub window: Option<WindowType>,
    /// The values of its run-time parameter, if it carries one.
    pub parameter: Option<WindowType>,
    /// True if the kernel acquires and releases the window itself, or keeps the value of its
    /// parameter.
    #[serde(rename = "async")]
    pub asynchronous: bool,
    /// Its buffers, charged to the modules they lie in. Empty if it writes into its consumer's
    /// buffers.
    pub buffers: Option<Vec<SpotEntry>>,
    /// The selector word of a parameter of the host.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub selector: Option<SpotEntry>,
}

/// An input or output that is connected.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ExternalEntry {
    /// Its name in the design.
    pub name: String,
    /// Its name in the graph.
    pub identifier: String,
    /// `input` or `output` of the array.
    pub direction: &'static str,
    /// Its far end: `plio` or `gmio`.
    pub kind: &'static str,
    /// Its data, relative to the project.
    pub file: String,
    /// The window at its kernel, or what a stream moves in one run. None when that is unknown.
    pub window: Option<WindowType>,
    /// Windows in all iterations together. None when that is unknown.
    pub windows: Option<u64>,
    /// Its column and channel in the interface row.
    pub shim: ChannelEntry,
}

/// A run-time parameter of the host.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ParameterEntry {
    /// Its name in the design.
    pub name: String,
    /// `input` or `output` of the array.
    pub direction: &'static str,
    /// Its values in one run.
    pub values: WindowType,
    /// Its data, relative to the project. None when it is an initial value, which stays.
    pub file: Option<String>,
    /// The ports of kernels that it is connected to, by their hierarchical names.
    pub ports: Vec<String>,
    /// True if the kernels keep the value. False if each run waits for a new one.
    #[serde(rename = "async")]
    pub asynchronous: bool,
    /// Bytes of all buffers, in the memory of the tiles.
    pub bytes: u64,
    /// Locks of these buffers.
    pub locks: u64,
}

/// A channel of the interface row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ChannelEntry {
    /// Counted from the west.
    pub column: u16,
    /// PLIO channel or shim DMA channel.
    pub channel: u32,
}

/// A FIFO, or a part of one, in a memory module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct FifoPlaceEntry {
    /// The tile that owns the module.
    pub tile: Tile,
    /// Bytes from the start of the module.
    pub offset: u32,
    /// Its words of 32 bits.
    pub words: u32,
}

/// A transfer from one port to another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ConnectionEntry {
    /// The producing port, input of the array included.
    pub from: String,
    /// The consuming port, output of the array included.
    pub to: String,
    /// The data of one transfer.
    pub window: Option<WindowType>,
    /// Buffers of the window: `pingpong` (two) or `single`.
    pub buffers: Buffering,
    /// The collective it belongs to.
    pub collective: Option<String>,
    /// What the ports of its kernels carry, as designs write it: `stream int32[16]`. Both ends if
    /// they differ.
    pub carries: String,
    /// The stated depth of its FIFO, in words.
    pub fifo: Option<u32>,
    /// Where that FIFO lies in memory: stated or chosen places, which its data pass in this order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fifo_places: Vec<FifoPlaceEntry>,
    /// `shared memory`, `cascade` or `stream`.
    pub by: &'static str,
    /// Hops of its route, if it has one.
    pub hops: Option<u32>,
}

/// A collective with its schedule and its costs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CollectiveEntry {
    /// The name that the design declares.
    pub name: String,
    /// The MPI-like operation, such as `reduce`.
    pub operation: Operation,
    /// The operator, where data is combined.
    pub op: Option<String>,
    /// The data that a rank contributes to a call.
    pub data: WindowType,
    /// The data of one transfer between ranks.
    pub window: WindowType,
    /// Windows that a block takes in one call.
    pub chunks: u32,
    /// Calls in one run of the kernels.
    pub calls: u32,
    /// The shape of the collective (its links between ranks), as designs write it.
    pub shape: String,
    /// The shapes that the compiler compared, cheapest first. Empty if the design fixes the shape.
    pub compared: Vec<ComparedEntry>,
    /// Levels of a tree, or one more than the links on the longest way from rank to rank.
    pub depth: u32,
    /// The kernel with a special part, such as the root. The first rank if all have equal parts.
    pub root: String,
    /// The kernels by rank.
    pub ranks: Vec<String>,
    /// The resources of its links, its result and its cycle counts.
    pub uses: Charge,
}

/// A shape that the compiler compared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ComparedEntry {
    /// A shape as designs write it.
    pub shape: String,
    /// Estimated array cycles of a call with all links through shared memory. None when
    /// the shape was ruled out.
    pub cycles: Option<i64>,
    /// Why it was ruled out.
    pub reason: Option<String>,
}

/// Resources used on all tiles together, charged as in `docs/report.md`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Charge {
    /// Bytes of data memory.
    pub bytes: u64,
    /// Locks of the tiles whose modules hold the buffers.
    pub locks: u32,
    /// Buffer descriptors of tile DMAs.
    pub bds: u32,
    /// Channels of tile DMAs from stream to memory.
    pub s2mm: u32,
    /// Channels of tile DMAs from memory to stream.
    pub mm2s: u32,
    /// Nets that the router makes of the connections.
    pub nets: u64,
}

/// Resources that belong to no collective. Together with the `uses` of all collectives they add up
/// to the totals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct OtherUses {
    /// Windows of connections outside collectives.
    pub windows: Charge,
    /// Stack, heap and sync area of all kernels.
    pub kernels: Charge,
    /// FIFOs with places in memory. None when there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fifos: Option<Charge>,
}

/// Use of the whole array by a placement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Totals {
    /// Cores that run a kernel.
    pub cores: Use,
    /// Bytes of data memory.
    pub bytes: Use,
    /// Locks of all tiles.
    pub locks: Use,
    /// Buffer descriptors of tile DMAs.
    pub bds: Use,
    /// Channels of tile DMAs from stream to memory.
    pub s2mm: Use,
    /// Channels of tile DMAs from memory to stream.
    pub mm2s: Use,
    /// South ports of the interface row into the array that PLIO and GMIO take.
    pub shim_inputs: Use,
    /// South ports of the interface row out of the array that PLIO and GMIO take.
    pub shim_outputs: Use,
    /// Nets that the router made of the connections.
    pub nets: u64,
    /// What streams, cascades and packets take. None when the design has none of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub streams: Option<StreamTotals>,
}

/// What streams, cascades and packets take of cores and switches (AM009).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct StreamTotals {
    /// Ports of cores for streams into them.
    pub core_inputs: Use,
    /// Ports of cores for streams out of them.
    pub core_outputs: Use,
    /// Cascades from a core to the next one.
    pub cascades: Use,
    /// Different numbers in the headers of packets, and how many one wire can tell apart.
    pub packet_ids: Use,
    /// Arbiters of the switch in which packets take most of them.
    pub arbiters: Use,
}

/// A tile and the use of its module, DMA and switch. Buffers are charged to the module that holds
/// them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TileEntry {
    /// Column and core row, from 0.
    pub tile: Tile,
    /// The kernels on its core.
    pub kernels: Vec<String>,
    /// Bytes of its module.
    pub bytes: Use,
    /// Bytes of each bank of the module.
    pub banks: Vec<Use>,
    /// Locks of the module.
    pub locks: Use,
    /// Buffer descriptors of the DMA.
    pub bds: Use,
    /// DMA channels from stream to memory.
    pub s2mm: Use,
    /// DMA channels from memory to stream.
    pub mm2s: Use,
    /// Wires that leave its switch, by side, including wires of nets that only pass through.
    pub streams: Streams,
}

/// Bank conflicts, which cost cycles: a bank serves one access per cycle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BanksEntry {
    /// Pairs of inputs of one kernel; they clash if some bank holds buffers of both.
    pub input_pairs: Clashes,
    /// Windows with two buffers; they clash if both are in one bank.
    pub ping_pong: Clashes,
    /// Buffers and stacks that fit one bank; they clash if they lie in two banks.
    pub blocks: Clashes,
}

/// Clashes of one kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Clashes {
    /// Number of pairs, windows or buffers examined.
    pub all: u64,
    /// Number that clash: the search found no room elsewhere, or the placement was given.
    pub clashing: u64,
    /// The clashes that the report names; the others are only counted.
    pub named: Vec<Clash>,
}

/// One clash in a bank.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Clash {
    /// The ports, or the buffer or stack in words.
    pub what: Vec<String>,
    /// The tile of the module.
    pub tile: Tile,
    /// The bank, or the first of two.
    pub bank: u64,
}

/// Wires that leave a switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Streams {
    /// To the switch above.
    pub north: Use,
    /// To the switch below.
    pub south: Use,
    /// To the switch on the right.
    pub east: Use,
    /// To the switch on the left.
    pub west: Use,
}

/// A column of the interface row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ShimEntry {
    /// Counted from the west.
    pub column: u16,
    /// South ports into the array that PLIO and GMIO take.
    pub inputs: Use,
    /// South ports out of the array that PLIO and GMIO take.
    pub outputs: Use,
}
