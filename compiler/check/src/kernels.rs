//! Limits on the number of kernels, of their windows and of the bytes of their programs.

use aiec_diag::Diagnostic;

use super::context::{Context, grouped};
use crate::errors::places::core_program;
use crate::errors::resources as errors;
use aiec_collectives::Shape;
use aiec_ir::KernelId;
use aiec_ir::expanded::Collective;

pub(super) fn check(context: &Context) -> Vec<Diagnostic> {
    let mut found: Vec<Diagnostic> = too_many_kernels(context).into_iter().collect();
    found.extend(too_many_windows(context));
    found.extend(too_wide_trees(context));
    found.extend(too_large_programs(context));
    found
}

/// Kernels whose stated program is larger than the program memory of a core.
fn too_large_programs(context: &Context) -> Vec<Diagnostic> {
    let (design, most) = (context.expanded, context.device.core.program_bytes);
    let large = design.kernels.ids().filter_map(|kernel| {
        let program = design.body(kernel).program.as_ref().filter(|program| program.value > most)?;
        Some(((program.span, program.value), kernel))
    });
    let groups = grouped(large);
    let one = |(&(_, bytes), kernels): (&(_, u32), &Vec<KernelId>)| {
        core_program(design, &kernels[..1], bytes.into(), most)
    };
    groups.iter().map(one).collect()
}

/// True if the kernels need more cores than there are. Many other shortages follow from that.
pub(super) fn overcrowded(context: &Context) -> bool {
    context.least_cores(context.expanded.kernels.ids()) > context.grid.open_tiles() as u64
}

/// True if the kernel has more windows than the tools accept.
pub(super) fn overconnected(context: &Context, kernel: KernelId) -> bool {
    let limit = context.device.memory.windows_per_kernel;
    limit.is_some_and(|limit| windows(context, kernel) > limit as usize)
}

fn windows(context: &Context, kernel: KernelId) -> usize {
    context.expanded.window_count(kernel)
}

/// A core runs one kernel, or several whose runtime ratios sum to at most 1 (UG1079).
fn too_many_kernels(context: &Context) -> Option<Diagnostic> {
    overcrowded(context).then(|| {
        let cores = context.least_cores(context.expanded.kernels.ids());
        errors::too_many_kernels(context.expanded, cores, context.grid.open_tiles())
    })
}

/// Kernels with more windows than the tools accept (thesis 4.2).
fn too_many_windows(context: &Context) -> Vec<Diagnostic> {
    let design = context.expanded;
    let kernels = design.kernels.ids().filter(|&kernel| overconnected(context, kernel));
    let groups =
        grouped(kernels.map(|kernel| ((design.kernels[kernel].family, windows(context, kernel)), kernel)));
    let Some(limit) = context.device.memory.windows_per_kernel else { return Vec::new() };
    groups.values().map(|kernels| errors::too_many_windows(design, kernels, limit, context.device)).collect()
}

/// Trees whose arity no rank between root and leaves can have. If such a rank exists, it has too
/// many windows, and that is reported instead.
fn too_wide_trees(context: &Context) -> Vec<Diagnostic> {
    let Some(limit) = context.device.memory.windows_per_kernel else { return Vec::new() };
    let wide = |collective: &&Collective| {
        let full = collective.ranks.iter().any(|&rank| overconnected(context, rank));
        arity(collective).is_some_and(|arity| arity >= limit) && !full
    };
    let trees = context.expanded.collectives.iter().filter(wide);
    trees.filter_map(|tree| Some(errors::tree_arity(tree, arity(tree)?, limit))).collect()
}

