//! Rates: a kernel takes one window of each synchronous port in every run, so its producer has to send one.
//!
//! Only a collective can send another number: `chunks x calls` windows of its result in a run. What a synchronous consumer
//! does not take stays in the buffers until the root waits for an empty one for ever, or belongs to another
//! run by then. Asynchronous ports take what their code acquires, inputs and outputs whatever comes.

use aiec_diag::Diagnostic;

use super::context::{Context, grouped};
use crate::errors::rates as errors;
use crate::expanded::PortRole;

pub(super) fn check(context: &Context) -> Vec<Diagnostic> {
    let design = context.expanded;
    let faults = design.connections.enumerate().filter_map(|(id, connection)| {
        let PortRole::Result(collective) = design.ports[connection.from].role else { return None };
        let waits = design.kernel_of(connection.to).is_some() && !design.ports[connection.to].asynchronous;
        (waits && windows(context, collective) != 1).then_some((collective, id))
    });
    let groups = grouped(faults);
    let groups = groups.iter();
    groups
        .map(|(&id, connections)| {
            errors::rate_mismatch(design, &design.collectives[id], windows(context, id), connections)
        })
        .collect()
}

/// Windows of the result in one run.
fn windows(context: &Context, collective: crate::CollectiveId) -> u64 {
    let collective = &context.expanded.collectives[collective];
    u64::from(collective.chunks()) * u64::from(collective.calls)
}

#[cfg(test)]
mod tests {
    use crate::build::{Builder, Reduce, input, int32};
    use crate::check::testing::{rendered, slugs_on_toy, toy};

    /// A reduction of `data` elements in windows of 64, `calls` times a run, whose result goes to `end`.
    fn design(data: u32, calls: u32, end: &str) -> Builder {
        let mut builder = Builder::new("rates", "toy");
        builder.kernels("worker", &[4], &[]).kernels("sink", &[], &[input("x", int32(64))]);
        let reduce = Reduce::over("total", &["worker"], int32(64)).data(int32(data)).calls(calls);
        builder.reduce(reduce).connect("total.result", end);
        builder
    }

    #[test]
    fn a_synchronous_port_takes_one_window_of_a_result() {
        assert_eq!(slugs_on_toy(&design(64, 1, "sink.x")), [""; 0]);
        assert_eq!(slugs_on_toy(&design(256, 1, "sink.x")), ["check/rate-mismatch"]);
        assert_eq!(slugs_on_toy(&design(64, 3, "sink.x")), ["check/rate-mismatch"]);
    }

    #[test]
    fn an_asynchronous_port_takes_what_it_acquires() {
        assert_eq!(slugs_on_toy(&design(256, 3, "async sink.x")), [""; 0]);
    }

    #[test]
    fn an_output_takes_every_window() {
        let mut builder = Builder::new("rates", "toy");
        builder.kernels("worker", &[4], &[]).gmio_output("sum");
        let reduce = Reduce::over("total", &["worker"], int32(64)).data(int32(256)).calls(3);
        builder.reduce(reduce).connect("total.result", "sum");
        assert_eq!(slugs_on_toy(&builder), [""; 0]);
    }

    #[test]
    fn both_numbers_and_the_way_out_are_named() {
        let text = rendered(&design(256, 3, "sink.x"), &toy());
        assert!(text.contains("sends 12 windows in every run (4 for each of 3 calls)"), "{text}");
        assert!(text.contains("`connect total.result -> async sink.x`"), "{text}");
    }
}
