//! Builds a design in code, for tests and tools.
//!
//! [`Builder`] takes kernels, connections and collectives by their names in designs. It returns an
//! [`Expanded`] with all its invariants. It checks only names, so that tests can build faulty
//! designs. It also writes every construct to a small text ([`Builder::source`]) that the spans
//! point into, so that diagnostics can be drawn.
//!
//! ```
//! use aiec_test_support::{Builder, Reduce, int32};
//! let design = Builder::new("reduce3", "toy")
//!     .kernels("worker", &[3], &[])
//!     .gmio_output("sum")
//!     .reduce(Reduce::over("total", &["worker"], int32(64)))
//!     .connect("total.result", "sum")
//!     .expanded()?;
//! assert_eq!(design.connections.len(), 3);
//! # Ok::<(), aiec_test_support::BuildError>(())
//! ```

mod apart;
mod assemble;
pub mod exhaustive;
mod fifos;
pub mod folder;
pub mod form;
pub mod knapsack;
mod packets;
mod reduce;
pub mod windows;

use std::fmt;

pub use self::reduce::{Plain, Reduce};

use aiec_device::{Board, Release};
use aiec_diag::{SourceId, Span, Spanned};

use aiec_collectives::{Buffering, Direction, ElementType, PortKind, WindowType};
use aiec_ir::blocks::{
    Anchor, Block, BlockPlace, BlockSpot, BlockTie, Blocks, BuffersApart, OneBank, Within,
};
use aiec_ir::constraints::{
    Aligned, Area, Axis, Constraints, Group, Keepout, Offset, Region, ShimPlace, ShimTie,
};
use aiec_ir::design::{Body, Endpoint, ExternalFamily, Family, FarEnd, UserPort, WrittenType};
use aiec_ir::expanded::{Expanded, SwitchKind};
use aiec_ir::fifos::FifoPlace;
use aiec_ir::{Carries, Flow};
use aiec_ir::{ExternalFamilyId, FamilyId, IdVec};

/// Two opposite corners of a rectangle of tiles.
pub type Corners = ((i64, i64), (i64, i64));

/// A window of `elements` 32-bit integers.
pub const fn int32(elements: u32) -> WindowType {
    WindowType { element: ElementType::Int32, elements }
}

/// A stream of 32-bit integers, `elements` in each run. None when the number is unknown.
pub const fn stream(elements: Option<u32>) -> Carries {
    Carries::Stream(Flow { element: ElementType::Int32, per_run: elements })
}

/// The input port `name` of a kernel family.
pub const fn input(name: &str, window: WindowType) -> (Direction, &str, WindowType) {
    (Direction::In, name, window)
}

/// The output port `name` of a kernel family.
pub const fn output(name: &str, window: WindowType) -> (Direction, &str, WindowType) {
    (Direction::Out, name, window)
}

/// A reference names nothing in the design.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuildError(pub String);

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the design has no `{}`", self.0)
    }
}

impl std::error::Error for BuildError {}

/// A `connect`: references as written, `async` already taken off.
#[derive(Clone, Debug)]
struct Connect {
    from: String,
    to: String,
    from_async: bool,
    to_async: bool,
    from_windows: Option<u32>,
    to_windows: Option<u32>,
    buffering: Buffering,
    fifo: Option<u32>,
    fifo_places: Vec<FifoPlace>,
    /// The position of its split or merge among them all.
    switch: Option<usize>,
    span: Span,
}

/// A `reduce` with the place it was written at.
#[derive(Clone, Debug)]
struct Declared {
    reduce: Reduce,
    span: Span,
}

/// A `place`.
#[derive(Clone, Debug)]
struct PlaceAt {
    kernel: String,
    column: i64,
    row: i64,
    span: Span,
}

/// Collects the constructs of a design. [`Builder::expanded`] assembles them.
///
/// Kernels, ports, inputs, outputs and collectives are named as in designs: `scale`, `pe[1][2].a`,
/// `samples[3]`, `total.result`. A connection's end may start with `async ` and end with ` windows
/// N`.
#[derive(Clone, Debug)]
pub struct Builder {
    name: Spanned<String>,
    device: Spanned<String>,
    iterations: u32,
    release: &'static Release,
    board: Board,
    port_kind: PortKind,
    families: IdVec<FamilyId, Family>,
    externals: IdVec<ExternalFamilyId, ExternalFamily>,
    connects: Vec<Connect>,
    /// Each split or merge with the packet id of its first branch.
    switches: Vec<(SwitchKind, u32)>,
    reduces: Vec<Declared>,
    places: Vec<PlaceAt>,
    constraints: Constraints<String>,
    blocks: Blocks<String, String>,
    shims: Vec<ShimPlace<String>>,
    shim_ties: Vec<ShimTie<String, String>>,
    unknown: Option<String>,
    text: String,
}

