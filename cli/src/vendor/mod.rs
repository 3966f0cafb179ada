//! Commands about files that AMD's tools wrote: placements, routes and logs.
//!
//! Takes paths of files or of folders. Prints and draws what the files say. Faults go to the log of
//! the run.

mod compare;
mod files;
mod logs;
mod place;
mod sides;

use std::collections::BTreeSet;

use aiec_device::Device;
use aiec_draw::{DrawnNet, RoutingPlan};
use aiec_router_model::{Boundary, Review, Side};

use crate::invocation::{Invocation, load_device};
use crate::table::Table;

pub(crate) use compare::compare;
pub(crate) use files::{Purpose, files, names, profiles_in};
pub(crate) use logs::{explain, of_number};
pub(crate) use place::place;

/// The device of imported files unless the user names another: the only one whose file format is
/// known.
const VENDOR_DEVICE: &str = "xcvc1902";

/// The device of imported files.
pub(crate) fn device(named: Option<&str>, invocation: &mut Invocation) -> Option<Device> {
    load_device(named.unwrap_or(VENDOR_DEVICE), invocation)
}

/// The picture's data for the nets of a review.
pub(crate) fn plan(name: &str, review: &Review, device: &Device) -> RoutingPlan {
    let all = review.names.iter().zip(&review.requests).zip(&review.trees);
    let drawn: Vec<DrawnNet> = all
        .map(|((name, request), hops)| DrawnNet {
            name: name.clone(),
            request: request.clone(),
            hops: hops.clone(),
        })
        .collect();
    aiec_draw::routing_plan(name, device, &drawn, review.routed, review.proof.as_ref(), None)
}

/// What is known of the packet streams of a review. Empty without any.
pub(crate) fn packets(review: &Review) -> String {
    let streams = review.requests.iter().filter(|request| request.kind.group().is_some()).count();
    let numbers: BTreeSet<u32> = review.numbers.iter().copied().flatten().collect();
    match (numbers.first(), numbers.last()) {
        _ if streams == 0 => String::new(),
        (Some(first), Some(last)) => {
            format!(
                "{streams} streams with numbers from {first} to {last}, followed through rules and arbiters"
            )
        }
        _ => format!("{streams} streams, each followed alone: no rules and arbiters in the files"),
    }
}

/// How the tables and messages of `aiecompiler` number the lines. Read in five logs, compared with
/// their routes, and in two threads of users.
const NUMBERING: &str = "\
index: the number of this line in the tables of aiecompiler's log. Index n lies between columns (for
NORTH and SOUTH, rows of switches) n-1 and n, both ways. Its messages count otherwise: `Column[k]` and
`Column: k` are the line behind column k in the direction of the nets.
";

/// All lines that nets cross, with the numbers that the vendor gives them.
pub(crate) fn cuts(plan: &RoutingPlan) -> String {
    let mut table = Table::new(&["cut", "demand", "used", "wires", "index"]);
    for cut in plan.cuts.iter().filter(|cut| cut.demand > 0 || cut.used > 0) {
        let index = match cut.boundary {
            Boundary::Column { column: line, towards } | Boundary::Row { row: line, towards } => {
                let ahead = matches!(towards, Side::East | Side::North);
                (u32::from(line) + u32::from(ahead)).to_string()
            }
            _ => String::new(),
        };
        let numbers = [cut.demand, cut.used, cut.capacity].map(|number| number.to_string());
        table.row([cut.name.clone()].into_iter().chain(numbers).chain([index]));
    }
    if table.is_empty() {
        return "\nno net crosses a line between columns or rows\n".to_owned();
    }
    format!("\n{}\n{NUMBERING}", table.text())
}
