//! Kernels: ports, what they carry, sizes and properties.

use aiec_diag::Spanned;

use super::{Builder, Node, Parts, has};
use crate::ast::{
    Argument, Block, Bytes, Flow, Ident, Kernel, KernelProperty, Port, PortDirection, PortType, Size, Unit,
    Window,
};
use crate::grammar::Rule;

impl Builder<'_> {
    pub(super) fn kernel(&mut self, mut parts: Parts<'_>) -> Option<Kernel> {
        let name = self.ident(&mut parts)?;
        let dims = self.dims(&mut parts, "a kernel family has at most three dimensions")?;
        let ports = self.ports(&mut parts)?;
        let called = parts.next(Rule::called).map_or_else(Vec::new, |node| self.names(Parts::of(node)));
        let Block { items: properties, span: body } = self.block(&mut parts, Self::spanned_property)?;
        Some(Kernel { name, dims, ports, called, properties, body })
    }

    /// The ports of a kernel or component; none without a list.
    pub(super) fn ports(&mut self, parts: &mut Parts<'_>) -> Option<Vec<Port>> {
        let mut ports = Vec::new();
        if let Some(list) = parts.next(Rule::port_list) {
            let mut list = Parts::of(list);
            while let Some(port) = list.next(Rule::port) {
                ports.push(self.port(port)?);
            }
        }
        Some(ports)
    }

    fn port(&mut self, node: Node<'_>) -> Option<Port> {
        let directions = [
            (Rule::kw_in, PortDirection::In),
            (Rule::kw_out, PortDirection::Out),
            (Rule::kw_inout, PortDirection::Inout),
        ];
        let direction = directions.into_iter().find(|(rule, _)| has(&node, *rule))?.1;
        let span = self.span(&node);
        let mut parts = Parts::of(node);
        let name = self.ident(&mut parts)?;
        let extent = match parts.next(Rule::dim) {
            Some(dim) => Some(self.expr(&mut Parts::of(dim))?),
            None => None,
        };
        Some(Port { direction, name, extent, carries: self.carries(parts.next(Rule::carries)?)?, span })
    }

    fn carries(&mut self, node: Node<'_>) -> Option<PortType> {
        let kind = node.clone().into_inner().next()?.as_rule();
        let stated = |rule, asynchronous| has(&node, rule).then_some(asynchronous);
        let asynchronous = stated(Rule::kw_async, true).or_else(|| stated(Rule::kw_sync, false));
        let mut parts = Parts::of(node);
        Some(match kind {
            Rule::kw_window => {
                let window = self.window(&mut parts)?;
                let margin = match parts.next(Rule::margin) {
                    Some(margin) => Some(self.size(&mut Parts::of(margin))?),
                    None => None,
                };
                PortType::Window { window, margin }
            }
            Rule::kw_stream => PortType::Stream(self.flow(&mut parts)?),
            Rule::kw_packets => PortType::Packets(self.flow(&mut parts)?),
            Rule::kw_cascade => PortType::Cascade(self.ident(&mut parts)?),
            _ => PortType::Parameter { values: self.flow(&mut parts)?, asynchronous },
        })
    }

    fn size(&mut self, parts: &mut Parts<'_>) -> Option<Size> {
        let amount = self.expr(parts)?;
        let unit = parts.next(Rule::unit).map(|unit| Spanned::new(unit_of(&unit), self.span(&unit)));
        Some(Size { amount, unit })
    }

    pub(super) fn flow(&mut self, parts: &mut Parts<'_>) -> Option<Flow> {
        let node = parts.next(Rule::flow)?;
        let span = self.span(&node);
        let sized = has(&node, Rule::expr);
        let mut parts = Parts::of(node);
        let element = self.ident(&mut parts)?;
        let size = if sized { Some(self.size(&mut parts)?) } else { None };
        Some(Flow { element, size, span })
    }

    pub(super) fn window(&mut self, parts: &mut Parts<'_>) -> Option<Window> {
        let node = parts.next(Rule::window_type)?;
        let span = self.span(&node);
        let mut parts = Parts::of(node);
        let element = self.ident(&mut parts)?;
        let Size { amount, unit } = self.size(&mut parts)?;
        Some(Window { element, size: amount, unit, span })
    }

    pub(super) fn bytes(&mut self, parts: &mut Parts<'_>) -> Option<Bytes> {
        let node = parts.next(Rule::bytes)?;
        let span = self.span(&node);
        let mut parts = Parts::of(node);
        let amount = self.expr(&mut parts)?;
        Some(Bytes { amount, unit: unit_of(&parts.next(Rule::unit)?), span })
    }

    fn kernel_property(&mut self, node: Node<'_>) -> Option<KernelProperty> {
        let inner = Parts::of(node).any()?;
        let (rule, span) = (inner.as_rule(), self.span(&inner));
        let mut parts = Parts::of(inner);
        Some(match rule {
            Rule::source => KernelProperty::Source(self.string(&mut parts)?),
            Rule::stack => KernelProperty::Stack(self.bytes(&mut parts)?),
            Rule::heap => KernelProperty::Heap(self.bytes(&mut parts)?),
            Rule::runtime => {
                let node = parts.next(Rule::ratio)?;
                KernelProperty::Runtime(Spanned::new(node.as_str().to_owned(), self.span(&node)))
            }
            Rule::program => KernelProperty::Program(self.bytes(&mut parts)?),
            Rule::repetitions => KernelProperty::Repetitions(self.expr(&mut parts)?),
            Rule::kernel_cycles => KernelProperty::Cycles(self.expr(&mut parts)?),
            Rule::function => KernelProperty::Function(self.code_name(&mut parts)?),
            Rule::header => KernelProperty::Header(self.string(&mut parts)?),
            Rule::init => KernelProperty::Init(self.string(&mut parts)?),
            Rule::template => KernelProperty::Template(self.arguments(&mut parts)?),
            Rule::arguments => KernelProperty::Arguments(self.arguments(&mut parts)?),
            Rule::kernel_choice => KernelProperty::If(self.choice(parts, Self::spanned_property)?),
            _ => return self.unknown(rule, span),
        })
    }

    /// A name of C++ with the namespaces around it.
    fn code_name(&self, parts: &mut Parts<'_>) -> Option<Ident> {
        let first = parts.next(Rule::code_name)?;
        let mut found = Spanned::new(first.as_str().to_owned(), self.span(&first));
        while let Some(part) = parts.next(Rule::code_name) {
            found.value += "::";
            found.value += part.as_str();
            found.span.end = self.span(&part).end;
        }
        Some(found)
    }

    fn spanned_property(&mut self, node: Node<'_>) -> Option<Spanned<KernelProperty>> {
        let span = self.span(&node);
        Some(Spanned::new(self.kernel_property(node)?, span))
    }

    fn arguments(&mut self, parts: &mut Parts<'_>) -> Option<Vec<Argument>> {
        let mut arguments = Vec::new();
        while let Some(argument) = parts.next(Rule::argument) {
            let mut parts = Parts::of(argument);
            arguments.push(Argument { value: self.expr(&mut parts)?, class: self.ident(&mut parts) });
        }
        Some(arguments)
    }
}

fn unit_of(node: &Node<'_>) -> Unit {
    match node.as_str() {
        "KiB" => Unit::KiB,
        "MiB" => Unit::MiB,
        _ => Unit::Byte,
    }
}
