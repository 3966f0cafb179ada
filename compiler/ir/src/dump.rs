//! Designs as stable text: the output of `--emit=design` and `--emit=expanded`.
//!
//! Writes a design as indented JSON with names instead of ids, and windows as in the source
//! (`int32[64]`). Equal designs give equal text. Spans do not occur, so that moving a line changes
//! nothing.

use serde::Serialize;

use crate::blocks::Block;
use crate::carries::Carries;
use crate::constraints::Constraints;
use crate::cores::WHOLE_CORE;
use crate::design::{self, Design, Endpoint, FarEnd, HostValues, Node, Selection};
use crate::expanded::{self, Expanded, SwitchKind};
use crate::ids::{KernelId, PortId};
use aiec_collectives::Operation;
use aiec_collectives::{Buffering, Direction, PortKind};

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
    let regions = all.regions.iter().map(|region| ConstraintView::Region {
        kernels: region.kernels.clone(),
        from: region.area.from,
        to: region.area.to,
    });
    let together = all.together.iter().map(|group| ConstraintView::Together(group.kernels.clone()));
    let apart = all.apart.iter().map(|group| ConstraintView::Apart(group.kernels.clone()));
    let keepouts = all
        .keepouts
        .iter()
        .map(|keepout| ConstraintView::Keepout { from: keepout.area.from, to: keepout.area.to });
    offsets.chain(regions).chain(together).chain(apart).chain(keepouts).collect()
}

/// The constraints on memory of an expanded design.
fn blocks(expanded: &Expanded) -> Vec<BlockView> {
    let place = |place: &crate::blocks::BlockPlace<crate::KernelId, crate::PortId>| BlockView::Place {
        block: match place.block {
            Block::Stack(kernel) => format!("{}.stack", expanded.kernels[kernel].name),
            Block::Buffers(port) => expanded.port_name(port),
        },
        column: place.column,
        row: place.row,
        banks: place.banks.clone(),
    };
    let names = |ports: &[crate::PortId]| ports.iter().map(|&port| expanded.port_name(port)).collect();
    let all = &expanded.blocks;
    let places = all.places.iter().map(place);
    places.chain(all.apart.iter().map(|group| BlockView::Apart(names(&group.ports)))).collect()
}

fn json(view: &impl Serialize) -> String {
    let mut text = serde_json::to_string_pretty(view).expect("views are structs, lists, texts and numbers");
    text.push('\n');
    text
}

#[derive(Serialize)]
struct DesignView<'a> {
    name: &'a str,
    device: &'a str,
    vitis: &'a str,
    board: &'a str,
    iterations: u32,
    ports: PortKind,
    constants: Vec<ConstantView<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tables: Vec<TableView<'a>>,
    kernels: Vec<FamilyView<'a>>,
    externals: Vec<FamilyExternalView<'a>>,
    collectives: Vec<WrittenCollectiveView<'a>>,
    connections: Vec<WrittenConnectionView>,
    places: Vec<PlaceView>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    constraints: Vec<ConstraintView>,
}

#[derive(Serialize)]
struct ExpandedView<'a> {
    name: &'a str,
    device: &'a str,
    vitis: &'a str,
    board: &'a str,
    iterations: u32,
    ports: PortKind,
    kernels: Vec<KernelView<'a>>,
    externals: Vec<ExternalView<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    parameters: Vec<ParameterView<'a>>,
    collectives: Vec<ScheduledView<'a>>,
    connections: Vec<ConnectionView<'a>>,
    places: Vec<PlaceView>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    constraints: Vec<ConstraintView>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    blocks: Vec<BlockView>,
}

#[derive(Serialize)]
struct ConstantView<'a> {
    name: &'a str,
    value: i64,
}

#[derive(Serialize)]
struct TableView<'a> {
    name: &'a str,
    values: &'a [i64],
}

#[derive(Serialize)]
struct FamilyView<'a> {
    name: &'a str,
    dims: &'a [u32],
    /// What all instances have.
    #[serde(flatten)]
    body: Option<BodyView<'a>>,
    /// What each instance has, if they differ.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    instances: Vec<BodyView<'a>>,
    ports: Vec<UserPortView<'a>>,
}

#[derive(Serialize)]
struct BodyView<'a> {
    /// The function or class, if it is not called like the family.
    #[serde(skip_serializing_if = "Option::is_none")]
    function: Option<&'a str>,
    source: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    header: Option<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    template: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    arguments: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    init: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stack: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    heap: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    runtime: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    program: Option<u32>,
}

