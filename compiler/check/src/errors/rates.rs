//! Errors of rates: windows that one run sends against windows that one run takes.

use aiec_diag::{Diagnostic, Span, Spanned, catalogue};

use super::{and_more, count, fixes, labelled};
use crate::flow::Wait;
use aiec_ir::expanded::{Collective, Expanded, Kernel, PacketSwitch, SwitchKind};
use aiec_ir::rates::{MOST_REPETITIONS, gcd, joined};
use aiec_ir::{ConnectionId, Direction, ExternalId, KernelId, PortId};

/// The design states two numbers of windows for one port, at these two places.
pub(crate) fn stated_twice(
    design: &Expanded,
    port: PortId,
    numbers: Option<(&Spanned<u32>, &Spanned<u32>)>,
    first: Span,
    second: Span,
) -> Diagnostic {
    let (one, other) = numbers.map_or((0, 0), |(one, other)| (one.value, other.value));
    Diagnostic::new(
        &catalogue::WINDOWS_DISAGREE,
        format!("`{}` passes {one} windows in every run, and also {other}", design.port_name(port)),
        "state the number of windows once, or the same number at every connection of the port",
    )
    .label(second, format!("{other} here"))
    .label(first, format!("{one} here"))
}

/// The ends of these connections, all of one `connect`, pass different numbers of windows in a run.
pub(crate) fn ends_disagree(design: &Expanded, ends: &[(ConnectionId, u64, u64)]) -> Diagnostic {
    let (id, sent, taken) = ends[0];
    let wire = &design.connections[id];
    let (from, to) = (design.port_name(wire.from), design.port_name(wire.to));
    let more = match ends.len() - 1 {
        0 => String::new(),
        more => format!(", and so do {more} more"),
    };
    let message = format!("`{from}` sends {}, but `{to}` takes {taken}{more}", in_every_run(sent));
    let help =
        "let both kernels acquire the same number of windows in one run; a synchronous port passes one";
    let mut diagnostic = Diagnostic::new(&catalogue::RATE_MISMATCH, message, help);
    for (windows, does) in [(&wire.windows.to, "taken"), (&wire.windows.from, "sent")] {
        if let Some(windows) = windows {
            diagnostic = diagnostic.label(
                windows.span,
                format!("{} {does} in every run", count(windows.value.into(), "window")),
            );
        }
    }
    diagnostic
}

/// What the port of a kernel passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct End {
    /// One end of the connection.
    pub port: PortId,
    /// Bytes in one run of its kernel.
    pub bytes: u64,
    /// Runs of its kernel in one iteration.
    pub runs: u32,
}

impl End {
    /// Bytes in one iteration.
    pub(crate) fn total(self) -> u128 {
        u128::from(self.bytes) * u128::from(self.runs)
    }

    /// Such as `2 runs x 256 B = 512 B`.
    fn product(self) -> String {
        format!("{} x {} B = {} B", count(self.runs.into(), "run"), self.bytes, self.total())
    }
}

