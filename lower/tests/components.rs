//! Components: a design of instances and the same design without components expand to equal graphs.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::common::{expanded, faults};
use aiec_ir::PortId;
use aiec_ir::design::identifier;
use aiec_ir::expanded::{Expanded, Owner};
use proptest::prelude::*;

/// The sizes of a design: `pairs` instances of two units each. A unit has workers, whose sum passes
/// a chain of kernels.
#[derive(Clone, Copy, Debug)]
struct Sizes {
    pairs: u32,
    /// Workers in each unit of the first pair; each further pair has one more.
    workers: u32,
    /// Kernels in the chain of the first unit of a pair; the second unit has one more.
    chain: u32,
    elements: u32,
    root: u32,
}

impl Sizes {
    fn any() -> impl Strategy<Value = Self> {
        (1u32..4, 2u32..5, 1u32..4, 1u32..5, 0u32..2).prop_map(|(pairs, workers, chain, blocks, root)| Self {
            pairs,
            workers,
            chain,
            elements: 8 * blocks,
            root,
        })
    }

    /// Name, workers and length of the chain of each unit.
    fn units(self) -> impl Iterator<Item = (String, u32, u32)> {
        let unit =
            move |pair, side| (format!("p_{pair}_one_{side}_"), self.workers + pair, self.chain + side);
        (0..self.pairs).flat_map(move |pair| [unit(pair, 0), unit(pair, 1)])
    }

    /// Device, inputs and outputs.
    fn frame(self) -> String {
        let inputs: u32 = self.units().map(|(_, workers, _)| workers).sum();
        format!(
            "design d device xcvc1902 const S = {}\n\
             input a[{inputs}] from plio(64, \"a_{{}}.txt\") output b[{}] to plio(32, \"b_{{}}.txt\")\n",
            self.elements,
            2 * self.pairs
        )
    }

    fn with_components(self) -> String {
        let Self { pairs, workers, chain, root, .. } = self;
        let mut text = self.frame();
        write!(
            text,
            "component unit(N = 2, D = 1)(in x[N]: window int32[S], out y: stream int32) {{
                 {}
                 for i in 0..D - 1 {{ connect pass[i].y -> pass[i + 1].x fifo 32 }}
                 connect x -> work.x
                 connect all.result -> first.x
                 connect pass[D - 1].y -> y
             }}
             component pair(N = 3, D = 2)(in x[2 * N]: window int32[S], out y[2]: stream int32) {{
                 instance one[i: 2] of unit(D = D + i, N = N)
                 connect x[0..N] -> one[0].x
                 connect x[N..2 * N] -> one[1].x
                 connect one.y -> y
             }}
             instance p[i: {pairs}] of pair(N = {workers} + i, D = {chain})\n",
            body("", "N", "D", root)
        )
        .expect("a string");
        let mut taken = 0;
        for pair in 0..pairs {
            let end = taken + 2 * (workers + pair);
            let ends = format!("b[{}..{}]", 2 * pair, 2 * pair + 2);
            writeln!(text, "connect a[{taken}..{end}] -> p[{pair}].x\nconnect p[{pair}].y -> {ends} fifo 64")
                .expect("a string");
            taken = end;
        }
        text
    }

    fn flat(self) -> String {
        let (mut text, mut taken) = (self.frame(), 0);
        for (at, (unit, workers, chain)) in self.units().enumerate() {
            let end = taken + workers;
            text.push_str(&body(&unit, &workers.to_string(), &chain.to_string(), self.root));
            write!(
                text,
                "for i in 0..{chain} - 1 {{ connect {unit}pass[i].y -> {unit}pass[i + 1].x fifo 32 }}
                 connect a[{taken}..{end}] -> {unit}work.x
                 connect {unit}all.result -> {unit}first.x
                 connect {unit}pass[{chain} - 1].y -> b[{at}] fifo 64\n"
            )
            .expect("a string");
            taken = end;
        }
        text
    }
}

