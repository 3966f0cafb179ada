//! The tests of lowering and expansion. One file for each promise.

mod common;

mod bodies;
mod components;
mod conditions;
mod expand;
mod faults;
mod language_doc;
mod loops;
mod mangled;
mod operations;
mod validate;
