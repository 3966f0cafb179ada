//! A first source for a kernel: the right signature, and a body that runs and writes zeros.

use std::collections::BTreeSet;

use aiec_collectives::{Call, WindowType};
use aiec_diag::{LISTED, listed};
use aiec_ir::design::{Body, Family, UserPort, local_name, scoped};
use aiec_ir::expanded::{Collective, Expanded};
use aiec_ir::{Carries, Direction, FamilyId, Flow, ParameterType, PortKind};
use askama::Template;

use super::design::elements_of;
use super::{declared, is_async_in_family, kernels, ports_in_family, stub_packets as packets};
use crate::roles::collectives_of;

/// The first text of a kernel source, for the user to fill in.
#[derive(Template)]
#[template(path = "stub.cc.askama", escape = "none")]
pub(crate) struct Stub {
    /// Their definitions, in order.
    functions: Vec<Function>,
    /// The headers that declare them, as the source includes them.
    headers: Vec<String>,
}

/// A definition with the comment above it. The statements of its body are added when all families
/// that it serves are known.
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
    // Each with the families that it serves; one that initializes serves none.
    let mut functions: Vec<(Function, Vec<FamilyId>)> = Vec::new();
    for &(id, body) in bodies {
        let init = body.init.as_ref().map(|init| initialization(&design.families[id], &init.value));
        let own = match body.header {
            Some(_) => declared::definition(design, id, body),
            None => function(design, id, &body.function),
        };
        for (function, family) in init.map(|init| (init, None)).into_iter().chain([(own, Some(id))]) {
            let is_it = |known: &Function| {
                (&known.namespaces, &known.signature) == (&function.namespaces, &function.signature)
            };
            match functions.iter_mut().find(|(known, _)| is_it(known)) {
                Some((_, families)) => families.extend(family),
                None => functions.push((function, family.into_iter().collect())),
            }
        }
    }
    let with_body = |(function, families): (Function, Vec<FamilyId>)| Function {
        body: statements(design, &families),
        ..function
    };
    let functions = functions.into_iter().map(with_body).collect();
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
    let (namespaces, close) = spaces(name);
    let signature = kernels::expected_signature(design, id, scoped(name).1);
    Function { namespaces, close, about: about(design, id), signature, body: Vec::new() }
}

/// The body of the function that serves these families.
fn statements(design: &Expanded, families: &[FamilyId]) -> Vec<String> {
    let Some(&first) = families.first() else { return Vec::new() };
    let ports = (0..).zip(&design.families[first].ports);
    let ports = ports.flat_map(|(number, port)| Port { design, families, number, port }.statements());
    let collectives = collectives_of(design, first).into_iter();
    let calls = collectives.flat_map(|collective| calls(&design.collectives[collective]));
    calls.chain(ports).collect()
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

/// A port of a function: that with this number of each family that it serves.
#[derive(Clone, Copy)]
pub(super) struct Port<'a> {
    pub(super) design: &'a Expanded,
    pub(super) families: &'a [FamilyId],
    pub(super) number: u32,
    /// That of the first family.
    pub(super) port: &'a UserPort,
}

