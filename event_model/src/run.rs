//! The stage: from a routed design to times.

use std::collections::BTreeMap;

use aiec_check::Checked;
use aiec_device::{Device, Tile};
use aiec_diag::Outcome;
use aiec_ir::KernelId;
use aiec_placer::Placed;
use aiec_router_model::Implementation;
use aiec_timing::TimingProfile;

use crate::banks::Banks;
use crate::engine::Engine;
use crate::errors;
use crate::ideal::Ideal;
use crate::links::{Links, Sources};
use crate::path::Path;
use crate::program::{Program, Writer, schedules};
use crate::report::{CollectiveTimes, KernelTimes, Spread, Timeline, Watch};
use crate::time::Time;
use crate::trace::Trace;
use crate::words::Words;

/// Runs all iterations of the graph under `profile`. Reports progress to `watch` some hundred times
/// a second.
///
/// # Errors
/// `sim/deadlock` if the kernels end up waiting for each other.
pub fn run(whole: &Implementation<'_>, profile: &TimingProfile, watch: Watch<'_>) -> Outcome<Timeline> {
    let mut engine = engine(&Sources::of(whole, profile, Ideal::Nothing));
    finish(whole.checked, &mut engine, watch)
}

/// Like [`run`], on a perfect placement: no kernel waits for its core, all ways lead to a neighbour
/// at most, and windows go through shared memory where some placement lets them. No placement is
/// faster.
///
/// # Errors
/// `sim/deadlock` if the kernels end up waiting for each other.
pub fn perfect(
    checked: &Checked,
    device: &Device,
    profile: &TimingProfile,
    watch: Watch<'_>,
) -> Outcome<Timeline> {
    finish(checked, &mut engine(&Sources::perfect(checked, device, profile)), watch)
}

/// Like [`run`], and returns what kernels and nets did at each time, also of a run that ends in a
/// deadlock.
///
/// # Errors
/// `sim/deadlock` if the kernels end up waiting for each other.
pub fn traced(
    whole: &Implementation<'_>,
    profile: &TimingProfile,
    watch: Watch<'_>,
) -> (Outcome<Timeline>, Trace) {
    let mut engine = engine(&Sources::of(whole, profile, Ideal::Nothing));
    engine.record();
    let timeline = finish(whole.checked, &mut engine, watch);
    (timeline, engine.trace(profile))
}

/// Like [`run`], and returns the critical path.
///
/// # Errors
/// `sim/deadlock` if the kernels end up waiting for each other.
pub fn with_path(
    whole: &Implementation<'_>,
    profile: &TimingProfile,
    watch: Watch<'_>,
) -> Outcome<(Timeline, Path)> {
    let mut engine = engine(&Sources::of(whole, profile, Ideal::Nothing));
    engine.keep_steps();
    finish(whole.checked, &mut engine, watch).map(|timeline| (timeline, engine.path()))
}

/// The engine of a design at time 0.
pub(crate) fn engine<'a>(sources: &Sources<'a>) -> Engine<'a> {
    let &Sources { checked, profile, ideal, .. } = sources;
    let schedules = schedules(checked);
    let words = Words::of(sources);
    let writer = Writer { design: checked, schedules: &schedules, profile, words: &words, ideal };
    let programs = checked.kernels.ids().map(|kernel| Program::of(&writer, kernel)).collect();
    let placed = sources.placed().filter(|_| !ideal.has_best_tiles());
    let cores = placed.map_or_else(Vec::new, |placed| cores(checked, placed));
    let joints = checked.collectives.enumerate().map(|(id, collective)| sources.joint(id, collective));
    let links = Links::new(sources);
    let banks = (profile.bank_conflicts && ideal == Ideal::Nothing).then(|| Banks::of(sources, &links));
    let mut engine = Engine::new(checked, programs, links, words, &cores, joints.collect());
    banks.into_iter().for_each(|banks| engine.count_conflicts(banks));
    engine.give(sources.results());
    engine
}

/// Runs the engine to its end.
pub(crate) fn finish(checked: &Checked, engine: &mut Engine<'_>, watch: Watch<'_>) -> Outcome<Timeline> {
    let complete = engine.run(watch);
    if complete && engine.kernels.iter().any(|kernel| kernel.finished.is_none()) {
        return Outcome::error(errors::deadlock(checked, engine));
    }
    Outcome::ok(report(checked, engine, complete))
}

/// The kernels of each core, in the order in which they fire.
fn cores(checked: &Checked, placed: &Placed) -> Vec<Vec<KernelId>> {
    let mut cores: BTreeMap<Tile, Vec<KernelId>> = BTreeMap::new();
    for kernel in checked.firing_order() {
        cores.entry(placed.kernels[kernel]).or_default().push(kernel);
    }
    cores.into_values().collect()
}

/// Counted times in cycles.
fn in_cycles(times: &BTreeMap<Time, u64>) -> Vec<(f64, u64)> {
    times.iter().map(|(time, count)| (time.as_cycles(), *count)).collect()
}

fn report(checked: &Checked, engine: &Engine<'_>, complete: bool) -> Timeline {
    let kernels = checked.kernels.iter().zip(engine.kernels.iter()).map(|(kernel, state)| KernelTimes {
        name: kernel.name.clone(),
        busy_cycles: state.busy.as_cycles(),
        waiting_cycles: state.waited.as_cycles(),
        finished_at: state.finished.map(Time::as_cycles),
    });
    let collectives = checked.collectives.enumerate().map(|(id, collective)| {
        let calls = &engine.calls[id];
        let pair = calls.last.zip(calls.before);
        CollectiveTimes {
            name: collective.name.clone(),
            calls: calls.done,
            start: calls.start().map(Time::as_cycles),
            first: calls.first.map(Time::as_cycles),
            last: calls.last.map(Time::as_cycles),
            interval_cycles: pair.map(|(last, before)| last.since(before).as_cycles()),
            first_duration: calls.first_duration.map(Time::as_cycles),
            durations: in_cycles(&calls.durations),
            spread: calls
                .spread
                .as_ref()
                .map(|spread| Spread { entered: in_cycles(&spread.entered), left: in_cycles(&spread.left) }),
        }
    });
    Timeline {
        complete,
        events: engine.events,
        total_cycles: engine.end.as_cycles(),
        collectives: collectives.collect(),
        kernels: kernels.collect(),
    }
}
