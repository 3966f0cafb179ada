//! Turns the events of a run into diagnostics. Takes the run and its events. Findings name the port
//! as declared, the iteration, and the line of the user's source. Equal findings of the instances
//! of a family are one diagnostic.

use std::collections::BTreeMap;

use aiec_check::Checked;
use aiec_diag::{Diagnostic, Sources};
use aiec_host_run::errors::{self, Cure, Seen, Waiting};
use aiec_host_run::events::{self, Blocked, Depth, End, Event, KernelNumber, PortRef, Site, Step};
use aiec_host_run::program::Finished;
use aiec_host_run::windows::port;
use aiec_host_run::{compare, windows};
use aiec_ir::design::Endpoint;
use aiec_ir::expanded::{External, Owner, PortRole};
use aiec_ir::{Carries, CollectiveId, Direction, KernelId, PortId};

use crate::copies::Copies;
use crate::invocation::Invocation;
use crate::sim::execution::Run;

/// Logs the faults of a run, and returns None when there are any.
pub(super) fn judge(run: &Run<'_>, finished: &Finished, invocation: &mut Invocation) -> Option<()> {
    let checked = &run.front.checked;
    let events = &finished.events;
    let mut faults = seen(run, events, &mut invocation.sources);
    let mut copies = Copies::new(run.files, run.folder.to_path_buf(), &mut invocation.sources);
    let rates = windows::faults(checked, events, |line| copies.place(line));
    // A deadlock with wrong window counts, or with a window that is never released, has these as
    // its cause.
    if rates.is_empty() && !events.iter().any(|event| matches!(event, Event::MissingRelease { .. })) {
        faults.extend(events.iter().flat_map(|event| stuck(checked, events, event, &mut copies)));
    }
    faults.extend(rates);
    faults.extend(overfull(checked, events));
    let turns = events.iter().filter_map(|event| in_turn(checked, event, &mut copies));
    let (certain, warnings): (Vec<_>, Vec<_>) = turns.partition(Diagnostic::is_error);
    faults.extend(certain);
    invocation.log.add(warnings);
    let failed = finished.status.is_none_or(|status| !status.success());
    if !failed && faults.is_empty() {
        return Some(());
    }
    if faults.is_empty() {
        let fault = stopped(run, finished, &mut invocation.sources);
        return invocation.fail(fault);
    }
    invocation.log.add(faults);
    None
}

/// The fault of a run that a crash, an abort or the time limit ended, in the user's names and
/// paths.
fn stopped(run: &Run<'_>, finished: &Finished, sources: &mut Sources) -> Diagnostic {
    const AT: &str = ", at ";
    let mut copies = Copies::new(run.files, run.folder.to_path_buf(), sources);
    let mut place = None;
    let lines = finished.stderr.lines().map(|line| {
        let line = with_kernel(&run.front.checked, line);
        let Some(end) = line.rfind(AT) else { return line };
        let (before, at) = (&line[..end], &line[end + AT.len()..]);
        place = place.or_else(|| copies.place(at));
        format!("{before}{AT}{}", copies.shown(at))
    });
    let words = lines.collect::<Vec<_>>().join("\n");
    let fault = match finished.status {
        Some(status) if !finished.timed_out() => {
            let output = errors::Output { stderr: &words, stdout: &finished.stdout };
            errors::failed(&status.to_string(), output, finished.crashed())
        }
        _ => errors::timeout(run.machine.timeout, &words),
    };
    fault.label_at(place, "the run stopped here")
}

/// A line of the runtime with the design's name of a kernel instead of its number and source.
fn with_kernel(checked: &Checked, line: &str) -> String {
    const KERNEL: &str = "error: kernel ";
    let named = || {
        let (before, rest) = line.split_once(KERNEL)?;
        let (number, rest) = rest.split_at(rest.find(|c: char| !c.is_ascii_digit())?);
        let kernel = checked.kernels.get(KernelId(number.parse().ok()?))?;
        let rest =
            rest.strip_prefix(" (").and_then(|rest| rest.split_once("): ")).map_or(rest, |(_, what)| what);
        Some(format!("{before}{KERNEL}`{}`: {}", kernel.name, rest.trim_start_matches(": ")))
    };
    named().unwrap_or_else(|| line.to_owned())
}

