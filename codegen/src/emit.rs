//! A checked, placed design to files: renders every view and collects the user's files.

use std::collections::{BTreeMap, BTreeSet};

use aiec_check::Checked;
use aiec_device::Device;
use aiec_diag::{Diagnostic, Outcome, Span, Spanned};
use aiec_ir::design::{Body, Family, scoped};
use aiec_ir::expanded::{DataEnd, Expanded};
use aiec_ir::{Direction, FamilyId, KernelId};
use aiec_placer::Placed;
use aiec_router_model::{Estimate, Implementation, ListedSwitch, WiringList};
use askama::Template;
use serde::Serialize;

use crate::errors;
use crate::lines::tidy;
use crate::names::{data_end_path, golden_paths};
use crate::naming::Naming;
use crate::options::{DataFile, EmitOptions, Locations, UserSource};
use crate::report::{FILE, Report, report};
use crate::roles::Roles;
use crate::signature;
use crate::stamp::{Origin, seal, stamp, stamped};
use crate::views::{
    Context, build, collectives, constraints as locations, create, data, design, graph, graph_cpp, host,
    ignore, instances, kernels, library, place, project, readme, routes,
};
use crate::with_context::{names_of, with_context};

/// One file of the project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputFile {
    /// Path relative to the project's folder, with forward slashes.
    pub path: String,
    /// The file's whole contents.
    pub text: String,
    /// The user's file that this one copies, as the design names it. None when aiec generates the
    /// file.
    pub copy_of: Option<String>,
}

/// The project: every file, sorted by path, or an error if a kernel source is missing.
pub fn emit(
    whole: &Implementation<'_>,
    estimate: &Estimate,
    options: &EmitOptions,
) -> Outcome<Vec<OutputFile>> {
    let &Implementation { checked, placed, device, .. } = whole;
    let faults = faults_of_sources(checked, options, missing_source);
    if !faults.is_empty() {
        return Outcome::from_parts(None, faults);
    }
    let report = report(whole, estimate, options);
    with_context(checked, Some(placed), device, options, |context| {
        let mut project = Project::default();
        graph_side(context, &mut project);
        kernel_side(context, &mut project, options);
        host_side(context, &mut project);
        data_side(context, &mut project, options);
        project.render(".gitignore", &ignore::git_ignore(context));
        about(context, checked, placed, &report, &mut project, options);
        project.finish()
    })
}

/// The project files that a run on the host needs. The design need not be placed, since its results
/// do not depend on the placement. Sorted by path. Fails when a kernel source is missing.
pub fn emit_unplaced(checked: &Checked, device: &Device, options: &EmitOptions) -> Outcome<Vec<OutputFile>> {
    let faults = faults_of_sources(checked, options, missing_source);
    if !faults.is_empty() {
        return Outcome::from_parts(None, faults);
    }
    with_context(checked, None, device, options, |context| {
        let mut project = Project::default();
        graph_side(context, &mut project);
        kernel_side(context, &mut project, options);
        data_side(context, &mut project, options);
        project.finish()
    })
}

/// All locations of a placement in the JSON form of the tools, an `.aiecst` file, for the graph of
/// `naming`. `options` supplies only the paths of the sources, which decide names.
pub fn constraints(
    checked: &Checked,
    placed: &Placed,
    device: &Device,
    options: &EmitOptions,
    naming: Naming<'_>,
) -> serde_json::Value {
    with_context(checked, Some(placed), device, options, |context| {
        locations::constraints(context, placed, naming)
    })
}

/// All locations of a placement as C++: statements that the constructor of the graph of `naming`
/// includes. `options` supplies the paths of the sources and the origin.
pub fn locations_header(
    checked: &Checked,
    placed: &Placed,
    device: &Device,
    options: &EmitOptions,
    naming: Naming<'_>,
) -> String {
    let options = EmitOptions { locations: Locations::All, ..options.clone() };
    with_context(checked, Some(placed), device, &options, |context| {
        let mut project = Project::default();
        project.render("locations.h", &place::locations_h(context, placed, naming));
        project.finish().into_parts().0.into_iter().flatten().map(|file| file.text).collect()
    })
}

