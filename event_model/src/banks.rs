//! Conflicts of memory banks: an option of a run (`TimingProfile::bank_conflicts`).
//!
//! A bank serves one access in a cycle. Of several requests one is served, in turn, and the others
//! wait for a cycle (AM009, "AI Engine Memory Module"). The cycle of each access is unknown, so the
//! model counts how many are expected to meet:
//!
//! - while a core works, it loads or stores each window that it holds once, by the width of a bank.
//!   While a net carries a block, the DMA of each end loads or stores a word of the stream at a
//!   time;
//! - accesses are spread evenly over that time, independently of each other. So two of them meet in
//!   rate x rate of the cycles in which both go on;
//! - a core loses the cycle when it meets a DMA. Two cores lose half of their meetings each. Two
//!   windows of one core cost it all of them;
//! - a core works so much longer. DMA keep their pace, and stacks, static data and parameters are
//!   left out.

use aiec_ir::expanded::Expanded;
use aiec_ir::{Id, IdVec, KernelId, PortId, ids};
use aiec_placer::{PortBuffers, Spot};

use crate::links::{Link, Links, Sources, Wire};
use crate::time::Time;

ids! {
    /// A memory bank, over all modules.
    BankId;
}

/// The part of a buffer that lies in one bank.
#[derive(Clone, Copy, Debug)]
struct Part {
    bank: BankId,
    bytes: f64,
}

/// Accesses to a bank.
#[derive(Clone, Copy, Debug)]
struct Rate {
    bank: BankId,
    /// Accesses in a cycle.
    rate: f64,
}

/// Accesses to a bank that go on.
#[derive(Clone, Copy, Debug)]
struct Use {
    /// The core. None when it is a DMA.
    core: Option<KernelId>,
    until: Time,
    /// Accesses in a cycle.
    rate: f64,
}

/// The banks of an array during a run.
pub(crate) struct Banks {
    /// The parts of each buffer of each port.
    buffers: IdVec<PortId, Vec<Vec<Part>>>,
    /// The windows that each kernel holds.
    held: IdVec<KernelId, Vec<PortId>>,
    /// Buffers that the kernel of each port has handed on.
    of_kernel: IdVec<PortId, usize>,
    /// Buffers that the net of each port has filled or emptied.
    of_net: IdVec<PortId, usize>,
    uses: IdVec<BankId, Vec<Use>>,
    /// Cycles that each kernel has lost in its present work.
    lost: IdVec<KernelId, f64>,
    /// Bytes of an access of a core, and of a DMA.
    widths: [f64; 2],
}

impl Banks {
    /// The banks of a placed design before its run.
    pub(crate) fn of(sources: &Sources<'_>, links: &Links) -> Self {
        let (checked, device) = (sources.checked, sources.device);
        let banks = Numbers {
            rows: usize::from(device.rows),
            banks: device.memory.banks as usize,
            bytes: u64::from(device.memory.bank_bytes()).max(1),
        };
        let buffers: IdVec<PortId, Vec<Vec<Part>>> = checked
            .ports
            .ids()
            .map(|port| {
                let spots = spots(sources, links, port);
                spots.iter().map(|&spot| banks.parts(spot, sources.block(port))).collect()
            })
            .collect();
        let number = buffers.iter().flatten().flatten().map(|part| part.bank.index() + 1).max().unwrap_or(0);
        Self {
            held: checked.kernels.iter().map(|_| Vec::new()).collect(),
            of_kernel: checked.ports.iter().map(|_| 0).collect(),
            of_net: checked.ports.iter().map(|_| 0).collect(),
            uses: IdVec::filled(Vec::new(), number),
            lost: checked.kernels.iter().map(|_| 0.0).collect(),
            widths: [
                f64::from(device.memory.bank_bits.max(8)) / 8.0,
                sources.profile.hardware.stream_bytes as f64,
            ],
            buffers,
        }
    }

    /// A kernel takes a buffer of its port.
    pub(crate) fn takes(&mut self, kernel: KernelId, port: PortId) {
        if !self.buffers[port].is_empty() {
            self.held[kernel].push(port);
        }
    }

    /// The kernel of a port hands its buffer on.
    pub(crate) fn hands(&mut self, design: &Expanded, port: PortId) {
        let Some(kernel) = design.kernel_of(port) else { return };
        if let Some(at) = self.held[kernel].iter().position(|&held| held == port) {
            self.held[kernel].remove(at);
            self.of_kernel[port] += 1;
        }
    }

