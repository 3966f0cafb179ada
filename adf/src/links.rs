//! Links: wires between kernels, inputs and outputs; splits and merges of packets.

use std::collections::BTreeMap;

use aiec_diag::{Diagnostic, Span, Spanned};
use aiec_ir::design::{Family, Link, Node, Selection};
use aiec_ir::expanded::SwitchKind;
use aiec_ir::fifos::{FifoKind, FifoMemory, FifoPlace};
use aiec_ir::{Buffering, Carries, FamilyId, IdVec};

use crate::assumed::Notes;
use crate::description::{
    self, ConnectionIndex, Description, Location, Owner, Place, PortIndex, Subject, SwitchIndex,
};
use crate::ends::host_ends;
use crate::errors;
use crate::gates::Ways;
use crate::wires::Wire;

/// Families and ends by the ports of the description.
pub(crate) struct Ports<'a> {
    pub description: &'a Description,
    /// Node, index of the instance, and number of the port in its family.
    pub of: BTreeMap<PortIndex, (Node, u32, u32)>,
    pub families: &'a IdVec<FamilyId, Family>,
    /// The ports of sub-graphs that wires pass.
    pub ways: &'a Ways,
    /// The graph's file, for faults without a statement.
    pub file: Span,
}

impl Ports<'_> {
    fn owner(&self, port: PortIndex) -> Owner {
        self.description.ports[port.0 as usize].owner
    }

    fn switch(&self, port: PortIndex) -> Option<SwitchIndex> {
        match self.owner(port) {
            Owner::Switch(switch) => Some(switch),
            _ => None,
        }
    }

    fn is_single(&self, port: PortIndex) -> bool {
        self.description.ports[port.0 as usize].is_single
    }

    /// One end of a link. Returns None when no family and no input or output has the port.
    fn selection(&self, port: PortIndex, span: Span) -> Option<Selection> {
        let &(node, instance, number) = self.of.get(&port)?;
        let of = &self.description.ports[port.0 as usize];
        let carries = match node {
            Node::Family(family) => self.families[family].ports.get(number as usize).map(|port| port.carries),
            Node::External(_) | Node::Collective(_) => None,
        };
        let asynchronous = of.is_async && matches!(carries, Some(Carries::Window { .. }));
        let windows = of.async_repetitions.filter(|&times| asynchronous && times > 0);
        Some(Selection {
            node,
            ports: vec![number],
            instances: vec![instance],
            asynchronous,
            windows: windows
                .map(|times| Spanned::new(times, of.sites.first().map_or(span, |site| site.span))),
            fifo: None,
            span,
        })
    }

    /// The places of the FIFOs of these connections.
    fn fifo_places(&self, path: &[ConnectionIndex]) -> Vec<FifoPlace> {
        let of = |&at: &ConnectionIndex| {
            let locations = self.description.locations.iter();
            let own = locations.filter(move |location| location.subject == Subject::Fifo(at));
            own.flat_map(|location| {
                fifo_places(location, location.site.as_ref().map_or(self.file, |site| site.span))
            })
        };
        path.iter().flat_map(of).collect()
    }

    /// What is to hold the FIFOs of these connections, as the last statement says that does.
    fn fifo_memory(&self, path: &[ConnectionIndex]) -> Option<FifoMemory> {
        let of = |&at: &ConnectionIndex| {
            let locations = self.description.locations.iter();
            locations.filter(move |location| location.subject == Subject::Fifo(at)).filter_map(fifo_memory)
        };
        path.iter().flat_map(of).last()
    }

    fn buffering(&self, ports: &[PortIndex]) -> Buffering {
        if ports.iter().any(|&port| self.is_single(port)) { Buffering::Single } else { Buffering::Pingpong }
    }

    /// The link of one wire.
    fn plain(&self, wire: &Wire) -> Option<Link> {
        let span = wire.span(self.description, self.file);
        let (mut from, mut to) = (wire.from, wire.to);
        // A parameter that a kernel gives back leaves it, whichever way the statement goes.
        if let Some((outer, inner)) = host_ends(self.description, wire) {
            let gives = self.description.ports[inner.0 as usize].direction == aiec_ir::Direction::Out;
            (from, to) = if gives { (inner, outer) } else { (outer, inner) };
        }
        let fifo_places = self.fifo_places(&wire.path);
        let fifo_memory = self.fifo_memory(&wire.path).filter(|_| fifo_places.is_empty());
        let borders = self.ways.get(&(wire.from, wire.to)).cloned();
        Some(Link {
            from: vec![self.selection(from, span)?],
            to: vec![self.selection(to, span)?],
            buffering: self.buffering(&[from, to]),
            buffer: None,
            fifo: wire.fifo(self.description, self.file).or_else(|| words(&fifo_places)),
            fifo_places,
            fifo_memory,
            fifo_span: None,
            switch: None,
            first: 0,
            first_span: None,
            level: None,
            borders: borders.into_iter().collect(),
            fifo_level: None,
            span,
        })
    }
}

