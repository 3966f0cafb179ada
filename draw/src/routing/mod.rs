//! Pictures of the stream switches: the route of every net, the use of the wires, and overfull
//! edges.
//!
//! Takes nets with their trees, from a design or another source, the device, and an optional
//! floorplan. Returns a [`RoutingPlan`], plain data that is serialised as it is or drawn by
//! [`routing_svg`]. This module does not search or check anything.

mod lanes;
mod legend;
mod picture;

use std::collections::{BTreeMap, BTreeSet};

use aiec_device::Device;
use aiec_router_model::{
    Boundary, Crossing, EdgeUse, Hop, NetEnd, NetId, NetKind, Port, Request, Side, Switch, lines,
};
use serde::Serialize;

pub use self::picture::routing_svg;
use crate::plan::Floorplan;

/// The route of every net, and the use of the wires.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RoutingPlan {
    /// Always `aiec-routing`.
    pub format: &'static str,
    /// Number of the format: additions keep it, anything else raises it.
    pub version: u32,
    /// The design, or the file the nets were read from.
    pub name: String,
    /// The name of the device with the switches.
    pub device: String,
    /// Columns of switches, one for each column of the array.
    pub columns: u16,
    /// Rows of switches: the shim row, memory tiles and core rows.
    pub rows: u16,
    /// The lowest row of core tiles; row 0 is the shim.
    pub first_core_row: u16,
    /// True if every net has its way; otherwise nets are only wanted.
    pub routed: bool,
    /// The nets in their order.
    pub nets: Vec<NetMark>,
    /// Edges that some net takes, from the west and there from the south.
    pub edges: Vec<EdgeUse>,
    /// Every column cut from the west, every row cut from the shim, and the region of a proof.
    pub cuts: Vec<CutMark>,
    /// The placement, for a design.
    pub floorplan: Option<Floorplan>,
}

/// A net and the tree of its hops.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NetMark {
    /// The name of the net, as legends and tables write it.
    pub name: String,
    /// The port where it starts.
    pub source: Pin,
    /// The ports where it ends.
    pub sinks: Vec<Pin>,
    /// Its tree, parents first.
    pub hops: Vec<Hop>,
    /// Hops to the farthest sink.
    pub longest: u32,
}

/// An end of a net.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Pin {
    /// The switch, `[column, hardware row]`.
    pub switch: Switch,
    /// The port, such as `dma 1`.
    pub port: String,
    /// The port's number.
    #[serde(skip)]
    channel: u32,
}

/// A line across the array.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CutMark {
    /// The cut's name in words.
    pub name: String,
    /// The line that the nets cross.
    pub boundary: Boundary,
    /// Nets that must cross, whatever their routes.
    pub demand: u32,
    /// Wires that the routes use.
    pub used: u32,
    /// Number of wires across the line.
    pub capacity: u32,
    /// The nets that must cross, by position, if they are more than the wires.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub nets: Vec<u32>,
}

impl NetMark {
    /// The wires that it takes, or without a route the tiles between its ends.
    pub(crate) fn weight(&self) -> usize {
        let far = |pin: &Pin| {
            let (from, to) = (self.source.switch, pin.switch);
            usize::from(from.column.abs_diff(to.column)) + usize::from(from.row.abs_diff(to.row))
        };
        if self.hops.is_empty() { self.sinks.iter().map(far).sum() } else { self.hops.len() }
    }
}

impl CutMark {
    /// True if more nets must cross than the cut has wires.
    pub const fn is_overfull(&self) -> bool {
        self.demand > self.capacity
    }
}

/// A net to draw: its name, its demand, and its tree of hops, parents first. The tree is empty if
/// the net is not routed.
#[derive(Clone, Debug)]
pub struct DrawnNet {
    /// The name of the net, as legends and tables write it.
    pub name: String,
    /// Its kind, and the ports where it starts and ends.
    pub request: Request,
    /// Its tree of hops, parents first; empty when it has no route.
    pub hops: Vec<Hop>,
}

