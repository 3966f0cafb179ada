//! Rules about the grid, the cores, their memories, locks and DMA.

use super::{Faults, MAX_PORTS, MAX_TILES};
use crate::model::{LockKind, Sides, SwitchPorts};
use crate::{CascadeOrder, Device};

/// End of the data memory that a core can address, far above that of any array: 64 MiB, four
/// modules of the largest size.
const MAX_ADDRESS: u32 = 1 << 26;

/// End of the lock numbers of a core, far above those of any array.
const MAX_LOCK_IDS: u32 = 4096;

/// Tiles to keep out of lie on the array, and leave some.
pub(super) fn keepout(device: &Device, faults: &mut Faults) {
    for tile in &device.keepout {
        faults.require(tile.column < device.columns && tile.row < device.rows, "keepout", || {
            format!("{tile} is not a tile of the array")
        });
    }
    let closed: std::collections::BTreeSet<_> = device.keepout.iter().collect();
    let tiles = usize::from(device.columns) * usize::from(device.rows);
    faults.require(closed.len() < tiles.max(1), "keepout", || "no tile is left".to_owned());
}

/// The array has tiles, and not more than per-tile tables can hold.
pub(super) fn size(device: &Device, faults: &mut Faults) {
    faults.positive("columns", device.columns.into());
    faults.positive("rows", device.rows.into());
    let tiles = u32::from(device.columns) * u32::from(device.rows);
    faults.require(tiles <= MAX_TILES, "columns", || {
        format!("{tiles} tiles are more than the {MAX_TILES} that aiec handles")
    });
    let below = 1 + device.memory_tiles.as_ref().map_or(0, |tiles| u32::from(tiles.rows));
    faults.same(
        "first_hardware_row",
        device.first_hardware_row.into(),
        "the number of rows below the cores",
        below,
    );
}

/// Counts that are positive on every array.
pub(super) fn positive(device: &Device, faults: &mut Faults) {
    let (core, tile, switch) = (&device.core, &device.tile, &device.switch);
    let counts = [
        ("core.program_bytes", core.program_bytes),
        ("core.loads", core.loads),
        ("core.load_bits", core.load_bits),
        ("core.stores", core.stores),
        ("core.store_bits", core.store_bits),
        ("core.cascade_bits", core.cascade_bits),
        ("core.cascade_fifo", core.cascade_fifo),
        ("tile.word_bytes", tile.word_bytes),
        ("tile.dma_queue", tile.dma_queue),
        ("tile.dma_dimensions", tile.dma_dimensions),
        ("switch.hop_cycles", switch.hop_cycles),
        ("switch.hop_words", switch.hop_words),
        ("switch.fifo_words", switch.fifo_words),
        ("clock.pl_divisor", device.clock.pl_divisor),
        ("clock.pl_min_divisor", device.clock.pl_min_divisor),
        ("clock.pl_register_divisor", device.clock.pl_register_divisor),
    ];
    for (key, value) in counts {
        faults.positive(key, value);
    }
    for (key, value) in
        [("switch.local_cycles", switch.local_cycles), ("shim.crossing_fifo", device.shim.crossing_fifo)]
    {
        faults.require(value != Some(0), key, || "it is 0".to_owned());
    }
}

/// A module divides into banks, and the two ways to count banks agree.
pub(super) fn banks(device: &Device, faults: &mut Faults) {
    let memory = &device.memory;
    let bytes = memory.module_bytes;
    faults.require(bytes > 0 && bytes <= 1 << 24, "memory.module_bytes", || {
        format!("{bytes} bytes are not a valid module size: aiec handles up to 16 MiB")
    });
    for (key, banks) in [("memory.banks", memory.banks), ("memory.physical_banks", memory.physical_banks)] {
        faults.require(banks > 0 && bytes.is_multiple_of(banks), key, || {
            format!("{bytes} bytes do not divide into {banks} banks")
        });
    }
    let bits = |banks: u32, bits: u32| u64::from(banks) * u64::from(bits);
    let logical = bits(memory.banks, memory.bank_bits);
    let physical = bits(memory.physical_banks, memory.physical_bank_bits);
    faults.require(logical > 0 && logical == physical, "memory.bank_bits", || {
        format!("the banks move {logical} bits per cycle, the physical banks {physical}")
    });
}

