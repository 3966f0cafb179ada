//! Golden data: the expected contents of a design's outputs, as files of its project.
//!
//! Takes the emitted files and returns the files of `data/golden/`. It runs the design as `aiec
//! sim` does, and compares the results of its collectives with their definitions. So wrong data
//! never becomes golden.

use std::path::{Path, PathBuf};

use aiec_check::Checked;
use aiec_codegen::{OutputFile, golden_files};

use aiec_diag::{Diagnostic, Spanned};
use aiec_ir::Direction;
use aiec_ir::expanded::DataEnd;

use crate::args::Sim;
use crate::data;
use crate::invocation::Invocation;
use crate::output::Console;
use crate::pipeline::Front;
use crate::sim::execution::{Emitted, Machine, Run, compile, inputs_are_there, read_output, running, texts};
use crate::sim::findings::judge;
use crate::sim::inputs;
use aiec_host_run::errors;
use aiec_host_run::program::{Workspace, absolute};
use aiec_system::files;

/// Runs the project and returns the golden data of every output whose data is the same in every
/// run. `folder` is that of the design.
pub(crate) fn golden(
    front: &Front,
    emitted: Emitted<'_>,
    machine: Machine<'_>,
    folder: &Path,
    invocation: &mut Invocation,
    console: &mut Console<'_>,
) -> Option<Vec<OutputFile>> {
    let scratch = invocation.require(files::Folder::new(None))?;
    let root = absolute(scratch.path());
    let workspace = Workspace { root: &root };
    let files = emitted.files;
    inputs_are_there(&front.checked, emitted.user, invocation)?;
    let goldens = invocation.require(named(&front.checked, goldens_of(&front.checked), folder))?;
    data::check_goldens(&front.checked, &goldens, invocation)?;
    invocation.require(files::write_all(&workspace.project(0), texts(files)))?;
    let fits = compile(&machine, &workspace, emitted, invocation, console)?;
    let kernels = aiec_codegen::creation_order(&front.checked, &front.device);
    let cores = aiec_check::shared_cores(&front.checked, &front.device);
    let run = Run {
        front,
        workspace: &workspace,
        machine,
        goldens: &goldens,
        files,
        kernels: &kernels,
        cores: &cores,
        folder,
    };
    let wait = running(invocation);
    let finished = run.started(0, 1, &mut |line| wait.say(line), invocation)?;
    drop(wait);
    judge(&run, &finished, invocation)?;
    run.compare(0, &finished, invocation)?;
    if !fits {
        return None;
    }
    let file = |(end, path)| {
        let checked = &front.checked;
        let text = read_output(checked, end, &workspace.project(0));
        let text = text
            .map_err(|reason| errors::no_output(checked.data_name(end), &reason, checked.data_span(end)))?;
        Ok(OutputFile { path, text: numbers(&text), copy_of: None })
    };
    let found: Result<Vec<OutputFile>, _> = golden_files(&front.checked).into_iter().map(file).collect();
    invocation.require(found)
}

/// The outputs of a run with their golden files. Arguments take the place of what the design names.
/// With `--input` the files of the design count if they are in that folder, since other inputs give
/// other outputs.
pub(crate) fn files(checked: &Checked, args: &Sim) -> Result<Vec<(DataEnd, PathBuf)>, Diagnostic> {
    let mut goldens = of_arguments(checked, &args.golden)?;
    let asked: Vec<DataEnd> = goldens.iter().map(|(end, _)| *end).collect();
    let others = goldens_of(checked).filter(|(end, _)| !asked.contains(end));
    match &args.graph.input {
        None => goldens.extend(named(checked, others, files::folder_of(&args.input.design))?),
        Some(folder) => {
            let there = |file: &str| inputs::within(folder, file);
            goldens.extend(others.filter_map(|(end, file)| Some((end, there(&file.value)?))));
        }
    }
    Ok(goldens)
}

/// The golden files of the design, which lies in `folder`. Fails and names all files that do not
/// exist.
fn named<'a>(
    checked: &Checked,
    goldens: impl Iterator<Item = (DataEnd, &'a Spanned<String>)>,
    folder: &Path,
) -> Result<Vec<(DataEnd, PathBuf)>, Diagnostic> {
    let (mut found, mut missing) = (Vec::new(), Vec::new());
    for (end, file) in goldens {
        let path = folder.join(&file.value);
        match files::kind(&path) {
            Ok(files::Kind::Missing) => missing.push((checked.data_name(end), file)),
            _ => found.push((end, path)),
        }
    }
    if missing.is_empty() { Ok(found) } else { Err(errors::no_golden(&missing)) }
}

/// The connected outputs with the golden files that the design names for them.
fn goldens_of(checked: &Checked) -> impl Iterator<Item = (DataEnd, &Spanned<String>)> {
    let connected = checked.data_ends(Direction::In).filter(|&end| !checked.data_peers(end).is_empty());
    connected.filter_map(|end| Some((end, checked.data_golden(end)?)))
}

