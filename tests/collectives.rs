//! Collectives end to end: operations in their shapes are generated, compiled, run and compared with what MPI defines, at every rank.
//!
//! One design holds a family of kernels for each operation and shape, so that a compilation serves all of them.
#![allow(clippy::disallowed_methods, reason = "tests prepare files")]

use std::fmt::Write as _;
use std::fs;

use aiec_ir::schedule::{Operation, Plan, Shape, legal, shapes_of};
use aiec_tests::{Ran, aiec};

/// Most windows of a kernel (thesis 4.2).
const WINDOWS: usize = 14;

/// What all families of a design have in common.
#[derive(Clone, Copy)]
struct Case {
    element: &'static str,
    ranks: u32,
    /// Elements of a block and of a window.
    data: u32,
    window: u32,
    single: bool,
}

fn shapes(operation: Operation) -> Vec<Shape> {
    let of = |word: &&str| match *word {
        "tree" => vec![Shape::Tree(2), Shape::Tree(3)],
        "binomial" => vec![Shape::Binomial],
        "chain" => vec![Shape::Chain],
        "ring" => vec![Shape::Ring],
        "butterfly" => vec![Shape::Butterfly],
        "flat" => vec![Shape::Flat],
        "hub" => vec![Shape::Hub(3)],
        "dissemination" => vec![Shape::Dissemination],
        _ => vec![Shape::Direct],
    };
    shapes_of(operation).iter().flat_map(of).collect()
}

/// One collective over a family of its own.
struct Part {
    operation: Operation,
    shape: Shape,
    root: u32,
    extra: &'static str,
}

impl Case {
    /// Every legal operation and shape whose links fit a kernel; roots differ from family to family.
    fn parts(&self) -> Vec<Part> {
        let all = Operation::ALL
            .into_iter()
            .flat_map(|operation| shapes(operation).into_iter().map(move |shape| (operation, shape)));
        let mut parts = Vec::new();
        for (operation, shape) in all {
            let root = (parts.len() as u32) % self.ranks;
            let mut plan = Plan { root, ..Plan::new(operation, shape, self.ranks) };
            if operation == Operation::Sendrecv {
                plan.partners = (0..self.ranks).map(|rank| Some((rank + 1) % self.ranks)).collect();
            }
            if legal(&plan, true).is_err() {
                continue;
            }
            let most = plan.port_counts().into_iter().map(|(ins, outs)| ins + outs).max().unwrap_or(0);
            if most > WINDOWS {
                continue;
            }
            let extra = match operation {
                Operation::Sendrecv => "shift 1",
                Operation::Scan if parts.len() % 2 == 0 => "exclusive",
                _ => "",
            };
            parts.push(Part { operation, shape, root, extra });
        }
        parts
    }

    fn design(&self, parts: &[Part]) -> String {
        let Self { element, ranks, data, window, single } = *self;
        let mut text = "design matrix\ndevice xcvc1902\n".to_owned();
        for (at, part) in parts.iter().enumerate() {
            let Part { operation, shape, root, extra } = part;
            let line = &mut text;
            let _ = writeln!(line, "kernel k{at}[{ranks}] {{ source \"k{at}.cc\" stack 12 KiB }}");
            let _ = write!(line, "{operation} c{at} over k{at} {{ calls 2 {extra}");
            if *operation != Operation::Barrier {
                let _ = write!(line, " data {element}[{data}] window {element}[{window}]");
            }
            if *operation != Operation::Sendrecv {
                let _ = write!(line, " shape {shape}");
            }
            if operation.combines() {
                line.push_str(if at % 2 == 0 { " op sum" } else { " op max" });
            }
            if operation.has_root() {
                let _ = write!(line, " root k{at}[{root}]");
            }
            line.push_str(if single { " buffer single }\n" } else { " }\n" });
        }
        text
    }

    /// A kernel that makes two calls with data that differs by rank, element and call.
    fn source(&self, at: usize, part: &Part) -> String {
        let (element, all) = (self.element, self.ranks * self.data);
        let call = match part.operation {
            Operation::Barrier => "barrier()".to_owned(),
            operation if operation.has_two_arrays() => format!("{operation}(&send[0], &recv[0])"),
            operation => format!("{operation}(&send[0])"),
        };
        format!(
            "#include <adf.h>
template <typename Comm>
void k{at}(Comm &comm) {{
    for (unsigned call = 0; call < 2; ++call) {{
        alignas(32) {element} send[{all}], recv[{all}];
        for (unsigned i = 0; i < {all}; ++i) {{
            send[i] = {element}(int((comm.rank() * 31 + i * 7 + call * 5) % 97) - 48);
            recv[i] = {element}(0);
        }}
        (void)send;
        (void)recv;
        comm.c{at}.{call};
    }}
}}
"
        )
    }

