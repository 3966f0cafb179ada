//! Refused designs, with message and place: one design per fault, shown as `slug: message
//! [underlined text]`.

mod common;

use common::{around, faults, faults_with};

/// The faults of a body put into the design of `around`.
fn body(text: &str) -> Vec<String> {
    faults(&around(text))
}

#[test]
fn a_design_needs_a_name_a_device_and_a_kernel() {
    let found = faults("const N = 1");
    let messages = ["the design has no `device`", "the design has no `kernel`", "the file has no `design`"];
    for (line, message) in found.iter().zip(messages) {
        assert_eq!(*line, format!("lower/missing-item: {message} [c]"));
    }
    assert_eq!(found.len(), 3);
}

#[test]
fn what_is_missing_in_a_declaration_is_named() {
    assert_eq!(body("kernel k { stack 1 KiB }"), ["lower/missing-item: kernel `k` has no `source` [k]"]);
    let found = body("reduce r over w { }");
    assert_eq!(
        found,
        [
            "lower/missing-item: reduction `r` has no `data` [r]",
            "lower/missing-item: reduction `r` has no `op` [r]"
        ]
    );
}

#[test]
fn nothing_is_declared_or_given_twice() {
    assert_eq!(body("design e"), ["lower/duplicate-item: `design` is given twice [design e]"]);
    assert_eq!(body("const w = 1"), ["lower/duplicate-name: `w` is declared twice [w]"]);
    assert_eq!(
        body("kernel k { source \"a.cc\" stack 1 KiB source \"b.cc\" }"),
        ["lower/duplicate-item: `source` is given twice [source \"b.cc\"]"]
    );
    assert_eq!(
        body("reduce r over w { op sum data int32[8] op max }"),
        ["lower/duplicate-item: `op` is given twice [op max]"]
    );
    assert_eq!(
        body("kernel k(in a: window int32[8], out a: window int32[8]) { source \"k.cc\" }"),
        ["lower/duplicate-name: `a` is declared twice [a]"]
    );
    assert_eq!(body("for w in 0..2 { }"), ["lower/duplicate-name: `w` is declared twice [w]"]);
    assert_eq!(
        body("for i in 0..2 { for i in 0..2 { } }"),
        ["lower/duplicate-name: `i` is declared twice [i]"]
    );
}

#[test]
fn blocks_of_a_gather_lie_where_one_property_says() {
    assert_eq!(
        body("gather all over w { data int32[8] headed counts 2 }"),
        [
            "lower/duplicate-item: `counts` and `headed` both say how large blocks are and where they lie [headed]"
        ]
    );
    assert_eq!(
        body("gather all over w { data int32[8] counts 2 base 0 size 8 num 1 stride 8 }"),
        [
            "lower/duplicate-item: `counts` and `base` both say how large blocks are and where they lie [base 0]"
        ]
    );
    assert_eq!(
        body("scatter parts over w { data int32[8] headed }"),
        ["lower/stray-property: `headed` means nothing for scatter [headed]"]
    );
}

#[test]
fn blocks_of_a_gather_share_no_element_but_those_of_a_scatter_may() {
    assert_eq!(
        body("gather all over w { data int32[4] base rank size 2 num 2 stride 16 }"),
        [
            "check/blocks-overlap: ranks 0 and 1 of `all` both send to element 1 of the root's array [base rank]"
        ]
    );
    assert_eq!(
        body("gather all over w { data int32[4] base 8 * rank size 2 num 2 stride 1 }"),
        [
            "check/blocks-overlap: rank 0 of `all` sends two of its elements to element 1 of the root's array [base 8 * rank]"
        ]
    );
    assert!(body("gather all over w { data int32[4] base 2 * rank size 2 num 2 stride 16 }").is_empty());
    assert!(body("scatter parts over w { data int32[4] base rank size 2 num 2 stride 16 }").is_empty());
}

