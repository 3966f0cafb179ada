//! Constraints on memory: the search keeps them, and the checker refuses placements that break
//! them.

use crate::support::*;
use aiec_diag::Diagnostic;
use aiec_ir::blocks::{Anchor, Block};
use aiec_placer::{Placement, place, verify};
use aiec_test_support::{Builder, input, int32, output};
use proptest::prelude::*;

/// `mix` reads two inputs and writes an output; `next` reads what it writes.
fn two() -> Builder {
    let mut builder = Builder::new("d", "toy");
    builder.plio_input("i", 64).plio_input("j", 64).plio_output("o", 64);
    builder.kernels("mix", &[], &[input("a", int32(64)), input("b", int32(64)), output("y", int32(64))]);
    builder.kernels("next", &[], &[input("x", int32(64)), output("y", int32(64))]);
    builder.connect("i", "mix.a").connect("j", "mix.b").connect("mix.y", "next.x").connect("next.y", "o");
    builder
}

fn found(builder: &Builder) -> Placement {
    let device = toy();
    let checked = checked(builder, &device);
    let placement = placement(&checked, &device);
    value(verify(&checked, &device, placement.clone()));
    placement
}

#[test]
fn buffers_and_stacks_lie_where_the_design_says() {
    let mut builder = two();
    builder.place_buffers("mix.a", 3, 1, &[2, 0]).place_stack("mix", 3, 2, 3);
    found(&builder);
}

#[test]
fn blocks_beside_a_kernel_follow_it() {
    let stack = |distance| two().place_beside(Block::Stack("mix".into()), distance).clone();
    for distance in [(0, 1), (0, -1), (0, 0)] {
        let mut builder = stack(distance);
        builder.place_beside(Block::Buffers("next.x".into()), (0, 0));
        let placement = found(&builder);
        let lies = |tile: aiec_device::Tile| (i64::from(tile.column), i64::from(tile.row));
        let core = lies(*placement.kernels.iter().next().expect("a kernel"));
        let (column, row) = lies(placement.stacks.iter().next().expect("a stack").tile);
        assert_eq!((column - core.0, row - core.1), distance);
        let device = toy();
        let other = verify(&checked(&stack((1 - distance.0, 0)), &device), &device, placement);
        assert_eq!(slugs(&other), ["place/constraint-broken"]);
    }
}

/// The window from `b` to `c` fits the one module that both reach until the buffers of `d` come,
/// which may only lie there. No kernel may move, so the window has to go by DMA.
#[test]
fn memory_is_packed_anew_where_every_kernel_is_fixed() {
    let mut builder = Builder::new("d", "toy");
    builder.plio_input("i", 64).plio_input("j", 64).plio_input("k", 64);
    builder.plio_output("o", 64).plio_output("p", 64);
    builder.kernels("b", &[], &[input("x", int32(32)), output("y", int32(32))]);
    builder.kernels("c", &[], &[input("x", int32(2048)), input("s", int32(32)), output("y", int32(32))]);
    builder.kernels("d", &[], &[input("x", int32(2048)), output("y", int32(32))]);
    builder.connect("i", "b.x").connect("b.y", "c.s").connect("j", "c.x").connect("k", "d.x");
    builder.connect("c.y", "o").connect("d.y", "p");
    builder.place("b", 0, 1).place("c", 1, 1).place("d", 1, 0);
    builder.place_buffers("c.x", 1, 1, &[0, 1]).place_buffers("d.x", 1, 1, &[2, 3]);
    found(&builder);
}

#[test]
fn a_producer_and_its_consumer_in_different_modules_need_a_dma() {
    let mut builder = two();
    builder.place_buffers("mix.y", 0, 0, &[]).place_buffers("next.x", 5, 3, &[1]);
    found(&builder);
}

#[test]
fn blocks_follow_others_that_nothing_fixes() {
    let port = |name: &str| Anchor::Block(Block::Buffers(name.into()));
    for distance in [(0, 0), (0, 1), (1, 0)] {
        let mut own = two();
        own.tie_blocks(Block::Stack("mix".into()), port("mix.a"), distance);
        found(own.tie_blocks(Block::Buffers("mix.b".into()), port("mix.a"), (0, 0)));
        // The other kernel comes as near as that needs, although nothing connects the two.
        let mut other = Builder::new("far", "toy");
        other.plio("i", &[6], aiec_collectives::Direction::Out, 64);
        other.kernels("k", &[6], &[input("x", int32(64))]);
        (0..6).for_each(|at| _ = other.connect(&format!("i[{at}]"), &format!("k[{at}].x")));
        other.tie_blocks(Block::Stack("k[5]".into()), port("k[0].x"), distance);
        found(other.tie_blocks(Block::Buffers("k[5].x".into()), Anchor::Core("k[0]".into()), (0, 0)));
    }
}

fn buffers(port: &str) -> Block<String, String> {
    Block::Buffers(port.to_owned())
}

fn stack(kernel: &str) -> Block<String, String> {
    Block::Stack(kernel.to_owned())
}

/// Two inputs of a kernel lie in different banks unless the design says otherwise.
#[test]
fn blocks_of_one_bank_share_it_where_the_others_part() {
    let device = toy();
    let one = |block, other| two().in_one_bank(block, other).clone();
    let apart = found(&two());
    for (block, other) in [
        (buffers("mix.b"), buffers("mix.a")),
        (buffers("mix.y"), buffers("mix.a")),
        (Block::Stack("mix".into()), buffers("mix.b")),
        (buffers("next.y"), Block::Stack("next".into())),
    ] {
        let builder = one(block, other);
        found(&builder);
        let broken = verify(&checked(&builder, &device), &device, apart.clone());
        assert!(slugs(&broken).contains(&"place/constraint-broken"), "{builder:?}");
    }
}

