//! `aie/placement.h`: location constraints for kernels, stacks, buffers, inputs and outputs.
//!
//! A connection through shared memory is constrained at the consumer's port only: the producer
//! writes to the consumer's buffers.

use std::collections::BTreeMap;

use aiec_ir::blocks::{Block, BlockPlace, BuffersApart, Within};
use aiec_ir::design::{Endpoint, identifier};
use aiec_ir::expanded::Connection;
use aiec_ir::{ConnectionId, ExternalId, FamilyId, KernelId, PortId};
use aiec_placer::{Placed, PortBuffers, Spot};
use askama::Template;

use super::Context;
use super::connect::{fifo_places, fifo_value};
use crate::names::ExternalGroup;
use crate::naming::Naming;
use crate::options::Locations;

/// The fields of the template of `aie/placement.h`.
#[derive(Template)]
#[template(path = "placement.h.askama", escape = "none")]
pub(crate) struct PlacementH<'a> {
    stamp: &'a str,
    design: &'a str,
    device: &'a str,
    what: &'static str,
    arrays: Vec<PlacedArray>,
    statements: Vec<String>,
}

/// The places of an array of kernels, inputs or outputs, as tables.
struct PlacedArray {
    /// Its expression within the graph class, and a name for its function.
    member: String,
    name: String,
    tables: Vec<Table>,
}

/// Places of one kind.
struct Table {
    /// Its contents in words.
    comment: &'static str,
    /// The C++ type of a row, and the function that takes the table.
    row_type: &'static str,
    function: &'static str,
    /// The name of the table.
    name: &'static str,
    /// One row per kernel, port, input or output.
    rows: Vec<String>,
}

/// Locations of all parts of the design, if the project constrains them.
pub(crate) fn told<'a>(context: &Context<'a>) -> Option<&'a Placed> {
    context.placed.filter(|_| context.locations != Locations::None)
}

/// All locations that become constraints. Returns None when nothing is constrained.
pub(crate) fn placement_h<'a>(context: &'a Context<'a>) -> Option<PlacementH<'a>> {
    let placed = told(context)?;
    let all = context.locations == Locations::All;
    let families = context.design.families.ids();
    let (arrays, single): (Vec<_>, Vec<_>) = families.partition(|&family| context.is_array(family));
    let mut tables: Vec<PlacedArray> =
        arrays.into_iter().map(|family| placed_family(context, placed, family)).collect();
    let kernels = single.into_iter().flat_map(|family| context.kernels_of(family));
    let mut statements: Vec<String> =
        kernels.flat_map(|kernel| single_place(context, placed, kernel, Naming::Emitted)).collect();
    if !all {
        statements.extend(stated_blocks(context, placed));
    }
    if all {
        let (arrays, single): (Vec<_>, Vec<_>) =
            context.names.externals.iter().partition(|group| group.array);
        tables.extend(arrays.into_iter().filter_map(|group| placed_externals(context, placed, group)));
        let single = single.into_iter().flat_map(|group| group.instances.iter());
        statements.extend(single.map(|&id| external_place(context, placed, id, Naming::Emitted)));
    }
    Some(PlacementH {
        stamp: &context.stamp,
        design: &context.design.name.value,
        device: &context.device.name,
        what: if all { "Locations of kernels, buffers, inputs and outputs" } else { "Tiles of the kernels" },
        arrays: tables,
        statements,
    })
}

/// A header of its own with every location, for a graph that includes it.
#[derive(Template)]
#[template(path = "locations.h.askama", escape = "none")]
pub(crate) struct LocationsH<'a> {
    stamp: &'a str,
    design: &'a str,
    device: &'a str,
    statements: Vec<String>,
    sections: Vec<Section>,
}

/// The locations in the class of one of several objects.
struct Section {
    /// The macro under which they hold.
    guard: String,
    statements: Vec<String>,
}

