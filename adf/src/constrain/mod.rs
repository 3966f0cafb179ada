//! Constraints of files (`.aiecst`) as statements of a graph.
//!
//! Takes a description and the constraints of `aiecompiler --constraints`. Adds each of them to the
//! description, with its place in the file. Later stages treat them as the graph's own. A place in
//! the graph for the same object is dropped: no document says which of two different places the
//! vendor's tools take.

mod fifos;
mod named;

use std::collections::{BTreeMap, BTreeSet};

use aiec_device::{Device, Tile};
use aiec_diag::{Diagnostic, Outcome, SourceId, Span, Spanned};
use aiec_vendor::aiecst::{
    Address, Area, Constraints, Fifo, Node, Port, Relation, RelationKind, Relative, Shims, Stamp, Tiles,
};

use crate::assumed::LeftOut;
use crate::description::{
    AreaRules, Description, Keepout, Location, NotEqual, Place, PortType, Rectangle, Site, Subject,
};
use crate::errors;
use crate::wires::{self, Wire};
use named::{Meaning, Named};

/// Adds the constraints of files to `description`. Returns the entries that no description holds.
/// Warns of names that the graph does not have (`input/unknown-node`), once a file. AMD's tools
/// take one file for several variants of a graph.
pub fn constrain(
    description: &mut Description,
    files: &[Constraints],
    device: &Device,
) -> Outcome<Vec<LeftOut>> {
    let named = Named::of(description);
    let wires = wires::wires(description);
    let (added, switches) = (Added::default(), BTreeSet::new());
    let mut adding = Adding { description, named: &named, wires: &wires, device, added, switches };
    files.iter().for_each(|file| adding.file(file));
    files.iter().for_each(|file| adding.of_switches(file));
    let Added { locations, apart, keepouts, rules, mut left_out, unknown } = adding.added;
    let warnings = warnings(&named, &unknown);
    if locations.iter().any(|one| matches!(one.subject, Subject::Fifo(_))) {
        fifos::gather(description);
    }
    left_out.extend(replace(description, &named, &locations, device.memory.bank_bytes()));
    description.locations.extend(locations);
    description.not_equal.extend(apart);
    description.keepouts.extend(keepouts);
    description.rules.extend(rules);
    Outcome::new(left_out, warnings)
}

/// A warning for each file with unknown names. A name has its first place in the file.
fn warnings(named: &Named, unknown: &[Spanned<String>]) -> Vec<Diagnostic> {
    let mut files: BTreeMap<SourceId, BTreeMap<&str, &Spanned<String>>> = BTreeMap::new();
    for name in unknown {
        files.entry(name.span.source).or_default().entry(&name.value).or_insert(name);
    }
    let warning = |names: BTreeMap<&str, &Spanned<String>>| {
        let mut names: Vec<&Spanned<String>> = names.into_values().collect();
        names.sort_by_key(|name| name.span);
        let nearest = |name: &Spanned<String>| named.nearest(&name.value);
        let names: Vec<_> = names.into_iter().map(|name| (name, nearest(name))).collect();
        errors::unknown_nodes(&names)
    };
    files.into_values().map(warning).collect()
}

/// Removes the places that the graph states for objects of `added`. Returns those that differ.
fn replace(
    description: &mut Description,
    named: &Named,
    added: &[Location],
    bank_bytes: u32,
) -> Vec<LeftOut> {
    let is_point = |location: &Location| {
        let is_relative = |place: &Place| matches!(place, Place::Relative { .. } | Place::Area { .. });
        !location.places.iter().any(is_relative)
    };
    let points: BTreeSet<Subject> = added.iter().filter(|one| is_point(one)).map(|one| one.subject).collect();
    let (replaced, kept) = std::mem::take(&mut description.locations)
        .into_iter()
        .partition(|location: &Location| is_point(location) && points.contains(&location.subject));
    description.locations = kept;
    let replaced: Vec<Location> = replaced;
    let differs = |location: &&Location| {
        let is_it = |new: &&Location| new.subject == location.subject;
        let stated = fixed(description, location);
        !added.iter().filter(is_it).any(|new| agrees(&stated, &new.places, bank_bytes))
    };
    let left_out = |location: &Location| {
        let of = named.name(location.subject).map_or_else(String::new, |name| format!(" of `{name}`"));
        let what = format!("the location{of} in the graph, which a constraints file states otherwise");
        location.site.as_ref().map(|site| LeftOut { what, span: site.span })
    };
    replaced.iter().filter(differs).filter_map(left_out).collect()
}

