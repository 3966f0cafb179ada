//! Devices: what an AI Engine array has of everything, as data.
//!
//! In comes the text of a device file (`devices/*.toml`, or one of the user's own); out goes a [`Device`]
//! that has passed its [self-check](check). Checks, placer, router and code generator all ask this one
//! module; no tile count or memory size is written anywhere else.

pub mod check;
mod errors;
mod grid;
mod load;
mod model;

pub use grid::{Grid, Tile, TileId};
pub use load::{builtin, builtin_names, builtin_text, parse};
pub use model::{Arch, Clock, Device, Memory, PlColumns, Shim, Switch, TileLimits};
