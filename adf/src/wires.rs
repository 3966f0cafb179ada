//! Connections from leaf to leaf: `connect` statements followed through the ports of graphs.

use std::collections::BTreeMap;

use aiec_diag::{Span, Spanned};

use crate::description::{ConnectionIndex, Description, Owner, PortIndex};

/// A connection between two ports neither of which merely passes data on, or the port of a graph at
/// the outer end of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Wire {
    /// The producing port. That of a graph if nothing inside produces.
    pub from: PortIndex,
    /// The consuming port. That of a graph if nothing inside consumes.
    pub to: PortIndex,
    /// The statements on the way, the producer's first; never empty.
    pub path: Vec<ConnectionIndex>,
}

impl Wire {
    /// The port at the other end of one. Returns None when `port` is at neither end.
    pub(crate) fn other_end(&self, port: PortIndex) -> Option<PortIndex> {
        match (self.from == port, self.to == port) {
            (true, _) => Some(self.to),
            (_, true) => Some(self.from),
            _ => None,
        }
    }

    /// The number of the first statement, by which wires are ordered.
    fn order(&self) -> Vec<ConnectionIndex> {
        let mut path = self.path.clone();
        path.reverse();
        path
    }

    /// Words of FIFO on the way: the sum of all statements. Its source location is that of the last
    /// statement with a depth.
    pub(crate) fn fifo(&self, description: &Description, file: Span) -> Option<Spanned<u32>> {
        let mut found: Option<Spanned<u32>> = None;
        for &at in &self.path {
            let connection = &description.connections[at.0 as usize];
            if let Some(words) = connection.fifo.filter(|&words| words > 0) {
                let site = connection.fifo_site.as_ref().or(connection.site.as_ref());
                let before = found.map_or(0, |sum| sum.value);
                let span = site.map_or(file, |site| site.span);
                found = Some(Spanned::new(before.saturating_add(words), span));
            }
        }
        found
    }

    /// The source location of the statement at the consumer, or at the producer if that has none.
    pub(crate) fn span(&self, description: &Description, file: Span) -> Span {
        let sites = self.path.iter().rev().map(|at| description.connections[at.0 as usize].site.as_ref());
        sites.flatten().next().map_or(file, |site| site.span)
    }
}

/// All wires, ordered by the statements at their consumers.
pub(crate) fn wires(description: &Description) -> Vec<Wire> {
    let mut next: BTreeMap<PortIndex, Vec<ConnectionIndex>> = BTreeMap::new();
    let mut is_fed = vec![false; description.ports.len()];
    for (at, connection) in (0..).zip(&description.connections) {
        next.entry(connection.from).or_default().push(ConnectionIndex(at));
        if let Some(fed) = is_fed.get_mut(connection.to.0 as usize) {
            *fed = true;
        }
    }
    let mut found = Vec::new();
    for &first in next.keys() {
        let Some(port) = description.ports.get(first.0 as usize) else { continue };
        if port.owner != Owner::Graph || !is_fed[first.0 as usize] {
            follow(description, &next, first, &mut found);
        }
    }
    found.sort_by_key(Wire::order);
    found
}

/// Adds the wires that begin at `first`.
fn follow(
    description: &Description,
    next: &BTreeMap<PortIndex, Vec<ConnectionIndex>>,
    first: PortIndex,
    found: &mut Vec<Wire>,
) {
    let onward = |port: PortIndex| next.get(&port).into_iter().flatten().rev().copied();
    let mut pending: Vec<Vec<ConnectionIndex>> = onward(first).map(|at| vec![at]).collect();
    while let Some(path) = pending.pop() {
        let Some(last) = path.last() else { continue };
        let to = description.connections[last.0 as usize].to;
        let passes = description.ports.get(to.0 as usize).is_some_and(|port| port.owner == Owner::Graph);
        let further: Vec<ConnectionIndex> = onward(to).filter(|at| passes && !path.contains(at)).collect();
        if further.is_empty() {
            found.push(Wire { from: first, to, path });
            continue;
        }
        pending.extend(further.into_iter().map(|at| path.iter().copied().chain([at]).collect::<Vec<_>>()));
    }
}