impl Builder {
    /// An empty design for a device.
    pub fn new(name: &str, device: &str) -> Self {
        let mut text = String::new();
        let name = Spanned::new(name.to_owned(), write_line(&mut text, &format!("design {name}")));
        let device = Spanned::new(device.to_owned(), write_line(&mut text, &format!("device {device}")));
        Self {
            name,
            device,
            iterations: 1,
            release: Release::standard(),
            board: Board::default(),
            port_kind: PortKind::default(),
            families: IdVec::new(),
            externals: IdVec::new(),
            connects: Vec::new(),
            switches: Vec::new(),
            reduces: Vec::new(),
            places: Vec::new(),
            constraints: Constraints::default(),
            blocks: Blocks::default(),
            shims: Vec::new(),
            shim_ties: Vec::new(),
            unknown: None,
            text,
        }
    }

    /// Sets the runs of the graph.
    pub fn iterations(&mut self, iterations: u32) -> &mut Self {
        self.line(&format!("iterations {iterations}"));
        self.iterations = iterations;
        self
    }

    /// The board that the project is for.
    pub fn board(&mut self, board: Board) -> &mut Self {
        self.line(&format!("board {}", board.name()));
        self.board = board;
        self
    }

    /// Sets the target release of Vitis. The kind of ports stays that of the design.
    pub fn release(&mut self, release: &'static Release) -> &mut Self {
        self.line(&format!("vitis \"{release}\""));
        self.release = release;
        self
    }

    /// Ports of kernels are buffers.
    pub fn buffer_ports(&mut self) -> &mut Self {
        self.line("ports buffer");
        self.port_kind = PortKind::Buffer;
        self
    }

    /// A kernel family with the extents `dims` (empty for a single kernel) and the source
    /// `kernels/NAME.cc`.
    pub fn kernels(
        &mut self,
        name: &str,
        dims: &[u32],
        ports: &[(Direction, &str, WindowType)],
    ) -> &mut Self {
        let window = |&(direction, port, window)| (direction, port, Carries::window_of(window));
        self.carrying(name, dims, &ports.iter().map(window).collect::<Vec<_>>())
    }

    /// A kernel family as of [`Builder::kernels`], with ports of any kind.
    pub fn carrying(&mut self, name: &str, dims: &[u32], ports: &[(Direction, &str, Carries)]) -> &mut Self {
        let extents: String = dims.iter().map(|extent| format!("[{extent}]")).collect();
        let span = self.line(&format!("kernel {name}{extents}"));
        let ports = ports.iter().map(|&(direction, port, carries)| UserPort {
            name: port.to_owned(),
            direction,
            carries,
            asynchronous: false,
            says_how: false,
            written: WrittenType::default(),
            span: self.line(&format!("    {direction} {port}: {carries}")),
        });
        let ports = ports.collect();
        let source = Spanned::new(format!("kernels/{name}.cc"), span);
        let body = Body::of(name.to_owned(), source);
        let name = name.to_owned();
        self.families.push(Family { name, dims: dims.to_vec(), ports, bodies: vec![body], span });
        self
    }

    /// Bytes of stack of a family.
    pub fn stack(&mut self, family: &str, bytes: u32) -> &mut Self {
        let stack = Spanned::new(bytes, self.line(&format!("    stack {bytes} B")));
        self.change(family, |body| body.stack = Some(stack))
    }

    /// Bytes of heap of a family.
    pub fn heap(&mut self, family: &str, bytes: u32) -> &mut Self {
        let heap = Spanned::new(bytes, self.line(&format!("    heap {bytes} B")));
        self.change(family, |body| body.heap = Some(heap))
    }

    /// Share of a core's time that a family needs, in 1/1000.
    pub fn runtime(&mut self, family: &str, ratio: u32) -> &mut Self {
        let line = self.line(&format!("    runtime {}.{:03}", ratio / 1000, ratio % 1000));
        self.change(family, |body| body.runtime = Some(Spanned::new(ratio, line)))
    }

    /// Bytes of program memory of a family.
    pub fn program(&mut self, family: &str, bytes: u32) -> &mut Self {
        let program = Spanned::new(bytes, self.line(&format!("    program {bytes} B")));
        self.change(family, |body| body.program = Some(program))
    }

