//! Faults that a run of a design found in its kernels.

use std::collections::BTreeSet;

use aiec_check::labelled;
use aiec_diag::{Diagnostic, Severity, Span, catalogue, listed};
use aiec_ir::design::local_name;

use super::in_iteration;

/// A finding: the port or kernel, the code, and how often.
#[derive(Clone, Debug, Default)]
pub struct Seen<'a> {
    /// The port or kernel, such as `pe[0].x`.
    pub name: &'a str,
    /// The other instances of the family with the same finding.
    pub others: &'a [String],
    /// Runs that the kernel had completed before.
    pub iteration: Option<u64>,
    /// The user's file with the line, and the line's source location.
    pub place: Option<(String, Option<Span>)>,
}

/// Limit on the instances that a message names.
const NAMED: usize = 4;

impl Seen<'_> {
    /// `, in iteration 3, at `k.cc:5`; the same at ...`.
    fn tail(&self) -> String {
        let iteration = in_iteration(self.iteration);
        let place = self.place.as_ref().map_or_else(String::new, |(place, _)| format!(", at `{place}`"));
        let names: Vec<String> = self.others.iter().take(NAMED).map(|name| format!("`{name}`")).collect();
        let more = self.others.len().saturating_sub(NAMED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let others = if names.is_empty() {
            String::new()
        } else {
            format!("; the same at {}{more}", names.join(", "))
        };
        format!("{iteration}{place}{others}")
    }

    /// Adds the line of code as the primary label.
    fn labelled(&self, diagnostic: Diagnostic, text: &str) -> Diagnostic {
        diagnostic.label_at(self.place.as_ref().and_then(|(_, span)| *span), text)
    }
}

/// What to do about a vector access that is not aligned. Returns None when `what` is another fault.
fn alignment(what: &str) -> Option<&'static str> {
    what.contains(" is not aligned to ").then_some(
        "begin the access at a multiple of the vector's bytes in memory with `alignas(aie::vector_decl_align)`, or use \
         `aie::load_unaligned_v` and `aie::store_unaligned_v`",
    )
}

/// A kernel broke a rule that concerns no port.
pub fn finding(seen: &Seen<'_>, what: &str, declared: Option<Span>) -> Diagnostic {
    let help = alignment(what).unwrap_or("correct the directive or the loop that the message names");
    let diagnostic = Diagnostic::new(
        &catalogue::SIM_MISUSE,
        format!("kernel `{}` breaks a rule of the hardware: {what}{}", seen.name, seen.tail()),
        help,
    );
    let diagnostic = seen.labelled(diagnostic, "this code breaks the rule");
    diagnostic.label_at(declared, format!("`{}` is declared here", seen.name))
}

/// True for the findings about a kernel that acquires or releases a window of a synchronous port.
pub fn is_acquisition(what: &str) -> bool {
    what.ends_with("of a synchronous window")
}

/// A kernel used the window of a port wrongly. `asynchronous` tells that the kernel acquires it.
pub fn misuse(seen: &Seen<'_>, what: &str, asynchronous: bool, declared: Span) -> Diagnostic {
    let name = seen.name;
    let help = if let Some(help) = alignment(what) {
        help.to_owned()
    } else if asynchronous {
        "an async window may be used between window_acquire and window_release only, and no window beyond its size"
            .to_owned()
    } else if is_acquisition(what) {
        let port = name.rsplit_once('.').map_or(name, |(_, port)| port);
        format!(
            "the port is not async, so the graph acquires and releases its window: remove these calls, or connect \
             `async {name}` to let the kernel of `{port}` do it"
        )
    } else {
        "the port is not async, so the kernel holds its window for the whole run: access no element beyond the size in the \
         design, and fill an output as a whole"
            .to_owned()
    };
    let message = format!("kernel code misuses the window of `{name}`: {what}{}", seen.tail());
    let diagnostic = Diagnostic::new(&catalogue::SIM_MISUSE, message, help);
    seen.labelled(diagnostic, "this access is wrong")
        .label(declared, format!("the window of `{name}` is declared here"))
}

