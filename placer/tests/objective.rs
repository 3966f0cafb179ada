//! The order of terms: each order selects as documented, and the terms of a placement equal an
//! independent count.

use std::collections::BTreeSet;

use crate::support::{QUICK, checked, pipelines, placed, tree, value, vc1902};
use aiec_check::Checked;
use aiec_device::{Device, Tile};
use aiec_ir::{CollectiveId, KernelId};
use aiec_placer::Term::{Bytes, Compact, Dma, Path, Wire};
use aiec_placer::{Objective, PlaceOptions, Placed, Term, Terms, place, verify};
use aiec_test_support::{Builder, Reduce, input, int32, output};

/// The tiles on which `k` of [`tug_of_war`] may be, from corner to corner.
const FIELD: [(u16, u16); 2] = [(20, 3), (27, 6)];

/// A kernel `k` with connections in all directions: two windows of 16 bytes in the west, one in the
/// east, one of 4 KiB in the south, and the root of a reduction in the north. All other kernels are
/// fixed, so far from each other that `k` shares with those in the west or with one other.
fn tug_of_war() -> Builder {
    let (big, small) = (int32(1024), int32(4));
    let mut builder = Builder::new("tug", "xcvc1902");
    builder
        .kernels("k", &[], &[output("b", big), output("s", small), output("t", small), output("u", small)])
        .kernels("root", &[], &[])
        .kernels("south", &[], &[input("x", big)])
        .kernels("west", &[2], &[input("x", small)])
        .kernels("east", &[], &[input("x", small)])
        .gmio_output("sum")
        .reduce(Reduce::over("total", &["root", "k"], small).root("root"))
        .connect("total.result", "sum")
        .connect("k.b", "south.x")
        .connect("k.s", "west[0].x")
        .connect("k.t", "west[1].x")
        .connect("k.u", "east.x")
        .place("root", 26, 7)
        .place("south", 26, 1)
        .place("west[0]", 20, 3)
        .place("west[1]", 20, 4)
        .place("east", 29, 4);
    builder
}

fn terms(builder: &Builder, device: &Device, options: &PlaceOptions) -> Option<(Terms, Checked, Placed)> {
    let checked = checked(builder, device);
    let placement = place(&checked, device, options).into_parts().0?;
    let placed = value(verify(&checked, device, placement));
    Some((Terms::of(&checked, device, &placed), checked, placed))
}

/// The terms of the placement that this order finds.
fn found(order: &[Term]) -> Terms {
    let objective = Objective::new(order).expect("an order");
    let [from, to] = FIELD.map(|(column, row)| (i64::from(column), i64::from(row)));
    let mut builder = tug_of_war();
    builder.region(&["k"], from, to);
    terms(&builder, &vc1902(), &PlaceOptions { objective, ..QUICK }).expect("there is room").0
}

/// The terms with `k` on every possible tile.
fn all() -> Vec<Terms> {
    let [(west, south), (east, north)] = FIELD;
    let tiles = (west..=east).flat_map(|column| (south..=north).map(move |row| (column, row)));
    let there = |(column, row): (u16, u16)| {
        let mut builder = tug_of_war();
        builder.place("k", column.into(), row.into());
        Some(terms(&builder, &vc1902(), &QUICK)?.0)
    };
    tiles.filter(|tile| ![(20, 3), (20, 4)].contains(tile)).filter_map(there).collect()
}

#[test]
#[ignore = "long: places a kernel on every tile"]
fn no_tile_is_better_than_the_one_that_is_found_whatever_the_order() {
    let all = all();
    assert!(all.len() > 24, "only {} tiles", all.len());
    let orders: [&[Term]; 10] = [
        &Term::ALL,
        &[Dma, Wire],
        &[Wire, Dma],
        &[Bytes, Dma],
        &[Dma, Path, Wire],
        &[Path, Wire],
        &[Wire, Path],
        &[Compact, Wire],
        &[Compact, Dma, Wire],
        &[Bytes, Wire, Compact],
    ];
    for order in orders {
        let objective = Objective::new(order).expect("an order");
        let best = all.iter().map(|terms| terms.score(&objective)).min().expect("some tile");
        let found = found(order);
        assert_eq!(found.score(&objective), best, "{order:?}: {found:?}");
    }
}

#[test]
fn with_connections_first_more_wire_is_taken_and_with_wire_first_more_connections() {
    let (dma, wire) = (found(&[Dma, Wire]), found(&[Wire, Dma]));
    assert!(dma.dma < wire.dma && wire.wire < dma.wire, "{dma:?} {wire:?}");
}

#[test]
fn with_bytes_first_the_large_window_is_shared_and_with_connections_first_the_two_small_ones() {
    let (dma, bytes) = (found(&[Dma, Bytes]), found(&[Bytes, Dma]));
    assert!(dma.dma < bytes.dma && bytes.bytes < dma.bytes, "{dma:?} {bytes:?}");
}

#[test]
fn with_the_path_first_the_kernel_stands_beside_its_root_whatever_the_wire() {
    let (path, wire) = (found(&[Path, Wire]), found(&[Wire, Path]));
    assert!(path.path < wire.path && wire.wire < path.wire, "{path:?} {wire:?}");
    assert_eq!(path.path, 9850, "one link through shared memory, 98.5 cycles (thesis 3.3.1)");
}

