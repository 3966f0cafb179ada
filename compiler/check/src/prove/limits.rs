//! The work that the proofs may take, and the sizes up to which they look at everything.

/// Tiles, places or edges that one search examines at most: half a second of work.
pub(crate) const WORK: u64 = 1 << 22;
/// The same for the fewest cuts of a small graph: one or two seconds.
pub(crate) const MOST_WORK: u64 = 8 * WORK;
/// Kernels of a design, tiles of an array, or ways to cut a tree, up to which proofs look at all of
/// them.
pub const SMALL: usize = 64;
/// Kernels up to which branch and bound looks for the fewest cuts. Little is decided beyond.
pub(crate) const MOST_KERNELS: usize = 40;
/// Questions of full work about which statements conflict: some seconds. Most questions take far
/// less.
pub(crate) const MAX_QUESTIONS: usize = 24;
