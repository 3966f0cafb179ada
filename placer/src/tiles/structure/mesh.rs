//! Meshes: laid on the array unchanged, since every core shares memory with the four around it. A
//! mesh with more rows than the array is cut into strips side by side, in the orientation that cuts
//! fewer edges.
//!
//! On every second row, two neighbours share a module that no other pair shares: in a column the
//! module between them, in a row one of their own. Windows of which a module holds those of only
//! one edge therefore fit, in strips of half as many rows.

use aiec_device::Grid;
use aiec_ir::IdVec;

use super::blocks::{self, Block};
use super::components::{Component, MemberId};

/// A mesh of at least two rows and columns, on every second row if `apart`: the way with the fewest
/// cuts, then the fewest columns. Returns None when it is another graph, or there are not enough
/// columns.
pub(super) fn lay(grid: &Grid, component: &Component, apart: bool) -> Option<Block<MemberId>> {
    let places = recognise(component)?;
    let (columns, rows) = blocks::size(grid);
    let rows = Some(if apart { rows / 2 } else { rows }).filter(|&rows| rows > 1)?;
    let turned: Places = places.iter().map(|&(row, column)| (column, row)).collect();
    let ways = [places, turned].map(|places| strips(&places, rows, apart));
    let fits = ways.into_iter().filter(|(_, width, _)| *width <= columns);
    let (.., cells) = fits.min_by_key(|(cuts, width, _)| (*cuts, *width))?;
    let kernels: Vec<MemberId> = component.kernels.ids().collect();
    Block::on_cells(grid, &kernels, cells.into_iter().map(|(row, column)| (column, row)))
}

/// Row and column of each kernel.
type Places = IdVec<MemberId, (usize, usize)>;

/// Row and column of each kernel. The distances from two corners of one side determine both.
/// Returns None when the component is no mesh.
fn recognise(component: &Component) -> Option<Places> {
    let corners: Vec<MemberId> =
        component.kernels.ids().filter(|&k| component.neighbours[k].len() == 2).collect();
    let (&corner, others) = corners.split_first()?;
    if corners.len() > 4 {
        return None;
    }
    let from = component.distances(corner);
    others.iter().find_map(|&other| {
        let to = component.distances(other);
        let length = from[other];
        let place = |(&a, &b): (&usize, &usize)| {
            let (row, column) = ((a + b).checked_sub(length)?, (a + length).checked_sub(b)?);
            (row % 2 == 0 && column % 2 == 0).then_some((row / 2, column / 2))
        };
        let places: Places = from.iter().zip(to.iter()).map(place).collect::<Option<_>>()?;
        fill_a_rectangle(component, &places, length + 1).then_some(places)
    })
}

/// True if the places fill a rectangle of that many columns, and exactly adjacent places are
/// connected.
fn fill_a_rectangle(component: &Component, places: &Places, columns: usize) -> bool {
    let mut sorted = places.as_slice().to_vec();
    sorted.sort_unstable();
    let filled = sorted.iter().enumerate().all(|(i, &place)| place == (i / columns, i % columns));
    let beside = |a: (usize, usize), b: (usize, usize)| a.0.abs_diff(b.0) + a.1.abs_diff(b.1) == 1;
    let rows = places.len() / columns;
    let edges = component.edges();
    filled
        && rows * columns == places.len()
        && edges.len() == rows * (columns - 1) + columns * (rows - 1)
        && edges.iter().all(|&(a, b)| beside(places[a], places[b]))
}

/// A mesh cut into strips of `rows` rows side by side: the numbers of cut edges and of columns in
/// use, and the row and column of each kernel. With `apart`, each strip uses every second row and
/// leaves a module free for DMA buffers: above it on even rows, below it on odd rows.
fn strips(places: &Places, rows: usize, apart: bool) -> (usize, usize, Vec<(usize, usize)>) {
    let height = places.iter().map(|place| place.0 + 1).max().unwrap_or(0);
    let width = places.iter().map(|place| place.1 + 1).max().unwrap_or(0);
    let count = height.div_ceil(rows);
    let cell = |&(row, column): &(usize, usize)| {
        let (strip, row) = (row / rows, row % rows);
        (if apart { 2 * row + strip % 2 } else { row }, strip * width + column)
    };
    (width * (count - 1), width * count, places.iter().map(cell).collect())
}
