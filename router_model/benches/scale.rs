//! Time, memory and wire length of the router on designs of up to thousands of nets: `cargo bench
//! -p aiec_router_model --bench scale`.
//!
//! With `-- --write` it writes `RESULTS.md` and `RESULTS.svg` beside this file; it always prints
//! the table. The nets are those of the tests' random designs and repeatable. The larger arrays are
//! the VC1902's device file with other numbers of columns and rows.

#![allow(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a benchmark measures time and writes its results"
)]

use std::collections::BTreeMap;
use std::fmt::Write as _;

use aiec_device::{Device, builtin};
use aiec_router_model::{
    EndPort, NetEnd, Refusal, Request, RouteOptions, Switch, check_wiring, least_hops, route_requests,
};

/// One row of the table.
struct Case {
    columns: u16,
    rows: u16,
    nets: usize,
    fan: usize,
    reach: u16,
}

struct Result {
    case: Case,
    seconds: f64,
    verdict: String,
    hops: u64,
    checked: bool,
    least: u64,
    mebibytes: u64,
}

fn main() {
    let mut results = Vec::new();
    for (columns, rows) in [(50, 8), (100, 16), (200, 32)] {
        let cores = usize::from(columns) * usize::from(rows);
        for (nets, fan, reach) in [
            (cores / 4, 1, 8),
            (cores / 2, 1, 8),
            (cores, 1, 8),
            (cores * 3 / 8, 4, 3),
            (cores * 3 / 4, 4, 2),
            (cores * 3 / 4, 4, 4),
            (cores * 3 / 4, 4, 5),
            (cores * 3 / 4, 4, 6),
            (cores * 3 / 4, 4, 8),
            (cores * 3 / 4, 4, 12),
        ] {
            results.push(measure(Case { columns, rows, nets, fan, reach }));
        }
    }
    let text = table(&results);
    println!("{text}");
    if std::env::args().any(|argument| argument == "--write") {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/benches");
        std::fs::write(format!("{folder}/RESULTS.md"), text).expect("the folder can be written");
        std::fs::write(format!("{folder}/RESULTS.svg"), plot(&results)).expect("the folder can be written");
    }
}

fn measure(case: Case) -> Result {
    let device = array(case.columns, case.rows);
    let requests = random(&case);
    let start = processor_seconds();
    let answer = route_requests(&requests, &device, &RouteOptions::default());
    let seconds = processor_seconds() - start;
    let checked = answer.as_ref().is_ok_and(|routing| {
        let faults = check_wiring(&requests, &routing.wiring, &routing.left_out, &device);
        assert!(faults.is_empty(), "{faults:?}");
        true
    });
    let (verdict, hops) = match answer {
        Ok(trees) => ("routed".to_owned(), trees.trees.iter().map(|tree| tree.len() as u64).sum()),
        Err(Refusal::Overfull(cut)) => {
            (format!("proof: {}/{} {}", cut.demand(), cut.capacity, cut.boundary), 0)
        }
        Err(Refusal::GaveUp { rounds, worst, .. }) => {
            (format!("gave up after {rounds}, {} edges", worst.len()), 0)
        }
        Err(Refusal::NoSettings(shortage)) => (format!("no settings: {}", shortage.what), 0),
        Err(Refusal::Unreachable(net)) => (format!("unreachable: net {}", net.0), 0),
    };
    let least = requests.iter().filter_map(|request| least_hops(request, &device)).sum();
    let result = Result { case, seconds, verdict, hops, checked, least, mebibytes: peak_mebibytes() };
    println!("{}", line(&result));
    result
}

/// The VC1902 with other numbers of columns and rows.
fn array(columns: u16, rows: u16) -> Device {
    let mut device = builtin("xcvc1902").and_then(|outcome| outcome.into_parts().0).expect("built in");
    (device.columns, device.rows) = (columns, rows);
    device
}

/// Nets from random cores to `fan` random cores at most `reach` columns and rows away. Every end
/// has its own DMA or core port: two of each per direction at every tile, as on the VC1902. With
/// one net per core the sources are all cores.
fn random(case: &Case) -> Vec<Request> {
    let mut state = 88_172_645_463_325_252_u64 ^ (u64::from(case.reach) << 40) ^ ((case.nets as u64) << 20);
    let mut next = |limit: u16| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % u64::from(limit)) as u16
    };
    let mut taken: BTreeMap<(Switch, bool), u32> = BTreeMap::new();
    // A port of the switch, if one is free.
    let mut end = |switch: Switch, is_source: bool| {
        let used = taken.entry((switch, is_source)).or_default();
        *used += 1;
        let port = match *used {
            1 | 2 => EndPort::Dma(*used - 1),
            3 | 4 => EndPort::Core(*used - 3),
            _ => return None,
        };
        Some(NetEnd { switch, port })
    };
    let cores = usize::from(case.columns) * usize::from(case.rows);
    let mut requests = Vec::new();
    while requests.len() < case.nets {
        let place = |at: usize| Switch {
            column: (at / usize::from(case.rows)) as u16,
            row: 1 + (at % usize::from(case.rows)) as u16,
        };
        let source = if case.nets == cores {
            place(requests.len())
        } else {
            Switch { column: next(case.columns), row: 1 + next(case.rows) }
        };
        let Some(from) = end(source, true) else { continue };
        let mut sinks: Vec<NetEnd> = Vec::new();
        let mut tries = 0;
        while sinks.len() < case.fan {
            // If all ports near the source are taken, the reach grows.
            let reach = case.reach + tries / 50;
            tries += 1;
            let mut near = |middle: u16, low: u16, high: u16| {
                (middle + next(2 * reach + 1)).saturating_sub(reach).clamp(low, high)
            };
            let switch = Switch {
                column: near(source.column, 0, case.columns - 1),
                row: near(source.row, 1, case.rows),
            };
            if !sinks.iter().any(|sink| sink.switch == switch) {
                sinks.extend(end(switch, false));
            }
        }
        requests.push(Request::circuit(from, sinks));
    }
    requests
}

