//! The gate to the back end.

use aiec_ir::expanded::Expanded;

/// A design in which everything that can be known before placement holds.
///
/// Made only by [`check`](crate::check()): whoever holds one need not ask again whether types and sizes of connections agree,
/// every port is connected, every window fits, or a kernel's demands can be met by any tile at all.
#[derive(Clone, Debug)]
pub struct Checked {
    expanded: Expanded,
}

impl Checked {
    /// Wraps a design that has passed every check; only `check` calls this.
    pub(crate) const fn new(expanded: Expanded) -> Self {
        Self { expanded }
    }

    /// The design.
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
