//! Faults of connections and their ends.

use aiec_diag::{Diagnostic, Span, Spanned, catalogue, count};
use aiec_dsl::ast::{ConnectEnd, ConnectProperty, ExternalProperty, Ident};
use aiec_dsl::print_end;
use aiec_ir::design::{Endpoint, FarEnd, UserPort};
use aiec_ir::expanded::{Port, SwitchKind};
use aiec_ir::{Carries, Direction};

/// `async` where no kernel could acquire the window.
pub fn async_external(end: &ConnectEnd, name: &str, input: bool) -> Diagnostic {
    let kind = if input { "an input" } else { "an output" };
    Diagnostic::new(
        &catalogue::WRONG_KIND,
        format!("`{name}` is {kind} of the array and cannot be async"),
        "remove `async`: only a kernel acquires and releases windows itself, a PLIO or GMIO end \
         is never async (UG1079)",
    )
    .label(end.reference.span, format!("{kind}, not a port of a kernel"))
    .removing(end.async_span(), "async")
}

/// `windows` at a synchronous port.
pub fn windows_of_sync_port(span: Span, end: Span, name: &str) -> Diagnostic {
    Diagnostic::new(
        &catalogue::WINDOWS_OF_RUN,
        format!("`{name}` is synchronous and passes one window in every run"),
        format!(
            "write `async {name}` and let the kernel acquire and release each window, or leave `windows` out"
        ),
    )
    .label(span, "the number of windows in one run")
    .label(end, "nothing in the kernel's code acquires windows here")
    .fix(format!("write `async {name}`"), [(end.before(), "async ")])
    .removing(Span { start: end.end, ..span }, "windows")
}

/// `windows` at an input or output.
pub fn windows_of_external(span: Span, end: Span, name: &str) -> Diagnostic {
    Diagnostic::new(
        &catalogue::WINDOWS_OF_RUN,
        format!(
            "`{name}` lies outside the array: how many windows pass in one run is up to the \
             kernel at the other end"
        ),
        "write `windows` behind the kernel's end of the connection, as in `connect x -> async k.x \
         windows 80`",
    )
    .label(span, "the number of windows in one run")
    .label(end, "not a port of a kernel")
    .removing(Span { start: end.end, ..span }, "windows")
}

/// An input connected straight to an output.
pub fn no_kernel_between(from: Span, to: Span) -> Diagnostic {
    Diagnostic::new(
        &catalogue::WRONG_KIND,
        "an input is connected to an output without a kernel between them",
        "put a kernel between the two: only the ports of kernels say what window travels",
    )
    .label(from, "an input of the array")
    .label(to, "an output of the array")
}

/// A connection that starts at an input or ends at an output.
pub fn wrong_direction(span: Span, end: &str, direction: Direction, declared: Span) -> Diagnostic {
    let (message, here) = match direction {
        Direction::In => {
            (format!("`{end}` only receives, so nothing can come from it"), "used as the source")
        }
        Direction::Out => {
            (format!("`{end}` only produces, so nothing can go to it"), "used as the destination")
        }
    };
    Diagnostic::new(
        &catalogue::WRONG_DIRECTION,
        message,
        "data goes along the arrow: `connect PRODUCER -> CONSUMER`",
    )
    .label(span, here)
    .label(
        declared,
        format!("declared as {} here", if direction == Direction::In { "receiving" } else { "producing" }),
    )
}

/// Adds the remedy that swaps the two ends of a `connect`.
pub fn swapping(fault: Diagnostic, from: &ConnectEnd, to: &ConnectEnd) -> Diagnostic {
    let (left, right) = (print_end(from), print_end(to));
    fault.fix(format!("write `{right} -> {left}`"), [(from.span, right), (to.span, left)])
}

/// Adds the remedy that moves `async` and `windows` of a `connect` from its ends to the others.
pub fn moving(
    mut fault: Diagnostic,
    ends: (&ConnectEnd, &ConnectEnd),
    moved: (&ConnectEnd, &ConnectEnd),
) -> Diagnostic {
    let (left, right) = (print_end(moved.0), print_end(moved.1));
    fault.help = format!("write it at the port of the kernel: `connect {left} -> {right}`");
    fault.fix(format!("write `{left} -> {right}`"), [(ends.0.span, left), (ends.1.span, right)])
}

/// A connection that ends at a parameter which its kernel gives back.
pub fn into_given_back(span: Span, end: &str, declared: Span) -> Diagnostic {
    Diagnostic::new(
        &catalogue::WRONG_DIRECTION,
        format!("`{end}` is a parameter that its kernel gives back, and the kernel alone writes it"),
        "for a value that the host or another kernel writes, declare `in NAME: parameter TYPE async`",
    )
    .label(span, "used as the destination")
    .label(declared, "declared as `out` or `inout` here")
}

