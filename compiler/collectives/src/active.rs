//! Active messages, as of GASNet: ranks, the clients, call handlers of the root, the owner.
//! Requests are packets that are merged into the owner's input, and replies are packets that its
//! output is split to. So a request never waits behind a reply.

use super::channel::relay_links;
use super::table::{Algorithm, Call, NOTHING, PLAIN, Row, Waits};
use super::{Class, ElementType, Plan, Shape, WindowType};

pub(crate) static ROW: Row = Row {
    name: "active",
    noun: "server",
    takes_messages: true,
    call: Call::Opened,
    default: Shape::Active,
    algorithms: &[Algorithm {
        word: "active",
        links: |plan, _| relay_links(plan),
        opened: true,
        most_links: |_, ranks| ranks.saturating_sub(1).saturating_mul(2),
        class: |seat| Class::new(if seat.is_root() { "active_owner" } else { "active_client" }, []),
        outside: "active_outside",
        waits: Waits::Nobody,
        ..NOTHING
    }],
    sentence: "{root} serves requests of up to {block} of the others of {ranks} kernels, as they come",
    ..PLAIN
};

/// What the owner serves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Services {
    /// Functions that clients call.
    pub handlers: Vec<Handler>,
    /// Arrays that clients put to and get from.
    pub buffers: Vec<ServedBuffer>,
}

impl Services {
    /// Words of the longest request behind its header, at least 1: that of a handler, or a put of a
    /// whole array.
    pub fn request_words(&self) -> u32 {
        let puts = self.buffers.iter().map(|buffer| buffer.data.elements.saturating_add(2));
        self.handlers.iter().map(Handler::words).chain(puts).max().unwrap_or(1)
    }

    /// What the arrays of the owner take together, in bytes.
    pub fn buffer_bytes(&self) -> u64 {
        self.buffers.iter().map(|buffer| buffer.data.bytes()).sum()
    }

    /// Words of the longest reply behind its header: a get of a whole array, the result of a
    /// handler, or the word that ends a put. 0 without replies.
    pub fn reply_words(&self) -> u32 {
        let gets = self.buffers.iter().map(|buffer| buffer.data.elements.max(1));
        let results = self.handlers.iter().filter(|handler| handler.result.is_some()).map(|_| 1);
        results.chain(gets).max().unwrap_or(0)
    }
}

/// An array of the owner that clients put to and get from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServedBuffer {
    /// Its name in C++.
    pub name: String,
    /// Its elements, each a word of a packet.
    pub data: WindowType,
}

/// A function of the owner that clients call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Handler {
    /// Its name in C++.
    pub name: String,
    /// Names and types of its arguments, each a word of a packet.
    pub arguments: Vec<(String, ElementType)>,
    /// Name and type of the array behind them: its elements are words, and a request has at most as
    /// many.
    pub array: Option<(String, WindowType)>,
    /// The type of its result, a word. None without a reply.
    pub result: Option<ElementType>,
}

impl Handler {
    /// Words of its longest request behind the header: its number, the arguments and the array.
    pub fn words(&self) -> u32 {
        let arguments = u32::try_from(self.arguments.len()).unwrap_or(u32::MAX);
        arguments.saturating_add(self.array_elements()).saturating_add(1)
    }

    /// Elements of its array. 0 without one.
    pub fn array_elements(&self) -> u32 {
        self.array.as_ref().map_or(0, |(_, array)| array.elements)
    }
}

impl Plan {
    /// Elements of the largest array that a handler takes. 0 where none does.
    pub fn handled_elements(&self) -> u32 {
        self.services.handlers.iter().map(Handler::array_elements).max().unwrap_or(0)
    }
}
