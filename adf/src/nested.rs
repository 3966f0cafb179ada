//! Splits that lead into splits, and merges into merges: one switch with the branches of both.
//!
//! The switches of the array route packets by their ids alone (AM009, "Packet-Switched Streams"),
//! so such a tree has the streams of one split or merge. An ordered merge keeps its turns, and is
//! not joined with others.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::description::{
    Connection, ConnectionIndex, Description, Owner, PortIndex, SwitchIndex, SwitchKind,
};
use crate::wires::Wire;

/// The description without switches that another one has at a branch.
pub(crate) fn flat<'d>(description: &'d Description, wires: &[Wire]) -> Cow<'d, Description> {
    let pairs = pairs(description, wires);
    if pairs.is_empty() {
        return Cow::Borrowed(description);
    }
    let mut flat = description.clone();
    for (wire, branch, trunk) in pairs {
        join(&mut flat, wire, branch, trunk);
    }
    Cow::Owned(flat)
}

fn switch_at(description: &Description, port: PortIndex) -> Option<SwitchIndex> {
    match description.ports.get(port.0 as usize)?.owner {
        Owner::Switch(at) => Some(at),
        _ => None,
    }
}

/// The wires between a branch and the trunk of another switch of its kind, where nothing else is
/// connected; with the branch and that trunk.
fn pairs<'w>(description: &Description, wires: &'w [Wire]) -> Vec<(&'w Wire, PortIndex, PortIndex)> {
    let mut touching: BTreeMap<PortIndex, usize> = BTreeMap::new();
    for port in wires.iter().flat_map(|wire| [wire.from, wire.to]) {
        *touching.entry(port).or_default() += 1;
    }
    let only = |port: PortIndex| touching.get(&port) == Some(&1);
    let pair = |wire: &'w Wire| {
        let [from, to] = [wire.from, wire.to].map(|port| {
            let switch = description.switches.get(switch_at(description, port)?.0 as usize)?;
            Some((switch.kind, switch.trunk == port))
        });
        let pair = match (from?, to?) {
            ((SwitchKind::Split, false), (SwitchKind::Split, true)) => (wire.from, wire.to),
            ((SwitchKind::Merge, true), (SwitchKind::Merge, false)) => (wire.to, wire.from),
            _ => return None,
        };
        (only(pair.0) && only(pair.1)).then_some((wire, pair.0, pair.1))
    };
    wires.iter().filter_map(pair).collect()
}

/// Puts the branches of the switch with this trunk in the place of a branch of another one. `wire`
/// lies between the two.
fn join(flat: &mut Description, wire: &Wire, branch: PortIndex, trunk: PortIndex) {
    let ends = switch_at(flat, branch).zip(switch_at(flat, trunk));
    let Some((outer, inner)) = ends.filter(|(outer, inner)| outer != inner) else { return };
    let Some(own) = flat.switches.get_mut(inner.0 as usize) else { return };
    let branches = std::mem::take(&mut own.branches);
    lengthen(flat, wire, &branches);
    let moved = branches.iter().map(|&port| (port, Owner::Switch(outer)));
    let passed = [branch, trunk].map(|port| (port, Owner::Graph));
    for (port, owner) in moved.chain(passed) {
        if let Some(port) = flat.ports.get_mut(port.0 as usize) {
            port.owner = owner;
        }
    }
    if let Some(switch) = flat.switches.get_mut(outer.0 as usize)
        && let Some(at) = switch.branches.iter().position(|&one| one == branch)
    {
        switch.branches.splice(at..=at, branches);
    }
}

/// Adds the FIFO on a wire to the statements at these branches, through which its packets go on.
fn lengthen(flat: &mut Description, wire: &Wire, branches: &[PortIndex]) {
    let of = |at: &ConnectionIndex| flat.connections.get(at.0 as usize);
    let mut deep = wire.path.iter().filter_map(of).filter(|one| one.fifo.is_some());
    let words = deep.clone().filter_map(|one| one.fifo).fold(0u32, u32::saturating_add);
    let Some(site) = deep.next_back().map(|one| one.fifo_site.clone().or_else(|| one.site.clone())) else {
        return;
    };
    let at_branch = |one: &&mut Connection| branches.contains(&one.from) || branches.contains(&one.to);
    for connection in flat.connections.iter_mut().filter(at_branch) {
        connection.fifo = Some(connection.fifo.unwrap_or(0).saturating_add(words));
        connection.fifo_site = connection.fifo_site.take().or_else(|| site.clone());
    }
}