/// A kernel wrote a packet that nothing behind its port takes.
pub fn misused_packets(seen: &Seen<'_>, what: &str, declared: Span) -> Diagnostic {
    let name = seen.name;
    let port = name.rsplit_once('.').map_or(name, |(_, port)| port);
    let message = format!("kernel code misuses the packets of `{name}`: {what}{}", seen.tail());
    let help = format!(
        "begin each packet with `writeHeader({port}, 0, getPacketid({port}, BRANCH))`, where BRANCH counts the ends behind \
         `split` from 0, and write its last word with TLAST"
    );
    let diagnostic = Diagnostic::new(&catalogue::SIM_MISUSE, message, help);
    seen.labelled(diagnostic, "this word begins a packet")
        .label(declared, format!("`{name}` is declared here"))
}

/// A kernel moved other elements of a channel or collective than it opened it for. `noun` says what
/// it is. `kernel` is where the kernel is declared.
pub fn misused_stream(
    seen: &Seen<'_>,
    what: &str,
    (noun, name): (&str, &str),
    (declared, kernel): (Span, Option<Span>),
) -> Diagnostic {
    let message =
        format!("kernel code misuses the {noun} `{name}` at `{}`: {what}{}", seen.name, seen.tail());
    let help = match what {
        _ if what.contains("than `max`") => "send it as several messages, or write a larger `max`",
        _ if what.contains("the room for it") => "give `receive` room for `max`, or send less",
        _ if what.contains("of another size") => "receive elements of the type that is sent",
        _ if what.contains("the root receives") || what.contains("only the root") => {
            "call `receive` in the kernel of the root alone, and `send` in the others"
        }
        _ if what.contains("its handler takes") => {
            "send less at a time, or write a larger array in the handler"
        }
        _ if what.contains("inside of a handler") => {
            "return from the handler; the owner then serves the next request"
        }
        _ if what.contains("beyond a buffer") => {
            "keep `first + count` within the buffer, or write a larger one in the design"
        }
        _ if what.contains("waited for a get") => {
            "call `wait` of what the get returned, then use its elements"
        }
        _ if what.contains("the owner") => {
            "call `serve` in the kernel of the owner alone, and the handlers in the others"
        }
        _ if noun == "server" => "call `serve`, which returns when all clients have returned",
        _ if noun == "mailbox" => "call `receive` until it returns false",
        _ if what.contains("than `data` has") => "open it for fewer elements, or write more `data`",
        _ if what.contains("the root or no rank") => "name another rank of the group that is not the root",
        _ if what.contains("carr") => {
            "call `carry` in the kernel of the root alone, and `open_send` and `open_receive` in the others"
        }
        _ => {
            "open both ends for the same number of elements, and move that many before the next opening and before \
             the function returns"
        }
    };
    let diagnostic = Diagnostic::new(&catalogue::SIM_MISUSE, message, help);
    let diagnostic = match seen.place {
        Some(_) => seen.labelled(diagnostic, "this access is wrong"),
        None => diagnostic.label_at(kernel, "the function of this kernel has returned"),
    };
    diagnostic.label(declared, format!("`{name}` is declared here"))
}

/// A rank of a channel to any peer keeps more words that came early than its memory has.
pub fn overfull_rank(channel: &str, rank: &str, (words, depth): (u64, u32), declared: Span) -> Diagnostic {
    Diagnostic::new(
        &catalogue::SIM_DEADLOCK,
        format!(
            "kernel `{rank}` would wait for ever: {words} words of the channel `{channel}` came before it asked for \
             them, and it has memory for {depth}"
        ),
        format!(
            "give `depth {words}` to the channel `{channel}`, or let the kernel receive in the order in which others send"
        ),
    )
    .label(declared, format!("`depth` of `{channel}` is {depth}"))
}

/// A kernel holds the async window of a port since a run that has ended. A design states how many
/// windows each run passes on.
pub fn missing_release(seen: &Seen<'_>, kernel: &str, declared: Span) -> Diagnostic {
    let port = seen.name;
    let message =
        format!("kernel `{kernel}` still holds the window of `{port}` from an ended run{}", seen.tail());
    let diagnostic = Diagnostic::new(
        &catalogue::SIM_MISSING_RELEASE,
        message,
        "call window_release for every window_acquire before the function returns; until then the other end waits",
    );
    seen.labelled(diagnostic, "the window is still held here")
        .label(declared, format!("`{port}` was acquired and not released"))
}

/// A rank that made fewer calls of a collective than the design says.
#[derive(Clone, Copy, Debug)]
pub struct Skipped<'a> {
    /// The name of the collective.
    pub collective: &'a str,
    /// The name of the rank's kernel.
    pub kernel: &'a str,
    /// Calls that it made.
    pub called: usize,
    /// Calls of each rank in the run: `calls` times `iterations`.
    pub wanted: u64,
    /// Where kernels of the collective wait: a label for each line of the user's code.
    pub waits: &'a [(Span, String)],
}

