//! Short texts about results, for the terminal.

use std::collections::{BTreeMap, BTreeSet};

use aiec_adf::Notes;
use aiec_check::Checked;
use aiec_collectives::Shape;
use aiec_device::{Device, Tile};
use aiec_diag::{Code, Stage, catalogue, count};
use aiec_draw::{FifoMark, Floorplan, Medium, RoutingPlan, TermsEntry};
use aiec_event_model::{CollectiveTimes, Timeline};
use aiec_ir::ConnectionId;
use aiec_ir::expanded::{Collective, Connection};
use aiec_placer::PlacementEntry;
use aiec_router_model::{Net, NetKind, Request, Routes, way_cycles};
use aiec_timing::TimingProfile;

use crate::models::models;
use crate::orders::assumed;
use crate::ownership::{Kind, Plan};
use crate::pipeline::{Back, Front, Options};
use crate::sample::Sample;
use crate::unstated::silence;

/// The summary of `aiec build`.
pub(crate) fn build(front: &Front, back: &Back, plan: &Plan<'_>) -> String {
    let checked = &front.checked;
    let estimate = &back.estimate;
    let tiles: BTreeSet<Tile> = back.placed.kernels.iter().copied().collect();
    let mut rows: Vec<(String, String)> = vec![
        ("design".into(), format!("{} on {}", checked.name.value, front.device.name)),
        ("made for".into(), made_for(checked)),
        (
            "kernels".into(),
            format!("{} on {} of {} tiles", checked.kernels.len(), tiles.len(), tile_count(&front.device)),
        ),
        ("connections".into(), connections(back)),
        ("by DMA".into(), by_dma(front, back)),
        ("worst link".into(), worst_link(back)),
    ];
    for (collective, times) in checked.collectives.iter().zip(&estimate.collectives) {
        let micros = times.total_cycles as f64 / f64::from(estimate.array_mhz);
        let text = format!(
            "{} cycles estimated with profile {} ({}), {micros:.1} us at {} MHz",
            times.total_cycles,
            estimate.profile,
            times.basis.words(),
            estimate.array_mhz
        );
        rows.push((format!("{} {}", collective.operation(), collective.name), text));
        rows.extend(chosen(collective).map(|text| (String::new(), text)));
    }
    rows.extend(written(plan));
    table(&rows)
}

/// What the compiler chose for a collective that leaves its shape open, and what a cascade would
/// give.
fn chosen(collective: &Collective) -> Option<String> {
    let first = collective.compared.first()?;
    let root = collective.ranks.iter().position(|&rank| rank == collective.root.value).unwrap_or(0);
    let mut text =
        format!("chosen: shape {}, window {}, root rank {root}", first.shape, collective.window.value);
    let cascade = collective.compared.iter().find(|one| one.shape == Shape::Cascade);
    if let Some(Err(reason)) = cascade.map(|one| &one.cycles) {
        text += &format!("; no cascade: {reason}");
    }
    Some(text)
}

/// Limit on the files that the summary names for each kind of change.
const NAMED: usize = 8;

/// The changes in the folder of the project. Names files only if not all are new.
fn written(plan: &Plan<'_>) -> Vec<(String, String)> {
    let kinds = [(Kind::New, "new"), (Kind::Changed, "changed"), (Kind::Removed, "removed")];
    let of = kinds.map(|(kind, name)| (name, plan.paths(kind)));
    let [new, changed, removed] = of.each_ref().map(|(_, paths)| paths.len());
    let files = plan.files;
    let (all_new, same) = (new == files && removed == 0, files - new - changed);
    let all = || count(files as u64, "file");
    let counts = match new + changed + removed {
        0 => format!("{}, nothing changed", all()),
        _ if all_new => format!("{}, all new", all()),
        _ => format!("{}: {new} new, {changed} changed, {same} unchanged; {removed} removed", all()),
    };
    let project = ("project".to_owned(), format!("{} ({counts})", plan.directory.display()));
    let named = of.into_iter().filter(|(_, paths)| !paths.is_empty() && !all_new);
    let named = named.map(|(name, paths)| {
        let more = paths.len().saturating_sub(NAMED);
        let tail = if more > 0 { format!(" and {more} more") } else { String::new() };
        (name.to_owned(), format!("{}{tail}", paths[..paths.len() - more].join(", ")))
    });
    [project].into_iter().chain(named).collect()
}

