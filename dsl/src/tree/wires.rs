//! What joins kernels: collectives, inputs and outputs, connections, references.

use aiec_diag::Spanned;

use super::{Builder, Node, Parts, has};
use crate::ast::{
    Collective, CollectiveProperty, Connect, ConnectEnd, ConnectProperty, Endpoint, Expr, External,
    ExternalProperty, Handler, Index, Operator, Part, Reference, Service, Shape, Switch, Target,
};
use crate::grammar::Rule;

impl Builder<'_> {
    pub(super) fn collective(&mut self, mut parts: Parts<'_>) -> Option<Collective> {
        if let Some(active) = parts.next(Rule::active) {
            return self.active(active);
        }
        let operation = parts.next(Rule::operation)?;
        let operation = Spanned::new(operation.as_str().to_owned(), self.span(&operation));
        let name = self.ident(&mut parts)?;
        let over = self.references(&mut parts)?;
        let mut body = Parts::of(parts.next(Rule::collective_body)?);
        let mut properties = Vec::new();
        while let Some(property) = body.next(Rule::collective_property) {
            let span = self.span(&property);
            properties.push(Spanned::new(self.collective_property(property)?, span));
        }
        Some(Collective { operation, name, over, properties, on: None, services: Vec::new() })
    }

    fn active(&mut self, node: Node<'_>) -> Option<Collective> {
        let word = node.clone().into_inner().next()?;
        let operation = Spanned::new(word.as_str().to_owned(), self.span(&word));
        let mut parts = Parts::of(node);
        let name = self.ident(&mut parts)?;
        let owner = parts.next(Rule::selection)?;
        let on = Some(self.reference(owner)?);
        let over = self.references(&mut parts)?;
        let mut body = Parts::of(parts.next(Rule::active_body)?);
        let mut services = Vec::new();
        while let Some(service) = body.any() {
            let (span, rule) = (self.span(&service), service.as_rule());
            let mut parts = Parts::of(service);
            let service = match rule {
                Rule::served_buffer => Service::Buffer(self.ident(&mut parts)?, self.window(&mut parts)?),
                _ => Service::Handler(self.handler(parts)?),
            };
            services.push(Spanned::new(service, span));
        }
        Some(Collective { operation, name, over, properties: Vec::new(), on, services })
    }

    fn handler(&mut self, mut parts: Parts<'_>) -> Option<Handler> {
        let name = self.ident(&mut parts)?;
        let mut arguments = Vec::new();
        while let Some(argument) = parts.next(Rule::handled) {
            let mut argument = Parts::of(argument);
            arguments.push((self.ident(&mut argument)?, self.flow(&mut argument)?));
        }
        let result = match parts.next(Rule::result) {
            Some(result) => Some(self.flow(&mut Parts::of(result))?),
            None => None,
        };
        Some(Handler { name, arguments, result })
    }

    fn collective_property(&mut self, node: Node<'_>) -> Option<CollectiveProperty> {
        use CollectiveProperty as P;
        let inner = Parts::of(node).any()?;
        let (rule, span) = (inner.as_rule(), self.span(&inner));
        let mut parts = Parts::of(inner);
        Some(match rule {
            Rule::op => P::Op(self.operator(&mut parts)?),
            Rule::data => P::Data(self.window(&mut parts)?),
            Rule::window => P::Window(match parts.next(Rule::automatic) {
                Some(_) => None,
                None => Some(self.window(&mut parts)?),
            }),
            Rule::root => {
                let reference = parts.next(Rule::selection)?;
                P::Root(self.reference(reference)?)
            }
            Rule::shape => P::Shape(self.shape(&mut parts)?),
            Rule::buffer => P::Buffer(self.ident(&mut parts)?),
            Rule::calls => P::Calls(self.expr(&mut parts)?),
            Rule::cycles => P::Cycles(self.window(&mut parts)?),
            Rule::reference => P::Reference(self.expr(&mut parts)?),
            Rule::style => P::Style(self.ident(&mut parts)?),
            Rule::exclusive => P::Exclusive,
            Rule::shift => P::Shift(self.expr(&mut parts)?),
            Rule::to => P::To(self.target(&mut parts)?),
            Rule::peers => P::Peers(self.ident(&mut parts)?),
            Rule::packet => P::Packet(self.expr(&mut parts)?),
            Rule::max => P::Max(self.bytes(&mut parts)?),
            Rule::depth => P::Depth(self.expr(&mut parts)?),
            Rule::counts => P::Counts(self.expr(&mut parts)?),
            Rule::headed => P::Headed,
            Rule::base => P::Base(self.expr(&mut parts)?),
            Rule::size => P::Size(self.expr(&mut parts)?),
            Rule::num => P::Num(self.expr(&mut parts)?),
            Rule::stride => P::Stride(self.expr(&mut parts)?),
            _ => return self.unknown(rule, span),
        })
    }

    fn target(&mut self, parts: &mut Parts<'_>) -> Option<Target> {
        let Some(indices) = parts.next(Rule::at_indices) else {
            return Some(Target::Rank(self.expr(parts)?));
        };
        let mut parts = Parts::of(indices);
        Some(Target::At(std::iter::from_fn(|| self.expr(&mut parts)).collect()))
    }

    fn operator(&mut self, parts: &mut Parts<'_>) -> Option<Operator> {
        let name = self.ident(parts)?;
        let from = match parts.next(Rule::user_op) {
            Some(user) => {
                let mut parts = Parts::of(user);
                Some((self.string(&mut parts)?, self.ident(&mut parts)?))
            }
            None => None,
        };
        Some(Operator { name, from })
    }

    fn shape(&mut self, parts: &mut Parts<'_>) -> Option<Shape> {
        if let Some(tree) = parts.next(Rule::tree) {
            return Some(Shape::Tree(self.expr(&mut Parts::of(tree))?));
        }
        if let Some(hub) = parts.next(Rule::hub) {
            return Some(Shape::Hub(self.expr(&mut Parts::of(hub))?));
        }
        if let Some(merge) = parts.next(Rule::merging) {
            return Some(Shape::Merge(self.ident(&mut Parts::of(merge))?));
        }
        Some(Shape::Word(self.ident(parts)?))
    }

    pub(super) fn external(&mut self, input: bool, mut parts: Parts<'_>) -> Option<External> {
        let name = self.ident(&mut parts)?;
        let dims = self.extents(&mut parts)?;
        let node = parts.next(Rule::endpoint)?;
        let span = self.span(&node);
        let inner = Parts::of(node).any()?;
        let rule = inner.as_rule();
        let mut inner = Parts::of(inner);
        let endpoint = match rule {
            Rule::plio => Endpoint::Plio { width: self.expr(&mut inner)?, file: self.string(&mut inner)? },
            Rule::gmio => Endpoint::Gmio { file: self.string(&mut inner) },
            Rule::host => Endpoint::Host { file: self.string(&mut inner) },
            _ => return self.unknown(rule, span),
        };
        let mut properties = Vec::new();
        while let Some(property) = parts.next(Rule::external_property) {
            let span = self.span(&property);
            properties.push(Spanned::new(self.external_property(property)?, span));
        }
        Some(External { input, name, dims, endpoint: Spanned::new(endpoint, span), properties })
    }

    fn external_property(&mut self, node: Node<'_>) -> Option<ExternalProperty> {
        let inner = Parts::of(node).any()?;
        let (rule, span) = (inner.as_rule(), self.span(&inner));
        let mut parts = Parts::of(inner);
        Some(match rule {
            Rule::initial => {
                let mut list = Parts::of(parts.next(Rule::values)?);
                let mut values = Vec::new();
                while let Some(value) = list.next(Rule::expr) {
                    values.push(self.whole_expr(value)?);
                }
                ExternalProperty::Initial(values)
            }
            Rule::frequency => {
                let node = parts.next(Rule::ratio)?;
                ExternalProperty::Frequency(Spanned::new(node.as_str().to_owned(), self.span(&node)))
            }
            Rule::burst => ExternalProperty::Burst(self.expr(&mut parts)?),
            Rule::bandwidth => ExternalProperty::Bandwidth(self.expr(&mut parts)?),
            Rule::golden => ExternalProperty::Golden(self.string(&mut parts)?),
            Rule::called => ExternalProperty::Called(self.names(parts)),
            _ => return self.unknown(rule, span),
        })
    }

    pub(super) fn connect(&mut self, mut parts: Parts<'_>) -> Option<Connect> {
        let from = self.connect_ends(parts.next(Rule::connect_ends)?)?;
        let switch = parts.next(Rule::switch);
        let first = switch.clone().and_then(|node| self.first(node));
        let switch = switch.and_then(|node| self.switch(node));
        let to = self.connect_ends(parts.next(Rule::connect_ends)?)?;
        let mut properties = Vec::new();
        while let Some(property) = parts.next(Rule::connect_property) {
            let span = self.span(&property);
            let inner = Parts::of(property).any()?;
            let is_buffer = inner.as_rule() == Rule::buffer;
            let mut inner = Parts::of(inner);
            let property = match is_buffer {
                true => ConnectProperty::Buffer(self.ident(&mut inner)?),
                false => ConnectProperty::Fifo(self.fifo(inner)?),
            };
            properties.push(Spanned::new(property, span));
        }
        Some(Connect { from, to, switch, first, properties })
    }

    fn switch(&self, node: Node<'_>) -> Option<Spanned<Switch>> {
        let span = self.span(&node);
        let inner = Parts::of(node).any()?;
        let switch = match inner.as_rule() {
            Rule::split => Switch::Split,
            _ if has(&inner, Rule::ordered) => Switch::OrderedMerge,
            _ => Switch::Merge,
        };
        Some(Spanned::new(switch, span))
    }

    /// The number of the first branch of a split, if the split states it.
    fn first(&mut self, switch: Node<'_>) -> Option<Expr> {
        let mut parts = Parts::of(switch);
        parts.next(Rule::split)?;
        self.expr(&mut Parts::of(parts.next(Rule::first)?))
    }

    fn connect_ends(&mut self, node: Node<'_>) -> Option<Vec<ConnectEnd>> {
        let mut parts = Parts::of(node);
        let mut ends = Vec::new();
        while let Some(end) = parts.next(Rule::connect_end) {
            ends.push(self.connect_end(end)?);
        }
        Some(ends)
    }

    fn connect_end(&mut self, node: Node<'_>) -> Option<ConnectEnd> {
        let span = self.span(&node);
        let asynchronous = has(&node, Rule::kw_async);
        let mut parts = Parts::of(node);
        let reference = self.reference(parts.next(Rule::selection)?)?;
        let windows = parts.next(Rule::windows).and_then(|node| self.expr(&mut Parts::of(node)));
        Some(ConnectEnd { asynchronous, reference, windows, span })
    }

    pub(super) fn reference(&mut self, node: Node<'_>) -> Option<Reference> {
        let span = self.span(&node);
        let mut nodes = Parts::of(node);
        let mut parts = Vec::new();
        while let Some(part) = nodes.next(Rule::part) {
            parts.push(self.part(part)?);
        }
        Some(Reference { parts, span })
    }

    fn part(&mut self, node: Node<'_>) -> Option<Part> {
        let mut parts = Parts::of(node);
        let name = self.ident(&mut parts)?;
        let mut indices = Vec::new();
        while let Some(index) = parts.next(Rule::index) {
            indices.push(self.index(&index)?);
        }
        Some(Part { name, indices })
    }

    fn index(&mut self, node: &Node<'_>) -> Option<Index> {
        let (mut from, mut to, mut step, mut dots) = (None, None, None, None);
        for part in node.clone().into_inner() {
            match part.as_rule() {
                Rule::sym_dots => dots = Some(self.span(&part)),
                Rule::expr if dots.is_some() => to = Some(self.whole_expr(part)?),
                Rule::expr => from = Some(self.whole_expr(part)?),
                Rule::step => step = Some(self.expr(&mut Parts::of(part))?),
                _ => {}
            }
        }
        let Some(dots) = dots else { return from.map(Index::At) };
        let start = from.as_ref().map_or(dots, |expr| expr.span);
        let end = step.as_ref().or(to.as_ref()).map_or(dots, |expr| expr.span);
        Some(Index::Range { from, to, step, span: start.to(dots).to(end) })
    }
}
