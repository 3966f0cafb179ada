//! Diagnostics for files, arguments and the output directory.

use crate::values::Takes;
use std::ops::Range;
use std::path::{Path, PathBuf};

use aiec_device::Board;
use aiec_diag::{Diagnostic, LISTED, SourceFile, Span, Spanned, catalogue, choice, listed};
use aiec_ir::Expanded;
use aiec_ir::design::Body;
use aiec_timing::network::NetworkProfile;
use aiec_timing::{BadProfile, TimingProfile};

/// The chosen solver failed while aiec placed or routed `design`.
pub(crate) fn solver_failed(name: &str, reason: &str, design: &Spanned<String>) -> Diagnostic {
    Diagnostic::new(
        &catalogue::SOLVER_FAILED,
        format!("the solver `{name}` failed, and the built-in one went on in its place: {reason}"),
        format!("check that the program of `{name}` runs by itself and has a licence, or leave out --solver"),
    )
    .label(design.span, "this design was placed and routed without it")
}

/// `text` is not a `-D NAME=NUMBER`.
pub(crate) fn bad_define(text: &str) -> Diagnostic {
    Diagnostic::new(
        &catalogue::BAD_DEFINE,
        format!("`-D {text}` is not of the form NAME=NUMBER"),
        "write for example `-D N=127`, `-D N=0x7f` or `-D GAIN=0.75`",
    )
}

/// `-D define` for a graph begins with no name. `span` is its option in a file, if it has one.
pub(crate) fn bad_macro(define: &str, span: Option<Span>) -> Diagnostic {
    Diagnostic::new(
        &catalogue::BAD_DEFINE,
        format!("`-D {define}` defines no macro: its name begins with neither a letter nor `_`"),
        "write for example `-D N=4` or `-D FAST`",
    )
    .label_at(span, "this option")
}

/// `-D define` of a sweep gives no values, for `reason`.
pub(crate) fn bad_values(define: &str, reason: &str) -> Diagnostic {
    Diagnostic::new(
        &catalogue::BAD_DEFINE,
        format!("`-D {define}` gives no values to a constant: {reason}"),
        "write numbers and ranges between commas, such as `-D N=15,31,63`, `-D N=8..64+8` or `-D WINDOW=64..4096*2`",
    )
}

/// A sweep would have more points than the limit.
pub(crate) fn too_many_points(points: u128, most: u128) -> Diagnostic {
    Diagnostic::new(
        &catalogue::BAD_DEFINE,
        format!("the values of `-D` make {points} points, and a sweep has at most {most}"),
        "give fewer values, larger steps or factors, or sweep the parts into directories of their own",
    )
}

/// A pattern of traffic cannot be as the arguments ask. `what` is wrong, and `help` would do.
pub(crate) fn bad_traffic(what: String, help: &str) -> Diagnostic {
    Diagnostic::new(&catalogue::BAD_TRAFFIC, what, help)
}

/// The command makes files of a design, and `path` is a graph in C++.
pub(crate) fn not_a_design(path: &str) -> Diagnostic {
    Diagnostic::new(
        &catalogue::NOT_A_DESIGN,
        format!(
            "`{path}` is an ADF graph: the project that it belongs to is yours, and aiec writes no other"
        ),
        "check, place, route, report and sim take a graph; `aiec import` makes a design of it, which this command takes",
    )
}

/// The command makes files of a design, and that at `path` has `ports own`.
pub(crate) fn own_project(path: &str) -> Diagnostic {
    Diagnostic::new(
        &catalogue::NOT_A_DESIGN,
        format!("`{path}` has `ports own`: the project of its kernels is yours, and aiec writes no other"),
        "check, place, route and report take this design; delete `ports own`, and `aiec check` tells what a project needs",
    )
}

/// `aiec new` makes no folder where something is.
pub(crate) fn name_taken(name: &str) -> Diagnostic {
    Diagnostic::new(
        &catalogue::OUTPUT_UNWRITABLE,
        format!("`{name}` exists, and `aiec new` makes a new folder"),
        "take another name; nothing was changed",
    )
}

/// `aiec new` makes no design whose name its template has in another place.
pub(crate) fn name_of_template(name: &str, reason: &str) -> Diagnostic {
    Diagnostic::new(
        &catalogue::BAD_IDENTIFIER,
        format!("the template has `{name}` in another place: {reason}"),
        "take another name; nothing was changed",
    )
}

