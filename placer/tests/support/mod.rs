//! Designs to place, and test helpers.
#![allow(dead_code, reason = "every test file uses some of them")]
#![allow(clippy::panic, reason = "a test that panics fails")]

use aiec_check::{Checked, check};
use aiec_device::{Device, builtin};
use aiec_diag::Outcome;
use aiec_ir::{Direction, WindowType};
use aiec_placer::{Objective, PlaceOptions, Placed, Placement, place, verify};
use aiec_test_support::{Builder, Reduce, input, int32, output};

pub fn vc1902() -> Device {
    value(builtin("xcvc1902").expect("built in"))
}

pub fn toy() -> Device {
    value(builtin("toy").expect("built in"))
}

/// The value of an outcome. Panics without one.
pub fn value<T>(outcome: Outcome<T>) -> T {
    let (value, diagnostics) = outcome.into_parts();
    value.unwrap_or_else(|| panic!("no value: {diagnostics:#?}"))
}

pub fn checked(builder: &Builder, device: &Device) -> Checked {
    value(check(builder.expanded().expect("names are right"), device))
}

/// A reduction of windows of `window` over `kernels` kernels, with the result to a GMIO.
pub fn tree(kernels: u32, arity: u32, window: WindowType) -> Builder {
    let mut builder = Builder::new("tree", "xcvc1902");
    builder
        .kernels("worker", &[kernels], &[])
        .gmio_output("sum")
        .reduce(Reduce::over("total", &["worker"], window).arity(arity))
        .connect("total.result", "sum");
    builder
}

/// The reduction of the thesis, chapter 4: 63 kernels with 8 KiB of stack and 1 KiB of heap, result
/// and cycles to GMIO.
pub fn thesis(window: u32) -> Builder {
    let mut builder = Builder::new("thesis", "xcvc1902");
    builder
        .kernels("worker", &[63], &[])
        .stack("worker", 8192)
        .heap("worker", 1024)
        .gmio_output("sum")
        .gmio_output("cycles")
        .reduce(
            Reduce::over("total", &["worker"], int32(window / 4))
                .cycles(WindowType { element: aiec_ir::ElementType::Int64, elements: window / 8 }),
        )
        .connect("total.result", "sum")
        .connect("total.cycles", "cycles");
    builder
}

/// Kernels `k0`, `k1`, ... with a window of `bytes` bytes along each edge.
pub fn graph(kernels: usize, edges: &[(usize, usize)], bytes: u32) -> Builder {
    let window = int32(bytes / 4);
    let names: Vec<String> = (0..edges.len()).map(|edge| format!("w{edge}")).collect();
    let mut builder = Builder::new("graph", "xcvc1902");
    for kernel in 0..kernels {
        let all = || edges.iter().zip(&names);
        let into = all().filter(|((_, to), _)| *to == kernel).map(|(_, name)| input(name, window));
        let out = all().filter(|((from, _), _)| *from == kernel).map(|(_, name)| output(name, window));
        builder.kernels(&format!("k{kernel}"), &[], &into.chain(out).collect::<Vec<_>>());
    }
    for ((from, to), name) in edges.iter().zip(&names) {
        builder.connect(&format!("k{from}.{name}"), &format!("k{to}.{name}"));
    }
    builder
}

/// A random graph: each kernel has two outputs, connected to inputs of kernels that still have one
/// free.
pub fn random_graph(kernels: u32, seed: u64) -> Builder {
    let mut state = seed;
    let mut random = move |bound: u32| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) % u64::from(bound)) as u32
    };
    let w = int32(16);
    let mut builder = Builder::new("random", "xcvc1902");
    builder.kernels("node", &[kernels], &[input("a", w), input("b", w), output("x", w), output("y", w)]);
    // Two permutations: every port has exactly one connection. Asynchronous, to avoid deadlocks.
    for (from, to) in [("x", "a"), ("y", "b")] {
        let mut targets: Vec<u32> = (0..kernels).collect();
        for i in (1..kernels).rev() {
            targets.swap(i as usize, random(i + 1) as usize);
        }
        for (i, target) in targets.into_iter().enumerate() {
            builder.connect(&format!("async node[{i}].{from}"), &format!("async node[{target}].{to}"));
        }
    }
    builder
}

/// `lanes` pipelines of `stages` kernels between PLIO of 64 bits.
pub fn pipelines(lanes: u32, stages: u32) -> Builder {
    let w = int32(256);
    let mut builder = Builder::new("pipelines", "xcvc1902");
    builder
        .kernels("stage", &[lanes, stages], &[input("x", w), output("y", w)])
        .plio("samples", &[lanes], Direction::Out, 64)
        .plio("results", &[lanes], Direction::In, 64);
    for lane in 0..lanes {
        builder.connect(&format!("samples[{lane}]"), &format!("stage[{lane}][0].x"));
        for stage in 1..stages {
            builder.connect(&format!("stage[{lane}][{}].y", stage - 1), &format!("stage[{lane}][{stage}].x"));
        }
        builder.connect(&format!("stage[{lane}][{}].y", stages - 1), &format!("results[{lane}]"));
    }
    builder
}

/// One kernel that sends the same window to `sinks` others.
pub fn broadcast(sinks: u32) -> Builder {
    let w = int32(64);
    let mut builder = Builder::new("broadcast", "xcvc1902");
    builder
        .kernels("source", &[], &[input("x", w), output("y", w)])
        .kernels("sink", &[sinks], &[input("x", w), output("y", w)])
        .plio_input("samples", 128)
        .plio("results", &[sinks], Direction::In, 32)
        .connect("samples", "source.x");
    for sink in 0..sinks {
        builder
            .connect("source.y", &format!("sink[{sink}].x"))
            .connect(&format!("sink[{sink}].y"), &format!("results[{sink}]"));
    }
    builder
}

pub const QUICK: PlaceOptions = PlaceOptions { effort: 1, seed: 1, objective: Objective::USUAL };

/// Places and verifies; panics with the diagnostics if either fails.
pub fn placed(checked: &Checked, device: &Device) -> Placed {
    value(verify(checked, device, placement(checked, device)))
}

pub fn placement(checked: &Checked, device: &Device) -> Placement {
    value(place(checked, device, &QUICK))
}

/// Slugs of an outcome's diagnostics.
pub fn slugs<T>(outcome: &Outcome<T>) -> Vec<&'static str> {
    outcome.diagnostics().iter().map(|d| d.code.slug).collect()
}