/// What a finding is about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum About<'a> {
    MissingRelease(PortId),
    Misuse(PortId, &'a str),
    Rule(KernelId, &'a str),
}

impl<'a> About<'a> {
    fn of(checked: &Checked, event: &'a Event) -> Option<(Self, &'a Site)> {
        let at = |at: &PortRef| port(checked, at);
        match event {
            Event::MissingRelease { port, site, .. } => Some((Self::MissingRelease(at(port)?), site)),
            Event::Misuse { severity, .. } | Event::Finding { severity, .. } if severity == "note" => None,
            Event::Misuse { port, what, site, .. } => Some((Self::Misuse(at(port)?, what), site)),
            Event::Finding { kernel, what, site, .. } => Some((Self::Rule(kernel.id(), what), site)),
            _ => None,
        }
    }

    /// The name of the port or kernel.
    fn name(self, checked: &Checked) -> String {
        match self {
            Self::MissingRelease(port) | Self::Misuse(port, _) => checked.port_name(port),
            Self::Rule(kernel, _) => checked.kernels.get(kernel).map_or("", |kernel| &kernel.name).to_owned(),
        }
    }

    /// True if a kernel acquires and releases a window that is not asynchronous: one fault.
    fn is_one_fault_with(self, other: Self, checked: &Checked) -> bool {
        match (self, other) {
            (Self::Misuse(a, one), Self::Misuse(b, two)) => {
                windows::are_alike(checked, a, b)
                    && errors::is_acquisition(one)
                    && errors::is_acquisition(two)
            }
            _ => false,
        }
    }

    /// True if two findings are the same fault at two instances of a family.
    fn is_like(self, other: Self, checked: &Checked) -> bool {
        let same_port = |a, b| windows::are_alike(checked, a, b);
        let family = |kernel: KernelId| checked.kernels.get(kernel).map(|kernel| kernel.family);
        match (self, other) {
            (Self::MissingRelease(a), Self::MissingRelease(b)) => same_port(a, b),
            (Self::Misuse(a, what), Self::Misuse(b, other)) => what == other && same_port(a, b),
            (Self::Rule(a, what), Self::Rule(b, other)) => what == other && family(a) == family(b),
            _ => false,
        }
    }
}

/// The findings, with equal ones of a family as one.
fn seen(run: &Run<'_>, events: &[Event], sources: &mut Sources) -> Vec<Diagnostic> {
    let checked = &run.front.checked;
    let mut groups: Vec<(About<'_>, &Site, Vec<String>)> = Vec::new();
    for (about, site) in events.iter().filter_map(|event| About::of(checked, event)) {
        let same = |(first, of, _): &&mut (About<'_>, &Site, Vec<String>)| {
            (of.line == site.line && first.is_like(about, checked)) || first.is_one_fault_with(about, checked)
        };
        match groups.iter_mut().find(same) {
            Some((first, _, _)) if first.name(checked) == about.name(checked) => {}
            Some((_, _, others)) => {
                // A kernel may break a rule in several ways.
                let name = about.name(checked);
                if !others.contains(&name) {
                    others.push(name);
                }
            }
            None => groups.push((about, site, Vec::new())),
        }
    }
    let mut copies = Copies::new(run.files, run.folder.to_path_buf(), sources);
    let diagnostic = |(about, site, others): (About<'_>, &Site, Vec<String>)| {
        let place = site
            .line
            .as_ref()
            .filter(|line| !copies.is_emitted(line))
            .map(|line| (copies.shown(line), copies.place(line)));
        let name = about.name(checked);
        let seen = Seen { name: &name, others: &others, iteration: site.iteration, place };
        match about {
            About::MissingRelease(port) => {
                let kernel = checked.owner_name(checked.ports[port].owner);
                errors::missing_release(&seen, kernel, checked.ports[port].span)
            }
            About::Misuse(port, what) => {
                let end = &checked.ports[port];
                match end.role {
                    PortRole::Channel(id) => {
                        let collective = &checked.collectives[id];
                        let named = (collective.operation().noun(), collective.name.as_str());
                        let kernel = checked.kernel_of(port).map(|id| checked.kernels[id].span);
                        errors::misused_stream(&seen, what, named, (end.span, kernel))
                    }
                    _ if matches!(end.carries, Some(Carries::Packets(_))) => {
                        errors::misused_packets(&seen, what, end.span)
                    }
                    _ => errors::misuse(&seen, what, end.asynchronous, end.span),
                }
            }
            About::Rule(kernel, what) => {
                errors::finding(&seen, what, checked.kernels.get(kernel).map(|kernel| kernel.span))
            }
        }
    };
    groups.into_iter().map(diagnostic).collect()
}

/// The faults of a run that stopped early.
fn stuck(checked: &Checked, events: &[Event], event: &Event, copies: &mut Copies<'_>) -> Vec<Diagnostic> {
    match event {
        Event::Deadlock { input, .. } if !input.is_empty() => {
            let faults =
                input.iter().map(|dry| too_little(checked, &dry.file, dry.needed, dry.found)).collect();
            errors::by_declaration(faults)
        }
        Event::Deadlock { blocked, gmio, .. } if blocked.is_empty() => {
            let left = gmio.iter().map(|port| left_over(checked, port)).collect();
            let left = errors::by_declaration(left).into_iter();
            left.chain(compare::calls(checked, events)).collect()
        }
        Event::Deadlock { blocked, steps, depths, open, .. } => {
            let skipped = compare::skipped(checked, events, blocked, |line| copies.place(line));
            if skipped.is_empty() {
                let mut found = waits(checked, blocked, steps, depths, copies);
                found.depths.extend(awaited(checked, events));
                let open = open.iter().filter_map(|at| port(checked, at));
                found.open = open.map(|at| (checked.port_name(at), checked.ports[at].span)).collect();
                vec![errors::deadlock(&found)]
            } else {
                skipped
            }
        }
        _ => Vec::new(),
    }
}

/// The fault of kernels that wait for each other on their core.
fn in_turn(checked: &Checked, event: &Event, copies: &mut Copies<'_>) -> Option<Diagnostic> {
    let Event::Turns(turns) = event else { return None };
    let kernels: Vec<KernelId> = turns.kernels.iter().map(|kernel| kernel.id()).collect();
    let name = |kernel: KernelNumber| checked.kernels.get(kernel.id()).map(|kernel| kernel.name.as_str());
    let ports = turns.steps.iter().filter_map(|step| match &step.at {
        End::Port(at) => Some(at),
        End::Other { .. } => None,
    });
    let declared = ports.clone().filter_map(|at| port(checked, at));
    let declared = declared
        .map(|port| (checked.ports[port].span, format!("`{}` is declared here", checked.port_name(port))));
    Some(errors::turns(&errors::Turns {
        kernels: aiec_check::list(checked, &kernels),
        is_certain: turns.severity == "error",
        running: name(turns.running)?,
        resting: name(turns.resting)?,
        iteration: turns.site.iteration,
        place: turns.site.line.as_deref().and_then(|line| copies.place(line)),
        steps: turns.steps.iter().map(|step| (end_name(checked, &step.at), step.why.as_str())).collect(),
        carried: ports.filter_map(|at| carried(checked, at)).collect(),
        labels: declared.chain(aiec_check::constraints_on(checked, &kernels)).collect(),
    }))
}

/// A deadlock in the design's names.
fn waits<'a>(
    checked: &Checked,
    blocked: &'a [Blocked],
    steps: &'a [Step],
    depths: &[Depth],
    copies: &mut Copies<'_>,
) -> errors::Deadlock<'a> {
    let mut one = |b: &'a Blocked| {
        let port = port(checked, &b.port)?;
        Some(errors::BlockedPort {
            name: checked.port_name(port),
            waits: &b.waits,
            iteration: b.site.iteration,
            place: b.site.line.as_deref().and_then(|line| copies.place(line)),
            declared: checked.ports[port].span,
            unserved: b.unserved.filter(|_| !is_behind_blocked(checked, port, blocked)),
        })
    };
    let in_cycle = steps.iter().filter_map(|step| match &step.at {
        End::Port(at) => Some(at),
        End::Other { .. } => None,
    });
    let ports: Vec<&PortRef> =
        if steps.is_empty() { blocked.iter().map(|b| &b.port).collect() } else { in_cycle.collect() };
    let mut channels: BTreeMap<String, u64> = BTreeMap::new();
    let mut cures: Vec<Cure> = Vec::new();
    let mut switches: BTreeMap<String, u64> = BTreeMap::new();
    for depth in depths {
        let [from, to] = depth.ends.as_slice() else { continue };
        // The trunk and the branches of a switch are one connection of the design.
        if let Some(end) = [from, to].into_iter().find(|end| matches!(end, End::Other { of: Some(_), .. })) {
            let words = switches.entry(end_name(checked, end)).or_default();
            *words = (*words).max(depth.words);
            continue;
        }
        match channel(checked, from) {
            // All links of a channel have one depth.
            Some(name) => {
                let words = channels.entry(name).or_default();
                *words = (*words).max(depth.words);
            }
            None => cures.push(Cure::Connection(end_name(checked, from), end_name(checked, to), depth.words)),
        }
    }
    let mut owners: Vec<String> = blocked.iter().filter_map(|b| owner(checked, &b.port)).collect();
    owners.sort_unstable();
    owners.dedup();
    cures.extend(switches.into_iter().map(|(name, words)| Cure::Switch(name, words)));
    cures.extend(channels.into_iter().map(|(name, words)| Cure::Depth(name, words)));
    errors::Deadlock {
        blocked: blocked.iter().filter_map(&mut one).collect(),
        cycle: steps.iter().map(|step| (end_name(checked, &step.at), step.why.as_str())).collect(),
        carried: ports.into_iter().filter_map(|at| carried(checked, at)).collect(),
        depths: cures,
        owners,
        open: Vec::new(),
    }
}

