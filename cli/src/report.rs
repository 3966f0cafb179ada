//! `aiec report`: its data as tables, or as JSON.
//!
//! Takes a [`Report`] and returns text. Every count is written `used/available`. The only
//! computation here selects the fullest cuts.

use std::collections::BTreeMap;

use aiec_codegen::report::{CollectiveEntry, ExternalEntry, Report, TileEntry, Use};
use aiec_diag::count;
use aiec_router_model::{CollectiveEstimate, CutUse, Side};
use serde::Serialize;

use crate::table::Table;
use crate::{logp, why};

/// The number of cuts in a report without `--cuts`.
const FULLEST: usize = 8;
/// Limit on the bank conflicts that a report names.
const CLASHES: usize = 4;

/// The data of a report, with what else was asked for.
#[derive(Serialize)]
pub(crate) struct Answers<'a> {
    /// What the design uses of the array.
    #[serde(flatten)]
    pub(crate) report: &'a Report,
    /// Where the cycles go.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) why: Option<why::Answer>,
    /// The costs of connections.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) logp: Option<logp::Costs>,
}

impl Answers<'_> {
    /// The answers as text, or the report if nothing else was asked for.
    pub(crate) fn text(&self, all_cuts: bool) -> String {
        let why = self.why.as_ref().map(|answer| why::text(self.report, answer));
        let costs = self.logp.as_ref().map(|costs| logp::text(&self.report.design.name, costs));
        let answers: Vec<String> = why.into_iter().chain(costs).collect();
        if answers.is_empty() { text(self.report, all_cuts) } else { answers.join("\n") }
    }
}

/// Data as indented JSON with a line break at the end.
pub(crate) fn json(report: &impl Serialize) -> String {
    let text = serde_json::to_string_pretty(report);
    text.unwrap_or_else(|error| format!("\"{error}\"")) + "\n"
}

/// The report as tables, with all cuts or only the fullest.
pub(crate) fn text(report: &Report, all_cuts: bool) -> String {
    let placement = &report.placement;
    let title = format!(
        "{} on {}, {} columns x {} rows, for Vitis {} and the {}\n{} by DMA, {}\n",
        report.design.name,
        report.device.name,
        report.device.columns,
        report.device.rows,
        report.design.vitis,
        report.design.board,
        count(placement.connections, "connection"),
        placement.verdict()
    );
    let sections = [
        title,
        section("Totals", "used; at least: the need of every placement", &totals(report)),
        section(
            "Tiles",
            "used/available; buffers count where they lie; streams: wires that leave",
            &tiles(report),
        ),
        section("Rates", "runs of a kernel in one iteration, where they are not one", &rates(report)),
        section(
            "Banks",
            "one access a cycle each; clashing: no room was found elsewhere, or the placement was given",
            &banks(report),
        ),
        section(
            "Collectives",
            "cycles of the first call, estimated; bound: least in this shape on any placement; --why explains",
            &collectives(report),
        ),
        section(
            "Shapes",
            "cycles of a call with all links through shared memory, estimated: nets to several ranks take longer; the first of each collective is taken",
            &shapes(report),
        ),
        if report.collectives.is_empty() { String::new() } else { format!("{}\n", report.estimate.note) },
        section(
            "Charges",
            "resources of the tiles by owner; a collective with its result and cycle counts",
            &charges(report),
        ),
        section(
            "Inputs and outputs",
            "the channel is that of the column's PLIO or shim DMA",
            &externals(report),
        ),
        section(
            "Run-time parameters",
            "values in a run; sync: every run waits for new ones; bytes and locks of all buffers",
            &parameters(report),
        ),
        section("Interface row", "South ports that PLIO and GMIO take, used/available", &shim(report)),
    ];
    let lists = [("Assumed", &report.assumed), ("Not taken into account", &report.left_out)];
    let lists = lists.into_iter().filter(|(_, lines)| !lines.is_empty());
    let lists = lists.map(|(title, lines)| format!("{title}\n  {}\n", lines.join("\n  ")));
    let sections =
        sections.into_iter().chain(lists).chain(cut_sections(&report.cuts, all_cuts, Routing::Found));
    let shown: Vec<String> = sections.filter(|section| !section.is_empty()).collect();
    shown.join("\n")
}

