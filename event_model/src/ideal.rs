//! Runs that are perfect in some respect, for floors.
//!
//! Each of them takes delays, waiting and calls of collectives away and adds buffers, and leaves
//! the order of all other operations as it is. Every event of such a run waits for the last of
//! given events, so it happens no later than in the run itself (a timed marked graph).

use aiec_ir::PortId;

use crate::links::{Link, Links, Sources};

/// Room at a port that never runs out.
const ENDLESS: u32 = 1 << 30;

/// What is taken as perfect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ideal {
    /// Nothing: the run itself.
    Nothing,
    /// The kernels' loops: only their loads and stores take time. Packets never wait for packets
    /// of another net.
    Code,
    /// The placement: kernels do not wait for their cores, ways are as short as some placement
    /// makes them, and windows go through shared memory where some placement lets them, with as
    /// many buffers as both ends of a net have together. Packets never wait for packets.
    Tiles,
    /// Loops and placement. All ways are of length 0.
    Placement,
    /// The same, and collectives take no time and send their results alone.
    Collectives,
}

impl Ideal {
    /// True if the placement is perfect.
    pub(crate) const fn has_best_tiles(self) -> bool {
        matches!(self, Self::Tiles | Self::Placement | Self::Collectives)
    }

    /// True if the kernels' loops and constants, and global memory, are perfect.
    pub(crate) const fn has_best_code(self) -> bool {
        matches!(self, Self::Code | Self::Placement | Self::Collectives)
    }

    /// True if calls of collectives take no time.
    pub(crate) const fn has_no_collectives(self) -> bool {
        matches!(self, Self::Collectives)
    }

    /// The hops or tiles of a way.
    pub(crate) const fn hops(self, hops: u32) -> u32 {
        match self {
            Self::Nothing | Self::Code => hops,
            Self::Tiles | Self::Placement | Self::Collectives => 0,
        }
    }
}

impl Sources<'_> {
    /// Takes away what is perfect.
    pub(crate) fn idealise(&self, links: &mut Links) {
        if self.ideal == Ideal::Nothing {
            return;
        }
        for net in links.wires.ids() {
            links.wires[net].lane = net;
        }
        let ports = || self.checked.ports.ids();
        for port in ports().filter(|&port| self.checked.joins_packets(port)) {
            links.empty[port] = ENDLESS;
        }
        if self.ideal.has_best_tiles() {
            ports().for_each(|port| self.share(port, links));
        }
    }

    /// Lets the windows of a port go through shared memory, if any placement does.
    fn share(&self, port: PortId, links: &mut Links) {
        let Some((&id, [])) = self.checked.ports[port].connections.split_first() else { return };
        let (from, to) = (self.checked.connections[id].from, self.checked.connections[id].to);
        let between_kernels = [from, to].into_iter().all(|end| self.checked.kernel_of(end).is_some());
        if from != port
            || !between_kernels
            || self.checked.always_streams(port)
            || self.checked.goes_by_cascade(id)
        {
            return;
        }
        let own = links.at_start[from];
        match links.of[from] {
            Link::None => return,
            // The buffers are those of the consumer. Over a net the producer has as many.
            Link::Shared(..) => links.at_start[from] = own.saturating_mul(2),
            Link::Net(_) => links.at_start[from] = own.saturating_add(links.empty[to]),
        }
        links.empty[to] = 0;
        links.of[from] = Link::Shared(to, self.transit().min(self.latency(0)));
        links.of[to] = Link::Shared(from, crate::time::Time::ZERO);
    }
}
