//! Tiles of kernels, columns of inputs and outputs, and the lines between columns and rows: how
//! many nets must cross each, and prices for lines with too many. The search and the score read
//! both.

mod prices;
mod traffic;

use aiec_check::Checked;
use aiec_device::{Device, TileId};
use aiec_ir::design::Endpoint;
use aiec_ir::{ExternalId, IdVec, KernelId};

pub(crate) use self::prices::Prices;
pub(crate) use self::traffic::Nets;

/// The tile of each kernel.
pub(crate) type Tiles = IdVec<KernelId, TileId>;

/// The columns in which an input or output may lie: the stated one, or those that serve its kind,
/// of several stated ones if there are.
pub(crate) fn legal_columns(checked: &Checked, device: &Device, external: ExternalId) -> Vec<u16> {
    let stated = checked.shims.iter().filter(|place| place.external == external);
    if let Some(column) =
        stated.clone().find(|place| place.is_one()).and_then(|place| u16::try_from(place.column).ok())
    {
        return vec![column];
    }
    let mut columns: Vec<u16> = match &checked.externals[external].endpoint {
        Endpoint::Plio { .. } => device.shim.plio_columns().collect(),
        Endpoint::Gmio { .. } => device.shim.noc_columns.clone(),
    };
    columns.retain(|&column| stated.clone().all(|place| place.allows(column)));
    columns
}

/// For each column of the array, the nearest of `columns`.
pub(crate) fn nearest(columns: &[u16], device: &Device) -> Vec<u16> {
    let to = |column: u16| columns.iter().copied().min_by_key(|c| c.abs_diff(column)).unwrap_or(column);
    (0..device.columns).map(to).collect()
}