/// These connections, all of one `connect`, bring another amount in an iteration than their
/// consumers take.
pub(crate) fn unbalanced(design: &Expanded, ends: &[(ConnectionId, End, End)]) -> Diagnostic {
    let (id, sent, taken) = ends[0];
    let (from, to) = (design.port_name(sent.port), design.port_name(taken.port));
    let more = match ends.len() - 1 {
        0 => String::new(),
        more => format!(", and so for {more} more"),
    };
    let stated: Vec<_> = [sent, taken].into_iter().filter_map(|end| stated_runs(design, end)).collect();
    // aiec looks no further than that if it chooses them.
    let most = MOST_REPETITIONS;
    let limit = if stated.is_empty() { format!(" up to {most}") } else { String::new() };
    let message = format!(
        "no numbers of runs{limit} balance all connections: `{from}` sends {} in an iteration, but `{to}` takes {}{more}",
        sent.product(),
        taken.product(),
    );
    let least = least_runs(design, sent, taken);
    let help = match stated.as_slice() {
        [] => format!(
            "let `{from}` and `{to}` pass the same ratio of elements as the other connections between these kernels"
        ),
        _ => format!(
            "state runs in the ratio {} : {}, such as `repetitions {}` in `{}` and `repetitions {}` in `{}`, or leave `repetitions` out",
            least[0],
            least[1],
            least[0],
            kernel_name(design, sent),
            least[1],
            kernel_name(design, taken),
        ),
    };
    let mut labels =
        vec![(design.connections[id].span, format!("{} B != {} B", sent.total(), taken.total()))];
    for end in [sent, taken] {
        let port = &design.ports[end.port];
        let carries = port.carries.map_or_else(String::new, |carries| carries.to_string());
        labels.push((port.span, format!("`{}` is {carries}", design.port_name(end.port))));
    }
    labels.extend(stated.into_iter().map(|(name, times)| {
        (times.span, format!("`{name}` runs {} in an iteration", count(times.value.into(), "time")))
    }));
    labelled(Diagnostic::new(&catalogue::RATE_MISMATCH, message, help), labels)
}

/// The least runs of both kernels that balance this connection: with all others, if that is
/// possible.
fn least_runs(design: &Expanded, sent: End, taken: End) -> [u64; 2] {
    let kernel = |end: End| design.kernel_of(end.port);
    let all = kernel(sent).map_or_else(Vec::new, |first| joined(design, first));
    let runs = [sent, taken].map(|end| {
        let of = all.iter().find(|(other, _)| Some(*other) == kernel(end));
        of.map_or(0, |&(_, runs)| u64::from(runs))
    });
    let is_balanced = runs[0] > 0 && runs[0] * sent.bytes == runs[1] * taken.bytes;
    let alone = [taken.bytes, sent.bytes].map(|bytes| bytes / gcd(sent.bytes, taken.bytes).max(1));
    if is_balanced { runs } else { alone }
}

/// The remedy that lets `kernel` run `times` in an iteration, such as `` `repetitions 2` in `b` ``.
/// None when its runs follow from those of `other`, or from a number that the design states
/// elsewhere.
pub(crate) fn running(design: &Expanded, kernel: KernelId, times: u64, other: KernelId) -> Option<String> {
    let follows = |&(member, _): &(KernelId, u32)| {
        member == other || member != kernel && design.body(member).repetitions.is_some()
    };
    let all = joined(design, kernel);
    let least = all.first().map_or(1, |&(_, runs)| u64::from(runs));
    let is_free = !all.iter().any(follows) && times.is_multiple_of(least);
    let name = &design.kernels[kernel].name;
    (is_free && times <= MOST_REPETITIONS.into()).then(|| format!("`repetitions {times}` in `{name}`"))
}

/// The runs that let two readers of an input take the same amount, as a remedy.
fn reading_alike(design: &Expanded, readers: [End; 2]) -> Option<String> {
    let totals = readers.map(|end| u64::try_from(end.total()).unwrap_or(0));
    let common = gcd(totals[0], totals[1]);
    let kernels = readers.map(|end| design.kernel_of(end.port));
    let mut found = Vec::new();
    for at in [0, 1] {
        let factor = totals[1 - at].checked_div(common)?;
        if factor > 1 {
            let times = u64::from(readers[at].runs).checked_mul(factor)?;
            found.push(running(design, kernels[at]?, times, kernels[1 - at]?)?);
        }
    }
    Some(found.join(" and "))
}

/// The name of the kernel at an end.
fn kernel_name(design: &Expanded, end: End) -> &str {
    design.kernel_of(end.port).map_or("", |kernel| design.kernels[kernel].name.as_str())
}

/// The kernel at an end and its `repetitions`, if the design states them.
fn stated_runs(design: &Expanded, end: End) -> Option<(&str, &Spanned<u32>)> {
    let kernel = design.kernel_of(end.port)?;
    Some((design.kernels[kernel].name.as_str(), design.body(kernel).repetitions.as_ref()?))
}