/// Switch settings as a file of C: a function that makes calls of AMD's driver aie-rt. `origin` is
/// the command that the file names.
///
/// # Errors
/// Returns `check/unsupported-device` if a column or row is above 255: the driver has 8 bits for it
/// (aie-rt `XAie_TileLoc`).
pub fn routes_file(list: &WiringList, origin: &Origin) -> Outcome<String> {
    let far = |switch: &&ListedSwitch| switch.column.max(switch.row) > u16::from(u8::MAX);
    if let Some(switch) = list.switches.iter().find(far) {
        return Outcome::error(errors::beyond_aie_rt(&list.device, switch.column, switch.row));
    }
    let stamp = stamp(origin, &list.design);
    let mut project = Project::default();
    project.render("routes.c", &routes::routes_c(list, &stamp));
    project.finish().map(|files| files.into_iter().map(|file| file.text).collect())
}

/// A translation unit of a project that holds a kernel source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KernelUnit {
    /// Path in the project: the source's copy, or a wrapper, which includes the copy. A role has
    /// one, and a source of templates, for their instances.
    pub path: String,
    /// The source, as the design names it.
    pub source: String,
    /// The functions or classes that the source defines.
    pub defines: Vec<Defined>,
    /// The class of the role. None when the source has plain functions.
    pub role: Option<String>,
}

/// What a source defines for the kernels of a family.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Defined {
    /// The family whose kernels run it.
    pub family: FamilyId,
    /// Its function or class; the first of several kernels with the same one.
    pub body: Body,
    /// The constant of the unit that points to the instance of a template: to the function, or to
    /// `registerKernelClass` of the class. None when the unit makes no instance.
    pub instance: Option<String>,
}

/// The C++ of a design's kernels, for a check of their sources.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KernelUnits {
    /// Headers, wrappers and copies of the sources, as in the project.
    pub files: Vec<OutputFile>,
    /// The units to compile.
    pub units: Vec<KernelUnit>,
    /// Path of a unit that needs each plain function as the project declares it, and defines none.
    pub declared: String,
    /// Path of the unit that constructs the classes and instantiates the templates of the user: the
    /// graph. None when the design has none of them, or a header has no text.
    pub graph: Option<String>,
}

/// Path of the unit that needs all plain functions.
const DECLARED: &str = "aie/declared.cc";
/// Path of the unit of the graph.
const GRAPH: &str = "aie/graph.cpp";

/// The C++ of the kernels of a design, which need not be placed. Sources that are not in `options`
/// have no unit, nor have those of a header that is not.
pub fn kernel_units(checked: &Checked, device: &Device, options: &EmitOptions) -> Outcome<KernelUnits> {
    with_context(checked, None, device, options, |context| {
        let mut project = Project::default();
        let graph = constructs(context, options).then(|| GRAPH.to_owned());
        if graph.is_some() {
            graph_side(context, &mut project);
        } else {
            headers_side(context, &mut project);
        }
        project.render(DECLARED, &kernels::declared(context));
        kernel_side(context, &mut project, options);
        let mut units = units_of(context, options);
        // Without its headers a template has no instance.
        if graph.is_some() {
            units.iter_mut().for_each(|unit| make_instances(context, unit, &mut project));
        }
        project.finish().map(|files| KernelUnits { files, units, declared: DECLARED.to_owned(), graph })
    })
}

/// True if the graph needs headers of the user, and all of them have a text.
fn constructs(context: &Context<'_>, options: &EmitOptions) -> bool {
    let bodies = context.design.families.iter().flat_map(|family| &family.bodies);
    let headers: BTreeSet<&str> =
        bodies.filter_map(|body| body.header.as_ref()).map(|header| header.value.as_str()).collect();
    let has_text = |header: &&str| options.sources.iter().any(|user| user.path == **header);
    !headers.is_empty() && headers.iter().all(has_text)
}

