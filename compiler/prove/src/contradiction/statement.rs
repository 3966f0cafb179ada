//! Placement constraints as single statements that can be dropped.

use aiec_check::Checked;
use aiec_diag::Span;
use aiec_ir::{CollectiveId, KernelId};

use crate::pins::Pins;

/// One statement of the design, or one entry of a placement file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Statement {
    /// `place k at (c, r)`, by index.
    Place(usize),
    /// A kernel's tile in the placement file.
    Pin(KernelId),
    /// `place k at l + (c, r)`
    Offset(usize),
    /// The cascade of a collective, by index.
    Cascade(CollectiveId),
    /// `region`
    Region(usize),
    /// `together`
    Together(usize),
    /// `apart`
    Apart(usize),
    /// `keepout`
    Keepout(usize),
}

/// All statements, those of one kind next to each other.
pub(super) fn all(checked: &Checked, pins: &Pins) -> Vec<Statement> {
    let constraints = &checked.constraints;
    let mut all: Vec<Statement> = (0..constraints.keepouts.len()).map(Statement::Keepout).collect();
    all.extend((0..constraints.offsets.len()).map(Statement::Offset));
    let chains = checked.collectives.enumerate().filter(|(_, collective)| collective.plan.is_cascade());
    all.extend(chains.map(|(id, _)| Statement::Cascade(id)));
    all.extend((0..constraints.regions.len()).map(Statement::Region));
    all.extend((0..constraints.together.len()).map(Statement::Together));
    all.extend((0..constraints.apart.len()).map(Statement::Apart));
    all.extend((0..checked.places.len()).map(Statement::Place));
    all.extend(pins.kernels.keys().copied().map(Statement::Pin));
    all
}

impl Statement {
    /// The keyword of the statement. Empty for an entry of a file.
    pub(super) const fn keyword(self) -> &'static str {
        match self {
            Self::Place(_) | Self::Offset(_) => "place",
            Self::Pin(_) => "",
            Self::Cascade(_) => "shape cascade",
            Self::Region(_) => "region",
            Self::Together(_) => "together",
            Self::Apart(_) => "apart",
            Self::Keepout(_) => "keepout",
        }
    }

    /// The kernels it names.
    pub(super) fn kernels(self, checked: &Checked) -> Vec<KernelId> {
        let constraints = &checked.constraints;
        match self {
            Self::Place(at) => vec![checked.places[at].kernel],
            Self::Pin(kernel) => vec![kernel],
            Self::Offset(at) => vec![constraints.offsets[at].kernel, constraints.offsets[at].from],
            Self::Cascade(id) => checked.collectives[id].ranks.clone(),
            Self::Region(at) => constraints.regions[at].kernels.clone(),
            Self::Together(at) => constraints.together[at].kernels.clone(),
            Self::Apart(at) => constraints.apart[at].kernels.clone(),
            Self::Keepout(_) => Vec::new(),
        }
    }

    /// The span and the label text of the statement.
    pub(super) fn label(self, checked: &Checked, pins: &Pins) -> Option<(Span, String)> {
        let name = |kernel: KernelId| &checked.kernels[kernel].name;
        let constraints = &checked.constraints;
        Some(match self {
            Self::Place(at) => {
                let place = &checked.places[at];
                (place.span, format!("`{}` at ({}, {})", name(place.kernel), place.column, place.row))
            }
            Self::Pin(kernel) => {
                let (tile, span) = (pins.kernels.get(&kernel)?, pins.spans.get(&kernel)?);
                (*span, format!("`{}` at {tile} in the placement file", name(kernel)))
            }
            Self::Offset(at) => {
                let offset = &constraints.offsets[at];
                (offset.span, format!("`{}` relative to `{}`", name(offset.kernel), name(offset.from)))
            }
            Self::Cascade(id) => {
                (checked.collectives[id].shape_span, "ranks follow each other along the cascade".to_owned())
            }
            Self::Region(at) => {
                let (from, to) = (constraints.regions[at].area.from, constraints.regions[at].area.to);
                let area = format!("from ({}, {}) to ({}, {})", from.0, from.1, to.0, to.1);
                (constraints.regions[at].span, format!("within the tiles {area}"))
            }
            Self::Together(at) => (constraints.together[at].span, "every two share memory".to_owned()),
            Self::Apart(at) => (constraints.apart[at].span, "no two share memory".to_owned()),
            Self::Keepout(at) => (constraints.keepouts[at].span, "these tiles are left free".to_owned()),
        })
    }
}
