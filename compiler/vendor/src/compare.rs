//! The differences of two placements and routings.
//!
//! Each side is plain data, ours or the vendor's. Kernels and ports are matched by name. A name of
//! the vendor begins with the graph (`g.k`), one of a design does not (`k`): if that gives more
//! matches, the graph's name is left out. Kernels that one side alone names are matched by their
//! ports and neighbours ([`renamed`](crate::renamed)), and have the name of the first side.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::floor::{Block, Floor};
use crate::renamed::{End, Structure, renamed, respelled};

/// A placement, a routing, or both.
#[derive(Clone, Debug, Default)]
pub struct Side {
    /// What the user called it.
    pub name: String,
    /// Kernels, buffers, inputs and outputs.
    pub floor: Floor,
    /// The routes. None when its files have none.
    pub routing: Option<Routing>,
    /// All connections, each with the port that writes first. None when the files state those of
    /// buffers alone, as the floor has them.
    pub ways: Option<Vec<[String; 2]>>,
}

/// The routed nets of a side, and its cuts.
#[derive(Clone, Debug, Default)]
pub struct Routing {
    /// Routed nets with their wires.
    pub nets: Vec<Net>,
    /// The lines between columns and rows that nets must cross. Empty when no file states them.
    pub cuts: Vec<Cut>,
    /// Wires between switches that the nets use; streams of a packet group share theirs.
    pub hops: u64,
}

/// A net with its wires.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Net {
    /// The name in the files.
    pub name: String,
    /// Hops between switches, all branches together.
    pub hops: u32,
    /// Hops to its farthest sink.
    pub longest: u32,
}

/// A line with its demand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cut {
    /// Its name in words.
    pub name: String,
    /// Nets that must cross.
    pub demand: u32,
    /// Wires that the routes use.
    pub used: u32,
    /// Wires across the line.
    pub capacity: u32,
}

/// The differences. Pairs have the first side first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Comparison {
    /// Always `aiec-comparison`.
    pub format: &'static str,
    /// Number of the format: additions keep it, anything else raises it.
    pub version: u32,
    /// The names of the sides.
    pub names: [String; 2],
    /// Parts with other names on both sides. Below they have that of the first side.
    pub renamed: Vec<[String; 2]>,
    /// Kernels of one side that cannot be told apart from others to find those of the other side.
    pub alike: usize,
    /// Kernels on other tiles, and kernels of one side.
    pub kernels: Moves,
    /// Stacks by module and byte.
    pub stacks: Moves,
    /// Buffers of ports by module and byte.
    pub buffers: Moves,
    /// Inputs and outputs by column and channel.
    pub shims: Moves,
    /// Connections through shared memory. None when no file states them.
    pub shared: [Option<usize>; 2],
    /// Connections through DMA, or to inputs and outputs. None when no file states them.
    pub dma: [Option<usize>; 2],
    /// Totals of the nets. None when there are no routes.
    pub totals: [Option<Totals>; 2],
    /// Nets of one name with different numbers of hops.
    pub nets: Vec<NetPair>,
    /// Lines that a net of either side must cross.
    pub cuts: Vec<CutPair>,
}

/// The places of parts of one kind.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Moves {
    /// Parts that both sides have at the same place.
    pub same: usize,
    /// Parts that both sides have at different places.
    pub moved: Vec<Move>,
    /// The names of parts that one side has.
    pub only: [Vec<String>; 2],
}

/// A part with two places.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Move {
    /// The name of the part that has moved.
    pub name: String,
    /// Its places, as text.
    pub places: [String; 2],
}

/// Totals of the nets of a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Totals {
    /// Number of nets with routes.
    pub nets: usize,
    /// Hops of all nets.
    pub hops: u64,
    /// Hops to the farthest sink of any net.
    pub longest: u32,
}

/// A net with its hops on both sides.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NetPair {
    /// The name that both sides use.
    pub name: String,
    /// Hops between switches, on each side.
    pub hops: [u32; 2],
}