fn units_of(context: &Context<'_>, options: &EmitOptions) -> Vec<KernelUnit> {
    let families = &context.design.families;
    let defined = |id: FamilyId| {
        let mut found: Vec<Defined> = Vec::new();
        for body in &families[id].bodies {
            let same = |other: &Defined| {
                let code = |body: &Body| (body.source.value.clone(), create::code_name(body));
                code(&other.body) == code(body)
            };
            if !found.iter().any(same) {
                found.push(Defined { family: id, body: body.clone(), instance: None });
            }
        }
        found
    };
    let has_text = |source: &str| options.sources.iter().any(|user| user.path == source);
    let wrappers = context.roles.roles.iter().zip(context.names.roles.iter()).filter_map(|(role, class)| {
        let defines = defined(role.shown(context.design));
        Some(KernelUnit {
            path: format!("aie/kernels/{class}.cc"),
            source: defines.first()?.body.source.value.clone(),
            defines,
            role: Some(class.clone()),
        })
    });
    let mut plain: BTreeMap<String, Vec<Defined>> = BTreeMap::new();
    for defined in families.ids().filter(|&id| context.roles.is_plain(id)).flat_map(defined) {
        plain.entry(defined.body.source.value.clone()).or_default().push(defined);
    }
    let plain = plain.into_iter().map(|(source, defines)| KernelUnit {
        path: format!("aie/kernels/{}", context.names.source(&source)),
        source,
        defines,
        role: None,
    });
    // Without its header a source does not compile.
    let has_header =
        |defined: &Defined| defined.body.header.as_ref().is_none_or(|file| has_text(&file.value));
    let is_whole = |unit: &KernelUnit| has_text(&unit.source) && unit.defines.iter().all(has_header);
    plain.chain(wrappers).filter(is_whole).collect()
}

/// Replaces a unit whose source defines templates by a wrapper that includes the source and makes
/// the instances of the design: without them a compiler looks into no body.
fn make_instances(context: &Context<'_>, unit: &mut KernelUnit, project: &mut Project) {
    let mut names: Vec<String> = Vec::new();
    for defined in unit.defines.iter_mut().filter(|defined| !defined.body.template.is_empty()) {
        let member = if defined.body.arguments.is_some() { "::registerKernelClass" } else { "" };
        let name = format!("::{}{member}", create::code_name(&defined.body));
        let known = names.iter().position(|other| *other == name);
        let at = known.unwrap_or(names.len());
        if known.is_none() {
            names.push(name);
        }
        defined.instance = Some(format!("aiec_instance_{}", at + 1));
    }
    if !names.is_empty() {
        let source = context.names.source(&unit.source);
        unit.path = format!("aie/instances/{source}");
        project.render(unit.path.clone(), &instances::Instances { stamp: &context.stamp, source, names });
    }
}

/// The definition of `function` that the source of a family must have, as one line of C++.
pub fn expected_signature(design: &Expanded, family: FamilyId, function: &str) -> String {
    kernels::expected_signature(design, family, function)
}

/// The C++ files that a run on the host compiles one by one: the graph, plain kernels, and the
/// wrappers of roles (which include the sources of their kernels). Paths are relative to the
/// project.
pub fn translation_units(checked: &Checked, sources: &[UserSource]) -> Vec<String> {
    let roles = Roles::of(checked);
    let names = names_of(checked, &roles, sources);
    let families = checked.families.enumerate().filter(|(id, _)| roles.is_plain(*id));
    let bodies = families.flat_map(|(_, family)| &family.bodies);
    let plain: BTreeSet<&str> = bodies.map(|body| names.source(&body.source.value)).collect();
    let wrappers = names.roles.iter().map(|class| format!("aie/kernels/{class}.cc"));
    let plain = plain.into_iter().map(|source| format!("aie/kernels/{source}"));
    std::iter::once(GRAPH.to_owned()).chain(plain).chain(wrappers).collect()
}

/// All kernels in the order in which the emitted graph creates them.
pub fn creation_order(checked: &Checked, device: &Device) -> Vec<KernelId> {
    with_context(checked, None, device, &EmitOptions::default(), create::creation_order)
}

/// The data file of an input, output or parameter of the host, relative to the project's folder.
/// Simulators write the files of PLIO outputs below their own output folder instead.
pub fn data_file(design: &Expanded, end: DataEnd) -> String {
    data_end_path(design, end)
}

/// The inputs, and parameters of the host, whose values come from a file.
pub fn file_inputs(design: &Expanded) -> impl Iterator<Item = DataEnd> + '_ {
    design.data_ends(Direction::Out).filter(|&end| match end {
        DataEnd::External(_) => true,
        DataEnd::Parameter(id) => design.changes_between_runs(id),
    })
}

