//! `aie/graph.h`: the graph class.

use askama::Template;

use super::Context;
use super::connect::connect_lines;
use super::create::{create_lines, external_class};
use super::place::{PINGPONG_ROW, PlacedFamily, SINGLE_ROW, external_places, placed_families, single_places};
use crate::lines::counted;

/// `aie/graph.h`
#[derive(Template)]
#[template(path = "graph.h.askama", escape = "none")]
pub(crate) struct GraphH<'a> {
    stamp: &'a str,
    design: &'a str,
    summary: String,
    class: &'a str,
    has_strings: bool,
    is_placed: bool,
    has_tables: bool,
    has_pingpong: bool,
    has_single: bool,
    members: Vec<String>,
    create: Vec<String>,
    connect: Vec<String>,
    placed_families: Vec<PlacedFamily<'a>>,
    place_single: Vec<String>,
    place_single_function: &'a str,
    place_io: Vec<String>,
    place_io_function: &'a str,
}

/// The graph class of the design.
pub(crate) fn graph_h<'a>(context: &'a Context<'a>) -> GraphH<'a> {
    let design = context.design;
    let placed_families = placed_families(context);
    let create = create_lines(context);
    let has_rows = |row_type: &str| {
        placed_families.iter().any(|family| family.tables.iter().any(|table| table.row_type == row_type))
    };
    GraphH {
        stamp: &context.stamp,
        design: &design.name.value,
        summary: summary(context),
        class: &context.names.graph,
        has_strings: create.iter().any(|line| line.contains("std::to_string")),
        is_placed: context.placed.is_some(),
        has_tables: !placed_families.is_empty(),
        has_pingpong: has_rows(PINGPONG_ROW),
        has_single: has_rows(SINGLE_ROW),
        members: members(context),
        create,
        connect: connect_lines(context),
        placed_families,
        place_single: single_places(context),
        place_single_function: &context.names.place_kernels,
        place_io: external_places(context),
        place_io_function: &context.names.place_io,
    }
}

fn summary(context: &Context<'_>) -> String {
    let kernels = counted(context.design.kernels.len(), "kernel");
    let connections = counted(context.design.connections.len(), "connection");
    let placed = if context.placed.is_some() { "placed on" } else { "for" };
    format!("{kernels} and {connections}, {placed} {}", context.device.name)
}

fn members(context: &Context<'_>) -> Vec<String> {
    let families = context.design.families.enumerate().map(|(id, family)| {
        let member = &context.names.families[id];
        match family.dims.as_slice() {
            [] => format!("adf::kernel {member};"),
            [extent] => format!("adf::kernel {member}[{extent}];"),
            [rows, columns, ..] => {
                format!("adf::kernel {member}[{rows} * {columns}]; // row by row: {member}[{columns} * row + column]")
            }
        }
    });
    let externals = context.names.externals.iter().filter_map(|group| {
        let external = &context.design.externals[*group.instances.first()?];
        let extent = if group.array { format!("[{}]", group.instances.len()) } else { String::new() };
        Some(format!("adf::{} {}{extent};", external_class(external), group.member))
    });
    let merges = context.merges().map(|(class, member)| format!("{class} {member};"));
    families.chain(externals).chain(merges).collect()
}
