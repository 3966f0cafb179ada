//! Code generation: turns a checked and placed design into the text of a Vitis project.
//!
//! Takes a design with its placement and routing and returns [`OutputFile`]s. This crate writes no
//! files. Rust code makes the decisions ([`names`] invents every C++ identifier, [`roles`] groups
//! kernels by their part in collectives) and stores them in view structs. The templates on disk
//! hold the shape of the files. Equal input gives equal bytes.

pub mod classes;
mod context;
mod emit;
mod errors;
pub mod headers;
mod hierarchy;
mod lines;
mod members;
pub mod names;
mod naming;
mod options;
pub mod report;
pub mod roles;
mod runs;
mod scope;
mod signature;
pub mod stamp;
mod stubs;
mod views;
mod with_context;

pub use emit::{
    Defined, KernelUnit, KernelUnits, OutputFile, check_sources, constraints, creation_order, data_file,
    emit, emit_unplaced, expected_signature, file_inputs, golden_files, kernel_units, locations_header,
    routes_file, translation_units,
};
pub use naming::Naming;
pub use options::{DataFile, EmitOptions, Locations, UserSource};
pub use stubs::{StubFile, stubs};
pub use views::{code_name, longer_names};
