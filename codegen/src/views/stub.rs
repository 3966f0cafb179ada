//! A first source for a kernel: the right signature, and a body that runs and writes zeros.

use std::collections::BTreeSet;

use aiec_collectives::Call;
use aiec_ir::design::{Body, Family, UserPort, local_name, scoped};
use aiec_ir::expanded::{Collective, Expanded};
use aiec_ir::{Carries, CollectiveId, Direction, FamilyId, Flow, ParameterType, PortKind};
use askama::Template;

use super::design::elements_of;
use super::{declared, is_async_in_family, kernels, ports_in_family};

/// The first text of a kernel source, for the user to fill in.
#[derive(Template)]
#[template(path = "stub.cc.askama", escape = "none")]
pub(crate) struct Stub {
    /// Their definitions, in order.
    functions: Vec<Function>,
    /// The headers that declare them, as the source includes them.
    headers: Vec<String>,
}

/// A definition with the comment above it.
pub(super) struct Function {
    /// The namespaces that it opens, and what closes them. Empty if there are none.
    pub(super) namespaces: String,
    pub(super) close: String,
    pub(super) about: String,
    pub(super) signature: String,
    pub(super) body: Vec<String>,
}

/// The source that defines the functions of these bodies, each of a family, with the
/// initialization functions that they name.
pub(crate) fn stub(design: &Expanded, bodies: &[(FamilyId, &Body)]) -> Stub {
    let mut functions: Vec<Function> = Vec::new();
    for &(id, body) in bodies {
        functions.extend(body.init.as_ref().map(|init| initialization(&design.families[id], &init.value)));
        functions.push(match body.header {
            Some(_) => declared::definition(design, id, body),
            None => function(design, id, &body.function),
        });
    }
    let mut seen = BTreeSet::new();
    functions.retain(|function| seen.insert((function.namespaces.clone(), function.signature.clone())));
    let mut headers: Vec<String> = Vec::new();
    for header in bodies.iter().filter_map(|(_, body)| declared::beside(body)) {
        if !headers.contains(&header) {
            headers.push(header);
        }
    }
    Stub { functions, headers }
}

/// The function that the graph calls once before the first run of a kernel (UG1079,
/// `initialization_function`).
fn initialization(family: &Family, name: &str) -> Function {
    let (namespaces, close) = spaces(name);
    Function {
        namespaces,
        close,
        about: format!("Called once, before the first run of kernel `{}`.", family.name),
        signature: format!("void {}()", scoped(name).1),
        body: Vec::new(),
    }
}

/// The definition of the function `name` of a family.
pub(super) fn function(design: &Expanded, id: FamilyId, name: &str) -> Function {
    let family = &design.families[id];
    let ports = (0..)
        .zip(&family.ports)
        .flat_map(|(number, declared)| port(design, family, declared, &held(design, id, number)));
    let calls = collectives(design, id).flat_map(|collective| calls(&design.collectives[collective]));
    let (namespaces, close) = spaces(name);
    Function {
        namespaces,
        close,
        about: about(design, id),
        signature: kernels::expected_signature(design, id, scoped(name).1),
        body: calls.chain(ports).collect(),
    }
}

/// The comment above the function or class of a family.
pub(super) fn about(design: &Expanded, id: FamilyId) -> String {
    format!("Kernel `{}` of the design `{}`.", design.families[id].name, design.name.value)
}

/// The lines that open and close the namespaces around a function or class.
pub(super) fn spaces(function: &str) -> (String, String) {
    let (open, close) = kernels::namespaces(function);
    (open.trim_end().to_owned(), close.trim_start().to_owned())
}

/// The collectives of a family, in order of declaration.
fn collectives(design: &Expanded, id: FamilyId) -> impl Iterator<Item = CollectiveId> {
    let kernels = design.kernels.iter().filter(move |kernel| kernel.family == id);
    let memberships = kernels.flat_map(|kernel| &kernel.memberships);
    let all: BTreeSet<CollectiveId> = memberships.map(|member| member.collective).collect();
    all.into_iter()
}

