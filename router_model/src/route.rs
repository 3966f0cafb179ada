//! The stage: from a placed design to routes, or to a "no" in the design's own terms.

use aiec_device::Device;
use aiec_diag::Outcome;
use aiec_ir::Checked;
use aiec_placer::Placed;

use crate::errors;
use crate::nets::nets;
use crate::pathfinder::{Refusal, RouteOptions, route_nets};
use crate::routes::Routes;

/// Routes every net of a placed design.
///
/// # Errors
/// `route/overfull` if a cut has too few wires, which proves that this placement cannot be routed; `route/gave-up` if the search ended
/// without a legal routing.
pub fn route(checked: &Checked, placed: &Placed, device: &Device, options: &RouteOptions) -> Outcome<Routes> {
    match route_nets(&nets(checked, placed, device), device, options) {
        Ok(routes) => Outcome::ok(routes),
        Err(Refusal::Overfull(cut)) => Outcome::error(errors::overfull_cut(checked, &cut)),
        Err(Refusal::Unreachable(net)) => Outcome::error(errors::unreachable(checked, net)),
        Err(Refusal::GaveUp { rounds, worst, nets }) => {
            Outcome::error(errors::gave_up(checked, rounds, &worst, &nets))
        }
    }
}
