//! Checks each constraint of the design against the placement.

use std::collections::BTreeMap;

use aiec_device::{Grid, Tile};
use aiec_diag::{Diagnostic, Span};
use aiec_ir::KernelId;
use aiec_ir::constraints::Group;
use aiec_ir::expanded::Cascade;

use super::Case;

impl Case<'_> {
    /// One diagnostic for every violated constraint.
    pub(super) fn constraint_faults(&self) -> Vec<Diagnostic> {
        let constraints = &self.checked.constraints;
        let step = |from, kernel| self.tile(from).steps_to(self.tile(kernel));
        let offsets = constraints.offsets.iter();
        let offsets = offsets.filter(|one| step(one.from, one.kernel) != (one.columns, one.rows));
        let mut found: Vec<Diagnostic> = offsets.map(|offset| self.offset_broken(offset)).collect();
        found.extend(self.broken_cascades().into_iter().map(|cascade| self.cascade_broken(cascade)));
        for region in &constraints.regions {
            let outside = region.kernels.iter().filter(|&&kernel| {
                let (column, row) = self.tile(kernel).position();
                !region.contains(column, row)
            });
            found.extend(outside.map(|&kernel| self.region_broken(kernel, region)));
        }
        // A closed module holds nothing, so two cores that reach it do not share memory by it.
        let open = self.checked.open_grid(self.device);
        for (groups, together) in [(&constraints.together, true), (&constraints.apart, false)] {
            found.extend(groups.iter().filter_map(|group| self.broken_pair(&open, group, together)));
        }
        let aligned = constraints.aligned.iter();
        let aligned = aligned.filter(|one| one.axis.of(step(one.from, one.kernel)) != one.distance);
        found.extend(aligned.map(|aligned| self.aligned_broken(aligned)));
        found.extend(constraints.distinct.iter().filter_map(|group| self.one_core(group)));
        found.extend(self.on_closed_tiles());
        found
    }

    /// The first pair on one core of an `apart` by core.
    fn one_core(&self, group: &Group<KernelId>) -> Option<Diagnostic> {
        let mut on: BTreeMap<Tile, KernelId> = BTreeMap::new();
        let same =
            group.kernels.iter().find_map(|&kernel| Some((on.insert(self.tile(kernel), kernel)?, kernel)));
        same.map(|(a, b)| self.core_shared(a, b, group.span))
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
        Some(self.pair_broken(a, b, group.span, together))
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
        all.filter_map(|(name, tile)| Some(super::errors::kept_out(&name, tile, closed(tile)?))).collect()
    }
}
