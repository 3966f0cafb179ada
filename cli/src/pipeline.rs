//! The stages in order. This file decides the order and nothing else.

use aiec_check::Checked;
use aiec_device::Device;
use aiec_diag::{Outcome, SourceFile};
use aiec_dsl::ast::Program;
use aiec_event_model::{Timeline, Watch};
use aiec_ilp::Solver;
use aiec_ir::{Design, Expanded};
use aiec_placer::{Basis, Loaded, Pins, Placed, Tools};
use aiec_router_model::{Estimate, Implementation, Net, Refusal, RouteOptions, Routed, Routes};
use aiec_timing::TimingProfile;

use crate::{cycles::stated, errors::no_such_device};
pub use crate::{log::Log, options::Options, variant::Found};

/// The result of the front half: all stages before placement.
#[derive(Debug)]
pub struct Front {
    /// The device against which the design was checked.
    pub device: Device,
    /// Constants of all times.
    pub profile: TimingProfile,
    /// The design, with a proof that all checks passed.
    pub checked: Checked,
    /// The design with further amounts of its streams and windows, for models of time: those that a
    /// run counted, and those that follow from the other end of a connection. None when it leaves
    /// none open.
    pub amounts: Option<Box<Checked>>,
    /// The placement with which the compiler chose what the design leaves open.
    pub found: Option<Box<Found>>,
}

/// A placement and the router's result for it.
#[derive(Clone, Debug)]
pub struct Agreed {
    /// The placement, which has passed verification.
    pub placed: Placed,
    /// The nets that `placed` needs.
    pub nets: Vec<Net>,
    /// The routes, not verified yet, or the router's refusal.
    pub routes: Result<Routes, Refusal>,
    /// True if the placement search was stopped early.
    pub cut_short: bool,
}

/// The result of the back half: the data of the emitted project.
#[derive(Debug)]
pub struct Back {
    /// The placement, which has passed verification.
    pub placed: Placed,
    /// True if the placement search was stopped early.
    pub cut_short: bool,
    /// The routes, which have passed verification.
    pub routed: Routed,
    /// Cycles and resource use.
    pub estimate: Estimate,
}

/// Text to syntax tree.
pub fn parse(source: &SourceFile, log: &mut Log) -> Option<Program> {
    log.take(aiec_dsl::parse(source))
}

/// Text to design, or the design of a graph.
pub fn design(source: &SourceFile, options: &Options, log: &mut Log) -> Option<Design> {
    if let Some(adopted) = &options.adopted {
        return Some(stated(adopted.design.clone(), &options.counted));
    }
    let program = parse(source, log)?;
    log.take(aiec_lower::lower(&program, &options.lower)).map(|design| stated(design, &options.counted))
}

/// Expands a design to kernel instances, and chooses shapes for the device. Logs faults.
pub fn expand(design: &Design, options: &Options, log: &mut Log) -> Option<Expanded> {
    let guide = options.guide(design);
    log.take(aiec_lower::expand(design, &guide.for_release(design.release)))
}

/// Text to checked design.
pub fn front(source: &SourceFile, options: &Options, log: &mut Log) -> Option<Front> {
    front_of(&design(source, options, log)?, options, log)
}

/// Design to checked design.
pub fn front_of(design: &Design, options: &Options, log: &mut Log) -> Option<Front> {
    log.know(design, options.adopted.as_ref());
    checked(expand(design, options, log)?, options, log)
}

/// Instances to checked design.
pub(crate) fn checked(expanded: Expanded, options: &Options, log: &mut Log) -> Option<Front> {
    let device = device_of(&expanded, options, log)?;
    let checked = log.take(aiec_check::check_allowing(expanded, &device, &options.allowed))?;
    log.note(|| aiec_check::notes(&checked, &device));
    Some(Front::new(device, checked, options))
}

/// The content of a placement file.
#[derive(Debug)]
pub enum Given {
    /// A complete placement, verified.
    Placed(Box<Placed>),
    /// Tiles of some kernels; a search finds the others.
    Pins(Pins),
}

/// Reads a placement file, and verifies a complete placement.
pub fn given(front: &Front, file: &SourceFile, solver: &dyn Solver, log: &mut Log) -> Option<Given> {
    match log.take(aiec_placer::load_part(&front.checked, &front.device, file))? {
        Loaded::Part(pins) => Some(Given::Pins(pins)),
        Loaded::Whole(placement) => {
            let placed = aiec_fifos::complete(&front.checked, &front.device, placement, solver);
            Some(Given::Placed(Box::new(log.take(placed)?)))
        }
    }
}

/// Checked design to the verified placement of the search, which starts from `basis`. Also returns
/// whether the search was stopped early.
pub fn search(
    front: &Front,
    options: &Options,
    basis: &Basis<'_>,
    tools: &Tools<'_>,
    log: &mut Log,
) -> Option<(Placed, bool)> {
    let Front { device, checked, .. } = front;
    let found = log.take(aiec_placer::search(checked, device, &options.place, basis, tools))?;
    let placed = log.take(aiec_fifos::complete(checked, device, found.placement, tools.solver))?;
    Some((placed, found.cut_short))
}

/// A verified placement to its routes, or the router's refusal. `solver` solves integer programs
/// over congested regions.
pub fn route(
    front: &Front,
    placed: Placed,
    cut_short: bool,
    options: &Options,
    solver: &dyn Solver,
) -> Agreed {
    let nets = aiec_router_model::nets(&front.checked, &placed, &front.device);
    let routes =
        aiec_router_model::route_nets(&nets, &front.device, &RouteOptions { solver, ..options.route });
    Agreed { placed, nets, routes, cut_short }
}

/// Checked, placed and routed design to the data of the emitted project.
pub fn back(front: &Front, agreed: Agreed, log: &mut Log) -> Option<Back> {
    let Front { device, checked, .. } = front;
    let Agreed { placed, nets, routes, cut_short } = agreed;
    let routes = routes.map_err(|refusal| aiec_router_model::explain(checked, &nets, &refusal));
    let routes = log.take(routes.map_or_else(Outcome::error, Outcome::ok))?;
    let routed = log.take(aiec_router_model::verify(checked, &placed, device, routes))?;
    let whole = Implementation { checked, placed: &placed, routed: &routed, device };
    let estimate = aiec_router_model::estimate_with(&whole, &front.profile);
    Some(Back { placed, cut_short, routed, estimate })
}

/// All data to the times of the event model. Reports progress to `watch`.
pub fn timeline(front: &Front, back: &Back, watch: Watch<'_>, log: &mut Log) -> Option<Timeline> {
    log.take(aiec_event_model::run(&back.timed(front), &front.profile, watch))
}

/// The device of the command line, or the built-in one that the design names.
pub(crate) fn device_of(design: &Expanded, options: &Options, log: &mut Log) -> Option<Device> {
    let builtin = || aiec_device::builtin(&design.device.value);
    let device = options.device.clone().map(Outcome::ok).or_else(builtin);
    log.take(device.unwrap_or_else(|| Outcome::error(no_such_device(design))))
}
