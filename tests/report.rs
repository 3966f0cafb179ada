//! Reports: the JSON follows `docs/report.schema.json`, the tables agree with it, and the counts
//! agree with each other.
#![allow(clippy::disallowed_methods, reason = "tests read the schema and what aiec wrote")]
#![allow(clippy::panic, reason = "a test fails by panicking")]

use crate::snapshot::assert_snapshot;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::sync::Mutex;

use aiec_tests::schema::faults;
use aiec_tests::{aiec, aiec_on, path, root};
use serde_json::Value;

/// Examples that build.
const EXAMPLES: [&str; 4] = ["reduce", "pipeline", "pingpong", "allports"];

/// The report on an example. Several tests look at it; it is made once.
fn report(example: &str) -> Value {
    static MADE: Mutex<BTreeMap<String, Value>> = Mutex::new(BTreeMap::new());
    let mut made = MADE.lock().expect("the other test says what is wrong with the report");
    let make = || {
        let ran = aiec(["report", "--json", &path(&format!("examples/{example}.dsl"))]);
        assert_eq!(ran.status, 0, "{}", ran.err);
        serde_json::from_str(&ran.out).expect("JSON")
    };
    made.entry(example.to_owned()).or_insert_with(make).clone()
}

fn schema() -> Value {
    let text = fs::read_to_string(path("docs/report.schema.json")).expect("the schema");
    serde_json::from_str(&text).expect("JSON")
}

#[test]
fn reports_of_all_examples_are_as_the_schema_says() {
    let schema = schema();
    for example in EXAMPLES {
        let faults = faults(&schema, &report(example), example);
        assert!(faults.is_empty(), "{faults:#?}");
    }
}

#[test]
#[ignore = "long: places many examples"]
fn the_answers_of_why_and_logp_are_as_the_schema_says() {
    answers_are_as_the_schema_says(&["pipeline", "pingpong"]);
}

#[test]
#[ignore = "long: changes a large example"]
fn the_answers_for_all_kinds_of_ports_are_as_the_schema_says() {
    answers_are_as_the_schema_says(&["allports"]);
}

fn answers_are_as_the_schema_says(examples: &[&str]) {
    let schema = schema();
    for example in examples {
        let design = path(&format!("examples/{example}.dsl"));
        let ran = aiec(["report", "--why", "--logp", "--json", "--effort", "1", &design]);
        assert_eq!(ran.status, 0, "{}", ran.err);
        let report: Value = serde_json::from_str(&ran.out).expect("JSON");
        assert!(report["why"].is_object() && report["logp"].is_object(), "{example}");
        let faults = faults(&schema, &report, example);
        assert!(faults.is_empty(), "{faults:#?}");
    }
}

#[test]
fn the_schema_tells_a_wrong_report_from_a_right_one() {
    let schema = schema();
    let right = report("pipeline");
    let spoil: [fn(&mut Value); 6] = [
        |r| r["version"] = 3.into(),
        |r| r["kernels"][0]["tile"] = "here".into(),
        |r| r["tiles"][0]["locks"]["used"] = (-1).into(),
        |r| r["others"]["windows"]["nets"] = "some".into(),
        |r| r["surprise"] = true.into(),
        |r| drop(r.as_object_mut().expect("an object").remove("cuts")),
    ];
    for (number, spoil) in spoil.iter().enumerate() {
        let mut wrong = right.clone();
        spoil(&mut wrong);
        assert!(!faults(&schema, &wrong, "report").is_empty(), "case {number}");
    }
}

#[test]
fn the_schema_allows_fields_of_later_versions() {
    fn open(schema: &Value) -> bool {
        match schema {
            Value::Object(fields) => {
                !fields.contains_key("additionalProperties") && fields.values().all(open)
            }
            Value::Array(items) => items.iter().all(open),
            _ => true,
        }
    }
    assert!(open(&schema()), "docs/report.md promises that new fields keep the version");
}

