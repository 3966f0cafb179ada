//! Lower bounds on the resources that a design needs, for the checks and for reports.
//!
//! Takes a design and a device and returns plain data. No placement needs less. A kernel's demand
//! counts all buffers that its windows touch, wherever the kernel lies. The design's demand counts
//! each window that two kernels could share once.

use aiec_device::Device;
use serde::Serialize;

use super::channels::{channel_shortage, descriptor_shortage};
use super::context::{Context, is_own};
use super::fifos::open_fifos;
use aiec_collectives::Direction;
use aiec_ir::expanded::{Expanded, Owner};
use aiec_ir::{IdVec, KernelId, PortId};

/// The least that a design needs in any placement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Demand {
    /// The demand of all kernels together.
    pub design: DesignDemand,
    /// The demand of each kernel within the modules that its core reaches.
    pub kernels: IdVec<KernelId, KernelDemand>,
}

/// The least that all kernels together need. A window that two kernels could share counts once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct DesignDemand {
    /// Cores: one per kernel, or fewer where the runtime ratios of kernels let them share one.
    pub cores: u64,
    /// Bytes of window buffers.
    pub window_bytes: u64,
    /// Bytes of stacks, heaps and sync areas.
    pub system_bytes: u64,
    /// Locks of all buffers.
    pub locks: u64,
    /// Buffer descriptors of the buffers that a DMA fills or drains.
    pub bds: u64,
    /// DMA channels from stream to memory.
    pub s2mm: u64,
    /// DMA channels from memory to stream.
    pub mm2s: u64,
    /// Nets: one for every port whose windows leave by DMA or enter the array.
    pub nets: u64,
    /// DMA FIFOs without a stated place, at least: branches of one sender may share a FIFO, so only
    /// its deepest counts. Each takes an S2MM and an MM2S channel and two descriptors, not counted
    /// above.
    #[serde(skip_serializing_if = "is_none")]
    pub fifos: u64,
    /// Bytes of these DMA FIFOs.
    #[serde(skip_serializing_if = "is_none")]
    pub fifo_bytes: u64,
}

/// True for the demand of a resource that the design does not use.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
const fn is_none(amount: &u64) -> bool {
    *amount == 0
}

/// The least that a kernel needs in the modules that its core reaches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct KernelDemand {
    /// Bytes of all buffers that its windows touch, shared or not.
    pub window_bytes: u64,
    /// Bytes of stack, heap and sync area.
    pub system_bytes: u64,
    /// Locks of these buffers.
    pub locks: u64,
    /// Buffer descriptors of the buffers that a DMA fills or drains in any placement, and of those
    /// that no partner can share.
    pub bds: u64,
    /// DMA channels from stream to memory.
    pub s2mm: u64,
    /// DMA channels from memory to stream.
    pub mm2s: u64,
    /// Modules that the core reaches from the kernel's `place`, or from the best tile.
    pub modules: u64,
}

impl DesignDemand {
    /// Bytes of windows, stacks, heaps and sync areas.
    pub const fn bytes(&self) -> u64 {
        self.window_bytes + self.system_bytes
    }
}

impl KernelDemand {
    /// Bytes of windows, stack, heap and sync area.
    pub const fn bytes(&self) -> u64 {
        self.window_bytes + self.system_bytes
    }
}

/// The least that `expanded` needs on `device`.
pub fn demand(expanded: &Expanded, device: &Device) -> Demand {
    let context = Context::new(expanded, device);
    let kernels = expanded.kernels.ids().map(|kernel| of_kernel(&context, kernel)).collect();
    Demand { design: of_design(&context), kernels }
}

fn of_kernel(context: &Context, kernel: KernelId) -> KernelDemand {
    let ports: Vec<PortId> = context.windows_of(kernel).collect();
    KernelDemand {
        window_bytes: ports.iter().map(|&port| context.buffer_bytes(port)).sum(),
        system_bytes: context.system_bytes(kernel),
        locks: ports.iter().map(|&port| context.locks(port)).sum(),
        bds: descriptor_shortage(context, kernel).demand,
        s2mm: channel_shortage(context, kernel, Direction::In).demand,
        mm2s: channel_shortage(context, kernel, Direction::Out).demand,
        modules: context.room(kernel).modules,
    }
}

