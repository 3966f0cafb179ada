//! Programs of nodes: single messages, patterns and barriers.

use super::{Network, Op};

/// The tag of messages that no barrier sends.
const PLAIN: u32 = 0;
/// The tag of the calls of a barrier, and of requests.
const CALL: u32 = 1;
/// The tag of the ends of a barrier, and of answers.
const DONE: u32 = 2;

/// How nodes meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Barrier {
    /// All nodes call node 0, which then tells each of them.
    Flat,
    /// The same in two levels: the first node of each router is its hub, and node 0 the hub of
    /// hubs.
    Hub,
    /// Pairs exchange a message in each dimension of the nodes' numbers.
    Hypercube,
}

const fn send(to: usize, tag: u32, bytes: u64) -> Op {
    Op::Send { to, bytes, tag }
}

const fn receive(tag: u32, count: u32) -> Op {
    Op::Receive { tag, count }
}

/// One message from a node to another.
pub fn one_way(network: &Network, from: usize, to: usize, bytes: u64) -> Vec<Vec<Op>> {
    let mut all = vec![Vec::new(); network.node_count()];
    all[from].push(send(to, PLAIN, bytes));
    all[to].extend([receive(PLAIN, 1), Op::Leave]);
    all
}

/// A message without payload from a node to another, which answers with `bytes` bytes. The node
/// that asks leaves when it has the answer.
pub fn round_trip(network: &Network, from: usize, to: usize, bytes: u64) -> Vec<Vec<Op>> {
    let mut all = vec![Vec::new(); network.node_count()];
    all[from].extend([send(to, CALL, 0), receive(DONE, 1), Op::Leave]);
    all[to].extend([receive(CALL, 1), send(from, DONE, bytes)]);
    all
}

/// Each node sends one message to its destination, unless it is its own.
pub fn exchange(to: &[usize], bytes: u64) -> Vec<Vec<Op>> {
    let program = |(node, &to): (usize, &usize)| match node == to {
        true => Vec::new(),
        false => vec![send(to, PLAIN, bytes)],
    };
    to.iter().enumerate().map(program).collect()
}

impl Barrier {
    /// The programs of all nodes. Messages have no payload. Returns None for pairs among nodes
    /// whose number is no power of two.
    pub fn programs(self, network: &Network) -> Option<Vec<Vec<Op>>> {
        let nodes = network.node_count();
        match self {
            Self::Flat => Some(levels(nodes, nodes)),
            Self::Hub => Some(levels(nodes, network.nodes as usize)),
            Self::Hypercube => {
                nodes.is_power_of_two().then(|| (0..nodes).map(|node| pairs(node, nodes)).collect())
            }
        }
    }
}

/// Nodes call the first node of their group, these call node 0, and all are told in the opposite
/// order: hubs first, since they have others to tell.
fn levels(nodes: usize, group: usize) -> Vec<Vec<Op>> {
    let program = |node: usize| {
        let hub = node - node % group;
        if node != hub {
            return vec![send(hub, CALL, 0), receive(DONE, 1), Op::Leave];
        }
        let hubs = if node == 0 { (group..nodes).step_by(group) } else { (0..0).step_by(1) };
        let told: Vec<usize> = hubs.chain(hub + 1..nodes.min(hub + group)).collect();
        let mut program = vec![receive(CALL, u32::try_from(told.len()).unwrap_or(u32::MAX))];
        if node != 0 {
            program.extend([send(0, CALL, 0), receive(DONE, 1)]);
        }
        program.push(Op::Leave);
        program.extend(told.iter().map(|&node| send(node, DONE, 0)));
        program
    };
    (0..nodes).map(program).collect()
}

/// Algorithm 1 of the XMP-64 note: an exchange with the neighbour in each dimension.
fn pairs(node: usize, nodes: usize) -> Vec<Op> {
    let exchange = |dimension: u32| {
        let tag = DONE + 1 + dimension;
        [send(node ^ 1 << dimension, tag, 0), receive(tag, 1)]
    };
    (0..nodes.trailing_zeros()).flat_map(exchange).chain([Op::Leave]).collect()
}
