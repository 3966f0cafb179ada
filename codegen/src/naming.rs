//! Names by which location constraints reach the parts of a graph.

use aiec_ir::{ExternalId, KernelId, PortId};

use crate::context::Context;

/// The graph that location constraints are for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Naming<'a> {
    /// The graph that aiec emits.
    #[default]
    Emitted,
    /// A graph that is there already. The names of kernels, inputs and outputs in the design are
    /// paths of members of its class, and the identifiers of inputs and outputs their logical
    /// names. The text is the name of the graph object, with which hierarchical names begin.
    Members(&'a str),
}

impl Naming<'_> {
    /// The member of a kernel, such as `worker[3]`.
    pub(crate) fn kernel(self, context: &Context<'_>, kernel: KernelId) -> String {
        match self {
            Self::Emitted => context.kernel(kernel),
            Self::Members(_) => context.design.kernels[kernel].name.clone(),
        }
    }

    /// A port of a kernel, such as `worker[3].in[0]`.
    pub(crate) fn port(self, context: &Context<'_>, port: PortId) -> String {
        let entry = &context.design.ports[port];
        match (self, context.design.kernel_of(port)) {
            (Self::Members(_), Some(kernel)) => {
                format!("{}.{}[{}]", context.design.kernels[kernel].name, entry.list(), entry.slot)
            }
            _ => context.port(port),
        }
    }

    /// The member of an input or output.
    pub(crate) fn external(self, context: &Context<'_>, external: ExternalId) -> String {
        match self {
            Self::Emitted => context.names.external(external),
            Self::Members(_) => context.design.externals[external].name.clone(),
        }
    }

    /// The logical name of an input or output.
    pub(crate) fn logical(self, context: &Context<'_>, external: ExternalId) -> String {
        match self {
            Self::Emitted => context.names.logical[external].clone(),
            Self::Members(_) => context.design.externals[external].identifier.clone(),
        }
    }

    /// The hierarchical name of a member, as constraint files spell it.
    pub(crate) fn hierarchical(self, context: &Context<'_>, member: &str) -> String {
        match self {
            Self::Emitted => context.hierarchical(member),
            Self::Members(graph) => format!("{graph}.{member}"),
        }
    }
}
