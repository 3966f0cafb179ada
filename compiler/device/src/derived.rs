//! Numbers derived from a device: cuts, totals of the interface row, the cascade.
//!
//! They are right for devices that passed the self-check. They do not panic for others.

use crate::model::{CascadeOrder, Memory};
use crate::{Device, Grid, Tile};

/// Number of nets that can cross each kind of line over the whole array, in each direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cuts {
    /// Eastwards from one column to the next: the wires of all core rows, the shim row and the
    /// memory tiles.
    pub east: u32,
    /// Westwards from one column to the next.
    pub west: u32,
    /// Upwards from one row to the next, over all columns.
    pub north: u32,
    /// Downwards from one row to the next, over all columns.
    pub south: u32,
    /// Upwards from the shim row, over the columns with PLIO.
    pub pl_up: u32,
    /// Downwards to the shim row, over the columns with PLIO.
    pub pl_down: u32,
    /// Out of the shim tiles of the columns with PLIO, into the array: upwards, and sideways
    /// through shim tiles without PLIO.
    pub pl_leave: u32,
    /// Into the shim tiles of the columns with PLIO, from the array: downwards, and sideways
    /// through shim tiles without PLIO.
    pub pl_enter: u32,
}

/// Ports of the whole interface row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InterfaceTotals {
    /// PLIO channels into the array.
    pub plio_in: u32,
    /// PLIO channels out of the array.
    pub plio_out: u32,
    /// Pairs of PLIO channels into the array that both have a register at the boundary.
    pub registered_plio_pairs: u32,
    /// GMIO ports into the array.
    pub gmio_in: u32,
    /// GMIO ports out of the array.
    pub gmio_out: u32,
}

impl Memory {
    /// Bytes a window of `bytes` takes in a module: rounded up (devices: `buffer_rounding`).
    pub const fn stored_bytes(&self, bytes: u64) -> u64 {
        let unit = self.buffer_rounding as u64;
        if unit == 0 { bytes } else { bytes.next_multiple_of(unit) }
    }

    /// `bytes` from the start of a buffer, rounded up to the next possible start of another.
    pub const fn aligned(&self, bytes: u64) -> u64 {
        let unit = self.buffer_alignment as u64;
        if unit == 0 { bytes } else { bytes.next_multiple_of(unit) }
    }

    /// Size of each of the `banks` equal parts of a module.
    pub const fn bank_bytes(&self) -> u32 {
        self.module_bytes / self.banks
    }

    /// Column offset of the horizontal neighbour module that a core on `row` reaches.
    pub const fn neighbour(&self, row: u16) -> i16 {
        if row.is_multiple_of(2) { self.neighbour_even_row } else { self.neighbour_odd_row }
    }
}

impl Device {
    /// Most streams of packets that can be merged into one. They share a port of a switch, where
    /// the tools may allow fewer streams than there are packet ids (UG1079, `pktmerge`; AM009).
    pub fn most_merged_streams(&self) -> u32 {
        let ids = self.switch.packet.ids;
        self.tools.slave_nets.map_or(ids, |nets| nets.min(ids))
    }

    /// Rows of stream switches: shim row, memory tiles, core rows.
    pub fn switch_rows(&self) -> u32 {
        let memory = self.memory_tiles.as_ref().map_or(0, |tiles| tiles.rows);
        u32::from(self.rows) + u32::from(memory) + 1
    }

    /// The hardware row of core row `row` (aie-rt counts from the shim row).
    pub const fn hardware_row(&self, row: u16) -> u16 {
        row.saturating_add(self.first_hardware_row)
    }

