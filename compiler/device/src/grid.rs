//! Tiles, and which memory modules a core reaches.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::Device;

/// A core tile, or the memory module on it. Serialised as `[column, row]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(from = "(u16, u16)", into = "(u16, u16)")]
pub struct Tile {
    /// Column, 0 in the west.
    pub column: u16,
    /// Core row, 0 at the bottom (ADF numbering; the shim row is not counted).
    pub row: u16,
}

impl Tile {
    /// The tile at `column` and core row `row`.
    pub const fn new(column: u16, row: u16) -> Self {
        Self { column, row }
    }

    /// Manhattan distance in tiles.
    pub const fn distance(self, other: Self) -> u32 {
        (self.column.abs_diff(other.column) + self.row.abs_diff(other.row)) as u32
    }

    /// Column and row, as designs count them.
    pub const fn position(self) -> (i64, i64) {
        (self.column as i64, self.row as i64)
    }

    /// Columns to the east and rows to the north from this tile to `other`.
    pub const fn steps_to(self, other: Self) -> (i64, i64) {
        let (here, there) = (self.position(), other.position());
        (there.0 - here.0, there.1 - here.1)
    }
}

impl From<(u16, u16)> for Tile {
    fn from((column, row): (u16, u16)) -> Self {
        Self { column, row }
    }
}

impl From<Tile> for (u16, u16) {
    fn from(tile: Tile) -> Self {
        (tile.column, tile.row)
    }
}

impl fmt::Display for Tile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {})", self.column, self.row)
    }
}

/// A tile's dense number on its grid: `column * rows + row`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TileId(pub u16);

impl TileId {
    /// The number as an index into per-tile tables.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The grid of core tiles of one device, with the memory reach of every core.
///
/// A core reaches up to four modules: its own, those north and south, and one horizontal neighbour
/// chosen by row parity (AM009, memory chapter; `neighbour_even_row` and `neighbour_odd_row` of the
/// device file).
#[derive(Clone, Debug)]
pub struct Grid {
    columns: u16,
    rows: u16,
    reach: Vec<Vec<TileId>>,
    partners: Vec<Vec<TileId>>,
    /// False for tiles that nothing is placed on.
    open: Vec<bool>,
    /// The tiles along the cascade, where it leads from each core to one other.
    cascade: Vec<TileId>,
    /// The place of each tile in that.
    along: Vec<Option<usize>>,
}

impl Grid {
    /// The grid of `device`, every tile open.
    pub fn new(device: &Device) -> Self {
        Self::without(device, |_| false)
    }

    /// The grid of `device` without the tiles that are `closed`: no core reaches their modules, and
    /// no other core is a partner of theirs.
    pub fn without(device: &Device, closed: impl Fn(Tile) -> bool) -> Self {
        let (columns, rows) = (device.columns, device.rows);
        let (reach, partners, open) = (Vec::new(), Vec::new(), Vec::new());
        let (cascade, along) = (Vec::new(), Vec::new());
        let mut grid = Self { columns, rows, reach, partners, open, cascade, along };
        grid.follow_cascade(device);
        grid.open = grid.ids().map(|id| !closed(grid.tile(id))).collect();
        grid.reach = grid.ids().map(|id| grid.modules_of(device, grid.tile(id))).collect();
        let mut users = vec![Vec::new(); grid.len()];
        for id in grid.ids().filter(|&id| grid.is_open(id)) {
            grid.reach(id).iter().for_each(|module| users[module.index()].push(id));
        }
        grid.partners = grid.ids().map(|id| grid.partners_of(id, &users)).collect();
        grid
    }

    /// Notes the order of the tiles along the cascade (AM009).
    fn follow_cascade(&mut self, device: &Device) {
        let next = |tile: &Tile| match device.cascade_targets(*tile).as_slice() {
            [one] => Some(*one),
            _ => None,
        };
        let line = std::iter::successors(Some(Tile::new(0, 0)), next).take(self.len());
        self.cascade = line.filter_map(|tile| self.id(tile)).collect();
        self.along = vec![None; self.len()];
        for (place, tile) in self.cascade.iter().enumerate() {
            self.along[tile.index()] = Some(place);
        }
    }

    /// The tile `steps` further along the cascade, or before it, if the array has it.
    pub fn along_cascade(&self, tile: TileId, steps: i64) -> Option<TileId> {
        let place = i64::try_from(self.along.get(tile.index()).copied().flatten()?).ok()?;
        self.cascade.get(usize::try_from(place.checked_add(steps)?).ok()?).copied()
    }

