//! Compiles unchanged ADF graphs against the headers of `aiec_runtime`, runs them on the host, and
//! compares their outputs with references and golden files.

mod absent;
pub mod build;
mod cache;
mod casts;
pub mod compare;
mod complaints;
mod conditional;
pub mod config;
mod debug;
pub mod describe;
pub mod errors;
pub mod events;
pub mod find;
mod functions;
pub mod goldens;
pub mod inspect;
mod instances;
mod linking;
mod looping;
mod loops;
mod missing;
pub mod numbers;
mod objects;
mod operations;
mod parts;
mod precompiled;
mod probe;
pub mod program;
mod reach;
mod reference;
mod stack;
mod storage;
mod store;
mod timed;
mod tokens;
mod types;
pub mod warnings;
pub mod windows;

pub use linking::find_source;
