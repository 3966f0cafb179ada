//! Errors of packet streams.

use aiec_device::release::RELEASES;
use aiec_device::{Device, Release};
use aiec_diag::{Diagnostic, catalogue};

use super::{and_more, fixes, labelled};
use aiec_collectives::Direction;
use aiec_ir::expanded::{Collective, Expanded, PacketSwitch, PortRole};
use aiec_ir::{KernelId, PortId};

/// A merge has more streams than may share a port.
pub(crate) fn merged_streams(
    collective: &Collective,
    streams: u32,
    most: u32,
    device: &Device,
) -> Diagnostic {
    let (name, source) = (&collective.name, shared_by(most, device));
    let message = format!(
        "`{name}` merges the packets of {streams} ranks at its root, but at most {most} streams can share a port of a switch: {source}"
    );
    let help = format!("write `shape {}`, or use fewer ranks", instead(collective));
    let diagnostic = Diagnostic::new(&catalogue::MERGED_STREAMS, message, help)
        .label(collective.shape_span, format!("{streams} streams in one, {most} allowed"));
    fixes::shape(diagnostic, collective, instead(collective))
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
    let help = format!("{}write `shape {}`", newer(streams), instead(collective));
    let diagnostic = Diagnostic::new(&catalogue::MERGE_OF_RELEASE, message, help)
        .label(collective.shape_span, format!("{streams} streams in one, {taken} allowed"));
    fixes::shape(diagnostic, collective, instead(collective))
}

/// A split or merge of the user has more branches than packets have ids.
pub(crate) fn ways(
    design: &Expanded,
    switch: &PacketSwitch,
    ways: u32,
    most: u32,
    device: &Device,
) -> Diagnostic {
    let (name, word) = (design.port_name(switch.trunk), switch.kind.word());
    let message = format!(
        "the {word} at `{name}` has {ways} branches, but at most {most} streams can share a port of a switch: {}",
        shared_by(most, device)
    );
    let help = match channel(design, switch) {
        Some(one) => format!(
            "let at most {most} kernels beside the root take part in `{}`, or make a second {} of it",
            one.name,
            one.operation().noun()
        ),
        None => format!("use several inputs or outputs, each with a {word} of at most {most}"),
    };
    Diagnostic::new(&catalogue::MERGED_STREAMS, message, help)
        .label(switch.span, format!("{ways} branches, {most} allowed"))
}

/// The channel or mailbox at whose root a split or merge is.
fn channel<'a>(design: &'a Expanded, switch: &PacketSwitch) -> Option<&'a Collective> {
    design.collective_of(switch.trunk).map(|id| &design.collectives[id])
}

/// The reason why at most `most` streams share a port.
fn shared_by(most: u32, device: &Device) -> String {
    match most == device.switch.packet.ids {
        true => format!("their headers tell {most} senders apart (5 bits, AM009)"),
        false => format!("`slave_nets` of the device file says {most}"),
    }
}

/// A split or merge of the user has more branches than the release of Vitis takes.
pub(crate) fn ways_of_release(design: &Expanded, switch: &PacketSwitch, ways: u32, taken: u32) -> Diagnostic {
    let (release, class, word) = (design.release, switch.kind.class(), switch.kind.word());
    let (name, source) = (design.port_name(switch.trunk), release.merge_inputs.source);
    let message = format!(
        "the {word} at `{name}` has {ways} branches, but a `{class}` of Vitis {release} has at most {taken} ({source})"
    );
    let less = match channel(design, switch) {
        Some(one) => format!("let at most {taken} kernels beside the root take part in `{}`", one.name),
        None => format!("use {word}s of at most {taken}"),
    };
    let help = format!("{}{less}", newer(ways));
    Diagnostic::new(&catalogue::MERGE_OF_RELEASE, message, help)
        .label(switch.span, format!("{ways} branches, {taken} allowed"))
}

/// The first words of the help, if a newer release takes as many streams.
fn newer(streams: u32) -> String {
    let newer =
        RELEASES.iter().find(|release| release.merge_inputs.value.is_some_and(|most| most >= streams));
    newer.map_or_else(String::new, |newer| format!("choose `vitis \"{newer}\"` or newer, or "))
}

/// A kernel has more streams of one direction than its core has ports: the first of these kernels
/// of one family, each with its streams.
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
    let is_channel = |port: PortId| matches!(design.ports[port].role, PortRole::Channel(_));
    let channels = ports.iter().any(|&port| is_channel(port));
    let merges = ports.iter().any(|&port| design.collective_of(port).is_some());
    let help = match merges {
        _ if channels => {
            "let fewer streams meet at one kernel, or move blocks in windows: with a `sendrecv`, or in a shape such as `chain`"
        }
        true => "give some of these collectives another `root`, or another `shape`",
        false => "make some of them windows, which the tile's DMA moves, or send packets over one stream",
    };
    let labels = ports.iter().map(|&port| match design.collective_of(port) {
        Some(id) if is_channel(port) => {
            (design.ports[port].span, format!("`{}` takes one", design.collectives[id].name))
        }
        Some(id) => {
            let merge = &design.collectives[id];
            (merge.shape_span, format!("`{}` ends in one of them", merge.name))
        }
        None => (design.ports[port].span, format!("`{}` takes one", design.ports[port].name)),
    });
    labelled(Diagnostic::new(&catalogue::CORE_STREAMS, message, help), labels)
}
