//! DMA FIFOs: the DMA channels, buffer descriptors and memory that they take of the whole array.
//!
//! A FIFO of at least `tools.fifo_threshold_words` lies in the memory of a tile. One S2MM channel
//! fills it and one MM2S channel empties it, each with a buffer descriptor (UG1079, "FIFO depth").
//! Without a place it may lie in any module, so aiec counts it for the whole array. A stated place
//! (`location<fifo>`), or one that was chosen after placement, takes its bytes, channels and
//! descriptors of one module.
//!
//! The count of those without a place is a lower bound. The branches of a broadcast may share a
//! FIFO, so only the deepest of them counts. Tiles of a `keepout` count as free.

use std::collections::{BTreeMap, BTreeSet};

use aiec_diag::{Diagnostic, Span};

use super::context::Context;
use super::demand::of_design;
use crate::errors::fifos::{self as errors, DmaFifo, Lack};
use aiec_collectives::Direction;
use aiec_device::Device;
use aiec_ir::expanded::{Connection, Expanded};
use aiec_ir::fifos::{DESCRIPTORS, FifoKind, FifoPlace, MemoryFifo, WORD_BYTES, in_memory};
use aiec_ir::{Carries, ConnectionId, PortId};

/// Most words that the check adds to a FIFO; more than a memory module has.
pub(super) const MOST_FIFO: u64 = 1 << 14;

/// The DMA FIFOs without a stated place: at most one for each producing port.
pub(crate) fn open_fifos(context: &Context) -> Vec<DmaFifo> {
    let design = context.expanded;
    let depth = |&connection: &ConnectionId| {
        let link = &design.connections[connection];
        let words = link.fifo.as_ref().filter(|_| link.fifo_places.is_empty())?.value;
        link.lies_in_memory(context.device).then_some(DmaFifo { connection, words: words.into() })
    };
    let producing = design.ports.iter().filter(|port| port.direction == Direction::Out);
    let deepest = producing.filter_map(|port| {
        let fifos = port.connections.iter().filter_map(depth);
        fifos.max_by_key(|fifo| (fifo.words, std::cmp::Reverse(fifo.connection)))
    });
    deepest.collect()
}

/// Faults of modules with stated DMA FIFOs: two overlap, or all of them need more channels or
/// descriptors than a tile has.
fn modules(context: &Context) -> Vec<Diagnostic> {
    let mut modules: BTreeMap<(i64, Option<i64>), Vec<MemoryFifo<'_>>> = BTreeMap::new();
    for fifo in in_memory(context.expanded) {
        modules.entry((fifo.place.column, fifo.place.row)).or_default().push(fifo);
    }
    let tile = &context.device.tile;
    let most = u64::from(tile.s2mm.min(tile.mm2s)).min(u64::from(tile.bds) / u64::from(DESCRIPTORS));
    let mut found = Vec::new();
    for mut fifos in modules.into_values() {
        if fifos.len() as u64 > most {
            let places: Vec<&FifoPlace> = fifos.iter().map(|fifo| fifo.place).collect();
            found.push(errors::module_full(&places, most, context.device));
        }
        fifos.sort_by_key(|fifo| fifo.offset);
        let end = |fifo: &MemoryFifo<'_>| u64::from(fifo.offset) + u64::from(fifo.words) * WORD_BYTES;
        let overlap = fifos.windows(2).find(|two| end(&two[0]) > u64::from(two[1].offset));
        found.extend(overlap.map(|two| errors::fifos_overlap(two[0].place, two[1].place)));
    }
    found
}

/// Faults of stated places of FIFOs: each names an open tile, a FIFO that its switch has, or bytes
/// of a module, and one stream alone fills a FIFO: that of one sender, which has passed the same
/// places before.
pub(super) fn places(context: &Context) -> Vec<Diagnostic> {
    let key = |place: &FifoPlace| (place.column, place.row, place.kind);
    let mut taken: BTreeMap<_, (PortId, &[FifoPlace])> = BTreeMap::new();
    let mut found = Vec::new();
    let mut of_packets: BTreeSet<Span> = BTreeSet::new();
    for (id, connection) in context.expanded.connections.enumerate() {
        let places = connection.fifo_places.as_slice();
        if let Some(fault) = packets(context, id) {
            // Once for all branches of a statement.
            let is_new = fault.labels.first().is_none_or(|label| of_packets.insert(label.span));
            found.extend(is_new.then_some(fault));
            continue;
        }
        if let Some(held) = shallow(context, connection) {
            found.push(errors::too_shallow(connection, held));
        }
        for (at, place) in places.iter().enumerate() {
            if let Some(fault) = place_fault(context, place) {
                found.push(fault);
                continue;
            }
            let way = &places[..=at];
            let (sender, first) = *taken.entry(key(place)).or_insert((connection.from, way));
            if sender != connection.from {
                found.push(errors::taken(first, place));
            } else if !first.iter().map(key).eq(way.iter().map(key)) {
                found.push(errors::entered_twice(first, place));
            }
        }
    }
    if found.is_empty() { modules(context) } else { found }
}

