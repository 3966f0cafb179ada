//! The nodes of a network run their programs, by discrete events.
//!
//! Switching is cut-through: the head of a message goes on while its payload follows. A message
//! waits for a free link, and for the receiver's turn. Routers have room for all messages that
//! wait, so a waiting message holds up only those behind it on the same link. Events at the same
//! time happen in the order in which they were made, so a run depends on nothing else.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use super::Network;
use super::topology::Direction;

/// A step of a node's program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// Sends a message with this tag.
    Send {
        /// The node that receives it.
        to: usize,
        /// Bytes of payload.
        bytes: u64,
        /// What the receiver counts it by.
        tag: u32,
    },
    /// Waits for `count` messages with this tag.
    Receive {
        /// The tag of the messages.
        tag: u32,
        /// Their number.
        count: u32,
    },
    /// Notes the time at which the node has what it waited for.
    Leave,
}

/// A message that has arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrival {
    /// Cycles from the call of the send to the receipt.
    pub cycles: u64,
    /// Links between routers on its way.
    pub hops: usize,
}

/// What a run gave.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// The messages, in the order of their receipt.
    pub arrivals: Vec<Arrival>,
    /// For each node, the cycle at which it noted [`Op::Leave`]. None when its program has none, or
    /// waits for ever.
    pub left: Vec<Option<u64>>,
    /// The cycle of the last receipt.
    pub total: u64,
}

/// What happens at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    /// A node goes on with its program.
    Step(usize),
    /// The head of a message is at the router behind this number of links.
    At(usize, usize),
    /// A receiver has a message.
    Received(usize),
}

struct Message {
    to: usize,
    tag: u32,
    called: u64,
    payload: u64,
    way: Vec<(usize, Direction)>,
}

#[derive(Clone, Default)]
struct Node {
    at: usize,
    received: BTreeMap<u32, u32>,
    /// The cycle of the last receipt that the program waited for.
    heard: Option<u64>,
    waits: bool,
    free: u64,
}

struct Run<'a> {
    network: &'a Network,
    programs: &'a [Vec<Op>],
    nodes: Vec<Node>,
    messages: Vec<Message>,
    /// When each link of each direction is free.
    links: Vec<Vec<u64>>,
    events: BinaryHeap<Reverse<(u64, usize, Event)>>,
    made: usize,
    outcome: Outcome,
}

/// Runs a program on each node. Node n enters at the cycle `enter[n]`, or at 0.
pub fn run(network: &Network, programs: &[Vec<Op>], enter: &[u64]) -> Outcome {
    let mut run = Run {
        network,
        programs,
        nodes: vec![Node::default(); programs.len()],
        messages: Vec::new(),
        links: vec![vec![0; network.links as usize]; network.ports()],
        events: BinaryHeap::new(),
        made: 0,
        outcome: Outcome { left: vec![None; programs.len()], ..Outcome::default() },
    };
    (0..programs.len()).for_each(|node| run.at(enter.get(node).copied().unwrap_or(0), Event::Step(node)));
    while let Some(Reverse((now, _, event))) = run.events.pop() {
        match event {
            Event::Step(node) => run.step(node, now),
            Event::At(message, hops) => run.route(message, hops, now),
            Event::Received(message) => run.receive(message, now),
        }
    }
    run.outcome
}

impl Run<'_> {
    fn at(&mut self, time: u64, event: Event) {
        self.events.push(Reverse((time, self.made, event)));
        self.made += 1;
    }

    /// Runs a node's program until it sends or waits.
    fn step(&mut self, node: usize, now: u64) {
        while let Some(&op) = self.programs[node].get(self.nodes[node].at) {
            let state = &mut self.nodes[node];
            match op {
                Op::Leave => {
                    let heard = state.heard.unwrap_or(now).max(now);
                    self.outcome.left[node] = Some(heard);
                }
                Op::Receive { tag, count } => {
                    let there = state.received.entry(tag).or_default();
                    state.waits = *there < count;
                    if state.waits {
                        return;
                    }
                    *there -= count;
                }
                Op::Send { to, bytes, tag } => {
                    let answers = state.heard.map_or(now, |heard| heard + self.network.turn);
                    if answers > now {
                        return self.at(answers, Event::Step(node));
                    }
                    state.at += 1;
                    return self.send(
                        node,
                        now,
                        Message { to, tag, called: now, payload: bytes, way: Vec::new() },
                    );
                }
            }
            self.nodes[node].at += 1;
        }
    }

    fn send(&mut self, node: usize, now: u64, mut message: Message) {
        let network = self.network;
        let (from, to) = (network.router_of(node), network.router_of(message.to));
        message.way = network.way(from, to);
        message.payload = network.payload(message.payload);
        let leave = if from == to { 0 } else { network.leave };
        self.at(now + network.send_gap + message.payload, Event::Step(node));
        self.at(now + network.send + leave, Event::At(self.messages.len(), 0));
        self.messages.push(message);
    }

    /// A message takes its next link, or its receiver's turn.
    fn route(&mut self, number: usize, hops: usize, now: u64) {
        let network = self.network;
        let message = &self.messages[number];
        if let Some(&(router, direction)) = message.way.get(hops) {
            let links = &mut self.links[network.port(router, direction)];
            let Some(link) = links.iter_mut().min() else { return };
            let start = now.max(*link);
            *link = start + network.link_gap + message.payload;
            return self.at(start + network.hop, Event::At(number, hops + 1));
        }
        let node = &mut self.nodes[message.to];
        let start = now.max(node.free);
        node.free = start + network.receive_gap + message.payload;
        let store = if message.payload > 0 { network.store } else { 0 };
        let received = start + network.receive + store + message.payload;
        self.at(received, Event::Received(number));
    }

    fn receive(&mut self, number: usize, now: u64) {
        let Message { to, tag, called, ref way, .. } = self.messages[number];
        self.outcome.arrivals.push(Arrival { cycles: now - called, hops: way.len() });
        self.outcome.total = now;
        let node = &mut self.nodes[to];
        *node.received.entry(tag).or_default() += 1;
        if node.waits {
            node.heard = Some(now);
            self.step(to, now);
        }
    }
}
