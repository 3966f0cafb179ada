//! `aiec route`: routes a design, or nets of files that aiecompiler wrote, or reports why there is
//! no routing. It can draw every result.

use aiec_codegen::stamp::Origin;
use aiec_draw::{self, DrawnNet, RoutingPlan};
use aiec_placer::{Placed, PlacementEntry};
use aiec_router_model::{Crossing, Net, NetId, Refusal, Request, RouteOptions, Routes, Switch};

use crate::args::{Route, RouteForm};
use crate::disk::Form;
use crate::invocation::{Invocation, open, placed};
use crate::output::Console;
use crate::pipeline::{self, Agreed, Back, Front, Options};
use crate::results::Results;
use crate::summary::Traced;
use crate::vendor::{self, Purpose};
use crate::{choose, refused, report, summary};

/// Runs `aiec route`. Returns None when it logs an error.
pub(crate) fn run(args: &Route, invocation: &mut Invocation, console: &mut Console<'_>) -> Option<()> {
    if args.import.is_empty() { route(args, invocation, console) } else { import(args, invocation, console) }
}

/// Reviews files of aiecompiler.
fn import(args: &Route, invocation: &mut Invocation, console: &mut Console<'_>) -> Option<()> {
    let device = vendor::device(args.input.reading.device.as_deref(), invocation)?;
    let files = vendor::files(&args.import, Purpose::Nets, invocation)?;
    let results = Results::of_files(args.overwrite, invocation);
    results.check(&[(&args.svg, Form::Svg), (&args.json, Form::Json)], invocation)?;
    let nets = invocation.log.take(aiec_router_model::import(&files, &device))?;
    let review = aiec_router_model::review(nets, &device, &RouteOptions::default());
    let plan = vendor::plan(&vendor::names(&files), &review, &device);
    let whose = if review.theirs { "of the files" } else { "by aiec: the files have none" };
    console.text(&summary::imported(&plan, &device, whose, &vendor::packets(&review)));
    console.text(&vendor::cuts(&plan));
    invocation.log.diagnostics.extend(review.diagnostics);
    write_plan(args, &plan, &results, invocation)
}

/// Writes picture and data to the named files.
fn write_plan(
    args: &Route,
    plan: &RoutingPlan,
    results: &Results,
    invocation: &mut Invocation,
) -> Option<()> {
    let (svg, json) = (aiec_draw::routing_svg(plan), report::json(plan));
    results.write(&[(&args.svg, Form::Svg, svg), (&args.json, Form::Json, json)], invocation)
}

fn route(args: &Route, invocation: &mut Invocation, console: &mut Console<'_>) -> Option<()> {
    let (source, options) =
        open(&args.input, Some(args.common.code()), Some(&args.common.placing), invocation)?;
    let passed = choose::front(&source, &options, &args.common.placing, invocation);
    let is_refused = passed.is_none();
    let front = passed.or_else(|| refused::overfull(&source, &options))?;
    let results = Results::of(&front, &args.input.design, &args.common.placing, args.overwrite, invocation);
    let emit = args.emit.unwrap_or(RouteForm::Routes);
    let mark = if emit == RouteForm::Xaie { Form::C } else { Form::Json };
    let named = [(&args.svg, Form::Svg), (&args.json, Form::Json), (&args.output, mark)];
    results.check(&named, invocation)?;
    let agreed = placed(&front, &args.common.placing, &options, invocation)?;
    let Agreed { nets, routes: result, .. } = &agreed;
    let mut drawn = drawn(&front, nets, result);
    let traced = match (args.trace, result) {
        (Some(streams), Ok(_)) => Some(trace(&front, &agreed.placed, nets, streams, &options, &mut drawn)),
        _ => None,
    };
    let plan = plan(&front, &agreed, &drawn);
    // The form takes the place of the summary.
    let prints_form = args.emit.is_some() && args.output.is_none();
    if !prints_form {
        console.text(&summary::route(&plan, &front.device, traced.as_ref()));
        let left_out = summary::left_out_of(&options).into_iter();
        let left_out = left_out.chain(summary::fifos_off_route(&front.checked, nets, result.as_ref().ok()));
        left_out.for_each(|line| console.line(&format!("  {line}")));
    }
    write_plan(args, &plan, &results, invocation)?;
    // The checks have told the fault.
    if is_refused {
        return None;
    }
    let back = pipeline::back(&front, agreed, &mut invocation.log)?;
    let text = form(emit, &front, &back, invocation)?;
    if prints_form {
        console.text(&text);
    }
    results.write(&[(&args.output, mark, text)], invocation)
}

