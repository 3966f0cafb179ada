//! Costs of a routed design: cycles per connection and collective, use of wires and tiles.
//!
//! Takes a verified design and a [`TimingProfile`], returns plain data. Cycles are array cycles.
//! Every estimate stands beside the hardware bound, so that a reader sees the gap. Estimates of
//! collectives assume ping-pong buffers and that all kernels start together, as in the measurements
//! (thesis 4.5.2).

use std::collections::{BTreeMap, BTreeSet};

use aiec_check::Checked;
use aiec_collectives::{Costs, LinkId, Rank, Schedule, Step, StepCost, finish_times};
use aiec_device::{Device, Tile};
use aiec_ir::expanded::Collective;
use aiec_ir::{CollectiveId, ConnectionId, KernelId, Loops, PortId};
use aiec_placer::{Placed, PortBuffers};
use serde::Serialize;

use crate::cuts::{self, Boundary};
use crate::fabric::{Side, neighbour};
use crate::implementation::Implementation;
use crate::net::Hop;
use crate::request::{NetKind, Request};
use crate::routed::{Routed, detour_cycles, way_cycles};
use crate::routes::Route;
use crate::switch::Switch;
use aiec_timing::{Basis, Calls, Limit, TimingProfile, cascade_times, stream_times};

/// The estimated costs of a routed design.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// Name of the timing profile.
    pub profile: String,
    /// Source of its numbers.
    pub source: String,
    /// What cycles with this profile rest on, in a sentence.
    pub note: String,
    /// Array clock in MHz, to turn cycles into time.
    pub array_mhz: u32,
    /// Occupied tiles and connections by kind.
    pub resources: Resources,
    /// Occupancy of the stream network.
    pub routing: RoutingUse,
    /// Times of the collectives, in order of their ids.
    pub collectives: Vec<CollectiveEstimate>,
    /// Times of the connections, in order of their ids.
    pub connections: Vec<ConnectionEstimate>,
}

/// Occupied tiles and connections by kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Resources {
    /// Tiles whose core runs a kernel.
    pub cores: u32,
    /// Tiles whose core runs a kernel or whose module holds a buffer or stack.
    pub tiles: u32,
    /// Tiles of the array.
    pub tiles_available: u32,
    /// Connections through shared memory.
    pub shared_connections: u32,
    /// Connections over the stream network.
    pub routed_connections: u32,
}

/// Occupancy of the stream network.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RoutingUse {
    /// Number of routed nets.
    pub nets: u32,
    /// Total hops of all nets.
    pub hops: u32,
    /// Hops of the longest path from a source to a sink.
    pub longest_path: u32,
    /// The edge with the largest share of its wires in use. None when no edge is used.
    pub worst_edge: Option<EdgeUse>,
    /// For each direction, the cut with the largest share of its wires in demand.
    pub worst_cuts: Vec<CutUse>,
}

/// Use of an edge between two switches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct EdgeUse {
    /// The source switch; `[column, hardware row]`.
    pub from: Switch,
    /// The destination switch, a neighbour of `from`.
    pub to: Switch,
    /// Number of nets on it.
    pub used: u32,
    /// Number of its wires.
    pub capacity: u32,
}

/// Use of a cut across the whole array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct CutUse {
    /// The direction in which nets cross.
    pub towards: Side,
    /// The column (east, west) or the hardware row (north, south) that the nets leave.
    pub leaving: u16,
    /// Number of nets that must cross, whatever their routes.
    pub demand: u32,
    /// Number of wires that the routes use. It exceeds the demand if some routes make a detour.
    pub used: u32,
    /// Number of wires across the cut.
    pub capacity: u32,
}

/// The medium of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Way {
    /// Both kernels use the same buffers.
    Shared,
    /// DMA at one end or both, over the stream network.
    Dma,
    /// From core to core over the stream network.
    Stream,
    /// From core to core over the cascade.
    Cascade,
    /// From or to an input or output of the array.
    External,
}