/// Several instances where one is needed. `name` comes with the number of its extents.
pub fn one_kernel_needed(
    span: Span,
    (name, extents): (&str, usize),
    selected: u64,
    purpose: &str,
) -> Diagnostic {
    Diagnostic::new(
        &catalogue::INDEX_COUNT,
        format!("{purpose} is one kernel, but this selects {selected}"),
        format!("name one of them, such as `{name}{}`", "[0]".repeat(extents)),
    )
    .label(span, format!("this selects {selected} kernels"))
}

/// The two ends of a connection do not pair up.
pub fn slice_mismatch(from: Spanned<u64>, to: Spanned<u64>) -> Diagnostic {
    let help = if from.value == 0 || to.value == 0 {
        "select something at both ends, or nothing at both: then nothing is connected"
    } else if to.value == 1 {
        "give every producer a consumer of its own, since a port receives from one producer only; or join them \
         as packets, with `merge` behind the arrow"
    } else {
        "select equally many on both sides, or a single producer to send the same to all"
    };
    Diagnostic::new(
        &catalogue::SLICE_MISMATCH,
        format!(
            "the connection goes from {} to {}",
            count(from.value, "instance"),
            count(to.value, "instance")
        ),
        help,
    )
    .label(from.span, format!("selects {}", count(from.value, "instance")))
    .label(to.span, format!("selects {}", count(to.value, "instance")))
}

/// `inout` at a port that carries no parameter.
pub fn inout_port(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(
        &catalogue::BAD_PORT,
        format!("`{name}` is `inout`, but carries no parameter"),
        format!("write `in {name}` or `out {name}`; only a parameter goes both ways: `inout {name}: parameter int32`"),
    )
    .label(span, "windows, streams and cascades have one direction")
}

/// A margin at a port that is no input.
pub fn margin_of_output(span: Span, name: &str, port: Span) -> Diagnostic {
    Diagnostic::new(
        &catalogue::BAD_PORT,
        format!("the output `{name}` has a margin"),
        "write the margin at the input of the kernel that reads the window",
    )
    .label(span, "a margin repeats elements that were read before")
    .label(port, "this port only writes")
}

/// `async` in a connection whose port carries no window.
pub fn async_port(end: &ConnectEnd, name: &str, port: &UserPort) -> Diagnostic {
    let UserPort { carries, asynchronous, says_how, span: declared, .. } = *port;
    let help = match carries {
        Carries::Parameter(_) if asynchronous && says_how => {
            format!("leave `async` out: the declaration of `{name}` says it already")
        }
        Carries::Parameter(_) => {
            format!("write `async` in the declaration of `{name}`: `{}: {carries} async`", port.name)
        }
        Carries::Cascade(_) => {
            "leave `async` out: the kernel moves one vector of the cascade whenever it wants".to_owned()
        }
        _ => "leave `async` out: the kernel reads and writes the stream whenever it wants".to_owned(),
    };
    let is_open = matches!(carries, Carries::Parameter(_)) && !says_how;
    let declaration = is_open.then_some((declared.behind(), " async"));
    let diagnostic = Diagnostic::new(
        &catalogue::BAD_PORT,
        format!("`{name}` carries a {} and takes no `async` in a connection", carries.word()),
        help,
    )
    .label(end.reference.span, "only windows are acquired and released")
    .label(declared, "declared here");
    let edits = declaration.into_iter().chain([(end.async_span(), "")]);
    diagnostic.fix(if declaration.is_some() { "move `async` to the port" } else { "remove `async`" }, edits)
}

/// A connection between parameters has buffers or a FIFO.
pub fn parameter_property(span: Span, property: &ConnectProperty, from: Span) -> Diagnostic {
    let (word, which, what) = match property {
        ConnectProperty::Buffer(_) => ("buffer", "to the host", "windows, and to parameters of kernels"),
        ConnectProperty::Fifo(_) => ("fifo", "between parameters", "streams"),
    };
    Diagnostic::new(
        &catalogue::BAD_PORT,
        format!("a connection {which} takes no `{word}`"),
        format!("remove it; it belongs to connections that carry {what}"),
    )
    .label(span, "means nothing for a value")
    .label(from, "a parameter")
    .removing(span, word)
}

/// A split with several producers, or a merge with several consumers.
pub fn switch_ends(span: Span, kind: SwitchKind, from: Spanned<u64>, to: Spanned<u64>) -> Diagnostic {
    let (message, help) = match kind {
        SwitchKind::Split => (
            format!("a split has one producer, but this selects {}", from.value),
            "write one `connect ... -> split ...` for each producer",
        ),
        SwitchKind::Merge | SwitchKind::OrderedMerge => (
            format!("a merge has one consumer, but this selects {}", to.value),
            "write one `connect ... -> merge ...` for each consumer",
        ),
    };
    Diagnostic::new(&catalogue::SLICE_MISMATCH, message, help)
        .label(span, "said here")
        .label(from.span, format!("{} here", from.value))
        .label(to.span, format!("{} here", to.value))
}

