//! What the recorder of a run notes about nets.

use aiec_ir::PortId;

use super::Engine;
use crate::links::WireId;
use crate::time::Time;
use crate::trace::Doing;

impl Engine<'_> {
    /// Notes what the DMA channels at the ends of a net do while it carries a block.
    pub(super) fn note_channels(&mut self, net: WireId, begin: Time, end: Time) {
        let Some(recorder) = &mut self.recorder else { return };
        let wire = &self.links.wires[net];
        let has_channel =
            |port: PortId| self.design.kernel_of(port).is_some() && !self.design.is_stream(port);
        if has_channel(wire.from) {
            recorder.add(Doing::Dma(wire.from), begin, end);
        }
        for sink in wire.sinks.iter().filter(|sink| has_channel(sink.port)) {
            // The whole block is there at the time of arrival.
            let way = sink.arrival.since(wire.carrying);
            recorder.add(Doing::Dma(sink.port), begin.after(way), end.after(way));
        }
    }
}
