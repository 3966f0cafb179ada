//! Kernels whose columns, or rows, follow from each other.
//!
//! Each axis is a system of differences: `place b at a + (1, *)` and the columns of whole offsets
//! state the difference of two columns. The differences along all ways between two kernels must be
//! equal (a union-find with weights), and some column must suit all kernels of a component. A
//! kernel may take the columns of the tiles that its own constraints leave it, so the rule is a
//! lower bound.

use std::collections::{BTreeMap, BTreeSet};

use aiec_device::Tile;
use aiec_diag::{Diagnostic, Span};

use super::context::Context;
use crate::errors::places as errors;
use crate::statement::Allowed;
use aiec_ir::KernelId;
use aiec_ir::constraints::{Aligned, Axis};

/// The first contradiction of each axis. The statements by themselves fit the array.
pub(super) fn check(context: &Context, allowed: &Allowed) -> Vec<Diagnostic> {
    let axes = [Axis::Column, Axis::Row].into_iter();
    axes.filter_map(|axis| contradiction(context, allowed, axis)).collect()
}

/// True if two tiles of the array can have this distance.
pub(super) fn fits_array(context: &Context, aligned: &Aligned<KernelId>) -> bool {
    let size = match aligned.axis {
        Axis::Column => context.device.columns,
        Axis::Row => context.device.rows,
    };
    aligned.distance.unsigned_abs() < u64::from(size)
}

fn contradiction(context: &Context, allowed: &Allowed, axis: Axis) -> Option<Diagnostic> {
    let design = context.expanded;
    let constraints = &design.constraints;
    let stated: Vec<&Aligned<KernelId>> =
        constraints.aligned.iter().filter(|aligned| aligned.axis == axis).collect();
    if stated.is_empty() {
        return None;
    }
    let mut lines = Lines::default();
    for offset in &constraints.offsets {
        // Offsets that contradict each other have been reported.
        _ = lines.join(offset.from, offset.kernel, axis.of((offset.columns, offset.rows)));
    }
    for aligned in &stated {
        if let Err(made) = lines.join(aligned.from, aligned.kernel, aligned.distance) {
            return Some(errors::two_alignments(design, aligned, made));
        }
    }
    let narrow = lines.components().into_iter().find(|members| !has_line(context, allowed, axis, members))?;
    let kernels: Vec<KernelId> = narrow.iter().map(|&(kernel, _)| kernel).collect();
    let of_them = |aligned: &&&Aligned<KernelId>| kernels.contains(&aligned.kernel);
    let spans: Vec<Span> = stated.iter().filter(of_them).map(|aligned| aligned.span).collect();
    Some(errors::no_line(design, &kernels, axis, &spans))
}

/// True if some line suits all members, each at its distance from it.
fn has_line(context: &Context, allowed: &Allowed, axis: Axis, members: &[(KernelId, i64)]) -> bool {
    let grid = &context.grid;
    let lines = |&(kernel, distance): &(KernelId, i64)| -> BTreeSet<i64> {
        let tiles = grid.ids().zip(allowed.of(kernel)).filter(|(_, allowed)| **allowed);
        let coordinate = |Tile { column, row }: Tile| axis.of((column.into(), row.into()));
        tiles.map(|(tile, _)| coordinate(grid.tile(tile)) - distance).collect()
    };
    let all = members.iter().map(lines);
    all.reduce(|common, lines| &common & &lines).is_none_or(|common| !common.is_empty())
}

/// A union-find with weights: the distance of each kernel from the first one of its component.
#[derive(Default)]
struct Lines {
    /// For each kernel, another one of its component and the distance from it.
    parent: BTreeMap<KernelId, (KernelId, i64)>,
}

impl Lines {
    /// The root of the component of `kernel`, and the distance from it.
    /// Shortens the way for later questions.
    fn root(&mut self, kernel: KernelId) -> (KernelId, i64) {
        let (mut way, mut at) = (Vec::new(), kernel);
        while let Some(&(next, step)) = self.parent.get(&at).filter(|(next, _)| *next != at) {
            way.push((at, step));
            at = next;
        }
        let mut distance = 0;
        for (kernel, step) in way.into_iter().rev() {
            distance += step;
            self.parent.insert(kernel, (at, distance));
        }
        (at, distance)
    }

