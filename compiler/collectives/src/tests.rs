//! Every operation in every shape against what MPI defines, for all sizes up to 64.

use super::interpret::{Memory, Piece, Value, run, run_programs};
use super::{Cell, Combining, Illegal, Operation, Plan, Rank, Shape, Step, legal};

fn shapes(operation: Operation) -> Vec<Shape> {
    let kinds = operation.row().shapes().into_iter().flat_map(|word| match Shape::from_word(word) {
        Some(Shape::Tree(_)) => [1, 2, 3, 13].map(Shape::Tree).to_vec(),
        Some(Shape::Hub(_)) => [1, 2, 5].map(Shape::Hub).to_vec(),
        Some(kind) => vec![kind],
        None => panic!("`{word}` of the table is not in `Shape::KINDS`"),
    });
    kinds.collect()
}

/// Blocks every rank hands in.
fn blocks(plan: &Plan) -> u32 {
    match (plan.operation, plan.shape) {
        (Operation::Scatter | Operation::ReduceScatter | Operation::Alltoall, _)
        | (Operation::Allreduce, Shape::Ring) => plan.size,
        _ => 1,
    }
}

/// What MPI says about `rank`: for each cell the blocks that belong in there, in rank order.
fn definition(plan: &Plan, rank: u32) -> Vec<(Cell, Vec<(u32, u32)>)> {
    let all = |block| (0..plan.size).map(|rank| (rank, block)).collect::<Vec<_>>();
    let one = |cell, from, block| (cell, vec![(from, block)]);
    let at_root = rank == plan.root.0;
    match plan.operation {
        Operation::Reduce if !at_root => vec![],
        Operation::Reduce | Operation::Barrier | Operation::Clock => vec![(Cell::Own(0), all(0))],
        Operation::Allreduce => (0..blocks(plan)).map(|block| (Cell::Own(block), all(block))).collect(),
        Operation::Broadcast => vec![one(Cell::Own(0), plan.root.0, 0)],
        Operation::Gather if !at_root => vec![],
        Operation::Gather | Operation::Allgather => {
            (0..plan.size).map(|from| one(Cell::Found(from), from, 0)).collect()
        }
        Operation::Scatter => vec![one(Cell::Found(0), plan.root.0, rank)],
        Operation::ReduceScatter => vec![(Cell::Found(0), all(rank))],
        Operation::Alltoall => (0..plan.size).map(|from| one(Cell::Found(from), from, rank)).collect(),
        Operation::Scan if plan.exclusive && rank == 0 => vec![one(Cell::Own(0), 0, 0)],
        Operation::Scan => {
            let last = if plan.exclusive { rank } else { rank + 1 };
            vec![(Cell::Own(0), (0..last).map(|from| (from, 0)).collect())]
        }
        // Its data is that of the kernels.
        Operation::Channel | Operation::Mailbox | Operation::Active => vec![],
        Operation::Sendrecv => {
            let from = (0..).zip(&plan.partners).find(|(_, to)| **to == Some(Rank(rank)));
            from.map(|(from, _)| one(Cell::Found(0), from, 0)).into_iter().collect()
        }
    }
}

fn holds(plan: &Plan, rank: u32, call: u32, memory: &Memory) {
    for (cell, blocks) in definition(plan, rank) {
        let owner = match cell {
            Cell::Found(from) if plan.operation == Operation::Gather => from,
            Cell::Found(from) if plan.operation == Operation::Allgather => from,
            _ if plan.operation == Operation::Scatter => rank,
            _ => 0,
        };
        for window in 0..plan.windows[owner as usize] {
            let piece = |&(rank, block)| Piece { call, rank, block, window };
            let expected: Value = blocks.iter().map(piece).collect();
            let mut found = memory.get(&(cell, window)).cloned().unwrap_or_default();
            if !plan.keeps_rank_order() {
                found.sort_unstable();
            }
            if matches!(plan.operation, Operation::Barrier | Operation::Clock) {
                found.sort_unstable();
                found.dedup();
            }
            assert_eq!(found, expected, "{plan:?}: rank {rank}, {cell:?}, window {window}, call {call}");
        }
    }
}