/// The cuts that nets without routes must cross: all of them, or only the fullest.
pub(crate) fn cuts_without_routes(cuts: &[CutUse], all: bool) -> String {
    cut_sections(cuts, all, Routing::None).join("\n")
}

/// A table under its title and note. Empty for a table without rows.
fn section(title: &str, note: &str, table: &Table) -> String {
    if table.is_empty() { String::new() } else { format!("{title} ({note})\n{}", table.text()) }
}

fn of(amount: Use) -> String {
    format!("{}/{}", amount.used, amount.available)
}

fn totals(report: &Report) -> Table {
    let (used, least) = (&report.totals, &report.demand);
    let mut table = Table::new(&["", "used", "at least", "available"]);
    let rows = [
        ("cores", used.cores, Some(least.cores)),
        ("bytes", used.bytes, Some(least.bytes())),
        ("locks", used.locks, Some(least.locks)),
        ("buffer descriptors", used.bds, Some(least.bds)),
        ("S2MM channels", used.s2mm, Some(least.s2mm)),
        ("MM2S channels", used.mm2s, Some(least.mm2s)),
        ("shim inputs", used.shim_inputs, None),
        ("shim outputs", used.shim_outputs, None),
    ];
    for (name, amount, least) in rows {
        let least = least.map_or_else(String::new, |least| least.to_string());
        table.row([name.into(), amount.used.to_string(), least, amount.available.to_string()]);
    }
    table.row(["nets".into(), used.nets.to_string(), least.nets.to_string(), String::new()]);
    // No placement changes how many ports and cascades the design needs.
    for (name, amount, is_fixed) in used
        .streams
        .iter()
        .flat_map(|streams| {
            [
                ("stream inputs of cores", streams.core_inputs, true),
                ("stream outputs of cores", streams.core_outputs, true),
                ("cascades", streams.cascades, true),
                ("packet ids", streams.packet_ids, false),
                ("arbiters of the fullest switch", streams.arbiters, false),
            ]
        })
        .filter(|(_, amount, _)| amount.used > 0)
    {
        let least = if is_fixed { amount.used.to_string() } else { String::new() };
        table.row([name.into(), amount.used.to_string(), least, amount.available.to_string()]);
    }
    // The rows above count what all FIFOs use, and the least without these.
    let open =
        [("DMA FIFOs without a stated place, 1 per sender", least.fifos), ("their bytes", least.fifo_bytes)];
    for (name, least) in open.into_iter().filter(|(_, least)| *least > 0) {
        table.row([name.into(), String::new(), least.to_string(), String::new()]);
    }
    table
}

fn tiles(report: &Report) -> Table {
    let banks = report.tiles.first().map_or(0, |tile| tile.banks.len());
    let banks: Vec<String> = (0..banks).map(|bank| format!("bank {bank}")).collect();
    let fixed = ["locks", "BDs", "S2MM", "MM2S", "north", "south", "east", "west"];
    let head = ["tile", "kernel", "bytes"].into_iter().chain(banks.iter().map(String::as_str)).chain(fixed);
    let mut table = Table::new(&head.collect::<Vec<_>>());
    report.tiles.iter().for_each(|tile| table.row(tile_row(tile)));
    table
}

fn tile_row(tile: &TileEntry) -> Vec<String> {
    let kernel = if tile.kernels.is_empty() { "-".to_owned() } else { tile.kernels.join("+") };
    let streams = [tile.streams.north, tile.streams.south, tile.streams.east, tile.streams.west];
    let counts = [tile.locks, tile.bds, tile.s2mm, tile.mm2s].into_iter().chain(streams);
    let amounts = std::iter::once(tile.bytes).chain(tile.banks.iter().copied()).chain(counts);
    [tile.tile.to_string(), kernel].into_iter().chain(amounts.map(of)).collect()
}

/// The kernels that do not run once in an iteration.
fn rates(report: &Report) -> Table {
    let mut table = Table::new(&["kernel", "runs"]);
    let others = report.kernels.iter().filter(|kernel| kernel.repetitions != 1);
    others.for_each(|kernel| table.row([kernel.name.clone(), kernel.repetitions.to_string()]));
    table
}

