//! Single designs that a search must place. They have no hidden placement.

use aiec_collectives::{Operation, Shape};
use aiec_ir::Direction;
use aiec_test_support::{Builder, Reduce, input, int32, output};

/// A design with its name and device.
pub struct Named {
    /// What the tables call it.
    pub name: &'static str,
    /// The name of its device.
    pub device: &'static str,
    /// The design.
    pub builder: Builder,
}

/// All named designs.
pub fn all() -> Vec<Named> {
    vec![
        Named { name: "gemm-windows", device: "xcvc1902", builder: gemm_windows() },
        Named { name: "gemm-cascade", device: "xcvc1902", builder: gemm_cascade() },
        Named { name: "crowded-row", device: "toy", builder: crowded_row() },
    ]
}

/// Rows, columns and depth of the blocks of the matrix multiplication: 384 kernels.
const ROWS: u32 = 12;
const COLUMNS: u32 = 8;
const DEPTH: u32 = 4;

/// The kernels of all blocks, as (i, j, k).
fn blocks() -> impl Iterator<Item = (u32, u32, u32)> {
    (0..ROWS).flat_map(|i| (0..COLUMNS).flat_map(move |j| (0..DEPTH).map(move |k| (i, j, k))))
}

/// PLIO for the blocks of both factors. Block (i, k) of A goes to 8 kernels, block (k, j) of B to
/// 12.
fn factors(builder: &mut Builder, kernel: impl Fn(u32, u32, u32) -> String) {
    builder.plio("a", &[ROWS, DEPTH], Direction::Out, 64).plio("b", &[DEPTH, COLUMNS], Direction::Out, 64);
    for (i, j, k) in blocks() {
        let kernel = kernel(i, j, k);
        builder.connect(&format!("a[{i}][{k}]"), &format!("{kernel}.a"));
        builder.connect(&format!("b[{k}][{j}]"), &format!("{kernel}.b"));
    }
}

/// Partial sums go along k as windows.
fn gemm_windows() -> Builder {
    let window = int32(64);
    let mut builder = Builder::new("gemm", "xcvc1902");
    let factor = [input("a", window), input("b", window)];
    builder
        .kernels("first", &[ROWS * COLUMNS], &[factor[0], factor[1], output("s", window)])
        .kernels(
            "next",
            &[ROWS * COLUMNS, DEPTH - 1],
            &[factor[0], factor[1], input("p", window), output("s", window)],
        )
        .plio("c", &[ROWS, COLUMNS], Direction::In, 64);
    let kernel = |i: u32, j: u32, k: u32| match k.checked_sub(1) {
        None => format!("first[{}]", i * COLUMNS + j),
        Some(k) => format!("next[{}][{k}]", i * COLUMNS + j),
    };
    factors(&mut builder, kernel);
    for (i, j, k) in blocks() {
        let from = format!("{}.s", kernel(i, j, k));
        let to = if k + 1 < DEPTH { format!("{}.p", kernel(i, j, k + 1)) } else { format!("c[{i}][{j}]") };
        builder.connect(&from, &to);
    }
    builder
}

/// Partial sums go along k as a cascade: one reduction of four ranks for each block of the result.
fn gemm_cascade() -> Builder {
    let window = int32(64);
    let mut builder = Builder::new("gemm", "xcvc1902");
    builder.kernels("block", &[ROWS * COLUMNS, DEPTH], &[input("a", window), input("b", window)]).plio(
        "c",
        &[ROWS, COLUMNS],
        Direction::In,
        64,
    );
    let kernel = |i: u32, j: u32, k: u32| format!("block[{}][{k}]", i * COLUMNS + j);
    factors(&mut builder, kernel);
    for (i, j) in (0..ROWS).flat_map(|i| (0..COLUMNS).map(move |j| (i, j))) {
        let ranks: Vec<String> = (0..DEPTH).map(|k| kernel(i, j, k)).collect();
        let names: Vec<&str> = ranks.iter().map(String::as_str).collect();
        let sum = format!("sum_{i}_{j}");
        let chain = Reduce::over(&sum, &names, window).operation(Operation::Reduce, Shape::Cascade);
        let last = names.last().copied().unwrap_or_default();
        builder.reduce(chain.root(last)).connect(&format!("{sum}.result"), &format!("c[{i}][{j}]"));
    }
    builder
}

/// 12 kernels that need a tenth of a core each, on four tiles of one row: three a core.
fn crowded_row() -> Builder {
    let window = int32(64);
    let mut builder = Builder::new("crowded", "toy");
    builder
        .kernels("k", &[12], &[input("x", window), output("y", window)])
        .runtime("k", 100)
        .plio("i", &[12], Direction::Out, 64)
        .plio("o", &[12], Direction::In, 64)
        .region(&["k"], (1, 1), (4, 1));
    for number in 0..12 {
        builder.connect(&format!("i[{number}]"), &format!("k[{number}].x"));
        builder.connect(&format!("k[{number}].y"), &format!("o[{number}]"));
    }
    builder
}
