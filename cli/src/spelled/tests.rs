//! Texts of designs as those of graphs, and a look at the sources of all messages.
#![allow(clippy::disallowed_methods, reason = "a test reads the sources of messages")]

use std::fs;
use std::path::{Path, PathBuf};

use super::*;

/// The crates whose messages a graph may get.
const CRATES: [&str; 4] = ["compiler/check", "placer", "router_model", "event_model"];

/// Words that are the same in C++, and names of files, of their fields, of options and of commands.
const SAME: [&str; 34] = [
    "--allow check/core-wait",
    "--device",
    "--time-limit",
    "Arc",
    "Name",
    "Tile",
    "cfloat",
    "float",
    "[switch]",
    "aiec build --emit placement",
    "aiec devices",
    "aiec explain --log FILE",
    "aiec place --import FILE",
    "aiec report --why",
    "async",
    "cascade",
    "column",
    "const {name}",
    "initial_value",
    "location<buffer>",
    "offset",
    "pktmerge",
    "slave_nets",
    "stack",
    "stream",
    "tile",
    "version",
    "window",
    "windows_per_kernel",
    "{} -> {}",
    "{}.cycles",
    "{}.{}",
    "{from} -> {to}",
    "packets",
];

/// What stands in messages of collectives, of values that the host gives, of `together` and of
/// rules for designs alone. No graph gets these messages.
const OF_DESIGNS: [&str; 46] = [
    "allow \"check/core-wait\"",
    "allow \"check/stream-types\" because \"...\"",
    "apart {from}, {to} by core",
    "board vck190",
    "cascade acc48",
    "chain",
    "comm.{name}",
    "connect ... -> {name}",
    "connect {name} -> ...",
    "data",
    "depth {most}",
    "depth {words}",
    "depth",
    "flat",
    "host(\"data/{}.txt\")",
    "initial",
    "input NAME from host(\"data/FILE.txt\")",
    "max",
    "output NAME to host",
    "output y to gmio",
    "over",
    "packet",
    "plio(...)",
    "prod",
    "root",
    "sendrecv",
    "shape chain",
    "shape flat merge",
    "shape ring",
    "shape tree arity {arity}",
    "shape {shape}",
    "shape {}",
    "shape",
    "split from {missing}",
    "sum",
    "sync",
    "to",
    "together",
    "tree arity {most}",
    "{what} {padded}",
    "{word} {name} {way} host",
    "{word} {size}",
    "{}: {}",
    "{}: {word} {element}[N]",
    "{}: {} async",
    "{}: {carries} async",
];

/// No name of a graph.
fn spelled(text: &str) -> String {
    in_adf(text, &BTreeSet::new())
}

#[test]
fn statements_of_the_language_become_those_of_a_graph() {
    for (design, graph) in [
        ("write `stack 31712 B` or less", "write `stack_size(k) = 31712` or less"),
        ("write `stack 6 KiB` in `leaf[0]`", "write `stack_size(k) = 6144` in `leaf[0]`"),
        ("write `place a[1] at (3, 2)`", "write `location<kernel>(a[1]) = tile(3, 2)`"),
        ("`buffer single` or `fifo 64`", "`single_buffer(PORT)` or `fifo_depth(net) = 64`"),
        (
            "write `buffer single` behind the connection of `k.out[0]`, or",
            "write `single_buffer(k.out[0])`, or",
        ),
        ("`repetitions 2`, `runtime 0.5`", "`repetition_count(k) = 2`, `runtime<ratio>(k) = 0.5`"),
        ("such as `(0, 0) to (5, 3)`", "such as `bounding_box(0, 0, 5, 3)`"),
        ("write `plio(64, ...)`", "write `plio_64_bits`"),
        ("use `window int32[64]`", "use `dimensions(k.in[0]) = {64}`"),
        ("write `connect a.y -> async b.x`", "write `async(b.x)`"),
        ("write `connect async a.y -> async b.x`", "write `async(a.y)` and `async(b.x)`"),
        ("such as `vitis \"2023.1\"`", "such as `--vitis 2023.1`"),
        ("where `place` keeps them", "where `location` keeps them"),
        ("it has no `runtime` ratio", "it has no `runtime<ratio>`"),
        ("make a `region` larger", "make a `bounding_box` or `area_group` larger"),
        ("in a kernel or with `reduce` before", "in a kernel before"),
    ] {
        assert_eq!(spelled(design), graph);
    }
}

#[test]
fn other_words_stay() {
    for help in ["move `stack.k` away", "an odd ` mark", "`stack x B`", "`place a at here`", ""] {
        assert_eq!(spelled(help), help);
    }
}

#[test]
fn names_of_the_graph_stay() {
    let names = ["merge", "input"].map(str::to_owned).into_iter().collect();
    assert_eq!(in_adf("`merge` waits for an `input`", &names), "`merge` waits for an `input`");
    assert_eq!(in_adf("write `split`", &names), "write `pktsplit`");
}

/// The files of a crate that word its messages.
fn wording(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
        if entry.is_dir() {
            wording(&entry, found);
        } else if entry.iter().any(|part| part == "errors" || part == "errors.rs") {
            found.push(entry);
        }
    }
}

/// What stands between backticks in the string literals of a source, comments left out.
fn quoted(source: &str) -> BTreeSet<String> {
    let lines = source.lines().filter(|line| !line.trim_start().starts_with("//"));
    let code = lines.map(|line| line.trim_start().replace("\\\"", "\u{1}")).collect::<Vec<_>>().join("\n");
    let literals = code.split('"').skip(1).step_by(2);
    let pieces = literals.flat_map(|literal| {
        let literal = literal.replace("\\\n", "").replace('\u{1}', "\"");
        literal.split('`').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>()
    });
    pieces.collect()
}

/// `piece` with these values for its placeholders, in turn.
fn filled(piece: &str, values: &[&str]) -> String {
    let mut parts = piece.split('{');
    let first = parts.next().unwrap_or_default().to_owned();
    let parts = parts.map(|part| part.split_once('}').map_or(part, |(_, rest)| rest));
    parts.zip(values.iter().cycle()).fold(first, |text, (part, value)| text + value + part)
}

/// True if `piece` is spelled for a graph, or needs no spelling.
fn has_words(piece: &str, source: &str) -> bool {
    let is_placeholder = filled(piece, &[""]).is_empty() || piece.starts_with('{') && !piece.contains(' ');
    let in_phrase = || {
        let mut phrases = PHRASES.iter().filter(|(phrase, _)| phrase.contains(&format!("`{piece}`")));
        phrases.any(|(phrase, _)| source.contains(phrase))
    };
    let values: [&[&str]; 4] = [&["1"], &["a[1]"], &["a[1]", "(1, 2)"], &["stack", "1"]];
    let is_spelled = || values.iter().any(|values| statement(&filled(piece, values)).is_some());
    is_placeholder
        || SAME.contains(&piece)
        || OF_DESIGNS.contains(&piece)
        || word(piece).is_some()
        || is_spelled()
        || in_phrase()
}

#[test]
fn every_word_of_a_message_has_its_word_for_a_graph() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace");
    let mut files = Vec::new();
    CRATES.iter().for_each(|of| wording(&root.join(of).join("src"), &mut files));
    assert!(files.len() > 20, "{} files", files.len());
    for file in files {
        let source = fs::read_to_string(&file).expect("a source");
        for piece in quoted(&source) {
            assert!(has_words(&piece, &source), "{}: `{piece}` has no entry in spelled.rs", file.display());
        }
    }
}
