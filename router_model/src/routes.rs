//! Routes as plain data. Not trusted until [`verify`](crate::verify()) has checked it.

use crate::net::{Hop, Net};
use crate::wiring::Wiring;

/// The route of one net: a tree of hops from its source to all its sinks. Parents come before
/// children. Empty if all sinks are at the source's switch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Route {
    /// What the tree connects.
    pub net: Net,
    /// The edges of the tree, parents first.
    pub hops: Vec<Hop>,
}

/// The routes of all nets, in order of their producing ports.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Routes {
    /// One route per net.
    pub routes: Vec<Route>,
    /// The switch settings that send every net along its route.
    pub wiring: Wiring,
}