/// Release and board, and the design's own values where the command line overrides them.
fn made_for(checked: &Checked) -> String {
    let (release, board, written) = (checked.release, checked.board, &checked.written);
    let of_design = |said: Option<String>| {
        said.map_or_else(String::new, |said| format!(" by the command line, not {said} as in the design"))
    };
    let release_of_design = written.release.filter(|&said| said != release).map(ToString::to_string);
    let board_of_design = written.board.as_ref().filter(|said| said.value != board);
    let board_of_design = board_of_design.map(|said| said.value.to_string());
    format!("Vitis {release}{}, {board}{}", of_design(release_of_design), of_design(board_of_design))
}

/// Limit on the statements without a form in a design that a summary names: a screen has room for
/// them.
const MOST_NOTES: usize = 12;

/// What was assumed of a graph, and what was left out of it.
pub(crate) fn notes(notes: &Notes) -> Vec<String> {
    let assumed = notes.assumed.iter().map(|one| format!("assumed: {one}"));
    assumed.chain(left_out(notes)).collect()
}

/// The statements that the design of a graph does not hold. Empty for a design of the language.
pub(crate) fn left_out_of(options: &Options) -> Vec<String> {
    options.adopted.as_ref().map_or_else(Vec::new, |adopted| left_out(&adopted.notes))
}

/// The statements of a graph that its design does not hold, those of one wording together.
fn left_out(notes: &Notes) -> Vec<String> {
    let mut wordings: Vec<(&str, usize)> = Vec::new();
    let mut known: BTreeMap<&str, usize> = BTreeMap::new();
    for one in &notes.left_out {
        let at = *known.entry(&one.what).or_insert(wordings.len());
        if at == wordings.len() {
            wordings.push((&one.what, 0));
        }
        wordings[at].1 += 1;
    }
    let told = wordings.iter().take(MOST_NOTES);
    let more = notes.left_out.len() - told.clone().map(|(_, times)| times).sum::<usize>();
    let left_out = told.map(|&(what, times)| match times {
        1 => format!("not taken into account: {what}"),
        _ => format!("not taken into account: {what} ({times} statements)"),
    });
    let more = (more > 0)
        .then(|| format!("not taken into account: {more} more statements, which `aiec report` lists"));
    left_out.chain(more).collect()
}

/// The members of a graph whose places are comments in the C++, since its class cannot reach them.
pub(crate) fn hidden_of(options: &Options) -> Vec<String> {
    let hidden = options.adopted.iter().flat_map(|adopted| &adopted.hidden);
    by_reason("a comment in the C++", hidden.map(|(name, reason)| (name.as_str(), reason.as_str())))
}

/// The parts of a graph whose places no constraints file can state.
pub(crate) fn unnamed_of(unnamed: &BTreeMap<String, &'static str>) -> Vec<String> {
    by_reason("not in the constraints", unnamed.iter().map(|(name, reason)| (name.as_str(), *reason)))
}

/// A line for each reason why places are missing, with the first name and the number of others.
fn by_reason<'a>(what: &str, all: impl Iterator<Item = (&'a str, &'a str)>) -> Vec<String> {
    let mut groups: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (name, reason) in all {
        groups.entry(reason).or_default().push(name);
    }
    let lines = groups.into_iter().map(|(reason, names)| {
        let more = match names.len() - 1 {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        format!("{what}: the place of `{}`{more}, since {reason}", names[0])
    });
    lines.collect()
}

/// The summary of `aiec place`.
pub(crate) fn place(plan: &Floorplan) -> String {
    let shared = plan.count(Medium::Shared);
    let kernels = count(plan.kernels.len() as u64, "kernel");
    let design = format!("{} on {}, {kernels}", plan.design, plan.device);
    let mut rows = vec![("design".into(), design), ("shared".into(), count(shared as u64, "connection"))];
    let by_dma =
        |entry: &PlacementEntry| format!("{}: {}", count(entry.connections, "connection"), entry.verdict());
    rows.extend(plan.placement.as_ref().map(|entry| ("by DMA".into(), by_dma(entry))));
    rows.extend(plan.terms.as_ref().map(|all| ("counts".into(), terms(all))));
    let path = plan.terms.as_ref().filter(|terms| terms.path_centicycles > 0);
    rows.extend(path.map(|_| ("path".into(), path_basis())));
    rows.extend(plan.fifos.iter().take(MOST_FIFOS).map(|fifo| ("FIFO".into(), fifo_mark(fifo))));
    let more = plan.fifos.len().saturating_sub(MOST_FIFOS);
    rows.extend((more > 0).then(|| ("FIFOs".into(), format!("{more} more, which --json lists"))));
    table(&rows)
}

