//! The context of all views of one project, and of its report.

use aiec_check::Checked;
use aiec_device::Device;
use aiec_ir::expanded::{DataEnd, Expanded, Owner};
use aiec_ir::{
    Buffering, Carries, Direction, ExternalId, FamilyId, KernelId, ParameterId, PortId, WindowType,
};
use aiec_placer::{Placed, PortBuffers, Spot};

use crate::classes::Classes;
use crate::names::{INSTANCE, Names, data_end_path};
use crate::options::{EmitOptions, Locations, UserSource};
use crate::roles::Roles;
use crate::stamp::stamp;

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

/// The contents of the data file of an input, output or parameter of the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FileData {
    pub end: DataEnd,
    pub traffic: Traffic,
}

impl Context<'_> {
    /// The member of the graph class that holds a kernel, input or output, and its indices there:
    /// one for each extent.
    pub fn member_of(&self, owner: Owner) -> (String, Vec<i64>) {
        match owner {
            Owner::Kernel(kernel) => {
                let kernel = &self.design.kernels[kernel];
                let position = self.design.families[kernel.family].position(kernel.index);
                let indices = position.into_iter().map(i64::from).collect();
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

    /// The members of the graph class that split or merge packets, each with its type and the
    /// number of its elements, if it is an array: those of collectives, then the user's.
    pub fn packet_switches(&self) -> impl Iterator<Item = (String, &str, Option<usize>)> {
        let of_collectives = self.design.collectives.enumerate().filter_map(|(id, collective)| {
            let (streams, member) = (collective.plan.merged_streams()?, self.names.merges[id].as_deref()?);
            Some((format!("adf::pktmerge<{streams}>"), member, None))
        });
        let users = self.names.switches.iter().map(|group| {
            let count = group.switches.len();
            (group.class.clone(), group.member.as_str(), (count > 1).then_some(count))
        });
        of_collectives.chain(users)
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

    /// True if the port carries a run-time parameter.
    pub fn is_parameter(&self, port: PortId) -> bool {
        matches!(self.design.ports[port].carries, Some(Carries::Parameter(_)))
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

    /// The connected parameters of the host, with their values in one run.
    pub fn used_parameters(&self) -> impl Iterator<Item = (ParameterId, WindowType)> + '_ {
        self.design.parameters.ids().filter_map(|id| Some((id, self.design.parameter_block(id)?)))
    }

    /// The data files of inputs (`Out`) or outputs (`In`): first those of the array, then those of
    /// the host's parameters.
    pub fn data_of(&self, direction: Direction) -> impl Iterator<Item = FileData> + '_ {
        let runs = u64::from(self.design.iterations);
        let externals = self.used_externals().filter_map(move |(id, traffic)| {
            let end = DataEnd::External(id);
            (self.design.externals[id].direction == direction).then_some(FileData { end, traffic })
        });
        let parameters = self.used_parameters().filter_map(move |(id, window)| {
            let of_file = self.design.changes_between_runs(id);
            let is_it = self.design.parameters[id].direction == direction && of_file;
            let data = FileData { end: DataEnd::Parameter(id), traffic: Traffic { window, windows: runs } };
            is_it.then_some(data)
        });
        externals.chain(parameters)
    }

    /// The data file of an input, output or parameter, relative to the project.
    pub fn file_of(&self, end: DataEnd) -> String {
        data_end_path(self.design, end)
    }

    /// Connected inputs and outputs, with the data that passes through them.
    pub fn used_externals(&self) -> impl Iterator<Item = (ExternalId, Traffic)> + '_ {
        self.design.externals.ids().filter_map(|external| Some((external, self.traffic(external)?)))
    }

    /// The buffers that belong to a port itself, and its selector word. None without a placement,
    /// and for a port that uses the buffers of another one.
    pub fn own_blocks(&self, port: PortId) -> Option<(&[Spot], &[Spot])> {
        match &self.placed?.buffers[port] {
            PortBuffers::Own(spots) => {
                spots.split_at_checked(spots.len().saturating_sub(self.design.selectors_of(port) as usize))
            }
            PortBuffers::None | PortBuffers::Shared => None,
        }
    }
}

/// Calls `make` with everything that views are made from.
pub(crate) fn with_context<T>(
    checked: &Checked,
    placed: Option<&Placed>,
    device: &Device,
    options: &EmitOptions,
    make: impl FnOnce(&Context<'_>) -> T,
) -> T {
    let roles = Roles::of(checked);
    let names = names_of(checked, &roles, &options.sources);
    let stamp = stamp(&options.origin, &checked.name.value);
    let classes: Vec<Classes<'_>> = checked.collectives.iter().map(Classes::of).collect();
    let locations = options.locations;
    make(&Context {
        design: checked,
        placed,
        locations,
        device,
        roles: &roles,
        names: &names,
        classes: &classes,
        stamp,
    })
}

pub(crate) fn names_of(design: &Expanded, roles: &Roles, sources: &[UserSource]) -> Names {
    let paths: Vec<&str> = sources.iter().map(|source| source.path.as_str()).collect();
    Names::of(design, roles, &paths)
}
