//! The parts of a design that a score counts, and the counting of the terms.

use aiec_check::{Checked, columns_for};
use aiec_device::{Device, Grid, Tile, TileId};
use aiec_ir::expanded::Owner;
use aiec_ir::{Carries, ConnectionId, ExternalId, IdVec, KernelId, PortId};

use aiec_timing::TimingProfile;

use super::Terms;
use super::path::Paths;
use crate::lines::{Tiles, nearest};
use crate::objective::{Objective, Term};
use crate::placed::Placed;

aiec_ir::ids! {
    /// A connection between two kernels, by its number among the counted ones.
    pub(crate) LinkId;
}

/// A connection between two kernels.
#[derive(Clone, Debug)]
pub(crate) struct Link {
    pub(crate) connection: ConnectionId,
    /// The port of the producer.
    pub(crate) from: PortId,
    /// The kernels of its ends: producer, then consumer.
    pub(crate) kernels: [KernelId; 2],
    /// Bytes of its window.
    bytes: u64,
    /// False from stream to stream, where no DMA moves the data.
    by_dma: bool,
    /// False if it needs DMA in every placement.
    pub(crate) may_share: bool,
    /// Stated places of its FIFOs, from the producer on.
    stops: Vec<Stop>,
}

/// Column and switch row of the place of a FIFO. The interface row is row 0.
type Stop = [i64; 2];

/// A connection of a kernel to an input or output.
#[derive(Clone, Debug)]
struct Site {
    external: ExternalId,
    /// The end that is a kernel.
    kernel: KernelId,
    bytes: u64,
    /// False for a stream of the kernel.
    by_dma: bool,
    /// For each column, the nearest column in which the shim serves it.
    nearest: Vec<u16>,
    /// Stated places of its FIFOs, from the kernel on.
    stops: Vec<Stop>,
}

/// The counted parts of a design.
#[derive(Clone, Debug)]
pub(crate) struct Measure {
    pub(crate) links: IdVec<LinkId, Link>,
    sites: Vec<Site>,
    paths: Paths,
    timing: TimingProfile,
    /// Number of connections that join no kernel.
    others: u64,
}

/// The positions that the terms depend on.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    /// The tile of each kernel.
    tiles: IdVec<KernelId, Tile>,
    /// For each link: true if it goes through shared memory.
    pub(crate) shared: IdVec<LinkId, bool>,
    /// The shim column of each site.
    columns: Vec<u16>,
}

impl Measure {
    /// The measure of `checked` on `device`.
    pub(crate) fn new(checked: &Checked, device: &Device) -> Self {
        let (mut links, mut sites, mut others) = (IdVec::new(), Vec::new(), 0);
        for (id, connection) in checked.connections.enumerate() {
            let (from, to) = (connection.from, connection.to);
            if checked.goes_by_cascade(id) {
                continue;
            }
            let by_dma = checked.may_use_dma(id);
            let bytes = checked.ports[from].carries.and_then(Carries::block).map_or(0, |block| block.bytes());
            let places = connection.fifo_places.iter();
            let mut stops: Vec<Stop> =
                places.map(|place| [place.column, place.row.map_or(0, |row| row + 1)]).collect();
            match (checked.ports[from].owner, checked.ports[to].owner) {
                (Owner::Kernel(a), Owner::Kernel(b)) => {
                    let kernels = [a, b];
                    let may_share = checked.may_share(from);
                    _ = links.push(Link { connection: id, from, kernels, bytes, by_dma, may_share, stops });
                }
                (Owner::External(external), Owner::Kernel(kernel))
                | (Owner::Kernel(kernel), Owner::External(external)) => {
                    let columns = columns_for(checked, device, external);
                    let nearest = nearest(&columns, device);
                    if checked.kernel_of(from).is_none() {
                        stops.reverse();
                    }
                    sites.push(Site { external, kernel, bytes, by_dma, nearest, stops });
                }
                (Owner::External(_), Owner::External(_)) => others += 1,
            }
        }
        let paths = Paths::new(checked, &links);
        Self { links, sites, paths, timing: TimingProfile::thesis(), others }
    }

    /// The layout with kernels on `tiles`. Links between cores that share a module go through
    /// shared memory, and inputs and outputs enter at the nearest column that serves them.
    pub(crate) fn assigned(&self, grid: &Grid, tiles: &Tiles, gap: impl Fn(TileId, TileId) -> i64) -> Layout {
        let shares = |link: &Link| {
            let [a, b] = link.kernels.map(|kernel| tiles[kernel]);
            link.may_share && gap(a, b) == 0
        };
        let shared = self.links.iter().map(shares).collect();
        let tiles: IdVec<KernelId, Tile> = tiles.iter().map(|&id| grid.tile(id)).collect();
        let column = |site: &Site| {
            let own = tiles[site.kernel].column;
            site.nearest.get(usize::from(own)).copied().unwrap_or(own)
        };
        let columns = self.sites.iter().map(column).collect();
        Layout { tiles, shared, columns }
    }

