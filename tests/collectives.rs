//! Further features of collectives, end to end: layouts, counts, user operators, the choice of a
//! shape. `matrix` covers all operations in all their shapes.

use aiec_tests::{Ran, aiec_on};

/// Simulates one collective over two workers, with files beside the design.
fn simulate(collective: &str, ranks: u32, body: &str, files: &[(&str, &str)]) -> Ran {
    let design = format!(
        "design d\ndevice xcvc1902\nkernel worker[{ranks}] {{ source \"worker.cc\" stack 4 KiB }}\n{collective}\n"
    );
    let source =
        format!("#include <adf.h>\ntemplate <typename Comm>\nvoid worker(Comm &comm) {{\n{body}\n}}\n");
    aiec_on("sim", &design, &[files, &[("worker.cc", &source)]].concat(), &[])
}

/// The report's table of shapes for a design whose shapes are chosen.
fn shapes(design: &str) -> String {
    let design = format!("design d\ndevice xcvc1902\n{design}");
    let ran = aiec_on("report", &design, &[("worker.cc", "#include <adf.h>\n")], &["--effort", "1"]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    let table = ran.out.split("Shapes").nth(1).expect("the table");
    table.split("\n\n").next().unwrap_or_default().to_owned()
}

/// The first row of a table of shapes: the choice.
fn chosen(shapes: &str) -> &str {
    shapes.lines().nth(2).unwrap_or_default()
}

#[test]
#[ignore = "long: simulates"]
fn a_scatter_in_strides_gives_rank_1_elements_1_5_9_and_13() {
    // The example of the NAMP dissertation: A[16], num 4, stride 4, size 1, base 1.
    let collective = "scatter parts over worker { data int32[4] base rank size 1 num 4 stride 4 }";
    let body = "    alignas(32) int32 all[16], mine[4];
    for (int i = 0; i < 16; ++i) all[i] = i;
    comm.parts.scatter(all, mine);
    for (int i = 0; i < 4; ++i)
        if (mine[i] != int32(comm.rank()) + 4 * i) window_release((input_window<int32> *)nullptr);";
    let ran = simulate(collective, 4, body, &[]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert!(ran.out.contains("parts: 16 values at 4 ranks equal the definition of scatter"), "{}", ran.out);
}

#[test]
#[ignore = "long: simulates"]
fn blocks_of_different_sizes_are_gathered_without_gaps() {
    let collective = "gather all over worker { data int32[8] window int32[4] counts min(8, 3 * rank) root worker[1] shape binomial }";
    let body = "    alignas(32) int32 mine[8], all[3 + 6 + 8 + 8];
    for (int i = 0; i < 8; ++i) mine[i] = 100 * int32(comm.rank()) + i;
    comm.all.gather(mine, all);";
    let ran = simulate(collective, 5, body, &[]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert!(ran.out.contains("all: 25 values"), "{}", ran.out);
}

#[test]
#[ignore = "long: simulates"]
fn an_operator_of_ones_own_keeps_the_order_of_ranks() {
    // Keeping the left one of two is associative and not commutative: the result is rank 0's data.
    let collective = "reduce first over worker { op left from \"left.h\" ordered data int32[4] root worker[2] shape chain }";
    let header = "struct left {\n    template <typename T>\n    static T apply(T a, T) { return a; }\n};\n";
    let body = "    alignas(32) int32 data[4];
    for (int i = 0; i < 4; ++i) data[i] = 10 * int32(comm.rank()) + i + 1;
    comm.first.reduce(data);
    for (int i = 0; i < 4; ++i)
        if (comm.first.is_root && data[i] != i + 1) window_release((input_window<int32> *)nullptr);";
    let ran = simulate(collective, 5, body, &[("left.h", header)]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert!(ran.out.contains("first: the operator is the user's"), "{}", ran.out);
}

#[test]
fn a_choice_is_explained() {
    let shapes = shapes(
        "kernel worker[16] { source \"worker.cc\" }\n\
         allreduce total over worker { op sum data int32[8] shape auto }\n",
    );
    assert!(
        shapes.contains("butterfly") && shapes.contains("ring") && shapes.contains("allowed"),
        "{shapes}"
    );
}

#[test]
#[ignore = "long: simulates"]
fn signals_of_a_barrier_come_as_packets_to_kernels_with_buffers_too() {
    let collective = "vitis \"2023.2\"\nports buffer\nbarrier done over worker { shape flat merge root worker[5] calls 20 buffer single }";
    let body = "    for (int i = 0; i < 20; ++i) comm.done.barrier();";
    let ran = simulate(collective, 16, body, &[]);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{}", ran.out);
    assert!(ran.out.contains("ran to its end, 16 kernel runs"), "{}", ran.out);
}

#[test]
#[ignore = "long: simulates"]
fn blocks_come_as_packets_to_kernels_with_buffers_too_and_the_result_goes_on() {
    let collective = "vitis \"2023.2\"
ports buffer
reduce total over worker { op max data int16[24] window int16[8] root worker[2] shape flat merge calls 5 buffer single }
gather all over worker { data float[10] window float[4] counts rank % 4 * 3 root worker[15] shape flat merge calls 5 }
output highest to gmio(\"highest.txt\")
connect total.result -> highest";
    let body = "    alignas(32) int16 data[24];
    alignas(32) float mine[10], found[72];
    for (int call = 0; call < 5; ++call) {
        for (int i = 0; i < 24; ++i) data[i] = int16(comm.rank() * 7 % 16 * 10 + i + call);
        comm.total.reduce(data);
        for (int i = 0; i < 10; ++i) mine[i] = 100.0f * comm.rank() + i + 0.25f * call;
        comm.all.gather(mine, found);
    }";
    let ran = simulate(collective, 16, body, &[]);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{}", ran.out);
    assert!(ran.out.contains("total: 120 values at 16 ranks equal the definition of reduce"), "{}", ran.out);
    assert!(ran.out.contains("all: 360 values at 16 ranks equal the definition of gather"), "{}", ran.out);
}

#[test]
#[ignore = "long: places many designs"]
fn packets_are_chosen_for_a_reduction_of_few_integers_and_never_for_floats() {
    let reduction = |data: &str| {
        shapes(&format!(
            "kernel worker[33] {{ source \"worker.cc\" stack 16 KiB }}
reduce total over worker {{ op sum data {data} root worker[3] shape auto }}\n"
        ))
    };
    let (few, many, floats) = (reduction("int32[8]"), reduction("int32[1024]"), reduction("float[8]"));
    assert!(chosen(&few).contains("flat merge"), "{few}");
    assert!(!chosen(&many).contains("flat merge"), "a word a cycle is slow: {many}");
    assert!(floats.contains("floats in the order of arrival"), "{floats}");
}

#[test]
#[ignore = "long: places many designs"]
fn packets_are_chosen_for_a_barrier_as_far_as_they_have_numbers() {
    let barrier = |ranks: u32| {
        let kernel = format!("kernel worker[{ranks}] {{ source \"worker.cc\" }}");
        shapes(&format!("{kernel}\nbarrier done over worker {{ shape auto }}\n"))
    };
    let (two, few, many) = (barrier(2), barrier(16), barrier(34));
    assert!(two.contains("a single stream of packets, which is no merge"), "{two}");
    assert!(chosen(&few).contains("flat merge"), "{few}");
    assert!(few.contains("16 windows at one kernel, 14 allowed"), "{few}");
    assert!(!chosen(&many).contains("merge"), "{many}");
    assert!(many.contains("33 streams of packets in one, 32 allowed"), "{many}");
}

#[test]
fn collectives_whose_shapes_are_chosen_fit_beside_each_other_and_what_the_design_says() {
    let check = |collectives: &str| {
        let design = format!("design d\ndevice xcvc1902\nkernel w[12] {{ source \"w.cc\" }}\n{collectives}");
        aiec_on("check", &design, &[], &[])
    };
    let designs = [
        // A tree of arity 8 is the cheapest for one of them; 14 windows are allowed (thesis 4.2).
        "scatter a over w { data int32[4] shape auto }\nscatter b over w { data int32[4] shape auto }\n",
        // A collective written after it counts as well.
        "scatter a over w { data int32[4] shape auto }\nscatter b over w { data int32[4] shape tree arity 8 }\n",
        // A packet merge takes one of two streams into a core (AM009).
        "barrier a over w { shape auto }\nbarrier b over w { shape auto }\nbarrier c over w { shape auto }\n",
    ];
    for design in designs {
        let ran = check(design);
        assert_eq!(ran.status, 0, "{design}{}", ran.err);
    }
    let ran = check(
        "scatter a over w { data int32[4] shape tree arity 8 }\nscatter b over w { data int32[4] shape tree arity 8 }\n",
    );
    assert!(ran.err.contains("check/too-many-windows"), "{}", ran.err);
}

/// Two collectives over four workers, whose calls are `body`.
fn two_collectives(body: &str) -> Ran {
    let collectives = "reduce total over worker { op sum data int32[64] }
        allreduce more over worker { op sum data int32[64] }";
    let data = "alignas(32) int32 a[64] = {}, b[64] = {};";
    simulate(collectives, 4, &format!("{data}\n{body}"), &[])
}

#[test]
#[ignore = "long: simulates"]
fn a_rank_that_skips_one_collective_and_waits_in_the_next_is_named() {
    let ran = two_collectives("if (comm.rank() != 2) comm.total.reduce(a);\ncomm.more.allreduce(b);");
    let err = ran.err.replace('│', "").split_whitespace().collect::<Vec<_>>().join(" ");
    let waits = "kernel `worker[2]` waits in `more`, and other ranks wait for its call of `total`: it made 0 of 1 calls";
    assert!(ran.status == 1 && err.contains(waits), "{err}");
    assert!(!err.contains("kernel `worker[0]` waits in"), "the other ranks are not at fault: {err}");
}

#[test]
#[ignore = "long: simulates"]
fn a_rank_that_calls_too_often_is_named() {
    let again = "if (comm.rank() == 2) comm.more.allreduce(b);";
    let ran = two_collectives(&format!("comm.total.reduce(a);\ncomm.more.allreduce(b);\n{again}"));
    assert!(
        ran.status == 1 && ran.err.contains("kernel `worker[2]` called `more` 2 times, not 1"),
        "{}",
        ran.err
    );
}

#[test]
#[ignore = "long: simulates"]
fn a_rank_that_skips_a_barrier_is_named() {
    for shape in ["tree arity 2", "dissemination", "flat merge"] {
        let barrier = format!("barrier done over worker {{ shape {shape} }}");
        let ran = simulate(&barrier, 4, "if (comm.rank() != 2) comm.done.barrier();", &[]);
        let words = "kernel `worker[2]` skips `done`, and the other ranks wait for it: it made 0 of 1 calls";
        assert!(ran.status == 1 && ran.words().contains(words), "{shape}: {}", ran.err);
    }
}
