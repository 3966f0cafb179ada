//! The form of an expanded design without names, numbers, source locations and paths, for
//! comparisons.

use std::collections::BTreeMap;
use std::fmt::Debug;

use aiec_diag::Spanned;
use aiec_ir::blocks::{Anchor, Block, BlockPlace};
use aiec_ir::constraints::ShimTie;
use aiec_ir::design::{Body, Endpoint, identifier};
use aiec_ir::expanded::Owner;
use aiec_ir::{ConnectionId, Expanded, ExternalId, KernelId, PortId, SwitchId};

/// The first difference between two designs besides names, source locations, the order of
/// declarations and statements, and paths of files that hold C++. Returns None when they have one
/// form: the same kernels, ports, connections and constraints. Kernels of one identifier are the
/// same; the others are so in their order.
pub fn first_difference(a: &Expanded, b: &Expanded) -> Option<String> {
    let ranks = (0..).zip(a.kernels.ids()).map(|(rank, kernel)| (kernel, rank)).collect();
    let (a, b) = (form(&Form { of: a, ranks }), form(&Form { of: b, ranks: matching(a, b) }));
    let different = a.iter().zip(&b).find(|(a, b)| a != b);
    let different = different.map(|(a, b)| format!("{a}\nis not\n{b}"));
    different.or_else(|| (a.len() != b.len()).then(|| format!("{} and {} lines", a.len(), b.len())))
}

/// The rank in `a` of each kernel of `b`.
fn matching(a: &Expanded, b: &Expanded) -> BTreeMap<KernelId, usize> {
    let named: BTreeMap<String, usize> = (0..)
        .zip(a.kernels.ids())
        .map(|(rank, kernel)| (identifier(&a.kernels[kernel].name), rank))
        .collect();
    let known = |kernel: KernelId| named.get(&identifier(&b.kernels[kernel].name)).copied();
    let taken: Vec<usize> = b.kernels.ids().filter_map(known).collect();
    let mut others = (0..).filter(|rank| !taken.contains(rank));
    b.kernels.ids().filter_map(|kernel| Some((kernel, known(kernel).or_else(|| others.next())?))).collect()
}

/// A design, and the ranks of its kernels, which stand for their names.
struct Form<'a> {
    of: &'a Expanded,
    ranks: BTreeMap<KernelId, usize>,
}

impl Form<'_> {
    fn kernels(&self, all: &[KernelId]) -> Vec<usize> {
        all.iter().map(|kernel| self.ranks[kernel]).collect()
    }

    fn port(&self, id: PortId) -> String {
        let port = &self.of.ports[id];
        let owner = match port.owner {
            Owner::Kernel(kernel) => format!("kernel {}", self.ranks[&kernel]),
            Owner::External(external) => format!("{external:?}"),
        };
        format!("{owner} {} {}", port.list(), port.slot)
    }

    fn ports(&self, all: &[PortId]) -> Vec<String> {
        let mut found: Vec<String> = all.iter().map(|&port| self.port(port)).collect();
        found.sort();
        found
    }

    fn connection(&self, id: ConnectionId) -> String {
        let wire = &self.of.connections[id];
        format!("{} to {}", self.port(wire.from), self.port(wire.to))
    }

    fn switch(&self, id: SwitchId) -> String {
        let switch = &self.of.switches[id];
        // Packets find the branches of a split, and an ordered merge takes them, by their order.
        let branches = switch.numbered().map(|(id, branch)| format!("{id}: {}", self.connection(branch)));
        let branches: Vec<String> = branches.collect();
        format!("{:?} {} {branches:?}", switch.kind, self.port(switch.trunk))
    }
}

fn value<T: Debug>(spanned: &Option<Spanned<T>>) -> String {
    format!("{:?}", spanned.as_ref().map(|spanned| &spanned.value))
}

/// A line for each entry of each table, in order of the lines.
fn form(form: &Form<'_>) -> Vec<String> {
    let design = form.of;
    let mut lines = vec![format!("{} {:?}", design.device.value, design.port_kind)];
    for (kernel, one) in design.kernels.enumerate() {
        let lists = [&one.inputs, &one.outputs, &one.inouts, &one.tables].map(|list| list.len());
        let rank = form.ranks[&kernel];
        let body = code(design.body(kernel));
        lines.push(format!("kernel {rank} {} {lists:?} {} {body}", one.index, one.repetitions));
    }
    for (id, port) in design.ports.enumerate() {
        let carries = port.carries.map(|carries| carries.to_string());
        let mut connections: Vec<String> = port.connections.iter().map(|&one| form.connection(one)).collect();
        connections.sort();
        let switch = port.switch.map(|switch| form.switch(switch));
        let rest = (connections, port.asynchronous, switch, port.role);
        lines.push(format!("port {} {carries:?} {rest:?} {}", form.port(id), value(&port.windows)));
    }
    for (id, wire) in design.connections.enumerate() {
        let switch = wire.switch.map(|switch| form.switch(switch));
        let windows = (value(&wire.windows.from), value(&wire.windows.to));
        let rest = (wire.buffering, switch, value(&wire.fifo), windows);
        lines.push(format!("connection {} {rest:?}", form.connection(id)));
    }
    for (id, external) in design.externals.enumerate() {
        let end = endpoint(&external.endpoint);
        lines.push(format!(
            "external {id:?} {:?} {} {:?} {end}",
            external.family, external.index, external.direction
        ));
    }
    for (id, host) in design.parameters.enumerate() {
        let ports = form.ports(&host.ports);
        lines.push(format!("parameter {id:?} {:?} {ports:?} {:?}", host.direction, host.values));
    }
    lines.extend(design.switches.ids().map(|id| format!("switch {}", form.switch(id))));
    let cascade = |from: KernelId, to: KernelId| format!("cascade {} {}", form.ranks[&from], form.ranks[&to]);
    lines.extend(design.cascades.iter().map(|one| cascade(one.from, one.to)));
    lines.extend(constraints(form));
    lines.sort();
    lines
}

