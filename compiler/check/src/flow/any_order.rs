//! Waits to which some order of reads and writes leads.
//!
//! Within a firing a kernel may move the words of its streams in any order, whatever other kernels
//! do. A state of a run is the number of words that each port has moved. If the order that goes
//! furthest finishes, some orders lead to every state in which each way holds between none and all
//! of its room: take the steps of the furthest run, and leave out those beyond the state.
//!
//! So a design stops in some order if kernels can wait for each other in a circle: each at an empty
//! way of the next one, or at a full way to it. In a firing `f` a kernel waits at a port of `w`
//! words with at most `(f + 1) w - 1` of them moved. Then the next kernel has moved as many, or
//! fewer by the room of a full way, and its firing follows. The circle closes if it leads back to
//! the same or a later firing. This is exact where all kernels run equally often, and else a bound:
//! a stop has such a circle. Where packets of several branches follow each other, only the data
//! show how far the next kernel is, so any firing may be its own.
//!
//! A kernel with one input writes no word of a stream before it has read its share of that input,
//! so it cannot wait there with less. It may need a window to write in before it reads. The order
//! of such a kernel alone decides nothing, and runs in step show its hangs, unless it writes a
//! cascade: a small share of the input may fill it. So some kernel of a circle waits at one stream,
//! and another kernel waits at another stream for it. A circle of empty ways alone is a ring. The
//! ways within a ring do not close a circle either: one of its kernels writes before it reads, and
//! the design does not say which.
//!
//! A cascade is such a way, too. No FIFO opens a circle at a full one, so a circle has another full
//! way. [`orders`](crate::orders) has the orders in which cascades are full.
//!
//! A window that a DMA sends to several readers, or an input, is a node of its own. A circle that
//! meets no node twice lies in one block of the graph (Tarjan's biconnected components).

use std::collections::{BTreeMap, BTreeSet};

use aiec_ir::{Carries, ConnectionId, IdVec, KernelId, PortId};
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};

use super::net::{Net, Passage};
use super::{ENDLESS, End, Flow, NetId, Passing};

/// Steps of a run that take as long as the preparation of one wait.
const STEPS: u64 = 16;

/// A kernel, or a net that a DMA fills.
type Node = usize;

/// A port whose words the code of a kernel moves when it chooses, and the branch of a split, which
/// the code chooses, too.
type Choice = (PortId, Option<ConnectionId>);

/// Where a node waits, or is waited for.
type Door = (Node, ConnectionId, Option<Choice>);

/// A wait that may happen.
#[derive(Clone, Copy, Debug)]
struct Link {
    from: Door,
    to: Door,
    /// Words in one firing of the node that waits.
    words: u64,
    /// Words on a full way; 0 on an empty one.
    room: u64,
    /// Words in one firing of the other node.
    others: u64,
    /// The last firing of the other node.
    last: u64,
    /// True if only the first firing waits.
    is_first: bool,
    /// True if the data show how far the other node is.
    is_free: bool,
    /// True if it waits at an output of a kernel with one input.
    is_late: bool,
    /// The full way.
    full: Option<ConnectionId>,
    /// True if the full way is a cascade.
    is_cascade: bool,
    /// True if a FIFO at the full way opens the circle.
    counts: bool,
}

/// A node at an end of a net, with its words in one firing and in an iteration.
#[derive(Clone, Copy)]
struct Side {
    door: Door,
    words: u64,
    all: u64,
    passing: Passing,
    is_async: bool,
    is_shared: bool,
    /// True for a stream that a kernel with one input writes.
    is_late: bool,
}

/// A door, and whether a full way that counts leads there: 0 or 1.
type Stage = (usize, usize);

/// The best way to a stage so far.
#[derive(Clone, Copy)]
struct Reached {
    /// Words that the port at the door has moved at the most.
    moved: u64,
    /// The last wait, and the stage before it.
    link: usize,
    before: Option<Stage>,
}

/// The sources and the branches of a net, where the design states their amounts.
type Sides = (Vec<Option<Side>>, Vec<Option<Side>>);

/// All waits of a design.
struct Waits {
    links: Vec<Link>,
    /// The links from each node.
    of_node: BTreeMap<Node, Vec<usize>>,
    /// The block of each link.
    blocks: Vec<usize>,
    /// The door at the end of each link, by a number.
    doors: Vec<usize>,
}

impl Link {
    /// Words that the node may have moved where it waits in this firing.
    const fn before(&self, firing: u64) -> u64 {
        let firing = if self.is_first { 0 } else { firing };
        (firing + 1).saturating_mul(self.words).saturating_sub(1)
    }