    /// Number of nets that can cross the lines of the array.
    pub fn cuts(&self) -> Cuts {
        let (core, shim) = (&self.switch.core.masters, &self.switch.shim.masters);
        let memory = self.switch.memory.as_ref().map(|switch| switch.masters);
        let memory_rows = self.memory_tiles.as_ref().map_or(0, |tiles| u32::from(tiles.rows));
        let lateral = |core: u32, shim: u32, memory: u32| {
            let wires = core.saturating_mul(self.rows.into()).saturating_add(shim);
            wires.saturating_add(memory.saturating_mul(memory_rows))
        };
        let (columns, pl) = (u32::from(self.columns), u32::from(self.shim.plio_column_count()));
        // The wires down from the row above equal those that the shim row receives from the north.
        let down = self.switch.shim.slaves.north;
        let (pl_up, pl_down) = (shim.north.saturating_mul(pl), down.saturating_mul(pl));
        let [sideways_out, sideways_in] = self.pl_sideways();
        Cuts {
            east: lateral(core.east, shim.east, memory.map_or(0, |ports| ports.east)),
            west: lateral(core.west, shim.west, memory.map_or(0, |ports| ports.west)),
            north: core.north.saturating_mul(columns),
            south: core.south.saturating_mul(columns),
            pl_up,
            pl_down,
            pl_leave: pl_up.saturating_add(sideways_out),
            pl_enter: pl_down.saturating_add(sideways_in),
        }
    }

    /// Nets that can leave and enter the shim tiles of the columns with PLIO sideways: over the
    /// wires at the two ends of their range, and at most as many as go up or come down in the
    /// columns beyond. Both numbers are 0 when the columns are not known.
    fn pl_sideways(&self) -> [u32; 2] {
        let (masters, slaves) = (&self.switch.shim.masters, &self.switch.shim.slaves);
        let Some(pl) = self.shim.pl_columns else { return [0, 0] };
        let beyond = [u32::from(pl.first), u32::from(self.columns.saturating_sub(1).saturating_sub(pl.last))];
        let both = |lateral: [u32; 2], vertical: u32| {
            let ends = lateral.into_iter().zip(beyond);
            ends.fold(0, |sum: u32, (wires, columns)| {
                sum.saturating_add(wires.min(vertical.saturating_mul(columns)))
            })
        };
        [both([masters.west, masters.east], masters.north), both([slaves.west, slaves.east], slaves.north)]
    }

    /// Number of cores that reach four, three and two memory modules.
    pub fn cores_by_reach(&self) -> [u32; 3] {
        let grid = Grid::new(self);
        let reaching = |n: usize| grid.ids().filter(|&id| grid.reach(id).len() == n).count();
        [4, 3, 2].map(|n| u32::try_from(reaching(n)).unwrap_or(u32::MAX))
    }

    /// Ports of the whole interface row, before GMIO ports take PLIO channels.
    pub fn interface_totals(&self) -> InterfaceTotals {
        let (shim, pl) = (&self.shim, u32::from(self.shim.plio_column_count()));
        let ports = |ports: &[u32]| u32::try_from(shim.noc_columns.len() * ports.len()).unwrap_or(u32::MAX);
        InterfaceTotals {
            plio_in: shim.plio_in_channels.saturating_mul(pl),
            plio_out: shim.plio_out_channels.saturating_mul(pl),
            registered_plio_pairs: u32::try_from(shim.registered_pairs())
                .unwrap_or(u32::MAX)
                .saturating_mul(pl),
            gmio_in: ports(&shim.gmio_in_ports),
            gmio_out: ports(&shim.gmio_out_ports),
        }
    }

    /// The cores inside the array to which the cascade of the core on `tile` can lead. At most one
    /// on a snake.
    pub fn cascade_targets(&self, tile: Tile) -> Vec<Tile> {
        let candidates = match self.core.cascade_order {
            CascadeOrder::Snake => vec![self.snake_next(tile)],
            CascadeOrder::SouthOrEast => vec![step(tile, 0, -1), step(tile, 1, 0)],
        };
        candidates.into_iter().flatten().filter(|&next| self.is_inside(next)).collect()
    }

    /// The next core along the row, or at its end the one above.
    fn snake_next(&self, tile: Tile) -> Option<Tile> {
        let along = step(tile, if tile.row.is_multiple_of(2) { 1 } else { -1 }, 0);
        along.filter(|&next| self.is_inside(next)).or_else(|| step(tile, 0, 1))
    }

    const fn is_inside(&self, tile: Tile) -> bool {
        tile.column < self.columns && tile.row < self.rows
    }
}