fn banks(report: &Report) -> Table {
    let mut table = Table::new(&["", "all", "clashing", "where"]);
    let banks = &report.banks;
    for (what, clashes) in [
        ("pairs of inputs of one kernel, in one bank", &banks.input_pairs),
        ("ping and pong of a window, in one bank", &banks.ping_pong),
        ("buffers and stacks of at most a bank, in two", &banks.blocks),
    ] {
        let named = clashes.named.iter().take(CLASHES);
        let mut places: Vec<String> = named
            .map(|clash| format!("{} at {} bank {}", clash.what.join(" and "), clash.tile, clash.bank))
            .collect();
        let more = clashes.clashing.saturating_sub(places.len() as u64);
        places.extend((more > 0).then(|| format!("{more} more")));
        table.row([what.into(), clashes.all.to_string(), clashes.clashing.to_string(), places.join(", ")]);
    }
    table
}

fn collectives(report: &Report) -> Table {
    let mut table = Table::new(&[
        "collective",
        "operation",
        "shape",
        "ranks",
        "levels",
        "chunks",
        "calls",
        "shared",
        "routed",
        "cycles",
        "bound",
        "ratio",
        "cycles rest on",
    ]);
    for (collective, times) in report.collectives.iter().zip(&report.estimate.collectives) {
        table.row(collective_row(collective, times));
    }
    table
}

fn collective_row(collective: &CollectiveEntry, times: &CollectiveEstimate) -> Vec<String> {
    let counts = [
        collective.ranks.len() as u64,
        collective.depth.into(),
        collective.chunks.into(),
        collective.calls.into(),
        times.shared_links.into(),
        times.routed_links.into(),
    ];
    let rests_on = times.basis;
    let times =
        [times.call_cycles.to_string(), times.bound_cycles.to_string(), format!("{:.2}", times.ratio)];
    let counts = counts.map(|count| count.to_string());
    let words = [collective.name.clone(), collective.operation.to_string(), collective.shape.clone()];
    let rests_on = rests_on.words().to_owned();
    words.into_iter().chain(counts).chain(times).chain([rests_on]).collect()
}

/// The shapes that the compiler compared where the design names none.
fn shapes(report: &Report) -> Table {
    let mut table = Table::new(&["collective", "shape", "cycles", "ruled out"]);
    for collective in &report.collectives {
        for compared in &collective.compared {
            let cycles = compared.cycles.map_or_else(String::new, |cycles| cycles.to_string());
            let reason = compared.reason.clone().unwrap_or_default();
            table.row([collective.name.clone(), compared.shape.clone(), cycles, reason]);
        }
    }
    table
}

/// Resource use by owner. The rows add up to the totals.
fn charges(report: &Report) -> Table {
    let mut table = Table::new(&["by", "bytes", "locks", "BDs", "S2MM", "MM2S", "nets"]);
    let collectives = report.collectives.iter().map(|collective| (collective.name.as_str(), collective.uses));
    let others =
        [("other windows", report.others.windows), ("stack, heap and sync area", report.others.kernels)];
    let others = others.into_iter().chain(report.others.fifos.map(|fifos| ("DMA FIFOs", fifos)));
    for (name, uses) in collectives.chain(others) {
        let counts = [uses.locks, uses.bds, uses.s2mm, uses.mm2s].map(u64::from);
        let counts = std::iter::once(uses.bytes).chain(counts).chain([uses.nets]);
        table.row(std::iter::once(name.into()).chain(counts.map(|count| count.to_string())));
    }
    table
}

fn externals(report: &Report) -> Table {
    let mut table = Table::new(&["name", "direction", "kind", "window", "windows", "column", "channel"]);
    report.externals.iter().for_each(|external| table.row(external_row(external)));
    table
}

fn parameters(report: &Report) -> Table {
    let mut table = Table::new(&["name", "direction", "values", "mode", "ports", "bytes", "locks"]);
    for one in &report.parameters {
        table.row([
            one.name.clone(),
            one.direction.to_owned(),
            one.values.to_string(),
            if one.asynchronous { "async" } else { "sync" }.to_owned(),
            one.ports.join(", "),
            one.bytes.to_string(),
            one.locks.to_string(),
        ]);
    }
    table
}

fn unknown() -> String {
    "-".to_owned()
}

