//! Proves infeasibility: there are more large buffers than all modules hold beside one stack for
//! every core.
//!
//! Takes a checked design, its device and a lower bound on its connections through DMA. Returns the
//! excess, if it is proved. Every core has its stack in one of the modules in its reach, and only a
//! few cores reach one module, so stacks occupy many modules. The count treats every shareable
//! window as shared, except for those that the bound sends by DMA: these have buffers at both ends,
//! and the count takes the smallest of them.

use std::collections::BTreeMap;

use crate::Checked;
use aiec_device::{Device, Grid, TileId};
use aiec_ir::expanded::Owner;
use aiec_ir::{Direction, PortId, WHOLE_CORE};

use crate::prove::bound::Bound;

/// The buffers that do not fit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Excess {
    /// Minimum bytes of each counted buffer.
    pub(crate) bytes: u64,
    /// Minimum number of such buffers, and maximum number that fits.
    pub(crate) buffers: [u64; 2],
    /// Number of modules in reach of any core.
    pub(crate) modules: u64,
    /// Number of counted buffers that a module holds beside 0, 1, 2, ... stacks, up to the maximum
    /// number of stacks.
    pub(crate) holds: Vec<u64>,
    /// Minimum bytes of the stack area of each kernel.
    pub(crate) stack: u64,
    /// Minimum number of shareable connections by DMA, if the count takes their buffers at both
    /// ends; else 0.
    pub(crate) by_dma: u64,
    /// The bound that proves `by_dma`.
    pub(crate) bound: Bound,
    /// Largest buffer in bytes for which this count finds room for all buffers.
    pub(crate) fitting: Option<u64>,
    /// A port with buffers of exactly `bytes`.
    pub(crate) port: PortId,
}

/// Finds buffers that do not fit. Returns None when nothing is proved, and when two kernels may
/// share one core, which has one stack area. `bound` must hold for every placement of the design on
/// the device.
pub(crate) fn excess(checked: &Checked, device: &Device, grid: &Grid, bound: Bound) -> Option<Excess> {
    let mut shares: Vec<u32> = checked.core_shares().iter().copied().collect();
    shares.sort_unstable();
    if shares.iter().take(2).sum::<u32>() <= WHOLE_CORE {
        return None;
    }
    let modules = Modules::new(checked, device, grid)?;
    let windows = Windows::new(checked, device, &bound);
    windows.sizes.iter().rev().find_map(|(&bytes, &port)| {
        let (count, by_dma) = windows.count(bytes);
        let room = modules.too_little(bytes, count)?;
        Some(Excess {
            bytes,
            buffers: [count, room],
            modules: modules.cores.len() as u64,
            holds: modules.holds(bytes),
            stack: modules.stack,
            by_dma: if by_dma > 0 { windows.cut } else { 0 },
            bound,
            fitting: fitting(&windows, &modules),
            port,
        })
    })
}

/// Largest buffer size for which everything fits if no window has larger buffers. Windows that
/// shrink to that size count too.
fn fitting(windows: &Windows, modules: &Modules) -> Option<u64> {
    let fits = |bytes: u64| modules.too_little(bytes, windows.count(bytes).0).is_none();
    let limit = *windows.sizes.keys().find(|&&bytes| !fits(bytes))?;
    // Room grows only where one more buffer fits beside the stacks of a module.
    let most = windows.count(0).0.div_ceil(modules.cores.len() as u64);
    let left = (0..modules.holds(limit).len() as u64).map(|stacks| modules.bytes - stacks * modules.stack);
    let sizes = left.flat_map(|left| (1..=most).map(move |buffers| left / buffers));
    let aligned = sizes.map(|size| size / modules.alignment * modules.alignment);
    let mut sizes: Vec<u64> = aligned.filter(|&size| size > 0 && size < limit).collect();
    sizes.sort_unstable();
    sizes.dedup();
    sizes.into_iter().rev().find(|&size| fits(size))
}

/// The memory modules of a device and the stacks of a design.
struct Modules {
    /// Bytes of one module.
    bytes: u64,
    /// Alignment of buffer offsets, in bytes.
    alignment: u64,
    /// For each module in reach of a core, the number of cores that reach it.
    cores: Vec<usize>,
    /// Number of kernels, each on its own core.
    kernels: usize,
    /// Bytes of the smallest stack area.
    stack: u64,
}

