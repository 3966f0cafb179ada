//! Nets of a run: words between producing and consuming ports.
//!
//! A broadcast sends each word to every branch. A split sends a packet to the branch of its id, and
//! a merge takes the packets of its sources in any order. Ids and order are data, so the run takes
//! the best for each port by itself: no order of packets goes further. A hang of the run is a hang
//! of every order. An ordered merge takes one packet of each source in turn. In step, each run of
//! a branch takes one packet, and a split sends these whole and in turn.
//!
//! A packet holds its wire until its last word has passed (AM009, "AXI4-Stream Interconnect"). Its
//! header takes room too. The design states no number of headers. So a branch has at least the one
//! of its first packet in an iteration; at a window and in step, one for each packet.

use aiec_ir::{ConnectionId, PortId};

use super::ENDLESS;
use super::packets::Packets;

/// A connection to one consumer.
#[derive(Clone, Debug)]
pub(crate) struct Branch {
    pub to: PortId,
    pub connection: ConnectionId,
    /// Words that the buffers of the consumer hold.
    pub buffers: u64,
    /// Words between producer and these buffers, or [`ENDLESS`].
    pub between: u64,
    /// The packets on this way. Those of a merge in any order are at its sources.
    pub packets: Packets,
    /// Words that the consumer has asked for so far; of a window, those it has released.
    pub asked: u64,
    /// Words that have come, with those in the room.
    pub sent: u64,
}

/// A producing port, and how far its words have gone.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    pub from: PortId,
    /// Its connection, or the first of several.
    pub connection: ConnectionId,
    /// Its packets on the way to a merge that takes them in any order.
    pub packets: Packets,
    /// Words that the producer has offered so far.
    pub offered: u64,
    pub sent: u64,
}

/// The way of the words of a net.
#[derive(Clone, Debug)]
pub(crate) enum Passage {
    /// Every branch gets every word of the one source.
    Broadcast,
    /// Each packet of the one source goes to one branch.
    Split,
    /// Whole packets of the one source go to the branches in their order.
    Dealt {
        /// Words of a packet of each branch.
        packets: Vec<u64>,
        /// The branch of the next packet, or of the one on its way.
        turn: usize,
    },
    /// Packets of all sources reach the one branch in any order.
    Merge,
    /// Packets of all sources reach the one branch in the order of the sources.
    InTurn {
        /// Words of a packet of each source.
        packets: Vec<u64>,
        /// The source of the next packet, or of the one on its way.
        turn: usize,
    },
}

/// Producing ports with their consumers.
#[derive(Clone, Debug)]
pub(crate) struct Net {
    pub passage: Passage,
    pub sources: Vec<Source>,
    pub branches: Vec<Branch>,
}

/// What holds a port of a net up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Held {
    /// These sources have no more words: one of them must act.
    Empty,
    /// The branch at this position is full.
    Full(usize),
    /// The packet of the source at this position comes first.
    Turn(usize),
}

impl Branch {
    /// Words that may have been sent to it.
    pub fn limit(&self) -> u64 {
        self.limit_of(&self.packets)
    }

    /// The same for these packets.
    fn limit_of(&self, packets: &Packets) -> u64 {
        packets.reach(self.asked.saturating_add(self.buffers), self.between)
    }

    fn is_full(&self) -> bool {
        self.limit() <= self.sent
    }
}

impl Net {
    /// Sends what can be sent. Returns true if that is anything.
    pub fn pump(&mut self) -> bool {
        let before = self.total();
        let limits = self.branches.iter().map(Branch::limit);
        match &mut self.passage {
            Passage::Broadcast => {
                let most = limits.min().unwrap_or(ENDLESS);
                for source in &mut self.sources {
                    source.sent = source.sent.max(most.min(source.offered));
                    self.branches.iter_mut().for_each(|branch| branch.sent = source.sent);
                }
            }
            Passage::Split => {
                let most = limits.fold(0, u64::saturating_add);
                for source in &mut self.sources {
                    source.sent = source.sent.max(most.min(source.offered));
                    for branch in &mut self.branches {
                        branch.sent = branch.sent.max(branch.limit().min(source.offered));
                    }
                }
            }
            Passage::Dealt { packets, turn } => {
                for source in &mut self.sources {
                    while let (Some(branch), Some(&packet)) =
                        (self.branches.get_mut(*turn), packets.get(*turn))
                    {
                        let end = (branch.sent / packet + 1) * packet;
                        let offered = branch.sent.saturating_add(source.offered - source.sent);
                        let sent = end.min(offered).min(branch.limit()).max(branch.sent);
                        source.sent += sent - branch.sent;
                        branch.sent = sent;
                        if sent < end {
                            break;
                        }
                        *turn = (*turn + 1) % packets.len();
                    }
                }
            }
            Passage::Merge => {
                let offered =
                    self.sources.iter().fold(0, |sum: u64, source| sum.saturating_add(source.offered));
                for branch in &mut self.branches {
                    branch.sent = branch.sent.max(branch.limit().min(offered));
                    for source in &mut self.sources {
                        let most = branch.limit_of(&source.packets);
                        source.sent = source.sent.max(most.min(source.offered));
                    }
                }
            }
            Passage::InTurn { packets, turn } => {
                let most = limits.min().unwrap_or(ENDLESS);
                let mut all: u64 = self.sources.iter().map(|source| source.sent).sum();
                while let (Some(source), Some(&packet)) = (self.sources.get_mut(*turn), packets.get(*turn)) {
                    let end = (source.sent / packet + 1) * packet;
                    let sent = source.offered.min(end).min(source.sent + most.saturating_sub(all));
                    all += sent - source.sent;
                    source.sent = sent;
                    if sent < end {
                        break;
                    }
                    *turn = (*turn + 1) % packets.len();
                }
                self.branches.iter_mut().for_each(|branch| branch.sent = all);
            }
        }
        self.total() > before
    }

    /// A number that grows with every word sent.
    fn total(&self) -> u128 {
        let sources = self.sources.iter().map(|source| u128::from(source.sent));
        sources.chain(self.branches.iter().map(|branch| u128::from(branch.sent))).sum()
    }

    /// What holds up the consumer of a branch, or the source at `at` if there is one.
    pub fn held(&self, source: Option<usize>) -> Held {
        let wants = |source: &Source| source.offered > source.sent;
        match (&self.passage, source) {
            (Passage::Broadcast, _) if self.sources.iter().any(wants) => {
                self.branches.iter().position(Branch::is_full).map_or(Held::Empty, Held::Full)
            }
            (&Passage::Dealt { turn, .. }, _) if self.sources.iter().any(wants) => Held::Full(turn),
            (Passage::Split | Passage::Merge, Some(_)) => Held::Full(0),
            (&Passage::InTurn { turn, .. }, Some(at)) => match self.sources.get(turn) {
                Some(first) if turn != at && !wants(first) => Held::Turn(turn),
                _ => Held::Full(0),
            },
            (&Passage::InTurn { turn, .. }, None) => Held::Turn(turn),
            _ => Held::Empty,
        }
    }
}
