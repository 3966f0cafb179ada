//! Modules with stated contents: what `place` puts into a memory module, and the FIFOs there, fit
//! together.
//!
//! The count is a lower bound: it leaves out buffers, stacks and FIFOs without a stated module. A
//! bank holds the buffers placed in it, and the bytes of FIFOs and of buffers with an offset.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use aiec_collectives::Direction;
use aiec_diag::{Diagnostic, Span};
use aiec_ir::blocks::{Block, Within};
use aiec_ir::fifos::{DESCRIPTORS, WORD_BYTES, in_memory};
use aiec_ir::{KernelId, PortId};

use crate::context::Context;
use crate::errors::stated::{self as errors, Content, Full, Resource, Stated};

/// Column and core row of a module.
type Module = (i64, i64);

/// Something that lies in a stated module.
struct Lying {
    content: Content,
    /// Its need of each of [`Resource::ALL`].
    load: [u64; 4],
    within: Within,
    span: Span,
}

impl Lying {
    /// The bytes that it takes, if their position is stated.
    fn range(&self) -> Option<Range<u64>> {
        let Within::Offset(offset) = self.within else { return None };
        Some(u64::from(offset)..u64::from(offset) + self.load[0])
    }

    const fn stated(&self) -> Stated {
        Stated { content: self.content, span: self.span }
    }

    const fn is_fifo(&self) -> bool {
        matches!(self.content, Content::Fifo(_))
    }
}

/// The first fault of each module. Modules with nothing but FIFOs are checked by themselves.
pub(super) fn check(context: &Context) -> Vec<Diagnostic> {
    let mut modules: BTreeMap<Module, Vec<Lying>> = BTreeMap::new();
    for (module, lying) in blocks(context).into_iter().chain(fifos(context)) {
        modules.entry(module).or_default().push(lying);
    }
    let mixed = modules.iter().filter(|(_, all)| !all.iter().all(Lying::is_fifo));
    mixed.filter_map(|(&module, all)| fault(context, module, all)).collect()
}

fn fault(context: &Context, module: Module, all: &[Lying]) -> Option<Diagnostic> {
    let (design, memory) = (context.expanded, &context.device.memory);
    let meets = |fifo: &&Lying| {
        let fifo_range = fifo.range()?;
        let meeting = |block: &&Lying| {
            !block.is_fifo() && block.range().is_some_and(|range| common(&range, &fifo_range) > 0)
        };
        Some((all.iter().find(meeting)?, fifo_range))
    };
    for fifo in all.iter().filter(|lying| lying.is_fifo()) {
        if let Some((block, range)) = meets(&fifo) {
            return Some(errors::meets(design, module, fifo.stated(), &range, block.stated()));
        }
    }
    let full = |resource, bank, needs: Vec<u64>, supply| {
        let demand = needs.iter().sum();
        let contents = all.iter().zip(needs).filter(|(_, need)| *need > 0);
        let contents = contents.map(|(lying, need)| (lying.content, need, lying.span)).collect();
        let full = Full { module, bank, resource, contents, demand, supply };
        (demand > supply).then(|| errors::full(design, &full))
    };
    let of_module = |(at, resource): (usize, Resource)| {
        let needs = all.iter().map(|lying| lying.load[at]).collect();
        full(resource, None, needs, supply(context, resource))
    };
    let of_bank = |bank: u32| {
        let bytes = u64::from(memory.bank_bytes());
        let here = u64::from(bank) * bytes..u64::from(bank + 1) * bytes;
        // A block larger than a bank begins in it and goes on in the next one.
        let need = |lying: &Lying| match lying.within {
            Within::Bank(stated) if stated == bank => lying.load[0].min(bytes),
            _ => lying.range().map_or(0, |range| common(&range, &here)),
        };
        full(Resource::Bytes, Some(bank), all.iter().map(need).collect(), bytes)
    };
    (0..).zip(Resource::ALL).find_map(of_module).or_else(|| (0..memory.banks).find_map(of_bank))
}

/// Bytes in both ranges.
fn common(a: &Range<u64>, b: &Range<u64>) -> u64 {
    a.end.min(b.end).saturating_sub(a.start.max(b.start))
}

/// What a module has.
fn supply(context: &Context, resource: Resource) -> u64 {
    let tile = &context.device.tile;
    match resource {
        Resource::Bytes => context.module_bytes(),
        Resource::Descriptors => tile.bds.into(),
        Resource::Channels(Direction::In) => tile.s2mm.into(),
        Resource::Channels(Direction::Out) => tile.mm2s.into(),
    }
}