/// A line on both sides.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CutPair {
    /// Its name in words.
    pub name: String,
    /// Nets that must cross. None for a side whose files state no lines.
    pub demand: [Option<u32>; 2],
    /// Wires that the routes of each side use. None for a side whose files state no lines.
    pub used: [Option<u32>; 2],
    /// Wires across the line on each side.
    pub capacity: u32,
}

/// Names with places, as text.
pub type Places = BTreeMap<String, String>;

/// Compares two sides by the names of their parts.
pub fn compare(one: &Side, other: &Side) -> Comparison {
    let sides = [one, other];
    let strip = stripped(sides);
    let with_all = sides.iter().all(|side| side.ways.is_some());
    let mut structures = [0, 1].map(|at| structure(sides[at], strip[at], with_all));
    name_common_ports(&mut structures);
    let other_names = renamed(structures.each_ref());
    let first_name: BTreeMap<&str, &str> =
        other_names.pairs.iter().map(|[first, second]| (second.as_str(), first.as_str())).collect();
    let of = |parts: fn(&Floor) -> Places| {
        let [first, second] = [0, 1].map(|at| short(parts(&sides[at].floor), strip[at]));
        moves(&first, &under_first_names(second, &first_name))
    };
    let [shims_one, shims_other] = shims(sides);
    let shims_other = respelled_as(&shims_one, under_first_names(shims_other, &first_name));
    Comparison {
        format: "aiec-comparison",
        version: 1,
        names: sides.map(|side| side.name.clone()),
        renamed: other_names.pairs.clone(),
        alike: other_names.alike,
        kernels: of(kernels),
        stacks: of(|floor| blocks(floor, true)),
        buffers: of(|floor| blocks(floor, false)),
        shims: moves(&shims_one, &shims_other),
        shared: sides.map(|side| links(&side.floor, true)),
        dma: sides.map(|side| links(&side.floor, false)),
        totals: sides.map(|side| side.routing.as_ref().map(totals)),
        nets: nets(sides, &first_name),
        cuts: cuts(sides),
    }
}

fn kernels(floor: &Floor) -> Places {
    floor.kernels.iter().map(|kernel| (kernel.name.clone(), kernel.tile.to_string())).collect()
}

/// The columns of inputs and outputs, and the channels that both sides state. Files of constraints
/// leave out those of GMIO.
fn shims(sides: [&Side; 2]) -> [Places; 2] {
    let open = |side: &Side| -> BTreeSet<String> {
        let without = side.floor.shims.iter().filter(|shim| shim.channel.is_none());
        without.map(|shim| shim.name.clone()).collect()
    };
    let open: BTreeSet<String> = sides.into_iter().flat_map(open).collect();
    let place = |shim: &crate::floor::Shim| match shim.channel.filter(|_| !open.contains(&shim.name)) {
        Some(channel) => format!("column {} channel {channel}", shim.column),
        None => format!("column {}", shim.column),
    };
    sides.map(|side| side.floor.shims.iter().map(|shim| (shim.name.clone(), place(shim))).collect())
}

/// The places of stacks by kernel, or of buffers by port. Ping and pong are sorted: which of them
/// is first says nothing.
fn blocks(floor: &Floor, stacks: bool) -> Places {
    let mut places: BTreeMap<&str, BTreeSet<(aiec_device::Tile, u32)>> = BTreeMap::new();
    for block in floor.blocks.iter().filter(|block| block.stack == stacks) {
        let Some(offset) = block.offset else { continue };
        for user in users(block) {
            places.entry(user).or_default().insert((block.module, offset));
        }
    }
    let text = |places: BTreeSet<(aiec_device::Tile, u32)>| {
        let each = places.into_iter().map(|(module, offset)| format!("{module} byte {offset}"));
        each.collect::<Vec<_>>().join(" and ")
    };
    places.into_iter().map(|(user, places)| (user.to_owned(), text(places))).collect()
}

fn users(block: &Block) -> impl Iterator<Item = &str> {
    block.users.iter().map(String::as_str)
}

fn links(floor: &Floor, shared: bool) -> Option<usize> {
    let count = floor.links.iter().filter(|link| link.shared == shared).count();
    (!floor.links.is_empty()).then_some(count)
}

