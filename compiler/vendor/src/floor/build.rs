//! Puts a placement together from the files of a run.

use std::collections::{BTreeMap, BTreeSet};

use aiec_device::{Device, Tile};
use aiec_diag::Diagnostic;

use super::{Block, Floor, Kernel, Link, Shim};
use crate::aiecst::{Address, Constraints};
use crate::errors::bad_placement;
use crate::map_report::{self, MapReport};
use crate::ports::port_name;

/// The placement of `reports` and `constraints`, and where they contradict each other
/// (`place/bad-import`).
pub fn build(
    reports: &[MapReport],
    constraints: &[Constraints],
    device: &Device,
) -> (Floor, Vec<Diagnostic>) {
    let mut builder = Builder::new(device.memory.bank_bytes());
    reports.iter().for_each(|report| builder.report(report));
    let sized = !builder.floor.blocks.is_empty();
    for constraints in constraints {
        builder.nodes(constraints);
        builder.ports(constraints, sized);
    }
    if !sized {
        builder.share();
    }
    (builder.floor, builder.faults)
}

struct Builder {
    floor: Floor,
    faults: Vec<Diagnostic>,
    /// Positions of kernels and shims by name.
    kernels: BTreeMap<String, usize>,
    shims: BTreeMap<String, usize>,
    /// Positions of blocks by module and offset.
    places: BTreeMap<(Tile, u32), usize>,
    bank_bytes: u32,
}

impl Builder {
    const fn new(bank_bytes: u32) -> Self {
        Self {
            floor: Floor { kernels: Vec::new(), blocks: Vec::new(), shims: Vec::new(), links: Vec::new() },
            faults: Vec::new(),
            kernels: BTreeMap::new(),
            shims: BTreeMap::new(),
            places: BTreeMap::new(),
            bank_bytes,
        }
    }

    fn report(&mut self, report: &MapReport) {
        for cluster in &report.clusters {
            for name in &cluster.kernels {
                self.kernel(Kernel { name: name.clone(), tile: cluster.tile, span: cluster.span });
            }
        }
        for plio in &report.plios {
            let (column, channel) = (plio.column, Some(plio.channel));
            let name = plio.name.clone();
            self.shim(Shim { name, input: Some(plio.input), column, channel, span: plio.span });
        }
        let names: BTreeSet<&str> = report.blocks.iter().map(|block| block.name.as_str()).collect();
        let ports = |block: &map_report::Block| -> Vec<String> {
            let from = block.from.as_ref().filter(|_| !is_received(block, &names));
            [from, block.to.as_ref()].into_iter().flatten().map(|port| port_name(port)).collect()
        };
        for block in &report.blocks {
            let address = Address { module: None, bank: Some(block.bank), offset: Some(block.offset) };
            self.block(Block {
                name: block.name.clone(),
                stack: block.from.is_none() && block.to.is_none(),
                module: block.module,
                bank: Some(block.bank),
                offset: address.in_module(self.bank_bytes),
                bytes: Some(block.bytes),
                users: ports(block),
                span: block.span,
            });
        }
        self.links(report, &names);
    }

    /// A connection for each pair of ports that a buffer joins. Where a DMA copies, the mapper
    /// names a node `_dma[n]` at each end. The buffers of the sending end are then no connection of
    /// their own. Or it names the sender alone, at both ends.
    fn links(&mut self, report: &MapReport, names: &BTreeSet<&str>) {
        let ends = |block: &map_report::Block| {
            let to = block.to.as_ref().map(|port| port_name(port));
            (to.is_some() || is_received(block, names)).then_some((port_name(block.from.as_ref()?), to))
        };
        let pairs: BTreeSet<(String, Option<String>)> = report.blocks.iter().filter_map(ends).collect();
        let is_kernel =
            |port: &str| port.rsplit_once('.').is_some_and(|(kernel, _)| self.kernels.contains_key(kernel));
        let is_sent = |to: &Option<String>| to.as_ref().is_some_and(|to| to.contains("._dma["));
        let links = pairs.into_iter().filter(|(_, to)| !is_sent(to)).map(|(from, to)| {
            let shared = is_kernel(&from) && to.as_deref().is_some_and(is_kernel);
            Link { from, to, shared }
        });
        self.floor.links.extend(links.collect::<Vec<_>>());
    }

