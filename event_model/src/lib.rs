//! A discrete-event simulation of window transfers: when each kernel works, waits and is done.
//!
//! In come a verified design and a timing profile; out come cycles, or a diagnostic if the kernels wait for each other for ever. Windows,
//! locks, DMA and collective calls take the time the profile says; everything else a kernel does takes none, since nobody knows it. The
//! model:
//!
//! - all kernels start at cycle 0 and fire as often as the graph runs;
//! - a firing acquires its synchronous windows, inputs first; then it uses its asynchronous user windows as often as the design says, or once each, outputs before
//!   inputs; then it makes all calls of each of its collectives, in declaration order; then it releases the synchronous windows;
//! - a collective call goes chunk by chunk: acquire children and parent or result, combine, release in reverse order. The constant
//!   part of a node's time comes before it acquires anything, so that it overlaps with waiting, as it does on hardware (thesis 4.5.3);
//! - along a cascade a call begins when all ranks have come, and passes all of them at the same pace, each some cycles after the one before;
//!   the four vectors that fit between two cores are left aside;
//! - a buffer is a token. Through shared memory, producer and consumer pass the same one or two buffers; a net has buffers at both ends,
//!   starts when one is full at the source and one is free at every sink, and carries 32 bits a cycle;
//! - inputs of the array always have the next window, outputs always take it.

mod engine;
mod errors;
mod links;
mod program;
mod report;
mod run;
mod time;

pub use report::{CollectiveTimes, KernelTimes, Timeline};
pub use run::run;
