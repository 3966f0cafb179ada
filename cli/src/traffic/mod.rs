//! `aiec traffic`: patterns of traffic over a grid of kernels, placed, routed and timed.
//!
//! Each pattern is written as a design of the language and goes through the stages like any other.

mod design;
mod load;
mod network;
mod place;
mod row;
mod sample;
mod text;

use std::path::PathBuf;

use aiec_device::{Device, Ports, Switch, SwitchPorts};
use aiec_diag::{Diagnostic, Reported, SourceFile};
use aiec_lower::Scalar;
use aiec_placer::{Objective, PlaceOptions};
use aiec_router_model::RouteOptions;
use aiec_system::Threads;
use aiec_system::files::hash;
use serde::Serialize;

use crate::args::{Placing, Traffic as Arguments};
use crate::disk;
use crate::errors;
use crate::folder::{Folder, Names};
use crate::invocation::{AnyProfile, Invocation, any_profile, load_device, profile_of};
use crate::output::Console;
use crate::pattern::{Grid, Pattern};
use crate::pipeline::{self, Options};
use crate::report::json;
use crate::search::Steps;
use crate::solver::Chosen;
use crate::sweep::values::{self, Axis};
use design::{BURST, ELEMENT, Traffic};
use load::{Load, Loads};
use place::Place;
use row::Row;
use sample::Runner;

/// The nodes without `--grid`.
const USUAL: Grid = Grid { columns: 8, rows: 8 };
/// The device without `--device`.
const DEVICE: &str = "xcvc1902";
/// Limit on the designs of a command. At 40 ms each they take an hour on one processor.
const MOST_DESIGNS: usize = 100_000;
/// Number of the format of `traffic.json`.
const VERSION: u32 = 1;
/// The files of the results.
fn names() -> Names {
    let pages = ["mean_cycles.svg", "p99_cycles.svg"].map(str::to_owned).to_vec();
    Names { json: "traffic.json", csv: "traffic.csv", pages }
}

/// All rows.
#[derive(Serialize)]
struct Whole<'a> {
    format: &'static str,
    version: u32,
    #[serde(flatten)]
    place: Place,
    /// The timing profile of all cycles.
    profile: &'a str,
    /// What its cycles rest on.
    note: String,
    seed: u64,
    /// SHA-256 of `traffic.csv`.
    csv: String,
    rows: &'a [Row],
}

/// Runs `aiec traffic`. Returns None when it logs an error.
pub(crate) fn run(args: &Arguments, invocation: &mut Invocation, console: &mut Console<'_>) -> Option<()> {
    if let Some(name) = &args.profile
        && let AnyProfile::Network(profile) = any_profile(name, invocation)?
    {
        return network::run(args, &profile, invocation, console);
    }
    let options = options(args, invocation)?;
    let device = options.device.as_ref()?;
    let sizes = invocation.require(sizes(&args.bytes))?;
    let loads = match &args.load {
        Some(text) => invocation.require(percents(text))?,
        None => Vec::new(),
    };
    let grid = args.grid.unwrap_or(USUAL);
    let command = Command { args, grid, device, options: &options, sizes: &sizes, loads: &loads };
    invocation.require(command.fits())?;
    if args.emit.is_some() {
        let text = command.design(invocation)?;
        console.text(&text);
        return Some(());
    }
    let folder = folder(args, invocation).ok()?;
    let rows = command.rows(invocation.progress);
    let profile = &options.profile;
    let place = Place::Array {
        device: device.name.clone(),
        grid: grid.to_string(),
        corner: [command.left(), 0],
        links: args.links,
    };
    let results = Results { place, profile: &profile.name, note: profile.note(), rows: &rows };
    results.show(args, sizes.geometric, folder.as_ref(), invocation, console)
}

/// What a command has found.
struct Results<'a> {
    place: Place,
    profile: &'a str,
    note: String,
    rows: &'a [Row],
}

