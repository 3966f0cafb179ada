//! Checks before placement (being written).
use aiec_device::Device;
use aiec_diag::Outcome;
use crate::{Checked, Expanded};

/// Checks `expanded` against `device`.
pub fn check(expanded: Expanded, _device: &Device) -> Outcome<Checked> {
    Outcome::ok(Checked::new(expanded))
}
