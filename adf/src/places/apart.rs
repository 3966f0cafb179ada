//! What lies apart although no statement says so: kernels of different graph objects.

use aiec_ir::constraints::Group;
use aiec_ir::design::Instance;

use super::Adoption;
use crate::assumed::Notes;
use crate::strangers::strangers;

impl Adoption<'_> {
    /// Kernels of different graph objects share no core. Notes that beyond the limit on pairs.
    pub(super) fn strangers(&mut self, notes: &mut Notes) {
        let found = strangers(self.ports.description);
        for &(a, b, site) in &found.pairs {
            let span = self.span(site);
            let kernels: Vec<Instance> = [a, b].iter().filter_map(|&one| self.kernel(one, span)).collect();
            self.found.constraints.distinct.push(Group { kernels, span });
        }
        if let Some(site) = found.more {
            let what = "that kernels of different graph objects share no core: they are too many pairs";
            notes.leave_out(what.to_owned(), self.span(site));
        }
    }
}
