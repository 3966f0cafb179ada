//! Requests, the input of the router: nets between ports of the array, independent of a design.
//!
//! A design's nets become requests, and so do nets of any other origin (an imported run of the
//! vendor's tools, a benchmark). A request is a circuit with wires of its own, or belongs to a
//! group of packet streams that share wires among each other. Nothing is checked here;
//! [`check_wiring`](crate::check_wiring) reports requests that no array can serve.

use std::collections::BTreeMap;

use aiec_ir::{Id, IdVec, ids};
use serde::Serialize;

use crate::net::{Net, NetEnd};

ids! {
    /// The position of a net among the requests of one run, and of its route in the result.
    #[derive(Serialize)]
    pub NetId;
    /// The position of a sink in its request.
    pub SinkId;
    /// Requests that share wires: a circuit, or the streams of a lane of a packet group.
    pub(crate) OwnerId;
}

/// How a net uses its wires.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NetKind {
    /// The net has every wire on its path to itself (AM009, circuit switching).
    Circuit,
    /// A packet stream. The nets of one group belong together, like those of one `pktsplit` or
    /// `pktmerge` (UG1079). Their packets have different numbers. Packets of different groups never
    /// meet.
    Packet {
        /// The number of the group.
        group: u32,
        /// Nets of one group share wires if this number is the same. It is 0, unless one wire needs
        /// more rules than a port has.
        lane: u32,
        /// The number in its packets' headers (5 bits, AM009). None when aiec chooses it.
        id: Option<u32>,
    },
}

impl NetKind {
    /// The packet group. Returns None when it is a circuit.
    pub const fn group(self) -> Option<u32> {
        match self {
            Self::Circuit => None,
            Self::Packet { group, .. } => Some(group),
        }
    }
}

/// One net to be routed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// Whether it is a circuit or carries packets.
    pub kind: NetKind,
    /// The port where it enters the stream network.
    pub source: NetEnd,
    /// The ports where it leaves the network. Each sink has its own port.
    pub sinks: Vec<NetEnd>,
    /// For each sink, the number of FIFOs of switches that its stream passes behind the last fork
    /// (16 words each, AM009). Fewer where they are not free. Sinks beyond the list need none.
    /// Circuits only.
    pub fifos: Vec<u32>,
    /// True if the net may stay without a route, like trace streams, which aiecompiler routes after
    /// all others.
    pub optional: bool,
}

impl Request {
    /// A circuit from `source` to `sinks`.
    pub const fn circuit(source: NetEnd, sinks: Vec<NetEnd>) -> Self {
        Self { kind: NetKind::Circuit, source, sinks, fifos: Vec::new(), optional: false }
    }

    /// A packet stream of `group`. aiec chooses its number.
    pub const fn packet(group: u32, source: NetEnd, sinks: Vec<NetEnd>) -> Self {
        Self {
            kind: NetKind::Packet { group, lane: 0, id: None },
            source,
            sinks,
            fifos: Vec::new(),
            optional: false,
        }
    }
}

impl From<&Net> for Request {
    fn from(net: &Net) -> Self {
        let mut request = Self { kind: net.kind, ..Self::circuit(net.source, Vec::new()) };
        for (connection, end) in &net.sinks {
            // Several connections may enter one FIFO.
            if !request.sinks.contains(end) {
                request.sinks.push(*end);
                request.fifos.push(net.fifos.get(connection).copied().unwrap_or(0));
            }
        }
        request
    }
}

/// The requests that share wires: each circuit alone, each lane of a packet group together. In
/// order of their first members.
pub(crate) fn owners(requests: &[Request]) -> Owners {
    let mut lanes = BTreeMap::new();
    let mut owners = Owners::new();
    for (net, request) in numbered(requests) {
        match request.kind {
            NetKind::Circuit => drop(owners.push(vec![net])),
            NetKind::Packet { group, lane, .. } => {
                let owner = *lanes.entry((group, lane)).or_insert_with(|| owners.push(Vec::new()));
                owners[owner].push(net);
            }
        }
    }
    owners
}

/// The streams of each packet group, in order of the groups.
pub(crate) fn groups(requests: &[Request]) -> Vec<Vec<NetId>> {
    let mut groups: BTreeMap<u32, Vec<NetId>> = BTreeMap::new();
    for (net, request) in numbered(requests) {
        if let Some(group) = request.kind.group() {
            groups.entry(group).or_default().push(net);
        }
    }
    groups.into_values().collect()
}

/// The requests of each owner.
pub(crate) type Owners = IdVec<OwnerId, Vec<NetId>>;

/// The requests with their ids.
pub(crate) fn numbered<T>(requests: &[T]) -> impl ExactSizeIterator<Item = (NetId, &T)> {
    requests.iter().enumerate().map(|(index, request)| (NetId::from_index(index), request))
}
