//! The contents of the stream switches' registers, port by port.
//!
//! Plain data. [`wire`](crate::wire()) makes it and [`check_wiring`](crate::check_wiring) executes
//! it; each works without the other.

mod assign;
mod check;
mod fifos;
mod list;
mod numbers;
mod packets;
mod passed;
mod recount;

use std::collections::{BTreeMap, BTreeSet};

use aiec_ir::IdVec;
use serde::Serialize;

use crate::port::{Bundle, Port};
use crate::request::{NetId, SinkId};
use crate::switch::Switch;

pub use assign::{Shortage, wire};
pub use check::{Fault, check_wiring};
pub use list::{
    InterfaceDirection, InterfaceEnd, ListedCircuit, ListedEnd, ListedInterface, ListedMaster, ListedNet,
    ListedSlot, ListedSwitch, OpenFifo, WiringList, wiring_list,
};
pub use recount::check_crossing;

/// The settings of all switches that carry a net.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wiring {
    /// By switch, in order.
    pub switches: BTreeMap<Switch, Settings>,
    /// The number in the headers of each packet stream, by request. None when the request is a
    /// circuit.
    pub ids: IdVec<NetId, Option<u32>>,
    /// The sinks whose streams pass fewer FIFOs than asked for.
    pub short: BTreeSet<(NetId, SinkId)>,
}

/// The settings of one switch.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Settings {
    /// Circuits: the slave port that feeds each master port.
    pub circuits: BTreeMap<Port, Port>,
    /// Rules of slave ports that take packets, in slot order for each port.
    pub rules: Vec<Rule>,
    /// Master ports that send packets, each with its arbiter.
    pub arbitrated: BTreeMap<Port, Arbitrated>,
}

/// One of the rule slots of a slave port. Packets whose number agrees with `id` in the bits of
/// `mask` go to a select of an arbiter (AM009, packet switching).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Rule {
    /// The slave port that the packets enter by.
    pub slave: Port,
    /// The number compared with.
    pub id: u32,
    /// The bits of the number that are compared with `id`.
    pub mask: u32,
    /// Its number in the switch.
    pub arbiter: u32,
    /// The select of the arbiter.
    pub select: u32,
}

impl Rule {
    /// True if packets with number `id` match.
    pub(crate) const fn takes(self, id: u32) -> bool {
        id & self.mask == self.id & self.mask
    }
}

/// The packet settings of a master port.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Arbitrated {
    /// The one arbiter it listens to.
    pub arbiter: u32,
    /// Bit `n` is set if it sends packets of select `n`.
    pub selects: u32,
    /// True if the port drops the packet header: only the last port of a path can (AM009), and only
    /// windows have none.
    pub drop_header: bool,
}

/// True if a master port leads to a DMA, which fills windows. Kernels read the headers of packets
/// themselves (UG1079, "Packet Stream Reading and Writing"), and files of outputs hold them.
const fn drops_header(master: Port) -> bool {
    matches!(master.bundle, Bundle::Dma)
}
