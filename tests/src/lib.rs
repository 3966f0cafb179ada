//! Golden and end-to-end tests of the whole compiler.
