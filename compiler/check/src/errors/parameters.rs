//! Errors of run-time parameters.

use aiec_diag::{Diagnostic, Span, catalogue};

use super::rates::running;
use super::{and_more, count, fixes, labelled};
use aiec_collectives::Direction;
use aiec_ir::expanded::{Expanded, HostParameter};
use aiec_ir::{Carries, ConnectionId, Decimal, ParameterId, PortId};

/// What a port carries, as the design writes it.
fn carried(design: &Expanded, port: PortId) -> String {
    design.ports[port].carries.map_or_else(|| "nothing".to_owned(), |carries| carries.to_string())
}

/// These connections, all of one `connect`, lead from or to a parameter, but not to one of the same
/// type.
pub(crate) fn mismatch(design: &Expanded, connections: &[ConnectionId]) -> Diagnostic {
    let id = connections[0];
    let wire = &design.connections[id];
    let name = and_more(&design.connection_name(id), connections.len());
    let outside = [wire.from, wire.to].into_iter().find(|&port| design.kernel_of(port).is_none());
    let (message, help) = match outside {
        Some(port) => {
            let name = design.port_name(port);
            let (word, way) = if design.ports[port].direction == Direction::Out {
                ("input", "from")
            } else {
                ("output", "to")
            };
            (
                format!(
                    "`{name}` goes through the array's interface, but a parameter comes from the host or a kernel"
                ),
                format!("declare `{word} {name} {way} host`"),
            )
        }
        None => (
            format!(
                "the ends of {name} do not carry the same parameter: {} and {}",
                carried(design, wire.from),
                carried(design, wire.to)
            ),
            format!(
                "declare both ports with one type, such as `{}: {}`",
                design.ports[wire.to].name,
                carried(design, wire.from)
            ),
        ),
    };
    let labels = [wire.from, wire.to].map(|port| {
        let carries = carried(design, port);
        (design.ports[port].span, format!("`{}` carries {carries}", design.port_name(port)))
    });
    let ends = match outside {
        Some(_) => "a parameter is memory, no stream".to_owned(),
        None => format!("from {} to {}", carried(design, wire.from), carried(design, wire.to)),
    };
    let diagnostic = Diagnostic::new(&catalogue::PARAMETER_TYPE, message, help).label(wire.span, ends);
    let diagnostic = labelled(diagnostic, labels);
    match outside {
        Some(_) => diagnostic,
        None => fixes::same_parameter(diagnostic, design, wire),
    }
}

/// These connections, all of one `connect`, join a synchronous and an asynchronous end.
pub(crate) fn out_of_step(design: &Expanded, connections: &[ConnectionId]) -> Diagnostic {
    let id = connections[0];
    let wire = &design.connections[id];
    let word = |port: PortId| if design.ports[port].asynchronous { "async" } else { "sync" };
    let message = format!(
        "the ends of {} pass their parameter in different ways: `{}` and `{}`",
        and_more(&design.connection_name(id), connections.len()),
        word(wire.from),
        word(wire.to)
    );
    let help = "write `sync` or `async` at one end alone, or the same word at both";
    let labels = [wire.from, wire.to]
        .map(|port| (design.ports[port].span, format!("`{}` is `{}`", design.port_name(port), word(port))));
    let diagnostic = Diagnostic::new(&catalogue::PARAMETER_TYPE, message, help)
        .label(wire.span, "a kernel that waits, and one that does not");
    labelled(diagnostic, labels)
}

/// A parameter of the host leads to ports of two types, such as `first` and `other`.
pub(crate) fn unlike(design: &Expanded, id: ParameterId, first: PortId, other: PortId) -> Diagnostic {
    let host = &design.parameters[id];
    let label = |port: PortId| {
        (design.ports[port].span, format!("`{}` carries {}", design.port_name(port), carried(design, port)))
    };
    let diagnostic = Diagnostic::new(
        &catalogue::PARAMETER_TYPE,
        format!(
            "`{}` is connected to ports of different types: {} and {}",
            host.name,
            carried(design, first),
            carried(design, other)
        ),
        "declare one parameter of the host for each type",
    )
    .label(host.span, "the host gives one value");
    labelled(diagnostic, [label(first), label(other)])
}

fn bad_values(message: String, help: impl Into<String>) -> Diagnostic {
    Diagnostic::new(&catalogue::PARAMETER_VALUES, message, help)
}

/// An output has an initial value.
pub(crate) fn initial_of_output(host: &HostParameter) -> Diagnostic {
    let message = format!("the output `{}` has an initial value, but the host only reads it", host.name);
    bad_values(message, "remove `initial`, or write the value in the kernel")
        .label(host.span, "the kernel gives its values")
}

