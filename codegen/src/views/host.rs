//! `sw/host.cpp`: the host program, which moves data between files and the array.

use aiec_ir::{ElementType, ExternalId};
use askama::Template;

use super::project::{Plio, instance, plio};
use super::simulation::{gmio, is_output};
use super::{Context, Traffic};
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
    let port = context.hierarchical(&context.names.external(id));
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
    let per_line = plio.values_per_line().saturating_mul(parts);
    let (name, words) = (&context.names.memory[plio.id], plio.words());
    let bytes = words.saturating_mul(u64::from(plio.bits / 8));
    let mover = format!("{}:{{{}}}", plio.mover(), instance(context, plio));
    let arguments = format!("device, uuid, \"{mover}\", {words}, {bytes}, \"{file}\", {count}");
    if plio.output {
        host.has_plio_outputs = true;
        host.start.push(format!("plio_output<{number}> {name}({arguments}, {per_line});"));
        host.finish.push(format!("{name}.wait();"));
    } else {
        host.has_plio_inputs = true;
        host.start.push(format!("plio_input<{number}> {name}({arguments});"));
    }
}
