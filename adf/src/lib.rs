//! ADF graphs in C++ as a second source of designs.
//!
//! The constructor of a graph runs on this machine (`aiec_host_run`). What it created, connected
//! and constrained is a [`Description`]. This crate turns it into an `aiec_ir::Design`, the form
//! that a `.dsl` file becomes as well, so that every later stage serves both.

mod assumed;
mod bodies;
mod called;
mod carries;
mod constrain;
mod controls;
pub mod description;
mod design;
mod dump;
mod ends;
mod errors;
mod gates;
mod import;
mod links;
mod logic;
mod names;
mod nested;
mod numbered;
mod places;
mod ranges;
mod regrouped;
mod strangers;
mod tables;
mod through;
mod wires;

pub use assumed::{Assumption, LeftOut, Notes};
pub use called::Called;
pub use constrain::constrain;
pub use description::Description;
pub use design::{Adopted, Settings, design};
pub use import::{Imported, OwnPorts, import};
pub use places::Extent;
