//! Patterns of traffic: the destination of each node of a grid.
//!
//! Nodes are numbered by rows from the south, and within a row from the west. The patterns are
//! those of Dally and Towles, "Principles and Practices of Interconnection Networks" (2004),
//! section 3.2.

use std::fmt;

use aiec_placer::{Random, mixed};
use aiec_timing::network::{Barrier, Network};

/// Limit on the permutations of `random:N`. At 50 ms each they take eight minutes on one processor.
const MOST_PERMUTATIONS: u32 = 10_000;

/// A rectangle of nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid {
    /// Nodes in a row.
    pub(crate) columns: u16,
    /// Nodes in a column.
    pub(crate) rows: u16,
}

impl fmt::Display for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.columns, self.rows)
    }
}

impl Grid {
    /// The number of nodes.
    pub(crate) const fn nodes(self) -> usize {
        self.columns as usize * self.rows as usize
    }

    /// Column and row of a node.
    pub(crate) const fn place(self, node: usize) -> (usize, usize) {
        (node % self.columns as usize, node / self.columns as usize)
    }

    const fn node(self, column: usize, row: usize) -> usize {
        row * self.columns as usize + column
    }

    /// Bits of a node's number. Returns None when the number of nodes is no power of two.
    fn bits(self) -> Option<u32> {
        self.nodes().is_power_of_two().then(|| self.nodes().trailing_zeros())
    }
}

/// A grid as `8x8`.
pub(crate) fn parse_grid(text: &str) -> Result<Grid, String> {
    let sides = text.split_once('x').and_then(|(columns, rows)| {
        Some((columns.parse::<u16>().ok().filter(|&n| n > 0)?, rows.parse::<u16>().ok().filter(|&n| n > 0)?))
    });
    let (columns, rows) = sides.ok_or("write columns and rows, such as 8x8")?;
    Ok(Grid { columns, rows })
}

/// A rule that gives each node its destination.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// Column and row change places.
    Transpose,
    /// The bits of a number move left by one, the first to the end.
    Shuffle,
    /// The bits of a number in the opposite order.
    BitReverse,
    /// All bits of a number inverted.
    BitComplement,
    /// The next column and the next row, around at the ends.
    Neighbour,
    /// All to the node in the middle, as packets.
    Hotspot,
    /// That many random permutations.
    Random(u32),
    /// All nodes wait for each other.
    Barrier(Barrier),
    /// One message at a time, from node 0 over each number of hops.
    OneWay,
    /// The same, and an answer.
    RoundTrip,
}

/// The patterns without a number.
const NAMED: [(&str, Pattern); 11] = [
    ("transpose", Pattern::Transpose),
    ("shuffle", Pattern::Shuffle),
    ("bit-reverse", Pattern::BitReverse),
    ("bit-complement", Pattern::BitComplement),
    ("neighbour", Pattern::Neighbour),
    ("hotspot", Pattern::Hotspot),
    ("barrier-flat", Pattern::Barrier(Barrier::Flat)),
    ("barrier-hub", Pattern::Barrier(Barrier::Hub)),
    ("barrier-hypercube", Pattern::Barrier(Barrier::Hypercube)),
    ("one-way", Pattern::OneWay),
    ("round-trip", Pattern::RoundTrip),
];

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self, NAMED.iter().find(|(_, pattern)| pattern == self)) {
            (Self::Random(number), _) => write!(f, "random:{number}"),
            (_, named) => f.write_str(named.map_or("", |(name, _)| name)),
        }
    }
}

/// A pattern by its name.
pub(crate) fn parse_pattern(text: &str) -> Result<Pattern, String> {
    if let Some((_, pattern)) = NAMED.iter().find(|(name, _)| *name == text) {
        return Ok(*pattern);
    }
    let number = text.strip_prefix("random:").and_then(|number| number.parse().ok());
    match number.filter(|number| (1..=MOST_PERMUTATIONS).contains(number)) {
        Some(number) => Ok(Pattern::Random(number)),
        None if text.starts_with("random") => {
            Err(format!("write random:N with N from 1 to {MOST_PERMUTATIONS}"))
        }
        None => {
            let names: Vec<&str> = NAMED.iter().map(|(name, _)| *name).collect();
            Err(format!("the patterns are {}, random:N", names.join(", ")))
        }
    }
}

