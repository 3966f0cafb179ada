//! Collectives and active messages in the fixed layout.

use aiec_diag::Span;

use super::Printer;
use crate::ast::{Collective, CollectiveProperty, Flow, Handler, Ident, Operator, Service, Shape, Target};

impl Printer<'_> {
    pub(super) fn collective(&mut self, collective: &Collective, span: Span) {
        let Collective { operation, name, over, properties, on, services } = collective;
        let after = over.last().map_or(span.start, |part| part.span.end) as usize;
        let group = match on {
            Some(owner) => format!("on {} from", self.reference(owner)),
            None => "over".to_owned(),
        };
        let header = format!("{} {} {group} {} {{", operation.value, name.value, self.references(over));
        self.open(span, self.find("{", after), &header);
        for service in services {
            let text = match &service.value {
                Service::Handler(handler) => self.handler(handler),
                Service::Buffer(name, window) => format!("buffer {}: {}", name.value, self.window(window)),
            };
            self.line(service.span, &text);
        }
        let all: Vec<_> = properties.iter().map(|p| (p.span, self.collective_property(&p.value))).collect();
        self.properties(&all);
        self.close(span);
    }

    fn handler(&self, handler: &Handler) -> String {
        let Handler { name, arguments, result } = handler;
        let argument = |(name, flow): &(Ident, Flow)| format!("{}: {}", name.value, self.flow(flow));
        let arguments: Vec<String> = arguments.iter().map(argument).collect();
        let result = result.as_ref().map_or_else(String::new, |flow| format!(" -> {}", self.flow(flow)));
        format!("handler {}({}){result}", name.value, arguments.join(", "))
    }

    fn collective_property(&self, property: &CollectiveProperty) -> (&'static str, String) {
        use CollectiveProperty as P;
        match property {
            P::Op(Operator { name, from: None }) => ("op", name.value.clone()),
            P::Op(Operator { name, from: Some((header, kind)) }) => {
                ("op", format!("{} from \"{}\" {}", name.value, header.value, kind.value))
            }
            P::Data(window) => ("data", self.window(window)),
            P::Window(window) => {
                ("window", window.as_ref().map_or("auto".to_owned(), |one| self.window(one)))
            }
            P::Root(root) => ("root", self.reference(root)),
            P::Shape(Shape::Word(word)) => ("shape", word.value.clone()),
            P::Shape(Shape::Merge(word)) => ("shape", format!("{} merge", word.value)),
            P::Shape(Shape::Tree(arity)) => ("shape", format!("tree arity {}", self.expr(arity))),
            P::Shape(Shape::Hub(heads)) => ("shape", format!("hub {}", self.expr(heads))),
            P::Buffer(name) => ("buffer", name.value.clone()),
            P::Calls(calls) => ("calls", self.expr(calls)),
            P::Cycles(window) => ("cycles", self.window(window)),
            P::Reference(formula) => ("reference", self.expr(formula)),
            P::Style(name) => ("style", name.value.clone()),
            P::Exclusive => ("exclusive", String::new()),
            P::Shift(by) => ("shift", self.expr(by)),
            P::To(Target::Rank(rank)) => ("to", self.expr(rank)),
            P::To(Target::At(indices)) => ("to", format!("({})", self.expressions(indices))),
            P::Peers(word) => ("peers", word.value.clone()),
            P::Packet(words) => ("packet", self.expr(words)),
            P::Max(bytes) => ("max", self.bytes(bytes)),
            P::Depth(words) => ("depth", self.expr(words)),
            P::Counts(counts) => ("counts", self.expr(counts)),
            P::Headed => ("headed", String::new()),
            P::Base(base) => ("base", self.expr(base)),
            P::Size(size) => ("size", self.expr(size)),
            P::Num(num) => ("num", self.expr(num)),
            P::Stride(stride) => ("stride", self.expr(stride)),
        }
    }
}
