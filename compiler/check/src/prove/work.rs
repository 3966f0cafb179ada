//! The work that a proof may take, and the watch that can end it sooner.

use std::cell::Cell;

use crate::Watch;

/// Work between two questions to the watch: some milliseconds.
const ASK_EVERY: u64 = 1 << 14;

/// Remaining work of a proof, in places, tiles or edges examined.
pub(crate) struct Work<'w> {
    left: Cell<u64>,
    watch: &'w dyn Watch,
}

impl<'w> Work<'w> {
    /// At most `most` work; no work when `watch` has stopped.
    pub(crate) fn new(most: u64, watch: &'w dyn Watch) -> Self {
        Self { left: Cell::new(if watch.stopped() { 0 } else { most }), watch }
    }

    pub(crate) const fn left(&self) -> u64 {
        self.left.get()
    }

    /// Takes `amount`, or all that is left. None is left once the watch stops.
    pub(crate) fn spend(&self, amount: u64) {
        let left = self.left().saturating_sub(amount);
        let asks = left / ASK_EVERY < self.left() / ASK_EVERY;
        self.left.set(if asks && self.watch.stopped() { 0 } else { left });
    }
}