/// The branches of a split or merge pass another amount in an iteration than its trunk.
pub(crate) fn switch_unbalanced(
    design: &Expanded,
    switch: &PacketSwitch,
    trunk: End,
    branches: &[End],
) -> Diagnostic {
    let sum: u128 = branches.iter().map(|end| end.total()).sum();
    let (kind, verbs) = match switch.kind {
        SwitchKind::Split => ("split", ["sends", "take"]),
        SwitchKind::Merge | SwitchKind::OrderedMerge => ("merge", ["takes", "send"]),
    };
    let message = format!(
        "the {kind} does not balance: `{}` {} {} in an iteration, but its branches {} {sum} B in all",
        design.port_name(trunk.port),
        verbs[0],
        trunk.product(),
        verbs[1],
    );
    let labels = branches.iter().take(MOST_BRANCHES).map(|end| {
        (design.ports[end.port].span, format!("`{}`: {}", design.port_name(end.port), end.product()))
    });
    let labels = std::iter::once((switch.span, format!("{} B != {sum} B", trunk.total()))).chain(labels);
    labelled(
        Diagnostic::new(&catalogue::RATE_MISMATCH, message, runs_that_balance(design, trunk, branches, sum)),
        labels.collect::<Vec<_>>(),
    )
}

/// An ordered merge waits for the turn of a branch whose kernel has sent all of an iteration, since
/// other branches send more packets.
pub(crate) fn out_of_turn(design: &Expanded, wait: &Wait) -> Diagnostic {
    let first = wait.first.unwrap_or(wait.port);
    let wire = design.ports[first].connections.first().map(|&id| &design.connections[id]);
    let span = wire.map_or(design.ports[first].span, |wire| wire.span);
    let trunk = wire.map_or(wait.port, |wire| wire.to);
    let runs = design.kernels[wait.needs].repetitions;
    let name = design.port_name(first);
    let message = format!(
        "the ordered merge at `{}` does not balance: it takes a packet of each branch in turn, and waits for `{name}`, \
         which has sent all packets of an iteration ({})",
        design.port_name(trunk),
        count(runs.into(), "run"),
    );
    let help = "let every branch send as many packets in an iteration, or take them in any order with a plain `merge`";
    Diagnostic::new(&catalogue::RATE_MISMATCH, message, help)
        .label(span, "takes a packet of each branch in turn")
        .label(design.ports[first].span, format!("`{name}` sends fewer packets than another branch"))
}

/// Limit on the branches that a message names.
const MOST_BRANCHES: usize = 6;

/// The help: how often the kernels must run so that branches of `sum` bytes balance the trunk.
fn runs_that_balance(design: &Expanded, trunk: End, branches: &[End], sum: u128) -> String {
    let most = u128::from(MOST_REPETITIONS);
    let times = |runs: u32, up: u128, down: u128| {
        let fits = down > 0 && up > down && up.is_multiple_of(down);
        fits.then(|| up / down * u128::from(runs)).filter(|&runs| runs <= most)
    };
    let alike = branches.iter().all(|end| end.runs == branches[0].runs);
    let of_branches = branches.first().filter(|_| alike).and_then(|end| times(end.runs, trunk.total(), sum));
    let kernel = design.owner_name(design.ports[trunk.port].owner);
    if let Some(runs) = of_branches {
        return format!(
            "write `repetitions {runs}` in the kernels of the branches, or let them pass more in a run"
        );
    }
    match times(trunk.runs, sum, trunk.total()) {
        Some(runs) => format!("write `repetitions {runs}` in `{kernel}`, or let it pass more in a run"),
        None => "let a run of each pass other amounts, or state their numbers of runs with `repetitions`"
            .to_owned(),
    }
}

