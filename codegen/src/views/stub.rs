//! A first source for a kernel: the right signature, and a body that runs and writes zeros.

use aiec_collectives::Operation;
use aiec_ir::design::{Family, UserPort};
use aiec_ir::expanded::{Collective, Expanded};
use aiec_ir::{CollectiveId, Direction, FamilyId, PortKind};
use askama::Template;

use super::{is_async_in_family, kernels};

/// A kernel source.
#[derive(Template)]
#[template(path = "stub.cc.askama", escape = "none")]
pub(crate) struct Stub {
    functions: Vec<Function>,
}

struct Function {
    about: String,
    signature: String,
    body: Vec<String>,
}

/// The source that defines `families`.
pub(crate) fn stub(design: &Expanded, families: &[FamilyId]) -> Stub {
    Stub { functions: families.iter().map(|&id| function(design, id)).collect() }
}

fn function(design: &Expanded, id: FamilyId) -> Function {
    let family = &design.families[id];
    let ports = (0..).zip(&family.ports).flat_map(|(number, port)| {
        let asynchronous = is_async_in_family(design, id, number);
        match port.direction {
            Direction::In => input(design.port_kind, port, asynchronous),
            Direction::Out => output(design.port_kind, family, port, asynchronous),
        }
    });
    let calls = collectives(design, id).flat_map(|collective| calls(&design.collectives[collective]));
    Function {
        about: format!("Kernel `{}` of the design `{}`.", family.name, design.name.value),
        signature: kernels::expected_signature(design, id),
        body: calls.chain(ports).collect(),
    }
}

/// The collectives of a family, in order of declaration.
fn collectives(design: &Expanded, id: FamilyId) -> impl Iterator<Item = CollectiveId> {
    let kernels = design.kernels.iter().filter(move |kernel| kernel.family == id);
    let memberships = kernels.flat_map(|kernel| &kernel.memberships);
    let all: std::collections::BTreeSet<CollectiveId> = memberships.map(|member| member.collective).collect();
    all.into_iter()
}

fn held(port: &UserPort, kind: PortKind, asynchronous: bool, lines: Vec<String>) -> Vec<String> {
    let call = |what: &str| match kind {
        PortKind::Window => format!("window_{what}({});", port.name),
        PortKind::Buffer => format!("{}.{what}();", port.name),
    };
    let (before, after) = (asynchronous.then(|| call("acquire")), asynchronous.then(|| call("release")));
    before.into_iter().chain(lines).chain(after).collect()
}

fn input(kind: PortKind, port: &UserPort, asynchronous: bool) -> Vec<String> {
    let (name, window) = (&port.name, port.window);
    let how = match kind {
        PortKind::Window => format!("window_readincr({name})"),
        PortKind::Buffer => format!("{name}.data()[i]"),
    };
    let (elements, element) = (window.elements, window.element.name());
    let lines = vec![format!("(void){name}; // {elements} elements of {element}: {how}")];
    held(port, kind, asynchronous, lines)
}

fn output(kind: PortKind, family: &Family, port: &UserPort, asynchronous: bool) -> Vec<String> {
    let (name, element) = (&port.name, port.window.element.name());
    let write = match kind {
        PortKind::Window => format!("window_writeincr({name}, {element}());"),
        PortKind::Buffer => format!("{name}.data()[i] = {element}();"),
    };
    let space = if family.name == "design" { "design_numbers" } else { "design" };
    let count = format!("{space}::{}::{name}_elements", family.name);
    held(port, kind, asynchronous, vec![format!("for (unsigned i = 0; i < {count}; ++i) {write}")])
}

/// The calls of a collective whose arrays are in place; a comment for the others.
fn calls(collective: &Collective) -> Vec<String> {
    let (name, operation) = (&collective.name, collective.operation());
    let window = collective.data.value;
    let call = match operation {
        Operation::Reduce | Operation::Allreduce | Operation::Broadcast | Operation::Scan => {
            format!("comm.{name}.{operation}({name}_data);")
        }
        Operation::Barrier => format!("comm.{name}.barrier();"),
        _ => {
            return vec![
                format!(
                    "// comm.{name}.{operation}(send, recv): blocks of {} elements of {}, {} in each run",
                    window.elements,
                    window.element.name(),
                    crate::lines::counted(collective.calls as usize, "call")
                ),
                "(void)comm;".to_owned(),
            ];
        }
    };
    let (elements, element) = (window.elements, window.element.name());
    let array = (operation != Operation::Barrier)
        .then(|| format!("alignas(32) {element} {name}_data[{elements}] = {{}}; // this rank's elements"));
    let repeated = match collective.calls {
        1 => call,
        calls => format!("for (int call = 0; call < {calls}; ++call) {call}"),
    };
    array.into_iter().chain([repeated]).collect()
}
