//! Collectives as schedules: which rank is linked to which, and what every rank does with its
//! windows.
//!
//! A [`Plan`] holds an operation, a shape, the number of ranks, a root and the windows of a block.
//! It gives the [`Link`]s between ranks, in the order in which every rank numbers its ports, and
//! for each rank a list of [`Phase`]s. A step of a phase handles one window: it takes one from each
//! of some ports, combines or stores it, and gives the outcome to some ports. The C++ headers
//! follow the same steps and the event model times them. The tests of this crate interpret them
//! with one buffer in each link, and compare what each rank has in the end with the definition in
//! MPI.
//!
//! Programs with [repetitions](repeats) hold the operations of a rank in a run.
//!
//! All operations and shapes stand in one [table](Row). A new operation is one file with its row.

mod active;
mod allgather;
mod allreduce;
mod alltoall;
mod barrier;
mod broadcast;
mod butterfly;
mod channel;
mod class;
mod clock;
mod data;
mod gather;
#[cfg(test)]
mod interpret;
mod legal;
mod mailbox;
mod merge;
mod operation;
mod pace;
mod rank;
mod reduce;
mod reduce_scatter;
pub mod repeats;
mod ring;
mod rooted;
mod scan;
mod scatter;
mod sendrecv;
mod table;
#[cfg(test)]
mod tests;
pub mod text;
mod trees;
mod types;
pub mod value;

pub use active::{Handler, ServedBuffer, Services};
pub use channel::Relay;
pub use class::{Class, Seat};
pub use data::{Data, Definition, Layout};
pub use legal::{Combining, Illegal, legal};
pub use operation::{Operation, Shape};
pub use pace::{Costs, Guide, Schedule, StepCost, busy, call_cycles, finish_times, longest_way};
pub use rank::{LinkId, Rank};
pub use table::{Algorithm, Call, Row, Waits, Ways, Wire};
pub use trees::Tree;
pub use types::{
    Buffering, Carrier, Direction, ElementType, Loops, Operator, PortKind, ReduceOp, WindowType,
};
pub use value::ReferenceError;

use table::Order;

/// A collective to be scheduled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// What the ranks do together, as in MPI.
    pub operation: Operation,
    /// The shape of its links.
    pub shape: Shape,
    /// Number of ranks, at least 2.
    pub size: u32,
    /// The root; 0 where the operation has none.
    pub root: Rank,
    /// Windows of each rank's block: all equal but for gather and scatter with counts. For an
    /// allreduce over a ring, windows of one of `size` parts of the data.
    pub windows: Vec<u32>,
    /// For a scan: each rank gets the combination of the ranks before it, without its own data.
    pub exclusive: bool,
    /// For a gather: a header window with its count goes ahead of every rank's block, of which
    /// `windows` are then the most.
    pub headed: bool,
    /// For a sendrecv or channel: the rank that each rank sends to.
    pub partners: Vec<Option<Rank>>,
    /// For a channel to any peer: its packets.
    pub relay: Option<Relay>,
    /// For active messages: what the owner serves.
    pub services: Services,
}

/// A connection from one rank to another one, or to several at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// The rank that sends.
    pub from: Rank,
    /// The receivers; more than one share a net.
    pub to: Vec<Rank>,
}

/// The ports of a link, counted at each rank by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ends {
    /// The sender's output port.
    pub from: usize,
    /// The input port of each receiver.
    pub to: Vec<usize>,
}

/// Steps that are repeated for each window of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Phase {
    /// Number of repetitions: for the windows `0..times` of the blocks that the steps name.
    pub times: u32,
    /// The steps for each window.
    pub steps: Vec<Step>,
}

/// A block of a rank's memory; a step handles one window of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cell {
    /// Of the array that is handed in, which is also that of the result where an operation works in
    /// place.
    Own(u32),
    /// Of the array that the result goes to.
    Found(u32),
}

/// What a step leaves in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// No cell changes.
    Nothing,
    /// What it gives.
    Combined(Cell),
    /// What it took, without its own data.
    Taken(Cell),
    /// The packet that it took, in the [`Cell::Found`] of the rank that sent it.
    Sorted,
}

/// What the ports of a step carry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Carry {
    /// Windows of the collective.
    Windows,
    /// One packet of a merged stream is taken, which is read word by word: no window is held. It
    /// may come from any sender, and is the next window of that sender's block, whatever window the
    /// phase is at.
    Packet,
    /// Words of streams that the core reads and writes itself: no window is held.
    Words,
    /// Windows of the smallest size, without content.
    Signal,
}

/// One pass over one window: all windows of `take` and `give` are held at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Input ports, in the order in which their windows are combined.
    pub take: Vec<u32>,
    /// Number of them that are combined before the rank's own data.
    pub before: u32,
    /// The rank's own data that takes part.
    pub own: Option<Cell>,
    /// What the rank stores.
    pub keep: Keep,
    /// Output ports that get the outcome.
    pub give: Vec<u32>,
    /// What is taken and given.
    pub carry: Carry,
    /// True if the outcome is the call's result: a root with a window for the result fills it.
    pub result: bool,
}

