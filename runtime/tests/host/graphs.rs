//! Designs of the sizes people have: reduction trees over ranks, chains as long as a device.

use serde_json::{Value, json};

use crate::bench::{Case, Run};

/// Sums over ranks 0 to 62 of the rank and of its square, once and twice.
const TREE_SUMS: &str = "1953\n81375\n3906\n162750\n";

fn tree() -> Run {
    Case::linked(&["tree", "tree_kernels"], &[]).run()
}

#[test]
#[ignore = "long: compiles a program of its own"]
fn sixty_three_ranked_kernel_objects_reduce_over_a_tree() {
    let run = tree();
    run.assert_clean();
    assert_eq!(run.stdout, TREE_SUMS);
    assert_eq!(run.events.last(), Some(&json!({"event": "end", "firings": 63})));
}

#[test]
#[ignore = "long: compiles a program of its own"]
fn every_contribution_is_recorded_with_its_rank_and_call() {
    let events = tree().events;
    let (end, contributions) = events.split_last().expect("there are events");
    assert_eq!(end["event"], "end");
    assert_eq!(contributions.len(), 2 * 63);
    for rank in 0..63 {
        let of_rank: Vec<&Value> = contributions.iter().filter(|event| event["rank"] == rank).collect();
        let expected = [1, 2].map(|call| {
            let values = [call * rank, call * rank * rank];
            json!({"event": "contribution", "collective": "total", "rank": rank, "call": call - 1, "values": values})
        });
        assert_eq!(of_rank, expected.iter().collect::<Vec<_>>());
    }
}

#[test]
#[ignore = "long: compiles a program of its own"]
fn the_graph_side_is_also_cpp17() {
    let run = Case::with(&["tree", "tree_kernels"], &["-std=c++17"]).run();
    run.assert_clean();
    assert_eq!(run.stdout, TREE_SUMS);
}

#[test]
#[ignore = "long: compiles a program of its own"]
fn two_runs_are_the_same_to_the_byte() {
    assert_eq!(tree(), tree());
}

#[test]
#[ignore = "long: compiles a program of its own"]
fn four_hundred_kernels_in_a_chain() {
    let case = Case::new("chain");
    let input: Vec<String> = (0..800).map(|i| i.to_string()).collect();
    case.input("in.txt", &input.join(" "));
    let run = case.run();
    run.assert_clean();
    assert_eq!(run.events, [json!({"event": "end", "firings": 400 * 100})]);
    let expected: String = (0..800).map(|i| format!("{}\n", i + 400)).collect();
    assert_eq!(case.output("out.txt"), expected);
}

// Memory of a run: a stack of 256 KiB for the host above the declared one, half a MiB of
// inaccessible addresses below it, and for each buffer its pages and one inaccessible page.
#[test]
#[ignore = "long: compiles a program of its own"]
fn the_memory_of_a_kernel_is_bounded_and_reported() {
    let case = Case::new("chain");
    case.input("in.txt", &vec!["1"; 800].join(" "));
    let (largest, all) = case.run().memory.expect("the end event has it");
    assert!((768 * 1024..816 * 1024).contains(&largest), "{largest}");
    assert!(all <= 400 * largest);
}

#[test]
#[ignore = "long: compiles a program of its own"]
fn a_deadlock_of_many_kernels_is_short_to_read_and_complete_in_the_events() {
    let case = Case::new("chain");
    case.input("in.txt", "1 2 3");
    let run = case.run();
    run.assert_fails("in.txt needs 800 values for 100 iterations, found 3");
    run.assert_fails("and 380 more");
    assert!(run.stderr.lines().count() < 30);
    assert_eq!(run.events[0]["blocked"].as_array().map(Vec::len), Some(400));
}

#[test]
#[ignore = "long: compiles a program of its own"]
fn the_aie_api_computes_what_it_says() {
    let run = Case::new("aie_api").run();
    assert_eq!((run.code, run.stdout.as_str()), (0, ""));
}

// The vectors and pointers of a graph hold its sub-graphs. A graph without an owner is separate.
#[test]
#[ignore = "long: compiles a program of its own"]
fn a_graph_runs_the_kernels_that_its_vectors_and_pointers_hold_and_no_others() {
    let case = Case::new("heap_graphs");
    case.input("in.txt", "1 2 3 4 5 6 7 8 9 10 11 12");
    let run = case.run();
    run.assert_clean();
    assert_eq!(run.events, [json!({"event": "end", "firings": 4 + 3})]);
    let lines = |lane: u32| case.output(&format!("out{lane}.txt")).lines().count();
    assert_eq!((0..5).map(lines).collect::<Vec<_>>(), [4, 4, 4, 4, 12]);
}
