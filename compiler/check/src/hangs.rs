//! Hangs over streams: kernels that wait for each other because a stream holds few words.
//!
//! The check runs one iteration with words in place of data ([`flow`](super::flow)). Its runs
//! give six verdicts:
//!
//! 1. Each kernel reads and writes in the order that goes furthest, and nets hold the most words
//!    that a way across the array has. All windows go by DMA, with buffers at both ends. Open ends
//!    of channels and collectives take and give everything. If this run stops, every order and
//!    every placement stops: an error.
//! 2. The same, but open ends move all elements of `data`, the most that they can. If this run
//!    stops, the warning names that amount. Open ends do so in all further runs.
//! 3. Windows go through shared memory where a placement may let them, with the buffers of one end.
//!    If this run stops, the design depends on kernels that lie apart: a warning. All further runs
//!    share memory too.
//! 4. Each run of a kernel moves a vector over each of its cascades, and these hold few. If this
//!    run stops, the warning says so. A run may leave cascades out, so further runs do not count
//!    them.
//! 5. Nets hold 8 words, as on a way over one switch. If this run stops, the design depends on long
//!    ways: a warning. A further run counts cascades, too.
//! 6. Each kernel reads and writes its streams in step, and reads first. Each of its runs moves
//!    one packet at a branch of a split or ordered merge, and these follow in the order of the
//!    branches. If this run stops, the warning names that order. A run that stops in a loop without
//!    a full net says nothing: one kernel of a loop writes first, and the design does not say
//!    which. Then kernels write first in a further run.
//!
//! A run may also stop without a cycle: the branches of an ordered merge send unequally many
//! packets in an iteration, which is no balance.
//!
//! A switch holds `switch.hop_words` of the device (AM009: 8 words, two buffers of 4), and a way
//! across the array has one switch for each column and row.
//!
//! Kernels that share a core run in turn, and could wait for each other through kernels on other
//! cores. aiec gives a kernel with a stream or a cascade a core of its own, unless constraints put
//! others there. Where all of the above runs finish, they run once more with the kernels of one
//! such core in turn, and stop where no order of these goes on. In step this counts only if it
//! stops whatever comes first. Amounts that the design leaves open take part in no run, so
//! [`orders`](super::orders) states what is assumed.
//!
//! A kernel may also read all of a firing before it writes, as a block transform does, or move one
//! stream after the other, whatever others do. A hang in such an order gives no verdict, since
//! kernels in step are no less common. [`in_step`] says which connections need more words to serve
//! every order of every kernel. There a firing passes as many vectors over a cascade as it may.
//! [`runs_ahead`] says of how many runs a cascade has to hold the vectors in the best order.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use aiec_device::Device;
use aiec_diag::{Diagnostic, Span};

use super::context::Context;
use super::fifos::MOST_FIFO;
use super::flow::{Assumptions, Cascade, Flow, Order, Stop, followed};
use super::orders::{self, InStep};
use crate::errors::hangs::{self as errors, Depth, Sure};
use crate::errors::rates::out_of_turn;
use aiec_ir::blocks::BuffersApart;
use aiec_ir::expanded::{Connection, Expanded, PortRole, SwitchKind};
use aiec_ir::{Carries, ConnectionId, KernelId, PortId};

/// Steps of all runs of a check together; about a tenth of a second of work.
const MOST_STEPS: u64 = 2_000_000;

/// Vectors of a firing over a cascade that passes many.
const MANY: u64 = 1 << 20;