#[test]
fn with_compactness_first_the_kernel_stands_in_the_middle() {
    let (compact, dma) = (found(&[Compact, Dma]), found(&[Dma, Compact]));
    assert!(compact.compact < dma.compact && dma.dma < compact.dma, "{compact:?} {dma:?}");
}

/// The longest path to `root` along connections of the collective.
fn way(checked: &Checked, placed: &Placed, collective: CollectiveId, root: KernelId) -> u64 {
    let into = checked.connections.iter().filter(|c| c.collective == Some(collective));
    let ways = into.filter(|c| checked.kernel_of(c.to) == Some(root)).filter_map(|c| {
        let from = checked.kernel_of(c.from)?;
        let distance = u64::from(placed.kernels[from].distance(placed.kernels[root]));
        let bytes = checked.ports[c.from].window().expect("a window").bytes();
        let by_dma = 12_500 + 397 * distance + 100 * bytes.saturating_sub(16).div_ceil(4);
        let latency = if placed.is_shared_port(c.from) { 9850 } else { by_dma };
        Some(latency + way(checked, placed, collective, from))
    });
    ways.max().unwrap_or(0)
}

/// The terms again, from the design and the placement alone. Paths through collectives are walked
/// from the root down.
fn counted(checked: &Checked, placed: &Placed) -> [u64; 5] {
    let tile = |kernel: KernelId| placed.kernels[kernel];
    let (mut dma, mut bytes, mut wire) = (0, 0, 0);
    for connection in checked.connections.ids().filter(|&id| !placed.is_shared(checked, id)) {
        let connection = &checked.connections[connection];
        let ends = [connection.from, connection.to].map(|port| checked.kernel_of(port).map(tile));
        dma += 1;
        bytes += checked.ports[connection.from].window().expect("connected").bytes();
        wire += match ends {
            [Some(a), Some(b)] => u64::from(a.column.abs_diff(b.column) + a.row.abs_diff(b.row)),
            [Some(a), None] | [None, Some(a)] => {
                let external = checked
                    .externals
                    .enumerate()
                    .find(|(_, external)| external.port == connection.from || external.port == connection.to);
                let column = placed.shims[external.expect("one end is outside").0].column;
                u64::from(a.column.abs_diff(column) + a.row + 1)
            }
            [None, None] => 0,
        };
    }
    let roots = checked.kernels.ids();
    let ways =
        checked.collectives.ids().map(|id| roots.clone().map(|root| way(checked, placed, id, root)).max());
    let path = ways.map(|way| way.expect("kernels")).sum();
    let cores: BTreeSet<Tile> = placed.kernels.iter().copied().collect();
    let off = |middle: u16| cores.iter().map(|tile| u64::from(tile.column.abs_diff(middle))).sum::<u64>();
    [dma, bytes, path, wire, (0..50).map(off).min().expect("columns")]
}

#[test]
fn the_terms_of_a_placement_are_what_a_count_by_hand_gives() {
    let device = vc1902();
    let mut two = tree(40, 3, int32(64));
    two.gmio_output("other")
        .connect("again.result", "other")
        .reduce(Reduce::over("again", &["worker"], int32(16)).root("worker[5]"));
    for builder in [tree(60, 13, int32(16)), tree(31, 2, int32(4)), pipelines(6, 4), two] {
        let checked = checked(&builder, &device);
        let placed = placed(&checked, &device);
        let terms = Terms::of(&checked, &device, &placed);
        assert_eq!(Term::ALL.map(|term| terms.value(term)), counted(&checked, &placed));
        assert_eq!((terms.unkept, terms.overload), (0, 0));
    }
}

#[test]
fn an_order_names_each_term_at_most_once() {
    assert_eq!(Objective::new(&Term::ALL), Some(Objective::USUAL));
    assert_eq!(Objective::new(&[]), None);
    assert_eq!(Objective::new(&[Term::Wire, Term::Dma, Term::Wire]), None);
    let two = Objective::new(&[Term::Wire, Term::Dma]).expect("an order");
    assert_eq!(two.terms().collect::<Vec<_>>(), [Term::Wire, Term::Dma]);
}

#[test]
fn an_earlier_term_decides_whatever_the_later_ones_are() {
    let few = Terms { dma: 1, wire: 900, ..Terms::default() };
    let short = Terms { dma: 2, wire: 3, ..Terms::default() };
    let order = |terms: &[Term]| Objective::new(terms).expect("an order");
    let (dma, wire) = (order(&[Term::Dma, Term::Wire]), order(&[Term::Wire, Term::Dma]));
    assert!(few.score(&dma) < short.score(&dma) && short.score(&wire) < few.score(&wire));
    let neither = order(&[Term::Path]);
    assert_eq!(few.score(&neither), short.score(&neither));
}

#[test]
fn what_must_hold_stands_above_all_terms() {
    let usual = Objective::USUAL;
    let good = Terms { dma: 900, ..Terms::default() };
    for bad in [Terms { unkept: 1, ..Terms::default() }, Terms { overload: 1, ..Terms::default() }] {
        assert!(good.score(&usual) < bad.score(&usual));
    }
}
