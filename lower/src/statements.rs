//! Connections and loops.

mod agree;

use aiec_diag::{Diagnostic, Span, Spanned};
use aiec_dsl::ast::{self, ConnectEnd, ConnectProperty, Ident, Item, ItemKind};
use aiec_dsl::print_reference;
use aiec_ir::design::{Collective, Family, FarEnd, Node, Selection, UserPort};
use aiec_ir::expanded::SwitchKind;
use aiec_ir::{Buffering, Carries, Design, Direction, ExternalFamilyId, FamilyId, SubgraphId};

use crate::errors;
use crate::loops;
use crate::lower::Context;
use crate::names::{BoundaryPorts, Symbol};
use crate::selections::Target;
use crate::wires::{Fifo, Pick, Wire};

mod moved;

/// One side of a connection before its instances are listed: a list of references.
struct End {
    parts: Vec<Part>,
    span: Span,
}

/// A `connect` whose ends pair up.
pub struct Written {
    from: End,
    to: End,
    buffering: Buffering,
    fifo: Option<Box<Fifo>>,
    first: u32,
}

/// The ports that one reference names.
struct Part {
    chosen: Vec<Chosen>,
    asynchronous: bool,
    windows: Option<Spanned<u32>>,
    span: Span,
}

/// A side of a connection as written.
#[derive(Clone, Copy)]
struct Side<'a> {
    end: &'a ConnectEnd,
    /// The names of the reference at this end.
    target: &'a Target<'a>,
    /// The direction of the ports that can stand here.
    direction: Direction,
}

/// Ports of one node, or of one instance of a component.
enum Chosen {
    Ports { ports: Vec<u32>, shape: crate::selections::Shape },
    Boundary { subgraph: SubgraphId, ports: Vec<u32> },
}

impl End {
    fn chosen(&self) -> impl Iterator<Item = &Chosen> {
        self.parts.iter().flat_map(|part| &part.chosen)
    }

    /// Number of ports.
    fn count(&self) -> u64 {
        let count = |chosen: &Chosen| match chosen {
            Chosen::Ports { ports, shape } => shape.count() * ports.len() as u64,
            Chosen::Boundary { ports, .. } => ports.len() as u64,
        };
        self.chosen().map(count).sum()
    }

    fn picks(&self) -> Vec<Pick> {
        self.parts.iter().flat_map(Part::picks).collect()
    }
}

impl Part {
    fn picks(&self) -> Vec<Pick> {
        let pick = |chosen: &Chosen| match chosen {
            Chosen::Boundary { subgraph, ports } => Pick::Boundary(*subgraph, ports.clone()),
            Chosen::Ports { ports, shape } => Pick::Ports(Selection {
                node: shape.node,
                ports: ports.clone(),
                instances: shape.instances(),
                asynchronous: self.asynchronous,
                windows: self.windows.clone(),
                fifo: None,
                span: self.span,
            }),
        };
        self.chosen.iter().map(pick).collect()
    }
}

impl<'a> Context<'a> {
    /// Most statements that the loops of a design may expand to. Enough for connections and
    /// placements of all instances.
    pub const MAX_STEPS: u64 = 2 * Design::MAX_CONNECTIONS;

    /// Lowers a connection, a placement constraint or a loop.
    pub fn statement(&mut self, item: &'a Item) {
        if self.stopped || self.is_enough() {
            return;
        }
        match &item.kind {
            ItemKind::Connect(connect) => self.connect(connect, item.span),
            ItemKind::Place(place) => self.place(place, item.span),
            ItemKind::Region(region) => self.region(region, item.span),
            ItemKind::Together(kernels) => self.together(kernels, item.span),
            ItemKind::Apart(kernels) => self.apart(kernels, item.span),
            ItemKind::KeepOut(area) => self.keepout(area, item.span),
            ItemKind::For(body) => self.for_loop(body),
            ItemKind::If(choice) => {
                let taken = self.branch(choice).unwrap_or_default();
                self.steps = self.steps.saturating_add(taken.len() as u64);
                taken.iter().for_each(|item| self.statement(item));
            }
            ItemKind::Assert(assertion) => {
                self.assertion(assertion);
            }
            // Declarations are lowered before statements, and the grammar keeps them out of loops.
            _ => {}
        }
    }

