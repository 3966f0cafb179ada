//! `allow`: warnings that a design does not want.

use aiec_diag::{Code, Severity, Spanned, catalogue};
use aiec_dsl::ast::Allow;
use aiec_ir::design::Allowance;

use crate::errors;
use crate::lower::Context;

impl Context<'_> {
    /// The warnings behind `allow`. `is_whole` is false where a component is lowered by itself.
    /// Returns None after a fault, which is reported.
    pub fn allowances(&mut self, written: &[&Allow], is_whole: bool) -> Option<Vec<Allowance>> {
        let all: Vec<Option<Allowance>> =
            written.iter().map(|allow| self.allowance(allow, is_whole)).collect();
        all.into_iter().collect()
    }

    fn allowance(&mut self, allow: &Allow, is_expected: bool) -> Option<Allowance> {
        let Allow { slug, reason } = allow;
        let code: &'static Code = match catalogue::find(&slug.value) {
            Some(code) if code.severity == Severity::Error => {
                self.report(errors::allowed_error(slug.span, code));
                return None;
            }
            Some(code) => code,
            None => {
                self.report(errors::no_such_warning(slug.span, &slug.value));
                return None;
            }
        };
        if reason.value.trim().is_empty() {
            self.report(errors::no_reason(reason.span, code));
            return None;
        }
        Some(Allowance { code: Spanned::new(code, slug.span), reason: reason.value.clone(), is_expected })
    }
}
