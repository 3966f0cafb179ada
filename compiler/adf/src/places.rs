//! Locations: tiles of kernels, modules and banks of blocks in memory, distances, areas.

use aiec_diag::Span;
use aiec_ir::blocks::{Block, BlockPlace, Blocks, BuffersApart};
use aiec_ir::constraints::{Area, Constraints, Offset, Region};
use aiec_ir::design::{Instance, Node, Place};

use crate::assumed::Notes;
use crate::description::{self, Description, GraphIndex, KernelIndex, Location, PortIndex, Site, Subject};
use crate::links::Ports;

/// The constraints of a design.
#[derive(Debug, Default)]
pub(crate) struct Places {
    pub places: Vec<Place>,
    pub constraints: Constraints<Instance>,
    pub blocks: Blocks<Instance, (Instance, u32)>,
}

/// What a location belongs to, and its notes.
struct Adoption<'a> {
    ports: &'a Ports<'a>,
    /// The instance of each kernel.
    instances: &'a [Instance],
    found: Places,
}

/// All locations that a design can hold. Notes the others.
pub(crate) fn places(ports: &Ports<'_>, instances: &[Instance], notes: &mut Notes) -> Places {
    let mut adoption = Adoption { ports, instances, found: Places::default() };
    for location in &ports.description.locations {
        if adoption.location(location).is_none() {
            left_out(&adoption, &location.subject, location.site.as_ref(), notes);
        }
    }
    for apart in &ports.description.not_equal {
        let span = adoption.span(apart.site.as_ref());
        let [a, b] = [apart.a, apart.b].map(|subject| adoption.buffers(subject));
        match (a, b) {
            (Some(a), Some(b)) => adoption.found.blocks.apart.push(BuffersApart { ports: vec![a, b], span }),
            _ => notes.leave_out(
                format!("that {} differs from {}", adoption.name(apart.a), adoption.name(apart.b)),
                span,
            ),
        }
    }
    adoption.found
}

/// Notes a location that a design cannot hold.
fn left_out(adoption: &Adoption<'_>, subject: &Subject, site: Option<&Site>, notes: &mut Notes) {
    notes.leave_out(format!("the location of {}", adoption.name(*subject)), adoption.span(site));
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

    /// A port of a kernel that has buffers.
    fn port(&self, port: PortIndex, span: Span) -> Option<(Instance, u32)> {
        let &(node, index, number) = self.ports.of.get(&port)?;
        let Node::Family(family) = node else { return None };
        let carries = self.ports.families[family].ports.get(number as usize)?.carries;
        carries.block().map(|_| (Instance { family, index, span }, number))
    }

    fn buffers(&self, subject: Subject) -> Option<(Instance, u32)> {
        match subject {
            Subject::Port(port) => self.port(port, self.ports.file),
            _ => None,
        }
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
            Subject::Table(of) => format!("a table of `{}`", kernel(of)),
            Subject::Port(port) => match self.port(port, self.ports.file) {
                Some((one, number)) => {
                    let family = &self.ports.families[one.family];
                    let name = &family.ports[number as usize].name;
                    format!("the buffers of `{}.{name}`", family.instance_name(one.index))
                }
                None => "a port without buffers".to_owned(),
            },
            Subject::External(_) => "an input or output".to_owned(),
            Subject::Fifo(_) => "a FIFO".to_owned(),
            Subject::Other => "a DMA channel or a switch".to_owned(),
            Subject::Graph(_) => "a graph".to_owned(),
        }
    }

    /// Keeps a location. Returns None for one that a design cannot hold.
    fn location(&mut self, location: &Location) -> Option<()> {
        let span = self.span(location.site.as_ref());
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
            Subject::Graph(graph) => self.areas(&self.members(graph), location, span),
            Subject::Table(_) | Subject::External(_) | Subject::Fifo(_) | Subject::Other => None,
        }
    }

    /// The tile of a kernel, its distance from another, or its area.
    fn tile(&mut self, kernel: KernelIndex, location: &Location, span: Span) -> Option<()> {
        let instance = self.kernel(kernel, span)?;
        match location.places.as_slice() {
            [description::Place::Tile { column, row }] => {
                self.found.places.push(Place { instance, column: *column, row: *row, span });
                Some(())
            }
            [
                description::Place::Relative {
                    to: Subject::Kernel(to),
                    columns: Some(columns),
                    rows: Some(rows),
                },
            ] => {
                let from = self.kernel(*to, span)?;
                let offset = Offset { kernel: instance, from, columns: *columns, rows: *rows, span };
                self.found.constraints.offsets.push(offset);
                Some(())
            }
            _ => self.areas(&[kernel], location, span),
        }
    }

    /// Kernels within one rectangle of cores.
    fn areas(&mut self, kernels: &[KernelIndex], location: &Location, span: Span) -> Option<()> {
        let [description::Place::Area { area, is_cores: true }] = location.places.as_slice() else {
            return None;
        };
        let kernels: Vec<Instance> = kernels.iter().filter_map(|&kernel| self.kernel(kernel, span)).collect();
        if kernels.is_empty() {
            return Some(());
        }
        let area = Area::between((area.column, area.row), (area.last_column, area.last_row));
        self.found.constraints.regions.push(Region { kernels, area, span });
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

    /// The module and the banks of a block. A design holds one module for all buffers of a port.
    fn block(
        &mut self,
        block: Block<Instance, (Instance, u32)>,
        places: &[description::Place],
        span: Span,
    ) -> Option<()> {
        let at = |place: &description::Place| match *place {
            description::Place::Tile { column, row } => Some(((column, row), None)),
            description::Place::Bank { column, row, bank } => Some(((column, row), Some(bank))),
            _ => None,
        };
        let all: Vec<((i64, i64), Option<u32>)> = places.iter().map(at).collect::<Option<_>>()?;
        let &(module, _) = all.first()?;
        let banks: Vec<u32> = all.iter().filter_map(|(_, bank)| *bank).collect();
        if all.iter().any(|(other, _)| *other != module) || (!banks.is_empty() && banks.len() != all.len()) {
            return None;
        }
        let (column, row) = module;
        self.found.blocks.places.push(BlockPlace { block, column, row, banks, span });
        Some(())
    }
}