    fn kernel(&mut self, kernel: Kernel) {
        match self.kernels.get(&kernel.name).and_then(|&at| self.floor.kernels.get(at)) {
            Some(known) if known.tile != kernel.tile => {
                let fault = format!(
                    "`{}` is on core {} in one place and on core {} in another",
                    kernel.name, known.tile, kernel.tile
                );
                self.faults.push(bad_placement(
                    fault,
                    &[(kernel.span, "the second place"), (known.span, "the first place")],
                ));
            }
            Some(_) => {}
            None => {
                self.kernels.insert(kernel.name.clone(), self.floor.kernels.len());
                self.floor.kernels.push(kernel);
            }
        }
    }

    fn shim(&mut self, shim: Shim) {
        match self.shims.get(&shim.name).and_then(|&at| self.floor.shims.get(at)) {
            Some(known) if (known.column, known.channel) != (shim.column, shim.channel) => {
                let fault = format!("`{}` has two places on the interface row", shim.name);
                self.faults.push(bad_placement(
                    fault,
                    &[(shim.span, "the second place"), (known.span, "the first place")],
                ));
            }
            Some(_) => {}
            None => {
                self.shims.insert(shim.name.clone(), self.floor.shims.len());
                self.floor.shims.push(shim);
            }
        }
    }

    fn block(&mut self, block: Block) {
        if let Some(offset) = block.offset {
            self.places.entry((block.module, offset)).or_insert(self.floor.blocks.len());
        }
        self.floor.blocks.push(block);
    }

    fn nodes(&mut self, constraints: &Constraints) {
        for node in &constraints.nodes {
            if let Some(tile) = &node.tile {
                self.kernel(Kernel { name: node.name.value.clone(), tile: tile.value, span: tile.span });
            }
            if let Some(shim) = &node.shim {
                let (name, span) = (node.name.value.clone(), shim.span);
                let (column, channel) = (shim.value.column, shim.value.channel);
                self.shim(Shim { name, input: None, column, channel, span });
            }
            if let Some(address) = &node.reserved_memory {
                self.place(&node.name.value, &address.value, address.span, true);
            }
        }
    }

    /// The buffers of ports. If the report has them with their sizes (`sized`), the constraints say
    /// nothing new.
    fn ports(&mut self, constraints: &Constraints, sized: bool) {
        if sized {
            return;
        }
        for port in &constraints.ports {
            for address in &port.buffers {
                self.place(&port.name.value, &address.value, address.span, false);
            }
        }
    }

    /// Adds a stack or buffer of constraints. One at the place of a known block has the same bytes.
    fn place(&mut self, user: &str, address: &Address, span: aiec_diag::Span, stack: bool) {
        let Some(module) = address.module else { return };
        let offset = address.in_module(self.bank_bytes);
        let known = offset.and_then(|offset| self.places.get(&(module, offset)));
        let known = known.and_then(|&at| self.floor.blocks.get_mut(at));
        match known.filter(|block| block.stack == stack) {
            Some(block) => block.users.push(user.to_owned()),
            None => {
                let (name, users) = (user.to_owned(), vec![user.to_owned()]);
                self.block(Block {
                    name,
                    stack,
                    module,
                    bank: address.bank,
                    offset,
                    bytes: None,
                    users,
                    span,
                });
            }
        }
    }

    /// Ports of two kernels with the same buffers are connected through shared memory.
    fn share(&mut self) {
        let mut pairs: BTreeSet<(String, String)> = BTreeSet::new();
        for block in self.floor.blocks.iter().filter(|block| !block.stack) {
            let ends = |way: &str| block.users.iter().find(|user| user.contains(way));
            if let (Some(from), Some(to)) = (ends(".out["), ends(".in[")) {
                pairs.insert((from.clone(), to.clone()));
            }
        }
        self.floor.links.extend(pairs.into_iter().map(|(from, to)| Link {
            from,
            to: Some(to),
            shared: true,
        }));
    }
}

/// True for the buffer at the receiving end of a copy by DMA that names the sending port: `buf7rr`
/// beside `buf7` (seen in a public report of 2023.2). The report does not name the receiving port.
fn is_received(block: &map_report::Block, names: &BTreeSet<&str>) -> bool {
    block.to.is_none() && block.name.strip_suffix("rr").is_some_and(|sent| names.contains(sent))
}