/// An input has both an initial value and a file.
pub(crate) fn initial_and_file(host: &HostParameter) -> Diagnostic {
    let message = format!("`{}` has both an initial value and a file of values", host.name);
    bad_values(message, "keep `initial` for a value that stays, or the file for values of each run")
        .label(host.span, "two sources of values")
}

/// A synchronous input has an initial value.
pub(crate) fn initial_of_synchronous(design: &Expanded, host: &HostParameter, port: PortId) -> Diagnostic {
    let name = design.port_name(port);
    let message =
        format!("`{}` has an initial value, but `{name}` waits for a new value in every run", host.name);
    let help = format!(
        "declare `{}: {} async`, which keeps its value, or `host(\"data/{}.txt\")` with a value for each run",
        design.ports[port].name,
        carried(design, port),
        host.identifier
    );
    let declared = design.ports[port].span;
    bad_values(message, help)
        .label(host.span, "gives one value")
        .label(declared, "synchronous: takes a value in each run")
        .fix(format!("declare `{name}` as `async`"), [(declared.behind(), " async")])
}

/// An input has more or fewer initial values than its parameter has numbers.
pub(crate) fn initial_count(
    design: &Expanded,
    host: &HostParameter,
    port: PortId,
    needed: u64,
) -> Diagnostic {
    let found = host.values.initial.len();
    let carries = carried(design, port);
    let complex = design.ports[port].carries.and_then(Carries::element).is_some_and(|e| e.is_complex());
    let each = if complex { " (two for each complex value)" } else { "" };
    let given = count(found as u64, "initial number");
    let message = format!("`{}` has {given}, but its {carries} takes {needed}{each}", host.name);
    bad_values(message, format!("write {} behind `initial`", count(needed, "number")))
        .label(host.span, given)
        .label(design.ports[port].span, format!("`{}` takes {needed}", design.port_name(port)))
}

/// The type of the parameter cannot hold an initial value.
pub(crate) fn initial_range(
    design: &Expanded,
    host: &HostParameter,
    port: PortId,
    value: Decimal,
) -> Diagnostic {
    let carries = carried(design, port);
    let message = format!("the initial value {value} of `{}` does not fit its {carries}", host.name);
    let complex = design.ports[port].carries.and_then(Carries::element).is_some_and(|e| e.is_complex());
    let (help, why) = match (value.to_string().contains('.'), complex) {
        (false, _) => {
            ("write a value of that type, or declare the parameter with a wider one", "is out of range")
        }
        (true, false) => ("write a whole number, or declare the parameter as `float`", "is no whole number"),
        (true, true) => ("write a whole number, or declare the parameter as `cfloat`", "is no whole number"),
    };
    bad_values(message, help)
        .label(host.span, format!("{value} {why}"))
        .label(design.ports[port].span, format!("`{}` carries {carries}", design.port_name(port)))
}

/// The ends of a port outside its kernel: parameters of the host and connections.
fn ends(design: &Expanded, port: PortId) -> Vec<(Span, String)> {
    let hosts = design.parameters.iter().filter(|host| host.ports.contains(&port));
    let hosts = hosts.map(|host| (host.span, format!("`{}` of the host is connected to it", host.name)));
    let wires = design.ports[port].connections.iter().map(|&id| {
        let wire = &design.connections[id];
        let other = wire.other(port);
        (wire.span, format!("`{}` is connected to it", design.port_name(other)))
    });
    hosts.chain(wires).collect()
}

/// These inputs take their parameter from several.
pub(crate) fn sources(design: &Expanded, ports: &[PortId]) -> Diagnostic {
    let message = format!("{} takes its parameter from more than one", of_ports(design, ports));
    let help = "connect it to one parameter of the host, or to one kernel";
    with_ends(
        design,
        ports[0],
        Diagnostic::new(&catalogue::FAN_IN, message, help),
        "a parameter has one writer",
    )
}

/// The host reads these parameters, and so do kernels.
pub(crate) fn shared(design: &Expanded, ports: &[PortId]) -> Diagnostic {
    let message = format!("the host reads {}, which a kernel reads, too", of_ports(design, ports));
    let help = "give the host a port of its own, and write the value to both";
    let diagnostic = Diagnostic::new(&catalogue::PARAMETER_SHARED, message, help);
    with_ends(design, ports[0], diagnostic, "two kinds of readers")
}

