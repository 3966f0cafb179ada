//! DMA channels, buffer descriptors and locks: of one kernel within its reach, and of all kernels
//! on the array.
//!
//! All demands are lower bounds. A window needs a DMA channel at a kernel if it comes from or goes
//! outside the array, if it is broadcast, or if the kernel has more partners than cores that can
//! share memory with it. Partners that may share a core with others are not counted. Both buffers
//! of a ping-pong window that a DMA fills or drains lie in one module, and so do their locks and
//! descriptors.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use aiec_diag::Diagnostic;

use super::context::{Context, grouped, is_own};

use super::kernels::{overconnected, overcrowded};
use super::packing::least_bins;
use crate::errors::channels::{self as errors, Shortage};
use aiec_collectives::Direction;
use aiec_ir::WHOLE_CORE;
use aiec_ir::expanded::Owner;
use aiec_ir::{FamilyId, KernelId, PortId};

pub(super) fn check(context: &Context) -> Vec<Diagnostic> {
    let mut found = channels(context);
    found.extend(descriptors(context));
    found.extend(locks(context));
    if found.is_empty() && !overcrowded(context) {
        found.extend(totals(context));
    }
    found
}

impl Shortage {
    /// The shortage of `modules` modules that supply `each`. No part can be split over two modules.
    fn of_parts(parts: Vec<u64>, modules: u64, each: u32) -> Self {
        let each = u64::from(each);
        let demand = parts.iter().sum();
        let fit = parts.iter().all(|&part| part <= each);
        let filled = fit.then(|| least_bins(parts, each));
        Self { demand, supply: modules * each, modules, filled }
    }

    /// The shortage of `modules` modules that supply `each`, for a demand of `demand` single units.
    fn of_units(demand: u64, modules: u64, each: u32) -> Self {
        let filled = demand.checked_div(each.into()).map(|_| demand.div_ceil(each.into()));
        Self { demand, supply: modules * u64::from(each), modules, filled }
    }

    /// True if demand exceeds supply.
    fn is_one(&self) -> bool {
        self.filled.is_none_or(|filled| filled > self.modules)
    }
}

/// Kernels with no more windows than the tools accept.
fn candidates<'a>(context: &'a Context<'a>) -> impl Iterator<Item = KernelId> + 'a {
    context.expanded.kernels.ids().filter(|&kernel| !overconnected(context, kernel))
}

/// Kernels whose windows need more DMA channels than the modules within reach have.
fn channels(context: &Context) -> Vec<Diagnostic> {
    let design = context.expanded;
    let mut found = Vec::new();
    for direction in [Direction::In, Direction::Out] {
        let faults = short(context, move |kernel| channel_shortage(context, kernel, direction));
        for ((_, shortage), kernels) in &grouped(faults) {
            let ports = dma_ports(context, kernels[0], direction);
            found.push(errors::dma_channels(design, kernels, direction, *shortage, &ports));
        }
    }
    found
}

pub(super) fn channel_shortage(context: &Context, kernel: KernelId, direction: Direction) -> Shortage {
    let certain = dma_ports(context, kernel, direction).len() as u64;
    let left_over = left_over(context, kernel, context.ports(kernel, direction), |_| 1);
    Shortage::of_units(certain + left_over, context.room(kernel).modules, module_channels(context, direction))
}

/// The least DMA demand of those windows among `ports` that two kernels could share. Each partner
/// core can save one partner's demand; the largest are saved.
fn left_over(context: &Context, kernel: KernelId, ports: &[PortId], need: impl Fn(PortId) -> u64) -> u64 {
    let has_own_core = |partner: KernelId| context.shares[partner] == WHOLE_CORE;
    let mut partners: BTreeMap<KernelId, u64> = BTreeMap::new();
    let shared = |port: &&PortId| !context.crosses_dma(**port) && context.expanded.has_buffers(**port);
    for &port in ports.iter().filter(shared) {
        for &connection in &context.expanded.ports[port].connections {
            let partner = context.expanded.kernel_of(context.peer(port, connection));
            if let Some(partner) = partner.filter(|&partner| partner != kernel && has_own_core(partner)) {
                *partners.entry(partner).or_default() += need(port);
            }
        }
    }
    let mut needs: Vec<u64> = partners.into_values().collect();
    needs.sort_unstable_by_key(|&need| Reverse(need));
    needs.iter().skip(context.room(kernel).partners).sum()
}