/// True for each side whose kernels match more of the other's without the name of their graph.
fn stripped(sides: [&Side; 2]) -> [bool; 2] {
    let names = |at: usize, strip: bool| -> BTreeSet<String> {
        short(kernels(&sides[at].floor), strip).into_keys().collect()
    };
    let matches = |strip: &[bool; 2]| names(0, strip[0]).intersection(&names(1, strip[1])).count();
    let choices = [[false, false], [false, true], [true, false], [true, true]];
    // The first of the best: names stay whole where it makes no difference.
    choices.into_iter().rev().max_by_key(matches).unwrap_or_default()
}

/// The places by name, without the name of the graph if `strip`.
fn short(places: Places, strip: bool) -> Places {
    places.into_iter().map(|(part, place)| (short_name(&part, strip).to_owned(), place)).collect()
}

fn short_name(name: &str, strip: bool) -> &str {
    name.split_once('.').filter(|_| strip).map_or(name, |(_, rest)| rest)
}

/// Kernels, inputs and outputs with their connections: all of them if `with_all`, else those of
/// buffers.
fn structure(side: &Side, strip: bool, with_all: bool) -> Structure {
    let kernels = || side.floor.kernels.iter().map(|kernel| kernel.name.as_str());
    // The connections of a design have its own names, without the graph.
    let known: BTreeMap<&str, &str> = kernels()
        .map(|name| (short_name(name, true), name))
        .chain(kernels().map(|name| (name, name)))
        .collect();
    let end = |port: &String| -> End {
        let found = port.rsplit_once('.').and_then(|(kernel, port)| Some((*known.get(kernel)?, port)));
        match found {
            // An import writes `in0` for the port `in[0]` of a graph.
            Some((kernel, port)) => (short_name(kernel, strip).to_owned(), port.replace(['[', ']'], "")),
            None => (port.clone(), String::new()),
        }
    };
    let of_buffers = || {
        let links = side.floor.links.iter();
        links.filter_map(|link| Some([end(&link.from), end(link.to.as_ref()?)])).collect()
    };
    let all = side.ways.as_ref().filter(|_| with_all);
    let ways: Vec<[End; 2]> =
        all.map_or_else(of_buffers, |ways| ways.iter().map(|way| way.each_ref().map(end)).collect());
    let mut parts: BTreeMap<String, String> =
        ways.iter().flatten().map(|(name, _)| (name.clone(), "outside".to_owned())).collect();
    parts.extend(kernels().map(|name| (short_name(name, strip).to_owned(), "kernel".to_owned())));
    Structure { parts, ways }
}

/// Leaves ports the names that both sides use. Another name tells only whether a port writes: a
/// design may name its ports as it likes.
fn name_common_ports(sides: &mut [Structure; 2]) {
    let names = |side: &Structure| -> BTreeSet<String> {
        side.ways.iter().flatten().map(|(_, port)| port.clone()).collect()
    };
    let common: BTreeSet<String> = names(&sides[0]).intersection(&names(&sides[1])).cloned().collect();
    for way in sides.iter_mut().flat_map(|side| &mut side.ways) {
        for ((_, port), which) in way.iter_mut().zip(["writes", "reads"]) {
            if !common.contains(port) {
                which.clone_into(port);
            }
        }
    }
}

/// The places under the names of the first side. Ports follow their kernels.
fn under_first_names(places: Places, first: &BTreeMap<&str, &str>) -> Places {
    places.into_iter().map(|(name, place)| (named_as(&name, first), place)).collect()
}

/// The places under the names of `first` where they differ from these in punctuation alone: an
/// input `in0` of a graph may be the member `in[0]`.
fn respelled_as(first: &Places, places: Places) -> Places {
    let names = |of: &Places| of.keys().cloned().collect::<Vec<String>>();
    let (one, other) = (names(first), names(&places));
    let [one, other] =
        [&one, &other].map(|all| all.iter().map(|name| (name.as_str(), "")).collect::<Vec<_>>());
    let pairs = respelled([&one, &other]);
    let names = pairs.iter().map(|[here, there]| (there.as_str(), here.as_str())).collect();
    under_first_names(places, &names)
}