/// True if the kernel that feeds the port waits, too.
fn is_behind_blocked(checked: &Checked, port: PortId, blocked: &[Blocked]) -> bool {
    let mut feeding = checked.ports[port].connections.iter().map(|&id| checked.connections[id].from);
    feeding.any(|from| blocked.iter().any(|one| checked.kernel_of(from) == Some(one.port.kernel.id())))
}

/// The `depth` with which the openings of channels to any peer that wait for credits do not wait.
fn awaited(checked: &Checked, events: &[Event]) -> Vec<Cure> {
    let mut depths: BTreeMap<&str, u64> = BTreeMap::new();
    for event in events {
        let Event::Awaits { port: at, words } = event else { continue };
        let Some(port) = port(checked, at) else { continue };
        let PortRole::Channel(id) = checked.ports[port].role else { continue };
        let depth = depths.entry(&checked.collectives[id].name).or_default();
        *depth = (*depth).max(*words);
    }
    depths.into_iter().map(|(name, words)| Cure::Depth(name.to_owned(), words)).collect()
}

/// The owner of active messages, if the port is that of a client.
fn owner(checked: &Checked, at: &PortRef) -> Option<String> {
    let port = port(checked, at)?;
    let PortRole::Channel(id) = checked.ports[port].role else { return None };
    let collective = &checked.collectives[id];
    let owner = collective.root.value;
    let is_client = collective.plan.is_active() && checked.kernel_of(port) != Some(owner);
    is_client.then(|| checked.kernels[owner].name.clone())
}

