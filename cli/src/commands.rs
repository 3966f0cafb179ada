//! The commands, each as a sequence of stages.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use aiec_adf::Adopted;
use aiec_codegen::{EmitOptions, Naming};
use aiec_device::Device;
use aiec_diag::{Diagnostic, SourceFile, count};
use aiec_placer::{Placed, PlacementEntry};
use aiec_router_model::{Net, Route};

use crate::args::{Build, Command, EmitForm, Fmt, GraphRun, Input, New, NewFile, Place, Report};
use crate::asked::Asked;
use crate::cycles::{self, Counted};
use crate::disk::{self, Form};
use crate::invocation::{
    Invocation, Search, emit, emit_options, finish, is_ours, note_path, open, placed, report_of, user_options,
};
use crate::output::Console;
use crate::ownership::{self, Manifest, Originals, Plan, Shown};
use crate::pipeline::{self, Agreed, Back, Front, Log, Options};
use crate::report::Answers;
use crate::results::Results;
use crate::search::Deadline;
use crate::solver::Solving;
use crate::trace::traced;
use crate::variant::Builder;
use crate::{
    FAILURE, SUCCESS, USAGE, bench, check, choose, create, data, diff, errors, import, known, locate, logp,
    lsp, machine, origin, refused, report, route, sim, stubs, summary, sweep, testing, traffic, vendor, view,
    watch, why,
};
use aiec_system::files::{self, STDIN, STDIN_NAME};

/// Runs `command`, writes its diagnostics, and returns the exit status: failure without a result or
/// with an error.
pub(crate) fn run(mut command: Command, mut asked: Asked, console: &mut Console<'_>) -> u8 {
    let format = command.format();
    let located = settle(&mut command, &mut asked);
    match &command {
        Command::Watch(args) if located.is_ok() => return watch::run(args, &asked, console),
        Command::Check(_) if format.is_data() => console.silence(),
        _ => {}
    }
    let progress = console.progress() && !format.is_data();
    let mut invocation = Invocation { asked, progress, ..Invocation::default() };
    let located = invocation.require(located);
    let done = located.and_then(|()| perform(&command, &mut invocation, console));
    console.diagnostics(&invocation.log.diagnostics, &invocation.sources, format);
    match done.filter(|_| !invocation.log.has_errors()) {
        Some(status) => status,
        // As for diff(1) and grep(1), 1 is an answer, and 2 is trouble.
        None if matches!(command, Command::Diff(_)) => USAGE,
        None => FAILURE,
    }
}

/// The exit status of a command with a result.
fn perform(command: &Command, invocation: &mut Invocation, console: &mut Console<'_>) -> Option<u8> {
    let done = match command {
        Command::Build(args) => build(args, invocation, console),
        Command::Check(args) | Command::Watch(args) => check::run(args, invocation, console),
        Command::Place(args) => place(args, invocation, console),
        Command::Route(args) => route::run(args, invocation, console),
        Command::Sim(args) => sim::run(args, invocation, console),
        Command::Compare(args) => vendor::compare(args, invocation, console),
        Command::Diff(args) => return diff::run(args, invocation, console).map(u8::from),
        Command::Report(args) => show(args, invocation, console),
        Command::View(args) => view::run(args, invocation, console),
        Command::Sweep(args) => sweep::run(args, invocation, console),
        Command::Bench(args) => bench::run(args, invocation, console),
        Command::Traffic(args) => traffic::run(args, invocation, console),
        Command::Import(args) => import::run(args, invocation, console),
        Command::New(New { file: Some(NewFile::Kernel(args)), .. }) => {
            stubs::write(args, invocation, console)
        }
        Command::New(New { file: None, name, template, .. }) => {
            create::folder(name.as_deref().unwrap_or_default(), *template, invocation, console)
        }
        Command::Test(args) => testing::run(args, invocation, console),
        Command::Fmt(args) => fmt(args, invocation, console),
        Command::Devices(args) => known::devices(args, invocation, console),
        Command::Profiles(args) => known::profiles(args, invocation, console),
        Command::Explain(args) => known::explain(args, invocation, console),
        Command::Lsp(args) => return Some(lsp::run(args, console)),
        Command::Doctor(args) => return Some(machine::doctor(args, console)),
        Command::Completions(args) => return Some(machine::completions(args, console)),
        Command::Man(args) => return Some(machine::man(args, console)),
    };
    done.map(|()| SUCCESS)
}

