//! `README.md` of a project: the design, its placement, how to run it and which files to read.

use aiec_check::Checked;
use aiec_device::release::{Board, HostApi};
use aiec_diag::Spanned;
use aiec_ir::design::{Body, Endpoint, Family};
use aiec_ir::expanded::{Collective, DataEnd};
use aiec_ir::{Direction, ExternalId};
use aiec_placer::Placed;
use askama::Template;

use super::build;
use super::graph_cpp::{gmio, is_output};
use super::parameters;
use super::project::plio;
use super::texts::{cell, code};
use super::{Context, Traffic};
use crate::lines::counted;
use crate::options::Locations;
use crate::report::{Report, Use};
use aiec_draw::{floorplan, text};

/// The fields of the template of `README.md`.
#[derive(Template)]
#[template(path = "README.md.askama", escape = "none")]
pub(crate) struct Readme<'a> {
    stamp: &'a str,
    design: &'a str,
    summary: String,
    release: &'static str,
    board: Board,
    computes: Vec<String>,
    has_roles: bool,
    has_cfg: bool,
    has_component: bool,
    has_movers: bool,
    running: Vec<String>,
    reports: Vec<String>,
    kernels: Vec<String>,
    memory: Vec<String>,
    fullest: String,
    floorplan: String,
    externals: Vec<String>,
    missing: Vec<String>,
    open: Vec<String>,
    /// The contents of `aie/placement.h` in words. None when the project has no such file.
    locations: Option<&'static str>,
    made: Made,
}

/// The origin of a project: its command and its copies of the user's files.
pub(crate) struct Made {
    /// The command that made the project, with all arguments that decide its content.
    pub command: String,
    /// Files of the user's: where they went, and where they came from.
    pub copies: Vec<(String, String)>,
}

impl Made {
    /// The rows of the table of copies.
    fn rows(&self) -> Vec<String> {
        self.copies
            .iter()
            .map(|(copy, original)| format!("| {} | {} |", cell(copy), cell(original)))
            .collect()
    }
}

/// The project in words and tables. `missing` lists the inputs whose data was not supplied.
pub(crate) fn readme<'a>(
    context: &'a Context<'a>,
    checked: &Checked,
    placed: &Placed,
    report: &Report,
    missing: &[DataEnd],
    made: Made,
) -> Readme<'a> {
    let design = context.design;
    let summary = format!(
        "{} and {} on {}",
        counted(design.kernels.len(), "kernel"),
        counted(design.connection_count(), "connection"),
        context.device.description
    );
    let plan = floorplan(checked, placed, context.device, report.placement);
    Readme {
        stamp: &context.stamp,
        design: &design.name.value,
        summary,
        release: design.release.name,
        board: design.board,
        computes: computes(context, report),
        has_roles: !context.roles.roles.is_empty(),
        has_cfg: build::compiler_cfg(context).is_some(),
        has_component: build::component(context).is_some(),
        has_movers: plio(context).next().is_some(),
        running: running(context),
        reports: reports(context),
        kernels: kernel_rows(context),
        memory: memory_rows(report),
        fullest: fullest(context.locations, report),
        floorplan: text(&plan).trim_end().to_owned(),
        externals: context
            .used_externals()
            .map(|one| external_row(context, placed, one.id, one.traffic))
            .chain(parameters::rows(context))
            .collect(),
        missing: missing.iter().filter_map(|&end| missing_line(context, end)).collect(),
        open: open(context),
        locations: match context.locations {
            Locations::None => None,
            Locations::Kernels => Some("tiles of the kernels; the mapper places the rest"),
            Locations::All => Some("locations of kernels, buffers, inputs and outputs"),
        },
        made,
    }
}

/// A line for each collective, and the bytes read and written in one run of the graph.
fn computes(context: &Context<'_>, report: &Report) -> Vec<String> {
    let design = context.design;
    let mut lines = vec![String::new()];
    for (collective, times) in design.collectives.iter().zip(&report.estimate.collectives) {
        lines.push(format!(
            "- `{}`: {} Estimated at {} cycles of the array a call ({}).",
            collective.name,
            in_words(context, collective),
            times.call_cycles,
            times.basis.words()
        ));
    }
    if lines.len() == 1 {
        lines.push("The kernel sources define the computation, the design the connections.".to_owned());
    } else {
        lines.extend([String::new(), report.estimate.note.clone()]);
    }
    let runs = u64::from(design.iterations);
    let bytes = |way: Direction| -> u64 {
        let all = context.data_of(way).map(|data| data.traffic);
        all.map(|traffic| traffic.elements() * u64::from(traffic.window.element.bytes()) / runs.max(1)).sum()
    };
    lines.push(String::new());
    lines.push(format!(
        "One iteration reads {} bytes and writes {} bytes. A simulation and the host program run {}.",
        bytes(Direction::Out),
        bytes(Direction::In),
        counted(design.iterations as usize, "iteration")
    ));
    lines
}

