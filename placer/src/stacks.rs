//! Proves infeasibility: large buffers and stacks do not fit the modules together. It compares the
//! minimum number of buffers of a size or larger with the maximum number that all modules hold
//! beside one stack for every core.
//!
//! Takes a checked design, its device and a lower bound on its connections through DMA. Returns the
//! excess, if it is proved. Every core has its stack in one of the modules in its reach, and only a
//! few cores reach one module, so stacks occupy many modules. The count treats every shareable
//! window as shared, except for the number of windows that the bound sends by DMA. A window by DMA
//! has buffers at both ends; the count takes the smallest such windows.

use std::collections::BTreeMap;

use aiec_check::Checked;
use aiec_device::{Device, Grid, TileId};
use aiec_ir::expanded::Owner;
use aiec_ir::{Direction, PortId, WHOLE_CORE};

use crate::bound::Bound;
use crate::demand;

/// Product of kernels and modules up to which stacks are assigned to modules optimally. Beyond it
/// the count ignores stacks.
const MOST_WORK: usize = 1 << 20;

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
    let mut rooms = Rooms { modules: &modules, known: BTreeMap::new() };
    windows.sizes.iter().rev().find_map(|(&bytes, &port)| {
        let (count, by_dma) = windows.count(bytes);
        let room = rooms.too_little(bytes, count)?;
        Some(Excess {
            bytes,
            buffers: [count, room],
            modules: modules.cores.len() as u64,
            holds: modules.holds(bytes),
            stack: modules.stack,
            by_dma: if by_dma > 0 { windows.cut } else { 0 },
            bound,
            fitting: fitting(&windows, &mut rooms),
            port,
        })
    })
}

/// Largest buffer size for which everything fits if no window has larger buffers. Windows that
/// shrink to that size count too.
fn fitting(windows: &Windows, rooms: &mut Rooms<'_>) -> Option<u64> {
    let modules = rooms.modules;
    let mut fits = |bytes: u64| rooms.too_little(bytes, windows.count(bytes).0).is_none();
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
        let bytes = demand::occupied(device, device.memory.module_bytes.into());
        let stacks = checked.kernels.ids().map(|kernel| demand::stack_bytes(checked, device, &[kernel]));
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
        if self.kernels.saturating_mul(self.cores.len()) > MOST_WORK {
            return Some(holds.first()? * self.cores.len() as u64);
        }
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
}

/// Cache of counted rooms, by the contents of `holds`.
struct Rooms<'a> {
    modules: &'a Modules,
    known: BTreeMap<Vec<u64>, Option<u64>>,
}

