//! Owners of active messages whose C++ never serves, while clients send requests.
//!
//! Takes the checked design and the texts of the sources. Reads the source of a kernel with all
//! that it includes. The owner's says neither `serve` nor `serve_one`, not even in a comment, and a
//! client's calls a handler, a put or a get. Where a text is not known, or pastes words together,
//! there is no verdict.

use std::collections::BTreeSet;

use aiec_codegen::UserSource;
use aiec_cpp_text::{blanked_code, includes};
use aiec_diag::Diagnostic;
use aiec_ir::KernelId;
use aiec_ir::design::local_name;
use aiec_ir::expanded::Collective;

use super::{errors, headers};
use crate::pipeline::Front;
use crate::project::beside;

/// The calls in which an owner serves.
const SERVES: [&str; 2] = ["serve", "serve_one"];

/// Folders and files of the library and of C, which hold no code of the user.
const LIBRARIES: [&str; 3] = ["adf.h", "aiec/", "aie_api/"];
const OF_C: [&str; 10] = [
    "assert.h",
    "complex.h",
    "ctype.h",
    "float.h",
    "limits.h",
    "math.h",
    "stddef.h",
    "stdint.h",
    "stdio.h",
    "stdlib.h",
];

/// A warning for each such owner.
pub(super) fn check(front: &Front, sources: &[UserSource]) -> Vec<Diagnostic> {
    let checked = &front.checked;
    let active = checked.collectives.iter().filter(|collective| collective.plan.is_active());
    let fault = |collective: &Collective| {
        let owner = collective.root.value;
        let source = |kernel: KernelId| checked.body(kernel).source.value.as_str();
        let is_silent = serves(&texts(sources, source(owner))?) == Some(false);
        let clients = collective.ranks.iter().copied().filter(|&rank| rank != owner);
        let mut seen = BTreeSet::new();
        let mut clients = clients.filter(|&client| seen.insert(source(client)));
        let calls = calls(collective);
        let asks = |client: &KernelId| {
            let name = local_name(&collective.name);
            texts(sources, source(*client))
                .is_some_and(|texts| texts.iter().any(|text| asks(text, name, &calls)))
        };
        let client = if is_silent { clients.find(asks) } else { None }?;
        let (owner, client) = (&checked.kernels[owner], &checked.kernels[client]);
        Some(errors::never_serves(collective, owner, source(collective.root.value), client))
    };
    active.filter_map(fault).collect()
}

/// The calls of a client.
fn calls(collective: &Collective) -> Vec<String> {
    let services = &collective.plan.services;
    let handlers = services.handlers.iter().map(|handler| handler.name.clone());
    let buffers =
        services.buffers.iter().flat_map(|buffer| ["put_", "get_"].map(|way| way.to_owned() + &buffer.name));
    handlers.chain(buffers).collect()
}

/// The text of a source and of all that it includes. Returns None when one of them is not known.
fn texts<'a>(sources: &'a [UserSource], path: &str) -> Option<Vec<&'a str>> {
    let (mut pending, mut seen, mut found) = (vec![path.to_owned()], BTreeSet::new(), Vec::new());
    while let Some(path) = pending.pop() {
        if !seen.insert(path.clone()) {
            continue;
        }
        let text = sources.iter().find(|source| source.path == path)?.text.as_str();
        for included in includes(text) {
            let name = included.strip_prefix('"').and_then(|name| name.split_once('"'));
            match name {
                Some((name, _)) if !is_library(name) => pending.push(beside(&path, name)),
                Some(_) => {}
                None => {
                    let (name, _) = included.strip_prefix('<')?.split_once('>')?;
                    // Headers of C++ have no ending.
                    (is_library(name) || !name.contains('.') || OF_C.contains(&name)).then_some(())?;
                }
            }
        }
        found.push(text);
    }
    Some(found)
}

fn is_library(name: &str) -> bool {
    LIBRARIES.iter().any(|library| name.starts_with(library))
}

/// True if one of the texts has the name of a call that serves. Returns None when a macro may make
/// such a name.
fn serves(texts: &[&str]) -> Option<bool> {
    let has = |text: &&str| SERVES.iter().any(|call| headers::words(text, call).next().is_some());
    let pastes = texts.iter().any(|text| text.contains("##"));
    (!pastes).then(|| texts.iter().any(has))
}

/// True if code has the member `name` and calls one of these members: a point before it, and a
/// bracket behind it.
fn asks(text: &str, name: &str, calls: &[String]) -> bool {
    let code = blanked_code(text);
    let is_known = headers::words(&code, name).any(|at| code[..at].trim_end().ends_with('.'));
    is_known
        && calls.iter().any(|call| {
            headers::words(&code, call).any(|at| {
                let (before, after) = (code[..at].trim_end(), code[at + call.len()..].trim_start());
                before.ends_with('.') && after.starts_with('(')
            })
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(path: &str, text: &str) -> UserSource {
        UserSource::inside(path, text)
    }

    #[test]
    fn a_server_is_no_call_that_serves() {
        assert_eq!(serves(&["comm.server.get(1); observe(); reserve(x);"]), Some(false));
        for text in
            ["comm.s.serve(all);", "while (s.serve_one(h)) {}", "// serve later", "#define GO s.serve(h)"]
        {
            assert_eq!(serves(&["", text]), Some(true), "{text}");
        }
        assert_eq!(serves(&["#define CALL(x) s.ser##x"]), None);
    }

    #[test]
    fn all_that_a_source_includes_is_read_or_there_is_no_verdict() {
        let all = [
            source(
                "k/a.cc",
                "#include <adf.h>\n#include <cstdint>\n#include \"../h/b.h\"\n#include \"aiec/design.h\"\n",
            ),
            source("h/b.h", "#include \"../k/a.cc\"\n#include <math.h>\nb"),
            source("c.cc", "#include <mine.h>\n"),
            source("d.cc", "#include \"gone.h\"\n"),
            source("e.cc", "#include FILE\n"),
        ];
        assert_eq!(texts(&all, "k/a.cc").map(|texts| texts.len()), Some(2));
        for unknown in ["c.cc", "d.cc", "e.cc", "none.cc"] {
            assert_eq!(texts(&all, unknown), None, "{unknown}");
        }
    }

    #[test]
    fn a_client_asks_in_a_call_of_a_member() {
        let calls = ["get".to_owned(), "put_all".to_owned()];
        for (text, is_call) in [
            ("comm.server.get(1);", true),
            ("auto &s = comm.server; s . put_all (0, x, 1).wait();", true),
            ("comm.other.get(1);", false),
            ("int32 get(int32 x);", false),
            ("comm.server; // s.get(1)", false),
            ("comm.server.getter(1); comm.server.get_all(2);", false),
        ] {
            assert_eq!(asks(text, "server", &calls), is_call, "{text}");
        }
    }
}