/// The statements for one port: an input is read, an output gets zeros. A port of unknown amount
/// gets a comment.
fn port(design: &Expanded, family: &Family, port: &UserPort, held: &Held) -> Vec<String> {
    let name = port.identifier();
    let loop_over = |elements, statement: String| {
        let count = elements_of(design, family, port, elements);
        vec![format!("for (unsigned i = 0; i < {count}; ++i) {statement}")]
    };
    match (port.carries, port.direction) {
        (Carries::Window { window, .. }, Direction::In) => {
            let how = match design.port_kind {
                PortKind::Window => format!("window_readincr({name})"),
                PortKind::Buffer => format!("{name}.data()[i]"),
            };
            let (elements, element) = (window.elements, window.element);
            let lines = vec![format!("(void){name}; // {elements} elements of {element}: {how}")];
            held.around(&name, design.port_kind, lines)
        }
        (Carries::Window { window, .. }, Direction::Out) => {
            let element = window.element;
            let write = match design.port_kind {
                PortKind::Window => format!("window_writeincr({name}, {element}());"),
                PortKind::Buffer => format!("{name}.data()[i] = {element}();"),
            };
            held.around(&name, design.port_kind, loop_over(window.elements, write))
        }
        (Carries::Stream(Flow { per_run: Some(elements), .. }), Direction::In) => {
            loop_over(elements, format!("(void)readincr({name});"))
        }
        (Carries::Stream(Flow { per_run: Some(elements), element }), Direction::Out) => {
            loop_over(elements, format!("writeincr({name}, {element}());"))
        }
        (Carries::Parameter(ParameterType { element, elements }), Direction::Out) => match elements {
            None => vec![format!("{name} = {element}();")],
            Some(elements) => {
                vec![format!("for (unsigned i = 0; i < {elements}; ++i) {name}[i] = {element}();")]
            }
        },
        (carries, _) => vec![format!("(void){name}; // {carries}")],
    }
}

/// Whether the graph or the kernel acquires the windows of a port.
enum Held {
    /// The graph, one before each run.
    ByGraph,
    /// The kernel, because the port is asynchronous.
    ByKernel {
        /// Windows in each run. None when the design does not state it, or states another number
        /// for other kernels of the family.
        windows: Option<u64>,
    },
}

/// Whether the graph or the kernel acquires the windows of port `number` of a family.
fn held(design: &Expanded, family: FamilyId, number: u32) -> Held {
    if !is_async_in_family(design, family, number) {
        return Held::ByGraph;
    }
    let counts: BTreeSet<Option<u64>> =
        ports_in_family(design, family, number).map(|port| design.windows_per_run(port)).collect();
    let only = counts.first().copied().flatten().filter(|_| counts.len() == 1);
    Held::ByKernel { windows: only }
}

impl Held {
    /// The statements for one window of port `name`, with those that acquire and release it, once
    /// for each window of a run.
    fn around(&self, name: &str, kind: PortKind, lines: Vec<String>) -> Vec<String> {
        let Self::ByKernel { windows } = self else { return lines };
        let call = |what: &str| match kind {
            PortKind::Window => format!("window_{what}({name});"),
            PortKind::Buffer => format!("{name}.{what}();"),
        };
        let one: Vec<String> = [call("acquire")].into_iter().chain(lines).chain([call("release")]).collect();
        match windows {
            Some(1) => one,
            Some(count) => {
                let head = format!("for (unsigned window = 0; window < {count}; ++window) {{");
                let inside = one.into_iter().map(|line| format!("    {line}"));
                [head].into_iter().chain(inside).chain(["}".to_owned()]).collect()
            }
            None => {
                let open = format!("// as many windows of {name} in each run as this function decides");
                [open].into_iter().chain(one).collect()
            }
        }
    }
}

/// The calls of a collective; a comment where they need two arrays.
fn calls(collective: &Collective) -> Vec<String> {
    let (name, operation) = (local_name(&collective.name), collective.operation());
    let (elements, element) = (collective.data.value.elements, collective.data.value.element.name());
    let (array, call) = match operation.row().call {
        Call::InPlace => {
            let array =
                format!("alignas(32) {element} {name}_data[{elements}] = {{}}; // this rank's elements");
            (Some(array), format!("comm.{name}.{operation}({name}_data);"))
        }
        Call::Plain => (None, format!("comm.{name}.{}();", operation.row().called())),
        Call::Opened => {
            let times = crate::lines::counted(collective.calls as usize, "opening");
            return vec![
                format!(
                    "// comm.{name}.open_send(), comm.{name}.open_receive(): up to {elements} elements of {element}, {times} in each run"
                ),
                "(void)comm;".to_owned(),
            ];
        }
        Call::SendReceive => {
            let calls = crate::lines::counted(collective.calls as usize, "call");
            return vec![
                format!(
                    "// comm.{name}.{operation}(send, recv): blocks of {elements} elements of {element}, {calls} in each run"
                ),
                "(void)comm;".to_owned(),
            ];
        }
    };
    let repeated = match collective.calls {
        1 => call,
        calls => format!("for (int call = 0; call < {calls}; ++call) {call}"),
    };
    array.into_iter().chain([repeated]).collect()
}