/// Channels to any peer whose memory for packets was too small at some rank: one fault for each,
/// with the rank that needs the largest. The simulated memory is larger than the stated one.
fn overfull(checked: &Checked, events: &[Event]) -> Vec<Diagnostic> {
    let mut needed: BTreeMap<CollectiveId, (u64, KernelId)> = BTreeMap::new();
    for event in events {
        let Event::Kept { port: at, words } = event else { continue };
        let Some(port) = port(checked, at) else { continue };
        let PortRole::Channel(id) = checked.ports[port].role else { continue };
        let Some(relay) = checked.collectives[id].plan.relay else { continue };
        // There is always room for one packet.
        let early = words.saturating_sub(relay.packet.into());
        if early > u64::from(relay.depth) {
            let most = needed.entry(id).or_insert((early, at.kernel.id()));
            if early > most.0 {
                *most = (early, at.kernel.id());
            }
        }
    }
    let fault = |(id, (words, kernel)): (CollectiveId, (u64, KernelId))| {
        let channel = &checked.collectives[id];
        let rank = checked.kernels.get(kernel).map_or("", |kernel| &kernel.name);
        let depth = channel.plan.relay.map_or(0, |relay| relay.depth);
        errors::overfull_rank(&channel.name, rank, (words, depth), channel.span)
    };
    needed.into_iter().map(fault).collect()
}

