//! The first and the last word of a firing through streams and cascades.
//!
//! A core reads and writes words while it works. So its own work begins when each of its inputs has
//! a word. The last word of a firing leaves when its work is done and it has read all words.
//! Kernels whose data come back to them may write before they read, and so may kernels that lock
//! their windows themselves. Between those the words come as fast as the way carries them.

use aiec_check::Checked;
use aiec_ir::expanded::PortRole;
use aiec_ir::{ConnectionId, Direction, IdVec, KernelId, PortId};

use crate::links::Sources;
use crate::time::Time;

/// A word of a firing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Word {
    /// It shows that the sender of the firing has begun.
    First,
    /// It shows that the work of the firing is done.
    Last,
}

/// The words that a port of a kernel awaits.
#[derive(Clone, Copy, Debug, Default)]
struct Inflow {
    /// Firings of all senders in an iteration. 0 if the words come from outside the array.
    senders: u64,
    /// Firings of the reader in an iteration.
    readers: u64,
    /// True if the reader's own work begins with the first word.
    has_first: bool,
    /// True if the senders write words, and so hold the last one back until they are done.
    has_last: bool,
    /// First and last words that have come: one in each firing of a sender.
    come: [u64; 2],
}

/// The words of all streams and cascades, and what they take.
#[derive(Clone, Debug)]
pub(crate) struct Words {
    inflows: IdVec<PortId, Inflow>,
    /// Time of a word from end to end of each connection, and the part of it that is the way.
    ways: IdVec<ConnectionId, (Time, Time)>,
}

impl Words {
    /// No word has come yet.
    pub(crate) fn of(sources: &Sources<'_>) -> Self {
        let checked = sources.checked;
        let components = checked.components(|id| locks_itself(checked, id));
        Self {
            inflows: checked.ports.ids().map(|port| inflow(checked, port, &components)).collect(),
            ways: checked.connections.ids().map(|id| sources.way_of_word(id)).collect(),
        }
    }

    /// True if the reader at `port` awaits this word of each firing.
    pub(crate) fn awaits(&self, port: PortId, word: Word) -> bool {
        let inflow = &self.inflows[port];
        match word {
            Word::First => inflow.has_first,
            Word::Last => inflow.has_last,
        }
    }

    /// True if the words of this firing of the reader, counted from 0, have come.
    pub(crate) fn has_come(&self, port: PortId, word: Word, firing: u64) -> bool {
        let inflow = &self.inflows[port];
        let sent = |firings: u64| firings.saturating_mul(inflow.senders) / inflow.readers.max(1);
        inflow.come[word as usize]
            >= match word {
                Word::First => sent(firing).saturating_add(1),
                Word::Last => sent(firing + 1),
            }
    }

    /// A word comes to `port`. Behind the first one from outside follow all others.
    pub(crate) fn comes(&mut self, port: PortId, word: Word) {
        let inflow = &mut self.inflows[port];
        let number = if inflow.senders == 0 { u64::MAX } else { 1 };
        let come = &mut inflow.come[word as usize];
        *come = come.saturating_add(number);
    }

    /// Time of a word over a connection, and the part of it that is the way.
    pub(crate) fn way(&self, connection: ConnectionId) -> (Time, Time) {
        self.ways[connection]
    }

    /// Ports that wait for a first word from outside.
    pub(crate) fn fed_from_outside(&self) -> Vec<PortId> {
        self.inflows
            .enumerate()
            .filter(|(_, one)| one.has_first && one.senders == 0)
            .map(|one| one.0)
            .collect()
    }
}

/// What a port of a kernel awaits.
fn inflow(checked: &Checked, port: PortId, components: &IdVec<KernelId, usize>) -> Inflow {
    let own = &checked.ports[port];
    let Some(reader) = checked.kernel_of(port).filter(|_| own.direction == Direction::In) else {
        return Inflow::default();
    };
    let ends = || own.connections.iter().map(|&id| checked.connections[id].from);
    let senders = || ends().filter_map(|end| checked.kernel_of(end));
    if senders().any(|sender| components[sender] == components[reader]) {
        return Inflow::default();
    }
    let firings = |kernel: KernelId| u64::from(checked.kernels[kernel].repetitions);
    let is_inside = senders().next().is_some();
    Inflow {
        senders: senders().map(firings).sum(),
        readers: firings(reader),
        has_first: flows_by_word(checked, port) && ends().next().is_some(),
        has_last: is_inside && ends().all(|end| flows_by_word(checked, end)),
        come: [0; 2],
    }
}

/// True for a stream or a cascade that a kernel uses by itself. Its words pass while the kernel
/// works, without locks.
pub(crate) fn flows_by_word(checked: &Checked, port: PortId) -> bool {
    is_users(checked, port) && (checked.is_stream(port) || checked.is_cascade(port))
}

/// True for a port that a kernel uses by itself: one that it declares, or an end of a channel.
pub(crate) fn is_users(checked: &Checked, port: PortId) -> bool {
    match checked.ports[port].role {
        PortRole::Channel(id) => checked.collectives[id].plan.row().is_channel(),
        role => matches!(role, PortRole::User(_)),
    }
}

/// True if one of the ends locks the windows of a connection in the middle of its firing.
fn locks_itself(checked: &Checked, connection: ConnectionId) -> bool {
    let connection = &checked.connections[connection];
    [connection.from, connection.to].into_iter().any(|port| checked.ports[port].asynchronous)
}
