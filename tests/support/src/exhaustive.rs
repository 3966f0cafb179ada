//! Small random designs under constraints, and exhaustive search over their placements.

use aiec_device::{Device, Grid, TileId, builtin};
use aiec_ir::constraints::Axis;
use aiec_ir::expanded::Expanded;
use aiec_ir::{KernelId, WHOLE_CORE};
use proptest::prelude::*;

use crate::{Builder, Reduce, int32};

/// The grids that constraints are tested on.
#[derive(Clone, Copy)]
pub struct Grids<'a> {
    /// Without the tiles that the tested constraints close.
    pub open: &'a Grid,
    /// Without the tiles of any `keepout`: `apart` is tested on it.
    pub whole: &'a Grid,
}

/// True if some tiles keep every constraint on kernels (exhaustive).
pub fn by_trying(design: &Expanded, grids: Grids<'_>, tiles: &mut Vec<TileId>) -> bool {
    any_tiles(design, grids.open, tiles, &|tiles| keeps_all(design, grids, tiles))
}

/// True if `accepts` holds for some tiles that extend those given for the first kernels. No core
/// runs more than it can.
pub fn any_tiles(
    design: &Expanded,
    grid: &Grid,
    tiles: &mut Vec<TileId>,
    accepts: &dyn Fn(&[TileId]) -> bool,
) -> bool {
    if tiles.len() == design.kernels.len() {
        return accepts(tiles);
    }
    let shares = design.core_shares();
    grid.ids().any(|tile| {
        let taken: u32 =
            shares.iter().zip(&*tiles).filter(|(_, other)| **other == tile).map(|(share, _)| share).sum();
        // Kernels on one core share its time; their stacks and programs are small.
        let free = grid.is_open(tile) && taken + shares[KernelId(tiles.len() as u32)] <= WHOLE_CORE;
        tiles.push(tile);
        let found = free && any_tiles(design, grid, tiles, accepts);
        tiles.pop();
        found
    })
}

/// True if `tiles`, one for each kernel, keep every constraint on kernels.
pub fn keeps_all(design: &Expanded, grids: Grids<'_>, tiles: &[TileId]) -> bool {
    let Grids { open: grid, whole } = grids;
    let at = |kernel: KernelId| grid.tile(tiles[kernel.index()]);
    let near = |grid: &Grid, a: &KernelId, b: &KernelId| {
        grid.shared(tiles[a.index()], tiles[b.index()]).next().is_some()
    };
    let step = |a: u16, b: u16| i64::from(b) - i64::from(a);
    let all = &design.constraints;
    let place = |kernel: KernelId| (i64::from(at(kernel).column), i64::from(at(kernel).row));
    design
        .places
        .iter()
        .all(|p| (i64::from(at(p.kernel).column), i64::from(at(p.kernel).row)) == (p.column, p.row))
        && all.regions.iter().all(|r| r.kernels.iter().all(|&k| r.contains(place(k).0, place(k).1)))
        && all.together.iter().all(|g| g.pairs().all(|(a, b)| near(grid, a, b)))
        && all.apart.iter().all(|g| g.pairs().all(|(a, b)| !near(whole, a, b)))
        && all.offsets.iter().all(|o| {
            let (a, b) = (at(o.from), at(o.kernel));
            (step(a.column, b.column), step(a.row, b.row)) == (o.columns, o.rows)
        })
        && all.aligned.iter().all(|a| a.axis.of(place(a.kernel)) - a.axis.of(place(a.from)) == a.distance)
        && all.distinct.iter().all(|g| g.pairs().all(|(a, b)| at(*a) != at(*b)))
}

/// Up to five random constraints on four kernels, as numbers.
pub fn random() -> impl Strategy<Value = Vec<(u8, usize, usize, i64, i64)>> {
    prop::collection::vec((0_u8..9, 0_usize..4, 1_usize..4, 0_i64..4, 0_i64..3), 1..6)
}

/// An array like that of `toy`, of another size.
pub fn toy(columns: u16, rows: u16) -> Device {
    let toy = builtin("toy").and_then(|outcome| outcome.into_parts().0).expect("built in");
    Device { columns, rows, ..toy }
}

/// A design of `kernels` kernels `k` of a reduction. A core runs as many as `ratio`, in 1/1000,
/// allows.
pub fn few(kernels: u32, ratio: Option<u32>) -> Builder {
    let mut builder = Builder::new("few", "toy");
    builder.kernels("k", &[kernels], &[]).reduce(Reduce::over("t", &["k"], int32(4)));
    if let Some(ratio) = ratio {
        builder.runtime("k", ratio);
    }
    builder
}

/// Adds the constraints to a design on an array of `columns` and `rows`.
pub fn constrain(
    mut builder: Builder,
    constraints: &[(u8, usize, usize, i64, i64)],
    columns: i64,
    rows: i64,
) -> Builder {
    let name = |k: usize| format!("k[{}]", k % 4);
    for &(kind, a, more, column, row) in constraints {
        let (first, second) = (name(a), name(a + more));
        let (column, row) = (column % columns, row % rows);
        match kind {
            0 => builder.place(&first, column, row),
            1 => builder.region(&[&first, &second], (column, row), (1, 1)),
            2 => builder.together(&[first.as_str(), &second, &name(a + 5 - more)][..2 + more % 2]),
            3 => builder.apart(&[&first, &second]),
            4 => builder.place_relative(&first, &second, (column - 1, row - 1)),
            6 => builder.align(&first, &second, Axis::Column, column - 1),
            7 => builder.align(&first, &second, Axis::Row, row - 1),
            8 => builder.distinct(&[&first, &second]),
            _ => builder.keepout((column, row), (column.min(2), row)),
        };
    }
    builder
}