/// The stacks and buffers with a stated module, each buffer by itself.
fn blocks(context: &Context) -> Vec<(Module, Lying)> {
    let design = context.expanded;
    let places = design.blocks.places.iter();
    let stated: BTreeSet<(Block<KernelId, PortId>, Module)> =
        places.flat_map(|place| place.modules().into_iter().map(|module| (place.block, module))).collect();
    let is_counted = |block, module| reader(context, block).is_some_and(|to| stated.contains(&(to, module)));
    let mut seen: BTreeSet<(Block<KernelId, PortId>, usize)> = BTreeSet::new();
    // The positions of the first stacks at a place.
    let mut stacks: BTreeMap<(Module, Within), usize> = BTreeMap::new();
    let mut found: Vec<(Module, Lying)> = Vec::new();
    for place in &design.blocks.places {
        let (copies, bytes) = match place.block {
            Block::Stack(kernel) => (1, context.local_bytes(kernel)),
            Block::Buffers(port) => (context.copies(port), context.stored_bytes(&design.ports[port])),
        };
        let numbers = 0..usize::try_from(copies).unwrap_or(usize::MAX);
        for number in numbers.filter(|&number| seen.insert((place.block, number))) {
            let spot = place.spot_of(number);
            let Some(module) = spot.module.filter(|&module| !is_counted(place.block, module)) else {
                continue;
            };
            let [bds, s2mm, mm2s] = by_dma(context, place.block, number);
            let (load, within) = ([bytes, bds, s2mm, mm2s], spot.within);
            // Kernels of one core state one place. Their stacks lie there one behind the other, and
            // may go on in the next bank; those of a graph are one.
            if matches!(place.block, Block::Stack(_)) {
                let first = *stacks.entry((module, within)).or_insert(found.len());
                if let Some((_, joint)) = found.get_mut(first) {
                    joint.load[0] =
                        if design.is_adf() { joint.load[0].max(bytes) } else { joint.load[0] + bytes };
                    continue;
                }
            }
            found.push((
                module,
                Lying { content: Content::Block(place.block), load, within, span: place.span },
            ));
        }
    }
    found
}

/// The buffers of a receiver, if those of its sender are the same ones and its place counts them.
fn reader(context: &Context, block: Block<KernelId, PortId>) -> Option<Block<KernelId, PortId>> {
    let Block::Buffers(port) = block else { return None };
    let design = context.expanded;
    let [connection] = design.ports[port].connections.as_slice() else { return None };
    let to = design.connections[*connection].to;
    (to != port && !context.crosses_dma(port)).then_some(Block::Buffers(to))
}

/// Descriptors and channels of buffer `number` of a port that a DMA serves in every placement.
fn by_dma(context: &Context, block: Block<KernelId, PortId>, number: usize) -> [u64; 3] {
    match block {
        Block::Buffers(port) if context.crosses_dma(port) => {
            // One channel serves all buffers of a port.
            let channel =
                |direction| u64::from(number == 0 && context.expanded.ports[port].direction == direction);
            let descriptors = context.device.costs.dma_buffer_bds.into();
            [descriptors, channel(Direction::In), channel(Direction::Out)]
        }
        _ => [0; 3],
    }
}

/// The FIFOs in modules of the array.
fn fifos(context: &Context) -> Vec<(Module, Lying)> {
    let lying = |fifo: aiec_ir::fifos::MemoryFifo<'_>| {
        let module = (fifo.place.column, fifo.place.row?);
        let load = [u64::from(fifo.words) * WORD_BYTES, DESCRIPTORS.into(), 1, 1];
        let (content, within) = (Content::Fifo(fifo.connection), Within::Offset(fifo.offset));
        Some((module, Lying { content, load, within, span: fifo.place.span }))
    };
    in_memory(context.expanded).into_iter().filter_map(lying).collect()
}

#[cfg(test)]
mod tests {
    use crate::testing::{rendered, slugs_on_toy, toy};
    use aiec_collectives::Direction;
    use aiec_ir::Carries;
    use aiec_ir::blocks::{Block, BlockSpot, Within};
    use aiec_ir::fifos::FifoKind::Dma;
    use aiec_test_support::{Builder, input, int32, output, stream};

    /// Two kernels with a FIFO between them whose places at (3, 2) have these offsets and words,
    /// and the input of the first kernel within (3, 2).
    fn chain(elements: u32, within: Within, fifos: &[(u32, u32)]) -> Builder {
        let mut builder = Builder::new("chain", "toy");
        builder.plio_input("i", 64).plio_output("o", 64);
        let (window, words) = (Carries::window_of(int32(elements)), stream(Some(elements)));
        builder.carrying("a", &[], &[(Direction::In, "x", window), (Direction::Out, "y", words)]);
        builder.carrying("b", &[], &[(Direction::In, "x", words), (Direction::Out, "y", window)]);
        let depth = fifos.iter().map(|(_, words)| words).sum();
        builder.connect("i", "a.x").connect("b.y", "o").connect("a.y", "b.x");
        if depth > 0 {
            builder.fifo(depth);
        }
        for &(offset, words) in fifos {
            builder.fifo_of("a.y", 3, Some(2), Dma { offset, words });
        }
        let spot = BlockSpot { module: Some((3, 2)), within };
        builder.place_block(Block::Buffers("a.x".into()), &[spot]);
        builder
    }

