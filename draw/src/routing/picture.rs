//! The routing as a picture: a box per switch, and between two boxes a lane per wire, coloured by
//! the edge's use. Nets are lines in their lanes. The picture also shows the fullest cuts, kernels
//! beside their switches, and the shim row below.

use aiec_diag::count;
use aiec_router_model::{Boundary, EdgeUse, Hop, NetId, Side, Switch};
use svg::node::element::{Circle, Group, Line, Path, Rectangle, Text, Title};

use super::lanes::Lanes;
use super::{CutMark, NetMark, Pin, RoutingPlan, legend, side};
use crate::colours::Groups;
use crate::plan::{Floorplan, KernelMark};
use crate::sheet::sheet;

/// Pixels from switch to switch.
const PITCH: f64 = 84.0;
/// Half the side of a switch's box.
const HALF: f64 = 17.0;
/// Pixels on the left, for row names.
pub(super) const LEFT: f64 = 64.0;
/// Pixels on the right, for the numbers of row cuts.
const RIGHT: f64 = 96.0;
/// Pixels above the array, for the title and the numbers of column cuts.
const TOP: f64 = 96.0;
/// Pixels below the array, for column numbers and the legend.
const BOTTOM: f64 = 60.0;
/// Least width of the picture, for title and legend.
const MIN_WIDTH: f64 = 860.0;
/// Farthest that two lanes of an edge are apart.
const LANE: f64 = 2.6;
/// The colour of faults.
pub(super) const OVERFULL: &str = "#8e24aa";
/// A cut that is only full.
pub(super) const CUT: &str = "#455a64";

type Point = (f64, f64);

/// The routing as an SVG document.
pub fn routing_svg(plan: &RoutingPlan) -> String {
    let (first, last) = used_columns(plan);
    let picture = Picture { plan, first, last, lanes: Lanes::assign(&plan.nets) };
    let legend = legend::height(plan);
    let width = picture.right().max(MIN_WIDTH - RIGHT) + RIGHT;
    let height = picture.bottom() + BOTTOM + legend;
    let document = sheet(width, height)
        .add(rectangle((0.0, 0.0), width, height).set("fill", "white"))
        .add(legend::title(plan))
        .add(picture.axes())
        .add(picture.heat())
        .add(picture.switches())
        .add(picture.nets())
        .add(picture.wanted())
        .add(picture.kernels())
        .add(picture.cuts())
        .add(legend::legend(plan, picture.bottom() + BOTTOM));
    format!("{document}\n")
}

/// The columns from the first to the last that hold anything.
fn used_columns(plan: &RoutingPlan) -> (u16, u16) {
    let ends =
        plan.nets.iter().flat_map(|net| net.sinks.iter().chain([&net.source]).map(|pin| pin.switch.column));
    let hops =
        plan.nets.iter().flat_map(|net| net.hops.iter().flat_map(|hop| [hop.from.column, hop.to.column]));
    let floor = plan.floorplan.iter();
    let kernels = floor.flat_map(|floor| floor.kernels.iter().map(|kernel| kernel.tile.column));
    let all = ends.chain(hops).chain(kernels).filter(|&column| column < plan.columns);
    let (first, last) = all.fold((u16::MAX, 0), |(low, high), column| (low.min(column), high.max(column)));
    (first.min(last), last)
}

struct Picture<'a> {
    plan: &'a RoutingPlan,
    /// The columns that are drawn.
    first: u16,
    last: u16,
    lanes: Lanes,
}

