//! Designs that several test programs use.

#![allow(dead_code, reason = "each test program uses a part")]

pub mod laid;
pub mod random;