    fn text(builder: &Builder) -> String {
        rendered(builder, &toy()).split_whitespace().collect::<Vec<_>>().join(" ").replace("│ ", "")
    }

    /// A bank has 8192 bytes. The placer writes one place for all stacks of a core, and vendors'
    /// files have it so.
    #[test]
    fn stacks_of_one_core_begin_in_one_bank_and_go_on_in_the_next() {
        let mut builder = Builder::new("core", "toy");
        builder.plio_input("i", 64).plio_output("o", 64);
        for name in ["a", "b", "c"] {
            builder.kernels(name, &[], &[input("x", int32(64)), output("y", int32(64))]);
            builder.stack(name, 2048).runtime(name, 300).place(name, 3, 2).place_stack(name, 3, 2, 0);
        }
        builder.connect("i", "a.x").connect("a.y", "b.x").connect("b.y", "c.x").connect("c.y", "o");
        assert_eq!(slugs_on_toy(&builder), [""; 0]);
    }

    /// The vendor's tools do not say that stacks of one core add up, so only a design is refused.
    #[test]
    fn kernels_of_one_core_have_one_stack_in_a_graph() {
        let mut builder = Builder::new("core", "toy");
        builder.plio_input("i", 64).plio_output("o", 64);
        for name in ["a", "b"] {
            builder.kernels(name, &[], &[input("x", int32(64)), output("y", int32(64))]);
            builder.stack(name, 20_000).runtime(name, 300).place(name, 3, 2).place_stack(name, 3, 2, 0);
        }
        builder.connect("i", "a.x").connect("a.y", "b.x").connect("b.y", "o");
        assert_eq!(slugs_on_toy(&builder), ["check/core-overload"]);
        let mut graph = builder.expanded().expect("every name is declared");
        graph.language = aiec_ir::design::Language::Adf;
        assert!(crate::check(graph, &toy()).diagnostics().is_empty());
    }

    /// A module has 32768 bytes, and each of the two buffers 4096.
    #[test]
    fn a_fifo_leaves_room_for_the_buffers_placed_in_its_module() {
        let with = |words| chain(1024, Within::Module, &[(0, words)]);
        assert_eq!(slugs_on_toy(&with(6144)), [""; 0]);
        assert_eq!(slugs_on_toy(&with(6148)), ["check/fifo-place"]);
        let text = text(&with(6148));
        for part in [
            "the module at (3, 2) has 32768 bytes",
            "at least 32784",
            "the FIFO of `a.y -> b.x` 24592",
            "`a.x` 8192",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
    }

    #[test]
    fn a_fifo_leaves_room_in_the_bank_of_a_buffer() {
        let with = |words| chain(1024, Within::Bank(3), &[(0, words)]);
        assert_eq!(slugs_on_toy(&with(6144)), [""; 0], "banks 0 to 2");
        assert_eq!(slugs_on_toy(&with(6140)), [""; 0]);
        let one = chain(512, Within::Bank(3), &[(24_576, 1024)]);
        assert_eq!(slugs_on_toy(&one), [""; 0], "two buffers of 2 KiB and 4 KiB");
        let one = chain(512, Within::Bank(3), &[(24_576, 1028)]);
        assert_eq!(slugs_on_toy(&one), ["check/fifo-place"]);
        assert!(text(&one).contains("bank 3 of the module at (3, 2)"), "{}", text(&one));
    }

    #[test]
    fn a_fifo_does_not_meet_a_buffer_at_an_offset() {
        let with = |offset| chain(64, Within::Offset(offset), &[(4096, 64)]);
        assert_eq!(slugs_on_toy(&with(4096 - 256)), [""; 0]);
        assert_eq!(slugs_on_toy(&with(4096 + 256)), [""; 0]);
        assert_eq!(slugs_on_toy(&with(4096 + 224)), ["check/fifo-place"]);
        assert!(text(&with(4096)).contains("bytes 4096 to 4352"), "{}", text(&with(4096)));
    }

    /// A tile has 2 channels of each direction.
    #[test]
    fn fifos_leave_a_channel_for_the_buffers_placed_in_their_module() {
        assert_eq!(slugs_on_toy(&chain(64, Within::Module, &[(0, 32)])), [""; 0]);
        let two = chain(64, Within::Module, &[(0, 32), (4096, 32)]);
        assert_eq!(slugs_on_toy(&two), ["check/fifo-place"]);
        assert!(
            text(&two).contains("has 2 S2MM channels, and what the design puts there needs 3"),
            "{}",
            text(&two)
        );
    }

    #[test]
    fn buffers_without_a_fifo_fit_as_well() {
        let mut builder = chain(3072, Within::Module, &[]);
        assert_eq!(slugs_on_toy(&builder), [""; 0]);
        let spot = BlockSpot { module: Some((3, 2)), within: Within::Module };
        builder.place_block(Block::Buffers("b.y".into()), &[spot]);
        assert_eq!(slugs_on_toy(&builder), ["check/block-place"]);
    }
}
