//! The plan of a collective: its shape, its partners and how many windows each rank has.

use aiec_collectives::{Buffering, Illegal, Layout, Operation, Plan, Rank, Shape, call_cycles, legal};
use aiec_diag::{Span, Spanned};
use aiec_ir::design::{Collective as DesignCollective, Partner};
use aiec_ir::expanded::{Collective, Compared};
use aiec_ir::{Carries, Design, Direction, Formula, KernelId, Loops};

use super::Expansion;
use super::collectives::OwnPorts;
use crate::errors;
use crate::{Lowered, Reported};

/// Most steps that the programs of all ranks of a collective may have, which bounds memory and work
/// of every stage.
const MAX_VOLUME: u64 = 1 << 21;

/// The arities that `tree arity auto` compares. A node's time grows with the arity, and the number
/// of levels falls with its logarithm, so larger ones only get slower.
const ARITIES: [u32; 7] = [2, 3, 4, 5, 6, 7, 8];

/// What a collective's schedule is made from.
pub(super) struct Planned {
    pub(super) plan: Plan,
    pub(super) layout: Option<Layout>,
    pub(super) compared: Vec<Compared>,
}

/// What collectives take of a kernel: windows, and streams into and out of its core.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Need {
    windows: usize,
    into: usize,
    out: usize,
}

impl Need {
    fn and(self, other: Self) -> Self {
        Self {
            windows: self.windows + other.windows,
            into: self.into + other.into,
            out: self.out + other.out,
        }
    }
}

