//! The headers of `aie/include/aiec`: those of the collective library that a project's own files include, and what reads and writes text files.

use std::collections::BTreeSet;

use aiec_ir::PortKind;
use askama::Template;

use super::Context;
use crate::classes::header;
use crate::headers::{BUFFER_PORTS, PORTS, with_includes};

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
    let timed = context.roles.roles.iter().flat_map(|role| &role.duties).any(|duty| duty.cycles);
    needed.extend(timed.then(|| "aiec/timed.h".to_owned()));
    let mut headers = with_includes(needed.iter().map(String::as_str));
    if context.design.port_kind == PortKind::Buffer {
        let ports = headers.iter_mut().filter(|(name, _)| *name == PORTS);
        ports.for_each(|(_, text)| *text = BUFFER_PORTS);
    }
    headers
}
