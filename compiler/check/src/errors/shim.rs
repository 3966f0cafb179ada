//! Errors of the interface row.

use aiec_device::Device;
use aiec_diag::{Diagnostic, Span, Spanned, catalogue, choice};

use super::{and_more, count, fixes, labelled};
use aiec_collectives::{Direction, ElementType, WindowType};
use aiec_ir::design::Endpoint;
use aiec_ir::expanded::Expanded;
use aiec_ir::{Carries, ExternalId};

/// Bits of a PLIO port that carries, at half the array's clock, as much as a stream takes.
const ENOUGH_BITS: u32 = 64;

/// The demand of a design in one direction of the interface row. Unconnected ports need nothing.
pub(crate) struct Demand {
    /// `Out` for the inputs of the array, `In` for its outputs.
    pub direction: Direction,
    /// GMIO ports, which need DMA channels.
    pub gmio: Vec<ExternalId>,
    /// PLIO ports of every width.
    pub plio: Vec<ExternalId>,
    /// The number of these PLIO ports that take a pair of channels.
    pub pairs: usize,
}

impl Demand {
    /// PLIO channels: one per port, two per wide port.
    pub(crate) fn channels(&self) -> usize {
        self.plio.len() + self.pairs
    }
}

/// The supply of a device in one direction of the interface row.
pub(crate) struct Supply {
    /// GMIO ports: DMA channels of the NoC columns.
    pub gmio: usize,
    /// GMIO ports in columns without PLIO, which take no PLIO channel.
    pub gmio_apart: usize,
    /// PLIO channels of all columns.
    pub channels: usize,
    /// Pairs of PLIO channels, over all columns, that one wide port can take.
    pub pairs: usize,
}

/// A cut: nets that must cross a line around the interface row, or around its columns with PLIO.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Crossing {
    /// Nets that cross, of PLIO and GMIO ports.
    pub demand: u64,
    /// Crossing nets that have GMIO ports only.
    pub gmio: u64,
    /// Wires, each for one net.
    pub supply: u64,
    /// Wires that lead sideways.
    pub sideways: u64,
    /// Columns in which the other wires lead up or down.
    pub columns: u64,
}

/// A PLIO port has a width that the device does not offer.
pub(crate) fn plio_width(
    design: &Expanded,
    port: ExternalId,
    bits: &Spanned<u32>,
    legal: &[u32],
) -> Diagnostic {
    let name = &design.externals[port].name;
    let widths = choice(legal.iter().map(u32::to_string));
    let nearest = nearest(legal, bits.value);
    Diagnostic::new(
        &catalogue::PLIO_WIDTH,
        format!("`{name}` is {} bits wide; a PLIO has {widths} bits", bits.value),
        format!("write `plio({}, ...)`", nearest),
    )
    .label(bits.span, format!("declared with {} bits", bits.value))
    .replacing(bits.span, nearest.to_string())
}

/// The least legal number that is not below `wanted`, or the greatest of all.
fn nearest(legal: &[u32], wanted: u32) -> u32 {
    legal.iter().copied().find(|&one| one >= wanted).or(legal.last().copied()).unwrap_or(wanted)
}

/// A PLIO port has a clock above `most` kHz, the highest of programmable logic.
pub(crate) fn plio_frequency(
    design: &Expanded,
    port: ExternalId,
    clock: &Spanned<u32>,
    most: u32,
    device: &Device,
) -> Diagnostic {
    let mhz = |khz: u32| f64::from(khz) / 1000.0;
    let (name, divisor) = (&design.externals[port].name, device.clock.pl_min_divisor);
    Diagnostic::new(
        &catalogue::PLIO_FREQUENCY,
        format!(
            "the clock of `{name}` is {} MHz, but programmable logic beside the array of {} runs at {} MHz at most",
            mhz(clock.value),
            device.name,
            mhz(most)
        ),
        "use a wider PLIO at a lower clock: 64 bits at half the array's clock carry what a stream takes",
    )
    .label(clock.span, format!("at most 1/{divisor} of the array's clock at the fastest speed grade (UG1079)"))
}

