//! Checked designs with fewer placement constraints, to find out which of them stand in the way.

use aiec_diag::Span;

use crate::checked::Checked;

/// A kind of placement constraint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConstraintKind {
    /// A kernel on a tile.
    Place,
}

impl ConstraintKind {
    /// All of them.
    pub const ALL: [Self; 1] = [Self::Place];

    /// The word it is written with.
    pub const fn keyword(self) -> &'static str {
        match self {
            Self::Place => "place",
        }
    }
}

impl Checked {
    /// How many constraints of this kind the design has.
    pub fn count(&self, kind: ConstraintKind) -> usize {
        match kind {
            ConstraintKind::Place => self.places.len(),
        }
    }

    /// The first constraint of this kind.
    pub fn first(&self, kind: ConstraintKind) -> Option<Span> {
        match kind {
            ConstraintKind::Place => self.places.first().map(|place| place.span),
        }
    }

    /// The design without constraints of this kind. What was checked holds of it too: no check needs a constraint to pass.
    #[must_use]
    pub fn without(&self, kind: ConstraintKind) -> Self {
        let mut expanded = self.expanded().clone();
        match kind {
            ConstraintKind::Place => expanded.places.clear(),
        }
        Self::new(expanded)
    }
}