/// The channel of an end of a connection, if it belongs to one.
fn channel(checked: &Checked, end: &End) -> Option<String> {
    let End::Port(at) = end else { return None };
    match checked.ports[port(checked, at)?].role {
        PortRole::Channel(id) if !checked.collectives[id].plan.goes_by_packets() => {
            Some(checked.collectives[id].name.clone())
        }
        _ => None,
    }
}

/// The name of an end of a connection, as messages show it.
fn end_name(checked: &Checked, end: &End) -> String {
    match end {
        End::Port(at) => {
            port(checked, at).map_or_else(String::new, |port| format!("`{}`", checked.port_name(port)))
        }
        End::Other { name, of: Some(trunk) } => {
            let word = if name.starts_with("pktsplit") { "split" } else { "merge" };
            format!("the `{word}` of {}", end_name(checked, trunk))
        }
        End::Other { name, of: None } => external_name(checked, name),
    }
}

/// The design's name of `PLIO samples_0 (data/in.txt)` or `GMIO samples_0`.
fn external_name(checked: &Checked, name: &str) -> String {
    let logical = name.strip_prefix("PLIO ").or_else(|| name.strip_prefix("GMIO ")).unwrap_or_default();
    let logical = logical.split(" (").next().unwrap_or_default();
    let external = checked.externals.iter().find(|external| external.identifier == logical);
    external.map_or_else(|| name.to_owned(), |external| format!("`{}`", external.name))
}

/// What a port carries, for the advice about it.
fn carried(checked: &Checked, at: &PortRef) -> Option<Waiting> {
    let carries = checked.ports[port(checked, at)?].carries?;
    Some(match carries {
        Carries::Window { .. } => Waiting::Window,
        Carries::Stream(_) | Carries::Packets(_) => Waiting::Stream,
        Carries::Cascade(_) => Waiting::Cascade,
        Carries::Parameter(_) => Waiting::Parameter,
        Carries::Table { .. } => return None,
    })
}

/// Data that is left at an input, or that an output waits for, when all kernels have returned.
fn left_over(checked: &Checked, port: &events::Pending) -> Diagnostic {
    let external = checked.externals.iter().find(|external| external.identifier == port.name);
    let say = match external.map(|external| external.direction) {
        Some(Direction::Out) => errors::input_left,
        _ => errors::output_waits,
    };
    say(&port.name, port.bytes, external.map(|external| external.span))
}

fn too_little(checked: &Checked, file: &str, needed: u64, found: u64) -> Diagnostic {
    let reads = |endpoint: &Endpoint| match endpoint {
        Endpoint::Plio { file: name, .. } => name == file,
        Endpoint::Gmio { file: name, .. } => name.as_deref() == Some(file),
    };
    let input = checked.externals.iter().find(|external| reads(&external.endpoint));
    let needed = match input {
        Some(input) if needed == 0 => values_through(checked, input),
        _ => needed,
    };
    errors::starved(input.map_or("", |input| &input.name), file, needed, found, input.map(|input| input.span))
}

/// Elements that go through an input in all iterations.
fn values_through(checked: &Checked, input: &External) -> u64 {
    let port = &checked.ports[input.port];
    let id = match port.owner {
        Owner::External(id) => id,
        Owner::Kernel(_) => return 0,
    };
    let windows = checked.windows_through(id).unwrap_or(0).saturating_mul(checked.iterations.into());
    let block = port.carries.and_then(aiec_ir::Carries::per_run);
    block.map_or(0, |block| windows.saturating_mul(block.elements.into()))
}
