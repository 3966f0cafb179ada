//! Faults of placement constraints.

use aiec_device::Device;
use aiec_diag::{Diagnostic, catalogue};

use crate::expanded::{Expanded, Place};

/// The tile lies outside the array.
pub(crate) fn outside(design: &Expanded, place: &Place, device: &Device) -> Diagnostic {
    let (column, row) = (i64::from(device.columns) - 1, i64::from(device.rows) - 1);
    let kernel = &design.kernels[place.kernel].name;
    Diagnostic::new(
        &catalogue::PLACE_OUTSIDE,
        format!(
            "`{kernel}` is placed at ({}, {}), but {} has no such tile",
            place.column, place.row, device.name
        ),
        format!(
            "use a column from 0 to {column} and a core row from 0 to {row}, such as `at ({}, {})`",
            place.column.clamp(0, column),
            place.row.clamp(0, row)
        ),
    )
    .label(place.span, format!("the array has {} columns and {} core rows", device.columns, device.rows))
}

/// One kernel is fixed to two tiles.
pub(crate) fn two_tiles(design: &Expanded, first: &Place, second: &Place) -> Diagnostic {
    let kernel = &design.kernels[first.kernel].name;
    let tile = |place: &Place| format!("({}, {})", place.column, place.row);
    Diagnostic::new(
        &catalogue::PLACE_CONFLICT,
        format!("`{kernel}` is placed at {} and at {}", tile(first), tile(second)),
        "take one of the two constraints away",
    )
    .label(second.span, format!("`{kernel}` at {}", tile(second)))
    .label(first.span, format!("`{kernel}` at {} before", tile(first)))
}

/// Two kernels are fixed to one tile.
pub(crate) fn two_kernels(design: &Expanded, first: &Place, second: &Place) -> Diagnostic {
    let name = |place: &Place| format!("`{}`", design.kernels[place.kernel].name);
    Diagnostic::new(
        &catalogue::PLACE_CONFLICT,
        format!(
            "{} and {} are both placed at ({}, {}); a tile runs one kernel",
            name(first),
            name(second),
            first.column,
            first.row
        ),
        format!("give {} another tile, or take its constraint away", name(second)),
    )
    .label(second.span, format!("{} wants this tile", name(second)))
    .label(first.span, format!("{} has it", name(first)))
}