/// A GMIO port has a burst that the device does not offer.
pub(crate) fn gmio_burst(
    design: &Expanded,
    port: ExternalId,
    burst: &Spanned<u32>,
    legal: &[u32],
) -> Diagnostic {
    let name = &design.externals[port].name;
    Diagnostic::new(
        &catalogue::GMIO_BURST,
        format!(
            "`{name}` has bursts of {} bytes; a GMIO has {} bytes",
            burst.value,
            choice(legal.iter().map(u32::to_string))
        ),
        format!("write `burst {}`", nearest(legal, burst.value)),
    )
    .label(burst.span, format!("declared with {} bytes", burst.value))
    .replacing(burst.span, nearest(legal, burst.value).to_string())
}

/// The windows that go through a PLIO port in all runs.
#[derive(Clone, Copy)]
pub(crate) struct Stream {
    /// Number of windows in all runs.
    pub windows: u64,
    /// Type of each window.
    pub window: WindowType,
    /// Width of the port in bits.
    pub bits: u32,
}

/// The elements are wider than these PLIO ports of one declaration, of `bits` bits.
pub(crate) fn plio_element(
    design: &Expanded,
    ports: &[ExternalId],
    bits: u32,
    element: ElementType,
    legal: &[u32],
) -> Diagnostic {
    let needs = element.bytes() * 8;
    let (have, verb) = if ports.len() == 1 { ("has", "is") } else { ("have", "are") };
    let message = format!(
        "an element of {element} has {needs} bits, but {} {have} {bits}: a word of a PLIO holds whole elements",
        named(design, ports)
    );
    let wider = legal.iter().copied().find(|&width| width >= needs);
    let help = match wider {
        Some(width) => format!("write `plio({width}, ...)`"),
        None => "make it GMIO, or send smaller elements".to_owned(),
    };
    let name = &design.externals[ports[0]].name;
    let diagnostic = Diagnostic::new(&catalogue::PLIO_ELEMENT, message, help)
        .label(width_span(design, ports[0]), format!("{} {verb} {bits} bits wide", named(design, ports)));
    let carried = format!("`{name}` carries {element} because of this");
    let diagnostic = labelled(diagnostic, through(design, ports[0]).map(|span| (span, carried)));
    wider
        .into_iter()
        .fold(diagnostic, |diagnostic, bits| fixes::width(diagnostic, design, ports.iter().copied(), bits))
}

/// The data of each of these PLIO ports of one declaration end within a word.
pub(crate) fn plio_words(
    design: &Expanded,
    ports: &[ExternalId],
    stream: Stream,
    legal: &[u32],
) -> Diagnostic {
    let Stream { windows, window, bits } = stream;
    let carries = design.ports[design.externals[ports[0]].port].carries;
    let is_stream = matches!(carries, Some(Carries::Stream(_) | Carries::Packets(_)));
    let what = match (is_stream, windows) {
        (false, _) => format!("{} of {window}", count(windows, "window")),
        (true, 1) => format!("a stream of {window}"),
        (true, _) => format!("streams of {window} in {windows} runs"),
    };
    let word = u64::from(bits / 8);
    let bytes = u128::from(windows) * u128::from(window.bytes());
    let message = format!(
        "{what} through {} {} {bytes} bytes, which is not a whole number of words of {word} bytes ({bits} bits)",
        named(design, ports),
        if windows == 1 { "is" } else { "are" },
    );
    let elements = window.bytes().next_multiple_of(word) / u64::from(window.element.bytes());
    let narrower = legal.iter().copied().filter(|&width| {
        width < bits && width >= window.element.bytes() * 8 && bytes % u128::from((width / 8).max(1)) == 0
    });
    let narrower = narrower.max();
    let padded = if is_stream { "stream" } else { "window" };
    let help = match narrower {
        Some(width) => {
            format!("write `plio({width}, ...)`, or pad the {padded} to {}[{elements}]", window.element)
        }
        None => format!("pad the {padded} to {}[{elements}]", window.element),
    };
    let name = &design.externals[ports[0]].name;
    let diagnostic = Diagnostic::new(&catalogue::PLIO_WORDS, message, help)
        .label(width_span(design, ports[0]), format!("words of {word} bytes"));
    let carried = format!("`{name}` carries {window} because of this");
    let diagnostic = labelled(diagnostic, through(design, ports[0]).map(|span| (span, carried)));
    narrower
        .into_iter()
        .fold(diagnostic, |diagnostic, bits| fixes::width(diagnostic, design, ports.iter().copied(), bits))
}

