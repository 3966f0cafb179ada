//! Names by which location constraints reach the parts of a graph.

use std::collections::{BTreeMap, BTreeSet};

use aiec_ir::expanded::Owner;
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
        /// Members that are kernels, by the kernels' names in the design, where the two differ.
        called: &'a BTreeMap<String, String>,
        /// Names of kernels, inputs and outputs that are no members of the class.
        loose: &'a BTreeSet<String>,
        /// Names of the ports of kernels in programmable logic.
        of_logic: &'a BTreeSet<String>,
        /// Names of kernels, inputs, outputs and ports for which no name in constraint files is
        /// known, each with the reason.
        unnamed: &'a BTreeMap<String, &'static str>,
        /// The members that are tables, by the port of their first reader, such as `k.param[0]`.
        tables: &'a BTreeMap<String, String>,
        /// `objects` of `aiec_adf::Adopted`.
        objects: &'a BTreeSet<String>,
        /// Names of members that the class cannot reach, each with the reason.
        hidden: &'a BTreeMap<String, String>,
        /// Names of tuples; those of their elements end as those of an array's do.
        tuples: &'a BTreeSet<String>,
        /// The object of these for whose class the names are; empty for whole names.
        inside: &'a str,
        /// Statements of the graph that the design does not hold.
        left_out: &'a [String],
    },
}

impl<'a> Naming<'a> {
    /// The member of a kernel, such as `worker[3]`.
    pub(crate) fn kernel(self, context: &Context<'_>, kernel: KernelId) -> String {
        match self {
            Self::Emitted => context.kernel(kernel),
            Self::Members { called, .. } => {
                let name = &context.design.kernels[kernel].name;
                self.member(called.get(name).unwrap_or(name))
            }
        }
    }

    /// A port of a kernel, input or output, such as `worker[3].in[0]`.
    pub(crate) fn port(self, context: &Context<'_>, port: PortId) -> String {
        let entry = &context.design.ports[port];
        let Self::Members { tables, .. } = self else { return context.port(port) };
        let owner = match entry.owner {
            Owner::Kernel(kernel) => self.kernel(context, kernel),
            Owner::External(external) => self.external(context, external),
        };
        match tables.get(&context.design.port_name(port)) {
            Some(table) if context.design.is_table(port) => self.member(table),
            _ if context.design.is_table(port) => format!("{owner}.{}", entry.name),
            _ => format!("{owner}.{}[{}]", entry.list(), entry.slot),
        }
    }

    /// The C++ for a name in the object `graph`: elements of tuples are reached by `std::get`.
    pub(crate) fn reached(self, name: &str) -> String {
        let Self::Members { tuples, inside, .. } = self else { return format!("graph.{name}") };
        let local = |tuple: &'a String| match inside {
            "" => Some(tuple.as_str()),
            _ => tuple.strip_prefix(inside)?.strip_prefix('.'),
        };
        let element = |tuple: &'a str| {
            let (number, rest) = name.strip_prefix(tuple)?.strip_prefix('[')?.split_once(']')?;
            Some((tuple, number, rest))
        };
        match tuples.iter().filter_map(local).filter_map(element).max_by_key(|(tuple, ..)| tuple.len()) {
            Some((tuple, number, rest)) => format!("std::get<{number}>({}){rest}", self.reached(tuple)),
            None => format!("graph.{name}"),
        }
    }

    /// The member of an input or output.
    pub(crate) fn external(self, context: &Context<'_>, external: ExternalId) -> String {
        match self {
            Self::Emitted => context.names.external(external),
            Self::Members { .. } => self.member(&context.design.externals[external].name),
        }
    }

    /// The logical name of an input or output.
    pub(crate) fn logical(self, context: &Context<'_>, external: ExternalId) -> String {
        match self {
            Self::Emitted => context.names.logical[external].clone(),
            Self::Members { .. } => context.design.externals[external].logical.clone(),
        }
    }

    /// The name of an input or output in constraint files. Returns None when it is the port of a
    /// kernel in programmable logic, which has no name there.
    pub(crate) fn node(self, context: &Context<'_>, external: ExternalId) -> Option<String> {
        let name = &context.design.externals[external].name;
        let is_node = match self {
            Self::Emitted => true,
            Self::Members { of_logic, .. } => !of_logic.contains(name),
        };
        is_node.then(|| self.logical(context, external))
    }

    /// The hierarchical name of a member, as constraint files spell it.
    pub(crate) fn hierarchical(self, context: &Context<'_>, member: &str) -> String {
        match self {
            Self::Emitted => context.hierarchical(member),
            Self::Members { object: "", .. } => member.to_owned(),
            Self::Members { object, .. } => format!("{object}.{member}"),
        }
    }

    /// A name as the class of the object spells it.
    fn member(self, name: &str) -> String {
        let Self::Members { inside, .. } = self else { return name.to_owned() };
        let local = name.strip_prefix(inside).and_then(|rest| rest.strip_prefix('.'));
        local.filter(|_| !inside.is_empty()).unwrap_or(name).to_owned()
    }

    /// The object of a whole name, if statements for its class stand in a section of their own.
    pub(crate) fn object_of(self, name: &str) -> Option<&'a str> {
        let Self::Members { object: "", objects, .. } = self else { return None };
        let (object, _) = name.split_once('.')?;
        objects.get(object).map(String::as_str)
    }

    /// The names for the class of one of several objects.
    pub(crate) fn inside(mut self, class: &'a str) -> Self {
        if let Self::Members { inside, .. } = &mut self {
            *inside = class;
        }
        self
    }

    /// Why no constraint has a name for this kernel, input, output or port. None when one has.
    pub(crate) fn unnamed(self, name: &str) -> Option<&'static str> {
        let Self::Members { unnamed, .. } = self else { return None };
        unnamed.get(name).copied()
    }

    /// Why the class cannot reach the member of this whole name. None when it can.
    pub(crate) fn hidden(self, name: &str) -> Option<&'a str> {
        let Self::Members { hidden, .. } = self else { return None };
        hidden.get(name).map(String::as_str)
    }

    /// The whole name of the member that is the table of a port.
    pub(crate) fn table(self, context: &Context<'_>, port: PortId) -> Option<&'a str> {
        let Self::Members { tables, .. } = self else { return None };
        let name = context.design.is_table(port).then(|| context.design.port_name(port))?;
        tables.get(&name).map(String::as_str)
    }

    /// Statements of the graph that the design does not hold.
    pub(crate) const fn left_out(self) -> &'a [String] {
        match self {
            Self::Emitted => &[],
            Self::Members { left_out, .. } => left_out,
        }
    }

    /// True for a whole name that no constructor of a graph's class can spell.
    pub(crate) fn is_loose(self, name: &str) -> bool {
        match self {
            Self::Emitted => false,
            Self::Members { object, loose, .. } => {
                loose.contains(name) || object.is_empty() && self.object_of(name).is_none()
            }
        }
    }
}
