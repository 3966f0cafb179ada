//! Designs as stable text (being written).
use crate::{Design, Expanded};
/// The design as JSON.
pub fn dump_design(_design: &Design) -> String {
    String::new()
}
/// The expanded design as JSON.
pub fn dump_expanded(_expanded: &Expanded) -> String {
    String::new()
}
