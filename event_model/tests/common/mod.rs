//! Designs that several test programs use.

#![allow(dead_code, reason = "each test program uses a part")]

#[path = "../../benches/laid.rs"]
pub mod laid;
pub mod random;