/// UG1079, "Not Colocated Nodes Constraint" and its neighbours.
#[test]
fn blocks_lie_elsewhere_than_a_core_and_in_other_banks_than_a_stack() {
    let device = toy();
    let mut together = two();
    for (block, core) in [(buffers("mix.a"), "mix"), (buffers("next.x"), "mix"), (stack("next"), "mix")] {
        together.tie_blocks(block, Anchor::Core(core.into()), (0, 0));
    }
    let placement = found(together.in_one_bank(buffers("mix.b"), stack("mix")));
    let apart: [&dyn Fn(&mut Builder); 4] = [
        &|builder| _ = builder.elsewhere(buffers("mix.a"), Anchor::Core("mix".into())),
        &|builder| _ = builder.elsewhere(buffers("next.x"), Anchor::Core("mix".into())),
        &|builder| _ = builder.elsewhere(stack("next"), Anchor::Core("mix".into())),
        &|builder| _ = builder.in_no_bank(stack("mix"), buffers("mix.b")),
    ];
    for state in apart {
        let mut builder = two();
        state(&mut builder);
        found(&builder);
        let broken = verify(&checked(&builder, &device), &device, placement.clone());
        assert!(slugs(&broken).contains(&"place/constraint-broken"), "{builder:?}");
    }
}

#[test]
fn a_stated_bank_holds_for_all_that_share_it() {
    let mut builder = two();
    builder.in_one_bank(buffers("mix.b"), buffers("mix.a")).in_one_bank(buffers("mix.y"), buffers("mix.b"));
    found(builder.place_buffers("mix.b", 3, 1, &[2, 0]));
}

#[test]
fn a_distance_that_no_core_spans_is_refused() {
    let mut builder = two();
    let anchor = Anchor::Block(Block::Buffers("mix.a".into()));
    builder.tie_blocks(Block::Stack("mix".into()), anchor, (3, 0));
    let device = toy();
    let outcome = place(&checked(&builder, &device), &device, &QUICK);
    assert!(outcome.diagnostics().iter().any(Diagnostic::is_error));
}

#[test]
fn a_placement_that_breaks_a_constraint_is_refused() {
    let placement = found(two().place("mix", 2, 2).place("next", 3, 2));
    let device = toy();
    let refused = |builder: &Builder| {
        let outcome = verify(&checked(builder, &device), &device, placement.clone());
        slugs(&outcome)
    };
    let at = |builder: &mut Builder, tile: (i64, i64)| builder.place_stack("mix", tile.0, tile.1, 3).clone();
    let stack = placement.stacks.iter().next().expect("a stack");
    let (column, row) = (i64::from(stack.tile.column), i64::from(stack.tile.row));
    assert_eq!(refused(&at(&mut two(), (column, (row + 1) % 4))), ["place/constraint-broken"]);
    let bank = stack.offset / device.memory.bank_bytes();
    let mut right = two();
    right.place_stack("mix", column, row, bank);
    assert_eq!(refused(&right), [""; 0]);
    let mut wrong = two();
    wrong.place_stack("mix", column, row, (bank + 1) % 4);
    assert_eq!(refused(&wrong), ["place/constraint-broken"]);
    let core = |distance| {
        let mut builder = two();
        builder.tie_blocks(Block::Stack("mix".into()), Anchor::Core("next".into()), distance).clone()
    };
    assert_eq!(refused(&core((column - 3, row - 2))), [""; 0]);
    assert_eq!(refused(&core((column - 3, row - 1))), ["place/constraint-broken"]);
    let mut shared = two();
    shared.buffers_apart(&["mix.y", "next.x"]);
    assert_eq!(refused(&shared), ["place/constraint-broken"], "neighbours share these buffers");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// What the search finds under random constraints passes the checker; an obvious case is found.
    #[test]
    #[ignore = "long: places many designs"]
    fn random_constraints_are_kept(
        modules in prop::collection::vec((0_usize..4, 0_i64..6, 0_i64..4, prop::option::of(0_u32..4)), 0..3),
        pairs in prop::collection::vec((0_usize..5, 0_usize..5), 0..3),
        alike in prop::collection::vec((0_usize..5, 0_usize..5), 0..3),
        elsewhere in prop::collection::vec((0_usize..5, prop::bool::ANY), 0..2),
    ) {
        const PORTS: [&str; 5] = ["mix.a", "mix.b", "mix.y", "next.x", "next.y"];
        let mut builder = two();
        for &(port, column, row, bank) in &modules {
            let banks: Vec<u32> = bank.into_iter().collect();
            builder.place_buffers(PORTS[port], column, row, &banks);
        }
        for &(a, b) in pairs.iter().filter(|(a, b)| a != b) {
            builder.buffers_apart(&[PORTS[a], PORTS[b]]);
        }
        for &(a, b) in alike.iter().filter(|(a, b)| a != b) {
            builder.in_one_bank(buffers(PORTS[a]), buffers(PORTS[b]));
        }
        for &(port, is_mix) in &elsewhere {
            let core = if is_mix { "mix" } else { "next" };
            builder.elsewhere(buffers(PORTS[port]), Anchor::Core(core.into()));
        }
        let device = toy();
        let outcome = aiec_check::check(builder.expanded().expect("names are right"), &device);
        let Some(checked) = outcome.into_parts().0 else { return Ok(()) };
        let Some(placement) = place(&checked, &device, &QUICK).into_parts().0 else {
            prop_assert!(!modules.is_empty() || !alike.is_empty(), "without places there is room");
            return Ok(());
        };
        let outcome = verify(&checked, &device, placement);
        prop_assert!(outcome.diagnostics().is_empty(), "{:?}", outcome.diagnostics());
    }
}
