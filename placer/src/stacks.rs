//! A proof that large buffers and stacks find no room together: counted are the buffers of a size or more that there are at least, and those that the
//! modules hold at most with a stack for every core among them.
//!
//! In come a checked design, its device and a bound on its connections through DMA; out goes what is too much, if that is proved. Every core has its
//! stack in one of the modules it reaches, and a module is in reach of a few cores only, so that stacks lie in many modules. Buffers are counted as if
//! every window that may be shared were, but for as many as go by DMA at least: those have buffers at both ends, and the smallest are taken.

use std::collections::BTreeMap;

use aiec_check::Checked;
use aiec_device::{Device, Grid, TileId};
use aiec_ir::expanded::Owner;
use aiec_ir::{Direction, PortId, WHOLE_CORE};

use crate::bound::Bound;
use crate::demand;

/// Kernels times modules up to which stacks are given to modules in the best way; beyond, buffers are counted as if there were no stacks.
const MOST_WORK: usize = 1 << 20;

/// What does not fit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Excess {
    /// Bytes that each of the buffers counted takes at least.
    pub(crate) bytes: u64,
    /// How many of them there are at least, and how many find room at most.
    pub(crate) buffers: [u64; 2],
    /// Modules in reach of any core.
    pub(crate) modules: u64,
    /// How many of the buffers a module holds beside 0, 1, 2, ... stacks, as many as there may be.
    pub(crate) holds: Vec<u64>,
    /// Bytes that the stack area of each kernel takes at least.
    pub(crate) stack: u64,
    /// Connections that could share memory but go by DMA, at least, if buffers of these are counted at both ends; else 0.
    pub(crate) by_dma: u64,
    /// What proves that.
    pub(crate) bound: Bound,
    /// Bytes of a buffer such that the same count finds room for everything if none is larger.
    pub(crate) fitting: Option<u64>,
    /// A port with buffers of just `bytes`.
    pub(crate) port: PortId,
}

/// Buffers that are too many; none if nothing is proved, and where two kernels may run on one core, which has one stack area. `bound` holds for
/// every placement of the design on the device.
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

/// The most bytes of a buffer such that nothing is too much if no window has larger ones, those that are made as small by it counted too.
fn fitting(windows: &Windows, rooms: &mut Rooms<'_>) -> Option<u64> {
    let modules = rooms.modules;
    let mut fits = |bytes: u64| rooms.too_little(bytes, windows.count(bytes).0).is_none();
    let limit = *windows.sizes.keys().find(|&&bytes| !fits(bytes))?;
    // Room grows only where one more buffer fits a module beside so many stacks.
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
    /// Bytes of one.
    bytes: u64,
    /// What the offset of a buffer is a multiple of, in bytes.
    alignment: u64,
    /// For each module that any core reaches, how many do.
    cores: Vec<usize>,
    /// Kernels, each on a core of its own.
    kernels: usize,
    /// Bytes of the least of their stack areas.
    stack: u64,
}

impl Modules {
    /// None if a stack is larger than a module, or where there are no kernels or modules.
    fn new(checked: &Checked, device: &Device, grid: &Grid) -> Option<Self> {
        let mut cores: BTreeMap<TileId, usize> = BTreeMap::new();
        for core in grid.ids().filter(|&tile| grid.is_open(tile)) {
            grid.reach(core).iter().for_each(|&module| *cores.entry(module).or_default() += 1);
        }
        // Blocks begin at multiples of the alignment, which all amounts here are: what lies in a module sums to no more than this.
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

    /// How many buffers of `bytes` a module holds beside 0, 1, 2, ... stacks, as many as there are cores or as fit.
    fn holds(&self, bytes: u64) -> Vec<u64> {
        let most = self.cores.iter().max().copied().unwrap_or(0) as u64;
        let left = (0..=most).map_while(|stacks| self.bytes.checked_sub(stacks * self.stack));
        left.map(|left| left / bytes.max(1)).collect()
    }

    /// The most buffers in all modules, each of which holds as many as `holds` says beside its stacks, over all ways to give the stacks of all kernels
    /// to modules; none if those alone find no room.
    fn room(&self, holds: &[u64]) -> Option<u64> {
        if self.kernels.saturating_mul(self.cores.len()) > MOST_WORK {
            return Some(holds.first()? * self.cores.len() as u64);
        }
        // By number of stacks, the most buffers in the modules so far.
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

/// Rooms that were counted before, by what a module holds.
struct Rooms<'a> {
    modules: &'a Modules,
    known: BTreeMap<Vec<u64>, Option<u64>>,
}

impl Rooms<'_> {
    /// Room for buffers of `bytes`, if it is too little for `count` of them.
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
    /// Bytes of a buffer and how many: those that there are wherever kernels are.
    always: Vec<(u64, u64)>,
    /// The same of connections that could share memory: what each has more if it goes by DMA.
    shared: Vec<(u64, u64)>,
    /// How many of these go by DMA at least.
    cut: u64,
    /// All bytes of a buffer that there are, each with a port.
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
            // The buffers of a window that is shared are those of its consumer; one from a kernel to itself always is.
            if entry.direction == Direction::In || !demand::may_share(checked, port) {
                windows.always.push(buffers);
            } else if !is_own(checked, port) {
                windows.shared.push(buffers);
            }
            if bytes > 0 {
                windows.sizes.entry(bytes).or_insert(port);
            }
        }
        // The bound counts those that never share, too.
        let never = checked.connections.iter().filter(|c| !demand::may_share(checked, c.from)).count();
        windows.cut = bound.connections.saturating_sub(never as u64);
        windows
    }

    /// Buffers of `bytes` or more that there are at least, and those of them that connections have more since they go by DMA.
    fn count(&self, bytes: u64) -> (u64, u64) {
        let large = |&(size, buffers): &(u64, u64)| if size >= bytes { buffers } else { 0 };
        let always: u64 = self.always.iter().map(large).sum();
        // By number of buffers, of how many connections.
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

    /// True if everything finds memory with the kernels after those of `tiles` on some of the other tiles.
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
        /// Kernel that sends, kernel that receives, bytes of the window, and whether it has one buffer.
        windows: Vec<(usize, usize, u32, bool)>,
        /// Bytes of the stacks, which the kernels have in turn.
        stacks: [u32; 2],
    }

    /// Trees and more, with windows of which a module holds one to four, mostly all alike, and as many as find room around single kernels.
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

    /// The design as a builder makes it.
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

    /// On arrays of one row a core has two partners, so that many connections are cut there.
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