/// Puts the only design of a folder in the place of the folder.
fn settle(command: &mut Command, asked: &mut Asked) -> Result<(), Diagnostic> {
    let (takes, designs) = command.designs();
    for design in designs {
        *design = locate::only(design, takes)?;
        asked.about(design);
    }
    Ok(())
}

fn build(args: &Build, invocation: &mut Invocation, console: &mut Console<'_>) -> Option<()> {
    let (source, options) = open(&args.input, None, Some(&args.placing), invocation)?;
    if let Some(form) = args.emit {
        let text = print_form(form, &source, args, &options, invocation)?;
        console.text(&text);
        return Some(());
    }
    let front = choose::front(&source, &options, &args.placing, invocation)?;
    is_ours(&front, &args.input, invocation)?;
    let user = emit_options(&front, &args.input, &options, invocation)?;
    data::check(&front.checked, &user, invocation)?;
    let back = finish(&front, &args.placing, &options, invocation)?;
    let emit_options = EmitOptions { cut_short: back.cut_short, locations: args.locations.into(), ..user };
    let mut files = emit(&front, &back, &emit_options, invocation)?;
    if args.golden {
        let usual = GraphRun::usual();
        let machine = sim::Machine { cxx: &args.cxx, graph: &usual, timeout: args.timeout, counts: false };
        let folder = files::folder_of(&args.input.design);
        let emitted = sim::Emitted { files: &files, user: &emit_options };
        files.extend(sim::golden(&front, emitted, machine, folder, invocation, console)?);
    }
    let directory = output_directory(args, &front);
    let list = Manifest::of(
        &front.checked.name.value,
        &args.input.design,
        &invocation.asked,
        origin::inputs(&invocation.sources, &emit_options),
    );
    if !args.golden {
        let paths = aiec_codegen::golden_files(&front.checked).into_iter().map(|(_, path)| path);
        files.extend(ownership::kept(&directory, &list, paths));
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    let originals = originals(args, &emit_options, invocation);
    let plan = || ownership::plan(&directory, &files, list.clone(), &originals);
    let plan = write_project(args, plan, invocation, console)?;
    if args.check {
        console.line(&format!(
            "{} is up to date ({})",
            directory.display(),
            count(files.len() as u64, "file")
        ));
    } else {
        console.text(&summary::build(&front, &back, &plan));
    }
    Some(())
}

/// Runs `aiec place`. Returns None when it logs an error.
fn place(args: &Place, invocation: &mut Invocation, console: &mut Console<'_>) -> Option<()> {
    if !args.import.is_empty() {
        return vendor::place(args, invocation, console);
    }
    let (source, options) =
        open(&args.input, Some(args.common.code()), Some(&args.common.placing), invocation)?;
    let front = choose::front(&source, &options, &args.common.placing, invocation);
    let Some(front) = front else { return place_refused(args, &source, &options, invocation) };
    let results = Results::of(&front, &args.input.design, &args.common.placing, args.overwrite, invocation);
    let named = [(&args.svg, Form::Svg), (&args.json, Form::Json)];
    let more = [(&args.aiecst, Form::Foreign), (&args.output, Form::Json)];
    let all = [&named[..], &more[..], &[(&args.cpp, Form::Foreign)]].concat();
    results.check(&all, invocation)?;
    let Agreed { placed, cut_short, .. } = placed(&front, &args.common.placing, &options, invocation)?;
    let Front { device, checked, .. } = &front;
    let entry = PlacementEntry::of(checked, device, &placed, cut_short);
    let plan = aiec_draw::floorplan(checked, &placed, device, entry);
    let locations = match (&args.aiecst, &args.cpp) {
        (None, None) => Locations::default(),
        _ => locations(&front, &placed, &args.input, &options, invocation)?,
    };
    results.write(
        &[
            (&args.svg, Form::Svg, aiec_draw::svg(&plan)),
            (&args.json, Form::Json, report::json(&plan)),
            (&args.aiecst, Form::Foreign, locations.constraints),
            (&args.cpp, Form::Foreign, locations.header),
            (&args.output, Form::Json, aiec_placer::dump(checked, &placed)),
        ],
        invocation,
    )?;
    console.text(&aiec_draw::text(&plan));
    console.text(&summary::place(&plan));
    let hidden = if args.cpp.is_some() { summary::hidden_of(&options) } else { Vec::new() };
    let unnamed = match &args.aiecst {
        Some(_) => summary::unnamed_of(&unnamed(&front, &options)),
        None => Vec::new(),
    };
    let notes = summary::left_out_of(&options).into_iter().chain(hidden).chain(unnamed);
    notes.for_each(|line| console.line(&format!("  {line}")));
    Some(())
}

/// Draws the stated places of a design that the checks refuse, with the nets that must cross the
/// line with too few wires. Always returns None: the design is refused.
fn place_refused(
    args: &Place,
    source: &SourceFile,
    options: &Options,
    invocation: &mut Invocation,
) -> Option<()> {
    let placing = &args.common.placing;
    let front = refused::overfull(source, options).filter(|_| args.svg.is_some())?;
    let results = Results::of(&front, &args.input.design, placing, args.overwrite, invocation);
    results.check(&[(&args.svg, Form::Svg)], invocation)?;
    let agreed = placed(&front, placing, options, invocation)?;
    let picture = aiec_draw::routing_svg(&route::plan_of(&front, &agreed));
    results.write(&[(&args.svg, Form::Svg, picture)], invocation)?;
    None
}

/// All locations of a placement in the vendor's two forms.
#[derive(Default)]
pub(crate) struct Locations {
    /// The text of a constraints file.
    pub(crate) constraints: String,
    /// The text of a C++ file.
    header: String,
}

/// What has a place and no known name in constraints files, each with the reason.
fn unnamed(front: &Front, options: &Options) -> BTreeMap<String, &'static str> {
    let nameless = front.checked.externals.iter().filter(|external| external.logical.is_empty());
    match &options.adopted {
        Some(adopted) => adopted.unnamed.clone(),
        None => {
            nameless.map(|external| (external.name.clone(), "its name in the graph is unknown")).collect()
        }
    }
}

