//! Conditions, tables of constants, named indices and slices with steps.

use crate::common::{around, design, expanded, faults, faults_with, lowered_with};
use aiec_ir::design::{Decimals, Selection};

/// The faults of a body put into the design of `around`.
fn body(text: &str) -> Vec<String> {
    faults(&around(text))
}

/// The names of the kernels of a design.
fn kernels(text: &str) -> Vec<String> {
    expanded(text).kernels.iter().map(|kernel| kernel.name.clone()).collect()
}

#[test]
fn the_first_branch_that_holds_is_taken() {
    let text = |n: i64| {
        format!(
            "design d device toy const N = {n}
             if N == 0 {{ kernel a {{ source \"a.cc\" }} }}
             else if N < 3 {{ kernel b[N] {{ source \"b.cc\" }} }}
             else {{ if N & 1 {{ kernel c {{ source \"c.cc\" }} }} kernel d2 {{ source \"d.cc\" }} }}"
        )
    };
    assert_eq!(kernels(&text(0)), ["a"]);
    assert_eq!(kernels(&text(2)), ["b[0]", "b[1]"]);
    assert_eq!(kernels(&text(3)), ["c", "d2"]);
    assert_eq!(kernels(&text(4)), ["d2"]);
}

#[test]
fn declarations_keep_their_order_whatever_condition_holds_them() {
    let text = "design d device toy const N = 1
        kernel a { source \"a.cc\" } if N { kernel b { source \"b.cc\" } } kernel c { source \"c.cc\" }";
    assert_eq!(kernels(text), ["a", "b", "c"]);
}

#[test]
fn conditions_in_loops_know_the_variables() {
    let text = "design d device toy
        kernel k[6] { source \"k.cc\" }
        for i in 0..6 { for j in 0..2 { if (i % 3 == j) & !(i > 3) { place k[i] at (i, j) } } }";
    let places: Vec<(u32, i64)> =
        design(text).places.iter().map(|place| (place.instance.index, place.row)).collect();
    assert_eq!(places, [(0, 0), (1, 1), (3, 0)]);
}

#[test]
fn names_of_branches_that_are_not_taken_do_not_exist() {
    let text = "design d device toy const N = 0 kernel k { source \"k.cc\" }
        if N { kernel other { source \"o.cc\" } } place other at (1, 1)";
    assert_eq!(
        faults(text),
        ["lower/unknown-name: `other` is declared in a branch that is not taken [other]"]
    );
    let both = "design d device toy const N = 1
        if N { kernel k { source \"a.cc\" } } else { kernel k { source \"b.cc\" } }";
    assert_eq!(kernels(both), ["k"]);
    let twice =
        "design d device toy const N = 1 kernel k { source \"a.cc\" } if N { kernel k { source \"b.cc\" } }";
    assert_eq!(faults(twice), ["lower/duplicate-name: `k` is declared twice [k]"]);
}

#[test]
fn a_condition_without_a_value_is_the_only_error() {
    assert_eq!(
        body("if X { kernel k { source \"k.cc\" } } place k at (0, 0) place nobody at (0, 0)"),
        ["lower/unknown-name: there is no constant called `X` [X]"]
    );
    assert_eq!(
        body("if w { place one at (0, 0) }"),
        ["lower/wrong-kind: `w` is a kernel, where a number is needed [w]"]
    );
    assert_eq!(
        body("for i in 0..3 { if i / 0 { place w[9] at (0, 0) } }"),
        ["lower/arithmetic: division by zero in an expression [i / 0]"]
    );
}

#[test]
fn a_failed_assertion_at_the_top_is_the_only_error() {
    let text = around("const N = 5 assert N % 2 == 0 \"N must be even\" place nobody at (0, 0)");
    let (_, diagnostics) = lowered_with(&text, &[]).into_parts();
    assert_eq!(diagnostics.len(), 1);
    assert_eq!(diagnostics[0].message, "N must be even");
    assert_eq!(diagnostics[0].labels[0].text, "the left side is 1, the right side 0");
    assert_eq!(faults_with(&text, &[("N", 4)]).len(), 1, "the other one is reported now");
}

#[test]
fn a_number_that_an_assertion_forbids_gives_no_other_error() {
    let text = around("const ROWS = 0 assert ROWS > 0 \"a row\" const EACH = 8 / ROWS");
    assert_eq!(faults(&text), ["lower/assertion: a row [ROWS > 0]"]);
    let first = around("const ROWS = 0 const EACH = 8 / ROWS if 8 % ROWS == 0 { } assert ROWS > 0 \"a row\"");
    assert_eq!(faults(&first), ["lower/assertion: a row [ROWS > 0]"]);
}

#[test]
fn assertions_in_loops_name_the_variables() {
    let text = around("for r in 0..2 { for c in 0..3 { assert r != c | (r == 0) \"no\" } }");
    let (_, diagnostics) = lowered_with(&text, &[]).into_parts();
    assert_eq!(diagnostics[0].labels[0].text, "the left side is 1, the right side 1, with r = 1, c = 1");
    assert_eq!(
        faults(&around("for i in 0..3 { assert !(i / 2) \"no\" }")),
        ["lower/assertion: no [!(i / 2)]"]
    );
}

#[test]
fn nested_conditions_in_loops_end_soon() {
    let many = "if 1 { place w[0] at (0, 0) } ".repeat(60);
    let found = body(&format!("for i in 0..4096 {{ if 1 {{ {many} }} }}"));
    assert_eq!(found.len(), 1);
    assert!(found[0].starts_with("lower/too-many-instances"), "{found:?}");
}

#[test]
fn tables_are_numbers_of_constants_and_of_each_other() {
    let text = around("const A = [N, B[1] * 2, -len(B)] const B = [4, N + 1] const N = 3");
    let design = design(&text);
    let tables: Vec<(&str, Vec<i64>)> =
        design.tables.iter().map(|(name, table)| (name.as_str(), table.to_vec())).collect();
    assert_eq!(tables, [("A", vec![3, 8, -2]), ("B", vec![4, 4])]);
}

#[test]
fn constants_may_have_a_point_but_take_no_operators() {
    let text = around("const A = [1, B, -0.25] const B = 1.50 const C = len(A) const D = -A[1]");
    let design = design(&text);
    let shown = |(name, values): &(String, Decimals)| {
        let numbers: Vec<String> = values.numbers().iter().map(ToString::to_string).collect();
        format!("{name} = {}", numbers.join(" "))
    };
    let decimals: Vec<String> = design.decimals.iter().map(shown).collect();
    assert_eq!(decimals, ["A = 1 1.5 -0.25", "B = 1.5", "D = -1.5"]);
    assert_eq!(design.constants.last(), Some(&("C".to_owned(), 3)));
}

#[test]
fn numbers_with_a_point_are_refused_where_whole_ones_are_needed() {
    let fault = |what: &str| {
        format!(
            "lower/wrong-kind: `{what}` has digits behind the point, where a whole number is needed [{what}]"
        )
    };
    let constants = "const H = 0.5 const T = [0.5, 1]";
    for (text, what) in [
        ("const A = 2 * 0.5", "0.5"),
        ("const A = min(H, 1)", "H"),
        ("const A = T[0] + 1", "T"),
        ("if H { }", "H"),
        ("for i in 0..1.5 { }", "1.5"),
        ("place w[0] at (0.5, 0)", "0.5"),
        ("kernel k(in x: window int32[H]) { source \"k.cc\" }", "H"),
        ("kernel k { source \"k.cc\" header \"k.h\" template (H) }", "0.5"),
    ] {
        let found = body(&format!("{constants} {text}"));
        let start = fault(what).split(" [").next().map(str::to_owned).unwrap_or_default();
        assert!(found.iter().any(|found| found.starts_with(&start)), "{text}: {found:?}");
    }
    let long = body("const A = 1e-99");
    assert!(long[0].starts_with("lower/bad-value: `1e-99` has too many digits"), "{long:?}");
    let whole = body("kernel k(in x: window int32[1e3]) { source \"k.cc\" }");
    let wanted = "lower/wrong-kind: `1e3` is a number of type float, where a whole number is needed";
    assert!(whole.iter().any(|found| found.starts_with(wanted)), "{whole:?}");
    let typed = body("kernel k { source \"k.cc\" header \"k.h\" arguments (1.5 as int16) }");
    assert!(typed[0].starts_with("lower/wrong-kind: a number with digits behind the point is no int16"));
}

#[test]
fn what_is_no_table_or_outside_of_one_is_refused() {
    let tables = |text: &str| body(&format!("const T = [1, 2] const N = 1 {text}"));
    assert_eq!(
        tables("const A = T"),
        ["lower/wrong-kind: `T` is a table of constants, where a number is needed [T]"]
    );
    assert_eq!(
        tables("const A = N[0]"),
        ["lower/wrong-kind: `N` is a constant, where a table of constants is needed [N]"]
    );
    assert_eq!(
        tables("const A = len(U)"),
        ["lower/unknown-name: there is no table of constants called `U` [U]"]
    );
    assert_eq!(
        tables("const A = T[N * 2]"),
        ["lower/index-out-of-range: `T` has 2 numbers, and none at index 2 [N * 2]"]
    );
    assert_eq!(
        faults_with(&around("const T = [1, 2]"), &[("T", 3)]),
        ["input/bad-define: -D T: `T` is a table of constants, not a number"]
    );
    assert_eq!(
        body("const T = [T[0], 1]"),
        ["lower/cyclic-constant: constants are defined by each other: `T` -> `T` [T]"]
    );
}

/// The initial values of the only parameter of the host.
fn initial(constant: &str, values: &str) -> Vec<String> {
    let text = format!(
        "{constant} kernel k(in taps: parameter float[3] async, in x: window int32[8], out y: window int32[8]) {{
             source \"k.cc\"
         }}
         input taps from host initial {values} connect taps -> k.taps"
    );
    let whole = expanded(&around(&text));
    whole.parameters.iter().flat_map(|host| &host.values.initial).map(ToString::to_string).collect()
}

#[test]
fn a_table_gives_the_initial_values_of_a_parameter() {
    for table in ["[3, -9, 11]", "[0.5, -0.25, 4.0]"] {
        let listed = initial("", table);
        assert_eq!(listed.len(), 3);
        assert_eq!(initial(&format!("const T = {table}"), "T"), listed);
    }
}

#[test]
fn extents_and_sizes_of_one_constant_are_one_fault() {
    let found =
        body("const N = 9000000000 kernel k[N](out y: window int32[N]) { source \"k.cc\" stack N KiB }");
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].starts_with("lower/too-many-instances"), "{found:?}");
}

#[test]
fn a_table_without_its_file_is_refused() {
    let found = body("const T = from \"t.txt\"");
    assert!(found[0].starts_with("lower/table-file: the table in \"t.txt\" cannot be read"), "{found:?}");
}

#[test]
fn a_step_takes_every_nth_index() {
    let selected = |index: &str| {
        let text = around(&format!("connect w[{index}].y -> w[{index}].x"));
        let graph = design(&text).graph;
        let from: Vec<&Selection> = graph.edge_weights().flat_map(|link| &link.from).collect();
        from[0].instances.clone()
    };
    assert_eq!(selected("0..8 step 2"), [0, 2, 4, 6]);
    assert_eq!(selected("1..8 step 3"), [1, 4, 7]);
    assert_eq!(selected(".. step 5"), [0, 5]);
    assert_eq!(selected("..3 step 100"), [0]);
    assert_eq!(selected("6.. step 4294967295"), [6]);
    assert_eq!(body("connect w[0..8 step 0].y -> w.x"), ["lower/bad-value: the step of a range is 0 [0]"]);
}

#[test]
fn three_extents_are_counted_row_by_row() {
    let names = kernels("design d device toy kernel k[2][1][2] { source \"k.cc\" }");
    assert_eq!(names, ["k[0][0][0]", "k[0][0][1]", "k[1][0][0]", "k[1][0][1]"]);
}

#[test]
fn collectives_know_the_indices_of_their_kernels() {
    let text = |group: &str, formula: &str| {
        format!(
            "design d device toy kernel m[r: 2][c: 3] {{ source \"m.cc\" }} kernel n[c: 2] {{ source \"n.cc\" }}
             reduce t over {group} {{ op sum data int32[8] reference {formula} }}"
        )
    };
    let values = |group: &str, formula: &str| -> Vec<i64> {
        let design = design(&text(group, formula));
        let collective = design.collectives.iter().next().expect("one");
        let formula = collective.reference.as_ref().expect("a formula");
        (0..collective.group.len()).map(|rank| formula.eval(rank as i64, 0, 0).expect("a value")).collect()
    };
    assert_eq!(values("m", "10 * r + c"), [0, 1, 2, 10, 11, 12]);
    assert_eq!(values("m[1][.. step 2], m[0][1]", "10 * r + c + 100 * rank"), [10, 112, 201]);
    assert_eq!(values("m[0][..], n", "c"), [0, 1, 2, 0, 1]);
    assert_eq!(
        faults(&text("m, n", "r")),
        ["lower/unknown-name: there is no constant called `r` [r]"],
        "n has no index r"
    );
}

#[test]
fn indices_are_new_names() {
    assert_eq!(
        body("kernel k[w: 2] { source \"k.cc\" }"),
        ["lower/duplicate-name: `w` is declared twice [w]"]
    );
    assert_eq!(
        body("kernel k[r: 2][r: 2] { source \"k.cc\" }"),
        ["lower/duplicate-name: `r` is declared twice [r]"]
    );
    let element = "kernel k[i: 4] { source \"k.cc\" } gather all over k { data int32[4] counts i + 1 }";
    assert_eq!(body(element), [""; 0], "`counts` has no element");
    let element = "kernel k[i: 4] { source \"k.cc\" } reduce all over k { op sum data int32[4] reference i }";
    assert_eq!(
        body(element),
        [
            "lower/duplicate-name: `i` has two meanings: the element of the data, and an index of a kernel family [i]"
        ]
    );
}
