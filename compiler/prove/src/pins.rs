//! The tiles that a placement file fixes for the search.

use std::collections::BTreeMap;

use aiec_device::Tile;
use aiec_diag::Span;
use aiec_ir::KernelId;

/// Fixed tiles of some kernels. The search finds the other tiles.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pins {
    /// The fixed tile of each kernel.
    pub kernels: BTreeMap<KernelId, Tile>,
    /// The position in the file of each fixed tile.
    pub spans: BTreeMap<KernelId, Span>,
    /// The name of the file.
    pub file: String,
}