#[test]
#[ignore = "long: searches for a second"]
fn a_profile_decides_cycles_and_names_itself() {
    let cycles = |arguments: &[&str]| {
        let design = path("examples/reduce.dsl");
        let ran = aiec([&["report", &design, "--json"][..], arguments].concat());
        assert_eq!(ran.status, 0, "{}", ran.err);
        let report: Value = serde_json::from_str(&ran.out).expect("JSON");
        let estimate = &report["estimate"];
        let call = estimate["collectives"][0]["call_cycles"].as_f64().expect("a number");
        (estimate["profile"].as_str().map(str::to_owned), call)
    };
    let folder = tempfile::tempdir().expect("a temporary directory");
    let mine = folder.path().join("mine.toml");
    let printed = aiec(["profiles", "vck190-thesis"]);
    fs::write(&mine, printed.out.replace("acquire = 48", "acquire = 12")).expect("writable");
    let (name, call) = cycles(&[]);
    assert_eq!(name.as_deref(), Some("vck190-thesis"));
    let (name, initial) = cycles(&["--profile", "vck190-initial"]);
    assert_eq!(name.as_deref(), Some("vck190-initial"));
    let (_, own) = cycles(&["--profile", &mine.display().to_string()]);
    assert!(initial < call && own < call, "{call} cycles, initial {initial}, with faster locks {own}");
}

#[test]
fn a_file_that_is_no_profile_is_refused_with_its_line() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let mine = folder.path().join("mine.toml");
    let printed = aiec(["profiles", "vck190-thesis"]);
    for (wrong, reason) in
        [("aquire = 48", "unknown field `aquire`"), ("acquire = -1", "no less than 0 cycles")]
    {
        fs::write(&mine, printed.out.replace("acquire = 48", wrong)).expect("writable");
        let profile = mine.display().to_string();
        let ran = aiec(["check", &path("examples/reduce.dsl"), "--profile", &profile]);
        assert_eq!(ran.status, 1, "{wrong}");
        assert!(ran.words().contains(reason) && ran.err.contains("mine.toml"), "{}", ran.err);
    }
}

#[test]
fn a_trace_has_a_track_for_each_kernel_and_slices_with_times() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let file = folder.path().join("reduce.trace.json");
    let name = file.display().to_string();
    let ran = aiec(["report", &path("examples/reduce.dsl"), "--trace", &name]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert!(ran.out.contains("timing model: first result of"), "{}", ran.out);
    let trace: Value = serde_json::from_str(&fs::read_to_string(&file).expect("written")).expect("JSON");
    let events = trace["traceEvents"].as_array().expect("a list");
    let of = |phase: &str, group: u64| {
        events.iter().filter(move |event| event["ph"] == phase && event["pid"] == group).count()
    };
    assert_eq!(of("M", 1), 1 + 63, "the name of the group and of each kernel");
    assert!(of("X", 1) > 63 && of("X", 2) > 0, "work of kernels, and blocks on nets");
    for event in events.iter().filter(|event| event["ph"] == "X") {
        assert!(event["ts"].is_f64() && event["dur"].as_f64() > Some(0.0), "{event}");
    }
    // A second run replaces its own file.
    assert_eq!(aiec(["report", &path("examples/reduce.dsl"), "--trace", &name]).status, 0);
}

#[test]
fn a_report_writes_nothing() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let design = directory.path().join("a.dsl");
    fs::copy(path("examples/pipeline.dsl"), &design).expect("writable");
    fs::create_dir(directory.path().join("kernels")).expect("writable");
    for kernel in ["scale.cc", "bias.cc", "clip.cc"] {
        fs::copy(path(&format!("examples/kernels/{kernel}")), directory.path().join("kernels").join(kernel))
            .expect("writable");
    }
    assert_eq!(aiec(["report", &design.display().to_string()]).status, 0);
    assert_eq!(fs::read_dir(directory.path()).map(Iterator::count).ok(), Some(2));
}

/// The sum of `used` of a resource over all tiles.
fn sum(report: &Value, resource: &str) -> u64 {
    let tiles = report["tiles"].as_array().expect("a list");
    tiles.iter().filter_map(|tile| tile[resource]["used"].as_u64()).sum()
}

#[test]
fn tiles_add_up_to_the_totals_which_are_no_less_than_the_demand() {
    for example in EXAMPLES {
        let report = report(example);
        let demand = |name: &str| report["demand"][name].as_u64().expect("a number");
        for resource in ["locks", "bds", "s2mm", "mm2s"] {
            let used = report["totals"][resource]["used"].as_u64().expect("a number");
            assert_eq!(sum(&report, resource), used, "{example} {resource}");
            assert!(used >= demand(resource), "{example} {resource}");
        }
        let bytes = report["totals"]["bytes"]["used"].as_u64().expect("a number");
        assert_eq!(sum(&report, "bytes"), bytes, "{example}");
        assert!(bytes >= demand("window_bytes") + demand("system_bytes"), "{example}");
        for tile in report["tiles"].as_array().expect("a list") {
            let banks = tile["banks"].as_array().expect("a list").iter();
            let banks: u64 = banks.filter_map(|bank| bank["used"].as_u64()).sum();
            assert_eq!(Some(banks), tile["bytes"]["used"].as_u64(), "{example}: {}", tile["tile"]);
        }
    }
}

