//! `data/README.md`: the data of inputs and outputs, by file.

use aiec_ir::ExternalId;
use askama::Template;

use super::graph_cpp::is_output;
use super::project::{Plio, plio};
use super::texts::code;
use super::{Context, Traffic};

/// `data/README.md`
#[derive(Template)]
#[template(path = "data.md.askama", escape = "none")]
pub(crate) struct DataReadme<'a> {
    stamp: &'a str,
    design: &'a str,
    has_complex: bool,
    has_plio_outputs: bool,
    inputs: Vec<String>,
    outputs: Vec<String>,
}

/// Files of one array with equal types and amounts of data.
struct Files<'a> {
    group: Option<usize>,
    traffic: Traffic,
    per_line: u64,
    first: &'a str,
    last: &'a str,
}

impl Files<'_> {
    fn line(&self) -> String {
        let Self { traffic, per_line, first, last, .. } = self;
        let (files, each) = if first == last {
            (code(first), "")
        } else {
            (format!("{} to {}", code(first), code(last)), " each")
        };
        let (values, element) = (traffic.elements(), traffic.window.element);
        format!("- {files}: {values} values of type {element}{each}, {per_line} a line")
    }
}

/// The contents of the data folder, including files that do not exist yet.
pub(crate) fn data_readme<'a>(context: &'a Context<'a>) -> DataReadme<'a> {
    DataReadme {
        stamp: &context.stamp,
        design: &context.design.name.value,
        has_complex: context.used_externals().any(|(_, traffic)| traffic.window.element.is_complex()),
        has_plio_outputs: plio(context).any(|plio| plio.output),
        inputs: lines(context, false),
        outputs: lines(context, true),
    }
}

fn lines(context: &Context<'_>, output: bool) -> Vec<String> {
    let mut files: Vec<Files<'_>> = Vec::new();
    let wanted = context.used_externals().filter(|(id, _)| is_output(context, *id) == output);
    for (id, traffic) in wanted {
        let group = context.names.element_of(id).map(|(group, _)| group);
        let path = context.names.data[id].as_str();
        match files.last_mut() {
            Some(last) if (last.group, last.traffic) == (group, traffic) => last.last = path,
            _ => {
                let per_line = values_per_line(context, id);
                files.push(Files { group, traffic, per_line, first: path, last: path });
            }
        }
    }
    files.iter().map(Files::line).collect()
}

/// Elements in a line: as many as the width of a PLIO holds; one for global memory, which has no
/// width.
fn values_per_line(context: &Context<'_>, id: ExternalId) -> u64 {
    plio(context).find(|plio| plio.id == id).map_or(1, Plio::values_per_line)
}
