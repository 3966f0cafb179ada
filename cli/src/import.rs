//! `aiec import`: an ADF graph as the text of a design.

use std::path::{Path, PathBuf};

use crate::args::{Import, Input};
use crate::check::checked;
use crate::disk::Form;
use crate::errors;
use crate::graphs::{Code, adopt, way};
use crate::invocation::{Invocation, load_device};
use crate::kernels::Compiling;
use crate::locate::graph_of;
use crate::output::Console;
use crate::pipeline::{self, Options};
use crate::results::Results;
use aiec_adf::{Adopted, OwnPorts};
use aiec_device::Device;
use aiec_diag::{Diagnostic, SourceFile, catalogue};
use aiec_system::files::{folder_of, real_path};

/// Runs `aiec import`. Returns None when it logs an error.
pub(crate) fn run(args: &Import, invocation: &mut Invocation, console: &mut Console<'_>) -> Option<()> {
    if graph_of(&args.input.design).is_none() {
        return invocation.fail(errors::not_a_graph(&args.input.design.display().to_string()));
    }
    let device = match &args.input.reading.device {
        Some(name) => Some(load_device(name, invocation)?),
        None => None,
    };
    let code = Code { graph: &args.graph, cxx: &args.compiler.cxx, as_text: true, headers: false };
    let (file, mut adopted) = adopt(&args.input, code, device.as_ref(), invocation)?;
    let folder = folder_of(Path::new(&file.name)).to_path_buf();
    let moved = |adopted: &mut Adopted| {
        if let Some(output) = &args.output {
            move_sources(adopted, &folder, folder_of(output));
        }
    };
    if args.output.is_none() {
        move_sources(&mut adopted, &folder, &folder);
    }
    moved(&mut adopted);
    let name =
        Path::new(&file.name).file_name().map_or_else(String::new, |name| name.to_string_lossy().into());
    let origin = match adopted.object.as_str() {
        "" => format!("The graphs of {name}, by `aiec import`."),
        _ => format!("The graph `{}` of {name}, by `aiec import`.", adopted.design.name.value),
    };
    let text = |adopted: &Adopted, own: Option<OwnPorts<'_>>| {
        // With `ports own` the names are those of the graph, which the vendor's tools know.
        let design = adopted.arrays.as_ref().filter(|_| own.is_none()).unwrap_or(&adopted.design);
        aiec_adf::import(design, &adopted.notes, &origin, own)
    };
    let lies_at = args.output.clone().unwrap_or_else(|| folder.join("design.dsl"));
    let refusal = |text: &str| refusal(args, &lies_at, text, device.as_ref());
    let before = invocation.log.diagnostics.len();
    let sound = is_sound(args, &file, adopted.clone(), device.clone(), invocation);
    if !sound {
        blame_members(args, Code { as_text: false, ..code }, device.as_ref(), before, invocation);
    }
    let mut fault = if sound { refusal(&text(&adopted, None).text) } else { None };
    if fault.as_ref().is_some_and(is_of_headers) {
        let code = Code { headers: true, ..code };
        let (_, mut other) = adopt(&args.input, code, device.as_ref(), invocation)?;
        moved(&mut other);
        let all = [other.clone(), renamed(adopted.clone()), renamed(other)];
        if let Some(plain) = all.into_iter().find(|one| refusal(&text(one, None).text).is_none()) {
            (adopted, fault) = (plain, None);
        }
    }
    if fault.is_some() && adopted.arrays.is_some() {
        // The text then has the names of the graph, and no arrays of numbered members.
        let members = Adopted { arrays: None, ..adopted.clone() };
        fault = refusal(&text(&members, None).text).or(fault);
    }
    let why = |fault: Diagnostic| of_a_folder(&fault.message, &args.graph.include).unwrap_or(fault.message);
    let reason = if sound { fault.map(why) } else { Some(FAULTY.to_owned()) };
    let own = reason.as_deref().map(|reason| OwnPorts { reason, object: &adopted.object });
    // What aiec refuses even so is no matter of a design's own rules.
    let own = own.filter(|&own| !sound || refusal(&text(&adopted, Some(own)).text).is_none());
    let imported = text(&adopted, own);
    match &args.output {
        Some(_) => {
            let results = Results::of_files(args.overwrite, invocation);
            results.check(&[(&args.output, Form::Foreign)], invocation)?;
            results.write(&[(&args.output, Form::Foreign, imported.text)], invocation)?;
        }
        None => console.text(&imported.text),
    }
    for what in &imported.left_out {
        console.error(&format!("left out: {what}\n"));
    }
    (sound && imported.left_out.is_empty()).then_some(())
}