#[test]
#[ignore = "long: searches for a second"]
fn streams_cascades_and_packets_are_counted() {
    let count = |example: &str, part: &str| {
        let report = report(example);
        assert_eq!(faults(&schema(), &report, example), Vec::<String>::new());
        let amount = &report["totals"]["streams"][part];
        (amount["used"].as_u64().unwrap_or(0), amount["available"].as_u64().unwrap_or(0))
    };
    assert_eq!(count("ports/cascade_fir", "core_inputs"), (4, 800));
    assert_eq!(count("ports/cascade_fir", "cascades"), (3, 399));
    assert_eq!(count("ports/packets", "packet_ids"), (8, 32));
    assert!((1..=6).contains(&count("ports/packets", "arbiters").0));
    assert!(report("pipeline")["totals"]["streams"].is_null());
    let printed = aiec(["report", &path("examples/ports/packets.dsl")]).out;
    assert!(printed.lines().any(|line| line.trim_start().starts_with("packet ids  ")), "{printed}");
}

/// Pairs of inputs in one bank and in all, windows with ping and pong in one bank, blocks in two.
fn clashes(example: &str) -> [u64; 4] {
    let report = report(example);
    let of = |what: &str, field: &str| report["banks"][what][field].as_u64().expect("a number");
    [
        of("input_pairs", "clashing"),
        of("input_pairs", "all"),
        of("ping_pong", "clashing"),
        of("blocks", "clashing"),
    ]
}

// Inputs that clash: one from outside, another one, and those of links. x and y, which `dot`
// multiplies in one expression; x, a block and a partial sum in `matvec`.
#[test]
#[ignore = "long: places many examples"]
fn what_kernels_of_the_examples_read_together_lies_in_different_banks() {
    assert_eq!(clashes("collectives/dot"), [0, 24, 0, 0]);
    assert_eq!(clashes("collectives/matvec"), [0, 88, 0, 0]);
    for example in ["reduce", "pipeline", "pingpong", "allports"] {
        let [pairs, _, halves, blocks] = clashes(example);
        assert_eq!([pairs, blocks], [0; 2], "{example}");
        // Of the 62 windows of `reduce`, one at most has ping and pong in one bank.
        assert!(halves <= 1, "{example}: {halves}");
    }
}

#[test]
fn pairs_in_one_bank_and_what_lies_in_two_are_named_up_to_a_number() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let design = directory.path().join("full.dsl");
    let names: Vec<String> = (0..5).map(|at| format!("w{at}")).collect();
    let ports = |way: &str, bytes: u32| {
        let port = |name: &String| format!("{way} {name}: window int32[{}]", bytes / 4);
        names.iter().map(port).collect::<Vec<_>>().join(", ")
    };
    // Buffers of 5 KiB: ten to two modules, which have eight banks; everything else is kept out.
    let text = format!(
        "design full\ndevice toy\nkernel a({}) {{ source \"a.cc\" }}\nkernel b({}) {{ source \"b.cc\" }}\n\
         connect a.{{}} -> b.{{}}\nkeepout (1, 0) to (5, 3)\nkeepout (0, 2) to (0, 3)\n",
        ports("out", 5120),
        ports("in", 5120)
    );
    let connects: String = names.iter().map(|name| format!("connect a.{name} -> b.{name}\n")).collect();
    let text = text.replace("connect a.{} -> b.{}\n", &connects);
    fs::write(&design, text).expect("writable");
    for kernel in ["a.cc", "b.cc"] {
        fs::write(directory.path().join(kernel), "").expect("writable");
    }
    let design = design.display().to_string();
    let ran = aiec(["report", "--json", &design]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    let report: Value = serde_json::from_str(&ran.out).expect("JSON");
    let blocks = &report["banks"]["blocks"];
    assert_eq!(blocks["all"], 12, "{blocks}");
    assert!(blocks["clashing"].as_u64().is_some_and(|clashing| clashing >= 2), "{blocks}");
    assert_eq!(blocks["named"].as_array().map(Vec::len), blocks["clashing"].as_u64().map(|n| n as usize));
    let ran = aiec(["report", &design]);
    let line = ran.out.lines().find(|line| line.contains("buffers and stacks of at most a bank, in two"));
    assert!(
        line.is_some_and(|line| line.contains("buffer of `b.w") && line.contains(" bank ")),
        "{}",
        ran.out
    );
}

