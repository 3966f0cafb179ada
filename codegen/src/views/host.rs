//! `sw/host.cpp`: the host program. It moves data between files and the array and compares results.
//!
//! Its use of XRT follows the release: [`HostApi`]. Code without XRT is in [`HEADER`], equal for
//! every design.

use aiec_device::release::{Board, HostApi};
use aiec_ir::expanded::{DataEnd, PortRole};
use aiec_ir::{ElementType, ExternalId};
use askama::Template;

use super::graph_cpp::{gmio, is_output};
use super::parameters::{self, HostView};
use super::project::{Plio, instance, plio};
use super::texts::numbered;
use super::{Context, Traffic, UsedExternal};
use crate::names::INSTANCE;
use crate::scope::Scope;

/// `sw/aiec_host.h`: options, data files, comparison and time.
pub(crate) const HEADER: &str = include_str!("../../templates/host/aiec_host.h");

/// The fields of the template of `sw/host.cpp`.
#[derive(Template)]
#[template(path = "host.cpp.askama", escape = "none")]
pub(crate) struct HostCpp<'a> {
    stamp: &'a str,
    design: &'a str,
    release: &'a str,
    instance: &'static str,
    iterations: u32,
    has_gmio: bool,
    has_movers: bool,
    /// GMIO transfers hold their caller up until they are done.
    is_blocking: bool,
    /// The graph is started and ended by the host.
    has_graph: bool,
    /// True if all objects are made on an `xrt::hw_context`.
    has_context: bool,
    /// The first arguments of the constructors of graphs and kernels.
    graph_owner: &'static str,
    /// The member of `board` that memory is made on.
    memory_owner: &'static str,
    ports: Vec<PortView>,
    parameters: Vec<HostView>,
    /// True if each run is started by itself: parameters of the host change between runs.
    one_by_one: bool,
}

impl HostCpp<'_> {
    /// True if some run waits until the host has read a parameter.
    fn reads_during(&self) -> bool {
        self.parameters.iter().any(|one| !one.steps.read_during.is_empty())
    }
}

/// An input or output, or an array of them.
struct PortView {
    comment: String,
    /// The constants for windows in a run, elements in a window and elements in all, and the values
    /// of the first two.
    windows_name: String,
    windows: u64,
    window_name: String,
    window: u32,
    elements_name: String,
    /// The constant with their number and its value, of an array.
    count: Option<(String, usize)>,
    /// For an output of cycle counts: the constant for the calls that a window counts, and its
    /// value.
    calls: Option<(String, u32)>,
    /// The function that describes one.
    function: String,
    /// Its statements.
    fields: Vec<String>,
}

/// The host program for the board, which moves data and runs the graph.
pub(crate) fn host_cpp<'a>(context: &'a Context<'a>) -> HostCpp<'a> {
    let has_context = api(context) == HostApi::Context;
    let mut scope = scope(context);
    HostCpp {
        stamp: &context.stamp,
        design: &context.design.name.value,
        release: context.design.release.name,
        instance: INSTANCE,
        iterations: context.design.iterations,
        has_gmio: gmio(context).next().is_some(),
        has_movers: plio(context).next().is_some(),
        is_blocking: is_blocking(context),
        has_graph: has_graph(context),
        has_context,
        graph_owner: if has_context { "on.context" } else { "on.device, on.uuid" },
        memory_owner: if has_context { "context" } else { "device" },
        ports: ports(context, &mut scope),
        parameters: parameters::in_host(context, &mut scope),
        one_by_one: context.design.runs_one_by_one(),
    }
}

/// The XRT interface of the release.
fn api(context: &Context<'_>) -> HostApi {
    context.design.release.host.value.unwrap_or(HostApi::Async)
}

/// True if the host starts and ends the graph. A server cannot do so on a VCK5000
/// (Xilinx/XRT#7010): the graph runs from when the binary is loaded, and the host only moves data
/// through PLIO. No document shows a host on the server for GMIO or run-time parameters; with them
/// the host is that of an embedded board.
fn has_graph(context: &Context<'_>) -> bool {
    let driven = gmio(context).next().is_some() || context.used_parameters().next().is_some();
    context.design.board != Board::Vck5000 || driven
}

/// True if GMIO transfers hold their caller up until they are done.
fn is_blocking(context: &Context<'_>) -> bool {
    api(context) == HostApi::Sync
}

/// The inputs and outputs in use, arrays of equal ones in one.
fn ports(context: &Context<'_>, scope: &mut Scope) -> Vec<PortView> {
    let mut found = Vec::new();
    for group in &context.names.externals {
        let used = |&id| Some(UsedExternal { id, traffic: context.traffic(id)? });
        let used: Vec<UsedExternal> = group.instances.iter().filter_map(used).collect();
        match together(context, &used) {
            Some(view) if group.array && used.len() > 1 => found.push(view.named(scope, &group.member)),
            _ => found.extend(used.iter().filter_map(|one| {
                let view = together(context, &[*one])?;
                Some(view.named(scope, &context.names.memory[one.id]))
            })),
        }
    }
    found
}

/// The names that are taken in the host program.
fn scope(context: &Context<'_>) -> Scope {
    let bases = context.design.externals.iter().map(|external| external.identifier.clone());
    let taken = [
        "aiec",
        "std",
        "xrt",
        "iterations",
        "all_ports",
        "board",
        "gmio",
        "mover",
        "transfers",
        "move_data",
        "parameters",
        "run",
    ];
    Scope::with(bases.chain(taken.map(str::to_owned)))
}

/// The description of inputs or outputs of equal kind, before they have names in C++.
struct Unnamed {
    way: &'static str,
    shown: String,
    what: &'static str,
    windows: u64,
    window: u32,
    count: usize,
    calls: Option<u32>,
    fields: Vec<String>,
}

