//! What an expanded design answers: owners, names, amounts of data, and how ports are joined.

use std::collections::BTreeMap;

use aiec_device::{Device, Grid, Tile};
use aiec_diag::{Span, Spanned};

use super::{
    Cascade, CascadeOrigin, Collective, Connection, DataEnd, Expanded, Kernel, Membership, Owner,
    PacketSwitch, Port, PortRole, SwitchKind,
};
use crate::blocks::Block;
use crate::carries::Carries;
use crate::design::{Body, Language, Subgraph, port_identifier};
use crate::ids::{CollectiveId, ConnectionId, ExternalId, KernelId, ParameterId, PortId};
use aiec_collectives::{Combining, Data, Direction, Loops, Operation, Rank, Step, WindowType};

/// The largest message through a port of a mailbox or of active messages, or a packet of a channel
/// to any peer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LargestMessage {
    /// Bytes that it carries: elements, arguments, or results.
    pub bytes: u64,
    /// Bytes of its packet, with all words of the library.
    pub packet: u64,
}

impl Expanded {
    /// The instances of components in which a kernel lies, the innermost first.
    pub fn instances_around(&self, kernel: KernelId) -> impl Iterator<Item = &Subgraph> {
        let family = self.kernels[kernel].family;
        let inner = self.subgraphs.iter().find(|instance| instance.families.contains(&family));
        std::iter::successors(inner, |instance| instance.parent.map(|parent| &self.subgraphs[parent]))
    }

    /// True for an ADF graph. Rules of aiec's own language do not hold there: the vendor's tools
    /// accept graphs that state no amount of a stream, for example.
    pub fn is_adf(&self) -> bool {
        self.language == Language::Adf
    }

    /// The kernel of a port. Returns None when the port is of an input or output.
    pub fn kernel_of(&self, port: PortId) -> Option<KernelId> {
        match self.ports[port].owner {
            Owner::Kernel(kernel) => Some(kernel),
            Owner::External(_) => None,
        }
    }

    /// The stack or buffers in messages.
    pub fn block_name(&self, block: Block<KernelId, PortId>) -> String {
        match block {
            Block::Stack(kernel) => format!("the stack of `{}`", self.kernels[kernel].name),
            Block::Buffers(port) => format!("`{}`", self.port_name(port)),
        }
    }

    /// The kernel with this stack or these buffers. Returns None when they lie outside the array.
    pub fn kernel_of_block(&self, block: Block<KernelId, PortId>) -> Option<KernelId> {
        match block {
            Block::Stack(kernel) => Some(kernel),
            Block::Buffers(port) => self.kernel_of(port),
        }
    }

    /// Windows that a kernel passes through its port in one run, as far as the design determines
    /// it: one of a synchronous port, one for each chunk of every call of a result, one of cycle
    /// counts, and the stated `windows` of an asynchronous port. Returns None when the port is of
    /// an input, an output or the link of a collective.
    pub fn windows_per_run(&self, port: PortId) -> Option<u64> {
        let end = &self.ports[port];
        match end.role {
            PortRole::External | PortRole::Link(_) | PortRole::Packets(_) => None,
            PortRole::Result(id) => {
                let collective = &self.collectives[id];
                Some(u64::from(collective.chunks()) * u64::from(collective.calls))
            }
            PortRole::Cycles(_) | PortRole::Channel(_) => Some(1),
            PortRole::User(_) if !end.asynchronous => Some(1),
            PortRole::User(_) => end.windows.as_ref().map(|windows| windows.value.into()),
        }
    }

    /// Windows that pass through an input or output in one iteration: those that all runs of the
    /// kernel at its first connection pass. A run passes one if the design does not determine it.
    /// Returns None when nothing is connected.
    pub fn windows_through(&self, external: ExternalId) -> Option<u64> {
        let port = self.externals[external].port;
        let connection = &self.connections[*self.ports[port].connections.first()?];
        let end = connection.other(port);
        let runs = self.kernel_of(end).map_or(1, |kernel| self.kernels[kernel].repetitions);
        Some(self.windows_per_run(end).unwrap_or(1).saturating_mul(runs.into()))
    }

    /// Bytes that a kernel passes through its port in one run: the windows of a run, or the stated
    /// amount of a stream. Returns None when the design does not determine it, for cascades and
    /// parameters, and for inputs and outputs.
    pub fn bytes_per_run(&self, port: PortId) -> Option<u64> {
        let block = self.ports[port].carries?.per_run()?.bytes();
        self.windows_per_run(port)?.checked_mul(block)
    }

