//! Errors of windows.

use aiec_diag::{Diagnostic, Span, Spanned, catalogue, listed};

pub(crate) use super::fixes::Size;
use super::{MOST_NAMES, and_more, fixes, labelled, size};
use aiec_collectives::{Operator, ReduceOp, WindowType};
use aiec_ir::expanded::{Collective, Connection, Expanded, Owner};
use aiec_ir::{Carries, ConnectionId, Direction, PortId};

/// The two ends of these connections, all of one `connect`, carry different windows.
pub(crate) fn mismatch(design: &Expanded, connections: &[ConnectionId]) -> Diagnostic {
    let id = connections[0];
    let wire = &design.connections[id];
    let name = and_more(&design.connection_name(id), connections.len());
    let window =
        |port: PortId| design.ports[port].window().map_or_else(String::new, |window| window.to_string());
    let element = |port: PortId| design.ports[port].window().map(|window| window.element);
    let (from, to) = (window(wire.from), window(wire.to));
    let (code, what) = if element(wire.from) == element(wire.to) {
        (&catalogue::SIZE_MISMATCH, "windows of different sizes")
    } else {
        (&catalogue::TYPE_MISMATCH, "different element types")
    };
    let message = format!("the ends of {name} have {what}: {from} and {to}");
    let help = format!(
        "declare `{}` and `{}` with the same window, such as `window {from}`",
        design.port_name(wire.from),
        design.port_name(wire.to)
    );
    let mut diagnostic =
        Diagnostic::new(code, message, help).label(wire.span, format!("from {from} to {to}"));
    for port in [wire.from, wire.to] {
        let (span, text) = origin(design, wire, port);
        if span != wire.span {
            diagnostic = diagnostic.label(span, text);
        }
    }
    match element(wire.from) == element(wire.to) {
        true => fixes::same_size(diagnostic, design, wire),
        false => fixes::same_element(diagnostic, design, wire),
    }
}

/// Source location and text for the window at one end of a connection. The window of an input or
/// output comes from another connection.
fn origin(design: &Expanded, wire: &Connection, port: PortId) -> (Span, String) {
    let end = &design.ports[port];
    let window = end.window().map_or_else(String::new, |window| window.to_string());
    let other =
        end.connections.iter().map(|&id| &design.connections[id]).find(|other| other.span != wire.span);
    match (end.owner, other) {
        (Owner::External(_), Some(other)) => {
            (other.span, format!("`{}` carries {window} because of this connection", design.port_name(port)))
        }
        _ => (end.span, format!("`{}` is {window}", design.port_name(port))),
    }
}

/// A window as it is declared, or the amount of a stream.
pub(crate) struct Declared {
    /// The declaration, as messages name it.
    pub name: String,
    /// The declared type.
    pub window: WindowType,
    /// Source location of the declaration.
    pub span: Span,
    /// The place of its size. None when a remedy cannot rewrite it.
    pub size: Option<Size>,
}

/// A declared window has fewer bytes than the smallest transfer.
pub(crate) fn too_small(declared: &Declared, smallest: u64) -> Diagnostic {
    let window = declared.window;
    let least = sized(window, smallest);
    let diagnostic = Diagnostic::new(
        &catalogue::WINDOW_TOO_SMALL,
        format!("the window of {} has {} bytes; the smallest has {smallest}", declared.name, window.bytes()),
        format!("use at least {least}"),
    )
    .label(declared.span, format!("{window} is {} bytes", window.bytes()));
    fixes::resize(diagnostic, declared.size, least)
}

/// A declared window is not a whole number of words of `word` bytes.
pub(crate) fn not_words(declared: &Declared, word: u64) -> Diagnostic {
    let window = declared.window;
    let padded = sized(window, window.bytes().next_multiple_of(word));
    let diagnostic = Diagnostic::new(
        &catalogue::WINDOW_NOT_WORDS,
        format!(
            "the window of {} has {} bytes, which is not a whole number of {}-bit words; DMA and streams move words",
            declared.name,
            window.bytes(),
            word * 8
        ),
        format!("pad the window to {padded}"),
    )
    .label(declared.span, format!("{window} is {} bytes", window.bytes()));
    fixes::resize(diagnostic, declared.size, padded)
}

/// A declared window is not a whole number of vectors of `vector` bytes.
pub(crate) fn odd_window(declared: &Declared, vector: u64) -> Diagnostic {
    let (name, bytes) = (&declared.name, declared.window.bytes());
    let padded = sized(declared.window, bytes.next_multiple_of(vector));
    let diagnostic = Diagnostic::new(
        &catalogue::ODD_WINDOW,
        format!("the window of {name} has {bytes} bytes, no multiple of the {vector} bytes of a vector load"),
        format!("{padded} is whole vectors: pad the window, or process several blocks in one run"),
    )
    .label(declared.span, format!("{} bytes remain behind the last whole vector", bytes % vector));
    fixes::resize(diagnostic, declared.size, padded)
}

