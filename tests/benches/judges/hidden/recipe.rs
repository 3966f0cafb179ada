//! The families of designs: what a number's layout is drawn from.

use aiec_device::Tile;

use super::random::Random;

/// Sizes of windows are multiples of this, in bytes: whole words of every PLIO.
pub const GRAIN: usize = 16;
const KIB: usize = 1024;

/// A family of designs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Family {
    /// 3 to 40 kernels in regions whose modules are full to 60 to 70 %, windows of 4 to 14 KiB.
    A,
    /// As `A`, with 70 to 80 %.
    B,
    /// 150 to 390 kernels with windows of 8 to 14 KiB.
    C,
    /// Kernels with five or six neighbours on the whole array, small windows.
    D,
    /// Up to 300 PLIO.
    E,
}

impl Family {
    /// All families.
    pub const ALL: [Self; 5] = [Self::A, Self::B, Self::C, Self::D, Self::E];

    /// The family's letter.
    pub const fn name(self) -> &'static str {
        match self {
            Self::A => "a",
            Self::B => "b",
            Self::C => "c",
            Self::D => "d",
            Self::E => "e",
        }
    }
}

/// How a design keeps its kernels in the area of the hidden placement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fence {
    /// Not at all.
    None,
    /// A `region`. Buffers may lie outside, where the cores reach.
    Region,
    /// A `region`, and `keepout` around it.
    Walls,
}

/// What a layout is drawn from.
#[derive(Clone, Debug)]
pub struct Recipe {
    /// A built-in device.
    pub device: &'static str,
    /// The corners of the area of the kernels, south-west and north-east.
    pub area: [Tile; 2],
    /// What keeps kernels there.
    pub fence: Fence,
    /// Number of kernels, at most one for each tile of the area.
    pub kernels: usize,
    /// Least and most bytes of all modules that the area's cores reach, in 1/1000.
    pub fill: [u64; 2],
    /// The fill at which no connection is added, in 1/1000.
    pub target: u64,
    /// Least and most number of connections between kernels.
    pub links: [usize; 2],
    /// The most kernels that a kernel is connected to.
    pub neighbours: usize,
    /// Sizes of windows, in bytes.
    pub windows: Vec<usize>,
    /// Connections between kernels that go by DMA, in 1/100.
    pub far: usize,
    /// Number of inputs and outputs from and to PLIO.
    pub plio: [usize; 2],
    /// Kernels with a fixed tile, in 1/100.
    pub fixed: usize,
    /// Numbers of `place ... at ... + ...`, of `together` and of `apart`.
    pub statements: [usize; 3],
    /// True if kernels in the west and in the east of the area have regions of their own.
    pub halves: bool,
}

impl Recipe {
    /// The recipe of a design of `family`.
    pub fn draw(family: Family, random: &mut Random) -> Self {
        match family {
            Family::A => packed(random, [600, 700]),
            Family::B => packed(random, [700, 800]),
            Family::C => large(random),
            Family::D => dense(random),
            Family::E => outside(random),
        }
    }
}

/// 3 to 40 kernels in a region full of large windows.
fn packed(random: &mut Random, fill: [u64; 2]) -> Recipe {
    let kernels = random.between([3, 40]);
    let on_toy = kernels <= 22 && random.chance(40);
    let (device, columns, rows) = if on_toy { ("toy", 6, 4) } else { ("xcvc1902", 50, 8) };
    let tiles = (kernels + random.between([0, kernels / 2 + 1])).min(columns * rows);
    let area = area(random, tiles, [columns, rows]);
    Recipe {
        device,
        area,
        fence: if random.chance(50) { Fence::Region } else { Fence::Walls },
        kernels,
        target: random.between(fill.map(|bound| usize::try_from(bound).unwrap_or(0))) as u64,
        fill,
        links: [1, usize::MAX],
        neighbours: 8,
        windows: windows(random, [4 * KIB, 14 * KIB]),
        far: random.between([0, 15]),
        plio: [random.between([0, 1 + kernels / 5]), random.between([0, 1 + kernels / 5])],
        fixed: random.pick(&[0, 0, 5, 20]).unwrap_or(0),
        statements: statements(random),
        halves: random.chance(20),
    }
}

