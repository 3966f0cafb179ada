//! Channel: every rank sends to at most one other rank, and receives from at most one, element by
//! element while its kernel computes. The kernel opens a link for a number of elements, as in the
//! Streaming Message Interface, and no call moves whole blocks.

use super::Shape;
use super::sendrecv::{class, partner_links};
use super::table::{Algorithm, Call, NOTHING, PLAIN, Row, Waits};

pub(crate) static ROW: Row = Row {
    name: "channel",
    noun: "channel",
    call: Call::Opened,
    names_partners: true,
    default: Shape::Direct,
    algorithms: &[Algorithm {
        word: "direct",
        links: |plan, _| partner_links(plan),
        class: |seat| class("channel_end", seat),
        waits: Waits::Nobody,
        ..NOTHING
    }],
    sentence: "each of {ranks} kernels sends up to {block} to one other, element by element, and receives the same",
    ..PLAIN
};
