//! Run-time parameters of the host: ports of the graph, and the statements that give and read them
//! in the main program of the simulators and in the host program.
//!
//! Each port of a kernel has a port of the graph, since no document shows one that leads to several
//! parameters. An asynchronous parameter is given before a run, and read when the run is over. A
//! synchronous one is given or read while the run waits for it (UG1079, "Runtime Parameter
//! Update/Read Mechanisms").

use aiec_ir::expanded::{DataEnd, HostParameter};
use aiec_ir::{Carries, Decimal, Direction, ElementType, ParameterId, ParameterType, PortId, WindowType};

use super::texts::{cell, quoted};
use super::{Context, host};
use crate::names::{INSTANCE, ParameterGroup};
use crate::scope::Scope;

/// Whole numbers up to this one are numbers of type `float`: its mantissa has 24 bits (IEEE 754).
const EXACT_IN_FLOAT: u64 = 1 << 24;

/// The members of the graph class.
pub(super) fn members<'a>(context: &'a Context<'_>) -> impl Iterator<Item = String> + 'a {
    context.names.parameters.iter().filter_map(|group| {
        let &(first, _) = group.targets.first()?;
        let way = if is_output(context, first) { "inout" } else { "input" };
        let extent = if group.array { format!("[{}]", group.targets.len()) } else { String::new() };
        Some(format!("adf::port<adf::{way}> {}{extent};", group.member))
    })
}

fn is_output(context: &Context<'_>, id: ParameterId) -> bool {
    context.design.parameters[id].direction == Direction::In
}

/// Statements around a run of the graph.
#[derive(Default)]
pub(crate) struct Steps {
    /// They give asynchronous parameters.
    pub before: Vec<String>,
    /// They give synchronous parameters, for which the run waits.
    pub during: Vec<String>,
    /// They read synchronous parameters then, when all that the run waits for is given.
    pub read_during: Vec<String>,
    /// They read what kernels gave back.
    pub after: Vec<String>,
}

/// The parameters in the main program of the simulators.
#[derive(Default)]
pub(super) struct InMain {
    pub values: Vec<String>,
    pub steps: Steps,
    pub finish: Vec<String>,
}

/// A parameter that is in use.
struct Used<'a> {
    id: ParameterId,
    host: &'a HostParameter,
    block: WindowType,
    /// True if it is an array in C++.
    array: bool,
    targets: Vec<Target>,
}

/// A port of the graph for a parameter.
struct Target {
    /// Its expression in the graph, such as `gain[1]`.
    port: String,
    /// The port of a kernel that it leads to.
    kernel: PortId,
}

fn used<'a>(context: &'a Context<'_>) -> impl Iterator<Item = Used<'a>> + 'a {
    context.used_parameters().filter_map(|(id, block)| {
        let host = &context.design.parameters[id];
        let first = *host.ports.first()?;
        let carries = context.design.ports[first].carries;
        let array = matches!(carries, Some(Carries::Parameter(ParameterType { elements: Some(_), .. })));
        let of_group = |group: &ParameterGroup| -> Vec<Target> {
            let all = group.targets.iter().enumerate();
            let mine = all.filter(|(_, target)| target.0 == id);
            mine.map(|(at, target)| Target { port: group.port(at), kernel: target.1 }).collect()
        };
        let targets = context.names.parameters.iter().flat_map(of_group).collect();
        Some(Used { id, host, block, array, targets })
    })
}

/// The statements of the simulators' main program. Their variables take names of `scope`.
pub(super) fn in_main(context: &Context<'_>, scope: &mut Scope) -> InMain {
    let mut main = InMain::default();
    for one in used(context) {
        let variable = scope.fresh(&[one.host.identifier.clone(), format!("{}_values", one.host.identifier)]);
        one.declare(context, &variable, &mut main);
        for target in &one.targets {
            one.step(context, &variable, target, &mut main.steps);
        }
    }
    main
}

