//! One side of `aiec compare`: a design, a placement or routes of aiec, or files of aiecompiler.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use aiec_device::{Device, Tile};
use aiec_diag::json::{self, Field, Json, Value, field};
use aiec_diag::{SourceFile, SourceId, Span};
use aiec_draw::{Medium, RoutingPlan};
use aiec_router_model::RouteOptions;
use aiec_system::files::{MAX_TEXT, MAX_VENDOR};
use aiec_vendor::aiecst;
use aiec_vendor::compare::{Cut, Net, Routing, Side};
use aiec_vendor::floor::{self, Block, Floor, Kernel, Link, Shim};

use super::files::{Purpose, files, has_files, is_folder};
use super::place;
use crate::args::Compare;
use crate::commands::locations;
use crate::compared::Compared;
use crate::errors;
use crate::invocation::{Invocation, placed};
use crate::locate::graph_of;
use crate::values::Takes;
use crate::{locate, route};

/// The most values of a JSON file of aiec, which bounds the memory that they take.
const MOST_VALUES: usize = 1_000_000;

/// A side as it was read.
pub(super) struct Read {
    side: Side,
    /// Of a design or graph, the places with the names of aiec's placement files.
    own: Option<Floor>,
    /// True for a placement file of aiec.
    is_own: bool,
}

impl Read {
    /// A side that the vendor's names are in.
    fn foreign(name: &Path, floor: Floor, routing: Option<Routing>) -> Self {
        let side = Side { name: name.display().to_string(), floor, routing, ways: None };
        Self { side, own: None, is_own: false }
    }
}

/// The two sides with names of one kind. A design has the vendor's names, which differ from those
/// in a placement file of aiec: there, inputs, outputs and ports have the names of the design.
/// Inputs and outputs of two designs have the names of their connections.
pub(super) fn alike(sides: [Read; 2]) -> [Side; 2] {
    let has_own = sides.iter().any(|read| read.is_own);
    let are_designs = sides.iter().all(|read| read.own.is_some());
    sides.map(|Read { mut side, mut own, .. }| {
        if let Some(own) = own.as_mut().filter(|_| are_designs) {
            side.floor.shims = std::mem::take(&mut own.shims);
        }
        if let Some(own) = own.filter(|_| has_own) {
            side.floor = Floor { links: std::mem::take(&mut side.floor.links), ..own };
            side.ways = None;
        }
        side
    })
}

/// The side that `path` names. The sources and data of a design are added to `originals`.
pub(super) fn side(
    path: &Path,
    args: &Compare,
    device: &Device,
    originals: &mut Vec<PathBuf>,
    invocation: &mut Invocation,
) -> Option<Read> {
    if is_design(path) {
        return design(path, args, originals, invocation);
    }
    if is_folder(path) {
        // A project that was not compiled yet is its design or graph.
        return match locate::only(path, Takes::Both) {
            Ok(found) if !has_files(path) => {
                let graph = graph_of(&found);
                design(&graph.unwrap_or(found), args, originals, invocation)
            }
            _ => match locate::several(path).filter(|_| !has_files(path)) {
                Some(fault) => invocation.fail(fault),
                None => folder(path, device, invocation),
            },
        };
    }
    let file = invocation.read(path, MAX_VENDOR)?;
    if is_of_aiec(&file) {
        let side = of_aiec(&path.display().to_string(), &file, invocation)?;
        return Some(Read { side, own: None, is_own: true });
    }
    let (floor, routing) = match holds_nets(&file.text) {
        true => (Floor::default(), Some(routes(&[file], device, invocation)?)),
        false => (placement(&[file], device, invocation)?, None),
    };
    Some(Read::foreign(path, floor, routing))
}

/// True for a design, and for an ADF graph in C++: `aie_control.cpp` is no graph.
fn is_design(path: &Path) -> bool {
    let is_control = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("aie_control"));
    let is_design = path.extension().is_some_and(|ending| ending == "dsl");
    is_design || !is_folder(path) && !is_control && graph_of(path).is_some()
}

/// True unless the text is of a form that has a placement.
fn holds_nets(text: &str) -> bool {
    let placement =
        ["\"NodeConstraints\"", "\"PortConstraints\"", "\"GlobalConstraints\"", "BUFFER,", "CLUSTER,"];
    !placement.iter().any(|mark| text.contains(mark))
}

fn placement(files: &[SourceFile], device: &Device, invocation: &mut Invocation) -> Option<Floor> {
    let read = place::read(files, invocation)?;
    let (floor, faults) = floor::build(&read.reports, &read.constraints, device);
    invocation.log.diagnostics.extend(faults);
    Some(floor)
}

