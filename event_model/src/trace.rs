//! What kernels and nets did at each time of a run, as a file in the trace-event format that
//! Perfetto and Chromium open ("Trace Event Format", Google): complete events (`"ph": "X"`) on one
//! track for each kernel, each net, each buffer whose lock a kernel holds, and each DMA channel.
//!
//! The format counts in microseconds. One microsecond of the file is one cycle of the array.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use aiec_collectives::Buffering;
use aiec_ir::expanded::Expanded;
use aiec_ir::{CollectiveId, Direction, KernelId, PortId};
use aiec_timing::TimingProfile;
use serde::Serialize;

use crate::awaited::Awaited;
use crate::links::{Links, WireId};
use crate::program::Task;
use crate::time::Time;

/// Most slices that a trace holds: about 200 MB of text, and 40 MB while the run goes on. Later
/// ones are left out.
pub(crate) const MOST_SLICES: usize = 1_000_000;

/// A thing that takes time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Doing {
    /// A kernel works.
    Work(KernelId, Task),
    /// A kernel waits.
    Wait(KernelId, Awaited),
    /// A net carries a block.
    Carry(WireId),
    /// A kernel holds the lock of a buffer of its port: the number of the taking, later of the
    /// buffer.
    Hold(PortId, usize),
    /// The DMA channel of a port reads or writes a block.
    Dma(PortId),
}

/// A thing that takes time, from one cycle to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Slice {
    doing: Doing,
    begin: Time,
    end: Time,
}

/// The slices of a run in the order in which they ended or were planned.
#[derive(Debug, Default)]
pub(crate) struct Recorder {
    slices: Vec<Slice>,
    /// True if there were more.
    is_full: bool,
    /// How often the kernel of each port has taken a buffer, and the times at which it took those
    /// that it holds.
    held: BTreeMap<PortId, (usize, VecDeque<Time>)>,
}

impl Recorder {
    /// Records a slice, unless it takes no time or there is no room.
    pub(crate) fn add(&mut self, doing: Doing, begin: Time, end: Time) {
        if end <= begin {
            return;
        }
        if self.slices.len() == MOST_SLICES {
            self.is_full = true;
            return;
        }
        self.slices.push(Slice { doing, begin, end });
    }

    /// A kernel takes the next buffer of its port.
    pub(crate) fn takes(&mut self, port: PortId, now: Time) {
        let (taken, held) = self.held.entry(port).or_default();
        *taken += 1;
        held.push_back(now);
    }

    /// A kernel hands on the buffer that it took first. The slice has the number of that taking.
    pub(crate) fn hands(&mut self, port: PortId, now: Time) {
        let (taken, held) = self.held.entry(port).or_default();
        let number = *taken - held.len();
        if let Some(since) = held.pop_front() {
            self.add(Doing::Hold(port, number), since, now);
        }
    }

    /// The trace of these slices up to `end`, when everything has left the array. Inputs that fill
    /// a buffer for an iteration which does not come go on longer.
    pub(crate) fn trace(self, design: &Expanded, links: &Links, profile: &TimingProfile, end: Time) -> Trace {
        let named = Named { design, links };
        let mut events = named.tracks();
        let slices = self.slices.into_iter().filter(|slice| slice.begin < end);
        let until = |slice: Slice| Slice { end: slice.end.min(end), ..slice };
        let slices: Vec<Slice> = slices.map(|slice| named.in_buffer(until(slice))).collect();
        events.extend(named.further_tracks(&slices));
        events.extend(slices.into_iter().map(|slice| named.event(slice)));
        Trace {
            events,
            display: "ns",
            other: Other {
                design: design.name.value.clone(),
                unit: "one microsecond of this file is one cycle of the array",
                profile: profile.name.clone(),
                note: profile.note(),
                complete: !self.is_full,
                cycles: end.as_cycles(),
                assumed: Vec::new(),
            },
            producers: links.wires.iter().map(|wire| wire.from).collect(),
        }
    }
}