/// The amount that a stream or packet port states is not a whole number of words of `word` bytes.
pub(crate) fn odd_amount(declared: &Declared, what: &str, word: u64) -> Diagnostic {
    let amount = declared.window;
    let padded = sized(amount, amount.bytes().next_multiple_of(word));
    let diagnostic = Diagnostic::new(
        &catalogue::WINDOW_NOT_WORDS,
        format!(
            "{} passes {} bytes in a run, which is not a whole number of {}-bit words; streams move words",
            declared.name,
            amount.bytes(),
            word * 8
        ),
        format!("let a run pass a whole number of words: `{what} {padded}`"),
    )
    .label(declared.span, format!("{amount} is {} bytes", amount.bytes()));
    fixes::resize(diagnostic, declared.size, padded)
}

/// The smallest window with the elements of `window` and at least `bytes` bytes.
fn sized(window: WindowType, bytes: u64) -> WindowType {
    let elements = bytes.div_ceil(u64::from(window.element.bytes()).max(1));
    WindowType { elements: u32::try_from(elements).unwrap_or(u32::MAX), ..window }
}

/// The ports of one declaration whose buffers do not fit a module.
pub(crate) struct Large {
    /// The one that needs the most.
    pub port: PortId,
    /// Ports in all: instances of a family or component.
    pub number: usize,
    /// Source location of the declaration.
    pub span: Span,
}

/// The `buffers` buffers of `port` must lie in one module together, have `bytes` bytes and do not
/// fit. `places` are all declarations with its type that do not fit; `port` needs the most.
/// `module` and `most` are the bytes of a module and of the largest block that fits.
pub(crate) fn too_large(
    design: &Expanded,
    port: PortId,
    places: &[Large],
    buffers: u64,
    bytes: u64,
    [module, most]: [u64; 2],
) -> Diagnostic {
    let name_of = |one: &Large| and_more(&design.port_name(one.port), one.number);
    let worst = places.iter().find(|one| one.port == port);
    let name = worst.map_or_else(String::new, name_of);
    let (s, takes) = match worst.is_some_and(|one| one.number > 1) {
        true => ("s", format!("take up to {} each", size(bytes))),
        false => ("", format!("takes {}", size(bytes))),
    };
    let window = design.block(port);
    let is_parameter = matches!(design.ports[port].carries, Some(Carries::Parameter(_)));
    let most = window.map_or(0, |window| most / u64::from(window.element.bytes()));
    let element = window.map_or("", |window| window.element.name());
    let limit = match design.is_adf() {
        true => size(most * window.map_or(1, |window| u64::from(window.element.bytes()))),
        false => format!("{element}[{most}]"),
    };
    let (window_alone, margin) = match design.ports[port].carries {
        Some(Carries::Window { window, margin }) if margin > 0 => (Some(window), margin),
        _ => (window, 0),
    };
    let together = if margin > 0 { " for window and margin together" } else { "" };
    let one = window.map_or(0, WindowType::bytes);
    // `buffer single` does not help if one buffer is too large by itself. A parameter that a kernel
    // gives takes none.
    let takes_single =
        !design.is_table(port) && (!is_parameter || design.ports[port].direction == Direction::In);
    let fits_once = buffers > 1 && takes_single && bytes.saturating_sub(one) <= module;
    let single = match worst.map_or(0, |one| one.number) {
        _ if !fits_once => String::new(),
        1 => format!("write `buffer single` behind the connection of `{}`, or ", design.port_name(port)),
        _ => "write `buffer single` behind their connections, or ".to_owned(),
    };
    let (message, help) = if design.is_table(port) {
        let message = format!("the table{s} {name} {takes}, but a memory module has {}", size(module));
        (message, "divide it into several tables".to_owned())
    } else if is_parameter {
        let message = format!(
            "the buffers of the parameter{s} {name} {}, but a memory module has {}{}",
            takes.replace("takes", "take"),
            size(module),
            if design.stays_in_one_module(port) {
                match buffers {
                    0 | 1 => ": the buffer and a selector word lie in one",
                    _ => ": both buffers and a selector word lie in one",
                }
            } else {
                ""
            }
        );
        (message, format!("{single}use at most {limit}, several parameters, or a window"))
    } else if buffers > 1 {
        let pair = "the two buffers that a DMA serves lie in one module";
        let message = format!(
            "the ping-pong window{s} of {name} {takes}, but a memory module has {}: {pair}",
            size(module)
        );
        (message, format!("{single}use at most {limit}{together} and send the data in parts"))
    } else {
        let message = format!("the window{s} of {name} {takes}, but a memory module has {}", size(module));
        (message, format!("use at most {limit}{together} and send the data in parts"))
    };
    let others = || places.iter().filter(|other| other.port != port);
    let message = match others().map(|other| other.number).sum::<usize>() {
        0 => message,
        1 => format!("{message}; {} is too large, too", listed(others().map(name_of), MOST_NAMES)),
        _ => format!("{message}; {} are too large, too", listed(others().map(name_of), MOST_NAMES)),
    };
    let named = window_alone.map_or_else(String::new, |window| constants(design, window.elements));
    let text = match (window_alone, margin) {
        (None, _) => String::new(),
        (Some(window), 0) => format!("{window} is {one} bytes"),
        (Some(window), margin) => format!("{window} and its margin of {margin} are {one} bytes"),
    };
    let diagnostic = Diagnostic::new(&catalogue::WINDOW_TOO_LARGE, message, format!("{help}{named}"));
    let diagnostic = labelled(diagnostic, places.iter().map(|one| (one.span, text.clone())));
    match fits_once {
        true => fixes::single(diagnostic, design, places.iter().map(|one| one.port)),
        false => diagnostic,
    }
}

