//! What the wrapper class of a role keeps from firing to firing, for its collectives: how far each
//! buffer of cycle counts is filled, and by how much the counter of a clock is ahead.

use aiec_ir::design::local_name;
use aiec_ir::expanded::Expanded;

use crate::roles::{Duty, Role};

/// The collectives with timed calls, each with the member that says how far counts are filled.
pub(super) fn timed<'a>(design: &'a Expanded, role: &'a Role) -> impl Iterator<Item = (&'a str, String)> {
    let with_cycles = role.duties.iter().filter(|duty| duty.cycles);
    with_cycles.map(|duty| (name(design, duty), format!("{}_cleared_", name(design, duty))))
}

/// The member for the offset of a clock. Returns None when the class of the duty takes none.
pub(super) fn offset(design: &Expanded, duty: &Duty) -> Option<String> {
    let keeps = duty.class.as_ref().is_some_and(|class| class.keeps_number);
    keeps.then(|| format!("{}_offset_", name(design, duty)))
}

/// The names of all these members.
pub(super) fn names<'a>(design: &'a Expanded, role: &'a Role) -> impl Iterator<Item = String> {
    let offsets = role.duties.iter().filter_map(|duty| offset(design, duty));
    timed(design, role).map(|(_, member)| member).chain(offsets)
}

/// Their declarations.
pub(super) fn declarations<'a>(design: &'a Expanded, role: &'a Role) -> impl Iterator<Item = String> {
    let cleared = timed(design, role).map(|(_, member)| format!("aiec::cleared {member};"));
    let offsets = role.duties.iter().filter_map(|duty| offset(design, duty));
    cleared.chain(offsets.map(|member| format!("int64 {member} = 0;")))
}

fn name<'a>(design: &'a Expanded, duty: &Duty) -> &'a str {
    local_name(&design.collectives[duty.collective].name)
}