fn named(design: &Expanded, ports: &[ExternalId]) -> String {
    and_more(&design.externals[ports[0]].name, ports.len())
}

/// Source location of the width of a PLIO port.
fn width_span(design: &Expanded, port: ExternalId) -> Span {
    match &design.externals[port].endpoint {
        Endpoint::Plio { bits, .. } => bits.span,
        Endpoint::Gmio { .. } => design.externals[port].span,
    }
}

/// Source location of the first connection of an input or output, which determines its window.
fn through(design: &Expanded, port: ExternalId) -> Option<Span> {
    let connections = &design.ports[design.externals[port].port].connections;
    connections.first().map(|&connection| design.connections[connection].span)
}

/// There are more GMIO ports in one direction than DMA channels in the interface row.
pub(crate) fn gmio_capacity(design: &Expanded, demand: &Demand, supply: &Supply) -> Diagnostic {
    let what = way(demand.direction);
    let message = format!(
        "the design has {}, but {} has {}: one for each DMA channel of its NoC columns",
        count(demand.gmio.len() as u64, &format!("GMIO {what}")),
        design.device.value,
        supply.gmio
    );
    let help = format!("make some of the {what}s PLIO, or {}", fewer(demand.direction));
    asking(design, Diagnostic::new(&catalogue::GMIO_CAPACITY, message, help), &demand.gmio)
}

/// There are more PLIO ports in one direction than channels or pairs of channels. GMIO ports take
/// `taken` channels.
pub(crate) fn plio_capacity(design: &Expanded, demand: &Demand, supply: &Supply, taken: usize) -> Diagnostic {
    let what = way(demand.direction);
    let wide = match demand.pairs {
        0 => String::new(),
        n => format!(", {n} of them 128 bits wide with two channels each"),
    };
    let gone = match taken {
        0 => String::new(),
        n => format!(", {n} of which GMIO {what}s take"),
    };
    let message = format!(
        "the design has {}{wide}, which need {}, but {} has {}{gone}",
        count(demand.plio.len() as u64, &format!("PLIO {what}")),
        count(demand.channels() as u64, "channel"),
        design.device.value,
        supply.channels
    );
    let help = if demand.pairs > 0 {
        "declare wide ports 64 bits wide: at half the array's clock they carry as much as a stream takes"
            .to_owned()
    } else {
        format!("make some of the {what}s GMIO, or {}", fewer(demand.direction))
    };
    let diagnostic = asking(design, Diagnostic::new(&catalogue::PLIO_CAPACITY, message, help), &demand.plio);
    match demand.pairs {
        0 => diagnostic,
        _ => fixes::width(diagnostic, design, wide_ones(design, &demand.plio), ENOUGH_BITS),
    }
}

/// Those of `ports` that are wider than [`ENOUGH_BITS`].
fn wide_ones<'a>(design: &'a Expanded, ports: &'a [ExternalId]) -> impl Iterator<Item = ExternalId> + 'a {
    let is_wide = |id: &ExternalId| match &design.externals[*id].endpoint {
        Endpoint::Plio { bits, .. } => bits.value > ENOUGH_BITS,
        Endpoint::Gmio { .. } => false,
    };
    ports.iter().copied().filter(is_wide)
}

