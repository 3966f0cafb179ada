//! Nets that must cross a line between columns or rows, whatever the search does.
//!
//! Each end of a net lies in some rectangle of switches: the tiles that `place`, offsets, `region`
//! and `keepout` leave a kernel, widened to the modules that its core reaches where a DMA holds the
//! data; the module of a placed buffer; the columns of an input or output. A net whose source lies
//! on one side of a line in every case, and a sink on the other side, takes a wire of the line. A
//! broadcast counts once for each line, and so do the streams of one packet group. A window between
//! kernels that can share a module counts nothing. So the count is a lower bound; if all is placed,
//! it equals the count of the router (`router_model/src/cuts.rs`).

use std::collections::BTreeMap;

use aiec_device::{Device, Tile, TileId};

use super::context::Context;
use super::rigid::Groups;
use super::shim::places::columns_for;
use aiec_collectives::Direction;
use aiec_ir::blocks::Block;
use aiec_ir::expanded::{Expanded, Owner};
use aiec_ir::{ExternalId, KernelId, PortId};

/// A line between two columns or rows of switches, in one direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Line {
    /// From this column to the next one in the east.
    East(u16),
    /// From this column to the next one in the west.
    West(u16),
    /// From this row of switches upwards; 0 is the interface row, 1 core row 0.
    North(u16),
    /// From this row of switches downwards.
    South(u16),
}

/// The nets that must cross a line in every placement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineLoad {
    /// The boundary, with the direction across it.
    pub line: Line,
    /// The sending port of each net; of a packet group the port that its streams share.
    pub nets: Vec<PortId>,
    /// Wires across the line.
    pub wires: u32,
}

impl LineLoad {
    /// Nets beyond the wires. Negative where wires are left.
    pub fn excess(&self) -> i64 {
        self.nets.len() as i64 - i64::from(self.wires)
    }
}

/// Every line with its nets: the columns from the west, east- and westwards, then the rows from the
/// interface row.
pub fn line_loads(design: &Expanded, device: &Device) -> Vec<LineLoad> {
    loads(&Context::new(design, device))
}

/// The overfull line with the largest excess, the first of equals.
pub(super) fn overfull(context: &Context) -> Option<LineLoad> {
    let overfull = loads(context).into_iter().filter(|load| load.excess() > 0);
    overfull.reduce(|worst, load| if load.excess() > worst.excess() { load } else { worst })
}

fn loads(context: &Context) -> Vec<LineLoad> {
    let (device, cuts) = (context.device, context.device.cuts());
    let rows = u16::try_from(device.switch_rows()).unwrap_or(u16::MAX);
    let columns =
        (1..device.columns).flat_map(|c| [(Line::East(c - 1), cuts.east), (Line::West(c), cuts.west)]);
    let rows = (1..rows).flat_map(|r| [(Line::North(r - 1), cuts.north), (Line::South(r), cuts.south)]);
    let mut loads: Vec<LineLoad> =
        columns.chain(rows).map(|(line, wires)| LineLoad { line, nets: Vec::new(), wires }).collect();
    for (port, ways) in nets(context) {
        for load in &mut loads {
            if ways.iter().any(|way| way.crosses(load.line)) {
                load.nets.push(port);
            }
        }
    }
    loads
}

/// The way from a source to a sink, each somewhere in a rectangle of switches.
#[derive(Clone, Copy, Debug)]
struct Way {
    from: Extent,
    to: Extent,
}

/// The rectangle of switches that an end may be at, corners included. Row 0 is the interface row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Extent {
    columns: (u16, u16),
    rows: (u16, u16),
}

impl Way {
    const fn crosses(&self, line: Line) -> bool {
        let (from, to) = (&self.from, &self.to);
        match line {
            Line::East(column) => from.columns.1 <= column && to.columns.0 > column,
            Line::West(column) => from.columns.0 >= column && to.columns.1 < column,
            Line::North(row) => from.rows.1 <= row && to.rows.0 > row,
            Line::South(row) => from.rows.0 >= row && to.rows.1 < row,
        }
    }

