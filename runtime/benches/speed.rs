//! What the host runtime takes: seconds to compile a graph, samples a second of one kernel and of a
//! tree of 400, seconds for a reduction over 255 kernels, memory; all in processor time. `cargo
//! bench -p aiec_runtime` measures and writes `RESULTS.md` beside this file.
#![allow(clippy::disallowed_methods, clippy::print_stdout, reason = "a bench starts programs")]

use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use aiec_runtime::{HEADERS, LINKED, RUN};
use serde_json::Value;

type Measured<T> = Result<T, Box<dyn Error>>;

/// The flags of `aiec sim`.
const FLAGS: [&str; 6] = ["-std=c++20", "-O1", "-g1", "-fno-strict-aliasing", "-rdynamic", "-D__X86SIM__"];

/// Samples of a window of `filter.cpp`, words of a window of `tree.cpp`.
const BLOCK: u64 = 1024;

/// A compiled case, linked to the part of the runtime that is compiled once.
struct Program {
    path: PathBuf,
    folder: PathBuf,
    /// Seconds that the compiler and the linker took for it alone.
    compile: f64,
}

/// Seconds and bytes of one run.
struct Run {
    seconds: f64,
    largest: u64,
    memory: u64,
}

fn main() -> Measured<()> {
    let bench = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches");
    let folder = tempfile::tempdir()?;
    let include = headers(folder.path())?;
    let before = processor_seconds()?;
    let run = folder.path().join("run.o");
    compiled(&include, &[Path::new("-c"), &include.join(RUN), Path::new("-o"), &run])?;
    let once = processor_seconds()? - before;
    let compile = |name| compile(name, &bench, folder.path(), &include, &run);
    let (filter, tree) = (compile("filter")?, compile("tree")?);
    let mut rows = String::new();
    let mut row = |what: &str, value: String| {
        println!("{what}: {value}");
        writeln!(rows, "| {what} | {value} |")
    };
    row("compile the runtime, once for all graphs", format!("{once:.1} s"))?;
    row("compile a graph with one kernel", format!("{:.1} s", filter.compile))?;
    row("compile a graph with 400 kernels of three sources", format!("{:.1} s", tree.compile))?;
    let windows = 2000;
    let numbers: String = (0..windows * BLOCK).map(|n| format!("{}\n", n % 30011)).collect();
    fs::write(filter.folder.join("in.txt"), numbers)?;
    let run = filter.run(0, windows)?;
    row("FIR filter of 16 taps, one kernel, file to file", per_second(windows * BLOCK, &run))?;
    row("memory of that kernel", kib(run.largest))?;
    let runs = 50;
    let run = tree.run(400, runs)?;
    row("tree of 400 kernels, samples that kernels add", per_second(400 * runs * BLOCK, &run))?;
    row(
        "memory of these kernels, the largest and all",
        format!("{}, {}", kib(run.largest), kib(run.memory)),
    )?;
    let run = tree.run(255, 1)?;
    row("reduction of 4 KiB over 255 kernels", format!("{:.2} s", run.seconds))?;
    let text = format!(
        "# What the host runtime takes\n\nWritten by `cargo bench -p aiec_runtime`, with {}, in\nseconds of processor time.\n\n\
         | measurement | result |\n|---|---|\n{rows}",
        compiler()?
    );
    fs::write(bench.join("RESULTS.md"), text)?;
    Ok(())
}

/// Processor time of all programs that this one has started and waited for, from `/proc/self/stat`
/// in hundredths of a second: what else runs on the machine does not count.
fn processor_seconds() -> Measured<f64> {
    let stat = fs::read_to_string("/proc/self/stat")?;
    let (_, fields) = stat.rsplit_once(')').ok_or("unknown format of /proc/self/stat")?;
    let ticks = fields.split_whitespace().skip(13).take(2).map(str::parse::<u64>);
    Ok(ticks.sum::<Result<u64, _>>()? as f64 / 100.0)
}

fn per_second(samples: u64, run: &Run) -> String {
    format!("{:.2} million samples a second", samples as f64 / run.seconds / 1e6)
}

fn kib(bytes: u64) -> String {
    format!("{} KiB", bytes.div_ceil(1024))
}

fn compiler() -> Measured<String> {
    let output = Command::new("g++").arg("-dumpfullversion").output()?;
    Ok(format!("g++ {}", String::from_utf8_lossy(&output.stdout).trim()))
}

/// Lays the headers out below `folder`.
fn headers(folder: &Path) -> Measured<PathBuf> {
    let include = folder.join("include");
    for (path, text) in HEADERS.iter() {
        let file = include.join(path);
        fs::create_dir_all(file.parent().unwrap_or(&include))?;
        fs::write(file, text)?;
    }
    Ok(include)
}

fn compiled(include: &Path, arguments: &[&Path]) -> Measured<()> {
    let output =
        Command::new("g++").args(FLAGS).arg(LINKED).arg("-I").arg(include).args(arguments).output()?;
    if output.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&output.stderr).into()) }
}

fn compile(name: &str, bench: &Path, folder: &Path, include: &Path, run: &Path) -> Measured<Program> {
    let folder = folder.join(name);
    fs::create_dir_all(&folder)?;
    let path = folder.join("program");
    let source = bench.join(format!("cases/{name}.cpp"));
    let before = processor_seconds()?;
    compiled(include, &[&source, run, Path::new("-o"), &path])?;
    Ok(Program { path, folder, compile: processor_seconds()? - before })
}

impl Program {
    fn run(&self, kernels: u64, runs: u64) -> Measured<Run> {
        let events = self.folder.join("events.jsonl");
        let before = processor_seconds()?;
        let output = Command::new(&self.path)
            .current_dir(&self.folder)
            .env("AIEC_SIM_EVENTS", &events)
            .env("KERNELS", kernels.to_string())
            .env("RUNS", runs.to_string())
            .output()?;
        let seconds = processor_seconds()? - before;
        if !output.status.success() || !output.stderr.is_empty() {
            return Err(String::from_utf8_lossy(&output.stderr).into());
        }
        let text = fs::read_to_string(events)?;
        let end: Value = serde_json::from_str(text.lines().last().unwrap_or("null"))?;
        let bytes = |name: &str| end[name].as_u64().unwrap_or(0);
        Ok(Run { seconds, largest: bytes("largest"), memory: bytes("memory") })
    }
}
