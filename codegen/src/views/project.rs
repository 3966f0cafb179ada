//! The files around the graph: host program, data movers, `system.cfg`, `Makefile`, `README.md`, constraints.

use std::collections::BTreeSet;

use aiec_ir::design::Endpoint;
use aiec_ir::{ElementType, ExternalId, PortId};
use aiec_placer::Spot;
use askama::Template;
use serde_json::{Map, Value, json};

use super::place::own_buffers;
use super::simulation::{gmio, is_output};
use super::{Context, Traffic};
use crate::lines::counted;
use crate::names::INSTANCE;

/// `sw/host.cpp`
#[derive(Template)]
#[template(path = "host.cpp.askama", escape = "none")]
pub(crate) struct HostCpp<'a> {
    stamp: &'a str,
    design: &'a str,
    instance: &'static str,
    iterations: u32,
    has_movers: bool,
    has_inputs: bool,
    has_outputs: bool,
    has_gmio_inputs: bool,
    has_gmio_outputs: bool,
    has_plio_inputs: bool,
    has_plio_outputs: bool,
    start: Vec<String>,
    finish: Vec<String>,
}

/// `pl_kernels/mm2s_BITS.cpp`
#[derive(Template)]
#[template(path = "mm2s.cpp.askama", escape = "none")]
pub(crate) struct Mm2sCpp<'a> {
    pub stamp: &'a str,
    pub bits: u32,
}

/// `pl_kernels/s2mm_BITS.cpp`
#[derive(Template)]
#[template(path = "s2mm.cpp.askama", escape = "none")]
pub(crate) struct S2mmCpp<'a> {
    pub stamp: &'a str,
    pub bits: u32,
}

/// `system.cfg`
#[derive(Template)]
#[template(path = "system.cfg.askama", escape = "none")]
pub(crate) struct SystemCfg<'a> {
    stamp: &'a str,
    kernels: Vec<String>,
    streams: Vec<String>,
}

/// `Makefile`
#[derive(Template)]
#[template(path = "Makefile.askama", escape = "none")]
pub(crate) struct Makefile<'a> {
    stamp: &'a str,
    design: &'a str,
    has_library: bool,
    movers: Vec<String>,
}

/// `README.md`
#[derive(Template)]
#[template(path = "README.md.askama", escape = "none")]
pub(crate) struct Readme<'a> {
    stamp: &'a str,
    design: &'a str,
    summary: String,
    has_roles: bool,
    has_library: bool,
    has_movers: bool,
    kernels: Vec<String>,
    externals: Vec<String>,
    missing: Vec<String>,
}

/// A PLIO with its width in bits.
#[derive(Clone, Copy)]
struct Plio {
    id: ExternalId,
    bits: u32,
    output: bool,
    traffic: Traffic,
}

impl Plio {
    fn mover(self) -> String {
        format!("{}_{}", self.direction(), self.bits)
    }

    const fn direction(self) -> &'static str {
        if self.output { "s2mm" } else { "mm2s" }
    }

    /// Words of the PLIO's width in all iterations together.
    fn words(self) -> u64 {
        self.traffic.bytes().div_ceil(u64::from(self.bits / 8).max(1))
    }
}

fn plio<'a>(context: &'a Context<'_>) -> impl Iterator<Item = Plio> + 'a {
    context.used_externals().filter_map(|(id, traffic)| match &context.design.externals[id].endpoint {
        Endpoint::Plio { bits, .. } => {
            Some(Plio { id, bits: bits.value, output: is_output(context, id), traffic })
        }
        Endpoint::Gmio { .. } => None,
    })
}

/// The data movers the project needs, by direction and width.
pub(crate) fn movers(context: &Context<'_>) -> BTreeSet<(&'static str, u32)> {
    plio(context).map(|plio| (plio.direction(), plio.bits)).collect()
}

/// The host program.
pub(crate) fn host_cpp<'a>(context: &'a Context<'a>) -> HostCpp<'a> {
    let outputs = |yes: bool| context.used_externals().any(|(id, _)| is_output(context, id) == yes);
    let mut host = HostCpp {
        stamp: &context.stamp,
        design: &context.design.name.value,
        instance: INSTANCE,
        iterations: context.design.iterations,
        has_movers: plio(context).next().is_some(),
        has_inputs: outputs(false),
        has_outputs: outputs(true),
        has_gmio_inputs: false,
        has_gmio_outputs: false,
        has_plio_inputs: false,
        has_plio_outputs: false,
        start: Vec::new(),
        finish: Vec::new(),
    };
    gmio(context).for_each(|(id, traffic)| host_gmio(context, &mut host, id, traffic));
    plio(context).for_each(|plio| host_plio(context, &mut host, plio));
    host
}

