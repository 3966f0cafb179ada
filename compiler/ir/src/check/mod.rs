//! Checks before placement (being written).
use crate::{Checked, Expanded};
use aiec_device::Device;
use aiec_diag::Outcome;

/// Checks `expanded` against `device`.
pub fn check(expanded: Expanded, _device: &Device) -> Outcome<Checked> {
    Outcome::ok(Checked::new(expanded))
}
