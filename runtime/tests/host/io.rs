//! Data in and out: PLIO text files and GMIO memory.

use serde_json::json;

use crate::bench::Case;

fn numbers(range: std::ops::RangeInclusive<i64>) -> String {
    range.map(|i| i.to_string()).collect::<Vec<_>>().join(" ")
}

fn filled_pipeline() -> Case {
    let case = Case::new("pipeline");
    case.input("data/shorts.txt", &numbers(1..=48));
    case.input("data/complexes.txt", "1 -1\n2 -2\n".repeat(12).as_str());
    case.input("data/floats.txt", "0.25\n-1e-3\n".repeat(12).as_str());
    case.input("data/longs.txt", "1 2 3 4\nTLAST\n5 6 7 8 9\nTLAST\n10 11 9223372036854775807\n");
    case
}

#[test]
#[ignore = "long: compiles a program of its own"]
fn values_come_out_as_many_a_line_as_the_plio_is_wide() {
    let case = filled_pipeline();
    case.run().assert_clean();
    assert!(case.output("data/shorts.txt").starts_with("4 8 12 16\n20 24 28 32\n")); // 64 / 16 bits
    assert!(case.output("data/complexes.txt").starts_with("4 -4 8 -8\n4 -4 8 -8\n")); // two numbers a value
    assert!(case.output("data/floats.txt").starts_with("1 -0.00400000019 1 -0.00400000019\n"));
    assert_eq!(case.output("data/shorts.txt").lines().count(), 12);
}

#[test]
#[ignore = "long: compiles a program of its own"]
fn tlast_lines_are_no_data_and_integers_wrap() {
    let case = filled_pipeline();
    case.run().assert_clean();
    let longs = case.output("data/longs.txt");
    assert_eq!(longs, "4\n8\n12\n16\n20\n24\n28\n32\n36\n40\n44\n18446744073709551612\n");
}

#[test]
#[ignore = "long: compiles a program of its own"]
fn every_access_function_works_on_every_type() {
    let case = Case::new("windows");
    case.input("in.txt", &numbers(0..=31));
    case.run().assert_clean();
    let scalars = "0 1 2 3 4 5 6 7 8 9 10 11 0 1 15 14";
    assert_eq!(case.output("out0.txt"), format!("{scalars}\n"));
    for plain in ["out1.txt", "out2.txt", "out3.txt", "out5.txt", "out6.txt", "out7.txt", "out8.txt"] {
        assert_eq!(case.output(plain).split_whitespace().collect::<Vec<_>>().join(" "), scalars, "{plain}");
    }
    let pairs: Vec<String> = scalars
        .split(' ')
        .map(|n| n.parse::<u32>().expect("these are numbers"))
        .map(|n| format!("{} {}", 2 * n, 2 * n + 1))
        .collect();
    for complex in ["out9.txt", "out10.txt", "out11.txt"] {
        assert_eq!(
            case.output(complex).split_whitespace().collect::<Vec<_>>().join(" "),
            pairs.join(" "),
            "{complex}"
        );
    }
    assert!(case.output("hex.txt").starts_with("0x0000 0x0001 0x0002"));
}

#[test]
fn too_little_input_names_the_file_and_the_counts() {
    let case = Case::new("mistakes");
    case.input("data/in.txt", &numbers(1..=10));
    let run = case.run();
    run.assert_fails("data/in.txt needs 12 values for 3 iterations, found 10");
    assert_eq!(run.events.len(), 1);
    assert_eq!(run.events[0]["event"], "deadlock");
    assert_eq!(run.events[0]["input"], json!([{"file": "data/in.txt", "needed": 12, "found": 10}]));
    assert_eq!(case.output("out.txt").lines().count(), 8); // what could be computed was written
}

#[test]
fn more_input_than_needed_is_ignored() {
    let case = Case::new("mistakes");
    case.input("data/in.txt", &numbers(1..=100));
    case.run().assert_clean();
    assert_eq!(case.output("out.txt").lines().count(), 12);
}

#[test]
fn a_value_that_does_not_fit_names_file_and_line() {
    let case = Case::new("mistakes");
    case.input("data/in.txt", "1 2\n3 4294967296\n");
    case.run().assert_fails("data/in.txt:2: \"4294967296\" does not fit int32");
    case.input("data/in.txt", "1 2\n3 4.5\n");
    let float = "is a float, but int32 is read here: write";
    let bits = "for the bits of the float";
    case.run().assert_fails(&format!("data/in.txt:2: \"4.5\" {float} a whole number, or 1083179008 {bits}"));
    case.input("data/in.txt", "2\n50.0\n3\n");
    case.run().assert_fails(&format!("data/in.txt:2: \"50.0\" {float} 50, or 1112014848 {bits}"));
    case.input("data/in.txt", "1\n2\n3 x\n");
    case.run().assert_fails("data/in.txt:3: \"x\" is no number");
}

#[test]
fn a_missing_input_file_is_named() {
    Case::new("mistakes").run().assert_fails("cannot open data/in.txt");
}

#[test]
#[ignore = "long: compiles a program of its own"]
fn gmio_moves_bytes_in_transfers_of_any_size() {
    let run = Case::new("gmio").run();
    run.assert_clean();
    let expected: String = (0..12).map(|i| format!("-{i}.5\n")).collect();
    assert_eq!(run.stdout, expected);
}

#[test]
#[ignore = "long: compiles a program of its own"]
fn a_transfer_that_nothing_fills_is_a_deadlock() {
    let run = Case::new("gmio").run_with(&[("EXTRA", "1")]);
    run.assert_fails("GMIO results still has 16 bytes to move");
    assert_eq!(
        run.events,
        [json!({"event": "deadlock", "blocked": [], "gmio": [{"name": "results", "bytes": 16}]})]
    );
}

// UG1076, "CSV File Format": columns by name, repeated rows, pauses that a functional run has not.
#[test]
#[ignore = "long: compiles a program of its own"]
fn files_of_comma_separated_values_are_read_by_their_header() {
    let case = filled_pipeline();
    case.input("data/longs.txt", "CMD, D, TLAST, TKEEP, COMMENT\nDATA, 1, 0, -1, first\nDATA:3, 2, 0, -1\nSTALL:5\nDATA, 5, 1, -1\nDATA:7, 6, 0, -1\n");
    case.run().assert_clean();
    assert_eq!(case.output("data/longs.txt"), "4\n8\n8\n8\n20\n24\n24\n24\n24\n24\n24\n24\n");
}
