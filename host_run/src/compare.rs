//! Compares the outputs of a simulation with the definitions of the design's collectives.

use std::collections::BTreeMap;

use crate::reference::{contribution, results};
use aiec_check::Checked;
use aiec_collectives::Rank;
use aiec_collectives::value::{Expected, Value, first_difference, parse_values};
use aiec_diag::{Diagnostic, Span};
use aiec_ir::expanded::{Collective, DataEnd, Owner, PortRole};
use aiec_ir::{CollectiveId, ConnectionId, ElementType, ExternalId, KernelId, PortId};

use crate::errors;
use crate::events::{Blocked, Event, RankData, Site};
use crate::goldens::{self, difference};
use crate::windows::port;

/// Maximum number of ranks of a collective that are reported for skipped calls.
const MOST_SKIPPED: usize = 2;

/// The result of comparisons: lines about equal outputs, and diagnostics about different ones.
#[derive(Debug, Default)]
pub struct Findings {
    /// One line for each output that is as expected.
    pub notes: Vec<String>,
    /// One diagnostic for each output that differs.
    pub faults: Vec<Diagnostic>,
}

/// The data of one rank at one call.
type ByRankAndCall = BTreeMap<(Rank, u32), Vec<Value>>;

/// Compares every collective of `checked` with its definition. `output` reads the values that an
/// output received.
pub fn collectives(
    checked: &Checked,
    events: &[Event],
    output: &dyn Fn(DataEnd) -> Result<String, String>,
) -> Findings {
    let mut findings = Findings::default();
    let in_calls = checked.collectives.enumerate();
    let in_calls = in_calls.filter(|(_, one)| states_calls(one) && has_calls(checked, one, events));
    for (id, collective) in in_calls {
        if let Err(fault) = one_collective(checked, id, collective, events, output, &mut findings.notes) {
            findings.faults.push(*fault);
        }
    }
    findings
}

/// True if all data of a collective goes in calls with arrays. Where links are streams, kernels may
/// move elements one by one in some calls or all, and the data of these is theirs alone.
fn has_calls(checked: &Checked, collective: &Collective, events: &[Event]) -> bool {
    let calls = collective.calls.saturating_mul(checked.iterations);
    let data = gather(collective, events, given);
    !may_open(collective, &data) || complete(checked, collective, &data, calls).is_ok()
}

/// True if kernels may have opened their ends instead of calling: over streams each, along the
/// cascade all of them or none.
fn may_open(collective: &Collective, data: &ByRankAndCall) -> bool {
    collective.plan.is_opened() || collective.plan.is_cascade() && data.is_empty()
}

/// True if all ranks make the calls that the design states, in each run.
fn states_calls(collective: &Collective) -> bool {
    !collective.plan.row().leaves_out_calls
}

/// One diagnostic per collective whose ranks made too few or too many calls.
pub fn calls(checked: &Checked, events: &[Event]) -> Vec<Diagnostic> {
    let fault = |collective: &Collective| {
        let calls = collective.calls.saturating_mul(checked.iterations);
        let data = gather(collective, events, given);
        let in_calls = states_calls(collective) && !may_open(collective, &data);
        in_calls.then(|| complete(checked, collective, &data, calls).err().map(|fault| *fault)).flatten()
    };
    checked.collectives.iter().filter_map(fault).collect()
}

/// For each collective at whose links kernels of `blocked` wait: a rank that made too many calls,
/// or the ranks that made the fewest and wait nowhere. Without any such collective the ranks that
/// made the fewest calls and wait at the links of another one; of collectives whose ranks wait for
/// each other, the one that fewer of them leave out is the cause. `place` is the source location of
/// a line of code.
pub fn skipped(
    checked: &Checked,
    events: &[Event],
    blocked: &[Blocked],
    mut place: impl FnMut(&str) -> Option<Span>,
) -> Vec<Diagnostic> {
    let mut one = |blocked: &Blocked| {
        let (kernel, at) = waiting(checked, port(checked, &blocked.port)?)?;
        let Site { iteration, line } = &blocked.site;
        Some(Waiting { kernel, at, iteration: *iteration, place: line.as_deref().and_then(&mut place) })
    };
    let waits: Vec<Waiting> = blocked.iter().filter_map(&mut one).collect();
    let ranks = |within: bool| -> Vec<Late> {
        let waited = |id: &CollectiveId| waits.iter().any(|one| one.at == Some(*id));
        let collectives = checked.collectives.ids().filter(waited);
        collectives.filter_map(|id| late_ranks(checked, id, events, &waits, within)).collect()
    };
    let definite = ranks(false);
    let late = if definite.is_empty() { causes(ranks(true), &waits) } else { definite };
    late.iter().flat_map(|late| late.faults(checked, &waits)).collect()
}