/// A file in the trace-event format, as `aiec report --trace` writes it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Trace {
    /// Names of tracks, then slices.
    #[serde(rename = "traceEvents")]
    pub events: Vec<TraceEvent>,
    /// The unit that viewers begin with.
    #[serde(rename = "displayTimeUnit")]
    pub display: &'static str,
    /// What the times mean.
    #[serde(rename = "otherData")]
    pub other: Other,
    /// The producing port of each track of nets. Not in the file.
    #[serde(skip)]
    pub producers: Vec<PortId>,
}

/// What the times of a trace mean.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Other {
    /// Name of the design.
    pub design: String,
    /// The unit of times.
    pub unit: &'static str,
    /// The name of the timing profile.
    pub profile: String,
    /// What its cycles rest on.
    pub note: String,
    /// False if the run had more slices than a trace holds.
    pub complete: bool,
    /// Array cycles until everything has left the array, as reports give them.
    pub cycles: f64,
    /// What the run assumes about amounts that the design does not state. Empty when it assumes
    /// nothing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub assumed: Vec<String>,
}

/// One event of the file.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TraceEvent {
    /// Name of the slice, or `process_name` and `thread_name` for names of tracks.
    pub name: String,
    /// `work`, `wait`, `net`, `lock` or `dma`, by which viewers filter. Empty for names of tracks.
    #[serde(rename = "cat", skip_serializing_if = "str::is_empty")]
    pub category: &'static str,
    /// `X` for slices, `M` for names.
    #[serde(rename = "ph")]
    pub phase: &'static str,
    /// The begin in cycles.
    #[serde(rename = "ts", skip_serializing_if = "Option::is_none")]
    pub begin: Option<f64>,
    /// The duration in cycles.
    #[serde(rename = "dur", skip_serializing_if = "Option::is_none")]
    pub cycles: Option<f64>,
    /// Group of tracks: [`KERNELS`], [`NETS`], [`LOCKS`] or [`CHANNELS`].
    #[serde(rename = "pid")]
    pub group: u32,
    /// Track: the number of the kernel, net, buffer or port.
    #[serde(rename = "tid")]
    pub track: usize,
    /// Name of a track.
    #[serde(rename = "args", skip_serializing_if = "Option::is_none")]
    pub named: Option<TrackName>,
}

/// The name that viewers write beside it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TrackName {
    /// Name of a kernel, or the ends of a net.
    pub name: String,
}

/// The group of the tracks of kernels.
pub const KERNELS: u32 = 1;
/// The group of the tracks of nets.
pub const NETS: u32 = 2;

/// The group of the tracks of buffers, each with the spans in which a kernel holds its lock.
pub const LOCKS: u32 = 3;
/// The group of the tracks of DMA channels, each by the port that it serves.
pub const CHANNELS: u32 = 4;

/// Most buffers of a port: ping and pong.
const BUFFERS: usize = 2;

/// The design that names things.
struct Named<'a> {
    design: &'a Expanded,
    links: &'a Links,
}

