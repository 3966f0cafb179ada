//! Lists what a placement stores where: one entry for every stack and every buffer, and one for
//! every FIFO in memory with a stated or chosen place.

use std::collections::{BTreeMap, BTreeSet};

use aiec_check::Checked;
use aiec_device::{Device, Tile};
use aiec_diag::Span;
use aiec_ir::expanded::Owner;
use aiec_ir::fifos::{MemoryFifo, WORD_BYTES, in_memory, in_memory_at};
use aiec_ir::{ConnectionId, Direction, KernelId, PortId};

use crate::placement::{Bank, Placement, PortBuffers, Spot};

/// The number of a selector word among the blocks of its port, whose buffers have 0 and 1.
const SELECTOR: usize = 2;

/// A stack, a buffer or a selector word in a module.
#[derive(Clone, Debug)]
pub struct Stored {
    /// The port that owns the buffer. None when it is a stack.
    pub port: Option<PortId>,
    /// The kernel that owns it.
    pub kernel: KernelId,
    /// The kernel at the other end, if it writes here directly.
    pub producer: Option<KernelId>,
    /// 0 for ping or a single buffer, 1 for pong, 2 for a selector word.
    pub half: usize,
    /// The module that holds it, and its offset there.
    pub spot: Spot,
    /// Stored bytes, without padding to the next aligned offset.
    pub bytes: u64,
    /// The direction of the port whose DMA fills (`In`) or drains (`Out`) it. None when it is a
    /// stack or a shared buffer.
    pub dma: Option<Direction>,
    /// True for a buffer: it has locks. Stacks and tables have none.
    pub is_locked: bool,
}

impl Stored {
    /// First byte after it, counted from the start of the module.
    pub fn end(&self) -> u64 {
        u64::from(self.spot.offset) + self.bytes
    }

    /// Its first and its last bank, of `bytes` each.
    pub fn banks(&self, bytes: u64) -> (u64, u64) {
        let start = u64::from(self.spot.offset);
        (start / bytes, self.end().saturating_sub(1).max(start) / bytes)
    }

    /// All its banks, of `bytes` each.
    pub(crate) fn in_banks(&self, bytes: u64) -> BTreeSet<Bank> {
        let (first, last) = self.banks(bytes);
        (first..=last).map(|bank| (self.spot.tile, bank)).collect()
    }

    /// Its name in messages.
    pub fn name(&self, checked: &Checked) -> String {
        match self.port {
            None => format!("the stack of `{}`", checked.kernels[self.kernel].name),
            Some(port) if checked.is_table(port) => format!("the table `{}`", checked.port_name(port)),
            Some(port) => {
                let what = ["first buffer", "second buffer", "selector word"];
                let what = what.get(self.half).unwrap_or(&"further buffer");
                format!("the {what} of `{}`", checked.port_name(port))
            }
        }
    }

    /// True for a selector word, which no constraint on buffers covers.
    pub const fn is_selector(&self) -> bool {
        self.half == SELECTOR
    }

    /// The construct of the design that it belongs to.
    pub fn span(&self, checked: &Checked) -> Span {
        self.port.map_or(checked.kernels[self.kernel].span, |port| checked.ports[port].span)
    }
}

/// All entries of `placement`. Its tables must have the design's sizes.
pub fn stored(checked: &Checked, device: &Device, placement: &Placement) -> Vec<Stored> {
    let mut cores: BTreeMap<Tile, Vec<KernelId>> = BTreeMap::new();
    for (kernel, &tile) in placement.kernels.enumerate() {
        cores.entry(tile).or_default().push(kernel);
    }
    let mut all: Vec<Stored> =
        cores.values().map(|kernels| stack(checked, device, placement, kernels)).collect();
    all.sort_by_key(|stack| stack.kernel);
    all.extend(checked.ports.ids().flat_map(|port| buffers(checked, device, placement, port)));
    all
}

/// The stacks, heaps and sync area of a core that runs `kernels`: one area as large as all of them
/// together, since no document says that stacks may overlap.
fn stack(checked: &Checked, device: &Device, placement: &Placement, kernels: &[KernelId]) -> Stored {
    let kernel = kernels[0];
    Stored {
        port: None,
        kernel,
        producer: None,
        half: 0,
        spot: placement.stacks[kernel],
        bytes: device.memory.stored_bytes(checked.core_system_bytes(kernels, device)),
        dma: None,
        is_locked: false,
    }
}

fn buffers(checked: &Checked, device: &Device, placement: &Placement, port: PortId) -> Vec<Stored> {
    let (PortBuffers::Own(spots), Owner::Kernel(kernel)) =
        (&placement.buffers[port], checked.ports[port].owner)
    else {
        return Vec::new();
    };
    let producer = shared_producer(checked, placement, port);
    let direction = checked.ports[port].direction;
    let block = checked.block(port).map_or(0, |block| block.bytes());
    let word = device.tile.word_bytes.into();
    let bytes = |half| device.memory.stored_bytes(if half == SELECTOR { word } else { block });
    let buffers = spots.len().saturating_sub(checked.selectors_of(port) as usize);
    let half = |number| if number < buffers { number } else { SELECTOR };
    // A parameter of the host comes over the memory-mapped AXI bus, without DMA.
    let by_dma = producer.is_none() && !checked.ports[port].connections.is_empty();
    let entry = |(number, &spot): (usize, &Spot)| Stored {
        port: Some(port),
        kernel,
        producer,
        half: half(number),
        spot,
        bytes: bytes(half(number)),
        dma: by_dma.then_some(direction),
        is_locked: !checked.is_table(port),
    };
    spots.iter().enumerate().map(entry).collect()
}

/// The kernel that writes directly into the buffers of the input port `port`.
fn shared_producer(checked: &Checked, placement: &Placement, port: PortId) -> Option<KernelId> {
    let into = |&connection: &ConnectionId| checked.connections[connection].to == port;
    let connection = checked.ports[port].connections.iter().copied().find(into)?;
    let from = checked.connections[connection].from;
    (placement.buffers[from] == PortBuffers::Shared).then(|| checked.kernel_of(from))?
}

/// A FIFO at a place in memory. It takes a channel of each direction of the tile's DMA.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reserved {
    /// The module that holds it, and its offset there.
    pub(crate) spot: Spot,
    /// What it takes of its module, before rounding.
    pub(crate) bytes: u64,
    /// Source location of the statement.
    pub(crate) span: Span,
}

impl Reserved {
    fn of(fifo: &MemoryFifo<'_>) -> Option<Self> {
        let (tile, offset, words) = fifo.place.module()?;
        let bytes = u64::from(words) * WORD_BYTES;
        Some(Self { spot: Spot { tile, offset }, bytes, span: fifo.place.span })
    }

    /// The first byte behind it.
    pub(crate) fn end(&self) -> u64 {
        u64::from(self.spot.offset) + self.bytes
    }
}

/// All FIFOs at stated places in memory.
pub(crate) fn reserved(checked: &Checked) -> Vec<Reserved> {
    in_memory(checked).iter().filter_map(Reserved::of).collect()
}

/// All FIFOs at stated and at chosen places in memory.
pub(crate) fn all_reserved(checked: &Checked, placement: &Placement) -> Vec<Reserved> {
    let all = in_memory_at(checked, |connection| placement.fifo_places(checked, connection));
    all.iter().filter_map(Reserved::of).collect()
}