/// Faults of places that were `chosen` for FIFOs to which the design gives none. They are checked
/// like places that the design states (`check/fifo-place`). Besides, their words suffice.
pub fn chosen_faults(
    design: &Expanded,
    device: &Device,
    chosen: &BTreeMap<ConnectionId, Vec<FifoPlace>>,
) -> Vec<Diagnostic> {
    if chosen.is_empty() {
        return Vec::new();
    }
    let mut stated = design.clone();
    let mut found = Vec::new();
    for (&id, places) in chosen {
        let open = design.connections.get(id).filter(|connection| connection.fifo_places.is_empty());
        let asked = open.and_then(|connection| connection.fifo.as_ref());
        let words = |place: &FifoPlace| place.module().map_or(0, |(.., words)| u64::from(words));
        let has = places.iter().map(words).sum();
        match asked {
            Some(asked) if has >= u64::from(asked.value) => {
                stated.connections[id].fifo_places.clone_from(places);
            }
            _ => found.push(errors::chosen_wrongly(design, id, asked, has)),
        }
    }
    if found.is_empty() { places(&Context::new(&stated, device)) } else { found }
}

/// What is wrong with a FIFO on the way of packets. One in memory loses TLAST, which ends a packet
/// (UG1079, "FIFO depth"). Branches of a split or merge share wires, where a stated FIFO would hold
/// the packets of all. A graph is not refused for either.
fn packets(context: &Context, id: ConnectionId) -> Option<Diagnostic> {
    let (design, connection) = (context.expanded, &context.expanded.connections[id]);
    let carries = |port: PortId| matches!(design.ports[port].carries, Some(Carries::Packets(_)));
    let has_packets = connection.switch.is_some() || carries(connection.from);
    let fifo = connection.fifo.as_ref().filter(|_| has_packets && !design.is_adf())?;
    let threshold = context.device.tools.fifo_threshold_words?;
    let places = connection.fifo_places.as_slice();
    let in_memory = |place: &FifoPlace| matches!(place.kind, FifoKind::Dma { .. });
    if places.iter().any(in_memory) || (places.is_empty() && fifo.value >= threshold) {
        return Some(errors::loses_tlast(design, id, fifo, threshold));
    }
    let switch = connection.switch.filter(|_| !places.is_empty())?;
    Some(errors::branch_with_place(design, id, design.switches[switch].kind, places))
}

/// The words of a connection's places, if they are FIFOs of switches and too few. What the vendor's
/// tools do then is untested, so a graph is not refused for it.
fn shallow(context: &Context, connection: &Connection) -> Option<u64> {
    let places = connection.fifo_places.as_slice();
    let all_switches = places.iter().all(|place| matches!(place.kind, FifoKind::Switch { .. }));
    let asked = connection.fifo.as_ref()?.value;
    let held = places.len() as u64 * u64::from(context.device.switch.fifo_words);
    let checked = !places.is_empty() && all_switches && !context.expanded.is_adf();
    (checked && held < u64::from(asked)).then_some(held)
}

fn place_fault(context: &Context, place: &FifoPlace) -> Option<Diagnostic> {
    let device = context.device;
    let column = u16::try_from(place.column).is_ok_and(|column| column < device.columns);
    let tile = place.row.map(|row| context.tile(place.column, row));
    if !column || tile == Some(None) {
        return Some(errors::outside(place, device));
    }
    match place.kind {
        FifoKind::Switch { number } => {
            let switch = if place.row.is_some() { &device.switch.core } else { &device.switch.shim };
            (number >= switch.masters.fifo).then(|| errors::no_such_fifo(place, number, switch.masters.fifo))
        }
        FifoKind::Dma { offset, words } => {
            let end = u64::from(offset) + u64::from(words) * WORD_BYTES;
            let aligned = u64::from(offset).is_multiple_of(WORD_BYTES);
            let open = tile.flatten().is_some_and(|tile| context.grid.is_open(tile));
            let fits = aligned && open && end <= context.module_bytes();
            (!fits).then(|| errors::not_in_module(place, end, device))
        }
    }
}

