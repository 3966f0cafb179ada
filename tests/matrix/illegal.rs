//! Illegal cases and their diagnostics: a table written from the hardware's limits, which the
//! compiler must agree with.

use aiec_collectives::{Operation, Shape};

use crate::cases::shapes;
use crate::host::checked;
use crate::{MANY, SIZES};

/// Windows of a kernel, inputs and outputs together (thesis 4.2).
const WINDOWS: u32 = 14;

/// Streams of packets at one port: 5 bits of a header identify the stream (AM009), and UG1079
/// allows a `pktmerge` of 32.
const MERGED: u32 = 32;

/// The code that refuses an operation in a shape over this number of ranks. Legal shapes give None.
pub fn refusal(operation: Operation, shape: Shape, ranks: u32) -> Option<&'static str> {
    let halves = (operation, shape) == (Operation::ReduceScatter, Shape::Butterfly);
    if halves && !ranks.is_power_of_two() {
        return Some("check/power-of-two");
    }
    if shape == Shape::Merge {
        return (ranks - 1 > MERGED).then_some("check/merged-streams");
    }
    (most_windows(operation, shape, ranks) > WINDOWS).then_some("check/too-many-windows")
}

/// Windows of the kernel with the most, for the shapes that can have too many of them: those with a
/// hub.
fn most_windows(operation: Operation, shape: Shape, ranks: u32) -> u32 {
    let others = ranks - 1;
    let both_ways = matches!(operation, Operation::Allreduce | Operation::Barrier | Operation::Clock);
    match shape {
        // To and from all other ranks.
        Shape::Flat if operation == Operation::Alltoall => 2 * others,
        // One stream that the switches copy, after a window from each.
        Shape::Flat if operation == Operation::Broadcast => 1,
        Shape::Flat => others + u32::from(both_ways),
        // The heads, or below the fullest head its cluster, and the way up.
        Shape::Hub(heads) => {
            let heads = heads.min(others);
            let below = (others - heads).div_ceil(heads);
            heads.max(below + 1) * if both_ways { 2 } else { 1 }
        }
        // Arity children and a parent, each way.
        Shape::Tree(arity) => (arity + 1) * if both_ways { 2 } else { 1 },
        _ => 0,
    }
}

#[test]
fn what_has_too_many_windows_or_no_power_of_two_is_refused_and_nothing_else_is() {
    let mut refused = 0;
    for ranks in SIZES.into_iter().chain([MANY]) {
        for (operation, shape) in shapes() {
            let case = crate::cases::Case::plain(operation, shape, ranks);
            let design = crate::cases::design(&[case]);
            let said = checked(&design, None).map(|_| ());
            let wanted = refusal(operation, shape, ranks).map_or(Ok(()), |code| Err(vec![code]));
            assert_eq!(said, wanted, "{operation} {shape} over {ranks} ranks");
            refused += usize::from(wanted.is_err());
        }
    }
    assert!(refused >= 33, "{refused} of the table");
}

/// Operations have exactly the shapes that the language reference lists, since the links of others
/// cannot serve them.
#[test]
fn shapes_that_an_operation_does_not_have_are_refused() {
    let words = [
        "tree arity 2",
        "binomial",
        "chain",
        "flat",
        "flat merge",
        "hub 2",
        "ring",
        "butterfly",
        "dissemination",
        "chain merge",
        "cascade",
    ];
    let mut refused = 0;
    let has_shapes = |operation: &Operation| {
        let row = operation.row();
        !row.names_partners && !row.takes_messages
    };
    for operation in Operation::ALL.into_iter().filter(has_shapes) {
        let known: Vec<String> = shapes()
            .into_iter()
            .filter(|(of, _)| *of == operation)
            .map(|(_, shape)| shape.to_string())
            .collect();
        for word in words {
            let op = if operation.combines() { "op sum" } else { "" };
            let data = if operation.row().has_data() { "data int32[8]" } else { "" };
            let design = format!(
                "design d device xcvc1902 kernel k[4] {{ source \"k.cc\" }} {operation} c over k {{ {op} {data} shape {word} }}"
            );
            let said = checked(&design, None).map(|_| ());
            let wanted = if known.iter().any(|shape| shape == word) {
                Ok(())
            } else {
                Err(vec!["lower/no-such-shape"])
            };
            assert_eq!(said, wanted, "{operation} {word}");
            refused += usize::from(wanted.is_err());
        }
    }
    assert!(refused >= 66, "{refused} of the table in docs/language.md");
}