impl Step {
    /// Sends own data.
    fn send(cell: Cell, to: u32) -> Self {
        Self { own: Some(cell), give: vec![to], ..Self::nothing() }
    }

    /// Neither takes nor gives anything.
    const fn nothing() -> Self {
        Self {
            take: Vec::new(),
            before: 0,
            own: None,
            keep: Keep::Nothing,
            give: Vec::new(),
            carry: Carry::Windows,
            result: false,
        }
    }

    /// Sends a window that is not of its data.
    fn announce(to: u32) -> Self {
        Self { give: vec![to], ..Self::nothing() }
    }

    /// Receives a window of which nothing stays.
    fn read(from: u32) -> Self {
        Self { take: vec![from], ..Self::nothing() }
    }

    /// Receives and stores.
    fn receive(from: u32, cell: Cell) -> Self {
        Self { take: vec![from], keep: Keep::Combined(cell), ..Self::nothing() }
    }

    /// Receives, combines with own data and stores; what is received comes first if `lower`.
    fn combine(from: u32, lower: bool, own: Cell, keep: Cell) -> Self {
        Self {
            take: vec![from],
            before: u32::from(lower),
            own: Some(own),
            keep: Keep::Combined(keep),
            ..Self::nothing()
        }
    }

    /// Passes on what it receives.
    fn forward(from: u32, to: u32) -> Self {
        Self { take: vec![from], give: vec![to], ..Self::nothing() }
    }

    /// Moves own data within the rank.
    fn copy(from: Cell, to: Cell) -> Self {
        Self { own: Some(from), keep: Keep::Combined(to), ..Self::nothing() }
    }
}

impl Plan {
    /// A plan with one window in each block.
    pub fn new(operation: Operation, shape: Shape, size: u32) -> Self {
        Self {
            operation,
            shape,
            size,
            root: Rank(0),
            windows: vec![1; size as usize],
            exclusive: false,
            headed: false,
            partners: Vec::new(),
            relay: None,
            services: Services::default(),
        }
    }

    /// True if the links are cascade streams: they carry no windows and have no ports for them.
    pub const fn is_cascade(&self) -> bool {
        matches!(self.shape, Shape::Cascade)
    }

    /// True if what comes to the root is merged into one stream of packets, which is one input port
    /// of it.
    pub const fn is_merged(&self) -> bool {
        matches!(self.shape, Shape::Merge)
    }

    /// True for a rank that takes packets instead of windows.
    pub const fn takes_packets(&self, rank: Rank) -> bool {
        self.is_merged() && rank.0 == self.root.0
    }

    /// True if the root carries packets between all other ranks: they are merged into its input,
    /// and its output is split to them.
    pub const fn is_relay(&self) -> bool {
        matches!(self.shape, Shape::Relay)
    }

    /// True for a mailbox: packets of all other ranks are merged into the root's input.
    pub const fn is_mailbox(&self) -> bool {
        matches!(self.shape, Shape::Mailbox)
    }

    /// True for active messages: requests of all other ranks are merged into the root's input, and
    /// its output is split to them.
    pub const fn is_active(&self) -> bool {
        matches!(self.shape, Shape::Active)
    }

    /// True if kernels write and read packets themselves, which are merged into the root's input.
    pub const fn goes_by_packets(&self) -> bool {
        self.splits_output() || self.is_mailbox()
    }

    /// True if packets of the root's output are split to all other ranks.
    pub const fn splits_output(&self) -> bool {
        self.is_relay() || self.is_active()
    }

    /// True if the ports of `rank` in this direction carry packets that kernels write and read. Of
    /// a mailbox only those to the root do.
    pub fn has_packets(&self, rank: Rank, direction: Direction) -> bool {
        let to_root = (rank == self.root) == (direction == Direction::In);
        self.splits_output() || self.is_mailbox() && to_root
    }

    /// True if links into `rank` share one port.
    const fn joins_links(&self, rank: Rank) -> bool {
        (self.is_merged() || self.goes_by_packets()) && rank.0 == self.root.0
    }

    /// True if the root of a merge signals the others at the start of each call that they may send.
    /// Needed where no answer of the root holds back a rank that is a call ahead.
    pub const fn has_go(&self) -> bool {
        self.is_merged() && matches!(self.row().ways, Ways::Up)
    }

    /// True if the ports of `rank` in this direction carry these signals, which are windows of the
    /// smallest size.
    pub fn is_signal(&self, rank: Rank, direction: Direction) -> bool {
        self.has_go() && (rank == self.root) == (direction == Direction::Out)
    }

    /// Number of packet streams that are merged at the root. Returns None when nothing is merged.
    pub const fn merged_streams(&self) -> Option<u32> {
        if self.is_merged() { Some(self.size.saturating_sub(1)) } else { None }
    }

