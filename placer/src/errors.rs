//! Diagnostics of a placement that failed.

use aiec_check::{Checked, labelled, list};
use aiec_device::{Device, Tile, TileId};
use aiec_diag::{Diagnostic, LISTED, Span, catalogue, listed};
use aiec_ir::constraints::{Aligned, Group};
use aiec_ir::design::Endpoint;
use aiec_ir::expanded::Connection;
use aiec_ir::fifos::in_memory;
use aiec_ir::{Direction, ExternalId, KernelId, PortId};

use crate::placement::Bank;
use crate::tiles::{Broken, RESOURCES, State};
use crate::verify;

/// Two inputs of one kernel lie in one bank.
pub(crate) fn shared_bank(checked: &Checked, ports: [PortId; 2], (tile, number): Bank) -> Diagnostic {
    let [a, b] = ports.map(|port| checked.port_name(port));
    let message = format!(
        "`{a}` and `{b}` share bank {number} of tile {tile}: a kernel that loads from both in one cycle waits for one of them"
    );
    let help = "use smaller or single-buffered windows around this kernel, or state other banks with `place ... bank`";
    let label = |port| format!("`{}` lies in this bank", checked.port_name(port));
    let labels = ports.map(|port| (checked.ports[port].span, label(port)));
    labelled(Diagnostic::new(&catalogue::SHARED_BANK, message, help), labels)
}

/// An input or output finds no free shim channel.
pub(crate) fn no_shim_channel(checked: &Checked, device: &Device, external: ExternalId) -> Diagnostic {
    let (entry, shim) = (&checked.externals[external], &device.shim);
    let demand = checked.externals.iter().filter(|other| other.direction == entry.direction).count();
    let (word, channels, gmio) = match entry.direction {
        Direction::Out => ("inputs", shim.plio_in_channels, &shim.gmio_in_ports),
        Direction::In => ("outputs", shim.plio_out_channels, &shim.gmio_out_ports),
    };
    let (kind, supply) = match &entry.endpoint {
        Endpoint::Plio { bits, .. } => {
            let columns = usize::from(shim.plio_column_count());
            (format!("PLIO of {} bits", bits.value), columns * channels as usize)
        }
        Endpoint::Gmio { .. } => ("GMIO".to_owned(), shim.noc_columns.len() * gmio.len()),
    };
    let message = format!(
        "no shim channel was found for `{}`, which proves nothing: the design has {demand} {word}, the device {supply} channels for {kind}, \
         of which every GMIO takes one and every PLIO of 128 bits two",
        entry.name
    );
    let help = format!("use fewer {word}, or PLIO of 64 bits instead of 128");
    Diagnostic::new(&catalogue::GAVE_UP, message, help).label(entry.span, "this one found no channel")
}

/// What the best state of a search lacks.
pub(crate) struct Lack {
    /// The rest of the message, after what the search says.
    what: String,
    /// What to try.
    advice: &'static str,
    span: Span,
    label: String,
}

/// The search ended without a result.
pub(crate) fn gave_up(Lack { what, advice, span, label }: Lack, stopped: bool) -> Diagnostic {
    let (says, advice) = if stopped {
        let more = "give the search more time: a longer `--time-limit`, or none";
        ("the search was stopped before it found a placement, which proves nothing", more)
    } else {
        ("the search found no placement; that is no proof that there is none", advice)
    };
    Diagnostic::new(&catalogue::GAVE_UP, format!("{says}{what}"), advice).label(span, label)
}

/// The span of the first of `kernels`.
fn span_of(checked: &Checked, kernels: &[KernelId]) -> Span {
    kernels.first().map_or(checked.device.span, |&kernel| checked.kernels[kernel].span)
}