impl Expansion<'_> {
    /// The plan of a collective over `ranks`; after an error, which is reported, one without links.
    pub(super) fn planned(
        &mut self,
        design: &Design,
        collective: &DesignCollective,
        ranks: &[KernelId],
        root: KernelId,
        own: OwnPorts,
    ) -> Planned {
        let size = u32::try_from(ranks.len()).unwrap_or(u32::MAX);
        let root = ranks.iter().position(|&rank| rank == root).map(Rank::at);
        let nothing = Planned { plan: idle(size), layout: None, compared: Vec::new() };
        let Some(root) = root.filter(|_| size >= 2) else { return nothing };
        let (Ok(layout), Some(partners)) =
            (self.layout(collective, size), self.partners(design, collective, ranks))
        else {
            return nothing;
        };
        let base = Plan {
            root,
            exclusive: collective.details.exclusive,
            headed: collective.details.headed,
            partners,
            relay: collective.details.relay,
            services: collective.details.services.clone(),
            ..Plan::new(collective.operation, Shape::Direct, size)
        };
        let (plan, compared) = match collective.shape.value {
            Some(shape) => (shaped(collective, layout.as_ref(), &base, shape), Vec::new()),
            None => self.choose(collective, layout.as_ref(), &base, ranks, own),
        };
        if !self.check_plan(collective, &plan, layout.as_ref(), own) {
            return nothing;
        }
        Planned { plan, layout, compared }
    }

    /// True if the plan computes what its operation says and is not too large.
    fn check_plan(
        &mut self,
        collective: &DesignCollective,
        plan: &Plan,
        layout: Option<&Layout>,
        own: OwnPorts,
    ) -> bool {
        let op = collective.op.as_ref();
        let (name, span) = (&collective.name, collective.shape.span);
        let combined = errors::Combined { collective: name, operation: plan.operation, span };
        let fault = match legal(plan, collective.combining()) {
            Ok(()) if plan.volume() > MAX_VOLUME => {
                errors::too_many_steps(span, name, plan.volume(), MAX_VOLUME)
            }
            Ok(()) => match streamed(collective, plan, layout, own) {
                Ok(()) => return true,
                Err(why) => errors::stream_shape(span, name, &why),
            },
            Err(Illegal::Unsupported) => return false, // reported where the shape was read
            Err(Illegal::NotAPowerOfTwo) => errors::not_a_power_of_two(span, name, plan.size),
            Err(Illegal::RootNotLast) => {
                errors::cascade_root(span, name, collective.root.span, plan.root, plan.size)
            }
            Err(Illegal::OutOfOrder) => {
                let op = op.map_or(Spanned::new("", span), |op| Spanned::new(op.value.name(), op.span));
                errors::out_of_order(combined, plan.shape, &op)
            }
            Err(Illegal::OrderOfArrival) => {
                let data = &collective.data;
                errors::order_of_arrival(combined, Spanned::new(data.value.element, data.span))
            }
            Err(Illegal::HeadedMerge) => errors::headed_merge(span, name),
            Err(Illegal::HeadedStream) => errors::stream_shape(span, name, HEADERS),
        };
        let others = legal_shapes(plan, collective);
        let fault = others.into_iter().fold(fault, |fault, word| errors::in_shape(fault, collective, word));
        self.diagnostics.push(fault);
        false
    }

    /// Where the blocks of a gather or scatter lie. Returns None when it is another operation.
    fn layout(&mut self, collective: &DesignCollective, size: u32) -> Lowered<Option<Layout>> {
        if !collective.operation.row().lays_out {
            return Ok(None);
        }
        let (data, details) = (collective.data.value.elements, &collective.details);
        let all = vec![data; size as usize];
        let layout = match (&details.counts, &details.stride) {
            (Some(counts), _) => {
                let counts =
                    self.numbers(collective, &counts.value, counts.span, size, data).ok_or(Reported)?;
                Layout { firsts: starts(&counts).ok_or(Reported)?, counts, run: 0, stride: 0 }
            }
            (None, Some(strided)) => {
                let firsts = self
                    .numbers(collective, &strided.base, strided.span, size, u32::MAX >> 2)
                    .ok_or(Reported)?;
                let layout = Layout { firsts, counts: all, run: strided.size, stride: strided.stride };
                if collective.operation.row().ends_at_root() {
                    self.check_apart(collective, &layout, strided.span).ok_or(Reported)?;
                }
                layout
            }
            (None, None) => Layout { firsts: starts(&all).ok_or(Reported)?, counts: all, run: 0, stride: 0 },
        };
        Ok(Some(layout))
    }

    /// Nothing after two blocks of a gather that share elements, which is reported. Arrays that no
    /// memory holds are left to others.
    fn check_apart(&mut self, collective: &DesignCollective, layout: &Layout, span: Span) -> Option<()> {
        let elements: u64 = layout.counts.iter().map(|&count| u64::from(count)).sum();
        let overlap = if elements <= MAX_VOLUME { layout.overlap() } else { None };
        let Some((first, second, element)) = overlap else { return Some(()) };
        self.diagnostics.push(errors::blocks_overlap(span, &collective.name, first, second, element));
        None
    }

    /// A number between 0 and `most` for each rank.
    fn numbers(
        &mut self,
        collective: &DesignCollective,
        formula: &Formula,
        span: Span,
        size: u32,
        most: u32,
    ) -> Option<Vec<u32>> {
        let number = |rank: u32| match formula.eval(rank.into(), 0, 0) {
            Ok(n) => u32::try_from(n).ok().filter(|&n| n <= most).ok_or(Some((rank, n))),
            Err(_) => Err(None),
        };
        let numbers: Result<Vec<u32>, Option<(u32, i64)>> = (0..size).map(number).collect();
        numbers
            .map_err(|fault| self.diagnostics.push(errors::bad_counts(span, &collective.name, fault, most)))
            .ok()
    }

    /// The destination of each rank. Destinations differ; none is the sender; at least one exists.
    fn partners(
        &mut self,
        design: &Design,
        collective: &DesignCollective,
        ranks: &[KernelId],
    ) -> Option<Vec<Option<Rank>>> {
        let Some(formula) = &collective.details.partner else { return Some(Vec::new()) };
        let size = u32::try_from(ranks.len()).unwrap_or(u32::MAX);
        let mut partners = Vec::new();
        let mut senders = vec![None; size as usize];
        for rank in Rank::all(size) {
            let found = match &formula.value {
                Partner::Rank(formula) => formula.eval(rank.0.into(), 0, 0).map(|to| {
                    let to = if collective.details.wraps { to.rem_euclid(size.into()) } else { to };
                    u32::try_from(to).ok().filter(|&to| to < size).map(Rank)
                }),
                Partner::At(indices) => {
                    let indices = indices.iter().map(|index| index.eval(rank.0.into(), 0, 0));
                    indices.collect::<Result<Vec<i64>, _>>().map(|at| self.rank_at(design, ranks, rank, &at))
                }
            };
            let Ok(to) = found else {
                self.diagnostics.push(errors::bad_counts(formula.span, &collective.name, None, size));
                return None;
            };
            partners.push(to);
            let Some(to) = to else { continue };
            if to == rank {
                let (span, name) = (formula.span, &collective.name);
                self.diagnostics.push(match collective.details.wraps {
                    true => errors::all_to_themselves(span, name, size),
                    false => errors::to_itself(span, name, rank),
                });
                return None;
            }
            if let Some(first) = senders[to.index()].replace(rank) {
                self.diagnostics.push(errors::same_partner(formula.span, &collective.name, first, rank, to));
                return None;
            }
        }
        if partners.iter().all(Option::is_none) {
            self.diagnostics.push(errors::to_nobody(formula.span, &collective.name, size));
            return None;
        }
        Some(partners)
    }

    /// The rank of the kernel with these indices in the family of `rank`. Returns None when
    /// the family has no such kernel, or the group does not have it.
    fn rank_at(&self, design: &Design, ranks: &[KernelId], rank: Rank, at: &[i64]) -> Option<Rank> {
        let family = self.kernels[*ranks.get(rank.index())?].family;
        let index =
            at.iter().zip(&design.families[family].dims).try_fold(0_u32, |index, (&at, &extent)| {
                let at = u32::try_from(at).ok().filter(|&at| at < extent)?;
                index.checked_mul(extent)?.checked_add(at)
            })?;
        let kernel = self.kernel_id(family, index);
        ranks.iter().position(|&other| other == kernel).map(Rank::at)
    }

    /// The shape that was chosen after placement, or else the legal one whose calls are estimated
    /// to take the least time; and what all of them take.
    fn choose(
        &self,
        collective: &DesignCollective,
        layout: Option<&Layout>,
        base: &Plan,
        ranks: &[KernelId],
        own: OwnPorts,
    ) -> (Plan, Vec<Compared>) {
        let open = collective.details.open;
        let consider = |shape: Shape| {
            let plan = shaped(collective, layout, base, shape);
            let cycles = match legal(&plan, collective.combining()) {
                Err(Illegal::Unsupported) => return None,
                Err(Illegal::NotAPowerOfTwo) => Err("no power of two of ranks".to_owned()),
                Err(Illegal::OutOfOrder) => Err("not in rank order".to_owned()),
                Err(Illegal::RootNotLast) => Err(self.root_not_last(collective, ranks)),
                Err(Illegal::OrderOfArrival) => Err("floats in the order of arrival".to_owned()),
                Err(Illegal::HeadedMerge) => Err("headers among the packets".to_owned()),
                Err(Illegal::HeadedStream) => Err(HEADERS.to_owned()),
                Ok(()) if plan.volume() > MAX_VOLUME => Err("too many steps".to_owned()),
                Ok(()) if plan.is_cascade() => self.cascade(collective, ranks),
                Ok(()) => streamed(collective, &plan, layout, own)
                    .and_then(|()| self.fitting(&plan, ranks, own))
                    .map(|()| call_cycles(&plan, loops_of(collective, &plan), self.guide)),
            };
            Some((plan, Compared { shape, cycles }))
        };
        let mut shapes = if open.arity { ARITIES.map(Shape::Tree).to_vec() } else { candidates(base.size) };
        // It may have been chosen from more shapes.
        shapes.extend(open.chosen.filter(|chosen| !shapes.contains(chosen)));
        let mut found: Vec<(Plan, Compared)> = shapes.into_iter().filter_map(consider).collect();
        // Ruled out ones last; the first of equals stays first.
        let cycles = |compared: &Compared| compared.cycles.as_ref().copied().unwrap_or(i64::MAX);
        found.sort_by_key(|(_, compared)| (Some(compared.shape) != open.chosen, cycles(compared)));
        let plan = found.first().map_or_else(|| base.clone(), |(plan, _)| plan.clone());
        (plan, found.into_iter().map(|(_, compared)| compared).collect())
    }

    /// Why there is no cascade to another root than the last rank, and what that one would give.
    fn root_not_last(&self, collective: &DesignCollective, ranks: &[KernelId]) -> String {
        let last = ranks.last().map_or("", |&rank| self.kernels[rank].name.as_str());
        match self.cascade(collective, ranks) {
            Ok(cycles) => format!("the root is not the last rank; {cycles} cycles with root {last}"),
            Err(_) => "the root is not the last rank".to_owned(),
        }
    }

    /// Cycles along the cascade, if that is open to these ranks: what the compiler chooses must not
    /// stand in the way of anything that the design says.
    fn cascade(&self, collective: &DesignCollective, ranks: &[KernelId]) -> Result<i64, String> {
        if self.is_constrained {
            return Err("the design has placement constraints".to_owned());
        }
        if ranks.iter().any(|rank| self.on_cascade.contains(rank)) {
            return Err("a rank is on another cascade".to_owned());
        }
        let (data, count) = (collective.data.value, u32::try_from(ranks.len()).unwrap_or(u32::MAX));
        if data.element.carrier().is_none() {
            return Err(format!("the cascade does not carry {}", data.element));
        }
        let loops = Loops { window: data, ..collective.loops() };
        self.guide
            .cascade(loops, count)
            .ok_or_else(|| format!("no {count} cores follow each other along the cascade"))
    }

    /// Whether every rank has windows and streams enough for its links, beside the ports of its
    /// user and of what is planned so far.
    fn fitting(&self, plan: &Plan, ranks: &[KernelId], own: OwnPorts) -> Result<(), String> {
        let merged = self.guide.merged_streams();
        match plan.merged_streams() {
            Some(1) => return Err("a single stream of packets, which is no merge".to_owned()),
            Some(streams) if streams > merged => {
                return Err(format!("{streams} streams of packets in one, {merged} allowed"));
            }
            _ => {}
        }
        let total = |(need, kernel): (Need, &KernelId)| need.and(self.taken_of(*kernel));
        let totals: Vec<Need> = needs(plan, own).into_iter().zip(ranks).map(total).collect();
        let windows = totals.iter().map(|total| total.windows).max().unwrap_or(0);
        let streams = totals.iter().map(|total| total.into.max(total.out)).max().unwrap_or(0);
        let takes_streams = plan.merged_streams().is_some() || plan.is_opened();
        match (self.guide.windows_per_kernel(), self.guide.streams_per_core()) {
            (Some(limit), _) if windows > limit as usize => {
                Err(format!("{windows} windows at one kernel, {limit} allowed"))
            }
            (_, limit) if takes_streams && streams > limit as usize => {
                let kind = if plan.is_opened() { "streams at" } else { "streams of packets into" };
                Err(format!("{streams} {kind} one core, {limit} allowed"))
            }
            _ => Ok(()),
        }
    }

    /// What a kernel's user and collectives take so far.
    fn taken_of(&self, kernel: KernelId) -> Need {
        let user = self.user_ports.get(kernel.index()).into_iter().flatten();
        let taken = self.taken.get(&kernel).copied().unwrap_or_default();
        user.fold(taken, |need, &port| {
            let port = &self.ports[port];
            let is_stream = matches!(port.carries, Some(Carries::Stream(_) | Carries::Packets(_)));
            need.and(match (is_stream, port.direction) {
                (false, _) => Need { windows: 1, ..Need::default() },
                (true, Direction::In) => Need { into: 1, ..Need::default() },
                (true, Direction::Out) => Need { out: 1, ..Need::default() },
            })
        })
    }

    /// Notes what the ranks of a plan take.
    pub(super) fn take(&mut self, plan: &Plan, ranks: &[KernelId], own: OwnPorts) {
        for (need, &kernel) in needs(plan, own).into_iter().zip(ranks) {
            let taken = self.taken.entry(kernel).or_default();
            *taken = taken.and(need);
        }
    }
}