/// The places that a location fixes: without channels of GMIO, which the tools choose.
fn fixed(description: &Description, location: &Location) -> Vec<Place> {
    let is_plio = matches!(location.subject, Subject::External(at) if description.is_plio(at));
    let of = |place: &Place| match *place {
        Place::Shim { column, .. } if !is_plio => Place::Shim { column, channel: None },
        _ => place.clone(),
    };
    location.places.iter().map(of).collect()
}

/// True if each place of a file is one that the graph states, or lies in it.
fn agrees(stated: &[Place], new: &[Place], bank_bytes: u32) -> bool {
    let lies_in = |(stated, new): (&Place, &Place)| match (stated, new) {
        (
            Place::Tile { column, row },
            Place::Bank { column: c, row: r, .. } | Place::Address { column: c, row: r, .. },
        ) => (column, row) == (c, r),
        (Place::Bank { column, row, bank }, Place::Address { column: c, row: r, offset }) => {
            (column, row, *bank) == (c, r, offset / bank_bytes.max(1))
        }
        (Place::Offset(at), Place::Address { offset, .. }) => at == offset,
        (Place::Shim { column, channel: None }, Place::Shim { column: c, .. }) => column == c,
        (Place::DmaFifo(None), Place::DmaFifo(_)) | (Place::SwitchFifo(None), Place::SwitchFifo(_)) => true,
        (stated, new) => stated == new,
    };
    stated.len() == new.len() && stated.iter().zip(new).all(lies_in)
}

/// What files add.
#[derive(Default)]
struct Added {
    locations: Vec<Location>,
    apart: Vec<NotEqual>,
    keepouts: Vec<Keepout>,
    rules: Vec<AreaRules>,
    left_out: Vec<LeftOut>,
    unknown: Vec<Spanned<String>>,
}

struct Adding<'a> {
    description: &'a Description,
    named: &'a Named,
    wires: &'a [Wire],
    device: &'a Device,
    added: Added,
    /// The members of graphs that were taken for splits and merges.
    switches: BTreeSet<String>,
}

fn site(span: Span) -> Option<Site> {
    Some(Site { span, calls: Vec::new() })
}

