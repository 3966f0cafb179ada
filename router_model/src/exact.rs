//! The exact fallback: an integer program over the nets of one congested region.
//!
//! Takes a search whose rounds have not succeeded. Around an overfull edge, it routes the parts of
//! nets inside a small rectangle again, all at once and exactly. The points where they enter and
//! leave the rectangle stay. The program chooses their paths inside: the least overuse first, the
//! fewest hops second. The size of programs, their number and their branch-and-bound nodes limit
//! the work.

use std::collections::{BTreeMap, BTreeSet};

use aiec_ilp::{Answer, Program, Solver};
use good_lp::{Expression, Variable, constraint, variable};

use crate::fabric::{Edge, Node};
use crate::pathfinder::{RouteOptions, Search};
use crate::request::{NetId, OwnerId};

/// Maximum number of variables of one program.
const MAX_VARIABLES: usize = 1500;
/// Branch-and-bound nodes of one program.
const NODES: u64 = 40;
/// Half size of the rectangle around the overfull edge, in columns and rows.
const REACH: u16 = 2;
/// Cost of one excess net on an edge, in hops.
const OVERUSE: f64 = 64.0;

/// Routes congested regions again with at most `options.programs` integer programs. Returns true if
/// no edge is overfull any more.
pub(crate) fn repair(search: &mut Search<'_>, options: &RouteOptions<'_>) -> bool {
    let mut tried = BTreeSet::new();
    for _ in 0..options.programs {
        let worst = search.used.ids().filter(|&edge| search.overuse(edge) > 0 && !tried.contains(&edge));
        let Some(edge) = worst.max_by_key(|&edge| (search.overuse(edge), edge)) else { break };
        tried.insert(edge);
        let pieces = pieces(search, &region(search, edge));
        if let Some(ways) = solve(search, &pieces, options.solver) {
            apply(search, &pieces, ways);
        }
    }
    total_overuse(search) == 0
}

/// The switches around an edge.
fn region(search: &Search<'_>, edge: Edge) -> BTreeSet<Node> {
    let fabric = &search.fabric;
    let ends = [Some(edge.from()), fabric.target(edge)].into_iter().flatten();
    let mut nodes = BTreeSet::new();
    for end in ends.map(|node| fabric.switch(node)) {
        for column in end.column.saturating_sub(REACH)..=end.column.saturating_add(REACH) {
            for row in end.row.saturating_sub(REACH)..=end.row.saturating_add(REACH) {
                nodes.extend(fabric.node(crate::Switch { column, row }));
            }
        }
    }
    nodes
}

/// The part of a circuit's tree inside a region, with a single root.
struct Piece {
    owner: OwnerId,
    net: NetId,
    root: Node,
    /// Nodes that the piece must reach: sinks, and switches where the tree leaves the region.
    targets: Vec<Node>,
    /// The edges it uses now.
    edges: Vec<Edge>,
    /// The edges it may use.
    open: Vec<Edge>,
}

/// The pieces to route again, those on overfull edges first, as many as fit a program.
fn pieces(search: &Search<'_>, region: &BTreeSet<Node>) -> Vec<Piece> {
    let owners = search.owners.ids().filter(|&owner| !search.is_optional(owner));
    let mut pieces: Vec<Piece> = owners.filter_map(|owner| piece(search, region, owner)).collect();
    let calm = |piece: &Piece| piece.edges.iter().all(|&edge| search.overuse(edge) == 0);
    pieces.sort_by_key(|piece| (calm(piece), piece.owner));
    let mut room = MAX_VARIABLES;
    pieces.retain(|piece| {
        let size = piece.size();
        let fits = size <= room;
        room -= if fits { size } else { 0 };
        fits
    });
    pieces
}

impl Piece {
    /// Number of its variables.
    fn size(&self) -> usize {
        self.open.len() * if self.targets.len() > 1 { 1 + self.targets.len() } else { 1 }
    }
}