pub(super) fn check(context: &Context) -> Vec<Diagnostic> {
    if !concerns(context) {
        return Vec::new();
    }
    let device = context.device;
    let least = least(context);
    let of_switch = least.in_flight;
    let most = of_switch * (u64::from(device.columns) + u64::from(device.rows));
    let has_open_ends = context.expanded.ports.ids().any(|port| context.expanded.opens_for(port).is_some());
    let shared = Assumptions { in_flight: most, ..least.clone() };
    let longest = Assumptions { shared: BTreeSet::new(), ..shared.clone() };
    let by_dma = Assumptions { all_elements: !has_open_ends, ..longest.clone() };
    // The first runs of a kernel of a foreign graph may pass nothing over a cascade.
    let in_runs = if context.expanded.is_adf() { BTreeMap::new() } else { cascades(context, 1) };
    let each_run = |ways: &Assumptions| Assumptions { cascades: in_runs.clone(), ..ways.clone() };
    let (over_long_ways, over_short_ways) = (each_run(&shared), each_run(&least));
    let in_step = |order| Assumptions { order, ..least.clone() };
    let mut runs = vec![
        (by_dma, Sure::Always(most)),
        (longest, Sure::Always(most)),
        (shared, Sure::SharedMemory),
        (over_long_ways, Sure::EachRun(None)),
        (least.clone(), Sure::ShortWays(of_switch)),
        (over_short_ways, Sure::EachRun(Some(of_switch))),
        (in_step(Order::ReadsFirst), Sure::ReadingFirst),
        (in_step(Order::WritesFirst), Sure::WritingFirst),
    ];
    // Without open ends or windows to share, a run is the one before it.
    runs.dedup_by(|run, before| run.0 == before.0);
    let mut budget = MOST_STEPS;
    let found = side_by_side(context, &runs, &least, &mut budget);
    if found.is_empty() { in_turn(context, &runs, &mut budget) } else { found }
}

/// The best order over ways of one switch, with windows in shared memory where a placement may let
/// them, and open ends that move all elements.
fn least(context: &Context) -> Assumptions {
    let fifos = context.expanded.connections.iter();
    Assumptions {
        in_flight: u64::from(context.device.switch.hop_words),
        fifos: fifos.map(|connection| connection.held_words(context.device).into()).collect(),
        word_bytes: u64::from(context.device.tile.word_bytes),
        all_elements: true,
        shared: shareable(context),
        ..Assumptions::default()
    }
}

/// The cascades between ports of the design's own, each with as many vectors of a firing. A design
/// states no amount, so those whose ends run unequally often are left out.
fn cascades(context: &Context, moved: u64) -> BTreeMap<ConnectionId, Cascade> {
    let design = context.expanded;
    let runs = |port: PortId| {
        let is_user = matches!(design.ports[port].role, PortRole::User(_));
        design.kernel_of(port).filter(|_| is_user).map(|kernel| design.kernels[kernel].repetitions)
    };
    let is_known = |wire: &Connection| runs(wire.from).is_some() && runs(wire.from) == runs(wire.to);
    let held = context.device.core.cascade_vectors().into();
    let all = design.connections.enumerate();
    let own = all.filter(|(id, wire)| design.goes_by_cascade(*id) && is_known(wire));
    own.map(|(id, _)| (id, Cascade { moved, held })).collect()
}

/// The runs of its writer that a cascade has to hold before the reader starts as many, for each
/// cascade that has to hold any. At least these: a design may leave amounts open.
pub(super) fn runs_ahead(context: &Context) -> BTreeMap<ConnectionId, u64> {
    let design = context.expanded;
    let ids: Vec<ConnectionId> = cascades(context, 1).into_keys().collect();
    let mut budget = MOST_STEPS;
    let mut finishes = |held: u64, cascades: &[ConnectionId]| {
        let cascades = cascades.iter().map(|&id| (id, Cascade { moved: 1, held })).collect();
        let mut flow = Flow::new(design, &Assumptions { cascades, ..least(context) }, budget);
        let finishes = flow.finishes();
        budget = flow.budget();
        finishes
    };
    if ids.is_empty() || finishes(0, &ids) || !finishes(0, &[]) {
        return BTreeMap::new();
    }
    let runs = |id: ConnectionId| {
        let writer = design.kernel_of(design.connections[id].from);
        let most = writer.map_or(1, |kernel| design.kernels[kernel].repetitions.into());
        let (mut low, mut high) = (0, most);
        while low < high {
            let middle = u64::midpoint(low, high);
            match finishes(middle, &[id]) {
                true => high = middle,
                false => low = middle + 1,
            }
        }
        // Other reasons than the room of the cascade have a warning.
        (id, if finishes(low, &[id]) { low } else { 0 })
    };
    ids.into_iter().map(runs).filter(|(_, runs)| *runs > 0).collect()
}

