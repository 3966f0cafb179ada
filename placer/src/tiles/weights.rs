//! Weights of the annealings for a connection through DMA, a tile of wire and a column off the
//! middle, in units of 1/1024 of a connection. The weighted sum approximates the order of terms; in
//! ordinary designs the first term outweighs all later ones. Only the score tells how good a
//! placement is.

use aiec_check::Checked;
use aiec_device::Device;
use aiec_ir::Carries;
use aiec_ir::expanded::Connection;

use super::problem::{CUT, LENGTH, PENALTY};
use crate::objective::{Objective, Term};

/// The terms that weigh a connection.
const CONNECTION: [Term; 3] = [Term::Dma, Term::Bytes, Term::Path];

/// Costs by the positions of the terms.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Weights {
    /// Cost of a tile of wire.
    pub(super) length: i64,
    /// Cost of a column away from the middle.
    pub(super) compact: i64,
    /// The terms of whole placements in order.
    pub(super) objective: Objective,
    /// Bytes of a window that costs as much as a connection when bytes come first: the mean.
    mean: u64,
}

impl Weights {
    /// The weights for `checked`.
    pub(super) fn new(checked: &Checked, objective: &Objective) -> Self {
        let windows = || {
            checked.connections.iter().filter_map(|c| checked.ports[c.from].carries.and_then(Carries::block))
        };
        let sum: u64 = windows().map(|window| window.bytes()).fold(0, u64::saturating_add);
        // Usually a tile costs a fiftieth of a connection, and a column a twentieth of that. The
        // last term is the cheapest.
        let place = |term: Term, after: Term| match objective.place(term) {
            None => 0,
            // If both precede connections, the earlier one costs more.
            Some(_) => match (objective.prefers(term, &CONNECTION), objective.prefers(term, &[after])) {
                (true, true) => PENALTY,
                (true, false) => CUT / 8,
                (false, true) => LENGTH,
                (false, false) => 1,
            },
        };
        let mean = sum / (windows().count() as u64).max(1);
        let length = place(Term::Wire, Term::Compact);
        let compact = place(Term::Compact, Term::Wire);
        Self { length, compact, objective: *objective, mean: mean.max(1) }
    }

    /// Cost of sending a window by DMA, without wire. Usually one connection, plus the share of a
    /// module that its second buffers take.
    pub(super) fn of(&self, checked: &Checked, device: &Device, connection: &Connection) -> i64 {
        let objective = &self.objective;
        let own =
            checked.ports[connection.from].carries.and_then(Carries::block).map_or(0, |block| block.bytes());
        let weight = if objective.prefers(Term::Bytes, &[Term::Dma]) {
            let part = own.saturating_mul(CUT as u64) / self.mean;
            i64::try_from(part).unwrap_or(i64::MAX).clamp(CUT / 16, 16 * CUT)
        } else if objective.place(Term::Bytes).is_some() {
            let bytes = checked.port_bytes(connection.to, device);
            let share = bytes.saturating_mul(CUT as u64) / u64::from(device.memory.module_bytes).max(1);
            CUT + i64::try_from(share).unwrap_or(CUT)
        } else {
            CUT
        };
        let on_path = connection.collective.is_some();
        let path_first = objective.prefers(Term::Path, &[Term::Dma, Term::Bytes]);
        if on_path && path_first { weight + PENALTY } else { weight }
    }
}
