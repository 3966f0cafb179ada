//! What later stages are given: a design, where it lies, and how its data travels.

use aiec_check::Checked;
use aiec_device::Device;
use aiec_placer::Placed;

use crate::routed::Routed;

/// A design with its placement and its routes on a device. The parts belong together: the placement
/// and the routes are those of this design on this device.
#[derive(Clone, Copy, Debug)]
pub struct Implementation<'a> {
    /// The design, which has passed all checks.
    pub checked: &'a Checked,
    /// Tiles, buffers and shim channels.
    pub placed: &'a Placed,
    /// Routes and switch settings.
    pub routed: &'a Routed,
    /// The array of all three.
    pub device: &'a Device,
}