    /// The ports of `links`, which are those of this plan. Link `i` into a rank is its input port
    /// `i`. Link `i` out of a rank is its output port `i`. Merged links share the root's input port
    /// 0.
    pub fn ends(&self, links: &[Link]) -> Vec<Ends> {
        let mut next = vec![(0, 0); self.size as usize];
        let mut ends = Vec::with_capacity(links.len());
        for link in links {
            let from = next[link.from.index()].1;
            next[link.from.index()].1 += 1;
            let into = |&to: &Rank| {
                let next = &mut next[to.index()].0;
                let port = if self.joins_links(to) { 0 } else { *next };
                *next = port + 1;
                port
            };
            ends.push(Ends { from, to: link.to.iter().map(into).collect() });
        }
        ends
    }

    /// The links. [`Plan::ends`] says which ports they have.
    pub fn links(&self) -> Vec<Link> {
        (self.algorithm().links)(self, &self.tree())
    }

    /// What `rank` does in one call.
    pub fn program(&self, rank: Rank) -> Vec<Phase> {
        self.programs(std::iter::once(rank)).pop().unwrap_or_default()
    }

    /// Input and output ports of each rank but those of cascades; a merged stream of packets is
    /// one.
    pub fn port_counts(&self) -> Vec<(usize, usize)> {
        let mut counts = vec![(0, 0); self.size as usize];
        if self.is_cascade() {
            return counts;
        }
        let links = self.links();
        for (link, ends) in links.iter().zip(self.ends(&links)) {
            counts[link.from.index()].1 = ends.from + 1;
            link.to.iter().zip(ends.to).for_each(|(&to, port)| counts[to.index()].0 = port + 1);
        }
        counts
    }

    /// Windows that each input and output port of `rank` passes in one call. Empty without a
    /// program.
    pub fn windows_through(&self, rank: Rank) -> (Vec<u32>, Vec<u32>) {
        let program = self.program(rank);
        let steps =
            || program.iter().flat_map(|phase| phase.steps.iter().map(move |step| (phase.times, step)));
        let sums = |ports: &mut dyn Iterator<Item = (u32, u32)>| {
            let mut sums: Vec<u32> = Vec::new();
            for (port, times) in ports {
                let port = port as usize;
                sums.resize(sums.len().max(port + 1), 0);
                sums[port] = sums[port].saturating_add(times);
            }
            sums
        };
        let of = |ports: fn(&Step) -> &[u32]| {
            sums(
                &mut steps()
                    .flat_map(move |(times, step)| ports(step).iter().map(move |&port| (port, times))),
            )
        };
        (of(|step| &step.take), of(|step| &step.give))
    }

    /// Ranks in the order in which they are listed: from the root down, where there is a tree.
    pub fn order(&self) -> Vec<Rank> {
        match self.has_tree() {
            true => self.tree().order,
            false => Rank::all(self.size).collect(),
        }
    }

    /// True if the links are those of a rooted tree.
    pub fn has_tree(&self) -> bool {
        self.algorithm().tree.is_some()
    }

    /// What all ranks do in one call.
    pub fn all_programs(&self) -> Vec<Vec<Phase>> {
        self.programs(Rank::all(self.size))
    }

    fn programs(&self, ranks: impl Iterator<Item = Rank>) -> Vec<Vec<Phase>> {
        let (program, tree) = (self.algorithm().program, self.tree());
        ranks.map(|rank| program(self, &tree, rank)).collect()
    }

    /// The tree of a rooted shape; of other shapes, all ranks below the root.
    pub fn tree(&self) -> Tree {
        self.algorithm().tree.map_or_else(|| trees::flat(self.size, self.root), |tree| tree(self))
    }

    /// True if contributions are combined in rank order, so that the operator need not be
    /// commutative.
    pub fn keeps_rank_order(&self) -> bool {
        match self.algorithm().order {
            Order::Ranks => true,
            Order::Tree => !self.row().combines || self.tree().is_in_rank_order(),
            Order::Any => !self.row().combines,
        }
    }

    /// What a rank waits for before it leaves a call. In a tree with both directions: all ranks.
    pub fn waits(&self) -> Waits {
        match (self.algorithm().waits, self.row().ways) {
            (Waits::Senders, Ways::Both) => Waits::All,
            (waits, _) => waits,
        }
    }

    /// An upper bound on the steps of all programs together, that needs none of them.
    pub fn volume(&self) -> u64 {
        let size = u64::from(self.size);
        size.saturating_mul((self.algorithm().most_steps)(size))
    }

    /// One phase with these steps for each window of a block.
    fn steps(&self, steps: Vec<Step>) -> Vec<Phase> {
        vec![Phase { times: self.chunks(), steps }]
    }

    /// Windows of a block where all blocks are equal.
    fn chunks(&self) -> u32 {
        self.windows.first().copied().unwrap_or(1)
    }

    fn windows_of(&self, rank: Rank) -> u32 {
        self.windows.get(rank.index()).copied().unwrap_or(0)
    }

    /// The rank `distance` after `rank`, wrapping around.
    const fn after(&self, rank: Rank, distance: u32) -> Rank {
        Rank((rank.0 + distance % self.size) % self.size)
    }

    /// The rank `distance` before `rank`, wrapping around.
    const fn before(&self, rank: Rank, distance: u32) -> Rank {
        Rank((rank.0 + self.size - distance % self.size) % self.size)
    }
}
