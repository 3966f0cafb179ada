//! The pages of the diagnostics are tests: every `compiler/diag/codes/<stage>/<name>.md` is one
//! test, named like its slug.
//!
//! The words behind an opening fence describe the block:
//!
//! * `aiec ARGUMENTS` is run. A non-empty block is a design, written to a file whose path is added
//!   to the arguments. `aiec A && aiec B` runs both on one design.
//! * `LANGUAGE file=PATH` is a further file of the section, such as a kernel source or a placement.
//!   An argument that is exactly its path or that of its folder (or ends in `=` and the path)
//!   stands for it. `like=DEVICE` takes the device file of that device and replaces the lines whose
//!   keys the block gives. `encoding=latin-1` writes the text in that encoding. `old` makes the
//!   file older than all others.
//! * Other blocks are for the reader alone, such as messages of the vendor's tools.
//!
//! Each run block has a separate directory with the files of its section. Kernel sources that a
//! design names and the page does not show are there too, with only `#include <adf.h>`, unless the
//! block only checks: a check needs no sources. `aiec build` writes to `out` in that directory.
//!
//! The last command of every block below "Bad example" must give the page's diagnostic, at least
//! once, and no other. Each of its fixes, applied to the files, must remove a diagnostic. All other
//! commands must give no diagnostic. A page whose diagnostic no input can provoke gives the reason
//! in both sections, in a line that starts with `Not provoked in tests:`.
#![allow(clippy::disallowed_methods, reason = "tests read the pages and write the examples")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use aiec_diag::catalogue::{self, Code};
use aiec_tests::{aiec, root, source_folders};
use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::Value;

/// Most pages whose diagnostic no example provokes.
const MOST_UNPROVOKED: usize = 4;
/// The line that such a page contains.
const UNPROVOKED: &str = "Not provoked in tests: ";
/// The pages that compile C++ and run in every `cargo test`; all others that compile it are long.
const SHORT: [&str; 2] = ["sim/deadlock", "check/kernel-function"];

/// The diagnostics whose examples have a fix.
const FIXED: [&str; 70] = [
    "check/cascade-of-release",
    "check/op-type",
    "check/parameter-type",
    "lower/empty-loop",
    "lower/index-count",
    "check/branch-gap",
    "check/cascade-length",
    "check/core-wait",
    "check/place-outside",
    "lower/no-anchor",
    "check/unused-allow",
    "check/cascade-fifo",
    "check/odd-window",
    "check/parameter-of-card",
    "check/size-mismatch",
    "check/type-mismatch",
    "check/unused-constant",
    "check/unused-external",
    "check/window-not-words",
    "check/window-too-small",
    "emit/other-ports",
    "input/unknown-device",
    "lower/code-of-ranks",
    "lower/missing-item",
    "check/stream-shape",
    "check/bds",
    "check/cascade-ends",
    "check/cascade-root",
    "check/cascade-type",
    "check/chunk-tail",
    "check/data-exceeds-stack",
    "check/gmio-burst",
    "check/headed-merge",
    "check/kernel-memory",
    "check/kernel-stack",
    "check/locks",
    "check/may-hang",
    "check/merge-of-release",
    "check/merged-streams",
    "check/order-of-arrival",
    "check/parameter-values",
    "check/plio-capacity",
    "check/plio-element",
    "check/plio-registers",
    "check/plio-width",
    "check/plio-words",
    "check/power-of-two",
    "check/rank-order",
    "check/rate-mismatch",
    "check/root-not-in-group",
    "check/stream-hang",
    "check/sync-cycle",
    "check/system-memory",
    "check/too-many-steps",
    "check/too-many-windows",
    "check/tree-arity",
    "check/window-too-large",
    "input/not-canonical",
    "lower/bad-allow",
    "lower/bad-size",
    "lower/duplicate-item",
    "lower/no-platform",
    "lower/no-such-shape",
    "lower/ports-of-release",
    "lower/stray-property",
    "lower/unknown-name",
    "lower/unknown-port",
    "lower/windows-of-run",
    "lower/wrong-direction",
    "lower/wrong-kind",
];