const fn arity(collective: &Collective) -> Option<u32> {
    match collective.plan.shape {
        Shape::Tree(arity) => Some(arity),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{rendered, slugs_on, slugs_on_toy, toy};
    use aiec_test_support::{Builder, Reduce, input, int32, output};

    fn star(leaves: u32) -> Builder {
        let mut builder = Builder::new("star", "toy");
        builder.kernels("worker", &[leaves + 1], &[]).gmio_output("sum");
        builder.reduce(Reduce::over("total", &["worker"], int32(4)).arity(leaves));
        builder.connect("total.result", "sum");
        builder
    }

    #[test]
    fn a_kernel_has_at_most_14_windows() {
        assert_eq!(slugs_on_toy(&star(13)), [""; 0], "13 children and the result");
        assert_eq!(slugs_on_toy(&star(14)), ["check/too-many-windows"]);
    }

    #[test]
    fn a_tree_is_as_wide_as_windows_allow_even_if_it_has_fewer_ranks() {
        let of = |arity| {
            let mut builder = Builder::new("wide", "toy");
            builder.kernels("worker", &[5], &[]);
            builder.reduce(Reduce::over("total", &["worker"], int32(4)).arity(arity));
            slugs_on_toy(&builder)
        };
        assert_eq!(of(13), [""; 0], "13 children and the parent");
        assert_eq!(of(14), ["check/tree-arity"]);
    }

    #[test]
    fn a_device_without_the_key_has_no_limit_on_windows() {
        let mut open = toy();
        open.memory.windows_per_kernel = None;
        assert_eq!(slugs_on(&star(14), &open), [""; 0]);
    }

    #[test]
    fn only_the_number_of_the_thesis_is_said_to_be_from_there() {
        let mut narrow = toy();
        narrow.memory.windows_per_kernel = Some(1);
        let text = rendered(&star(14), &narrow);
        assert!(text.contains("the device file allows 1 per kernel") && !text.contains("thesis"), "{text}");
        assert!(rendered(&star(14), &toy()).contains("thesis"), "the number of xcvc1902");
    }

    #[test]
    fn too_many_windows_names_the_tree_that_asks() {
        let text = rendered(&star(20), &toy());
        assert!(text.contains("21 windows") && text.contains("tree arity 13"), "{text}");
    }

    #[test]
    fn too_many_windows_of_many_kernels_are_told_apart_and_the_number_can_be_lifted() {
        let mut builder = Builder::new("stars", "toy");
        builder.kernels("w", &[2], &[]).kernels("leaf", &[16], &[]);
        let group = |root: &str, from: usize| -> Vec<String> {
            std::iter::once(root.to_owned()).chain((from..from + 8).map(|i| format!("leaf[{i}]"))).collect()
        };
        for (name, root) in [("a", "w[0]"), ("b", "w[0]"), ("c", "w[1]"), ("d", "w[1]")] {
            let group = group(root, if name < "c" { 0 } else { 8 });
            let group: Vec<&str> = group.iter().map(String::as_str).collect();
            builder.reduce(Reduce::over(name, &group, int32(4)).arity(8));
        }
        let text = rendered(&builder, &toy());
        assert!(text.contains("`w[0]` and 1 more have 16 windows each (16 in, 0 out)"), "{text}");
        assert!(text.contains("thesis") && text.contains("windows_per_kernel"), "{text}");
        assert!(!text.contains("declares 0"), "{text}");
    }

    #[test]
    fn a_tile_runs_one_kernel() {
        let crowd = |n| {
            let mut builder = Builder::new("crowd", "toy");
            builder.kernels("worker", &[n], &[]).reduce(Reduce::over("total", &["worker"], int32(4)));
            slugs_on_toy(&builder)
        };
        assert_eq!(crowd(24), [""; 0]);
        assert_eq!(crowd(25), ["check/too-many-kernels"]);
    }

    #[test]
    fn the_program_of_a_kernel_fits_the_program_memory_of_a_core() {
        let of = |bytes| {
            let mut builder = Builder::new("program", "toy");
            builder.gmio_output("o").kernels("a", &[], &[output("y", int32(16))]);
            builder.connect("a.y", "o").program("a", bytes);
            slugs_on_toy(&builder)
        };
        assert_eq!(of(toy().core.program_bytes), [""; 0]);
        assert_eq!(of(toy().core.program_bytes + 1), ["check/core-overload"]);
    }

    #[test]
    fn kernels_with_small_ratios_share_cores() {
        let crowd = |n: u32, ratio: u32, keepout: bool| {
            let mut builder = Builder::new("crowd", "toy");
            builder.kernels("a", &[n], &[output("y", int32(4))]).kernels("b", &[n], &[input("x", int32(4))]);
            builder.runtime("a", ratio).runtime("b", ratio);
            for i in 0..n {
                builder.connect(&format!("a[{i}].y"), &format!("b[{i}].x"));
            }
            if keepout {
                builder.keepout((0, 0), (0, 0));
            }
            slugs_on_toy(&builder)
        };
        assert_eq!(crowd(24, 500, false), [""; 0], "48 halves on 24 tiles");
        assert_eq!(crowd(25, 500, false), ["check/too-many-kernels"]);
        assert_eq!(crowd(24, 500, true), ["check/too-many-kernels"], "23 tiles are left");
        assert_eq!(crowd(13, 501, false), ["check/too-many-kernels"], "no two of these fit");
        assert_eq!(crowd(36, 333, false), [""; 0]);
    }
}
