//! Compiles ADF graphs against the headers of `aiec_runtime`, unchanged, runs them on this machine, and compares what
//! they write with references and golden files.

pub mod build;
mod cache;
mod casts;
pub mod compare;
mod debug;
pub mod errors;
pub mod events;
mod linking;
mod looping;
mod loops;
mod missing;
mod names;
pub mod numbers;
pub mod program;
mod reference;
mod stack;
mod storage;
mod store;
pub mod warnings;
pub mod windows;
