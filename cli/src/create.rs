//! `aiec new NAME`: a folder with a design, its kernels and data, and a file for continuous
//! integration.
#![allow(clippy::disallowed_methods, reason = "this module makes the folder")]

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use aiec_diag::SourceFile;
use aiec_system::errors::output_unwritable;
use aiec_system::files;
use aiec_system::passing::scratch::Scratch;

use crate::args::Template;
use crate::errors;
use crate::invocation::Invocation;
use crate::output::Console;
use crate::pipeline::{self, Options};

/// A file of the examples, which the templates are.
macro_rules! example {
    ($folder:literal, $file:literal) => {
        include_str!(concat!("../../examples/", $folder, $file))
    };
}

/// Files of a folder of examples, by their paths there and in a new folder.
macro_rules! examples {
    ($folder:literal: $($file:literal),+ $(,)?) => {
        &[$(($file, example!($folder, $file))),+]
    };
}

/// A design with the files that it names, by their paths in the new folder.
struct Example {
    /// The name in its `design` line.
    name: &'static str,
    /// Its text.
    design: &'static str,
    /// Words of the text that the new folder has otherwise.
    replaced: &'static [(&'static str, &'static str)],
    files: &'static [(&'static str, &'static str)],
}

const REDUCE: Example = Example {
    name: "reduce63",
    design: example!("", "reduce.dsl"),
    // A run of 63 kernels takes longer than a first try should.
    replaced: &[
        ("aiec sim reduce.dsl -D N=7", "aiec sim reduce.dsl"),
        ("const N = 63 // ranks", "const N = 7 // ranks; the golden data are theirs"),
        ("output sum to gmio\n", "output sum to gmio(\"data/sum_out.txt\") golden \"data/sum_golden.txt\"\n"),
    ],
    files: &[
        ("kernels/worker.cc", example!("", "kernels/worker.cc")),
        ("data/sum_golden.txt", include_str!("../templates/sum_golden.txt")),
    ],
};

const PIPELINE: Example = Example {
    name: "pipeline",
    design: example!("", "pipeline.dsl"),
    replaced: &[],
    files: examples! {
        "":
        "kernels/scale.cc",
        "kernels/bias.cc",
        "kernels/clip.cc",
        "data/pipeline_in.txt",
        "data/pipeline_golden.txt",
    },
};

const GEMM: Example = Example {
    name: "gemm",
    design: example!("modules/", "gemm.dsl"),
    replaced: &[],
    files: examples! {
        "modules/":
        "matmul.dsl",
        "kernels/matmul.cc",
        "data/gemm_a_0.txt",
        "data/gemm_a_1.txt",
        "data/gemm_a_2.txt",
        "data/gemm_a_3.txt",
        "data/gemm_a_4.txt",
        "data/gemm_a_5.txt",
        "data/gemm_b_0.txt",
        "data/gemm_b_1.txt",
        "data/gemm_b_2.txt",
        "data/gemm_b_3.txt",
        "data/gemm_b_4.txt",
        "data/gemm_b_5.txt",
        "data/gemm_golden_0.txt",
        "data/gemm_golden_1.txt",
        "data/gemm_golden_2.txt",
        "data/gemm_golden_3.txt",
    },
};

const STENCIL: Example = Example {
    name: "blur",
    design: example!("ports/", "blur.dsl"),
    replaced: &[],
    files: examples! {
        "ports/":
        "kernels/blur.cc",
        "data/blur_in_0.txt",
        "data/blur_in_1.txt",
        "data/blur_in_2.txt",
        "data/blur_in_3.txt",
        "data/blur_golden_0.txt",
        "data/blur_golden_1.txt",
        "data/blur_golden_2.txt",
        "data/blur_golden_3.txt",
    },
};

impl Template {
    const fn example(self) -> &'static Example {
        match self {
            Self::Reduce => &REDUCE,
            Self::Pipeline => &PIPELINE,
            Self::Gemm => &GEMM,
            Self::Stencil => &STENCIL,
        }
    }
}

/// Where the file for continuous integration lies.
const WORKFLOW: &str = ".github/workflows/aiec.yml";

/// What `aiec build` and `aiec view` write beside the design.
const IGNORED: &str = "/build/\n/*.html\n";

