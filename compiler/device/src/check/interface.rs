//! Rules about the interface row, memory tiles and clocks.

use std::collections::BTreeSet;

use super::{Faults, MAX_PORTS};
use crate::Device;
use crate::model::MemoryTiles;

/// Most bits of a PLIO channel, far above those of any array.
const MAX_CHANNEL_BITS: u32 = 1024;

/// Least number of address bits for global memory: the low region of DDR memory on a Versal device
/// is 2 GiB (AM011).
const MIN_ADDRESS_BITS: u32 = 31;

/// Columns of the interface row lie on the array, are sorted, and match their stated number.
pub(super) fn columns(device: &Device, faults: &mut Faults) {
    let shim = &device.shim;
    let last = device.columns.saturating_sub(1);
    let ascending = shim.noc_columns.windows(2).all(|pair| pair[0] < pair[1]);
    faults.require(ascending, "shim.noc_columns", || "the columns are not in ascending order".to_owned());
    let outside = shim.noc_columns.iter().find(|&&column| column > last);
    faults.require(outside.is_none(), "shim.noc_columns", || {
        format!("column {} lies beyond the last column, {last}", outside.copied().unwrap_or(0))
    });
    if let Some(pl) = shim.pl_columns {
        faults.require(pl.first <= pl.last && pl.last <= last, "shim.pl_columns", || {
            format!("{} to {} is not a range within the columns 0 to {last}", pl.first, pl.last)
        });
        let counted = pl.iter().count();
        faults.require(
            shim.pl_column_count.is_none_or(|count| usize::from(count) == counted),
            "shim.pl_column_count",
            || format!("shim.pl_columns are {counted} columns"),
        );
    }
    faults.require(
        shim.pl_column_count.is_none_or(|count| count <= device.columns),
        "shim.pl_column_count",
        || format!("the array has {} columns", device.columns),
    );
}

/// South ports are few, and every named one exists.
pub(super) fn channels(device: &Device, faults: &mut Faults) {
    let shim = &device.shim;
    let counts = [
        ("shim.plio_in_channels", shim.plio_in_channels),
        ("shim.plio_out_channels", shim.plio_out_channels),
    ];
    for (key, value) in counts {
        faults.require(value <= MAX_PORTS, key, || format!("{value} are more than {MAX_PORTS} channels"));
    }
    distinct(faults, "shim.slow_inputs", &shim.slow_inputs, shim.plio_in_channels);
    distinct(faults, "shim.noc_in_ports", &shim.noc_in_ports, shim.plio_in_channels);
    distinct(faults, "shim.noc_out_ports", &shim.noc_out_ports, shim.plio_out_channels);
}

/// The numbers are below `end`, each once.
fn distinct(faults: &mut Faults, key: &str, numbers: &[u32], end: u32) {
    let mut seen = BTreeSet::new();
    for &number in numbers {
        faults.require(number < end, key, || {
            format!("there is no {number}: they are 0 to {}", end.saturating_sub(1))
        });
        faults.require(seen.insert(number), key, || format!("{number} is listed twice"));
    }
}

/// A wide PLIO takes an even channel and the one after it, both of which exist (aie-rt).
pub(super) fn pairs(device: &Device, faults: &mut Faults) {
    let shim = &device.shim;
    for (key, pairs, channels) in [
        ("shim.plio_in_pairs", &shim.plio_in_pairs, shim.plio_in_channels),
        ("shim.plio_out_pairs", &shim.plio_out_pairs, shim.plio_out_channels),
    ] {
        let flat: Vec<u32> = pairs.iter().flatten().copied().collect();
        distinct(faults, key, &flat, channels);
        for [even, odd] in pairs.iter().copied() {
            faults.require(even % 2 == 0 && odd == even.saturating_add(1), key, || {
                format!("{even} and {odd} are not an even number and the one after it")
            });
        }
    }
}

/// A width fits a channel or a pair of them.
pub(super) fn widths(device: &Device, faults: &mut Faults) {
    let shim = &device.shim;
    let word = device.tile.word_bytes.saturating_mul(8);
    let holds = shim.channel_bits.is_power_of_two() && (word..=MAX_CHANNEL_BITS).contains(&shim.channel_bits);
    faults.require(holds, "shim.channel_bits", || {
        format!("{} is not a power of two from {word}, a word, to {MAX_CHANNEL_BITS}", shim.channel_bits)
    });
    faults.require(!shim.plio_widths.is_empty(), "shim.plio_widths", || "the list is empty".to_owned());
    for &width in &shim.plio_widths {
        let fits = width.is_power_of_two() && width >= 8 && width <= shim.channel_bits.saturating_mul(2);
        faults.require(fits, "shim.plio_widths", || {
            format!("{width} bits fit neither a channel of {} bits nor a pair of them", shim.channel_bits)
        });
    }
    let wide = shim.plio_widths.iter().any(|&width| width > shim.channel_bits);
    let paired = !shim.plio_in_pairs.is_empty() && !shim.plio_out_pairs.is_empty();
    faults.require(!wide || paired, "shim.plio_widths", || "no pair of channels takes the widest".to_owned());
}

/// The ports of the shim DMA exist, and the NoC can use them.
pub(super) fn gmio(device: &Device, faults: &mut Faults) {
    let shim = &device.shim;
    for (key, ports, channels, side, noc) in [
        (
            "shim.gmio_in_ports",
            &shim.gmio_in_ports,
            shim.plio_in_channels,
            "shim.noc_in_ports",
            &shim.noc_in_ports,
        ),
        (
            "shim.gmio_out_ports",
            &shim.gmio_out_ports,
            shim.plio_out_channels,
            "shim.noc_out_ports",
            &shim.noc_out_ports,
        ),
    ] {
        distinct(faults, key, ports, channels);
        let apart = ports.iter().find(|port| !noc.is_empty() && !noc.contains(port));
        faults.require(apart.is_none(), key, || {
            format!("{side} does not list {}", apart.copied().unwrap_or(0))
        });
    }
}

