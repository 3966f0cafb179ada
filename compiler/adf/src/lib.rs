//! ADF graphs in C++ as a second source of designs.
//!
//! The constructor of a graph runs on this machine (`aiec_host_run`). What it created, connected
//! and constrained is a [`Description`]. This crate turns it into an `aiec_ir::Design`, the form
//! that a `.dsl` file becomes as well, so that every later stage serves both.

pub mod description;
mod dump;

pub use description::Description;
