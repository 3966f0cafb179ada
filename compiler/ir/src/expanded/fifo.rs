//! What holds the FIFO of a connection.

use aiec_device::Device;

use super::Connection;
use crate::fifos::FifoMemory;

impl Connection {
    /// True if its FIFO lies in memory wherever no place is stated: as the design says, or else
    /// from `tools.fifo_threshold_words` on.
    pub fn lies_in_memory(&self, device: &Device) -> bool {
        let Some(words) = self.fifo.as_ref().map(|words| words.value) else { return false };
        match self.fifo_memory {
            Some(memory) => memory == FifoMemory::Module,
            None => device.tools.fifo_threshold_words.is_some_and(|least| words >= least),
        }
    }

    /// The words that its FIFO holds: in memory those that the design states, and in stream
    /// switches as many as whole FIFOs of a switch.
    pub fn held_words(&self, device: &Device) -> u32 {
        let words = self.fifo.as_ref().map_or(0, |words| words.value);
        let one = device.switch.fifo_words.max(1);
        if self.lies_in_memory(device) { words } else { words.div_ceil(one).saturating_mul(one) }
    }
}
