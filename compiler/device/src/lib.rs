//! Devices: the resources of an AI Engine array, as data.
//!
//! Takes the text of a device file (`devices/*.toml`, or the user's own) and returns a [`Device`]
//! that has passed its [self-check](check). Checks, placer, router and code generator take all tile
//! counts and memory sizes from this module.

pub mod check;
mod derived;
mod errors;
mod facts;
mod grid;
mod interface;
mod load;
mod model;
pub mod release;

pub use derived::{Cuts, InterfaceTotals};
pub use facts::{Fact, Group, groups};
pub use grid::{Grid, Tile, TileId};
pub use load::{builtin, builtin_names, builtin_text, parse};
pub use model::{
    Arch, BdBits, CascadeOrder, Clock, Core, Costs, Device, Expect, Forbidden, LockKind, Memory, MemoryTiles,
    Packet, PlColumns, Ports, Shim, Sides, SpeedGrade, Switch, SwitchPorts, TileLimits, Tools,
};
pub use release::{Board, Release};
