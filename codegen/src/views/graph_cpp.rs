//! `aie/graph.cpp`: the graph instance and the main program of the simulators.
//!
//! Transfers from and to global memory start before the run, outputs first. The program reads
//! received data when the graph has ended.

use aiec_ir::design::{Endpoint, Family};
use aiec_ir::{Direction, ExternalId};
use askama::Template;

use super::parameters::{self, Steps};
use super::texts::numbered;
use super::{Context, UsedExternal};
use crate::names::{INSTANCE, outermost};
use crate::scope::Scope;

/// The fields of the template of `aie/graph.cpp`.
#[derive(Template)]
#[template(path = "graph.cpp.askama", escape = "none")]
pub(crate) struct GraphCpp<'a> {
    stamp: &'a str,
    class: &'a str,
    instance: &'static str,
    iterations: u32,
    has_outputs: bool,
    /// True if each run is started by itself: parameters of the host change between runs.
    one_by_one: bool,
    /// Statements that declare the values of run-time parameters and read those of inputs.
    values: Vec<String>,
    /// Statements around a run that give and read parameters.
    steps: Steps,
    /// Statements that get memory and fill that of inputs.
    memory: Vec<String>,
    start: Vec<String>,
    wait: Vec<String>,
    /// Statements that write the received data and free the memory.
    finish: Vec<String>,
}

/// The main program of the simulators, which runs the graph.
pub(crate) fn graph_cpp<'a>(context: &'a Context<'a>) -> GraphCpp<'a> {
    let mut scope = scope(context);
    let transfers = transfers(context, &mut scope);
    let parameters = parameters::in_main(context, &mut scope);
    let outputs = || transfers.iter().filter(|transfer| transfer.is_output);
    let inputs = || transfers.iter().filter(|transfer| !transfer.is_output);
    let all = |statements: fn(&Transfer) -> Vec<String>| transfers.iter().flat_map(statements).collect();
    GraphCpp {
        stamp: &context.stamp,
        class: &context.names.graph,
        instance: INSTANCE,
        iterations: context.design.iterations,
        has_outputs: outputs().next().is_some() || !parameters.finish.is_empty(),
        one_by_one: context.design.runs_one_by_one(),
        values: parameters.values,
        steps: parameters.steps,
        memory: all(Transfer::memory),
        start: outputs().chain(inputs()).flat_map(Transfer::start).collect(),
        wait: outputs().flat_map(Transfer::wait).collect(),
        finish: outputs()
            .flat_map(Transfer::write)
            .chain(parameters.finish)
            .chain(transfers.iter().flat_map(Transfer::free))
            .collect(),
    }
}

/// True if the main program reads or writes data files.
pub(crate) fn reads_files(context: &Context<'_>) -> bool {
    gmio(context).next().is_some()
        || context.used_parameters().any(|(id, _)| context.design.changes_between_runs(id))
}

/// The names that are taken in the main program.
fn scope(context: &Context<'_>) -> Scope {
    let taken = ["adf", "aiec", "std", "main", "i", "iterations", "run", "written", INSTANCE];
    let functions = context.design.families.iter().flat_map(|family| &family.bodies);
    let functions = functions.map(|body| outermost(&body.function));
    let families = context.design.families.iter().map(Family::identifier).chain(functions);
    let taken = taken.iter().map(|&name| name.to_owned());
    Scope::with(taken.chain(families).chain([context.names.graph.clone()]))
}

/// The GMIO inputs and outputs in use.
pub(crate) fn gmio<'a>(context: &'a Context<'_>) -> impl Iterator<Item = UsedExternal> + 'a {
    let is_gmio = |id: ExternalId| matches!(context.design.externals[id].endpoint, Endpoint::Gmio { .. });
    context.used_externals().filter(move |one| is_gmio(one.id))
}

/// True if data leaves the array here.
pub(crate) fn is_output(context: &Context<'_>, id: ExternalId) -> bool {
    context.design.externals[id].direction == Direction::In
}

/// A GMIO port with its memory in `main`, or an array of equal ones.
struct Transfer {
    is_output: bool,
    element: &'static str,
    /// The variable.
    memory: String,
    /// The constant with the elements of each, and its value.
    elements: (String, String),
    /// The constant with the number of ports and its value, of an array.
    count: Option<(String, usize)>,
    /// Expressions for the member of the graph, such as `lanes[i]`, and the file.
    member: String,
    file: String,
}

