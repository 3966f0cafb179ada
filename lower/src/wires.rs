//! Connections through ports of components.
//!
//! A [`Wire`] is a `connect` as written: its ends may be ports of a component or of its instances.
//! [`Context::compose`] follows each wire through these ports and makes [`Link`]s between kernels,
//! inputs and outputs. A wire without such ports is a link as it stands.

use std::collections::{BTreeMap, BTreeSet};

use aiec_diag::{Diagnostic, Span, Spanned};
use aiec_ir::design::{Link, Selection};
use aiec_ir::expanded::SwitchKind;
use aiec_ir::fifos::FifoPlace;
use aiec_ir::ways::Border;
use aiec_ir::{Buffering, Direction, SubgraphId};

use crate::errors;
use crate::lower::Context;

/// One or several ends of a wire.
#[derive(Clone, Debug)]
pub enum Pick {
    /// Ports of a kernel, a collective, inputs or outputs.
    Ports(Selection),
    /// Ports of one instance of a component.
    Boundary(SubgraphId, Vec<u32>),
}

/// A `connect` as written.
#[derive(Clone, Debug)]
pub struct Wire {
    /// The producing ends, in order.
    pub from: Vec<Pick>,
    /// The consuming ends, in order.
    pub to: Vec<Pick>,
    /// Buffers of each connection.
    pub buffering: Buffering,
    /// Source location of the word behind `buffer`.
    pub buffer: Option<Span>,
    /// The FIFO of each connection.
    pub fifo: Option<Box<Fifo>>,
    /// The split or merge of packets.
    pub switch: Option<SwitchKind>,
    /// The number of the first branch of a split, and where it is written.
    pub first: u32,
    pub first_span: Option<Span>,
    /// The instance of a component whose text has the `connect`.
    pub level: Option<SubgraphId>,
    /// Number of components around that text; [`NO_TEXT`] of a wire that no text has.
    pub depth: usize,
    /// Source location of the `connect`.
    pub span: Span,
}

/// The depth of a wire that stands for what lies outside of a component.
pub const NO_TEXT: usize = usize::MAX;

/// The FIFO of a connection.
#[derive(Clone, Debug)]
pub struct Fifo {
    /// Depth in words of 32 bits.
    pub words: Spanned<u32>,
    /// The stated places of its words; empty when the tools choose.
    pub places: Vec<FifoPlace>,
    /// Source location of the whole property.
    pub span: Span,
    /// The instance from whose tile they count, until they are moved.
    pub frame: Option<SubgraphId>,
}

/// One end of a wire.
#[derive(Clone, Debug)]
enum End {
    /// A selection of one port.
    Port(Selection),
    /// A port of a component.
    Boundary(Border),
}

/// What the wires on a way state.
#[derive(Clone, Debug)]
struct Stated {
    buffering: Buffering,
    fifo: Option<Box<Fifo>>,
    /// Depth and span of the outermost wire, or of the last of several. Its text joins the two
    /// sides, and the others lead to them.
    depth: usize,
    span: Span,
}

impl Stated {
    fn of(wire: &Wire) -> Self {
        Self { buffering: wire.buffering, fifo: wire.fifo.clone(), depth: wire.depth, span: wire.span }
    }

    /// Adds what another wire of the way states: one statement of a single buffer suffices, and the
    /// first FIFO holds. `is_last` tells that the wire lies behind the others on the way.
    fn join(self, wire: &Wire, is_last: bool) -> Self {
        let single = [self.buffering, wire.buffering].contains(&Buffering::Single);
        let buffering = if single { Buffering::Single } else { Buffering::Pingpong };
        let is_outer = wire.depth < self.depth || is_last && wire.depth == self.depth;
        let (depth, span) = if is_outer { (wire.depth, wire.span) } else { (self.depth, self.span) };
        Self { buffering, fifo: self.fifo.or_else(|| wire.fifo.clone()), depth, span }
    }
}

/// Where the data of a port of a component comes from.
enum Origin {
    /// A port outside of components, and the ports of components that the way passes.
    Port(Selection, Stated, Vec<Border>),
    /// A split or merge, whose wire makes the link.
    Switch,
    /// Nothing, or a circle of ports.
    Open,
}