#[test]
fn collectives_other_windows_and_kernels_add_up_to_the_totals() {
    for example in EXAMPLES {
        let report = report(example);
        let collectives = report["collectives"].as_array().expect("a list").iter();
        let others = [&report["others"]["windows"], &report["others"]["kernels"]];
        let accounts: Vec<&Value> = collectives.map(|collective| &collective["uses"]).chain(others).collect();
        let charged = |resource: &str| -> u64 {
            accounts.iter().map(|account| account[resource].as_u64().expect("a number")).sum()
        };
        for resource in ["bytes", "locks", "bds", "s2mm", "mm2s"] {
            assert_eq!(charged(resource), sum(&report, resource), "{example} {resource}");
        }
        assert_eq!(Some(charged("nets")), report["totals"]["nets"].as_u64(), "{example} nets");
    }
}

/// Collectives of examples: buffers per window of the tree, connected outputs, bytes of each window
/// (that of the cycle counts is as large).
const COLLECTIVES: [(&str, usize, u64, u64, u64); 3] =
    [("reduce", 0, 2, 2, 4096), ("allports", 0, 2, 1, 256), ("allports", 1, 1, 1, 128)];

#[test]
fn a_collective_is_charged_for_its_tree_and_its_outputs_as_the_table_of_the_manual_says() {
    for (example, number, buffers, outputs, window) in COLLECTIVES {
        let report = report(example);
        let links = |kind: &str| report["estimate"]["collectives"][number][kind].as_u64().expect("a number");
        let (shared, routed) = (links("shared_links"), links("routed_links"));
        let stored = buffers * (shared + 2 * routed) + 2 * outputs;
        let expected = [
            ("bytes", window * stored),
            ("locks", stored),
            ("bds", 2 * buffers * routed + 2 * outputs),
            ("s2mm", routed),
            ("mm2s", routed + outputs),
            ("nets", routed + outputs),
        ];
        for (resource, expected) in expected {
            assert_eq!(report["collectives"][number]["uses"][resource], expected, "{example} {resource}");
        }
    }
}

#[test]
fn there_are_49_column_cuts_of_36_wires_each_way() {
    let report = report("reduce");
    let cuts = report["cuts"].as_array().expect("a list");
    for side in ["east", "west"] {
        let columns = cuts.iter().filter(|cut| cut["towards"] == side && cut["capacity"] == 36);
        assert_eq!(columns.count(), 49, "{side}");
    }
    let rows = |side: &str, wires: u64| {
        cuts.iter().filter(|cut| cut["towards"] == side && cut["capacity"] == wires).count()
    };
    assert_eq!((rows("north", 300), rows("south", 200)), (8, 8));
    let text = aiec(["report", "--cuts", &path("examples/reduce.dsl")]).out;
    let line = |name: &str| {
        let line = text.lines().find(|line| line.trim_start().starts_with(name));
        let line = line.and_then(|line| line.trim_start().strip_prefix(name));
        line.unwrap_or_else(|| panic!("no {name} in\n{text}")).split_whitespace().collect::<Vec<_>>()
    };
    let capacities = |name: &str| {
        let amounts = line(name).into_iter();
        amounts.map(|amount| amount.split_once('/').map_or(amount, |(_, of)| of)).collect::<Vec<_>>()
    };
    assert_eq!(capacities("column 0 "), ["36", "36", "-", "-"]);
    assert_eq!(capacities("column 8 "), ["36", "36", "36", "36"]);
    assert_eq!(capacities("column 49 "), ["-", "-", "36", "36"]);
    assert_eq!(capacities("shim row "), ["300", "300", "-", "-"]);
    assert_eq!(capacities("core row 0 "), ["300", "300", "200", "200"]);
}

