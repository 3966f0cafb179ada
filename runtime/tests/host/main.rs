//! Tests of the host runtime: each case is a small C++ program under `cases/`, compiled against the
//! headers with warnings as errors and run in a separate folder.

mod bench;

mod aie_api;
mod checks;
mod constructs;
mod counts;
mod graphs;
mod io;
mod locks;
mod reports;
mod strays;
mod turns;