/// One statement for each part of the design that has a place.
pub(crate) fn locations_h<'a>(
    context: &'a Context<'a>,
    placed: &Placed,
    naming: Naming<'_>,
) -> LocationsH<'a> {
    let kernels = context.design.kernels.ids().map(|kernel| {
        let name = naming.kernel(context, kernel);
        let inside = naming.inside(naming.object_of(&name).unwrap_or_default());
        let is_node = naming.unnamed(&context.design.kernels[kernel].name).is_none();
        (name, is_node, single_place(context, placed, kernel, inside))
    });
    let externals = context.connected_externals().map(|id| {
        let name = naming.external(context, id);
        let inside = naming.inside(naming.object_of(&name).unwrap_or_default());
        let is_node = naming.node(context, id).is_some()
            && naming.unnamed(&context.design.externals[id].name).is_none();
        (name, is_node, vec![external_place(context, placed, id, inside)])
    });
    let (mut statements, mut sections) = (Vec::new(), BTreeMap::new());
    for (name, is_node, own) in kernels.chain(externals) {
        match naming.object_of(&name) {
            // A comment in the place of a statement that would not compile.
            _ if naming.is_loose(&name) => {
                let other = if is_node { "; --aiecst writes its place" } else { "" };
                statements.push(format!("// `{name}` is no member of the class{other}."));
            }
            Some(object) => {
                sections.entry(object).or_insert_with(Vec::new).extend(reachable(naming, &name, own));
            }
            None => statements.extend(reachable(naming, &name, own)),
        }
    }
    statements.extend(fifos(context));
    statements.extend(naming.left_out().iter().map(|what| format!("// Not taken into account: {what}.")));
    let section = |(object, statements)| Section { guard: format!("AIEC_LOCATIONS_OF_{object}"), statements };
    LocationsH {
        stamp: &context.stamp,
        design: &context.design.name.value,
        device: &context.device.name,
        statements,
        sections: sections.into_iter().map(section).collect(),
    }
}

/// The statements of a kernel, input or output. They are comments where its member is out of reach.
fn reachable(naming: Naming<'_>, name: &str, own: Vec<String>) -> Vec<String> {
    let Some(reason) = naming.hidden(name) else { return own };
    let comments = own.into_iter().map(|line| match line.is_empty() {
        true => line,
        false => format!("// {line}"),
    });
    std::iter::once(format!("// Out of reach of the class, since {reason}:")).chain(comments).collect()
}

/// A comment for each FIFO with places: a statement needs the name of the connection, and
/// only the graph knows it.
fn fifos(context: &Context<'_>) -> Vec<String> {
    let design = context.design;
    let comment = |(id, connection): (ConnectionId, &Connection)| {
        let [from, to] = [connection.from, connection.to].map(|port| design.port_name(port));
        let places = fifo_places(context, id);
        (!places.is_empty()).then(|| {
            let value = fifo_value(&places);
            format!(
                "// With the connection from `{from}` to `{to}` in place of `net`: adf::location<adf::fifo>(net) = {value};"
            )
        })
    };
    design.connections.enumerate().filter_map(comment).collect()
}

/// True if the placement has tables, which the library turns into constraints.
pub(crate) fn has_tables(context: &Context<'_>) -> bool {
    let families = context.design.families.ids().any(|family| context.is_array(family));
    let mut externals = context.names.externals.iter();
    let all = context.locations == Locations::All;
    let externals = all && externals.any(|group| group.array && !group.instances.is_empty());
    told(context).is_some() && (families || externals)
}

fn placed_family(context: &Context<'_>, placed: &Placed, family: FamilyId) -> PlacedArray {
    let kernels: Vec<KernelId> = context.kernels_of(family).collect();
    let all = context.locations == Locations::All;
    let (comment, row_type) = match all {
        true => ("Tile, and stack and heap in the memory of one that the core reaches.", "kernel_place"),
        false => ("Tiles.", "tile_place"),
    };
    let rows = kernels.iter().map(|&kernel| kernel_row(context, placed, kernel)).collect();
    let mut tables = vec![Table { comment, row_type, function: "place_kernels", name: "kernels", rows }];
    if all {
        tables.extend(buffer_tables(context, &kernels));
    }
    let member = context.family(family, None);
    PlacedArray { name: identifier(&member), member, tables }
}

fn kernel_row(context: &Context<'_>, placed: &Placed, kernel: KernelId) -> String {
    let tile = placed.kernels[kernel];
    let name = &context.design.kernels[kernel].name;
    let stack = match context.locations {
        Locations::All => format!(", {}", spot(placed.stacks[kernel])),
        Locations::Kernels | Locations::None => String::new(),
    };
    format!("{{{}, {}{stack}}}, // {name}", tile.column, tile.row)
}

fn spot(spot: Spot) -> String {
    format!("{{{}, {}, {:#06x}}}", spot.tile.column, spot.tile.row, spot.offset)
}

/// Ports of one kind, whose buffers are a table.
struct PortTable {
    /// The list of the kernel's ports.
    list: &'static str,
    /// True for the ports that carry run-time parameters.
    parameters: bool,
    /// Buffers of a port.
    copies: usize,
    name: &'static str,
    comment: &'static str,
}

