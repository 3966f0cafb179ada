//! Faults of the interface row.

use aiec_diag::{Diagnostic, Spanned, catalogue};

use super::{count, labelled};
use crate::check::shim::{Demand, Supply};
use crate::expanded::Expanded;
use crate::ids::ExternalId;
use crate::types::Direction;

/// A PLIO port has a width the device does not offer.
pub(crate) fn plio_width(
    design: &Expanded,
    port: ExternalId,
    bits: &Spanned<u32>,
    legal: &[u32],
) -> Diagnostic {
    let name = &design.externals[port].name;
    let widths: Vec<String> = legal.iter().map(u32::to_string).collect();
    let nearest = legal.iter().copied().find(|&width| width >= bits.value).or(legal.last().copied());
    Diagnostic::new(
        &catalogue::PLIO_WIDTH,
        format!("`{name}` is {} bits wide; a PLIO has {} bits", bits.value, widths.join(", ")),
        format!("write `plio({}, ...)`", nearest.unwrap_or(bits.value)),
    )
    .label(bits.span, format!("declared with {} bits", bits.value))
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

/// There are more PLIO ports in one direction than channels or pairs of channels; GMIO ports take `taken` channels.
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
    asking(design, Diagnostic::new(&catalogue::PLIO_CAPACITY, message, help), &demand.plio)
}

fn way(direction: Direction) -> &'static str {
    match direction {
        Direction::Out => "input",
        Direction::In => "output",
    }
}

/// How to do with fewer ports.
fn fewer(direction: Direction) -> &'static str {
    match direction {
        Direction::Out => "send one to several kernels",
        Direction::In => "combine results in a kernel or with `reduce` before they leave the array",
    }
}

/// Labels the declarations of the ports with how many each asks for.
fn asking(design: &Expanded, diagnostic: Diagnostic, ports: &[ExternalId]) -> Diagnostic {
    let of_family = |id: ExternalId| {
        ports.iter().filter(move |&&p| design.externals[p].family == design.externals[id].family)
    };
    let labels =
        ports.iter().map(|&id| (design.externals[id].span, format!("{} of them are declared here", of_family(id).count())));
    labelled(diagnostic, labels)
}
