//! DMA channels and locks: of one kernel within its reach, and of all kernels on the array.
//!
//! Lower bounds. A window needs a DMA channel at a kernel if it comes from or goes outside the array, if it is broadcast, or
//! if its other end is one partner more than there are cores that can share memory with the kernel's.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use aiec_diag::Diagnostic;

use super::context::{Context, grouped};
use super::demand::of_design;
use super::kernels::{overconnected, overcrowded};
use crate::errors::resources as errors;
use crate::expanded::Owner;
use crate::ids::{KernelId, PortId};
use crate::types::Direction;

pub(super) fn check(context: &Context) -> Vec<Diagnostic> {
    let mut found = channels(context);
    found.extend(locks(context));
    if found.is_empty() && !overcrowded(context) {
        found.extend(totals(context));
    }
    found
}

/// A shortage of one kernel: what it needs, what there is within its reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Shortage {
    /// Channels or locks needed.
    pub demand: u64,
    /// Channels or locks of the modules within reach.
    pub supply: u64,
    /// Modules within reach.
    pub modules: u64,
}

/// Kernels whose windows are not too many for the tools anyway.
fn candidates<'a>(context: &'a Context<'a>) -> impl Iterator<Item = KernelId> + 'a {
    context.expanded.kernels.ids().filter(|&kernel| !overconnected(context, kernel))
}

/// The DMAs of the modules a kernel reaches have the channels that its windows need.
fn channels(context: &Context) -> Vec<Diagnostic> {
    let design = context.expanded;
    let mut found = Vec::new();
    for direction in [Direction::In, Direction::Out] {
        let faults = candidates(context).filter_map(|kernel| {
            let shortage = channel_shortage(context, kernel, direction);
            let key = (design.kernels[kernel].family, shortage);
            (shortage.demand > shortage.supply).then_some((key, kernel))
        });
        for ((_, shortage), kernels) in &grouped(faults) {
            let ports = dma_ports(context, kernels[0], direction);
            found.push(errors::dma_channels(design, kernels, direction, *shortage, &ports));
        }
    }
    found
}

pub(super) fn channel_shortage(context: &Context, kernel: KernelId, direction: Direction) -> Shortage {
    let room = context.room(kernel);
    let certain = dma_ports(context, kernel, direction).len() as u64;
    let mut partners: BTreeMap<KernelId, u64> = BTreeMap::new();
    for &port in context.ports(kernel, direction).iter().filter(|&&port| !context.crosses_dma(port)) {
        for &connection in &context.expanded.ports[port].connections {
            let partner = context.expanded.kernel_of(context.peer(port, connection));
            if let Some(partner) = partner.filter(|&partner| partner != kernel) {
                *partners.entry(partner).or_default() += 1;
            }
        }
    }
    let mut windows: Vec<u64> = partners.into_values().collect();
    windows.sort_unstable_by_key(|&windows| Reverse(windows));
    let left_over: u64 = windows.iter().skip(room.partners).sum();
    let supply = room.modules * module_channels(context, direction);
    Shortage { demand: certain + left_over, supply, modules: room.modules }
}

/// Ports of a kernel that need a DMA wherever the kernel is.
fn dma_ports(context: &Context, kernel: KernelId, direction: Direction) -> Vec<PortId> {
    context.ports(kernel, direction).iter().copied().filter(|&port| context.crosses_dma(port)).collect()
}

fn module_channels(context: &Context, direction: Direction) -> u64 {
    let tile = &context.device.tile;
    u64::from(if direction == Direction::In { tile.s2mm } else { tile.mm2s })
}

/// Each buffer a kernel reaches has a lock in the module that holds it.
fn locks(context: &Context) -> Vec<Diagnostic> {
    let design = context.expanded;
    let faults = candidates(context).filter_map(|kernel| {
        let demand = design.ports_of(kernel).map(|port| context.copies(port)).sum();
        let modules = context.room(kernel).modules;
        let supply = modules * u64::from(context.device.tile.locks);
        let shortage = Shortage { demand, supply, modules };
        (demand > supply).then(|| ((design.kernels[kernel].family, shortage), kernel))
    });
    let groups = grouped(faults);
    groups.iter().map(|((_, shortage), kernels)| errors::locks(design, kernels, *shortage)).collect()
}

/// All kernels together need no more channels and locks than all modules have.
fn totals(context: &Context) -> Vec<Diagnostic> {
    let design = context.expanded;
    let modules = context.grid.len() as u64;
    let ports = || design.ports.enumerate().filter(|(_, port)| matches!(port.owner, Owner::Kernel(_)));
    let mut found = Vec::new();
    for direction in [Direction::In, Direction::Out] {
        let dma = ports().filter(|(id, port)| port.direction == direction && context.crosses_dma(*id));
        let dma: Vec<PortId> = dma.map(|(id, _)| id).collect();
        let supply = modules * module_channels(context, direction);
        let shortage = Shortage { demand: dma.len() as u64, supply, modules };
        if shortage.demand > shortage.supply {
            found.push(errors::total_channels(design, direction, shortage, &dma));
        }
    }
    let demand = of_design(context).locks;
    let shortage = Shortage { demand, supply: modules * u64::from(context.device.tile.locks), modules };
    if shortage.demand > shortage.supply {
        found.push(errors::total_locks(design, shortage));
    }
    found
}

#[cfg(test)]
mod tests {
    use crate::build::{Builder, Reduce, input, int32, output};
    use crate::check::testing::{device, rendered, slugs_on, slugs_on_toy, toy};
    use crate::types::Direction;

    const NAMES: [&str; 10] = ["p0", "p1", "p2", "p3", "p4", "p5", "p6", "p7", "p8", "p9"];

    /// A kernel with so many inputs from PLIO.
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
        // A star of 13 children: 8 share, 5 need a channel each, and 8 channels are there. With one channel a module they are not.
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
