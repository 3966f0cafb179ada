//! A first header for the functions and classes of kernels, and their definitions in a first
//! source. The constructor of a class keeps what it gets.

use aiec_ir::design::{Argument, Body, Decimals, scoped};
use aiec_ir::{ElementType, Expanded, FamilyId};
use askama::Template;

use super::general::{self, Alike};
use super::kernels;
use super::stub::{self, Function};

/// A header that declares functions and classes.
#[derive(Template)]
#[template(path = "stub.h.askama", escape = "none")]
pub(crate) struct Header {
    declared: Vec<Declared>,
}

/// A declaration with the comment above it.
struct Declared {
    /// The name with its namespaces.
    name: String,
    /// The namespaces that it opens, and what closes them. Empty if there are none.
    namespaces: String,
    close: String,
    about: String,
    /// The parameters of the template. Empty for what is no template.
    template: String,
    what: What,
}

/// What a header declares.
#[derive(PartialEq, Eq)]
enum What {
    Function(String),
    Class(Class),
}

#[derive(PartialEq, Eq)]
struct Class {
    name: String,
    constructor: String,
    run: String,
    /// Members that refer to tables.
    tables: Vec<String>,
    members: Vec<String>,
}

impl Declared {
    fn of(design: &Expanded, id: FamilyId, body: &Body) -> Self {
        let own = scoped(&body.function).1;
        let (namespaces, close) = stub::spaces(&body.function);
        let all = general::alike(design, id, body);
        let what = match body.arguments {
            Some(_) => What::Class(Class::of(design, &all)),
            None => What::Function(general::text(&all, |id, _| kernels::expected_signature(design, id, own))),
        };
        Self {
            name: body.function.clone(),
            namespaces,
            close,
            about: stub::about(design, id),
            template: template_list(body),
            what,
        }
    }
}

impl Class {
    /// The class of the first body, which serves all.
    fn of(design: &Expanded, all: &Alike<'_>) -> Self {
        let body = all[0].1;
        let name = scoped(&body.function).1;
        let kept: Vec<Kept> = kept(body).collect();
        let member = |one: Kept| one.class.replace("{}", &format!("{}_", one.name));
        let members = |at: usize| {
            general::text(all, |_, body| self::kept(body).nth(at).map_or_else(String::new, member))
        };
        Self {
            name: name.to_owned(),
            constructor: general::text(all, |_, body| {
                constructor(name, &self::kept(body).collect::<Vec<_>>())
            }),
            run: general::text(all, |id, _| kernels::expected_signature(design, id, "run")),
            tables: kept.iter().filter(|one| one.is_table).map(|one| format!("{}_", one.name)).collect(),
            members: (0..kept.len()).map(members).collect(),
        }
    }
}

