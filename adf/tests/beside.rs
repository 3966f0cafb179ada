//! Blocks in modules at a distance from a core.

mod common;

use aiec_adf::description::{Place, PortType, Subject};
use aiec_collectives::ElementType;
use aiec_ir::KernelId;
use aiec_ir::blocks::{Anchor, Block};
use common::{Graph, block, pass, window};

#[test]
fn blocks_beside_a_free_kernel_keep_their_distance_from_it() {
    let (mut graph, kernel) = pass();
    let other = graph.kernel("g.other", "f", &[], &[]);
    let beside = |to, columns| Place::Relative { to, columns: Some(columns), rows: Some(0) };
    let (of, stack) = (Subject::Kernel(kernel.index()), Subject::Stack(kernel.index()));
    graph.locate(stack, &[beside(of, 1)]);
    graph.locate(Subject::Port(kernel.ins[0]), &[beside(stack, -1)]);
    graph.locate(Subject::Port(kernel.outs[0]), &[beside(Subject::Stack(other.index()), 0)]);
    let design = graph.expanded();
    let beside: Vec<_> = design.blocks.places.iter().map(|place| place.beside).collect();
    assert_eq!(beside, [Some((1, 0)), Some((0, 0))]);
    let ties: Vec<_> = design.blocks.ties.iter().map(|tie| (tie.block, tie.from, tie.distance)).collect();
    let [out] = design.kernels[KernelId(0)].outputs[..] else { panic!("one output") };
    assert_eq!(ties, [(Block::Buffers(out), Anchor::Block(Block::Stack(KernelId(1))), Some((0, 0)))]);
    assert!(graph.adopted().notes.left_out.is_empty());
}

#[test]
fn one_step_from_the_core_leaves_one_module_that_it_reaches() {
    let (mut graph, kernel) = pass();
    let to = Subject::Kernel(kernel.index());
    let beside = |columns, rows| [Place::Relative { to, columns, rows }];
    graph.locate(Subject::Stack(kernel.index()), &beside(Some(1), None));
    graph.locate(Subject::Port(kernel.ins[0]), &beside(None, Some(-1)));
    graph.locate(Subject::Port(kernel.outs[0]), &beside(Some(0), None));
    let beside: Vec<_> = graph.expanded().blocks.places.iter().map(|place| place.beside).collect();
    assert_eq!(beside, [Some((1, 0)), Some((0, -1))]);
    let said: Vec<String> = graph.adopted().notes.left_out.into_iter().map(|one| one.what).collect();
    assert_eq!(said, ["that the place of the buffers of `k.out[0]` follows from that of `k`"]);
}

/// An offset is relative to the tile that is allocated, so it adds to a distance, in either order.
#[test]
fn offsets_add_to_a_distance() {
    for is_first in [false, true] {
        let (mut graph, kernel) = pass();
        let of = Subject::Kernel(kernel.index());
        let (input, output) = (Subject::Port(kernel.ins[0]), Subject::Port(kernel.outs[0]));
        let below = Place::Relative { to: of, columns: Some(0), rows: Some(-1) };
        let mut both = [vec![below], vec![Place::Offset(0x1000), Place::Offset(0x3000)]];
        if is_first {
            both.reverse();
        }
        both.iter().for_each(|places| graph.locate(input, places));
        graph.locate(output, &[Place::Relative { to: input, columns: Some(0), rows: Some(0) }]);
        let places = graph.expanded().blocks.places;
        let stated = |place: &aiec_ir::blocks::BlockPlace<_, _>| {
            (place.beside, place.spots.iter().map(ToString::to_string).collect::<Vec<_>>())
        };
        let mut found: Vec<_> = places.iter().map(stated).collect();
        found.sort();
        let below = (Some((0, -1)), Vec::new());
        assert_eq!(found, [(None, vec!["offset 4096".into(), "offset 12288".into()]), below.clone(), below]);
    }
}