    /// True if the way crosses some line.
    fn is_certain(&self) -> bool {
        let apart = |a: (u16, u16), b: (u16, u16)| a.1 < b.0 || b.1 < a.0;
        apart(self.from.columns, self.to.columns) || apart(self.from.rows, self.to.rows)
    }
}

/// The nets that must cross some line, each with its ways.
fn nets(context: &Context) -> Vec<(PortId, Vec<Way>)> {
    let design = context.expanded;
    let ends = Ends::new(context);
    let mut nets: BTreeMap<PortId, Vec<Way>> = BTreeMap::new();
    for (id, connection) in design.connections.enumerate() {
        if design.goes_by_cascade(id) {
            continue;
        }
        let (Some(from), Some(to)) = (ends.extent(connection.from), ends.extent(connection.to)) else {
            continue;
        };
        let way = Way { from, to };
        if way.is_certain() && !ends.may_share(connection.from, connection.to) {
            let merged = design.joins_packets(connection.to);
            nets.entry(if merged { connection.to } else { connection.from }).or_default().push(way);
        }
    }
    nets.into_iter().collect()
}

/// Where the ends of nets can be.
struct Ends<'a> {
    context: &'a Context<'a>,
    /// The tiles left for each kernel whose tiles are narrowed.
    tiles: BTreeMap<KernelId, Vec<TileId>>,
    /// The modules of ports with a place in memory.
    modules: BTreeMap<PortId, TileId>,
}

impl<'a> Ends<'a> {
    fn new(context: &'a Context<'a>) -> Self {
        let design = context.expanded;
        let statements = context.statements();
        let named = design.places.iter().map(|place| place.kernel);
        let named = named.chain(design.constraints.kernels().copied()).collect();
        let groups = Groups::new(context, &named, &statements);
        let tiles =
            named.iter().filter_map(|&kernel| Some((kernel, groups.tiles(context, kernel)?))).collect();
        let module = |place: &aiec_ir::blocks::BlockPlace<KernelId, PortId>| {
            let Block::Buffers(port) = place.block else { return None };
            let (column, row) = place.modules().first().copied()?;
            Some((port, context.tile(column, row)?))
        };
        let modules = design.blocks.places.iter().filter_map(module).collect();
        Self { context, tiles, modules }
    }

    /// The switches that the end of a net at `port` may be at. Returns None when it may be
    /// anywhere.
    fn extent(&self, port: PortId) -> Option<Extent> {
        let design = self.context.expanded;
        match design.ports[port].owner {
            Owner::External(external) => self.shim(external),
            Owner::Kernel(_) if self.modules.contains_key(&port) => self.around([self.modules[&port]]),
            Owner::Kernel(kernel) => {
                let tiles = self.tiles.get(&kernel)?;
                if !design.has_buffers(port) {
                    return self.around(tiles.iter().copied());
                }
                let grid = &self.context.grid;
                self.around(tiles.iter().flat_map(|&tile| grid.reach(tile)).copied())
            }
        }
    }

    fn shim(&self, external: ExternalId) -> Option<Extent> {
        let columns = columns_for(self.context.expanded, self.context.device, external);
        let (west, east) = (columns.iter().min().copied()?, columns.iter().max().copied()?);
        Some(Extent { columns: (west, east), rows: (0, 0) })
    }

    /// The rectangle around some tiles, in rows of switches. Returns None when there are no tiles.
    fn around(&self, tiles: impl IntoIterator<Item = TileId>) -> Option<Extent> {
        let (grid, device) = (&self.context.grid, self.context.device);
        let one = |tile: TileId| {
            let Tile { column, row } = grid.tile(tile);
            let row = device.hardware_row(row);
            Extent { columns: (column, column), rows: (row, row) }
        };
        let join = |a: (u16, u16), b: (u16, u16)| (a.0.min(b.0), a.1.max(b.1));
        let all = tiles.into_iter().map(one);
        all.reduce(|a, b| Extent { columns: join(a.columns, b.columns), rows: join(a.rows, b.rows) })
    }

