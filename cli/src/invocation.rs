//! The state of one run, and the steps that several commands share: opening a design, placing it,
//! and emitting its project.

use std::path::Path;
use std::time::Duration;

use aiec_codegen::report;
use aiec_codegen::stamp::Origin;
use aiec_codegen::{EmitOptions, OutputFile};
use aiec_device::Device;
use aiec_diag::{Diagnostic, Reported, SourceFile, Sources, Span};
use aiec_ilp::Solver;
use aiec_lower::Options as LowerOptions;
use aiec_placer::{Pins, PlaceOptions, Tools};
use aiec_router_model::{Implementation, RouteOptions};
use aiec_timing::TimingProfile;
use aiec_timing::network::NetworkProfile;

use crate::args::{Input, Placing, Reading, Warn};
use crate::asked::{Asked, parse_define};
use crate::graphs::{Code, adopt};
use crate::locate::graph_of;
use crate::open::Open;
use crate::pipeline::{self, Agreed, Back, Front, Given, Log, Options};
use crate::search::{Helpers, Timing, Watcher};
use crate::solver::{self, Solving};
use crate::unstated::silence;
use crate::{agree, errors, named, project};
use aiec_system::Threads;
use aiec_system::files::{self, MAX_DESIGN, MAX_TEXT, STDIN, STDIN_NAME, read_stdin};

/// State of one run: the texts read, and the diagnostics.
#[derive(Default)]
pub(crate) struct Invocation {
    /// Texts of the design, device and placement files.
    pub(crate) sources: Sources,
    /// Diagnostics that this run has given so far.
    pub(crate) log: Log,
    /// True if a progress bar may be shown.
    pub(crate) progress: bool,
    /// True if several invocations run at a time. Ctrl-C then ends the command, and not a search.
    pub(crate) is_one_of_many: bool,
    /// The command, as projects record it.
    pub(crate) asked: Asked,
    /// Texts that take the place of files.
    pub(crate) open: Box<Open>,
}

impl Invocation {
    /// Logs an error. Always returns None, so that callers can return it.
    pub(crate) fn fail<T>(&mut self, diagnostic: Diagnostic) -> Option<T> {
        self.log.diagnostics.push(diagnostic);
        None
    }

    /// The value. Logs an error and returns None when there is none.
    pub(crate) fn require<T>(&mut self, result: Result<T, Diagnostic>) -> Option<T> {
        result.map_err(|diagnostic| self.log.diagnostics.push(diagnostic)).ok()
    }

    /// Reads a text file of at most `limit` bytes and adds it to the sources.
    pub(crate) fn read(&mut self, path: &Path, limit: u64) -> Option<SourceFile> {
        self.read_named(path, limit, None)
    }

    /// The same for a file that a text names at `named_at`.
    pub(crate) fn read_named(
        &mut self,
        path: &Path,
        limit: u64,
        named_at: Option<Span>,
    ) -> Option<SourceFile> {
        let text = self.require(self.open.read(path, limit, named_at))?;
        self.add(path.display().to_string(), text)
    }

    /// Reads a design, from standard input if its path is `-`, and adds it to the sources.
    pub(crate) fn read_design(&mut self, path: &Path) -> Option<SourceFile> {
        if path != Path::new(STDIN) {
            return self.read(path, MAX_DESIGN);
        }
        let text = self.require(read_stdin(MAX_DESIGN))?;
        self.add(STDIN_NAME.to_owned(), text)
    }

    fn add(&mut self, name: String, text: String) -> Option<SourceFile> {
        let id = self.sources.add(name, text);
        self.sources.get(id).cloned()
    }
}