/// Makes the folder `name` in the working folder, whole or not at all.
pub(crate) fn folder(
    name: &str,
    template: Template,
    invocation: &mut Invocation,
    console: &mut Console<'_>,
) -> Option<()> {
    let example = template.example();
    let file = format!("{name}.dsl");
    let design = design(example, name, &file);
    sound(name, &design, invocation)?;
    if let Some(reason) = clash(example, &file, &design) {
        return invocation.fail(errors::name_of_template(name, &reason));
    }
    if !matches!(files::kind(Path::new(name)), Ok(files::Kind::Missing)) {
        return invocation.fail(errors::name_taken(name));
    }
    let workflow = workflow(&file, example);
    let own = [(file.as_str(), design.as_str()), (WORKFLOW, workflow.as_str()), (".gitignore", IGNORED)];
    let made = make(name, own.into_iter().chain(example.files.iter().copied()));
    invocation.require(made.map_err(|error| output_unwritable(name, &error.to_string())))?;
    let files = aiec_diag::count(example.files.len() as u64, "file");
    console.line(&format!("{name}: a design with {files}; try"));
    console.line(&format!("  cd {name}"));
    for command in ["check", "view", "build", "test", "watch"] {
        console.line(&format!("  aiec {command}"));
    }
    Some(())
}

/// The text of the example with the new name.
fn design(example: &Example, name: &str, file: &str) -> String {
    let mut text =
        example.design.replacen(&format!("design {}\n", example.name), &format!("design {name}\n"), 1);
    for (old, new) in example.replaced {
        text = text.replace(old, new);
    }
    text.replace("reduce.dsl", file)
}

/// Logs the faults of a name: one that is none in the language or in the generated C++.
fn sound(name: &str, design: &str, invocation: &mut Invocation) -> Option<()> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if !name.starts_with(|c: char| is_part(c) && !c.is_ascii_digit()) || !name.chars().all(is_part) {
        return invocation.fail(errors::no_name(name));
    }
    if aiec_dsl::RESERVED.contains(&name) {
        return invocation.fail(errors::reserved(name));
    }
    let text = design.lines().find(|line| line.starts_with("design ")).unwrap_or_default();
    let id = invocation.sources.add(format!("{name}.dsl"), text.to_owned());
    let source = SourceFile { id, name: format!("{name}.dsl"), text: text.to_owned() };
    let mut log = pipeline::Log::default();
    pipeline::design(&source, &Options::default(), &mut log);
    // The line alone lacks a device and kernels.
    let of_name = |fault: &aiec_diag::Diagnostic| *fault.code != aiec_diag::catalogue::MISSING_ITEM;
    let faults: Vec<_> = log.diagnostics.into_iter().filter(of_name).collect();
    (!invocation.log.add(faults)).then_some(())
}

/// What else of the example has the new name: a file, or a name in the design such as that of a
/// kernel. Returns None when nothing has.
fn clash(example: &Example, file: &str, design: &str) -> Option<String> {
    if example.files.iter().any(|(path, _)| *path == file) {
        return Some(format!("it has a file `{file}`"));
    }
    let (mut log, mut sources) = (pipeline::Log::default(), aiec_diag::Sources::default());
    let mut source = |name: &str, text: &str| {
        let id = sources.add(name, text);
        SourceFile { id, name: name.to_owned(), text: text.to_owned() }
    };
    let named = |&(path, text): &(&str, &str)| (path.to_owned(), Ok(source(path, text)));
    let tables: BTreeMap<_, _> = example.files.iter().map(named).collect();
    let lower = aiec_lower::Options { imports: tables.clone(), tables, ..Default::default() };
    pipeline::design(&source(file, design), &Options { lower, ..Options::default() }, &mut log);
    log.diagnostics.into_iter().find(aiec_diag::Diagnostic::is_error).map(|fault| fault.message)
}

/// Writes the files beside and then gives them their name at once.
fn make<'a>(name: &str, files: impl Iterator<Item = (&'a str, &'a str)>) -> io::Result<()> {
    let scratch = Scratch::new(Path::new("."), ".aiec-new-")?;
    let folder = scratch.path().join(name);
    for (file, text) in files {
        let path = folder.join(file);
        path.parent().map_or(Ok(()), std::fs::create_dir_all)?;
        std::fs::write(path, text)?;
    }
    std::fs::rename(folder, name)
}

/// A workflow of GitHub Actions for the design and the files that it imports.
fn workflow(file: &str, example: &Example) -> String {
    let imported = example.files.iter().map(|(path, _)| *path).filter(|path| path.ends_with(".dsl"));
    let files = [file].into_iter().chain(imported).collect::<Vec<_>>().join(" ");
    format!(
        "on: [push, pull_request]
jobs:
  designs:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - run: cargo install --git https://github.com/aiec/aiec aiec
      - run: aiec fmt --check {files}
      - run: aiec check --message-format github {file}
      - run: aiec test
"
    )
}