/// The other name of a part, or of a port of it, by `names`.
pub fn named_as(name: &str, names: &BTreeMap<&str, &str>) -> String {
    match (names.get(name), name.rsplit_once('.')) {
        (Some(&whole), _) => whole.to_owned(),
        (None, Some((kernel, port))) => match names.get(kernel) {
            Some(kernel) => format!("{kernel}.{port}"),
            None => name.to_owned(),
        },
        (None, None) => name.to_owned(),
    }
}

/// The parts of both, and how their places differ.
pub fn moves(one: &Places, other: &Places) -> Moves {
    let only = |of: &Places, without: &Places| {
        of.keys().filter(|name| !without.contains_key(*name)).cloned().collect()
    };
    let both = one.iter().filter_map(|(name, place)| Some((name, place, other.get(name)?)));
    let (same, moved): (Vec<_>, Vec<_>) = both.partition(|(_, place, there)| place == there);
    let moved = moved
        .into_iter()
        .map(|(name, place, there)| Move { name: name.clone(), places: [place.clone(), there.clone()] });
    Moves { same: same.len(), moved: moved.collect(), only: [only(one, other), only(other, one)] }
}

fn totals(routing: &Routing) -> Totals {
    Totals {
        nets: routing.nets.len(),
        hops: routing.hops,
        longest: routing.nets.iter().map(|net| net.longest).max().unwrap_or(0),
    }
}

/// Names with different hops on both sides. The branches of a split, and the parts of a net between
/// FIFOs, have one name.
fn nets(sides: [&Side; 2], first: &BTreeMap<&str, &str>) -> Vec<NetPair> {
    let [Some(one), Some(other)] = sides.map(|side| side.routing.as_ref()) else { return Vec::new() };
    let there: BTreeMap<String, u32> =
        hops_by_name(other).into_iter().map(|(name, hops)| (named_as(name, first), hops)).collect();
    let mut here = hops_by_name(one);
    let names = one.nets.iter().map(|net| net.name.as_str());
    let pair = |name: &str| {
        let hops = [here.remove(name)?, *there.get(name)?];
        (hops[0] != hops[1]).then(|| NetPair { name: name.to_owned(), hops })
    };
    names.filter_map(pair).collect()
}

fn hops_by_name(routing: &Routing) -> BTreeMap<&str, u32> {
    let mut hops = BTreeMap::new();
    for net in &routing.nets {
        let sum: &mut u32 = hops.entry(net.name.as_str()).or_default();
        *sum = sum.saturating_add(net.hops);
    }
    hops
}

/// The lines of both sides, in the order of the first side that has them.
fn cuts(sides: [&Side; 2]) -> Vec<CutPair> {
    let none = sides.map(|side| side.routing.as_ref().filter(|routing| !routing.cuts.is_empty()).map(|_| 0));
    let mut pairs: Vec<CutPair> = Vec::new();
    let mut index: BTreeMap<String, usize> = BTreeMap::new();
    for (side, cut) in [0, 1].into_iter().flat_map(|at| {
        sides[at].routing.iter().flat_map(move |routing| routing.cuts.iter().map(move |cut| (at, cut)))
    }) {
        let at = *index.entry(cut.name.clone()).or_insert_with(|| {
            let (name, capacity) = (cut.name.clone(), cut.capacity);
            pairs.push(CutPair { name, demand: none, used: none, capacity });
            pairs.len() - 1
        });
        if let Some(pair) = pairs.get_mut(at) {
            pair.demand[side] = Some(cut.demand);
            pair.used[side] = Some(cut.used);
        }
    }
    let is_crossed = |count: &Option<u32>| count.is_some_and(|count| count > 0);
    pairs.retain(|pair| pair.demand.iter().chain(&pair.used).any(is_crossed));
    pairs
}

#[cfg(test)]
mod tests {
    use aiec_device::Tile;
    use aiec_diag::{SourceId, Span};

    use super::*;
    use crate::floor::{Kernel, Link, Shim};