impl Modules {
    /// Returns None when a stack is larger than a module, and when there are no kernels or modules.
    fn new(checked: &Checked, device: &Device, grid: &Grid) -> Option<Self> {
        let mut cores: BTreeMap<TileId, usize> = BTreeMap::new();
        for core in grid.ids().filter(|&tile| grid.is_open(tile)) {
            grid.reach(core).iter().for_each(|&module| *cores.entry(module).or_default() += 1);
        }
        // Blocks begin at multiples of the alignment, and all sizes here are multiples of it. The
        // contents of a module therefore sum to no more than this.
        let bytes = device.memory.aligned(device.memory.module_bytes.into());
        let stacks = checked.kernels.ids().map(|kernel| checked.stack_area_bytes(&[kernel], device));
        if cores.is_empty() {
            return None;
        }
        Some(Self {
            bytes,
            alignment: device.memory.buffer_alignment.max(1).into(),
            cores: cores.into_values().collect(),
            kernels: checked.kernels.len(),
            stack: stacks.min().filter(|&stack| stack <= bytes)?,
        })
    }

    /// Number of buffers of `bytes` that a module holds beside 0, 1, 2, ... stacks, up to the
    /// number of cores or of stacks that fit.
    fn holds(&self, bytes: u64) -> Vec<u64> {
        let most = self.cores.iter().max().copied().unwrap_or(0) as u64;
        let left = (0..=most).map_while(|stacks| self.bytes.checked_sub(stacks * self.stack));
        left.map(|left| left / bytes.max(1)).collect()
    }

    /// Maximum number of buffers in all modules, over all assignments of the kernels' stacks to
    /// modules (dynamic programming). A module holds as many as `holds` says beside its stacks.
    /// Returns None when the stacks alone do not fit.
    fn room(&self, holds: &[u64]) -> Option<u64> {
        // By number of stacks: the maximum number of buffers in the modules so far.
        let mut most = vec![None; self.kernels + 1];
        most[0] = Some(0);
        for &cores in &self.cores {
            for stacks in (0..most.len()).rev() {
                let beside =
                    |(here, buffers): (usize, &u64)| Some(most[stacks.checked_sub(here)?]? + buffers);
                most[stacks] = holds.iter().take(cores + 1).enumerate().filter_map(beside).max();
            }
        }
        most[self.kernels]
    }

    /// Room for buffers of `bytes`. Returns None when `count` of them fit.
    fn too_little(&self, bytes: u64, count: u64) -> Option<u64> {
        let holds = self.holds(bytes);
        if count <= holds.last()? * self.cores.len() as u64 {
            return None;
        }
        self.room(&holds).filter(|&room| room < count)
    }
}

/// The buffers of a design.
struct Windows {
    /// Bytes of a buffer and the number of such buffers in every placement.
    always: Vec<(u64, u64)>,
    /// For each shareable connection, the bytes and number of the buffers that DMA adds.
    shared: Vec<(u64, u64)>,
    /// Minimum number of shareable connections by DMA.
    cut: u64,
    /// All buffer sizes in bytes, each with a port of that size.
    sizes: BTreeMap<u64, PortId>,
}

impl Windows {
    fn new(checked: &Checked, device: &Device, bound: &Bound) -> Self {
        let mut windows = Self { always: Vec::new(), shared: Vec::new(), cut: 0, sizes: BTreeMap::new() };
        // The one connection of the port leads to its own kernel.
        let is_own = |port: PortId| {
            let mut all = checked.ports[port].connections.iter().map(|&id| &checked.connections[id]);
            all.any(|c| checked.kernel_of(c.from) == checked.kernel_of(c.to))
        };
        for (port, entry) in checked.ports.enumerate() {
            if !matches!(entry.owner, Owner::Kernel(_)) {
                continue;
            }
            let bytes = checked.buffer_bytes(port, device);
            let buffers = (bytes, u64::from(checked.copies(port)));
            // A shared window has only its consumer's buffers. A window from a kernel to itself is
            // always shared.
            if entry.direction == Direction::In || !checked.may_share(port) {
                windows.always.push(buffers);
            } else if !is_own(port) {
                windows.shared.push(buffers);
            }
            if bytes > 0 {
                windows.sizes.entry(bytes).or_insert(port);
            }
        }
        // The bound also counts connections that never share.
        let never = checked.connections.iter().filter(|c| !checked.may_share(c.from)).count();
        windows.cut = bound.connections.saturating_sub(never as u64);
        windows
    }

    /// Minimum number of buffers of `bytes` or more, and how many of them DMA adds.
    fn count(&self, bytes: u64) -> (u64, u64) {
        let large = |&(size, buffers): &(u64, u64)| if size >= bytes { buffers } else { 0 };
        let always: u64 = self.always.iter().map(large).sum();
        // By number of added buffers: the number of connections.
        let mut more: BTreeMap<u64, u64> = BTreeMap::new();
        self.shared.iter().for_each(|window| *more.entry(large(window)).or_default() += 1);
        let (mut left, mut by_dma) = (self.cut, 0);
        for (buffers, connections) in more {
            let taken = connections.min(left);
            (left, by_dma) = (left - taken, by_dma + taken * buffers);
        }
        (always + by_dma, by_dma)
    }
}