/// The part of a circuit's tree inside the region. Returns None when it is not connected there or
/// uses no edge.
fn piece(search: &Search<'_>, region: &BTreeSet<Node>, owner: OwnerId) -> Option<Piece> {
    let [net] = search.owners[owner][..] else { return None };
    let ends = search.ends(net)?;
    let tree = &search.trees[net];
    let to = |edge: Edge| search.fabric.target(edge);
    let inner =
        |edge: &Edge| region.contains(&(edge.from())) && to(*edge).is_some_and(|node| region.contains(&node));
    let edges: Vec<Edge> = tree.iter().copied().filter(inner).collect();
    if edges.is_empty() {
        return None;
    }
    // An inner edge enters every switch of the tree in the region except the roots of its pieces.
    let entered: BTreeSet<Node> = edges.iter().filter_map(|&edge| to(edge)).collect();
    let visited = tree.iter().filter_map(|&edge| to(edge)).chain([ends.source]);
    let roots: BTreeSet<Node> =
        visited.filter(|node| region.contains(node) && !entered.contains(node)).collect();
    let mut roots = roots.into_iter();
    let (Some(root), None) = (roots.next(), roots.next()) else { return None };
    let leaves = tree.iter().filter(|edge| !inner(edge)).map(|&edge| edge.from());
    let targets: BTreeSet<Node> = leaves.chain(ends.sinks.iter().copied()).collect();
    let targets = targets.into_iter().filter(|&node| node != root && entered.contains(&node)).collect();
    let open = region.iter().flat_map(|&node| search.fabric.leaving(node));
    let open = open.filter(|&(edge, next)| region.contains(&next) && next != root && ends.may_leave_by(edge));
    Some(Piece { owner, net, root, targets, edges, open: open.map(|(edge, _)| edge).collect() })
}

/// The edges of each piece in the program's answer. Returns None when the solver finds none.
fn solve(search: &Search<'_>, pieces: &[Piece], solver: &dyn Solver) -> Option<Vec<BTreeSet<Edge>>> {
    let mut model = Model::default();
    let ways: Vec<BTreeMap<Edge, Variable>> = pieces.iter().map(|piece| model.route(search, piece)).collect();
    model.limit(search, pieces, &ways);
    let Answer::Found { values, .. } = solver.solve(model.0, NODES) else { return None };
    let mut next = 0;
    // The columns follow the order in which the variables were made: those of each piece, then the
    // overuse.
    let mut chosen = Vec::new();
    for (piece, way) in pieces.iter().zip(&ways) {
        let taken = way.keys().zip(values.get(next..)?).filter(|(_, value)| **value > 0);
        chosen.push(taken.map(|(&edge, _)| edge).collect());
        next += piece.size();
    }
    Some(chosen)
}

/// The integer program under construction.
#[derive(Default)]
struct Model(Program);

impl Model {
    /// Adds one piece: a binary variable for each edge, and a flow from the root to each target
    /// over the used edges.
    fn route(&mut self, search: &Search<'_>, piece: &Piece) -> BTreeMap<Edge, Variable> {
        let mut open = piece.open.clone();
        open.sort_unstable();
        let used: BTreeMap<Edge, Variable> =
            open.iter().map(|&edge| (edge, self.0.variables.add(variable().binary()))).collect();
        used.values().for_each(|&edge| self.0.objective -= edge);
        if let [target] = piece.targets[..] {
            self.flow(search, piece.root, target, &used);
        } else {
            for &target in &piece.targets {
                let flow: BTreeMap<Edge, Variable> = open
                    .iter()
                    .map(|&edge| (edge, self.0.variables.add(variable().min(0.0).max(1.0))))
                    .collect();
                for (edge, &part) in &flow {
                    self.0.constraints.push(constraint!(part <= used[edge]));
                }
                self.flow(search, piece.root, target, &flow);
            }
            self.enter_once(search, &used);
        }
        used
    }

