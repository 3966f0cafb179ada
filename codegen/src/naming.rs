//! Names by which location constraints reach the parts of a graph.

use std::collections::BTreeSet;

use aiec_ir::{ExternalId, KernelId, PortId};

use crate::context::Context;

/// The graph that location constraints are for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Naming<'a> {
    /// The graph that aiec emits.
    #[default]
    Emitted,
    /// A graph that is there already. The names of kernels, inputs and outputs in the design are
    /// paths of members of its class.
    Members {
        /// The name of the graph object, with which hierarchical names begin; empty where the names
        /// have it.
        object: &'a str,
        /// Names of kernels, inputs and outputs that are no members of the class.
        loose: &'a BTreeSet<String>,
    },
}

impl Naming<'_> {
    /// The member of a kernel, such as `worker[3]`.
    pub(crate) fn kernel(self, context: &Context<'_>, kernel: KernelId) -> String {
        match self {
            Self::Emitted => context.kernel(kernel),
            Self::Members { .. } => context.design.kernels[kernel].name.clone(),
        }
    }

    /// A port of a kernel, such as `worker[3].in[0]`.
    pub(crate) fn port(self, context: &Context<'_>, port: PortId) -> String {
        let entry = &context.design.ports[port];
        match (self, context.design.kernel_of(port)) {
            (Self::Members { .. }, Some(kernel)) => {
                format!("{}.{}[{}]", context.design.kernels[kernel].name, entry.list(), entry.slot)
            }
            _ => context.port(port),
        }
    }

    /// The member of an input or output.
    pub(crate) fn external(self, context: &Context<'_>, external: ExternalId) -> String {
        match self {
            Self::Emitted => context.names.external(external),
            Self::Members { .. } => context.design.externals[external].name.clone(),
        }
    }

    /// The logical name of an input or output.
    pub(crate) fn logical(self, context: &Context<'_>, external: ExternalId) -> String {
        match self {
            Self::Emitted => context.names.logical[external].clone(),
            Self::Members { .. } => context.design.externals[external].logical.clone(),
        }
    }

    /// The hierarchical name of a member, as constraint files spell it.
    pub(crate) fn hierarchical(self, context: &Context<'_>, member: &str) -> String {
        match self {
            Self::Emitted => context.hierarchical(member),
            Self::Members { object: "", .. } => member.to_owned(),
            Self::Members { object, .. } => format!("{object}.{member}"),
        }
    }

    /// True for a name that the constructor of the graph's class cannot spell.
    pub(crate) fn is_loose(self, name: &str) -> bool {
        match self {
            Self::Emitted => false,
            Self::Members { object, loose } => object.is_empty() || loose.contains(name),
        }
    }
}
