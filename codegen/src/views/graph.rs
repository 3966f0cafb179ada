//! `aie/graph.h`: the graph class.

use askama::Template;

use super::Context;
use super::connect::connect_lines;
use super::create::{create_lines, external_class};
use super::parameters;
use crate::lines::counted;
use crate::options::Locations;

/// `aie/graph.h`
#[derive(Template)]
#[template(path = "graph.h.askama", escape = "none")]
pub(crate) struct GraphH<'a> {
    stamp: &'a str,
    design: &'a str,
    summary: String,
    class: &'a str,
    has_strings: bool,
    has_vectors: bool,
    has_links: bool,
    is_placed: bool,
    members: Vec<String>,
    create: Vec<String>,
    connect: Vec<String>,
}

/// The graph class of the design.
pub(crate) fn graph_h<'a>(context: &'a Context<'a>) -> GraphH<'a> {
    let create = create_lines(context);
    GraphH {
        stamp: &context.stamp,
        design: &context.design.name.value,
        summary: summary(context),
        class: &context.names.graph,
        has_strings: create.iter().any(|line| line.contains("std::to_string")),
        has_vectors: create.iter().any(|line| line.contains("std::vector")),
        has_links: has_links(context),
        is_placed: is_placed(context),
        members: members(context),
        create,
        connect: connect_lines(context),
    }
}

/// True if collectives are connected by the library's functions.
pub(super) fn has_links(context: &Context<'_>) -> bool {
    context.design.collectives.iter().any(|collective| collective.plan.has_wires())
}

/// True if the project has location constraints.
fn is_placed(context: &Context<'_>) -> bool {
    context.placed.is_some() && context.locations != Locations::None
}

fn summary(context: &Context<'_>) -> String {
    let kernels = counted(context.design.kernels.len(), "kernel");
    let connections = counted(context.design.connections.len(), "connection");
    let placed = if is_placed(context) { "placed on" } else { "for" };
    format!("{kernels} and {connections}, {placed} {}", context.device.name)
}

fn members(context: &Context<'_>) -> Vec<String> {
    let families = context.design.families.enumerate().map(|(id, family)| {
        let extents: String = family.dims.iter().map(|extent| format!("[{extent}]")).collect();
        format!("adf::kernel {}{extents};", context.names.families[id])
    });
    let externals = context.names.externals.iter().filter_map(|group| {
        let external = &context.design.externals[*group.instances.first()?];
        let extent = if group.array { format!("[{}]", group.instances.len()) } else { String::new() };
        Some(format!("adf::{} {}{extent};", external_class(external), group.member))
    });
    let switches = context.packet_switches().map(|(class, member, count)| {
        let extent = count.map_or_else(String::new, |count| format!("[{count}]"));
        format!("{class} {member}{extent};")
    });
    families.chain(externals).chain(parameters::members(context)).chain(switches).collect()
}
