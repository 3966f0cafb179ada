//! Files that AMD's AI Engine tools write, as plain data.
//!
//! Each reader takes a text and returns plain data with the places of its parts, or diagnostics.
//! Readers skip what they do not know: most of these forms have no public definition, and each
//! release adds to them. They report what they know and cannot read. No reader needs a device, and
//! none allocates more than a fixed multiple of the text.

pub mod aiecst;
mod errors;
