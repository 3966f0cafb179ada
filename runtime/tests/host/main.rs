//! The host runtime at work: each case is a small C++ program under `cases/`, compiled against the headers with
//! warnings as errors and run in a folder of its own.

mod bench;

mod aie_api;
mod checks;
mod constructs;
mod graphs;
mod io;
mod locks;
mod reports;
mod strays;