/// The reason for `ports own` where the graph itself has faults, so that a check of the design
/// names those alone.
const FAULTY: &str = "`aiec check` refuses the graph";

/// True for a graph without faults. Logs those that `aiec check` finds. Warnings are its own.
fn is_sound(
    args: &Import,
    file: &SourceFile,
    adopted: Adopted,
    device: Option<Device>,
    invocation: &mut Invocation,
) -> bool {
    let allowed = args.graph.allow.clone();
    let options = Options { adopted: Some(adopted), device, allowed, ..Options::default() };
    let before = invocation.log.diagnostics.len();
    let sound = pipeline::front(file, &options, &mut invocation.log).is_some();
    let found = invocation.log.diagnostics.split_off(before);
    invocation.log.diagnostics.extend(found.into_iter().filter(Diagnostic::is_error));
    sound && invocation.log.diagnostics.len() == before
}

/// Replaces the faults of the graph, which are in the log from `before` on, by the same ones of the
/// graph as `aiec check` reads it: they name members of the C++, and no families of the text.
fn blame_members(
    args: &Import,
    code: Code<'_>,
    device: Option<&Device>,
    before: usize,
    invocation: &mut Invocation,
) {
    let of_text = invocation.log.diagnostics.split_off(before);
    let plain = adopt(&args.input, code, device, invocation);
    let is_sound =
        plain.is_none_or(|(file, graph)| is_sound(args, &file, graph, device.cloned(), invocation));
    if is_sound {
        invocation.log.diagnostics.truncate(before);
        invocation.log.diagnostics.extend(of_text);
    }
}

/// True for a fault of the C++ that a header of the kernels, or another name of the graph's class,
/// may mend.
fn is_of_headers(fault: &Diagnostic) -> bool {
    [catalogue::KERNEL_FUNCTION.slug, catalogue::KERNEL_COMPILE.slug].contains(&fault.code.slug)
}

/// The reason for `ports own` where sources miss a header that a folder of `-I` has: a design
/// states no such folders. Returns None for a message about something else.
fn of_a_folder(message: &str, include: &[PathBuf]) -> Option<String> {
    let (before, _) = message.split_once(": No such file or directory")?;
    let header = before.rsplit(": ").next()?.trim();
    let folder = include.iter().find(|folder| real_path(&folder.join(header)).is_some())?;
    Some(format!(
        "a design has no folders of headers, and the graph finds `{header}` by `-I {}`; what a design's source includes \
         in quotes is found by its path from the source",
        folder.display()
    ))
}

/// The graph under a name that its own files do not give a class.
fn renamed(mut adopted: Adopted) -> Adopted {
    for design in std::iter::once(&mut adopted.design).chain(&mut adopted.arrays) {
        design.name.value.push_str("_graph");
    }
    adopted
}

/// The first reason for which `aiec check` refuses `text` as the design file at `path`.
fn refusal(args: &Import, path: &Path, text: &str, device: Option<&Device>) -> Option<Diagnostic> {
    let mut invocation = Invocation::default();
    let id = invocation.sources.add(path.display().to_string(), text);
    let source = invocation.sources.get(id)?.clone();
    let allowed = args.graph.allow.clone();
    let options = Options { device: device.cloned(), allowed, ..Options::default() };
    let input = Input { design: path.to_path_buf(), reading: args.input.reading.clone() };
    let compiling = Compiling { design: path, device: None, cxx: &args.compiler.cxx, jobs: None };
    let _ = checked(&input, &source, &options, Some(compiling), &mut invocation);
    invocation.log.diagnostics.into_iter().find(Diagnostic::is_error)
}

/// Makes the paths of sources and headers, which are relative to the graph, relative to the
/// design's folder.
fn move_sources(adopted: &mut Adopted, graph: &Path, design: &Path) {
    let prefix = way(design, graph);
    let moved = |path: &mut String| {
        if !prefix.is_empty() && !path.starts_with('/') {
            *path = format!("{prefix}/{path}");
        }
        *path = shortened(design, path);
    };
    for design in std::iter::once(&mut adopted.design).chain(&mut adopted.arrays) {
        for id in design.families.ids().collect::<Vec<_>>() {
            for body in &mut design.families[id].bodies {
                moved(&mut body.source.value);
                if let Some(header) = &mut body.header {
                    moved(&mut header.value);
                }
            }
        }
    }
}

/// The path of a file, from `folder`, without the folders that it leaves again by `..`. A link may
/// lead elsewhere: the path then stays.
fn shortened(folder: &Path, path: &str) -> String {
    let short = aiec_dsl::without_detours(path);
    let is_below = path.starts_with("./") && !short.starts_with("..");
    let short = if is_below { format!("./{short}") } else { short };
    if real_path(&folder.join(&short)) == real_path(&folder.join(path)) { short } else { path.to_owned() }
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "tests list the examples")]
mod tests {
    use super::*;
    use crate::args::Command;
    use crate::invocation::open;
    use aiec_ir::Expanded;
    use aiec_test_support::form::first_difference;

