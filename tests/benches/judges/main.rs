//! The judges of the placement search: designs that have a legal placement, and what the search
//! makes of them.
//!
//! ```console
//! $ cargo bench -p aiec_tests --bench judges                          # all families, 303 designs
//! $ cargo bench -p aiec_tests --bench judges -- a b --count 40
//! $ cargo bench -p aiec_tests --bench judges -- c --from 7 --count 1 --effort 3 --seed 2 --again
//! $ cargo bench -p aiec_tests --bench judges -- --draw                # without the search
//! $ cargo bench -p aiec_tests --bench judges -- --write               # JUDGES.md
//! ```
//!
//! Families `a` to `e` are those of [`Family`], each design with a [hidden placement](hidden), and
//! `named` are [single designs](named), which are routed too. Each design is placed with one thread
//! and verified. Seconds are processor time of the search. Results are appended to
//! `target/judges/FAMILY.tsv`, and a design that is there is not placed again without `--again`.
//!
//! The demands: no design is refused as impossible; `b` gives up at most 2 designs in 100, all
//! others none; `a` takes at most 20 seconds each; over all designs the connections by DMA exceed
//! the hidden ones by at most 5 %. The program fails only for a design that is refused or a result
//! that is not legal.
#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::panic,
    missing_docs,
    reason = "a bench reads the clock, writes its table and ends when a design of its own is wrong"
)]

#[path = "../agreed/mod.rs"]
mod agreed;
#[path = "../clock/mod.rs"]
mod clock;
mod hidden;
mod named;
mod sums;
mod table;
mod trial;

use std::process::ExitCode;

use aiec_check::Checked;
use aiec_device::Device;
use aiec_placer::PlaceOptions;
use aiec_test_support::Builder;

use agreed::agreed;
use clock::clock;
use hidden::{Family, Hidden, hidden};
use sums::Sums;
use table::{File, Row, Subject};
use trial::trial;

/// The most that connections by DMA of all families may exceed those of the hidden placements, in
/// 1/100.
const MOST_EXCESS: f64 = 5.0;
/// The most seconds of processor time for a design of family `a`.
const MOST_SECONDS: f64 = 20.0;

/// What to place.
struct Request {
    families: Vec<String>,
    from: u64,
    count: Option<u64>,
    effort: u32,
    seed: u64,
    again: bool,
    draw: bool,
    write: bool,
}

/// What to do with a design.
struct Task {
    options: PlaceOptions,
    /// True if it is placed again although there is a row.
    again: bool,
    /// True if its placement is routed.
    routes: bool,
}

impl Request {
    /// Reads the arguments.
    fn read(mut arguments: impl Iterator<Item = String>) -> Self {
        let mut request = Self {
            families: Vec::new(),
            from: 0,
            count: None,
            effort: 2,
            seed: 1,
            again: false,
            draw: false,
            write: false,
        };
        while let Some(argument) = arguments.next() {
            let mut number = || -> u64 {
                let number = arguments.next().and_then(|number| number.parse().ok());
                number.unwrap_or_else(|| panic!("{argument} needs a number"))
            };
            match argument.as_str() {
                "--bench" => {}
                "--from" => request.from = number(),
                "--count" => request.count = Some(number()),
                "--effort" => request.effort = u32::try_from(number()).unwrap(),
                "--seed" => request.seed = number(),
                "--again" => request.again = true,
                "--draw" => request.draw = true,
                "--write" => request.write = true,
                _ => request.families.push(argument),
            }
        }
        request
    }

    /// What to do with a design of this request.
    fn task(&self, routes: bool) -> Task {
        let options = PlaceOptions { effort: self.effort, seed: self.seed, ..PlaceOptions::default() };
        Task { options, again: self.again, routes }
    }

    fn has(&self, family: &str) -> bool {
        self.families.is_empty() || self.families.iter().any(|name| name == family)
    }

    /// The numbers of the designs of a family; 300 for all families without `--count`.
    fn numbers(&self, family: Family) -> std::ops::Range<u64> {
        let usual = match family {
            Family::A | Family::B => 100,
            Family::C => 40,
            Family::D | Family::E => 30,
        };
        self.from..self.from + self.count.unwrap_or(usual)
    }
}

fn main() -> ExitCode {
    let request = Request::read(std::env::args().skip(1));
    let mut all = Sums::default();
    let mut lines = table::SUMS_HEAD.to_owned();
    for family in Family::ALL.into_iter().filter(|family| request.has(family.name())) {
        let sums = judged(family, &request);
        lines.push_str(&sums.line(title(family)));
        all = all.and(sums);
    }
    lines.push_str(&all.line("all"));
    let met = if all.excess() <= MOST_EXCESS { "met" } else { "MISSED" };
    println!("all families: {}; at most {MOST_EXCESS} % more DMA than hidden: {met}", all.text());
    let has_named = request.has("named") && !request.draw;
    let (named, singles) = if has_named { singles(&request) } else { (Sums::default(), String::new()) };
    table::publish(request.write && !request.draw, "JUDGES.md", &format!("{lines}\n{singles}"));
    if all.wrong + named.wrong > 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// A family in words.
const fn title(family: Family) -> &'static str {
    match family {
        Family::A => "a: 3 to 40 kernels, regions 60-70 % full",
        Family::B => "b: 3 to 40 kernels, regions 70-80 % full",
        Family::C => "c: 150 to 390 kernels, windows of 8 to 14 KiB",
        Family::D => "d: five or six neighbours, whole array",
        Family::E => "e: up to 300 PLIO",
    }
}