#[test]
fn nobody_sends_to_itself() {
    let mapped = body("sendrecv turned over w[..7] { data int32[8] to 6 - rank }");
    assert_eq!(mapped, ["check/partners: rank 3 of `turned` would send to itself [6 - rank]"]);
    assert!(body("sendrecv turned over w { data int32[8] to 7 - rank }").is_empty());
    let shifted = body("sendrecv turned over w { data int32[8] shift 8 }");
    let wanted =
        "check/partners: every rank of `turned` would send to itself: the shift is a multiple of its 8 ranks";
    assert_eq!(shifted, [format!("{wanted} [8]")]);
}

#[test]
fn somebody_sends_to_somebody() {
    let wanted =
        "check/partners: no rank of `gone` sends to another: none of the numbers is one of its 8 ranks";
    assert_eq!(body("sendrecv gone over w { data int32[8] to 99 }"), [format!("{wanted} [99]")]);
    assert!(body("sendrecv last over w { data int32[8] to rank - 7 + rank / 7 }").is_empty());
}

#[test]
fn unknown_names_are_underlined() {
    assert_eq!(
        body("connect smaples -> one.x"),
        ["lower/unknown-name: there is no kernel, input or output called `smaples` [smaples]"]
    );
    assert_eq!(body("connect w[M].y -> one.x"), ["lower/unknown-name: there is no constant called `M` [M]"]);
    assert_eq!(
        body("kernel k(in a: window int33[8]) { source \"k.cc\" }"),
        ["lower/unknown-name: there is no element type called `int33` [int33]"]
    );
    assert_eq!(
        body("reduce r over w { op mean data int32[8] }"),
        ["lower/unknown-name: there is no operator called `mean` [mean]"]
    );
    assert_eq!(
        body("connect samples -> one.x buffer triple"),
        ["lower/unknown-name: there is no kind of buffer called `triple` [triple]"]
    );
}

#[test]
fn ports_must_exist_and_be_named_where_there_are_several() {
    assert_eq!(body("connect samples -> one.z"), ["lower/unknown-port: `one` has no port called `z` [z]"]);
    assert_eq!(
        body("connect samples -> one"),
        ["lower/unknown-port: a connection to `one` must say which port [one]"]
    );
    assert_eq!(
        body("connect samples.out1 -> one.x"),
        ["lower/unknown-port: `samples` is an input, and a port cannot be named here [out1]"]
    );
    assert_eq!(
        body("place one.x at (1, 1)"),
        ["lower/unknown-port: `one` is a kernel, and a port cannot be named here [x]"]
    );
}

#[test]
fn a_connection_to_a_reduction_says_result_or_cycles() {
    let reduce = "reduce r over w { op sum data int32[8] }\n";
    let found = body(&format!("{reduce}connect r -> sum"));
    assert_eq!(found, ["lower/unknown-port: a connection to `r` must say which port [r]"]);
    let outcome = common::lowered_with(&around(&format!("{reduce}connect r -> sum")), &[]);
    assert_eq!(outcome.diagnostics()[0].help, "write `r.result` or `r.cycles`");
    let found = body(&format!("{reduce}connect r.cycles -> sum"));
    assert_eq!(
        found,
        ["lower/missing-item: `r` does not report cycles, but `r.cycles` is connected [r.cycles]"]
    );
    let found = body(&format!("{reduce}connect r[0].result -> sum"));
    assert_eq!(found, ["lower/index-count: `r` is used with 1 index, but has no dimension [r[0].result]"]);
}

#[test]
fn data_goes_along_the_arrow() {
    let found = body(
        "connect one.x -> sum\nconnect samples -> one.y\nconnect sum -> one.x\nconnect one.y -> samples",
    );
    assert_eq!(
        found,
        [
            "lower/wrong-direction: `one.x` only receives, so nothing can come from it [one.x]",
            "lower/wrong-direction: `one.y` only produces, so nothing can go to it [one.y]",
            "lower/wrong-direction: `sum` only receives, so nothing can come from it [sum]",
            "lower/wrong-direction: `samples` only produces, so nothing can go to it [samples]",
        ]
    );
    let found = body("reduce r over w { op sum data int32[8] }\nconnect one.y -> r.result");
    assert_eq!(
        found,
        ["lower/wrong-direction: `r.result` only produces, so nothing can go to it [r.result]"]
    );
    assert_eq!(
        body("connect samples -> sum"),
        ["lower/wrong-kind: an input is connected to an output without a kernel between them [samples]"]
    );
}

