//! The costs of a connection against runs of the event model, in which two kernels do nothing but
//! send and receive.

mod common;

use aiec_event_model::{LogP, logp, run};
use aiec_ir::{Buffering, Carries, ConnectionId, Direction};
use aiec_test_support::{Builder, int32, stream};
use aiec_timing::TimingProfile;
use common::laid::{Laid, value};

/// The costs of the only connection, and the cycle at which its receiver has finished.
fn costs(builder: &Builder) -> (LogP, f64) {
    let laid = Laid::of(builder);
    let whole = laid.whole();
    let profile = TimingProfile::thesis();
    let timeline = value(run(&whole, &profile, &|_| ()));
    let all = logp(&whole, &profile);
    let end = timeline.kernels[1].finished_at.expect("it finishes");
    (all[ConnectionId(0)].expect("its amount is known"), end)
}

/// A sender and a receiver `apart` columns from each other. Ports carry windows, or streams of as
/// many elements.
struct Pair {
    apart: i64,
    elements: u32,
    buffering: Buffering,
    streams: [bool; 2],
}

impl Pair {
    fn builder(&self, iterations: u32) -> Builder {
        let port = |streams| match streams {
            true => stream(Some(self.elements)),
            false => Carries::window_of(int32(self.elements)),
        };
        let mut builder = Builder::new("pair", "xcvc1902");
        builder.carrying("from", &[], &[(Direction::Out, "y", port(self.streams[0]))]);
        builder.carrying("to", &[], &[(Direction::In, "x", port(self.streams[1]))]);
        builder.connect_with("from.y", "to.x", self.buffering);
        builder.place("from", 2, 0).place("to", 2 + self.apart, if self.apart == 0 { 1 } else { 0 });
        builder.iterations(iterations);
        builder
    }

    /// The message takes as long as the only one of a run, and each further one takes the gap.
    #[track_caller]
    fn agrees(&self) -> LogP {
        let (costs, end) = self::costs(&self.builder(1));
        assert!((costs.message - end).abs() < HUNDREDTH, "{costs:?}: {end}");
        let (few, many) = (self::costs(&self.builder(20)).1, self::costs(&self.builder(40)).1);
        assert!(((many - few) / 20.0 - costs.gap).abs() < HUNDREDTH, "{costs:?}: {}", (many - few) / 20.0);
        costs
    }
}

/// Times of the event model are whole hundredths of cycles.
const HUNDREDTH: f64 = 0.01;

const WINDOWS: [bool; 2] = [false, false];

#[test]
fn windows_through_shared_memory_wait_for_locks_alone() {
    for (elements, buffering) in
        [(4, Buffering::Pingpong), (1024, Buffering::Pingpong), (64, Buffering::Single)]
    {
        let costs = Pair { apart: 0, elements, buffering, streams: WINDOWS }.agrees();
        assert_eq!((costs.send, costs.receive), (Some(93.0), Some(93.0)), "thesis 4.5.1: 48 and 45");
    }
}

#[test]
fn windows_by_dma_wait_for_the_stream_or_for_their_buffers() {
    for (elements, buffering) in
        [(4, Buffering::Pingpong), (1024, Buffering::Pingpong), (64, Buffering::Single)]
    {
        Pair { apart: 5, elements, buffering, streams: WINDOWS }.agrees();
    }
    let costs = Pair { apart: 5, elements: 1024, buffering: Buffering::Single, streams: WINDOWS }.agrees();
    assert!(costs.gap > 1024.0, "a buffer is empty again when all of it has left");
}

#[test]
fn streams_move_a_word_a_cycle_and_cross_switches_of_four_cycles() {
    let costs =
        Pair { apart: 5, elements: 64, buffering: Buffering::Pingpong, streams: [true, true] }.agrees();
    // AM009: 4 cycles for each of the 6 switches on the way.
    assert_eq!((costs.send, costs.latency, costs.gap), (Some(64.0), 24.0, 64.0));
}

#[test]
fn a_stream_may_end_in_a_buffer_and_begin_in_one() {
    for streams in [[true, false], [false, true]] {
        Pair { apart: 3, elements: 256, buffering: Buffering::Pingpong, streams }.agrees();
    }
}

/// A kernel writes words to a port of the array, which takes 4 cycles for each of them.
#[test]
fn a_message_ends_when_a_slow_output_has_its_last_word() {
    let builder = |iterations| {
        let mut builder = Builder::new("slow", "xcvc1902");
        builder.carrying("from", &[], &[(Direction::Out, "y", stream(Some(256)))]);
        builder.plio_output("o", 32).connect("from.y", "o").place("from", 2, 0).iterations(iterations);
        builder
    };
    let end = |iterations| {
        let laid = Laid::of(&builder(iterations));
        value(run(&laid.whole(), &TimingProfile::thesis(), &|_| ())).total_cycles
    };
    let laid = Laid::of(&builder(1));
    let costs = logp(&laid.whole(), &TimingProfile::thesis())[ConnectionId(0)].expect("its amount is known");
    assert_eq!((costs.send, costs.gap), (Some(256.0), 1024.0));
    assert!(costs.message > 1024.0 && (costs.message - end(1)).abs() < HUNDREDTH, "{costs:?}: {}", end(1));
    assert!(((end(40) - end(20)) / 20.0 - costs.gap).abs() < HUNDREDTH, "{costs:?}");
}