impl Unnamed {
    fn named(self, scope: &mut Scope, base: &str) -> PortView {
        let Self { way, shown, what, windows, window, count, calls, fields } = self;
        let function = scope.fresh(&[format!("{base}_port")]);
        let windows_name = scope.fresh(&[format!("{base}_windows")]);
        let window_name = scope.fresh(&[format!("{base}_window")]);
        let elements_name = scope.fresh(&[format!("{base}_elements")]);
        let count = (count > 1).then(|| (scope.fresh(&[format!("{base}_count")]), count));
        let calls = calls.map(|calls| (scope.fresh(&[format!("{base}_calls")]), calls));
        let each = if count.is_some() { " each" } else { "" };
        let comment = format!("{way} {shown}: {what}{each}.");
        let of_cycles = calls.iter().flat_map(|(calls_name, _)| {
            [format!("port.window = {window_name};"), format!("port.calls = {calls_name};")]
        });
        let elements = [format!("port.elements = {elements_name};")];
        let fields = fields.into_iter().chain(of_cycles).chain(elements).collect();
        PortView {
            comment,
            windows_name,
            windows,
            window_name,
            window,
            elements_name,
            count,
            calls,
            function,
            fields,
        }
    }
}

/// The description of ports that differ only by their number in an array. Returns None when they
/// differ in anything else, such as their data.
fn together(context: &Context<'_>, used: &[UsedExternal]) -> Option<Unnamed> {
    let &UsedExternal { id: first, traffic } = used.first()?;
    let described: Vec<Described> = used.iter().map(|one| described(context, one.id, one.traffic)).collect();
    let text = |pick: fn(&Described) -> &str| numbered(&described.iter().map(pick).collect::<Vec<_>>(), "i");
    let calls = cycles_of(context, first);
    let same_way = |other: &Described| other.constant == described[0].constant;
    let same_data = |other: &UsedExternal| other.traffic == traffic && cycles_of(context, other.id) == calls;
    if !described.iter().all(same_way) || !used.iter().all(same_data) {
        return None;
    }
    let mut fields = vec![
        format!("port.name = {};", text(|port| &port.name)?),
        format!("port.handle = {};", text(|port| &port.handle)?),
        format!("port.file = {};", text(|port| &port.file)?),
    ];
    let golden = text(|port| &port.golden)?;
    fields.extend((golden != "\"\"").then(|| format!("port.golden = {golden};")));
    fields.extend(described[0].constant.iter().cloned());
    let external = &context.design.externals[first];
    let per_run = traffic.windows / u64::from(context.design.iterations).max(1);
    Some(Unnamed {
        way: if is_output(context, first) { "Output" } else { "Input" },
        shown: if used.len() > 1 { family_of(&external.name).to_owned() } else { external.name.clone() },
        what: traffic.window.element.name(),
        windows: per_run,
        window: traffic.window.elements,
        count: used.len(),
        calls,
        fields,
    })
}

/// The name of an array, of that of one of its elements.
fn family_of(name: &str) -> &str {
    name.split_once('[').map_or(name, |(family, _)| family)
}

/// An input or output in the words of the host program.
struct Described {
    name: String,
    handle: String,
    file: String,
    golden: String,
    /// Statements in which nothing differs within an array.
    constant: Vec<String>,
}

fn described(context: &Context<'_>, id: ExternalId, traffic: Traffic) -> Described {
    let (number, parts) = host_numbers(traffic.window.element);
    let mut constant = vec![format!("port.type = aiec::number::{number};")];
    constant.extend((parts > 1).then(|| format!("port.parts = {parts};")));
    let plio = plio(context).find(|plio| plio.id == id);
    let per_line = plio.map_or(1, Plio::values_per_line);
    constant.extend((per_line > 1).then(|| format!("port.per_line = {per_line};")));
    constant.extend(is_output(context, id).then(|| "port.is_output = true;".to_owned()));
    let handle = match plio {
        Some(plio) => {
            constant.push(format!("port.bits = {};", plio.bits));
            format!("{}:{{{}}}", plio.mover(), instance(context, plio))
        }
        None => context.hierarchical(&context.names.external(id)),
    };
    Described {
        name: context.design.externals[id].name.clone(),
        handle,
        file: context.names.data[id].clone(),
        golden: context.names.golden.get(&DataEnd::External(id)).cloned().unwrap_or_default(),
        constant,
    }
}

/// Number of valid elements in a window of an output that receives cycle counts.
fn cycles_of(context: &Context<'_>, id: ExternalId) -> Option<u32> {
    let port = &context.design.ports[context.design.externals[id].port];
    let connection = &context.design.connections[*port.connections.first()?];
    match context.design.ports[connection.from].role {
        PortRole::Cycles(collective) => Some(context.design.collectives[collective].calls),
        _ => None,
    }
}

/// The kind of one number of an element on the host, and how many of them an element has.
pub(super) const fn host_numbers(element: ElementType) -> (&'static str, u64) {
    match element {
        ElementType::Int8 => ("int8", 1),
        ElementType::Uint8 => ("uint8", 1),
        ElementType::Int16 => ("int16", 1),
        ElementType::Uint16 => ("uint16", 1),
        ElementType::Int32 => ("int32", 1),
        ElementType::Uint32 => ("uint32", 1),
        ElementType::Int64 => ("int64", 1),
        ElementType::Uint64 => ("uint64", 1),
        ElementType::Float => ("real", 1),
        ElementType::Cint16 => ("int16", 2),
        ElementType::Cint32 => ("int32", 2),
        ElementType::Cfloat => ("real", 2),
    }
}