/// The folders of `aiec test` have no design.
pub(crate) fn no_design_found() -> Diagnostic {
    Diagnostic::new(
        &catalogue::WHICH_DESIGN,
        "no design was found",
        "name a design, or a folder with a file `*.dsl` that has more than components",
    )
}

/// The folder has none of what a command takes, or all of these.
pub(crate) fn which_design(
    folder: &Path,
    designs: &[PathBuf],
    graphs: &[PathBuf],
    takes: Takes,
) -> Diagnostic {
    let several = match (designs, graphs) {
        ([], []) => None,
        ([], _) => Some("graphs"),
        (_, []) => Some("designs"),
        _ => Some("designs and graphs"),
    };
    let names = designs.iter().chain(graphs).map(|path| path.strip_prefix(".").unwrap_or(path).display());
    let names = listed(names.map(|name| format!("`{name}`")), LISTED);
    let folder = if folder == Path::new(".") {
        "working folder".to_owned()
    } else {
        format!("folder `{}`", folder.display())
    };
    let (found, help) = match (several, takes) {
        (Some(kind), _) => (format!("several {kind}: {names}"), "name the one that you mean"),
        (None, Takes::Graphs) => {
            ("no file that defines a graph object".to_owned(), "name the .cpp, .cc or .cxx file of the graph")
        }
        (None, _) => (
            if takes == Takes::Both { "neither a design nor a graph" } else { "no design" }.to_owned(),
            "name a file, or the folder that it lies in; `aiec new NAME` makes a folder to begin with",
        ),
    };
    Diagnostic::new(&catalogue::WHICH_DESIGN, format!("the {folder} has {found}"), help)
}

/// `path` is a header, and `graphs` are the files beside it that define graph objects.
pub(crate) fn header(path: &Path, graphs: &[PathBuf]) -> Diagnostic {
    let names = listed(graphs.iter().map(|graph| format!("`{}`", graph.display())), LISTED);
    let help = match graphs {
        [] => "name the .cpp, .cc or .cxx file that defines the graph object".to_owned(),
        _ => format!("name the file that defines the graph object: {names}"),
    };
    Diagnostic::new(&catalogue::NOT_A_GRAPH, format!("`{}` is a C++ header", path.display()), help)
}

/// `path` is no graph in C++.
pub(crate) fn not_a_graph(path: &str) -> Diagnostic {
    Diagnostic::new(
        &catalogue::NOT_A_GRAPH,
        format!("`{path}` is neither a C++ file nor a folder with a graph.cpp"),
        "name the .cpp, .cc or .cxx file that defines the graph object",
    )
}

/// Constraints are given with a design, whose own statements say where things lie.
pub(crate) fn constraints_of_design(path: &str) -> Diagnostic {
    Diagnostic::new(
        &catalogue::NOT_A_GRAPH,
        format!("`--constraints` goes with an ADF graph, and `{path}` is a design"),
        "state the places in the design, as in `place worker[0] at (24, 0)`, or give a placement file with --placement",
    )
}

/// The C++ source `path` of a kernel cannot be read.
pub(crate) fn missing_source(path: &str, reason: &str, named_at: Span) -> Diagnostic {
    Diagnostic::new(
        &catalogue::MISSING_SOURCE,
        format!("the C++ source `{path}` cannot be read: {reason}"),
        "create the file (`aiec new kernel NAME DESIGN` writes a stub), or correct the path, which is relative to the \
         directory of the design file",
    )
    .label(named_at, "the design names it here")
}

/// The C++ source has an absolute path, or one that climbs above the root.
pub(crate) fn source_outside(source: &Spanned<String>) -> Diagnostic {
    Diagnostic::new(
        &catalogue::MISSING_SOURCE,
        format!("a project cannot copy `{}`, which does not say where it lies from the design", source.value),
        "name it by a path from the folder of this file, such as `../lib/fir.cc`",
    )
    .label(source.span, "the design names this file")
}

/// The source of a kernel is there already.
pub(crate) fn source_occupied(path: &str, named_at: Span) -> Diagnostic {
    Diagnostic::new(
        &catalogue::OUTPUT_OCCUPIED,
        format!("`{path}` is there already; nothing was written"),
        "`aiec check` shows the signature that the source should have, if it has another one",
    )
    .label(named_at, "this file is the kernel's source")
}

