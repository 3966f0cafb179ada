//! Cores: what the kernels on a tile take of their core, and what it costs when that is too much.

use aiec_check::Checked;
use aiec_device::Device;
use aiec_ir::{IdVec, KernelId, WHOLE_CORE};

use super::problem::{CUT, NEVER, PENALTY};

/// Amounts of what kernels share on a core: its time in 1/1000 (UG1079), bytes of program memory,
/// ports for streams into the core, and out of it.
pub(crate) type Shares = [u64; 4];

/// What some kernels take of a core.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Core {
    /// Number of kernels on the core.
    pub(crate) kernels: u32,
    /// Kernels that must not share their core.
    alone: u32,
    takes: Shares,
}

/// What a core has.
pub(crate) fn supply(device: &Device) -> Shares {
    let (core, tile) = (&device.core, &device.tile);
    [WHOLE_CORE, core.program_bytes, tile.streams_in, tile.streams_out].map(u64::from)
}

impl Core {
    /// What each kernel of `checked` takes.
    pub(crate) fn of_kernels(checked: &Checked) -> IdVec<KernelId, Self> {
        let (shares, alone) = (checked.core_shares(), checked.alone());
        let core = |kernel| {
            let [into, out] = checked.stream_ports(kernel);
            let takes = [shares[kernel], checked.program_bytes(kernel).unwrap_or(0), into, out];
            Self { kernels: 1, alone: u32::from(alone[kernel].is_some()), takes: takes.map(u64::from) }
        };
        checked.kernels.ids().map(core).collect()
    }

    /// The core with one more kernel.
    #[must_use]
    pub(crate) fn with(self, kernel: Self) -> Self {
        let takes = std::array::from_fn(|at| self.takes[at] + kernel.takes[at]);
        Self { kernels: self.kernels + kernel.kernels, alone: self.alone + kernel.alone, takes }
    }

    /// The core without one of its kernels.
    #[must_use]
    pub(crate) fn without(self, kernel: Self) -> Self {
        let takes = std::array::from_fn(|at| self.takes[at] - kernel.takes[at]);
        Self { kernels: self.kernels - kernel.kernels, alone: self.alone - kernel.alone, takes }
    }

    /// Cost of the core: what it lacks of `supply`, and kernels that join another. Kernels share
    /// cores only for lack of tiles.
    pub(crate) fn cost(self, supply: Shares) -> i64 {
        if self.kernels < 2 { 0 } else { self.lack(supply) + PENALTY * self.joined() }
    }

    /// Kernels besides the first.
    pub(crate) fn joined(self) -> i64 {
        i64::from(self.kernels) - i64::from(self.kernels > 0)
    }

    /// Cost of what the core lacks; 0 if it can run its kernels.
    pub(crate) fn lack(self, supply: Shares) -> i64 {
        if self.kernels < 2 {
            return 0;
        }
        let lack = |(need, limit): (u64, u64)| match need.saturating_sub(limit) {
            0 => 0,
            over => {
                let part = over.saturating_mul(CUT as u64) / limit.max(1);
                NEVER + i64::try_from(part).unwrap_or(NEVER).min(NEVER)
            }
        };
        let alone = if self.alone > 0 { NEVER * self.joined() } else { 0 };
        self.takes.into_iter().zip(supply).map(lack).sum::<i64>() + alone
    }
}
