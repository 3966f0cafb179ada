//! Networks of messages other than the array: their timing constants, and messages with times.
//!
//! A network is a grid of routers in any number of dimensions (a k-ary n-cube: rings, meshes, tori
//! and hypercubes), with a few nodes at each router. A [`NetworkProfile`] has its constants, and
//! [`run`] lets its nodes run programs of sends and receives by discrete events. So the results of
//! published machines can be compared with the tables that were measured on them (`docs/seeds.md`).

mod programs;
mod run;
mod topology;

pub use programs::{Barrier, exchange, one_way, round_trip};
pub use run::{Arrival, Op, Outcome, run};

use serde::{Deserialize, Serialize};

use crate::profile::BadProfile;

/// The built-in profiles by name, with their texts.
const BUILTIN: [(&str, &str); 2] = [
    ("gasnet-bee3", include_str!("../../profiles/gasnet-bee3.toml")),
    ("xmp64", include_str!("../../profiles/xmp64.toml")),
];

/// Limit on the nodes of a network, so that a run stays within seconds.
const MOST_NODES: u64 = 4096;
/// Limit on a constant in cycles, so that no sum overflows.
const MOST_CYCLES: u64 = 1_000_000;

/// Timing constants of a network, with their source.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NetworkProfile {
    /// Name in reports.
    pub name: String,
    /// Source of the numbers.
    pub source: String,
    /// Routers, nodes and times.
    pub network: Network,
}

/// A network of routers. Times are in its cycles.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Network {
    /// Nanoseconds of a cycle.
    pub cycle_ns: f64,
    /// Routers in each dimension: `[4]` is a line or ring of four, `[2, 2, 2]` a cube.
    pub routers: Vec<u32>,
    /// True if the last router of a dimension is linked to the first.
    pub wrap: bool,
    /// Nodes of each router.
    pub nodes: u32,
    /// Links from a router to its neighbour.
    pub links: u32,
    /// Bytes of payload that a link, and the way into and out of a node, carries in a cycle.
    pub bytes: f64,
    /// From the call of a send until the message is at the router.
    pub send: u64,
    /// From the last router until the receiver has a message without payload.
    pub receive: u64,
    /// From one router to the next.
    pub hop: u64,
    /// Added once to a message that leaves its router.
    #[serde(default)]
    pub leave: u64,
    /// Added to a message with payload, which is stored before the receiver has the message.
    #[serde(default)]
    pub store: u64,
    /// From a receipt to the send that answers it.
    #[serde(default)]
    pub turn: u64,
    /// From one send of a node to its next step, without payload.
    pub send_gap: u64,
    /// From one message at a receiver to the next, without payload.
    pub receive_gap: u64,
    /// From one message on a link to the next, without payload.
    pub link_gap: u64,
}

impl NetworkProfile {
    /// Names of the built-in profiles.
    pub fn names() -> impl Iterator<Item = &'static str> {
        BUILTIN.iter().map(|(name, _)| *name)
    }

    /// The file of a built-in profile. Returns None when the name is unknown.
    pub fn text(name: &str) -> Option<&'static str> {
        BUILTIN.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
    }

    /// True if a file says that it describes a network and no array.
    pub fn describes(text: &str) -> bool {
        text.parse::<toml::Table>().is_ok_and(|table| table.contains_key("network"))
    }

    /// Reads a profile file.
    ///
    /// # Errors
    /// Returns the parser's message if the text is not a profile, or names the first number out of
    /// range.
    pub fn parse(text: &str) -> Result<Self, BadProfile> {
        let profile: Self = toml::from_str(text)
            .map_err(|error| BadProfile { message: error.message().to_owned(), bytes: error.span() })?;
        match profile.network.fault() {
            Some(reason) => Err(BadProfile::of_section(text, "network", reason)),
            None => Ok(profile),
        }
    }
}

impl Network {
    /// The first number out of range, as a reason.
    fn fault(&self) -> Option<&'static str> {
        let nodes = self.routers.iter().try_fold(u64::from(self.nodes), |all, &extent| {
            all.checked_mul(extent.into()).filter(|all| (1..=MOST_NODES).contains(all))
        });
        if self.routers.is_empty() || nodes.is_none() {
            return Some("a network has at least one dimension, and 1 to 4096 nodes");
        }
        if !(1..=1024).contains(&self.links) {
            return Some("neighbouring routers have 1 to 1024 links");
        }
        if !(0.001..=1e6).contains(&self.bytes) {
            return Some("a link carries between 0.001 and a million bytes per cycle");
        }
        if !(0.001..=1e6).contains(&self.cycle_ns) {
            return Some("a cycle takes between 0.001 and a million nanoseconds");
        }
        let Self { send, receive, hop, leave, store, turn, send_gap, receive_gap, link_gap, .. } = *self;
        [send, receive, hop, leave, store, turn, send_gap, receive_gap, link_gap]
            .iter()
            .any(|&cycles| cycles > MOST_CYCLES)
            .then_some("times are at most a million cycles")
    }

    /// Cycles of a link for the payload of a message.
    fn payload(&self, bytes: u64) -> u64 {
        // A quotient just above a whole number is that number, rounded wrongly.
        (bytes as f64 / self.bytes - 1e-6).ceil().max(0.0) as u64
    }
}

#[cfg(test)]
mod tests;
