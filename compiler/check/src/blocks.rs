//! Constraints on memory: each names buffers or a stack, a module of the array that its core
//! reaches, and banks or offsets of a module.
//!
//! The rules look at one constraint, at the `place` of its kernel, and at blocks whose stated
//! offsets overlap. Whether those of one module fit together is a question for `stated.rs`, and
//! whether all blocks do is one for the placer.

use std::collections::BTreeMap;

use aiec_diag::{Diagnostic, Span};

use super::context::Context;
use crate::errors::blocks::{self as errors, AtOffset};
use aiec_ir::blocks::{Anchor, Block, BlockPlace, BlockSpot, BlockTie, Within};
use aiec_ir::expanded::Expanded;
use aiec_ir::{KernelId, PortId};

type Placed = BlockPlace<KernelId, PortId>;

pub(super) fn check(context: &Context) -> Vec<Diagnostic> {
    let blocks = &context.expanded.blocks;
    let mut found: Vec<Diagnostic> = blocks.places.iter().filter_map(|place| fault(context, place)).collect();
    found.extend(twice(context));
    if found.is_empty() {
        found.extend(overlaps(context));
    }
    for group in &blocks.apart {
        let without = group.ports.iter().find(|&&port| !context.expanded.has_buffers(port));
        found.extend(without.map(|&port| errors::no_buffers(context.expanded, port, group.span)));
        let again = group.pairs().find(|(a, b)| a == b);
        found.extend(again.map(|(&port, _)| errors::apart_from_itself(context.expanded, port, group.span)));
    }
    if found.is_empty() {
        found.extend(in_one_bank(context));
    }
    found.extend(blocks.ties.iter().filter_map(|tie| not_elsewhere(context, tie)));
    found
}

/// A block that is to lie in another module than that of a core, and whose place is that module.
fn not_elsewhere(context: &Context, tie: &BlockTie<KernelId, PortId>) -> Option<Diagnostic> {
    let Anchor::Core(core) = tie.from else { return None };
    let own = context.expanded.kernel_of_block(tie.block) == Some(core);
    let tile = context.fixed_tile(core).map(|tile| context.grid.tile(tile).position());
    let is_there = |place: &&Placed| {
        place.block == tie.block
            && ((own && place.beside == Some((0, 0)))
                || tile.is_some_and(|tile| place.modules().contains(&tile)))
    };
    let place = context.expanded.blocks.places.iter().find(is_there).filter(|_| tie.distance.is_none())?;
    Some(errors::not_elsewhere(context.expanded, core, place, tie.span))
}

/// Blocks that are to share no bank, with stated places in one bank: once for each statement.
fn in_one_bank(context: &Context) -> Vec<Diagnostic> {
    let design = context.expanded;
    let bank_bytes = context.device.memory.bank_bytes();
    let mut stated: BTreeMap<Block<KernelId, PortId>, Vec<Bank>> = BTreeMap::new();
    for place in &design.blocks.places {
        let bank = |spot: &BlockSpot| Some((spot.module?, spot.within.bank(bank_bytes)?));
        stated.entry(place.block).or_default().extend(place.spots.iter().filter_map(bank));
    }
    let fault = |(both, span): ([Block<KernelId, PortId>; 2], Span)| {
        let [here, there] = both.map(|block| stated.get(&block));
        let bank = here?.iter().copied().find(|bank| there.is_some_and(|all| all.contains(bank)))?;
        // The ends of a pattern in a graph are apart by implication, and the vendor may not mind.
        let is_pattern = design.is_adf() && are_joined(design, both);
        (!is_pattern).then(|| (span, errors::apart_in_one_bank(design, both, bank, span)))
    };
    let mut found: Vec<(Span, Diagnostic)> = design.blocks.in_no_bank().filter_map(fault).collect();
    found.dedup_by_key(|(span, _)| *span);
    found.into_iter().map(|(_, fault)| fault).collect()
}

/// True if a connection joins two ports.
fn are_joined(design: &Expanded, both: [Block<KernelId, PortId>; 2]) -> bool {
    let [Block::Buffers(a), Block::Buffers(b)] = both else { return false };
    design.ports[a].connections.iter().any(|&wire| design.connections[wire].other(a) == b)
}