/// There are more PLIO inputs of two channels than pairs of channels with registers.
pub(crate) fn plio_registers(
    design: &Expanded,
    device: &Device,
    wide: &[ExternalId],
    supply: usize,
) -> Diagnostic {
    let message = format!(
        "the design has {} of 128 bits, but {} has {supply} pairs of channels with registers for them, which Vitis {} counts",
        count(wide.len() as u64, "PLIO input"),
        device.name,
        design.release,
    );
    let vendor = format!(
        "aiecompiler would say: [AIE-PRE-MAPPER-11] area group ((0, 0), ({}, 0)) has capacity {supply} PLIO 128 bit incoming registered channels",
        device.columns.saturating_sub(1)
    );
    let help = format!(
        "declare some of them 64 bits wide: at half the array's clock they carry as much as a stream takes; or name an older release, such as `vitis \"2023.1\"`\n{vendor}"
    );
    let diagnostic = asking(design, Diagnostic::new(&catalogue::PLIO_REGISTERS, message, help), wide);
    fixes::width(diagnostic, design, wide.iter().copied(), ENOUGH_BITS)
}

/// The design uses GMIO on a card in a server.
pub(crate) fn gmio_of_card(design: &Expanded, gmio: &[ExternalId]) -> Diagnostic {
    let message = format!(
        "{} on the {}: no document shows a server that starts a graph and its GMIO transfers",
        count(gmio.len() as u64, "GMIO port"),
        design.board
    );
    let help = "use `plio(...)`, which data movers serve; the host program of this project is that of an embedded board \
                (Xilinx/XRT#7010 says what a server lacks)";
    let labels = gmio
        .iter()
        .map(|&id| (design.externals[id].span, "moved by transfers that the host starts".to_owned()));
    labelled(Diagnostic::new(&catalogue::GMIO_OF_CARD, message, help), labels)
}

/// More nets must cross a cut between the interface row and the array than there are wires.
pub(crate) fn plio_wires(
    design: &Expanded,
    demand: &Demand,
    crossing: &Crossing,
    device: &Device,
) -> Diagnostic {
    let what = way(demand.direction);
    let (up, switch) = (demand.direction == Direction::Out, &device.switch.shim);
    let (vertical, towards) = if up { (switch.masters.north, "up") } else { (switch.slaves.north, "down") };
    let wires = format!("{vertical} wires {towards} in each of {} columns", crossing.columns);
    let wires = match crossing.sideways {
        0 => wires,
        n => format!("{wires}, and {n} sideways through columns without PLIO"),
    };
    let kinds = match crossing.gmio {
        0 => format!("PLIO {what}s"),
        n => format!("{what}s, {} of PLIO and {n} of GMIO", crossing.demand - n),
    };
    let message = format!(
        "the design has {} of {kinds}, but {} has {} for them between interface row and array: {wires}",
        count(crossing.demand, "net"),
        design.device.value,
        count(crossing.supply, "wire"),
    );
    let vendor = "aiecompiler would say: [AIE-PRE-MAPPER-6] Insufficient shim routing capacity";
    let instead = if crossing.gmio == 0 { ", or make some of them GMIO" } else { "" };
    let help = format!("{}{instead}\n{vendor}", fewer(demand.direction));
    let ports: Vec<ExternalId> = demand.plio.iter().chain(&demand.gmio).copied().collect();
    asking(design, Diagnostic::new(&catalogue::PLIO_WIRES, message, help), &ports)
}

fn way(direction: Direction) -> &'static str {
    match direction {
        Direction::Out => "input",
        Direction::In => "output",
    }
}

/// The help: how to use fewer ports.
fn fewer(direction: Direction) -> &'static str {
    match direction {
        Direction::Out => "send one to several kernels",
        Direction::In => "combine results in a kernel or with `reduce` before they leave the array",
    }
}

/// Labels each declaration of `ports` with its number of ports.
fn asking(design: &Expanded, diagnostic: Diagnostic, ports: &[ExternalId]) -> Diagnostic {
    let of_family = |id: ExternalId| {
        ports.iter().filter(move |&&p| design.externals[p].family == design.externals[id].family)
    };
    let labels = ports.iter().map(|&id| {
        let verb = if of_family(id).count() == 1 { "is" } else { "are" };
        (design.externals[id].span, format!("{} of them {verb} declared here", of_family(id).count()))
    });
    labelled(diagnostic, labels)
}