/// No text of a header serves all kernels that it declares: `body` of `kernel` is one of them.
/// `signature` is what the graph calls.
pub(crate) fn no_stub(kernel: &str, body: &Body, signature: &str) -> Diagnostic {
    let (name, source) = (&body.function, &body.source.value);
    let header = body.header.as_ref().unwrap_or(&body.source);
    let path = &header.value;
    Diagnostic::new(
        &catalogue::MISSING_SOURCE,
        format!("no stub of `{kernel}`: kernels need `{name}` of `{path}` with several types"),
        format!("declare `{signature}` in `{path}`, and define it in `{source}`"),
    )
    .label(header.span, "this header declares it")
}

/// A name without the indices of instances: `bank.mac` for `bank[2].mac`.
pub(crate) fn without_indices(name: &str) -> String {
    let parts = name.split(['[', ']']).step_by(2);
    parts.collect()
}

/// No kernel of the design has the name `name`.
pub(crate) fn no_such_kernel(name: &str, known: &[&str], design: &Spanned<String>) -> Diagnostic {
    // A kernel of a component may be meant without its instance, or without the index of that.
    let plain: Vec<String> = known.iter().map(|known| without_indices(known)).collect();
    let local = known.iter().map(|known| known.rsplit('.').next().unwrap_or(known));
    let near = aiec_diag::nearest(name, plain.iter().map(String::as_str).chain(local));
    let near = near.and_then(|near| {
        let is_it = |known: &&&str| without_indices(known) == near || known.ends_with(&format!(".{near}"));
        known.iter().find(is_it)
    });
    let help = match near {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("the kernels are {}", listed(known.iter().copied(), LISTED)),
    };
    Diagnostic::new(&catalogue::UNKNOWN_NAME, format!("the design has no kernel `{name}`"), help)
        .label(design.span, format!("no kernel of this design is called `{name}`"))
}

/// The output directory holds `names` and no manifest of aiec's, or one that cannot be read for
/// `reason`.
pub(crate) fn output_unowned(directory: &str, names: &[String], reason: Option<&str>) -> Diagnostic {
    let list =
        reason.map_or_else(String::new, |reason| format!("; its list of what aiec wrote is lost: {reason}"));
    Diagnostic::new(
        &catalogue::OUTPUT_OCCUPIED,
        format!(
            "`{directory}` holds files that aiec did not write: {}{list}",
            listed(names.iter().cloned(), LISTED)
        ),
        "choose another directory with --output, or pass --overwrite to write into this one; files outside the project stay",
    )
}

/// Files of the output directory were edited, or lie where files of the project belong. A copy of a
/// user's file comes with the path of its original.
pub(crate) fn output_edited(directory: &str, files: &[(&str, Option<String>)]) -> Diagnostic {
    let names: Vec<&str> = files.iter().map(|(path, _)| *path).collect();
    let copies = files.iter().filter_map(|(path, original)| Some((path, original.as_ref()?)));
    let copies: Vec<String> =
        copies.map(|(path, original)| format!("`{path}` is a copy of `{original}`: edit that one")).collect();
    let first = if copies.is_empty() {
        "make the change in the design".to_owned()
    } else {
        copies.iter().take(LISTED).map(String::as_str).collect::<Vec<_>>().join("; ")
    };
    Diagnostic::new(
        &catalogue::OUTPUT_OCCUPIED,
        format!(
            "`{directory}` holds files that are not as aiec wrote them, so nothing was written: {}",
            listed(names, LISTED)
        ),
        format!(
            "{first}; or choose another directory with --output, or pass --overwrite, by which the lines with `-` are lost"
        ),
    )
}

/// The command `earlier` made the output directory, from another design or with other constants
/// than `command`.
pub(crate) fn output_of_another(directory: &str, earlier: &str, command: &str) -> Diagnostic {
    Diagnostic::new(
        &catalogue::OUTPUT_OF_ANOTHER,
        format!(
            "`{directory}` holds the project that `{earlier}` made, and `{command}` makes another one; nothing was written"
        ),
        "choose another directory with --output, or pass --overwrite to put this project in the place of that one",
    )
}

