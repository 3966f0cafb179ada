//! What a placement file fixes for the search.

use std::collections::BTreeMap;

use aiec_device::Tile;
use aiec_ir::KernelId;

/// Tiles of some kernels that are given; the search finds the rest.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pins {
    /// The tiles.
    pub kernels: BTreeMap<KernelId, Tile>,
}
