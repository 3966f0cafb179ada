//! Links of a kernel to its neighbours, in few bytes: moves read all of them.

use aiec_ir::KernelId;

use super::problem::{Neighbour, TileProblem};

/// A [`Neighbour`] in fewer bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    pub(super) kernel: KernelId,
    weight: i32,
    pub(super) kind: Kind,
}

/// How the cost of a link is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// One ordinary window to the neighbour: by `State::single`.
    Out,
    /// One ordinary window from the neighbour: by `State::single`.
    In,
    /// Several windows, broadcasts, and pairs that must be apart: by the [`Neighbour`].
    Other,
}

impl Link {
    pub(super) fn new(problem: &TileProblem<'_>, n: &Neighbour) -> Self {
        let kind = match n.windows {
            [0, 1] if n.near == 0 && n.law.is_none() && n.length == problem.length => Kind::Out,
            [1, 0] if n.near == 0 && n.law.is_none() && n.length == problem.length => Kind::In,
            _ => Kind::Other,
        };
        // A weight beyond the range of i32 is far above all other costs, so clamping is safe.
        Self { kernel: n.kernel, weight: i32::try_from(n.weight).unwrap_or(i32::MAX / 2), kind }
    }

    /// The cost of one window: its weight plus the table entry `besides`.
    pub(super) fn single(&self, besides: i32) -> i64 {
        if besides == 0 { 0 } else { i64::from(self.weight) + i64::from(besides) }
    }
}
