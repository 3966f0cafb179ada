//! Lists what a placement stores where: one entry for every stack and every buffer.

use std::collections::BTreeMap;

use aiec_check::Checked;
use aiec_device::{Device, Tile};
use aiec_ir::expanded::Owner;
use aiec_ir::{ConnectionId, Direction, KernelId, PortId};

use crate::placement::{Placement, PortBuffers, Spot};

/// The number of a selector word in the buffers of its port: behind ping and pong.
const SELECTOR: usize = 2;

/// A stack, a buffer or a selector word in a module.
#[derive(Clone, Debug)]
pub(crate) struct Stored {
    /// The port that owns the buffer. None when it is a stack.
    pub(crate) port: Option<PortId>,
    /// The kernel that owns it.
    pub(crate) kernel: KernelId,
    /// The kernel at the other end, if it writes here directly.
    pub(crate) producer: Option<KernelId>,
    /// 0 for ping or a single buffer, 1 for pong, 2 for a selector word.
    pub(crate) half: usize,
    /// The module that holds it, and its offset there.
    pub(crate) spot: Spot,
    /// Stored bytes, without padding to the next aligned offset.
    pub(crate) bytes: u64,
    /// The direction of the port whose DMA fills (`In`) or drains (`Out`) it. None when it is a
    /// stack or a shared buffer.
    pub(crate) dma: Option<Direction>,
    /// True for a buffer: it has locks. Stacks and tables have none.
    pub(crate) is_locked: bool,
}

impl Stored {
    /// First byte after it, counted from the start of the module.
    pub(crate) fn end(&self) -> u64 {
        u64::from(self.spot.offset) + self.bytes
    }

    /// Its first and its last bank, of `bytes` each.
    pub(crate) fn banks(&self, bytes: u64) -> (u64, u64) {
        let start = u64::from(self.spot.offset);
        (start / bytes, self.end().saturating_sub(1).max(start) / bytes)
    }

    /// Its name in messages.
    pub(crate) fn name(&self, checked: &Checked) -> String {
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
    pub(crate) const fn is_selector(&self) -> bool {
        self.half == SELECTOR
    }

    /// The construct of the design that it belongs to.
    pub(crate) fn span(&self, checked: &Checked) -> aiec_diag::Span {
        self.port.map_or(checked.kernels[self.kernel].span, |port| checked.ports[port].span)
    }
}

/// All entries of `placement`. Its tables must have the design's sizes.
pub(crate) fn stored(checked: &Checked, device: &Device, placement: &Placement) -> Vec<Stored> {
    let mut cores: BTreeMap<Tile, Vec<KernelId>> = BTreeMap::new();
    for (kernel, &tile) in placement.kernels.enumerate() {
        cores.entry(tile).or_default().push(kernel);
    }
    let mut all: Vec<Stored> = checked
        .kernels
        .ids()
        .filter(|kernel| cores[&placement.kernels[*kernel]].first() == Some(kernel))
        .map(|kernel| stack(checked, device, placement, &cores[&placement.kernels[kernel]], kernel))
        .collect();
    all.extend(checked.ports.ids().flat_map(|port| buffers(checked, device, placement, port)));
    all
}

/// The stacks, heaps and sync area of a core whose first kernel is `kernel`: one area as large as
/// all of them together, since no document says that stacks may overlap.
fn stack(
    checked: &Checked,
    device: &Device,
    placement: &Placement,
    kernels: &[KernelId],
    kernel: KernelId,
) -> Stored {
    let memory = &device.memory;
    let own = kernels.iter().flat_map(|&kernel| {
        [checked.stack_bytes(kernel, memory.default_stack), checked.heap_bytes(kernel, memory.default_heap)]
    });
    let bytes: u64 = own.chain([memory.sync_bytes]).map(u64::from).sum();
    Stored {
        port: None,
        kernel,
        producer: None,
        half: 0,
        spot: placement.stacks[kernel],
        bytes: memory.stored_bytes(bytes),
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
    // A parameter of the host comes over the memory-mapped AXI bus, without DMA.
    let by_dma = producer.is_none() && !checked.ports[port].connections.is_empty();
    let entry = |(half, &spot): (usize, &Spot)| Stored {
        port: Some(port),
        kernel,
        producer,
        half,
        spot,
        bytes: bytes(half),
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