/// Reports the first resource of which the DMA FIFOs need more than all windows leave.
pub(super) fn check(context: &Context) -> Option<Diagnostic> {
    let mut fifos = open_fifos(context);
    if fifos.is_empty() {
        return None;
    }
    let stated = in_memory(context.expanded).into_iter();
    fifos.extend(stated.map(|fifo| DmaFifo { connection: fifo.connection, words: fifo.words.into() }));
    let (demand, device) = (of_design(context), context.device);
    let (count, modules) = (fifos.len() as u64, context.grid.len() as u64);
    let tile = &device.tile;
    let lack = |resource, windows, fifos, each: u32| Lack {
        resource,
        windows,
        fifos,
        supply: modules * u64::from(each),
    };
    let bytes = fifos.iter().map(|fifo| fifo.bytes()).sum();
    let lacks = [
        lack("S2MM channel", demand.s2mm, count, tile.s2mm),
        lack("MM2S channel", demand.mm2s, count, tile.mm2s),
        lack("buffer descriptor", demand.bds, u64::from(DESCRIPTORS) * count, tile.bds),
        lack("byte", demand.bytes(), bytes, device.memory.module_bytes),
    ];
    let lack = lacks.into_iter().find(|lack| lack.windows + lack.fifos > lack.supply)?;
    Some(errors::no_room(context.expanded, &fifos, &lack))
}

#[cfg(test)]
mod tests {
    use super::Direction::{In, Out};
    use crate::testing::{rendered, slugs_on, slugs_on_toy, toy};
    use aiec_ir::Carries;
    use aiec_test_support::{Builder, int32, stream};

    /// Chains of two kernels each, with `depth` words between them.
    fn chains(count: u32, depth: u32) -> Builder {
        let mut builder = Builder::new("chains", "toy");
        builder.plio("i", &[count], Out, 64).plio("o", &[count], In, 64);
        let (window, words) = (Carries::window_of(int32(4)), stream(Some(4)));
        builder.carrying("a", &[count], &[(In, "x", window), (Out, "y", words)]);
        builder.carrying("b", &[count], &[(In, "x", words), (Out, "y", window)]);
        for at in 0..count {
            builder.connect(&format!("i[{at}]"), &format!("a[{at}].x"));
            builder.connect(&format!("a[{at}].y"), &format!("b[{at}].x")).fifo(depth);
            builder.connect(&format!("b[{at}].y"), &format!("o[{at}]"));
        }
        builder
    }

    #[test]
    fn a_fifo_from_40_words_on_takes_a_channel_of_each_direction() {
        let mut few = toy();
        few.tile.s2mm = 1;
        few.tile.mm2s = 1;
        // 24 modules with a channel of each direction.
        assert_eq!(slugs_on(&chains(12, 40), &few), [""; 0], "12 windows and 12 FIFOs");
        few.tile.mm2s = 2;
        few.tile.bds = 2;
        // 12 ping-pong inputs and outputs have 48 descriptors, as many as 24 modules.
        assert_eq!(slugs_on(&chains(12, 39), &few), [""; 0], "FIFOs of switches");
        assert_eq!(slugs_on(&chains(12, 40), &few), ["check/fifo-room"]);
        let text = rendered(&chains(12, 40), &few);
        assert!(text.contains("72 buffer descriptors") && text.contains("toy has 48"), "{text}");
    }

    #[test]
    fn a_fifo_takes_its_words_of_memory_and_may_lie_in_several_modules() {
        // 24 modules of 32 KiB have 196608 words.
        assert_eq!(slugs_on_toy(&chains(1, 150_000)), [""; 0]);
        assert_eq!(slugs_on_toy(&chains(1, 200_000)), ["check/fifo-room"]);
    }

    #[test]
    fn branches_of_a_broadcast_may_have_one_fifo() {
        let mut builder = Builder::new("fan", "toy");
        builder.plio_input("i", 64).carrying("k", &[2], &[(In, "x", stream(Some(4)))]);
        builder.connect("i", "k[0].x").fifo(110_000).connect("i", "k[1].x").fifo(120_000);
        let expanded = builder.expanded().expect("names are right");
        let demand = crate::demand(&expanded, &toy()).design;
        assert_eq!((demand.fifos, demand.fifo_bytes), (1, 480_000));
        assert_eq!(slugs_on_toy(&builder), [""; 0]);
    }