/// The shim DMA has the resources that its GMIO ports take.
pub(super) fn shim_dma(device: &Device, faults: &mut Faults) {
    let shim = &device.shim;
    let counts = [
        ("shim.bds", shim.bds),
        ("shim.locks", shim.locks),
        ("shim.dma_queue", shim.dma_queue),
        ("shim.dma_dimensions", shim.dma_dimensions),
    ];
    for (key, value) in counts {
        faults.positive(key, value);
    }
    let ports = shim.gmio_in_ports.len() + shim.gmio_out_ports.len();
    let taken = shim.gmio_bds.map_or(0, u64::from).saturating_mul(ports as u64);
    faults.require(taken <= shim.bds.into(), "shim.gmio_bds", || {
        format!("{ports} GMIO ports take {taken} buffer descriptors of the {} there are", shim.bds)
    });
    for (key, value) in
        [("shim.address_bits", shim.address_bits), ("shim.bd_length_bits", shim.bd_length_bits)]
    {
        faults.require(value.is_none_or(|bits| (1..=64).contains(&bits)), key, || {
            format!("{} is not from 1 to 64 bits", value.unwrap_or(0))
        });
    }
    faults.require(shim.address_bits.is_none_or(|bits| bits >= MIN_ADDRESS_BITS), "shim.address_bits", || {
        format!(
            "{} bits do not reach the end of the low 2 GiB of global memory, which takes {MIN_ADDRESS_BITS}",
            shim.address_bits.unwrap_or(0)
        )
    });
    faults.require(shim.address_alignment.is_none_or(u32::is_power_of_two), "shim.address_alignment", || {
        format!("{} is not a power of two", shim.address_alignment.unwrap_or(0))
    });
    let bursts = &shim.burst_bytes;
    faults.require(!bursts.is_empty(), "shim.burst_bytes", || "the list is empty".to_owned());
    let powers =
        bursts.iter().all(|bytes| bytes.is_power_of_two()) && bursts.windows(2).all(|pair| pair[0] < pair[1]);
    faults.require(powers, "shim.burst_bytes", || "these are not ascending powers of two".to_owned());
}

/// Memory tiles add up like the modules of cores.
pub(super) fn memory_tiles(device: &Device, faults: &mut Faults) {
    let Some(tiles) = &device.memory_tiles else { return };
    faults.positive("memory_tiles.rows", tiles.rows.into());
    faults.positive("memory_tiles.bank_bits", tiles.bank_bits);
    faults.positive("memory_tiles.dma_dimensions", tiles.dma_dimensions);
    faults.require(tiles.banks > 0 && tiles.bytes.is_multiple_of(tiles.banks), "memory_tiles.banks", || {
        format!("{} bytes do not divide into {} banks", tiles.bytes, tiles.banks)
    });
    let reach = (u64::from(tiles.bd_words) + 1) * u64::from(device.tile.word_bytes);
    faults.require(tiles.bytes > 0 && reach >= tiles.bytes.into(), "memory_tiles.bd_words", || {
        format!("{} words do not reach the end of {} bytes", tiles.bd_words, tiles.bytes)
    });
    let apart =
        |bases: &[u32; 3], size: u32| bases.windows(2).all(|pair| pair[1].checked_sub(pair[0]) >= Some(size));
    faults.require(apart(&tiles.addresses, tiles.bytes), "memory_tiles.addresses", || {
        format!("west, own and east are less than {} bytes apart", tiles.bytes)
    });
    faults.require(apart(&tiles.lock_ids, tiles.locks), "memory_tiles.lock_ids", || {
        format!("west, own and east are less than {} locks apart", tiles.locks)
    });
    let channels = tiles.s2mm.min(tiles.mm2s);
    distinct(faults, "memory_tiles.neighbour_channels", &tiles.neighbour_channels, channels);
    descriptors_of_channels(tiles, faults);
}

/// Even and odd channels share the buffer descriptors between them.
fn descriptors_of_channels(tiles: &MemoryTiles, faults: &mut Faults) {
    let [(even, even_last), (odd, odd_last)] =
        [tiles.even_bds, tiles.odd_bds].map(|[first, last]| (first, last));
    let ranges = even <= even_last && odd <= odd_last;
    let whole =
        even == 0 && even_last.checked_add(1) == Some(odd) && odd_last.checked_add(1) == Some(tiles.bds);
    faults.require(ranges && whole, "memory_tiles.even_bds", || {
        format!("even_bds and odd_bds do not divide the {} descriptors between them", tiles.bds)
    });
}

/// The clock of the boards is that of their speed grade; dividers are in order.
pub(super) fn clock(device: &Device, faults: &mut Faults) {
    let clock = &device.clock;
    if let Some(grade) = &clock.grade {
        let found = clock.grades.iter().find(|candidate| candidate.name == *grade);
        faults
            .require(found.is_some(), "clock.grade", || "no entry of clock.grades has this name".to_owned());
        if let Some(found) = found {
            faults.same(
                "clock.array_mhz",
                clock.array_mhz,
                &format!("the clock of grade `{}`", grade.escape_debug()),
                found.mhz,
            );
        }
    }
    for grade in &clock.grades {
        faults.require(grade.mhz > 0, "clock.grades", || {
            format!("`{}` has no clock", grade.name.escape_debug())
        });
    }
    faults.require(clock.pl_min_divisor <= clock.pl_divisor, "clock.pl_divisor", || {
        "the default clock of the programmable logic is above its highest".to_owned()
    });
}