fn check(plan: &Plan) {
    check_calls(plan, 1, 0);
}

/// Every rank has what MPI defines after each of N calls, in whichever order the seed lets the
/// ranks run.
fn check_calls(plan: &Plan, calls: u32, seed: u64) {
    for (rank, memories) in (0..).zip(run(plan, blocks(plan), calls, seed)) {
        assert_eq!(memories.len(), calls as usize);
        for (call, memory) in (0..).zip(&memories) {
            holds(plan, rank, call, memory);
        }
    }
}

/// Every legal plan of a size without partners, rooted at `root`.
fn plans(size: u32, root: u32) -> Vec<Plan> {
    let operations = Operation::ALL.into_iter().filter(|operation| !operation.row().names_partners);
    let all =
        operations.flat_map(|operation| shapes(operation).into_iter().map(move |shape| (operation, shape)));
    let plans = all.map(|(operation, shape)| Plan { root: Rank(root), ..Plan::new(operation, shape, size) });
    let plans = plans.flat_map(|plan| match plan.operation {
        Operation::Scan => vec![plan.clone(), Plan { exclusive: true, ..plan }],
        Operation::Gather => vec![plan.clone(), Plan { headed: true, ..plan }],
        _ => vec![plan],
    });
    plans.filter(|plan| legal(plan, Combining::FREE).is_ok()).collect()
}

#[test]
fn every_shape_computes_what_mpi_defines_for_every_size_up_to_17() {
    shapes_compute(2..=17);
}

#[test]
#[ignore = "long: interprets schedules of 64 ranks"]
fn every_shape_computes_what_mpi_defines_for_every_size() {
    shapes_compute(18..=64);
    check(&Plan::new(Operation::Alltoall, Shape::Ring, 63));
}

/// Checks every shape over as many ranks as each of `sizes` says.
fn shapes_compute(sizes: std::ops::RangeInclusive<u32>) {
    for size in sizes {
        // Handing everything round a ring is work of the third power; so is that of the test.
        let quick =
            |plan: &&Plan| (plan.operation, plan.shape) != (Operation::Alltoall, Shape::Ring) || size <= 24;
        plans(size, 0).iter().filter(quick).for_each(check);
    }
}

#[test]
fn every_rank_can_be_the_root() {
    for size in [2, 3, 4, 7, 16, 21] {
        for root in 1..size {
            plans(size, root).iter().filter(|plan| plan.operation.has_root()).for_each(check);
            let up_and_down = plans(size, root).into_iter().filter(|plan| {
                matches!(plan.operation, Operation::Allreduce | Operation::Barrier)
                    && !matches!(plan.shape, Shape::Ring | Shape::Butterfly | Shape::Dissemination)
            });
            up_and_down.for_each(|plan| check(&plan));
        }
    }
}

#[test]
fn several_windows_go_through_one_buffer() {
    for size in [2, 3, 5, 8, 13] {
        for plan in plans(size, 1) {
            check(&Plan { windows: vec![3; size as usize], ..plan });
        }
    }
}

#[test]
fn blocks_of_different_sizes_are_gathered_and_scattered() {
    for size in [2, 3, 7, 16, 30] {
        let windows: Vec<u32> = (0..size).map(|rank| rank * 7 % 4).collect();
        for plan in plans(size, size / 2) {
            if matches!(plan.operation, Operation::Gather | Operation::Scatter) {
                check(&Plan { windows: windows.clone(), ..plan });
            }
        }
    }
}

#[test]
fn several_calls_follow_each_other_and_never_mix_in_whatever_order_ranks_get_their_turns() {
    for plan in plans(11, 4) {
        for seed in 0..6 {
            check_calls(&Plan { windows: vec![2; 11], ..plan.clone() }, 3, seed);
        }
    }
}

#[test]
fn packets_of_ranks_with_blocks_of_different_sizes_find_their_places_in_any_order() {
    for seed in 0..40 {
        let windows = (0..9).map(|rank| (rank + seed as u32) * 5 % 4).collect();
        let plan = Plan { root: Rank(3), windows, ..Plan::new(Operation::Gather, Shape::Merge, 9) };
        check_calls(&plan, 4, seed);
    }
}

