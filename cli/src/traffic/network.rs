//! Patterns on a network of messages, by its event model.

use aiec_diag::Diagnostic;
use aiec_lower::Scalar;
use aiec_placer::{Random, mixed};
use aiec_system::Threads;
use aiec_timing::network::{
    Barrier, Network, NetworkProfile, Outcome, exchange, one_way, round_trip, run as simulate,
};

use super::place::Place;
use super::row::Row;
use super::sample::{Message, Sample};
use super::{Results, bytes, folder};
use crate::args::Traffic as Arguments;
use crate::errors;
use crate::invocation::Invocation;
use crate::output::Console;
use crate::pattern::Pattern;
use crate::sweep::values::{self, Axis};

/// Runs of a barrier whose nodes enter at random.
const SKEWED_RUNS: u32 = 100;
/// Limit on the steps of all messages of a command from router to router, if each goes as far as
/// any. They take some ten seconds.
const MOST_STEPS: usize = 50_000_000;
/// Limit on the bytes of a message: a GiB.
const MOST_BYTES: u64 = 1 << 30;

/// Runs `aiec traffic` with the profile of a network. Returns None when it logs an error.
pub(super) fn run(
    args: &Arguments,
    profile: &NetworkProfile,
    invocation: &mut Invocation,
    console: &mut Console<'_>,
) -> Option<()> {
    let mut network = profile.network.clone();
    network.links = args.links.map_or(network.links, |links| links.min(network.links));
    invocation.require(alone(args))?;
    let sizes = invocation.require(sizes(&args.bytes))?;
    let bytes = sizes.values.iter().filter_map(|&size| bytes(size)).collect();
    let command = Command { args, network: &network, sizes: bytes };
    invocation.require(command.fits())?;
    let folder = folder(args, invocation).ok()?;
    let rows = command.rows();
    let Network { routers, nodes, links, cycle_ns, .. } = network;
    let place = Place::Network { routers, nodes, links, cycle_ns };
    let note = format!("Times are simulated with profile {}. Source: {}.", profile.name, profile.source);
    let results = Results { place, profile: &profile.name, note, rows: &rows };
    results.show(args, sizes.geometric, folder.as_ref(), invocation, console)
}

/// Fails for options that only an array has.
fn alone(args: &Arguments) -> Result<(), Diagnostic> {
    let given = [
        ("--grid", args.grid.is_some()),
        ("--device", args.device.is_some()),
        ("--load", args.load.is_some()),
        ("--emit", args.emit.is_some()),
        ("--bank-conflicts", args.bank_conflicts),
    ];
    match given.iter().find(|(_, is_given)| *is_given) {
        Some((option, _)) => Err(errors::bad_traffic(
            format!("{option} is for an array, and the profile has the nodes of a network"),
            "leave it out; the numbers of the network are those of its profile",
        )),
        None => Ok(()),
    }
}

/// Sizes of messages in bytes. 0 is a message without payload.
fn sizes(text: &str) -> Result<Axis, Diagnostic> {
    let help = "write whole numbers of bytes from 0 to 2^30, such as `--bytes 0,4` or `--bytes 16..8192*2`";
    let bad = |reason: &str| errors::bad_traffic(format!("`--bytes {text}`: {reason}"), help);
    let axis = values::numbers(text).map_err(|reason| bad(&reason))?;
    let is_size = |size: &&Scalar| bytes(**size).is_none_or(|bytes| bytes > MOST_BYTES);
    match axis.values.iter().find(is_size) {
        Some(size) => Err(bad(&format!("{size} is no size of a message"))),
        None => Ok(axis),
    }
}

/// The command with its network.
struct Command<'a> {
    args: &'a Arguments,
    network: &'a Network,
    sizes: Vec<u64>,
}

