//! Errors of packet streams.

use aiec_device::release::RELEASES;
use aiec_device::{Device, Release};
use aiec_diag::{Diagnostic, catalogue};

use super::{and_more, labelled};
use aiec_collectives::Direction;
use aiec_ir::expanded::{Collective, Expanded};
use aiec_ir::{KernelId, PortId};

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

/// A kernel has more streams of one direction than its core has ports: the first of these kernels of
/// one family, each with its streams.
pub(crate) fn core_streams(
    design: &Expanded,
    kernels: &[(KernelId, Vec<PortId>)],
    direction: Direction,
    supply: u32,
) -> Diagnostic {
    let (kernel, ports) = &kernels[0];
    let name = and_more(&design.kernels[*kernel].name, kernels.len());
    let way = if direction == Direction::In { "into" } else { "out of" };
    let verb = if kernels.len() == 1 { "needs" } else { "need" };
    let message = format!(
        "{name} {verb} {} ports for streams {way} the core, but a core has {supply} (AM009)",
        ports.len()
    );
    let merges = ports.iter().any(|&port| design.collective_of(port).is_some());
    let help = match merges {
        true => "give some of these collectives another `root`, or another `shape`",
        false => "make some of them windows, which the tile's DMA moves, or send packets over one stream",
    };
    let labels = ports.iter().map(|&port| match design.collective_of(port) {
        Some(id) => {
            let merge = &design.collectives[id];
            (merge.shape_span, format!("`{}` ends in one of them", merge.name))
        }
        None => (design.ports[port].span, format!("`{}` takes one", design.ports[port].name)),
    });
    labelled(Diagnostic::new(&catalogue::CORE_STREAMS, message, help), labels)
}