    /// Number of connections, with those of the host's parameters.
    pub fn connection_count(&self) -> usize {
        let of_host = self.parameters.iter().map(|parameter| parameter.ports.len());
        self.connections.len() + of_host.sum::<usize>()
    }

    /// Runs of `kernel` in all iterations of the graph.
    pub fn firings(&self, kernel: KernelId) -> u64 {
        u64::from(self.iterations) * u64::from(self.kernels[kernel].repetitions)
    }

    /// All inputs or outputs (`direction` `Out` or `In`), then all parameters of the host.
    pub fn data_ends(&self, direction: Direction) -> impl Iterator<Item = DataEnd> + '_ {
        let externals = self.externals.enumerate().filter(move |(_, end)| end.direction == direction);
        let parameters = self.parameters.enumerate().filter(move |(_, end)| end.direction == direction);
        let externals = externals.map(|(id, _)| DataEnd::External(id));
        externals.chain(parameters.map(|(id, _)| DataEnd::Parameter(id)))
    }

    /// The name of a data end, such as `lanes[3]`.
    pub fn data_name(&self, end: DataEnd) -> &str {
        match end {
            DataEnd::External(id) => &self.externals[id].name,
            DataEnd::Parameter(id) => &self.parameters[id].name,
        }
    }

    /// The declaration of a data end.
    pub fn data_span(&self, end: DataEnd) -> Span {
        match end {
            DataEnd::External(id) => self.externals[id].span,
            DataEnd::Parameter(id) => self.parameters[id].span,
        }
    }

    /// The file that the design names for the expected data of an output.
    pub fn data_golden(&self, end: DataEnd) -> Option<&Spanned<String>> {
        match end {
            DataEnd::External(id) => self.externals[id].golden.as_ref(),
            DataEnd::Parameter(id) => self.parameters[id].golden.as_ref(),
        }
    }

    /// The ports of kernels at the other side of a data end.
    pub fn data_peers(&self, end: DataEnd) -> Vec<PortId> {
        match end {
            DataEnd::Parameter(id) => self.parameters[id].ports.clone(),
            DataEnd::External(id) => {
                let port = self.externals[id].port;
                let connections = self.ports[port].connections.iter().map(|&id| &self.connections[id]);
                connections.map(|wire| wire.other(port)).collect()
            }
        }
    }

    /// What passes through a data end. Returns None when nothing is connected to it.
    pub fn data_carries(&self, end: DataEnd) -> Option<Carries> {
        match end {
            DataEnd::External(id) => self.ports[self.externals[id].port].carries,
            DataEnd::Parameter(id) => self.ports[*self.parameters[id].ports.first()?].carries,
        }
    }

    /// The values of a parameter of the host in one run. Returns None when nothing is connected to
    /// it.
    pub fn parameter_block(&self, parameter: ParameterId) -> Option<WindowType> {
        self.data_carries(DataEnd::Parameter(parameter))?.block()
    }

    /// True if each run needs values of the parameter from its file, or gives some to it: all
    /// parameters but those with an initial value, which stays.
    pub fn changes_between_runs(&self, parameter: ParameterId) -> bool {
        self.parameters[parameter].values.initial.is_empty()
    }

    /// True if the host starts the runs of the graph one by one, since a parameter changes between
    /// them or is read after each.
    pub fn runs_one_by_one(&self) -> bool {
        let used = |id: &ParameterId| !self.parameters[*id].ports.is_empty();
        self.parameters.ids().filter(used).any(|id| self.changes_between_runs(id))
    }

    /// A port's name with its owner's, such as `worker[3].total_in0`, or `sum` for an output.
    pub fn port_name(&self, port: PortId) -> String {
        let port = &self.ports[port];
        match port.owner {
            Owner::Kernel(kernel) => format!("{}.{}", self.kernels[kernel].name, port.name),
            Owner::External(external) => self.externals[external].name.clone(),
        }
    }

    /// The name of a port's owner.
    pub fn owner_name(&self, owner: Owner) -> &str {
        match owner {
            Owner::Kernel(kernel) => &self.kernels[kernel].name,
            Owner::External(external) => &self.externals[external].name,
        }
    }

    /// The C++ and the memory of `kernel`.
    pub fn body(&self, kernel: KernelId) -> &Body {
        let Kernel { family, index, .. } = &self.kernels[kernel];

        self.families[*family].body(*index)
    }

    /// Bytes of stack of `kernel`: the stated number or `default`.
    pub fn stack_bytes(&self, kernel: KernelId, default: u32) -> u32 {
        self.body(kernel).stack.as_ref().map_or(default, |stack| stack.value)
    }

    /// True if a keepout of the design or of the device covers `tile`.
    pub fn is_closed(&self, device: &Device, tile: Tile) -> bool {
        device.keepout.contains(&tile) || self.constraints.keeps_out(tile.column.into(), tile.row.into())
    }

    /// The grid of `device` without the tiles that a keepout covers.
    pub fn open_grid(&self, device: &Device) -> Grid {
        Grid::without(device, |tile| self.is_closed(device, tile))
    }

    /// The name of a connection: `a.y -> b.x`.
    pub fn connection_name(&self, id: ConnectionId) -> String {
        let Connection { from, to, .. } = self.connections[id];
        format!("{} -> {}", self.port_name(from), self.port_name(to))
    }

    /// All ports of `kernel`: inputs, outputs, parameters that it gives back, tables.
    pub fn ports_of(&self, kernel: KernelId) -> impl Iterator<Item = PortId> + '_ {
        let kernel = &self.kernels[kernel];
        let ports = kernel.inputs.iter().chain(&kernel.outputs).chain(&kernel.inouts);
        ports.chain(&kernel.tables).copied()
    }

    /// True if the port is a table of its kernel.
    pub fn is_table(&self, port: PortId) -> bool {
        matches!(self.ports[port].carries, Some(Carries::Table { .. }))
    }

    /// The collective of `port`: its own, or the one whose result or cycle counts it takes in. So
    /// both ends of a connection, and all its costs, belong to the same collective or to none.
    pub fn collective_of(&self, port: PortId) -> Option<CollectiveId> {
        let own = |port: PortId| match self.ports[port].role {
            PortRole::Link(id)
            | PortRole::Channel(id)
            | PortRole::Packets(id)
            | PortRole::Result(id)
            | PortRole::Cycles(id) => Some(id),
            PortRole::User(_) | PortRole::External => None,
        };
        let mut ends = self.ports[port].connections.iter().map(|&id| &self.connections[id]);
        own(port).or_else(|| ends.find_map(|connection| own(connection.from)))
    }

    /// The part of `kernel` in a collective. Returns None when it has none.
    pub fn membership(&self, kernel: KernelId, collective: CollectiveId) -> Option<&Membership> {
        self.kernels[kernel].memberships.iter().find(|member| member.collective == collective)
    }

    /// The ports from which a step of a rank takes windows, and the ports to which it gives
    /// windows, the port of the result among them.
    pub fn step_ports(&self, member: &Membership, step: &Step) -> (Vec<PortId>, Vec<PortId>) {
        let at = |ports: &[PortId], number: &u32| ports.get(*number as usize).copied();
        let take = step.take.iter().filter_map(|port| at(&member.inputs, port)).collect();
        let give = step.give.iter().filter_map(|port| at(&member.outputs, port));
        (take, give.chain(member.result.filter(|_| step.result)).collect())
    }

    /// The cascade stream that `kernel` reads, and the one that it writes; the first of each.
    pub fn cascades_of(&self, kernel: KernelId) -> (Option<&Cascade>, Option<&Cascade>) {
        let into = self.cascades.iter().find(|cascade| cascade.to == kernel);
        (into, self.cascades.iter().find(|cascade| cascade.from == kernel))
    }

    /// True if the streams of several ports are merged into this one as packets.
    pub fn joins_packets(&self, port: PortId) -> bool {
        let merges = matches!(self.switch_at(port), Some(SwitchKind::Merge | SwitchKind::OrderedMerge));
        merges || matches!(self.ports[port].role, PortRole::Packets(_))
    }

    /// True if the packets of this port are split: each goes to the branch that its id names.
    pub fn splits_packets(&self, port: PortId) -> bool {
        self.switch_at(port) == Some(SwitchKind::Split)
    }

    /// The number of a branch in its split or merge, which is the id of its packets. Branches of
    /// one number of several splits at one port get the same packets.
    pub fn branch_number(&self, connection: ConnectionId) -> Option<u32> {
        let switch = self.connections[connection].switch?;
        let mut branches = self.switches[switch].numbered();
        branches.find(|&(_, branch)| branch == connection).map(|(number, _)| number)
    }

    /// The branches of all splits at a port by their packet ids. Those of one id are in the order
    /// of the splits, and get the same packets.
    pub fn branches_of_splits(&self, trunk: PortId) -> BTreeMap<u32, Vec<ConnectionId>> {
        let mut found: BTreeMap<u32, Vec<ConnectionId>> = BTreeMap::new();
        let is_here = |switch: &&PacketSwitch| switch.trunk == trunk && switch.kind == SwitchKind::Split;
        for (number, branch) in self.switches.iter().filter(is_here).flat_map(PacketSwitch::numbered) {
            found.entry(number).or_default().push(branch);
        }
        found
    }

    fn switch_at(&self, port: PortId) -> Option<SwitchKind> {
        self.ports[port].switch.map(|switch| self.switches[switch].kind)
    }

    /// True if what the port sends is merged with other streams as packets.
    pub fn is_merged(&self, port: PortId) -> bool {
        let port = &self.ports[port];
        let into = |&id: &ConnectionId| self.joins_packets(self.connections[id].to);
        port.direction == Direction::Out && port.connections.iter().any(into)
    }

    /// Selector words of a kernel's port: one for a parameter of the host, which says which buffer
    /// is new, and none for other ports. It has a lock as a buffer has (generated control tables of
    /// aiecompiler: selector, ping and pong with a lock each). No table shows one for a parameter
    /// between kernels.
    pub fn selectors_of(&self, port: PortId) -> u32 {
        let of_parameter = matches!(self.ports[port].carries, Some(Carries::Parameter(_)));
        let of_host = self.has_buffers(port) && self.ports[port].connections.is_empty();
        u32::from(of_parameter && of_host)
    }

    /// True for a parameter of the host in a design: its buffers and its selector word lie in one
    /// module. No document shows them in several; the project of an ADF graph is its owner's.
    pub fn stays_in_one_module(&self, port: PortId) -> bool {
        self.selectors_of(port) > 0 && !self.is_adf()
    }

    /// True if the port of a kernel has buffers in memory: it carries a window or a parameter, or
    /// is a table.
    pub fn has_buffers(&self, port: PortId) -> bool {
        self.block(port).is_some()
    }

    /// The block that one buffer of a kernel's port holds. Returns None when the port is a stream,
    /// an input or an output.
    pub fn block(&self, port: PortId) -> Option<WindowType> {
        let port = &self.ports[port];
        port.carries.filter(|_| matches!(port.owner, Owner::Kernel(_)))?.block()
    }

    /// True if the port is a stream port of a core.
    pub fn is_stream(&self, port: PortId) -> bool {
        let port = &self.ports[port];
        let streams = matches!(port.carries, Some(Carries::Stream(_) | Carries::Packets(_)));
        streams && matches!(port.owner, Owner::Kernel(_))
    }

    /// True if words go from core to core over the stream switches, with DMA at neither end.
    pub fn goes_by_stream(&self, connection: ConnectionId) -> bool {
        let connection = &self.connections[connection];
        self.is_stream(connection.from) && self.is_stream(connection.to)
    }

    /// True if the port is a stream port of a core, and the design does not state how many elements
    /// a run moves there.
    pub fn has_open_amount(&self, port: PortId) -> bool {
        let is_users = matches!(self.ports[port].role, PortRole::User(_) | PortRole::Channel(_));
        is_users && self.is_stream(port) && self.bytes_per_run(port).is_none()
    }

    /// The channel or streamed collective whose kernels open this end for at most the elements of
    /// its `data`. Returns None for other ports.
    pub fn opens_for(&self, port: PortId) -> Option<CollectiveId> {
        let PortRole::Channel(id) = self.ports[port].role else { return None };
        (!self.collectives[id].plan.goes_by_packets()).then_some(id)
    }

    /// The largest message of a mailbox, request or reply through the port, or the packet of a
    /// channel to any peer. Returns None for other ports.
    pub fn message_at(&self, port: PortId) -> Option<LargestMessage> {
        let kernel = self.kernel_of(port);
        let port = &self.ports[port];
        let PortRole::Channel(id) = port.role else { return None };
        let collective = &self.collectives[id];
        let is_root = kernel == Some(collective.root.value);
        let plan = &collective.plan;
        if let Some(relay) = plan.relay {
            let bytes = 4 * u64::from(relay.packet);
            let packet = plan.relayed_bytes(is_root == (port.direction == Direction::In));
            return Some(LargestMessage { bytes, packet });
        }
        if !plan.row().takes_messages {
            return None;
        }
        if is_root == (port.direction == Direction::In) {
            let bytes = collective.data.value.bytes();
            return Some(LargestMessage { bytes, packet: plan.streamed_bytes(bytes) });
        }
        // Without replies only the word that begins a run.
        let bytes = 4 * u64::from(plan.services.reply_words().max(1));
        plan.is_active().then(|| LargestMessage { bytes, packet: plan.streamed_bytes(bytes) })
    }

    /// The connections whose rates and FIFO depths cannot be checked, since an end has an open
    /// amount: a stream, or a window between kernels that one of them acquires an unknown number of
    /// times.
    pub fn without_verdict(&self) -> impl Iterator<Item = ConnectionId> + '_ {
        let acquires = |port: PortId| {
            let end = &self.ports[port];
            let is_user = matches!(end.role, PortRole::User(_)) && end.window().is_some();
            is_user && end.asynchronous && end.windows.is_none()
        };
        let is_open = move |connection: &Connection| {
            let ends = [connection.from, connection.to];
            let inside = ends.iter().all(|&port| matches!(self.ports[port].role, PortRole::User(_)));
            let is_window = inside && ends.iter().any(|&port| acquires(port));
            is_window || ends.iter().any(|&port| self.has_open_amount(port))
        };
        self.connections.enumerate().filter(move |(_, connection)| is_open(connection)).map(|(id, _)| id)
    }

    /// True if the port of a kernel carries a cascade.
    pub fn is_cascade(&self, port: PortId) -> bool {
        let port = &self.ports[port];
        matches!((port.carries, port.owner), (Some(Carries::Cascade(_)), Owner::Kernel(_)))
    }

    /// True if the connection goes along the cascade, which is no net: both ends are ports of
    /// kernels that carry one.
    pub fn goes_by_cascade(&self, connection: ConnectionId) -> bool {
        let connection = &self.connections[connection];
        self.is_cascade(connection.from) && self.is_cascade(connection.to)
    }

    /// True if a tile's DMA moves the data unless the ends share memory: one of the ends is a
    /// buffer of a kernel. False from stream to stream and along the cascade.
    pub fn may_use_dma(&self, connection: ConnectionId) -> bool {
        let connection = &self.connections[connection];
        self.has_buffers(connection.from) || self.has_buffers(connection.to)
    }

    /// Number of windows of a kernel: its ports that carry one.
    pub fn window_count(&self, kernel: KernelId) -> usize {
        self.ports_of(kernel).filter(|&port| self.ports[port].window().is_some()).count()
    }

    /// True if what the port sends goes over the stream switches even between neighbours: a
    /// broadcast (UG1079), packets, a stream at one of the ends, or windows of different sizes or
    /// at different stated places, which have no buffer in common.
    pub fn always_streams(&self, port: PortId) -> bool {
        let streams = |&id: &ConnectionId| {
            let connection = &self.connections[id];
            let ends = [connection.from, connection.to];
            let windows = ends.map(|end| self.ports[end].window().filter(|_| self.kernel_of(end).is_some()));
            // A graph may read what it wrote as elements of another type.
            let differ = matches!(windows, [Some(from), Some(to)] if from.bytes() != to.bytes());
            let streams = connection.switch.is_some() || ends.iter().any(|&end| self.is_stream(end));
            differ || streams || self.lies_apart(connection)
        };
        let sends = self.ports[port].direction == Direction::Out;
        self.is_broadcast(port)
            || self.is_merged(port)
            || (sends && self.ports[port].connections.iter().any(streams))
    }

    /// True if the port has several consumers. A DMA copies a broadcast window even to neighbours
    /// (UG1079).
    pub fn is_broadcast(&self, port: PortId) -> bool {
        let is_out = self.ports[port].direction == Direction::Out;
        is_out && self.ports[port].connections.len() > 1 && !self.splits_packets(port)
    }
}

