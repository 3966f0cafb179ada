//! Nets across the lines between columns and between rows: for tiles of all kernels, how many nets
//! must cross each line in each direction. Inputs and outputs are assumed to enter at the nearest
//! column with their kind of port.

use std::collections::BTreeMap;
use std::iter::repeat_n;

use aiec_check::{Checked, Line, columns_for};
use aiec_device::{Device, Grid, TileId};
use aiec_ir::expanded::Owner;
use aiec_ir::{ExternalId, IdVec, KernelId, PortId};

use super::prices::{Span, crossed, place};
use super::{Prices, Tiles, nearest};

aiec_ir::ids! {
    /// A net of a design.
    pub(crate) NetId;
}

/// An end of a net.
#[derive(Clone, Copy, Debug)]
enum End {
    Kernel(KernelId),
    /// A port of the interface row.
    Shim(ExternalId),
}

/// A net: the data that leaves one port, or the packets that arrive at one.
#[derive(Clone, Debug)]
struct Net {
    source: End,
    sinks: Vec<End>,
    /// True if the net runs from sinks to source: packet streams take one wire once they meet.
    inwards: bool,
    /// True if there is no net when its two kernels share a module.
    may_share: bool,
}

/// All nets of a design.
#[derive(Clone, Debug, Default)]
pub(crate) struct Nets {
    nets: IdVec<NetId, Net>,
    /// Broadcasts and nets of inputs and outputs of each kernel.
    tolled: IdVec<KernelId, Vec<NetId>>,
    /// For each port of the interface row, the nearest of its columns, by column.
    nearest: IdVec<ExternalId, Vec<u16>>,
    /// Wires across each line that nets may take, by the numbers of [`Nets::line`].
    wires: Vec<i64>,
    columns: usize,
    rows: usize,
}

impl Nets {
    /// The nets of `checked` on `device`.
    pub(crate) fn new(checked: &Checked, device: &Device) -> Self {
        let cuts = device.cuts();
        let (columns, rows) = (usize::from(device.columns), usize::from(device.rows) + 1);
        let wires = [(cuts.east, columns), (cuts.west, columns), (cuts.north, rows), (cuts.south, rows)];
        let wires = wires.into_iter().flat_map(|(wires, lines)| repeat_n(i64::from(wires), lines));
        let columns_of = |external| nearest(&columns_for(checked, device, external), device);
        let mut nets = Self {
            tolled: IdVec::filled(Vec::new(), checked.kernels.len()),
            nearest: checked.externals.ids().map(columns_of).collect(),
            wires: wires.collect(),
            columns,
            rows,
            ..Self::default()
        };
        let mut by_source: BTreeMap<PortId, Vec<PortId>> = BTreeMap::new();
        for (id, connection) in checked.connections.enumerate() {
            if checked.goes_by_cascade(id) {
                continue;
            }
            let (from, to) = (connection.from, connection.to);
            let (one, other) = if checked.joins_packets(to) { (to, from) } else { (from, to) };
            by_source.entry(one).or_default().push(other);
        }
        let end = |port: PortId| match checked.ports[port].owner {
            Owner::Kernel(kernel) => End::Kernel(kernel),
            Owner::External(external) => End::Shim(external),
        };
        for (from, to) in by_source {
            let (source, sinks) = (end(from), to.into_iter().map(end).collect());
            let inwards = checked.joins_packets(from);
            nets.add(Net { source, sinks, inwards, may_share: checked.may_share(from) });
        }
        nets
    }

    /// Makes nets leave `wires` wires of `line` free.
    pub(crate) fn spare(&mut self, line: Line, wires: u32) {
        if let Some(line) = self.line(line) {
            self.wires[line] = (self.wires[line] - i64::from(wires)).max(0);
        }
    }

    fn add(&mut self, net: Net) {
        let mut kernels: Vec<KernelId> =
            std::iter::once(&net.source).chain(&net.sinks).filter_map(End::kernel).collect();
        let is_tolled = net.sinks.len() > 1 || kernels.len() < 2;
        let number = self.nets.push(net);
        if is_tolled {
            kernels.sort_unstable();
            kernels.dedup();
            kernels.into_iter().for_each(|kernel| self.tolled[kernel].push(number));
        }
    }

    /// The number of a line. Returns None when the line is outside the array.
    fn line(&self, line: Line) -> Option<usize> {
        let (number, first, count) = match line {
            Line::East(column) => (usize::from(column) + 1, 0, self.columns),
            Line::West(column) => (usize::from(column), self.columns, self.columns),
            Line::North(row) => (usize::from(row) + 1, 2 * self.columns, self.rows),
            Line::South(row) => (usize::from(row), 2 * self.columns + self.rows, self.rows),
        };
        (number < count).then_some(first + number)
    }

    /// Nets across each line.
    fn loads(&self, grid: &Grid, tiles: &Tiles) -> Vec<i64> {
        let mut loads = vec![0; self.wires.len()];
        let first = [0, self.columns, 2 * self.columns, 2 * self.columns + self.rows];
        for net in self.nets.iter() {
            let Some(span) = self.span(grid, &|kernel| tiles[kernel], net) else { continue };
            for (first, (from, to)) in first.into_iter().zip(crossed(span, net.inwards)) {
                (from + 1..=to).for_each(|line| loads[first + line] += 1);
            }
        }
        loads
    }

