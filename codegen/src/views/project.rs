//! The files around the graph: data movers, `system.cfg`, `Makefile`, `README.md`.

use std::collections::BTreeSet;

use aiec_ir::ExternalId;
use aiec_ir::design::Endpoint;
use aiec_placer::Placed;
use askama::Template;

use super::host::is_blocking;
use super::simulation::{gmio, is_output};
use super::{Context, Traffic};
use crate::emit::Locations;
use crate::lines::counted;

/// `pl_kernels/mm2s_BITS.cpp`
#[derive(Template)]
#[template(path = "mm2s.cpp.askama", escape = "none")]
pub(crate) struct Mm2sCpp<'a> {
    pub stamp: &'a str,
    pub bits: u32,
}

/// `pl_kernels/s2mm_BITS.cpp`
#[derive(Template)]
#[template(path = "s2mm.cpp.askama", escape = "none")]
pub(crate) struct S2mmCpp<'a> {
    pub stamp: &'a str,
    pub bits: u32,
}

/// `system.cfg`
#[derive(Template)]
#[template(path = "system.cfg.askama", escape = "none")]
pub(crate) struct SystemCfg<'a> {
    stamp: &'a str,
    kernels: Vec<String>,
    streams: Vec<String>,
}

/// `Makefile`
#[derive(Template)]
#[template(path = "Makefile.askama", escape = "none")]
pub(crate) struct Makefile<'a> {
    stamp: &'a str,
    design: &'a str,
    movers: Vec<String>,
    /// What the host reads and writes, as words of a shell.
    folders: Vec<String>,
    files: Vec<String>,
}

/// `README.md`
#[derive(Template)]
#[template(path = "README.md.askama", escape = "none")]
pub(crate) struct Readme<'a> {
    stamp: &'a str,
    design: &'a str,
    summary: String,
    has_roles: bool,
    has_movers: bool,
    /// The host makes each GMIO transfer in a thread of its own.
    is_blocking: bool,
    /// What `aie/placement.h` says; none if there is no such file.
    locations: Option<&'static str>,
    /// Inputs of the widest merge of packets, if they are more than tools of old take.
    merge: Option<u32>,
    kernels: Vec<String>,
    externals: Vec<String>,
    missing: Vec<String>,
    made: Made,
}

/// How a project was made.
pub(crate) struct Made {
    /// The whole command.
    pub command: String,
    /// Files of the user's: where they went, and where they came from.
    pub copies: Vec<(String, String)>,
}

/// Most inputs of a `pktmerge` by UG1079 of 2022.2; 32 today.
const OLD_MERGE: u32 = 4;

/// Inputs of the widest merge of packets, if there is any.
fn widest_merge(context: &Context<'_>) -> Option<u32> {
    context.design.collectives.iter().filter_map(|collective| collective.plan.merged_streams()).max()
}

/// A PLIO with its width in bits.
#[derive(Clone, Copy)]
pub(super) struct Plio {
    pub id: ExternalId,
    pub bits: u32,
    pub output: bool,
    pub traffic: Traffic,
}

impl Plio {
    pub fn mover(self) -> String {
        format!("{}_{}", self.direction(), self.bits)
    }

    const fn direction(self) -> &'static str {
        if self.output { "s2mm" } else { "mm2s" }
    }

    /// Elements in one line of its data file: as many as its width holds (UG1076, "PLIO data files"), at least one.
    pub fn values_per_line(self) -> u64 {
        u64::from((self.bits / 8 / self.traffic.window.element.bytes().max(1)).max(1))
    }
}

/// The PLIO inputs and outputs in use.
pub(super) fn plio<'a>(context: &'a Context<'_>) -> impl Iterator<Item = Plio> + 'a {
    context.used_externals().filter_map(|(id, traffic)| match &context.design.externals[id].endpoint {
        Endpoint::Plio { bits, .. } => {
            Some(Plio { id, bits: bits.value, output: is_output(context, id), traffic })
        }
        Endpoint::Gmio { .. } => None,
    })
}

/// The data movers the project needs, by direction and width.
pub(crate) fn movers(context: &Context<'_>) -> BTreeSet<(&'static str, u32)> {
    plio(context).map(|plio| (plio.direction(), plio.bits)).collect()
}

/// The name of the data mover instance of a PLIO.
pub(super) fn instance(context: &Context<'_>, plio: Plio) -> String {
    format!("{}_{}", plio.direction(), context.names.logical[plio.id])
}

/// Movers and the streams that connect them.
pub(crate) fn system_cfg<'a>(context: &'a Context<'a>) -> SystemCfg<'a> {
    let kernels = movers(context).into_iter().map(|(direction, bits)| {
        let instances: Vec<String> = plio(context)
            .filter(|plio| (plio.direction(), plio.bits) == (direction, bits))
            .map(|plio| instance(context, plio))
            .collect();
        format!("nk={direction}_{bits}:{}:{}", instances.len(), instances.join("."))
    });
    let streams = plio(context).map(|plio| {
        let (mover, port) = (
            format!("{}.s", instance(context, plio)),
            format!("ai_engine_0.{}", context.names.logical[plio.id]),
        );
        if plio.output {
            format!("stream_connect={port}:{mover}")
        } else {
            format!("stream_connect={mover}:{port}")
        }
    });
    SystemCfg { stamp: &context.stamp, kernels: kernels.collect(), streams: streams.collect() }
}

