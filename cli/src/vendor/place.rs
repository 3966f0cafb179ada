//! `aiec place --import`: the placement of aiecompiler, verified and drawn.

use std::collections::BTreeMap;

use aiec_device::{Device, Tile};
use aiec_diag::{Diagnostic, SourceFile, count};
use aiec_draw::{End, ExternalMark, Floorplan, KernelMark, Line, Medium, ModuleMark};
use aiec_vendor::aiecst::{self, Constraints};
use aiec_vendor::floor::{self, Floor};
use aiec_vendor::map_report::{self, MapReport};

use super::files::{Purpose, files, names};
use crate::args::Place;
use crate::disk::Form;
use crate::errors;
use crate::invocation::Invocation;
use crate::output::Console;
use crate::results::Results;
use crate::summary;

/// The most unknown entries that are named.
const MOST_NAMED: usize = 5;

/// Verifies and draws the placement of the files.
pub(crate) fn place(args: &Place, invocation: &mut Invocation, console: &mut Console<'_>) -> Option<()> {
    let device = super::device(args.input.reading.device.as_deref(), invocation)?;
    let files = files(&args.import, Purpose::Placement, invocation)?;
    let results = Results::of_files(args.overwrite, invocation);
    results.check(&[(&args.svg, Form::Svg)], invocation)?;
    let read = read(&files, invocation)?;
    let (floor, mut faults) = floor::build(&read.reports, &read.constraints, &device);
    faults.extend(floor::verify(&floor, &device));
    let plan = floorplan(&names(&files), &floor, &device);
    results.write(&[(&args.svg, Form::Svg, aiec_draw::svg(&plan))], invocation)?;
    console.text(&aiec_draw::text(&plan));
    console.text(&summary(&plan, &read, &floor, &faults));
    invocation.log.diagnostics.extend(faults);
    Some(())
}

/// The contents of files.
pub(super) struct Read {
    pub(super) reports: Vec<MapReport>,
    pub(super) constraints: Vec<Constraints>,
}

/// Reads each file by the form of its text.
pub(super) fn read(files: &[SourceFile], invocation: &mut Invocation) -> Option<Read> {
    let mut read = Read { reports: Vec::new(), constraints: Vec::new() };
    for file in files {
        let text = file.text.trim_start_matches('\u{feff}').trim_start();
        if text.contains("\"Net Routing\"") || text.contains("\"tree\"") {
            return invocation.fail(errors::no_placement(file));
        }
        if text.starts_with('{') {
            read.constraints.push(invocation.log.take(aiecst::read(file))?);
        } else if map_report::is_report(text) || file.name.ends_with(".csv") {
            read.reports.push(invocation.log.take(map_report::read(file))?);
        } else {
            return invocation.fail(errors::no_placement(file));
        }
    }
    Some(read)
}

/// What was verified, and what the files leave open.
fn summary(plan: &Floorplan, read: &Read, floor: &Floor, faults: &[Diagnostic]) -> String {
    let (stacks, shared) = (floor.blocks.iter().filter(|block| block.stack).count(), shared(floor));
    let counted = format!(
        "{}, {}, {}, {}",
        count(floor.kernels.len() as u64, "kernel"),
        count(stacks as u64, "stack"),
        count((floor.blocks.len() - stacks) as u64, "buffer"),
        match floor.shims.len() {
            1 => "1 input or output".to_owned(),
            shims => format!("{shims} inputs and outputs"),
        }
    );
    let verdict = match faults.len() {
        0 => "no rule broken".to_owned(),
        faults => format!("faults: {faults}"),
    };
    let by_dma = match read.reports.is_empty() {
        true => "unknown, constraints do not tell".to_owned(),
        false => connections(floor.links.len() - shared),
    };
    let mut rows = vec![
        ("placement".into(), format!("{} on {}", plan.design, plan.device)),
        ("verified".into(), format!("{counted}: {verdict}")),
        ("shared".into(), connections(shared)),
        ("by DMA".into(), by_dma),
    ];
    rows.extend(open_questions(read, floor).into_iter().map(|text| ("open".into(), text)));
    rows.extend(skipped(read).map(|text| ("skipped".into(), text)));
    let nets = "none in these files; router.input and aie_control.cpp have them (aiec route --import)";
    rows.push(("nets".into(), nets.into()));
    summary::table(&rows)
}

fn connections(number: usize) -> String {
    count(number as u64, "connection")
}

fn shared(floor: &Floor) -> usize {
    floor.links.iter().filter(|link| link.shared).count()
}