/// The effect of a collective, in a sentence or two.
fn in_words(context: &Context<'_>, collective: &Collective) -> String {
    let (ranks, data) = (collective.ranks.len(), collective.data.value);
    let root = &context.design.kernels[collective.root.value].name;
    let messages = collective.plan.row().takes_messages;
    let block = match messages {
        true => format!("{} bytes", data.bytes()),
        false => format!("{} {}", data.elements, data.element),
    };
    let with = collective.op.as_ref().map_or_else(String::new, |op| format!(" with `{}`", op.value));
    let sentence =
        collective.plan.row().sentence.replace("{root}", root).replace("{ranks}", &ranks.to_string());
    let what = sentence.replace("{block}", &block).replace("{with}", &with);
    if messages {
        return format!("{what}. Kernels send as often as they want.");
    }
    let calls = if collective.calls == 1 { "once".to_owned() } else { format!("{} times", collective.calls) };
    format!("{what}, {calls} in each run of a kernel. Shape: {}.", collective.plan.shape)
}

/// Prerequisites and results of the commands, by release and board.
fn running(context: &Context<'_>) -> Vec<String> {
    let release = context.design.release;
    let mut lines = vec![String::new()];
    lines.push(match context.design.board {
        Board::Vck190 => format!(
            "All commands but the first need Vitis {release} (`source settings64.sh`). The board \
             also needs the common image of the release: `COMMON_IMAGE` of the Makefile is its \
             folder, with the sysroot that its `sdk.sh` makes. `make hw` writes an SD card image; \
             on the board run `./host.exe a.xclbin`. In the emulator, run `export \
             XCL_EMULATION_MODE=hw_emu` first."
        ),
        Board::Vck5000 => format!(
            "All commands but the first need Vitis {release} (`source settings64.sh`). The card \
             also needs its development platform and XRT (`source /opt/xilinx/xrt/setup.sh`). \
             `make run` runs `./host.exe build_hw/a.xclbin` on the server."
        ),
    });
    let unknown = build::unknown(context);
    for (name, why) in &unknown {
        lines.push(String::new());
        lines.push(format!("`make` needs `{name}`: {why}."));
    }
    lines
}

/// The files where tools and program report results.
fn reports(context: &Context<'_>) -> Vec<String> {
    let outputs = context.used_externals().any(|one| is_output(context, one.id));
    let mut lines = vec![
        String::new(),
        "- `build_aie/Work/reports/`: placement and routes of Vitis's mapper and router.".to_owned(),
        "- `vitis_analyzer aiesimulator_output/default.aierun_summary`: cycles of every kernel, \
         stalls and traces of `make aiesim`."
            .to_owned(),
    ];
    if outputs {
        lines.push(
            "- `x86simulator_output/`, `aiesimulator_output/`: outputs through PLIO; \
             data/README.md names the files of outputs through global memory."
                .to_owned(),
        );
    }
    if context.design.collectives.iter().any(|collective| collective.cycles.is_some()) {
        lines.push(
            "- The kernels measure cycle counts and write them to outputs of the design; \
             the host program prints them."
                .to_owned(),
        );
    }
    lines
}

fn kernel_rows(context: &Context<'_>) -> Vec<String> {
    let memory = &context.device.memory;
    let row = |family: &Family, bodies: &[&Body]| {
        let size = |given: &Option<Spanned<u32>>, default| given.as_ref().map_or(default, |size| size.value);
        let body = bodies.first()?;
        let source = context.names.source(&body.source.value);
        let (stack, heap) = (size(&body.stack, memory.default_stack), size(&body.heap, memory.default_heap));
        let count = if family.bodies.len() == 1 { family.instances() as usize } else { bodies.len() };
        let file = cell(&format!("aie/kernels/{source}"));
        Some(format!("| {} | {count} | {file} | {stack} B | {heap} B |", family.name))
    };
    let mut rows = Vec::new();
    for family in context.design.families.iter() {
        // Instances with equal rows share one.
        let mut kinds: Vec<Vec<&Body>> = Vec::new();
        for body in &family.bodies {
            let same = |other: &&mut Vec<&Body>| {
                other.first().is_some_and(|first| {
                    (&first.source, &first.stack, &first.heap) == (&body.source, &body.stack, &body.heap)
                })
            };
            match kinds.iter_mut().find(same) {
                Some(kind) => kind.push(body),
                None => kinds.push(vec![body]),
            }
        }
        rows.extend(kinds.iter().filter_map(|kind| row(family, kind)));
    }
    rows
}