impl PacketSwitch {
    /// One more than the largest packet id of a branch.
    pub fn ways(&self) -> u32 {
        u32::try_from(self.branches.len()).unwrap_or(u32::MAX).saturating_add(self.first)
    }

    /// The branches with their packet ids.
    pub fn numbered(&self) -> impl Iterator<Item = (u32, ConnectionId)> + '_ {
        (self.first..).zip(self.branches.iter().copied())
    }
}

impl Port {
    /// Its window. Returns None when it is a stream, a cascade or a parameter, or an input or
    /// output without a window at the other end.
    pub fn window(&self) -> Option<WindowType> {
        self.carries?.window()
    }

    /// The name of the C++ parameter, such as `x`, or `x_2` in an array of ports.
    pub fn identifier(&self) -> String {
        port_identifier(&self.name)
    }

    /// The list of the owner's ports that it is in: `in`, `out`, `inout` or `param`.
    pub fn list(&self) -> &'static str {
        match (self.carries, self.direction) {
            (Some(Carries::Parameter(_)), Direction::Out) => "inout",
            (Some(Carries::Table { .. }), _) => "param",
            (_, Direction::In) => "in",
            (_, Direction::Out) => "out",
        }
    }
}

impl Collective {
    /// The cascade streams of a collective with shape `cascade`, from every rank to the next one;
    /// empty for other shapes.
    pub fn cascades(&self, id: CollectiveId) -> impl Iterator<Item = Cascade> {
        let pairs = self.ranks.windows(2).filter(|_| self.plan.is_cascade());
        pairs.map(move |pair| Cascade {
            from: pair[0],
            to: pair[1],
            origin: CascadeOrigin::Collective(id),
            span: self.shape_span,
        })
    }