/// Why a stream has no place for the headers of blocks.
const HEADERS: &str = "it has no windows for the headers of blocks";

/// Whether links that are streams can carry the collective: what kernels read and write singly, or
/// as vectors that nothing splits.
fn streamed(
    collective: &DesignCollective,
    plan: &Plan,
    layout: Option<&Layout>,
    own: OwnPorts,
) -> Result<(), String> {
    let data = collective.data.value;
    if !plan.is_opened() || plan.row().is_channel() {
        return Ok(());
    }
    if own.result {
        return Err("its `result` leaves in windows".to_owned());
    }
    if let Some(word) = of_windows(collective) {
        return Err(format!("its `{word}` is about windows"));
    }
    if layout.is_some_and(|layout| layout.counts.windows(2).any(|pair| pair[0] != pair[1])) {
        return Err("its blocks have different `counts`".to_owned());
    }
    if data.element.moves_singly() {
        return Ok(());
    }
    let element = data.element;
    if element.carrier().is_none() {
        return Err(format!("neither single {element} nor vectors of it pass streams"));
    }
    let why = match collective.data_loops().vector_bytes(plan.row().combines) {
        Some(_) if layout.is_none_or(Layout::is_uniform) => return Ok(()),
        Some(_) => "blocks are in pieces".to_owned(),
        None if !data.bytes().is_multiple_of(16) => format!("{data} is no whole number of these"),
        None if collective.details.scalar => "`style scalar` goes element by element".to_owned(),
        None => "the operator goes element by element".to_owned(),
    };
    Err(format!("single {element} do not pass streams, and their vectors of 128 bits do not fit: {why}"))
}

