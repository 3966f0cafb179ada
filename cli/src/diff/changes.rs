//! The differences of two reports, as data.

use std::collections::{BTreeMap, BTreeSet};

use aiec_vendor::compare::{Moves, Places, moves, named_as};
use aiec_vendor::renamed::renamed;
use serde::Serialize;

use super::report::{Connection, Kernel, Report, Spot, Tile, Window};
use super::shift::Shift;
use super::side::Side;

/// Numbers by name.
type Numbers = BTreeMap<String, i64>;

/// The differences, as `--json` writes them. Pairs have the old side first.
#[derive(Debug, Serialize)]
pub(super) struct Differences {
    format: &'static str,
    version: u32,
    /// True if nothing below differs.
    pub(super) equal: bool,
    /// What the user called the sides.
    pub(super) names: [String; 2],
    /// Parts with another name on the new side, which they have below.
    pub(super) renamed: Vec<[String; 2]>,
    /// Properties of the design, its device and its project.
    pub(super) settings: Moves,
    /// Kernels on other tiles, and kernels of one side.
    pub(super) kernels: Moves,
    /// How most kernels moved as one. None when they did not.
    pub(super) shift: Option<Shift>,
    /// What differs from the old side under that map. Tables show this alone.
    #[serde(skip)]
    pub(super) besides: Besides,
    /// Sources, stacks, heaps, runs and shares of kernels, and data of inputs and outputs.
    pub(super) properties: Moves,
    /// Inputs and outputs by column and channel.
    pub(super) shims: Moves,
    /// Connections by medium and data.
    pub(super) connections: Moves,
    /// Collectives by shape and data.
    pub(super) collectives: Moves,
    /// Stacks and buffers by module and byte.
    pub(super) memory: Moves,
    /// Connections of both sides whose routes have other lengths.
    pub(super) hops: Vec<Pair>,
    /// Tiles and banks with other numbers of bytes in use.
    pub(super) bytes: Vec<Pair>,
    /// Cycles of the estimates that differ, in array cycles.
    pub(super) cycles: Vec<Pair>,
    /// Sums over the array.
    pub(super) totals: Vec<Pair>,
}

/// What lies on tiles, and differs under the map of tiles that most kernels follow.
#[derive(Debug)]
pub(super) struct Besides {
    /// Kernels that follow it not, and kernels of one side.
    pub(super) kernels: Moves,
    /// Inputs and outputs whose columns follow it not.
    pub(super) shims: Moves,
    /// Stacks and buffers that follow it not, or lie at other bytes.
    pub(super) memory: Moves,
    /// Tiles of the new side and their banks, with other numbers of bytes in use.
    pub(super) bytes: Vec<Pair>,
}

impl Besides {
    fn between(old: &Report, new: &Report, shift: Option<Shift>) -> Self {
        // The places that are shown are those of the reports.
        let of = |parts: fn(&Report, Option<Shift>) -> Places| {
            let (from, to) = (parts(old, None), parts(new, None));
            let mapped = moves(&parts(old, shift), &to);
            let is_apart = |name: &String| mapped.moved.iter().any(|one| one.name == *name);
            let mut all = moves(&from, &to);
            all.moved.retain(|one| is_apart(&one.name));
            Moves { same: mapped.same, ..all }
        };
        let memory = Moves { only: [Vec::new(), Vec::new()], ..of(memory) };
        Self {
            kernels: of(kernels),
            shims: of(shims),
            memory,
            bytes: grown(&bytes(old, shift), &bytes(new, None)),
        }
    }
}

/// A number with two values. None when a side does not have it.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct Pair {
    pub(super) name: String,
    pub(super) values: [Option<i64>; 2],
}

impl Pair {
    /// How much it grew. Returns None when one side does not have it.
    pub(super) fn growth(&self) -> Option<i64> {
        let [old, new] = self.values;
        Some(new? - old?)
    }
}

/// Compares two sides, and lists only what differs.
pub(super) fn between(old: &Side, new: &Side, renamed: Vec<[String; 2]>) -> Differences {
    let (one, other) = (&old.report, &new.report);
    let of = |parts: fn(&Report) -> Places| moves(&parts(one), &parts(other));
    // What a kernel has that came or went is no difference of its own.
    let of_both = |parts| Moves { only: [Vec::new(), Vec::new()], ..of(parts) };
    let numbers = |parts: fn(&Report) -> Numbers| pairs(&parts(one), &parts(other));
    let mut hops = numbers(hops);
    // A connection of one side alone is no longer or shorter way.
    hops.retain(|pair| pair.growth().is_some());
    let shift = Shift::of(one, other);
    let mut all = Differences {
        format: "aiec-diff",
        version: 1,
        equal: false,
        names: [old.name.clone(), new.name.clone()],
        renamed,
        settings: of(settings),
        kernels: of(|report| kernels(report, None)),
        shift,
        besides: Besides::between(one, other, shift),
        properties: of_both(properties),
        shims: of(|report| shims(report, None)),
        connections: of(connections),
        collectives: of(collectives),
        memory: of_both(|report| memory(report, None)),
        hops,
        bytes: grown(&bytes(one, None), &bytes(other, None)),
        cycles: numbers(cycles),
        totals: numbers(totals),
    };
    // The event model did not run for every side.
    all.cycles.retain(|pair| pair.name != RUN || pair.growth().is_some());
    let parts = all.parts();
    let is_same = |moves: &&Moves| moves.moved.is_empty() && moves.only.iter().all(Vec::is_empty);
    let pairs = [&all.hops, &all.bytes, &all.cycles, &all.totals];
    all.equal =
        all.renamed.is_empty() && parts.iter().all(is_same) && pairs.iter().all(|pairs| pairs.is_empty());
    all
}

