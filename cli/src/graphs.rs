//! Reading an ADF graph: from a `graph.cpp`, or the folder of its project, to a design.
#![allow(clippy::disallowed_methods, reason = "this module looks for the files of a project")]

use std::path::{Path, PathBuf};

use aiec_adf::description::{Description, Kernel};
use aiec_adf::{Adopted, Extent, LeftOut, Settings};
use aiec_cpp_text::quoted_includes;
use aiec_device::Device;
use aiec_diag::{Diagnostic, LISTED, Outcome, SourceFile, Sources, Span, Spanned, catalogue, listed};
use aiec_host_run::config::{self, Config};
use aiec_host_run::describe::{DescribeRequest, describe};
use aiec_host_run::find::is_source;
use aiec_host_run::program::absolute;
use aiec_ir::Release;
use aiec_vendor::aiecst::{self, Constraints};

use crate::args::{GraphInput, Input};
use crate::errors;
use crate::invocation::{Invocation, load_device};
use crate::locate::graph_of;
use crate::search::Wait;
use aiec_system::files::{self, MAX_TEXT, MAX_VENDOR, read_source, real_path};

/// The device of graphs, which name none: that of the VCK190, the board of most projects.
pub(crate) const DEVICE: &str = "xcvc1902";

/// Limit on the files that are searched for the declaration of a class or template.
const MOST_HEADERS: usize = 256;

/// How to read C++.
#[derive(Clone, Copy)]
pub(crate) struct Code<'a> {
    /// Folders and stack sizes.
    pub(crate) graph: &'a GraphInput,
    /// The command of the C++ compiler (`--cxx`).
    pub(crate) cxx: &'a str,
    /// True for an import, which makes a text.
    pub(crate) as_text: bool,
    /// True for an import that gives functions the headers which declare them.
    pub(crate) headers: bool,
}

/// The file of the graph that `input` names, and its design. `device` is that of the command line.
pub(crate) fn adopt(
    input: &Input,
    code: Code<'_>,
    device: Option<&Device>,
    invocation: &mut Invocation,
) -> Option<(SourceFile, Adopted)> {
    let usual = match device {
        Some(_) => None,
        None => Some(load_device(DEVICE, invocation)?),
    };
    let device = device.or(usual.as_ref())?;
    // Types of another generation of the array do not compile.
    if let Some(fault) = aiec_check::unsupported(device, None) {
        return invocation.fail(fault);
    }
    let graph = graph_of(&input.design)?;
    let file = invocation.read(&graph, MAX_TEXT)?;
    let scratch = invocation.require(files::Folder::new(None))?;
    let GraphOptions { config, include, flags } = options_of(input, code.graph, &graph, invocation)?;
    let request = DescribeRequest {
        cxx: code.cxx,
        graph: &graph,
        include: &include,
        flags: &flags,
        directory: if input.design.is_dir() { &input.design } else { Path::new(".") },
        scratch: scratch.path(),
    };
    let wait = Wait::new(format!("compiling {}", graph.display()), invocation.progress);
    let described = describe(&request, &mut invocation.sources);
    drop(wait);
    let mut described = match described {
        Ok(described) => described,
        Err(faults) => {
            let faults = faults.into_iter().map(|fault| telling_unresolved(fault, &config));
            invocation.log.diagnostics.extend(faults);
            return None;
        }
    };
    where_they_lie(&mut described.description, &graph, &include);
    let of_config = config.constraints.iter().map(|file| (&file.value, Some(file.span)));
    let given = code.graph.constraints.iter().map(|file| (file, None));
    let constraints = constraints(of_config.chain(given), invocation)?;
    let left_out = aiec_adf::constrain(&mut described.description, &constraints, device);
    let is_allowed = code.graph.allow.contains(&&catalogue::UNKNOWN_NODE);
    let left_out = invocation.log.take(if is_allowed { silent(left_out) } else { left_out })?;
    let header = |kernel: &Kernel| header_of(kernel, &graph, &include, &invocation.sources);
    let settings = Settings {
        file: file.first_line(),
        device: &device.name,
        array: Extent { columns: device.columns.into(), rows: device.rows.into() },
        release: input.reading.vitis.or_else(newest).unwrap_or_else(Release::standard),
        stated: input.reading.vitis,
        board: input.reading.board.unwrap_or_default(),
        stack: code.graph.stacksize.or(stated(&config.stack)).map(in_range),
        heap: code.graph.heapsize.or(stated(&config.heap)).map(in_range),
        usual: (device.memory.default_stack, device.memory.default_heap),
        header: &header,
        of_functions: code.headers,
        as_text: code.as_text,
    };
    let adopted = aiec_adf::design(&described.description, &settings);
    let mut adopted = invocation.log.take(adopted)?;
    adopted.notes.left_out.extend(left_out.into_iter().chain(unread(&config, code.as_text)));
    Some((file, adopted))
}