/// Reads the design, or with `code` a graph, and the device file of its options, and parses the
/// options.
pub(crate) fn open(
    input: &Input,
    code: Option<Code<'_>>,
    placing: Option<&Placing>,
    invocation: &mut Invocation,
) -> Option<(SourceFile, Options)> {
    invocation.log.wanted.denied.clone_from(&input.reading.deny);
    invocation.log.wanted.is_slow_noted = input.reading.warn == Some(Warn::Performance);
    let device = match &input.reading.device {
        Some(device) => Some(load_device(device, invocation)?),
        None => None,
    };
    let Reading { profile, bank_conflicts, .. } = &input.reading;
    let profile = profile_of(profile.as_deref(), *bank_conflicts, invocation)?;
    let place = placing.map_or_else(PlaceOptions::default, |placing| PlaceOptions {
        effort: placing.effort,
        seed: placing.seed,
        objective: placing.objective,
    });
    let route = RouteOptions::default();
    let allowed = code.map_or_else(Vec::new, |code| code.graph.allow.clone());
    if graph_of(&input.design).is_some() {
        let shown = input.design.display().to_string();
        let Some(code) = code else { return invocation.fail(errors::not_a_design(&shown)) };
        let (source, adopted) = adopt(input, code, device.as_ref(), invocation)?;
        let lower = LowerOptions::default();
        return Some((
            source,
            Options {
                lower,
                adopted: Some(adopted),
                device,
                profile,
                allowed,
                place,
                route,
                ..Options::default()
            },
        ));
    }
    if code.is_some_and(|code| !code.graph.constraints.is_empty()) {
        return invocation.fail(errors::constraints_of_design(&input.design.display().to_string()));
    }
    let source = invocation.read_design(&input.design)?;
    let mut overrides = Vec::new();
    for define in &input.reading.define {
        overrides.push(invocation.require(parse_define(define))?);
    }
    let texts = named::read_over(&source, &input.design, &invocation.open, &mut invocation.sources);
    let lower = LowerOptions {
        overrides,
        release: input.reading.vitis,
        board: input.reading.board,
        tables: texts.tables,
        imports: texts.imports,
        alone: None,
        device: device.as_ref().map(|device: &Device| device.name.clone()),
    };
    Some((source, Options { lower, device, profile, allowed, place, route, ..Options::default() }))
}

/// The timing profile of the user, or the usual one.
pub(crate) fn profile_of(
    name: Option<&str>,
    bank_conflicts: bool,
    invocation: &mut Invocation,
) -> Option<TimingProfile> {
    let profile = match name {
        Some(name) => load_profile(name, invocation)?,
        None => TimingProfile::default(),
    };
    Some(TimingProfile { bank_conflicts: bank_conflicts || profile.bank_conflicts, ..profile })
}

/// What a profile has the times of.
pub(crate) enum AnyProfile {
    /// An array of AI Engines.
    Array(TimingProfile),
    /// A network of messages, for `aiec traffic` alone.
    Network(NetworkProfile),
}

/// A built-in timing profile of an array, or that of a file.
fn load_profile(name: &str, invocation: &mut Invocation) -> Option<TimingProfile> {
    match any_profile(name, invocation)? {
        AnyProfile::Array(profile) => Some(profile),
        AnyProfile::Network(profile) => invocation.fail(errors::network_profile(&profile.name)),
    }
}

/// A built-in profile of any kind, or that of a file.
pub(crate) fn any_profile(name: &str, invocation: &mut Invocation) -> Option<AnyProfile> {
    if let Some(text) = TimingProfile::text(name) {
        return TimingProfile::parse(text).ok().map(AnyProfile::Array);
    }
    if let Some(text) = NetworkProfile::text(name) {
        return NetworkProfile::parse(text).ok().map(AnyProfile::Network);
    }
    if !name.ends_with(".toml") && !name.contains(['/', '\\']) {
        return invocation.fail(errors::unknown_profile(name));
    }
    let source = invocation.read(Path::new(name), MAX_TEXT)?;
    let read = match NetworkProfile::describes(&source.text) {
        true => NetworkProfile::parse(&source.text).map(AnyProfile::Network),
        false => TimingProfile::parse(&source.text).map(AnyProfile::Array),
    };
    invocation.require(read.map_err(|bad| errors::bad_profile(&source, &bad)))
}

/// A built-in device, or the device of a file.
pub(crate) fn load_device(name: &str, invocation: &mut Invocation) -> Option<Device> {
    if let Some(outcome) = aiec_device::builtin(name) {
        return invocation.log.take(outcome);
    }
    if !name.ends_with(".toml") && !name.contains(['/', '\\']) {
        return invocation.fail(errors::unknown_device(name));
    }
    let source = invocation.read(Path::new(name), MAX_TEXT)?;
    invocation.log.take(aiec_device::parse(&source))
}

/// Placement, routing and estimate of a checked design.
pub(crate) fn finish(
    front: &Front,
    placing: &Placing,
    options: &Options,
    invocation: &mut Invocation,
) -> Option<Back> {
    let agreed = placed(front, placing, options, invocation)?;
    let back = pipeline::back(front, agreed, &mut invocation.log)?;
    note_path(front, &back, invocation);
    Some(back)
}

