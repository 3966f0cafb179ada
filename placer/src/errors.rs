//! Diagnostics of a placement that failed.

use aiec_check::Checked;
use aiec_device::{Device, Grid, TileId};
use aiec_diag::{Diagnostic, Span, catalogue, listed};
use aiec_ir::constraints::{Axis, Group};
use aiec_ir::design::Endpoint;
use aiec_ir::fifos::{MemoryFifo, in_memory};
use aiec_ir::{Carries, ConnectionId, Direction, ExternalId, KernelId, PortId};

use crate::banks::Bank;
use crate::demand;
use crate::naming::{MOST_NAMES, named};
use crate::search::{Obstacle, Overfull};
use crate::tiles::{Broken, Resource};

/// Two inputs of one kernel lie in one bank.
pub(crate) fn shared_bank(checked: &Checked, ports: [PortId; 2], (tile, number): Bank) -> Diagnostic {
    let [a, b] = ports.map(|port| checked.port_name(port));
    let mut diagnostic = Diagnostic::new(
        &catalogue::SHARED_BANK,
        format!(
            "`{a}` and `{b}` share bank {number} of tile ({}, {}): a kernel that loads from both in one cycle waits for \
             one of them",
            tile.column, tile.row
        ),
        "use smaller or single-buffered windows around this kernel, or state other banks with `place ... bank`",
    );
    for port in ports {
        let text = format!("`{}` lies in this bank", checked.port_name(port));
        if diagnostic.labels.iter().all(|label| label.span != checked.ports[port].span) {
            diagnostic = diagnostic.label(checked.ports[port].span, text);
        }
    }
    diagnostic
}

/// An input or output finds no free shim channel.
pub(crate) fn no_shim_channel(checked: &Checked, device: &Device, external: ExternalId) -> Diagnostic {
    let entry = &checked.externals[external];
    let same = |e: &&aiec_ir::expanded::External| e.direction == entry.direction;
    let demand = checked.externals.iter().filter(same).count();
    let (word, channels, gmio) = match entry.direction {
        Direction::Out => ("inputs", device.shim.plio_in_channels, &device.shim.gmio_in_ports),
        Direction::In => ("outputs", device.shim.plio_out_channels, &device.shim.gmio_out_ports),
    };
    let (kind, supply) = match &entry.endpoint {
        Endpoint::Plio { bits, .. } => {
            let columns = usize::from(device.shim.plio_column_count());
            (format!("PLIO of {} bits", bits.value), columns * channels as usize)
        }
        Endpoint::Gmio { .. } => ("GMIO".to_owned(), device.shim.noc_columns.len() * gmio.len()),
    };
    Diagnostic::new(
        &catalogue::GAVE_UP,
        format!(
            "no shim channel was found for `{}`, which proves nothing: the design has {demand} {word}, the device {supply} channels for {kind}, \
             of which every GMIO takes one and every PLIO of 128 bits two",
            entry.name
        ),
        format!("use fewer {word}, or PLIO of 64 bits instead of 128"),
    )
    .label(entry.span, "this one found no channel")
}

/// The search ended without a result. `obstacle` is what its best state lacks.
pub(crate) fn gave_up(
    checked: &Checked,
    device: &Device,
    grid: &Grid,
    obstacle: &Obstacle,
    stopped: bool,
) -> Diagnostic {
    let Lack { what, advice, span, label } = match obstacle {
        Obstacle::Memory(overfull) => no_memory(checked, device, grid, overfull),
        Obstacle::Core(tile, kernels) => no_core(checked, grid, *tile, kernels),
        Obstacle::Pair(a, b, rule) => pair_unkept(checked, *a, *b, *rule),
        Obstacle::Block(broken) => Lack {
            what: format!("; in its best attempt {}", broken.what),
            advice: "try a higher effort or another seed, fewer banks, or smaller or single-buffered windows",
            span: broken.span,
            label: "not kept".to_owned(),
        },
        Obstacle::Tiles => no_start(checked),
    };
    let (says, advice) = if stopped {
        let more = "give the search more time: a longer `--time-limit`, or none";
        ("the search was stopped before it found a placement, which proves nothing", more)
    } else {
        ("the search found no placement; that is no proof that there is none", advice)
    };
    Diagnostic::new(&catalogue::GAVE_UP, format!("{says}{what}"), advice).label(span, label)
}

/// What the best state of a search lacks.
struct Lack {
    /// The rest of the message, after what the search says.
    what: String,
    /// What to try.
    advice: &'static str,
    span: Span,
    label: String,
}

/// The span of the first of `kernels`.
fn span_of(checked: &Checked, kernels: &[KernelId]) -> Span {
    kernels.first().map_or(checked.device.span, |&kernel| checked.kernels[kernel].span)
}

/// The name of a connection.
fn wire(checked: &Checked, id: ConnectionId) -> String {
    let connection = &checked.connections[id];
    format!("`{} -> {}`", checked.port_name(connection.from), checked.port_name(connection.to))
}

