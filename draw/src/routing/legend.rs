//! The legend of a routing's colours, and its title.

use svg::node::element::{Circle, Group, Line, Rectangle};

use super::picture::{CUT, LEFT, OVERFULL, text};
use super::{CutMark, RoutingPlan};

/// Most nets listed by name. Longer lists do not help.
const LISTED: usize = 16;
/// Pixels from line to line.
const STEP: f64 = 18.0;
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
    let nets = plan.nets.len();
    let plural = if nets == 1 { "" } else { "s" };
    let more = match (plan.routed, plan.longest(), plan.worst_edge()) {
        (false, ..) => format!("{nets} net{plural}, {}", reason(plan)),
        (true, Some(longest), Some(edge)) => format!(
            "{nets} net{plural}, {} hops, the longest way {} hops, the fullest edge {}/{} wires",
            plan.hops(),
            longest.longest,
            edge.used,
            edge.capacity
        ),
        (true, ..) => format!("{nets} net{plural}, no wire between switches in use"),
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
            format!("not routed: {demand} nets must cross {name}, which has {capacity} wires")
        },
    )
}

/// Pixels that the legend needs.
pub(super) fn height(plan: &RoutingPlan) -> f64 {
    let listed = plan.nets.len().min(LISTED + 1).div_ceil(BESIDE);
    54.0 + STEP * listed as f64
}

/// The legend from `y` on.
pub(super) fn legend(plan: &RoutingPlan, y: f64) -> Group {
    let group = Group::new().add(scale(y)).add(signs(y + STEP + 4.0));
    let listed = plan.nets.iter().take(LISTED).enumerate().fold(group, |group, (index, net)| {
        let (x, y) = place(index, y);
        let sample = Line::new().set("x1", x).set("x2", x + 22.0).set("y1", y - 4.0).set("y2", y - 4.0);
        let name = text(&net.name, (x + 28.0, y), 12);
        group.add(sample.set("stroke", net_colour(index)).set("stroke-width", 3)).add(name)
    });
    match plan.nets.len().saturating_sub(LISTED) {
        0 => listed,
        more => listed.add(text(format!("and {more} more nets"), place(LISTED, y), 12)),
    }
}

fn place(index: usize, y: f64) -> (f64, f64) {
    let (row, column) = (index / BESIDE, index % BESIDE);
    (LEFT + WIDE * column as f64, y + 58.0 + STEP * row as f64)
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
}
