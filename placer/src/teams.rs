//! Groups kernels into teams that run on one core, before the tiles are chosen.
//!
//! Takes a checked design and its rules, returns teams of kernels. Kernels that a constraint puts
//! on one tile start as a team. Other kernels join only if there are too few tiles, on the whole
//! array or in a region: first those that exchange the most data, then those that fill cores best
//! (bin packing). A team keeps all limits of a core: its time (runtime ratios, UG1079), its program
//! memory, and one module for stacks, heaps and sync area.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use aiec_check::Checked;
use aiec_device::{Device, Grid, Tile, TileId};
use aiec_ir::{IdVec, KernelId, WHOLE_CORE};

use crate::demand;
use crate::matching::Matching;
use crate::rules::Rules;

/// Kernels by the core they run on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Teams {
    /// The kernels of each team, in ascending order.
    pub(crate) members: Vec<Vec<KernelId>>,
    /// The team of each kernel.
    pub(crate) of: Vec<usize>,
}

/// Kernels with too few tiles (a Hall violator).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Shortage {
    /// Kernels that may only use the same few tiles.
    pub(crate) kernels: Vec<KernelId>,
    /// Number of cores they need after joining as many as possible.
    pub(crate) demand: usize,
    /// Number of tiles they may use.
    pub(crate) supply: usize,
}

impl Teams {
    /// One team per kernel, as long as there are enough tiles.
    pub(crate) fn new(
        checked: &Checked,
        device: &Device,
        grid: &Grid,
        rules: &Rules,
    ) -> Result<Self, Shortage> {
        let limits = Limits::new(checked, device, rules);
        let mut union = Union::forced(checked, &limits, rules);
        let tiles = grid.open_tiles();
        let start = union.clone();
        union.join_partners(checked, tiles);
        union.fill(tiles, true);
        if union.count > tiles {
            union = start;
            union.fill(tiles, false);
        }
        union.make_room()?;
        Ok(union.teams())
    }

    /// As few cores as possible: joins kernels that exchange windows or must share memory, even if
    /// there are enough tiles. Returns None when some team then has no tile.
    pub(crate) fn close(checked: &Checked, device: &Device, rules: &Rules) -> Option<Self> {
        let limits = Limits::new(checked, device, rules);
        let mut union = Union::forced(checked, &limits, rules);
        union.join_partners(checked, 1);
        for &(a, b) in &rules.together {
            if union.leader[a] != union.leader[b] && union.fits(a, b) {
                union.join(a, b);
            }
        }
        union.make_room().ok()?;
        Some(union.teams())
    }

    /// Makes a team of all kernels on the same tile.
    pub(crate) fn on(checked: &Checked, tiles: &[TileId]) -> Self {
        let mut number: BTreeMap<TileId, usize> = BTreeMap::new();
        let mut teams = Self { members: Vec::new(), of: Vec::new() };
        for (kernel, &tile) in checked.kernels.ids().zip(tiles) {
            let team = *number.entry(tile).or_insert(teams.members.len());
            teams.members.resize(teams.members.len().max(team + 1), Vec::new());
            teams.members[team].push(kernel);
            teams.of.push(team);
        }
        teams
    }

    /// The tile of each team, from the tiles of its kernels. Returns None when a team's kernels are
    /// on different tiles.
    pub(crate) fn tiles(&self, grid: &Grid, kernels: &IdVec<KernelId, Tile>) -> Option<Vec<TileId>> {
        let first = |team: &Vec<KernelId>| grid.id(*kernels.get(*team.first()?)?);
        self.members.iter().map(first).collect()
    }

    /// The value of each team, from the values of its kernels. Returns None when these differ.
    pub(crate) fn gather<T: Copy>(&self, of_kernels: &[T]) -> Option<Vec<T>> {
        self.members.iter().map(|team| of_kernels.get(team.first()?.index()).copied()).collect()
    }

    /// Copies the value of each team to its kernels.
    pub(crate) fn spread<T: Copy>(&self, of_teams: &[T]) -> Vec<T> {
        self.of.iter().map(|&team| of_teams[team]).collect()
    }
}

