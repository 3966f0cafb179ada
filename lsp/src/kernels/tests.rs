use std::str::FromStr;

use lsp_types::Uri;

use super::*;
use crate::edits::rename;
use crate::text::Encoding;
use crate::world::Document;

const DESIGN: &str = "\
design d
device xcvc1902
const BLOCK = 4
kernel a[2] { source \"k/a.cc\" }
kernel b { source \"k/b.cc\" }
reduce total over a { op sum data int32[BLOCK] }
active act on b from a { handler f(x: int32) buffer tab: int32[4] }
";

/// What a rename of the name at `mark` changes, as `FILE LINE:COLUMN`, with these files beside the
/// design.
fn renamed(mark: &str, new: &str, files: &[(&str, &str)]) -> Result<Vec<String>, String> {
    let uri = Uri::from_str("file:///w/d.dsl").expect("an address");
    let open = BTreeMap::from([(
        PathBuf::from("/w/d.dsl"),
        Document { uri: uri.clone(), text: DESIGN.into(), version: 1 },
    )]);
    let closed: Texts = files.iter().filter(|(name, _)| name.ends_with(".dsl")).map(text_of).collect();
    let world = World::new(&open, &closed, &BTreeMap::new(), Encoding::Utf8);
    let offset = DESIGN.find(mark).expect("the mark");
    let line = DESIGN[..offset].matches('\n').count();
    let column = offset - DESIGN[..offset].rfind('\n').map_or(0, |at| at + 1);
    let params = serde_json::json!({
        "textDocument": {"uri": uri}, "position": {"line": line, "character": column}, "newName": new,
    });
    let all: Texts = files.iter().map(text_of).collect();
    let edit =
        rename(&world, &serde_json::from_value(params).expect("parameters"), &|path| all.get(path).cloned())?;
    let changes = edit.expect("an edit")["changes"].clone();
    let files = changes.as_object().expect("changes").iter();
    let shown = files.flat_map(|(uri, edits)| {
        let starts = edits.as_array().expect("edits").iter().map(|edit| &edit["range"]["start"]);
        let of_file = move |start: &serde_json::Value| {
            format!("{} {}:{}", uri.trim_start_matches("file:///w/"), start["line"], start["character"])
        };
        starts.map(of_file)
    });
    Ok(shown.collect())
}

fn text_of((name, text): &(&str, &str)) -> (PathBuf, String) {
    (PathBuf::from(format!("/w/{name}")), (*text).to_owned())
}

#[test]
fn constants_and_collectives_change_in_kernels_where_it_is_certain() {
    let a = "#include \"more.h\"\n// design::BLOCK comm.total\nint BLOCK = design :: BLOCK + 1'000;\n\
             comm.total.reduce(v); f(\"comm.total\", R\"x(\" comm.total)x\", '\"', my_comm.totals, total);";
    let files = [("k/a.cc", a), ("k/more.h", "x = design::BLOCK;"), ("k/c.cc", "design::BLOCK")];
    assert_eq!(
        renamed("BLOCK", "SIZE", &files).expect("a rename"),
        ["d.dsl 2:6", "d.dsl 5:40", "k/a.cc 2:22", "k/more.h 0:12"]
    );
    assert_eq!(renamed("total", "sum", &files).expect("a rename"), ["d.dsl 5:7", "k/a.cc 3:5"]);
}

#[test]
fn what_is_not_certain_is_refused_with_the_file() {
    for (mark, text) in [
        ("BLOCK", "using namespace design; int n = BLOCK;"),
        ("BLOCK", "using design::BLOCK; int n = BLOCK;"),
        ("BLOCK", "namespace d = design; int n = d::BLOCK;"),
        ("total", "template <class C> void a(C &c) { c.total.reduce(v); }"),
        ("f(x", "comm.act.f(3);"),
        ("tab", "comm.act.get_tab(0, v, 4);"),
    ] {
        let refused = renamed(mark, "other", &[("k/a.cc", text)]).expect_err(text);
        assert!(refused.starts_with("`/w/k/a.cc` may mean "), "{refused}");
    }
    let other = "design e\ndevice xcvc1902\nconst BLOCK = 2\nkernel z { source \"k/a.cc\" }\n";
    let shared = [("k/a.cc", "design::BLOCK"), ("e.dsl", other)];
    let refused = renamed("BLOCK", "other", &shared).expect_err("two designs have the source");
    assert!(refused.contains("kernels that mean another const have this file, too"), "{refused}");
    for name in ["int", "NULL", "_x", "a__b"] {
        let refused = renamed("BLOCK", name, &[]).expect_err("C++ has no such constant");
        assert!(refused.starts_with(&format!("`{name}` cannot be the name of a const: ")), "{refused}");
    }
}