    /// Array cycles of one run of a family.
    pub fn cycles(&mut self, family: &str, cycles: u32) -> &mut Self {
        let line = self.line(&format!("    cycles {cycles}"));
        self.change(family, |body| body.cycles = Some(Spanned::new(cycles, line)))
    }

    /// An input from programmable logic, `bits` wide, with the data file `data/NAME.txt`.
    pub fn plio_input(&mut self, name: &str, bits: u32) -> &mut Self {
        self.plio(name, &[], Direction::Out, bits)
    }

    /// An output to programmable logic, `bits` wide, with the data file `data/NAME.txt`.
    pub fn plio_output(&mut self, name: &str, bits: u32) -> &mut Self {
        self.plio(name, &[], Direction::In, bits)
    }

    /// An input from global memory without a data file.
    pub fn gmio_input(&mut self, name: &str) -> &mut Self {
        self.externals(name, &[], Direction::Out, Endpoint::GMIO)
    }

    /// An output to global memory without a data file.
    pub fn gmio_output(&mut self, name: &str) -> &mut Self {
        self.externals(name, &[], Direction::In, Endpoint::GMIO)
    }

    /// Inputs (`Out`) or outputs (`In`) of programmable logic with the extent `dims`.
    pub fn plio(&mut self, name: &str, dims: &[u32], direction: Direction, bits: u32) -> &mut Self {
        let suffix = if dims.is_empty() { "" } else { "_{}" };
        let bits = Spanned::new(bits, self.end());
        self.externals(
            name,
            dims,
            direction,
            Endpoint::Plio { bits, frequency: None, file: format!("data/{name}{suffix}.txt") },
        )
    }

    /// Inputs (`Out`) or outputs (`In`) with the extent `dims` and any far end.
    pub fn externals(
        &mut self,
        name: &str,
        dims: &[u32],
        direction: Direction,
        mut endpoint: Endpoint,
    ) -> &mut Self {
        let extents: String = dims.iter().map(|extent| format!("[{extent}]")).collect();
        let (word, way) = if direction == Direction::Out { ("input", "from") } else { ("output", "to") };
        let far = match &endpoint {
            Endpoint::Plio { bits, file, .. } => format!("plio({}, \"{file}\")", bits.value),
            Endpoint::Gmio { file: Some(file), .. } => format!("gmio(\"{file}\")"),
            Endpoint::Gmio { file: None, .. } => "gmio".to_owned(),
        };
        let span = self.line(&format!("{word} {name}{extents} {way} {far}"));
        if let Endpoint::Plio { bits, .. } = &mut endpoint {
            bits.span = span;
        }
        let name = name.to_owned();
        let end = FarEnd::Array(endpoint);
        self.externals.push(ExternalFamily {
            name,
            dims: dims.to_vec(),
            direction,
            end,
            golden: None,
            logical: Vec::new(),
            alone: None,
            span,
        });
        self
    }

    /// A ping-pong connection.
    pub fn connect(&mut self, from: &str, to: &str) -> &mut Self {
        self.connect_with(from, to, Buffering::Pingpong)
    }

    /// A connection with the given buffers.
    pub fn connect_with(&mut self, from: &str, to: &str, buffering: Buffering) -> &mut Self {
        let span = self.line(&format!("connect {from} -> {to}"));
        self.joined(from, to, buffering, None, span)
    }

    pub(crate) fn joined(
        &mut self,
        from: &str,
        to: &str,
        buffering: Buffering,
        switch: Option<usize>,
        span: Span,
    ) -> &mut Self {
        let (from, from_async, from_windows) = end_of(from);
        let (to, to_async, to_windows) = end_of(to);
        let connect = Connect {
            from,
            to,
            from_async,
            to_async,
            from_windows,
            to_windows,
            buffering,
            fifo: None,
            fifo_places: Vec::new(),
            switch,
            span,
        };
        self.connects.push(connect);
        self
    }

    /// Makes a port of a family carry something other than a window.
    pub fn carries(&mut self, family: &str, port: &str, carries: Carries) -> &mut Self {
        let families: Vec<FamilyId> =
            self.families.ids().filter(|&id| self.families[id].name == family).collect();
        for id in families {
            let ports = self.families[id].ports.iter_mut().filter(|own| own.name == port);
            ports.for_each(|port| port.carries = carries);
        }
        self
    }

    /// Adds a reduction with its properties.
    pub fn reduce(&mut self, reduce: Reduce) -> &mut Self {
        let span =
            self.line(&format!("{} {} over {}", reduce.operation, reduce.name, reduce.over.join(", ")));
        self.reduces.push(Declared { reduce, span });
        self
    }