/// A property of the design that streams have no use for. A window that the design leaves out is
/// written where the data are.
fn of_windows(collective: &DesignCollective) -> Option<&'static str> {
    let window = !collective.details.open.window && collective.window.span != collective.data.span;
    let single = collective.buffering == Buffering::Single;
    if window { Some("window") } else { single.then_some("buffer") }
}

/// What each rank takes.
fn needs(plan: &Plan, own: OwnPorts) -> Vec<Need> {
    let both = usize::from(own.result) + usize::from(own.cycles);
    let own_of = |rank| if rank == plan.root { both } else { 0 };
    let need = |((ins, outs), rank)| {
        if plan.is_opened() {
            return Need { windows: own_of(rank), into: ins, out: outs };
        }
        match plan.takes_packets(rank) {
            true => Need { windows: outs + own_of(rank), into: ins, out: 0 },
            false => Need { windows: ins + outs + own_of(rank), ..Need::default() },
        }
    };
    plan.port_counts().into_iter().zip((0..).map(Rank)).map(need).collect()
}

/// The words of those shapes without a number that the collective could have instead.
fn legal_shapes(plan: &Plan, collective: &DesignCollective) -> Vec<&'static str> {
    let is_legal = |word: &&str| {
        let shape = Shape::from_word(word).filter(|shape| shape.is_one_word() && *shape != plan.shape);
        shape.is_some_and(|shape| legal(&Plan { shape, ..plan.clone() }, collective.combining()).is_ok())
    };
    plan.row().shapes().into_iter().filter(is_legal).collect()
}