/// The picture's data. `routed` says whether all trees exist; `proof` is the line that forbids a
/// routing, if one is known.
pub fn routing_plan(
    name: &str,
    device: &Device,
    nets: &[DrawnNet],
    routed: bool,
    proof: Option<&Crossing>,
    floorplan: Option<Floorplan>,
) -> RoutingPlan {
    let requests: Vec<Request> = nets.iter().map(|net| net.request.clone()).collect();
    let mut crossings = lines(&requests, device);
    crossings.extend(proof.filter(|cut| !crossings.contains(cut)).cloned());
    let hops = wires(nets);
    RoutingPlan {
        format: "aiec-routing",
        version: 1,
        name: name.to_owned(),
        device: device.name.clone(),
        columns: device.columns,
        rows: device.first_hardware_row.saturating_add(device.rows),
        first_core_row: device.first_hardware_row,
        routed,
        nets: nets.iter().map(net_mark).collect(),
        edges: edges(&hops, device),
        cuts: crossings.iter().map(|cut| cut_mark(cut, &hops)).collect(),
        floorplan,
    }
}

/// A hop for each wire that is used: the streams of a lane share theirs.
fn wires(nets: &[DrawnNet]) -> Vec<Hop> {
    let mut shared = BTreeSet::new();
    let mut wires = Vec::new();
    for net in nets {
        let own = net.hops.iter().filter(|&&hop| match net.request.kind {
            NetKind::Circuit => true,
            NetKind::Packet { group, lane, .. } => shared.insert((group, lane, hop)),
        });
        wires.extend(own.copied());
    }
    wires
}

fn net_mark(net: &DrawnNet) -> NetMark {
    let pin = |end: &NetEnd| {
        let port = Port::from(end.port);
        Pin { switch: end.switch, port: port.to_string(), channel: port.channel }
    };
    NetMark {
        name: net.name.clone(),
        source: pin(&net.request.source),
        sinks: net.request.sinks.iter().map(pin).collect(),
        longest: longest(&net.hops),
        hops: net.hops.clone(),
    }
}

/// The depth of a tree whose parents come first.
fn longest(hops: &[Hop]) -> u32 {
    let mut depth: BTreeMap<Switch, u32> = BTreeMap::new();
    for hop in hops {
        let above = depth.get(&hop.from).copied().unwrap_or(0);
        depth.insert(hop.to, above.saturating_add(1));
    }
    depth.into_values().max().unwrap_or(0)
}

fn edges(hops: &[Hop], device: &Device) -> Vec<EdgeUse> {
    let mut used: BTreeMap<Hop, u32> = BTreeMap::new();
    for &hop in hops {
        *used.entry(hop).or_default() += 1;
    }
    let capacity = |hop: Hop| side(hop).map_or(0, |side| side.wires(device, hop.from.row));
    let edge =
        |(hop, used): (Hop, u32)| EdgeUse { from: hop.from, to: hop.to, used, capacity: capacity(hop) };
    used.into_iter().map(edge).collect()
}

/// The side on which a hop between neighbours leaves its switch.
fn side(hop: Hop) -> Option<Side> {
    let (from, to) = (hop.from, hop.to);
    let east = i32::from(to.column) - i32::from(from.column);
    let north = i32::from(to.row) - i32::from(from.row);
    match (east, north) {
        (1, 0) => Some(Side::East),
        (-1, 0) => Some(Side::West),
        (0, 1) => Some(Side::North),
        (0, -1) => Some(Side::South),
        _ => None,
    }
}

fn cut_mark(cut: &Crossing, hops: &[Hop]) -> CutMark {
    let used = hops.iter().filter(|hop| crosses(&cut.boundary, hop)).count();
    let nets = if cut.is_overfull() { cut.nets.iter().map(|net| net.0).collect() } else { Vec::new() };
    CutMark {
        name: cut.boundary.to_string(),
        boundary: cut.boundary.clone(),
        demand: cut.demand(),
        used: u32::try_from(used).unwrap_or(u32::MAX),
        capacity: cut.capacity,
        nets,
    }
}