/// The build.
pub(crate) fn makefile<'a>(context: &'a Context<'a>) -> Makefile<'a> {
    let movers = movers(context).into_iter().map(|(direction, bits)| format!("{direction}_{bits}"));
    Makefile {
        stamp: &context.stamp,
        design: &context.design.name.value,
        movers: movers.collect(),
        folders: folders(context).into_iter().map(shell_word).collect(),
        files: root_inputs(context).into_iter().map(shell_word).collect(),
    }
}

/// The folders at the top of the project that hold data of inputs or outputs, which the board needs too.
fn folders<'a>(context: &'a Context<'_>) -> BTreeSet<&'a str> {
    let paths = context.used_externals().map(|(id, _)| context.names.data[id].as_str());
    let golden = context.names.golden.iter().flatten().map(String::as_str);
    paths.chain(golden).filter_map(|path| path.split_once('/')).map(|(folder, _)| folder).collect()
}

/// The data files of inputs that lie in no folder.
fn root_inputs<'a>(context: &'a Context<'_>) -> BTreeSet<&'a str> {
    let inputs = context.used_externals().filter(|(id, _)| !is_output(context, *id));
    inputs.map(|(id, _)| context.names.data[id].as_str()).filter(|path| !path.contains('/')).collect()
}

/// `path` as one word of a shell command in a Makefile, which doubles dollars.
fn shell_word(path: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '-' | '+' | '=' | ',' | '@' | '%');
    let path = if path.starts_with('-') { format!("./{path}") } else { path.to_owned() };
    if path.trim_start_matches("./").chars().all(plain) {
        path
    } else {
        format!("'{}'", path.replace('\'', "'\\''").replace('$', "$$"))
    }
}

/// What the project is, in words and tables. `missing` are inputs whose data was not handed over.
pub(crate) fn readme<'a>(
    context: &'a Context<'a>,
    placed: &Placed,
    missing: &[ExternalId],
    made: Made,
) -> Readme<'a> {
    let design = context.design;
    let what = format!(
        "{} and {} on {}",
        counted(design.kernels.len(), "kernel"),
        counted(design.connections.len(), "connection"),
        context.device.description
    );
    Readme {
        stamp: &context.stamp,
        design: &design.name.value,
        summary: what,
        has_roles: !context.roles.roles.is_empty(),
        has_movers: plio(context).next().is_some(),
        is_blocking: gmio(context).next().is_some() && is_blocking(context),
        locations: match context.locations {
            Locations::None => None,
            Locations::Kernels => Some("where the kernels run; the mapper places the rest"),
            Locations::All => Some("where everything lies"),
        },
        merge: widest_merge(context).filter(|&inputs| inputs > OLD_MERGE),
        kernels: kernel_rows(context),
        externals: context
            .used_externals()
            .map(|(id, traffic)| external_row(context, placed, id, traffic))
            .collect(),
        missing: missing.iter().filter_map(|&id| missing_line(context, id)).collect(),
        made,
    }
}

fn kernel_rows(context: &Context<'_>) -> Vec<String> {
    let memory = &context.device.memory;
    let row = |(_, family): (_, &aiec_ir::design::Family)| {
        let size = |given: &Option<aiec_diag::Spanned<u32>>, default| {
            given.as_ref().map_or(default, |size| size.value)
        };
        let source = context.names.source(&family.source.value);
        let (stack, heap) =
            (size(&family.stack, memory.default_stack), size(&family.heap, memory.default_heap));
        format!(
            "| {} | {} | `aie/kernels/{source}` | {stack} B | {heap} B |",
            family.name,
            family.instances()
        )
    };
    context.design.families.enumerate().map(row).collect()
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
    format!("| {name} | {way}, {kind} | `{file}` | {values} {element} | {at} |")
}

/// Where the simulators read or write a PLIO's data.
fn plio_file(context: &Context<'_>, id: ExternalId, output: bool) -> String {
    let file = &context.names.data[id];
    if output { format!("x86simulator_output/{file}") } else { file.clone() }
}

fn missing_line(context: &Context<'_>, id: ExternalId) -> Option<String> {
    let traffic = context.traffic(id)?;
    let file = &context.names.data[id];
    Some(format!(
        "- `{file}` was not there when the project was made. Before a simulation, write {} values of type {} there, separated by blanks.",
        traffic.elements(),
        traffic.window.element
    ))
}

#[cfg(test)]
mod tests {
    use super::shell_word;

    #[test]
    fn a_path_is_one_word_of_the_shell() {
        assert_eq!(shell_word("in_0.txt"), "in_0.txt");
        assert_eq!(shell_word("my data"), "'my data'");
        assert_eq!(shell_word("5$.txt"), "'5$$.txt'");
        assert_eq!(shell_word("it's"), "'it'\\''s'");
        assert_eq!(shell_word("-f"), "./-f");
    }
}
