//! References to selections: which instances `pe[0][2..4]` means.

use aiec_diag::Span;
use aiec_dsl::ast::{Expr, Index, Reference};
use aiec_ir::design::{Instance, Node};

use crate::errors;
use crate::lower::Context;
use crate::names::Symbol;

/// Instances as one range per dimension, before they are listed.
#[derive(Clone, Debug)]
pub struct Shape {
    /// The node whose instances are selected.
    pub node: Node,
    /// First index and one past the last, per dimension; never empty.
    ranges: Vec<(u32, u32)>,
    /// Extents of the family.
    dims: Vec<u32>,
}

impl Shape {
    /// Number of instances.
    pub fn count(&self) -> u64 {
        self.ranges.iter().map(|(from, to)| u64::from(to - from)).product()
    }

    /// The row-major indices, in order.
    pub fn instances(&self) -> Vec<u32> {
        let mut indices = vec![0];
        for ((from, to), extent) in self.ranges.iter().zip(&self.dims) {
            indices =
                indices.iter().flat_map(|base| (*from..*to).map(move |at| base * extent + at)).collect();
        }
        indices
    }
}

impl Context<'_> {
    /// The node that a reference names. A number is an error.
    pub fn node(&mut self, reference: &Reference, wanted: &str) -> Option<Node> {
        let (name, span) = (reference.name.value.as_str(), reference.name.span);
        if self.variables.iter().any(|(variable, _)| variable.value == name) {
            self.report(errors::wrong_kind(span, name, "a loop variable", wanted));
            return None;
        }
        match self.scope.find(name) {
            Some(Symbol::Node(node)) => Some(node),
            Some(symbol) => {
                self.report(errors::wrong_kind(span, name, symbol.kind(), wanted));
                None
            }
            None => {
                let close = self.scope.nearest(name, |symbol| symbol != Symbol::Constant);
                let declare = format!("declare it: `kernel {name} {{ source \"kernels/{name}.cc\" }}`");
                let what = wanted.trim_start_matches("a ").trim_start_matches("an ");
                let diagnostic = errors::unknown_name(span, name, what, close, &declare);
                self.report(diagnostic);
                None
            }
        }
    }

    /// The extents and the declaration of a node.
    pub fn declaration(&self, node: Node) -> (Vec<u32>, Span) {
        match node {
            Node::Family(id) => self.families.get(id).map(|f| (f.dims.clone(), f.span)),
            Node::External(id) => self.externals.get(id).map(|e| (e.dims.clone(), e.span)),
            Node::Collective(id) => self.collective_spans.get(id.index()).map(|span| (Vec::new(), *span)),
        }
        .unwrap_or_else(|| (Vec::new(), Span::new(aiec_diag::SourceId(0), 0, 0)))
    }

    /// The name's declaration, shortened to the name.
    pub fn name_span(&self, reference: &Reference, declared: Span) -> Span {
        self.scope.declared_at(&reference.name.value).unwrap_or(declared)
    }

    /// The instances of `node` that the indices of `reference` select.
    pub fn shape(&mut self, reference: &Reference, node: Node) -> Option<Shape> {
        let (dims, declared) = self.declaration(node);
        let declared = self.name_span(reference, declared);
        let name = reference.name.value.as_str();
        if self.failed.contains(&node) {
            return None;
        }
        if reference.indices.is_empty() {
            let ranges = dims.iter().map(|&extent| (0, extent)).collect();
            return Some(Shape { node, ranges, dims });
        }
        if reference.indices.len() != dims.len() {
            let given = reference.indices.len();
            self.report(errors::index_count(reference.span, name, given, dims.len(), declared));
            return None;
        }
        let ranges: Vec<Option<(u32, u32)>> = reference
            .indices
            .iter()
            .zip(&dims)
            .map(|(index, &extent)| self.range(index, name, extent, declared))
            .collect();
        let ranges = ranges.into_iter().collect::<Option<Vec<_>>>()?;
        Some(Shape { node, ranges, dims })
    }

    /// First index and one past the last of `name`, which has `extent` instances or ports.
    pub fn range(&mut self, index: &Index, name: &str, extent: u32, declared: Span) -> Option<(u32, u32)> {
        match index {
            Index::At(expr) => {
                let value = self.value(expr)?;
                let index = u32::try_from(value).ok().filter(|&index| index < extent);
                if index.is_none() {
                    self.report(errors::index_out_of_range(expr.span, name, value, extent, declared));
                }
                index.map(|index| (index, index + 1))
            }
            Index::Range { from, to, span } => {
                let from = self.bound(from.as_ref(), 0);
                let to = self.bound(to.as_ref(), extent.into());
                let (from, to) = (from?, to?);
                match (u32::try_from(from), u32::try_from(to)) {
                    (Ok(first), Ok(end)) if first < end && end <= extent => Some((first, end)),
                    _ => {
                        self.report(errors::bad_range(*span, name, from, to, extent, declared));
                        None
                    }
                }
            }
        }
    }

    fn bound(&mut self, expr: Option<&Expr>, otherwise: i64) -> Option<i64> {
        expr.map_or(Some(otherwise), |expr| self.value(expr))
    }

    /// Kernels selected by a reference without a port.
    pub fn kernels(&mut self, reference: &Reference) -> Option<Shape> {
        let node = self.node(reference, "a kernel")?;
        let kind = Symbol::Node(node).kind();
        if !matches!(node, Node::Family(_)) {
            self.report(errors::wrong_kind(reference.name.span, &reference.name.value, kind, "a kernel"));
            return None;
        }
        if let Some(port) = &reference.port {
            self.report(errors::no_port_here(port.span, &reference.name.value, kind));
            return None;
        }
        self.shape(reference, node)
    }

    /// The one kernel selected by a reference.
    pub fn one_kernel(&mut self, reference: &Reference, purpose: &str) -> Option<Instance> {
        let shape = self.kernels(reference)?;
        if shape.count() != 1 {
            let name = &reference.name.value;
            self.report(errors::one_kernel_needed(reference.span, name, shape.count(), purpose));
            return None;
        }
        instances(&shape, reference.span).next()
    }
}

/// The kernels of a shape that was selected from a family.
pub fn instances(shape: &Shape, span: Span) -> impl Iterator<Item = Instance> + use<> {
    let family = match shape.node {
        Node::Family(family) => Some(family),
        Node::External(_) | Node::Collective(_) => None,
    };
    shape.instances().into_iter().filter_map(move |index| Some(Instance { family: family?, index, span }))
}