/// The ends of these cascades, all of one `connect`, run unequally often in an iteration.
pub(crate) fn cascade_unbalanced(design: &Expanded, ends: &[(ConnectionId, [KernelId; 2])]) -> Diagnostic {
    let (id, kernels) = ends[0];
    let [from, to] = kernels.map(|kernel| &design.kernels[kernel]);
    let more = match ends.len() - 1 {
        0 => String::new(),
        more => format!(", and so on for {more} more"),
    };
    let runs = |kernel: &Kernel| count(kernel.repetitions.into(), "time");
    let message = format!(
        "the graph hangs if all runs move as much along the cascade `{}`: `{}` runs {} in an iteration and `{}` {}{more}",
        design.connection_name(id),
        from.name,
        runs(from),
        to.name,
        runs(to),
    );
    let (fewer, most) = match from.repetitions < to.repetitions {
        true => (from, to.repetitions),
        false => (to, from.repetitions),
    };
    let help = format!(
        "write `repetitions {most}` in `{}`; if its C++ moves as much in one run as all runs at the other end, \
         state `repetitions` in both kernels",
        fewer.name
    );
    Diagnostic::new(&catalogue::MAY_HANG, message, help)
        .label(design.connections[id].span, format!("{} and {}", runs(from), runs(to)))
}

/// Two ranks of a collective run different numbers of times in an iteration.
pub(crate) fn ranks_disagree(design: &Expanded, collective: &Collective, ranks: [KernelId; 2]) -> Diagnostic {
    let kernels = ranks.map(|rank| &design.kernels[rank]);
    let runs = kernels.map(|kernel| count(kernel.repetitions.into(), "time"));
    let message = format!(
        "the ranks of `{}` call it equally often, but their connections let `{}` run {} and `{}` {} in an iteration",
        collective.name, kernels[0].name, runs[0], kernels[1].name, runs[1]
    );
    let help = "let the windows and streams between the ranks pass as many bytes at both ends";
    Diagnostic::new(&catalogue::RATE_MISMATCH, message, help)
        .label(collective.span, "all ranks run equally often".to_owned())
}

/// These inputs or outputs of one declaration are connected to streams without a stated amount.
pub(crate) fn unknown_amount(design: &Expanded, ends: &[(ExternalId, PortId)]) -> Diagnostic {
    let (external, port) = (&design.externals[ends[0].0], &design.ports[ends[0].1]);
    let name = design.port_name(ends[0].1);
    let which = match external.direction {
        Direction::Out => "input",
        Direction::In => "output",
    };
    let element = port.carries.and_then(aiec_ir::Carries::element).map_or("int32", |e| e.name());
    let word = port.carries.map_or("stream", aiec_ir::Carries::word);
    let message = format!(
        "the amount of data of the {which} {} is unknown: `{name}` does not say how many elements it passes in a run",
        and_more(&external.name, ends.len())
    );
    let help = format!("write the elements of one run: `{}: {word} {element}[N]`", port.name);
    let labels = [
        (port.span, "no number of elements".to_owned()),
        (external.span, format!("the host program must know how much data this {which} moves")),
    ];
    labelled(Diagnostic::new(&catalogue::STREAM_AMOUNT, message, help), labels)
}

/// These inputs or outputs of one declaration are branches of a split or merge.
pub(crate) fn unknown_share(design: &Expanded, ends: &[(ExternalId, &PacketSwitch)]) -> Diagnostic {
    let (id, switch) = ends[0];
    let external = &design.externals[id];
    let (which, word, why) = match switch.kind {
        SwitchKind::Split => ("output", "split", "the ids of its packets decide how much each branch gets"),
        SwitchKind::Merge | SwitchKind::OrderedMerge => {
            ("input", "merge", "nothing states how much each branch gives")
        }
    };
    let message = format!(
        "the amount of data of the {which} {} is unknown: it is a branch of a {word}, and {why}",
        and_more(&external.name, ends.len())
    );
    let help = match switch.kind {
        SwitchKind::Split => {
            format!(
                "let a kernel with a window take these packets, and connect its output with `{}`",
                external.name
            )
        }
        SwitchKind::Merge | SwitchKind::OrderedMerge => {
            format!("let a kernel take the data of `{}` and give windows to the merge", external.name)
        }
    };
    Diagnostic::new(&catalogue::STREAM_AMOUNT, message, help)
        .label(switch.span, format!("a {word} with a branch outside the array"))
        .label(external.span, format!("the host program must know how much data this {which} moves"))
}