/// The routes in a form of `--emit`.
fn form(form: RouteForm, front: &Front, back: &Back, invocation: &mut Invocation) -> Option<String> {
    let list = || aiec_router_model::wiring_list(&back.whole(front));
    match form {
        RouteForm::Routes => Some(aiec_router_model::dump_routes(&front.checked, &back.routed)),
        RouteForm::Wiring => Some(aiec_router_model::dump_wiring(&list())),
        RouteForm::Xaie => {
            let command = invocation.asked.of_routes();
            let origin = Origin { whole_command: command.clone(), command };
            invocation.log.take(aiec_codegen::routes_file(&list(), &origin))
        }
    }
}

/// The nets of a design with their routes, if there are any.
fn drawn(front: &Front, nets: &[Net], result: &Result<Routes, Refusal>) -> Vec<DrawnNet> {
    let hops = |index: usize| {
        let route = result.as_ref().ok().and_then(|routes| routes.routes.get(index));
        route.map(|route| route.hops.clone()).unwrap_or_default()
    };
    let drawn = nets.iter().enumerate().map(|(index, net)| DrawnNet {
        name: net.name(&front.checked),
        request: Request::from(net),
        hops: hops(index),
    });
    drawn.collect()
}

/// Routes trace streams over the wires that the nets leave free, and adds the routed streams to the
/// picture.
fn trace(
    front: &Front,
    placed: &Placed,
    nets: &[Net],
    streams: u32,
    options: &Options,
    drawn: &mut Vec<DrawnNet>,
) -> Traced {
    let (trace, untraced) = aiec_router_model::trace_requests(placed, nets, &front.device, streams);
    let all: Vec<Request> = nets.iter().map(Request::from).chain(trace.iter().cloned()).collect();
    let mut traced = Traced { routed: 0, left_out: trace.len(), untraced };
    // The nets alone have routes already. Streams that may be left out take none of their wires.
    let Ok(routing) = aiec_router_model::route_requests(&all, &front.device, &options.route) else {
        return traced;
    };
    if !aiec_router_model::check_wiring(&all, &routing.wiring, &routing.left_out, &front.device).is_empty() {
        return traced;
    }
    for ((number, hops), request) in (0_u32..).zip(routing.trees).skip(nets.len()).zip(trace) {
        if !routing.left_out.contains(&NetId(number)) {
            let Switch { column, row } = request.source.switch;
            let row = row.saturating_sub(front.device.first_hardware_row);
            drawn.push(DrawnNet { name: format!("trace of ({column}, {row})"), request, hops });
            traced.routed += 1;
        }
    }
    traced.left_out -= traced.routed;
    traced
}

/// The picture's data for a design that was placed.
pub(crate) fn plan_of(front: &Front, agreed: &Agreed) -> RoutingPlan {
    plan(front, agreed, &drawn(front, &agreed.nets, &agreed.routes))
}

fn plan(front: &Front, agreed: &Agreed, drawn: &[DrawnNet]) -> RoutingPlan {
    let Front { device, checked, .. } = front;
    let Agreed { placed, cut_short, .. } = agreed;
    let entry = PlacementEntry::of(checked, device, placed, *cut_short);
    let floorplan = aiec_draw::floorplan(checked, placed, device, entry);
    let proof = agreed.routes.as_ref().err().and_then(proof);
    aiec_draw::routing_plan(&checked.name.value, device, drawn, agreed.routes.is_ok(), proof, Some(floorplan))
}

/// The line that a refusal proves to be overfull.
const fn proof(refusal: &Refusal) -> Option<&Crossing> {
    match refusal {
        Refusal::Overfull(cut) => Some(cut),
        Refusal::NoSettings(_) | Refusal::Unreachable(_) | Refusal::GaveUp { .. } => None,
    }
}