/// These parameters are given back to several.
pub(crate) fn readers(design: &Expanded, ports: &[PortId]) -> Diagnostic {
    let message = format!("{} gives its parameter to more than one reader", of_ports(design, ports));
    let help = "the vendor documents that for kernels on one core; else give the value through one port for each reader";
    let diagnostic = Diagnostic::new(&catalogue::PARAMETER_READERS, message, help);
    with_ends(design, ports[0], diagnostic, "more than one reader")
}

/// The first of these ports of one declaration, and how many more there are.
fn of_ports(design: &Expanded, ports: &[PortId]) -> String {
    and_more(&design.port_name(ports[0]), ports.len())
}

/// The diagnostic with labels at the port and at its other ends.
fn with_ends(design: &Expanded, port: PortId, diagnostic: Diagnostic, text: &str) -> Diagnostic {
    labelled(diagnostic.label(design.ports[port].span, text), ends(design, port))
}

/// These synchronous ports of one declaration get or give fewer values in an iteration than their
/// kernels run. Each comes with the number of values. `span` is the other end, or the connection.
pub(crate) fn starved(design: &Expanded, ends: &[(PortId, u32)], span: Span) -> Diagnostic {
    let (port, values) = ends[0];
    let end = &design.ports[port];
    let kernel = design.kernel_of(port).map(|kernel| &design.kernels[kernel]);
    let (name, runs) = kernel.map_or(("", 1), |kernel| (kernel.name.as_str(), kernel.repetitions));
    let port_name = and_more(&design.port_name(port), ends.len());
    let waits = match end.direction {
        Direction::In => {
            let values = count(values.into(), "value");
            format!("waits in each run for a new value of {port_name}, which gets {values}")
        }
        Direction::Out => {
            let times = count(values.into(), "time");
            format!("waits in each run until {port_name} is read, which happens {times}")
        }
    };
    let runs = count(runs.into(), "time");
    let message = format!("the graph hangs: `{name}` runs {runs} in an iteration and {waits}");
    let async_ = match end.carries {
        Some(carries) => format!("`{}: {carries} async`", end.name),
        None => "`async`".to_owned(),
    };
    // The kernel at the other end, if that is not the host.
    let wires = end.connections.iter().map(|&id| &design.connections[id]);
    let peer = wires.filter(|wire| wire.span == span).find_map(|wire| design.kernel_of(wire.other(port)));
    let pair = design.kernel_of(port).zip(peer);
    let as_often = pair
        .and_then(|(kernel, peer)| running(design, peer, design.kernels[kernel].repetitions.into(), kernel));
    let as_often = as_often.map_or_else(String::new, |runs| format!("write {runs}, "));
    let help = format!(
        "{as_often}declare {async_}, which keeps its value, or let one run of `{name}` take a whole iteration"
    );
    Diagnostic::new(&catalogue::RATE_MISMATCH, message, help)
        .label(end.span, "synchronous".to_owned())
        .label(span, format!("{} in an iteration", count(values.into(), "value")))
}

/// These parameters of one declaration are not connected.
pub(crate) fn unused(design: &Expanded, parameters: &[ParameterId]) -> Diagnostic {
    let host = &design.parameters[parameters[0]];
    let connect = match host.direction {
        Direction::Out => format!("connect {} -> ...", host.name),
        Direction::In => format!("connect ... -> {}", host.name),
    };
    let verb = if parameters.len() == 1 { "is" } else { "are" };
    let name = and_more(&host.name, parameters.len());
    let diagnostic = Diagnostic::new(
        &catalogue::UNUSED_EXTERNAL,
        format!("the parameter {name} of the host {verb} not connected to anything"),
        format!("write `{connect}`, or remove the declaration"),
    )
    .label(host.span, "declared here");
    fixes::removed(diagnostic, host.alone, "declaration")
}

/// A design for a card has parameters of the host: its server would have to start the graph.
pub(crate) fn of_card(design: &Expanded, span: Span, name: &str, count: usize) -> Diagnostic {
    // On the command line, the board of the design counts for nothing.
    let board = design.written.board.as_ref().filter(|board| board.value == design.board);
    let diagnostic = Diagnostic::new(
        &catalogue::PARAMETER_OF_CARD,
        format!(
            "{} needs a host that starts the graph, but no document shows how the server of a card does so",
            and_more(name, count)
        ),
        "write `board vck190`, or pass the value with the data",
    )
    .label(span, "a parameter of the host");
    match board {
        Some(board) => diagnostic.fix("write `board vck190`", [(board.span, "vck190")]),
        None => diagnostic,
    }
}