fn main() {
    let page = |code: &&'static Code| {
        let code: &'static Code = code;
        let long = !SHORT.contains(&code.slug) && compiles(code);
        Trial::test(code.slug, move || run_page(code)).with_ignored_flag(long)
    };
    let mut trials: Vec<Trial> = catalogue::ALL.iter().map(page).collect();
    trials.push(Trial::test("every page belongs to an entry of the catalogue", no_page_is_left_over));
    trials.push(Trial::test("every entry of the catalogue is used by a constructor", no_entry_is_unused));
    trials.push(Trial::test("few diagnostics are not provoked", few_are_not_provoked));
    trials.push(Trial::test("docs/diagnostics.md is fresh", index_is_fresh));
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

/// A fenced block: the words behind the fence, and the text.
struct Block<'a> {
    info: Vec<&'a str>,
    text: String,
}

impl Block<'_> {
    /// The value of a word `name=value`, except of commands.
    fn option(&self, name: &str) -> Option<&str> {
        let options = self.info.iter().filter(|_| !self.is_command());
        options.filter_map(|word| word.split_once('=')).find(|(key, _)| *key == name).map(|(_, value)| value)
    }

    fn is_command(&self) -> bool {
        self.info.first() == Some(&"aiec")
    }

    /// The argument lists of the commands.
    fn commands(&self) -> impl Iterator<Item = &[&str]> {
        let commands = self.is_command().then(|| self.info.split(|&word| word == "&&"));
        commands.into_iter().flatten().map(|words| words.get(1..).unwrap_or_default())
    }
}

/// The blocks of one section of a page.
fn blocks(section: &str) -> Vec<Block<'_>> {
    let mut blocks = Vec::new();
    let mut open: Option<Block> = None;
    for line in section.lines() {
        open = match (open.take(), line.strip_prefix("```")) {
            (None, Some(info)) => {
                Some(Block { info: info.split_whitespace().collect(), text: String::new() })
            }
            (Some(block), Some(_)) => {
                blocks.push(block);
                None
            }
            (Some(mut block), None) => {
                block.text.push_str(line);
                block.text.push('\n');
                Some(block)
            }
            (None, None) => None,
        };
    }
    blocks
}

fn section<'a>(code: &'a Code, heading: &str) -> Result<&'a str, Failed> {
    let start = format!("\n## {heading}\n");
    let (_, rest) = code.page.split_once(&start).ok_or_else(|| format!("no section `{heading}`"))?;
    Ok(rest.split("\n## ").next().unwrap_or(rest))
}

/// Whether an example of a page compiles C++, which takes seconds: `aiec sim` always does, and
/// `aiec check` where the page shows a source.
fn compiles(code: &Code) -> bool {
    let blocks = blocks(code.page);
    let has_source =
        blocks.iter().any(|block| block.option("file").is_some_and(|file| file.ends_with(".cc")));
    let starts =
        |words: &[&str]| words.first() == Some(&"sim") || words.first() == Some(&"check") && has_source;
    blocks.iter().any(|block| block.commands().any(starts))
}

fn run_page(code: &Code) -> Result<(), Failed> {
    let (bad, good) = (section(code, "Bad example")?, section(code, "Good example")?);
    if is_unprovoked(code) {
        let both = bad.contains(UNPROVOKED) && good.contains(UNPROVOKED);
        return if both { Ok(()) } else { Err("a page has both examples or none".into()) };
    }
    let mut fixes = 0;
    for (section, slug) in [(bad, Some(code.slug)), (good, None)] {
        let blocks = blocks(section);
        let examples: Vec<&Block> = blocks.iter().filter(|block| block.is_command()).collect();
        if examples.is_empty() {
            return Err("a section without a block to run".into());
        }
        for example in examples {
            fixes += run_example(example, &blocks, slug)?;
        }
    }
    match (fixes > 0, FIXED.contains(&code.slug)) {
        (true, false) => Err("has a fix: add it to `FIXED`".into()),
        (false, true) => Err("has lost its fix".into()),
        _ => Ok(()),
    }
}

fn is_unprovoked(code: &Code) -> bool {
    code.page.contains(UNPROVOKED)
}

