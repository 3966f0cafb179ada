//! Packets on their way: which follow which, and the room that their headers take.
//!
//! A packet is a header word and data (AM009, "AXI4-Stream Interconnect"). A design states the
//! data, and counts of a run are of data. Only the room of a way holds headers too.

use aiec_ir::expanded::SwitchKind;
use aiec_ir::{Carries, ConnectionId, PortId};

use super::net::Passage;
use super::{ENDLESS, Flow, Order, amount};

/// The packets of a way, by their data words. They follow each other in this order, which begins
/// again at its end. Empty for a way without packets.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Packets {
    /// More than none each.
    words: Vec<u64>,
    /// True if the taker has the header of the next packet before it asks for its data.
    ahead: bool,
}

impl Packets {
    /// Packets with these data words. A DMA drops a header that waits for a free buffer if `ahead`.
    pub fn new(words: Vec<u64>, ahead: bool) -> Self {
        if words.contains(&0) { Self::default() } else { Self { words, ahead } }
    }

    /// The data words that may have been sent, if `taken` of them have left the way and it holds
    /// `room` words.
    pub fn reach(&self, taken: u64, room: u64) -> u64 {
        let all = taken.saturating_add(room);
        if self.words.is_empty() || all == ENDLESS {
            return all;
        }
        let headers = self.begun(taken.saturating_add(self.ahead.into()));
        self.data(all.saturating_add(headers))
    }

    /// The data words that `room` words hold at least.
    pub fn least(&self, room: u64) -> u64 {
        let headers = self.words.iter().min().map_or(0, |words| room.div_ceil(words + 1));
        room - headers
    }

    /// Data words of one packet of each length.
    fn round(&self) -> u64 {
        self.words.iter().fold(0, |sum, &words| sum.saturating_add(words))
    }

    /// Packets that the first `data` words begin.
    fn begun(&self, data: u64) -> u64 {
        let round = self.round();
        let mut left = data % round;
        let mut count = data / round * self.words.len() as u64;
        for &words in &self.words {
            count += u64::from(left > 0);
            left = left.saturating_sub(words);
        }
        count
    }

    /// Data among the first `words` words with headers.
    fn data(&self, words: u64) -> u64 {
        let round = self.round().saturating_add(self.words.len() as u64);
        let mut left = words % round;
        let mut data = words / round * self.round();
        for &words in &self.words {
            data += left.saturating_sub(1).min(words);
            left = left.saturating_sub(words.saturating_add(1));
        }
        data
    }
}

