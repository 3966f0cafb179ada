//! The checks before placement.
//!
//! In come a design and a device; out come everything that is wrong with the design, at once, and, if nothing is,
//! a [`Checked`]. Each rule family is a module; each fault is reported once, where it comes from: a kernel whose window fits
//! no module is not also said to need too much memory, and equal faults of many instances are one diagnostic.
//!
//! The resource rules are lower bounds: what they reject, no placement can save. Whether a placement exists for what they
//! accept is the placer's question. All capacities come from the device.

mod channels;
mod context;
mod cycles;
mod kernels;
mod memory;
mod places;
pub(crate) mod shim;
mod windows;
mod wiring;

#[cfg(test)]
mod testing;

use aiec_device::Device;
use aiec_diag::Outcome;

use crate::{Checked, Expanded, errors};
pub(crate) use channels::Shortage;
use context::Context;
pub(crate) use memory::Need;

/// Checks `expanded` against `device`, the one the design names.
///
/// # Errors
/// Everything that is wrong, each with a slug of the section "Before placement" of the catalogue.
pub fn check(expanded: Expanded, device: &Device) -> Outcome<Checked> {
    if !device.supported {
        return Outcome::error(errors::unsupported_device(&expanded, device));
    }
    let context = Context::new(&expanded, device);
    let families = [
        windows::check(&context),
        wiring::check(&context),
        cycles::check(&context),
        kernels::check(&context),
        memory::check(&context),
        channels::check(&context),
        shim::check(&context),
        places::check(&context),
    ];
    let found = families.into_iter().flatten().collect();
    Outcome::new(Checked::new(expanded), found)
}