/// The words of FIFOs with places in memory.
fn words(places: &[FifoPlace]) -> Option<Spanned<u32>> {
    let words = |place: &FifoPlace| match place.kind {
        FifoKind::Dma { words, .. } => words,
        FifoKind::Switch { .. } => 0,
    };
    let sum = places.iter().fold(0u32, |sum, place| sum.saturating_add(words(place)));
    places.first().map(|first| Spanned::new(sum.max(1), first.span))
}

/// The places of a FIFO that a location states, without those that a design cannot hold.
pub(crate) fn fifo_places(location: &Location, span: Span) -> Vec<FifoPlace> {
    let place = |place: &Place| match place {
        Place::DmaFifo(Some(fifo)) => {
            let kind = FifoKind::Dma { offset: fifo.address, words: fifo.words };
            Some(FifoPlace { column: fifo.column, row: Some(fifo.row?), kind, span })
        }
        Place::SwitchFifo(Some(fifo)) => {
            let kind = FifoKind::Switch { number: fifo.id };
            Some(FifoPlace { column: fifo.column, row: fifo.row, kind, span })
        }
        _ => None,
    };
    location.places.iter().filter_map(place).collect()
}

/// What is to hold a FIFO, by a location that states no place. Returns None when it states one, or
/// both kinds.
pub(crate) fn fifo_memory(location: &Location) -> Option<FifoMemory> {
    let all = |kind: &Place| location.places.iter().all(|place| place == kind);
    match location.places.first()? {
        kind @ Place::DmaFifo(None) if all(kind) => Some(FifoMemory::Module),
        kind @ Place::SwitchFifo(None) if all(kind) => Some(FifoMemory::Switches),
        _ => None,
    }
}

/// All links: those of wires and of splits and merges, in the order of the wires that begin them.
pub(crate) fn links(ports: &Ports<'_>, wires: &[Wire], notes: &mut Notes) -> Result<Vec<Link>, Diagnostic> {
    let mut found = Vec::new();
    let mut done = vec![false; ports.description.switches.len()];
    for wire in wires {
        let switches = [wire.from, wire.to].map(|port| ports.switch(port));
        match switches {
            [None, None] => match ports.plain(wire) {
                Some(link) => {
                    shallow(&link, notes);
                    found.push(link);
                }
                None => open(ports, wire, notes),
            },
            [Some(_), Some(_)] => {
                return Err(errors::switches_in_a_row(wire.span(ports.description, ports.file)));
            }
            [Some(switch), None] | [None, Some(switch)] => {
                if !std::mem::replace(&mut done[switch.0 as usize], true) {
                    found.extend(switched(ports, wires, switch, notes)?);
                }
            }
        }
    }
    Ok(found)
}

/// Notes a depth that FIFOs at stated places in memory do not hold. No document says what the tools
/// do then.
fn shallow(link: &Link, notes: &mut Notes) {
    let places = &link.fifo_places;
    let in_memory = |place: &FifoPlace| matches!(place.kind, FifoKind::Dma { .. });
    let Some((asked, held)) = link.fifo.as_ref().zip(words(places)) else { return };
    if places.iter().all(in_memory) && held.value < asked.value {
        let what =
            format!("a `fifo_depth` of {} words, at whose places FIFOs hold {}", asked.value, held.value);
        notes.leave_out(what, held.span);
    }
}

/// Notes a wire one end of which leads nowhere.
fn open(ports: &Ports<'_>, wire: &Wire, notes: &mut Notes) {
    let inner = [wire.from, wire.to].into_iter().any(|port| ports.of.contains_key(&port));
    if inner {
        let outer = if ports.of.contains_key(&wire.from) { wire.to } else { wire.from };
        let path = ports.description.ports[outer.0 as usize].path.clone();
        let name = path.unwrap_or_else(|| "a port of a graph".to_owned());
        let what = format!("what lies beyond `{name}`, to which nothing is connected");
        notes.leave_out(what, wire.span(ports.description, ports.file));
    }
}

