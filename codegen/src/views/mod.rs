//! Views: the contents of each template, as final text and numbers.
//!
//! One struct per template, named after the file it makes. All views are made from [`Context`].

mod asserts;
pub(crate) mod build;
pub(crate) mod collectives;
mod connect;
pub(crate) mod constraints;
pub(crate) mod create;
pub use create::code_name;
pub use design::longer_names;
pub(crate) mod data;
pub(crate) mod declared;
pub(crate) mod design;
mod general;
pub(crate) mod graph;
pub(crate) mod graph_cpp;
mod handlers;
pub(crate) mod host;
pub(crate) mod ignore;
pub(crate) mod instances;
mod kept;
pub(crate) mod kernels;
pub(crate) mod library;
mod links;
mod parameters;
pub(crate) mod place;
pub(crate) mod project;
pub(crate) mod readme;
pub(crate) mod routes;
pub(crate) mod stub;
mod stub_packets;
mod texts;
mod ways;

use aiec_ir::expanded::{Expanded, PortRole};
use aiec_ir::{FamilyId, PortId};

pub(crate) use crate::context::{Context, FileData, Place, Traffic, UsedExternal, with_indices};

/// True if port `number` of a family is async in any of its kernels. The kernels share a source,
/// where a buffer's type states it.
pub(crate) fn is_async_in_family(design: &Expanded, family: FamilyId, number: u32) -> bool {
    ports_in_family(design, family, number).any(|port| design.ports[port].asynchronous)
}

/// Port `number` of each kernel of a family.
pub(crate) fn ports_in_family(
    design: &Expanded,
    family: FamilyId,
    number: u32,
) -> impl Iterator<Item = PortId> {
    let kernels = design.kernels.enumerate().filter(move |(_, kernel)| kernel.family == family);
    let ports = kernels.flat_map(|(id, _)| design.ports_of(id));
    ports.filter(move |&port| matches!(design.ports[port].role, PortRole::User(at) if at == number))
}