impl Named<'_> {
    fn tracks(&self) -> Vec<TraceEvent> {
        let mut events = vec![
            track("process_name", KERNELS, 0, "kernels".to_owned()),
            track("process_name", NETS, 0, "nets".to_owned()),
            track("process_name", LOCKS, 0, "locks".to_owned()),
            track("process_name", CHANNELS, 0, "DMA channels".to_owned()),
        ];
        let kernels = self.design.kernels.enumerate();
        let named = |at: usize, group, name| track("thread_name", group, at, name);
        events.extend(kernels.map(|(id, kernel)| named(id.index(), KERNELS, kernel.name.clone())));
        events.extend(self.links.wires.ids().map(|net| named(net.index(), NETS, self.net(net))));
        events
    }

    /// The slice with the number of the buffer in place of that of the taking. The buffers of a
    /// port take turns.
    fn in_buffer(&self, mut slice: Slice) -> Slice {
        if let Doing::Hold(port, number) = &mut slice.doing {
            *number %= match self.design.buffering_of(*port) {
                Buffering::Single => 1,
                Buffering::Pingpong => BUFFERS,
            };
        }
        slice
    }

    /// The tracks of buffers and channels that have a slice.
    fn further_tracks(&self, slices: &[Slice]) -> Vec<TraceEvent> {
        let used = slices.iter().filter_map(|slice| match slice.doing {
            Doing::Hold(port, buffer) => Some((LOCKS, port, buffer)),
            Doing::Dma(port) => Some((CHANNELS, port, 0)),
            Doing::Work(..) | Doing::Wait(..) | Doing::Carry(_) => None,
        });
        let used: BTreeSet<(u32, PortId, usize)> = used.collect();
        let named = used.into_iter().map(|(group, port, buffer)| {
            let whole = self.design.port_name(port);
            let name = match (group, self.design.ports[port].direction) {
                (LOCKS, _) => format!("{whole}, buffer {buffer}"),
                (_, Direction::Out) => format!("MM2S of {whole}"),
                (_, Direction::In) => format!("S2MM of {whole}"),
            };
            track("thread_name", group, numbered(port, buffer), name)
        });
        named.collect()
    }

    fn event(&self, slice: Slice) -> TraceEvent {
        let (name, category, group, track) = match slice.doing {
            Doing::Work(kernel, Task::Bank) => (self.task(Task::Bank), "wait", KERNELS, kernel.index()),
            Doing::Work(kernel, task) => (self.task(task), "work", KERNELS, kernel.index()),
            Doing::Wait(kernel, awaited) => (self.awaited(awaited), "wait", KERNELS, kernel.index()),
            Doing::Carry(net) => (self.net(net), "net", NETS, net.index()),
            Doing::Hold(port, buffer) => ("held".to_owned(), "lock", LOCKS, numbered(port, buffer)),
            Doing::Dma(port) => (self.design.port_name(port), "dma", CHANNELS, numbered(port, 0)),
        };
        TraceEvent {
            name,
            category,
            phase: "X",
            begin: Some(slice.begin.as_cycles()),
            cycles: Some(slice.end.since(slice.begin).as_cycles()),
            group,
            track,
            named: None,
        }
    }

    fn task(&self, task: Task) -> String {
        match task {
            Task::Acquire(port) => format!("acquire {}", self.port(port)),
            Task::Release(port) => format!("release {}", self.port(port)),
            Task::Own => "run".to_owned(),
            Task::Call(collective) => self.collective(collective),
            Task::Bank => "wait for a bank".to_owned(),
        }
    }

    fn awaited(&self, awaited: Awaited) -> String {
        match awaited {
            Awaited::Port(port) | Awaited::Word(port, _) => format!("wait for {}", self.port(port)),
            Awaited::Ranks(collective) => format!("wait for the ranks of {}", self.collective(collective)),
        }
    }

    fn collective(&self, collective: CollectiveId) -> String {
        self.design.collectives[collective].name.clone()
    }

    /// The port without the name of its kernel, which the track has.
    fn port(&self, port: PortId) -> &str {
        &self.design.ports[port].name
    }

    fn net(&self, net: WireId) -> String {
        net_name(self.design, self.links.wires[net].from)
    }
}

/// The producer of a net, and its first reader.
pub(crate) fn net_name(design: &Expanded, from: PortId) -> String {
    let readers = &design.ports[from].connections;
    let first = readers.first().map(|&id| design.port_name(design.connections[id].to));
    let more = readers.len().saturating_sub(1);
    let more = if more == 0 { String::new() } else { format!(" and {more} more") };
    format!("{} -> {}{more}", design.port_name(from), first.unwrap_or_default())
}

/// The number of the track of a buffer of a port.
fn numbered(port: PortId, buffer: usize) -> usize {
    port.index() * BUFFERS + buffer
}

fn track(name: &str, group: u32, track: usize, named: String) -> TraceEvent {
    TraceEvent {
        name: name.to_owned(),
        category: "",
        phase: "M",
        begin: None,
        cycles: None,
        group,
        track,
        named: Some(TrackName { name: named }),
    }
}