/// The connections that hold too few words for some order of reads and writes of each kernel. One
/// for each statement. Empty for a design that stops in step, since it has a warning.
pub(super) fn in_step(context: &Context) -> Vec<InStep> {
    if !concerns(context) {
        return Vec::new();
    }
    let mut budget = MOST_STEPS;
    let assumptions = |order| Assumptions { order, ..least(context) };
    // A ring stops in step without a full net, and goes on where kernels write first.
    let mut stops =
        |order| full(context, &assumptions(order), &Changes::default(), Stops::InRun, &mut budget);
    let is_faulty = match stops(Order::ReadsFirst) {
        Some(full) if full.is_empty() => stops(Order::WritesFirst).is_some(),
        stopped => stopped.is_some(),
    };
    if is_faulty {
        return Vec::new();
    }
    let with = |cascades| Assumptions { cascades, ..assumptions(Order::ReadsFirst) };
    let (mut run, mut budget) = (with(cascades(context, MANY)), MOST_STEPS);
    let mut first = full(context, &run, &Changes::default(), Stops::InSomeOrder, &mut budget);
    if budget == 0 && !run.cascades.is_empty() {
        (run, budget) = (with(BTreeMap::new()), MOST_STEPS);
        first = full(context, &run, &Changes::default(), Stops::InSomeOrder, &mut budget);
    }
    let Some(first) = first else { return Vec::new() };
    let group = |id| alike(context.expanded, id);
    let mut all = depths(context, &run, Stops::InSomeOrder, group, &mut budget);
    if all.is_empty() {
        all.extend(first.first().map(|&connection| Depth { connection, words: None, apart: false }));
    }
    let mut found: BTreeMap<Span, InStep> = BTreeMap::new();
    for Depth { connection, words, apart } in all {
        let span = context.expanded.connections[connection].span;
        match found.entry(span) {
            Entry::Vacant(entry) => {
                entry.insert(InStep { connection, more: 0, words, apart });
            }
            Entry::Occupied(mut entry) => {
                let of_span = entry.get_mut();
                of_span.more += 1;
                of_span.words = of_span.words.max(words);
                of_span.apart |= apart;
            }
        }
    }
    found.into_values().collect()
}

/// The connections of one statement between kernels of the same families, which have one FIFO
/// depth.
fn alike(design: &Expanded, id: ConnectionId) -> Vec<ConnectionId> {
    let of = |id: ConnectionId| {
        let wire = &design.connections[id];
        let family = |end| design.kernel_of(end).map(|kernel| design.kernels[kernel].family);
        (wire.span, family(wire.from), family(wire.to))
    };
    design.connections.ids().filter(|&other| of(other) == of(id)).collect()
}

/// The hang of kernels that all run at once, in the first of `runs` that stops. `least` is the run
/// with the shortest ways.
fn side_by_side(
    context: &Context,
    runs: &[(Assumptions, Sure)],
    least: &Assumptions,
    budget: &mut u64,
) -> Vec<Diagnostic> {
    for (assumptions, sure) in runs {
        let sure = *sure;
        let mut flow = Flow::new(context.expanded, assumptions, *budget);
        let finishes = flow.finishes();
        *budget = flow.budget();
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
        let (all_elements, cascades) = (assumptions.all_elements, assumptions.cascades.clone());
        let least = Assumptions { all_elements, cascades, ..least.clone() };
        let in_step = Assumptions { order: in_this_step, cascades: BTreeMap::new(), ..least.clone() };
        let alone = |id| vec![id];
        let mut found = depths(context, &in_step, Stops::InRun, alone, budget);
        let is_in_step = !found.is_empty();
        if found.is_empty() {
            found = depths(context, &least, Stops::InRun, alone, budget);
        }
        return vec![errors::hang(context.expanded, &cycle, (&found, is_in_step), sure)];
    }
    Vec::new()
}