/// Where the root answers, no rank begins the next call early. Elsewhere a rank would, and its
/// packets would be taken for those of the call before.
#[test]
fn calls_would_mix_if_a_root_did_not_say_go() {
    let plan = Plan::new(Operation::Gather, Shape::Merge, 4);
    let mut programs = plan.all_programs();
    programs.iter_mut().for_each(|phases| drop(phases.remove(0)));
    let mixed = (0..10).filter(|&seed| {
        let root = &run_programs(&plan, programs.clone(), 1, 2, seed)[0];
        let strays = |call, memory: &Memory| memory.values().flatten().any(|piece| piece.call != call);
        (0..).zip(root).any(|(call, memory)| strays(call, memory))
    });
    assert!(mixed.count() > 0);
    assert!(Plan::new(Operation::Reduce, Shape::Merge, 4).has_go());
    for operation in [Operation::Allreduce, Operation::Allgather, Operation::Barrier] {
        assert!(!Plan::new(operation, Shape::Merge, 4).has_go(), "{operation}");
    }
}

#[test]
fn a_sendrecv_follows_its_map() {
    for size in 2..=64 {
        let shift = |by: u32| (0..size).map(|rank| Some(Rank((rank + by) % size))).collect::<Vec<_>>();
        let right = (0..size).map(|rank| Some(Rank(rank + 1)).filter(|to| to.0 < size)).collect();
        for partners in [shift(1), shift(size - 1), right] {
            check(&Plan {
                partners,
                windows: vec![2; size as usize],
                ..Plan::new(Operation::Sendrecv, Shape::Direct, size)
            });
        }
    }
}

#[test]
fn ports_follow_the_shape() {
    let ports = |operation, shape, size, rank: u32| {
        let links = Plan::new(operation, shape, size).links();
        let ins = links.iter().filter(|link| link.to.contains(&Rank(rank))).count();
        (ins, links.iter().filter(|link| link.from == Rank(rank)).count())
    };
    assert_eq!(ports(Operation::Barrier, Shape::Flat, 16, 0), (15, 1), "one net back to all");
    let merged = Plan::new(Operation::Barrier, Shape::Merge, 16).port_counts();
    assert!(merged.iter().all(|&ports| ports == (1, 1)), "one stream of packets at the root: {merged:?}");
    assert_eq!(ports(Operation::Scatter, Shape::Flat, 16, 0), (0, 15), "each gets something else");
    assert_eq!(ports(Operation::Allreduce, Shape::Butterfly, 6, 1), (3, 3), "two rounds and a folded rank");
    assert_eq!(ports(Operation::Allreduce, Shape::Butterfly, 6, 0), (1, 1));
    assert_eq!(ports(Operation::Alltoall, Shape::Butterfly, 63, 5), (6, 6));
    assert_eq!(ports(Operation::Alltoall, Shape::Flat, 8, 5), (7, 7));
    assert_eq!(ports(Operation::Reduce, Shape::Hub(3), 16, 1), (4, 1), "the head of five");
}

#[test]
fn shapes_that_mix_the_ranks_need_a_commutative_operator() {
    let order = |operation, shape, size, root| {
        legal(
            &Plan { root: Rank(root), ..Plan::new(operation, shape, size) },
            Combining { commutative: false, exact: true },
        )
    };
    for size in 2..=16 {
        for root in 0..size {
            assert_eq!(order(Operation::Reduce, Shape::Chain, size, root), Ok(()));
            assert_eq!(order(Operation::Reduce, Shape::Flat, size, root), Ok(()));
        }
        assert_eq!(order(Operation::Reduce, Shape::Binomial, size, 0), Ok(()));
        assert_eq!(order(Operation::Reduce, Shape::Hub(3), size, 0), Ok(()));
        assert_eq!(order(Operation::Allreduce, Shape::Butterfly, size, 0), Ok(()));
        assert_eq!(order(Operation::Allreduce, Shape::Ring, size, 0), Err(Illegal::OutOfOrder));
        assert_eq!(order(Operation::ReduceScatter, Shape::Ring, size, 0), Err(Illegal::OutOfOrder));
    }
    assert_eq!(order(Operation::Reduce, Shape::Tree(2), 3, 0), Ok(()), "a root with two leaves");
    assert_eq!(order(Operation::Reduce, Shape::Tree(2), 4, 0), Err(Illegal::OutOfOrder));
    assert_eq!(order(Operation::Reduce, Shape::Binomial, 4, 1), Err(Illegal::OutOfOrder));
}

