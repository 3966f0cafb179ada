//! `aiec lsp`: starts the language server, reads for it, and checks for it.
#![allow(clippy::disallowed_methods, reason = "reads standard input, and checks in the background")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};

use aiec_diag::{Code, Diagnostic, SourceFile, Span, catalogue};
use aiec_dsl::ast::{ItemKind, Program};
use aiec_dsl::{LeftOut, Recovered};
use aiec_ir::Expanded;
use aiec_lsp::{Compiler, Event, Found, Texts};
use aiec_system::files::{MAX_DESIGN, MAX_TEXT, read_text};

use crate::args::{Input, Lsp, Reading};
use crate::check::{Step, check_all};
use crate::invocation::{Invocation, open};
use crate::kernels::Compiling;
use crate::locate::{DEPTH, files_in};
use crate::open::Open;
use crate::output::Console;
use crate::pipeline::{self, Log, Options};
use crate::{FAILURE, SUCCESS};

/// `aiec lsp`. Returns the exit status of the protocol: failure if the client left without a word.
pub(crate) fn run(args: &Lsp, console: &mut Console<'_>) -> u8 {
    let (events, incoming) = channel();
    let checks = Checks { args: args.clone(), events: events.clone(), waiting: Arc::default() };
    let ended: Arc<Mutex<Option<String>>> = Arc::default();
    let unread = Arc::clone(&ended);
    std::thread::spawn(move || {
        let mut input = std::io::stdin().lock();
        let fault = loop {
            match aiec_lsp::read(&mut input) {
                Ok(Some(message)) => {
                    if events.send(Event::Incoming(message)).is_err() {
                        return;
                    }
                }
                Ok(None) => break None,
                Err(fault) => break Some(fault.to_string()),
            }
        };
        *unread.lock().unwrap_or_else(PoisonError::into_inner) = fault;
        let _ = events.send(Event::Closed);
    });
    let is_shut_down = aiec_lsp::serve(&incoming, console.stream(), &checks).unwrap_or(false);
    if !is_shut_down {
        let fault = ended.lock().unwrap_or_else(PoisonError::into_inner).take();
        let reason = fault.unwrap_or_else(|| "its input ended".to_owned());
        console.error(&format!(
            "aiec lsp: {reason}, without `shutdown` and `exit`; editors start this server\n"
        ));
    }
    // Compilers that still run have no reader.
    aiec_system::end();
    if is_shut_down { SUCCESS } else { FAILURE }
}

/// Checks for the server.
struct Checks {
    args: Lsp,
    /// Where results of the background go.
    events: Sender<Event>,
    waiting: Arc<Mutex<Waiting>>,
}

/// Checks with C++ that were asked for. One runs at a time.
#[derive(Default)]
struct Waiting {
    /// True while a thread works on them.
    is_running: bool,
    /// Designs with the newest texts.
    designs: BTreeMap<PathBuf, Texts>,
}

impl Waiting {
    /// The next design. Without one, the thread ends.
    fn next(&mut self) -> Option<(PathBuf, Texts)> {
        let next = self.designs.pop_first();
        self.is_running = next.is_some();
        next
    }
}

impl Compiler for Checks {
    fn check(&self, design: &Path, open: &Texts) -> Found {
        found(&self.args.reading, design, open, None)
    }

    fn texts(&self, folder: &Path) -> Texts {
        let files = files_in(folder, DEPTH).into_iter();
        files.filter_map(|path| Some((path.clone(), read_text(&path, MAX_DESIGN, None).ok()?))).collect()
    }

    fn text(&self, path: &Path) -> Option<String> {
        read_text(path, MAX_TEXT, None).ok()
    }

    fn inspect(&self, design: &Path, open: &Texts) {
        if self.args.sources.no_cxx {
            return;
        }
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.designs.insert(design.to_path_buf(), open.clone());
        if std::mem::replace(&mut waiting.is_running, true) {
            return;
        }
        let (args, events, waiting) = (self.args.clone(), self.events.clone(), Arc::clone(&self.waiting));
        std::thread::spawn(move || {
            let next = || waiting.lock().unwrap_or_else(PoisonError::into_inner).next();
            while let Some((design, open)) = next() {
                let found = found(&args.reading, &design, &open, args.sources.of(&design, &args.reading));
                if events.send(Event::Inspected(design.clone(), Box::new(found))).is_err() {
                    return;
                }
            }
        });
    }
}

/// What `aiec check` finds.
fn found(reading: &Reading, design: &Path, texts: &Texts, compiling: Option<Compiling<'_>>) -> Found {
    let mut invocation = Invocation { open: Box::new(Open::new(texts)), ..Invocation::default() };
    let input = Input { design: design.to_path_buf(), reading: reading.clone() };
    let mut designs: Vec<Expanded> = Vec::new();
    let mut lowering = aiec_lower::Options::default();
    if let Some((source, options)) = open(&input, None, None, &mut invocation) {
        let recovered = aiec_dsl::recover(&source);
        if recovered.diagnostics.iter().any(Diagnostic::is_error) {
            designs = partial(&recovered, &options, &mut invocation.log);
        } else {
            let _ = check_all(&input, &source, &options, compiling, &mut invocation, &mut |step| {
                if let Step::Checked(front, _) = step {
                    designs.push(front.checked.expanded().clone());
                }
            });
            if designs.is_empty() {
                designs = unchecked(&source, &options);
            }
        }
        lowering = options.lower;
    }
    Found { sources: invocation.sources, diagnostics: invocation.log.diagnostics, designs, options: lowering }
}

