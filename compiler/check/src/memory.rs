//! Data memory: of one kernel within its reach, and of all kernels on the array.
//!
//! The demands are lower bounds (thesis 4.6.3). A kernel reaches every buffer of its windows,
//! shared or not, and its stack, heap and sync area. On the whole array a window that two kernels
//! could share counts once.

use std::cmp::Reverse;

use aiec_device::Device;
use aiec_diag::Diagnostic;

use super::context::{Context, grouped, is_own};
use super::demand::of_design;
use super::kernels::{overconnected, overcrowded};
use super::levels::TreeMemory;
use super::packing::least_bins;
use super::windows;
use crate::errors::fixes;
use crate::errors::resources::{self as errors, Ask, Need, TotalNeed, TreeBound};
use aiec_collectives::{Buffering, Rank, Shape};
use aiec_ir::expanded::{Collective, Expanded, Membership};
use aiec_ir::{CollectiveId, IdVec, KernelId, PortId};

pub(super) fn check(context: &Context) -> Vec<Diagnostic> {
    let mut found = system(context);
    found.extend(contributions(context));
    found.extend(served(context));
    found.extend(kernels(context));
    let misfits = context.expanded.kernels.ids().any(|kernel| context.has_misfit(kernel));
    if found.is_empty() && !misfits && !overcrowded(context) {
        found.extend(total(context));
    }
    found
}

/// Stack, heap and sync area are contiguous, so they lie in one module (UG1076; thesis 4.6.2).
fn system(context: &Context) -> Vec<Diagnostic> {
    let design = context.expanded;
    let too_large = |&kernel: &KernelId| context.system_bytes(kernel) > context.module_bytes();
    let kernels = design.kernels.ids().filter(too_large);
    let groups = grouped(kernels.map(|kernel| (design.kernels[kernel].family, kernel)));
    groups.values().map(|kernels| errors::system_memory(design, kernels, context.device)).collect()
}

/// A rank's contribution is an array of its C++ code, as is the memory of a channel or of active
/// messages for packets. It lies on the stack or, if it is static, in the section of the heap
/// (UG1076). Several collectives may use one array, so the largest counts. Collectives of one
/// family with arrays of the same size are one fault.
fn contributions(context: &Context) -> Vec<Diagnostic> {
    let design = context.expanded;
    let faults = exceeding(context).map(|(kernel, id, bytes)| {
        let by_packets = design.collectives[id].plan.goes_by_packets();
        ((design.kernels[kernel].family, bytes, by_packets), (id, kernel))
    });
    let fault = |members: Vec<(CollectiveId, KernelId)>| {
        let mut of_one = grouped(members).into_iter();
        let (id, kernels) = of_one.next()?;
        let collective = &design.collectives[id];
        let first = if collective.plan.goes_by_packets() {
            errors::packet_memory(design, collective, &kernels, context.device)
        } else {
            let window = windows::most_of_default(context, id);
            errors::data_exceeds_stack(design, collective, &kernels, window, context.device)
        };
        let others = of_one.map(|(id, _)| &design.collectives[id]);
        Some(others.fold(first, |fault, other| {
            fault.label(other.data.span, format!("`{}` takes as much", other.name))
        }))
    };
    grouped(faults).into_values().filter_map(fault).collect()
}

/// Owners of active messages whose buffers take more memory than any core reaches, and mailboxes
/// with a larger `max`. Where buffers and messages lie is up to the kernel.
fn served(context: &Context) -> Vec<Diagnostic> {
    let design = context.expanded;
    let reach = |kernel: KernelId| context.room(kernel).modules * context.module_bytes();
    let fault = |active: &Collective| {
        let (owner, bytes) = (active.root.value, active.data.value.bytes());
        if active.plan.is_mailbox() {
            let rank = *active.ranks.iter().find(|&&rank| bytes > reach(rank))?;
            return Some(errors::long_message(active, &design.kernels[rank].name, reach(rank)));
        }
        let is_beyond = active.plan.services.buffer_bytes() > reach(owner);
        is_beyond.then(|| errors::served_buffers(active, &design.kernels[owner].name, reach(owner)))
    };
    design.collectives.iter().filter_map(fault).collect()
}

