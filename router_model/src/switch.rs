//! The position of a stream switch.

use serde::{Deserialize, Serialize};

/// A stream switch. Row 0 is the shim row. The switches of memory tiles and of core tiles follow
/// (hardware rows, UG1076).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(from = "(u16, u16)", into = "(u16, u16)")]
pub struct Switch {
    /// Column, 0 in the west.
    pub column: u16,
    /// Hardware row, 0 for the shim.
    pub row: u16,
}

impl From<(u16, u16)> for Switch {
    fn from((column, row): (u16, u16)) -> Self {
        Self { column, row }
    }
}

impl From<Switch> for (u16, u16) {
    fn from(switch: Switch) -> Self {
        (switch.column, switch.row)
    }
}
