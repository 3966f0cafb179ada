//! The routing stage: from a placed design to routes, or to a refusal in terms of the design.

use aiec_check::Checked;
use aiec_device::Device;
use aiec_diag::{Diagnostic, Outcome};
use aiec_placer::Placed;

use crate::errors;
use crate::net::Net;
use crate::nets::nets;
use crate::pathfinder::{Refusal, RouteOptions, route_requests};
use crate::request::Request;
use crate::routes::{Route, Routes};
use crate::wiring::check_crossing;

/// Routes every net of a placed design.
///
/// # Errors
/// Returns `route/overfull` if a cut has too few wires and `route/unreachable` if no wires lead to
/// a sink; both prove that this placement has no routing. Returns `route/gave-up` if the search
/// ended without a legal routing.
pub fn route(
    checked: &Checked,
    placed: &Placed,
    device: &Device,
    options: &RouteOptions<'_>,
) -> Outcome<Routes> {
    let nets = nets(checked, placed, device);
    match route_nets(&nets, device, options) {
        Ok(routes) => Outcome::ok(routes),
        Err(refusal) => Outcome::error(explain(checked, &nets, &refusal)),
    }
}

/// Routes the nets of a design.
///
/// # Errors
/// See [`Refusal`]. Its ids are positions in `nets`.
pub fn route_nets(nets: &[Net], device: &Device, options: &RouteOptions<'_>) -> Result<Routes, Refusal> {
    let requests: Vec<Request> = nets.iter().map(Request::from).collect();
    let routing =
        route_requests(&requests, device, options).map_err(|refusal| proven(refusal, &requests, device))?;
    let answers = routing.kinds.iter().zip(routing.trees);
    let routes =
        nets.iter().zip(answers).map(|(net, (&kind, hops))| Route { net: Net { kind, ..net.clone() }, hops });
    Ok(Routes { routes: routes.collect(), wiring: routing.wiring })
}

/// Counts the proof of a refusal again. A proof that fails the count becomes a search that gave up.
fn proven(refusal: Refusal, requests: &[Request], device: &Device) -> Refusal {
    match refusal {
        Refusal::Overfull(cut) if check_crossing(&cut, requests, device).is_err() => {
            Refusal::GaveUp { rounds: 0, worst: Vec::new(), nets: cut.nets }
        }
        refusal => refusal,
    }
}

/// The diagnostic for nets without routes, in terms of the design. The ids of `refusal` are
/// positions in `nets`.
pub fn explain(checked: &Checked, nets: &[Net], refusal: &Refusal) -> Diagnostic {
    errors::refusal(checked, nets, refusal)
}