/// Of collectives whose late ranks wait in each other, those that fewer ranks leave out.
fn causes(late: Vec<Late>, waits: &[Waiting]) -> Vec<Late> {
    let waits_in = |late: &Late, other: &Late| {
        let is_there = |wait: &Waiting| wait.at == Some(other.collective);
        late.ranks.iter().any(|(_, kernel)| waits.iter().any(|wait| wait.kernel == *kernel && is_there(wait)))
    };
    let weight = |late: &Late| (late.ranks.len(), late.collective);
    let follows = |one: &Late| late.iter().any(|other| waits_in(one, other) && weight(other) < weight(one));
    late.iter().filter(|one| !follows(one)).cloned().collect()
}

/// A kernel that waits at a port.
struct Waiting {
    kernel: KernelId,
    /// The collective whose link the port is.
    at: Option<CollectiveId>,
    /// Runs that the kernel had completed before.
    iteration: Option<u64>,
    /// The line of the user's code.
    place: Option<Span>,
}

/// The ranks for whose calls of a collective others wait, each with the calls that it made: fewer
/// than `wanted`, or one rank with more.
#[derive(Clone)]
struct Late {
    collective: CollectiveId,
    ranks: Vec<(usize, KernelId)>,
    wanted: u32,
}

/// The kernel of a port, and the collective whose link it is.
fn waiting(checked: &Checked, port: PortId) -> Option<(KernelId, Option<CollectiveId>)> {
    let Owner::Kernel(kernel) = checked.ports[port].owner else { return None };
    let collective = match checked.ports[port].role {
        PortRole::Link(of) | PortRole::Packets(of) => Some(of),
        _ => None,
    };
    Some((kernel, collective))
}

/// The ranks of a collective for whose calls the others wait. `within` selects those that wait in
/// another collective, instead of those that wait nowhere.
fn late_ranks(
    checked: &Checked,
    id: CollectiveId,
    events: &[Event],
    waits: &[Waiting],
    within: bool,
) -> Option<Late> {
    let collective = &checked.collectives[id];
    let data = gather(collective, events, given);
    let made = |rank: Rank| data.keys().filter(|(of, _)| *of == rank).count();
    let wanted = collective.calls.saturating_mul(checked.iterations);
    let calls: Vec<(usize, KernelId)> =
        (0..).map(Rank).zip(&collective.ranks).map(|(rank, kernel)| (made(rank), *kernel)).collect();
    let late = |ranks: Vec<(usize, KernelId)>| Late { collective: id, ranks, wanted };
    if let Some(&busy) = calls.iter().find(|(called, _)| *called > wanted as usize) {
        return Some(late(vec![busy]));
    }
    let is_candidate = |kernel: KernelId| match waits.iter().find(|wait| wait.kernel == kernel) {
        None => !within,
        Some(wait) => within && wait.at.is_some_and(|at| at != id),
    };
    let candidates = calls.into_iter().filter(|(_, kernel)| is_candidate(*kernel));
    let short: Vec<(usize, KernelId)> = candidates.filter(|(called, _)| *called < wanted as usize).collect();
    let least = short.iter().map(|(called, _)| *called).min()?;
    Some(late(short.into_iter().filter(|(called, _)| *called == least).collect()))
}

impl Late {
    /// A fault for each of its first ranks, with the lines where kernels wait.
    fn faults(&self, checked: &Checked, waits: &[Waiting]) -> Vec<Diagnostic> {
        let Collective { ref name, span, .. } = checked.collectives[self.collective];
        let fault = |&(called, kernel): &(usize, KernelId)| {
            let (rank, wanted) = (checked.kernels[kernel].name.as_str(), self.wanted.into());
            if called > self.wanted as usize {
                return errors::missing_contribution(name, rank, called, wanted, span);
            }
            let own = waits.iter().find(|wait| wait.kernel == kernel);
            let others = waits.iter().filter(|wait| wait.at == Some(self.collective));
            let labels = labels(checked, own.into_iter().chain(others));
            let skipped = errors::Skipped { collective: name, kernel: rank, called, wanted, waits: &labels };
            match own.and_then(|wait| wait.at) {
                Some(other) => errors::other_order(&skipped, &checked.collectives[other].name, span),
                None => errors::skipped_call(&skipped, span),
            }
        };
        self.ranks.iter().take(MOST_SKIPPED).map(fault).collect()
    }
}