/// The type of one number of an element on the host, and how many of them an element has.
const fn host_numbers(element: ElementType) -> (&'static str, u64) {
    match element {
        ElementType::Int8 => ("std::int8_t", 1),
        ElementType::Uint8 => ("std::uint8_t", 1),
        ElementType::Int16 => ("std::int16_t", 1),
        ElementType::Uint16 => ("std::uint16_t", 1),
        ElementType::Int32 => ("std::int32_t", 1),
        ElementType::Uint32 => ("std::uint32_t", 1),
        ElementType::Int64 => ("std::int64_t", 1),
        ElementType::Uint64 => ("std::uint64_t", 1),
        ElementType::Float => ("float", 1),
        ElementType::Cint16 => ("std::int16_t", 2),
        ElementType::Cint32 => ("std::int32_t", 2),
        ElementType::Cfloat => ("float", 2),
    }
}

/// The type of numbers, the file and the count of numbers of an input or output.
fn host_file<'a>(
    context: &Context<'a>,
    id: ExternalId,
    traffic: Traffic,
) -> (&'static str, &'a str, u64, u64) {
    let (number, parts) = host_numbers(traffic.window.element);
    (number, context.names.data[id].as_str(), traffic.elements().saturating_mul(parts), parts)
}

fn host_gmio(context: &Context<'_>, host: &mut HostCpp<'_>, id: ExternalId, traffic: Traffic) {
    let (number, file, count, parts) = host_file(context, id, traffic);
    let name = &context.names.memory[id];
    let port = context.hierarchical(&context.names.external(context.design, id));
    if is_output(context, id) {
        host.has_gmio_outputs = true;
        host.start
            .push(format!("gmio_output<{number}> {name}(device, \"{port}\", \"{file}\", {count}, {parts});"));
        host.finish.push(format!("{name}.wait();"));
    } else {
        host.has_gmio_inputs = true;
        host.start.push(format!("gmio_input<{number}> {name}(device, \"{port}\", \"{file}\", {count});"));
    }
}

fn host_plio(context: &Context<'_>, host: &mut HostCpp<'_>, plio: Plio) {
    let (number, file, count, parts) = host_file(context, plio.id, plio.traffic);
    let (name, words) = (&context.names.memory[plio.id], plio.words());
    let bytes = words.saturating_mul(u64::from(plio.bits / 8));
    let mover = format!("{}:{{{}}}", plio.mover(), instance(context, plio));
    let arguments = format!("device, uuid, \"{mover}\", {words}, {bytes}, \"{file}\", {count}");
    if plio.output {
        host.has_plio_outputs = true;
        host.start.push(format!("plio_output<{number}> {name}({arguments}, {parts});"));
        host.finish.push(format!("{name}.wait();"));
    } else {
        host.has_plio_inputs = true;
        host.start.push(format!("plio_input<{number}> {name}({arguments});"));
    }
}

/// The name of the data mover instance of a PLIO.
fn instance(context: &Context<'_>, plio: Plio) -> String {
    format!("{}_{}", plio.direction(), context.names.logical[plio.id])
}

/// Movers and the streams that connect them.
pub(crate) fn system_cfg<'a>(context: &'a Context<'a>) -> SystemCfg<'a> {
    let kernels = movers(context).into_iter().map(|(direction, bits)| {
        let instances: Vec<String> = plio(context)
            .filter(|plio| (plio.direction(), plio.bits) == (direction, bits))
            .map(|plio| instance(context, plio))
            .collect();
        format!("nk={direction}_{bits}:{}:{}", instances.len(), instances.join("."))
    });
    let streams = plio(context).map(|plio| {
        let (mover, port) = (
            format!("{}.s", instance(context, plio)),
            format!("ai_engine_0.{}", context.names.logical[plio.id]),
        );
        if plio.output {
            format!("stream_connect={port}:{mover}")
        } else {
            format!("stream_connect={mover}:{port}")
        }
    });
    SystemCfg { stamp: &context.stamp, kernels: kernels.collect(), streams: streams.collect() }
}

/// The build.
pub(crate) fn makefile<'a>(context: &'a Context<'a>) -> Makefile<'a> {
    let movers = movers(context).into_iter().map(|(direction, bits)| format!("{direction}_{bits}"));
    Makefile {
        stamp: &context.stamp,
        design: &context.design.name.value,
        has_library: has_library(context),
        movers: movers.collect(),
    }
}

