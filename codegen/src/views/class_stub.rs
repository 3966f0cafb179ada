//! A first header and source for a kernel class: its constructor keeps what it gets, and its
//! function runs and writes zeros.

use aiec_ir::design::{Argument, Body, Decimals, scoped};
use aiec_ir::{ElementType, Expanded, FamilyId};
use askama::Template;

use super::kernels;
use super::stub::{self, Function, Stub};

/// The header of a class.
#[derive(Template)]
#[template(path = "stub.h.askama", escape = "none")]
pub(crate) struct ClassStub {
    namespaces: String,
    close: String,
    about: String,
    template: String,
    class: String,
    constructor: String,
    run: String,
    tables: Vec<String>,
    members: Vec<String>,
}

/// A parameter of the constructor.
struct Kept {
    /// The type, with a hole `{}` for the name.
    class: String,
    name: String,
    is_table: bool,
}

/// The header and the source of the class of a body.
pub(crate) fn class_stub(design: &Expanded, id: FamilyId, body: &Body) -> (ClassStub, Stub) {
    let class = &body.function;
    let own = scoped(class).1;
    let (namespaces, close) = stub::spaces(class);
    let run = kernels::expected_signature(design, id, "run");
    let kept: Vec<Kept> = kept(body).collect();
    let template = template_parameters(body);
    let (names, list): (Vec<String>, Vec<String>) =
        template.map(|one| (one.name.clone(), format!("{} {}", one.kind, one.name))).unzip();
    let list = list.join(", ");
    let whole = if names.is_empty() { class.clone() } else { format!("{class}<{}>", names.join(", ")) };
    let function = stub::function(design, id, own);
    let prefix = if list.is_empty() { String::new() } else { format!("template <{list}>\n") };
    let member = kernels::expected_signature(design, id, &format!("{whole}::run"));
    let defined = Function { signature: format!("{prefix}{member}"), ..function };
    let init = body.init.as_ref().map(|init| stub::initialization(&design.families[id], &init.value));
    let header = ClassStub {
        namespaces,
        close,
        about: format!("Kernel `{}` of the design `{}`.", design.families[id].name, design.name.value),
        template: list,
        class: own.to_owned(),
        constructor: constructor(own, &kept),
        run,
        tables: kept.iter().filter(|one| one.is_table).map(|one| format!("{}_", one.name)).collect(),
        members: kept.iter().map(|one| one.class.replace("{}", &format!("{}_", one.name))).collect(),
    };
    (header, Stub { functions: init.into_iter().chain([defined]).collect(), header: Some(beside(body)) })
}

/// The header as its source includes it: relative to the folder of the source.
fn beside(body: &Body) -> String {
    let header = body.header.as_ref().map_or("", |header| header.value.as_str());
    let folder = body.source.value.rsplit_once('/').map_or("", |(folder, _)| folder);
    let up = || "../".repeat(folder.split('/').filter(|part| !part.is_empty()).count());
    match header.strip_prefix(folder).map(|rest| rest.strip_prefix('/').unwrap_or(rest)) {
        Some(rest) if folder.is_empty() || header.len() > folder.len() + rest.len() => rest.to_owned(),
        _ => format!("{}{header}", up()),
    }
}

/// True if one class can serve all bodies: the types of their arguments are equal.
pub(crate) fn is_one_class(bodies: &[Body]) -> bool {
    let kinds = |body: &Body| {
        let kept = kept(body).map(|one| one.class);
        let template = template_parameters(body).map(|one| one.kind);
        let header = body.header.as_ref().map(|header| header.value.clone());
        let files = (body.source.value.clone(), header);
        (body.function.clone(), files, kept.chain(template).collect::<Vec<String>>())
    };
    bodies.windows(2).all(|pair| kinds(&pair[0]) == kinds(&pair[1]))
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
            Argument::Number { class: Some(class), .. } | Argument::Type(class) => number(class.name()),
            Argument::Table { values, class } => table(class.name(), values.len()),
            Argument::Decimals(Decimals::One(_)) => number(ElementType::Float.name()),
            Argument::Decimals(Decimals::Table(values)) => table(ElementType::Float.name(), values.len()),
        };
        Self { class, name: format!("{name}{at}"), is_table }
    }
}

/// A parameter of the class template.
struct TemplateParameter {
    /// The type of a number, or `typename`.
    kind: String,
    name: String,
}

/// The parameters of the template, one for each argument.
fn template_parameters(body: &Body) -> impl Iterator<Item = TemplateParameter> + '_ {
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