impl Pick {
    /// One end for each selected port.
    fn ends(&self) -> Vec<End> {
        match self {
            Self::Boundary(id, ports) => ports.iter().map(|&port| End::Boundary((*id, port))).collect(),
            Self::Ports(all) => {
                let one = |(&index, &port): (&u32, &u32)| {
                    End::Port(Selection { ports: vec![port], instances: vec![index], ..all.clone() })
                };
                all.ends().map(one).collect()
            }
        }
    }
}

/// A wire with its ends, each of one port.
struct Ended<'a> {
    wire: &'a Wire,
    /// The producing ends.
    from: &'a [End],
    /// The consuming ends.
    to: &'a [End],
}

/// A port of a component at which a split or merge finds no single port.
struct Misled {
    port: Border,
    /// Number of ports behind it. None when it comes from another split or merge.
    ends: Option<usize>,
}

/// The wires with the ports of components at their ends.
struct Net {
    wires: Vec<Wire>,
    /// The producing and the consuming ends of each wire. None when the wire has no ports of
    /// components.
    ends: Vec<Option<(Vec<End>, Vec<End>)>>,
    /// The wire into each port, with the position of the port among its ends.
    feeder: BTreeMap<Border, (usize, usize)>,
    /// The wires out of each port.
    takers: BTreeMap<Border, Vec<(usize, usize)>>,
}

