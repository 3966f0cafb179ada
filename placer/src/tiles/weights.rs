//! What the annealings pay for a connection through DMA, a tile of wire and a column off the middle: a sum that comes near to an order
//! of terms.
//!
//! In come a design and its objective; out go integers in units of 1/1024 of a connection. What comes first is so much dearer that in
//! ordinary designs nothing later outweighs it; how good a placement is, its score alone says.

use aiec_check::Checked;
use aiec_device::Device;
use aiec_ir::expanded::Connection;

use super::problem::{CUT, LENGTH};
use crate::demand;
use crate::objective::{Objective, Term};

/// What decides how dear a connection is.
const CONNECTION: [Term; 3] = [Term::Dma, Term::Bytes, Term::Path];
/// Cost of a unit of what comes before connections: a connection through DMA has at least two tiles of wire, so that it counts in both.
const BEFORE: i64 = 4 * CUT;
/// A connection of a collective is so many times as dear where its path comes first.
const ON_PATH: i64 = 4;

/// Costs by the places of the terms.
#[derive(Clone, Copy, Debug)]
pub(super) struct Weights {
    /// Cost of a tile of wire.
    pub(super) length: i64,
    /// Cost of a column away from the middle.
    pub(super) compact: i64,
    objective: Objective,
    /// Bytes of a window that costs as much as a connection where bytes come first: the mean.
    mean: u64,
}

impl Weights {
    /// The weights for `checked`.
    pub(super) fn new(checked: &Checked, objective: &Objective) -> Self {
        let windows = || checked.connections.iter().filter_map(|c| checked.ports[c.from].window);
        let sum: u64 = windows().map(|window| window.bytes()).fold(0, u64::saturating_add);
        // Usually a tile is a fiftieth of a connection, and a column a twentieth of that; what comes last is the cheapest.
        let place = |term: Term, after: Term| match objective.place(term) {
            None => 0,
            Some(_) if CONNECTION.iter().all(|&c| objective.prefers(term, &[c])) => BEFORE,
            Some(_) if objective.prefers(term, &[after]) => LENGTH,
            Some(_) => 1,
        };
        let mean = sum / (windows().count() as u64).max(1);
        let length = place(Term::Wire, Term::Compact);
        let compact = place(Term::Compact, Term::Wire);
        // Of two that both come before connections, one comes before the other.
        let (length, compact) = match (length, compact) {
            (BEFORE, BEFORE) if objective.prefers(Term::Wire, &[Term::Compact]) => (length, CUT / 8),
            (BEFORE, BEFORE) => (CUT / 8, compact),
            both => both,
        };
        Self { length, compact, objective: *objective, mean: mean.max(1) }
    }

    /// Cost of sending a window by DMA, wire not counted. Usually one connection, and the share of a module that its second buffers take.
    pub(super) fn of(&self, checked: &Checked, device: &Device, connection: &Connection) -> i64 {
        let objective = &self.objective;
        let own = checked.ports[connection.from].window.map_or(0, |window| window.bytes());
        let weight = if objective.prefers(Term::Bytes, &[Term::Dma]) {
            let part = own.saturating_mul(CUT as u64) / self.mean;
            i64::try_from(part).unwrap_or(i64::MAX).clamp(CUT / 16, 16 * CUT)
        } else if objective.place(Term::Bytes).is_some() {
            let bytes = demand::port_bytes(checked, device, connection.to);
            let share = bytes.saturating_mul(CUT as u64) / u64::from(device.memory.module_bytes).max(1);
            CUT + i64::try_from(share).unwrap_or(CUT)
        } else {
            CUT
        };
        let on_path = connection.collective.is_some();
        let path_first = objective.prefers(Term::Path, &[Term::Dma, Term::Bytes]);
        if on_path && path_first { weight * ON_PATH } else { weight }
    }
}