impl Differences {
    fn parts(&self) -> [&Moves; 7] {
        let Self { settings, kernels, properties, shims, connections, collectives, memory, .. } = self;
        [settings, kernels, properties, shims, connections, collectives, memory]
    }
}

/// The numbers that differ, by name.
fn pairs(old: &Numbers, new: &Numbers) -> Vec<Pair> {
    let names: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    let pair = |name: &String| Pair {
        name: name.clone(),
        values: [old, new].map(|numbers| numbers.get(name).copied()),
    };
    names.into_iter().map(pair).filter(|pair| pair.values[0] != pair.values[1]).collect()
}

/// The bytes in use that differ: what a side does not name has none.
fn grown(old: &Numbers, new: &Numbers) -> Vec<Pair> {
    let mut bytes = pairs(old, new);
    bytes.iter_mut().for_each(|pair| pair.values = pair.values.map(|value| value.or(Some(0))));
    bytes
}

/// Leaves the name of the graph out of names where more kernels of the sides match so: those of an
/// ADF graph begin with it.
pub(super) fn align(old: &mut Side, new: &mut Side) {
    let names = |side: &Side, strip: bool| -> BTreeSet<String> {
        let names = side.report.kernels.iter().map(|kernel| kernel.name.as_str());
        names.map(|name| if strip { without_graph(name) } else { name }.to_owned()).collect()
    };
    let matches = |strip: &[bool; 2]| names(old, strip[0]).intersection(&names(new, strip[1])).count();
    let choices = [[false, false], [false, true], [true, false], [true, true]];
    // The first of the best: names stay whole where it makes no difference.
    let [strip_old, strip_new] = choices.into_iter().rev().max_by_key(matches).unwrap_or_default();
    for (side, strip) in [(old, strip_old), (new, strip_new)] {
        if strip {
            side.report.names().for_each(|name| *name = without_graph(name).to_owned());
        }
    }
}

/// Gives the parts of the old side the names of the new one, where ports and neighbours tell which
/// they are. Returns both names of each.
pub(super) fn rename(old: &mut Side, new: &Side) -> Vec<[String; 2]> {
    let pairs = renamed([&old.report.structure(), &new.report.structure()]).pairs;
    let names: BTreeMap<&str, &str> = pairs.iter().map(|[from, to]| (from.as_str(), to.as_str())).collect();
    let change = |name: &mut String| *name = named_as(name, &names);
    old.report.names().for_each(change);
    old.report.collectives.iter_mut().map(|one| &mut one.root).for_each(change);
    pairs
}

fn without_graph(name: &str) -> &str {
    name.split_once('.').map_or(name, |(_, rest)| rest)
}

/// The cycles until everything has left the array.
const RUN: &str = "all iterations (event model)";

fn settings(report: &Report) -> Places {
    let Report { design, device, estimate, .. } = report;
    let all = [
        ("design", design.name.clone()),
        ("device", device.name.clone()),
        ("board", design.board.clone()),
        ("Vitis", design.vitis.clone()),
        ("iterations", design.iterations.to_string()),
        ("timing profile", estimate.profile.clone()),
    ];
    all.map(|(name, value)| (name.to_owned(), value)).into()
}

fn kernels(report: &Report, shift: Option<Shift>) -> Places {
    report.kernels.iter().map(|kernel| (kernel.name.clone(), place(kernel.tile, shift))).collect()
}

fn properties(report: &Report) -> Places {
    let of = |kernel: &Kernel| {
        let all = [
            ("source", kernel.source.clone()),
            ("stack", format!("{} bytes", kernel.stack.stack_bytes)),
            ("heap", format!("{} bytes", kernel.stack.heap_bytes)),
            ("runs in an iteration", kernel.repetitions.to_string()),
            (
                "share of the core's time",
                kernel
                    .runtime_thousandths
                    .map_or("default".into(), |part| (f64::from(part) / 1000.0).to_string()),
            ),
        ];
        let name = kernel.name.clone();
        all.map(|(property, value)| (format!("{name}, {property}"), value))
    };
    let files = report.externals.iter().map(|one| (format!("{}, data", one.name), one.file.clone()));
    report.kernels.iter().flat_map(of).chain(files).collect()
}

