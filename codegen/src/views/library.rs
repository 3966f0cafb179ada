//! The headers of `aie/include/aiec`: those of the collective library that a project's own files include, and what reads and writes text files.

use std::collections::BTreeSet;

use aiec_ir::PortKind;
use askama::Template;

use super::Context;
use super::graph::has_links;
use super::place::has_tables;
use crate::classes::header;
use crate::headers::{BUFFER_VARIANTS, STREAM_VARIANT, with_includes};

/// Windows as text files.
#[derive(Template)]
#[template(path = "text_file.h.askama", escape = "none")]
pub(crate) struct TextFile<'a> {
    pub stamp: &'a str,
}

/// Path below `aie/include` and text of every header of the library that a project needs.
pub(crate) fn headers(context: &Context<'_>) -> Vec<(&'static str, &'static str)> {
    let mut needed: BTreeSet<String> = BTreeSet::new();
    for collective in context.design.collectives.iter() {
        let header = format!("aiec/{}.h", header(collective));
        needed.extend(["aiec/ops.h".to_owned(), "aiec/member.h".to_owned(), header]);
    }
    needed.extend(has_links(context).then(|| "aiec/connect.h".to_owned()));
    needed.extend(has_tables(context).then(|| "aiec/place.h".to_owned()));
    let timed = context.roles.roles.iter().flat_map(|role| &role.duties).any(|duty| duty.cycles);
    needed.extend(timed.then(|| "aiec/timed.h".to_owned()));
    let mut headers = with_includes(needed.iter().map(String::as_str));
    if context.design.port_kind == PortKind::Buffer {
        for (name, text) in &mut headers {
            let variant = BUFFER_VARIANTS.iter().find(|(windows, _)| windows == name);
            *text = variant.map_or(*text, |(_, buffers)| buffers);
        }
    }
    if !has_cascade_ports(context) {
        let (name, text) = STREAM_VARIANT;
        headers.iter_mut().filter(|header| header.0 == name).for_each(|header| header.1 = text);
    }
    headers
}

/// True if the release has `input_cascade` and `output_cascade`: its documents do from 2023.2 on (UG1079). Before, a kernel's cascade is a
/// stream of accumulators.
pub(crate) fn has_cascade_ports(context: &Context<'_>) -> bool {
    context.design.release.is_at_least("2023.2")
}