impl Port<'_> {
    /// The statements for the port: an input is read, an output gets zeros. A port of unknown
    /// amount gets a comment.
    fn statements(self) -> Vec<String> {
        let name = self.port.identifier();
        match (self.port.carries, self.port.direction) {
            (Carries::Window { window, .. }, _) => {
                let held = held(self.design, self.families, self.number);
                held.around(&name, self.design.port_kind, self.of_window(window))
            }
            (Carries::Stream(flow) | Carries::Packets(flow), direction) => {
                let of_packets = matches!(self.port.carries, Carries::Packets(_));
                if let Some(lines) = packets::of_branches(self, flow) {
                    return lines;
                }
                match self.elements() {
                    Some(count) if of_packets => packets::one(&name, direction, &words(&count, flow)),
                    Some(count) if direction == Direction::In => {
                        vec![looped(&count, &format!("(void)readincr({name});"))]
                    }
                    Some(count) => vec![looped(&count, &format!("writeincr({name}, {}());", flow.element))],
                    None if of_packets && direction == Direction::In && self.states_all() => {
                        packets::read_to_end(&name)
                    }
                    None => vec![format!("(void){name}; // {}", self.carried())],
                }
            }
            (Carries::Parameter(ParameterType { element, elements }), Direction::Out) => match elements {
                None => vec![format!("{name} = {element}();")],
                Some(elements) => vec![looped(&elements.to_string(), &format!("{name}[i] = {element}();"))],
            },
            (carries, _) => vec![format!("(void){name}; // {carries}")],
        }
    }

    fn of_window(self, window: WindowType) -> Vec<String> {
        let (name, element) = (self.port.identifier(), window.element);
        let is_window = self.design.port_kind == PortKind::Window;
        if self.port.direction == Direction::In {
            let how =
                if is_window { format!("window_readincr({name})") } else { format!("{name}.data()[i]") };
            let elements = self.elements().map_or("all".to_owned(), |_| window.elements.to_string());
            return vec![format!("(void){name}; // {elements} elements of {element}: {how}")];
        }
        let (size, write) = match is_window {
            true => (format!("window_size({name})"), format!("window_writeincr({name}, {element}());")),
            false => (format!("{name}.size()"), format!("{name}.data()[i] = {element}();")),
        };
        vec![looped(&self.elements().unwrap_or(size), &write)]
    }

    /// The elements of one run in C++. Returns None when they are unknown, or differ between the
    /// families.
    pub(super) fn elements(self) -> Option<String> {
        let all: BTreeSet<Option<u32>> =
            self.each().map(|(_, carries)| carries.per_run().map(|block| block.elements)).collect();
        let elements = all.first().copied().flatten().filter(|_| all.len() == 1)?;
        let family = &self.design.families[*self.families.first()?];
        Some(elements_of(self.design, family, self.port, elements))
    }

    /// True if all families state an amount.
    fn states_all(self) -> bool {
        self.each().all(|(_, carries)| carries.per_run().is_some())
    }

    /// What the port carries, with the family where they differ.
    pub(super) fn carried(self) -> String {
        let first = self.port.carries;
        if self.each().all(|(_, carries)| carries == first) {
            return first.to_string();
        }
        let all = self.each().map(|(family, carries)| format!("{carries} of {}", family.name));
        let mut all: Vec<String> = all.collect();
        all.dedup();
        listed(all, LISTED)
    }

    fn each(&self) -> impl Iterator<Item = (&Family, Carries)> {
        let all = self.families.iter().map(|&id| &self.design.families[id]);
        all.filter_map(|family| Some((family, family.ports.get(self.number as usize)?.carries)))
    }
}

/// A statement for each number `i` below `count`.
pub(super) fn looped(count: &str, statement: &str) -> String {
    format!("for (unsigned i = 0; i < {count}; ++i) {statement}")
}

/// The words of 32 bits of `count` elements.
pub(super) fn words(count: &str, flow: Flow) -> String {
    match flow.element.bytes() {
        bytes @ 1..4 => format!("{count} / {}", 4 / bytes),
        4 => count.to_owned(),
        bytes => format!("{} * {count}", bytes / 4),
    }
}

/// Whether the graph or the kernel acquires the windows of a port.
enum Held {
    /// The graph, one before each run.
    ByGraph,
    /// The kernel, because the port is asynchronous.
    ByKernel {
        /// Windows in each run. None when the design does not state it, or states another number
        /// for other kernels.
        windows: Option<u64>,
    },
}

/// Whether the graph or the kernel acquires the windows of port `number` of these families.
fn held(design: &Expanded, families: &[FamilyId], number: u32) -> Held {
    if !families.iter().any(|&family| is_async_in_family(design, family, number)) {
        return Held::ByGraph;
    }
    let ports = families.iter().flat_map(|&family| ports_in_family(design, family, number));
    let counts: BTreeSet<Option<u64>> = ports.map(|port| design.windows_per_run(port)).collect();
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
