//! What views are made from: a design with everything decided about it.

use aiec_device::Device;
use aiec_ir::expanded::{DataEnd, Expanded, Owner};
use aiec_ir::ways::Border;
use aiec_ir::{
    Buffering, Carries, Direction, ExternalId, FamilyId, KernelId, ParameterId, PortId, SubgraphId,
    WindowType,
};
use aiec_placer::{Placed, PortBuffers, Spot};

use crate::classes::Classes;
use crate::hierarchy::{Hierarchy, Level, around};
use crate::members::Member;
use crate::names::{INSTANCE, Names, data_end_path};
use crate::options::{Locations, UserSource};
use crate::roles::Roles;

/// A design with everything decided about it.
pub(crate) struct Context<'a> {
    pub design: &'a Expanded,
    /// The placement. None when the run is on the host, which needs no placement.
    pub placed: Option<&'a Placed>,
    /// The parts of the placement that become constraints for the tools.
    pub locations: Locations,
    /// The user's sources and headers.
    pub sources: &'a [UserSource],
    pub device: &'a Device,
    pub roles: &'a Roles,
    pub names: &'a Names,
    /// The classes of sub-graphs.
    pub hierarchy: &'a Hierarchy,
    /// The lookup of each collective's classes by rank.
    pub classes: &'a [Classes<'a>],
    /// The line that names a file's generator.
    pub stamp: String,
}

/// Something in a graph class: its expression with a hole `{}` for each index, and the indices.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Place {
    pub pattern: String,
    pub indices: Vec<i64>,
}

impl Place {
    /// An element of a member.
    pub fn of(member: &str, indices: Vec<i64>) -> Self {
        Self { pattern: format!("{member}{}", "[{}]".repeat(indices.len())), indices }
    }

    /// The element that `member` names, by its name and indices.
    pub fn of_member(member: &Member) -> Self {
        Self::of(&member.name, member.indices.iter().map(|&index| index.into()).collect())
    }

    /// A part of this.
    pub fn then(&self, part: &Self) -> Self {
        let indices = self.indices.iter().chain(&part.indices).copied().collect();
        Self { pattern: format!("{}.{}", self.pattern, part.pattern), indices }
    }

    /// The C++ expression, with the indices in the holes of the pattern.
    pub fn text(&self) -> String {
        let indices: Vec<String> = self.indices.iter().map(ToString::to_string).collect();
        with_indices(&self.pattern, &indices)
    }
}

/// A pattern with these in its holes.
pub(crate) fn with_indices(pattern: &str, indices: &[String]) -> String {
    let mut pieces = pattern.split("{}");
    let mut text = pieces.next().unwrap_or_default().to_owned();
    for (index, piece) in indices.iter().zip(pieces) {
        text.push_str(index);
        text.push_str(piece);
    }
    text
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

/// A connected input or output, with the data that passes through it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct UsedExternal {
    pub id: ExternalId,
    pub traffic: Traffic,
}

/// The contents of the data file of an input, output or parameter of the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FileData {
    pub end: DataEnd,
    pub traffic: Traffic,
}