/// Runs the commands of one block. The last must give the diagnostic `slug`, or none. Then runs
/// them once for each fix, and returns the number of fixes.
fn run_example(example: &Block, all: &[Block], slug: Option<&str>) -> Result<usize, Failed> {
    let directory = tempfile::tempdir()?;
    let found = run_in(directory.path(), example, all, &Value::Null, slug)?;
    let fixes = || found.iter().flat_map(|diagnostic| diagnostic["fixes"].as_array()).flatten();
    for fix in fixes() {
        let other = tempfile::tempdir()?;
        let edits = fix["edits"].to_string().replace(&path_of(&directory), &path_of(&other));
        let edits: Value = serde_json::from_str(&edits)?;
        let rest = run_in(other.path(), example, all, &edits, None)?;
        let left = rest.iter().filter(|diagnostic| diagnostic["slug"].as_str() == slug).count();
        if left >= found.len() {
            return Err(format!("the fix {fix} does not help:\n{rest:#?}").into());
        }
    }
    Ok(fixes().count())
}

fn path_of(directory: &tempfile::TempDir) -> String {
    directory.path().display().to_string()
}

/// Replaces bytes of files as the edits of a fix say, the last ones first.
fn apply(edits: &Value) -> Result<(), Failed> {
    let mut edits: Vec<&Value> = edits.as_array().into_iter().flatten().collect();
    edits.sort_by_key(|edit| std::cmp::Reverse(edit["start"].as_u64()));
    for edit in edits {
        let at = |name: &str| edit[name].as_u64().and_then(|at| usize::try_from(at).ok());
        let range = at("start").zip(at("end")).ok_or_else(|| format!("no bytes in {edit}"))?;
        let mut file = fs::read_to_string(text(&edit["file"]))?;
        file.replace_range(range.0..range.1, text(&edit["replacement"]));
        fs::write(text(&edit["file"]), file)?;
    }
    Ok(())
}

/// Writes the files of a block into a folder, edits them, and runs the commands of the block.
/// Returns the diagnostics of the last one. Without edits, it must give the diagnostic `slug`, or
/// none, and the others none.
fn run_in(
    folder: &Path,
    example: &Block,
    all: &[Block],
    edits: &Value,
    slug: Option<&str>,
) -> Result<Vec<Value>, Failed> {
    let files = write_files(folder, all)?;
    let design = write_design(folder, example, &files)?;
    apply(edits)?;
    let count = example.commands().count();
    let mut last = Vec::new();
    for (number, words) in example.commands().enumerate() {
        let mut arguments: Vec<String> = words.iter().map(|word| resolved(word, folder, &files)).collect();
        if words.first() == Some(&"build") {
            arguments.extend(["--output".into(), folder.join("out").display().to_string()]);
        }
        arguments.extend(["--message-format".into(), "json".into()]);
        arguments.extend(design.clone());
        let ran = aiec(&arguments);
        let shown = format!("aiec {}", words.join(" "));
        let diagnostics: Vec<Value> = serde_json::from_str(&ran.err)
            .map_err(|error| format!("`{shown}` printed no JSON ({error}):\n{}", ran.err))?;
        if edits.is_null() {
            judge(&diagnostics, slug.filter(|_| number + 1 == count))
                .map_err(|fault| format!("`{shown}`: {fault}\n{}", ran.err))?;
        }
        last = diagnostics;
    }
    Ok(last)
}

/// Writes the files of a section; their paths as the page gives them.
fn write_files(directory: &Path, blocks: &[Block]) -> Result<BTreeSet<String>, Failed> {
    let mut files = BTreeSet::new();
    for block in blocks {
        let Some(file) = block.option("file") else { continue };
        let text = match block.option("like") {
            Some(device) => patched(device, &block.text)?,
            None => block.text.clone(),
        };
        let bytes = match block.option("encoding") {
            Some("latin-1") => text.chars().map(u8::try_from).collect::<Result<Vec<u8>, _>>()?,
            Some(other) => return Err(format!("unknown encoding {other}").into()),
            None => text.into_bytes(),
        };
        write(&directory.join(file), &bytes)?;
        if block.info.contains(&"old") {
            fs::File::options()
                .write(true)
                .open(directory.join(file))?
                .set_modified(SystemTime::UNIX_EPOCH)?;
        }
        files.insert(file.to_owned());
    }
    Ok(files)
}

/// The file of a built-in device, with the lines replaced whose keys `lines` gives.
fn patched(device: &str, lines: &str) -> Result<String, Failed> {
    let text = aiec_device::builtin_text(device).ok_or_else(|| format!("no device {device}"))?;
    let mut all: Vec<&str> = text.lines().collect();
    for line in lines.lines() {
        let (key, _) = line.split_once(" = ").ok_or_else(|| format!("`{line}` is not KEY = VALUE"))?;
        let same = |old: &&mut &str| old.split_once(" = ").is_some_and(|(old, _)| old.trim() == key);
        *all.iter_mut().find(same).ok_or_else(|| format!("{device} has no line `{key} = ...`"))? = line;
    }
    Ok(all.join("\n") + "\n")
}

