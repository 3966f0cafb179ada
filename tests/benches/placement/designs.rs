//! The designs of the table.

use aiec_ir::{Direction, ElementType, WindowType};
use aiec_test_support::{Builder, Reduce, input, int32, output};

/// A design under the name it has in the table.
pub struct Design {
    pub name: String,
    pub builder: Builder,
}

/// All designs, in the order of the table.
pub fn all() -> Vec<Design> {
    let mut designs = Vec::new();
    for kernels in [31, 63, 127, 255] {
        designs.push(design(format!("tree {kernels}, arity 2"), tree(kernels, 2)));
    }
    for arity in [2, 3, 4, 8] {
        designs.push(design(format!("tree 399, arity {arity}"), tree(399, arity)));
    }
    designs.push(design("stencil 8 x 50".into(), stencil(50, 8)));
    designs.push(design("ring 400".into(), graph("ring", 400, &ring(400))));
    designs.push(design("butterfly 256".into(), graph("butterfly", 256, &butterfly(32, 8))));
    designs.push(design("matmul, 24 multipliers".into(), matmul(24, 4)));
    for window in [16, 4096, 8192] {
        designs.push(design(format!("thesis 63, {window} B"), thesis(window)));
    }
    for number in 0..20 {
        let kernels = 100 + 200 * number / 19;
        let edges = random(kernels, u64::from(number) + 1);
        designs.push(design(format!("random {number:02}"), graph("random", kernels, &edges)));
    }
    designs
}

fn design(name: String, builder: Builder) -> Design {
    Design { name, builder }
}

/// A reduction of windows of 16 bytes, with the result to global memory.
fn tree(kernels: u32, arity: u32) -> Builder {
    let mut builder = Builder::new("tree", "xcvc1902");
    builder
        .kernels("worker", &[kernels], &[])
        .gmio_output("sum")
        .reduce(Reduce::over("total", &["worker"], int32(4)).arity(arity))
        .connect("total.result", "sum");
    builder
}

/// The benchmark of the thesis (chapter 4): 63 kernels with 8 KiB of stack and 1 KiB of heap,
/// result and cycles to global memory.
fn thesis(window: u32) -> Builder {
    let mut builder = Builder::new("thesis", "xcvc1902");
    let cycles = WindowType { element: ElementType::Int64, elements: window / 8 };
    builder
        .kernels("worker", &[63], &[])
        .stack("worker", 8192)
        .heap("worker", 1024)
        .gmio_output("sum")
        .gmio_output("cycles")
        .reduce(Reduce::over("total", &["worker"], int32(window / 4)).cycles(cycles))
        .connect("total.result", "sum")
        .connect("total.cycles", "cycles");
    builder
}

/// A window of `words` words from one kernel to another.
struct Edge {
    from: u32,
    to: u32,
    words: u32,
}

/// Kernels joined by `edges`, each in its own family since their ports differ. Ports are
/// asynchronous, so that cycles do not deadlock.
fn graph(name: &str, kernels: u32, edges: &[Edge]) -> Builder {
    let mut builder = Builder::new(name, "xcvc1902");
    let ports: Vec<String> = (0..edges.len()).map(|number| format!("e{number}")).collect();
    for kernel in 0..kernels {
        let mut own = Vec::new();
        for (edge, port) in edges.iter().zip(&ports) {
            if edge.to == kernel {
                own.push(input(port, int32(edge.words)));
            }
            if edge.from == kernel {
                own.push(output(port, int32(edge.words)));
            }
        }
        builder.kernels(&format!("k{kernel}"), &[], &own);
    }
    for (edge, port) in edges.iter().zip(&ports) {
        let (from, to) = (format!("async k{}.{port}", edge.from), format!("async k{}.{port}", edge.to));
        builder.connect(&from, &to);
    }
    builder
}

fn ring(kernels: u32) -> Vec<Edge> {
    (0..kernels).map(|from| Edge { from, to: (from + 1) % kernels, words: 4 }).collect()
}