/// The clock of a PLIO port is no positive number of MHz with at most three decimals.
pub fn bad_frequency(span: Span, written: &str) -> Diagnostic {
    Diagnostic::new(
        &catalogue::BAD_VALUE,
        format!("`{written}` is no clock frequency in MHz"),
        "write a positive number with at most three decimals, such as `frequency 312.5`",
    )
    .label(span, "cannot be read")
}

/// The word with which a property of an input or output begins.
pub fn external_word(property: &ExternalProperty) -> &'static str {
    match property {
        ExternalProperty::Initial(_) => "initial",
        ExternalProperty::Frequency(_) => "frequency",
        ExternalProperty::Burst(_) => "burst",
        ExternalProperty::Bandwidth(_) => "bandwidth",
        ExternalProperty::Golden(_) => "golden",
        ExternalProperty::Called(_) => "called",
    }
}

/// A property that means nothing for this kind of input or output.
pub fn stray_external_property(
    span: Span,
    property: &ExternalProperty,
    far: &FarEnd,
    end: Span,
) -> Diagnostic {
    let word = external_word(property);
    let owner = match property {
        ExternalProperty::Initial(_) => "`host`",
        ExternalProperty::Frequency(_) => "`plio`",
        ExternalProperty::Burst(_) | ExternalProperty::Bandwidth(_) => "`gmio`",
        ExternalProperty::Golden(_) => "an `output`",
        ExternalProperty::Called(_) => "`plio` and `gmio` of a design with `ports own`",
    };
    let found = match far {
        // An output has goldens, whatever leads to it.
        FarEnd::Array(_) if matches!(property, ExternalProperty::Golden(_)) => "an `input`",
        FarEnd::Array(Endpoint::Plio { .. }) => "PLIO",
        FarEnd::Array(Endpoint::Gmio { .. }) => "GMIO",
        FarEnd::Host(_) => "the host",
    };
    Diagnostic::new(
        &catalogue::STRAY_PROPERTY,
        format!("`{word}` means nothing for {found}"),
        format!("remove it; it belongs to {owner}"),
    )
    .label(span, "means nothing here")
    .label(end, "the endpoint")
    .removing(span, word)
}

/// A kernel or an instance has a name in another graph, but the design describes none.
pub fn stray_called(span: Span) -> Diagnostic {
    Diagnostic::new(
        &catalogue::STRAY_PROPERTY,
        "`called` means nothing in a design with a project of its own",
        "remove `called` and the name; they belong to kernels and instances of a design with `ports own`",
    )
    .label(span, "means nothing here")
}

/// `found` names, or more, stand behind `called` of a family with another number of `things`.
pub fn called_count(names: &[Ident], found: usize, (number, thing): (u32, &str), family: Span) -> Diagnostic {
    let span = names.iter().fold(names[0].span, |all, name| all.to(name.span));
    let is_more = found as u64 > u64::from(number);
    let message = format!("there are {} names than {thing}s", if is_more { "more" } else { "fewer" });
    let names = if is_more { "more than that".to_owned() } else { count(found as u64, "name") };
    let help = "write one name for all of them, or one for each, row by row";
    Diagnostic::new(&catalogue::INDEX_COUNT, message, help)
        .label(span, names)
        .label(family, count(number.into(), thing))
}

/// `file` has a range of `found` files, or more, for a family with another number of `things`.
pub fn file_count(
    file: &Spanned<String>,
    found: usize,
    (number, thing): (u32, &str),
    family: Span,
) -> Diagnostic {
    let is_more = found as u64 > u64::from(number);
    let message = format!("there are {} files than {thing}s", if is_more { "more" } else { "fewer" });
    let files = if is_more { "more than that".to_owned() } else { count(found as u64, "file") };
    let help = "write a range of as many numbers, such as `{1..5}` for four files, or `{}` for the index";
    Diagnostic::new(&catalogue::INDEX_COUNT, message, help)
        .label(file.span, files)
        .label(family, count(number.into(), thing))
}

/// A parameter of the host is connected to a port that carries none.
pub fn no_parameter(span: Span, parameter: &str, port: &Port, declared: Span) -> Diagnostic {
    let found = port.carries.map_or("nothing", Carries::word);
    let or = match port.carries {
        Some(Carries::Cascade(_)) => "connect another kernel: a cascade leads from core to core".to_owned(),
        _ => format!("declare `{parameter}` as `plio` or `gmio`"),
    };
    Diagnostic::new(
        &catalogue::WRONG_KIND,
        format!("`{parameter}` is a parameter of the host, but `{}` carries a {found}", port.name),
        format!("declare the port as `{}: parameter int32`, or {or}", port.name),
    )
    .label(span, "connected here")
    .label(port.span, format!("carries a {found}"))
    .label(declared, "a parameter of the host")
}
