//! Faults of numbers and the constants from which they follow: one fault for each constant.

use aiec_diag::{Diagnostic, LISTED, catalogue};
use aiec_dsl::ast::Expr;
use aiec_ir::Design;

use crate::errors::{self, Excess};
use crate::eval;
use crate::lower::Context;
use crate::wanted::not_wanted;

impl Context<'_> {
    /// Reports a fault of an expression. All places of a name that nothing declares are one fault,
    /// if no other name is meant.
    pub fn fault(&mut self, fault: eval::Fault) {
        let name = match &fault {
            eval::Fault::Unknown(name, span, _) if self.indices_of_ports.contains(&name.as_str()) => {
                return self.report(errors::index_in_port(*span, name));
            }
            eval::Fault::Unknown(name, ..) => Some(name.clone()),
            _ => None,
        };
        let written = &self.at.written;
        let diagnostic = fault.diagnostic(&|name, span, wanted| not_wanted(written, name, span, wanted));
        let Some(diagnostic) = diagnostic else { return };
        let is_missing =
            |fault: &Diagnostic| fault.code.slug == catalogue::UNKNOWN_NAME.slug && fault.fixes.is_empty();
        let Some(name) = name.filter(|_| is_missing(&diagnostic)) else { return self.report(diagnostic) };
        let key = (self.at.file, name);
        let known = self.unknown.get(&key).and_then(|&at| self.diagnostics.get_mut(at));
        let Some(first) = known else {
            self.unknown.insert(key, self.diagnostics.len());
            return self.report(diagnostic);
        };
        let place = diagnostic.span().filter(|place| first.labels.iter().all(|label| label.span != *place));
        if let Some(place) = place.filter(|_| first.labels.len() < LISTED) {
            first.labels.push(aiec_diag::Label { span: place, text: "used again here".to_owned() });
        }
    }

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
