//! Views: the contents of each template, as final text and numbers.
//!
//! One struct per template, named after the file it makes. All views are made from [`Context`].

pub(crate) mod build;
pub(crate) mod collectives;
mod connect;
pub(crate) mod constraints;
mod create;
pub(crate) mod data;
pub(crate) mod design;
pub(crate) mod graph;
pub(crate) mod graph_cpp;
pub(crate) mod host;
pub(crate) mod ignore;
pub(crate) mod kernels;
pub(crate) mod library;
mod links;
pub(crate) mod place;
pub(crate) mod project;
pub(crate) mod readme;
mod texts;

use aiec_device::Device;
use aiec_ir::expanded::{Expanded, Owner, PortRole};
use aiec_ir::{Buffering, ExternalId, FamilyId, KernelId, PortId, WindowType};
use aiec_placer::Placed;

use crate::classes::Classes;
use crate::names::{INSTANCE, Names};
use crate::options::Locations;
use crate::roles::Roles;

/// A design with everything decided about it.
pub(crate) struct Context<'a> {
    pub design: &'a Expanded,
    /// The placement. None for a run on the host, which needs no placement.
    pub placed: Option<&'a Placed>,
    /// The parts of the placement that become constraints for the tools.
    pub locations: Locations,
    pub device: &'a Device,
    pub roles: &'a Roles,
    pub names: &'a Names,
    /// The lookup of each collective's classes by rank.
    pub classes: &'a [Classes<'a>],
    /// The line that names a file's generator.
    pub stamp: String,
}

/// True if port `number` of a family is async in any of its kernels. The kernels share a source,
/// where a buffer's type states it.
pub(crate) fn is_async_in_family(design: &Expanded, family: FamilyId, number: u32) -> bool {
    let kernels = design.kernels.enumerate().filter(|(_, kernel)| kernel.family == family);
    let mut ports = kernels.flat_map(|(id, _)| design.ports_of(id));
    ports.any(|port| {
        let port = &design.ports[port];
        port.asynchronous && matches!(port.role, PortRole::User(at) if at == number)
    })
}

/// The data that passes through an input or output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Traffic {
    pub window: WindowType,
    /// Windows in all iterations together.
    pub windows: u64,
}

impl Traffic {
    /// Elements in all iterations together.
    pub fn elements(self) -> u64 {
        self.windows.saturating_mul(u64::from(self.window.elements))
    }
}

impl Context<'_> {
    /// The member of the graph class that holds a kernel, input or output, and its indices there:
    /// one in an array, two in a matrix, none otherwise.
    pub fn member_of(&self, owner: Owner) -> (String, Vec<i64>) {
        match owner {
            Owner::Kernel(kernel) => {
                let kernel = &self.design.kernels[kernel];
                let index = i64::from(kernel.index);
                let indices = match self.design.families[kernel.family].dims.as_slice() {
                    [] => Vec::new(),
                    [_, columns] => vec![index / i64::from(*columns), index % i64::from(*columns)],
                    _ => vec![index],
                };
                (self.names.families[kernel.family].clone(), indices)
            }
            Owner::External(external) => {
                let Some((at, element)) = self.names.element_of(external) else { return Default::default() };
                let group = &self.names.externals[at];
                let index = group.array.then(|| i64::try_from(element).unwrap_or(i64::MAX));
                (group.member.clone(), index.into_iter().collect())
            }
        }
    }

    /// The expression for a kernel within the graph class, with these for its indices.
    pub fn kernel_at(&self, family: FamilyId, indices: &[String]) -> String {
        let indices: String = indices.iter().map(|index| format!("[{index}]")).collect();
        format!("{}{indices}", self.names.families[family])
    }

    /// The members of the graph class that merge packets, each with its type.
    pub fn merges(&self) -> impl Iterator<Item = (String, &str)> {
        self.design.collectives.enumerate().filter_map(|(id, collective)| {
            let (streams, member) = (collective.plan.merged_streams()?, self.names.merges[id].as_deref()?);
            Some((format!("adf::pktmerge<{streams}>"), member))
        })
    }

    /// The expression for a kernel within the graph class.
    pub fn kernel(&self, kernel: KernelId) -> String {
        let (member, indices) = self.member_of(Owner::Kernel(kernel));
        indices.iter().fold(member, |name, index| format!("{name}[{index}]"))
    }

    /// True if a family's kernels are an array.
    pub fn is_array(&self, family: FamilyId) -> bool {
        !self.design.families[family].dims.is_empty()
    }

    /// The expression for a port of a kernel within the graph class, such as `worker[3].in[0]`.
    pub fn port(&self, port: PortId) -> String {
        let Expanded { ports, .. } = self.design;
        let owner = match ports[port].owner {
            Owner::Kernel(kernel) => self.kernel(kernel),
            Owner::External(external) => self.names.external(external),
        };
        format!("{owner}.{}[{}]", ports[port].list(), ports[port].slot)
    }

    /// The hierarchical name of something in the graph, as constraint files and XRT spell it.
    pub fn hierarchical(&self, member: &str) -> String {
        format!("{INSTANCE}.{member}")
    }

    /// The kernels of a family.
    pub fn kernels_of(&self, family: FamilyId) -> impl Iterator<Item = KernelId> + '_ {
        self.design.kernels.enumerate().filter(move |(_, kernel)| kernel.family == family).map(|(id, _)| id)
    }

    /// True if a port's window has one buffer: the design asks for it, or its connection stays on
    /// one core.
    pub fn is_single(&self, port: PortId) -> bool {
        self.design.buffering_of(port) == Buffering::Single || self.stays_on_core(port)
    }

    /// True if the port's only connection leads to another kernel on the same core. Both kernels
    /// use one buffer in turn (UG1079).
    pub fn stays_on_core(&self, port: PortId) -> bool {
        let [connection] = self.design.ports[port].connections.as_slice() else { return false };
        let connection = &self.design.connections[*connection];
        let ends = self.design.kernel_of(connection.from).zip(self.design.kernel_of(connection.to));
        ends.zip(self.placed)
            .is_some_and(|((from, to), placed)| from != to && placed.kernels[from] == placed.kernels[to])
    }

    /// The data of an input or output. None when nothing is connected to it.
    ///
    /// In one run a kernel passes as many windows as the design states. The result of a collective
    /// has one window per chunk of every call.
    pub fn traffic(&self, external: ExternalId) -> Option<Traffic> {
        let per_run = self.design.windows_through(external)?;
        let window = self.design.ports[self.design.externals[external].port].carries?.per_run()?;
        Some(Traffic { window, windows: per_run.saturating_mul(u64::from(self.design.iterations)) })
    }

    /// Connected inputs and outputs, with the data that passes through them.
    pub fn used_externals(&self) -> impl Iterator<Item = (ExternalId, Traffic)> + '_ {
        self.design.externals.ids().filter_map(|external| Some((external, self.traffic(external)?)))
    }
}