/// One table each for windows and parameters of each list, with two buffers and with one, where any
/// exist.
fn buffer_tables(context: &Context<'_>, kernels: &[KernelId]) -> Vec<Table> {
    const fn kind(
        list: &'static str,
        parameters: bool,
        copies: usize,
        name: &'static str,
        comment: &'static str,
    ) -> PortTable {
        PortTable { list, parameters, copies, name, comment }
    }
    const KINDS: [PortTable; 8] = [
        kind("in", false, 2, "inputs", "Buffers of inputs: kernel and port, ping and pong."),
        kind("in", false, 1, "single_inputs", "Inputs with one buffer: kernel and port, buffer."),
        kind(
            "out",
            false,
            2,
            "outputs",
            "Buffers of outputs that DMA sends: kernel and port, ping and pong.",
        ),
        kind(
            "out",
            false,
            1,
            "single_outputs",
            "Outputs that DMA sends with one buffer: kernel and port, buffer.",
        ),
        kind("in", true, 2, "parameters", "Run-time parameters: kernel and port in `in`, both buffers."),
        kind(
            "in",
            true,
            1,
            "single_parameters",
            "Run-time parameters with one buffer: kernel and port in `in`.",
        ),
        kind(
            "inout",
            true,
            2,
            "given_back",
            "Parameters given back: kernel and port in `inout`, both buffers.",
        ),
        kind(
            "inout",
            true,
            1,
            "single_given_back",
            "Parameters given back with one buffer: kernel and port in `inout`.",
        ),
    ];
    let table = |kind: &PortTable| {
        let rows = kernels.iter().flat_map(|&kernel| buffer_rows(context, kernel, kind)).collect();
        let row_type = if kind.copies == 1 { "single_place" } else { "pingpong_place" };
        let function = match (kind.list, kind.parameters) {
            ("in", false) => "place_inputs",
            ("in", true) => "place_parameters",
            ("inout", _) => "place_given_back",
            _ => "place_outputs",
        };
        Table { comment: kind.comment, row_type, function, name: kind.name, rows }
    };
    KINDS.iter().map(table).filter(|table| !table.rows.is_empty()).collect()
}

fn buffer_rows(context: &Context<'_>, kernel: KernelId, kind: &PortTable) -> Vec<String> {
    let index = context.design.kernels[kernel].index;
    let row = |port: PortId| {
        let end = &context.design.ports[port];
        let is_it = end.list() == kind.list && context.is_parameter(port) == kind.parameters;
        let spots = own_buffers(context, port).filter(|spots| is_it && spots.len() == kind.copies)?;
        let places: Vec<String> = spots.iter().map(|&at| spot(at)).collect();
        let name = context.design.port_name(port);
        Some(format!("{{{index}, {}, {}}}, // {name}", end.slot, places.join(", ")))
    };
    context.design.ports_of(kernel).filter_map(row).collect()
}

/// The buffers that belong to a port itself, without a selector word: the vendor's `location` takes
/// no address for that (UG1079, "Mapping Constraints").
pub(crate) fn own_buffers<'a>(context: &'a Context<'_>, port: PortId) -> Option<&'a [Spot]> {
    context.own_blocks(port).map(|(buffers, _)| buffers)
}

/// The statements that place a kernel that is no array.
fn single_place(context: &Context<'_>, placed: &Placed, kernel: KernelId, naming: Naming<'_>) -> Vec<String> {
    let (name, tile) = (naming.reached(&naming.kernel(context, kernel)), placed.kernels[kernel]);
    let is_reached = naming.hidden(&context.design.kernels[kernel].name).is_none();
    let mut lines =
        vec![format!("adf::location<adf::kernel>({name}) = adf::tile({}, {});", tile.column, tile.row)];
    if context.locations != Locations::All {
        return lines;
    }
    lines.push(format!("adf::location<adf::stack>({name}) = {};", address(placed.stacks[kernel])));
    lines.extend(context.design.ports_of(kernel).filter_map(|port| {
        let places: Vec<String> = own_buffers(context, port)?.iter().map(|&spot| address(spot)).collect();
        let places = match places.as_slice() {
            [one] => one.clone(),
            several => format!("{{{}}}", several.join(", ")),
        };
        let what = context.block_class(port);
        let line = format!(
            "adf::location<adf::{what}>({}) = {places};",
            naming.reached(&naming.port(context, port))
        );
        match naming.table(context, port).and_then(|table| naming.hidden(table)) {
            Some(reason) if is_reached => {
                Some(format!("// {line} // out of reach of the class, since {reason}"))
            }
            _ => match naming.unnamed(&context.design.port_name(port)) {
                Some(reason) => Some(format!("// {line} // {reason}")),
                None => Some(line),
            },
        }
    }));
    lines.push(String::new());
    lines
}

