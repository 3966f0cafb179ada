//! A run of the event model in a form that is short enough for a page.

use std::collections::BTreeMap;

use aiec_event_model::{KERNELS, NETS, Trace, TraceEvent};
use aiec_ir::Expanded;

use crate::graph::edges_of;
use crate::model::{NetTrack, Run, Slice, What};

/// Most slices of a page: about 1 MB of text.
const MOST: usize = 50_000;

/// The slices of a trace by kernel and net. Of a longer trace those that begin first.
pub(crate) fn run<'a>(design: &Expanded, trace: &'a Trace) -> Run<'a> {
    let cut = cut(trace);
    let mut whats: Vec<What<'a>> = Vec::new();
    let mut numbers: BTreeMap<What<'a>, u32> = BTreeMap::new();
    let mut kernels: Vec<Vec<Slice>> = vec![Vec::new(); design.kernels.len()];
    let mut nets: Vec<NetTrack> = trace
        .producers
        .iter()
        .map(|&port| NetTrack { edges: edges_of(design, port), slices: Vec::new() })
        .collect();
    for (event, begin, cycles) in slices(trace).filter(|(_, begin, _)| cut.is_none_or(|cut| *begin < cut)) {
        if event.group == KERNELS
            && let Some(track) = kernels.get_mut(event.track)
        {
            let what = What { name: &event.name, waits: event.category == "wait" };
            let number = *numbers.entry(what).or_insert_with(|| {
                whats.push(what);
                u32::try_from(whats.len() - 1).unwrap_or(u32::MAX)
            });
            track.push((begin, cycles, number));
        } else if event.group == NETS
            && let Some(track) = nets.get_mut(event.track)
        {
            track.slices.push((begin, cycles));
        }
    }
    kernels.iter_mut().for_each(|track| track.sort_by(|a, b| a.0.total_cmp(&b.0)));
    nets.iter_mut().for_each(|track| track.slices.sort_by(|a, b| a.0.total_cmp(&b.0)));
    nets.retain(|track| !track.slices.is_empty());
    let complete = cut.is_none() && trace.other.complete;
    Run { end: cut.unwrap_or(trace.other.cycles), complete, whats, kernels, nets }
}

/// The slices with begin and duration.
fn slices(trace: &Trace) -> impl Iterator<Item = (&TraceEvent, f64, f64)> {
    trace.events.iter().filter_map(|event| Some((event, event.begin?, event.cycles?)))
}

/// The time from which on slices are left out. Returns None when there is room for all.
fn cut(trace: &Trace) -> Option<f64> {
    let mut begins: Vec<f64> = slices(trace).map(|(_, begin, _)| begin).collect();
    begins.sort_by(f64::total_cmp);
    begins.get(MOST).copied()
}

#[cfg(test)]
mod tests {
    use aiec_event_model::Other;
    use aiec_ir::PortId;
    use aiec_test_support::{Builder, int32, output};

    use super::*;

    /// A slice of one cycle.
    fn slice(group: u32, category: &'static str, begin: usize) -> TraceEvent {
        TraceEvent {
            name: category.to_owned(),
            category,
            phase: "X",
            begin: Some(begin as f64),
            cycles: Some(1.0),
            group,
            track: 0,
            named: None,
        }
    }

    /// The run of a kernel with an output, from these slices.
    fn run_of(events: Vec<TraceEvent>) -> (f64, bool, usize, usize, Vec<bool>) {
        let design = Builder::new("d", "toy")
            .kernels("a", &[], &[output("y", int32(16))])
            .plio_output("y", 32)
            .connect("a.y", "y")
            .expanded()
            .expect("a design");
        let empty = String::new;
        let other = Other {
            design: empty(),
            profile: empty(),
            note: empty(),
            unit: "",
            complete: true,
            cycles: 5.0,
            assumed: Vec::new(),
        };
        let trace = Trace { events, display: "ns", other, producers: vec![PortId(0)] };
        let run = run(&design, &trace);
        let waits = run.whats.iter().map(|what| what.waits).collect();
        (run.end, run.complete, run.kernels[0].len(), run.nets.len(), waits)
    }

    #[test]
    fn a_run_has_the_slices_of_kernels_and_nets() {
        let events = vec![slice(KERNELS, "wait", 3), slice(KERNELS, "work", 0), slice(NETS, "net", 4)];
        assert_eq!(run_of(events), (5.0, true, 2, 1, vec![true, false]));
    }

    #[test]
    fn a_long_run_is_cut_at_a_time() {
        let events = (0..MOST + 10).map(|at| slice(KERNELS, "work", at)).collect();
        assert_eq!(run_of(events), (MOST as f64, false, MOST, 0, vec![false]));
    }
}
