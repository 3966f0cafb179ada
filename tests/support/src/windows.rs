//! Random designs of windows between kernels, with and without room for them in memory.

use aiec_collectives::Buffering;
use proptest::prelude::*;

use crate::{Builder, input, int32, output};

/// A design on an array with as many tiles as it has kernels.
#[derive(Clone, Debug)]
pub struct Case {
    /// Columns of the array.
    pub columns: u16,
    /// Its rows of cores.
    pub rows: u16,
    /// Sender, receiver, bytes of the window, and whether it has a single buffer.
    pub windows: Vec<(usize, usize, u32, bool)>,
    /// Bytes of the stacks; the kernels alternate between the two.
    pub stacks: [u32; 2],
}

/// Trees and similar designs. A module holds one to four of their windows. Most windows are
/// alike, and single kernels have as many as fit around them.
pub fn cases() -> impl Strategy<Value = Case> {
    let sizes = vec![7_680_u32, 8_192, 10_240, 11_776, 12_288, 14_336, 15_328, 15_360, 20_480];
    let stacks = prop::sample::select(vec![512_u32, 1_024, 4_096, 8_192, 10_240]);
    let array = prop::sample::select(vec![(4_u16, 1_u16), (5, 1), (6, 1), (3, 2)]);
    let window = (0_usize..60, 0_usize..60, prop::sample::select(sizes.clone()));
    let alike = prop::option::weighted(0.8, prop::sample::select(sizes));
    let windows = (alike, prop::collection::vec(window, 4..24), prop::sample::select(vec![0_usize, 1, 24]));
    (array, windows, prop::array::uniform2(stacks)).prop_map(|((columns, rows), windows, stacks)| {
        let (kernels, (size, windows, doubles)) = (usize::from(columns * rows), windows);
        let (stacks, reach) = ([stacks[0], stacks[0].max(stacks[1])], 65_536 * u32::from(rows));
        let mut around = vec![stacks[1] + 1_056; kernels];
        let mut kept = Vec::new();
        for (number, (to, from, own)) in windows.into_iter().enumerate() {
            let to = if number < kernels - 1 { number + 1 } else { to % (kernels - 1) + 1 };
            let (from, bytes, single) = (from % to, size.unwrap_or(own), number >= doubles);
            let more = if single { bytes } else { 2 * bytes };
            if [from, to].iter().all(|&end| around[end] + more <= reach) {
                [from, to].iter().for_each(|&end| around[end] += more);
                kept.push((from, to, bytes, single));
            }
        }
        Case { columns, rows, windows: kept, stacks }
    })
}

/// Builds the design of a case, for the device `toy`.
pub fn design(case: &Case) -> Builder {
    let names: Vec<String> = (0..case.windows.len()).map(|number| format!("w{number}")).collect();
    let mut builder = Builder::new("large", "toy");
    for kernel in 0..usize::from(case.columns * case.rows) {
        let ports =
            case.windows.iter().zip(&names).filter_map(|(&(from, to, bytes, _), name)| match kernel {
                _ if kernel == to => Some(input(name, int32(bytes / 4))),
                _ if kernel == from => Some(output(name, int32(bytes / 4))),
                _ => None,
            });
        builder.kernels(&format!("k{kernel}"), &[], &ports.collect::<Vec<_>>());
        builder.stack(&format!("k{kernel}"), case.stacks[kernel % 2]);
    }
    for (&(from, to, _, single), name) in case.windows.iter().zip(&names) {
        let buffering = if single { Buffering::Single } else { Buffering::Pingpong };
        builder.connect_with(&format!("k{from}.{name}"), &format!("k{to}.{name}"), buffering);
    }
    builder
}