fn shims(report: &Report, shift: Option<Shift>) -> Places {
    let all = report.externals.iter();
    all.map(|one| {
        let column = i32::from(one.shim.column);
        let column = shift.map_or(column, |shift| shift.tile((one.shim.column, 0)).0);
        let at = format!("{} column {column} channel {}", one.kind, one.shim.channel);
        (one.name.clone(), at)
    })
    .collect()
}

fn way(connection: &Connection) -> String {
    format!("{} -> {}", connection.from, connection.to)
}

fn connections(report: &Report) -> Places {
    let all = report.connections.iter();
    all.map(|one| {
        let buffers = one.window.as_ref().map(|_| format!(", {}", one.buffers)).unwrap_or_default();
        let fifo = one.fifo.map(|words| format!(", fifo {words}")).unwrap_or_default();
        (way(one), format!("{} by {}{buffers}{fifo}", one.carries, one.by))
    })
    .collect()
}

fn collectives(report: &Report) -> Places {
    let all = report.collectives.iter();
    all.map(|one| {
        let op = one.op.as_deref().map_or_else(String::new, |op| format!(" {op}"));
        let ranks = one.ranks.len();
        let what = format!(
            "{}{op} of {} in windows of {} over {ranks} ranks, shape {}, root {}",
            one.operation,
            block(&one.data),
            block(&one.window),
            one.shape,
            one.root
        );
        (one.name.clone(), what)
    })
    .collect()
}

/// Ping and pong are sorted: which of them is first says nothing.
fn memory(report: &Report, shift: Option<Shift>) -> Places {
    let spots = |spots: &[Spot]| {
        let mut sorted: Vec<&Spot> = spots.iter().collect();
        sorted.sort_by_key(|spot| (shift.map(|shift| shift.tile(spot.tile)), *spot));
        let each = sorted.into_iter().map(|spot| format!("{} byte {}", place(spot.tile, shift), spot.offset));
        each.collect::<Vec<_>>().join(" and ")
    };
    let of = |kernel: &Kernel| {
        let name = kernel.name.clone();
        let ports = kernel.ports.iter().filter_map(|port| {
            let buffers = port.buffers.as_ref().filter(|buffers| !buffers.is_empty())?;
            Some((format!("{name}.{}", port.name), spots(buffers)))
        });
        let stack = (format!("{name}, stack"), spots(std::slice::from_ref(&kernel.stack.at)));
        ports.chain([stack]).collect::<Vec<_>>()
    };
    report.kernels.iter().flat_map(of).collect()
}

fn hops(report: &Report) -> Numbers {
    let all = report.connections.iter();
    all.filter_map(|one| Some((way(one), i64::from(one.hops?)))).collect()
}

fn bytes(report: &Report, shift: Option<Shift>) -> Numbers {
    let mut all = Numbers::new();
    for one in &report.tiles {
        let tile = place(one.tile, shift);
        for (bank, bytes) in one.banks.iter().enumerate().filter(|(_, bytes)| bytes.used > 0) {
            all.insert(format!("{tile} bank {bank}"), number(bytes.used));
        }
        all.insert(tile, number(one.bytes.used));
    }
    all
}

fn cycles(report: &Report) -> Numbers {
    let Report { collectives, estimate, why, .. } = report;
    let times = collectives.iter().zip(&estimate.collectives).flat_map(|(one, times)| {
        let name = &one.name;
        [
            (format!("{name}, first call"), times.call_cycles),
            (format!("{name}, all calls of a run"), times.total_cycles),
        ]
    });
    #[allow(clippy::cast_possible_truncation, reason = "a float becomes the nearest whole number")]
    let run = why.total_cycles.map(|cycles| (RUN.to_owned(), cycles.round() as i64));
    times.chain(run).collect()
}

fn totals(report: &Report) -> Numbers {
    let Report { totals, estimate, .. } = report;
    let all = [
        ("cores", totals.cores.used),
        ("bytes", totals.bytes.used),
        ("locks", totals.locks.used),
        ("buffer descriptors", totals.bds.used),
        ("DMA channels to memory", totals.s2mm.used),
        ("DMA channels from memory", totals.mm2s.used),
        ("connections through shared memory", estimate.resources.shared_connections),
        ("connections over streams", estimate.resources.routed_connections),
        ("nets", totals.nets),
        ("hops", estimate.routing.hops),
        ("hops of the longest way", estimate.routing.longest_path),
    ];
    all.map(|(name, value)| (name.to_owned(), number(value))).into()
}

fn number(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

/// The tile as text, mapped by `shift`.
fn place(tile: Tile, shift: Option<Shift>) -> String {
    let (column, row) = shift.map_or((tile.0.into(), tile.1.into()), |shift| shift.tile(tile));
    format!("({column}, {row})")
}

fn block(window: &Window) -> String {
    format!("{}[{}]", window.element, window.elements)
}