impl Results<'_> {
    /// Prints the rows, and writes them to the folder.
    fn show(
        self,
        args: &Arguments,
        logarithmic: bool,
        folder: Option<&Folder<'_>>,
        invocation: &mut Invocation,
        console: &mut Console<'_>,
    ) -> Option<()> {
        let Self { place, profile, note, rows } = self;
        let csv = text::csv(profile, rows);
        let whole = Whole {
            format: "aiec-traffic",
            version: VERSION,
            place,
            profile,
            note,
            seed: args.seed,
            csv: hash(csv.as_bytes()),
            rows,
        };
        if let Some(folder) = folder {
            let plots = text::plots(&whole, logarithmic, rows);
            invocation.require(folder.write(&json(&whole), &csv, &plots))?;
        }
        match args.json {
            true => console.line(&json(&whole)),
            false => console.text(&text::summary(&whole, rows, folder.map(Folder::csv))),
        }
        Some(())
    }
}

/// The folder of the results, if the command line names one. It is made if there is none.
///
/// # Errors
/// The folder cannot be used.
fn folder<'f>(args: &'f Arguments, invocation: &mut Invocation) -> Result<Option<Folder<'f>>, Reported> {
    let Some(path) = &args.output else { return Ok(None) };
    let originals = invocation.sources.iter().map(|source| PathBuf::from(&source.name)).collect();
    invocation.require(disk::make_folder(path)).ok_or(Reported)?;
    let folder = Folder { path, originals, overwrite: args.overwrite, names: names() };
    invocation.require(folder.check(&[])).ok_or(Reported)?;
    Ok(Some(folder))
}

/// The options of the stages.
fn options(args: &Arguments, invocation: &mut Invocation) -> Option<Options> {
    let mut device = load_device(args.device.as_deref().unwrap_or(DEVICE), invocation)?;
    let profile = profile_of(args.profile.as_deref(), args.bank_conflicts, invocation)?;
    if let Some(links) = args.links {
        limit(&mut device.switch, links);
    }
    let place = PlaceOptions { effort: 1, seed: args.seed, objective: Objective::USUAL };
    Some(Options {
        device: Some(device),
        profile,
        place,
        route: RouteOptions::default(),
        ..Options::default()
    })
}

/// Leaves at most `links` wires on each side of a switch. The wires to programmable logic stay.
fn limit(switch: &mut Switch, links: u32) {
    let Switch { north, south, east, west, core, shim, memory, .. } = switch;
    let mut all = vec![north, south, east, west];
    for ports in
        [&mut core.masters, &mut core.slaves].into_iter().chain(memory.iter_mut().flat_map(of_memory))
    {
        let Ports { north, south, east, west, .. } = ports;
        all.extend([north, south, east, west]);
    }
    for ports in [&mut shim.masters, &mut shim.slaves] {
        let Ports { north, east, west, .. } = ports;
        all.extend([north, east, west]);
    }
    all.into_iter().for_each(|wires| *wires = (*wires).min(links));
}

const fn of_memory(ports: &mut SwitchPorts) -> [&mut Ports; 2] {
    [&mut ports.masters, &mut ports.slaves]
}

/// Sizes of messages in bytes.
fn sizes(text: &str) -> Result<Axis, Diagnostic> {
    let bad = |reason: &str| errors::bad_traffic(format!("`--bytes {text}`: {reason}"), WHOLE_WORDS);
    let axis = values::numbers(text).map_err(|reason| bad(&reason))?;
    let is_size =
        |size: &Scalar| bytes(*size).is_some_and(|bytes| bytes > 0 && bytes.is_multiple_of(ELEMENT));
    match axis.values.iter().find(|size| !is_size(size)) {
        Some(&size) if bytes(size) == Some(0) => {
            Err(bad("a message goes in a window, which cannot be empty"))
        }
        Some(size) => Err(bad(&format!("{size} is no whole number of 32-bit words"))),
        None => Ok(axis),
    }
}

