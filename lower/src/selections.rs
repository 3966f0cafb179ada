//! References to selections: which instances `pe[0][2..4]` means.

use aiec_diag::{Span, nearest};
use aiec_dsl::ast::{Expr, ExprKind, Ident, Index, Part, Reference};
use aiec_ir::design::{Family, Instance, Node, UserPort};
use aiec_ir::{FamilyId, SubgraphId};

use crate::components::GroupId;
use crate::errors;
use crate::lower::Context;
use crate::names::{Scope, Symbol};

/// Indices of one dimension: never empty, but for ends of connections.
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
    /// Number of instances that the ranges select.
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

/// The end of a reference: a name at one level, with the indices behind it.
#[derive(Clone, Copy, Debug)]
pub struct Target<'r> {
    /// The instance of a component in which the name is looked up. None when it is looked up in the
    /// design.
    pub within: Option<SubgraphId>,
    /// The name that is looked up.
    pub name: &'r Ident,
    /// The expressions in brackets behind it.
    pub indices: &'r [Index],
    /// The name behind it, where there is one.
    pub port: Option<&'r Ident>,
    /// The indices behind that.
    pub port_indices: &'r [Index],
    /// Source location of the whole reference.
    pub span: Span,
}

/// A name with indices behind it.
struct Indexed<'a> {
    indices: &'a [Index],
    name: &'a str,
    /// The place of the reference.
    span: Span,
    /// The place of the declaration.
    declared: Span,
    /// The first byte behind the brackets, if nothing but brackets is in front of it.
    end: Option<u32>,
}

impl Indexed<'_> {
    /// The place behind the last index, in front of its bracket.
    fn behind_last(&self) -> Option<Span> {
        let last = match self.indices.last()? {
            Index::At(expr) => expr.span,
            Index::Range { span, .. } => *span,
        };
        (self.end == Some(last.end + 1)).then(|| last.behind())
    }
}