/// Places the designs of a family.
fn judged(family: Family, request: &Request) -> Sums {
    let mut file = File::open(family.name());
    let mut sums = Sums::default();
    for number in request.numbers(family) {
        let design = hidden(family, number);
        if request.draw {
            println!("{}", drawn(family, number, &design));
            continue;
        }
        let Hidden { builder, checked, device, fill, dma, plio } = design;
        let subject = Subject {
            fill: Some(fill),
            hidden: Some(dma),
            plio,
            ..subject(number.to_string(), &builder, &checked, request)
        };
        row(&mut file, family.name(), subject, (&checked, &device), &request.task(false)).count(&mut sums);
    }
    println!("{}: {}; {}", family.name(), sums.text(), verdict(&sums, Some(family)));
    sums
}

/// A design and its hidden placement in words.
fn drawn(family: Family, number: u64, design: &Hidden) -> String {
    let Hidden { checked, device, fill, dma, plio, .. } = design;
    let constraints = &checked.constraints;
    format!(
        "{} {number}: {}, {} kernels, {} connections, {}.{} % full, DMA {dma}, PLIO {plio}, {} fixed, {} regions, {} keepouts, {} offsets, {} together, {} apart",
        family.name(),
        device.name,
        checked.kernels.len(),
        checked.connections.len(),
        fill / 10,
        fill % 10,
        checked.places.len(),
        constraints.regions.len(),
        constraints.keepouts.len(),
        constraints.offsets.len(),
        constraints.together.len(),
        constraints.apart.len(),
    )
}

/// Places and routes the single designs. Also returns their table.
fn singles(request: &Request) -> (Sums, String) {
    let mut file = File::open("named");
    let mut sums = Sums::default();
    let mut lines = table::SINGLES_HEAD.to_owned();
    for named in named::all() {
        let device = hidden::device(named.device);
        let checked = hidden::checked(&named.builder, &device)
            .unwrap_or_else(|said| panic!("the checks refuse {}: {said}", named.name));
        let subject = subject(named.name.to_owned(), &named.builder, &checked, request);
        let row = row(&mut file, "named", subject, (&checked, &device), &request.task(true));
        lines.push_str(&row.single());
        row.count(&mut sums);
    }
    println!("named: {}; {}", sums.text(), verdict(&sums, None));
    (sums, lines)
}

/// A design without a hidden placement.
fn subject(design: String, builder: &Builder, checked: &Checked, request: &Request) -> Subject {
    let outer = checked.connections.iter().filter(|connection| {
        checked.kernel_of(connection.from).is_none() || checked.kernel_of(connection.to).is_none()
    });
    Subject {
        design,
        print: print(builder.source()),
        effort: request.effort,
        seed: request.seed,
        kernels: checked.kernels.len(),
        fill: None,
        plio: outer.count(),
        hidden: None,
    }
}

/// The row of a design: of an earlier run, or of a new one.
fn row(
    file: &mut File,
    family: &str,
    subject: Subject,
    (checked, device): (&Checked, &Device),
    task: &Task,
) -> Row {
    let earlier = file.find(&subject).filter(|_| !task.again).cloned();
    let row = earlier.unwrap_or_else(|| {
        let begin = clock();
        let (ending, placed) = trial(checked, device, &task.options);
        let seconds = clock().saturating_sub(begin).as_secs_f64();
        let bound =
            placed.as_ref().map(|_| aiec_placer::bound(checked, device, &aiec_placer::Alone).connections);
        let routed = placed.filter(|_| task.routes).map(|_| is_routed(checked, device, &task.options));
        let row = Row { subject, ending, bound, routed, seconds };
        file.add(row.clone());
        row
    });
    row.print(family);
    row
}

/// True if the command line routes the design, which places it again where there are no routes.
fn is_routed(checked: &Checked, device: &Device, options: &PlaceOptions) -> bool {
    let (_, agreed, _) = agreed(device.clone(), checked.clone(), options);
    agreed.is_some_and(|agreed| agreed.routes.is_ok())
}

/// What the demands on a family say: on designs given up, and on seconds.
fn verdict(sums: &Sums, family: Option<Family>) -> String {
    let most = if family == Some(Family::B) { sums.designs * 2 / 100 } else { 0 };
    let late = family == Some(Family::A) && sums.slowest > MOST_SECONDS;
    let faults = [
        (sums.wrong > 0, "refused as impossible, or not legal"),
        (sums.given_up > most, "too many given up"),
        (late, "one takes too long"),
    ];
    let faults: Vec<&str> = faults.iter().filter(|(is, _)| *is).map(|(_, text)| *text).collect();
    if faults.is_empty() { "demands met".to_owned() } else { format!("MISSED: {}", faults.join(", ")) }
}

/// A hash of a text (FNV-1a).
fn print(text: &str) -> u64 {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    text.bytes().fold(0xcbf2_9ce4_8422_2325, step)
}
