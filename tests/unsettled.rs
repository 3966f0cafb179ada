//! What `aiec check` says of a sound design: amounts that it does not know, and orders in the C++
//! of kernels that it assumes.

use aiec_tests::{aiec, design};

#[test]
fn a_check_says_which_orders_of_streams_it_assumes() {
    let ring = "design d device toy
        kernel a(in x: window int32[64], in back: stream int32[64], out y: stream int32[64]) { source \"a.cc\" }
        kernel b(in x: stream int32[64], out y: window int32[64], out back: stream int32[64]) { source \"b.cc\" }
        input x from gmio output y to gmio
        connect x -> a.x connect a.y -> b.x connect b.back -> a.back connect b.y -> y";
    let (_directory, file) = design(ring);
    let ran = aiec(["check", "--no-cxx", &file]);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""), "a ring is no fault");
    let line =
        "assumed: of `a` and `b`, which pass streams or cascades in a ring, one writes before it reads";
    assert!(ran.out.contains(line), "{}", ran.out);
}

#[test]
fn a_check_says_who_writes_first_in_a_ring_with_a_window() {
    let ring = "design d device xcvc1902
        kernel a(in x: window int32[32], in back: window int32[32], out c: cascade acc48) { source \"a.cc\" }
        kernel b(in c: cascade acc48, out s: stream int32[32]) { source \"b.cc\" }
        kernel c(in s: stream int32[32], out back: window int32[32], out y: window int32[32]) { source \"c.cc\" }
        input x from gmio output y to gmio
        connect x -> a.x connect a.c -> b.c connect b.s -> c.s connect c.back -> a.back connect c.y -> y";
    let (_directory, file) = design(ring);
    let ran = aiec(["check", "--no-cxx", &file]);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""), "`b` may write before it reads");
    let line = "assumed: in the ring of `a`, `b` and `c`, `b` writes streams or cascades before it reads \
                those of the ring";
    assert!(ran.out.contains(line), "{}", ran.out);
}

#[test]
fn a_check_says_who_writes_first_in_a_ring_over_async_windows_and_how_much_fits() {
    let ring = "design d device xcvc1902
        kernel a(in x: window int32[32], in r: window int32[64], out q: stream int32[64], out y: window int32[32])
            { source \"a.cc\" }
        kernel b(in x: stream int32[64], out y: stream int32[64]) { source \"b.cc\" }
        input x from gmio output y to gmio
        connect x -> a.x connect a.q -> b.x connect b.y -> async a.r windows 1 connect a.y -> y";
    let (_directory, file) = design(ring);
    let ran = aiec(["check", "--no-cxx", &file]);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""), "`a` may write before it acquires");
    let line = "assumed: of `a` and `b`, which pass streams, cascades or async windows in a ring, one writes before \
                it reads; `fifo 56` at each stream of the ring holds what may be written before it is read";
    assert!(ran.out.contains(line), "{}", ran.out);
}

#[test]
fn a_check_says_that_crossed_cascades_may_not_be_full_together() {
    let crossed = "design d device xcvc1902
        kernel give[2](in x: window int32[8], out c: cascade acc48, out s: stream int32[4]) { source \"give.cc\" }
        kernel take[2](in c: cascade acc48, in s: stream int32[4], out y: window int32[8]) { source \"take.cc\" }
        input x from gmio output y[2] to gmio
        connect x -> give.x connect give.c -> take.c connect give[0].s -> take[1].s connect give[1].s -> take[0].s
        connect take.y -> y";
    let (_directory, file) = design(crossed);
    let ran = aiec(["check", "--no-cxx", &file]);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""), "most orders finish");
    let line = "assumed: the cascades of `give[0]` to `take[0]` and `give[1]` to `take[1]` are not full at the same time, \
                as the reader of each waits for data of another writer";
    assert!(ran.out.contains(line), "{}", ran.out);
}

#[test]
fn the_help_for_a_cycle_of_instances_names_the_place_in_the_component() {
    let cycle = "design d device xcvc1902
        component c(in x: window int32[8], in b: window int32[8], out y: window int32[8], out z: window int32[8]) {
            kernel p(in x: window int32[8], in b: window int32[8], out y: window int32[8], out z: window int32[8])
                { source \"p.cc\" }
            connect x -> p.x connect b -> p.b connect p.y -> y connect p.z -> z
        }
        instance u[2] of c
        input i[2] from gmio output o[2] to gmio
        connect i -> u.x connect u[0].y -> u[1].b connect u[1].y -> u[0].b connect u.z -> o";
    let (_directory, file) = design(cycle);
    let ran = aiec(["check", "--no-cxx", &file]);
    assert_eq!(ran.status, 1);
    let text = ran.err.split_whitespace().collect::<Vec<_>>().join(" ");
    let help = "write `async` where the component connects `u[0].p.b`, and where it connects `u[0].p.y`";
    assert!(text.contains(help), "{text}");
}

#[test]
fn a_check_says_which_fifo_holds_a_run_past_a_late_cascade() {
    let past = "design d device xcvc1902
        kernel a(in x: window int32[128], out w: window int32[8], out s: stream int32[128]) { source \"a.cc\" }
        kernel b(in w: window int32[8], out c: cascade acc48) { source \"b.cc\" }
        kernel c(in c: cascade acc48, in s: stream int32[128], out y: window int32[128]) { source \"c.cc\" }
        input x from gmio output y to gmio
        connect x -> a.x connect a.w -> b.w connect b.c -> c.c connect a.s -> c.s connect c.y -> y";
    let (_directory, file) = design(past);
    let ran = aiec(["check", "--no-cxx", &file]);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""), "`c` may read the stream first");
    let line = "assumed: `c` reads the stream of `a` before the cascade of `b`, which waits for the end of a run of \
                `a`, or `a.s -> c.s` has `fifo 120`";
    assert!(ran.out.contains(line), "{}", ran.out);
}

#[test]
fn a_check_says_what_it_does_not_know_of_the_packets_of_an_input() {
    let split = "design d device toy
        kernel w[2](in x: window int32[16], in g: parameter int32 async, out y: window int32[16]) { source \"w.cc\" }
        input i from plio(32, \"i.txt\") output o to plio(32, \"o.txt\") input g from host(\"g.txt\")
        connect i -> split w.x connect w.y -> merge o connect g -> w.g";
    let (_directory, file) = design(split);
    let ran = aiec(["check", "--no-cxx", &file]);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""));
    let line = "  unknown: number and order of the packets at `i`; only their data shows it\n";
    assert!(ran.out.contains(line) && ran.out.matches("unknown").count() == 1, "{}", ran.out);
    assert!(ran.out.starts_with("d: 2 kernels, 6 connections"), "those of the host count: {}", ran.out);
}

#[test]
fn a_check_says_what_it_assumes_of_a_cascade_beside_a_parameter() {
    let beside = "design d device toy
        kernel a(in x: window int32[64], out sums: cascade acc48, out g: parameter int32) { source \"a.cc\" }
        kernel b(in sums: cascade acc48, in g: parameter int32, out y: window int32[64]) { source \"b.cc\" }
        input x from gmio output y to gmio
        connect x -> a.x connect a.sums -> b.sums connect a.g -> b.g connect b.y -> y";
    let (_directory, file) = design(beside);
    let ran = aiec(["check", "--no-cxx", &file]);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""));
    let line = "assumed: `a` writes its cascade at most 4 times before its run ends, since `b` reads it and \
                starts only then";
    assert!(ran.out.contains(line), "{}", ran.out);
}

#[test]
fn a_check_says_which_fifo_serves_a_block_transform_beside_a_stream() {
    let block = |fifo: &str| {
        format!(
            "design d device xcvc1902
        kernel src(in x: window int32[64], out y: stream int32[64]) {{ source \"k.cc\" }}
        kernel fft[2](in x: stream int32[64], out y: stream int32[64]) {{ source \"k.cc\" }}
        kernel mix(in a: stream int32[64], in b: stream int32[64], out y: window int32[64]) {{ source \"k.cc\" }}
        input x from gmio output y to gmio
        connect x -> src.x connect src.y -> fft[0].x connect fft[0].y -> fft[1].x
        connect src.y -> mix.a{fifo} connect fft[1].y -> mix.b connect mix.y -> y"
        )
    };
    let checked = |fifo: &str| {
        let (_directory, file) = design(block(fifo));
        let ran = aiec(["check", "--no-cxx", &file]);
        assert_eq!((ran.status, ran.err.as_str()), (0, ""), "kernels in step are no fault");
        ran.out
    };
    // `mix` may read all of one input before the other one.
    let straight = "assumed: kernels around `src.y -> mix.a` read and write in step; `fifo 56` there";
    let over = "assumed: kernels around `fft[1].y -> mix.b` read and write in step; `fifo 38` there";
    let all = ", and those of the other lines, serve every order\n";
    let out = checked("");
    assert!([straight, over].iter().all(|line| out.contains(&format!("{line}{all}"))), "{out}");
    assert_eq!(out.matches("assumed").count(), 2, "one for each of the two ways: {out}");
    assert!(checked(" fifo 55").contains(straight));
    let last = format!("{over} serves every order\n");
    assert!(checked(" fifo 56").contains(&last) && checked(" fifo 56").matches("assumed").count() == 1);
}

/// The lines of a check without a fault.
fn lines(text: &str) -> String {
    let (_directory, file) = design(text);
    let ran = aiec(["check", "--no-cxx", &file]);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""), "an order in which it finishes is no fault");
    ran.out
}

#[test]
fn a_check_says_which_fifo_serves_a_stream_over_a_third_kernel_past_a_cascade() {
    let third = |fifo: &str| {
        lines(&format!(
            "design d device xcvc1902
        kernel a(in x: window int32[64], out c: cascade acc48, out s: stream int32[64]) {{ source \"k.cc\" }}
        kernel t(in s: stream int32[64], out y: stream int32[64]) {{ source \"k.cc\" }}
        kernel b(in c: cascade acc48, in s: stream int32[64], out y: window int32[64]) {{ source \"k.cc\" }}
        input x from gmio output y to gmio
        connect x -> a.x connect a.c -> b.c connect a.s -> t.s connect t.y -> b.s{fifo} connect b.y -> y"
        ))
    };
    let cascade = "assumed: `a` writes its cascade to `b`, and what reaches `b` as a stream over other kernels, in \
                   the order in which `b` reads them\n";
    let stream = "assumed: kernels around `t.y -> b.s` move streams and cascades in an order in which none waits for \
                  ever; `fifo 47` there serves every order in which no cascade is full\n";
    assert!(third("").contains(cascade) && third("").contains(stream), "{}", third(""));
    let held = third(" fifo 47");
    assert!(held.contains(cascade) && held.matches("assumed").count() == 1, "{held}");
}

#[test]
fn a_check_says_how_many_runs_a_cascade_has_to_hold() {
    let gathered = |elements: u32| {
        lines(&format!(
            "design d device xcvc1902
        kernel a(in x: window int32[16], out c: cascade acc48, out w: window int32[16]) {{ source \"k.cc\" }}
        kernel t(in w: window int32[{elements}], out y: window int32[{elements}]) {{ source \"k.cc\" }}
        kernel b(in c: cascade acc48, in w: window int32[16], out y: window int32[16]) {{ source \"k.cc\" }}
        input x from gmio output y to gmio
        connect x -> a.x connect a.c -> b.c connect a.w -> t.w connect t.y -> b.w connect b.y -> y"
        ))
    };
    for (elements, end) in [(16, "its run ends"), (64, "4 of its runs end")] {
        let line = format!(
            "assumed: `a` writes its cascade at most 4 times before {end}, since `b` reads it and starts only then\n"
        );
        assert!(gathered(elements).contains(&line), "{}", gathered(elements));
    }
}
