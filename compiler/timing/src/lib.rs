//! The timing model: array cycles of a step, a call and a connection.
//!
//! A [`TimingProfile`] holds measured constants. The placer, the router and the event model all
//! read the same profile.
//!
//! A [`CoreModel`] turns the counts of a kernel, [`KernelCounts`], into cycles per firing.

mod basis;
mod calls;
mod code;
mod core;
mod counts;
mod guide;
pub mod network;
mod profile;
pub mod witnesses;

pub use basis::Basis;
pub use calls::{CallTimes, Calls, CascadeTimes, Limit, cascade_times, stream_times};
pub use code::{CodeModel, ProgramBytes};
pub use core::{
    CallTiming, Confidence, CoreLimit, CoreModel, Guard, KernelEstimate, LoopSchedule, LoopTiming, Slots,
};
pub use counts::{KernelCounts, PortCounts, Region};
pub use guide::ShapeGuide;
pub use profile::{
    BadProfile, HardwareLimits, LockTiming, MemoryTiming, Moves, ReduceTiming, TimingProfile, Turn,
    WindowTiming,
};