fn memory_rows(report: &Report) -> Vec<String> {
    let totals = &report.totals;
    let row = |what: &str, amount: Use| format!("| {what} | {} | {} |", amount.used, amount.available);
    vec![
        row("cores", totals.cores),
        row("bytes of data memory", totals.bytes),
        row("DMA channels, stream to memory", totals.s2mm),
        row("DMA channels, memory to stream", totals.mm2s),
        format!("| nets | {} | |", totals.nets),
    ]
}

/// The fullest memory module, and the number of connections through shared memory.
fn fullest(locations: Locations, report: &Report) -> String {
    let most = report.tiles.iter().max_by_key(|tile| (tile.bytes.used, std::cmp::Reverse(tile.tile)));
    let module = most.map_or_else(String::new, |tile| {
        let (at, bytes) = (tile.tile, tile.bytes);
        format!(
            "The fullest memory module is that of tile ({}, {}): {} of {} bytes. ",
            at.column, at.row, bytes.used, bytes.available
        )
    });
    let resources = &report.estimate.resources;
    let whose = match locations {
        Locations::None => "aiec's tiles for the kernels; the mapper may choose others:",
        Locations::Kernels | Locations::All => "The tiles of the kernels:",
    };
    format!(
        "{module}{} of the connections go through shared memory, {} over streams. {whose}",
        resources.shared_connections, resources.routed_connections
    )
}

fn external_row(context: &Context<'_>, placed: &Placed, id: ExternalId, traffic: Traffic) -> String {
    let external = &context.design.externals[id];
    let output = is_output(context, id);
    let (kind, file) = match &external.endpoint {
        Endpoint::Plio { bits, .. } => (format!("{}-bit PLIO", bits.value), plio_file(context, id, output)),
        Endpoint::Gmio { .. } => ("GMIO".to_owned(), context.names.data[id].clone()),
    };
    let way = if output { "output" } else { "input" };
    let (values, shim) = (traffic.elements(), placed.shims[id]);
    let at = match (context.locations, &external.endpoint) {
        (Locations::All, Endpoint::Plio { .. }) => {
            format!("column {}, channel {}", shim.column, shim.channel)
        }
        (Locations::All, Endpoint::Gmio { .. }) => format!("column {}", shim.column),
        (Locations::None | Locations::Kernels, _) => "the mapper's choice".to_owned(),
    };
    let element = traffic.window.element;
    let name = &external.name;
    let file = cell(&file);
    format!("| {name} | {way}, {kind} | {file} | {values} {element} | {at} |")
}

/// The path where the simulators read or write a PLIO's data.
fn plio_file(context: &Context<'_>, id: ExternalId, output: bool) -> String {
    let file = &context.names.data[id];
    if output { format!("x86simulator_output/{file}") } else { file.clone() }
}

fn missing_line(context: &Context<'_>, end: DataEnd) -> Option<String> {
    let traffic = context.data_of(Direction::Out).find(|data| data.end == end)?.traffic;
    let file = code(&context.file_of(end));
    Some(format!(
        "- {file} did not exist when the project was made. Before a simulation, write {} values \
         of type {} to it, separated by blanks.",
        traffic.elements(),
        traffic.window.element
    ))
}

/// Untested properties, and those settled by no document.
fn open(context: &Context<'_>) -> Vec<String> {
    let release = context.design.release;
    let mut lines = vec![
        String::new(),
        format!(
            "- aiec is untested with an installed Vitis {release}. Commands and calls follow \
             AMD's documents, which aiec's `docs/releases.md` lists."
        ),
        "- Cycles are estimates for an idle array; the vendor's tools may route and schedule otherwise."
            .to_owned(),
    ];
    let has_gmio = gmio(context).next().is_some();
    if has_gmio && release.host.value == Some(HostApi::Sync) {
        lines.push(format!(
            "- UG1076 {release} recommends the ADF API for transfers from and to global memory. \
             The host uses XRT alone, where a transfer blocks. aiec assumes that several transfers \
             may block at once, each in its own thread."
        ));
    }
    if context.design.board == Board::Vck5000 {
        lines.push(
            "- A server cannot start, stop or query a graph on the VCK5000 (Xilinx/XRT#7010). The \
             graph runs from when the xclbin is loaded, and waits for data. Inputs and outputs \
             through PLIO work this way. For global memory no document shows a host on the server."
                .to_owned(),
        );
    }
    lines
}