impl Flow<'_> {
    /// The passage of a split. Its order of packets is left open but in step.
    pub(super) fn split(&self, branches: &[ConnectionId]) -> Passage {
        let ends = branches.iter().map(|&id| self.design.connections[id].to);
        match self.one_a_run(&ends.collect::<Vec<_>>()) {
            Some(packets) => Passage::Dealt { packets, turn: 0 },
            None => Passage::Split,
        }
    }

    /// The words of the packets of these ports, if each run of a kernel moves one. In step this is
    /// assumed of kernels that run equally often. Returns None otherwise.
    fn one_a_run(&self, ports: &[PortId]) -> Option<Vec<u64>> {
        let packet = |&port: &PortId| {
            let (kernel, words, _) = amount(self.design, port, self.word_bytes)?;
            Some((words, self.design.kernels[kernel].repetitions))
        };
        let packets = ports.iter().map(packet).collect::<Option<Vec<_>>>()?;
        let alike = packets.windows(2).all(|pair| pair[0].1 == pair[1].1);
        (alike && self.order != Order::Furthest)
            .then(|| packets.into_iter().map(|(words, _)| words).collect())
    }

    /// The passage of a merge. Windows leave as one packet each. The packets of other sources have
    /// unknown lengths, and then their order is left open but in step.
    pub(super) fn merge(&self, kind: SwitchKind, branches: &[ConnectionId]) -> Passage {
        let source = |&id: &ConnectionId| self.design.connections[id].from;
        let window = |id: &ConnectionId| {
            let window = self.design.ports[source(id)].window()?;
            Some(window.bytes() / self.word_bytes).filter(|words| *words > 0)
        };
        let windows = branches.iter().map(window).collect::<Option<Vec<u64>>>();
        let runs = || self.one_a_run(&branches.iter().map(source).collect::<Vec<_>>());
        match windows.or_else(runs) {
            Some(packets) if kind == SwitchKind::OrderedMerge => Passage::InTurn { packets, turn: 0 },
            _ => Passage::Merge,
        }
    }

    /// The packets on the way to the consumer `to`, the branch at `at` of a net.
    pub(super) fn packets_to(&self, passage: &Passage, to: PortId, at: usize) -> Packets {
        // The best order takes the header of the next packet off before a buffer is free.
        let ahead = self.design.ports[to].window().is_some() && self.order == Order::Furthest;
        match passage {
            Passage::Merge => Packets::default(),
            Passage::InTurn { packets, .. } => Packets::new(packets.clone(), ahead),
            Passage::Dealt { packets, .. } => Packets::new(vec![packets[at]], ahead),
            Passage::Split | Passage::Broadcast => self.packets(to, ahead),
        }
    }

    /// The packets at the branch of a split or merge, or at a port of packets: the windows, or one
    /// in an iteration, since the design states no more. None at other ports.
    pub(super) fn packets(&self, port: PortId, ahead: bool) -> Packets {
        let end = &self.design.ports[port];
        let is_switched = end.connections.iter().any(|&id| self.design.connections[id].switch.is_some());
        let has_packets = is_switched || matches!(end.carries, Some(Carries::Packets(_)));
        let words = self.words(port).filter(|_| has_packets).map(|(kernel, words, _)| match end.window() {
            Some(window) => window.bytes() / self.word_bytes,
            None => words.saturating_mul(self.design.kernels[kernel].repetitions.into()),
        });
        Packets::new(words.into_iter().collect(), ahead)
    }
}

#[cfg(test)]
mod tests {
    use super::{ENDLESS, Packets};

    #[test]
    fn a_way_holds_the_headers_of_its_packets() {
        let packets = Packets::new(vec![8], false);
        let reach = |taken| packets.reach(taken, 8);
        assert_eq!([0, 1, 8, 9].map(reach), [7, 8, 15, 16]);
        assert_eq!(packets.reach(0, 9), 8);
        assert_eq!(packets.reach(0, 10), 8, "the header of the next packet");
        assert_eq!(packets.reach(8, 1), 8, "the same, behind a packet that has left");
        assert_eq!(Packets::new(vec![8], true).reach(8, 1), 9, "its header has left, too");
        assert_eq!(Packets::default().reach(0, 8), 8);
        assert_eq!(packets.reach(ENDLESS, 8), ENDLESS);
        assert_eq!([0, 1, 8, 9, 10].map(|room| packets.least(room)), [0, 0, 7, 8, 8]);
    }

    /// Counts word by word.
    #[test]
    fn packets_of_several_lengths_follow_each_other() {
        let lengths = [3_u64, 1, 5];
        let packet = |length: u64| std::iter::once(0).chain((0..length).map(|_| 1));
        // 0 for a header, 1 for a data word.
        let words: Vec<u64> = (0..4).flat_map(|_| lengths).flat_map(packet).collect();
        let packets = Packets::new(lengths.to_vec(), false);
        for taken in 0..20 {
            let mut left = taken;
            let rest = words.iter().skip_while(move |&&data| {
                let is_taken = left > 0;
                left -= data.min(left);
                is_taken
            });
            for (room, size) in (0..12).zip(0_u64..) {
                let held: u64 = rest.clone().take(room).sum();
                assert_eq!(packets.reach(taken, size), taken + held, "{taken} {room}");
            }
        }
    }
}
