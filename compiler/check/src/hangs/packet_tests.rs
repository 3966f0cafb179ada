//! Random fans of packets against a simulator that moves single words, headers among them, in
//! random orders of packets.

use aiec_collectives::Direction::{In, Out};
use aiec_collectives::ElementType;
use aiec_ir::{Carries, Flow};
use aiec_test_support::{Builder, int32};
use proptest::prelude::*;

use crate::context::Context;
use crate::testing::{slugs_on_toy, toy};

/// An additional window from one kernel to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tie {
    Nothing,
    DealToCollect,
    CollectToDeal,
    LastToFirst,
    FirstToLast,
}

/// A worker: words that it takes and gives, each as a window or as a packet of a stream.
#[derive(Clone, Copy, Debug)]
struct Worker {
    taken: (u32, bool),
    given: (u32, bool),
}

/// `deal` sends a packet to each worker, and `collect` takes the packet of each.
#[derive(Clone, Debug)]
struct Fan {
    workers: Vec<Worker>,
    tie: Tie,
    ordered: bool,
}

fn fans() -> impl Strategy<Value = Fan> {
    let amount = || (1_u32..200, any::<bool>());
    let worker = (amount(), amount()).prop_map(|(taken, given)| Worker { taken, given });
    let ties = vec![Tie::Nothing, Tie::DealToCollect, Tie::CollectToDeal, Tie::LastToFirst, Tie::FirstToLast];
    let fan = (prop::collection::vec(worker, 2..4), prop::sample::select(ties), any::<bool>());
    fan.prop_map(|(workers, tie, ordered)| Fan { workers, tie, ordered })
}

fn design(fan: &Fan) -> Builder {
    let packets = |words| Carries::Packets(Flow { element: ElementType::Int32, per_run: Some(words) });
    let window = |words| Carries::window_of(int32(words));
    let carries = |(words, is_window): (u32, bool)| if is_window { window(words) } else { packets(words) };
    let tied = |kernel: &str| match (fan.tie, kernel) {
        (Tie::DealToCollect, "deal") | (Tie::CollectToDeal, "collect") => vec![(Out, "tie", window(4))],
        (Tie::DealToCollect, "collect") | (Tie::CollectToDeal, "deal") => vec![(In, "tie", window(4))],
        (Tie::LastToFirst, "first") | (Tie::FirstToLast, "last") => vec![(In, "tie", window(4))],
        (Tie::LastToFirst, "last") | (Tie::FirstToLast, "first") => vec![(Out, "tie", window(4))],
        _ => vec![],
    };
    let sum = |part: fn(&Worker) -> u32| fan.workers.iter().map(part).sum::<u32>();
    let mut builder = Builder::new("fan", "toy");
    builder.gmio_input("i").gmio_output("o");
    let mut deal = vec![(In, "x", window(4)), (Out, "y", packets(sum(|worker| worker.taken.0)))];
    deal.extend(tied("deal"));
    let mut collect = vec![(In, "x", packets(sum(|worker| worker.given.0))), (Out, "y", window(4))];
    collect.extend(tied("collect"));
    builder.carrying("deal", &[], &deal).carrying("collect", &[], &collect);
    let last = fan.workers.len() - 1;
    for (at, worker) in fan.workers.iter().enumerate() {
        let mut ports = vec![(In, "x", carries(worker.taken)), (Out, "y", carries(worker.given))];
        ports.extend(tied(if at == 0 {
            "first"
        } else if at == last {
            "last"
        } else {
            "middle"
        }));
        builder.carrying(&format!("w{at}"), &[], &ports);
    }
    let ends = |port: &str| (0..=last).map(|at| format!("w{at}.{port}")).collect::<Vec<_>>();
    let (taken, given) = (ends("x"), ends("y"));
    let [taken, given] = [&taken, &given].map(|all| all.iter().map(String::as_str).collect::<Vec<_>>());
    builder.connect("i", "deal.x").connect("collect.y", "o").split("deal.y", &taken);
    match fan.ordered {
        true => builder.merge_ordered(&given, "collect.x"),
        false => builder.merge(&given, "collect.x"),
    };
    match fan.tie {
        Tie::Nothing => &mut builder,
        Tie::DealToCollect => builder.connect("deal.tie", "collect.tie"),
        Tie::CollectToDeal => builder.connect("collect.tie", "deal.tie"),
        Tie::LastToFirst => builder.connect(&format!("w{last}.tie"), "w0.tie"),
        Tie::FirstToLast => builder.connect("w0.tie", &format!("w{last}.tie")),
    };
    builder
}

/// One operation of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Op {
    /// Waits for the window of the tie, or gives it.
    TakeTie,
    GiveTie,
    /// Writes a word of a packet to a branch of the split.
    Deal(usize),
    /// Waits for the words of a window of a worker, or hands them back.
    Fill(usize),
    Empty(usize),
    /// Reads a word of a worker.
    Read(usize),
    /// Waits for an empty buffer of a worker's output, or gives it away.
    Claim(usize),
    Give(usize),
    /// Writes a word of a worker's packet.
    Write(usize),
    /// Reads a word of the merge.
    Collect,
}

