//! Location constraints: where kernels, stacks, buffers, inputs and outputs lie.
//!
//! A connection through shared memory is constrained at the consumer's port only: its buffers are those the producer writes to.

use aiec_ir::design::Endpoint;
use aiec_ir::{Direction, FamilyId, KernelId, PortId};
use aiec_placer::{Placed, PortBuffers, Spot};

use super::Context;

/// The C++ type of a row with two buffers.
pub(crate) const PINGPONG_ROW: &str = "window_place";
/// The C++ type of a row with one buffer.
pub(crate) const SINGLE_ROW: &str = "single_place";

/// The places of a family of several kernels, as tables.
pub(crate) struct PlacedFamily<'a> {
    /// The function that holds the tables.
    pub function: &'a str,
    /// The array of kernels.
    pub member: &'a str,
    /// Its length.
    pub count: usize,
    /// One row per kernel: tile and stack.
    pub kernels: Vec<String>,
    /// Buffers.
    pub tables: Vec<Table>,
}

/// Places of buffers.
pub(crate) struct Table {
    /// What it holds.
    pub comment: String,
    /// The C++ type of a row.
    pub row_type: &'static str,
    /// The name of the table.
    pub name: &'static str,
    /// One row per port.
    pub rows: Vec<String>,
    /// What is done with each row.
    pub statement: String,
}

/// The families whose kernels are arrays.
pub(crate) fn placed_families<'a>(context: &'a Context<'a>) -> Vec<PlacedFamily<'a>> {
    let Some(placed) = context.placed else { return Vec::new() };
    let arrays = context.design.families.ids().filter(|&family| context.is_array(family));
    arrays.map(|family| placed_family(context, placed, family)).collect()
}

fn placed_family<'a>(context: &'a Context<'a>, placed: &Placed, family: FamilyId) -> PlacedFamily<'a> {
    let kernels: Vec<KernelId> = context.kernels_of(family).collect();
    PlacedFamily {
        function: &context.names.place_family[family],
        member: &context.names.families[family],
        count: kernels.len(),
        kernels: kernels.iter().map(|&kernel| kernel_row(context, placed, kernel)).collect(),
        tables: tables(context, family, &kernels),
    }
}

fn kernel_row(context: &Context<'_>, placed: &Placed, kernel: KernelId) -> String {
    let tile = placed.kernels[kernel];
    let name = &context.design.kernels[kernel].name;
    format!("{{{}, {}, {}}}, // {name}", tile.column, tile.row, spot(placed.stacks[kernel]))
}

fn spot(spot: Spot) -> String {
    format!("{{{}, {}, {:#06x}}}", spot.tile.column, spot.tile.row, spot.offset)
}

/// One table each for inputs and outputs with two buffers and with one, as far as there are any.
fn tables(context: &Context<'_>, family: FamilyId, kernels: &[KernelId]) -> Vec<Table> {
    let kinds = [
        (Direction::In, 2, "inputs", "Buffers of input windows: ping and pong."),
        (Direction::In, 1, "single_inputs", "Single buffers of input windows."),
        (Direction::Out, 2, "outputs", "Buffers of output windows that DMA sends: ping and pong."),
        (Direction::Out, 1, "single_outputs", "Single buffers of output windows that DMA sends."),
    ];
    let member = &context.names.families[family];
    let table = |(direction, copies, name, comment): (Direction, usize, &'static str, &str)| {
        let rows = kernels.iter().flat_map(|&kernel| rows(context, kernel, direction, copies)).collect();
        let (row_type, places) = match copies {
            1 => (SINGLE_ROW, "address_of(w.at)"),
            _ => (PINGPONG_ROW, "{address_of(w.ping), address_of(w.pong)}"),
        };
        let statement =
            format!("adf::location<adf::buffer>({member}[w.kernel].{direction}[w.port]) = {places};");
        Table { comment: comment.to_owned(), row_type, name, rows, statement }
    };
    kinds.into_iter().map(table).filter(|table| !table.rows.is_empty()).collect()
}

fn rows(context: &Context<'_>, kernel: KernelId, direction: Direction, copies: usize) -> Vec<String> {
    let instance = &context.design.kernels[kernel];
    let ports = if direction == Direction::In { &instance.inputs } else { &instance.outputs };
    let row = |&port: &PortId| {
        let spots = own_buffers(context, port).filter(|spots| spots.len() == copies)?;
        let places: Vec<String> = spots.iter().map(|&at| spot(at)).collect();
        let slot = context.design.ports[port].slot;
        Some(format!(
            "{{{}, {slot}, {}}}, // {}",
            instance.index,
            places.join(", "),
            context.design.port_name(port)
        ))
    };
    ports.iter().filter_map(row).collect()
}

/// The buffers that a port has of its own.
pub(crate) fn own_buffers<'a>(context: &Context<'a>, port: PortId) -> Option<&'a [Spot]> {
    match &context.placed?.buffers[port] {
        PortBuffers::Own(spots) => Some(spots),
        PortBuffers::None | PortBuffers::Shared => None,
    }
}

/// Places of kernels that are no array, one statement each.
pub(crate) fn single_places(context: &Context<'_>) -> Vec<String> {
    let Some(placed) = context.placed else { return Vec::new() };
    let single = context.design.families.ids().filter(|&family| !context.is_array(family));
    let kernels = single.flat_map(|family| context.kernels_of(family));
    let mut lines: Vec<String> = kernels.flat_map(|kernel| single_place(context, placed, kernel)).collect();
    lines.pop();
    lines
}

fn single_place(context: &Context<'_>, placed: &Placed, kernel: KernelId) -> Vec<String> {
    let (name, tile) = (context.kernel(kernel), placed.kernels[kernel]);
    let stack = address(placed.stacks[kernel]);
    let mut lines = vec![
        format!("adf::location<adf::kernel>({name}) = adf::tile({}, {});", tile.column, tile.row),
        format!("adf::location<adf::stack>({name}) = {stack};"),
    ];
    lines.extend(context.design.ports_of(kernel).filter_map(|port| {
        let places: Vec<String> = own_buffers(context, port)?.iter().map(|&spot| address(spot)).collect();
        let places = match places.as_slice() {
            [one] => one.clone(),
            several => format!("{{{}}}", several.join(", ")),
        };
        Some(format!("adf::location<adf::buffer>({}) = {places};", context.port(port)))
    }));
    lines.push(String::new());
    lines
}

fn address(spot: Spot) -> String {
    format!("adf::address({}, {}, {:#06x})", spot.tile.column, spot.tile.row, spot.offset)
}

/// Columns and channels of inputs and outputs.
pub(crate) fn external_places(context: &Context<'_>) -> Vec<String> {
    let Some(placed) = context.placed else { return Vec::new() };
    let place = |id| {
        let kind = match context.design.externals[id].endpoint {
            Endpoint::Plio { .. } => "PLIO",
            Endpoint::Gmio { .. } => "GMIO",
        };
        let spot = placed.shims[id];
        let name = context.names.external(id);
        format!("adf::location<adf::{kind}>({name}) = adf::shim({}, {});", spot.column, spot.channel)
    };
    context.used_externals().map(|(id, _)| place(id)).collect()
}