/// UG1079: a PLIO or GMIO end is never async.
#[test]
fn only_ports_of_kernels_are_async() {
    assert_eq!(
        body("connect async samples -> one.x"),
        ["lower/wrong-kind: `samples` is an input of the array and cannot be async [samples]"]
    );
    assert_eq!(
        body("connect one.y -> async sum"),
        ["lower/wrong-kind: `sum` is an output of the array and cannot be async [sum]"]
    );
    assert_eq!(
        body("reduce r over w { op sum data int32[8] }\nconnect async r.result -> sum"),
        ["lower/wrong-kind: `r.result` belongs to a reduction and takes no `async` [r.result]"]
    );
}

#[test]
fn indices_and_ranges_stay_inside() {
    assert_eq!(body("connect w[8].y -> one.x"), ["lower/index-out-of-range: index 8 lies outside `w` [8]"]);
    assert_eq!(
        body("connect w[0 - 1].y -> one.x"),
        ["lower/index-out-of-range: index -1 lies outside `w` [0 - 1]"]
    );
    assert_eq!(
        body("connect one.y -> w[4..9].x"),
        ["lower/index-out-of-range: the range 4..9 lies outside `w` [4..9]"]
    );
    assert_eq!(
        body("connect one.y -> w[4..4].x"),
        ["lower/index-out-of-range: the range 4..4 selects nothing [4..4]"]
    );
    assert_eq!(
        body("connect one.y -> w[0..9000000000000000000].x"),
        [
            "lower/index-out-of-range: the range 0..9000000000000000000 lies outside `w` [0..9000000000000000000]"
        ]
    );
    assert_eq!(
        body("connect pe[0].y -> one.x"),
        ["lower/index-count: `pe` is used with 1 index, but has 2 dimensions [pe[0].y]"]
    );
    assert_eq!(
        body("connect one[0].y -> w[0].x"),
        ["lower/index-count: `one` is used with 1 index, but has no dimension [one[0].y]"]
    );
}

#[test]
fn the_ends_of_a_connection_select_equally_many() {
    assert_eq!(
        body("connect w[0..3].y -> pe.x"),
        ["lower/slice-mismatch: the connection goes from 3 instances to 6 instances [w[0..3].y]"]
    );
    assert_eq!(
        body("connect w.y -> one.x"),
        ["lower/slice-mismatch: the connection goes from 8 instances to 1 instance [w.y]"]
    );
}

#[test]
fn root_and_placement_are_of_one_kernel() {
    assert_eq!(
        body("reduce r over w { op sum data int32[8] root w[0..2] }"),
        ["lower/index-count: the root of a collective is one kernel, but this selects 2 [w[0..2]]"]
    );
    assert_eq!(
        body("place w at (1, 2)"),
        ["lower/index-count: what is placed is one kernel, but this selects 8 [w]"]
    );
    assert_eq!(
        body("place sum at (1, 2)"),
        ["lower/wrong-kind: `sum` is an input or output, where a kernel is needed [sum]"]
    );
    assert_eq!(
        body("const N = 1 place N at (1, 2)"),
        ["lower/wrong-kind: `N` is a constant, where a kernel is needed [N]"]
    );
    assert_eq!(
        body("for i in 0..2 { place i at (1, 2) }"),
        ["lower/wrong-kind: `i` is a loop variable, where a kernel is needed [i]"]
    );
}

#[test]
fn arithmetic_is_checked() {
    for (expr, what) in [
        ("9223372036854775807 + 1", "overflow"),
        ("-9223372036854775807 - 2", "overflow"),
        ("4611686018427387904 * 2", "overflow"),
        ("1 / 0", "division by zero"),
        ("1 % 0", "division by zero"),
        ("(-9223372036854775807 - 1) / -1", "overflow"),
        ("1 << 63", "overflow"),
        ("1 << 64", "a shift by less than 0 or more than 63"),
        ("1 >> -1", "a shift by less than 0 or more than 63"),
    ] {
        let found = body(&format!("const A = {expr}"));
        assert_eq!(found, [format!("lower/arithmetic: {what} in an expression [{expr}]")], "{expr}");
    }
    assert_eq!(body("const A = w + 1"), ["lower/wrong-kind: `w` is a kernel, where a number is needed [w]"]);
}