/// The kernels of a unit, with `unit` in front of their names.
fn body(unit: &str, workers: &str, chain: &str, root: u32) -> String {
    format!(
        "kernel {unit}work[{workers}](in x: window int32[S]) {{ source \"w.cc\" stack 2 KiB }}
         kernel {unit}first(in x: window int32[S], out y: stream int32[S]) {{ source \"f.cc\" }}
         kernel {unit}pass[{chain}](in x: stream int32[S], out y: stream int32[S]) {{ source \"p.cc\" }}
         reduce {unit}all over {unit}work {{ op sum data int32[S] root {unit}work[{root}] shape tree arity 2 }}
         connect {unit}first.y -> {unit}pass[0].x\n"
    )
}

/// The graph in words that do not depend on the order of declarations: kernels, connections and
/// collectives. Names are those of the emitted C++, without what stands in front of a unit's.
fn words(design: &Expanded) -> BTreeSet<String> {
    let unit =
        |kernel: &str| kernel.rsplit_once("_one_").map_or(0, |(before, _)| before.len() + "_one_0_".len());
    let port = |id: PortId| {
        let port = &design.ports[id];
        let Owner::Kernel(kernel) = port.owner else { return design.port_name(id) };
        let kernel = identifier(&design.kernels[kernel].name);
        let own = port.name.strip_prefix(&kernel[..unit(&kernel)]).unwrap_or(&port.name);
        format!("{kernel}.{own} {} {:?} async {}", port.direction, port.carries, port.asynchronous)
    };
    let kernels = design.kernels.enumerate().map(|(id, kernel)| {
        let ports: Vec<String> = design.ports_of(id).map(port).collect();
        let stack = design.stack_bytes(id, 1024);
        format!("kernel {} {stack} {} {ports:?}", identifier(&kernel.name), kernel.repetitions)
    });
    let connections = design.connections.iter().map(|c| {
        format!("{} -> {} {:?} {:?}", port(c.from), port(c.to), c.buffering, c.fifo.as_ref().map(|f| f.value))
    });
    let collectives = design.collectives.iter().map(|c| {
        let ranks: Vec<String> = c.ranks.iter().map(|&rank| identifier(&design.kernels[rank].name)).collect();
        format!("{} {ranks:?} {} {:?} {}", identifier(&c.name), c.plan.root, c.plan.shape, c.data.value)
    });
    kernels.chain(connections).chain(collectives).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn instances_and_a_flat_design_are_one_graph(sizes in Sizes::any()) {
        let (parts, flat) = (expanded(&sizes.with_components()), expanded(&sizes.flat()));
        prop_assert_eq!(words(&parts), words(&flat));
        let counts = |design: &Expanded| (design.kernels.len(), design.connections.len(), design.ports.len());
        prop_assert_eq!(counts(&parts), counts(&flat));
        prop_assert_eq!(parts.subgraphs.len(), 3 * sizes.pairs as usize);
    }
}

/// A component `row` with a collective, and `body` around an array of its instances.
fn rows(body: &str) -> String {
    format!(
        "design d device xcvc1902
         component row(N = 2)(out y: window int32[8]) {{
             kernel k[N] {{ source \"k.cc\" }}
             reduce all over k {{ op sum data int32[8] }}
             connect all.result -> y
         }}
         instance rows[3] of row
         output o[3] to plio(32, \"o_{{}}.txt\") connect rows.y -> o\n{body}"
    )
}

#[test]
fn collectives_of_a_kernel_have_names_of_their_own_inside_and_outside_of_its_component() {
    let over =
        |name: &str| rows(&format!("reduce {name} over rows.k {{ op sum data int32[8] root rows[0].k[0] }}"));
    let wanted =
        "lower/duplicate-name: `rows[0].k` is in two collectives that its source would call `comm.all`: ";
    let found = faults(&over("all"));
    assert!(found.len() == 1 && found[0].starts_with(wanted), "{found:?}");
    assert_eq!(faults(&over("total")), [""; 0]);
    assert_eq!(
        faults(&rows("kernel one[2] { source \"o.cc\" } reduce all over one { op sum data int32[8] }")),
        [""; 0]
    );
}

#[test]
fn an_input_in_a_component_is_refused_once_with_the_port_to_write() {
    let design = "design d device xcvc1902
        component c(out y: window int32[8]) {
            kernel k(in x: window int32[8], out y: window int32[8]) { source \"k.cc\" }
            if 1 == 1 { input samples from gmio }
            connect samples -> k.x connect k.y -> y
        }
        instance i[3] of c
        output o[3] to plio(32, \"o_{}.txt\") connect i.y -> o";
    let wanted = "lower/wrong-kind: the input `samples` lies in a component, each instance of which would need its own";
    let found = faults(design);
    assert!(found.len() == 1 && found[0].starts_with(wanted), "{found:?}");
    assert!(found[0].ends_with("[input samples from gmio]"), "{found:?}");
}

#[test]
fn a_fifo_of_instances_without_a_tile_is_refused_once() {
    let design = "design d device xcvc1902
        component c(in x: window int32[8], out y: window int32[8]) {
            kernel k(in x: window int32[8], out y: stream int32[8]) { source \"k.cc\" }
            kernel l(in x: stream int32[8], out y: window int32[8]) { source \"l.cc\" }
            connect x -> k.x connect k.y -> l.x fifo 64 at (0, 1) offset 0 connect l.y -> y
        }
        instance i[3] of c
        input n[3] from gmio connect n -> i.x
        output o[3] to gmio connect i.y -> o";
    let wanted = "lower/no-anchor: a `fifo` in a component counts from the tile of the instance, and `i[0]` has none \
                  [(0, 1) offset 0]";
    assert_eq!(faults(design), [wanted]);
}

#[test]
fn the_tile_of_an_instance_counts_for_something() {
    let design = |inside: &str, tiles: &str| {
        format!(
            "design d device xcvc1902
            component c(HAS = 1)(in x: window int32[8], out y: window int32[8]) {{
                kernel k(in x: window int32[8], out y: window int32[8]) {{ source \"k.cc\" }}
                connect x -> k.x connect k.y -> y {inside}
            }}
            instance i of c instance j of c(HAS = 0)
            input n[2] from gmio connect n[0] -> i.x connect n[1] -> j.x
            output o[2] to gmio connect i.y -> o[0] connect j.y -> o[1] {tiles}"
        )
    };
    let idle = "lower/stray-property: the tile of `i` means nothing: the component `c` states no tile that counts from it \
                [place i at (500, 70)]";
    let tiles = "place i at (500, 70) place j at i + (3, 0)";
    assert_eq!(faults(&design("", tiles)), [idle]);
    assert_eq!(faults(&design("region k in (0, 0) to (1, 1)", tiles)), [""; 0]);
    let one = "if HAS { place k at (0, 0) }";
    assert_eq!(faults(&design(one, "place i at (4, 0) place j at (6, 0)")), [""; 0], "of one instance");
}

/// A component that copies windows, with `port` as what its output is declared to carry.
fn copy(lines: &str) -> String {
    format!(
        "design d device xcvc1902
         component cp(in x: window int32[16], out y: window int32[16]) {{
             kernel k(in x: window int32[16], out y: window int32[16]) {{ source \"k.cc\" }}
             connect x -> k.x connect k.y -> y
         }}
         kernel s(in x: stream int32[16], out y: window int32[16]) {{ source \"s.cc\" }}
         kernel t(in x: window int32[16], out y: stream int32[16]) {{ source \"t.cc\" }}
         instance u of cp
         input i[2] from gmio output o[2] to gmio
         {lines}"
    )
}

/// A type that was refused has no size: what is connected to it is no second fault.
#[test]
fn a_port_with_a_faulty_type_is_one_fault() {
    let design = "design d device xcvc1902
        component c(in x: window int16[16], out y[2]: window int16[16]) {
            kernel k[l: 2](in x: window int16[16], out y: window int16[16 * l]) { source \"k.cc\" }
            connect x -> k.x connect k.y -> y
        }
        instance u of c input i from gmio output o[2] to gmio connect i -> u.x connect u.y -> o";
    let found = faults(design);
    assert!(found.len() == 1 && found[0].starts_with("lower/unknown-name: the index `l`"), "{found:?}");
}

/// A chain of one stage, or of one instance, has no connections between stages.
#[test]
fn a_connection_of_empty_ranges_connects_nothing() {
    let chain = |stages: u32| {
        format!(
            "design d device xcvc1902 const N = {stages}
             component c(in x: window int32[16], out y: window int32[16]) {{
                 kernel k[N](in x: window int32[16], out y: window int32[16]) {{ source \"k.cc\" }}
                 connect x -> k[0].x connect k[..N - 1].y -> k[1..].x connect k[N - 1].y -> y
             }}
             instance u[N] of c input i from gmio output o to gmio
             connect i -> u[0].x connect u[..N - 1].y -> u[1..].x connect u[N - 1].y -> o"
        )
    };
    assert_eq!(faults(&chain(1)), [""; 0]);
    assert_eq!(faults(&chain(3)), [""; 0]);
    let numbers = chain(1).replace("k[1..]", "k[1..1]");
    let fault = "lower/index-out-of-range: the range 1..1 selects nothing [1..1]";
    assert_eq!(faults(&numbers), [fault], "two numbers are a slip of the pen");
}

/// Outside, a port of a component stands for the kernel's port inside. A DMA makes a window of a
/// stream.
#[test]
fn a_stream_feeds_a_window_behind_a_port_of_a_component() {
    let lines = "connect i -> t.x, s.x connect s.y, t.y -> o[0], u.x connect u.y -> o[1]";
    let found = expanded(&copy(lines));
    let names: Vec<String> = found.connections.ids().map(|id| found.connection_name(id)).collect();
    assert!(names.iter().any(|name| name == "t.y -> u.k.x"), "{names:?}");
    let family = "kernel e[2](in x: stream int32[16], out y: window int32[16]) { source \"e.cc\" }
        connect i -> t.x, u.x connect t.y, u.y -> e.x connect e.y -> o";
    assert_eq!(faults(&copy(family)), [""; 0], "and the other way round");
}

#[test]
fn a_port_of_a_component_declares_what_the_kernels_port_inside_carries() {
    let design = |ports: &str| {
        format!(
            "design d device xcvc1902
             component c(in x: window int32[16], out y[2]: {ports}) {{
                 kernel k(in x: window int32[16], out y: window int32[16]) {{ source \"k.cc\" }}
                 kernel t(in x: window int32[16], out y: stream int32[16]) {{ source \"t.cc\" }}
                 connect x -> k.x, t.x connect t.y, k.y -> y
             }}
             component around(in x: window int32[16], out y[2]: stream int32[16]) {{
                 instance inner of c connect x -> inner.x connect inner.y -> y
             }}
             instance u of around input i from gmio output o[2] to gmio connect i -> u.x connect u.y -> o"
        )
    };
    let window = faults(&design("window int32[16]"));
    let fault = "lower/component-port: `t.y` carries stream int32[16], but `y` carries window int32[16]";
    assert!(window.len() == 1 && window[0].starts_with(fault), "{window:?}");
    let stream = faults(&design("stream int32[16]"));
    let fault = "lower/component-port: `k.y` carries window int32[16], but `y` carries stream int32[16]";
    assert!(stream.len() == 1 && stream[0].starts_with(fault), "{stream:?}");
}

#[test]
fn sizes_agree_between_a_component_and_its_own_port_alone() {
    let design = |z: u32| {
        format!(
            "design d device xcvc1902
             component c(in x: window int32[16], out y: window int32[16], out z: window int32[{z}]) {{
                 kernel k(in x: window int32[16], out y: window int32[16]) {{ source \"k.cc\" }}
                 kernel m(in x: window int32[32], out y: window int32[32]) {{ source \"k.cc\" }}
                 connect x -> k.x connect k.y -> y, m.x connect m.y -> z
             }}
             instance u of c input i from gmio output o[2] to gmio
             connect i -> u.x connect u.y, u.z -> o"
        )
    };
    assert_eq!(faults(&design(32)), [""; 0]);
    let fault = "lower/component-port: `m.y` carries window int32[32], but `z` carries window int32[16]";
    let found = faults(&design(16));
    assert!(found.len() == 1 && found[0].starts_with(fault), "{found:?}");
}

#[test]
fn the_tile_of_an_instance_counts_for_its_fifos() {
    for place in ["fifo 40 at (0, 1) offset 16384", "fifo 16 at switch (0, 1) number 0"] {
        let design = format!(
            "design d device xcvc1902
             component c(in x: stream int32[16], out y: stream int32[16]) {{
                 kernel k[2](in x: stream int32[16], out y: stream int32[16]) {{ source \"k.cc\" }}
                 connect x -> k[0].x connect k[0].y -> k[1].x {place} connect k[1].y -> y
             }}
             instance u of c input i from plio(32, \"i.txt\") output o to plio(32, \"o.txt\")
             connect i -> u.x connect u.y -> o place u at (20, 2)"
        );
        let found = expanded(&design);
        let places: Vec<_> = found.connections.iter().flat_map(|wire| &wire.fifo_places).collect();
        assert_eq!(places.iter().map(|at| (at.column, at.row)).collect::<Vec<_>>(), [(20, Some(3))]);
    }
}

/// Four instances in two arrays, each with a kernel on the tile of its instance, and `lines`.
fn arrays(inside: &str, lines: &str) -> String {
    format!(
        "design d device xcvc1902
         component c(in x: window int32[8], out y: window int32[8]) {{
             kernel k(in x: window int32[8], out y: window int32[8]) {{ source \"k.cc\" }}
             connect x -> k.x connect k.y -> y place k at (0, 0)
         }}
         component pair(in x[2]: window int32[8], out y[2]: window int32[8]) {{
             instance one[2] of c connect x -> one.x connect one.y -> y {inside}
         }}
         instance p[2] of pair
         input i[4] from gmio connect i -> p[0].x, p[1].x output o[4] to gmio connect p[0].y, p[1].y -> o
         {lines}"
    )
}

#[test]
fn as_many_instances_are_placed_by_as_many_others() {
    let tiles = |design: &Expanded| -> Vec<(i64, i64)> {
        design.places.iter().map(|place| (place.column, place.row)).collect()
    };
    let paired = arrays(
        "",
        "place p[0].one[0] at (4, 0) place p[0].one[1] at (9, 2) place p[1].one at p[0].one + (1, 2)",
    );
    assert_eq!(tiles(&expanded(&paired)), [(4, 0), (9, 2), (5, 2), (10, 4)]);
    let found = faults(&arrays("", "place p[1].one at p[0].one[0] + (1, 2)"));
    let fault = "lower/slice-mismatch: 2 instances cannot be placed relative to 1 instance";
    assert!(found.len() == 1 && found[0].starts_with(fault), "{found:?}");
    let found = faults(&arrays("", "place p[1].one at (4, 0)"));
    assert!(
        found.len() == 1 && found[0].starts_with("lower/index-count: a tile belongs to one"),
        "{found:?}"
    );
}

#[test]
fn a_place_of_an_instance_names_the_component_that_places_it_already() {
    let text = arrays("place one[0] at (0, 0) place one[1] at (0, 1)", "place p[1].one[0] at (4, 0)");
    let wanted = "lower/duplicate-item: `p[1].one[0]` is placed here and, like that of every instance, in the component \
                  `pair` [place p[1].one[0] at (4, 0)]";
    assert_eq!(faults(&text), [wanted]);
    let twice = faults(&arrays("", "place p[1] at (4, 0) place p[1] at (6, 0)"));
    assert!(
        twice.iter().any(|fault| fault.starts_with("lower/duplicate-item: `place` is given twice")),
        "{twice:?}"
    );
}

#[test]
fn a_constant_that_nothing_declares_is_one_fault() {
    let design = "design d device xcvc1902
        component c(in x: window int32[N], out y: window int32[N]) {
            kernel k(in x: window int32[N], out y: window int32[N]) { source \"k.cc\" }
            connect x -> k.x connect k.y -> y
        }
        instance u of c instance v of c
        input i from gmio output o to gmio connect i -> u.x connect u.y -> v.x connect v.y -> o";
    assert_eq!(faults(design), ["lower/unknown-name: there is no constant called `N` [N]"]);
    let misspelt = design.replace("[N]", "[SIZE]").replacen("design d", "const SIZES = 8 design d", 1);
    assert!(faults(&misspelt).len() > 1, "each place has its own remedy");
}

#[test]
fn a_port_may_have_the_name_of_its_kernel_unless_a_wrapper_calls_it() {
    let fault = "lower/bad-identifier: `k` cannot be a name in the generated C++: it is the function of a kernel in a \
                 collective, which a wrapper with this port calls [out k: window int32[8]]";
    let design = |of: &str, collective: &str| {
        format!(
            "design d device xcvc1902
             component c(in x[2]: window int32[8], out y[2]: window int32[8]) {{
                 kernel k[2](in x: window int32[8], out k: window int32[8]) {{ source \"k.cc\" }}
                 connect x -> k.x connect k.k -> y {collective}
             }}
             instance u{of} of c input i from gmio output o[4] to gmio"
        )
    };
    let one = design("", "") + " connect i -> u.x connect u.y -> o[..2]";
    assert_eq!(faults(&one), [""; 0]);
    let ranks = design("", "barrier b over k { }") + " connect i -> u.x connect u.y -> o[..2]";
    assert_eq!(faults(&ranks), [fault]);
}