/// Ports of a kernel that need a DMA in every placement.
fn dma_ports(context: &Context, kernel: KernelId, direction: Direction) -> Vec<PortId> {
    context.ports(kernel, direction).iter().copied().filter(|&port| context.crosses_dma(port)).collect()
}

fn module_channels(context: &Context, direction: Direction) -> u32 {
    let tile = &context.device.tile;
    if direction == Direction::In { tile.s2mm } else { tile.mm2s }
}

/// Kernels whose windows need more buffer descriptors than the modules within reach have.
fn descriptors(context: &Context) -> Vec<Diagnostic> {
    let shortage = |kernel| descriptor_shortage(context, kernel);
    let groups = grouped(short(context, shortage));
    groups.iter().map(|((_, shortage), kernels)| errors::bds(context.expanded, kernels, *shortage)).collect()
}

pub(super) fn descriptor_shortage(context: &Context, kernel: KernelId) -> Shortage {
    let ports: Vec<PortId> = context.expanded.ports_of(kernel).collect();
    let certain = ports.iter().filter(|&&port| context.crosses_dma(port)).map(|&port| context.bds(port));
    let left_over = left_over(context, kernel, &ports, |port| context.bds(port));
    // Any of the windows may be left over, so their descriptors count one by one.
    let parts = certain.chain((0..left_over).map(|_| 1)).collect();
    Shortage::of_parts(parts, context.room(kernel).modules, context.device.tile.bds)
}

/// Kernels whose buffers need more locks than the modules within reach have. Each buffer has a lock
/// in its own module.
fn locks(context: &Context) -> Vec<Diagnostic> {
    let shortage = |kernel| {
        let ports = context.windows_of(kernel);
        let parts = ports.flat_map(|port| lock_parts(context, port)).collect();
        Shortage::of_parts(parts, context.room(kernel).modules, context.device.tile.locks)
    };
    let groups = grouped(short(context, shortage));
    groups
        .iter()
        .map(|((_, shortage), kernels)| errors::locks(context.expanded, kernels, *shortage))
        .collect()
}

/// Locks of a port that lie in one module: the locks of all its buffers where a DMA or the host
/// fills them, else the locks of each buffer.
fn lock_parts(context: &Context, port: PortId) -> Vec<u64> {
    let (all, blocks) = (context.locks(port), context.locked(port));
    if context.crosses_dma(port) || context.expanded.stays_in_one_module(port) {
        return vec![all];
    }
    (0..blocks).map(|_| all / blocks.max(1)).collect()
}

/// Kernels with a shortage, keyed by family and shortage.
fn short<'a>(
    context: &'a Context<'a>,
    shortage: impl Fn(KernelId) -> Shortage + 'a,
) -> impl Iterator<Item = ((FamilyId, Shortage), KernelId)> + 'a {
    candidates(context).filter_map(move |kernel| {
        let found = shortage(kernel);
        found.is_one().then(|| ((context.expanded.kernels[kernel].family, found), kernel))
    })
}

/// Channels, descriptors and locks of which all kernels together need more than all modules have.
fn totals(context: &Context) -> Vec<Diagnostic> {
    let design = context.expanded;
    let (modules, tile) = (context.grid.open_tiles() as u64, &context.device.tile);
    let ports = design.ports.enumerate().filter(|(_, port)| matches!(port.owner, Owner::Kernel(_)));
    let ports: Vec<PortId> = ports.map(|(id, _)| id).collect();
    let dma: Vec<PortId> = ports.iter().copied().filter(|&port| context.crosses_dma(port)).collect();
    let mut found = Vec::new();
    for direction in [Direction::In, Direction::Out] {
        let dma: Vec<PortId> =
            dma.iter().copied().filter(|&port| design.ports[port].direction == direction).collect();
        let shortage = Shortage::of_units(dma.len() as u64, modules, module_channels(context, direction));
        if shortage.is_one() {
            found.push(errors::total_channels(design, direction, shortage, &dma));
        }
    }
    let bds = Shortage::of_parts(dma.iter().map(|&port| context.bds(port)).collect(), modules, tile.bds);
    if bds.is_one() {
        found.push(errors::total_bds(design, bds, &dma));
    }
    let stored = ports.iter().filter(|&&port| is_own(context, port));
    let locks = stored.flat_map(|&port| lock_parts(context, port)).collect();
    let locks = Shortage::of_parts(locks, modules, tile.locks);
    if locks.is_one() {
        found.push(errors::total_locks(design, locks));
    }
    found
}

