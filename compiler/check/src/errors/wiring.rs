//! Errors of connections and ports.

use aiec_diag::{Diagnostic, catalogue};

use super::{and_more, count, fixes, kernels as names, labelled};
use aiec_collectives::Direction;
use aiec_ir::Carries;
use aiec_ir::expanded::{Expanded, Owner, PortRole};
use aiec_ir::{ExternalId, KernelId, PortId};

/// Several connections end at each of these ports, from the same constructs for all.
pub(crate) fn fan_in(design: &Expanded, ports: &[PortId]) -> Diagnostic {
    let port = &design.ports[ports[0]];
    let name = design.port_name(ports[0]);
    let help = match port.owner {
        Owner::Kernel(_) => format!(
            "a port has one producer: give each its own input port, or combine them with `reduce` before `{name}`"
        ),
        Owner::External(_) => "declare one output for each producer".to_owned(),
    };
    let message = format!("{} connections end at {}", port.connections.len(), and_more(&name, ports.len()));
    let labels = port.connections.iter().map(|&id| {
        let from = design.port_name(design.connections[id].from);
        (design.connections[id].span, format!("`{from}` is connected to it"))
    });
    labelled(Diagnostic::new(&catalogue::FAN_IN, message, help), labels)
}

/// The name of these ports of one array: the first, or all of one kernel if they follow each other,
/// such as `a[1..4]`. With the number of kernels that have them.
fn of_array(design: &Expanded, ports: &[PortId]) -> Option<(String, usize)> {
    let owner = design.ports[*ports.first()?].owner;
    let own: Vec<&str> = ports
        .iter()
        .map(|&id| &design.ports[id])
        .filter(|port| port.owner == owner)
        .map(|port| port.name.as_str())
        .collect();
    let element = |name: &str| {
        let (base, index) = name.strip_suffix(']')?.rsplit_once('[')?;
        Some((base.to_owned(), index.parse::<usize>().ok()?))
    };
    let (base, first) = element(own.first()?)?;
    let mut all = (first..).zip(&own);
    let follows = all.all(|(index, name)| element(name) == Some((base.clone(), index)));
    let is_it = follows && own.len() > 1 && ports.len().is_multiple_of(own.len());
    is_it.then(|| (format!("{base}[{first}..{}]", first + own.len()), ports.len() / own.len()))
}

/// These ports, the same port or array of ports of several kernels of a family, are not connected.
pub(crate) fn unconnected_port(design: &Expanded, ports: &[PortId]) -> Diagnostic {
    let port = &design.ports[ports[0]];
    let (local, kernels) = of_array(design, ports).unwrap_or((port.name.clone(), ports.len()));
    let whole = design.port_name(ports[0]);
    let name = whole.strip_suffix(&port.name).map_or(whole.clone(), |kernel| format!("{kernel}{local}"));
    let connect = match port.direction {
        Direction::In => format!("`connect ... -> {name}`"),
        Direction::Out => format!("`connect {name} -> ...`"),
    };
    let (reason, write) = match (port.carries, port.direction) {
        (Some(Carries::Parameter(_)), Direction::In) => {
            ("a parameter needs a value", format!("`input NAME from host(\"data/FILE.txt\")` and {connect}"))
        }
        (Some(Carries::Parameter(_)), Direction::Out) => {
            ("the host reads it back", format!("`output NAME to host` and {connect}"))
        }
        (Some(Carries::Stream(_) | Carries::Packets(_) | Carries::Cascade(_)), direction) => {
            match direction {
                Direction::In => ("a kernel that reads it waits for ever", connect),
                Direction::Out => ("a kernel that writes it waits for ever", connect),
            }
        }
        _ => ("a kernel starts only when all its windows are there", connect),
    };
    let unconnected = and_more(&name, kernels);
    let verb = if ports.len() == 1 { "is" } else { "are" };
    let thing = if port.name == local { "port" } else { "ports" };
    let carries = port.carries.map_or_else(String::new, |carries| carries.to_string());
    Diagnostic::new(
        &catalogue::UNCONNECTED_PORT,
        format!("{unconnected} {verb} not connected; {reason}"),
        format!("write {write}, or take the {thing} `{local}` away"),
    )
    .label(port.span, format!("{thing} `{local}` of {carries}"))
}

