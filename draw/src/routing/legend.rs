//! The legend of a routing's colours, and its title.

use aiec_diag::count;
use aiec_router_model::NetId;
use svg::node::element::{Circle, Group, Line, Rectangle};

use super::picture::{CUT, LEFT, OVERFULL, text};
use super::{CutMark, NetMark, RoutingPlan};
use crate::colours::Groups;
use crate::svg::{families, height_of_families};

/// Most nets listed by name. Of more nets, those of the largest weight are a table.
const LISTED: usize = 12;
/// Pixels from line to line.
const STEP: f64 = 18.0;
/// Pixels from the top of the legend to its first net.
const FIRST: f64 = 76.0;
/// Pixels between the nets and the colours of kernels.
const GAP: i32 = 8;
/// Nets beside each other.
const BESIDE: usize = 2;
/// Pixels that a listed net has.
const WIDE: f64 = 390.0;

/// The colour of an edge: pale for one used wire, red for all wires, and a separate colour if there
/// are more nets than wires.
pub(super) fn heat(used: u32, capacity: u32) -> String {
    if used > capacity {
        return OVERFULL.to_owned();
    }
    let share = f64::from(used) / f64::from(capacity.max(1));
    format!("hsl({:.0}, 95%, {:.0}%)", 52.0 - 46.0 * share, 90.0 - 28.0 * share)
}

/// The colour of a net: hues far apart for neighbours in the order of the nets.
pub(super) fn net_colour(index: usize) -> String {
    let (hue, lightness) = (index % 360 * 137 % 360, [34, 46, 26][index % 3]);
    format!("hsl({hue}, 75%, {lightness}%)")
}

/// The subject of the picture, in two lines.
pub(super) fn title(plan: &RoutingPlan) -> Group {
    let what = format!("{} on {}", plan.name, plan.device);
    let nets = count(plan.nets.len() as u64, "net");
    let more = match (plan.routed, plan.longest(), plan.worst_edge()) {
        (false, ..) => format!("{nets}, {}", reason(plan)),
        (true, Some(longest), Some(edge)) => format!(
            "{nets}, {}, the longest way {}, the fullest edge {}/{} wires",
            count(plan.hops() as u64, "hop"),
            count(longest.longest.into(), "hop"),
            edge.used,
            edge.capacity
        ),
        (true, ..) => format!("{nets}, no wire between switches in use"),
    };
    let first = text(what, (LEFT, 24.0), 17).set("font-weight", "bold");
    Group::new().add(first).add(text(more, (LEFT, 44.0), 13).set("fill", "#444"))
}

fn reason(plan: &RoutingPlan) -> String {
    let cut = plan.cuts.iter().filter(|cut| cut.is_overfull()).max_by_key(|cut| cut.demand - cut.capacity);
    cut.map_or_else(
        || "not all of them legally routed; those without a way are drawn straight".to_owned(),
        |cut| {
            let CutMark { demand, name, capacity, .. } = cut;
            let (nets, wires) = (count((*demand).into(), "net"), count((*capacity).into(), "wire"));
            format!("not routed: {nets} must cross {name}, which has {wires}")
        },
    )
}

/// Pixels that the legend needs.
pub(super) fn height(plan: &RoutingPlan) -> f64 {
    let nets = plan.shown().len();
    let lines = if nets > LISTED { LISTED + 2 } else { nets.div_ceil(BESIDE) };
    let kernels = plan.floorplan.as_ref().map_or(0, |floor| GAP + height_of_families(&Groups::of(floor)));
    72.0 + STEP * lines as f64 + f64::from(kernels)
}

/// The legend from `y` on.
pub(super) fn legend(plan: &RoutingPlan, y: f64) -> Group {
    let group = Group::new().add(scale(y)).add(signs(y + STEP + 4.0));
    let group = match plan.floorplan.as_ref().map(Groups::of) {
        Some(groups) => {
            // Below all nets.
            let below = y + height(plan) - f64::from(height_of_families(&groups));
            group.add(families(&groups, (LEFT as i32, below as i32 - 8)))
        }
        None => group,
    };
    let shown = plan.shown();
    if shown.len() > LISTED {
        table(plan, shown, y).into_iter().fold(group, Group::add)
    } else {
        list(&shown, y, group)
    }
}

