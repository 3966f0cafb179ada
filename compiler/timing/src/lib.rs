//! The timing model: array cycles of a step, a call and a connection.
//!
//! A [`TimingProfile`] holds measured constants. The placer, the router and the event model all
//! read the same profile.

mod calls;
mod profile;

pub use calls::{CallTimes, Calls, CascadeTimes, Limit, ShapeGuide, cascade_times};
pub use profile::{BadProfile, HardwareLimits, Moves, ReduceTiming, TimingProfile, Turn, WindowTiming};
