//! The self-check of a device: do its numbers agree with each other?

use crate::{Device, Grid};

/// Upper bound on the tiles of an array, which keeps every per-tile table small.
const MAX_TILES: u32 = 16_384;

/// Everything wrong with `device`, one sentence each; empty for a sound one.
pub fn faults(device: &Device) -> Vec<String> {
    let mut faults = Vec::new();
    let mut require = |holds: bool, fault: String| {
        if !holds {
            faults.push(fault);
        }
    };
    let tiles = u32::from(device.columns) * u32::from(device.rows);
    require(tiles > 0, "an array has at least one column and one row".into());
    require(tiles <= MAX_TILES, format!("{tiles} tiles are more than the {MAX_TILES} that aiec handles"));
    memory(device, &mut require);
    shim(device, &mut require);
    require(device.clock.array_mhz > 0, "array_mhz is 0".into());
    let wires = [device.switch.north, device.switch.south, device.switch.east, device.switch.west];
    require(wires.iter().all(|&w| w <= 64), "a switch has more than 64 wires to one side".into());
    if faults.is_empty() && !sharing_is_symmetric(device) {
        faults.push("a core reaches its own module in no consistent way".into());
    }
    faults
}

fn memory(device: &Device, require: &mut impl FnMut(bool, String)) {
    let memory = &device.memory;
    require(memory.module_bytes > 0, "module_bytes is 0".into());
    require(memory.module_bytes <= 1 << 24, "module_bytes is larger than 16 MiB".into());
    let banks = memory.banks > 0 && memory.module_bytes.is_multiple_of(memory.banks);
    require(banks, format!("{} bytes do not divide into {} banks", memory.module_bytes, memory.banks));
    require(memory.buffer_alignment.is_power_of_two(), "buffer_alignment is not a power of two".into());
    require(memory.buffer_rounding.is_power_of_two(), "buffer_rounding is not a power of two".into());
    let reach = [memory.neighbour_even_row, memory.neighbour_odd_row];
    require(
        reach.iter().all(|offset| matches!(offset, -1 | 1)),
        "a horizontal neighbour is 1 column away".into(),
    );
    let system = memory.sync_bytes.saturating_add(memory.default_stack).saturating_add(memory.default_heap);
    require(system <= memory.module_bytes, "default stack, heap and sync area exceed a module".into());
}

fn shim(device: &Device, require: &mut impl FnMut(bool, String)) {
    let shim = &device.shim;
    let ascending = shim.noc_columns.windows(2).all(|pair| pair[0] < pair[1]);
    require(ascending, "noc_columns are not in ascending order".into());
    let inside = shim.noc_columns.iter().all(|&column| column < device.columns);
    require(
        inside,
        format!("a NoC column lies beyond the last column, {}", device.columns.saturating_sub(1)),
    );
    let pl = shim.pl_columns;
    require(pl.first <= pl.last && pl.last < device.columns, "pl_columns is not a range of columns".into());
    require(shim.plio_in_channels <= 64 && shim.plio_out_channels <= 64, "more than 64 PLIO channels".into());
    require(!shim.plio_widths.is_empty(), "plio_widths is empty".into());
}

/// Sharing a module is mutual, and every core reaches its own module.
fn sharing_is_symmetric(device: &Device) -> bool {
    let grid = Grid::new(device);
    grid.ids().all(|a| grid.reaches(a, a) && grid.partners(a).iter().all(|&b| grid.partners(b).contains(&a)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{builtin, builtin_names};

    fn xcvc1902() -> Device {
        builtin("xcvc1902").and_then(|outcome| outcome.into_parts().0).expect("built in")
    }

    #[test]
    fn every_built_in_device_is_sound() {
        for name in builtin_names() {
            let outcome = builtin(name).expect("listed");
            assert!(outcome.diagnostics().is_empty(), "{name}: {:?}", outcome.diagnostics());
            assert_eq!(outcome.value().map(|d| d.name.as_str()), Some(name));
        }
    }

    #[test]
    fn contradictions_are_found() {
        let spoil: [fn(&mut Device); 5] = [
            |d| d.columns = 0,
            |d| d.memory.banks = 3,
            |d| d.shim.noc_columns = vec![60],
            |d| d.memory.neighbour_odd_row = 2,
            |d| d.memory.default_heap = 1 << 20,
        ];
        for (i, spoil) in spoil.iter().enumerate() {
            let mut device = xcvc1902();
            spoil(&mut device);
            assert!(!faults(&device).is_empty(), "case {i} is not found");
        }
    }
}
