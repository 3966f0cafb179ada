//! Collectives to schedules: ranks, ports, and the connections between ranks.
//!
//! The schedule of a collective has the links between ranks; the `i`-th link that ends at a rank is
//! its port `NAME_in<i>`, the `i`-th that starts there its port `NAME_out<i>`. Both ends of these
//! connections are async, since a kernel takes part in several chunks and calls within one firing;
//! so is the result, which the root acquires once per chunk. The window of cycle counts is filled
//! once per firing and is not. The ends of a channel, and of a collective of shape `stream`, are
//! streams; those of a channel to any peer and of active messages are packets, which are merged and
//! split at its root.

use std::collections::{BTreeMap, BTreeSet};

use aiec_collectives::{Plan, Rank, Shape};
use aiec_diag::{Span, Spanned};
use aiec_ir::design::{Collective as DesignCollective, Instance, Node, local_name};
use aiec_ir::expanded::{
    Collective, Connection, Marks, Membership, PacketSwitch, PortRole, SwitchKind, Windows,
};
use aiec_ir::ways::Way;
use aiec_ir::{Carries, CollectiveId, Design, Direction, Flow, KernelId, PortId, SwitchId};

use super::{Expansion, NewPort};
use crate::errors;

impl Expansion<'_> {
    /// Expands all collectives in declaration order, so that kernels get their ports in that order.
    /// Shapes that the design leaves open are chosen after those that it says, since they must fit
    /// beside these.
    pub(super) fn collectives(&mut self, design: &Design) {
        let connected = connected_ports(design);
        let (written, open): (Vec<_>, Vec<_>) =
            design.collectives.enumerate().partition(|(_, collective)| collective.shape.value.is_some());
        let cascades = written.iter().filter(|(_, c)| c.shape.value == Some(Shape::Cascade));
        self.on_cascade =
            cascades.flat_map(|(_, c)| &c.group).map(|&instance| self.kernel_of(instance)).collect();
        let mut planned = BTreeMap::new();
        for (id, collective) in written.into_iter().chain(open) {
            let ranks = self.ranks(design, collective);
            let root = self.kernel_of(collective.root);
            self.check_group(design, collective, &ranks, root);
            let own = OwnPorts {
                result: connected.contains(&(id, DesignCollective::RESULT)),
                cycles: connected.contains(&(id, DesignCollective::CYCLES)),
            };
            let plan = self.planned(design, collective, &ranks, root, own);
            self.on_cascade.extend(ranks.iter().filter(|_| plan.plan.is_cascade()));
            self.take(&plan.plan, &ranks, own);
            planned.insert(id, (ranks, root, own, plan));
        }
        for (id, (ranks, root, own, planned)) in planned {
            let collective = &design.collectives[id];
            self.members(id, collective, &planned.plan, &ranks, own);
            let window = if planned.plan.is_opened() { &collective.data } else { &collective.window };
            self.collectives.push(Collective {
                name: collective.name.clone(),
                plan: planned.plan,
                op: collective.op.clone(),
                data: collective.data.clone(),
                window: window.clone(),
                ranks,
                root: Spanned::new(root, collective.root.span),
                shape_span: collective.shape.span,
                buffering: collective.buffering,
                calls: collective.calls,
                fifo: collective.details.fifo.clone(),
                cycles: collective.cycles.clone(),
                reference: collective.reference.clone(),
                layout: planned.layout,
                scalar: collective.details.scalar,
                sends_once: false,
                compared: planned.compared,
                span: collective.span,
            });
        }
    }

    /// The kernels of the group in rank order; one that is listed twice keeps its first rank.
    fn ranks(&mut self, design: &Design, collective: &DesignCollective) -> Vec<KernelId> {
        let mut seen: BTreeMap<KernelId, Span> = BTreeMap::new();
        let mut ranks = Vec::new();
        for instance in &collective.group {
            let kernel = self.kernel_of(*instance);
            match seen.get(&kernel) {
                None => {
                    seen.insert(kernel, instance.span);
                    ranks.push(kernel);
                }
                Some(first) => {
                    let name = instance_name(design, *instance);
                    let diagnostic = errors::duplicate_rank(&collective.name, &name, instance.span, *first);
                    self.diagnostics.push(diagnostic);
                }
            }
        }
        ranks
    }

    /// A group has at least two ranks, and the root is one of them.
    fn check_group(
        &mut self,
        design: &Design,
        collective: &DesignCollective,
        ranks: &[KernelId],
        root: KernelId,
    ) {
        let Some(first) = collective.group.first() else { return };
        if ranks.len() < 2 {
            self.diagnostics.push(errors::too_few_ranks(first.span, &collective.name));
        } else if ranks.len() < 3 && collective.details.relay.is_some() {
            self.diagnostics.push(errors::nobody_to_carry_to(first.span, &collective.name));
        }
        if !ranks.contains(&root) {
            let (root, span) = (instance_name(design, collective.root), collective.root.span);
            let example = instance_name(design, *first);
            self.diagnostics.push(errors::root_not_in_group(
                span,
                &collective.name,
                &root,
                &example,
                first.span,
            ));
        }
    }

    /// The ports and the membership of every rank.
    fn members(
        &mut self,
        id: CollectiveId,
        collective: &DesignCollective,
        plan: &Plan,
        ranks: &[KernelId],
        own: OwnPorts,
    ) {
        let ports = plan.port_counts();
        for rank in plan.order() {
            let Some((&kernel, &(ins, outs))) = ranks.get(rank.index()).zip(ports.get(rank.index())) else {
                continue;
            };
            let opened = plan.is_opened();
            let (taken, given) = if opened { plan.windows_through(rank) } else { Default::default() };
            let windows = |all: &[u32], at: usize| all.get(at).copied().unwrap_or(1);
            let mut add = |direction: Direction, name: &str, role, windows: u32| {
                let what = match role {
                    PortRole::Link(_) if plan.is_signal(rank, direction) => Passing::Signals,
                    PortRole::Channel(_) if plan.has_packets(rank, direction) => Passing::Packets,
                    PortRole::Channel(_) if plan.is_mailbox() => Passing::Signals,
                    _ => Passing::Windows(windows),
                };
                self.kernel_port(kernel, collective_port(collective, direction, name, role, what))
            };
            let role = if opened { PortRole::Channel(id) } else { PortRole::Link(id) };
            let into = if plan.takes_packets(rank) { PortRole::Packets(id) } else { role };
            let inputs = (0..ins)
                .map(|at| add(Direction::In, &format!("in{at}"), into, windows(&taken, at)))
                .collect();
            let outputs = (0..outs)
                .map(|at| add(Direction::Out, &format!("out{at}"), role, windows(&given, at)))
                .collect();
            let is_root = rank == plan.root;
            let mut own_port =
                |wanted: bool, name, role| (wanted && is_root).then(|| add(Direction::Out, name, role, 1));
            let result = own_port(own.result, "result", PortRole::Result(id));
            let cycles = own_port(own.cycles, "cycles", PortRole::Cycles(id));
            let membership = Membership { collective: id, rank, inputs, outputs, result, cycles };
            self.kernels[kernel].memberships.push(membership);
        }
    }

    /// The connections of all collectives, each in the order of its links.
    pub(super) fn links(&mut self, design: &Design) {
        for id in self.collectives.ids() {
            let Collective { buffering, span, ref fifo, .. } = self.collectives[id];
            let fifo = fifo.clone();
            let links = self.collectives[id].plan.links();
            let all_ends = self.collectives[id].plan.ends(&links);
            let switches = self.switches_of(design, id);
            for (link, at) in links.iter().zip(all_ends) {
                let port = |rank: Rank, at: usize, outputs: bool| {
                    let kernel = *self.collectives[id].ranks.get(rank.index())?;
                    let member = self.membership(kernel, id)?;
                    let list = if outputs { &member.outputs } else { &member.inputs };
                    list.get(at).copied()
                };
                let from = port(link.from, at.from, true);
                let into = link.to.iter().zip(at.to).map(|(&to, at)| port(to, at, false));
                for to in into.collect::<Vec<_>>() {
                    if let Some((from, to)) = from.zip(to) {
                        let (windows, collective) = (Windows::default(), Some(id));
                        let switch =
                            switches.and_then(|(merge, split)| match self.switches[merge].trunk == to {
                                true => Some(merge),
                                false => split,
                            });
                        let connection = self.connection(Connection {
                            from,
                            to,
                            buffering,
                            fifo: fifo.clone(),
                            fifo_places: Vec::new(),
                            fifo_memory: None,
                            switch,
                            windows,
                            collective,
                            way: Way::default(),
                            marks: Marks { from: span, to: span, buffer: None, fifo: None },
                            span,
                        });
                        if let Some(switch) = switch {
                            self.switches[switch].branches.push(connection);
                        }
                    }
                }
            }
        }
    }

    /// The merge at the root of what goes by packets, still without branches, and the split of what
    /// the root sends as packets. Returns None for other collectives.
    fn switches_of(&mut self, design: &Design, id: CollectiveId) -> Option<(SwitchId, Option<SwitchId>)> {
        let Collective { plan, root, span, .. } = &self.collectives[id];
        let (root, span) = (root.value, *span);
        let is_split = plan.splits_output();
        let member = self.membership(root, id).filter(|_| plan.goes_by_packets())?;
        let (into, out) = (*member.inputs.first()?, *member.outputs.first()?);
        let level = design.subgraphs.enumerate().find(|(_, inside)| inside.collectives.contains(&id));
        let way = Way { level: level.map(|(level, _)| level), ..Way::default() };
        let mut add = |kind, trunk: PortId| {
            let (branches, way) = (Vec::new(), way.clone());
            let switch = self.switches.push(PacketSwitch {
                kind,
                trunk,
                branches,
                first: 0,
                first_span: None,
                way,
                span,
            });
            self.ports[trunk].switch = Some(switch);
            switch
        };
        let merge = add(SwitchKind::Merge, into);
        Some((merge, is_split.then(|| add(SwitchKind::Split, out))))
    }

    /// The part of `kernel` in `collective`; memberships are in the order of collectives.
    pub(super) fn membership(&self, kernel: KernelId, collective: CollectiveId) -> Option<&Membership> {
        let memberships = &self.kernels.get(kernel)?.memberships;
        let at = memberships.binary_search_by_key(&collective, |membership| membership.collective).ok()?;
        memberships.get(at)
    }
}