impl Pattern {
    /// The number of different runs.
    pub(crate) const fn runs(self) -> u32 {
        match self {
            Self::Random(number) => number,
            _ => 1,
        }
    }

    /// True for barriers, whose nodes have times and whose messages have no size.
    pub(crate) const fn is_barrier(self) -> bool {
        matches!(self, Self::Barrier(_))
    }

    /// True for patterns that only networks have.
    pub(crate) const fn is_of_networks(self) -> bool {
        matches!(self, Self::OneWay | Self::RoundTrip)
    }

    /// The destination of each node of a network in one run. Patterns of places and bits permute
    /// routers: a node sends to the one with its number at the other router. Fails for a network
    /// that the pattern does not fit.
    pub(crate) fn over(self, network: &Network, seed: u64, run: u32) -> Result<Vec<usize>, String> {
        let (columns, rows) = network.plane();
        let side = |routers: usize| u16::try_from(routers).map_err(|_| "it has too many routers".to_owned());
        let routers = Grid { columns: side(columns)?, rows: side(rows)? };
        let nodes = network.nodes as usize;
        match self {
            Self::Random(_) => Ok(shuffled(network.node_count(), seed, run)),
            Self::Hotspot => Ok(vec![routers.node(columns / 2, rows / 2) * nodes; network.node_count()]),
            _ => {
                let to = self.destinations(routers, seed, run)?;
                Ok((0..network.node_count()).map(|node| to[node / nodes] * nodes + node % nodes).collect())
            }
        }
    }

    /// The destination of each node in one run. A node that is its own destination sends nothing.
    /// Fails for a grid that the pattern does not fit.
    pub(crate) fn destinations(self, grid: Grid, seed: u64, run: u32) -> Result<Vec<usize>, String> {
        if self == Self::Transpose && grid.columns != grid.rows {
            return Err("it needs a grid with as many columns as rows".to_owned());
        }
        let bits = grid.bits();
        let nodes = || 0..grid.nodes();
        let by_bits = |to: &dyn Fn(usize, u32) -> usize| {
            let bits = bits.ok_or("it needs a grid whose number of nodes is a power of two")?;
            Ok(nodes().map(|node| to(node, bits)).collect())
        };
        match self {
            Self::Shuffle => by_bits(&|node, bits| rotated(node, bits)),
            Self::BitReverse => by_bits(&|node, bits| reversed(node, bits)),
            Self::BitComplement => by_bits(&|node, _| grid.nodes() - 1 - node),
            Self::Random(_) => Ok(shuffled(grid.nodes(), seed, run)),
            Self::Barrier(_) | Self::OneWay | Self::RoundTrip => Ok(vec![0; grid.nodes()]),
            Self::Transpose | Self::Neighbour | Self::Hotspot => {
                Ok(nodes().map(|node| self.to(grid, node)).collect())
            }
        }
    }

    /// The destination of a node in a pattern of places.
    fn to(self, grid: Grid, node: usize) -> usize {
        let (column, row) = grid.place(node);
        let (columns, rows) = (usize::from(grid.columns), usize::from(grid.rows));
        match self {
            Self::Transpose => grid.node(row, column),
            Self::Neighbour => grid.node((column + 1) % columns, (row + 1) % rows),
            _ => grid.node(columns / 2, rows / 2),
        }
    }
}

const fn rotated(node: usize, bits: u32) -> usize {
    let first = if bits == 0 { 0 } else { node >> (bits - 1) & 1 };
    node << 1 & ((1 << bits) - 1) | first
}

fn reversed(node: usize, bits: u32) -> usize {
    (0..bits).filter(|bit| node >> bit & 1 == 1).map(|bit| 1 << (bits - 1 - bit)).sum()
}

