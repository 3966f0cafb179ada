//! Placement: kernels to cores, buffers and stacks to memory modules, PLIO and GMIO ports to the shim.
//!
//! [`place`] searches, a file can be [loaded](load) instead, and [`verify()`] re-derives every limit from the result alone; it is
//! the only maker of [`Placed`].

mod placed;
mod placement;

pub use placed::Placed;
pub use placement::{Placement, PortBuffers, ShimSpot, Spot};
