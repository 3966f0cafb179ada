//! Tables: memory that a kernel has beside the buffers of its ports. `connect` gives it tables of
//! its source (`parameter::array`), `create_object` those that the constructor of its class takes
//! (`REGISTER_PARAMETER`).
//!
//! Takes the tables of a description. Returns a port of the kernel for each, with one block, and no
//! connection. A table that several kernels read has a copy for each of them, as each core has its
//! own program and data. With `share_parameter` the first kernel alone has one (UG1079, "Sharing
//! LUTs").

use std::collections::{BTreeMap, BTreeSet};

use aiec_diag::Span;
pub(crate) use aiec_ir::design::table_port as name;
use aiec_ir::design::{Family, Instance, UserPort, WrittenType};
use aiec_ir::{Carries, Direction, FamilyId, IdVec};

use crate::assumed::Notes;
use crate::description::{Description, KernelIndex, Table};
use crate::names::Names;

/// The tables of a kernel with their numbers, in the order of the statements.
fn of(description: &Description, kernel: KernelIndex) -> impl Iterator<Item = (u32, &Table)> {
    (0..).zip(description.tables.iter().filter(move |table| table.kernel == kernel))
}

fn is_own(table: &Table) -> bool {
    !table.is_shared && table.bytes > 0
}

/// The ports of the tables that a kernel has in its own memory.
pub(crate) fn ports(description: &Description, kernel: KernelIndex, span: Span) -> Vec<UserPort> {
    let port = |(number, table): (u32, &Table)| UserPort {
        name: name(number),
        direction: Direction::In,
        carries: Carries::Table { bytes: u32::try_from(table.bytes).unwrap_or(u32::MAX) },
        asynchronous: false,
        says_how: false,
        written: WrittenType::default(),
        span: table.site.as_ref().map_or(span, |site| site.span),
    };
    of(description, kernel).filter(|(_, table)| is_own(table)).map(port).collect()
}

/// The name of the kernel that reads a table.
fn reader(table: &Table, families: &IdVec<FamilyId, Family>, instances: &[Instance]) -> Option<String> {
    let instance = instances.get(table.kernel.0 as usize)?;
    Some(families[instance.family].instance_name(instance.index))
}

/// The tables of kernel classes that register no member for them, each with the reason why no
/// location names it.
pub(crate) fn unregistered(
    description: &Description,
    families: &IdVec<FamilyId, Family>,
    instances: &[Instance],
) -> Vec<(String, &'static str)> {
    let kernels = (0..).map(KernelIndex).take(description.kernels.len());
    let tables = kernels.flat_map(|kernel| of(description, kernel)).filter(|(_, one)| !one.is_registered);
    let name = |(number, table): (u32, &Table)| {
        let reader = reader(table, families, instances)?;
        Some((
            format!("{reader}.{}", name(number)),
            "the class of the kernel has no REGISTER_PARAMETER for it",
        ))
    };
    tables.filter_map(name).collect()
}

/// Notes the tables in the memory of other kernels.
pub(crate) fn note(
    description: &Description,
    families: &IdVec<FamilyId, Family>,
    instances: &[Instance],
    file: Span,
    notes: &mut Notes,
) {
    for table in description.tables.iter().filter(|table| table.is_shared) {
        let Some(name) = reader(table, families, instances) else { continue };
        let span = table.site.as_ref().map_or(file, |site| site.span);
        notes.leave_out(format!("that `{name}` reaches the table of another kernel"), span);
    }
}

/// The members of graphs that are tables, by the port of their first reader, such as `k.param[0]`.
pub(crate) fn members(
    description: &Description,
    names: &Names,
    families: &IdVec<FamilyId, Family>,
    instances: &[Instance],
) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut named: BTreeSet<&str> = BTreeSet::new();
    for kernel in (0..).map(KernelIndex).take(description.kernels.len()) {
        for (number, table) in of(description, kernel) {
            let (Some(path), Some(reader)) = (&table.path, reader(table, families, instances)) else {
                continue;
            };
            if named.insert(path) {
                found.insert(format!("{reader}.{}", name(number)), names.local(path));
            }
        }
    }
    found
}
