//! Golden data: the expected contents of a design's outputs, as files of its project.
//!
//! Takes the emitted files and returns the files of `data/golden/`. It runs the design as `aiec
//! sim` does, and compares the results of its collectives with their definitions. So wrong data
//! never becomes golden.

use aiec_codegen::{EmitOptions, OutputFile, golden_files};

use crate::invocation::Invocation;
use crate::output::Console;
use crate::pipeline::Front;
use crate::sim::execution::{Machine, Run, compile, inputs_are_there, judge, progress, read_output, texts};
use aiec_host_run::errors;
use aiec_host_run::program::{Workspace, absolute};
use aiec_system::files;

/// Runs the emitted `files` and returns the golden data of every output whose data is the same in
/// every run. `user` holds the user's sources and data.
pub(crate) fn golden(
    front: &Front,
    files: &[OutputFile],
    user: &EmitOptions,
    machine: Machine<'_>,
    invocation: &mut Invocation,
    console: &mut Console<'_>,
) -> Option<Vec<OutputFile>> {
    let folder = invocation.require(files::Folder::new(None))?;
    let root = absolute(folder.path());
    let workspace = Workspace { root: &root };
    inputs_are_there(&front.checked, user, invocation)?;
    invocation.require(files::write_all(&workspace.project(0), texts(files)))?;
    let fits = compile(&machine, &workspace, files, user, invocation, console)?;
    let run = Run { front, workspace: &workspace, machine, goldens: &[] };
    let mut shown = progress(invocation.progress, console);
    let finished = run.started(0, 1, &mut shown, invocation)?;
    drop(shown);
    judge(front, &finished, machine.timeout, invocation)?;
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