fn external_row(external: &ExternalEntry) -> Vec<String> {
    vec![
        external.name.clone(),
        external.direction.into(),
        external.kind.into(),
        external.window.map_or_else(unknown, |window| window.to_string()),
        external.windows.map_or_else(unknown, |windows| windows.to_string()),
        external.shim.column.to_string(),
        external.shim.channel.to_string(),
    ]
}

fn shim(report: &Report) -> Table {
    let mut table = Table::new(&["column", "inputs", "outputs"]);
    for column in &report.shim {
        table.row([column.column.to_string(), of(column.inputs), of(column.outputs)]);
    }
    table
}

/// Whether the wires that nets use are known.
#[derive(Clone, Copy)]
enum Routing {
    Found,
    None,
}

/// One section with the fullest cuts, or with all of them.
fn cut_sections(cuts: &[CutUse], all: bool, routing: Routing) -> Vec<String> {
    if all {
        let note = "demand: nets that must cross, whatever their routes; of the wires there are";
        let columns = all_cuts(cuts, [Side::East, Side::West], routing);
        let rows = all_cuts(cuts, [Side::North, Side::South], routing);
        vec![section("Column cuts", note, &columns), section("Row cuts", note, &rows)]
    } else {
        let note = "the fullest; demand: nets that must cross, whatever their routes; --cuts shows all";
        vec![section("Cuts", note, &fullest_cuts(cuts, routing))]
    }
}

fn fullest_cuts(cuts: &[CutUse], routing: Routing) -> Table {
    let mut cuts: Vec<&CutUse> = cuts.iter().filter(|cut| cut.demand.max(cut.used) > 0).collect();
    cuts.sort_by_key(|cut| std::cmp::Reverse(share(cut)));
    cuts.truncate(FULLEST);
    let mut table = Table::new(&["out of", "going", "demand", "wires used"]);
    for cut in cuts {
        let amounts = cut_amounts(Some(cut), routing);
        table.row([boundary(cut), cut.towards.to_string()].into_iter().chain(amounts));
    }
    table
}

/// A row for each column or row of switches, with the nets that cross to either side. `-` stands
/// where the array ends, and for wires that are not known.
fn all_cuts(cuts: &[CutUse], sides: [Side; 2], routing: Routing) -> Table {
    let mut lines: BTreeMap<u16, [Option<&CutUse>; 2]> = BTreeMap::new();
    for cut in cuts {
        if let Some(side) = sides.iter().position(|&side| side == cut.towards) {
            lines.entry(cut.leaving).or_default()[side] = Some(cut);
        }
    }
    let head = sides.map(|side| side.to_string().to_uppercase());
    let wires = head.each_ref().map(|side| format!("wires {side}"));
    let mut table = Table::new(&["out of", &head[0], &wires[0], &head[1], &wires[1]]);
    for cuts in lines.values() {
        let name = cuts.iter().flatten().next().map_or_else(String::new, |&cut| boundary(cut));
        table.row(std::iter::once(name).chain(cuts.iter().flat_map(|&cut| cut_amounts(cut, routing))));
    }
    table
}

/// Demand and wires in use, each of the wires there are.
fn cut_amounts(cut: Option<&CutUse>, routing: Routing) -> [String; 2] {
    let Some(cut) = cut else { return ["-".into(), "-".into()] };
    let of = |count: u32| format!("{count}/{}", cut.capacity);
    let wires = match routing {
        Routing::Found => of(cut.used),
        Routing::None => "-".into(),
    };
    [of(cut.demand), wires]
}

/// Share of the wires that nets must use, then of those in use, in millionths.
fn share(cut: &CutUse) -> (u64, u64) {
    let of_capacity = |nets: u32| u64::from(nets) * 1_000_000 / u64::from(cut.capacity.max(1));
    (of_capacity(cut.demand), of_capacity(cut.used))
}

/// The position of a cut: a column, a core row, or the interface row below them (hardware row 0).
fn boundary(cut: &CutUse) -> String {
    match (cut.towards, cut.leaving.checked_sub(1)) {
        (Side::East | Side::West, _) => format!("column {}", cut.leaving),
        (Side::North | Side::South, None) => "shim row".into(),
        (Side::North | Side::South, Some(row)) => format!("core row {row}"),
    }
}