impl Command<'_> {
    /// Fails if a pattern does not fit the network, or there is too much to do.
    fn fits(&self) -> Result<(), Diagnostic> {
        let mut messages: usize = 0;
        for &pattern in &self.args.pattern {
            self.run_once(pattern, 0, 0).map_err(|reason| {
                let what = format!("the pattern {pattern} does not fit the network: {reason}");
                errors::bad_traffic(what, "leave the pattern out, or give another network")
            })?;
            let each = self.network.node_count().saturating_mul(self.runs(pattern) as usize);
            messages = messages.saturating_add(each.saturating_mul(self.sizes.len()));
        }
        if self.args.skew.is_some() && !self.args.pattern.iter().any(|pattern| pattern.is_barrier()) {
            let what = "--skew is for barriers, and none of these patterns is one".to_owned();
            return Err(errors::bad_traffic(what, "leave it out, or add `barrier-hypercube`"));
        }
        let hops = self.network.diameter();
        let most = MOST_STEPS / (hops + 1);
        if messages > most {
            let what =
                format!("{messages} messages are to be sent over up to {hops} hops, and at most {most} are");
            return Err(errors::bad_traffic(what, "give fewer permutations or sizes, or a smaller network"));
        }
        Ok(())
    }

    fn runs(&self, pattern: Pattern) -> u32 {
        match (pattern, self.args.skew) {
            (Pattern::Barrier(_), Some(_)) => SKEWED_RUNS,
            _ => pattern.runs(),
        }
    }

    /// A row for each pattern and size.
    fn rows(&self) -> Vec<Row> {
        let threads = Threads::new(self.args.jobs.map(usize::from));
        let of_pattern = |&pattern: &Pattern| {
            // The messages of a barrier have no payload.
            let sizes = if pattern.is_barrier() { vec![0] } else { self.sizes.clone() };
            sizes.into_iter().map(|bytes| self.row(pattern, bytes, &threads)).collect::<Vec<_>>()
        };
        self.args.pattern.iter().flat_map(of_pattern).collect()
    }

    fn row(&self, pattern: Pattern, bytes: u64, threads: &Threads) -> Row {
        let runs = threads.map(self.runs(pattern) as usize, |run| {
            self.run_once(pattern, bytes, u32::try_from(run).unwrap_or_default()).ok()
        });
        let runs: Vec<_> = runs.into_iter().flatten().map(Ok).collect();
        match pattern.is_barrier() {
            true => Row::barrier(pattern.to_string(), &runs),
            false => Row::new(pattern.to_string(), bytes, &runs, None),
        }
    }

    fn run_once(&self, pattern: Pattern, bytes: u64, run: u32) -> Result<Sample, String> {
        match pattern {
            Pattern::Barrier(barrier) => self.barrier(barrier, run),
            Pattern::OneWay => Ok(self.singles(|to| {
                simulate(self.network, &one_way(self.network, 0, to, bytes), &[]).left.get(to).copied()?
            })),
            Pattern::RoundTrip => Ok(self.singles(|to| {
                simulate(self.network, &round_trip(self.network, 0, to, bytes), &[]).left.first().copied()?
            })),
            _ => {
                let to = pattern.over(self.network, self.args.seed, run)?;
                Ok(sample(&simulate(self.network, &exchange(&to, bytes), &[]), &[]))
            }
        }
    }

    fn barrier(&self, barrier: Barrier, run: u32) -> Result<Sample, String> {
        let programs = barrier.programs(self.network);
        let programs = programs.ok_or("it needs a number of nodes that is a power of two")?;
        let mut random = Random::new(mixed(self.args.seed ^ mixed(u64::from(run) + 1)));
        let nodes = 0..programs.len();
        let enter: Vec<u64> = match self.args.skew {
            Some(skew) => nodes.map(|_| random.bits() % (skew + 1)).collect(),
            None => nodes.map(|_| 0).collect(),
        };
        Ok(sample(&simulate(self.network, &programs, &enter), &enter))
    }

    /// One message or answer at a time, from node 0 to a node of the first router at each distance.
    fn singles(&self, cycles: impl Fn(usize) -> Option<u64>) -> Sample {
        let network = self.network;
        let mut messages: Vec<Message> = Vec::new();
        let away: Vec<usize> = (0..network.router_count()).map(|to| network.hops(0, to)).collect();
        for hops in 0..=network.diameter() {
            let Some(router) = away.iter().position(|&of| of == hops) else { continue };
            // The last node of a router: another one than node 0 where there are several.
            let to = (router + 1) * network.nodes as usize - 1;
            if let Some(cycles) = cycles(to).filter(|_| to != 0) {
                messages.push(Message { cycles: cycles as f64, hops: u32::try_from(hops).ok() });
            }
        }
        let total = messages.iter().map(|message| message.cycles).fold(0.0, f64::max);
        Sample { total, messages, links: Vec::new(), begins: Vec::new(), stays: Vec::new() }
    }
}

/// A run as the rows take it, whose nodes entered at these cycles.
fn sample(outcome: &Outcome, enter: &[u64]) -> Sample {
    let message = |arrival: &aiec_timing::network::Arrival| Message {
        cycles: arrival.cycles as f64,
        hops: u32::try_from(arrival.hops).ok(),
    };
    let stays = outcome.left.iter().zip(enter).filter_map(|(left, enter)| Some((*left)? - enter));
    Sample {
        total: outcome.total as f64,
        messages: outcome.arrivals.iter().map(message).collect(),
        links: Vec::new(),
        begins: Vec::new(),
        stays: stays.map(|cycles| cycles as f64).collect(),
    }
}