const ITERATIONS: usize = 3;

/// A run of a fan, word by word.
struct Run<'a> {
    fan: &'a Fan,
    /// Words in flight on each way.
    room: u32,
    seed: u32,
    tie: u32,
    /// Words at each worker.
    held: Vec<u32>,
    /// Claimed buffers of each worker's output, and its words that wait for the merge.
    claimed: Vec<u32>,
    waiting: Vec<u32>,
    /// The worker whose packet passes the merge, with its words left.
    passing: Option<(usize, u32)>,
    turn: usize,
    merged: u32,
}

/// Words of a worker's packet, with the header unless the worker has a window of them.
fn words((data, is_window): (u32, bool)) -> u32 {
    data + u32::from(!is_window)
}

impl Run<'_> {
    /// A random number below `n`.
    fn draw(&mut self, n: usize) -> usize {
        self.seed = self.seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.seed >> 8) as usize % n.max(1)
    }

    /// The operations of all kernels: `deal`, the workers, `collect`.
    fn programs(&mut self) -> Vec<Vec<Op>> {
        let (fan, count) = (self.fan, self.fan.workers.len());
        let tied = |is_there: bool, op: Op| is_there.then_some(op);
        let mut all = vec![Vec::new(); count + 2];
        for _ in 0..ITERATIONS {
            all[0].extend(tied(fan.tie == Tie::CollectToDeal, Op::TakeTie));
            let mut left: Vec<usize> = (0..count).collect();
            while !left.is_empty() {
                let at = left.swap_remove(self.draw(left.len()));
                all[0].extend((0..words(fan.workers[at].taken)).map(|_| Op::Deal(at)));
            }
            all[0].extend(tied(fan.tie == Tie::DealToCollect, Op::GiveTie));
            for (at, worker) in fan.workers.iter().enumerate() {
                let (takes, gives) = match fan.tie {
                    Tie::LastToFirst => (at == 0, at == count - 1),
                    Tie::FirstToLast => (at == count - 1, at == 0),
                    _ => (false, false),
                };
                let ops = self.work(at, worker);
                let ops = tied(takes, Op::TakeTie).into_iter().chain(ops).chain(tied(gives, Op::GiveTie));
                all[at + 1].extend(ops);
            }
            let words = fan.workers.iter().map(|worker| 1 + worker.given.0).sum::<u32>();
            all[count + 1].extend(tied(fan.tie == Tie::DealToCollect, Op::TakeTie));
            all[count + 1].extend((0..words).map(|_| Op::Collect));
            all[count + 1].extend(tied(fan.tie == Tie::CollectToDeal, Op::GiveTie));
        }
        all
    }

    /// A firing of a worker, with its streams in random bursts.
    fn work(&mut self, at: usize, worker: &Worker) -> Vec<Op> {
        let (mut reads, mut writes) = (worker.taken, worker.given);
        (reads.0, writes.0) = (words(reads), words(writes));
        let mut ops = Vec::new();
        if reads.1 {
            ops.push(Op::Fill(at));
        }
        if writes.1 {
            ops.push(Op::Claim(at));
        }
        // A worker with packets alone writes none before its share of the reads.
        let waits = match (self.fan.tie, at == 0, at + 1 == self.fan.workers.len()) {
            (Tie::LastToFirst, true, _) | (Tie::FirstToLast, _, true) => true,
            _ => reads.1,
        };
        let (all_reads, all_writes) = (reads.0, writes.0);
        while (!reads.1 && reads.0 > 0) || (!writes.1 && writes.0 > 0) {
            let early = match waits {
                true => writes.0,
                false => {
                    writes.0 - (all_writes - (all_reads - reads.0) * all_writes / all_reads).min(writes.0)
                }
            };
            let (end, op, most) = match self.draw(2) {
                0 if !reads.1 => (&mut reads.0, Op::Read(at), 40),
                _ if !writes.1 && (early > 0 || reads.0 == 0) => (&mut writes.0, Op::Write(at), early.max(1)),
                _ => (&mut reads.0, Op::Read(at), 40),
            };
            let burst = (*end).min(40).min(most);
            *end -= burst;
            ops.extend((0..burst).map(|_| op));
        }
        ops.extend(worker.taken.1.then_some(Op::Empty(at)));
        ops.extend(worker.given.1.then_some(Op::Give(at)));
        ops
    }

    /// Carries an operation out. Returns false when it must wait.
    fn carry_out(&mut self, op: Op) -> bool {
        let size = |(words, is_window): (u32, bool)| if is_window { 2 * words } else { 0 };
        let worker = |at: usize| self.fan.workers[at];
        match op {
            Op::TakeTie if self.tie == 0 => return false,
            Op::TakeTie => self.tie -= 1,
            Op::GiveTie => self.tie += 1,
            Op::Deal(at) if self.held[at] >= self.room + size(worker(at).taken) => return false,
            Op::Deal(at) => self.held[at] += 1,
            Op::Fill(at) => return self.held[at] >= worker(at).taken.0,
            Op::Empty(at) => self.held[at] -= worker(at).taken.0,
            Op::Read(at) if self.held[at] == 0 => return false,
            Op::Read(at) => self.held[at] -= 1,
            Op::Claim(at) if self.claimed[at] == 2 => return false,
            Op::Claim(at) => self.claimed[at] += 1,
            // The DMA puts the header on.
            Op::Give(at) => self.waiting[at] += 1 + worker(at).given.0,
            // Words of a stream wait at the merge, as many as its way holds.
            Op::Write(at) if self.waiting[at] >= self.room => return false,
            Op::Write(at) => self.waiting[at] += 1,
            Op::Collect if self.merged == 0 => return false,
            Op::Collect => self.merged -= 1,
        }
        true
    }

    /// Passes words on at the merge. Returns true if one moved.
    fn merge(&mut self) -> bool {
        if self.passing.is_none() {
            let ready: Vec<usize> = match self.fan.ordered {
                true => vec![self.turn],
                false => (0..self.waiting.len()).filter(|&at| self.waiting[at] > 0).collect(),
            };
            let Some(&at) = ready.get(self.draw(ready.len())) else { return false };
            self.passing = Some((at, 1 + self.fan.workers[at].given.0));
        }
        let Some((at, left)) = self.passing else { return false };
        if self.waiting[at] == 0 || self.merged >= self.room {
            return false;
        }
        self.waiting[at] -= 1;
        self.merged += 1;
        self.passing = (left > 1).then_some((at, left - 1));
        if left == 1 {
            self.turn = (at + 1) % self.waiting.len();
            self.claimed[at] = self.claimed[at].saturating_sub(1);
        }
        true
    }
}

