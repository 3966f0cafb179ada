//! Placement: assigns kernels to cores, buffers and stacks to modules, PLIO and GMIO to the shim.
//!
//! [`place`] searches for a placement, or [`load`] reads one from a file. [`verify()`] re-derives
//! every limit from the result alone and is the only maker of [`Placed`].

mod banks;
mod buffers;
mod entry;
mod errors;
mod file;
mod layout;
mod lines;
mod objective;
mod options;
mod place;
mod placed;
mod placement;
mod random;
mod report;
mod score;
mod search;
mod shims;
mod tiles;
mod verify;
mod watch;

// The tables that proofs and search have in common.
use aiec_check::formation;
use aiec_check::prove::rules;

pub use aiec_check::prove::{Argument, Bound, Counted, Pins, bound};
pub use banks::{BankSharing, bank_notes, bank_sharing};
pub use entry::PlacementEntry;
pub use file::{Loaded, dump, load, load_part};
pub use objective::{Objective, Term};
pub use options::PlaceOptions;
pub use place::{Basis, Found, HotLine, place, search};
pub use placed::Placed;
pub use placement::{Bank, Placement, PortBuffers, ShimSpot, Spot};
pub use random::{Random, mixed};
pub use report::{
    Account, ShimUse, account_use, bank_use, dma_connections, module_use, shim_supply, shim_use,
};
pub use score::{Score, Terms};
pub use tiles::Line;
pub use verify::{ModuleUse, Stored, stored, verify};
pub use watch::{Alone, Progress, Tools, Watch, Workers};
