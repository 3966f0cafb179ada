//! The constraints of a design in the search's form: tiles for each kernel, kernels that move as
//! one, pairs.
//!
//! Takes a checked design, the tiles that a placement file fixes, and a grid. The grid's closed
//! tiles are those where nothing may be placed. Returns tables. [`aiec_check::check`] reports
//! contradictions that need no search before this stage.

use std::collections::{BTreeMap, BTreeSet};

use aiec_check::Checked;
use aiec_device::{Grid, Tile};
use aiec_ir::KernelId;

use crate::formation::{Formation, Tie, Way, formations};
use crate::pins::Pins;

/// The allowed tiles of kernels, and the rules between kernels.
#[derive(Clone, Debug)]
pub struct Rules {
    /// One entry per tile: true if it is open.
    open: Vec<bool>,
    /// One entry per tile for each kernel that may use only some open tiles.
    narrowed: BTreeMap<usize, Vec<bool>>,
    /// Formations of at least two kernels.
    pub groups: Vec<Formation>,
    /// Pairs of kernels that must share memory.
    pub together: Vec<(usize, usize)>,
    /// Pairs of kernels that must not share memory.
    pub apart: Vec<(usize, usize)>,
}

impl Rules {
    /// Builds the rules of `checked` and `pins`.
    pub fn new(checked: &Checked, grid: &Grid, pins: &Pins) -> Self {
        let mut rules = Self { groups: formations(grid, &ties(checked)), ..Self::none(grid) };
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

    /// No rules except that tiles must be open.
    pub fn none(grid: &Grid) -> Self {
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
    pub fn open(&self) -> &[bool] {
        &self.open
    }

    /// One entry per tile: true if `kernel` may be there.
    pub fn allowed(&self, kernel: usize) -> &[bool] {
        self.narrowed.get(&kernel).unwrap_or(&self.open)
    }

    /// True if `kernel` may use only some of the open tiles.
    pub fn is_narrowed(&self, kernel: usize) -> bool {
        self.narrowed.contains_key(&kernel)
    }

    /// The same rules for `teams` of kernels. Each team runs on one core; `of` gives the team of
    /// each kernel.
    pub fn of_teams(&self, teams: &[Vec<KernelId>], of: &[usize]) -> Self {
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
            groups: self.groups.iter().filter_map(|group| group.of_teams(of)).collect(),
            together: team_pairs(&self.together),
            apart: team_pairs(&self.apart),
        }
    }
}

/// The ties between kernels: the design's offsets, and cascade streams (AM009).
fn ties(checked: &Checked) -> Vec<Tie> {
    let tie = |from: KernelId, to: KernelId, way| Tie { from: from.index(), to: to.index(), way };
    let offsets = checked.constraints.offsets.iter();
    let offsets =
        offsets.map(|offset| tie(offset.from, offset.kernel, Way::Offset(offset.columns, offset.rows)));
    let cascades = checked.cascades.iter().map(|cascade| tie(cascade.from, cascade.to, Way::Cascade(1)));
    offsets.chain(cascades).collect()
}