/// Pairs of kernels that constraints put on one tile.
fn forced(rules: &Rules, kernels: usize) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    for group in &rules.groups {
        pairs.extend(group.on_one_tile());
    }
    let mut on: BTreeMap<usize, usize> = BTreeMap::new();
    for kernel in (0..kernels).filter(|&kernel| rules.is_narrowed(kernel)) {
        let mut tiles = rules.allowed(kernel).iter().enumerate().filter(|(_, allowed)| **allowed);
        if let (Some((tile, _)), None) = (tiles.next(), tiles.next()) {
            pairs.push((*on.entry(tile).or_insert(kernel), kernel));
        }
    }
    pairs.retain(|(a, b)| a != b);
    pairs
}

/// Limits of a core and needs of the kernels.
struct Limits {
    /// All kernels.
    ids: Vec<KernelId>,
    /// True for kernels that need a core of their own.
    alone: Vec<bool>,
    /// Share of a core's time of each kernel, in 1/1000.
    shares: Vec<u64>,
    /// Bytes of stack and heap of each kernel.
    stacks: Vec<u64>,
    /// Bytes of program memory of a core.
    program: u64,
    /// Bytes of a module.
    system: u64,
    /// Bytes of a core's sync area.
    sync: u64,
    /// For each kernel, the kernels it exchanges windows with.
    partners: BTreeMap<usize, BTreeSet<usize>>,
    /// For each kernel, the kernels it must not share memory with.
    apart: BTreeMap<usize, BTreeSet<usize>>,
    /// Kernels that belong to a formation.
    tied: BTreeSet<usize>,
}

impl Limits {
    fn new(checked: &Checked, device: &Device, rules: &Rules) -> Self {
        let mut apart: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
        for &(a, b) in &rules.apart {
            apart.entry(a).or_default().insert(b);
            apart.entry(b).or_default().insert(a);
        }
        let mut partners: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
        for (a, b) in exchanges(checked) {
            partners.entry(a).or_default().insert(b);
            partners.entry(b).or_default().insert(a);
        }
        let sync = u64::from(device.memory.sync_bytes);
        let stack = |kernel| checked.core_system_bytes(&[kernel], device) - sync;
        Self {
            ids: checked.kernels.ids().collect(),
            alone: checked.alone().iter().map(Option::is_some).collect(),
            shares: checked.core_shares().iter().map(|&share| share.into()).collect(),
            stacks: checked.kernels.ids().map(stack).collect(),
            program: device.core.program_bytes.into(),
            system: device.memory.module_bytes.into(),
            sync,
            partners,
            apart,
            tied: rules.groups.iter().flat_map(|group| &group.members).copied().collect(),
        }
    }
}

/// A team that grows by joining.
#[derive(Clone)]
struct Growing {
    members: Vec<usize>,
    time: u64,
    program: u64,
    /// Bytes of stacks and heaps.
    system: u64,
    /// Tiles that all its kernels allow. None when every open tile is allowed.
    allowed: Option<Vec<bool>>,
    tied: bool,
}

#[derive(Clone)]
struct Union<'a> {
    limits: &'a Limits,
    rules: &'a Rules,
    /// The first kernel of each kernel's team.
    leader: Vec<usize>,
    /// The teams, at the index of their leaders.
    teams: Vec<Growing>,
    /// Number of teams.
    count: usize,
}

impl<'a> Union<'a> {
    fn new(checked: &Checked, limits: &'a Limits, rules: &'a Rules) -> Self {
        let team = |kernel: KernelId| Growing {
            members: vec![kernel.index()],
            time: limits.shares[kernel.index()],
            program: checked.program_bytes(kernel).unwrap_or(0).into(),
            system: limits.stacks[kernel.index()],
            allowed: rules.is_narrowed(kernel.index()).then(|| rules.allowed(kernel.index()).to_vec()),
            tied: limits.tied.contains(&kernel.index()),
        };
        let teams: Vec<Growing> = checked.kernels.ids().map(team).collect();
        Self { limits, rules, leader: (0..teams.len()).collect(), count: teams.len(), teams }
    }