/// The outputs whose data is equal in every run, each with its file of golden data, relative to the
/// project's folder.
pub fn golden_files(checked: &Checked) -> Vec<(DataEnd, String)> {
    golden_paths(checked).into_iter().collect()
}

/// Compares the kernels' sources with the design without emitting anything. Returns an error for
/// each source that is written for ports of the other kind. Skips missing sources.
pub fn check_sources(design: &Expanded, options: &EmitOptions) -> Outcome<()> {
    let faults = faults_of_sources(design, options, |_| None);
    Outcome::from_parts(faults.is_empty().then_some(()), faults)
}

/// The name of a body's function in its source, if labels may point there.
fn defined_in(options: &EmitOptions, body: &Body) -> Option<Span> {
    let source = options.sources.iter().find(|source| source.path == body.source.value)?;
    let name = scoped(&body.function).1;
    let at = signature::defined_at(&source.text, name)?;
    Some(Span::of_bytes(source.file?, at..at + name.len()))
}

fn missing_source(source: &Spanned<String>) -> Option<Diagnostic> {
    Some(errors::missing_source(&source.value, source.span))
}

/// The faults of the sources that the text alone shows. `missing` says what a source without text
/// is.
fn faults_of_sources(
    design: &Expanded,
    options: &EmitOptions,
    missing: impl Fn(&Spanned<String>) -> Option<Diagnostic>,
) -> Vec<Diagnostic> {
    let texts: BTreeMap<&str, &str> =
        options.sources.iter().map(|source| (source.path.as_str(), source.text.as_str())).collect();
    let wanted = design.port_kind;
    let written = |body: &Body| {
        // The header declares the function: the C++ compiler compares the two.
        let text = texts.get(body.source.value.as_str()).filter(|_| body.header.is_none())?;
        signature::written_for(text, scoped(&body.function).1)
    };
    let with_ports = design.families.iter().filter(|family| !family.ports.is_empty());
    let only = !with_ports.flat_map(|family| &family.bodies).any(|body| written(body) == Some(wanted));
    let fault = |(id, family): (FamilyId, &Family), body: &Body| {
        let files = std::iter::once(&body.source).chain(&body.header);
        if let Some(file) = files.into_iter().find(|file| !texts.contains_key(file.value.as_str())) {
            return missing(file);
        }
        let written = written(body)?;
        let has_ports = !family.ports.is_empty();
        let expected = || kernels::expected_signature(design, id, &body.function);
        (has_ports && written != wanted)
            .then(|| errors::other_ports(design, body, written, &expected(), only, defined_in(options, body)))
    };
    let mut seen = BTreeSet::new();
    let mut faults = Vec::new();
    for (id, family) in design.families.enumerate() {
        for body in &family.bodies {
            if seen.insert((id, &body.source.value, &body.function, body.header.as_ref().map(|h| &h.value))) {
                faults.extend(fault((id, family), body));
            }
        }
    }
    faults
}

/// Files and errors so far.
#[derive(Default)]
struct Project {
    files: Vec<OutputFile>,
    diagnostics: Vec<Diagnostic>,
}

impl Project {
    fn render(&mut self, path: impl Into<String>, view: &impl Template) {
        let path = path.into();
        match view.render() {
            Ok(text) => self.ours(path, seal(&tidy(&text))),
            Err(error) => self.diagnostics.push(errors::template(&path, &error.to_string())),
        }
    }

    /// A file of ours.
    fn ours(&mut self, path: String, text: String) {
        self.files.push(OutputFile { path, text, copy_of: None });
    }

    /// A file of the user's, as it is. One that would replace a file of ours is left out.
    fn copy(&mut self, path: String, original: &str, text: &str) {
        if self.files.iter().all(|file| file.path != path) {
            let copy_of = Some(original.to_owned());
            self.files.push(OutputFile { path, text: text.to_owned(), copy_of });
        }
    }

    fn finish(mut self) -> Outcome<Vec<OutputFile>> {
        self.files.sort_by(|a, b| a.path.cmp(&b.path));
        Outcome::new(self.files, self.diagnostics)
    }
}

fn graph_side(context: &Context<'_>, project: &mut Project) {
    project.render("aie/graph.h", &graph::graph_h(context));
    if let Some(placement) = place::placement_h(context) {
        project.render("aie/placement.h", &placement);
    }
    project.render(GRAPH, &graph_cpp::graph_cpp(context));
    headers_side(context, project);
    if graph_cpp::reads_files(context) {
        project.render("aie/include/aiec/text_file.h", &library::TextFile { stamp: &context.stamp });
    }
}