    /// Flow conservation: one unit leaves the root and arrives at the target.
    fn flow(&mut self, search: &Search<'_>, root: Node, target: Node, flow: &BTreeMap<Edge, Variable>) {
        let mut balance: BTreeMap<Node, Expression> = BTreeMap::new();
        for (&edge, &part) in flow {
            let Some(to) = search.fabric.target(edge) else { continue };
            *balance.entry(edge.from()).or_default() += part;
            *balance.entry(to).or_default() -= part;
        }
        for (node, sum) in balance {
            let wanted = f64::from(i8::from(node == root) - i8::from(node == target));
            self.0.constraints.push(constraint!(sum == wanted));
        }
    }

    /// A tree enters each switch at most once.
    fn enter_once(&mut self, search: &Search<'_>, used: &BTreeMap<Edge, Variable>) {
        let mut entering: BTreeMap<Node, Expression> = BTreeMap::new();
        for (&edge, &part) in used {
            if let Some(to) = search.fabric.target(edge) {
                *entering.entry(to).or_default() += part;
            }
        }
        self.0.constraints.extend(entering.into_values().map(|sum| constraint!(sum <= 1.0)));
    }

    /// Capacity constraints: the wires that the other nets leave on each edge, with a variable for
    /// the overuse.
    fn limit(&mut self, search: &Search<'_>, pieces: &[Piece], ways: &[BTreeMap<Edge, Variable>]) {
        let mut others: BTreeMap<Edge, i64> = BTreeMap::new();
        let mut sums: BTreeMap<Edge, Expression> = BTreeMap::new();
        for (&edge, &part) in ways.iter().flatten() {
            *sums.entry(edge).or_default() += part;
        }
        for &edge in pieces.iter().flat_map(|piece| &piece.edges) {
            *others.entry(edge).or_default() -= 1;
        }
        for (edge, sum) in sums {
            let fixed = i64::from(search.used[edge]) + others.get(&edge).copied().unwrap_or(0);
            let room = i64::from(search.fabric.capacity(edge)) - fixed;
            let excess = self.0.variables.add(variable().min(0.0));
            self.0.objective.add_mul(-OVERUSE, excess);
            self.0.constraints.push(constraint!(sum - excess <= room.max(0) as f64));
        }
    }
}

/// Takes the new paths if they are trees with less overuse than the old ones.
fn apply(search: &mut Search<'_>, pieces: &[Piece], ways: Vec<BTreeSet<Edge>>) {
    let before = total_overuse(search);
    let old: Vec<Vec<Edge>> = pieces.iter().map(|piece| search.trees[piece.net].clone()).collect();
    let mut new = Vec::new();
    for (piece, mut way) in pieces.iter().zip(ways) {
        way.extend(search.trees[piece.net].iter().filter(|edge| !piece.edges.contains(edge)));
        match tree(search, piece.net, &way) {
            Some(tree) => new.push(tree),
            None => return,
        }
    }
    replace(search, pieces, new);
    if total_overuse(search) >= before {
        replace(search, pieces, old);
    }
}

fn replace(search: &mut Search<'_>, pieces: &[Piece], trees: Vec<Vec<Edge>>) {
    for (piece, tree) in pieces.iter().zip(trees) {
        search.tear_up(piece.owner);
        search.trees[piece.net] = tree;
        search.settle(piece.owner);
    }
}

fn total_overuse(search: &Search<'_>) -> u64 {
    search.used.ids().map(|edge| u64::from(search.overuse(edge))).sum()
}

