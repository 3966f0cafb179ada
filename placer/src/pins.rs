//! What a placement file fixes for the search.

use std::collections::BTreeMap;

use aiec_device::Tile;
use aiec_diag::Span;
use aiec_ir::KernelId;

/// Tiles of some kernels that are given; the search finds the rest.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pins {
    /// The tiles.
    pub kernels: BTreeMap<KernelId, Tile>,
    /// Where the file says so.
    pub spans: BTreeMap<KernelId, Span>,
    /// The name of the file.
    pub file: String,
}
