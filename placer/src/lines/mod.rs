//! Tiles of kernels, columns of inputs and outputs, and the lines between columns and rows: how
//! many nets must cross each, and prices for lines with too many, for the search and the score.

mod prices;
mod traffic;

use aiec_device::{Device, TileId};
use aiec_ir::{IdVec, KernelId};

pub(crate) use self::prices::Prices;
pub(crate) use self::traffic::Nets;

/// The tile of each kernel.
pub(crate) type Tiles = IdVec<KernelId, TileId>;

/// For each column of the array, the nearest of `columns`.
pub(crate) fn nearest(columns: &[u16], device: &Device) -> Vec<u16> {
    let to = |column: u16| columns.iter().copied().min_by_key(|c| c.abs_diff(column)).unwrap_or(column);
    (0..device.columns).map(to).collect()
}