impl Picture<'_> {
    fn x(&self, column: u16) -> f64 {
        LEFT + PITCH * (f64::from(column) - f64::from(self.first) + 0.5)
    }

    fn y(&self, row: u16) -> f64 {
        TOP + PITCH * (f64::from(self.plan.rows) - f64::from(row) - 0.5)
    }

    fn right(&self) -> f64 {
        self.x(self.last) + PITCH / 2.0
    }

    fn bottom(&self) -> f64 {
        self.y(0) + PITCH / 2.0
    }

    fn columns(&self) -> impl Iterator<Item = u16> + use<> {
        self.first..=self.last
    }

    fn axes(&self) -> Group {
        let shim =
            rectangle((LEFT, self.y(0) - PITCH / 2.0), self.right() - LEFT, PITCH).set("fill", "#eef6f5");
        let mut group = Group::new().add(shim);
        for row in 0..self.plan.rows {
            let name = match row.checked_sub(self.plan.first_core_row) {
                Some(core) => format!("row {core}"),
                None if row == 0 => "shim".to_owned(),
                None => "memory".to_owned(),
            };
            group = group.add(text(name, (LEFT - 10.0, self.y(row) + 4.0), 12).set("text-anchor", "end"));
        }
        self.columns().fold(group, |group, column| {
            group.add(centred(column.to_string(), (self.x(column), self.bottom() + 16.0), 12))
        })
    }

    /// The edges in use, coloured by their load.
    fn heat(&self) -> Group {
        self.plan.edges.iter().fold(Group::new(), |group, edge| match self.load(edge) {
            Some(load) => group.add(load),
            None => group,
        })
    }

    fn load(&self, edge: &EdgeUse) -> Option<Rectangle> {
        let hop = Hop { from: edge.from, to: edge.to };
        let (x, y) = (self.x(edge.from.column), self.y(edge.from.row));
        let gap = PITCH - 2.0 * HALF;
        let (corner, width, height) = match side(hop)? {
            Side::North => ((x, y - HALF - gap), HALF, gap),
            Side::South => ((x - HALF, y + HALF), HALF, gap),
            Side::East => ((x + HALF, y), gap, HALF),
            Side::West => ((x - HALF - gap, y - HALF), gap, HALF),
        };
        let what = format!("{} to {}: {}/{}", name(edge.from), name(edge.to), edge.used, edge.capacity);
        Some(
            rectangle(corner, width, height)
                .set("fill", legend::heat(edge.used, edge.capacity))
                .add(Title::new(what)),
        )
    }

    fn switches(&self) -> Group {
        let mut group = Group::new().set("fill", "#f7f7f7").set("stroke", "#b0b4ba");
        for column in self.columns() {
            for row in 0..self.plan.rows {
                let corner = (self.x(column) - HALF, self.y(row) - HALF);
                let title = Title::new(name(Switch { column, row }));
                group = group.add(rectangle(corner, 2.0 * HALF, 2.0 * HALF).set("rx", 3).add(title));
            }
        }
        group
    }

    fn nets(&self) -> Group {
        let nets = self.plan.shown().into_iter();
        nets.fold(Group::new(), |group, (id, net)| group.add(self.net(id, net)))
    }

    /// A net: its lanes, its ways through switches, and its ends.
    fn net(&self, id: NetId, net: &NetMark) -> Group {
        let colour = legend::net_colour(id.index());
        let way = Path::new()
            .set("d", self.way(id, net))
            .set("fill", "none")
            .set("stroke", colour.clone())
            .set("stroke-width", 1.7)
            .set("stroke-linejoin", "round");
        let sinks: Vec<String> =
            net.sinks.iter().map(|pin| format!("{} {}", name(pin.switch), pin.port)).collect();
        let tip =
            format!("{}: {} {} to {}", net.name, name(net.source.switch), net.source.port, sinks.join(", "));
        let start = dot(self.source(&net.source)).set("fill", colour.clone());
        let group = Group::new().add(Title::new(tip)).add(way).add(start);
        net.sinks.iter().fold(group, |group, pin| {
            group.add(
                dot(self.sink(pin))
                    .set("fill", "white")
                    .set("stroke", colour.clone())
                    .set("stroke-width", 1.4),
            )
        })
    }

    fn way(&self, id: NetId, net: &NetMark) -> String {
        let mut path = String::new();
        let mut line = |from: Point, to: Point| {
            path.push_str(&format!("M{:.1},{:.1} L{:.1},{:.1} ", from.0, from.1, to.0, to.1));
        };
        let into = |switch: Switch| {
            let hop = net.hops.iter().find(|hop| hop.to == switch);
            hop.and_then(|&hop| self.wire(id, hop)).map_or_else(|| self.source(&net.source), |(_, end)| end)
        };
        for &hop in &net.hops {
            if let Some((start, end)) = self.wire(id, hop) {
                line(into(hop.from), start);
                line(start, end);
            }
        }
        // An unrouted net has no route to its sinks, but may have one at its own switch.
        let reached = |pin: &&Pin| {
            net.hops.iter().any(|hop| hop.to == pin.switch)
                || (self.plan.routed && pin.switch == net.source.switch)
        };
        for pin in net.sinks.iter().filter(reached) {
            line(into(pin.switch), self.sink(pin));
        }
        path.trim_end().to_owned()
    }

    /// The line of a net between two switches: each direction has its half of the gap.
    fn wire(&self, net: NetId, hop: Hop) -> Option<(Point, Point)> {
        let lanes = self.lanes.count(hop);
        let step = LANE.min((HALF - 3.0) / f64::from(lanes.max(1)));
        let aside = 2.0 + step * f64::from(self.lanes.lane(net, hop));
        let (from, to) =
            ((self.x(hop.from.column), self.y(hop.from.row)), (self.x(hop.to.column), self.y(hop.to.row)));
        Some(match side(hop)? {
            Side::North => ((from.0 + aside, from.1 - HALF), (to.0 + aside, to.1 + HALF)),
            Side::South => ((from.0 - aside, from.1 + HALF), (to.0 - aside, to.1 - HALF)),
            Side::East => ((from.0 + HALF, from.1 + aside), (to.0 - HALF, to.1 + aside)),
            Side::West => ((from.0 - HALF, from.1 - aside), (to.0 + HALF, to.1 - aside)),
        })
    }

    /// The start of a net: at the lower edge of a shim switch, or in the upper left of others, near
    /// the kernel.
    fn source(&self, pin: &Pin) -> Point {
        let (x, y, at) = (self.x(pin.switch.column), self.y(pin.switch.row), f64::from(pin.channel.min(8)));
        if pin.switch.row == 0 { (x - 15.0 + 4.2 * at, y + HALF) } else { (x - 9.0 + 5.0 * at, y - 13.0) }
    }

    fn sink(&self, pin: &Pin) -> Point {
        let (x, y, at) = (self.x(pin.switch.column), self.y(pin.switch.row), f64::from(pin.channel.min(8)));
        if pin.switch.row == 0 {
            (x - 13.0 + 4.2 * at, y + HALF + 6.0)
        } else {
            (x - 13.0, y - 8.0 + 5.0 * at)
        }
    }

    /// Unrouted nets that are shown, as straight lines.
    fn wanted(&self) -> Group {
        let group = Group::new().set("stroke", OVERFULL).set("stroke-width", 1).set("stroke-opacity", 0.45);
        if self.plan.routed {
            return group;
        }
        let nets = self.plan.shown().into_iter().filter(|(_, net)| net.hops.is_empty());
        nets.fold(group, |group, (_, net)| {
            let from = self.source(&net.source);
            net.sinks
                .iter()
                .fold(group, |group, pin| group.add(line(from, self.sink(pin)).add(Title::new(&net.name))))
        })
    }

    fn kernels(&self) -> Group {
        let Some(floor) = &self.plan.floorplan else { return Group::new() };
        let groups = Groups::of(floor);
        floor
            .kernels
            .iter()
            .fold(Group::new(), |group, kernel| group.add(self.kernel(kernel, floor, &groups)))
    }

    /// A kernel: its slice of the box, where several run on one core. Up to three have room for
    /// their labels, which are those of the floorplan.
    fn kernel(&self, kernel: &KernelMark, floor: &Floorplan, groups: &Groups<'_>) -> Group {
        let (place, of) = floor.slice(kernel);
        let row = kernel.tile.row.saturating_add(self.plan.first_core_row);
        let wide = 22.0 / of as f64;
        let left = self.x(kernel.tile.column) - PITCH / 2.0 + 2.0 + wide * place as f64;
        let corner = (left, self.y(row) - PITCH / 2.0 + 2.0);
        let body = rectangle(corner, wide, 18.0)
            .set("rx", 3)
            .set("fill", groups.fill(kernel))
            .set("stroke", "#4a4f57")
            .add(Title::new(format!("{} on {}", kernel.name, kernel.tile)));
        if of > 3 {
            return Group::new().add(body);
        }
        // Names have the room of five small characters, in a part of a box of one.
        let (words, _) = floor.label(kernel, 5 / of);
        let size = if of == 1 && words.chars().count() <= 3 { 10 } else { 7 };
        let label = centred(words, (corner.0 + wide / 2.0, corner.1 + 13.0), size);
        Group::new().add(body).add(label.set("fill", groups.ink(kernel)).set("pointer-events", "none"))
    }

    fn cuts(&self) -> Group {
        // What forbids a routing stands alone.
        let most = if self.plan.fullest().is_some() { 1 } else { usize::MAX };
        let cuts = self.plan.worst_cuts().into_iter().take(most);
        cuts.fold(Group::new(), |group, cut| group.add(self.cut(cut)))
    }

    fn cut(&self, cut: &CutMark) -> Group {
        let colour = if cut.is_overfull() { OVERFULL } else { CUT };
        let share = format!("{}/{}", cut.demand, cut.capacity);
        let (lines, label) = match &cut.boundary {
            Boundary::Column { column, towards } => {
                let east = *towards == Side::East;
                let x = if east { self.x(*column) + PITCH / 2.0 } else { self.x(*column) - PITCH / 2.0 };
                let at = (x, if east { TOP - 4.0 } else { TOP - 18.0 });
                let arrow = if east { format!("{share} \u{2192}") } else { format!("\u{2190} {share}") };
                (Group::new().add(line((x, TOP), (x, self.bottom()))), centred(arrow, at, 12))
            }
            Boundary::Row { row, towards } => {
                let north = *towards == Side::North;
                let y = if north { self.y(*row) - PITCH / 2.0 } else { self.y(*row) + PITCH / 2.0 };
                let at = (self.right() + 6.0, if north { y - 2.0 } else { y + 12.0 });
                let arrow = format!("{share} {}", if north { '\u{2191}' } else { '\u{2193}' });
                (Group::new().add(line((LEFT, y), (self.right(), y))), text(arrow, at, 12))
            }
            Boundary::Region { low, high, outwards } => (
                self.frame(*low, *high),
                self.region_label(Switch { column: low.column, row: high.row }, share, *outwards),
            ),
            Boundary::Area { switches, outwards } => {
                let frames = switches.iter().fold(Group::new(), |group, &s| group.add(self.frame(s, s)));
                let corner = switches.iter().copied().max_by_key(|s| (s.row, std::cmp::Reverse(s.column)));
                (
                    frames,
                    self.region_label(
                        corner.unwrap_or(Switch { column: self.first, row: 0 }),
                        share,
                        *outwards,
                    ),
                )
            }
        };
        let what = format!(
            "{}: {} must cross, wires in use: {}",
            cut.name,
            count(cut.demand.into(), "net"),
            cut.used
        );
        let lines = lines
            .set("stroke", colour)
            .set("stroke-width", 2.5)
            .set("stroke-dasharray", "7 4")
            .set("fill", "none");
        let label = label.set("fill", colour).set("font-weight", "bold");
        Group::new().add(Title::new(what)).add(lines).add(label)
    }

    fn frame(&self, low: Switch, high: Switch) -> Group {
        let corner = (self.x(low.column) - PITCH / 2.0, self.y(high.row) - PITCH / 2.0);
        let width = PITCH * (f64::from(high.column) - f64::from(low.column) + 1.0);
        let height = PITCH * (f64::from(high.row) - f64::from(low.row) + 1.0);
        Group::new().add(rectangle(corner, width, height))
    }

    fn region_label(&self, corner: Switch, share: String, outwards: bool) -> Text {
        let way = if outwards { "out" } else { "in" };
        let at = (self.x(corner.column) - PITCH / 2.0 + 28.0, self.y(corner.row) - PITCH / 2.0 + 12.0);
        text(format!("{share} {way}"), at, 12)
    }
}

fn name(switch: Switch) -> String {
    format!("({}, {})", switch.column, switch.row)
}

fn rectangle(corner: Point, width: f64, height: f64) -> Rectangle {
    Rectangle::new().set("x", corner.0).set("y", corner.1).set("width", width).set("height", height)
}

fn line(from: Point, to: Point) -> Line {
    Line::new().set("x1", from.0).set("y1", from.1).set("x2", to.0).set("y2", to.1)
}

fn dot(centre: Point) -> Circle {
    Circle::new().set("cx", centre.0).set("cy", centre.1).set("r", 2.4)
}

/// Text that starts at a point.
pub(super) fn text(text: impl Into<String>, at: Point, size: i32) -> Text {
    Text::new(text.into()).set("x", at.0).set("y", at.1).set("font-size", size)
}

/// Text centred at a point.
pub(super) fn centred(content: impl Into<String>, at: Point, size: i32) -> Text {
    text(content, at, size).set("text-anchor", "middle")
}
