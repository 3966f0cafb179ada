//! Diagnostics of a placement that failed.

use aiec_check::Checked;
use aiec_device::{Device, Grid, TileId};
use aiec_diag::{Diagnostic, catalogue};
use aiec_ir::design::Endpoint;
use aiec_ir::{Direction, ExternalId, KernelId};

use crate::search::{Conflict, Obstacle};
use crate::tiles::RESOURCES;

/// Maximum number of kernels that a message names.
const MOST_NAMES: usize = 4;

/// The beginning of the message of a search without a result.
const fn says(stopped: bool) -> &'static str {
    if stopped {
        "the search was stopped before it found a placement"
    } else {
        "the search found no placement; that is no proof that there is none"
    }
}

/// The help text. Returns `otherwise` if the search was not stopped.
fn help(stopped: bool, otherwise: &str) -> String {
    let more = "give the search more time: a longer `--time-limit`, or none";
    if stopped { more.to_owned() } else { otherwise.to_owned() }
}

/// An input or output finds no free shim channel.
pub(crate) fn no_shim_channel(checked: &Checked, device: &Device, external: ExternalId) -> Diagnostic {
    let entry = &checked.externals[external];
    let same = |e: &&aiec_ir::expanded::External| e.direction == entry.direction;
    let demand = checked.externals.iter().filter(same).count();
    let (word, channels) = match entry.direction {
        Direction::Out => ("inputs", device.shim.plio_in_channels),
        Direction::In => ("outputs", device.shim.plio_out_channels),
    };
    let (kind, supply) = match &entry.endpoint {
        Endpoint::Plio { bits, .. } => {
            let columns = usize::from(device.shim.plio_column_count());
            (format!("PLIO of {} bits", bits.value), columns * channels as usize)
        }
        Endpoint::Gmio { .. } => {
            let ports = if entry.direction == Direction::Out {
                &device.shim.gmio_in_ports
            } else {
                &device.shim.gmio_out_ports
            };
            ("GMIO".to_owned(), device.shim.noc_columns.len() * ports.len())
        }
    };
    Diagnostic::new(
        &catalogue::GAVE_UP,
        format!(
            "no shim channel was found for `{}`: the design has {demand} {word}, the device {supply} channels for {kind}, \
             of which every GMIO takes one and every PLIO of 128 bits two",
            entry.name
        ),
        format!("use fewer {word}, or PLIO of 64 bits instead of 128"),
    )
    .label(entry.span, "this one found no channel")
}

/// The search ended without a result. `obstacle` is what its best state lacks.
pub(crate) fn gave_up(checked: &Checked, grid: &Grid, obstacle: &Obstacle, stopped: bool) -> Diagnostic {
    match obstacle {
        Obstacle::Memory(conflict) => no_memory(checked, grid, conflict, stopped),
        Obstacle::Core(tile, kernels) => no_core(checked, grid, *tile, kernels, stopped),
        Obstacle::Pair(a, b, together) => pair_unkept(checked, *a, *b, *together, stopped),
        Obstacle::Tiles => no_start(checked, stopped),
    }
}

/// The first names of `kernels` in backquotes, and the number of the others.
fn named(checked: &Checked, kernels: &[KernelId]) -> String {
    let names = kernels.iter().take(MOST_NAMES).map(|&kernel| format!("`{}`", checked.kernels[kernel].name));
    let names: Vec<String> = names.collect();
    let more = match kernels.len() - names.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    names.join(", ") + &more
}

/// A module is overfull.
fn no_memory(checked: &Checked, grid: &Grid, conflict: &Conflict, stopped: bool) -> Diagnostic {
    let Conflict { module, resource, demand, supply, kernels } = conflict;
    let message = format!(
        "{}; its best attempt needs {demand} {} of the module {}, which has {supply} (stacks and buffers of {} lie there)",
        says(stopped),
        RESOURCES[*resource],
        grid.tile(*module),
        named(checked, kernels)
    );
    let advice = if checked.places.is_empty() {
        "try a higher effort or another seed, or smaller or single-buffered windows"
    } else {
        "try a higher effort or another seed, smaller or single-buffered windows, or fewer `place`"
    };
    let span = kernels.first().map_or(checked.device.span, |&kernel| checked.kernels[kernel].span);
    Diagnostic::new(&catalogue::GAVE_UP, message, help(stopped, advice))
        .label(span, format!("its stack or buffers lie in the module {}", grid.tile(*module)))
}

/// A core has too many kernels.
fn no_core(checked: &Checked, grid: &Grid, tile: TileId, kernels: &[KernelId], stopped: bool) -> Diagnostic {
    let message = format!(
        "{}; its best attempt has {} on the core {}, which cannot run them all",
        says(stopped),
        named(checked, kernels),
        grid.tile(tile)
    );
    let advice = "try a higher effort or another seed, or give kernels a smaller `runtime` or more tiles";
    let span = kernels.first().map_or(checked.device.span, |&kernel| checked.kernels[kernel].span);
    Diagnostic::new(&catalogue::GAVE_UP, message, help(stopped, advice))
        .label(span, "found no core of its own")
}

/// The search found no tiles for kernels in fixed relative positions together with all others.
fn no_start(checked: &Checked, stopped: bool) -> Diagnostic {
    let offsets = &checked.constraints.offsets;
    let diagnostic = Diagnostic::new(
        &catalogue::GAVE_UP,
        format!(
            "{}: no tiles were found for all {} kernels that keep the {} distances between them and their regions",
            says(stopped),
            checked.kernels.len(),
            offsets.len()
        ),
        help(stopped, "use fewer offsets, or put one kernel of each group on a tile with `place`"),
    );
    let first = offsets.first().map_or(checked.device.span, |offset| offset.span);
    diagnostic.label(first, "these kernels move as one")
}

/// Two cores share memory and must not, or do not share memory and must.
fn pair_unkept(checked: &Checked, a: KernelId, b: KernelId, together: bool, stopped: bool) -> Diagnostic {
    let constraints = &checked.constraints;
    let groups = if together { &constraints.together } else { &constraints.apart };
    let group = groups.iter().find(|group| group.kernels.contains(&a) && group.kernels.contains(&b));
    let word = if together { "together" } else { "apart" };
    let [first, second] = [a, b].map(|kernel| &checked.kernels[kernel].name);
    Diagnostic::new(
        &catalogue::GAVE_UP,
        format!("{}; its best attempt does not keep `{first}` and `{second}` {word}", says(stopped)),
        help(stopped, "try a higher effort or another seed, or name fewer kernels"),
    )
    .label(
        group.map_or(checked.device.span, |group| group.span),
        format!("a pair of this `{word}` is not kept"),
    )
}
