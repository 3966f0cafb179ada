//! The headers of `aie/include/aiec`: the collective library headers that a project's own files
//! include, and the header that reads and writes text files.

use std::collections::BTreeSet;

use aiec_ir::PortKind;
use askama::Template;

use super::Context;
use super::asserts::asserts;
use super::graph::has_links;
use super::place::has_tables;
use crate::headers::{BUFFER_VARIANTS, Header, STREAM_VARIANTS, with_includes};

/// Windows as text files.
#[derive(Template)]
#[template(path = "text_file.h.askama", escape = "none")]
pub(crate) struct TextFile<'a> {
    pub stamp: &'a str,
}

/// Path below `aie/include` and text of every header of the library that a project needs.
pub(crate) fn headers(context: &Context<'_>) -> Vec<Header> {
    let mut needed: BTreeSet<String> = BTreeSet::new();
    for collective in context.design.collectives.iter() {
        let header = format!("aiec/{}.h", (collective.plan.algorithm().header)(&collective.plan));
        needed.extend(["aiec/ops.h".to_owned(), "aiec/member.h".to_owned(), header]);
    }
    needed.extend(has_links(context).then(|| "aiec/connect.h".to_owned()));
    needed.extend(has_tables(context).then(|| "aiec/place.h".to_owned()));
    needed.extend((!asserts(context).is_empty()).then(|| "aiec/signature.h".to_owned()));
    let timed = context.roles.roles.iter().flat_map(|role| &role.duties).any(|duty| duty.cycles);
    needed.extend(timed.then(|| "aiec/timed.h".to_owned()));
    let mut headers = with_includes(needed.iter().map(String::as_str));
    if context.design.port_kind == PortKind::Buffer {
        replace(&mut headers, &BUFFER_VARIANTS);
    }
    if !has_cascade_ports(context.design) {
        replace(&mut headers, &STREAM_VARIANTS);
    }
    headers
}

/// Variants stand in the place of headers of their names.
fn replace(headers: &mut [Header], variants: &[Header]) {
    for (name, text) in headers {
        let variant = variants.iter().find(|(of, _)| of == name);
        *text = variant.map_or(*text, |(_, variant)| variant);
    }
}

/// True if a document of the release has `input_cascade` and `output_cascade`. In other releases a
/// kernel's cascade is a stream of accumulators, which all releases have.
pub(crate) fn has_cascade_ports(design: &aiec_ir::Expanded) -> bool {
    design.release.cascade_ports.value == Some(true)
}
