//! Placement and routing of a design as the command line does it: again where there are no routes.

use aiec::agree;
use aiec::pipeline::{Agreed, Front, Log, Options};
use aiec_check::Checked;
use aiec_device::Device;
use aiec_diag::Diagnostic;
use aiec_placer::{Pins, PlaceOptions, Tools};

/// The design with its device, what agreed, if anything did, and the messages. One thread.
pub fn agreed(
    device: Device,
    checked: Checked,
    options: &PlaceOptions,
) -> (Front, Option<Agreed>, Vec<Diagnostic>) {
    let options = Options { place: *options, ..Options::default() };
    let front = Front::new(device, checked, &options);
    let mut log = Log::default();
    let agreed = agree::search(&front, &Pins::default(), &options, &Tools::ALONE, &mut log);
    (front, agreed, log.diagnostics)
}
