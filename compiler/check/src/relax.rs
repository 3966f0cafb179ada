//! Copies of checked designs with fewer placement constraints, to find out which constraints
//! conflict.

use aiec_diag::Span;

use crate::Checked;

/// A kind of placement constraint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConstraintKind {
    /// `place`: a kernel on a tile.
    Place,
    /// `place k at l + (c, r)`: a kernel at a fixed offset from another.
    Offset,
    /// `region`: kernels within a rectangle.
    Region,
    /// `together`: kernels that share memory.
    Together,
    /// `apart`: kernels that share no memory.
    Apart,
    /// `keepout`: tiles left free.
    Keepout,
}

impl ConstraintKind {
    /// Every kind, in the order of the enum.
    pub const ALL: [Self; 6] =
        [Self::Place, Self::Offset, Self::Region, Self::Together, Self::Apart, Self::Keepout];

    /// The keyword of this kind in the source.
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
    /// The number of constraints of this kind in the design.
    pub fn count(&self, kind: ConstraintKind) -> usize {
        self.spans(kind).len()
    }

    /// Source locations of the constraints of this kind, in their order.
    pub fn spans(&self, kind: ConstraintKind) -> Vec<Span> {
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

    /// A copy of the design that keeps only the constraints of `kind` with these numbers. The copy
    /// counts as checked: no check needs a constraint to pass.
    #[must_use]
    pub fn with_only(&self, kind: ConstraintKind, numbers: &[usize]) -> Self {
        /// Keeps the items with these numbers.
        fn keep<T>(items: &mut Vec<T>, numbers: &[usize]) {
            let mut number = 0..;
            items.retain(|_| number.next().is_some_and(|number| numbers.contains(&number)));
        }
        let mut expanded = self.expanded().clone();
        let all = &mut expanded.constraints;
        match kind {
            ConstraintKind::Place => keep(&mut expanded.places, numbers),
            ConstraintKind::Offset => keep(&mut all.offsets, numbers),
            ConstraintKind::Region => keep(&mut all.regions, numbers),
            ConstraintKind::Together => keep(&mut all.together, numbers),
            ConstraintKind::Apart => keep(&mut all.apart, numbers),
            ConstraintKind::Keepout => keep(&mut all.keepouts, numbers),
        }
        Self::new(expanded)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use aiec_test_support::{Builder, Reduce, int32};

    #[test]
    fn some_constraints_of_a_kind_can_be_kept() {
        let mut builder = Builder::new("d", "toy");
        builder.kernels("k", &[3], &[]).reduce(Reduce::over("t", &["k"], int32(4)));
        builder.place("k[0]", 0, 0).place("k[1]", 1, 0).place("k[2]", 2, 0).keepout((5, 3), (5, 3));
        let checked = Checked::new(builder.expanded().expect("names are right"));
        let fewer = checked.with_only(ConstraintKind::Place, &[0, 2]);
        assert_eq!(fewer.places.iter().map(|place| place.column).collect::<Vec<_>>(), [0, 2]);
        assert_eq!((fewer.count(ConstraintKind::Place), fewer.count(ConstraintKind::Keepout)), (2, 1));
        assert_eq!(checked.with_only(ConstraintKind::Keepout, &[]).count(ConstraintKind::Keepout), 0);
    }
}