/// 150 to 390 kernels with large windows.
fn large(random: &mut Random) -> Recipe {
    let kernels = random.between([150, 390]);
    let tiles = (kernels + random.between([0, kernels / 2])).min(400);
    let fences = [Fence::None, Fence::None, Fence::None, Fence::Region, Fence::Walls];
    let width = tiles.div_ceil(8);
    let fill = random.between([520, 720]) as u64;
    Recipe {
        device: "xcvc1902",
        area: at(random, [width, 8], [50, 8]),
        fence: random.pick(&fences).unwrap_or(Fence::None),
        kernels,
        fill: [fill, fill + 50],
        target: fill,
        links: [kernels / 2, usize::MAX],
        neighbours: 8,
        windows: windows(random, [8 * KIB, 14 * KIB]),
        far: random.between([0, 5]),
        plio: [random.between([4, 24]), random.between([4, 24])],
        fixed: random.pick(&[0, 0, 2]).unwrap_or(0),
        statements: statements(random),
        halves: false,
    }
}

/// Kernels with five or six neighbours on the whole array. Nearly all share memory: every net by
/// DMA takes wires of the array.
fn dense(random: &mut Random) -> Recipe {
    let kernels = random.between([200, 390]);
    let links = kernels * random.between([50, 60]) / 20;
    Recipe {
        device: "xcvc1902",
        area: at(random, [kernels.div_ceil(8).max(44), 8], [50, 8]),
        fence: Fence::None,
        kernels,
        fill: [0, 1000],
        target: 1000,
        links: [links * 8 / 10, links],
        neighbours: 6,
        windows: windows(random, [64, 1024]),
        far: random.between([0, 2]),
        plio: [random.between([4, 40]), random.between([4, 40])],
        fixed: 0,
        statements: [0; 3],
        halves: false,
    }
}

/// Many PLIO, with a few connections between the kernels behind them.
fn outside(random: &mut Random) -> Recipe {
    let kernels = random.between([60, 300]);
    let links = kernels * random.between([80, 180]) / 100;
    let inputs = random.between([40, 180]);
    let outputs = random.between([30, 120]);
    Recipe {
        device: "xcvc1902",
        area: at(random, [50, 8], [50, 8]),
        fence: Fence::None,
        kernels,
        fill: [0, 1000],
        target: 1000,
        links: [kernels / 4, links],
        neighbours: 6,
        windows: windows(random, [256, 4 * KIB]),
        far: random.between([0, 8]),
        plio: [inputs, outputs],
        fixed: random.pick(&[0, 0, 3]).unwrap_or(0),
        statements: statements(random),
        halves: false,
    }
}

/// Up to five sizes of windows, or all sizes.
fn windows(random: &mut Random, [least, most]: [usize; 2]) -> Vec<usize> {
    let any = |random: &mut Random| GRAIN * random.between([least / GRAIN, most / GRAIN]);
    match random.between([0, 5]) {
        0 => (least / GRAIN..=most / GRAIN).map(|grains| grains * GRAIN).collect(),
        few => (0..few).map(|_| any(random)).collect(),
    }
}

/// Constraints of about every third design.
fn statements(random: &mut Random) -> [usize; 3] {
    [(); 3].map(|()| if random.chance(30) { random.between([1, 2]) } else { 0 })
}

/// A rectangle of at least `tiles` tiles, anywhere on an array of `size`.
fn area(random: &mut Random, tiles: usize, size: [usize; 2]) -> [Tile; 2] {
    let [columns, rows] = size;
    let least = tiles.div_ceil(columns);
    let height = random.between([least.max(rows.min(2)), rows.min(tiles.max(2))]);
    at(random, [tiles.div_ceil(height), height], size)
}

/// A rectangle of columns and rows, anywhere on an array of `size`.
fn at(random: &mut Random, [width, height]: [usize; 2], [columns, rows]: [usize; 2]) -> [Tile; 2] {
    let (west, south) = (random.between([0, columns - width]), random.between([0, rows - height]));
    let tile = |column: usize, row: usize| {
        Tile::new(u16::try_from(column).unwrap_or(0), u16::try_from(row).unwrap_or(0))
    };
    [tile(west, south), tile(west + width - 1, south + height - 1)]
}
