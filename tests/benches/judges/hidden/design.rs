//! The design that a layout places, and the layout as a placement of that design.

use std::collections::BTreeMap;

use aiec_check::{Checked, check};
use aiec_device::{Device, Grid, Tile};
use aiec_diag::Diagnostic;
use aiec_ir::{Direction, IdVec, PortId, WindowType};
use aiec_placer::{Placement, PortBuffers, ShimSpot, Spot};
use aiec_test_support::{Builder, int32};

use super::layout::{End, Layout, Link, inside};
use super::random::Random;
use super::recipe::{Fence, Recipe};

/// A connection's end: the kernel and the number of its port among its inputs or outputs, or the
/// number of the PLIO.
#[derive(Clone, Copy, Debug)]
enum Port {
    Kernel(usize, usize),
    Plio(usize),
}

/// A layout with its ports numbered.
pub struct Numbered<'a> {
    layout: &'a Layout,
    /// The ends of each connection.
    ends: Vec<[Port; 2]>,
    /// Windows of the inputs and outputs of each kernel.
    ports: Vec<[Vec<WindowType>; 2]>,
    /// Direction, width and channel of each PLIO.
    plio: Vec<(Direction, u32, ShimSpot)>,
}

impl<'a> Numbered<'a> {
    /// Numbers the ports of `layout` in the order of its connections.
    pub fn new(layout: &'a Layout) -> Self {
        let ports = vec![[Vec::new(), Vec::new()]; layout.kernels.len()];
        let mut numbered = Self { layout, ends: Vec::new(), ports, plio: Vec::new() };
        for link in &layout.links {
            let ends =
                [(0, Direction::Out), (1, Direction::In)].map(|(at, way)| numbered.port(link, at, way));
            numbered.ends.push(ends);
        }
        numbered
    }

    /// Adds the port of an end. The producer's end has the direction `Out`.
    fn port(&mut self, link: &Link, at: usize, way: Direction) -> Port {
        match link.ends[at] {
            End::Kernel(kernel) => {
                let ports = &mut self.ports[kernel][usize::from(way == Direction::Out)];
                ports.push(int32(link.bytes / 4));
                Port::Kernel(kernel, ports.len() - 1)
            }
            End::Plio(bits, channel) => {
                self.plio.push((way, bits, channel));
                Port::Plio(self.plio.len() - 1)
            }
        }
    }

    /// The design without constraints: kernels `k0`, `k1`, ..., PLIO `p0`, `p1`, ...
    pub fn design(&self, name: &str, device: &str) -> Builder {
        let mut builder = Builder::new(name, device);
        for (number, (kernel, [inputs, outputs])) in self.layout.kernels.iter().zip(&self.ports).enumerate() {
            let name = format!("k{number}");
            let named = |sign: &str, windows: &[WindowType]| -> Vec<(String, WindowType)> {
                (0..).zip(windows).map(|(at, &window): (usize, _)| (format!("{sign}{at}"), window)).collect()
            };
            let (inputs, outputs) = (named("x", inputs), named("y", outputs));
            let inputs = inputs.iter().map(|(name, window)| (Direction::In, name.as_str(), *window));
            let outputs = outputs.iter().map(|(name, window)| (Direction::Out, name.as_str(), *window));
            builder.kernels(&name, &[], &inputs.chain(outputs).collect::<Vec<_>>());
            builder.stack(&name, kernel.stack).heap(&name, kernel.heap);
        }
        for (number, &(direction, bits, _)) in self.plio.iter().enumerate() {
            builder.plio(&format!("p{number}"), &[], direction, bits);
        }
        for [from, to] in &self.ends {
            builder.connect(&from.name('y'), &to.name('x'));
        }
        builder
    }

    /// The layout as a placement of its design.
    pub fn placement(&self, checked: &Checked, grid: &Grid) -> Placement {
        let kernels = &self.layout.kernels;
        let mut buffers: IdVec<PortId, PortBuffers> =
            checked.ports.ids().map(|_| PortBuffers::None).collect();
        for (link, ends) in self.layout.links.iter().zip(&self.ends) {
            let [from, to] = stored(link);
            for (end, way, found) in [(ends[0], Direction::Out, from), (ends[1], Direction::In, to)] {
                if let Port::Kernel(kernel, at) = end {
                    let kernel = &checked.kernels.as_slice()[kernel];
                    let ports = if way == Direction::Out { &kernel.outputs } else { &kernel.inputs };
                    buffers[ports[at]] = found;
                }
            }
        }
        Placement {
            kernels: kernels.iter().map(|kernel| grid.tile(kernel.tile)).collect(),
            stacks: kernels.iter().map(|kernel| kernel.spot).collect(),
            buffers,
            shims: self.plio.iter().map(|&(_, _, channel)| channel).collect(),
            fifos: BTreeMap::new(),
        }
    }
}

impl Port {
    /// Its name in the design: `y` for outputs of kernels, `x` for inputs.
    fn name(self, sign: char) -> String {
        match self {
            Self::Kernel(kernel, at) => format!("k{kernel}.{sign}{at}"),
            Self::Plio(number) => format!("p{number}"),
        }
    }
}