/// All locations. Names in the graph depend on the names of the user's files.
pub(crate) fn locations(
    front: &Front,
    placed: &Placed,
    input: &Input,
    options: &Options,
    invocation: &mut Invocation,
) -> Option<Locations> {
    let (mut user, _) = user_options(front, input, options, invocation)?;
    user.origin.command = invocation.asked.of_place();
    let Front { device, checked, .. } = front;
    let stated = options.adopted.iter().flat_map(|adopted| &adopted.notes.left_out);
    let left_out: Vec<String> = stated.map(|one| one.what.clone()).collect();
    let (none, no_members) = (BTreeSet::new(), BTreeMap::new());
    let unnamed = &unnamed(front, options);
    let naming = match &options.adopted {
        Some(Adopted { object, loose, of_logic, tables, objects, hidden, tuples, .. }) => {
            let (called, inside, left_out) = (&no_members, "", left_out.as_slice());
            Naming::Members {
                object,
                called,
                loose,
                of_logic,
                unnamed,
                tables,
                objects,
                hidden,
                tuples,
                inside,
                left_out,
            }
        }
        // A design with `ports own` describes a graph, and has its names.
        None if checked.is_adf() => Naming::Members {
            object: checked.written.object.as_deref().unwrap_or_default(),
            called: &checked.written.called,
            loose: &none,
            of_logic: &none,
            unnamed,
            tables: &no_members,
            objects: &none,
            hidden: &no_members,
            tuples: &none,
            inside: "",
            left_out: &[],
        },
        None => Naming::Emitted,
    };
    let constraints = report::json(&aiec_codegen::constraints(checked, placed, device, &user, naming));
    let header = aiec_codegen::locations_header(checked, placed, device, &user, naming);
    Some(Locations { constraints, header })
}