    fn for_loop(&mut self, body: &'a ast::For) {
        let name = &body.variable;
        let outer = self.at.variables.iter().find(|(variable, _)| variable.value == name.value);
        if let Some(first) =
            outer.map(|(variable, _)| variable.span).or_else(|| self.at.scope.declared_at(&name.value))
        {
            self.report(errors::duplicate_name(&name.value, name.span, first));
            return;
        }
        let (from, to) = (self.value(&body.from), self.value(&body.to));
        let (Some(from), Some(to)) = (from, to) else { return };
        let rounds = (i128::from(to) - i128::from(from)).max(0);
        let steps = u64::try_from(rounds).unwrap_or(u64::MAX).saturating_mul(body.body.len().max(1) as u64);
        self.steps = self.steps.saturating_add(steps);
        let span = body.from.span.to(body.to.span);
        if self.steps > Self::MAX_STEPS {
            self.report(errors::loop_too_long(span, from, to, Self::MAX_STEPS));
            self.stopped = true;
            return;
        }
        let before = self.diagnostics.len();
        for value in from..to {
            self.at.variables.push((name, value));
            for item in &body.body {
                let first = self.diagnostics.len();
                self.statement(item);
                if self.diagnostics.len() > first && loops::uses(item, &name.value) {
                    self.diagnostics[first..]
                        .iter_mut()
                        .for_each(|fault| errors::in_round(fault, name, value));
                }
            }
            self.at.variables.pop();
            if self.steps > Self::MAX_STEPS && !self.stopped {
                self.report(errors::loop_too_long(span, from, to, Self::MAX_STEPS));
                self.stopped = true;
            }
            if self.diagnostics.len() > before || self.stopped {
                return; // the other rounds would say the same again
            }
        }
    }

    fn connect(&mut self, connect: &ast::Connect, span: Span) {
        let before = self.diagnostics.len();
        let Some(Written { from, to, buffering, fifo, first }) = self.written(connect) else {
            return self.offer_other_ends(connect, before);
        };
        let buffer = connect.properties.iter().find_map(|property| match &property.value {
            ConnectProperty::Buffer(word) => Some(word.span),
            ConnectProperty::Fifo(_) => None,
        });
        if to.count() == 0 {
            return; // both ends are empty, as a loop may have no rounds
        }
        if self.count_connections(from.count().max(to.count()), span) {
            self.wires.push(Wire {
                from: from.picks(),
                to: to.picks(),
                buffering,
                buffer,
                fifo,
                switch: connect.switch.as_ref().map(|switch| switch_kind(switch.value)),
                first,
                first_span: connect.first.as_ref().map(|first| first.span),
                level: self.at.subgraph,
                depth: self.chain.len(),
                span,
            });
        }
    }

    /// The ends and properties of a `connect`. Returns None after a fault, which it reports.
    pub fn written(&mut self, connect: &ast::Connect) -> Option<Written> {
        self.may_be_empty = true;
        let from = self.end(&connect.from, Direction::Out);
        let to = self.end(&connect.to, Direction::In);
        self.may_be_empty = false;
        let (buffering, fifo) = self.connect_properties(connect);
        let first = connect.first.as_ref().map_or(Some(0), |first| self.branch_number(first));
        let (from, to, buffering, first) = (from?, to?, buffering?, first?);
        if let Some(fault) = self.fault_of_ends(connect, &from, &to) {
            self.report(fault);
            return None;
        }
        let is_legal = connect.switch.is_some() || self.types_agree(connect, &from, &to);
        is_legal.then_some(Written { from, to, buffering, fifo, first })
    }

    /// Why two ends do not pair up.
    fn fault_of_ends(&self, connect: &ast::Connect, from: &End, to: &End) -> Option<Diagnostic> {
        let (producers, consumers) = (from.count(), to.count());
        let ends = || (Spanned::new(producers, from.span), Spanned::new(consumers, to.span));
        if producers == 0 || consumers == 0 {
            return (producers != consumers).then(|| errors::slice_mismatch(ends().0, ends().1));
        }
        let is_outside = |end: &End| {
            let external = |chosen: &Chosen| match chosen {
                Chosen::Ports { shape, .. } => matches!(shape.node, Node::External(_)),
                Chosen::Boundary { .. } => false,
            };
            end.chosen().all(external)
        };
        if is_outside(from) && is_outside(to) {
            return Some(errors::no_kernel_between(from.span, to.span));
        }
        if self.is_parameter(from, to) {
            // One buffer is for inputs of kernels (UG1079, "Buffer Allocation Control").
            let means_nothing = |property: &&Spanned<ConnectProperty>| {
                matches!(property.value, ConnectProperty::Fifo(_)) || is_outside(to)
            };
            if let Some(property) = connect.properties.iter().find(means_nothing) {
                return Some(errors::parameter_property(property.span, &property.value, from.span));
            }
        }
        let switch =
            connect.switch.as_ref().map(|switch| Spanned::new(switch_kind(switch.value), switch.span));
        let legal = match switch.as_ref().map(|switch| switch.value) {
            None => producers == consumers || producers == 1,
            Some(SwitchKind::Split) => producers == 1,
            Some(SwitchKind::Merge | SwitchKind::OrderedMerge) => consumers == 1,
        };
        (!legal).then(|| match switch {
            Some(switch) => errors::switch_ends(switch.span, switch.value, ends().0, ends().1),
            None => errors::slice_mismatch(ends().0, ends().1),
        })
    }

