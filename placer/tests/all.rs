//! The tests of the placer. One file for each promise.

mod banks;
mod blocks;
mod bound;
mod cascade;
mod chains;
mod constraints;
mod file;
mod large;
mod objective;
mod place;
mod quality;
mod refuse;
mod small;
mod stated;
mod stopped;
mod structure;
mod support;
mod verify;