/// Kernels with too little memory for an array of their collectives: the largest one, with its
/// collective and its bytes. The user's arrays lie on the stack or the heap, those of the library
/// for packets on the stack.
pub(super) fn exceeding<'a>(
    context: &'a Context<'a>,
) -> impl Iterator<Item = (KernelId, CollectiveId, u64)> + 'a {
    let design = context.expanded;
    design.kernels.enumerate().filter_map(move |(id, kernel)| {
        let stack = design.stack_bytes(id, context.device.memory.default_stack).into();
        let excess = |member: &Membership| {
            let collective = &design.collectives[member.collective];
            let (bytes, room) = match collective.takes_arrays() {
                true => (collective.array_bytes(member.rank), context.local_bytes(id)),
                false => (collective.plan.packet_bytes(member.rank), stack),
            };
            (bytes > room).then_some((bytes, Reverse(member.collective)))
        };
        let (bytes, Reverse(largest)) = kernel.memberships.iter().filter_map(excess).max()?;
        Some((id, largest, bytes))
    })
}

/// Kernels whose buffers and stack fill more modules than they reach.
fn kernels(context: &Context) -> Vec<Diagnostic> {
    let design = context.expanded;
    let sound = |&kernel: &KernelId| !context.has_misfit(kernel) && !overconnected(context, kernel);
    let faults = design.kernels.ids().filter(sound).filter_map(|kernel| {
        let need = need(context, kernel);
        (need.modules > need.reach).then(|| ((design.kernels[kernel].family, need), kernel))
    });
    let groups = grouped(faults);
    let groups = groups.iter().map(|((_, need), kernels)| {
        let asks = asks(context, kernels[0]);
        errors::kernel_memory(design, kernels, *need, &asks, context.device)
    });
    groups.collect()
}

fn need(context: &Context, kernel: KernelId) -> Need {
    Need {
        windows: context.windows_of(kernel).map(|port| context.buffer_bytes(port)).sum(),
        system: context.system_bytes(kernel),
        modules: filled(context, kernel),
        reach: context.room(kernel).modules,
    }
}

/// For each kernel, the least number of modules that its indivisible buffers and its stack fill on
/// any tile.
pub fn filled_modules(design: &Expanded, device: &Device) -> IdVec<KernelId, u64> {
    let context = Context::new(design, device);
    design.kernels.ids().map(|kernel| filled(&context, kernel)).collect()
}

fn filled(context: &Context, kernel: KernelId) -> u64 {
    let mut parts = vec![context.system_bytes(kernel)];
    parts.extend(context.windows_of(kernel).flat_map(|port| context.parts(port)));
    least_bins(parts, context.module_bytes())
}

/// Bytes of a kernel's windows, grouped by the construct that declares them, the largest first.
fn asks(context: &Context, kernel: KernelId) -> Vec<Ask> {
    let ports = context.windows_of(kernel);
    let groups = grouped(ports.map(|port| (context.declaration(port), port)));
    let mut asks: Vec<Ask> = groups
        .into_values()
        .map(|ports| Ask { bytes: ports.iter().map(|&port| context.buffer_bytes(port)).sum(), ports })
        .collect();
    asks.sort_by_key(|ask| Reverse(ask.bytes));
    asks
}