/// The header that declares the functions and classes of these bodies, each of a family. Fails with
/// a body that has the name of another one and other types.
pub(crate) fn header<'a>(
    design: &Expanded,
    bodies: &[(FamilyId, &'a Body)],
) -> Result<Header, (FamilyId, &'a Body)> {
    let mut declared: Vec<Declared> = Vec::new();
    for &(id, body) in bodies {
        let one = Declared::of(design, id, body);
        match declared.iter().find(|other| other.name == one.name) {
            Some(other) if other.template != one.template || other.what != one.what => {
                return Err((id, body));
            }
            Some(_) => {}
            None => declared.push(one),
        }
    }
    Ok(Header { declared })
}

/// The definition of a function that a header declares; of a class the function that runs.
pub(super) fn definition(design: &Expanded, id: FamilyId, body: &Body) -> Function {
    let list = template_list(body);
    let prefix = if list.is_empty() { String::new() } else { format!("template <{list}>\n") };
    let all = general::alike(design, id, body);
    if body.arguments.is_none() {
        let own = scoped(&body.function).1;
        let signature = general::text(&all, |id, _| kernels::expected_signature(design, id, own));
        let function = stub::function(design, id, &body.function);
        return Function { signature: format!("{prefix}{signature}"), ..function };
    }
    let function = stub::function(design, id, scoped(&body.function).1);
    let names: Vec<String> = template_parameters(body).map(|one| one.name).collect();
    let arguments = if names.is_empty() { String::new() } else { format!("<{}>", names.join(", ")) };
    let run = format!("{}{arguments}::run", body.function);
    let member = general::text(&all, |id, _| kernels::expected_signature(design, id, &run));
    Function { signature: format!("{prefix}{member}"), ..function }
}

/// The header as its source includes it: relative to the folder of the source. Returns None for a
/// body without one.
pub(super) fn beside(body: &Body) -> Option<String> {
    let header: Vec<&str> = body.header.as_ref()?.value.split('/').collect();
    let mut folder: Vec<&str> = body.source.value.split('/').collect();
    folder.pop();
    let common = header.iter().zip(&folder).take_while(|(header, folder)| header == folder).count();
    Some(format!("{}{}", "../".repeat(folder.len() - common), header[common..].join("/")))
}

/// A parameter of the constructor.
struct Kept {
    /// The type, with a hole `{}` for the name.
    class: String,
    name: String,
    is_table: bool,
}

fn constructor(class: &str, kept: &[Kept]) -> String {
    let parameters: Vec<String> = kept.iter().map(|one| one.class.replace("{}", &one.name)).collect();
    let initial: Vec<String> = kept.iter().map(|one| format!("{0}_({0})", one.name)).collect();
    let initial = if initial.is_empty() { String::new() } else { format!(" : {}", initial.join(", ")) };
    format!("{class}({}){initial} {{}}", parameters.join(", "))
}

/// The parameters of the constructor, one for each argument.
fn kept(body: &Body) -> impl Iterator<Item = Kept> + '_ {
    (0..).zip(body.arguments.iter().flatten()).map(|(at, argument)| Kept::new(at, argument))
}

impl Kept {
    /// The parameter for argument `at` of the constructor.
    fn new(at: usize, argument: &Argument) -> Self {
        let number = |class: &str| (format!("{class} {{}}"), "value", false);
        let table = |class: &str, count: usize| (format!("{class} (&{{}})[{count}]"), "numbers", true);
        let (class, name, is_table) = match argument {
            Argument::Number { value, class: None } => number(whole_type(*value)),
            Argument::Number { class: Some(class), .. } => number(class.name()),
            Argument::Type(class) => number(class.name()),
            Argument::Table { values, class } => table(class.name(), values.len()),
            Argument::Decimals(Decimals::One(_)) => number(ElementType::Float.name()),
            Argument::Decimals(Decimals::Table(values)) => table(ElementType::Float.name(), values.len()),
        };
        Self { class, name: format!("{name}{at}"), is_table }
    }
}

/// What a class or function template takes for one argument of the design.
pub(super) struct TemplateParameter {
    /// The type of a number, or `typename`.
    pub(super) kind: String,
    pub(super) name: String,
}

/// The parameters of the template as C++ lists them.
fn template_list(body: &Body) -> String {
    let all: Vec<String> =
        template_parameters(body).map(|one| format!("{} {}", one.kind, one.name)).collect();
    all.join(", ")
}

/// The parameters of the template, one for each argument.
pub(super) fn template_parameters(body: &Body) -> impl Iterator<Item = TemplateParameter> + '_ {
    body.template.iter().enumerate().map(|(at, argument)| {
        let (kind, letter) = match argument {
            Argument::Number { value, class: None } => (whole_type(*value), 'N'),
            Argument::Number { class: Some(class), .. } => (class.name(), 'N'),
            _ => ("typename", 'T'),
        };
        TemplateParameter { kind: kind.to_owned(), name: format!("{letter}{at}") }
    })
}

/// The type of a number as the graph writes it.
fn whole_type(value: i64) -> &'static str {
    if i32::try_from(value).is_ok() { "int" } else { "long long" }
}