    /// Most open cores that follow each other along the cascade.
    pub fn longest_cascade(&self) -> usize {
        let runs = self.cascade.iter().scan(0, |run, &tile| {
            *run = if self.is_open(tile) { *run + 1 } else { 0 };
            Some(*run)
        });
        runs.max().unwrap_or(0)
    }

    /// Number of core tiles, closed ones included.
    #[inline]
    pub fn len(&self) -> usize {
        usize::from(self.columns) * usize::from(self.rows)
    }

    /// Number of columns; column 0 is the westernmost.
    pub const fn columns(&self) -> u16 {
        self.columns
    }

    /// Number of core rows.
    pub const fn rows(&self) -> u16 {
        self.rows
    }

    /// True if kernels, buffers and stacks may be placed on `tile`.
    pub fn is_open(&self, tile: TileId) -> bool {
        self.open[tile.index()]
    }

    /// Number of tiles that are open.
    pub fn open_tiles(&self) -> usize {
        self.open.iter().filter(|&&open| open).count()
    }

    /// True for a grid without tiles, which no checked device has.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All tiles, column by column from the west, each from the bottom.
    pub fn ids(&self) -> impl Iterator<Item = TileId> + use<> {
        (0..self.columns * self.rows).map(TileId)
    }

    /// The tile with this number.
    pub const fn tile(&self, id: TileId) -> Tile {
        Tile::new(id.0 / self.rows, id.0 % self.rows)
    }

    /// The tile at a column and a core row as a design writes them. Returns None when it is outside
    /// the array.
    pub fn at(&self, column: i64, row: i64) -> Option<TileId> {
        let tile = Tile::new(u16::try_from(column).ok()?, u16::try_from(row).ok()?);
        self.id(tile)
    }

    /// The number of `tile`. Returns None when it lies outside the array.
    pub fn id(&self, tile: Tile) -> Option<TileId> {
        (tile.column < self.columns && tile.row < self.rows)
            .then(|| TileId(tile.column * self.rows + tile.row))
    }

    /// The modules the core on `tile` reaches, its own first, then north, south and the horizontal
    /// neighbour.
    pub fn reach(&self, tile: TileId) -> &[TileId] {
        &self.reach[tile.index()]
    }

    /// Tiles by which `to` is off a stated distance from `from`, in columns and rows. Without one,
    /// 1 if the two are one tile.
    pub fn off(&self, from: TileId, to: TileId, distance: Option<(i64, i64)>) -> i64 {
        let Some((columns, rows)) = distance else { return i64::from(from == to) };
        let (east, north) = self.tile(from).steps_to(self.tile(to));
        // A statement may name a place beyond any array.
        let away = |step: i64, stated: i64| step.saturating_sub(stated).saturating_abs().min(u16::MAX.into());
        away(east, columns) + away(north, rows)
    }

    /// True if the core on `core` reaches the module on `module`.
    pub fn reaches(&self, core: TileId, module: TileId) -> bool {
        self.reach(core).contains(&module)
    }

    /// The modules both cores reach, in the order of `a`'s reach.
    pub fn shared(&self, a: TileId, b: TileId) -> impl Iterator<Item = TileId> + '_ {
        self.reach(a).iter().copied().filter(move |&module| self.reaches(b, module))
    }

    /// The other cores that share at least one module with the core on `tile`, in ascending order.
    #[inline]
    pub fn partners(&self, tile: TileId) -> &[TileId] {
        &self.partners[tile.index()]
    }

    fn modules_of(&self, device: &Device, tile: Tile) -> Vec<TileId> {
        let sideways = device.memory.neighbour(tile.row);
        let candidates = [
            Some(tile),
            tile.row.checked_add(1).map(|row| Tile { row, ..tile }),
            tile.row.checked_sub(1).map(|row| Tile { row, ..tile }),
            tile.column.checked_add_signed(sideways).map(|column| Tile { column, ..tile }),
        ];
        candidates
            .into_iter()
            .flatten()
            .filter_map(|candidate| self.id(candidate))
            .filter(|&id| self.is_open(id))
            .collect()
    }