/// A FIFO in memory: whose it is, and its place.
fn fifo_mark(fifo: &FifoMark) -> String {
    let FifoMark { connection, tile, offset, words } = fifo;
    format!("{words} words of `{connection}` at {tile} offset {offset}")
}

/// What the cycles of the term `path` rest on. The search ranks by the built-in profile alone.
fn path_basis() -> String {
    let TimingProfile { name, window, .. } = TimingProfile::thesis();
    format!(
        "latencies of profile {name}; measured on hardware for windows of {} bytes, this placement was not",
        window.measured_bytes
    )
}

/// The terms of `--objective` with their values.
fn terms(terms: &TermsEntry) -> String {
    let TermsEntry { dma, bytes, path_centicycles, wire, compact, .. } = terms;
    let (cycles, rest) = (path_centicycles / 100, path_centicycles % 100);
    format!(
        "dma {dma}, bytes {bytes}, path {cycles}.{rest:02} cycles, wire {wire} tiles, compact {compact} columns"
    )
}

/// The result of routing trace streams.
pub(crate) struct Traced {
    /// Streams with a route.
    pub(crate) routed: usize,
    /// Streams without a route.
    pub(crate) left_out: usize,
    /// Tiles for which there was no stream or no port of the interface row.
    pub(crate) untraced: usize,
}

/// Limit on the cuts that a summary names.
const CUTS: usize = 4;

/// The summary of `aiec route`.
pub(crate) fn route(plan: &RoutingPlan, device: &Device, traced: Option<&Traced>) -> String {
    let of_trace = traced.map_or(0, |traced| traced.routed);
    let mut rows = route_rows(plan, plan.nets.len() - of_trace, device);
    rows.extend(traced.map(|traced| ("trace".into(), trace(traced))));
    table(&rows)
}

fn trace(traced: &Traced) -> String {
    let Traced { routed, left_out, untraced } = traced;
    let mut text = format!("{} traced", count(*routed as u64, "tile"));
    if *left_out > 0 {
        text += &format!(", {left_out} left out for want of wires");
    }
    if *untraced > 0 {
        text += &format!(", {untraced} beyond the streams and free shim DMA ports");
    }
    text
}

/// The summary of `aiec route --import`. `whose` tells the origin of the routes, and `packets` what
/// is known of packet streams; empty without any.
pub(crate) fn imported(plan: &RoutingPlan, device: &Device, whose: &str, packets: &str) -> String {
    let mut rows = route_rows(plan, plan.nets.len(), device);
    rows.insert(2, ("routes".into(), whose.into()));
    if !packets.is_empty() {
        rows.insert(3, ("packets".into(), packets.into()));
    }
    table(&rows)
}

fn hops(number: u32) -> String {
    count(number.into(), "hop")
}

fn route_rows(plan: &RoutingPlan, nets: usize, device: &Device) -> Vec<(String, String)> {
    let state = match (plan.routed, plan.hops()) {
        (true, _) => "",
        (false, 0) => ", not routed",
        (false, _) => ", not all of them legally routed",
    };
    let mut rows: Vec<(String, String)> = vec![
        ("routing".into(), format!("{} on {}", plan.name, plan.device)),
        ("nets".into(), format!("{nets}{state}")),
    ];
    if let (Some(longest), Some(edge)) = (plan.longest(), plan.worst_edge()) {
        let cycles = way_cycles(longest.longest, device);
        rows.push((
            "wires".into(),
            format!("{} between switches", hops(u32::try_from(plan.hops()).unwrap_or(u32::MAX))),
        ));
        rows.push((
            "longest".into(),
            format!("{}, {cycles} cycles by AM009, not measured: {}", hops(longest.longest), longest.name),
        ));
        let (from, to) = (edge.from, edge.to);
        let place = format!("switch ({}, {}) to ({}, {})", from.column, from.row, to.column, to.row);
        rows.push(("worst link".into(), format!("{} of {} wires, {place}", edge.used, edge.capacity)));
    }
    let cuts = plan.worst_cuts();
    for (at, cut) in cuts.iter().take(CUTS).enumerate() {
        let name = if at == 0 { "worst cuts" } else { "" };
        rows.push((name.into(), format!("{}: {}/{}", cut.name, cut.demand, cut.capacity)));
    }
    if let Some(more @ 1..) = cuts.len().checked_sub(CUTS) {
        rows.push((String::new(), format!("and {more} more")));
    }
    rows
}