    /// The same, if another node waits at the end of `link` for the node, which has moved `moved`
    /// words there. None when it has not read what it would write.
    fn behind(&self, link: &Self, moved: u64) -> Option<u64> {
        let before = self.before(moved / link.others);
        if !self.is_behind(link) {
            return Some(before);
        }
        let share = u128::from(moved) * u128::from(self.words) / u128::from(link.others);
        u64::try_from(share).unwrap_or(u64::MAX).checked_sub(1).map(|share| share.min(before))
    }

    /// True if the node writes here its share of what it reads at the end of `link`.
    const fn is_behind(&self, link: &Self) -> bool {
        self.is_late && link.full.is_some()
    }

    /// Words that the other node has moved at the most, if this one has moved `moved`. None when
    /// this one does not wait.
    fn follow(&self, moved: u64) -> Option<u64> {
        let all = (self.last + 1).saturating_mul(self.others) - 1;
        let others = moved.checked_sub(self.room)?;
        Some(if self.is_free { all } else { others.min(all) })
    }
}

impl Waits {
    /// Keeps the waits that may lie in a circle.
    fn new(links: &[Link]) -> Self {
        let blocks = Blocks::of(links);
        let mut members: BTreeMap<usize, BTreeSet<Edge>> = BTreeMap::new();
        for (link, &block) in links.iter().zip(&blocks) {
            members.entry(block).or_default().insert(edge(link));
        }
        let kept = links.iter().zip(&blocks).filter(|(_, block)| members[block].len() > 1);
        let (links, blocks): (Vec<Link>, Vec<usize>) = kept.map(|(link, block)| (*link, *block)).unzip();
        let (mut of_node, mut seen): (BTreeMap<Node, Vec<usize>>, BTreeMap<_, usize>) = Default::default();
        let mut doors = Vec::new();
        for (at, link) in links.iter().enumerate() {
            of_node.entry(link.from.0).or_default().push(at);
            let next = seen.len();
            doors.push(*seen.entry((link.to.0, link.to.1)).or_insert(next));
        }
        Self { links, of_node, blocks, doors }
    }

    fn of(&self, node: Node) -> &[usize] {
        self.of_node.get(&node).map_or(&[], Vec::as_slice)
    }

    /// The full ways of a circle that begins at this port of a node.
    fn circle(&self, node: Node, port: Choice, last: u64, budget: &mut u64) -> Option<Vec<ConnectionId>> {
        let mut firing = last;
        loop {
            let (back, full) = self.around(node, port, firing, budget)?;
            if back >= firing {
                return Some(full);
            }
            // A later firing leads no further.
            firing = back;
        }
    }

    /// The latest firing to which waits from this port in this firing lead back, and the full ways
    /// between. None when none does.
    fn around(
        &self,
        node: Node,
        port: Choice,
        firing: u64,
        budget: &mut u64,
    ) -> Option<(u64, Vec<ConnectionId>)> {
        // A kernel with one input has no choice between it and an output.
        let is_late = self.of(node).iter().map(|&link| &self.links[link]);
        let mut is_late = is_late.filter(|link| link.from.2 == Some(port) && link.is_late);
        let of_cascade = is_late.clone().any(|link| link.is_cascade);
        let is_late = is_late.next().is_some();
        // The firing in which the node waits at the end of `link`. A share of the input for a
        // cascade is a word at least.
        let firing_at = |link: &Link, moved: u64| {
            let is_behind = is_late && link.full.is_some();
            let moved = if is_behind { moved.checked_sub(1).filter(|_| of_cascade) } else { Some(moved) };
            moved.map(|moved| moved / link.others)
        };
        let mut reached: BTreeMap<Stage, Reached> = BTreeMap::new();
        let mut best: Option<(u64, Stage)> = None;
        let mut open: Vec<Stage> = Vec::new();
        let starts = self.of(node).iter().filter(|&&link| self.links[link].from.2 == Some(port));
        let mut next: Vec<(usize, u64, Option<Stage>)> =
            starts.map(|&link| (link, self.links[link].before(firing), None)).collect();
        loop {
            for (at, moved, before) in next.drain(..) {
                let link = &self.links[at];
                let Some(moved) = link.follow(moved) else { continue };
                let has_full = before.map_or(0, |(_, has_full)| has_full) | usize::from(link.counts);
                let stage = (self.doors[at], has_full);
                if reached.get(&stage).is_some_and(|old| old.moved >= moved) {
                    continue;
                }
                *budget = budget.checked_sub(1)?;
                reached.insert(stage, Reached { moved, link: at, before });
                if link.to.0 != node {
                    open.push(stage);
                } else if has_full == 1 && link.to.2.is_some_and(|other| other != port) {
                    let Some(firing) = firing_at(link, moved) else { continue };
                    best = best.filter(|(old, _)| *old >= firing).or(Some((firing, stage)));
                }
            }
            let Some(stage) = open.pop() else { break };
            let Reached { moved, link, .. } = reached[&stage];
            let block = self.blocks[link];
            let link = &self.links[link];
            let (other, wire, _) = link.to;
            let stays = |next: usize| self.links[next].from.1 != wire && self.blocks[next] == block;
            let leaves = self.of(other).iter().filter(|&&next| stays(next));
            let leaves = leaves.filter_map(|&next| Some((next, self.links[next].behind(link, moved)?)));
            next.extend(leaves.map(|(next, moved)| (next, moved, Some(stage))));
        }
        let (firing, end) = best?;
        Some((firing, self.fulls(&reached, end)))
    }

