//! Chosen places, against the checkers of placements and of routes.

use aiec_check::{Checked, check};
use aiec_device::{Device, Tile};
use aiec_diag::Outcome;
use aiec_fifos::{Places, choose, complete};
use aiec_ilp::Microlp;
use aiec_ir::fifos::FifoKind;
use aiec_ir::{Carries, Direction::In, Direction::Out};
use aiec_placer::{PlaceOptions, Placed, Placement, place, verify};
use aiec_router_model::{RouteOptions, nets, route_nets};
use aiec_test_support::{Builder, int32, stream};
use proptest::prelude::*;

fn toy() -> Device {
    aiec_device::builtin("toy").and_then(|outcome| outcome.into_parts().0).expect("built in")
}

fn value<T>(outcome: Outcome<T>) -> T {
    assert!(outcome.diagnostics().is_empty(), "{:?}", outcome.diagnostics());
    outcome.into_parts().0.expect("a value")
}

/// Chains `i[n] -> a[n] -> b[n] -> o[n]`, with these words of FIFO from `a` to `b`.
fn chains(depths: &[u32]) -> Builder {
    let count = u32::try_from(depths.len()).expect("few");
    let mut builder = Builder::new("chains", "toy");
    builder.plio("i", &[count], Out, 64).plio("o", &[count], In, 64);
    let (window, words) = (Carries::window_of(int32(64)), stream(Some(64)));
    builder.carrying("a", &[count], &[(In, "x", window), (Out, "y", words)]);
    builder.carrying("b", &[count], &[(In, "x", words), (Out, "y", window)]);
    for (at, &depth) in depths.iter().enumerate() {
        builder.connect(&format!("i[{at}]"), &format!("a[{at}].x"));
        builder.connect(&format!("a[{at}].y"), &format!("b[{at}].x")).fifo(depth);
        builder.connect(&format!("b[{at}].y"), &format!("o[{at}]"));
    }
    builder
}

struct Laid {
    checked: Checked,
    device: Device,
    placed: Placed,
}

fn laid(builder: &Builder, device: Device) -> Laid {
    let checked = value(check(builder.expanded().expect("names are right"), &device));
    let options = PlaceOptions { effort: 1, ..PlaceOptions::default() };
    let placed = value(verify(&checked, &device, value(place(&checked, &device, &options))));
    Laid { checked, device, placed }
}

impl Laid {
    fn chosen(&self) -> Outcome<Places> {
        choose(&self.checked, &self.device, &self.placed, &Microlp)
    }

