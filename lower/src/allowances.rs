//! `allow`: warnings that a design does not want.

use aiec_diag::{Code, Severity, Span, Spanned, catalogue};
use aiec_dsl::ast::Allow;
use aiec_ir::design::Allowance;

use crate::errors;
use crate::lower::Context;

impl Context<'_> {
    /// The warnings behind `allow`. `is_whole` is false where a component is lowered by itself.
    /// Returns None when there is a fault, which is reported.
    pub fn allowances(&mut self, written: &[(&Allow, Span)], is_whole: bool) -> Option<Vec<Allowance>> {
        let all: Vec<Option<Allowance>> =
            written.iter().map(|(allow, span)| self.allowance(allow, *span, is_whole)).collect();
        all.into_iter().collect()
    }

    fn allowance(&mut self, allow: &Allow, span: Span, is_expected: bool) -> Option<Allowance> {
        let Allow { slug, reason } = allow;
        let code: &'static Code = match meant(&slug.value) {
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
        let code = Spanned::new(code, slug.span);
        Some(Allowance { code, span, reason: reason.value.clone(), is_expected })
    }
}

/// The diagnostic of a slug, or of a name without its stage: the only one of that name, or the only
/// one that is no error.
fn meant(name: &str) -> Option<&'static Code> {
    let named: Vec<&'static Code> = catalogue::named(name).collect();
    let milder: Vec<&'static Code> =
        named.iter().copied().filter(|code| code.severity != Severity::Error).collect();
    match (named.as_slice(), milder.as_slice()) {
        ([only], _) | (_, [only]) => Some(only),
        _ => None,
    }
}
