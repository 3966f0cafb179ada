//! Diagnostics of reading and checking the vendor's files.

use aiec_diag::{Diagnostic, SourceFile, Span, catalogue, count};

use super::{VendorNet, WHOLE};
use crate::cuts::Crossing;
use crate::errors::{UNREACHABLE_HELP, vendor_wording};
use crate::net::NetEnd;
use crate::pathfinder::Refusal;
use crate::port::Port;
use crate::switch::Switch;

/// Maximum number of nets that one message names.
const MAX_NAMES: usize = 3;

const BAD_ROUTE_HELP: &str =
    "import router.input alone: aiec then routes its nets, or says why there is no routing";

const BAD_REQUEST_HELP: &str = "correct the ports of the net in router.input, or name the device that the file was written for with --device";

/// A part of a file has no supported form.
pub(super) fn bad_import(span: Span, path: &str, reason: &str) -> Diagnostic {
    Diagnostic::new(
        &catalogue::BAD_IMPORT,
        format!("nets or routes cannot be read at {path}: {reason}"),
        "give router.input, router_soln.json or *_routed.aiesol of aiecompiler's Work/temp, or Work/ps/c_rts/aie_control.cpp, as it was written, \
         and with --device the device it was written for",
    )
    .label(span, "this entry or line cannot be read")
}

/// The file is of a kind that holds no nets.
pub(super) fn no_nets(file: &SourceFile, kind: &str) -> Diagnostic {
    let help = if kind.starts_with("a log") {
        "the nets of the same run are in Work/temp/router.input, router_soln.json and *_routed.aiesol, and in Work/ps/c_rts/aie_control.cpp; `aiec explain --log FILE` explains the log"
    } else {
        "the nets of the same run are in Work/temp/router.input, router_soln.json and *_routed.aiesol, and in Work/ps/c_rts/aie_control.cpp; `aiec place --import FILE` draws this file"
    };
    Diagnostic::new(&catalogue::BAD_IMPORT, format!("`{}` is {kind} and holds no nets", file.name), help)
        .label(file.first_line(), "there are no nets in this file")
}

/// The file sets switches of arrays of another generation, as aie-rt names it.
pub(super) fn other_array(file: &SourceFile, span: Span, generation: &str) -> Diagnostic {
    let name = generation.trim_start_matches("XAIE_DEV_GEN_").replace("AIEML", "AIE-ML");
    Diagnostic::new(
        &catalogue::BAD_IMPORT,
        format!("`{}` sets the switches of an array of {name}, whose ports aiec does not know", file.name),
        "give files of an array of AI Engines of the first generation, such as that of xcvc1902",
    )
    .label(span, "the generation of the array")
}

/// A net's route in the files is not legal, or no legal route exists for its request.
pub(super) fn bad_route(net: &VendorNet, fault: &str, theirs: bool) -> Diagnostic {
    let (message, help) = if theirs {
        (format!("the route of `{}` is not legal: {fault}", net.name), BAD_ROUTE_HELP)
    } else {
        (format!("`{}` has no legal route: {fault}", net.name), BAD_REQUEST_HELP)
    };
    Diagnostic::new(&catalogue::BAD_ROUTE, message, help).label(net.span, "this net of the file")
}

/// The nets up to `second` that start, or end, at the port `end` together demand more than it
/// carries. The wording is that of `aiecompiler`'s message AIE-ROUTER-3, as published by users.
pub(super) fn shared_port(
    first: &VendorNet,
    second: &VendorNet,
    demand: u64,
    end: NetEnd,
    starts: bool,
) -> Diagnostic {
    let of = |net: &VendorNet| net.demand.unwrap_or(0);
    let (one, other, Switch { column, row }) = (&first.name, &second.name, end.switch);
    let port = Port::from(end.port);
    let (way, help) = if starts {
        (
            "start",
            format!(
                "a net with several sinks has one name and one source: write the sinks of `{other}` behind those of `{one}`"
            ),
        )
    } else {
        (
            "end",
            format!(
                "give `{other}` another sink, or remove one of the two: streams are brought together by a packet merge alone"
            ),
        )
    };
    Diagnostic::new(
        &catalogue::SHARED_PORT,
        format!(
            "[AIE-ROUTER-3] Demand of {demand} at node {port} of switch ({column}, {row}) exceeds limit of {WHOLE}: `{one}` and `{other}` {way} there"
        ),
        help,
    )
    .label(second.span, format!("`{other}` demands {} of {WHOLE} here", of(second)))
    .label(first.span, format!("`{one}` demands {}", of(first)))
}

