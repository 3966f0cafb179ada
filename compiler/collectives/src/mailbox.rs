//! Mailbox: ranks send messages to the root, which receives them as they come. A kernel sends when
//! it wants, and says with each message how long it is.

use super::table::{Algorithm, Call, NOTHING, PLAIN, Row, Waits};
use super::{Class, Link, Plan, Rank, Shape};

pub(crate) static ROW: Row = Row {
    name: "mailbox",
    noun: "mailbox",
    takes_messages: true,
    call: Call::Opened,
    default: Shape::Mailbox,
    algorithms: &[Algorithm {
        word: "mailbox",
        links: |plan, _| links(plan),
        opened: true,
        most_links: |_, ranks| ranks.saturating_mul(2),
        class: |seat| Class::new(if seat.is_root() { "mailbox_root" } else { "mailbox_sender" }, []),
        outside: "mailbox_outside",
        waits: Waits::Nobody,
        ..NOTHING
    }],
    sentence: "{root} receives messages of up to {block} from the others of {ranks} kernels, as they come",
    ..PLAIN
};

/// From each other rank to the root, which merges them. Then from the root to all others at once:
/// the word with which it lets them send in a run.
fn links(plan: &Plan) -> Vec<Link> {
    let others = || Rank::all(plan.size).filter(|&rank| rank != plan.root);
    let up = others().map(|rank| Link { from: rank, to: vec![plan.root] });
    up.chain([Link { from: plan.root, to: others().collect() }]).collect()
}