/// A file of the project would lie at `path`, where an input file of the project lies.
pub(crate) fn output_is_source(path: &str) -> Diagnostic {
    Diagnostic::new(
        &catalogue::OUTPUT_IS_SOURCE,
        format!("`{path}` is an input of the project, and a file of the project would replace it"),
        "choose another directory with --output; sources are not replaced even with --overwrite",
    )
}

/// The output directory is the folder of the input `source`, or lies above it.
pub(crate) fn output_around_source(directory: &str, source: &str) -> Diagnostic {
    Diagnostic::new(
        &catalogue::OUTPUT_IS_SOURCE,
        format!(
            "`{directory}` holds `{source}`, which is an input of the project: your files and files of aiec would mix"
        ),
        "choose a directory of its own with --output; build/NAME beside the design is one",
    )
}

/// A result of a command would be written to `path`, which is an input of the command.
pub(crate) fn result_is_source(path: &str) -> Diagnostic {
    Diagnostic::new(
        &catalogue::OUTPUT_IS_SOURCE,
        format!("`{path}` is an input of the result, and the result would replace it"),
        "name another file; designs, sources and data are not replaced even with --overwrite",
    )
}

/// Two results of a command would be written to `path`.
pub(crate) fn result_twice(path: &str) -> Diagnostic {
    Diagnostic::new(
        &catalogue::OUTPUT_OCCUPIED,
        format!("`{path}` is named for two results, and one would replace the other"),
        "name a file for each",
    )
}

/// The file at `path` is not from aiec, or was `edited` since.
pub(crate) fn result_occupied(path: &str, edited: bool) -> Diagnostic {
    let whose = if edited {
        "was edited since aiec wrote it"
    } else {
        "is there, and no mark says that aiec wrote it"
    };
    Diagnostic::new(
        &catalogue::OUTPUT_OCCUPIED,
        format!("`{path}` {whose}; nothing was written"),
        "name another file or directory, or pass --overwrite to replace this one",
    )
}

/// `link`, in the output directory on the path to the project's file `path`, is a symbolic link.
pub(crate) fn output_linked(link: &str, path: &str) -> Diagnostic {
    Diagnostic::new(
        &catalogue::OUTPUT_UNWRITABLE,
        format!("cannot write `{path}`: `{link}` is a link, and aiec writes nothing behind links"),
        "put a folder in the place of the link, or choose another directory with --output; nothing was changed",
    )
}

/// The output directory differs from the result of this build (`build --check`). `earlier` is the
/// command that made it, if that had another design or other constants.
pub(crate) fn output_stale(directory: &str, files: &[&str], earlier: Option<&str>) -> Diagnostic {
    let made = earlier.map_or_else(String::new, |earlier| format!("; `{earlier}` made what is there"));
    Diagnostic::new(
        &catalogue::OUTPUT_STALE,
        format!(
            "`{directory}` is not up to date: {} would change{made}",
            listed(files.iter().copied(), LISTED)
        ),
        "run the same command without --check, which says so if files were edited there, and commit the result",
    )
}

/// No device of the command line is called `name`.
pub(crate) fn unknown_device(name: &str) -> Diagnostic {
    Diagnostic::new(
        &catalogue::UNKNOWN_DEVICE,
        format!("aiec knows no device `{name}`"),
        format!(
            "{}; a device file of your own is given by its path, which ends in .toml",
            known_devices(name)
        ),
    )
}

/// `--profile` names a profile that is not built in.
pub(crate) fn unknown_profile(name: &str) -> Diagnostic {
    let names = || TimingProfile::names().chain(NetworkProfile::names());
    let known = || names().collect::<Vec<_>>().join(", ");
    let near = aiec_diag::nearest(name, names());
    let help = near.map_or_else(
        || format!("aiec knows {}", known()),
        |near| format!("did you mean `{near}`? aiec knows {}", known()),
    );
    Diagnostic::new(
        &catalogue::BAD_PROFILE,
        format!("aiec knows no timing profile `{name}`"),
        format!("{help}; a profile of your own is given by its path, which ends in .toml"),
    )
}

/// The profile of a network comes where that of an array is needed.
pub(crate) fn network_profile(name: &str) -> Diagnostic {
    let arrays = TimingProfile::names().collect::<Vec<_>>().join(", ");
    Diagnostic::new(
        &catalogue::BAD_PROFILE,
        format!("the profile `{name}` has the times of a network of messages, and none of an array"),
        format!("`aiec traffic` takes it; for a design give one of {arrays}"),
    )
}

