//! Two guarantees about time, through emitted designs: barriers hold all ranks back, and data is
//! never overtaken.

use aiec_collectives::{Operation, Shape};

use crate::cases::shapes;
use crate::host::{Checks, Program};
use crate::illegal::refusal;

/// Every shape of a barrier over 13 ranks that arrive randomly late: a thousand phases, and in two
/// orders of turns.
#[test]
#[ignore = "long: compiles and runs long programs"]
fn no_rank_leaves_a_phase_of_a_thousand_before_all_have_entered_it() {
    hold_together(13, |_| true);
}

/// So they do over more ranks than a hub has windows for, if the shape is not one that needs them.
#[test]
#[ignore = "long: compiles and runs long programs"]
fn sixteen_ranks_are_held_together_by_a_merge_of_packets() {
    assert_eq!(refusal(Operation::Barrier, Shape::Flat, 16), Some("check/too-many-windows"));
    assert_eq!(refusal(Operation::Barrier, Shape::Merge, 16), None);
    hold_together(16, |shape| shape == Shape::Merge);
}

/// A thousand phases of every legal shape over `ranks` ranks that is `wanted`.
fn hold_together(ranks: u32, wanted: fn(Shape) -> bool) {
    let barriers = || {
        let all = shapes().into_iter().filter(|(operation, _)| *operation == Operation::Barrier);
        all.filter(|&(operation, shape)| wanted(shape) && refusal(operation, shape, ranks).is_none())
    };
    let mut design = "design safety\ndevice xcvc1902\n".to_owned();
    let mut sources = Vec::new();
    for (at, (_, shape)) in barriers().enumerate() {
        let name = format!("k{at}");
        design += &format!("kernel {name}[{ranks}] {{ source \"{name}.cc\" }}\n");
        design += &format!(
            "barrier c{at} over {name} {{ shape {shape} calls 1000 root {name}[5] buffer single }}\n"
        );
        let call = format!("mpi::test<int32, 1, {ranks}>::barrier<1000, tag{at}>(comm.c{at})");
        let text = format!(
            "#pragma once\n#include \"mpi.h\"\nstruct tag{at};\ntemplate <typename Comm>\nvoid {name}(Comm &comm) {{ {call}; }}\n"
        );
        sources.push((format!("{name}.cc"), text));
    }
    let program = Program::compile(&format!("safety_{ranks}"), &design, &sources);
    let calls = barriers().count() as u32 * ranks * 2;
    for seed in [2, 31] {
        assert_eq!(program.run(seed, Checks::All), format!("{calls} calls, 0 wrong\n"), "seed {seed}");
    }
}

/// The argument of the thesis (4.4.2): calls and chunks of a collective never mix, whatever is in
/// flight. Every element states its rank, its call and its place. Seven collectives of five shapes
/// share four kernels and their turns.
#[test]
#[ignore = "long: compiles and runs long programs"]
fn calls_and_chunks_arrive_in_order_with_seven_collectives_under_way() {
    let design = "design ordering
device xcvc1902
kernel worker[6] { source \"worker.cc\" stack 16 KiB }
gather up over worker { data int32[22] window int32[4] root worker[4] shape chain calls 20 buffer single }
broadcast down over worker { data int32[22] window int32[4] root worker[1] shape chain calls 20 }
allgather round over worker { data int32[22] window int32[4] shape ring calls 20 buffer single }
sendrecv aside over worker { data int32[22] window int32[4] shift 2 calls 20 }
alltoall across over worker { data int32[22] window int32[4] shape ring calls 20 buffer single }
gather packed over worker { data int32[22] window int32[4] root worker[3] shape flat merge calls 20 }
reduce summed over worker { op sum data int32[22] window int32[4] root worker[5] shape flat merge calls 20 buffer single }
";
    let source = include_str!("ordering.cc").to_owned();
    let program = Program::compile("ordering", design, &[("worker.cc".to_owned(), source)]);
    for seed in [1, 5, 77] {
        assert_eq!(program.run(seed, Checks::All), "840 calls, 0 wrong\n", "seed {seed}");
    }
}
