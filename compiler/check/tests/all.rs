//! The tests of the proofs. One file for each promise.

mod contradiction;
mod explain;
mod matching;