impl Skipped<'_> {
    /// The lines where kernels wait, then the collective at `span`.
    fn labelled(&self, diagnostic: Diagnostic, span: Span) -> Diagnostic {
        let lines = self.waits.iter().cloned();
        let lines = lines.fold(diagnostic, |diagnostic, (span, text)| diagnostic.label(span, text));
        lines.label(span, format!("every rank takes part in each call of `{}`", self.collective))
    }
}

/// A rank skips a collective and waits nowhere, and other ranks wait for it.
pub fn skipped_call(skipped: &Skipped<'_>, span: Span) -> Diagnostic {
    let &Skipped { collective, kernel, called, wanted, .. } = skipped;
    let diagnostic = Diagnostic::new(
        &catalogue::SIM_CONTRIBUTION,
        format!(
            "kernel `{kernel}` skips `{collective}`, and the other ranks wait for it: it made {called} of {wanted} calls \
             (`calls` times `iterations`)"
        ),
        format!(
            "let every rank call `comm.{}` equally often, whatever its rank or its data",
            local_name(collective)
        ),
    );
    skipped.labelled(diagnostic, span)
}

/// A rank waits in the collective `other`, while other ranks wait for its call of a collective.
pub fn other_order(skipped: &Skipped<'_>, other: &str, span: Span) -> Diagnostic {
    let &Skipped { collective, kernel, called, wanted, .. } = skipped;
    let diagnostic = Diagnostic::new(
        &catalogue::SIM_CONTRIBUTION,
        format!(
            "kernel `{kernel}` waits in `{other}`, and other ranks wait for its call of `{collective}`: it made \
             {called} of {wanted} calls (`calls` times `iterations`)"
        ),
        format!(
            "let every rank call `comm.{}` and `comm.{}` equally often and in one order",
            local_name(collective),
            local_name(other)
        ),
    );
    skipped.labelled(diagnostic, span)
}

/// What a port of a deadlock carries: each has a way out of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Waiting {
    /// A window or buffer.
    Window,
    /// A stream of data or packets.
    Stream,
    /// Accumulators or vectors from core to core.
    Cascade,
    /// A run-time parameter.
    Parameter,
}

/// A depth of FIFOs.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cure {
    /// Of the connection between two ends, in words.
    Connection(String, String, u64),
    /// Of a split or merge, whose connections have one depth, in words.
    Switch(String, u64),
    /// Of a channel or collective, by its name.
    Depth(String, u64),
}

/// A port at which a kernel waits for ever.
#[derive(Clone, Debug)]
pub struct BlockedPort<'a> {
    /// Such as `pe[0].x`.
    pub name: String,
    /// What it waits for: `data`, `space` and so on.
    pub waits: &'a str,
    /// Runs that the kernel had completed before.
    pub iteration: Option<u64>,
    /// The line of the user's code. None when it is not known, or the kernel waits to begin.
    pub place: Option<Span>,
    /// The declaration of the port.
    pub declared: Span,
    /// The id of the branch of a split to which no packet came.
    pub unserved: Option<u32>,
}

impl BlockedPort<'_> {
    /// Such as "`pe[0].x` waits for data".
    fn words(&self) -> String {
        format!("`{}` waits for {}", self.name, self.waits)
    }

    /// The same, with the iteration.
    fn label(&self) -> String {
        self.words() + &in_iteration(self.iteration)
    }
}

/// A deadlock in the design's names.
#[derive(Clone, Debug, Default)]
pub struct Deadlock<'a> {
    /// The waiting kernels.
    pub blocked: Vec<BlockedPort<'a>>,
    /// The steps of a cycle of waits: a port, and what it waits for. Empty without a cycle.
    pub cycle: Vec<(String, &'a str)>,
    /// What the ports of the cycle carry, or of `blocked` without a cycle.
    pub carried: Vec<Waiting>,
    /// The depths that unblock the cycle.
    pub depths: Vec<Cure>,
    /// The owners of active messages for which clients wait.
    pub owners: Vec<String>,
    /// Ports whose last packet has no end, with their declarations.
    pub open: Vec<(String, Span)>,
}