/// The links of a split or merge: one for each port at its trunk, as a rule one.
fn switched(
    ports: &Ports<'_>,
    wires: &[Wire],
    at: SwitchIndex,
    notes: &mut Notes,
) -> Result<Vec<Link>, Diagnostic> {
    let switch = &ports.description.switches[at.0 as usize];
    let span = switch.site.as_ref().map_or(ports.file, |site| site.span);
    let is_split = switch.kind == description::SwitchKind::Split;
    let near = |wire: &Wire| if is_split { wire.to } else { wire.from };
    let far = |wire: &Wire| if is_split { wire.from } else { wire.to };
    let trunks: Vec<&Wire> = wires.iter().filter(|wire| near(wire) == switch.trunk).collect();
    let at = |&branch: &PortIndex| wires.iter().filter(|wire| far(wire) == branch).collect();
    let branches: Vec<Vec<&Wire>> = switch.branches.iter().map(at).collect();
    let all = || trunks.iter().chain(branches.iter().flatten());
    if all().any(|wire| ports.switch(wire.from).is_some() && ports.switch(wire.to).is_some()) {
        return Err(errors::switches_in_a_row(span));
    }
    if !is_split && branches.iter().any(|senders| senders.len() > 1) {
        return Err(errors::several_senders(span));
    }
    if !is_split && trunks.len() > 1 {
        return Err(errors::merge_broadcast(span));
    }
    let kind = match switch.kind {
        description::SwitchKind::Split => SwitchKind::Split,
        description::SwitchKind::Merge => SwitchKind::Merge,
        description::SwitchKind::OrderedMerge => SwitchKind::OrderedMerge,
    };
    let words = |wire: &Wire| wire.fifo(ports.description, ports.file);
    for place in all().flat_map(|wire| ports.fifo_places(&wire.path)) {
        notes.leave_out("the place of a FIFO at a split or merge".to_owned(), place.span);
    }
    if all().any(|wire| ports.fifo_memory(&wire.path).is_some()) {
        notes.leave_out("what holds a FIFO at a split or merge".to_owned(), span);
    }
    let is_known = |wire: &&&Wire| ports.of.contains_key(&near(wire));
    let link = |trunk: &Wire, (first, branches): &(u32, Vec<&Wire>)| {
        let outer = far(trunk);
        let inner: Vec<PortIndex> = branches.iter().map(|wire| near(wire)).collect();
        let trunk_end = vec![ports.selection(outer, span)?];
        let branch = |wire: &&Wire| {
            let end = ports.selection(near(wire), wire.span(ports.description, ports.file))?;
            Some(Selection { fifo: words(wire), ..end })
        };
        let mut ends: Vec<Selection> = branches.iter().filter_map(branch).collect();
        let fifo = depth_of_all(words(trunk), &mut ends);
        let (from, to) = if is_split { (trunk_end, ends) } else { (ends, trunk_end) };
        let sound = !from.is_empty() && !to.is_empty();
        let buffering = ports.buffering(&inner);
        sound.then_some(Link {
            from,
            to,
            buffering,
            buffer: None,
            fifo,
            fifo_places: Vec::new(),
            fifo_memory: None,
            fifo_span: None,
            switch: Some(kind),
            first: *first,
            first_span: None,
            level: None,
            borders: Vec::new(),
            fifo_level: None,
            span,
        })
    };
    let ends = branches.iter().map(|all| all.iter().filter(is_known).copied().collect());
    let runs = match is_split {
        true => runs(&ends.collect::<Vec<_>>()),
        false => vec![(0, ends.flat_map(|all: Vec<&Wire>| all).collect())],
    };
    Ok(trunks.iter().flat_map(|trunk| runs.iter().filter_map(|run| link(trunk, run))).collect())
}

/// The readers of the branches of a split, as runs of branches that follow each other, each with
/// the number of its first branch: the first reader of every branch, then the second ones, and so
/// on. The readers of one number get the same packets.
fn runs<'w>(readers: &[Vec<&'w Wire>]) -> Vec<(u32, Vec<&'w Wire>)> {
    let most = readers.iter().map(Vec::len).max().unwrap_or(0);
    let mut runs: Vec<(u32, Vec<&Wire>)> = Vec::new();
    for layer in 0..most {
        for (number, readers) in (0..).zip(readers) {
            let Some(&reader) = readers.get(layer) else { continue };
            let next = |(first, run): &(u32, Vec<&Wire>)| (*first..).nth(run.len());
            match runs.last_mut().filter(|run| next(run) == Some(number)) {
                Some((_, run)) => run.push(reader),
                None => runs.push((number, vec![reader])),
            }
        }
    }
    runs
}

/// The words of FIFO on the way to every branch: those of the trunk, and those of the branches if
/// all are equal. Branches that differ keep their own.
fn depth_of_all(trunk: Option<Spanned<u32>>, ends: &mut [Selection]) -> Option<Spanned<u32>> {
    let value = |end: &Selection| end.fifo.as_ref().map(|words| words.value);
    let is_one = ends.windows(2).all(|two| value(&two[0]) == value(&two[1]));
    let Some(first) = ends.first().and_then(|end| end.fifo.clone()).filter(|_| is_one) else { return trunk };
    ends.iter_mut().for_each(|end| end.fifo = None);
    let before = trunk.map_or(0, |words| words.value);
    Some(Spanned::new(before.saturating_add(first.value), first.span))
}