impl Rooms<'_> {
    /// Room for buffers of `bytes`. Returns None when `count` of them fit.
    fn too_little(&mut self, bytes: u64, count: u64) -> Option<u64> {
        let holds = self.modules.holds(bytes);
        if count <= holds.last()? * self.modules.cores.len() as u64 {
            return None;
        }
        let room = *self.known.entry(holds).or_insert_with_key(|holds| self.modules.room(holds));
        room.filter(|&room| room < count)
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
        for (port, entry) in checked.ports.enumerate() {
            if !matches!(entry.owner, Owner::Kernel(_)) {
                continue;
            }
            let bytes = demand::buffer_bytes(checked, device, port);
            let buffers = (bytes, u64::from(demand::copies(checked, port)));
            // A shared window has only its consumer's buffers. A window from a kernel to itself is
            // always shared.
            if entry.direction == Direction::In || !demand::may_share(checked, port) {
                windows.always.push(buffers);
            } else if !is_own(checked, port) {
                windows.shared.push(buffers);
            }
            if bytes > 0 {
                windows.sizes.entry(bytes).or_insert(port);
            }
        }
        // The bound also counts connections that never share.
        let never = checked.connections.iter().filter(|c| !demand::may_share(checked, c.from)).count();
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

/// True if the one connection of `port` leads to its own kernel.
fn is_own(checked: &Checked, port: PortId) -> bool {
    let connections = checked.ports[port].connections.iter().map(|&id| &checked.connections[id]);
    connections.into_iter().any(|c| checked.kernel_of(c.from) == checked.kernel_of(c.to))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bound::bound;
    use crate::buffers;
    use crate::pins::Pins;
    use crate::rules::Rules;
    use crate::teams::Teams;
    use aiec_device::builtin;
    use aiec_ir::Buffering;
    use aiec_test_support::{Builder, input, int32, output};
    use proptest::prelude::*;

    /// True if all buffers and stacks fit, with the kernels after those of `tiles` on some of the
    /// other tiles.
    fn fits(checked: &Checked, device: &Device, grid: &Grid, teams: &Teams, tiles: &mut Vec<TileId>) -> bool {
        if tiles.len() == checked.kernels.len() {
            return buffers::assign(checked, device, grid, teams, tiles).is_ok();
        }
        let free: Vec<TileId> = grid.ids().filter(|tile| !tiles.contains(tile)).collect();
        free.into_iter().any(|tile| {
            tiles.push(tile);
            let found = fits(checked, device, grid, teams, tiles);
            tiles.pop();
            found
        })
    }

    /// A design on an array with as many tiles as it has kernels.
    #[derive(Clone, Debug)]
    struct Case {
        columns: u16,
        rows: u16,
        /// Sender, receiver, bytes of the window, and whether it has a single buffer.
        windows: Vec<(usize, usize, u32, bool)>,
        /// Bytes of the stacks; the kernels alternate between the two.
        stacks: [u32; 2],
    }

    /// Trees and similar designs. A module holds one to four of their windows. Most windows are
    /// alike, and single kernels have as many as fit around them.
    fn cases() -> impl Strategy<Value = Case> {
        let sizes = vec![7_680_u32, 8_192, 10_240, 11_776, 12_288, 14_336, 15_328, 15_360, 20_480];
        let stacks = prop::sample::select(vec![512_u32, 1_024, 4_096, 8_192, 10_240]);
        let array = prop::sample::select(vec![(4_u16, 1_u16), (5, 1), (6, 1), (3, 2)]);
        let window = (0_usize..60, 0_usize..60, prop::sample::select(sizes.clone()));
        let alike = prop::option::weighted(0.8, prop::sample::select(sizes));
        let windows =
            (alike, prop::collection::vec(window, 4..24), prop::sample::select(vec![0_usize, 1, 24]));
        (array, windows, prop::array::uniform2(stacks)).prop_map(|((columns, rows), windows, stacks)| {
            let (kernels, (size, windows, doubles)) = (usize::from(columns * rows), windows);
            let (stacks, reach) = ([stacks[0], stacks[0].max(stacks[1])], 65_536 * u32::from(rows));
            let mut around = vec![stacks[1] + 1_056; kernels];
            let mut kept = Vec::new();
            for (number, (to, from, own)) in windows.into_iter().enumerate() {
                let to = if number < kernels - 1 { number + 1 } else { to % (kernels - 1) + 1 };
                let (from, bytes, single) = (from % to, size.unwrap_or(own), number >= doubles);
                let more = if single { bytes } else { 2 * bytes };
                if [from, to].iter().all(|&end| around[end] + more <= reach) {
                    [from, to].iter().for_each(|&end| around[end] += more);
                    kept.push((from, to, bytes, single));
                }
            }
            Case { columns, rows, windows: kept, stacks }
        })
    }

    /// Builds the design.
    fn design(case: &Case) -> Builder {
        let names: Vec<String> = (0..case.windows.len()).map(|number| format!("w{number}")).collect();
        let mut builder = Builder::new("large", "toy");
        for kernel in 0..usize::from(case.columns * case.rows) {
            let ports =
                case.windows.iter().zip(&names).filter_map(|(&(from, to, bytes, _), name)| match kernel {
                    _ if kernel == to => Some(input(name, int32(bytes / 4))),
                    _ if kernel == from => Some(output(name, int32(bytes / 4))),
                    _ => None,
                });
            builder.kernels(&format!("k{kernel}"), &[], &ports.collect::<Vec<_>>());
            builder.stack(&format!("k{kernel}"), case.stacks[kernel % 2]);
        }
        for (&(from, to, _, single), name) in case.windows.iter().zip(&names) {
            let buffering = if single { Buffering::Single } else { Buffering::Pingpong };
            builder.connect_with(&format!("k{from}.{name}"), &format!("k{to}.{name}"), buffering);
        }
        builder
    }

    #[test]
    fn no_tiles_have_memory_for_buffers_that_are_too_many() {
        never_too_many(48);
    }

    #[test]
    #[ignore = "long: tries out 1024 designs"]
    fn no_tiles_have_memory_for_buffers_that_are_too_many_in_all_cases() {
        never_too_many(1_024);
    }

    /// On an array of one row a core has two partners. This cuts several connections.
    fn never_too_many(number: u32) {
        proptest!(ProptestConfig::with_cases(number), |(case in cases())| {
            let toy = builtin("toy").and_then(|outcome| outcome.into_parts().0).expect("built in");
            let device = Device { columns: case.columns, rows: case.rows, ..toy };
            let expanded = design(&case).expanded().expect("names are right");
            if let Some(checked) = aiec_check::check(expanded, &device).into_parts().0 {
                let grid = Grid::new(&device);
                let rules = Rules::new(&checked, &grid, &Pins::default());
                let teams = Teams::new(&checked, &device, &grid, &rules).expect("there are tiles");
                if let Some(excess) = excess(&checked, &device, &grid, bound(&checked, &device)) {
                    prop_assert!(!fits(&checked, &device, &grid, &teams, &mut Vec::new()), "{excess:?}");
                }
            }
        });
    }
}