    /// True if one of the ends carries a run-time parameter.
    fn is_parameter(&self, from: &End, to: &End) -> bool {
        let is_host = |chosen: &Chosen| match chosen {
            Chosen::Ports { shape, .. } => match shape.node {
                Node::External(id) => {
                    self.externals.get(id).is_some_and(|external| matches!(external.end, FarEnd::Host(_)))
                }
                Node::Family(_) | Node::Collective(_) => false,
            },
            Chosen::Boundary { .. } => false,
        };
        [from, to].into_iter().flat_map(End::chosen).any(|chosen| {
            let mut ports = self.declared(chosen).into_iter();
            is_host(chosen) || ports.any(|port| matches!(port.carries, Carries::Parameter(_)))
        })
    }

    /// The declared ports at an end: those of a kernel or of a component.
    fn declared(&self, chosen: &Chosen) -> Vec<&UserPort> {
        let (all, ports): (&[UserPort], &[u32]) = match chosen {
            Chosen::Boundary { subgraph, ports } => {
                let interior = self.interiors.get(*subgraph).and_then(Option::as_ref);
                (interior.map_or(&[], |interior| &interior.ports), ports)
            }
            Chosen::Ports { ports, shape } => match shape.node {
                Node::Family(id) => (self.families.get(id).map_or(&[], |family| &family.ports), ports),
                Node::External(_) | Node::Collective(_) => (&[], ports),
            },
        };
        ports.iter().filter_map(|&at| all.get(at as usize)).collect()
    }

    /// The number of a branch of a split.
    fn branch_number(&mut self, number: &ast::Expr) -> Option<u32> {
        let most = u32::try_from(Design::MAX_CONNECTIONS).unwrap_or(u32::MAX);
        self.number_within(number, "the number of a branch", 0, most)
    }

    /// Buffers and FIFO words of a connection.
    fn connect_properties(&mut self, connect: &ast::Connect) -> (Option<Buffering>, Option<Box<Fifo>>) {
        let (mut buffer, mut fifo) = (None, None);
        for property in &connect.properties {
            match &property.value {
                ConnectProperty::Buffer(word) => self.once(&mut buffer, "buffer", word, property.span),
                ConnectProperty::Fifo(written) => self.once(&mut fifo, "fifo", written, property.span),
            }
        }
        let buffering = self.buffering(buffer.map(|word| word.value));
        let fifo = fifo.and_then(|written| self.fifo(&written)).map(Box::new);
        (buffering, fifo)
    }

    /// One side of a connection, which must go in `direction`.
    fn end(&mut self, ends: &[ConnectEnd], direction: Direction) -> Option<End> {
        let parts: Vec<Option<Part>> = ends.iter().map(|end| self.part(end, direction)).collect();
        let parts: Vec<Part> = parts.into_iter().collect::<Option<_>>()?;
        let span = parts.first()?.span.to(parts.last()?.span);
        Some(End { parts, span })
    }

    /// The ports of one reference of a side.
    fn part(&mut self, end: &ConnectEnd, direction: Direction) -> Option<Part> {
        let targets = self.targets(&end.reference)?;
        let mut chosen = Vec::new();
        let mut windows = None;
        for target in &targets {
            chosen.push(self.chosen_ports(Side { end, target, direction })?);
            if let (Some(written), None) = (&end.windows, &windows) {
                windows = Some(self.windows(end, written, chosen.last())?);
            }
        }
        Some(Part { chosen, asynchronous: end.asynchronous, windows, span: end.reference.span })
    }

    /// The ports that a target names.
    fn chosen_ports(&mut self, side: Side<'_>) -> Option<Chosen> {
        let target = side.target;
        if let Some(Symbol::Port(ports)) = self.symbol(target.within, &target.name.value) {
            return self.boundary_ports(side, ports);
        }
        let node = self.node(target, "a kernel, input or output")?;
        if let (Some(port), true) = (target.port, target.port_indices.len() > 1) {
            let (given, declared) = (target.port_indices.len(), port.span);
            self.report(errors::index_count(target.span, &port.value, given, 1, declared));
            return None;
        }
        let ports = match node {
            Node::Family(id) => self.kernel_ports(side, id)?,
            Node::External(id) => vec![self.external_port(side, id)?],
            Node::Collective(_) => vec![self.collective_port(side, node)?],
        };
        Some(Chosen::Ports { ports, shape: self.shape(target, node)? })
    }