/// What to do about options of networks.
const NETWORK: &str = "give the profile of a network, such as `--profile xmp64`; `aiec report --logp` has the messages of a design";

/// What to write for `--bytes`.
const WHOLE_WORDS: &str = "write multiples of 4, such as `--bytes 16..8192*2` or `--bytes 64,1024`";

fn bytes(size: Scalar) -> Option<u64> {
    match size {
        Scalar::Whole(number) => u64::try_from(number).ok(),
        Scalar::Decimal(_) => None,
    }
}

/// Offered loads in percent of a wire.
fn percents(text: &str) -> Result<Vec<f64>, Diagnostic> {
    let help = "write percentages above 0, such as `--load 10..120+10`";
    let bad = |reason: &str| errors::bad_traffic(format!("`--load {text}`: {reason}"), help);
    let axis = values::numbers(text).map_err(|reason| bad(&reason))?;
    let percents: Vec<f64> = axis.values.iter().map(|value| value.decimal().nearest()).collect();
    match percents.iter().find(|&&percent| !(1.0..=1000.0).contains(&percent)) {
        Some(percent) => Err(bad(&format!("{percent} is not from 1 to 1000"))),
        None => Ok(percents),
    }
}

/// The command with its values.
struct Command<'a> {
    args: &'a Arguments,
    grid: Grid,
    device: &'a Device,
    options: &'a Options,
    sizes: &'a Axis,
    loads: &'a [f64],
}

