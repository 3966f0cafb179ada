//! Designs as stable text: the output of `--emit=design` and `--emit=expanded`.
//!
//! Writes a design as indented JSON with names instead of ids, and windows as in the source
//! (`int32[64]`). Equal designs give equal text. Spans do not occur, so that moving a line changes
//! nothing.

mod views;

use serde::Serialize;

use crate::blocks::{Anchor, Block};
use crate::carries::Carries;
use crate::constraints::Constraints;
use crate::cores::WHOLE_CORE;
use crate::design::{self, Design, Endpoint, FarEnd, HostValues, Node, Selection};
use crate::expanded::{self, Expanded, SwitchKind};
use crate::ids::{KernelId, PortId};
use aiec_collectives::Direction;
use views::{
    BlockView, BodyView, CarriesView, CollectiveView, ConnectionView, ConstantView, ConstraintView,
    DecimalsView, DesignView, EndpointView, ExpandedView, ExternalView, FamilyExternalView, FamilyView,
    KernelView, MembershipView, ParameterView, PlaceView, PortView, ScheduledView, SelectionView, ShimView,
    TableView, UserPortView, WrittenCollectiveView, WrittenConnectionView,
};

/// The design as JSON.
pub fn dump_design(design: &Design) -> String {
    json(&DesignView {
        name: &design.name.value,
        device: &design.device.value,
        vitis: design.release.name,
        board: design.board.name(),
        iterations: design.iterations,
        ports: design.port_kind,
        constants: design
            .constants
            .iter()
            .map(|(name, value)| ConstantView { name, value: *value })
            .collect(),
        tables: design.tables.iter().map(|(name, values)| TableView { name, values }).collect(),
        decimals: design
            .decimals
            .iter()
            .map(|(name, values)| DecimalsView { name, values: values.numbers() })
            .collect(),
        kernels: design.families.iter().map(family).collect(),
        externals: design
            .externals
            .iter()
            .map(|external| FamilyExternalView {
                name: &external.name,
                dims: &external.dims,
                kind: kind(external.direction),
                endpoint: far_end(&external.end),
                golden: external.golden.as_ref().map(|file| file.value.as_str()),
            })
            .collect(),
        collectives: design
            .collectives
            .iter()
            .map(|collective| written_collective(design, collective))
            .collect(),
        connections: design.graph.edge_weights().map(|link| written_connection(design, link)).collect(),
        places: design
            .places
            .iter()
            .map(|place| PlaceView {
                kernel: instance(design, place.instance),
                column: place.column,
                row: place.row,
            })
            .collect(),
        constraints: constraints(&design.constraints.map(|&kernel| instance(design, kernel))),
    })
}

/// The expanded design as JSON.
pub fn dump_expanded(expanded: &Expanded) -> String {
    let connections = expanded.connections.iter().map(|connection| ConnectionView {
        from: expanded.port_name(connection.from),
        to: expanded.port_name(connection.to),
        buffer: connection.buffering,
        fifo: connection.fifo.as_ref().map(|words| words.value),
        packets: connection.switch.map(|id| switch_word(expanded.switches[id].kind)),
        collective: connection.collective.map(|id| expanded.collectives[id].name.as_str()),
    });
    let places = expanded.places.iter().map(|place| PlaceView {
        kernel: expanded.kernels[place.kernel].name.clone(),
        column: place.column,
        row: place.row,
    });
    json(&ExpandedView {
        name: &expanded.name.value,
        device: &expanded.device.value,
        vitis: expanded.release.name,
        board: expanded.board.name(),
        iterations: expanded.iterations,
        ports: expanded.port_kind,
        kernels: expanded.kernels.ids().map(|id| kernel(expanded, id)).collect(),
        externals: expanded.externals.iter().map(|external| instance_external(expanded, external)).collect(),
        parameters: expanded.parameters.iter().map(|parameter| host_parameter(expanded, parameter)).collect(),
        collectives: expanded.collectives.iter().map(|collective| scheduled(expanded, collective)).collect(),
        connections: connections.collect(),
        places: places.collect(),
        constraints: constraints(&expanded.constraints.map(|&kernel| expanded.kernels[kernel].name.clone())),
        blocks: blocks(expanded),
        shims: shims(expanded),
    })
}

