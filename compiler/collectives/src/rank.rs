//! Ranks, which are kernels by their numbers in a group, and links by theirs in a plan.

use std::fmt;

/// A kernel's number in the group of a collective, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rank(pub u32);

impl Rank {
    /// The ranks of a group of `size` kernels, in order.
    pub fn all(size: u32) -> impl DoubleEndedIterator<Item = Self> + Clone {
        (0..size).map(Self)
    }

    /// The rank at a position of a list that has one entry for each rank.
    pub fn at(position: usize) -> Self {
        Self(u32::try_from(position).unwrap_or(u32::MAX))
    }

    /// The position in a list that has one entry for each rank.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A link's number among those of its plan ([`Plan::links`](super::Plan::links)), from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LinkId(pub u32);

impl LinkId {
    /// The position in a list that has one entry for each link.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