/// Times of one connection.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ConnectionEstimate {
    /// The medium, such as shared memory or the cascade.
    pub way: Way,
    /// Manhattan distance of the two kernels in tiles. None when an end is an input or output.
    pub distance: Option<u32>,
    /// Hops of its route.
    pub hops: u32,
    /// Bytes of a window.
    pub bytes: u64,
    /// Cycles of a word in the switches on its path. 0 without a net.
    pub hop_cycles: u64,
    /// Latency in cycles of a smallest window (16 bytes) between kernels, as measured. Of the first
    /// word elsewhere: the hops, and 0 for a cascade, whose latency no document states.
    pub latency_cycles: f64,
    /// Latency of a window of this connection, or of what one run moves. Outside shared memory the
    /// rest follows at the rate of `bound_cycles`.
    pub window_cycles: f64,
    /// Least cycles from one window to the next: 32 bits per cycle on the stream, 256 bits per
    /// cycle into shared memory, 384 bits per cycle on the cascade (AM009).
    pub bound_cycles: u64,
}

/// Times of one collective.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CollectiveEstimate {
    /// Levels of a tree, ranks of a cascade, or one more than the links on the longest path between
    /// two ranks.
    pub levels: u32,
    /// Elements of the window of one transfer.
    pub window_elements: u32,
    /// Windows that a block takes in one call.
    pub chunks: u32,
    /// Calls in one run of the kernels.
    pub calls: u32,
    /// Links between ranks through shared memory.
    pub shared_links: u32,
    /// Links between ranks over the stream network.
    pub routed_links: u32,
    /// Cycles of a leaf for one window, or of a rank of a cascade for all data.
    pub leaf_cycles: i64,
    /// Cycles of the busiest rank for one round whose inputs have arrived. A round is one window of
    /// every block.
    pub level_cycles: i64,
    /// Cycles from the start until the last rank ends the first round; in a reduction the root.
    pub tree_cycles: i64,
    /// Cycles of the first call: the first round, then the further windows of the busiest rank.
    pub call_cycles: i64,
    /// Cycles of all calls of one run. All but the first take the interval of the busiest rank.
    pub total_cycles: i64,
    /// Cycles of a window on the longest path from rank to rank, by the measured latencies of its
    /// links (thesis 3.3.3) and the time of a stream for the rest. The other times do not include
    /// it, because the closed form already has a mean placement's share.
    pub path_latency_cycles: f64,
    /// Least cycles of the first call in this shape, for any program on any placement.
    pub bound_cycles: u64,
    /// What takes most of the time between two windows.
    pub limit: Limit,
    /// `call_cycles` divided by `bound_cycles`.
    pub ratio: f64,
    /// What the estimates of this form rest on.
    pub basis: Basis,
}

/// Estimates with the built-in profile.
pub fn estimate(whole: &Implementation<'_>) -> Estimate {
    estimate_with(whole, &TimingProfile::thesis())
}

/// Estimates with the constants of `profile`.
pub fn estimate_with(whole: &Implementation<'_>, profile: &TimingProfile) -> Estimate {
    let &Implementation { checked, placed, routed, device } = whole;
    let context = Context { checked, placed, routed, device, profile };
    Estimate {
        profile: profile.name.clone(),
        source: profile.origin().to_owned(),
        note: profile.note(),
        array_mhz: device.clock.array_mhz,
        resources: context.resources(),
        routing: routing(checked, routed, device),
        collectives: checked.collectives.enumerate().map(|(id, c)| context.collective(id, c)).collect(),
        connections: checked.connections.ids().map(|id| context.connection(id)).collect(),
    }
}

/// Manhattan distance of the kernels at both ends. Returns None when one end is an input or output.
pub fn kernel_distance(checked: &Checked, placed: &Placed, connection: ConnectionId) -> Option<u32> {
    let connection = &checked.connections[connection];
    let (from, to) = (checked.kernel_of(connection.from)?, checked.kernel_of(connection.to)?);
    Some(placed.kernels[from].distance(placed.kernels[to]))
}

struct Context<'a> {
    checked: &'a Checked,
    placed: &'a Placed,
    routed: &'a Routed,
    device: &'a Device,
    profile: &'a TimingProfile,
}

