//! What headers of the user declare, compared with the design by the C++ compiler: the parameters
//! of functions with ports, and those of constructors with tables and numbers.

use std::collections::BTreeSet;

use aiec_ir::design::{Argument, Body, Decimals, Family, UserPort, scoped};
use aiec_ir::{Carries, CascadeType, Direction, ElementType, Expanded, FamilyId, c_names};

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
        Some(constructor(body).into_iter().chain(ports(context, id, body, &text.text)))
    };
    let mut seen = BTreeSet::new();
    all.filter_map(statements).flatten().filter(|line| seen.insert(line.clone())).collect()
}

/// The comparison of a function with the ports of its kernel, as far as the header's `text` shows
/// which function that is.
fn ports(context: &Context<'_>, id: FamilyId, body: &Body, text: &str) -> Option<String> {
    let family = &context.design.families[id];
    let member = member(text, body)?;
    let types = own_types(context.design, id, family);
    let function = format!("decltype(&::{}{member})", create::code_name(body));
    let list: Vec<String> = std::iter::once(function).chain(types).collect();
    let expected =
        format!("{}{member}({})", body.function, own_parameters(context.design, id, family).join(", "));
    Some(format!("static_assert(aiec::has_ports<{}>::value, \"{expected}\");", list.join(", ")))
}

/// The comparisons of a constructor with what it gets: the lengths of tables, their types, and
/// numbers that not every type can hold. The graph gives vectors, whose types do not say their
/// lengths, and converts numbers.
fn constructor(body: &Body) -> Vec<String> {
    let arguments = body.arguments.as_deref().unwrap_or_default();
    let class = create::code_name(body);
    let line = |check: &str, given: &dyn Fn(&Argument) -> String, about: String| {
        let list: Vec<String> =
            std::iter::once(format!("::{class}")).chain(arguments.iter().map(given)).collect();
        format!("static_assert(aiec::{check}<{}>::value, \"{about}\");", list.join(", "))
    };
    let lengths: Vec<String> = arguments.iter().filter_map(length).map(|length| length.to_string()).collect();
    let numbers: Vec<String> = arguments.iter().filter_map(special).map(|(name, _)| name).collect();
    let about = format!("a constructor for tables of {} numbers", lengths.join(" and "));
    let tables = (!lengths.is_empty()).then(|| {
        let wanted: Vec<String> = arguments.iter().map(parameter).collect();
        let wanted = format!("{}({})", scoped(&body.function).1, wanted.join(", "));
        [line("takes_tables", &of_any_type, about), line("takes_numbers", &typed, wanted)]
    });
    let numbers = (!numbers.is_empty()).then(|| line("takes_numbers", &valued, numbers.join(" and ")));
    tables.into_iter().flatten().chain(numbers).collect()
}

/// The length of a table. Returns None for a single number.
fn length(argument: &Argument) -> Option<usize> {
    argument.table().map(|(numbers, _)| numbers)
}

/// A number that not every type can hold, as the message names it and as C++ compares it.
fn special(argument: &Argument) -> Option<(String, String)> {
    let decimal = || "aiec::decimal".to_owned();
    match argument {
        Argument::Decimals(Decimals::One(number)) => Some((number.to_string(), decimal())),
        Argument::Number { value, class: Some(ElementType::Float) } => {
            Some((format!("{value} as float"), decimal()))
        }
        Argument::Number { value, class } => {
            let is_complex = class.is_some_and(ElementType::is_complex);
            let is_small = (0..=i64::from(i8::MAX)).contains(value);
            let whole = || format!("aiec::number<{}>", create::number(*value));
            (!is_complex && !is_small).then(|| (value.to_string(), whole()))
        }
        _ => None,
    }
}

/// What stands for an argument: a table of any type, or the type of a number.
fn of_any_type(argument: &Argument) -> String {
    let number = || create::number_type(argument).to_owned();
    length(argument).map_or_else(number, |length| format!("aiec::table<{length}>"))
}

/// What stands for an argument: a table of its type, or the type of a number.
fn typed(argument: &Argument) -> String {
    let class = create::number_type(argument);
    length(argument).map_or_else(|| class.to_owned(), |length| format!("aiec::table<{length}, {class}>"))
}

/// What stands for an argument: a table of any type, a number that not every type can hold, or the
/// type of another one.
fn valued(argument: &Argument) -> String {
    special(argument).map_or_else(|| of_any_type(argument), |(_, number)| number)
}

/// The usual parameter for an argument.
fn parameter(argument: &Argument) -> String {
    let class = create::number_type(argument);
    length(argument).map_or_else(|| class.to_owned(), |length| format!("{class} (&)[{length}]"))
}

/// The member of a kernel class that runs, such as `::run`. Empty for a function. Returns None when
/// the text of the header leaves open which function runs.
fn member(text: &str, body: &Body) -> Option<String> {
    let (space, name) = scoped(&body.function);
    match body.arguments {
        Some(_) => signature::registered(text, name).map(|function| format!("::{function}")),
        None => {
            let is_of_c = space.is_empty() && c_names::is_declared(name);
            (!is_of_c && signature::is_declared_once(text, &body.function)).then(String::new)
        }
    }
}

/// The older spelling of a cascade of accumulators, which newer releases take, too (UG1079 2023.1,
/// "Stream Data Types", table 2).
fn older_cascade(port: &UserPort) -> Option<String> {
    let way = if port.direction == Direction::In { "input" } else { "output" };
    match port.carries {
        Carries::Cascade(lanes @ CascadeType::Accumulator(_)) => {
            Some(format!("{way}_stream<{}> *", lanes.name()))
        }
        _ => None,
    }
}

/// The types of these parameters.
fn own_types(design: &Expanded, id: FamilyId, family: &Family) -> Vec<String> {
    let kind = |(number, port): (u32, &UserPort)| {
        let asynchronous = is_async_in_family(design, id, number);
        let usual =
            port_parameter(design, port.carries, port.direction, asynchronous, "").trim_end().to_owned();
        match older_cascade(port) {
            Some(older) if older != usual => format!("aiec::either<{usual}, {older}>"),
            _ => usual,
        }
    };
    (0..).zip(&family.ports).map(kind).collect()
}