/// The headers that kernels and the graph include.
fn headers_side(context: &Context<'_>, project: &mut Project) {
    project.render("aie/kernels.h", &kernels::kernels_h(context));
    project.render(design::PATH, &design::design_h(context));
    for (path, text) in library::headers(context) {
        project.ours(format!("aie/include/{path}"), stamped(&context.stamp, text));
    }
}

fn kernel_side(context: &Context<'_>, project: &mut Project, options: &EmitOptions) {
    for (at, role) in context.roles.roles.enumerate() {
        let class = &context.names.roles[at];
        let (header, source) = kernels::role(context, at, role);
        project.render(format!("aie/kernels/{class}.h"), &header);
        project.render(format!("aie/kernels/{class}.cc"), &source);
    }
    if !context.design.collectives.is_empty() {
        let path = format!("aie/kernels/{}", context.names.collectives_header);
        project.render(path, &collectives::collectives_h(context));
    }
    for source in &options.sources {
        let path = format!("aie/kernels/{}", context.names.source(&source.path));
        project.copy(path, &source.path, &source.text);
    }
}

fn host_side(context: &Context<'_>, project: &mut Project) {
    let stamp = &context.stamp;
    project.render("sw/host.cpp", &host::host_cpp(context));
    project.ours("sw/aiec_host.h".to_owned(), stamped(stamp, host::HEADER));
    for (direction, bits) in project::movers(context) {
        let path = format!("pl_kernels/{direction}_{bits}.cpp");
        match direction {
            "mm2s" => project.render(path, &project::Mm2sCpp { stamp, bits }),
            _ => project.render(path, &project::S2mmCpp { stamp, bits }),
        }
    }
    project.render("system.cfg", &project::system_cfg(context));
    project.render("Makefile", &build::makefile(context));
    if let Some(options) = build::compiler_cfg(context) {
        project.render("aie/aiecompiler.cfg", &options);
    }
    if let Some(script) = build::component(context) {
        project.render("vitis_component.py", &script);
    }
}

/// Data of the inputs, and the page that lists the data needed. The data folder exists even if it
/// holds no data.
fn data_side(context: &Context<'_>, project: &mut Project, options: &EmitOptions) {
    project.render("data/README.md", &data::data_readme(context));
    for (end, file) in data_of_inputs(context, options) {
        if let Some(file) = file {
            project.copy(context.file_of(end), &file.path, &file.text);
        }
    }
}

/// The used inputs and parameters that take values from a file, with their data, if supplied.
fn data_of_inputs<'a>(
    context: &'a Context<'_>,
    options: &'a EmitOptions,
) -> impl Iterator<Item = (DataEnd, Option<&'a DataFile>)> {
    let inputs = context.data_of(Direction::Out);
    inputs.map(|data| {
        let path = context.file_of(data.end);
        (data.end, options.data.iter().find(|file| file.path == path))
    })
}

/// The report of a project.
#[derive(Serialize)]
struct Stamped<'a> {
    generated: &'a str,
    #[serde(flatten)]
    report: &'a Report,
}

/// The project's `README.md`, with the missing data, and its report.
fn about(
    context: &Context<'_>,
    checked: &Checked,
    placed: &Placed,
    report: &Report,
    project: &mut Project,
    options: &EmitOptions,
) {
    let open = data_of_inputs(context, options).filter(|(_, file)| file.is_none());
    let missing: Vec<DataEnd> = open.map(|(id, _)| id).collect();
    let copies = project.files.iter().filter_map(|file| Some((file.path.clone(), file.copy_of.clone()?)));
    let made = readme::Made { command: options.origin.whole_command.clone(), copies: copies.collect() };
    project.render("README.md", &readme::readme(context, checked, placed, report, &missing, made));
    let generated = &context.stamp;
    match serde_json::to_string_pretty(&Stamped { generated, report }) {
        Ok(text) => project.ours(FILE.to_owned(), seal(&(text + "\n"))),
        Err(error) => project.diagnostics.push(errors::template(FILE, &error.to_string())),
    }
}
