//! `data/README.md`: the data of inputs and outputs, by file.

use aiec_ir::expanded::DataEnd;
use aiec_ir::{Direction, ExternalId};
use askama::Template;

use super::project::{Plio, plio};
use super::texts::code;
use super::{Context, FileData, Traffic};
use crate::lines::counted;

/// The fields of the template of `data/README.md`.
#[derive(Template)]
#[template(path = "data.md.askama", escape = "none")]
pub(crate) struct DataReadme<'a> {
    stamp: &'a str,
    design: &'a str,
    has_complex: bool,
    has_parameters: bool,
    has_plio_outputs: bool,
    inputs: Vec<String>,
    outputs: Vec<String>,
}

/// Files of one array with equal types and amounts of data.
struct Files {
    group: Option<(bool, usize)>,
    traffic: Traffic,
    per_line: u64,
    /// Runs of the graph, if the file holds values of a parameter for each.
    runs: Option<u64>,
    first: String,
    last: String,
}

impl Files {
    fn line(&self) -> String {
        let Self { traffic, per_line, runs, first, last, .. } = self;
        let (files, each) = if first == last {
            (code(first), "")
        } else {
            (format!("{} to {}", code(first), code(last)), " each")
        };
        let (values, element) = (traffic.elements(), traffic.window.element);
        let runs = runs.map_or_else(String::new, |runs| {
            format!(
                "; a run-time parameter, {} for each of {}",
                traffic.window.elements,
                counted(runs as usize, "run")
            )
        });
        format!("- {files}: {values} values of type {element}{each}, {per_line} a line{runs}")
    }
}

/// The contents of the data folder, including files that do not exist yet.
pub(crate) fn data_readme<'a>(context: &'a Context<'a>) -> DataReadme<'a> {
    let all = || [Direction::Out, Direction::In].into_iter().flat_map(|way| context.data_of(way));
    DataReadme {
        stamp: &context.stamp,
        design: &context.design.name.value,
        has_complex: all().any(|data| data.traffic.window.element.is_complex()),
        has_parameters: all().any(|data| matches!(data.end, DataEnd::Parameter(_))),
        has_plio_outputs: plio(context).any(|plio| plio.output),
        inputs: lines(context, Direction::Out),
        outputs: lines(context, Direction::In),
    }
}

fn lines(context: &Context<'_>, way: Direction) -> Vec<String> {
    let mut files: Vec<Files> = Vec::new();
    for FileData { end, traffic } in context.data_of(way) {
        let (group, per_line, runs) = match end {
            DataEnd::External(id) => {
                let group = context.names.element_of(id).map(|(group, _)| (true, group));
                (group, values_per_line(context, id), None)
            }
            DataEnd::Parameter(id) => {
                let family = context.design.parameters[id].family.index();
                (Some((false, family)), 1, Some(traffic.windows))
            }
        };
        let path = context.file_of(end);
        match files.last_mut() {
            Some(last) if (last.group, last.traffic) == (group, traffic) => last.last = path,
            _ => files.push(Files { group, traffic, per_line, runs, first: path.clone(), last: path }),
        }
    }
    files.iter().map(Files::line).collect()
}

/// Elements in a line: as many as the width of a PLIO holds; one for global memory, which has no
/// width.
fn values_per_line(context: &Context<'_>, id: ExternalId) -> u64 {
    plio(context).find(|plio| plio.id == id).map_or(1, Plio::values_per_line)
}