/// Reports a design that needs more than all modules (thesis 4.6.3, equations 4.7 and 4.8), by the
/// sum of its bytes or by bin packing of its indivisible parts.
fn total(context: &Context) -> Option<Diagnostic> {
    let design = context.expanded;
    let demand = of_design(context);
    let (modules, tiles) =
        (least_bins(pieces(context), context.module_bytes()), context.grid.open_tiles() as u64);
    let supply = tiles * context.module_bytes();
    (demand.bytes() > supply || modules > tiles).then(|| {
        let families =
            grouped(design.kernels.enumerate().map(|(id, kernel)| (kernel.family, share_of(context, id))));
        let mut families: Vec<_> =
            families.into_iter().map(|(f, bytes)| (f, bytes.into_iter().sum())).collect();
        families.sort_by_key(|&(_, bytes): &(_, u64)| Reverse(bytes));
        let need = TotalNeed {
            cores: demand.cores,
            windows: demand.window_bytes,
            system: demand.system_bytes,
            modules,
            tiles,
        };
        let fault =
            errors::total_memory(design, need, &families, tree_bound(context, supply), context.device);
        match fits_single(context) {
            true => fixes::single(fault, design, design.ports.ids()),
            false => fault,
        }
    })
}

/// True if the design passes this check once each connection of windows has `buffer single`.
fn fits_single(context: &Context) -> bool {
    let mut design = context.expanded.clone();
    let connections = context.expanded.connections.enumerate();
    for (id, _) in connections.filter(|(_, wire)| fixes::single_edit(context.expanded, wire).is_some()) {
        design.connections[id].buffering = Buffering::Single;
    }
    let context = Context::new(&design, context.device);
    let tiles = context.grid.open_tiles() as u64;
    of_design(&context).bytes() <= tiles * context.module_bytes()
        && least_bins(pieces(&context), context.module_bytes()) <= tiles
}

/// Sizes of all indivisible parts in the sum over the design: buffers, and stacks with heaps. The
/// sync area is left out, since kernels on one core have one between them.
fn pieces(context: &Context) -> Vec<u64> {
    let design = context.expanded;
    let mut pieces: Vec<u64> =
        design.kernels.ids().map(|kernel| context.added_bytes(kernel)).filter(|&bytes| bytes > 0).collect();
    let own = |port: &PortId| design.kernel_of(*port).is_some() && is_own(context, *port);
    pieces.extend(design.ports.ids().filter(own).flat_map(|port| context.parts(port)));
    pieces
}

/// Bytes of `kernel` in the sum over the design.
fn share_of(context: &Context, kernel: KernelId) -> u64 {
    let own = context.expanded.ports_of(kernel).filter(|&port| is_own(context, port));
    context.system_bytes(kernel) + own.map(|port| context.buffer_bytes(port)).sum::<u64>()
}

/// The largest tree, with the most levels and kernels of a perfect tree of nodes like its own
/// (thesis 4.6.3, equation 4.9). Returns None when it has no interior node to take as a model, or
/// is not too large.
fn tree_bound(context: &Context, supply: u64) -> Option<TreeBound> {
    let design = context.expanded;
    let trees = design.collectives.enumerate().filter_map(|(id, c)| match c.plan.shape {
        Shape::Tree(arity) => Some((id, c, arity)),
        _ => None,
    });
    let (collective, tree, arity) = trees.max_by_key(|(_, tree, _)| tree.ranks.len())?;
    let order = tree.plan.order();
    let kernel = |rank: &Rank| tree.ranks[rank.index()];
    let [root, interior, .., leaf] = order.as_slice() else { return None };
    let is_interior = order.len() > 1 + arity as usize;
    let memory = TreeMemory {
        arity,
        root: share_of(context, kernel(root)),
        interior: share_of(context, kernel(interior)),
        leaf: share_of(context, kernel(leaf)),
    };
    let (levels, kernels) = memory.levels(context.grid.open_tiles() as u64, supply);
    let smaller = kernels > 0 && kernels < order.len() as u64;
    (is_interior && smaller).then_some(TreeBound { collective, levels, kernels })
}

#[cfg(test)]
mod tests {
    use crate::testing::{device, rendered, slugs_on, slugs_on_toy, toy};
    use aiec_collectives::{Buffering, ElementType, WindowType};
    use aiec_test_support::{Builder, Reduce, input, int32, output};

