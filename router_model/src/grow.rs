//! Grows the tree of one net over priced edges, sink by sink (Dijkstra).
//!
//! Takes ends and a price for each edge. Returns a tree, parents first, or None. The path to a sink
//! joins the tree and is then free for later sinks. All state stays allocated between nets and is
//! invalidated by counting up.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use aiec_ir::IdVec;

use crate::fabric::{Edge, Fabric, Node};
use crate::pathfinder::Ends;

/// Price of an edge that the net's packet group already uses.
const OWN: u64 = 1;

/// State of one shortest-path search.
#[derive(Default)]
pub(crate) struct Scratch {
    /// The state of a node is valid if its mark is the current number.
    mark: IdVec<Node, u32>,
    current: u32,
    distance: IdVec<Node, u64>,
    arrival: IdVec<Node, Option<Edge>>,
    wanted: IdVec<Node, u32>,
    queue: BinaryHeap<Reverse<(u64, Node)>>,
    /// An edge of the current owner holds the owner's number.
    own: IdVec<Edge, u32>,
    owner: u32,
}

impl Scratch {
    pub(crate) fn new(nodes: usize, edges: usize) -> Self {
        Self {
            mark: IdVec::filled(0, nodes),
            distance: IdVec::filled(u64::MAX, nodes),
            arrival: IdVec::filled(None, nodes),
            wanted: IdVec::filled(0, nodes),
            own: IdVec::filled(0, edges),
            ..Self::default()
        }
    }

    /// Starts a new owner without edges.
    pub(crate) fn forget_own(&mut self) {
        self.owner += 1;
    }

    /// Records the edges of a member of the current owner.
    pub(crate) fn own(&mut self, tree: &[Edge]) {
        for &edge in tree {
            self.own[edge] = self.owner;
        }
    }

    /// A tree from the source to all sinks. Each step adds the cheapest path from the tree to the
    /// sink that is cheapest to reach.
    pub(crate) fn grow(
        &mut self,
        fabric: &Fabric,
        ends: &Ends,
        cost: impl Fn(Edge) -> Option<u64>,
    ) -> Option<Vec<Edge>> {
        self.current += 1;
        self.queue.clear();
        let mut missing = self.want(ends);
        let mut tree = Vec::new();
        self.reach(ends.source, 0, None);
        while missing > 0 {
            let Reverse((distance, node)) = self.queue.pop()?;
            if distance > self.distance[node] {
                continue;
            }
            if self.wanted[node] == self.current {
                self.wanted[node] = 0;
                missing -= 1;
                self.join(node, &mut tree);
                continue;
            }
            for (edge, next) in fabric.leaving(node) {
                if !ends.may_leave_by(edge) {
                    continue;
                }
                let own = self.own[edge] == self.owner;
                let Some(price) = (if own { Some(OWN) } else { cost(edge) }) else { continue };
                self.reach(next, distance.saturating_add(price), Some(edge));
            }
        }
        Some(tree)
    }

    /// Marks the sinks. Returns the number of switches to reach.
    fn want(&mut self, ends: &Ends) -> usize {
        let mut missing = 0;
        for &sink in &ends.sinks {
            missing += usize::from(self.wanted[sink] != self.current);
            self.wanted[sink] = self.current;
        }
        missing
    }

    /// Adds the path to `sink` to the tree. From now on it is free.
    fn join(&mut self, sink: Node, tree: &mut Vec<Edge>) {
        let first = tree.len();
        let mut node = sink;
        while self.distance[node] > 0 {
            // A node with a positive distance was reached over an edge.
            let Some(edge) = self.arrival[node] else { break };
            self.distance[node] = 0;
            self.queue.push(Reverse((0, node)));
            tree.push(edge);
            node = edge.from();
        }
        self.queue.push(Reverse((0, sink)));
        tree[first..].reverse();
    }

    fn reach(&mut self, node: Node, distance: u64, over: Option<Edge>) {
        if self.mark[node] != self.current {
            self.mark[node] = self.current;
            self.distance[node] = u64::MAX;
        }
        if distance < self.distance[node] {
            self.distance[node] = distance;
            self.arrival[node] = over;
            self.queue.push(Reverse((distance, node)));
        }
    }
}