impl Context<'_> {
    /// Makes links of all wires.
    pub fn compose(&mut self) {
        let wires = std::mem::take(&mut self.wires);
        let net = self.net(wires);
        // After another fault a connection may be missing.
        if !self.diagnostics.iter().any(Diagnostic::is_error) {
            self.open_ports(&net);
        }
        let mut misled: BTreeMap<(Span, Option<usize>), Vec<Border>> = BTreeMap::new();
        for at in 0..net.wires.len() {
            let wire = &net.wires[at];
            match &net.ends[at] {
                None => {
                    let (from, to) = (selections(&wire.from), selections(&wire.to));
                    let link = link(wire, Stated::of(wire), from, to, Vec::new());
                    self.links.push(link);
                }
                Some((from, to)) if wire.switch.is_some() => {
                    if let Err(Misled { port, ends }) = self.switched(&net, &Ended { wire, from, to }) {
                        misled.entry((wire.span, ends)).or_default().push(port);
                    }
                }
                Some((from, to)) => plain(&net, &Ended { wire, from, to }, &mut self.links),
            }
        }
        for ((span, ends), ports) in misled {
            let names: Vec<String> = ports.iter().map(|&port| self.boundary_name(port)).collect();
            self.diagnostics.push(match ends {
                None => errors::switch_after_switch(span, &names, net.switch_into(ports[0])),
                Some(count) => errors::switch_to_many(span, &names, count),
            });
        }
    }

    fn net(&mut self, wires: Vec<Wire>) -> Net {
        let mut net = Net { wires, ends: Vec::new(), feeder: BTreeMap::new(), takers: BTreeMap::new() };
        // By the two connections, and whether the text of the component has the second one.
        let mut fed_twice: BTreeMap<(Span, Span, bool), Vec<Border>> = BTreeMap::new();
        for (at, wire) in net.wires.iter().enumerate() {
            let is_boundary = |pick: &Pick| matches!(pick, Pick::Boundary(..));
            if !wire.from.iter().chain(&wire.to).any(is_boundary) {
                net.ends.push(None);
                continue;
            }
            let ends = |picks: &[Pick]| picks.iter().flat_map(Pick::ends).collect::<Vec<End>>();
            let (from, to) = (ends(&wire.from), ends(&wire.to));
            for (position, end) in from.iter().enumerate() {
                if let End::Boundary(port) = end {
                    net.takers.entry(*port).or_default().push((at, position));
                }
            }
            for (position, end) in to.iter().enumerate() {
                let End::Boundary(port) = end else { continue };
                if let Some((first, _)) = net.feeder.insert(*port, (at, position)) {
                    let is_inside = wire.level == Some(port.0);
                    let key = (wire.span, net.wires[first].span, is_inside);
                    fed_twice.entry(key).or_default().push(*port);
                }
            }
            net.ends.push(Some((from, to)));
        }
        for ((again, first, is_inside), ports) in fed_twice {
            let component = &self.subgraphs[ports[0].0].component;
            let fault = if is_inside {
                let names: BTreeSet<&str> = ports.iter().map(|&port| self.inner_name(port)).collect();
                errors::fed_twice(names, Some(component), again, first)
            } else {
                errors::fed_twice(ports.iter().map(|&port| self.boundary_name(port)), None, again, first)
            };
            self.diagnostics.push(fault);
        }
        net
    }

    /// The name of a port of an instance, such as `bank[2].x`.
    fn boundary_name(&self, port: Border) -> String {
        format!("{}.{}", self.subgraphs[port.0].name, self.inner_name(port))
    }

    /// The name of a port of an instance within it, such as `x`.
    fn inner_name(&self, (id, port): Border) -> &str {
        let interior = self.interiors.get(id).and_then(Option::as_ref);
        interior.and_then(|interior| interior.ports.get(port as usize)).map_or("?", |port| port.name.as_str())
    }

    /// The name of a port of an instance in the text that declares the instance, such as `fir.x`
    /// for `bank[2].fir.x`.
    fn outer_name(&self, port: Border) -> String {
        let name = self.boundary_name(port);
        let around = self.subgraphs[port.0].parent.map(|parent| format!("{}.", self.subgraphs[parent].name));
        around.and_then(|around| name.strip_prefix(&around).map(str::to_owned)).unwrap_or(name)
    }

    /// Reports ports of components that nothing is connected to, inside or outside: each declared
    /// port once, and each declaration of instances once.
    fn open_ports(&mut self, net: &Net) {
        let mut found = Vec::new();
        let mut seen: BTreeSet<(Span, Span)> = BTreeSet::new();
        for (id, subgraph) in self.subgraphs.enumerate() {
            let Some(Some(interior)) = self.interiors.get(id) else { continue };
            for (at, port) in (0..).zip(&interior.ports) {
                let (taken, fed) = (net.takers.contains_key(&(id, at)), net.feeder.contains_key(&(id, at)));
                let input = port.direction == Direction::In;
                let (inside, outside) = if input { (taken, fed) } else { (fed, taken) };
                if !inside && seen.insert((port.span, port.span)) {
                    found.push(errors::open_inside(port, &subgraph.component));
                }
                if inside && !outside && seen.insert((port.span, subgraph.span)) {
                    let [name, local] = [self.boundary_name((id, at)), self.outer_name((id, at))];
                    found.push(errors::open_outside(&name, &local, input, [subgraph.span, port.span]));
                }
            }
        }
        self.diagnostics.append(&mut found);
    }

    /// Makes the link of a split or merge: each of its ends is one port. Links with a fault that is
    /// reported elsewhere are left out.
    fn switched(&mut self, net: &Net, &Ended { wire, from, to }: &Ended<'_>) -> Result<(), Misled> {
        let (mut producers, mut consumers, mut stated) = (Vec::new(), Vec::new(), Stated::of(wire));
        let (mut before, mut behind) = (Vec::new(), Vec::new());
        for end in from {
            match end {
                End::Port(port) => {
                    producers.push(port.clone());
                    before.push(Vec::new());
                }
                End::Boundary(port) => match net.origin(*port) {
                    Origin::Port(port, on_way, borders) => {
                        stated.fifo = stated.fifo.or(on_way.fifo);
                        producers.push(port);
                        before.push(borders);
                    }
                    Origin::Switch => return Err(Misled { port: *port, ends: None }),
                    Origin::Open => return Ok(()), // reported
                },
            }
        }
        for end in to {
            match end {
                End::Port(port) => {
                    consumers.push(port.clone());
                    behind.push(Vec::new());
                }
                End::Boundary(port) => match net.destinations(*port).as_slice() {
                    [(only, borders)] => {
                        consumers.push(only.clone());
                        behind.push(borders.clone());
                    }
                    [] => return Ok(()),                            // reported
                    _ if net.switch_out_of(*port) => return Ok(()), // reported there
                    more => return Err(Misled { port: *port, ends: Some(more.len()) }),
                },
            }
        }
        // Those of the branches, then those of the trunk.
        let is_split = wire.switch == Some(SwitchKind::Split);
        let (branches, trunk) = if is_split { (behind, before) } else { (before, behind) };
        let borders = branches.into_iter().chain(trunk).collect();
        self.links.push(link(wire, stated, producers, consumers, borders));
        Ok(())
    }
}

