//! The type that admits a design to the back end.

use aiec_ir::expanded::Expanded;

/// A design that has passed every check before placement.
///
/// Only [`check`](crate::check()) makes one. The stages behind it rely on this: types and sizes of
/// connections agree, every port is connected, every window fits a module, and for each kernel some
/// tile meets its demands.
#[derive(Clone, Debug)]
pub struct Checked {
    expanded: Expanded,
}

impl Checked {
    /// Wraps a design that has passed every check; only `check` calls this.
    pub(crate) const fn new(expanded: Expanded) -> Self {
        Self { expanded }
    }

    /// The checked design, unchanged.
    pub const fn expanded(&self) -> &Expanded {
        &self.expanded
    }
}

impl std::ops::Deref for Checked {
    type Target = Expanded;
    fn deref(&self) -> &Expanded {
        &self.expanded
    }
}