impl Used<'_> {
    fn declare(&self, context: &Context<'_>, variable: &str, main: &mut InMain) {
        let WindowType { element, elements } = self.block;
        if !context.design.changes_between_runs(self.id) {
            let initial = literal(element, &self.host.values.initial);
            let line = match self.array {
                true => format!("const {element} {variable}[{elements}] = {{{initial}}};"),
                false => format!("const {element} {variable} = {initial};"),
            };
            return main.values.push(line);
        }
        let count = if elements == 1 { "iterations".to_owned() } else { format!("iterations * {elements}u") };
        main.values.push(format!("std::vector<{element}> {variable}({count});"));
        let file = quoted(&context.file_of(DataEnd::Parameter(self.id)));
        let arguments = format!("({file}, {variable}.data(), {variable}.size())");
        match self.host.direction {
            Direction::Out => main.values.push(format!("if (!aiec::read_values{arguments}) return 1;")),
            Direction::In => main.finish.push(format!("written = aiec::write_values{arguments} && written;")),
        }
    }

    /// The statement that gives the parameter to a port, or reads it from there.
    fn step(&self, context: &Context<'_>, variable: &str, target: &Target, steps: &mut Steps) {
        let Target { port, kernel } = target;
        let elements = self.block.elements;
        let changes = context.design.changes_between_runs(self.id);
        let value = match (changes, self.array) {
            (false, false) => variable.to_owned(),
            (false, true) => format!("{variable}, {elements}"),
            (true, false) => format!("{variable}[run]"),
            (true, true) => format!("&{variable}[run * {elements}], {elements}"),
        };
        let (call, list) = match (self.host.direction, context.design.ports[*kernel].asynchronous) {
            (Direction::In, true) => ("read", &mut steps.after),
            (Direction::In, false) => ("read", &mut steps.read_during),
            (Direction::Out, true) => ("update", &mut steps.before),
            (Direction::Out, false) => ("update", &mut steps.during),
        };
        list.push(format!("{INSTANCE}.{call}({INSTANCE}.{port}, {value});"));
    }
}

/// Numbers as an initializer of C++: those of complex values in pairs.
fn literal(element: ElementType, numbers: &[Decimal]) -> String {
    if !element.is_complex() {
        return literals(element, numbers);
    }
    let pairs: Vec<String> =
        numbers.chunks(2).map(|pair| format!("{{{}}}", literals(element, pair))).collect();
    pairs.join(", ")
}

/// Numbers as literals of C++ that convert to the parts of `element` without narrowing.
fn literals(element: ElementType, numbers: &[Decimal]) -> String {
    let whole = |number: i64| match number {
        i64::MIN => "-9223372036854775807LL - 1".to_owned(),
        number if i32::try_from(number).is_ok_and(|small| small != i32::MIN) => number.to_string(),
        number => format!("{number}LL"),
    };
    let is_exact = |number: i64| !element.is_float() || number.unsigned_abs() <= EXACT_IN_FLOAT;
    let number = |number: &Decimal| {
        number.whole().filter(|&number| is_exact(number)).map_or_else(|| number.literal(), whole)
    };
    numbers.iter().map(number).collect::<Vec<_>>().join(", ")
}

/// The rows of the project's table of inputs and outputs.
pub(super) fn rows<'a>(context: &'a Context<'_>) -> impl Iterator<Item = String> + 'a {
    used(context).map(|one| {
        let way = if is_output(context, one.id) { "output" } else { "input" };
        let file = match context.design.changes_between_runs(one.id) {
            true => cell(&context.file_of(DataEnd::Parameter(one.id))),
            false => "initial value".to_owned(),
        };
        let values = format!("{} {} in a run", one.block.elements, one.block.element);
        format!("| {} | {way}, run-time parameter | {file} | {values} | data memory |", one.host.name)
    })
}

/// A parameter in the host program.
pub(crate) struct HostView {
    /// What it is, in words.
    pub comment: String,
    /// The function that describes its file. None when the value stays.
    pub function: Option<String>,
    /// The statements of that function.
    pub fields: Vec<String>,
    /// The member of the struct of all parameters.
    pub member: String,
    pub output: bool,
    pub steps: Steps,
}

/// The parameters in the host program. Their functions take names of `scope`.
pub(crate) fn in_host(context: &Context<'_>, scope: &mut Scope) -> Vec<HostView> {
    let taken = [
        "aiec",
        "after",
        "before",
        "during",
        "finish",
        "graph",
        "load",
        "read_during",
        "run",
        "std",
        "values",
        "xrt",
    ];
    let mut members = Scope::with(taken);
    used(context).map(|one| one.host_view(context, scope, &mut members)).collect()
}