/// These inputs or outputs of one declaration are not connected.
pub(crate) fn unused_external(design: &Expanded, externals: &[ExternalId]) -> Diagnostic {
    let external = &design.externals[externals[0]];
    let (what, connect) = match external.direction {
        Direction::Out => ("input", format!("connect {} -> ...", external.name)),
        Direction::In => ("output", format!("connect ... -> {}", external.name)),
    };
    let verb = if externals.len() == 1 { "is" } else { "are" };
    let alone = external.alone;
    let diagnostic = Diagnostic::new(
        &catalogue::UNUSED_EXTERNAL,
        format!(
            "the {what} {} {verb} not connected to anything; the vendor's tools crash on that",
            and_more(&external.name, externals.len())
        ),
        format!("write `{connect}`, or take the {what} away"),
    )
    .label(external.span, format!("nothing is connected to `{}`", external.name));
    fixes::removed(diagnostic, alone, what)
}

/// These kernels of one family have no ports and are in no collective.
pub(crate) fn idle_kernel(design: &Expanded, kernels: &[KernelId]) -> Diagnostic {
    let kernel = &design.kernels[kernels[0]];
    let (have, take) = if kernels.len() == 1 { ("has", "takes") } else { ("have", "take") };
    let family = &design.families[kernel.family].name;
    Diagnostic::new(
        &catalogue::IDLE_KERNEL,
        format!(
            "{} {have} no ports and {take} part in no collective: nothing outside can see what they do",
            names(design, kernels)
        ),
        format!(
            "give `{family}` a port and connect it, name `{}` after `over` of a reduction, or take it away",
            kernel.name
        ),
    )
    .label(kernel.span, "nothing uses this core")
}

/// The design has inputs and no outputs.
pub(crate) fn no_output(design: &Expanded) -> Diagnostic {
    let message = format!(
        "nothing that the {} compute leaves the array: `{}` has no output, and the host reads no parameter",
        count(design.kernels.len() as u64, "kernel"),
        design.name.value
    );
    let help = "declare an output, such as `output y to gmio`, and connect the last kernel to it";
    let inputs = design.externals.iter().map(|external| external.span);
    let first = inputs.chain(design.parameters.iter().map(|parameter| parameter.span)).next();
    Diagnostic::new(&catalogue::NO_WAY_OUT, message, help)
        .label_at(first, "data comes in here, and goes out nowhere")
}

/// No way leads from these kernels to an output.
pub(crate) fn no_way_out(design: &Expanded, kernels: &[KernelId]) -> Diagnostic {
    let (leaves, compute) = if kernels.len() == 1 { ("it", "computes") } else { ("them", "compute") };
    let message = format!(
        "nothing that {} {compute} leaves {leaves}: no output and no parameter of the host is behind {leaves}",
        names(design, kernels)
    );
    let help =
        "connect one of their ports to an output or to a kernel with a way to one, or remove the kernels";
    let labels = kernels.iter().map(|&kernel| {
        (
            design.kernels[kernel].span,
            format!("what `{}` computes reaches no output", design.kernels[kernel].name),
        )
    });
    labelled(Diagnostic::new(&catalogue::NO_WAY_OUT, message, help), labels)
}

/// The reason why a port needs a DMA, as a short phrase.
pub(crate) fn dma_reason(design: &Expanded, port: PortId) -> String {
    let name = design.port_name(port);
    let connections = &design.ports[port].connections;
    let Some(&first) = connections.first() else { return format!("`{name}`") };
    let wire = &design.connections[first];
    let outside = [wire.from, wire.to].into_iter().find(|&end| design.ports[end].role == PortRole::External);
    match outside {
        Some(end) => format!("`{name}` is connected to `{}`, outside the array", design.port_name(end)),
        None if design.is_broadcast(wire.from) => {
            format!("`{}` is broadcast, so that `{name}` needs a DMA", design.port_name(wire.from))
        }
        None => format!("`{}`", design.connection_name(first)),
    }
}