/// True if the project has headers in `aie/include`.
fn has_library(context: &Context<'_>) -> bool {
    gmio(context).next().is_some() || !context.design.collectives.is_empty()
}

/// What the project is, in words and tables. `missing` are inputs whose data was not handed over.
pub(crate) fn readme<'a>(context: &'a Context<'a>, missing: &[ExternalId]) -> Readme<'a> {
    let design = context.design;
    let what = format!(
        "{} and {} on {}",
        counted(design.kernels.len(), "kernel"),
        counted(design.connections.len(), "connection"),
        context.device.description
    );
    Readme {
        stamp: &context.stamp,
        design: &design.name.value,
        summary: what,
        has_roles: !context.roles.roles.is_empty(),
        has_library: has_library(context),
        has_movers: plio(context).next().is_some(),
        kernels: kernel_rows(context),
        externals: context.used_externals().map(|(id, traffic)| external_row(context, id, traffic)).collect(),
        missing: missing.iter().filter_map(|&id| missing_line(context, id)).collect(),
    }
}

fn kernel_rows(context: &Context<'_>) -> Vec<String> {
    let memory = &context.device.memory;
    let row = |(_, family): (_, &aiec_ir::design::Family)| {
        let size = |given: &Option<aiec_diag::Spanned<u32>>, default| {
            given.as_ref().map_or(default, |size| size.value)
        };
        let source = context.names.source(&family.source.value);
        let (stack, heap) =
            (size(&family.stack, memory.default_stack), size(&family.heap, memory.default_heap));
        format!(
            "| {} | {} | `aie/kernels/{source}` | {stack} B | {heap} B |",
            family.name,
            family.instances()
        )
    };
    context.design.families.enumerate().map(row).collect()
}

fn external_row(context: &Context<'_>, id: ExternalId, traffic: Traffic) -> String {
    let external = &context.design.externals[id];
    let output = is_output(context, id);
    let (kind, file) = match &external.endpoint {
        Endpoint::Plio { bits, .. } => (format!("{}-bit PLIO", bits.value), plio_file(context, id, output)),
        Endpoint::Gmio { .. } => ("GMIO".to_owned(), context.names.data[id].clone()),
    };
    let way = if output { "output" } else { "input" };
    let (values, shim) = (traffic.elements(), context.placed.shims[id]);
    let element = traffic.window.element;
    let name = &external.name;
    format!(
        "| {name} | {way}, {kind} | `{file}` | {values} {element} | column {}, channel {} |",
        shim.column, shim.channel
    )
}

/// Where the simulators read or write a PLIO's data.
fn plio_file(context: &Context<'_>, id: ExternalId, output: bool) -> String {
    let file = &context.names.data[id];
    if output { format!("x86simulator_output/{file}") } else { file.clone() }
}

fn missing_line(context: &Context<'_>, id: ExternalId) -> Option<String> {
    let traffic = context.traffic(id)?;
    let file = &context.names.data[id];
    Some(format!(
        "- `{file}` was not there when the project was made. Before a simulation, write {} values of type {} there, separated by blanks.",
        traffic.elements(),
        traffic.window.element
    ))
}

/// `constraints/aiec.aiecst`: every location by hierarchical name, in the JSON form of the tools (UG1076, constraints).
pub(crate) fn constraints(context: &Context<'_>) -> Value {
    let mut nodes = Map::new();
    let mut ports = Map::new();
    for kernel in context.design.kernels.ids() {
        let (tile, stack) = (context.placed.kernels[kernel], context.placed.stacks[kernel]);
        let node = json!({
            "tile": { "column": tile.column, "row": tile.row },
            "reserved_memory": place(stack),
        });
        nodes.insert(context.hierarchical(&context.kernel(kernel)), node);
        for port in context.design.ports_of(kernel) {
            if let Some(buffers) = buffers(context, port) {
                ports.insert(context.hierarchical(&context.port(port)), buffers);
            }
        }
    }
    for (id, _) in context.used_externals() {
        let shim = context.placed.shims[id];
        let node = json!({ "shim": { "column": shim.column, "channel": shim.channel } });
        nodes.insert(context.names.logical[id].clone(), node);
    }
    json!({ "NodeConstraints": nodes, "PortConstraints": ports })
}

fn place(spot: Spot) -> Value {
    json!({ "column": spot.tile.column, "row": spot.tile.row, "offset": spot.offset })
}

fn buffers(context: &Context<'_>, port: PortId) -> Option<Value> {
    let spots = own_buffers(context, port)?;
    Some(json!({ "buffers": spots.iter().map(|&spot| place(spot)).collect::<Vec<_>>() }))
}