/// Runs the fan. Returns true if it finishes.
fn finishes(fan: &Fan, room: u32, seed: u32) -> bool {
    let none = vec![0; fan.workers.len()];
    let (held, claimed, waiting) = (none.clone(), none.clone(), none);
    let mut run = Run { fan, room, seed, tie: 0, held, claimed, waiting, passing: None, turn: 0, merged: 0 };
    let programs = run.programs();
    let mut at = vec![0; programs.len()];
    let mut moved = true;
    while moved {
        moved = false;
        for (at, program) in at.iter_mut().zip(&programs) {
            while program.get(*at).is_some_and(|&op| run.carry_out(op)) {
                (moved, *at) = (true, *at + 1);
            }
        }
        while run.merge() {
            moved = true;
        }
    }
    at.iter().zip(&programs).all(|(at, program)| *at == program.len())
}

fn refused(fan: &Fan) -> bool {
    let (design, device) = (design(fan).expanded().expect("every name is declared"), toy());
    let found = super::check(&Context::new(&design, &device));
    found.iter().any(|diagnostic| diagnostic.code.slug == "check/stream-hang")
}

fn holds(fan: &Fan) -> Result<(), TestCaseError> {
    let device = toy();
    // A way from a source to the merge and one behind it are the way of a connection.
    let most = device.switch.hop_words * u32::from(device.columns + device.rows) / 2;
    if refused(fan) {
        for seed in 0..8 {
            prop_assert!(!finishes(fan, most, seed), "an order of packets finishes");
        }
    } else if fan.ordered && serves(fan) {
        // Packets of later iterations may come first in a plain merge.
        for seed in 0..8 {
            prop_assert!(finishes(fan, device.switch.hop_words, seed), "an order stops: {fan:?}");
        }
    }
    Ok(())
}

/// True if the check finds no fault, and names no order that it assumes.
fn serves(fan: &Fan) -> bool {
    let (design, device) = (design(fan).expanded().expect("every name is declared"), toy());
    let context = Context::new(&design, &device);
    let has_ring = super::order_tests::has_ring(&context);
    super::check(&context).is_empty() && super::in_step(&context).is_empty() && !has_ring
}

#[test]
fn the_simulator_of_words_agrees_on_fans_that_run_and_fans_that_hang() {
    let window = Worker { taken: (16, true), given: (16, true) };
    let packets = Worker { taken: (190, false), given: (190, false) };
    let fan = |worker, tie, ordered| Fan { workers: vec![worker; 3], tie, ordered };
    for ordered in [false, true] {
        let runs = fan(window, Tie::Nothing, ordered);
        assert!(serves(&runs) && (0..8).all(|seed| finishes(&runs, 40, seed)), "{runs:?}");
        let ring = fan(window, Tie::CollectToDeal, ordered);
        assert!(refused(&ring) && !finishes(&ring, 40, 0), "{ring:?}");
    }
    assert!(!refused(&fan(packets, Tie::CollectToDeal, false)), "deal waits, but workers may write first");
    assert_eq!(slugs_on_toy(&design(&fan(window, Tie::FirstToLast, true))), [""; 0]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]
    #[test]
    fn no_order_of_packets_finishes_where_the_check_refuses(fan in fans()) {
        holds(&fan)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1536))]
    #[test]
    #[ignore = "long: 1536 random fans"]
    fn no_order_of_many_packets_finishes_where_the_check_refuses(fan in fans()) {
        holds(&fan)?;
    }
}