/// Runs `aiec report`. Returns None when it logs an error.
fn show(args: &Report, invocation: &mut Invocation, console: &mut Console<'_>) -> Option<()> {
    let deadline = Deadline::within(args.common.placing.time_limit);
    let (source, mut options) =
        open(&args.input, Some(args.common.code()), Some(&args.common.placing), invocation)?;
    let mut counted = None;
    if let Some(file) = &args.cycles {
        let file = invocation.read(file, files::MAX_DATA)?;
        let Counted { cycles, amounts } = invocation.require(cycles::read(&file))?;
        (options.counted, options.amounts) = (cycles, amounts);
        counted = Some(file);
    }
    let front = choose::front(&source, &options, &args.common.placing, invocation)?;
    if let Some(file) = counted {
        invocation.require(cycles::of_design(&file, &options.counted, &front.checked))?;
    }
    let results = Results::of(&front, &args.input.design, &args.common.placing, args.overwrite, invocation);
    let file = args.json.clone().flatten();
    results.check(&[(&file, Form::Json), (&args.trace, Form::Json)], invocation)?;
    let agreed = placed(&front, &args.common.placing, &options, invocation)?;
    if agreed.routes.is_err() && args.json.is_none() {
        console.text(&cuts(&agreed.nets, &front.device, args.cuts));
    }
    let back = pipeline::back(&front, agreed, &mut invocation.log)?;
    note_path(&front, &back, invocation);
    let data = report_of(&front, &back, &args.input, &options, invocation)?;
    let why = match args.why {
        true => Some(why(args, &source, &options, (&front, &back, deadline), invocation)?),
        false => None,
    };
    let logp = args.logp.then(|| logp::costs(&front, &back));
    let answers = Answers { report: &data, why, logp };
    match &args.json {
        Some(Some(_)) => results.write(&[(&file, Form::Json, report::json(&answers))], invocation)?,
        Some(None) => console.text(&report::json(&answers)),
        None => console.text(&answers.text(args.cuts)),
    }
    if args.trace.is_some() {
        let (timeline, trace) = traced(&front, &back, invocation.progress);
        results.write(&[(&args.trace, Form::Json, report::json(&trace))], invocation)?;
        if args.json.is_none() {
            summary::timing(&front, &back, timeline.as_ref()).iter().for_each(|line| console.line(line));
            trace
                .other
                .assumed
                .iter()
                .for_each(|line| console.line(&format!("assumed in the trace: {line}")));
        }
    }
    Some(())
}

/// Where the cycles of a placed design go, and what would help.
fn why(
    args: &Report,
    source: &SourceFile,
    options: &Options,
    (front, back, deadline): (&Front, &Back, Deadline),
    invocation: &mut Invocation,
) -> Option<why::Answer> {
    let design = match &front.found {
        Some(found) => found.design.clone(),
        None => pipeline::design(source, options, &mut Log::default())?,
    };
    let solving = Solving::with(args.common.placing.solver);
    let search = Search::of(&args.common.placing, &solving, invocation);
    Some(why::answer(&Builder { search, options }, &design, front, back, deadline))
}

/// The cuts that nets without routes must cross, as text.
fn cuts(nets: &[Net], device: &Device, all: bool) -> String {
    let routes: Vec<Route> = nets.iter().map(|net| Route { net: net.clone(), hops: Vec::new() }).collect();
    report::cuts_without_routes(&aiec_router_model::cut_table(&routes, device), all)
}

fn output_directory(args: &Build, front: &Front) -> PathBuf {
    args.output.clone().unwrap_or_else(|| Path::new("build").join(&front.checked.name.value))
}

/// The files from which a project is made, by the paths that the user gave.
fn originals(args: &Build, user: &EmitOptions, invocation: &Invocation) -> Originals {
    let folder = files::folder_of(&args.input.design);
    let sources = user.sources.iter().map(|source| folder.join(&source.path));
    let data = user.data.iter().map(|data| folder.join(&data.path));
    Originals {
        sources: std::iter::once(args.input.design.clone()).chain(sources).collect(),
        others: invocation.sources.iter().map(|source| PathBuf::from(&source.name)).chain(data).collect(),
    }
}

