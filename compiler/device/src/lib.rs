//! Devices: what an AI Engine array has of everything, as data.
//!
//! In comes the text of a device file (`devices/*.toml`, or one of the user's own); out goes a [`Device`]
//! that has passed its [self-check](check). Checks, placer, router and code generator all ask this one
//! module; no tile count or memory size is written anywhere else.

pub mod check;
mod derived;
mod errors;
mod facts;
mod grid;
mod interface;
mod load;
mod model;
pub mod release;

pub use derived::{Cuts, InterfaceTotals, MemorySide};
pub use facts::{Fact, Group, groups};
pub use grid::{Grid, Tile, TileId};
pub use load::{builtin, builtin_names, builtin_text, parse};
pub use model::{
    Arch, BdBits, CascadeOrder, Clock, Core, Costs, Device, Expect, Forbidden, LockKind, Memory, MemoryTiles,
    Packet, PlColumns, Ports, Shim, Sides, SpeedGrade, Switch, SwitchPorts, TileLimits, Tools,
};
pub use release::{Board, Release};
