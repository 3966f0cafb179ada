//! The kernels that can share a core, and the order in which they then fire.
//!
//! Takes kernels with their declared shares of a core's time, and returns which kernels have a core
//! of their own, and why. Kernels on one core run in turn, each to the end of its firing (UG1079).
//! So a kernel that waits for another on its core would wait for ever. Fired in the order of the
//! data no kernel waits, if each passes exactly one window through each of its ports in a firing
//! and none is on a cycle.

use std::collections::BTreeSet;

use aiec_device::Device;
use petgraph::algo::tarjan_scc;

use crate::expanded::{CascadeOrigin, Expanded, Owner};
use crate::ids::{CollectiveId, IdVec, KernelId, PortId};

/// The whole of a core's time, in the unit of `runtime`: 1/1000.
pub const WHOLE_CORE: u32 = 1000;

/// The reason why a kernel has a core of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alone {
    /// The design gives it no `runtime`.
    NoRuntime,
    /// The kernel locks the windows of this port itself, so the number of windows per firing is
    /// unknown.
    Asynchronous(PortId),
    /// This collective passes several windows in one firing.
    SeveralWindows(CollectiveId),
    /// The kernel is on a cycle: its data comes back to it.
    Cycle,
    /// The kernel reads or writes a stream at this port, and a core has few ports for streams.
    Stream(PortId),
    /// The kernel waits on the cascade for other cores in the middle of its firing.
    Cascade(CascadeOrigin),
}

impl Expanded {
    /// Share of a core's time that the design gives `kernel`, in 1/1000. None when the design
    /// states no `runtime`.
    pub fn runtime(&self, kernel: KernelId) -> Option<u32> {
        self.families[self.kernels[kernel].family].runtime.as_ref().map(|ratio| ratio.value)
    }

    /// Bytes of program memory that the design gives `kernel`. None when the design states no
    /// `program`.
    pub fn program_bytes(&self, kernel: KernelId) -> Option<u32> {
        self.families[self.kernels[kernel].family].program.as_ref().map(|bytes| bytes.value)
    }

    /// For each kernel the reason why it has a core of its own. None for a kernel that may share
    /// one.
    pub fn alone(&self) -> IdVec<KernelId, Option<Alone>> {
        let cyclic = self.on_cycles();
        let reason = |kernel: KernelId| {
            if self.runtime(kernel).is_none() {
                return Some(Alone::NoRuntime);
            }
            if let Some(member) = self.kernels[kernel].memberships.iter().find(|member| {
                let collective = &self.collectives[member.collective];
                u64::from(collective.chunks()) * u64::from(collective.calls) > 1
            }) {
                return Some(Alone::SeveralWindows(member.collective));
            }
            if let (Some(cascade), _) | (None, Some(cascade)) = self.cascades_of(kernel) {
                return Some(Alone::Cascade(cascade.origin));
            }
            if let Some(port) = self.ports_of(kernel).find(|&port| self.is_stream(port)) {
                return Some(Alone::Stream(port));
            }
            let own_locks = |port: &PortId| {
                let port = &self.ports[*port];
                port.asynchronous
                    && port.window().is_some()
                    && matches!(port.role, crate::expanded::PortRole::User(_))
            };
            let port = self.ports_of(kernel).find(own_locks).map(Alone::Asynchronous);
            port.or_else(|| cyclic.contains(&kernel).then_some(Alone::Cycle))
        };
        self.kernels.ids().map(reason).collect()
    }

    /// Share of a core's time that each kernel takes, in 1/1000: all of it if the kernel has a core
    /// of its own.
    pub fn core_shares(&self) -> IdVec<KernelId, u32> {
        let alone = self.alone();
        let share = |kernel| match alone[kernel] {
            Some(_) => WHOLE_CORE,
            None => self.runtime(kernel).unwrap_or(WHOLE_CORE).clamp(1, WHOLE_CORE),
        };
        self.kernels.ids().map(share).collect()
    }

    /// All kernels in topological order: producers before consumers. Kernels on a cycle are in a
    /// fixed order.
    pub fn firing_order(&self) -> Vec<KernelId> {
        // Tarjan's algorithm finds the consumers first.
        let components = tarjan_scc(&self.graph).into_iter().rev();
        components
            .flat_map(|mut nodes| {
                nodes.sort_unstable();
                nodes
            })
            .filter_map(|node| match self.graph[node] {
                Owner::Kernel(kernel) => Some(kernel),
                Owner::External(_) => None,
            })
            .collect()
    }

    fn on_cycles(&self) -> BTreeSet<KernelId> {
        let components = tarjan_scc(&self.graph).into_iter().filter(|nodes| nodes.len() > 1);
        let owners = components.flatten().map(|node| self.graph[node]);
        owners
            .filter_map(|owner| match owner {
                Owner::Kernel(kernel) => Some(kernel),
                Owner::External(_) => None,
            })
            .collect()
    }

    /// Bytes of the one area of stacks, heaps and sync area on the core of `kernels`.
    ///
    /// No document says whether stacks of kernels on one core may overlap. The sum suffices either
    /// way. The sync area belongs to the core (linker scripts of aiecompiler).
    pub fn core_system_bytes(&self, kernels: &[KernelId], device: &Device) -> u64 {
        let memory = &device.memory;
        let own = |&kernel: &KernelId| {
            u64::from(self.stack_bytes(kernel, memory.default_stack))
                + u64::from(self.heap_bytes(kernel, memory.default_heap))
        };
        kernels.iter().map(own).sum::<u64>() + u64::from(memory.sync_bytes)
    }
}