/// Writes the design of a block, and the kernel sources that the page does not show. Returns the
/// path of the design, if any.
fn write_design(
    directory: &Path,
    example: &Block,
    files: &BTreeSet<String>,
) -> Result<Option<String>, Failed> {
    if example.text.is_empty() {
        return Ok(None);
    }
    let path = directory.join("design.dsl");
    write(&path, example.text.as_bytes())?;
    let checks = example.commands().all(|words| words.first() == Some(&"check"));
    for source in sources(&example.text).filter(|source| !checks && !files.contains(*source)) {
        let inside = !source.starts_with('/') && !source.contains("..");
        if inside {
            write(&directory.join(source), b"#include <adf.h>\n")?;
        }
    }
    Ok(Some(path.display().to_string()))
}

/// The paths after `source` in a design.
fn sources(design: &str) -> impl Iterator<Item = &str> {
    let after = design.split("source ").skip(1);
    after.filter_map(|rest| rest.trim_start().strip_prefix('"')?.split_once('"').map(|(path, _)| path))
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), Failed> {
    if let Some(above) = path.parent() {
        fs::create_dir_all(above)?;
    }
    Ok(fs::write(path, bytes)?)
}

/// An argument, with the path of the file or folder of the section that it names, if it names one.
fn resolved(word: &str, directory: &Path, files: &BTreeSet<String>) -> String {
    let (before, name) = word.split_once('=').map_or(("", word), |(key, name)| (&word[..=key.len()], name));
    let is_folder = || files.iter().any(|file| Path::new(file).parent() == Some(Path::new(name)));
    if files.contains(name) || !name.is_empty() && is_folder() {
        format!("{before}{}", directory.join(name).display())
    } else {
        word.to_owned()
    }
}

/// Diagnostics are the expected ones and are complete.
fn judge(diagnostics: &[Value], slug: Option<&str>) -> Result<(), String> {
    let slugs: BTreeSet<&str> = diagnostics.iter().filter_map(|d| d["slug"].as_str()).collect();
    let wanted: BTreeSet<&str> = slug.into_iter().collect();
    if slugs != wanted {
        return Err(format!("gives {slugs:?}, not {wanted:?}"));
    }
    diagnostics.iter().try_for_each(says_enough)
}

/// Stages whose faults lie in the design, so that a label can point at a construct.
const OF_DESIGNS: [&str; 3] = ["check/", "place/", "route/"];

/// Faults of these stages that are no shortage: an error in the text, or a wrong place.
const NO_SHORTAGE: [&str; 58] = [
    "check/never-serves",
    "check/no-way-out",
    "check/unused-constant",
    "check/unused-allow",
    "check/block-place",
    "check/kernel-function",
    "check/kernel-compile",
    "check/helper-not-static",
    "check/type-mismatch",
    "check/stream-amount",
    "check/stream-hang",
    "check/may-hang",
    "check/fan-in",
    "check/unconnected-port",
    "check/unused-external",
    "check/parameter-type",
    "check/parameter-values",
    "check/parameter-readers",
    "check/parameter-shared",
    "check/parameter-of-card",
    "check/idle-kernel",
    "check/duplicate-rank",
    "check/too-few-ranks",
    "check/root-not-in-group",
    "check/power-of-two",
    "check/rank-order",
    "check/order-of-arrival",
    "check/headed-merge",
    "check/stream-shape",
    "check/bad-counts",
    "check/blocks-overlap",
    "check/cascade-type",
    "check/channel-type",
    "check/partners",
    "check/op-type",
    "check/sync-cycle",
    "check/place-conflict",
    "check/place-outside",
    "check/unsupported-device",
    "check/size-mismatch",
    "check/rate-mismatch",
    "check/gmio-of-card",
    "check/chunk-tail",
    "place/bad-file",
    "place/unknown-name",
    "place/missing",
    "place/outside",
    "check/kind-mismatch",
    "check/packet-ends",
    "place/constraint-broken",
    "place/unreachable-buffer",
    "place/buffer-count",
    "place/dma-split",
    "place/shim-channel",
    "place/shim-conflict",
    "route/bad-route",
    "route/unreachable",
    "route/bad-import",
];