/// The hangs of kernels that run in turn on one core, one for cores of equal families. Other checks
/// find kernels that need a core of their own, and windows that a kernel locks within the core.
fn in_turn(context: &Context, runs: &[(Assumptions, Sure)], budget: &mut u64) -> Vec<Diagnostic> {
    let design = context.expanded;
    let alone = design.alone();
    let mut found: Vec<(Vec<KernelId>, Stop, Sure, u64)> = Vec::new();
    for core in orders::turns(design) {
        let is_faulty = core.iter().any(|&kernel| alone[kernel].is_some());
        if is_faulty || !design.locked_between(&core).is_empty() {
            continue;
        }
        let Some((stop, sure)) = of_core(context, &core, runs, budget) else { continue };
        let families = |core: &[KernelId]| -> Vec<_> {
            core.iter().map(|&kernel| design.kernels[kernel].family).collect()
        };
        let same = |(first, _, other, _): &&mut (Vec<KernelId>, Stop, Sure, u64)| {
            families(first) == families(&core) && *other == sure
        };
        match found.iter_mut().find(same) {
            Some((.., more)) => *more += 1,
            None => found.push((core, stop, sure, 0)),
        }
    }
    found.iter().map(|(core, stop, sure, more)| errors::turns(design, core, stop, *sure, *more)).collect()
}

/// Why the kernels of a core never end, in the first of `runs` that stops.
fn of_core(
    context: &Context,
    core: &[KernelId],
    runs: &[(Assumptions, Sure)],
    budget: &mut u64,
) -> Option<(Stop, Sure)> {
    let mut reading = None;
    for (assumptions, sure) in runs {
        let mut flow = Flow::new(context.expanded, assumptions, *budget);
        let finishes = flow.finishes();
        *budget = flow.budget();
        let mut flow = Flow::new(context.expanded, assumptions, *budget);
        let stop = if finishes { flow.in_turn(core) } else { None };
        *budget = flow.budget().min(*budget);
        match (sure, stop) {
            // In step the kernels of a loop may stop without the core.
            (Sure::ReadingFirst | Sure::WritingFirst, None) if finishes => return None,
            (Sure::ReadingFirst, stop) => reading = stop,
            (Sure::WritingFirst, Some(stop)) => {
                let sure = if reading.is_some() { Sure::InStep } else { *sure };
                return Some((reading.unwrap_or(stop), sure));
            }
            (Sure::WritingFirst, None) => return reading.map(|stop| (stop, Sure::ReadingFirst)),
            (_, Some(stop)) => return Some((stop, *sure)),
            (_, None) => {}
        }
    }
    None
}

/// The connections whose windows a placement may let through shared memory: one reader, equal
/// windows without a margin, and neither `apart` nor tiles that keep the kernels or the buffers
/// away from each other.
fn shareable(context: &Context) -> BTreeSet<ConnectionId> {
    let design = context.expanded;
    let near = |(from, to)| {
        let group = |kernels: &[_]| from != to && kernels.contains(&from) && kernels.contains(&to);
        let apart = design.constraints.apart.iter().any(|apart| group(&apart.kernels));
        let tiles = context.fixed_tile(from).zip(context.fixed_tile(to));
        let far = tiles.is_some_and(|(a, b)| a != b && !context.grid.partners(a).contains(&b));
        !apart && !far
    };
    let kernels = |wire: &Connection| design.kernel_of(wire.from).zip(design.kernel_of(wire.to));
    // A producer and its consumer whose buffers are to be apart share none.
    let is_apart = |wire: &Connection| {
        let both =
            |apart: &BuffersApart<PortId>| [wire.from, wire.to].iter().all(|end| apart.ports.contains(end));
        design.blocks.apart.iter().any(both)
    };
    let plain = |wire: &Connection| {
        let window = design.ports[wire.from].window();
        let fits = matches!(design.ports[wire.to].carries, Some(Carries::Window { margin: 0, .. }));
        window.is_some() && fits && design.may_share(wire.from) && !is_apart(wire)
    };
    let all = design.connections.enumerate();
    all.filter(|(_, wire)| plain(wire) && kernels(wire).is_some_and(near)).map(|(id, _)| id).collect()
}