    /// Nets above the target for each line, or free wires (negative). The target leaves a wire
    /// free, since a full line leaves the router little choice.
    pub(crate) fn excess(&self, grid: &Grid, tiles: &Tiles) -> Vec<i64> {
        let loads = self.loads(grid, tiles).into_iter().zip(&self.wires);
        loads.map(|(load, wires)| load + 1 - wires).collect()
    }

    /// Number of nets without a wire, summed over all lines.
    pub(crate) fn overload(&self, grid: &Grid, tiles: &Tiles) -> u64 {
        let excess = self.excess(grid, tiles).into_iter();
        excess.map(|excess| u64::try_from(excess - 1).unwrap_or(0)).sum()
    }

    /// The price of the lines that the nets of `kernels` cross, by the kernels on the tiles of
    /// `tile`. Counts each broadcast, input and output once; the caller prices other nets by their
    /// two ends.
    pub(crate) fn tolls(
        &self,
        grid: &Grid,
        kernels: &[KernelId],
        prices: &Prices,
        tile: impl Fn(KernelId) -> TileId,
    ) -> i64 {
        let is_new = |at: usize, net: &NetId| {
            !kernels[..at].iter().any(|&kernel| self.tolled_of(kernel).binary_search(net).is_ok())
        };
        let all = kernels.iter().enumerate();
        let nets = all.flat_map(|(at, &kernel)| self.tolled_of(kernel).iter().map(move |net| (at, net)));
        let nets = nets.filter(|&(at, net)| is_new(at, net)).map(|(_, &net)| &self.nets[net]);
        let spans = nets.filter_map(|net| Some((self.span(grid, &tile, net)?, net.inwards)));
        spans.map(|(span, inwards)| prices.of_span(span, inwards)).sum()
    }

    /// The nets of `kernel` that [`Nets::tolls`] counts, in ascending order.
    pub(crate) fn tolled_of(&self, kernel: KernelId) -> &[NetId] {
        &self.tolled[kernel]
    }

    /// The tile of a net's source, and two corners of the rectangle around its sinks. Returns None
    /// when both kernels share memory, or there are no sinks.
    fn span(&self, grid: &Grid, at: &impl Fn(KernelId) -> TileId, net: &Net) -> Option<Span> {
        let tile = |kernel: KernelId| place(grid.tile(at(kernel)));
        if let (true, End::Kernel(a), Some(End::Kernel(b))) = (net.may_share, net.source, net.sinks.first())
            && (at(a) == at(*b) || grid.partners(at(a)).contains(&at(*b)))
        {
            return None;
        }
        let kernels = || std::iter::once(&net.source).chain(&net.sinks).filter_map(End::kernel);
        let mean = kernels().map(|kernel| tile(kernel).0).sum::<usize>() / kernels().count().max(1);
        let place = |end: &End| match end {
            End::Kernel(kernel) => tile(*kernel),
            End::Shim(external) => (self.nearest[*external][mean].into(), 0),
        };
        let source = place(&net.source);
        let mut sinks = net.sinks.iter().map(place);
        let first = sinks.next()?;
        let (low, high) = sinks.fold((first, first), |(low, high), end| {
            ((low.0.min(end.0), low.1.min(end.1)), (high.0.max(end.0), high.1.max(end.1)))
        });
        Some([source, low, high])
    }
}

impl End {
    const fn kernel(&self) -> Option<KernelId> {
        match self {
            Self::Kernel(kernel) => Some(*kernel),
            Self::Shim(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use aiec_collectives::{Operation, Shape};
    use aiec_device::Tile;
    use aiec_test_support::{Builder, Reduce, int32};

    #[test]
    fn merged_packets_cross_a_line_as_one_net_towards_the_root() {
        let device = aiec_device::builtin("xcvc1902").and_then(|o| o.into_parts().0).expect("built in");
        let mut builder = Builder::new("merge", "xcvc1902");
        let done = Reduce::over("done", &["w"], int32(4)).operation(Operation::Barrier, Shape::Merge);
        builder.kernels("w", &[9], &[]).reduce(done);
        let expanded = builder.expanded().expect("the design names only what it has");
        let checked = aiec_check::check(expanded, &device).into_parts().0.expect("sound");
        let nets = Nets::new(&checked, &device);
        let grid = Grid::new(&device);
        // The root is in the middle, with four ranks on each side of it in another row.
        let places = [(20, 4), (10, 1), (11, 1), (12, 1), (13, 1), (27, 1), (28, 1), (29, 1), (30, 1)];
        let tile =
            |&(column, row): &(u16, u16)| grid.id(Tile::new(column, row)).expect("a tile of the array");
        let loads = nets.loads(&grid, &places.iter().map(tile).collect());
        let load = |line| nets.line(line).and_then(|line| loads.get(line)).copied();
        assert_eq!(
            [Line::East(15), Line::West(16)].map(load),
            [Some(1); 2],
            "packets in, and the answer out"
        );
        assert_eq!(
            [Line::East(24), Line::West(25)].map(load),
            [Some(1); 2],
            "the answer out, and packets in"
        );
        assert_eq!([Line::North(3), Line::South(4)].map(load), [Some(1); 2], "up to the root, and down");
        assert_eq!([Line::East(9), Line::West(31)].map(load), [Some(0); 2], "no net is outside");
    }
}