    /// Adds `place kernel at (column, row)`.
    pub fn place(&mut self, kernel: &str, column: i64, row: i64) -> &mut Self {
        let span = self.line(&format!("place {kernel} at ({column}, {row})"));
        self.places.push(PlaceAt { kernel: kernel.to_owned(), column, row, span });
        self
    }

    /// `kernel` at the tile of `from`, moved by columns to the east and rows to the north.
    pub fn place_relative(&mut self, kernel: &str, from: &str, (columns, rows): (i64, i64)) -> &mut Self {
        let span = self.line(&format!("place {kernel} at {from} + ({columns}, {rows})"));
        let (kernel, from) = (kernel.to_owned(), from.to_owned());
        self.constraints.offsets.push(Offset { kernel, from, columns, rows, span });
        self
    }

    /// `kernel` in a column or row that follows from that of `from`.
    pub fn align(&mut self, kernel: &str, from: &str, axis: Axis, distance: i64) -> &mut Self {
        let span = self.line(&format!("place {kernel} at {from} + {distance} {}", axis.word()));
        let (kernel, from) = (kernel.to_owned(), from.to_owned());
        self.constraints.aligned.push(Aligned { kernel, from, axis, distance, span });
        self
    }

    /// Kernels and families within the rectangle between two tiles.
    pub fn region(&mut self, kernels: &[&str], from: (i64, i64), to: (i64, i64)) -> &mut Self {
        self.regions(kernels, &[(from, to)])
    }

    /// Kernels and families within any of the rectangles between two tiles each.
    pub fn regions(&mut self, kernels: &[&str], areas: &[Corners]) -> &mut Self {
        let text = areas.iter().map(|(a, b)| format!("({}, {}) to ({}, {})", a.0, a.1, b.0, b.1));
        let text = text.collect::<Vec<_>>().join(", ");
        let span = self.line(&format!("region {} in {text}", kernels.join(", ")));
        let areas = areas.iter().map(|&(from, to)| Area::between(from, to)).collect();
        self.constraints.regions.push(Region { kernels: owned(kernels), areas, span });
        self
    }

    /// Kernels and families of which every two share memory.
    pub fn together(&mut self, kernels: &[&str]) -> &mut Self {
        let span = self.line(&format!("together {}", kernels.join(", ")));
        self.constraints.together.push(Group { kernels: owned(kernels), span });
        self
    }

    /// Kernels and families of which no two share memory.
    pub fn apart(&mut self, kernels: &[&str]) -> &mut Self {
        let span = self.line(&format!("apart {}", kernels.join(", ")));
        self.constraints.apart.push(Group { kernels: owned(kernels), span });
        self
    }

    /// Kernels and families of which no two run on one core.
    pub fn distinct(&mut self, kernels: &[&str]) -> &mut Self {
        let span = self.line(&format!("apart {} by core", kernels.join(", ")));
        self.constraints.distinct.push(Group { kernels: owned(kernels), span });
        self
    }

    /// `place PORT at (column, row) bank BANKS`, of one instance.
    pub fn place_buffers(&mut self, port: &str, column: i64, row: i64, banks: &[u32]) -> &mut Self {
        let module = Some((column, row));
        let spot = |within| BlockSpot { module, within };
        let banks: Vec<BlockSpot> = banks.iter().map(|&bank| spot(Within::Bank(bank))).collect();
        let spots = if banks.is_empty() { vec![spot(Within::Module)] } else { banks };
        self.place_block(Block::Buffers(port.to_owned()), &spots)
    }

    /// `place KERNEL.stack at (column, row) bank BANK`, of one instance.
    pub fn place_stack(&mut self, kernel: &str, column: i64, row: i64, bank: u32) -> &mut Self {
        let spot = BlockSpot { module: Some((column, row)), within: Within::Bank(bank) };
        self.place_block(Block::Stack(kernel.to_owned()), &[spot])
    }

    /// Places the buffers of a port, or the stack of a kernel, of one instance.
    pub fn place_block(&mut self, block: Block<String, String>, spots: &[BlockSpot]) -> &mut Self {
        let name = match &block {
            Block::Buffers(port) => port.clone(),
            Block::Stack(kernel) => format!("{kernel}.stack"),
        };
        let places: Vec<String> = spots.iter().map(ToString::to_string).collect();
        let span = self.line(&format!("place {name} at {}", places.join(", ")));
        self.blocks.places.push(BlockPlace { block, spots: spots.to_vec(), beside: None, span });
        self
    }