    /// The full ways that led to a stage.
    fn fulls(&self, reached: &BTreeMap<Stage, Reached>, end: Stage) -> Vec<ConnectionId> {
        let (mut found, mut seen, mut here) = (BTreeSet::new(), BTreeSet::new(), Some(end));
        while let Some(stage) = here.filter(|here| seen.insert(*here)) {
            let Reached { link, before, .. } = reached[&stage];
            let link = &self.links[link];
            found.extend(link.full.filter(|_| link.counts));
            here = before;
        }
        found.into_iter().collect()
    }
}

/// Two nodes with a way between them.
type Edge = (Node, Node, ConnectionId);

fn edge(link: &Link) -> Edge {
    let (one, other) = (link.from.0, link.to.0);
    (one.min(other), one.max(other), link.from.1)
}

/// A search in depth for the blocks of a graph.
#[derive(Default)]
struct Blocks {
    edges: BTreeMap<Node, BTreeSet<Edge>>,
    /// When the search came to a node, and the earliest node that its descendants see.
    order: BTreeMap<Node, (usize, usize)>,
    open: Vec<Edge>,
    block: BTreeMap<Edge, usize>,
}

impl Blocks {
    /// The block of each link, by a number.
    fn of(links: &[Link]) -> Vec<usize> {
        let mut all = Self::default();
        for edge in links.iter().map(edge) {
            all.edges.entry(edge.0).or_default().insert(edge);
            all.edges.entry(edge.1).or_default().insert(edge);
        }
        let nodes: Vec<Node> = all.edges.keys().copied().collect();
        for node in nodes {
            if !all.order.contains_key(&node) {
                all.search(node);
            }
        }
        links.iter().map(|link| all.block[&edge(link)]).collect()
    }

    fn search(&mut self, root: Node) {
        // The nodes on the way from the root, each with the edge to it and its edges to come.
        let mut path: Vec<(Node, Option<Edge>, Vec<Edge>)> = Vec::new();
        self.begin(root, None, &mut path);
        while let Some((node, from, edges)) = path.last_mut() {
            let (node, from) = (*node, *from);
            match edges.pop() {
                Some(edge) if Some(edge) == from || self.block.contains_key(&edge) => {}
                Some(edge) => {
                    let next = if edge.0 == node { edge.1 } else { edge.0 };
                    match self.order.get(&next).copied() {
                        None => {
                            self.open.push(edge);
                            self.begin(next, Some(edge), &mut path);
                        }
                        Some((at, _)) if at < self.order[&node].0 => {
                            self.open.push(edge);
                            self.sees(node, at);
                        }
                        Some(_) => {}
                    }
                }
                None => {
                    path.pop();
                    let (Some(edge), Some((before, ..))) = (from, path.last()) else { continue };
                    let (before, low) = (*before, self.order[&node].1);
                    self.sees(before, low);
                    if low >= self.order[&before].0 {
                        self.close(edge);
                    }
                }
            }
        }
    }

    fn begin(&mut self, node: Node, from: Option<Edge>, path: &mut Vec<(Node, Option<Edge>, Vec<Edge>)>) {
        let at = self.order.len();
        self.order.insert(node, (at, at));
        path.push((node, from, self.edges[&node].iter().copied().collect()));
    }

    fn sees(&mut self, node: Node, at: usize) {
        if let Some((_, low)) = self.order.get_mut(&node) {
            *low = at.min(*low);
        }
    }