/// All constraints in the order of their kinds.
fn constraints(all: &Constraints<String>) -> Vec<ConstraintView> {
    let offsets = all.offsets.iter().map(|offset| ConstraintView::Relative {
        kernel: offset.kernel.clone(),
        from: offset.from.clone(),
        columns: offset.columns,
        rows: offset.rows,
    });
    let aligned = all.aligned.iter().map(|aligned| ConstraintView::Aligned {
        kernel: aligned.kernel.clone(),
        from: aligned.from.clone(),
        axis: aligned.axis.word(),
        distance: aligned.distance,
    });
    let regions = all.regions.iter().map(|region| ConstraintView::Region {
        kernels: region.kernels.clone(),
        areas: region.areas.iter().map(|area| [area.from, area.to]).collect(),
    });
    let together = all.together.iter().map(|group| ConstraintView::Together(group.kernels.clone()));
    let apart = all.apart.iter().map(|group| ConstraintView::Apart(group.kernels.clone()));
    let distinct = all.distinct.iter().map(|group| ConstraintView::Distinct(group.kernels.clone()));
    let keepouts = all
        .keepouts
        .iter()
        .map(|keepout| ConstraintView::Keepout { from: keepout.area.from, to: keepout.area.to });
    offsets
        .chain(aligned)
        .chain(regions)
        .chain(together)
        .chain(apart)
        .chain(distinct)
        .chain(keepouts)
        .collect()
}

/// The constraints on memory of an expanded design.
fn blocks(expanded: &Expanded) -> Vec<BlockView> {
    let name = |block: Block<crate::KernelId, crate::PortId>| match block {
        Block::Stack(kernel) => format!("{}.stack", expanded.kernels[kernel].name),
        Block::Buffers(port) => expanded.port_name(port),
    };
    let tie = |tie: &crate::blocks::BlockTie<crate::KernelId, crate::PortId>| {
        let block = name(tie.block);
        let other = match tie.from {
            Anchor::Core(kernel) => expanded.kernels[kernel].name.clone(),
            Anchor::Block(block) => name(block),
        };
        match tie.distance {
            Some((columns, rows)) => BlockView::Tie { block, follows: other, columns, rows },
            None => BlockView::Elsewhere { block, than: other },
        }
    };
    let place = |place: &crate::blocks::BlockPlace<crate::KernelId, crate::PortId>| BlockView::Place {
        block: name(place.block),
        spots: place.spots.iter().map(ToString::to_string).collect(),
        beside: place.beside,
    };
    let names = |ports: &[crate::PortId]| ports.iter().map(|&port| expanded.port_name(port)).collect();
    let all = &expanded.blocks;
    let places = all.places.iter().map(place);
    places
        .chain(all.ties.iter().map(tie))
        .chain(all.one_bank.iter().map(|both| BlockView::OneBank(both.blocks.map(name))))
        .chain(all.no_bank.iter().map(|both| BlockView::NoBank(both.blocks.map(name))))
        .chain(all.apart.iter().map(|group| BlockView::Apart(names(&group.ports))))
        .collect()
}

/// The columns of the interface row that an expanded design states.
fn shims(expanded: &Expanded) -> Vec<ShimView> {
    let view = |place: &crate::constraints::ShimPlace<crate::ExternalId>| ShimView {
        external: expanded.externals[place.external].name.clone(),
        column: place.column(),
        columns: if place.column().is_some() { Vec::new() } else { place.ranges.clone() },
        channel: place.channel,
        follows: None,
    };
    let tied = |external: crate::ExternalId, from: &str, columns: i64| ShimView {
        external: expanded.externals[external].name.clone(),
        column: None,
        columns: Vec::new(),
        channel: None,
        follows: Some((from.to_owned(), columns)),
    };
    let (ties, links) = (expanded.shim_ties.iter(), expanded.shim_links.iter());
    let ties = ties.map(|tie| tied(tie.external, &expanded.kernels[tie.from].name, tie.columns));
    let links = links.map(|link| tied(link.external, &expanded.externals[link.from].name, link.columns));
    expanded.shims.iter().map(view).chain(ties).chain(links).collect()
}

fn json(view: &impl Serialize) -> String {
    let mut text = serde_json::to_string_pretty(view).expect("views are structs, lists, texts and numbers");
    text.push('\n');
    text
}

/// The keyword of the declaration.
fn kind(direction: Direction) -> &'static str {
    match direction {
        Direction::Out => "input",
        Direction::In => "output",
    }
}

fn far_end(end: &FarEnd) -> EndpointView<'_> {
    match end {
        FarEnd::Array(array) => endpoint(array),
        FarEnd::Host(HostValues { initial, file }) => EndpointView::Host { initial, file: file.as_deref() },
    }
}

