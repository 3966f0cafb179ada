//! A proof that large buffers and stacks find no room together: where as many buffers as a module holds leave no room for a stack, each module with
//! stacks holds fewer of them.
//!
//! In come a checked design and its device; out goes what is too much, if that is proved. Every core has its stack in one of the modules it
//! reaches, and a module is in reach of a few cores only, so that stacks lie in many modules. Buffers are counted as if every window that may be
//! shared were; one that goes through DMA has more.

use std::collections::BTreeMap;

use aiec_device::{Device, Grid, TileId};
use aiec_ir::expanded::Owner;
use aiec_ir::{Checked, Direction, PortId, WHOLE_CORE};

use crate::demand;

/// What does not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Excess {
    /// Bytes that each of the buffers counted takes at least.
    pub(crate) bytes: u64,
    /// How many of them there are, and how many find room at most.
    pub(crate) buffers: [u64; 2],
    /// How many of them a module holds, and how many beside a stack.
    pub(crate) of_module: [u64; 2],
    /// Modules that hold stacks, at least.
    pub(crate) modules: u64,
    /// Bytes of buffers, as many of which as before leave room for a stack.
    pub(crate) fitting: u64,
    /// A port with such buffers.
    pub(crate) port: PortId,
}

/// Buffers that are too many; none if nothing is proved, and where two kernels may run on one core, which has one stack area.
pub(crate) fn excess(checked: &Checked, device: &Device, grid: &Grid) -> Option<Excess> {
    let mut shares: Vec<u32> = checked.core_shares().iter().copied().collect();
    shares.sort_unstable();
    if shares.iter().take(2).sum::<u32>() <= WHOLE_CORE {
        return None;
    }
    // Blocks begin at multiples of the alignment, which all amounts here are: what lies in a module sums to no more than this.
    let module = demand::occupied(device, device.memory.module_bytes.into());
    let stacks = checked.kernels.ids().map(|kernel| demand::stack_bytes(checked, device, &[kernel]));
    let stack = stacks.min().filter(|&stack| stack <= module)?;
    let (all, cores) = modules(grid);
    let with_stacks = (checked.kernels.len() as u64).div_ceil(cores.max(1));
    let buffers = buffers(checked, device);
    let mut count = 0;
    buffers.into_iter().rev().find_map(|(bytes, (buffers, port))| {
        count += buffers;
        let most = module.checked_div(bytes)?;
        let beside = (module - stack) / bytes;
        let room = (most * all).saturating_sub((most - beside) * with_stacks);
        let alignment = u64::from(device.memory.buffer_alignment.max(1));
        let fitting = (module - stack) / most.max(1) / alignment * alignment;
        (most > beside && count > room).then_some(Excess {
            bytes,
            buffers: [count, room],
            of_module: [most, beside],
            modules: with_stacks,
            fitting,
            port,
        })
    })
}

/// Modules in reach of any core, and the most cores that reach one of them.
fn modules(grid: &Grid) -> (u64, u64) {
    let mut cores: BTreeMap<TileId, u64> = BTreeMap::new();
    for core in grid.ids().filter(|&tile| grid.is_open(tile)) {
        grid.reach(core).iter().for_each(|&module| *cores.entry(module).or_default() += 1);
    }
    (cores.len() as u64, cores.values().copied().max().unwrap_or(0))
}

/// By bytes, how many buffers there are at least, and a port that has some.
fn buffers(checked: &Checked, device: &Device) -> BTreeMap<u64, (u64, PortId)> {
    let mut buffers = BTreeMap::new();
    for (port, entry) in checked.ports.enumerate() {
        // The buffers of a window that is shared are those of its consumer.
        let shared = demand::may_share(checked, port) && entry.direction == Direction::Out;
        if !matches!(entry.owner, Owner::Kernel(_)) || shared {
            continue;
        }
        let bytes = demand::buffer_bytes(checked, device, port);
        if bytes > 0 {
            buffers.entry(bytes).or_insert((0, port)).0 += u64::from(demand::copies(checked, port));
        }
    }
    buffers
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::buffers;
    use crate::pins::Pins;
    use crate::rules::Rules;
    use crate::teams::Teams;
    use aiec_device::builtin;
    use aiec_ir::Buffering;
    use aiec_ir::build::{Builder, input, int32, output};
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

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(256))]

        /// Chains of five or six kernels on an array of 3 by 2, some windows with one buffer and the first several times.
        #[test]
        fn no_tiles_have_memory_for_buffers_that_are_too_many(
            kernels in 5_usize..7,
            more in 0_usize..3,
            singles in 0_usize..3,
            size in prop::sample::select(vec![10_240_u32, 15_328, 15_360]),
            stack in prop::sample::select(vec![512_u32, 1_024, 1_280]),
        ) {
            let toy = builtin("toy").and_then(|outcome| outcome.into_parts().0).expect("built in");
            let device = Device { columns: 3, rows: 2, ..toy };
            let senders: Vec<usize> = (0..kernels - 1).chain(std::iter::repeat_n(0, more)).collect();
            let names: Vec<String> = (0..senders.len()).map(|n| format!("w{n}")).collect();
            let mut builder = Builder::new("large", "toy");
            for kernel in 0..kernels {
                let windows = || senders.iter().zip(&names);
                let into = windows().filter(|(from, _)| **from + 1 == kernel);
                let out = windows().filter(|(from, _)| **from == kernel);
                let into = into.map(|(_, name)| input(name, int32(size / 4)));
                let out = out.map(|(_, name)| output(name, int32(size / 4)));
                builder.kernels(&format!("k{kernel}"), &[], &into.chain(out).collect::<Vec<_>>());
                builder.stack(&format!("k{kernel}"), stack);
            }
            for (n, (from, name)) in senders.iter().zip(&names).enumerate() {
                let buffering = if n < singles { Buffering::Single } else { Buffering::Pingpong };
                builder.connect_with(&format!("k{from}.{name}"), &format!("k{}.{name}", from + 1), buffering);
            }
            let expanded = builder.expanded().expect("names are right");
            if let Some(checked) = aiec_ir::check(expanded, &device).into_parts().0 {
                let grid = Grid::new(&device);
                let rules = Rules::new(&checked, &grid, &Pins::default());
                let teams = Teams::new(&checked, &device, &grid, &rules).expect("there are tiles");
                if let Some(excess) = excess(&checked, &device, &grid) {
                    prop_assert!(!fits(&checked, &device, &grid, &teams, &mut Vec::new()), "{excess:?}");
                }
            }
        }
    }
}