/// The edges of `set` on paths from a request's source to its sinks, parents first. Returns None
/// when some sink is not reached.
fn tree(search: &Search<'_>, net: NetId, set: &BTreeSet<Edge>) -> Option<Vec<Edge>> {
    let ends = search.ends(net)?;
    let mut arrival: BTreeMap<Node, Option<Edge>> = BTreeMap::from([(ends.source, None)]);
    let mut order = vec![ends.source];
    let mut next = 0;
    while let Some(&node) = order.get(next) {
        next += 1;
        for (edge, to) in search.fabric.leaving(node).filter(|(edge, _)| set.contains(edge)) {
            if let std::collections::btree_map::Entry::Vacant(entry) = arrival.entry(to) {
                entry.insert(Some(edge));
                order.push(to);
            }
        }
    }
    let mut needed = BTreeSet::new();
    for &sink in &ends.sinks {
        let mut node = sink;
        while let Some(edge) = *arrival.get(&node)? {
            if !needed.insert(edge) {
                break;
            }
            node = edge.from();
        }
    }
    let tree = order.iter().filter_map(|node| arrival[node]).filter(|edge| needed.contains(edge));
    Some(tree.collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{EndPort, NetEnd, Request, Switch};

    const fn at(column: u16, row: u16) -> Switch {
        Switch { column, row }
    }

    fn request(source: Switch, sinks: &[Switch]) -> Request {
        let end = |switch| NetEnd { switch, port: EndPort::Dma(0) };
        Request::circuit(end(source), sinks.iter().map(|&sink| end(sink)).collect())
    }

    /// The edges of the path over these switches.
    fn way(search: &Search<'_>, switches: &[Switch]) -> Vec<Edge> {
        let node = |switch: &Switch| search.fabric.node(*switch).expect("on the array");
        let pairs = switches.windows(2).map(|two| (node(&two[0]), node(&two[1])));
        let edge = |(from, to)| {
            let mut leaving = search.fabric.leaving(from);
            leaving.find(|&(_, next)| next == to).expect("neighbours").0
        };
        pairs.map(edge).collect()
    }

    /// Repairs a search in which every request has the given path. Returns true if no edge is
    /// overfull afterwards.
    fn repaired(requests: &[Request], ways: &[&[Switch]], programs: u32) -> (bool, usize) {
        let device =
            aiec_device::builtin("toy").and_then(|outcome| outcome.into_parts().0).expect("built in");
        let mut search = Search::new(requests, &device);
        for (owner, switches) in search.owners.ids().zip(ways) {
            let [net] = search.owners[owner][..] else { panic!("a circuit") };
            search.trees[net] = way(&search, switches);
            search.settle(owner);
        }
        let done = repair(&mut search, &RouteOptions { programs, ..RouteOptions::default() });
        for net in search.trees.ids() {
            let set: BTreeSet<Edge> = search.trees[net].iter().copied().collect();
            assert_eq!(
                tree(&search, net, &set).map(|tree| tree.len()),
                Some(set.len()),
                "a tree, nothing idle"
            );
        }
        assert_eq!(done, total_overuse(&search) == 0);
        (done, search.trees.iter().map(Vec::len).sum())
    }

    #[test]
    fn eight_nets_over_one_edge_are_spread_with_the_fewest_hops() {
        // Rule: 4 wires to each side (AM009). Four nets stay, four take a detour of three hops
        // each.
        let requests = vec![request(at(2, 2), &[at(3, 2)]); 8];
        let direct: &[Switch] = &[at(2, 2), at(3, 2)];
        assert_eq!(repaired(&requests, &[direct; 8], 8), (true, 4 + 4 * 3));
    }

    #[test]
    fn a_multicast_tree_keeps_all_its_sinks() {
        let mut requests = vec![request(at(2, 2), &[at(3, 2)]); 4];
        requests.push(request(at(1, 2), &[at(3, 2), at(3, 3)]));
        let direct: &[Switch] = &[at(2, 2), at(3, 2)];
        let ways = [direct, direct, direct, direct, &[at(1, 2), at(2, 2), at(3, 2), at(3, 3)]];
        assert_eq!(repaired(&requests, &ways, 8), (true, 4 + 4));
    }

    #[test]
    fn without_programs_or_without_wires_nothing_is_repaired() {
        let requests = vec![request(at(2, 2), &[at(3, 2)]); 5];
        let direct: &[Switch] = &[at(2, 2), at(3, 2)];
        assert_eq!(repaired(&requests, &[direct; 5], 0), (false, 5));
        // 11 nets leave a corner with 10 wires.
        let requests = vec![request(at(0, 0), &[at(1, 0)]); 11];
        let direct: &[Switch] = &[at(0, 0), at(1, 0)];
        assert!(!repaired(&requests, &[direct; 11], 8).0);
    }
}