impl Context<'_> {
    /// The names of a level.
    fn scope_of(&self, level: Option<SubgraphId>) -> Option<&Scope> {
        if level == self.at.subgraph {
            return Some(&self.at.scope);
        }
        // A reference leads inwards only.
        self.interiors.get(level?)?.as_ref().map(|interior| &interior.scope)
    }

    /// The meaning of `name` at a level.
    pub fn symbol(&self, level: Option<SubgraphId>, name: &str) -> Option<Symbol> {
        self.scope_of(level)?.find(name)
    }

    /// The ends of a reference, one for each instance of a component that it leads into.
    pub fn targets<'r>(&mut self, reference: &'r Reference) -> Option<Vec<Target<'r>>> {
        let mut levels = vec![self.at.subgraph];
        let mut parts = reference.parts.as_slice();
        while let [part, rest @ ..] = parts
            && !rest.is_empty()
            && let Some(Symbol::Group(_)) = levels.first().and_then(|&at| self.symbol(at, &part.name.value))
        {
            let mut next = Vec::new();
            for &level in &levels {
                next.extend(self.members(level, part)?.into_iter().map(Some));
            }
            (levels, parts) = (next, rest);
            if levels.is_empty() {
                return Some(Vec::new());
            }
        }
        let (part, port) = match parts {
            [part] => (part, None),
            [part, port] => (part, Some(port)),
            [part, ..] => {
                let name = &part.name;
                let kind = self.symbol(*levels.first()?, &name.value).map_or("unknown", Symbol::kind);
                self.report(errors::wrong_kind(name.span, &name.value, kind, "an instance of a component"));
                return None;
            }
            [] => return None,
        };
        let target = |within| Target {
            within,
            name: &part.name,
            indices: &part.indices,
            port: port.map(|port| &port.name),
            port_indices: port.map_or(&[], |port| &port.indices),
            span: reference.span,
        };
        Some(levels.into_iter().map(target).collect())
    }

    /// The instances of a component that `part` selects at a level.
    pub fn members(&mut self, level: Option<SubgraphId>, part: &Part) -> Option<Vec<SubgraphId>> {
        let name = &part.name;
        let (group, declared) = match self.symbol(level, &name.value) {
            Some(Symbol::Group(group)) => (group, self.scope_of(level)?.declared_at(&name.value)),
            _ => {
                self.report(errors::wrong_kind(name.span, &name.value, "something else", "an instance"));
                return None;
            }
        };
        let (dims, members) = (self.groups.get(group)?.dims.clone(), self.groups.get(group)?.members.clone());
        if members.is_empty() {
            return None; // reported
        }
        let span = part_span(part);
        let declared = declared.unwrap_or(span);
        let ranges = self.ranges(
            &Indexed { indices: &part.indices, name: &name.value, span, declared, end: None },
            &dims,
        )?;
        let selected = Shape { node: Node::Family(FamilyId(0)), ranges, dims }.instances();
        let at = |index: u32| members.get(index as usize).copied();
        selected.into_iter().map(at).collect()
    }

    /// The node that a reference names. A number is an error.
    pub fn node(&mut self, target: &Target<'_>, wanted: &str) -> Option<Node> {
        let (name, span) = (target.name.value.as_str(), target.name.span);
        let is_own = target.within == self.at.subgraph;
        if is_own && self.at.variables.iter().any(|(variable, _)| variable.value == name) {
            self.report(errors::wrong_kind(span, name, "a loop variable", wanted));
            return None;
        }
        if self.scope_of(target.within).is_some_and(|scope| scope.is_ambiguous(name)) {
            return None; // reported
        }
        match self.symbol(target.within, name) {
            Some(Symbol::Node(node)) => Some(node),
            Some(Symbol::Group(group)) => {
                self.instance_needs_name(group, span, name, wanted);
                None
            }
            Some(symbol) => {
                self.report(errors::wrong_kind(span, name, symbol.kind(), wanted));
                None
            }
            None => {
                self.unknown_node(target, wanted);
                None
            }
        }
    }

    /// Reports a name that nothing declares where it is looked for.
    fn unknown_node(&mut self, target: &Target<'_>, wanted: &str) {
        let (name, span) = (target.name.value.as_str(), target.name.span);
        let is_node = |symbol| matches!(symbol, Symbol::Node(_) | Symbol::Port(_));
        let close = self.scope_of(target.within).and_then(|scope| scope.nearest(name, is_node));
        let inside = target.within.filter(|_| target.within != self.at.subgraph);
        let diagnostic = if let Some(instance) = inside {
            let component = self.subgraphs.get(instance).map_or("", |of| &of.component);
            let ports = self.ports_of(instance);
            // A kernel inside is an end of a connection with its port alone.
            let (close, kernel) = match target.port {
                None if !ports.is_empty() && wanted != errors::KERNEL => {
                    let all = ports.iter().copied().chain(close);
                    let near = nearest(name, all);
                    near.map_or((None, None), |near| {
                        if ports.contains(&near) { (Some(near), None) } else { (None, Some(near)) }
                    })
                }
                _ => (close, None),
            };
            errors::unknown_inside(span, component, name, &ports, close, kernel)
        } else if target.within == self.at.subgraph && self.at.written.find(name).is_some() {
            errors::not_taken(span, name, self.at.written.declared_at(name))
        } else {
            let declare = match wanted {
                errors::EXTERNAL => {
                    format!("declare it: `input {name} from gmio` or `output {name} to gmio`")
                }
                _ => format!("declare it: `kernel {name} {{ source \"kernels/{name}.cc\" }}`"),
            };
            let what = wanted.trim_start_matches("a ").trim_start_matches("an ");
            errors::unknown_name(span, name, what, close, &declare)
        };
        self.report(diagnostic);
    }

    /// Reports an instance of a component where one of its kernels or ports is needed.
    fn instance_needs_name(&mut self, group: GroupId, span: Span, name: &str, wanted: &str) {
        let Some(&first) = self.groups.get(group).and_then(|group| group.members.first()) else {
            return; // reported
        };
        let diagnostic = match wanted {
            errors::KERNEL => {
                let families = self.subgraphs.get(first).map_or(&[][..], |instance| &instance.families);
                let families = families.iter().filter_map(|&id| self.families.get(id));
                let kernels: Vec<&str> = families.map(Family::local).collect();
                errors::instance_as_node(span, name, wanted, "kernels", &kernels)
            }
            _ => errors::instance_as_node(span, name, wanted, "ports or kernels", &self.ports_of(first)),
        };
        self.report(diagnostic);
    }

    /// The names of the ports of an instance, as declared.
    fn ports_of(&self, instance: SubgraphId) -> Vec<&str> {
        let interior = self.interiors.get(instance).and_then(Option::as_ref);
        let ports = interior.map_or(&[][..], |interior| &interior.ports);
        let mut names: Vec<&str> = ports.iter().map(UserPort::declared_name).collect();
        names.dedup();
        names
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
    pub fn name_span(&self, target: &Target<'_>, declared: Span) -> Span {
        let scope = self.scope_of(target.within);
        scope.and_then(|scope| scope.declared_at(&target.name.value)).unwrap_or(declared)
    }

    /// The instances of `node` that the indices of `target` select.
    pub fn shape(&mut self, target: &Target<'_>, node: Node) -> Option<Shape> {
        let (dims, declared) = self.declaration(node);
        let declared = self.name_span(target, declared);
        if self.failed.contains(&node) {
            return None;
        }
        let (name, span) = (target.name.value.as_str(), target.span);
        let end = Some(target.port.map_or(span.end, |port| port.span.start.saturating_sub(1)));
        let ranges = self.ranges(&Indexed { indices: target.indices, name, span, declared, end }, &dims)?;
        Some(Shape { node, ranges, dims })
    }

    /// The indices that a reference selects of something with the extents `dims`.
    fn ranges(&mut self, indexed: &Indexed<'_>, dims: &[u32]) -> Option<Vec<Range>> {
        let &Indexed { indices, name, span, declared, .. } = indexed;
        if indices.is_empty() {
            return Some(dims.iter().map(|&extent| Range { from: 0, to: extent, step: 1 }).collect());
        }
        if indices.len() != dims.len() {
            let fault = errors::index_count(span, name, indices.len(), dims.len(), declared);
            let missing = dims.len().saturating_sub(indices.len());
            let place = indexed.behind_last().filter(|_| missing > 0);
            let title = format!("write `{}` behind it", "[..]".repeat(missing));
            self.report(fault.fix(title, place.map(|place| (place, "][..".repeat(missing)))));
            return None;
        }
        let ranges: Vec<Option<Range>> = (indices.iter().zip(dims))
            .map(|(index, &extent)| self.range(index, name, extent, declared))
            .collect();
        ranges.into_iter().collect()
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
                // Both bounds as numbers are a slip of the pen.
                let is_number =
                    |bound: &Option<Expr>| matches!(bound, Some(Expr { kind: ExprKind::Int(_), .. }));
                let is_fixed = (from.is_none() || is_number(from)) && is_number(to);
                let may_be_empty = self.may_be_empty && !is_fixed;
                let step = step.as_ref().map_or(Some(1), |step| self.number(step, "the step of a range", 1));
                let from = self.bound(from.as_ref(), 0);
                let to = self.bound(to.as_ref(), extent.into());
                let (from, to, step) = (from?, to?, step?);
                match (u32::try_from(from), u32::try_from(to)) {
                    (Ok(first), Ok(end))
                        if (first < end || first == end && may_be_empty) && end <= extent =>
                    {
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
    pub fn kernels(&mut self, reference: &Reference) -> Option<Vec<Shape>> {
        let targets = self.targets(reference)?;
        targets.iter().map(|target| self.kernels_at(target)).collect()
    }

    fn kernels_at(&mut self, target: &Target<'_>) -> Option<Shape> {
        let node = self.node(target, errors::KERNEL)?;
        let kind = Symbol::Node(node).kind();
        if !matches!(node, Node::Family(_)) {
            self.report(errors::wrong_kind(target.name.span, &target.name.value, kind, errors::KERNEL));
            return None;
        }
        if let Some(port) = target.port {
            self.report(errors::no_port_here(port.span, &target.name.value, kind));
            return None;
        }
        self.shape(target, node)
    }

    /// The one kernel selected by a reference.
    pub fn one_kernel(&mut self, reference: &Reference, purpose: &str) -> Option<Instance> {
        let shapes = self.kernels(reference)?;
        if count(&shapes) != 1 {
            let extents = shapes.first().map_or(1, |shape| shape.dims.len());
            let name = (last_name(reference), extents);
            self.report(errors::one_kernel_needed(reference.span, name, count(&shapes), purpose));
            return None;
        }
        instances(&shapes, reference.span).next()
    }
}

/// The last name of a reference.
pub fn last_name(reference: &Reference) -> &str {
    reference.parts.last().map_or("", |part| part.name.value.as_str())
}

/// The place of a name with its indices.
fn part_span(part: &Part) -> Span {
    let last = part.indices.last().map(|index| match index {
        Index::At(expr) => expr.span,
        Index::Range { span, .. } => *span,
    });
    last.map_or(part.name.span, |last| part.name.span.to(last))
}

/// Number of instances in several selections.
pub fn count(shapes: &[Shape]) -> u64 {
    shapes.iter().fold(0, |sum, shape| sum.saturating_add(shape.count()))
}

/// The kernels of shapes that were selected from families.
pub fn instances(shapes: &[Shape], span: Span) -> impl Iterator<Item = Instance> + use<> {
    let all: Vec<Instance> = shapes.iter().flat_map(|shape| kernels_of(shape, span)).collect();
    all.into_iter()
}

fn kernels_of(shape: &Shape, span: Span) -> Vec<Instance> {
    let Node::Family(family) = shape.node else { return Vec::new() };
    shape.instances().into_iter().map(|index| Instance { family, index, span }).collect()
}