    /// The design of a graph and that of the text which `aiec import` writes for it.
    fn both(example: &Path) -> (Expanded, Expanded, String) {
        let graph = example.join("graph.cpp").display().to_string();
        let command = ["aiec", "import", &graph];
        let (cli, _) = crate::args::parse(command).expect("right usage");
        let Command::Import(args) = cli.command else { panic!("another command") };
        let mut invocation = Invocation::default();
        let code = Code { graph: &args.graph, cxx: &args.compiler.cxx, as_text: true, headers: false };
        let opened = open(&args.input, Some(code), None, &mut invocation);
        let Some((source, options)) = opened else { panic!("{:#?}", invocation.log.diagnostics) };
        let first = pipeline::design(&source, &options, &mut invocation.log).expect("a graph");
        let adopted = options.adopted.as_ref().expect("a graph");
        let design = adopted.arrays.as_ref().unwrap_or(&first);
        let first = pipeline::expand(design, &options, &mut invocation.log);
        let imported = aiec_adf::import(design, &adopted.notes, "A graph.", None);
        assert_eq!(imported.left_out, [""; 0], "{graph}");
        let text = imported.text.clone();
        let id = invocation.sources.add("design.dsl", imported.text);
        let file = invocation.sources.get(id).expect("added above").clone();
        let usual = Options::default();
        let second = pipeline::design(&file, &usual, &mut invocation.log);
        let second = second.and_then(|one| pipeline::expand(&one, &usual, &mut invocation.log));
        let faults = &invocation.log.diagnostics;
        assert!(faults.is_empty(), "{text}\n{faults:#?}");
        (first.expect("no faults"), second.expect("no faults"), text)
    }

    fn comes_back(example: &Path) {
        let (graph, design, text) = both(example);
        assert_eq!(first_difference(&graph, &design), None, "{}\n{text}", example.display());
    }

    fn examples() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/adf")
    }

    #[test]
    #[ignore = "long: compiles every example"]
    fn the_design_of_every_example_is_its_graph() {
        let all = std::fs::read_dir(examples()).expect("the examples").flatten();
        let count = all.map(|entry| comes_back(&entry.path())).count();
        assert!(count >= 17, "{count} examples");
    }

    #[test]
    fn a_path_does_not_enter_folders_that_it_leaves_again() {
        let short = |path: &str| shortened(Path::new("/no/such"), path);
        assert_eq!(short("a/b/../../../c/./k.cc"), "../c/k.cc");
        assert_eq!(
            (short("../../k.cc"), short("./k.cc"), short("/../k.cc")),
            ("../../k.cc".into(), "./k.cc".into(), "/../k.cc".into())
        );
        assert_eq!(short("./../k.cc"), "../k.cc");
        let folder = tempfile::tempdir().expect("a temporary directory");
        let at = |name: &str| folder.path().join(name);
        std::fs::create_dir_all(at("far/away")).expect("writable");
        std::fs::write(at("far/k.cc"), "").expect("writable");
        std::os::unix::fs::symlink(at("far/away"), at("link")).expect("writable");
        assert_eq!(shortened(folder.path(), "link/../k.cc"), "link/../k.cc");
    }

    #[test]
    fn a_header_of_an_include_folder_is_no_fault_of_the_kernel() {
        let folder = tempfile::tempdir().expect("a temporary directory");
        std::fs::write(folder.path().join("stage.h"), "").expect("writable");
        let include = [PathBuf::from("/no/such"), folder.path().to_path_buf()];
        let of = |header: &str| {
            let message = format!(
                "the C++ of kernel `k` does not compile at `k.cc:1`: {header}: No such file or directory"
            );
            of_a_folder(&message, &include)
        };
        let found = of("stage.h").expect("the second folder has it");
        assert!(found.contains(&format!("finds `stage.h` by `-I {}`", folder.path().display())), "{found}");
        assert_eq!(of("other.h"), None);
        assert_eq!(of_a_folder("the C++ of kernel `k` does not compile: expected ;", &include), None);
    }

    #[test]
    fn the_way_to_a_folder_leaves_what_both_have_in_common() {
        let way = |from: &str, to: &str| way(Path::new(from), Path::new(to));
        assert_eq!(way("/no/such/a", "/no/such/a/b"), "b");
        assert_eq!(way("/no/such/a/b", "/no/such/c"), "../../c");
        assert_eq!(way("", "."), "");
    }
}
