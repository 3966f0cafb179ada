//! The constraints of a design as the search needs them: tiles for each kernel, kernels that move as one, pairs.
//!
//! In come a checked design, what a placement file fixes, and a grid whose closed tiles are those that nothing may be placed on; out
//! go tables. Contradictions that can be seen without a search have been reported before ([`aiec_ir::check`]).

use std::collections::{BTreeMap, BTreeSet};

use aiec_device::{Grid, Tile, TileId};
use aiec_ir::constraints::Offset;
use aiec_ir::{Checked, KernelId};

use crate::pins::Pins;

/// A kernel, or some on one core, with its distance from the first of its group, in tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Member {
    pub(crate) kernel: usize,
    pub(crate) columns: i64,
    pub(crate) rows: i64,
}

/// Where kernels may be, by themselves and to each other.
#[derive(Clone, Debug)]
pub(crate) struct Rules {
    /// One entry per tile: true if it is open.
    open: Vec<bool>,
    /// The same for kernels that may not take every open tile.
    narrowed: BTreeMap<usize, Vec<bool>>,
    /// Kernels that move as one, at least two in each.
    pub(crate) groups: Vec<Vec<Member>>,
    /// Pairs that share memory.
    pub(crate) together: Vec<(usize, usize)>,
    /// Pairs that share none.
    pub(crate) apart: Vec<(usize, usize)>,
}

impl Rules {
    /// The rules of `checked` and `pins`.
    pub(crate) fn new(checked: &Checked, grid: &Grid, pins: &Pins) -> Self {
        let mut rules = Self { groups: groups(checked), ..Self::none(grid) };
        for place in &checked.places {
            rules.narrow(grid, place.kernel, |c, r| (c, r) == (place.column, place.row));
        }
        for region in &checked.constraints.regions {
            for &kernel in &region.kernels {
                rules.narrow(grid, kernel, |column, row| region.area.contains(column, row));
            }
        }
        for (&kernel, &tile) in &pins.kernels {
            rules.narrow(grid, kernel, |c, r| (c, r) == (tile.column.into(), tile.row.into()));
        }
        let indices = |(a, b): (&KernelId, &KernelId)| (a.index(), b.index());
        rules.together = checked.constraints.together.iter().flat_map(|g| g.pairs().map(indices)).collect();
        rules.apart = checked.constraints.apart.iter().flat_map(|g| g.pairs().map(indices)).collect();
        rules
    }

    /// No rule but that tiles must be open.
    pub(crate) fn none(grid: &Grid) -> Self {
        Self {
            open: grid.ids().map(|tile| grid.is_open(tile)).collect(),
            narrowed: BTreeMap::new(),
            groups: Vec::new(),
            together: Vec::new(),
            apart: Vec::new(),
        }
    }

    fn narrow(&mut self, grid: &Grid, kernel: KernelId, keep: impl Fn(i64, i64) -> bool) {
        let open = &self.open;
        let tiles = self.narrowed.entry(kernel.index()).or_insert_with(|| open.clone());
        for (allowed, id) in tiles.iter_mut().zip(grid.ids()) {
            let Tile { column, row } = grid.tile(id);
            *allowed &= keep(column.into(), row.into());
        }
    }

    /// One entry per tile: true if it is open.
    pub(crate) fn open(&self) -> &[bool] {
        &self.open
    }

    /// One entry per tile: whether `kernel` may be there.
    pub(crate) fn allowed(&self, kernel: usize) -> &[bool] {
        self.narrowed.get(&kernel).unwrap_or(&self.open)
    }

    /// True if only some of the open tiles are for `kernel`.
    pub(crate) fn is_narrowed(&self, kernel: usize) -> bool {
        self.narrowed.contains_key(&kernel)
    }

    /// The same rules for `teams` of kernels, each of which runs on one core.
    pub(crate) fn of_teams(&self, teams: &[Vec<KernelId>], of: &[usize]) -> Self {
        let mut narrowed: BTreeMap<usize, Vec<bool>> = BTreeMap::new();
        for (team, members) in teams.iter().enumerate() {
            for kernel in members.iter().map(|kernel| kernel.index()).filter(|&k| self.is_narrowed(k)) {
                let tiles = narrowed.entry(team).or_insert_with(|| self.open.clone());
                tiles.iter_mut().zip(self.allowed(kernel)).for_each(|(all, own)| *all &= own);
            }
        }
        let team_pairs = |pairs: &[(usize, usize)]| {
            let pairs = pairs.iter().map(|&(a, b)| (of[a].min(of[b]), of[a].max(of[b])));
            let pairs: BTreeSet<(usize, usize)> = pairs.filter(|(a, b)| a != b).collect();
            pairs.into_iter().collect()
        };
        Self {
            open: self.open.clone(),
            narrowed,
            groups: self.groups.iter().filter_map(|group| team_group(group, of)).collect(),
            together: team_pairs(&self.together),
            apart: team_pairs(&self.apart),
        }
    }
}

/// A group of kernels as one of their teams; none if it is a single team. Kernels at the same place are in one team.
fn team_group(group: &[Member], of: &[usize]) -> Option<Vec<Member>> {
    let mut seen = BTreeSet::new();
    let members = group.iter().map(|member| Member { kernel: of[member.kernel], ..*member });
    let members: Vec<Member> = members.filter(|member| seen.insert(member.kernel)).collect();
    (members.len() > 1).then_some(members)
}

/// Kernels that offsets tie to each other, in order of their first ones.
fn groups(checked: &Checked) -> Vec<Vec<Member>> {
    let mut links: BTreeMap<usize, Vec<Member>> = BTreeMap::new();
    for Offset { kernel, from, columns, rows, .. } in &checked.constraints.offsets {
        let there = Member { kernel: kernel.index(), columns: *columns, rows: *rows };
        links.entry(from.index()).or_default().push(there);
        let back = Member { kernel: from.index(), columns: -columns, rows: -rows };
        links.entry(kernel.index()).or_default().push(back);
    }
    let (mut seen, mut groups) = (BTreeSet::new(), Vec::new());
    for &first in links.keys() {
        if seen.insert(first) {
            let mut group = vec![Member { kernel: first, columns: 0, rows: 0 }];
            let mut next = 0;
            while let Some(&at) = group.get(next) {
                next += 1;
                for link in links.get(&at.kernel).into_iter().flatten() {
                    if seen.insert(link.kernel) {
                        let (columns, rows) = (at.columns + link.columns, at.rows + link.rows);
                        group.push(Member { kernel: link.kernel, columns, rows });
                    }
                }
            }
            groups.push(group);
        }
    }
    groups
}

/// The tile so far from `anchor`, if the array has it.
pub(crate) fn moved(grid: &Grid, anchor: TileId, columns: i64, rows: i64) -> Option<TileId> {
    let Tile { column, row } = grid.tile(anchor);
    let column = u16::try_from(i64::from(column).checked_add(columns)?).ok()?;
    let row = u16::try_from(i64::from(row).checked_add(rows)?).ok()?;
    grid.id(Tile::new(column, row))
}