/// The statements of the design about memory, in the vendor's words (UG1079, "Mapping Constraints",
/// "Buffer Allocation Control"). Banks that the design leaves open are those of the placement.
fn stated_blocks(context: &Context<'_>, placed: &Placed) -> Vec<String> {
    let blocks = &context.design.blocks;
    let what = |port: PortId| context.block_class(port);
    let mut lines: Vec<String> =
        blocks.places.iter().filter_map(|one| stated_place(context, placed, one)).collect();
    lines.extend(
        context
            .design
            .shims
            .iter()
            .map(|place| external_place(context, placed, place.external, Naming::Emitted)),
    );
    let location = |port: PortId| {
        let port = keeper(context, port);
        format!("adf::location<adf::{}>(graph.{})", what(port), context.port(port))
    };
    for (&a, &b) in blocks.apart.iter().flat_map(BuffersApart::pairs) {
        lines.push(format!("adf::not_equal({}, {});", location(a), location(b)));
    }
    lines
}

/// One statement of the design about memory. Without an offset it becomes a bank.
fn stated_place(
    context: &Context<'_>,
    placed: &Placed,
    place: &BlockPlace<KernelId, PortId>,
) -> Option<String> {
    let at = |(number, spot): (usize, &Spot)| match place.spot_of(number).within {
        Within::Offset(_) => address(*spot),
        Within::Bank(_) | Within::Module => {
            let bank = spot.offset / context.device.memory.bank_bytes().max(1);
            format!("adf::bank({}, {}, {bank})", spot.tile.column, spot.tile.row)
        }
    };
    let (what, name, spots) = match place.block {
        Block::Stack(kernel) => {
            ("stack", context.kernel(kernel), std::slice::from_ref(&placed.stacks[kernel]))
        }
        Block::Buffers(port) => {
            let port = keeper(context, port);
            let what = context.block_class(port);
            (what, context.port(port), own_buffers(context, port)?)
        }
    };
    let places: Vec<String> = spots.iter().enumerate().map(at).collect();
    let places = match places.as_slice() {
        [one] => one.clone(),
        several => format!("{{{}}}", several.join(", ")),
    };
    Some(format!("adf::location<adf::{what}>(graph.{name}) = {places};"))
}

/// The port that holds the buffers which `port` uses: itself, or the consumer that it shares with.
fn keeper(context: &Context<'_>, port: PortId) -> PortId {
    let shares = context.placed.is_some_and(|placed| placed.buffers[port] == PortBuffers::Shared);
    let wire = context.design.ports[port].connections.first().filter(|_| shares);
    wire.map_or(port, |&wire| context.design.connections[wire].to)
}

fn address(spot: Spot) -> String {
    format!("adf::address({}, {}, {:#06x})", spot.tile.column, spot.tile.row, spot.offset)
}

/// Columns and channels of an array of PLIO, or columns of an array of GMIO. Returns None when
/// nothing is connected to the array.
fn placed_externals(context: &Context<'_>, placed: &Placed, group: &ExternalGroup) -> Option<PlacedArray> {
    let first = &context.design.externals[*group.instances.first()?];
    let row = |&id: &ExternalId| {
        let (at, name) = (placed.shims[id], &context.design.externals[id].name);
        match first.endpoint {
            Endpoint::Plio { .. } => format!("{{{}, {}}}, // {name}", at.column, at.channel),
            Endpoint::Gmio { .. } => format!("{}, // {name}", at.column),
        }
    };
    let rows = group.instances.iter().map(row).collect();
    let table = match first.endpoint {
        Endpoint::Plio { .. } => Table {
            comment: "Columns and channels.",
            row_type: "plio_place",
            function: "place_plio",
            name: "channels",
            rows,
        },
        Endpoint::Gmio { .. } => Table {
            comment: "Columns.",
            row_type: "gmio_place",
            function: "place_gmio",
            name: "columns",
            rows,
        },
    };
    Some(PlacedArray { name: group.member.clone(), member: group.member.clone(), tables: vec![table] })
}

/// The column of a GMIO, or the column and channel of a PLIO. The compiler chooses GMIO channels
/// (UG1079, "Mapping Constraints").
fn external_place(context: &Context<'_>, placed: &Placed, id: ExternalId, naming: Naming<'_>) -> String {
    let (name, at) = (naming.reached(&naming.external(context, id)), placed.shims[id]);
    match context.design.externals[id].endpoint {
        Endpoint::Plio { .. } => {
            format!("adf::location<adf::PLIO>({name}) = adf::shim({}, {});", at.column, at.channel)
        }
        Endpoint::Gmio { .. } => {
            format!("adf::location<adf::GMIO>({name}) = adf::shim({});", at.column)
        }
    }
}
