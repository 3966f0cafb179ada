//! Bounds of every number of a device file, far above any real device. They are checked before any
//! table is made or any sum taken.
//!
//! The check finds the numbers by walking over the device in its serialised form, so that no number
//! can be added without a bound. A number without a row in [`BOUNDS`] counts as one of a small set
//! per tile.

use toml::Value;

use super::{Fault, MAX_PORTS, MAX_TILES};
use crate::Device;

/// Upper bounds of keys. A key that ends with a dot covers all keys below it.
const BOUNDS: &[(i64, &[&str])] = &[
    (
        MAX_TILES as i64,
        &["columns", "rows", "keepout", "shim.noc_columns", "shim.pl_columns.", "shim.pl_column_count"],
    ),
    (
        4096,
        &[
            "core.load_bits",
            "core.store_bits",
            "core.cascade_bits",
            "core.cascade_fifo",
            "memory.bank_bits",
            "memory.physical_bank_bits",
            "memory.windows_per_kernel",
            "tile.locks",
            "tile.lock_max",
            "tile.lock_ids.",
            "tile.bds",
            "tile.dma_queue",
            "switch.hop_cycles",
            "switch.local_cycles",
            "switch.hop_words",
            "switch.fifo_words",
            "switch.core.masters.total",
            "switch.core.slaves.total",
            "switch.shim.masters.total",
            "switch.shim.slaves.total",
            "switch.memory.masters.total",
            "switch.memory.slaves.total",
            "shim.channel_bits",
            "shim.plio_widths",
            "shim.bds",
            "shim.gmio_bds",
            "shim.locks",
            "shim.dma_queue",
            "shim.address_alignment",
            "shim.burst_bytes",
            "shim.crossing_fifo",
            "memory_tiles.bank_bits",
            "memory_tiles.locks",
            "memory_tiles.bds",
            "memory_tiles.even_bds",
            "memory_tiles.odd_bds",
            "memory_tiles.lock_ids",
            "clock.pl_divisor",
            "clock.pl_min_divisor",
            "clock.pl_register_divisor",
        ],
    ),
    (100_000, &["clock.array_mhz", "clock.grades", "tools."]),
    (
        1 << 24,
        &[
            "core.program_bytes",
            "memory.module_bytes",
            "memory.buffer_alignment",
            "memory.buffer_rounding",
            "memory.sync_bytes",
            "memory.default_stack",
            "memory.default_heap",
            "memory.min_window",
            "tile.bd_words",
            "memory_tiles.bytes",
            "memory_tiles.bd_words",
            "expect.",
        ],
    ),
    (1 << 26, &["memory.addresses.", "memory_tiles.addresses"]),
];

/// The largest number that `key` may have.
fn bound(key: &str) -> i64 {
    let is_of = |name: &&&str| name.strip_suffix('.').map_or(**name == key, |_| key.starts_with(**name));
    let row = BOUNDS.iter().find(|(_, keys)| keys.iter().any(|name| is_of(&name)));
    row.map_or(i64::from(MAX_PORTS), |(bound, _)| *bound)
}

/// A fault for every number beyond its bound.
pub(super) fn beyond(device: &Device) -> Vec<Fault> {
    let mut faults = Vec::new();
    match Value::try_from(device) {
        Ok(value) => walk("", &value, &mut faults),
        Err(error) => {
            faults.push(Fault { key: "name".to_owned(), text: format!("it cannot be written: {error}") })
        }
    }
    faults
}

fn walk(key: &str, value: &Value, faults: &mut Vec<Fault>) {
    match value {
        Value::Integer(number) => {
            let bound = bound(key);
            // Only a step from column to column may be negative.
            if !(-i64::from(MAX_PORTS)..=bound).contains(number) {
                faults.push(Fault {
                    key: key.to_owned(),
                    text: format!("{number} is beyond the {bound} that aiec handles"),
                });
            }
        }
        Value::Array(values) => values.iter().for_each(|value| walk(key, value, faults)),
        Value::Table(table) => {
            for (name, value) in table {
                // A list of tables counts as its own key.
                let inner = match key {
                    "" => name.clone(),
                    "clock.grades" => key.to_owned(),
                    _ => format!("{key}.{name}"),
                };
                walk(&inner, value, faults);
            }
        }
        Value::String(_) | Value::Float(_) | Value::Boolean(_) | Value::Datetime(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{builtin, builtin_names, builtin_text, parse};

    fn device(name: &str) -> Device {
        builtin(name).and_then(|outcome| outcome.into_parts().0).expect("built in")
    }

    /// Every number of `value` in turn as `number`.
    fn spoilt(value: &Value, number: i64) -> Vec<Value> {
        match value {
            Value::Integer(_) => vec![Value::Integer(number)],
            Value::Array(values) => {
                let each = values.iter().enumerate().flat_map(|(at, value)| {
                    spoilt(value, number).into_iter().map(move |spoilt| (at, spoilt))
                });
                let put = |(at, spoilt): (usize, Value)| {
                    let mut values = values.clone();
                    values[at] = spoilt;
                    Value::Array(values)
                };
                each.map(put).collect()
            }
            Value::Table(table) => {
                let each = table.iter().flat_map(|(key, value)| {
                    spoilt(value, number).into_iter().map(move |spoilt| (key.clone(), spoilt))
                });
                let put = |(key, spoilt): (String, Value)| {
                    let mut table = table.clone();
                    table.insert(key, spoilt);
                    Value::Table(table)
                };
                each.map(put).collect()
            }
            _ => Vec::new(),
        }
    }

    #[test]
    fn every_number_of_every_device_has_a_bound() {
        for name in builtin_names() {
            let value = Value::try_from(device(name)).expect("a table");
            let all = spoilt(&value, i64::from(u32::MAX));
            assert!(all.len() > 100, "{name}: {}", all.len());
            for spoilt in all {
                // A 16-bit number cannot hold the value; the reader reports it.
                if let Ok(device) = spoilt.try_into::<Device>() {
                    assert_eq!(beyond(&device).len(), 1, "{name}");
                }
            }
            let largest = spoilt(&value, i64::from(i16::MAX));
            assert!(largest.into_iter().all(|spoilt| spoilt.try_into::<Device>().is_ok()), "all fit 16 bits");
        }
    }

    #[test]
    fn a_number_beyond_its_bound_is_named_with_its_place() {
        for (from, to) in [("arbiters = 6 ", "arbiters = 4294967295 "), ("selects = 4 ", "selects = 65536 ")]
        {
            let text = builtin_text("toy").expect("built in").replacen(from, to, 1);
            let source = aiec_diag::SourceFile { id: aiec_diag::SourceId(0), name: "d.toml".into(), text };
            let outcome = parse(&source);
            let [only] = outcome.diagnostics() else { panic!("{:?}", outcome.diagnostics()) };
            assert!(only.message.contains("is beyond the 64 that aiec handles"), "{}", only.message);
            let number = to.trim().rsplit(' ').next().expect("a number");
            let span = only.labels[0].span;
            assert_eq!(&source.text[span.start as usize..span.end as usize], number);
        }
    }
}