/// The buffers of the producer's and of the consumer's port.
fn stored(link: &Link) -> [PortBuffers; 2] {
    let own = |spots: [Spot; 2]| PortBuffers::Own(spots.to_vec());
    match link.shared {
        Some(spots) => [PortBuffers::Shared, own(spots)],
        None => link.own.map(|spots| spots.map_or(PortBuffers::None, own)),
    }
}

/// Adds constraints that the layout keeps: those of the recipe.
pub fn constrain(builder: &mut Builder, recipe: &Recipe, layout: &Layout, grid: &Grid, random: &mut Random) {
    if recipe.fence != Fence::None {
        let names: Vec<usize> = (0..layout.kernels.len()).collect();
        region(builder, &names, recipe.area);
    }
    if recipe.fence == Fence::Walls {
        walls(builder, recipe.area, grid);
    }
    if recipe.halves {
        halves(builder, recipe.area, layout, grid);
    }
    for (number, kernel) in layout.kernels.iter().enumerate() {
        if random.chance(recipe.fixed) {
            let tile = grid.tile(kernel.tile);
            builder.place(&format!("k{number}"), tile.column.into(), tile.row.into());
        }
    }
    pairs(builder, recipe.statements, layout, grid, random);
}

fn region(builder: &mut Builder, kernels: &[usize], [from, to]: [Tile; 2]) {
    let names: Vec<String> = kernels.iter().map(|number| format!("k{number}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let corner = |tile: Tile| (i64::from(tile.column), i64::from(tile.row));
    if !names.is_empty() {
        builder.region(&names, corner(from), corner(to));
    }
}

/// Closes every tile around the area: columns west and east of it, then rows below and above.
fn walls(builder: &mut Builder, [from, to]: [Tile; 2], grid: &Grid) {
    let last = grid.ids().last().map_or(Tile::new(0, 0), |id| grid.tile(id));
    let (west, south) = (i64::from(from.column), i64::from(from.row));
    let (east, north) = (i64::from(to.column), i64::from(to.row));
    let (columns, rows) = (i64::from(last.column), i64::from(last.row));
    let sides = [
        ((0, 0), (west - 1, rows)),
        ((east + 1, 0), (columns, rows)),
        ((west, 0), (east, south - 1)),
        ((west, north + 1), (east, rows)),
    ];
    for (from, to) in
        sides.into_iter().filter(|((west, south), (east, north))| west <= east && south <= north)
    {
        builder.keepout(from, to);
    }
}

/// A region for the kernels in each half of the area.
fn halves(builder: &mut Builder, [from, to]: [Tile; 2], layout: &Layout, grid: &Grid) {
    let middle = u16::midpoint(from.column, to.column);
    let west = [from, Tile::new(middle, to.row)];
    let east = [Tile::new((middle + 1).min(to.column), from.row), to];
    for half in [west, east] {
        let kernels: Vec<usize> = (0..layout.kernels.len())
            .filter(|&kernel| inside(half, grid.tile(layout.kernels[kernel].tile)))
            .collect();
        region(builder, &kernels, half);
    }
}

/// Offsets between kernels of random numbers, and pairs that share memory or do not.
fn pairs(
    builder: &mut Builder,
    [offsets, together, apart]: [usize; 3],
    layout: &Layout,
    grid: &Grid,
    random: &mut Random,
) {
    let mut pair = |wanted: &dyn Fn(usize, usize) -> bool| {
        let count = layout.kernels.len();
        let drawn = (0..200).map(|_| (random.below(count), random.below(count)));
        drawn.into_iter().find(|&(a, b)| a != b && wanted(a, b))
    };
    let tile = |kernel: usize| grid.tile(layout.kernels[kernel].tile);
    let shares =
        |a: usize, b: usize| grid.shared(layout.kernels[a].tile, layout.kernels[b].tile).next().is_some();
    let name = |kernel: usize| format!("k{kernel}");
    for (a, b) in (0..offsets).filter_map(|_| pair(&|_, _| true)).collect::<Vec<_>>() {
        let (from, to) = (tile(a), tile(b));
        let columns = i64::from(to.column) - i64::from(from.column);
        let rows = i64::from(to.row) - i64::from(from.row);
        builder.place_relative(&name(b), &name(a), (columns, rows));
    }
    for (a, b) in (0..together).filter_map(|_| pair(&shares)).collect::<Vec<_>>() {
        builder.together(&[&name(a), &name(b)]);
    }
    for (a, b) in (0..apart).filter_map(|_| pair(&|a, b| !shares(a, b))).collect::<Vec<_>>() {
        builder.apart(&[&name(a), &name(b)]);
    }
}

/// The design after its checks.
///
/// # Errors
/// Returns the name that names nothing, or the faults that the checks find.
pub fn checked(builder: &Builder, device: &Device) -> Result<Checked, String> {
    let expanded = builder.expanded().map_err(|unknown| unknown.to_string())?;
    let (checked, said) = check(expanded, device).into_parts();
    let words = |said: &Diagnostic| format!("{}: {}", said.code.slug, said.message);
    checked.ok_or_else(|| said.iter().map(words).collect::<Vec<_>>().join("\n"))
}