#[test]
fn only_powers_of_two_are_halved_and_not_every_shape_fits() {
    let legal = |operation, shape, size| legal(&Plan::new(operation, shape, size), Combining::FREE);
    assert_eq!(legal(Operation::ReduceScatter, Shape::Butterfly, 8), Ok(()));
    assert_eq!(legal(Operation::ReduceScatter, Shape::Butterfly, 6), Err(Illegal::NotAPowerOfTwo));
    assert_eq!(legal(Operation::Alltoall, Shape::Tree(2), 8), Err(Illegal::Unsupported));
    assert_eq!(
        legal(Operation::Scatter, Shape::Merge, 8),
        Err(Illegal::Unsupported),
        "nothing comes to the root"
    );
}

#[test]
fn packets_come_in_any_order_which_must_not_show_in_the_result() {
    let legal = |operation, commutative, exact| {
        legal(&Plan::new(operation, Shape::Merge, 8), Combining { commutative, exact })
    };
    for operation in [Operation::Reduce, Operation::Allreduce] {
        assert_eq!(legal(operation, true, true), Ok(()));
        assert_eq!(legal(operation, true, false), Err(Illegal::OrderOfArrival), "floats");
        assert_eq!(legal(operation, false, true), Err(Illegal::OutOfOrder));
    }
    assert_eq!(legal(Operation::Gather, true, false), Ok(()), "floats that stay as they are");
    let headed = Plan { headed: true, ..Plan::new(Operation::Gather, Shape::Merge, 8) };
    assert_eq!(super::legal(&headed, Combining::FREE), Err(Illegal::HeadedMerge));
}

#[test]
fn the_volume_bounds_the_steps() {
    for size in [2, 3, 17, 40] {
        for plan in plans(size, 0) {
            let steps = |phase: &super::Phase| phase.steps.len() as u64;
            let done: u64 = plan.all_programs().iter().flatten().map(steps).sum();
            assert!(done <= plan.volume(), "{plan:?}: {done} steps, {}", plan.volume());
        }
    }
}

/// A step is one unit of time, a link none.
struct Steps;

impl super::Costs for Steps {
    fn step(&self, _: &Step) -> super::StepCost {
        1.into()
    }

    fn link(&self, _: super::LinkId, _: usize) -> i64 {
        0
    }
}

#[test]
fn no_rank_is_done_before_it_has_done_its_steps() {
    for size in [2, 3, 8, 12, 20] {
        for plan in plans(size, size - 1) {
            let plan = Plan { windows: vec![3; size as usize], ..plan };
            let schedule = plan.schedule();
            let times = super::finish_times(&schedule, &Steps, &[]);
            for (program, time) in schedule.programs.iter().zip(times) {
                let (round, _) = super::busy(program, &|_| 1);
                assert!(time >= round, "{plan:?}: done after {time}, with {round} steps to do");
            }
        }
    }
}

#[test]
fn the_ordered_shape_of_an_operation_combines_in_rank_order() {
    let ordered = Combining { commutative: false, exact: true };
    for operation in Operation::ALL.into_iter().filter(|operation| operation.combines()) {
        let row = operation.row();
        let halves = row.algorithm(row.ordered).is_some_and(|algorithm| algorithm.power_of_two);
        for (size, root) in (2..=17).flat_map(|size| (0..size).map(move |root| (size, root))) {
            let root = if row.names_root { root } else { 0 };
            let plan = Plan { root: Rank(root), ..Plan::new(operation, row.ordered, size) };
            let refusal = (halves && !size.is_power_of_two()).then_some(Illegal::NotAPowerOfTwo);
            assert_eq!(legal(&plan, ordered).err(), refusal, "{plan:?}");
        }
    }
}
