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
    let mut end = 0.0_f64;
    for (event, begin, cycles) in slices(trace).filter(|(_, begin, _)| cut.is_none_or(|cut| *begin < cut)) {
        end = end.max(begin + cycles);
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
    Run { end: cut.unwrap_or(end), complete, whats, kernels, nets }
}

/// The slices with begin and duration.
fn slices(trace: &Trace) -> impl Iterator<Item = (&TraceEvent, f64, f64)> {
    trace.events.iter().filter_map(|event| Some((event, event.begin?, event.cycles?)))
}

/// The time from which on slices are left out. None when there is room for all.
fn cut(trace: &Trace) -> Option<f64> {
    let mut begins: Vec<f64> = slices(trace).map(|(_, begin, _)| begin).collect();
    begins.sort_by(f64::total_cmp);
    begins.get(MOST).copied()
}