#[test]
fn constants_may_refer_forward_but_not_in_circles() {
    let design =
        common::design(&around("const A = B * 2 const B = C + 1 const C = min(7, 3, 5) - max(1, -2)"));
    assert_eq!(design.constants, [("A".to_owned(), 6), ("B".to_owned(), 3), ("C".to_owned(), 2)]);
    assert_eq!(
        body("const A = B const B = C + A const C = 1 const D = A"),
        ["lower/cyclic-constant: constants are defined by each other: `A` -> `B` -> `A` [A]"]
    );
    assert_eq!(
        body("const A = A"),
        ["lower/cyclic-constant: constants are defined by each other: `A` -> `A` [A]"]
    );
}

#[test]
fn a_long_chain_of_constants_is_followed_without_recursion() {
    let mut text = around("");
    for i in 0..20_000 {
        text.push_str(&format!("const A{i} = A{} + 1\n", i + 1));
    }
    text.push_str("const A20000 = 0\n");
    assert_eq!(common::design(&text).constants[0], ("A0".to_owned(), 20_000));
}

#[test]
fn constants_are_overridden_by_name() {
    let text = around("const N = 3 const M = N * 2");
    let design = common::lowered_with(&text, &[("N", 4), ("N", 5)]).into_parts().0.expect("a design");
    assert_eq!(design.constants, [("N".to_owned(), 5), ("M".to_owned(), 10)]);
    assert_eq!(
        faults_with(&text, &[("n", 4)]),
        ["input/bad-define: -D n: the design has no constant called `n`"]
    );
    let outcome = common::lowered_with(&text, &[("n", 4)]);
    assert_eq!(outcome.diagnostics()[0].help, "did you mean `N`?");
}

#[test]
fn values_and_sizes_make_sense() {
    assert_eq!(
        body("const N = -1 kernel k[N] { source \"k.cc\" }"),
        ["lower/bad-value: the extent of a family is -1 [N]"]
    );
    assert_eq!(body("iterations 0"), ["lower/bad-value: the number of iterations is 0 [0]"]);
    assert_eq!(
        body("ports stream"),
        ["lower/unknown-name: there is no kind of port called `stream` [stream]"]
    );
    assert_eq!(body("ports window ports buffer").len(), 1, "only once");
    assert_eq!(
        body("kernel k(in a: window int32[0]) { source \"k.cc\" }"),
        ["lower/bad-value: the size of a window in elements is 0 [0]"]
    );
    assert_eq!(
        body("kernel k(in a: window int32[6 B]) { source \"k.cc\" }"),
        ["lower/bad-size: 6 bytes are not a whole number of int32 elements of 4 bytes [6 B]"]
    );
    assert_eq!(
        body("kernel k(in a: window int8[9223372036854775807 MiB]) { source \"k.cc\" }").len(),
        1,
        "the product does not overflow"
    );
    assert_eq!(
        body("kernel k { source \"k.cc\" stack 4096 MiB }"),
        ["lower/bad-value: the stack in bytes is 4294967296 [4096 MiB]"]
    );
    for property in ["shape tree arity 0", "calls 0", "window int32[0]"] {
        let found = body(&format!("reduce r over w {{ op sum data int32[8] {property} }}"));
        assert!(found.len() == 1 && found[0].starts_with("lower/bad-value"), "{property}: {found:?}");
    }
    assert_eq!(
        body("reduce r over w { op sum data int32[8] window int16[8] }"),
        ["lower/bad-value: the window holds int16, but the data is int32 [int16[8]]"]
    );
    assert_eq!(
        body("reduce r over w { op sum data int32[8] cycles int32[8] }"),
        ["lower/bad-value: cycle counts are int64, not int32 [int32[8]]"]
    );
    assert_eq!(
        body("reduce r over w { op sum data int32[8] calls 9 cycles int64[8] }"),
        ["lower/bad-value: the window for cycle counts holds 8, but there are 9 calls [int64[8]]"]
    );
}

