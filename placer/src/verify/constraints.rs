//! Checks each constraint of the design against the placement.

use std::collections::BTreeMap;

use aiec_device::{Grid, Tile};
use aiec_diag::{Diagnostic, Span};
use aiec_ir::KernelId;
use aiec_ir::constraints::{Aligned, Group};
use aiec_ir::expanded::Cascade;

use super::Case;
use super::errors::{constraint_broken, kept_out};

impl Case<'_> {
    /// One diagnostic for every violated constraint.
    pub(super) fn constraint_faults(&self) -> Vec<Diagnostic> {
        let constraints = &self.checked.constraints;
        let step = |from, kernel| self.tile(from).steps_to(self.tile(kernel));
        let mut found = Vec::new();
        for one in &constraints.offsets {
            let (both, stated) = (self.placed(one.kernel, one.from), (one.columns, one.rows));
            if step(one.from, one.kernel) != stated {
                let what = format!("{both}, but the design says + {stated:?}");
                found.push(constraint_broken(what, one.span));
            }
        }
        found.extend(self.broken_cascades().into_iter().map(|cascade| self.cascade_broken(cascade)));
        for region in &constraints.regions {
            let areas = region.areas.iter().map(|area| format!("from {:?} to {:?}", area.from, area.to));
            let areas = areas.collect::<Vec<_>>().join(", or ");
            for (name, tile) in region.kernels.iter().map(|&kernel| (self.name(kernel), self.tile(kernel))) {
                let (column, row) = tile.position();
                if !region.contains(column, row) {
                    let what = format!("`{name}` is placed at {tile}, but its region goes {areas}");
                    found.push(constraint_broken(what, region.span));
                }
            }
        }
        // A closed module holds nothing, so two cores that reach it do not share memory by it.
        let open = self.checked.open_grid(self.device);
        for (groups, together) in [(&constraints.together, true), (&constraints.apart, false)] {
            found.extend(groups.iter().filter_map(|group| self.broken_pair(&open, group, together)));
        }
        for &Aligned { kernel, from, axis, distance, span } in &constraints.aligned {
            let both = self.placed(kernel, from);
            if axis.of(step(from, kernel)) != distance {
                let what = format!("{both}, but the design says {distance} {} from there", axis.word());
                found.push(constraint_broken(what, span));
            }
        }
        found.extend(constraints.distinct.iter().filter_map(|group| self.one_core(group)));
        found.extend(self.on_closed_tiles());
        found
    }

    /// The first pair on one core of an `apart` by core.
    fn one_core(&self, group: &Group<KernelId>) -> Option<Diagnostic> {
        let mut on: BTreeMap<Tile, KernelId> = BTreeMap::new();
        let same =
            group.kernels.iter().find_map(|&kernel| Some((on.insert(self.tile(kernel), kernel)?, kernel)));
        let (tile, [a, b]) = same.map(|(a, b)| (self.tile(a), [a, b].map(|kernel| self.name(kernel))))?;
        let what = format!("`{a}` and `{b}` are both placed at {tile}, but the design wants 2 cores");
        Some(constraint_broken(what, group.span))
    }

    /// A core reads the cascade of the core before it, and of no other (AM009). Returns the first
    /// break of each collective.
    fn broken_cascades(&self) -> Vec<&Cascade> {
        let next = |kernel| self.device.cascade_targets(self.tile(kernel));
        let all = self.checked.cascades.iter();
        let mut broken: Vec<&Cascade> = all.filter(|c| !next(c.from).contains(&self.tile(c.to))).collect();
        broken.dedup_by_key(|cascade| cascade.origin);
        broken
    }

    /// The first pair of a group that breaks its memory rule on the `open` tiles.
    fn broken_pair(&self, open: &Grid, group: &Group<KernelId>, together: bool) -> Option<Diagnostic> {
        let shares = |a: KernelId, b: KernelId| {
            let cores = open.id(self.tile(a)).zip(open.id(self.tile(b)));
            cores.is_some_and(|(a, b)| open.shared(a, b).next().is_some())
        };
        let (&a, &b) = group.pairs().find(|&(&a, &b)| shares(a, b) != together)?;
        let (word, what) = match together {
            true => ("together", "no common memory module"),
            false => ("apart", "a common memory module"),
        };
        let both = self.placed(a, b);
        let what = format!("{both}, where they reach {what}, but the design says `{word}`");
        Some(constraint_broken(what, group.span))
    }

    /// Kernels on closed tiles, and buffers and stacks in their modules.
    fn on_closed_tiles(&self) -> Vec<Diagnostic> {
        let checked = self.checked;
        let closed = |tile: Tile| -> Option<Span> {
            let (column, row) = tile.position();
            let mut keepouts = checked.constraints.keepouts.iter();
            let design = keepouts.find(|keepout| keepout.area.contains(column, row));
            let device = self.device.keepout.contains(&tile).then_some(checked.device.span);
            design.map(|keepout| keepout.span).or(device)
        };
        let kernels =
            checked.kernels.ids().map(|kernel| (format!("`{}`", self.name(kernel)), self.tile(kernel)));
        let stored = self.ledger.iter().map(|stored| (stored.name(checked), stored.spot.tile));
        let all = kernels.chain(stored);
        all.filter_map(|(name, tile)| Some(kept_out(&name, tile, closed(tile)?))).collect()
    }
}