impl Adding<'_> {
    fn file(&mut self, file: &Constraints) {
        file.nodes.iter().for_each(|node| self.node(node));
        file.ports.iter().for_each(|port| self.port(port, &file.fifos));
        file.areas.iter().for_each(|area| self.area(area));
        file.stamps.iter().for_each(|stamp| self.stamp(stamp));
        for place in &file.repeated {
            self.leave_out(format!("a {}, which the file states again below", place.value), place.span);
        }
        for entry in &file.unknown {
            self.leave_out(format!("the entry {entry}, which aiec does not know"), entry.path.span);
        }
    }

    fn leave_out(&mut self, what: String, span: Span) {
        self.added.left_out.push(LeftOut { what, span });
    }

    /// The parts of the graph in an area: what a name with `*` matches, or the part of a plain
    /// name. Ports do not lie in areas. A pattern that matches nothing is noted, since a file may
    /// serve graphs of several sizes.
    fn parts(&mut self, name: &Spanned<String>) -> Vec<Subject> {
        let Some(mut found) = self.named.matching(&name.value) else {
            // A split or merge is made of settings of switches, and lies nowhere by itself.
            let is_part = !self.is_switch(&name.value);
            return is_part.then(|| self.part(name)).flatten().into_iter().collect();
        };
        found.retain(|part| matches!(part, Subject::Kernel(_) | Subject::Graph(_) | Subject::External(_)));
        if found.is_empty() {
            self.leave_out(format!("the pattern `{}`, which matches no node", name.value), name.span);
        }
        found
    }

    /// The part of the graph that `name` stands for. Notes what the graph has otherwise.
    fn part(&mut self, name: &Spanned<String>) -> Option<Subject> {
        match self.named.meaning(&name.value) {
            Some(Meaning::Part(subject)) => return Some(subject),
            Some(Meaning::OfMapper) => {
                self.leave_out(format!("the place of `{}`, a node of the mapper", name.value), name.span);
            }
            Some(Meaning::Switch) if self.is_switch(&name.value) => {
                self.leave_out(
                    format!("the place of `{}`, a split or merge of packets", name.value),
                    name.span,
                );
            }
            Some(Meaning::Switch) => self.added.unknown.push(name.clone()),
            Some(Meaning::Parameter) => {
                self.leave_out(format!("the place of the parameter `{}`", name.value), name.span);
            }
            None => self.added.unknown.push(name.clone()),
        }
        None
    }

    /// True for the name of a split or merge, or of a port of one. Descriptions do not name them,
    /// so as many unknown members of graphs count as such as there are.
    fn is_switch(&mut self, name: &str) -> bool {
        if self.named.meaning(name) != Some(Meaning::Switch) {
            return false;
        }
        let ways = ["in", "out", "inout"].map(|way| format!("{way}["));
        let node = name.rsplit_once('.').filter(|(_, port)| ways.iter().any(|way| port.starts_with(way)));
        let node = node.map_or(name, |(node, _)| node);
        if self.switches.len() < self.named.switches() {
            self.switches.insert(node.to_owned());
        }
        self.switches.contains(node)
    }

    /// Notes the ports of splits and merges whose buffers are not those of a port that one is
    /// connected to. The mapper writes each such place at both ports.
    fn of_switches(&mut self, file: &Constraints) {
        let bank_bytes = self.device.memory.bank_bytes();
        for port in &file.ports {
            if !self.is_switch(&port.name.value) {
                continue;
            }
            let places: Option<Vec<Place>> =
                port.buffers.iter().map(|address| spot(&address.value, bank_bytes)).collect();
            let ends = self.named.ports_of_switches(&port.name.value).into_iter();
            let mut others =
                ends.flat_map(|end| self.wires.iter().filter_map(move |wire| wire.other_end(end)));
            let is_stated = others.any(|other| {
                let mut stated = self.added.locations.iter();
                stated.any(|one| one.subject == Subject::Port(other) && Some(&one.places) == places.as_ref())
            });
            if !is_stated {
                self.part(&port.name);
            }
        }
    }

    fn locate(&mut self, subject: Subject, places: Vec<Place>, span: Span) {
        self.added.locations.push(Location { subject, places, site: site(span) });
    }

    // --- nodes and ports ---

    fn node(&mut self, node: &Node) {
        let Some(subject) = self.part(&node.name) else { return };
        if let Some(tile) = &node.tile {
            self.locate(subject, vec![place_of(tile.value)], tile.span);
        }
        if let Some(shim) = &node.shim {
            let column = i64::from(shim.value.column);
            self.locate(subject, vec![Place::Shim { column, channel: shim.value.channel }], shim.span);
        }
        if let (Some(address), Subject::Kernel(kernel)) = (&node.reserved_memory, subject) {
            self.block(Subject::Stack(kernel), std::slice::from_ref(address));
        }
        node.relations.iter().for_each(|relation| self.relation(subject, relation));
        node.relative.iter().for_each(|relative| self.relative(subject, relative));
    }

    /// A node at a distance from `source`. An input or output follows a kernel, whichever of the
    /// two the file names first.
    fn relative(&mut self, source: Subject, relative: &Relative) {
        let Some(other) = self.part(&relative.name) else { return };
        let (span, columns, rows) = (relative.name.span, relative.columns, relative.rows);
        let (subject, place) = match (source, other) {
            (Subject::External(_), Subject::Kernel(_)) => {
                let columns = columns.map(|columns| -columns);
                (source, Place::Relative { to: other, columns, rows: None })
            }
            _ => (other, Place::Relative { to: source, columns, rows }),
        };
        self.locate(subject, vec![place], span);
    }

    fn port(&mut self, port: &Port, fifos: &[Fifo]) {
        if self.is_switch(&port.name.value) {
            return;
        }
        let Some(subject) = self.part(&port.name) else { return };
        if !port.buffers.is_empty() {
            self.buffers(subject, &port.name, &port.buffers);
        }
        port.relations.iter().for_each(|relation| self.relation(subject, relation));
        let mut own: Vec<&Fifo> = Vec::new();
        for name in &port.fifo_locations {
            match fifos.iter().find(|fifo| fifo.name.value == name.value) {
                Some(fifo) => own.push(fifo),
                None => self.leave_out(format!("the FIFO `{}`, which has no record", name.value), name.span),
            }
        }
        if let (Some(first), Subject::Port(port)) = (own.first(), subject) {
            self.fifo(port, &own, first.span);
        }
    }

    /// The buffers of a port. The tools write those behind an input once more, at the port of the
    /// input, and three blocks for a parameter of the host: ping, pong and the selector word
    /// (Xilinx/Vitis-Tutorials, 21-Back-Projection-SAR, `sar_top_1engine_app_aie_routed.aiecst`).
    /// No document tells their order. In that file the third one alone lies in another module, and
    /// ping and pong of all 33 windows lie in one.
    fn buffers(&mut self, subject: Subject, name: &Spanned<String>, addresses: &[Spanned<Address>]) {
        let Subject::Port(port) = subject else { return self.block(subject, addresses) };
        if self.description.externals.iter().any(|external| external.port == port) {
            let mut others = self.wires.iter().filter_map(|wire| wire.other_end(port));
            return match (others.next(), others.next()) {
                (Some(only), None) => self.block(Subject::Port(only), addresses),
                _ => self.leave_out(format!("the place of the buffers of `{}`", name.value), name.span),
            };
        }
        let is_parameter =
            matches!(self.description.ports[port.0 as usize].carries, PortType::Parameter { .. });
        match addresses {
            [_, _, selector] if is_parameter => {
                let what = format!("the place of the selector word of `{}`", name.value);
                self.leave_out(what, selector.span);
                self.block(subject, &addresses[..2]);
            }
            _ => self.block(subject, addresses),
        }
    }

    /// A block in memory: a stack, or the buffers of a port.
    fn block(&mut self, subject: Subject, addresses: &[Spanned<Address>]) {
        let Some(span) = addresses.first().map(|address| address.span) else { return };
        let bank_bytes = self.device.memory.bank_bytes();
        let places = addresses.iter().map(|address| spot(&address.value, bank_bytes));
        match places.collect::<Option<Vec<Place>>>() {
            Some(places) => self.locate(subject, places, span),
            None => self.leave_out("a bank without its module".to_owned(), span),
        }
    }

    /// A constraint relative to others. `subject` has it.
    fn relation(&mut self, subject: Subject, relation: &Relation) {
        use RelationKind as Kind;
        if relation.kind == Kind::ExclusiveColocatedPorts {
            let name = self.named.name(subject).unwrap_or_default();
            self.leave_out(format!("that no other buffers lie in the banks of `{name}`"), relation.span);
        }
        let of_stacks =
            matches!(relation.kind, Kind::ColocatedReservedMemories | Kind::NotColocatedReservedMemories);
        for other in &relation.others {
            // A kernel, or the buffers of a port, with the stacks of others (UG1079).
            let other = match self.part(other) {
                Some(Subject::Kernel(kernel)) if of_stacks => Subject::Stack(kernel),
                Some(other) => other,
                None => continue,
            };
            let (one, span) = (subject, relation.span);
            match relation.kind {
                Kind::ColocatedNodes
                | Kind::ColocatedPorts
                | Kind::ExclusiveColocatedPorts
                | Kind::ColocatedReservedMemories => {
                    let place = Place::Relative { to: other, columns: Some(0), rows: Some(0) };
                    self.locate(one, vec![place], span);
                }
                Kind::NotColocatedNodes | Kind::NotColocatedPorts | Kind::NotColocatedReservedMemories => {
                    self.added.apart.push(NotEqual { a: one, b: other, site: site(span) });
                }
            }
        }
    }

    // --- areas and stamps ---

    fn area(&mut self, area: &Area) {
        let unknown = self.added.unknown.len();
        let parts: Vec<Subject> = area.nodes.iter().flat_map(|node| self.parts(node)).collect();
        if parts.is_empty() && self.added.unknown.len() > unknown {
            return;
        }
        let tiles: Vec<Rectangle> = area.tiles.iter().map(rectangle).collect();
        let is_closed = parts.is_empty() && (area.exclude || area.exclude_placement);
        if is_closed {
            let keepouts = tiles.iter().map(|&area_| Keepout { area: area_, site: site(area.span) });
            self.added.keepouts.extend(keepouts);
        }
        // The tools write a group of all nodes on the whole array.
        if tiles.iter().any(|tiles| self.is_whole(tiles)) && !is_closed {
            return;
        }
        let cores = tiles.iter().map(|&area| Place::Area { area, is_cores: true });
        let row = area.shims.iter().map(|tiles| Place::Area { area: columns(tiles), is_cores: false });
        let (cores, row): (Vec<Place>, Vec<Place>) = (cores.collect(), row.collect());
        for &part in &parts {
            let places = match part {
                Subject::Kernel(_) => cores.clone(),
                Subject::Graph(_) => [cores.clone(), row.clone()].concat(),
                Subject::External(_) => row.clone(),
                _ => Vec::new(),
            };
            if !places.is_empty() {
                self.locate(part, places, area.span);
            }
        }
        self.other_rules(area);
        if area.exclude_placement && !parts.is_empty() {
            let (of, site) = (parts, site(area.span));
            let (contains_nets, excludes_nets) = (false, false);
            let rules = AreaRules { of, tiles, contains_nets, excludes_nets, excludes_nodes: true, site };
            self.added.rules.push(rules);
        }
    }

    /// Notes the rules of an area that a description does not hold, by the name of the group.
    fn other_rules(&mut self, area: &Area) {
        let name = area.name.as_ref().map_or("", |name| &name.value);
        let rules = [
            (area.contain_routing, "that nets stay inside"),
            (area.exclude_routing, "that other nets stay outside"),
        ];
        for (_, rule) in rules.into_iter().filter(|(is_set, _)| *is_set) {
            self.leave_out(format!("{rule} the area group `{name}`"), area.span);
        }
    }

    /// True for a rectangle that all cores lie in.
    fn is_whole(&self, area: &Rectangle) -> bool {
        area.column <= 0
            && area.row <= 0
            && area.last_column + 1 >= i64::from(self.device.columns)
            && area.last_row + 1 >= i64::from(self.device.rows)
    }

    fn stamp(&mut self, stamp: &Stamp) {
        let reference = stamp.reference.as_ref().and_then(|name| self.part(name));
        for name in &stamp.stamped {
            let Some(graph) = self.part(name) else { continue };
            match reference {
                Some(to @ Subject::Graph(_)) if matches!(graph, Subject::Graph(_)) => {
                    self.locate(graph, vec![Place::Relative { to, columns: None, rows: None }], stamp.span);
                }
                _ => self.leave_out(format!("what `{}` is placed like", name.value), stamp.span),
            }
        }
    }
}