    /// The placement with the chosen places, as its checker accepts it.
    fn filled(&self) -> Placed {
        value(complete(&self.checked, &self.device, (*self.placed).clone(), &Microlp))
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    /// The checker shares no code with the choice. The routes pass each FIFO.
    #[test]
    fn chosen_places_are_legal_and_routed(
        depths in prop::collection::vec(prop::sample::select(vec![16_u32, 40, 100, 4_000, 9_000]), 1..8),
        channels in 1_u32..3,
    ) {
        let mut device = toy();
        (device.tile.s2mm, device.tile.mm2s) = (channels.max(1), channels.max(1));
        let laid = laid(&chains(&depths), device);
        let placed = laid.filled();
        let long = depths.iter().filter(|&&words| words >= 40).count();
        prop_assert_eq!(placed.fifos.len(), long);
        let nets = nets(&laid.checked, &placed, &laid.device);
        let passing = nets.iter().filter(|net| net.leaves_fifo).count();
        prop_assert_eq!(passing, placed.fifos.values().map(Vec::len).sum::<usize>());
        let routes = route_nets(&nets, &laid.device, &RouteOptions::default()).expect("few nets");
        value(aiec_router_model::verify(&laid.checked, &placed, &laid.device, routes));
        prop_assert_eq!(&laid.filled().fifos, &placed.fifos, "the same again");
    }
}

#[test]
fn a_fifo_lies_on_a_shortest_way_in_an_empty_module_and_has_whole_groups_of_words() {
    let mut builder = chains(&[66]);
    builder.place("a[0]", 1, 1).place("b[0]", 4, 1);
    let placed = laid(&builder, toy()).filled();
    let (tile, _, words) = placed.fifos.values().next().expect("one")[0].module().expect("in memory");
    assert_eq!((tile.row, words), (1, 68));
    assert!((2..4).contains(&tile.column), "{tile}");
}

#[test]
fn a_fifo_too_large_for_a_module_is_divided() {
    let placed = laid(&chains(&[20_000]), toy()).filled();
    let parts = placed.fifos.values().next().expect("one");
    let words: Vec<u32> = parts.iter().filter_map(|part| part.module()).map(|(.., words)| words).collect();
    assert_eq!(words, [6_668; 3]);
}

/// Four kernels on five open tiles leave one module empty, which can hold one of the FIFOs whole.
#[test]
fn where_large_pieces_are_too_few_fifos_are_divided_further() {
    let mut builder = chains(&[7_000, 7_000]);
    builder.keepout((0, 0), (5, 2)).keepout((5, 3), (5, 3));
    let mut device = toy();
    (device.tile.s2mm, device.tile.mm2s, device.tile.bds) = (4, 4, 16);
    let placed = laid(&builder, device).filled();
    let mut parts: Vec<usize> = placed.fifos.values().map(Vec::len).collect();
    parts.sort_unstable();
    assert!(parts.len() == 2 && parts[1] > 1, "{:?}", placed.fifos);
}

#[test]
fn a_file_keeps_its_places_and_gets_those_that_it_lacks() {
    let laid = laid(&chains(&[64, 64]), toy());
    let mut fifos = value(laid.chosen());
    let (_, mut last) = fifos.pop_last().expect("two");
    last[0].column = 5;
    last[0].row = Some(3);
    last[0].kind = FifoKind::Dma { offset: 0x6000, words: 64 };
    let id = laid.checked.connections.ids().filter(|&id| laid.checked.connections[id].fifo.is_some()).max();
    let fifos = Places::from([(id.expect("a FIFO"), last.clone())]);
    let placement = Placement { fifos, ..(*laid.placed).clone() };
    let placed = value(verify(&laid.checked, &laid.device, placement));
    let chosen = value(choose(&laid.checked, &laid.device, &placed, &Microlp));
    assert_eq!((chosen.len(), &chosen[&id.expect("a FIFO")]), (2, &last));
}

#[test]
fn without_room_the_message_has_demand_supply_and_remedy() {
    let mut device = toy();
    // The windows of the chains take the channels of one tile each, and nothing else has any.
    (device.tile.s2mm, device.tile.mm2s) = (1, 1);
    let mut builder = chains(&[64]);
    builder.keepout((0, 0), (5, 2)).keepout((2, 3), (5, 3));
    builder.place("a[0]", 0, 3).place("b[0]", 1, 3);
    device.tile.bds = 2;
    let laid = laid(&builder, device);
    let found = laid.chosen();
    let [fault] = found.diagnostics() else { panic!("{:?}", found.diagnostics()) };
    assert_eq!(fault.code.slug, "place/gave-up");
    let text = &fault.message;
    assert!(
        text.contains("`a[0].y -> b[0].x` needs 256 bytes") && text.contains("2 open modules serve 0 more"),
        "{text}"
    );
    assert!(
        fault.help.contains("write fewer words behind `fifo`, of which 39 lie in stream switches"),
        "{}",
        fault.help
    );
    assert!(!fault.labels.is_empty());
}

/// The checker counts again what the choice counted.
#[test]
fn the_checker_finds_wrong_places() {
    let laid = laid(&chains(&[64, 64]), toy());
    let fifos = value(laid.chosen());
    let ids: Vec<_> = fifos.keys().copied().collect();
    let slugs = |change: &dyn Fn(&mut Placement)| -> Vec<&'static str> {
        let mut placement = Placement { fifos: fifos.clone(), ..(*laid.placed).clone() };
        change(&mut placement);
        let verified = verify(&laid.checked, &laid.device, placement);
        verified.diagnostics().iter().map(|fault| fault.code.slug).collect()
    };
    assert_eq!(slugs(&|_| ()), [""; 0]);
    let to = |placement: &mut Placement, at: usize, tile: Tile, offset: u32, words: u32| {
        for place in placement.fifos.get_mut(&ids[at]).into_iter().flatten() {
            (place.column, place.row) = (tile.column.into(), Some(tile.row.into()));
            place.kind = FifoKind::Dma { offset, words };
        }
    };
    let far = Tile::new(5, 3);
    assert_eq!(slugs(&|one| to(one, 0, far, 0, 60)), ["check/fifo-place"], "too few words");
    assert_eq!(slugs(&|one| to(one, 0, Tile::new(6, 0), 0, 64)), ["check/place-outside"]);
    assert_eq!(slugs(&|one| to(one, 0, far, 32_768 - 252, 64)), ["check/fifo-place"]);
    assert_eq!(slugs(&|one| (0..2).for_each(|at| to(one, at, far, 1024, 64))), ["check/fifo-place"]);
    let stack = laid.placed.stacks.iter().next().copied().expect("a stack");
    assert_eq!(slugs(&|one| to(one, 0, stack.tile, stack.offset, 64)), ["place/buffer-overlap"]);
    let other = laid.checked.connections.ids().find(|id| !ids.contains(id)).expect("another connection");
    let onto = |one: &mut Placement| _ = one.fifos.insert(other, fifos[&ids[0]].clone());
    assert_eq!(slugs(&onto), ["check/fifo-place"], "a connection without FIFO");
}