    /// Ports of a component: inside, an input produces; outside, it consumes.
    fn boundary_ports(&mut self, side: Side<'_>, ports: BoundaryPorts) -> Option<Chosen> {
        let BoundaryPorts { first, count, is_array } = ports;
        let Side { end, target, direction } = side;
        let subgraph = target.within?;
        let interior = self.interiors.get(subgraph).and_then(Option::as_ref)?;
        let declared = interior.ports.get(first as usize)?.clone();
        if self.uncounted.contains(&declared.span) {
            return None;
        }
        let is_inside = target.within == self.at.subgraph;
        let (name, written) = (declared.declared_name().to_owned(), print_reference(&end.reference));
        let wanted = if is_inside == (direction == Direction::Out) { Direction::In } else { Direction::Out };
        if declared.direction != wanted {
            let diagnostic = errors::component_direction(end.reference.span, &written, &declared, is_inside);
            self.report(diagnostic);
            return None;
        }
        if end.asynchronous {
            let outside = self.subgraphs.get(subgraph).filter(|_| !is_inside);
            self.report(errors::async_component((end, &written), &declared, outside));
            return None;
        }
        if let Some(port) = target.port {
            self.report(errors::no_port_here(port.span, &name, "a port of the component"));
            return None;
        }
        let ports = match target.indices {
            [] => (first..first + count).collect(),
            [index] if is_array => {
                let range = self.range(index, &name, count, declared.span)?;
                range.indices().map(|at| first + at).collect()
            }
            more => {
                let dims = usize::from(is_array);
                self.report(errors::index_count(target.span, &name, more.len(), dims, declared.span));
                return None;
            }
        };
        Some(Chosen::Boundary { subgraph, ports })
    }

    /// Number of windows that a kernel acquires in one run. Only the code behind an asynchronous
    /// port of a kernel acquires windows.
    fn windows(
        &mut self,
        end: &ConnectEnd,
        windows: &ast::Expr,
        chosen: Option<&Chosen>,
    ) -> Option<Spanned<u32>> {
        if end.asynchronous {
            let number = self.number(windows, "the number of windows in one run", 1)?;
            return Some(Spanned::new(number, windows.span));
        }
        let name = print_reference(&end.reference);
        let node = match chosen {
            Some(Chosen::Ports { shape, .. }) => Some(shape.node),
            Some(Chosen::Boundary { .. }) | None => None,
        };
        self.report(match node {
            Some(Node::Family(_)) => errors::windows_of_sync_port(windows.span, end.reference.span, &name),
            Some(Node::External(_)) => errors::windows_of_external(windows.span, end.reference.span, &name),
            Some(Node::Collective(_)) => {
                errors::windows_of_collective(windows.span, end.reference.span, &name)
            }
            None => errors::windows_of_component(windows.span, end.reference.span, &name),
        });
        None
    }

    /// The ports of a kernel that an end names: one, or those of an array of ports.
    fn kernel_ports(&mut self, side: Side<'_>, id: FamilyId) -> Option<Vec<u32>> {
        let Side { end, target, direction } = side;
        let fits = |port: &UserPort| port.direction == direction;
        let family = self.families.get(id)?;
        let Some(port) = target.port else {
            let names = port_names(family, fits);
            let diagnostic = errors::port_needed(end.reference.span, &family.name, &names);
            self.report(diagnostic);
            return None;
        };
        let of = self.port_array(port, id, fits)?;
        let declared = self.families.get(id)?.ports.get(of.first as usize)?;
        if !fits(declared) {
            let declared = declared.clone();
            self.misdirected(end.reference.span, &of.name, &declared);
            return None;
        }
        if end.asynchronous && declared.carries.window().is_none() {
            let diagnostic = errors::async_port(end, &of.name, declared);
            self.report(diagnostic);
            return None;
        }
        self.selected_ports(target, &of)
    }

    /// The ports of either direction that a reference names: one, or those of an array of ports.
    pub fn ports_named(&mut self, target: &Target<'_>, id: FamilyId) -> Option<Vec<u32>> {
        let of = self.port_array(target.port?, id, |_| true)?;
        self.selected_ports(target, &of)
    }

