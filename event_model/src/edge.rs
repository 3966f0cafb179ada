//! The pace of the array's inputs and outputs: the width and clock of a PLIO, and global memory,
//! which all GMIO share.

use aiec_ir::PortId;
use aiec_ir::design::Endpoint;
use aiec_ir::expanded::{External, Owner};

use crate::links::Sources;
use crate::time::Time;

impl Sources<'_> {
    /// Least cycles for `bytes` over a net from `from` to `to`, by the inputs and outputs of the
    /// array at its ends. 0 between kernels.
    pub(crate) fn edge_cycles(&self, from: PortId, to: impl Iterator<Item = PortId>, bytes: u64) -> u64 {
        let ends = std::iter::once(from).chain(to);
        let rates = ends.filter_map(|port| self.rate(self.external(port)?));
        let slowest = rates.reduce(f64::min);
        slowest.map_or(0, |rate| cycles(bytes as f64 / rate))
    }

    /// Time until the first data of an input from global memory leave its DMA. 0 of other ports.
    pub(crate) fn first_access(&self, from: PortId) -> Time {
        match self.external(from).map(|external| &external.endpoint) {
            Some(Endpoint::Gmio { .. }) if !self.ideal.has_best_code() => {
                Time::cycles(self.profile.memory.first_access)
            }
            _ => Time::ZERO,
        }
    }

    fn external(&self, port: PortId) -> Option<&External> {
        let checked = self.checked;
        match checked.ports[port].owner {
            Owner::External(id) => Some(&checked.externals[id]),
            Owner::Kernel(_) => None,
        }
    }

    /// Bytes in an array cycle. Returns None when the port is faster than a stream.
    fn rate(&self, external: &External) -> Option<f64> {
        let clock = &self.device.clock;
        let rate = match &external.endpoint {
            // A PLIO moves its width in each cycle of its clock (UG1076, "PLIO").
            Endpoint::Plio { bits, frequency, .. } => {
                let usual = f64::from(clock.array_mhz) * 1000.0 / f64::from(clock.pl_divisor.max(1));
                let khz = frequency.as_ref().map_or(usual, |khz| f64::from(khz.value));
                f64::from(bits.value) / 8.0 * khz / (f64::from(clock.array_mhz.max(1)) * 1000.0)
            }
            Endpoint::Gmio { .. } if !self.ideal.has_best_code() => {
                self.profile.memory.bytes / self.gmio() as f64
            }
            Endpoint::Gmio { .. } => return None,
        };
        (rate < self.profile.hardware.stream_bytes as f64).then_some(rate)
    }

    /// GMIO in use. The model lets all of them move data all the time.
    fn gmio(&self) -> usize {
        let checked = self.checked;
        let is_gmio = |external: &&External| {
            matches!(external.endpoint, Endpoint::Gmio { .. })
                && !checked.ports[external.port].connections.is_empty()
        };
        checked.externals.iter().filter(is_gmio).count().max(1)
    }
}

fn cycles(amount: f64) -> u64 {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "positive, and sizes fit")]
    let cycles = amount.ceil() as u64;
    cycles
}