    /// The net of a port has filled or emptied a buffer there.
    pub(crate) fn moved(&mut self, port: PortId) {
        self.of_net[port] += 1;
    }

    /// A kernel works for some time with the windows that it holds.
    pub(crate) fn works(&mut self, kernel: KernelId, now: Time, end: Time) {
        let [width, _] = self.widths;
        for port in self.held[kernel].clone() {
            let uses = self.rates(port, self.of_kernel[port], end.since(now), 1.0 / width);
            self.begin(Some(kernel), &uses, now, end);
        }
    }

    /// A net carries a block, or a part of one.
    pub(crate) fn carries(&mut self, wire: &Wire, now: Time, end: Time) {
        let [_, width] = self.widths;
        for port in std::iter::once(wire.from).chain(wire.sinks.iter().map(|sink| sink.port)) {
            let whole: f64 = self.parts(port, self.of_net[port]).iter().map(|part| part.bytes).sum();
            let share = if whole > 0.0 { wire.bytes as f64 / whole } else { 0.0 };
            let uses = self.rates(port, self.of_net[port], end.since(now), share / width);
            self.begin(None, &uses, now, end);
        }
    }

    /// The time by which the present work of a kernel is longer. Later calls give the time from
    /// there on.
    pub(crate) fn lost(&mut self, kernel: KernelId) -> Time {
        Time::rounded(std::mem::take(&mut self.lost[kernel]))
    }

    fn parts(&self, port: PortId, turn: usize) -> &[Part] {
        let buffers = &self.buffers[port];
        let at = turn.checked_rem(buffers.len());
        at.and_then(|at| buffers.get(at)).map_or(&[], Vec::as_slice)
    }

    /// Accesses in a cycle to each bank of a buffer, for `accesses` a byte.
    fn rates(&self, port: PortId, turn: usize, time: Time, accesses: f64) -> Vec<Rate> {
        let cycles = time.as_cycles();
        if cycles <= 0.0 {
            return Vec::new();
        }
        let rate = |part: &Part| Rate { bank: part.bank, rate: (part.bytes * accesses / cycles).min(1.0) };
        self.parts(port, turn).iter().map(rate).collect()
    }

    /// Begins to use banks, and lets cores lose the cycles in which accesses are expected to meet.
    fn begin(&mut self, core: Option<KernelId>, rates: &[Rate], now: Time, until: Time) {
        for &Rate { bank, rate } in rates {
            let uses = &mut self.uses[bank];
            uses.retain(|other| other.until > now);
            for other in uses.iter() {
                let both = until.min(other.until).since(now).as_cycles();
                let meetings = both * rate * other.rate;
                let cores = [core, other.core].into_iter().flatten();
                let each = meetings / cores.clone().count().max(1) as f64;
                cores.for_each(|core| self.lost[core] += each);
            }
            uses.push(Use { core, until, rate });
        }
    }
}

/// The buffers that the kernel of a port uses: through shared memory those of the consumer.
fn spots<'a>(sources: &Sources<'a>, links: &Links, port: PortId) -> &'a [Spot] {
    let Some(placed) = sources.placed() else { return &[] };
    let owner = match (&placed.buffers[port], links.of[port]) {
        (PortBuffers::Shared, Link::Shared(other, _)) => other,
        _ => port,
    };
    match &placed.buffers[owner] {
        PortBuffers::Own(spots) => spots,
        PortBuffers::None | PortBuffers::Shared => &[],
    }
}

/// How banks are numbered.
struct Numbers {
    rows: usize,
    /// Banks of a module.
    banks: usize,
    /// Bytes of a bank.
    bytes: u64,
}

impl Numbers {
    /// The parts of a block of `bytes` bytes at a place.
    fn parts(&self, spot: Spot, bytes: u64) -> Vec<Part> {
        let (start, end) = (u64::from(spot.offset), u64::from(spot.offset).saturating_add(bytes));
        let module = usize::from(spot.tile.column) * self.rows + usize::from(spot.tile.row);
        let part = |bank: usize| {
            let from = self.bytes.saturating_mul(bank as u64);
            let bytes = end.min(from.saturating_add(self.bytes)).saturating_sub(start.max(from));
            let bank = BankId::from_index(module * self.banks + bank);
            (bytes > 0).then_some(Part { bank, bytes: bytes as f64 })
        };
        (0..self.banks).filter_map(part).collect()
    }
}