/// A module lacks a resource, by its number in [`RESOURCES`].
pub(crate) fn no_memory(checked: &Checked, state: &State<'_>, module: TileId, resource: usize) -> Lack {
    let (supply, kernels) = (state.problem.needs.capacity[resource], &state.kernels_in(module));
    let demand = i64::from(supply) - i64::from(state.memory.room(module)[resource]);
    let module = state.problem.grid.tile(module);
    let (column, row) = module.position();
    let mut fifos = in_memory(checked);
    fifos.retain(|fifo| (fifo.place.column, fifo.place.row) == (column, Some(row)));
    let of_kernels =
        (!kernels.is_empty()).then(|| format!("stacks and buffers of {}", list(checked, kernels)));
    let of_fifos = fifos.iter().map(|fifo| {
        let Connection { from, to, .. } = checked.connections[fifo.connection];
        format!("the FIFO of `{} -> {}`", checked.port_name(from), checked.port_name(to))
    });
    let here = listed(of_kernels.into_iter().chain(of_fifos), LISTED);
    let what = format!(
        "; its best attempt needs {demand} {} of the module {module}, which has {supply} ({here} lie there)",
        RESOURCES[resource]
    );
    let advice = if checked.places.is_empty() {
        "try a higher effort or another seed, or smaller or single-buffered windows"
    } else {
        "try a higher effort or another seed, smaller or single-buffered windows, or fewer `place`"
    };
    let (span, label) = match (kernels.as_slice(), fifos.first()) {
        ([], Some(fifo)) => (fifo.place.span, format!("this FIFO lies in the module {module}")),
        _ => (span_of(checked, kernels), format!("its stack or buffers lie in the module {module}")),
    };
    Lack { what, advice, span, label }
}

/// A constraint on memory is not kept.
pub(crate) fn block_unkept(broken: verify::Broken) -> Lack {
    Lack {
        what: format!("; in its best attempt {}", broken.what),
        advice: "try a higher effort or another seed, fewer banks, or smaller or single-buffered windows",
        span: broken.span,
        label: "not kept".to_owned(),
    }
}

/// A core has too many kernels.
pub(crate) fn no_core(checked: &Checked, tile: Tile, kernels: &[KernelId]) -> Lack {
    let all = list(checked, kernels);
    Lack {
        what: format!("; its best attempt has {all} on the core {tile}, which cannot run them all"),
        advice: "try a higher effort or another seed, or give kernels a smaller `runtime` or more tiles",
        span: span_of(checked, kernels),
        label: "found no core of its own".to_owned(),
    }
}

/// The search found no tiles for kernels in fixed relative positions together with all others.
pub(crate) fn no_start(checked: &Checked) -> Lack {
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
pub(crate) fn pair_unkept(checked: &Checked, a: KernelId, b: KernelId, rule: Broken) -> Lack {
    let constraints = &checked.constraints;
    let both = |groups: &[Group<KernelId>]| {
        let names_both = |group: &&Group<_>| [a, b].iter().all(|kernel| group.kernels.contains(kernel));
        groups.iter().find(names_both).map(|group| group.span)
    };
    let (word, span) = match rule {
        Broken::Together => ("`together`".to_owned(), both(&constraints.together)),
        Broken::Apart => ("`apart`".to_owned(), both(&constraints.apart)),
        Broken::Distinct => ("on two cores".to_owned(), both(&constraints.distinct)),
        Broken::Aligned(axis) => {
            let is_it = |one: &&Aligned<_>| (one.axis, one.from, one.kernel) == (axis, a, b);
            let found = constraints.aligned.iter().find(is_it);
            (format!("at their distance in {}", axis.word()), found.map(|one| one.span))
        }
    };
    let [first, second] = [a, b].map(|kernel| &checked.kernels[kernel].name);
    Lack {
        what: format!("; its best attempt does not keep `{first}` and `{second}` {word}"),
        advice: "try a higher effort or another seed, or name fewer kernels",
        span: span.unwrap_or(checked.device.span),
        label: "a pair of this constraint is not kept".to_owned(),
    }
}