impl Context<'_> {
    /// The member of its class that holds a kernel, input or output, and its indices there: one
    /// for each extent.
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

    /// The class of a kernel, input or output.
    pub fn level_of(&self, owner: Owner) -> Level {
        match owner {
            Owner::Kernel(kernel) => self.names.graphs.levels.families[self.design.kernels[kernel].family],
            Owner::External(_) => None,
        }
    }

    /// An instance of a component in the class around it.
    pub fn instance_place(&self, id: SubgraphId) -> Place {
        Place::of_member(&self.names.graphs.instances[id])
    }

    /// A port of an instance in the class of the instance.
    pub fn border_place(&self, (id, port): Border) -> Place {
        let ports = &self.names.graphs.borders[id];
        ports.get(port as usize).map_or_else(Place::default, Place::of_member)
    }

    /// A port of a kernel, input or output in the class of the owner.
    pub fn port_place(&self, port: PortId) -> Place {
        let port = &self.design.ports[port];
        let (member, indices) = self.member_of(port.owner);
        let list = Place { pattern: format!("{}[{{}}]", port.list()), indices: vec![i64::from(port.slot)] };
        Place::of(&member, indices).then(&list)
    }

    /// What stands in the class `inside`, as the class `outside` around it names it.
    pub fn seen(&self, place: Place, inside: Level, outside: Level) -> Place {
        let (mut place, mut level) = (place, inside);
        while let Some(id) = level.filter(|_| level != outside) {
            place = self.instance_place(id).then(&place);
            level = around(self.design, level);
        }
        place
    }

    /// The parameter of its class that a kernel's constructor takes as a number.
    pub fn parameter_at(&self, place: crate::hierarchy::Place) -> Option<&str> {
        let level = self.level_of(Owner::Kernel(place.0))?;
        let class = *self.hierarchy.of.get(level)?;
        let places = &self.hierarchy.classes[class].places;
        let (_, at) = places.iter().find(|(other, _)| *other == place)?;
        self.names.graphs.parameters[class].get(*at).map(String::as_str)
    }

    /// The expression for a kernel within its class, with these for its indices.
    pub fn kernel_at(&self, family: FamilyId, indices: &[String]) -> String {
        let indices: String = indices.iter().map(|index| format!("[{index}]")).collect();
        format!("{}{indices}", self.names.families[family])
    }

    /// The expression for the kernels of a family within the class `outside`.
    pub fn family(&self, family: FamilyId, outside: Level) -> String {
        let place = Place { pattern: self.names.families[family].clone(), indices: Vec::new() };
        self.seen(place, self.names.graphs.levels.families[family], outside).text()
    }

    /// The members of a graph class that split or merge packets, each with its type and the number
    /// of its elements, if it is an array: those of collectives, then the user's.
    pub fn packet_switches(&self, level: Level) -> impl Iterator<Item = (String, &str, Option<usize>)> {
        let here = move |id| self.names.graphs.levels.collectives[id] == level;
        let of_collectives = self.design.collectives.enumerate().filter_map(move |(id, collective)| {
            let (streams, member) = (collective.plan.merged_streams()?, self.names.merges[id].as_deref()?);
            here(id).then(|| (format!("adf::pktmerge<{streams}>"), member, None))
        });
        let groups = self.names.switches.iter().filter(move |group| group.level == level);
        let users = groups.map(|group| {
            let count = group.switches.len();
            (group.class.clone(), group.member.as_str(), (count > 1).then_some(count))
        });
        of_collectives.chain(users)
    }

    /// The expression for a kernel within the graph class.
    pub fn kernel(&self, kernel: KernelId) -> String {
        self.kernel_place(kernel, None).text()
    }

    /// A kernel as the class `outside` names it.
    pub fn kernel_place(&self, kernel: KernelId, outside: Level) -> Place {
        let owner = Owner::Kernel(kernel);
        let (member, indices) = self.member_of(owner);
        self.seen(Place::of(&member, indices), self.level_of(owner), outside)
    }

    /// True if a family's kernels are an array.
    pub fn is_array(&self, family: FamilyId) -> bool {
        !self.design.families[family].dims.is_empty()
    }

    /// The expression for a port of a kernel within the graph class, such as `worker[3].in[0]`.
    pub fn port(&self, port: PortId) -> String {
        self.seen(self.port_place(port), self.level_of(self.design.ports[port].owner), None).text()
    }

    /// True if the port carries a run-time parameter.
    pub fn is_parameter(&self, port: PortId) -> bool {
        matches!(self.design.ports[port].carries, Some(Carries::Parameter(_)))
    }

    /// The class of the port's blocks in `location<...>`.
    pub fn block_class(&self, port: PortId) -> &'static str {
        if self.is_parameter(port) || self.design.is_table(port) { "parameter" } else { "buffer" }
    }

    /// The hierarchical name of something in the graph, as constraint files and XRT spell it.
    pub fn hierarchical(&self, member: &str) -> String {
        format!("{INSTANCE}.{member}")
    }

    /// The kernels of a family.
    pub fn kernels_of(&self, family: FamilyId) -> impl Iterator<Item = KernelId> + '_ {
        self.design.kernels.enumerate().filter(move |(_, kernel)| kernel.family == family).map(|(id, _)| id)
    }

    /// True if a port's window has one buffer: the design states it, or its connection stays on one
    /// core.
    pub fn is_single(&self, port: PortId) -> bool {
        self.design.buffering_of(port) == Buffering::Single || self.stays_on_core(port)
    }

    /// True if the port's only connection leads to another kernel on the same core. Both kernels
    /// use one buffer in turn (UG1079). Windows of two sizes, or with several readers, have buffers
    /// of their own, between which a DMA copies.
    pub fn stays_on_core(&self, port: PortId) -> bool {
        let [connection] = self.design.ports[port].connections.as_slice() else { return false };
        if !self.design.may_share(port) {
            return false;
        }
        let connection = &self.design.connections[*connection];
        let ends = self.design.kernel_of(connection.from).zip(self.design.kernel_of(connection.to));
        ends.zip(self.placed)
            .is_some_and(|((from, to), placed)| from != to && placed.kernels[from] == placed.kernels[to])
    }

    /// The data of an input or output. Returns None when nothing is connected to it.
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
        let externals = self.used_externals().filter_map(move |UsedExternal { id, traffic }| {
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
    pub fn used_externals(&self) -> impl Iterator<Item = UsedExternal> + '_ {
        let used = |id| Some(UsedExternal { id, traffic: self.traffic(id)? });
        self.design.externals.ids().filter_map(used)
    }

    /// Connected inputs and outputs, also those whose amount of data the design does not state.
    pub fn connected_externals(&self) -> impl Iterator<Item = ExternalId> + '_ {
        let all = self.design.externals.enumerate();
        all.filter(|(_, one)| !self.design.ports[one.port].connections.is_empty()).map(|(id, _)| id)
    }

    /// The buffers that belong to a port itself, and its selector word. Returns None when there is
    /// no placement, or the port uses the buffers of another one.
    pub fn own_blocks(&self, port: PortId) -> Option<(&[Spot], &[Spot])> {
        match &self.placed?.buffers[port] {
            PortBuffers::Own(spots) => {
                spots.split_at_checked(spots.len().saturating_sub(self.design.selectors_of(port) as usize))
            }
            PortBuffers::None | PortBuffers::Shared => None,
        }
    }
}
