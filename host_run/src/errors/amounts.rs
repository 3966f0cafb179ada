//! Ports that pass another amount of data in a run than the design states.

use aiec_diag::{Diagnostic, Span, catalogue, count};
use aiec_ir::Flow;

use super::in_iteration;

/// How the number of windows differs from the design's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Departure {
    /// The same other number in every run.
    Always(u64),
    /// A range of numbers: fewest and most.
    Varying(u64, u64),
    /// More in a run that did not end. The kernel has this number, or waits for the last of them.
    TooMany(u64),
    /// More in a run, of packets of which the last one has no end.
    Unended(u64),
}

/// An asynchronous port and its number of windows in the design.
#[derive(Clone, Copy, Debug)]
pub struct WindowsPort<'a> {
    /// Name of the port.
    pub name: &'a str,
    /// True if the design states the number of windows.
    pub stated: bool,
    /// Source location of that number, or of the place for it.
    pub span: Span,
}

/// A kernel acquired another number of windows of `port` in a run than the design states. `edge` is
/// the input or output at the other end.
pub fn windows_per_run(
    port: WindowsPort<'_>,
    edge: Option<&str>,
    wanted: u64,
    departure: Departure,
) -> Diagnostic {
    let WindowsPort { name: port, stated, span } = port;
    let did = departure.said(("acquired", "waits for another"), "window", port);
    let says = if stated { "the design says" } else { "the design states none, which means" };
    let moves =
        edge.map_or_else(String::new, |edge| format!(": host program and data of `{edge}` move no others"));
    let help = match departure {
        Departure::Always(0) => "acquire a window in every run, or connect the port without `async`".to_owned(),
        Departure::Always(found) => format!("write `async {port} windows {found}` in the connection, or correct the kernel's loop"),
        Departure::TooMany(_) => format!(
            "write `async {port} windows N` in the connection, where N is the number of windows that the kernel acquires in one run"
        ),
        _ if edge.is_some() => "acquire the same number in every run: host program and data files need to know the amount of data at an input or \
             output; if the number must vary, put a kernel between that takes a fixed number"
            .to_owned(),
        _ => "acquire the same number in every run, or leave `windows` out between two kernels".to_owned(),
    };
    Diagnostic::new(
        &catalogue::SIM_WINDOWS_PER_RUN,
        format!("the kernel {did}, {says} {wanted}{moves}"),
        help,
    )
    .label(span, format!("{} in one run", count(wanted, "window")))
}

/// Where a kernel waits in a run that did not end.
#[derive(Clone, Debug, Default)]
pub struct Stopped {
    /// Runs that the kernel had completed before.
    pub iteration: Option<u64>,
    /// The line of the user's code.
    pub place: Option<Span>,
}

/// A stream or channel whose amount the design states.
#[derive(Clone, Copy, Debug)]
pub struct FlowPort<'a> {
    /// Name of the port.
    pub name: &'a str,
    /// The word of its type: `stream`, `packets` or `channel`.
    pub kind: &'a str,
    /// True if the port is an input.
    pub takes: bool,
    /// What the design states.
    pub flow: Flow,
    /// The declaration of the port.
    pub span: Span,
    /// The input or output of the design at the other end.
    pub edge: Option<&'a str>,
}

/// A kernel moved another number of elements of a port in a run than the design states. It waits at
/// `stopped` for one that is too many, if it does.
pub fn stream_amount(port: FlowPort<'_>, departure: Departure, stopped: Option<&Stopped>) -> Diagnostic {
    if let Departure::Unended(found) = departure {
        return unended_packet(port, found, stopped);
    }
    let FlowPort { name: port, kind, takes, flow, span, edge } = port;
    let (element, wanted) = (flow.element.name(), flow.per_run.unwrap_or(0));
    let did = if takes { ("takes", "waits for more") } else { ("gives", "has more to give") };
    let found = departure.said(did, "element", port);
    let help = match (departure, edge) {
        _ if kind == "channel" => {
            "open it less often or for fewer elements, or write more `data` or `calls`".to_owned()
        }
        (Departure::Always(found), _) if found > 0 => {
            format!("write `{kind} {element}[{found}]`, or correct the kernel")
        }
        (_, Some(edge)) => format!(
            "{} the same number in every run: the host program must know how much data `{edge}` moves, so the amount \
             cannot stay open",
            if takes { "take" } else { "fill up with values without meaning, and give" }
        ),
        _ => format!("correct the kernel, or write `{kind} {element}`, which leaves the amount open"),
    };
    let iteration = in_iteration(stopped.and_then(|stopped| stopped.iteration));
    Diagnostic::new(
        &catalogue::SIM_STREAM_AMOUNT,
        format!("the kernel {found}{iteration}, the design says {wanted}"),
        help,
    )
    .label_at(stopped.and_then(|stopped| stopped.place), format!("`{port}` waits here"))
    .label(span, format!("{} in one run", count(wanted.into(), "element")))
}

/// A kernel wrote a packet without TLAST at its last word. `begun` is where it began another one.
fn unended_packet(port: FlowPort<'_>, found: u64, begun: Option<&Stopped>) -> Diagnostic {
    let FlowPort { name, flow, span, .. } = port;
    let local = name.rsplit_once('.').map_or(name, |(_, local)| local);
    Diagnostic::new(
        &catalogue::SIM_STREAM_AMOUNT,
        format!(
            "a packet of `{name}` has no TLAST at its last word, so what follows counts as its data, headers too: {} in one \
             run, the design says {}",
            count(found, "element"),
            flow.per_run.unwrap_or(0)
        ),
        format!("write the last word of each packet with TLAST, `writeincr({local}, value, true)`"),
    )
    .label_at(begun.and_then(|begun| begun.place), "this header comes before the packet has an end")
    .label(span, format!("{} in one run", count(flow.per_run.unwrap_or(0).into(), "element")))
}

impl Departure {
    /// What the kernel did with a number of `thing` of `port`. `did` is the verb, and what happens
    /// when the number is too large.
    fn said(self, did: (&str, &str), thing: &str, port: &str) -> String {
        let (did, more) = did;
        match self {
            Self::Always(found) => format!("{did} {} of `{port}` in every run", count(found, thing)),
            Self::Varying(fewest, most) => {
                format!("{did} between {fewest} and {most} {thing}s of `{port}` in one run")
            }
            Self::TooMany(found) => {
                let before = count(found.saturating_sub(1), thing);
                format!("{did} {before} of `{port}` in one run and {more}")
            }
            Self::Unended(found) => format!("{did} {} of `{port}` in one run", count(found, thing)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use aiec_diag::SourceId;
    use aiec_ir::ElementType;

    #[test]
    fn an_amount_stays_open_only_between_kernels() {
        let help = |edge| {
            let flow = Flow { element: ElementType::Cfloat, per_run: Some(64) };
            let span = Span::new(SourceId(0), 0, 1);
            let port = FlowPort { name: "a.y", kind: "packets", takes: false, flow, span, edge };
            stream_amount(port, Departure::Varying(0, 64), None).help
        };
        assert!(
            help(None).ends_with("write `packets cfloat`, which leaves the amount open"),
            "{}",
            help(None)
        );
        let fixed = help(Some("out"));
        assert!(fixed.contains("give the same number in every run") && fixed.contains("`out`"), "{fixed}");
    }
}