    /// Runs the chosen families in one design.
    fn run(&self, chosen: fn(&Part) -> bool) {
        let parts: Vec<Part> = self.parts().into_iter().filter(chosen).collect();
        let directory = tempfile::tempdir().expect("a temporary directory");
        let write = |name: &str, text: &str| fs::write(directory.path().join(name), text).expect("writable");
        write("d.dsl", &self.design(&parts));
        for (at, part) in parts.iter().enumerate() {
            write(&format!("k{at}.cc"), &self.source(at, part));
        }
        let ran = aiec(["sim", &directory.path().join("d.dsl").display().to_string()]);
        assert_eq!(ran.status, 0, "{}", ran.err);
        for (at, part) in parts.iter().enumerate() {
            let Part { operation, shape, .. } = part;
            // A barrier has no data to compare; it has run to its end.
            let wanted = format!(" ranks equal the definition of {operation}");
            let found =
                ran.out.lines().any(|line| line.contains(&format!("c{at}: ")) && line.contains(&wanted));
            assert!(found || *operation == Operation::Barrier, "{operation} {shape}:\n{}", ran.out);
        }
    }
}

#[test]
fn exchanges_of_three_ranks_with_tails_through_single_buffers() {
    let all = Case { element: "int32", ranks: 3, data: 10, window: 4, single: true };
    all.run(|part| {
        matches!(
            (part.operation, part.shape),
            (Operation::Allreduce | Operation::Allgather, Shape::Ring)
                | (Operation::Allreduce | Operation::Alltoall | Operation::Scan, Shape::Butterfly)
                | (Operation::Barrier, Shape::Dissemination)
                | (Operation::Sendrecv, _)
        )
    });
}

#[test]
fn trees_of_four_ranks_send_several_windows_of_floats() {
    let all = Case { element: "float", ranks: 4, data: 16, window: 8, single: false };
    all.run(|part| {
        matches!(
            (part.operation, part.shape),
            (Operation::Reduce, Shape::Chain)
                | (Operation::Broadcast | Operation::Allreduce, Shape::Flat)
                | (Operation::Gather | Operation::Barrier, Shape::Binomial)
                | (Operation::Scatter, Shape::Tree(2))
        )
    });
}

/// All of them: `cargo test -p aiec_tests --release --test collectives -- --ignored`, some minutes of compilation.
#[test]
#[ignore = "compiles about two hundred wrappers"]
fn every_operation_in_every_shape() {
    Case { element: "float", ranks: 3, data: 8, window: 8, single: false }.run(|_| true);
    Case { element: "int32", ranks: 7, data: 10, window: 4, single: true }.run(|_| true);
    Case { element: "int16", ranks: 8, data: 32, window: 16, single: true }.run(|_| true);
}

/// Simulates one collective over two workers, with files beside the design.
fn simulate(collective: &str, ranks: u32, body: &str, files: &[(&str, &str)]) -> Ran {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let write = |name: &str, text: &str| fs::write(directory.path().join(name), text).expect("writable");
    let design = format!(
        "design d\ndevice xcvc1902\nkernel worker[{ranks}] {{ source \"worker.cc\" stack 4 KiB }}\n{collective}\n"
    );
    write("d.dsl", &design);
    let source =
        format!("#include <adf.h>\ntemplate <typename Comm>\nvoid worker(Comm &comm) {{\n{body}\n}}\n");
    write("worker.cc", &source);
    for (name, text) in files {
        write(name, text);
    }
    aiec(["sim", &directory.path().join("d.dsl").display().to_string()])
}

#[test]
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
    let directory = tempfile::tempdir().expect("a temporary directory");
    let design = "design d\ndevice xcvc1902\nkernel worker[16] { source \"worker.cc\" }\n\
                  allreduce total over worker { op sum data int32[8] shape auto }\n";
    fs::write(directory.path().join("d.dsl"), design).expect("writable");
    fs::write(directory.path().join("worker.cc"), "#include <adf.h>\n").expect("writable");
    let ran = aiec(["report", &directory.path().join("d.dsl").display().to_string()]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    let shapes = ran.out.split("Shapes").nth(1).expect("the table");
    assert!(
        shapes.contains("butterfly") && shapes.contains("ring") && shapes.contains("allowed"),
        "{shapes}"
    );
}
