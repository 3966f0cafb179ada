//! The functions of kernel classes, compared with the ports of the design by the C++ compiler.

use std::collections::BTreeSet;

use aiec_ir::design::{Body, Family, UserPort};
use aiec_ir::{Carries, Expanded, FamilyId};

use super::kernels::{own_parameters, port_parameter};
use super::{Context, create, is_async_in_family};
use crate::signature;

/// The statements that compare the function of each kernel class with its ports, as far as the
/// header's text shows which function that is. A cascade has two spellings, and is left out.
pub(super) fn asserts(context: &Context<'_>) -> Vec<String> {
    let families = context.design.families.enumerate();
    let plain = families
        .filter(|(_, family)| family.ports.iter().all(|port| !matches!(port.carries, Carries::Cascade(_))));
    let all = plain.flat_map(|(id, family)| family.bodies.iter().map(move |body| (id, family, body)));
    let statement = |(id, family, body): (FamilyId, &Family, &Body)| {
        let header = body.header.as_ref().filter(|_| body.arguments.is_some())?;
        let text = context.sources.iter().find(|source| source.path == header.value)?;
        let function = signature::registered(&text.text, &body.function)?;
        let class = create::code_name(body);
        let types = own_types(context.design, id, family);
        let member = std::iter::once(format!("decltype(&::{class}::{function})"));
        let list: Vec<String> = member.chain(types).collect();
        let expected = format!(
            "{}::{function}({})",
            body.function,
            own_parameters(context.design, id, family).join(", ")
        );
        Some(format!("static_assert(aiec::has_ports<{}>::value, \"{expected}\");", list.join(", ")))
    };
    let mut seen = BTreeSet::new();
    all.filter_map(statement).filter(|line| seen.insert(line.clone())).collect()
}

/// The types of these parameters.
fn own_types(design: &Expanded, id: FamilyId, family: &Family) -> Vec<String> {
    let kind = |(number, port): (u32, &UserPort)| {
        let asynchronous = is_async_in_family(design, id, number);
        port_parameter(design, port.carries, port.direction, asynchronous, "")
    };
    (0..).zip(&family.ports).map(|port| kind(port).trim_end().to_owned()).collect()
}
