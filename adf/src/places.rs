//! Locations: tiles of kernels, modules and banks of blocks in memory, distances, areas.

mod apart;
mod relative;
mod shared;

use std::collections::BTreeSet;

use aiec_diag::Span;
use aiec_ir::blocks::{Anchor, Block, BlockPlace, BlockSpot, Blocks, OneBank, Within};
use aiec_ir::constraints::{Aligned, Area, Axis, Constraints, Keepout, Offset, Region, ShimPlace, ShimTie};
use aiec_ir::design::{Instance, Node, Place, UserPort};
use aiec_ir::{Carries, ExternalFamilyId, FamilyId};

use crate::assumed::Notes;
use crate::description::{
    self, AreaRules, Description, ExternalIndex, GraphIndex, KernelIndex, Location, PortIndex, Site, Subject,
};
use crate::links::Ports;
use crate::tables;
use crate::wires::Wire;
use relative::Known;

/// The constraints of a design.
#[derive(Debug, Default)]
pub(crate) struct Places {
    pub places: Vec<Place>,
    pub constraints: Constraints<Instance>,
    pub blocks: Blocks<Instance, (Instance, u32)>,
    pub shims: Vec<ShimPlace<(ExternalFamilyId, u32)>>,
    pub shim_ties: Vec<ShimTie<(ExternalFamilyId, u32), Instance>>,
    pub shim_links: Vec<ShimTie<(ExternalFamilyId, u32), (ExternalFamilyId, u32)>>,
}

/// What a location belongs to, and its notes.
struct Adoption<'a> {
    ports: &'a Ports<'a>,
    /// The instance of each kernel.
    instances: &'a [Instance],
    found: Places,
}

/// The extent of an array.
#[derive(Clone, Copy, Debug)]
pub struct Extent {
    /// Number of columns.
    pub columns: u32,
    /// Number of rows of cores.
    pub rows: u32,
}

/// All locations that a design can hold. Notes the others.
pub(crate) fn places(
    ports: &Ports<'_>,
    wires: &[Wire],
    instances: &[Instance],
    array: Extent,
    notes: &mut Notes,
) -> Places {
    let mut adoption = Adoption { ports, instances, found: Places::default() };
    for location in &ports.description.locations {
        if adoption.location(location).is_none() {
            left_out(&adoption, location, notes);
            continue;
        }
        if let (Subject::External(external), [description::Place::Shim { channel: Some(_), .. }]) =
            (location.subject, location.places.as_slice())
            && !adoption.description().is_plio(external)
        {
            let name = adoption.name(location.subject);
            let what = format!("the channel of {name}: the tools choose those of GMIO (UG1079)");
            notes.leave_out(what, adoption.span(location.site.as_ref()));
        }
        swapped(&adoption, location, notes);
        if let (Subject::Graph(_), [description::Place::Relative { to, columns: None, .. }]) =
            (location.subject, location.places.as_slice())
        {
            let [own, like] = [location.subject, *to].map(|graph| adoption.name(graph));
            let what = format!("that the buffers and stacks of {own} lie like those of {like}");
            notes.leave_out(what, adoption.span(location.site.as_ref()));
        }
    }
    adoption.share(wires, notes);
    for apart in &ports.description.not_equal {
        let span = adoption.span(apart.site.as_ref());
        let [a, b] = [apart.a, apart.b].map(|subject| adoption.anchor(subject, span));
        if let Some((a, b)) = a.zip(b) {
            adoption.apart(a, b, span);
        } else {
            let [a, b] = [apart.a, apart.b].map(|subject| adoption.name(subject));
            notes.leave_out(format!("that {a} and {b} lie apart"), span);
        }
    }
    adoption.patterned(wires, notes);
    adoption.strangers(notes);
    for keepout in &ports.description.keepouts {
        let (area, span) = (area_of(&keepout.area), adoption.span(keepout.site.as_ref()));
        adoption.found.constraints.keepouts.push(Keepout { area, span });
    }
    for rules in &ports.description.rules {
        adoption.rules(rules, array, notes);
    }
    adoption.found.constraints.offsets = once(adoption.found.constraints.offsets, |one| {
        (at(&one.kernel), at(&one.from), one.columns, one.rows)
    });
    adoption.found.constraints.aligned = once(adoption.found.constraints.aligned, |one| {
        (at(&one.kernel), at(&one.from), one.axis, one.distance)
    });
    adoption.found
}

