//! The timing model: what a step, a call and a connection take, in array cycles.
//!
//! A [`TimingProfile`] holds measured constants. The placer, the router and the event model all read the same one.

mod calls;
mod profile;

pub use calls::*;
pub use profile::{HardwareLimits, Moves, ReduceTiming, TimingProfile, Turn, WindowTiming};