    /// Places a block at a distance from the core of its kernel, as an ADF graph may.
    pub fn place_beside(&mut self, block: Block<String, String>, distance: (i64, i64)) -> &mut Self {
        self.place_block(block, &[]);
        if let Some(place) = self.blocks.places.last_mut() {
            place.beside = Some(distance);
        }
        self
    }

    /// Places a block as far from the modules of another one, as an ADF graph may.
    pub fn tie_blocks(
        &mut self,
        block: Block<String, String>,
        from: Anchor<String, String>,
        (columns, rows): (i64, i64),
    ) -> &mut Self {
        let span = self.line(&format!("tie {block:?} to {from:?} + ({columns}, {rows})"));
        self.blocks.ties.push(BlockTie { block, from, distance: Some((columns, rows)), span });
        self
    }

    /// A block in the module and the bank of another one, as an ADF graph may place it.
    pub fn in_one_bank(&mut self, block: Block<String, String>, with: Block<String, String>) -> &mut Self {
        self.tie_blocks(block.clone(), Anchor::Block(with.clone()), (0, 0));
        let span = self.line(&format!("{block:?} in the bank of {with:?}"));
        self.blocks.one_bank.push(OneBank { blocks: [block, with], span });
        self
    }

    /// An input or output, by the name of its instance, in a column of the interface row.
    pub fn shim(&mut self, external: &str, column: i64, channel: Option<u32>) -> &mut Self {
        let text = channel.map_or_else(String::new, |channel| format!(" channel {channel}"));
        let span = self.line(&format!("place {external} at shim {column}{text}"));
        self.shims.push(ShimPlace::at(external.to_owned(), column, channel, span));
        self
    }

    /// An input or output this many columns from a kernel, or from another input or output, as an
    /// ADF graph may place it.
    pub fn shim_tie(&mut self, external: &str, from: &str, columns: i64) -> &mut Self {
        let span = self.line(&format!("place {external} at shim of {from} + {columns}"));
        let (external, from) = (external.to_owned(), from.to_owned());
        self.shim_ties.push(ShimTie { external, from, columns, span });
        self
    }

    /// `apart PORT, PORT`, of ports of single instances.
    pub fn buffers_apart(&mut self, ports: &[&str]) -> &mut Self {
        let span = self.line(&format!("apart {}", ports.join(", ")));
        self.blocks.apart.push(BuffersApart { ports: owned(ports), span });
        self
    }

    /// Tiles to leave free: the rectangle between two.
    pub fn keepout(&mut self, from: (i64, i64), to: (i64, i64)) -> &mut Self {
        let span = self.line(&format!("keepout ({}, {}) to ({}, {})", from.0, from.1, to.0, to.1));
        self.constraints.keepouts.push(Keepout { area: Area::between(from, to), span });
        self
    }

    /// The text that the spans point into; source 0 of the design.
    pub fn source(&self) -> &str {
        &self.text
    }

    /// The expanded design.
    ///
    /// # Errors
    /// The first reference that names nothing.
    pub fn expanded(&self) -> Result<Expanded, BuildError> {
        match &self.unknown {
            Some(name) => Err(BuildError(name.clone())),
            None => assemble::assemble(self),
        }
    }

    fn change(&mut self, name: &str, change: impl FnOnce(&mut Body)) -> &mut Self {
        let id = self.families.enumerate().find(|(_, family)| family.name == name).map(|(id, _)| id);
        match id {
            Some(id) => change(&mut self.families[id].bodies[0]),
            None => self.unknown = self.unknown.take().or_else(|| Some(name.to_owned())),
        }
        self
    }

    fn line(&mut self, line: &str) -> Span {
        write_line(&mut self.text, line)
    }

    fn end(&self) -> Span {
        let end = u32::try_from(self.text.len()).unwrap_or(u32::MAX);
        Span::new(SourceId(0), end, end)
    }
}

/// Appends a line and returns where its words stand.
fn write_line(text: &mut String, line: &str) -> Span {
    let at = |offset: usize| u32::try_from(offset).unwrap_or(u32::MAX);
    let indent = line.len() - line.trim_start().len();
    let span = Span::new(SourceId(0), at(text.len() + indent), at(text.len() + line.len()));
    text.push_str(line);
    text.push('\n');
    span
}

fn owned(names: &[&str]) -> Vec<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}

/// A connection's end: its name, whether it is asynchronous, and its number of windows.
fn end_of(written: &str) -> (String, bool, Option<u32>) {
    let (reference, windows) = match written.split_once(" windows ") {
        Some((reference, number)) => (reference, number.parse().ok()),
        None => (written, None),
    };
    let plain = reference.strip_prefix("async ");
    (plain.unwrap_or(reference).to_owned(), plain.is_some(), windows)
}