/// Statements without repetitions: a `stamp` may say what the constructor of its graph says.
fn once<T, K: Ord>(all: Vec<T>, key: impl Fn(&T) -> K) -> Vec<T> {
    let mut seen = BTreeSet::new();
    all.into_iter().filter(|one| seen.insert(key(one))).collect()
}

const fn at(instance: &Instance) -> (FamilyId, u32) {
    (instance.family, instance.index)
}

fn area_of(area: &description::Rectangle) -> Area {
    Area::between((area.column, area.row), (area.last_column, area.last_row))
}

/// The rectangles of a location, each with true if it is one of cores, and false if it is one of
/// the interface row. Returns None when the location has another place.
fn only_areas(location: &Location) -> Option<impl Iterator<Item = (Area, bool)>> {
    let area = |place: &description::Place| match place {
        description::Place::Area { area, is_cores } => Some((area_of(area), *is_cores)),
        _ => None,
    };
    location.places.iter().map(area).collect::<Option<Vec<_>>>().map(Vec::into_iter)
}

/// The rectangles of an array that lie outside all of `closed`: columns with the same free rows
/// form one for each run of rows.
fn outside(closed: &[description::Rectangle], array: Extent) -> Vec<Area> {
    let Extent { columns, rows } = array;
    let is_free = |column: i64, row: i64| {
        let holds = |area: &description::Rectangle| {
            (area.column..=area.last_column).contains(&column) && (area.row..=area.last_row).contains(&row)
        };
        !closed.iter().any(holds)
    };
    let runs = |column: i64| {
        let mut runs: Vec<(i64, i64)> = Vec::new();
        for row in (0..i64::from(rows)).filter(|&row| is_free(column, row)) {
            match runs.last_mut() {
                Some((_, last)) if *last + 1 == row => *last = row,
                _ => runs.push((row, row)),
            }
        }
        runs
    };
    let mut found = Vec::new();
    let mut first = 0;
    for column in 0..i64::from(columns) {
        let own = runs(column);
        if column + 1 == i64::from(columns) || runs(column + 1) != own {
            found.extend(own.into_iter().map(|(from, to)| Area::between((first, from), (column, to))));
            first = column + 1;
        }
    }
    found
}

/// Notes a rectangle whose second corner lies west or south of the first. UG1079 has the least
/// column and row first, and does not say what the tools do otherwise.
fn swapped(adoption: &Adoption<'_>, location: &Location, notes: &mut Notes) {
    let is_swapped = |place: &description::Place| match place {
        description::Place::Area { area, .. } => area.column > area.last_column || area.row > area.last_row,
        _ => false,
    };
    if location.places.iter().any(is_swapped) {
        let name = adoption.name(location.subject);
        let what = format!(
            "the order of the corners in the area of {name}: UG1079 has the least column and row first"
        );
        notes.leave_out(what, adoption.span(location.site.as_ref()));
    }
}

/// Notes a location that a design cannot hold.
fn left_out(adoption: &Adoption<'_>, location: &Location, notes: &mut Notes) {
    let Location { subject, places, site } = location;
    let site = site.as_ref();
    let relative = places.iter().find_map(|place| match place {
        description::Place::Relative { to, .. } => Some(*to),
        _ => None,
    });
    let name = adoption.name(*subject);
    let is_area = places.iter().any(|place| matches!(place, description::Place::Area { .. }));
    let what = match (relative, *subject) {
        (Some(to), _) => format!("that the place of {name} follows from that of {}", adoption.name(to)),
        (None, Subject::Stack(_) | Subject::Port(_) | Subject::Table(..)) if is_area => {
            format!("the area of {name}: UG1079 has areas of nodes, and none of their memory")
        }
        (None, Subject::Kernel(_)) if is_area => {
            format!("the area of {name} in the interface row, where no kernel runs")
        }
        (None, Subject::External(_)) if is_area => {
            format!("the area of {name} outside the interface row")
        }
        (None, _) => format!("the location of {name}"),
    };
    notes.leave_out(what, adoption.span(site));
}