fn step(tile: Tile, columns: i16, rows: i16) -> Option<Tile> {
    Some(Tile::new(tile.column.checked_add_signed(columns)?, tile.row.checked_add_signed(rows)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builtin;

    fn device(name: &str) -> Device {
        builtin(name).and_then(|outcome| outcome.into_parts().0).expect("built in")
    }

    #[test]
    fn thirty_six_nets_cross_between_two_columns_of_the_vc1902() {
        // Four wires in each of 8 core rows and in the shim row; a row cut has 6 up and 4 down in
        // each of 50 columns.
        let cuts = device("xcvc1902").cuts();
        assert_eq!((cuts.east, cuts.west, cuts.north, cuts.south), (36, 36, 300, 200));
        assert_eq!((cuts.pl_up, cuts.pl_down), (234, 156), "39 columns have PLIO");
    }

    #[test]
    fn nets_of_plio_also_leave_and_enter_sideways_at_both_ends_of_the_pl_columns() {
        let sides = |device: &Device| (device.cuts().pl_leave, device.cuts().pl_enter);
        let mut vc1902 = device("xcvc1902");
        assert_eq!(sides(&vc1902), (234 + 4 + 4, 156 + 4 + 4), "columns 0 to 5 and 45 to 49 have no PLIO");
        vc1902.shim.pl_columns = Some(crate::PlColumns { first: 0, last: 49 });
        assert_eq!(sides(&vc1902), (300, 200), "there is no beside");
        vc1902.shim.pl_columns = Some(crate::PlColumns { first: 1, last: 49 });
        vc1902.switch.shim.slaves.north = 3;
        assert_eq!(sides(&vc1902), (49 * 6 + 4, 49 * 3 + 3), "one column beside, which brings down 3");
        let ve2802 = device("xcve2802");
        assert_eq!(sides(&ve2802), (ve2802.cuts().pl_up, ve2802.cuts().pl_down), "columns not known");
    }

    #[test]
    fn memory_tiles_have_no_lateral_wires() {
        assert_eq!(device("xcve2802").cuts().east, 36, "4 x (8 core rows + shim row), not + 2 memory rows");
        assert_eq!(device("xcve2302").cuts().west, 12);
    }

    #[test]
    fn the_interface_row_of_the_vc1902_has_312_and_234_plio_and_32_gmio_each_way() {
        let all = device("xcvc1902").interface_totals();
        assert_eq!((all.plio_in, all.plio_out, all.gmio_in, all.gmio_out), (312, 234, 32, 32));
        assert_eq!(all.registered_plio_pairs, 78, "39 columns of 2");
    }

    #[test]
    fn the_cascade_of_the_vc1902_is_a_snake_through_all_cores() {
        let vc1902 = device("xcvc1902");
        let mut visited = vec![Tile::new(0, 0)];
        while let Some(&next) =
            visited.last().map(|&tile| vc1902.cascade_targets(tile)).unwrap_or_default().first()
        {
            visited.push(next);
        }
        assert_eq!(visited.len(), 400);
        assert_eq!(visited[49..51], [Tile::new(49, 0), Tile::new(49, 1)], "up at the end of an even row");
        assert_eq!(visited[99..101], [Tile::new(0, 1), Tile::new(0, 2)], "and of an odd row");
        assert_eq!(visited.last(), Some(&Tile::new(0, 7)), "the last row has no successor");
    }

    #[test]
    fn the_cascade_of_an_aie_ml_leads_south_or_east() {
        let ve2302 = device("xcve2302");
        assert_eq!(ve2302.cascade_targets(Tile::new(3, 1)), [Tile::new(3, 0), Tile::new(4, 1)]);
        assert!(ve2302.cascade_targets(Tile::new(16, 0)).is_empty(), "the south-east corner");
    }

    #[test]
    fn core_row_0_is_above_the_shim_row_and_the_memory_tiles() {
        let row = |name| (device(name).hardware_row(0), device(name).switch_rows());
        assert_eq!((row("xcvc1902"), row("xcve2802"), row("xcve2302")), ((1, 9), (3, 11), (2, 4)));
    }

    #[test]
    fn four_modules_of_the_vc1902_are_128_kib() {
        let memory = device("xcvc1902").memory;
        assert_eq!((memory.bank_bytes(), 4 * memory.module_bytes), (8192, 131_072));
    }
}
