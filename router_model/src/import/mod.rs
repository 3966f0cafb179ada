//! Nets and routes that `aiecompiler` wrote: read, put together, and judged as if aiec had made them.
//!
//! In come files of a `Work/temp` folder and the device; out come nets with the settings they need at each switch ([`import`]), and from
//! these requests, trees and everything wrong with them ([`review`]). Three forms are read, told apart by their text:
//! - `router.input`, lines of a net, its demand and its ends;
//! - `router_soln.json`, for each net the pairs of ports its tree joins;
//! - `*_routed.aiesol`, for each net the arcs it takes through the tiles.
//!
//! Their form is not documented by the vendor; it was read off files in public repositories, all of them of AIE1 devices and circuits. What is not
//! needed is skipped, what is needed and not understood is refused. Every net is taken for a circuit.

mod errors;
mod listed;
mod node;
mod review;
mod solution;

use std::collections::{BTreeMap, BTreeSet};

use aiec_device::Device;
use aiec_diag::{Diagnostic, Outcome, SourceFile, Span};

use crate::port::Port;
use crate::routes::{NetEnd, Switch};

pub use review::{Review, review};

/// What some editors put before the first line.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// What a net that needs a whole stream demands, in units of `aiecompiler`'s router.
pub const WHOLE: u32 = 100;

/// A net of the vendor's files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VendorNet {
    /// Its name, such as `net0`.
    pub name: String,
    /// What it needs of a stream, 100 for all of it; `router.input` says so.
    pub demand: u32,
    /// Source and sinks, if `router.input` was read.
    pub ends: Option<(NetEnd, Vec<NetEnd>)>,
    /// What it asks of the switches, in the order of the file; empty if it has no route.
    pub arcs: Vec<Arc>,
    /// Where it is named.
    pub span: Span,
}

/// A slave port that feeds a master port of the same switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Arc {
    /// The switch.
    pub switch: Switch,
    /// Where the net comes in.
    pub slave: Port,
    /// Where it goes out.
    pub master: Port,
}

/// The nets of all files, entries of the same name put together, in order of their first appearance.
///
/// # Errors
/// `route/bad-import` for each file that has none of the forms and each net with two sources, with the place, the reason and a way out.
pub fn import(files: &[SourceFile], device: &Device) -> Outcome<Vec<VendorNet>> {
    let mut nets: Vec<VendorNet> = Vec::new();
    let mut index: BTreeMap<String, usize> = BTreeMap::new();
    let mut diagnostics = Vec::new();
    for file in files {
        let read = match read(file, device) {
            Ok(read) => read,
            Err(diagnostic) => {
                diagnostics.push(*diagnostic);
                continue;
            }
        };
        for net in read {
            match index.get(&net.name).and_then(|&at| nets.get_mut(at)) {
                Some(known) => diagnostics.extend(join(known, net)),
                None => {
                    index.insert(net.name.clone(), nets.len());
                    nets.push(net);
                }
            }
        }
    }
    let value = diagnostics.is_empty().then_some(nets);
    Outcome::from_parts(value, diagnostics)
}

/// A fault is large, and rare.
type Read<T> = Result<T, Box<Diagnostic>>;

fn read(file: &SourceFile, device: &Device) -> Read<Vec<VendorNet>> {
    if file.text.trim_start_matches(BYTE_ORDER_MARK).trim_start().starts_with('{') {
        solution::read(file, device)
    } else {
        listed::read(file, device)
    }
}

/// Adds what another entry says of a net: its sinks and settings, and its demand if the first did not say. Two sources are a fault.
fn join(net: &mut VendorNet, more: VendorNet) -> Option<Diagnostic> {
    match (&mut net.ends, more.ends) {
        (Some((source, _)), Some((other, _))) if *source != other => {
            let name = &net.name;
            return Some(errors::bad_import(
                more.span,
                name,
                "the net is there twice, with different sources",
            ));
        }
        (Some((_, sinks)), Some((_, others))) => {
            let new: Vec<NetEnd> = others.into_iter().filter(|sink| !sinks.contains(sink)).collect();
            sinks.extend(new);
            net.demand = net.demand.max(more.demand);
        }
        (ends @ None, Some(others)) => {
            *ends = Some(others);
            net.demand = more.demand;
        }
        (_, None) => {}
    }
    add_arcs(&mut net.arcs, more.arcs);
    None
}

/// Adds those arcs that are not there yet.
fn add_arcs(arcs: &mut Vec<Arc>, more: Vec<Arc>) {
    let known: BTreeSet<Arc> = arcs.iter().copied().collect();
    arcs.extend(more.into_iter().filter(|arc| !known.contains(arc)));
}

#[cfg(test)]
mod tests;
