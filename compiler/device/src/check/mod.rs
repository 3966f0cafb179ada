//! The self-check of a device: do its numbers agree with each other?
//!
//! Takes a device as read and returns its faults, each with the key of the device file. Stages can
//! use a device without faults without further checks of its numbers.

mod bounds;
mod cores;
mod interface;
mod switches;
#[cfg(test)]
mod tests;
mod texts;
mod totals;

use crate::Device;

/// Upper bound on the tiles of an array, which keeps every per-tile table small.
const MAX_TILES: u32 = 16_384;

/// Upper bound on the ports of a switch towards one side, and on other small counts per tile.
const MAX_PORTS: u32 = 64;

/// Something wrong with a device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The key of the device file, as in `shim.noc_columns`.
    pub key: String,
    /// The fault in words.
    pub text: String,
}

/// Collects the faults that rules report.
#[derive(Default)]
struct Faults(Vec<Fault>);

impl Faults {
    /// Notes a fault of `key` unless `holds`.
    fn require(&mut self, holds: bool, key: &str, text: impl FnOnce() -> String) {
        if !holds {
            self.0.push(Fault { key: key.to_owned(), text: text() });
        }
    }

    /// Reports a fault unless the two numbers, found at `key` and by `other`, are equal.
    fn same(&mut self, key: &str, value: u32, other: &str, expected: u32) {
        self.require(value == expected, key, || format!("it is {value}, but {other} is {expected}"));
    }

    /// The number is at least 1.
    fn positive(&mut self, key: &str, value: u32) {
        self.require(value > 0, key, || "it is 0".to_owned());
    }
}

/// A rule: its name and its test.
type Rule = (&'static str, fn(&Device, &mut Faults));

/// Rules that look at single numbers and pairs of them.
const RULES: &[Rule] = &[
    ("texts", texts::texts),
    ("size", cores::size),
    ("keepout", cores::keepout),
    ("positive", cores::positive),
    ("banks", cores::banks),
    ("addresses", cores::addresses),
    ("locks", cores::locks),
    ("descriptors", cores::descriptors),
    ("costs", cores::costs),
    ("limits", cores::limits),
    ("neighbours", cores::neighbours),
    ("system", cores::system),
    ("target", cores::target),
    ("ports", switches::ports),
    ("endpoints", switches::endpoints),
    ("wires", switches::wires),
    ("uniform", switches::uniform),
    ("packet", switches::packet),
    ("crossbar", switches::crossbar),
    ("columns", interface::columns),
    ("channels", interface::channels),
    ("pairs", interface::pairs),
    ("widths", interface::widths),
    ("gmio", interface::gmio),
    ("shim-dma", interface::shim_dma),
    ("memory-tiles", interface::memory_tiles),
    ("clock", interface::clock),
];

/// Rules that count over the whole array, which takes sound single numbers.
const TOTALS: &[Rule] = &[("expect", totals::expect)];

/// All faults of `device`. Empty for a consistent one.
pub fn faults(device: &Device) -> Vec<Fault> {
    let beyond = bounds::beyond(device);
    if !beyond.is_empty() {
        return beyond;
    }
    let single = broken(device, RULES);
    if single.is_empty() { broken(device, TOTALS) } else { single }
}

fn broken(device: &Device, rules: &[Rule]) -> Vec<Fault> {
    let mut faults = Faults::default();
    for (_, rule) in rules {
        rule(device, &mut faults);
    }
    faults.0
}