/// The first packet to arrive is a matter of chance: only combinations of integers have one result
/// in any order.
#[test]
fn floats_are_not_combined_in_the_order_of_arrival() {
    let mut refused = 0;
    for operation in [Operation::Reduce, Operation::Allreduce, Operation::Gather, Operation::Allgather] {
        for element in ["float", "cfloat", "int16", "cint32", "uint8"] {
            let op = if operation.combines() { "op sum" } else { "" };
            let design = format!(
                "design d device xcvc1902 kernel k[4] {{ source \"k.cc\" }}
                 {operation} c over k {{ {op} data {element}[32] shape flat merge }}"
            );
            let inexact = operation.combines() && element.ends_with("float");
            let wanted = if inexact { Err(vec!["check/order-of-arrival"]) } else { Ok(()) };
            assert_eq!(checked(&design, None).map(|_| ()), wanted, "{operation} of {element}");
            refused += usize::from(inexact);
        }
    }
    assert_eq!(refused, 4);
}

/// An `ordered` operator needs a shape that combines lower ranks before higher ones.
#[test]
fn ordered_operators_need_shapes_in_rank_order() {
    for (shape, ordered) in [
        ("chain", true),
        ("butterfly", true),
        ("flat", true),
        ("binomial", true),
        ("ring", false),
        ("flat merge", false),
        ("tree arity 2", false),
    ] {
        let design = format!(
            "design d device xcvc1902 kernel k[6] {{ source \"k.cc\" }}
             allreduce c over k {{ op left from \"left.h\" ordered data int32[8] shape {shape} }}"
        );
        let wanted = if ordered { Ok(()) } else { Err(vec!["check/rank-order"]) };
        assert_eq!(checked(&design, None).map(|_| ()), wanted, "{shape}");
    }
}

/// Further limits of shapes, for any number of ranks.
#[test]
fn each_limit_of_a_shape_has_a_code() {
    for (collective, code) in [
        ("reduce c over k { op sum data int32[8] shape tree arity 14 }", "check/tree-arity"),
        ("reduce c over k { op sum data int32[8] shape cascade root k[2] }", "check/cascade-root"),
        ("reduce c over k { op sum data int64[8] shape cascade }", "check/cascade-type"),
        (
            "reduce c over k { op sum data int32[8] shape cascade } reduce d over k { op sum data int32[8] shape cascade }",
            "check/cascade-ends",
        ),
        (
            "keepout (0, 0) to (49, 6) keepout (5, 7) to (44, 7) reduce c over k { op sum data int32[8] shape cascade }",
            "check/cascade-length",
        ),
        ("sendrecv c over k { data int32[8] to rank / 2 }", "check/partners"),
        ("sendrecv c over k { data int32[8] to 3 - rank / 2 * 2 }", "check/partners"),
        ("sendrecv c over k { data int32[8] to 6 }", "check/partners"),
        ("sendrecv c over k { data int32[8] shift 12 }", "check/partners"),
        ("sendrecv c over k { data int32[8] shift 1 shape ring }", "lower/stray-property"),
    ] {
        let design = format!("design d device xcvc1902 kernel k[6] {{ source \"k.cc\" }} {collective}");
        assert_eq!(checked(&design, None).map(|_| ()), Err(vec![code]), "{collective}");
    }
}