/// Writes the planned project and returns the plan. Logs the reasons against it and returns None
/// when there are any. With `--check` it writes nothing and prints the differences.
fn write_project<'a>(
    args: &Build,
    plan: impl Fn() -> Result<Plan<'a>, Diagnostic>,
    invocation: &mut Invocation,
    console: &mut Console<'_>,
) -> Option<Plan<'a>> {
    // A denied warning of the search for a placement does not end the search.
    if invocation.log.has_errors() {
        return None;
    }
    if args.check {
        let plan = invocation.require(plan())?;
        if plan.is_current() {
            return Some(plan);
        }
        console.text(&ownership::differences(&plan, Shown::All));
        return invocation.fail(plan.staleness());
    }
    let (command, sources) = (invocation.asked.whole(), files::folder_of(&args.input.design));
    let refusals =
        |plan: &Plan<'a>| if args.overwrite { Vec::new() } else { plan.refusals(&command, sources) };
    let plan = invocation.require(ownership::settle(plan, |plan| refusals(plan).is_empty()))?;
    let refusals = refusals(&plan);
    if refusals.is_empty() {
        return Some(plan);
    }
    console.text(&ownership::differences(&plan, Shown::Edited));
    invocation.log.diagnostics.extend(refusals);
    None
}

fn print_form(
    form: EmitForm,
    source: &SourceFile,
    args: &Build,
    options: &Options,
    invocation: &mut Invocation,
) -> Option<String> {
    match form {
        EmitForm::Ast => {
            return pipeline::parse(source, &mut invocation.log).map(|program| aiec_dsl::dump(&program));
        }
        EmitForm::Design => {
            return pipeline::design(source, options, &mut invocation.log)
                .map(|design| aiec_ir::dump_design(&design));
        }
        EmitForm::Expanded => {
            return pipeline::design(source, options, &mut invocation.log)
                .and_then(|design| pipeline::expand(&design, options, &mut invocation.log))
                .map(|e| aiec_ir::dump_expanded(&e));
        }
        EmitForm::Placement | EmitForm::Routes | EmitForm::Estimate => {}
    }
    let front = choose::front(source, options, &args.placing, invocation)?;
    let back = finish(&front, &args.placing, options, invocation)?;
    Some(match form {
        EmitForm::Placement => aiec_placer::dump(&front.checked, &back.placed),
        EmitForm::Routes => aiec_router_model::dump_routes(&front.checked, &back.routed),
        _ => aiec_router_model::dump_estimate(&front.checked, &back.estimate),
    })
}

/// `aiec fmt`: every design to the end, whatever the others' faults are.
fn fmt(args: &Fmt, invocation: &mut Invocation, console: &mut Console<'_>) -> Option<()> {
    let mut sound = Some(());
    for design in files::each(&args.designs) {
        sound = format(args, design, invocation, console).and(sound);
    }
    sound
}

fn format(args: &Fmt, design: &Path, invocation: &mut Invocation, console: &mut Console<'_>) -> Option<()> {
    let source = invocation.read_design(design)?;
    if args.write && design == Path::new(STDIN) {
        return invocation
            .fail(aiec_system::errors::output_unwritable(STDIN_NAME, "nothing can be written to it"));
    }
    let program = pipeline::parse(&source, &mut invocation.log)?;
    let text = aiec_dsl::print(&source, &program);
    if args.check {
        let is_canonical = text == source.text;
        return if is_canonical { Some(()) } else { invocation.fail(errors::not_canonical(&source, &text)) };
    }
    if !args.write {
        console.text(&text);
        return Some(());
    }
    if text == source.text {
        return Some(());
    }
    invocation.require(disk::put(design, text.as_bytes()).map_err(|error| {
        aiec_system::errors::output_unwritable(&design.display().to_string(), &error.to_string())
    }))
}