/// What the files leave open, and which file states it.
fn open_questions(read: &Read, floor: &Floor) -> Vec<String> {
    let mut open = Vec::new();
    if floor.blocks.iter().any(|block| block.bytes.is_none()) {
        open.push("overlaps: constraints have no sizes; Map_Report.csv of the same run has them".to_owned());
    }
    if read.constraints.is_empty() && floor.blocks.iter().any(|block| block.stack) {
        open.push("whose stack is where: *_mapped.aiecst of the same run tells".to_owned());
    }
    let areas: usize = read.constraints.iter().map(|all| all.areas.len()).sum();
    if areas > 0 {
        open.push(format!("{areas} area groups: they bind the mapper and place nothing"));
    }
    open
}

/// The entries that aiec does not know.
fn skipped(read: &Read) -> Option<String> {
    let entries = read.constraints.iter().flat_map(|all| &all.unknown);
    let unknown: Vec<String> = entries.map(ToString::to_string).collect();
    let first = unknown.iter().take(MOST_NAMED).cloned().collect::<Vec<_>>().join(", ");
    let more = if unknown.len() > MOST_NAMED { " and more" } else { "" };
    (!unknown.is_empty()).then(|| format!("entries that aiec does not know: {first}{more}"))
}

/// The placement in the form of the pictures.
fn floorplan(name: &str, floor: &Floor, device: &Device) -> Floorplan {
    Floorplan {
        format: "aiec-floorplan",
        version: 1,
        design: name.to_owned(),
        device: device.name.clone(),
        columns: device.columns,
        rows: device.rows,
        placement: None,
        terms: None,
        kernels: kernels(floor, device),
        modules: modules(floor, device),
        externals: externals(floor, device),
        lines: floor.links.iter().filter_map(|link| line(floor, device, link)).collect(),
        // The files have no FIFOs.
        fifos: Vec::new(),
    }
}

/// The kernels on cores of the device. Others are faults, and a picture has no room for them.
fn kernels(floor: &Floor, device: &Device) -> Vec<KernelMark> {
    let inside = floor.kernels.iter().filter(|kernel| on_device(kernel.tile, device));
    let mark = |(index, kernel): (u32, &floor::Kernel)| KernelMark {
        name: kernel.name.clone(),
        family: String::new(),
        index,
        tile: kernel.tile,
        collective: None,
    };
    (0..).zip(inside).map(mark).collect()
}

const fn on_device(tile: Tile, device: &Device) -> bool {
    tile.column < device.columns && tile.row < device.rows
}

fn modules(floor: &Floor, device: &Device) -> Vec<ModuleMark> {
    let mut bytes: BTreeMap<Tile, u64> = BTreeMap::new();
    for block in floor.blocks.iter().filter(|block| on_device(block.module, device)) {
        // A block of unknown size marks its module.
        *bytes.entry(block.module).or_default() += u64::from(block.bytes.unwrap_or(1));
    }
    let available = u64::from(device.memory.module_bytes);
    bytes.into_iter().map(|(tile, bytes)| ModuleMark { tile, bytes, available }).collect()
}

fn externals(floor: &Floor, device: &Device) -> Vec<ExternalMark> {
    let inside = floor.shims.iter().filter(|shim| shim.column < device.columns);
    let mark = |shim: &floor::Shim| ExternalMark {
        name: shim.name.clone(),
        kind: if shim.channel.is_some() { "plio" } else { "gmio" },
        column: shim.column,
        channel: shim.channel.unwrap_or(0),
    };
    inside.map(mark).collect()
}

/// A connection whose both ends are in the picture.
fn line(floor: &Floor, device: &Device, link: &floor::Link) -> Option<Line> {
    let end = |port: &str| {
        let owner = port.rsplit_once('.').map_or(port, |(owner, _)| owner);
        let kernel = floor.kernel_of(port).filter(|kernel| on_device(kernel.tile, device));
        let (column, row) = match kernel {
            Some(kernel) => (kernel.tile.column, Some(kernel.tile.row)),
            None => {
                let shim = floor.shims.iter().find(|shim| shim.name == owner)?;
                (Some(shim.column).filter(|&column| column < device.columns)?, None)
            }
        };
        Some(End { port: port.to_owned(), column, row, memory: None })
    };
    Some(Line {
        from: end(&link.from)?,
        to: end(link.to.as_ref()?)?,
        by: if link.shared { Medium::Shared } else { Medium::Dma },
    })
}