/// The outputs and golden files of the `--golden` arguments: `OUTPUT=FILE`, a file for the output
/// with the same file name or for the only output, or a folder with files named like the golden
/// files of the design, else like those of the outputs.
fn of_arguments(checked: &Checked, arguments: &[String]) -> Result<Vec<(DataEnd, PathBuf)>, Diagnostic> {
    let outputs: Vec<(DataEnd, &str, String)> = checked
        .data_ends(Direction::In)
        .map(|end| (end, checked.data_name(end), aiec_codegen::data_file(checked, end)))
        .collect();
    let known: Vec<&str> = outputs.iter().map(|(_, name, _)| *name).collect();
    let one = |argument: &String| {
        let is_folder = is_folder(argument);
        let found = match is_folder {
            true => goldens_in(checked, Path::new(argument)),
            false => golden_of(&outputs, argument),
        };
        let names = || outputs.iter().map(|(end, _, file)| name_of(golden_name(checked, *end, file)));
        match found.is_empty() {
            true if is_folder => Err(errors::no_golden_in(argument, &names().collect::<Vec<_>>())),
            true => Err(errors::unknown_output(argument, &known)),
            false => Ok(found),
        }
    };
    Ok(arguments.iter().map(one).collect::<Result<Vec<_>, _>>()?.concat())
}

/// True if a `--golden` is a folder of files.
pub(super) fn is_folder(argument: &str) -> bool {
    matches!(files::kind(Path::new(argument)), Ok(files::Kind::Folder))
}

/// A line about the files in folders of `--golden` that no output takes. `taken` are the goldens of
/// outputs.
pub(super) fn not_taken<'a>(
    arguments: &[String],
    taken: impl Iterator<Item = &'a Path> + Clone,
) -> Option<String> {
    let folders = arguments.iter().filter(|argument| is_folder(argument)).map(Path::new);
    let files = folders
        .flat_map(|folder| files_below(folder, MOST_FOLDERS).into_iter().map(move |file| (folder, file)));
    let open = files.filter(|(_, file)| taken.clone().all(|taken| taken != file.as_path()));
    let names: Vec<String> = open
        .map(|(folder, file)| format!("`{}`", file.strip_prefix(folder).unwrap_or(&file).display()))
        .collect();
    (!names.is_empty()).then(|| {
        let names = aiec_diag::listed(names, aiec_diag::LISTED);
        format!("no output takes the golden data of {names}: none has such a file or name")
    })
}

/// Limit on the folders in each other that hold goldens.
const MOST_FOLDERS: usize = 8;

/// The files in a folder and in those below it, but for hidden ones.
fn files_below(folder: &Path, depth: usize) -> Vec<PathBuf> {
    let names = files::entries(folder).unwrap_or_default();
    let shown = names.iter().filter(|name| !name.starts_with('.')).map(|name| folder.join(name));
    shown
        .flat_map(|path| match files::kind(&path) {
            Ok(files::Kind::Other) => vec![path],
            Ok(files::Kind::Folder) if depth > 0 => files_below(&path, depth - 1),
            _ => Vec::new(),
        })
        .collect()
}

/// The golden files of the outputs in `folder`: by the path or the name of the design's golden
/// file, else by those of the output's data.
fn goldens_in(checked: &Checked, folder: &Path) -> Vec<(DataEnd, PathBuf)> {
    let there = |file: &str| {
        let mut paths = [folder.join(file), folder.join(name_of(file))].into_iter();
        paths.find(|path| matches!(files::kind(path), Ok(files::Kind::Other)))
    };
    let one = |end: DataEnd| {
        let golden = checked.data_golden(end).and_then(|file| there(&file.value));
        Some((end, golden.or_else(|| there(&aiec_codegen::data_file(checked, end)))?))
    };
    checked.data_ends(Direction::In).filter_map(one).collect()
}

/// The golden file that the design names for an output, else the file of its data.
fn golden_name<'a>(checked: &'a Checked, end: DataEnd, data: &'a str) -> &'a str {
    checked.data_golden(end).map_or(data, |file| file.value.as_str())
}

/// The last part of a path.
fn name_of(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

fn golden_of(outputs: &[(DataEnd, &str, String)], argument: &str) -> Vec<(DataEnd, PathBuf)> {
    if let Some((wanted, file)) = argument.split_once('=') {
        let named = outputs.iter().find(|(_, name, file)| *name == wanted || file == wanted);
        return named.map(|(id, _, _)| (*id, PathBuf::from(file))).into_iter().collect();
    }
    let mut same = outputs.iter().filter(|(_, _, file)| name_of(file) == name_of(argument));
    let only = || if let [only] = outputs { Some(only) } else { None };
    let found = same.next().or_else(only).filter(|_| same.next().is_none());
    found.map(|(id, _, _)| (*id, PathBuf::from(argument))).into_iter().collect()
}

/// The lines of numbers of an output, without the marks of packet ends.
fn numbers(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.trim_start().starts_with("TLAST"));
    lines.map(|line| format!("{}\n", line.trim())).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn marks_between_packets_are_no_data() {
        assert_eq!(super::numbers("1 2\nTLAST\n3 4\n"), "1 2\n3 4\n");
    }
}
