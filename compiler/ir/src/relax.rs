//! Checked designs with fewer placement constraints, to find out which of them stand in the way.

use aiec_diag::Span;

use crate::checked::Checked;

/// A kind of placement constraint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConstraintKind {
    /// A kernel on a tile.
    Place,
    /// A kernel relative to another.
    Offset,
    /// Kernels within a rectangle.
    Region,
    /// Kernels that share memory.
    Together,
    /// Kernels that share none.
    Apart,
    /// Tiles left free.
    Keepout,
}

impl ConstraintKind {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Place, Self::Offset, Self::Region, Self::Together, Self::Apart, Self::Keepout];

    /// The word it is written with.
    pub const fn keyword(self) -> &'static str {
        match self {
            Self::Place | Self::Offset => "place",
            Self::Region => "region",
            Self::Together => "together",
            Self::Apart => "apart",
            Self::Keepout => "keepout",
        }
    }
}

impl Checked {
    /// How many constraints of this kind the design has.
    pub fn count(&self, kind: ConstraintKind) -> usize {
        self.spans(kind).len()
    }

    /// The first constraint of this kind.
    pub fn first(&self, kind: ConstraintKind) -> Option<Span> {
        self.spans(kind).first().copied()
    }

    fn spans(&self, kind: ConstraintKind) -> Vec<Span> {
        let all = &self.constraints;
        match kind {
            ConstraintKind::Place => self.places.iter().map(|place| place.span).collect(),
            ConstraintKind::Offset => all.offsets.iter().map(|offset| offset.span).collect(),
            ConstraintKind::Region => all.regions.iter().map(|region| region.span).collect(),
            ConstraintKind::Together => all.together.iter().map(|group| group.span).collect(),
            ConstraintKind::Apart => all.apart.iter().map(|group| group.span).collect(),
            ConstraintKind::Keepout => all.keepouts.iter().map(|keepout| keepout.span).collect(),
        }
    }

    /// The design without constraints of this kind. What was checked holds of it too: no check needs a constraint to pass.
    #[must_use]
    pub fn without(&self, kind: ConstraintKind) -> Self {
        let mut expanded = self.expanded().clone();
        match kind {
            ConstraintKind::Place => expanded.places.clear(),
            ConstraintKind::Offset => expanded.constraints.offsets.clear(),
            ConstraintKind::Region => expanded.constraints.regions.clear(),
            ConstraintKind::Together => expanded.constraints.together.clear(),
            ConstraintKind::Apart => expanded.constraints.apart.clear(),
            ConstraintKind::Keepout => expanded.constraints.keepouts.clear(),
        }
        Self::new(expanded)
    }
}