    /// The teams of kernels that must run on one core.
    fn forced(checked: &Checked, limits: &'a Limits, rules: &'a Rules) -> Self {
        let mut union = Self::new(checked, limits, rules);
        for (a, b) in forced(rules, checked.kernels.len()) {
            union.join(a, b);
        }
        union
    }

    fn leaders(&self) -> Vec<usize> {
        (0..self.leader.len()).filter(|&kernel| self.leader[kernel] == kernel).collect()
    }

    /// Joins the teams of `a` and `b`.
    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.leader[a].min(self.leader[b]), self.leader[a].max(self.leader[b]));
        if a == b {
            return;
        }
        let other = std::mem::take(&mut self.teams[b].members);
        other.iter().for_each(|&kernel| self.leader[kernel] = a);
        let (time, program, system) = (self.teams[b].time, self.teams[b].program, self.teams[b].system);
        let (allowed, tied) = (self.teams[b].allowed.take(), self.teams[b].tied);
        let team = &mut self.teams[a];
        team.members.extend(other);
        team.time += time;
        team.program += program;
        team.system += system;
        team.tied |= tied;
        team.allowed = both(team.allowed.take(), allowed);
        self.count -= 1;
    }

    /// True if one core can run the teams of `a` and `b` together.
    fn fits(&self, a: usize, b: usize) -> bool {
        let limits = self.limits;
        let (a, b) = (&self.teams[self.leader[a]], &self.teams[self.leader[b]]);
        let sums = a.time + b.time <= WHOLE_CORE.into()
            && a.program + b.program <= limits.program
            && a.system + b.system + limits.sync <= limits.system;
        let common = || match (&a.allowed, &b.allowed) {
            (Some(a), Some(b)) => a.iter().zip(b).any(|(a, b)| *a && *b),
            _ => true,
        };
        let apart = |&kernel: &usize| {
            limits.apart.get(&kernel).is_some_and(|others| b.members.iter().any(|k| others.contains(k)))
        };
        let shared = |team: &Growing| !team.members.iter().any(|&kernel| limits.alone[kernel]);
        sums && !(a.tied && b.tied) && shared(a) && shared(b) && common() && !a.members.iter().any(apart)
    }

    /// Joins teams that exchange data until only `tiles` teams remain, most data first.
    fn join_partners(&mut self, checked: &Checked, tiles: usize) {
        if self.count <= tiles {
            return;
        }
        for (a, b) in exchanges(checked) {
            if self.count <= tiles {
                return;
            }
            if self.leader[a] != self.leader[b] && self.fits(a, b) {
                self.join(a, b);
            }
        }
    }

    /// True if a kernel of one team exchanges windows with a kernel of the other. On one core these
    /// windows need no DMA.
    fn exchange(&self, a: usize, b: usize) -> bool {
        let (a, b) = (&self.teams[self.leader[a]].members, &self.teams[self.leader[b]].members);
        let partners = |kernel: &usize| self.limits.partners.get(kernel);
        a.iter().filter_map(partners).any(|partners| b.iter().any(|kernel| partners.contains(kernel)))
    }

    /// Bin packing: joins teams until only `tiles` remain. Each large team takes the largest team
    /// that still fits. If `near`, teams that exchange windows with it come first.
    fn fill(&mut self, tiles: usize, near: bool) {
        if self.count <= tiles {
            return;
        }
        let mut order = self.leaders();
        order.sort_by_key(|&team| (Reverse(self.teams[team].time), team));
        let passes: &[bool] = if near { &[true, false] } else { &[false] };
        for at in 0..order.len() {
            let others =
                passes.iter().flat_map(|&near| (at + 1..order.len()).map(move |other| (near, other)));
            for (near, other) in others {
                if self.count <= tiles || self.teams[order[at]].members.is_empty() {
                    break;
                }
                let (a, b) = (order[at], order[other]);
                let joined = self.teams[b].members.is_empty() || self.leader[a] == self.leader[b];
                if !joined && (!near || self.exchange(a, b)) && self.fits(a, b) {
                    self.join(a, b);
                }
            }
        }
    }

    /// Joins the teams of a Hall violator until every team has a tile.
    fn make_room(&mut self) -> Result<(), Shortage> {
        while let Err(short) = self.matching() {
            let pairs =
                short.iter().enumerate().flat_map(|(at, &a)| short[at + 1..].iter().map(move |&b| (a, b)));
            let best = pairs.filter(|&(a, b)| self.fits(a, b)).max_by_key(|&(a, b)| {
                (self.teams[a].time + self.teams[b].time, self.exchange(a, b), Reverse((a, b)))
            });
            match best {
                Some((a, b)) => self.join(a, b),
                None => return Err(self.shortage(&short)),
            }
        }
        Ok(())
    }

    /// Checks by bipartite matching that every team has a tile.
    ///
    /// # Errors
    /// Returns a Hall violator: teams with fewer tiles than their number.
    fn matching(&self) -> Result<(), Vec<usize>> {
        let leaders = self.leaders();
        let tiles = |team: usize| self.allowed(leaders[team]);
        let mut matching = Matching::empty(leaders.len(), self.rules.open().len());
        // Teams with tiles of their own come first; the other teams then find a tile at once.
        let mut order: Vec<usize> = (0..leaders.len()).collect();
        order.sort_by_key(|&team| self.teams[leaders[team]].allowed.is_none());
        for team in order {
            matching
                .augment(team, |team, tile| tiles(team)[tile])
                .map_err(|short| short.into_iter().map(|team| leaders[team]).collect::<Vec<usize>>())?;
        }
        Ok(())
    }

    fn allowed(&self, leader: usize) -> &[bool] {
        self.teams[leader].allowed.as_deref().unwrap_or_else(|| self.rules.open())
    }

    fn shortage(&self, short: &[usize]) -> Shortage {
        let supply = (0..self.rules.open().len())
            .filter(|&tile| short.iter().any(|&team| self.allowed(team)[tile]))
            .count();
        let members = short.iter().flat_map(|&team| &self.teams[team].members);
        let mut kernels: Vec<KernelId> = members.map(|&kernel| self.limits.ids[kernel]).collect();
        kernels.sort_unstable();
        Shortage { kernels, demand: short.len(), supply }
    }

    fn teams(self) -> Teams {
        let mut of = vec![0; self.leader.len()];
        let mut members = Vec::with_capacity(self.count);
        for leader in self.leaders() {
            let mut team = self.teams[leader].members.clone();
            team.sort_unstable();
            team.iter().for_each(|&kernel| of[kernel] = members.len());
            members.push(team.into_iter().map(|kernel| self.limits.ids[kernel]).collect());
        }
        Teams { members, of }
    }
}

fn both(a: Option<Vec<bool>>, b: Option<Vec<bool>>) -> Option<Vec<bool>> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.iter().zip(b).map(|(a, b)| *a && b).collect()),
        (one, other) => one.or(other),
    }
}

/// Pairs of kernels whose windows could stay on one core, most bytes first.
fn exchanges(checked: &Checked) -> Vec<(usize, usize)> {
    let mut bytes: BTreeMap<(usize, usize), u64> = BTreeMap::new();
    for connection in checked.connections.iter().filter(|c| demand::may_share(checked, c.from)) {
        let ends = checked.kernel_of(connection.from).zip(checked.kernel_of(connection.to));
        if let Some((a, b)) = ends.map(|(a, b)| (a.index().min(b.index()), a.index().max(b.index()))) {
            let window = checked.ports[connection.to].window.map_or(0, |window| window.bytes());
            *bytes.entry((a, b)).or_default() += window;
        }
    }
    let mut pairs: Vec<((usize, usize), u64)> = bytes.into_iter().collect();
    pairs.sort_by_key(|&(pair, bytes)| (Reverse(bytes), pair));
    pairs.into_iter().map(|(pair, _)| pair).collect()
}
