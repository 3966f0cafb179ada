//! What long work reports to, and what may stop it. Stages have no clock and no signals: the caller
//! of a search passes them in as a [`Watch`]. The proofs before the search ask the same one.

/// Observes proofs and the search, and may stop them.
pub trait Watch: Sync {
    /// Returns true when the work should end with its best result so far. Proofs and the search
    /// call it from any thread, between steps of bounded work.
    fn stopped(&self) -> bool {
        false
    }

    /// Receives the progress of the search from time to time, from any thread.
    fn progress(&self, _progress: &Progress) {}
}

/// The progress of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Work done in this annealing or these integer programs, in 1/1000.
    pub done: u32,
    /// Connections through DMA of the best tiles so far, including inputs and outputs.
    pub connections: u64,
    /// Lower bound on `connections` for every placement.
    pub bound: u64,
}

/// No watch. As workers of a search: one task after the other.
#[derive(Clone, Copy, Debug, Default)]
pub struct Alone;

impl Watch for Alone {}