fn endpoint(endpoint: &Endpoint) -> EndpointView<'_> {
    match endpoint {
        Endpoint::Plio { bits, file, frequency } => EndpointView::Plio {
            bits: bits.value,
            file,
            frequency: frequency.as_ref().map(|kilohertz| f64::from(kilohertz.value) / 1000.0),
        },
        Endpoint::Gmio { file, burst, bandwidth } => EndpointView::Gmio {
            file: file.as_deref(),
            burst: burst.as_ref().map(|bytes| bytes.value),
            bandwidth: bandwidth.as_ref().map(|rate| rate.value),
        },
    }
}

fn family(family: &design::Family) -> FamilyView<'_> {
    let ports = family.ports.iter().map(|port| UserPortView {
        name: &port.name,
        direction: port.direction,
        carries: carries(port.carries),
        asynchronous: port.asynchronous,
    });
    let mut instances: Vec<BodyView<'_>> = family.bodies.iter().map(|one| body(family, one)).collect();
    let all = if instances.len() == 1 { instances.pop() } else { None };
    FamilyView { name: &family.name, dims: &family.dims, body: all, instances, ports: ports.collect() }
}

fn body<'a>(family: &'a design::Family, body: &'a design::Body) -> BodyView<'a> {
    let texts = |list: &[design::Argument]| list.iter().map(ToString::to_string).collect();
    BodyView {
        function: Some(body.function.as_str()).filter(|function| *function != family.local()),
        source: &body.source.value,
        header: body.header.as_ref().map(|header| header.value.as_str()),
        template: texts(&body.template),
        arguments: body.arguments.as_deref().map(texts),
        init: body.init.as_ref().map(|init| init.value.as_str()),
        stack: body.stack.as_ref().map(|stack| stack.value),
        heap: body.heap.as_ref().map(|heap| heap.value),
        runtime: body.runtime.as_ref().map(|ratio| f64::from(ratio.value) / f64::from(WHOLE_CORE)),
        program: body.program.as_ref().map(|bytes| bytes.value),
        repetitions: body.repetitions.as_ref().map(|times| times.value),
        cycles: body.cycles.as_ref().map(|cycles| cycles.value),
    }
}

fn instance(design: &Design, instance: design::Instance) -> String {
    design.families[instance.family].instance_name(instance.index)
}

/// The fields of [`CollectiveView`] that a collective has before and after expansion.
macro_rules! common {
    ($collective:expr, $operation:expr, $shape:expr) => {
        CollectiveView {
            name: &$collective.name,
            operation: $operation,
            op: $collective.op.as_ref().map(|op| op.value.name()),
            data: $collective.data.value.to_string(),
            window: $collective.window.value.to_string(),
            shape: $shape,
            buffer: $collective.buffering,
            calls: $collective.calls,
            cycles: $collective.cycles.as_ref().map(|cycles| cycles.value.to_string()),
            reference: $collective.reference.as_ref().map(ToString::to_string),
        }
    };
}

fn written_collective<'a>(
    design: &'a Design,
    collective: &'a design::Collective,
) -> WrittenCollectiveView<'a> {
    WrittenCollectiveView {
        collective: common!(
            collective,
            collective.operation,
            collective.shape.value.map_or_else(|| "auto".to_owned(), |shape| shape.to_string())
        ),
        root: instance(design, collective.root),
        group: collective.group.iter().map(|&member| instance(design, member)).collect(),
    }
}

fn written_connection(design: &Design, link: &design::Link) -> WrittenConnectionView {
    let (from, to) = (selections(design, &link.from), selections(design, &link.to));
    WrittenConnectionView {
        from,
        to,
        buffer: link.buffering,
        fifo: link.fifo.as_ref().map(|words| words.value),
        packets: link.switch.map(switch_word),
    }
}

fn selections(design: &Design, selections: &[Selection]) -> SelectionView {
    let mut all = SelectionView { ports: Vec::new(), asynchronous: false, windows: None };
    for one in selections.iter().map(|one| selection(design, one)) {
        all.ports.extend(one.ports);
        all.asynchronous |= one.asynchronous;
        all.windows = all.windows.or(one.windows);
    }
    all
}