/// The modules around a core lie side by side in its address space.
pub(super) fn addresses(device: &Device, faults: &mut Faults) {
    let bytes = device.memory.module_bytes;
    let addresses = &device.memory.addresses;
    apart(faults, "memory.addresses", addresses, bytes, "bytes of a module");
    let bases = [addresses.south, addresses.west, addresses.north, addresses.east];
    let odd = bases.into_iter().find(|base| !base.is_multiple_of(bytes.max(1)));
    faults.require(odd.is_none(), "memory.addresses", || {
        format!("{:#x} is no multiple of the {bytes} bytes of a module", odd.unwrap_or(0))
    });
    within(faults, "memory.addresses", &bases, bytes, MAX_ADDRESS);
}

/// Ranges of `size` that begin at each of `bases` end at `end` or before.
fn within(faults: &mut Faults, key: &str, bases: &[u32], size: u32, end: u32) {
    let beyond = bases.iter().find(|&&base| u64::from(base) + u64::from(size) > end.into());
    faults.require(beyond.is_none(), key, || {
        format!("{size} from {} on go beyond {end}", beyond.copied().unwrap_or(0))
    });
}

/// The four numbers leave room for `size` each.
fn apart(faults: &mut Faults, key: &str, sides: &Sides, size: u32, of: &str) {
    let mut bases = [sides.south, sides.west, sides.north, sides.east];
    bases.sort_unstable();
    let room = bases.windows(2).all(|pair| pair[1] - pair[0] >= size);
    faults.require(room, key, || format!("two sides are less than the {size} {of} apart"));
}

/// Locks have values of their kind, and numbers that do not overlap.
pub(super) fn locks(device: &Device, faults: &mut Faults) {
    let tile = &device.tile;
    let ids = &tile.lock_ids;
    apart(faults, "tile.lock_ids", ids, tile.locks, "locks of a module");
    within(faults, "tile.lock_ids", &[ids.south, ids.west, ids.north, ids.east], tile.locks, MAX_LOCK_IDS);
    let fits = match tile.lock_kind {
        LockKind::Binary => tile.lock_max == 1,
        LockKind::Semaphore => tile.lock_max > 1,
    };
    faults.require(fits, "tile.lock_max", || {
        format!("{} is not the largest value of such a lock", tile.lock_max)
    });
}

/// A buffer descriptor covers a whole module, or one word less if the length field cannot hold its
/// size.
pub(super) fn descriptors(device: &Device, faults: &mut Faults) {
    let tile = &device.tile;
    let reach = (u64::from(tile.bd_words) + 1) * u64::from(tile.word_bytes);
    faults.require(reach >= device.memory.module_bytes.into(), "tile.bd_words", || {
        format!(
            "{} words do not reach the end of a module of {} bytes",
            tile.bd_words, device.memory.module_bytes
        )
    });
    // A field of n bits holds a length from 1 to 2^n, or from 0 to 2^n - 1.
    let bits = &tile.bd_bits;
    let lengths = 1_u64.checked_shl(bits.length).unwrap_or(0);
    let holds = [lengths, lengths.saturating_sub(1)].contains(&tile.bd_words.into());
    faults.require(holds && lengths > 0, "tile.bd_bits", || {
        format!("{} bits of length do not match {} words", bits.length, tile.bd_words)
    });
    let module = device.memory.module_bytes.div_ceil(tile.word_bytes.max(1));
    let offsets = bits.offset.map(|bits| 1_u64.checked_shl(bits).unwrap_or(u64::MAX));
    faults.require(offsets.is_none_or(|words| words >= module.into()), "tile.bd_bits", || {
        format!("{} bits of offset do not reach the end of a module", bits.offset.unwrap_or(0))
    });
    for (field, value) in
        [("length", Some(bits.length)), ("offset", bits.offset), ("step", bits.step), ("wrap", bits.wrap)]
    {
        faults.require(value.is_none_or(|bits| (1..=32).contains(&bits)), "tile.bd_bits", || {
            format!("{} is not a valid number of bits of a {field}", value.unwrap_or(0))
        });
    }
    let counts = [
        ("tile.locks", tile.locks),
        ("tile.bds", tile.bds),
        ("tile.s2mm", tile.s2mm),
        ("tile.mm2s", tile.mm2s),
    ];
    for (key, value) in counts {
        faults.require((1..=1024).contains(&value), key, || format!("{value} is not from 1 to 1024"));
    }
}

/// The costs of a buffer are small. 0 means no cost.
pub(super) fn costs(device: &Device, faults: &mut Faults) {
    let costs = [
        ("costs.buffer_locks", device.costs.buffer_locks),
        ("costs.dma_buffer_bds", device.costs.dma_buffer_bds),
    ];
    for (key, value) in costs {
        faults
            .require(value <= MAX_PORTS, key, || format!("{value} for one buffer are more than {MAX_PORTS}"));
    }
}