fn rectangle(tiles: &Spanned<Tiles>) -> Rectangle {
    let Tiles { from, to } = tiles.value;
    Rectangle {
        column: from.column.into(),
        row: from.row.into(),
        last_column: to.column.into(),
        last_row: to.row.into(),
    }
}

fn columns(shims: &Spanned<Shims>) -> Rectangle {
    let Shims { from, to } = shims.value;
    Rectangle { column: from.column.into(), row: 0, last_column: to.column.into(), last_row: 0 }
}

fn place_of(tile: Tile) -> Place {
    Place::Tile { column: tile.column.into(), row: tile.row.into() }
}

/// A place in memory. Returns None when a bank is of no stated module.
fn spot(address: &Address, bank_bytes: u32) -> Option<Place> {
    let of = |tile: Tile| (i64::from(tile.column), i64::from(tile.row));
    let offset = address.in_module(bank_bytes);
    Some(match (address.module.map(of), address.bank, offset) {
        (Some((column, row)), _, Some(offset)) => Place::Address { column, row, offset },
        (Some((column, row)), Some(bank), None) => Place::Bank { column, row, bank },
        (Some((column, row)), None, None) => Place::Tile { column, row },
        (None, _, Some(offset)) => Place::Offset(offset),
        (None, _, None) => return None,
    })
}