/// A simulation in which every kernel waits.
pub fn deadlock(found: &Deadlock<'_>) -> Diagnostic {
    let names: Vec<String> = found.blocked.iter().map(BlockedPort::words).collect();
    let shown = names.iter().take(8).cloned().collect::<Vec<_>>().join(", ");
    let more = names.len().saturating_sub(8);
    let tail = if more > 0 { format!(" and {more} more") } else { String::new() };
    let cure = cures(found).map_or_else(String::new, |depths| format!("; {depths} would let it go on"));
    let message = format!("the simulation stopped, because nothing can go on: {shown}{tail}{cure}");
    let diagnostic = Diagnostic::new(&catalogue::SIM_DEADLOCK, message, way_out(found));
    let diagnostic =
        if found.cycle.is_empty() { diagnostic } else { diagnostic.quoting(&drawn(&found.cycle)) };
    // The lines of code come first, then the declarations.
    let lines = found.blocked.iter().filter_map(|port| Some((port.place?, port.label())));
    let declared = found.blocked.iter().map(|port| match port.place {
        Some(_) => (port.declared, format!("`{}` is declared here", port.name)),
        None => (port.declared, port.label()),
    });
    let open =
        found.open.iter().map(|(name, span)| (*span, format!("the last packet of `{name}` has no end")));
    first_of(lines)
        .into_iter()
        .chain(first_of(open.chain(declared)))
        .fold(diagnostic, |diagnostic, (span, text)| diagnostic.label(span, text))
}

/// Kernels of a core that wait for each other there, in the design's names.
#[derive(Clone, Debug)]
pub struct Turns<'a> {
    /// All kernels of the core, as a list.
    pub kernels: String,
    /// False where longer ways for streams, or buffers at both ends of windows, may hold more.
    pub is_certain: bool,
    /// The kernel that has the core and waits.
    pub running: &'a str,
    /// The kernel for which it waits, which rests meanwhile.
    pub resting: &'a str,
    /// Runs that the first one had completed before.
    pub iteration: Option<u64>,
    /// The line of the user's code at which it waits, if it is known.
    pub place: Option<Span>,
    /// The steps from one to the other: a port, and what it waits for.
    pub steps: Vec<(String, &'a str)>,
    /// What the ports of the steps carry.
    pub carried: Vec<Waiting>,
    /// Declarations of the ports, and the constraints that put the kernels on one core.
    pub labels: Vec<(Span, String)>,
}

/// A run with the kernels of a core in turn stops, whichever of them begins. A warning if that is
/// not certain.
pub fn turns(found: &Turns<'_>) -> Diagnostic {
    let &Turns { running, resting, .. } = found;
    let iteration = in_iteration(found.iteration);
    let room = match found.is_certain {
        true => "",
        false => {
            ", if streams hold 8 words and those of their FIFOs, and windows go through memory that both ends share"
        }
    };
    let message = format!(
        "{} run in turn on one core, and wait for each other there, whichever begins{room}: `{running}` has the core and \
         waits{iteration}, and `{resting}` begins only when `{running}` has ended",
        found.kernels
    );
    let has = |what: Waiting| found.carried.contains(&what);
    let windows = if has(Waiting::Window) {
        ", or let a kernel lock no more windows in a run than there are buffers"
    } else {
        ""
    };
    let streams = if has(Waiting::Stream) {
        ", or give the streams on the way a `fifo` that holds the words of a run"
    } else {
        ""
    };
    let help = format!("give `{resting}` a tile of its own{windows}{streams}");
    let steps: Vec<String> = found.steps.iter().map(|(port, why)| format!("\n  {port} {why}")).collect();
    let waits = format!("\nthe waits:{}\n  `{resting}`, which rests", steps.concat());
    let mut diagnostic = Diagnostic::new(&catalogue::SIM_CORE_WAIT, message, help)
        .quoting(&super::lines(&waits, super::REPORTED_LINES))
        .label_at(found.place, format!("`{running}` waits here"));
    if !found.is_certain {
        diagnostic.severity = Severity::Warning;
    }
    labelled(diagnostic, found.labels.iter().cloned())
}

/// The first labels at different places.
fn first_of(labels: impl Iterator<Item = (Span, String)>) -> Vec<(Span, String)> {
    let mut spans = BTreeSet::new();
    labels.filter(|(span, _)| spans.insert(*span)).take(NAMED).collect()
}

