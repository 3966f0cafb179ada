//! Assigns inputs and outputs to columns and channels of the interface row.
//!
//! The algorithm is greedy: the nearest channel for one input or output after the other. It then
//! redistributes the channels of each kind in the order of their kernels. A PLIO channel is a South
//! port of the shim switch; a PLIO of 128 bits takes an even port and the odd port after it. A GMIO
//! takes the South port that the device names for its DMA channel (AM009, interface chapter; port
//! tables of aie-rt). A column may carry more inputs or outputs than it has wires to the core row,
//! but only if no nearer column has wires left.
//!
//! The nearest channel serves a single net best, but many broadcasts in the middle of their readers
//! fill the lines on both sides. Hill climbing then moves inputs and outputs off full lines. A row
//! whose lines have enough wires stays as it is.

use std::collections::{BTreeMap, BTreeSet};

use aiec_check::{Channel, Checked, Columns, add_linked, channels_for, columns_for};
use aiec_check::{linked, share_columns, stated_columns};
use aiec_device::{Device, Grid};
use aiec_ir::design::Endpoint;
use aiec_ir::{Direction, ExternalId, IdVec};

use crate::lines::Tiles;
use crate::placement::ShimSpot;

/// Returns the shim channels of all inputs and outputs, or the first of them that finds none.
pub(crate) fn assign(
    checked: &Checked,
    device: &Device,
    grid: &Grid,
    tiles: &Tiles,
) -> Result<IdVec<ExternalId, ShimSpot>, ExternalId> {
    let lines = [0; 2].map(|nets| vec![nets; device.columns.into()]);
    let (tight, taken, nets) = (BTreeSet::new(), BTreeSet::new(), BTreeMap::new());
    let mut row = Row { checked, device, grid, tiles, tight, taken, nets, lines };
    row.tight = [Direction::In, Direction::Out].into_iter().filter(|&way| row.is_tight(way)).collect();
    let mut spots = IdVec::filled(ShimSpot { column: 0, channel: 0 }, checked.externals.len());
    let stated = row.stated()?;
    let mut order: Vec<ExternalId> = checked.externals.ids().filter(|id| !stated.contains_key(id)).collect();
    stated.into_iter().for_each(|(external, spot)| spots[external] = spot);
    // Of those that follow each other, the first takes the channels of all.
    let first = |id| linked(checked, id).first_key_value().is_none_or(|(&first, _)| first == id);
    let is_single = |id| linked(checked, id).len() == 1;
    for &id in order.iter().filter(|&&id| !is_single(id) && first(id)) {
        row.take_all(id)?.into_iter().for_each(|(external, spot)| spots[external] = spot);
    }
    order.retain(|&id| is_single(id));
    // Inputs and outputs with the fewest choices come first: GMIO, then PLIO that take two
    // channels, then the others; each from west to east.
    order.sort_by_key(|&external| (row.choice(external), row.target(external), external));
    for &external in &order {
        spots[external] = row.take(external).ok_or(external)?;
    }
    row.uncross(&order, &mut spots);
    row.relieve(&order, &mut spots);
    Ok(spots)
}

/// The share of the wires to and from the interface row above which no column may strand any: as a
/// numerator and a denominator. Below it, nets are short rather than spread.
const TIGHT: (u64, u64) = (3, 4);

/// The channels of some inputs and outputs.
type Spots = BTreeMap<ExternalId, ShimSpot>;

/// The interface row with the South ports taken so far.
struct Row<'a> {
    checked: &'a Checked,
    device: &'a Device,
    grid: &'a Grid,
    /// The tile of each kernel.
    tiles: &'a Tiles,
    /// The directions in which no column may strand wires.
    tight: BTreeSet<Direction>,
    taken: BTreeSet<(Direction, u16, u32)>,
    /// Nets of each column. A PLIO of 128 bits takes two ports, but has one net.
    nets: BTreeMap<(Direction, u16), u32>,
    /// Nets of inputs and outputs across the line east of each column, eastwards and westwards.
    lines: [Vec<u32>; 2],
}

