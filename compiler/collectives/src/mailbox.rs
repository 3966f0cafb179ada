//! Mailbox: ranks send messages to the root, which receives them as they come. A kernel sends when
//! it wants, and says with each message how long it is. From the root a word goes to all others,
//! with which it lets them send in a run.

use super::channel::relay_links;
use super::table::{Algorithm, Call, NOTHING, PLAIN, Row, Waits};
use super::{Class, Shape};

pub(crate) static ROW: Row = Row {
    name: "mailbox",
    noun: "mailbox",
    takes_messages: true,
    call: Call::Opened,
    default: Shape::Mailbox,
    algorithms: &[Algorithm {
        word: "mailbox",
        links: |plan, _| relay_links(plan),
        opened: true,
        most_links: |_, ranks| ranks.saturating_sub(1).saturating_mul(2),
        class: |seat| Class::new(if seat.is_root() { "mailbox_root" } else { "mailbox_sender" }, []),
        outside: "mailbox_outside",
        waits: Waits::Nobody,
        ..NOTHING
    }],
    sentence: "{root} receives messages of up to {block} from the others of {ranks} kernels, as they come",
    ..PLAIN
};
