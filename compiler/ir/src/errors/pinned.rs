//! Kernels at fixed tiles in each other's way.

use aiec_diag::{Diagnostic, catalogue};

use super::{count, labelled, size};
use crate::check::{Crowd, Resource};
use crate::expanded::Expanded;
use crate::types::Direction;

/// Most kernels that a message names.
const MOST_NAMES: usize = 4;

/// The modules that these kernels reach from their fixed tiles have less than they need together.
pub(crate) fn crowd(design: &Expanded, crowd: &Crowd) -> Diagnostic {
    let demand: u64 = crowd.kernels.iter().map(|(_, need)| need).sum();
    let message = format!(
        "{} at {} {} {} in any placement, but the {} in reach from there have {}, {} each",
        list(design, crowd),
        if crowd.kernels.len() == 1 { "its fixed tile" } else { "their fixed tiles" },
        if crowd.kernels.len() == 1 { "needs" } else { "need" },
        amount(crowd.resource, demand),
        count(crowd.modules, "memory module"),
        amount(crowd.resource, crowd.modules * crowd.each),
        if crowd.resource == Resource::Bytes { size(crowd.each) } else { crowd.each.to_string() },
    );
    let largest = crowd.kernels.iter().max_by_key(|(kernel, need)| (*need, std::cmp::Reverse(*kernel)));
    let largest = largest.map_or("", |&(kernel, _)| design.kernels[kernel].name.as_str());
    let help = format!(
        "put `{largest}`, which needs the most, on a tile farther from the others and from the edges, or leave out its `place`"
    );
    let labels = crowd.kernels.iter().filter_map(|&(kernel, need)| {
        let place = design.places.iter().find(|place| place.kernel == kernel)?;
        let name = &design.kernels[kernel].name;
        Some((place.span, format!("`{name}` needs {} around here", amount(crowd.resource, need))))
    });
    labelled(Diagnostic::new(&catalogue::PLACE_CROWDED, message, help), labels)
}

/// `a`, `b` and `c`, or the first few and how many more.
fn list(design: &Expanded, crowd: &Crowd) -> String {
    let mut names: Vec<String> = crowd
        .kernels
        .iter()
        .take(MOST_NAMES)
        .map(|(kernel, _)| format!("`{}`", design.kernels[*kernel].name))
        .collect();
    let last = match crowd.kernels.len() - names.len() {
        0 => names.pop().unwrap_or_default(),
        more => format!("{more} more"),
    };
    if names.is_empty() { last } else { format!("{} and {last}", names.join(", ")) }
}

fn amount(resource: Resource, n: u64) -> String {
    match resource {
        Resource::Bytes => format!("{} of memory", size(n)),
        Resource::Locks => count(n, "lock"),
        Resource::Descriptors => count(n, "buffer descriptor"),
        Resource::Channels(Direction::In) => count(n, "S2MM channel"),
        Resource::Channels(Direction::Out) => count(n, "MM2S channel"),
    }
}