fn by_dma(front: &Front, back: &Back) -> String {
    let entry = PlacementEntry::of(&front.checked, &front.device, &back.placed, back.cut_short);
    format!("{}, {}", entry.connections, entry.verdict())
}

fn connections(back: &Back) -> String {
    let resources = &back.estimate.resources;
    let nets = back.estimate.routing.nets;
    format!(
        "{} through shared memory, {} routed on {}",
        resources.shared_connections,
        resources.routed_connections,
        count(nets as u64, "net")
    )
}

fn worst_link(back: &Back) -> String {
    match back.estimate.routing.worst_edge {
        None => "no stream wire in use".into(),
        Some(edge) => format!(
            "{} of {} wires, switch ({}, {}) to ({}, {})",
            edge.used, edge.capacity, edge.from.column, edge.from.row, edge.to.column, edge.to.row
        ),
    }
}

/// The times at which the event model completes the collectives, beside the closed form.
pub(crate) fn timing(front: &Front, back: &Back, timeline: Option<&Timeline>) -> Vec<String> {
    let timeline = match (silence(front, timeline), timeline) {
        (None, Some(timeline)) => timeline,
        (reason, _) => {
            return vec![format!("timing model: no statement, since {}", reason.unwrap_or_default())];
        }
    };
    let total = format!(
        "timing model with profile {}, {}: {:.0} cycles until everything has left the array",
        front.profile.name,
        counted(front),
        timeline.total_cycles
    );
    let lines = models(back, timeline).into_iter().map(|models| {
        format!(
            "timing model: first result of {} at cycle {:.0} (closed form of one call: {}; {})",
            models.collective,
            models.done_at,
            models.closed_cycles,
            models.rests_on()
        )
    });
    let spreads = timeline.collectives.iter().filter_map(ranks_leave);
    lines
        .chain(spreads)
        .chain([total])
        .chain(busiest(front, timeline))
        .chain([front.profile.note()])
        .collect()
}

/// When the ranks of a barrier or clock leave its calls.
fn ranks_leave(times: &CollectiveTimes) -> Option<String> {
    let left = Sample::of(times.spread.as_ref()?.left.iter().copied())?;
    Some(format!(
        "timing model: ranks leave {} {:.0} to {:.0} cycles after the last has entered, median {:.0}",
        times.name, left.least, left.most, left.median
    ))
}

/// What the times of the event model hold: the work of kernels where the design states `cycles`.
pub(crate) fn counted(front: &Front) -> String {
    let checked = &front.checked;
    let own = checked.kernels.enumerate();
    let own = own.filter(|(_, kernel)| !checked.families[kernel.family].is_outside());
    let stated: Vec<bool> = own.map(|(id, _)| checked.body(id).cycles.is_some()).collect();
    let number = stated.iter().filter(|&&stated| stated).count();
    match number {
        0 => "windows, streams and collectives only".to_owned(),
        _ if number == stated.len() => {
            "windows, streams, collectives and the cycles of all kernels".to_owned()
        }
        _ => format!("windows, streams, collectives and the cycles of {number} of {} kernels", stated.len()),
    }
}

/// The kernel that works longest, and its share of the run, if the design states cycles.
fn busiest(front: &Front, timeline: &Timeline) -> Option<String> {
    let checked = &front.checked;
    checked.kernels.ids().find(|&kernel| checked.body(kernel).cycles.is_some())?;
    let busy = timeline.kernels.iter().max_by(|a, b| a.busy_cycles.total_cmp(&b.busy_cycles))?;
    let share = 100.0 * busy.busy_cycles / timeline.total_cycles.max(1.0);
    Some(format!(
        "timing model: {} works longest, {:.0} cycles, {share:.0} % of the run",
        busy.name, busy.busy_cycles
    ))
}

