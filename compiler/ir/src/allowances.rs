//! Warnings that a design does not want.

use aiec_diag::{Code, Diagnostic, catalogue};

use crate::design::Allowance;

/// `found` without the warnings of `allowances`, and with a warning for each of `allowances` that
/// none of `found` needs. `known` are the warnings that the stage always finds, unless an error
/// ends it.
pub fn settle(allowances: &[Allowance], found: Vec<Diagnostic>, known: &[&Code]) -> Vec<Diagnostic> {
    let is_of = |one: &Diagnostic, allowance: &Allowance| one.code == allowance.code.value && !one.is_error();
    let is_complete = !found.iter().any(Diagnostic::is_error);
    let in_vain = allowances.iter().filter(|allowance| {
        let is_known = known.contains(&allowance.code.value);
        is_complete && is_known && allowance.is_expected && !found.iter().any(|one| is_of(one, allowance))
    });
    let in_vain: Vec<Diagnostic> = in_vain.map(unused_allow).collect();
    let is_wanted = |one: &Diagnostic| !allowances.iter().any(|allowance| is_of(one, allowance));
    found.into_iter().chain(in_vain).filter(is_wanted).collect()
}

/// The design gives no warning of the kind that it allows.
fn unused_allow(allowance: &Allowance) -> Diagnostic {
    let slug = allowance.code.value.slug;
    Diagnostic::new(
        &catalogue::UNUSED_ALLOW,
        format!("the design allows `{slug}`, and no check gives it"),
        "remove the line, or correct the name of the warning",
    )
    .label(allowance.code.span, "nothing in this design is warned about so")
    .fix(format!("remove the `allow` of `{slug}`"), [(allowance.span, "")])
}