/// UG1079 ("Mapping Constraints"): `location<buffer>(a) = location<buffer>(b)` means the bank of
/// the other block. The place of a kernel is a tile, whose banks are all the same.
#[test]
fn blocks_in_the_place_of_others_share_their_banks() {
    let (mut graph, kernel) = pass();
    let like = |to| [Place::Relative { to, columns: Some(0), rows: Some(0) }];
    let [input, output] = [kernel.ins[0], kernel.outs[0]];
    let stack = Subject::Stack(kernel.index());
    graph.locate(stack, &like(Subject::Kernel(kernel.index())));
    graph.locate(Subject::Port(input), &like(Subject::Port(output)));
    graph.locate(Subject::Port(output), &like(stack));
    let design = graph.expanded();
    let ports = &design.kernels[KernelId(0)];
    let [read, written] = [ports.inputs[0], ports.outputs[0]].map(Block::Buffers);
    let pairs: Vec<_> = design.blocks.one_bank.iter().map(|both| both.blocks).collect();
    assert_eq!(pairs, [[read, written], [written, Block::Stack(KernelId(0))]]);
}

/// Neighbours share their buffers, which then have one place: that of the reader. Places in two
/// modules are those of two buffers.
#[test]
fn ends_at_two_banks_of_a_module_share_the_place_of_the_reader() {
    let mut graph = Graph::new();
    let from = graph.kernel("g.from", "f", &[], &[window()]);
    let to = graph.kernel("g.to", "f", &[window()], &[]);
    graph.connect(from.outs[0], to.ins[0]);
    let bank = |column, bank| Place::Bank { column, row: 0, bank };
    graph.locate(Subject::Port(to.ins[0]), &[bank(1, 2), bank(1, 3)]);
    graph.locate(Subject::Port(from.outs[0]), &[bank(1, 3), bank(1, 2)]);
    let said: Vec<String> = graph.adopted().notes.left_out.into_iter().map(|one| one.what).collect();
    assert_eq!(said, ["the place of the buffers of `from.out[0]`, which are the buffers of `to.in[0]`"]);
    let design = graph.expanded();
    let blocks: Vec<_> = design.blocks.places.iter().map(|place| place.block).collect();
    assert_eq!(blocks, [Block::Buffers(design.kernels[KernelId(1)].inputs[0])]);

    graph.description.locations[1].places = vec![bank(0, 3), bank(0, 2)];
    assert!(graph.adopted().notes.left_out.is_empty());
}

/// A DMA copies between buffers of two sizes, so both places hold.
#[test]
fn ends_of_two_sizes_keep_their_places_in_one_module() {
    let mut graph = Graph::new();
    let from = graph.kernel("g.from", "f", &[], &[block(1600)]);
    let to = graph.kernel("g.to", "f", &[block(2240)], &[]);
    graph.connect(from.outs[0], to.ins[0]);
    for (port, bank) in [(to.ins[0], 0), (from.outs[0], 1)] {
        graph.locate(Subject::Port(port), &[Place::Bank { column: 1, row: 0, bank }]);
    }
    assert!(graph.adopted().notes.left_out.is_empty());
    assert_eq!(graph.adopted().design.blocks.places.len(), 2);
}

/// A graph may read what another kernel wrote as elements of another type: the bytes are the same.
#[test]
fn ends_of_two_types_share_buffers_of_one_size() {
    let shares = |elements: u64| {
        let mut graph = Graph::new();
        let from = graph.kernel("g.from", "f", &[], &[block(1600)]);
        let read = PortType::Block {
            element: Some(ElementType::Cint16),
            bytes: Some(4 * elements),
            margin: 0,
            is_buffer: true,
        };
        let to = graph.kernel("g.to", "f", &[read], &[]);
        graph.connect(from.outs[0], to.ins[0]);
        let design = graph.expanded();
        design.may_share(design.kernels[KernelId(0)].outputs[0])
    };
    assert!(shares(400) && !shares(800));
}