    /// Makes a block of the open edges from this one on.
    fn close(&mut self, edge: Edge) {
        let start = self.open.iter().position(|other| *other == edge).unwrap_or(0);
        let number = self.block.len();
        self.block.extend(self.open.split_off(start).into_iter().map(|edge| (edge, number)));
    }
}

impl Flow<'_> {
    /// The full ways of a circle of waits to which some order leads. None when every order
    /// finishes, or the budget is spent. The order of the run must be one in step.
    pub fn full_in_some_order(&mut self) -> Option<Vec<ConnectionId>> {
        let links = self.links();
        self.budget = self.budget.saturating_sub(links.len() as u64 * STEPS);
        if self.budget == 0 {
            return None;
        }
        let waits = Waits::new(&links);
        for kernel in self.design.kernels.ids() {
            let links = waits.of(kernel.index()).iter();
            let ports: BTreeSet<Choice> = links.filter_map(|&link| waits.links[link].from.2).collect();
            let last = u64::from(self.design.kernels[kernel].repetitions).saturating_sub(1);
            for port in ports {
                let found = waits.circle(kernel.index(), port, last, &mut self.budget);
                if found.is_some() {
                    return found;
                }
            }
        }
        None
    }

    fn links(&self) -> Vec<Link> {
        let none = |net: &Net| (vec![None; net.sources.len()], vec![None; net.branches.len()]);
        let mut sides: IdVec<NetId, Sides> = self.nets.iter().map(none).collect();
        for (kernel, ends) in self.ends.enumerate() {
            for end in ends {
                let (sources, branches) = &mut sides[end.net];
                let net = &self.nets[end.net];
                let (all, wire) = match end.is_input {
                    true => (branches, net.branches[end.at].connection),
                    false => (sources, net.sources[end.at].connection),
                };
                all[end.at] = Some(self.side(kernel, end, wire));
            }
        }
        let rings = self.rings(&sides);
        let mut links = Vec::new();
        for (id, net) in self.nets.enumerate() {
            let (sources, branches) = &sides[id];
            let node = self.design.kernels.len() + id.index();
            match &net.passage {
                Passage::Merge => merged(net, sources, branches, false, &mut links),
                Passage::InTurn { .. } => merged(net, sources, branches, true, &mut links),
                Passage::Broadcast => sent(net, sources[0], branches, node, false, &mut links),
                Passage::Split | Passage::Dealt { .. } => {
                    sent(net, sources[0], branches, node, true, &mut links);
                }
            }
        }
        links.retain(|link| link.from.0 != link.to.0);
        for link in &mut links {
            link.is_cascade = link.full.is_some_and(|wire| self.cascades.contains_key(&wire));
            let grows = link.full.is_some() && !link.is_cascade;
            link.counts = grows && rings[link.from.0] != rings[link.to.0];
        }
        links
    }

    fn side(&self, kernel: KernelId, end: &End, wire: ConnectionId) -> Side {
        Side {
            door: (kernel.index(), wire, is_chosen(end.passing).then_some((end.port, None))),
            words: end.words,
            all: end.words.saturating_mul(self.design.kernels[kernel].repetitions.into()),
            passing: end.passing,
            is_async: self.design.ports[end.port].asynchronous && matches!(end.passing, Passing::Held(_)),
            is_shared: end.is_shared,
            is_late: !end.is_input && end.passing == Passing::Stream && self.has_one_input(kernel),
        }
    }

    /// True if one input alone has data for what the kernel writes, and that is a stream. Of a
    /// cascade no run in step shows the hangs.
    fn has_one_input(&self, kernel: KernelId) -> bool {
        let data = |port: &&PortId| !matches!(self.design.ports[**port].carries, Some(Carries::Parameter(_)));
        let mut inputs = self.design.kernels[kernel].inputs.iter().filter(data);
        let one = inputs.next().filter(|_| inputs.next().is_none());
        one.filter(|&&port| !self.design.is_cascade(port)).is_some_and(|&port| {
            self.ends[kernel].iter().any(|end| end.port == port && is_chosen(end.passing))
        })
    }

    /// The ring of each node, by a number. A node without a ring has its own.
    fn rings(&self, sides: &IdVec<NetId, Sides>) -> Vec<usize> {
        let mut graph: DiGraph<(), ()> = DiGraph::new();
        let nodes = self.design.kernels.len() + self.nets.len();
        (0..nodes).for_each(|_| {
            graph.add_node(());
        });
        for (id, (sources, branches)) in sides.enumerate() {
            let net = NodeIndex::new(self.design.kernels.len() + id.index());
            for from in sources.iter().flatten() {
                graph.update_edge(NodeIndex::new(from.door.0), net, ());
            }
            for to in branches.iter().flatten() {
                graph.update_edge(net, NodeIndex::new(to.door.0), ());
            }
        }
        let mut rings = vec![0; nodes];
        for (ring, members) in kosaraju_scc(&graph).into_iter().enumerate() {
            members.into_iter().for_each(|node| rings[node.index()] = ring);
        }
        rings
    }
}

