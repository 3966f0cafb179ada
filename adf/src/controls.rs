//! Bypasses of kernels (UG1079, "Kernel Bypass"): the parameters that control them, which the
//! functions of the kernels do not have.

use std::borrow::Cow;

use aiec_diag::Span;
use aiec_ir::design::{Family, Instance};
use aiec_ir::{FamilyId, IdVec};

use crate::assumed::LeftOut;
use crate::description::{Description, Kernel, PortIndex};

/// The name of the port of a bypass that takes the parameter.
pub(crate) const CONTROL: &str = "bp";

/// The controls of bypasses, each with the reason why no location names it.
pub(crate) fn controls(
    description: &Description,
    families: &IdVec<FamilyId, Family>,
    instances: &[Instance],
) -> Vec<(String, &'static str)> {
    let bypassed = description.kernels.iter().zip(instances);
    let bypassed = bypassed.filter(|(kernel, _)| is_bypassed(description, kernel));
    let name = |of: &Instance| families[of.family].instance_name(of.index);
    let named = |of: &Instance| format!("{}.{CONTROL}", name(of));
    bypassed.map(|(_, of)| (named(of), "no document tells the name of the port of a bypass")).collect()
}

/// The graph without the controls of bypasses, which no design has, and a line for each of them.
pub(crate) fn without_controls(
    description: &Description,
    file: Span,
) -> (Cow<'_, Description>, Vec<LeftOut>) {
    let bypassed = description.kernels.iter().filter(|kernel| is_bypassed(description, kernel));
    let note = |kernel: &Kernel| {
        let called = kernel.path.as_deref().unwrap_or(&kernel.function);
        let span = kernel.site.as_ref().map_or(file, |site| site.span);
        LeftOut { what: format!("the bypass of `{called}`"), span }
    };
    let left_out: Vec<LeftOut> = bypassed.map(note).collect();
    if left_out.is_empty() {
        return (Cow::Borrowed(description), left_out);
    }
    let mut rest = description.clone();
    for kernel in &mut rest.kernels {
        kernel.ports.retain(|&port| !is_control(description, port));
    }
    rest.connections.retain(|one| ![one.from, one.to].into_iter().any(|port| is_control(description, port)));
    (Cow::Owned(rest), left_out)
}

fn is_bypassed(description: &Description, kernel: &Kernel) -> bool {
    kernel.ports.iter().any(|&port| is_control(description, port))
}

fn is_control(description: &Description, port: PortIndex) -> bool {
    description.ports[port.0 as usize].is_control
}