/// Which of a collective's own ports the design connects.
#[derive(Clone, Copy)]
pub(super) struct OwnPorts {
    pub(super) result: bool,
    pub(super) cycles: bool,
}

/// The ports of collectives that the design connects.
fn connected_ports(design: &Design) -> BTreeSet<(CollectiveId, u32)> {
    let from = design.graph.edge_weights().flat_map(|link| &link.from);
    let ports = from.filter_map(|from| match from.node {
        Node::Collective(id) => Some((id, *from.ports.first()?)),
        Node::Family(_) | Node::External(_) => None,
    });
    ports.collect()
}

/// What a port of a collective passes in a call.
#[derive(Clone, Copy)]
enum Passing {
    /// Windows without content, or a word over a stream.
    Signals,
    /// Packets that kernels write and read.
    Packets,
    /// N windows, or as much data over a stream.
    Windows(u32),
}

/// A port that a rank has for a collective, called `<collective>_<name>`.
fn collective_port(
    collective: &DesignCollective,
    direction: Direction,
    name: &str,
    role: PortRole,
    passing: Passing,
) -> NewPort {
    let is_cycles = matches!(role, PortRole::Cycles(_));
    let window = collective.window.value;
    let carries = match (&collective.cycles, role) {
        (_, PortRole::Packets(_)) => Carries::Packets(Flow { element: window.element, per_run: None }),
        (Some(cycles), _) if is_cycles => Carries::window_of(cycles.value),
        _ if matches!(passing, Passing::Packets) => {
            Carries::Packets(Flow { element: window.element, per_run: None })
        }
        (_, PortRole::Channel(_)) if matches!(passing, Passing::Signals) => {
            Carries::Stream(Flow { element: window.element, per_run: Some(1) })
        }
        (_, PortRole::Channel(_)) => {
            let windows = if let Passing::Windows(windows) = passing { windows } else { 1 };
            let per_call = collective.data.value.elements.saturating_mul(windows);
            let per_run = per_call.saturating_mul(collective.calls);
            Carries::Stream(Flow { element: window.element, per_run: Some(per_run) })
        }
        _ if matches!(passing, Passing::Signals) => Carries::window_of(window.signal()),
        _ => Carries::window_of(window),
    };
    NewPort {
        direction,
        name: format!("{}_{name}", local_name(&collective.name)),
        carries,
        asynchronous: carries.window().is_some() && !is_cycles || matches!(role, PortRole::Packets(_)),
        role,
        span: collective.span,
    }
}

fn instance_name(design: &Design, instance: Instance) -> String {
    design
        .families
        .get(instance.family)
        .map_or_else(String::new, |family| family.instance_name(instance.index))
}
