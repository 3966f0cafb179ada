//! Merges that lead into splits: stream `i` of the merge goes on as stream `i` of the split
//! (UG1079, "Packet Split and Merge Connections", 2023.1 to 2026.1). Takes wires, and returns them
//! with one wire from each sender to each receiver in the place of those that pass such a pair.
//!
//! The streams of a pair share wires of the array. aiec gives each its own, which is the stricter
//! reading.

use std::collections::{BTreeMap, BTreeSet};

use aiec_diag::Span;

use crate::description::{Description, Owner, PortIndex, Switch, SwitchKind};
use crate::wires::Wire;

/// Limit on the pairs that one stream passes.
const LONGEST: usize = 64;

/// The pairs of merges and splits.
#[derive(Debug, Default)]
struct Pairs<'w> {
    /// The input of a merge whose stream leaves a split here, and the wire between the two.
    behind: BTreeMap<PortIndex, (PortIndex, &'w Wire)>,
    /// The wires to the inputs of these merges.
    into: BTreeMap<PortIndex, &'w Wire>,
    /// The trunks of these merges.
    trunks: BTreeSet<PortIndex>,
}

impl<'w> Pairs<'w> {
    fn of(description: &Description, wires: &'w [Wire]) -> Self {
        let mut pairs = Self::default();
        let mut of_port: BTreeMap<PortIndex, Vec<&Wire>> = BTreeMap::new();
        for wire in wires {
            of_port.entry(wire.from).or_default().push(wire);
            of_port.entry(wire.to).or_default().push(wire);
        }
        let only = |port: PortIndex| match of_port.get(&port).map(Vec::as_slice) {
            Some([only]) => Some(*only),
            _ => None,
        };
        for merge in description.switches.iter().filter(|switch| switch.kind != SwitchKind::Split) {
            let Some((trunk, split)) = only(merge.trunk).and_then(|trunk| {
                let split = split_at(description, trunk.to)?;
                only(split.trunk)?;
                (split.branches.len() == merge.branches.len()).then_some((trunk, split))
            }) else {
                continue;
            };
            pairs.trunks.insert(merge.trunk);
            for (&entry, &exit) in merge.branches.iter().zip(&split.branches) {
                pairs.behind.insert(exit, (entry, trunk));
                pairs.into.extend(only(entry).map(|wire| (entry, wire)));
            }
        }
        pairs
    }

    /// The wire from the sender whose stream arrives over `wire`. Returns None for a stream without
    /// a sender.
    fn whole(&self, wire: &Wire) -> Option<Wire> {
        let (mut from, mut path) = (wire.from, wire.path.clone());
        for _ in 0..LONGEST {
            let Some((entry, trunk)) = self.behind.get(&from) else {
                return Some(Wire { from, to: wire.to, path });
            };
            let before = self.into.get(entry)?;
            from = before.from;
            path = [before.path.as_slice(), trunk.path.as_slice(), path.as_slice()].concat();
        }
        None
    }
}

/// The split whose trunk is `port`.
fn split_at(description: &Description, port: PortIndex) -> Option<&Switch> {
    let Owner::Switch(at) = description.ports.get(port.0 as usize)?.owner else { return None };
    let switch = description.switches.get(at.0 as usize)?;
    (switch.kind == SwitchKind::Split && switch.trunk == port).then_some(switch)
}

/// The wires without those that end or begin at a pair.
pub(crate) fn through(description: &Description, wires: Vec<Wire>) -> Vec<Wire> {
    let pairs = Pairs::of(description, &wires);
    if pairs.trunks.is_empty() {
        return wires;
    }
    let is_inner = |wire: &&Wire| !pairs.into.contains_key(&wire.to) && !pairs.trunks.contains(&wire.from);
    wires.iter().filter(is_inner).filter_map(|wire| pairs.whole(wire)).collect()
}

/// The statements that connect a merge to its split.
pub(crate) fn shared(description: &Description, wires: &[Wire], file: Span) -> Vec<Span> {
    let pairs = Pairs::of(description, wires);
    let trunks = wires.iter().filter(|wire| pairs.trunks.contains(&wire.from));
    trunks.map(|wire| wire.span(description, file)).collect()
}