    /// The benchmark of the thesis, 4.6.3: the root has two children, a result and cycle counts.
    fn benchmark(window_bytes: u32) -> Builder {
        let (window, cycles) =
            (int32(window_bytes / 4), WindowType { element: ElementType::Int64, elements: window_bytes / 8 });
        let mut builder = Builder::new("benchmark", "toy");
        builder.kernels("worker", &[7], &[]).stack("worker", window_bytes + 1024);
        builder.gmio_output("sum").gmio_output("cycles");
        builder.reduce(Reduce::over("total", &["worker"], window).cycles(cycles));
        builder.connect("total.result", "sum").connect("total.cycles", "cycles");
        builder
    }

    #[test]
    fn a_core_reaches_128_kib_so_four_windows_of_16_kib_are_too_many_and_of_8_kib_not() {
        assert_eq!(slugs_on_toy(&benchmark(8 * 1024)), [""; 0]);
        assert_eq!(slugs_on_toy(&benchmark(16 * 1024)), ["check/kernel-memory"]);
    }

    #[test]
    fn the_root_that_is_too_large_is_named_with_what_it_asks() {
        let text = rendered(&benchmark(16 * 1024), &toy());
        for part in ["`worker[0]`", "149536 B", "128 KiB", "77-5387", "window int32[2048]"] {
            assert!(text.contains(part), "{part} is missing in\n{text}");
        }
    }

    #[test]
    fn a_kernel_placed_at_the_edge_reaches_less() {
        let at = |column, row| slugs_on_toy(benchmark(8 * 1024).place("worker[0]", column, row));
        assert_eq!(at(2, 1), [""; 0], "four modules");
        assert_eq!(at(0, 0), ["check/kernel-memory"], "own module and the one to the north");
    }

    #[test]
    fn buffers_cannot_be_cut_at_module_ends() {
        // Five buffers of 20 KiB are 100 KiB, less than 128, but no two fit one module.
        let mut builder = Builder::new("large", "toy");
        let window = int32(5120);
        let ports: Vec<_> = ["a", "b", "c", "d", "e"].into_iter().map(|name| input(name, window)).collect();
        builder.kernels("sink", &[], &ports);
        for (name, source) in ["a", "b", "c", "d", "e"].into_iter().zip(["s0", "s1", "s2", "s3", "s4"]) {
            builder.kernels(source, &[], &[output("y", window)]);
            builder.connect_with(&format!("{source}.y"), &format!("sink.{name}"), Buffering::Single);
        }
        assert_eq!(slugs_on_toy(&builder), ["check/kernel-memory"]);
    }

    #[test]
    fn stack_heap_and_sync_area_fit_one_module() {
        let stack = |bytes| {
            let mut builder = Builder::new("stack", "toy");
            builder.kernels("a", &[4], &[]).stack("a", bytes).reduce(Reduce::over("total", &["a"], int32(4)));
            slugs_on_toy(&builder)
        };
        assert_eq!(stack(32768 - 1024 - 32), [""; 0]);
        assert_eq!(stack(32768 - 1024), ["check/system-memory"]);
    }

    #[test]
    fn what_a_rank_contributes_fits_its_stack_and_heap() {
        let reduce = |elements, stack| {
            let mut builder = Builder::new("stack", "toy");
            builder.kernels("a", &[3], &[]).stack("a", stack).kernels("tail", &[2], &[]).heap("tail", 8192);
            builder.reduce(Reduce::over("total", &["a", "tail"], int32(64)).data(int32(elements)));
            // The two arrays may be one, so their sizes are not added.
            builder.reduce(Reduce::over("peak", &["a", "tail"], int32(64)).data(int32(elements)));
            builder
        };
        assert_eq!(
            slugs_on_toy(&reduce(1024, 3 * 1024)),
            [""; 0],
            "4 KiB in 3 KiB of stack and 1 KiB of heap"
        );
        assert_eq!(slugs_on_toy(&reduce(1088, 3 * 1024)), ["check/data-exceeds-stack"]);
        assert_eq!(slugs_on_toy(&reduce(1088, 3 * 1024 + 256)), [""; 0]);
        let text = rendered(&reduce(1088, 3 * 1024), &toy());
        for part in ["4352 B", "`a[0]` and 2 more", "4 KiB", "`stack 6 KiB`", "77-22645"] {
            assert!(text.contains(part), "{part} is missing in\n{text}");
        }
    }

