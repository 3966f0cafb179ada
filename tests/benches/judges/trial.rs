//! One search, and how it ended.

use std::fmt;
use std::str::FromStr;

use aiec_check::Checked;
use aiec_device::Device;
use aiec_diag::{Diagnostic, catalogue};
use aiec_placer::{PlaceOptions, Placed, dma_connections, place, verify};

/// How a search ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// A legal placement with this many connections by DMA.
    Placed(usize),
    /// No placement was found (`place/gave-up`).
    GaveUp,
    /// The design is called impossible, by the diagnostic of this slug.
    Refused(String),
    /// `verify` does not accept the result, for the fault of this slug.
    Illegal(String),
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Placed(connections) => write!(f, "{connections}"),
            Self::GaveUp => write!(f, "gave up"),
            Self::Refused(slug) => write!(f, "refused {slug}"),
            Self::Illegal(slug) => write!(f, "illegal {slug}"),
        }
    }
}

impl FromStr for Ending {
    type Err = std::num::ParseIntError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.split_once(' ') {
            Some(("gave", _)) => Ok(Self::GaveUp),
            Some(("refused", slug)) => Ok(Self::Refused(slug.to_owned())),
            Some(("illegal", slug)) => Ok(Self::Illegal(slug.to_owned())),
            _ => text.parse().map(Self::Placed),
        }
    }
}

/// Places a design with one thread and verifies the result. Returns the placement too, if it is
/// legal.
pub fn trial(checked: &Checked, device: &Device, options: &PlaceOptions) -> (Ending, Option<Placed>) {
    let slug = |said: &[Diagnostic]| said.first().map_or("", |first| first.code.slug).to_owned();
    let (placement, said) = place(checked, device, options).into_parts();
    let Some(placement) = placement else {
        let gave_up = said.iter().all(|diagnostic| diagnostic.code.slug == catalogue::GAVE_UP.slug);
        return (if gave_up { Ending::GaveUp } else { Ending::Refused(slug(&said)) }, None);
    };
    let (placed, said) = verify(checked, device, placement).into_parts();
    match placed {
        Some(placed) => (Ending::Placed(dma_connections(checked, &placed)), Some(placed)),
        None => (Ending::Illegal(slug(&said)), None),
    }
}
