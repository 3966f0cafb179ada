//! Placement: assigns kernels to cores, buffers and stacks to memory modules, PLIO and GMIO ports
//! to the shim.
//!
//! [`place`] searches for a placement, or [`load`] reads one from a file. [`verify()`] re-derives
//! every limit from the result alone and is the only maker of [`Placed`].

mod attempts;
mod banks;
mod bound;
mod buffers;
mod channels;
mod contradiction;
mod crowd;
mod demand;
mod entry;
mod errors;
mod explain;
mod file;
mod formation;
mod matching;
mod objective;
mod options;
mod pins;
mod place;
mod placed;
mod placement;
mod random;
mod report;
mod rules;
mod score;
mod shims;
mod stacks;
mod teams;
mod tiles;
mod verify;
mod watch;

pub use banks::{Bank, BankSharing, bank_sharing};
pub use bound::{Argument, Bound, Counted, Quality, bound};
pub use entry::PlacementEntry;
pub use file::{Loaded, dump, load, load_part};
pub use objective::{Objective, Term};
pub use options::PlaceOptions;
pub use pins::Pins;
pub use place::{Around, Found, HotLine, place, search, search_around};
pub use placed::Placed;
pub use placement::{Placement, PortBuffers, ShimSpot, Spot};
pub use report::{
    Account, ShimUse, account_use, bank_use, dma_connections, module_use, shim_supply, shim_use,
};
pub use score::{Score, Terms};
pub use tiles::Line;
pub use verify::{ModuleUse, verify};
pub use watch::{Alone, Progress, Tools, Watch, Workers};