/// A module is overfull.
fn no_memory(checked: &Checked, device: &Device, grid: &Grid, overfull: &Overfull) -> Lack {
    let Overfull { module, resource, demand, supply, kernels } = overfull;
    let module = grid.tile(*module);
    let fifos: Vec<MemoryFifo<'_>> = in_memory(checked)
        .into_iter()
        .filter(|fifo| (fifo.place.column, fifo.place.row) == (module.column.into(), Some(module.row.into())))
        .collect();
    let of_kernels = match kernels.as_slice() {
        [] => None,
        kernels => Some(format!("stacks and buffers of {}", named(checked, kernels))),
    };
    let of_fifos = fifos.iter().map(|fifo| format!("the FIFO of {}", wire(checked, fifo.connection)));
    let here = listed(of_kernels.into_iter().chain(of_fifos), MOST_NAMES);
    let what = format!(
        "; its best attempt needs {demand} {} of the module {module}, which has {supply} ({here} lie there)",
        resource.name()
    );
    if let Some(port) = large_parameter(checked, device, overfull) {
        let what =
            format!("{what}; the buffers of the parameter `{}` lie in one module", checked.port_name(port));
        let advice = "use a smaller array, several parameters, or a window";
        let label = "its buffers fit no module together".to_owned();
        return Lack { what, advice, span: checked.ports[port].span, label };
    }
    let advice = if checked.places.is_empty() {
        "try a higher effort or another seed, or smaller or single-buffered windows"
    } else {
        "try a higher effort or another seed, smaller or single-buffered windows, or fewer `place`"
    };
    let label = format!("its stack or buffers lie in the module {module}");
    match (kernels.as_slice(), fifos.first()) {
        ([], Some(fifo)) => {
            let label = format!("this FIFO lies in the module {module}");
            Lack { what, advice, span: fifo.place.span, label }
        }
        _ => Lack { what, advice, span: span_of(checked, kernels), label },
    }
}

/// The first parameter of `kernels` whose buffers and selector word have more bytes than a module.
/// The search keeps them in one module. No check does, since a placement file may divide them.
fn large_parameter(checked: &Checked, device: &Device, overfull: &Overfull) -> Option<PortId> {
    let mut ports = overfull.kernels.iter().flat_map(|&kernel| checked.ports_of(kernel));
    let is_large = |&port: &PortId| {
        matches!(checked.ports[port].carries, Some(Carries::Parameter(_)))
            && demand::port_bytes(checked, device, port) > overfull.supply
    };
    ports.find(is_large).filter(|_| overfull.resource == Resource::Bytes)
}

/// A core has too many kernels.
fn no_core(checked: &Checked, grid: &Grid, tile: TileId, kernels: &[KernelId]) -> Lack {
    Lack {
        what: format!(
            "; its best attempt has {} on the core {}, which cannot run them all",
            named(checked, kernels),
            grid.tile(tile)
        ),
        advice: "try a higher effort or another seed, or give kernels a smaller `runtime` or more tiles",
        span: span_of(checked, kernels),
        label: "found no core of its own".to_owned(),
    }
}

/// The search found no tiles for kernels in fixed relative positions together with all others.
fn no_start(checked: &Checked) -> Lack {
    let offsets = &checked.constraints.offsets;
    Lack {
        what: format!(
            ": no tiles were found for all {} kernels that keep the {} distances between them and their regions",
            checked.kernels.len(),
            offsets.len()
        ),
        advice: "use fewer offsets, or put one kernel of each group on a tile with `place`",
        span: offsets.first().map_or(checked.device.span, |offset| offset.span),
        label: "these kernels move as one".to_owned(),
    }
}

/// Two kernels are where a constraint on the pair forbids it.
fn pair_unkept(checked: &Checked, a: KernelId, b: KernelId, rule: Broken) -> Lack {
    let constraints = &checked.constraints;
    let both = |groups: &[Group<KernelId>]| {
        let group = groups.iter().find(|group| group.kernels.contains(&a) && group.kernels.contains(&b));
        group.map(|group| group.span)
    };
    let aligned = |axis: Axis| {
        let all = constraints.aligned.iter();
        let mut of_them = all.filter(|one| one.axis == axis && (one.from, one.kernel) == (a, b));
        of_them.next().map(|one| one.span)
    };
    let (word, span) = match rule {
        Broken::Together => ("`together`", both(&constraints.together)),
        Broken::Apart => ("`apart`", both(&constraints.apart)),
        Broken::Distinct => ("on two cores", both(&constraints.distinct)),
        Broken::Aligned(Axis::Column) => ("at their distance in columns", aligned(Axis::Column)),
        Broken::Aligned(Axis::Row) => ("at their distance in rows", aligned(Axis::Row)),
    };
    let [first, second] = [a, b].map(|kernel| &checked.kernels[kernel].name);
    Lack {
        what: format!("; its best attempt does not keep `{first}` and `{second}` {word}"),
        advice: "try a higher effort or another seed, or name fewer kernels",
        span: span.unwrap_or(checked.device.span),
        label: "a pair of this constraint is not kept".to_owned(),
    }
}
