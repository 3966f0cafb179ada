//! `aie_control.cpp`: C++ that sets the switches, with a comment before each setting, such as
//! `// S_EAST_ch0_C24_R0 M_WEST_ch0_C24_R0 net699`, or for packets
//! `// S_EAST_ch2_C0_R2->M_NORTH_ch5_C0_R2 nets: net264 net266`.
//!
//! The comment names the slave port, the master port and the nets. The form of circuits is the same
//! from 2020.2 to 2023.2, that of packets is of 2023.2. Where packets share a wire that is set as a
//! circuit, the comment names one of their nets; the others are followed through it. Behind the
//! comments about packets stand the calls with rules and arbiters. Comments of another form are
//! skipped, as are those of settings that belong to no net.

use std::collections::{BTreeMap, BTreeSet};

use aiec_device::Device;
use aiec_diag::{SourceFile, Span};

use super::node::{beyond, node};
use super::{Arc, Packets, Read, VendorNet, errors};
use crate::port::{Port, SwitchPort};
use crate::switch::Switch;

/// True if the text has the comment of a setting.
pub(super) fn has_settings(text: &str) -> bool {
    text.lines().any(|line| setting(line).is_some())
}

/// What a comment names.
struct Setting<'a> {
    slave: &'a str,
    master: &'a str,
    nets: Vec<&'a str>,
    is_packet: bool,
}

fn setting(line: &str) -> Option<Setting<'_>> {
    let mut words = line.trim().strip_prefix("//")?.split_whitespace();
    let first = words.next()?;
    let pair = first.split_once("->");
    let is_packet = pair.is_some();
    let (slave, master) = match pair {
        Some(pair) => pair,
        None => (first, words.next()?),
    };
    if is_packet && words.next()? != "nets:" {
        return None;
    }
    let nets: Vec<&str> = words.collect();
    let is_port = |word: &str, start: &str| word.starts_with(start) && word.contains("_ch");
    let is_named = if is_packet { !nets.is_empty() } else { nets.len() == 1 };
    (is_named && is_port(slave, "S_") && is_port(master, "M_")).then_some(Setting {
        slave,
        master,
        nets,
        is_packet,
    })
}

/// The generation of the arrays whose switches are read, in the words of aie-rt.
const GENERATION: &str = "XAIE_DEV_GEN_AIE";

/// Fails if the file says that it is for an array of another generation.
fn is_of_generation(file: &SourceFile) -> Read<()> {
    for line in file.text.lines() {
        if let ["#define", "HW_GEN", generation] = line.split_whitespace().collect::<Vec<_>>()[..]
            && generation != GENERATION
        {
            let start = file.text.find(line).unwrap_or(0);
            let span = file.span_at(start..start + line.len());
            return Err(errors::other_array(file, span, generation).into());
        }
    }
    Ok(())
}

/// The nets and the master port of a comment about arbiters:
/// `//configure master M_NORTH_ch5_C0_R2 nets: net264 net266`.
fn configured(line: &str) -> Option<(&str, Vec<&str>)> {
    let mut words = line.trim().strip_prefix("//configure master ")?.split_whitespace();
    let master = words.next()?;
    (words.next()? == "nets:").then(|| (master, words.collect()))
}

