//! `docs/seeds.md`: the numbers of the papers beside those of `aiec traffic`.
//!
//! The tables of the page are made here. `AIEC_BLESS=1` writes them anew.
#![allow(clippy::disallowed_methods, reason = "the test reads a page of the repository")]

use std::fmt::Write as _;

use aiec_tests::{aiec, root};
use serde_json::Value;

/// What a row of the page proves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Proof {
    /// Nothing: a constant of the profile is this number.
    GivenBack,
    /// That the profile predicts this number, with an error of at most this many percent.
    Follows(u32),
}
use Proof::{Follows, GivenBack};

/// A published number.
struct Published {
    /// Where it stands.
    place: &'static str,
    /// What was measured.
    what: &'static str,
    /// The number in the unit of its table.
    number: f64,
    /// The command that simulates it, and where its result has the cycles.
    ours: (&'static str, &'static str),
    proof: Proof,
}

const ONE_WAY: &str = "--pattern one-way --bytes 0,4";
const ROUND_TRIP: &str = "--pattern round-trip --bytes 0,4";
const FLAT: &str = "--pattern barrier-flat";
const HUB: &str = "--pattern barrier-hub";
const SIZES: &str = "--pattern one-way --bytes 4..256+4";
const CUBE: &str = "--pattern barrier-hypercube";
const SKEWED: &str = "--pattern barrier-hypercube --skew 150";

const fn row(
    place: &'static str,
    what: &'static str,
    number: f64,
    ours: (&'static str, &'static str),
    proof: Proof,
) -> Published {
    Published { place, what, number, ours, proof }
}

/// Microseconds of a cycle of the profile `gasnet-bee3`.
const GASNET_UNIT: f64 = 0.01;

fn gasnet() -> Vec<Published> {
    let mut rows = Vec::new();
    let names = ["0 steps", "1 step", "2 steps"];
    let tables = [
        ("table 4", "short message", ONE_WAY, 0, [0.17, 0.24, 0.31], [GivenBack, GivenBack, Follows(0)]),
        (
            "table 4",
            "short message, two-way",
            ROUND_TRIP,
            0,
            [0.35, 0.49, 0.63],
            [GivenBack, Follows(0), Follows(0)],
        ),
        (
            "table 5",
            "remote write of a word",
            ONE_WAY,
            1,
            [0.29, 0.36, 0.43],
            [GivenBack, Follows(0), Follows(0)],
        ),
        ("table 5", "remote read of a word", ROUND_TRIP, 1, [0.47, 0.61, 0.75], [Follows(0); 3]),
    ];
    for (place, what, command, size, numbers, proofs) in tables {
        for at in 0..3 {
            let what: &'static str = format!("{what}, {}", names[at]).leak();
            let pointer: &'static str = format!("/rows/{size}/figures/hops/{at}/mean_cycles").leak();
            rows.push(row(place, what, numbers[at], (command, pointer), proofs[at]));
        }
    }
    let (node, all) = ("/rows/0/barrier/root_cycles", "/rows/0/barrier/max_cycles");
    rows.extend([
        row("table 6", "flat barrier, to node 0", 0.87, (FLAT, node), GivenBack),
        row("table 6", "flat barrier, for all", 1.96, (FLAT, all), Follows(15)),
        row("table 7", "staggered barrier, to node 0", 0.62, (HUB, node), Follows(15)),
        row("table 7", "staggered barrier, for all", 1.48, (HUB, all), Follows(15)),
    ]);
    rows
}

fn xmp() -> Vec<Published> {
    let hops = |at: usize| -> (&'static str, &'static str) {
        (ONE_WAY, format!("/rows/0/figures/hops/{at}/mean_cycles").leak())
    };
    let max = "/rows/0/barrier/max_cycles";
    vec![
        row("table 1", "journey on a chip", 70.0, hops(0), GivenBack),
        row("table 1", "journey of 1 hop", 200.0, hops(1), GivenBack),
        row("table 1", "journey of 2 hops", 290.0, hops(2), Follows(2)),
        row("table 1", "journey of 3 hops", 390.0, hops(3), Follows(2)),
        row("table 1", "journey of 4 hops", 480.0, hops(4), GivenBack),
        row("3.3.1", "hypercube barrier, estimated", 940.0, (CUBE, max), Follows(1)),
        row(
            "3.3.2",
            "hypercube barrier, measured mean",
            990.0,
            (CUBE, "/rows/0/barrier/mean_cycles"),
            Follows(6),
        ),
        row(
            "3.3.2",
            "the same, entries over 150 ns",
            990.0,
            (SKEWED, "/rows/0/barrier/mean_cycles"),
            Follows(5),
        ),
        row("3.3.2", "the same, least time", 930.0, (SKEWED, "/rows/0/barrier/min_cycles"), Follows(15)),
        row("3.3.2", "the same, longest time", 1100.0, (SKEWED, max), Follows(5)),
    ]
}

