//! Nets and routes that `aiecompiler` wrote: read, merged, and checked like aiec's own.
//!
//! Takes files of a `Work/temp` folder and the device. [`import`] returns nets with the settings
//! they need at each switch. From these, [`review`] makes requests, trees and all diagnostics.
//! Four forms are read and told apart by their text:
//! - `router.input`, lines of a net, its demand and its ends;
//! - `router_soln.json`, for each net the pairs of ports its tree joins;
//! - `*_routed.aiesol`, for each net the arcs it takes through the tiles;
//! - `aie_control.cpp`, a comment for each setting of a switch, and the calls for packets.
//!
//! The vendor does not document these forms. They were derived from files in public repositories,
//! all of AIE1 devices. Unneeded parts are skipped; a needed part that is not understood is
//! refused. Nets that share an end are packet streams, all others circuits. Files that hold no nets
//! are told apart by their text, too, and refused with the name of a file that has nets.

mod control;
mod errors;
mod groups;
mod listed;
mod node;
mod packets;
mod review;
mod solution;

use std::collections::{BTreeMap, BTreeSet};

use aiec_device::Device;
use aiec_diag::{Diagnostic, Outcome, SourceFile, Span};

use crate::net::NetEnd;
use crate::port::Port;
use crate::switch::Switch;

pub use packets::Packets;
pub use review::{Review, review};

/// Some editors put it before the first line.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// The demand of a whole stream, in units of `aiecompiler`'s router.
pub const WHOLE: u32 = 100;

/// A net of the vendor's files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VendorNet {
    /// Its name, such as `net0`.
    pub name: String,
    /// Its share of a stream, 100 for all of it, from `router.input`. None when there is no such
    /// file.
    pub demand: Option<u32>,
    /// Source and sinks, from `router.input`. None when there is no such file.
    pub ends: Option<VendorEnds>,
    /// Its settings at the switches, in the order of the file. Empty without a route.
    pub arcs: Vec<Arc>,
    /// What `aie_control.cpp` sets for its packets. Empty for a circuit.
    pub packets: Packets,
    /// The position of its name.
    pub span: Span,
}

/// The ports where a net of the vendor's files enters and leaves the network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VendorEnds {
    /// Where the net starts.
    pub source: NetEnd,
    /// Where it ends, in the order of the file.
    pub sinks: Vec<NetEnd>,
}

/// A slave port that feeds a master port of the same switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Arc {
    /// Where both ports are.
    pub switch: Switch,
    /// The port where the net enters.
    pub slave: Port,
    /// The port where it leaves.
    pub master: Port,
}

/// The nets of all files. Entries of the same name are merged, in the order of their first
/// appearance.
///
/// # Errors
/// Returns `route/bad-import` for each file without a supported form and each net with two sources,
/// with the position, the reason and a help.
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

/// The diagnostic is boxed because it is large and rare.
type Read<T> = Result<T, Box<Diagnostic>>;

fn read(file: &SourceFile, device: &Device) -> Read<Vec<VendorNet>> {
    if let Some(kind) = without_nets(file) {
        return Err(errors::no_nets(file, kind).into());
    }
    if control::has_settings(&file.text) {
        control::read(file, device)
    } else if file.text.trim_start_matches(BYTE_ORDER_MARK).trim_start().starts_with('{') {
        solution::read(file, device)
    } else {
        listed::read(file, device)
    }
}

/// What `file` is, if it is of a kind that never holds nets.
fn without_nets(file: &SourceFile) -> Option<&'static str> {
    let kinds = [
        ("\"NodeConstraints\"", "placement constraints"),
        ("\"PortConstraints\"", "placement constraints"),
        ("\"GlobalConstraints\"", "placement constraints"),
        ("BUFFER,FROM_INSTANCE", "a report of the mapper"),
        ("[aiecompiler ", "a log of the compiler"),
    ];
    kinds.into_iter().find(|(mark, _)| file.text.contains(mark)).map(|(_, kind)| kind)
}

/// Adds the data of another entry to a net: its sinks and settings, and its demand if the first
/// entry had none. Returns a diagnostic for two sources.
fn join(net: &mut VendorNet, more: VendorNet) -> Option<Diagnostic> {
    match (&mut net.ends, more.ends) {
        (Some(ends), Some(others)) if ends.source != others.source => {
            let name = &net.name;
            return Some(errors::bad_import(
                more.span,
                name,
                "the net is there twice, with different sources",
            ));
        }
        (Some(VendorEnds { sinks, .. }), Some(others)) => {
            let new: Vec<NetEnd> = others.sinks.into_iter().filter(|sink| !sinks.contains(sink)).collect();
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
    net.packets.extend(more.packets);
    None
}

/// Adds the arcs that are not there yet.
fn add_arcs(arcs: &mut Vec<Arc>, more: Vec<Arc>) {
    let known: BTreeSet<Arc> = arcs.iter().copied().collect();
    arcs.extend(more.into_iter().filter(|arc| !known.contains(arc)));
}

#[cfg(test)]
mod tests;
