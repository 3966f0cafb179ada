//! Routers, nodes and ways of a network.

use super::Network;

/// A direction of a link, as the dimension and whether the coordinate grows.
pub(super) type Direction = (usize, bool);

impl Network {
    /// The number of routers.
    pub fn router_count(&self) -> usize {
        self.routers.iter().map(|&extent| extent as usize).product()
    }

    /// The number of nodes.
    pub fn node_count(&self) -> usize {
        self.router_count() * self.nodes as usize
    }

    /// The router of a node. Nodes are numbered router by router.
    pub const fn router_of(&self, node: usize) -> usize {
        node / self.nodes as usize
    }

    /// Columns and rows of the routers as a rectangle, for patterns of places: the two dimensions
    /// of a plane, a square if their number is one, and a row otherwise.
    pub fn plane(&self) -> (usize, usize) {
        let routers = self.router_count();
        let side = routers.isqrt();
        match *self.routers.as_slice() {
            [columns, rows] => (columns as usize, rows as usize),
            _ if side * side == routers => (side, side),
            _ => (routers, 1),
        }
    }

    /// Hops from one router to another.
    pub fn hops(&self, from: usize, to: usize) -> usize {
        self.way(from, to).len()
    }

    /// The most hops from one router to another.
    pub fn diameter(&self) -> usize {
        let most = |&extent: &u32| if self.wrap { extent / 2 } else { extent - 1 };
        self.routers.iter().map(|extent| most(extent) as usize).sum()
    }

    /// The links from a router to another one, each by the router that it leaves: dimension by
    /// dimension, the first one first, by the shorter way around. Of two equal ways a message takes
    /// that in which the coordinate grows.
    pub(super) fn way(&self, from: usize, to: usize) -> Vec<(usize, Direction)> {
        let mut way = Vec::new();
        let (mut at, mut stride) = (from, 1);
        for (dimension, &extent) in self.routers.iter().enumerate() {
            let extent = extent as usize;
            let target = to / stride % extent;
            while at / stride % extent != target {
                let here = at / stride % extent;
                let up = (target + extent - here) % extent;
                let grows = if self.wrap { up <= extent - up } else { target > here };
                way.push((at, (dimension, grows)));
                let next = if grows { (here + 1) % extent } else { (here + extent - 1) % extent };
                at = at - here * stride + next * stride;
            }
            stride *= extent;
        }
        way
    }

    /// The number of a direction of links among all of a router.
    pub(super) const fn port(&self, router: usize, (dimension, grows): Direction) -> usize {
        (router * self.routers.len() + dimension) * 2 + grows as usize
    }

    /// The number of directions of links of all routers.
    pub(super) fn ports(&self) -> usize {
        self.router_count() * self.routers.len() * 2
    }
}