/// A module by column and row, and a bank of it.
type Bank = ((i64, i64), u32);

/// What is wrong with the place of a block by itself.
fn fault(context: &Context, place: &Placed) -> Option<Diagnostic> {
    let design = context.expanded;
    let (kernel, blocks) = match place.block {
        Block::Stack(kernel) => (kernel, 1),
        Block::Buffers(port) if !design.has_buffers(port) => {
            return Some(errors::no_buffers(design, port, place.span));
        }
        Block::Buffers(port) => (design.kernel_of(port)?, design.buffering_of(port).copies()),
    };
    let spots = u32::try_from(place.spots.len()).unwrap_or(u32::MAX);
    if spots > 1 && spots != blocks {
        return Some(errors::spot_count(design, place, blocks));
    }
    place.spots.iter().find_map(|&spot| spot_fault(context, place, kernel, spot)).or_else(|| {
        // A DMA serves the module of its tile alone (AM009, tile DMA).
        let by_dma = matches!(place.block, Block::Buffers(port) if context.crosses_dma(port));
        (by_dma && place.modules().len() > 1).then(|| errors::dma_in_two_modules(design, place))
    })
}

/// What is wrong with one spot.
fn spot_fault(context: &Context, place: &Placed, kernel: KernelId, spot: BlockSpot) -> Option<Diagnostic> {
    let (design, memory) = (context.expanded, &context.device.memory);
    match spot.within {
        Within::Bank(bank) if bank >= memory.banks => {
            return Some(errors::no_such_bank(design, place, bank, memory.banks));
        }
        Within::Offset(offset) if !offset.is_multiple_of(memory.buffer_alignment.max(1)) => {
            let most = context.module_bytes().saturating_sub(bytes(context, place));
            return Some(errors::misaligned(design, place, offset, memory.buffer_alignment, most));
        }
        Within::Offset(offset) if u64::from(offset) + bytes(context, place) > context.module_bytes() => {
            return Some(errors::beyond_module(design, place, offset, bytes(context, place), context.device));
        }
        _ => {}
    }
    let (column, row) = spot.module?;
    let Some(module) = context.tile(column, row) else {
        return Some(errors::outside(design, place, (column, row), context.device));
    };
    if !context.grid.is_open(module) {
        return Some(errors::closed(design, place, (column, row)));
    }
    let mut tiles = design.places.iter().filter(|tile| tile.kernel == kernel);
    let far = tiles.find(|tile| {
        context.tile(tile.column, tile.row).is_some_and(|core| !context.grid.reaches(core, module))
    })?;
    Some(errors::out_of_reach(design, place, (column, row), far))
}

/// Bytes of one block, at least.
fn bytes(context: &Context, place: &Placed) -> u64 {
    match place.block {
        Block::Stack(kernel) => context.system_bytes(kernel),
        Block::Buffers(port) => context.stored_bytes(&context.expanded.ports[port]),
    }
}

/// Blocks with places that differ, once for each pair of statements.
fn twice(context: &Context) -> Vec<Diagnostic> {
    let mut first: BTreeMap<Block<KernelId, PortId>, &Placed> = BTreeMap::new();
    let mut found = Vec::new();
    for place in &context.expanded.blocks.places {
        let before = *first.entry(place.block).or_insert(place);
        let copies = match place.block {
            Block::Stack(_) => 1,
            Block::Buffers(port) => context.expanded.buffering_of(port).copies() as usize,
        };
        if (0..copies).any(|number| before.spot_of(number).differs(place.spot_of(number))) {
            found.push(errors::two_places(context.expanded, before, place));
        }
    }
    found
}