/// A permutation, each with equal chances (Fisher and Yates). It depends on seed and run alone.
fn shuffled(nodes: usize, seed: u64, run: u32) -> Vec<usize> {
    let mut random = Random::new(mixed(seed ^ mixed(u64::from(run).wrapping_add(1))));
    let mut all: Vec<usize> = (0..nodes).collect();
    for last in (1..nodes).rev() {
        let chosen = random.bits() % (last as u64 + 1);
        all.swap(last, usize::try_from(chosen).unwrap_or(last));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    const FOUR: Grid = Grid { columns: 4, rows: 4 };

    fn of(name: &str, grid: Grid) -> Result<Vec<usize>, String> {
        parse_pattern(name).expect("a name").destinations(grid, 1, 0)
    }

    #[test]
    fn patterns_of_bits_are_those_of_the_textbook() {
        let grid = Grid { columns: 4, rows: 2 };
        for (name, expected) in [
            ("shuffle", [0, 2, 4, 6, 1, 3, 5, 7]),
            ("bit-reverse", [0, 4, 2, 6, 1, 5, 3, 7]),
            ("bit-complement", [7, 6, 5, 4, 3, 2, 1, 0]),
            ("neighbour", [5, 6, 7, 4, 1, 2, 3, 0]),
            ("hotspot", [6; 8]),
        ] {
            assert_eq!(of(name, grid), Ok(expected.to_vec()), "{name}");
        }
    }

    #[test]
    fn the_transpose_of_a_square_moves_its_bits_by_half_of_their_number() {
        let by_bits: Vec<usize> = (0..16).map(|node| node << 2 & 15 | node >> 2).collect();
        assert_eq!(of("transpose", FOUR), Ok(by_bits));
    }

    #[test]
    fn a_grid_that_does_not_fit_has_a_reason() {
        let grid = Grid { columns: 3, rows: 4 };
        assert!(of("transpose", grid).is_err_and(|reason| reason.contains("as many columns as rows")));
        assert!(of("shuffle", grid).is_err_and(|reason| reason.contains("power of two")));
        assert!(of("neighbour", grid).is_ok());
        assert_eq!(of("shuffle", Grid { columns: 1, rows: 1 }), Ok(vec![0]));
    }

    #[test]
    fn a_random_permutation_depends_on_seed_and_run_and_loses_no_node() {
        let run = |seed, run| Pattern::Random(9).destinations(FOUR, seed, run).expect("fits every grid");
        let mut sorted = run(1, 0);
        sorted.sort_unstable();
        assert!(sorted.into_iter().eq(0..16));
        assert_eq!(run(1, 0), run(1, 0));
        assert_ne!(run(1, 0), run(1, 1));
        assert_ne!(run(1, 0), run(2, 0));
    }

    #[test]
    fn random_destinations_are_about_equally_frequent() {
        let mut seen = [0_u32; 16];
        (0..1600).for_each(|run| seen[shuffled(16, 1, run)[0]] += 1);
        // 100 are expected; 10 is the standard deviation.
        assert!(seen.iter().all(|count| (60..140).contains(count)), "{seen:?}");
    }

    #[test]
    fn names_and_grids_are_read_and_wrong_ones_have_a_reason() {
        for name in ["transpose", "bit-reverse", "random:1000"] {
            assert_eq!(parse_pattern(name).map(|pattern| pattern.to_string()).as_deref(), Ok(name));
        }
        assert!(parse_pattern("tornado").is_err_and(|reason| reason.contains("bit-complement")));
        assert!(parse_pattern("random:0").is_err_and(|reason| reason.contains("from 1 to")));
        assert_eq!(parse_grid("8x4"), Ok(Grid { columns: 8, rows: 4 }));
        for wrong in ["8", "0x8", "8x", "8x-1", "70000x1"] {
            assert!(parse_grid(wrong).is_err(), "{wrong}");
        }
    }
}