#[test]
fn huge_designs_are_refused_at_once() {
    let kernel = |dims: &str| body(&format!("kernel k{dims} {{ source \"k.cc\" }}"));
    for dims in ["[1000000000]", "[9223372036854775807][9223372036854775807]", "[16384]", "[200][200]"] {
        let found = kernel(dims);
        assert!(found.len() == 1 && found[0].starts_with("lower/too-many-instances"), "{dims}: {found:?}");
    }
    for text in [
        "for i in 0..1000000000000 { }",
        "for i in -9223372036854775807..9223372036854775807 { }",
        "for i in 0..60000 { for j in 0..60000 { place one at (i, j) } }",
        "const N = 5000 for i in 0..60 { for j in 0..60 { connect one.y -> huge.x } } kernel huge[N](in x: window int32[8]) { source \"h.cc\" }",
    ] {
        let found = body(text);
        assert!(found.len() == 1 && found[0].starts_with("lower/too-many-instances"), "{text}: {found:?}");
    }
    let group = vec!["k"; 2000].join(", ");
    let found = body(&format!(
        "kernel k[16000] {{ source \"k.cc\" }} reduce r over {group} {{ op sum data int32[8] }}"
    ));
    assert!(found.len() == 1 && found[0].starts_with("lower/too-many-instances"), "{found:?}");
}

#[test]
fn a_mistake_in_a_loop_is_reported_once() {
    assert_eq!(
        body("for i in 0..1000 { connect w[i + 8].y -> one.x }"),
        ["lower/index-out-of-range: index 8 lies outside `w` [i + 8]"]
    );
    assert_eq!(
        body("for i in 5..2 { connect w[i + 8].y -> one.x }"),
        Vec::<String>::new(),
        "an empty range does nothing"
    );
}

#[test]
fn names_must_be_free_in_cpp() {
    for (text, name) in [
        ("kernel class { source \"k.cc\" }", "class"),
        ("kernel a__b { source \"k.cc\" }", "a__b"),
        ("kernel main { source \"k.cc\" }", "main"),
        ("kernel abs { source \"k.cc\" }", "abs"),
        ("kernel k(in int: window int32[8]) { source \"k.cc\" }", "int"),
        ("kernel k(in k: window int32[8]) { source \"k.cc\" }", "k"),
        ("input graph from gmio", "graph"),
        ("reduce comm over w { op sum data int32[8] }", "comm"),
    ] {
        let found = body(text);
        assert!(found.len() == 1 && found[0].starts_with("lower/bad-identifier"), "{text}: {found:?}");
        assert!(found[0].ends_with(&format!("[{name}]")), "{found:?}");
    }
}

#[test]
fn generated_names_do_not_collide() {
    assert_eq!(
        body("input a[2] from gmio input a_1 from gmio"),
        ["lower/bad-identifier: `a_1` and `a[1]` would both be called `a_1` in the generated C++ [a_1]"]
    );
    assert_eq!(
        body("input d from gmio"),
        ["lower/bad-identifier: `d` and `design d` would both be called `d` in the generated C++ [d]"]
    );
    let reduce = "reduce t over k { op sum data int32[8] }";
    for port in ["t_in0", "t_out0", "t_result", "t_cycles"] {
        let found = body(&format!("kernel k[2](in {port}: window int32[8]) {{ source \"k.cc\" }} {reduce}"));
        assert!(found.len() == 1 && found[0].starts_with("lower/bad-identifier"), "{port}: {found:?}");
    }
    let found =
        body(&format!("kernel k[2] {{ source \"k.cc\" }} kernel k_leaf {{ source \"l.cc\" }} {reduce}"));
    assert!(found.len() == 1 && found[0].starts_with("lower/bad-identifier"), "{found:?}");
}

#[test]
fn paths_stay_inside_the_project() {
    for path in ["", "/etc/passwd", "../in.txt", "data/../../in.txt", "data\\\\in.txt", "data/"] {
        let found = body(&format!("input a from plio(64, \"{path}\")"));
        assert!(found.len() == 1 && found[0].starts_with("lower/bad-value"), "{path}: {found:?}");
    }
    let found = body("output a[2] to plio(64, \"out.txt\")");
    assert_eq!(found, ["lower/bad-value: several outputs write the file `out.txt` [output a]"]);
}