/// The lines where kernels wait, each with the first kernel that waits there.
fn labels<'a>(checked: &Checked, waits: impl Iterator<Item = &'a Waiting>) -> Vec<(Span, String)> {
    let mut labels: Vec<(Span, String)> = Vec::new();
    for wait in waits {
        let Some(span) = wait.place.filter(|span| labels.iter().all(|(other, _)| other != span)) else {
            continue;
        };
        let name = &checked.kernels[wait.kernel].name;
        labels.push((span, format!("`{name}` waits here{}", errors::in_iteration(wait.iteration))));
    }
    labels
}

fn one_collective(
    checked: &Checked,
    id: CollectiveId,
    collective: &Collective,
    events: &[Event],
    output: &dyn Fn(DataEnd) -> Result<String, String>,
    notes: &mut Vec<String>,
) -> Result<(), Box<Diagnostic>> {
    let calls = collective.calls.saturating_mul(checked.iterations);
    let (data, found) = (gather(collective, events, given), gather(collective, events, gotten));
    complete(checked, collective, &data, calls)?;
    as_declared(checked, collective, &data)?;
    let mut at_root = Vec::new();
    let mut compared = 0;
    for call in 0..calls {
        let given = ranks_of(collective, &data, call);
        let bug = |reason: String| Box::new(errors::unexpected(&collective.name, &reason, collective.span));
        let Some(expected) = results(collective, call as usize, &given) else {
            notes.push(format!(
                "{}: the operator is the user's, so its results were not compared",
                collective.name
            ));
            return Ok(());
        };
        let expected = expected.map_err(|error| bug(error.to_string()))?;
        compared += as_defined(checked, collective, call, &expected, &found)?;
        at_root.extend(expected.into_iter().nth(collective.plan.root.index()).flatten().unwrap_or_default());
    }
    if compared > 0 {
        let ranks = collective.ranks.len();
        notes.push(format!(
            "{}: {compared} values at {ranks} ranks equal the definition of {}",
            collective.name,
            collective.operation()
        ));
    }
    at_outputs(checked, id, collective, &at_root, output, notes)
}

/// Compares every rank's result with the definition of the operation. Returns the number of values
/// compared.
fn as_defined(
    checked: &Checked,
    collective: &Collective,
    call: u32,
    expected: &[Option<Vec<Expected>>],
    found: &ByRankAndCall,
) -> Result<usize, Box<Diagnostic>> {
    let mut compared = 0;
    for (rank, expected) in (0..).map(Rank).zip(expected) {
        let Some(expected) = expected else { continue };
        let kernel = &checked.kernels[collective.ranks[rank.index()]].name;
        let values = found.get(&(rank, call)).map_or(&[][..], Vec::as_slice);
        if let Some(at) = first_difference(expected, values) {
            let difference = format!("{} (call {call})", difference(at, expected, values));
            let (name, span) = (&collective.name, collective.span);
            return Err(Box::new(errors::wrong_at_rank(name, kernel, &difference, span)));
        }
        compared += expected.iter().filter(|&&expected| expected != Expected::Anything).count();
    }
    Ok(compared)
}

/// Compares the outputs that receive the root's result with that result.
fn at_outputs(
    checked: &Checked,
    id: CollectiveId,
    collective: &Collective,
    expected: &[Expected],
    output: &dyn Fn(DataEnd) -> Result<String, String>,
    notes: &mut Vec<String>,
) -> Result<(), Box<Diagnostic>> {
    for (port, external) in result_sinks(checked, id) {
        let found = read(checked, DataEnd::External(external), output)?;
        let name = &checked.externals[external].name;
        if let Some(at) = first_difference(expected, &found) {
            let difference = difference(at, expected, &found);
            let port = checked.port_name(port);
            let (collective, span) = (&collective.name, collective.span);
            return Err(Box::new(errors::wrong_result(collective, &port, name, &difference, span)));
        }
        let (count, ranks) = (expected.len(), collective.ranks.len());
        notes.push(format!(
            "{}: {count} values at output `{name}` equal the reference over {ranks} ranks",
            collective.name
        ));
    }
    Ok(())
}

/// The data that a rank hands to a call.
const fn given(event: &Event) -> Option<&RankData> {
    if let Event::Contribution(data) = event { Some(data) } else { None }
}