/// True if a stream, packets, different windows, or a stated number of asynchronous windows are
/// connected. Windows of one size only stop in cycles, which other checks find.
fn concerns(context: &Context) -> bool {
    let design = context.expanded;
    design.connections.iter().any(|connection| {
        let ends = [connection.from, connection.to];
        let user = |port| {
            let role = design.ports[port].role;
            matches!(role, PortRole::User(_) | PortRole::External | PortRole::Channel(_))
        };
        let windows = ends.map(|port| design.ports[port].window());
        let counted =
            connection.switch.is_some() || ends.iter().any(|&end| design.ports[end].windows.is_some());
        ends.into_iter().all(user) && (counted || windows.contains(&None) || windows[0] != windows[1])
    })
}

/// The trunks of the splits and merges that no run of the check follows, each once, in the order of
/// the design. An input's data decide which packets come, and so do kernels that take windows of
/// packets themselves. Those with an end of an open amount are left out, since
/// [`Expanded::without_verdict`] has them.
pub fn open_packets(design: &Expanded, device: &Device) -> Vec<PortId> {
    let followed = followed(design, u64::from(device.tile.word_bytes).max(1));
    let open: BTreeSet<ConnectionId> = design.without_verdict().collect();
    let mut seen = BTreeSet::new();
    let switches = design.switches.enumerate().filter(|(id, switch)| {
        !followed.contains(id) && !switch.branches.iter().any(|wire| open.contains(wire))
    });
    switches.map(|(_, switch)| switch.trunk).filter(|&trunk| seen.insert(trunk)).collect()
}

/// What changes in a run: additional FIFO words of connections, and connections that no longer go
/// through shared memory.
#[derive(Clone, Debug, Default)]
struct Changes {
    words: BTreeMap<ConnectionId, u64>,
    apart: BTreeSet<ConnectionId>,
}

/// Which stops a search looks for.
#[derive(Clone, Copy)]
enum Stops {
    /// Those of the run in its order.
    InRun,
    /// Those to which some order of each kernel leads.
    InSomeOrder,
}

impl Stops {
    /// The full connections of a cycle of waits. Returns None when there is no such stop.
    fn full(self, flow: &mut Flow) -> Option<Vec<ConnectionId>> {
        match self {
            Self::InSomeOrder => flow.full_in_some_order(),
            Self::InRun if flow.finishes() => None,
            Self::InRun => {
                let cycle = flow.cycle().unwrap_or_default();
                Some(cycle.iter().filter_map(|wait| wait.full).collect())
            }
        }
    }

    /// The connection of a cycle whose FIFO grows, and its words. `all` has each full one with the
    /// words that it has grown by, and the most of these.
    fn grown(self, all: impl Iterator<Item = (ConnectionId, u64, u64)>) -> Option<(ConnectionId, u64)> {
        let open = all.filter(|(_, words, most)| words < most);
        match self {
            Self::InRun => {
                let (id, words, most) = open.min_by_key(|(_, words, _)| *words)?;
                Some((id, (words * 2).clamp(1, most)))
            }
            // One connection of a way is enough.
            Self::InSomeOrder => open.last().map(|(id, _, most)| (id, most)),
        }
    }
}

