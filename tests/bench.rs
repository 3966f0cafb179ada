//! `aiec bench`: durations of calls from logs of the host program, and from the event model.
use aiec_tests::{Ran, aiec, aiec_on, path};
use serde_json::Value;

/// The reduction that the thesis measured, with seven ranks and windows of 16 bytes.
const TREE: &str = "design tree
device xcvc1902
kernel worker[7] { source \"worker.cc\" }
reduce total over worker {
    op     sum
    data   int32[4]
    window int32[4]
    root   worker[0]
    shape  tree arity 2
    style  scalar
    calls  8
    cycles int64[8]
}
kernel timer(out y: window int32[3]) { source \"timer.cc\" }
output sum to gmio
output cycles to gmio
output mine to gmio
connect timer.y -> mine
connect total.result -> sum
connect total.cycles -> cycles
";

/// Two runs of the host program, and one with a wrong output.
const LOG: &str = r#"{"format":"aiec-bench","version":1,"design":"tree","iterations":1,"seconds":0.002,"right":true,"counts":{"cycles":[[1246,729,729,729,729,731,729,729]]}}
{"format":"aiec-bench","version":1,"design":"tree","iterations":1,"seconds":0.003,"right":true,"counts":{"cycles":[[1247,729,729,729,729,729,729,729]],"mine":[[5,4,4],[9,2,2]]}}
{"format":"aiec-bench","version":1,"design":"tree","iterations":1,"seconds":9,"right":false,"counts":{"cycles":[[1,1,1,1,1,1,1,1]]}}
"#;

fn bench(log: &str, extra: &[&str]) -> Ran {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let path = folder.path().join("bench.log");
    #[allow(clippy::disallowed_methods, reason = "tests prepare files")]
    std::fs::write(&path, log).expect("writable");
    let path = path.display().to_string();
    aiec_on("bench", TREE, &[], &[&["--read", &path, "--effort", "1"], extra].concat())
}

#[track_caller]
fn figures(ran: &Ran) -> Value {
    assert_eq!(ran.status, 0, "{}{}", ran.out, ran.err);
    serde_json::from_str(&ran.out).expect("JSON and nothing else")
}

fn near(found: &Value, expected: f64, part: f64) -> bool {
    found.as_f64().is_some_and(|found| (found / expected - 1.0).abs() <= part)
}

#[test]
fn without_a_log_the_event_model_gives_the_times_of_the_thesis() {
    let report = figures(&aiec_on("bench", TREE, &[], &["--json", "--effort", "1"]));
    assert_eq!(report["profile"], "vck190-thesis");
    let figures = report["figures"].as_array().expect("figures");
    let [first, further, whole] = &figures[..] else { panic!("{report:#}") };
    assert_eq!((&first["what"], &further["what"]), (&"first-call".into(), &"further-calls".into()));
    assert_eq!((&first["of"], &first["basis"]), (&"cycles".into(), &"measured".into()));
    // Table 4.2: L = 3, WS = 16.
    assert!(near(&first["predicted"]["median"], 1246.5, 0.03), "{first:#}");
    assert!(near(&further["predicted"]["median"], 729.0, 0.01), "{further:#}");
    assert_eq!((&further["predicted"]["values"], &first["measured"]), (&7.into(), &Value::Null));
    assert_eq!((&whole["what"], &whole["basis"]), (&"whole-run".into(), &"unmeasured".into()));
}

#[test]
fn the_first_call_of_each_start_is_apart_from_those_that_follow_it() {
    let report = figures(&bench(LOG, &["--json"]));
    let figures = report["figures"].as_array().expect("figures");
    let [first, further, mine, later, whole] = &figures[..] else { panic!("{report:#}") };
    assert_eq!((&report["runs"], &report["wrong_runs"]), (&2.into(), &1.into()));
    assert_eq!((&first["measured"]["values"], &first["measured"]["median"]), (&2.into(), &1246.5.into()));
    assert!(first["error"].as_f64().is_some_and(|error| error.abs() < 0.03), "{first:#}");
    let measured = &further["measured"];
    assert_eq!(
        (&measured["values"], &measured["median"], &measured["most"]),
        (&14.into(), &729.0.into(), &731.0.into())
    );
    assert_eq!((&measured["lower"], &measured["upper"]), (&729.0.into(), &729.0.into()));
    // An output of the user: the first of each iteration but the first is in neither figure.
    assert_eq!((&mine["measured"]["values"], &mine["measured"]["median"]), (&1.into(), &5.0.into()));
    assert_eq!((&later["measured"]["values"], &later["measured"]["median"]), (&4.into(), &3.0.into()));
    assert_eq!((&mine["predicted"], &mine["basis"]), (&Value::Null, &Value::Null));
    // 2 and 3 ms at 1250 MHz, without an error: the host's clock is no measure of the model.
    assert_eq!((&whole["measured"]["median"], &whole["error"]), (&3_125_000.0.into(), &Value::Null));
}

/// Four ranks, three calls: each rank enters and leaves each call.
#[test]
fn a_barrier_shows_all_its_ranks_and_so_do_outputs_of_a_family() {
    let design = "design tree\ndevice xcvc1902\nkernel w[4](out y: window int64[3]) { source \"w.cc\" }\n\
                  barrier done over w { calls 3 }\noutput y[4] to gmio\nconnect w.y -> y\n";
    let folder = tempfile::tempdir().expect("a temporary directory");
    let path = folder.path().join("bench.log");
    let counts: Vec<String> = (0..4).map(|rank| format!("\"y[{rank}]\":[[{rank},5,{}]]", 5 + rank)).collect();
    let log = format!(
        "{{\"format\":\"aiec-bench\",\"version\":1,\"design\":\"tree\",\"iterations\":1,\"seconds\":1,\"right\":true,\"counts\":{{{}}}}}\n",
        counts.join(",")
    );
    #[allow(clippy::disallowed_methods, reason = "tests prepare files")]
    std::fs::write(&path, log).expect("writable");
    let path = path.display().to_string();
    let report = figures(&aiec_on("bench", design, &[], &["--read", &path, "--json", "--effort", "1"]));
    let figures = report["figures"].as_array().expect("figures");
    let figure = |of: &str, what: &str| {
        let found = figures.iter().find(|figure| figure["of"] == of && figure["what"] == what);
        found.unwrap_or_else(|| panic!("{of} {what} in {report:#}"))
    };
    for what in ["entered", "left"] {
        assert_eq!(figure("done", what)["predicted"]["values"], 12, "{report:#}");
    }
    assert!(figure("done", "left")["predicted"]["least"].as_f64().is_some_and(|least| least > 0.0));
    let first = &figure("y, all", "first-call")["measured"];
    assert_eq!((&first["values"], &first["median"]), (&4.into(), &1.5.into()));
    let further = &figure("y, all", "further-calls")["measured"];
    assert_eq!((&further["values"], &further["most"]), (&8.into(), &8.0.into()));
    assert_eq!(figure("y[2]", "first-call")["measured"]["median"], 2.0);
}

#[test]
fn the_table_names_profile_basis_and_what_is_left_out() {
    let ran = bench(LOG, &[]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    for part in [
        "tree on xcvc1902: 2 runs, in array cycles (1250 MHz), beside the event model with profile vck190-thesis",
        "cycles, first call ",
        "1246.5",
        "measured form",
        "left out: 1 run with a wrong output",
        "which no model predicts",
        "profile vck190-thesis: VCK190 measurements",
    ] {
        assert!(ran.out.contains(part), "expected `{part}` in\n{}", ran.out);
    }
}

/// A host program that is killed leaves the start of a line.
#[test]
fn a_last_line_that_is_cut_off_is_left_out_with_a_note() {
    let line = LOG.lines().next().expect("a line");
    let cut = format!("{line}\n{}", &line[..line.len() / 2]);
    let report = figures(&bench(&cut, &["--json"]));
    assert_eq!((&report["runs"], report["cut_off"].as_array().map(Vec::len)), (&1.into(), Some(1)));
    let ran = bench(&cut, &[]);
    assert!(ran.status == 0 && ran.out.contains("left out: the last line of"), "{}", ran.out);
    // A line in the middle, and one that ends, is a fault as before.
    for log in [format!("{}\n{line}\n", &line[..40]), format!("{line}\n{}\n", &line[..40])] {
        assert!(bench(&log, &[]).err.contains("input/bad-log"), "{log}");
    }
    assert!(bench(&line[..40], &[]).words().contains("the log holds no run"));
}

#[test]
fn a_log_that_proves_nothing_is_refused_with_its_line() {
    let line = LOG.lines().next().expect("a line");
    for (log, reason) in [
        (String::new(), "the log holds no run"),
        (format!("{line}\ncycles: 8 calls\n"), "expected value"),
        (line.replace("\"tree\"", "\"other\""), "the run is of the design other, not of tree"),
        (line.replace("\"version\":1", "\"version\":2"), "this is format aiec-bench 2, not aiec-bench 1"),
        (line.replace("\"right\":true", "\"right\":false"), "every run so far had a wrong output"),
        (line.replace("0.002", "-1"), "the duration is negative"),
        (
            line.replace("\"iterations\":1", "\"iterations\":3"),
            "3 iterations of the graph, and the design has 1",
        ),
        (line.replace("729,729]]", "729]]"), "it has 7 counts of `cycles` for the 8 calls of a firing"),
        (
            line.replace("729]]", "729],[]]"),
            "it has 2 lists of counts of `cycles`, and its kernel fires 1 times",
        ),
        (line.replace("1246", "-1246"), "a duration of `cycles` is negative: -1246"),
        (line.replace("\"cycles\"", "\"mine\""), "it has no counts of `cycles`"),
        (line.replace("]]}", "]],\"yours\":[[1]]}"), "the design has no output `yours`"),
    ] {
        let ran = bench(&log, &[]);
        assert_eq!(ran.status, 1, "{}", ran.out);
        assert!(ran.err.contains("input/bad-log") && ran.words().contains(reason), "{}", ran.err);
        assert!(ran.out.is_empty(), "{}", ran.out);
    }
}

/// The commands of `examples/thesis/run.sh`, with its results in `out`.
#[allow(clippy::disallowed_methods, reason = "the test reads an example")]
fn commands(out: &str) -> Vec<Vec<String>> {
    let here = path("examples/thesis");
    let script = std::fs::read_to_string(format!("{here}/run.sh")).expect("it is there");
    let command = |line: &str| {
        let line = line.strip_prefix("\"$aiec\" ")?.replace("$here", &here).replace("$out", out);
        Some(line.replace('"', "").split_whitespace().map(str::to_owned).collect())
    };
    script.lines().filter_map(command).collect()
}

/// The largest error of a model in a column of `table.json`, and the number of its rows.
fn largest(folder: &str, column: usize, model: &str) -> (f64, usize) {
    #[allow(clippy::disallowed_methods, reason = "the test reads results")]
    let text = std::fs::read_to_string(format!("{folder}/table.json")).expect("it was written");
    let table: Value = serde_json::from_str(&text).expect("JSON");
    let rows = table["rows"].as_array().expect("rows").iter();
    let errors: Vec<f64> =
        rows.filter_map(|row| row["figures"][column][model].as_f64()).map(f64::abs).collect();
    (errors.iter().copied().fold(0.0, f64::max), errors.len())
}

#[test]
#[ignore = "long: places and times 41 designs"]
#[allow(clippy::disallowed_methods, reason = "the test reads results and documents")]
fn one_script_makes_the_tables_of_the_thesis_with_the_errors_that_the_documents_state() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let out = folder.path().display().to_string();
    let commands = commands(&out);
    assert_eq!(commands.len(), 3);
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let documented = words(&std::fs::read_to_string(path("docs/bench.md")).expect("it is there"));
    for command in &commands {
        let ran = aiec(command);
        assert_eq!(ran.status, 0, "{}", ran.err);
        let summaries: Vec<&str> = ran.out.lines().filter(|line| line.contains(" off by at most ")).collect();
        assert!(!summaries.is_empty(), "{}", ran.out);
        for line in summaries {
            assert!(documented.contains(&words(line)), "docs/bench.md does not state: {line}");
        }
    }
    let table = |name: &str| format!("{out}/{name}");
    let (error, rows) = largest(&table("table_3_1"), 0, "error");
    assert!(rows == 7 && error < 0.01, "table 3.1: {error} in {rows} rows");
    for column in [0, 1] {
        for model in ["error", "closed_form_error"] {
            let (error, rows) = largest(&table("table_4_2"), column, model);
            assert!(
                rows == 17 && error < 0.04,
                "table 4.2, column {column}, {model}: {error} in {rows} rows"
            );
        }
    }
    // The first model of the thesis underestimates, by 31.8 and 27.7 % at most (Table 4.1).
    for (column, percent) in [(0, 31.8), (1, 27.7)] {
        let (error, rows) = largest(&table("table_4_1"), column, "closed_form_error");
        assert!(
            rows == 17 && (100.0 * error - percent).abs() < 0.1,
            "table 4.1, column {column}: {error} in {rows} rows"
        );
    }
    let plots = ["first-cycles-by-L", "first-cycles-by-WS", "further-cycles-by-L", "further-cycles-by-WS"];
    for plot in plots {
        let svg = std::fs::read_to_string(format!("{out}/table_4_2/{plot}.svg")).expect(plot);
        assert!(svg.contains("measured") && svg.contains("predicted"), "{plot}");
    }
    assert!(std::fs::read_to_string(format!("{out}/table_3_1/latency-a-there-by-D.svg")).is_ok());
}

#[test]
fn a_table_of_another_design_is_refused_with_its_line() {
    for (table, reason) in [
        ("N,first:cycles\n7,1\n", "N"),
        ("CALLS,first:other\n2,1\n", "no output `other` of the cycles of a collective"),
        ("CALLS,first:cycles\n2,fast\n", "`first:cycles` is `fast`, which is no number"),
        ("CALLS,first:cycles\n2\n", "found record with 1 fields"),
        ("CALLS,first:cycles\n2,-3\n", "times are above 0"),
        ("CALLS\n2\n", "no column is a measure"),
        ("CALLS,first:cycles\n", "the table has no row"),
        ("CALLS,CALLS,first:cycles\n2,3,9\n", "the column `CALLS` is there twice"),
        ("CALLS,first:cycles,first:cycles\n2,3,9\n", "the column `first:cycles` is there twice"),
        ("CALLS,speed:cycles\n2,3\n", "`speed:cycles` is neither a constant nor a measure"),
    ] {
        let design = TREE.replace("calls  8", "calls  CALLS").replace("device", "const CALLS = 8\ndevice");
        let folder = tempfile::tempdir().expect("a temporary directory");
        let path = folder.path().join("t.csv");
        #[allow(clippy::disallowed_methods, reason = "tests prepare files")]
        std::fs::write(&path, table).expect("writable");
        let ran = aiec_on("bench", &design, &[], &["--table", &path.display().to_string(), "--effort", "1"]);
        assert_eq!(ran.status, 1, "{table}: {}", ran.out);
        assert!(ran.words().contains(reason), "{table}: {}", ran.err);
        assert!(ran.out.is_empty(), "{}", ran.out);
    }
}

/// The table with this text beside measurements of the tree.
#[track_caller]
fn table(text: &str) -> String {
    let design = TREE.replace("worker[7]", "worker[N]").replace("device", "const N = 7\ndevice");
    let folder = tempfile::tempdir().expect("a temporary directory");
    let path = folder.path().join("t.csv");
    #[allow(clippy::disallowed_methods, reason = "tests prepare files")]
    std::fs::write(&path, text).expect("writable");
    let ran = aiec_on("bench", &design, &[], &["--table", &path.display().to_string(), "--effort", "1"]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    ran.out
}

#[test]
fn a_table_whose_rows_are_all_refused_names_no_device() {
    let refused = table("N,first:cycles\n0,9\n");
    assert!(refused.contains(" measured, and predicted") && !refused.contains(" on "), "{refused}");
    let one = table("N,first:cycles\n7,1246\n");
    assert!(one.contains(" on xcvc1902: ") && one.contains("on average (1 row)"), "{one}");
}

#[test]
fn a_design_without_figures_says_why_and_has_no_table() {
    let design = "design d\ndevice toy\n\
                  kernel a(in x: window int32[16], out y: window int32[16]) { source \"a.cc\" }\n\
                  kernel b(in x: window int32[16], out y: window int32[16]) { source \"b.cc\" }\n\
                  input i from gmio\noutput o to gmio\nconnect i -> a.x\nconnect a.y -> async b.x\nconnect b.y -> o\n";
    let ran = aiec_on("bench", design, &[], &["--effort", "1"]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert!(ran.out.contains("no figures: nothing was measured, and nothing is predicted"), "{}", ran.out);
    assert!(
        ran.out.contains("no predictions, since the kernel locks the windows of b.x itself"),
        "{}",
        ran.out
    );
    assert!(!ran.out.contains("median") && !ran.out.contains("quartile"), "{}", ran.out);
}
