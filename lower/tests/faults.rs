//! Refused designs, with message and place. `faults.txt` has one design per fault; what no line of
//! text can show is here.

use crate::common::{self, around, faults, faults_with};

/// The faults of a body put into the design of `around`.
fn body(text: &str) -> Vec<String> {
    faults(&around(text))
}

/// Fails unless `text` as a body has one fault, with this slug. Returns the fault.
#[track_caller]
fn only(slug: &str, text: &str) -> String {
    let found = body(text);
    assert!(found.len() == 1 && found[0].starts_with(slug), "{text}: {found:?}");
    found.concat()
}

/// The help of the first fault of a body.
fn help(text: &str) -> String {
    common::lowered_with(&around(text), &[]).diagnostics()[0].help.clone()
}

#[test]
fn each_design_has_exactly_its_faults() {
    let cases = include_str!("faults.txt").split("\n\n").filter(|case| !case.starts_with(['#', '/']));
    for case in cases {
        let (wanted, text): (Vec<&str>, Vec<&str>) = case.lines().partition(|line| line.starts_with("    "));
        let wanted: Vec<&str> = wanted.into_iter().map(str::trim_start).collect();
        assert_eq!(body(&text.join("\n")), wanted, "{case}");
    }
}

#[test]
fn help_names_what_fits_there() {
    let reduce = "reduce r over w { op sum data int32[8] }\n";
    assert_eq!(help(&format!("{reduce}connect r -> sum")), "write `r.result` or `r.cycles`");
    // Only ports of the right direction.
    assert_eq!(help("connect samples -> one.yy"), "the ports that fit here are `x`");
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
fn constants_may_refer_forward_but_not_in_circles() {
    let design =
        common::design(&around("const A = B * 2 const B = C + 1 const C = min(7, 3, 5) - max(1, -2)"));
    assert_eq!(design.constants, [("A".to_owned(), 6), ("B".to_owned(), 3), ("C".to_owned(), 2)]);
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
    assert_eq!(body("ports window ports buffer").len(), 1, "only once");
    assert_eq!(
        body("kernel k(in a: window int8[9223372036854775807 MiB]) { source \"k.cc\" }").len(),
        1,
        "the product does not overflow"
    );
    for property in ["shape tree arity 0", "calls 0", "window int32[0]"] {
        only("lower/bad-value", &format!("reduce r over w {{ op sum data int32[8] {property} }}"));
    }
}

#[test]
fn huge_designs_are_refused_at_once() {
    for dims in ["[1000000000]", "[9223372036854775807][9223372036854775807]", "[16384]", "[200][200]"] {
        only("lower/too-many-instances", &format!("kernel k{dims} {{ source \"k.cc\" }}"));
    }
    for text in [
        "for i in 0..1000000000000 { }",
        "for i in -9223372036854775807..9223372036854775807 { }",
        "for i in 0..60000 { for j in 0..60000 { place one at (i, j) } }",
        "const N = 5000 for i in 0..60 { for j in 0..60 { connect one.y -> huge.x } } kernel huge[N](in x: window int32[8]) { source \"h.cc\" }",
    ] {
        only("lower/too-many-instances", text);
    }
    let group = vec!["k"; 2000].join(", ");
    let reduce = format!("reduce r over {group} {{ op sum data int32[8] }}");
    only("lower/too-many-instances", &format!("kernel k[16000] {{ source \"k.cc\" }} {reduce}"));
}

#[test]
fn names_must_be_free_in_cpp() {
    for (text, name) in [
        ("kernel class { source \"k.cc\" }", "class"),
        ("kernel a__b { source \"k.cc\" }", "a__b"),
        ("kernel main { source \"k.cc\" }", "main"),
        ("kernel abs { source \"k.cc\" }", "abs"),
        ("kernel k(in int: window int32[8]) { source \"k.cc\" }", "int"),
        ("input graph from gmio", "graph"),
        ("reduce comm over w { op sum data int32[8] }", "comm"),
    ] {
        let found = only("lower/bad-identifier", text);
        assert!(found.ends_with(&format!("[{name}]")), "{found}");
    }
}

#[test]
fn generated_names_do_not_collide() {
    let reduce = "reduce t over k { op sum data int32[8] }";
    for port in ["t_in0", "t_out0", "t_result", "t_cycles"] {
        let kernel = format!("kernel k[2](in {port}: window int32[8]) {{ source \"k.cc\" }}");
        only("lower/bad-identifier", &format!("{kernel} {reduce}"));
    }
    only("lower/bad-identifier", "kernel k(in a_0: stream int32, in a[2]: stream int32) { source \"k.cc\" }");
    let kernels = "kernel k[2] { source \"k.cc\" } kernel k_leaf { source \"l.cc\" }";
    only("lower/bad-identifier", &format!("{kernels} {reduce}"));
}

#[test]
fn paths_stay_inside_the_project() {
    for path in ["", "/etc/passwd", "../in.txt", "data/../../in.txt", "data\\\\in.txt", "data/"] {
        only("lower/bad-value", &format!("input a from plio(64, \"{path}\")"));
    }
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
}

#[test]
fn what_runs_and_moves_has_limits() {
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
