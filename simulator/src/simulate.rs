//! The stage: from a routed design to times.

use aiec_device::Device;
use aiec_diag::Outcome;
use aiec_ir::Checked;
use aiec_placer::Placed;
use aiec_router_model::{Routed, TimingProfile};

use crate::engine::Engine;
use crate::errors;
use crate::links::{Links, Sources};
use crate::program::Program;
use crate::report::{CollectiveTimes, KernelTimes, Simulation};
use crate::time::Time;

/// Simulates all runs of the graph under `profile`.
///
/// # Errors
/// `sim/deadlock` if the kernels end up waiting for each other.
pub fn simulate(
    checked: &Checked,
    placed: &Placed,
    routed: &Routed,
    device: &Device,
    profile: &TimingProfile,
) -> Outcome<Simulation> {
    let links = Links::new(&Sources { checked, placed, routed, device, profile });
    let programs = checked.kernels.ids().map(|kernel| Program::of(checked, kernel, profile)).collect();
    let mut engine = Engine::new(checked, programs, links);
    let complete = engine.run();
    if complete && engine.kernels.iter().any(|kernel| kernel.finished.is_none()) {
        return Outcome::error(errors::deadlock(checked, &engine));
    }
    Outcome::ok(report(checked, &engine, complete))
}

fn report(checked: &Checked, engine: &Engine<'_>, complete: bool) -> Simulation {
    let kernels = checked.kernels.iter().zip(engine.kernels.iter()).map(|(kernel, state)| KernelTimes {
        name: kernel.name.clone(),
        busy_cycles: state.busy.as_cycles(),
        waiting_cycles: state.waited.as_cycles(),
        finished_at: state.finished.map(Time::as_cycles),
    });
    let collectives = checked.collectives.enumerate().map(|(id, collective)| {
        let per_call = collective.chunks().max(1) as usize;
        let completions: Vec<f64> = engine.chunks[id]
            .chunks_exact(per_call)
            .filter_map(|call| call.last().map(|time| time.as_cycles()))
            .collect();
        let interval_cycles = match completions.as_slice() {
            [.., before, last] => Some(last - before),
            _ => None,
        };
        CollectiveTimes { name: collective.name.clone(), completions, interval_cycles }
    });
    Simulation {
        complete,
        events: engine.events,
        total_cycles: engine.end.as_cycles(),
        collectives: collectives.collect(),
        kernels: kernels.collect(),
    }
}