fn routes(files: &[SourceFile], device: &Device, invocation: &mut Invocation) -> Option<Routing> {
    let nets = invocation.log.take(aiec_router_model::import(files, device))?;
    let review = aiec_router_model::review(nets, device, &RouteOptions::default());
    let plan = super::plan("", &review, device);
    invocation.log.diagnostics.extend(review.diagnostics);
    Some(routing(&plan))
}

fn routing(plan: &RoutingPlan) -> Routing {
    let net = |net: &aiec_draw::NetMark| Net {
        name: net.name.clone(),
        hops: u32::try_from(net.hops.len()).unwrap_or(u32::MAX),
        longest: net.longest,
    };
    let cut = |cut: &aiec_draw::CutMark| Cut {
        name: cut.name.clone(),
        demand: cut.demand,
        used: cut.used,
        capacity: cut.capacity,
    };
    Routing {
        nets: plan.nets.iter().map(net).collect(),
        cuts: plan.cuts.iter().map(cut).collect(),
        hops: plan.hops() as u64,
    }
}

/// The files of a folder of aiecompiler: a placement, routes, or both.
fn folder(path: &Path, device: &Device, invocation: &mut Invocation) -> Option<Read> {
    let paths = [path.to_path_buf()];
    let mut read = |purpose| {
        let mut tried =
            Invocation { sources: std::mem::take(&mut invocation.sources), ..Invocation::default() };
        let found = files(&paths, purpose, &mut tried);
        invocation.sources = tried.sources;
        found
    };
    let (of_placement, of_nets) = (read(Purpose::Placement), read(Purpose::Nets));
    if of_placement.is_none() && of_nets.is_none() {
        let words = "Map_Report.csv, *_mapped.aiecst, router.input or aie_control.cpp";
        return invocation.fail(errors::no_vendor_files(path, words));
    }
    let floor = match of_placement {
        Some(files) => placement(&files, device, invocation)?,
        None => Floor::default(),
    };
    let routing = match of_nets {
        Some(files) => Some(routes(&files, device, invocation)?),
        None => None,
    };
    Some(Read::foreign(path, floor, routing))
}

/// A design or graph, placed and routed. Places of a design are named as in the graph that aiec
/// emits, and besides as in a placement file.
fn design(
    path: &Path,
    args: &Compare,
    originals: &mut Vec<PathBuf>,
    invocation: &mut Invocation,
) -> Option<Read> {
    let Compared { input, source, options, front } =
        Compared::read(path, args.device.as_ref(), &args.common, originals, invocation)?;
    let agreed = placed(&front, &args.common.placing, &options, invocation)?;
    let text = locations(&front, &agreed.placed, &input, &options, invocation)?.constraints;
    let file = SourceFile { id: source.id, name: source.name, text };
    let all = invocation.log.take(aiecst::read(&file))?;
    let (mut floor, faults) = floor::build(&[], &[all], &front.device);
    invocation.log.diagnostics.extend(faults);
    let plan = route::plan_of(&front, &agreed);
    floor.links = plan.floorplan.iter().flat_map(|plan| &plan.lines).filter_map(link).collect();
    let lines = plan.floorplan.iter().flat_map(|plan| &plan.lines);
    let ways = lines.map(|line| [&line.from.port, &line.to.port].map(Clone::clone));
    let dump = json::parse(&aiec_placer::dump(&front.checked, &agreed.placed)).ok();
    let own = dump.as_ref().and_then(fields).map(|all| aiec_floor(all, file.id));
    let routing = agreed.routes.is_ok().then(|| routing(&plan));
    let mut read = Read { own, ..Read::foreign(path, floor, routing) };
    read.side.ways = Some(ways.collect());
    Some(read)
}

/// A connection of buffers. Streams, packets and cascades have none.
fn link(line: &aiec_draw::Line) -> Option<Link> {
    let shared = match line.by {
        Medium::Shared => true,
        Medium::Dma => false,
        Medium::Stream | Medium::Cascade => return None,
    };
    Some(Link { from: line.from.port.clone(), to: Some(line.to.port.clone()), shared })
}

/// True for a placement or routes that aiec wrote as JSON.
fn is_of_aiec(file: &SourceFile) -> bool {
    let is_named = file.text.contains("\"aiec-placement\"") || file.text.contains("\"branches\"");
    is_named && file.text.trim_start().starts_with('{')
}

