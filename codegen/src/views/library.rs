//! The headers of `aie/include/aiec`: those of the collective library that a project's own files include, and what reads and writes text files.

use std::collections::BTreeSet;

use aiec_ir::PortKind;
use askama::Template;

use super::Context;
use super::graph::has_links;
use super::place::has_tables;
use crate::classes::header;
use crate::headers::{BUFFER_VARIANTS, with_includes};

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
    headers
}
