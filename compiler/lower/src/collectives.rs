//! Reductions: their properties with defaults, their groups, and the names that only a whole design can get wrong.

use std::collections::BTreeMap;

use aiec_diag::{Span, Spanned};
use aiec_dsl::ast::{self, Expr, Ident, ReduceProperty, Reference, Window};
use aiec_dsl::nearest;
use aiec_ir::design::{CYCLES_ELEMENT, Collective, Instance};
use aiec_ir::{Buffering, Design, FamilyId, Formula, ReduceOp, WindowType};

use crate::errors;
use crate::eval;
use crate::lower::Context;
use crate::names::Use;
use crate::selections::instances;

/// The properties of a reduction, each as it was given first.
#[derive(Default)]
struct Properties<'a> {
    op: Option<Spanned<&'a Ident>>,
    data: Option<Spanned<&'a Window>>,
    window: Option<Spanned<&'a Window>>,
    root: Option<Spanned<&'a Reference>>,
    tree: Option<Spanned<&'a Expr>>,
    buffer: Option<Spanned<&'a Ident>>,
    calls: Option<Spanned<&'a Expr>>,
    cycles: Option<Spanned<&'a Window>>,
    reference: Option<Spanned<&'a Expr>>,
}

impl Context<'_> {
    /// Lowers a reduction.
    pub fn collective(&mut self, reduce: &ast::Reduce, span: Span) {
        self.check_identifier(&reduce.name, Use::Inside);
        self.collective_spans.push(span);
        let collective = self.reduction(reduce, span);
        self.collectives.push(collective);
    }

    fn reduction(&mut self, reduce: &ast::Reduce, span: Span) -> Option<Collective> {
        let properties = self.properties(reduce);
        let (op, data) = (self.op(reduce, &properties), self.data(reduce, &properties));
        let window = self.travelling(&properties, data.as_ref());
        let group = self.group(reduce);
        let root = self.root(&properties, group.as_deref());
        let buffering = self.buffering(properties.buffer.as_ref().map(|buffer| buffer.value));
        let arity = self.arity(&properties, reduce);
        let calls = self.property_number(properties.calls.as_ref(), "the number of calls");
        let cycles = self.cycles(&properties, calls);
        let reference = self.reference(&properties);
        Some(Collective {
            name: reduce.name.value.clone(),
            op: op?,
            data: data?,
            window: window?,
            group: group?,
            root: root?,
            arity: arity?,
            buffering: buffering?,
            calls: calls?,
            cycles: cycles?,
            reference: reference?,
            span,
        })
    }

    fn properties<'a>(&mut self, reduce: &'a ast::Reduce) -> Properties<'a> {
        let mut found = Properties::default();
        for property in &reduce.properties {
            let span = property.span;
            match &property.value {
                ReduceProperty::Op(op) => self.once(&mut found.op, "op", op, span),
                ReduceProperty::Data(data) => self.once(&mut found.data, "data", data, span),
                ReduceProperty::Window(window) => self.once(&mut found.window, "window", window, span),
                ReduceProperty::Root(root) => self.once(&mut found.root, "root", root, span),
                ReduceProperty::Tree(arity) => self.once(&mut found.tree, "tree", arity, span),
                ReduceProperty::Buffer(buffer) => self.once(&mut found.buffer, "buffer", buffer, span),
                ReduceProperty::Calls(calls) => self.once(&mut found.calls, "calls", calls, span),
                ReduceProperty::Cycles(cycles) => self.once(&mut found.cycles, "cycles", cycles, span),
                ReduceProperty::Reference(formula) => {
                    self.once(&mut found.reference, "reference", formula, span)
                }
            }
        }
        found
    }

    fn op(&mut self, reduce: &ast::Reduce, properties: &Properties<'_>) -> Option<Spanned<ReduceOp>> {
        let Some(op) = &properties.op else {
            let owner = format!("reduction `{}`", reduce.name.value);
            self.report(errors::missing_item(
                reduce.name.span,
                &owner,
                "op",
                "`op sum` (or `prod`, `min`, `max`)",
            ));
            return None;
        };
        let word = &op.value.value;
        let names = ReduceOp::ALL.map(ReduceOp::name);
        let found = ReduceOp::from_name(word);
        if found.is_none() {
            let close = nearest(word, names);
            self.report(errors::unknown_word(op.value.span, "operator", word, &names, close));
        }
        found.map(|found| Spanned::new(found, op.value.span))
    }

    fn data(&mut self, reduce: &ast::Reduce, properties: &Properties<'_>) -> Option<Spanned<WindowType>> {
        if let Some(data) = &properties.data {
            return self.window(data.value);
        }
        let owner = format!("reduction `{}`", reduce.name.value);
        let example = "`data int32[1024]`: what each kernel contributes to one call";
        self.report(errors::missing_item(reduce.name.span, &owner, "data", example));
        None
    }

    /// The window that travels: `data` unless the design says otherwise, and of the same elements.
    fn travelling(
        &mut self,
        properties: &Properties<'_>,
        data: Option<&Spanned<WindowType>>,
    ) -> Option<Spanned<WindowType>> {
        let Some(window) = &properties.window else { return data.cloned() };
        let window = self.window(window.value)?;
        let data = data?;
        if window.value.element != data.value.element {
            let (found, wanted) = (window.value.element.name(), data.value.element.name());
            self.report(errors::window_element(window.span, found, data.span, wanted));
            return None;
        }
        Some(window)
    }

    /// The kernels of the group in rank order, possibly with duplicates.
    fn group(&mut self, reduce: &ast::Reduce) -> Option<Vec<Instance>> {
        let mut group: Vec<Instance> = Vec::new();
        let mut complete = true;
        for reference in &reduce.over {
            let Some(shape) = self.kernels(reference) else {
                complete = false;
                continue;
            };
            if group.len() as u64 + shape.count() > Design::MAX_INSTANCES {
                self.report(errors::group_too_large(reference.span));
                return None;
            }
            group.extend(instances(&shape, reference.span));
        }
        let edges = (group.len() as u64).saturating_sub(1);
        (complete && self.count_connections(edges, reduce.name.span)).then_some(group)
    }

    fn root(&mut self, properties: &Properties<'_>, group: Option<&[Instance]>) -> Option<Instance> {
        match &properties.root {
            Some(root) => self.one_kernel(root.value, "the root of a reduction"),
            None => group?.first().copied(),
        }
    }

    /// `pingpong` or `single`; the former if nothing is said.
    pub fn buffering(&mut self, word: Option<&Ident>) -> Option<Buffering> {
        let Some(word) = word else { return Some(Buffering::Pingpong) };
        let all = [Buffering::Pingpong, Buffering::Single];
        let found = all.into_iter().find(|buffering| buffering.name() == word.value);
        if found.is_none() {
            let names = all.map(Buffering::name);
            let close = nearest(&word.value, names);
            self.report(errors::unknown_word(word.span, "kind of buffer", &word.value, &names, close));
        }
        found
    }

    fn arity(&mut self, properties: &Properties<'_>, reduce: &ast::Reduce) -> Option<Spanned<u32>> {
        match &properties.tree {
            Some(tree) => {
                let arity = self.number(tree.value, "the arity of the tree", 1)?;
                Some(Spanned::new(arity, tree.value.span))
            }
            None => Some(Spanned::new(2, reduce.name.span)),
        }
    }

    fn property_number(&mut self, property: Option<&Spanned<&Expr>>, what: &str) -> Option<u32> {
        property.map_or(Some(1), |property| self.number(property.value, what, 1))
    }

    /// The window of cycle counts: int64, with room for every call. The outer option is none after an error.
    #[allow(clippy::option_option, reason = "an error is not the same as nothing given")]
    fn cycles(
        &mut self,
        properties: &Properties<'_>,
        calls: Option<u32>,
    ) -> Option<Option<Spanned<WindowType>>> {
        let Some(cycles) = &properties.cycles else { return Some(None) };
        let window = self.window(cycles.value)?;
        let element = window.value.element;
        if element != CYCLES_ELEMENT {
            self.report(errors::cycles_element(window.span, element.name(), CYCLES_ELEMENT.name()));
            return None;
        }
        if let Some(calls) = calls.filter(|&calls| window.value.elements < calls) {
            self.report(errors::cycles_too_short(window.span, window.value.elements, calls));
            return None;
        }
        Some(Some(window))
    }

    #[allow(clippy::option_option, reason = "an error is not the same as nothing given")]
    fn reference(&mut self, properties: &Properties<'_>) -> Option<Option<Formula>> {
        let Some(expr) = &properties.reference else { return Some(None) };
        match eval::formula(expr.value, &|name| self.lookup(name)) {
            Ok(formula) => Some(Some(formula)),
            Err(fault) => {
                self.fault(fault);
                None
            }
        }
    }

    /// Checks the C++ names that several declarations make together: members of the graph class, ports and roles.
    pub fn check_identifiers(&mut self) {
        if self.stopped {
            return; // too many to list
        }
        self.check_members();
        self.check_collective_ports();
        self.check_roles();
    }

    /// Members of the graph class: the class itself, kernels, and every instance of every input and output.
    fn check_members(&mut self) {
        let mut members: BTreeMap<String, (String, Span)> = BTreeMap::new();
        let mut found = Vec::new();
        let mut add = |identifier: String, shown: String, span: Span| {
            if let Some((other, first)) = members.get(&identifier) {
                // The same name declared twice is reported as that.
                if *other != shown {
                    found.push(errors::identifier_collision(&identifier, (&shown, span), (other, *first)));
                }
                return;
            }
            members.insert(identifier, (shown, span));
        };
        if let Some(name) = &self.name {
            add(name.value.clone(), format!("design {}", name.value), name.span);
        }
        let place = |name: &str, span: Span| self.scope.declared_at(name).unwrap_or(span);
        for family in self.families.iter() {
            add(family.name.clone(), family.name.clone(), place(&family.name, family.span));
        }
        for external in self.externals.iter() {
            let span = place(&external.name, external.span);
            for index in 0..external.instances() {
                add(
                    external_identifier(&external.name, &external.dims, index),
                    external.instance_name(index),
                    span,
                );
            }
        }
        self.diagnostics.append(&mut found);
    }

    /// Ports of collectives against those the user declared.
    fn check_collective_ports(&mut self) {
        let mut found = Vec::new();
        for collective in self.collectives.iter().flatten() {
            for id in families_of(&collective.group) {
                let ports = self.families.get(id).into_iter().flat_map(|family| &family.ports);
                for port in ports.filter(|port| is_collective_port(&port.name, &collective.name)) {
                    let other = format!("a port of reduction {}", collective.name);
                    found.push(errors::identifier_collision(
                        &port.name,
                        (&port.name, port.span),
                        (&other, collective.span),
                    ));
                }
            }
        }
        self.diagnostics.append(&mut found);
    }

    /// The wrapper classes of a family in a collective, such as `worker_interior`, against other names.
    fn check_roles(&mut self) {
        let mut found = Vec::new();
        let mut members: Vec<FamilyId> =
            self.collectives.iter().flatten().flat_map(|collective| families_of(&collective.group)).collect();
        members.sort_unstable();
        members.dedup();
        for family in members.into_iter().filter_map(|id| self.families.get(id)) {
            for role in ["root", "interior", "leaf"] {
                let class = format!("{}_{role}", family.name);
                let design = self.name.as_ref().filter(|name| name.value == class).map(|name| name.span);
                if let Some(span) = self.scope.declared_at(&class).or(design) {
                    let other = format!("the {role} of {}", family.name);
                    found.push(errors::identifier_collision(&class, (&class, span), (&other, family.span)));
                }
            }
        }
        self.diagnostics.append(&mut found);
    }
}

/// The C++ identifier of an instance of an input or output: `samples_3` for `samples[3]`.
pub fn external_identifier(name: &str, dims: &[u32], index: u32) -> String {
    if dims.is_empty() { name.to_owned() } else { format!("{name}_{index}") }
}

/// True if `port` is what expansion may call a port of `collective`.
fn is_collective_port(port: &str, collective: &str) -> bool {
    let suffix = port.strip_prefix(collective).and_then(|rest| rest.strip_prefix('_'));
    suffix.is_some_and(|suffix| match suffix {
        "out" | "result" | "cycles" => true,
        _ => {
            suffix.strip_prefix("in").is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
        }
    })
}

/// The families of a group, each once, in order.
fn families_of(group: &[Instance]) -> Vec<FamilyId> {
    let mut families: Vec<FamilyId> = group.iter().map(|instance| instance.family).collect();
    families.sort_unstable();
    families.dedup();
    families
}