    /// The users of the modules that the core on `id` reaches, without itself.
    fn partners_of(&self, id: TileId, users: &[Vec<TileId>]) -> Vec<TileId> {
        let mut partners: Vec<TileId> =
            self.reach(id).iter().flat_map(|module| users[module.index()].iter().copied()).collect();
        partners.sort_unstable();
        partners.dedup();
        partners.retain(|&other| other != id);
        partners
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builtin;

    fn named(name: &str) -> Grid {
        Grid::new(&builtin(name).and_then(|o| o.into_parts().0).expect("built in"))
    }

    fn vc1902() -> Grid {
        named("xcvc1902")
    }

    #[test]
    fn a_closed_tile_is_in_nobodys_reach() {
        let device = builtin("toy").and_then(|o| o.into_parts().0).expect("built in");
        let grid = Grid::without(&device, |tile| tile == Tile::new(2, 1));
        let id = |column, row| grid.id(Tile::new(column, row)).expect("on the array");
        assert!(!grid.is_open(id(2, 1)) && grid.open_tiles() == 23);
        assert_eq!(grid.reach(id(2, 2)).len(), 3, "south is closed");
        assert!(!grid.partners(id(2, 2)).contains(&id(2, 1)));
    }

    fn cores_by_reach(name: &str) -> [u32; 3] {
        builtin(name).and_then(|o| o.into_parts().0).expect("built in").cores_by_reach()
    }

    fn partner_offsets(grid: &Grid, column: u16, row: u16) -> Vec<(i32, i32)> {
        let id = grid.id(Tile::new(column, row)).expect("on the array");
        let offset = |other: &TileId| {
            let tile = grid.tile(*other);
            (i32::from(tile.column) - i32::from(column), i32::from(tile.row) - i32::from(row))
        };
        grid.partners(id).iter().map(offset).collect()
    }

    #[test]
    fn cores_by_reach_are_294_104_and_2_on_xcvc1902() {
        assert_eq!(cores_by_reach("xcvc1902"), [294, 104, 2]);
    }

    #[test]
    fn cores_by_reach_are_222_80_and_2_on_xcve2802_and_0_32_and_2_on_xcve2302() {
        assert_eq!(cores_by_reach("xcve2802"), [222, 80, 2]);
        assert_eq!(cores_by_reach("xcve2302"), [0, 32, 2]);
    }

    #[test]
    fn the_horizontal_neighbour_of_an_aie_ml_is_always_in_the_west() {
        assert_eq!(partner_offsets(&named("xcve2802"), 10, 3).iter().filter(|(_, row)| *row == 0).count(), 2);
        let grid = named("xcve2802");
        for id in grid.ids() {
            let tile = grid.tile(id);
            assert!(grid.reach(id).iter().all(|&module| grid.tile(module).column <= tile.column), "{tile}");
        }
    }

    #[test]
    fn an_even_row_reaches_west_and_an_odd_row_reaches_east() {
        let grid = vc1902();
        let reach = |c, r| -> Vec<Tile> {
            grid.reach(grid.id(Tile::new(c, r)).expect("on the array"))
                .iter()
                .map(|&id| grid.tile(id))
                .collect()
        };
        assert_eq!(reach(5, 2), [Tile::new(5, 2), Tile::new(5, 3), Tile::new(5, 1), Tile::new(4, 2)]);
        assert_eq!(reach(5, 3), [Tile::new(5, 3), Tile::new(5, 4), Tile::new(5, 2), Tile::new(6, 3)]);
    }

    #[test]
    fn an_interior_core_shares_memory_with_eight_others() {
        let grid = vc1902();
        let even = [(-1, -1), (-1, 0), (-1, 1), (0, -2), (0, -1), (0, 1), (0, 2), (1, 0)];
        assert_eq!(partner_offsets(&grid, 10, 4), even, "diagonals to the west on an even row");
        let odd = [(-1, 0), (0, -2), (0, -1), (0, 1), (0, 2), (1, -1), (1, 0), (1, 1)];
        assert_eq!(partner_offsets(&grid, 10, 3), odd, "diagonals to the east on an odd row");
    }

    #[test]
    fn sharing_a_module_is_mutual_on_every_device() {
        for grid in crate::builtin_names().map(named) {
            for id in grid.ids() {
                assert!(grid.reaches(id, id));
                assert!(grid.partners(id).iter().all(|&other| grid.partners(other).contains(&id)));
                let users = grid.ids().filter(|&core| grid.reaches(core, id)).count();
                assert!((2..=4).contains(&users), "{} is reached by {users} cores", grid.tile(id));
            }
        }
    }

    #[test]
    fn ids_and_tiles_are_inverse() {
        let grid = vc1902();
        assert!(grid.ids().all(|id| grid.id(grid.tile(id)) == Some(id)));
        assert_eq!(grid.id(Tile::new(50, 0)), None);
        assert_eq!(grid.id(Tile::new(0, 8)), None);
    }
}
