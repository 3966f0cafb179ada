//! Errors of packet streams.

use aiec_device::release::RELEASES;
use aiec_device::{Device, Release};
use aiec_diag::{Diagnostic, catalogue};

use super::labelled;
use aiec_ir::KernelId;
use aiec_ir::expanded::{Collective, Expanded};

/// A merge has more streams than may share a port.
pub(crate) fn merged_streams(
    collective: &Collective,
    streams: u32,
    most: u32,
    device: &Device,
) -> Diagnostic {
    let (name, numbers) = (&collective.name, device.switch.packet.ids);
    let source = if most == numbers {
        format!("their headers tell {numbers} senders apart (5 bits, AM009)")
    } else {
        format!("`slave_nets` of the device file says {most}")
    };
    let message = format!(
        "`{name}` merges the packets of {streams} ranks at its root, but at most {most} streams can share a port of a switch: {source}"
    );
    let help = format!("write `shape {}`, or use fewer ranks", instead(collective));
    Diagnostic::new(&catalogue::MERGED_STREAMS, message, help)
        .label(collective.shape_span, format!("{streams} streams in one, {most} allowed"))
}

/// A shape that merges no packets.
fn instead(collective: &Collective) -> &'static str {
    let shapes = collective.plan.row().shapes();
    let wished = ["dissemination", "tree", "ring"].into_iter().find(|word| shapes.contains(word));
    wished.map_or("auto", |word| if word == "tree" { "tree arity 4" } else { word })
}

/// A merge has more streams than the release of Vitis takes.
pub(crate) fn merge_of_release(
    collective: &Collective,
    streams: u32,
    taken: u32,
    release: &Release,
) -> Diagnostic {
    let (name, source) = (&collective.name, release.merge_inputs.source);
    let message = format!(
        "`{name}` merges the packets of {streams} ranks at its root, but a `pktmerge` of Vitis {release} takes at most {taken} ({source})"
    );
    let newer =
        RELEASES.iter().find(|release| release.merge_inputs.value.is_some_and(|most| most >= streams));
    let newer = newer.map_or_else(String::new, |newer| format!("choose `vitis \"{newer}\"` or newer, or "));
    let help = format!("{newer}write `shape {}`", instead(collective));
    Diagnostic::new(&catalogue::MERGE_OF_RELEASE, message, help)
        .label(collective.shape_span, format!("{streams} streams in one, {taken} allowed"))
}

/// More packet streams end at a kernel than its core has ports for.
pub(crate) fn core_streams(
    design: &Expanded,
    kernel: KernelId,
    merges: &[&Collective],
    supply: u32,
) -> Diagnostic {
    let name = &design.kernels[kernel].name;
    let message = format!(
        "`{name}` needs {} ports for streams of packets, but a core has {supply} for streams into it (AM009)",
        merges.len()
    );
    let help = "give some of these collectives another `root`, or another `shape`";
    let labels =
        merges.iter().map(|merge| (merge.shape_span, format!("`{}` ends in one of them", merge.name)));
    labelled(Diagnostic::new(&catalogue::CORE_STREAMS, message, help), labels)
}