fn code(body: &Body) -> String {
    let numbers =
        [&body.stack, &body.heap, &body.runtime, &body.program, &body.repetitions, &body.cycles].map(value);
    let arguments = (&body.template, &body.arguments);
    format!("{} {arguments:?} {} {numbers:?}", body.function, value(&body.init))
}

fn endpoint(endpoint: &Endpoint) -> String {
    match endpoint {
        Endpoint::Plio { bits, file, frequency } => {
            format!("plio {} {file} {}", bits.value, value(frequency))
        }
        Endpoint::Gmio { file, burst, bandwidth } => {
            format!("gmio {file:?} {} {}", value(burst), value(bandwidth))
        }
    }
}

fn constraints(form: &Form<'_>) -> Vec<String> {
    let (design, rank) = (form.of, |kernel: KernelId| form.ranks[&kernel]);
    let mut lines: Vec<String> = design
        .places
        .iter()
        .map(|at| format!("place {} {} {}", rank(at.kernel), at.column, at.row))
        .collect();
    let all = &design.constraints;
    let offset = |kernel: KernelId, from: KernelId| format!("{} at {}", rank(kernel), rank(from));
    lines.extend(
        all.offsets
            .iter()
            .map(|one| format!("{} + {} {}", offset(one.kernel, one.from), one.columns, one.rows)),
    );
    lines.extend(
        all.regions.iter().map(|one| format!("region {:?} {:?}", form.kernels(&one.kernels), one.areas)),
    );
    lines.extend(all.together.iter().map(|one| format!("together {:?}", form.kernels(&one.kernels))));
    lines.extend(all.apart.iter().map(|one| format!("apart {:?}", form.kernels(&one.kernels))));
    lines.extend(all.distinct.iter().map(|one| format!("by core {:?}", form.kernels(&one.kernels))));
    lines.extend(
        all.aligned
            .iter()
            .map(|one| format!("{} {:?} {}", offset(one.kernel, one.from), one.axis, one.distance)),
    );
    lines.extend(
        design.shims.iter().map(|one| format!("shim {:?} {:?} {:?}", one.external, one.ranges, one.channel)),
    );
    lines.extend(
        design
            .shim_ties
            .iter()
            .map(|one| format!("shim {:?} of {} {}", one.external, form.ranks[&one.from], one.columns)),
    );
    let link = |one: &ShimTie<ExternalId, ExternalId>| {
        format!("shim {:?} of {:?} {}", one.external, one.from, one.columns)
    };
    lines.extend(design.shim_links.iter().map(link));
    lines.extend(all.keepouts.iter().map(|one| format!("keepout {:?}", one.area)));
    lines.extend(design.blocks.places.iter().map(|place| block(form, place)));
    lines.extend(design.blocks.ties.iter().map(|tie| {
        let from = match tie.from {
            Anchor::Core(kernel) => format!("core of {}", form.ranks[&kernel]),
            Anchor::Block(block) => name_of(form, &block),
        };
        match tie.distance {
            Some((columns, rows)) => {
                format!("tie {} to {from} + {columns} {rows}", name_of(form, &tie.block))
            }
            None => format!("tie {} away from {from}", name_of(form, &tie.block)),
        }
    }));
    lines.extend(
        design
            .blocks
            .one_bank
            .iter()
            .map(|both| format!("one bank {:?}", both.blocks.map(|one| name_of(form, &one)))),
    );
    let no_bank = design.blocks.no_bank.iter();
    lines.extend(no_bank.map(|both| format!("no bank {:?}", both.blocks.map(|one| name_of(form, &one)))));
    lines.extend(design.blocks.apart.iter().map(|one| format!("apart {:?}", form.ports(&one.ports))));
    lines
}

fn block(form: &Form<'_>, place: &BlockPlace<KernelId, PortId>) -> String {
    format!("{} {:?}", name_of(form, &place.block), place.spots)
}

fn name_of(form: &Form<'_>, block: &Block<KernelId, PortId>) -> String {
    match block {
        Block::Stack(kernel) => format!("stack of {}", form.ranks[kernel]),
        Block::Buffers(port) => format!("buffers of {}", form.port(*port)),
    }
}

impl crate::Builder {
    /// An input or output in one of several neighbouring columns of the interface row.
    pub fn shim_range(&mut self, external: &str, column: i64, last: i64) -> &mut Self {
        self.shim_ranges(external, &[(column, last)])
    }

    /// An input or output in one of the columns of several ranges.
    pub fn shim_ranges(&mut self, external: &str, ranges: &[(i64, i64)]) -> &mut Self {
        self.shim(external, 0, None);
        self.shims.iter_mut().next_back().into_iter().for_each(|place| place.ranges = ranges.to_vec());
        self
    }
}