impl Context<'_> {
    fn resources(&self) -> Resources {
        let cores: BTreeSet<Tile> = self.placed.kernels.iter().copied().collect();
        let mut tiles = cores.clone();
        tiles.extend(self.placed.stacks.iter().map(|spot| spot.tile));
        for buffers in self.placed.buffers.iter() {
            if let PortBuffers::Own(spots) = buffers {
                tiles.extend(spots.iter().map(|spot| spot.tile));
            }
        }
        let connections = || self.checked.connections.ids();
        let shared = connections().filter(|&c| self.placed.is_shared(self.checked, c)).count();
        let cascades = connections().filter(|&c| self.checked.goes_by_cascade(c)).count();
        Resources {
            cores: count(cores.len()),
            tiles: count(tiles.len()),
            tiles_available: u32::from(self.device.columns) * u32::from(self.device.rows),
            shared_connections: count(shared),
            routed_connections: count(self.checked.connections.len() - shared - cascades),
        }
    }

    fn connection(&self, id: ConnectionId) -> ConnectionEstimate {
        let from = self.checked.connections[id].from;
        let bytes = self.checked.ports[from]
            .carries
            .and_then(aiec_ir::Carries::per_run)
            .map_or(0, aiec_ir::WindowType::bytes);
        let way = self.routed.hops_of(from, id);
        let hops = way.unwrap_or(0);
        let hop_cycles = way.map_or(0, |hops| way_cycles(hops, self.device));
        let distance = kernel_distance(self.checked, self.placed, id);
        let (way, latency) = match distance {
            _ if self.placed.is_shared(self.checked, id) => (Way::Shared, self.profile.window.shared_latency),
            _ if self.checked.goes_by_cascade(id) => (Way::Cascade, 0.0),
            Some(_) if self.checked.goes_by_stream(id) => (Way::Stream, hop_cycles as f64),
            Some(distance) => {
                let detour = detour_cycles(hops, distance, self.device);
                (Way::Dma, self.profile.dma_latency(distance) + detour as f64)
            }
            None => (Way::External, hop_cycles as f64),
        };
        let measured = if way == Way::Dma { self.profile.window.measured_bytes } else { 0 };
        let header = if self.checked.is_merged(from) || self.checked.splits_packets(from) {
            self.profile.packet_header()
        } else {
            0
        };
        let rest = match way {
            Way::Shared => 0,
            Way::Cascade => self.profile.along_cascade(bytes),
            Way::Dma | Way::Stream | Way::External => {
                self.profile.stream(bytes.saturating_sub(measured)) + header
            }
        };
        ConnectionEstimate {
            way,
            distance,
            hops,
            bytes,
            hop_cycles,
            latency_cycles: hundredths(latency),
            window_cycles: hundredths(latency + rest as f64),
            bound_cycles: match way {
                Way::Shared => bytes.div_ceil(self.profile.hardware.store_bytes),
                Way::Cascade => rest,
                Way::Dma | Way::Stream | Way::External => self.profile.stream(bytes) + header,
            },
        }
    }

    fn collective(&self, id: CollectiveId, collective: &Collective) -> CollectiveEstimate {
        let schedule = collective.plan.paced(self.profile.words(collective.data_loops()));
        let calls = self.calls(id, collective, &schedule);
        let chain = collective.plan.is_cascade().then(|| (collective.data_loops(), collective.plan.size));
        let opened = collective.plan.is_opened();
        let channel = collective.plan.row().is_channel();
        let times = match chain {
            Some((loops, ranks)) => cascade_times(self.profile, loops, ranks),
            None if channel => {
                stream_times(self.profile, collective.plan.streamed_bytes(collective.data.value.bytes()))
            }
            None => calls.times(),
        };
        let further = i64::from(collective.calls).saturating_sub(1).max(0);
        let routed = calls.routed.iter().flatten().filter(|&&routed| routed).count();
        let links = calls.routed.iter().map(Vec::len).sum::<usize>();
        CollectiveEstimate {
            levels: collective.depth(),
            window_elements: collective.window.value.elements,
            chunks: collective.chunks(),
            calls: collective.calls,
            shared_links: count(links - routed),
            routed_links: count(routed),
            leaf_cycles: match chain {
                Some(_) => times.level,
                None if opened => times.level,
                None => self.profile.leaf(collective.loops()),
            },
            level_cycles: times.level,
            tree_cycles: times.first,
            call_cycles: times.call,
            total_cycles: times.call.saturating_add(times.again.saturating_mul(further)),
            path_latency_cycles: hundredths(self.path_latency(id, collective, &schedule)),
            bound_cycles: times.bound,
            limit: times.limit,
            ratio: hundredths(times.call as f64 / times.bound.max(1) as f64),
            basis: match opened {
                true => Basis::of_documents(self.profile),
                false => Basis::of_collective(self.profile, collective),
            },
        }
    }

    fn calls<'c>(&'c self, id: CollectiveId, collective: &Collective, schedule: &'c Schedule) -> Calls<'c> {
        let of_links = |goes: &dyn Fn(PortId) -> bool| self.of_links(id, schedule, &|_, from| goes(from));
        Calls {
            schedule,
            loops: Loops { result: self.has_result(id), ..collective.loops() },
            profile: self.profile,
            routed: of_links(&|from| !self.placed.is_shared_port(from)),
            streamed: of_links(&|from| self.checked.always_streams(from)),
            ways: match collective.plan.is_opened() {
                true => self.of_links(id, schedule, &|connection, from| self.way(connection, from)),
                false => Vec::new(),
            },
            after: self.after(collective),
        }
    }

    /// A value for each link of a collective and each of its receivers, from the connection and its
    /// sending port.
    fn of_links<T>(
        &self,
        id: CollectiveId,
        schedule: &Schedule,
        value: &dyn Fn(ConnectionId, PortId) -> T,
    ) -> Vec<Vec<T>> {
        let mut values = self.connections_of(id).map(|(connection, from)| value(connection, from));
        schedule.links.iter().map(|link| values.by_ref().take(link.to.len()).collect()).collect()
    }

    /// Cycles of a word over the net of a connection.
    fn way(&self, connection: ConnectionId, from: PortId) -> i64 {
        let hops = self.routed.hops_of(from, connection);
        hops.map_or(0, |hops| i64::try_from(way_cycles(hops, self.device)).unwrap_or(i64::MAX))
    }

    /// True if a root fills a window with the collective's result.
    fn has_result(&self, id: CollectiveId) -> bool {
        let members = self.checked.kernels.iter().flat_map(|kernel| &kernel.memberships);
        members.filter(|member| member.collective == id).any(|member| member.result.is_some())
    }

    /// The connections of a collective in the order of its links, each with its sending port.
    fn connections_of(&self, id: CollectiveId) -> impl Iterator<Item = (ConnectionId, PortId)> {
        let all = self.checked.connections.enumerate();
        all.filter(move |(_, c)| c.collective == Some(id)).map(|(at, c)| (at, c.from))
    }

    /// For each rank, the rank that runs before it on its core.
    fn after(&self, collective: &Collective) -> Vec<Option<Rank>> {
        let ranks: BTreeMap<KernelId, Rank> = collective.ranks.iter().copied().zip((0..).map(Rank)).collect();
        let mut last: BTreeMap<Tile, Rank> = BTreeMap::new();
        let mut after = vec![None; collective.ranks.len()];
        for kernel in self.checked.firing_order() {
            let Some(&rank) = ranks.get(&kernel) else { continue };
            after[rank.index()] = last.insert(self.placed.kernels[kernel], rank);
        }
        after
    }

    /// The largest sum of the cycles of links on the path of a window.
    fn path_latency(&self, id: CollectiveId, collective: &Collective, schedule: &Schedule) -> f64 {
        if collective.plan.is_cascade() {
            return self.profile.cascade.rank_cycles as f64
                * f64::from(collective.plan.size.saturating_sub(1));
        }
        let latencies = self.of_links(id, schedule, &|at, _| self.connection(at).window_cycles);
        let times = finish_times(schedule, &Latencies(latencies), &[]);
        times.into_iter().max().unwrap_or(0) as f64 / 100.0
    }
}