    /// The declared ports called `port`. Reports an unknown name, with those that `fits` as
    /// choices.
    fn port_array(
        &mut self,
        port: &Ident,
        id: FamilyId,
        fits: impl Fn(&UserPort) -> bool,
    ) -> Option<PortArray> {
        let family = self.families.get(id)?;
        let found: Vec<(u32, &UserPort)> =
            (0..).zip(&family.ports).filter(|(_, declared)| declared.declared_name() == port.value).collect();
        let Some(&(first, declared)) = found.first() else {
            let names = port_names(family, fits);
            let close = aiec_diag::nearest(&port.value, names.iter().copied());
            let diagnostic = errors::unknown_port(port.span, &family.name, &port.value, &names, close);
            self.report(diagnostic);
            return None;
        };
        let name = format!("{}.{}", family.name, port.value);
        let is_array = declared.is_of_array();
        Some(PortArray { name, first, count: found.len(), span: declared.span, is_array })
    }

    /// The ports of an array that the index of a reference selects; all without an index.
    fn selected_ports(&mut self, target: &Target<'_>, of: &PortArray) -> Option<Vec<u32>> {
        let &PortArray { ref name, first, count, span, is_array } = of;
        if self.uncounted.contains(&span) {
            return None;
        }
        let Some(index) = target.port_indices.first() else {
            return Some((first..).take(count).collect());
        };
        if !is_array {
            self.report(errors::index_count(target.span, name, 1, 0, span));
            return None;
        }
        let range = self.range(index, name, u32::try_from(count).unwrap_or(u32::MAX), span)?;
        Some(range.indices().map(|at| first + at).collect())
    }

    fn external_port(&mut self, side: Side<'_>, id: ExternalFamilyId) -> Option<u32> {
        let Side { end, target, direction } = side;
        let external = self.externals.get(id)?;
        let (name, input) = (external.name.clone(), external.direction == Direction::Out);
        if external.direction != direction {
            let declared = self.name_span(target, external.span);
            let diagnostic = errors::wrong_direction(end.reference.span, &name, external.direction, declared);
            self.report(diagnostic);
            return None;
        }
        if let Some(port) = target.port {
            let kind = if input { "an input" } else { "an output" };
            self.report(errors::no_port_here(port.span, &name, kind));
            return None;
        }
        if end.asynchronous {
            self.report(errors::async_external(end, &name, input));
            return None;
        }
        Some(0)
    }

    fn collective_port(&mut self, side: Side<'_>, node: Node) -> Option<u32> {
        let Side { end, target, direction } = side;
        let (_, declared) = self.declaration(node);
        let declared = self.name_span(target, declared);
        let name = target.name.value.as_str();
        let ports = if self.has_result(node) { &Collective::PORTS[..] } else { &Collective::PORTS[1..] };
        let Some(port) = target.port else {
            self.report(errors::port_needed(end.reference.span, name, ports));
            return None;
        };
        let known = |name: &str| ports.contains(&name) && name == port.value;
        let Some((index, _)) = (0..).zip(Collective::PORTS).find(|(_, name)| known(name)) else {
            let close = aiec_diag::nearest(&port.value, ports.iter().copied());
            self.report(errors::unknown_port(port.span, name, &port.value, ports, close));
            return None;
        };
        if direction == Direction::In {
            let shown = format!("{name}.{}", port.value);
            self.report(errors::wrong_direction(end.reference.span, &shown, Direction::Out, declared));
            return None;
        }
        if end.asynchronous {
            self.report(errors::async_collective(end, &format!("{name}.{}", port.value)));
            return None;
        }
        self.cycles_declared(index, node, end.reference.span, declared).then_some(index)
    }
}

/// The names of those ports of a family that `fits`.
fn port_names(family: &Family, fits: impl Fn(&UserPort) -> bool) -> Vec<&str> {
    let fitting = family.ports.iter().filter(|port| fits(port));
    let mut names: Vec<&str> = fitting.map(UserPort::declared_name).collect();
    names.dedup();
    names
}

/// Declared ports with one name.
struct PortArray {
    /// The name, with that of the family.
    name: String,
    /// Index of the first in its family.
    first: u32,
    count: usize,
    /// Source location of the declaration.
    span: Span,
    /// False for a single port.
    is_array: bool,
}

const fn switch_kind(switch: ast::Switch) -> SwitchKind {
    match switch {
        ast::Switch::Split => SwitchKind::Split,
        ast::Switch::Merge => SwitchKind::Merge,
        ast::Switch::OrderedMerge => SwitchKind::OrderedMerge,
    }
}
