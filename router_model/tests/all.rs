//! The tests of the router. One file for each promise.

mod cuts;
mod estimate;
mod fifos;
mod ports;
mod verify;
