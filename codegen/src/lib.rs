//! Code generation: a checked and placed design to the text of a Vitis project.
//!
//! In come a design and everything that was decided about it; out go [`OutputFile`]s. Nothing is written here. Decisions are made in
//! Rust ([`names`] invents every C++ identifier, [`roles`] groups kernels by what they do in their collectives) and laid down in view
//! structs; the templates on disk hold the shape of the files. Equal input gives equal bytes.

pub mod classes;
mod emit;
mod errors;
pub mod headers;
mod lines;
pub mod names;
pub mod report;
pub mod roles;
mod runs;
mod signature;
pub mod stamp;
mod views;

pub use emit::{
    DataFile, EmitOptions, Locations, OutputFile, UserSource, check_sources, constraints, data_file, emit,
    emit_unplaced, golden_files, translation_units,
};