    /// The type of the windows of `rank` for its links in one direction.
    pub fn link_window(&self, rank: Rank, direction: Direction) -> WindowType {
        let window = self.window.value;
        if self.plan.is_signal(rank, direction) { window.signal() } else { window }
    }

    /// The operation of its plan.
    pub const fn operation(&self) -> Operation {
        self.plan.operation
    }

    /// Windows of the largest block, rounded up.
    pub fn chunks(&self) -> u32 {
        self.plan.windows.iter().copied().max().unwrap_or(1)
    }

    /// The algebra of the operator: the orders in which contributions may combine.
    pub fn combining(&self) -> Combining {
        Combining::of(self.op.as_ref().map(|op| &op.value), self.data.value.element)
    }

    /// The kernels' loops over windows: the window, scalar or vectorised code, and the operator.
    pub fn loops(&self) -> Loops {
        Loops::of(self.window.value, self.scalar, self.op.as_ref().map(|op| &op.value))
    }

    /// The kernels' loops over all data at once, as along the cascade.
    pub fn data_loops(&self) -> Loops {
        Loops { window: self.data.value, ..self.loops() }
    }

    /// Elements of one part of the data in an allreduce over a ring. All parts are equal, and whole
    /// vectors of 32 bytes.
    pub const fn part_elements(data: WindowType, ranks: u32) -> u32 {
        let lanes = 32 / data.element.bytes();
        data.elements.div_ceil(ranks).div_ceil(lanes).saturating_mul(lanes)
    }

