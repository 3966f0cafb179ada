//! The choices of the compiler against all legal candidates.
//!
//! ```console
//! $ cargo bench -p aiec_tests --bench choices                 # all cases, about 20 minutes
//! $ cargo bench -p aiec_tests --bench choices -- reduce       # cases whose names contain the word
//! $ cargo bench -p aiec_tests --bench choices -- --write      # event_model/benches/CHOICES.md
//! $ cargo bench -p aiec_tests --bench choices -- --write reduce   # its rows of these cases
//! ```
//!
//! Each case is a design with collectives that leave something open. The bench reports on it once
//! as it is, and once for each legal candidate: placed, routed and simulated with one thread. It
//! compares the cycles of the event model, and the processor time of the choice with that of the
//! candidate that was chosen. The program fails if a choice takes more than [`MOST_EXCESS`] percent
//! more cycles than the best candidate.
#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::panic,
    missing_docs,
    reason = "a bench reads the clock, writes its table and ends when a design of its own is wrong"
)]

mod cases;
#[path = "../clock/mod.rs"]
mod clock;

use std::process::ExitCode;

use aiec_tests::{aiec_on, path};
use serde_json::Value;

use cases::Case;
use clock::clock;

/// The most cycles of a choice beyond those of the best candidate, in percent.
const MOST_EXCESS: f64 = 5.0;
/// Runs of which the least time counts: other load on the machine lengthens a run.
const RUNS: usize = 3;
/// The file of the table.
const TABLE: &str = "event_model/benches/CHOICES.md";
const HEAD: &str = "| case | candidates | chosen | cycles | best | cycles | more | time |\n\
                    |---|---:|---|---:|---|---:|---:|---:|\n";

/// A design in one form.
struct Timed {
    /// What is written in the place of what each collective leaves open.
    words: Vec<String>,
    cycles: f64,
    seconds: f64,
}

/// The report on a design. Returns None when it is refused.
fn report(design: &str) -> Option<Value> {
    let ran = aiec_on("report", design, &[], &["--jobs", "1", "--json"]);
    serde_json::from_str(&ran.out).ok().filter(|_| ran.status == 0)
}

/// Builds a design. Returns None when it is refused, or has no time.
fn timed(design: &str, words: Vec<String>) -> Option<Timed> {
    let folder = tempfile::tempdir().unwrap();
    let trace = folder.path().join("trace.json").display().to_string();
    let before = clock();
    let ran = aiec_on("report", design, &[], &["--jobs", "1", "--trace", &trace]);
    let seconds = (clock() - before).as_secs_f64();
    let line = ran.out.lines().find(|line| line.ends_with("cycles until everything has left the array"))?;
    let cycles = line.split(": ").last()?.split(' ').next()?.parse().ok()?;
    Some(Timed { words, cycles, seconds })
}

/// Processor time of a report in seconds: the least of [`RUNS`], the first of which took `first`.
fn least_seconds(first: &Timed, design: &str) -> f64 {
    let more = (1..RUNS).filter_map(|_| timed(design, Vec::new()));
    more.map(|again| again.seconds).fold(first.seconds, f64::min)
}

/// The words of designs that leave nothing open: those of the choice, with each candidate for one
/// of its collectives.
fn candidates(case: &Case, chosen: &[String]) -> Vec<Vec<String>> {
    let beside = |of: usize, words: String| {
        let mut all = chosen.to_vec();
        all[of] = words;
        all
    };
    let all = (0..chosen.len()).flat_map(|of| {
        let words = candidates_for(case, of, |words| case.design(&beside(of, words)));
        words.into_iter().map(move |words| beside(of, words))
    });
    let mut all: Vec<Vec<String>> = all.collect();
    all.sort();
    all.dedup();
    all
}