/// The nets by name.
fn list(shown: &[(NetId, &NetMark)], y: f64, group: Group) -> Group {
    shown.iter().enumerate().fold(group, |group, (at, (id, net))| {
        let (x, y) = place(at, y);
        group.add(sample(*id, x, y)).add(text(&net.name, (x + 28.0, y), 12))
    })
}

/// The nets of the largest weight, the first of equals first, under the names of the columns.
fn table(plan: &RoutingPlan, mut shown: Vec<(NetId, &NetMark)>, y: f64) -> Vec<Group> {
    shown.sort_by_key(|(_, net)| std::cmp::Reverse(net.weight()));
    let row = |at: usize, cells: [String; 3]| {
        let y = y + FIRST + STEP * at as f64;
        let columns = [LEFT + 28.0, LEFT + 90.0, LEFT + 150.0];
        let cells = cells.into_iter().zip(columns).filter(|(cell, _)| !cell.is_empty());
        cells.fold(Group::new(), |group, (cell, x)| group.add(text(cell, (x, y), 12)))
    };
    let (weight, more) = if plan.routed { ("wires", "wires") } else { ("tiles", "tiles apart") };
    let head = row(0, [weight.into(), "ends".into(), "net".into()]).set("fill", "#555");
    let rows = shown.iter().take(LISTED).enumerate().map(|(at, (id, net))| {
        let cells = [net.weight().to_string(), (net.sinks.len() + 1).to_string(), net.name.clone()];
        row(at + 1, cells).add(sample(*id, LEFT, y + FIRST + STEP * (at + 1) as f64))
    });
    let rest = shown.len() - LISTED;
    let plural = if rest == 1 { "" } else { "s" };
    let more = format!("and {rest} more net{plural} of at most as many {more}");
    let more = row(LISTED + 1, [String::new(), String::new(), more]);
    [head].into_iter().chain(rows).chain([more]).collect()
}

/// A piece of a net's line.
fn sample(id: NetId, x: f64, y: f64) -> Line {
    let line = Line::new().set("x1", x).set("x2", x + 22.0).set("y1", y - 4.0).set("y2", y - 4.0);
    line.set("stroke", net_colour(id.index())).set("stroke-width", 3)
}

fn place(index: usize, y: f64) -> (f64, f64) {
    let (row, column) = (index / BESIDE, index % BESIDE);
    (LEFT + WIDE * column as f64, y + FIRST + STEP * row as f64)
}

/// The colours of the load.
fn scale(y: f64) -> Group {
    let steps = [
        (1, "a quarter"),
        (2, "half"),
        (3, "three quarters"),
        (4, "all wires in use"),
        (5, "more nets than wires"),
    ];
    let group = Group::new().add(text("edges:", (LEFT, y + 11.0), 12));
    let mut x = LEFT + 50.0;
    steps.into_iter().fold(group, |group, (used, what)| {
        let box_ = Rectangle::new().set("x", x).set("y", y).set("width", 24).set("height", 13);
        let group = group.add(box_.set("fill", heat(used, 4))).add(text(what, (x + 30.0, y + 11.0), 12));
        x += 50.0 + 7.0 * what.chars().count() as f64;
        group
    })
}

/// Ends of nets and cuts.
fn signs(y: f64) -> Group {
    let end = |x: f64| Circle::new().set("cx", x).set("cy", y + 7.0).set("r", 3.5).set("stroke", "#333");
    let cut = |x: f64, colour: &str| {
        let line = Line::new().set("x1", x).set("x2", x + 30.0).set("y1", y + 7.0).set("y2", y + 7.0);
        line.set("stroke", colour).set("stroke-width", 2.5).set("stroke-dasharray", "7 4")
    };
    Group::new()
        .add(end(LEFT + 4.0).set("fill", "#333"))
        .add(text("source", (LEFT + 14.0, y + 11.0), 12))
        .add(end(LEFT + 74.0).set("fill", "white"))
        .add(text("sink", (LEFT + 84.0, y + 11.0), 12))
        .add(cut(LEFT + 130.0, CUT))
        .add(text("fullest cut each way: nets that must cross / wires", (LEFT + 168.0, y + 11.0), 12))
        .add(cut(LEFT + 470.0, OVERFULL))
        .add(text("overfull cut: no routing exists", (LEFT + 508.0, y + 11.0), 12))
        .add(text("a net begins and ends at the tile whose memory holds its buffer", (LEFT, y + 29.0), 12))
}
