//! A kernel as a statement names it.

use aiec_diag::Span;

use crate::ids::FamilyId;

/// One kernel of a family.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Instance {
    /// The family of the kernel.
    pub family: FamilyId,
    /// Row-major index in the family.
    pub index: u32,
    /// Source location of the reference.
    pub span: Span,
}

impl Instance {
    /// True if both name the same kernel, wherever the references stand.
    pub fn names_same_kernel(&self, other: &Self) -> bool {
        (self.family, self.index) == (other.family, other.index)
    }
}
