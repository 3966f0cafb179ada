//! Connections and loops.

use aiec_collectives::Operation;
use aiec_diag::{Span, Spanned};
use aiec_dsl::ast::{self, ConnectEnd, ConnectProperty, Ident, Item, ItemKind, Reference};
use aiec_ir::design::{Collective, FarEnd, Link, Node, Selection, UserPort};
use aiec_ir::expanded::SwitchKind;
use aiec_ir::{Buffering, Carries, Design, Direction, ExternalFamilyId, FamilyId};

use crate::errors;
use crate::lower::Context;

/// One end of a connection before its instances are listed.
struct End {
    ports: Vec<u32>,
    shape: crate::selections::Shape,
    asynchronous: bool,
    windows: Option<Spanned<u32>>,
    span: Span,
}

impl End {
    /// Number of ports.
    fn count(&self) -> u64 {
        self.shape.count() * self.ports.len() as u64
    }

    fn selection(&self) -> Selection {
        Selection {
            node: self.shape.node,
            ports: self.ports.clone(),
            instances: self.shape.instances(),
            asynchronous: self.asynchronous,
            windows: self.windows.clone(),
            span: self.span,
        }
    }
}

impl<'a> Context<'a> {
    /// Most statements that the loops of a design may expand to. Enough for connections and
    /// placements of all instances.
    const MAX_STEPS: u64 = 2 * Design::MAX_CONNECTIONS;

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
        let outer = self.variables.iter().find(|(variable, _)| variable.value == name.value);
        if let Some(first) =
            outer.map(|(variable, _)| variable.span).or_else(|| self.scope.declared_at(&name.value))
        {
            self.report(errors::duplicate_name(&name.value, name.span, first));
            return;
        }
        let (from, to) = (self.value(&body.from), self.value(&body.to));
        let (Some(from), Some(to)) = (from, to) else { return };
        let rounds = (i128::from(to) - i128::from(from)).max(0);
        let steps = u64::try_from(rounds).unwrap_or(u64::MAX).saturating_mul(body.body.len().max(1) as u64);
        self.steps = self.steps.saturating_add(steps);
        if self.steps > Self::MAX_STEPS {
            self.report(errors::loop_too_long(body.from.span.to(body.to.span), from, to, Self::MAX_STEPS));
            self.stopped = true;
            return;
        }
        let before = self.diagnostics.len();
        for value in from..to {
            self.variables.push((name, value));
            body.body.iter().for_each(|item| self.statement(item));
            self.variables.pop();
            if self.steps > Self::MAX_STEPS && !self.stopped {
                self.report(errors::loop_too_long(
                    body.from.span.to(body.to.span),
                    from,
                    to,
                    Self::MAX_STEPS,
                ));
                self.stopped = true;
            }
            if self.diagnostics.len() > before || self.stopped {
                return; // the other rounds would say the same again
            }
        }
    }

    fn connect(&mut self, connect: &ast::Connect, span: Span) {
        let from = self.end(&connect.from, Direction::Out);
        let to = self.end(&connect.to, Direction::In);
        let (buffering, fifo) = self.connect_properties(connect);
        let (Some(from), Some(to), Some(buffering)) = (from, to, buffering) else { return };
        if matches!((from.shape.node, to.shape.node), (Node::External(_), Node::External(_))) {
            return self.report(errors::no_kernel_between(from.span, to.span));
        }
        if let Some(property) = connect.properties.first().filter(|_| self.is_parameter(&from, &to)) {
            return self.report(errors::parameter_property(property.span, &property.value, from.span));
        }
        let (producers, consumers) = (from.count(), to.count());
        let switch =
            connect.switch.as_ref().map(|switch| Spanned::new(switch_kind(switch.value), switch.span));
        let legal = match switch.as_ref().map(|switch| switch.value) {
            None => producers == consumers || producers == 1,
            Some(SwitchKind::Split) => producers == 1,
            Some(SwitchKind::Merge | SwitchKind::OrderedMerge) => consumers == 1,
        };
        if !legal {
            let (from, to) = ((from.span, producers), (to.span, consumers));
            return self.report(match switch {
                Some(switch) => errors::switch_ends(switch.span, switch.value, from, to),
                None => errors::slice_mismatch(from, to),
            });
        }
        if self.count_connections(producers.max(consumers), span) {
            self.links.push(Link {
                from: from.selection(),
                to: to.selection(),
                buffering,
                fifo,
                switch: switch.map(|switch| switch.value),
                span,
            });
        }
    }

    /// True if one of the ends carries a run-time parameter.
    fn is_parameter(&self, from: &End, to: &End) -> bool {
        [from, to].into_iter().any(|end| match end.shape.node {
            Node::Family(id) => self.families.get(id).is_some_and(|family| {
                let port = |&at: &u32| family.ports.get(at as usize);
                let mut ports = end.ports.iter().filter_map(port);
                ports.any(|port| matches!(port.carries, Carries::Parameter(_)))
            }),
            Node::External(id) => {
                self.externals.get(id).is_some_and(|external| matches!(external.end, FarEnd::Host(_)))
            }
            Node::Collective(_) => false,
        })
    }

    /// Buffers and FIFO words of a connection.
    fn connect_properties(&mut self, connect: &ast::Connect) -> (Option<Buffering>, Option<Spanned<u32>>) {
        let (mut buffer, mut fifo) = (None, None);
        for property in &connect.properties {
            match &property.value {
                ConnectProperty::Buffer(word) => self.once(&mut buffer, "buffer", word, property.span),
                ConnectProperty::Fifo(words) => self.once(&mut fifo, "fifo", words, property.span),
            }
        }
        let buffering = self.buffering(buffer.map(|word| word.value));
        let fifo = fifo.and_then(|words| {
            let depth = self.number(words.value, "the depth of a FIFO in words", 1)?;
            Some(Spanned::new(depth, words.value.span))
        });
        (buffering, fifo)
    }

    /// One end of a connection, which must go in `direction`.
    fn end(&mut self, end: &ConnectEnd, direction: Direction) -> Option<End> {
        let node = self.node(&end.reference, "a kernel, input or output")?;
        let ports = match node {
            Node::Family(id) => self.kernel_ports(end, id, direction)?,
            Node::External(id) => vec![self.external_port(end, id, direction)?],
            Node::Collective(_) => vec![self.collective_port(end, node, direction)?],
        };
        let shape = self.shape(&end.reference, node)?;
        let windows = match &end.windows {
            Some(windows) => Some(self.windows(end, windows, node)?),
            None => None,
        };
        Some(End { ports, shape, asynchronous: end.asynchronous, windows, span: end.reference.span })
    }

    /// Number of windows that a kernel acquires in one run. Only the code behind an asynchronous
    /// port of a kernel acquires windows.
    fn windows(&mut self, end: &ConnectEnd, windows: &ast::Expr, node: Node) -> Option<Spanned<u32>> {
        if end.asynchronous {
            let number = self.number(windows, "the number of windows in one run", 1)?;
            return Some(Spanned::new(number, windows.span));
        }
        let name = match (&end.reference.name.value, &end.reference.port) {
            (name, Some(port)) => format!("{name}.{}", port.value),
            (name, None) => name.clone(),
        };
        self.report(match node {
            Node::Family(_) => errors::windows_of_sync_port(windows.span, end.reference.span, &name),
            Node::External(_) => errors::windows_of_external(windows.span, end.reference.span, &name),
            Node::Collective(_) => errors::windows_of_collective(windows.span, end.reference.span, &name),
        });
        None
    }

    /// The ports of a kernel that an end names: one, or those of an array of ports.
    fn kernel_ports(&mut self, end: &ConnectEnd, id: FamilyId, direction: Direction) -> Option<Vec<u32>> {
        let family = self.families.get(id)?;
        let fitting = family.ports.iter().filter(|port| port.direction == direction);
        let mut names: Vec<&str> = fitting.map(UserPort::declared_name).collect();
        names.dedup();
        let Some(port) = &end.reference.port else {
            let diagnostic = errors::port_needed(end.reference.span, &family.name, &names);
            self.report(diagnostic);
            return None;
        };
        let found: Vec<(u32, &UserPort)> =
            (0..).zip(&family.ports).filter(|(_, declared)| declared.declared_name() == port.value).collect();
        let Some((first, declared)) = found.first().copied() else {
            let close = aiec_diag::nearest(&port.value, names.iter().copied());
            let diagnostic = errors::unknown_port(port.span, &family.name, &port.value, &names, close);
            self.report(diagnostic);
            return None;
        };
        let shown = format!("{}.{}", family.name, port.value);
        if declared.direction != direction {
            let diagnostic =
                errors::wrong_direction(end.reference.span, &shown, declared.direction, declared.span);
            self.report(diagnostic);
            return None;
        }
        if end.asynchronous && declared.carries.window().is_none() {
            let diagnostic = errors::async_port(end.reference.span, &shown, declared.carries, declared.span);
            self.report(diagnostic);
            return None;
        }
        let of =
            PortArray { first, count: found.len(), span: declared.span, is_array: declared.is_of_array() };
        self.selected_ports(&end.reference, &shown, of)
    }

    /// The ports of either direction that a reference names: one, or those of an array of ports.
    pub fn ports_named(&mut self, reference: &Reference, port: &Ident, id: FamilyId) -> Option<Vec<u32>> {
        let family = self.families.get(id)?;
        let named = |declared: &&UserPort| declared.declared_name() == port.value;
        let Some(first) = family.ports.iter().position(|declared| named(&declared)) else {
            let mut names: Vec<&str> = family.ports.iter().map(UserPort::declared_name).collect();
            names.dedup();
            let close = aiec_diag::nearest(&port.value, names.iter().copied());
            let diagnostic = errors::unknown_port(port.span, &family.name, &port.value, &names, close);
            self.report(diagnostic);
            return None;
        };
        let (declared, count) = (&family.ports[first], family.ports.iter().filter(named).count());
        let shown = format!("{}.{}", family.name, port.value);
        let first = u32::try_from(first).ok()?;
        let of = PortArray { first, count, span: declared.span, is_array: declared.is_of_array() };
        self.selected_ports(reference, &shown, of)
    }

    /// The ports of an array that the index of a reference selects; all without an index.
    fn selected_ports(&mut self, reference: &Reference, shown: &str, of: PortArray) -> Option<Vec<u32>> {
        let PortArray { first, count, span, is_array } = of;
        let Some(index) = &reference.port_index else {
            return Some((first..).take(count).collect());
        };
        if !is_array {
            self.report(errors::index_count(reference.span, shown, 1, 0, span));
            return None;
        }
        let range = self.range(index, shown, u32::try_from(count).unwrap_or(u32::MAX), span)?;
        Some(range.indices().map(|at| first + at).collect())
    }

    fn external_port(&mut self, end: &ConnectEnd, id: ExternalFamilyId, direction: Direction) -> Option<u32> {
        let external = self.externals.get(id)?;
        let (name, input) = (external.name.clone(), external.direction == Direction::Out);
        if external.direction != direction {
            let declared = self.name_span(&end.reference, external.span);
            let diagnostic = errors::wrong_direction(end.reference.span, &name, external.direction, declared);
            self.report(diagnostic);
            return None;
        }
        if let Some(port) = &end.reference.port {
            let kind = if input { "an input" } else { "an output" };
            self.report(errors::no_port_here(port.span, &name, kind));
            return None;
        }
        if end.asynchronous {
            self.report(errors::async_external(end.reference.span, &name, input));
            return None;
        }
        Some(0)
    }

    fn collective_port(&mut self, end: &ConnectEnd, node: Node, direction: Direction) -> Option<u32> {
        let (_, declared) = self.declaration(node);
        let declared = self.name_span(&end.reference, declared);
        let name = end.reference.name.value.as_str();
        let Some(port) = &end.reference.port else {
            self.report(errors::port_needed(end.reference.span, name, &Collective::PORTS));
            return None;
        };
        let Some((index, _)) = (0..).zip(Collective::PORTS).find(|(_, known)| *known == port.value) else {
            let close = aiec_diag::nearest(&port.value, Collective::PORTS);
            self.report(errors::unknown_port(port.span, name, &port.value, &Collective::PORTS, close));
            return None;
        };
        if direction == Direction::In {
            let shown = format!("{name}.{}", port.value);
            self.report(errors::wrong_direction(end.reference.span, &shown, Direction::Out, declared));
            return None;
        }
        if end.asynchronous {
            self.report(errors::async_collective(end.reference.span, &format!("{name}.{}", port.value)));
            return None;
        }
        if index == Collective::RESULT && !self.has_result(node) {
            let others = &Collective::PORTS[1..];
            self.report(errors::unknown_port(port.span, name, &port.value, others, None));
            return None;
        }
        self.cycles_declared(index, node, end.reference.span, declared).then_some(index)
    }

    /// False for a collective whose result is not the root's alone: its ranks send it on through
    /// their own ports.
    fn has_result(&self, node: Node) -> bool {
        let Node::Collective(id) = node else { return true };
        let known = self.collectives.get(id).and_then(Option::as_ref);
        known.is_none_or(|collective| collective.operation == Operation::Reduce)
    }

    /// Returns false and reports a diagnostic if the port is that of cycle counts and the
    /// collective has none.
    fn cycles_declared(&mut self, port: u32, node: Node, span: Span, declared: Span) -> bool {
        let Node::Collective(id) = node else { return true };
        match self.collectives.get(id) {
            Some(Some(collective)) if port == Collective::CYCLES && collective.cycles.is_none() => {
                let diagnostic = errors::cycles_undeclared(span, &collective.name, declared);
                self.report(diagnostic);
                false
            }
            _ => true,
        }
    }
}

/// Declared ports with one name.
struct PortArray {
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