    #[test]
    fn what_a_rank_contributes_fits_one_module_with_the_rest() {
        let mut builder = Builder::new("stack", "toy");
        builder.kernels("a", &[3], &[]).reduce(Reduce::over("total", &["a"], int32(64)).data(int32(8192)));
        let text = rendered(&builder, &toy());
        assert!(text.contains("check/data-exceeds-stack") && !text.contains("write `stack"), "{text}");
        assert!(text.contains("int32[7672] or less"), "{text}");
    }

    #[test]
    fn data_that_are_too_large_for_stack_and_window_are_one_fault_with_both_limits() {
        let mut builder = Builder::new("stack", "toy");
        builder.kernels("a", &[3], &[]).gmio_output("o");
        builder.reduce(Reduce::over("total", &["a"], int32(5000))).connect("total.result", "o");
        assert_eq!(slugs_on_toy(&builder), ["check/data-exceeds-stack"]);
        let text = rendered(&builder, &toy());
        assert!(text.contains("write `stack 21 KiB` in `a`, in windows of `window int32[4096]`"), "{text}");
    }

    #[test]
    fn collectives_of_a_family_with_the_same_data_are_one_fault() {
        let mut builder = Builder::new("stack", "toy");
        builder.kernels("a", &[4], &[]).gmio_output("o").gmio_output("p");
        for (name, ranks, output) in [("first", ["a[0]", "a[1]"], "o"), ("second", ["a[2]", "a[3]"], "p")] {
            builder.reduce(Reduce::over(name, &ranks, int32(5000)));
            builder.connect(&format!("{name}.result"), output);
        }
        assert_eq!(slugs_on_toy(&builder), ["check/data-exceeds-stack"]);
        let text = rendered(&builder, &toy());
        assert!(text.contains("the data of `first`") && text.contains("`second` takes as much"), "{text}");
    }

    #[test]
    fn what_fits_no_module_is_not_also_called_too_much_for_a_kernel() {
        let mut builder = Builder::new("stack", "toy");
        let ports = [input("x", int32(4096)), output("y", int32(4096))];
        builder.kernels("a", &[], &ports).kernels("b", &[], &ports).stack("a", 1 << 20);
        builder.connect("a.y", "b.x").connect("b.y", "async a.x");
        assert_eq!(slugs_on_toy(&builder), ["check/system-memory"]);
    }

    #[test]
    fn all_kernels_together_fit_all_modules() {
        // 24 tiles of 32 KiB. Each kernel of the pipe has 30 KiB of stack and a window of 1 or 3
        // KiB to the next.
        let pipe = |kilobytes: u32| {
            let mut builder = Builder::new("pipe", "toy");
            let window = int32(kilobytes * 256);
            builder.plio_input("i", 64).plio_output("o", 64);
            builder.kernels("s", &[24], &[input("x", window), output("y", window)]).stack("s", 29 * 1024);
            builder.heap("s", 0);
            builder.connect_with("i", "s[0].x", Buffering::Single);
            builder.connect_with("s[23].y", "o", Buffering::Single);
            for i in 1..24 {
                builder.connect_with(&format!("s[{}].y", i - 1), &format!("s[{i}].x"), Buffering::Single);
            }
            slugs_on_toy(&builder)
        };
        assert_eq!(pipe(1), [""; 0]);
        assert_eq!(pipe(3), ["check/total-memory"]);
    }

