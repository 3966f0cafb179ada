//! What headers of the user declare, compared with the design by the C++ compiler: the parameters
//! of functions with ports, and those of constructors with the lengths of tables.

use std::collections::BTreeSet;

use aiec_ir::design::{Argument, Body, Decimals, Family, UserPort, scoped};
use aiec_ir::{Carries, Expanded, FamilyId, c_names};

use super::kernels::{own_parameters, port_parameter};
use super::{Context, create, is_async_in_family};
use crate::signature;

/// The statements that compare headers with the kernels of their functions and classes, each once.
pub(super) fn asserts(context: &Context<'_>) -> Vec<String> {
    let families = context.design.families.enumerate();
    let all = families.flat_map(|(id, family)| family.bodies.iter().map(move |body| (id, body)));
    let statements = |(id, body): (FamilyId, &Body)| {
        let header = body.header.as_ref()?;
        let text = context.sources.iter().find(|source| source.path == header.value)?;
        Some(tables(body).into_iter().chain(ports(context, id, body, &text.text)))
    };
    let mut seen = BTreeSet::new();
    all.filter_map(statements).flatten().filter(|line| seen.insert(line.clone())).collect()
}

/// The comparison of a function with the ports of its kernel, as far as the header's `text` shows
/// which function that is. A cascade has two spellings, and is left out.
fn ports(context: &Context<'_>, id: FamilyId, body: &Body, text: &str) -> Option<String> {
    let family = &context.design.families[id];
    if family.ports.iter().any(|port| matches!(port.carries, Carries::Cascade(_))) {
        return None;
    }
    let member = member(text, body)?;
    let types = own_types(context.design, id, family);
    let function = format!("decltype(&::{}{member})", create::code_name(body));
    let list: Vec<String> = std::iter::once(function).chain(types).collect();
    let expected =
        format!("{}{member}({})", body.function, own_parameters(context.design, id, family).join(", "));
    Some(format!("static_assert(aiec::has_ports<{}>::value, \"{expected}\");", list.join(", ")))
}

/// The comparison of the arrays that a constructor takes with the lengths of the tables that it
/// gets. The graph gives vectors, whose types do not say their lengths.
fn tables(body: &Body) -> Option<String> {
    let arguments = body.arguments.as_ref()?;
    let length = |argument: &Argument| match argument {
        Argument::Table { values, .. } => Some(values.len()),
        Argument::Decimals(Decimals::Table(values)) => Some(values.len()),
        Argument::Decimals(Decimals::One(_)) | Argument::Number { .. } | Argument::Type(_) => None,
    };
    let given = |argument: &Argument| match length(argument) {
        Some(length) => format!("aiec::table<{length}>"),
        None => create::number_type(argument).to_owned(),
    };
    let lengths: Vec<String> = arguments.iter().filter_map(length).map(|length| length.to_string()).collect();
    let list: Vec<String> = std::iter::once(format!("::{}", create::code_name(body)))
        .chain(arguments.iter().map(given))
        .collect();
    (!lengths.is_empty()).then(|| {
        format!(
            "static_assert(aiec::takes_tables<{}>::value, \"a constructor for tables of {} numbers\");",
            list.join(", "),
            lengths.join(" and ")
        )
    })
}

/// The member of a kernel class that runs, such as `::run`. Empty for a function. Returns None when
/// the text of the header leaves open which function runs.
fn member(text: &str, body: &Body) -> Option<String> {
    let (space, name) = scoped(&body.function);
    match body.arguments {
        Some(_) => signature::registered(text, name).map(|function| format!("::{function}")),
        None => (space.is_empty() && !c_names::is_declared(name) && signature::is_declared_once(text, name))
            .then(String::new),
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