fn line(result: &Result) -> String {
    let Result { case, seconds, verdict, hops, checked, least, mebibytes } = result;
    let checked = if *checked { "yes" } else { "-" };
    let excess = if *hops == 0 || *least == 0 {
        "-".to_owned()
    } else {
        format!("{:+.2} %", (*hops as f64 / *least as f64 - 1.0) * 100.0)
    };
    format!(
        "| {}x{} | {} | {} | {} | {:.3} | {excess} | {verdict} | {checked} | {mebibytes} |",
        case.columns, case.rows, case.nets, case.fan, case.reach, seconds,
    )
}

fn table(results: &[Result]) -> String {
    let mut text = String::from(
        "# The router measured\n\n\
         Written by `cargo bench -p aiec_router_model --bench scale -- --write`, on one core. Seconds are\n\
         processor time. Sinks are at most `reach` columns and rows from their source. `above least` compares\n\
         the hops of all nets with the sum of the shortest trees of each net alone. For `checked` nets the\n\
         checker followed every net through the settings of all switches. `MiB` is the peak of the whole\n\
         process so far.\n\n\
         ![time against nets](RESULTS.svg)\n\n\
         | array | nets | sinks | reach | seconds | above least | answer | checked | MiB |\n|---|---|---|---|---|---|---|---|---|\n",
    );
    for result in results {
        text.push_str(&line(result));
        text.push('\n');
    }
    text
}

/// Processor time of this process (Linux). Other load on the machine does not add to it, unlike to
/// wall time.
fn processor_seconds() -> f64 {
    let statistics = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    let nanoseconds = statistics.split_whitespace().next().and_then(|text| text.parse::<f64>().ok());
    nanoseconds.unwrap_or(0.0) / 1e9
}

/// Peak resident memory of this process (Linux).
fn peak_mebibytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kibibytes = peak.and_then(|text| text.trim().trim_end_matches(" kB").parse::<u64>().ok());
    kibibytes.unwrap_or(0) / 1024
}

/// Seconds against nets, both on logarithmic scales. Routed cases are filled, refused ones open.
fn plot(results: &[Result]) -> String {
    let x = |nets: f64| 60.0 + (nets.log10() - 1.8) * 240.0;
    let y = |seconds: f64| 280.0 - (seconds.max(1e-4).log10() + 4.0) * 50.0;
    let mut svg = String::from(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 620 320\" font-family=\"sans-serif\" font-size=\"11\">\n\
         <rect width=\"620\" height=\"320\" fill=\"white\"/>\n",
    );
    for power in -4..=1 {
        let (at, seconds) = (y(10_f64.powi(power)), 10_f64.powi(power));
        let _ = writeln!(svg, "<line x1=\"60\" x2=\"600\" y1=\"{at:.1}\" y2=\"{at:.1}\" stroke=\"#ddd\"/>");
        let _ = writeln!(svg, "<text x=\"54\" y=\"{:.1}\" text-anchor=\"end\">{seconds} s</text>", at + 4.0);
    }
    for nets in [100.0, 400.0, 1600.0, 6400.0] {
        let at = x(nets);
        let _ = writeln!(svg, "<line x1=\"{at:.1}\" x2=\"{at:.1}\" y1=\"20\" y2=\"290\" stroke=\"#ddd\"/>");
        let _ = writeln!(svg, "<text x=\"{at:.1}\" y=\"304\" text-anchor=\"middle\">{nets} nets</text>");
    }
    for result in results {
        let colour = match result.case.columns {
            50 => "#1b6",
            100 => "#16b",
            _ => "#b31",
        };
        let fill = if result.hops > 0 { colour } else { "white" };
        let (cx, cy) = (x(result.case.nets as f64), y(result.seconds));
        let Case { columns, rows, nets, fan, reach } = result.case;
        let _ = writeln!(
            svg,
            "<circle cx=\"{cx:.1}\" cy=\"{cy:.1}\" r=\"4\" fill=\"{fill}\" stroke=\"{colour}\"><title>{columns}x{rows}, {nets} nets of {fan} within {reach}</title></circle>"
        );
    }
    svg.push_str("</svg>\n");
    svg
}