/// True if the code of a kernel chooses when the words move within a firing.
const fn is_chosen(passing: Passing) -> bool {
    matches!(passing, Passing::Stream | Passing::Acquired { .. })
}

/// Words that one source offers and a branch does not take, before the source waits. Headers take
/// some of the room.
fn room(net: &Net, at: usize, source: Option<Side>) -> u64 {
    let branch = &net.branches[at];
    let between = branch.packets.least(branch.between);
    source.map_or(0, own_room).saturating_add(between).saturating_add(branch.buffers)
}

/// Words in the buffers of a window that a DMA sends.
fn own_room(source: Side) -> u64 {
    match source.passing {
        Passing::Held(_) if !source.is_shared => source.passing.room(source.words),
        _ => 0,
    }
}

/// The wait of one side for another one.
fn link(from: Side, to: Side, full: Option<(ConnectionId, u64)>, is_free: bool) -> Option<Link> {
    let room = full.map_or(0, |(_, room)| room);
    (from.all > room).then_some(Link {
        from: from.door,
        to: to.door,
        words: from.words,
        room,
        others: to.words.max(1),
        last: (to.all / to.words.max(1)).saturating_sub(1),
        is_first: full.is_none() && from.is_async,
        is_free,
        is_late: from.is_late,
        full: full.map(|(wire, _)| wire),
        is_cascade: false,
        counts: false,
    })
}

/// The waits around one source with its branches. Its packets go to one branch each if `is_split`.
fn sent(
    net: &Net,
    source: Option<Side>,
    branches: &[Option<Side>],
    node: Node,
    is_split: bool,
    links: &mut Vec<Link>,
) {
    let known = || branches.iter().enumerate().filter_map(|(at, side)| Some((at, (*side)?)));
    let through = |side: Side, wire: ConnectionId| {
        let choice = side.door.2.map(|(port, _)| (port, is_split.then_some(wire)));
        Side { door: (side.door.0, wire, choice), ..side }
    };
    if let Some(source) = source {
        for (at, branch) in known() {
            let wire = net.branches[at].connection;
            let source = through(source, wire);
            let full = (wire, room(net, at, Some(source)));
            links.extend(link(branch, source, None, is_split));
            links.extend(link(source, branch, Some(full), is_split).filter(|_| branch.all > full.1));
        }
    }
    // A branch waits for words that a DMA cannot send before another branch takes its own.
    if branches.len() < 2 || source.is_some_and(|source| source.passing == Passing::Stream) {
        return;
    }
    let all = known().map(|(_, side)| side.all).fold(0, u64::saturating_add).min(ENDLESS / 2);
    let passing = Passing::Stream;
    for (at, branch) in known() {
        let wire = net.branches[at].connection;
        let (is_async, is_shared, is_late) = (false, false, false);
        let dma = Side { door: (node, wire, None), words: 1, all, passing, is_async, is_shared, is_late };
        let full = (wire, room(net, at, None));
        links.extend(link(branch, dma, None, is_split));
        links.extend(link(dma, branch, Some(full), is_split).filter(|_| branch.all > full.1));
    }
}

/// The waits around a merge. A source waits for the packets of others, in turn or if these begin
/// before all of their words are there.
fn merged(
    net: &Net,
    sources: &[Option<Side>],
    branches: &[Option<Side>],
    is_ordered: bool,
    links: &mut Vec<Link>,
) {
    let known = || sources.iter().flatten().copied();
    for from in known() {
        let buffers = own_room(from);
        for mut to in branches.iter().flatten().copied() {
            to.door.1 = from.door.1;
            links.extend(link(to, from, None, true));
            links.extend(link(from, to, Some((from.door.1, buffers + net.branches[0].buffers)), true));
        }
        let others = known().filter(|other| is_ordered || other.passing == Passing::Stream);
        links.extend(others.filter_map(|other| link(from, other, Some((from.door.1, buffers)), true)));
    }
}