/// A placement or routes that aiec wrote as JSON.
fn of_aiec(name: &str, file: &SourceFile, invocation: &mut Invocation) -> Option<Side> {
    let commas = file.text.bytes().filter(|byte| *byte == b',').count();
    if commas > MOST_VALUES || file.text.len() as u64 > MAX_TEXT {
        return invocation.fail(errors::not_comparable(file));
    }
    let side = json::parse(&file.text).ok().and_then(|value| {
        let fields = fields(&value)?;
        let nets = list(field(fields, "nets"));
        let routing = (!nets.is_empty()).then(|| {
            let nets: Vec<Net> = nets.iter().filter_map(net).collect();
            let hops = nets.iter().map(|net| u64::from(net.hops)).sum();
            Routing { nets, cuts: Vec::new(), hops }
        });
        let floor = aiec_floor(fields, file.id);
        (routing.is_some() || !floor.kernels.is_empty()).then(|| Side {
            name: name.to_owned(),
            floor,
            routing,
            ways: None,
        })
    });
    side.or_else(|| invocation.fail(errors::not_comparable(file)))
}

/// Kernels, stacks, buffers and shims of a placement file.
fn aiec_floor(all: &[Field], id: SourceId) -> Floor {
    let span = |at: &std::ops::Range<usize>| Span::of_bytes(id, at.clone());
    let entries = |name: &str| field(all, name).and_then(fields).unwrap_or_default();
    let mut floor = Floor::default();
    for kernel in entries("kernels") {
        let parts = fields(&kernel.value).unwrap_or_default();
        if let Some(tile) = field(parts, "tile").and_then(tile) {
            floor.kernels.push(Kernel { name: kernel.name.clone(), tile, span: span(&kernel.at) });
        }
        floor
            .blocks
            .extend(field(parts, "stack").and_then(|at| block(at, &kernel.name, true, span(&kernel.at))));
    }
    for port in entries("buffers") {
        // Behind the two buffers of a parameter comes the word that selects one of them. Files of
        // constraints have no place for it.
        let buffers = list(Some(&port.value)).iter().take(2);
        floor.blocks.extend(buffers.filter_map(|at| block(at, &port.name, false, span(&port.at))));
    }
    for shim in entries("shims") {
        let parts = fields(&shim.value).unwrap_or_default();
        if let Some(column) = field(parts, "column").and_then(number) {
            let (name, span) = (shim.name.clone(), span(&shim.at));
            let channel = field(parts, "channel").and_then(number);
            floor.shims.push(Shim { name, input: None, column, channel, span });
        }
    }
    floor
}

fn block(value: &Json, user: &str, stack: bool, span: Span) -> Option<Block> {
    let parts = fields(value)?;
    Some(Block {
        name: user.to_owned(),
        stack,
        module: tile(field(parts, "tile")?)?,
        bank: None,
        offset: number(field(parts, "offset")?),
        bytes: None,
        users: vec![user.to_owned()],
        span,
    })
}

/// A net of routes: its name, and its hops from the branches, `"0,1 1,1 2,1"`.
fn net(value: &Json) -> Option<Net> {
    let parts = fields(value)?;
    let branches: Vec<Vec<&str>> = list(field(parts, "branches"))
        .iter()
        .filter_map(|branch| match &branch.value {
            Value::Text(text) => Some(text.split_whitespace().collect()),
            _ => None,
        })
        .collect();
    let mut depth: BTreeMap<&str, u32> = BTreeMap::new();
    let mut hops = 0_u32;
    for branch in &branches {
        for pair in branch.windows(2) {
            let from = depth.get(pair[0]).copied().unwrap_or(0);
            depth.entry(pair[1]).or_insert_with(|| from.saturating_add(1));
            hops = hops.saturating_add(1);
        }
    }
    let Value::Text(name) = &field(parts, "from")?.value else { return None };
    Some(Net { name: name.clone(), hops, longest: depth.into_values().max().unwrap_or(0) })
}

fn fields(value: &Json) -> Option<&[Field]> {
    match &value.value {
        Value::Object(fields) => Some(fields),
        _ => None,
    }
}

fn list(value: Option<&Json>) -> &[Json] {
    match value.map(|value| &value.value) {
        Some(Value::List(values)) => values,
        _ => &[],
    }
}

fn number<T: std::str::FromStr>(value: &Json) -> Option<T> {
    match &value.value {
        Value::Number(number) => number.parse().ok(),
        _ => None,
    }
}

fn tile(value: &Json) -> Option<Tile> {
    match list(Some(value)) {
        [column, row] => Some(Tile::new(number(column)?, number(row)?)),
        _ => None,
    }
}