/// The JSON of `aiec traffic` with these arguments.
fn traffic(arguments: &str) -> Value {
    let words = ["traffic"].into_iter().chain(arguments.split(' ')).chain(["--json"]);
    let ran = aiec(words);
    assert_eq!(ran.status, 0, "{arguments}: {}", ran.err);
    serde_json::from_str(&ran.out).expect("JSON")
}

fn number(result: &Value, pointer: &str) -> f64 {
    let found = result.pointer(pointer).and_then(Value::as_f64);
    assert!(found.is_some(), "{pointer} in {result}");
    found.unwrap_or_default()
}

/// The number of ours, rounded as the paper rounds.
fn ours(published: &Published, profile: &str, unit: f64) -> f64 {
    let (command, pointer) = published.ours;
    number(&traffic(&format!("{command} --profile {profile}")), pointer) * unit
}

/// The rows of a paper whose numbers have `digits` digits behind the point.
fn table(rows: &[Published], profile: &str, (unit, name, digits): (f64, &str, usize)) -> String {
    let mut text = format!(
        "| paper | what | paper, {name} | ours, {name} | difference | | `aiec traffic --profile {profile}` |\n\
         |---|---|---|---|---|---|---|\n"
    );
    for published in rows {
        let ours = ours(published, profile, unit);
        let error = 100.0 * (ours / published.number - 1.0);
        let proof = match published.proof {
            GivenBack => "given back",
            Follows(_) => "follows",
        };
        let (place, what, command) = (published.place, published.what, published.ours.0);
        let _ = writeln!(
            text,
            "| {place} | {what} | {:.digits$} | {ours:.digits$} | {:+.0} % | {proof} | `{command}` |",
            published.number,
            error + 0.0
        );
    }
    text.replace("-0 %", "0 %").replace("+0 %", "0 %")
}

/// The size at which one message at a time carries half of 4 bytes a cycle, over some hops.
fn half(result: &Value, hops: usize) -> u64 {
    let rows = result["rows"].as_array().expect("rows");
    let reaches = |row: &&Value| {
        let cycles = number(row, &format!("/figures/hops/{hops}/mean_cycles"));
        row["bytes"].as_f64().expect("bytes") / cycles >= 2.0
    };
    rows.iter().find(reaches).and_then(|row| row["bytes"].as_u64()).expect("half of the peak")
}

fn half_peak() -> String {
    let result = traffic(&format!("{SIZES} --profile gasnet-bee3"));
    let sizes = [0, 1, 2].map(|hops| half(&result, hops));
    assert!(sizes.iter().all(|size| (64..=256).contains(size)), "{sizes:?}");
    let [none, one, two] = sizes;
    format!(
        "| figure 10 | half of the bandwidth, bytes | 64 to 256 | {none}, {one}, {two} | within | follows | `{SIZES}` |\n"
    )
}

const PATTERNS: &str = "--pattern shuffle,transpose,bit-complement,bit-reverse,random";

/// Permutations on the network with one link and with all, and on the array.
fn permutations() -> String {
    let machines = [
        ("`xmp64`, `--links 1`", format!("{PATTERNS}:1000 --bytes 32 --profile xmp64 --links 1"), "ns"),
        ("`xmp64`", format!("{PATTERNS}:1000 --bytes 32 --profile xmp64"), "ns"),
        ("`xcvc1902`, 8 x 8", format!("{PATTERNS}:10 --bytes 32"), "cycles"),
    ];
    let mut text = String::from(
        "| pattern | machine | messages | mean | p50 | p99 | longest | |\n|---|---|---|---|---|---|---|---|\n",
    );
    let narrow = traffic(&format!("{} --links 1", machines[2].1));
    let refused = |row: &Value| row["refused"] == row["runs"];
    assert!(narrow["rows"].as_array().expect("rows").iter().all(refused), "the page says so: {narrow}");
    let results: Vec<Value> = machines.iter().map(|(_, command, _)| traffic(command)).collect();
    for at in 0..5 {
        for ((machine, _, unit), result) in machines.iter().zip(&results) {
            let row = &result["rows"][at];
            let cell = |name: &str| number(row, &format!("/figures/{name}"));
            let pattern = row["pattern"].as_str().expect("a name");
            let times = ["messages", "mean_cycles", "p50_cycles", "p99_cycles", "max_cycles"].map(cell);
            let cells = times.map(|time| format!("{time:.0}")).join(" | ");
            let _ = writeln!(text, "| `{pattern}` | {machine} | {cells} | {unit} |");
        }
    }
    text += "\n| machine | `aiec traffic` |\n|---|---|\n";
    machines.iter().for_each(|(machine, command, _)| {
        let _ = writeln!(text, "| {machine} | `{command}` |");
    });
    text += "\n| random permutations, hops | 0 | 1 | 2 | 3 | 4 |\n|---|---|---|---|---|---|\n";
    for ((machine, _, _), result) in machines.iter().zip(&results).take(2) {
        let mean =
            |hops| format!("{:.0}", number(result, &format!("/rows/4/figures/hops/{hops}/mean_cycles")));
        let _ = writeln!(text, "| mean in ns, {machine} | {} |", [0, 1, 2, 3, 4].map(mean).join(" | "));
    }
    let sizes = "--pattern random:100 --bytes 0,1,2,4,8,16,32,64,128 --profile xmp64 --links 1";
    let result = traffic(sizes);
    let rows = result["rows"].as_array().expect("rows");
    let cells = |pointer: &str| {
        let cells = rows.iter().map(|row| format!("{:.0}", number(row, pointer)));
        cells.collect::<Vec<_>>().join(" | ")
    };
    let (bytes, means) = (cells("/bytes"), cells("/figures/mean_cycles"));
    let lines = "|---".repeat(rows.len() + 1);
    let _ = writeln!(text, "\n| bytes | {bytes} |\n{lines}|\n| mean in ns | {means} |\n\n`{sizes}`");
    text
}