    /// True if the two ends may use the same buffers, so that there is no net.
    fn may_share(&self, from: PortId, to: PortId) -> bool {
        let design = self.context.expanded;
        let kernels = design.kernel_of(from).zip(design.kernel_of(to));
        let Some((a, b)) = kernels.filter(|_| design.has_buffers(from) && !design.always_streams(from))
        else {
            return false;
        };
        let (Some(here), Some(there)) = (self.tiles.get(&a), self.tiles.get(&b)) else { return true };
        let grid = &self.context.grid;
        here.iter()
            .any(|&tile| there.iter().any(|&other| tile == other || grid.partners(tile).contains(&other)))
    }
}

/// A change that takes nets off a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Remedy {
    /// Inputs on the other side, or fewer of them.
    Inputs,
    /// All readers of a broadcast on the side of its sender.
    Broadcasts,
    /// Nets of one port or kernel as packets, which share a wire.
    Packets,
}

/// Nets that remedies take off a line together. A net that several take counts once.
pub(crate) fn taken(design: &Expanded, load: &LineLoad, remedies: &[Remedy]) -> usize {
    let is_sent = |port: &PortId| design.ports[*port].direction == Direction::Out;
    let is_input = |port: PortId| matches!(design.ports[port].owner, Owner::External(_));
    let goes = |port: PortId| {
        remedies.contains(&Remedy::Inputs) && is_input(port)
            || remedies.contains(&Remedy::Broadcasts) && design.is_broadcast(port)
    };
    let (gone, left): (Vec<PortId>, Vec<PortId>) =
        load.nets.iter().copied().filter(is_sent).partition(|&port| goes(port));
    let mut senders: BTreeMap<Owner, usize> = BTreeMap::new();
    for port in left.into_iter().filter(|_| remedies.contains(&Remedy::Packets)) {
        *senders.entry(design.ports[port].owner).or_default() += 1;
    }
    gone.len() + senders.values().map(|nets| nets - 1).sum::<usize>()
}