/// Notes the single-buffered connections on the critical path, if notes are wanted and the event
/// model has one.
pub(crate) fn note_path(front: &Front, back: &Back, invocation: &mut Invocation) {
    if !invocation.log.wanted.has_notes() {
        return;
    }
    let bar = Timing::new(invocation.progress);
    let run = aiec_event_model::with_path(&back.timed(front), &front.profile, &bar.watch()).into_parts().0;
    let run = run.filter(|(timeline, _)| silence(front, Some(timeline)).is_none());
    if let Some((_, path)) = run {
        invocation.log.note(|| aiec_event_model::single_on_path(&front.checked, &path));
    }
}

/// The placement of the file in `placing`, or else of the search. The search's has routes if it
/// found any placement with routes.
pub(crate) fn placed(
    front: &Front,
    placing: &Placing,
    options: &Options,
    invocation: &mut Invocation,
) -> Option<Agreed> {
    let agreed = placed_somehow(front, placing, options, invocation)?;
    invocation.log.note(|| aiec_placer::bank_notes(&front.checked, &front.device, &agreed.placed));
    Some(agreed)
}

fn placed_somehow(
    front: &Front,
    placing: &Placing,
    options: &Options,
    invocation: &mut Invocation,
) -> Option<Agreed> {
    if let Some(found) = &front.found {
        invocation.log.add(found.said.clone());
        return Some(found.agreed.clone());
    }
    let file = placement_file(placing, invocation).ok()?;
    let solving = Solving::with(placing.solver);
    let search = Search::of(placing, &solving, invocation).around(file.as_ref());
    let agreed = search.run(front, options, &mut invocation.log);
    solver_works(&solving, placing, front, &mut invocation.log);
    agreed
}

/// Reports that the solver of the command line failed, if it did.
pub(crate) fn solver_works<S>(solving: &Solving<S>, placing: &Placing, front: &Front, log: &mut Log) {
    if let Some(reason) = solving.failure() {
        let (name, design) = (solver::name(placing.solver), &front.checked.name);
        log.add(vec![errors::solver_failed(name, reason, design)]);
    }
}

/// The placement file of the command line, if it names one.
pub(crate) fn placement_file(
    placing: &Placing,
    invocation: &mut Invocation,
) -> Result<Option<SourceFile>, Reported> {
    let path = placing.placement.as_ref();
    path.map(|path| invocation.read(path, MAX_TEXT).ok_or(Reported)).transpose()
}

/// The way to a placement, from the command line.
#[derive(Clone, Copy)]
pub(crate) struct Search<'a> {
    /// Limits, threads and files of the command line.
    pub(crate) placing: &'a Placing,
    /// The solver of integer programs.
    solver: &'a dyn Solver,
    /// True if a progress bar may be shown.
    progress: bool,
    /// True if several searches run at a time.
    is_one_of_many: bool,
    /// The most time of one search. None when it is not limited.
    limit: Option<Duration>,
    /// The placement file to start from. None when there is none.
    file: Option<&'a SourceFile>,
    /// What is placed, for the progress bar. None when it is the design.
    subject: Option<&'a str>,
}

impl<'a> Search<'a> {
    /// The search of the command line, without a placement file.
    pub(crate) const fn of(placing: &'a Placing, solver: &'a dyn Solver, invocation: &Invocation) -> Self {
        let &Invocation { progress, is_one_of_many, .. } = invocation;
        let limit = placing.time_limit;
        Self { placing, solver, progress, is_one_of_many, limit, file: None, subject: None }
    }

    /// With a placement file, which fixes all tiles or some.
    pub(crate) const fn around(self, file: Option<&'a SourceFile>) -> Self {
        Self { file, ..self }
    }

    /// One for `subject`, of at most this time.
    pub(crate) fn for_subject(self, subject: &'a str, limit: Option<Duration>) -> Self {
        Self { limit, subject: Some(subject), ..self }
    }

    /// One of `number` searches that share the time.
    pub(crate) fn share(self, number: u32) -> Self {
        Self { limit: self.limit.map(|limit| limit / number.max(1)), ..self }
    }

    /// The bar of a run of the event model.
    pub(crate) fn timing(&self) -> Timing {
        Timing::new(self.progress && !self.is_one_of_many)
    }

    /// The placement of the file, or the one that the search finds.
    pub(crate) fn run(&self, front: &Front, options: &Options, log: &mut Log) -> Option<Agreed> {
        let given = match self.file {
            None => Given::Pins(Pins::default()),
            Some(file) => pipeline::given(front, file, self.solver, log)?,
        };
        let pins = match given {
            Given::Placed(placed) => {
                return Some(pipeline::route(front, *placed, false, options, self.solver));
            }
            Given::Pins(pins) => pins,
        };
        let watcher = match self.is_one_of_many {
            true => Watcher::of_many(self.limit),
            false => Watcher::new(self.limit, self.subject, self.progress),
        };
        let threads = Helpers(Threads::new(self.placing.jobs.map(usize::from)));
        let tools = Tools { watch: &watcher, workers: &threads, solver: self.solver };
        agree::search(front, &pins, options, &tools, log)
    }
}