impl Command<'_> {
    /// Fails if the grid does not fit the device, or a pattern does not fit the grid.
    fn fits(&self) -> Result<(), Diagnostic> {
        let (grid, device) = (self.grid, self.device);
        if grid.columns > device.columns || grid.rows > device.rows {
            let size = format!("{}x{}", device.columns, device.rows);
            return Err(errors::bad_traffic(
                format!("a grid of {grid} is larger than the array of {}, which is {size}", device.name),
                &format!("give a grid of at most {size}"),
            ));
        }
        for &pattern in &self.args.pattern {
            if pattern.is_of_networks() {
                let what = format!("{pattern} measures single messages of a network, and an array is none");
                return Err(errors::bad_traffic(what, NETWORK));
            }
            let moves = self.traffic(pattern, 0)?.senders().len();
            if moves == 0 && pattern.runs() == 1 {
                let nothing = format!("the pattern {pattern} sends nothing on a grid of {grid}");
                return Err(errors::bad_traffic(nothing, "give a larger grid"));
            }
        }
        if self.args.skew.is_some() {
            return Err(errors::bad_traffic("--skew is for the nodes of a network".to_owned(), NETWORK));
        }
        if self.designs() > MOST_DESIGNS {
            let many =
                format!("{} designs are to be compiled, and at most {MOST_DESIGNS} are", self.designs());
            return Err(errors::bad_traffic(many, "give fewer permutations, sizes or loads"));
        }
        let is_switched = self.args.pattern.contains(&Pattern::Hotspot);
        if !self.loads.is_empty() && !is_switched {
            return Err(errors::bad_traffic(
                "--load is for nets that share wires, and all of these patterns have circuits".to_owned(),
                "leave it out, or add `hotspot`, whose nets are packets",
            ));
        }
        Ok(())
    }

    /// The number of designs for all runs, sizes and loads.
    fn designs(&self) -> usize {
        let of = |pattern: &Pattern| match pattern {
            Pattern::Hotspot => 1 + self.loads.len(),
            _ => pattern.runs() as usize,
        };
        let each: usize = self.args.pattern.iter().map(of).sum();
        each.saturating_mul(self.sizes.values.len())
    }

    /// The pattern in one of its runs.
    fn traffic(&self, pattern: Pattern, run: u32) -> Result<Traffic<'_>, Diagnostic> {
        let grid = self.grid;
        let to = pattern.destinations(grid, self.args.seed, run).map_err(|reason| {
            let what = format!("the pattern {pattern} does not fit a grid of {grid}: {reason}");
            errors::bad_traffic(what, "give another grid, such as `--grid 8x8`, or leave the pattern out")
        })?;
        Ok(Traffic { pattern, grid, left: self.left(), device: &self.device.name, to })
    }

    /// Columns on the left of the grid, which stands in the middle.
    const fn left(&self) -> u16 {
        self.device.columns.saturating_sub(self.grid.columns) / 2
    }

    /// The sizes in bytes.
    fn bytes(&self) -> Vec<u64> {
        self.sizes.values.iter().filter_map(|&size| bytes(size)).collect()
    }

    /// The design of the only pattern with the first size, in canonical form.
    fn design(&self, invocation: &mut Invocation) -> Option<String> {
        let &[pattern] = self.args.pattern.as_slice() else {
            let help = "name one pattern with --pattern; of random:N the first permutation is printed";
            return invocation.fail(errors::bad_traffic("--emit dsl prints one design".to_owned(), help));
        };
        let traffic = invocation.require(self.traffic(pattern, 0))?;
        let text = traffic.text(*self.bytes().first()?, BURST);
        let id = invocation.sources.add("traffic.dsl", text.as_str());
        let source = SourceFile { id, name: "traffic.dsl".to_owned(), text };
        let program = pipeline::parse(&source, &mut invocation.log)?;
        Some(aiec_dsl::print(&source, &program))
    }

    /// A row for each pattern and size.
    fn rows(&self, visible: bool) -> Vec<Row> {
        let runs: u32 = self.args.pattern.iter().map(|pattern| pattern.runs()).sum();
        let bar = Steps::new(runs as usize * self.sizes.values.len(), 0, visible);
        let threads = Threads::new(self.args.jobs.map(usize::from));
        let of_pattern = |&pattern: &Pattern| {
            // A barrier has no size.
            let sizes = if pattern.is_barrier() { vec![0] } else { self.bytes() };
            sizes.into_iter().map(|bytes| self.row(pattern, bytes, &threads, &bar)).collect::<Vec<_>>()
        };
        self.args.pattern.iter().flat_map(of_pattern).collect()
    }

    fn row(&self, pattern: Pattern, bytes: u64, threads: &Threads, bar: &Steps) -> Row {
        let placing = self.placing();
        let runner = Runner { options: self.options, placing: &placing };
        let runs = threads.map(pattern.runs() as usize, |run| {
            let traffic = self.traffic(pattern, u32::try_from(run).unwrap_or_default()).ok();
            let traffic = traffic.filter(|traffic| !traffic.senders().is_empty());
            let sample = traffic.map(|traffic| runner.run(&traffic.text(bytes, BURST)));
            bar.step(&format!("{pattern}, {bytes} bytes"));
            sample
        });
        // A random permutation may move nothing.
        let runs: Vec<_> = runs.into_iter().flatten().collect();
        if pattern.is_barrier() {
            return Row::barrier(pattern.to_string(), &runs);
        }
        let loads = self.loads(&runner, pattern, bytes, threads);
        Row::new(pattern.to_string(), bytes, &runs, loads)
    }

    /// The loads of a pattern of packets.
    fn loads(&self, runner: &Runner<'_>, pattern: Pattern, bytes: u64, threads: &Threads) -> Option<Loads> {
        if pattern != Pattern::Hotspot || self.loads.is_empty() {
            return None;
        }
        let traffic = self.traffic(pattern, 0).ok()?;
        let points = threads.map(self.loads.len(), |at| load::offer(runner, &traffic, bytes, self.loads[at]));
        let points: Vec<Load> = points.into_iter().flatten().collect();
        (!points.is_empty()).then(|| Loads::new(points))
    }

    /// The search for buffers: kernels have their tiles.
    const fn placing(&self) -> Placing {
        Placing {
            placement: None,
            effort: 1,
            seed: self.args.seed,
            jobs: Some(1),
            time_limit: None,
            solver: Chosen::Microlp,
            objective: Objective::USUAL,
        }
    }
}
