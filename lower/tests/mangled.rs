//! For any input, lowering and expansion end soon, with a design or an error, never with a panic.

use aiec_lower::expand;
use proptest::prelude::*;

use crate::common;

const SAMPLE: &str = "design d device xcvc1902 iterations 2
const N = 4 const M = N * 2 const T = [3, N, -M]
assert (len(T) == 3) & (N < M) \"three\"
kernel w[N](in x: window int32[8], out y: window int32[32 B]) { source \"w.cc\" stack 2 KiB }
kernel pe[2][M](in x: window int32[8], out y: window int32[8]) { source \"pe.cc\" heap 1 KiB }
reduce t over w[1..], pe[0][..2] { op sum data int32[64] window int32[8] root w[N - 1] shape tree arity 3
  buffer single calls 2 cycles int64[2] reference rank * i - call }
input a[N] from plio(64, \"in_{}.txt\") output b to gmio output c to gmio
connect a -> async w.x
connect t.result -> b connect t.cycles -> c
for i in 0..N - 1 { connect w[i].y -> pe[1][i].x buffer single place w[i] at (i, 2) if T[i] != N { apart w[i], pe[.. step 2][0] } }
if N > 3 { kernel q[r: 2] { source \"q.cc\" } allgather blocks over q { data int32[8] reference r ^ i } } else { keepout (1, 1) }
";

/// Words that fit in many places, so that mangled designs often get past the grammar.
const WORDS: [&str; 24] = [
    "w",
    "pe",
    "t",
    "a",
    "b",
    "N",
    "M",
    "i",
    "rank",
    "0",
    "1",
    "4",
    "-1",
    "9223372036854775807",
    "1000000000",
    "..",
    "[0]",
    "[..]",
    ".x",
    ".y",
    ".result",
    "int64",
    "KiB",
    "async",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn words_can_be_replaced_by_others(
        changes in prop::collection::vec((any::<prop::sample::Index>(), prop::sample::select(&WORDS[..])), 1..4),
        value in prop::sample::select(vec![-1i64, 0, 1, 2, 3, 1_000_000_000, i64::MAX, i64::MIN]),
    ) {
        let tokens: Vec<&str> = SAMPLE.split_inclusive([' ', '[', ']', '(', ')', '.', ',', '\n']).collect();
        let mut tokens: Vec<String> = tokens.into_iter().map(str::to_owned).collect();
        for (at, word) in changes {
            let at = at.index(tokens.len());
            let end = tokens[at].pop().unwrap_or(' ');
            tokens[at] = format!("{word}{end}");
        }
        let outcome = common::lowered_with(&tokens.concat(), &[("N", value)]);
        let outcome = outcome.and_then(|design| expand(&design, &aiec_test_support::Plain));
        prop_assert_eq!(outcome.value().is_some(), outcome.diagnostics().is_empty());
    }
}

#[test]
fn the_sample_is_a_design() {
    assert_eq!(common::faults(SAMPLE), Vec::<String>::new());
}

#[test]
fn the_largest_designs_expand() {
    let text = "design d device xcvc1902
        kernel a[8000](out y: window int32[8]) { source \"a.cc\" }
        kernel b[8000](in x: window int32[8]) { source \"b.cc\" }
        reduce r over a { op sum data int32[8] }
        connect a.y -> b.x";
    let expanded = common::expanded(text);
    assert_eq!((expanded.kernels.len(), expanded.connections.len()), (16_000, 15_999));
}

#[test]
#[ignore = "long: lowers very long designs"]
fn long_designs_take_no_longer_than_they_must() {
    let mut text = common::around("");
    (0..20_000).for_each(|i| text.push_str(&format!("connect one.y -> w[{}].x // {i}\n", i % 8)));
    assert_eq!(common::expanded(&text).connections.len(), 20_000);
    let sources = common::sources(&text);
    let file = sources.get(aiec_diag::SourceId(0)).expect("added above");
    let outcome = aiec_dsl::parse(file);
    assert_eq!(aiec_dsl::print(file, outcome.value().expect("a design")), text);
}

#[test]
fn very_many_errors_are_not_all_looked_into() {
    for line in [
        "const A# = BB#\n",
        "kernel k#[BB#] { }\n",
        "connect v#.y -> w#.x\n",
        "reduce r# over v# { op sm }\n",
    ] {
        let mut text = common::around("");
        (0..20_000).for_each(|i| text.push_str(&line.replace('#', &i.to_string())));
        let count = common::faults(&text).len();
        assert!((200..210).contains(&count), "{count} for {line}");
    }
}
