//! Rates: how often each kernel runs in one iteration of the graph.
//!
//! A connection moves as many bytes into its consumer as its producer sends. So two kernels with
//! different amounts in a run run different numbers of times (UG1079, "Buffer Port Connection for
//! Multirate Processing"). [`repetitions`] solves these balance equations, as in synchronous data
//! flow (Lee and Messerschmitt, 1987). It checks nothing: the checks before placement compare every
//! equation with the result.

use std::collections::VecDeque;

use crate::expanded::{Expanded, PortRole};
use crate::ids::{IdVec, KernelId, PortId};

/// Limit on the runs of a kernel in one iteration. Kernels whose equations need more run once, and
/// the checks refuse the design.
pub const MOST_REPETITIONS: u32 = 1 << 16;

/// A balance equation: `from.1` units for each run of `from.0`, and `to.1` for each run of `to.0`.
type Equation = ((KernelId, u64), (KernelId, u64));

/// The kernels that share a balance equation with each one.
type Neighbours = IdVec<KernelId, Vec<(KernelId, u64, u64)>>;

/// Runs of each kernel in one iteration of the graph: for connected kernels the least whole numbers
/// that balance and have the stated numbers of runs. If none do, the numbers balance some of the
/// connections.
pub fn repetitions(design: &Expanded) -> IdVec<KernelId, u32> {
    let near = neighbours(design);
    let mut found: IdVec<KernelId, u32> = design.kernels.iter().map(|_| 1).collect();
    let mut seen: IdVec<KernelId, bool> = design.kernels.iter().map(|_| false).collect();
    for first in design.kernels.ids() {
        if !seen[first] {
            for (kernel, times) in scaled(design, component(first, &near, &mut seen)) {
                found[kernel] = times;
            }
        }
    }
    found
}

/// The kernels whose runs follow from those of `kernel`, itself the first: each with the least
/// number of runs that balances all of them, whatever the design states.
pub fn joined(design: &Expanded, kernel: KernelId) -> Vec<(KernelId, u32)> {
    let mut seen: IdVec<KernelId, bool> = design.kernels.iter().map(|_| false).collect();
    component(kernel, &neighbours(design), &mut seen)
}

/// For each kernel those with which it shares a balance equation, with the own amount in a run and
/// that of the other one.
fn neighbours(design: &Expanded) -> Neighbours {
    let mut near: Neighbours = design.kernels.iter().map(|_| Vec::new()).collect();
    for ((from, sent), (to, taken)) in equations(design) {
        near[from].push((to, sent, taken));
        near[to].push((from, taken, sent));
    }
    near
}

/// The balance equations: one for each connection of two kernels with known amounts, and one for
/// each pair of ranks, which make the same number of calls.
fn equations(design: &Expanded) -> impl Iterator<Item = Equation> {
    let wires = design.connections.iter().filter_map(|connection| {
        if connection.switch.is_some() || connection.collective.is_some() {
            return None;
        }
        let end = |port: PortId| Some((design.kernel_of(port)?, design.bytes_per_run(port)?));
        let is_result = matches!(design.ports[connection.from].role, PortRole::Result(_));
        end(connection.from).zip(end(connection.to)).filter(|_| !is_result)
    });
    let ranks = design
        .collectives
        .iter()
        .flat_map(|collective| collective.ranks.windows(2).map(|pair| ((pair[0], 1), (pair[1], 1))));
    ranks.chain(wires)
}

/// The kernels that equations join to `first`, with their runs. All run once if a number exceeds
/// [`MOST_REPETITIONS`].
fn component(first: KernelId, near: &Neighbours, seen: &mut IdVec<KernelId, bool>) -> Vec<(KernelId, u32)> {
    let mut members = vec![(first, Some(Ratio { up: 1, down: 1 }))];
    let mut queue = VecDeque::from([0]);
    seen[first] = true;
    while let Some(at) = queue.pop_front() {
        let (kernel, ratio) = members[at];
        for &(other, own, others) in &near[kernel] {
            if !std::mem::replace(&mut seen[other], true) {
                queue.push_back(members.len());
                members.push((other, ratio.and_then(|ratio| ratio.times(own, others))));
            }
        }
    }
    let whole = least(&members);
    members
        .iter()
        .enumerate()
        .map(|(at, &(kernel, _))| (kernel, whole.as_ref().map_or(1, |w| w[at])))
        .collect()
}

/// The runs of joined kernels, multiplied so that one of them has its stated number of runs. If the
/// stated numbers fit no multiple, kernels with one have it, and their equations do not hold.
fn scaled(design: &Expanded, mut members: Vec<(KernelId, u32)>) -> Vec<(KernelId, u32)> {
    let stated = |kernel: KernelId| design.body(kernel).repetitions.as_ref().map(|times| times.value);
    let ratio = members.iter().find_map(|&(kernel, times)| Some((stated(kernel)?, times)));
    let whole = ratio.filter(|&(stated, least)| stated % least == 0).map(|(stated, least)| stated / least);
    let scaled = |times: u32| Some(times.checked_mul(whole?)?).filter(|&times| times <= MOST_REPETITIONS);
    let fits = members.iter().all(|&(_, times)| scaled(times).is_some());
    for (kernel, times) in &mut members {
        let multiple = scaled(*times).filter(|_| fits).unwrap_or(*times);
        *times = stated(*kernel).unwrap_or(multiple);
    }
    members
}

/// The least whole numbers in these ratios. Returns None when a ratio is unknown, or a number too
/// large.
fn least(members: &[(KernelId, Option<Ratio>)]) -> Option<Vec<u32>> {
    let ratios: Vec<Ratio> = members.iter().map(|&(_, ratio)| ratio).collect::<Option<_>>()?;
    let limit = u64::from(MOST_REPETITIONS);
    let mut common = 1;
    for ratio in &ratios {
        common = lcm(common, ratio.down).filter(|&common| common <= limit)?;
    }
    let whole: Vec<u64> = ratios.iter().map(|ratio| common / ratio.down * ratio.up).collect();
    let divisor = whole.iter().copied().fold(0, gcd).max(1);
    let fits = |times: u64| u32::try_from(times / divisor).ok().filter(|&times| times <= MOST_REPETITIONS);
    whole.into_iter().map(fits).collect()
}

/// A positive fraction in lowest terms.
#[derive(Clone, Copy)]
struct Ratio {
    up: u64,
    down: u64,
}

impl Ratio {
    /// `self * up / down`. Returns None when a part passes [`MOST_REPETITIONS`], or is 0.
    fn times(self, up: u64, down: u64) -> Option<Self> {
        let (up, down) = (up / gcd(up, down).max(1), down / gcd(up, down).max(1));
        let (left, right) = (gcd(self.up, down).max(1), gcd(up, self.down).max(1));
        let up = (self.up / left).checked_mul(up / right)?;
        let down = (self.down / right).checked_mul(down / left)?;
        let fits = |part: u64| (1..=u64::from(MOST_REPETITIONS)).contains(&part);
        (fits(up) && fits(down)).then_some(Self { up, down })
    }
}

/// The greatest common divisor (Euclid); `gcd(0, n)` is `n`.
pub const fn gcd(a: u64, b: u64) -> u64 {
    let (mut a, mut b) = (a, b);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// The least common multiple. Returns None when one is 0, or the result exceeds 64 bits.
fn lcm(a: u64, b: u64) -> Option<u64> {
    (a / gcd(a, b).max(1)).checked_mul(b).filter(|&multiple| multiple > 0)
}