/// The instances of a design, or of each component of a file, that has faults.
fn unchecked(source: &SourceFile, options: &Options) -> Vec<Expanded> {
    let Some(program) = pipeline::parse(source, &mut Log::default()) else { return Vec::new() };
    each(&program, options).iter().filter_map(|options| sound_part(&program, options)).collect()
}

/// Most times that items with faults are left out: what names a left out item is at fault then.
const ROUNDS: usize = 8;

/// Stands for a name in the `design` line that no C++ can have. No hover shows it.
const NAMELESS: &str = "nameless_design";

/// The instances of what is left of a program without the items in which faults lie. The `design`
/// line gets another name instead. Returns None when faults lie elsewhere, or go on.
fn sound_part(program: &Program, options: &Options) -> Option<Expanded> {
    let mut rest = program.clone();
    for _ in 0..ROUNDS {
        let mut log = Log::default();
        let design = log.take(aiec_lower::lower(&rest, &options.lower));
        let expanded = design.and_then(|design| pipeline::expand(&design, options, &mut log));
        if expanded.is_some() {
            return expanded;
        }
        let faults = log.diagnostics.iter().filter(|fault| fault.is_error()).filter_map(Diagnostic::span);
        let faults: Vec<Span> = faults.collect();
        let is_in = |fault: &Span, item: Span| {
            fault.source == item.source && item.start <= fault.start && fault.end <= item.end
        };
        let before = rest.items.len();
        let mut is_renamed = false;
        rest.items.retain_mut(|item| {
            if !faults.iter().any(|fault| is_in(fault, item.span)) {
                return true;
            }
            let ItemKind::Design(name) = &mut item.kind else { return false };
            is_renamed |= name.value != NAMELESS;
            NAMELESS.clone_into(&mut name.value);
            true
        });
        if rest.items.len() == before && !is_renamed {
            return None;
        }
    }
    None
}

/// The options for each component of a file that has nothing else, or those for a design.
fn each(program: &Program, options: &Options) -> Vec<Options> {
    let components = aiec_lower::library(program).unwrap_or_default();
    if components.is_empty() {
        return vec![options.clone()];
    }
    components.into_iter().map(|component| options.alone(component.to_owned())).collect()
}

/// Checks what parses of a file with syntax errors. Logs the syntax errors, and those faults of the
/// rest that may not come from what was left out.
fn partial(recovered: &Recovered, options: &Options, log: &mut Log) -> Vec<Expanded> {
    let Recovered { program, diagnostics, left_out } = recovered;
    let mut rest = Log::default();
    let expanded = each(program, options).into_iter().filter_map(|options| {
        rest.by_others = rest.diagnostics.len();
        let Some(design) = rest.take(aiec_lower::lower(program, &options.lower)) else {
            return sound_part(program, &options);
        };
        rest.know(&design, options.adopted.as_ref());
        let expanded = pipeline::expand(&design, &options, &mut rest)?;
        // The checks refuse what the text lacks. Its instances have their sizes all the same.
        let _ = pipeline::checked(expanded.clone(), &options, &mut rest);
        Some(expanded)
    });
    let designs = expanded.collect();
    log.add(diagnostics.clone());
    log.add(rest.diagnostics.into_iter().filter(|fault| !depends(fault, left_out)).collect());
    designs
}

/// Faults about what a text lacks. It may be in a part that does not parse.
const OF_ABSENCE: [&Code; 6] = [
    &catalogue::MISSING_ITEM,
    &catalogue::UNCONNECTED_PORT,
    &catalogue::UNUSED_EXTERNAL,
    &catalogue::IDLE_KERNEL,
    &catalogue::NO_WAY_OUT,
    &catalogue::UNUSED_ALLOW,
];

/// Faults about a name of which the text lacks a use. It may be in a part that does not parse.
const OF_UNUSED: [&Code; 5] = [
    &catalogue::UNUSED_CONSTANT,
    &catalogue::IDLE_VARIABLE,
    &catalogue::COMPONENT_PORT,
    &catalogue::BRANCH_GAP,
    &catalogue::NO_ANCHOR,
];

/// True if a fault may come from the text that was left out: something is missing, or the message
/// quotes a name that this text declares.
fn depends(fault: &Diagnostic, left_out: &LeftOut) -> bool {
    let texts = std::iter::once(&fault.message).chain(fault.labels.iter().map(|label| &label.text));
    let quoted = texts.flat_map(|text| text.split('`').skip(1).step_by(2));
    let words = quoted.flat_map(|text| text.split(|c: char| !c.is_alphanumeric() && c != '_'));
    let words: BTreeSet<&str> = words.filter(|word| !word.is_empty()).collect();
    let is_any_of = |names: &BTreeSet<String>| words.iter().any(|word| names.contains(*word));
    let has_members = left_out
        .members
        .iter()
        .any(|(owner, member)| words.contains(owner.as_str()) && words.contains(member.as_str()));
    let lacks_import = fault.code == &catalogue::UNKNOWN_NAME && left_out.words.contains("import");
    OF_ABSENCE.contains(&fault.code)
        || OF_UNUSED.contains(&fault.code) && is_any_of(&left_out.words)
        || is_any_of(&left_out.names)
        || has_members
        || lacks_import
}
