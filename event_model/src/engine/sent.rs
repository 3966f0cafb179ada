//! Words of streams and cascades on their way.

use aiec_ir::expanded::Connection;
use aiec_ir::{ConnectionId, Direction, PortId};

use super::{At, Engine, Event};
use crate::awaited::Awaited;
use crate::links::Link;
use crate::steps::Passing;
use crate::words::Word;

impl Engine<'_> {
    /// A word of a firing leaves the output `port`, for all readers that await it.
    pub(super) fn send_words(&mut self, port: PortId, word: Word, at: At) {
        let own = &self.design.ports[port];
        if own.direction == Direction::Out {
            own.connections.iter().for_each(|&connection| self.send_word(connection, word, at));
        }
    }

    /// A word leaves over a connection. The last one that leaves the array may end the run.
    pub(super) fn send_word(&mut self, connection: ConnectionId, word: Word, at: At) {
        let Connection { from, to, .. } = self.design.connections[connection];
        let is_outside = word == Word::Last && self.design.kernel_of(to).is_none();
        if !is_outside && !self.words.awaits(to, word) {
            return;
        }
        let (time, way) = self.words.way(connection);
        let passing = match self.links.of[from] {
            Link::Net(net) => Passing::Arrive(net, way),
            Link::None | Link::Shared(..) => Passing::Share(from),
        };
        let arrived = self.step(passing, at.now, at.now.after(time), at.cause);
        if is_outside {
            self.ends(arrived);
        } else {
            self.schedule(arrived, Event::Word(to, word));
        }
    }

    /// A word of a firing comes to a port whose kernel awaits it.
    pub(super) fn word_comes(&mut self, port: PortId, word: Word, at: At) {
        self.words.comes(port, word);
        let Some(kernel) = self.design.kernel_of(port) else { return };
        let state = &self.kernels[kernel];
        let waits = matches!(state.waiting, Some((awaited, _)) if awaited == Awaited::Word(port, word));
        if waits && self.words.has_come(port, word, state.firings) {
            self.resume(kernel, at);
        }
    }
}