/// The constants of the design with this value, to be added to a help.
fn constants(design: &Expanded, value: u32) -> String {
    let named = design.constants.iter().filter(|(_, number)| *number == i64::from(value));
    let named: Vec<String> = named.map(|(name, _)| format!("`const {name}`")).collect();
    match named.len() {
        0 => String::new(),
        1 => format!("; {} is {value}", named[0]),
        _ => format!("; {} are {value}", listed(named, MOST_NAMES)),
    }
}

/// The result of a collective leaves the ranks, but is not a whole number of windows.
pub(crate) fn chunk_tail(collective: &Collective) -> Diagnostic {
    let (data, window) = (collective.data.value, collective.window.value);
    let fitting =
        WindowType { element: window.element, elements: largest_divisor(data.elements, window.elements) };
    let (whole, tail) = (data.elements / window.elements.max(1), data.elements % window.elements.max(1));
    let diagnostic = Diagnostic::new(
        &catalogue::CHUNK_TAIL,
        format!(
            "the result of `{}`, {data}, leaves in windows of {window}, but is not a whole number of them: {whole} and a tail of {tail} elements",
            collective.name
        ),
        format!("pad the data, or use `window {fitting}`"),
    );
    let diagnostic = fixes::window(diagnostic, collective, &fitting.to_string());
    diagnostic
        .label(collective.window.span, format!("windows of {} elements", window.elements))
        .label(collective.data.span, format!("data of {} elements", data.elements))
}

/// The largest divisor of `number` that is at most `limit`, and at least 1. Divisors come in pairs,
/// one of which is at most the square root.
fn largest_divisor(number: u32, limit: u32) -> u32 {
    let small = (1..=number.isqrt()).filter(|&small| number.is_multiple_of(small));
    let pairs = small.flat_map(|small| [small, number / small]);
    pairs.filter(|&divisor| divisor <= limit).max().unwrap_or(1)
}

/// The operator has no meaning for the element type.
pub(crate) fn op_type(collective: &Collective, op: &Spanned<Operator>) -> Diagnostic {
    let element = collective.data.value.element;
    let bitwise = matches!(op.value.builtin(), Some(ReduceOp::And | ReduceOp::Or | ReduceOp::Xor));
    let (why, help, does) = if bitwise {
        ("only whole numbers have bits to combine", "send whole numbers, such as uint32", "combines bits")
    } else {
        (
            "complex numbers have no order",
            "reduce with `sum` or `prod`, or send magnitudes of a real type",
            "compares elements",
        )
    };
    let name = &op.value;
    let others: &[&str] = if bitwise { &[] } else { &["sum", "prod"] };
    let fault =
        Diagnostic::new(&catalogue::OP_TYPE, format!("`{name}` has no meaning for {element}: {why}"), help);
    others
        .iter()
        .fold(fault, |fault, other| fault.replacing(op.span, *other))
        .label(op.span, format!("`{name}` {does}"))
        .label(collective.data.span, format!("elements are {element}"))
}

/// No access to a stream moves elements of this type.
pub(crate) fn channel_type(channel: &Collective) -> Diagnostic {
    let (name, element) = (&channel.name, channel.data.value.element);
    Diagnostic::new(
        &catalogue::CHANNEL_TYPE,
        format!(
            "the channel `{name}` cannot carry {element}: kernels access no single elements of it in streams \
             (UG1079, \"Reading and Advancing an Input Stream\"), and it has no vectors"
        ),
        "send int32 or int16, or move blocks with a `sendrecv`",
    )
    .label(channel.data.span, format!("elements are {element}"))
}

/// A channel to any peer of a type that is no word of a packet.
pub(crate) fn packet_type(channel: &Collective) -> Diagnostic {
    let (name, element) = (&channel.name, channel.data.value.element);
    Diagnostic::new(
        &catalogue::CHANNEL_TYPE,
        format!(
            "the channel `{name}` cannot carry {element}: kernels read and write packets by words of 32 bits \
             (UG1079, \"Packet Stream Operations\")"
        ),
        "send int32, uint32 or float, or name the one receiver of each rank with `to`",
    )
    .label(channel.data.span, format!("elements are {element}"))
}

#[cfg(test)]
mod tests {
    use super::largest_divisor;

    #[test]
    fn the_largest_divisor_is_found_without_trying_all_numbers() {
        assert_eq!(largest_divisor(u32::MAX, u32::MAX / 2), u32::MAX / 3);
        assert_eq!([12, 11, 5, 1].map(|limit| largest_divisor(12, limit)), [12, 6, 4, 1]);
        assert_eq!(largest_divisor(4_294_967_291, 4_000_000_000), 1, "a prime");
    }
}