/// The settings of packets that a file has, each with its nets.
#[derive(Default)]
struct Calls<'a> {
    /// The ports and nets of the last comment about packets.
    about: Option<(Switch, Option<Port>, Port, Vec<&'a str>)>,
    found: Vec<(Vec<&'a str>, Packets)>,
}

impl<'a> Calls<'a> {
    /// Reads a line that is no comment about a switch: a call, if it is one.
    fn read(&mut self, line: &'a str, device: &Device) {
        if let Some((master, names)) = configured(line) {
            let master = node(master, device).ok();
            self.about = master.map(|master| (master.switch, None, master.port, names));
        } else if let Some((switch, slave, master, names)) = &self.about {
            let mut packets = Packets::default();
            if packets.add(line, *switch, *slave, *master).is_some() {
                self.found.push((names.clone(), packets));
            }
        }
    }

    /// Gives each net its settings.
    fn give(self, nets: &mut [VendorNet], index: &BTreeMap<&str, usize>) {
        for (names, packets) in self.found {
            for at in names.iter().filter_map(|name| index.get(name)) {
                nets[*at].packets.extend(packets.clone());
            }
        }
    }
}

/// The nets of the file, in the order of their first settings.
pub(super) fn read(file: &SourceFile, device: &Device) -> Read<Vec<VendorNet>> {
    is_of_generation(file)?;
    let mut nets: Vec<VendorNet> = Vec::new();
    let mut index: BTreeMap<&str, usize> = BTreeMap::new();
    let (mut circuits, mut packets, mut calls) = (Circuits::default(), BTreeSet::new(), Calls::default());
    let mut start = 0;
    for line in file.text.split_inclusive('\n') {
        let span = file.span_at(start..start + line.trim_end().len());
        start += line.len();
        let Some(Setting { slave, master, nets: names, is_packet }) = setting(line) else {
            calls.read(line, device);
            continue;
        };
        let arc = arc(slave, master, device).map_err(|reason| {
            errors::bad_import(span, &format!("a setting of {}", names.join(" ")), &reason)
        })?;
        if !is_packet {
            circuits.add(arc);
        }
        calls.about = is_packet.then(|| (arc.switch, Some(arc.slave), arc.master, names.clone()));
        for name in names {
            let at = *index.entry(name).or_insert(nets.len());
            packets.extend(is_packet.then_some(at));
            match nets.get_mut(at) {
                Some(net) => net.arcs.push(arc),
                None => nets.push(net(name, arc, span)),
            }
        }
    }
    for (at, net) in nets.iter_mut().enumerate() {
        if packets.contains(&at) {
            circuits.complete(&mut net.arcs);
        }
    }
    calls.give(&mut nets, &index);
    Ok(nets)
}

/// The settings of circuits by their ports.
#[derive(Default)]
struct Circuits {
    by_slave: BTreeMap<SwitchPort, Vec<Arc>>,
    /// By the slave port that the master leads to.
    by_next: BTreeMap<SwitchPort, Arc>,
}

impl Circuits {
    fn add(&mut self, arc: Arc) {
        self.by_slave.entry(at(arc, arc.slave)).or_default().push(arc);
        self.by_next.extend(beyond(at(arc, arc.master)).map(|next| (next, arc)));
    }

    /// Adds the circuits that a packet stream passes before and behind its own settings.
    fn complete(&self, arcs: &mut Vec<Arc>) {
        let mut known: BTreeSet<Arc> = arcs.iter().copied().collect();
        *arcs = known.iter().copied().collect();
        let mut done = 0;
        while let Some(&arc) = arcs.get(done) {
            done += 1;
            let ahead = beyond(at(arc, arc.master)).and_then(|next| self.by_slave.get(&next));
            let before = self.by_next.get(&at(arc, arc.slave));
            arcs.extend(ahead.into_iter().flatten().chain(before).filter(|arc| known.insert(**arc)));
        }
    }
}

const fn at(arc: Arc, port: Port) -> SwitchPort {
    SwitchPort { switch: arc.switch, port }
}

fn arc(slave: &str, master: &str, device: &Device) -> Result<Arc, String> {
    let (from, to) = (node(slave, device)?, node(master, device)?);
    if from.switch != to.switch {
        return Err(format!("`{slave}` and `{master}` are ports of different switches"));
    }
    Ok(Arc { switch: from.switch, slave: from.port, master: to.port })
}

fn net(name: &str, arc: Arc, span: Span) -> VendorNet {
    let packets = Packets::default();
    VendorNet { name: name.to_owned(), demand: None, ends: None, arcs: vec![arc], packets, span }
}
