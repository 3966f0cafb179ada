//! Numbers out of their range, and the constants from which they follow: one fault for each
//! constant.

use aiec_dsl::ast::Expr;
use aiec_ir::Design;

use crate::errors::{self, Excess};
use crate::lower::Context;

impl Context<'_> {
    /// Reports a number out of range. If the number follows from a constant that was blamed before,
    /// the place joins that fault.
    pub fn out_of_range(&mut self, expr: &Expr, excess: Excess<'_>) {
        let names = errors::names_of(expr);
        let known = names.iter().find_map(|&name| Some((name, *self.blamed.get(name)?)));
        if let Some((name, first)) = known.and_then(|(name, at)| Some((name, self.diagnostics.get_mut(at)?)))
        {
            errors::also_out_of_range(first, name, &excess);
            return;
        }
        let fault = self.diagnostics.len();
        self.blamed.extend(names.into_iter().map(|name| (name.to_owned(), fault)));
        self.report(errors::out_of_range(&excess));
    }

    /// Records the constants of extents that are too large by themselves as the cause of the fault
    /// with this number, if it was reported: other numbers that follow from them join it.
    pub fn blame<'e>(&mut self, fault: usize, extents: impl Iterator<Item = (&'e Expr, &'e i64)>) {
        let is_large = |value: i64| value.unsigned_abs() > Design::MAX_INSTANCES;
        let large = extents.filter(|(_, value)| is_large(**value));
        for name in large.flat_map(|(extent, _)| errors::names_of(extent)) {
            if fault < self.diagnostics.len() {
                self.blamed.entry(name.to_owned()).or_insert(fault);
            }
        }
    }
}
