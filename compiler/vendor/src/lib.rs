//! Files that AMD's AI Engine tools write, as plain data.
//!
//! Each reader takes a text and returns plain data with the places of its parts, or diagnostics.
//! Readers skip what they do not know: most of these forms have no public definition, and each
//! release adds to them. They report what they know and cannot read. None allocates more than a
//! fixed multiple of the text.
//!
//! - [`aiecst`]: constraints, written by hand or by the mapper;
//! - [`map_report`]: the mapper's table of buffers, PLIOs and kernels;
//! - [`floor`]: a placement put together from these files, and its verification;
//! - [`cycles`]: the simulator's profile of the functions of a core;
//! - [`schedule`]: the loops of a core, as its compiler scheduled them;
//! - [`log`] and [`messages`]: the compiler's log, and what its messages mean;
//! - [`compare`]: the differences of two placements and routings;
//! - [`renamed`]: parts that two sides name differently.

pub mod aiecst;
pub mod compare;
pub mod cycles;
mod errors;
pub mod floor;
pub mod log;
pub mod map_report;
pub mod messages;
mod ports;
pub mod renamed;
pub mod schedule;
