//! Cores: what the kernels on a tile take of their core, and what it costs when that is too much.

use aiec_check::Checked;
use aiec_device::Device;
use aiec_ir::{IdVec, KernelId, WHOLE_CORE};

use super::problem::{CUT, NEVER, PENALTY};

/// What some kernels take of a core.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Core {
    /// Number of kernels on the core.
    pub(crate) kernels: u32,
    /// Kernels that must not share their core.
    pub(crate) alone: u32,
    /// Sum of the runtime ratios, in 1/1000 (UG1079).
    pub(crate) time: u64,
    /// Bytes of program memory.
    pub(crate) program: u64,
    /// Ports for streams, into the core and out of it.
    pub(crate) streams: [u32; 2],
}

/// What a core has.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Supply {
    /// Bytes of program memory.
    program: u64,
    /// Ports for streams, into the core and out of it.
    streams: [u32; 2],
}

impl Supply {
    pub(crate) fn of(device: &Device) -> Self {
        let streams = [device.tile.streams_in, device.tile.streams_out];
        Self { program: device.core.program_bytes.into(), streams }
    }
}

impl Core {
    /// What each kernel of `checked` takes.
    pub(crate) fn of_kernels(checked: &Checked) -> IdVec<KernelId, Self> {
        let (shares, alone) = (checked.core_shares(), checked.alone());
        let core = |kernel| Self {
            kernels: 1,
            alone: u32::from(alone[kernel].is_some()),
            time: shares[kernel].into(),
            program: checked.program_bytes(kernel).unwrap_or(0).into(),
            streams: checked.stream_ports(kernel),
        };
        checked.kernels.ids().map(core).collect()
    }

    /// The core with one more kernel.
    #[must_use]
    pub(crate) const fn with(self, kernel: Self) -> Self {
        Self {
            kernels: self.kernels + kernel.kernels,
            alone: self.alone + kernel.alone,
            time: self.time + kernel.time,
            program: self.program + kernel.program,
            streams: [self.streams[0] + kernel.streams[0], self.streams[1] + kernel.streams[1]],
        }
    }

    /// The core without one of its kernels.
    #[must_use]
    pub(crate) const fn without(self, kernel: Self) -> Self {
        Self {
            kernels: self.kernels - kernel.kernels,
            alone: self.alone - kernel.alone,
            time: self.time - kernel.time,
            program: self.program - kernel.program,
            streams: [self.streams[0] - kernel.streams[0], self.streams[1] - kernel.streams[1]],
        }
    }

    /// Cost of the core: what it lacks of `supply`, and kernels that join another. Kernels share
    /// cores only for lack of tiles.
    pub(crate) fn cost(self, supply: Supply) -> i64 {
        if self.kernels < 2 { 0 } else { self.lack(supply) + PENALTY * self.joined() }
    }

    /// Kernels besides the first.
    pub(crate) fn joined(self) -> i64 {
        i64::from(self.kernels) - i64::from(self.kernels > 0)
    }

    /// Cost of what the core lacks; 0 if it can run its kernels.
    pub(crate) fn lack(self, supply: Supply) -> i64 {
        if self.kernels < 2 {
            return 0;
        }
        let lack = |need: u64, limit: u64| match need.saturating_sub(limit) {
            0 => 0,
            over => {
                let part = over.saturating_mul(CUT as u64) / limit.max(1);
                NEVER + i64::try_from(part).unwrap_or(NEVER).min(NEVER)
            }
        };
        let alone = if self.alone > 0 { NEVER * self.joined() } else { 0 };
        let [into, out] = [0, 1].map(|way| lack(self.streams[way].into(), supply.streams[way].into()));
        lack(self.time, WHOLE_CORE.into()) + lack(self.program, supply.program) + into + out + alone
    }
}