/// The horizontal neighbour is the next tile. It follows the parity of the rows only if the cascade
/// does.
pub(super) fn neighbours(device: &Device, faults: &mut Faults) {
    let (even, odd) = (device.memory.neighbour_even_row, device.memory.neighbour_odd_row);
    for (key, offset) in [("memory.neighbour_even_row", even), ("memory.neighbour_odd_row", odd)] {
        faults.require(matches!(offset, -1 | 1), key, || format!("{offset} is not -1 (west) or 1 (east)"));
    }
    let mirrored = even != odd;
    let snake = device.core.cascade_order == CascadeOrder::Snake;
    faults.require(mirrored == snake, "core.cascade_order", || {
        "a snake needs rows that reach west and east in turn; without a snake all rows reach one \
         way"
        .to_owned()
    });
}

/// An optional limit is not 0 if the file gives it.
pub(super) fn limits(device: &Device, faults: &mut Faults) {
    let (tools, shim) = (&device.tools, &device.shim);
    let limits = [
        ("shim.gmio_bds", shim.gmio_bds),
        ("tools.fifo_threshold_words", tools.fifo_threshold_words),
        ("tools.router_units", tools.router_units),
        ("tools.slave_nets", tools.slave_nets),
        ("tools.trace_streams", tools.trace_streams),
    ];
    for (key, value) in limits {
        faults.require(value != Some(0), key, || "it is 0; omit it for no limit".to_owned());
    }
}

/// The default contents of a module fit it, and buffers start and end at powers of two.
pub(super) fn system(device: &Device, faults: &mut Faults) {
    let memory = &device.memory;
    let system = memory.sync_bytes.saturating_add(memory.default_stack).saturating_add(memory.default_heap);
    faults.require(system <= memory.module_bytes, "memory.default_stack", || {
        format!("default stack, heap and sync area are {system} bytes, a module has {}", memory.module_bytes)
    });
    for (key, value) in [
        ("memory.buffer_alignment", memory.buffer_alignment),
        ("memory.buffer_rounding", memory.buffer_rounding),
    ] {
        faults
            .require(value == 0 || value.is_power_of_two(), key, || format!("{value} is not a power of two"));
        faults.require(value <= memory.module_bytes, key, || {
            format!("{value} bytes are more than the {} of a module", memory.module_bytes)
        });
    }
    let word = device.tile.word_bytes.max(1);
    faults.require(memory.sync_bytes.is_multiple_of(word), "memory.sync_bytes", || {
        format!("{} bytes are not whole words of {word}", memory.sync_bytes)
    });
    faults.require(memory.min_window <= memory.module_bytes, "memory.min_window", || {
        format!("{} bytes are more than a module has", memory.min_window)
    });
}

/// Numbers that may be unknown on a device that is only described, but not on a target.
pub(super) fn target(device: &Device, faults: &mut Faults) {
    let memory = &device.memory;
    let known = [
        ("memory.buffer_alignment", memory.buffer_alignment),
        ("memory.buffer_rounding", memory.buffer_rounding),
        ("memory.sync_bytes", memory.sync_bytes),
        ("memory.default_stack", memory.default_stack),
        ("memory.min_window", memory.min_window),
        ("clock.array_mhz", device.clock.array_mhz),
    ];
    for (key, value) in known {
        faults.require(!device.supported || value > 0, key, || {
            "a device with `supported = true` must state it".to_owned()
        });
    }
    faults.require(!device.supported || device.shim.pl_columns.is_some(), "shim.pl_columns", || {
        "a device with `supported = true` must state it".to_owned()
    });
    let streams =
        [("tile.streams_in", device.tile.streams_in), ("tile.streams_out", device.tile.streams_out)];
    for (key, value) in streams {
        faults.require(value <= MAX_PORTS, key, || format!("{value} are more than {MAX_PORTS}"));
    }
    // Restricted crossbars and memory tiles need a router that models ports. Trace units are only
    // sources, which the router models.
    let only_trace = |switch: &SwitchPorts| switch.forbidden.iter().all(|rule| rule.is_about_trace());
    let plain = device.memory_tiles.is_none()
        && [&device.switch.core, &device.switch.shim].into_iter().all(only_trace);
    faults.require(!device.supported || plain, "supported", || {
        "aiec cannot target memory tiles and restricted crossbars".to_owned()
    });
}
