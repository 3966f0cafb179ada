//! The remedy of a `connect` whose two ends stand on the wrong sides of the arrow.

use aiec_diag::{Diagnostic, catalogue};
use aiec_dsl::ast::Connect;

use crate::errors;
use crate::lower::{Context, ENOUGH_ERRORS};

impl Context<'_> {
    /// Adds the remedy that swaps the ends of a `connect` to its faults, those from `before` on.
    /// Does nothing unless all are faults of direction, and the other way round there is none.
    pub fn offer_swap(&mut self, connect: &Connect, before: usize) {
        let ([from], [to], None) = (&connect.from[..], &connect.to[..], &connect.switch) else { return };
        let is_direction = |found: &Diagnostic| found.code.slug == catalogue::WRONG_DIRECTION.slug;
        let faults = self.diagnostics.get(before..).unwrap_or_default();
        if faults.is_empty() || !faults.iter().all(is_direction) || before > ENOUGH_ERRORS {
            return;
        }
        let swapped = Connect { from: vec![to.clone()], to: vec![from.clone()], ..connect.clone() };
        // A trial, whose faults nobody sees.
        let (diagnostics, blamed) = (self.diagnostics.clone(), self.blamed.clone());
        let is_legal = self.written(&swapped).is_some() && self.diagnostics.len() == diagnostics.len();
        (self.diagnostics, self.blamed) = (diagnostics, blamed);
        if is_legal {
            let faults = self.diagnostics.split_off(before);
            self.diagnostics.extend(faults.into_iter().map(|fault| errors::swapping(fault, from, to)));
        }
    }
}