fn array() -> String {
    let patterns = "--pattern barrier-flat,barrier-hub,barrier-hypercube";
    let array = traffic(&format!("{patterns} --grid 4x4"));
    let networks = ["gasnet-bee3", "xmp64"].map(|name| traffic(&format!("{patterns} --profile {name}")));
    let mut text = String::from(
        "| barrier | shape | 16 cores, array cycles | `gasnet-bee3`, 16 nodes, cycles | `xmp64`, 64 cores, ns |\n\
         |---|---|---|---|---|\n",
    );
    for (at, (name, shape)) in
        [("barrier-flat", "flat merge"), ("barrier-hub", "hub 4"), ("barrier-hypercube", "dissemination")]
            .into_iter()
            .enumerate()
    {
        let last = |result| number(result, &format!("/rows/{at}/barrier/max_cycles"));
        let [bee3, xmp] = &networks;
        let [array, bee3, xmp] = [&array, bee3, xmp].map(|result| format!("{:.0}", last(result)));
        let _ = writeln!(text, "| `{name}` | `{shape}` | {array} | {bee3} | {xmp} |");
    }
    text + "\nThe first machine has `--grid 4x4`, the others `--profile`.\n"
}

/// The page with the text between the marks of `name` replaced.
fn replaced(page: &str, name: &str, text: &str) -> String {
    let (begin, end) = (format!("<!-- {name} -->\n"), format!("<!-- /{name} -->"));
    let (before, rest) = page.split_once(&begin).expect("a mark");
    let (_, after) = rest.split_once(&end).expect("a mark");
    format!("{before}{begin}{text}{end}{after}")
}

#[test]
#[ignore = "long: simulates for seconds"]
fn the_page_shows_what_is_simulated() {
    let path = root().join("docs/seeds.md");
    let page = std::fs::read_to_string(&path).expect("the page");
    let gasnet = table(&gasnet(), "gasnet-bee3", (GASNET_UNIT, "us", 2)) + &half_peak();
    let mut new = replaced(&page, "gasnet", &gasnet);
    new = replaced(&new, "xmp", &table(&xmp(), "xmp64", (1.0, "ns", 0)));
    new = replaced(&new, "permutations", &permutations());
    new = replaced(&new, "array", &array());
    if std::env::var_os("AIEC_BLESS").is_some() {
        std::fs::write(&path, &new).expect("writable");
    } else {
        assert!(page == new, "docs/seeds.md is stale: set AIEC_BLESS=1");
    }
}

#[test]
fn speed_ups_of_applications_are_those_of_the_page_about_messages() {
    let [page, messages] = ["docs/seeds.md", "docs/messages.md"]
        .map(|path| std::fs::read_to_string(root().join(path)).expect("a page of the repository"));
    // The cells of the row of a number of kernels or strips, below a heading.
    let row = |heading: &str, number: &str| -> Vec<&str> {
        let (_, part) = messages.split_once(heading).expect("the heading");
        let line = part.lines().find(|line| line.starts_with(&format!("| {number} |"))).expect("the row");
        line.split('|').map(str::trim).collect()
    };
    let (gesummv, stencil) = (row("### GESUMMV", "2"), row("### Stencil", "8"));
    assert!(page.contains(&format!("[{}](messages.md#gesummv)", gesummv[3])), "{gesummv:?}");
    let both =
        format!("[8 strips against 4: {}](messages.md#stencil), with windows {}", stencil[3], stencil[5]);
    assert!(page.contains(&both), "{both}");
}

#[test]
fn numbers_that_follow_are_near_those_of_the_papers() {
    for (rows, profile, unit) in [(gasnet(), "gasnet-bee3", GASNET_UNIT), (xmp(), "xmp64", 1.0)] {
        for published in &rows {
            let most = match published.proof {
                GivenBack => 0.005,
                Follows(percent) => f64::from(percent) / 100.0 + 1e-9,
            };
            let error = (ours(published, profile, unit) / published.number - 1.0).abs();
            assert!(error <= most, "{} {}: {error}", published.place, published.what);
        }
    }
}