    #[test]
    fn a_place_of_a_fifo_exists_and_serves_one_sender() {
        use aiec_ir::fifos::FifoKind::{Dma, Switch};
        let with = |column, row, kind| {
            let mut builder = chains(2, if matches!(kind, Dma { .. }) { 64 } else { 16 });
            builder.fifo_of("a[0].y", column, row, kind);
            slugs_on_toy(&builder)
        };
        assert_eq!(with(3, Some(2), Dma { offset: 4096, words: 64 }), [""; 0]);
        assert_eq!(with(3, None, Switch { number: 1 }), [""; 0]);
        assert_eq!(with(6, Some(2), Dma { offset: 0, words: 64 }), ["check/place-outside"]);
        assert_eq!(with(3, Some(2), Dma { offset: 32_768 - 252, words: 64 }), ["check/fifo-place"]);
        assert_eq!(with(3, Some(2), Switch { number: 2 }), ["check/fifo-place"]);
        let mut within = chains(2, 64);
        within.fifo_of("a[0].y", 3, Some(2), Dma { offset: 4097, words: 64 });
        assert!(rendered(&within, &toy()).contains("begins at byte 4097, not a multiple of 4"));
        let mut twice = chains(2, 16);
        twice.fifo_of("a[0].y", 3, Some(2), Switch { number: 0 });
        twice.fifo_of("a[1].y", 3, Some(2), Switch { number: 0 });
        assert_eq!(slugs_on_toy(&twice), ["check/fifo-place"]);
    }

    /// A FIFO of a switch has 16 words (AM009).
    #[test]
    fn the_places_of_a_fifo_hold_its_words() {
        use aiec_ir::fifos::FifoKind::Switch;
        let with = |words, places: &[i64]| {
            let mut builder = chains(1, words);
            for &column in places {
                builder.fifo_of("a[0].y", column, Some(2), Switch { number: 0 });
            }
            slugs_on_toy(&builder)
        };
        assert_eq!(with(17, &[3]), ["check/fifo-place"]);
        assert_eq!(with(17, &[3, 4]), [""; 0]);
    }

    #[test]
    fn fifos_of_one_module_lie_apart_and_have_a_channel_each() {
        use aiec_ir::fifos::FifoKind::Dma;
        let with = |offsets: &[u32]| {
            let mut builder = chains(3, 64);
            for (chain, &offset) in offsets.iter().enumerate() {
                builder.fifo_of(&format!("a[{chain}].y"), 3, Some(2), Dma { offset, words: 64 });
            }
            slugs_on_toy(&builder)
        };
        assert_eq!(with(&[0, 256]), [""; 0]);
        assert_eq!(with(&[0, 252]), ["check/fifo-place"]);
        // 2 S2MM and 2 MM2S channels a tile (AM009).
        assert_eq!(with(&[0, 256, 512]), ["check/fifo-place"]);
    }

    /// A DMA FIFO loses TLAST (UG1079), and branches share wires.
    #[test]
    fn a_fifo_of_packets_is_short_and_has_no_stated_place() {
        use aiec_ir::fifos::FifoKind::Switch;
        let merged = |words, place: Option<i64>| {
            let mut builder = Builder::new("merge", "toy");
            builder.plio("i", &[2], Out, 32).plio("o", &[], In, 32);
            let window = Carries::window_of(int32(16));
            builder.carrying("k", &[2], &[(In, "x", window), (Out, "y", window)]);
            builder.connect("i[0]", "k[0].x").connect("i[1]", "k[1].x");
            builder.merge(&["k[0].y", "k[1].y"], "o").depth_to("o", words);
            if let Some(column) = place {
                builder.fifo_to("o", column, Some(2), Switch { number: 0 });
            }
            builder
        };
        assert_eq!(slugs_on_toy(&merged(39, None)), [""; 0]);
        assert_eq!(slugs_on_toy(&merged(40, None)), ["check/fifo-place"], "one statement");
        assert_eq!(slugs_on_toy(&merged(16, Some(3))), ["check/fifo-place"], "one statement");
        let text = rendered(&merged(16, Some(3)), &toy());
        assert!(
            text.contains("branch of a merge") && text.contains("write `fifo 16` without a place"),
            "{text}"
        );
    }

    #[test]
    fn branches_that_share_a_fifo_have_the_same_places_before_it() {
        use aiec_ir::fifos::FifoKind::Switch;
        let with = |places: &[(&str, u32)]| {
            let mut builder = Builder::new("branches", "toy");
            builder.plio("i", &[], Out, 64).plio("o", &[2], In, 64);
            builder.connect("i", "o[0]").connect("i", "o[1]");
            for &(to, number) in places {
                builder.fifo_to(to, 3, Some(2), Switch { number });
            }
            slugs_on_toy(&builder)
        };
        assert_eq!(with(&[("o[0]", 0), ("o[1]", 0), ("o[1]", 1)]), [""; 0]);
        assert_eq!(with(&[("o[0]", 0), ("o[0]", 1), ("o[1]", 1)]), ["check/fifo-place"]);
        assert_eq!(with(&[("o[0]", 0), ("o[0]", 0)]), ["check/fifo-place"]);
    }
}
