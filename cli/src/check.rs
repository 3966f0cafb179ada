//! `aiec check`: the stages before placement, for one design after the other.

use std::path::Path;

use aiec_adf::Adopted;
use aiec_diag::{Diagnostic, Outcome, SourceFile};
use aiec_system::files;

use crate::args::{Check, Input};
use crate::choose;
use crate::graphs::Code;
use crate::instances::Instances;
use crate::invocation::{Invocation, open, sources_fit, user_options};
use crate::kernels::{self, Compiling};
use crate::output::Console;
use crate::pipeline::{self, Front, Options};
use crate::{instances, summary, unused};

/// `aiec check`: every design to the end, whatever the others' faults are.
pub(crate) fn run(args: &Check, invocation: &mut Invocation, console: &mut Console<'_>) -> Option<()> {
    let mut sound = Some(());
    for design in files::each(&args.designs) {
        let input = Input { design: design.to_path_buf(), reading: args.reading.clone() };
        *invocation.log.instances = Instances::default();
        invocation.log.by_others = 0;
        invocation.log.wanted.allowed.clear();
        let before = invocation.log.diagnostics.len();
        sound = file(args, &input, invocation, console).and(sound);
        if design.as_os_str() != files::STDIN {
            of_file(&mut invocation.log.diagnostics[before..], design);
        }
    }
    sound
}

/// Names the design in faults of no line. Others know their file.
fn of_file(found: &mut [Diagnostic], design: &Path) {
    for fault in found.iter_mut().filter(|fault| fault.labels.is_empty()) {
        fault.set_file(design.display().to_string());
    }
}

fn file(args: &Check, input: &Input, invocation: &mut Invocation, console: &mut Console<'_>) -> Option<()> {
    let code = Code { graph: &args.graph, cxx: &args.sources.cxx, as_text: false, headers: false };
    let (source, options) = open(input, Some(code), None, invocation)?;
    if let Some(adopted) = &options.adopted {
        return graph(&source, &options, adopted, invocation, console);
    }
    let compiling = args.sources.of(&input.design, &input.reading);
    check_all(input, &source, &options, compiling, invocation, &mut |step| match step {
        Step::Checked(front, open) => {
            console.line(&summary::check(front));
            summary::unknown(front).iter().for_each(|line| console.line(&format!("  {line}")));
            open.iter().for_each(|line| console.line(&format!("  {line}")));
        }
        Step::Unused => console.line("  components without instances, by themselves:"),
    })
}

/// A step of a check that succeeded.
pub(crate) enum Step<'a> {
    /// The design, or a component by itself, with lines for what was not checked.
    Checked(&'a Front, &'a [String]),
    /// Components without instances follow.
    Unused,
}

/// Checks a design and then its components without instances, or the components of a file that has
/// nothing else. Tells `done` each step.
pub(crate) fn check_all(
    input: &Input,
    source: &SourceFile,
    options: &Options,
    compiling: Option<Compiling<'_>>,
    invocation: &mut Invocation,
    done: &mut dyn FnMut(Step<'_>),
) -> Option<()> {
    let mut components = instances::components(source).unwrap_or_default();
    if components.is_empty() {
        let (front, open) = checked(input, source, options, compiling, invocation)?;
        done(Step::Checked(&front, &open));
        components = instances::unused(source, &invocation.log.instances.subgraphs);
        if !components.is_empty() {
            done(Step::Unused);
        }
    }
    // Each component by itself, to the end: one fault does not hide those of another.
    let mut sound = Some(());
    for component in components {
        invocation.log.by_others = invocation.log.diagnostics.len();
        let one = checked(input, source, &options.alone(component), compiling, invocation);
        sound = one.map(|(front, open)| done(Step::Checked(&front, &open))).and(sound);
    }
    sound
}

/// A graph: its kernels are the vendor's compiler's to read, or those of `aiec sim`.
fn graph(
    source: &SourceFile,
    options: &Options,
    adopted: &Adopted,
    invocation: &mut Invocation,
    console: &mut Console<'_>,
) -> Option<()> {
    let before = invocation.log.diagnostics.len();
    let front = pipeline::front(source, options, &mut invocation.log)?;
    if !is_sound(before, invocation) {
        return None;
    }
    console.line(&summary::check(&front));
    summary::unknown(&front).iter().for_each(|line| console.line(&format!("  {line}")));
    summary::notes(&adopted.notes).iter().for_each(|line| console.line(&format!("  {line}")));
    Some(())
}

/// The checked design and a line for everything that was not checked. Compares the sources with the
/// design, by the compiler if there is one. Nothing is emitted.
pub(crate) fn checked(
    input: &Input,
    source: &SourceFile,
    options: &Options,
    compiling: Option<Compiling<'_>>,
    invocation: &mut Invocation,
) -> Option<(Front, Vec<String>)> {
    let before = invocation.log.diagnostics.len();
    let front = choose::unplaced(source, options, &mut invocation.log)?;
    if front.checked.is_adf() {
        let open = vec!["not checked: the C++ of the kernels, which have ports of their own".into()];
        return is_sound(before, invocation).then_some((front, open));
    }
    let (user, _) = user_options(&front, input, options, invocation)?;
    sources_fit(&front, input, &user, invocation)?;
    if options.lower.alone.is_none() {
        let unused = unused::constants(source, front.checked.expanded(), &user.sources);
        invocation.log.take(Outcome::new((), unused))?;
    }
    let open = match compiling {
        Some(compiling) => kernels::check(compiling, &front, &user, invocation)?,
        None => Vec::new(),
    };
    is_sound(before, invocation).then_some((front, open))
}

/// True if none of the diagnostics from `before` on is an error. A note that `--deny` names ends no
/// stage, and is an error all the same.
fn is_sound(before: usize, invocation: &Invocation) -> bool {
    !invocation.log.diagnostics[before..].iter().any(Diagnostic::is_error)
}
