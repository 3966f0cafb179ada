//! `aie/graph.cpp`: the graph instance and the main program of the simulators.

use aiec_ir::design::Endpoint;
use aiec_ir::{Direction, ExternalId};
use askama::Template;

use super::{Context, Traffic};
use crate::names::INSTANCE;

/// `aie/graph.cpp`
#[derive(Template)]
#[template(path = "graph.cpp.askama", escape = "none")]
pub(crate) struct GraphCpp<'a> {
    stamp: &'a str,
    class: &'a str,
    instance: &'static str,
    has_transfers: bool,
    iterations: u32,
    before: Vec<String>,
    after: Vec<String>,
    status: &'static str,
}

/// The main program: transfers from and to global memory around the run.
pub(crate) fn graph_cpp<'a>(context: &'a Context<'a>) -> GraphCpp<'a> {
    let transfers: Vec<(ExternalId, Traffic)> = gmio(context).collect();
    let has_outputs = transfers.iter().any(|(id, _)| is_output(context, *id));
    let mut before: Vec<String> =
        transfers.iter().flat_map(|&(id, traffic)| start(context, id, traffic)).collect();
    if !before.is_empty() {
        before.insert(0, String::new());
    }
    GraphCpp {
        stamp: &context.stamp,
        class: &context.names.graph,
        instance: INSTANCE,
        has_transfers: !transfers.is_empty(),
        iterations: context.design.iterations,
        before,
        after: after(context, &transfers),
        status: if has_outputs { "written ? 0 : 1" } else { "0" },
    }
}

/// The GMIO inputs and outputs in use.
pub(crate) fn gmio<'a>(context: &'a Context<'_>) -> impl Iterator<Item = (ExternalId, Traffic)> + 'a {
    let is_gmio = |id: ExternalId| matches!(context.design.externals[id].endpoint, Endpoint::Gmio { .. });
    context.used_externals().filter(move |(id, _)| is_gmio(*id))
}

/// True if data leaves the array here.
pub(crate) fn is_output(context: &Context<'_>, id: ExternalId) -> bool {
    context.design.externals[id].direction == Direction::In
}

fn start(context: &Context<'_>, id: ExternalId, traffic: Traffic) -> Vec<String> {
    let (memory, element, bytes) = (&context.names.memory[id], traffic.window.element, traffic.bytes());
    let member = context.names.external(id);
    let mut lines =
        vec![format!("{element} *{memory} = static_cast<{element} *>(adf::GMIO::malloc({bytes}));")];
    if is_output(context, id) {
        lines.push(format!("{INSTANCE}.{member}.aie2gm_nb({memory}, {bytes});"));
    } else {
        let (file, elements) = (&context.names.data[id], traffic.elements());
        lines.push(format!("if (!aiec::read_values(\"{file}\", {memory}, {elements})) return 1;"));
        lines.push(format!("{INSTANCE}.{member}.gm2aie_nb({memory}, {bytes});"));
    }
    lines.push(String::new());
    lines
}

/// Everything after `run`: wait for the outputs, end, write what arrived, give the memory back.
fn after(context: &Context<'_>, transfers: &[(ExternalId, Traffic)]) -> Vec<String> {
    let outputs = || transfers.iter().filter(|(id, _)| is_output(context, *id));
    let member = |id: ExternalId| context.names.external(id);
    let mut lines: Vec<String> =
        outputs().map(|(id, _)| format!("{INSTANCE}.{}.wait();", member(*id))).collect();
    lines.push(format!("{INSTANCE}.end();"));
    if outputs().next().is_some() {
        lines.extend([String::new(), "bool written = true;".to_owned()]);
    }
    lines.extend(outputs().map(|(id, traffic)| {
        let (file, memory) = (&context.names.data[*id], &context.names.memory[*id]);
        format!("written = aiec::write_values(\"{file}\", {memory}, {}) && written;", traffic.elements())
    }));
    if !transfers.is_empty() {
        lines.push(String::new());
    }
    lines.extend(transfers.iter().map(|(id, _)| format!("adf::GMIO::free({});", context.names.memory[*id])));
    lines
}