    /// The arrays of a call.
    pub fn arrays(&self) -> Data<'_> {
        Data { plan: &self.plan, window: self.data.value, layout: self.layout.as_ref() }
    }

    /// Elements of the arrays that `rank` hands to a call: what it reads and, apart from that, what
    /// it writes.
    pub fn array_elements(&self, rank: Rank) -> (u64, u64) {
        self.arrays().arrays(rank)
    }

    /// Elements that `rank` hands in: all elements it reads, but 0 where only the root
    /// has data and `rank` is another one.
    pub fn given_elements(&self, rank: Rank) -> u64 {
        let silent = self.plan.row().starts_at_root() && rank != self.plan.root;
        if silent { 0 } else { self.array_elements(rank).0 }
    }

    /// True if all data moves in calls with arrays. Where the design says that links are streams,
    /// kernels may move elements one by one. A shape that the compiler chose goes with the calls.
    pub fn takes_arrays(&self) -> bool {
        !self.plan.is_opened() || !self.compared.is_empty()
    }

    /// Bytes of the arrays that `rank` hands to a call, or has for the packets of a channel.
    pub fn array_bytes(&self, rank: Rank) -> u64 {
        let (read, written) = self.array_elements(rank);
        let arrays = read.saturating_add(written).saturating_mul(self.data.value.element.bytes().into());
        arrays.saturating_add(self.plan.packet_bytes(rank))
    }

    /// Levels of the longest path from one rank to another: links plus one. For a tree, its levels.
    pub fn depth(&self) -> u32 {
        aiec_collectives::longest_way(&self.plan).saturating_add(1)
    }
}