/// An outcome without its warnings.
fn silent<T>(outcome: Outcome<T>) -> Outcome<T> {
    let (value, mut diagnostics) = outcome.into_parts();
    diagnostics.retain(Diagnostic::is_error);
    Outcome::from_parts(value, diagnostics)
}

/// Makes the paths of sources and headers that do not lie beside the graph, but where `aiec sim`
/// finds them, relative to the graph's folder.
fn where_they_lie(description: &mut Description, graph: &Path, include: &[PathBuf]) {
    let folder = files::folder_of(graph);
    let found = |path: &mut String| {
        if path.is_empty() || folder.join(&*path).is_file() {
            return;
        }
        let Some(file) = aiec_host_run::find_source(path, graph, include) else { return };
        *path = seen_from(folder, &file).unwrap_or_else(|| path.clone());
    };
    for kernel in &mut description.kernels {
        std::iter::once(&mut kernel.source).chain(&mut kernel.headers).for_each(found);
    }
}

/// The path of a file from a folder, such as `../graph/k.h`. Returns None for a name that is not
/// UTF-8.
fn seen_from(folder: &Path, file: &Path) -> Option<String> {
    let name = file.file_name()?.to_str()?;
    Some(match way(folder, files::folder_of(file)).as_str() {
        "" => name.to_owned(),
        way => format!("{way}/{name}"),
    })
}

/// The path from one folder to another, such as `../graph`. Empty for the same folder.
pub(crate) fn way(from: &Path, to: &Path) -> String {
    let whole = |path: &Path| {
        let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
        real_path(path).unwrap_or_else(|| absolute(path))
    };
    let (from, to) = (whole(from), whole(to));
    let common = from.components().zip(to.components()).take_while(|(a, b)| a == b).count();
    let up = from.components().skip(common).map(|_| "..".to_owned());
    let down = to.components().skip(common).map(|part| part.as_os_str().to_string_lossy().into_owned());
    up.chain(down).collect::<Vec<_>>().join("/")
}

fn stated(size: &Option<Spanned<u64>>) -> Option<u64> {
    size.as_ref().map(|size| size.value)
}

fn in_range(bytes: u64) -> u32 {
    u32::try_from(bytes).unwrap_or(u32::MAX)
}

/// How the C++ of a graph is compiled: by the command line, and by the project's file of options.
pub(crate) struct GraphOptions {
    /// The project's file. Empty without one.
    pub(crate) config: Config,
    /// Folders of headers, those of the command line first.
    pub(crate) include: Vec<PathBuf>,
    /// Macros, those of the command line last, so that they hold.
    pub(crate) flags: Vec<String>,
}

/// The options for the graph that `input` stands for.
pub(crate) fn options_of(
    input: &Input,
    code: &GraphInput,
    graph: &Path,
    invocation: &mut Invocation,
) -> Option<GraphOptions> {
    let config = config_of(&input.design, graph, invocation)?;
    let folders = config.include.iter().map(|folder| folder.value.clone());
    let defines = input.reading.define.iter().map(|define| format!("-D{define}"));
    let include = code.include.iter().cloned().chain(folders).collect();
    let given = input.reading.define.iter().map(|define| (define.as_str(), None));
    // A flag `-D` alone has its macro in the next one.
    let stated = config.flags.iter().filter_map(|flag| Some((flag.value.strip_prefix("-D")?, flag.span)));
    let of_config = stated.filter(|(text, _)| !text.is_empty()).map(|(text, span)| (text, Some(span)));
    let bad = given.chain(of_config).find(|(define, _)| !names_a_macro(define));
    if let Some((define, span)) = bad {
        return invocation.fail(errors::bad_macro(define, span));
    }
    let flags = config.flags.iter().map(|flag| flag.value.clone()).chain(defines).collect();
    Some(GraphOptions { config, include, flags })
}

/// True unless compilers refuse `-D define`. They take what comes behind the name as they do in a
/// line of `#define`.
fn names_a_macro(define: &str) -> bool {
    let first = define.trim_start().chars().next();
    first.is_some_and(|c| c.is_ascii_alphabetic() || c == '_' || c == '$' || !c.is_ascii())
}

/// The file of options that projects keep for the vendor's compiler.
const CONFIG: &str = "aiecompiler.cfg";

/// The options of the project: those of the named folder, beside the graph or in the folder above
/// either. A project without options is no fault.
fn config_of(design: &Path, graph: &Path, invocation: &mut Invocation) -> Option<Config> {
    let beside = files::folder_of(graph);
    let named = if design.is_dir() { design } else { beside };
    let folders = [named.to_path_buf(), beside.to_path_buf(), above(beside), above(named)];
    let Some(folder) = folders.iter().find(|folder| folder.join(CONFIG).is_file()) else {
        return Some(Config::default());
    };
    let file = invocation.read(&folder.join(CONFIG), MAX_TEXT)?;
    match config::read(&file, folder) {
        Ok(config) => Some(config),
        Err(faults) => {
            invocation.log.diagnostics.extend(faults);
            None
        }
    }
}