/// Blocks at stated offsets of one module that overlap, once for each later one.
fn overlaps(context: &Context) -> Vec<Diagnostic> {
    let mut modules: BTreeMap<(i64, i64), Vec<Lying<'_>>> = BTreeMap::new();
    for place in &context.expanded.blocks.places {
        for (number, spot) in place.spots.iter().enumerate() {
            if let (Some(module), Within::Offset(offset)) = (spot.module, spot.within) {
                let start = u64::from(offset);
                let lying = Lying { start, end: start + bytes(context, place), number, place };
                modules.entry(module).or_default().push(lying);
            }
        }
    }
    let mut found = Vec::new();
    for (module, mut lying) in modules {
        lying.sort_by_key(|one| (one.start, one.end, one.place.block, one.number));
        let meets = |pair: &&[Lying<'_>]| {
            let same = (pair[0].place.block, pair[0].number) == (pair[1].place.block, pair[1].number);
            pair[1].start < pair[0].end && !same && !shared(context, pair[0].place, pair[1].place)
        };
        let broken = lying.windows(2).filter(meets);
        let fault = |pair: &[Lying<'_>]| {
            errors::overlap(context.expanded, module, &pair[0].at_offset(), &pair[1].at_offset())
        };
        found.extend(broken.map(fault));
    }
    found
}

/// A block at a stated offset: its bytes and the number of its buffer.
struct Lying<'a> {
    start: u64,
    end: u64,
    number: usize,
    place: &'a Placed,
}

impl<'a> Lying<'a> {
    const fn at_offset(&self) -> AtOffset<'a> {
        AtOffset { place: self.place, offset: self.start }
    }
}