#[derive(Serialize)]
struct UserPortView<'a> {
    name: &'a str,
    direction: Direction,
    #[serde(flatten)]
    carries: CarriesView,
    #[serde(rename = "async", skip_serializing_if = "std::ops::Not::not")]
    asynchronous: bool,
}

/// What a port carries, under the word for its kind: `"window": "int32[4]"`.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum CarriesView {
    Window(String),
    Stream(String),
    Packets(String),
    Cascade(String),
    Parameter(String),
}

#[derive(Serialize)]
struct FamilyExternalView<'a> {
    name: &'a str,
    dims: &'a [u32],
    kind: &'static str,
    #[serde(flatten)]
    endpoint: EndpointView<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    golden: Option<&'a str>,
}

/// The far end of an input or output, under the key `plio` or `gmio`.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum EndpointView<'a> {
    Plio {
        bits: u32,
        file: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        frequency: Option<f64>,
    },
    Gmio {
        file: Option<&'a str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        burst: Option<u32>,
        #[serde(skip_serializing_if = "Option::is_none")]
        bandwidth: Option<u32>,
    },
    Host {
        initial: &'a [i64],
        file: Option<&'a str>,
    },
}

/// The fields of a collective that exist before and after expansion.
#[derive(Serialize)]
struct CollectiveView<'a> {
    name: &'a str,
    operation: Operation,
    #[serde(skip_serializing_if = "Option::is_none")]
    op: Option<&'a str>,
    data: String,
    window: String,
    shape: String,
    buffer: Buffering,
    calls: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    cycles: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reference: Option<String>,
}

#[derive(Serialize)]
struct WrittenCollectiveView<'a> {
    #[serde(flatten)]
    collective: CollectiveView<'a>,
    root: String,
    group: Vec<String>,
}

#[derive(Serialize)]
struct ScheduledView<'a> {
    #[serde(flatten)]
    collective: CollectiveView<'a>,
    root: &'a str,
    ranks: Vec<&'a str>,
}

#[derive(Serialize)]
struct WrittenConnectionView {
    from: SelectionView,
    to: SelectionView,
    buffer: Buffering,
    #[serde(skip_serializing_if = "Option::is_none")]
    fifo: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    packets: Option<&'static str>,
}

#[derive(Serialize)]
struct SelectionView {
    ports: Vec<String>,
    #[serde(rename = "async")]
    asynchronous: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    windows: Option<u32>,
}

#[derive(Serialize)]
struct KernelView<'a> {
    name: &'a str,
    family: &'a str,
    /// The C++ and the memory, unless it is one plain function for the whole family.
    #[serde(skip_serializing_if = "Option::is_none")]
    body: Option<BodyView<'a>>,
    inputs: Vec<PortView<'a>>,
    outputs: Vec<PortView<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    inouts: Vec<PortView<'a>>,
    memberships: Vec<MembershipView<'a>>,
    /// Runs in one iteration, where they are not one.
    #[serde(skip_serializing_if = "Option::is_none")]
    repetitions: Option<u32>,
}

#[derive(Serialize)]
struct PortView<'a> {
    name: &'a str,
    #[serde(flatten)]
    carries: Option<CarriesView>,
    #[serde(rename = "async")]
    asynchronous: bool,
    /// Windows that the kernel acquires in one run. None when the design does not state it.
    #[serde(skip_serializing_if = "Option::is_none")]
    windows: Option<u32>,
}

#[derive(Serialize)]
struct MembershipView<'a> {
    collective: &'a str,
    rank: u32,
    inputs: Vec<&'a str>,
    outputs: Vec<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cycles: Option<&'a str>,
}

#[derive(Serialize)]
struct ExternalView<'a> {
    name: &'a str,
    identifier: &'a str,
    kind: &'static str,
    #[serde(flatten)]
    endpoint: EndpointView<'a>,
    #[serde(flatten)]
    carries: Option<CarriesView>,
}

#[derive(Serialize)]
struct ConnectionView<'a> {
    from: String,
    to: String,
    buffer: Buffering,
    #[serde(skip_serializing_if = "Option::is_none")]
    fifo: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    packets: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    collective: Option<&'a str>,
}

/// A run-time parameter of the host.
#[derive(Serialize)]
struct ParameterView<'a> {
    name: &'a str,
    identifier: &'a str,
    kind: &'static str,
    #[serde(skip_serializing_if = "<[i64]>::is_empty")]
    initial: &'a [i64],
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'a str>,
    ports: Vec<String>,
}

#[derive(Serialize)]
struct PlaceView {
    kernel: String,
    column: i64,
    row: i64,
}

