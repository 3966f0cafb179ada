//! Rates: a kernel takes one window of each synchronous port in every run, so its producer has to
//! send one.
//!
//! A collective sends `chunks x calls` windows of its result in a run. An asynchronous port passes
//! as many windows as its code acquires; the design may state that number (`windows`). Windows that
//! a consumer does not take stay in the buffers: the producer then waits for ever for an empty
//! buffer, or the windows belong to another run by then. An input or output moves as many windows
//! as its kernel passes: one unless the design states a number, and the same number for all readers
//! of an input.

use aiec_diag::Diagnostic;

use super::context::{Context, grouped};
use crate::errors::rates as errors;
use aiec_collectives::Direction;
use aiec_ir::ConnectionId;
use aiec_ir::expanded::{PortRole, Windows};

pub(super) fn check(context: &Context) -> Vec<Diagnostic> {
    let mut found = results(context);
    found.extend(stated(context));
    found.extend(readers(context));
    found
}

/// Results of collectives that synchronous ports take.
fn results(context: &Context) -> Vec<Diagnostic> {
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

/// Numbers that `windows` states: they must agree for one port, and for both ends of a connection.
fn stated(context: &Context) -> Vec<Diagnostic> {
    let design = context.expanded;
    let twice = design.connections.enumerate().flat_map(|(id, connection)| {
        let ends = [(connection.from, &connection.windows.from), (connection.to, &connection.windows.to)];
        ends.into_iter().filter_map(move |(port, windows)| {
            let (first, second) = (design.stated_windows(port)?, windows.as_ref()?);
            (first.value != second.value).then_some(((first.span, second.span), (port, id)))
        })
    });
    let twice = grouped(twice);
    let mut found: Vec<Diagnostic> = twice
        .iter()
        .map(|((first, second), ports)| {
            let (port, id) = ports[0];
            let connection = &design.connections[id];
            let Windows { from, to } = &connection.windows;
            let other = if connection.from == port { from } else { to };
            let numbers = (design.stated_windows(port), other.as_ref());
            errors::stated_twice(design, port, numbers.0.zip(numbers.1), *first, *second)
        })
        .collect();
    let apart = design.connections.enumerate().filter_map(|(id, connection)| {
        let Windows { from, to } = &connection.windows;
        let span = to.as_ref().or(from.as_ref())?.span;
        let sent = design.windows_per_run(connection.from)?;
        let taken = design.windows_per_run(connection.to)?;
        (sent != taken).then_some((span, (id, sent, taken)))
    });
    found.extend(grouped(apart).values().map(|ends| errors::ends_disagree(design, ends)));
    found
}

/// Inputs whose readers take different numbers of windows, although each reader gets every window.
fn readers(context: &Context) -> Vec<Diagnostic> {
    let design = context.expanded;
    let faults = design.externals.iter().filter_map(|external| {
        let connections = &design.ports[external.port].connections;
        let taken = |id: &ConnectionId| {
            let reader = design.connections[*id].to;
            (reader, design.windows_per_run(reader).unwrap_or(1))
        };
        let (first, number) = taken(connections.first()?);
        let (second, other) = connections.iter().map(taken).find(|(_, other)| *other != number)?;
        (external.direction == Direction::Out)
            .then_some((external.span, (external.port, [(first, number), (second, other)])))
    });
    grouped(faults)
        .values()
        .map(|inputs| errors::readers_disagree(design, inputs[0].0, inputs[0].1))
        .collect()
}

/// Windows of the result in one run.
fn windows(context: &Context, collective: aiec_ir::CollectiveId) -> u64 {
    let collective = &context.expanded.collectives[collective];
    u64::from(collective.chunks()) * u64::from(collective.calls)
}

#[cfg(test)]
mod tests {
    use crate::testing::{rendered, slugs_on_toy, toy};
    use aiec_test_support::{Builder, Reduce, input, int32, output};

    /// A reduction of `data` elements in windows of 64, `calls` times per run. Its result goes to
    /// `end`.
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

    /// An input that two kernels read, and a connection between kernels. `ends` states numbers of
    /// windows for their ends.
    fn edges(ends: &[(&str, &str)]) -> Builder {
        let mut builder = Builder::new("rates", "toy");
        builder.gmio_input("s").gmio_output("o");
        builder.kernels("a", &[], &[input("x", int32(64)), output("y", int32(64))]);
        builder.kernels("b", &[], &[input("x", int32(64)), output("y", int32(64))]);
        for (from, to) in ends {
            builder.connect(from, to);
        }
        builder
    }

    #[test]
    fn all_readers_of_an_input_take_the_same_number_of_windows() {
        let read = |a: &str, b: &str| {
            slugs_on_toy(edges(&[("s", a), ("s", b), ("a.y", "o"), ("b.y", "o2")]).gmio_output("o2"))
        };
        assert_eq!(read("async a.x windows 80", "async b.x windows 80"), [""; 0]);
        assert_eq!(read("async a.x", "b.x"), [""; 0], "both take one");
        assert_eq!(read("async a.x windows 80", "async b.x windows 40"), ["check/windows-disagree"]);
        assert_eq!(read("async a.x windows 80", "b.x"), ["check/windows-disagree"]);
        assert_eq!(read("async a.x", "async b.x windows 80"), ["check/windows-disagree"]);
    }

    #[test]
    fn what_one_kernel_sends_the_other_takes() {
        let between = |from: &str, to: &str| slugs_on_toy(&edges(&[("s", "a.x"), (from, to), ("b.y", "o")]));
        assert_eq!(between("async a.y windows 3", "async b.x windows 3"), [""; 0]);
        assert_eq!(between("async a.y windows 3", "async b.x"), [""; 0], "nobody says what b takes");
        assert_eq!(between("async a.y windows 3", "async b.x windows 4"), ["check/rate-mismatch"]);
        assert_eq!(between("async a.y windows 3", "b.x"), ["check/rate-mismatch"]);
        assert_eq!(between("a.y", "async b.x windows 3"), ["check/rate-mismatch"]);
        assert_eq!(between("a.y", "async b.x windows 1"), [""; 0]);
    }

    #[test]
    fn a_port_has_one_number_however_often_it_is_said() {
        let twice = |second: &str| {
            slugs_on_toy(
                edges(&[("s", "a.x"), ("async a.y windows 3", "async b.x"), (second, "o"), ("b.y", "p")])
                    .gmio_output("p"),
            )
        };
        assert_eq!(twice("async a.y windows 3"), [""; 0]);
        assert_eq!(twice("async a.y"), [""; 0]);
        assert_eq!(twice("async a.y windows 4"), ["check/windows-disagree"]);
    }

    #[test]
    fn a_result_and_its_reader_agree() {
        assert_eq!(slugs_on_toy(&design(256, 3, "async sink.x windows 12")), [""; 0]);
        assert_eq!(slugs_on_toy(&design(256, 3, "async sink.x windows 4")), ["check/rate-mismatch"]);
    }

    #[test]
    fn both_numbers_and_the_way_out_are_named() {
        let text = rendered(&design(256, 3, "sink.x"), &toy());
        assert!(text.contains("sends 12 windows in every run (4 for each of 3 calls)"), "{text}");
        assert!(text.contains("`connect total.result -> async sink.x`"), "{text}");
    }
}