/// The cycle, a line for each step.
fn drawn(cycle: &[(String, &str)]) -> String {
    let steps: Vec<String> = cycle.iter().map(|(port, why)| format!("\n  {port} {why}")).collect();
    let first = cycle.first().map_or("", |(port, _)| port.as_str());
    super::lines(&format!("\nthe cycle:{}\n  {first} again", steps.concat()), super::REPORTED_LINES)
}

/// The depths that unblock a deadlock, in words. Returns None when there are none.
fn cures(found: &Deadlock<'_>) -> Option<String> {
    let depth = |cure: &Cure| match cure {
        Cure::Connection(from, to, words) => format!("`fifo {words}` at the connection of {from} and {to}"),
        Cure::Switch(name, words) => format!("`fifo {words}` at {name}"),
        Cure::Depth(name, words) => format!("`depth {words}` in `{name}`"),
    };
    let depths: Vec<String> = found.depths.iter().map(depth).collect();
    (!depths.is_empty()).then(|| depths.join(" and "))
}

/// Limit on the owners that a way out names.
const MOST_OWNERS: usize = 4;

/// What to do about a deadlock: it depends on the kinds of the connections.
fn way_out(found: &Deadlock<'_>) -> String {
    let has = |what: Waiting| found.carried.contains(&what);
    if let Some((name, _)) = found.open.first() {
        let port = name.rsplit_once('.').map_or(name.as_str(), |(_, port)| port);
        return format!(
            "`{name}` has begun a packet that never ends, so nothing behind it passes: write the last word of each packet with \
             TLAST, `writeincr({port}, value, true)`"
        );
    }
    if let Some(depths) = cures(found) {
        return format!("write {depths}, or change the order in which the kernels read and write");
    }
    if !found.owners.is_empty() {
        let owners = found.owners.iter().map(|owner| format!("`{owner}`"));
        return format!(
            "clients wait for a request that nobody serves: let {} call `serve`, or call `serve_one` for each request \
             before it waits for something else",
            listed(owners, MOST_OWNERS)
        );
    }
    if found.cycle.is_empty()
        && let Some((port, id)) = found.blocked.iter().find_map(|port| Some((&port.name, port.unserved?)))
    {
        return format!(
            "no packet with id {id} has come for `{port}`: let what feeds the `split` give each branch its packets, with \
             the number of the branch in their headers"
        );
    }
    let help = match found.cycle.is_empty() {
        true if has(Waiting::Stream) || has(Waiting::Cascade) => {
            "there is no cycle of waits: a kernel reads more than the one before it writes, or writes more than the one behind \
             it reads; compare the amounts of one run"
        }
        true if has(Waiting::Parameter) => {
            "there is no cycle of waits: a kernel needs more values of its parameter than it is given; declare the parameter \
             `async`, or give it a value for each run"
        }
        true => {
            "there is no cycle of waits: a kernel needs more windows than the kernel or input before it gives, or gives more than \
             the one behind it takes; compare the numbers of acquires and of calls of collectives in one run"
        }
        false if has(Waiting::Parameter) => {
            "a kernel starts after the writer of its parameter has run, which here waits for it: let the host give a \
             parameter of the cycle"
        }
        false if has(Waiting::Cascade) && !has(Waiting::Window) => {
            "no depth helps: the writer of a cascade has to start before its reader ends, so it must not wait for what the reader \
             gives; let one of them write before it reads, or turn the other connection round"
        }
        false if has(Waiting::Cascade) => {
            "no depth helps: the writer of a cascade has to start before its reader ends, so it must not wait for what the reader \
             gives; turn the other connection round, or make its window `async`"
        }
        false if has(Waiting::Window) => {
            "follow the cycle of waits: one of these kernels must acquire its windows in another order, release one earlier, or make \
             as many collective calls as the others"
        }
        false => "no depth of any FIFO unblocks the cycle: one of its kernels must write before it reads",
    };
    help.to_owned()
}

#[cfg(test)]
mod tests {
    use super::{Seen, finding};

    #[test]
    fn a_misaligned_access_and_a_broken_promise_have_ways_out_of_their_own() {
        let help = |what: &str| finding(&Seen::default(), what, None).help;
        let access = "a vector access of 32 bytes is not aligned to 32 bytes (it is 16 bytes off)";
        assert!(help(access).contains("alignas(aie::vector_decl_align)"));
        assert!(help("the loop at k.cc:3 ran 5 times").contains("the loop that the message names"));
    }
}
