//! The mode that counts what kernels execute.

use serde_json::json;

use crate::bench::Case;

#[test]
#[ignore = "long: compiles a program of its own"]
fn a_loop_counts_its_loads_products_and_stores_for_every_turn() {
    let case = Case::with(&["counts"], &["-std=c++20", aiec_runtime::TIMING]);
    case.input("data/in.txt", &"2\n".repeat(256));
    let run = case.run();
    assert!(run.code == 0 && case.output("out.txt").starts_with("10\n"), "{run:?}");
    let counts = run.events.iter().find(|event| event["event"] == "counts").expect("an event with counts");
    assert_eq!(counts["firings"], 2);
    let regions = counts["regions"].as_array().expect("a list");
    let in_loop = regions.iter().find(|region| region["line"] != 0).expect("the loop");
    // Three reads of memory, two products and a store in each of 16 turns, of two firings.
    assert_eq!((&in_loop["turns"], &in_loop["runs"]), (&json!(32), &json!(2)));
    assert_eq!(
        (&in_loop["load"], &in_loop["multiply"], &in_loop["store"]),
        (&json!(96), &json!(64), &json!(32))
    );
    assert_eq!(in_loop["products"]["int32 x int32"], 64);
    // Load 8, product 6, sum of the second product 1, shift 3: no iteration is shorter.
    let alone = in_loop["alone"].as_u64().expect("cycles");
    assert!(alone >= 32 * 18 && in_loop["chain"].as_u64() < Some(alone), "{in_loop}");
}
