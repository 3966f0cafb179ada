//! Hangs over streams: kernels that wait for each other because a stream holds few words.
//!
//! The check runs one iteration with words in place of data ([`flow`](super::flow)). Its runs
//! give three verdicts:
//!
//! 1. Each kernel reads and writes in the order that goes furthest, and nets hold the most words
//!    that a way across the array has. If this run stops, every order and every placement stops: an
//!    error.
//! 2. Nets hold 8 words, as on a way over one switch. If this run stops, the design depends on long
//!    ways: a warning.
//! 3. Each kernel reads and writes its streams in step, and reads first. If this run stops, the
//!    warning names that order. A run that stops in a loop without a full net says nothing: one
//!    kernel of a loop writes first, and the design does not say which. Then kernels write first in
//!    a fourth run.
//!
//! A run may also stop without a cycle: the branches of an ordered merge send unequally many
//! packets in an iteration, which is no balance.
//!
//! A switch holds `switch.hop_words` of the device (AM009: 8 words, two buffers of 4), and a way
//! across the array has one switch for each column and row.
//!
//! Kernels that share a core run in turn, and could wait for each other. aiec gives a kernel with a
//! stream or a cascade a core of its own, unless constraints put others there. Then
//! [`orders`](super::orders) states what is assumed.

use std::collections::BTreeMap;

use aiec_diag::Diagnostic;

use super::context::Context;
use super::flow::{Assumptions, Flow, Order};
use crate::errors::hangs::{self as errors, Depth, Sure};
use crate::errors::rates::out_of_turn;
use aiec_ir::ConnectionId;
use aiec_ir::expanded::PortRole;

/// Steps of all runs of a check together; about a tenth of a second of work.
const MOST_STEPS: u64 = 2_000_000;

/// Most words that the check adds to a FIFO; more than a memory module has.
const MOST_FIFO: u64 = 1 << 14;

pub(super) fn check(context: &Context) -> Vec<Diagnostic> {
    if !concerns(context) {
        return Vec::new();
    }
    let device = context.device;
    let of_switch = u64::from(device.switch.hop_words);
    let most = of_switch * (u64::from(device.columns) + u64::from(device.rows));
    let word_bytes = u64::from(device.tile.word_bytes);
    let least = Assumptions { in_flight: of_switch, word_bytes, ..Assumptions::default() };
    let in_step = |order| Assumptions { order, ..least.clone() };
    let runs = [
        (Assumptions { in_flight: most, ..least.clone() }, Sure::Always(most)),
        (least.clone(), Sure::ShortWays(of_switch)),
        (in_step(Order::ReadsFirst), Sure::ReadingFirst),
        (in_step(Order::WritesFirst), Sure::WritingFirst),
    ];
    let mut budget = MOST_STEPS;
    for (assumptions, sure) in runs {
        let mut flow = Flow::new(context.expanded, &assumptions, budget);
        let finishes = flow.finishes();
        budget = flow.budget();
        if finishes {
            if sure == Sure::ReadingFirst {
                return Vec::new();
            }
            continue;
        }
        let Some(cycle) = flow.cycle() else {
            let turn = flow.turn_of_done();
            return turn.map(|wait| out_of_turn(context.expanded, &wait)).into_iter().collect();
        };
        if sure == Sure::ReadingFirst && cycle.iter().all(|wait| wait.full.is_none()) {
            continue;
        }
        // Depths that hold in step hold in every order that goes further.
        let in_this_step = match sure {
            Sure::WritingFirst => Order::WritesFirst,
            _ => Order::ReadsFirst,
        };
        let mut found = depths(context, &in_step(in_this_step), &mut budget);
        if found.is_empty() {
            found = depths(context, &least, &mut budget);
        }
        return vec![errors::hang(context.expanded, &cycle, &found, sure)];
    }
    Vec::new()
}

/// True if a stream, packets or different windows are connected. Windows of one size only stop in
/// cycles, which other checks find.
fn concerns(context: &Context) -> bool {
    let design = context.expanded;
    design.connections.iter().any(|connection| {
        let ends = [connection.from, connection.to];
        let user = |port| {
            let role = design.ports[port].role;
            matches!(role, PortRole::User(_) | PortRole::External | PortRole::Channel(_))
        };
        let windows = ends.map(|port| design.ports[port].window());
        let switched = connection.switch.is_some();
        ends.into_iter().all(user) && (switched || windows.contains(&None) || windows[0] != windows[1])
    })
}

/// FIFO depths with which the run finishes, where no single one can be smaller. Empty if no FIFO
/// helps, or the budget is spent.
///
/// A full FIFO of the cycle grows until the run goes on. Then bisection gives each FIFO its least
/// depth while the others stay. A smaller depth never lets a run go further.
fn depths(context: &Context, assumptions: &Assumptions, budget: &mut u64) -> Vec<Depth> {
    let mut words: BTreeMap<ConnectionId, u64> = BTreeMap::new();
    while let Some(flow) = stopped(context, assumptions, &words, budget) {
        let cycle = flow.cycle().unwrap_or_default();
        let full = cycle.iter().filter_map(|wait| wait.full);
        // A split or merge has no FIFO in the graph.
        let switched = |id: ConnectionId| context.expanded.connections[id].switch.is_some();
        let streams = full.filter(|&id| !context.expanded.goes_by_cascade(id) && !switched(id));
        let Some(id) = streams.min_by_key(|id| words.get(id).copied().unwrap_or(0)) else {
            return Vec::new();
        };
        let depth = words.entry(id).or_insert(0);
        *depth = (*depth * 2).max(1);
        if *depth > MOST_FIFO || *budget == 0 {
            return Vec::new();
        }
    }
    for id in words.keys().copied().collect::<Vec<_>>() {
        let (mut low, mut high) = (0, words[&id]);
        while low < high {
            let middle = u64::midpoint(low, high);
            words.insert(id, middle);
            match stopped(context, assumptions, &words, budget) {
                Some(_) => low = middle + 1,
                None => high = middle,
            }
        }
        words.insert(id, high);
    }
    if *budget == 0 {
        return Vec::new();
    }
    let declared = |id: ConnectionId| {
        context.expanded.connections[id].fifo.as_ref().map_or(0, |fifo| u64::from(fifo.value))
    };
    let needed = words.into_iter().filter(|&(_, more)| more > 0);
    needed.map(|(connection, more)| Depth { connection, words: declared(connection) + more }).collect()
}

/// The run with these additional FIFO words, if it stops.
fn stopped<'a>(
    context: &Context<'a>,
    assumptions: &Assumptions,
    words: &BTreeMap<ConnectionId, u64>,
    budget: &mut u64,
) -> Option<Flow<'a>> {
    let more = words.iter().map(|(&id, &words)| (id, words)).collect();
    let mut flow = Flow::new(context.expanded, &Assumptions { more, ..assumptions.clone() }, *budget);
    let finishes = flow.finishes();
    *budget = flow.budget();
    (!finishes).then_some(flow)
}

#[cfg(test)]
mod packet_tests;
#[cfg(test)]
mod tests;
