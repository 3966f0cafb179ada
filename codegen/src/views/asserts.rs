//! The functions that headers of the user declare, and those of kernel classes, compared with the
//! ports of the design by the C++ compiler.

use std::collections::BTreeSet;

use aiec_ir::design::{Body, Family, UserPort};
use aiec_ir::{Carries, Expanded, FamilyId, c_names};

use super::kernels::{own_parameters, port_parameter};
use super::{Context, create, is_async_in_family};
use crate::signature;

/// The statements that compare the functions of headers with the ports of their kernels, as far as
/// the header's text shows which function that is. A cascade has two spellings, and is left out.
pub(super) fn asserts(context: &Context<'_>) -> Vec<String> {
    let families = context.design.families.enumerate();
    let plain = families
        .filter(|(_, family)| family.ports.iter().all(|port| !matches!(port.carries, Carries::Cascade(_))));
    let all = plain.flat_map(|(id, family)| family.bodies.iter().map(move |body| (id, family, body)));
    let statement = |(id, family, body): (FamilyId, &Family, &Body)| {
        let header = body.header.as_ref()?;
        let text = context.sources.iter().find(|source| source.path == header.value)?;
        let member = member(&text.text, body)?;
        let types = own_types(context.design, id, family);
        let list: Vec<String> = std::iter::once(format!("decltype(&::{}{member})", create::code_name(body)))
            .chain(types)
            .collect();
        let expected =
            format!("{}{member}({})", body.function, own_parameters(context.design, id, family).join(", "));
        Some(format!("static_assert(aiec::has_ports<{}>::value, \"{expected}\");", list.join(", ")))
    };
    let mut seen = BTreeSet::new();
    all.filter_map(statement).filter(|line| seen.insert(line.clone())).collect()
}

/// The member of a kernel class that runs, such as `::run`. Empty for a function. Returns None when
/// the text of the header leaves open which function runs.
fn member(text: &str, body: &Body) -> Option<String> {
    let name = &body.function;
    match body.arguments {
        Some(_) => signature::registered(text, name).map(|function| format!("::{function}")),
        None => (!c_names::is_declared(name) && signature::is_declared_once(text, name)).then(String::new),
    }
}

/// The types of these parameters.
fn own_types(design: &Expanded, id: FamilyId, family: &Family) -> Vec<String> {
    let kind = |(number, port): (u32, &UserPort)| {
        let asynchronous = is_async_in_family(design, id, number);
        port_parameter(design, port.carries, port.direction, asynchronous, "")
    };
    (0..).zip(&family.ports).map(|port| kind(port).trim_end().to_owned()).collect()
}