/// The words of one collective for each of its candidates, in a `design` with its words.
fn candidates_for(case: &Case, of: usize, design: impl Fn(String) -> String) -> Vec<String> {
    let mut all = Vec::new();
    for root in case.roots(of) {
        // A design with a window has no stream, so streams come from one without.
        for window in case.windows(of).into_iter().chain([String::new()]) {
            let Some(report) = report(&design(format!("{root} {window} {}", case.open_shape(of)))) else {
                continue;
            };
            let compared = report["collectives"][of]["compared"].as_array().cloned().unwrap_or_default();
            let legal = compared.iter().filter(|one| !one["cycles"].is_null());
            let mut shapes: Vec<String> = match case.given_shape(of) {
                Some(shape) => vec![shape.to_owned()],
                None => legal.filter_map(|one| Some(one["shape"].as_str()?.to_owned())).collect(),
            };
            if case.given_shape(of).is_none() && shapes.iter().any(|shape| shape.starts_with("tree")) {
                shapes.extend((5..=7).map(|arity| format!("tree arity {arity}")));
            }
            if case.given_shape(of).is_none() && shapes.iter().any(|shape| shape.starts_with("hub")) {
                shapes.extend(case.hubs().into_iter().map(|clusters| format!("hub {clusters}")));
            }
            shapes.retain(|shape| !window.is_empty() || shape == "stream" || !case.has_windows(of));
            all.extend(shapes.into_iter().map(|shape| words(&root, &window, &shape)));
        }
    }
    all.sort();
    all.dedup();
    all
}

/// The properties of a candidate. A stream has no windows.
fn words(root: &str, window: &str, shape: &str) -> String {
    let window = if shape == "stream" { "" } else { window };
    format!("{root} {window} shape {shape}")
}

/// What was chosen for each collective, in the words of a candidate.
fn chosen(case: &Case, report: &Value) -> Vec<String> {
    let collectives = report["collectives"].as_array().cloned().unwrap_or_default();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let of = |(of, collective): (usize, &Value)| {
        let window = &collective["window"];
        let window = format!("{}[{}]", text(&window["element"]), window["elements"]);
        let (root, window) = case.words_for(of, &text(&collective["root"]), &window);
        words(&root, &window, &text(&collective["shape"]))
    };
    collectives.iter().enumerate().map(of).collect()
}

/// The line of a case, and whether the choice is good enough.
fn line(case: &Case) -> (String, bool) {
    let choice = timed(&case.design(&case.open()), case.open())
        .unwrap_or_else(|| panic!("{} is refused", case.name()));
    let report = report(&case.design(&case.open())).expect("it was built");
    let words = chosen(case, &report);
    let candidates = candidates(case, &words).into_iter();
    let all: Vec<Timed> = candidates.filter_map(|words| timed(&case.design(&words), words)).collect();
    let best = all.iter().min_by(|a, b| a.cycles.total_cmp(&b.cycles)).expect("a legal candidate");
    let same = all.iter().find(|one| one.words == words);
    let open = least_seconds(&choice, &case.design(&case.open()));
    let given = same.map(|same| least_seconds(same, &case.design(&same.words)));
    let times = given.map_or_else(|| "-".to_owned(), |given| format!("{:.1}", open / given));
    let excess = 100.0 * (choice.cycles / best.cycles - 1.0);
    let tidy = |words: &[String]| words.join("; ").split_whitespace().collect::<Vec<_>>().join(" ");
    let line = format!(
        "| {} | {} | {} | {:.0} | {} | {:.0} | {excess:.1} % | {times} |\n",
        case.name(),
        all.len(),
        tidy(&words),
        choice.cycles,
        tidy(&best.words),
        best.cycles,
    );
    (line, excess <= MOST_EXCESS)
}

/// The row of a case in the table so far. Returns None when it has none.
fn known(case: &Case, table: &str) -> Option<String> {
    let start = format!("| {} |", case.name());
    table.lines().find(|line| line.starts_with(&start)).map(|line| format!("{line}\n"))
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let write = arguments.iter().any(|argument| argument == "--write");
    let wanted = |case: &Case| {
        let words = || arguments.iter().filter(|argument| *argument != "--write");
        words().count() == 0 || words().any(|word| case.name().contains(word))
    };
    let before = std::fs::read_to_string(path(TABLE)).unwrap_or_default();
    let (mut table, mut good) = (HEAD.to_owned(), true);
    for case in cases::all() {
        if !wanted(&case) {
            table.extend(known(&case, &before));
            continue;
        }
        let (line, is_good) = line(&case);
        print!("{line}");
        table.push_str(&line);
        good &= is_good;
    }
    if write {
        let text = format!("{}\n{table}", cases::TITLE);
        std::fs::write(path(TABLE), text).unwrap();
    }
    if good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
