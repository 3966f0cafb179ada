//! One design of a pattern through all stages: the time of each message, and the load of each link.

use aiec_diag::{Diagnostic, SourceFile};
use aiec_event_model::{NETS, Trace};
use aiec_router_model::{EdgeUse, Way};

use crate::args::Placing;
use crate::invocation::{Invocation, finish};
use crate::pipeline::{self, Back, Front, Options};
use crate::sweep::Refusal;

/// The way of designs to their times.
pub(crate) struct Runner<'a> {
    /// The device, and the timing profile of all cycles.
    pub(crate) options: &'a Options,
    /// Limits of the search for buffers.
    pub(crate) placing: &'a Placing,
}

/// The results of a routed pattern.
#[derive(Clone, Debug)]
pub(crate) struct Sample {
    /// Array cycles until the last kernel was done.
    pub(crate) total: f64,
    /// The first message of each connection.
    pub(crate) messages: Vec<Message>,
    /// Links of the network that at least one net takes.
    pub(crate) links: Vec<EdgeUse>,
    /// For each net, the cycles at which it began to carry a message.
    pub(crate) begins: Vec<Vec<f64>>,
    /// For each node, the array cycles that it spent in a barrier or in the whole run.
    pub(crate) stays: Vec<f64>,
}

/// A window on its way from one node to another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Message {
    /// Array cycles from the start of the send to the end of the receive.
    pub(crate) cycles: f64,
    /// Hops between switches. None when the message goes through shared memory.
    pub(crate) hops: Option<u32>,
}

impl Runner<'_> {
    /// Compiles and runs a design. Fails with the first error of a stage.
    pub(crate) fn run(&self, text: &str) -> Result<Sample, Refusal> {
        let mut invocation = Invocation { is_one_of_many: true, ..Invocation::default() };
        let sample = self.sample(text, &mut invocation);
        let refusal =
            || invocation.log.diagnostics.iter().find(|diagnostic| Diagnostic::is_error(diagnostic));
        sample.ok_or_else(|| refusal().map(Refusal::from).unwrap_or_default())
    }

    fn sample(&self, text: &str, invocation: &mut Invocation) -> Option<Sample> {
        let id = invocation.sources.add("traffic.dsl", text);
        let source = SourceFile { id, name: "traffic.dsl".to_owned(), text: text.to_owned() };
        let front = pipeline::front(&source, self.options, &mut invocation.log)?;
        let back = finish(&front, self.placing, self.options, invocation)?;
        let whole = back.whole(&front);
        let (timeline, trace) = aiec_event_model::traced(&whole, &front.profile, &|_| ());
        let timeline = invocation.log.take(timeline)?;
        let begins = begins(&trace, back.routed.from_ports().count());
        Some(Sample {
            total: timeline.total_cycles,
            messages: messages(&front, &back, &begins),
            links: aiec_router_model::edge_table(&back.routed, &front.device),
            begins,
            stays: timeline.kernels.iter().filter_map(|kernel| kernel.finished_at).collect(),
        })
    }
}

/// For each net, the cycles at which it began to carry something.
fn begins(trace: &Trace, nets: usize) -> Vec<Vec<f64>> {
    let mut begins = vec![Vec::new(); nets];
    for event in trace.events.iter().filter(|event| event.group == NETS) {
        if let (Some(begin), Some(net)) = (event.begin, begins.get_mut(event.track)) {
            net.push(begin);
        }
    }
    begins
}

fn messages(front: &Front, back: &Back, begins: &[Vec<f64>]) -> Vec<Message> {
    let whole = back.whole(front);
    let costs = aiec_event_model::logp(&whole, &front.profile);
    let times = whole.checked.connections.ids().zip(&back.estimate.connections);
    let all = times.filter_map(|(id, estimate)| {
        let alone = costs[id]?;
        if estimate.way == Way::Shared {
            return Some(Message { cycles: alone.message, hops: None });
        }
        let net =
            whole.routed.from_ports().position(|route| route.net.sinks.iter().any(|end| end.0 == id))?;
        let begin = *begins.get(net)?.first()?;
        // The message alone, from the end of its send on.
        let cycles = begin + alone.latency + alone.receive.unwrap_or(0.0);
        Some(Message { cycles, hops: Some(estimate.hops) })
    });
    all.collect()
}