/// A file is no timing profile.
pub(crate) fn bad_profile(source: &SourceFile, bad: &BadProfile) -> Diagnostic {
    let works = if NetworkProfile::describes(&source.text) { "xmp64" } else { "vck190-thesis" };
    Diagnostic::new(
        &catalogue::BAD_PROFILE,
        format!("`{}` is no timing profile", source.name),
        format!("start from a profile that works: `aiec profiles {works} > mine.toml`"),
    )
    .label(
        bad.bytes.clone().map_or_else(|| source.span(), |bytes| source.span_at(bytes)),
        bad.message.clone(),
    )
}

/// A log of a host program has a line that is no run of the design, or no run at all.
pub(crate) fn bad_log(log: &SourceFile, bytes: Range<usize>, reason: &str) -> Diagnostic {
    Diagnostic::new(
        &catalogue::BAD_LOG,
        format!("`{}` is no log of this design's host program: {reason}", log.name),
        "write a log with the host program of the project: `./host.exe --restarts 10 --log bench.log`",
    )
    .label(log.span_at(bytes), "this proves nothing")
}

/// A file is no output of `aiec sim --timing --json`, or is of another design.
pub(crate) fn bad_cycles(file: &SourceFile, reason: &str) -> Diagnostic {
    Diagnostic::new(
        &catalogue::BAD_CYCLE_REPORT,
        format!("`{}` has no cycles of this design: {reason}", file.name),
        "write it anew: `aiec sim DESIGN --timing --json > cycles.json`",
    )
    .label(file.first_line(), "read by --cycles")
}

/// A table of measurements cannot be read, or does not go with the design.
pub(crate) fn bad_table(table: &SourceFile, bytes: Range<usize>, reason: &str) -> Diagnostic {
    Diagnostic::new(
        &catalogue::BAD_TABLE,
        format!("`{}` is no table of measurements of this design: {reason}", table.name),
        "the columns are constants of the design, and `first:OUTPUT`, `further:OUTPUT` or `latency:PORT` in cycles",
    )
    .label(table.span_at(bytes), "this cannot be compared")
}

/// A design names a device that is not built in.
pub(crate) fn no_such_device(design: &Expanded) -> Diagnostic {
    let (name, board) = (&design.device, design.written.board.as_ref().map(|board| board.value));
    let diagnostic = Diagnostic::new(
        &catalogue::UNKNOWN_DEVICE,
        format!("aiec knows no device `{}`", name.value),
        format!("{}; --device FILE gives a device file of your own", known_devices(&name.value)),
    )
    .label(name.span, "no device that comes with aiec has this name");
    match (Board::named(&name.value), board) {
        (Some(named), None) => {
            let title = format!("write `device {}` and `board {named}`", named.device());
            diagnostic.fix(title, [(name.span, format!("{}\nboard {named}", named.device()))])
        }
        (Some(named), Some(board)) if board.device() == named.device() => {
            diagnostic.replacing(name.span, named.device())
        }
        (Some(_), Some(_)) => diagnostic,
        (None, _) => diagnostic.suggesting(name.span, near_device(&name.value)),
    }
}

/// The device that is meant by a name: a part number goes on with package and speed grade.
fn near_device(name: &str) -> Option<&'static str> {
    let part = aiec_device::builtin_names().find(|device| name.starts_with(device));
    part.or_else(|| aiec_diag::nearest(name, aiec_device::builtin_names()))
}

/// The help for an unknown device name.
fn known_devices(name: &str) -> String {
    let known = || aiec_device::builtin_names();
    if let Some(board) = Board::named(name) {
        return format!("`{name}` is a board: write `device {}` and `board {name}`", board.device());
    }
    match near_device(name) {
        Some(near) => format!("did you mean `{near}`? aiec knows {}", known().collect::<Vec<_>>().join(", ")),
        None => format!("use one of {}", known().collect::<Vec<_>>().join(", ")),
    }
}

/// Nothing mentions the constant that `whole` declares.
pub(crate) fn unused_constant(name: &Spanned<String>, whole: Span) -> Diagnostic {
    Diagnostic::new(
        &catalogue::UNUSED_CONSTANT,
        format!("neither the design nor its kernels mention the constant `{}`", name.value),
        "remove it, or write it where its number stands",
    )
    .label(name.span, "declared here and used nowhere")
    .fix(format!("remove the constant `{}`", name.value), [(whole, "")])
}

