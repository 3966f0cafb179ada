//! Nets, their ends, and steps between switches.

use std::collections::BTreeMap;

use aiec_check::Checked;
use aiec_ir::{ConnectionId, PortId};
use serde::{Deserialize, Serialize};

use crate::request::NetKind;
use crate::switch::Switch;

/// The port of a switch at which a net enters or leaves the stream network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NetEnd {
    /// Where the port is.
    pub switch: Switch,
    /// The port of that switch, on the side of its tile.
    pub port: EndPort,
}

/// The local ports of a switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EndPort {
    /// A channel of the tile's DMA: MM2S at a source, S2MM at a sink.
    Dma(u32),
    /// A South port of the shim switch: an input port at a source, an output port at a sink.
    South(u32),
    /// A stream port of the core: an output of it at a source, an input at a sink.
    Core(u32),
    /// An output of the tile's trace unit; only at a source.
    Trace(u32),
    /// The port of the tile's registers.
    Ctrl(u32),
    /// A FIFO of the switch whose place the design states: the net that fills it ends there, and
    /// the one that empties it begins there.
    Fifo(u32),
}

/// One net: all connections that leave one port and are not shared memory, or one branch of a split
/// of packets. 32 bits per cycle. A FIFO with a stated place divides it: a net ends where the FIFO
/// is filled, and another one begins where it is emptied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Net {
    /// The port of the design that produces the data.
    pub from: PortId,
    /// A circuit, or packets if merged into one port with others or split from one.
    pub kind: NetKind,
    /// True if the net begins at a FIFO, false if at the producing port.
    pub leaves_fifo: bool,
    /// The end where the net starts.
    pub source: NetEnd,
    /// The ends where each connection leaves the network or enters a FIFO. Connections that share a
    /// FIFO share its end.
    pub sinks: Vec<(ConnectionId, NetEnd)>,
    /// Number of FIFOs of switches that connections need, without a stated place. Absent for
    /// connections that need none.
    pub fifos: BTreeMap<ConnectionId, u32>,
}

impl Net {
    /// The name of the net in a design: its ports.
    pub fn name(&self, checked: &Checked) -> String {
        let name = |port| checked.port_name(port);
        let from = match self.leaves_fifo {
            true => format!("{} behind a FIFO", name(self.from)),
            false => name(self.from),
        };
        let to = |&(id, _): &(ConnectionId, NetEnd)| name(checked.connections[id].to);
        match self.sinks.as_slice() {
            [] => from,
            [only] => format!("{from} to {}", to(only)),
            [first, others @ ..] => format!("{from} to {} and {} more", to(first), others.len()),
        }
    }
}

/// A step from a switch to a neighbour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Hop {
    /// The switch that the net leaves.
    pub from: Switch,
    /// The switch that the net enters, a neighbour of `from`.
    pub to: Switch,
}