fn selection(design: &Design, selection: &Selection) -> SelectionView {
    let name = |(&index, &port): (&u32, &u32)| match selection.node {
        Node::Family(id) => {
            let family = &design.families[id];
            let port = family.ports.get(port as usize).map_or("?", |port| port.name.as_str());
            format!("{}.{port}", family.instance_name(index))
        }
        Node::External(id) => design.externals[id].instance_name(index),
        Node::Collective(id) => {
            let port = design::Collective::PORTS.get(port as usize).unwrap_or(&"?");
            format!("{}.{port}", design.collectives[id].name)
        }
    };
    let ports = selection.ends().map(name).collect();
    let windows = selection.windows.as_ref().map(|windows| windows.value);
    SelectionView { ports, asynchronous: selection.asynchronous, windows }
}

fn kernel(expanded: &Expanded, id: KernelId) -> KernelView<'_> {
    let kernel = &expanded.kernels[id];
    let ports = |ports: &[PortId]| ports.iter().map(|&id| port(expanded, id)).collect();
    let (family, of_kernel) = (&expanded.families[kernel.family], expanded.body(id));
    let is_plain = family.bodies.len() == 1 && of_kernel.header.is_none() && of_kernel.init.is_none();
    KernelView {
        name: &kernel.name,
        family: &family.name,
        body: (!is_plain || of_kernel.function != family.local()).then(|| body(family, of_kernel)),
        inputs: ports(&kernel.inputs),
        outputs: ports(&kernel.outputs),
        inouts: ports(&kernel.inouts),
        tables: ports(&kernel.tables),
        memberships: kernel.memberships.iter().map(|part| membership(expanded, part)).collect(),
        repetitions: Some(kernel.repetitions).filter(|&times| times != 1),
    }
}

fn port(expanded: &Expanded, id: PortId) -> PortView<'_> {
    let port = &expanded.ports[id];
    let windows = expanded.ports[id].windows.as_ref().map(|windows| windows.value);
    PortView {
        name: &port.name,
        carries: port.carries.map(carries),
        asynchronous: port.asynchronous,
        windows,
    }
}

fn carries(carries: Carries) -> CarriesView {
    let text = carries.to_string();
    let what = text.strip_prefix(carries.word()).unwrap_or(&text).trim_start().to_owned();
    match carries {
        Carries::Window { .. } => CarriesView::Window(what),
        Carries::Stream(_) => CarriesView::Stream(what),
        Carries::Packets(_) => CarriesView::Packets(what),
        Carries::Cascade(_) => CarriesView::Cascade(what),
        Carries::Parameter(_) => CarriesView::Parameter(what),
        Carries::Table { .. } => CarriesView::Table(what),
    }
}

fn membership<'a>(expanded: &'a Expanded, part: &expanded::Membership) -> MembershipView<'a> {
    let name = |id: PortId| expanded.ports[id].name.as_str();
    MembershipView {
        collective: &expanded.collectives[part.collective].name,
        rank: part.rank.0,
        inputs: part.inputs.iter().map(|&id| name(id)).collect(),
        outputs: part.outputs.iter().map(|&id| name(id)).collect(),
        result: part.result.map(name),
        cycles: part.cycles.map(name),
    }
}

fn instance_external<'a>(expanded: &'a Expanded, external: &'a expanded::External) -> ExternalView<'a> {
    ExternalView {
        name: &external.name,
        identifier: &external.identifier,
        kind: kind(external.direction),
        endpoint: endpoint(&external.endpoint),
        carries: expanded.ports[external.port].carries.map(carries),
    }
}

fn host_parameter<'a>(expanded: &'a Expanded, parameter: &'a expanded::HostParameter) -> ParameterView<'a> {
    ParameterView {
        name: &parameter.name,
        identifier: &parameter.identifier,
        kind: kind(parameter.direction),
        initial: &parameter.values.initial,
        file: parameter.values.file.as_deref(),
        ports: parameter.ports.iter().map(|&port| expanded.port_name(port)).collect(),
    }
}

const fn switch_word(kind: SwitchKind) -> &'static str {
    match kind {
        SwitchKind::Split => "split",
        SwitchKind::Merge => "merge",
        SwitchKind::OrderedMerge => "merge ordered",
    }
}

fn scheduled<'a>(expanded: &'a Expanded, collective: &'a expanded::Collective) -> ScheduledView<'a> {
    let name = |id: KernelId| expanded.kernels[id].name.as_str();
    ScheduledView {
        collective: common!(collective, collective.plan.operation, collective.plan.shape.to_string()),
        root: name(collective.root.value),
        ranks: collective.ranks.iter().map(|&rank| name(rank)).collect(),
    }
}

#[cfg(test)]
mod tests;
