//! Active messages: their owner, and the handlers and buffers that it serves.

use std::collections::BTreeMap;

use aiec_collectives::{Handler, Operation, ServedBuffer, Services, WindowType};
use aiec_diag::{Span, Spanned};
use aiec_dsl::ast::{self, Flow, Ident, Service, Size, Window};
use aiec_ir::ElementType;
use aiec_ir::design::Instance;

use crate::errors;
use crate::lower::Context;
use crate::names::Use;
use crate::{Lowered, Reported};

/// The names of active messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Served {
    /// `handler`
    Handler,
    /// An argument of a handler.
    Argument,
    /// `buffer`
    Buffer,
}

/// The names that the header library uses where these stand.
pub const fn taken_names(of: Served) -> &'static [&'static str] {
    match of {
        Served::Handler => &LIBRARY,
        Served::Argument => LIBRARY.split_at(1).0,
        Served::Buffer => &["elements"], // `put_elements`
    }
}

/// What the class of a client has beside its handlers (`active.h`), and first its parameter.
const LIBRARY: [&str; 15] = [
    "Rank",
    "calls",
    "element",
    "elements",
    "get_elements",
    "is_member",
    "is_root",
    "leave",
    "put_elements",
    "rank",
    "request",
    "request_with",
    "serve",
    "serve_one",
    "size",
];

impl Context<'_> {
    /// What the owner of active messages serves: nothing for other operations.
    pub fn services(&mut self, operation: Operation, written: &ast::Collective) -> Lowered<Services> {
        if operation != Operation::Active {
            return Ok(Services::default());
        }
        if written.services.is_empty() {
            let owner = format!("server `{}`", written.name.value);
            let example =
                "`handler get(idx: int32) -> int32`: what clients call and the owner does, or a `buffer`";
            self.report(errors::missing_item(written.name.span, &owner, "handler", example));
            return Err(Reported);
        }
        self.distinct(written.services.iter().map(|service| match &service.value {
            Service::Handler(handler) => &handler.name,
            Service::Buffer(name, _) => name,
        }));
        let (mut handlers, mut buffers) = (Vec::new(), Vec::new());
        for service in &written.services {
            match &service.value {
                Service::Handler(handler) => handlers.push(self.handler(handler)),
                Service::Buffer(name, data) => buffers.push(self.served_buffer(name, data)),
            }
        }
        let handlers: Option<Vec<Handler>> = handlers.into_iter().collect();
        let buffers: Option<Vec<ServedBuffer>> = buffers.into_iter().collect();
        let services = Services { handlers: handlers.ok_or(Reported)?, buffers: buffers.ok_or(Reported)? };
        self.check_transfers(&services, written);
        Ok(services)
    }

    /// An array of the owner, whose elements are words of packets.
    fn served_buffer(&mut self, name: &Ident, data: &Window) -> Option<ServedBuffer> {
        self.check_inside(name, taken_names(Served::Buffer));
        self.word_type(&data.element)?;
        Some(ServedBuffer { name: name.value.clone(), data: self.window(data)?.value })
    }

    /// Reports handlers that are called as what puts to a buffer or gets from it.
    fn check_transfers(&mut self, services: &Services, written: &ast::Collective) {
        for service in &written.services {
            let Service::Handler(ast::Handler { name, .. }) = &service.value else { continue };
            let transfer = name.value.strip_prefix("put_").or_else(|| name.value.strip_prefix("get_"));
            let buffer = services.buffers.iter().find(|buffer| Some(buffer.name.as_str()) == transfer);
            if let Some(buffer) = buffer {
                let reason = format!("it moves elements of the buffer `{}`", buffer.name);
                self.report(errors::bad_identifier(name.span, &name.value, &reason));
            }
        }
    }

    /// The longest request in words, which the type of `data` of other operations says.
    pub fn longest_request(services: &Services, span: Span) -> Spanned<WindowType> {
        let elements = services.request_words();
        Spanned::new(WindowType { element: ElementType::Int32, elements }, span)
    }

    /// The owner of active messages.
    pub fn owner(&mut self, written: &ast::Collective) -> Option<Instance> {
        self.one_kernel(written.on.as_ref()?, "the owner of active messages")
    }

    /// Reports an owner that is one of its clients.
    pub fn check_clients(&mut self, written: &ast::Collective, group: &[Instance], owner: Option<Instance>) {
        let (Some(on), Some(owner)) = (&written.on, owner) else { return };
        if let Some(client) = group.iter().find(|client| client.names_same_kernel(&owner)) {
            self.report(errors::owner_among_clients(client.span, &written.name.value, on.span));
        }
    }

    fn handler(&mut self, written: &ast::Handler) -> Option<Handler> {
        let name = &written.name;
        self.check_inside(name, taken_names(Served::Handler));
        self.distinct(written.arguments.iter().map(|(name, _)| name));
        let (mut arguments, mut array) = (Vec::new(), None);
        let count = written.arguments.len();
        let mut complete = true;
        for (at, (name, flow)) in written.arguments.iter().enumerate() {
            self.check_inside(name, taken_names(Served::Argument));
            let Some(element) = self.word_type(&flow.element) else {
                complete = false;
                continue;
            };
            match &flow.size {
                None => arguments.push((name.value.clone(), element)),
                Some(_) if at + 1 < count => {
                    self.report(errors::array_not_last(flow.span, &name.value));
                    complete = false;
                }
                Some(size) => match self.array(flow, size) {
                    Some(window) => {
                        let number = format!("{}_count", name.value);
                        let same = written.arguments.iter().find(|(other, _)| other.value == number);
                        if let Some((other, _)) = same {
                            let reason = "it is the number of elements of the array";
                            self.report(errors::bad_identifier(other.span, &number, reason));
                        }
                        array = Some((name.value.clone(), window));
                    }
                    None => complete = false,
                },
            }
        }
        let result = match &written.result {
            Some(flow) if flow.size.is_some() => {
                self.report(errors::array_as_result(flow.span, &written.name.value));
                return None;
            }
            Some(flow) => Some(self.word_type(&flow.element)?),
            None => None,
        };
        let handler = Handler { name: written.name.value.clone(), arguments, array, result };
        complete.then_some(handler)
    }

    /// Checks a name inside of the struct of active messages, where `used` are taken.
    fn check_inside(&mut self, name: &Ident, used: &[&str]) {
        self.check_identifier(name, Use::Parameter);
        if used.contains(&name.value.as_str()) {
            let reason = "the header library uses this name in what clients call";
            self.report(errors::bad_identifier(name.span, &name.value, reason));
        }
    }

    fn array(&mut self, flow: &Flow, size: &Size) -> Option<WindowType> {
        let Size { amount, unit } = size.clone();
        let window = Window { element: flow.element.clone(), size: amount, unit, span: flow.span };
        Some(self.window(&window)?.value)
    }

    /// A type that is a word of a packet.
    fn word_type(&mut self, written: &Ident) -> Option<ElementType> {
        let element = self.element(written)?;
        if !element.is_word() {
            self.report(errors::not_a_word(written.span, element));
            return None;
        }
        Some(element)
    }

    /// Reports names that are given again.
    fn distinct<'a>(&mut self, names: impl Iterator<Item = &'a Ident>) {
        let mut seen: BTreeMap<&str, Span> = BTreeMap::new();
        for name in names {
            match seen.get(name.value.as_str()) {
                Some(&first) => self.report(errors::duplicate_name(&name.value, name.span, first)),
                None => {
                    seen.insert(&name.value, name.span);
                }
            }
        }
    }
}