/// The summary of `aiec check` for a design without errors.
pub(crate) fn check(front: &Front) -> String {
    let checked = &front.checked;
    let count = |n: usize, what: &str| count(n as u64, what);
    let kernels = checked.kernels.iter().filter(|kernel| !checked.families[kernel.family].is_outside());
    format!(
        "{}: {}, {}, {}: no fault found before placement on {}",
        checked.name.value,
        count(kernels.count(), "kernel"),
        count(checked.connection_count(), "connection"),
        count(checked.collectives.len(), "collective"),
        front.device.name
    )
}

/// Lines about what the checks cannot know. Empty when they know all.
pub(crate) fn unknown(front: &Front) -> Vec<String> {
    let verdicts = aiec_codegen::report::without_verdict(&front.checked, &front.device);
    verdicts.into_iter().chain(assumed(&front.checked, &front.device)).collect()
}

/// Connections with FIFOs that a line names.
const MOST_FIFOS: usize = 6;

/// Lines about FIFOs that the routes do not pass: stated places of packets and of connections
/// through shared memory, and those of circuits that find no free ones in their switches.
pub(crate) fn fifos_off_route(checked: &Checked, nets: &[Net], routes: Option<&Routes>) -> Vec<String> {
    let line = |found: Vec<&Connection>, why: &str| {
        let name = |one: &&Connection| {
            format!("`{}` -> `{}`", checked.port_name(one.from), checked.port_name(one.to))
        };
        (!found.is_empty()).then(|| {
            let names = aiec_diag::listed(found.iter().map(name), MOST_FIFOS);
            format!("not taken into account: {why} {names}")
        })
    };
    let circuits = nets.iter().filter(|net| net.kind == NetKind::Circuit);
    let passing: BTreeSet<ConnectionId> =
        circuits.flat_map(|net| net.sinks.iter().map(|&(id, _)| id)).collect();
    let placed = checked.connections.enumerate().filter(|(_, one)| !one.fifo_places.is_empty());
    let off = placed.filter(|(id, _)| !passing.contains(id)).map(|(_, one)| one);
    let short = routes.into_iter().flat_map(|routes| &routes.wiring.short);
    let short = short.filter_map(|&(net, sink)| {
        let net = nets.get(net.index())?;
        let end = Request::from(net).sinks.get(sink.index()).copied()?;
        net.sinks.iter().find(|(_, at)| *at == end).map(|(id, _)| &checked.connections[*id])
    });
    let lines = [
        line(off.collect(), "these routes do not pass the stated places of the FIFOs of"),
        line(short.collect(), "the switches on these routes have too few free FIFOs for"),
    ];
    lines.into_iter().flatten().collect()
}

/// One line about a device, and one about aiec's support for it.
pub(crate) fn device(device: &Device) -> String {
    let Device { name, columns, rows, description, support, .. } = device;
    format!("{name:<10} {columns:>2} x {rows} tiles  {description}\n{:<10} {support}", "")
}

/// The numbers of a device, in groups.
pub(crate) fn device_numbers(device: &Device) -> String {
    let mut text = format!("{}: {}\n", device.name, device.description);
    for group in aiec_device::groups(device) {
        text.push_str(&format!("\n{}\n", group.title));
        for fact in group.facts {
            text.push_str(&format!("  {:<34} {}\n", fact.name, fact.value));
        }
    }
    text
}

/// Every diagnostic with its summary, by stage.
pub(crate) fn catalogue() -> String {
    let entry = |code: &Code| format!("  {:<26} {}\n", code.slug, code.summary);
    let entries = |stage| catalogue::of_stage(stage).map(entry).collect::<String>();
    let group = |stage: Stage| format!("{}\n{}\n", stage.title(), entries(stage));
    let groups: String = Stage::ALL.into_iter().map(group).collect();
    format!("{groups}`aiec explain SLUG` explains one of them, with examples.\n")
}

fn tile_count(device: &Device) -> u32 {
    u32::from(device.columns) * u32::from(device.rows)
}

/// Two columns: names, and texts with aligned starts.
pub(crate) fn table(rows: &[(String, String)]) -> String {
    let width = rows.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    rows.iter().map(|(name, text)| format!("{name:<width$}  {text}\n")).collect()
}