/// The GMIO ports in use, arrays of equal ones in one.
fn transfers(context: &Context<'_>, scope: &mut Scope) -> Vec<Transfer> {
    let mut found = Vec::new();
    for group in &context.names.externals {
        let used: Vec<UsedExternal> = gmio(context).filter(|one| group.instances.contains(&one.id)).collect();
        match transfer(context, &used, &mut scope.clone(), &group.member) {
            Some(_) if used.len() > 1 => found.extend(transfer(context, &used, scope, &group.member)),
            _ => found.extend(
                used.iter()
                    .filter_map(|one| transfer(context, &[*one], scope, &context.names.memory[one.id])),
            ),
        }
    }
    found
}

/// The transfer of these ports, which differ only by their number. Returns None when they differ
/// otherwise, or when there are no ports.
fn transfer(context: &Context<'_>, used: &[UsedExternal], scope: &mut Scope, base: &str) -> Option<Transfer> {
    let &UsedExternal { id: first, traffic } = used.first()?;
    let files: Vec<&str> = used.iter().map(|one| context.names.data[one.id].as_str()).collect();
    let file = numbered(&files, "std::to_string(i)")?;
    if used.iter().any(|other| other.traffic != traffic) {
        return None;
    }
    let member = context.names.external(first);
    let is_array = used.len() > 1;
    let member = if is_array { format!("{}[i]", member.strip_suffix("[0]")?) } else { member };
    let memory = scope.fresh(&[base.to_owned()]);
    let per_run = traffic.windows / u64::from(context.design.iterations).max(1);
    Some(Transfer {
        is_output: is_output(context, first),
        element: traffic.window.element.name(),
        elements: (
            scope.fresh(&[format!("{base}_elements")]),
            format!("std::size_t{{iterations}} * {per_run} * {}", traffic.window.elements),
        ),
        count: is_array.then(|| (scope.fresh(&[format!("{base}_count")]), used.len())),
        memory,
        member,
        file,
    })
}

impl Transfer {
    /// These statements once, or for every port of an array.
    fn each(&self, statements: Vec<String>) -> Vec<String> {
        match &self.count {
            None => statements,
            Some((count, _)) => {
                let inner = statements.into_iter().map(|statement| format!("    {statement}"));
                let head = format!("for (unsigned i = 0; i < {count}; ++i) {{");
                [head].into_iter().chain(inner).chain(["}".to_owned()]).collect()
            }
        }
    }

    /// The memory of one port.
    fn one(&self) -> String {
        if self.count.is_some() { format!("{}[i]", self.memory) } else { self.memory.clone() }
    }

    fn memory(&self) -> Vec<String> {
        let Self { element, memory, elements: (elements, value), file, .. } = self;
        let mut lines = vec![format!("constexpr std::size_t {elements} = {value};")];
        let taken = format!("static_cast<{element} *>(adf::GMIO::malloc({elements} * sizeof({element})));");
        let mut filled = Vec::new();
        if let Some((count, number)) = &self.count {
            lines.push(format!("constexpr unsigned {count} = {number};"));
            lines.push(format!("{element} *{memory}[{count}];"));
            filled.push(format!("{} = {taken}", self.one()));
        } else {
            lines.push(format!("{element} *{memory} = {taken}"));
        }
        if !self.is_output {
            filled.push(format!("if (!aiec::read_values({file}, {}, {elements})) return 1;", self.one()));
        }
        if !filled.is_empty() {
            lines.extend(self.each(filled));
        }
        lines
    }

    fn start(&self) -> Vec<String> {
        let call = if self.is_output { "aie2gm_nb" } else { "gm2aie_nb" };
        let (member, memory, elements) = (&self.member, self.one(), &self.elements.0);
        self.each(vec![format!(
            "{INSTANCE}.{member}.{call}({memory}, {elements} * sizeof({}));",
            self.element
        )])
    }

    fn wait(&self) -> Vec<String> {
        self.each(vec![format!("{INSTANCE}.{}.wait();", self.member)])
    }

    fn write(&self) -> Vec<String> {
        let (file, memory, elements) = (&self.file, self.one(), &self.elements.0);
        self.each(vec![format!("written = aiec::write_values({file}, {memory}, {elements}) && written;")])
    }

    fn free(&self) -> Vec<String> {
        self.each(vec![format!("adf::GMIO::free({});", self.one())])
    }
}