    const SPAN: Span = Span::new(SourceId(0), 0, 0);

    fn side(name: &str, kernels: &[(&str, Tile)]) -> Side {
        let kernel = |&(name, tile): &(&str, Tile)| Kernel { name: name.to_owned(), tile, span: SPAN };
        let floor = Floor { kernels: kernels.iter().map(kernel).collect(), ..Floor::default() };
        Side { name: name.to_owned(), floor, ..Side::default() }
    }

    #[test]
    fn kernels_are_matched_with_and_without_their_graph() {
        let one = side("ours", &[("a", Tile::new(1, 1)), ("b", Tile::new(2, 1)), ("c", Tile::new(3, 1))]);
        let other =
            side("theirs", &[("g.a", Tile::new(1, 1)), ("g.b", Tile::new(9, 1)), ("g.d", Tile::new(4, 1))]);
        let all = compare(&one, &other);
        assert_eq!(all.kernels.same, 1);
        let places = ["(2, 1)".to_owned(), "(9, 1)".to_owned()];
        assert_eq!(all.kernels.moved, [Move { name: "b".to_owned(), places }]);
        assert_eq!(all.kernels.only, [vec!["c".to_owned()], vec!["d".to_owned()]]);
        assert_eq!((all.dma, all.totals), ([None; 2], [None; 2]));
    }

    #[test]
    fn a_side_against_itself_has_no_differences() {
        let mut one = side("x", &[("g.a", Tile::new(1, 1)), ("h.a", Tile::new(2, 1))]);
        one.floor.links =
            vec![Link { from: "i".to_owned(), to: Some("g.a.in[0]".to_owned()), shared: false }];
        let all = compare(&one, &one.clone());
        assert_eq!((all.kernels.same, all.kernels.moved.len()), (2, 0));
        assert_eq!((all.shared, all.dma), ([Some(0); 2], [Some(1); 2]));
    }

    #[test]
    fn a_kernel_of_another_name_is_found_by_its_neighbours() {
        let link =
            |from: &str, to: &str| Link { from: from.to_owned(), to: Some(to.to_owned()), shared: true };
        let block = |user: &str| Block {
            name: user.to_owned(),
            stack: false,
            module: Tile::new(1, 1),
            bank: None,
            offset: Some(64),
            bytes: None,
            users: vec![user.to_owned()],
            span: SPAN,
        };
        let mut one = side("old", &[("a", Tile::new(1, 1)), ("b", Tile::new(2, 1))]);
        one.floor.links = vec![link("a.out[0]", "b.in[0]")];
        one.floor.blocks = vec![block("b.in[0]")];
        let mut other = side("new", &[("g.a", Tile::new(1, 1)), ("g.fir", Tile::new(3, 1))]);
        other.floor.links = vec![link("g.a.out[0]", "g.fir.in[0]")];
        other.floor.blocks = vec![block("g.fir.in[0]")];
        let all = compare(&one, &other);
        assert_eq!((all.renamed.as_slice(), all.alike), (&[["b".to_owned(), "fir".to_owned()]][..], 0));
        let places = ["(2, 1)".to_owned(), "(3, 1)".to_owned()];
        assert_eq!(all.kernels.moved, [Move { name: "b".to_owned(), places }]);
        assert_eq!((all.buffers.same, all.kernels.only), (1, [Vec::new(), Vec::new()]));
        // Two designs, whose connections have names without the graph.
        let design = |kernels: [&str; 2], way: [&str; 2]| Side {
            ways: Some(vec![way.map(str::to_owned)]),
            ..side("design", &kernels.map(|name| (name, Tile::new(1, 1))))
        };
        let all =
            compare(&design(["g.a", "g.b"], ["a.y", "b.x"]), &design(["g.a", "g.fir"], ["a.y", "fir.x"]));
        assert_eq!((all.renamed, all.kernels.same), (vec![["g.b".to_owned(), "g.fir".to_owned()]], 2));
    }