/// True if two blocks may be the same memory: the buffers of the two ends of a connection, or the
/// stacks of kernels on one core.
fn shared(context: &Context, a: &Placed, b: &Placed) -> bool {
    match (a.block, b.block) {
        (Block::Stack(a), Block::Stack(b)) => {
            let tiles = context.fixed_tile(a).zip(context.fixed_tile(b));
            tiles.is_none_or(|(a, b)| a == b)
        }
        (Block::Buffers(a), Block::Buffers(b)) => {
            let wires = &context.expanded.ports[a].connections;
            context.expanded.may_share(a)
                && wires.iter().any(|&wire| context.expanded.connections[wire].other(a) == b)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::{Anchor, Block, BlockSpot, Within};
    use crate::testing::{rendered, slugs_on_toy, toy};
    use aiec_test_support::{Builder, input, int32, output};

    /// A kernel between PLIO ports whose input lies at `(column, row)` in `banks`.
    fn placed(column: i64, row: i64, banks: &[u32]) -> Builder {
        let mut builder = Builder::new("d", "toy");
        builder.plio_input("i", 64).plio_output("o", 64);
        builder.kernels("k", &[], &[input("x", int32(64)), output("y", int32(64))]);
        builder.connect("i", "k.x").connect("k.y", "o").place("k", 2, 2);
        builder.place_buffers("k.x", column, row, banks);
        builder
    }

    #[test]
    fn buffers_lie_in_a_module_that_the_core_reaches() {
        for (column, row) in [(2, 2), (2, 1), (2, 3), (1, 2)] {
            assert_eq!(slugs_on_toy(&placed(column, row, &[])), [""; 0], "{column} {row}");
        }
        assert_eq!(slugs_on_toy(&placed(3, 2, &[])), ["check/block-place"], "an even row reaches west");
        assert_eq!(slugs_on_toy(&placed(6, 0, &[])), ["check/place-outside"]);
        let text = rendered(&placed(4, 2, &[]), &toy());
        assert!(text.contains("`k.x`") && text.contains("(4, 2)") && text.contains("(2, 2)"), "{text}");
    }

    #[test]
    fn a_module_has_four_banks_and_each_buffer_one() {
        assert_eq!(slugs_on_toy(&placed(2, 2, &[0, 3])), [""; 0]);
        assert_eq!(slugs_on_toy(&placed(2, 2, &[3])), [""; 0], "both buffers in one bank");
        assert_eq!(slugs_on_toy(&placed(2, 2, &[4])), ["check/block-place"]);
        assert_eq!(slugs_on_toy(&placed(2, 2, &[0, 1, 2])), ["check/block-place"], "two buffers");
    }

    // UG1079, "Not Colocated Nodes Constraint".
    #[test]
    fn buffers_that_are_to_lie_elsewhere_than_a_kernel_are_not_placed_on_its_tile() {
        let design = |column, row| {
            let mut builder = placed(column, row, &[]);
            builder.elsewhere(Block::Buffers("k.x".into()), Anchor::Core("k".into()));
            builder
        };
        assert_eq!(slugs_on_toy(&design(2, 1)), [""; 0]);
        assert_eq!(slugs_on_toy(&design(2, 2)), ["check/block-place"]);
        let text = rendered(&design(2, 2), &toy());
        assert!(text.contains("`k.x` is to lie on another tile than `k`"), "{text}");
    }

    #[test]
    fn buffers_that_are_to_be_apart_are_not_placed_in_one_bank() {
        let design = |bank| {
            let mut builder = placed(2, 2, &[1]);
            builder.place_buffers("k.y", 2, 2, &[bank]).buffers_apart(&["k.x", "k.y"]);
            builder
        };
        assert_eq!(slugs_on_toy(&design(0)), [""; 0]);
        assert_eq!(slugs_on_toy(&design(1)), ["check/block-place"]);
        let text = rendered(&design(1), &toy());
        assert!(text.contains("both are placed in bank 1 of the module at (2, 2)"), "{text}");
    }

    // UG1079, "Not Colocated Nodes Constraint".
    #[test]
    fn a_stack_and_buffers_that_are_to_be_apart_are_not_placed_in_one_bank() {
        let design = |bank| {
            let mut builder = placed(2, 2, &[1]);
            let stack = || Block::Stack("k".into());
            builder.place_block(stack(), &[BlockSpot { module: Some((2, 2)), within: Within::Bank(bank) }]);
            builder.in_no_bank(stack(), Block::Buffers("k.x".into()));
            builder
        };
        assert_eq!(slugs_on_toy(&design(0)), [""; 0]);
        assert_eq!(slugs_on_toy(&design(1)), ["check/block-place"]);
        let text = rendered(&design(1), &toy());
        assert!(text.contains("the stack of `k` and `k.x` are to share no bank"), "{text}");
    }

    #[test]
    fn a_block_has_one_place() {
        let mut builder = placed(2, 2, &[1]);
        builder.place_buffers("k.x", 2, 2, &[1]);
        assert_eq!(slugs_on_toy(&builder), [""; 0], "said twice");
        builder.place_buffers("k.x", 2, 1, &[]);
        assert_eq!(slugs_on_toy(&builder), ["check/block-place"]);
    }

    fn at(module: (i64, i64), offset: u32) -> BlockSpot {
        BlockSpot { module: Some(module), within: Within::Offset(offset) }
    }

    #[test]
    fn an_offset_is_aligned_and_leaves_room_to_the_end_of_the_module() {
        let with = |spots: &[BlockSpot]| {
            let mut builder = placed(2, 2, &[]);
            slugs_on_toy(builder.place_block(Block::Buffers("k.y".into()), spots))
        };
        assert_eq!(with(&[at((2, 2), 0), at((2, 2), 8192)]), [""; 0]);
        assert_eq!(with(&[at((2, 2), 32768 - 256)]), [""; 0], "one offset holds for the first buffer");
        assert_eq!(with(&[at((2, 2), 32768 - 224)]), ["check/block-place"]);
        assert_eq!(with(&[at((2, 2), 10)]), ["check/block-place"], "32 bytes");
        assert_eq!(with(&[at((2, 2), 0), at((2, 1), 0)]), ["check/block-place"], "a DMA serves one module");
        assert_eq!(with(&[at((2, 2), 0), at((2, 2), 128)]), ["check/block-place"], "they overlap");
    }

    #[test]
    fn a_wrong_offset_is_told_one_at_which_the_block_fits() {
        let help = |offset| {
            let mut builder = placed(2, 2, &[]);
            builder.place_block(Block::Buffers("k.y".into()), &[at((2, 2), offset)]);
            rendered(&builder, &toy())
        };
        assert!(help(40).contains("write 32 or 64"), "{}", help(40));
        assert!(help(32760).contains("write 32512"), "{}", help(32760));
    }

    #[test]
    fn an_offset_may_leave_the_module_open() {
        let mut builder = placed(2, 2, &[]);
        let open = |offset| BlockSpot { module: None, within: Within::Offset(offset) };
        builder.place_block(Block::Buffers("k.y".into()), &[open(0), open(4096)]);
        builder.place_block(Block::Stack("k".into()), &[open(0)]);
        assert_eq!(slugs_on_toy(&builder), [""; 0], "in another module");
    }
}