impl Row<'_> {
    /// Redistributes the channels of inputs and outputs of one kind, both from west to east. On a
    /// line this assignment has the least total distance, and no two nets cross in the interface
    /// row without need.
    fn uncross(&self, free: &[ExternalId], spots: &mut IdVec<ExternalId, ShimSpot>) {
        let mut kinds: BTreeMap<(Direction, u32, Vec<u16>), Vec<ExternalId>> = BTreeMap::new();
        for &id in free {
            let direction = self.checked.externals[id].direction;
            let columns = columns_for(self.checked, self.device, id);
            kinds.entry((direction, self.choice(id), columns)).or_default().push(id);
        }
        for externals in kinds.values_mut() {
            let mut channels: Vec<ShimSpot> = externals.iter().map(|&external| spots[external]).collect();
            channels.sort_unstable();
            externals.sort_by_key(|&external| (self.target(external), external));
            externals.iter().zip(channels).for_each(|(&external, channel)| spots[external] = channel);
        }
    }

    fn choice(&self, external: ExternalId) -> u32 {
        match &self.checked.externals[external].endpoint {
            Endpoint::Gmio { .. } => 0,
            Endpoint::Plio { bits, .. } => 3 - self.device.shim.channels_of(bits.value),
        }
    }

    /// The columns of the kernels connected to an input or output.
    fn columns(&self, external: ExternalId) -> Vec<u16> {
        let checked = self.checked;
        let port = checked.externals[external].port;
        let ends = checked.ports[port].connections.iter().map(|&c| &checked.connections[c]);
        let kernels = ends.flat_map(|c| [c.from, c.to]).filter_map(|end| checked.kernel_of(end));
        kernels.map(|k| self.grid.tile(self.tiles[k]).column).collect()
    }

    /// The mean column of the kernels connected to an input or output.
    fn target(&self, external: ExternalId) -> u16 {
        let columns = self.columns(external);
        let mean =
            columns.iter().map(|&column| u64::from(column)).sum::<u64>() / (columns.len() as u64).max(1);
        u16::try_from(mean).unwrap_or(0)
    }

    /// Takes the channels of all inputs and outputs whose column the design states, or follows from
    /// the tile of a kernel. Returns the first of a column that cannot serve its own; the checks
    /// refuse such designs if no kernel is involved.
    fn stated(&mut self) -> Result<Spots, ExternalId> {
        let mut wanted = stated_columns(self.checked);
        for tie in &self.checked.shim_ties {
            let column = tie.column(self.grid.tile(self.tiles[tie.from]).column);
            wanted.entry(tie.external).or_default().0 = column;
        }
        add_linked(self.checked, &mut wanted);
        self.share(&wanted).inspect(|spots| self.enter(spots))
    }

    /// Free channels for inputs and outputs in columns, of which some state a channel.
    fn share(&self, wanted: &Columns) -> Result<Spots, ExternalId> {
        let is_free = |way, column, ports: &[u32]| self.is_free(way, column, ports);
        let spots = share_columns(self.checked, self.device, wanted, is_free)?;
        Ok(spots.into_iter().map(|(id, column, channel)| (id, ShimSpot { column, channel })).collect())
    }

    /// Takes the best channels for `id` and all that follow each other with it: few nets beyond the
    /// wires of their columns, then short distances to their kernels.
    fn take_all(&mut self, id: ExternalId) -> Result<Spots, ExternalId> {
        let group = linked(self.checked, id);
        let cost = |spots: &Spots| {
            let way = |id: ExternalId| self.checked.externals[id].direction;
            let excess = spots.iter().map(|(&id, spot)| self.excess(way(id), spot.column)).sum::<u32>();
            let far = spots.iter().map(|(&id, spot)| u32::from(spot.column.abs_diff(self.target(id))));
            (excess, far.sum::<u32>())
        };
        let at = |column: u16| {
            let column = |(&id, distance): (&ExternalId, &i64)| (id, (distance + i64::from(column), None));
            self.share(&group.iter().map(column).collect()).ok()
        };
        let all = columns_for(self.checked, self.device, id).into_iter().filter_map(at);
        all.min_by_key(cost).ok_or(id).inspect(|spots| self.enter(spots))
    }

    /// Takes the best channel for an input or output. Preference: wires left, then a register, then
    /// distance to its kernels, then no DMA on the port.
    fn take(&mut self, id: ExternalId) -> Option<ShimSpot> {
        let (external, target) = (&self.checked.externals[id], self.target(id));
        let (direction, channels) = (external.direction, channels_for(self.device, external, None));
        let (.., dma_ports) = self.column(direction);
        let is_plio = matches!(external.endpoint, Endpoint::Plio { .. });
        let cost = |column: u16, (channel, ports): &Channel| {
            let full = self.excess(direction, column) > 0 || self.strands(direction, column, ports);
            // Without a register the programmable logic may miss its timing. Public placements have
            // 26 of 27 inputs elsewhere.
            let is_slow = |port| self.device.shim.slow_inputs.contains(port);
            let slow = direction == Direction::Out && is_plio && ports.iter().any(is_slow);
            let dma = ports.iter().filter(|port| dma_ports.contains(port)).count();
            (full, slow, column.abs_diff(target), dma, column, *channel)
        };
        let columns = columns_for(self.checked, self.device, id).into_iter();
        let all = columns.flat_map(|column| channels.iter().map(move |channel| (column, channel)));
        let free = all.filter(|(column, (_, ports))| self.is_free(direction, *column, ports));
        let (column, &(channel, _)) = free.min_by_key(|(column, channel)| cost(*column, channel))?;
        let spot = ShimSpot { column, channel };
        self.change(id, spot, true);
        Some(spot)
    }

    /// True if no input or output has any of these ports of a column.
    fn is_free(&self, direction: Direction, column: u16, ports: &[u32]) -> bool {
        ports.iter().all(|&port| !self.taken.contains(&(direction, column, port)))
    }

    /// Takes the channels of inputs and outputs.
    fn enter(&mut self, spots: &Spots) {
        spots.iter().for_each(|(&id, &spot)| self.change(id, spot, true));
    }

    /// Moves those of `free` off full lines, each to the free channel that crosses fewest of them,
    /// as long as one crosses fewer.
    fn relieve(&mut self, free: &[ExternalId], spots: &mut IdVec<ExternalId, ShimSpot>) {
        (self.taken, self.nets) = (BTreeSet::new(), BTreeMap::new());
        self.lines.iter_mut().for_each(|line| line.fill(0));
        spots.enumerate().for_each(|(id, &spot)| self.change(id, spot, true));
        let wires = self.wires();
        if (0..2).all(|way| self.lines[way].iter().all(|&nets| nets <= wires[way])) {
            return;
        }
        // What a line or a column costs a net grows with its other nets alone. So each move lowers
        // one sum over all of them (a potential), and the loop ends.
        let mut has_moved = true;
        while std::mem::take(&mut has_moved) {
            for &id in free {
                let before = spots[id];
                self.change(id, before, false);
                spots[id] = self.better(id, before).unwrap_or(before);
                self.change(id, spots[id], true);
                has_moved |= spots[id] != before;
            }
        }
    }

    /// Wires of a line eastwards and westwards.
    fn wires(&self) -> [u32; 2] {
        let cuts = self.device.cuts();
        [cuts.east, cuts.west]
    }

    /// Gives an input or output its channel and the lines to its kernels, or takes them from it.
    fn change(&mut self, id: ExternalId, spot: ShimSpot, adds: bool) {
        let external = &self.checked.externals[id];
        let channels = channels_for(self.device, external, Some(spot.channel));
        let ports = channels.into_iter().flat_map(|(_, ports)| ports);
        let step = |nets: &mut u32| *nets = if adds { *nets + 1 } else { nets.saturating_sub(1) };
        for port in ports.map(|port| (external.direction, spot.column, port)) {
            _ = if adds { self.taken.insert(port) } else { self.taken.remove(&port) };
        }
        step(self.nets.entry((external.direction, spot.column)).or_default());
        for (way, line) in self.crossed(id, spot.column) {
            self.lines[way].get_mut(usize::from(line)).map(step);
        }
    }

    /// The lines that the nets of an input or output in `column` cross: 0 eastwards or 1 westwards,
    /// and the column west of the line.
    fn crossed(&self, id: ExternalId, column: u16) -> impl Iterator<Item = (usize, u16)> + use<> {
        let is_input = self.checked.externals[id].direction == Direction::Out;
        let (to_east, to_west) = if is_input { (0, 1) } else { (1, 0) };
        let columns = self.columns(id);
        let east = columns.iter().copied().max().unwrap_or(column);
        let west = columns.iter().copied().min().unwrap_or(column);
        (column..east).map(move |line| (to_east, line)).chain((west..column).map(move |line| (to_west, line)))
    }

    /// The free channel that costs less than `before`, of those the cheapest and nearest. The cost
    /// is that of lines without a wire to spare, and of nets of the column beyond its wires. An
    /// eighth of a line is left to the nets between kernels.
    fn better(&self, id: ExternalId, before: ShimSpot) -> Option<ShimSpot> {
        let (external, target) = (&self.checked.externals[id], self.target(id));
        let wires = self.wires().map(|wires| wires - wires / 8);
        let cost = |column: u16| {
            let is_full = |&(way, line): &(usize, u16)| {
                self.lines[way].get(usize::from(line)).is_some_and(|&nets| nets >= wires[way])
            };
            let lines = self.crossed(id, column).filter(is_full).count();
            lines + self.excess(external.direction, column) as usize
        };
        let channels = channels_for(self.device, external, None);
        let columns = columns_for(self.checked, self.device, id).into_iter();
        let spots = columns.filter_map(|column| {
            let mut channels = channels.iter();
            let free = channels.find(|(_, ports)| self.is_free(external.direction, column, ports))?;
            Some((cost(column), column.abs_diff(target), ShimSpot { column, channel: free.0 }))
        });
        spots.filter(|&(all, ..)| all < cost(before.column)).min().map(|(.., spot)| spot)
    }

    /// Nets that one more input or output in the column would have beyond its wires to the core row
    /// (inputs) or from it (outputs).
    fn excess(&self, direction: Direction, column: u16) -> u32 {
        (self.nets_of(direction, column) + 1).saturating_sub(self.column(direction).0)
    }

    /// Of a column: its wires to the core row (inputs) or from it (outputs), its PLIO channels, and
    /// the South ports of its DMA. An input of the array is a producer, so its direction is `Out`.
    fn column(&self, direction: Direction) -> (u32, u32, &[u32]) {
        let (switch, shim) = (&self.device.switch, &self.device.shim);
        match direction {
            Direction::Out => (switch.north, shim.plio_in_channels, &shim.gmio_in_ports),
            Direction::In => (switch.south, shim.plio_out_channels, &shim.gmio_out_ports),
        }
    }

    fn nets_of(&self, direction: Direction, column: u16) -> u32 {
        self.nets.get(&(direction, column)).copied().unwrap_or(0)
    }

    /// True if the column would have wires that no input or output can use, since one with these
    /// ports leaves too few channels, and the array needs all wires.
    fn strands(&self, direction: Direction, column: u16, ports: &[u32]) -> bool {
        if !self.tight.contains(&direction) {
            return false;
        }
        let (wires, channels, _) = self.column(direction);
        let is_free = |port: &u32| !self.taken.contains(&(direction, column, *port)) && !ports.contains(port);
        let free = (0..channels).filter(is_free).count() as u64;
        free < u64::from(wires.saturating_sub(self.nets_of(direction, column) + 1))
    }

    /// True if more than [`TIGHT`] of the wires of the columns with PLIO have a net of an input, or
    /// of an output.
    fn is_tight(&self, direction: Direction) -> bool {
        let all = self.checked.externals.iter().filter(|external| external.direction == direction).count();
        let wires = self.device.shim.plio_columns().count() as u64 * u64::from(self.column(direction).0);
        all as u64 * TIGHT.1 > wires * TIGHT.0
    }
}
