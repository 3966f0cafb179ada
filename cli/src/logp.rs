//! `aiec report --logp`: the cost of each connection, as a table and as JSON.

use aiec_event_model::LogP;
use aiec_router_model::Way;
use aiec_timing::{Basis, TimingProfile};
use serde::Serialize;

use crate::pipeline::{Back, Front};
use crate::table::Table;

/// The costs of all connections.
#[derive(Debug, Serialize)]
pub(crate) struct Costs {
    /// The name of the timing profile.
    pub(crate) profile: String,
    /// What its cycles rest on.
    pub(crate) note: String,
    /// One entry for each connection, in the order of the report.
    pub(crate) connections: Vec<Entry>,
}

/// The cost of a connection.
#[derive(Debug, Serialize)]
pub(crate) struct Entry {
    from: String,
    to: String,
    way: Way,
    /// Bytes of a message: a window, what one run moves, a packet of a channel to any peer, or the
    /// largest message of a mailbox, request or reply. 0 where the design states no amount.
    bytes: u64,
    /// What the cost rests on. None when there is no cost.
    #[serde(skip_serializing_if = "Option::is_none")]
    basis: Option<Basis>,
    /// The cost, in array cycles. Its fields are missing where the model makes no statement.
    #[serde(flatten)]
    cost: Option<LogP>,
}

/// The costs of a placed design.
pub(crate) fn costs(front: &Front, back: &Back) -> Costs {
    let checked = front.timed();
    let all = aiec_event_model::logp(&back.timed(front), &front.profile);
    let entries =
        checked.connections.enumerate().zip(&back.estimate.connections).map(|((id, one), times)| {
            let [from, to] = [one.from, one.to].map(|port| checked.port_name(port));
            let bytes = all[id].map_or(times.bytes, |cost| cost.bytes);
            let basis = all[id].map(|_| basis(&front.profile, times.way, bytes));
            let bytes = checked.message_at(one.from).map_or(bytes, |message| message.bytes);
            Entry { from, to, way: times.way, bytes, basis, cost: all[id] }
        });
    let profile = &front.profile;
    Costs { profile: profile.name.clone(), note: profile.note(), connections: entries.collect() }
}

/// What the cost of a message rests on. Streams follow documents.
fn basis(profile: &TimingProfile, way: Way, bytes: u64) -> Basis {
    match way {
        Way::Shared | Way::Dma => Basis::of_window(profile, bytes),
        Way::Stream | Way::Cascade | Way::External => Basis::of_documents(profile),
    }
}

/// The costs as a table.
pub(crate) fn text(name: &str, costs: &Costs) -> String {
    let mut table = Table::new(&[
        "from", "to", "by", "bytes", "send", "latency", "receive", "message", "gap", "rests on",
    ]);
    costs.connections.iter().for_each(|entry| table.row(row(entry)));
    format!(
        "Connections of {name} (cycles of a message in profile {}; gap: least from one message to the next)\n\
         {}\n{NOTE}\n{}\n",
        costs.profile,
        table.text(),
        costs.note,
    )
}

/// What the figures of streams follow, and where there are none.
const NOTE: &str = "\
Streams follow AM009. No document states the latency of a cascade or the cost of a run-time
parameter: `-`, as where the design states no amount.";

fn row(entry: &Entry) -> Vec<String> {
    let Entry { from, to, way, bytes, basis, cost } = entry;
    let way = match way {
        Way::Shared => "shared memory",
        Way::Dma => "DMA",
        Way::Stream => "stream",
        Way::Cascade => "cascade",
        Way::External => "array edge",
    };
    let cycles = |cycles: Option<f64>| cycles.map_or_else(|| "-".to_owned(), |cycles| format!("{cycles:.0}"));
    let times = [
        cost.and_then(|cost| cost.send),
        cost.map(|cost| cost.latency),
        cost.and_then(|cost| cost.receive),
        cost.map(|cost| cost.message),
        cost.map(|cost| cost.gap),
    ];
    let bytes = if *bytes == 0 { "-".to_owned() } else { bytes.to_string() };
    let words = [from.clone(), to.clone(), way.to_owned(), bytes];
    let rests_on = basis.map_or("-", Basis::words).to_owned();
    words.into_iter().chain(times.map(cycles)).chain([rests_on]).collect()
}