/// The links of a wire without split or merge that end at its own ports. Those that go on through
/// the ports of components belong to the last wire of their way.
fn plain(net: &Net, &Ended { wire, from, to }: &Ended<'_>, links: &mut Vec<Link>) {
    for (at, consumer) in to.iter().enumerate() {
        let End::Port(consumer) = consumer else { continue };
        let Some(producer) = from.get(at).or(from.first()) else { continue };
        let (producer, stated, borders) = match producer {
            End::Port(port) => (port.clone(), Stated::of(wire), Vec::new()),
            End::Boundary(port) => match net.origin(*port) {
                Origin::Port(port, on_way, borders) => (port, on_way.join(wire, true), borders),
                Origin::Switch | Origin::Open => continue,
            },
        };
        links.push(link(wire, stated, vec![producer], vec![consumer.clone()], vec![borders]));
    }
}

impl Net {
    /// The split or merge that leads straight into a port.
    fn switch_into(&self, port: Border) -> Option<Span> {
        let wire = &self.wires[self.feeder.get(&port)?.0];
        wire.switch.map(|_| wire.span)
    }

    /// Does a split or merge begin straight behind a port?
    fn switch_out_of(&self, port: Border) -> bool {
        let takers = self.takers.get(&port).into_iter().flatten();
        takers.into_iter().any(|&(at, _)| self.wires[at].switch.is_some())
    }

    /// Where the data of a port comes from.
    fn origin(&self, port: Border) -> Origin {
        let mut borders = vec![port];
        let mut port = port;
        let mut stated: Option<Stated> = None;
        // A way passes each port once.
        for _ in 0..=self.feeder.len() {
            let Some(&(at, position)) = self.feeder.get(&port) else { return Origin::Open };
            let wire = &self.wires[at];
            if wire.switch.is_some() {
                return Origin::Switch;
            }
            let joined = stated.map_or_else(|| Stated::of(wire), |stated| stated.join(wire, false));
            let from = self.ends[at].as_ref().and_then(|(from, _)| from.get(position).or(from.first()));
            match from {
                Some(End::Port(found)) => return Origin::Port(found.clone(), joined, borders),
                Some(End::Boundary(next)) => {
                    port = *next;
                    borders.push(port);
                }
                None => return Origin::Open,
            }
            stated = Some(joined);
        }
        Origin::Open
    }

    /// All ports outside of components that take the data of a port, in the order of wires, with
    /// the ports of components on the way.
    fn destinations(&self, port: Border) -> Vec<(Selection, Vec<Border>)> {
        let (mut found, mut seen, mut pending) = (Vec::new(), BTreeSet::from([port]), vec![vec![port]]);
        while let Some(way) = pending.pop() {
            let Some(port) = way.last() else { continue };
            for &(at, position) in self.takers.get(port).into_iter().flatten() {
                let Some((from, to)) = &self.ends[at] else { continue };
                let ends =
                    if from.len() == 1 { to.as_slice() } else { to.get(position..=position).unwrap_or(&[]) };
                for end in ends {
                    match end {
                        End::Port(port) => found.push((port.clone(), way.clone())),
                        End::Boundary(next) => {
                            if seen.insert(*next) {
                                pending.push(way.iter().chain([next]).copied().collect());
                            }
                        }
                    }
                }
            }
        }
        found
    }
}

fn selections(picks: &[Pick]) -> Vec<Selection> {
    let ports = picks.iter().filter_map(|pick| match pick {
        Pick::Ports(selection) => Some(selection.clone()),
        Pick::Boundary(..) => None,
    });
    ports.collect()
}

fn link(
    wire: &Wire,
    stated: Stated,
    from: Vec<Selection>,
    to: Vec<Selection>,
    borders: Vec<Vec<Border>>,
) -> Link {
    let fifo_level = stated.fifo.as_ref().and_then(|fifo| fifo.frame);
    let fifo_span = stated.fifo.as_ref().map(|fifo| fifo.span);
    let (fifo, fifo_places) = stated.fifo.map_or((None, Vec::new()), |fifo| (Some(fifo.words), fifo.places));
    Link {
        from,
        to,
        buffering: stated.buffering,
        buffer: wire.buffer,
        fifo,
        fifo_places,
        fifo_memory: None,
        fifo_span,
        switch: wire.switch,
        first: wire.first,
        first_span: wire.first_span,
        level: wire.level,
        borders,
        fifo_level,
        span: stated.span,
    }
}
