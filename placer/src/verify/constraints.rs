//! Checks each constraint of the design against the placement.

use std::collections::BTreeMap;

use aiec_check::Checked;
use aiec_device::{Grid, Tile};
use aiec_diag::{Diagnostic, Span};
use aiec_ir::KernelId;
use aiec_ir::constraints::{Axis, Group};
use aiec_ir::expanded::Cascade;

use super::{Case, errors};
use crate::placement::Placement;

/// One diagnostic for every violated constraint.
pub(super) fn faults(case: &Case<'_>) -> Vec<Diagnostic> {
    let Case { checked, device, placement, .. } = *case;
    let mut found = offsets(checked, placement);
    found.extend(cascades(case));
    found.extend(regions(checked, placement));
    // A closed module holds nothing, so two cores that reach it do not share memory by it.
    let open = checked.open_grid(device);
    found.extend(pairs(case, &open, &checked.constraints.together, true));
    found.extend(pairs(case, &open, &checked.constraints.apart, false));
    found.extend(aligned(checked, placement));
    found.extend(one_core(checked, placement));
    found.extend(kept_out(case));
    found
}

fn offsets(checked: &Checked, placement: &Placement) -> Vec<Diagnostic> {
    let apart = |a: u16, b: u16| i64::from(b) - i64::from(a);
    let mut found = Vec::new();
    for offset in &checked.constraints.offsets {
        let (from, to) = (placement.kernels[offset.from], placement.kernels[offset.kernel]);
        if (apart(from.column, to.column), apart(from.row, to.row)) != (offset.columns, offset.rows) {
            found.push(errors::offset_broken(checked, offset, from, to));
        }
    }
    found
}

/// Kernels off the column or row that follows from another kernel.
fn aligned(checked: &Checked, placement: &Placement) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for aligned in &checked.constraints.aligned {
        let (from, to) = (placement.kernels[aligned.from], placement.kernels[aligned.kernel]);
        let [before, after] = match aligned.axis {
            Axis::Column => [from.column, to.column],
            Axis::Row => [from.row, to.row],
        };
        if i64::from(after) - i64::from(before) != aligned.distance {
            found.push(errors::aligned_broken(checked, aligned, from, to));
        }
    }
    found
}

/// The first pair of each `apart` by core on one core.
fn one_core(checked: &Checked, placement: &Placement) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for group in &checked.constraints.distinct {
        let mut on: BTreeMap<Tile, KernelId> = BTreeMap::new();
        let same = group.kernels.iter().find_map(|&kernel| {
            let tile = placement.kernels[kernel];
            Some((on.insert(tile, kernel)?, kernel, tile))
        });
        found.extend(same.map(|(a, b, tile)| errors::core_shared(checked, [a, b], tile, group.span)));
    }
    found
}

/// A core reads the cascade of the core before it, and of no other (AM009). Reports the first break
/// of each collective.
fn cascades(case: &Case<'_>) -> Vec<Diagnostic> {
    let Case { checked, device, placement, .. } = *case;
    let broken = |&&Cascade { from, to, .. }: &&Cascade| {
        !device.cascade_targets(placement.kernels[from]).contains(&placement.kernels[to])
    };
    let mut broken: Vec<&Cascade> = checked.cascades.iter().filter(broken).collect();
    broken.dedup_by_key(|cascade| cascade.origin);
    let report = |cascade: &Cascade| {
        let (from, to) = (placement.kernels[cascade.from], placement.kernels[cascade.to]);
        errors::cascade_broken(checked, device, cascade, from, to)
    };
    broken.into_iter().map(report).collect()
}

fn regions(checked: &Checked, placement: &Placement) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for region in &checked.constraints.regions {
        let inside = |tile: Tile| {
            region.areas.iter().any(|area| {
                let ((west, low), (east, high)) = (area.from, area.to);
                (west..=east).contains(&i64::from(tile.column)) && (low..=high).contains(&i64::from(tile.row))
            })
        };
        let outside = region.kernels.iter().filter(|&&kernel| !inside(placement.kernels[kernel]));
        found.extend(
            outside.map(|&kernel| errors::region_broken(checked, kernel, placement.kernels[kernel], region)),
        );
    }
    found
}

/// The first pair of each group that breaks its memory rule on the `open` tiles.
fn pairs(case: &Case<'_>, open: &Grid, groups: &[Group<KernelId>], together: bool) -> Vec<Diagnostic> {
    let placement = case.placement;
    let shares = |a: KernelId, b: KernelId| {
        let cores = open.id(placement.kernels[a]).zip(open.id(placement.kernels[b]));
        cores.is_some_and(|(a, b)| open.reach(a).iter().any(|&module| open.reaches(b, module)))
    };
    let broken = groups.iter().filter_map(|group| {
        let kernels = &group.kernels;
        let later = |at: usize| kernels[at + 1..].iter();
        let mut all = (0..kernels.len()).flat_map(|at| later(at).map(move |&b| (kernels[at], b)));
        all.find(|&(a, b)| shares(a, b) != together).map(|pair| (pair, group.span))
    });
    let report = |((a, b), span): ((KernelId, KernelId), Span)| {
        let tiles = [placement.kernels[a], placement.kernels[b]];
        errors::pair_broken(case.checked, [a, b], tiles, span, together)
    };
    broken.map(report).collect()
}

/// Kernels on closed tiles, and buffers and stacks in their modules.
fn kept_out(case: &Case<'_>) -> Vec<Diagnostic> {
    let Case { checked, device, placement, ledger, .. } = *case;
    let closed = |tile: Tile| {
        let (column, row) = (i64::from(tile.column), i64::from(tile.row));
        let keepouts = checked.constraints.keepouts.iter();
        let mut here = keepouts.filter(|keepout| {
            let ((west, low), (east, high)) = (keepout.area.from, keepout.area.to);
            (west..=east).contains(&column) && (low..=high).contains(&row)
        });
        let design = here.next().map(|keepout| keepout.span);
        design.or_else(|| device.keepout.contains(&tile).then_some(checked.device.span))
    };
    let kernels = placement.kernels.enumerate().filter_map(|(kernel, &tile)| {
        let span = closed(tile)?;
        Some(errors::kept_out(&format!("`{}`", checked.kernels[kernel].name), tile, span))
    });
    let stored = ledger.iter().filter_map(|stored| {
        let span = closed(stored.spot.tile)?;
        Some(errors::kept_out(&stored.name(checked), stored.spot.tile, span))
    });
    kernels.chain(stored).collect()
}
