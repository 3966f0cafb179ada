//! Verified routes, the input of estimating and emitting.

use aiec_device::Device;
use aiec_ir::{ConnectionId, PortId};

use crate::routes::{Route, Routes};
use crate::switch::Switch;

/// Routes that carry every connection outside shared memory, within the wires of the device.
///
/// Only [`verify`](crate::verify()) makes one.
#[derive(Clone, Debug)]
pub struct Routed {
    routes: Routes,
}

impl Routed {
    /// Wraps verified routes; only `verify` calls this.
    pub(crate) const fn new(routes: Routes) -> Self {
        Self { routes }
    }

    /// The routes, in the order of their producing ports.
    pub const fn routes(&self) -> &Routes {
        &self.routes
    }

    /// The routes of the nets that leave port `from`: several if its packets are split.
    fn routes_from(&self, from: PortId) -> &[Route] {
        // Verified routes are in order of their producing ports.
        let routes = &self.routes.routes;
        let first = routes.partition_point(|route| route.net.from < from);
        let count = routes[first..].partition_point(|route| route.net.from == from);
        &routes[first..first + count]
    }

    /// The routes of the nets that begin at a port, without those that leave a FIFO.
    pub fn from_ports(&self) -> impl Iterator<Item = &Route> {
        self.routes.routes.iter().filter(|route| !route.net.leaves_fifo)
    }

    /// Hops of `connection`, which leaves port `from`, between its source and its end. Returns None
    /// when it needs no net.
    pub fn hops_of(&self, from: PortId, connection: ConnectionId) -> Option<u32> {
        // Nets between FIFOs with places follow each other.
        self.routes_from(from).iter().filter_map(|route| route.hops_to(connection)).reduce(|a, b| a + b)
    }
}

impl std::ops::Deref for Routed {
    type Target = Routes;
    fn deref(&self) -> &Routes {
        &self.routes
    }
}

/// Cycles of a word over `hops` hops. It crosses one switch more than there are hops (4 cycles each
/// on AIE1, AM009).
pub fn way_cycles(hops: u32, device: &Device) -> u64 {
    (u64::from(hops) + 1) * u64::from(device.switch.hop_cycles)
}

/// Cycles that a path takes beyond the shortest one for this distance. The latencies were measured
/// on shortest paths (thesis 3.3.3).
pub fn detour_cycles(hops: u32, distance: u32, device: &Device) -> u64 {
    u64::from(hops.saturating_sub(distance)) * u64::from(device.switch.hop_cycles)
}

impl Route {
    /// Hops between the net's source and the end of `connection`. Returns None when the net does
    /// not serve it.
    pub fn hops_to(&self, connection: ConnectionId) -> Option<u32> {
        let (_, end) = self.net.sinks.iter().find(|(served, _)| *served == connection)?;
        let mut switch: Switch = end.switch;
        let mut hops = 0;
        // Parents come before children, so one backward pass meets every hop of the path.
        for hop in self.hops.iter().rev() {
            if hop.to == switch {
                switch = hop.from;
                hops += 1;
            }
        }
        Some(hops)
    }
}
