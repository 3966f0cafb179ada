//! The type that admits a design to the back end.

use std::collections::BTreeMap;

use aiec_diag::Spanned;
use aiec_ir::KernelId;
use aiec_ir::expanded::Expanded;

/// A design that has passed every check before placement.
///
/// Only [`check`](crate::check()) makes one, and [`overfull`](crate::overfull) for a picture. The
/// stages behind it rely on this: types and sizes of connections agree, every port is connected,
/// every window fits a module, and for each kernel some tile meets its demands.
#[derive(Clone, Debug)]
pub struct Checked {
    expanded: Expanded,
}

impl Checked {
    /// Wraps a design that has passed every check; only `check` and `overfull` call this.
    pub(crate) const fn new(expanded: Expanded) -> Self {
        Self { expanded }
    }

    /// The same design with other cycles of these kernels, and another number of iterations. No
    /// check depends on either. Only models of time use the result.
    #[must_use]
    pub fn timed(&self, cycles: &BTreeMap<KernelId, u32>, iterations: u32) -> Self {
        let mut expanded = self.expanded.clone();
        expanded.iterations = iterations.max(1);
        for (&id, &value) in cycles {
            let (family, index) = (expanded.kernels[id].family, expanded.kernels[id].index as usize);
            let family = &mut expanded.families[family];
            if let [shared] = family.bodies.as_slice() {
                family.bodies = vec![shared.clone(); family.instances().max(1) as usize];
            }
            if let Some(body) = family.bodies.get_mut(index) {
                body.cycles = Some(Spanned { value, span: body.source.span });
            }
        }
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