/// The shapes that are compared, simplest first; those an operation does not have are left out.
fn candidates(size: u32) -> Vec<Shape> {
    let heads = size.isqrt().max(2);
    let kinds = Shape::KINDS.into_iter().flat_map(|kind| match kind {
        Shape::Tree(_) => [2, 3, 4, 8].map(Shape::Tree).to_vec(),
        Shape::Hub(_) => vec![Shape::Hub(heads)],
        other => vec![other],
    });
    kinds.collect()
}

/// The loops of a plan over what its steps move: windows, or all data where links are streams.
fn loops_of(collective: &DesignCollective, plan: &Plan) -> Loops {
    if plan.is_opened() { collective.data_loops() } else { collective.loops() }
}

/// The plan in a shape, with the windows that its blocks have.
fn shaped(collective: &DesignCollective, layout: Option<&Layout>, base: &Plan, shape: Shape) -> Plan {
    // The words of a stream have no other bounds than those of blocks.
    let opened = base.row().algorithm(shape).is_some_and(|algorithm| algorithm.opened);
    let window = if opened { &collective.data } else { &collective.window };
    let window = window.value.elements.max(1);
    let windows = match layout {
        Some(layout) => layout.counts.iter().map(|count| count.div_ceil(window)).collect(),
        None => {
            let parts = base.row().algorithm(shape).is_some_and(|algorithm| algorithm.parts);
            let block = if parts {
                Collective::part_elements(collective.data.value, base.size)
            } else {
                collective.data.value.elements
            };
            vec![block.div_ceil(window); base.size as usize]
        }
    };
    Plan { shape, windows, ..base.clone() }
}

/// A plan without links, in place of a collective with errors.
fn idle(size: u32) -> Plan {
    Plan { partners: vec![None; size as usize], ..Plan::new(Operation::Sendrecv, Shape::Direct, size) }
}

/// The first elements of blocks that follow each other. Returns None when they get too large.
fn starts(counts: &[u32]) -> Option<Vec<u32>> {
    let mut next = Some(0_u32);
    counts
        .iter()
        .map(|&count| {
            let start = next?;
            next = start.checked_add(count);
            Some(start)
        })
        .collect()
}