/// The settings of a switch are illegal and belong to several nets.
pub(super) fn bad_settings(nets: &[&VendorNet], fault: &str, theirs: bool) -> Diagnostic {
    let message = format!("the settings are not legal {fault}; set by {}", names(nets));
    let diagnostic = Diagnostic::new(
        &catalogue::BAD_ROUTE,
        message,
        if theirs { BAD_ROUTE_HELP } else { BAD_REQUEST_HELP },
    );
    nets.iter().take(MAX_NAMES).fold(diagnostic, |said, net| said.label(net.span, "sets this switch"))
}

/// The demand of the nets that must cross a line exceeds its wires.
pub(super) fn overfull(nets: &[VendorNet], cut: &Crossing, demand: u32) -> Diagnostic {
    let asking: Vec<&VendorNet> = cut.nets.iter().filter_map(|id| nets.get(id.index())).collect();
    let message = match vendor_wording(cut, demand) {
        Some(vendor) => vendor,
        None => format!(
            "{} must cross {}, which has {}",
            count(demand.into(), "net"),
            cut.boundary,
            count(cut.capacity.into(), "wire")
        ),
    };
    let help = format!(
        "place kernels that exchange data on one side of this line, where they share memory: {} must cross it",
        names(&asking)
    );
    with_first(Diagnostic::new(&catalogue::OVERFULL, message, help), &asking)
}

/// The router found no routing.
pub(super) fn refused(nets: &[VendorNet], refusal: &Refusal) -> Diagnostic {
    let of = |ids: &[crate::request::NetId]| -> Vec<&VendorNet> {
        ids.iter().filter_map(|id| nets.get(id.index())).collect()
    };
    let (asking, message) = match refusal {
        Refusal::Overfull(cut) => return overfull(nets, cut, cut.demand()),
        Refusal::NoSettings(shortage) => (of(&[shortage.net]), format!("a switch lacks {}", shortage.what)),
        Refusal::Unreachable(net) => {
            let asking = of(&[*net]);
            let message = format!("no wires lead from {} to all of its sinks", names(&asking));
            let diagnostic = Diagnostic::new(&catalogue::UNREACHABLE, message, UNREACHABLE_HELP);
            return asking.iter().fold(diagnostic, |said, net| said.label(net.span, "this net has no way"));
        }
        Refusal::GaveUp { rounds, nets, .. } => (of(nets), format!("no legal routing after {rounds} rounds")),
    };
    let help = format!("keep {} away from crowded edges, which --svg shows", names(&asking));
    with_first(Diagnostic::new(&catalogue::ROUTE_GAVE_UP, message, help), &asking)
}

/// Nets that need less than a whole stream found no wires of their own. Whether they can share
/// wires is unknown.
pub(super) fn left_out(nets: &[&VendorNet]) -> Option<Diagnostic> {
    let first = nets.first()?;
    let message = format!(
        "{} nets that demand less than a whole stream have no wires to themselves, such as `{}` with {} of 100",
        nets.len(),
        first.name,
        first.demand.unwrap_or(WHOLE)
    );
    let help = format!("import the routes as well, or keep {} on one side of the full lines", names(nets));
    Some(with_first(Diagnostic::new(&catalogue::ROUTE_GAVE_UP, message, help), nets))
}

fn with_first(diagnostic: Diagnostic, asking: &[&VendorNet]) -> Diagnostic {
    let first = asking.iter().take(MAX_NAMES);
    first.fold(diagnostic, |diagnostic, net| diagnostic.label(net.span, "this net asks for a wire across"))
}

fn names(nets: &[&VendorNet]) -> String {
    aiec_diag::listed(nets.iter().map(|net| format!("`{}`", net.name)), MAX_NAMES)
}

/// The position of `name` in quotes, from `start` on. The whole file if it does not occur.
pub(super) fn quoted_span(file: &SourceFile, start: usize, name: &str) -> Span {
    let quoted = serde_json::Value::from(name).to_string();
    let found = file.text.get(start..).and_then(|rest| rest.find(&quoted));
    found.map_or(file.span(), |at| file.span_at(start + at..start + at + quoted.len()))
}

/// The line and column that the JSON parser reports. Both count from 1.
pub(super) fn line_span(file: &SourceFile, line: usize, column: usize) -> Span {
    let before: usize = file.text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    let mut at = (before + column.saturating_sub(1)).min(file.text.len());
    while !file.text.is_char_boundary(at) {
        at -= 1;
    }
    let length = file.text[at..].chars().next().map_or(0, char::len_utf8);
    file.span_at(at..at + length)
}