/// The smallest sets of remedies that take the excess off a line, those for the most nets first.
/// Empty if all of them do not suffice.
pub(crate) fn remedies(design: &Expanded, load: &LineLoad) -> Vec<Vec<Remedy>> {
    use Remedy::{Broadcasts, Inputs, Packets};
    let sets: [&[&[Remedy]]; 3] = [
        &[&[Inputs], &[Broadcasts], &[Packets]],
        &[&[Inputs, Broadcasts], &[Inputs, Packets], &[Broadcasts, Packets]],
        &[&[Inputs, Broadcasts, Packets]],
    ];
    let excess = usize::try_from(load.excess()).unwrap_or(0);
    let enough = |sets: &[&[Remedy]]| {
        let mut found: Vec<Vec<Remedy>> = sets.iter().map(|set| set.to_vec()).collect();
        found.retain(|set| taken(design, load, set) >= excess);
        found.sort_by_key(|set| std::cmp::Reverse(taken(design, load, set)));
        found
    };
    sets.into_iter().map(enough).find(|found| !found.is_empty()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use aiec_collectives::Direction;
    use aiec_ir::Carries;
    use aiec_test_support::{Builder, input, int32, output};

    use super::{Line, line_loads};
    use crate::testing::{device, rendered, slugs_on};

    /// `count` kernels at columns 4 to 8 that send to as many at columns 20 to 24.
    fn across(count: u32, back: i64) -> Builder {
        let mut builder = Builder::new("across", "xcvc1902");
        builder.kernels("a", &[count], &[output("y", int32(16))]);
        builder.kernels("b", &[count], &[input("x", int32(16))]);
        for k in 0..count {
            let (column, row) = (i64::from(k) / 8, i64::from(k) % 8);
            builder.connect(&format!("a[{k}].y"), &format!("b[{k}].x"));
            builder.place(&format!("a[{k}]"), 4 + column, row).place(
                &format!("b[{k}]"),
                4 + back + column,
                row,
            );
        }
        builder
    }

    fn found(builder: &Builder) -> Vec<&'static str> {
        slugs_on(builder, &device("xcvc1902"))
    }

    #[test]
    fn thirty_six_nets_cross_a_line_between_columns() {
        assert_eq!(found(&across(36, 16)), [""; 0]);
        assert_eq!(found(&across(37, 16)), ["check/line-wires"]);
        let text = rendered(&across(40, 16), &device("xcvc1902"));
        for part in ["40 nets", "36 wires", "column 9 going east", "35-3253", "40/36"] {
            assert!(text.contains(part), "{part} is missing in\n{text}");
        }
    }

    #[test]
    fn neighbours_share_memory_and_what_is_free_counts_nothing() {
        let mut beside = Builder::new("beside", "xcvc1902");
        beside.kernels("a", &[40], &[output("y", int32(16))]).kernels("b", &[40], &[input("x", int32(16))]);
        for k in 0..40_i64 {
            beside.connect(&format!("a[{k}].y"), &format!("b[{k}].x"));
            beside.place(&format!("a[{k}]"), k, 0);
        }
        assert!(
            line_loads(&beside.expanded().unwrap(), &device("xcvc1902")).iter().all(|l| l.nets.is_empty())
        );
        (0..40_i64).for_each(|k| _ = beside.place(&format!("b[{k}]"), k, 1));
        assert!(
            line_loads(&beside.expanded().unwrap(), &device("xcvc1902")).iter().all(|l| l.nets.is_empty())
        );
    }

    /// `inputs` PLIO inputs, each read by `readers` kernels in the last columns.
    fn beyond(inputs: u32, readers: u32) -> Builder {
        let mut builder = Builder::new("beyond", "xcvc1902");
        builder.plio("i", &[inputs], Direction::Out, 64);
        let ports: Vec<_> = vec![(Direction::In, "x", Carries::window_of(int32(16)))];
        builder.carrying("k", &[inputs * readers], &ports);
        for k in 0..inputs * readers {
            builder.connect(&format!("i[{}]", k / readers), &format!("k[{k}].x"));
        }
        builder.region(&["k"], (46, 0), (49, 7));
        builder
    }

    #[test]
    fn a_broadcast_crosses_once_and_different_inputs_each_cross_beyond_the_last_plio_column() {
        assert_eq!(found(&beyond(8, 4)), [""; 0], "8 nets for 32 kernels");
        let loads = line_loads(&beyond(8, 4).expanded().unwrap(), &device("xcvc1902"));
        let last = loads.iter().find(|load| load.line == Line::East(44)).expect("a line");
        assert_eq!((last.nets.len(), last.wires), (8, 36));
        let mut narrow = device("xcvc1902");
        (narrow.switch.core.masters.east, narrow.switch.shim.masters.east) = (3, 3);
        (narrow.switch.core.slaves.west, narrow.switch.shim.slaves.west) = (3, 3);
        let text = rendered(&beyond(28, 1), &narrow);
        for part in ["28 nets", "27 wires", "28 of them come from inputs", "column 44", "`split`"] {
            assert!(text.contains(part), "{part} is missing in\n{text}");
        }
    }

    #[test]
    fn remedies_that_help_only_together_are_given_together() {
        // 10 inputs and 10 broadcasts, of which 11 are too many.
        let mut builder = beyond(10, 1);
        builder.kernels("a", &[10], &[output("y", int32(16))]).kernels("b", &[20], &[input("x", int32(16))]);
        for k in 0..20_i64 {
            builder.connect(&format!("a[{}].y", k / 2), &format!("b[{k}].x"));
        }
        builder.region(&["a"], (4, 0), (8, 7)).region(&["b"], (46, 0), (49, 7));
        let mut narrow = device("xcvc1902");
        (narrow.switch.core.masters.east, narrow.switch.shim.masters.east) = (1, 1);
        (narrow.switch.core.slaves.west, narrow.switch.shim.slaves.west) = (1, 1);
        let text = rendered(&builder, &narrow);
        for part in [
            "20 nets",
            "9 wires",
            "only together",
            "10 of them come from inputs",
            "10 of them are broadcasts",
        ] {
            assert!(text.contains(part), "{part} is missing in\n{text}");
        }
    }
}
