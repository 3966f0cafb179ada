//! References to selections: which instances `pe[0][2..4]` means.

use aiec_diag::Span;
use aiec_dsl::ast::{Expr, Index, Reference};
use aiec_ir::design::{Instance, Node};

use crate::errors;
use crate::lower::Context;
use crate::names::Symbol;

/// Indices of one dimension: never empty.
#[derive(Clone, Copy, Debug)]
pub struct Range {
    /// First index.
    from: u32,
    /// One past the last index that may be taken.
    to: u32,
    /// From one index to the next, at least 1.
    step: u32,
}

impl Range {
    fn count(self) -> u32 {
        (self.to - self.from).div_ceil(self.step)
    }

    /// The indices, in order.
    pub fn indices(self) -> impl Iterator<Item = u32> {
        (self.from..self.to).step_by(self.step as usize)
    }
}

/// Instances as one range per dimension, before they are listed.
#[derive(Clone, Debug)]
pub struct Shape {
    /// The node whose instances are selected.
    pub node: Node,
    /// Indices per dimension.
    ranges: Vec<Range>,
    /// Extents of the family.
    dims: Vec<u32>,
}

impl Shape {
    /// Number of instances.
    pub fn count(&self) -> u64 {
        self.ranges.iter().map(|range| u64::from(range.count())).product()
    }

    /// The row-major indices, in order.
    pub fn instances(&self) -> Vec<u32> {
        let mut indices = vec![0];
        for (range, extent) in self.ranges.iter().zip(&self.dims) {
            let within = |base: &u32| {
                let start = base * extent;
                range.indices().map(move |at| start + at)
            };
            indices = indices.iter().flat_map(within).collect();
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
                if self.written.find(name).is_some() {
                    self.report(errors::not_taken(span, name, self.written.declared_at(name)));
                    return None;
                }
                let is_node = |symbol| matches!(symbol, Symbol::Node(_));
                let close = self.scope.nearest(name, is_node);
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
            let ranges = dims.iter().map(|&extent| Range { from: 0, to: extent, step: 1 }).collect();
            return Some(Shape { node, ranges, dims });
        }
        if reference.indices.len() != dims.len() {
            let given = reference.indices.len();
            self.report(errors::index_count(reference.span, name, given, dims.len(), declared));
            return None;
        }
        let ranges: Vec<Option<Range>> = reference
            .indices
            .iter()
            .zip(&dims)
            .map(|(index, &extent)| self.range(index, name, extent, declared))
            .collect();
        let ranges = ranges.into_iter().collect::<Option<Vec<_>>>()?;
        Some(Shape { node, ranges, dims })
    }

    /// The indices that `index` selects of `name`, which has `extent` instances or ports.
    pub fn range(&mut self, index: &Index, name: &str, extent: u32, declared: Span) -> Option<Range> {
        match index {
            Index::At(expr) => {
                let value = self.value(expr)?;
                let index = u32::try_from(value).ok().filter(|&index| index < extent);
                if index.is_none() {
                    self.report(errors::index_out_of_range(expr.span, name, value, extent, declared));
                }
                index.map(|index| Range { from: index, to: index + 1, step: 1 })
            }
            Index::Range { from, to, step, span } => {
                let step = step.as_ref().map_or(Some(1), |step| self.number(step, "the step of a range", 1));
                let from = self.bound(from.as_ref(), 0);
                let to = self.bound(to.as_ref(), extent.into());
                let (from, to, step) = (from?, to?, step?);
                match (u32::try_from(from), u32::try_from(to)) {
                    (Ok(first), Ok(end)) if first < end && end <= extent => {
                        Some(Range { from: first, to: end, step })
                    }
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
