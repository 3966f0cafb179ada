//! Diagnostics of a placement that failed.

use aiec_check::Checked;
use aiec_device::{Device, Grid};
use aiec_diag::{Diagnostic, catalogue};
use aiec_ir::design::Endpoint;
use aiec_ir::{Direction, ExternalId, KernelId};

use crate::buffers::{Conflict, RESOURCES};
use crate::teams::Shortage;

/// Maximum number of kernels that a message names.
const MOST_NAMES: usize = 4;

/// How a search without a result ended.
pub(crate) struct Ended {
    /// Number of attempts made.
    pub(crate) attempts: u32,
    /// True if the user or a time limit stopped the search.
    pub(crate) stopped: bool,
}

impl Ended {
    /// The beginning of the message.
    fn says(&self) -> String {
        match (self.stopped, self.attempts) {
            (true, _) => "the search was stopped before it found a placement".to_owned(),
            (false, 1) => "no placement was found in 1 attempt".to_owned(),
            (false, attempts) => format!("no placement was found in {attempts} attempts"),
        }
    }

    /// The help text. Returns `otherwise` if the search was not stopped.
    fn help(&self, otherwise: &str) -> String {
        let more = "give the search more time: a longer `--time-limit`, or none";
        if self.stopped { more.to_owned() } else { otherwise.to_owned() }
    }
}

/// Kernels need more cores than they have tiles. The checks before placement normally report this
/// first.
pub(crate) fn too_few_cores(checked: &Checked, shortage: &Shortage) -> Diagnostic {
    let Shortage { kernels, demand, supply } = shortage;
    let names: Vec<String> = kernels
        .iter()
        .take(MOST_NAMES)
        .map(|&kernel| format!("`{}`", checked.kernels[kernel].name))
        .collect();
    let more = match kernels.len().saturating_sub(names.len()) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let message = format!(
        "{}{more} need {demand} cores after sharing as many as possible, but may use only {supply} tiles of `{}`",
        names.join(", "),
        checked.device.value
    );
    let help = "make their regions larger, give kernels a smaller `runtime`, or use fewer kernels or a larger device";
    let diagnostic = Diagnostic::new(&catalogue::GAVE_UP, message, help);
    let span = kernels.first().map_or(checked.device.span, |&kernel| checked.kernels[kernel].span);
    diagnostic.label(span, format!("{} kernels share {supply} tiles", kernels.len()))
}

/// The search found no tiles for kernels in fixed relative positions together with all others.
pub(crate) fn no_start(checked: &Checked, ended: &Ended) -> Diagnostic {
    let offsets = &checked.constraints.offsets;
    let diagnostic = Diagnostic::new(
        &catalogue::GAVE_UP,
        format!(
            "{}: no tiles were found for all {} kernels that keep the {} distances between them and their regions",
            ended.says(),
            checked.kernels.len(),
            offsets.len()
        ),
        ended.help("use fewer offsets, or put one kernel of each group on a tile with `place`"),
    );
    let first = offsets.first().map_or(checked.device.span, |offset| offset.span);
    diagnostic.label(first, "these kernels move as one")
}

/// Two cores share memory and must not, or do not share memory and must.
pub(crate) fn pair_unkept(
    checked: &Checked,
    a: &[KernelId],
    b: &[KernelId],
    together: bool,
    ended: &Ended,
) -> Diagnostic {
    let constraints = &checked.constraints;
    let groups = if together { &constraints.together } else { &constraints.apart };
    let both = groups.iter().find_map(|group| {
        let first = group.kernels.iter().find(|kernel| a.contains(kernel))?;
        let second = group.kernels.iter().find(|kernel| b.contains(kernel))?;
        Some((group.span, &checked.kernels[*first].name, &checked.kernels[*second].name))
    });
    let word = if together { "together" } else { "apart" };
    let (span, pair) = both.map_or((checked.device.span, String::new()), |(span, first, second)| {
        (span, format!(": `{first}` and `{second}` could not be kept {word}"))
    });
    Diagnostic::new(
        &catalogue::GAVE_UP,
        format!("{} that keeps every `{word}`{pair}", ended.says()),
        ended.help("try a higher effort or another seed, or name fewer kernels"),
    )
    .label(span, format!("a pair of this `{word}` is the last that was not kept"))
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

/// The search ended without a result. `conflict` is the last obstacle.
pub(crate) fn gave_up(checked: &Checked, grid: &Grid, conflict: &Conflict, ended: &Ended) -> Diagnostic {
    let kernel = &checked.kernels[conflict.kernel];
    let what = conflict.port.map_or_else(
        || format!("the stack of `{}`", kernel.name),
        |port| format!("the buffers of `{}`", checked.port_name(port)),
    );
    let modules: Vec<String> = conflict.modules.iter().map(|&id| grid.tile(id).to_string()).collect();
    let resource = RESOURCES[conflict.resource];
    let span = conflict.port.map_or(kernel.span, |port| checked.ports[port].span);
    let others: Vec<&str> =
        conflict.kernels.iter().map(|&k| checked.kernels[k].name.as_str()).take(8).collect();
    let pieces =
        if conflict.demand <= conflict.supply { ", enough in sum but not for each in one piece" } else { "" };
    let last = if ended.stopped { "in what it tried last" } else { "in the last one" };
    let many = if modules.len() == 1 { "module" } else { "modules" };
    let use_them = if others.len() == 1 { "kernel" } else { "kernels" };
    let uses = if others.len() == 1 { "uses" } else { "use" };
    Diagnostic::new(
        &catalogue::GAVE_UP,
        format!(
            "{}; {last} {what} found no room in the {many} {}: {} {resource} asked for, {} there{pieces} (the {use_them} {} {uses} {})",
            ended.says(),
            modules.join(", "),
            conflict.demand,
            conflict.supply,
            others.join(", "),
            if modules.len() == 1 { "it" } else { "them" }
        ),
        ended.help(if checked.places.is_empty() {
            "try a higher effort or another seed, or smaller or single-buffered windows"
        } else {
            "try a higher effort or another seed, smaller or single-buffered windows, or fewer `place`"
        }),
    )
    .label(span, format!("{what} found no room"))
}