/// A placement constraint other than a `place` on a tile.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum ConstraintView {
    Relative { kernel: String, from: String, columns: i64, rows: i64 },
    Region { kernels: Vec<String>, from: (i64, i64), to: (i64, i64) },
    Together(Vec<String>),
    Apart(Vec<String>),
    Keepout { from: (i64, i64), to: (i64, i64) },
}

#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum BlockView {
    Place { block: String, column: i64, row: i64, banks: Vec<u32> },
    Apart(Vec<String>),
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
    }
}

fn membership<'a>(expanded: &'a Expanded, part: &expanded::Membership) -> MembershipView<'a> {
    let name = |id: PortId| expanded.ports[id].name.as_str();
    MembershipView {
        collective: &expanded.collectives[part.collective].name,
        rank: part.rank,
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
mod tests {
    use super::*;
    use crate::ElementType;
    use crate::ids::{ExternalFamilyId, FamilyId, IdVec};
    use aiec_diag::{SourceId, Span, Spanned};
    use petgraph::graph::DiGraph;

    /// `kernel a[2](out y)`, `output o[2]`, `connect async a.y -> o`.
    fn written() -> Design {
        let span = Span::new(SourceId(0), 0, 1);
        let port = design::UserPort {
            name: "y".into(),
            direction: Direction::Out,
            carries: Carries::window_of(crate::WindowType { element: ElementType::Int32, elements: 4 }),
            asynchronous: false,
            span,
        };
        let family = design::Family {
            name: "a".into(),
            dims: vec![2],
            ports: vec![port],
            bodies: vec![design::Body {
                stack: Some(Spanned::new(2048, span)),
                runtime: Some(Spanned::new(400, span)),
                arguments: Some(vec![design::Argument::Number { value: -3, class: None }]),
                ..design::Body::of("f".into(), Spanned::new("kernels/a.cc".into(), span))
            }],
            span,
        };
        let bits = Spanned::new(64, span);
        let external = design::ExternalFamily {
            name: "o".into(),
            dims: vec![2],
            direction: Direction::In,
            end: FarEnd::Array(Endpoint::Plio { bits, file: "data/o_{}.txt".into(), frequency: None }),
            golden: None,
            span,
        };
        let select = |node, asynchronous: bool| {
            let windows = asynchronous.then(|| Spanned::new(3, span));
            Selection { node, ports: vec![0], instances: vec![0, 1], asynchronous, windows, span }
        };
        let (from, to) = (Node::Family(FamilyId(0)), Node::External(ExternalFamilyId(0)));
        let mut graph = DiGraph::new();
        let nodes = [graph.add_node(from), graph.add_node(to)];
        let link = design::Link {
            from: vec![select(from, true)],
            to: vec![select(to, false)],
            buffering: Buffering::Single,
            fifo: None,
            switch: None,
            span,
        };
        graph.add_edge(nodes[0], nodes[1], link);
        Design {
            name: Spanned::new("lanes".into(), span),
            device: Spanned::new("toy".into(), span),
            release: aiec_device::Release::standard(),
            board: aiec_device::Board::default(),
            written: design::Written::default(),
            iterations: 2,
            port_kind: PortKind::Buffer,
            constants: vec![("N".into(), 2)],
            tables: vec![("TAPS".into(), [3, -9].into())],
            families: IdVec::from_iter([family]),
            externals: IdVec::from_iter([external]),
            collectives: IdVec::new(),
            places: Vec::new(),
            constraints: Constraints::default(),
            blocks: crate::Blocks::default(),
            subgraphs: IdVec::new(),
            graph,
        }
    }

    #[test]
    fn a_design_is_text_without_ids() {
        let text = dump_design(&written());
        let json: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(json["constants"][0]["name"], "N");
        assert_eq!(json["tables"][0]["values"][1], -9);
        assert_eq!(json["ports"], "buffer");
        assert_eq!(json["kernels"][0]["ports"][0]["window"], "int32[4]");
        assert_eq!(json["kernels"][0]["stack"], 2048);
        assert_eq!(json["kernels"][0]["function"], "f");
        assert_eq!(json["kernels"][0]["arguments"][0], "-3");
        assert_eq!(json["kernels"][0]["runtime"], 0.4);
        assert_eq!(json["externals"][0]["plio"]["bits"], 64);
        assert_eq!(json["connections"][0]["from"]["ports"][1], "a[1].y");
        assert_eq!(json["connections"][0]["from"]["async"], true);
        assert_eq!(json["connections"][0]["to"]["ports"][0], "o[0]");
        assert_eq!(json["connections"][0]["buffer"], "single");
    }
}