    // What `aiec import` makes of a graph has other names of inputs and ports.
    #[test]
    fn a_graph_and_its_import_are_matched_whatever_they_call_ports() {
        let of = |ways: &[[&str; 2]]| Side {
            ways: Some(ways.iter().map(|way| way.map(str::to_owned)).collect()),
            ..side("d", &[("a", Tile::new(1, 1)), ("b", Tile::new(2, 1))])
        };
        let graph = of(&[["in", "a.in[0]"], ["a.out[0]", "b.in[0]"], ["b.out[0]", "out"]]);
        let import = [["in_port", "a.in0"], ["a.out0", "b.in0"], ["b.out0", "out_port"]];
        let named = [["x", "a.samples"], ["a.sums", "b.sums"], ["b.y", "z"]];
        for (ways, names) in [(import, ["in_port", "out_port"]), (named, ["x", "z"])] {
            let found = compare(&graph, &of(&ways)).renamed;
            let pair = |at: usize| [["in", "out"][at].to_owned(), names[at].to_owned()];
            assert_eq!(found, [pair(0), pair(1)]);
        }
    }

    #[test]
    fn an_input_is_one_whatever_punctuation_its_name_has() {
        let of = |names: [&str; 2]| {
            let shim = |name: &str| Shim {
                name: name.to_owned(),
                input: None,
                column: 19,
                channel: None,
                span: SPAN,
            };
            Side { floor: Floor { shims: names.map(shim).to_vec(), ..Floor::default() }, ..Side::default() }
        };
        let all = compare(&of(["i0", "i1"]), &of(["i[0]", "i_1"]));
        assert_eq!((all.shims.same, all.shims.only), (2, [Vec::new(), Vec::new()]));
    }

    #[test]
    fn nets_of_one_name_are_compared_together() {
        let net = |hops| Net { name: "a.y".to_owned(), hops, longest: hops };
        let side = |hops: [u32; 2]| Side {
            routing: Some(Routing { nets: hops.map(net).to_vec(), ..Routing::default() }),
            ..Side::default()
        };
        assert_eq!(compare(&side([4, 3]), &side([4, 3])).nets, []);
        assert_eq!(compare(&side([4, 3]), &side([4, 2])).nets.len(), 1);
    }

    #[test]
    fn nets_and_cuts_stand_side_by_side() {
        let cut = |name: &str, demand| Cut { name: name.to_owned(), demand, used: demand, capacity: 36 };
        let net = |name: &str, hops| Net { name: name.to_owned(), hops, longest: hops };
        let routed = |nets, cuts| Side { routing: Some(Routing { nets, cuts, hops: 4 }), ..Side::default() };
        let all = compare(
            &routed(vec![net("n", 3), net("m", 1)], vec![cut("east of 3", 2), cut("east of 4", 0)]),
            &routed(vec![net("n", 5), net("m", 1)], vec![cut("east of 2", 1), cut("east of 3", 4)]),
        );
        assert_eq!(all.nets, [NetPair { name: "n".to_owned(), hops: [3, 5] }]);
        let cuts: Vec<_> = all.cuts.iter().map(|cut| (cut.name.as_str(), cut.demand)).collect();
        assert_eq!(cuts, [("east of 3", [Some(2), Some(4)]), ("east of 2", [Some(0), Some(1)])]);
        assert_eq!(all.totals[0], Some(Totals { nets: 2, hops: 4, longest: 3 }));
    }

    #[test]
    fn what_a_side_does_not_state_is_no_difference() {
        let shim = |channel| Shim { name: "gi".to_owned(), input: None, column: 19, channel, span: SPAN };
        let cut = Cut { name: "east of 3".to_owned(), demand: 2, used: 2, capacity: 36 };
        let of = |channel, routing| {
            let floor = Floor { shims: vec![shim(channel)], ..Floor::default() };
            Side { floor, routing, ..Side::default() }
        };
        let routes = Routing { cuts: vec![cut], ..Routing::default() };
        let all = compare(&of(Some(0), Some(routes)), &of(None, None));
        assert_eq!((all.shims.same, all.shims.moved.len()), (1, 0), "a channel");
        assert_eq!(all.cuts[0].demand, [Some(2), None], "lines");
    }
}