/// Link costs are latencies in hundredths of a cycle, step costs are 0.
struct Latencies(Vec<Vec<f64>>);

impl Costs for Latencies {
    fn step(&self, _: &Step) -> StepCost {
        StepCost::default()
    }

    fn link(&self, link: LinkId, sink: usize) -> i64 {
        let latency = self.0.get(link.index()).and_then(|sinks| sinks.get(sink)).copied().unwrap_or(0.0);
        (latency * 100.0).round() as i64
    }
}

/// Every column cut from the west (east- and westward), then every row cut from the shim (north-
/// and southward). Routes without hops use no wires, but their nets count in the demand.
pub fn cut_table(routes: &[Route], device: &Device) -> Vec<CutUse> {
    cuts_of(routes, &edge_loads(routes), device)
}

/// Every used edge, from the west and within a column from the south.
pub fn edge_table(routed: &Routed, device: &Device) -> Vec<EdgeUse> {
    edges_of(&edge_loads(&routed.routes), device).collect()
}

/// Wires used on each edge: one for each circuit, and one for all packets of a group.
fn edge_loads(routes: &[Route]) -> BTreeMap<Hop, u32> {
    let mut used: BTreeMap<Hop, u32> = BTreeMap::new();
    let mut groups = BTreeSet::new();
    for route in routes {
        for hop in &route.hops {
            if route.net.kind == NetKind::Circuit || groups.insert((route.net.kind, *hop)) {
                *used.entry(*hop).or_default() += 1;
            }
        }
    }
    used
}

