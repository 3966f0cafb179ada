//! `aiec view`: writes a design as one page for a browser. A design that a stage refuses has a page
//! of what the stages before it know, with the refusal.

use std::path::{Path, PathBuf};

use aiec_codegen::report::Report;
use aiec_diag::{RenderStyle, SourceFile, Sources, count};
use aiec_draw::RoutingPlan;
use aiec_event_model::Trace;
use aiec_ir::Expanded;
use aiec_view::{Known, Placement};

use crate::args::View;
use crate::disk::Form;
use crate::invocation::{Invocation, open, placed, report_of};
use crate::output::{Console, drawn};
use crate::pipeline::{self, Agreed, Front, Log, Options};
use crate::results::Results;
use crate::trace::traced;
use crate::{choose, refused, route};
use aiec_system::files;

/// Runs `aiec view`. Returns None when it logs an error.
pub(crate) fn run(args: &View, invocation: &mut Invocation, console: &mut Console<'_>) -> Option<()> {
    let (source, options) =
        open(&args.input, Some(args.common.code()), Some(&args.common.placing), invocation)?;
    let passed = choose::front(&source, &options, &args.common.placing, invocation);
    let is_refused = passed.is_none();
    let front = passed.or_else(|| refused::overfull(&source, &options));
    let unchecked = match &front {
        Some(_) => None,
        None => Some(expanded(&source, &options)?),
    };
    let design: &Expanded = match (&front, &unchecked) {
        (Some(front), _) => &front.checked,
        (None, unchecked) => unchecked.as_ref()?,
    };
    let results =
        Results::of_expanded(design, &args.input.design, &args.common.placing, args.overwrite, invocation);
    let file = args.output.clone().unwrap_or_else(|| PathBuf::from(format!("{}.html", design.name.value)));
    let named = Some(file.clone());
    results.check(&[(&named, Form::Svg)], invocation)?;
    let back = front.as_ref().and_then(|front| match is_refused {
        true => Back::refused(front, args, &options, invocation),
        false => Back::of(front, args, &options, invocation),
    });
    let sources = without_root(&invocation.sources, &args.input.design);
    let messages = drawn(&invocation.log.diagnostics, &sources, RenderStyle::PLAIN);
    let page = aiec_view::page(&aiec_view::view(&Known {
        expanded: design,
        placed: front.as_ref().zip(back.as_ref()).map(|(front, back)| back.placement(front)),
        report: back.as_ref().and_then(|back| back.report.as_ref()),
        trace: back.as_ref().and_then(|back| back.trace.as_ref()),
        messages: &messages,
    }));
    results.write(&[(&named, Form::Svg, page)], invocation)?;
    console.line(&format!("{}: {}", file.display(), summary(design, back.as_ref())));
    Some(())
}

/// The sources, whose paths from the root become paths from the folder of the design: a page that
/// is kept says nothing about the machine.
fn without_root(sources: &Sources, design: &Path) -> Sources {
    let folder = files::folder_of(design);
    let mut named = Sources::default();
    for SourceFile { name, text, .. } in sources.iter() {
        let path = Path::new(name);
        let inside = path.strip_prefix(folder).ok().or(path.file_name().map(Path::new));
        let shown = inside.filter(|_| path.is_absolute()).unwrap_or(path);
        named.add(shown.display().to_string(), text.clone());
    }
    named
}

/// The instances of a design that the checks refuse. Its diagnostics are in the log already.
fn expanded(source: &SourceFile, options: &Options) -> Option<Expanded> {
    let mut log = Log::default();
    let design = pipeline::design(source, options, &mut log)?;
    pipeline::expand(&design, options, &mut log)
}

/// The results of the stages from placement on.
struct Back {
    agreed: Agreed,
    plan: RoutingPlan,
    /// None when there are no routes.
    report: Option<Report>,
    /// None when there are no routes.
    trace: Option<Trace>,
}

impl Back {
    fn of(front: &Front, args: &View, options: &Options, invocation: &mut Invocation) -> Option<Self> {
        let agreed = placed(front, &args.common.placing, options, invocation)?;
        let plan = route::plan_of(front, &agreed);
        let whole = pipeline::back(front, agreed.clone(), &mut invocation.log);
        let report =
            whole.as_ref().and_then(|whole| report_of(front, whole, &args.input, options, invocation));
        let trace = whole.as_ref().map(|whole| traced(front, whole, invocation.progress).1);
        Some(Self { agreed, plan, report, trace })
    }

    /// The placement of a design that the checks refuse for a line with too few wires. They have
    /// told the fault.
    fn refused(front: &Front, args: &View, options: &Options, invocation: &mut Invocation) -> Option<Self> {
        let agreed = placed(front, &args.common.placing, options, invocation)?;
        let plan = route::plan_of(front, &agreed);
        Some(Self { agreed, plan, report: None, trace: None })
    }

    fn placement<'a>(&'a self, front: &'a Front) -> Placement<'a> {
        let Front { checked, device, .. } = front;
        let Agreed { placed, nets, .. } = &self.agreed;
        Placement { checked, device, placed, nets, plan: &self.plan }
    }
}

/// What the page holds.
fn summary(design: &Expanded, back: Option<&Back>) -> String {
    let graph = format!(
        "{} and {}",
        count(design.kernels.len() as u64, "kernel"),
        count(design.connection_count() as u64, "connection")
    );
    match back {
        None => format!("{graph}, without a placement"),
        Some(Back { report: None, plan, .. }) => {
            format!("{graph}, placed, {} not routed", count(plan.nets.len() as u64, "net"))
        }
        Some(Back { plan, .. }) => format!("{graph}, {}", count(plan.nets.len() as u64, "net")),
    }
}