    /// States that `to` is `distance` from `from`.
    ///
    /// # Errors
    /// The distance that earlier statements make, if it differs.
    fn join(&mut self, from: KernelId, to: KernelId, distance: i64) -> Result<(), i64> {
        let ((a, from_a), (b, to_b)) = (self.root(from), self.root(to));
        if a == b {
            let made = to_b - from_a;
            return if made == distance { Ok(()) } else { Err(made) };
        }
        self.parent.entry(a).or_insert((a, 0));
        // The position of b from a: that of `from`, the distance, and back from `to` to b.
        self.parent.insert(b, (a, from_a + distance - to_b));
        Ok(())
    }

    /// The kernels of each component with their distances from its root.
    fn components(&mut self) -> Vec<Vec<(KernelId, i64)>> {
        let mut components: BTreeMap<KernelId, Vec<(KernelId, i64)>> = BTreeMap::new();
        let kernels: Vec<KernelId> = self.parent.keys().copied().collect();
        for kernel in kernels {
            let (root, distance) = self.root(kernel);
            components.entry(root).or_default().push((kernel, distance));
        }
        components.into_values().collect()
    }
}

#[cfg(test)]
mod tests {
    use aiec_ir::constraints::Axis::{Column, Row};
    use aiec_test_support::{Builder, Reduce, int32};

    use crate::testing::{rendered, slugs_on_toy, toy};

    fn three() -> Builder {
        let mut builder = Builder::new("three", "toy");
        builder.kernels("k", &[3], &[]).reduce(Reduce::over("t", &["k"], int32(4)));
        builder
    }

    #[test]
    fn columns_alone_leave_the_rows_open() {
        let mut builder = three();
        builder.align("k[1]", "k[0]", Column, 2).align("k[2]", "k[1]", Row, 1);
        assert_eq!(slugs_on_toy(&builder), [""; 0]);
        builder.place("k[0]", 1, 0).place("k[1]", 3, 3).region(&["k[2]"], (0, 0), (5, 2));
        assert_eq!(slugs_on_toy(&builder), ["check/place-conflict"], "row 4 is above the array");
    }

    #[test]
    fn distances_along_two_ways_are_equal() {
        let mut builder = three();
        builder.align("k[1]", "k[0]", Column, 1).place_relative("k[2]", "k[1]", (1, 0));
        builder.align("k[2]", "k[0]", Column, 2);
        assert_eq!(slugs_on_toy(&builder), [""; 0]);
        builder.align("k[0]", "k[2]", Column, -3);
        let text = rendered(&builder, &toy());
        assert!(text.contains("-3 columns") && text.contains("-2 columns"), "{text}");
    }

    #[test]
    fn kernels_at_fixed_columns_fit_their_distance() {
        let mut builder = three();
        builder.align("k[1]", "k[0]", Column, 2).place("k[0]", 1, 0).place("k[1]", 2, 3);
        let text = rendered(&builder, &toy());
        assert!(text.contains("leave 0 columns") && text.contains("`k[0]` and `k[1]`"), "{text}");
        let mut far = three();
        far.align("k[1]", "k[0]", Column, 6);
        assert_eq!(slugs_on_toy(&far), ["check/place-outside"]);
    }

    #[test]
    fn kernels_apart_by_core_may_share_memory_but_no_core() {
        let mut builder = three();
        builder.runtime("k", 100).distinct(&["k[0]", "k[1]"]).together(&["k[0]", "k[1]"]);
        assert_eq!(slugs_on_toy(&builder), [""; 0]);
        builder.place_relative("k[1]", "k[0]", (0, 0));
        assert_eq!(slugs_on_toy(&builder), ["check/place-conflict"]);
    }
}