    #[test]
    fn pieces_that_leave_no_room_for_others_are_counted_over_the_whole_array() {
        // 24 modules of 32 KiB. A stack of 26 KiB leaves no room for a buffer of 10 KiB.
        let reduce = |kernels: u32| {
            let mut builder = Builder::new("holes", "toy");
            builder.kernels("w", &[kernels], &[]).stack("w", 25 * 1024);
            builder.reduce(Reduce::over("total", &["w"], int32(2560)));
            builder
        };
        assert_eq!(slugs_on_toy(&reduce(14)), [""; 0], "14 + 26 / 3 are 23");
        assert_eq!(slugs_on_toy(&reduce(16)), ["check/total-memory"], "16 + 30 / 3 are 26");
        let text = rendered(&reduce(16), &toy());
        assert!(text.contains("in pieces that cannot be cut and fill at least 26 modules"), "{text}");
        // 30 parts above half a module, and 24 modules.
        let mut builder = Builder::new("halves", "toy");
        builder.kernels("a", &[15], &[output("y", int32(4352))]).stack("a", 15 * 1024);
        builder.kernels(
            "b",
            &[5],
            &[input("x", int32(4352)), input("z", int32(4352)), input("u", int32(4352))],
        );
        for i in 0..5 {
            for (k, port) in ["x", "z", "u"].into_iter().enumerate() {
                builder.connect_with(
                    &format!("a[{}].y", 3 * i + k),
                    &format!("b[{i}].{port}"),
                    Buffering::Single,
                );
            }
        }
        assert_eq!(
            slugs_on_toy(&builder),
            [""; 0],
            "15 stacks of 16 KiB are half a module, 15 windows above"
        );
        builder.stack("a", 16 * 1024);
        assert_eq!(slugs_on_toy(&builder), ["check/total-memory"]);
    }

    #[test]
    fn windows_of_a_kernel_to_itself_are_stored_once() {
        // Two ping-pong windows of 16 KiB are 64 KiB with a stack beside, not 128 KiB.
        let own = |bytes: u32| {
            let mut builder = Builder::new("own", "toy");
            let window = int32(bytes / 4);
            builder.kernels(
                "a",
                &[],
                &[input("x", window), output("y", window), input("u", window), output("v", window)],
            );
            builder.connect("async a.y", "async a.x").connect("async a.v", "async a.u");
            slugs_on_toy(&builder)
        };
        assert_eq!(own(16 * 1024), [""; 0]);
        assert_eq!(
            own(31 * 1024),
            ["check/kernel-memory"],
            "four buffers of 31 KiB and a stack in 4 modules"
        );
    }

    #[test]
    fn too_deep_a_tree_is_told_how_many_levels_memory_allows() {
        // Equation 4.9 of the thesis, with windows between kernels counted once: (31 + 24) KiB at
        // each of 255 kernels.
        let mut builder = Builder::new("deep", "xcvc1902");
        builder.kernels("worker", &[255], &[]).stack("worker", 30 * 1024);
        builder.reduce(Reduce::over("total", &["worker"], int32(3072)));
        let text = rendered(&builder, &device("xcvc1902"));
        assert!(text.contains("check/total-memory"), "{text}");
        for part in ["equation 4.9", "at most 7 levels", "127 kernels", "for 232 kernels"] {
            assert!(text.contains(part), "{part} is missing in\n{text}");
        }
    }

    #[test]
    fn the_largest_tree_of_the_thesis_is_accepted() {
        let mut builder = Builder::new("reduce63", "xcvc1902");
        builder.kernels("worker", &[63], &[]).stack("worker", 9 * 1024).gmio_output("sum");
        builder.reduce(Reduce::over("total", &["worker"], int32(2048))).connect("total.result", "sum");
        assert_eq!(slugs_on(&builder, &device("xcvc1902")), [""; 0]);
    }
}