/// Two readers of one input take different amounts in an iteration.
pub(crate) fn readers_disagree(design: &Expanded, input: PortId, readers: [End; 2]) -> Diagnostic {
    let name = design.port_name(input);
    let windows = readers.map(|end| {
        let window = design.ports[end.port].window()?;
        Some((window, end.bytes / window.bytes().max(1) * u64::from(end.runs)))
    });
    let takes = |at: usize| match windows {
        [Some((one, _)), Some((other, _))] if one == other => {
            count(windows[at].map_or(0, |(_, number)| number), "window")
        }
        _ => format!("{} B", readers[at].total()),
    };
    let message = format!(
        "`{name}` sends all data to all its readers, but `{}` takes {} in every iteration and `{}` takes {}",
        design.port_name(readers[0].port),
        takes(0),
        design.port_name(readers[1].port),
        takes(1),
    );
    let runs = reading_alike(design, readers).map_or_else(String::new, |runs| format!("write {runs}, "));
    let help = format!(
        "{runs}let all readers take the same amount in one iteration (`windows` behind an async end states its number; \
         otherwise it is 1), or give them inputs of their own"
    );
    let place = |reader: PortId| {
        let stated = design.ports[reader].windows.as_ref().map(|windows| windows.span);
        let wires = design.ports[reader].connections.iter().map(|&id| &design.connections[id]);
        stated.or_else(|| wires.map(|wire| wire.span).next()).unwrap_or(design.ports[reader].span)
    };
    let labels = [0, 1].map(|at| {
        let port = readers[at].port;
        (place(port), format!("`{}` takes {}", design.port_name(port), takes(at)))
    });
    labelled(Diagnostic::new(&catalogue::WINDOWS_DISAGREE, message, help), labels)
}

fn in_every_run(windows: u64) -> String {
    format!("{} in every run", count(windows, "window"))
}

/// The result of `collective` comes in `windows` windows per run, and the synchronous ports at the
/// other ends of these connections take one.
pub(crate) fn rate_mismatch(
    design: &Expanded,
    collective: &Collective,
    windows: u64,
    connections: &[ConnectionId],
) -> Diagnostic {
    let first = &design.connections[connections[0]];
    let (from, to) = (design.port_name(first.from), design.port_name(first.to));
    let more = match connections.len() - 1 {
        0 => String::new(),
        more => format!(", and so do {more} more"),
    };
    let message = format!(
        "`{from}` sends {windows} windows in every run ({} for each of {}), but `{to}` is synchronous and takes 1{more}",
        collective.chunks(),
        count(collective.calls.into(), "call"),
    );
    let port = &design.ports[first.to].name;
    let result = format!("{}.result", collective.name);
    let one = if collective.calls == 1 { "a window as large as the data" } else { "one call of one window" };
    let help = format!(
        "write `connect {result} -> async {to}` and acquire and release `{port}` {windows} times in a run, or make it {one}"
    );
    let labels = connections.iter().map(|&id| {
        let text = format!("`{}`: {windows} windows are sent, 1 is taken", design.connection_name(id));
        (design.connections[id].span, text)
    });
    let diagnostic = labelled(Diagnostic::new(&catalogue::RATE_MISMATCH, message, help), labels);
    let diagnostic = diagnostic.label(
        collective.window.span,
        format!("the result travels in windows of {}", collective.window.value),
    );
    fixes::asynchronous(diagnostic, design, connections.iter().map(|&id| (id, false)))
}