/// Required content of a fault of a design: a place, and for a shortage the demand and the supply.
fn says_where_and_how_much(diagnostic: &Value) -> Result<(), String> {
    let (slug, message) = (text(&diagnostic["slug"]), text(&diagnostic["message"]));
    if !OF_DESIGNS.iter().any(|stage| slug.starts_with(stage)) || slug == "place/bad-file" {
        return Ok(());
    }
    let labels = diagnostic["labels"].as_array().into_iter().flatten().map(|label| text(&label["text"]));
    let labels: Vec<&str> = labels.collect();
    if labels.is_empty() {
        return Err(format!("`{message}` points at nothing"));
    }
    let said = format!("{message} {}", labels.join(" "));
    let numbers = said.split(|c: char| !c.is_alphanumeric()).filter(|word| word.parse::<u64>().is_ok());
    if !NO_SHORTAGE.contains(&slug) && numbers.count() < 2 {
        return Err(format!("`{message}` does not state demand and supply"));
    }
    Ok(())
}

/// Labels and help are three words at least, and no repetition of the message.
fn says_enough(diagnostic: &Value) -> Result<(), String> {
    says_where_and_how_much(diagnostic)?;
    let message = text(&diagnostic["message"]);
    let labels = diagnostic["labels"].as_array().into_iter().flatten().map(|label| &label["text"]);
    for part in labels.chain([&diagnostic["help"]]).map(text) {
        if part.split_whitespace().count() < 3 || part == message {
            return Err(format!("`{part}` says too little beside the message"));
        }
    }
    Ok(())
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn no_page_is_left_over() -> Result<(), Failed> {
    let directory = root().join("compiler/diag/codes");
    let pages = files_below(&directory)?;
    let slugs: BTreeSet<String> = catalogue::ALL.iter().map(|code| format!("{}.md", code.slug)).collect();
    for page in pages {
        let name = page.strip_prefix(&directory)?.display().to_string();
        if !slugs.contains(&name) {
            return Err(format!("{name} is the page of no entry of the catalogue").into());
        }
    }
    Ok(())
}

fn no_entry_is_unused() -> Result<(), Failed> {
    let manifest = root().join("compiler/diag/src/catalogue.rs");
    let names = fs::read_to_string(&manifest)?;
    let mut text = String::new();
    for source in source_folders().iter().filter(|source| !source.starts_with(root().join("compiler/diag"))) {
        for path in files_below(source)? {
            if path.extension().is_some_and(|extension| extension == "rs") {
                text.push_str(&fs::read_to_string(path)?);
            }
        }
    }
    let words: BTreeSet<&str> = text.split(|c: char| !c.is_alphanumeric() && c != '_' && c != ':').collect();
    for code in catalogue::ALL {
        let quoted = format!("\"{}\"", code.slug);
        let line = names.lines().find(|line| line.contains(&quoted)).unwrap_or_default();
        let name = line.split_whitespace().next().unwrap_or_default();
        if name.is_empty() || !words.contains(format!("catalogue::{name}").as_str()) {
            return Err(format!("nothing constructs {} (`catalogue::{name}`)", code.slug).into());
        }
    }
    Ok(())
}

fn few_are_not_provoked() -> Result<(), Failed> {
    let slugs: Vec<&str> =
        catalogue::ALL.iter().copied().filter(|code| is_unprovoked(code)).map(|code| code.slug).collect();
    if slugs.len() > MOST_UNPROVOKED { Err(format!("too many: {slugs:?}").into()) } else { Ok(()) }
}

fn index_is_fresh() -> Result<(), Failed> {
    let text = fs::read_to_string(root().join("docs/diagnostics.md")).unwrap_or_default();
    if text == catalogue::index() {
        return Ok(());
    }
    Err(format!("docs/diagnostics.md is stale: run `{}`", catalogue::INDEX_COMMAND).into())
}

/// All files in a folder and those below.
fn files_below(directory: &Path) -> Result<Vec<PathBuf>, Failed> {
    let mut files = Vec::new();
    for entry in fs::read_dir(directory)? {
        let path = entry?.path();
        if path.is_dir() {
            files.extend(files_below(&path)?);
        } else {
            files.push(path);
        }
    }
    Ok(files)
}
