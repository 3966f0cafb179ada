//! Figures of a placement, for reports.

use std::collections::BTreeMap;

use aiec_device::{Device, Tile};
use aiec_ir::Checked;

use crate::placed::Placed;
use crate::verify::{self, ModuleUse};

/// Number of connections that go through DMA, those to inputs and outputs included.
pub fn dma_connections(checked: &Checked, placed: &Placed) -> usize {
    checked.connections.ids().filter(|&connection| !placed.is_shared(checked, connection)).count()
}

/// What every memory module that holds anything is used for.
pub fn module_use(checked: &Checked, device: &Device, placed: &Placed) -> BTreeMap<Tile, ModuleUse> {
    verify::uses(&verify::stored(checked, device, placed.placement()))
}
