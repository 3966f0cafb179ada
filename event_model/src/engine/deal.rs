//! Packets that the writer of a split hands on.

use aiec_ir::PortId;

use super::{At, Engine};
use crate::dealt::Dealt;

impl Engine<'_> {
    /// A kernel hands on the packets that a run of it writes for the branches of a split.
    pub(super) fn deal(&mut self, port: PortId, at: At) {
        let Some(dealt) = self.links.dealt.get_mut(&port) else { return };
        for (branch, packets) in dealt.hand() {
            self.pending[branch] += packets;
        }
        self.free(port, at);
    }

    /// Lets the writer of a split go on after the packets of its runs have left.
    pub(super) fn free(&mut self, port: PortId, at: At) {
        let runs = self.links.dealt.get_mut(&port).map_or(0, Dealt::freed);
        for _ in 0..runs {
            self.moved(port);
            self.grant(port, at);
        }
    }
}