    /// The layout of a verified placement.
    pub(super) fn placed(&self, placed: &Placed) -> Layout {
        Layout {
            tiles: placed.kernels.iter().copied().collect(),
            shared: self.links.iter().map(|link| placed.is_shared_port(link.from)).collect(),
            columns: self.sites.iter().map(|site| placed.shims[site.external].column).collect(),
        }
    }

    /// All terms of a layout, except the criteria above them.
    pub(crate) fn terms(&self, layout: &Layout) -> Terms {
        let [dma, bytes, path, wire, compact] = Term::ALL.map(|term| self.term(term, layout));
        Terms { unkept: 0, overload: 0, dma, bytes, path, wire, compact }
    }

    /// One term of a layout.
    fn term(&self, term: Term, layout: &Layout) -> u64 {
        match term {
            Term::Dma => {
                let cut = self.cut(layout).filter(|link| link.by_dma).count();
                (cut + self.sites_by_dma()) as u64 + self.others
            }
            Term::Bytes => {
                let sites: u64 = self.sites.iter().map(|site| site.bytes).sum();
                self.cut(layout).map(|link| link.bytes).sum::<u64>() + sites
            }
            Term::Path => self.paths.longest(|at| self.latency(at, layout)),
            Term::Wire => {
                let links = self.cut(layout).map(|link| layout.distance(link));
                let sites = self.sites.iter().zip(&layout.columns);
                links.chain(sites.map(|(site, &column)| layout.way(site, column))).sum()
            }
            Term::Compact => spread(layout.tiles.as_slice()),
        }
    }

    /// Number of connections that need DMA in every placement.
    pub(crate) fn always(&self) -> u64 {
        let links = self.links.iter().filter(|link| link.by_dma && !link.may_share).count();
        (links + self.sites_by_dma()) as u64 + self.others
    }

    /// Connections to inputs and outputs that a DMA serves.
    fn sites_by_dma(&self) -> usize {
        self.sites.iter().filter(|site| site.by_dma).count()
    }

    /// True if `objective` prefers `layout` to the terms `than`. Counts only the terms that decide.
    pub(crate) fn is_better(&self, layout: &Layout, than: &Terms, objective: &Objective) -> bool {
        let compared = objective.terms().map(|term| self.term(term, layout).cmp(&than.value(term)));
        compared.into_iter().find(|order| order.is_ne()).is_some_and(std::cmp::Ordering::is_lt)
    }

    /// Links that go by DMA.
    fn cut<'a>(&'a self, layout: &'a Layout) -> impl Iterator<Item = &'a Link> {
        self.links.iter().zip(layout.shared.iter()).filter(|(_, shared)| !**shared).map(|(link, _)| link)
    }

    /// Latency of a window over a link, in 1/100 array cycles.
    fn latency(&self, at: LinkId, layout: &Layout) -> u64 {
        let (link, window) = (&self.links[at], &self.timing.window);
        let by_dma = || {
            let distance = u32::try_from(layout.distance(link)).unwrap_or(u32::MAX);
            let rest = self.timing.stream(link.bytes.saturating_sub(window.measured_bytes));
            self.timing.dma_latency(distance) + rest as f64
        };
        let latency = if layout.shared[at] { window.shared_latency } else { by_dma() };
        (latency * 100.0).round() as u64
    }
}

impl Layout {
    fn distance(&self, link: &Link) -> u64 {
        let [a, b] = link.kernels.map(|kernel| self.stop(kernel));
        way(a, &link.stops, b)
    }

    /// The switch of the core that runs `kernel`.
    fn stop(&self, kernel: KernelId) -> Stop {
        let tile = self.tiles[kernel];
        [tile.column.into(), i64::from(tile.row) + 1]
    }

    /// Tiles from a core to the interface row, which lies below core row 0.
    fn way(&self, site: &Site, column: u16) -> u64 {
        way(self.stop(site.kernel), &site.stops, [column.into(), 0])
    }
}

/// Tiles of wire from `from` past `stops` to `to`.
fn way(from: Stop, stops: &[Stop], to: Stop) -> u64 {
    let mut at = from;
    let next = stops.iter().chain([&to]);
    let leg = |&stop: &Stop| {
        let [columns, rows] = [0, 1].map(|axis| at[axis].abs_diff(stop[axis]));
        at = stop;
        columns + rows
    };
    next.map(leg).sum()
}

/// Sum of the distances in columns of these tiles, each counted once, from their median column.
fn spread(tiles: &[Tile]) -> u64 {
    let mut tiles = tiles.to_vec();
    tiles.sort_unstable();
    tiles.dedup();
    let Some(middle) = tiles.get(tiles.len() / 2).map(|tile| tile.column) else { return 0 };
    tiles.iter().map(|tile| u64::from(tile.column.abs_diff(middle))).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_way_passes_its_stops_in_order() {
        assert_eq!(way([2, 1], &[], [5, 3]), 5);
        assert_eq!(way([2, 1], &[[2, 4]], [5, 3]), 3 + 4);
        assert_eq!(way([2, 1], &[[5, 3], [2, 1]], [5, 3]), 15);
    }
}
