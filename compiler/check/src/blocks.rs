//! Constraints on memory: each names buffers or a stack, a module of the array that its core
//! reaches, and banks of a module.
//!
//! The rules look at one constraint, and at the `place` of its kernel. Whether the blocks of
//! several constraints fit together is the placer's question.

use std::collections::BTreeMap;

use aiec_diag::Diagnostic;

use super::context::Context;
use crate::errors::blocks as errors;
use aiec_ir::blocks::{Block, BlockPlace};
use aiec_ir::{KernelId, PortId};

type Placed = BlockPlace<KernelId, PortId>;

pub(super) fn check(context: &Context) -> Vec<Diagnostic> {
    let blocks = &context.expanded.blocks;
    let mut found: Vec<Diagnostic> = blocks.places.iter().filter_map(|place| fault(context, place)).collect();
    found.extend(twice(context));
    for group in &blocks.apart {
        let without = group.ports.iter().find(|&&port| !context.expanded.has_buffers(port));
        found.extend(without.map(|&port| errors::no_buffers(context.expanded, port, group.span)));
        let again = group.pairs().find(|(a, b)| a == b);
        found.extend(again.map(|(&port, _)| errors::apart_from_itself(context.expanded, port, group.span)));
    }
    found
}

/// What is wrong with the place of a block by itself.
fn fault(context: &Context, place: &Placed) -> Option<Diagnostic> {
    let (design, memory) = (context.expanded, &context.device.memory);
    let (kernel, blocks) = match place.block {
        Block::Stack(kernel) => (kernel, 1),
        Block::Buffers(port) if !design.has_buffers(port) => {
            return Some(errors::no_buffers(design, port, place.span));
        }
        Block::Buffers(port) => (design.kernel_of(port)?, design.buffering_of(port).copies()),
    };
    let Some(module) = context.tile(place.column, place.row) else {
        return Some(errors::outside(design, place, context.device));
    };
    if let Some(&bank) = place.banks.iter().find(|&&bank| bank >= memory.banks) {
        return Some(errors::no_such_bank(design, place, bank, memory.banks));
    }
    let banks = u32::try_from(place.banks.len()).unwrap_or(u32::MAX);
    if banks > 1 && banks != blocks {
        return Some(errors::bank_count(design, place, blocks));
    }
    if !context.grid.is_open(module) {
        return Some(errors::closed(design, place));
    }
    let mut tiles = design.places.iter().filter(|tile| tile.kernel == kernel);
    let far = tiles.find(|tile| {
        context.tile(tile.column, tile.row).is_some_and(|core| !context.grid.reaches(core, module))
    })?;
    Some(errors::out_of_reach(design, place, far))
}

/// Blocks with places in two modules, once for each pair of statements.
fn twice(context: &Context) -> Vec<Diagnostic> {
    let mut first: BTreeMap<Block<KernelId, PortId>, &Placed> = BTreeMap::new();
    let mut found = Vec::new();
    for place in &context.expanded.blocks.places {
        let before = *first.entry(place.block).or_insert(place);
        let differs = (before.column, before.row) != (place.column, place.row)
            || (!before.banks.is_empty() && !place.banks.is_empty() && before.banks != place.banks);
        if differs {
            found.push(errors::two_places(context.expanded, before, place));
        }
    }
    found
}

#[cfg(test)]
mod tests {
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

    #[test]
    fn a_block_has_one_place() {
        let mut builder = placed(2, 2, &[1]);
        builder.place_buffers("k.x", 2, 2, &[1]);
        assert_eq!(slugs_on_toy(&builder), [""; 0], "said twice");
        builder.place_buffers("k.x", 2, 1, &[]);
        assert_eq!(slugs_on_toy(&builder), ["check/block-place"]);
    }
}
