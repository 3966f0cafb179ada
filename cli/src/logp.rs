//! `aiec report --logp`: the cost of each connection, as a table and as JSON.

use aiec_event_model::LogP;
use aiec_router_model::Way;
use serde::Serialize;

use crate::pipeline::{Back, Front};
use crate::table::Table;

/// The costs of all connections.
#[derive(Debug, Serialize)]
pub(crate) struct Costs {
    /// The timing profile.
    pub(crate) profile: String,
    /// One entry for each connection, in the order of the report.
    pub(crate) connections: Vec<Entry>,
}

/// The cost of a connection.
#[derive(Debug, Serialize)]
pub(crate) struct Entry {
    from: String,
    to: String,
    way: Way,
    /// Bytes of a message: a window, or what one run moves. 0 where the design states no amount.
    bytes: u64,
    /// The cost, in array cycles. Its fields are missing where the model makes no statement.
    #[serde(flatten)]
    cost: Option<LogP>,
}

/// The costs of a placed design.
pub(crate) fn costs(front: &Front, back: &Back) -> Costs {
    let checked = &front.checked;
    let all = aiec_event_model::logp(&back.whole(front), &front.profile);
    let entries =
        checked.connections.enumerate().zip(&back.estimate.connections).map(|((id, one), times)| {
            let [from, to] = [one.from, one.to].map(|port| checked.port_name(port));
            Entry { from, to, way: times.way, bytes: times.bytes, cost: all[id] }
        });
    Costs { profile: front.profile.name.clone(), connections: entries.collect() }
}

/// The costs as a table.
pub(crate) fn text(name: &str, costs: &Costs) -> String {
    let mut table =
        Table::new(&["from", "to", "by", "bytes", "send", "latency", "receive", "message", "gap"]);
    costs.connections.iter().for_each(|entry| table.row(row(entry)));
    format!(
        "Connections of {name} (cycles of a message in profile {}; gap: least from one message to the next)\n\
         {}\n{NOTE}\n",
        costs.profile,
        table.text(),
    )
}

/// What the figures rest on.
const NOTE: &str = "\
Only windows between kernels were measured; streams follow AM009. No document states the latency of
a cascade or the cost of a run-time parameter: `-`, as where the design states no amount.";

fn row(entry: &Entry) -> Vec<String> {
    let Entry { from, to, way, bytes, cost } = entry;
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
    words.into_iter().chain(times.map(cycles)).collect()
}