/// Changes with which there is no such stop, where no single one can be left out or be smaller.
/// Empty if none help, or the budget is spent.
///
/// A full connection of the cycle leaves shared memory, or its FIFO grows until the run goes on.
/// Then bisection gives each FIFO its least depth while the others stay. A smaller depth never lets
/// a run go further. Connections of one `group` change together.
fn depths(
    context: &Context,
    assumptions: &Assumptions,
    stops: Stops,
    group: impl Fn(ConnectionId) -> Vec<ConnectionId>,
    budget: &mut u64,
) -> Vec<Depth> {
    let mut changes = Changes::default();
    while let Some(full) = full(context, assumptions, &changes, stops, budget) {
        let words = |id: ConnectionId| changes.words.get(&id).copied().unwrap_or(0);
        let most = |id| most_added(context, assumptions, id);
        let Some((id, depth)) = stops.grown(full.into_iter().map(|id| (id, words(id), most(id)))) else {
            return Vec::new();
        };
        if assumptions.shared.contains(&id) && !changes.apart.contains(&id) {
            changes.apart.extend(group(id));
            continue;
        }
        changes.words.extend(group(id).into_iter().map(|id| (id, depth)));
        if *budget == 0 {
            return Vec::new();
        }
    }
    let groups = |all: Vec<ConnectionId>| all.into_iter().map(&group).collect::<BTreeSet<_>>();
    for group in groups(changes.words.keys().copied().collect()) {
        if *budget == 0 {
            return Vec::new();
        }
        let (mut low, mut high) = (0, changes.words[&group[0]]);
        let mut is_stopped = |words: u64| {
            changes.words.extend(group.iter().map(|&id| (id, words)));
            full(context, assumptions, &changes, stops, budget).is_some()
        };
        while low < high {
            let middle = u64::midpoint(low, high);
            match is_stopped(middle) {
                true => low = middle + 1,
                false => high = middle,
            }
        }
        changes.words.extend(group.iter().map(|&id| (id, high)));
    }
    for group in groups(changes.apart.iter().copied().collect()) {
        changes.apart.retain(|id| !group.contains(id));
        if full(context, assumptions, &changes, stops, budget).is_some() {
            changes.apart.extend(group);
        }
    }
    if *budget == 0 {
        return Vec::new();
    }
    changes.words.retain(|_, more| *more > 0);
    let concerned: BTreeSet<_> = changes.words.keys().chain(&changes.apart).copied().collect();
    let depth = |connection| {
        let words = changes.words.get(&connection).map(|more| assumptions.fifos[connection] + more);
        Depth { connection, words, apart: changes.apart.contains(&connection) }
    };
    concerned.into_iter().map(depth).collect()
}

/// Most words that a FIFO of a connection may grow by: none along the cascade. A FIFO of packets
/// has few words, since those in memory lose TLAST. Only an order in step tells which branch of a
/// split needs them. A run takes the ways of a merge together, so it tells nothing of one.
fn most_added(context: &Context, assumptions: &Assumptions, id: ConnectionId) -> u64 {
    let (design, connection) = (context.expanded, &context.expanded.connections[id]);
    let is_split = |switch| design.switches[switch].kind == SwitchKind::Split;
    let is_known =
        connection.switch.is_none_or(|switch| is_split(switch) && assumptions.order != Order::Furthest);
    if design.goes_by_cascade(id) || !is_known {
        return 0;
    }
    let carries = design.ports[connection.from].carries;
    let has_packets = connection.switch.is_some() || matches!(carries, Some(Carries::Packets(_)));
    let threshold = context.device.tools.fifo_threshold_words.filter(|_| has_packets);
    threshold.map_or(MOST_FIFO, |words| u64::from(words).saturating_sub(1 + assumptions.fifos[id]))
}

/// The full connections of a stop with these changes.
fn full(
    context: &Context,
    assumptions: &Assumptions,
    changes: &Changes,
    stops: Stops,
    budget: &mut u64,
) -> Option<Vec<ConnectionId>> {
    let more = changes.words.iter().map(|(&id, &words)| (id, words)).collect();
    let shared = assumptions.shared.difference(&changes.apart).copied().collect();
    let mut flow = Flow::new(context.expanded, &Assumptions { more, shared, ..assumptions.clone() }, *budget);
    let found = stops.full(&mut flow);
    *budget = flow.budget();
    found
}

#[cfg(test)]
mod cascade_tests;
#[cfg(test)]
mod dealt_tests;
#[cfg(test)]
mod memory_tests;
#[cfg(test)]
mod order_tests;
#[cfg(test)]
mod packet_tests;
#[cfg(test)]
mod random;
#[cfg(test)]
mod step_tests;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod turn_tests;