impl Back {
    /// The implementation of the design of `front` for models of time.
    pub(crate) fn timed<'a>(&'a self, front: &'a Front) -> Implementation<'a> {
        Implementation { checked: front.timed(), ..self.whole(front) }
    }

    /// The implementation of the design of `front`.
    pub(crate) fn whole<'a>(&'a self, front: &'a Front) -> Implementation<'a> {
        let Front { checked, device, .. } = front;
        Implementation { checked, placed: &self.placed, routed: &self.routed, device }
    }
}

/// The files of the project.
pub(crate) fn emit(
    front: &Front,
    back: &Back,
    options: &EmitOptions,
    invocation: &mut Invocation,
) -> Option<Vec<OutputFile>> {
    invocation.log.take(aiec_codegen::emit(&back.whole(front), &back.estimate, options))
}

/// Fails for a design with `ports own`.
pub(crate) fn is_ours(front: &Front, input: &Input, invocation: &mut Invocation) -> Option<()> {
    match front.checked.is_adf() {
        true => invocation.fail(errors::own_project(&input.design.display().to_string())),
        false => Some(()),
    }
}

/// Options for the emitter, with the user's files that the project holds. Fails for a source that
/// does not exist.
pub(crate) fn emit_options(
    front: &Front,
    input: &Input,
    options: &Options,
    invocation: &mut Invocation,
) -> Option<EmitOptions> {
    let (user, missing) = user_options(front, input, options, invocation)?;
    let is_whole = missing.is_empty();
    invocation.log.diagnostics.extend(missing);
    if is_whole {
        sources_fit(front, input, &user, invocation)?;
    }
    is_whole.then_some(user)
}

/// Compares the kernels' sources with the ports of the design. A fault shows the line of C++.
pub(crate) fn sources_fit(
    front: &Front,
    input: &Input,
    user: &EmitOptions,
    invocation: &mut Invocation,
) -> Option<()> {
    if aiec_codegen::check_sources(&front.checked, user).value().is_some() {
        return Some(());
    }
    let folder = files::folder_of(&input.design);
    let mut shown = user.clone();
    for source in &mut shown.sources {
        let name = folder.join(&source.path).display().to_string();
        let name = name.strip_prefix("./").unwrap_or(&name);
        source.file = Some(invocation.sources.add(name, source.text.as_str()));
    }
    invocation.log.take(aiec_codegen::check_sources(&front.checked, &shown))
}

/// Options for the emitter with the user's files that are there, and a fault for each source that
/// does not exist.
pub(crate) fn user_options(
    front: &Front,
    input: &Input,
    options: &Options,
    invocation: &mut Invocation,
) -> Option<(EmitOptions, Vec<Diagnostic>)> {
    // A graph has its files where they are: no project is made of it.
    let user = if front.checked.is_adf() {
        Ok(project::UserFiles::default())
    } else {
        project::read_user_files(&front.checked, &input.design)
    };
    match user {
        Ok(user) => {
            let origin =
                Origin { command: invocation.asked.short(), whole_command: invocation.asked.whole() };
            let emit_options = EmitOptions {
                sources: user.sources,
                data: user.data,
                seed: options.place.seed,
                cut_short: false,
                locations: aiec_codegen::Locations::default(),
                origin,
            };
            Some((emit_options, user.missing))
        }
        Err(diagnostics) => {
            invocation.log.diagnostics.extend(diagnostics);
            None
        }
    }
}

/// The report of a routed design.
pub(crate) fn report_of(
    front: &Front,
    back: &Back,
    input: &Input,
    options: &Options,
    invocation: &mut Invocation,
) -> Option<report::Report> {
    let (user, _) = user_options(front, input, options, invocation)?;
    let emit_options = EmitOptions { cut_short: back.cut_short, ..user };
    let mut data = report::report(&back.whole(front), &back.estimate, &emit_options);
    if let Some(adopted) = &options.adopted {
        data.assumed = adopted.notes.assumed.iter().map(ToString::to_string).collect();
        data.left_out.extend(adopted.notes.left_out.iter().map(|one| one.what.clone()));
    }
    Some(data)
}
