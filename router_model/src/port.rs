//! The single ports of a switch.

use std::fmt;

use serde::Serialize;

use crate::fabric::Side;
use crate::net::{EndPort, NetEnd};
use crate::switch::Switch;

/// The other end of a port (AM009, stream switch).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Bundle {
    /// Streams of the core.
    Core,
    /// The tile DMA.
    Dma,
    /// The tile's registers.
    Ctrl,
    /// The FIFOs of the switch. Data that leaves by one re-enters by the slave port of the same
    /// number.
    Fifo,
    /// The switch below. At the shim the programmable logic, the NoC and the shim DMA.
    South,
    /// The switch on the left.
    West,
    /// The switch above.
    North,
    /// The switch on the right.
    East,
    /// Trace units.
    Trace,
}

impl From<Side> for Bundle {
    fn from(side: Side) -> Self {
        match side {
            Side::North => Self::North,
            Side::South => Self::South,
            Side::East => Self::East,
            Side::West => Self::West,
        }
    }
}

/// A port of a switch. The context says whether it is a master or a slave.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Port {
    /// The other end of the port.
    pub bundle: Bundle,
    /// Its number, from 0.
    pub channel: u32,
}

impl Port {
    /// The port with this number.
    pub const fn new(bundle: Bundle, channel: u32) -> Self {
        Self { bundle, channel }
    }
}

/// A port of one switch of the array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct SwitchPort {
    /// Where the port is.
    pub(crate) switch: Switch,
    /// The port of that switch. The context says whether it is a master or a slave.
    pub(crate) port: Port,
}

impl From<NetEnd> for SwitchPort {
    fn from(end: NetEnd) -> Self {
        Self { switch: end.switch, port: Port::from(end.port) }
    }
}

impl From<EndPort> for Port {
    fn from(end: EndPort) -> Self {
        let (bundle, channel) = match end {
            EndPort::Dma(channel) => (Bundle::Dma, channel),
            EndPort::South(channel) => (Bundle::South, channel),
            EndPort::Core(channel) => (Bundle::Core, channel),
            EndPort::Trace(channel) => (Bundle::Trace, channel),
            EndPort::Ctrl(channel) => (Bundle::Ctrl, channel),
            EndPort::Fifo(channel) => (Bundle::Fifo, channel),
        };
        Self { bundle, channel }
    }
}

impl fmt::Display for Bundle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Core => "core",
            Self::Dma => "dma",
            Self::Ctrl => "ctrl",
            Self::Fifo => "fifo",
            Self::South => "south",
            Self::West => "west",
            Self::North => "north",
            Self::East => "east",
            Self::Trace => "trace",
        })
    }
}

impl fmt::Display for Port {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.bundle, self.channel)
    }
}