impl Used<'_> {
    fn host_view(&self, context: &Context<'_>, scope: &mut Scope, members: &mut Scope) -> HostView {
        let base = &self.host.identifier;
        let changes = context.design.changes_between_runs(self.id);
        let member = members.fresh(&[base.clone(), format!("{base}_values")]);
        HostView {
            comment: self.comment(context),
            function: changes.then(|| scope.fresh(&[format!("{base}_parameter")])),
            fields: self.fields(context),
            output: self.host.direction == Direction::In,
            steps: self.host_steps(context, &member),
            member,
        }
    }

    /// The parameter in words.
    fn comment(&self, context: &Context<'_>) -> String {
        let changes = context.design.changes_between_runs(self.id);
        let asynchronous = self.targets.iter().all(|target| context.design.ports[target.kernel].asynchronous);
        let when = match (self.host.direction, changes, asynchronous) {
            (Direction::In, _, true) => "read after each run",
            (Direction::In, _, false) => "read in each run, which waits for it",
            (Direction::Out, false, _) => "given before the first run",
            (Direction::Out, true, true) => "given before each run",
            (Direction::Out, true, false) => "given in each run, which waits for it",
        };
        let WindowType { element, elements } = self.block;
        let shape = if self.array { format!("{element}[{elements}]") } else { element.to_string() };
        format!("Run-time parameter {}: {shape}, {when}.", self.host.name)
    }

    /// The statements that describe the file.
    fn fields(&self, context: &Context<'_>) -> Vec<String> {
        let (number, parts) = host::host_numbers(self.block.element);
        let end = DataEnd::Parameter(self.id);
        let first =
            self.targets.first().map_or_else(String::new, |target| self.xrt_name(context, target.kernel));
        let mut fields = vec![
            format!("port.name = {};", quoted(&self.host.name)),
            format!("port.handle = {first};"),
            format!("port.file = {};", quoted(&context.file_of(end))),
        ];
        let golden = context.names.golden.get(&end);
        fields.extend(golden.map(|golden| format!("port.golden = {};", quoted(golden))));
        fields.push(format!("port.type = aiec::number::{number};"));
        fields.extend((parts > 1).then(|| format!("port.parts = {parts};")));
        let output = self.host.direction == Direction::In;
        fields.extend(output.then(|| "port.is_output = true;".to_owned()));
        fields.push(format!("port.elements = std::size_t{{iterations}} * {};", self.block.elements));
        fields
    }

    /// The name of a kernel's port in XRT, as a literal.
    fn xrt_name(&self, context: &Context<'_>, port: PortId) -> String {
        quoted(&context.hierarchical(&context.port(port)))
    }

    /// The statements around a run. XRT takes and gives objects of the size of the parameter.
    fn host_steps(&self, context: &Context<'_>, member: &str) -> Steps {
        let (number, parts) = host::host_numbers(self.block.element);
        let scalar = number_type(number);
        let count = u64::from(self.block.elements) * parts;
        let array = self.array || parts > 1;
        let kind = if array { format!("std::array<{scalar}, {count}>") } else { scalar.to_owned() };
        // An array of a class needs braces of its own.
        let numbers = literals(self.block.element, &self.host.values.initial);
        let value = match (context.design.changes_between_runs(self.id), array) {
            (true, _) => format!("aiec::values_of<{kind}>({member}, run)"),
            (false, true) => format!("{kind}{{{{{numbers}}}}}"),
            (false, false) => format!("{kind}{{{numbers}}}"),
        };
        let mut steps = Steps::default();
        for &Target { kernel: port, .. } in &self.targets {
            let name = self.xrt_name(context, port);
            match (self.host.direction, context.design.ports[port].asynchronous) {
                (Direction::Out, true) => steps.before.push(format!("graph.update({name}, {value});")),
                (Direction::Out, false) => steps.during.push(format!("graph.update({name}, {value});")),
                (Direction::In, asynchronous) => {
                    let list = if asynchronous { &mut steps.after } else { &mut steps.read_during };
                    list.extend([
                        "{".to_owned(),
                        format!("    {kind} values{{}};"),
                        format!("    graph.read({name}, values);"),
                        format!("    aiec::keep({member}, run, values);"),
                        "}".to_owned(),
                    ]);
                }
            }
        }
        steps
    }
}

/// The C++ type of a kind of number of the host program.
fn number_type(number: &str) -> &'static str {
    match number {
        "int8" => "std::int8_t",
        "uint8" => "std::uint8_t",
        "int16" => "std::int16_t",
        "uint16" => "std::uint16_t",
        "int32" => "std::int32_t",
        "uint32" => "std::uint32_t",
        "int64" => "std::int64_t",
        "uint64" => "std::uint64_t",
        _ => "float",
    }
}