#[test]
fn an_output_does_not_overwrite_the_data_of_an_input() {
    let overwritten =
        ["lower/bad-value: an output writes the file `d/same.txt`, the data of an input [output b]"];
    let found = body("input a from gmio(\"d/same.txt\") output b to gmio(\"d/same.txt\")");
    assert_eq!(found, overwritten);
    let found = body("output b to plio(64, \"d/same.txt\") input a from gmio(\"d/same.txt\")");
    assert_eq!(found, overwritten);
    assert_eq!(body("input a from gmio(\"d/a.txt\") output b to gmio(\"d/b.txt\")"), [""; 0]);
}

#[test]
fn groups_have_two_different_ranks_or_more_and_their_root() {
    assert_eq!(
        body("reduce r over w[0..3], w[2..4] { op sum data int32[8] }"),
        ["check/duplicate-rank: `w[2]` appears twice in the group of `r` [w[2..4]]"]
    );
    assert_eq!(
        body("reduce r over one { op sum data int32[8] }"),
        ["check/too-few-ranks: `r` runs over a single kernel, so there is nothing to combine [one]"]
    );
    assert_eq!(
        body("reduce r over w[0..3] { op sum data int32[8] root w[3] }"),
        ["check/root-not-in-group: `w[3]` is the root of `r`, but not one of its ranks [w[3]]"]
    );
}

#[test]
fn all_faults_are_reported_at_once_and_none_twice() {
    let found = body(
        "kernel k[K](in a: window int33[8]) { stack 0 B }
         connect k[3].b -> one.q
         connect k[7].a -> one.x
         reduce r over k, w { op sum data int32[M] }",
    );
    let slugs: Vec<&str> = found.iter().filter_map(|line| line.split(':').next()).collect();
    let wanted = [
        "lower/missing-item",
        "lower/unknown-name",
        "lower/unknown-name",
        "lower/bad-value",
        "lower/unknown-port",
        "lower/unknown-port",
        "lower/wrong-direction",
        "lower/unknown-name",
    ];
    assert_eq!(slugs, wanted, "{found:#?}");
}

#[test]
fn a_reference_knows_rank_element_and_call() {
    let text = around(
        "const C = 10 reduce r over w { op sum data int32[8] reference rank * C + min(i, call, 3) - 1 }",
    );
    let design = common::design(&text);
    let formula = design.collectives.iter().next().and_then(|c| c.reference.clone()).expect("the formula");
    assert_eq!(formula.eval(2, 5, 4), Ok(22));
    assert_eq!(
        body("reduce r over w { op sum data int32[8] reference rnk + 1 }"),
        ["lower/unknown-name: there is no constant called `rnk` [rnk]"]
    );
}

#[test]
fn what_runs_and_moves_has_limits() {
    let found = body("iterations 1 << 31");
    assert_eq!(found, ["lower/bad-value: the number of iterations is 2147483648 [1 << 31]"]);
    let reduce = |calls: u32| {
        body(&format!(
            "iterations 4 reduce r over w {{ op sum data int32[1024] window int32[64] calls {calls} }} connect r.result -> sum"
        ))
    };
    assert_eq!(reduce((1 << 18) - 1), [""; 0]);
    let message = "4294967296 bytes go through `sum`: 4 iterations of 4194304 x int32[64]; \
                   an input or output moves less than 4 GiB";
    assert_eq!(reduce(1 << 18), [format!("lower/bad-value: {message} [output sum]")]);
}

#[test]
fn data_stays_away_from_the_files_of_the_project() {
    for path in ["Makefile", "./aie/in.txt", "sw/in.txt"] {
        let found = body(&format!("input i from plio(64, \"{path}\")"));
        let reason = "the generated project has files of its own there";
        assert_eq!(
            found,
            [format!("lower/bad-value: `{path}` cannot be used as a path: {reason} [\"{path}\"]")]
        );
    }
}

#[test]
fn only_ports_of_the_right_direction_are_suggested() {
    let outcome = common::lowered_with(&around("connect samples -> one.yy"), &[]);
    assert_eq!(outcome.diagnostics()[0].help, "the ports that fit here are `x`");
}
