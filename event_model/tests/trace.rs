//! Traces of runs, compared with the times of the run itself.

mod common;

use std::collections::BTreeMap;

use aiec_collectives::{Operation, Shape};
use aiec_event_model::{CHANNELS, KERNELS, LOCKS, NETS, Timeline, Trace, TraceEvent, traced};
use aiec_test_support::{Builder, Reduce, input, int32, output};
use aiec_timing::TimingProfile;
use common::laid::{Laid, value};

fn run(builder: &Builder) -> (Timeline, Trace) {
    let laid = Laid::of(builder);
    let whole = laid.whole();
    let (timeline, trace) = traced(&whole, &TimingProfile::thesis(), &|_| ());
    (value(timeline), trace)
}

/// Two kernels far apart, the second slower than the first.
fn far_apart() -> Builder {
    let mut builder = Builder::new("pair", "xcvc1902");
    builder.kernels("first", &[], &[output("y", int32(64))]);
    builder.kernels("second", &[], &[input("x", int32(64)), output("y", int32(64))]).gmio_output("out");
    builder.connect("first.y", "second.x").connect("second.y", "out");
    builder.place("first", 2, 0).place("second", 9, 3);
    builder.cycles("second", 700).iterations(4);
    builder
}

fn along_the_cascade() -> Builder {
    let mut builder = Builder::new("chain", "toy");
    builder.kernels("w", &[3], &[]);
    let total = Reduce::over("total", &["w"], int32(64)).root("w[2]").calls(2);
    builder.reduce(total.operation(Operation::Reduce, Shape::Cascade));
    builder
}

fn tree() -> Builder {
    let mut builder = Builder::new("tree", "xcvc1902");
    builder.kernels("worker", &[7], &[]).stack("worker", 4096).gmio_output("sum");
    builder.reduce(Reduce::over("total", &["worker"], int32(64)).calls(3));
    builder.connect("total.result", "sum");
    builder
}

fn slices(trace: &Trace, group: u32, track: usize) -> Vec<&TraceEvent> {
    let own = |event: &&TraceEvent| event.phase == "X" && (event.group, event.track) == (group, track);
    trace.events.iter().filter(own).collect()
}

#[test]
fn slices_of_a_kernel_add_up_to_its_work_and_its_waits() {
    for builder in [far_apart(), tree()] {
        let (timeline, trace) = run(&builder);
        for (at, kernel) in timeline.kernels.iter().enumerate() {
            let sum = |category: &str| {
                let own = slices(&trace, KERNELS, at).into_iter().filter(|slice| slice.category == category);
                own.filter_map(|slice| slice.cycles).sum::<f64>()
            };
            let (work, wait) = (sum("work"), sum("wait"));
            assert!((work - kernel.busy_cycles).abs() < 1e-6, "{} works {work}: {kernel:?}", kernel.name);
            assert!((wait - kernel.waiting_cycles).abs() < 1e-6, "{} waits {wait}: {kernel:?}", kernel.name);
        }
    }
}

#[test]
fn nobody_does_two_things_at_once_or_anything_after_the_end() {
    for builder in [far_apart(), tree(), along_the_cascade()] {
        let (timeline, trace) = run(&builder);
        let mut tracks: BTreeMap<(u32, usize), Vec<(f64, f64)>> = BTreeMap::new();
        for event in trace.events.iter().filter(|event| event.phase == "X") {
            let (begin, cycles) = (event.begin.expect("of a slice"), event.cycles.expect("of a slice"));
            tracks.entry((event.group, event.track)).or_default().push((begin, begin + cycles));
        }
        for (track, times) in &mut tracks {
            times.sort_by(|a, b| a.0.total_cmp(&b.0));
            assert!(times.windows(2).all(|two| two[0].1 <= two[1].0 + 1e-6), "{track:?}: {times:?}");
            let end = times.last().expect("not empty").1;
            assert!(end <= timeline.total_cycles + 1e-6, "{track:?} ends at {end}");
        }
    }
}

#[test]
fn tracks_and_slices_have_the_names_of_the_design() {
    let (_, trace) = run(&far_apart());
    let groups = trace.events.iter().filter(|event| event.name == "process_name");
    let groups: Vec<&str> = groups.filter_map(|event| Some(event.named.as_ref()?.name.as_str())).collect();
    assert_eq!(groups, ["kernels", "nets", "locks", "DMA channels"]);
    assert_eq!(track_names(&trace, KERNELS), ["first", "second"]);
    assert_eq!(track_names(&trace, NETS), ["first.y -> second.x", "second.y -> out"]);
    let first: Vec<&str> =
        slices(&trace, KERNELS, 1).iter().map(|slice| slice.name.as_str()).take(6).collect();
    assert_eq!(first, ["wait for x", "acquire x", "acquire y", "run", "release y", "release x"]);
    assert_eq!(slices(&trace, NETS, 0).len(), 4, "a block in each iteration");
    let json = serde_json::to_value(&trace).expect("plain data");
    assert_eq!(json["traceEvents"][4]["args"]["name"], "first");
    assert_eq!(json["otherData"]["complete"], true);
    let total = json["otherData"]["cycles"].as_f64().expect("cycles of the run");
    let ends = trace.events.iter().filter_map(|event| Some(event.begin? + event.cycles?));
    assert!(ends.fold(0.0, f64::max) <= total, "nothing is shown behind the end of {total} cycles");
    assert_eq!(json["otherData"]["profile"], "vck190-thesis");
    assert!(json["otherData"]["note"].as_str().is_some_and(|note| note.contains("all else was not")));
}

fn track_names(trace: &Trace, group: u32) -> Vec<&str> {
    let own = trace.events.iter().filter(|event| event.group == group && event.name == "thread_name");
    own.filter_map(|event| event.named.as_ref()).map(|named| named.name.as_str()).collect()
}

#[test]
fn buffers_and_channels_have_tracks() {
    let (_, trace) = run(&far_apart());
    assert_eq!(
        track_names(&trace, LOCKS),
        [
            "first.y, buffer 0",
            "first.y, buffer 1",
            "second.x, buffer 0",
            "second.x, buffer 1",
            "second.y, buffer 0",
            "second.y, buffer 1"
        ],
        "ping and pong take turns"
    );
    assert_eq!(track_names(&trace, CHANNELS), ["MM2S of first.y", "S2MM of second.x", "MM2S of second.y"]);
    // Four blocks of 64 words, at a word a cycle.
    let cycles =
        |group: u32| trace.events.iter().filter(move |event| event.group == group && event.phase == "X");
    assert!(cycles(CHANNELS).all(|event| event.cycles == Some(64.0)));
    assert_eq!(cycles(CHANNELS).count(), 3 * 4);
    // The second kernel holds both windows while it works for 700 cycles.
    let held = cycles(LOCKS).filter(|event| event.cycles.is_some_and(|cycles| cycles > 700.0));
    assert_eq!(held.count(), 2 * 4);
}