#[test]
fn tables_of_a_fixed_placement() {
    let placement = path("tests/cases/projects/allports.placement.json");
    let ran = aiec(["report", &path("examples/allports.dsl"), "--placement", &placement]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert_snapshot("tests/cases/projects", "report", &ran.out);
}

/// A kernel with three parameters of the host.
const PARAMETERS: &str = "design three
device toy
iterations 2
kernel k(in a: parameter int32, in b: parameter int32[9] async, out c: parameter int16, out y: stream int32[4]) {
    source \"k.cc\"
}
input a from host
input b from host initial [1, 2, 3, 4, 5, 6, 7, 8, 9]
output c to host
output y to plio(32, \"y.txt\")
connect a -> k.a
connect b -> k.b
connect k.c -> c
connect k.y -> y
";

#[test]
fn a_parameter_of_the_host_takes_a_selector_word_and_a_third_lock() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let design = directory.path().join("three.dsl").display().to_string();
    fs::write(&design, PARAMETERS).expect("writable");
    fs::write(directory.path().join("k.cc"), "").expect("writable");
    let ran = aiec(["report", "--json", &design]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    let report: Value = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!(faults(&schema(), &report, "report"), Vec::<String>::new());
    let locks = |table: &Value| table["locks"].as_u64().expect("a number");
    let parameters = report["parameters"].as_array().expect("a list");
    assert_eq!(parameters.iter().map(locks).collect::<Vec<_>>(), [3, 3, 3]);
    let bytes: Vec<_> = parameters.iter().map(|one| one["bytes"].as_u64()).collect();
    assert_eq!(bytes, [Some(3 * 16), Some(2 * 48 + 16), Some(3 * 16)], "stored in steps of 16 bytes");
    let of_ports = report["kernels"][0]["ports"].as_array().expect("a list");
    let selected = of_ports.iter().filter(|port| port["selector"].is_object());
    assert_eq!(selected.filter(|port| port["buffers"].as_array().map(Vec::len) == Some(2)).count(), 3);
    assert_eq!(report["totals"]["locks"]["used"].as_u64(), Some(9));
    assert_eq!(report["demand"]["locks"].as_u64(), Some(9), "no placement needs fewer");
}

/// The table of `docs/collectives.md`, "Over streams": cycles by shape of 16 ranks, which
/// `aiec report` compares for `shape auto`.
fn cycles_over_streams() -> String {
    const SHAPES: [&str; 6] = ["stream", "cascade", "hub 4", "tree arity 2", "chain", "flat"];
    let mut table = format!("| cycles | {} |\n|{}\n", SHAPES.join(" | "), "---|".repeat(SHAPES.len() + 1));
    for (operation, properties, elements) in [
        ("reduce", "op sum root w[15]", [16, 256, 1024].as_slice()),
        ("broadcast", "root w[0]", &[256, 1024]),
    ] {
        for data in elements.iter().map(|elements| format!("int32[{elements}]")) {
            let design = format!(
                "design shapes\ndevice xcvc1902\nkernel w[16] {{ source \"w.cc\" stack 8 KiB }}\n\
                 {operation} b over w {{ {properties} data {data} shape auto }}\n"
            );
            let ran = aiec_on("report", &design, &[], &["--effort", "1"]);
            let (_, shapes) = ran.out.split_once("Shapes (").expect("a table of shapes");
            let rows = shapes.lines().filter_map(|line| line.strip_prefix("  b ")?.trim().split_once("  "));
            let rows: BTreeMap<&str, &str> = rows.map(|(shape, rest)| (shape, rest.trim())).collect();
            let cell = |shape: &&str| match rows.get(shape) {
                Some(rest) if rest.ends_with("allowed") => " too many windows |".to_owned(),
                Some(cycles) => format!(" {cycles} |"),
                None => " |".to_owned(),
            };
            let cells: String = SHAPES.iter().map(cell).collect();
            let _ = writeln!(table, "| {operation}, `{data}` |{cells}");
        }
    }
    table
}

#[test]
#[ignore = "long: places five designs of 16 kernels"]
fn the_page_shows_the_cycles_of_shapes_over_streams() {
    let path = root().join("docs/collectives.md");
    let page = std::fs::read_to_string(&path).expect("the page");
    let (before, rest) = page.split_once("<!-- streams -->\n").expect("a mark");
    let (_, after) = rest.split_once("<!-- /streams -->").expect("a mark");
    let new = format!("{before}<!-- streams -->\n{}<!-- /streams -->{after}", cycles_over_streams());
    if std::env::var_os("AIEC_BLESS").is_some() {
        std::fs::write(&path, &new).expect("writable");
    } else {
        assert!(page == new, "docs/collectives.md is stale: set AIEC_BLESS=1");
    }
}
