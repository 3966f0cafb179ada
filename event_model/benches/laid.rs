//! Designs with their placement and routes.

use aiec_check::Checked;
use aiec_device::Device;
use aiec_diag::{Diagnostic, Outcome};
use aiec_placer::{PlaceOptions, Placed};
use aiec_router_model::{Implementation, RouteOptions, Routed, route, verify};
use aiec_test_support::Builder;

/// A design with its placement and routes.
pub struct Laid {
    pub device: Device,
    pub checked: Checked,
    pub placed: Placed,
    pub routed: Routed,
}

impl Laid {
    /// The design of `builder`, which must be legal and have routes.
    pub fn of(builder: &Builder) -> Self {
        let expanded = builder.expanded().expect("the design names only what it has");
        let device =
            aiec_device::builtin(&expanded.device.value).and_then(|o| o.into_parts().0).expect("built in");
        let checked = value(aiec_check::check(expanded, &device));
        let laid = laid(&checked, &device, &PlaceOptions::default());
        let (placed, routed) = laid.expect("there is a placement with routes");
        Self { device, checked, placed, routed }
    }

    /// All of it, as the event model takes it.
    pub fn whole(&self) -> Implementation<'_> {
        let Self { device, checked, placed, routed } = self;
        Implementation { checked, placed, routed, device }
    }
}

/// The placement and the routes of a design, or the faults of the stage that fails.
pub fn laid(
    checked: &Checked,
    device: &Device,
    options: &PlaceOptions,
) -> Result<(Placed, Routed), Vec<Diagnostic>> {
    let placement = result(aiec_placer::place(checked, device, options))?;
    let placed = result(aiec_placer::verify(checked, device, placement))?;
    let routes = result(route(checked, &placed, device, &RouteOptions::default()))?;
    let routed = result(verify(checked, &placed, device, routes))?;
    Ok((placed, routed))
}

fn result<T>(outcome: Outcome<T>) -> Result<T, Vec<Diagnostic>> {
    let (value, diagnostics) = outcome.into_parts();
    value.ok_or(diagnostics)
}

/// The value of an outcome without errors.
pub fn value<T>(outcome: Outcome<T>) -> T {
    result(outcome).expect("no errors")
}