/// True if the hop goes across the line in its direction.
fn crosses(boundary: &Boundary, hop: &Hop) -> bool {
    let inside = |low: &Switch, high: &Switch, s: Switch| {
        (low.column..=high.column).contains(&s.column) && (low.row..=high.row).contains(&s.row)
    };
    match boundary {
        Boundary::Column { column, towards } => hop.from.column == *column && side(*hop) == Some(*towards),
        Boundary::Row { row, towards } => hop.from.row == *row && side(*hop) == Some(*towards),
        Boundary::Region { low, high, outwards } => {
            let (from, to) = (inside(low, high, hop.from), inside(low, high, hop.to));
            from != to && from == *outwards
        }
        Boundary::Area { switches, outwards } => {
            let (from, to) = (switches.contains(&hop.from), switches.contains(&hop.to));
            from != to && from == *outwards
        }
    }
}

impl RoutingPlan {
    /// Wires between switches that the nets use; streams of a packet group share theirs.
    pub fn hops(&self) -> usize {
        self.edges.iter().map(|edge| edge.used as usize).sum()
    }

    /// The net with the farthest sink, the first of equals.
    pub fn longest(&self) -> Option<&NetMark> {
        let nets = self.nets.iter().filter(|net| !net.hops.is_empty());
        nets.reduce(|best, net| if net.longest > best.longest { net } else { best })
    }

    /// The edge with the largest share of its wires in use, the first of equals.
    pub fn worst_edge(&self) -> Option<&EdgeUse> {
        self.edges.iter().reduce(|worst, edge| {
            if fuller((edge.used, edge.capacity), (worst.used, worst.capacity)) { edge } else { worst }
        })
    }

    /// The cut with the largest excess of nets over wires. Returns None when no cut is
    /// overfull.
    pub fn fullest(&self) -> Option<&CutMark> {
        self.worst_cuts().into_iter().next().filter(|cut| cut.is_overfull())
    }

    /// The nets to draw: all of them, or those that must cross the fullest cut if it is overfull.
    pub(crate) fn shown(&self) -> Vec<(NetId, &NetMark)> {
        let all = (0..).map(NetId).zip(&self.nets);
        match self.fullest().filter(|_| !self.routed) {
            Some(cut) => all.filter(|(id, _)| cut.nets.contains(&id.0)).collect(),
            None => all.collect(),
        }
    }

    /// The cuts to show: all overfull ones, the largest excess first; if there are none, the cut
    /// with the largest share of used wires in each direction.
    pub fn worst_cuts(&self) -> Vec<&CutMark> {
        let mut overfull: Vec<&CutMark> = self.cuts.iter().filter(|cut| cut.is_overfull()).collect();
        if !overfull.is_empty() {
            overfull.sort_by_key(|cut| std::cmp::Reverse(cut.demand - cut.capacity));
            return overfull;
        }
        let worst = |side: Side| {
            let cuts = self.cuts.iter().filter(|cut| cut.demand > 0 && direction(cut) == Some(side));
            cuts.reduce(|worst, cut| {
                if fuller((cut.demand, cut.capacity), (worst.demand, worst.capacity)) { cut } else { worst }
            })
        };
        Side::ALL.into_iter().filter_map(worst).collect()
    }
}

const fn direction(cut: &CutMark) -> Option<Side> {
    match cut.boundary {
        Boundary::Column { towards, .. } | Boundary::Row { towards, .. } => Some(towards),
        Boundary::Region { .. } | Boundary::Area { .. } => None,
    }
}

/// True if the first share is larger than the second.
fn fuller((used, of): (u32, u32), (other, of_other): (u32, u32)) -> bool {
    u64::from(used) * u64::from(of_other.max(1)) > u64::from(other) * u64::from(of.max(1))
}

#[cfg(test)]
mod tests;
