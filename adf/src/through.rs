//! Merges and splits in a row. Takes wires, and returns them with one wire from each sender to each
//! receiver in the place of those that pass such a pair.
//!
//! Stream `i` of a merge that leads into a split goes on as stream `i` of the split (UG1079,
//! "Packet Split and Merge Connections", 2023.1 to 2026.1). The streams of a pair share wires of
//! the array. aiec gives each its own, which is the stricter reading.
//!
//! The packets of a split whose branches all lead into one merge go on as they came. The same
//! section advises against such a pair, and the tools take it.

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

    /// The wire from the sender whose stream arrives over `wire`. Returns None when the stream has
    /// no sender.
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

/// The merge that takes all branches of `split`, and nothing else.
fn merge_behind<'d>(description: &'d Description, wires: &[Wire], split: &Switch) -> Option<&'d Switch> {
    let begins = |wire: &&Wire| split.branches.contains(&wire.from);
    let first = wires.iter().find(begins)?;
    let Owner::Switch(at) = description.ports.get(first.to.0 as usize)?.owner else { return None };
    let merge = description.switches.get(at.0 as usize).filter(|switch| switch.kind == SwitchKind::Merge)?;
    let ends = |wire: &&Wire| merge.branches.contains(&wire.to);
    let is_inner = |wire: &&Wire| begins(wire) && ends(wire);
    let count = wires.iter().filter(is_inner).count();
    let is_all = count == wires.iter().filter(begins).count() && count == wires.iter().filter(ends).count();
    let is_one_each = count == split.branches.len() && count == merge.branches.len();
    (split.kind == SwitchKind::Split && is_all && is_one_each).then_some(merge)
}

/// The wires with those through a split and the merge behind it in one piece. Those from an input
/// of the array to an output stay, since a design has no wire between the two.
fn rejoined(description: &Description, mut wires: Vec<Wire>) -> Vec<Wire> {
    let is_external = |port: PortIndex| {
        let port = description.ports.get(port.0 as usize);
        !port.is_some_and(|port| matches!(port.owner, Owner::Kernel(_)))
    };
    for split in &description.switches {
        let Some(merge) = merge_behind(description, &wires, split) else { continue };
        let is_inner = |wire: &&Wire| split.branches.contains(&wire.from);
        let between = wires.iter().find(is_inner).map_or(Vec::new(), |wire| wire.path.clone());
        let before = wires.iter().filter(|wire| wire.to == split.trunk);
        let after = || wires.iter().filter(|wire| wire.from == merge.trunk);
        let pairs: Vec<(&Wire, &Wire)> =
            before.flat_map(|first| after().map(move |last| (first, last))).collect();
        if pairs.iter().any(|(first, last)| is_external(first.from) && is_external(last.to)) {
            continue;
        }
        let whole = |(first, last): (&Wire, &Wire)| Wire {
            from: first.from,
            to: last.to,
            path: [first.path.as_slice(), between.as_slice(), last.path.as_slice()].concat(),
        };
        let new: Vec<Wire> = pairs.into_iter().map(whole).collect();
        wires.retain(|wire| !is_inner(&wire) && wire.to != split.trunk && wire.from != merge.trunk);
        wires.extend(new);
    }
    wires
}

/// The wires without those that end or begin at a pair.
pub(crate) fn through(description: &Description, wires: Vec<Wire>) -> Vec<Wire> {
    let pairs = Pairs::of(description, &wires);
    let is_inner = |wire: &&Wire| !pairs.into.contains_key(&wire.to) && !pairs.trunks.contains(&wire.from);
    let whole = wires.iter().filter(is_inner).filter_map(|wire| pairs.whole(wire)).collect();
    rejoined(description, whole)
}

/// The statements that connect a merge to its split.
pub(crate) fn shared(description: &Description, wires: &[Wire], file: Span) -> Vec<Span> {
    let pairs = Pairs::of(description, wires);
    let trunks = wires.iter().filter(|wire| pairs.trunks.contains(&wire.from));
    trunks.map(|wire| wire.span(description, file)).collect()
}