/// The demand of all kernels together.
pub(super) fn of_design(context: &Context) -> DesignDemand {
    let design = context.expanded;
    let mut sum =
        DesignDemand { cores: context.least_cores(design.kernels.ids()), ..DesignDemand::default() };
    for (id, port) in design.ports.enumerate() {
        let dma = context.crosses_dma(id);
        sum.nets += u64::from(dma && port.direction == Direction::Out);
        if !matches!(port.owner, Owner::Kernel(_)) {
            continue;
        }
        if is_own(context, id) {
            sum.window_bytes += context.buffer_bytes(id);
            sum.locks += context.locks(id);
        }
        if dma {
            sum.bds += context.bds(id);
            match port.direction {
                Direction::In => sum.s2mm += 1,
                Direction::Out => sum.mm2s += 1,
            }
        }
    }
    let fifos = open_fifos(context);
    sum.fifos = fifos.len() as u64;
    sum.fifo_bytes = fifos.iter().map(|fifo| fifo.bytes()).sum();
    // The kernels of one core have one sync area between them.
    let cores = sum.cores.min(design.kernels.len() as u64);
    sum.system_bytes = least_stacks(context, cores) + cores * u64::from(context.device.memory.sync_bytes);
    sum
}

/// The least that stacks and heaps take on at least `cores` cores. Where kernels of one core have
/// one stack, one core has the largest, and the others have some.
fn least_stacks(context: &Context, cores: u64) -> u64 {
    let kernels = || context.expanded.kernels.ids();
    let added: u64 = kernels().map(|kernel| context.added_bytes(kernel)).sum();
    let covered = kernels().filter(|&kernel| context.added_bytes(kernel) == 0);
    let mut covered: Vec<u64> = covered.map(|kernel| context.local_bytes(kernel)).collect();
    covered.sort_unstable();
    let own = (context.expanded.kernels.len() - covered.len()) as u64;
    let largest = covered.pop().unwrap_or(0);
    let others = usize::try_from(cores.saturating_sub(own + 1)).unwrap_or(usize::MAX);
    added + largest + covered.into_iter().take(others).sum::<u64>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{device, toy};
    use aiec_test_support::{Builder, Reduce, input, int32, output};

    #[test]
    fn a_window_that_could_be_shared_counts_once_for_the_design_and_at_both_kernels() {
        let mut builder = Builder::new("pair", "toy");
        builder.kernels("a", &[], &[output("y", int32(64))]).kernels("b", &[], &[input("x", int32(64))]);
        builder.connect("a.y", "b.x");
        let demand = demand(&builder.expanded().unwrap(), &toy());
        let (kernel, design) = (demand.kernels[KernelId(0)], demand.design);
        assert_eq!((kernel.window_bytes, kernel.locks, kernel.mm2s), (512, 2, 0));
        assert_eq!(
            (design.cores, design.window_bytes, design.locks, design.bds, design.nets),
            (2, 512, 2, 0, 0)
        );
        assert_eq!(design.system_bytes, 2 * (1024 + 1024 + 32));
    }

    #[test]
    fn a_window_from_a_kernel_to_itself_counts_once() {
        let mut builder = Builder::new("own", "toy");
        builder.kernels("a", &[], &[output("y", int32(64)), input("x", int32(64))]);
        builder.connect("async a.y", "async a.x");
        let demand = demand(&builder.expanded().unwrap(), &toy());
        let (kernel, design) = (demand.kernels[KernelId(0)], demand.design);
        assert_eq!((kernel.window_bytes, kernel.locks, kernel.s2mm, kernel.mm2s), (512, 2, 0, 0));
        assert_eq!((design.window_bytes, design.locks, design.nets), (512, 2, 0));
    }

    #[test]
    fn inputs_outputs_and_broadcasts_are_charged_as_in_the_guides() {
        // PLIO to window: 2 locks, 2 BDs, 1 S2MM, 1 net. Broadcast to two consumers: 1 MM2S, 1 S2MM
        // at each consumer, 1 net (UG1079).
        let mut builder = Builder::new("fan", "toy");
        builder.plio_input("i", 64);
        builder.kernels("a", &[], &[input("x", int32(16)), output("y", int32(16))]);
        builder.kernels("b", &[2], &[input("x", int32(16))]);
        builder.connect("i", "a.x").connect("a.y", "b[0].x").connect("a.y", "b[1].x");
        let design = demand(&builder.expanded().unwrap(), &toy()).design;
        assert_eq!((design.s2mm, design.mm2s, design.nets), (3, 1, 2));
        assert_eq!((design.locks, design.bds, design.window_bytes), (8, 8, 8 * 64));
    }

    #[test]
    fn partners_beyond_those_that_can_share_need_channels() {
        let mut builder = Builder::new("star", "xcvc1902");
        builder.kernels("worker", &[14], &[]).reduce(Reduce::over("total", &["worker"], int32(4)).arity(13));
        let demand = demand(&builder.expanded().unwrap(), &device("xcvc1902"));
        assert_eq!(
            demand.kernels[KernelId(0)].s2mm,
            5,
            "13 children, 8 of which can share memory with the root"
        );
    }
}