#[cfg(test)]
mod tests {
    use crate::testing::{device, rendered, slugs_on, slugs_on_toy, toy};
    use aiec_collectives::{Buffering, Direction};
    use aiec_test_support::{Builder, Reduce, input, int32, output};

    const NAMES: [&str; 10] = ["p0", "p1", "p2", "p3", "p4", "p5", "p6", "p7", "p8", "p9"];

    /// A kernel with `n` inputs from PLIO.
    fn inputs(n: usize) -> Builder {
        let mut builder = Builder::new("inputs", "toy");
        builder.plio("i", &[u32::try_from(n).expect("at most ten")], Direction::Out, 64);
        let ports: Vec<_> = NAMES.iter().take(n).map(|name| input(name, int32(4))).collect();
        builder.kernels("k", &[], &ports);
        for (i, name) in NAMES.iter().take(n).enumerate() {
            builder.connect(&format!("i[{i}]"), &format!("k.{name}"));
        }
        builder
    }

    fn errors_of(builder: &Builder) -> Vec<&'static str> {
        slugs_on_toy(builder)
    }

    #[test]
    fn four_modules_have_eight_s2mm_channels() {
        assert_eq!(errors_of(&inputs(8)), [""; 0]);
        assert_eq!(errors_of(&inputs(9)), ["check/dma-channels"]);
        let text = rendered(&inputs(9), &toy());
        assert!(text.contains("needs 9 S2MM channels") && text.contains("outside the array"), "{text}");
    }

    #[test]
    fn a_kernel_in_the_corner_reaches_two_modules_with_four_channels() {
        assert_eq!(errors_of(inputs(4).place("k", 0, 0)), [""; 0]);
        assert_eq!(errors_of(inputs(5).place("k", 0, 0)), ["check/dma-channels"]);
    }

    #[test]
    fn a_broadcast_takes_one_mm2s_channel_and_one_s2mm_channel_at_each_consumer() {
        let mut builder = Builder::new("broadcast", "toy");
        let outputs: Vec<_> = NAMES.iter().take(9).map(|name| output(name, int32(4))).collect();
        let taken: Vec<_> = NAMES.iter().take(9).map(|name| input(name, int32(4))).collect();
        builder.kernels("src", &[], &outputs).kernels("dst", &[2], &taken);
        for name in NAMES.iter().take(9) {
            for i in 0..2 {
                builder.connect(&format!("src.{name}"), &format!("dst[{i}].{name}"));
            }
        }
        let outcome = crate::check(builder.expanded().unwrap(), &toy());
        let messages: Vec<&str> = outcome.diagnostics().iter().map(|d| d.message.as_str()).collect();
        assert_eq!(messages.len(), 2, "{messages:?}");
        assert!(messages.iter().any(|m| m.contains("`src` needs 9 MM2S channels")), "{messages:?}");
        assert!(messages.iter().any(|m| m.contains("`dst[0]` and 1 more")), "{messages:?}");
    }

    #[test]
    fn eight_cores_can_share_memory_with_one_and_the_others_need_channels() {
        // A star of 13 children: 8 share memory, 5 need a channel each, and there are 8 channels.
        // With one channel per module there are too few.
        let mut builder = Builder::new("star", "toy");
        builder.kernels("worker", &[14], &[]).reduce(Reduce::over("total", &["worker"], int32(4)).arity(13));
        assert_eq!(slugs_on_toy(&builder), [""; 0]);
        let mut narrow = toy();
        narrow.tile.s2mm = 1;
        assert_eq!(slugs_on(&builder, &narrow), ["check/dma-channels"]);
    }

    #[test]
    fn each_buffer_takes_a_lock() {
        let mut few = toy();
        few.tile.locks = 4;
        assert_eq!(slugs_on(&inputs(8), &few), [""; 0], "16 buffers and 4 modules with 4 locks");
        few.tile.locks = 3;
        assert!(slugs_on(&inputs(8), &few).contains(&"check/locks"));
    }

    #[test]
    fn each_buffer_that_a_dma_moves_takes_a_descriptor() {
        let mut few = toy();
        few.tile.bds = 4;
        assert_eq!(slugs_on(&inputs(8), &few), [""; 0], "16 buffers and 4 modules with 4 descriptors");
        few.tile.bds = 3;
        assert_eq!(slugs_on(&inputs(4), &few), [""; 0], "a module takes one window");
        assert_eq!(slugs_on(&inputs(5), &few), ["check/bds"], "10 of 12, but 5 windows and 4 modules");
        assert_eq!(slugs_on(inputs(3).place("k", 0, 0), &few), ["check/bds"], "two modules in the corner");
        let text = rendered(&inputs(5), &few);
        assert!(text.contains("needs 10 buffer descriptors") && text.contains("have 12, 3 each"), "{text}");
    }

    #[test]
    fn both_buffers_of_a_window_that_a_dma_moves_have_locks_and_descriptors_in_one_module() {
        let mut few = toy();
        few.tile.bds = 1;
        assert_eq!(slugs_on(&inputs(1), &few), ["check/bds"], "no module takes a ping-pong window");
        few.tile.locks = 1;
        assert_eq!(slugs_on(&inputs(1), &few), ["check/bds", "check/locks"]);
        let mut single = Builder::new("single", "toy");
        single.plio_input("i", 64).kernels("k", &[], &[input("x", int32(4))]);
        single.connect_with("i", "k.x", Buffering::Single);
        assert_eq!(slugs_on(&single, &few), [""; 0]);
    }

    #[test]
    fn partners_beyond_those_that_can_share_need_descriptors() {
        // 13 children: 8 share memory, and 5 ping-pong windows need 10 descriptors. The modules
        // within reach have 8.
        let mut star = Builder::new("star", "toy");
        star.kernels("worker", &[14], &[]).reduce(Reduce::over("total", &["worker"], int32(4)).arity(13));
        let mut few = toy();
        few.tile.bds = 2;
        assert_eq!(slugs_on(&star, &few), ["check/bds"]);
        few.tile.bds = 3;
        assert_eq!(slugs_on(&star, &few), [""; 0]);
    }

    #[test]
    fn all_windows_that_a_dma_moves_need_no_more_descriptors_than_the_array_has() {
        // 13 kernels with an input and an output need 52 descriptors. 24 modules with 3 descriptors
        // hold one window each.
        let pipes = |n: u32| {
            let mut builder = Builder::new("pipes", "toy");
            builder.plio("i", &[n], Direction::Out, 64).plio("o", &[n], Direction::In, 64);
            builder.kernels("k", &[n], &[input("x", int32(4)), output("y", int32(4))]);
            for k in 0..n {
                builder.connect(&format!("i[{k}]"), &format!("k[{k}].x"));
                builder.connect(&format!("k[{k}].y"), &format!("o[{k}]"));
            }
            let mut few = toy();
            few.tile.bds = 3;
            slugs_on(&builder, &few)
        };
        assert_eq!(pipes(12), [""; 0]);
        assert_eq!(pipes(13), ["check/bds"]);
    }

    #[test]
    fn all_windows_together_need_no_more_locks_than_the_array_has() {
        let chain = |n: u32| {
            let mut builder = Builder::new("chain", "toy");
            builder.kernels("w", &[n], &[]).reduce(Reduce::over("t", &["w"], int32(4)).arity(1));
            let mut few = toy();
            few.tile.locks = 1;
            slugs_on(&builder, &few)
        };
        assert_eq!(chain(13), [""; 0], "12 ping-pong windows and 24 modules with one lock");
        assert_eq!(chain(14), ["check/locks"]);
    }

    #[test]
    fn all_broadcasts_together_need_no_more_channels_than_the_array_has() {
        let broadcasts = |n: usize| {
            let mut builder = Builder::new("broadcasts", "xcvc1902");
            let names: Vec<_> = NAMES.iter().take(n).collect();
            let taken: Vec<_> = names.iter().map(|name| input(name, int32(4))).collect();
            builder.kernels("dst", &[390], &taken);
            for name in names {
                builder.kernels(&format!("src_{name}"), &[], &[output("y", int32(4))]);
                for i in 0..390 {
                    builder.connect(&format!("src_{name}.y"), &format!("dst[{i}].{name}"));
                }
            }
            slugs_on(&builder, &device("xcvc1902"))
        };
        assert_eq!(broadcasts(2), [""; 0]);
        assert_eq!(broadcasts(3), ["check/dma-channels"]);
    }
}