fn routing(checked: &Checked, routed: &Routed, device: &Device) -> RoutingUse {
    let used = edge_loads(&routed.routes);
    let paths = checked.connections.enumerate().filter_map(|(id, c)| routed.hops_of(c.from, id));
    RoutingUse {
        nets: count(routed.routes.len()),
        hops: used.values().sum(),
        longest_path: paths.max().unwrap_or(0),
        worst_edge: worst_edge(&used, device),
        worst_cuts: worst_cuts(&cuts_of(&routed.routes, &used, device)),
    }
}

/// The side by which a hop leaves a switch. Hops of verified routes join neighbours.
fn side_of(hop: Hop) -> Option<Side> {
    Side::ALL.into_iter().find(|&side| neighbour(hop.from, side) == Some(hop.to))
}

fn edges_of<'a>(used: &'a BTreeMap<Hop, u32>, device: &'a Device) -> impl Iterator<Item = EdgeUse> + 'a {
    used.iter().filter_map(|(&hop, &used)| {
        Some(EdgeUse {
            from: hop.from,
            to: hop.to,
            used,
            capacity: side_of(hop)?.wires(device, hop.from.row),
        })
    })
}

fn worst_edge(used: &BTreeMap<Hop, u32>, device: &Device) -> Option<EdgeUse> {
    edges_of(used, device).reduce(|worst, edge| {
        if fuller((edge.used, edge.capacity), (worst.used, worst.capacity)) { edge } else { worst }
    })
}

fn cuts_of(routes: &[Route], used: &BTreeMap<Hop, u32>, device: &Device) -> Vec<CutUse> {
    let nets: Vec<Request> = routes.iter().map(|route| Request::from(&route.net)).collect();
    let mut wires: BTreeMap<(Side, u16), u32> = BTreeMap::new();
    for (&hop, &nets) in used {
        let Some(side) = side_of(hop) else { continue };
        *wires.entry((side, line_of(hop.from, side))).or_default() += nets;
    }
    let lines = cuts::lines(&nets, device).into_iter().filter_map(|line| {
        let (leaving, towards) = match line.boundary {
            Boundary::Column { column, towards } => (column, towards),
            Boundary::Row { row, towards } => (row, towards),
            Boundary::Region { .. } | Boundary::Area { .. } => return None,
        };
        let used = wires.get(&(towards, leaving)).copied().unwrap_or(0);
        Some(CutUse { towards, leaving, demand: line.demand(), used, capacity: line.capacity })
    });
    lines.collect()
}

/// For each direction, the first of the fullest cuts. Directions without cuts are absent.
fn worst_cuts(cuts: &[CutUse]) -> Vec<CutUse> {
    let mut worst: BTreeMap<Side, CutUse> = BTreeMap::new();
    for &cut in cuts {
        let entry = worst.entry(cut.towards).or_insert(cut);
        if fuller((cut.demand, cut.capacity), (entry.demand, entry.capacity)) {
            *entry = cut;
        }
    }
    worst.into_values().collect()
}

const fn line_of(switch: Switch, towards: Side) -> u16 {
    match towards {
        Side::North | Side::South => switch.row,
        Side::East | Side::West => switch.column,
    }
}

/// True if the first share (use, capacity) is larger than the second.
fn fuller(a: (u32, u32), b: (u32, u32)) -> bool {
    u64::from(a.0) * u64::from(b.1) > u64::from(b.0) * u64::from(a.1)
}

/// Rounds to hundredths, so that reports do not depend on the last bit of a product.
fn hundredths(cycles: f64) -> f64 {
    (cycles * 100.0).round() / 100.0
}

fn count(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}