/// The folder that holds `folder`, also where the path does not name it, as for `.`.
fn above(folder: &Path) -> PathBuf {
    match folder.file_name() {
        Some(_) => files::folder_of(folder).to_path_buf(),
        None => folder.join(".."),
    }
}

/// Reads files of constraints. Each has the option that names it, if that is in a file.
pub(crate) fn constraints<'a>(
    files: impl IntoIterator<Item = (&'a PathBuf, Option<Span>)>,
    invocation: &mut Invocation,
) -> Option<Vec<Constraints>> {
    let read = |(file, named_at): (&PathBuf, Option<Span>)| {
        let file = invocation.read_named(file, MAX_VENDOR, named_at)?;
        invocation.log.take(aiecst::read(&file))
    };
    files.into_iter().map(read).collect()
}

/// `fault` with the options that aiec left out, if they may be its reason: the C++ lacks folders or
/// macros. They are in the message, and each has a label.
pub(crate) fn telling_unresolved(fault: Diagnostic, config: &Config) -> Diagnostic {
    if fault.code != &catalogue::SIM_COMPILE || config.unresolved.is_empty() {
        return fault;
    }
    let options = config.unresolved.iter().map(|option| format!("`{}`", option.value));
    let text =
        format!("aiec left out {} of `{CONFIG}`, whose variables it does not know", listed(options, LISTED));
    let separator = if fault.message.contains('\n') { "\n" } else { "; " };
    let fault = fault.quoting(&format!("{separator}{text}"));
    config.unresolved.iter().fold(fault, |fault, option| fault.label(option.span, "left out"))
}

/// The options whose values aiec does not know. Those of folders are no part of a design as text,
/// and the graph compiled without them.
fn unread(config: &Config, as_text: bool) -> impl Iterator<Item = LeftOut> + '_ {
    let is_folder = |words: &str| words.split('=').next().is_some_and(|key| key.trim().ends_with("include"));
    let unresolved = config.unresolved.iter().filter(move |option| !as_text || !is_folder(&option.value));
    unresolved.map(|option| LeftOut {
        what: format!("the option `{}`, whose variables are unknown", option.value),
        span: option.span,
    })
}

/// The newest release that aiec knows.
fn newest() -> Option<&'static Release> {
    Release::names().last().and_then(Release::named)
}

/// The header that declares the class or template of a kernel, relative to the graph's folder: the
/// first file with its name that the kernel's own file or the graph includes. The header of a graph
/// counts where the source is not there.
fn header_of(kernel: &Kernel, graph: &Path, include: &[PathBuf], sources: &Sources) -> Option<String> {
    let plain = kernel.function.split('<').next()?;
    let name = plain.rsplit("::").next()?;
    let own = kernel.site.as_ref().and_then(|site| sources.get(site.span.source));
    let own = own.map(|source| PathBuf::from(&source.name));
    let folder = files::folder_of(graph);
    let mut pending: Vec<PathBuf> = [graph.to_path_buf()].into_iter().chain(own.clone()).collect();
    let mut seen: Vec<PathBuf> = pending.clone();
    let mut of_graph = None;
    while let Some(file) = pending.pop() {
        for included in quoted_includes(&read_source(&file, MAX_TEXT, None).unwrap_or_default()) {
            let beside = std::iter::once(files::folder_of(&file)).chain(include.iter().map(PathBuf::as_path));
            let mut paths = beside.map(|folder| folder.join(included));
            let Some(path) = paths.find(|path| path.is_file() && !seen.contains(path)) else { continue };
            let text = read_source(&path, MAX_TEXT, None).unwrap_or_default();
            let mut words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
            match (words.any(|word| word == name), text.contains("kernel::create")) {
                (true, false) => return seen_from(folder, &path),
                (true, true) if of_graph.is_none() && declares(&text, name) => of_graph = Some(path.clone()),
                _ => {}
            }
            if seen.len() < MOST_HEADERS {
                seen.push(path.clone());
                pending.push(path);
            }
        }
    }
    // The source itself serves as the header of what it includes or declares.
    if folder.join(&kernel.source).is_file() {
        return None;
    }
    let declaring = |path: &PathBuf| {
        !is_source(path) && declares(&read_source(path, MAX_TEXT, None).unwrap_or_default(), name)
    };
    seen_from(folder, &of_graph.or_else(|| own.filter(declaring))?)
}

/// True for a text that defines a class, or declares a function without a result, of this name.
fn declares(text: &str, name: &str) -> bool {
    let tokens: Vec<&str> = aiec_cpp_text::code(text).map(|token| token.text).collect();
    tokens.windows(3).any(|words| match words {
        ["void", called, "("] | ["class" | "struct", called, "{" | ":" | "final"] => *called == name,
        _ => false,
    })
}