/// A name for a new design that has other characters than names have.
pub(crate) fn no_name(name: &str) -> Diagnostic {
    let from_letter = name.trim_start_matches(|c: char| !c.is_ascii_alphabetic());
    let parts = from_letter.split(|c: char| !c.is_ascii_alphanumeric()).filter(|part| !part.is_empty());
    let near = parts.collect::<Vec<_>>().join("_");
    let near = if near.is_empty() { "first" } else { &near };
    Diagnostic::new(
        &catalogue::SYNTAX,
        format!(
            "`{name}` is no name of a design: names have letters, digits and `_`, and begin with a letter"
        ),
        format!("write `aiec new {near}`"),
    )
}

/// A name for a new design that the language uses.
pub(crate) fn reserved(name: &str) -> Diagnostic {
    Diagnostic::new(
        &catalogue::SYNTAX,
        format!("`{name}` is a word of the language and no name"),
        format!("take another name, such as `my_{name}`"),
    )
}

/// The design is not in the form that `aiec fmt` prints.
pub(crate) fn not_canonical(source: &SourceFile, canonical: &str) -> Diagnostic {
    Diagnostic::new(
        &catalogue::NOT_CANONICAL,
        format!("`{}` is not in canonical form", source.name),
        format!("run `aiec fmt --write {}`", source.name),
    )
    .fix("format the file", [(source.span(), canonical)])
}

/// No diagnostic has the slug `slug`. `close` are similar slugs.
pub(crate) fn unknown_slug<'a>(slug: &str, close: impl IntoIterator<Item = &'a str>) -> Diagnostic {
    let list = "run `aiec explain` without a name for the list of all of them";
    let close = choice(close.into_iter().map(|close| format!("`{close}`")));
    let help = match close.as_str() {
        "" => list.to_owned(),
        _ => format!("did you mean {close}? If not, {list}"),
    };
    Diagnostic::new(&catalogue::UNKNOWN_SLUG, format!("there is no diagnostic `{slug}`"), help)
}

/// The folder has no file of aiecompiler with what is asked for.
pub(crate) fn no_vendor_files(folder: &Path, wanted: &str) -> Diagnostic {
    let folder = folder.display();
    Diagnostic::new(
        &catalogue::UNREADABLE_FILE,
        format!("`{folder}` has no {wanted}, nor has its Work folder"),
        "name the folder in which aiecompiler ran, its Work folder, or the files themselves",
    )
}

/// A source of a kernel was changed after a profile or log was written.
pub(crate) fn old_cycles(file: &Path, source: &Path) -> Diagnostic {
    let (file, source) = (file.display(), source.display());
    Diagnostic::new(
        &catalogue::OLD_CYCLES,
        format!("`{source}` is newer than `{file}`, whose cycles may be those of another program"),
        "run `aiesimulator --profile`, or aiecompiler with -v, again, or leave --profiled out",
    )
}

/// A file of aiecompiler that holds no placement was given for one.
pub(crate) fn no_placement(file: &SourceFile) -> Diagnostic {
    Diagnostic::new(
        &catalogue::BAD_PLACEMENT,
        format!("`{}` holds no placement", file.name),
        "the placement of the same run is in Work/temp/*_mapped.aiecst and in Map_Report.csv; `aiec route --import FILE` draws nets",
    )
    .label(file.first_line(), "there are no kernels or buffers in this file")
}

/// A placement or routes of aiec cannot be compared.
pub(crate) fn not_comparable(file: &SourceFile) -> Diagnostic {
    Diagnostic::new(
        &catalogue::PLACEMENT_FILE,
        format!("`{}` cannot be read as a placement or as routes", file.name),
        "give a file that `aiec place -o FILE` or `aiec route -o FILE` wrote",
    )
    .label(file.first_line(), "this is neither")
}

/// `file` is no report of this version of aiec. The reason is a clause.
pub(crate) fn bad_report(file: &SourceFile, reason: &str) -> Diagnostic {
    Diagnostic::new(
        &catalogue::BAD_REPORT,
        format!("`{}` cannot be read as a report: {reason}", file.name),
        "give a file that `aiec report --json FILE` of this version wrote, the folder of a build, or a design",
    )
    .label(file.span(), "this is none")
}