impl Adoption<'_> {
    fn description(&self) -> &Description {
        self.ports.description
    }

    fn span(&self, site: Option<&Site>) -> Span {
        site.map_or(self.ports.file, |site| site.span)
    }

    fn kernel(&self, kernel: KernelIndex, span: Span) -> Option<Instance> {
        self.instances.get(kernel.0 as usize).map(|instance| Instance { span, ..*instance })
    }

    /// Kernels in the order of their families.
    fn in_families(&self, kernels: impl Iterator<Item = KernelIndex>, span: Span) -> Vec<Instance> {
        let mut found: Vec<Instance> = kernels.filter_map(|kernel| self.kernel(kernel, span)).collect();
        found.sort_by_key(|one| (one.family, one.index));
        found
    }

    /// A port of a kernel that has buffers.
    fn port(&self, port: PortIndex, span: Span) -> Option<(Instance, u32)> {
        let &(node, index, number) = self.ports.of.get(&port)?;
        let Node::Family(family) = node else { return None };
        let carries = self.ports.families[family].ports.get(number as usize)?.carries;
        carries.block().map(|_| (Instance { family, index, span }, number))
    }

    /// The end of a connection in words: the port of a graph, or the node with its port.
    fn end(&self, port: PortIndex) -> Option<String> {
        let path = self.description().ports.get(port.0 as usize)?.path.as_ref();
        let node = || match *self.ports.of.get(&port)? {
            (Node::Family(family), index, number) => {
                let family = &self.ports.families[family];
                Some(format!("{}.{}", family.instance_name(index), family.ports.get(number as usize)?.name))
            }
            _ => self.description().externals.iter().find(|one| one.port == port)?.path.clone(),
        };
        path.cloned().or_else(node).map(|name| format!("`{name}`"))
    }

    /// The object of a location in words.
    fn name(&self, subject: Subject) -> String {
        let kernel = |kernel: KernelIndex| {
            let of = self.kernel(kernel, self.ports.file);
            of.map_or_else(
                || "a kernel".to_owned(),
                |one| self.ports.families[one.family].instance_name(one.index),
            )
        };
        match subject {
            Subject::Kernel(of) => format!("`{}`", kernel(of)),
            Subject::Stack(of) => format!("the stack of `{}`", kernel(of)),
            Subject::Table(of, None) => format!("the tables of `{}`", kernel(of)),
            Subject::Table(of, Some(number)) => format!("`{}.{}`", kernel(of), tables::name(number)),
            Subject::Port(port) => match self.port(port, self.ports.file) {
                Some((one, number)) => {
                    let family = &self.ports.families[one.family];
                    let name = &family.ports[number as usize].name;
                    format!("the buffers of `{}.{name}`", family.instance_name(one.index))
                }
                None => "a port without buffers".to_owned(),
            },
            Subject::External(at) => {
                let path = self.description().externals.get(at.0 as usize).and_then(|one| one.path.as_ref());
                path.map_or_else(|| "an input or output".to_owned(), |path| format!("`{path}`"))
            }
            Subject::Fifo(at) => {
                let connection = self.description().connections.get(at.0 as usize);
                let ends = connection.and_then(|one| self.end(one.from).zip(self.end(one.to)));
                ends.map_or_else(|| "a FIFO".to_owned(), |(from, to)| format!("the FIFO from {from} to {to}"))
            }
            Subject::Other => "a DMA channel or a switch".to_owned(),
            Subject::Graph(at) => {
                let path = self.description().graphs.get(at.0 as usize).and_then(|one| one.path.as_ref());
                path.map_or_else(|| "a graph".to_owned(), |path| format!("the graph `{path}`"))
            }
        }
    }

    /// Keeps a location. Returns None when a design cannot hold it.
    fn location(&mut self, location: &Location) -> Option<()> {
        let span = self.span(location.site.as_ref());
        if self.is_replaced(location) {
            return Some(());
        }
        match location.subject {
            Subject::Kernel(kernel) => self.tile(kernel, location, span),
            Subject::Stack(kernel) => {
                let block = Block::Stack(self.kernel(kernel, span)?);
                self.block(block, &location.places, span)
            }
            Subject::Port(port) => {
                let block = Block::Buffers(self.port(port, span)?);
                self.block(block, &location.places, span)
            }
            Subject::Graph(graph) => match *location.places.as_slice() {
                [description::Place::Relative { to: Subject::Graph(other), columns, rows }] => {
                    self.stamp(graph, other, columns.zip(rows), span)
                }
                _ => self.graph_areas(graph, location, span),
            },
            Subject::External(external) => self.shim(external, location, span),
            // The link of the connection has the places of its FIFO.
            Subject::Fifo(connection) => {
                let places = crate::links::fifo_places(location, span);
                let is_known = (connection.0 as usize) < self.description().connections.len();
                let is_kind = crate::links::fifo_memory(location).is_some();
                (is_known && (is_kind || places.len() == location.places.len())).then_some(())
            }
            Subject::Table(kernel, number) => {
                let tables = self.tables(kernel, number, span);
                let placed =
                    tables.into_iter().map(|one| self.block(Block::Buffers(one), &location.places, span));
                placed.collect::<Option<Vec<()>>>().filter(|all| !all.is_empty()).map(|_| ())
            }
            Subject::Other => None,
        }
    }

    /// The tables of a kernel: that of a number, or all.
    fn tables(&self, kernel: KernelIndex, number: Option<u32>, span: Span) -> Vec<(Instance, u32)> {
        let Some(instance) = self.kernel(kernel, span) else { return Vec::new() };
        let wanted = number.map(tables::name);
        let ports = (0..).zip(&self.ports.families[instance.family].ports);
        let is_it = |port: &UserPort| {
            matches!(port.carries, Carries::Table { .. })
                && wanted.as_ref().is_none_or(|name| *name == port.name)
        };
        ports.filter(|(_, port)| is_it(port)).map(|(at, _)| (instance, at)).collect()
    }

    /// The tile of a kernel, its distance from another, or its area.
    fn tile(&mut self, kernel: KernelIndex, location: &Location, span: Span) -> Option<()> {
        let instance = self.kernel(kernel, span)?;
        match location.places.as_slice() {
            [description::Place::Tile { column, row }] => {
                self.found.places.push(Place { instance, column: *column, row: *row, span });
                Some(())
            }
            [description::Place::Relative { to: Subject::Kernel(to), columns, rows }] => {
                let from = self.kernel(*to, span)?;
                let along = |axis, distance| Aligned { kernel: instance, from, axis, distance, span };
                match (*columns, *rows) {
                    (Some(columns), Some(rows)) => {
                        let offset = Offset { kernel: instance, from, columns, rows, span };
                        self.found.constraints.offsets.push(offset);
                    }
                    (Some(columns), None) => {
                        self.found.constraints.aligned.push(along(Axis::Column, columns))
                    }
                    (None, Some(rows)) => self.found.constraints.aligned.push(along(Axis::Row, rows)),
                    (None, None) => return None,
                }
                Some(())
            }
            [
                description::Place::Relative {
                    to: Subject::External(external), columns: Some(columns), ..
                },
            ] => {
                let to = Subject::Kernel(kernel);
                let places = vec![description::Place::Relative { to, columns: Some(-columns), rows: None }];
                self.shim(*external, &Location { places, ..location.clone() }, span)
            }
            &[description::Place::Relative { to, columns: Some(columns), rows: Some(rows) }] => {
                self.core_beside(instance, self.beyond(to, columns, rows)?, span)
            }
            _ => self.areas(&[kernel], location, span),
        }
    }

    /// Kernels within rectangles of cores.
    fn areas(&mut self, kernels: &[KernelIndex], location: &Location, span: Span) -> Option<()> {
        // A group of kernels, inputs and outputs has tiles for either.
        let areas: Vec<Area> =
            only_areas(location)?.filter_map(|(area, is_cores)| is_cores.then_some(area)).collect();
        let kernels = self.in_families(kernels.iter().copied(), span);
        if areas.is_empty() {
            return None;
        }
        if !kernels.is_empty() {
            self.found.constraints.regions.push(Region { kernels, areas, span });
        }
        Some(())
    }

    /// The kernels of a graph within rectangles of cores, and its inputs and outputs within columns
    /// of the interface row.
    fn graph_areas(&mut self, graph: GraphIndex, location: &Location, span: Span) -> Option<()> {
        let is_of_cores =
            |place: &description::Place| matches!(place, description::Place::Area { is_cores: true, .. });
        let part = |of_cores: bool| {
            let places = location.places.iter().filter(|place| is_of_cores(place) == of_cores).cloned();
            Location { places: places.collect(), ..location.clone() }
        };
        let (cores, row) = (part(true), part(false));
        let mut held = Some(());
        if !row.places.is_empty() {
            let own = self.externals_in(graph);
            held = own.into_iter().map(|external| self.shim(external, &row, span)).collect();
        }
        if cores.places.is_empty() {
            return held.filter(|()| !row.places.is_empty());
        }
        self.areas(&self.members(graph), &cores, span).and(held)
    }

    /// The inputs and outputs that are members of a graph or of those in it.
    fn externals_in(&self, graph: GraphIndex) -> Vec<ExternalIndex> {
        let all = self.description();
        let Some(path) = all.graphs.get(graph.0 as usize).and_then(|graph| graph.path.as_deref()) else {
            return Vec::new();
        };
        let is_inside = |of: &str| of.strip_prefix(path).is_some_and(|rest| rest.starts_with('.'));
        let externals = (0..).map(ExternalIndex).zip(&all.externals);
        let own = externals.filter(|(_, one)| !one.is_of_logic && one.path.as_deref().is_some_and(is_inside));
        own.map(|(at, _)| at).collect()
    }

    /// The kernels outside an area that its nodes have for themselves: a region for them. Notes the
    /// rules about nets.
    fn rules(&mut self, rules: &AreaRules, array: Extent, notes: &mut Notes) {
        let span = self.span(rules.site.as_ref());
        let name = |&of: &Subject| match of {
            Subject::Graph(at) => {
                self.description().graphs.get(at.0 as usize).and_then(|graph| graph.path.clone())
            }
            _ => None,
        };
        let names =
            rules.of.iter().map(|of| name(of).map_or_else(|| self.name(*of), |path| format!("`{path}`")));
        let group = format!("the area group of {}", names.collect::<Vec<_>>().join(", "));
        let [inside, outside_nets, _] = rules.all();
        for (_, rule) in [inside, outside_nets].into_iter().filter(|(is_set, _)| *is_set) {
            notes.leave_out(format!("{rule} {group}"), span);
        }
        let kernels = rules.of.iter().flat_map(|of| match of {
            Subject::Kernel(kernel) => vec![*kernel],
            Subject::Graph(graph) => self.members(*graph),
            _ => Vec::new(),
        });
        let own: BTreeSet<KernelIndex> = kernels.collect();
        let all = (0..).map(KernelIndex).take(self.description().kernels.len());
        let others = self.in_families(all.filter(|kernel| !own.contains(kernel)), span);
        let areas = outside(&rules.tiles, array);
        if rules.excludes_nodes && !others.is_empty() && !areas.is_empty() {
            self.found.constraints.regions.push(Region { kernels: others, areas, span });
        }
    }

    /// The declaration and number of an input or output.
    fn external(&self, external: ExternalIndex) -> Option<(ExternalFamilyId, u32)> {
        let port = self.description().externals.get(external.0 as usize)?.port;
        match self.ports.of.get(&port)? {
            &(Node::External(family), index, _) => Some((family, index)),
            _ => None,
        }
    }

    /// The column of an input or output, and its channel.
    fn shim(&mut self, external: ExternalIndex, location: &Location, span: Span) -> Option<()> {
        let own = self.external(external)?;
        let (column, channel) = match *location.places.as_slice() {
            [description::Place::Shim { column, channel }] => (column, channel),
            [description::Place::Relative { to, columns: Some(columns), .. }] => {
                match self.beyond(to, columns, 0)? {
                    Known::At(column, _) => (column, None),
                    Known::Beside(Subject::Kernel(kernel), columns, _) => {
                        let from = self.kernel(kernel, span)?;
                        self.found.shim_ties.push(ShimTie { external: own, from, columns, span });
                        return Some(());
                    }
                    Known::Beside(Subject::External(last), whole, _) => {
                        // Links in a circle stay one if each leads to the next.
                        let (next, columns) = match to {
                            Subject::External(next) => (next, columns),
                            _ => (last, whole),
                        };
                        let from = self.external(next)?;
                        self.found.shim_links.push(ShimTie { external: own, from, columns, span });
                        return Some(());
                    }
                    Known::Beside(..) => return None,
                }
            }
            _ => {
                let range = |(area, is_cores): (Area, bool)| (!is_cores).then_some((area.from.0, area.to.0));
                let ranges: Vec<_> = only_areas(location)?.filter_map(range).collect();
                let place = ShimPlace { external: own, ranges, channel: None, span };
                return (!place.ranges.is_empty()).then(|| self.found.shims.push(place));
            }
        };
        let channel = channel.filter(|_| self.description().is_plio(external));
        self.found.shims.push(ShimPlace::at(own, column, channel, span));
        Some(())
    }

    /// The kernels in a graph and in the graphs that lie in it.
    fn members(&self, graph: GraphIndex) -> Vec<KernelIndex> {
        let graphs = &self.description().graphs;
        let lies_in = |start: Option<GraphIndex>| {
            let parent = |at: &GraphIndex| graphs.get(at.0 as usize).and_then(|graph| graph.parent);
            std::iter::successors(start, parent).take(graphs.len() + 1).any(|at| at == graph)
        };
        let kernels = (0..).zip(&self.description().kernels);
        kernels.filter(|(_, kernel)| lies_in(kernel.graph)).map(|(at, _)| KernelIndex(at)).collect()
    }

    /// The modules, banks and offsets of a block, and the block whose banks it shares.
    fn block(
        &mut self,
        block: Block<Instance, (Instance, u32)>,
        places: &[description::Place],
        span: Span,
    ) -> Option<()> {
        self.module(block, places, span)?;
        let &[description::Place::Relative { to, columns: Some(0), rows: Some(0) }] = places else {
            return Some(());
        };
        if let Anchor::Block(other) = self.anchor(to, span)? {
            self.found.blocks.one_bank.push(OneBank { blocks: [block, other], span });
        }
        Some(())
    }

    /// The modules of a block, with the banks and offsets that the places state by themselves.
    fn module(
        &mut self,
        block: Block<Instance, (Instance, u32)>,
        places: &[description::Place],
        span: Span,
    ) -> Option<()> {
        let places = &*self.within_reach(&block, places);
        if let Some(beside) = self.beside(&block, places) {
            self.found.blocks.places.push(BlockPlace {
                block,
                spots: Vec::new(),
                beside: Some(beside),
                span,
            });
            return Some(());
        }
        if let Some(tie) = self.tie(block, places, span) {
            self.found.blocks.ties.push(tie);
            return Some(());
        }
        let spot = |place: &description::Place| {
            let (module, within) = match *place {
                description::Place::Tile { column, row } => (Some((column, row)), Within::Module),
                description::Place::Bank { column, row, bank } => (Some((column, row)), Within::Bank(bank)),
                description::Place::Address { column, row, offset } => {
                    (Some((column, row)), Within::Offset(offset))
                }
                description::Place::Offset(offset) => (None, Within::Offset(offset)),
                description::Place::Relative { to, columns: Some(columns), rows: Some(rows) } => {
                    let (column, row) = self.fixed(to)?;
                    (Some((column.checked_add(columns)?, row.checked_add(rows)?)), Within::Module)
                }
                _ => return None,
            };
            Some(BlockSpot { module, within })
        };
        let spots: Vec<BlockSpot> = places.iter().map(spot).collect::<Option<_>>()?;
        if spots.is_empty() {
            return None;
        }
        self.found.blocks.places.push(BlockPlace { block, spots, beside: None, span });
        Some(())
    }
}