/// Neighbours exchange windows both ways.
fn stencil(columns: u32, rows: u32) -> Builder {
    let at = |column: u32, row: u32| column * rows + row;
    let mut edges = Vec::new();
    for column in 0..columns {
        for row in 0..rows {
            let mut both = |other: u32| {
                let here = at(column, row);
                edges.push(Edge { from: here, to: other, words: 4 });
                edges.push(Edge { from: other, to: here, words: 4 });
            };
            if column + 1 < columns {
                both(at(column + 1, row));
            }
            if row + 1 < rows {
                both(at(column, row + 1));
            }
        }
    }
    graph("stencil", columns * rows, &edges)
}

/// Stages of `lanes` kernels, a power of two. Each sends to its lane of the next stage and to the
/// lane whose number differs in one bit.
fn butterfly(lanes: u32, stages: u32) -> Vec<Edge> {
    let bits = lanes.trailing_zeros().max(1);
    let mut edges = Vec::new();
    for stage in 0..stages - 1 {
        for lane in 0..lanes {
            for other in [lane, lane ^ (1 << (stage % bits))] {
                edges.push(Edge { from: stage * lanes + lane, to: (stage + 1) * lanes + other, words: 4 });
            }
        }
    }
    edges
}

/// Multipliers with a tile of each matrix, added up by a binary tree: one matrix is broadcast to
/// `group` multipliers at a time.
fn matmul(multipliers: u32, group: u32) -> Builder {
    let (tile, mut builder) = (int32(256), Builder::new("matmul", "xcvc1902"));
    let groups = multipliers / group;
    builder
        .kernels("mul", &[multipliers], &[input("a", tile), input("b", tile), output("y", tile)])
        .kernels("add", &[multipliers - 1], &[input("l", tile), input("r", tile), output("y", tile)])
        .plio("a", &[groups], Direction::Out, 64)
        .plio("b", &[multipliers], Direction::Out, 64)
        .plio_output("c", 64);
    for number in 0..multipliers {
        builder
            .connect(&format!("a[{}]", number / group), &format!("mul[{number}].a"))
            .connect(&format!("b[{number}]"), &format!("mul[{number}].b"));
    }
    // Adders in heap order: below the inner ones come the multipliers.
    let inner = multipliers - 1;
    for adder in 0..inner {
        for (port, child) in [("l", 2 * adder + 1), ("r", 2 * adder + 2)] {
            let from =
                if child < inner { format!("add[{child}].y") } else { format!("mul[{}].y", child - inner) };
            builder.connect(&from, &format!("add[{adder}].{port}"));
        }
    }
    builder.connect("add[0].y", "c");
    builder
}

/// A connected graph with at most six neighbours a kernel, and windows of 16 bytes to 4 KiB, small
/// ones more often.
fn random(kernels: u32, seed: u64) -> Vec<Edge> {
    let mut state = seed;
    let mut below = move |bound: u32| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        u32::try_from((state >> 33) % u64::from(bound)).unwrap_or(0)
    };
    let mut degree = vec![0_u32; kernels as usize];
    let mut pairs: Vec<(u32, u32)> = Vec::new();
    let mut join = |a: u32, b: u32| {
        let full = degree[a as usize] >= 6 || degree[b as usize] >= 6;
        if a == b || full || pairs.contains(&(a, b)) || pairs.contains(&(b, a)) {
            return false;
        }
        degree[a as usize] += 1;
        degree[b as usize] += 1;
        pairs.push((a, b));
        true
    };
    for kernel in 1..kernels {
        while !join(below(kernel), kernel) {}
    }
    for _ in 0..kernels {
        let (a, b) = (below(kernels), below(kernels));
        join(a, b);
    }
    pairs.into_iter().map(|(from, to)| Edge { from, to, words: 4 << below(9).min(below(9)) }).collect()
}