/// The data that a rank has after a call.
const fn gotten(event: &Event) -> Option<&RankData> {
    if let Event::Result(data) = event { Some(data) } else { None }
}

/// The data of `collective` by rank and call, from the events that `choose` selects. Values that do
/// not parse are left out, so that they count as missing.
fn gather(
    collective: &Collective,
    events: &[Event],
    choose: fn(&Event) -> Option<&RankData>,
) -> ByRankAndCall {
    let element = collective.data.value.element;
    let of_this = events.iter().filter_map(choose).filter(|data| data.collective == collective.name);
    of_this.filter_map(|data| Some(((Rank(data.rank), data.call), typed(element, &data.values)?))).collect()
}

fn typed(element: ElementType, values: &[serde_json::Value]) -> Option<Vec<Value>> {
    let word = |value: &serde_json::Value| match value {
        serde_json::Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let words = values.iter().flat_map(|value| match value {
        serde_json::Value::Array(parts) => parts.iter().map(word).collect::<Vec<_>>(),
        other => vec![word(other)],
    });
    parse_values(element, &words.collect::<Vec<_>>().join(" ")).ok()
}

/// Checks that every rank made every call.
fn complete(
    checked: &Checked,
    collective: &Collective,
    data: &ByRankAndCall,
    calls: u32,
) -> Result<(), Box<Diagnostic>> {
    for (rank, kernel) in (0..).map(Rank).zip(&collective.ranks) {
        let made = data.keys().filter(|(of, _)| *of == rank).count();
        if made != calls as usize {
            let kernel = &checked.kernels[*kernel].name;
            let (name, calls) = (&collective.name, calls.into());
            return Err(Box::new(errors::missing_contribution(name, kernel, made, calls, collective.span)));
        }
    }
    Ok(())
}

/// Compares every contribution with the design's `reference`, if there is one.
fn as_declared(
    checked: &Checked,
    collective: &Collective,
    data: &ByRankAndCall,
) -> Result<(), Box<Diagnostic>> {
    let Some(formula) = &collective.reference else { return Ok(()) };
    for (&(rank, call), found) in data {
        let kernel = &checked.kernels[collective.ranks[rank.index()]].name;
        let wrong = |difference: &str| {
            Box::new(errors::wrong_contribution(&collective.name, kernel, difference, collective.span))
        };
        let most = collective.given_elements(rank);
        let elements = if collective.plan.headed { most.min(found.len() as u64) } else { most };
        let values = contribution(formula, collective.data.value.element, elements, rank, call)
            .map_err(|error| wrong(&error.to_string()))?;
        let expected: Vec<Expected> = values.into_iter().map(Expected::exactly).collect();
        if let Some(at) = first_difference(&expected, found) {
            return Err(wrong(&format!("{} (call {call})", difference(at, &expected, found))));
        }
    }
    Ok(())
}

fn ranks_of(collective: &Collective, data: &ByRankAndCall, call: u32) -> Vec<Vec<Value>> {
    let ranks = (0..).map(Rank).zip(&collective.ranks);
    ranks.map(|(rank, _)| data.get(&(rank, call)).cloned().unwrap_or_default()).collect()
}

/// The outputs of the array that receive the result of a collective, with the port that sends it.
fn result_sinks(checked: &Checked, id: CollectiveId) -> Vec<(PortId, ExternalId)> {
    let root = &checked.kernels[checked.collectives[id].root.value];
    let result = root.memberships.iter().find(|m| m.collective == id).and_then(|m| m.result);
    let connections = result.map_or(&[][..], |port| &checked.ports[port].connections);
    connections
        .iter()
        .filter_map(|&c| Some((checked.connections[c].from, external_of(checked, c)?)))
        .collect()
}

fn external_of(checked: &Checked, connection: ConnectionId) -> Option<ExternalId> {
    match checked.ports[checked.connections[connection].to].owner {
        Owner::External(external) => Some(external),
        Owner::Kernel(_) => None,
    }
}

/// The values an output received.
fn read(
    checked: &Checked,
    end: DataEnd,
    output: &dyn Fn(DataEnd) -> Result<String, String>,
) -> Result<Vec<Value>, Box<Diagnostic>> {
    let values = output(end).and_then(|text| goldens::values(checked, end, &text));
    let (name, span) = (checked.data_name(end), checked.data_span(end));
    values.map_err(|reason| Box::new(errors::no_output(name, &reason, span)))
}
